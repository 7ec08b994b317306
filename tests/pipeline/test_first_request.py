"""What the first request of a turn becomes: a call in the offered form, a question, or no action at all."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from ha_assist_addon.home.toolbox import plain_name
from tests.support.house import VERSIONS, House, Pipeline, Version, body, thing

HOUSE = House(
    (
        thing("Ceiling Light", "light", "Bedroom, Master Bedroom"),
        thing("Ceiling Light", "light", "Kids Room"),
        thing("Desk Lamp", "light", "Office, Study"),
        thing("Floor Lamp, Reading Lamp", "light", "Living Room, Lounge"),
        thing("Counter Lights", "light", "Kitchen"),
        thing("Coffee Machine", "switch", "Kitchen"),
        thing("Front Door Lock", "lock", "Hallway"),
        thing("Living Room Blinds", "cover", "Living Room, Lounge"),
        thing("Thermostat", "climate", "Living Room, Lounge"),
        thing("Movie", "scene"),
        thing("Shopping List, Groceries", "todo"),
        thing("Schreibtischlampe", "light", "Büro"),
    )
)
LIGHT, LOCK, COVER = {"domain": ["light"]}, {"domain": ["lock"]}, {"domain": ["cover"]}

CALLS: list[tuple[str, str, dict[str, Any]]] = [
    ("turn on the desk lamp", "HassTurnOn", {"name": "Desk Lamp", **LIGHT}),
    ("Turn ON the DESK lamp!", "HassTurnOn", {"name": "Desk Lamp", **LIGHT}),
    ("switch off the reading lamp", "HassTurnOff", {"name": "Reading Lamp", **LIGHT}),
    ("turn off the lights in the master bedroom", "HassTurnOff", {"area": "Master Bedroom", **LIGHT}),
    (
        "turn on the ceiling light in the kids room",
        "HassTurnOn",
        {"name": "Ceiling Light", "area": "Kids Room", **LIGHT},
    ),
    ("unlock the front door lock", "HassTurnOff", {"name": "Front Door Lock", **LOCK}),
    ("lock the front door lock", "HassTurnOn", {"name": "Front Door Lock", **LOCK}),
    ("open the living room blinds", "HassTurnOn", {"name": "Living Room Blinds", **COVER}),
    ("set the desk lamp to 40 percent", "HassLightSet", {"name": "Desk Lamp", "brightness": 40, **LIGHT}),
    ("set the living room blinds to 30%", "HassSetPosition", {"name": "Living Room Blinds", "position": 30, **COVER}),
    ("set the desk lamp to red", "HassLightSet", {"name": "Desk Lamp", "color": "red", **LIGHT}),
    ("set the temperature to 21 degrees", "HassClimateSetTemperature", {"temperature": 21}),
    ("activate movie", "HassTurnOn", {"name": "Movie", "domain": ["scene"]}),
    ("add milk to the groceries", "HassListAddItem", {"item": "milk", "name": "Groceries"}),
    ("schalte die schreibtischlampe ein", "HassTurnOn", {"name": "Schreibtischlampe", **LIGHT}),
    ("mach das licht im büro aus", "HassTurnOff", {"area": "Büro", **LIGHT}),
    ("what time is it", "GetDateTime", {}),
]
OPTIONAL = frozenset({"domain", "device_class"})
SINGLE = ("set the temperature to 21 degrees",)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("sentence", "tool", "arguments"), CALLS, ids=[c[0] for c in CALLS])
def test_a_plain_command_becomes_one_call(
    pipeline: Pipeline, version: Version, sentence: str, tool: str, arguments: dict[str, Any]
) -> None:
    house = replace(HOUSE, version=version)
    decision = pipeline.say(house, sentence)
    assert [plain_name(name) for name, _ in decision.calls] == [tool], decision.text
    name, given = decision.calls[0]
    assert ("__" in name) is (version == "2026.11")
    needed = {key: value for key, value in arguments.items() if key not in OPTIONAL}
    assert {key: given.get(key) for key in needed} == needed
    assert all(given[key] == arguments.get(key) for key in OPTIONAL & given.keys())
    assert set(given) <= set(arguments) | OPTIONAL | ({"name"} if sentence in SINGLE else set())
    assert all(type(value) is not float for value in given.values())


NO_ACTION = [
    "turn on the chandelier",
    "turn on the lights in the greenhouse",
    "do not turn on the desk lamp",
    "don't unlock the front door lock",
    "is the desk lamp on?",
    "turn on the desk lamp when it gets dark",
    "turn on the desk lamp at 9 pm",
    "turn off the coffee machine tomorrow",
    "turn the desk lamp on and the chandelier off",
    "set the desk lamp to 140 percent",
    "set the living room blinds to -5%",
    "I turned on the desk lamp yesterday",
    "turn on the ceiling light",
    "turn on the attic desk lamp",
    "schalte die schreibtischlampe nicht ein",
    "schalte das licht im gewächshaus ein",
    "stelle die schreibtischlampe auf 140 prozent",
    "",
    "?!",
    "x" * 600,
]


@pytest.mark.parametrize("version", ["2026.2", "2026.11"])
@pytest.mark.parametrize("sentence", NO_ACTION)
def test_what_is_no_certain_command_does_nothing(pipeline: Pipeline, version: Version, sentence: str) -> None:
    decision = pipeline.say(replace(HOUSE, version=version), sentence)
    assert decision.actions == []
    assert decision.calls or decision.text.strip()


QUESTIONS = [
    ("turn on the ceiling light", "Bedroom.*Kids Room|Kids Room.*Bedroom"),
    ("turn on the chandelier", "chandelier"),
    ("turn on the lights in the greenhouse", "greenhouse"),
    ("mach das licht im gewächshaus an", "(?i)gewächshaus"),
]


@pytest.mark.parametrize(("sentence", "names"), QUESTIONS)
def test_what_is_unclear_is_asked_back_with_names(pipeline: Pipeline, sentence: str, names: str) -> None:
    decision = pipeline.say(HOUSE, sentence)
    assert decision.text.endswith("?")
    assert re.search(names, decision.text)


@pytest.mark.parametrize(
    ("satellite", "sentence", "area"),
    [
        ("Kitchen", "turn off the lights", "Kitchen"),
        ("Kitchen", "lights on", "Kitchen"),
        ("Living Room", "turn on the light", "Living Room"),
        ("Kids Room", "turn on the ceiling light", "Kids Room"),
        ("Kitchen", "turn off the lights in the study", "Study"),
    ],
)
def test_the_satellite_narrows_what_is_generic(pipeline: Pipeline, satellite: str, sentence: str, area: str) -> None:
    (action,) = pipeline.say(replace(HOUSE, satellite=satellite), sentence).actions
    assert action[1]["area"] == area


def test_a_slot_that_the_offered_tool_cannot_carry_rejects_the_match(pipeline: Pipeline) -> None:
    request = body(HOUSE, "set the desk lamp to 40 percent")
    for tool in request["tools"]:
        if plain_name(tool["function"]["name"]) == "HassLightSet":
            tool["function"] = {
                "name": tool["function"]["name"],
                "parameters": {"type": "object", "properties": {"name": {"type": "string"}}},
            }
    assert pipeline.decide(request).actions == []


@pytest.mark.parametrize("choice", ["none", None])
def test_a_client_that_allows_no_call_gets_none(pipeline: Pipeline, choice: str | None) -> None:
    more = {"tool_choice": choice} if choice else {}
    assert bool(pipeline.say(HOUSE, "turn on the desk lamp", **more).calls) is (choice is None)


def test_a_tool_that_is_not_offered_is_never_called(pipeline: Pipeline) -> None:
    request = body(HOUSE, "turn on the desk lamp")
    request["tools"] = [t for t in request["tools"] if plain_name(t["function"]["name"]) != "HassTurnOn"]
    decision = pipeline.decide(request)
    assert decision.calls == []
    assert decision.text.strip()


SCRIPTS: list[tuple[dict[str, Any], str, bool]] = [
    ({"name": "script__good_night", "description": "Good Night"}, "run good night", True),
    (
        {"name": "script__good_night", "description": "Says good night. Aliases: ['Sleep Well']"},
        "start sleep well",
        True,
    ),
    ({"name": "good_night_8", "description": "Good Evening"}, "run good evening", True),
    (
        {
            "name": "script__party",
            "parameters": {"type": "object", "properties": {"room": {"type": "string"}}, "required": ["room"]},
        },
        "run party",
        False,
    ),
]


@pytest.mark.parametrize(("tool", "sentence", "called"), SCRIPTS)
def test_a_script_is_called_where_nothing_required_is_missing(
    pipeline: Pipeline, tool: dict[str, Any], sentence: str, *, called: bool
) -> None:
    house = replace(HOUSE, extra_tools=({"parameters": {"type": "object", "properties": {}}, **tool},))
    decision = pipeline.say(house, sentence)
    assert decision.calls == ([(tool["name"], {})] if called else []), decision.text


@pytest.mark.parametrize(("parallel", "expected"), [(True, 2), (False, 1)])
def test_two_commands_become_two_calls_or_one_after_the_other(
    pipeline: Pipeline, *, parallel: bool, expected: int
) -> None:
    said = pipeline.say(HOUSE, "turn on the desk lamp and turn off the coffee machine", parallel_tool_calls=parallel)
    assert len(said.actions) == expected


def test_a_script_is_called_by_the_name_under_which_this_request_offers_it(pipeline: Pipeline) -> None:
    for name in ("script__movie_time", "assist__script__movie_time", "movie_time"):
        script = {"name": name, "description": "Movie Time", "parameters": {"type": "object", "properties": {}}}
        decision = pipeline.say(replace(HOUSE, extra_tools=(script,)), "run movie time")
        assert decision.calls == [(name, {})]


def test_nothing_remembers_the_request_before(pipeline: Pipeline) -> None:
    first = pipeline.say(HOUSE, "turn on the desk lamp")
    pipeline.say(House((thing("Desk Lamp", "switch", "Hall"),)), "turn off the desk lamp")
    again = pipeline.say(HOUSE, "turn on the desk lamp")
    assert first.calls == again.calls


@pytest.mark.parametrize(("sentence", "acts"), [("open the garage door", True), ("open the door", False)])
def test_a_garage_door_is_a_door_where_its_name_says_so(pipeline: Pipeline, sentence: str, acts: bool) -> None:
    """Home Assistant's grammar hears the class `door`, and the cover's own class is `garage`."""
    house = House((thing("Garage Door", "cover", "Garage"), thing("Kitchen Light", "light", "Kitchen")))
    told = {"entities": [{"name": "Garage Door", "domain": "cover", "device_class": "garage", "state": "closed"}]}
    decision = pipeline.say(house, sentence, ha_context=told)
    assert [arguments["name"] for _, arguments in decision.actions] == (["Garage Door"] if acts else [])
