"""Teaching by clicks alone: from a sentence that was missed to one that works, on a desk and on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .axe import violations
from .conftest import PHONE, WIDE, Home
from .test_pages import TOO_SMALL

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


class Teacher:
    """Somebody who clicks from step to step; each step has to be accessible and to fit."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.findings: list[object] = []
        self._seen: set[str] = set()

    async def look(self, what: str) -> None:
        """Each kind of page once: the next of its kind differs in words alone."""
        if what in self._seen:
            return
        self._seen.add(what)
        self.findings += await violations(self.page)
        self.findings += await self.page.evaluate(TOO_SMALL)
        if await self.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            self.findings.append(f"{self.page.url} is too wide")

    async def open_miss(self, home: Home, sentence: str) -> None:
        """From the list to the turn to the question what was meant."""
        await self.page.goto(home.panel, referer=home.panel)
        await self.page.click(f"a.row:has-text('{sentence}')")
        await self.page.click("text=What did you mean?")
        assert await self.page.input_value("#sentence") == sentence
        await self.look("first")

    async def choose_action(self, device: str, action: str) -> None:
        await self.page.check("input[name=kind][value=action]")
        await self.page.select_option("#target_action", label=device)
        await self.page.click("text=Next")
        await self.look("second amount" if action == "set_brightness" else "second")
        await self.page.check(f"input[name=choice][value={action}]")
        await self.page.click("text=Show what changes")

    async def choose_name(self, device: str) -> None:
        await self.page.check("input[name=kind][value=name]")
        await self.page.select_option("#target_name", label=device)
        await self.page.click("text=Next")

    async def choose_model(self) -> None:
        await self.page.check("input[name=kind][value=model]")
        await self.page.click("text=Next")

    async def save(self) -> None:
        await self.look("name" if await self.page.is_visible("text=is another name for") else "third")
        await self.page.click("button.primary:has-text('Save')")
        await self.page.wait_for_selector("[role=status] >> text=applies from now on")
        await self.look("taught name" if await self.page.is_visible("text=Better still") else "taught")


async def done(home: Home, sentence: str) -> list[str]:
    """The names of the tools that a sentence calls."""
    message = (await home.say(sentence))["choices"][0]["message"]
    return [call["function"]["name"].split("__")[-1] for call in message.get("tool_calls") or ()]


@pytest.mark.parametrize(("size", "theme"), [(WIDE, "light"), (PHONE, "dark")], ids=["wide-light", "phone-dark"])
async def test_five_misses_are_taught_by_clicks_alone(home: Home, size: dict[str, int], theme: str) -> None:
    misses = (
        "Movie night",
        "It is so gloomy around here today",
        "Turn on the flubberwock",
        "Tuck us all in",
        "Open sesame",
    )
    for sentence in misses:
        assert await done(home, sentence) == [], sentence
    await home.kept(len(misses))
    teacher = Teacher(await home.page(size=size, color_scheme=theme))
    await teacher.open_miss(home, "Movie night")
    await teacher.choose_action("Ceiling Light", "set_brightness")
    await teacher.save()
    await teacher.open_miss(home, "It is so gloomy around here today")
    await teacher.choose_action("All lights – Kitchen", "on")
    await teacher.save()
    await teacher.open_miss(home, "Turn on the flubberwock")
    await teacher.choose_name("<b>Bold</b> Lamp")
    await teacher.save()
    assert await teacher.page.locator("text=Better still in Home Assistant").is_visible()
    await teacher.open_miss(home, "Tuck us all in")
    await teacher.choose_action("Front Door", "lock")
    await teacher.save()
    await teacher.open_miss(home, "Open sesame")
    await teacher.choose_action("Front Door", "unlock")
    await teacher.save()
    assert teacher.findings == []
    assert [await done(home, sentence) for sentence in misses] == [
        ["HassLightSet"],
        ["HassTurnOn"],
        ["HassTurnOn"],
        ["HassTurnOn"],
        [],
    ]
    asked = (await home.say("Open sesame"))["choices"][0]["message"]["content"]
    assert "Front Door" in asked


@pytest.mark.parametrize(("size", "theme"), [(WIDE, "light"), (PHONE, "dark")], ids=["wide-light", "phone-dark"])
async def test_one_action_for_several_devices_by_clicks_alone(home: Home, size: dict[str, int], theme: str) -> None:
    assert await done(home, "Movie night") == []
    await home.kept(1)
    teacher = Teacher(await home.page(size=size, color_scheme=theme))
    await teacher.open_miss(home, "Movie night")
    page = teacher.page
    await page.click("text=Several at once")
    await page.check("label:has-text('Ceiling Light') input[name=more]")
    await page.check("label:has-text('Bold') input[name=more]")
    await teacher.look("several")
    await page.click("text=Next")
    await page.check("input[name=choice][value=set_brightness]")
    await page.click("text=Show what changes")
    assert await page.locator("tr.changed >> text=HassLightSet").count() == 2
    await teacher.save()
    assert teacher.findings == []
    assert await done(home, "Movie night") == ["HassLightSet", "HassLightSet"]


async def test_a_wrong_reading_is_put_right_and_taken_back(home: Home) -> None:
    sentence = "Turn on the ceiling light"
    assert await done(home, sentence) == ["HassTurnOn"]
    await home.kept(1)
    teacher = Teacher(await home.page())
    await teacher.open_miss(home, sentence)
    await teacher.choose_model()
    await teacher.save()
    assert await done(home, sentence) == []
    page = teacher.page
    await page.click("text=Remove")
    await page.wait_for_selector("[role=status] >> text=was removed")
    await teacher.look("removed")
    assert await done(home, sentence) == ["HassTurnOn"]
    await page.click("text=Put it back")
    await page.wait_for_selector("[role=status] >> text=applies from now on")
    assert await done(home, sentence) == []
    async with page.expect_download() as download:
        await page.click("text=Export")
    path = await (await download.value).path()
    assert "Turn on the ceiling light" in path.read_text(encoding="utf-8")
    assert teacher.findings == []


async def test_only_what_belongs_to_the_choice_is_shown(home: Home) -> None:
    await home.say("Movie night")
    await home.kept(1)
    page = await home.page("teach")
    assert await page.locator("#target_action").is_visible()
    assert not await page.locator("#alias").is_visible()
    await page.check("input[name=kind][value=name]")
    assert await page.locator("#alias").is_visible()
    assert not await page.locator("#target_action").is_visible()
    await page.check("input[name=kind][value=model]")
    assert not await page.locator("#target_name").is_visible()
    await page.click("text=Next")
    await page.wait_for_selector("[role=alert] >> text=Please write the sentence")
    assert await page.locator("input[name=kind][value=model]").is_checked()
    home.forgive("422")


async def test_a_lesson_outlives_a_restart_of_the_panel(home: Home) -> None:
    await home.say("Movie night")
    await home.kept(1)
    page = await home.page("teach")
    await page.fill("#sentence", "Film night")
    await page.check("input[name=kind][value=model]")
    await home.stop_panel()
    await home.start_panel()
    await page.click("text=Next")
    await page.wait_for_selector("[role=alert] >> text=was restarted")
    assert await page.input_value("#sentence") == "Film night"
    await page.click("text=Next")
    await page.click("button.primary:has-text('Save')")
    await page.wait_for_selector("[role=status] >> text=Film night")
    home.forgive("403")
