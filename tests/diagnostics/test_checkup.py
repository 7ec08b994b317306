"""What is proposed works, what does not work is found, and a better name is tried before it is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from ha_assist_addon.backends.registry import BackendRegistry
from ha_assist_addon.diagnostics.names import home_of
from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.home.entity import Area, Entity
from ha_assist_addon.language.grammar import GrammarLibrary
from ha_assist_addon.services import Services
from ha_assist_addon.settings.store import SettingsStore
from ha_assist_addon.trial.checkup import COMMON_KINDS, check_home
from ha_assist_addon.trial.sayings import _patterns, for_area, for_entity, languages, try_sentence, working
from tests.support.house import House, body, thing

HOME = House(
    (
        thing("Ceiling Light", "light", "Kitchen"),
        thing("Blind", "cover", "Kitchen"),
        thing("Front Door", "lock", "Hall"),
        thing("Heating", "climate", "Hall"),
    ),
    satellite="Kitchen",
)
GRAMMARS = GrammarLibrary()


@pytest.fixture
def services(tmp_path: Path) -> Services:
    store = SettingsStore(tmp_path, environ={})
    return Services(store, GRAMMARS, BackendRegistry(store), TraceStore())


def test_every_language_has_sentences_for_the_same_kinds() -> None:
    kinds = {language: set(_patterns()[language]["devices"]) for language in languages()}
    assert set(map(frozenset, kinds.values())) == {frozenset(kinds["en"])}
    assert set(COMMON_KINDS) <= kinds["en"]


def test_a_room_is_named_as_one_says_it() -> None:
    assert for_area(Area(("Küche",)), {"light"}, "de")[0] == "Schalte das Licht in der Küche ein"
    assert for_area(Area(("Wohnzimmer",)), {"light"}, "de")[0] == "Schalte das Licht im Wohnzimmer ein"
    assert for_area(Area(("Kitchen",)), {"light"}, "en")[0] == "Turn on the lights in the Kitchen"


async def test_only_sentences_that_work_are_proposed(services: Services) -> None:
    chat = body(HOME, "")
    home = home_of(chat)
    for entity in home.entities:
        found = await working(for_entity(entity, "en"), chat, services, entity)
        assert len(found) == 3, entity
        assert all(one.works for one in found)
    light = Entity(("Ceiling Light",), "light", ("Kitchen",))
    assert not (await try_sentence("Turn on the Blind", chat, services, light)).works, "another device is not this one"
    assert not (await try_sentence("Turn on the Celing Light", chat, services, light)).works, "nor is a repaired name"
    assert not (await try_sentence("Make it cosy", chat, services, light)).works
    assert await working(["Do what you want"], chat, services, light) == []
    assert await services.traces.count() == 0


async def test_a_good_home_has_nothing_to_mend(services: Services) -> None:
    found = await check_home(body(HOME, ""), services, "en")
    assert (found.devices, found.areas, found.tried, found.unreached) == (4, 2, 4, ())
    assert found.dark_areas == ("Hall",)
    assert found.blind_areas == ("Kitchen",)
    assert "vacuum" in found.missing_kinds
    assert "light" not in found.missing_kinds


async def test_a_name_in_the_way_is_found_and_the_better_one_works(services: Services) -> None:
    twice = House(
        (*HOME.things, thing("Ceiling", "light", "Hall"), thing("Ceiling", "fan", "Hall")), satellite="Kitchen"
    )
    found = await check_home(body(twice, ""), services, "en")
    assert {(one.entity.name, one.entity.domain) for one in found.unreached} == {
        ("Ceiling", "light"),
        ("Ceiling", "fan"),
    }
    for one in found.unreached:
        assert one.cause == "same_name"
        assert one.others == ("Ceiling (Hall)",)
        assert not one.tried.works
        assert one.better is not None
        things = [
            thing(one.better if t.domain == one.entity.domain else t.name, t.domain, t.areas[0]) for t in twice.things
        ]
        renamed = Entity((one.better,), one.entity.domain, ("Hall",))
        sentence = for_entity(renamed, "en")[0]
        chat = body(House(tuple(things[4:]), satellite="Kitchen"), "")
        assert (await try_sentence(sentence, chat, services, renamed)).works


async def test_one_name_in_several_rooms_is_no_fault(services: Services) -> None:
    rooms = House((thing("Lamp", "light", "Kitchen"), thing("Lamp", "light", "Hall")), satellite="Kitchen")
    assert (await check_home(body(rooms, ""), services, "en")).unreached == ()


async def test_names_in_another_language_are_noticed(services: Services) -> None:
    german = House(
        (
            thing("Deckenlampe", "light", "Küche"),
            thing("Rollladen", "cover", "Schlafzimmer"),
            thing("Haustür", "lock", "Flur"),
            thing("Heizung", "climate", "Wohnzimmer"),
            thing("Fernseher", "media_player", "Wohnzimmer"),
        ),
        satellite="Küche",
    )
    assert (await check_home(body(german, ""), services, "de")).names_language is None
    assert (await check_home(body(german, ""), services, "en")).names_language == "de"
