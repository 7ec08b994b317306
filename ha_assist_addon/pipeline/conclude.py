"""After a tool round: the next call, or the sentence that ends the turn. Nothing is ever executed twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..answering.adjusted import read_adjusted, say_adjusted
from ..answering.agenda import Told, answer_calendar, answer_clock, answer_list
from ..answering.answer import answer_state
from ..answering.planned_later import answer_cancelled, answer_scheduled
from ..answering.timed import answer_timed, untold
from ..answering.undone import answer_undone
from ..conversation import ToolCall
from ..home.catalogue import Home
from ..home.entity import fold
from ..home.intents import (
    CALENDAR_INTENTS,
    CLOCK_INTENTS,
    LIST_INTENTS,
    QUERY_INTENTS,
    READS,
    STATE_INTENTS,
    TIMED_INTENTS,
)
from ..home.live_context import read_live_context
from ..home.toolbox import Toolbox, plain_name
from ..language.grammar import Grammar
from ..language.replies import say
from ..meaning.adjusting import TOOL as ADJUST
from ..meaning.change import Halted, Steps, compute, setting_call
from ..meaning.plan import Planned
from ..reading.interpretation import Interpretation
from ..reading.scheduling import INTENT as SCHEDULE
from ..reading.timers import GUESS
from ..reading.understand import Understanding
from ..reading.whole import CANCEL, UNDO
from ..taught.names import as_taught
from ..turn.history import Round, ToolResult, Turn
from ..turn.outcome import Act, Answer, Generate, Outcome, Reason
from ..verification.goals import Done
from ..verification.verify import READ, Read, Verifier, trailing_reads
from ..wording.respond import acknowledge, failure, halted, labels, listed
from ..wording.results import plain_result
from ..wording.speak import as_sentence

MOST_TOLD = 8
"""Names of what was not done that are read out."""
_ANSWERS: Mapping[str, Callable[[Any, str], str | None]] = {
    UNDO: answer_undone,
    CANCEL: answer_cancelled,
    SCHEDULE: answer_scheduled,
}
"""What is said of the results of our own tools that act."""


def conclude(turn: Turn, understood: Understanding, grammar: Grammar | None, verifier: Verifier) -> Outcome:
    """Decide from the results of the turn's calls, paired with the calls that the sentence needs."""
    planned = understood.planned
    language = understood.language
    made = [call for r in turn.rounds for call in r.calls]
    if understood.changes and made and (plain_name(made[0].name) == READ or made[0].name == _adjusting(verifier)):
        return _conclude_changes(turn, understood, grammar, verifier)
    if (
        planned
        and all(c.name == p.call.name for c, p in zip(made, planned, strict=False))
        and all(plain_name(c.name) == READ for c in made[len(planned) :])
    ):
        if understood.parts:
            return _answers(understood.parts, planned, _results(turn), grammar, verifier.house.home)
        if planned[0].candidate.intent in QUERY_INTENTS:
            return _answer(planned, _results(turn), grammar, language, verifier.house.home)
        if (answer := _ANSWERS.get(planned[0].candidate.intent)) is not None:
            return _of_our_tool(answer, _results(turn)[0], planned[0])
        if (failed := _failures(turn, planned)) is not None:
            result, which = failed
            if planned[0].candidate.metadata.get(GUESS):
                text = failure(result, which, grammar, language)
                return Generate(Reason.TOOL_FAILED, "Nothing of that name is known.", fallback=text)
            done = len([r for r in _results(turn) if r.ok])
            undone = [p for n, p in enumerate(planned) if n >= len(_results(turn)) or not _results(turn)[n].ok]
            if done and (names := [name for p in undone for name in labels(p.targets, language)]):
                text = say("partly_failed", language, names=listed(names, language, "and", MOST_TOLD))
                return Answer(text, Reason.TOOL_FAILED, _why_failed(result))
            return Answer(failure(result, which, grammar, language), Reason.TOOL_FAILED, _why_failed(result))
        if len(made) < len(planned):
            return Act(
                (planned[len(made)].call,), Reason.COMPOUND, "The sentence asks for several actions; this is the next."
            )
        texts = [acknowledge(p, r, grammar) for p, r in zip(planned, _results(turn), strict=False)]
        results = _results(turn)
        return verifier.follow(
            " ".join(dict.fromkeys(as_sentence(t) if len(texts) > 1 else t for t in texts)),
            [Done(c, r, p.targets) for c, r, p in zip(made, results, planned, strict=False)],
            [Read(c.id, r) for c, r in zip(made[len(planned) :], results[len(planned) :], strict=True)],
            request_number=turn.request_number,
            language=language,
        )
    return _foreign(turn, language, verifier)


def _conclude_changes(turn: Turn, understood: Understanding, grammar: Grammar | None, verifier: Verifier) -> Outcome:
    """The states have been read: the calls that the changes come to, then what their results mean."""
    if plain_name(turn.rounds[0].calls[0].name) != READ:
        return _conclude_adjusted(turn, understood, verifier)
    language = understood.language
    first = _results(turn)[0]
    data = first.data.get("result") if isinstance(first.data, Mapping) else first.data
    live = read_live_context(data) if first.error is None and isinstance(data, str) else None
    if live is None:
        return Answer(say("no_state", language), Reason.TOOL_FAILED, "The states could not be read.")
    computed = compute(
        understood.changes, live, verifier.house, Steps(verifier.settings.ha_assist_step), language or "en"
    )
    if isinstance(computed, Halted):
        return Answer(halted(computed, language), Reason.READ_STATE, f"Nothing moves: {computed.why}.")
    planned = (*understood.planned, *computed)
    if sum(len(r.calls) for r in turn.rounds) == 1:
        return Act(tuple(p.call for p in planned), Reason.EXACT, "What it comes to was computed from the live state.")
    later = replace(turn, rounds=_without_first_call(turn.rounds))
    return conclude(later, replace(understood, planned=planned, changes=()), grammar, verifier)


def _adjusting(verifier: Verifier) -> str | None:
    """The name of our tool that changes values by so much."""
    tool = verifier.house.toolbox.contributed(ADJUST)
    return tool.name if tool is not None else None


_CARRIED_OUT = ToolResult({"response_type": "action_done", "data": {}})
"""The result of one call, as Home Assistant's own tools tell it."""


def _conclude_adjusted(turn: Turn, understood: Understanding, verifier: Verifier) -> Outcome:
    """What our tool says has become of the changes, and whether the devices report it."""
    result, language = _results(turn)[0], understood.language
    told = read_adjusted(result.data) if result.error is None else None
    if told is None:
        return Answer(say("failed", language), Reason.TOOL_FAILED, _why_failed(result))
    made = [call for r in turn.rounds for call in r.calls]
    meant = {fold(change.entity.name): change for change in understood.changes}
    done: list[Done] = []
    for one in told.changed:
        if (change := meant.get(fold(one.name))) is None:
            continue
        planned = setting_call(change, one.to, verifier.house, language or "en")
        if isinstance(planned, Planned):
            call = ToolCall(made[0].id, planned.call.name, planned.call.arguments)
            done.append(Done(call, _CARRIED_OUT, planned.targets))
    text = say_adjusted(told, language, [change.entity for change in understood.changes])
    reads = [Read(c.id, r) for c, r in zip(made[1:], _results(turn)[1:], strict=True)]
    if not done:
        return Answer(text, Reason.TOOL_RESULT, "Home Assistant told what each value is.")
    return verifier.follow(text, done, reads, request_number=turn.request_number, language=language)


def _without_first_call(rounds: Sequence[Round]) -> tuple[Round, ...]:
    first = rounds[0]
    rest = replace(first, calls=first.calls[1:], results=first.results[1:])
    return (rest, *rounds[1:]) if rest.calls else tuple(rounds[1:])


def _results(turn: Turn) -> Sequence[ToolResult]:
    """The results in order; a call without one counts as failed, since nobody knows that it was carried out."""
    return [result or ToolResult(None, error="NoResult", error_text="") for r in turn.rounds for result in r.results]


def _failures(turn: Turn, planned: Sequence[Planned]) -> tuple[ToolResult, Planned] | None:
    return next(((r, p) for r, p in zip(_results(turn), planned, strict=False) if not r.ok), None)


def _why_failed(result: ToolResult) -> str:
    if result.failed:
        return f"Home Assistant could not do it for {', '.join(result.failed)}."
    return f"Home Assistant refused the call: {result.error}."


def _answer(
    planned: Sequence[Planned],
    results: Sequence[ToolResult],
    grammar: Grammar | None,
    language: str | None,
    home: Home,
) -> Outcome:
    """The answer to a question, once all that it needs has been read."""
    if (refused := next((r for r in results if r.error is not None), None)) is not None:
        asked = planned[0].candidate
        if asked.intent in TIMED_INTENTS:
            return Answer(untold(asked), Reason.TOOL_FAILED, _why_failed(refused))
        key = "none_there" if asked.intent in STATE_INTENTS and "name" not in asked.slots else "no_state"
        return Answer(say(key, language, area=asked.slots.get("area")), Reason.TOOL_FAILED, _why_failed(refused))
    if len(results) < len(planned):
        call = planned[len(results)].call
        return Act((call,), Reason.READ_STATE, f"The question needs {plain_name(call.name)} too.")
    if grammar is None or results[-1].data is None:
        return Answer(say("no_state", language), Reason.TOOL_FAILED, "The states could not be read.")
    told = _told(planned[0], [r.data for r in results], grammar, home)
    if told is None:
        known = None if planned[0].candidate.free_texts else say("no_state", language)
        return Generate(Reason.READ_STATE, "What was read does not answer the question.", fallback=known)
    if not told.certain:
        return Generate(Reason.READ_STATE, "What was read has to be thought about.", fallback=told.text or None)
    return Answer(told.text, Reason.READ_STATE, "Answered from what was read.")


def _answers(
    parts: Sequence[Interpretation],
    planned: Sequence[Planned],
    results: Sequence[ToolResult],
    grammar: Grammar | None,
    home: Home,
) -> Outcome:
    """The answers to several questions; where one of them needs a model, all of it does."""
    if len(results) < len(planned):
        call = planned[len(results)].call
        return Act((call,), Reason.READ_STATE, f"The questions need {plain_name(call.name)} too.")
    made = {p.call.key: r for p, r in zip(planned, results, strict=False)}
    told = []
    for part in parts:
        outcome: Outcome = part.outcome
        if part.planned:
            read = [made[p.call.key] for p in part.planned]
            outcome = _answer(part.planned, read, grammar, part.language, home)
        if not isinstance(outcome, Answer):
            return Generate(Reason.READ_STATE, "One of the questions needs more than what was read.")
        told.append(_labelled(outcome.text, part, parts))
    return Answer(" ".join(told), Reason.READ_STATE, "Each question is answered from what was read.")


def _labelled(text: str, part: Interpretation, parts: Sequence[Interpretation]) -> str:
    """One of several answers; the place of each stands before it where the same was asked of several."""
    asked = part.candidates[0]
    alike = [p for p in parts if p.candidates[0].intent == asked.intent and p.candidates[0].slots != asked.slots]
    area = asked.slots.get("area")
    if not alike or area is None or str(area).casefold() in text.casefold():
        return as_sentence(text)
    return as_sentence(say("value_of", part.language, name=area, value=text))


def _of_our_tool(answer: Callable[[Any, str], str | None], result: ToolResult, planned: Planned) -> Outcome:
    text = answer(result.data, planned.candidate.language) if result.error is None else None
    if text is None:
        return Answer(say("failed", planned.candidate.language), Reason.TOOL_FAILED, _why_failed(result))
    return Answer(text, Reason.TOOL_RESULT, "Home Assistant told what came of it.")


def _told(planned: Planned, data: Sequence[Any], grammar: Grammar, home: Home) -> Told | None:
    candidate = planned.candidate
    if candidate.intent in TIMED_INTENTS:
        return answer_timed(candidate, data[-1])
    if candidate.intent in CALENDAR_INTENTS:
        return answer_calendar(candidate, data)
    if candidate.intent in LIST_INTENTS:
        return answer_list(candidate, str(planned.call.arguments["todo_list"]), data[-1])
    if candidate.intent in CLOCK_INTENTS:
        text = answer_clock(candidate, data[-1], grammar)
    else:
        live = data[-1].get("result") if isinstance(data[-1], dict) else data[-1]
        read = as_taught(read_live_context(live if isinstance(live, str) else ""), home)
        text = answer_state(candidate, read, grammar, planned.targets)
    return None if text is None else Told(text)


def _foreign(turn: Turn, language: str | None, verifier: Verifier) -> Outcome:
    """Results of calls that we did not plan: a model's, or those of an earlier version of the conversation."""
    acted, read = trailing_reads(turn.rounds)
    if acted and _accepted(acted[-1]):
        done = [Done(c, r) for a in acted for c, r in zip(a.calls, a.results, strict=True) if r is not None and r.ok]
        return verifier.follow(say("done", language), done, read, request_number=turn.request_number, language=language)
    last = turn.rounds[-1]
    results = [r for r in last.results if r is not None]
    reads = [is_reading(call.name, verifier.house.toolbox) for call in last.calls]
    failed = next((r for r in results if not r.ok), None)
    if results and failed is not None and not any(reads):
        undone = [name for c, r in zip(last.calls, last.results, strict=True) for name in _not_reached(c, r)]
        if undone and len(undone) < len(last.calls):
            text = say("partly_failed", language, names=listed(undone, language, "and", MOST_TOLD))
            return Answer(text, Reason.TOOL_FAILED, _why_failed(failed))
        return Answer(failure(failed, None, None, language), Reason.TOOL_FAILED, _why_failed(failed))
    known = _told_plainly(results) if results and all(reads) else say("done", language)
    return Generate(Reason.TOOL_RESULT, "A model asked for this and gets to see it.", fallback=known)


def is_reading(name: str, toolbox: Toolbox) -> bool:
    """Whether a call of this tool changed nothing."""
    tool = toolbox.by_name.get(name)
    return tool.only_reads if tool is not None else plain_name(name) in READS


def _not_reached(call: ToolCall, result: ToolResult | None) -> tuple[str, ...]:
    """What a call that failed was about, in one name at least where it has one."""
    if result is not None and result.ok:
        return ()
    told = call.arguments.get("name") or call.arguments.get("area") or call.arguments.get("item")
    return (result.failed if result is not None else ()) or ((str(told),) if told else ())


def _told_plainly(results: Sequence[ToolResult]) -> str | None:
    """What tools told, as they told it; Home Assistant's own answers are no text to be read out."""
    told = [plain_result(result.data) for result in results if result.ok]
    return " ".join(as_sentence(text) for text in told if text) if told and all(told) else None


def _accepted(acted: Round) -> bool:
    """Whether a round holds nothing but actions, and all that is known of them is that they were carried out."""
    results = [r for r in acted.results if r is not None]
    return (
        bool(results)
        and not any(plain_name(c.name) in READS for c in acted.calls)
        and all(
            r.ok and (r.success or (isinstance(r.data, dict) and r.data.get("response_type") == "action_done"))
            for r in results
        )
    )
