"""The list, one request, and what can be taken along."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ha_assist_addon.diagnostics.query import Filter
from ha_assist_addon.examples import example_home, request_body
from ha_assist_addon.panel.address import filter_of, query_of
from ha_assist_addon.trace.trace import Exchange, Span

from .conftest import Add, Panel

NASTY = "<script>alert(1)</script> & ../../etc \"lights\" 'x'"

COSY = json.dumps({"model": "HA-Assist", "messages": [{"role": "user", "content": "make it <b>cosy</b>"}]}).encode()


def rows(page: str) -> list[str]:
    """The ids of the requests that the list's rows lead to, without the steps below them."""
    return [re.findall(r'href="[./]*requests/(\w+)', row)[0] for row in page.split('class="turn-row"')[1:]]


texts = st.none() | st.text(min_size=1, max_size=200).map(str.strip).filter(bool)


@given(text=texts, area=texts, target=texts, route=st.sampled_from([None, "model", "direct"]), failed=st.booleans())
def test_every_filter_survives_its_address_and_home_assistants_own_filter(
    text: str | None, area: str | None, target: str | None, route: str | None, failed: bool
) -> None:
    wanted = Filter(text=text or "", area=area, target=target, route=route, failed=failed, slow_ms=500)
    query = query_of(wanted)
    assert filter_of({name: values[0] for name, values in parse_qs(query).items()}) == wanted
    # Home Assistant refuses what holds any of `../`, `<`, `(`, `=/` in its query.
    assert re.fullmatch(r"[A-Za-z0-9_\-=&]*", query)


@pytest.mark.parametrize(
    "query", ["x=", "x=%%%", "x=bm9uc2Vuc2U", "x=WzFd", "slow=nan", "slow=x", "failed=7", "q=plain", "before=x"]
)
async def test_an_address_that_cannot_be_read_shows_everything(panel: Panel, add: Add, query: str) -> None:
    trace = add()
    assert rows(await panel.get(f"?{query}")) == [trace.id]


async def test_the_newest_stands_on_top_and_markup_is_text(panel: Panel, add: Add) -> None:
    add("the first")
    second = add(NASTY, reply=NASTY, why=NASTY, reason=NASTY)
    second_page = await panel.get(f"requests/{second.id}")
    page = await panel.get()
    assert rows(page)[0] == second.id
    assert len(rows(page)) == 2
    for text in (page, second_page, await panel.get("connect")):
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; ../../etc" in text


async def test_a_search_becomes_an_address_that_finds_the_same(panel: Panel, add: Add) -> None:
    add("Turn on the light")
    found = add(NASTY)
    address = await panel.post("", {"q": NASTY, "route": "direct", "language": "en"}, status=303, follow=False)
    assert not urlsplit(address).path.startswith("/")
    page = await panel.get(address.removeprefix("./"))
    assert rows(page) == [found.id]
    assert unescape(re.findall(r'name="q" value="([^"]*)"', page)[0]) == NASTY
    assert (await panel.post("", {"q": ""}, status=303, follow=False)).removeprefix("./") == ""
    nothing = await panel.get(query("?", Filter(text="nowhere to be found")))
    assert rows(nothing) == []
    assert "No stored request matches" in nothing


def query(before: str, wanted: Filter) -> str:
    return before + query_of(wanted)


async def test_filters_are_asked_of_everything_that_is_kept(panel: Panel, add: Add) -> None:
    slow = add("slow", route="llm", inference_calls=1)
    wrong = add("wrong", outcome="failed")
    for _ in range(120):
        add()
    assert rows(await panel.get("?route=model")) == [slow.id]
    assert rows(await panel.get("?failed=1")) == [wrong.id]
    assert rows(await panel.get("?slow=999999")) == []
    first = await panel.get()
    assert len(rows(first)) == 50
    more = re.findall(r'hx-get="\./(older/\d+)"', first)
    second = await panel.get(more[0])
    whole = await panel.get(f"?before={more[0].removeprefix('older/')}")
    assert "<html" in whole
    assert rows(whole) == rows(second), "without scripts the link leads to a page"
    assert len(rows(second)) == 50
    assert not set(rows(first)) & set(rows(second))
    last = await panel.get(re.findall(r'hx-get="\./(older/\d+)"', second)[0])
    assert slow.id in rows(last)
    assert "older/" not in last


async def test_one_turn_is_one_row_that_opens(panel: Panel, add: Add) -> None:
    action = add("Turn on the light", outcome="called", conversation="c", sections={"ha_history": {"rounds": 0}})
    answer = add(
        "Turn on the light",
        conversation="c",
        reason="verify_state",
        verification="confirmed",
        sections={"ha_history": {"rounds": 2}},
    )
    page = await panel.get()
    assert rows(page) == [action.id]
    assert "2 requests belong to this" in page
    assert answer.id in page
    assert "confirmed" in page
    detail = await panel.get(f"requests/{answer.id}")
    assert "The whole turn on one clock" in detail
    assert f"requests/{action.id}" in detail


async def test_a_row_shows_what_was_said_at_the_end_and_opens_the_whole_turn(panel: Panel, add: Add) -> None:
    rounds = [{"ha_history": {"rounds": number}} for number in range(2)]
    add("Turn on the lamp", outcome="called", reply="", conversation="c", sections=rounds[0])
    add("Turn on the lamp", reply="The lamp is on.", conversation="c", sections=rounds[1], reason="verify_state")
    page = await panel.get()
    collapsed = page[page.index('class="turn-row"') : page.index("<details><summary")]
    assert "The lamp is on." in collapsed
    detail = await panel.get(f"requests/{rows(page)[0]}")
    assert '<p class="answer wrap">The lamp is on.</p>' in detail


async def test_a_failed_model_is_the_reason_and_its_server_is_quoted(panel: Panel, add: Add) -> None:
    trace = add(
        "make it cosy",
        outcome="failed",
        reply="The language model could not answer.",
        reason="not_recognised",
        error="backend_error",
        server_said="500: CUDA <out> of memory",
        request=COSY,
        route="llm",
        inference_calls=1,
    )
    page = await panel.get(f"requests/{trace.id}")
    assert "<strong>Why:</strong> The language model could not answer." in page
    assert "500: CUDA &lt;out&gt; of memory" in page
    assert "The model was asked because of this: HA-Assist does not know this kind of sentence" in page
    shared = unescape(await panel.get(f"requests/{trace.id}/export"))
    assert '"why": "The language model could not answer."' in shared


async def test_what_was_understood_is_the_repaired_sentence(panel: Panel, add: Add) -> None:
    repair = {"from": "Flor", "to": "Floor", "score": 94.7}
    plan = {"original": "Turn on the flor lamp", "canonical": "Turn on the flor lamp", "repairs": [repair]}
    fuzzy = [{"score": 94.7, "repairs": [repair]}, {"score": 88.2, "repairs": [{"from": "flor", "to": "Door"}]}]
    trace = add(
        "Turn on the flor lamp", reason="repaired_match", sections={"ha_plan": plan, "ha_intent": {"fuzzy": fuzzy}}
    )
    page = await panel.get(f"requests/{trace.id}")
    assert re.search(r"Understood as:</span> Turn on the Floor lamp", page)
    assert "“Flor” was understood as “Floor”" in page
    assert re.search(r"flor → Door.*?88\.2 %.*?6\.5 %.*?less similar", page, re.DOTALL)


async def test_the_way_back_leads_to_the_row(panel: Panel, add: Add) -> None:
    traces = [add(str(number)) for number in range(130)]
    turns = await panel.services.traces.turns(limit=500)
    oldest = turns[-1]
    page = await panel.get(f"requests/{traces[0].id}")
    back = re.search(r'href="\.\./(\?at=(\d+)#t(\d+))" data-key="back"', page)
    assert back is not None
    assert back[2] == back[3] == str(oldest.id)
    listed = await panel.get(f"?at={oldest.id}")
    assert rows(listed) == [trace.id for trace in reversed(traces)]
    assert len(rows(await panel.get("?at=nonsense"))) == 50


async def test_next_and_previous_keep_the_filter(panel: Panel, add: Add) -> None:
    ids = [add(sentence).id for sentence in ("lamp one", "door", "lamp two", "door", "lamp three")]
    tail = query("?", Filter(text="lamp"))
    page = await panel.get(f"requests/{ids[2]}{tail}")
    links = re.findall(r'href="\.\./(requests/\w+\?[^"]+)" data-key="(newer|older)"', page)
    assert [(unescape(address), side) for address, side in links] == [
        (f"requests/{ids[4]}{tail}", "newer"),
        (f"requests/{ids[0]}{tail}", "older"),
    ]
    assert re.search(rf'href="\.\./\?at=\d+&{re.escape(tail[1:])}#t\d+" data-key="back"', unescape(page))


async def test_a_request_tells_why_and_when_and_with_what(panel: Panel, add: Add) -> None:
    trace = add(
        "make it cosy",
        route="llm",
        inference_calls=1,
        backend_model="gemma",
        reason="not_recognised",
        sections={
            "ha_plan": {"repairs": [{"from": "cosi", "to": "cosy", "score": 91.5}]},
            "ha_intent": {"candidates": [{"intent": "HassTurnOn", "slots": {"name": "<i>Lamp</i>"}}]},
            "ha_prompt": {"tokens_before": 8412, "tokens_after": 1240},
        },
        spans=[Span("queue", 1, 400, waiting=True), Span("generation", 401, 2000)],
        request=COSY,
        exchange=Exchange([{"role": "system", "content": "short & sweet"}], "an answer"),
    )
    page = await panel.get(f"requests/{trace.id}")
    for text in (
        "<strong>Why:</strong> HA-Assist does not know this kind of sentence",
        "91.5",
        "&lt;i&gt;Lamp&lt;/i&gt;",
        "(pause)",
        "2.00 s",
    ):
        assert text in page
    assert page.count('class="b-wait" x=') == 2
    assert "<i>Lamp" not in page


async def test_prompts_stand_side_by_side_where_they_are_kept(panel: Panel, add: Add) -> None:
    panel.services.settings.save({"diagnostics.keep_prompts": True})
    trace = add(
        request=COSY,
        exchange=Exchange([{"role": "system", "content": "short & sweet"}], "an answer"),
        inference_calls=1,
        route="llm",
        sections={"ha_prompt": {"tokens_before": 8412, "tokens_after": 1240}},
    )
    page = await panel.get(f"requests/{trace.id}")
    for text in ("make it &lt;b&gt;cosy&lt;/b&gt;", "short &amp; sweet", "an answer", "8412 tokens", "1240 tokens"):
        assert text in page


async def test_what_is_not_kept_any_more_says_so(panel: Panel) -> None:
    for path in ("requests/unknown", "requests/unknown/export"):
        assert "no longer stored" in await panel.get(path, status=404)


async def test_what_is_taken_along_has_invented_names_unless_asked(panel: Panel, add: Add) -> None:
    trace = add("Turn on Grandma's lamp", request=COSY)
    path = f"requests/{trace.id}/export"
    assert "invented" in await panel.get(path)
    real = await panel.get(f"{path}?names=real")
    assert "Grandma" in unescape(real)
    assert 'href="../../static/' in real


async def test_a_full_disk_is_said(panel: Panel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(panel.services.traces), "troubles", (("full", 0), ("lost", 3)))
    for path in ("", "overview"):
        page = await panel.get(path)
        assert "The disk is full" in page
        assert "3 requests were lost" in page


async def test_times_are_told_in_utc_for_the_browser_to_translate(panel: Panel, add: Add) -> None:
    add()
    found = re.findall(r'<time datetime="([^"]+)"', await panel.get())
    assert abs((datetime.now(UTC) - datetime.fromisoformat(found[0])).total_seconds()) < 60


async def test_an_old_request_is_tried_and_shared_in_the_latest_home(panel: Panel, add: Add) -> None:
    old = add("Turn on the kitchen light")
    path = f"requests/{old.id}"
    assert "there is no newer one" in await panel.get(f"{path}/export")
    form = {"home": "request", "request": old.id, "sentence": "", "do": "run"}
    assert "not kept any more" in unescape(await panel.post("try", form, status=404))
    add("What time is it?", request=json.dumps(request_body(example_home(), "What time is it?")).encode())
    shared = unescape(await panel.get(f"{path}/export?names=real"))
    assert "use its sentence with the home of the latest request" in shared
    assert '"content": "Turn on the kitchen light"' in shared
    assert "What time is it?" not in shared
    assert "is tried in the home of the latest request" in await panel.get(f"try?request={old.id}")
    page = await panel.post("try", form)
    assert "Compared with then" in page
    assert await panel.services.traces.count() == 2
