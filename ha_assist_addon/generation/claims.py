"""Claims of action without a call: a model that says "done" has done nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from ..backends.notations import looks_printed
from ..language.data import look_up

_LONGEST_SENTENCE = 2000
"""Characters; what goes on without an end is looked at in pieces of this length."""
_END = re.compile(r"(?<=[.!?…])[\"'”»)]*\s+|\n+")


@lru_cache(maxsize=32)
def _patterns(language: str) -> Mapping[str, re.Pattern[str]]:
    found = look_up("claims", language) or look_up("claims", "en")
    return {kind: re.compile("|".join(f"(?:{p})" for p in listed), re.IGNORECASE) for kind, listed in found.items()}


def claims_action(sentence: str, language: str | None, *, states_read: bool) -> bool:
    """Whether a sentence says that something was, is being or will be done.

    Where states were read, what a sentence says of the devices is believed; what it says of itself never is.
    """
    patterns = _patterns(language or "en")
    text = sentence.strip()
    if text.endswith("?"):
        return False
    return any(pattern.search(text) for kind, pattern in patterns.items() if kind == "own" or not states_read)


@dataclass(slots=True)
class ClaimGate:
    """Lets a model's speech through sentence by sentence, up to the first that claims an action or holds a call.

    Where something was done in the turn (`acted`) a claim is let through: that may be told. A printed call, which
    `named` tells by the names of the tools, is never spoken, nor what stands behind it.
    """

    language: str | None
    states_read: bool
    acted: bool
    named: re.Pattern[str]
    claimed: bool = False
    printed: bool = False
    _rest: str = ""

    @property
    def closed(self) -> bool:
        """Whether nothing more is let through."""
        return self.claimed or self.printed

    def feed(self, text: str) -> Iterator[str]:
        """The whole sentences among what has come."""
        self._rest += text
        while not self.closed and (end := _END.search(self._rest)) is not None:
            sentence, self._rest = self._rest[: end.end()], self._rest[end.end() :]
            yield from self._checked(sentence)
        if not self.closed and len(self._rest) > _LONGEST_SENTENCE:
            yield from self.end()

    def end(self) -> Iterator[str]:
        """The last sentence, which need not have an end."""
        rest, self._rest = self._rest, ""
        if rest and not self.closed:
            yield from self._checked(rest)

    def drop(self) -> None:
        """Forget the sentence that has no end yet: a call stands in it."""
        self._rest = ""

    def _checked(self, sentence: str) -> Iterator[str]:
        self.printed = looks_printed(sentence, self.named)
        self.claimed = not self.acted and claims_action(sentence, self.language, states_read=self.states_read)
        if not self.closed:
            yield sentence
