"""Exact recognition: a sentence, the names it mentions, and the grammar."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hassil.expression import TextChunk
from hassil.intents import TextSlotList, TextSlotValue
from hassil.recognize import RecognizeResult
from hassil.util import normalize_for_matching, normalize_text

from ..home.catalogue import Home
from ..home.intents import ITEM_INTENTS
from ..home.mentions import Kind, Mention
from ..language.grammar import Grammar
from ..language.shape import Span
from ..language.source import OWN

ANYWHERE = "\0anywhere"
"""Stands for the satellite's area where there is none, to find generic commands."""


_OWN_WORD = 4
"""Letters of which no language makes an ending: what follows free text within a word and is so long is a word."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way in which the grammar understands a sentence.

    `slots` are the values, `said` the words behind them; `domain` is that of the entity that the name means; `rank`
    sorts as Home Assistant sorts its matches, the lowest first; `free_texts` are the words
    that no list vouches for, `bare` says that the template needs no word besides the name.
    """

    intent: str
    language: str
    slots: Mapping[str, Any]
    said: Mapping[str, str]
    domain: str | None
    response: str
    template: str
    rank: tuple[int, ...]
    sentence: str = ""
    free_texts: tuple[str, ...] = ()
    bare: bool = False
    own: bool = False
    from_satellite: bool = False
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def free_text(self) -> int:
        """How many characters no list vouches for."""
        return sum(map(len, self.free_texts))


def normalise(text: str) -> str:
    """The sentence as the grammar sees it: one kind of space and apostrophe, no punctuation around words."""
    return normalize_for_matching(text).text


def recognise(
    sentence: str, mentions: Sequence[Mention], home: Home, grammar: Grammar, *, area: str | None = None
) -> tuple[Candidate, ...]:
    """All ways to understand a normalised sentence, the best first; `area` stands in for the satellite's."""
    found = grammar.recognise(
        sentence,
        lists=slot_lists(mentions),
        context=_area_context(area or home.satellite_area),
        spans=_spans(sentence, mentions),
    )
    whole = (r for r in found if grammar.intents.settings.ignore_whitespace or not _cuts_word(r, sentence))
    ordered = sorted((_candidate(r, grammar.language) for r in whole), key=lambda c: (c.rank, c.own), reverse=True)
    candidates = {_key(c): c for c in ordered}
    return tuple(sorted(candidates.values(), key=lambda c: c.rank))


def _cuts_word(result: RecognizeResult, sentence: str) -> bool:
    """Whether an item ends within a word whose rest was taken for one of its own: "Wiedergabe|liste"."""
    if result.intent.name not in ITEM_INTENTS:
        return False
    ends = (e.text_span[1] for e in result.entities_list if e.is_wildcard and e.text_span is not None)
    return any(
        end > 0
        and sentence[end - 1].isalnum()
        and len(rest := sentence[end : end + _OWN_WORD]) == _OWN_WORD
        and rest.isalpha()
        for end in ends
    )


def slot_lists(mentions: Iterable[Mention]) -> dict[str, TextSlotList]:
    """The request's own lists: what the sentence calls something, and what the catalogue calls it."""
    values: dict[Kind, dict[tuple[str, str, str | None], TextSlotValue]] = {kind: {} for kind in Kind}
    for mention in mentions:
        known = mention.known
        context = {"domain": known.domain} if known.domain else None
        values[known.kind].setdefault(
            (mention.text.casefold(), known.value, known.domain),
            TextSlotValue(TextChunk(normalize_text(mention.text)), known.value, context, {"score": mention.score}),
        )
    return {kind.value: TextSlotList(name=kind.value, values=list(items.values())) for kind, items in values.items()}


def _spans(sentence: str, mentions: Iterable[Mention]) -> tuple[Span, ...] | None:
    """Where the mentions stand; None where folding changes the length, so that places cannot be trusted."""
    if len(sentence.lower()) != len(sentence):
        return None
    return tuple(dict.fromkeys(Span(m.start, m.end, m.known.kind.value) for m in mentions))


def _area_context(area: str | None) -> dict[str, Any]:
    return {} if area is None else {"area": {"value": area, "text": area}}


def _candidate(result: RecognizeResult, language: str) -> Candidate:
    entities = result.entities
    name = entities.get("name")
    named = name is not None and not name.is_wildcard and name.text_span is not None
    wildcards = [e for e in result.entities_list if e.is_wildcard]
    metadata = result.intent_metadata or {}
    requires = result.intent_data.requires_context.get("area")
    from_satellite = (
        isinstance(requires, Mapping)
        and bool(requires.get("slot"))
        and "area" in entities
        and entities["area"].text_span is None
    )
    area_said = "area" in entities and entities["area"].text_span is not None
    domain = result.context.get("domain")
    free = sum(len(e.text) for e in wildcards)
    return Candidate(
        intent=result.intent.name,
        language=language,
        slots={slot: e.value for slot, e in entities.items()},
        said={slot: e.text_clean for slot, e in entities.items()},
        domain=domain if named and isinstance(domain, str) else None,
        response=result.response or "default",
        template=result.intent_sentence.text or "" if result.intent_sentence else "",
        rank=(
            0 if named else 1,
            -len(name.text) if named and name is not None else 0,
            len(wildcards),
            0 if area_said else 1,
            -result.text_chunks_matched,
            free if result.intent.name not in ITEM_INTENTS else -free,
        ),
        bare=result.intent_sentence is not None and result.intent_sentence.required_clauses == frozenset(),
        sentence=result.original_text,
        free_texts=tuple(e.text for e in wildcards),
        own=bool(metadata.get(OWN)),
        from_satellite=from_satellite,
        metadata=metadata,
    )


def _key(candidate: Candidate) -> tuple[Any, ...]:
    return (candidate.intent, candidate.domain, *sorted((k, str(v)) for k, v in candidate.slots.items()))


def best(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The candidates that nothing tells apart from the first one."""
    return tuple(c for c in candidates if c.rank == candidates[0].rank)
