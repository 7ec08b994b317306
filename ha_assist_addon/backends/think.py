"""Takes a model's thinking out of its answer: Home Assistant would speak it."""

from __future__ import annotations

OPEN, CLOSE = "<think>", "</think>"


class ThinkFilter:
    """Removes `<think>…</think>` from text that comes in pieces, wherever the pieces are cut.

    Thinking that never ends is dropped; so is white space before the first word of the answer.
    """

    def __init__(self) -> None:
        self._held = ""
        self._thinking = False
        self._begun = False

    def feed(self, text: str) -> str:
        """What of the text so far is certain to be answer."""
        self._held += text
        answer = ""
        while True:
            tags = (CLOSE,) if self._thinking else (OPEN, CLOSE)
            at, tag = min(((at, tag) for tag in tags if (at := self._held.find(tag)) >= 0), default=(-1, ""))
            if at < 0:
                break
            if not self._thinking:
                answer += self._held[:at]
            self._held = self._held[at + len(tag) :]
            self._thinking = tag == OPEN
        keep = _partial_tag(self._held, tags)
        settled, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
        if not self._thinking:
            answer += settled
        return self._from_first_word(answer)

    def end(self) -> str:
        """What was held back because a tag might have begun in it."""
        rest = "" if self._thinking else self._held
        self._held = ""
        return self._from_first_word(rest)

    def _from_first_word(self, text: str) -> str:
        if not self._begun:
            text = text.lstrip()
            self._begun = bool(text)
        return text


def _partial_tag(text: str, tags: tuple[str, ...]) -> int:
    """How many characters at the end could be the start of a tag."""
    longest = min(len(text), max(map(len, tags)) - 1)
    return next((size for size in range(longest, 0, -1) if any(tag.startswith(text[-size:]) for tag in tags)), 0)
