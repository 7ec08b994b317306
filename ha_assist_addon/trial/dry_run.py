"""Runs a sentence through the pipeline without doing anything: nothing is called, recorded or, unasked, generated."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import aclosing
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from ..backends.openai_form import request_body as backend_body
from ..conversation import CallEvent, ChatRequest, ReplyEvent, Role, TextDelta
from ..diagnostics.bodies import as_chat, asking, parsed
from ..diagnostics.names import home_of
from ..diagnostics.summary import Detail, detail_of, summary_of
from ..errors import HaAssistError, InvalidRequest, RequestNotKept
from ..examples import example_home, request_body
from ..pipeline.run import run
from ..trace.trace import Trace
from ..turn.boundary import MODEL
from ..verification.evidence import Evidence
from ..wire.chat import parse_chat

if TYPE_CHECKING:
    from ..backends.base import Backend
    from ..backends.registry import BackendRegistry
    from ..services import Services

EXAMPLES: tuple[str, ...] = ("home",)
"""Names of the example homes."""


@dataclass(frozen=True, slots=True)
class Change:
    """What differs from the original: `route`, `intent`, `target`, `arguments` or `reply`."""

    what: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class DryRun:
    """What would happen."""

    detail: Detail
    """As of a recorded request; its `calls` are those that Home Assistant would get, its reply is in the summary."""
    would_inference_calls: int
    """Generations that a real run would make."""
    generative_calls: int
    """Generations that this run made."""
    prepared: Mapping[str, Any] | None = None
    """What the model was or would be asked."""
    error: str | None = None
    """The sentence of the error that a client would get."""
    diff: tuple[Change, ...] | None = None
    """Against the original; None without one."""


async def dry_run(
    body: Mapping[str, Any], services: Services, *, generate: bool = False, original: Detail | None = None
) -> DryRun:
    """Run a chat request's body; raises HaAssistError where it is no chat request."""
    chat = {**as_chat(body), "model": MODEL}
    request = parse_chat(chat).chat
    watched = _Watched(services.backends, generate=generate)
    trace = Trace(MODEL, conversation=request.conversation, sentence=_sentence(request))
    # A yes must find the question that it answers, and leave it to be answered in earnest.
    held = deepcopy(services.confirmations)
    aside = replace(services, backends=cast("BackendRegistry", watched), confirmations=held, evidence=Evidence())
    texts: list[str] = []
    calls: list[dict[str, Any]] = []
    error: HaAssistError | None = None
    finished = True
    try:
        async with aclosing(cast("Any", run(request, aside, trace))) as events:
            async for event in events:
                match event:
                    case TextDelta(text):
                        texts.append(text)
                    case CallEvent(call):
                        calls.append({"name": call.name, "arguments": dict(call.arguments)})
    except _WouldGenerate:
        finished = False
    except HaAssistError as failure:
        error = failure
        trace.error, trace.server_said = failure.code, failure.said
        trace.reason, trace.why = trace.reason or failure.code, trace.why or failure.message
    trace.calls = calls
    outcome = "failed" if error is not None else "called" if calls else "answered"
    trace.finish(outcome, error.message if error is not None else "".join(texts))
    record = trace.record()
    detail = detail_of(record, summary_of(record, 0, 0), chat, trace.exchange)
    return DryRun(
        detail=detail,
        would_inference_calls=trace.inference_calls,
        generative_calls=watched.generated,
        prepared=_prepare(watched.asked, trace),
        error=error.message if error is not None else None,
        diff=compare(original, detail, whole=finished) if original is not None else None,
    )


async def latest_home(services: Services) -> tuple[str, dict[str, Any]] | None:
    """Id and body of the newest request that tells of a home, else of the newest; None where none is kept."""
    found = await services.traces.latest_bodies()
    return next((one for one in found if home_of(one[1]).entities), found[0] if found else None)


async def body_for(
    sentence: str | None,
    services: Services,
    *,
    request_id: str | None = None,
    example: str | None = None,
    else_latest: bool = False,
) -> tuple[dict[str, Any], Detail | None]:
    """A body that asks a sentence in the home of a request or of an example, and the original to compare with.

    Without a sentence it is the original's, with its tool rounds; without a home the last request's, else the example.
    With `else_latest` a request whose home is not kept any more is asked in the latest. Raises InvalidRequest or
    RequestNotKept.
    """
    if example is not None and request_id is not None:
        raise InvalidRequest("Name a request or an example home, not both.", param="example")
    if request_id is not None:
        original = await services.traces.one(request_id.removeprefix("chatcmpl-").removeprefix("resp_"))
        if original is None:
            raise RequestNotKept(param="request_id")
        if original.request is None:
            asked = sentence or original.summary.sentence
            latest = await latest_home(services) if else_latest and asked else None
            if latest is None or asked is None:
                raise RequestNotKept(param="request_id")
            return asking(as_chat(latest[1]), asked, alone=True), original
        body = as_chat(original.request)
        return (asking(body, sentence) if sentence else body), original
    if sentence is None or not sentence.strip():
        raise InvalidRequest("The request does not say which sentence to try.", param="sentence")
    last = await latest_home(services) if example is None else None
    if last is not None:
        return asking(as_chat(last[1]), sentence, alone=True), None
    if example not in {None, *EXAMPLES}:
        raise InvalidRequest(f"There is no such example home; there is {', '.join(EXAMPLES)}.", param="example")
    return request_body(example_home(), sentence), None


def compare(before: Detail, after: Detail, *, whole: bool = True) -> tuple[Change, ...]:
    """What is different; passed over is what was not kept, and without the `whole` run what a model would say."""
    unknown = {"arguments", "reply"} if not whole else set()
    if before.summary.sentence is None:
        unknown |= {"target", "arguments", "reply"}
    pairs = zip(_facts(before), _facts(after), strict=True)
    return tuple(Change(what, old, new) for (what, old), (_, new) in pairs if old != new and what not in unknown)


def _facts(detail: Detail) -> Iterator[tuple[str, Any]]:
    summary = detail.summary
    yield "route", summary.route
    yield "intent", summary.intent
    yield "target", summary.target
    yield "arguments", [{"name": call["name"], "arguments": dict(call["arguments"])} for call in detail.calls]
    yield "reply", summary.reply or ""


class _WouldGenerate(Exception):
    """The pipeline has come to where a model would be asked."""


class _Watched:
    """The backends, as far as a dry run may use them: it sees what a model is asked, and stops there unless wanted."""

    def __init__(self, backends: BackendRegistry, *, generate: bool) -> None:
        self.asked: ChatRequest | None = None
        self.generated = 0
        self._backends = backends
        self._generate = generate

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backends, name)

    def text(self) -> Backend | None:
        """As `BackendRegistry.text`."""
        return self._watch(self._backends.text())

    def vision(self) -> Backend | None:
        """As `BackendRegistry.vision`."""
        return self._watch(self._backends.vision())

    def _watch(self, backend: Backend | None) -> Backend | None:
        return None if backend is None else cast("Backend", _WatchedBackend(backend, self))

    async def generate(self, backend: Backend, request: ChatRequest) -> AsyncIterator[ReplyEvent]:
        """One generation, or the end of the run."""
        self.asked = request
        if not self._generate:
            raise _WouldGenerate
        self.generated += 1
        async with aclosing(cast("Any", backend.generate(request))) as events:
            async for event in events:
                yield event


class _WatchedBackend:
    def __init__(self, backend: Backend, watched: _Watched) -> None:
        self._backend = backend
        self._watched = watched

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)

    def generate(self, request: ChatRequest) -> AsyncIterator[ReplyEvent]:
        return self._watched.generate(self._backend, request)


def _sentence(request: ChatRequest) -> str | None:
    return next((m.text for m in reversed(request.messages) if m.role is Role.USER), None)


def _prepare(asked: ChatRequest | None, trace: Trace) -> Mapping[str, Any] | None:
    return None if asked is None else parsed(backend_body(asked, trace.backend_model or ""))
