"""Which of several verbs tells what is to be done."""

from __future__ import annotations

from collections.abc import Sequence

from ...language.lexicon import Meaning
from ...meaning.acts import Act

_GOING_ON = frozenset({Act.CLEAN, Act.MOW, Act.PLAY})


def main_verb(verbs: Sequence[Meaning]) -> Meaning | None:
    """The verb that tells the act: of "start cleaning" the second, of "get it to play" the one that is not empty.

    What can be stopped is what goes on: "stop locking the door" is no command.
    """
    if len(verbs) < 2:
        return verbs[0] if verbs else None
    telling = [v for v in verbs if v.acts]
    if len(telling) == 2 and telling[0].acts[0] in (Act.START, Act.STOP):
        first, second = telling
        if first.acts[0] == Act.START:
            return second
        return first if second.acts[0].partition(":")[0] in _GOING_ON else None
    if len(telling) == 1:
        others = [v for v in verbs if v is not telling[0]]
        return telling[0] if all(v.value == others[0].value for v in others) else None
    if len({v.value for v in verbs}) == 1:
        return verbs[0]
    return None
