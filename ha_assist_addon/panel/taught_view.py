"""What was taught: listed, changed, handed out and taken back."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from aiohttp import web
from pydantic import TypeAdapter, ValidationError

from ..errors import HaAssistError
from ..taught.document import FILE_NAME
from ..taught.document import render as render_file
from ..taught.lessons import Entry
from ..taught.objections import Objected, add
from ..taught.store import TaughtNotSaved
from ..trial.teach import resting
from .border import is_ingress, peer_of
from .doctor import LINKS
from .keys import SERVICES
from .page import go, render
from .reader import words_for

routes = web.RouteTableDef()
_ENTRY: TypeAdapter[Entry] = TypeAdapter(Entry)


@routes.get("/taught")
async def show(request: web.Request) -> web.Response:
    """All lessons; `kept` is one that was just taught."""
    return await _page(request)


@routes.post("/taught/remove")
async def remove(request: web.Request) -> web.Response:
    """Take a lesson back; the page offers to put it in again."""
    form, store = await request.post(), request.app[SERVICES].taught
    entry = store.current.entry(str(form.get("id", "")))
    if entry is None:
        raise go(request, "taught")
    try:
        store.save(store.current.without(entry.id), expected_revision=str(form.get("revision", "")))
    except TaughtNotSaved as error:
        return await _page(request, refused=error.message, status=HTTPStatus.CONFLICT)
    return await _page(request, removed=entry)


@routes.post("/taught/restore")
async def restore(request: web.Request) -> web.Response:
    """Put a lesson in again that was taken back."""
    form, store = await request.post(), request.app[SERVICES].taught
    try:
        entry = _ENTRY.validate_json(str(form.get("lesson", ""))[:4000])
        lessons = add(entry, store.current)
        if isinstance(lessons, Objected):
            raise go(request, "taught")
        store.save(lessons, expected_revision=str(form.get("revision", "")))
    except ValidationError as error:
        raise web.HTTPUnprocessableEntity(text="This is no lesson.") from error
    except TaughtNotSaved as error:
        return await _page(request, refused=error.message, status=HTTPStatus.CONFLICT)
    raise go(request, f"taught?kept={entry.id}")


@routes.get("/taught/export")
async def export(request: web.Request) -> web.Response:
    """The file as it would be written."""
    headers = {"Content-Disposition": f'attachment; filename="{FILE_NAME}"'}
    content = render_file(request.app[SERVICES].taught.current.file)
    return web.Response(body=content, content_type="application/yaml", charset="utf-8", headers=headers)


async def _page(
    request: web.Request, *, removed: Entry | None = None, refused: str | None = None, status: int = HTTPStatus.OK
) -> web.Response:
    store = request.app[SERVICES].taught
    lessons = store.current
    context = {
        "lessons": lessons,
        "resting": await _resting(request),
        "revision": store.revision,
        "problem": store.problem,
        "kept": lessons.entry(request.query.get("kept", "")),
        "removed": removed,
        "removed_value": removed.model_dump_json(exclude_none=True) if removed is not None else "",
        "refused": refused,
        "links": LINKS if is_ingress(peer_of(request)) else {},
    }
    return render(request, "taught.html", "try", context, status=status)


async def _resting(request: web.Request) -> Mapping[str, Objected]:
    try:
        return await resting(request.app[SERVICES], words_for(request).language)
    except HaAssistError:
        return {}
