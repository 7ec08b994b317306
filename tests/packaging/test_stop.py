"""A stop that Home Assistant asks for ends with 0, soon, and whatever is going on."""

from __future__ import annotations

import signal
import socket
from pathlib import Path

from ha_assist_addon.app import CLOSE_SECONDS, DRAIN_SECONDS
from tests.api.test_process import KEY, started


def test_limits_leave_time_to_end() -> None:
    assert DRAIN_SECONDS + CLOSE_SECONDS < 5


def test_it_stops_while_a_model_generates(tmp_path: Path) -> None:
    """The model's server takes the request and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        (tmp_path / "settings.yaml").write_text(
            f"models:\n  upstream: {{enabled: true, base_url: '{address}', model: small, timeout: 600}}\n"
        )
        with (
            started(tmp_path, "--api-key", KEY) as (process, port),
            socket.create_connection(("127.0.0.1", port)) as client,
        ):
            body = b'{"model":"small","messages":[{"role":"user","content":"tell me a story"}]}'
            client.sendall(
                b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n"
                b"Authorization: Bearer %b\r\nContent-Length: %d\r\n\r\n%b" % (KEY.encode(), len(body), body)
            )
            silent.settimeout(30)
            with silent.accept()[0]:
                process.send_signal(signal.SIGTERM)
                assert process.wait(60) == 0
