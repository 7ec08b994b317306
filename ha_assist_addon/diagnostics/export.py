"""A request in the forms in which a person takes it along; names are replaced unless asked otherwise."""

from __future__ import annotations

import asyncio
import json
import shlex
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ..examples import example_tools
from ..home.catalogue import Home
from ..home.entity import Entity
from ..home.toolbox import plain_name
from .bodies import as_chat
from .names import functions_of, home_of, messages_of
from .redact import redact
from .summary import Detail

KEY = "$HA_ASSIST_KEY"
_INTENT_PREFIX = "intent__"


async def every_form(detail: Detail, base_url: str, *, whole: Detail, redacted: bool = True) -> dict[str, str | None]:
    """All of them by name, made in a thread: the first needs the words of a grammar.

    `whole` is what can be sent again: the same, or asked in another home where the request itself is not kept.
    """

    def make() -> dict[str, str | None]:
        return {
            "json": as_json(detail, redacted=redacted),
            "curl": as_curl(whole, base_url, redacted=redacted),
            "case": as_case(whole, redacted=redacted),
        }

    return await asyncio.to_thread(make)


def as_json(detail: Detail, *, redacted: bool = True) -> str:
    """Everything that is kept, indented."""
    shown = redact(detail) if redacted else detail
    return json.dumps(asdict(shown), ensure_ascii=False, indent=2, default=str)


def as_curl(detail: Detail, base_url: str, *, redacted: bool = True) -> str | None:
    """A shell command that sends the request again, with `$HA_ASSIST_KEY` for the key; None without the request."""
    shown = redact(detail) if redacted else detail
    if shown.request is None:
        return None
    path = "responses" if "input" in shown.request and "messages" not in shown.request else "chat/completions"
    body = json.dumps(shown.request, ensure_ascii=False)
    address = f"{base_url.rstrip('/')}/{path}"
    return (
        f"curl {shlex.quote(address)} \\\n"
        f'  -H "Authorization: Bearer {KEY}" \\\n'
        "  -H 'Content-Type: application/json' \\\n"
        f"  -d {shlex.quote(body)}"
    )


def as_case(detail: Detail, *, redacted: bool = True) -> str | None:
    """One line of a case file: the home, what was said, and what came of it; None without the request.

    `expect` holds what HA-Assist did. Whoever reports a fault puts what it should have done in its place.
    """
    shown = redact(detail) if redacted else detail
    if shown.request is None:
        return None
    body = as_chat(shown.request)
    home = home_of(body)
    case: dict[str, Any] = {
        "id": f"recorded-{shown.summary.id[:8]}",
        "source": "panel",
        "summary": shown.summary.why or "",
        "language": shown.summary.language or "en",
        "context": "static",
        "home": _home(home),
        "area_aliases": {area.name: list(area.names[1:]) for area in home.areas if area.names[1:]},
        "tools": _tools(body),
        "messages": [_message(m) for m in messages_of(body) if m.get("role") not in ("system", "developer")],
        "expect": _expected(shown),
        "tags": ["recorded"],
        "satellite_area": home.satellite_area,
    }
    return json.dumps({key: value for key, value in case.items() if value not in (None, {})}, ensure_ascii=False)


def _home(home: Home) -> list[dict[str, Any]]:
    """The exposed entities; their ids, which the prompt does not tell, are made of their names."""
    taken: set[str] = set()
    return [_entity(entity, home, taken) for entity in home.entities]


def _entity(entity: Entity, home: Home, taken: set[str]) -> dict[str, Any]:
    slug = "".join(c if c.isalnum() else "_" for c in entity.name.casefold())
    number, entity_id = 1, f"{entity.domain}.{slug}"
    while entity_id in taken:
        number += 1
        entity_id = f"{entity.domain}.{slug}_{number}"
    taken.add(entity_id)
    return {
        "domain": entity.domain,
        "name": entity.name,
        "aliases": list(entity.names[1:]),
        "area": entity.area,
        "floor": home.floor_of(entity),
        "state": entity.state or "unknown",
        "attributes": {},
        "entity_id": entity_id,
    }


def _tools(body: Mapping[str, Any]) -> list[str] | None:
    """The offered names where they are not those that Home Assistant usually offers."""
    offered = [str(function["name"]) for function in functions_of(body)]
    usual = {plain_name(tool["name"]) for tool in example_tools()}
    return None if all(plain_name(name) in usual for name in offered) else offered


def _message(message: Mapping[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    if isinstance(content, list):
        content = "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    kept = {key: message[key] for key in ("role", "tool_calls", "tool_call_id") if message.get(key) is not None}
    return {**kept, "content": content}


def _expected(detail: Detail) -> dict[str, Any]:
    summary = detail.summary
    expected: dict[str, Any] = {"generative_calls": summary.model_calls}
    if detail.calls:
        first = detail.calls[0]
        return {"kind": "tool_call", "tool": plain_name(first["name"]), "args": first["arguments"], **expected}
    if summary.model_calls:
        return {"kind": "llm", **expected}
    kind = "clarify" if summary.outcome in {"asked", "refused"} else "answer"
    return {"kind": kind, "answer_contains": [summary.reply] if summary.reply else [], **expected}
