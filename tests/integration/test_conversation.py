"""The conversation agent and the AI task, between a real Home Assistant and a server that answers as told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pytest_homeassistant_custom_component", reason="needs Home Assistant and its test fixtures")

import voluptuous as vol
from aiohttp import web
from homeassistant.components import ai_task, conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import (
    area_registry as ar,
)
from homeassistant.helpers import (
    device_registry as dr,
)
from homeassistant.helpers import (
    entity_registry as er,
)
from homeassistant.helpers import (
    floor_registry as fr,
)
from homeassistant.helpers import (
    selector,
)
from homeassistant.setup import async_setup_component

from tests.integration.server import BREAK, FakeServer, called, delta, refused, said

AGENT = "conversation.ha_assist"
TASK = "ai_task.ha_assist_ai_task"

# Home Assistant has warnings of its own.
pytestmark = pytest.mark.filterwarnings("default")


async def say(hass: Any, text: str, conversation_id: str | None = None, **more: Any) -> Any:
    given = {"language": "en", **more}
    return await conversation.async_converse(hass, text, conversation_id, Context(), agent_id=AGENT, **given)


def speech(result: Any) -> str:
    return str(result.response.speech["plain"]["speech"])


@pytest.fixture
async def house(home: Any, entry: Any) -> Any:
    """Two floors, a kitchen with a switch, a bedroom with an unexposed one, and a sensor in no room."""
    floors, areas, entities = fr.async_get(home), ar.async_get(home), er.async_get(home)
    ground = floors.async_create("Ground Floor", aliases={"downstairs"})
    floors.async_create("First Floor")
    kitchen = areas.async_create("Kitchen", aliases={"Galley"}, floor_id=ground.floor_id)
    areas.async_create("Bedroom")
    switches = {"kettle": {"name": "Kettle"}, "secret": {"name": "Secret"}}
    assert await async_setup_component(home, "input_boolean", {"input_boolean": switches})
    assert await async_setup_component(home, "intent", {})
    entities.async_update_entity("input_boolean.kettle", area_id=kitchen.id, aliases=[er.COMPUTED_NAME, "Water Boiler"])
    home.states.async_set(
        "sensor.outside",
        "7.5",
        {"friendly_name": "Outside", "device_class": "temperature", "unit_of_measurement": "°C"},
    )
    members = ["input_boolean.kettle", "input_boolean.secret"]
    home.states.async_set("light.group", "off", {"friendly_name": "All Lights", "entity_id": members, "icon": "mdi:x"})
    home.states.async_set("calendar.family", "off", {"friendly_name": "Family"})
    for entity_id in home.states.async_entity_ids():
        async_expose_entity(home, "conversation", entity_id, entity_id != "input_boolean.secret")
    return home


class TestAnswers:
    async def test_text_in_pieces(self, house: Any, server: FakeServer) -> None:
        server.answers = [said("Paris.")]
        result = await say(house, "What is the capital of France?")
        assert speech(result) == "Paris."
        assert not result.continue_conversation
        (asked,) = server.asked
        assert (asked["model"], asked["stream"]) == ("HA-Assist", True)
        assert asked["user"] == result.conversation_id
        assert [message["role"] for message in asked["messages"]] == ["system", "user"]
        assert any(tool["function"]["name"].endswith("HassTurnOn") for tool in asked["tools"])

    async def test_home_assistant_runs_what_is_called(self, house: Any, server: FakeServer) -> None:
        server.answers = [said("x")]
        await say(house, "x")
        name = next(
            tool["function"]["name"]
            for tool in server.asked.pop()["tools"]
            if tool["function"]["name"].endswith("HassTurnOn")
        )
        server.answers = [called(name, name="Kettle"), said("Done.")]
        assert speech(await say(house, "turn on the kettle")) == "Done."
        assert house.states.get("input_boolean.kettle").state == "on"
        before, after = server.asked
        call, result = after["messages"][-2:]
        assert (call["content"], call["tool_calls"][0]["function"]["name"]) == (None, name)
        assert json.loads(call["tool_calls"][0]["function"]["arguments"]) == {"name": "Kettle"}
        assert result["tool_call_id"] == "call_1"
        told = json.loads(result["content"])
        # Before 2026.10 a result had no envelope.
        assert (told if "response_type" in told else told["data"])["response_type"] == "action_done"
        states = [
            next(one["state"] for one in asked["ha_context"]["entities"] if one["name"] == "Kettle")
            for asked in (before, after)
        ]
        assert states == ["off", "on"]

    async def test_a_call_in_pieces(self, house: Any, server: FakeServer) -> None:
        def piece(**function: str) -> Any:
            return delta(tool_calls=[{"index": 0, "id": "call_1", "function": function}])

        first = [delta(role="assistant"), piece(name="no_such_tool", arguments='{"a"'), piece(arguments=": 1}")]
        server.answers = [[*first, delta("tool_calls")], said("No.")]
        assert speech(await say(house, "x")) == "No."
        (call,) = server.asked[1]["messages"][-2]["tool_calls"]
        assert json.loads(call["function"]["arguments"]) == {"a": 1}

    async def test_a_question_keeps_the_conversation_open(self, house: Any, server: FakeServer) -> None:
        server.answers = [said("Which one?"), said("Done.")]
        first = await say(house, "turn on the light")
        assert first.continue_conversation
        second = await say(house, "the kettle", first.conversation_id)
        assert not second.continue_conversation
        assert [message["content"] for message in server.asked[1]["messages"][1:]] == [
            "turn on the light",
            "Which one?",
            "the kettle",
        ]

    async def test_thoughts_are_not_spoken(self, house: Any, server: FakeServer) -> None:
        server.answers = [[delta(role="assistant", reasoning_content="Hm."), delta(content="Yes."), delta("stop")]]
        assert speech(await say(house, "x")) == "Yes."


class TestErrors:
    @pytest.mark.parametrize(
        ("answer", "spoken"),
        [
            (refused(503, "The language model is busy."), "The language model is busy."),
            ([delta(content="One"), {"error": {"message": "The model broke."}}], "The model broke."),
            ([delta(content="One")], "The answer of HA-Assist broke off."),
            (["{"], "The answer of HA-Assist broke off."),
            ([delta(role="assistant", content=""), delta("stop")], "HA-Assist gave no answer."),
        ],
    )
    async def test_are_spoken(self, house: Any, server: FakeServer, answer: Any, spoken: str) -> None:
        server.answers = [answer]
        result = await say(house, "x")
        assert (result.response.response_type.value, speech(result)) == ("error", spoken)

    async def test_are_spoken_in_the_language_of_the_conversation(self, house: Any, server: FakeServer) -> None:
        server.answers = [[]]
        assert speech(await say(house, "x", language="de")) == "Die Antwort von HA-Assist ist abgebrochen."

    async def test_a_lost_server(self, house: Any, entry: Any, server: FakeServer) -> None:
        entry.runtime_data.client.url = "http://127.0.0.1:9"
        assert speech(await say(house, "x")) == "HA-Assist cannot be reached right now."

    async def test_a_wrong_key_is_asked_for(self, house: Any, entry: Any, server: FakeServer) -> None:
        server.key = "another"
        assert "key" in speech(await say(house, "x"))
        await house.async_block_till_done()
        assert [flow["context"]["source"] for flow in house.config_entries.flow.async_progress()] == ["reauth"]

    async def test_calls_without_end_end(self, house: Any, server: FakeServer) -> None:
        server.answers = [called("no_such_tool", f"call_{number}") for number in range(20)]
        assert speech(await say(house, "x")) == "HA-Assist came to no end with this."
        assert len(server.asked) == 10


class TestHomeContext:
    async def told(self, hass: Any, server: FakeServer, **more: Any) -> Any:
        server.answers = [said("x")]
        await say(hass, "x", **more)
        return server.asked[-1].get("ha_context")

    async def test_floors_areas_and_exposed_entities(self, house: Any, server: FakeServer) -> None:
        told = await self.told(house, server)
        assert (told["language"], told["timezone"]) == ("en", house.config.time_zone)
        assert told["floors"] == [
            {"name": "Ground Floor", "aliases": ["downstairs"]},
            {"name": "First Floor", "aliases": []},
        ]
        assert told["areas"] == [
            {"name": "Kitchen", "aliases": ["Galley"], "floor": "Ground Floor"},
            {"name": "Bedroom", "aliases": [], "floor": None},
        ]
        entities = {one["name"]: one for one in told["entities"]}
        assert set(entities) >= {"Kettle", "Outside", "All Lights"}
        assert not set(entities) & {"Secret", "Family"}
        assert entities["Kettle"] == {
            "name": "Kettle",
            "domain": "input_boolean",
            "state": "off",
            "aliases": ["Water Boiler"],
            "area": "Kitchen",
        }
        assert entities["Outside"] == {
            "name": "Outside",
            "domain": "sensor",
            "state": "7.5",
            "device_class": "temperature",
            "attributes": {"unit_of_measurement": "°C"},
        }
        assert entities["All Lights"]["members"] == ["Kettle"]
        assert "attributes" not in entities["All Lights"]

    async def test_each_name_is_one_of_the_prompt(self, house: Any, server: FakeServer) -> None:
        told = await self.told(house, server)
        system = server.asked[-1]["messages"][0]["content"]
        for one in told["entities"]:
            assert f"names: {', '.join([one['name'], *one.get('aliases', [])])}\n" in system

    async def test_follows_the_registries(self, house: Any, server: FakeServer) -> None:
        await self.told(house, server)
        er.async_get(house).async_update_entity("input_boolean.kettle", name="Teapot", area_id=None)
        fr.async_get(house).async_create("Attic")
        async_expose_entity(house, "conversation", "sensor.outside", False)
        await house.async_block_till_done()
        told = await self.told(house, server)
        names = {one["name"]: one for one in told["entities"]}
        assert "Teapot" in names
        assert "area" not in names["Teapot"]
        assert not {"Kettle", "Outside"} & set(names)
        assert [floor["name"] for floor in told["floors"]][-1] == "Attic"

    async def test_where_the_person_speaks(self, house: Any, entry: Any, server: FakeServer) -> None:
        kitchen = ar.async_get(house).async_get_area_by_name("Kitchen")
        devices = dr.async_get(house)
        device = devices.async_get_or_create(config_entry_id=entry.entry_id, identifiers={("ha_assist", "satellite")})
        devices.async_update_device(device.id, area_id=kitchen.id)
        told = await self.told(house, server, device_id=device.id)
        assert told["satellite"] == {"area": "Kitchen", "floor": "Ground Floor"}
        assert "satellite" not in await self.told(house, server)

    @pytest.mark.parametrize(
        ("spoken", "told"), [("en-GB", "en"), ("de", "de"), ("de-CH", "de-CH"), ("de-AT", "de"), ("no", "nb")]
    )
    async def test_language_of_the_sentence_package(
        self, house: Any, server: FakeServer, spoken: str, told: str
    ) -> None:
        assert (await self.told(house, server, language=spoken))["language"] == told

    @pytest.mark.parametrize(("apis", "kinds"), [([], set()), (["assist"], {"floors", "areas", "entities"})])
    async def test_home_only_where_the_agent_may_see_it(
        self, house: Any, entry: Any, server: FakeServer, apis: list[str], kinds: set[str]
    ) -> None:
        await self.change(house, entry, {"llm_hass_api": apis, "send_home": True})
        assert set(await self.told(house, server)) == {"language", "timezone"} | kinds
        assert ("tools" in server.asked[-1]) == bool(apis)

    async def test_can_be_turned_off(self, house: Any, entry: Any, server: FakeServer) -> None:
        await self.change(house, entry, {"llm_hass_api": ["assist"], "send_home": False})
        assert await self.told(house, server) is None

    async def change(self, hass: Any, entry: Any, data: dict[str, Any]) -> None:
        subentry = next(one for one in entry.subentries.values() if one.subentry_type == "conversation")
        hass.config_entries.async_update_subentry(entry, subentry, data=data)
        await hass.async_block_till_done()


class TestTask:
    STRUCTURE = vol.Schema(
        {
            vol.Required("count"): selector.NumberSelector({"min": 0, "max": 20}),
            vol.Optional("mood"): selector.SelectSelector({"options": ["calm", "busy"]}),
            vol.Optional("tags"): selector.TextSelector({"multiple": True}),
        }
    )

    async def run(self, hass: Any, **more: Any) -> Any:
        result = await ai_task.async_generate_data(
            hass, task_name="A Task!", entity_id=TASK, instructions="Count them.", **more
        )
        return result.data

    async def test_text(self, home: Any, entry: Any, server: FakeServer) -> None:
        server.answers = [said("A haiku.")]
        assert await self.run(home) == "A haiku."
        assert "response_format" not in server.asked[0]

    async def test_data(self, home: Any, entry: Any, server: FakeServer) -> None:
        server.answers = [said('{"count": 2, "mood": "calm", "tags": null}')]
        assert await self.run(home, structure=self.STRUCTURE) == {"count": 2, "mood": "calm"}
        form = server.asked[0]["response_format"]["json_schema"]
        assert (form["name"], form["strict"]) == ("A Task!", True)
        assert form["schema"] == {
            "type": "object",
            "properties": {
                "count": {"type": "number", "minimum": 0.0, "maximum": 20.0},
                "mood": {"type": ["string", "null"], "enum": ["calm", "busy", None]},
                "tags": {"type": ["array", "null"], "items": {"type": "string"}},
            },
            "required": ["count", "mood", "tags"],
            "additionalProperties": False,
        }

    @pytest.mark.parametrize(
        "text",
        [
            "two",
            "[]",
            '"two"',
            "{}",
            '{"count": null}',
            '{"count": "many"}',
            '{"count": 21}',
            '{"count": 1, "x": 1}',
            '{"count": 1, "mood": "odd"}',
            '{"count": 1',
        ],
    )
    async def test_what_does_not_fit_is_an_error(self, home: Any, entry: Any, server: FakeServer, text: str) -> None:
        server.answers = [said(text)]
        with pytest.raises(HomeAssistantError, match="structure"):
            await self.run(home, structure=self.STRUCTURE)

    async def test_refusal_is_an_error(self, home: Any, entry: Any, server: FakeServer) -> None:
        server.answers = [refused(400, "This needs a language model, and none is set up.")]
        with pytest.raises(HomeAssistantError, match="none is set up"):
            await self.run(home)

    async def test_images(self, home: Any, entry: Any, server: FakeServer, tmp_path: Path) -> None:
        home.config.media_dirs["local"] = str(tmp_path)
        (tmp_path / "a.png").write_bytes(b"picture")
        server.answers = [said('{"count": 1, "mood": null, "tags": null}')]
        attachment = {"media_content_id": "media-source://media_source/local/a.png", "media_content_type": "image/png"}
        assert await self.run(home, structure=self.STRUCTURE, attachments=[attachment]) == {"count": 1}
        image, text = server.asked[0]["messages"][-1]["content"]
        assert image["image_url"]["url"] == "data:image/png;base64,cGljdHVyZQ=="
        assert text == {"type": "text", "text": "Count them."}

    async def test_other_files_are_refused(self, home: Any, entry: Any, server: FakeServer, tmp_path: Path) -> None:
        home.config.media_dirs["local"] = str(tmp_path)
        (tmp_path / "a.mp3").write_bytes(b"sound")
        attachment = {"media_content_id": "media-source://media_source/local/a.mp3", "media_content_type": "audio/mpeg"}
        with pytest.raises(HomeAssistantError, match=r"a\.mp3"):
            await self.run(home, attachments=[attachment])
        assert not server.asked


LONG = "x" * 300


class TestWhatDoesNotFit:
    async def test_names_that_are_too_long_are_left_out(self, house: Any, server: FakeServer) -> None:
        floors, areas = fr.async_get(house), ar.async_get(house)
        attic = floors.async_create(f"Floor {LONG}", aliases={LONG})
        areas.async_create(f"Area {LONG}", aliases={LONG, "Loft"}, floor_id=attic.floor_id)
        areas.async_create("Study", aliases={LONG, "Library"}, floor_id=attic.floor_id)
        house.states.async_set("sensor.odd", "1", {"friendly_name": "Odd", "device_class": "y" * 100})
        async_expose_entity(house, "conversation", "sensor.odd", True)
        server.answers = [said("Fine.")]
        await say(house, "x")
        told = server.asked[0]["ha_context"]
        assert LONG not in json.dumps(told)
        assert next(area for area in told["areas"] if area["name"] == "Study")["aliases"] == ["Library"]
        assert "device_class" not in next(one for one in told["entities"] if one["name"] == "Odd")

    async def test_what_the_server_cannot_use_is_asked_without(self, house: Any, server: FakeServer) -> None:
        message = "The ha_context of this request cannot be used: ha_context.areas.0.name: it is too long."
        server.answers = [refused(400, message, "ha_context.areas.0.name"), said("Fine.")]
        assert speech(await say(house, "x")) == "Fine."
        first, second = server.asked
        assert "ha_context" in first
        assert second == {key: value for key, value in first.items() if key != "ha_context"}

    async def test_another_refusal_is_said(self, house: Any, server: FakeServer) -> None:
        server.answers = [refused(400, "This is too long.", "messages")]
        assert speech(await say(house, "x")) == "This is too long."
        assert len(server.asked) == 1


class TestMalformed:
    @pytest.mark.parametrize(
        "chunk",
        [
            {"choices": {}},
            {"choices": ["x"]},
            {"choices": [{"delta": []}]},
            {"choices": [{"delta": {"content": 5}}]},
            {"choices": [{"delta": {"tool_calls": {}}}]},
            {"choices": [{"delta": {"tool_calls": [5]}}]},
            {"choices": [{"delta": {"tool_calls": [{"index": "a"}]}}]},
            {"choices": [{"delta": {"tool_calls": [{"function": "x"}]}}]},
            {"choices": [{"delta": {"tool_calls": [{"function": {"name": "x", "arguments": {}}}]}}]},
        ],
    )
    async def test_a_chunk_is_an_answer_that_broke_off(self, house: Any, server: FakeServer, chunk: Any) -> None:
        server.answers = [[chunk, delta("stop")]]
        assert speech(await say(house, "x")) == "The answer of HA-Assist broke off."

    async def test_a_break_in_the_middle_and_a_proxy_are_told_apart(self, house: Any, server: FakeServer) -> None:
        server.answers = [[delta(content="Once "), BREAK], web.Response(status=502, text="<html>Bad Gateway</html>")]
        assert speech(await say(house, "x")) == "The answer of HA-Assist broke off."
        assert "what stands before it" in speech(await say(house, "x"))


class TestRemovedMeanwhile:
    async def test_a_turn_of_a_removed_entry_ends(self, house: Any, entry: Any, server: FakeServer) -> None:
        async def remove() -> None:
            await house.config_entries.async_remove(entry.entry_id)

        server.before = remove
        server.answers = [called("no_such_tool"), said("Done.")]
        assert speech(await say(house, "x")) == "Done."

    async def test_a_wrong_key_of_a_removed_entry_asks_for_none(
        self, house: Any, entry: Any, server: FakeServer
    ) -> None:
        async def remove() -> None:
            await house.config_entries.async_remove(entry.entry_id)
            server.key = "another"

        server.before = remove
        server.answers = [called("no_such_tool")]
        assert "does not accept the key" in speech(await say(house, "x"))
        assert not house.config_entries.flow.async_progress()
