"""Which of several verbs tells what is to be done."""

from __future__ import annotations

from collections.abc import Sequence

from ...language.lexicon import Meaning
from ...meaning.acts import Act

_GOING_ON = frozenset({Act.CLEAN, Act.MOW, Act.PLAY})
_OF_PLAYING = frozenset({Act.PAUSE, Act.RESUME})
_OF_MEDIA = frozenset({Act.PLAY, Act.RESUME, Act.PAUSE, Act.NEXT, Act.PREVIOUS})


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
        return first if _act(second.acts[0]) in _GOING_ON else None
    if len(telling) == 2 and telling[1].acts == (Act.PLAY,) and telling[0].acts[0] in _OF_PLAYING:
        return telling[0]  # "resume playing"
    if len(telling) == 1:
        others = [v for v in verbs if v is not telling[0]]
        carried = all(v.value == others[0].value and _carries(v, telling[0]) for v in others)
        return telling[0] if carried else None
    if len({v.value for v in verbs}) == 1:
        return verbs[0]
    return None


def _carries(carrier: Meaning, verb: Meaning) -> bool:
    """Whether a verb that says nothing alone can stand before another: "play open the gate" is a title."""
    own = {_act(text) for acts in carrier.particles.values() for text in acts}
    return not own or not own <= _OF_MEDIA or bool(_OF_MEDIA & {_act(text) for text in verb.acts})


def _act(text: str) -> Act:
    return Act(text.partition(":")[0])
