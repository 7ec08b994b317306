"""The steps of a request in order. Read this first; nothing else knows the order."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, replace
from uuid import uuid4

from ..backends.base import Backend
from ..conversation import CallEvent, ChatRequest, Finish, ReplyEvent, TextDelta, ToolCall
from ..errors import BackendFailed, BackendTimeout, BackendUnavailable, ContextLengthExceeded, ModelNotReady, NoModel
from ..generation.generate import generate_house, generate_other
from ..generation.question import Question
from ..generation.structured import check_form
from ..home.request_home import RequestHome, load_request_home
from ..language.replies import say
from ..models.status import ModelState
from ..reading.held_answer import answer_to_confirmation, trusted_from_now_on
from ..reading.understand import common_words, load, rank_languages
from ..services import Services
from ..taught.lessons import Lessons
from ..taught.names import in_known_names, with_taught_names
from ..trace.trace import Trace
from ..turn.boundary import RequestKind, classify, is_task
from ..turn.history import Turn, read_turn
from ..turn.images import check_images
from ..turn.outcome import Act, Answer, Ask, Generate, Outcome, Reason, Wait
from ..verification.actions import RecentActions
from ..verification.verify import Verifier
from .conclude import conclude
from .taught_targets import understand_on_all
from .trust import remember_trust

LONGEST_SENTENCE = 20_000
"""Characters; nobody says more at once, and looking for what it means takes a second."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What is done about a request, and the language that its answer is in."""

    outcome: Outcome
    language: str | None


async def run(request: ChatRequest, services: Services, trace: Trace) -> AsyncIterator[ReplyEvent]:
    """Answer one request to the model HA-Assist."""
    kind = classify(request)
    with trace.stage("history"):
        turn = read_turn(request.messages)
    trace.sentence = turn.sentence
    trace.tools_offered = len(request.tools)
    note_history(request, turn, trace)

    house: RequestHome | None = None
    if kind is RequestKind.IMAGE:
        await check_images(request)
    lessons = services.taught.current
    if kind is RequestKind.HOUSE:
        if len(turn.sentence) > LONGEST_SENTENCE:
            raise ContextLengthExceeded
        house = await load_request_home(
            request, services.homes, services.registry.current if services.registry else None
        )
        house = with_taught_names(house, lessons)
        decision = await decide_house(request, turn, house, services, trace, lessons)
    else:
        decision = await decide_other(kind, turn, services)
    outcome, language = decision.outcome, decision.language
    trace.language = language
    trace.reason, trace.why = str(outcome.then.reason if isinstance(outcome, Wait) else outcome.reason), _why(outcome)

    match outcome:
        case Act() | Wait():
            async for event in act(outcome, request.parallel_tool_calls, services.evidence.actions, trace):
                yield _as_home_assistant_knows(event, house)
        case Answer(text=text) | Ask(text=text):
            yield TextDelta(text)
            yield Finish("stop")
        case Generate():
            common = common_words(services.grammars, language) if house is not None else ()
            trusted = frozenset(services.settings.current.settings.ha_assist_trusted_tools)
            question = Question(request, turn, language, outcome.reason, house, outcome.candidates, common, trusted)
            async with aclosing(ask_model(kind, outcome, question, services, trace)) as events:
                async for event in events:
                    if isinstance(event, CallEvent):
                        services.evidence.actions.sent(event.call.id)
                    yield _as_home_assistant_knows(event, house)


def note_history(request: ChatRequest, turn: Turn, trace: Trace) -> None:
    """What there was before; what of it a model gets to see, its prompt notes."""
    turns = len(turn.earlier_sentences)
    counts = {"messages_before": len(request.messages), "rounds": len(turn.rounds), "kept": 0, "dropped": turns}
    trace.note("ha_history", policy="current_turn", **counts)


async def decide_house(
    request: ChatRequest, turn: Turn, house: RequestHome, services: Services, trace: Trace, lessons: Lessons
) -> Decision:
    """A sentence is understood; after a tool round the same understanding tells what the results mean."""
    if services.confirmations.waits_for(request, turn):
        enabled = services.settings.current.settings.ha_assist_languages
        language = next(iter(await rank_languages(turn, services.grammars, enabled, house)), None)
        confirmed = answer_to_confirmation(request, turn, house, services.confirmations, language)
        if confirmed is not None:
            remember_trust(trusted_from_now_on(confirmed, turn, house, language), services.settings)
            return Decision(confirmed, language)
    settings = services.settings.current.settings
    understood = await understand_on_all(turn, house, services.grammars, settings, trace, lessons)
    if not turn.rounds:
        return Decision(understood.outcome, understood.language)
    grammar = await load(services.grammars, understood.language) if understood.language else None
    verifier = Verifier(house, settings, trace, services.evidence, turn.before)
    return Decision(conclude(turn, understood, grammar, verifier), understood.language)


async def decide_other(kind: RequestKind, turn: Turn, services: Services) -> Decision:
    """What no shortcut may answer: images, structured data, and chats without tools."""
    ranked = await rank_languages(turn, services.grammars, services.settings.current.settings.ha_assist_languages)
    language = ranked[0] if ranked else None
    match kind:
        case RequestKind.IMAGE:
            why = "An image goes to the vision model."
            return Decision(Generate(Reason.IMAGE, why, fallback=say("no_vision_model", language)), language)
        case RequestKind.STRUCTURED:
            return Decision(Generate(Reason.STRUCTURED, "Structured data needs the language model."), language)
        case RequestKind.PLAIN | RequestKind.HOUSE:
            return Decision(Generate(Reason.PLAIN_CHAT, "A chat without tools needs the language model."), language)


async def act(outcome: Act | Wait, parallel: bool, actions: RecentActions, trace: Trace) -> AsyncIterator[ReplyEvent]:
    """Hand the calls to Home Assistant, one a round where the client wants it so; a wait before them blocks nobody."""
    if isinstance(outcome, Wait):
        answer: Answer | None = None
        began = time.perf_counter()
        with trace.stage("verify_wait", waiting=True):
            if outcome.watch is not None:
                answer = await outcome.watch(outcome.seconds)
            else:
                await asyncio.sleep(outcome.seconds)
        trace.verify_settle_ms = round((time.perf_counter() - began) * 1000, 3)
        if answer is not None:
            trace.reason, trace.why = str(answer.reason), answer.why
            yield TextDelta(answer.text)
            yield Finish("stop")
            return
        outcome = outcome.then
    calls = outcome.calls if parallel else outcome.calls[:1]
    trace.tools_after = len(calls)
    for call in calls:
        made = ToolCall(f"call_{uuid4().hex[:24]}", call.name, call.arguments)
        actions.sent(made.id)
        yield CallEvent(made)
    yield Finish("tool_calls")


async def ask_model(
    kind: RequestKind, outcome: Generate, question: Question, services: Services, trace: Trace
) -> AsyncGenerator[ReplyEvent]:
    """One generation; a model that is missing or fails is told in a sentence, or by an error where data was wanted."""
    form = question.request.response_format
    if form is not None:
        check_form(form)
    backend = services.backends.vision() if kind is RequestKind.IMAGE else services.backends.text()
    if backend is not None and kind is RequestKind.IMAGE and await is_blind(backend):
        backend = None
    if backend is None:
        if is_task(question.request):
            raise NoModel(say("no_vision_model" if kind is RequestKind.IMAGE else "no_model", question.language))
        yield TextDelta(outcome.fallback or say("no_model", question.language))
        yield Finish("stop")
        return
    trace.route = "vlm" if kind is RequestKind.IMAGE else "llm"
    trace.backend_model = backend.info.id
    events = (
        generate_house(question, question.house, backend, services.finder, services.confirmations, trace)
        if question.house is not None
        else generate_other(question, backend, trace)
    )
    gap = ""
    try:
        async with aclosing(events):
            async for event in events:
                if isinstance(event, TextDelta) and event.text:
                    gap = "" if event.text[-1].isspace() else " "
                yield event
    except ModelNotReady as error:
        if is_task(question.request):
            raise
        trace.why = f"{outcome.why} {error.message}"
        waits = (await backend.status()).state in (ModelState.LOADING, ModelState.DOWNLOADING, ModelState.READY)
        fallback = outcome.fallback if kind is RequestKind.HOUSE else None
        yield TextDelta(fallback or say("model_not_ready" if waits else "model_unusable", question.language))
        yield Finish("stop")
    except (BackendFailed, BackendUnavailable, BackendTimeout) as error:
        if is_task(question.request):
            raise
        trace.why = f"{outcome.why} {error.message}"
        yield TextDelta(f"{gap}{say('model_failed', question.language)}")
        yield Finish("stop")


async def is_blind(backend: Backend) -> bool:
    """Whether a model is ready and cannot look at images; one that is not ready has not told yet."""
    return not (await backend.traits()).images and (await backend.status()).state is ModelState.READY


def _as_home_assistant_knows(event: ReplyEvent, house: RequestHome | None) -> ReplyEvent:
    """A call names nothing by what was taught here alone."""
    if house is None or not isinstance(event, CallEvent):
        return event
    return replace(event, call=replace(event.call, arguments=in_known_names(event.call.arguments, house.home)))


def _why(outcome: Outcome) -> str:
    return outcome.then.why if isinstance(outcome, Wait) else outcome.why
