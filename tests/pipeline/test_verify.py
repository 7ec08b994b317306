"""After an action the states are read, and what is said is what they show."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from ha_assist_addon.backends.registry import BackendRegistry
from ha_assist_addon.conversation import CallEvent, ToolCall
from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.home.entity import Entity
from ha_assist_addon.home.toolbox import plain_name
from ha_assist_addon.services import Services
from ha_assist_addon.settings.store import SettingsStore
from ha_assist_addon.turn.history import ToolResult, read_result
from ha_assist_addon.verification.evidence import Evidence
from ha_assist_addon.verification.expected import Verdict, wanted
from ha_assist_addon.verification.goals import Done, Goal, goals_of
from ha_assist_addon.verification.verify import Finding, examine, spoken
from tests.support.house import VERSIONS, Decision, House, Pipeline, Version, called, done, result, thing

HOME = (
    thing("Desk Lamp, Work Light", "light", "Office, Study"),
    thing("Ceiling Light", "light", "Bedroom"),
    thing("Ceiling Light", "light", "Kids Room"),
    thing("Bedside Lamp", "light", "Bedroom"),
    thing("Garage Door", "cover", "Garage"),
    thing("Front Door Lock", "lock", "Hallway"),
    thing("Dinner", "scene"),
    thing("Rosie", "vacuum", "Office"),
    thing("Shopping List", "todo"),
    thing("Thermostat", "climate", "Bedroom"),
    thing("Humidifier", "humidifier", "Bedroom"),
    thing("Vacation Mode", "input_boolean"),
)


def waiting(folder: Path, delay: float = 0, attempts: int = 2, *languages: str) -> Pipeline:
    """A pipeline with these settings."""
    pipeline = Pipeline(folder, *languages)
    environ = {
        "HA_ASSIST_SETTINGS__HA_ASSIST_LANGUAGES": ",".join(languages or ("en", "de")),
        "HA_ASSIST_SETTINGS__HA_ASSIST_VERIFY_DELAY": str(delay),
        "HA_ASSIST_SETTINGS__HA_ASSIST_VERIFY_ATTEMPTS": str(attempts),
    }
    store = SettingsStore(folder, environ=environ)
    assert store.problem is None
    pipeline.services = Services(store, pipeline.services.grammars, BackendRegistry(store), TraceStore())
    return pipeline


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    return waiting(tmp_path_factory.mktemp("verify"))


def overview(*items: tuple[str, str, str] | tuple[str, str, str, Mapping[str, Any]], area: str = "") -> dict[str, Any]:
    """A result of GetLiveContext: names, domain, state, and attributes where there are any."""
    listed = [
        {
            "names": names,
            "domain": domain,
            "state": state,
            **({"areas": area} if area else {}),
            **({"attributes": dict(more[0])} if more else {}),
        }
        for names, domain, state, *more in items
    ]
    text = yaml.safe_dump(listed, sort_keys=False, allow_unicode=True)
    return {"result": f"Live Context: An overview of the areas and the devices in this smart home:\n{text}"}


def wrapped(data: Any, version: Version) -> Any:
    """The envelope of the version."""
    return {"data": data, "error": False} if version == "2026.11" else data


class Conversation:
    """Plays Home Assistant: it carries out each call with the result that a test gives it."""

    def __init__(self, pipeline: Pipeline, sentence: str, house: House | None = None) -> None:
        self.pipeline = pipeline
        # What another test has left behind is another home's.
        pipeline.services = replace(pipeline.services, evidence=Evidence())
        self.house = house or House(HOME)
        self.messages: list[Any] = [sentence]
        self.latest = self._ask()

    def _ask(self) -> Decision:
        return self.pipeline.say(self.house, *self.messages)

    def answer(self, *results: Any) -> Decision:
        """Give each call of the latest answer its result, and ask again."""
        calls = self.latest.calls
        assert len(calls) == len(results), calls
        ids = [e.call.id for e in self.latest.events if isinstance(e, CallEvent)]
        for identity, (name, arguments), data in zip(ids, calls, results, strict=True):
            self.messages.append(called(name, arguments, identity))
            self.messages.append(result(wrapped(data, self.house.version), identity))
        self.latest = self._ask()
        return self.latest

    def read_all(self, live: Any) -> Decision:
        """Answer every read that is left with this."""
        reads = 0
        while self.latest.calls:
            assert not self.latest.actions
            reads += 1
            self.answer(live)
        assert reads <= 1 + 2, "one at once, and one after each wait"
        return self.latest


def lamp(state: str, **attributes: Any) -> dict[str, Any]:
    return overview(("Desk Lamp, Work Light", "light", state, attributes), area="Office, Study")


@pytest.mark.parametrize("version", VERSIONS)
def test_a_state_that_shows_ends_the_turn(pipeline: Pipeline, version: Version) -> None:
    talk = Conversation(pipeline, "turn on the desk lamp", House(HOME, version=version))
    reading = talk.answer(done("Desk Lamp"))
    ((name, arguments),) = reading.calls
    assert plain_name(name) == "GetLiveContext"
    assert arguments == ({} if version == "2026.2" else {"name": "Desk Lamp"})
    assert reading.trace.verification == "reading"
    assert reading.trace.reason == "verify_state"
    assert reading.trace.verify_settle_ms is not None
    answer = talk.answer(lamp("on"))
    assert (answer.calls, answer.text) == ([], "Turned on the light")
    assert answer.trace.verification == "confirmed"
    (target,) = answer.trace.sections["ha_verify"]["targets"]
    assert target == {
        "name": "Desk Lamp",
        "domain": "light",
        "kind": "on_off",
        "expected": "on",
        "state": "on",
        "verdict": "reached",
        "source": "read",
    }
    section = answer.trace.sections["ha_verify"]
    assert (section["kind"], section["attempt"], section["attempts"], section["delay"]) == ("on_off", 1, 2, 0)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_stale_state_is_read_again_and_then_named(pipeline: Pipeline, version: Version) -> None:
    talk = Conversation(pipeline, "turn on the desk lamp", House(HOME, version=version))
    talk.answer(done("Desk Lamp"))
    for _ in range(2):
        again = talk.answer(lamp("off"))
        assert [plain_name(n) for n, _ in again.calls] == ["GetLiveContext"]
    answer = talk.answer(lamp("off"))
    assert not answer.calls
    assert answer.text == "Turned on the light. But Desk Lamp has not yet reported the new state."
    assert answer.trace.verification == "unconfirmed"


def test_a_late_state_is_seen_by_the_read_after_a_wait(pipeline: Pipeline) -> None:
    talk = Conversation(pipeline, "turn off the desk lamp")
    talk.answer(done("Desk Lamp"))
    talk.answer(lamp("on"))
    answer = talk.answer(lamp("off"))
    assert (answer.text, answer.trace.verification) == ("Turned off the light", "confirmed")


def test_in_german_too(pipeline: Pipeline) -> None:
    talk = Conversation(pipeline, "schalte die Desk Lamp ein")
    talk.answer(done("Desk Lamp"))
    assert talk.read_all(lamp("off")).text.endswith("Aber Desk Lamp hat den neuen Zustand noch nicht gemeldet.")


def test_an_unavailable_target_is_called_that(pipeline: Pipeline) -> None:
    talk = Conversation(pipeline, "turn on the desk lamp")
    talk.answer(done("Desk Lamp"))
    assert talk.read_all(lamp("unavailable")).text == "Desk Lamp is not available right now."


def test_a_failure_is_told_at_once(pipeline: Pipeline) -> None:
    talk = Conversation(pipeline, "turn on the desk lamp")
    answer = talk.answer(done(failed=["Desk Lamp"]))
    assert not answer.calls
    assert "Desk Lamp" in answer.text
    assert answer.trace.verification is None


def test_without_attempts_there_is_no_read(tmp_path: Path) -> None:
    answer = Conversation(waiting(tmp_path, attempts=0), "turn on the desk lamp").answer(done("Desk Lamp"))
    assert (answer.text, answer.trace.verification) == ("Turned on the light", "off")


def test_where_the_read_is_not_offered_there_is_none(pipeline: Pipeline) -> None:
    request = called("intent__HassTurnOn", {"name": "Desk Lamp", "domain": ["light"]})
    from tests.support.house import body

    sent = body(House(HOME), "turn on the desk lamp", request, result(wrapped(done("Desk Lamp"), "2026.11")))
    sent["tools"] = [t for t in sent["tools"] if "GetLiveContext" not in t["function"]["name"]]
    answer = pipeline.decide(sent)
    assert (answer.text, answer.trace.verification) == ("Turned on the light", "not_verifiable")


def test_an_area_is_read_as_a_whole_and_only_its_late_lamp_named(pipeline: Pipeline) -> None:
    talk = Conversation(pipeline, "turn on the lights in the bedroom")
    reading = talk.answer(done("Ceiling Light", "Bedside Lamp"))
    assert reading.calls[0][1] == {"domain": "light", "area": "Bedroom"}
    live = overview(("Ceiling Light", "light", "off"), ("Bedside Lamp", "light", "on"), area="Bedroom")
    answer = talk.read_all(live)
    assert answer.text.endswith("But Ceiling Light has not yet reported the new state.")


def test_bearers_of_one_name_are_told_apart_by_their_area(pipeline: Pipeline) -> None:
    talk = Conversation(pipeline, "turn on the lights in the bedroom", House(HOME, version="2026.2"))
    talk.answer(done("Ceiling Light", "Bedside Lamp"))
    here = overview(("Ceiling Light", "light", "on"), ("Bedside Lamp", "light", "on"), area="Bedroom")["result"]
    there = overview(("Ceiling Light", "light", "off"), area="Kids Room")["result"].split("\n", 1)[1]
    answer = talk.answer({"success": True, "result": here + there})
    assert answer.trace.verification == "confirmed"


def test_several_calls_are_verified_with_one_read(pipeline: Pipeline) -> None:
    talk = Conversation(pipeline, "turn on the desk lamp and close the garage door")
    reading = talk.latest
    while reading.actions:
        results = []
        for _, arguments in reading.calls:
            name, domain = arguments["name"], "cover" if arguments["name"] == "Garage Door" else "light"
            data = done(name)
            data["data"]["success"][0]["id"] = f"{domain}.x"
            results.append(data)
        reading = talk.answer(*results)
    assert [plain_name(n) for n, _ in reading.calls] == ["GetLiveContext"]
    assert reading.calls[0][1] == {}
    live = overview(("Desk Lamp", "light", "off"), ("Garage Door", "cover", "closing", {"current_position": "60"}))
    answer = talk.read_all(live)
    assert answer.text.endswith("But Desk Lamp has not yet reported the new state. Garage Door is still closing."), (
        answer.text
    )
    assert not answer.actions


@pytest.mark.parametrize(
    ("sentence", "target", "domain"),
    [
        ("activate the dinner scene", "Dinner", "scene"),
        ("start rosie", "Rosie", "vacuum"),
        ("add milk to my shopping list", "Shopping List", "todo"),
    ],
)
def test_what_no_state_shows_is_not_read(pipeline: Pipeline, sentence: str, target: str, domain: str) -> None:
    talk = Conversation(pipeline, sentence)
    data = done(target)
    data["data"]["success"][0]["id"] = f"{domain}.x"
    answer = talk.answer(data)
    assert not answer.calls
    assert answer.text.strip()
    assert answer.trace.verification == "not_verifiable"


def test_a_tool_that_lists_no_target_is_verified_by_its_name(pipeline: Pipeline) -> None:
    talk = Conversation(pipeline, "set the humidifier humidity to 50")
    assert talk.latest.actions, talk.latest.text
    answer = talk.answer(done())
    assert answer.calls[0][1] == {"name": "Humidifier"}
    live = overview(("Humidifier", "humidifier", "on", {"humidity": "45"}))
    assert "Humidifier has not yet" in talk.read_all(live).text


def test_a_read_that_failed_is_followed_by_one_of_everything(pipeline: Pipeline) -> None:
    talk = Conversation(pipeline, "turn on the desk lamp")
    talk.answer(done("Desk Lamp"))
    again = talk.answer({"error": "No exposed entities matched name 'Desk Lamp'"})
    assert again.calls == [("homeassistant__GetLiveContext", {})]
    answer = talk.read_all({"error": "No entities matched the provided filter"})
    assert (answer.text, answer.trace.verification) == ("Turned on the light", "unconfirmed")


def test_what_cannot_be_seen_is_not_spoken_against(pipeline: Pipeline) -> None:
    talk = Conversation(pipeline, "turn on the desk lamp")
    talk.answer(done("Desk Lamp"))
    answer = talk.answer(overview(("Something Else", "light", "off")))
    assert (answer.text, answer.trace.verification) == ("Turned on the light", "not_verifiable")


@pytest.mark.parametrize(("rounds", "reads"), [(7, True), (8, False), (9, False)])
def test_the_tenth_request_is_always_answered(tmp_path: Path, rounds: int, reads: bool) -> None:
    """`rounds` reads are in the history already: one more would be answered in request 10 or past it."""
    pipeline = waiting(tmp_path, attempts=10)
    messages: list[Any] = ["turn on the desk lamp", called("intent__HassTurnOn", {"name": "Desk Lamp"}, "act")]
    messages.append(result(wrapped(done("Desk Lamp"), "2026.11"), "act"))
    for number in range(rounds):
        messages.append(called("homeassistant__GetLiveContext", {"name": "Desk Lamp"}, f"read_{number}"))
        messages.append(result(wrapped(lamp("off"), "2026.11"), f"read_{number}"))
    decision = pipeline.say(House(HOME), *messages)
    assert bool(decision.calls) is reads
    assert reads or decision.text == "Turned on the light. But Desk Lamp has not yet reported the new state."


def test_calls_of_a_model_are_verified_too(pipeline: Pipeline) -> None:
    messages: list[Any] = ["make it cosy", called("intent__HassTurnOn", {"name": "Desk Lamp"})]
    messages.append(result(wrapped(done("Desk Lamp"), "2026.11")))
    reading = pipeline.say(House(HOME), *messages)
    assert [plain_name(n) for n, _ in reading.calls] == ["GetLiveContext"]
    for number in range(3):
        messages.append(called("homeassistant__GetLiveContext", {"name": "Desk Lamp"}, f"read_{number}"))
        messages.append(result(wrapped(lamp("off"), "2026.11"), f"read_{number}"))
    answer = pipeline.say(House(HOME), *messages)
    assert answer.text == "Done. But Desk Lamp has not yet reported the new state."


ACCEPTED: list[tuple[str, dict[str, Any], str, str, dict[str, Any], Verdict]] = [
    ("HassTurnOn", {}, "switch", "on", {}, Verdict.REACHED),
    ("HassTurnOn", {}, "switch", "off", {}, Verdict.PENDING),
    ("HassTurnOn", {}, "switch", "unknown", {}, Verdict.PENDING),
    ("HassTurnOn", {}, "switch", "unavailable", {}, Verdict.UNAVAILABLE),
    ("HassTurnOff", {}, "fan", "off", {}, Verdict.REACHED),
    ("HassTurnOff", {}, "input_boolean", "on", {}, Verdict.PENDING),
    ("HassTurnOn", {}, "humidifier", "on", {}, Verdict.REACHED),
    ("HassTurnOn", {}, "media_player", "idle", {}, Verdict.REACHED),
    ("HassTurnOn", {}, "media_player", "standby", {}, Verdict.PENDING),
    ("HassTurnOff", {}, "media_player", "standby", {}, Verdict.REACHED),
    ("HassTurnOff", {}, "media_player", "playing", {}, Verdict.PENDING),
    ("HassTurnOn", {}, "climate", "heat", {}, Verdict.REACHED),
    ("HassTurnOn", {}, "climate", "off", {}, Verdict.PENDING),
    ("HassTurnOff", {}, "climate", "off", {}, Verdict.REACHED),
    ("HassTurnOn", {}, "lock", "locked", {}, Verdict.REACHED),
    ("HassTurnOn", {}, "lock", "locking", {}, Verdict.UNDER_WAY),
    ("HassTurnOn", {}, "lock", "unlocked", {}, Verdict.PENDING),
    ("HassTurnOn", {}, "lock", "jammed", {}, Verdict.JAMMED),
    ("HassTurnOff", {}, "lock", "unlocked", {}, Verdict.REACHED),
    ("HassTurnOff", {}, "lock", "open", {}, Verdict.REACHED),
    ("HassTurnOff", {}, "lock", "unlocking", {}, Verdict.UNDER_WAY),
    ("HassTurnOff", {}, "lock", "locking", {}, Verdict.PENDING),
    ("HassTurnOn", {}, "cover", "open", {"current_position": "40"}, Verdict.REACHED),
    ("HassTurnOn", {}, "cover", "opening", {}, Verdict.UNDER_WAY),
    ("HassTurnOn", {}, "cover", "closing", {}, Verdict.PENDING),
    ("HassTurnOff", {}, "valve", "closed", {}, Verdict.REACHED),
    ("HassTurnOff", {}, "valve", "closing", {}, Verdict.UNDER_WAY),
    ("HassLightSet", {"brightness": 40}, "light", "on", {"brightness": "102"}, Verdict.REACHED),
    ("HassLightSet", {"brightness": 40}, "light", "on", {"brightness": 110, "brightness_pct": "43"}, Verdict.REACHED),
    ("HassLightSet", {"brightness": 40}, "light", "on", {"brightness_pct": "44"}, Verdict.PENDING),
    ("HassLightSet", {"brightness": 40}, "light", "off", {"brightness": None}, Verdict.PENDING),
    ("HassLightSet", {"brightness": 40}, "light", "on", {"brightness": None}, Verdict.UNSEEN),
    ("HassLightSet", {"brightness": 0}, "light", "off", {"brightness": None}, Verdict.REACHED),
    ("HassLightSet", {"color": "blue"}, "light", "on", {}, Verdict.REACHED),
    ("HassSetPosition", {"position": 40}, "cover", "open", {"current_position": "43"}, Verdict.REACHED),
    ("HassSetPosition", {"position": 40}, "cover", "open", {"current_position": "44"}, Verdict.PENDING),
    ("HassSetPosition", {"position": 40}, "cover", "opening", {"current_position": "10"}, Verdict.UNDER_WAY),
    ("HassSetPosition", {"position": 0}, "valve", "closed", {"current_position": "0"}, Verdict.REACHED),
    ("HassSetPosition", {"position": 40}, "cover", "open", {}, Verdict.UNSEEN),
    ("HassFanSetSpeed", {"percentage": 40}, "fan", "on", {"percentage": "50"}, Verdict.REACHED),
    ("HassFanSetSpeed", {"percentage": 50}, "fan", "on", {"percentage": "66"}, Verdict.REACHED),
    ("HassFanSetSpeed", {"percentage": 50}, "fan", "on", {"percentage": "33"}, Verdict.PENDING),
    ("HassFanSetSpeed", {"percentage": 50}, "fan", "on", {"percentage": "100"}, Verdict.PENDING),
    ("HassFanSetSpeed", {"percentage": 0}, "fan", "off", {}, Verdict.REACHED),
    ("HassClimateSetTemperature", {"temperature": 21.5}, "climate", "heat", {"temperature": 22}, Verdict.REACHED),
    ("HassClimateSetTemperature", {"temperature": 21}, "climate", "heat", {"temperature": "22.0"}, Verdict.PENDING),
    ("HassClimateSetTemperature", {"temperature": 21}, "climate", "off", {}, Verdict.UNSEEN),
    ("HassHumidifierSetpoint", {"humidity": 50}, "humidifier", "on", {"humidity": "50"}, Verdict.REACHED),
    ("HassSetVolume", {"volume_level": 30}, "media_player", "playing", {"volume_level": 0.3}, Verdict.REACHED),
    ("HassSetVolume", {"volume_level": 30}, "media_player", "playing", {"volume_level": "0.4"}, Verdict.PENDING),
    ("HassSetVolume", {"volume_level": "30"}, "media_player", "off", {}, Verdict.UNSEEN),
    ("HassMediaPause", {}, "media_player", "paused", {}, Verdict.REACHED),
    ("HassMediaPause", {}, "media_player", "playing", {}, Verdict.PENDING),
    ("HassMediaUnpause", {}, "media_player", "playing", {}, Verdict.REACHED),
    ("HassMediaPlayerMute", {}, "media_player", "playing", {}, Verdict.UNSEEN),
    ("HassMediaPlayerMute", {}, "media_player", "playing", {"is_volume_muted": "True"}, Verdict.REACHED),
    ("HassMediaPlayerUnmute", {}, "media_player", "playing", {"is_volume_muted": True}, Verdict.PENDING),
]


@pytest.mark.parametrize(("tool", "arguments", "domain", "state", "attributes", "verdict"), ACCEPTED)
def test_each_kind_has_its_state(
    tool: str, arguments: dict[str, Any], domain: str, state: str, attributes: dict[str, Any], verdict: Verdict
) -> None:
    want = wanted(tool, arguments, domain)
    assert want is not None
    assert want.judge(Entity(("X",), domain, state=state, attributes=attributes)) is verdict
    assert str(want)


@pytest.mark.parametrize(
    ("tool", "arguments", "domain"),
    [
        ("HassTurnOn", {}, "scene"),
        ("HassTurnOn", {}, "script"),
        ("HassTurnOn", {}, "button"),
        ("HassVacuumStart", {}, "vacuum"),
        ("HassLawnMowerStartMowing", {}, "lawn_mower"),
        ("HassListAddItem", {"item": "milk"}, "todo"),
        ("HassStartTimer", {"minutes": 5}, ""),
        ("HassMediaNext", {}, "media_player"),
        ("HassSetVolumeRelative", {"volume_step": "up"}, "media_player"),
        ("HassClimateSetTemperature", {"temperature": "nan"}, "climate"),
        ("HassSetPosition", {}, "cover"),
    ],
)
def test_what_is_not_verified(tool: str, arguments: dict[str, Any], domain: str) -> None:
    assert wanted(tool, arguments, domain) is None


def test_the_later_of_two_calls_on_one_target_counts() -> None:
    lamp_on = read_result(json.dumps(done("Desk Lamp")))
    calls = [
        Done(ToolCall("a", "HassTurnOn", {"name": "Desk Lamp"}), lamp_on),
        Done(ToolCall("b", "HassTurnOff", {"name": "Desk Lamp"}), lamp_on),
    ]
    (goal,) = goals_of(calls, {})
    assert str(goal.want) == "off"


def test_two_of_one_name_in_one_area_must_both_be_there() -> None:
    twins = (Entity(("Spot",), "light", ("Hall",)), Entity(("Spot",), "light", ("Hall",)))
    goals = goals_of([Done(ToolCall("a", "HassTurnOn", {}), read_result(json.dumps(done("Spot", "Spot"))), twins)], {})
    one_late = read_result(json.dumps(overview(("Spot", "light", "on"), ("Spot", "light", "off"), area="Hall")))
    assert {f.verdict for f in examine(goals, one_late)} == {Verdict.PENDING}


def test_a_renamed_target_is_found_by_what_the_prompt_calls_it() -> None:
    known = Entity(("Reading Lamp",), "light", ("Hall",))
    (goal,) = goals_of([Done(ToolCall("a", "HassTurnOn", {}), read_result(json.dumps(done("Lamp 7"))), (known,))], {})
    (finding,) = examine([goal], read_result(json.dumps(overview(("Reading Lamp", "light", "on"), area="Hall"))))
    assert finding.verdict is Verdict.REACHED


@pytest.mark.parametrize("junk", [None, 7, "text", [], {"response_type": "action_done"}, {"data": 1}])
def test_a_result_of_another_form_has_no_goals(junk: Any) -> None:
    assert goals_of([Done(ToolCall("a", "HassTurnOn", {}), ToolResult(junk))], {}) == ()


def test_many_late_targets_are_counted_not_dropped() -> None:
    want = wanted("HassTurnOn", {}, "light")
    assert want is not None
    late = [Finding(Goal(Entity((f"Lamp {n}",), "light"), want), Verdict.PENDING, "off") for n in range(8)]
    text = spoken("Turned on the lights", late, "en")
    assert text.startswith("Turned on the lights. But Lamp 0, Lamp 1, Lamp 2, Lamp 3 and 4 more have not")


def context(*items: tuple[str, str, str]) -> dict[str, Any]:
    return {"entities": [{"name": name, "domain": domain, "state": state} for name, domain, state in items]}


@pytest.mark.parametrize(
    ("told", "reads"),
    [
        ([("Kitchen Ceiling", "light", "on")], False),
        ([("Kitchen Ceiling", "light", "off")], True),
        ([("Counter Lights", "light", "on")], True),
        ([], True),
    ],
)
def test_states_that_the_client_tells_spare_the_read(
    tmp_path: Path, told: list[tuple[str, str, str]], reads: bool
) -> None:
    house = House((thing("Kitchen Ceiling", "light", "Kitchen"), thing("Counter Lights", "light", "Kitchen")))
    arguments = {"name": "Kitchen Ceiling", "domain": ["light"]}
    decision = waiting(tmp_path).say(
        house,
        "turn on the kitchen ceiling",
        called("intent__HassTurnOn", arguments),
        result(done("Kitchen Ceiling")),
        ha_context=context(*told),
    )
    assert bool(decision.calls) is reads
    assert decision.trace.verification == ("reading" if reads else "known")


def lamp_turned(state: str, identity: str) -> list[Any]:
    """A turn that Home Assistant itself has answered."""
    name = "HassTurnOn" if state == "on" else "HassTurnOff"
    return [
        f"turn {state} the desk lamp",
        called(name, {"name": "Desk Lamp"}, identity),
        result(done("Desk Lamp"), identity),
        {"role": "assistant", "content": "Done"},
    ]


@pytest.mark.parametrize(("before", "reads"), [("on", 2), ("off", 1)])
def test_after_an_opposite_action_of_another_the_state_is_waited_for_once(
    pipeline: Pipeline, before: str, reads: int
) -> None:
    talk = Conversation(pipeline, "turn off the desk lamp")
    talk.messages[:0] = lamp_turned(before, "theirs")
    talk.answer(done("Desk Lamp"))
    read = 0
    while talk.latest.calls:
        read += 1
        talk.answer(lamp("off"))
    assert (read, talk.latest.trace.verification) == (reads, "confirmed")


def test_a_state_from_before_an_opposite_action_that_was_not_reported_proves_nothing(pipeline: Pipeline) -> None:
    talk = Conversation(pipeline, "turn on the desk lamp")
    talk.answer(done("Desk Lamp"))
    assert talk.read_all(lamp("off")).trace.verification == "unconfirmed"
    talk.messages += [{"role": "assistant", "content": talk.latest.text}, "turn off the desk lamp"]
    talk.latest = talk._ask()
    talk.answer(done("Desk Lamp"))
    answer = talk.read_all(lamp("off"))
    assert answer.trace.verification == "unconfirmed"
    assert "has not yet reported" in answer.text
    assert answer.trace.sections["ha_verify"]["targets"][0]["stale"] is True


def test_a_state_that_was_seen_to_change_is_no_state_from_before(pipeline: Pipeline) -> None:
    talk = Conversation(pipeline, "turn on the desk lamp")
    talk.answer(done("Desk Lamp"))
    assert talk.read_all(lamp("off")).trace.verification == "unconfirmed"
    talk.messages += [{"role": "assistant", "content": talk.latest.text}, "turn off the desk lamp"]
    talk.latest = talk._ask()
    talk.answer(done("Desk Lamp"))
    talk.answer(lamp("off"))
    talk.answer(lamp("on"))
    answer = talk.answer(lamp("off"))
    assert (answer.calls, answer.trace.verification) == ([], "confirmed")


def test_two_actions_on_one_device_in_one_turn_need_two_reports(pipeline: Pipeline) -> None:
    talk = Conversation(pipeline, "make it cosy")
    for tool in ("HassTurnOn", "HassTurnOff"):
        talk.messages += [called(f"intent__{tool}", {"name": "Desk Lamp"}, tool), result(done("Desk Lamp"), tool)]
    talk.latest = talk._ask()
    assert talk.latest.calls, "the state is read"
    assert talk.read_all(lamp("off")).trace.verification == "unconfirmed"


def test_an_action_that_no_state_can_show_makes_the_next_ones_state_not_doubtful(pipeline: Pipeline) -> None:
    talk = Conversation(pipeline, "set the desk lamp to 40 percent")
    talk.answer(done("Desk Lamp"))
    assert talk.answer(lamp("on")).trace.verification == "not_verifiable"
    talk.messages += [{"role": "assistant", "content": talk.latest.text}, "turn off the desk lamp"]
    talk.latest = talk._ask()
    talk.answer(done("Desk Lamp"))
    assert talk.answer(lamp("off")).trace.verification == "confirmed"


def test_the_read_before_the_action_shows_that_the_state_has_changed_since(pipeline: Pipeline) -> None:
    talk = Conversation(pipeline, "set the desk lamp to 40 percent")
    talk.answer(done("Desk Lamp"))
    assert talk.read_all(lamp("on", brightness=255)).trace.verification == "unconfirmed"
    talk.messages += [{"role": "assistant", "content": talk.latest.text}, "turn off the desk lamp"]
    talk.latest = talk._ask()
    talk.answer(done("Desk Lamp"))
    assert talk.answer(lamp("off")).trace.verification == "confirmed"
