"""What carries an act out on a domain, and that nothing else does."""

from __future__ import annotations

import pytest

from ha_assist_addon.meaning.acts import Act, Quantity
from ha_assist_addon.meaning.command import Command, Degree, Reference, Value
from ha_assist_addon.meaning.effects import ROWS, act_on, domains_of, effect_of

PERCENT_30 = Value(30.0, "percent")


def command(*acts: Act, quantity: Quantity | None = None, value: Value | None = None) -> Command:
    return Command(acts, Reference(), quantity, value or Value())


@pytest.mark.parametrize(
    ("act", "domain", "intent"),
    [
        (Act.ON, "light", "HassTurnOn"),
        (Act.LOCK, "lock", "HassTurnOn"),
        (Act.UNLOCK, "lock", "HassTurnOff"),
        (Act.OPEN, "lock", "HassTurnOff"),
        (Act.OPEN, "cover", "HassTurnOn"),
        (Act.CLOSE, "cover", "HassTurnOff"),
        (Act.STOP, "cover", "HassStopMoving"),
        (Act.STOP, "media_player", "HassMediaPause"),
        (Act.RETURN, "vacuum", "HassVacuumReturnToBase"),
        (Act.MOW, "lawn_mower", "HassLawnMowerStartMowing"),
    ],
)
def test_an_act_on_a_domain(act: Act, domain: str, intent: str) -> None:
    effect = effect_of(command(act), domain)
    assert effect is not None
    assert (effect.intent, dict(effect.slots)) == (intent, {})


@pytest.mark.parametrize(
    ("act", "domain"),
    [
        (Act.CLOSE, "lock"),
        (Act.ON, "lock"),
        (Act.OFF, "lock"),
        (Act.LOCK, "cover"),
        (Act.ON, "cover"),
        (Act.OFF, "cover"),
        (Act.OPEN, "light"),
        (Act.MUTE, "light"),
        (Act.OFF, "scene"),
        (Act.ON, "todo"),
    ],
)
def test_what_has_no_row_cannot_be_done(act: Act, domain: str) -> None:
    assert effect_of(command(act), domain) is None


def test_the_target_decides_between_the_acts_of_a_verb() -> None:
    shut = command(Act.LOCK, Act.CLOSE)
    assert (act_on(shut, "lock"), act_on(shut, "cover"), act_on(shut, "light")) == (Act.LOCK, Act.CLOSE, None)
    assert domains_of(shut) == {"lock", "cover", "valve"}


@pytest.mark.parametrize(
    ("domain", "value", "intent", "slots"),
    [
        ("light", PERCENT_30, "HassLightSet", {"brightness": 30}),
        ("media_player", PERCENT_30, "HassSetVolume", {"volume_level": 30}),
        ("cover", PERCENT_30, "HassSetPosition", {"position": 30}),
        ("fan", PERCENT_30, "HassFanSetSpeed", {"percentage": 30}),
        ("climate", Value(21.5, "degree"), "HassClimateSetTemperature", {"temperature": 21.5}),
        ("light", Value(colour="red"), "HassLightSet", {"color": "red"}),
        ("light", Value(2700.0, "kelvin"), "HassLightSet", {"temperature": 2700}),
    ],
)
def test_a_value_is_set_on_what_it_is_about(domain: str, value: Value, intent: str, slots: dict[str, object]) -> None:
    effect = effect_of(command(Act.SET, value=value), domain)
    assert effect is not None
    assert (effect.intent, dict(effect.slots), effect.live) == (intent, slots, False)


@pytest.mark.parametrize(
    ("domain", "value"),
    [
        ("light", Value(130.0, "percent")),
        ("light", Value(-5.0, "percent")),
        ("light", Value(30.5, "percent")),
        ("light", Value(21.0, "degree")),
        ("climate", Value(30.0, "percent")),
        ("climate", Value(38.0, "degree")),
        ("lock", PERCENT_30),
        ("cover", Value(colour="red")),
    ],
)
def test_a_value_out_of_range_or_of_another_thing_is_not_set(domain: str, value: Value) -> None:
    assert effect_of(command(Act.SET, value=value), domain) is None


def test_a_quantity_keeps_other_domains_out() -> None:
    volume = command(Act.UP, quantity=Quantity.VOLUME)
    assert domains_of(volume) == {"media_player"}
    assert effect_of(volume, "light") is None


@pytest.mark.parametrize(("act", "step"), [(Act.UP, 10), (Act.DOWN, -10)])
def test_volume_has_a_tool_for_steps(act: Act, step: int) -> None:
    effect = effect_of(
        command(act, quantity=Quantity.VOLUME, value=Value(10.0, "percent", relative=True)), "media_player"
    )
    assert effect is not None
    assert (effect.intent, dict(effect.slots), effect.live) == ("HassSetVolumeRelative", {"volume_step": step}, False)


def test_other_changes_need_the_state_first() -> None:
    brighter = effect_of(command(Act.UP), "light")
    assert brighter is not None
    assert (brighter.live, brighter.quantity) == (True, Quantity.BRIGHTNESS)
    opened = effect_of(command(Act.UP), "cover")
    further = effect_of(command(Act.UP, value=Value(degree=Degree.SMALL)), "cover")
    assert opened is not None
    assert further is not None
    assert (opened.intent, opened.live, further.live) == ("HassTurnOn", False, True)


def test_a_bare_act_never_sets_a_value() -> None:
    assert [row for row in ROWS.values() if row.slots] == []
