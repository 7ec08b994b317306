"""What live states answer. Takes entities with their states, from a read or from fresh states in the request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..home.entity import Entity, fold
from ..home.match import as_list
from ..language.grammar import Grammar
from ..language.replies import official, say
from ..language.words import fold_word
from ..meaning.evidence import says_here
from ..recognition.recognise import Candidate
from ..wording.speak import (
    amount,
    as_sentence,
    enumerate_names,
    labels_of,
    names_of,
    spoken,
    state_text,
    state_word,
    stem,
)
from ..wording.state_view import StateView
from .measure import MEASURES, NO_ROOM, SETTING, Reading, belongs, is_missing, measures, readings
from .quality import UNAVAILABLE, holds, same_opening
from .query import domains_of, kind_of
from .somewhere import has, is_in_state, is_somewhere
from .template import as_number, by_template
from .told_readings import elsewhere, listed_readings, outside
from .weather import answer_weather

_ONLY_ON = frozenset({"brightness", "volume", "set_point", "speed"})
"""Quantities that a device has only while it is on."""

_OF_SEVERAL = frozenset({"how_many", "which", "all"})
"""Responses that tell of each entity."""

_SINGLE = frozenset({"one", "one_yesno", "where"})


def answer_state(
    candidate: Candidate, live: Sequence[Entity], grammar: Grammar, targets: Sequence[Entity] = ()
) -> str | None:
    """The sentence that answers a question about states, or None where the states do not answer it.

    `targets` limits the answer to entities of the home, where the question names a floor that is known.
    """
    known = [e for e in live if e.state is not None]
    if targets:
        wanted = {(fold(e.name), e.domain, fold(e.area or "")) for e in targets}
        known = [e for e in known if (fold(e.name), e.domain, fold(e.area or "")) in wanted]
    text = _ANSWERS[candidate.intent](candidate, known, grammar)
    floor = candidate.said.get("floor") or candidate.slots.get("floor")
    if text is None or "floor" not in candidate.slots:
        return text
    return f"{as_sentence(text)} {say('whole_home', candidate.language, floor=floor)}"


def _called(candidate: Candidate, live: Iterable[Entity]) -> list[Entity]:
    """Entities of the name and the area of the question."""
    slots, found = candidate.slots, list(live)
    if (name := slots.get("name")) is not None:
        found = [e for e in found if fold(str(name)) in map(fold, e.names)]
    area = slots.get("area")
    if area is not None and not (candidate.from_satellite and name is not None):
        found = [e for e in found if fold(str(area)) in map(fold, e.areas)]
    return found


def _of_word(candidate: Candidate, live: Sequence[Entity]) -> tuple[list[Entity], bool]:
    """Entities of the kind that the question names, and whether they are just that: a speaker is no television.

    A question from a satellite looks at the whole home where its room has none.
    """
    domains, device_class = kind_of(candidate)
    called = [e for e in _called(candidate, live) if not domains or e.domain in domains]
    if not called and candidate.from_satellite and not says_here(candidate.sentence, candidate.language):
        called = [e for e in live if e.domain in domains]
    if device_class is None:
        return called, True
    word = stem(candidate.said.get("kind", ""))
    exact = [e for e in called if e.device_class == device_class or any(word in fold_word(n) for n in e.names)]
    return (exact, True) if exact else (called, False)


def _is_all(entities: Sequence[Entity], language: str) -> str:
    """Every entity with its state; one that has none now is said to be away."""
    names = dict(zip((id(e) for e in entities), labels_of(entities, language), strict=True))
    return " ".join(
        say("unavailable", language, name=names[id(e)])
        if is_missing(e)
        else say("is_state", language, name=names[id(e)], state=state_text(e, language))
        for e in entities
    )


def _official_state(candidate: Candidate, live: Sequence[Entity], grammar: Grammar) -> str | None:
    """Home Assistant's own state questions, in its own words as far as they are right."""
    language = candidate.language
    found = _of_kind(candidate, _called(candidate, live))
    if not found:
        return say("none_there", language, area=candidate.slots.get("area"))
    there = [e for e in found if not is_missing(e)]
    if candidate.free_texts and "name" not in candidate.slots and not is_somewhere(candidate, there):
        return None
    if candidate.response in _SINGLE and (len(found) > 1 or not there):
        return _is_all(found, language)
    away = names_of((e for e in found if is_missing(e)), language)
    if not there:
        return say("not_available", language, names=enumerate_names(away, language), many=len(away) > 1)
    text = _rendered(candidate, there, grammar)
    if text is None or not away:
        return text
    missing = say("not_available", language, names=enumerate_names(away, language), many=len(away) > 1)
    return f"{as_sentence(text)} {missing}"


def _of_kind(candidate: Candidate, found: Sequence[Entity]) -> list[Entity]:
    """Entities of the domain and the class; contacts of doors and windows tell as well as covers do."""
    domains = as_list(candidate.slots.get("domain")) or as_list(candidate.domain)
    classes = as_list(candidate.slots.get("device_class"))
    kept = [e for e in found if (not domains or e.domain in domains) and (not classes or e.device_class in classes)]
    if classes and domains == ("cover",):
        kept += [e for e in found if any(same_opening(e, c) for c in classes)]
    return kept


def _rendered(candidate: Candidate, found: Sequence[Entity], grammar: Grammar) -> str | None:
    language, wanted = candidate.language, candidate.slots.get("state")
    person = found[0].domain == "person"
    matched: list[Entity] = []
    unmatched: list[Entity] = []
    for entity in found:
        fits = wanted is None or is_in_state(candidate, entity, [fold(str(w)) for w in as_list(wanted)], language)
        (matched if fits else unmatched).append(entity)
    if candidate.response == "how_many":
        return _counted(matched, found, language)
    first = (matched or unmatched)[0]
    if person and candidate.response == "where" and (word := state_word(first, language)):
        return say("is_state", language, name=first.name, state=word)
    if candidate.response == "one" and _is_measurement(first):
        return say("value_of", language, name=first.name, value=state_text(first, language))
    words = state_word(first, language)
    by_class = first.domain == "binary_sensor" and first.device_class in (spoken(language).get("classes") or {})
    text = by_template(candidate, matched, unmatched, grammar, words if by_class else None)
    if text is not None and words and not by_class and (first.state or "") in text.split() and words != first.state:
        return by_template(candidate, matched, unmatched, grammar, words)
    return text


def _is_measurement(entity: Entity) -> bool:
    return entity.domain == "sensor" and entity.attributes.get("unit_of_measurement") is not None


def _counted(matched: Sequence[Entity], among: Sequence[Entity], language: str) -> str:
    """A number alone says too little: a group counts beside its members, so the names are said too."""
    if not matched:
        return "0"
    return f"{len(matched)}: {enumerate_names(names_of(matched, language, among), language)}"


def _temperature(candidate: Candidate, live: Sequence[Entity], grammar: Grammar) -> str | None:
    """The temperature of a room or of a thermostat. What a thermostat is set to is never taken for it."""
    language, measure = candidate.language, "temperature"
    if candidate.response == "target_temperature":
        measure = "set_point"
    domains = domains_of(candidate)
    called = [e for e in _called(candidate, live) if e.domain in domains]
    found = readings(called, measure)
    if not found and candidate.from_satellite:
        called = [e for e in live if e.domain in domains]
        return elsewhere(readings(called, measure), called, candidate)
    single = _agreed(found) if "area" in candidate.slots or len(found) == 1 else None
    if single is None:
        return listed_readings(found, called, candidate)
    value = as_number(single.value)
    text = official(
        grammar.responses,
        candidate.intent,
        candidate.response,
        slots=dict(candidate.slots),
        state=StateView(single.entity.name, single.entity.domain, str(value), {}),
        state_attr=lambda _entity, _attribute: value,
    )
    if text is None:
        return listed_readings([single], called, candidate)
    return _localised(text, value, language)


def _localised(text: str, value: Any, language: str) -> str:
    """The official text with the number as the language writes it."""
    return text.replace(str(value), amount(str(value), None, language)) if isinstance(value, float) else text


def _agreed(found: Sequence[Reading]) -> Reading | None:
    """The one reading, or any of several that say the same."""
    return found[0] if found and len({(r.value, r.unit) for r in found}) == 1 else None


def _measure(candidate: Candidate, live: Sequence[Entity], _grammar: Grammar) -> str | None:
    """A quantity of a device, a room, the outside or the home."""
    measure = str(candidate.slots.get("measure", "temperature"))
    if candidate.slots.get("where") == "outside":
        return outside(candidate, live, measure)
    called = _called(candidate, live)
    if "name" in candidate.slots:
        found = readings(called, measure)
        parts = [e for e in live if any(belongs(e, c) for c in called)] if not found else []
        found = found or readings(parts, measure)
        if not found and measure in _ONLY_ON and (off := [e for e in called if e.state == "off"]):
            return _is_all(off, candidate.language)
        if not found and SETTING in candidate.slots:
            return _is_all(called, candidate.language)
        return listed_readings(found, called or parts, candidate)
    domains, _ = kind_of(candidate)
    rooms = [e for e in live if e.domain not in NO_ROOM and (not domains or e.domain in domains)]
    indoors = _called(candidate, rooms)
    found = readings(indoors, measure)
    if not found and candidate.from_satellite and (others := readings(rooms, measure)):
        return elsewhere(others, rooms, candidate)
    off = [e for e in indoors if e.state == "off" and e.domain in MEASURES[measure].attributes]
    if not found and off and measure in _ONLY_ON:
        return _is_all(off, candidate.language)
    asked = [e for e in indoors if e.domain in MEASURES[measure].attributes or measures(e, measure)]
    return listed_readings(found, asked, candidate)


def _quality(candidate: Candidate, live: Sequence[Entity], _grammar: Grammar) -> str | None:
    """Yes or no to what one entity is, with its state; several are told with their states."""
    language, quality = candidate.language, str(candidate.slots.get("quality", "on"))
    called, exact = _of_word(candidate, live)
    if quality == UNAVAILABLE:
        return _away(candidate, called)
    able = [e for e in called if is_missing(e) or holds(e, quality) is not None]
    if not able:
        return _is_all(called, language) if called and "name" in candidate.slots else _nothing(candidate)
    there = [e for e in able if not is_missing(e)]
    if candidate.response in _OF_SEVERAL and there:
        return _of_several(candidate, able, there, quality)
    if len(able) == 1 and there and exact:
        key = "yes_is" if has(there[0], quality, language) else "no_is"
        return say(key, language, name=there[0].name, state=state_text(there[0], language))
    if "name" in candidate.slots or not there or not exact:
        return _is_all(able, language)
    fits = names_of((e for e in there if has(e, quality, language)), language, there)
    if fits:
        return say("yes_names", language, names=enumerate_names(fits, language))
    away = [e for e in able if is_missing(e)]
    return f"{say('no', language)} {_is_all(away, language)}" if away else say("no", language)


def _away(candidate: Candidate, called: Sequence[Entity]) -> str:
    """Which are not available; one that is there is told with its state."""
    language, away = candidate.language, [e for e in called if holds(e, UNAVAILABLE)]
    if candidate.response == "how_many":
        return _counted(away, called, language)
    if away:
        return (
            _is_all(away, language)
            if len(called) == 1
            else f"{enumerate_names(names_of(away, language, called), language)}."
        )
    return f"{say('no', language)} {_is_all(called, language)}" if len(called) == 1 else say("no", language)


def _of_several(candidate: Candidate, able: Sequence[Entity], there: Sequence[Entity], quality: str) -> str:
    """How many are what is asked, which, or whether all are; those without a state now are told beside it."""
    language = candidate.language
    fits = [e for e in there if has(e, quality, language)]
    others = [e for e in there if e not in fits]
    if candidate.response == "how_many":
        text = _counted(fits, there, language)
    elif candidate.response == "which":
        text = enumerate_names(names_of(fits, language, there), language) if fits else say("no", language)
    elif len(able) == 1:
        key = "yes_is" if fits else "no_is"
        text = say(key, language, name=there[0].name, state=state_text(there[0], language))
    elif others:
        text = f"{say('no', language)} {_is_all(others, language)}"
    else:
        text = say("yes", language)
    away = [e for e in able if is_missing(e)]
    return f"{as_sentence(text)} {_is_all(away, language)}" if away else text


def _state_of(candidate: Candidate, live: Sequence[Entity], _grammar: Grammar) -> str | None:
    """The state of a device, or of all of a kind."""
    called, _ = _of_word(candidate, live)
    return _is_all(called, candidate.language) if called else _nothing(candidate)


def _playing(candidate: Candidate, live: Sequence[Entity], _grammar: Grammar) -> str | None:
    """What plays, by title and artist as far as they are told."""
    language = candidate.language
    players = [e for e in _called(candidate, live) if e.domain == "media_player"]
    if not players and candidate.from_satellite:
        players = [e for e in live if e.domain == "media_player"]
    if not players:
        return _nothing(candidate)
    playing = [e for e in players if e.state in ("playing", "buffering")]
    if playing:
        return " ".join(_plays(e, language) for e in playing)
    if "name" in candidate.slots or len(players) == 1:
        return _is_all(players, language)
    return say("nothing_playing", language)


def _plays(player: Entity, language: str) -> str:
    facts = player.attributes
    title, artist = facts.get("media_title"), facts.get("media_artist")
    if not title:
        return say("is_state", language, name=player.name, state=state_text(player, language))
    return say("plays", language, name=player.name, title=title, artist=artist)


def _nothing(candidate: Candidate) -> str:
    return say("none_there", candidate.language, area=candidate.slots.get("area"))


def _weather(candidate: Candidate, live: Sequence[Entity], grammar: Grammar) -> str | None:
    found = [e for e in _called(candidate, live) if e.domain == "weather"]
    if not found:
        return say("no_weather", candidate.language)
    if any(is_missing(e) for e in found):
        return _is_all(found, candidate.language)
    if candidate.intent == "HaAssistWeather":
        return answer_weather(candidate, found)
    said = [by_template(candidate, [e], (), grammar, None) for e in found]
    if len(found) == 1 or None in said:
        return said[0] if len(found) == 1 else answer_weather(candidate, found)
    return " ".join(f"{e.name}: {as_sentence(text)}" for e, text in zip(found, said, strict=True) if text)


_ANSWERS = {
    "HassGetState": _official_state,
    "HassClimateGetTemperature": _temperature,
    "HassGetWeather": _weather,
    "HaAssistWeather": _weather,
    "HaAssistState": _quality,
    "HaAssistStateOf": _state_of,
    "HaAssistMeasure": _measure,
    "HaAssistPlaying": _playing,
}
