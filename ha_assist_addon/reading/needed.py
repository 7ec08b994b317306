"""Whether a repaired sentence may be composed: no unknown word is explained away as one that changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..language.lexicon import Meaning, Role
from ..language.tokens import Token, tokens_of
from ..meaning.acts import MOVES, Act
from .certify import is_guarded
from .composed import composer
from .composition.compose import Composed, Composer
from .composition.spans import Span
from .interpret import Interpreter
from .interpretation import Interpretation

_BESIDE_VALUE = frozenset({Role.QUANTITY, Role.UNIT, Role.NUMBER, Role.COUNT, Role.ABSOLUTE, Role.DELTA})
"""What may say again what a value says: "the brightness to 50 percent"."""
_SAID_TWICE = MOVES | {Act.NEXT, Act.PREVIOUS}
"""Acts that a direction may say again: "jump ahead to the next one", "lower the volume down to 20"."""
_SHORTEST_COURTESY = 5
"""Letters that a mistyped courtesy has at least: too many words are one letter away from shorter ones."""
_SHORTEST_SECOND_VERB = 5
"""Letters of a verb beside another one: "start cleaning"."""
_SHORTEST_QUANTITY = 6
"""Letters of a word for what is set: volume, brightness."""


def is_sound(found: Interpretation, repaired: str, spans: Iterable[tuple[int, int]], interpreter: Interpreter) -> bool:
    """Whether what was composed needs each of its repaired words, and none of them forbids it."""
    if found.stage != "composed":
        return True
    if is_guarded(found, repaired, interpreter):
        return False
    made = composer(interpreter)
    whole = made.compose(repaired) if made is not None else None
    if made is None or not isinstance(whole, Composed):
        return True
    return not any(_adds_nothing(span, whole, repaired, made) for span in spans)


def _adds_nothing(place: tuple[int, int], whole: Composed, text: str, made: Composer) -> bool:
    tokens = tokens_of(text)
    start, end = place
    for at, span in enumerate(whole.spans):
        first, last = tokens[span.start].start, tokens[span.end - 1].end
        if last <= start or end <= first or _tells(at, whole, text[first:last]):
            continue
        if first < start and last < end and _is_said_before(tokens[span.start : span.end], start, span, made):
            continue  # in "all thelights" the quantifier was written right
        without = made.compose(f"{text[:first]} {text[last:]}")
        if isinstance(without, Composed) and without.effect == whole.effect:
            return True
    return False


def _is_said_before(tokens: Sequence[Token], start: int, span: Span, made: Composer) -> bool:
    """Whether a phrase says the same without its words from a place on."""
    kept = sum(token.start < start for token in tokens)
    ends = (end for end, ms in made.lexicon.starting(tokens, 0) for m in ms if m.role is span.role)
    return kept in ends


def _tells(at: int, whole: Composed, text: str) -> bool:
    """Whether a phrase is one that a sentence may have although it would mean the same without it."""
    span = whole.spans[at]
    if span.items or span.meaning is None:
        return True
    match span.meaning.role:
        case Role.VERB:
            verbs = [s.meaning for s in _clause(at, whole.spans) if s.role is Role.VERB and s.meaning is not None]
            return len(verbs) == 1 or (len(text) >= _SHORTEST_SECOND_VERB and any(_goes_on(v) for v in verbs))
        case Role.DIRECTION:
            return any(_SAID_TWICE & set(c.acts) for c in whole.commands)
        case Role.SMALL:
            return at + 1 < len(whole.spans) and _is_thing(whole.spans[at + 1])
        case Role.JOINT:
            return True
        case Role.QUANTITY if len(text) >= _SHORTEST_QUANTITY and any(MOVES & set(c.acts) for c in whole.commands):
            return True  # what is turned up has to be told
        case Role.COURTESY:
            return len(text) >= _SHORTEST_COURTESY
        case role if role in _BESIDE_VALUE:
            return any(c.value.is_set or c.value.relative for c in whole.commands)
    return False


def _goes_on(verb: Meaning) -> bool:
    """Whether another verb says what starts or goes on: "start cleaning", "resume playing"."""
    return bool(verb.acts) and verb.acts[0] in (Act.START, Act.RESUME)


def _is_thing(span: Span) -> bool:
    return bool(span.items) or span.role is Role.QUANTITY


def _clause(at: int, spans: Sequence[Span]) -> Sequence[Span]:
    """The phrases between the joints around one."""
    joints = [n for n, s in enumerate(spans) if s.role is Role.JOINT]
    start = max((n + 1 for n in joints if n < at), default=0)
    return spans[start : min((n for n in joints if n > at), default=len(spans))]
