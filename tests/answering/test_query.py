"""Questions: one read, then an answer in words, and never an action."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
import yaml

from ha_assist_addon.home.catalogue import HomeCache
from ha_assist_addon.home.entity import Area
from ha_assist_addon.home.request_home import read_request_home
from ha_assist_addon.home.toolbox import plain_name
from ha_assist_addon.language.data import languages_with, read_file
from ha_assist_addon.reading.interpret import Interpreter
from ha_assist_addon.turn.outcome import Answer
from ha_assist_addon.wire.chat import parse_chat
from tests.support.house import VERSIONS, Decision, House, Pipeline, Thing, Version, body, called, result, thing

ITEMS: tuple[tuple[Thing, str, Mapping[str, Any]], ...] = (
    (thing("Kitchen Light", "light", "Kitchen"), "on", {"brightness": "128", "brightness_pct": "50"}),
    (thing("Ceiling", "light", "Bedroom"), "off", {}),
    (thing("Ceiling", "light", "Office"), "on", {}),
    (thing("Hall Light", "light", "Hall"), "unavailable", {}),
    (thing("Coffee Plug", "switch", "Kitchen"), "on", {"device_class": "outlet"}),
    (
        thing("Coffee Plug Power", "sensor", "Kitchen"),
        "1200.5",
        {"unit_of_measurement": "W", "device_class": "power"},
    ),
    (
        thing("Lounge Thermostat", "climate", "Lounge"),
        "heat",
        {"current_temperature": "20.5", "temperature": "22", "temperature_unit": "°C"},
    ),
    (thing("Attic Thermostat", "climate", "Attic"), "heat", {"temperature": "19"}),
    (thing("Shelf", "sensor", "Kitchen"), "21.4", {"unit_of_measurement": "°C", "device_class": "temperature"}),
    (thing("Fridge", "sensor", "Kitchen"), "4", {"unit_of_measurement": "°C", "device_class": "temperature"}),
    (thing("Oven", "sensor", "Office"), "70.5", {"unit_of_measurement": "°F", "device_class": "temperature"}),
    (thing("Probe", "sensor", "Cellar"), "unknown", {"unit_of_measurement": "°C", "device_class": "temperature"}),
    (thing("Window Contact", "binary_sensor", "Kitchen"), "on", {"device_class": "window"}),
    (thing("Garage Door", "cover", "Garage"), "closed", {"current_position": "0", "device_class": "garage"}),
    (thing("Front Door Lock", "lock", "Hall"), "locked", {}),
    (thing("Sprinklers", "valve", "Garden"), "closed", {}),
    (
        thing("Samsung", "media_player", "Lounge"),
        "playing",
        {"device_class": "tv", "media_title": "Yellow", "media_artist": "Coldplay", "volume_level": "0.5"},
    ),
    (thing("Radio", "media_player", "Kitchen"), "off", {}),
    (thing("Rosie", "vacuum", "Office"), "docked", {}),
    (thing("Rosie Battery", "sensor", "Office"), "13", {"unit_of_measurement": "%", "device_class": "battery"}),
    (thing("Humidifier", "humidifier", "Bedroom"), "on", {"humidity": "45"}),
    (thing("Anna", "person"), "home", {}),
    (thing("Bob", "person"), "not_home", {}),
    (thing("Forecast", "weather"), "rainy", {"temperature": "7.3", "temperature_unit": "°C", "humidity": "81"}),
    (thing("Shopping List", "todo"), "2", {}),
    (thing("Chores", "todo"), "0", {}),
    (thing("Family", "calendar"), "off", {}),
)
WEEK = [
    {"start": "2026-12-02", "end": "2026-12-03", "summary": "Birthday Anna", "all_day": True},
    {"start": "2026-11-30T10:00:00+01:00", "end": "2026-11-30T11:00:00+01:00", "summary": "Dentist"},
    {"start": "2026-12-01T19:30:00+01:00", "end": "2026-12-01T21:00:00+01:00", "summary": "Dinner with Liza"},
]
ANSWERS = {
    "GetDateTime": {"date": "2026-11-30", "time": "08:05:00", "timezone": "CET", "weekday": "Monday"},
    "todo_get_items": [
        {"summary": "Milk", "status": "needs_action"},
        {"summary": "Two Eggs", "status": "needs_action"},
    ],
}


def live(arguments: Mapping[str, Any]) -> str:
    """What GetLiveContext would say, filtered as the newer versions do."""
    wanted = arguments.get("domain")
    domains = [wanted] if isinstance(wanted, str) else wanted
    items = [
        {
            "names": ", ".join(t.names),
            "domain": t.domain,
            "state": state,
            **({"areas": ", ".join(t.areas)} if t.areas else {}),
            **({"attributes": dict(attributes)} if attributes else {}),
        }
        for t, state, attributes in ITEMS
        if t.domain != "calendar"
        and (domains is None or t.domain in domains)
        and arguments.get("name") in (None, *t.names)
        and arguments.get("area") in (None, *t.areas)
    ]
    return f"Live Context: An overview:\n{yaml.safe_dump(items, sort_keys=False, allow_unicode=True)}"


def home_says(name: str, arguments: Mapping[str, Any], version: Version) -> Any:
    """The result of a read in the form of the version."""
    if name == "calendar_get_events":
        events = WEEK[1:2] if arguments["range"] == "today" else WEEK
        data: Any = {"events": events} if version == "2026.11" else {"success": True, "result": events}
    elif name == "GetLiveContext":
        data = {"result": live(arguments)}
    else:
        answer = ANSWERS[name]
        data = {"items": answer} if name == "todo_get_items" and version == "2026.11" else {"result": answer}
        data = answer if name == "GetDateTime" and version == "2026.11" else data
    return {"data": data, "error": False} if version == "2026.11" else data


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    return Pipeline(tmp_path_factory.mktemp("query"), "en")


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    return Pipeline(tmp_path_factory.mktemp("query_de"), "de")


def ask(
    pipeline: Pipeline, sentence: str, *, version: Version = "2026.11", satellite: str | None = None
) -> tuple[Decision, list[tuple[str, dict[str, Any]]]]:
    """Play Home Assistant until an answer comes; the reads that were made stand beside it."""
    house = House(tuple(t for t, _, _ in ITEMS), satellite=satellite, version=version)
    messages: list[str | Mapping[str, Any]] = [sentence]
    made: list[tuple[str, dict[str, Any]]] = []
    for number in range(4):
        decision = pipeline.say(house, *messages)
        assert decision.actions == []
        if not decision.calls:
            return decision, made
        for offered, arguments in decision.calls:
            made.append((plain_name(offered), arguments))
            identity = f"call_{number}"
            messages += [
                called(offered, arguments, identity),
                result(home_says(plain_name(offered), arguments, version), identity),
            ]
    raise AssertionError(f"{sentence!r} gets no answer")


ENGLISH = [
    ("is the kitchen light on?", "Yes"),
    ("are the sprinklers on", "No, Sprinklers is closed."),
    ("is the plug in the kitchen on", "Yes, Coffee Plug is on."),
    ("is the vacuum docked", "Yes, Rosie is docked."),
    ("is the front door lock locked", "Yes"),
    ("are any windows open", "Yes, Window Contact"),
    ("is the window in the kitchen open", "Yes, Window Contact"),
    ("how many windows are open", "1: Window Contact"),
    ("who is home", "Anna"),
    ("where is bob", "Bob is away."),
    ("is anna home", "Yes, Anna is home."),
    ("what is the temperature in the lounge", "20.5 degrees"),
    ("what is the lounge thermostat set to", "Lounge Thermostat: 22 degrees."),
    ("what mode is the lounge thermostat in", "Lounge Thermostat is in heat mode."),
    ("how bright is the kitchen light", "Kitchen Light: 50%."),
    ("what is the position of the garage door", "Garage Door: 0%."),
    ("what's the volume of the samsung", "Samsung: 50%."),
    ("what is the battery level of rosie", "Rosie Battery: 13%."),
    ("how much power is the coffee plug using", "Coffee Plug Power: 1200.5 W."),
    ("what is the temperature outside", "Forecast: 7.3 degrees."),
    ("what's the weather", "7.3 °C and raining"),
    ("is it raining", "Yes. It is raining now, 7.3 degrees."),
    ("will it be sunny today", "It is raining now, 7.3 degrees. I have no forecast."),
    ("what is playing in the lounge", "Samsung is playing Yellow by Coldplay."),
    ("is the tv playing, paused or stopped", "Samsung is playing."),
    ("what's on the shopping list", "Shopping List, 2 items: Milk and Two Eggs."),
    ("how many items are on the shopping list", "Shopping List, 2 items: Milk and Two Eggs."),
    ("is milk on the shopping list", "Yes, Shopping List has Milk."),
    ("is butter on the shopping list", "No. Shopping List, 2 items: Milk and Two Eggs."),
    ("what's on my calendar today", "Today: Dentist at 10:00 AM."),
    ("what's on my calendar tomorrow", "Tomorrow: Dinner with Liza at 7:30 PM."),
    ("do i have any meetings on wednesday", "Wednesday: Birthday Anna."),
    ("who am i meeting for dinner", "In the next seven days: Dinner with Liza on Tuesday at 7:30 PM."),
    ("what day is it", "It is Monday, November 30th, 2026."),
    ("what time is it", "8:05 AM"),
    ("do i have lights in the bedroom", "Yes: Ceiling."),
    ("how many lights do i have", "4: Ceiling in Bedroom, Ceiling in Office, Hall Light and Kitchen Light."),
    ("are there any lights in the garden", "I see nothing like that in Garden."),
]
GERMAN = [
    ("ist die Garage Door offen", "Nein, geschlossen"),
    ("läuft Rosie", "Nein, Rosie ist in der Station."),
    ("sind Fenster offen", "Ja, Window Contact"),
    ("wie warm ist es im Lounge", "20,5 Grad"),
    ("auf wie viel Grad ist Lounge Thermostat eingestellt", "22 Grad"),
    ("wie viel Strom verbraucht Coffee Plug", "Coffee Plug Power: 1200,5 W."),
    ("wie ist der Batteriestand von Rosie", "Rosie Battery: 13 Prozent."),
    ("regnet es", "Ja. Es ist jetzt regnerisch, 7,3 Grad."),
    ("was läuft im Lounge", "Samsung spielt Yellow von Coldplay."),
    ("was steht auf der Einkaufsliste", "Shopping List, 2 Einträge: Milk und Two Eggs."),
    ("was steht heute im Kalender", "Heute: um 10:00 Uhr Dentist."),
    ("habe ich morgen Termine", "Morgen: um 19:30 Uhr Dinner with Liza."),
    ("welcher Wochentag ist heute", "Es ist Montag der 30. November 2026"),
    ("gibt es Lampen im Bedroom", "Ja: Ceiling."),
    ("wo ist Bob", "Bob ist unterwegs."),
]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("sentence", "answer"), ENGLISH, ids=[s for s, _ in ENGLISH])
def test_english(english: Pipeline, sentence: str, answer: str, version: Version) -> None:
    assert ask(english, sentence, version=version)[0].text == answer


@pytest.mark.parametrize(("sentence", "answer"), GERMAN, ids=[s for s, _ in GERMAN])
def test_german(german: Pipeline, sentence: str, answer: str) -> None:
    assert ask(german, sentence)[0].text == answer


class TestSafeguards:
    @pytest.mark.parametrize("sentence", ["what is the temperature in the attic", "how warm is the attic thermostat"])
    def test_a_set_point_is_no_temperature(self, english: Pipeline, sentence: str) -> None:
        decision, _ = ask(english, sentence)
        assert "19" not in decision.text
        assert "heat" not in decision.text

    def test_a_target_humidity_is_no_humidity(self, english: Pipeline) -> None:
        assert "45" not in ask(english, "what is the humidity in the bedroom")[0].text
        assert "45%" in ask(english, "what is the humidifier set to")[0].text

    @pytest.mark.parametrize("sentence", ["what is the probe", "what is the temperature of the probe"])
    def test_what_has_no_value_is_said_by_name(self, english: Pipeline, sentence: str) -> None:
        assert ask(english, sentence)[0].text == "Probe is not available right now."

    def test_what_is_away_is_neither_on_nor_off(self, english: Pipeline) -> None:
        assert ask(english, "is the hall light on")[0].text == "Hall Light is not available right now."
        told = ask(english, "are all lights off")[0].text
        assert told.endswith("Hall Light is not available right now.")
        assert "Hall Light" not in told.removesuffix("Hall Light is not available right now.")

    def test_several_measurements_are_named_not_picked_and_not_averaged(self, english: Pipeline) -> None:
        told = ask(english, "what is the temperature in the kitchen")[0].text
        assert told == "Fridge: 4 degrees and Shelf: 21.4 degrees."
        assert "12.7" not in told

    def test_both_scales_are_told_apart_and_never_converted(self, english: Pipeline) -> None:
        told = ask(english, "what is the temperature")[0].text
        assert "Oven: 70.5 °F" in told
        assert "Shelf: 21.4 °C" in told

    def test_duplicates_are_told_apart_by_their_area(self, english: Pipeline) -> None:
        assert ask(english, "is ceiling on")[0].text == "Ceiling in Bedroom is off. Ceiling in Office is on."
        assert "Ceiling in Office" in ask(english, "which lights are on")[0].text

    def test_a_floor_that_nobody_told_is_said_to_be_unknown(self, english: Pipeline) -> None:
        told = ask(english, "which lights are on on the first floor")[0].text
        assert told.endswith("That is for the whole home, because I don't know the rooms of first floor.")

    def test_a_speaker_is_no_television(self, english: Pipeline) -> None:
        assert not ask(english, "is there a tv in the kitchen")[0].text.startswith("Yes")

    def test_no_freshness_is_invented(self, english: Pipeline) -> None:
        for sentence, _ in ENGLISH:
            told = ask(english, sentence)[0].text
            assert not {"ago", "updated", "last", "since"} & set(told.lower().split()), told

    @pytest.mark.parametrize("sentence", ["am i free tomorrow", "what do i have after 5 pm", "when is my next meeting"])
    def test_what_has_to_be_thought_about_is_read_first_and_left_to_a_model(
        self, english: Pipeline, sentence: str
    ) -> None:
        decision, made = ask(english, sentence)
        assert made[0][0] == "calendar_get_events"
        assert "has to be thought about" in decision.trace.why
        assert "Dinner with Liza" in decision.text, "without a model the listing is better than nothing"


class TestRead:
    @pytest.mark.parametrize(
        ("sentence", "wanted"),
        [
            ("is the kitchen light on", {"name": "Kitchen Light"}),
            ("which lights are on", {"domain": "light"}),
            ("what is the temperature in the lounge", {"area": "Lounge", "domain": "climate"}),
            ("what is the battery level of rosie", {"domain": ["vacuum", "sensor"]}),
            ("are any windows open", {"domain": ["cover", "binary_sensor"]}),
        ],
    )
    def test_filters_are_those_of_the_offered_schema(
        self, english: Pipeline, sentence: str, wanted: dict[str, Any]
    ) -> None:
        assert ask(english, sentence)[1] == [("GetLiveContext", wanted)]
        assert ask(english, sentence, version="2026.2")[1] == [("GetLiveContext", {})]

    def test_tomorrow_needs_the_date(self, english: Pipeline) -> None:
        made = ask(english, "what's on my calendar tomorrow")[1]
        assert made == [("calendar_get_events", {"calendar": "Family", "range": "week"}), ("GetDateTime", {})]

    def test_what_exists_needs_no_read(self, english: Pipeline) -> None:
        assert ask(english, "do i have lights in the bedroom")[1] == []

    def test_the_satellites_room_is_meant(self, english: Pipeline) -> None:
        assert ask(english, "is the light on", satellite="Bedroom")[0].text == "No, Ceiling is off."
        assert ask(english, "how warm is it", satellite="Lounge")[0].text == "20.5 degrees"

    def test_where_the_room_has_none_the_home_is_named(self, english: Pipeline) -> None:
        told = ask(english, "how warm is it", satellite="Garden")[0].text
        assert "Lounge Thermostat: 20.5" in told
        assert "Fridge: 4" in told

    def test_a_list_that_could_be_several_is_asked_for(self, english: Pipeline) -> None:
        decision, made = ask(english, "what's on the list")
        assert made == []
        assert decision.text == "Which one do you mean: Chores or Shopping List?"

    def test_a_refused_read_is_said(self, english: Pipeline) -> None:
        house = House(tuple(t for t, _, _ in ITEMS), version="2026.2")
        decision = english.decide(
            body(
                house,
                "is the kitchen light on",
                called("GetLiveContext", {}),
                result(json.dumps({"error": "HomeAssistantError", "error_text": "broken"})),
            )
        )
        assert decision.text
        assert decision.calls == []


@pytest.fixture(scope="module")
def reader(english: Pipeline) -> Interpreter:
    house = read_request_home(parse_chat(body(House(tuple(t for t, _, _ in ITEMS)), "hello")).chat, HomeCache())
    told = {(t.name, t.domain, t.areas): (state, attributes) for t, state, attributes in ITEMS}
    entities = []
    for entity in house.home.entities:
        state, attributes = told[entity.name, entity.domain, entity.areas]
        entities.append(
            replace(entity, state=state, attributes=attributes, device_class=attributes.get("device_class"))
        )
    floors = {
        "Kitchen": "Ground Floor",
        "Lounge": "Ground Floor",
        "Office": "First Floor",
        "Bedroom": "First Floor",
    }
    home = replace(
        house.home,
        entities=tuple(entities),
        areas=tuple(replace(a, floor=floors.get(a.name, "Basement")) for a in house.home.areas),
        floors=tuple(Area((name,)) for name in ("Ground Floor", "First Floor", "Basement")),
        floors_known=True,
    )
    grammar = english.services.grammars.get("en")
    assert grammar is not None
    return Interpreter(replace(house, home=home), grammar)


class TestWhatTheRequestTells:
    """States and floors that a client adds to the request: answered at once, and only for the floor."""

    @pytest.mark.parametrize(
        ("sentence", "answer"),
        [
            ("is the kitchen light on", "Yes"),
            ("what is the temperature in the lounge", "20.5 degrees"),
            ("which lights are on on the first floor", "Ceiling in Office"),
            ("are any lights on on the ground floor", "Yes, Kitchen Light"),
        ],
    )
    def test_it_is_answered_in_the_first_round(self, reader: Interpreter, sentence: str, answer: str) -> None:
        found = reader.single(sentence)
        assert found is not None
        assert isinstance(found.outcome, Answer)
        assert found.outcome.text == answer


def test_every_language_that_has_questions_keeps_the_keys() -> None:
    """A question file may only name intents that never act, and measures and qualities that the code knows."""
    from ha_assist_addon.answering.measure import MEASURES
    from ha_assist_addon.answering.weather import CONDITIONS
    from ha_assist_addon.home.intents import QUERY_INTENTS

    languages = languages_with("questions")
    assert {"de", "en"} <= set(languages)
    for language in languages:
        loaded = read_file("questions", language)
        assert set(loaded["intents"]) <= QUERY_INTENTS, language
        lists = loaded["lists"]
        outs = {key: {v["out"] for v in lists[key].get("values", ())} for key in lists}
        for key in ("ha_measure", "ha_how", "ha_use"):
            assert outs[key] <= MEASURES.keys(), (language, key)
        assert outs["ha_condition"] <= CONDITIONS.keys(), language


@pytest.mark.parametrize(
    ("sentence", "read"),
    [
        ("is the front door locked", "Front Door Lock"),
        ("is the front door unlocked", "Front Door Lock"),
        ("is the front door open", "Front Door"),
        ("is the back door locked", "Back Door"),
    ],
)
def test_whether_a_door_is_locked_its_lock_knows(pipeline: Pipeline, sentence: str, read: str) -> None:
    house = House(
        (
            thing("Front Door", "binary_sensor", "Hallway"),
            thing("Front Door Lock", "lock", "Hallway"),
            thing("Back Door", "binary_sensor", "Kitchen"),
        )
    )
    assert [arguments for _, arguments in pipeline.say(house, sentence).calls] == [{"name": read}]
