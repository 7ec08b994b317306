"""A taught sentence does what was chosen for it, in its own words alone, and through the gate."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from ha_assist_addon.backends.base import ToolForm
from ha_assist_addon.taught.lessons import Lessons
from ha_assist_addon.taught.model import TaughtFile
from ha_assist_addon.turn.outcome import Reason
from tests.support.fake_backend import FakeBackend, FakeModels, makes
from tests.support.house import Decision, House, Pipeline, body, called, done, result, thing

HOME = House(
    (
        thing("Floor Lamp", "light", "Living Room"),
        thing("Ceiling Light", "light", "Living Room"),
        thing("Ceiling Light", "light", "Bedroom"),
        thing("Front Door", "lock", "Hall"),
        thing("Garage Door", "cover", "Garage"),
        thing("Blinds", "cover", "Living Room"),
        thing("Radio", "media_player", "Kitchen"),
        thing("Heating", "climate", "Living Room"),
    ),
    satellite="Living Room",
)
LAMP = {"name": "Floor Lamp", "domain": "light", "area": "Living Room"}
DOOR = {"name": "Front Door", "domain": "lock", "area": "Hall"}


@pytest.fixture
def pipeline(tmp_path: Path) -> Pipeline:
    return Pipeline(tmp_path, "en", verify=0)


def teach(pipeline: Pipeline, *sentences: dict[str, Any], aliases: tuple[dict[str, Any], ...] = ()) -> None:
    """Put lessons in force, each with an id of its own."""
    file = TaughtFile.model_validate(
        {
            "sentences": [{"id": f"{n:08x}", **one} for n, one in enumerate(sentences)],
            "aliases": [{"id": f"a{n:07x}", **one} for n, one in enumerate(aliases)],
        }
    )
    pipeline.services.taught.save(Lessons(file), expected_revision=pipeline.services.taught.revision)


def ask(pipeline: Pipeline, *messages: Any) -> Decision:
    return pipeline.decide(body(HOME, *messages))


def movie(act: str, **more: Any) -> dict[str, Any]:
    return {"sentence": "Movie night", "target": LAMP, "does": {"act": act, **more}}


def test_the_whole_sentence_does_it_and_no_part_of_another(pipeline: Pipeline) -> None:
    assert ask(pipeline, "Movie night").actions == []
    teach(pipeline, movie("set", quantity="brightness", amount=20))
    for said in ("Movie night", "movie  NIGHT!", "Movie night."):
        decision = ask(pipeline, said)
        assert decision.actions == [("HassLightSet", {"name": "Floor Lamp", "domain": ["light"], "brightness": 20})], (
            said
        )
        assert decision.trace.reason == Reason.TAUGHT
    for said in ("It was movie night", "No movie night", "Movie night and movie night", "Movie night?", "Movie nights"):
        assert ask(pipeline, said).actions == [], said


def several(act: str, *targets: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"sentence": "Movie night", "targets": list(targets), "does": {"act": act, **more}}


BLINDS = {"name": "Blinds", "domain": "cover", "area": "Living Room"}
RADIO = {"name": "Radio", "domain": "media_player", "area": "Kitchen"}
GARAGE = {"name": "Garage Door", "domain": "cover", "area": "Garage"}
LIVING_ROOM = {"domain": "light", "area": "Living Room"}


def test_one_action_is_done_with_each_of_several_targets(pipeline: Pipeline) -> None:
    teach(pipeline, several("off", LAMP, RADIO, {"domain": "light", "area": "Bedroom"}))
    decision = ask(pipeline, "movie night!")
    assert decision.trace.reason == Reason.TAUGHT
    assert {(name, str(one.get("name") or one["area"])) for name, one in decision.actions} == {
        ("HassTurnOff", "Floor Lamp"),
        ("HassTurnOff", "Radio"),
        ("HassTurnOff", "Bedroom"),
    }
    for said in ("No movie night", "Movie night and movie night"):
        assert ask(pipeline, said).actions == [], said


def test_what_two_targets_share_is_done_once(pipeline: Pipeline) -> None:
    teach(pipeline, several("on", LAMP, LIVING_ROOM))
    [(name, arguments)] = ask(pipeline, "Movie night").actions
    assert (name, arguments["area"]) == ("HassTurnOn", "Living Room")


def test_several_results_end_the_turn(pipeline: Pipeline) -> None:
    teach(pipeline, several("off", LAMP, RADIO))
    made = [called(f"intent__{name}", dict(one), f"call_{n}") for n, (name, one) in enumerate(_off(pipeline))]
    first = ask(pipeline, "Movie night", made[0], result(done("Floor Lamp"), "call_0"))
    assert [one.get("name") for _, one in first.actions] == ["Radio"]
    last = ask(
        pipeline,
        "Movie night",
        made[0],
        result(done("Floor Lamp"), "call_0"),
        made[1],
        result(done("Radio"), "call_1"),
    )
    assert last.actions == []
    assert last.text


def _off(pipeline: Pipeline) -> list[tuple[str, dict[str, Any]]]:
    return ask(pipeline, "Movie night").actions


def test_values_of_several_are_read_before_they_change(pipeline: Pipeline) -> None:
    teach(pipeline, several("toggle", LAMP, RADIO))
    decision = ask(pipeline, "Movie night")
    assert [name for name, _ in decision.calls] == ["homeassistant__GetLiveContext"]
    assert decision.actions == []


def test_where_one_of_several_is_missing_nothing_is_done(pipeline: Pipeline) -> None:
    teach(pipeline, several("off", LAMP, {"name": "Gone", "domain": "light", "area": "Hall"}))
    decision = ask(pipeline, "Movie night")
    assert decision.actions == []
    assert "Gone" in decision.text


def test_what_opens_the_home_is_never_one_of_several(pipeline: Pipeline) -> None:
    teach(pipeline, several("open", BLINDS, GARAGE))
    decision = ask(pipeline, "Movie night")
    assert decision.calls == []
    assert ask(pipeline, "Movie night", decision.text, "Yes").calls == []
    teach(pipeline, several("close", BLINDS, GARAGE))
    assert [one["name"] for _, one in ask(pipeline, "Movie night").actions] == ["Blinds", "Garage Door"]


@pytest.mark.parametrize("targets", [[LAMP], [LAMP, LAMP], [LAMP] * 13])
def test_several_targets_are_two_to_twelve_different_ones(targets: list[dict[str, Any]]) -> None:
    with pytest.raises(ValidationError):
        TaughtFile.model_validate({"sentences": [{"id": "00000000", **several("off", *targets)}]})


def test_its_result_ends_the_turn(pipeline: Pipeline) -> None:
    teach(pipeline, movie("off"))
    off = called("intent__HassTurnOff", {"name": "Floor Lamp", "domain": ["light"]})
    decision = ask(pipeline, "Movie night", off, result(done("Floor Lamp")))
    assert decision.calls == []
    assert decision.text


def test_what_was_read_wrong_is_read_as_taught(pipeline: Pipeline) -> None:
    assert ask(pipeline, "Turn on the light in the bedroom").actions[0][1] != {"name": "Floor Lamp"}
    teach(pipeline, {"sentence": "Turn on the light in the bedroom", "target": LAMP, "does": {"act": "toggle"}})
    decision = ask(pipeline, "Turn on the light in the bedroom")
    assert [name for name, _ in decision.calls] == ["homeassistant__GetLiveContext"]
    assert decision.actions == []


def test_a_guard_word_in_a_taught_sentence_is_meant(pipeline: Pipeline) -> None:
    teach(pipeline, {"sentence": "I can not see a thing", "target": LAMP, "does": {"act": "on"}})
    assert ask(pipeline, "I can not see a thing").actions == [
        ("HassTurnOn", {"name": "Floor Lamp", "domain": ["light"]})
    ]


@pytest.mark.parametrize(
    ("target", "act", "intent"),
    [
        (DOOR, {"act": "unlock"}, "HassTurnOff"),
        ({"name": "Garage Door", "domain": "cover", "area": "Garage"}, {"act": "open"}, "HassTurnOn"),
        (
            {"name": "Garage Door", "domain": "cover", "area": "Garage"},
            {"act": "set", "quantity": "position", "amount": 80},
            "HassSetPosition",
        ),
    ],
)
def test_what_opens_the_home_is_asked_first(
    pipeline: Pipeline, target: dict[str, Any], act: dict[str, Any], intent: str
) -> None:
    teach(pipeline, {"sentence": "I am home", "target": target, "does": act})
    asked = ask(pipeline, "I am home")
    assert asked.actions == []
    assert str(target["name"]).casefold() in asked.text.casefold()
    answer = {"role": "assistant", "content": asked.text}
    assert [name for name, _ in ask(pipeline, "I am home", answer, "yes").actions] == [intent]
    assert ask(pipeline, "I am home", answer, "no").actions == []


def test_locking_is_not_asked(pipeline: Pipeline) -> None:
    teach(pipeline, {"sentence": "Good night all", "target": DOOR, "does": {"act": "lock"}})
    assert [name for name, _ in ask(pipeline, "Good night all").actions] == ["HassTurnOn"]


def test_of_two_devices_of_one_name_the_chosen_one_is_meant(pipeline: Pipeline) -> None:
    bedroom = {"name": "Ceiling Light", "domain": "light", "area": "Bedroom"}
    teach(pipeline, {"sentence": "Reading time", "target": bedroom, "does": {"act": "on"}})
    [(_, arguments)] = ask(pipeline, "Reading time").actions
    assert (arguments["name"], arguments["area"]) == ("Ceiling Light", "Bedroom")


def test_all_of_a_kind_in_one_area(pipeline: Pipeline) -> None:
    teach(
        pipeline,
        {"sentence": "Movie night", "target": {"domain": "light", "area": "Living Room"}, "does": {"act": "off"}},
    )
    [(name, arguments)] = ask(pipeline, "Movie night").actions
    assert name == "HassTurnOff"
    assert (arguments["area"], arguments["domain"]) == ("Living Room", ["light"])


def test_a_target_that_is_gone_lets_no_other_reading_take_its_place(pipeline: Pipeline) -> None:
    gone = {"name": "Old Lamp", "domain": "light", "area": "Living Room"}
    teach(pipeline, {"sentence": "Turn on the floor lamp", "target": gone, "does": {"act": "on"}})
    decision = ask(pipeline, "Turn on the floor lamp")
    assert decision.actions == []
    assert "Old Lamp" in decision.text


def test_what_the_offered_tools_cannot_do_is_not_done(pipeline: Pipeline) -> None:
    teach(pipeline, {"sentence": "Movie night", "target": DOOR, "does": {"act": "toggle"}})
    assert ask(pipeline, "Movie night").calls == []
    teach(pipeline, movie("set", quantity="volume", amount=20))
    assert ask(pipeline, "Movie night").calls == []
    teach(
        pipeline, {"sentence": "Movie night", "target": {"domain": "lock", "area": "Hall"}, "does": {"act": "unlock"}}
    )
    assert ask(pipeline, "Movie night").calls == []


def test_left_to_the_model(pipeline: Pipeline) -> None:
    assert ask(pipeline, "Turn on the floor lamp").actions
    teach(pipeline, {"sentence": "Turn on the floor lamp", "model": True})
    decision = ask(pipeline, "Turn on the floor lamp")
    assert decision.actions == []
    assert decision.trace.reason == Reason.TAUGHT_MODEL


def test_an_open_question_is_answered_first(pipeline: Pipeline) -> None:
    teach(pipeline, {"sentence": "yes", "target": LAMP, "does": {"act": "off"}})
    asked = ask(pipeline, "Open the garage door and unlock the front door")
    answer = {"role": "assistant", "content": asked.text}
    names = {
        a.get("name") for _, a in ask(pipeline, "Open the garage door and unlock the front door", answer, "yes").actions
    }
    assert "Floor Lamp" not in names


BEACON = {"alias": "Beacon", "of": {"name": "Floor Lamp", "domain": "light", "area": "Living Room"}}


def test_a_taught_name_is_understood_and_home_assistant_hears_its_own(pipeline: Pipeline) -> None:
    assert ask(pipeline, "Turn on the beacon").actions == []
    teach(pipeline, aliases=(BEACON,))
    for said in ("Turn on the beacon", "set the beacon to 30 percent", "Beacon off", "turn on the becon"):
        decision = ask(pipeline, said)
        assert [a["name"] for _, a in decision.actions] == ["Floor Lamp"], said
    off = called("intent__HassTurnOff", {"name": "Floor Lamp", "domain": ["light"]})
    assert ask(pipeline, "Beacon off", off, result(done("Floor Lamp"))).calls == []


def test_a_question_about_a_taught_name_is_answered(pipeline: Pipeline) -> None:
    teach(pipeline, aliases=(BEACON,))
    asked = ask(pipeline, "Is the beacon on?")
    [(name, arguments)] = asked.calls
    states = "Live Context:\n- names: Floor Lamp\n  domain: light\n  state: 'on'\n  areas: Living Room\n"
    read = called(name, arguments)
    answered = ask(pipeline, "Is the beacon on?", read, result({"success": True, "result": states}))
    assert answered.calls == []
    assert answered.text.startswith("Yes")


def test_a_taught_name_of_one_of_two_that_are_called_alike(pipeline: Pipeline) -> None:
    bedroom = {"name": "Ceiling Light", "domain": "light", "area": "Bedroom"}
    teach(pipeline, aliases=({"alias": "Moonshine", "of": bedroom},))
    [(_, arguments)] = ask(pipeline, "Turn on moonshine").actions
    assert (arguments["name"], arguments["area"]) == ("Ceiling Light", "Bedroom")


def test_a_taught_name_of_an_area(pipeline: Pipeline) -> None:
    teach(pipeline, aliases=({"alias": "Snug", "of": {"name": "Living Room"}},))
    [(_, arguments)] = ask(pipeline, "Turn off the lights in the snug").actions
    assert arguments["area"] == "Living Room"


def test_a_taught_name_never_takes_the_place_of_a_name_of_the_home(pipeline: Pipeline) -> None:
    teach(pipeline, aliases=({"alias": "Radio", "of": BEACON["of"]}, {"alias": "bedroom", "of": BEACON["of"]}))
    assert [a["name"] for _, a in ask(pipeline, "Turn on the radio").actions] == ["Radio"]
    [(_, arguments)] = ask(pipeline, "Turn on the lights in the bedroom").actions
    assert "Floor Lamp" not in arguments.values()


def test_unlocking_by_a_taught_name_needs_the_word(pipeline: Pipeline) -> None:
    teach(pipeline, aliases=({"alias": "Gatekeeper", "of": DOOR},))
    assert ask(pipeline, "gatekeeper").actions == []
    assert [name for name, _ in ask(pipeline, "Unlock the gatekeeper").actions] == ["HassTurnOff"]


def test_a_question_about_a_taught_area_is_answered(pipeline: Pipeline) -> None:
    teach(pipeline, aliases=({"alias": "Snug", "of": {"name": "Living Room"}},))
    asked = ask(pipeline, "Are the lights on in the snug?")
    [(name, arguments)] = asked.calls
    assert arguments["area"] == "Living Room"
    states = "Live Context:\n- names: Floor Lamp\n  domain: light\n  state: 'on'\n  areas: Living Room\n"
    answered = ask(pipeline, "Are the lights on in the snug?", called(name, arguments), result({"result": states}))
    assert answered.text.startswith("Yes")


def test_what_moves_by_a_step_is_read_first(pipeline: Pipeline) -> None:
    teach(pipeline, movie("down", quantity="brightness"))
    [(name, arguments)] = ask(pipeline, "Movie night").calls
    states = (
        "Live Context:\n- names: Floor Lamp\n  domain: light\n  state: 'on'\n  areas: Living Room\n"
        "  attributes:\n    brightness: '128'\n"
    )
    moved = ask(pipeline, "Movie night", called(name, arguments), result({"success": True, "result": states}))
    [(intent, sent)] = moved.actions
    assert intent == "HassLightSet"
    assert sent["brightness"] < 50


SCRIPT = {"name": "script__bed_time", "description": "Aliases: ['Bed time']", "parameters": {"type": "object"}}


def test_a_script_is_run(pipeline: Pipeline) -> None:
    house = replace(HOME, extra_tools=(SCRIPT,))
    teach(
        pipeline, {"sentence": "Off we go", "target": {"name": "Bed time", "domain": "script"}, "does": {"act": "on"}}
    )
    assert pipeline.say(house, "Off we go").calls == [("script__bed_time", {})]
    assert ask(pipeline, "Off we go").calls == []


def test_all_covers_of_an_area_are_asked_about_before_they_open(pipeline: Pipeline) -> None:
    house = replace(HOME, things=(*HOME.things, thing("Awning", "cover", "Living Room")))
    target = {"domain": "cover", "area": "Living Room"}
    teach(pipeline, {"sentence": "Let the sun in", "target": target, "does": {"act": "open"}})
    asked = pipeline.say(house, "Let the sun in")
    assert asked.actions == []
    assert asked.text.endswith("?")


def test_one_of_many_is_found_by_all_of_its_words(pipeline: Pipeline) -> None:
    teach(pipeline, *({"sentence": f"sentence {'very ' * 30}{n}", "model": True} for n in range(500)))
    assert pipeline.services.taught.current.find(f"Sentence {'very ' * 30}499") is not None
    assert pipeline.services.taught.current.find("sentence") is None


@pytest.mark.parametrize("form", list(ToolForm))
def test_a_model_that_uses_a_taught_name_calls_the_device_by_its_own(pipeline: Pipeline, form: ToolForm) -> None:
    teach(pipeline, {"sentence": "Turn on the beacon", "model": True}, aliases=(BEACON,))
    arguments = {"name": "Beacon", "domain": ["light"]}
    script = (
        [makes("intent__HassTurnOn", **arguments)]
        if form is ToolForm.NATIVE
        else [json.dumps({"calls": [{"tool": "HassTurnOn", "args": arguments}]})]
    )
    pipeline.services = replace(pipeline.services, backends=FakeModels(FakeBackend([script], form)))  # type: ignore[arg-type]
    decision = ask(pipeline, "Turn on the beacon")
    assert [(name, a["name"]) for name, a in decision.actions] == [("HassTurnOn", "Floor Lamp")]


def test_a_model_is_asked_about_what_was_left_to_it_and_acts_on_no_more_than_was_said(pipeline: Pipeline) -> None:
    teach(pipeline, {"sentence": "Movie night", "model": True})
    unlock = makes("intent__HassTurnOff", name="Front Door", domain=["lock"])
    model = FakeBackend([[unlock]], ToolForm.NATIVE)
    pipeline.services = replace(pipeline.services, backends=FakeModels(model))  # type: ignore[arg-type]
    assert ask(pipeline, "Movie night").actions == []
    assert len(model.seen) == 1
