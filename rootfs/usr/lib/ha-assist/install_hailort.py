"""Unpacks the HailoRT that the person has put into the share folder; called as root before the server starts.

HailoRT may not be passed on, and its version must be the driver's: so the image holds none, and nothing is fetched.
Whatever is wrong becomes one sentence, in the log and in the report that the panel shows; the exit status is 0.
"""

# ruff: noqa: INP001, T201

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from packaging.tags import sys_tags
from packaging.utils import InvalidWheelFilename, parse_wheel_filename
from packaging.version import InvalidVersion, Version

LIBRARY = re.compile(r"libhailort\.so(?:\.(\d+(?:\.\d+)*))?")
PACKAGE = re.compile(r"hailort_(\d+(?:\.\d+)*)[^/]*_(amd64|arm64|all)\.deb")
DEBIAN_MACHINES = {"x86_64": "amd64", "aarch64": "arm64"}
LIMIT = 512 * 1024 * 1024
"""Bytes that one file may unpack to; HailoRT's are a tenth of it."""


class CannotInstall(Exception):
    """The message is one sentence for the person."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was found, and what the person should do about it; versions are None where there is none."""

    wheel: str | None = None
    library: str | None = None
    driver: str | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that could be installed on this machine; a library file without a version in its name has none."""

    path: Path
    version: Version | None


def install(share: Path, target: Path, modules: Path = Path("/sys/module"), devices: Path = Path("/dev")) -> Report:
    """Fill `target` anew with `python` and `lib`; whatever is wrong is the report's problem."""
    shutil.rmtree(target, ignore_errors=True)
    driver = driver_version(modules)
    wheel = pick(wheels(share), driver)
    library = pick(libraries(share), wheel.version if wheel else driver)
    if wheel is not None and library is not None:
        problem = unpack(wheel, library, target) or disagreement(wheel.version, library.version, driver)
    elif held(share):
        problem = incomplete(share, wheel, library)
    else:
        problem = missing(share, devices)
    return Report(version_of(wheel), version_of(library), str(driver) if driver else None, problem)


def unpack(wheel: Candidate, library: Candidate, target: Path) -> str | None:
    """Fill `target` whole or not at all; returns why not."""
    try:
        unpack_wheel(wheel.path, target / "python")
        unpack_library(library.path, target / "lib", wheel.version)
    except CannotInstall as error:
        problem = str(error)
    except (OSError, EOFError, RuntimeError, zipfile.BadZipFile, tarfile.TarError, zlib.error) as error:
        problem = f"{wheel.path.name} and {library.path.name} cannot be unpacked: {error}."
    else:
        return None
    shutil.rmtree(target, ignore_errors=True)
    return problem


def driver_version(modules: Path) -> Version | None:
    """The version of the Hailo driver that the host has loaded."""
    for path in sorted(modules.glob("hailo*/version")):
        try:
            return Version(path.read_text(encoding="ascii").strip())
        except (OSError, ValueError):
            continue
    return None


def wheels(share: Path) -> list[Candidate]:
    """The HailoRT wheels for this Python and machine."""
    supported = frozenset(sys_tags())
    found = []
    for path in share.glob("hailort-*.whl"):
        try:
            _, version, _, tags = parse_wheel_filename(path.name)
        except (InvalidWheelFilename, InvalidVersion):
            continue
        if tags & supported:
            found.append(Candidate(path, version))
    return found


def libraries(share: Path) -> list[Candidate]:
    """The HailoRT libraries for this machine, as .so files and as Debian packages."""
    machine = DEBIAN_MACHINES.get(os.uname().machine)
    found = []
    for path in share.glob("*hailort*"):
        if library := LIBRARY.fullmatch(path.name):
            found.append(Candidate(path, Version(library[1]) if library[1] else None))
        elif (package := PACKAGE.fullmatch(path.name)) and package[2] in {machine, "all"}:
            found.append(Candidate(path, Version(package[1])))
    return found


def held(share: Path) -> list[str]:
    """The names of HailoRT's files in the folder, whether or not they fit the machine."""
    return sorted(path.name for path in share.glob("*hailort*"))


def pick(candidates: list[Candidate], wanted: Version | None) -> Candidate | None:
    """The one of the wanted version, else the newest."""
    return max(candidates, key=lambda one: (one.version == wanted, one.version or Version("0")), default=None)


def version_of(candidate: Candidate | None) -> str | None:
    """The candidate's version."""
    return str(candidate.version) if candidate and candidate.version else None


def missing(share: Path, devices: Path) -> str | None:
    """What to say where the person has put nothing into the folder."""
    if not any([*devices.glob("hailo[0-9]*"), *devices.glob("h1x-[0-9]*")]):
        return None
    return f"There is a Hailo device and no HailoRT: put its wheel and its library into {share} and restart the app."


def incomplete(share: Path, wheel: Candidate | None, library: Candidate | None) -> str:
    """What is missing beside what is there."""
    python, machine = f"cp{sys.version_info.major}{sys.version_info.minor}", os.uname().machine
    needs = []
    if wheel is None:
        needs.append(f"the wheel hailort-VERSION-{python}-{python}-linux_{machine}.whl")
    if library is None:
        needs.append(
            f"the library, as hailort_VERSION_{DEBIAN_MACHINES.get(machine, machine)}.deb or libhailort.so.VERSION"
        )
    return f"HailoRT in {share} is not complete: it needs {' and '.join(needs)}, and holds {', '.join(held(share))}."


def disagreement(wheel: Version | None, library: Version | None, driver: Version | None) -> str | None:
    """HailoRT refuses to work where the three versions are not exactly the same (its error 76)."""
    if library and wheel != library:
        return f"HailoRT's wheel has version {wheel} and its library {library}; both must be the same."
    if driver is None:
        return "HailoRT is installed, and the host has loaded no Hailo driver."
    if wheel == driver:
        return None
    hint = " Driver 4 is for the Hailo-8; a Hailo-10H needs hailo1x_pci 5." if driver.major < 5 else ""
    return (
        f"HailoRT has version {wheel} and the host's driver {driver}; both must be exactly the same. "
        f"Put HailoRT {driver} into the share folder, or install driver {wheel} on the host.{hint}"
    )


def unpack_wheel(path: Path, target: Path) -> None:
    """The wheel's files, without its scripts."""
    with zipfile.ZipFile(path) as archive:
        size = 0
        for member in archive.infolist():
            where = inside(member.filename, path)
            size += member.file_size
            if size > LIMIT:
                raise CannotInstall(f"{path.name} unpacks to more than {LIMIT >> 20} MB, so it was left alone.")
            parts = where.parts
            if len(parts) > 1 and parts[0].endswith(".data"):
                if parts[1] not in {"purelib", "platlib"}:
                    continue
                where = PurePosixPath(*parts[2:])
            if not member.is_dir():
                with archive.open(member) as source:
                    write(source, target / where, member.file_size)


def unpack_library(path: Path, target: Path, version: Version | None) -> None:
    """The library under each name by which the wheel can ask for it."""
    if path.suffix == ".deb":
        with debian_files(path) as archive:
            for member in archive:
                name = PurePosixPath(member.name).name
                if member.isfile() and LIBRARY.fullmatch(name) and (source := archive.extractfile(member)):
                    write(source, target / name, member.size)
    else:
        with path.open("rb") as source:
            write(source, target / path.name, path.stat().st_size)
    names = sorted(one.name for one in target.glob("libhailort.so*")) if target.is_dir() else []
    if not names:
        raise CannotInstall(f"{path.name} holds no libhailort.so.")
    for alias in ("libhailort.so", f"libhailort.so.{version}"):
        if alias not in names:
            (target / alias).symlink_to(names[-1])


@contextmanager
def debian_files(path: Path) -> Iterator[tarfile.TarFile]:
    """A Debian package's files as a stream; nothing of the package is run."""
    command = ["/usr/bin/dpkg-deb", "--fsys-tarfile", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:  # noqa: S603
        with tarfile.open(fileobj=process.stdout, mode="r|") as archive:
            yield archive
        # What follows the last file; a reader that left early would look like a broken package.
        while process.stdout and process.stdout.read(1 << 16):
            pass
        if process.wait():
            raise CannotInstall(f"{path.name} is no whole Debian package.")


def inside(name: str, archive: Path) -> PurePosixPath:
    """The name of a member, which must not lead out of the folder."""
    where = PurePosixPath(name)
    if where.is_absolute() or ".." in where.parts or "\\" in name or not where.parts:
        raise CannotInstall(f"{archive.name} holds the name {name!r}, which leads out of it, so it was left alone.")
    return where


def write(source: IO[bytes], path: Path, size: int) -> None:
    """Copy one member; the size is what the archive says it has."""
    if size > LIMIT:
        raise CannotInstall(f"{path.name} has more than {LIMIT >> 20} MB, so it was left alone.")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        shutil.copyfileobj(source, file)
    path.chmod(0o755 if ".so" in path.name else 0o644)


def main() -> int:
    """`install_hailort.py SHARE TARGET`: the report is TARGET.json."""
    share, target = Path(sys.argv[1]), Path(sys.argv[2])
    report = install(share, target)
    target.with_suffix(".json").write_text(json.dumps(asdict(report)) + "\n", encoding="utf-8")
    if report.problem:
        print(report.problem, flush=True)
    elif report.wheel:
        print(f"HailoRT {report.wheel} from {share} is installed; the driver has the same version.", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
