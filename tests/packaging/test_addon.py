"""What the Supervisor reads: names, versions and translations that must agree."""

from __future__ import annotations

import re
import stat
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from ha_assist_addon import __version__
from tests.support.shared import ROOT

SERVICE = ROOT / "rootfs/etc/s6-overlay/s6-rc.d/ha-assist"
TRANSLATIONS = sorted((ROOT / "translations").glob("*.yaml"))


def load(path: str | Path) -> Any:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


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


@pytest.mark.parametrize("stem", ["config", "build", "repository"])
def test_supervisor_finds_no_other_file_by_name(stem: str) -> None:
    found = [str(path) for path in project_files() if re.fullmatch(rf"{stem}\.(ya?ml|json)", path.name)]
    assert found == [f"{stem}.yaml"]


def test_required_keys() -> None:
    config = load("config.yaml")
    assert {"name", "version", "slug", "description", "arch"} <= set(config)
    assert config["arch"] == ["amd64", "aarch64"]
    assert config["init"] is False
    assert config["ingress_port"] == 8099
    assert config["ports"] == {"8090/tcp": None}


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


def test_versions_agree() -> None:
    assert load("config.yaml")["version"] == __version__
    assert f"## {__version__}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_options_have_a_schema_and_the_supervisor_needs_none_of_them() -> None:
    config = load("config.yaml")
    assert set(config["options"]) <= set(config["schema"])
    for key, kind in config["schema"].items():
        assert key in config["options"] or kind.endswith("?"), f"{key} without a default would block an update"


@pytest.mark.parametrize("path", TRANSLATIONS, ids=lambda path: path.stem)
def test_translations_name_each_key(path: Path) -> None:
    config, texts = load("config.yaml"), load(path)
    assert set(texts) == {"configuration", "network"}
    assert set(texts["configuration"]) == set(config["schema"])
    assert set(texts["network"]) == set(config["ports"])
    assert all(text["name"] and text["description"] for text in texts["configuration"].values())


def test_english_and_german_exist() -> None:
    assert {"en", "de"} <= {path.stem for path in TRANSLATIONS}


def test_base_image_is_the_same_everywhere() -> None:
    found = re.search(r"^ARG BUILD_FROM=(\S+)$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    assert found
    assert load("build.yaml") == {"build_from": dict.fromkeys(load("config.yaml")["arch"], found[1])}


def test_image_copies_only_what_the_context_holds() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert next(line for line in lines if line and not line.startswith("#")) == "*"
    allowed = {line[1:] for line in lines if line.startswith("!")}
    copied = set(re.findall(r"^COPY (\S+) ", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE))
    assert copied == allowed


@pytest.mark.parametrize("name", ["run", "finish"])
def test_service_scripts_can_start(name: str) -> None:
    content = (SERVICE / name).read_bytes()
    assert content.startswith(b"#!/command/with-contenv bash\n")
    assert b"\r" not in content
    assert (SERVICE / name).stat().st_mode & stat.S_IXUSR


def test_service_is_part_of_the_boot() -> None:
    assert (SERVICE / "type").read_text() == "longrun\n"
    assert (SERVICE / "dependencies.d/base").exists()
    assert (SERVICE.parent / "user/type").read_text() == "bundle\n"
    assert (SERVICE.parent / "user/contents.d/ha-assist").exists()


@pytest.mark.parametrize(("name", "size"), [("icon.png", (128, 128)), ("logo.png", (250, 100))])
def test_pictures_of_the_store(name: str, size: tuple[int, int]) -> None:
    content = (ROOT / name).read_bytes()
    assert content.startswith(b"\x89PNG")
    assert struct.unpack(">II", content[16:24]) == size
