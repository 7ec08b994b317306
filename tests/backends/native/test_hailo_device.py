"""What stands between this machine and its Hailo device."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ha_assist_addon.backends.hailo_device import REPORT, DeviceReport, DeviceState, look, meaning


def machine(root: Path, *, node: str | None = "hailo0", driver: str | None = "5.1.1") -> Path:
    if node is not None:
        (root / "dev").mkdir()
        (root / "dev" / node).touch()
    if driver is not None:
        folder = root / "sys/module/hailo_pci"
        folder.mkdir(parents=True)
        (folder / "version").write_text(driver, encoding="ascii")
    return root


@pytest.mark.parametrize("node", ["hailo0", "h1x-0"])
def test_all_is_well(tmp_path: Path, node: str) -> None:
    report = look("5.1.1", machine(tmp_path, node=node, driver="5.1.1 (release)\n"))
    facts = {"Device": f"/dev/{node}", "Driver": "5.1.1 (release)", "HailoRT": "5.1.1"}
    assert report == DeviceReport(DeviceState.READY, "", facts)


def test_no_node(tmp_path: Path) -> None:
    assert look("5.1.1", tmp_path).state is DeviceState.NO_NODE
    (tmp_path / "sys/class/hailo_chardev/hailo0").mkdir(parents=True)
    report = look("5.1.1", tmp_path)
    assert (report.state, report.facts["Device"]) == (DeviceState.NO_NODE, "hailo0, without a node")


def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(tmp_path)
    # Root, as whom tests often run, may open everything.
    monkeypatch.setattr(os, "access", lambda path, mode: not (mode & os.W_OK))
    assert look("5.1.1", tmp_path).state is DeviceState.NO_PERMISSION


def test_no_library(tmp_path: Path) -> None:
    report = look(None, machine(tmp_path))
    assert report.state is DeviceState.NO_LIBRARY
    assert "5.1.1" in report.sentence


@pytest.mark.parametrize("content", ['{"problem": "The wheel is for Python 3.9."}', "", "[1]", '{"problem": null}'])
def test_what_kept_the_library_out_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    written = tmp_path / "report.json"
    written.write_text(content, encoding="utf-8")
    monkeypatch.setenv(REPORT, str(written))
    sentence = look(None, machine(tmp_path)).sentence
    assert sentence == "The wheel is for Python 3.9." if "wheel" in content else "Install the wheel" in sentence


@pytest.mark.parametrize("library", ["5.1.0", "5.1.1.1", "4.23.0"])
def test_versions_that_differ(tmp_path: Path, library: str) -> None:
    report = look(library, machine(tmp_path))
    assert report.state is DeviceState.VERSIONS_DIFFER
    assert "5.1.1" in report.sentence
    assert library in report.sentence


def test_a_driver_that_does_not_tell_is_no_fault(tmp_path: Path) -> None:
    assert look("5.1.1", machine(tmp_path, driver=None)).state is DeviceState.READY


@pytest.mark.parametrize(
    ("number", "state"),
    [
        (6, DeviceState.IN_USE),
        (26, DeviceState.WRONG_HEF),
        (62, DeviceState.LOST),
        (64, DeviceState.NO_NODE),
        (73, DeviceState.IN_USE),
        (74, DeviceState.NO_NODE),
        (76, DeviceState.VERSIONS_DIFFER),
        (92, DeviceState.WRONG_HEF),
        (93, DeviceState.WRONG_HEF),
        (96, DeviceState.LOST),
        (0, DeviceState.FAILED),
    ],
)
def test_error_numbers(tmp_path: Path, number: int, state: DeviceState) -> None:
    report = meaning(number, look("5.1.1", machine(tmp_path)))
    assert report.state is state
    assert report.sentence.endswith(".")
    assert report.facts["Error"] == str(number)
