"""A question before a change says of what, which value, and by how much, in the eight languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from ha_assist_addon.home.entity import Entity
from ha_assist_addon.meaning.acts import Act, Quantity
from ha_assist_addon.meaning.calls import Change
from ha_assist_addon.meaning.change import Steps
from ha_assist_addon.meaning.command import Command, Degree, Reference, Value
from ha_assist_addon.meaning.effects import Effect
from ha_assist_addon.wording.proposals import ask_for
from tests.support.house import House, Pipeline, thing

LAMP = Entity(("Porch Lamp",), "light", ("Porch",))
STOVE = Entity(("Stove",), "climate", ("Parlour",))
RAISED = {
    "en": "Shall I raise the brightness of Porch Lamp by 20%?",
    "de": "Soll ich die Helligkeit von Porch Lamp um 20 Prozent erhöhen?",
    "fr": "Dois-je augmenter la luminosité de Porch Lamp de 20 % ?",
    "es": "¿Subo el brillo de Porch Lamp en 20 %?",
    "it": "Devo aumentare la luminosità di Porch Lamp di 20%?",
    "nl": "Zal ik de helderheid van Porch Lamp met 20 procent verhogen?",
    "pl": "Czy mam zwiększyć jasność (Porch Lamp) o 20 procent?",
    "pt": "Aumento o brilho de Porch Lamp em 20%?",
}


def change(entity: Entity, act: Act, quantity: Quantity | None, value: Value | None = None) -> Change:
    command = Command((act,), Reference(), quantity, value or Value())
    return Change(command, act, Effect("HassLightSet", {}, quantity=quantity), entity)


@pytest.mark.parametrize("language", RAISED)
def test_a_step_is_named(language: str) -> None:
    assert ask_for((), [change(LAMP, Act.UP, Quantity.BRIGHTNESS)], language) == RAISED[language]


@pytest.mark.parametrize("language", RAISED)
@pytest.mark.parametrize(
    ("act", "value", "told"),
    [(Act.UP, Value(2.0, "degree", relative=True), "2"), (Act.DOWN, Value(factor=0.5), "50"), (Act.UP, Value(), "1")],
)
def test_each_value_stands_in_the_question(language: str, act: Act, value: Value, told: str) -> None:
    text = ask_for((), [change(STOVE, act, Quantity.TEMPERATURE, value)], language)
    assert "Stove" in text
    assert told in text
    assert text.endswith("?")


@pytest.mark.parametrize("language", RAISED)
def test_both_ends_and_both_directions_differ(language: str) -> None:
    end = Value(degree=Degree.END)
    asked = [
        ask_for((), [change(LAMP, act, Quantity.BRIGHTNESS, value)], language)
        for act in (Act.UP, Act.DOWN)
        for value in (end, Value(), Value(degree=Degree.LARGE))
    ]
    assert len(set(asked)) == len(asked)


@pytest.mark.parametrize("language", RAISED)
def test_what_is_switched_over_is_told_with_both_states(language: str) -> None:
    lamp, gate = (
        ask_for((), [change(Entity((name,), domain), Act.TOGGLE, None)], language)
        for name, domain in (("Porch Lamp", "light"), ("Yard Gate", "cover"))
    )
    assert lamp.replace("Porch Lamp", "") != gate.replace("Yard Gate", "")
    assert "Yard Gate" in gate


def test_what_moves_differently_is_asked_apart() -> None:
    changes = [change(LAMP, Act.UP, Quantity.BRIGHTNESS), change(STOVE, Act.DOWN, Quantity.TEMPERATURE)]
    text = ask_for((), changes, "en", Steps(10, 2))
    assert (
        text
        == "Shall I raise the brightness of Porch Lamp by 10%? Shall I lower the temperature of Stove by 2 degrees?"
    )


def test_a_wish_is_asked_with_its_value(tmp_path: Path) -> None:
    house = House((thing("Stove", "climate", "Parlour"), thing("Sill", "light", "Parlour")), satellite="Parlour")
    text = Pipeline(tmp_path, "en").say(house, "it's too cold in here").text
    assert text == "Shall I raise the temperature of Stove by 1 degree?"
