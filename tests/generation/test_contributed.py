"""Tools that integrations and MCP servers bring: offered with their instructions, called where they read or asked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ha_assist_addon.backends.base import ToolForm
from ha_assist_addon.pipeline.trust import remember_trust
from tests.generation.conftest import HOUSE
from tests.support.fake_backend import FakeBackend, FakeModels, makes
from tests.support.house import Decision, House, Pipeline, body, called, prompt, result

COUNT = "my_integration__coffee_count"
FRAGMENT = f"Use {COUNT} for questions about espresso."
HOW_MANY = "how many coffees did we drink today"


def tool(name: str, description: str = "", required: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    properties = {key: {"type": "string"} for key in required}
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return {"name": name, "description": description, "parameters": parameters, **more}


def ask(pipeline: Pipeline, house: House, *said: Any, told: str = "") -> Decision:
    request = body(house, *said)
    request["messages"][0]["content"] = f"{prompt(house)}\n{told}"
    return pipeline.decide(request)


def with_tools(*tools: dict[str, Any]) -> House:
    return replace(HOUSE, extra_tools=tools)


def verdict(decision: Decision) -> Any:
    return decision.trace.metrics()["ha_validation"]["verdict"]


@pytest.mark.parametrize("form", ToolForm)
def test_a_count_is_looked_up_and_worded(asking: Pipeline, model: FakeBackend, form: ToolForm) -> None:
    house = with_tools(tool(COUNT, "Coffees made today."))
    model.form = form
    call = '{"calls": [{"tool": "coffee_count", "args": {}}]}'
    model.scripts = [[makes(COUNT)] if form is ToolForm.NATIVE else [call], ["You had three."]]
    first = ask(asking, house, HOW_MANY, told=FRAGMENT)
    assert first.calls == [(COUNT, {})]
    name = COUNT if form is ToolForm.NATIVE else "coffee_count"
    assert f"Use {name} for questions about espresso." in model.prompt
    last = ask(asking, house, HOW_MANY, called(COUNT, {}), result({"count": 3}), told=FRAGMENT)
    assert last.text == "You had three."
    assert '{"count":3}' in model.prompt


@pytest.mark.parametrize(
    ("tools", "sentence"),
    [
        ((tool(COUNT),), HOW_MANY),
        ((tool("machine__tally", "How much coffee was made."),), HOW_MANY),
        ((tool("machine__tally"),), "how many espressos have there been"),
        ((tool("weather__forecast"),), "what is the forecast for sunday"),
        ((tool("mcp__brave_web_search"),), "search the web for good pancakes"),
        ((tool("brave_web_search"),), "search the web for good pancakes"),
        ((tool("energy__usage_today"),), "how much energy did we use"),
    ],
)
def test_offered_where_the_sentence_speaks_of_it(
    asking: Pipeline, model: FakeBackend, tools: tuple[dict[str, Any], ...], sentence: str
) -> None:
    house, name = with_tools(*tools, *(tool(f"other__thing_{n}", "Widgets.") for n in range(20))), tools[0]["name"]
    told = f"Ask {name} about espresso." if name == "machine__tally" else ""
    decision = ask(asking, house, sentence, told=told)
    assert name in decision.trace.metrics()["ha_prompt"]["tools"]
    assert not any("thing_" in offered for offered in decision.trace.metrics()["ha_prompt"]["tools"])


def test_instructions_of_tools_that_are_not_offered_stay_away(asking: Pipeline, model: FakeBackend) -> None:
    section = f'Follow these instructions for tools from "Café" ({COUNT}, cafe__menu):\nThe menu changes on Mondays.'
    house = with_tools(tool(COUNT), tool("cafe__menu", "Lists the menu."))
    ask(asking, house, "make the living room more comfortable", told=f"Call me Ann.\n{FRAGMENT}\n\n{section}")
    assert "Call me Ann." in model.prompt
    assert "espresso" not in model.prompt
    assert "Mondays" not in model.prompt
    ask(asking, house, "what is on the menu", told=section)
    assert "Mondays" in model.prompt


@pytest.mark.parametrize(
    ("name", "sentence", "ruling"),
    [
        ("weather__forecast", "what is the forecast for sunday", "accepted"),
        ("energy__usage_today", "how much energy did we use", "accepted"),
        ("spotify__now_playing", "what is spotify playing right now", "accepted"),
        ("cafe__drinks", "how many drinks did the cafe serve yesterday", "asked"),
        ("cafe__drinks", "please get me the drinks of the cafe", "asked"),
        ("cafe__send_order", "did the cafe send my order", "rejected"),
        ("cafe__send_order", "please send my order to the cafe", "asked"),
        ("cafe__drinks", "do not get me any drinks", "rejected"),
    ],
)
def test_what_only_reads_is_called_and_the_rest_is_asked(
    asking: Pipeline, model: FakeBackend, name: str, sentence: str, ruling: str
) -> None:
    model.form, model.scripts = ToolForm.NATIVE, [[makes(name)]]
    decision = ask(asking, with_tools(tool(name)), sentence)
    assert verdict(decision) == ruling
    assert bool(decision.calls) is (ruling == "accepted")


@pytest.mark.parametrize(("yes", "trusted"), [("yes", ()), ("yes, always", ("cafe__drinks",))])
def test_a_yes_counts_once_unless_it_is_for_always(
    tmp_path: Any, model: FakeBackend, yes: str, trusted: tuple[str, ...]
) -> None:
    pipeline = Pipeline(tmp_path, "en", verify=0)
    pipeline.services = replace(pipeline.services, backends=FakeModels(model))  # type: ignore[arg-type]
    store, house, sentence = pipeline.services.settings, with_tools(tool("cafe__drinks")), "get me the drinks list"
    model.form, model.scripts = ToolForm.NATIVE, [[makes("cafe__drinks")]]
    asked = ask(pipeline, house, sentence)
    assert asked.text == "Shall I run “drinks”?"
    agreed = ask(pipeline, house, sentence, {"role": "assistant", "content": asked.text}, yes)
    assert agreed.calls == [("cafe__drinks", {})]
    assert agreed.trace.inference_calls == 0
    assert store.current.settings.ha_assist_trusted_tools == trusted
    assert bool(ask(pipeline, house, sentence).calls) is bool(trusted)
    assert ask(pipeline, house, "make the living room more comfortable").calls == [], "nobody spoke of drinks"
    store.save({"settings.ha_assist_trusted_tools": ()})
    assert ask(pipeline, house, sentence).calls == []


def test_trust_that_cannot_be_saved_fails_nothing(tmp_path: Any) -> None:
    store = Pipeline(tmp_path, "en", verify=0).services.settings
    store.path.write_text("version: 1\nsettings:\n  ha_assist_queue: 3\n", encoding="utf-8")
    remember_trust(("a__b",), store)
    assert store.current.settings.ha_assist_trusted_tools == ()


@pytest.mark.parametrize("sentence", ["coffee count", "Coffee count, please!", "the coffee count", "espresso tally"])
def test_a_name_said_alone_runs_what_reads(plain: Pipeline, sentence: str) -> None:
    house = with_tools(tool(COUNT, "Coffees of today. Aliases: ['espresso tally']"))
    first = plain.say(house, sentence)
    assert first.calls == [(COUNT, {})]
    last = plain.say(house, sentence, called(COUNT, {}), result({"count": 3}))
    assert last.calls == []
    assert last.text == "count: 3."


@pytest.mark.parametrize(
    "tools",
    [
        (tool("cafe__coffee_order"),),
        (tool("cafe__coffee_machine_reset"),),
        (tool("cafe__coffee_count", required=("day",)),),
        (tool("cafe__coffee_count"), tool("bar__coffee_count")),
    ],
)
def test_a_name_said_alone_runs_nothing_else(plain: Pipeline, tools: tuple[dict[str, Any], ...]) -> None:
    for name in {str(one["name"]).split("__")[-1].replace("_", " ") for one in tools}:
        assert plain.say(with_tools(*tools), name).calls == []


def test_two_tools_of_one_name_are_told_apart(asking: Pipeline, model: FakeBackend) -> None:
    house = with_tools(tool("cafe__status"), tool("car__status"))
    model.form, model.scripts = ToolForm.JSON, [['{"calls": [{"tool": "car__status", "args": {}}]}']]
    assert ask(asking, house, "what is the status of the car").calls == [("car__status", {})]


@pytest.mark.parametrize("sentence", ["who wrote Faust", "tell me a joke", "wer hat den Faust geschrieben"])
def test_general_knowledge_gets_nothing_of_the_home(asking: Pipeline, model: FakeBackend, sentence: str) -> None:
    decision = ask(asking, replace(HOUSE, satellite="Office"), sentence)
    shown = decision.trace.metrics()["ha_prompt"]
    assert (shown["entities"], shown["tools"]) == ([], [])
    assert "Office" not in model.prompt
    assert model.seen[-1].response_format is None
    assert model.seen[-1].tools == ()
    assert decision.text == "I would rather not do that."


def test_a_room_gets_what_is_in_it(asking: Pipeline) -> None:
    shown = ask(asking, HOUSE, "make the living room more comfortable").trace.metrics()["ha_prompt"]["entities"]
    assert set(shown) == {"Living Room Ceiling", "Living Room TV", "Floor Lamp", "Heating"}


def test_one_failure_of_several_is_told_with_what_was_done(plain: Pipeline) -> None:
    calls = [("intent__HassTurnOff", {"name": name}) for name in ("Floor Lamp", "Desk Lamp")]
    made = called(*calls[0], "call_1")
    made["tool_calls"].append(called(*calls[1], "call_2")["tool_calls"][0])
    done = {
        "response_type": "action_done",
        "data": {"success": [{"name": "Floor Lamp", "type": "entity"}], "failed": []},
    }
    failed = {"error": "HomeAssistantError", "error_text": "no"}
    for sentence in ("make it dark please everywhere", "turn off the floor lamp and the desk lamp"):
        told = plain.say(HOUSE, sentence, made, result(done, "call_1"), result(failed, "call_2"))
        assert told.text == "Done, but not for Desk Lamp."


def test_what_was_left_out_of_a_conversation_is_counted(asking: Pipeline) -> None:
    before = ("turn off the desk lamp", called("intent__HassTurnOff", {"name": "Desk Lamp"}), result({"success": True}))
    said = ({"role": "assistant", "content": "Done."}, "who wrote Faust", {"role": "assistant", "content": "Goethe."})
    history = ask(asking, HOUSE, *before, *said, "and when did he die").trace.metrics()["ha_history"]
    assert (history["kept"], history["dropped"]) == (1, 1)


def test_the_sentence_as_understood_stands_in_the_plan(plain: Pipeline) -> None:
    plan = plain.say(HOUSE, "turn of the dsek lamp").trace.metrics()["ha_plan"]
    assert plan["original"] == "turn of the dsek lamp"
    assert plan["canonical"] == "turn off the Desk lamp"


@pytest.mark.parametrize("yes", ["ok please do it", "yes, of course, go ahead", "sure sure"])
def test_a_yes_in_several_words_is_one(asking: Pipeline, model: FakeBackend, yes: str) -> None:
    model.form, model.scripts = ToolForm.NATIVE, [[makes("cafe__drinks")]]
    house, sentence = with_tools(tool("cafe__drinks")), "get me the drinks list"
    asked = ask(asking, house, sentence).text
    assert ask(asking, house, sentence, {"role": "assistant", "content": asked}, yes).calls == [("cafe__drinks", {})]
    ask(asking, house, sentence)
    other = ask(asking, house, sentence, {"role": "assistant", "content": asked}, f"{yes} but later")
    assert other.calls == []
