"""Questions: which read answers one, with the filters that the offered schema has. A question never acts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from ..home.catalogue import Home
from ..home.entity import Entity, fold
from ..home.intents import (
    CALENDAR_INTENTS,
    CLOCK_INTENTS,
    LIST_INTENTS,
    QUERY_INTENTS,
    STATE_INTENTS,
)
from ..home.match import Miss, NoTargets, as_list, find_targets
from ..home.toolbox import Tool, Toolbox
from ..language.data import languages_with, look_up
from ..language.words import fold_word, folded_words
from ..meaning.plan import NotPlanned, Planned
from ..recognition.recognise import Candidate
from ..turn.outcome import PlannedCall, Reason
from .measure import MEASURES, belongs

MOST_CALENDARS = 4
"""So many calendars are read for one question; of more, one has to be named."""

_LOCK_STATES = frozenset({"locked", "unlocked"})
_READS = {"HaAssistList": "todo_get_items", "HaAssistCalendar": "calendar_get_events"}


def plan_query(candidate: Candidate, home: Home, toolbox: Toolbox) -> Planned | NotPlanned:
    """The read that a question needs first."""
    plain = "GetDateTime" if candidate.intent in CLOCK_INTENTS else _READS.get(candidate.intent, "GetLiveContext")
    tool = toolbox.find(plain)
    if tool is None:
        return NotPlanned(candidate, Reason.TOOL_NOT_OFFERED, f"Home Assistant does not offer {plain} here.")
    if candidate.intent in LIST_INTENTS:
        return _plan_list(candidate, home, tool)
    if candidate.intent in CALENDAR_INTENTS:
        return _plan_calendar(candidate, tool)
    if candidate.intent in CLOCK_INTENTS:
        return _checked(candidate, tool, {})
    if as_list(candidate.slots.get("domain")) == ("person",) and "person" not in home.by_domain:
        return NotPlanned(candidate, Reason.NOT_CARRIED, "The home tells of no person.")
    asked = _on_known_floor(about_the_lock(candidate, home), home)
    if isinstance(asked, NotPlanned):
        return asked
    candidate, targets = asked
    return _checked(candidate, tool, _filters(candidate, home, tool), targets)


def further_reads(first: Planned, toolbox: Toolbox) -> tuple[Planned, ...]:
    """All reads of a question in order: several calendars are read one after another, and "tomorrow" needs the date."""
    candidate = first.candidate
    if candidate.intent not in CALENDAR_INTENTS:
        return (first,)
    tool, clock = toolbox.by_name[first.call.name], toolbox.find("GetDateTime")
    names = calendars(tool) if "calendar" not in candidate.slots else [str(first.call.arguments["calendar"])]
    reads = [
        Planned(PlannedCall(tool.name, {**first.call.arguments, "calendar": name}), candidate, ()) for name in names
    ]
    from_now = candidate.slots.get("range") in ("tomorrow", "day_after_tomorrow") or candidate.response == "next"
    if from_now and clock is not None:
        reads.append(Planned(PlannedCall(clock.name, {}), candidate, ()))
    return tuple(reads)


def _checked(
    candidate: Candidate, tool: Tool, arguments: dict[str, Any], targets: tuple[Entity, ...] = ()
) -> Planned | NotPlanned:
    problem = tool.problem(arguments)
    if problem is not None:
        return NotPlanned(candidate, Reason.NOT_CARRIED, f"The offered schema refuses the call: {problem}.")
    return Planned(PlannedCall(tool.name, arguments), candidate, targets)


def about_the_lock(candidate: Candidate, home: Home) -> Candidate:
    """Whether a door is locked its lock knows: the one whose name holds the door's, where the door itself is none."""
    name = candidate.slots.get("name")
    if name is None or candidate.slots.get("quality", candidate.slots.get("state")) not in _LOCK_STATES:
        return candidate
    if any(e.domain == "lock" or e.device_class == "lock" for e in home.by_name.get(fold(str(name)), ())):
        return candidate
    words = folded_words(str(name))
    locks = [e for e in home.by_domain.get("lock", ()) if any(_holds_name(folded_words(n), words) for n in e.names)]
    if len(locks) != 1:
        return candidate
    return replace(candidate, slots={**candidate.slots, "name": locks[0].name}, domain="lock")


def _holds_name(name: Sequence[str], words: Sequence[str]) -> bool:
    """Whether a name has all words of another, or begins with it where they are written together."""
    return set(words) <= set(name) or "".join(name).startswith("".join(words))


def _on_known_floor(candidate: Candidate, home: Home) -> tuple[Candidate, tuple[Entity, ...]] | NotPlanned:
    """Where the floors are known, the entities of the floor take its place; else the floor stays to be spoken of."""
    floor = candidate.slots.get("floor")
    if floor is None or not home.floors_known:
        return candidate, ()
    found = find_targets(home, {"floor": floor})
    if isinstance(found, NoTargets):
        return NotPlanned(candidate, Reason.UNKNOWN_AREA, f"Nothing is known on {floor}.", (), found.miss)
    return replace(candidate, slots={k: v for k, v in candidate.slots.items() if k != "floor"}), found.entities


def kind_of(candidate: Candidate) -> tuple[tuple[str, ...], str | None]:
    """The domains that a question names, and the class where its word says more than the domain: `media_player:tv`."""
    kind = candidate.slots.get("kind")
    if kind is None:
        return as_list(candidate.slots.get("domain")), None
    domain, _, device_class = str(kind).partition(":")
    return (domain,), device_class or None


def domains_of(candidate: Candidate) -> tuple[str, ...]:
    """The domains in which the answer can stand; empty where it may be any."""
    slots = candidate.slots
    if candidate.intent == "HassClimateGetTemperature":
        return ("climate", "sensor") if "name" not in slots else ("climate",)
    if candidate.intent in ("HassGetWeather", "HaAssistWeather"):
        return ("weather",)
    if candidate.intent == "HaAssistPlaying":
        return ("media_player",)
    if candidate.intent == "HaAssistMeasure":
        if slots.get("where") == "outside":
            return ("weather", "sensor")
        measure = MEASURES[str(slots.get("measure", "temperature"))]
        sensors = ("sensor",) if measure.classes else ()
        return (*measure.attributes, *sensors)
    domains, _ = kind_of(candidate)
    if candidate.intent == "HassGetState":
        domains = domains or as_list(candidate.domain)
        contacts = bool(as_list(slots.get("device_class"))) and domains == ("cover",)
        return (*domains, "binary_sensor") if contacts else domains
    return domains


def _filters(candidate: Candidate, home: Home, tool: Tool) -> dict[str, Any]:
    """What the read is limited to: never narrower than the answer."""
    slots, wanted = candidate.slots, dict[str, Any]()
    name, area = slots.get("name"), slots.get("area")
    domains = domains_of(candidate)
    bearers = home.by_name.get(fold(str(name)), ()) if name is not None else ()
    if bearers and not _has_parts(candidate, bearers, home):
        wanted["name"] = str(name)
    elif bearers:
        domains = tuple(dict.fromkeys((*(e.domain for e in bearers), "sensor")))
    if area is not None and name is None and not candidate.from_satellite:
        wanted["area"] = str(area)
    there = home.in_area(str(area)) if "area" in wanted else home.entities
    present = [d for d in domains if any(e.domain == d for e in there)]
    if present and "name" not in wanted:
        wanted["domain"] = present[0] if len(present) == 1 else present
    return {key: value for key, value in wanted.items() if key in tool.properties}


def _has_parts(candidate: Candidate, bearers: Sequence[Entity], home: Home) -> bool:
    """Whether other entities may hold what is asked of a device: "Kitchen Sink Battery" for "Kitchen Sink"."""
    if candidate.intent != "HaAssistMeasure":
        return False
    return any(belongs(s, e) for e in bearers for s in home.by_domain.get("sensor", ()))


def _plan_list(candidate: Candidate, home: Home, tool: Tool) -> Planned | NotPlanned:
    lists = home.by_domain.get("todo", ())
    name, kind = candidate.slots.get("name"), str(candidate.slots.get("list", "any"))
    found = [e for e in lists if fold(str(name)) in map(fold, e.names)] if name is not None else _lists(lists, kind)
    if len(found) != 1:
        why = f"{len(found)} lists could be meant." if found else "The home has no such list."
        miss = Miss.DUPLICATE if found else Miss.NOTHING_THERE
        return NotPlanned(candidate, Reason.MISSING_TARGET, why, tuple(found), miss)
    status = {"status": "completed"} if candidate.slots.get("status") == "completed" else {}
    return _checked(candidate, tool, {"todo_list": _offered_name(found[0], tool), **status})


def _lists(lists: Sequence[Entity], kind: str) -> list[Entity]:
    """The lists of a kind; where no name tells the kind, the only list."""
    words = _list_words().get(kind, frozenset())
    named = [e for e in lists if any(word in fold_word(n) for n in e.names for word in words)]
    return named or (list(lists) if len(lists) == 1 or kind == "any" else [])


@lru_cache(maxsize=1)
def _list_words() -> dict[str, frozenset[str]]:
    """Words in the names of lists, of all languages: people name their lists as they like."""
    kinds: dict[str, set[str]] = {}
    for language in languages_with("spoken"):
        for kind, names in (look_up("spoken", language).get("lists") or {}).items():
            kinds.setdefault(kind, set()).update(fold_word(n) for n in names)
    return {kind: frozenset(names) for kind, names in kinds.items()}


def _offered_name(entity: Entity, tool: Tool) -> str:
    """The name under which the tool knows a list."""
    known = (tool.properties.get("todo_list") or {}).get("enum") or ()
    return next((n for n in known if fold(str(n)) in map(fold, entity.names)), entity.name)


def calendars(tool: Tool) -> list[str]:
    """The calendars that the tool can read; the prompt does not list them."""
    known = (tool.properties.get("calendar") or {}).get("enum")
    return [str(name) for name in known] if isinstance(known, list) else []


def _plan_calendar(candidate: Candidate, tool: Tool) -> Planned | NotPlanned:
    names = calendars(tool)
    said = candidate.slots.get("calendar")
    if said is not None:
        names = [n for n in names if not set(folded_words(n)).isdisjoint(folded_words(str(said)))]
        if len(names) != 1:
            return NotPlanned(candidate, Reason.NOT_CARRIED, f"No single calendar is called {said!r}.")
    if not 0 < len(names) <= MOST_CALENDARS:
        return NotPlanned(candidate, Reason.NOT_CARRIED, f"The sentence does not say which of {len(names)} calendars.")
    span = "today" if candidate.slots.get("range", "week") == "today" else "week"
    return _checked(candidate, tool, {"calendar": names[0], "range": span})


def one_question(candidates: Sequence[Candidate]) -> Candidate | None:
    """Of questions that nothing tells apart the one to answer, or None where not all are questions.

    Home Assistant's own come first. A name that entities of several domains bear means all of them.
    """
    if not candidates or not all(c.intent in QUERY_INTENTS for c in candidates):
        return None
    first = min(candidates, key=lambda c: c.own)
    others = [c for c in candidates if c.own == first.own and c.slots == first.slots and c.response == first.response]
    return first if len({c.domain for c in others}) == 1 else replace(first, domain=None)


def states_known(candidate: Candidate, home: Home) -> bool:
    """Whether the request itself tells the states of all that the question is about."""
    if candidate.intent not in STATE_INTENTS:
        return False
    name, domains = candidate.slots.get("name"), domains_of(candidate)
    bearers = home.entities if name is None else home.by_name.get(fold(str(name)), ())
    asked = [e for e in bearers if not domains or e.domain in domains]
    return bool(asked) and all(e.state is not None for e in asked)
