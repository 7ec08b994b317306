"""The smallest prompt that the task allows, in a form that the chosen model can hold its answer to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ..backends.base import Backend, ToolForm, Traits, estimated_tokens
from ..conversation import ChatRequest, Message, Role, ToolCall, last_user_index
from ..home.catalogue import Home
from ..home.entity import Area
from ..home.request_home import RequestHome
from ..home.toolbox import Tool
from ..prompt.budget import Fitted, Parts, fit, prompt_text
from ..prompt.conversation import useful_turns
from ..prompt.describe import entity_line, lines, result_text, told_round
from ..prompt.fragments import Instructions
from ..prompt.handles import Handles
from ..prompt.instructions import own_instructions
from ..prompt.texts import tell
from ..prompt.tools import READ_TOOL, answer_schema, native_tools, signature
from ..trace.trace import Trace
from ..turn.history import Round
from .question import Question
from .retrieve import Selection

_T = TypeVar("_T")
_NATIVE_CHOICES = frozenset({"auto", "none", "required"})


@dataclass(frozen=True, slots=True)
class Compiled:
    """What the backend gets, and what the ids in it stand for."""

    request: ChatRequest
    handles: Handles
    tools: tuple[Tool, ...] = ()


@dataclass(frozen=True, slots=True)
class _HousePrompt:
    """Renders a question about the home from more or fewer parts."""

    question: Question
    house: RequestHome
    areas: tuple[Area, ...]
    instructions: Instructions
    form: ToolForm

    def render(self, parts: Parts) -> ChatRequest:
        """The request with these entities, tools and earlier turns."""
        handles = self.handles(parts)
        messages = [
            Message(Role.SYSTEM, self._system(parts, handles)),
            *(message for turn in parts.turns for message in turn.messages),
            Message(Role.USER, self._question()),
            *self._rounds(parts),
        ]
        return replace(
            self.request,
            messages=tuple(messages),
            tools=native_tools(parts.tools, handles) if self.form is ToolForm.NATIVE else (),
            tool_choice=self._choice() if self.form is ToolForm.NATIVE else "auto",
            response_format=self._response_format(parts, handles),
            ha_context=None,
            body={},
        )

    def handles(self, parts: Parts) -> Handles:
        """The ids of what is listed."""
        return Handles.of(self.house.home, parts.entities, self.areas)

    @property
    def request(self) -> ChatRequest:
        """The request as it came."""
        return self.question.request

    @property
    def language(self) -> str | None:
        """The language of the sentence."""
        return self.question.language

    @property
    def must_act(self) -> bool:
        """Whether the client demands a call."""
        return self.request.tool_choice not in ("auto", "none")

    def _choice(self) -> str:
        return self.request.tool_choice if self.request.tool_choice in _NATIVE_CHOICES else "required"

    def _system(self, parts: Parts, handles: Handles) -> str:
        at_home = bool(parts.entities or parts.tools or self.question.turn.rounds)
        own = self.instructions.with_tools(parts.tools, plain=self.form is not ToolForm.NATIVE)
        said = [tell("task", self.language), tell("house", self.language) if at_home else "", own]
        if at_home and self.house.home.satellite_area:
            said.append(tell("here", self.language, area=self.house.home.satellite_area))
        if self.question.turn.rounds:
            said.append(tell("results", self.language))
        elif (reader := self.house.toolbox.find(READ_TOOL)) in parts.tools and reader is not None:
            name = reader.name if self.form is ToolForm.NATIVE else reader.plain
            if any(entity.state is None for entity in parts.entities):
                said.append(tell("read", self.language, tool=name))
        if self.form is not ToolForm.NATIVE and parts.tools:
            said += [self._form_rule(), tell("handles", self.language)]
        said += self._lists(parts, handles)
        return "\n".join(text for text in said if text)

    def _form_rule(self) -> str:
        key = str(self.form) if not self.must_act else "json_act"
        return tell(key, self.language)

    def _lists(self, parts: Parts, handles: Handles) -> list[str]:
        native = self.form is ToolForm.NATIVE
        said = []
        if handles.entities:
            listed = [entity_line(e) if native else f"{h} {entity_line(e)}" for h, e in handles.entities.items()]
            said += [f"\n{tell('devices', self.language)}:", lines(listed)]
        if handles.areas:
            listed = [a.name if native else f"{h} {a.name}" for h, a in handles.areas.items()]
            said += [f"{tell('areas', self.language)}: {', '.join(listed)}"]
        if parts.tools and not native:
            said += [f"{tell('tools', self.language)}:", lines(signature(tool, handles) for tool in parts.tools)]
        return said

    def _question(self) -> str:
        sentence, names = self.question.turn.sentence, ", ".join(self.question.candidates)
        return f"{sentence}\n{tell('candidates', self.language, names=names)}" if names else sentence

    def _rounds(self, parts: Parts) -> list[Message]:
        label = tell("result", self.language)
        native = self.form is ToolForm.NATIVE
        rounds = [
            self._native_round(made, parts) if native else told_round(made, parts.entities, label)
            for made in self.question.turn.rounds
        ]
        return [message for messages in rounds for message in messages]

    def _native_round(self, made: Round, parts: Parts) -> list[Message]:
        results = [
            Message(Role.TOOL, result_text(call.name, result, parts.entities), tool_call_id=call.id)
            for call, result in zip(made.calls, made.results, strict=True)
        ]
        return [Message(Role.ASSISTANT, made.text, tool_calls=made.calls), *results]

    def _response_format(self, parts: Parts, handles: Handles) -> Mapping[str, Any] | None:
        if self.form is not ToolForm.JSON or not parts.tools:
            return None
        schema = answer_schema(parts.tools, handles, parallel=self.request.parallel_tool_calls, must_act=self.must_act)
        return {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": schema}}


async def compile_house(
    question: Question,
    house: RequestHome,
    selection: Selection,
    instructions: Instructions,
    backend: Backend,
    trace: Trace,
) -> Compiled:
    """A question or command about the home; raises ContextLengthExceeded where what it needs does not fit."""
    traits = await backend.traits()
    prompt = _HousePrompt(question, house, selection.areas, instructions, traits.form)
    tools = _allowed(selection.tools, house, question.request.tool_choice)
    parts = Parts(
        entities=_required_first(selection.entities, selection.required_entities),
        tools=_required_first(tools, [tool for tool in selection.required_tools if tool in tools]),
        turns=useful_turns(question.turn.before),
        required_entities=len(selection.required_entities),
        required_tools=len([tool for tool in selection.required_tools if tool in tools]),
    )
    fitted = await fit(parts, prompt.render, backend, traits)
    _note(trace, question, fitted, traits)
    trace.note(
        "ha_prompt",
        entities=[entity.name for entity in fitted.parts.entities],
        tools=[tool.name for tool in fitted.parts.tools],
        entities_offered=len(house.home.entities),
        tools_offered=len(house.toolbox.tools),
        entities_dropped=len(parts.entities) - len(fitted.parts.entities),
        tools_dropped=len(parts.tools) - len(fitted.parts.tools),
        turns=len(fitted.parts.turns),
        selected=selection.note(),
    )
    return Compiled(fitted.request, prompt.handles(fitted.parts), fitted.parts.tools)


async def compile_other(question: Question, backend: Backend, trace: Trace) -> Compiled:
    """A chat without tools, an image or a task with structure: the person's own words and no home."""
    request, turn, language = question.request, question.turn, question.language
    traits = await backend.traits()
    system = own_instructions(request.system_text) or tell("task", language)
    if request.response_format is not None:
        system = f"{system}\n{_data_rule(request.response_format, language)}"
    index = last_user_index(request.messages)
    current = request.messages[index] if index >= 0 else Message(Role.USER, turn.sentence)
    parts = Parts(turns=() if current.images else useful_turns(turn.before))
    label = tell("result", language)
    rounds = [message for made in turn.rounds for message in told_round(made, (), label)]

    def render(parts: Parts) -> ChatRequest:
        earlier = [message for past in parts.turns for message in past.messages]
        messages = (Message(Role.SYSTEM, system), *earlier, current, *rounds)
        kept = request.response_format if traits.form is not ToolForm.TEXT else None
        return replace(
            request, messages=messages, tools=(), tool_choice="auto", response_format=kept, ha_context=None, body={}
        )

    fitted = await fit(parts, render, backend, traits)
    _note(trace, question, fitted, traits)
    return Compiled(fitted.request, Handles.of(Home(), (), ()))


def _data_rule(response_format: Mapping[str, Any], language: str | None) -> str:
    schema = (response_format.get("json_schema") or {}).get("schema")
    if schema is None:
        return tell("any_data", language)
    return tell("data", language, schema=json.dumps(schema, ensure_ascii=False, separators=(",", ":")))


def _allowed(tools: Sequence[Tool], house: RequestHome, choice: str) -> tuple[Tool, ...]:
    """The tools that the client lets be called: all that were selected, or the one that it names."""
    if choice in _NATIVE_CHOICES:
        return tuple(tools)
    named = house.toolbox.by_name.get(choice)
    return (named,) if named is not None else ()


def _required_first(items: Sequence[_T], required: Sequence[_T]) -> tuple[_T, ...]:
    return (*required, *(item for item in items if item not in required))


def _note(trace: Trace, question: Question, fitted: Fitted, traits: Traits) -> None:
    """Turns, and sizes in tokens; the incoming ones are what the same measure gives for the request as it came."""
    kept, request = len(fitted.parts.turns), question.request
    trace.note("ha_history", kept=kept, dropped=max(0, len(question.turn.earlier_sentences) - kept))
    compiled = prompt_text(fitted.request)
    incoming = prompt_text(request)
    share = fitted.tokens / max(1, estimated_tokens(compiled))
    trace.note(
        "ha_prompt",
        form=str(traits.form),
        tokens_after=fitted.tokens,
        tokens_limit=fitted.limit,
        tokens_before=round(estimated_tokens(incoming) * share),
        answer_tokens=fitted.request.max_tokens,
    )


def shown(request: ChatRequest) -> list[dict[str, Any]]:
    """A compiled prompt as the panel shows it."""
    return [
        {"role": str(message.role), "content": message.text} | _calls(message.tool_calls)
        for message in request.messages
    ]


def _calls(calls: Sequence[ToolCall]) -> dict[str, Any]:
    return {"tool_calls": [{"name": c.name, "arguments": dict(c.arguments)} for c in calls]} if calls else {}
