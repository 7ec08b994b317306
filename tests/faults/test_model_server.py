"""Whatever a model's server does, the client gets one clear end in time, and the next request is answered."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Sequence

import pytest

from tests.faults.conftest import MODEL
from tests.support.fake_upstream import FakeUpstream, Fault, Piece, Scripted, delta, events, said
from tests.support.house import House, body, thing
from tests.support.serving import Running

HOUSE = House((thing("Desk Lamp", "light", "Office"), thing("Front Door", "lock", "Hall")))
QUESTION = "tell me a story about the sea"
LONG = "wave " * 20_000
ONE = events(delta(content="Once."), done=False)


def call(name: object, arguments: object) -> Scripted:
    function = {"name": name, "arguments": arguments}
    return Scripted(events(delta(tool_calls=[{"index": 0, "function": function}]), delta("tool_calls")))


def line(text: str, pieces: int) -> list[Piece]:
    """One event of this text, torn."""
    raw = b"".join(events(delta(content=text), delta("stop")))
    step = max(1, len(raw) // pieces)
    return [raw[n : n + step] for n in range(0, len(raw), step)]


ANSWERS: Sequence[tuple[str, Scripted]] = [
    ("garbage", Scripted([b"\x00\xff\xfe garbage \r\n\r\n" * 500])),
    ("garbage in an event", Scripted([b"data: {{{{\n\n"])),
    ("deep garbage", Scripted([b"data: " + b"[" * 200_000 + b"\n\n"])),
    ("a line of 100 kB", Scripted(line(LONG, 1))),
    ("a line of 100 kB in many pieces", Scripted(line(LONG, 1500))),
    ("another content type", Scripted([b"<html>router login</html>"], 200, "text/html")),
    ("a picture", Scripted([b"\x89PNG\r\n"], 200, "image/png")),
    ("nothing", Scripted([])),
    ("reset before anything", Scripted([Fault.BREAK])),
    ("reset in the middle", Scripted([*ONE, Fault.BREAK])),
    ("the end without an end", Scripted(ONE)),
    ("without choices", Scripted(events({"choices": 5}, {"choices": [None]}, [], "x", None))),
    ("wrong types", Scripted(events(delta(content={"a": [1]}, tool_calls={"x": 1}), delta(tool_calls=[5, None])))),
    ("a call without a name", call(None, "{}")),
    ("a call with broken arguments", call("HassTurnOn", '{"name": ')),
    ("a call with deep arguments", call("HassTurnOn", "[" * 5000)),
    ("a call with endless arguments", call("HassTurnOn", '{"name": "' + "x" * 500_000 + '"}')),
    ("a call of nothing that is offered", call("HassUnlockEverything", "{}")),
    ("numbers that are none", call("intent__HassLightSet", '{"name": "Desk Lamp", "brightness": 1e999}')),
    ("spaces", said("<tool_call>" + " \n" * 50_000)),
    ("half a call", said('{"calls": [{"tool": "HassTurnOn", "args": {"name": "Front')),
    ("half a surrogate", Scripted([b'data: {"choices":[{"delta":{"content":"\\ud800"}}]}\n\ndata: [DONE]\n\n'])),
    ("a usage of nonsense", Scripted(events({"usage": {"prompt_tokens": "many"}}, delta("stop", content="Hi")))),
    ("an error in the stream", Scripted(events({"error": {"message": "secret stack trace"}}))),
]


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.parametrize("answer", [answer for _, answer in ANSWERS], ids=[name for name, _ in ANSWERS])
async def test_an_answer_of_any_kind(server: Running, upstream: FakeUpstream, answer: Scripted, stream: bool) -> None:
    upstream.queue = [answer]
    payload = body(HOUSE, QUESTION, stream=stream)
    async with server.http.post(f"{server.url}/chat/completions", json=payload) as response:
        text = await response.text()
        assert response.status in {200, 502, 503, 504}
        if response.content_type == "text/event-stream":
            assert "[DONE]" in text or '"error"' in text
        elif response.status != 200:
            assert json.loads(text)["error"]["message"].endswith(".")
    assert "secret" not in text
    assert '"tool_calls":[' not in text, "nothing was asked for"
    assert len(upstream.bodies) == 1, "never a second generation"
    status, reply, _ = await server.post(body(HOUSE, QUESTION))
    assert (status, reply["choices"][0]["message"]["content"]) == (200, "Hello."), "its place in the queue is free"


@pytest.mark.parametrize("model", ["HA-Assist", MODEL])
async def test_an_endless_answer_fills_no_memory(server: Running, upstream: FakeUpstream, model: str) -> None:
    piece = b"".join(events(delta(content="on and on " * 400), done=False))
    upstream.queue = [Scripted([*[piece] * 3000, Fault.BREAK])]
    tracemalloc.start()
    try:
        payload = {**body(HOUSE, QUESTION, stream=True), "model": model}
        async with server.http.post(f"{server.url}/chat/completions", json=payload) as response:
            size = 0
            async for chunk in response.content.iter_any():
                size += len(chunk)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert size > 0
    assert most < 60_000_000, "12 MB come; what is kept of them is bounded"


async def test_direct_answers_go_on_while_the_model_hangs(server: Running, upstream: FakeUpstream) -> None:
    upstream.queue = [Scripted([Fault.STALL])]
    stuck = await server.http.post(f"{server.url}/chat/completions", json=body(HOUSE, QUESTION, stream=True))
    for _ in range(20):
        status, reply, _ = await server.post(body(HOUSE, "turn on the Desk Lamp"))
        assert status == 200
        assert reply["choices"][0]["message"]["tool_calls"][0]["function"]["name"].endswith("HassTurnOn")
    stuck.close()
    await upstream.left_alone.wait()
    assert len(upstream.bodies) == 1
