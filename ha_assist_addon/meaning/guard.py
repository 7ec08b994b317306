"""Words that keep a sentence from being a plain command, whatever else it matches."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from ..home.intents import FREE_TEXT_INTENTS, Matter, intent_row
from ..home.mentions import Mention
from ..language.data import look_up

_ITEM, _OTHER = "item", "other"
"""Kinds that make no sentence unsafe: one is looked for in an item or a timer's name, the other by the repair."""

_ALLOWED: Mapping[str, frozenset[str]] = {
    "schedule": frozenset(
        {
            "HassStartTimer",
            "HassIncreaseTimer",
            "HassDecreaseTimer",
            "HassCancelTimer",
            "HassPauseTimer",
            "HassUnpauseTimer",
        }
    ),
    "relative": frozenset(
        {"HassSetVolumeRelative", "HassIncreaseTimer", "HassDecreaseTimer", "HassSetBrightnessRelative"}
    ),
}
"""Kinds that are what an intent is about."""


@dataclass(frozen=True, slots=True)
class Guarded:
    """A guard word, what it makes of the sentence, and where it stands."""

    kind: str
    word: str
    start: int = 0


@lru_cache(maxsize=128)
def guards(language: str) -> Mapping[str, re.Pattern[str]] | None:
    """The guard patterns of a language by kind, or None where we have none: such a language gets no repair."""
    loaded = look_up("guards", language)
    return None if loaded is None else {kind: _pattern(words) for kind, words in loaded.items()}


def _pattern(words: Iterable[str]) -> re.Pattern[str]:
    listed = list(words)
    at_start = [w for w in listed if w.startswith("^")]
    anywhere = "|".join(w for w in listed if not w.startswith("^"))
    inside = [rf"(?<!\w)(?:{anywhere})(?!\w)"] if anywhere else []
    return re.compile("|".join([*(f"(?:{w})" for w in at_start), *inside]), re.IGNORECASE)


def is_other_word(word: str, language: str) -> bool:
    """Whether a word is known to be no misspelt command word."""
    pattern = (guards(language) or {}).get(_OTHER)
    return pattern is not None and pattern.fullmatch(word) is not None


def find_guard(
    sentence: str,
    mentions: Iterable[Mention],
    language: str,
    *,
    intent: str | None = None,
    free_text: Iterable[str] = (),
    whatever_intent: bool = False,
) -> Guarded | None:
    """The first guard word outside known names and free text, or None.

    With `whatever_intent` only those count that no intent is about: for a sentence whose intent is not known yet.
    """
    found = find_guards(
        sentence, mentions, language, intent=intent, free_text=free_text, whatever_intent=whatever_intent
    )
    return next(found, None)


def find_guards(
    sentence: str,
    mentions: Iterable[Mention],
    language: str,
    *,
    intent: str | None = None,
    free_text: Iterable[str] = (),
    explained: Iterable[str] = (),
    whatever_intent: bool = False,
) -> Iterator[Guarded]:
    """All guard words, kind by kind; of each kind the first. A word inside an `explained` phrase is none."""
    patterns = guards(language)
    if patterns is None:
        return
    free_text = tuple(free_text)
    if (
        intent is not None
        and intent_row(intent).matter in (Matter.ITEM, Matter.TIMER)
        and (taken_back := patterns.get(_ITEM)) is not None
    ):
        match = next((m for text in free_text if (m := taken_back.search(text))), None)
        if match is not None:
            yield Guarded(_ITEM, match.group(), match.start())
    spans = [(m.start, m.end) for m in mentions]
    lowered = sentence.casefold()
    for text in (*explained, *(free_text if intent in FREE_TEXT_INTENTS else ())):
        start = lowered.find(text.casefold())
        if text and start >= 0:
            spans.append((start, start + len(text)))
    for kind, pattern in patterns.items():
        if kind in (_ITEM, _OTHER) or intent in _ALLOWED.get(kind, ()) or (whatever_intent and kind in _ALLOWED):
            continue
        for match in pattern.finditer(sentence):
            if not any(start <= match.start() and match.end() <= end for start, end in spans):
                yield Guarded(kind, match.group(), match.start())
                break
