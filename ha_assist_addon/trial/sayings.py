"""What can be said in a home: sentences per device and per area, each tried on the recogniser before it is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ..diagnostics.bodies import asking
from ..errors import HaAssistError
from ..home.entity import Area, Entity, fold
from ..language.data import parse
from .dry_run import DryRun, dry_run

if TYPE_CHECKING:
    from ..services import Services

FALLBACK = "en"
_SETTLED = frozenset({"called", "reading", "answered"})
_UNSURE = frozenset({"repaired_match"})


@dataclass(frozen=True, slots=True)
class Tried:
    """A sentence, and whether it means exactly this device or area, without any correction."""

    sentence: str
    works: bool
    reason: str
    reply: str
    """What the person would hear where it does not work."""


def languages() -> tuple[str, ...]:
    """Those that there are sentences in."""
    return tuple(_patterns())


def for_entity(entity: Entity, language: str) -> tuple[str, ...]:
    """What one could say about a device, the most useful first; empty where its kind has no sentences."""
    patterns = _patterns().get(language, _patterns()[FALLBACK])
    return tuple(pattern.format(name=entity.name) for pattern in patterns["devices"].get(entity.domain, ()))


def for_area(area: Area, domains: set[str], language: str) -> tuple[str, ...]:
    """What one could say about an area with devices of these kinds."""
    known = _patterns().get(language, _patterns()[FALLBACK])
    place = next(f"{word} {area.name}" for ending, word in known["places"] if area.name.casefold().endswith(ending))
    patterns = known["areas"]
    return tuple(p.format(place=place) for domain in patterns if domain in domains for p in patterns[domain])


async def working(
    sentences: Sequence[str], body: Mapping[str, Any], services: Services, meant: Entity | Area, most: int = 3
) -> list[Tried]:
    """The first sentences that work; none is shown that was not tried."""
    found: list[Tried] = []
    for sentence in sentences:
        one = await try_sentence(sentence, body, services, meant)
        if one.works:
            found.append(one)
        if len(found) == most:
            break
    return found


async def try_sentence(sentence: str, body: Mapping[str, Any], services: Services, meant: Entity | Area) -> Tried:
    """One sentence in the home of a request."""
    # Recognition works without a pause of its own; requests that arrive meanwhile come first.
    await asyncio.sleep(0)
    try:
        ran = await dry_run(asking(body, sentence, alone=True), services)
    except HaAssistError as error:
        return Tried(sentence, False, error.code, error.message)
    summary = ran.detail.summary
    settled = summary.outcome in _SETTLED and summary.reason not in _UNSURE and not ran.would_inference_calls
    return Tried(sentence, settled and _means(ran, meant), summary.reason, summary.reply or ran.error or "")


def _means(ran: DryRun, meant: Entity | Area) -> bool:
    """Whether the calls, or the reading where there are none, are about this and nothing else."""
    names = {fold(name) for name in meant.names}
    calls, plan = ran.detail.calls, ran.detail.metrics.get("ha_plan", {})
    slot = "name" if isinstance(meant, Entity) else "area"
    given = [{fold(value) for value in _texts(call["arguments"].get(slot))} for call in calls]
    if given and all(values and values <= names for values in given):
        return True
    if isinstance(meant, Entity):
        targets = {fold(target) for target in _texts(plan.get("targets"))}
        return bool(targets) and targets <= names
    return not calls and any(fold(value) in names for value in _texts(plan.get("area")))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        yield from (one for one in value if isinstance(one, str))


@cache
def _patterns() -> Mapping[str, Any]:
    text = files("ha_assist_addon.trial").joinpath("sayings.yaml").read_text(encoding="utf-8")
    return dict(parse(text))
