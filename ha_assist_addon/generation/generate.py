"""The one generation: what the model is asked, and what of its answer is let through."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from ..backends.base import Backend
from ..backends.notations import naming
from ..backends.printed import Printed
from ..conversation import CallEvent, Finish, JsonObject, ReplyEvent, TextDelta, ToolCall
from ..errors import AnswerNotStructured
from ..home.request_home import RequestHome
from ..language.replies import say
from ..prompt.fragments import read_instructions
from ..prompt.reading import AnswerReader
from ..retrieval.finder import Finder
from ..trace.trace import Exchange, Trace
from ..turn.confirmations import Confirmations
from .asking import ask_first
from .claims import ClaimGate
from .compile import Compiled, compile_house, compile_other, shown
from .endless import MOST_CALLS, MOST_ROUNDS, EndlessWatch
from .grounds import Grounds
from .question import Question
from .resolve import resolve
from .retrieve import Selection, retrieve
from .structured import read_data
from .validate import Ruling, Verdict, is_read, validate_all


@dataclass(slots=True)
class _Heard:
    """What has come of the model's answer."""

    text: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    unreadable: bool = False
    endless: bool = False
    """Whether it was ended by us, because it came to no end."""
    finish: Finish = field(default_factory=lambda: Finish("stop"))

    def add(self, printed: Printed) -> None:
        """Take in the calls that were printed instead of made."""
        self.calls += printed.calls
        self.unreadable |= printed.unreadable


async def generate_house(
    question: Question, house: RequestHome, backend: Backend, finder: Finder, held: Confirmations, trace: Trace
) -> AsyncGenerator[ReplyEvent]:
    """Retrieve, compile, ask once, validate; speech streams by the sentence, a refused call becomes one."""
    grounds = Grounds(question, house)
    with trace.stage("retrieval"):
        instructions = read_instructions(question.request.system_text, house.toolbox.tools)
        selection = await retrieve(
            question.turn,
            house,
            question.candidates,
            question.language,
            finder,
            instructions.fragments,
            question.common,
        )
    with trace.stage("context_and_prompt"):
        compiled = await compile_house(question, house, _permitted(selection, grounds), instructions, backend, trace)
    names = frozenset(name for tool in house.toolbox.tools for name in (tool.name, tool.plain))
    reader, heard = AnswerReader(names), _Heard()
    rounds = [call for made in question.turn.rounds for call in made.calls]
    acted = any(not is_read(call, house.toolbox) for call in rounds)
    gate = ClaimGate(question.language, states_read=bool(rounds), acted=acted, named=naming(names))
    spoken, gap = False, ""
    async with aclosing(_ask(compiled, backend, heard, trace)) as texts:
        async for text in texts:
            for piece in gate.feed(reader.feed(text)):
                spoken, gap = spoken or bool(piece.strip()), "" if piece[-1:].isspace() else " "
                yield TextDelta(piece)
    if heard.endless:
        yield TextDelta(f"{gap}{say('model_endless', question.language)}")
        yield Finish("stop", heard.finish.usage)
        return
    printed = reader.end()
    heard.add(printed)
    heard.unreadable |= gate.printed
    if printed.calls or printed.unreadable:
        gate.drop()
    verdicts = _verdicts(heard, compiled, grounds, trace)
    if _reads_on(verdicts, rounds, len(question.turn.rounds)):
        trace.note("ha_validation", verdict="endless", why="The model reads the same again and again.")
        yield TextDelta(f"{gap}{say('model_endless', question.language)}")
        yield Finish("stop", heard.finish.usage)
        return
    if verdicts and all(v.ruling is Ruling.ACCEPTED for v in verdicts):
        for verdict in verdicts:
            yield CallEvent(verdict.call)
        trace.tools_after = len(verdicts)
        yield Finish("tool_calls", heard.finish.usage)
        return
    for piece in (*gate.feed(printed.text), *gate.end()):
        spoken, gap = spoken or bool(piece.strip()), "" if piece[-1:].isspace() else " "
        yield TextDelta(piece)
    if (closing := _closing(verdicts, heard, gate, question, held, trace, spoken=spoken)) is not None:
        yield TextDelta(f"{gap}{closing}")
    yield Finish("length" if heard.finish.reason == "length" else "stop", heard.finish.usage)


async def generate_other(question: Question, backend: Backend, trace: Trace) -> AsyncGenerator[ReplyEvent]:
    """A chat, a look at an image, or data of a given form; raises AnswerNotStructured where that is not what came."""
    with trace.stage("context_and_prompt"):
        compiled = await compile_other(question, backend, trace)
    heard = _Heard()
    form: JsonObject | None = question.request.response_format
    spoken = False
    async with aclosing(_ask(compiled, backend, heard, trace, data=form is not None)) as texts:
        async for text in texts:
            if form is None:
                spoken = spoken or bool(text.strip())
                yield TextDelta(text)
    if form is not None:
        if heard.finish.reason == "length":
            raise AnswerNotStructured("The language model's answer was cut off before its data was complete.")
        yield TextDelta(read_data("".join(heard.text), form))
    elif heard.endless:
        yield TextDelta(f"{' ' if spoken else ''}{say('model_endless', question.language)}")
    elif not spoken:
        yield TextDelta(say("not_understood", question.language))
    yield Finish("length" if heard.finish.reason == "length" else "stop", heard.finish.usage)


async def _ask(
    compiled: Compiled, backend: Backend, heard: _Heard, trace: Trace, *, data: bool = False
) -> AsyncGenerator[str]:
    """The text of the answer as it comes; calls and the end go to `heard`. `data` may repeat itself."""
    trace.prepared()
    trace.inference_calls += 1
    prompt = shown(compiled.request)
    watch = EndlessWatch(compiled.request.max_tokens, may_repeat=data)
    try:
        with trace.stage("generation"):
            async with aclosing(backend.generate(compiled.request)) as events:  # type: ignore[type-var]
                async for event in events:
                    match event:
                        case TextDelta(text):
                            heard.text.append(text)
                            heard.endless = watch.feed(text)
                            if not heard.endless:
                                yield text
                        case CallEvent(call):
                            heard.calls.append(call)
                            heard.endless = len(heard.calls) > MOST_CALLS
                        case Finish():
                            heard.finish = event
                    if heard.endless:
                        trace.note("ha_validation", verdict="endless", why="The model's answer came to no end.")
                        heard.finish = Finish("length")
                        break
    finally:
        answer = "".join(heard.text)
        made = "".join(f"\n{call.name} {dict(call.arguments)}" for call in heard.calls)
        trace.exchange = Exchange(prompt, answer + made)


def _permitted(selection: Selection, grounds: Grounds) -> Selection:
    """Without the tools that the sentence forbids: what would be refused need not be offered."""
    kept = [tool for tool in selection.tools if tool.only_reads or not grounds.forbids(tool)]
    required = tuple(tool for tool in selection.required_tools if tool in kept)
    return replace(selection, tools=tuple(kept), required_tools=required)


def _verdicts(heard: _Heard, compiled: Compiled, grounds: Grounds, trace: Trace) -> list[Verdict]:
    """The ruling on each call; only the first counts where the client takes one at a time."""
    toolbox = grounds.house.toolbox
    resolved = (resolve(call, toolbox, compiled.handles) for call in heard.calls)
    # A small model may write the same call again and again.
    calls = list({_key(call): call for call in resolved}.values())
    calls = calls if grounds.question.request.parallel_tool_calls else calls[:1]
    verdicts = validate_all(calls, grounds)
    if heard.unreadable and not verdicts:
        verdicts = [Verdict(ToolCall("", "", {}), Ruling.REFUSED, "what the model wrote is no call that can be read")]
    if verdicts:
        trace.note(
            "ha_validation",
            calls=[
                {
                    "name": v.call.name,
                    "arguments": dict(v.call.arguments),
                    "accepted": v.ruling is Ruling.ACCEPTED,
                    "ruling": str(v.ruling),
                    "why": v.why,
                    "targets": [entity.name for entity in v.targets],
                }
                for v in verdicts
            ],
            verdict=str(_worst(verdicts)),
        )
    return verdicts


def _reads_on(verdicts: Sequence[Verdict], made: Sequence[ToolCall], rounds: int) -> bool:
    """Whether a model asks for what it was told in this turn already, or for more than a question needs."""
    known = {_key(call) for call in made}
    again = bool(verdicts) and all(_key(v.call) in known for v in verdicts)
    return again or (bool(verdicts) and rounds >= MOST_ROUNDS)


def _key(call: ToolCall) -> tuple[str, str]:
    return call.name, repr(sorted(call.arguments.items()))


def _worst(verdicts: Sequence[Verdict]) -> Ruling:
    """All calls or none: half of what was asked is worse than nothing."""
    rulings = {verdict.ruling for verdict in verdicts}
    return next(r for r in (Ruling.REFUSED, Ruling.ASKED, Ruling.ACCEPTED) if r in rulings)


def _closing(
    verdicts: Sequence[Verdict],
    heard: _Heard,
    gate: ClaimGate,
    question: Question,
    held: Confirmations,
    trace: Trace,
    *,
    spoken: bool,
) -> str | None:
    """The sentence of ours that ends the answer, or None where the model's own words do."""
    if verdicts and _worst(verdicts) is Ruling.ASKED:
        acting = [v for v in verdicts if question.house is None or not is_read(v.call, question.house.toolbox)]
        asked = ask_first(acting, question.language)
        held.hold(question.request, asked, [verdict.call for verdict in acting])
        return asked
    if verdicts:
        return say("refused_call", question.language)
    if gate.claimed:
        trace.note("ha_validation", verdict="unbacked_claim", why="The model claimed an action that it did not call.")
        return say("unbacked_claim", question.language)
    if not spoken and heard.finish.reason != "length":
        return say("not_understood", question.language)
    return None
