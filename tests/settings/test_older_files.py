"""Files of older and newer versions: what was set stays set, and nothing is lost that cannot be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from ha_assist_addon.settings.document import VERSION, DocumentError, parse
from ha_assist_addon.settings.model import Settings
from ha_assist_addon.settings.store import SettingsStore

FIRST = """\
# Written by HA-Assist's panel.
version: 1
settings:
  ha_assist_languages: [de]
  ha_assist_queue: 3
models:
  upstream:
    enabled: true
    base_url: http://192.168.1.20:8080/v1
    model: qwen3-4b
"""
"""A file of version 1 from before there was a block for diagnostics."""


def test_a_file_without_the_later_blocks_is_read_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.yaml"
    path.write_text(FIRST)
    store = SettingsStore(tmp_path, {})
    assert store.problem is None
    assert store.current.settings.ha_assist_languages == ("de",)
    assert store.current.models.upstream.model == "qwen3-4b"
    assert store.current.diagnostics == Settings().diagnostics
    assert path.read_text() == FIRST, "reading changes nothing"

    store.save({"settings.ha_assist_queue": 5})
    before, after = yaml.safe_load(FIRST), yaml.safe_load(path.read_text())
    before["settings"]["ha_assist_queue"] = 5
    assert after == before, "what was never set is left to the defaults, also to those of later versions"


def test_a_newer_file_is_kept_and_the_start_is_not_refused(tmp_path: Path) -> None:
    content = FIRST.replace("version: 1", f"version: {VERSION + 1}")
    (tmp_path / "settings.yaml").write_text(content)
    store = SettingsStore(tmp_path, {})
    assert store.current == Settings()
    assert store.problem is not None
    assert "newer" in store.problem.sentence
    store.save({"settings.ha_assist_queue": 5})
    assert SettingsStore(tmp_path, {}).problem is None
    kept = list(tmp_path.glob("settings.yaml.broken-*"))
    assert [path.read_text() for path in kept] == [content]


def rename(document: dict[str, Any]) -> dict[str, Any]:
    return {"assist" if block == "settings" else block: values for block, values in document.items()}


def widen(document: dict[str, Any]) -> dict[str, Any]:
    return {**document, "assist": {**document.get("assist", {}), "widened": True}}


@pytest.mark.parametrize(
    ("content", "blocks"),
    [
        ("version: 1\nsettings: {a: 1}\nmodels: {}", {"assist": {"a": 1, "widened": True}, "models": {}}),
        ("version: 2\nassist: {a: 1}", {"assist": {"a": 1, "widened": True}}),
        ("version: 3\nassist: {a: 1}", {"assist": {"a": 1}}),
        ("assist: {a: 1}", {"assist": {"a": 1}}),
    ],
)
def test_each_version_is_brought_up_step_by_step(content: str, blocks: dict[str, Any]) -> None:
    assert parse(content.encode(), (rename, widen)) == blocks


@pytest.mark.parametrize("version", ["0", "4", "-1", "true", "1.0", "'1'", "[1]", "null"])
def test_no_other_version_is_read(version: str) -> None:
    with pytest.raises(DocumentError, match="version"):
        parse(f"version: {version}\nsettings: {{}}".encode(), (rename, widen))
