"""Which words of a sentence are believed to stand for a name."""

from __future__ import annotations

from collections.abc import Iterable

from ..home.catalogue import Home
from ..home.mentions import Mention
from ..language.conjunctions import joint_words
from ..language.words import fold_word, folded_words


def believable(mentions: Iterable[Mention], home: Home, language: str) -> tuple[Mention, ...]:
    """The pieces without those that mean something by themselves: a whole room, or everything there is."""
    common = frozenset(map(fold_word, joint_words(language)))
    return tuple(m for m in mentions if not _is_common(m, common) and not _is_room(m, home))


def _is_common(mention: Mention, common: frozenset[str]) -> bool:
    return common.issuperset(folded_words(mention.text))


def _is_room(mention: Mention, home: Home) -> bool:
    """Whether the piece is the name of a room, unless what it stands for is the only light there."""
    there = home.in_area(mention.text)
    lights = [e for e in there if e.domain == "light"]
    return bool(there) and not (mention.known.domain == "light" and len(lights) == 1)


def cuts_number(sentence: str, mention: Mention) -> bool:
    """Whether a name ends in the middle of a number: `Lamp 1` is not said in "lamp 10"."""
    inside = sentence[max(mention.end - 1, 0) : mention.end + 1]
    before = sentence[max(mention.start - 1, 0) : mention.start + 1]
    return any(len(two) == 2 and two.isdigit() for two in (inside, before))
