"""A question that leans on the one before it: "and in the bedroom?"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from ..home.intents import READ_ONLY
from ..home.mentions import Kind, Mention, longest
from ..language.data import look_up
from ..meaning.plan import PLACE_SLOTS
from ..recognition.recognise import Candidate, normalise
from ..turn.outcome import Act
from .dialogue import Before
from .interpret import Interpreter
from .interpretation import Interpretation

MAX_WORDS = 8


def ask_again(text: str, before: Before, interpreter: Interpreter) -> Interpretation | None:
    """The question before, for the area or the name that this sentence brings; None where that is not certain."""
    sentence = normalise(text)
    candidates = before.meaning.candidates
    if not candidates or candidates[0].intent not in READ_ONLY or len(sentence.split()) > MAX_WORDS:
        return None
    found = _with_new_place(sentence, candidates[0], interpreter)
    if found is None or not isinstance(found.outcome, Act):
        return None
    why = "What the sentence leaves out is taken from the one before."
    return replace(found, outcome=replace(found.outcome, why=why), stage="carried_over")


def _with_new_place(sentence: str, before: Candidate, interpreter: Interpreter) -> Interpretation | None:
    """The command or question before, for the area or the name that this sentence brings."""
    language = interpreter.grammar.language
    patterns = [p for kind in ("leads", "asking") if (p := _phrase(language, kind)) is not None]
    matches = [m for p in patterns if (m := p.match(sentence))]
    if not matches:
        return None
    rest_from = max(m.end() for m in matches)
    mention = _only_mention(sentence, rest_from, interpreter)
    if mention is None:
        return None
    between = f"{sentence[rest_from : mention.start]} {sentence[mention.end :]}".casefold().split()
    small = frozenset((look_up("follow_ups", language) or {}).get("small", ()))
    if not set(between) <= small:
        return None
    return interpreter.decide((_moved(before, mention),))


def _only_mention(sentence: str, start: int, interpreter: Interpreter) -> Mention | None:
    """The one thing that the rest of the sentence names: the longest name, or an area."""
    found = [m for m in interpreter.house.home.names.mentions(sentence) if m.start >= start]
    values = {(m.known.kind, m.known.value): m for m in longest(found)}
    return next(iter(values.values())) if len(values) == 1 else None


def _moved(before: Candidate, mention: Mention) -> Candidate:
    slots: dict[str, Any] = {k: v for k, v in before.slots.items() if k not in PLACE_SLOTS}
    kind = "area" if mention.known.kind is Kind.AREA else "name"
    slots[kind] = mention.known.value
    if kind == "area" and before.domain and "domain" not in slots:
        slots["domain"] = before.domain
    said: Mapping[str, str] = {**{k: v for k, v in before.said.items() if k in slots}, kind: mention.text}
    domain = mention.known.domain if kind == "name" else None
    return replace(before, slots=slots, said=said, domain=domain, from_satellite=False)


@lru_cache(maxsize=128)
def _phrase(language: str, kind: str) -> re.Pattern[str] | None:
    """The phrases of one kind as a pattern over whole words, the longest first."""
    phrases: Sequence[str] = (look_up("follow_ups", language) or {}).get(kind) or ()
    if not phrases:
        return None
    either = "|".join(re.escape(p) for p in sorted(phrases, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)
