"""Heads of requests that no client writes: odd bytes in addresses, queries and headers. A number names a head."""

from __future__ import annotations

import random

from tests.support.serving import KEY

_ODD = (
    *(b"\xed\xa0\x80", b"%ED%A0%80", b"\xff", b"%ff", b"\\ud800", b"%00", b"\x00", b"[", b"]", b"%", b"%zz"),
    *(
        b"1e400",
        b"9" * 400,
        b"-1",
        b"NaN",
        b"\xf0\x9f\x92\xa1",
        b"%F0%9F",
        b"..",
        b"%2e%2e%2f",
        b"//",
        b";",
        b"#",
        b"?",
    ),
    *(b"&", b"=", b"\t", b" ", b"@", b":", b"a:b@c", b'"', b"'", b"<x>", b"\xc2\x85", b"\xe2\x80\xa8", b"\x80"),
    *(b"+", b"2026-13-45", b"0001-01-01T00:00:00", b"9999-12-31T23:59:59", b"inf"),
)
_PATHS = (
    *(b"/", b"/models", b"/settings", b"/connect", b"/try", b"/overview", b"/request/abc", b"/request/abc/json"),
    *(b"/live", b"/live/since/0", b"/static/app.js", b"/v1/models", b"/v1/models/x", b"/health", b"/v1/openapi.json"),
    b"/v1/chat/completions",
)
_QUERIES = (
    *(
        b"q",
        b"x",
        b"route",
        b"target",
        b"area",
        b"language",
        b"slow",
        b"failed",
        b"since",
        b"until",
        b"before",
        b"after",
    ),
    *(b"v", b"id", b"names", b"range"),
)
_HEADERS = {
    b"Host": b"127.0.0.1",
    b"Origin": b"http://127.0.0.1",
    b"Sec-Fetch-Site": b"same-origin",
    b"Content-Type": b"multipart/form-data; boundary=a",
    b"Accept-Language": b"de",
    b"Cookie": b"a=b",
    b"X-Ingress-Path": b"/api/hassio_ingress/x",
    b"Upgrade": b"websocket",
    b"Connection": b"Upgrade",
    b"Sec-WebSocket-Key": b"dGhlIHNhbXBsZSBub25jZQ==",
    b"Sec-WebSocket-Version": b"13",
    b"Sec-WebSocket-Extensions": b"permessage-deflate",
    b"Authorization": b"Bearer " + KEY.encode(),
    b"Expect": b"100-continue",
    b"If-None-Match": b'"x"',
    b"Range": b"bytes=0-",
    b"Content-Encoding": b"gzip",
    b"X-Forwarded-For": b"172.30.32.2",
}
_METHODS = (b"GET", b"GET", b"GET", b"POST", b"POST", b"HEAD", b"OPTIONS", b"PUT", b"PATCH", b"DELETE", b"TRACE")


def head(number: int) -> bytes:
    """A whole request."""
    rng = random.Random(number)
    path = rng.choice(_PATHS) + (rng.choice(_ODD) if rng.random() < 0.3 else b"")
    if rng.random() < 0.7:
        pairs = [rng.choice(_QUERIES) + b"=" + rng.choice((b"", b"a")) + rng.choice(_ODD) for _ in range(3)]
        path += b"?" + b"&".join(pairs[: rng.randint(1, 3)])
    headers = {b"Host": b"127.0.0.1"}
    for name in rng.sample(list(_HEADERS), rng.randint(0, 5)):
        kind = rng.random()
        headers[name] = _HEADERS[name] if kind < 0.5 else (b"" if kind < 0.75 else _HEADERS[name]) + rng.choice(_ODD)
    if rng.random() < 0.6:
        headers[b"Authorization"] = _HEADERS[b"Authorization"]
    method, body = rng.choice(_METHODS), b""
    if method == b"POST":
        part = b"--a\r\nContent-Disposition: form-data; name=" + rng.choice(_ODD) + b"\r\n\r\nx\r\n--a--\r\n"
        body = rng.choice((b"token=a&x=" + rng.choice(_ODD), part, rng.choice(_ODD), b"{}"))
        headers[b"Content-Length"] = str(len(body)).encode()
    lines = b"".join(name + b": " + value + b"\r\n" for name, value in headers.items())
    return method + b" " + path + b" HTTP/1.1\r\n" + lines + b"\r\n" + body
