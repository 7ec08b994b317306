"""What the Supervisor reads: names, keys, versions and translations that must be right and agree."""

from __future__ import annotations

import json
import re
import struct
import subprocess
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from ha_assist_addon import __version__
from tests.packaging import supervisor_schema
from tests.support.shared import ROOT

LANGUAGES = {"en", "de", "fr", "es", "it", "nl", "pl"}
TRANSLATIONS = sorted((ROOT / "translations").glob("*"))


def load(path: str | Path) -> Any:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def project_files() -> list[Path]:
    """Every file but those that git ignores."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("the project is no git clone")
    return [Path(name) for name in listed.stdout.decode().split("\0") if name]


def faults(content: Any, schema: dict[str, Any]) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in Draft202012Validator(schema).iter_errors(content)]


@pytest.mark.parametrize("stem", ["config", "build", "repository"])
def test_supervisor_finds_no_other_file_by_name(stem: str) -> None:
    found = [str(path) for path in project_files() if re.fullmatch(rf"{stem}\.(ya?ml|json)", path.name)]
    assert found == [f"{stem}.yaml"]


@pytest.mark.parametrize("stem", ["config", "build", "repository"])
def test_supervisor_reads_every_key(stem: str) -> None:
    assert faults(load(f"{stem}.yaml"), getattr(supervisor_schema, stem.upper())) == []


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("slug", "ha assist"),
        ("arch", ["amd64", "armv7"]),
        ("init", "false"),
        ("ports", {"8090": None}),
        ("schema", {"device": "device"}),
        ("backup_exclude", ["/data/models"]),
        ("timeout", 5),
        ("ingres", True),
    ],
)
def test_schema_refuses_what_the_supervisor_would(key: str, value: Any) -> None:
    assert faults({**load("config.yaml"), key: value}, supervisor_schema.CONFIG)


def test_starts_as_an_addon_that_is_reached_through_ingress() -> None:
    config = load("config.yaml")
    assert config["arch"] == ["amd64", "aarch64"]
    assert config["init"] is False, "s6-overlay must be process 1"
    assert config["ingress"] is config["ingress_stream"] is True
    assert config["ingress_port"] == 8099
    assert config["ports"] == {"8090/tcp": None}, "closed to the network until the person opens it"
    assert config["map"] == [{"type": "share", "read_only": True}]


def test_no_rights_that_are_not_needed() -> None:
    refused = {
        "host_network",
        "privileged",
        "full_access",
        "docker_api",
        "hassio_api",
        "auth_api",
        "advanced",
        "watchdog",
    }
    assert not refused & set(load("config.yaml"))


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("models/gemma-4-E2B-it.litertlm", False),
        ("diagnostics.sqlite", False),
        ("diagnostics.sqlite-wal", False),
        ("settings.yaml", True),
        ("api_key", True),
        ("sentences/en.yaml", True),
    ],
)
def test_backups_hold_settings_and_no_models(path: str, kept: bool) -> None:
    """The Supervisor walks the data folder and matches each path, files and folders, from the right."""
    file = PurePosixPath("data") / path
    walked = [file, *file.parents[:-2]]
    excluded = any(part.match(pattern) for part in walked for pattern in load("config.yaml")["backup_exclude"])
    assert excluded is not kept


def test_versions_agree() -> None:
    assert load("config.yaml")["version"] == __version__
    assert f"## {__version__}\n" in text("CHANGELOG.md")
    assert json.loads(text("custom_components/ha_assist/manifest.json"))["version"] == __version__


def test_options_have_a_schema_and_the_supervisor_needs_none_of_them() -> None:
    config = load("config.yaml")
    assert set(config["schema"]) == {"log_level", "api_key"}, "all else is the panel's"
    assert set(config["options"]) <= set(config["schema"])
    for key, kind in config["schema"].items():
        assert key in config["options"] or kind.endswith("?"), f"{key} without a default would block an update"


def test_store_speaks_these_languages() -> None:
    assert {path.name for path in TRANSLATIONS} == {f"{language}.yaml" for language in LANGUAGES}


@pytest.mark.parametrize("path", TRANSLATIONS, ids=lambda path: path.stem)
def test_translations_name_each_key(path: Path) -> None:
    config, texts = load("config.yaml"), load(path)
    assert faults(texts, supervisor_schema.TRANSLATION) == []
    assert set(texts["configuration"]) == set(config["schema"])
    assert set(texts["network"]) == set(config["ports"])
    if path.stem != "en":
        english = load("translations/en.yaml")
        assert all(texts["configuration"][key] != english["configuration"][key] for key in config["schema"])


def test_documents_name_each_option_as_the_store_does() -> None:
    rows = re.findall(r"^\| ([^|]+) \|", text("DOCS.md").partition("## Options")[2].partition("\n## ")[0], re.MULTILINE)
    names = [option["name"] for option in load("translations/en.yaml")["configuration"].values()]
    assert [row for row in rows if row not in {"Option", "---"}] == names


@pytest.mark.parametrize(("name", "size"), [("icon.png", (128, 128)), ("logo.png", (250, 100))])
def test_pictures_of_the_store(name: str, size: tuple[int, int]) -> None:
    content = (ROOT / name).read_bytes()
    assert content.startswith(b"\x89PNG")
    assert struct.unpack(">II", content[16:24]) == size
