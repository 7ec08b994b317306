"""The locks, the licence and the scripts of a fresh clone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.support.shared import ROOT

LOCKS = ["requirements.txt", "requirements-dev.txt"]
_PIN = re.compile(r"^([a-z0-9.-]+)==(\S+)", re.MULTILINE)


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def pins(name: str) -> dict[str, str]:
    return dict(_PIN.findall(text(name)))


@pytest.mark.parametrize("name", [*LOCKS, "requirements.in", "requirements-dev.in"])
def test_locks_hold_no_addresses(name: str) -> None:
    assert not re.findall(
        r"://|--(?:extra-)?index-url|--find-links|--trusted-host|^\s*-[fi] | @ ", text(name), re.MULTILINE
    )


@pytest.mark.parametrize("name", LOCKS)
def test_each_pin_has_a_hash(name: str) -> None:
    blocks = re.split(r"^(?=[a-z])", text(name), flags=re.MULTILINE)[1:]
    assert len(blocks) == len(pins(name))
    for block in blocks:
        assert "--hash=sha256:" in block, block


def test_both_locks_agree() -> None:
    development = pins("requirements-dev.txt")
    assert all(development.get(name) == version for name, version in pins("requirements.txt").items())


@pytest.mark.parametrize("stem", ["requirements", "requirements-dev"])
def test_locks_hold_what_is_asked_for(stem: str) -> None:
    asked = [re.split(r"[\[=;<> ]", line)[0].lower() for line in text(f"{stem}.in").splitlines() if line[:1].isalpha()]
    assert set(asked) <= set(pins(f"{stem}.txt"))


def test_package_metadata() -> None:
    project = tomllib.loads(text("pyproject.toml"))
    assert project["project"]["license"] == "Apache-2.0"
    assert project["project"]["requires-python"] == ">=3.11"
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "ha_assist_addon.__version__"}
    assert "Apache License" in text("LICENSE")


def test_readme_begins_with_the_two_commands() -> None:
    commands = re.findall(r"^script/\w+.*$", text("README.md"), re.MULTILINE)
    assert commands[:2] == ["script/run", "script/test"]


@pytest.mark.parametrize("name", ["script/run", "script/test", "script/lint", "script/lock", "script/image", ".ci/run"])
def test_scripts_can_start(name: str) -> None:
    assert os.access(ROOT / name, os.X_OK)
    assert text(name).startswith("#!/usr/bin/env bash\n")


class TestWithoutPython:
    """A copy of the scripts beside a made-up python, so that the machine's own is never used."""

    @pytest.fixture
    def clone(self, tmp_path: Path) -> Path:
        shutil.copytree(ROOT / "script", tmp_path / "script")
        (tmp_path / "requirements.txt").write_text("")
        return tmp_path

    def run(self, clone: Path, python: str) -> subprocess.CompletedProcess[str]:
        fake = clone / "python"
        fake.write_text(f"#!/bin/sh\n{python}\n")
        fake.chmod(0o755)
        environ = {"PATH": os.environ["PATH"], "HA_ASSIST_PYTHON": str(fake)}
        return subprocess.run(
            ["bash", clone / "script/run"], env=environ, capture_output=True, text=True, check=False, timeout=30
        )

    def test_too_old(self, clone: Path) -> None:
        outcome = self.run(clone, "exit 1")
        assert outcome.returncode == 1
        assert outcome.stderr == (
            "HA-Assist needs Python 3.11 to 3.14, and none was found. Install one, or name it: "
            "HA_ASSIST_PYTHON=/path/to/python3\n"
        )
        assert not (clone / ".venv").exists()

    def test_without_venv(self, clone: Path) -> None:
        script = 'case "$*" in *ensurepip*) exit 1;; --version) echo Python 3.13.5;; esac'
        outcome = self.run(clone, script)
        assert outcome.returncode == 1
        assert outcome.stderr == (
            "Python 3.13.5 has no venv module. On Debian, Ubuntu and Raspberry Pi OS: sudo apt install python3-venv\n"
        )
