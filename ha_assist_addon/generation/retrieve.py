"""What of a home and its tools a language model needs to see for a sentence."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ..home.catalogue import Home
from ..home.entity import Area, Entity, fold
from ..home.request_home import RequestHome
from ..home.toolbox import Tool, Toolbox
from ..retrieval.concepts import concepts_of, knows_concepts
from ..retrieval.finder import Finder
from ..retrieval.lexical import compared_words, home_index
from ..retrieval.memory import Memory, remember
from ..retrieval.mentioned import Mentioned, mentioned, satellite_areas, small_words
from ..retrieval.select import MEANING_POINTS, Evidence, Score, Signal, best_entities, is_wide, score_entities
from ..retrieval.tools import STATE_TOOL, ToolEvidence, best_tools, domain_shares, score_tools, spoken_of, tool_text
from ..turn.history import Turn

_LONGEST = 1000
"""Characters of a sentence that are looked at."""

_FOLLOW_UP_WORDS = 8
"""A longer sentence that names something does not lean on the one before."""

_LEAST_LIKE = 0.3
"""Likeness below which a device or a tool has nothing to do with a sentence, where nothing else tells so."""

_BEFORE_TOOLS = 40
"""Entities, the likeliest by words, whose meaning is wanted even before that of the tools."""


@dataclass(frozen=True, slots=True)
class Reasoned:
    """Why something was selected, for the trace."""

    name: str
    score: float
    why: tuple[Signal, ...]


@dataclass(frozen=True, slots=True)
class Selection:
    """What a prompt needs, the most relevant first; of the areas, which are few, none is to be dropped.

    What the sentence names, what an ambiguous target can be, and what calls of this turn and the last are about is
    required: no budget may drop it. `entity_reasons` and `tool_reasons` go along with `entities` and `tools`.
    """

    entities: tuple[Entity, ...] = ()
    areas: tuple[Area, ...] = ()
    tools: tuple[Tool, ...] = ()
    required_entities: tuple[Entity, ...] = ()
    required_tools: tuple[Tool, ...] = ()
    concepts: tuple[str, ...] = ()
    entity_reasons: tuple[Reasoned, ...] = ()
    tool_reasons: tuple[Reasoned, ...] = ()

    def note(self) -> dict[str, Any]:
        """The selection as the trace shows it."""
        return {
            "concepts": list(self.concepts),
            "areas": [area.name for area in self.areas],
            "entities": [{"name": r.name, "score": r.score, "why": list(r.why)} for r in self.entity_reasons],
            "tools": [{"name": r.name, "score": r.score, "why": list(r.why)} for r in self.tool_reasons],
        }


async def retrieve(
    turn: Turn,
    house: RequestHome,
    candidates: Sequence[str],
    language: str | None,
    finder: Finder,
    fragments: Mapping[str, str] = MappingProxyType({}),
    common: Collection[str] = (),
) -> Selection:
    """Select entities, areas and tools for a turn; `candidates` are the names of an ambiguous target.

    `fragments` are the instructions that go with contributed tools, `common` words that tell no tool from another. A
    sentence that has nothing to do with the home gets no devices, and no tools but those contributed ones it speaks of.
    """
    home, sentence = house.home, turn.sentence[:_LONGEST]
    found = mentioned(home, sentence, language)
    leans = not found.named or len(sentence.split()) <= _FOLLOW_UP_WORDS
    memory = remember(turn, home, house.toolbox, leans=leans)
    evidence = _evidence(home, sentence, language, found, memory, candidates)
    scores = score_entities(home, evidence)
    texts = [_text(entity) for entity in home.entities]
    likeness = await finder.likeness(sentence, _most_wanted(texts, scores, house), language)
    if likeness:
        for text, score in zip(texts, scores, strict=True):
            score.add(Signal.MEANING, MEANING_POINTS * likeness.get(text, 0.0))
    about = spoken_of(house.toolbox, compared_words(sentence), fragments, common)
    general = _is_general(scores, evidence, house.toolbox, likeness, language)
    if general:
        scores = [Score() for _ in scores]
    elif found.places is not None and not found.place_guessed:
        scores = _within(found.places, home, scores)
    kept = best_entities(home, scores, evidence.concepts, wide=found.floor or is_wide(evidence))
    chosen = tuple(home.entities[n] for n in kept)
    reasons = tuple(_reasoned(home.entities[n].name, scores[n]) for n in kept)
    tool_scores = score_tools(
        house.toolbox, _tool_evidence(sentence, evidence, chosen, [scores[n] for n in kept], likeness, memory, about)
    )
    kept_tools = best_tools(tool_scores)
    if general:
        kept_tools = [n for n in kept_tools if house.toolbox.tools[n].name in {*about, *memory.tools}]
    tools = tuple(house.toolbox.tools[n] for n in kept_tools)
    return Selection(
        entities=chosen,
        areas=() if general else _areas(home, (*found.areas, *memory.areas, *satellite_areas(home)), chosen),
        tools=tools,
        required_entities=tuple(home.entities[n] for n in kept if scores[n].required),
        required_tools=tuple(house.toolbox.tools[n] for n in kept_tools if tool_scores[n].required),
        concepts=tuple(concept.name for concept in evidence.concepts),
        entity_reasons=reasons,
        tool_reasons=tuple(_reasoned(tool.name, tool_scores[n]) for tool, n in zip(tools, kept_tools, strict=True)),
    )


def _evidence(
    home: Home, sentence: str, language: str | None, found: Mentioned, memory: Memory, candidates: Sequence[str]
) -> Evidence:
    """All that is known without the meaning."""
    asked = frozenset(map(fold, candidates))
    elsewhere = found.places is not None and not found.place_guessed
    here = () if elsewhere else satellite_areas(home)
    nearby = {id(entity) for area in here for entity in home.in_area(area.name)}
    return Evidence(
        named=found.named,
        almost_named=found.almost,
        candidates=_bearers(home, asked),
        history=_bearers(home, memory.names),
        places=found.places,
        here={i for i, e in enumerate(home.entities) if id(e) in nearby} if nearby else (),
        concepts=concepts_of(sentence, language),
        words=home_index(home).score([w for w in compared_words(sentence) if w not in small_words(language)]),
    )


def _is_general(
    scores: Sequence[Score],
    evidence: Evidence,
    toolbox: Toolbox,
    likeness: Mapping[str, float],
    language: str | None,
) -> bool:
    """Whether nothing ties a sentence to the home: no name, no place, no kind of device, and no meaning either."""
    acting = {plain for concept in evidence.concepts for plain in concept.tools if plain != STATE_TOOL}
    wide = any(concept.wide for concept in evidence.concepts)
    if wide or not acting.isdisjoint(toolbox.by_plain) or not knows_concepts(language):
        return False
    told = {signal for score in scores for signal in score.why}
    return told <= {Signal.MEANING, Signal.SATELLITE} and max(likeness.values(), default=0.0) < _LEAST_LIKE


def _within(places: Collection[int], home: Home, scores: Sequence[Score]) -> list[Score]:
    """Of a sentence about a room, what stands in another one only where its name is said too."""
    named = [score.required or Signal.ALMOST_NAMED in score.why for score in scores]
    return [
        score if named[n] or n in places or not home.entities[n].areas else Score() for n, score in enumerate(scores)
    ]


def _bearers(home: Home, names: frozenset[str]) -> frozenset[int]:
    """Positions of the entities that have one of these names, folded."""
    if not names:
        return frozenset()
    return frozenset(n for n, entity in enumerate(home.entities) if not names.isdisjoint(map(fold, entity.names)))


def _most_wanted(texts: Sequence[str], scores: Sequence[Score], house: RequestHome) -> list[str]:
    """What to compare the sentence with, what matters most first, since time may not do for all."""
    ranked = sorted(range(len(scores)), key=lambda n: -scores[n].points)
    entities = [texts[n] for n in ranked]
    tools = [tool_text(tool) for tool in house.toolbox.tools]
    return list(dict.fromkeys((*entities[:_BEFORE_TOOLS], *tools, *entities[_BEFORE_TOOLS:])))


def _text(entity: Entity) -> str:
    return f"{entity.name}, {entity.area}" if entity.area else entity.name


def _tool_evidence(
    sentence: str,
    evidence: Evidence,
    chosen: Sequence[Entity],
    scores: Sequence[Score],
    likeness: Mapping[str, float],
    memory: Memory,
    about: Collection[str],
) -> ToolEvidence:
    most = max((score.points for score in scores), default=0.0)
    scripts = {str(e.attributes.get("tool")): s for e, s in zip(chosen, scores, strict=True) if e.domain == "script"}
    return ToolEvidence(
        words=compared_words(sentence),
        concepts=evidence.concepts,
        domains=domain_shares(chosen, scores),
        scripts={name: score.points / most for name, score in scripts.items()},
        meaning=likeness,
        named={name for name, score in scripts.items() if score.required},
        history=memory.tools,
        about=about,
    )


def _areas(home: Home, told: Sequence[Area], chosen: Sequence[Entity]) -> tuple[Area, ...]:
    """The areas that were told, then those of the chosen entities."""
    of_entities = (home.area_by_name.get(fold(entity.area)) for entity in chosen if entity.area)
    return tuple(dict.fromkeys((*told, *(area for area in of_entities if area is not None))))


def _reasoned(name: str, score: Score) -> Reasoned:
    return Reasoned(name, round(score.points, 1), tuple(score.why))
