"""Proves that a built image works: `image.py ROOT`, as root, in mount, network and process namespaces of its own.

Debian's s6 starts the service as s6-overlay would; what only Home Assistant's base image has is stood in for.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.support.house import House, body, thing

KEY = "a-key-for-the-proof"
API, PANEL = "http://127.0.0.1:8090", "http://127.0.0.1:8099"
SERVICE = "run/service/ha-assist"
HOUSE = House((thing("Kitchen Lamp", "light", "Kitchen"), thing("Hall Lamp", "light", "Hall")))
STOP_SECONDS = 5.0
BARE = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
WITH_CONTENV = "#!/usr/bin/execlineb -S0\ns6-envdir -Lfn -- /run/s6/container_environment\n$@\n"
HALT = "#!/bin/sh\n: >/run/halted\n"
NATIVE = """
import litert_lm, PIL.Image
from ha_assist_addon.retrieval.embedder import MiniLm, Multilingual
assert MiniLm().encode(["kitchen lamp"]).shape == (1, 384)
assert len(Multilingual().encode(["Lampe in der Küche"])) == 1
litert_lm.Engine
"""


class Image:
    """The image's file system below a writable layer, with the service directory that s6-overlay would make."""

    def __init__(self, lower: Path, layer: Path) -> None:
        for name in ("upper", "work", "root"):
            (layer / name).mkdir()
        self.root = layer / "root"
        options = f"lowerdir={lower},upperdir={layer / 'upper'},workdir={layer / 'work'}"
        done("mount", "-t", "overlay", "-o", options, "overlay", str(self.root))
        done("mount", "-t", "proc", "proc", str(self.path("proc")))
        for name, minor in (("null", 3), ("zero", 5), ("random", 8), ("urandom", 9)):
            self.node(f"dev/{name}", minor, 0o666)
        self.write("command/with-contenv", WITH_CONTENV, 0o755)
        for name in ("s6-setuidgid", "s6-svstat"):
            self.path(f"command/{name}").symlink_to(f"/usr/bin/{name}")
        self.write("run/s6/basedir/bin/halt", HALT, 0o755)
        self.write("run/s6/container_environment/LANG", "C.UTF-8")
        self.path("run/s6-linux-init-container-results").mkdir()
        shutil.copytree(self.path("etc/s6-overlay/s6-rc.d/ha-assist"), self.path(SERVICE))

    def path(self, name: str) -> Path:
        """Where a file of the image lies."""
        return self.root / name

    def write(self, name: str, text: str, mode: int = 0o644) -> Path:
        """Make a file as root."""
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(mode)
        return path

    def node(self, name: str, minor: int, mode: int, group: int = 0) -> None:
        """Make a device node that stands for another."""
        path = self.path(name)
        path.unlink(missing_ok=True)
        os.mknod(path, stat.S_IFCHR, os.makedev(1, minor))
        os.chown(path, 0, group)
        path.chmod(mode)

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run one command inside."""
        return subprocess.run(
            ["chroot", str(self.root), *command], env=BARE, capture_output=True, text=True, check=False, timeout=60
        )

    def service(self, what: str) -> str:
        """One property of the service, as s6 knows it."""
        return self.run("s6-svstat", "-o", what, f"/{SERVICE}").stdout.strip()

    def server(self) -> tuple[Path, dict[str, str]]:
        """The running server's directory in /proc and its environment."""
        process = Path("/proc") / self.service("pid")
        pairs = (entry.partition("=") for entry in (process / "environ").read_bytes().decode().split("\0"))
        return process, {name: value for name, _, value in pairs}


def done(*command: str) -> None:
    """Run a command that must not fail."""
    subprocess.run(command, check=True)


def check(what: str, good: bool, found: object = "") -> None:
    """Say that something holds, or end."""
    print(f"{'ok' if good else 'NOT'}  {what} {found}".rstrip(), flush=True)
    if not good:
        raise SystemExit(1)


def wait(good: Callable[[], bool], seconds: float = 20.0) -> float:
    """Seconds until something is so."""
    begin = time.monotonic()
    while not good():
        if time.monotonic() - begin > seconds:
            return float("inf")
        time.sleep(0.02)
    return time.monotonic() - begin


def request(path: str, content: object = None) -> tuple[int, bytes]:
    """Ask the API."""
    asked = urllib.request.Request(  # noqa: S310 - our own server
        API + path,
        data=None if content is None else json.dumps(content).encode(),
        headers={"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(asked, timeout=20) as response:  # noqa: S310
        return response.status, response.read()


@contextmanager
def scanning(image: Image, log: Path) -> Iterator[None]:
    """s6 runs the service while the context lasts."""
    with log.open("ab") as output:
        scan = subprocess.Popen(
            ["chroot", str(image.root), "s6-svscan", "/run/service"], env=BARE, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            yield
        finally:
            image.run("s6-svscanctl", "-t", "/run/service")
            scan.wait(30)


def contents(image: Image) -> None:
    """What the image holds, and what it must not hold."""
    names = {tool for tool in ("gcc", "cc", "make", "pip", "pip3") if image.run("which", tool).returncode == 0}
    check("no compiler and no pip", not names, sorted(names) or "")
    venv = image.path("opt/ha-assist/venv")
    check("no pip in the environment", not [*venv.glob("bin/pip*"), *venv.glob("lib/*/site-packages/pip")])
    check("no package lists", not any(image.path("var/lib/apt/lists").glob("*Packages*")))
    native = image.run("sh", "-c", f"cd /opt/ha-assist && venv/bin/python -c '{NATIVE}'")
    check("LiteRT, onnxruntime and both embedding models load", native.returncode == 0, native.stderr[-300:])


def prepare(image: Image, upstream: int) -> None:
    """A hard first start: files of root, a link out of /data, a device, and HailoRT in the share folder."""
    image.write("data/options.json", json.dumps({"log_level": "info", "api_key": KEY}), 0o600)
    address = f"http://127.0.0.1:{upstream}/v1"
    image.write(
        "data/settings.yaml",
        f"models:\n  upstream: {{enabled: true, base_url: '{address}', model: slow, timeout: 60}}\n",
    )
    image.path("data/link").symlink_to("/etc/shadow")
    image.node("dev/hailo0", 3, 0o660, group=4321)
    image.write("sys/module/hailo1x_pci/version", "5.1.1\n")
    image.write("share/ha-assist/libhailort.so.5.1.1", "no real library")
    wheel = image.path("share/ha-assist") / f"hailort-5.1.1-cp313-cp313-linux_{os.uname().machine}.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("hailo_platform/__init__.py", "__version__ = '5.1.1'\n")


def first_start(image: Image) -> None:
    """Healthy without a network, as an unprivileged account, with what it was given."""
    spent = wait(lambda: image.run("/usr/lib/ha-assist/healthy").returncode == 0)
    check("healthy", spent < 20, f"after {spent:.1f} s")
    process, environment = image.server()
    status = dict(line.split(":\t", 1) for line in (process / "status").read_text().splitlines() if ":\t" in line)
    account = image.path("data").stat().st_uid
    check("runs as its account", status["Uid"].split() == [str(account)] * 4 and account != 0, status["Uid"])
    check("has the device's group", "4321" in status["Groups"].split(), status["Groups"])
    check("owns its data", image.path("data/options.json").stat().st_uid == account)
    check("left what a link leads to", image.path("etc/shadow").stat().st_uid == 0)
    report = json.loads(image.path(environment["HA_ASSIST_HAILORT_REPORT"].lstrip("/")).read_text())
    check(
        "HailoRT is the driver's", report["problem"] is None and report["wheel"] == report["driver"] == "5.1.1", report
    )
    path = f"PYTHONPATH={environment['PYTHONPATH']}"
    imported = image.run("env", path, "/opt/ha-assist/venv/bin/python", "-c", "import hailo_platform")
    check("HailoRT can be imported", imported.returncode == 0 and "hailort/lib" in environment["LD_LIBRARY_PATH"])
    code, answer = request("/v1/chat/completions", body(HOUSE, "turn on the kitchen lamp"))
    check("answers with a call", code == 200 and b"HassTurnOn" in answer)
    with urllib.request.urlopen(PANEL, timeout=10) as response:
        check("shows its panel", response.status == 200)


def stop_while_generating(image: Image, upstream: socket.socket) -> None:
    """A stop that is asked for ends the server with 0 and in time, and the container goes on."""
    content = json.dumps(body(HOUSE, "tell me a story about dragons")).encode()
    with socket.create_connection(("127.0.0.1", 8090)) as client:
        client.sendall(
            b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Authorization: Bearer %b\r\nContent-Length: %d\r\n\r\n%b" % (KEY.encode(), len(content), content)
        )
        upstream.settimeout(20)
        with upstream.accept()[0]:
            begin = time.monotonic()
            stopped = image.run("s6-svc", "-wD", "-T", "20000", "-d", f"/{SERVICE}")
            spent = time.monotonic() - begin
    code = image.service("exitcode")
    check("stops while it generates", stopped.returncode == 0 and code == "0", f"with {code} after {spent:.1f} s")
    check(f"stops within {STOP_SECONDS:.0f} s", spent < STOP_SECONDS)
    check("and the container goes on", not image.path("run/halted").exists())


def ends_by_itself(image: Image, signal: str, expected: str) -> None:
    """An end that nobody asked for halts the container with its code."""
    image.path("run/halted").unlink(missing_ok=True)
    image.run("s6-svc", "-u", f"/{SERVICE}")
    wait(lambda: image.run("/usr/lib/ha-assist/healthy").returncode == 0)
    image.run("s6-svc", f"-{signal}", f"/{SERVICE}")
    halted = wait(lambda: image.path("run/halted").exists())
    result = image.path("run/s6-linux-init-container-results/exitcode").read_text().strip()
    check(f"signal {signal} halts the container", halted < 20 and result == expected, f"with {result}")
    wait(lambda: image.service("up") == "false")
    time.sleep(1.5)
    check("and is not started again", image.service("up") == "false")


def where_only_root_may(image: Image) -> None:
    """A node of root's own makes the server root; broken HailoRT files change nothing."""
    image.node("dev/hailo0", 3, 0o600)
    next(image.path("share/ha-assist").glob("*.whl")).write_bytes(b"no wheel")
    image.run("s6-svc", "-u", f"/{SERVICE}")
    spent = wait(lambda: image.run("/usr/lib/ha-assist/healthy").returncode == 0)
    check("healthy with a broken wheel", spent < 20, f"after {spent:.1f} s")
    process, environment = image.server()
    report = json.loads(image.path(environment["HA_ASSIST_HAILORT_REPORT"].lstrip("/")).read_text())
    check("says what is wrong with it", "PYTHONPATH" not in environment and bool(report["problem"]), report["problem"])
    check("is root where only root may open the device", "Uid:\t0\t0\t0\t0" in (process / "status").read_text())


def without_disk_space(image: Image) -> None:
    """A full data folder gives a healthy panel too."""
    image.run("s6-svc", "-wD", "-T", "20000", "-d", f"/{SERVICE}")
    data = image.path("data")
    done("mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", str(data))
    with suppress(OSError):
        (data / "filling").write_bytes(bytes(1 << 20))
    image.run("s6-svc", "-u", f"/{SERVICE}")
    spent = wait(lambda: image.run("/usr/lib/ha-assist/healthy").returncode == 0)
    check("healthy without disk space", spent < 20, f"after {spent:.1f} s")
    with urllib.request.urlopen(PANEL, timeout=10) as response:
        check("shows its panel without disk space", response.status == 200)


def main() -> int:
    """Prove it all, or end with 1 at the first thing that does not hold."""
    done("ip", "link", "set", "lo", "up")
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as upstream:
        layer = Path(folder)
        done("mount", "-t", "tmpfs", "tmpfs", folder)
        image = Image(Path(sys.argv[1]), layer)
        contents(image)
        prepare(image, upstream.getsockname()[1])
        log = layer / "log"
        try:
            with scanning(image, log):
                first_start(image)
                stop_while_generating(image, upstream)
                ends_by_itself(image, "k", "137")
                ends_by_itself(image, "t", "1")
                where_only_root_may(image)
                without_disk_space(image)
        except BaseException:
            print(log.read_text(errors="replace")[-4000:])
            raise
        finally:
            done("umount", "--recursive", "--lazy", folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
