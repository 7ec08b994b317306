"""The settings page: every setting, saved together and applied at once."""

from __future__ import annotations

import logging
import socket
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from aiohttp import web

from ..errors import HaAssistError
from ..language.data import languages_with
from ..settings.errors import SettingsConflict
from ..settings.model import Assist
from ..settings.profiles import check_profile
from ..settings.store import values_of
from .border import is_ingress, peer_of
from .keys import SERVICES
from .page import go, render, words_for
from .settings_fields import LANGUAGES, fields
from .settings_form import OWN, PROFILES, Difference, differences, profile_of, read_form
from .words import Words

HOME_ASSISTANT_ROUNDS = 10
"""Home Assistant ends a turn after so many requests to the model."""
OWN_ROUNDS = 2
"""The action itself, and the answer."""
GOOD_LANGUAGES = languages_with("sentences")
"""Those with sentences of our own beside Home Assistant's."""
routes = web.RouteTableDef()


@routes.get("/settings")
async def show(request: web.Request) -> web.Response:
    """The form with the settings in force."""
    return _page(request, saved="saved" in request.query)


@routes.post("/settings")
async def save(request: web.Request) -> web.Response:
    """Save all or nothing; what was typed stays on the page when it cannot be saved."""
    form = await request.post()
    store = request.app[SERVICES].settings
    typed = read_form(form, store)
    try:
        store.save(typed, expected_revision=str(form.get("revision", "")))
    except SettingsConflict as conflict:
        store.load()
        return _page(request, typed, conflict, conflicts=differences(typed, store))
    except HaAssistError as refusal:
        return _page(request, typed, refusal, revision=str(form.get("revision", "")))
    raise go(request, "settings?saved=1")


@routes.post("/settings/clear")
async def clear(request: web.Request) -> web.Response:
    """Forget all requests."""
    await request.app[SERVICES].traces.clear()
    request.app[SERVICES].evidence.settle.clear()
    raise go(request, "settings?cleared=1#privacy")


def _page(
    request: web.Request,
    typed: Mapping[str, Any] | None = None,
    refusal: HaAssistError | None = None,
    *,
    conflicts: list[Difference] | None = None,
    revision: str | None = None,
    saved: bool = False,
) -> web.Response:
    services, words = request.app[SERVICES], words_for(request)
    store = services.settings
    groups = fields(store, words, typed)
    titles = {field.spec.key: field.title for group in groups.values() for field in group}
    values = {**values_of(store.current), **(typed or {})}
    chosen = values[LANGUAGES]
    context = {
        "groups": groups,
        "revision": store.revision if revision is None else revision,
        "profiles": (*PROFILES, OWN),
        "profile": profile_of(values),
        "rounds": HOME_ASSISTANT_ROUNDS,
        "own_rounds": OWN_ROUNDS,
        "cost": cost(store.current.settings, words),
        "good_languages": GOOD_LANGUAGES,
        "other_languages": sorted({*services.grammars.languages(), *chosen} - {*GOOD_LANGUAGES}),
        "refusal": refusal,
        "conflicts": [(titles[one.key], one.held, one.typed) for one in conflicts or ()],
        "is_conflict": conflicts is not None,
        "saved": saved,
        "cleared": "cleared" in request.query,
        "objections": [objection.sentence for objection in check_profile(store.current)],
        "log_level": logging.getLevelName(logging.getLogger().getEffectiveLevel()).lower(),
        "options_address": options_address(request),
    }
    status = refusal.status if refusal is not None else HTTPStatus.OK
    return render(request, "settings.html", "settings", context, status=status)


def cost(assist: Assist, words: Words) -> str:
    """What verification adds to an action in the worst case."""
    if not assist.ha_assist_verify_attempts:
        return words("settings.cost_none")
    most = HOME_ASSISTANT_ROUNDS - OWN_ROUNDS
    waits, reads = (
        min(number, most) for number in (assist.ha_assist_verify_attempts, assist.ha_assist_verify_attempts + 1)
    )
    seconds = f"{waits * assist.ha_assist_verify_delay:.1f}".replace(".", words("decimal"))
    return words("settings.cost", seconds=seconds, taken=reads + OWN_ROUNDS, rounds=HOME_ASSISTANT_ROUNDS)


def options_address(request: web.Request) -> str | None:
    """Home Assistant's own page with the options that the Supervisor keeps; None outside of it."""
    if not is_ingress(peer_of(request)):
        return None
    # The hostname is the add-on's full slug with its first underscore, after the repository, as a hyphen.
    slug = socket.gethostname().replace("-", "_", 1)
    return f"/config/app/{slug}/config"
