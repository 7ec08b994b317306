"""What a person takes along: complete, usable again, and without the home's names unless wanted."""

from __future__ import annotations

import asyncio
import json
import random
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ha_assist_addon.diagnostics.export import as_case, as_curl, as_json
from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.diagnostics.summary import Detail
from ha_assist_addon.examples import example_home, request_body
from ha_assist_addon.trace.trace import Exchange
from tests.cases.runner import bench
from tests.diagnostics.records import finished
from tests.support.house import House, Thing, body, called, done, result
from tests.support.serving import running
from tests.support.shared import needs_shared

Way = Callable[[Detail], str]
WAYS: tuple[Way, ...] = (
    lambda detail: as_json(detail) or "",
    lambda detail: as_curl(detail, "http://ha:8090/v1") or "",
    lambda detail: as_case(detail) or "",
)


async def kept(request: Any, **fields: Any) -> Detail:
    """What the store tells of a request with this body."""
    store = TraceStore()
    raw = request if isinstance(request, bytes) else json.dumps(request).encode()
    trace = finished(request=raw, **fields)
    store.add(trace)
    detail = await store.one(trace.id)
    assert detail is not None
    return detail


SYLLABLES = ("zor", "quib", "vaxo", "Ülfe", "ñand", "Grö", "wub", "yttr", "ßam", "plixa")


def invented(number: int) -> str:
    chance = random.Random(number)
    words = ["".join(chance.choices(SYLLABLES, k=chance.randint(2, 3))) for _ in range(chance.randint(1, 3))]
    return " ".join(words)


@given(seeds=st.lists(st.integers(0, 10**9), min_size=8, max_size=8, unique_by=lambda n: invented(n).casefold()))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_name_of_the_home_survives(seeds: list[int]) -> None:
    lamp, alias, person, room, script, place, todo, group = map(invented, seeds)
    house = House(
        (Thing((lamp, alias), "light", (room,)), Thing((person,), "person"), Thing((todo,), "todo")),
        room,
        extra_tools=({"name": f"script__{script.replace(' ', '_').lower()}", "description": f"Aliases: ['{script}']"},),
    )
    live = f"Live Context: An overview:\n- names: {person}\n  domain: person\n  state: '{place}'\n"
    request = body(
        house,
        f"is {lamp.upper()} on, and where is {person}?",
        called("homeassistant__GetLiveContext", {"name": lamp}),
        result({"success": True, "result": live}),
        called("HassTurnOn", {"name": alias, "area": room}, "call_2"),
        result(done(lamp, failed=(group,)), "call_2"),
        user=person,
        ha_context={"entities": [{"name": group, "domain": "light", "members": [lamp], "attributes": {"a": person}}]},
    )

    async def check() -> None:
        detail = await kept(
            request,
            sentence=f"turn on {lamp}",
            reply=f"{lamp} in {room}: {place}.",
            calls=(("HassTurnOn", {"name": lamp, "area": [room]}),),
            area=room,
            conversation=person,
            exchange=Exchange([{"role": "system", "content": person}, {"role": "user", "content": lamp}], alias),
        )
        for way in WAYS:
            folded = re.sub(r"[_\s]+", " ", way(detail)).casefold()
            for name in (lamp, alias, person, room, script, place, todo, group):
                assert name.casefold() not in folded, name
                assert json.dumps(name)[1:-1].casefold() not in folded, name

    asyncio.run(check())


async def test_secrets_and_addresses_are_removed() -> None:
    secrets = (
        "Bearer abcdef0123456789",
        "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJhIn0.c2lnbmF0dXJl",
        "sk-proj-0123456789abcdef",
        "someone.real@provider.net",
        "192.168.178.20",
        "https://my-home.duckdns.org:8123/local?authSig=abc",
        "4f9d3a7be2c14f0c9b7d6e5a8c3b2a1d4f9d3a7b",
        "api_key=hunter2hunter2",
        "a4:c1:38:0f:12:9b",
    )
    house = House((Thing(("Lamp",), "light"),))
    detail = await kept(body(house, f"say {' and '.join(secrets)}"), sentence=f"say {' and '.join(secrets)}")
    for way in WAYS:
        text = way(detail)
        for secret in secrets:
            assert secret.split("=")[-1] not in text, secret
    assert as_json(detail, redacted=False).count(secrets[0]) >= 2


async def test_the_owners_instructions_stay_at_home() -> None:
    request = request_body(example_home(), "hello")
    request["messages"][0]["content"] = "You are the butler of the Millers.\n" + request["messages"][0]["content"]
    detail = await kept(request)
    for way in WAYS:
        assert "Millers" not in way(detail)
        assert "Light 1" in way(detail)
    assert "Millers" in (as_curl(detail, "http://ha/v1", redacted=False) or "")


async def test_the_same_name_is_the_same_everywhere_and_words_of_ours_stay() -> None:
    house = House((Thing(("Light",), "light", ("Hall",)), Thing(("Light 1",), "light", ("Hall",))), "Hall")
    detail = await kept(
        body(house, "turn on the light"),
        sentence="turn on the light",
        intent="HassTurnOn",
        calls=(("HassTurnOn", {"name": "Light", "domain": ["light"]}),),
    )
    told = json.loads(as_json(detail))
    assert told["calls"] == [{"name": "HassTurnOn", "arguments": {"name": "Light 2", "domain": ["light"]}}]
    assert told["summary"]["sentence"] == "turn on the Light 2"
    assert told["metrics"]["ha_intent"] == {"exact": "HassTurnOn"}
    assert "- names: Light 2\n  domain: light\n  areas: Area 1" in told["request"]["messages"][0]["content"]
    assert told["request"]["messages"][1]["content"] == "turn on the Light 2"


async def test_curl_sends_the_same_again_with_the_key_left_to_the_shell() -> None:
    request = request_body(example_home(), "it's $HOME; `ls`")
    command = as_curl(await kept(request), "http://ha:8090/v1/", redacted=False)
    assert command is not None
    words = shlex.split(command.replace("\\\n", ""))
    assert words[:2] == ["curl", "http://ha:8090/v1/chat/completions"]
    assert "Authorization: Bearer $HA_ASSIST_KEY" in words
    assert json.loads(words[-1]) == request


async def test_a_request_of_the_responses_api_can_be_taken_along_too() -> None:
    chat = request_body(example_home(), "turn on the kitchen light")
    request = {
        "model": "HA-Assist",
        "instructions": chat["messages"][0]["content"],
        "input": "turn on the kitchen light",
        "tools": [{"type": "function", **tool["function"]} for tool in chat["tools"]],
    }
    detail = await kept(request)
    assert "/v1/responses" in (as_curl(detail, "http://ha/v1", redacted=False) or "")
    assert "/v1/chat/completions" in (as_curl(detail, "http://ha/v1") or "")
    case = json.loads(as_case(detail) or "")
    assert len(case["home"]) == len(example_home()["entities"])
    assert case["messages"] == [{"role": "user", "content": "turn on the Light 1"}]


async def test_without_the_request_there_is_still_the_record() -> None:
    detail = await kept(b"", sentence="turn on Anna's lamp", calls=(("HassTurnOn", {"name": "Anna's lamp"}),))
    assert (as_curl(detail, ""), as_case(detail)) == (None, None)
    assert "Anna" not in as_json(detail)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "role",
                    "content",
                    "name",
                    "domain",
                    "tool_calls",
                    "function",
                    "arguments",
                    "text",
                    "entities",
                    "aliases",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(
    st.fixed_dictionaries({}, optional=dict.fromkeys(["messages", "tools", "ha_context", "input", "model"], ANYTHING))
)
@settings(max_examples=100, deadline=None)
def test_any_body_that_came_can_be_exported(request: dict[str, Any]) -> None:
    async def check() -> None:
        detail = await kept(request, outcome="failed")
        for way in WAYS:
            way(detail)

    asyncio.run(check())


@needs_shared
async def test_an_exported_case_passes_as_it_was_recorded(tmp_path: Path) -> None:
    sentences = ["turn on the kitchen light", "close the living room blinds", "is the garage door open"]
    english = {"ha_assist_languages": ["en"]}
    async with running(tmp_path, settings=json.dumps({"settings": english})) as server:
        for sentence in sentences:
            await server.post(request_body(example_home(), sentence))
        traces = server.services.traces
        details = [await traces.one(row.id) for row in await traces.newest()]
    async with bench(tmp_path) as ready:
        for detail in details:
            assert detail is not None
            case = json.loads(as_case(detail) or "")
            assert not any(sentence in json.dumps(case) for sentence in sentences)
            assert case["expect"]["kind"] == "tool_call"
            verdict = await ready.run({**case, "settings": english})
            assert verdict.passed, verdict.misses
