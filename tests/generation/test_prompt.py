"""What a model is asked: little, in the language of the sentence, with the person's own words kept."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from ha_assist_addon.backends.base import ToolForm, estimated_tokens
from ha_assist_addon.errors import ContextLengthExceeded
from tests.generation.conftest import HOUSE
from tests.support.fake_backend import FakeBackend
from tests.support.house import House, Pipeline, body, called, done, result, thing

COMFORT = "make the living room more comfortable"


@pytest.mark.parametrize("form", ToolForm)
def test_prompt_for_each_form(
    asking: Pipeline, model: FakeBackend, form: ToolForm, snapshot: SnapshotAssertion
) -> None:
    model.form = form
    asking.say(HOUSE, COMFORT)
    assert model.prompt == snapshot(name="prompt")
    assert model.seen[-1].response_format == snapshot(name="response_format")
    assert [tool["name"] for tool in model.seen[-1].tools] == snapshot(name="tools")


def test_german_sentence_gets_a_german_prompt(asking: Pipeline, model: FakeBackend) -> None:
    asking.say(HOUSE, "mach es im Living Room gemütlicher")
    assert model.prompt.startswith("Du bist der Sprachassistent dieses Hauses.")
    assert "You ARE equipped" not in model.prompt


def test_own_instructions_are_kept_and_home_assistants_are_not(asking: Pipeline, model: FakeBackend) -> None:
    request = body(HOUSE, COMFORT)
    request["messages"][0]["content"] = f"Call me Captain.\n{request['messages'][0]['content']}\nSpeak like a pirate."
    asking.decide(request)
    assert "Call me Captain." in model.prompt
    assert "Speak like a pirate." in model.prompt
    for line in ("You are a voice assistant for Home Assistant", "Static Context", "When controlling Home Assistant"):
        assert line not in model.prompt


def test_completed_actions_are_dropped_and_words_are_kept(asking: Pipeline, model: FakeBackend) -> None:
    talk = [
        {"role": "user", "content": "who wrote Faust"},
        {"role": "assistant", "content": "Goethe did."},
        {"role": "user", "content": "turn off the desk lamp"},
        called("intent__HassTurnOff", {"name": "Desk Lamp"}, "call_9"),
        result(done("Desk Lamp"), "call_9"),
        {"role": "assistant", "content": "Turned off the light"},
        {"role": "user", "content": "and how old did he become"},
        {"role": "assistant", "content": "Eighty-two."},
    ]
    asking.decide(body(HOUSE, *talk, "what else did he write"))
    said = [message.text for message in model.seen[-1].messages]
    assert "who wrote Faust" in said
    assert "Eighty-two." in said
    assert not any("turn off the desk lamp" in text.lower() for text in said[1:])
    assert not any(message.tool_calls for message in model.seen[-1].messages)


@pytest.mark.parametrize("form", ToolForm)
def test_the_active_tool_round_is_shown_and_live_context_is_cut(
    asking: Pipeline, model: FakeBackend, form: ToolForm
) -> None:
    model.form = form
    live = "Live Context: An overview of the areas and the devices in this smart home:\n" + "\n".join(
        f"- names: {', '.join(t.names)}\n  domain: {t.domain}\n  state: 'on'\n"
        + (f"  areas: {t.areas[0]}" if t.areas else "")
        for t in HOUSE.things
    )
    asking.decide(
        body(
            HOUSE,
            COMFORT,
            called("homeassistant__GetLiveContext", {"area": "Living Room"}),
            result({"data": {"result": live}, "error": False}),
        )
    )
    text = "\n".join(message.text for message in model.seen[-1].messages[1:])
    assert "Floor Lamp / Reading Lamp (light, Living Room) = on" in text
    assert "Live Context" not in text
    if form is ToolForm.NATIVE:
        assert model.seen[-1].messages[-1].tool_call_id == "call_1"
    else:
        assert not any(m.tool_call_id or m.tool_calls for m in model.seen[-1].messages)


def test_states_that_the_client_knows_need_no_reading(asking: Pipeline, model: FakeBackend) -> None:
    context = {
        "entities": [{"name": "Floor Lamp", "domain": "light", "state": "on", "attributes": {"brightness_pct": 40}}]
    }
    asking.decide(body(HOUSE, COMFORT, ha_context=context))
    assert "(light, Living Room) = on, brightness % 40" in model.prompt


def big(count: int) -> House:
    rooms = [f"Room {n}" for n in range(20)]
    filler = tuple(thing(f"Device {n} of the long corridor", "light", rooms[n % 20]) for n in range(count))
    return House((*HOUSE.things, *filler))


@pytest.mark.parametrize("form", ToolForm)
def test_a_large_home_fits_a_small_model(asking: Pipeline, model: FakeBackend, form: ToolForm) -> None:
    model.form, model.context_tokens = form, 2048
    decision = asking.say(big(600), COMFORT)
    used = decision.trace.metrics()["ha_prompt"]
    assert used["tokens_after"] <= 2048 - 256
    assert used["tokens_after"] <= 0.15 * used["tokens_before"]
    assert "Floor Lamp" in model.prompt
    assert decision.trace.inference_calls == 1


def test_what_must_be_there_and_does_not_fit_is_an_error(asking: Pipeline, model: FakeBackend) -> None:
    request = body(HOUSE, COMFORT)
    request["messages"][0]["content"] = "My rules: " + "be kind to the cat. " * 2000 + request["messages"][0]["content"]
    model.context_tokens = 2048
    with pytest.raises(ContextLengthExceeded):
        asking.decide(request)
    assert not model.seen


def test_less_relevant_parts_go_first(asking: Pipeline, model: FakeBackend) -> None:
    asking.say(big(300), "what could one do about the desk lamp and all the other lights")
    whole = estimated_tokens(model.prompt)
    model.context_tokens = whole // 2 + 256
    decision = asking.say(big(300), "what could one do about the desk lamp and all the other lights")
    assert decision.trace.metrics()["ha_prompt"]["entities_dropped"] > 0
    assert "Desk Lamp" in model.prompt


def test_the_answer_is_limited_by_what_is_left(asking: Pipeline, model: FakeBackend) -> None:
    model.context_tokens = 2048
    decision = asking.say(HOUSE, COMFORT, max_tokens=3000)
    tokens = decision.trace.metrics()["ha_prompt"]["tokens_after"]
    assert model.seen[-1].max_tokens == min(1024, 2048 - tokens)
    asking.say(HOUSE, COMFORT, max_tokens=17)
    assert model.seen[-1].max_tokens == 17


def test_a_demanded_tool_is_the_only_one(asking: Pipeline, model: FakeBackend) -> None:
    choice = {"type": "function", "function": {"name": "light__HassLightSet"}}
    asking.say(HOUSE, COMFORT, tool_choice=choice)
    schema = json.dumps(model.seen[-1].response_format)
    assert "HassLightSet" in schema
    assert "HassTurnOn" not in schema
    assert '"answer"' not in schema


def test_a_chat_without_tools_keeps_its_own_prompt(asking: Pipeline, model: FakeBackend) -> None:
    messages = [{"role": "system", "content": "You are a poet."}, {"role": "user", "content": "write a line"}]
    model.scripts = [["Roses ", "are red."]]
    decision = asking.decide({"model": "HA-Assist", "messages": messages})
    assert [m.text for m in model.seen[-1].messages] == ["You are a poet.", "write a line"]
    assert decision.text == "Roses are red."


def test_results_are_told_where_no_tool_may_be_called_any_more(asking: Pipeline, model: FakeBackend) -> None:
    asking.decide(
        body(
            HOUSE,
            COMFORT,
            called("llm__GetDateTime", {}),
            result({"data": {"time": "20:15"}, "error": False}),
            tool_choice="none",
        )
    )
    assert model.seen[-1].tools == ()
    assert model.seen[-1].messages[-1].text == 'Result GetDateTime: {"time":"20:15"}'


@pytest.mark.parametrize("form", ToolForm)
@pytest.mark.parametrize(
    "sentence", ["who wrote Hamlet and why is the floor lamp so dark", "do not let the floor lamp shine"]
)
def test_what_would_be_refused_is_not_offered(
    asking: Pipeline, model: FakeBackend, form: ToolForm, sentence: str
) -> None:
    model.form = form
    asking.say(HOUSE, sentence)
    offered = f"{model.prompt} {json.dumps(model.seen[-1].response_format)} {json.dumps(model.seen[-1].tools)}"
    assert "HassTurnOn" not in offered
    assert "HassLightSet" not in offered


@pytest.mark.parametrize("sentence", ["who wrote the Odyssey", "what is the capital of Norway", "how far is the moon"])
def test_a_small_word_in_a_name_ties_nothing_to_the_home(asking: Pipeline, model: FakeBackend, sentence: str) -> None:
    named = (thing("Lamp by the sofa", "light", "Living Room"), thing("Tower of Babel", "switch", "Office"))
    house = replace(HOUSE, things=(*HOUSE.things, *named))
    told = asking.say(house, sentence).trace.metrics()["ha_prompt"]
    assert (told["entities"], told["tools"]) in ((0, []), ([], []))
