"""What comes, what was, undoing and later, in French."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.house import House, Pipeline, called, result, thing
from tests.support.timed import CANCEL, FORECAST, HISTORY, LIST, SCHEDULE, UNDO, days, history

HOUSE = House(
    (
        thing("Porte d'entrée", "binary_sensor", "Entrée"), thing("Serrure", "lock", "Entrée"),
        thing("Lampe du salon", "light", "Salon"), thing("Lave-linge", "switch"), thing("Sonnette", "event"),
        thing("Thermomètre", "sensor", "Chambre"), thing("Anna", "person"), thing("Maison", "weather"),
        thing("Volet", "cover", "Chambre"),
    ),
    extra_tools=(FORECAST, HISTORY, UNDO, SCHEDULE, LIST, CANCEL),
)  # fmt: skip


@pytest.fixture(scope="module")
def french(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    return Pipeline(tmp_path_factory.mktemp("times_fr"), "fr")


@pytest.mark.parametrize(
    ("sentence", "tool", "arguments"),
    [
        ("quel temps fera-t-il demain", "get_forecast", {}),
        ("va-t-il pleuvoir ce soir", "get_forecast", {"type": "hourly"}),
        ("est-ce qu'il va neiger ce week-end", "get_forecast", {}),
        ("ai-je besoin d'un parapluie aujourd'hui", "get_forecast", {}),
        ("quand la porte d'entrée a-t-elle été ouverte pour la dernière fois", "get_history",
         {"name": "Porte d'entrée"}),
        ("depuis quand la lampe du salon est-elle allumée", "get_history", {"name": "Lampe du salon"}),
        ("combien de fois la sonnette a-t-elle sonné aujourd'hui", "get_history",
         {"name": "Sonnette", "period": "today"}),
        ("est-ce que le lave-linge a tourné aujourd'hui", "get_history", {"name": "Lave-linge", "period": "today"}),
        ("quelle était la température la plus basse dans la chambre hier", "get_history",
         {"device_class": "temperature", "area": "Chambre", "period": "yesterday"}),
        ("quand Anna est-elle rentrée", "get_history", {"name": "Anna"}),
        ("s'il te plaît remets comme avant", "undo", {}),
        ("qu'est-ce qui est programmé", "list_scheduled", {}),
        ("annule toutes les commandes programmées", "cancel_scheduled", {"which": "all"}),
    ],
)  # fmt: skip
def test_asks(french: Pipeline, sentence: str, tool: str, arguments: dict[str, Any]) -> None:
    assert french.say(HOUSE, sentence).calls == [(f"ha_assist__{tool}", arguments)]


@pytest.mark.parametrize(
    ("sentence", "tool", "when"),
    [
        ("éteins la lampe du salon à 22 heures", "HassTurnOff", {"time": "22:00"}),
        ("éteins la lampe du salon dans 20 minutes", "HassTurnOff", {"after_seconds": 1200}),
        ("allume la lampe du salon au coucher du soleil", "HassTurnOn", {"sun": "sunset"}),
        ("ferme le volet demain matin à 7 heures", "HassTurnOff", {"time": "07:00", "day": "tomorrow"}),
    ],
)
def test_plans(french: Pipeline, sentence: str, tool: str, when: dict[str, Any]) -> None:
    [(name, given)] = french.say(HOUSE, sentence).calls
    assert (name, given["tool"]) == ("ha_assist__schedule", tool)
    assert {key: value for key, value in given.items() if key not in ("what", "tool", "arguments")} == when


@pytest.mark.parametrize(
    "sentence",
    [
        "n'éteins pas la lampe du salon à 22 heures",
        "éteins la lampe du salon jusqu'à 22 heures",
        "éteins la lampe du salon tous les jours à 22 heures",
        "éteins la lampe du salon demain",
        "s'il pleut demain ferme le volet",
        "déverrouille la serrure à 22 heures",
        "n'annule pas ça",
        "la lampe du salon a été allumée hier",
        "va-t-il pleuvoir demain à Oslo",
    ],
)
def test_what_is_none_of_these(french: Pipeline, sentence: str) -> None:
    assert french.say(HOUSE, sentence).calls == []


@pytest.mark.parametrize(
    ("sentence", "told", "answer"),
    [
        ("quel temps fera-t-il demain", days({}, {"condition": "cloudy", "temperature": 8, "templow": 2}),
         "Demain : nuageux, 2 à 8 degrés."),
        ("quand la porte d'entrée a-t-elle été ouverte pour la dernière fois",
         history("Porte d'entrée", "binary_sensor", "off", ("on", "2026-12-01T08:00"), ("off", "2026-12-01T08:02"),
                 device_class="door"),
         "Porte d'entrée : ouvert la dernière fois aujourd'hui à 8:00, pendant 2 minutes."),
        ("annule ça", {"found": True, "undone": ["Volet"], "not_undone": []}, "Comme avant : Volet."),
    ],
)  # fmt: skip
def test_what_is_said(french: Pipeline, sentence: str, told: Any, answer: str) -> None:
    [(name, arguments)] = french.say(HOUSE, sentence).calls
    decision = french.say(HOUSE, sentence, called(name, arguments), result(told))
    assert (decision.text, decision.calls) == (answer, [])
