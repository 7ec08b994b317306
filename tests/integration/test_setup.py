"""Connecting: by hand, as the Supervisor found it, again with another key or address, and what a lost server does."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("pytest_homeassistant_custom_component", reason="needs Home Assistant and its test fixtures")

from homeassistant.config_entries import ConfigEntryDisabler, ConfigEntryState
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.service_info.hassio import HassioServiceInfo
from homeassistant.setup import async_setup_component

from tests.integration.server import KEY, FakeServer

NOWHERE = "http://127.0.0.1:9"

# Home Assistant has warnings of its own.
pytestmark = pytest.mark.filterwarnings("default")


async def begin(hass: Any, source: str, data: Any = None, **context: Any) -> Any:
    return await hass.config_entries.flow.async_init("ha_assist", context={"source": source, **context}, data=data)


async def go_on(hass: Any, flow: Any, **given: Any) -> Any:
    done = await hass.config_entries.flow.async_configure(flow["flow_id"], given)
    await hass.async_block_till_done()
    return done


def announcement(server: FakeServer, key: str = KEY, uuid: str = "5f6e", version: str = "0.1.0") -> HassioServiceInfo:
    config = {"url": server.url, "api_key": key, "version": version, "addon": "HA-Assist"}
    return HassioServiceInfo(config=config, name="HA-Assist", slug="local_ha-assist", uuid=uuid)


async def discover(hass: Any, info: HassioServiceInfo) -> Any:
    flow = await begin(hass, "hassio", info)
    await hass.async_block_till_done()
    return flow


class TestByHand:
    @pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/"])
    async def test_connects(self, home: Any, server: FakeServer, ending: str) -> None:
        done = await go_on(home, await begin(home, "user"), url=server.url + ending, api_key=f" {KEY} ")
        assert done["type"] == "create_entry"
        entry = done["result"]
        assert entry.state is ConfigEntryState.LOADED
        assert dict(entry.data) == {"url": server.url, "api_key": KEY}
        assert entry.unique_id is None
        assert [one.subentry_type for one in entry.subentries.values()] == ["conversation", "ai_task_data"]
        assert home.states.get("conversation.ha_assist") is not None
        assert home.states.get("ai_task.ha_assist_ai_task") is not None

    @pytest.mark.parametrize(
        ("given", "models", "errors"),
        [
            ({"url": "no address"}, None, {"url": "invalid_url"}),
            ({"url": "ftp://127.0.0.1"}, None, {"url": "invalid_url"}),
            ({"url": "http://"}, None, {"url": "invalid_url"}),
            ({"url": "http://me:secret@127.0.0.1:8090"}, None, {"url": "invalid_url"}),
            ({"url": NOWHERE}, None, {"base": "cannot_connect"}),
            ({"api_key": "another"}, None, {"base": "invalid_auth"}),
            ({}, {"data": [{"id": "gpt-4"}]}, {"base": "not_ha_assist"}),
            ({}, {"models": []}, {"base": "not_ha_assist"}),
            ({}, [], {"base": "not_ha_assist"}),
        ],
    )
    async def test_says_what_is_wrong_and_goes_on(
        self, home: Any, server: FakeServer, given: dict[str, str], models: Any, errors: dict[str, str]
    ) -> None:
        right, good = {"url": server.url, "api_key": KEY}, server.models
        server.models = server.models if models is None else models
        flow = await go_on(home, await begin(home, "user"), **{**right, **given})
        assert flow["errors"] == errors
        server.models = good
        assert (await go_on(home, flow, **right))["type"] == "create_entry"

    async def test_the_same_server_is_connected_once(self, home: Any, entry: Any, server: FakeServer) -> None:
        again = await go_on(home, await begin(home, "user"), url=server.url + "/v1", api_key=KEY)
        assert (again["type"], again["reason"]) == ("abort", "already_configured")

    async def test_moves(self, home: Any, entry: Any, server: FakeServer) -> None:
        async with FakeServer().running() as other:
            flow = await begin(home, "reconfigure", entry_id=entry.entry_id)
            wrong = await go_on(home, flow, url=NOWHERE, api_key=KEY)
            assert wrong["errors"] == {"base": "cannot_connect"}
            assert (await go_on(home, flow, url=other.url, api_key=KEY))["reason"] == "reconfigure_successful"
            assert (entry.data["url"], entry.unique_id) == (other.url, None)
            assert entry.state is ConfigEntryState.LOADED
            await home.config_entries.async_unload(entry.entry_id)


class TestFoundByTheSupervisor:
    async def test_one_confirmation_connects(self, home: Any, server: FakeServer) -> None:
        flow = await discover(home, announcement(server))
        assert (flow["step_id"], flow["data_schema"]) == ("hassio_confirm", None)
        done = await go_on(home, flow)
        assert done["type"] == "create_entry"
        assert (done["result"].title, done["result"].unique_id) == ("HA-Assist", "5f6e")
        assert done["result"].state is ConfigEntryState.LOADED

    @pytest.mark.parametrize("config", [{}, {"url": "http://a:1"}, {"api_key": KEY}, {"url": "", "api_key": KEY}])
    async def test_one_that_lacks_what_is_needed_is_left(self, home: Any, config: dict[str, str]) -> None:
        info = HassioServiceInfo(config=config, name="HA-Assist", slug="local_ha-assist", uuid="5f6e")
        assert (await discover(home, info))["reason"] == "invalid_discovery_info"

    async def test_one_server_under_two_names_is_connected_once(self, home: Any, server: FakeServer) -> None:
        server.key = "a-key-that-the-server-made-for-itself-long-and-its-own"
        other_name = server.url.replace("127.0.0.1", "localhost")
        done = await go_on(home, await begin(home, "user"), url=server.url, api_key=server.key)
        again = await go_on(home, await begin(home, "user"), url=other_name, api_key=server.key)
        assert (again["type"], again["reason"]) == ("abort", "already_configured")
        info = HassioServiceInfo(
            config={"url": other_name, "api_key": server.key}, name="HA-Assist", slug="x", uuid="5f6e"
        )
        assert (await discover(home, info))["reason"] == "already_configured"
        assert done["result"].data["url"] == server.url
        assert len(home.config_entries.async_entries("ha_assist")) == 1

    async def test_an_unexpected_error_is_logged_and_told(
        self, home: Any, server: FakeServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        from custom_components.ha_assist.api import HaAssistClient

        async def fail(_self: Any) -> list[str]:
            raise RuntimeError

        flow = await begin(home, "user")
        with monkeypatch.context() as patched:
            patched.setattr(HaAssistClient, "models", fail)
            wrong = await go_on(home, flow, url=server.url, api_key=KEY)
        assert wrong["errors"] == {"base": "unknown"}
        assert "The connection to HA-Assist cannot be checked" in caplog.text
        assert (await go_on(home, flow, url=server.url, api_key=KEY))["type"] == "create_entry"

    async def test_confirmation_says_what_is_wrong(self, home: Any, server: FakeServer) -> None:
        flow = await discover(home, announcement(server, "another"))
        assert (await go_on(home, flow))["errors"] == {"base": "invalid_auth"}

    async def test_what_was_connected_by_hand_is_known(self, home: Any, entry: Any, server: FakeServer) -> None:
        assert (await discover(home, announcement(server)))["reason"] == "already_configured"
        assert entry.state is ConfigEntryState.LOADED

    async def test_what_is_connected_meanwhile_is_not_connected_again(self, home: Any, server: FakeServer) -> None:
        flow = await discover(home, announcement(server))
        await go_on(home, await begin(home, "user"), url=server.url, api_key=KEY)
        assert (await go_on(home, flow))["reason"] == "already_configured"

    async def test_another_key_is_taken_over(self, home: Any, server: FakeServer) -> None:
        entry = (await go_on(home, await discover(home, announcement(server))))["result"]
        server.key = "another"
        await home.config_entries.async_reload(entry.entry_id)
        await home.async_block_till_done()
        assert entry.state is ConfigEntryState.SETUP_ERROR
        assert (await discover(home, announcement(server, "another")))["reason"] == "already_configured"
        assert entry.data["api_key"] == "another"
        assert entry.state is ConfigEntryState.LOADED

    async def test_an_update_is_noticed(self, home: Any, server: FakeServer) -> None:
        entry = (await go_on(home, await discover(home, announcement(server))))["result"]
        server.version = "0.2.0"
        await discover(home, announcement(server, version="0.2.0"))
        assert entry.runtime_data.version == "0.2.0"

    async def test_what_was_ignored_stays_so(self, home: Any, server: FakeServer) -> None:
        await begin(home, "ignore", {"unique_id": "5f6e", "title": "HA-Assist"}, unique_id="5f6e")
        assert (await discover(home, announcement(server)))["reason"] == "already_configured"


class TestLater:
    async def test_a_lost_server_is_tried_again(self, home: Any, entry: Any, server: FakeServer) -> None:
        home.config_entries.async_update_entry(entry, data={**entry.data, "url": NOWHERE})
        await home.async_block_till_done()
        assert entry.state is ConfigEntryState.SETUP_RETRY

    async def test_a_wrong_key_is_asked_for(self, home: Any, entry: Any, server: FakeServer) -> None:
        server.key = "another"
        await home.config_entries.async_reload(entry.entry_id)
        await home.async_block_till_done()
        (flow,) = home.config_entries.flow.async_progress()
        assert (flow["context"]["source"], flow["step_id"]) == ("reauth", "reauth_confirm")
        assert (await go_on(home, flow, api_key="wrong"))["errors"] == {"base": "invalid_auth"}
        assert (await go_on(home, flow, api_key="another"))["reason"] == "reauth_successful"
        assert entry.state is ConfigEntryState.LOADED

    @pytest.mark.parametrize(
        ("version", "issue"),
        [
            ("0.0.9", "server_too_old"),
            ("0.0.9b1", "server_too_old"),
            ("1.0.0", "integration_too_old"),
            ("1.0.0a1", "integration_too_old"),
            ("0.1.0", None),
            ("0.1.0a1", None),
            ("0.1.0b2", None),
            ("0.2.0.dev0", None),
            ("0.9.9", None),
        ],
    )
    async def test_versions_that_do_not_fit_are_told(
        self, home: Any, entry: Any, server: FakeServer, version: str, issue: str | None
    ) -> None:
        server.version = version
        await home.config_entries.async_reload(entry.entry_id)
        found = [one.translation_key for one in ir.async_get(home).issues.values() if one.domain == "ha_assist"]
        assert found == ([issue] if issue else [])
        await home.config_entries.async_remove(entry.entry_id)
        assert not [one for one in ir.async_get(home).issues.values() if one.domain == "ha_assist"]

    async def test_a_disabled_entry_has_no_issue(self, home: Any, entry: Any, server: FakeServer) -> None:
        server.version = "0.0.9"
        await home.config_entries.async_reload(entry.entry_id)
        assert ir.async_get(home).issues
        await home.config_entries.async_set_disabled_by(entry.entry_id, ConfigEntryDisabler.USER)
        assert not [one for one in ir.async_get(home).issues.values() if one.domain == "ha_assist"]

    async def test_diagnostics_of_what_is_not_loaded(self, home: Any, entry: Any) -> None:
        from custom_components.ha_assist.diagnostics import async_get_config_entry_diagnostics

        await home.config_entries.async_unload(entry.entry_id)
        told = await async_get_config_entry_diagnostics(home, entry)
        assert (told["state"], told["server"], told["home"]) == ("not_loaded", None, None)

    @pytest.mark.parametrize("version", [None, "", "nightly"])
    async def test_an_unknown_version_is_no_misfit(
        self, home: Any, entry: Any, server: FakeServer, version: str | None
    ) -> None:
        server.version = version
        await home.config_entries.async_reload(entry.entry_id)
        assert entry.state is ConfigEntryState.LOADED
        assert not [one for one in ir.async_get(home).issues.values() if one.domain == "ha_assist"]

    async def test_diagnostics_hold_no_secret(self, home: Any, entry: Any, server: FakeServer) -> None:
        from custom_components.ha_assist.diagnostics import async_get_config_entry_diagnostics

        assert await async_setup_component(home, "input_boolean", {"input_boolean": {"x": {"name": "Secret Room"}}})
        told = await async_get_config_entry_diagnostics(home, entry)
        assert told["server"] == {"version": "0.1.0", "models": ["HA-Assist", "some-model"], "misfit": None}
        text = json.dumps(told)
        assert KEY not in text
        assert "voice assistant" not in text
        assert "Secret" not in text
        assert server.url not in text
        assert "AI Task" not in text


class TestAgents:
    async def add(self, hass: Any, entry: Any, kind: str, **given: Any) -> Any:
        flow = await hass.config_entries.subentries.async_init((entry.entry_id, kind), context={"source": "user"})
        done = await hass.config_entries.subentries.async_configure(flow["flow_id"], given)
        await hass.async_block_till_done()
        return done

    async def test_another_agent(self, home: Any, entry: Any) -> None:
        given = {"name": "Chat", "chat_model": "some-model", "send_home": False}
        assert (await self.add(home, entry, "conversation", **given))["type"] == "create_entry"
        state = home.states.get("conversation.chat")
        assert state is not None
        assert state.attributes["supported_features"] == 0

    async def test_a_name_of_blanks_is_the_usual_one(self, home: Any, entry: Any) -> None:
        await self.add(home, entry, "ai_task_data", name="  ", chat_model="some-model")
        assert [one.title for one in entry.subentries.values()].count("HA-Assist AI Task") == 2

    async def test_another_task(self, home: Any, entry: Any) -> None:
        await self.add(home, entry, "ai_task_data", name="Look", chat_model="some-model")
        assert home.states.get("ai_task.look") is not None

    @pytest.mark.parametrize("kind", ["conversation", "ai_task_data"])
    async def test_a_changed_one_is_loaded_again(self, home: Any, entry: Any, kind: str) -> None:
        subentry = next(one for one in entry.subentries.values() if one.subentry_type == kind)
        context = {"source": "reconfigure", "subentry_id": subentry.subentry_id}
        flow = await home.config_entries.subentries.async_init((entry.entry_id, kind), context=context)
        given = {"chat_model": "some-model", **({"send_home": False} if kind == "conversation" else {})}
        done = await home.config_entries.subentries.async_configure(flow["flow_id"], given)
        await home.async_block_till_done()
        assert done["reason"] == "reconfigure_successful"
        assert dict(entry.subentries[subentry.subentry_id].data) == given
        assert entry.state is ConfigEntryState.LOADED

    async def test_none_while_it_is_not_connected(self, home: Any, entry: Any) -> None:
        await home.config_entries.async_unload(entry.entry_id)
        flow = await home.config_entries.subentries.async_init(
            (entry.entry_id, "conversation"), context={"source": "user"}
        )
        assert flow["reason"] == "entry_not_loaded"
