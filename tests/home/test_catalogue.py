"""The home that a prompt describes, in the words of each version of Home Assistant."""

from __future__ import annotations

import pytest

from ha_assist_addon.home.catalogue import Home, HomeCache, read_home
from ha_assist_addon.home.entity import Entity
from tests.support.house import VERSIONS, House, Thing, Version, prompt, thing

THINGS = (
    thing("Ceiling Light", "light", "Bedroom, Master Bedroom"),
    thing("Ceiling Light", "light", "Kids Room"),
    thing("Floor Lamp, Reading Lamp, Lamp by the sofa", "light", "Living Room, Lounge, Sitting Room"),
    thing("Chores", "todo"),
    thing("Front Door Lock", "lock", "Hallway"),
)
HEADING = "Static Context: An overview of the areas and the devices in this smart home:\n"


def items(block: str, before: str = "", after: str = "") -> list[tuple[tuple[str, ...], str, tuple[str, ...]]]:
    """What is read of a hand-written list."""
    return summary(read_home(f"{before}{HEADING}{block}{after}"))


def summary(home: Home) -> list[tuple[tuple[str, ...], str, tuple[str, ...]]]:
    return [(e.names, e.domain, e.areas) for e in home.entities]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("satellite", "floor"), [(None, None), ("Kids Room", None), ("Kids Room", "First Floor")])
def test_every_version_tells_the_same_home(version: Version, satellite: str | None, floor: str | None) -> None:
    home = read_home(prompt(House(THINGS, satellite, floor, version)))
    assert sorted(summary(home)) == sorted((t.names, t.domain, t.areas) for t in THINGS)
    assert {a.names for a in home.areas} == {
        ("Bedroom", "Master Bedroom"),
        ("Kids Room",),
        ("Living Room", "Lounge", "Sitting Room"),
        ("Hallway",),
    }
    assert (home.satellite_area, home.satellite_floor) == (satellite, floor)
    assert not home.floors_known


@pytest.mark.parametrize("satellite", ["Attic", "Küche (alt)", "Room 101", "O'Hara's Den"])
@pytest.mark.parametrize("floor", [None, "Top", "2. Stock (neu)"])
def test_a_satellite_in_an_area_without_entities_still_has_one(satellite: str, floor: str | None) -> None:
    home = read_home(prompt(House(THINGS, satellite, floor)))
    assert (home.satellite_area, home.satellite_floor) == (satellite, floor)
    assert home.area_by_name[satellite.casefold()].floor == floor
    assert home.in_area(satellite) == ()


def test_names_are_found_however_they_are_cased_and_by_every_alias() -> None:
    home = read_home(prompt(House(THINGS)))
    lamp = next(e for e in home.entities if e.name == "Floor Lamp")
    for name in ("floor lamp", "READING LAMP", "lamp by the sofa"):
        assert home.by_name[name.casefold()] == (lamp,)
    assert len(home.by_name["ceiling light"]) == 2
    for area in ("Lounge", "sitting room", "LIVING ROOM "):
        assert home.in_area(area) == (lamp,)
    assert home.in_area("Cellar") == ()


def test_a_long_item_is_folded_at_80_columns_and_read_whole() -> None:
    long = Thing(("Lamp", *(f"the lamp beside window number {n}" for n in range(8))), "light", ("Hall",))
    text = prompt(House((long, *THINGS)))
    assert max(len(line) for line in text.split("\n") if "lamp beside window" in line) <= 110
    assert (long.names, "light", ("Hall",)) in summary(read_home(text))


@pytest.mark.parametrize(
    "name",
    [
        "on",
        "off",
        "yes",
        "no",
        "123",
        "1.5",
        "null",
        "~",
        "12:30",
        "2026-01-01",
        "0x1F",
        "true",
        "- dash",
        "a: b",
        "#1",
        "'quoted'",
        '"double"',
        "*star",
        "&and",
        "!bang",
        "%",
        "@home",
        "[x]",
        "{y}",
        "|",
        ">",
        "Büro",
        "客厅的灯",
        "سقف",
    ],
)
def test_a_name_is_text_whatever_yaml_thinks_of_it(name: str) -> None:
    things = (Thing((name,), "light", (name,)), *THINGS)
    assert ((name,), "light", (name,)) in summary(read_home(prompt(House(things))))


HANDWRITTEN = {
    "quoted booleans and numbers": (
        "- names: 'on'\n  domain: switch\n- names: '123'\n  domain: light\n",
        [(("on",), "switch", ()), (("123",), "light", ())],
    ),
    "tags that fit no value": (
        "- names: !!timestamp on\n  domain: switch\n- names: !!bool Lamp\n  domain: !!int light\n",
        [(("on",), "switch", ()), (("Lamp",), "light", ())],
    ),
    "plain booleans and numbers": (
        "- names: on\n  domain: switch\n- names: 123\n  domain: light\n",
        [(("on",), "switch", ()), (("123",), "light", ())],
    ),
    "an emoji as an escape": ('- names: "Lamp \\U0001F4A1"\n  domain: light\n', [(("Lamp \U0001f4a1",), "light", ())]),
    "an alias with a comma but no space": ("- names: Lamp, a,b\n  domain: light\n", [(("Lamp", "a,b"), "light", ())]),
    "the same alias twice": ("- names: Lamp, Lamp, Light\n  domain: light\n", [(("Lamp", "Light"), "light", ())]),
    "blank aliases": ("- names: 'Lamp, , Light'\n  domain: light\n", [(("Lamp", "Light"), "light", ())]),
    "a quoted name folded by hand": (
        "- names: 'Lamp by\n    the sofa'\n  domain: light\n",
        [(("Lamp by the sofa",), "light", ())],
    ),
    "an escape over two lines": (
        '- names: "Lamp \\U0001F4A1\\\n    \\ two"\n  domain: light\n',
        [(("Lamp \U0001f4a1 two",), "light", ())],
    ),
    "other keys": ("- names: Lamp\n  domain: light\n  labels: x\n", [(("Lamp",), "light", ())]),
    "keys in another order": ("- domain: light\n  areas: Hall\n  names: Lamp\n", [(("Lamp",), "light", ("Hall",))]),
    "an anchor and its alias": (
        "- names: &n Lamp\n  domain: light\n- names: *n\n  domain: switch\n",
        [(("Lamp",), "light", ()), (("Lamp",), "switch", ())],
    ),
    "no list": ("nothing is exposed\n", []),
    "a mapping in the place of the list": ("  names: x\n", []),
    "an empty list": ("[]\n", []),
    "an item without a domain": ("- names: Lamp\n- names: Fan\n  domain: fan\n", [(("Fan",), "fan", ())]),
    "an item that is text": ("- Lamp\n- names: Fan\n  domain: fan\n", [(("Fan",), "fan", ())]),
    "names that are a list": (
        "- names: [Lamp]\n  domain: light\n- names: Fan\n  domain: fan\n",
        [((), "light", ()), (("Fan",), "fan", ())],
    ),
}


@pytest.mark.parametrize("case", HANDWRITTEN)
def test_lists_as_yaml_writes_them(case: str) -> None:
    block, expected = HANDWRITTEN[case]
    assert items(block) == expected


BROKEN = {
    "an unclosed quote": "- names: 'Lamp\n  domain: light\n",
    "an unknown tag": "- names: !!python/object:os.system Lamp\n  domain: light\n",
    "an alias without an anchor": "- names: *nobody\n  domain: light\n",
    "a bare colon": "- names: a: b: c\n  domain: light\n",
    "an unclosed bracket": "- names: [Lamp\n  domain: light\n",
    "a tab": "- names:\t\t@x\n  domain: light\n",
}


@pytest.mark.parametrize("case", BROKEN)
def test_an_item_that_cannot_be_read_costs_no_other(case: str) -> None:
    found = items(f"- names: Before\n  domain: light\n{BROKEN[case]}- names: After\n  domain: fan\n  areas: Hall\n")
    assert (("Before",), "light", ()) in found
    assert (("After",), "fan", ("Hall",)) in found
    assert len(found) <= 3


def test_an_empty_name_is_kept_as_an_entity_without_one() -> None:
    (entity,) = read_home(f"{HEADING}- names: ''\n  domain: light\n  areas: Hall\n").entities
    assert (entity.names, entity.name, entity.areas) == ((), "", ("Hall",))


def test_what_stands_behind_the_list_is_no_item() -> None:
    after = "\nWhen controlling Home Assistant always call the intent tools.\n- names: Not An Entity\n  domain: light\n"
    assert items("- names: Lamp\n  domain: light\n", after=after) == [(("Lamp",), "light", ())]


def test_two_merged_apis_tell_one_home() -> None:
    one = f"{HEADING}- names: Lamp\n  domain: light\n  areas: Hall\n- names: Fan\n  domain: fan\n"
    text = (
        f'Follow these instructions for tools from "assist" (a, b):\n{one}\nYou are in area Hall and all generic '
        f"commands like 'turn on the lights' should target this area.\n\n"
        f'Follow these instructions for tools from "other" (c):\n{one}\nMore.\n'
    )
    home = read_home(text)
    assert summary(home) == [(("Lamp",), "light", ("Hall",)), (("Fan",), "fan", ())]
    assert home.satellite_area == "Hall"


def test_two_entities_of_one_name_and_area_stay_two() -> None:
    block = "- names: Lamp\n  domain: light\n  areas: Hall\n"
    assert len(read_home(f"{HEADING}{block}{block}").entities) == 2


@pytest.mark.parametrize(
    "text", ["", "You are a helpful assistant.", "Static Context: nothing follows", HEADING, HEADING * 3]
)
def test_a_prompt_without_a_list_is_an_empty_home(text: str) -> None:
    home = read_home(text)
    assert (home.entities, home.areas, home.satellite_area) == ((), (), None)


def test_a_person_cannot_bring_in_entities() -> None:
    fake = "My notes mention Static Context: in the middle\n- names: Fake\n  domain: lock\n"
    text = f"{fake}{HEADING}- names: Lamp\n  domain: light\n"
    assert summary(read_home(text)) == [(("Lamp",), "light", ())]


def test_the_cache_knows_a_prompt_by_its_text_and_forgets_the_oldest() -> None:
    cache = HomeCache(limit=2)
    first = cache.get("a")
    assert cache.get("a") is first
    cache.get("b")
    cache.get("a")
    cache.get("c")
    assert cache.get("a") is first
    assert (cache.hits, cache.misses) == (3, 3)
    cache.get("b")
    assert cache.misses == 4


def test_the_cache_holds_large_prompts_only_as_far_as_it_may_but_always_the_last() -> None:
    cache = HomeCache(most_characters=10)
    cache.get("a" * 4)
    cache.get("b" * 6)
    assert cache.misses == 2
    cache.get("a" * 4)
    cache.get("b" * 6)
    assert cache.misses == 2
    large = cache.get("c" * 100)
    assert cache.get("c" * 100) is large
    cache.get("a" * 4)
    assert cache.misses == 4


def test_a_home_is_ready_only_with_the_context_that_it_was_made_with() -> None:
    cache, context = HomeCache(), object()
    cache.mark_prepared("a", None)
    assert not cache.is_prepared("a", None)
    cache.get("a")
    assert not cache.is_prepared("a", None)
    cache.mark_prepared("a", None)
    assert cache.is_prepared("a", None)
    assert not cache.is_prepared("a", context)
    cache.mark_prepared("a", context)
    assert cache.is_prepared("a", context)


def test_an_entity_without_a_name_has_an_empty_one() -> None:
    assert Entity((), "light").name == ""
    assert Entity(("A", "B"), "light", ("X", "Y")).area == "X"
