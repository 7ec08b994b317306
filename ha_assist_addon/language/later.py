"""When something is to be done: the one time that a sentence names, and the sentence without it.

The keys of `schedule.phrases` in `times.yaml` are what a phrase does: `at`, `in`, `oclock`, `am`, `pm`, `half_past`,
`half_to` (halb acht), `quarter_past`, `quarter_to`, `from_now`; `clock:HH:MM`, `sun:sunrise`, `day:DAY`, `part:PART`,
and `both:DAY:PART`. How long from now it is, the words of timers tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .data import look_up
from .lexicon import ARTICLE, Meaning, Role, lexicon
from .timer_words import timer_words
from .times import times_file
from .tokens import Token, tokens_of

_MARKS: Mapping[str, str] = {
    "at": "A", "in": "I", "oclock": "O", "am": "M", "pm": "P", "half_past": "H", "half_to": "B", "quarter_past": "Q",
    "quarter_to": "K", "from_now": "W", "clock": "X", "sun": "S", "day": "D",
    "part": "T", "both": "E",
}  # fmt: skip
KINDS = frozenset(_MARKS)
"""What a key of `phrases` begins with."""
_CLOCK = r"(?P<clock>A?[HBQK]NO?[MP]?|A?X|A?N(?:CN|N)?O?[MP]|AN(?:CN|N)?O?|A?NON|N(?:CN)?O)"
_DELAY = r"(?P<delay>IL|LW)"
_FORM = re.compile(rf"(?P<before>[DTE]{{0,2}})(?:{_CLOCK}|{_DELAY}|(?P<sun>A?S))(?P<after>[DTE]{{0,2}})")
_ANNOUNCING = frozenset({Role.SMALL, Role.ABSOLUTE, Role.DELTA})
"""What makes of a time something else where it stands before it: "from ten", "by ten"."""
AFTER = "after_seconds"
"""The argument that tells how long from now it is."""
_MOST_TOKENS = 60
_LONGEST = 12
"""Phrases that a time has at most."""

_Table = Mapping[tuple[str, ...], tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True)
class Later:
    """A time as the tool takes it: its arguments, the words that say it, and the sentence without them."""

    arguments: Mapping[str, Any]
    rest: str
    said: str


@dataclass(frozen=True, slots=True)
class _Phrase:
    """One phrase: its mark, its value, and where it ends; whether a number is written in digits, and with a zero."""

    mark: str
    value: Any
    end: int
    digits: bool = False
    padded: bool = False


def find_later(sentence: str, language: str) -> Later | None:
    """The time that a sentence names, or None where it names none, or where more than one could be meant."""
    table = _table(language)
    tokens = tokens_of(sentence)
    if not table or len(tokens) > _MOST_TOKENS:
        return None
    found: list[tuple[int, int, dict[str, Any]]] = []
    at = 0
    while at < len(tokens):
        best = _longest(tokens, at, table, language)
        if best is None:
            at += 1
            continue
        found.append((at, *best))
        at = best[0]
    if len(found) != 1:
        return None
    start, end, arguments = found[0]
    if _belongs_to_more(tokens, start, end, language):
        return None
    before, after = sentence[: tokens[start].start], sentence[tokens[end - 1].end :]
    rest = re.sub(r"\s+([,.!?])", r"\1", " ".join(f"{before} {after}".split()))
    said = sentence[tokens[start].start : tokens[end - 1].end]
    return Later(arguments, rest.strip(" ,"), said) if rest.strip(" ,.!?") else None


def _belongs_to_more(tokens: Sequence[Token], start: int, end: int, language: str) -> bool:
    """Whether it is only a part of what is said: "until ten", "at ten percent"."""
    words = lexicon(language)
    if words is None:
        return True
    behind = {m.role for _, meanings in words.starting(tokens, end) for m in meanings}
    if Role.UNIT in behind:
        return True
    outside = (n for n in range(len(tokens)) if not start <= n < end)
    if any(phrase.mark in "DE" for n in outside for phrase in _phrases(tokens, n, _table(language), language)):
        return True
    if start == 0:
        return False
    if tokens[start - 1].folded in _not_behind(language):
        return True
    before = {m for last, meanings in words.starting(tokens, start - 1) if last == start for m in meanings}
    roles = {m.role for m in before}
    article = any(m.role is Role.SMALL and m.value == ARTICLE for m in before)
    return article or (bool(roles & _ANNOUNCING) and Role.DIRECTION not in roles)


def _longest(tokens: Sequence[Token], at: int, table: _Table, language: str) -> tuple[int, dict[str, Any]] | None:
    """The longest time that begins at a token: where it ends, and what it comes to."""
    best: tuple[int, dict[str, Any]] | None = None
    for phrases in _readings(tokens, at, table, language, _LONGEST):
        for number in range(len(phrases), 0, -1):
            end = phrases[number - 1].end
            if best is not None and end <= best[0]:
                break
            arguments = _meaning(phrases[:number], language)
            if arguments is not None:
                best = (end, arguments)
                break
    return best


def _readings(tokens: Sequence[Token], at: int, table: _Table, language: str, most: int) -> Iterator[list[_Phrase]]:
    """All ways to read phrases from a token on, each as far as it goes."""
    following = list(_phrases(tokens, at, table, language)) if most else []
    if not following:
        yield []
        return
    for phrase in following:
        for rest in _readings(tokens, phrase.end, table, language, most - 1):
            yield [phrase, *rest]


def _phrases(tokens: Sequence[Token], at: int, table: _Table, language: str) -> Iterator[_Phrase]:
    if at >= len(tokens):
        return
    token = tokens[at]
    timers = timer_words(language)
    length = timers.length_at(tokens, at) if timers is not None else None
    if length is not None and not length.more:
        yield _Phrase("L", length.seconds, length.end)
    if token.text == ":":
        yield _Phrase("C", None, at + 1)
        return
    if token.number is not None:
        if token.number.is_integer() and token.number >= 0 and token.text.isdecimal():
            yield _Phrase("N", int(token.number), at + 1, True, token.text.startswith("0"))
        return
    for end in range(min(len(tokens), at + 6), at, -1):
        known = table.get(tuple(t.folded for t in tokens[at:end]))
        for kind, key in known or ():
            yield _Phrase(_MARKS[kind], key, end)
    words = lexicon(language)
    for end, meanings in words.starting(tokens, at) if words is not None else ():
        number = next((m.value for m in meanings if _is_number(m)), None)
        if number is not None:
            yield _Phrase("N", int(number), end)


def _is_number(meaning: Meaning) -> bool:
    return meaning.role is Role.NUMBER and float(meaning.value).is_integer()


def _meaning(phrases: Sequence[_Phrase], language: str) -> dict[str, Any] | None:
    found = _FORM.fullmatch("".join(phrase.mark for phrase in phrases))
    if found is None:
        return None
    inner = slice(len(found["before"]), len(phrases) - len(found["after"]))
    day, part, clear = _day_and_part([*phrases[: inner.start], *phrases[inner.stop :]])
    if not clear:
        return None
    core = phrases[inner]
    if found["delay"]:
        return _delay(core) if day is None and part is None else None
    if found["sun"]:
        # The next sunset is today's or tomorrow's; which day it is on nobody can choose.
        return {"sun": core[-1].value.partition(":")[2]} if day is None and part is None else None
    return _clock(core, day, part, twelve=(look_up("spoken", language) or {}).get("clock") == 12)


def _day_and_part(phrases: Sequence[_Phrase]) -> tuple[str | None, str | None, bool]:
    days = [p.value.split(":")[1] for p in phrases if p.mark in "DE"]
    parts = [p.value.split(":")[-1] for p in phrases if p.mark in "TE"]
    clear = len(days) < 2 and len(parts) < 2
    return (days or [None])[0], (parts or [None])[0], clear


def _delay(core: Sequence[_Phrase]) -> dict[str, Any]:
    return {AFTER: next(phrase.value for phrase in core if phrase.mark == "L")}


def _clock(core: Sequence[_Phrase], day: str | None, part: str | None, *, twelve: bool) -> dict[str, Any] | None:
    marks = "".join(p.mark for p in core)
    numbers = [p for p in core if p.mark == "N"]
    if "X" in marks:
        fixed = next(p.value for p in core if p.mark == "X").partition(":")[2]
        return _told(fixed, day, either=False) if part is None else None
    hour, minute = numbers[0].value, numbers[1].value if len(numbers) > 1 else 0
    shift = {"H": 30, "B": -30, "Q": 15, "K": -15}.get(next((m for m in marks if m in "HBQK"), ""), 0)
    total = hour * 60 + minute + shift
    exact = bool(set(marks) & set("CMPOHBQK"))
    # "At 20" alone is a value as likely as a time.
    if numbers[0].digits and not exact and day is None and part is None:
        return None
    if (
        hour > 24
        or minute > 59
        or (hour == 24 and minute)
        or ((shift or set(marks) & set("MP")) and not 1 <= hour <= 12)
    ):
        return None
    half = "morning" if "M" in marks else "evening" if "P" in marks else part
    if "NN" in marks and minute < 10:
        return None
    either = half is None and 1 <= hour <= 12 and (twelve or "C" not in marks) and not numbers[0].padded
    if half is not None:
        if hour > 12:
            return _told(_as_text(total), day, either=False) if "M" not in marks and half != "morning" else None
        total = total % 720 + (720 if half != "morning" else 0)
    return _told(_as_text(total), day, either=either)


def _as_text(minutes: int) -> str:
    minutes %= 24 * 60
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _told(clock: str, day: str | None, *, either: bool) -> dict[str, Any]:
    return {"time": clock, **({"either_half": True} if either else {}), **({"day": day} if day is not None else {})}


@lru_cache(maxsize=16)
def _not_behind(language: str) -> frozenset[str]:
    """The last words of the phrases behind which no time of ours stands."""
    file = times_file(language)
    return frozenset(tokens_of(p)[-1].folded for p in file.schedule.not_behind) if file is not None else frozenset()


@lru_cache(maxsize=16)
def _table(language: str) -> _Table:
    """Folded phrases, each with its kinds and keys: "heures" is an o'clock and a unit."""
    file = times_file(language)
    table: dict[tuple[str, ...], tuple[tuple[str, str], ...]] = {}
    for key, phrases in file.schedule.phrases.items() if file is not None else ():
        for phrase in phrases:
            folded = tuple(t.folded for t in tokens_of(phrase))
            table[folded] = (*table.get(folded, ()), (key.partition(":")[0], key))
    return table
