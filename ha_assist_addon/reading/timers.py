"""Timers in any wording: an act, a length of time, and a name where a name can stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..language.lexicon import ARTICLES, Role
from ..language.replies import say
from ..language.timer_words import LONGEST_NAME, Length, TimerAct, TimerWords, Words, phrase_at, timer_words
from ..language.tokens import Token, tokens_of
from ..language.words import fold_word
from ..meaning.evidence import speaks_of_commands
from ..meaning.plan import NotPlanned, plan
from ..recognition.recognise import Candidate
from ..turn.history import Turn
from ..turn.outcome import Act, Answer, Ask, Generate, Reason
from .before import Before
from .interpret import Interpreter
from .interpretation import Interpretation
from .near_words import options_of

GUESS = "guess"
"""Metadata of a question whose words do not tell that it is about a timer."""
MOST_TOKENS = 24
_PASSING = frozenset({Role.COURTESY, Role.FILLER, Role.WISH, Role.SMALL})
_INTENTS: Mapping[TimerAct, str] = {
    TimerAct.START: "HassStartTimer",
    TimerAct.CANCEL: "HassCancelTimer",
    TimerAct.PAUSE: "HassPauseTimer",
    TimerAct.RESUME: "HassUnpauseTimer",
    TimerAct.ADD: "HassIncreaseTimer",
    TimerAct.TAKE: "HassDecreaseTimer",
    TimerAct.STATUS: "HassTimerStatus",
}
_NEED_LENGTH = frozenset({TimerAct.START, TimerAct.ADD, TimerAct.TAKE})


@dataclass(frozen=True, slots=True)
class TimerCommand:
    """What a sentence asks of a timer: `length` is what is set or added, `which` the length that tells it apart."""

    act: TimerAct
    length: Length | None = None
    which: Length | None = None
    name: str | None = None
    all: bool = False


@dataclass(slots=True)
class _Marks:
    """Which tokens are explained, and by what."""

    tokens: Sequence[Token]
    noun: tuple[int, int] = (0, 0)
    name: str | None = None
    """What a compound says besides the noun."""
    plural: bool = False
    taken: set[int] = field(default_factory=set)

    def take(self, start: int, end: int) -> None:
        self.taken.update(range(start, end))

    def is_free(self, start: int, end: int) -> bool:
        return not self.taken & set(range(start, end))


def interpret_timer(text: str, interpreter: Interpreter) -> Interpretation | None:
    """The sentence as something that is done to a timer, or None where it speaks of none or of more than that."""
    words = timer_words(interpreter.grammar.language)
    if words is None:
        return None
    command = read_timer(text, words)
    if command is None:
        return _left_of(text, words, interpreter)
    if command.name and _is_mistyped(command, words, interpreter):
        return None
    return _conclude(command, text, interpreter)


def _left_of(text: str, words: TimerWords, interpreter: Interpreter) -> Interpretation | None:
    """How long something still takes that may be a timer: whether there is one, Home Assistant knows."""
    name = words.left_of(tokens_of(text))
    if name is None or interpreter.mentions(text) or interpreter.house.toolbox.find("HassTimerStatus") is None:
        return None
    found = _conclude(TimerCommand(TimerAct.STATUS, name=name or None), text, interpreter)
    guessed = tuple(replace(p, candidate=replace(p.candidate, metadata={GUESS: True})) for p in found.planned)
    return replace(found, planned=guessed, candidates=tuple(p.candidate for p in guessed) or found.candidates)


def _is_mistyped(command: TimerCommand, words: TimerWords, interpreter: Interpreter) -> bool:
    """Whether a name is hardly one: "resumme timer" is about resuming, "shortenkitchen timer" about a room."""
    language, names = interpreter.grammar.language, interpreter.house.home.names.words
    known = {word: word for word in words.command_words} | ({} if command.act is TimerAct.START else dict(names))
    unknown = [w for w in map(fold_word, (command.name or "").split()) if w not in names and not words.lexicon.knows(w)]
    joined = any(word.removeprefix(act) in names for word in unknown for act in words.command_words)
    return joined or any(options_of(word, known, language, names) for word in unknown)


def interpret_length(turn: Turn, before: Before, interpreter: Interpreter) -> Interpretation | None:
    """A length as the answer to our question for it."""
    language = interpreter.grammar.language
    words = timer_words(language)
    if words is None or before.question is None or not before.question.endswith(say("timer_length", language)):
        return None
    command = read_timer(before.sentence, words)
    tokens = tokens_of(turn.sentence)
    lengths = list(words.lengths(tokens))
    if command is None or command.length is not None or len(lengths) != 1 or len(tokens) > MOST_TOKENS:
        return None
    marks = _Marks(tokens)
    marks.take(lengths[0].start, lengths[0].end)
    if list(_unexplained(marks, words)):
        return None
    found = _conclude(replace(command, length=lengths[0]), turn.sentence, interpreter)
    return replace(found, before=before.sentence, answers=True)


def interpret_timer_again(turn: Turn, before: Before, interpreter: Interpreter) -> Interpretation | None:
    """What is to be done to the timer of the sentence before: "pause it", "cancel that"."""
    words = timer_words(interpreter.grammar.language)
    first = next(iter(before.meaning.candidates), None)
    if words is None or first is None or first.intent not in _INTENTS.values():
        return None
    tokens = tokens_of(turn.sentence)
    places = ((at, end) for at, end, m in words.lexicon.phrases_in(tokens) if m.role is Role.PRONOUN)
    said = next(places, None)
    if said is None:
        return None
    start, end = tokens[said[0]].start, tokens[said[1] - 1].end
    command = read_timer(f"{turn.sentence[:start]}{words.noun}{turn.sentence[end:]}", words)
    if command is None or command.act is TimerAct.START or command.name:
        return None
    name = first.slots.get("name")
    found = _conclude(replace(command, name=str(name) if name else None), turn.sentence, interpreter)
    return replace(found, before=before.sentence)


def read_timer(text: str, words: TimerWords) -> TimerCommand | None:
    """What the words ask of a timer, every one of them explained."""
    tokens = tokens_of(text)
    marks = _find_noun(tokens, words) if len(tokens) <= MOST_TOKENS else None
    if marks is None:
        return None
    lengths = list(words.lengths(tokens))
    within = [n for length in lengths for n in range(length.start, length.end)]
    marks.taken.update(n for n in within if tokens[n].folded not in words.more)
    found = _find_act(marks, words)
    act = TimerAct.ADD if any(length.more for length in lengths) else found
    marks.taken.update(within)
    if act is None:
        if not lengths or text.rstrip().endswith("?") or any(t.folded in words.idle for t in tokens):
            return None  # "5 minutes left on the timer"
        act = TimerAct.START
    every = _take_phrase(marks, words.all)
    name = _find_name(marks, words)
    if name is None:
        return None
    return _made(act, lengths, marks, name or marks.name, every or marks.plural)


def _find_noun(tokens: Sequence[Token], words: TimerWords) -> _Marks | None:
    """The one timer that is spoken of."""
    found: list[_Marks] = []
    at = 0
    while at < len(tokens):
        end = phrase_at(tokens, at, words.nouns)
        folded = tokens[at].folded
        ending = next((c for c in words.compounds if folded.endswith(c) and len(folded) > len(c) + 1), None)
        if end is not None:
            plural = tuple(t.folded for t in tokens[at:end]) in words.plurals
            found.append(_Marks(tokens, (at, end), plural=plural))
        elif ending is not None:
            end = at + 1
            found.append(_Marks(tokens, (at, end), name=tokens[at].text[: -len(ending)].rstrip("-")))
        at = end or at + 1
    if len(found) != 1:
        return None
    found[0].take(*found[0].noun)
    return found[0]


def _find_act(marks: _Marks, words: TimerWords) -> TimerAct | None:
    """What is to be done: the act whose words are the most; None where no act's are, or those of two are as many."""
    best: dict[TimerAct, set[int]] = {}
    for act, pieces in words.acts:
        taken = _match(marks, pieces)
        if taken is not None and len(taken) > len(best.get(act, ())):
            best[act] = taken
    most = max(map(len, best.values()), default=0)
    acts = [act for act, taken in best.items() if len(taken) == most]
    if TimerAct.STATUS in best:
        acts = [TimerAct.STATUS]
    if len(acts) > 1 and set(acts) <= {TimerAct.START, TimerAct.ADD}:
        acts = [TimerAct.ADD if _is_added(marks) else TimerAct.START]
    if len(acts) > 1 and set(acts) <= {TimerAct.CANCEL, TimerAct.TAKE}:
        acts = [TimerAct.TAKE if _is_added(marks) else TimerAct.CANCEL]
    if len(acts) != 1:
        return None
    marks.taken |= best[acts[0]]
    return acts[0]


def _is_added(marks: _Marks) -> bool:
    """Whether a length that is told stands before the timer and apart from it: "add 5 minutes to the timer"."""
    first = marks.noun[0]
    before = [n for n in range(first) if n in marks.taken]
    return bool(before) and any(n not in marks.taken for n in range(before[-1] + 1, first))


def _match(marks: _Marks, pieces: Sequence[Words]) -> set[int] | None:
    """The tokens of a phrase whose pieces stand in their order, or None where one is missing."""
    taken: set[int] = set()
    at = 0
    for piece in pieces:
        places = (n for n in range(at, len(marks.tokens)) if marks.is_free(n, n + len(piece)))
        start = next((n for n in places if phrase_at(marks.tokens, n, (piece,)) is not None), None)
        if start is None:
            return None
        at = start + len(piece)
        taken.update(range(start, at))
    return taken


def _take_phrase(marks: _Marks, phrases: Sequence[Words]) -> bool:
    for at in range(len(marks.tokens)):
        end = phrase_at(marks.tokens, at, phrases)
        if end is not None and marks.is_free(at, end):
            marks.take(at, end)
            return True
    return False


def _find_name(marks: _Marks, words: TimerWords) -> str | None:
    """The name of the timer, empty where it has none; None where words stand where no name can."""
    groups = list(_unexplained(marks, words))
    if not groups:
        return ""
    if len(groups) > 1 or marks.name is not None:
        return None
    start, end = groups[0]
    text = " ".join(t.text for t in marks.tokens[start:end])
    placed = end == marks.noun[0] or _stands_behind(marks, start, words)
    if not placed or end - start > LONGEST_NAME or speaks_of_commands(text, words.lexicon):
        return None
    return text if not any(t.number is not None for t in marks.tokens[start:end]) else None


def _stands_behind(marks: _Marks, start: int, words: TimerWords) -> bool:
    """Whether what introduces a name stands before a token, perhaps with an article between."""
    at = start
    while at > 0 and _is_article(marks.tokens, at - 1, words):
        at -= 1
    folded = [t.folded for t in marks.tokens]
    return any(tuple(folded[max(0, n - len(p)) : n]) == p for n in {at, start} for p in words.behind)


def _is_article(tokens: Sequence[Token], at: int, words: TimerWords) -> bool:
    return any(
        end == at + 1 and m.role is Role.SMALL and m.value in ARTICLES
        for end, ms in words.lexicon.starting(tokens, at)
        for m in ms
    )


def _unexplained(marks: _Marks, words: TimerWords) -> Iterator[tuple[int, int]]:
    """The runs of words that nothing explains."""
    tokens = marks.tokens
    passed: set[int] = set()
    for at, token in enumerate(tokens):
        if token.is_mark or token.folded in words.passing:
            passed.add(at)
        for end, meanings in words.lexicon.starting(tokens, at):
            if any(m.role in _PASSING for m in meanings):
                passed.update(range(at, end))
        end_behind = phrase_at(tokens, at, words.behind)
        if end_behind is not None:
            passed.update(range(at, end_behind))
    start: int | None = None
    for at in range(len(tokens) + 1):
        known = at == len(tokens) or at in marks.taken or at in passed
        if known and start is not None:
            yield start, at
            start = None
        elif not known and start is None:
            start = at


def _made(
    act: TimerAct, lengths: Sequence[Length], marks: _Marks, name: str | None, every: bool
) -> TimerCommand | None:
    """The command, where the lengths say one thing: one right before the timer tells which it is."""
    if every:
        plain = not lengths and not name and act in (TimerAct.CANCEL, TimerAct.STATUS)
        return TimerCommand(act, all=True) if plain else None
    which = next((length for length in lengths if length.end == marks.noun[0]), None)
    amounts = [length for length in lengths if length is not which or act is TimerAct.START]
    if act in _NEED_LENGTH:
        if len(amounts) > 1 or (act is not TimerAct.START and not amounts):
            return None
        return TimerCommand(act, next(iter(amounts), None), which if act is not TimerAct.START else None, name)
    if amounts:
        return None  # "cancel the timer for an hour" may tell for how long
    return TimerCommand(act, None, which, name)


def _conclude(command: TimerCommand, text: str, interpreter: Interpreter) -> Interpretation:
    language = interpreter.grammar.language
    intent = "HassCancelAllTimers" if command.all and command.act is TimerAct.CANCEL else _INTENTS[command.act]
    if interpreter.house.toolbox.find(intent) is None:
        why = f"Home Assistant does not offer {intent} here."
        return Interpretation(Answer(say("no_timers", language), Reason.TOOL_NOT_OFFERED, why), "timer", language)
    if command.act is TimerAct.START and command.length is None:
        ask = Ask(say("timer_length", language), (), Reason.MISSING_TARGET, "The sentence does not tell how long.")
        return Interpretation(ask, "timer", language)
    candidate = Candidate(
        intent=intent,
        language=language,
        slots=_slots(command),
        said={"name": command.name} if command.name else {},
        domain=None,
        response="default",
        template="",
        rank=(),
        sentence=text,
        own=True,
    )
    planned = plan(candidate, interpreter.house.home, interpreter.house.toolbox)
    if isinstance(planned, NotPlanned):
        return Interpretation(Generate(planned.reason, planned.why), "timer", language, (), (candidate,))
    act = Act((planned.call,), Reason.EXACT, "Every word tells what is done to a timer.")
    return Interpretation(act, "timer", language, (planned,), (candidate,))


def _slots(command: TimerCommand) -> dict[str, Any]:
    slots: dict[str, Any] = dict(command.length.amounts) if command.length is not None else {}
    if command.which is not None:
        slots |= {f"start_{unit}": amount for unit, amount in command.which.amounts}
    return {**slots, "name": command.name} if command.name else slots
