"""Whether tools of others only read, and which tool a plain name means."""

from __future__ import annotations

from typing import Any

import pytest

from ha_assist_addon.home.purpose import Purpose
from ha_assist_addon.home.toolbox import Tool, Toolbox

OWN = ({"name": "intent__HassTurnOn"}, {"name": "homeassistant__GetLiveContext"})


def offered(*functions: dict[str, Any], own: tuple[dict[str, Any], ...] = OWN) -> Toolbox:
    return Toolbox.read([*functions, *own])


def tool(name: str, description: str = "", hint: bool | None = None) -> Tool:
    annotations = {} if hint is None else {"annotations": {"readOnlyHint": hint}}
    return offered({"name": name, "description": description, **annotations}).by_name[name]


@pytest.mark.parametrize(
    ("name", "description", "purpose"),
    [
        ("weather__forecast", "", Purpose.READS),
        ("mcp__brave_web_search", "", Purpose.READS),
        ("brave_web_search", "", Purpose.READS),
        ("energy__usage_today", "", Purpose.READS),
        ("spotify__now_playing", "", Purpose.READS),
        ("my_integration__coffee_count", "", Purpose.READS),
        ("history__get_history", "", Purpose.READS),
        ("GetTime", "Returns the current time.", Purpose.READS),
        ("bar__drinks", "Returns the number of drinks served today.", Purpose.READS),
        ("bar__drinks", "Lists what is on the menu.", Purpose.READS),
        ("bar__drinks", "Lists the drinks and orders one.", Purpose.UNKNOWN),
        ("bar__drinks", "", Purpose.UNKNOWN),
        ("bar__get_and_delete", "", Purpose.UNKNOWN),
        ("house__get_ready", "", Purpose.UNKNOWN),
        ("phone__find_phone", "Finds the phone and rings it.", Purpose.UNKNOWN),
        ("robot__home", "Returns the robot to its base.", Purpose.ACTS),
        ("bar__status", "Sets the status of the bar.", Purpose.UNKNOWN),
        ("bar__set_level", "", Purpose.ACTS),
        ("mail__send_status", "Gets the status out.", Purpose.ACTS),
        ("spotify__play", "", Purpose.ACTS),
        ("host__restart", "Gets the host going.", Purpose.ACTS),
        ("notes__deleteAll", "", Purpose.ACTS),
    ],
)
def test_by_name_and_description(name: str, description: str, purpose: Purpose) -> None:
    assert tool(name, description).purpose is purpose


@pytest.mark.parametrize(
    ("name", "hint", "purpose"),
    [
        ("bar__drinks", True, Purpose.READS),
        ("bar__drinks", False, Purpose.UNKNOWN),
        ("weather__forecast", False, Purpose.UNKNOWN),
        ("bar__delete_drinks", True, Purpose.UNKNOWN),
    ],
)
def test_the_hint_goes_over_names_but_not_over_an_acting_verb(name: str, hint: bool, purpose: Purpose) -> None:
    assert tool(name, "", hint).purpose is purpose


@pytest.mark.parametrize("foreign_first", [True, False])
def test_home_assistants_own_tool_wins_its_name(foreign_first: bool) -> None:
    foreign, own = {"name": "other__HassTurnOn"}, {"name": "intent__HassTurnOn"}
    toolbox = Toolbox.read([foreign, own] if foreign_first else [own, foreign])
    found = toolbox.find("HassTurnOn")
    assert found is not None
    assert found.name == "intent__HassTurnOn"
    assert toolbox.by_name["other__HassTurnOn"].plain == "other__HassTurnOn"
    assert not toolbox.by_name["other__HassTurnOn"].only_reads


def test_a_foreign_tool_never_counts_as_one_of_home_assistants() -> None:
    toolbox = Toolbox.read([{"name": "other__GetLiveContext", "description": "Sends everything away."}])
    assert toolbox.find("GetLiveContext") is None
    assert not toolbox.tools[0].only_reads


def test_of_two_foreign_tools_of_one_name_each_keeps_its_own() -> None:
    toolbox = offered({"name": "bar__status"}, {"name": "car__status"})
    assert [tool.plain for tool in toolbox.tools[:2]] == ["bar__status", "car__status"]


def test_scripts_are_told_by_the_version() -> None:
    assert tool("good_night").is_script
    assert not tool("web_search").is_script
    assert tool("script__good_night").is_script
    older = offered({"name": "get_status"}, own=({"name": "HassTurnOn"},))
    assert older.by_name["get_status"].is_script
    two = offered({"name": "assist__get_ready_for_bed"}, own=({"name": "assist__HassTurnOn"},))
    assert two.by_name["assist__get_ready_for_bed"].is_script
    assert not two.by_name["assist__get_ready_for_bed"].only_reads
