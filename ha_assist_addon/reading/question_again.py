"""A question that leans on the one before it: "and in the bedroom?"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from ..home.catalogue import Home
from ..home.entity import fold
from ..home.intents import READ_ONLY
from ..home.mentions import Kind, Mention, longest
from ..language.data import look_up
from ..language.lexicon import lexicon_file
from ..language.tokens import key_of
from ..meaning.plan import PLACE_SLOTS
from ..recognition.recognise import Candidate, normalise
from ..turn.outcome import Act, Answer
from .before import Before
from .interpret import Interpreter
from .interpretation import Interpretation
from .questions import interpret_question

MAX_WORDS = 8


def ask_again(text: str, before: Before, interpreter: Interpreter) -> Interpretation | None:
    """The question before, for what this sentence brings, or a question about what was spoken of; None if uncertain."""
    sentence = normalise(text)
    if len(sentence.split()) > MAX_WORDS:
        return None
    found = _about_the_same(sentence, before, interpreter)
    candidates = before.meaning.candidates
    if found is None and candidates and candidates[0].intent in READ_ONLY:
        found = with_new_place(sentence, candidates[0], interpreter)
    if found is None or not isinstance(found.outcome, Act | Answer):
        return None
    why = "What the sentence leaves out is taken from the one before."
    return replace(found, outcome=replace(found.outcome, why=why), stage="carried_over")


def _about_the_same(sentence: str, before: Before, interpreter: Interpreter) -> Interpretation | None:
    """A question about "it", where the sentence before was about one thing whose name no other bears."""
    pronouns = _phrase(interpreter.grammar.language, "pronouns")
    said = list(pronouns.finditer(sentence)) if pronouns is not None else []
    name = _spoken_of(before, interpreter.house.home)
    if len(said) != 1 or name is None or interpreter.mentions(sentence):
        return None
    return interpret_question(f"{sentence[: said[0].start()]}{name}{sentence[said[0].end() :]}", interpreter)


def _spoken_of(before: Before, home: Home) -> str | None:
    """The name of the one thing that a sentence was about."""
    meaning = before.meaning
    names = {e.name for planned in meaning.planned for e in planned.targets}
    names |= {c.entity.name for c in meaning.changes}
    if not names and meaning.candidates and "name" in meaning.candidates[0].slots:
        names = {str(meaning.candidates[0].slots["name"])}
    name = next(iter(names)) if len(names) == 1 else None
    return name if name is not None and len(home.by_name.get(fold(name), ())) == 1 else None


def with_new_place(sentence: str, before: Candidate, interpreter: Interpreter) -> Interpretation | None:
    """The command or question before, for the area or the name that this sentence brings."""
    language = interpreter.grammar.language
    patterns = [p for kind in ("leads", "asking") if (p := _phrase(language, kind)) is not None]
    matches = [m for p in patterns if (m := p.match(sentence))]
    if not matches:
        return None
    rest_from = max(m.end() for m in matches)
    mention = _only_mention(sentence, rest_from, interpreter)
    if mention is None:
        here = interpreter.house.home.satellite_area
        return interpreter.decide((_at(before, here),)) if here and _is_here(sentence[rest_from:], language) else None
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


def _is_here(text: str, language: str) -> bool:
    """Whether a text means the room that the person is in."""
    file = lexicon_file(language)
    return file is not None and key_of(text) in set(map(key_of, file.here))


def _at(before: Candidate, area: str) -> Candidate:
    """The question before, about an area."""
    slots: dict[str, Any] = {k: v for k, v in before.slots.items() if k not in PLACE_SLOTS}
    slots["area"] = area
    if before.domain and "domain" not in slots:
        slots["domain"] = before.domain
    said = {k: v for k, v in before.said.items() if k in slots}
    return replace(before, slots=slots, said=said, domain=None, from_satellite=False)


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
