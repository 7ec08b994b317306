"""Timers: an act, a length and perhaps a name, in whatever words and order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..language.lexicon import Lexicon, Role, Token, lexicon, tokens_of
from ..meaning.plan import NotPlanned, plan
from ..recognition.recognise import Candidate
from ..turn.outcome import Act, Reason
from .interpret import Interpreter
from .interpretation import Interpretation

_INTENTS = {
    "start": "HassStartTimer",
    "cancel": "HassCancelTimer",
    "pause": "HassPauseTimer",
    "resume": "HassUnpauseTimer",
    "increase": "HassIncreaseTimer",
    "decrease": "HassDecreaseTimer",
    "status": "HassTimerStatus",
}
_WITH_LENGTH = frozenset({"start", "increase", "decrease"})
_LONGEST_NAME = 3
"""Words; what is longer says more than what the timer is for."""
_SLOTS = {3600: "hours", 60: "minutes", 1: "seconds"}
_PASSING = frozenset({Role.COURTESY, Role.JOINT, Role.FILLER})


@dataclass(slots=True)
class _Said:
    """What the words of a sentence say; `names` are runs of words that nothing explains, with the token behind."""

    acts: set[str] = field(default_factory=set)
    lengths: list[Mapping[str, float]] = field(default_factory=list)
    nouns: list[int] = field(default_factory=list)
    names: list[tuple[int, int]] = field(default_factory=list)
    called: set[int] = field(default_factory=set)
    """Tokens behind which a name stands."""
    all: bool = False
    one: bool = False
    """Whether it speaks of some timer: "a timer"."""
    asks: bool = False
    more: bool = False
    less: bool = False


def interpret_timer(text: str, interpreter: Interpreter) -> Interpretation | None:
    """A sentence about a timer, every word of which is explained but for the timer's name."""
    words = lexicon(interpreter.grammar.language)
    if words is None or not words.timers:
        return None
    tokens = tokens_of(text)
    said = _read(tokens, words)
    act = _act(said)
    if act is None or len(said.nouns) != 1 or (act in _WITH_LENGTH) != (len(said.lengths) == 1):
        return None
    name = _name(text, tokens, said, words)
    if name is None:
        return None
    slots: dict[str, Any] = {k: int(v) for k, v in said.lengths[0].items()} if said.lengths else {}
    if name:
        area = interpreter.house.home.area_by_name.get(name.casefold())
        slots |= {"area": area.name} if area is not None and act != "start" else {"name": name}
    intent = "HassCancelAllTimers" if said.all else _INTENTS[act]
    candidate = Candidate(
        intent=intent,
        language=interpreter.grammar.language,
        slots=slots,
        said={"name": name} if "name" in slots else {},
        domain=None,
        response="default",
        template="",
        rank=(),
        sentence=text,
        free_texts=(name,) if "name" in slots else (),
        own=True,
    )
    planned = plan(candidate, interpreter.house.home, interpreter.house.toolbox)
    if isinstance(planned, NotPlanned):
        return None
    outcome = Act((planned.call,), Reason.EXACT, "The sentence tells what a timer is to do.")
    return Interpretation(outcome, "timer", interpreter.grammar.language, (planned,), (candidate,))


def _act(said: _Said) -> str | None:
    """The one act that the words can stand for."""
    acts = set(said.acts)
    if said.lengths:
        acts &= _WITH_LENGTH
        if said.more and not said.less:
            acts = {"increase"}
        elif said.less:
            acts = {"decrease"} & acts
        elif "decrease" in acts:
            acts = {"decrease"}
        elif not said.acts or (said.one and "increase" in acts):
            acts = {"start"}  # "add a timer", while "add a minute" is another act
    else:
        acts -= _WITH_LENGTH
    if said.all or said.asks:
        acts &= {"cancel" if said.all else "status"}
    return next(iter(acts)) if len(acts) == 1 else None


def _read(tokens: Sequence[Token], words: Lexicon) -> _Said:
    said = _Said()
    at = 0
    while at < len(tokens):
        end = _phrase(tokens, at, words, said)
        if end is None:
            if said.names and said.names[-1][1] == at:
                said.names[-1] = (said.names[-1][0], at + 1)
            else:
                said.names.append((at, at + 1))
            end = at + 1
        at = end
    return said


def _phrase(tokens: Sequence[Token], at: int, words: Lexicon, said: _Said) -> int | None:
    """Read the phrase at a token; the token behind it, or None where nothing explains it."""
    if tokens[at].is_mark:
        return at + 1
    if (length := _length(tokens, at, words)) is not None:
        said.lengths.append(length[1])
        said.more |= any(_longest(tokens, n, words.timers.get("more", ())) is not None for n in range(at, length[0]))
        return length[0]
    parts = words.timers
    if (end := _longest(tokens, at, parts.get("nouns", ()))) is not None:
        said.nouns.append(at)
        return end
    if any(m.role is Role.ALL for end, ms in words.starting(tokens, at) for m in ms):
        said.all = True
        return max(end for end, ms in words.starting(tokens, at) if any(m.role is Role.ALL for m in ms))
    verbs = {act: end for act in _INTENTS if (end := _longest(tokens, at, parts.get(act, ()))) is not None}
    if verbs and not said.acts:
        longest = max(verbs.values())
        said.acts |= {act for act, end in verbs.items() if end == longest}
        return longest
    for part in ("more", "less"):
        if (end := _longest(tokens, at, parts.get(part, ()))) is not None:
            setattr(said, part, True)
            return end
    if (end := _longest(tokens, at, parts.get("called", ()))) is not None:
        said.called.add(end)
        return end
    if (end := _longest(tokens, at, parts.get("asking", ()))) is not None:
        said.asks = True
        return end
    said.one |= _longest(tokens, at, parts.get("one", ())) is not None
    passing = [end for end, ms in words.starting(tokens, at) if any(m.role in _PASSING for m in ms)]
    small = _longest(tokens, at, parts.get("small", ()))
    return max([*passing, *([small] if small is not None else [])], default=None)


def _length(tokens: Sequence[Token], at: int, words: Lexicon) -> tuple[int, dict[str, float]] | None:
    """A length of time that begins at a token, all of its units together, and the token behind it."""
    total: dict[str, float] = {}
    end = at
    while (one := _one_length(tokens, end, words)) is not None:
        end, amounts = one
        if total.keys() & amounts.keys():
            return None
        total |= amounts
        joint = end
        while joint < len(tokens) and (tokens[joint].folded == "," or _is_joint(tokens, joint, words)):
            joint += 1
        if joint == end and _one_length(tokens, end, words) is None:
            break
        if _one_length(tokens, joint, words) is None:
            break
        end = joint
    return (end, total) if total else None


def _is_joint(tokens: Sequence[Token], at: int, words: Lexicon) -> bool:
    return any(end == at + 1 and any(m.role is Role.JOINT for m in ms) for end, ms in words.starting(tokens, at))


def _one_length(tokens: Sequence[Token], at: int, words: Lexicon) -> tuple[int, dict[str, float]] | None:
    if (end := _longest(tokens, at, tuple(words.durations))) is not None:
        return end, _of_seconds(words.durations[tuple(t.folded for t in tokens[at:end])])
    number, end = _number(tokens, at, words)
    if number is None:
        return None
    end = _longest(tokens, end, words.timers.get("more", ())) or end
    half = _half(tokens, end, words)
    unit = _longest(tokens, half or end, tuple(words.time_units))
    if unit is None:
        return None
    seconds = words.time_units[tuple(t.folded for t in tokens[half or end : unit])]
    behind = _half(tokens, unit, words) if half is None else None
    amount = number + (0.5 if half is not None or behind is not None else 0)
    if amount == int(amount):
        return behind or unit, {_SLOTS[seconds]: amount}
    return (behind or unit, _of_seconds(int(amount * seconds))) if seconds > 1 else None


def _number(tokens: Sequence[Token], at: int, words: Lexicon) -> tuple[float | None, int]:
    if at >= len(tokens):
        return None, at
    if (digits := tokens[at].number) is not None:
        return digits, at + 1
    said = [(end, float(m.value)) for end, ms in words.starting(tokens, at) for m in ms if m.role is Role.NUMBER]
    if said:
        end, number = max(said)
        return number, end
    end_of_one = _longest(tokens, at, words.timers.get("one", ()))
    return (1.0, end_of_one) if end_of_one is not None else (None, at)


def _half(tokens: Sequence[Token], at: int, words: Lexicon) -> int | None:
    ends = (end for end, ms in words.starting(tokens, at) if any(m.role is Role.HALF for m in ms))
    return max(ends, default=None)


def _of_seconds(seconds: int) -> dict[str, float]:
    hours, rest = divmod(seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    return {k: float(v) for k, v in (("hours", hours), ("minutes", minutes), ("seconds", seconds)) if v}


def _longest(tokens: Sequence[Token], at: int, phrases: Sequence[Sequence[str]]) -> int | None:
    """The token behind the longest of some phrases that stands at a token."""
    found = [len(p) for p in phrases if tuple(t.folded for t in tokens[at : at + len(p)]) == tuple(p)]
    return at + max(found) if found else None


def _name(text: str, tokens: Sequence[Token], said: _Said, words: Lexicon) -> str | None:
    """What the timer is called, empty where it is not; None where words are left that are no name."""
    if not said.names:
        return ""
    if len(said.names) > 1:
        return None
    start, end = said.names[0]
    before_noun = end == said.nouns[0]
    behind = end == len(tokens) and any(_between(tokens, at, start, words) for at in said.called)
    if not (before_noun or behind) or end - start > _LONGEST_NAME or (before_noun and said.all):
        return None
    if any(_does_something(tokens, n, words) for n in range(start, end)):
        return None
    return text[tokens[start].start : tokens[end - 1].end]


def _between(tokens: Sequence[Token], called: int, start: int, words: Lexicon) -> bool:
    """Whether nothing but small words stands between "for" and a name."""
    small = words.timers.get("small", ())
    return called <= start and all(_longest(tokens, n, small) is not None for n in range(called, start))


def _does_something(tokens: Sequence[Token], at: int, words: Lexicon) -> bool:
    """Whether a word asks for something by itself, so that it names no timer."""
    roles = {m.role for end, ms in words.starting(tokens, at) if end == at + 1 for m in ms}
    return tokens[at].number is not None or (bool(roles) and Role.NOUN not in roles)
