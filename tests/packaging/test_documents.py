"""README and DOCS lead to what exists, by the names under which a person finds it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from ha_assist_addon.settings.model import Settings
from tests.support.shared import ROOT

WORDS = yaml.safe_load((ROOT / "ha_assist_addon/panel/translations/en.yaml").read_text(encoding="utf-8"))
DOCUMENTS = ["README.md", "DOCS.md", "CHANGELOG.md"]


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_pages_of_the_panel_bear_their_names() -> None:
    table = text("DOCS.md").partition("## The panel")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE)
    assert set(rows[2:]) == set(WORDS["tab"].values())


@pytest.mark.parametrize("words", ["models.resume", "detail.export", "settings.group.privacy"])
def test_what_a_person_is_told_to_press_exists(words: str) -> None:
    found = WORDS
    for part in words.split("."):
        found = found[part]
    assert re.search(rf"\*\*[^*]*{re.escape(str(found))}\*\*", text("DOCS.md"))


@pytest.mark.parametrize("name", [*DOCUMENTS, "CONTRIBUTING.md"])
def test_links_and_files_exist(name: str) -> None:
    named = re.findall(
        r"\]\((?!https?:)([^)#]+)\)|`((?:docs|script|custom_components|ha_assist_addon)/[\w./]+)`", text(name)
    )
    missing = [path for pair in named for path in pair if path and not (ROOT / path).exists()]
    assert missing == []


def test_the_example_of_settings_can_be_used() -> None:
    blocks = re.findall(r"^```yaml\n(settings:.*?)^```", text("README.md"), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 1
    settings = Settings.model_validate(yaml.safe_load(blocks[0]))
    assert settings.models.upstream.model == settings.settings.ha_assist_text_model


@pytest.mark.parametrize("name", DOCUMENTS)
def test_hailo_is_never_promised(name: str) -> None:
    """Nobody has run that part; every document that tells of it has to say so."""
    assert re.search(r"[Nn](ever|obody has)\s+run", text(name))


def test_a_files_version_of_python_is_the_images() -> None:
    assert "base-debian:trixie" in Path(ROOT / "Dockerfile").read_text()
    assert set(re.findall(r"cp3\d+", text("DOCS.md"))) == {"cp313"}, "Debian trixie has Python 3.13"
