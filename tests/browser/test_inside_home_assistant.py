"""In Home Assistant's own page: its colours, its language, its menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .axe import violations
from .conftest import PHONE, Home

if TYPE_CHECKING:
    from playwright.async_api import FrameLocator, Page

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

DARK = (
    "--primary-background-color: #102030; --card-background-color: #182838; --primary-text-color: #eeeeee; "
    "--primary-color: #ff9800"
)


DEFAULT = (
    "--primary-background-color: #fafafa; --card-background-color: #ffffff; --primary-text-color: #141414; "
    "--secondary-text-color: #5e5e5e; --primary-color: #009ac7; --app-header-background-color: #009ac7; "
    "--divider-color: rgba(0, 0, 0, .12); --success-color: #43a047; --warning-color: #ffa600; --error-color: #db4437"
)


def frame(page: Page) -> FrameLocator:
    return page.frame_locator("iframe")


async def colour(page: Page) -> str:
    text: str = await frame(page).locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
    return text


async def test_it_wears_the_theme_and_follows_its_changes(home: Home) -> None:
    home.ingress.theme = DARK
    await home.say("Turn on the ceiling light")
    await home.kept(1)
    page = await home.page(None, color_scheme="light")
    assert await frame(page).locator("h1").inner_text() == "Requests"
    assert await colour(page) == "rgb(16, 32, 48)"
    assert await frame(page).locator("html").get_attribute("data-theme") == "dark"
    await page.evaluate("document.documentElement.style.setProperty('--primary-background-color', '#fafafa')")
    await frame(page).locator("html[data-theme=light]").wait_for()
    assert await colour(page) == "rgb(250, 250, 250)"


@pytest.mark.parametrize("theme", [DEFAULT, DARK], ids=["default", "dark"])
@pytest.mark.parametrize("path", ["", "settings"])
async def test_a_theme_leaves_words_readable(home: Home, theme: str, path: str) -> None:
    home.ingress.theme, home.ingress.path = theme, path
    await home.say("Turn on the ceiling light")
    await home.say("What is the meaning of life?")
    page = await home.page(None)
    await frame(page).locator("h1").wait_for()
    assert await violations(page.frames[1]) == []


async def test_it_speaks_home_assistants_language(home: Home) -> None:
    home.ingress.language = "de"
    await home.say("Turn on the ceiling light")
    await home.kept(1)
    page = await home.page(None, locale="en-GB")
    await frame(page).locator("html[lang=de]").wait_for()
    assert await frame(page).locator("h1").inner_text() == "Anfragen"
    await frame(page).locator("a", has_text="Einstellungen").first.click()
    await frame(page).locator("h2", has_text="Datenschutz").wait_for()


async def test_the_first_start_opens_connect(home: Home) -> None:
    page = await home.page(None)
    await frame(page).locator("h1", has_text="Connect").wait_for()
    await frame(page).locator("#arrived >> text=Add the llama.cpp integration").wait_for()
    await frame(page).locator("nav a", has_text="Requests").click()
    await frame(page).locator("h1", has_text="Requests").wait_for()


async def test_the_menu_can_be_reached_on_a_phone(home: Home) -> None:
    page = await home.page(None, size=PHONE)
    await frame(page).locator("[data-menu]").click()
    await page.wait_for_function("window.toggled === 1")
    assert await frame(page).locator("html").evaluate("e => e.style.getPropertyValue('--inset-bottom')") == "21px"
    assert await violations(page.frames[1]) == []
    wide = await home.page(None)
    await frame(wide).locator("h1").wait_for()
    assert not await frame(wide).locator("[data-menu]").is_visible()
