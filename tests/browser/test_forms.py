"""Settings, Connect and Try it, as a person uses them."""

from __future__ import annotations

import pytest

from tests.backends.test_probe import MODELS, server

from .axe import violations
from .conftest import KEY, Home

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

ATTEMPTS, DELAY = "[name='settings.ha_assist_verify_attempts']", "[name='settings.ha_assist_verify_delay']"


async def test_the_worst_case_is_spelled_out_while_typing(home: Home) -> None:
    page = await home.page("settings")
    cost = page.locator("#cost")
    assert "1.0 s" in await cost.inner_text()
    await page.fill(ATTEMPTS, "4")
    await page.fill(DELAY, "0.75")
    assert "takes up to 3.0 s longer and uses 7 of the 10 rounds" in await cost.inner_text()
    await page.fill(ATTEMPTS, "10")
    assert "takes up to 6.0 s longer and uses 10 of" in await cost.inner_text()
    await page.fill(ATTEMPTS, "0")
    assert "not checked" in await cost.inner_text()
    await page.fill(ATTEMPTS, "11")
    assert "cannot be used" in await cost.inner_text()


async def test_a_change_is_in_force_with_the_next_request(home: Home) -> None:
    page = await home.page("settings")
    assert not await page.locator("[data-changed]").is_visible()
    await page.uncheck("[name='settings.ha_assist_fuzzy_enabled']")
    await page.uncheck("[name='settings.ha_assist_sentence_repair']")
    assert await page.locator("[data-changed]").is_visible()
    before = await home.say("Turn on the celing light")
    await page.click(".savebar .primary")
    await page.wait_for_selector("[role=status] >> text=Saved")
    after = await home.say("Turn on the celing light")
    assert before["choices"][0]["finish_reason"] == "tool_calls"
    assert after["choices"][0]["finish_reason"] == "stop"


async def test_only_the_fields_of_the_chosen_models_are_shown(home: Home) -> None:
    page = await home.page("settings")
    address = page.locator("[name='models.upstream.base_url']")
    assert not await address.is_visible()
    await page.check("[name=profile][value=upstream]")
    assert await address.is_visible()
    assert not await page.locator("[name='models.upstream.enabled']").is_visible()
    await page.check("[name=profile][value=own]")
    assert await page.locator("[name='models.upstream.enabled']").is_visible()
    assert await page.locator("#impossible").is_visible()


async def test_a_fault_is_told_where_the_reader_looks(home: Home) -> None:
    page = await home.page("settings", locale="de-DE")
    await page.evaluate("document.getElementById('form').noValidate = true")
    await page.fill("[name='diagnostics.keep_days']", "0")
    await page.click(".savebar .primary")
    await page.wait_for_selector("#diagnostics-keep_days-error >> text=Gib mindestens 1 ein.")
    assert await page.evaluate("document.activeElement.id") == "diagnostics-keep_days"
    for part in ("#diagnostics-keep_days", "#diagnostics-keep_days-error"):
        box = await page.locator(part).bounding_box()
        assert box is not None
        assert 60 < box["y"] < 830, part
    await page.fill("[name='diagnostics.keep_days']", "9")
    await page.click(".savebar .primary")
    await page.wait_for_selector("[role=status] >> text=Gespeichert")
    await page.click("[data-restore=diagnostics-keep_days]")
    assert await page.input_value("[name='diagnostics.keep_days']") == "7"
    assert await page.locator("[data-changed]").is_visible()
    home.forgive("400")


async def test_a_server_is_tried_and_its_model_chosen_from_its_list(home: Home) -> None:
    page = await home.page("settings")
    await page.check("[name=profile][value=upstream]")
    async with server(MODELS) as url:
        await page.fill("[name='models.upstream.base_url']", url)
        await page.click("#server button")
        await page.wait_for_selector(".checks >> text=The server can be reached.")
        assert await page.locator("[data-changed]").is_visible()
        await page.select_option("select[name='models.upstream.model']", "large")
        await page.click(".savebar .primary")
        await page.wait_for_selector(".checks >> text=The model answered in")
        assert await violations(page) == []
    current = home.services.settings.current.models.upstream
    assert (current.enabled, current.model) == (True, "large")


async def test_enter_saves(home: Home) -> None:
    page = await home.page("settings")
    await page.fill(ATTEMPTS, "3")
    await page.press(ATTEMPTS, "Enter")
    await page.wait_for_selector("[role=status] >> text=Saved")
    assert home.services.settings.current.settings.ha_assist_verify_attempts == 3


async def test_what_a_setting_would_change_is_shown_before_it_is_saved(home: Home) -> None:
    await home.say("Turn on the celing light")
    await home.kept(1)
    page = await home.page("settings")
    await page.click("text=What would change?")
    await page.wait_for_selector("#changes >> text=None of the 30 latest")
    await page.uncheck("[name='settings.ha_assist_fuzzy_enabled']")
    await page.uncheck("[name='settings.ha_assist_sentence_repair']")
    await page.click("text=What would change?")
    await page.wait_for_selector("#changes td >> text=Turn on the celing light")
    assert await violations(page) == []
    assert home.services.settings.current.settings.ha_assist_fuzzy_enabled, "nothing is saved"


async def test_a_form_outlives_a_restart(home: Home) -> None:
    page = await home.page("settings")
    await page.fill(ATTEMPTS, "5")
    await home.stop_panel()
    await home.start_panel()
    await page.click(".savebar .primary")
    await page.wait_for_selector("[role=alert] >> text=was restarted")
    assert await page.input_value(ATTEMPTS) == "5"
    await page.click(".savebar .primary")
    await page.wait_for_selector("[role=status] >> text=Saved")
    assert home.services.settings.current.settings.ha_assist_verify_attempts == 5
    home.forgive("403")


async def test_two_panels_notice_each_other(home: Home) -> None:
    mine, theirs = await home.page("settings"), await home.page("settings")
    await theirs.fill(ATTEMPTS, "5")
    await theirs.click(".savebar .primary")
    await theirs.wait_for_selector("[role=status] >> text=Saved")
    await mine.fill(DELAY, "2")
    await mine.click(".savebar .primary")
    await mine.wait_for_selector("[role=alert] >> text=changed the settings in the meantime")
    assert home.services.settings.current.settings.ha_assist_verify_delay == 0.5
    await mine.click("text=Discard my changes")
    assert await mine.input_value(ATTEMPTS) == "5"
    home.forgive("409")


async def test_the_check_mark_comes_by_itself_and_the_key_shows_on_demand(home: Home) -> None:
    page = await home.page("connect", permissions=["clipboard-read", "clipboard-write"])
    assert KEY not in await page.locator("main").inner_text()
    await page.click("[data-reveal=key]")
    assert await page.locator("#key").inner_text() == KEY
    await page.click("[data-reveal=key]")
    await page.click("[data-copy=key]")
    assert await page.evaluate("navigator.clipboard.readText()") == KEY
    await home.say("Turn on the ceiling light")
    await page.wait_for_selector("#arrived >> text=Sentences arrive and are answered.", timeout=10000)


async def test_a_kept_request_is_tried_again_and_compared(home: Home) -> None:
    await home.say("Turn on the ceiling light")
    page = await home.page()
    await page.click("a.row")
    await page.click("a:has-text('Try again')")
    assert await page.input_value("#sentence") == "Turn on the ceiling light"
    await page.click("button[value=run]")
    await page.wait_for_selector("text=Same result as then.")
    await page.fill("#sentence", "Turn off the ceiling light")
    await page.click("button[value=run]")
    await page.wait_for_selector("#result table")
    assert await home.services.traces.count() == 1, "nothing is recorded"
