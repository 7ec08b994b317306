"""A sentence that leans on the one before it: "and in the bedroom?", "turn it off"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from ..answering.query import READ_ONLY
from ..home.mentions import Kind, Mention, longest
from ..language.data import look_up
from ..meaning.plan import PLACE_SLOTS, TARGET_SLOTS, Planned
from ..recognition.recognise import Candidate, normalise
from ..turn.history import Turn
from ..turn.outcome import Act, Reason
from .interpret import Interpretation, Interpreter

MAX_WORDS = 8


def carried_over(turn: Turn, interpreter: Interpreter) -> Interpretation | None:
    """The sentence with what it leaves out taken from the one before; None where that is not certain."""
    sentence = normalise(turn.sentence)
    if not turn.earlier_sentences or not sentence or len(sentence.split()) > MAX_WORDS:
        return None
    before = _subject(turn, interpreter)
    asks = before is not None and before.candidate.intent in READ_ONLY
    if before is None or (not asks and interpreter.hopeless(sentence)):
        return None
    found = _with_pronoun(sentence, before, interpreter) or _with_new_place(sentence, before.candidate, interpreter)
    if found is None or not isinstance(found.outcome, Act):
        return None
    why = "What the sentence leaves out is taken from the one before."
    reason = found.outcome.reason if found.outcome.reason is Reason.READ_STATE else Reason.FOLLOW_UP
    return replace(found, outcome=replace(found.outcome, reason=reason, why=why), stage="carried_over")


def _subject(turn: Turn, interpreter: Interpreter) -> Planned | None:
    """The one command or question of the sentence before, itself perhaps carried over from further back."""
    earlier = turn.earlier_sentences[-1]
    found = interpreter.single(earlier)
    if found is None and len(turn.earlier_sentences) > 1:
        messages = turn.before
        last = max(i for i, m in enumerate(messages) if m.text.strip() == earlier)
        found = carried_over(replace(turn, sentence=earlier, rounds=(), before=messages[:last]), interpreter)
    if found is None or not found.certain or len(found.planned) != 1:
        return None
    only = found.planned[0]
    return None if only.candidate.free_text else only


def _with_pronoun(sentence: str, before: Planned, interpreter: Interpreter) -> Interpretation | None:
    """The pronoun read as a name of the same kind, then given the target of the sentence before."""
    pattern = _phrase(interpreter.grammar.language, "pronouns")
    stand_in = _stand_in(before, interpreter)
    if pattern is None or stand_in is None or len(pattern.findall(sentence)) != 1 or interpreter.hopeless(sentence):
        return None
    found = interpreter.single(pattern.sub(stand_in, sentence))
    if found is None or not found.certain or len(found.planned) != 1:
        return None
    candidate = found.planned[0].candidate
    if candidate.slots.get("name") != stand_in or candidate.bare:
        return None
    target = {k: v for k, v in before.candidate.slots.items() if k in TARGET_SLOTS}
    parameters = {k: v for k, v in candidate.slots.items() if k not in TARGET_SLOTS}
    domain = before.candidate.domain or candidate.domain
    return interpreter.decide((replace(candidate, slots={**parameters, **target}, domain=domain),))


def _stand_in(before: Planned, interpreter: Interpreter) -> str | None:
    """The name of something that the sentence before was about."""
    if before.targets:
        return before.targets[0].name
    name = before.candidate.slots.get("name")
    return str(name) if name is not None and str(name).casefold() in interpreter.house.home.by_name else None


def _with_new_place(sentence: str, before: Candidate, interpreter: Interpreter) -> Interpretation | None:
    """The command or question before, for the area or the name that this sentence brings."""
    language = interpreter.grammar.language
    leads = ("leads", "asking") if before.intent in READ_ONLY else ("leads",)
    patterns = [p for kind in leads if (p := _phrase(language, kind)) is not None]
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
