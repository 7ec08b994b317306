"""The chat request as clients send it: lenient where Home Assistant's clients need it, plain about what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ..conversation import ChatRequest, JsonObject, Message, Role, ToolCall, last_user_index
from ..errors import InvalidRequest
from .body import parse_json_object

TEXT_PARTS = frozenset({"text", "input_text", "output_text", "refusal"})
IMAGE_PARTS = frozenset({"image_url", "input_image"})
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


class _Wire(BaseModel):
    """Unknown keys are let through: each client has some of its own."""

    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)


class _Part(_Wire):
    type: str = "text"
    text: str | None = None
    image_url: str | dict[str, Any] | None = None


class _Function(_Wire):
    name: str = ""
    arguments: Any = None


class _Call(_Wire):
    id: str | None = None
    function: _Function | None = None


def _bare_strings_as_parts(content: Any) -> Any:
    if not isinstance(content, list):
        return content
    return [{"type": "text", "text": part} if isinstance(part, str) else part for part in content]


class _Message(_Wire):
    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: Annotated[str | list[_Part] | None, BeforeValidator(_bare_strings_as_parts)] = None
    tool_calls: list[_Call] | None = None
    tool_call_id: str | None = None


class _ToolFunction(_Wire):
    name: Annotated[str, Field(min_length=1)]
    description: str | None = None
    parameters: dict[str, Any] | None = None


class _Tool(_Wire):
    type: str = "function"
    function: _ToolFunction | None = None


class _NamedFunction(_Wire):
    name: str


class _NamedChoice(_Wire):
    type: Literal["function"]
    function: _NamedFunction


class _JsonSchema(_Wire):
    name: str = ""
    schema_: Annotated[dict[str, Any] | None, Field(alias="schema")] = None


class _ResponseFormat(_Wire):
    type: Literal["text", "json_object", "json_schema"]
    json_schema: _JsonSchema | None = None


class _StreamOptions(_Wire):
    include_usage: bool | None = None


class _Chat(_Wire):
    model: str
    messages: Annotated[list[_Message], Field(min_length=1)]
    tools: list[_Tool] | None = None
    tool_choice: Literal["none", "auto", "required"] | _NamedChoice | None = None
    parallel_tool_calls: bool | None = None
    response_format: _ResponseFormat | None = None
    max_tokens: Annotated[int | None, Field(ge=1)] = None
    max_completion_tokens: Annotated[int | None, Field(ge=1)] = None
    temperature: Annotated[float | None, Field(ge=0, le=2)] = None
    top_p: Annotated[float | None, Field(ge=0, le=1)] = None
    n: Literal[1] | None = None
    stop: str | list[str] | None = None
    seed: int | None = None
    stream: bool | None = None
    stream_options: _StreamOptions | None = None
    user: str | None = None
    metadata: dict[str, Any] | None = None
    ha_context: dict[str, Any] | None = None


def requested_model(body: Mapping[str, Any]) -> str:
    """The model that a body names; nothing else of it is looked at."""
    match body.get("model"):
        case str(model) if model:
            return model
        case None | "":
            raise InvalidRequest("The request does not say which model it is for.", param="model")
        case _:
            raise InvalidRequest("The model of a request must be a name.", param="model")


def parse_chat(body: dict[str, Any]) -> ParsedRequest:
    """Check a body and turn it into a `ChatRequest`; what is wrong is told with the field's name."""
    try:
        wire = _Chat.model_validate(body)
    except ValidationError as error:
        raise _refusal(error) from error
    messages = tuple(_message(message) for message in wire.messages)
    _check_legible(wire, messages)
    tools = _tools(wire, body)
    return ParsedRequest(
        chat=ChatRequest(
            model=wire.model,
            messages=messages,
            tools=tools,
            tool_choice=_tool_choice(wire, tools),
            parallel_tool_calls=wire.parallel_tool_calls is not False,
            response_format=_response_format(wire, body),
            max_tokens=wire.max_completion_tokens or wire.max_tokens,
            temperature=wire.temperature,
            top_p=wire.top_p,
            seed=wire.seed,
            stop=(wire.stop,) if isinstance(wire.stop, str) else tuple(wire.stop or ()),
            stream=bool(wire.stream),
            conversation=conversation_of(body),
            ha_context=wire.ha_context,
            body=body,
        ),
        include_usage=bool(wire.stream_options and wire.stream_options.include_usage),
    )


def conversation_of(body: Mapping[str, Any]) -> str | None:
    """What groups the requests of one conversation: local_openai's session, else the user of HA's own clients."""
    metadata = body.get("metadata")
    session = metadata.get("session_id") if isinstance(metadata, dict) else None
    for value in (session, body.get("user")):
        if isinstance(value, str) and value:
            return value
    return None


def last_sentence(body: Mapping[str, Any]) -> str | None:
    """The last user text of a body that nobody has checked, for the trace of a physical model's request."""
    messages = body.get("messages")
    for message in reversed(messages if isinstance(messages, list) else []):
        if isinstance(message, dict) and message.get("role") == "user":
            content = message.get("content")
            if isinstance(content, list):
                texts = [part.get("text") for part in content if isinstance(part, dict)]
                content = "\n".join(text for text in texts if isinstance(text, str))
            return content if isinstance(content, str) else None
    return None


def _message(wire: _Message) -> Message:
    text, images = _read_content(wire.content)
    return Message(
        role=ROLES[wire.role],
        text=text,
        images=images,
        tool_calls=tuple(_call(call, call.function) for call in wire.tool_calls or () if call.function is not None),
        tool_call_id=wire.tool_call_id,
    )


def _read_content(content: str | list[_Part] | None) -> tuple[str, tuple[str, ...]]:
    if content is None or isinstance(content, str):
        return content or "", ()
    texts = [part.text for part in content if part.type in TEXT_PARTS and part.text]
    images = []
    for part in content:
        if part.type in IMAGE_PARTS:
            url = part.image_url.get("url") if isinstance(part.image_url, dict) else part.image_url
            if isinstance(url, str) and url:
                images.append(url)
    return "\n".join(texts), tuple(images)


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
    return ToolCall(call.id or "", function.name, _arguments(function.arguments))


def _arguments(received: Any) -> JsonObject:
    """Arguments in the history may be broken: then they count as `{}`; the raw text stands in `ChatRequest.body`."""
    if isinstance(received, str):
        try:
            return parse_json_object(received.encode())
        except InvalidRequest:
            return {}
    return received if isinstance(received, dict) else {}


def _tools(wire: _Chat, body: Mapping[str, Any]) -> tuple[JsonObject, ...]:
    """The function objects just as they came: the pipeline reads the schema that was really offered."""
    functions = []
    for index, tool in enumerate(wire.tools or ()):
        if tool.type != "function":
            continue
        if tool.function is None:
            raise InvalidRequest("A tool of the request does not say what it is.", param=f"tools[{index}].function")
        functions.append(body["tools"][index]["function"])
    return tuple(functions)


def _tool_choice(wire: _Chat, tools: tuple[JsonObject, ...]) -> str:
    choice = wire.tool_choice
    if choice is None:
        return "auto"
    if isinstance(choice, str):
        if choice == "required" and not tools:
            raise InvalidRequest("A tool is required, but the request offers none.", param="tool_choice")
        return choice
    name = choice.function.name
    if all(tool["name"] != name for tool in tools):
        raise InvalidRequest("The request demands a tool that it does not offer.", param="tool_choice")
    return name


def _response_format(wire: _Chat, body: Mapping[str, Any]) -> JsonObject | None:
    form = wire.response_format
    if form is None or form.type == "text":
        return None
    if form.type == "json_schema" and (form.json_schema is None or form.json_schema.schema_ is None):
        raise InvalidRequest("The form of the answer lacks its JSON schema.", param="response_format.json_schema")
    received: JsonObject = body["response_format"]
    return received


def _refusal(error: ValidationError) -> InvalidRequest:
    # Of a field that may have several forms each form complains; the one that was meant got furthest.
    errors = error.errors(include_url=False, include_context=False, include_input=False)
    first = max(errors, key=lambda each: len(_param(each["loc"])))
    param = _param(first["loc"])
    if first["type"] == "missing":
        return InvalidRequest(f"The request lacks the field {param}.", param=param)
    if param == "n":
        return InvalidRequest("HA-Assist gives one answer to a request, not several.", param=param)
    if param == "messages" and first["type"] == "too_short":
        return InvalidRequest("The request holds no messages.", param=param)
    expected = first["msg"].removeprefix("Input ").rstrip(".")
    return InvalidRequest(f"The field {param} of the request is not valid: it {expected}.", param=param)


def _param(location: tuple[int | str, ...]) -> str:
    """`messages[0].role`; the names of union branches, which pydantic adds, are left out."""
    path = ""
    for step in location:
        if isinstance(step, int):
            path += f"[{step}]"
        elif step.isidentifier() and not step.startswith("_") and step != "str":
            path += f".{step}" if path else step
    return path
