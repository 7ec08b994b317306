"""Teach: what was meant by a sentence, in three steps; nothing is kept before its consequences were shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from aiohttp import web

from ..errors import HaAssistError
from ..home.entity import fold
from ..home.request_home import RequestHome
from ..taught.deeds import COLOURS, OF_AREAS, choices_for
from ..taught.lessons import Entry, Lessons
from ..taught.model import Target, TaughtAlias, TaughtSentence
from ..taught.objections import Objected, Objection, add, object_to_alias, object_to_sentence
from ..taught.store import TaughtNotSaved
from ..trial.teach import (
    Occasion,
    consequences,
    guessed_name,
    lexicons_of,
    occasion,
    offered,
    ordinary_words,
    targets_of,
)
from .border import is_ingress, peer_of
from .doctor import LINKS
from .guard import STALE
from .keys import SERVICES
from .page import go, render
from .reader import words_for
from .teach_form import DEFAULT_AMOUNTS, Typed, lesson_of, targets_of_form, value_of, value_of_area

routes = web.RouteTableDef()


@dataclass(frozen=True, slots=True)
class Option:
    """A device, or all of a kind, as the value of a field."""

    value: str
    text: str
    kind: str = ""
    """The domain of all of a kind in an area; "area" and "told" for what can be named and not acted on."""


@dataclass(frozen=True, slots=True)
class Group:
    """The options of an area; `area` is None for what stands in none."""

    area: str | None
    options: tuple[Option, ...]


@routes.get("/teach")
async def show(request: web.Request) -> web.Response:
    """The first step: for a request, for a lesson that is to be changed, or for a sentence that is typed."""
    services = request.app[SERVICES]
    entry = services.taught.current.entry(request.query.get("entry", ""))
    if entry is not None:
        return await _first(request, Typed.from_entry(entry))
    identity = request.query.get("request", "")[:64]
    original = await services.traces.one(identity) if identity else None
    sentence = (original.summary.sentence or "") if original is not None else ""
    return await _first(request, Typed(request=identity if original else "", sentence=sentence), fresh=True)


@routes.post("/teach")
async def step(request: web.Request) -> web.Response:
    """The next step, or back, or keep the lesson."""
    form = await request.post()
    typed, do = Typed.of(form), str(form.get("do", ""))
    if request.get(STALE):
        return await _first(request, typed, stale=True, status=403)
    if do == "first":
        return await _first(request, typed)
    if typed.kind == "action" and do in ("next", "second"):
        return await _second(request, typed)
    return await _third(request, typed, save=do == "save", revision=str(form.get("revision", "")))


async def _first(
    request: web.Request,
    typed: Typed,
    objected: Objected | None = None,
    *,
    fresh: bool = False,
    stale: bool = False,
    status: int = 200,
) -> web.Response:
    """What was meant: a device or area, a name, or the model."""
    about = await _occasion(request, typed)
    if about is None:
        return render(request, "teach.html", "requests", {**_frame(typed), "step": "none"}, status=409)
    if fresh:
        typed = await _guessed(request, typed, about)
    context = {
        **_frame(typed, about),
        "step": "first",
        "groups": _groups(about.house),
        "objected": objected,
        "stale": stale,
    }
    return render(request, "teach.html", "requests", context, status=422 if objected else status)


async def _second(request: web.Request, typed: Typed, objected: Objected | None = None) -> web.Response:
    """What is to be done with the target, of all that the offered tools can do."""
    about = await _occasion(request, typed)
    targets = targets_of_form(typed)
    if about is None or isinstance(targets, Objected):
        return await _first(request, typed, targets if isinstance(targets, Objected) else None)
    choices = offered(targets, about.house, about.language)
    if not choices:
        why = Objection.NOT_OFFERED if len(targets) == 1 else Objection.NOTHING_COMMON
        return await _first(request, typed, Objected(why))
    context = {
        **_frame(typed, about),
        "step": "second",
        "targets": targets,
        "domain": targets[0].domain if len({one.domain for one in targets}) == 1 else "",
        "choices": choices,
        "colours": COLOURS,
        "amounts": DEFAULT_AMOUNTS,
        "objected": objected,
    }
    return render(request, "teach.html", "requests", context, status=422 if objected else 200)


async def _third(request: web.Request, typed: Typed, *, save: bool, revision: str) -> web.Response:
    """What the lesson would change; kept if the person says so."""
    services, about = request.app[SERVICES], await _occasion(request, typed)
    if about is None:
        return await _first(request, typed)
    held = services.taught.revision
    drafted = await _drafted(request, typed, about)
    if isinstance(drafted, Objected):
        back = _second if drafted.objection in (Objection.NO_ACTION, Objection.NO_VALUE) else _first
        return await back(request, typed, drafted)
    lesson, draft = drafted
    refused: str | None = None
    if save:
        try:
            services.taught.save(draft, expected_revision=revision)
            raise go(request, f"taught?kept={lesson.id}")
        except TaughtNotSaved as error:
            refused = error.message
    sentence = lesson.sentence if isinstance(lesson, TaughtSentence) else typed.sentence
    context = {
        **_frame(typed, about),
        "step": "third",
        "lesson": lesson,
        "found": await consequences(draft, about, sentence, services),
        "revision": held,
        "refused": refused,
        "links": LINKS if is_ingress(peer_of(request)) else {},
    }
    return render(request, "teach.html", "requests", context, status=409 if refused else 200)


async def _drafted(request: web.Request, typed: Typed, about: Occasion) -> tuple[Entry, Lessons] | Objected:
    """The lesson and all lessons with it, or what stands against it."""
    lessons = request.app[SERVICES].taught.current
    lesson = lesson_of(typed, about.language, lessons)
    if isinstance(lesson, Objected):
        return lesson
    if (objected := await _checked(request, lesson, about)) is not None:
        return objected
    draft = add(lesson, lessons)
    return draft if isinstance(draft, Objected) else (lesson, draft)


async def _checked(request: web.Request, lesson: Entry, about: Occasion) -> Objected | None:
    services, languages = request.app[SERVICES], (about.language, words_for(request).language)
    if isinstance(lesson, TaughtAlias):
        home = replace(about.house.home)
        return object_to_alias(lesson, home, await ordinary_words(services, languages))
    if (objected := object_to_sentence(lesson, lexicons_of(languages))) is not None:
        return objected
    if lesson.does is None:
        return None
    can = {(one.act, one.quantity) for one in offered(lesson.meant, about.house, about.language)}
    wanted = (lesson.does.act, lesson.does.quantity)
    return None if wanted in can else Objected(Objection.NOT_OFFERED)


async def _occasion(request: web.Request, typed: Typed) -> Occasion | None:
    try:
        return await occasion(request.app[SERVICES], typed.request or None, typed.sentence, words_for(request).language)
    except HaAssistError:
        return None


async def _guessed(request: web.Request, typed: Typed, about: Occasion) -> Typed:
    """What can be told of the sentence already, so that little has to be typed."""
    words = await ordinary_words(request.app[SERVICES], (about.language,))
    name = guessed_name(about.original, typed.sentence, about.house, words) if typed.sentence else ""
    summary = about.original.summary if about.original is not None else None
    meant = next((one for one in targets_of(about.house) if summary and one.name == summary.target), None)
    return replace(typed, alias=name, target=value_of(meant) if meant is not None else "")


def _groups(house: RequestHome) -> list[Group]:
    """The devices by their area, the room of the speaker first; before them what is meant of a whole area."""
    by_area: dict[str | None, list[Target]] = {}
    for one in targets_of(house):
        by_area.setdefault(one.area, []).append(one)
    here = fold(house.home.satellite_area or "")
    ordered = sorted(by_area, key=lambda area: (area is None, fold(area or "") != here, fold(area or "")))
    groups = []
    for area in ordered:
        listed = sorted(by_area[area], key=lambda one: fold(one.name or ""))
        options = []
        if area is not None:
            kinds = sorted({one.domain for one in listed} & OF_AREAS)
            options = [Option(value_of_area(area), area, "area")]
            options += [Option(value_of(Target(domain=kind, area=area)), area, kind) for kind in kinds]
        options += [Option(value_of(one), one.name or "", "" if choices_for(one.domain) else "told") for one in listed]
        groups.append(Group(area, tuple(options)))
    return groups


def _frame(typed: Typed, about: Occasion | None = None) -> Mapping[str, Any]:
    return {
        "typed": typed,
        "original": about.original if about is not None else None,
        "objected": None,
        "stale": False,
    }
