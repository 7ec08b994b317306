"""The chat request as clients send it: lenient where Home Assistant's clients need it, plain about what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, Tag, ValidationError

from ..conversation import ChatRequest, JsonObject, Message, Role, ToolCall, last_user_index
from ..errors import InvalidRequest
from .fields import (
    ALLOWED,
    NAMED,
    TEXT_PARTS,
    ByForm,
    Content,
    JsonBody,
    Temperature,
    Tokens,
    ToolName,
    TopP,
    UpTo1000,
    UpTo10000,
    Wire,
    chosen_tools,
    conversation_of,
    last_user_text,
    read_arguments,
    read_content,
    refusal,
)

ROLES: Mapping[str, Role] = {
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}


@dataclass(frozen=True, slots=True)
class ParsedRequest:
    """A chat request and what only the wire needs of it."""

    chat: ChatRequest
    include_usage: bool


class _Function(Wire):
    name: str = ""
    arguments: Any = None


class _Call(Wire):
    id: str | None = None
    function: _Function | None = None


class _Message(Wire):
    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: Content = None
    tool_calls: UpTo1000[_Call] | None = None
    tool_call_id: str | None = None


class _ToolFunction(Wire):
    name: ToolName
    description: str | None = None
    parameters: dict[str, Any] | None = None


class _Tool(Wire):
    type: str = "function"
    function: _ToolFunction | None = None


class _NamedFunction(Wire):
    name: str


class _NamedChoice(Wire):
    type: Literal["function"]
    function: _NamedFunction


class _AllowedTools(Wire):
    mode: Literal["auto", "required"]
    tools: UpTo10000[_NamedChoice]


class _AllowedChoice(Wire):
    type: Literal["allowed_tools"]
    allowed_tools: _AllowedTools


_ToolChoice = Annotated[
    Annotated[_NamedChoice, Tag(NAMED)] | Annotated[_AllowedChoice, Tag(ALLOWED)],
    ByForm,
]


class _JsonSchema(Wire):
    name: str = ""
    schema_: Annotated[dict[str, Any] | None, Field(alias="schema")] = None


class _ResponseFormat(Wire):
    type: Literal["text", "json_object", "json_schema"]
    json_schema: _JsonSchema | None = None


class _StreamOptions(Wire):
    include_usage: bool | None = None


class _Chat(Wire):
    model: str
    messages: Annotated[UpTo10000[_Message], Field(min_length=1)]
    tools: UpTo10000[_Tool] | None = None
    tool_choice: Literal["none", "auto", "required"] | _ToolChoice | None = None
    parallel_tool_calls: bool | None = None
    response_format: _ResponseFormat | None = None
    max_tokens: Tokens = None
    max_completion_tokens: Tokens = None
    temperature: Temperature = None
    top_p: TopP = None
    n: Literal[1] | None = None
    stop: str | UpTo1000[str] | None = None
    seed: Annotated[int | None, Field(ge=-(2**63), lt=2**63)] = None
    stream: bool | None = None
    stream_options: _StreamOptions | None = None
    user: str | None = None
    metadata: dict[str, Any] | None = None
    ha_context: dict[str, Any] | None = None


def parse_chat(body: dict[str, Any]) -> ParsedRequest:
    """Check a body and turn it into a `ChatRequest`; what is wrong is told with the field's name."""
    try:
        wire = _Chat.model_validate(body)
    except ValidationError as error:
        raise refusal(error) from error
    messages = tuple(_message(message) for message in wire.messages)
    _check_legible(wire, messages)
    tools, tool_choice = _tools(wire, body)
    return ParsedRequest(
        chat=ChatRequest(
            model=wire.model,
            messages=messages,
            tools=tools,
            tool_choice=tool_choice,
            parallel_tool_calls=wire.parallel_tool_calls is not False,
            response_format=_response_format(wire, body),
            max_tokens=wire.max_completion_tokens or wire.max_tokens,
            temperature=wire.temperature,
            top_p=wire.top_p,
            seed=wire.seed,
            stop=_stop(wire.stop),
            stream=bool(wire.stream),
            conversation=conversation_of(body),
            ha_context=wire.ha_context,
            body=body,
        ),
        include_usage=bool(wire.stream_options and wire.stream_options.include_usage),
    )


def last_sentence(body: JsonBody) -> str | None:
    """The last user text of a body that nobody has checked."""
    return last_user_text(body.get("messages"))


def _message(wire: _Message) -> Message:
    text, images = read_content(wire.content)
    return Message(
        role=ROLES[wire.role],
        text=text,
        images=images,
        tool_calls=tuple(_call(call, call.function) for call in wire.tool_calls or () if call.function is not None),
        tool_call_id=wire.tool_call_id,
    )


def _check_legible(wire: _Chat, messages: tuple[Message, ...]) -> None:
    """Refuse a turn that holds only parts of unknown kinds; in older turns they are passed over."""
    index = last_user_index(messages)
    if index < 0 or messages[index].text or messages[index].images:
        return
    content = wire.messages[index].content
    if isinstance(content, list):
        unknown = sorted({part.type for part in content} - TEXT_PARTS)
        if unknown:
            raise InvalidRequest(
                f"HA-Assist cannot read the kind of content in this message: {', '.join(unknown)}.",
                param=f"messages[{index}].content",
            )


def _call(call: _Call, function: _Function) -> ToolCall:
    return ToolCall(call.id or "", function.name, read_arguments(function.arguments))


def _stop(stop: str | list[str] | None) -> tuple[str, ...]:
    """Texts at which a model stops; an empty one would stop it before it began."""
    return tuple(text for text in ([stop] if isinstance(stop, str) else stop or ()) if text)


def _tools(wire: _Chat, body: JsonBody) -> tuple[tuple[JsonObject, ...], str]:
    """The function objects just as they came, as far as the choice leaves them, and the choice."""
    functions = []
    for index, tool in enumerate(wire.tools or ()):
        if tool.type != "function":
            continue
        if tool.function is None:
            raise InvalidRequest("A tool of the request does not say what it is.", param=f"tools[{index}].function")
        functions.append(body["tools"][index]["function"])
    match wire.tool_choice:
        case _NamedChoice(function=function):
            return chosen_tools(functions, function.name, [function.name]), function.name
        case _AllowedChoice(allowed_tools=allowed):
            names = [tool.function.name for tool in allowed.tools]
            return chosen_tools(functions, allowed.mode, names), allowed.mode
        case choice:
            return chosen_tools(functions, choice or "auto"), choice or "auto"


def _response_format(wire: _Chat, body: JsonBody) -> JsonObject | None:
    form = wire.response_format
    if form is None or form.type == "text":
        return None
    if form.type == "json_schema" and (form.json_schema is None or form.json_schema.schema_ is None):
        raise InvalidRequest("The form of the answer lacks its JSON schema.", param="response_format.json_schema")
    received: JsonObject = body["response_format"]
    return received
