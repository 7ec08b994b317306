"""The Dockerfile, what it copies, and the service that s6 runs."""

from __future__ import annotations

import re
import shutil
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import yaml

from tests.support.shared import ROOT

OVERLAY = ROOT / "rootfs/etc/s6-overlay/s6-rc.d"
SERVICE = OVERLAY / "ha-assist"
TOOLS = ROOT / "rootfs/usr/lib/ha-assist"
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
SCRIPTS = [SERVICE / "run", SERVICE / "finish", TOOLS / "healthy", TOOLS / "join-device-groups"]


def tool(name: str) -> str:
    """A command of the development packages or of this machine; skips where there is none."""
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed; script/lint needs it too")
    return found


def test_base_image_is_the_same_everywhere() -> None:
    found = re.search(r"^ARG BUILD_FROM=(\S+)$", DOCKERFILE, re.MULTILINE)
    assert found
    build, config = (yaml.safe_load((ROOT / name).read_text()) for name in ("build.yaml", "config.yaml"))
    assert build == {"build_from": dict.fromkeys(config["arch"], found[1])}
    assert re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE) == ["${BUILD_FROM}"] * 2


def test_image_copies_only_what_the_context_holds() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert next(line for line in lines if line and not line.startswith("#")) == "*"
    allowed = {line[1:] for line in lines if line.startswith("!")}
    assert set(re.findall(r"^COPY (?!--from)(\S+) ", DOCKERFILE, re.MULTILINE)) == allowed


def test_packages_are_those_of_the_lock() -> None:
    installs = [line for line in DOCKERFILE.replace("\\\n", " ").splitlines() if "/pip " in line]
    assert len(installs) == 1
    assert "--require-hashes" in installs[0]
    assert "--only-binary :all:" in re.sub(r" +", " ", installs[0])
    assert installs[0].endswith("-r requirements.txt")


def test_dockerfile_is_clean() -> None:
    outcome = subprocess.run(
        [tool("hadolint"), "--config", ROOT / ".hadolint.yaml", ROOT / "Dockerfile"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome.returncode == 0, outcome.stdout


def test_scripts_are_clean() -> None:
    scripts = [*SCRIPTS, ROOT / "script/image"]
    outcome = subprocess.run([tool("shellcheck"), *scripts], capture_output=True, text=True, check=False, cwd=ROOT)
    assert outcome.returncode == 0, outcome.stdout


def test_yaml_is_clean() -> None:
    listed = [*ROOT.glob("*.yaml"), *ROOT.glob("translations/*"), *ROOT.glob(".github/workflows/*")]
    outcome = subprocess.run(
        [tool("yamllint"), "--strict", *listed], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert outcome.returncode == 0, outcome.stdout


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_can_start(path: Path) -> None:
    content = path.read_bytes()
    shell = b"#!/command/with-contenv bash\n" if path.parent == SERVICE else b"#!/bin/bash\n"
    assert content.startswith(shell)
    assert b"\r" not in content
    assert path.stat().st_mode & stat.S_IXUSR


def test_service_is_part_of_the_boot() -> None:
    assert (SERVICE / "type").read_text() == "longrun\n"
    assert (SERVICE / "dependencies.d/base").exists()
    assert (OVERLAY / "user/type").read_text() == "bundle\n"
    assert (OVERLAY / "user/contents.d/ha-assist").exists()


@pytest.mark.parametrize(
    ("answer", "healthy"),
    [
        (b"HTTP/1.1 200 OK\r\n\r\n", True),
        (b"HTTP/1.0 200 OK\r\n\r\n", True),
        (b"HTTP/1.1 500 Internal Server Error\r\n\r\n", False),
        (b"", False),
    ],
)
def test_probe(answer: bytes, healthy: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            client, _ = server.accept()
            with client:
                asked = b""
                while not asked.endswith(b"\r\n\r\n"):
                    asked += client.recv(1000)
                assert asked.startswith(b"GET /health HTTP/1.0\r\n")
                client.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        port = str(server.getsockname()[1])
        outcome = subprocess.run([TOOLS / "healthy", port], capture_output=True, check=False, timeout=10)
        thread.join()
    assert (outcome.returncode == 0) is healthy


def test_probe_without_a_server() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
    assert subprocess.run([TOOLS / "healthy", port], capture_output=True, check=False, timeout=10).returncode


WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*"))


def test_workflows_bear_names_that_the_supervisor_does_not_read() -> None:
    assert [path.name for path in WORKFLOWS] == ["ci.yaml", "release.yaml"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_pin_what_they_run(path: Path) -> None:
    used = re.findall(r"uses: (\S+)(.*)", path.read_text(encoding="utf-8"))
    assert used
    for action, comment in used:
        assert action.startswith("./") or re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action), action
        assert action.startswith("./") or re.fullmatch(r" # v\d+\.\d+\.\d+", comment), action


def test_workflows_test_what_is_promised() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yaml").read_text(encoding="utf-8"))["jobs"]
    assert jobs["test"]["strategy"]["matrix"]["python"] == ["3.11", "3.13"]
    assert [row["arch"] for row in jobs["image"]["strategy"]["matrix"]["include"]] == ["amd64", "aarch64"]
