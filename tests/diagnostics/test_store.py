"""What is kept is found again: by page, turn, search and neighbour, live, and over restarts."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ha_assist_addon.diagnostics import database
from ha_assist_addon.diagnostics import store as store_module
from ha_assist_addon.diagnostics.query import Filter
from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.settings.model import Diagnostics
from ha_assist_addon.trace.trace import Exchange, Trace
from tests.diagnostics.records import finished, until, written


async def test_the_newest_come_first_and_pages_join(store: TraceStore) -> None:
    for number in range(25):
        store.add(finished(f"sentence {number}"))
    await written(store, 25)
    first = await store.newest(limit=10)
    assert [s.sentence for s in first] == [f"sentence {n}" for n in range(24, 14, -1)]
    second = await store.newest(before=first[-1].seq, limit=10)
    assert [s.sentence for s in second] == [f"sentence {n}" for n in range(14, 4, -1)]
    assert await store.newest(after=first[1].seq) == first[:1]


@pytest.mark.parametrize("on_disk", [True, False])
async def test_everything_comes_back(path: Path, on_disk: bool) -> None:
    store = TraceStore(path if on_disk else None, lambda: Diagnostics(keep_prompts=True))
    store.start()
    trace = finished(
        "Schalte die Büro-Lampe an",
        reply="Erledigt?",
        calls=(("HassTurnOn", {"name": "Büro-Lampe"}),),
        area="Büro",
        intent="HassTurnOn",
        language="de",
        conversation="c1",
        request='{"messages": [{"content": "ü"}]}'.encode(),
        exchange=Exchange([{"role": "user", "content": "x"}], "y"),
    )
    store.add(trace)
    await written(store, 1)
    if on_disk:
        await store.close()
        store = TraceStore(path)
        store.start()
    detail = await store.one(trace.id)
    assert detail is not None
    row = detail.summary
    assert (row.sentence, row.reply, row.area, row.intent) == (trace.sentence, "Erledigt?", "Büro", "HassTurnOn")
    assert (row.language, row.conversation, row.target, row.time) == ("de", "c1", "an", trace.started_at)
    assert (row.route, row.outcome, row.total_ms) == ("asked", "asked", trace.total_ms)
    assert detail.metrics == trace.metrics()
    assert detail.spans == tuple(trace.spans)
    assert list(detail.calls) == [{"name": "HassTurnOn", "arguments": {"name": "Büro-Lampe"}}]
    assert detail.request == {"messages": [{"content": "ü"}]}
    assert detail.exchange == trace.exchange
    await store.close()


@given(
    sentence=st.none() | st.text(max_size=300),
    reply=st.text(st.characters(), max_size=100),
    values=st.dictionaries(
        st.text(max_size=20),
        st.recursive(
            st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20), st.lists, max_leaves=5
        ),
        max_size=4,
    ),
)
@settings(max_examples=80, deadline=None)
def test_any_record_survives(sentence: str | None, reply: str, values: dict[str, object]) -> None:
    async def check() -> None:
        store = TraceStore()
        trace = Trace("HA-Assist", sentence=sentence)
        trace.note("ha_plan", domain=values)
        trace.finish("answered", reply)
        store.add(trace)
        detail = await store.one(trace.id)
        assert detail is not None
        assert detail.summary.sentence == sentence
        assert detail.summary.reply == reply.encode("utf-8", "replace").decode()
        assert detail.metrics["ha_plan"] == {"domain": values}
        for word in (sentence or "").split()[:3]:
            assert await store.count(Filter(text=word)) == 1

    asyncio.run(check())


async def test_an_action_its_reads_and_its_answer_are_one_turn(store: TraceStore) -> None:
    for rounds in (0, 1, 2):
        store.add(finished("lamp on", rounds=rounds, conversation="a"))
        store.add(finished("lamp on", rounds=rounds, conversation="b"))
    store.add(finished("lamp on", conversation="a"))
    await written(store, 7)
    turns = await store.turns()
    assert [(len(t.requests), t.first.conversation) for t in turns] == [(1, "a"), (3, "b"), (3, "a")]
    assert all([s.seq for s in t.requests] == sorted(s.seq for s in t.requests) for t in turns)
    assert await store.turns(before=turns[0].id, limit=1) == turns[1:2]
    found = await store.turns(Filter(conversation="b"))
    assert found == turns[1:2]


async def test_neighbours_keep_the_filter(store: TraceStore) -> None:
    traces = [finished(f"{'lamp' if n % 3 else 'door'} {n}") for n in range(9)]
    for trace in traces:
        store.add(trace)
    await written(store, 9)
    beside = await store.neighbours(traces[3].id, Filter(text="door"))
    assert (beside.newer, beside.older) == (traces[6].id, traces[0].id)
    beside = await store.neighbours(traces[0].id)
    assert (beside.newer, beside.older) == (traces[1].id, None)
    assert (await store.neighbours("nothing")).newer is None


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Filter(text="KÜCHE an"), {0}),
        (Filter(text="üchenl"), {0}),
        (Filter(text="100%_"), {2}),
        (Filter(text="heiz nothing"), set()),
        (Filter(text="Dunkel"), {1}),
        (Filter(route="failed"), {2}),
        (Filter(route="model"), {1}),
        (Filter(failed=True), {2, 3}),
        (Filter(slow_ms=500), {1}),
        (Filter(area="Bad"), {1}),
        (Filter(intent="HassTurnOn"), {0}),
        (Filter(language="de", area="Bad"), {1}),
        (Filter(target="an"), {0}),
        (Filter(outcome="not_done"), {3}),
        (Filter(since=datetime.now(UTC) - timedelta(hours=1)), {0, 1, 2}),
        (Filter(until=datetime.now(UTC) - timedelta(hours=1)), {3}),
    ],
)
async def test_search(store: TraceStore, wanted: Filter, found: set[int]) -> None:
    traces = [
        finished("Küchenlicht an", intent="HassTurnOn", language="de"),
        finished("Heizung", reply="Es ist dunkel", area="Bad", language="de", route="llm", inference_calls=1, ms=900),
        finished("100%_ sure", outcome="failed", reason="busy"),
        finished("door", reason="tool_failed", ago=timedelta(hours=2)),
    ]
    for trace in traces:
        store.add(trace)
    await written(store, 4)
    seen = await store.newest(wanted)
    assert {s.id for s in seen} == {traces[n].id for n in found}
    assert await store.count(wanted) == len(found)
    assert Filter.from_query(wanted.query()) == wanted


def test_a_url_that_makes_no_sense_filters_nothing() -> None:
    assert Filter.from_query({"slow": "soon", "since": "later", "failed": "0", "q": "  ", "x": "y"}) == Filter()


async def test_facets_count_what_can_be_chosen(store: TraceStore) -> None:
    for language in ("de", "en", "de"):
        store.add(finished(language=language))
    await written(store, 3)
    facets = await store.facets()
    assert list(facets.languages.items()) == [("de", 2), ("en", 1)]
    assert facets.areas == {}


async def test_watchers_hear_of_each_request(store: TraceStore) -> None:
    with store.subscribe() as first, store.subscribe() as second:
        trace = finished("now")
        store.add(trace)
        async with asyncio.timeout(5):
            assert [s.id for s in (await anext(aiter(first)),) if s] == [trace.id]
            heard = await anext(aiter(second))
        assert heard is not None
        kept = await store.one(heard.id)
        assert kept is not None, "what is told of can be read"
    assert [summary async for summary in first] == []


async def test_a_slow_watcher_loses_the_oldest_and_knows_it(store: TraceStore) -> None:
    with store.subscribe() as live:
        for number in range(450):
            store.add(finished(str(number)))
        await written(store, 450)
        await asyncio.sleep(0)
        oldest = await anext(aiter(live))
        assert oldest is not None
        assert oldest.sentence == str(live.missed)
        assert live.missed == 250


async def test_nobody_waits_where_the_writer_cannot_follow(path: Path) -> None:
    store = TraceStore(path)
    for number in range(store_module.QUEUE + 3):
        store.add(finished(str(number)))
    assert str(store.problem).startswith("3 requests were not recorded")
    store.start()
    await written(store, store_module.QUEUE)
    await store.clear()
    assert store.problem is None
    await store.close()


async def test_clear_forgets_all(store: TraceStore, path: Path) -> None:
    for _ in range(3):
        store.add(finished("remarkablesentence", request=b"{}"))
    await written(store, 3)
    await store.clear()
    assert (await store.newest(), store.newest_first(), await store.latest_bodies()) == ((), (), [])
    for file in path.parent.iterdir():
        assert b"remarkablesentence" not in file.read_bytes()
    store.add(finished("next"))
    await written(store, 1)


async def test_one_that_cannot_be_recorded_does_not_end_the_recording(store: TraceStore) -> None:
    store.add(finished("before"))
    await written(store, 1)
    unusable = finished("unusable")
    unusable.id = None  # type: ignore[assignment]
    store.add(unusable)
    await asyncio.sleep(0.2)
    store.add(finished("after"))
    await written(store, 2)


@pytest.mark.parametrize("on_disk", [True, False])
async def test_the_latest_requests_can_be_run_again(path: Path, on_disk: bool) -> None:
    store = TraceStore(path, lambda: Diagnostics(keep_requests=on_disk))
    store.start()
    for number in range(store_module.RECENT + 5):
        store.add(finished(str(number), request=b'{"n": %d}' % number))
    store.add(finished("other", route="physical", request=b'{"n": -1}'))
    await written(store, store_module.RECENT + 6)
    assert (await store.latest_bodies())[0][1] == {"n": store_module.RECENT + 4}
    rows = await store.newest()
    newest, oldest = await store.one(rows[0].id), await store.one(rows[-1].id)
    assert newest is not None
    assert newest.request == {"n": -1}
    assert oldest is not None
    assert oldest.request == ({"n": 0} if on_disk else None)
    await store.close()
    again = TraceStore(path, lambda: Diagnostics(keep_requests=on_disk))
    again.start()
    found = [body for _, body in await again.latest_bodies()]
    assert found[:1] == ([{"n": store_module.RECENT + 4}] if on_disk else []), "after a restart too"
    await again.close()


async def test_bodies_are_kept_of_so_many_turns_and_so_many_bytes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "TURNS_WITH_BODIES", 3)
    store = TraceStore(path)
    store.start()
    for number in range(5):
        for rounds in (0, 1):
            store.add(finished(str(number), rounds=rounds, conversation=str(number), request=os.urandom(3000)))
    await written(store, 10)

    def kept() -> list[str | None]:
        connection = sqlite3.connect(path)
        found = connection.execute("SELECT sentence FROM bodies JOIN requests USING (seq) ORDER BY seq").fetchall()
        connection.close()
        return [sentence for (sentence,) in found]

    store.settings_changed()
    await until(lambda: kept() == ["2", "2", "3", "3", "4", "4"])
    monkeypatch.setattr(database, "MOST_BODY_BYTES", 7000)
    store.settings_changed()
    await until(lambda: kept() == ["4", "4"])
    await store.close()


async def test_many_readers_and_the_writer_do_not_disturb_each_other(store: TraceStore) -> None:
    async def read() -> int:
        reads = 0
        while await store.count() < 400:
            pages = await asyncio.gather(
                store.newest(Filter(text="lamp"), limit=20), store.turns(limit=5), store.facets()
            )
            assert all(s.sentence and "lamp" in s.sentence for s in pages[0])
            reads += 1
        return reads

    async def write() -> None:
        for number in range(400):
            store.add(finished(f"lamp {number}"))
            await asyncio.sleep(0.001)

    *reads, _ = await asyncio.gather(*(read() for _ in range(4)), write())
    assert all(reads)
    assert store.problem is None
    assert len({s.seq for s in await store.newest(limit=500)}) == 400


async def test_search_covers_ten_thousand(path: Path) -> None:
    store = TraceStore(path, lambda: Diagnostics(keep_count=10_000))
    store.start()
    for number in range(10_000):
        store.add(finished(f"turn on lamp {number}", area=f"Room {number % 20}", language="en"))
        if number % 250 == 249:
            await written(store, number + 1)
    assert await store.count() == 10_000
    assert await store.newest(Filter(text="zebra")) == ()
    assert len(await store.turns(Filter(area="Room 3"), limit=500)) == 500
    assert (await store.overview(datetime.now(UTC) - timedelta(days=7))).requests == 10_000
    assert [s.sentence for s in await store.newest(Filter(text="lamp 9999"))] == ["turn on lamp 9999"]
    await store.close()
