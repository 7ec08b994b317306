"""Ends a text at the first of several strings, wherever its pieces are cut."""

from __future__ import annotations

from collections.abc import Sequence


class Cut:
    """Passes text on until one of `ends` begins; `reached` then stays True, and nothing more comes."""

    def __init__(self, ends: Sequence[str]) -> None:
        self._ends = tuple(end for end in ends if end)
        self._longest = max(map(len, self._ends), default=1) - 1
        self._held = ""
        self.reached = False

    def feed(self, piece: str) -> str:
        """What of the text so far is certain to stand before an end."""
        if self.reached:
            return ""
        text = self._held + piece
        at = min((at for end in self._ends if (at := text.find(end)) >= 0), default=-1)
        if at >= 0:
            self.reached, self._held = True, ""
            return text[:at]
        keep = next(
            (
                n
                for n in range(min(len(text), self._longest), 0, -1)
                if any(e.startswith(text[-n:]) for e in self._ends)
            ),
            0,
        )
        self._held = text[len(text) - keep :]
        return text[: len(text) - keep]

    def end(self) -> str:
        """What was held back because an end might have begun in it."""
        rest, self._held = self._held, ""
        return rest
