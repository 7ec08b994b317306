"""Homes, sentences and histories that hypothesis draws from."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from hassil.expression import TextChunk
from hassil.intents import TextSlotList, TextSlotValue
from hassil.sample import sample_expression
from hypothesis import settings
from hypothesis import strategies as st

from ha_assist_addon.conversation import JsonObject
from ha_assist_addon.home.catalogue import Home, read_home
from ha_assist_addon.home.entity import Entity
from ha_assist_addon.home.intents import PLATFORM, intent_row
from ha_assist_addon.home.match import Targets, find_targets
from ha_assist_addon.language.grammar import GrammarLibrary
from tests.support.house import VERSIONS, House, Thing, prompt, tools

LANGUAGES = ("en", "de")

NAMES = {
    "light": (
        "Desk Lamp",
        "Reading Spot",
        "Lamp 1",
        "Lamp 2",
        "Lamp 12",
        "Büro Decke",
        "LED-Strip",
        "Stehleuchte",
        "Mood",
    ),
    "switch": ("Coffee Machine", "Heater Plug", "Gartenpumpe", "TV Socket"),
    "cover": ("Left Blind", "Kiosk Flap", "Rollladen West"),
    "lock": ("Front Door", "Haustür"),
    "fan": ("Breeze Nine", "Wirbel"),
    "climate": ("Warmer West", "Calor"),
    "media_player": ("Old Blaster", "Klangbar"),
    "scene": ("Movie Night", "Gute Nacht"),
    "vacuum": ("Rosie",),
    "todo": ("Groceries", "Einkaufsliste"),
    "sensor": ("Outside Temperature",),
}
"""No two are one edit apart, so that what was mistyped has one meaning; none is a word for its kind ("ceiling fan")."""
AREAS = ("Kitchen", "Hall", "Wohnzimmer", "Büro", "Room 101")
ALIASES = {"Kitchen": ("Cookery",), "Wohnzimmer": ("Stube", "Lounge")}
_EVERYTHING = tuple((name, domain) for domain, names in NAMES.items() for name in names)

COMMANDS = {
    "en": (
        "turn on the {name}",
        "turn off the {name}",
        "switch the {name} off",
        "turn on the lights in the {area}",
        "turn off all lights in the {area}",
        "open the {name}",
        "close the {name}",
        "lock the {name}",
        "unlock the {name}",
        "set the {name} to {number} percent",
        "set {name} brightness to {number}%",
        "set the {name} to red",
        "activate {name}",
        "set the temperature to {number} degrees",
        "pause the music",
        "start {name}",
        "add bread to my {name}",
        "turn on the {name} and the {other}",
        "turn off the {name} and close the {other}",
        "lights on",
    ),
    "de": (
        "schalte {name} ein",
        "schalte die {name} aus",
        "mach das Licht im {area} an",
        "mach alle Lichter im {area} aus",
        "öffne {name}",
        "schließe {name}",
        "{name} auf {number} Prozent",
        "stelle {name} auf {number} Prozent",
        "stelle die Temperatur auf {number} Grad",
        "aktiviere {name}",
        "setze Brot auf die {name}",
        "schalte {name} und {other} aus",
    ),
}
QUESTIONS = {
    "en": (
        "is the {name} on?",
        "what is the temperature in the {area}?",
        "are any lights on in the {area}?",
        "what time is it?",
    ),
    "de": ("ist {name} an?", "wie warm ist es im {area}?", "wie spät ist es?"),
}
_VOCABULARY = """
turn switch set on off open close lock unlock the all in to and except not lights light lamp blinds percent
schalte mach stelle ein aus an auf im und alle nicht Licht Lichter Prozent Grad % 0 1 2 12 40 50 101 -5 1000
"""
_WORDS = tuple(_VOCABULARY.split())


def count(share: float = 1.0) -> settings:
    """So many examples, measured by the profile in force."""
    return settings(
        max_examples=max(5, int(settings.get_profile(settings.get_current_profile_name()).max_examples * share))
    )


@st.composite
def houses(draw: st.DrawFn, *, unique: bool = False) -> House:
    """A home of up to nine things; names are borne twice now and then."""
    chosen = draw(st.lists(st.sampled_from(_EVERYTHING), min_size=1, max_size=9, unique=unique))
    things = []
    for name, domain in chosen:
        area = draw(st.sampled_from([None, *AREAS]))
        things.append(Thing((name,), domain, (area, *ALIASES.get(area, ())) if area else ()))
    return House(tuple(things), draw(st.sampled_from([None, None, *AREAS])), version=draw(st.sampled_from(VERSIONS)))


@st.composite
def commands(draw: st.DrawFn, house: House, language: str) -> str:
    """A sentence about a thing or an area of the home, or of another one."""
    name, other = (draw(st.sampled_from([t.name for t in house.things] * 3 + ["Nothing"])) for _ in range(2))
    areas = [area for t in house.things for area in t.areas] or list(AREAS)
    template = draw(st.sampled_from(COMMANDS[language]))
    number = draw(st.sampled_from((0, 1, 20, 21, 50, 100, 101, 400)))
    return template.format(name=name, other=other, area=draw(st.sampled_from(areas)), number=number)


@st.composite
def questions(draw: st.DrawFn, house: House, language: str) -> str:
    """A question about the home."""
    template = draw(st.sampled_from(QUESTIONS[language]))
    return template.format(name=draw(st.sampled_from(house.things)).name, area=draw(st.sampled_from(AREAS)))


@cache
def _library() -> GrammarLibrary:
    return GrammarLibrary()


@st.composite
def official(draw: st.DrawFn, house: House, language: str) -> str:
    """A sentence that the official grammar makes, with names of this home."""
    grammar = _library().get(language)
    assert grammar is not None
    intents = grammar.intents
    intent = draw(st.sampled_from(sorted(intents.intents)))
    data = draw(st.sampled_from(intents.intents[intent].data))
    sentence = draw(st.sampled_from(data.sentences))
    lists = {**intents.slot_lists, **_lists(house), **data.slot_lists}
    rules = {**intents.expansion_rules, **data.expansion_rules}
    made = sample_expression(sentence.expression, lists, rules, expand_ranges=False, language=language)
    nth = draw(st.integers(0, 40))
    try:
        texts = list(itertools.islice(made, nth + 1))
    except Exception:  # noqa: BLE001 - hassil's sampler knows no wildcards in some places
        texts = []
    text = texts[-1] if texts else "turn on the lights"
    number = str(draw(st.sampled_from((0, 5, 21, 50, 100))))
    return re.sub(r"\s+", " ", re.sub(r"\{[^}]*\}", number, text)).strip()


def _lists(house: House) -> dict[str, Any]:
    names = [name for t in house.things for name in t.names]
    areas = [area for t in house.things for area in t.areas] or ["Kitchen"]
    values = {"name": names, "area": areas, "floor": ["upstairs"]}
    return {
        kind: TextSlotList(kind, [TextSlotValue(TextChunk(text), text) for text in dict.fromkeys(texts)])
        for kind, texts in values.items()
    }


@st.composite
def jumbles(draw: st.DrawFn, house: House) -> str:
    """Words of commands in any order."""
    names = [t.name for t in house.things]
    return " ".join(draw(st.lists(st.sampled_from([*_WORDS, *names, *AREAS]), min_size=1, max_size=9)))


@st.composite
def asked(draw: st.DrawFn) -> tuple[House, str]:
    """A home and anything that may be said in it."""
    house, language = draw(houses()), draw(st.sampled_from(LANGUAGES))
    said = draw(
        st.one_of(
            commands(house, language),
            questions(house, language),
            official(house, language),
            jumbles(house),
            st.text(max_size=40),
        )
    )
    return house, said


@st.composite
def mistyped(draw: st.DrawFn, sentence: str) -> str:
    """One letter of one longer word left out, doubled, swapped with the next, or replaced."""
    words = list(re.finditer(r"[^\W\d_]{4,}", sentence))
    if not words:
        return sentence
    word = draw(st.sampled_from(words))
    at = draw(st.integers(word.start() + 1, word.end() - 2))
    letter = draw(st.sampled_from("aeinrstlxq"))
    before, hit, after = sentence[:at], sentence[at], sentence[at + 1 :]
    return draw(
        st.sampled_from(
            [before + after, before + hit * 2 + after, before + after[:1] + hit + after[1:], before + letter + after]
        )
    )


@cache
def guard_words(language: str) -> Sequence[tuple[str, st.SearchStrategy[str]]]:
    """The kinds of guard words of a language, each with a strategy that spells one out."""
    folder = files("ha_assist_addon.language").joinpath(language, "guards.yaml")
    loaded = yaml.safe_load(folder.read_text(encoding="utf-8"))
    return [
        (kind, spelt_out(pattern))
        for kind, patterns in loaded.items()
        for pattern in patterns
        if isinstance(pattern, str)
    ]


def spelt_out(pattern: str) -> st.SearchStrategy[str]:
    """Words that a guard pattern means."""
    plain = (
        pattern.removeprefix("^").replace("\\b", "").replace("\\w+", "some").replace("\\w*", "").replace(".*", " den ")
    )
    plain = plain.replace("\\d+", "15").replace("+", "")
    return st.from_regex(re.compile(plain, re.ASCII), fullmatch=True).map(str.strip)


def home_of(house: House) -> Home:
    """The home as the pipeline reads it."""
    return read_home(prompt(house))


def targets(house: House, plain: str, arguments: JsonObject) -> tuple[Entity, ...] | None:
    """What an action reaches in the home; None for tools that reach no entity."""
    if plain not in PLATFORM and plain not in {"HassTurnOn", "HassTurnOff"}:
        return None
    found = find_targets(home_of(house), arguments, domains=PLATFORM.get(plain), single=intent_row(plain).single)
    return found.entities if isinstance(found, Targets) else ()


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 500),
    st.text(max_size=12),
    st.floats(allow_nan=False, allow_infinity=False),
)
JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                (
                    "data",
                    "error",
                    "error_text",
                    "success",
                    "failed",
                    "result",
                    "response_type",
                    "name",
                    "type",
                    "items",
                    "speech_slots",
                    "date",
                    "time",
                )
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


def call_names(house: House) -> list[str]:
    """Tools that a history may hold: those offered, plain ones, and one that never was."""
    offered = [str(tool["name"]) for tool in tools(house)]
    return [*offered, "HassTurnOn", "HassTurnOff", "GetLiveContext", "NoSuchTool"]
