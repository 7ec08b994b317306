"""Before something is taught: in which home, which actions can be done there, and what would change."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from rapidfuzz import fuzz

from ..diagnostics.bodies import as_chat
from ..diagnostics.query import EVERYTHING
from ..diagnostics.summary import Detail, Summary
from ..errors import HaAssistError
from ..home.entity import fold
from ..home.request_home import RequestHome, load_request_home
from ..home.toolbox import plain_name
from ..language.lexicon import Lexicon, lexicon
from ..language.words import fold_word, words_of
from ..meaning.openings import opens
from ..meaning.plan import NotPlanned
from ..reading.taught import work_of_taught
from ..taught.deeds import COLOURS, Choice, common_choices
from ..taught.lessons import Lessons
from ..taught.model import Deed, Target, key_of_taught
from ..taught.objections import Objected, Objection, object_to_alias
from ..turn.outcome import Reason
from ..wire.chat import parse_chat
from .dry_run import DryRun, body_for, dry_run, latest_home
from .replay import turns_of

if TYPE_CHECKING:
    from ..services import Services
    from ..taught.store import LessonStore

NEAREST = 10
SECONDS = 10.0
"""How long stored sentences are tried; the page says how many were."""


_WHY_RESTING = {Reason.UNKNOWN_NAME: Objection.GONE, Reason.DUPLICATE_NAME: Objection.ALIKE}


@dataclass(frozen=True, slots=True)
class Occasion:
    """Where something is taught: the request that it is about, or the latest one, with its home."""

    body: Mapping[str, Any]
    house: RequestHome
    original: Detail | None
    language: str


@dataclass(frozen=True, slots=True)
class Compared:
    """A sentence as it is and as it would be."""

    sentence: str
    now: DryRun
    then: DryRun

    @property
    def changed(self) -> bool:
        """Whether another thing would be done."""
        return _done(self.now) != _done(self.then)


@dataclass(frozen=True, slots=True)
class Consequences:
    """What a lesson changes: for its own sentence, for those like it, and for every other that was tried."""

    own: Compared | None
    nearest: tuple[Compared, ...]
    changed: tuple[Compared, ...]
    tried: int
    stored: int


async def occasion(services: Services, request_id: str | None, sentence: str, language: str) -> Occasion:
    """The home of a request, or of the latest; raises HaAssistError where there is none."""
    asked = sentence or (None if request_id else "?")
    body, original = await body_for(asked, services, request_id=request_id, else_latest=True)
    house = await _house(body, services)
    told = original.summary.language if original is not None else None
    return Occasion(body, house, original, told or house.language or language)


async def resting(services: Services, language: str) -> dict[str, Objected]:
    """What was taught and does nothing in the latest home, by its id; nothing is told without a home."""
    latest = await latest_home(services)
    if latest is None:
        return {}
    house, lessons = await _house(latest[1], services), services.taught.current
    if not house.home.entities:
        return {}
    found: dict[str, Objected] = {}
    for one in lessons.sentences:
        if one.does is None:
            continue
        for target in one.meant:
            made = work_of_taught(one.does, target, house, one.language or language, one.sentence)
            if isinstance(made, NotPlanned):
                why = _WHY_RESTING.get(made.reason, Objection.NOT_OFFERED)
                found.setdefault(one.id, Objected(why, target.name or target.area or ""))
    for alias in lessons.aliases:
        if (objected := object_to_alias(alias, house.home, ())) is not None:
            found[alias.id] = objected
    return found


def offered(targets: Sequence[Target], house: RequestHome, language: str) -> tuple[Choice, ...]:
    """The actions that the offered tools can do to all the targets; what is asked about first, to a single one."""
    return tuple(
        choice
        for choice in common_choices(targets)
        if all(_can(choice, one, house, language, alone=len(targets) == 1) for one in targets)
    )


async def consequences(draft: Lessons, about: Occasion, sentence: str, services: Services) -> Consequences:
    """What would change; nothing is done, recorded or asked of a model."""
    other = replace(services, taught=cast("LessonStore", _Draft(draft)))
    ends = time.monotonic() + SECONDS
    own = await _compare(sentence, about.body, services, other) if sentence else None
    key = key_of_taught(sentence)
    stored = [one for one in await _stored(services) if key_of_taught(str(one.sentence)) != key]
    stored.sort(key=lambda one: -fuzz.token_sort_ratio(fold(str(one.sentence)), fold(sentence)))
    nearest: list[Compared] = []
    changed: list[Compared] = []
    tried = 0
    for one in stored:
        if tried >= NEAREST and time.monotonic() > ends:
            break
        found = await _compare_stored(one, services, other)
        tried += 1
        if found is not None and len(nearest) < NEAREST:
            nearest.append(found)
        if found is not None and found.changed:
            changed.append(found)
    return Consequences(own, tuple(nearest), tuple(changed), tried, len(stored))


def guessed_name(original: Detail | None, sentence: str, house: RequestHome, ordinary: Mapping[str, str]) -> str:
    """The words of a sentence that name nothing here and belong to no command: a name, most likely."""
    unknown = original.metrics.get("ha_intent", {}).get("unknown") if original is not None else None
    if isinstance(unknown, Mapping) and isinstance(unknown.get("text"), str):
        return _without_small(str(unknown["text"]), ordinary)
    known = [(m.start, m.end) for m in house.home.names.mentions(sentence)]
    best = run = ""
    for word in words_of(sentence):
        inside = any(start <= word.start and word.end <= end for start, end in known)
        run = "" if inside or fold_word(word.text) in ordinary else f"{run} {word.text}".strip()
        best = max(best, run, key=len)
    return best


def _without_small(text: str, ordinary: Mapping[str, str]) -> str:
    """Words without an article before them or a part of the verb behind them."""
    words = text.split()
    while words and fold_word(words[0]) in ordinary:
        words.pop(0)
    while words and fold_word(words[-1]) in ordinary:
        words.pop()
    return " ".join(words)


async def ordinary_words(services: Services, languages: Sequence[str]) -> dict[str, str]:
    """Words of which commands are made, in these languages, by their folded form."""
    words: dict[str, str] = {}
    for language in dict.fromkeys(languages):
        grammar = await services.grammars.loads.grammar(language)
        words.update(grammar.words if grammar is not None else {})
        own = lexicon(language)
        words.update(own.words if own is not None else {})
    return words


def lexicons_of(languages: Sequence[str]) -> list[Lexicon]:
    """Those that there are of these languages."""
    return [own for language in dict.fromkeys(languages) if (own := lexicon(language)) is not None]


async def _house(body: Mapping[str, Any], services: Services) -> RequestHome:
    chat = parse_chat(as_chat(body)).chat
    registry = services.registry.current if services.registry is not None else None
    return await load_request_home(chat, services.homes, registry)


def _can(choice: Choice, target: Target, house: RequestHome, language: str, *, alone: bool) -> bool:
    deed = Deed(
        act=choice.act,
        quantity=choice.quantity,
        amount=20 if choice.wants_amount else None,
        colour=COLOURS[0] if choice.wants_colour else None,
    )
    made = work_of_taught(deed, target, house, language, "")
    if isinstance(made, NotPlanned):
        return False
    return alone or not any(opens(plain_name(p.call.name), e, language) for p in made.work.planned for e in p.targets)


@dataclass(frozen=True, slots=True)
class _Draft:
    """Lessons that nobody has saved."""

    current: Lessons


async def _stored(services: Services) -> list[Summary]:
    """The latest request of each stored sentence."""
    found: dict[str, Summary] = {}
    for turn in await turns_of(services.traces, EVERYTHING):
        if turn.first.sentence:
            found.setdefault(key_of_taught(turn.first.sentence), turn.first)
    return list(found.values())


async def _compare_stored(one: Summary, services: Services, other: Services) -> Compared | None:
    try:
        body, _ = await body_for(None, services, request_id=one.id, else_latest=True)
        return await _compare(str(one.sentence), as_chat(body), services, other)
    except HaAssistError:
        return None


async def _compare(sentence: str, body: Mapping[str, Any], services: Services, other: Services) -> Compared:
    # Requests that arrive meanwhile come first.
    await asyncio.sleep(0)
    return Compared(sentence, await dry_run(body, services), await dry_run(body, other))


def _done(ran: DryRun) -> tuple[Any, ...]:
    summary = ran.detail.summary
    calls = [(call["name"], dict(call["arguments"])) for call in ran.detail.calls]
    return (summary.route, summary.intent, summary.target, calls)


def targets_of(house: RequestHome) -> Iterator[Target]:
    """Every device of the home, also those that can only be asked about."""
    for entity in house.home.entities:
        if entity.name:
            yield Target(name=entity.name, domain=entity.domain, area=entity.area)
