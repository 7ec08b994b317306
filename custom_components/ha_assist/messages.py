"""Home Assistant's chat log as the messages of a request."""

import base64
from collections.abc import Iterable
from typing import Any

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers.json import json_dumps

from .errors import UnusableAttachment


async def messages_of(hass: HomeAssistant, log: conversation.ChatLog) -> list[dict[str, Any]]:
    """All messages; images are those of the last thing the person said."""
    messages = [_message(content) for content in log.content if not _is_blank(content)]
    last = next((content for content in reversed(log.content) if isinstance(content, conversation.UserContent)), None)
    if last is None or not last.attachments:
        return messages
    images = await hass.async_add_executor_job(_images, last.attachments)
    for message in reversed(messages):
        if message["role"] == "user":
            message["content"] = [*images, {"type": "text", "text": last.content}]
            break
    return messages


def _is_blank(content: conversation.Content) -> bool:
    return isinstance(content, conversation.SystemContent) and not content.content


def _message(content: conversation.Content) -> dict[str, Any]:
    if isinstance(content, conversation.ToolResultContent):
        return {"role": "tool", "tool_call_id": content.tool_call_id, "content": json_dumps(_result(content))}
    if not isinstance(content, conversation.AssistantContent):
        return {"role": content.role, "content": content.content}
    if not content.tool_calls:
        return {"role": "assistant", "content": content.content or ""}
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.tool_name, "arguments": json_dumps(call.tool_args)},
        }
        for call in content.tool_calls
    ]
    return {"role": "assistant", "content": content.content or None, "tool_calls": calls}


def _result(content: conversation.ToolResultContent) -> Any:
    """The result in the envelope of Home Assistant's own clients; before 2026.10 it had none."""
    result = getattr(content, "result", None)
    return content.tool_result if result is None else {"data": result.data, "error": result.error}


def _images(attachments: Iterable[conversation.Attachment]) -> list[dict[str, Any]]:
    """Reads the files: to be called in a thread."""
    parts = []
    for attachment in attachments:
        if not attachment.mime_type.startswith("image/"):
            raise UnusableAttachment(file=attachment.path.name)
        try:
            content = base64.b64encode(attachment.path.read_bytes()).decode()
        except OSError as error:
            raise UnusableAttachment(file=attachment.path.name) from error
        url = f"data:{attachment.mime_type};base64,{content}"
        parts.append({"type": "image_url", "image_url": {"url": url}})
    return parts
