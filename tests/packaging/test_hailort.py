"""HailoRT as the person puts it into the share folder: installed at the start, or one sentence about what is wrong."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.shared import ROOT

SCRIPT = ROOT / "rootfs/usr/lib/ha-assist/install_hailort.py"
PYTHON = f"cp{sys.version_info.major}{sys.version_info.minor}"
MACHINE = os.uname().machine
DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}.get(MACHINE, MACHINE)


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("install_hailort", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


hailort = load()


class Host:
    """A share folder, a driver and devices, and the folder that is installed into."""

    def __init__(self, folder: Path) -> None:
        self.share = folder / "share"
        self.target = folder / "hailort"
        self.modules = folder / "modules"
        self.devices = folder / "dev"
        for each in (self.share, self.modules, self.devices):
            each.mkdir()

    def driver(self, version: str) -> None:
        (self.modules / "hailo1x_pci").mkdir()
        (self.modules / "hailo1x_pci/version").write_text(f"{version}\n")

    def wheel(self, version: str = "5.1.1", tags: str = f"{PYTHON}-{PYTHON}-linux_{MACHINE}", **files: str) -> Path:
        path = self.share / f"hailort-{version}-{tags}.whl"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("hailo_platform/__init__.py", f"__version__ = {version!r}\n")
            archive.writestr(f"hailort-{version}.dist-info/METADATA", f"Name: hailort\nVersion: {version}\n")
            for name, content in files.items():
                archive.writestr(name, content)
        return path

    def library(self, version: str = "5.1.1") -> Path:
        path = self.share / f"libhailort.so.{version}"
        path.write_bytes(b"library " + version.encode())
        return path

    def install(self) -> dict[str, str | None]:
        report = hailort.install(self.share, self.target, self.modules, self.devices)
        return {name: getattr(report, name) for name in ("wheel", "library", "driver", "problem")}


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


def test_nothing_there_is_nothing_to_say(host: Host) -> None:
    host.share.rmdir()
    assert host.install() == dict.fromkeys(("wheel", "library", "driver", "problem"))
    assert not host.target.exists()


def test_a_device_alone_says_what_to_put_where(host: Host) -> None:
    (host.devices / "h1x-0").touch()
    problem = host.install()["problem"]
    assert problem is not None
    assert str(host.share) in problem


def test_wheel_and_library_of_the_drivers_version(host: Host) -> None:
    host.driver("5.1.1")
    host.wheel()
    host.library()
    assert host.install() == {"wheel": "5.1.1", "library": "5.1.1", "driver": "5.1.1", "problem": None}
    names = sorted(path.name for path in (host.target / "lib").iterdir())
    assert names == ["libhailort.so", "libhailort.so.5.1.1"]
    found = subprocess.run(
        [
            sys.executable,
            "-c",
            "import hailo_platform, importlib.metadata as m; print(hailo_platform.__version__, m.version('hailort'))",
        ],
        env={"PYTHONPATH": str(host.target / "python")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout == "5.1.1 5.1.1\n"


def test_library_out_of_a_debian_package(host: Host) -> None:
    if shutil.which("dpkg-deb") is None:
        pytest.skip("no dpkg-deb here; the image has it")
    host.driver("5.1.1")
    host.wheel()
    tree = host.share.parent / "tree"
    (tree / "DEBIAN").mkdir(parents=True)
    (tree / "DEBIAN/control").write_text(
        f"Package: hailort\nVersion: 5.1.1\nArchitecture: {DEBIAN}\nMaintainer: a <a@example.com>\nDescription: a\n"
    )
    (tree / "DEBIAN/postinst").write_text(f"#!/bin/sh\ntouch {host.share}/ran\n")
    (tree / "DEBIAN/postinst").chmod(0o755)
    (tree / "usr/lib").mkdir(parents=True)
    (tree / "usr/lib/libhailort.so.5.1.1").write_bytes(b"library" * 100_000)
    (tree / "usr/lib/libhailort.so").symlink_to("libhailort.so.5.1.1")
    (tree / "usr/lib/other.so").write_text("other")
    package = host.share / f"hailort_5.1.1_{DEBIAN}.deb"
    subprocess.run(["dpkg-deb", "--build", "--root-owner-group", tree, package], check=True, capture_output=True)
    assert host.install()["problem"] is None
    assert (host.target / "lib/libhailort.so").read_bytes() == b"library" * 100_000
    assert not (host.target / "lib/other.so").exists()
    assert not (host.share / "ran").exists()

    package.write_bytes(package.read_bytes()[: package.stat().st_size // 2])
    assert "cannot be unpacked" in str(host.install()["problem"])
    assert not host.target.exists()


def test_another_version_than_the_drivers_is_said_and_installed(host: Host) -> None:
    host.driver("4.21.0")
    host.wheel()
    host.library()
    report = host.install()
    assert report["driver"] == "4.21.0"
    for part in ("5.1.1", "4.21.0", "exactly the same", "Hailo-10H"):
        assert part in str(report["problem"])
    assert (host.target / "python/hailo_platform").is_dir()


def test_of_several_the_drivers_is_taken(host: Host) -> None:
    host.driver("5.1.1")
    for version in ("5.1.1", "5.2.0", "5.0.0"):
        host.wheel(version)
        host.library(version)
    assert host.install() == {"wheel": "5.1.1", "library": "5.1.1", "driver": "5.1.1", "problem": None}


def test_without_a_driver_the_newest_is_taken_and_the_driver_missed(host: Host) -> None:
    for version in ("5.9.0", "5.10.0"):
        host.wheel(version)
        host.library(version)
    report = host.install()
    assert report["wheel"] == "5.10.0"
    assert "no Hailo driver" in str(report["problem"])


def test_library_of_another_version_than_the_wheel(host: Host) -> None:
    host.driver("5.1.1")
    host.wheel("5.1.1")
    host.library("5.1.0")
    assert "both must be the same" in str(host.install()["problem"])


@pytest.mark.parametrize("tags", ["cp27-cp27mu-linux_armv7l", "cp39-cp39-linux_riscv64"])
def test_a_wheel_for_another_machine_is_not_taken(host: Host, tags: str) -> None:
    wheel = host.wheel(tags=tags)
    host.library()
    problem = str(host.install()["problem"])
    assert wheel.name in problem
    assert f"{PYTHON}-{PYTHON}-linux_{MACHINE}" in problem
    assert not host.target.exists()


def test_a_wheel_alone_misses_its_library(host: Host) -> None:
    host.wheel()
    assert "libhailort.so.VERSION" in str(host.install()["problem"])


@pytest.mark.parametrize("name", ["../escaped", "/escaped", "hailo_platform/../../escaped", "..\\escaped"])
def test_names_that_lead_out_are_refused(host: Host, name: str) -> None:
    host.wheel(**{name: "escaped"})
    host.library()
    assert "leads out" in str(host.install()["problem"])
    assert not [*host.target.parent.rglob("*escaped*")]
    assert not host.target.exists()


def test_scripts_of_a_wheel_are_left_out(host: Host) -> None:
    host.driver("5.1.1")
    files = {"hailort-5.1.1.data/scripts/hailo": "#!/bin/sh\n", "hailort-5.1.1.data/purelib/extra.py": "X = 1\n"}
    host.wheel(**files)
    host.library()
    assert host.install()["problem"] is None
    assert (host.target / "python/extra.py").read_text() == "X = 1\n"
    assert not [*host.target.rglob("hailo")]


def test_an_earlier_installation_is_removed(host: Host) -> None:
    wheel = host.wheel()
    library = host.library()
    host.install()
    wheel.unlink()
    library.unlink()
    host.install()
    assert not host.target.exists()


@given(content=st.binary(max_size=200), suffix=st.sampled_from(["whl", "deb"]))
def test_any_bytes_are_one_sentence(tmp_path_factory: pytest.TempPathFactory, content: bytes, suffix: str) -> None:
    host = Host(tmp_path_factory.mktemp("host"))
    host.wheel()
    if suffix == "whl":
        host.library()
        next(host.share.glob("*.whl")).write_bytes(content)
    else:
        (host.share / f"hailort_5.1.1_{DEBIAN}.deb").write_bytes(content)
    problem = host.install()["problem"]
    assert problem
    assert "\n" not in problem
    assert not host.target.exists()


def test_tar_members_keep_to_the_folder(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package made by hand can hold any path and any kind of file."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, kind in (("../../libhailort.so.1", tarfile.REGTYPE), ("libhailort.so.2", tarfile.LNKTYPE)):
            member = tarfile.TarInfo(name)
            member.type = kind
            member.linkname = "/etc/passwd"
            archive.addfile(member)
    host.wheel()
    (host.share / f"hailort_5.1.1_{DEBIAN}.deb").touch()
    stream.seek(0)
    monkeypatch.setattr(hailort, "debian_files", lambda path: tarfile.open(fileobj=stream, mode="r|"))  # noqa: SIM115
    host.install()
    assert sorted(path.name for path in (host.target / "lib").iterdir()) == [
        "libhailort.so",
        "libhailort.so.1",
        "libhailort.so.5.1.1",
    ]


def test_command_writes_the_report_and_never_fails(host: Host) -> None:
    host.share.joinpath("hailort-nonsense.whl").touch()
    outcome = subprocess.run(
        [sys.executable, "-I", SCRIPT, host.share, host.target], capture_output=True, text=True, check=False
    )
    assert outcome.returncode == 0, outcome.stderr
    report = json.loads(host.target.with_suffix(".json").read_text())
    assert outcome.stdout == f"{report['problem']}\n"
    assert "hailort-nonsense.whl" in outcome.stdout
