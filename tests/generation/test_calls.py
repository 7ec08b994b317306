"""What of a model's answer is let through: calls that the person's words carry, and no claims."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ha_assist_addon.backends.base import ToolForm
from ha_assist_addon.conversation import ChatRequest, ToolCall
from ha_assist_addon.generation.grounds import Grounds
from ha_assist_addon.generation.question import Question
from ha_assist_addon.generation.resolve import resolve
from ha_assist_addon.generation.validate import Ruling, Verdict, validate_all
from ha_assist_addon.home.catalogue import HomeCache
from ha_assist_addon.home.request_home import read_request_home
from ha_assist_addon.prompt.handles import Handles
from ha_assist_addon.reading.understand import common_words
from ha_assist_addon.turn.history import read_turn
from ha_assist_addon.turn.outcome import Reason
from ha_assist_addon.wire.chat import parse_chat
from tests.generation.conftest import HOUSE
from tests.support.fake_backend import FakeBackend, FakeModels, makes
from tests.support.house import Decision, House, Pipeline, Version, body, called, result, thing

COMFORT = "make the living room more comfortable"
WISH = "I would like to get in at the front"
WISHED = ("HassTurnOff", {"name": "Front Door"})


def calls(*made: tuple[str, dict[str, Any]]) -> str:
    return json.dumps({"calls": [{"tool": tool, "args": args} for tool, args in made]})


def judged(plain: Pipeline, sentence: str, made: tuple[str, dict[str, Any]]) -> Verdict:
    """The verdict on a call, also where the sentence would never come to a model."""
    request = parse_chat(body(HOUSE, sentence)).chat
    house, turn = read_request_home(request, HomeCache()), read_turn(request.messages)
    common = common_words(plain.services.grammars, "en")
    grounds = Grounds(Question(request, turn, "en", Reason.NOT_RECOGNISED, house, (), common), house)
    handles = Handles.of(house.home, house.home.entities, house.home.areas)
    return validate_all([resolve(ToolCall("1", *made), house.toolbox, handles)], grounds)[0]


def verdict(decision: Decision) -> Any:
    return decision.trace.metrics()["ha_validation"]["verdict"]


@pytest.mark.parametrize("form", [ToolForm.JSON, ToolForm.TEXT])
def test_ids_become_names_and_plain_tools_become_offered_ones(
    asking: Pipeline, model: FakeBackend, form: ToolForm
) -> None:
    model.form = form

    def by_id(request: ChatRequest) -> list[str]:
        handle = next(line.split()[0] for line in request.messages[0].text.splitlines() if "Floor Lamp /" in line)
        return [calls(("HassLightSet", {"name": handle, "brightness": "40%"}))]

    model.scripts = [by_id]
    decision = asking.say(HOUSE, "grant the floor lamp 40 percent")
    assert decision.calls == [("light__HassLightSet", {"name": "Floor Lamp", "brightness": 40})]
    assert verdict(decision) == "accepted"
    assert [f.reason for f in decision.finishes] == ["tool_calls"]
    assert decision.trace.inference_calls == 1


def test_native_calls_pass_too(asking: Pipeline, model: FakeBackend) -> None:
    model.form = ToolForm.NATIVE
    model.scripts = [[makes("light__HassLightSet", name="floor lamp", brightness=30)]]
    decision = asking.say(HOUSE, "grant the floor lamp thirty percent")
    assert decision.calls == [("light__HassLightSet", {"name": "Floor Lamp", "brightness": 30})]


def test_a_name_that_two_bear_is_told_apart_by_its_area(asking: Pipeline, model: FakeBackend) -> None:
    house = House((thing("Ceiling", "light", "Bedroom"), thing("Ceiling", "light", "Kids Room")))

    def second(request: ChatRequest) -> list[str]:
        line = next(line for line in request.messages[0].text.splitlines() if "Kids Room)" in line)
        return [calls(("HassLightSet", {"name": line.split()[0], "brightness": 20}))]

    model.scripts = [second]
    decision = asking.say(house, "grant the ceiling in the kids room 20 percent")
    assert decision.calls == [("light__HassLightSet", {"name": "Ceiling", "brightness": 20, "area": "Kids Room"})]


@pytest.mark.parametrize(
    ("sentence", "made", "why"),
    [
        (COMFORT, ("HassFly", {}), "no offered tool"),
        (COMFORT, ("HassLightSet", {"name": "Floor Lamp", "brightness": 400}), "brightness"),
        (COMFORT, ("HassLightSet", {"name": "Floor Lamp", "mood": "nice"}), "takes no mood"),
        (COMFORT, ("HassLightSet", {"name": "Lava Lamp", "brightness": 40}), "nothing in the home fits"),
        (COMFORT, ("HassTurnOn", {"name": "Outside Temperature"}), "nothing there can be switched"),
        (COMFORT, ("HassLightSet", {"brightness": 40}), "does not speak of"),
        ("is the floor lamp any good for reading", ("HassTurnOn", {"name": "Floor Lamp"}), "question"),
        ("do not let the floor lamp shine", ("HassTurnOn", {"name": "Floor Lamp"}), "negation"),
        ("give me the floor lamp if it rains", ("HassTurnOn", {"name": "Floor Lamp"}), "condition"),
        ("give me the floor lamp tomorrow morning", ("HassTurnOn", {"name": "Floor Lamp"}), "schedule"),
        ("somebody said the floor lamp was nice", ("HassTurnOn", {"name": "Floor Lamp"}), "past|reported"),
        ("let the floor lamp go off somehow", ("HassTurnOn", {"name": "Floor Lamp"}), "hold|something else"),
        (
            "please have the floor lamp shine with 40",
            ("HassLightSet", {"name": "Floor Lamp", "brightness": 70}),
            "number",
        ),
        ("please have the floor lamp shine with 40", ("HassTurnOn", {"name": "Floor Lamp"}), "number"),
        (
            "make all the lights cosy except the desk lamp",
            ("HassLightSet", {"name": "Desk Lamp", "brightness": 30}),
            "leaves out",
        ),
    ],
)
def test_refused(
    asking: Pipeline, model: FakeBackend, sentence: str, made: tuple[str, dict[str, Any]], why: str
) -> None:
    model.scripts = [[calls(made)]]
    decision = asking.say(HOUSE, sentence)
    assert decision.trace.inference_calls == 1
    assert decision.calls == []
    assert verdict(decision) == "rejected"
    reason = decision.trace.metrics()["ha_validation"]["calls"][0]["why"]
    assert any(part in reason for part in why.split("|")), reason
    assert decision.text == "I didn't do that: what the language model wanted does not fit what you said."


@pytest.mark.parametrize(
    ("sentence", "made", "why"),
    [
        (COMFORT, ("HassTurnOff", {"name": "Front Door"}), "something else|does not speak of"),
        (COMFORT, ("HassTurnOn", {"name": "Garage Door"}), "does not speak of"),
        (COMFORT, ("HassLightSet", {"name": "Desk Lamp", "brightness": 30}), "does not speak of"),
        ("tell a joke", ("HassTurnOff", {"name": "Coffee Machine"}), "does not speak of"),
        ("I want the desk lamp aglow", ("HassTurnOff", {"name": "Coffee Machine"}), "does not speak of"),
        ("please see that the garage door is shut", ("HassTurnOn", {"name": "Garage Door"}), "something else"),
        ("dim the desk lamp a bit", ("HassLightSet", {"name": "Desk Lamp", "brightness": 100}), "direction"),
        ("let the desk lamp shine", ("HassLightSet", {"name": "Desk Lamp"}), "sets nothing"),
        (
            "set the desk lamp to twenty-one percent",
            ("HassLightSet", {"name": "Desk Lamp", "brightness": 65}),
            "number",
        ),
        ("make the desk lamp blue", ("HassLightSet", {"name": "Desk Lamp", "color": "red"}), "colour"),
        (
            "make the tv louder",
            ("HassSetVolumeRelative", {"name": "Living Room TV", "volume_step": "down"}),
            "direction",
        ),
        ("turn off everything in the living room", ("HassTurnOff", {"name": "Coffee Machine"}), "does not speak of"),
        ("turn off all lights apart from the desk lamp", ("HassTurnOff", {"name": "Desk Lamp"}), "leaves out"),
    ],
)
def test_refused_by_the_words(plain: Pipeline, sentence: str, made: tuple[str, dict[str, Any]], why: str) -> None:
    verdict = judged(plain, sentence, made)
    assert verdict.ruling is Ruling.REFUSED
    assert any(part in verdict.why for part in why.split("|")), verdict.why


def test_one_bad_call_spoils_the_others(asking: Pipeline, model: FakeBackend) -> None:
    good = ("HassLightSet", {"name": "Floor Lamp", "brightness": 30})
    model.scripts = [[calls(good, ("HassLightSet", {"name": "Lava Lamp", "brightness": 30}))]]
    assert asking.say(HOUSE, COMFORT).calls == []


def test_one_call_where_the_client_wants_no_more(asking: Pipeline, model: FakeBackend) -> None:
    made = [("HassLightSet", {"name": n, "brightness": 30}) for n in ("Floor Lamp", "Living Room Ceiling")]
    model.scripts = [[calls(*made)]]
    sentence = "grant all the lights in the lounge 30 percent"
    assert len(asking.say(HOUSE, sentence).calls) == 2
    half = asking.say(HOUSE, sentence, parallel_tool_calls=False)
    assert half.text == "Shall I set Floor Lamp to 30%?", "half of it is not done unasked"


def test_a_question_may_read(asking: Pipeline, model: FakeBackend) -> None:
    model.scripts = [[calls(("GetLiveContext", {"area": "Living Room"}))]]
    decision = asking.say(HOUSE, "why is it so dark in the living room")
    assert decision.calls == [("homeassistant__GetLiveContext", {"area": "Living Room"})]


@pytest.mark.parametrize(
    ("sentence", "made", "asked"),
    [
        ("I would like to get in at the front", ("HassTurnOff", {"name": "Front Door"}), "Shall I unlock Front Door?"),
        (COMFORT, ("HassLightSet", {"name": "Floor Lamp", "brightness": 30}), "Shall I set Floor Lamp to 30%?"),
        (
            COMFORT,
            ("HassLightSet", {"name": "Floor Lamp", "brightness": 30, "color": "red"}),
            "Shall I set Floor Lamp to 30% and red?",
        ),
        (COMFORT, ("HassClimateSetTemperature", {"temperature": 35}), "Shall I set Heating to 35°?"),
        ("turn on the nursery light", ("HassTurnOn", {"name": "Bedroom Light"}), "Shall I turn on Bedroom Light?"),
        ("I'm sitting by the floor lamp", ("HassTurnOn", {"name": "Floor Lamp"}), "Shall I turn on Floor Lamp?"),
        (
            "at elevenses turn off the desk lamp for the hobbits",
            ("HassTurnOff", {"name": "Desk Lamp"}),
            "Shall I turn off Desk Lamp?",
        ),
    ],
)
def test_what_was_not_said_is_asked_first(
    asking: Pipeline, model: FakeBackend, sentence: str, made: tuple[str, dict[str, Any]], asked: str
) -> None:
    model.scripts = [[calls(made)]]
    first = asking.say(HOUSE, sentence)
    assert first.calls == []
    assert first.text == asked
    assert verdict(first) == "asked"

    talk = (sentence, {"role": "assistant", "content": asked})
    no = asking.say(HOUSE, *talk, "no")
    assert (no.calls, no.text) == ([], "Okay.")
    assert asking.say(HOUSE, *talk, "yes").calls == [], "a no is the end of it"

    asking.say(HOUSE, sentence)
    yes = asking.say(HOUSE, *talk, "yes")
    assert yes.actions == [made]
    assert yes.trace.inference_calls == 0
    again = asking.say(HOUSE, *talk, "yes")
    assert again.actions == [], "one yes, one action"


@pytest.mark.parametrize(
    ("sentence", "made"),
    [
        ("turn off everything in the kitchen", ("HassTurnOff", {"name": "Coffee Machine"})),
        ("turn off everything in the lounge", ("HassTurnOff", {"area": "Living Room", "domain": "light"})),
        ("would you switch the reading lamp on", ("HassTurnOn", {"name": "Floor Lamp, Reading Lamp"})),
        ("switch on the reading lamp please", ("HassTurnOn", {"name": "Reading Lamp"})),
        ("pause the music", ("HassMediaPause", {"name": "Living Room TV"})),
    ],
)
def test_what_was_said_is_done_without_a_question(
    plain: Pipeline, sentence: str, made: tuple[str, dict[str, Any]]
) -> None:
    verdict = judged(plain, sentence, made)
    assert verdict.ruling is Ruling.ACCEPTED, verdict.why


@pytest.mark.parametrize("tool", ["HassUnlockDoor", "HassFactoryReset"])
def test_a_name_like_home_assistants_is_no_known_tool(asking: Pipeline, model: FakeBackend, tool: str) -> None:
    parameters = {"type": "object", "properties": {"name": {"type": "string"}}}
    house = replace(HOUSE, extra_tools=({"name": tool, "description": "", "parameters": parameters},))
    model.form, model.scripts = ToolForm.NATIVE, [[makes(tool, name="Front Door")]]
    decision = asking.say(house, COMFORT)
    assert decision.calls == []
    words = "unlock door" if tool == "HassUnlockDoor" else "factory reset"
    assert decision.text == f"Shall I run “{words}” (Front Door)?"


def test_another_sentence_drops_what_was_asked(asking: Pipeline, model: FakeBackend) -> None:
    model.scripts = [[calls(WISHED)], ["Hm."]]
    asked = asking.say(HOUSE, WISH, user="one").text
    talk = (WISH, {"role": "assistant", "content": asked})
    asking.say(HOUSE, *talk, "why is that", user="one")
    assert asking.say(HOUSE, *talk, "yes", user="one").actions == []


@pytest.mark.parametrize("yes", ["yes", "yes please", "ok do it", "do it", "sure"])
def test_yes_in_its_forms(asking: Pipeline, model: FakeBackend, yes: str) -> None:
    model.scripts = [[calls(WISHED)]]
    asked = asking.say(HOUSE, WISH).text
    decision = asking.say(HOUSE, WISH, {"role": "assistant", "content": asked}, yes)
    assert decision.actions == [WISHED]
    assert decision.trace.inference_calls == 0


def test_a_yes_in_another_conversation_opens_nothing(asking: Pipeline, model: FakeBackend) -> None:
    model.scripts = [[calls(("HassTurnOff", {"name": "Front Door"}))]]
    asked = asking.say(HOUSE, WISH, user="one").text
    talk = (WISH, {"role": "assistant", "content": asked})
    assert asking.say(HOUSE, *talk, "yes", user="two").actions == []
    assert asking.say(HOUSE, *talk, "yes", user="one").actions == [("HassTurnOff", {"name": "Front Door"})]


def test_unlocking_that_was_asked_for_needs_no_question(asking: Pipeline, model: FakeBackend) -> None:
    model.scripts = [[calls(("HassTurnOff", {"name": "Front Door"}))]]
    decision = asking.say(HOUSE, "would you be so kind and unlock that front door for me my dear")
    assert decision.actions == [("HassTurnOff", {"name": "Front Door"})] or decision.trace.inference_calls == 0


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [
        (COMFORT, "I've dimmed the lights for you."),
        (COMFORT, "Done!"),
        (COMFORT, "Sure. The lights are now dimmed."),
        (COMFORT, "Turning on the floor lamp."),
        (COMFORT, '{"answer": "I have turned on the floor lamp."}'),
        ("mach es im Living Room gemütlicher", "Ich habe das Licht gedimmt."),
        ("mach es im Living Room gemütlicher", "Erledigt."),
    ],
)
def test_claims_without_a_call_are_not_spoken(asking: Pipeline, model: FakeBackend, sentence: str, answer: str) -> None:
    model.scripts = [[answer[:7], answer[7:]]]
    decision = asking.say(HOUSE, sentence)
    assert verdict(decision) == "unbacked_claim"
    assert decision.text.removeprefix("Sure.").strip() in (
        "I did nothing, because I am not sure which action that needs. Can you say it as a plain command?",
        "Ich habe nichts getan, weil ich nicht sicher bin, was das braucht. Kannst du es als einfachen Befehl sagen?",
    )


@pytest.mark.parametrize(
    "answer",
    [
        "Paris is the capital of France. It has been that for long.",
        "Shall I dim the lights?",
        "You could close the blinds. That helps.",
    ],
)
def test_other_answers_come_through_word_for_word(asking: Pipeline, model: FakeBackend, answer: str) -> None:
    model.scripts = [[json.dumps({"answer": answer})]]
    assert asking.say(HOUSE, COMFORT).text == answer


def test_what_was_done_before_may_be_told(asking: Pipeline, model: FakeBackend) -> None:
    model.scripts = [["I've dimmed the lights."]]
    done_before = (called("script__cosy", {}), result({"data": {"result": {"ok": True}}, "error": False}))
    decision = asking.decide(body(HOUSE, COMFORT, *done_before))
    assert decision.text == "I've dimmed the lights."


def test_speech_streams_by_the_sentence(asking: Pipeline, model: FakeBackend) -> None:
    model.scripts = [['{"answer": "One. ', "Two. Thr", 'ee."}']]
    decision = asking.say(HOUSE, COMFORT)
    assert [e.text for e in decision.events[:-1] if hasattr(e, "text")] == ["One. ", "Two. ", "Three."]


def test_an_answer_of_nothing_is_told(asking: Pipeline, model: FakeBackend) -> None:
    model.scripts = [[""]]
    assert asking.say(HOUSE, COMFORT).text == "Sorry, I couldn't understand that. Can you say it differently?"


TOOLS = ["HassTurnOn", "HassTurnOff", "HassLightSet", "HassSetPosition", "GetLiveContext", "HassNothing", ""]
VALUES = st.one_of(
    st.sampled_from(["e1", "e7", "a1", "Front Door", "Garage Door", "Floor Lamp", "Kitchen", "", "all"]),
    st.integers(-5, 200),
    st.lists(st.sampled_from(["light", "cover", "lock"]), max_size=2),
    st.none(),
)
ARGUMENTS = st.dictionaries(
    st.sampled_from(["name", "area", "domain", "brightness", "position", "x"]), VALUES, max_size=4
)


@settings(max_examples=150)
@given(made=st.lists(st.tuples(st.sampled_from(TOOLS), ARGUMENTS), max_size=3))
def test_no_answer_of_a_model_turns_a_question_into_an_action(
    plain: Pipeline, made: list[tuple[str, dict[str, Any]]]
) -> None:

    pipeline = object.__new__(Pipeline)
    model = FakeBackend([[calls(*made)]])
    pipeline.services = replace(plain.services, backends=FakeModels(model))  # type: ignore[arg-type]
    for sentence in ("why is the garage door so loud", "never open the front door for strangers"):
        decision = pipeline.say(HOUSE, sentence)
        assert decision.actions == []
        assert decision.text or decision.calls
        assert len(decision.finishes) == 1


def test_a_yes_counts_too_where_the_model_spoke_before_the_question(asking: Pipeline, model: FakeBackend) -> None:
    model.form = ToolForm.NATIVE
    model.scripts = [["That is at the front. ", makes("intent__HassTurnOff", name="Front Door")]]
    sentence = "I would like to get in at the front"
    first = asking.say(HOUSE, sentence)
    assert first.text == "That is at the front. Shall I unlock Front Door?"
    yes = asking.say(HOUSE, sentence, {"role": "assistant", "content": first.text}, "yes")
    assert yes.actions == [("HassTurnOff", {"name": "Front Door"})]


def test_only_the_last_question_waits(asking: Pipeline, model: FakeBackend) -> None:
    model.scripts = [
        [calls(("HassLightSet", {"name": "Floor Lamp", "brightness": 60}))],
        [calls(("HassLightSet", {"name": "Floor Lamp", "brightness": 30}))],
    ]
    first = asking.say(HOUSE, COMFORT, user="me").text
    asking.say(HOUSE, COMFORT, user="me")
    assert asking.say(HOUSE, COMFORT, {"role": "assistant", "content": first}, "yes", user="me").actions == []


def test_the_same_call_twice_is_one(asking: Pipeline, model: FakeBackend) -> None:
    dim = ("HassLightSet", {"name": "Floor Lamp", "brightness": 30})
    model.scripts = [[calls(dim, dim, dim)]]
    assert asking.say(HOUSE, "grant the floor lamp 30 percent").actions == [dim]


def offered(name: str, description: str = "") -> dict[str, Any]:
    """A tool that Home Assistant itself does not have."""
    parameters = {"type": "object", "properties": {"what": {"type": "string"}}}
    return {"name": name, "description": description, "parameters": parameters}


@pytest.mark.parametrize(
    ("tool", "sentence", "ruling"),
    [
        ("weather__get_forecast", "will it be warm tomorrow", "accepted"),
        ("homeassistant__call_action", COMFORT, "asked"),
        ("homeassistant__call_action", "please call an action for the floor lamp", "asked"),
        ("script__cinema_evening", "we would like a cinema evening", "accepted"),
        ("script__cinema_evening", COMFORT, "asked"),
        ("script__get_ready_for_bed", "why do we get ready for bed", "rejected"),
        ("get_ready_for_bed", "why do we get ready for bed", "rejected"),
        ("erase_everything", "erase everything", "accepted"),
    ],
)
def test_tools_of_others(asking: Pipeline, model: FakeBackend, tool: str, sentence: str, ruling: str) -> None:
    version: Version = "2026.11" if "__" in tool else "2026.8"
    house = replace(HOUSE, extra_tools=(offered(tool),), version=version)
    model.form, model.scripts = ToolForm.NATIVE, [[makes(tool, what="x")]]
    decision = asking.say(house, sentence)
    if decision.trace.inference_calls:
        assert verdict(decision) == ruling
        assert bool(decision.calls) is (ruling == "accepted")
    else:
        assert decision.calls == [] or ruling == "accepted"


@pytest.mark.parametrize(
    ("sentence", "made", "ruling"),
    [
        ("gör Floor Lamp lite svagare", ("HassLightSet", {"name": "Floor Lamp", "brightness": 30}), "accepted"),
        ("gör det mysigt", ("HassLightSet", {"domain": ["light"], "brightness": 30}), "asked"),
        ("släpp in mig genom Front Door", ("HassTurnOff", {"name": "Front Door"}), "asked"),
        ("varför är Floor Lamp så svag?", ("HassTurnOn", {"name": "Floor Lamp"}), "rejected"),
    ],
)
def test_in_a_language_whose_words_we_do_not_know_more_is_asked(
    tmp_path: Path, model: FakeBackend, sentence: str, made: tuple[str, dict[str, Any]], ruling: str
) -> None:
    pipeline = Pipeline(tmp_path, "sv", verify=0)
    pipeline.services = replace(pipeline.services, backends=FakeModels(model))  # type: ignore[arg-type]
    model.form, model.scripts = ToolForm.NATIVE, [[makes(made[0], **made[1])]]
    assert verdict(pipeline.say(HOUSE, sentence)) == ruling
