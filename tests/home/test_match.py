"""Which entities a call reaches: the same as Home Assistant says, wherever the prompt tells enough to know."""

from __future__ import annotations

import importlib.util
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ha_assist_addon.home.catalogue import Home
from ha_assist_addon.home.entity import Area, Entity
from ha_assist_addon.home.intents import PLATFORM, intent_row
from ha_assist_addon.home.match import Miss, NoTargets, Targets, find_targets
from tests.support.shared import SHARED, needs_shared

NAMES = ("Lamp", "lamp", "Desk Lamp", "Büro", "BÜRO", "Straße", "Kitchen", " Fan ", "İ")
AREAS = ("Kitchen", "Hall", "Büro")
ALIASES = {"Kitchen": ("Cookery",), "Hall": (), "Büro": ("Office", "Study")}
DOMAINS = ("light", "switch", "cover", "climate")
TOOLS = ("HassTurnOn", "HassLightSet", "HassClimateSetTemperature", "HassSetPosition")
REASONS = {
    "NAME": {Miss.NAME, Miss.DOMAIN},
    "DOMAIN": {Miss.DOMAIN, Miss.NAME},
    "INVALID_AREA": {Miss.AREA, Miss.NAME, Miss.DOMAIN},
    "EMPTY": {Miss.NOTHING_THERE},
    "DUPLICATE_NAME": {Miss.DUPLICATE},
    "MULTIPLE_TARGETS": {Miss.DUPLICATE},
}


@cache
def oracle() -> Any:
    assert SHARED is not None
    spec = importlib.util.spec_from_file_location("oracle", SHARED / "cases" / "oracle.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@st.composite
def homes(draw: st.DrawFn) -> dict[str, Any]:
    """A home in the form of the oracle."""
    count = draw(st.integers(1, 7))
    entities = [
        {
            "domain": draw(st.sampled_from(DOMAINS)),
            "name": draw(st.sampled_from(NAMES)),
            "aliases": draw(st.lists(st.sampled_from(NAMES), max_size=2)),
            "area": draw(st.sampled_from([None, *AREAS])),
            "entity_id": f"x.e{number}",
        }
        for number in range(count)
    ]
    used = {str(e["area"]) for e in entities if e["area"]}
    return {
        "home": entities,
        "area_aliases": {area: list(ALIASES[area]) for area in used},
        "satellite_area": draw(st.sampled_from([None, *AREAS])),
    }


def as_home(case: dict[str, Any]) -> tuple[Home, dict[int, str]]:
    """The same home as the prompt would tell it, and which of its entities is which."""
    aliases = case["area_aliases"]
    entities = tuple(
        Entity(
            tuple(dict.fromkeys((e["name"], *e["aliases"]))),
            e["domain"],
            (e["area"], *aliases.get(e["area"], ())) if e["area"] else (),
        )
        for e in case["home"]
    )
    satellite = case["satellite_area"]
    named = {e.areas[0]: e.areas for e in entities if e.areas}
    if satellite:
        named.setdefault(satellite, (satellite,))
    home = Home(entities, tuple(Area(names) for names in named.values()), satellite_area=satellite)
    return home, {id(e): c["entity_id"] for e, c in zip(entities, case["home"], strict=True)}


ARGUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from([*NAMES, "Nobody", "desk lamp", "fan", "strasse"]),
        "area": st.sampled_from([*AREAS, "kitchen", "Cookery", "study", "Nowhere"]),
        "domain": st.lists(st.sampled_from(DOMAINS), min_size=1, max_size=2, unique=True) | st.sampled_from(DOMAINS),
    },
)


@needs_shared
@given(homes(), ARGUMENTS, st.sampled_from(TOOLS))
@settings(max_examples=400)
def test_agrees_with_the_oracle(case: dict[str, Any], arguments: dict[str, Any], tool: str) -> None:
    truth = oracle().resolve_targets(case, tool, arguments)
    if truth == "NO_CONSTRAINTS":
        return
    home, identities = as_home(case)
    found = find_targets(home, arguments, domains=PLATFORM.get(tool), single=intent_row(tool).single)
    if isinstance(found, Targets):
        assert sorted(identities[id(e)] for e in found.entities) == truth
    else:
        assert isinstance(truth, str), f"Home Assistant would act on {truth}, we say {found.miss}"
        if truth == "INVALID_AREA" or arguments.get("area", "") not in {a for n in home.areas for a in n.names}:
            return  # which of two things that are wrong is named first is a matter of taste
        assert found.miss in REASONS[truth], truth


HOME = Home(
    (
        Entity(("Overhead",), "light", ("Office",)),
        Entity(("Overhead",), "light", ("Bedroom", "Sleeping Room")),
        Entity(("Overhead",), "switch", ("Office",)),
        Entity(("Blind",), "cover", ("Office",), device_class="blind"),
        Entity(("Door",), "cover", ("Garage",), device_class="garage"),
        Entity(("Gate",), "cover", ("Garage",)),
        Entity(("",), "light"),
    ),
    (
        Area(("Office",), "First Floor"),
        Area(("Bedroom", "Sleeping Room"), "First Floor"),
        Area(("Garage",), "Ground Floor"),
        Area(("Attic",)),
    ),
    (Area(("First Floor", "Upstairs")), Area(("Ground Floor",))),
)

CASES: list[tuple[dict[str, Any], list[str] | Miss]] = [
    ({"name": "overhead", "domain": "switch"}, ["Overhead"]),
    ({"name": "overhead", "domain": "light"}, Miss.DUPLICATE),
    ({"name": "overhead", "domain": "light", "area": "sleeping room"}, ["Overhead"]),
    ({"name": "overhead", "domain": "lock"}, Miss.DOMAIN),
    ({"name": "nobody"}, Miss.NAME),
    ({"area": "attic"}, Miss.NOTHING_THERE),
    ({"area": "cellar"}, Miss.AREA),
    ({"domain": ["vacuum"]}, Miss.DOMAIN),
    ({"domain": "cover", "device_class": "garage"}, ["Door", "Gate"]),
    ({"domain": "cover", "device_class": ["blind"], "area": "office"}, ["Blind"]),
    ({"domain": "cover", "device_class": ["window"], "area": "office"}, Miss.NOTHING_THERE),
    ({"domain": "light", "floor": "upstairs"}, ["Overhead", "Overhead"]),
    ({"domain": "cover", "floor": "ground floor"}, ["Door", "Gate"]),
    ({"domain": "light", "floor": "ground floor"}, Miss.NOTHING_THERE),
    ({"name": "overhead", "area": "garage"}, Miss.NOTHING_THERE),
]


@pytest.mark.parametrize(("arguments", "expected"), CASES, ids=str)
def test_targets(arguments: dict[str, Any], expected: list[str] | Miss) -> None:
    found = find_targets(HOME, arguments)
    if isinstance(expected, Miss):
        assert isinstance(found, NoTargets)
        assert found.miss is expected
    else:
        assert isinstance(found, Targets)
        assert [e.name for e in found.entities] == expected


@pytest.mark.parametrize(("satellite", "area"), [("office", "Office"), ("Bedroom", "Bedroom")])
def test_the_satellite_decides_between_two_bearers_of_a_name(satellite: str, area: str) -> None:
    home = Home(HOME.entities, HOME.areas, satellite_area=satellite)
    found = find_targets(home, {"name": "Overhead", "domain": ["light"]})
    assert isinstance(found, Targets)
    assert [e.area for e in found.entities] == [area]


def test_what_a_filter_cannot_know_is_kept() -> None:
    found = find_targets(HOME, {"domain": "cover", "device_class": "garage"})
    assert isinstance(found, Targets)
    assert [e.name for e in found.entities] == ["Door", "Gate"]
    floors = find_targets(
        Home(HOME.entities, tuple(Area(a.names) for a in HOME.areas)), {"domain": "cover", "floor": "anything"}
    )
    assert isinstance(floors, Targets)
    assert [e.name for e in floors.entities] == ["Blind", "Door", "Gate"]


def test_a_tool_for_one_target_takes_the_only_one_or_none() -> None:
    one = find_targets(HOME, {"domain": "switch"}, single=True)
    assert isinstance(one, Targets)
    many = find_targets(HOME, {"domain": "cover"}, single=True)
    assert isinstance(many, NoTargets)
    assert many.miss is Miss.DUPLICATE
    assert len(many.candidates) == 3
