"""The list while one looks at it: live, paused, filtered, and by keyboard."""

from __future__ import annotations

import pytest

from ha_assist_addon.trace.trace import Trace

from .conftest import PHONE, Home

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_a_request_appears_without_a_reload(home: Home) -> None:
    page = await home.page()
    await page.wait_for_selector("#live[data-state=on]")
    await page.evaluate("window.same = true")
    assert await page.locator("#empty").is_visible()
    await home.say("Turn on the ceiling light")
    await page.wait_for_selector(".turn-row")
    assert await page.locator(".turn-row .sentence").inner_text() == "Turn on the ceiling light"
    assert not await page.locator("#empty").is_visible()
    assert await page.evaluate("window.same")


async def test_paused_rows_wait_and_are_counted(home: Home) -> None:
    page = await home.page()
    await page.wait_for_selector("#live[data-state=on]")
    await page.click("#pause")
    await home.say("Turn on the ceiling light")
    await home.say("Turn off the ceiling light")
    await page.wait_for_selector("#waiting >> text=2 new")
    assert await page.locator(".turn-row").count() == 0
    await page.click("#waiting")
    await page.wait_for_selector(".turn-row >> nth=1")
    assert not await page.locator("#waiting").is_visible()
    await page.click("#pause")
    await home.say("Is the front door locked?")
    await page.wait_for_selector(".turn-row >> nth=2")


async def test_rows_wait_while_the_reader_is_further_down(home: Home) -> None:
    for number in range(30):
        await home.say(f"Turn on the ceiling light number {number}")
    page = await home.page(size=PHONE)
    await page.wait_for_selector("#live[data-state=on]")
    await page.evaluate("scrollTo(0, 1500)")
    top = await page.evaluate("document.querySelector('.turn-row').dataset.turn")
    await home.say("Turn off the ceiling light")
    await page.wait_for_selector("#waiting >> text=1 new")
    box = await page.locator("#waiting").bounding_box()
    assert box is not None
    assert 0 < box["y"] < PHONE["height"] - 100, "it can be seen where the reader is"
    assert await page.evaluate("document.querySelector('.turn-row').dataset.turn") == top
    await page.click("#waiting")
    await page.wait_for_function("scrollY === 0")
    assert await page.locator(".turn-row .sentence").first.inner_text() == "Turn off the ceiling light"


async def test_without_a_websocket_it_asks(home: Home) -> None:
    home.ingress.sockets = False
    page = await home.page()
    await page.wait_for_selector("#live[data-state=poll]", timeout=10000)
    await home.say("Turn on the ceiling light")
    await page.wait_for_selector(".turn-row", timeout=10000)
    home.forgive("WebSocket")


async def test_it_catches_up_after_an_interruption(home: Home) -> None:
    page = await home.page()
    await page.wait_for_selector("#live[data-state=on]")
    home.ingress.sockets = False
    await page.context.set_offline(True)
    for socket in tuple(home.services.traces._subscriptions):
        socket.close()
    await home.say("Turn on the ceiling light")
    home.ingress.sockets = True
    await page.context.set_offline(False)
    await page.wait_for_selector(".turn-row", timeout=20000)
    home.forgive("WebSocket", "ERR_INTERNET_DISCONNECTED")


async def test_a_restart_behind_the_proxy_is_survived(home: Home) -> None:
    page = await home.page()
    await page.wait_for_selector("#live[data-state=on]")
    await page.evaluate("window.same = true")
    await home.stop_panel()
    await page.wait_for_selector("#live[data-state=off]")
    before = home.ingress.accepted
    await page.wait_for_timeout(4000)
    assert await page.locator("#live").get_attribute("data-state") == "off", "the proxy's yes is no connection"
    assert home.ingress.accepted - before <= 3, "it backs off"
    await home.start_panel()
    await home.say("Turn on the ceiling light")
    await page.wait_for_selector(".turn-row", timeout=20000)
    await page.wait_for_selector("#live[data-state=on]", timeout=20000)
    assert not await page.evaluate("window.same === true"), "a page from before the restart is replaced"
    await home.say("Turn off the ceiling light")
    await page.wait_for_selector(".turn-row >> nth=1")
    home.forgive("WebSocket", "502")


async def test_a_reader_in_the_middle_is_asked_before_the_page_is_replaced(home: Home) -> None:
    page = await home.page()
    await page.wait_for_selector("#live[data-state=on]")
    await page.click("#pause")
    await page.evaluate("window.same = true")
    await home.stop_panel()
    await home.start_panel()
    await page.wait_for_selector("#stale >> text=restarted", timeout=20000)
    assert await page.evaluate("window.same === true")
    home.forgive("WebSocket", "502")


async def test_a_request_is_listed_while_it_runs(home: Home) -> None:
    page = await home.page()
    await page.wait_for_selector("#live[data-state=on]")
    trace = Trace("HA-Assist", sentence="Write a <b>long</b> poem")
    home.services.traces.begin(trace)
    await page.wait_for_selector(".running-row >> text=Write a <b>long</b> poem")
    other = await home.page()
    assert await other.locator(".running-row").count() == 1
    trace.finish("answered", "Roses are red.")
    home.services.traces.add(trace)
    await page.wait_for_selector(".turn-row")
    await page.wait_for_selector(".running-row", state="detached")


async def test_filters_live_in_the_address_and_hold_for_what_comes(home: Home) -> None:
    await home.say("Turn on the ceiling light")
    await home.say("Is the front door locked?")
    page = await home.page()
    await page.wait_for_selector(".turn-row >> nth=1")
    await page.fill("input[name=q]", "front")
    await page.press("input[name=q]", "Enter")
    await page.wait_for_url("**x=*")
    assert await page.locator(".turn-row").count() == 1
    await page.wait_for_selector("#live[data-state=on]")
    await home.say("Turn off the ceiling light")
    await home.say("Is the front door open?")
    await page.wait_for_selector(".turn-row >> nth=1")
    assert await page.locator(".turn-row .sentence").all_inner_texts() == [
        "Is the front door open?",
        "Is the front door locked?",
    ]
    await page.click("a.row >> nth=0")
    await page.click("[data-key=older]")
    assert await page.locator("h1").inner_text() == "Is the front door locked?"
    assert await page.locator("a[data-key=older]").count() == 0
    await page.click("[data-key=back]")
    assert await page.input_value("input[name=q]") == "front"


async def test_all_of_it_works_by_keyboard(home: Home) -> None:
    await home.say("Turn on the ceiling light")
    await home.say("Is the front door locked?")
    page = await home.page()
    await page.wait_for_selector(".turn-row >> nth=1")
    await page.keyboard.press("Tab")
    assert await page.evaluate("document.activeElement.className") == "skip"
    await page.keyboard.press("Enter")
    await page.keyboard.press("/")
    assert await page.evaluate("document.activeElement.name") == "q"
    for _ in range(12):
        await page.keyboard.press("Tab")
        if await page.evaluate("document.activeElement.matches('a.row')"):
            break
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/requests/*")
    newest = page.url
    await page.keyboard.press("j")
    await page.wait_for_function("was => location.href !== was", arg=newest)
    await page.keyboard.press("k")
    await page.wait_for_url(newest)
    await page.keyboard.press("u")
    await page.wait_for_selector("#list")


async def test_j_k_and_back_keep_their_place(home: Home) -> None:
    for number in range(70):
        await home.say(f"Turn on the ceiling light number {number}")
    await home.kept(50)
    page = await home.page()
    await page.wait_for_selector("#live[data-state=on]")
    await page.click(".more a")
    await page.wait_for_selector(".turn-row >> nth=69")
    await page.keyboard.press("j")
    await page.keyboard.press("j")
    assert await page.evaluate("document.activeElement.closest('li').querySelector('.sentence').textContent") == (
        "Turn on the ceiling light number 68"
    )
    deep = page.locator(".turn-row", has_text="light number 5").last
    await deep.locator("a.row").click()
    await page.wait_for_url("**/requests/*")
    assert await page.locator("h1").inner_text() == "Turn on the ceiling light number 5"
    for way in ("key", "browser"):
        await (page.keyboard.press("u") if way == "key" else page.go_back())
        await page.wait_for_selector("#live[data-state=on]")
        focused = await page.evaluate("document.activeElement.closest('li')?.querySelector('.sentence').textContent")
        assert focused == "Turn on the ceiling light number 5", way
        box = await page.locator(".turn-row", has_text="light number 5").last.bounding_box()
        assert box is not None
        assert 0 < box["y"] < 900, way
        if way == "key":
            await page.keyboard.press("Enter")
            await page.wait_for_url("**/requests/*")


async def test_one_screen_of_a_phone_holds_answer_reason_and_actions(home: Home) -> None:
    await home.say("What is the meaning of life?")
    (one,) = await home.kept(1)
    page = await home.page(f"requests/{one.id}", size=PHONE)
    for part in ("h1", ".answer", ".note", ".actions a >> nth=-1"):
        box = await page.locator(f".top {part}" if part != "h1" else "h1").last.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < PHONE["height"] - 58, part
