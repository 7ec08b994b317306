"""What leaves the house after a restart, when the requests themselves are not at hand any more: no name at all."""

from __future__ import annotations

import asyncio
import json
import random
import re
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ha_assist_addon.diagnostics.export import as_case, as_curl, as_json
from ha_assist_addon.diagnostics.redact import UNKNOWN_NAMES
from ha_assist_addon.diagnostics.store import RECENT, TraceStore
from ha_assist_addon.diagnostics.summary import Detail
from ha_assist_addon.settings.model import Diagnostics
from tests.diagnostics.records import finished, private, written
from tests.fuzz.target import target
from tests.support.house import House, Thing, body, called, done, result

SYLLABLES = ("zor", "quib", "vaxo", "Ülfe", "ñand", "Grö", "wub", "yttr", "ßam", "plixa")
SENTENCES = (
    "turn on the {lamp}",
    "turn off {alias}",
    "is the {lamp} on",
    "switch on the lights in the {area}",
    "add {item} to the {todo}",
    "where is {person}",
    "call {stranger}",
    "tell {stranger} that {item} is ready in the {area}",
    "{stranger} {item}",
    "schalte {lamp} ein",
    "setze {item} auf die {todo}",
    "was sagt {stranger} zu {item}",
    "turn on the {near}",
    "run {script}",
)


def invented(number: int) -> str:
    chance = random.Random(number)
    words = ["".join(chance.choices(SYLLABLES, k=chance.randint(2, 3))) for _ in range(chance.randint(1, 3))]
    return " ".join(words)


def ways(detail: Detail) -> str:
    told = (as_json(detail), as_curl(detail, "http://ha:8090/v1"), as_case(detail))
    return re.sub(r"[_\s]+", " ", "\n".join(part or "" for part in told)).casefold()


async def later(folder: Path, bodies: list[dict[str, Any]], *, keep_requests: bool = True) -> list[Detail]:
    """What a second run of the server tells of the requests that the first one answered."""
    kept = {"HA_ASSIST_DIAGNOSTICS__KEEP_REQUESTS": str(keep_requests)}
    async with target(folder, "first", settings=kept) as server:
        for request in bodies:
            async with server.http.post(f"{server.url}/chat/completions", json=request) as response:
                assert response.status == 200
    store = TraceStore(folder / "diagnostics.sqlite")
    store.start()
    try:
        await written(store, len(bodies))
        details = [await store.one(row.id) for row in await store.newest(limit=len(bodies))]
    finally:
        await store.close()
    return [detail for detail in details if detail is not None]


@pytest.mark.parametrize("kept", [True, False], ids=["requests kept", "names kept"])
@given(seeds=st.lists(st.integers(0, 10**9), min_size=9, max_size=9, unique_by=lambda n: invented(n).casefold()))
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_name_is_in_any_export_after_a_restart(kept: bool, seeds: list[int]) -> None:
    keys = ("lamp", "alias", "person", "area", "todo", "item", "stranger", "script", "place")
    names = dict(zip(keys, map(invented, seeds), strict=True))
    house = House(
        (
            Thing((names["lamp"], names["alias"]), "light", (names["area"],)),
            Thing((names["person"],), "person"),
            Thing((names["todo"],), "todo"),
        ),
        names["area"],
        extra_tools=(
            {
                "name": f"script__{names['script'].replace(' ', '_').lower()}",
                "description": f"Aliases: ['{names['script']}']",
            },
        ),
    )
    bodies = [body(house, sentence.format(**names, near=names["lamp"][:-1])) for sentence in SENTENCES]
    live = f"Live Context: An overview:\n- names: {names['person']}\n  domain: person\n  state: '{names['place']}'\n"
    items = {"success": True, "result": {"items": [names["item"]], names["stranger"]: 3}}
    bodies += [
        body(
            house, f"where is {names['person']}", called("homeassistant__GetLiveContext", {}), result({"result": live})
        ),
        body(house, "turn it on", called("HassTurnOn", {"name": names["alias"]}), result(done(names["stranger"]))),
        body(
            house, f"what is on {names['todo']}", called("todo__get_items", {"todo_list": names["todo"]}), result(items)
        ),
    ]
    with tempfile.TemporaryDirectory() as folder:
        details = asyncio.run(later(Path(folder), bodies, keep_requests=kept))
    assert len(details) == len(bodies)
    assert all((detail.request is not None) is kept and detail.names is not None for detail in details)
    real = "\n".join(as_json(detail, redacted=False) for detail in details)
    assert all(
        json.dumps(names[key], ensure_ascii=False)[1:-1] in real for key in keys if key not in {"script", "place"}
    )
    for detail in details:
        told = ways(detail)
        for name in names.values():
            # Words that stand together say who is meant even where each could be anybody's.
            for form in (name, json.dumps(name)[1:-1], *(word for word in name.split() if len(word) > 4)):
                assert form.casefold() not in told, (name, detail.summary.sentence)


async def test_names_that_are_words_of_the_grammar_are_known_after_a_restart(tmp_path: Path) -> None:
    """A list of words alone would let them through."""
    house = House((Thing(("Movie Light", "Off Switch"), "light", ("Living Area",)),))
    (detail,) = await later(tmp_path, [body(house, "turn on the movie light in the living area")])
    told = ways(detail)
    for name in ("movie light", "off switch", "living area"):
        assert name not in told
    assert "turn on the light 1 in the area 1" in told


async def test_people_and_things_that_no_home_lists_are_names_too(tmp_path: Path) -> None:
    house = House((Thing(("Lamp",), "light"), Thing(("Shopping",), "todo")))
    sentences = (
        "tell me about Maria Huber",
        "is my aunt Hildegard at home",
        "add granny smith apples to my shopping",
        "why does Doctor Müller-Lüdenscheid ring at the door",
        "disarm the alarm with code 4711",
        "王小明在家吗",
    )
    for detail in await later(tmp_path, [body(house, sentence) for sentence in sentences]):
        told = ways(detail)
        for name in (
            "maria",
            "huber",
            "hildegard",
            "granny",
            "smith",
            "apples",
            "müller",
            "denscheid",
            "4711",
            "王",
            "明",
        ):
            assert name not in told, detail.summary.sentence


async def test_what_is_told_in_words_of_everybody_stays_legible(tmp_path: Path) -> None:
    house = House((Thing(("Zorquib",), "light", ("Wubwub",)),))
    (detail,) = await later(tmp_path, [body(house, "turn on the Zorquib in the Wubwub")])
    told = json.loads(as_json(detail))
    assert told["summary"]["sentence"] == "turn on the Light 1 in the Area 1"
    assert told["summary"]["intent"] == "HassTurnOn"
    assert told["summary"]["why"] == "The sentence matches HassTurnOn exactly."
    assert told["calls"][0]["name"].endswith("HassTurnOn")
    assert told["metrics"]["ha_intent"]["candidates"][0]["template"] != "[removed]"


async def test_where_the_names_are_not_known_nothing_that_was_said_is_exported(path: Path) -> None:
    """As in a file of an earlier version, or with a request that was too large to be kept."""
    store = TraceStore(path)
    store.start()
    trace = private("Zorquib")
    trace.request, trace.server_said = None, "500: cannot read 'turn on Zorquib'"
    store.add(trace)
    await written(store, 1)
    await store.close()
    store = TraceStore(path)
    store.start()
    await written(store, 1)
    detail = await store.one(trace.id)
    assert detail is not None
    assert detail.summary.sentence == "turn on Zorquib"
    told = json.loads(as_json(detail))
    assert "zorquib" not in ways(detail)
    assert told["summary"]["why"] == UNKNOWN_NAMES
    assert told["summary"]["sentence"] is None
    assert "Zorquib" in as_json(detail, redacted=False)
    await store.close()


async def test_a_file_of_the_first_version_is_read_on(path: Path) -> None:
    store = TraceStore(path)
    store.start()
    store.add(trace := finished("turn on Zorquib", request=b'{"messages": []}'))
    await written(store, 1)
    await store.close()
    connection = sqlite3.connect(path)
    connection.executescript("DROP TABLE homes; DROP TABLE settling; PRAGMA user_version = 1;")
    connection.close()
    store = TraceStore(path)
    store.start()
    async with asyncio.timeout(20):
        while (detail := await store.one(trace.id)) is None:  # noqa: ASYNC110 - another thread migrates
            await asyncio.sleep(0.01)
    assert detail.names is None
    await store.close()


@pytest.mark.parametrize("kept", [True, False])
async def test_the_names_of_a_home_are_kept_once_and_go_with_its_requests(path: Path, kept: bool) -> None:
    keep = Diagnostics(keep_texts=kept)
    store = TraceStore(path, lambda: keep)
    store.start()
    house = House((Thing(("Zorquib",), "light"),))
    for number in range(RECENT + 5):
        store.add(finished(f"turn on {number}", request=json.dumps(body(house, f"turn on {number}")).encode()))
    await written(store, RECENT + 5)
    assert count(path) == (1 if kept else 0)
    await store.clear()
    assert count(path) == 0
    await store.close()
    assert b"Zorquib" not in await asyncio.to_thread(path.read_bytes)


async def test_without_texts_no_names_are_kept(path: Path) -> None:
    keep = Diagnostics()
    store = TraceStore(path, lambda: keep)
    store.start()
    store.add(finished(request=json.dumps(body(House((Thing(("Zorquib",), "light"),)), "hi")).encode()))
    await written(store, 1)
    assert count(path) == 1
    keep = Diagnostics(keep_texts=False)
    store.settings_changed()
    async with asyncio.timeout(20):
        while count(path):  # noqa: ASYNC110 - another thread deletes
            await asyncio.sleep(0.01)
    await store.close()


def count(path: Path) -> int:
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute("SELECT count(*) FROM homes").fetchone()[0])
    finally:
        connection.close()
