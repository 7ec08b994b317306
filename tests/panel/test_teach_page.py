"""Teaching in the panel: three steps, nothing kept before its consequences were shown, and everything taken back."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest

from ha_assist_addon.conversation import CallEvent
from ha_assist_addon.pipeline.run import run
from ha_assist_addon.trace.trace import Trace
from ha_assist_addon.wire.chat import parse_chat
from tests.support.house import House, body, thing

from .conftest import Add, Panel

HOME = House(
    (
        thing("Floor <Lamp>", "light", "Living Room"),
        thing("Ceiling Light", "light", "Living Room"),
        thing("Front Door", "lock", "Hall"),
        thing("Back Door", "lock", "Kitchen"),
        thing("Radio", "media_player", "Kitchen"),
        thing("Twin", "switch", "Kitchen"),
        thing("Twin", "switch", "Kitchen"),
    ),
    satellite="Living Room",
)
LAMP = json.dumps({"name": "Floor <Lamp>", "domain": "light", "area": "Living Room"}, separators=(",", ":"))
RADIO = json.dumps({"name": "Radio", "domain": "media_player", "area": "Kitchen"}, separators=(",", ":"))
BACK_DOOR = json.dumps({"name": "Back Door", "domain": "lock", "area": "Kitchen"}, separators=(",", ":"))
DOOR = json.dumps({"name": "Front Door", "domain": "lock", "area": "Hall"}, separators=(",", ":"))


def missed(add: Add, sentence: str, **more: Any) -> str:
    """A sentence that was not understood in this home; its id."""
    more = {"reason": "not_recognised", **more}
    return add(sentence, request=json.dumps(body(HOME, sentence)).encode(), **more).id


async def calls(panel: Panel, sentence: str) -> list[tuple[str, dict[str, Any]]]:
    """What the same server does with a sentence now."""
    events = run(parse_chat(body(HOME, sentence)).chat, panel.services, Trace("HA-Assist"))
    made = [event.call async for event in events if isinstance(event, CallEvent)]
    return [(call.name.split("__")[-1], dict(call.arguments)) for call in made]


def fields(page: str) -> dict[str, str]:
    """The hidden fields of a page's form."""
    form = page[page.index('action="./teach"') :]
    pairs = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form)
    return {name: html.unescape(value) for name, value in pairs if name != "token"}


async def teach(panel: Panel, **typed: str) -> str:
    """All steps to the end; the page of what was taught."""
    shown = await panel.post("teach", {"do": "third", **typed})
    return await panel.post("teach", {**fields(shown), "do": "save"})


async def test_a_miss_is_taught_step_by_step_and_applies_at_once(panel: Panel, add: Add) -> None:
    identity = missed(add, "Movie night")
    assert f'href="../teach?request={identity}"' in await panel.get(f"requests/{identity}")
    assert f'href="./teach?request={identity}"' in await panel.get("week")
    first = await panel.get(f"teach?request={identity}")
    assert 'value="Movie night"' in first
    assert f'<option value="{html.escape(LAMP)}"'.replace("&quot;", "&#34;") in first
    second = await panel.post(
        "teach", {**fields(first), "sentence": "Movie night", "kind": "action", "target_action": LAMP, "do": "next"}
    )
    assert 'value="set_brightness"' in second
    assert 'value="unlock"' not in second
    third = await panel.post(
        "teach", {**fields(second), "choice": "set_brightness", "amount_set_brightness": "20", "do": "third"}
    )
    assert "Set the brightness: 20" in third
    assert "Floor &lt;Lamp&gt;" in third
    assert "HassLightSet" in third
    assert await calls(panel, "Movie night") == []
    taught = await panel.post("teach", {**fields(third), "do": "save"})
    assert "“Movie night” is saved" in taught
    [(intent, arguments)] = await calls(panel, "movie night!")
    assert (intent, arguments["name"], arguments["brightness"]) == ("HassLightSet", "Floor <Lamp>", 20)
    assert await panel.services.traces.count() == 1, "nothing was recorded"


async def test_one_action_is_taught_for_several_devices(panel: Panel, add: Add) -> None:
    missed(add, "Good night")
    typed = {"sentence": "Good night", "kind": "action", "target_action": LAMP, "more": f"{RADIO}\n{LAMP}"}
    second = await panel.post("teach", {**typed, "do": "next"})
    offered = re.findall(r'name="choice" value="(\w+)"', second)
    assert "off" in offered
    assert "set_brightness" not in offered, "the radio has none"
    third = await panel.post("teach", {**fields(second), "choice": "off", "do": "third"})
    assert "Turn off – Floor &lt;Lamp&gt;" in third
    assert third.count("HassTurnOff") == 2
    taught = await panel.post("teach", {**fields(third), "do": "save"})
    assert "“Good night” is saved" in taught
    assert [one["name"] for _, one in await calls(panel, "Good night")] == ["Floor <Lamp>", "Radio"]
    [lesson] = panel.services.taught.current.sentences
    again = await panel.get(f"teach?entry={lesson.id}")
    assert len(re.findall(r'type="checkbox" name="more" value="[^"]*" checked', again)) == 2


async def test_what_opens_is_not_offered_for_several(panel: Panel, add: Add) -> None:
    missed(add, "I am home")
    typed = {"sentence": "I am home", "kind": "action"}
    alone = await panel.post("teach", {**typed, "target_action": DOOR, "do": "next"})
    assert 'value="unlock"' in alone
    both = await panel.post("teach", {**typed, "target_action": DOOR, "more": BACK_DOOR, "do": "next"})
    assert 'value="lock"' in both
    assert 'value="unlock"' not in both
    many = "\n".join(LAMP.replace("Lamp", str(n)) for n in range(13))
    shown = await panel.post("teach", {**typed, "more": many, "do": "next"}, status=422)
    assert "at most 12 devices" in shown
    shown = await panel.post("teach", {**typed, "target_action": DOOR, "more": LAMP, "do": "next"}, status=422)
    assert "no action that all of these can do" in shown


async def test_every_stored_sentence_that_changes_is_told(panel: Panel, add: Add) -> None:
    missed(add, "Turn on the beacon")
    missed(add, "Is the beacon on?")
    missed(add, "Turn on the radio", reason="exact_match")
    shown = await panel.post("teach", {"do": "next", "kind": "name", "alias": "beacon", "target_name": LAMP})
    assert "2 more stored sentences change" in shown
    assert "Tried with 3 of 3" in shown
    assert "add “beacon”" in shown
    assert shown.index("Turn on the beacon") < shown.index("The most similar stored sentences")
    await panel.post("teach", {**fields(shown), "do": "save"})
    [(_, arguments)] = await calls(panel, "Turn on the beacon")
    assert arguments["name"] == "Floor <Lamp>"


async def test_the_ten_nearest_are_shown(panel: Panel, add: Add) -> None:
    for number in range(14):
        missed(add, f"Turn on the radio {number}" if number < 12 else f"Something else {number}")
    shown = await panel.post(
        "teach", {"do": "third", "sentence": "Turn on the radio please now", "target": LAMP, "choice": "on"}
    )
    nearest = shown[shown.index("The most similar stored sentences") :]
    assert nearest.count("<tr") == 11
    assert "Something else" not in nearest


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"sentence": "(a|b) on", "target": LAMP, "choice": "on"}, "Brackets and bars"),
        ({"sentence": "", "target": LAMP, "choice": "on"}, "Please write the sentence"),
        ({"sentence": "x" * 300, "target": LAMP, "choice": "on"}, "at most 200"),
        ({"sentence": "Yes", "target": LAMP, "choice": "on"}, "must stay an answer"),
        ({"sentence": "Movie night", "choice": "on"}, "Please choose a device"),
        ({"sentence": "Movie night", "target": "{", "choice": "on"}, "Please choose a device"),
        ({"sentence": "Movie night", "target": LAMP, "choice": "unlock"}, "choose what should happen"),
        ({"sentence": "Movie night", "target": DOOR, "choice": "toggle"}, "choose what should happen"),
        ({"sentence": "Movie night", "target": LAMP, "choice": "set_brightness", "amount": "1e9"}, "from 0 to 100"),
        ({"sentence": "Movie night", "target": LAMP, "choice": "set_brightness", "amount": "nan"}, "from 0 to 100"),
        ({"sentence": "Movie night", "target": LAMP, "choice": "set_colour", "colour": "octarine"}, "from 0 to 100"),
        (
            {"sentence": "Movie night", "target": LAMP.replace("Floor", "Wall"), "choice": "on"},
            "does not offer this action",
        ),
        ({"kind": "name", "alias": "radio", "target": LAMP}, "already the name of “Radio”"),
        ({"kind": "name", "alias": "Kitchen", "target": LAMP}, "already the name of “Kitchen”"),
        ({"kind": "name", "alias": "ceiling light", "target": LAMP}, "already the name of “Ceiling Light”"),
        ({"kind": "name", "alias": "floor <lamp>", "target": LAMP}, "Brackets and commas"),
        ({"kind": "name", "alias": "light", "target": LAMP}, "ordinary word"),
        ({"kind": "name", "alias": "turn off", "target": LAMP}, "ordinary word"),
        ({"kind": "name", "alias": "Beacon", "target": '{"name":"Nowhere"}'}, "“Nowhere” is not in this home"),
        (
            {"kind": "name", "alias": "Beacon", "target": '{"name":"Twin","domain":"switch","area":"Kitchen"}'},
            "Several devices are called “Twin”",
        ),
        ({"kind": "name", "alias": "", "target": LAMP}, "Please write the name"),
        ({"kind": "name", "alias": "Beacon"}, "Please choose a device"),
    ],
)
async def test_what_cannot_be_taught_is_refused_with_a_sentence(
    panel: Panel, add: Add, typed: dict[str, str], said: str
) -> None:
    missed(add, "Movie night")
    page = await panel.post("teach", {"do": "save", **typed}, status=422)
    assert said in html.unescape(page)
    assert not panel.services.taught.current.sentences + panel.services.taught.current.aliases


async def test_what_opens_is_asked_first_also_in_the_dry_run(panel: Panel, add: Add) -> None:
    missed(add, "I am home")
    shown = await panel.post("teach", {"do": "third", "sentence": "I am home", "target": DOOR, "choice": "unlock"})
    assert "asks back" in shown
    await panel.post("teach", {**fields(shown), "do": "save"})
    assert await calls(panel, "I am home") == []


async def test_a_lesson_is_changed_handed_out_removed_and_put_back(panel: Panel, add: Add) -> None:
    missed(add, "Movie night")
    await teach(panel, sentence="Movie night", target=LAMP, choice="on")
    await teach(panel, kind="name", alias="Beacon", target=LAMP)
    await teach(panel, kind="model", sentence="Tell me a tale")
    sentence, tale = panel.services.taught.current.sentences
    page = await panel.get("taught")
    for shown in ("Movie night", "Beacon", "is left to the language model"):
        assert shown in page
    form = await panel.get(f"teach?entry={sentence.id}")
    assert fields(form)["choice"] == "on"
    await teach(panel, **{**fields(form), "sentence": "Film night", "target": LAMP, "choice": "off"})
    assert [one.sentence for one in panel.services.taught.current.sentences] == ["Film night", "Tell me a tale"]
    exported = await panel.get("taught/export")
    assert "sentence: Film night" in exported
    removed = await panel.post("taught/remove", {"id": sentence.id, "revision": panel.services.taught.revision})
    assert "“Film night” was removed" in removed
    assert panel.services.taught.current.sentences == (tale,)
    lesson = html.unescape(re.findall(r'name="lesson" value="([^"]*)"', removed)[0])
    await panel.post("taught/restore", {"lesson": lesson, "revision": panel.services.taught.revision})
    assert [one.sentence for one in panel.services.taught.current.sentences] == ["Tell me a tale", "Film night"]


async def test_two_that_teach_at_once_overwrite_nothing(panel: Panel, add: Add) -> None:
    missed(add, "Movie night")
    shown = await panel.post("teach", {"do": "third", "sentence": "Movie night", "target": LAMP, "choice": "on"})
    await teach(panel, sentence="Another", target=LAMP, choice="off")
    page = await panel.post("teach", {**fields(shown), "do": "save"}, status=409)
    assert "Nothing was saved" in page
    await panel.post("teach", {**fields(page), "do": "save"})
    assert len(panel.services.taught.current.sentences) == 2
    page = await panel.post("taught/remove", {"id": "nothing"})
    assert "What you taught" in page
    identity = panel.services.taught.current.sentences[0].id
    assert "Nothing was saved" in await panel.post("taught/remove", {"id": identity, "revision": "x"}, status=409)


async def test_what_is_no_lesson_is_not_put_back(panel: Panel) -> None:
    for lesson in ("", "{}", "[" * 3000, '{"id":"0000000a","sentence":"{x}","model":true}'):
        await panel.post("taught/restore", {"lesson": lesson}, status=422)


async def test_without_any_request_the_example_home_is_taught_in(panel: Panel) -> None:
    page = await panel.get("teach")
    assert 'name="sentence"' in page
    assert "Nothing taught yet" in await panel.get("taught")


async def test_the_name_that_was_not_known_stands_in_its_field(panel: Panel, add: Add) -> None:
    identity = missed(add, "Turn on the flubberwock")
    assert 'name="alias" id="alias" value="flubberwock"' in await panel.get(f"teach?request={identity}")


async def test_a_sentence_with_markup_stays_text(panel: Panel, add: Add) -> None:
    identity = missed(add, "<script>alert(1)</script> night")
    page = await panel.get(f"teach?request={identity}")
    assert "<script>alert" not in page
    assert await panel.post("teach", {"do": "save", "sentence": "<b>", "target": LAMP, "choice": "on"}, status=422)


async def test_what_does_nothing_any_more_is_told(panel: Panel, add: Add) -> None:
    missed(add, "Movie night")
    await teach(panel, sentence="Movie night", target=LAMP, choice="on")
    await teach(panel, kind="name", alias="Beacon", target=LAMP)
    assert "Does nothing at the moment" not in await panel.get("taught")
    other = House((thing("Beacon", "switch", "Kitchen"), thing("Ceiling Light", "light", "Kitchen")))
    add("Turn on the beacon", request=json.dumps(body(other, "Turn on the beacon")).encode())
    page = await panel.get("taught")
    assert page.count("Does nothing at the moment") == 2
    assert "“Floor &lt;Lamp&gt;” is not in this home." in page


async def test_the_words_around_an_unknown_name_are_left_out(panel: Panel, add: Add) -> None:
    identity = missed(add, "Please turn the flubberwock off")
    assert 'name="alias" id="alias" value="flubberwock"' in await panel.get(f"teach?request={identity}")
