"""The request of the Responses API, as far as a conversation needs it; whatever would need storage is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import Field, Tag, ValidationError

from ..conversation import ChatRequest, JsonObject, Message, Role, ToolCall
from ..errors import InvalidRequest
from .fields import (
    ALLOWED,
    IMAGE_PARTS,
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
}
_KEEPS_NOTHING = "HA-Assist stores no answers; please send the whole conversation each time."
REFUSED: Mapping[str, str] = {
    "previous_response_id": _KEEPS_NOTHING,
    "conversation": _KEEPS_NOTHING,
    "prompt": "HA-Assist stores no prompts; please send the text itself.",
    "background": "HA-Assist answers at once, not in the background.",
    "context_management": "HA-Assist does not shorten conversations on request.",
    "moderation": "HA-Assist does not rate texts.",
    "audio": "HA-Assist answers in text, not in sound.",
    "modalities": "HA-Assist answers in text only.",
    "top_logprobs": "HA-Assist does not tell how likely its words are.",
}
"""Fields that change what an answer means, so that passing them over would mislead."""


@dataclass(frozen=True, slots=True)
class ParsedResponses:
    """A request, and what of it the answer repeats."""

    chat: ChatRequest
    echo: JsonObject


class _Message(Wire):
    role: Literal["system", "developer", "user", "assistant"]
    content: Content = None


class _FunctionCall(Wire):
    call_id: str
    name: str
    arguments: Any = None


class _FunctionCallOutput(Wire):
    call_id: str
    output: Content


class _Tool(Wire):
    type: str
    name: ToolName | None = None
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None


class _NamedChoice(Wire):
    type: Literal["function"]
    name: str


class _AllowedChoice(Wire):
    type: Literal["allowed_tools"]
    mode: Literal["auto", "required"]
    tools: UpTo10000[_NamedChoice]


_ToolChoice = Annotated[
    Annotated[_NamedChoice, Tag(NAMED)] | Annotated[_AllowedChoice, Tag(ALLOWED)],
    ByForm,
]


class _Format(Wire):
    type: Literal["text", "json_object", "json_schema"]
    name: str | None = None
    description: str | None = None
    schema_: Annotated[dict[str, Any] | None, Field(alias="schema")] = None
    strict: bool | None = None


class _Text(Wire):
    format: _Format | None = None


class _Request(Wire):
    model: str
    input: str | Annotated[UpTo10000[dict[str, Any]], Field(min_length=1)]
    instructions: str | None = None
    tools: UpTo10000[_Tool] | None = None
    tool_choice: Literal["none", "auto", "required"] | _ToolChoice | None = None
    parallel_tool_calls: bool | None = None
    text: _Text | None = None
    max_output_tokens: Tokens = None
    temperature: Temperature = None
    top_p: TopP = None
    include: UpTo1000[Literal["reasoning.encrypted_content"]] | None = None
    truncation: Literal["auto", "disabled"] | None = None
    store: bool | None = None
    stream: bool | None = None
    user: str | None = None
    safety_identifier: str | None = None
    metadata: dict[str, str] | None = None
    ha_context: dict[str, Any] | None = None


def parse_responses(body: dict[str, Any]) -> ParsedResponses:
    """Check a body and turn it into a `ChatRequest`; what is wrong is told with the field's name."""
    for field, sentence in REFUSED.items():
        if body.get(field):
            raise InvalidRequest(sentence, param=field)
    try:
        wire = _Request.model_validate(body)
    except ValidationError as error:
        raise refusal(error) from error
    tools, tool_choice = _chosen(wire, _tools(wire, body))
    chat = ChatRequest(
        model=wire.model,
        messages=_messages(wire),
        tools=tools,
        tool_choice=tool_choice,
        parallel_tool_calls=wire.parallel_tool_calls is not False,
        response_format=_response_format(wire),
        max_tokens=wire.max_output_tokens,
        temperature=wire.temperature,
        top_p=wire.top_p,
        stream=bool(wire.stream),
        conversation=conversation_of(body),
        ha_context=wire.ha_context,
        body=body,
    )
    return ParsedResponses(chat, _echo(wire))


def last_sentence(body: JsonBody) -> str | None:
    """The last user text of a body that nobody has checked."""
    received = body.get("input")
    return received if isinstance(received, str) else last_user_text(received)


def _messages(wire: _Request) -> tuple[Message, ...]:
    messages = [] if wire.instructions is None else [Message(Role.SYSTEM, wire.instructions)]
    if isinstance(wire.input, str):
        return *messages, Message(Role.USER, wire.input)
    continues = False
    for index, item in enumerate(wire.input):
        message = _item(item, f"input[{index}]")
        if message is None:
            continue
        if continues and message.tool_calls and not message.text:
            # The calls of one answer are items of their own here, behind its text.
            calls = (*messages[-1].tool_calls, *message.tool_calls)
            messages[-1] = replace(messages[-1], tool_calls=calls)
        else:
            messages.append(message)
        continues = message.role is Role.ASSISTANT
    return tuple(messages)


def _item(item: JsonBody, place: str) -> Message | None:
    """One item of the history; None for reasoning, which is no part of what was said."""
    try:
        match item.get("type", "message"):
            case "message":
                return _message(_Message.model_validate(item), place)
            case "function_call":
                call = _FunctionCall.model_validate(item)
                calls = (ToolCall(call.call_id, call.name, read_arguments(call.arguments)),)
                return Message(Role.ASSISTANT, tool_calls=calls)
            case "function_call_output":
                result = _FunctionCallOutput.model_validate(item)
                text, images = _read_parts(result.output, f"{place}.output")
                return Message(Role.TOOL, text, images, tool_call_id=result.call_id)
            case "reasoning":
                return None
            case "item_reference":
                raise InvalidRequest(_KEEPS_NOTHING, param=place)
            case _:
                raise InvalidRequest("HA-Assist does not know this kind of input.", param=f"{place}.type")
    except ValidationError as error:
        raise refusal(error, place) from error


def _message(wire: _Message, place: str) -> Message:
    text, images = _read_parts(wire.content, f"{place}.content")
    return Message(ROLES[wire.role], text, images)


def _read_parts(content: Content, place: str) -> tuple[str, tuple[str, ...]]:
    for index, part in enumerate(content if isinstance(content, list) else ()):
        if part.type not in TEXT_PARTS | IMAGE_PARTS:
            raise InvalidRequest("HA-Assist reads text and images only.", param=f"{place}[{index}].type")
        if part.type in IMAGE_PARTS and not read_content([part])[1]:
            raise InvalidRequest("An image must be sent along in image_url.", param=f"{place}[{index}].image_url")
    return read_content(content)


def _tools(wire: _Request, body: JsonBody) -> list[JsonObject]:
    """The functions as they came, but for the type, which the chat form keeps outside of them."""
    functions: list[JsonObject] = []
    for index, tool in enumerate(wire.tools or ()):
        if tool.type != "function":
            raise InvalidRequest("HA-Assist knows only tools that are functions.", param=f"tools[{index}].type")
        if tool.name is None:
            raise InvalidRequest("A tool of the request has no name.", param=f"tools[{index}].name")
        functions.append({key: value for key, value in body["tools"][index].items() if key != "type"})
    return functions


def _chosen(wire: _Request, offered: list[JsonObject]) -> tuple[tuple[JsonObject, ...], str]:
    match wire.tool_choice:
        case _NamedChoice(name=name):
            return chosen_tools(offered, name, [name]), name
        case _AllowedChoice(mode=mode, tools=allowed):
            return chosen_tools(offered, mode, [tool.name for tool in allowed]), mode
        case choice:
            return chosen_tools(offered, choice or "auto"), choice or "auto"


def _response_format(wire: _Request) -> JsonObject | None:
    """`text.format` as the chat form has it, where the schema stands one level deeper."""
    form = wire.text.format if wire.text is not None else None
    if form is None or form.type == "text":
        return None
    if form.type == "json_object":
        return {"type": "json_object"}
    if form.schema_ is None:
        raise InvalidRequest("The form of the answer lacks its JSON schema.", param="text.format.schema")
    return {"type": "json_schema", "json_schema": _named_schema(form)}


def _named_schema(form: _Format) -> dict[str, Any]:
    fields = {
        "name": form.name or "answer", "description": form.description, "schema": form.schema_, "strict": form.strict
    }  # fmt: skip
    return {key: value for key, value in fields.items() if value is not None}


def _echo(wire: _Request) -> JsonObject:
    """As it was understood, not as it came: a client that is strict takes no 0 for false."""
    form = wire.text.format if wire.text is not None else None
    shown: dict[str, Any] = {"type": "text" if form is None else form.type}
    if form is not None and form.type == "json_schema":
        shown |= _named_schema(form)
    choice = wire.tool_choice
    return {
        "instructions": wire.instructions,
        "max_output_tokens": wire.max_output_tokens,
        "metadata": wire.metadata or {},
        "parallel_tool_calls": wire.parallel_tool_calls is not False,
        "previous_response_id": None,
        "reasoning": {"effort": None, "summary": None},
        "store": False,
        "temperature": wire.temperature,
        "text": {"format": shown},
        "tool_choice": choice.model_dump() if isinstance(choice, Wire) else choice or "auto",
        "tools": [tool.model_dump() for tool in wire.tools or ()],
        "top_p": wire.top_p,
        "truncation": wire.truncation or "disabled",
        "user": wire.user,
    }
