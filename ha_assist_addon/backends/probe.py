"""Tries a server step by step, for the person who sets it up: address, key, models, and one tiny timed answer."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import aiohttp

from .refusals import message_of

REACH_SECONDS = 5.0
ANSWER_SECONDS = 60.0
LARGEST_ANSWER = 1024 * 1024
MOST_MODELS = 100
_QUESTION = "Answer with one word: hello."
_REFUSED = frozenset({401, 403})


class ProbeStep(StrEnum):
    """What is tried, in this order."""

    ADDRESS = "address"
    KEY = "key"
    MODELS = "models"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class Check:
    """One step: `ok` is None where it could not be tried; `code` and `values` choose the sentence."""

    step: ProbeStep
    ok: bool | None
    code: str
    values: Mapping[str, str] = field(default_factory=dict)
    said: str = ""
    """The server's own words."""


@dataclass(frozen=True, slots=True)
class Probe:
    """What came of it."""

    checks: tuple[Check, ...]
    models: tuple[str, ...] = ()
    """The models that the server lists."""

    @property
    def ok(self) -> bool:
        """Whether the model has answered."""
        return self.checks[-1].ok is True


@dataclass(frozen=True, slots=True)
class _Reply:
    status: int
    body: Any
    """The JSON value, None where it is none."""


async def probe_server(base_url: str | None, api_key: str | None, model: str | None, *, answer: bool = True) -> Probe:
    """Never raises; takes at most some seconds, and with `answer` as long as an answer may take."""
    if not base_url:
        return Probe(_untried(ProbeStep.ADDRESS, "no_address"))
    base = base_url.rstrip("/")
    headers = {"Authorization": f"Bearer {api_key.strip()}"} if api_key and api_key.strip() else {}
    async with aiohttp.ClientSession(headers=headers, connector=aiohttp.TCPConnector(force_close=True)) as http:
        try:
            listed = await _ask(http, "GET", f"{base}/models", REACH_SECONDS)
        except _NotReached as error:
            return Probe(_untried(ProbeStep.ADDRESS, error.code))
        if listed.status in _REFUSED:
            return Probe(_without_key(bool(headers), listed))
        if listed.status == 404 and not base.endswith("/v1") and await _serves(http, f"{base}/v1"):
            return Probe(_untried(ProbeStep.ADDRESS, "needs_v1", {"address": f"{base}/v1"}))
        models = _models(listed.body)
        if listed.status == 404 and not model:
            return Probe(_untried(ProbeStep.ADDRESS, "no_api"))
        reached = Check(ProbeStep.ADDRESS, True, "reached")
        if not model:
            return Probe(
                (reached, _accepted(headers), *_untried(ProbeStep.MODELS, "no_model", _listing(models))), models
            )
        if not answer:
            return Probe((reached, _accepted(headers), _named(model, models, listed.status, None)), models)
        told = await _answer(http, base, model)
        if told.code == "key":
            return Probe(_without_key(bool(headers), _Reply(401, None), told.said), models)
        return Probe((reached, _accepted(headers), _named(model, models, listed.status, told.ok), told), models)


class _NotReached(Exception):
    def __init__(self, code: str) -> None:
        self.code = code


async def _ask(http: aiohttp.ClientSession, method: str, url: str, seconds: float, body: Any = None) -> _Reply:
    timeout = aiohttp.ClientTimeout(total=seconds, sock_connect=REACH_SECONDS)
    try:
        async with http.request(method, url, json=body, timeout=timeout, allow_redirects=False) as response:
            raw = await response.content.read(LARGEST_ANSWER)
            status = response.status
    except TimeoutError as error:
        raise _NotReached("too_slow") from error
    except (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError, ValueError) as error:
        raise _NotReached("bad_address") from error
    except aiohttp.ClientConnectorDNSError as error:
        raise _NotReached("unknown_host") from error
    except (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError, OSError) as error:
        raise _NotReached("unreachable") from error
    except aiohttp.ClientError as error:
        raise _NotReached("not_http") from error
    try:
        return _Reply(status, json.loads(raw))
    except (ValueError, RecursionError):
        return _Reply(status, None)


async def _serves(http: aiohttp.ClientSession, base: str) -> bool:
    try:
        return (await _ask(http, "GET", f"{base}/models", REACH_SECONDS)).status in {200, *_REFUSED}
    except _NotReached:
        return False


async def _answer(http: aiohttp.ClientSession, base: str, model: str) -> Check:
    body = {"model": model, "messages": [{"role": "user", "content": _QUESTION}], "max_tokens": 8, "stream": False}
    began = time.perf_counter()
    try:
        reply = await _ask(http, "POST", f"{base}/chat/completions", ANSWER_SECONDS, body)
    except _NotReached as error:
        return Check(ProbeStep.ANSWER, False, error.code)
    took = {"seconds": f"{time.perf_counter() - began:.1f}"}
    said = message_of(reply.body)
    if reply.status in _REFUSED:
        return Check(ProbeStep.ANSWER, False, "key", said=said)
    if reply.status == 404:
        return Check(ProbeStep.ANSWER, False, "not_found", said=said)
    choices = reply.body.get("choices") if isinstance(reply.body, dict) else None
    if reply.status != 200 or not isinstance(choices, list) or not choices:
        return Check(ProbeStep.ANSWER, False, "refused", {"status": str(reply.status)}, said)
    return Check(ProbeStep.ANSWER, True, "answered", took)


def _untried(step: ProbeStep, code: str, values: Mapping[str, str] | None = None) -> tuple[Check, ...]:
    """A step that failed, and those after it."""
    rest = list(ProbeStep)[list(ProbeStep).index(step) + 1 :]
    return (Check(step, False, code, values or {}), *(Check(later, None, "untried") for later in rest))


def _without_key(given: bool, reply: _Reply, said: str = "") -> tuple[Check, ...]:
    refused = Check(ProbeStep.KEY, False, "refused" if given else "missing", said=said or message_of(reply.body))
    rest = (ProbeStep.MODELS, ProbeStep.ANSWER)
    return (
        Check(ProbeStep.ADDRESS, True, "reached"),
        refused,
        *(Check(later, None, "untried") for later in rest),
    )


def _accepted(headers: Mapping[str, str]) -> Check:
    return Check(ProbeStep.KEY, True, "accepted" if headers else "not_needed")


def _named(model: str, models: tuple[str, ...], status: int, answered: bool | None) -> Check:
    """A server of one model often takes any name, so an answer counts more than the list."""
    if model in models:
        return Check(ProbeStep.MODELS, True, "listed", _listing(models))
    if not models:
        return Check(ProbeStep.MODELS, True if answered else None, "cannot_list", {"status": str(status)})
    return Check(ProbeStep.MODELS, bool(answered), "other_name" if answered else "unknown", {"model": model})


def _listing(models: tuple[str, ...]) -> dict[str, str]:
    return {"n": str(len(models))}


def _models(body: Any) -> tuple[str, ...]:
    data = body.get("data") if isinstance(body, dict) else None
    found = [entry.get("id") for entry in data if isinstance(entry, dict)] if isinstance(data, list) else []
    return tuple(identity for identity in found if isinstance(identity, str) and identity)[:MOST_MODELS]
