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
from pytest_homeassistant_custom_component.common import async_fire_time_changed, async_mock_service
from pytest_homeassistant_custom_component.components.recorder.common import async_wait_recording_done

from tests.integration.server import FakeServer, said

# Home Assistant has warnings of its own.
pytestmark = pytest.mark.filterwarnings("default")

API = "ha_assist_tools"
ALWAYS = [
    "ha_assist__adjust",
    "ha_assist__undo",
    "ha_assist__schedule",
    "ha_assist__list_scheduled",
    "ha_assist__cancel_scheduled",
]


def context(user: str | None = None) -> llm.LLMContext:
    return llm.LLMContext("test", Context(user_id=user), "en", "conversation", None)


async def offered(hass: Any, user: str | None = None) -> llm.APIInstance:
    return await llm.async_get_api(hass, API, context(user))


async def call(hass: Any, called: str, /, user: str | None = None, **arguments: Any) -> dict[str, Any]:
    instance = await offered(hass, user)
    result = await instance.async_call_tool(llm.ToolInput(f"ha_assist__{called}", arguments))
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


class TestAdjust:
    async def test_each_changes_from_what_it_is(self, home: Any, entry: Any) -> None:
        show(home, "light.spot", "on", friendly_name="Spot", brightness=128)
        show(home, "light.strip", "on", friendly_name="Strip", brightness=255)
        calls = async_mock_service(home, "light", "turn_on")
        told = await call(home, "adjust", quantity="brightness", names=["Spot", "Strip", "Sun"], by=20)
        assert told["changed"] == [{"name": "Spot", "from": 50.0, "to": 70.0}]
        assert told["unchanged"] == [{"name": "Sun", "why": "not_found"}, {"name": "Strip", "why": "at_end"}]
        assert told["unit"] == "%"
        assert [(one.data["entity_id"], one.data["brightness_pct"]) for one in calls] == [("light.spot", 70)]

    async def test_it_can_be_undone(self, home: Any, entry: Any) -> None:
        show(home, "light.spot", "on", friendly_name="Spot", brightness=128)
        calls = async_mock_service(home, "light", "turn_on")
        await call(home, "adjust", quantity="brightness", names=["Spot"], factor=0.5)
        show(home, "light.spot", "on", friendly_name="Spot", brightness=64)
        assert (await call(home, "undo"))["undone"] == ["Spot"]
        assert calls[-1].data["brightness"] == 128

    async def test_a_gate_is_not_opened_and_what_is_hidden_stays_hidden(self, home: Any, entry: Any) -> None:
        position: dict[str, Any] = {"current_position": 40, "supported_features": 15}
        show(home, "cover.gate", "open", friendly_name="Gate", device_class="gate", **position)
        show(home, "cover.shed", "open", exposed=False, friendly_name="Shed", device_class="blind", **position)
        calls = async_mock_service(home, "cover", "set_cover_position")
        told = await call(home, "adjust", quantity="position", names=["Gate", "Shed"], by=20)
        assert (told["changed"], calls) == ([], [])
        assert told["unchanged"] == [{"name": "Shed", "why": "not_found"}, {"name": "Gate", "why": "opens"}]

    @pytest.mark.parametrize("given", [{}, {"by": 5, "factor": 2}])
    async def test_one_amount_is_needed(self, home: Any, entry: Any, given: dict[str, Any]) -> None:
        with pytest.raises(HomeAssistantError):
            await call(home, "adjust", quantity="brightness", names=["Spot"], **given)


class TestOffer:
    async def test_only_what_there_is(self, home: Any, entry: Any) -> None:
        assert [tool.name for tool in (await offered(home)).tools] == ALWAYS

    async def test_unexposed_weather_is_none(self, home: Any, entry: Any, weather: list[str]) -> None:
        async_expose_entity(home, "conversation", "weather.home", False)
        assert [tool.name for tool in (await offered(home)).tools] == ALWAYS

    async def test_all(self, recording: Any, weather: list[str]) -> None:
        instance = await offered(recording)
        assert [tool.name for tool in instance.tools] == [
            "ha_assist__get_forecast",
            "ha_assist__get_history",
            *ALWAYS,
        ]
        acting = {"ha_assist__adjust", "ha_assist__undo", "ha_assist__schedule", "ha_assist__cancel_scheduled"}
        for tool in instance.tools:
            described = tool.description or ""
            assert described.startswith("Acts") == (tool.name in acting)
            assert ("changes nothing" in described) == (tool.name not in acting)
            if getattr(tool, "annotations", None) is not None:
                assert tool.annotations.read_only == (tool.name not in acting)

    async def test_goes_with_the_last_entry(self, home: Any, entry: Any) -> None:
        assert await home.config_entries.async_reload(entry.entry_id)
        assert [tool.name for tool in (await offered(home)).tools] == ALWAYS
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


PUMP_OFF: dict[str, Any] = {"what": "turn off the pump", "tool": "intent__HassTurnOff", "arguments": {"name": "Pump"}}


class TestLater:
    @pytest.fixture
    async def pump(self, home: Any, entry: Any) -> Any:
        """A switch that is on, a lock and a garage door."""
        from homeassistant.setup import async_setup_component

        assert await async_setup_component(home, "intent", {})
        assert await async_setup_component(
            home, "input_boolean", {"input_boolean": {"pump": {"name": "Pump", "initial": True}}}
        )
        async_expose_entity(home, "conversation", "input_boolean.pump", True)
        show(home, "lock.gate", "locked", friendly_name="Gate")
        show(home, "cover.garage", "closed", friendly_name="Garage", device_class="garage")
        show(home, "cover.blind", "closed", friendly_name="Blind", device_class="blind")
        return home

    async def pass_by(self, hass: Any, seconds: float) -> None:
        async_fire_time_changed(hass, dt_util.utcnow() + timedelta(seconds=seconds))
        await hass.async_block_till_done(wait_background_tasks=True)

    async def test_runs_once(self, pump: Any) -> None:
        told = await call(pump, "schedule", **PUMP_OFF, after_seconds=600)
        assert (told["scheduled"], told["what"]) == (True, "turn off the pump")
        await self.pass_by(pump, 590)
        assert pump.states.get("input_boolean.pump").state == "on"
        assert [one["id"] for one in (await call(pump, "list_scheduled"))["items"]] == [told["id"]]
        await self.pass_by(pump, 601)
        assert pump.states.get("input_boolean.pump").state == "off"
        assert (await call(pump, "list_scheduled"))["items"] == []
        await pump.services.async_call("input_boolean", "turn_on", {"entity_id": "input_boolean.pump"}, blocking=True)
        await self.pass_by(pump, 1300)
        assert pump.states.get("input_boolean.pump").state == "on"

    async def test_survives_a_reload(self, pump: Any, entry: Any, hass_storage: dict[str, Any]) -> None:
        await call(pump, "schedule", **PUMP_OFF, after_seconds=600)
        assert len(hass_storage["ha_assist.planned"]["data"]["plans"]) == 1
        assert await pump.config_entries.async_unload(entry.entry_id)
        assert await pump.config_entries.async_setup(entry.entry_id)
        await self.pass_by(pump, 601)
        assert pump.states.get("input_boolean.pump").state == "off"
        assert hass_storage["ha_assist.planned"]["data"]["plans"] == []

    async def test_nothing_runs_while_it_is_unloaded_and_that_is_told(self, pump: Any, entry: Any) -> None:
        await call(pump, "schedule", **PUMP_OFF, after_seconds=600)
        assert await pump.config_entries.async_unload(entry.entry_id)
        await self.pass_by(pump, 601)
        assert pump.states.get("input_boolean.pump").state == "on"

    async def test_a_restart_takes_up_what_was_kept_and_tells_what_was_missed(
        self, hass_storage: dict[str, Any], home: Any, server: FakeServer
    ) -> None:
        from homeassistant.components import persistent_notification
        from homeassistant.setup import async_setup_component

        assert await async_setup_component(home, "intent", {})
        names = {"input_boolean": {"pump": {"name": "Pump", "initial": True}}}
        assert await async_setup_component(home, "input_boolean", names)
        async_expose_entity(home, "conversation", "input_boolean.pump", True)
        now = dt_util.utcnow().timestamp()
        more = {
            "tool": "HassTurnOff",
            "arguments": {"name": "Pump"},
            "language": "en",
            "made": now - 5000,
            "user_id": None,
            "device_id": None,
        }
        plans = [
            {"id": "a", "due": now - 4000, "what": "missed", "running": False, **more},
            {"id": "b", "due": now - 4, "what": "broken off", "running": True, **more},
            {"id": "c", "due": now + 100, "what": "to come", "running": False, **more},
        ]
        hass_storage["ha_assist.planned"] = {
            "version": 1,
            "minor_version": 1,
            "key": "ha_assist.planned",
            "data": {"plans": plans},
        }
        flow = await home.config_entries.flow.async_init("ha_assist", context={"source": "user"})
        given = {"url": server.url, "api_key": server.key}
        await home.config_entries.flow.async_configure(flow["flow_id"], given)
        await home.async_block_till_done(wait_background_tasks=True)
        notices = persistent_notification._async_get_or_create_notifications(home)
        assert sorted(notices) == ["ha_assist_a", "ha_assist_b"]
        assert "missed" in notices["ha_assist_a"]["message"]
        assert home.states.get("input_boolean.pump").state == "on"
        await self.pass_by(home, 101)
        assert home.states.get("input_boolean.pump").state == "off"
        assert hass_storage["ha_assist.planned"]["data"]["plans"] == []

    async def test_what_cannot_be_done_is_told(self, pump: Any) -> None:
        from homeassistant.components import persistent_notification

        await call(pump, "schedule", **PUMP_OFF, after_seconds=600)
        async_expose_entity(pump, "conversation", "input_boolean.pump", False)
        await self.pass_by(pump, 601)
        notices = persistent_notification._async_get_or_create_notifications(pump)
        assert ["turn off the pump" in one["message"] for one in notices.values()] == [True]
        assert pump.states.get("input_boolean.pump").state == "on"

    @pytest.mark.parametrize(
        ("tool", "arguments", "why"),
        [
            ("HassTurnOff", {"name": "Gate"}, "opens"),
            ("HassTurnOn", {"name": "Garage"}, "opens"),
            ("HassSetPosition", {"name": "Garage", "position": 100}, "opens"),
            ("HassTurnOff", {}, "opens"),
            ("HassTurnOn", {"name": "Nothing"}, "nothing_fits"),
            ("HassListAddItem", {"item": "Milk"}, "other_tool"),
            ("script__party", {}, "other_tool"),
            ("ha_assist__schedule", {}, "other_tool"),
        ],
    )
    async def test_what_is_not_planned(self, pump: Any, tool: str, arguments: dict[str, Any], why: str) -> None:
        told = await call(pump, "schedule", what="x", tool=tool, arguments=arguments, after_seconds=600)
        assert told == {"scheduled": False, "why": why}

    async def test_what_opens_is_planned_with_a_yes_to_just_that(self, pump: Any, hass_storage: dict[str, Any]) -> None:
        garage: dict[str, Any] = {"what": "open the garage", "tool": "HassTurnOn", "arguments": {"name": "Garage"}}
        everything: dict[str, Any] = {"what": "open", "tool": "HassTurnOff", "arguments": {}}
        assert (await call(pump, "schedule", **garage, after_seconds=60, confirmed=False))["why"] == "opens"
        assert (await call(pump, "schedule", **everything, after_seconds=60, confirmed=True))["why"] == "opens"
        assert (await call(pump, "schedule", **garage, after_seconds=60, confirmed=True))["scheduled"]
        [plan] = hass_storage["ha_assist.planned"]["data"]["plans"]
        assert list(plan["opens"]) == ["cover.garage"]
        calls = async_mock_service(pump, "cover", "open_cover")
        await self.pass_by(pump, 61)
        assert len(calls) == 1

    async def test_a_yes_to_one_door_opens_no_other(self, pump: Any) -> None:
        from homeassistant.components import persistent_notification

        garage: dict[str, Any] = {"what": "open the garage", "tool": "HassTurnOn", "arguments": {"name": "Garage"}}
        assert (await call(pump, "schedule", **garage, after_seconds=60, confirmed=True))["scheduled"]
        state = pump.states.get("cover.garage")
        pump.states.async_remove("cover.garage")
        pump.states.async_set("cover.other", state.state, dict(state.attributes))
        async_expose_entity(pump, "conversation", "cover.other", True)
        calls = async_mock_service(pump, "cover", "open_cover")
        await self.pass_by(pump, 61)
        assert calls == []
        assert len(persistent_notification._async_get_or_create_notifications(pump)) == 1

    @pytest.mark.parametrize(
        ("given", "why"),
        [
            ({}, "no_time"),
            ({"time": "10:00", "after_seconds": 5}, "no_time"),
            ({"time": "00:00", "day": "today"}, "passed"),
            ({"after_seconds": 8 * 24 * 3600}, "too_far"),
        ],
    )
    async def test_times_that_are_none(self, pump: Any, given: dict[str, Any], why: str) -> None:
        assert await call(pump, "schedule", **PUMP_OFF, **given) == {"scheduled": False, "why": why}

    async def test_sunset(self, pump: Any) -> None:
        told = await call(pump, "schedule", **PUMP_OFF, sun="sunset")
        assert told["scheduled"]
        assert told["at"] > told["now"]

    async def test_a_blind_may_open_and_a_gate_be_locked(self, pump: Any) -> None:
        for tool, name in (("HassTurnOn", "Blind"), ("HassTurnOn", "Gate"), ("HassTurnOff", "Garage")):
            told = await call(pump, "schedule", what="x", tool=tool, arguments={"name": name}, after_seconds=60)
            assert told["scheduled"], name

    async def test_cancelling(self, pump: Any) -> None:
        first = await call(pump, "schedule", **PUMP_OFF, after_seconds=600)
        await call(pump, "schedule", **PUMP_OFF, after_seconds=60)
        assert len((await call(pump, "cancel_scheduled", which="last"))["cancelled"]) == 1
        assert [one["id"] for one in (await call(pump, "list_scheduled"))["items"]] == [first["id"]]
        assert (await call(pump, "cancel_scheduled", id="other"))["cancelled"] == []
        assert len((await call(pump, "cancel_scheduled", which="all"))["cancelled"]) == 1
        await self.pass_by(pump, 700)
        assert pump.states.get("input_boolean.pump").state == "on"

    async def test_everybody_sees_their_own(self, pump: Any, hass_admin_user: Any, hass_read_only_user: Any) -> None:
        await call(pump, "schedule", user=hass_admin_user.id, **PUMP_OFF, after_seconds=600)
        assert (await call(pump, "list_scheduled", user=hass_read_only_user.id))["items"] == []
        assert (await call(pump, "cancel_scheduled", user=hass_read_only_user.id, which="all"))["cancelled"] == []
        assert len((await call(pump, "list_scheduled", user=hass_admin_user.id))["items"]) == 1

    async def test_there_is_an_end(self, pump: Any) -> None:
        for _ in range(50):
            assert (await call(pump, "schedule", **PUMP_OFF, after_seconds=600))["scheduled"]
        assert (await call(pump, "schedule", **PUMP_OFF, after_seconds=600))["why"] == "full"
