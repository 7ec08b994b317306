"""Messages as nothing but role and text, for runtimes whose template knows no tools: the form that Qwen was taught."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ...conversation import JsonObject, Message, Role

OFFER = (
    "You may call these functions:\n<tools>\n{tools}\n</tools>\n"
    'To call one, answer with <tool_call>{{"name": …, "arguments": {{…}}}}</tool_call> and nothing else.'
)


def plain_messages(messages: Sequence[Message], tools: Sequence[JsonObject]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Role, text and images of each message; tools, calls and results are written into the text."""
    plain = [(_role(message), _text(message), message.images) for message in messages]
    if tools:
        offer = OFFER.format(tools="\n".join(_json(tool) for tool in tools))
        if plain and plain[0][0] == "system":
            plain[0] = ("system", f"{plain[0][1]}\n\n{offer}".strip(), plain[0][2])
        else:
            plain.insert(0, ("system", offer, ()))
    return plain


def _role(message: Message) -> str:
    return "user" if message.role is Role.TOOL else str(message.role)


def _text(message: Message) -> str:
    if message.role is Role.TOOL:
        return f"<tool_response>\n{message.text}\n</tool_response>"
    calls = [
        f"<tool_call>\n{_json({'name': call.name, 'arguments': dict(call.arguments)})}\n</tool_call>"
        for call in message.tool_calls
    ]
    return "\n".join(part for part in (message.text, *calls) if part)


def _json(value: JsonObject) -> str:
    return json.dumps(value, ensure_ascii=False)
