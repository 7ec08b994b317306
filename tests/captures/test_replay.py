"""Every recorded chat request gets the kind of answer that its scenario calls for, with a model and without one."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from ha_assist_addon.home.toolbox import Toolbox, plain_name
from ha_assist_addon.turn.history import read_turn
from tests.captures.expected import NOT_YET, TABLE, Reply, Row
from tests.captures.replay import Recorded, first_match, recordings, streamed, whole
from tests.support.fake_upstream import FakeUpstream, said
from tests.support.house import READS
from tests.support.serving import running
from tests.support.shared import SHARED, needs_shared

pytestmark = needs_shared

FOLDER = SHARED / "captures" if SHARED else Path()
RECORDED = tuple(recordings(FOLDER)) if SHARED else ()
SCENARIOS = tuple(dict.fromkeys(r.scenario for r in RECORDED))
INTERNAL = re.compile(r"Error\b|\bNone\b|[{}<>]|Traceback|MatchFailed|__|\bHass[A-Z]|\bnull\b")
AT_ONCE = "settings:\n  ha_assist_verify_delay: 0\n"
STUB = "The model says hello."
DATA = json.dumps({"count": 2, "ok": True, "mood": "calm", "summary": "Two people", "tags": ["a"], "light": None})
"""What a model answers to a task that wants structured data."""


def problems(reply: Reply, recorded: Recorded) -> Iterable[str]:
    """What no answer may have, whatever was asked."""
    if reply.status != 200:
        if reply.status >= 500 and reply.code != "no_model":
            yield f"status {reply.status}"
        if not reply.code or not reply.text.strip():
            yield "an error without a code and a sentence"
    elif bool(reply.calls) is (reply.finish == "stop") or reply.finish not in {"stop", "tool_calls"}:
        yield f"{len(reply.calls)} calls and finish reason {reply.finish}"
    if not reply.calls and not reply.text.strip():
        yield "nothing to say"
    parsed = recorded.parsed
    if parsed.response_format is None and INTERNAL.search(reply.text):
        yield f"internal words are spoken: {reply.text}"
    box = Toolbox.read(parsed.tools)
    made = {
        (plain_name(c.name), json.dumps(dict(c.arguments), sort_keys=True))
        for r in read_turn(parsed.messages).rounds
        for c in r.calls
    }
    tools_made = {name for name, _ in made} - READS
    for name, arguments in reply.calls:
        tool = box.by_name.get(name)
        if tool is None:
            yield f"{name} is not offered"
        elif tool.problem(arguments) is not None:
            yield f"{name}: {tool.problem(arguments)}"
        plain = plain_name(name)
        if (plain, json.dumps(dict(arguments), sort_keys=True)) in made or plain in tools_made:
            yield f"{plain} was called before in this turn"


def row(scenario: str) -> Row:
    found = first_match(TABLE, scenario)
    assert found is not None, f"{scenario} stands in no row of the table"
    return found


def judge(recorded: Recorded, reply: Reply) -> str | None:
    """Why an answer is not what its scenario calls for."""
    wrong = list(problems(reply, recorded))
    kinds = row(recorded.scenario)[recorded.number]
    if not any(kind.fits(reply) for kind in kinds):
        wrong.append(f"is none of {kinds}")
    return f"{recorded.label}: {'; '.join(wrong)}: {reply}" if wrong else None


def not_yet(recorded: Recorded) -> bool:
    numbers = first_match(NOT_YET, recorded.scenario)
    return numbers is not None and recorded.number in numbers[0]


Both = tuple[Reply, Reply]


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Both]:
    """What a server without a model answers, whole and streamed."""

    async def replay() -> Mapping[str, Both]:
        async with (
            running(tmp_path_factory.mktemp("alone"), settings=AT_ONCE) as server,
            server.openai(strict=True) as client,
        ):
            return {r.label: (await whole(server, r), await streamed(client, r)) for r in RECORDED}

    return asyncio.run(replay())


def test_without_a_model_every_request_gets_its_kind_of_answer(alone: Mapping[str, Both]) -> None:
    wrong, early = [], []
    for recorded in RECORDED:
        verdict = judge(recorded, alone[recorded.label][0])
        if verdict and not not_yet(recorded):
            wrong.append(verdict)
        if not verdict and not_yet(recorded):
            early.append(recorded.label)
    assert not wrong, "\n".join(wrong)
    assert not early, f"these are answered as they should be now; take them out of NOT_YET: {early}"
    assert len(RECORDED) > 200


def test_streamed_and_whole_are_the_same_answer(alone: Mapping[str, Both]) -> None:
    different = {label: both for label, both in alone.items() if both[0] != both[1]}
    assert not different


async def test_with_a_model_it_is_asked_once_where_certainty_ends(tmp_path: Path, alone: Mapping[str, Both]) -> None:
    """What is certain stays as it is without a model; all the rest is the model's, asked exactly once."""
    wrong = []
    fake = FakeUpstream()
    async with fake.running():
        upstream = f"{AT_ONCE}models:\n  upstream:\n    enabled: true\n    base_url: {fake.url}\n    model: stub\n"
        async with running(tmp_path, settings=upstream) as server:
            for recorded in RECORDED:
                told = STUB if recorded.parsed.response_format is None else DATA
                fake.queue[:] = [said(told)]
                before = len(fake.bodies)
                reply = await whole(server, recorded)
                asked, lone = len(fake.bodies) - before, alone[recorded.label][0]
                found = list(problems(reply, recorded))
                if asked > 1:
                    found.append(f"the model was asked {asked} times")
                if asked == 1 and reply.text != told:
                    found.append("the model's answer did not arrive")
                if asked == 1 and lone.calls:
                    found.append("the model was asked for what is certain without it")
                if asked == 0 and reply != lone:
                    found.append(f"without a model the answer was another one: {lone}")
                if found:
                    wrong.append(f"{recorded.label}: {'; '.join(found)}: {reply}")
    assert not wrong, "\n".join(wrong)


def test_every_recording_stands_in_the_table_and_every_row_is_used() -> None:
    for recorded in RECORDED:
        assert recorded.number < len(row(recorded.scenario)), recorded.label
    used = {next(p for p in TABLE if first_match({p: True}, s)) for s in SCENARIOS}
    assert set(TABLE) == used
    assert all(any(first_match({p: True}, s) for s in SCENARIOS) for p in NOT_YET)
