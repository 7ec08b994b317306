"""Commands about something that the home does not have: asked back, never widened to something else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hassil.models import UnmatchedTextEntity
from hassil.recognize import MISSING_ENTITY, RecognizeResult
from hassil.util import remove_skip_words
from rapidfuzz import fuzz, process

from ..home.catalogue import Home
from ..home.mentions import Kind, Mention
from ..language.data import look_up
from ..language.grammar import Grammar
from ..language.replies import say
from ..language.words import folded_words
from ..meaning.plan import PLACE_SLOTS
from ..recognition.recognise import slot_lists
from ..turn.outcome import Generate, Reason
from ..wording.respond import listed

NEAR = 65
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
_MOST_WORDS_OF_NAME = 3
_FEWEST_LETTERS = 3
_LONGEST = 160
"""Characters of a sentence in which an unknown name is looked for: who says more says more than a command."""


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
        said = f"{text[:1].upper()}{text[1:]}"
        return Generate(reason, f"The home has no {self.slot} {self.text!r}.", candidates=self.near, fallback=said)


def find_unknown(sentence: str, mentions: Sequence[Mention], home: Home, grammar: Grammar) -> Unknown | None:
    """The name that keeps a sentence from being a command, or None where the sentence is none."""
    if len(sentence) > _LONGEST:
        return None
    lists = slot_lists(mentions)
    found = grammar.recognise(sentence, lists=lists, context={}, intents=_ACTIONS, unknown_names=True, spans=())
    catalogue = home.names.words
    named = {m.text.casefold() for m in mentions if m.known.kind is Kind.NAME}
    unknowns = [u for result in found if (u := _only_unknown(result, grammar, catalogue)) is not None]
    unknowns = [u for u in unknowns if not any(name in u.text.casefold() for name in named)]
    if not unknowns:
        return None
    names = [u for u in unknowns if u.name == "name" and len(u.text.split()) <= _MOST_WORDS_OF_NAME]
    unmatched = max(names, key=lambda u: len(u.text)) if names else min(unknowns, key=lambda u: len(u.text))
    text = _without_fillers(unmatched.text.strip(), grammar)
    if unmatched.name == "name":
        known = [name for entity in home.entities for name in entity.names]
    else:
        known = [name for area in home.areas for name in area.names]
    near = process.extract(
        text,
        list(dict.fromkeys(known)),
        scorer=fuzz.token_sort_ratio,
        score_cutoff=NEAR,
        limit=3,
        processor=str.casefold,
    )
    return Unknown(unmatched.name, text, tuple(name for name, _, _ in near))


def _without_fillers(text: str, grammar: Grammar) -> str:
    """The name alone: "bitte die Stehlampe" is the Stehlampe; it still stands in the sentence as it is."""
    name = remove_skip_words(text, grammar.intents.skip_words, grammar.intents.settings.ignore_whitespace).strip()
    return name if name and name in text else text


def _only_unknown(
    result: RecognizeResult, grammar: Grammar, catalogue: Mapping[str, str]
) -> UnmatchedTextEntity | None:
    """The one unknown name of a match that has a command word, unless it looks like a piece of another sentence."""
    texts = [
        u
        for u in result.unmatched_entities_list
        if not (isinstance(u, UnmatchedTextEntity) and u.text == MISSING_ENTITY)
    ]
    if len(texts) != 1 or any(e.is_wildcard for e in result.entities_list):
        return None
    only = texts[0]
    if not isinstance(only, UnmatchedTextEntity) or only.name not in PLACE_SLOTS:
        return None
    if result.intent_sentence is None or not result.intent_sentence.required_clauses:
        return None
    words = folded_words(only.text)
    if not 0 < len(words) <= _MOST_WORDS or len(only.text.strip()) < _FEWEST_LETTERS:
        return None
    pronouns: Sequence[str] = (look_up("follow_ups", grammar.language) or {}).get("pronouns", ())
    if words[0] in pronouns:
        return None
    common = [word for word in words if word in grammar.words and word not in catalogue]
    leads = result.original_text.casefold().startswith(only.text.strip().casefold())
    return None if (common and leads) or (len(words) == len(common) == 1) else only
