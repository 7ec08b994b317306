"""The words of timers in one language: nouns, acts, lengths, and where a name stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import dropwhile

from pydantic import BaseModel, ConfigDict

from .data import look_up
from .lexicon import Lexicon, Role, lexicon
from .tokens import Token, tokens_of
from .words import fold_word

Words = tuple[str, ...]
"""Folded words in their order."""
_GAP = "…"
LONGEST_NAME = 3
"""Words of a timer's name."""
_SECONDS = {"hours": 3600, "minutes": 60, "seconds": 1}


class TimerAct(StrEnum):
    """What is done to a timer."""

    START = "start"
    CANCEL = "cancel"
    PAUSE = "pause"
    RESUME = "resume"
    ADD = "add"
    TAKE = "take"
    STATUS = "status"


class TimerFile(BaseModel):
    """`timers.yaml`; "…" in an act stands for what may stand between its parts, `phrases` are lengths in seconds."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    nouns: list[str]
    plurals: list[str]
    compounds: list[str] = []
    """Ends of words: a "Nudeltimer" is a timer called Nudel."""
    all: list[str]
    acts: dict[str, list[str]]
    remaining: list[str] = []
    """Questions for how long something takes, without a word for a timer; its name stands at "…" or at the end."""
    remaining_alone: list[str] = []
    """The same where nothing at all is named."""
    behind: list[str]
    """What a name stands behind."""
    units: dict[str, list[str]]
    one: list[str]
    phrases: dict[str, int]
    and_half: list[str]
    joints: list[str]
    more: list[str]
    """What makes a length one that is added: "five more minutes"."""
    passing: list[str]
    """Words beside all this that change nothing."""


@dataclass(frozen=True, slots=True)
class Length:
    """A length of time: its tokens, the amount of each unit as it was said, and whether it is so much `more`."""

    start: int
    end: int
    amounts: tuple[tuple[str, int], ...]
    more: bool = False

    @property
    def seconds(self) -> int:
        """How long it is."""
        return sum(amount * _SECONDS[unit] for unit, amount in self.amounts)


class TimerWords:
    """The file of one language, folded, with the numbers of its lexicon."""

    def __init__(self, file: TimerFile, words: Lexicon) -> None:
        self.lexicon = words
        self.noun = " ".join(_folded(file.nouns[0]))
        self.nouns = _phrases((*file.nouns, *file.plurals))
        self.plurals = frozenset(_phrases(file.plurals)) - frozenset(_phrases(file.nouns))
        self.compounds = tuple(sorted(map(fold_word, file.compounds), key=len, reverse=True))
        self.all = _phrases(file.all)
        self.acts = tuple((TimerAct(act), _pieces(p)) for act, phrases in file.acts.items() for p in phrases)
        phrases = (*self.all, *(piece for _, pieces in self.acts for piece in pieces))
        self.command_words = frozenset(word for phrase in phrases for word in phrase)
        self.remaining = tuple(_pieces(p) for p in file.remaining)
        self.remaining_alone = frozenset(_phrases(file.remaining_alone))
        self.behind = _phrases(file.behind)
        self.idle = frozenset(map(fold_word, file.passing)) - {w for phrase in self.behind for w in phrase}
        """Words that tell of a timer and start none."""
        self.passing = frozenset(map(fold_word, (*file.passing, *file.joints)))
        self.unit_words = tuple(word for spelled in file.units.values() for word in spelled)
        self._units = {fold_word(word): unit for unit, spelled in file.units.items() for word in spelled}
        self._one = frozenset(map(fold_word, file.one))
        self._lengths = {_folded(text): seconds for text, seconds in file.phrases.items()}
        self._longest = max(map(len, self._lengths), default=0)
        self._and_half = _phrases(file.and_half)
        self._joints = frozenset(map(fold_word, file.joints))
        self.more = frozenset(map(fold_word, file.more))

    def left_of(self, tokens: Sequence[Token]) -> str | None:
        """What a sentence asks how long it still takes, empty where nothing is named; None where it does not ask."""
        said = [t for t in tokens if not t.is_mark]
        folded = tuple(t.folded for t in said)
        if folded in self.remaining_alone:
            return ""
        for pieces in self.remaining:
            first, last = pieces[0], pieces[1] if len(pieces) > 1 else ()
            within = said[len(first) : len(said) - len(last)]
            if folded[: len(first)] != first or (last and folded[-len(last) :] != last):
                continue
            name = list(dropwhile(lambda t: t.folded in self.lexicon.small, within))
            if 0 < len(name) <= LONGEST_NAME and not any(t.number is not None for t in name):
                return " ".join(t.text for t in name)
        return None

    def lengths(self, tokens: Sequence[Token]) -> Iterator[Length]:
        """The lengths of time in a sentence, each as long as it can be."""
        at = 0
        while at < len(tokens):
            found = self.length_at(tokens, at)
            if found is None:
                at += 1
                continue
            yield found
            at = found.end

    def length_at(self, tokens: Sequence[Token], start: int) -> Length | None:
        """The length at a token: `an hour and a half`, `1 hour 20`, `90 seconds`; its parts have ever smaller units."""
        amounts: dict[str, int] = {}
        at = end = start
        smallest = 3601.0
        while (part := self._part(tokens, at)) is not None:
            behind, seconds, unit = part
            if _SECONDS[unit] >= smallest:
                break
            smallest = _SECONDS[unit]
            _add(amounts, seconds, unit)
            at = end = behind
            if at < len(tokens) and tokens[at].folded in self._joints:
                at += 1
        more = any(token.folded in self.more for token in tokens[start:end])
        return Length(start, end, tuple(amounts.items()), more) if amounts else None

    def _part(self, tokens: Sequence[Token], at: int) -> tuple[int, float, str] | None:
        """One number with its unit: the token behind it, the seconds, and the unit."""
        for size in range(min(self._longest, len(tokens) - at), 0, -1):
            seconds = self._lengths.get(tuple(t.folded for t in tokens[at : at + size]))
            if seconds is not None:
                return at + size, float(seconds), "hours" if seconds >= _SECONDS["hours"] else "minutes"
        for end, number in self._numbers(tokens, at):
            behind_half = phrase_at(tokens, end, self._and_half)
            at_unit = end if behind_half is None else behind_half
            at_unit += at_unit < len(tokens) and tokens[at_unit].folded in self.more
            unit = self._units.get(tokens[at_unit].folded) if at_unit < len(tokens) else None
            if unit is None or number <= 0:
                continue
            late_half = phrase_at(tokens, at_unit + 1, self._and_half)
            halves = sum(half is not None for half in (behind_half, late_half))
            return late_half or at_unit + 1, (number + halves / 2) * _SECONDS[unit], unit
        return None

    def _numbers(self, tokens: Sequence[Token], at: int) -> Iterator[tuple[int, float]]:
        """The numbers that begin at a token, the longest first."""
        if at >= len(tokens):
            return
        token = tokens[at]
        if token.number is not None:
            yield at + 1, token.number
            return
        spelled = [
            (end, float(m.value)) for end, ms in self.lexicon.starting(tokens, at) for m in ms if m.role is Role.NUMBER
        ]
        yield from sorted(spelled, reverse=True)
        if token.folded in self._one:
            yield at + 1, 1.0


@lru_cache(maxsize=16)
def timer_words(language: str) -> TimerWords | None:
    """The words of timers in a language, or None where nobody wrote them down."""
    file, words = look_up("timers", language), lexicon(language)
    return None if file is None or words is None else TimerWords(TimerFile.model_validate(file), words)


def names_timer(text: str, language: str) -> bool:
    """Whether a text speaks of a timer."""
    words = timer_words(language)
    tokens = tokens_of(text)
    return words is not None and any(phrase_at(tokens, at, words.nouns) is not None for at in range(len(tokens)))


def phrase_at(tokens: Sequence[Token], at: int, phrases: Sequence[Words]) -> int | None:
    """The token behind the longest of these phrases that stands at a token."""
    for phrase in phrases:
        if tuple(t.folded for t in tokens[at : at + len(phrase)]) == phrase:
            return at + len(phrase)
    return None


def _add(amounts: dict[str, int], seconds: float, unit: str) -> None:
    """Whole units as they were said, and what is left of them in smaller ones."""
    left = round(seconds)
    for name in list(_SECONDS)[list(_SECONDS).index(unit) :]:
        whole, left = divmod(left, _SECONDS[name])
        if whole:
            amounts[name] = amounts.get(name, 0) + whole


def _folded(text: str) -> Words:
    return tuple(t.folded for t in tokens_of(text))


def _phrases(texts: Iterable[str]) -> tuple[Words, ...]:
    return tuple(sorted({_folded(text) for text in texts}, key=len, reverse=True))


def _pieces(text: str) -> tuple[Words, ...]:
    return tuple(_folded(piece) for piece in text.split(_GAP))
