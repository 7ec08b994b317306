"""Each signal on its own, and what must always be there."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ha_assist_addon.generation.retrieve import Selection, retrieve
from ha_assist_addon.home.catalogue import Home
from ha_assist_addon.home.entity import Area, Entity
from ha_assist_addon.home.request_home import RequestHome as Read
from ha_assist_addon.home.toolbox import Toolbox
from ha_assist_addon.retrieval.finder import Finder
from ha_assist_addon.retrieval.select import MOST_LOCAL, MOST_WIDE, Signal
from ha_assist_addon.retrieval.tools import MOST_TOOLS
from ha_assist_addon.turn.history import Turn
from tests.retrieval.homes import ROOMS, large_home, names, plain, select
from tests.support.house import called, done, result, thing

# Entities


def test_an_exact_name_is_first_and_required() -> None:
    found = select(large_home(), "could you do something about the office blind please")
    assert names(found)[0] == "Office Blind"
    assert [e.name for e in found.required_entities] == ["Office Blind"]
    assert Signal.NAMED in found.entity_reasons[0].why


def test_a_name_within_a_longer_one_is_not_required() -> None:
    found = select(large_home(thing("Light", "light", "Cellar")), "put the attic ceiling light on")
    assert [e.name for e in found.required_entities] == ["Attic Ceiling Light"]


def test_an_alias_is_a_name() -> None:
    found = select(large_home(thing("Floor Lamp, Old Faithful", "light", "Office")), "old faithful should glow a bit")
    assert [e.name for e in found.required_entities] == ["Floor Lamp"]


def test_of_bearers_of_one_name_those_in_the_named_area_are_required() -> None:
    twins = [thing("Lamp", "light", room) for room in ROOMS]
    found = select(large_home(*twins), "the lamp in the nursery is much too bright")
    assert [(e.name, e.area) for e in found.required_entities] == [("Lamp", "Nursery")]


def test_a_plural_and_a_piece_of_a_name_come_before_the_others() -> None:
    house = large_home(thing("Garden Torch", "light"), thing("Roborock Downstairs", "vacuum"))
    assert names(select(house, "could the garden torches burn a bit"))[0] == "Garden Torch"
    assert names(select(house, "what about the roborock"))[0] == "Roborock Downstairs"


def test_an_area_brings_all_its_entities_and_itself() -> None:
    found = select(large_home(), "I do not like how the bathroom feels at all")
    assert {f"Bathroom {device}" for device in ("Ceiling Light", "Blind", "Thermostat", "Plug")} <= set(names(found))
    assert found.areas[0].name == "Bathroom"


@pytest.mark.parametrize("said", ["kitchin", "kitchens"])
def test_an_area_is_understood_when_it_is_inflected_or_misspelt(said: str) -> None:
    found = select(large_home(), f"make the {said} lights a bit nicer")
    assert found.areas[0].name == "Kitchen"
    assert names(found)[0] == "Kitchen Ceiling Light"


def test_the_satellites_area_is_meant_where_none_is_named() -> None:
    found = select(large_home(satellite="Cellar"), "it is rather dark")
    assert names(found)[0] == "Cellar Ceiling Light"
    assert Signal.SATELLITE in found.entity_reasons[0].why
    assert found.areas[0].name == "Cellar"


def test_a_floor_is_resolved_where_it_is_known() -> None:
    context = {
        "floors": [{"name": "Top", "aliases": ["under the roof"]}],
        "areas": [{"name": "Attic", "floor": "Top"}],
    }
    found = select(large_home(), "what is going on under the roof", ha_context=context)
    assert set(names(found)[:6]) == {e for e in names(found) if e.startswith("Attic")}


@pytest.mark.parametrize(
    ("language", "sentence", "domain"),
    [
        ("en", "my eyes hurt, I am reading in the dark", "light"),
        ("en", "I am freezing", "climate"),
        ("en", "it is too noisy", "media_player"),
        ("de", "mir ist kalt", "climate"),
        ("de", "hier ist es so finster", "light"),
        ("fr", "j'ai froid", "climate"),
        ("es", "hay mucho ruido", "media_player"),
        ("it", "ho freddo", "climate"),
        ("nl", "het is te donker", "light"),
        ("pl", "jest mi zimno", "climate"),
    ],
)
def test_concepts_find_the_kind_of_device(language: str, sentence: str, domain: str) -> None:
    assert select(large_home(), sentence, language=language).entities[0].domain == domain


def test_a_language_without_concepts_still_finds_by_words() -> None:
    house = large_home(thing("Taklampan", "light", "Kitchen"))
    assert names(select(house, "skruva ner taklampan lite", language="sv"))[0] == "Taklampan"


def test_a_compound_holds_the_words_of_names() -> None:
    house = large_home(thing("Leselampe", "light", "Wohnzimmer"), thing("Aquarium", "switch", "Wohnzimmer"))
    assert names(select(house, "die Aquariumbeleuchtung stört", language="de"))[0] == "Aquarium"


def test_device_classes_count_where_they_are_known() -> None:
    house = large_home(thing("Unit 1", "sensor", "Office"), thing("Unit 2", "sensor", "Office"))
    context = {"entities": [{"name": "Unit 2", "domain": "sensor", "device_class": "battery"}]}
    found = select(house, "which batteries are low", ha_context=context)
    assert names(found)[0] == "Unit 2"


def test_candidates_are_required() -> None:
    asked = ["Office Plug", "Attic Blind"]
    found = select(large_home(), "the other thing", candidates=asked)
    assert {e.name for e in found.required_entities} == set(asked)


def test_few_for_one_thing_many_for_everything() -> None:
    assert len(select(large_home(), "the office plug, please").entities) <= MOST_LOCAL
    found = select(large_home(), "make everything dark")
    assert MOST_LOCAL < len(found.entities) <= MOST_WIDE


def test_of_each_kind_that_is_meant_one_is_kept() -> None:
    lamps = [thing(f"Grass Lamp {n}", "light", "Lawn") for n in range(30)]
    found = select(large_home(*lamps, thing("Moritz", "lawn_mower")), "mow the grass on the lawn")
    assert "Moritz" in names(found)


# Tools


@pytest.mark.parametrize(
    ("sentence", "tool"),
    [
        ("it is too dark in the corner where I read", "HassLightSet"),
        ("what day is it", "GetDateTime"),
        ("we ran out of milk", "HassListAddItem"),
        ("is there anything on my calendar", "calendar_get_events"),
        ("I am cold", "HassClimateSetTemperature"),
        ("skip this song", "HassMediaNext"),
        ("remind me in ten minutes", "HassStartTimer"),
        ("is it warm in the attic", "GetLiveContext"),
        ("tell everybody that dinner is ready", "HassBroadcast"),
    ],
)
def test_tools_fit_the_sentence(sentence: str, tool: str) -> None:
    house = large_home(
        thing("Groceries", "todo"),
        thing("Family", "calendar"),
        thing("Voice", "assist_satellite"),
        satellite="Kitchen",
    )
    found = select(house, sentence)
    assert tool in plain(found)
    assert len(found.tools) <= MOST_TOOLS


def test_a_named_script_is_a_required_tool() -> None:
    script = {"name": "script__bedtime_story", "description": "Tells a story", "parameters": {"type": "object"}}
    house = large_home()
    found = select(type(house)(house.things, extra_tools=(script,)), "let us have the bedtime story again")
    assert [tool.name for tool in found.required_tools] == ["script__bedtime_story"]


def test_a_tool_of_another_integration_is_found_by_its_own_words() -> None:
    tool = {"name": "recipes__find_recipe", "description": "Find a recipe for a dish", "parameters": {"type": "object"}}
    house = large_home()
    assert plain(select(type(house)(house.things, extra_tools=(tool,)), "a recipe for pancakes"))[0] == "find_recipe"


# What went before


def test_calls_of_this_turn_are_required() -> None:
    call = called("light__HassLightSet", {"name": "Office Ceiling Light", "brightness": 10})
    found = select(large_home(), "make it cosy and then some", call, result(done("Office Ceiling Light")))
    assert "Office Ceiling Light" in {e.name for e in found.required_entities}
    assert "HassLightSet" in {t.plain for t in found.required_tools}


def test_a_follow_up_keeps_what_the_last_turn_was_about() -> None:
    call = called("HassLightSet", {"name": "Cellar Ceiling Light", "brightness": 10})
    earlier = ("dim the cellar ceiling light", call, result(done("Cellar Ceiling Light")))
    answer = {"role": "assistant", "content": "Done."}
    found = select(large_home(), *earlier, answer, "a bit more")
    assert "Cellar Ceiling Light" in {e.name for e in found.required_entities}
    assert "HassLightSet" in {t.plain for t in found.required_tools}


def test_a_question_of_the_assistant_keeps_what_it_named() -> None:
    asked = {"role": "assistant", "content": "Do you mean the Attic Plug or the Office Plug?"}
    found = select(large_home(), "switch the thing on", asked, "the second one")
    assert {"Attic Plug", "Office Plug"} <= {e.name for e in found.required_entities}


def test_a_sentence_of_its_own_does_not_lean_on_the_last_turn() -> None:
    call = called("HassTurnOn", {"name": "Cellar Plug"})
    earlier = ("cellar plug on", call, result(done("Cellar Plug")), {"role": "assistant", "content": "Done."})
    found = select(large_home(), *earlier, "and now I would like to have the office blind down half way if I may")
    assert [e.name for e in found.required_entities] == ["Office Blind"]


# Always

_TEXT = st.one_of(
    st.text(max_size=40),
    st.sampled_from(["", " ", "💡", "مصباح", "מנורה", "ล้าน", "灯", "a" * 10_000, "İ", "on", "123", "\ud800", "*(["]),
)
_ENTITIES = st.lists(
    st.builds(
        Entity,
        names=st.lists(_TEXT, max_size=3).map(tuple),
        domain=st.sampled_from(["light", "cover", "script", "todo", "", "odd"]),
        areas=st.lists(_TEXT, max_size=2).map(tuple),
        device_class=st.none() | st.sampled_from(["battery", ""]),
    ),
    max_size=12,
)
_TOOLS = st.lists(
    st.fixed_dictionaries(
        {"name": st.sampled_from(["HassTurnOn", "light__HassLightSet", "script__x", "GetLiveContext"])}
    ),
    max_size=5,
)


async def _selected(house: Read, sentence: str, candidates: list[str], language: str | None) -> Selection:
    return await retrieve(Turn(sentence, (), (), ()), house, candidates, language, Finder(lambda: False))


@settings(max_examples=80)
@given(
    _ENTITIES,
    _TOOLS,
    st.lists(_TEXT, max_size=4),
    st.booleans(),
    st.sampled_from([None, "en", "de-CH", "zh-CN", "xx"]),
)
async def test_odd_homes_and_sentences_never_raise_and_lose_nothing_required(
    entities: list[Entity], tools: list[dict[str, str]], said: list[str], known: bool, language: str | None
) -> None:
    areas = tuple(dict.fromkeys(Area(e.areas[:1]) for e in entities if e.areas))
    house = Read(Home(tuple(entities), areas, satellite_area="İ"), Toolbox.read(tools))
    sentence = " ".join([*said, *(e.name for e in entities[:1] if known)])
    candidates = [e.name for e in entities[1:2] if e.name]
    found = await _selected(house, sentence, candidates, language)
    assert found == await _selected(house, sentence, candidates, language)
    assert all(e in found.entities for e in found.required_entities)
    assert all(t in found.tools for t in found.required_tools)
    assert {e.name for e in entities if e.name in candidates} <= {e.name for e in found.required_entities}
    assert len(found.entities) == len(found.entity_reasons) <= MOST_WIDE
    json.dumps(found.note())


@given(st.sampled_from(ROOMS), st.sampled_from(["Ceiling Light", "Blind", "Thermostat", "Speaker", "Plug"]), st.text())
@settings(max_examples=30)
def test_whatever_is_said_around_a_name_it_is_required(room: str, device: str, around: str) -> None:
    found = select(large_home(), f"{around[:200]} . {room.upper()} {device.lower()}")
    assert f"{room} {device}" in {e.name for e in found.required_entities}
