"""`POST /v1/ha-assist/diagnose`: what HA-Assist would do, without doing it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from aiohttp import web

from ..errors import InvalidRequest
from ..trial.dry_run import DryRun, body_for, dry_run
from ..wire.json_body import parse_json_object
from .body import read_body
from .errors import json_response
from .keys import SERVICES

FORMS = frozenset({"messages", "input"})
OWN_FIELDS = frozenset({"sentence", "request_id", "example", "generate"})


async def diagnose(request: web.Request) -> web.Response:
    """Run a chat request, or `{sentence, request_id | example}`; a model is asked only with `generate: true`."""
    body = parse_json_object(await read_body(request))
    services = request.app[SERVICES]
    generate = body.pop("generate", False)
    if not isinstance(generate, bool):
        raise InvalidRequest("The field generate must be true or false.", param="generate")
    original = None
    if not FORMS & body.keys():
        for name in body:
            if name not in OWN_FIELDS:
                raise InvalidRequest(
                    "This takes a chat request, or sentence with request_id or example.", param=str(name)
                )
        body, original = await body_for(
            _text(body, "sentence"),
            services,
            request_id=_text(body, "request_id"),
            example=_text(body, "example"),
        )
    return json_response(_shown(await dry_run(body, services, generate=generate, original=original)))


def _text(body: dict[str, Any], name: str) -> str | None:
    value = body.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidRequest(f"The field {name} must be text.", param=name)
    return value


def _shown(run: DryRun) -> dict[str, Any]:
    summary, calls = run.detail.summary, run.detail.calls
    stopped = run.would_inference_calls > run.generative_calls
    response = {
        "role": "assistant",
        "content": summary.reply or None,
        "tool_calls": [
            {"type": "function", "function": {"name": c["name"], "arguments": json.dumps(c["arguments"])}}
            for c in calls
        ],
    }
    return {
        "object": "ha_assist.diagnosis",
        "generative_calls": run.generative_calls,
        "tools_executed": 0,
        "proposed_response": None if stopped or run.error else response,
        "error": run.error,
        "prepared_request": run.prepared,
        "metrics": {**run.detail.metrics, "would_inference_calls": run.would_inference_calls},
        "why": summary.why,
        "diff": None if run.diff is None else [asdict(change) for change in run.diff],
    }
