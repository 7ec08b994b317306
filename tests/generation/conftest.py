"""The pipeline with a language model that plays a script."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.support.fake_backend import FakeBackend, FakeModels
from tests.support.house import House, Pipeline, thing

HOUSE = House(
    (
        thing("Floor Lamp, Reading Lamp", "light", "Living Room, Lounge"),
        thing("Living Room Ceiling", "light", "Living Room, Lounge"),
        thing("Desk Lamp", "light", "Office"),
        thing("Bedroom Light", "light", "Bedroom"),
        thing("Living Room TV", "media_player", "Living Room, Lounge"),
        thing("Left Blind", "cover", "Bedroom"),
        thing("Garage Door", "cover", "Garage"),
        thing("Front Door", "lock", "Hallway"),
        thing("Heating", "climate", "Living Room, Lounge"),
        thing("Outside Temperature", "sensor"),
        thing("Coffee Machine", "switch", "Kitchen"),
        thing("Shopping List", "todo"),
    )
)

Asking = Callable[..., Pipeline]


@pytest.fixture
def model() -> FakeBackend:
    """The text model."""
    return FakeBackend()


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    """A pipeline whose grammars are loaded once."""
    return Pipeline(tmp_path_factory.mktemp("generation"), "en", "de", verify=0)


@pytest.fixture
def asking(plain: Pipeline, model: FakeBackend) -> Pipeline:
    """The pipeline with that model."""
    pipeline = object.__new__(Pipeline)
    pipeline.services = replace(plain.services, backends=FakeModels(model))  # type: ignore[arg-type]
    return pipeline
