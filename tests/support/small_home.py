"""A home of two rooms and a hall, and the parts of references to it, for tests of single steps."""

from __future__ import annotations

from ha_assist_addon.home.catalogue import Home
from ha_assist_addon.home.entity import Area, Entity
from ha_assist_addon.home.home_words import HomeWords
from ha_assist_addon.language.words import split_words
from ha_assist_addon.meaning.command import Item
from ha_assist_addon.meaning.kinds import KINDS, is_of

ENDINGS = frozenset({"", "s", "es"})
STUDY, KITCHEN, HALL = (
    Area(("Study", "Office"), "Upstairs"),
    Area(("Kitchen",), "Downstairs"),
    Area(("Hall",), "Downstairs"),
)


def entity(names: str, domain: str, area: Area | None, device_class: str | None = None) -> Entity:
    return Entity(tuple(names.split("/")), domain, area.names if area else (), device_class=device_class)


ENTITIES = (
    entity("Desk Lamp", "light", STUDY),
    entity("Floor Lamp/Reading Light", "light", STUDY),
    entity("Ceiling", "light", KITCHEN),
    entity("Blind", "cover", STUDY, "blind"),
    entity("Garage Door", "cover", None, "garage"),
    entity("Front Door", "lock", HALL),
    entity("Kettle", "switch", KITCHEN),
    entity("Radio", "media_player", KITCHEN),
)


def small_home(here: str | None = None) -> Home:
    """The home as it is told to the satellite in a room."""
    return Home(ENTITIES, (STUDY, KITCHEN, HALL), satellite_area=here)


WORDS = HomeWords(small_home(), ENDINGS)


def named(text: str) -> Item:
    """A name or a piece of one; `exact` where it is the whole."""
    words = split_words(text)
    bearers = frozenset.intersection(*(WORDS.with_word(word) for word in words))
    whole = any(split_words(name) == words for e in ENTITIES for name in e.names)
    return Item("name" if whole else "word", text, words, bearers, exact=whole)


def noun(kind: str, text: str, *, plural: bool | None = None) -> Item:
    """A noun for a kind of thing."""
    of = frozenset(n for n, e in enumerate(ENTITIES) if is_of(e, kind, "en") or e.domain in KINDS[kind].domains)
    return Item(f"noun:{kind}", text, split_words(text), of, plural=plural)


def placed(area: Area) -> Item:
    """An area that is said."""
    return Item("area", area.name, split_words(area.name), WORDS.in_area(area), area=area)
