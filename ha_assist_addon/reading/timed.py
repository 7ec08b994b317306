"""Questions about the weather that comes and about the past, where a tool that knows is offered.

Every word has to be explained; what is asked for is read and changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..answering.measure import MEASURES
from ..answering.quality import domains_with
from ..answering.query import about_the_lock
from ..home.catalogue import Home
from ..home.entity import Entity, fold
from ..home.intents import FORECAST, HISTORY
from ..home.toolbox import Tool
from ..language.lexicon import Lexicon, Role
from ..language.times import COMING, FUTURE, GONE, PastAsks, forecast_lexicon, past_lexicon
from ..meaning.command import Item, Reference, Scope
from ..meaning.plan import Planned
from ..meaning.reference import Found, Resolver
from ..recognition.recognise import Candidate
from ..turn.outcome import Act, PlannedCall, Reason
from .composition.question import PASSING
from .composition.spans import Span, speller_of
from .interpret import Interpreter
from .interpretation import Interpretation

_TELLING = frozenset({Role.TIME, Role.WEATHER, Role.ASKS, Role.QUALITY, Role.MEASURE, Role.LEVEL})
_CLOSE = 1.0
"""Readings that cost so much more than the best one are not meant any more."""
_WHOLE_DAYS = frozenset({"tomorrow", "day_after_tomorrow", "weekend", "week", "today"})
_RANK = (PastAsks.WHEN, PastAsks.HOW_OFTEN, PastAsks.HOW_LONG, PastAsks.WAS)
"""Which question a sentence is that holds the words of several: "since when was" asks when."""
_HAPPENING = frozenset({"event", "button", "input_button"})
"""Domains of what happens and is over: a doorbell."""
_OF_CLASSES = {"temperature": "temperature", "humidity": "humidity", "battery": "battery", "power": "power",
               "energy": "energy"}  # fmt: skip
"""Quantities whose sensors bear a class of that name."""
_PERIODS = {"week": "last_7_days"}
"""Times that the tool calls otherwise."""


def interpret_timed(text: str, interpreter: Interpreter) -> Interpretation | None:
    """The sentence as a question about the weather that comes or about the past, or None where it is neither."""
    language, toolbox = interpreter.grammar.language, interpreter.house.toolbox
    forecast, history = toolbox.contributed("get_forecast"), toolbox.contributed("get_history")
    found: Planned | None = None
    if forecast is not None and (words := forecast_lexicon(language)) is not None:
        found = _first(
            _forecast(parts, text, words, forecast, interpreter) for parts in _ways(text, words, interpreter)
        )
    if found is None and history is not None and (words := past_lexicon(language)) is not None:
        found = _first(_past(parts, text, words, history, interpreter) for parts in _ways(text, words, interpreter))
    if found is None:
        return None
    act = Act((found.call,), Reason.READ_STATE, "Every word is explained; what the question is about is read first.")
    return Interpretation(act, "asked_timed", language, (found,), (found.candidate,))


@dataclass(slots=True)
class _Parts:
    """What the phrases of a sentence say."""

    items: list[Item] = field(default_factory=list)
    said: dict[Role, list[str]] = field(default_factory=dict)
    here: bool = False
    tells: bool = False
    """Whether it begins with what it speaks of, as a statement does."""

    def of(self, role: Role) -> list[str]:
        return self.said.get(role, [])


def _first(found: Iterable[Planned | None]) -> Planned | None:
    return next((planned for planned in found if planned is not None), None)


def _ways(text: str, words: Lexicon, interpreter: Interpreter) -> Iterable[_Parts]:
    """The likeliest readings, each sorted; those with a word that nothing explains are left out."""
    least: float | None = None
    for way in speller_of(interpreter.house.home, words).parse(text).ways:
        cost = sum(span.cost for span in way)
        if least is not None and cost > least + _CLOSE:
            return
        parts = _sort(way)
        if parts is not None:
            least = cost if least is None else least
            yield parts


def _sort(way: Sequence[Span]) -> _Parts | None:
    parts = _Parts()
    begins = True
    for span in way:
        if span.is_unknown:
            return None
        if span.items:
            parts.tells |= begins
            parts.items += span.items
        elif span.meaning is not None and span.role in _TELLING:
            parts.said.setdefault(span.meaning.role, []).append(str(span.meaning.value))
            parts.said.setdefault(Role.ASKS, []).extend(span.meaning.acts)
        elif span.role is Role.HERE:
            parts.here = True
        elif span.role not in PASSING:
            return None
        begins &= span.role in (Role.SMALL, Role.COURTESY)
    return parts


def _forecast(parts: _Parts, text: str, words: Lexicon, tool: Tool, interpreter: Interpreter) -> Planned | None:
    weather, times = set(parts.of(Role.WEATHER)), set(parts.of(Role.TIME))
    future = FUTURE in parts.of(Role.ASKS)
    if len(times) > 1 or not (times or future) or not times <= COMING:
        return None
    # "What will the weather be, any rain?" asks for the rain.
    asked = weather - {"weather"} or weather
    if len(asked) != 1:
        return None
    about = asked.pop()
    when = next(iter(times), "week" if about in ("warm", "cold") and not times and not future else "today")
    if about in ("temperature", "warm", "cold") and when == "today" and not future:
        return None  # how warm it is, not how warm it gets
    slots: dict[str, Any] = {"when": when, "about": about}
    arguments: dict[str, Any] = {}
    if parts.items:
        place = _single(parts, ({"weather"},), words, interpreter.house.home)
        if place is None:
            return None
        arguments["name"] = slots["name"] = place.name
    if ("_" in when and when not in _WHOLE_DAYS) or when == "tonight":
        arguments["type"] = "hourly"
    return _planned(FORECAST, text, words.language, slots, tool, arguments)


def _past(parts: _Parts, text: str, words: Lexicon, tool: Tool, interpreter: Interpreter) -> Planned | None:
    asks = next((kind for kind in _RANK if kind in parts.of(Role.ASKS)), None)
    times, qualities = set(parts.of(Role.TIME)), tuple(dict.fromkeys(parts.of(Role.QUALITY)))
    measures, extremes = set(parts.of(Role.MEASURE)), set(parts.of(Role.LEVEL))
    if len(times) > 1 or not times <= GONE:
        return None
    when = next(iter(times), None)
    slots: dict[str, Any] = {} if when is None else {"when": when}
    if measures:
        if len(measures) > 1 or qualities or len(extremes) > 1 or when is None:
            return None
        if asks is not PastAsks.WAS and not (extremes and asks in (None, PastAsks.WHEN)):
            return None
        slots |= {"measure": measures.pop(), "extreme": next(iter(extremes), None), "asks": asks}
        return _of_measure(parts, slots, text, words, tool, interpreter.house.home)
    if asks is None or extremes or not (parts.items or parts.here):
        return None
    if asks is PastAsks.WAS and (when is None or not qualities or parts.tells):
        return None
    if asks is PastAsks.HOW_OFTEN and when is None:
        slots["when"] = "today"
    for quality in qualities:
        entity = _single(parts, _able(quality), words, interpreter.house.home)
        if entity is not None:
            slots |= {"asks": asks, "quality": quality, "name": entity.name}
            if asks is PastAsks.HOW_LONG and PastAsks.WAS not in parts.of(Role.ASKS) and when is None:
                slots["since"] = True
            return _about(entity, slots, text, words, tool, interpreter.house.home)
    return None


def _about(entity: Entity, slots: dict[str, Any], text: str, words: Lexicon, tool: Tool, home: Home) -> Planned | None:
    planned = _planned(HISTORY, text, words.language, slots, tool, _during(_naming(entity, home), slots))
    if planned is None:
        return None
    candidate = about_the_lock(planned.candidate, home)
    if candidate is planned.candidate:
        return planned
    arguments = _during({"name": candidate.slots["name"], "domain": "lock"}, slots)
    return _planned(HISTORY, text, words.language, dict(candidate.slots), tool, arguments)


def _of_measure(
    parts: _Parts, slots: dict[str, Any], text: str, words: Lexicon, tool: Tool, home: Home
) -> Planned | None:
    """A value of the past: of a device that is named, of a room by what its sensor measures, or out of doors."""
    measure = str(slots["measure"])
    device_class = _OF_CLASSES.get(measure)
    arguments: dict[str, Any] = {} if device_class is None else {"device_class": device_class}
    area = next((item.area for item in parts.items if item.area is not None), None)
    here = home.satellite_area if parts.here else None
    if parts.items and not (area is not None and len(parts.items) == 1):
        holding = {
            "sensor",
            *(frozenset(MEASURES[measure].attributes) if device_class in ("temperature", "humidity") else ()),
        }
        entity = _single(parts, (holding,), words, home)
        if entity is None:
            return None
        arguments |= _naming(entity, home)
        slots["name"] = entity.name
        if entity.domain != "sensor":
            arguments.pop("domain", None)
    elif device_class is None:
        return None
    elif area is not None or here is not None:
        arguments["area"] = area.name if area is not None else here
    elif measure not in ("temperature", "humidity"):
        return None
    return _planned(HISTORY, text, words.language, slots, tool, _during(arguments, slots))


def _able(quality: str) -> Sequence[Collection[str]]:
    """The domains of which an entity can have been so, the likeliest first: a door was opened, not its lock."""
    able = domains_with(quality)
    happening = _HAPPENING if quality == "triggered" else frozenset()
    closed = {"open", "closed"} & {quality}
    return (able - {"lock"}, able) if closed else (able | happening,)


def _single(parts: _Parts, domains: Sequence[Collection[str]], words: Lexicon, home: Home) -> Entity | None:
    """The one entity that the words name, or None where it is none or several."""
    scope = Scope.HERE if parts.here else Scope.OPEN
    reference = Reference(tuple(parts.items), scope)
    resolver = Resolver(home, speller_of(home, words).words, words.language)
    for wanted in domains:
        found = resolver.resolve(reference, wanted)
        if isinstance(found, Found) and len(found.entities) == 1 and not found.floor_unsure:
            return found.entities[0]
    return None


def _naming(entity: Entity, home: Home) -> dict[str, Any]:
    """The arguments by which the tool finds just this one."""
    namesakes = home.by_name.get(fold(entity.name), ())
    if len(namesakes) < 2:
        return {"name": entity.name}
    return {"name": entity.name, "domain": entity.domain, **({"area": entity.area} if entity.area else {})}


def _during(arguments: dict[str, Any], slots: dict[str, Any]) -> dict[str, Any]:
    when = slots.get("when")
    return arguments if when is None else {**arguments, "period": _PERIODS.get(when, when)}


def _planned(
    intent: str, text: str, language: str, slots: dict[str, Any], tool: Tool, arguments: dict[str, Any]
) -> Planned | None:
    if tool.problem(arguments) is not None:
        return None
    candidate = Candidate(intent, language, slots, {}, None, "default", "", (0,), text, own=True)
    return Planned(PlannedCall(tool.name, arguments), candidate, ())
