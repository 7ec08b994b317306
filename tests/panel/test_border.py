"""Who may see the panel: Ingress and this machine, whatever headers say."""

from __future__ import annotations

import ipaddress
import socket

import pytest

from ha_assist_addon.panel import border

from .conftest import Panel


@pytest.mark.parametrize(
    ("peer", "trusted"),
    [
        (("127.0.0.1", 1), True),
        (("::1", 1, 0, 0), True),
        (("::ffff:127.0.0.1", 1, 0, 0), True),
        (("172.30.32.2", 1), True),
        (("::ffff:172.30.32.2", 1, 0, 0), True),
        (("172.30.32.1", 1), False),
        (("172.30.33.2", 1), False),
        (("192.168.1.5", 1), False),
        (("fe80::1%eth0", 1, 0, 0), False),
        (("::ffff:192.168.1.5", 1, 0, 0), False),
        ("", False),
        (None, False),
        (("nonsense", 1), False),
    ],
)
async def test_only_ingress_and_this_machine_may_see_it(peer: object, trusted: bool) -> None:
    assert border.is_trusted(peer) is trusted


async def test_others_are_refused_whatever_their_headers_say(panel: Panel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(border, "is_trusted", lambda peer: False)
    headers = {"X-Forwarded-For": "172.30.32.2", "X-Ingress-Path": "/api/hassio_ingress/x"}
    for path in ("", "settings", "static/panel.css", "live", "nothing-here"):
        text = await panel.get(path, headers, status=403)
        assert "HA-Assist" not in text


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8099", 200),
        ("LOCALHOST", 200),
        ("127.0.0.1:8099", 200),
        ("[::1]:8099", 200),
        (socket.gethostname(), 200),
        ("rebound.example:8099", 403),
        ("localhost.example", 403),
        ("127.0.0.1.example", 403),
        ("192.168.1.5:8099", 403),
        ("[", 403),
    ],
)
async def test_another_sites_name_for_this_machine_is_refused(panel: Panel, host: str, status: int) -> None:
    await panel.get("connect", {"Host": host}, status=status)


async def test_ingress_may_use_any_name(panel: Panel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(border, "INGRESS", ipaddress.ip_address("127.0.0.1"))
    await panel.get("", {"Host": "my.home.example"})
