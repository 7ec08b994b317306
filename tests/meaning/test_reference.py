"""Which entities a reference means."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from ha_assist_addon.meaning.command import Reference, Scope
from ha_assist_addon.meaning.reference import Found, Missing, Resolved, Resolver, Several
from tests.support.small_home import HALL, KITCHEN, STUDY, WORDS, named, noun, placed, small_home

LIGHTS = noun("light", "lights", plural=True)
LIGHT = noun("light", "light")


def resolve(
    reference: Reference, domains: Collection[str] = ("light",), here: str | None = None, *, everywhere: bool = False
) -> Resolved:
    return Resolver(small_home(here), WORDS, "en").resolve(reference, frozenset(domains), all_everywhere=everywhere)


def names(found: Resolved) -> list[str]:
    assert isinstance(found, Found), found
    return [e.name for e in found.entities]


@pytest.mark.parametrize("said", ["desk lamp", "Desk Lamp", "reading light", "desk"])
def test_a_name_an_alias_or_a_piece_that_only_one_has(said: str) -> None:
    found = resolve(Reference((named(said),)))
    assert names(found) == ["Floor Lamp" if "reading" in said else "Desk Lamp"]


def test_a_piece_that_two_have_is_asked() -> None:
    found = resolve(Reference((named("lamp"),)))
    assert isinstance(found, Several)
    assert [e.name for e in found.entities] == ["Desk Lamp", "Floor Lamp"]


def test_every_word_has_to_fit() -> None:
    assert isinstance(resolve(Reference((named("desk lamp"), placed(KITCHEN)))), Missing)


def test_a_name_of_another_domain_is_missing() -> None:
    assert isinstance(resolve(Reference((named("kettle"),))), Missing)


def test_the_lights_of_a_room_are_all_of_them() -> None:
    found = resolve(Reference((LIGHTS, placed(STUDY))))
    assert names(found) == ["Desk Lamp", "Floor Lamp"]
    assert isinstance(found, Found)
    assert found.area == "Study"


@pytest.mark.parametrize(("here", "wanted"), [("Study", ["Desk Lamp", "Floor Lamp"]), ("Kitchen", ["Ceiling"])])
def test_without_a_place_the_room_where_it_was_said_decides(here: str, wanted: list[str]) -> None:
    assert names(resolve(Reference((LIGHTS,)), here=here)) == wanted


def test_without_a_place_and_a_satellite_it_is_asked() -> None:
    assert isinstance(resolve(Reference((LIGHT,))), Several)


def test_here_where_nothing_of_the_kind_is_is_missing() -> None:
    assert isinstance(resolve(Reference((LIGHTS,), scope=Scope.HERE), here="Hall"), Missing)


def test_all_is_the_room_or_the_home_as_the_act_wants_it() -> None:
    everything = Reference((LIGHTS,), all=True)
    assert names(resolve(everything, here="Kitchen")) == ["Ceiling"]
    assert names(resolve(everything, here="Kitchen", everywhere=True)) == ["Desk Lamp", "Floor Lamp", "Ceiling"]


def test_an_exception_is_left_out_and_has_to_be_among_them() -> None:
    lights = Reference((LIGHTS, placed(STUDY)), all=True, exceptions=(Reference((named("desk lamp"),)),))
    assert names(resolve(lights)) == ["Floor Lamp"]
    other = Reference((LIGHTS, placed(STUDY)), all=True, exceptions=(Reference((named("ceiling"),)),))
    assert isinstance(resolve(other), Missing)


def test_both_means_two() -> None:
    assert names(resolve(Reference((LIGHTS, placed(STUDY)), both=True))) == ["Desk Lamp", "Floor Lamp"]
    assert isinstance(resolve(Reference((LIGHTS,), both=True, scope=Scope.HERE), here="Kitchen"), Several)


def test_everything_switches_no_lock_and_no_cover() -> None:
    domains = ("light", "switch", "media_player", "lock", "cover")
    found = resolve(Reference(everything=True, scope=Scope.HOME), domains)
    assert (
        {e.domain for e in found.entities} == {"light", "switch", "media_player"} if isinstance(found, Found) else False
    )
    assert isinstance(resolve(Reference((placed(HALL),), everything=True), domains), Missing)
