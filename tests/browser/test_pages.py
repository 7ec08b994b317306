"""Every page in both themes and on every size: accessible, whole, and from here alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.house import called, done, result

from .axe import violations
from .conftest import PHONE, SMALL, WIDE, Home

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

TOO_SMALL = """() => [...document.querySelectorAll("a, button, select, summary, input:not([type=hidden]), label.check")]
  .filter(e => e.checkVisibility() && !e.closest("p, dd, td, th, figure") && !e.matches("label input, .skip"))
  .filter(e => e.getBoundingClientRect().height < 43.5)
  .map(e => e.outerHTML.slice(0, 120))"""


async def converse(home: Home) -> list[str]:
    """Some requests of every kind; the paths of all pages."""
    turn_on = called("intent__HassTurnOn", {"name": "Ceiling Light", "domain": ["light"]})
    await home.say("Turn on the ceiling light")
    await home.say("Turn on the ceiling light", turn_on, result(done("Ceiling Light")))
    await home.say("Turn on the <b>Bold</b> Lamp")
    await home.say("What is the meaning of life?")
    await home.say("Turn on the celing light")
    newest = await home.kept(5)
    requests = [f"requests/{summary.id}" for summary in newest[:3]]
    pages = [
        "",
        "?failed=1",
        "try",
        "overview?days=7",
        "models",
        "settings",
        "connect",
        "home",
        "week",
        "teach",
        "taught",
        "requests/unknown",
    ]
    return [*pages, *requests, f"{requests[-1]}/export"]


async def open_all(page: Page) -> None:
    await page.evaluate("() => document.querySelectorAll('details').forEach(one => { one.open = true; })")


@pytest.mark.parametrize(("size", "theme"), [(WIDE, "light"), (PHONE, "dark")], ids=["wide-light", "phone-dark"])
async def test_every_page_is_accessible_in_both_themes(home: Home, size: dict[str, int], theme: str) -> None:
    findings = {}
    page = await home.page(size=size, color_scheme=theme)
    for path in await converse(home):
        await page.goto(home.panel + path)
        await page.locator("[data-loading]").wait_for(state="detached", timeout=30_000)
        await open_all(page)
        findings[path] = await violations(page)
    home.forgive("404")
    assert {path: found for path, found in findings.items() if found} == {}


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["phone", "small"])
async def test_every_page_fits_a_phone_and_a_finger(home: Home, size: dict[str, int]) -> None:
    wide, small = {}, {}
    page = await home.page(size=size, locale="de-DE", has_touch=True)
    for path in await converse(home):
        await page.goto(home.panel + path)
        await page.locator("[data-loading]").wait_for(state="detached", timeout=30_000)
        await open_all(page)
        wide[path] = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
        small[path] = await page.evaluate(TOO_SMALL)
    home.forgive("404")
    assert {path: excess for path, excess in wide.items() if excess > 0} == {}
    assert {path: found for path, found in small.items() if found} == {}


async def test_pages_work_without_scripts(home: Home) -> None:
    await home.say("Turn on the ceiling light")
    page = await home.page("", java_script_enabled=False)
    await page.fill("input[name=q]", "<script> ../ ceiling")
    await page.press("input[name=q]", "Enter")
    assert await page.input_value("input[name=q]") == "<script> ../ ceiling"
    assert await page.locator(".turn-row").count() == 0
    await page.goto(home.panel + "settings")
    await page.fill("[name='settings.ha_assist_fuzzy_threshold']", "85")
    await page.click(".savebar .primary")
    assert home.services.settings.current.settings.ha_assist_fuzzy_threshold == 85


async def test_markup_in_a_name_is_text(home: Home) -> None:
    await home.say("Turn on the <b>Bold</b> Lamp")
    page = await home.page()
    await page.wait_for_selector(".turn-row")
    assert await page.locator(".turn-row .target").inner_text() == "<b>Bold</b> Lamp"
    await page.click("a.row")
    assert await page.locator("main b").count() == 0
    assert await page.locator("h1").inner_text() == "Turn on the <b>Bold</b> Lamp"


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["phone", "small"])
@pytest.mark.parametrize("path", ["models", "connect", "home", "week", "teach", "taught", "try"])
async def test_what_a_page_is_for_has_the_width_of_a_phone(home: Home, path: str, size: dict[str, int]) -> None:
    await home.say("Turn on the ceiling light")
    await home.kept(1)
    page = await home.page(path, size=size, locale="de-DE")
    box = await page.locator(".head > :first-child").first.bounding_box()
    assert box is not None
    assert box["width"] > size["width"] * 0.8
