"""What comes, what was, undoing and later, in Spanish, Italian, Dutch, Polish and Portuguese."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.house import House, Pipeline, thing
from tests.support.timed import CANCEL, FORECAST, HISTORY, LIST, SCHEDULE, UNDO

TOOLS = (FORECAST, HISTORY, UNDO, SCHEDULE, LIST, CANCEL)
NAMES = {
    "es": ("Puerta principal", "Cerradura", "Flexo", "Lavadora", "Timbre", "Persiana", "Dormitorio"),
    "it": ("Porta d'ingresso", "Serratura", "Piantana", "Lavatrice", "Campanello", "Tapparella", "Camera"),
    "nl": ("Voordeur", "Slot", "Leeslamp", "Wasmachine", "Deurbel", "Rolluik", "Slaapkamer"),
    "pl": ("Drzwi wejściowe", "Zamek", "Kinkiet", "Pralka", "Dzwonek", "Roleta", "Sypialnia"),
    "pt": ("Porta da frente", "Fechadura", "Candeeiro", "Lavadora", "Campainha", "Estore", "Quarto"),
}


def _house(language: str) -> House:
    door, lock, lamp, washer, bell, cover, room = NAMES[language]
    return House(
        (
            thing(door, "binary_sensor"), thing(lock, "lock"), thing(lamp, "light", room), thing(washer, "switch"),
            thing(bell, "event"), thing("Termo", "sensor", room), thing("Anna", "person"), thing("Forecast", "weather"),
            thing(cover, "cover", room),
        ),
        extra_tools=TOOLS,
    )  # fmt: skip


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    return Pipeline(tmp_path_factory.mktemp("times"), *NAMES)


ASKS: dict[str, tuple[tuple[str, str, dict[str, Any]], ...]] = {
    "es": (
        ("qué tiempo hará mañana", "get_forecast", {}),
        ("va a llover esta noche", "get_forecast", {"type": "hourly"}),
        ("necesito un paraguas hoy", "get_forecast", {}),
        ("cuántas veces ha sonado el timbre hoy", "get_history", {"name": "Timbre", "period": "today"}),
        ("cuánto tiempo lleva encendido el flexo", "get_history", {"name": "Flexo"}),
        ("déjalo como estaba", "undo", {}),
        ("qué está programado", "list_scheduled", {}),
        ("cancela todo lo programado", "cancel_scheduled", {"which": "all"}),
    ),
    "it": (
        ("che tempo farà domani", "get_forecast", {}),
        ("mi serve l'ombrello oggi", "get_forecast", {}),
        ("ci sarà neve nel fine settimana", "get_forecast", {}),
        ("quante volte ha suonato il campanello oggi", "get_history", {"name": "Campanello", "period": "today"}),
        ("da quanto tempo è accesa la piantana", "get_history", {"name": "Piantana"}),
        ("rimetti tutto come prima", "undo", {}),
        ("cosa è programmato", "list_scheduled", {}),
        ("annulla tutti i comandi programmati", "cancel_scheduled", {"which": "all"}),
    ),
    "nl": (
        ("wat voor weer wordt het morgen", "get_forecast", {}),
        ("gaat het vannacht regenen", "get_forecast", {"type": "hourly"}),
        ("heb ik vandaag een paraplu nodig", "get_forecast", {}),
        ("hoe vaak is de deurbel vandaag gegaan", "get_history", {"name": "Deurbel", "period": "today"}),
        ("hoe lang is de leeslamp al aan", "get_history", {"name": "Leeslamp"}),
        ("maak dat ongedaan", "undo", {}),
        ("wat staat er gepland", "list_scheduled", {}),
        ("annuleer alle geplande opdrachten", "cancel_scheduled", {"which": "all"}),
    ),
    "pl": (
        ("jaka będzie pogoda jutro", "get_forecast", {}),
        ("czy będzie padać dziś w nocy", "get_forecast", {"type": "hourly"}),
        ("czy potrzebuję dziś parasola", "get_forecast", {}),
        ("ile razy dzwonił dzwonek dzisiaj", "get_history", {"name": "Dzwonek", "period": "today"}),
        ("od kiedy kinkiet jest włączony", "get_history", {"name": "Kinkiet"}),
        ("cofnij to", "undo", {}),
        ("co jest zaplanowane", "list_scheduled", {}),
        ("anuluj wszystkie zaplanowane polecenia", "cancel_scheduled", {"which": "all"}),
    ),
    "pt": (
        ("como vai estar o tempo amanhã", "get_forecast", {}),
        ("vai chover hoje à noite", "get_forecast", {"type": "hourly"}),
        ("preciso de um guarda-chuva hoje", "get_forecast", {}),
        ("quantas vezes tocou a campainha hoje", "get_history", {"name": "Campainha", "period": "today"}),
        ("há quanto tempo está aceso o candeeiro", "get_history", {"name": "Candeeiro"}),
        ("põe tudo como estava", "undo", {}),
        ("o que está agendado", "list_scheduled", {}),
        ("cancela todos os comandos agendados", "cancel_scheduled", {"which": "all"}),
    ),
}

PLANS: dict[str, tuple[tuple[str, str, dict[str, Any]], ...]] = {
    "es": (
        ("apaga el flexo a las 22:00", "HassTurnOff", {"time": "22:00"}),
        ("apaga el flexo dentro de 20 minutos", "HassTurnOff", {"after_seconds": 1200}),
        ("enciende el flexo a la puesta de sol", "HassTurnOn", {"sun": "sunset"}),
        ("cierra la persiana mañana por la mañana a las 7:00", "HassTurnOff", {"time": "07:00", "day": "tomorrow"}),
    ),
    "it": (
        ("spegni la piantana alle 22:00", "HassTurnOff", {"time": "22:00"}),
        ("spegni la piantana tra 20 minuti", "HassTurnOff", {"after_seconds": 1200}),
        ("accendi la piantana al tramonto", "HassTurnOn", {"sun": "sunset"}),
        ("chiudi la tapparella domani mattina alle 7", "HassTurnOff", {"time": "07:00", "day": "tomorrow"}),
    ),
    "nl": (
        ("zet de leeslamp uit om 22 uur", "HassTurnOff", {"time": "22:00"}),
        ("zet de leeslamp over 20 minuten uit", "HassTurnOff", {"after_seconds": 1200}),
        ("zet de leeslamp aan bij zonsondergang", "HassTurnOn", {"sun": "sunset"}),
        ("sluit het rolluik morgenochtend om 7 uur", "HassTurnOff", {"time": "07:00", "day": "tomorrow"}),
    ),
    "pl": (
        ("wyłącz kinkiet o 22:00", "HassTurnOff", {"time": "22:00"}),
        ("wyłącz kinkiet za 20 minut", "HassTurnOff", {"after_seconds": 1200}),
        ("włącz kinkiet o zachodzie słońca", "HassTurnOn", {"sun": "sunset"}),
        ("zamknij roletę jutro rano o 7:00", "HassTurnOff", {"time": "07:00", "day": "tomorrow"}),
    ),
    "pt": (
        ("apaga o candeeiro às 22:00", "HassTurnOff", {"time": "22:00"}),
        ("apaga o candeeiro daqui a 20 minutos", "HassTurnOff", {"after_seconds": 1200}),
        ("acende o candeeiro ao pôr do sol", "HassTurnOn", {"sun": "sunset"}),
        ("fecha o estore amanhã de manhã às 7 horas", "HassTurnOff", {"time": "07:00", "day": "tomorrow"}),
    ),
}

NOTHING = {
    "es": (
        "no apagues el flexo a las 22:00",
        "apaga el flexo hasta las 22:00",
        "apaga el flexo todos los días a las 22:00",
        "apaga el flexo mañana",
        "si llueve mañana cierra la persiana",
        "abre la cerradura a las 22:00",
        "no lo deshagas",
        "va a llover mañana en Oslo",
    ),
    "it": (
        "non spegnere la piantana alle 22:00",
        "spegni la piantana fino alle 22:00",
        "spegni la piantana ogni giorno alle 22:00",
        "spegni la piantana domani",
        "se domani piove chiudi la tapparella",
        "sblocca la serratura alle 22:00",
        "non annullare",
        "pioverà domani a Oslo",
    ),
    "nl": (
        "zet de leeslamp niet uit om 22 uur",
        "zet de leeslamp uit tot 22 uur",
        "zet de leeslamp elke dag om 22 uur uit",
        "zet de leeslamp morgen uit",
        "als het morgen regent sluit het rolluik",
        "ontgrendel het slot om 22 uur",
        "maak het niet ongedaan",
        "gaat het morgen regenen in Oslo",
    ),
    "pl": (
        "nie wyłączaj kinkietu o 22:00",
        "wyłącz kinkiet do 22:00",
        "wyłącz kinkiet codziennie o 22:00",
        "wyłącz kinkiet jutro",
        "jeśli jutro będzie padać zamknij roletę",
        "odblokuj zamek o 22:00",
        "nie cofaj tego",
        "czy jutro będzie padać w Oslo",
    ),
    "pt": (
        "não apagues o candeeiro às 22:00",
        "apaga o candeeiro até às 22:00",
        "apaga o candeeiro todos os dias às 22:00",
        "apaga o candeeiro amanhã",
        "se chover amanhã fecha o estore",
        "destranca a fechadura às 22:00",
        "não desfaças isso",
        "vai chover amanhã em Oslo",
    ),
}


@pytest.mark.parametrize(
    ("language", "sentence", "tool", "arguments"),
    [(language, *line) for language, lines in ASKS.items() for line in lines],
)
def test_asks(pipeline: Pipeline, language: str, sentence: str, tool: str, arguments: dict[str, Any]) -> None:
    assert pipeline.say(_house(language), sentence).calls == [(f"ha_assist__{tool}", arguments)]


@pytest.mark.parametrize(
    ("language", "sentence", "tool", "when"),
    [(language, *line) for language, lines in PLANS.items() for line in lines],
)
def test_plans(pipeline: Pipeline, language: str, sentence: str, tool: str, when: dict[str, Any]) -> None:
    [(name, given)] = pipeline.say(_house(language), sentence).calls
    assert (name, given["tool"]) == ("ha_assist__schedule", tool)
    assert {key: value for key, value in given.items() if key not in ("what", "tool", "arguments")} == when


@pytest.mark.parametrize(
    ("language", "sentence"), [(language, line) for language, lines in NOTHING.items() for line in lines]
)
def test_does_nothing(pipeline: Pipeline, language: str, sentence: str) -> None:
    assert pipeline.say(_house(language), sentence).calls == []
