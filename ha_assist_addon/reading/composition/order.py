"""Where the phrases of a clause may stand: its verb, its direction and its small words."""

from __future__ import annotations

from collections.abc import Sequence

from ...language.lexicon import ARTICLES, Role
from ...meaning.acts import Act
from .spans import Span

_LAST = frozenset(
    {Act.ON, Act.OFF, Act.CLOSE, Act.LOCK, Act.PAUSE, Act.RESUME, Act.MUTE, Act.UNMUTE, Act.START, Act.STOP}
)
"""Acts of verbs that may end a command."""
_BEFORE_LAST_VERB = frozenset({Role.SMALL, Role.COURTESY, Role.ALL, Role.BOTH, Role.HERE, Role.EVERYWHERE})


def hangs(spans: Sequence[Span]) -> bool:
    """Whether a small word has nothing to stand before: "the lights in the", "switch the off", "play along"."""
    if spans and spans[-1].role is Role.SMALL and not any(span.items for span in spans):
        return True
    begins = len(spans) > 1 and spans[1].role is Role.DIRECTION and _is_small(spans[0], article=False)
    before = spans[:-1] if len(spans) > 1 and spans[-1].role is Role.DIRECTION else spans
    return begins or (bool(before) and _is_small(before[-1], article=True))


def _is_small(span: Span, *, article: bool) -> bool:
    return span.meaning is not None and span.meaning.role is Role.SMALL and (span.meaning.value in ARTICLES) is article


def verb_comes_late(spans: Sequence[Span]) -> bool:
    """Whether a verb that tells the act by itself stands behind its target, and not as a command that ends with it."""
    verb = next(
        (n for n, s in enumerate(spans) if s.role is Role.VERB and s.meaning is not None and s.meaning.acts), None
    )
    target = next((n for n, s in enumerate(spans) if s.items), None)
    if verb is None or target is None or verb < target:
        return False
    if any(s.role is Role.VERB for s in spans[:target]):
        return False  # "have the robot clean the hall"
    passed = (*spans[:verb], *spans[verb + 1 :])
    return not (
        _ends_command(spans[verb])
        and any(item.area is None for span in spans[:verb] for item in span.items)
        and all(s.items or s.role in _BEFORE_LAST_VERB for s in spans[:verb])
        and all(s.role in (Role.COURTESY, Role.JOINT) for s in spans[verb + 1 :])
        and not any(s.role is Role.VERB for s in passed)
    )


def _ends_command(span: Span) -> bool:
    """Whether a verb may stand behind its target: "garage door close". One that opens may tell a state."""
    meaning = span.meaning
    return (
        meaning is not None and meaning.tells is False and all(":" not in a and Act(a) in _LAST for a in meaning.acts)
    )


def noun_is_no_target(spans: Sequence[Span]) -> bool:
    """Whether a noun begins a clause that speaks of something else: "switch off everything", "switch it off"."""
    if len(spans) > 1 and any(item.noun is not None for item in spans[0].items) and spans[1].role is Role.PRONOUN:
        return True
    at = next((n for n, s in enumerate(spans) if s.role is Role.EVERYTHING), 0)
    nouns = [n for n, s in enumerate(spans[:at]) if any(item.noun is not None for item in s.items)]
    return bool(nouns) and any(s.role is not Role.SMALL for s in spans[nouns[-1] + 1 : at])


def direction_comes_first(spans: Sequence[Span]) -> bool:
    """Whether a direction stands before the verb that it would belong to: "off turn on"."""
    roles = [span.role for span in spans]
    return Role.VERB in roles and Role.DIRECTION in roles[: roles.index(Role.VERB)]
