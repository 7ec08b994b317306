"""Reads a model's answer as it comes: what is speech is let through at once, what may be a call is held back."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from enum import Enum, auto

from ..backends.notations import naming
from ..backends.printed import Printed, read_printed

_ANSWER = re.compile(r'\{\s*"answer"\s*:\s*"')
_HELD = re.compile(r"\{|```|<\||<[｜/]|<tool|<function|<invoke|<parameter|<arg_|\[TOOL")
_STARTS = ("```", "<|", "<｜", "</", "<tool", "<function", "<invoke", "<parameter", "<arg_", "[TOOL")
_LONGEST_OPENING = 60


class _Mode(Enum):
    OPENING = auto()
    """Too little has come to tell."""
    TEXT = auto()
    ANSWER = auto()
    """Inside the string of `{"answer": "…"}`."""
    HELD = auto()
    ENDED = auto()
    """Behind that string."""


@dataclass(slots=True)
class AnswerReader:
    """Takes an answer in pieces, in any of the forms that a model may use, asked for or not.

    What begins with the name of a tool is held back too: `names` are those that are offered.
    """

    names: frozenset[str] = frozenset()
    _mode: _Mode = _Mode.OPENING
    _rest: str = ""
    _held: list[str] = field(default_factory=list)

    def feed(self, text: str) -> str:
        """What of the answer is certain to be speech."""
        if self._mode is _Mode.HELD:
            self._held.append(text)
            return ""
        self._rest += text
        speech = ""
        if self._mode is _Mode.OPENING:
            self._open()
        if self._mode is _Mode.TEXT:
            speech = self._text()
        elif self._mode is _Mode.ANSWER:
            speech = self._string()
        return speech

    def end(self) -> Printed:
        """The calls in what was held back, and the speech that is left in it."""
        rest, self._rest = "".join([self._rest, *self._held]), ""
        match self._mode:
            case _Mode.ANSWER | _Mode.ENDED:
                return Printed((), "")
            case _Mode.OPENING | _Mode.HELD:
                answer = _whole_answer(rest)
                return Printed((), answer) if answer is not None else read_printed(rest, self.names)
            case _Mode.TEXT:
                return Printed((), rest)

    def _open(self) -> None:
        self._rest = self._rest.lstrip()
        if not self._rest:
            return
        if (found := _ANSWER.match(self._rest)) is not None:
            self._mode, self._rest = _Mode.ANSWER, self._rest[found.end() :]
        elif self._rest[0] == "{":
            if len(self._rest) > _LONGEST_OPENING or not _may_be_answer(self._rest):
                self._mode = _Mode.HELD
        elif _HELD.match(self._rest) or naming(self.names).match(self._rest):
            self._mode = _Mode.HELD
        elif not any(start.startswith(self._rest) for start in _STARTS):
            self._mode = _Mode.TEXT

    def _text(self) -> str:
        if (found := self._held_at()) is not None:
            speech, self._rest = self._rest[: found.start()], self._rest[found.start() :]
            self._mode = _Mode.HELD
            return speech
        keep = max(_start_at_the_end(self._rest), self._name_at_the_end())
        speech, self._rest = self._rest[: len(self._rest) - keep], self._rest[len(self._rest) - keep :]
        return speech

    def _held_at(self) -> re.Match[str] | None:
        """The first thing that may belong to a call."""
        found = [m for p in (_HELD, naming(self.names)) if (m := p.search(self._rest)) is not None]
        return min(found, key=re.Match.start, default=None)

    def _name_at_the_end(self) -> int:
        """How many characters at the end may become the name of a tool."""
        word = re.search(r"\w+$", self._rest)
        if word is None:
            return 0
        may = any(name.startswith(word.group()) for name in (*self.names, "Hass")) or word.group().startswith("Hass")
        return len(word.group()) if may else 0

    def _string(self) -> str:
        """The characters of a JSON string that are whole, up to its closing quote."""
        end, closed = _string_end(self._rest)
        raw, self._rest = self._rest[:end], self._rest[end:]
        if closed:
            self._mode, self._rest = _Mode.ENDED, ""
        try:
            return str(json.loads(f'"{raw}"', strict=False))
        except ValueError:
            return raw


def _string_end(text: str) -> tuple[int, bool]:
    """How far a JSON string can be decoded, and whether its closing quote stands there."""
    position = 0
    while position < len(text):
        if text[position] == '"':
            return position, True
        step = 1
        if text[position] == "\\":
            step = 6 if text[position + 1 : position + 2] == "u" else 2
            high = re.match(r"\\u[dD][89abAB]", text[position : position + 5])
            if high:
                step = 12
            if position + step > len(text):
                return position, False
        position += step
    return len(text), False


def _may_be_answer(opening: str) -> bool:
    """Whether these first characters can still become `{"answer": "`."""
    squeezed = re.sub(r"\s", "", opening)
    return '{"answer":"'.startswith(squeezed)


def _start_at_the_end(text: str) -> int:
    """How many characters at the end could be the start of something to hold back."""
    longest = min(len(text), max(map(len, _STARTS)) - 1)
    return next((n for n in range(longest, 0, -1) if any(s.startswith(text[-n:]) for s in _STARTS)), 0)


def _whole_answer(text: str) -> str | None:
    """The answer of an object whose keys came in another order."""
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    answer = value.get("answer") if isinstance(value, dict) and not value.get("calls") else None
    return answer if isinstance(answer, str) else None
