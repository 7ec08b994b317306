"""Try it: a sentence, or a whole request, decided with the settings in force and never carried out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from aiohttp import web

from ..diagnostics.summary import Detail
from ..errors import HaAssistError, InvalidRequest
from ..trial.dry_run import EXAMPLES, body_for, dry_run, latest_home
from .detail_view import decision, pretty
from .guard import STALE
from .keys import SERVICES
from .page import render
from .reader import words_for
from .real_home import reader_of, tried
from .words import Words

LAST, REQUEST, EXAMPLE, REAL = "last", "request", "example", "real"
routes = web.RouteTableDef()


@routes.get("/try")
async def show(request: web.Request) -> web.Response:
    """An empty form, or one with a kept request in it."""
    identity = request.query.get("request", "")[:64]
    typed: dict[str, Any] = {"home": REQUEST if identity else LAST, "request": identity}
    if identity and (original := await request.app[SERVICES].traces.one(identity)) is not None:
        typed["sentence"] = original.summary.sentence or ""
        return await _page(request, typed, {"other_home": original.request is None})
    return await _page(request, typed)


@routes.post("/try")
async def run(request: web.Request) -> web.Response:
    """Decide, and show it below the form."""
    form = await request.post()
    typed = {name: str(form.get(name, "")) for name in ("home", "request", "sentence", "body")}
    typed["generate"] = "on" if "generate" in form else ""
    if request.get(STALE):
        return await _page(request, typed, {"stale": True}, status=HTTPStatus.FORBIDDEN)
    try:
        if typed["home"] == REAL and form.get("do") != "plain":
            return await _real(request, typed, str(form.get("do")))
        if form.get("do") == "edit":
            body, original = await _body(request, typed)
            compared = {"home": REQUEST, "request": original.summary.id} if original is not None else {}
            return await _page(request, {**typed, **compared, "body": pretty(body)})
        if form.get("do") == "plain":
            return await _page(request, {**typed, "body": ""})
        body, original = await _body(request, typed)
        ran = await dry_run(body, request.app[SERVICES], generate=bool(typed["generate"]), original=original)
    except HaAssistError as refusal:
        return await _page(request, typed, {"refusal": refusal}, status=refusal.status)
    other_home = original is not None and original.request is None
    return await _page(
        request, typed, {"ran": ran, "other_home": other_home, **decision(ran.detail, words_for(request))}
    )


async def _real(request: web.Request, typed: Mapping[str, str], do: str) -> web.Response:
    if not typed["body"] and not typed["sentence"].strip():
        raise InvalidRequest(words_for(request)("try.write_first"))
    home = await reader_of(request).load()
    body = _parsed(typed["body"], words_for(request)) if typed["body"] else home.body(typed["sentence"].strip())
    if do == "edit":
        return await _page(request, {**typed, "body": pretty(body)})
    return await _page(
        request, typed, await tried(request, home, body, read=do == "read", generate=bool(typed["generate"]))
    )


async def _body(request: web.Request, typed: Mapping[str, str]) -> tuple[dict[str, Any], Detail | None]:
    services, home = request.app[SERVICES], typed["home"]
    identity = typed["request"] if home == REQUEST else None
    if not typed.get("body"):
        if not typed["sentence"].strip() and not identity:
            raise InvalidRequest(words_for(request)("try.write_first"))
        example = home.removeprefix(f"{EXAMPLE}:") if home.startswith(EXAMPLE) else None
        return await body_for(
            typed["sentence"].strip() or None, services, request_id=identity, example=example, else_latest=True
        )
    return _parsed(typed["body"], words_for(request)), await services.traces.one(identity) if identity else None


def _parsed(text: str, words: Words) -> dict[str, Any]:
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidRequest(words("try.no_json")) from error
    if not isinstance(body, dict):
        raise InvalidRequest(words("try.no_object"))
    return body


async def _page(
    request: web.Request, typed: Mapping[str, Any], context: Mapping[str, Any] | None = None, *, status: int = 200
) -> web.Response:
    last = await latest_home(request.app[SERVICES])
    model = request.app[SERVICES].backends.text()
    shown = {
        "ran": None,
        "stale": False,
        "other_home": False,
        "refusal": None,
        "reads": (),
        "proposed": (),
        "may_read": False,
        "real": request.app[SERVICES].real_home is not None,
        "typed": {"home": "", "request": "", "sentence": "", "body": "", "generate": "", **typed},
        "examples": EXAMPLES,
        "last": last[0] if last else None,
        "model": model.info.id if model else None,
    }
    return render(request, "try.html", "try", {**shown, **(context or {})}, status=status)
