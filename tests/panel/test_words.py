"""Every word of the panel exists in every language, and everything that is shown has a word."""

from __future__ import annotations

import re
from typing import get_args

import pytest
import yaml

from ha_assist_addon.backends.probe import ProbeStep
from ha_assist_addon.diagnostics.summary import OUTCOMES, ROUTES
from ha_assist_addon.diagnostics.turn_kind import TURN_KINDS
from ha_assist_addon.errors import BackendFailed, BackendTimeout, BackendUnavailable, Busy, HaAssistError
from ha_assist_addon.models.status import ModelState
from ha_assist_addon.panel.detail_view import SECTIONS
from ha_assist_addon.panel.page import FOLDER, TABS
from ha_assist_addon.panel.settings_fields import specs
from ha_assist_addon.panel.settings_form import OWN, PROFILES
from ha_assist_addon.panel.waterfall import Look
from ha_assist_addon.panel.words import Dictionary, Words, accepted
from ha_assist_addon.settings.explain import _EXPECTED
from ha_assist_addon.settings.profiles import ModelKind, ProfileRule
from ha_assist_addon.supervisor.link import Link
from ha_assist_addon.turn.outcome import Reason

from .conftest import Panel

DICTIONARY = Dictionary()
OTHERS = [code for code in DICTIONARY.languages if code != "en"]


def words(language: str) -> Words:
    return DICTIONARY.best([language])


def own(language: str) -> set[str]:
    return {key for key in words(language).texts if not key.startswith("field.")}


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"{(\w+)}", text))


@pytest.mark.parametrize("language", OTHERS)
def test_all_languages_have_the_same_words(language: str) -> None:
    assert own(language) == own("en")
    for key in own("en"):
        assert placeholders(words(language).texts[key]) == placeholders(words("en").texts[key]), key


@pytest.mark.parametrize("language", OTHERS)
def test_every_setting_is_told_in_every_language(language: str) -> None:
    told = {key for key in words(language).texts if key.startswith("field.")}
    assert told == {f"field.{spec.key}.{part}" for spec in specs() for part in ("title", "description")}


def test_every_word_that_a_template_asks_for_exists() -> None:
    literal = re.compile(r"""\bt(?:\.find)?\(\s*["']([a-z0-9_.]+)["']\s*[,)]""")
    for path in (FOLDER / "templates").glob("*.html"):
        for key in literal.findall(path.read_text(encoding="utf-8")):
            assert words("en").find(key) or words("en").find(f"{key}.other"), f"{key} in {path.name}"


def test_every_value_that_is_shown_as_a_word_has_one() -> None:
    keys = [f"tab.{tab.name}" for tab in TABS]
    keys += [f"route.{route}" for route in ROUTES] + [f"outcome.{outcome}" for outcome in OUTCOMES]
    keys += [f"turn.{kind}" for kind in TURN_KINDS if kind != "physical"]
    keys += [f"section.{name}" for name in SECTIONS] + [f"section_about.{name}" for name in SECTIONS]
    keys += [f"{part}.{word}" for part in ("registry", "events") for word in Link]
    keys += [f"store.{cause}" for cause in ("full", "read_only", "unusable")]
    keys += [f"rule.{rule}" for rule in ProfileRule] + [f"fault.{code}" for code in _EXPECTED]
    keys += [f"why.{reason}" for reason in Reason]
    keys += [f"error.{error.code}" for error in subclasses(BackendFailed, BackendUnavailable, BackendTimeout, Busy)]
    keys += [f"probe.step.{step}" for step in ProbeStep] + [f"detail.look.{look}" for look in get_args(Look)]
    keys += [f"state.{state}" for state in ModelState] + [f"kind.{kind}" for kind in ModelKind]
    keys += [f"profile.{name}.{part}" for name in (*PROFILES, OWN) for part in ("title", "description")]
    assert [key for key in keys if words("en").find(key) is None] == []


def subclasses(*errors: type[HaAssistError]) -> set[type[HaAssistError]]:
    """Errors that a person can meet, with all that derive from them."""
    return {*errors, *(one for error in errors for one in subclasses(*error.__subclasses__()))}


@pytest.mark.parametrize(
    ("header", "languages"),
    [
        ("de-DE,de;q=0.9,en;q=0.8", ["de-DE", "de", "en"]),
        ("en;q=0.5, de", ["de", "en"]),
        ("en;q=0, de", ["de"]),
        ("*, fr;q=nonsense", []),
        ("", []),
    ],
)
def test_a_browser_says_what_it_wants_most(header: str, languages: list[str]) -> None:
    assert accepted(header) == languages


async def test_the_panel_speaks_the_readers_language(panel: Panel) -> None:
    assert '<html lang="de"' in await panel.get("", {"Accept-Language": "de-AT,en;q=0.5"})
    assert '<html lang="en"' in await panel.get("", {"Accept-Language": "xx"})
    cookie = {"Accept-Language": "en", "Cookie": "ha_assist_language=de"}
    page = await panel.get("settings", cookie)
    assert '<html lang="de"' in page
    assert "Wie oft HA-Assist nach einer Aktion wartet" in page
    assert "bis zu 1,0 s länger" in page


def test_a_language_is_a_file(tmp_path: object) -> None:
    for path in (FOLDER / "translations").glob("*.yaml"):
        assert isinstance(yaml.safe_load(path.read_text(encoding="utf-8")), dict)
