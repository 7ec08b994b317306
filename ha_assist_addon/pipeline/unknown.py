"""Commands about something that the home does not have: asked back, never widened to something else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hassil.models import UnmatchedTextEntity
from hassil.recognize import MISSING_ENTITY, RecognizeResult
from rapidfuzz import fuzz, process

from ..home.catalogue import Home
from ..home.mentions import Mention
from ..language.grammar import Grammar
from ..language.replies import say
from .outcome import Generate, Reason
from .recognise import slot_lists
from .respond import listed

NEAR = 60
"""Similarity (0-100) from which a known name is worth mentioning in the question."""

_ACTIONS = frozenset(
    {
        "HassTurnOn",
        "HassTurnOff",
        "HassLightSet",
        "HassSetPosition",
        "HassFanSetSpeed",
        "HassClimateSetTemperature",
        "HassVacuumStart",
    }
)
_MOST_WORDS = 5


@dataclass(frozen=True, slots=True)
class Unknown:
    """A name or area that the home does not have, in a sentence that is a command otherwise."""

    slot: str
    text: str
    near: tuple[str, ...]

    def outcome(self, language: str | None) -> Generate:
        """A model may know what is meant; without one the person is asked."""
        reason = Reason.UNKNOWN_AREA if self.slot in ("area", "floor") else Reason.UNKNOWN_NAME
        if reason is Reason.UNKNOWN_AREA:
            text = say("unknown_area", language, area=self.text, candidates=listed(self.near, language))
        else:
            text = say("unknown_name", language, name=self.text, candidates=listed(self.near, language))
        return Generate(reason, f"The home has no {self.slot} {self.text!r}.", candidates=self.near, fallback=text)


def find_unknown(sentence: str, mentions: Sequence[Mention], home: Home, grammar: Grammar) -> Unknown | None:
    """The name that keeps a sentence from being a command, or None where the sentence is none."""
    found = grammar.recognise(sentence, lists=slot_lists(mentions), context={}, intents=_ACTIONS, unknown_names=True)
    unknowns = [(u, result) for result in found if (u := _only_unknown(result)) is not None]
    if not unknowns:
        return None
    unmatched, _ = min(unknowns, key=lambda pair: (len(pair[0].text), -pair[1].text_chunks_matched))
    text = unmatched.text.strip()
    known = (
        [n for a in home.areas for n in a.names]
        if unmatched.name in ("area", "floor")
        else [e.name for e in home.entities]
    )
    near = process.extract(
        text, list(dict.fromkeys(known)), scorer=fuzz.WRatio, score_cutoff=NEAR, limit=3, processor=str.casefold
    )
    return Unknown(unmatched.name, text, tuple(name for name, _, _ in near))


def _only_unknown(result: RecognizeResult) -> UnmatchedTextEntity | None:
    texts = [
        u
        for u in result.unmatched_entities_list
        if not (isinstance(u, UnmatchedTextEntity) and u.text == MISSING_ENTITY)
    ]
    if len(texts) != 1 or any(e.is_wildcard for e in result.entities_list):
        return None
    only = texts[0]
    if not isinstance(only, UnmatchedTextEntity) or only.name not in ("name", "area", "floor"):
        return None
    return only if 0 < len(only.text.split()) <= _MOST_WORDS and result.text_chunks_matched >= 2 else None
