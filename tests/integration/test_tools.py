"""The tools in a real Home Assistant: what is offered, what is read, and what stays hidden."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

pytest.importorskip("pytest_homeassistant_custom_component", reason="needs Home Assistant and its test fixtures")

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, SupportsResponse
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.components.recorder.common import async_wait_recording_done

from tests.integration.server import FakeServer, said

# Home Assistant has warnings of its own.
pytestmark = pytest.mark.filterwarnings("default")

API = "ha_assist_tools"


def context(user: str | None = None) -> llm.LLMContext:
    return llm.LLMContext("test", Context(user_id=user), "en", "conversation", None)


async def offered(hass: Any, user: str | None = None) -> llm.APIInstance:
    return await llm.async_get_api(hass, API, context(user))


async def call(hass: Any, tool: str, user: str | None = None, **arguments: Any) -> dict[str, Any]:
    instance = await offered(hass, user)
    result = await instance.async_call_tool(llm.ToolInput(f"ha_assist__{tool}", arguments))
    return result if isinstance(result, dict) else result.data


@pytest.fixture(autouse=True)
def _integration(recorder_db_url: str, enable_custom_integrations: None) -> None:
    """The integration can be loaded, and a recorder prepared before Home Assistant is."""


@pytest.fixture
async def recording(recorder_mock: Any, home: Any, entry: Any) -> Any:
    """A home with a recorder."""
    return home


def show(hass: Any, entity_id: str, state: str, exposed: bool = True, **attributes: Any) -> None:
    hass.states.async_set(entity_id, state, attributes)
    async_expose_entity(hass, "conversation", entity_id, exposed)


@pytest.fixture
def weather(home: Any, entry: Any) -> list[str]:
    """A weather service that tells of days and hours; returns what it was asked."""
    asked: list[str] = []

    async def forecasts(call: Any) -> dict[str, Any]:
        kind = call.data["type"]
        asked.append(kind)
        assert call.context.id
        start = dt_util.start_of_local_day()
        step = timedelta(days=1) if kind == "daily" else timedelta(hours=1)
        listed = [
            {"datetime": dt_util.as_utc(start + step * n).isoformat(), "condition": "rainy", "temperature": 9 - n,
             "templow": 1, "uv_index": 3}
            for n in range(3)
        ]  # fmt: skip
        return {"weather.home": {"forecast": listed}}

    home.services.async_register("weather", "get_forecasts", forecasts, supports_response=SupportsResponse.ONLY)
    show(home, "weather.home", "sunny", friendly_name="Home", supported_features=3, temperature=7.5,
         temperature_unit="°C")  # fmt: skip
    return asked


class TestOffer:
    async def test_only_what_there_is(self, home: Any, entry: Any) -> None:
        assert [tool.name for tool in (await offered(home)).tools] == ["ha_assist__undo"]

    async def test_unexposed_weather_is_none(self, home: Any, entry: Any, weather: list[str]) -> None:
        async_expose_entity(home, "conversation", "weather.home", False)
        assert [tool.name for tool in (await offered(home)).tools] == ["ha_assist__undo"]

    async def test_all(self, recording: Any, weather: list[str]) -> None:
        instance = await offered(recording)
        assert [tool.name for tool in instance.tools] == [
            "ha_assist__get_forecast",
            "ha_assist__get_history",
            "ha_assist__undo",
        ]
        assert all(tool.name in instance.api_prompt for tool in instance.tools)
        *reading, undo = instance.tools
        assert all("changes nothing" in (tool.description or "") for tool in reading)
        assert (undo.description or "").startswith("Acts")
        if getattr(undo, "annotations", None) is not None:
            assert all(tool.annotations.read_only for tool in reading)
            assert not undo.annotations.read_only

    async def test_goes_with_the_last_entry(self, home: Any, entry: Any) -> None:
        assert await home.config_entries.async_reload(entry.entry_id)
        assert len((await offered(home)).tools) == 1
        assert await home.config_entries.async_unload(entry.entry_id)
        with pytest.raises(HomeAssistantError):
            await offered(home)

    async def test_our_agent_offers_them(self, home: Any, entry: Any, weather: list[str], server: FakeServer) -> None:
        from homeassistant.components import conversation
        from homeassistant.setup import async_setup_component

        assert await async_setup_component(home, "intent", {})
        server.answers = [said("Dry.")]
        await conversation.async_converse(
            home, "what comes", None, Context(), agent_id="conversation.ha_assist", language="en"
        )
        names = [tool["function"]["name"] for tool in server.asked[-1]["tools"]]
        assert [name for name in names if name.endswith("ha_assist__get_forecast")]


class TestForecast:
    async def test_days(self, home: Any, weather: list[str]) -> None:
        told = await call(home, "get_forecast")
        assert weather == ["daily"]
        assert (told["name"], told["type"], told["temperature_unit"]) == ("Home", "daily", "°C")
        assert [set(day) for day in told["forecast"]] == [{"datetime", "condition", "temperature", "templow"}] * 3
        assert told["forecast"][0]["datetime"] == dt_util.start_of_local_day().isoformat()
        assert told["now"][:10] == told["forecast"][0]["datetime"][:10]

    async def test_hours(self, home: Any, weather: list[str]) -> None:
        assert (await call(home, "get_forecast", type="hourly", name="home"))["type"] == "hourly"

    async def test_what_the_service_has(self, home: Any, weather: list[str]) -> None:
        show(home, "weather.home", "sunny", friendly_name="Home", supported_features=1)
        assert (await call(home, "get_forecast", type="hourly"))["type"] == "daily"
        show(home, "weather.home", "sunny", friendly_name="Home", supported_features=0)
        with pytest.raises(HomeAssistantError, match="has no forecast"):
            await call(home, "get_forecast")

    async def test_several_are_named(self, home: Any, weather: list[str]) -> None:
        show(home, "weather.cabin", "sunny", friendly_name="Cabin", supported_features=1)
        with pytest.raises(HomeAssistantError, match="Cabin, Home"):
            await call(home, "get_forecast")
        assert (await call(home, "get_forecast", name="Home"))["name"] == "Home"

    async def test_only_what_the_person_may_see(
        self, home: Any, weather: list[str], hass_read_only_user: Any, hass_admin_user: Any
    ) -> None:
        hass_read_only_user.mock_policy({"entities": {"entity_ids": {"light.other": True}}})
        with pytest.raises(HomeAssistantError, match="No exposed entity"):
            await call(home, "get_forecast", user=hass_read_only_user.id)
        assert await call(home, "get_forecast", user=hass_admin_user.id)


class TestHistory:
    async def test_a_door(self, recording: Any) -> None:
        show(recording, "binary_sensor.door", "off", friendly_name="Front Door", device_class="door")
        for state in ("on", "off", "on", "off"):
            recording.states.async_set(
                "binary_sensor.door", state, {"friendly_name": "Front Door", "device_class": "door"}
            )
        await async_wait_recording_done(recording)
        told = await call(recording, "get_history", name="front door")
        assert (told["name"], told["domain"], told["device_class"]) == ("Front Door", "binary_sensor", "door")
        assert told["states"]["on"]["times"] == 2
        assert told["states"]["on"]["began"] < told["states"]["on"]["ended"] <= told["now"]
        assert told["state"] == "off"

    async def test_a_sensor(self, recording: Any) -> None:
        more: dict[str, Any] = {"friendly_name": "Cellar", "device_class": "temperature", "unit_of_measurement": "°C"}
        show(recording, "sensor.cellar", "8", **more)
        for value in ("12.5", "10"):
            recording.states.async_set("sensor.cellar", value, more)
        await async_wait_recording_done(recording)
        told = await call(recording, "get_history", name="Cellar", device_class="temperature", period="last_hour")
        assert (told["unit"], told["min"]["value"], told["max"]["value"], told["last"]) == ("°C", 8, 12.5, 10)

    async def test_a_thermostat_by_its_attribute(self, recording: Any) -> None:
        for value in (18, 21, 20):
            show(recording, "climate.den", "heat", friendly_name="Den", current_temperature=value)
        await async_wait_recording_done(recording)
        told = await call(recording, "get_history", name="Den", device_class="temperature", period="last_hour")
        assert (told["min"]["value"], told["max"]["value"], told["unit"]) == (18, 21, "°C")

    async def test_out_of_doors_is_the_weather(self, recording: Any, weather: list[str]) -> None:
        await async_wait_recording_done(recording)
        told = await call(recording, "get_history", device_class="temperature", period="last_hour")
        assert (told["name"], told["min"]["value"], told["unit"]) == ("Home", 7.5, "°C")

    async def test_nothing_recorded(self, recording: Any) -> None:
        show(recording, "lock.gate", "locked", friendly_name="Gate")
        told = await call(recording, "get_history", name="Gate", period="yesterday")
        assert told["recorded"] is False

    async def test_what_is_hidden_stays_hidden(self, recording: Any) -> None:
        show(recording, "lock.safe", "locked", exposed=False, friendly_name="Safe")
        with pytest.raises(HomeAssistantError, match="No exposed entity"):
            await call(recording, "get_history", name="Safe")

    async def test_somebody_has_to_say_which(self, recording: Any) -> None:
        with pytest.raises(HomeAssistantError, match="which entity"):
            await call(recording, "get_history", period="today")


class TestUndo:
    @pytest.fixture
    async def lamps(self, home: Any, entry: Any) -> Any:
        """Two switches, one of which is not exposed, and a lock."""
        from homeassistant.setup import async_setup_component

        assert await async_setup_component(
            home, "input_boolean", {"input_boolean": {"pump": {"name": "Pump"}, "secret": {"name": "Secret"}}}
        )
        async_expose_entity(home, "conversation", "input_boolean.pump", True)
        async_expose_entity(home, "conversation", "input_boolean.secret", False)
        show(home, "lock.gate", "locked", friendly_name="Gate")

        async def unlock(call: Any) -> None:
            home.states.async_set("lock.gate", "unlocked", {"friendly_name": "Gate"})

        home.services.async_register("lock", "unlock", unlock)
        return home

    async def do(self, hass: Any, spoken: llm.LLMContext, domain: str, service: str, entity_id: Any) -> None:
        await llm.async_get_api(hass, API, spoken)
        await hass.services.async_call(domain, service, {"entity_id": entity_id}, blocking=True, context=spoken.context)

    async def test_the_last_action(self, lamps: Any) -> None:
        await self.do(lamps, context(), "input_boolean", "turn_on", "input_boolean.pump")
        told = await call(lamps, "undo")
        assert told == {"found": True, "undone": ["Pump"], "not_undone": []}
        assert lamps.states.get("input_boolean.pump").state == "off"

    async def test_one_after_the_other(self, lamps: Any) -> None:
        for service in ("turn_on", "turn_off", "toggle"):
            await self.do(lamps, context(), "input_boolean", service, "input_boolean.pump")
        states = []
        for _ in range(3):
            assert (await call(lamps, "undo"))["undone"] == ["Pump"]
            states.append(lamps.states.get("input_boolean.pump").state)
        assert states == ["off", "on", "off"]
        assert await call(lamps, "undo") == {"found": False, "undone": [], "not_undone": []}

    async def test_nothing_is_unlocked_or_locked(self, lamps: Any) -> None:
        await self.do(lamps, context(), "lock", "unlock", ["lock.gate"])
        told = await call(lamps, "undo")
        assert told == {"found": True, "undone": [], "not_undone": [{"name": "Gate", "why": "not_kept"}]}

    async def test_what_is_hidden_is_neither_changed_nor_named(self, lamps: Any) -> None:
        both = ["input_boolean.pump", "input_boolean.secret"]
        await self.do(lamps, context(), "input_boolean", "turn_on", both)
        told = await call(lamps, "undo")
        assert told["undone"] == ["Pump"]
        assert [one["why"] for one in told["not_undone"]] == ["hidden"]
        assert "Secret" not in str(told)
        assert lamps.states.get("input_boolean.secret").state == "on"

    async def test_only_what_the_person_may(self, lamps: Any, hass_read_only_user: Any) -> None:
        hass_read_only_user.mock_policy({"entities": {"all": {"read": True}}})
        spoken = context(hass_read_only_user.id)
        await llm.async_get_api(lamps, API, spoken)
        lamps.bus.async_fire(
            "call_service",
            {"domain": "input_boolean", "service": "turn_on", "service_data": {"entity_id": "input_boolean.pump"}},
            context=spoken.context,
        )
        await lamps.services.async_call("input_boolean", "turn_on", {"entity_id": "input_boolean.pump"}, blocking=True)
        async_ignored = await call(lamps, "undo", user=hass_read_only_user.id)
        assert async_ignored["undone"] == []
        assert lamps.states.get("input_boolean.pump").state == "on"

    async def test_what_an_automation_did_stays(self, lamps: Any) -> None:
        await self.do(lamps, context(), "input_boolean", "turn_on", "input_boolean.pump")
        run = Context()
        lamps.bus.async_fire("automation_triggered", {"name": "x"}, context=run)
        await lamps.services.async_call(
            "input_boolean", "turn_on", {"entity_id": "input_boolean.secret"}, blocking=True, context=run
        )
        assert (await call(lamps, "undo"))["undone"] == ["Pump"]

    async def test_a_room_is_named_as_what_it_cannot(self, lamps: Any) -> None:
        spoken = context()
        await llm.async_get_api(lamps, API, spoken)
        await lamps.services.async_call(
            "input_boolean", "turn_on", {"area_id": "nowhere"}, blocking=True, context=spoken.context
        )
        told = await call(lamps, "undo")
        assert told["not_undone"] == [{"name": "input_boolean.turn_on", "why": "not_kept"}]
