"""The models that the settings enable, as they change."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ha_assist_addon.backends.registry import BackendRegistry
from ha_assist_addon.models.status import ModelState
from ha_assist_addon.settings.store import SettingsStore


@pytest.fixture
def store(tmp_path: Path) -> SettingsStore:
    return SettingsStore(tmp_path, environ={})


def ids(registry: BackendRegistry) -> list[str]:
    return [model.id for model in registry.models()]


async def test_settings_apply_live(store: SettingsStore) -> None:
    registry = BackendRegistry(store)
    assert ids(registry) == []
    assert registry.text() is None
    upstream = {"enabled": True, "base_url": "http://127.0.0.1:1/v1", "model": "small"}
    store.save({"models": {"upstream": upstream}})
    assert ids(registry) == ["small"]
    first = registry.find("small")
    assert first is registry.text(), "the only text model needs no choosing"
    assert registry.vision() is None
    assert registry.find("other") is None

    store.save({"settings": {"ha_assist_verify_delay": 1}})
    assert registry.find("small") is first, "what does not concern it leaves it alone"

    store.save({"models": {"upstream": {"model": "large"}}})
    assert ids(registry) == ["large"]
    store.save({"models": {"upstream": {"enabled": False}}})
    assert ids(registry) == []
    await asyncio.sleep(0)
    await registry.close()


async def test_the_chosen_model_is_the_one_or_none(store: SettingsStore) -> None:
    registry = BackendRegistry(store)
    store.save(
        {
            "models": {
                "upstream": {"enabled": True, "base_url": "http://127.0.0.1:1", "model": "small"},
                "gemma": {"enabled": True},
            }
        }
    )
    assert registry.text() is None, "two are enabled and none is chosen"
    store.save({"settings": {"ha_assist_text_model": "small", "ha_assist_vision_model": "small"}})
    assert registry.text() is registry.vision() is registry.find("small")
    store.save({"settings": {"ha_assist_text_model": "gemma-4-E2B-it"}})
    gemma = registry.text()
    assert gemma is registry.find("gemma-4-E2B-it")
    assert gemma is not None
    assert (await gemma.status()).state is not ModelState.DOWNLOADING, "looking at a model fetches nothing"
    store.save({"models": {"gemma": {"enabled": False}}})
    assert registry.text() is None, "never another one in its place"
    await registry.close()
