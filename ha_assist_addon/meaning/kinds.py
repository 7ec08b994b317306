"""The kinds of thing that nouns name, and which entities are of a kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from ..home.entity import Entity
from ..language.lexicon import lexicon
from ..language.words import split_words


@dataclass(frozen=True, slots=True)
class Kind:
    """Domains, and of covers the device classes. `by_name`: of several, those whose name says the word are meant."""

    domains: frozenset[str]
    classes: frozenset[str] = frozenset()
    by_name: bool = False


def _kind(*domains: str, classes: Iterable[str] = (), by_name: bool = False) -> Kind:
    return Kind(frozenset(domains), frozenset(classes), by_name)


SHADING = frozenset({"blind", "shade", "shutter", "curtain", "awning"})
KINDS: Mapping[str, Kind] = {
    "light": _kind("light"),
    "lamp": _kind("light", by_name=True),
    "fan": _kind("fan"),
    "shading": _kind("cover", classes=SHADING),
    "garage": _kind("cover", classes=("garage",)),
    "gate": _kind("cover", classes=("gate",)),
    "door": _kind("cover", "lock", classes=("door",)),
    "window": _kind("cover", classes=("window",)),
    "lock": _kind("lock"),
    "switch": _kind("switch", "input_boolean"),
    "plug": _kind("switch", by_name=True),
    "tv": _kind("media_player", by_name=True),
    "radio": _kind("media_player", by_name=True),
    "speaker": _kind("media_player", by_name=True),
    "media": _kind("media_player"),
    "music": _kind("media_player"),
    "title": _kind("media_player"),
    "climate": _kind("climate", by_name=True),
    "humidifier": _kind("humidifier"),
    "vacuum": _kind("vacuum"),
    "mower": _kind("lawn_mower"),
    "valve": _kind("valve"),
    "scene": _kind("scene"),
    "script": _kind("script"),
    "list": _kind("todo"),
    "siren": _kind("siren"),
    "button": _kind("button", "input_button"),
}
_CLASS_NOUNS = ("garage", "gate", "shading", "window", "door")


def is_of(entity: Entity, kind: str, language: str) -> bool:
    """Whether an entity is of a kind by its domain, and of covers by its class or what its name says it is."""
    known = KINDS.get(kind)
    if known is None or entity.domain not in known.domains:
        return False
    if entity.domain != "cover" or not known.classes:
        return True
    told = cover_class(entity, language)
    if told is not None:
        return told in known.classes or (told == "shading" and bool(known.classes & SHADING))
    return kind == "shading"


def is_named_as(entity: Entity, kind: str, language: str) -> bool:
    """Whether a name of an entity holds a noun of a kind, whichever: "Telly" is a television."""
    words = frozenset(w for name in entity.names for w in split_words(name))
    return any(_says(words, noun) for noun in _class_words(kind, language))


def cover_class(entity: Entity, language: str) -> str | None:
    """The class of a cover: as Home Assistant tells it, else by the nouns in its name; None where neither tells."""
    if entity.device_class is not None:
        return entity.device_class
    return _class_by_name(entity.names, language)


@lru_cache(maxsize=4096)
def _class_by_name(names: tuple[str, ...], language: str) -> str | None:
    words = frozenset(w for name in names for w in split_words(name))
    for kind in _CLASS_NOUNS:
        if any(_says(words, noun) for noun in _class_words(kind, language)):
            return kind
    return None


def _says(words: frozenset[str], noun: tuple[str, ...]) -> bool:
    if len(noun) > 1:
        return words.issuperset(noun)
    return noun[0] in words or any(len(noun[0]) > 3 and w.endswith(noun[0]) for w in words)


@lru_cache(maxsize=128)
def _class_words(kind: str, language: str) -> tuple[tuple[str, ...], ...]:
    """The nouns of a class in a language and in English, which homes are often named in."""
    known = (lexicon(code) for code in dict.fromkeys((language, "en")))
    return tuple({phrase for lex in known if lex is not None for phrase in lex.nouns_of(kind)})
