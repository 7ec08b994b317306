"""Undoing: after any actions the states are those before the last one, or what cannot be brought back is named."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.integration.modules import load_pure

restoring, actions = load_pure("restoring"), load_pure("actions")
Was, Cannot, kept, way_back = restoring.Was, restoring.Cannot, restoring.kept, restoring.way_back


class Home:
    """A home that does what Home Assistant's actions do."""

    def __init__(self) -> None:
        self.states: dict[str, Any] = {
            "light.lamp": ["on", {"brightness": 100, "color_mode": "hs", "hs_color": (30.0, 80.0)}],
            "light.strip": ["off", {}],
            "switch.pump": ["off", {}],
            "fan.fan": ["on", {"percentage": 33, "oscillating": False}],
            "cover.blind": ["open", {"current_position": 40, "device_class": "blind"}],
            "cover.garage": ["closed", {"device_class": "garage"}],
            "climate.den": ["heat", {"temperature": 20.0, "preset_mode": "home"}],
            "media_player.radio": ["playing", {"volume_level": 0.3, "is_volume_muted": False}],
            "lock.front": ["locked", {}],
        }

    def seen(self) -> dict[str, Any]:
        return {entity: kept(entity.split(".", maxsplit=1)[0], *told) for entity, told in self.states.items()}

    def do(self, entity: str, service: str, data: dict[str, Any]) -> None:
        domain = entity.split(".", maxsplit=1)[0]
        state = self.states[entity]
        if service in ("turn_on", "turn_off"):
            on = service == "turn_on"
            attributes = dict(state[1]) if on else {}
            if domain == "light" and on:
                attributes = {"brightness": 255, "color_mode": "hs", "hs_color": (0.0, 0.0), **attributes}
                attributes.update(data)
                if "hs_color" in data:
                    attributes["color_mode"] = "hs"
                    attributes.pop("color_temp_kelvin", None)
                    attributes["hs_color"] = tuple(data["hs_color"])
                if "color_temp_kelvin" in data:
                    attributes["color_mode"] = "color_temp"
                    attributes["hs_color"] = (28.0, 60.0)
            if domain == "fan" and on:
                attributes = {"percentage": 100, "oscillating": False, **attributes}
            self.states[entity] = ["on" if on else "off", attributes]
        elif service in ("lock", "unlock"):
            state[0] = f"{service}ed"
        elif service in ("open_cover", "close_cover"):
            state[0] = "open" if service == "open_cover" else "closed"
            if "current_position" in state[1]:
                state[1] = {**state[1], "current_position": 100 if state[0] == "open" else 0}
        elif service == "set_cover_position":
            at = data["position"]
            self.states[entity] = ["open" if at else "closed", {**state[1], "current_position": at}]
        elif service == "set_hvac_mode":
            state[0] = data["hvac_mode"]
        elif service in ("media_play", "media_pause"):
            state[0] = "playing" if service == "media_play" else "paused"
        else:
            renamed = {"position": "current_position"}
            state[1] = {**state[1], **{renamed.get(key, key): value for key, value in data.items()}}
            if service == "set_percentage":
                state[0] = "on" if data["percentage"] else "off"
                state[1] = {"oscillating": False, **state[1]}


SAID: list[tuple[str, str, dict[str, Any]]] = [
    ("light.lamp", "turn_off", {}), ("light.lamp", "turn_on", {}), ("light.lamp", "turn_on", {"brightness": 10}),
    ("light.lamp", "turn_on", {"hs_color": (200.0, 90.0)}), ("light.lamp", "turn_on", {"color_temp_kelvin": 2700}),
    ("light.strip", "turn_on", {}), ("light.strip", "turn_off", {}), ("switch.pump", "turn_on", {}),
    ("switch.pump", "turn_off", {}), ("fan.fan", "turn_off", {}), ("fan.fan", "turn_on", {}),
    ("fan.fan", "set_percentage", {"percentage": 66}), ("fan.fan", "oscillate", {"oscillating": True}),
    ("cover.blind", "open_cover", {}), ("cover.blind", "close_cover", {}),
    ("cover.blind", "set_cover_position", {"position": 70}), ("cover.garage", "open_cover", {}),
    ("cover.garage", "close_cover", {}), ("climate.den", "set_temperature", {"temperature": 23.5}),
    ("climate.den", "set_hvac_mode", {"hvac_mode": "off"}), ("climate.den", "set_preset_mode", {"preset_mode": "away"}),
    ("media_player.radio", "volume_set", {"volume_level": 0.8}),
    ("media_player.radio", "volume_mute", {"is_volume_muted": True}), ("media_player.radio", "media_pause", {}),
    ("lock.front", "unlock", {}), ("lock.front", "lock", {}),
]  # fmt: skip
NEVER = {("lock", "unlock"), ("alarm_control_panel", "alarm_disarm")}


@given(st.lists(st.lists(st.sampled_from(SAID), min_size=1, max_size=5), min_size=1, max_size=8), st.data())
def test_undoing_gives_what_was_or_says_what_it_cannot(
    spoken: list[list[tuple[str, str, dict[str, Any]]]], data: st.DataObject
) -> None:
    home, journal = Home(), actions.Journal()
    me = actions.Origin("me", "kitchen")
    befores = []
    for number, sentence in enumerate(spoken):
        befores.append(home.seen())
        journal.expect(f"c{number}", me)
        for entity, service, arguments in sentence:
            journal.note(f"c{number}", "me", float(number), {entity: home.seen()[entity]}, None)
            home.do(entity, service, arguments)
    for _ in range(data.draw(st.integers(1, len(spoken)))):
        before = befores.pop()
        action = journal.last(me, 100.0)
        assert action is not None
        cannot = set()
        for entity, was in action.before.items():
            domain = entity.split(".", maxsplit=1)[0]
            steps = way_back(domain, was, home.seen()[entity])
            if isinstance(steps, Cannot):
                cannot.add(entity)
                continue
            for step in steps:
                assert (step.domain, step.service) not in NEVER
                assert not (entity == "cover.garage" and step.service != "close_cover")
                home.do(entity, step.service, dict(step.data))
        journal.forget(action)
        after = home.seen()
        assert {e for e in after if not alike(after[e], before[e])} <= cannot
        assert cannot <= {"lock.front", "cover.garage", "media_player.radio"}
        befores = [{**earlier, **{e: after[e] for e in cannot}} for earlier in befores]


def alike(one: Any, other: Any) -> bool:
    """The same to look at: a lamp of white light has a colour as well that nobody set."""
    if one.state != other.state:
        return False
    shown, wanted = dict(one.attributes), dict(other.attributes)
    if shown.get("color_mode") == wanted.get("color_mode") == "color_temp":
        shown.pop("hs_color", None)
        wanted.pop("hs_color", None)
    if one.state == "off":
        return True
    return shown.keys() == wanted.keys() and all(restoring._same(shown[key], wanted[key]) for key in shown)


def test_what_closes_off_the_home_is_closed_and_never_opened() -> None:
    closed, opened = Was("closed", {"device_class": "garage"}), Was("open", {"device_class": "garage"})
    assert isinstance(way_back("cover", opened, closed), Cannot)
    assert [step.service for step in way_back("cover", closed, opened)] == ["close_cover"]
    assert isinstance(way_back("lock", Was("unlocked"), Was("locked")), Cannot)


@pytest.mark.parametrize("state", ["unavailable", "unknown"])
def test_nothing_is_done_to_what_is_away(state: str) -> None:
    assert isinstance(way_back("light", Was("on"), Was(state)), Cannot)
    assert isinstance(way_back("light", Was(state), Was("on")), Cannot)


ME, KITCHEN = actions.Origin("me", None), actions.Origin("me", "kitchen")


class TestWhose:
    def test_the_latest_of_this_device(self) -> None:
        journal = actions.Journal()
        journal.expect("a", KITCHEN)
        journal.note("a", "me", 1, {"light.a": "off"}, None)
        journal.expect("b", actions.Origin("me", "bedroom"))
        journal.note("b", "me", 2, {"light.b": "off"}, None)
        assert journal.last(KITCHEN, 3).before == {"light.a": "off"}

    def test_nothing_after_ten_minutes(self) -> None:
        journal = actions.Journal()
        journal.expect("a", ME)
        journal.note("a", "me", 1, {"light.a": "off"}, None)
        assert journal.last(ME, 601) is not None
        assert journal.last(ME, 602) is None

    def test_what_an_automation_did_is_no_action(self) -> None:
        journal = actions.Journal()
        journal.expect("a", ME)
        journal.note("a", "me", 1, {"light.a": "off"}, None)
        journal.note("auto", None, 2, {"light.b": "off"}, None)
        journal.ignore("auto")
        journal.note("auto", None, 3, {"light.c": "off"}, None)
        assert journal.last(ME, 4).before == {"light.a": "off"}

    def test_what_nobody_knows_the_author_of_is_not_guessed_at(self) -> None:
        journal = actions.Journal()
        journal.expect("a", ME)
        journal.note("a", "me", 1, {"light.a": "off"}, None)
        journal.note("x", None, 2, {"light.b": "off"}, None)
        assert journal.last(ME, 3) is None

    def test_ones_own_tap_counts_and_anothers_does_not(self) -> None:
        journal = actions.Journal()
        journal.note("tap", "me", 1, {"light.a": "off"}, None)
        journal.note("other", "you", 2, {"light.b": "off"}, None)
        assert journal.last(ME, 3).before == {"light.a": "off"}

    def test_the_first_state_counts(self) -> None:
        journal = actions.Journal()
        journal.expect("a", ME)
        journal.note("a", "me", 1, {"light.a": "off"}, None)
        journal.note("a", "me", 2, {"light.a": "on"}, "todo.add_item")
        found = journal.last(ME, 3)
        assert (found.before, list(found.others)) == ({"light.a": "off"}, ["todo.add_item"])

    def test_only_so_many_are_kept(self) -> None:
        journal = actions.Journal()
        for number in range(200):
            journal.expect(f"c{number}", ME)
            journal.note(f"c{number}", "me", number, {"light.a": number}, None)
        undone = 0
        while (action := journal.last(ME, 200)) is not None:
            journal.forget(action)
            undone += 1
        assert undone == actions.MOST
