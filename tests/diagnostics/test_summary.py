"""What a row of the list says of requests that the real pipeline has answered."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.diagnostics.summary import Outcome, Route, Summary, summary_of
from ha_assist_addon.trace.trace import Trace
from tests.diagnostics.records import finished
from tests.support.house import House, Pipeline, Thing, called, done, result

HOUSE = House(
    (
        Thing(("Desk Lamp",), "light", ("Office",)),
        Thing(("Ceiling Light",), "light", ("Kitchen",)),
        Thing(("Ceiling Light",), "light", ("Hall",)),
        Thing(("Front Door",), "lock", ("Hall",)),
    )
)
ON = called("HassTurnOn", {"name": "Desk Lamp", "domain": ["light"]})
DONE = result(done("Desk Lamp"))
READ = called("GetLiveContext", {"name": "Desk Lamp"}, "call_2")


def live(state: str) -> dict[str, object]:
    text = f"Live Context: An overview:\n- names: Desk Lamp\n  domain: light\n  state: '{state}'\n  areas: Office\n"
    return result({"success": True, "result": text}, "call_2")


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    return Pipeline(tmp_path_factory.mktemp("data"), "en")


def row(pipeline: Pipeline, *messages: object) -> Summary:
    decision = pipeline.say(HOUSE, *messages)  # type: ignore[arg-type]
    decision.trace.calls = tuple({"name": n, "arguments": a} for n, a in decision.calls)
    decision.trace.finish("called" if decision.calls else "answered", decision.text)
    return summary_of(decision.trace.record(), 1, 1)


@pytest.mark.parametrize(
    ("messages", "route", "outcome", "target"),
    [
        (("turn on the desk lamp",), "direct", "called", "Desk Lamp"),
        (("turn on the desk lamp", ON, result(done("Desk Lamp"))), "verify", "reading", "Desk Lamp"),
        (
            ("turn on the desk lamp", ON, result(done("Desk Lamp")), READ, live("on")),
            "verify",
            "confirmed",
            "Desk Lamp",
        ),
        (("turn on the desk lamp", ON, result({"error": "MatchFailedError"})), "direct", "not_done", "Desk Lamp"),
        (("is the front door locked",), "direct", "reading", "Front Door"),
        (("turn on the ceiling light",), "asked", "asked", "Ceiling Light"),
        (("tell me a story about the sea",), "refused", "refused", None),
    ],
)
def test_route_outcome_and_target(
    pipeline: Pipeline, messages: tuple[object, ...], route: Route, outcome: Outcome, target: str | None
) -> None:
    summary = row(pipeline, *messages)
    assert (summary.route, summary.outcome) == (route, outcome), summary
    assert summary.target == target
    assert summary.why
    assert summary.model_calls == 0


@pytest.mark.parametrize(
    ("fields", "verdict", "route", "outcome"),
    [
        ({"route": "llm", "reason": "not_recognised"}, None, "model", "answered"),
        ({"route": "vlm", "reason": "image"}, None, "vision", "answered"),
        ({"route": "llm", "reason": "not_recognised"}, "rejected", "refused", "refused"),
        ({"route": "llm", "reason": "not_recognised"}, "unbacked_claim", "refused", "refused"),
        ({"route": "llm", "reason": "not_recognised"}, "asked", "model", "asked"),
        ({"route": "physical", "reason": "physical_model"}, None, "physical", "answered"),
        ({"route": "physical", "reason": "busy", "outcome": "failed"}, None, "failed", "failed"),
        ({"route": "llm", "outcome": "disconnected"}, None, "model", "disconnected"),
    ],
)
def test_with_a_model(fields: dict[str, str], verdict: str | None, route: Route, outcome: Outcome) -> None:
    trace: Trace = finished(inference_calls=1, **fields)  # type: ignore[arg-type]
    if verdict:
        trace.note("ha_validation", verdict=verdict)
    summary = summary_of(trace.record(), 1, 1)
    assert (summary.route, summary.outcome) == (route, outcome)
    assert summary.failed is (outcome in {"failed", "disconnected"})


def turn(store: TraceStore, *steps: Trace) -> None:
    """Requests of one turn: all after the first bring rounds of tools along."""
    for number, step in enumerate(steps):
        step.conversation = step.conversation or f"c{id(steps)}"
        step.sentence = steps[0].sentence
        step.note("ha_history", rounds=number)
        store.add(step)


async def test_the_overview_counts_turns_by_what_became_of_them() -> None:
    store = TraceStore()
    now = datetime.now(UTC)
    for number in range(20):
        store.add(finished(f"is it {number}", ms=number + 1, ago=timedelta(minutes=90)))
    turn(
        store,
        finished("turn on the lamp", outcome="called", ms=10),
        finished(outcome="called", reason="verify_state", ms=10),
        finished(reason="verify_state", verification="confirmed", ms=20),
    )
    turn(
        store,
        finished("turn on the fan", outcome="called"),
        finished(reason="verify_state", verification="unconfirmed"),
    )
    turn(store, finished("turn on the blind", outcome="called"), finished(reason="tool_failed"))
    turn(
        store,
        finished("make it cosy", route="llm", inference_calls=1, outcome="called", ms=2000),
        finished(reason="tool_result", ms=10),
    )
    store.add(finished("which one", reply="Which lamp?"))
    store.add(finished("tell me a joke", reason="not_recognised"))
    store.add(finished("what is on", outcome="failed", reason="image", error="busy"))
    store.add(finished("what is off", outcome="called", reason="read_state"))
    store.add(finished("you there", route="physical", reason="physical_model", inference_calls=1))
    store.add(finished("long ago", ago=timedelta(days=3)))
    day = await store.overview(now - timedelta(days=1))
    assert day.kinds == {"done": 1, "answered": 20, "asked": 1, "model": 1, "unmet": 1, "failed": 3, "open": 1}
    assert (day.requests, day.turns, day.physical) == (34, 28, 1)
    assert day.share_without_model == 21 / 28, "who asks back or has no model has not answered"
    assert day.errors == {"unconfirmed": 1, "not_done": 1, "busy": 1}
    answered = day.latencies["answered"]
    assert (answered.count, answered.p50, answered.p95, answered.worst) == (20, 11, 20, 20)
    assert day.latencies["done"].p50 == 40, "a turn's time is that of its requests together"
    assert day.latencies["model"].p50 == 2010
    assert len(day.buckets) == 24
    assert sum(bucket.turns for bucket in day.buckets) == 28
    assert day.buckets[-2].kinds == {"answered": 20}
    week = await store.overview(now - timedelta(days=7))
    assert (week.kinds["answered"], len(week.buckets)) == (21, 7)
    nothing = await store.overview(now - timedelta(days=30), now - timedelta(days=20))
    assert (nothing.requests, nothing.share_without_model) == (0, None)
