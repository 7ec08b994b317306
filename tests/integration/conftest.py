"""Home Assistant's own fixtures, where its package is installed; elsewhere the tests that need them skip themselves."""

from __future__ import annotations

from collections.abc import AsyncIterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest

from tests.integration.server import KEY, FakeServer

if find_spec("pytest_homeassistant_custom_component") is not None:
    from homeassistant.setup import async_setup_component

    # Before the fixtures' own folder of that name can be found instead.
    import_module("custom_components")

    @pytest.fixture(autouse=True)
    def _integration(enable_custom_integrations: None) -> None:
        """The integration can be loaded."""

    @pytest.fixture
    async def server(socket_enabled: None) -> AsyncIterator[FakeServer]:
        """It answers as told."""
        async with FakeServer().running() as running:
            yield running

    @pytest.fixture
    async def home(hass: Any) -> Any:
        """A Home Assistant with what a conversation needs."""
        assert await async_setup_component(hass, "homeassistant", {})
        assert await async_setup_component(hass, "conversation", {})
        return hass

    @pytest.fixture
    async def entry(home: Any, server: FakeServer) -> Any:
        """An entry that was set up through the flow."""
        flow = await home.config_entries.flow.async_init("ha_assist", context={"source": "user"})
        given = {"url": server.url, "api_key": KEY}
        done = await home.config_entries.flow.async_configure(flow["flow_id"], given)
        await home.async_block_till_done()
        return done["result"]
