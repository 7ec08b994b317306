"""An answer holds no state, number or name but those of the home, the question and the templates."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import pytest
import yaml
from home_assistant_intents import get_intents
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ha_assist_addon.language.data import read_text
from ha_assist_addon.language.words import folded_words
from tests.support.house import House, Pipeline, called, result, thing

AWAY = ("unavailable", "unknown")
THINGS: Mapping[str, tuple[str, str, Sequence[str], str | None, str | None]] = {
    # name: domain, area, states (# is a number), the attribute that is a number, a device class
    "Floor Lamp": ("light", "Living Room", ("on", "off"), "brightness_pct", None),
    "Desk Lamp": ("light", "Office", ("on", "off"), "brightness_pct", None),
    "Heating": ("climate", "Living Room", ("heat", "off"), "current_temperature", None),
    "Office Temperature": ("sensor", "Office", ("#",), None, "temperature"),
    "Garden Temperature": ("sensor", "Garden", ("#",), None, "temperature"),
    "Office Humidity": ("sensor", "Office", ("#",), None, "humidity"),
    "Pantry Battery": ("sensor", "Pantry", ("#",), None, "battery"),
    "Left Blind": ("cover", "Office", ("open", "closed"), "current_position", "blind"),
    "Front Door": ("lock", "Hallway", ("locked", "unlocked"), None, None),
    "Office Window": ("binary_sensor", "Office", ("on", "off"), None, "window"),
    "Box Fan": ("fan", "Office", ("on", "off"), "percentage", None),
    "Radio": ("media_player", "Living Room", ("playing", "paused", "off"), "volume_level", None),
}
UNITS = {"temperature": "°C", "humidity": "%", "battery": "%"}
HOUSE = House(tuple(thing(name, kind[0], kind[1]) for name, kind in THINGS.items()), satellite="Pantry")
QUESTIONS = {
    "en": (
        *("how warm is it in here", "how warm is it in the office", "what is the temperature in the garden"),
        *("is the floor lamp on", "which lights are on", "how many lights are on", "are all lights off"),
        *("is the front door locked", "is the office window open", "what is the state of the box fan"),
        *("how humid is it in the office", "what is the battery of the pantry", "how loud is the radio"),
        *("what is the brightness of the desk lamp", "what position is the left blind", "is anything open"),
        *("how warm is it in the living room", "is the radio playing", "which devices are unavailable"),
    ),
    "de": (
        *("wie warm ist es hier", "wie warm ist es im Office", "ist die Floor Lamp an", "welche Lichter sind an"),
        *("wie viele Lichter sind an", "sind alle Lichter aus", "ist die Front Door abgeschlossen"),
        *("ist das Office Window offen", "wie ist der Zustand von Box Fan", "wie laut ist das Radio"),
        *("wie hell ist die Desk Lamp", "ist irgendwas offen", "wie warm ist es im Living Room"),
    ),
}
NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


@st.composite
def live(draw: st.DrawFn) -> dict[str, dict[str, Any]]:
    """States for all things: every number is another one, so that each tells where it comes from."""
    numbers = draw(st.permutations([n / 10 for n in range(131, 985, 13)]))
    states: dict[str, dict[str, Any]] = {}
    for at, (name, (_, _, known, attribute, _)) in enumerate(THINGS.items()):
        state = draw(st.sampled_from((*known, *AWAY)))
        value: float | None = numbers[at] / 100 if attribute == "volume_level" else round(numbers[at])
        states[name] = {"state": str(numbers[at]) if state == "#" else state}
        if attribute is not None and draw(st.booleans()):
            states[name][attribute] = value
    return states


def context(states: Mapping[str, Mapping[str, Any]], arguments: Mapping[str, Any]) -> str:
    """The live context as Home Assistant writes it, cut to what was asked for."""
    listed = []
    for name, (domain, area, _, attribute, device_class) in THINGS.items():
        wanted = arguments.get("domain", domain)
        kept = domain in ([wanted] if isinstance(wanted, str) else wanted)
        if not kept or arguments.get("name", name) != name or arguments.get("area", area) != area:
            continue
        more: dict[str, Any] = {"device_class": device_class} if device_class else {}
        if device_class in UNITS and domain == "sensor":
            more["unit_of_measurement"] = UNITS[device_class]
        if attribute and attribute in states[name]:
            more[attribute] = states[name][attribute]
        entity = {"names": name, "domain": domain, "state": states[name]["state"], "areas": area}
        listed.append({**entity, **({"attributes": more} if more else {})})
    return f"Live Context: An overview of the areas and the devices in this smart home:\n{yaml.safe_dump(listed)}"


@cache
def template_words(language: str) -> frozenset[str]:
    """All words of our texts and of Home Assistant's own answers."""
    own = " ".join(read_text(kind, language) or "" for kind in ("replies", "spoken"))
    return frozenset(folded_words(f"{own} {_texts((get_intents(language) or {}).get('responses'))}"))


def _texts(part: Any) -> str:
    if isinstance(part, Mapping):
        return " ".join(_texts(value) for value in part.values())
    return str(part)


@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_is_said_that_nobody_told(language: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    pipeline = Pipeline(tmp_path_factory.mktemp("truth"), language, verify=0)
    answered: set[str] = set()

    @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
    @given(states=live())
    def check(states: dict[str, dict[str, Any]]) -> None:
        for question in QUESTIONS[language]:
            ask(question, states)

    def ask(question: str, states: Mapping[str, Mapping[str, Any]]) -> None:
        first = pipeline.say(HOUSE, question)
        assert not first.actions
        if len(first.calls) != 1:
            return
        name, arguments = first.calls[0]
        told = context(states, arguments)
        answer = pipeline.say(HOUSE, question, called(name, arguments), result({"success": True, "result": told}))
        if answer.calls or answer.trace.inference_calls or answer.trace.reason != "read_state":
            return
        answered.add(question)
        numbers = {f"{n:g}" for n in values_of(states)} | {str(n) for n in range(len(THINGS) + 1)}
        said = {f"{float(n.replace(',', '.')):g}" for n in NUMBER.findall(answer.text)}
        assert said <= numbers, answer.text
        words = {word for word in folded_words(answer.text) if not word[0].isdigit()}
        known = template_words(language) | set(folded_words(f"{told} {question} {' '.join(THINGS)} {areas()}"))
        assert words <= known, (answer.text, words - known)

    check()
    assert len(answered) > len(QUESTIONS[language]) // 2


def areas() -> str:
    return " ".join(kind[1] for kind in THINGS.values())


def values_of(states: Mapping[str, Mapping[str, Any]]) -> set[float]:
    """The numbers that may be said: those of things that are not away, volumes in percent."""
    found: set[float] = set()
    for held in states.values():
        if held["state"] in AWAY:
            continue
        for key, value in held.items():
            if key == "state" and not NUMBER.fullmatch(str(value)):
                continue
            found |= {float(value), round(float(value), 1), float(round(float(value) * 100))}
    return found
