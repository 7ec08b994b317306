"""Tools are found by their plain name, called by their offered one, and checked by the schema that was offered."""

from __future__ import annotations

from typing import Any

import pytest

from ha_assist_addon.home.toolbox import Tool, Toolbox, plain_name


def tool(offered: str, /, **properties: Any) -> Tool:
    return Toolbox.read([{"name": offered, "parameters": {"type": "object", "properties": properties}}]).tools[0]


@pytest.mark.parametrize(
    ("offered", "plain"),
    [
        ("HassTurnOn", "HassTurnOn"),
        ("intent__HassTurnOn", "HassTurnOn"),
        ("assist__intent__HassTurnOn", "HassTurnOn"),
        ("homeassistant__GetLiveContext", "GetLiveContext"),
        ("todo__get_items", "todo_get_items"),
        ("todo_get_items", "todo_get_items"),
        ("assist__calendar__get_events", "calendar_get_events"),
        ("script__movie_time", "movie_time"),
        ("movie_time", "movie_time"),
    ],
)
def test_plain_names(offered: str, plain: str) -> None:
    assert plain_name(offered) == plain


def test_the_offered_name_is_emitted_and_the_first_of_two_prefixes_wins() -> None:
    box = Toolbox.read([{"name": "assist__intent__HassTurnOn"}, {"name": "other__intent__HassTurnOn"}])
    found = box.find("HassTurnOn")
    assert found is not None
    assert found.name == "assist__intent__HassTurnOn"
    assert set(box.by_name) == {"assist__intent__HassTurnOn", "other__intent__HassTurnOn"}
    assert box.find("HassTurnOff") is None
    assert box.find("intent__HassTurnOn") is None


@pytest.mark.parametrize("function", [{}, {"name": ""}, {"name": None}, {"name": 5}])
def test_a_tool_without_a_name_is_left_out(function: dict[str, Any]) -> None:
    assert Toolbox.read([function, {"name": "good"}]).by_name.keys() == {"good"}


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("script__good_night", True),
        ("assist__script__good_night", True),
        ("good_night", True),
        ("HassTurnOn", False),
        ("todo__get_items", False),
        ("llm__GetDateTime", False),
    ],
)
def test_scripts_are_told_from_tools(name: str, *, script: bool) -> None:
    assert tool(name).is_script is script


@pytest.mark.parametrize("name", ["todo_get_items", "calendar_get_events"])
def test_an_unprefixed_tool_of_home_assistants_own_is_no_script(name: str) -> None:
    assert not tool(name).is_script


SCHEMA: dict[str, Any] = {
    "name": {"type": "string"},
    "brightness": {"type": "integer", "minimum": 0, "maximum": 100},
    "color": {"anyOf": [{"type": "string", "enum": ["red", "blue"]}, {"type": "null"}]},
    "domain": {"type": "array", "items": {"type": "string"}},
    "step": {
        "anyOf": [{"type": "string", "enum": ["up", "down"]}, {"type": "integer", "minimum": -100, "maximum": 100}]
    },
}


@pytest.mark.parametrize(
    ("arguments", "accepted"),
    [
        ({}, True),
        ({"name": "Lamp", "brightness": 50}, True),
        ({"brightness": 0}, True),
        ({"brightness": 100}, True),
        ({"brightness": 101}, False),
        ({"brightness": -1}, False),
        ({"brightness": 50.5}, False),
        ({"brightness": "50"}, False),
        ({"color": "red"}, True),
        ({"color": "green"}, False),
        ({"domain": ["light"]}, True),
        ({"domain": "light"}, False),
        ({"step": "up"}, True),
        ({"step": -20}, True),
        ({"step": "sideways"}, False),
        ({"floor": "First"}, False),
        ({"name": None}, False),
    ],
)
def test_arguments_pass_the_offered_schema_or_are_refused(arguments: dict[str, Any], *, accepted: bool) -> None:
    problem = tool("HassLightSet", **SCHEMA).problem(arguments)
    assert (problem is None) is accepted
    assert problem is None or problem.strip()


def test_a_missing_required_argument_is_refused() -> None:
    needy = Toolbox.read(
        [{"name": "x", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}}]
    ).tools[0]
    assert needy.required == ("a",)
    assert needy.problem({}) is not None
    assert needy.problem({"a": "b"}) is None


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "nonsense"},
        {"properties": 5},
        {"properties": {"a": 5}},
        {"properties": {"a": {"$ref": "#/nowhere"}}},
        {"properties": {"a": {"$ref": "http://example.invalid/x"}}},
        {"properties": {"a": {"pattern": "("}}},
        {"required": "a"},
        {"anyOf": 3},
        {"$ref": "#"},
        {"allOf": [{"$ref": "#"}]},
    ],
)
def test_a_weird_schema_refuses_or_accepts_but_never_raises(schema: dict[str, Any]) -> None:
    weird = Toolbox.read([{"name": "weird", "parameters": schema}]).tools[0]
    for arguments in ({}, {"a": "x"}, {"a": 1.5}):
        assert weird.problem(arguments) is None or weird.problem(arguments)
    assert weird.property_types("a") <= {"string"}
    assert all(isinstance(r, str) for r in weird.required)


@pytest.mark.parametrize("parameters", [None, "text", 5, []])
def test_parameters_that_are_no_object_are_an_empty_schema(parameters: Any) -> None:
    empty = Toolbox.read([{"name": "x", "parameters": parameters, "description": 5}]).tools[0]
    assert empty.problem({}) is None
    assert empty.description == ""


def test_types_are_found_inside_combinations() -> None:
    nested = tool(
        "x",
        a={"allOf": [{"anyOf": [{"type": "integer"}, {"type": ["string", "null"]}]}, {"oneOf": [{"type": "array"}]}]},
    )
    assert nested.property_types("a") == {"integer", "string", "null", "array"}
    assert nested.property_types("b") == frozenset()
