"""Kinds of questions that people ask of any home, in the eight languages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.fake_backend import FakeBackend, FakeModels
from tests.support.house import House, Pipeline, called, result, thing
from tests.support.questions import State, answer_to

STATES: tuple[State, ...] = (
    (thing("Gable Window", "binary_sensor", "Loft"), "on", {"device_class": "window"}),
    (thing("Yard Gate", "cover", "Yard"), "closed", {}),
    (thing("Box Fan", "fan", "Den"), "on", {"percentage": "45"}),
    (thing("Projector", "media_player", "Den"), "off", {}),
    (thing("Loft Meter", "sensor", "Loft"), "17.5", {"unit_of_measurement": "°C", "device_class": "temperature"}),
    (thing("Clara", "person"), "home", {}),
    (thing("Emil", "person"), "not_home", {}),
)
TIMER = {
    "name": "pasta", "area": "", "is_active": True, "total_seconds_left": 400,
    "hours_left": 0, "minutes_left": 6, "seconds_left": 40,
    "rounded_hours_left": 0, "rounded_minutes_left": 6, "rounded_seconds_left": 40,
    "start_hours": 0, "start_minutes": 9, "start_seconds": 0,
}  # fmt: skip
ASKED = {
    "en": {
        "open": "what's open in the house",
        "set": "how is the box fan set",
        "home": "is anybody home",
        "plays": "what is on the projector",
        "warm": "what temperature is it in the loft",
        "left": "how much longer does the pasta need",
    },
    "de": {
        "open": "was steht im Haus offen",
        "set": "wie ist der Box Fan eingestellt",
        "home": "ist irgendjemand zu Hause",
        "plays": "was läuft auf dem Projector",
        "warm": "wie warm ist es im Loft",
        "left": "wie lange braucht die pasta noch",
    },
    "fr": {
        "open": "qu'est-ce qui est ouvert dans la maison",
        "set": "comment est réglé Box Fan",
        "home": "y a-t-il quelqu'un à la maison",
        "plays": "qu'est-ce qui passe à Projector",
        "warm": "quelle température fait-il dans Loft",
        "left": "combien de temps faut-il encore pour pasta",
    },
    "es": {
        "open": "qué está abierto en casa",
        "set": "a cuánto está puesto el Box Fan",
        "home": "está alguien en casa",
        "plays": "qué ponen en Projector",
        "warm": "qué temperatura hay en Loft",
        "left": "cuánto falta para la pasta",
    },
    "it": {
        "open": "cosa è aperto in casa",
        "set": "a quanto è impostato Box Fan",
        "home": "c'è qualcuno a casa",
        "plays": "cosa c'è in Projector",
        "warm": "che temperatura c'è in Loft",
        "left": "quanto manca alla pasta",
    },
    "nl": {
        "open": "wat staat er open in huis",
        "set": "hoe is de Box Fan ingesteld",
        "home": "is er iemand thuis",
        "plays": "wat is er op Projector",
        "warm": "hoe warm is het in Loft",
        "left": "hoe lang moet de pasta nog",
    },
    "pl": {
        "open": "co jest otwarte w domu",
        "set": "jak jest ustawiony Box Fan",
        "home": "czy ktoś jest w domu",
        "plays": "co leci w Projector",
        "warm": "ile jest stopni w Loft",
        "left": "ile jeszcze potrzebuje pasta",
    },
    "pt": {
        "open": "o que está aberto em casa",
        "set": "como está Box Fan regulado",
        "home": "há alguém em casa",
        "plays": "o que está a dar na Projector",
        "warm": "qual é a temperatura em Loft",
        "left": "quanto tempo falta para a pasta",
    },
}
TOLD = {
    "open": ("Gable Window", ("Yard Gate", "Box Fan")),
    "set": ("45", ()),
    "home": ("Clara", ("Emil",)),
    "plays": ("Projector", ("Box Fan",)),
    "warm": ("17", ("45",)),
    "left": ("40", ()),
}


@pytest.fixture(scope="module", params=ASKED)
def speaker(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Pipeline]:
    return request.param, Pipeline(tmp_path_factory.mktemp(f"daily_{request.param}"), request.param)


@pytest.mark.parametrize("kind", TOLD)
def test_is_answered(speaker: tuple[str, Pipeline], kind: str) -> None:
    language, pipeline = speaker
    text = answer_to(pipeline, ASKED[language][kind], STATES, timer=TIMER, satellite="Den")
    told, untold = TOLD[kind]
    assert told in text, text
    assert not [name for name in untold if name in text], text


def test_nobody_is_home(speaker: tuple[str, Pipeline]) -> None:
    language, pipeline = speaker
    away = [(t, "not_home" if t.domain == "person" else s, a) for t, s, a in STATES]
    text = answer_to(pipeline, ASKED[language]["home"], away)
    assert "Clara" not in text
    assert text.split()[0].strip(".,").casefold() in {"no", "nein", "non", "nee", "nie", "não"}


@pytest.mark.parametrize("sentence", ["what's up", "what is out"])
def test_what_says_too_little_is_not_answered(tmp_path: Path, sentence: str) -> None:
    decision = Pipeline(tmp_path, "en").say(House(tuple(t for t, _, _ in STATES)), sentence)
    assert not decision.calls


def test_a_timer_that_does_not_exist_is_left_to_a_model(tmp_path: Path) -> None:
    sentence = "how much longer does the renovation need"
    pipeline = Pipeline(tmp_path, "en")
    house = House(tuple(t for t, _, _ in STATES), satellite="Den")
    assert [arguments for _, arguments in pipeline.say(house, sentence).calls] == [{"name": "renovation"}]
    missing = result({"error": "TimerNotFoundError", "error_text": ""})
    model = FakeBackend([["It is a long one."]])
    pipeline.services = replace(pipeline.services, backends=FakeModels(model))  # type: ignore[arg-type]
    told = pipeline.say(house, sentence, called("intent__HassTimerStatus", {"name": "renovation"}), missing)
    assert told.text == "It is a long one."


def test_a_light_that_can_be_dimmed_is_no_crash(tmp_path: Path) -> None:
    states: tuple[State, ...] = ((thing("Bettlampe", "light", "Kammer"), "off", {}),)
    assert "Bettlampe" in answer_to(Pipeline(tmp_path, "de"), "kann die Bettlampe gedimmt werden", states)


def test_what_is_not_available_is_said_beside_a_no(tmp_path: Path) -> None:
    states = [(t, "unavailable" if t.name == "Gable Window" else s, a) for t, s, a in STATES]
    text = answer_to(Pipeline(tmp_path, "en"), "is anything open", states)
    assert "Gable Window is not available right now" in text


def test_a_person_in_a_place_called_home_is_at_home(tmp_path: Path) -> None:
    states = [(t, "zu Hause" if t.name == "Emil" else s, a) for t, s, a in STATES]
    assert "Emil" in answer_to(Pipeline(tmp_path, "de"), "ist jemand zu Hause", states)


AWAY = {
    "en": "which devices are unavailable",
    "de": "welche Geräte sind nicht erreichbar",
    "fr": "quels appareils sont indisponibles",
    "es": "cuáles dispositivos están no disponibles",
    "it": "quali dispositivi sono offline",
    "nl": "welke apparaten zijn onbereikbaar",
    "pl": "które urządzenia są niedostępne",
    "pt": "quais dispositivos estão indisponíveis",
}
WARM_HOME = {
    "en": "how warm is it in the house",
    "de": "wie warm ist es im Haus",
    "fr": "quelle température fait-il dans la maison",
    "es": "qué temperatura hay en la casa",
    "it": "che temperatura c'è in casa",
    "nl": "hoe warm is het in huis",
    "pl": "ile jest stopni w domu",
    "pt": "qual é a temperatura em casa",
}


def test_what_is_not_available_is_listed(speaker: tuple[str, Pipeline]) -> None:
    language, pipeline = speaker
    states = [(t, "unavailable" if t.name in ("Box Fan", "Clara") else s, a) for t, s, a in STATES]
    text = answer_to(pipeline, AWAY[language], states)
    assert "Box Fan" in text
    assert "Clara" in text
    assert "Emil" not in text


def test_each_room_tells_its_temperature(speaker: tuple[str, Pipeline]) -> None:
    language, pipeline = speaker
    warm = (thing("Den Meter", "sensor", "Den"), "22.5", {"unit_of_measurement": "°C", "device_class": "temperature"})
    text = answer_to(pipeline, WARM_HOME[language], (*STATES, warm)).replace(",", ".")
    assert "17.5" in text
    assert "22.5" in text


@pytest.mark.parametrize(("sentence", "told"), [("is it dry or raining", "raining"), ("is it dry", "No.")])
def test_the_weather_of_two_kinds(tmp_path: Path, sentence: str, told: str) -> None:
    weather: tuple[State, ...] = ((thing("Sky", "weather"), "rainy", {}),)
    assert told in answer_to(Pipeline(tmp_path, "en"), sentence, weather)
