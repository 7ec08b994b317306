"""The settings page: every setting, saved together and applied at once."""

from __future__ import annotations

import logging
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from aiohttp import web

from ..backends.probe import Probe, probe_server
from ..errors import HaAssistError
from ..settings.errors import SettingsConflict
from ..settings.model import Assist
from ..settings.store import values_of
from ..trial.replay import Replayed, preview
from .border import is_ingress, peer_of
from .guard import STALE
from .keys import SERVICES
from .page import go, render
from .problems import general_sentence, label_of, profile_sentences, refusal_sentences
from .reader import words_for
from .settings_fields import GOOD_LANGUAGES, LANGUAGES, fields
from .settings_form import OWN, PROFILES, Difference, differences, profile_of, read_form
from .words import Words

HOME_ASSISTANT_ROUNDS = 10
"""Home Assistant ends a turn after so many requests to the model."""
OWN_ROUNDS = 2
"""The action itself, and the answer."""
routes = web.RouteTableDef()


@routes.get("/settings")
async def show(request: web.Request) -> web.Response:
    """The form with the settings in force."""
    return _page(request, Shown())


@routes.post("/settings")
async def save(request: web.Request) -> web.Response:
    """Save all or nothing; what was typed stays on the page when it cannot be saved, or is only to be tried."""
    form = await request.post()
    store = request.app[SERVICES].settings
    typed, revision = read_form(form, store), str(form.get("revision", ""))
    if request.get(STALE):
        return _page(request, Shown(typed, revision=revision, stale=True), status=HTTPStatus.FORBIDDEN)
    if form.get("do") == "test":
        values = {**values_of(store.current), **typed}
        probe = await probe_server(
            *(_text(values[f"models.upstream.{name}"]) for name in ("base_url", "api_key", "model"))
        )
        return _page(request, Shown(typed, revision=revision, probe=probe))
    if form.get("do") == "preview":
        return await _preview(request, typed, revision)
    before = store.current.models
    try:
        store.save(typed, expected_revision=revision)
    except SettingsConflict as conflict:
        store.load()
        shown = Shown(typed, refusal=conflict, conflicts=tuple(differences(typed, store)))
        return _page(request, shown, status=conflict.status)
    except HaAssistError as refusal:
        return _page(request, Shown(typed, revision=revision, refusal=refusal), status=refusal.status)
    changed = store.current.models.upstream != before.upstream and store.current.models.upstream.enabled
    raise go(request, f"settings?saved={'server' if changed else '1'}")


@routes.post("/settings/clear")
async def clear(request: web.Request) -> web.Response:
    """Forget all requests."""
    await request.app[SERVICES].traces.clear()
    request.app[SERVICES].evidence.settle.clear()
    raise go(request, "settings?cleared=1#privacy")


async def _preview(request: web.Request, typed: Mapping[str, Any], revision: str) -> web.Response:
    """What of the latest stored sentences the typed settings would treat differently."""
    services = request.app[SERVICES]
    try:
        settings = services.settings.validated(typed)
    except HaAssistError as refusal:
        return _page(request, Shown(typed, revision=revision, refusal=refusal), status=refusal.status)
    return _page(request, Shown(typed, revision=revision, changes=tuple(await preview(settings, services))))


@dataclass(frozen=True, slots=True)
class Shown:
    """What the page shows beside the settings in force."""

    typed: Mapping[str, Any] = field(default_factory=dict)
    revision: str | None = None
    refusal: HaAssistError | None = None
    conflicts: tuple[Difference, ...] | None = None
    stale: bool = False
    """The page that this came from is from before a restart."""
    probe: Probe | None = None
    changes: tuple[Replayed, ...] | None = None
    """What the typed settings would change in stored sentences; None where nobody has asked."""


def _page(request: web.Request, shown: Shown, *, status: int = HTTPStatus.OK) -> web.Response:
    services, words = request.app[SERVICES], words_for(request)
    store = services.settings
    values = {**values_of(store.current), **shown.typed}
    chosen, refusal = values[LANGUAGES], shown.refusal
    at_fault = refusal_sentences(refusal, words) if refusal is not None else {}
    context = {
        "groups": fields(store, words, shown.typed),
        "revision": store.revision if shown.revision is None else shown.revision,
        "profiles": (*PROFILES, OWN),
        "profile": profile_of(values),
        "rounds": HOME_ASSISTANT_ROUNDS,
        "own_rounds": OWN_ROUNDS,
        "cost": cost(store.current.settings, words),
        "good_languages": GOOD_LANGUAGES,
        "other_languages": sorted({*services.grammars.languages(), *chosen} - {*GOOD_LANGUAGES}),
        "faults": {key.replace(".", "-"): (label_of(key, words), sentence) for key, sentence in at_fault.items()},
        "warnings": profile_sentences(store.current, words),
        "refused": general_sentence(refusal, words) if refusal is not None and not at_fault else None,
        "conflicts": [(label_of(one.key, words), one.held, one.typed) for one in shown.conflicts or ()],
        "is_conflict": shown.conflicts is not None,
        "stale": shown.stale,
        "typed": bool(shown.typed),
        "probe": shown.probe,
        "changes": shown.changes,
        "saved": request.query.get("saved"),
        "cleared": "cleared" in request.query,
        "log_level": logging.getLevelName(logging.getLogger().getEffectiveLevel()).lower(),
        "options_address": options_address(request),
    }
    return render(request, "settings.html", "settings", context, status=status)


def _text(value: object) -> str | None:
    return str(value).strip() or None if value is not None else None


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
