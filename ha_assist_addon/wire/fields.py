"""What requests of both APIs have in common, and how what is wrong with one is told."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, ValidationError

from ..conversation import JsonObject
from ..errors import InvalidRequest
from .json_body import parse_json_object

JsonBody = Mapping[str, Any]
TEXT_PARTS = frozenset({"text", "input_text", "output_text", "refusal"})
IMAGE_PARTS = frozenset({"image_url", "input_image"})

Tokens = Annotated[int | None, Field(ge=1, le=2**31 - 1)]
Temperature = Annotated[float | None, Field(ge=0, le=2)]
TopP = Annotated[float | None, Field(ge=0, le=1)]
_Item = TypeVar("_Item")
UpTo1000 = Annotated[list[_Item], Field(max_length=1000, fail_fast=True)]
UpTo10000 = Annotated[list[_Item], Field(max_length=10_000, fail_fast=True)]
"""The first wrong item is enough: an error for each of a million takes seconds and a gigabyte."""
NAMED, ALLOWED = "_named", "_allowed"
"""The forms of a `tool_choice` that is an object; the underscores keep them out of the names of fields at fault."""


def _choice_form(choice: Any) -> str:
    kind = choice.get("type") if isinstance(choice, dict) else getattr(choice, "type", None)
    return ALLOWED if kind == "allowed_tools" else NAMED


ByForm = Discriminator(_choice_form)
ToolName = Annotated[str, Field(min_length=1)]


class Wire(BaseModel):
    """Unknown keys are let through: each client has some of its own."""

    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)


class Part(Wire):
    """One part of a message's content."""

    type: str = "text"
    text: str | None = None
    image_url: str | dict[str, Any] | None = None


def _bare_strings_as_parts(content: Any) -> Any:
    if not isinstance(content, list):
        return content
    return [{"type": "text", "text": part} if isinstance(part, str) else part for part in content]


Content = Annotated[str | UpTo1000[Part] | None, BeforeValidator(_bare_strings_as_parts)]


def read_content(content: str | list[Part] | None) -> tuple[str, tuple[str, ...]]:
    """The text, with its parts on lines of their own, and the addresses of the images."""
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


def read_arguments(received: Any) -> JsonObject:
    """Arguments in the history may be broken: then they count as `{}`; the raw text stands in `ChatRequest.body`."""
    if isinstance(received, str):
        try:
            return parse_json_object(received.encode())
        except InvalidRequest:
            return {}
    return received if isinstance(received, dict) else {}


def chosen_tools(
    tools: Sequence[JsonObject], choice: str, allowed: Collection[str] | None = None
) -> tuple[JsonObject, ...]:
    """The tools that a choice leaves; one that names a tool, or asks for any, must find it offered."""
    if allowed is not None:
        if not set(allowed) <= {tool["name"] for tool in tools}:
            raise InvalidRequest("The request demands a tool that it does not offer.", param="tool_choice")
        tools = [tool for tool in tools if tool["name"] in allowed]
    if choice == "required" and not tools:
        raise InvalidRequest("A tool is required, but the request offers none.", param="tool_choice")
    return tuple(tools)


def requested_model(body: JsonBody) -> str:
    """The model that a body names; nothing else of it is looked at."""
    match body.get("model"):
        case str(model) if model:
            return model
        case None | "":
            raise InvalidRequest("The request does not say which model it is for.", param="model")
        case _:
            raise InvalidRequest("The model of a request must be a name.", param="model")


def conversation_of(body: JsonBody) -> str | None:
    """What groups the requests of one conversation: local_openai's session, else what HA's own clients call it."""
    metadata = body.get("metadata")
    session = metadata.get("session_id") if isinstance(metadata, dict) else None
    for value in (session, body.get("user"), body.get("safety_identifier")):
        if isinstance(value, str) and value:
            return value
    return None


def last_user_text(messages: Any) -> str | None:
    """The last user text of messages that nobody has checked, for the trace of a request that is passed on."""
    for message in reversed(messages if isinstance(messages, list) else []):
        if isinstance(message, dict) and message.get("role") == "user":
            content = message.get("content")
            if isinstance(content, list):
                texts = [part.get("text") for part in content if isinstance(part, dict)]
                content = "\n".join(text for text in texts if isinstance(text, str))
            return content if isinstance(content, str) else None
    return None


def refusal(error: ValidationError, within: str = "") -> InvalidRequest:
    """What is wrong with a body, or with a part of it that stands `within` it, told with the field's name."""
    # Of a field that may have several forms each form complains; the one that was meant got furthest.
    errors = error.errors(include_url=False, include_context=False, include_input=False)
    first = max(errors, key=lambda each: (len(_param(each["loc"])), each["type"] == "too_long"))
    param = _param(first["loc"], within)
    if first["type"] == "missing":
        return InvalidRequest(f"The request lacks the field {param}.", param=param)
    if param == "n":
        return InvalidRequest("HA-Assist gives one answer to a request, not several.", param=param)
    if first["type"] == "too_short" and param in {"messages", "input"}:
        return InvalidRequest(f"The request holds no {param}.", param=param)
    expected = re.sub(r"^(Input|List) ", "", first["msg"]).rstrip(".")
    return InvalidRequest(f"The field {param} of the request is not valid: it {expected}.", param=param)


def _param(location: tuple[int | str, ...], within: str = "") -> str:
    """`messages[0].role`; the names of union branches, which pydantic adds, are left out."""
    path = within
    for step in location:
        if isinstance(step, int):
            path += f"[{step}]"
        elif step.isidentifier() and not step.startswith("_") and step != "str":
            path += f".{step}" if path else step
    return path
