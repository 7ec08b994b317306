"""The Hailo device as this machine shows it, and what HailoRT's error numbers mean for a person."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

NODES = ("dev/hailo0", "dev/h1x-0")
"""The driver's device node: of HailoRT 5.0 to 5.2, and since 5.3."""
CLASSES = ("sys/class/hailo_chardev", "sys/class/hailo1x")
DRIVERS = "sys/module/hailo*/version"
PACKAGES = ("hailort", "hailo-platform", "hailo_platform")
_NUMBERS = re.compile(r"\d+(?:\.\d+)+")

REPORT = "HA_ASSIST_HAILORT_REPORT"
"""Names the file in which the container's start tells how it installed HailoRT."""


class DeviceState(StrEnum):
    """What stands between this machine and an answer from its Hailo device."""

    READY = "ready"
    NO_NODE = "no_node"
    NO_PERMISSION = "no_permission"
    NO_LIBRARY = "no_library"
    VERSIONS_DIFFER = "versions_differ"
    IN_USE = "in_use"
    WRONG_HEF = "wrong_hef"
    LOST = "lost"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class DeviceReport:
    """A state, one sentence for a person (empty where all is well), and facts for the panel."""

    state: DeviceState
    sentence: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)


def look(library: str | None, root: Path = Path("/")) -> DeviceReport:
    """What can be seen without touching the device; `library` is HailoRT's version here, None where it is missing."""
    node = next((path for name in NODES if (path := root / name).exists()), None)
    driver = driver_version(root)
    shown = {
        "Device": f"/{node.relative_to(root)}" if node else _announced(root),
        "Driver": driver,
        "HailoRT": library,
    }
    facts = {name: value for name, value in shown.items() if value}
    state, sentence = _judge(node, driver, library)
    if state is DeviceState.NO_LIBRARY:
        sentence = installation_problem() or sentence
    return DeviceReport(state, sentence, facts)


def installation_problem() -> str | None:
    """What kept the person's HailoRT from being installed at the start, where somebody wrote that down."""
    try:
        report = json.loads(Path(os.environ[REPORT]).read_text(encoding="utf-8"))
    except (KeyError, OSError, ValueError):
        return None
    problem = report.get("problem") if isinstance(report, dict) else None
    return problem if isinstance(problem, str) and problem else None


def library_version() -> str | None:
    """The version of HailoRT's Python package, None where it is not installed."""
    for package in PACKAGES:
        try:
            return version(package)
        except PackageNotFoundError:
            continue
    return None


def driver_version(root: Path = Path("/")) -> str | None:
    """The version of the loaded driver, None where the kernel does not tell."""
    for path in sorted(root.glob(DRIVERS)):
        try:
            return path.read_text(encoding="ascii").strip() or None
        except (OSError, ValueError):
            continue
    return None


def meaning(number: int, report: DeviceReport) -> DeviceReport:
    """What an error number of HailoRT says about the device, given what was seen of it before."""
    state, sentence = _MEANINGS.get(number, (DeviceState.FAILED, "The Hailo device reports a failure."))
    if state is DeviceState.VERSIONS_DIFFER:
        sentence = _differ(report.facts.get("Driver", "unknown"), report.facts.get("HailoRT", "unknown"))
    return DeviceReport(state, sentence, dict(report.facts) | {"Error": str(number)})


def _judge(node: Path | None, driver: str | None, library: str | None) -> tuple[DeviceState, str]:
    if node is None:
        return DeviceState.NO_NODE, (
            "No Hailo device is found. Check that it is plugged in, that its driver is installed on the host, "
            "and that the add-on may use it."
        )
    if not os.access(node, os.R_OK | os.W_OK):
        return DeviceState.NO_PERMISSION, "HA-Assist may not use the Hailo device: its node denies reading or writing."
    if library is None:
        return DeviceState.NO_LIBRARY, (
            "HailoRT's Python package is not installed here. Install the wheel of the same version as the driver"
            f"{f', {driver}' if driver else ''}."
        )
    if driver is not None and _numbers(driver) != _numbers(library):
        return DeviceState.VERSIONS_DIFFER, _differ(driver, library)
    return DeviceState.READY, ""


def _differ(driver: str, library: str) -> str:
    return (
        f"The Hailo driver has version {driver} and HailoRT has version {library}; they must be the same. "
        "Install the driver or HailoRT again so that both match."
    )


def _numbers(text: str) -> str:
    found = _NUMBERS.search(text)
    return found[0] if found else text


def _announced(root: Path) -> str | None:
    """A device that the kernel knows although it has no node here."""
    for name in CLASSES:
        folder = root / name
        if folder.is_dir() and (known := next(folder.iterdir(), None)) is not None:
            return f"{known.name}, without a node"
    return None


_OTHER_HEF = (
    DeviceState.WRONG_HEF,
    "The model's file does not fit this Hailo device or this version of HailoRT. Get the file for this version.",
)
_LOST = (DeviceState.LOST, "The connection to the Hailo device is lost.")
_NO_DRIVER = (DeviceState.NO_NODE, "The Hailo driver is not installed on the host, or finds no device.")
_IN_USE = (
    DeviceState.IN_USE,
    "The Hailo device is in use by another program, or already holds a model: it can hold only one.",
)
_MEANINGS: dict[int, tuple[DeviceState, str]] = {
    4: (DeviceState.LOST, "The Hailo device does not answer in time."),
    6: _IN_USE,  # of a constructor: the device's cache for one model is taken
    26: (DeviceState.WRONG_HEF, "The model's file is no valid HEF file, or it is damaged."),
    36: (DeviceState.FAILED, "The Hailo driver reports a failure. Restarting the host may help."),
    62: _LOST,
    64: _NO_DRIVER,
    73: _IN_USE,
    74: _NO_DRIVER,
    76: (DeviceState.VERSIONS_DIFFER, ""),
    92: _OTHER_HEF,
    93: _OTHER_HEF,
    96: _LOST,
}
