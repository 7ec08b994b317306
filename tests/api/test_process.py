"""The server as a process: it starts fast and without anything, stops when told, and says why it cannot listen."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.shared import ROOT

KEY = "a-key-for-tests"
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("HA_ASSIST_")}


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "ha_assist_addon", *arguments]


def get(port: int, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


@contextmanager
def started(data_dir: Path, *more: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server on free ports; ends it if the test did not."""
    arguments = ("serve", "--data-dir", str(data_dir), "--host", "127.0.0.1", "--port", "0", "--panel-port", "0", *more)
    process = subprocess.Popen(
        command(*arguments), cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if found := re.search(r"listens on port (\d+)$", line.strip()):
                yield process, int(found[1])
                return
        raise AssertionError("the server did not come up")
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_when_told(tmp_path: Path, number: signal.Signals) -> None:
    with started(tmp_path) as (process, port):
        assert json.loads(get(port, "/health")[1])["status"] == "ok"
        assert get(port, "/v1/models")[0] == 401
        process.send_signal(number)
        assert process.wait(10) == 0


def test_it_finishes_what_runs_and_takes_nothing_new(tmp_path: Path) -> None:
    """The running request waits for a model's server that never answers, until its time limit of one second."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        (tmp_path / "settings.yaml").write_text(
            f"models:\n  upstream: {{enabled: true, base_url: '{address}', model: small, timeout: 1}}\n"
        )
        with (
            started(tmp_path, "--api-key", KEY) as (process, port),
            socket.create_connection(("127.0.0.1", port)) as client,
        ):
            body = b'{"model":"small","messages":[]}'
            client.sendall(
                b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n"
                b"Authorization: Bearer %b\r\nContent-Length: %d\r\n\r\n%b" % (KEY.encode(), len(body), body)
            )
            time.sleep(0.3)
            process.send_signal(signal.SIGTERM)
            time.sleep(0.3)
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", port))
            client.settimeout(10)
            assert client.recv(4096).startswith(b"HTTP/1.1 504")
            assert process.wait(10) == 0


def ended(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A command that ends by itself."""
    return subprocess.run(
        command(*arguments), cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, timeout=20, check=False
    )


@pytest.mark.parametrize("taken", ["--port", "--panel-port"])
def test_a_port_in_use_is_one_sentence(tmp_path: Path, taken: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        free = "--panel-port" if taken == "--port" else "--port"
        serve = ended("serve", "--data-dir", str(tmp_path), "--host", "127.0.0.1", taken, port, free, "0")
    assert serve.returncode == 1
    assert f"port {port}: address already in use" in serve.stderr
    assert "Traceback" not in serve.stderr


def test_a_wrong_argument_is_one_sentence(tmp_path: Path) -> None:
    serve = ended("serve", "--data-dir", str(tmp_path), "--port", "many")
    assert serve.returncode == 2
    assert "port" in serve.stderr
    assert "Traceback" not in serve.stderr


def test_models_says_what_answers(tmp_path: Path) -> None:
    (tmp_path / "settings.yaml").write_text(
        "models:\n  upstream: {enabled: true, base_url: 'http://127.0.0.1:1/v1', model: small}\n"
    )
    lines = [line.split("\t") for line in ended("models", "--data-dir", str(tmp_path)).stdout.splitlines()]
    assert [name for name, _ in lines][:2] == ["HA-Assist", "small"]
    assert lines[1][1] == "server does not answer"


def test_starting_loads_no_native_runtime() -> None:
    script = "import sys, ha_assist_addon.app; print({'onnxruntime', 'openai', 'numpy'} & set(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=20, check=True
    )
    assert loaded.stdout.strip() == "set()"
