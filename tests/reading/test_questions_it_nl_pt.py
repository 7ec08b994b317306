"""Questions in Italian, Dutch and Portuguese, composed from their words over a home of the language."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.support.house import House, Pipeline, thing
from tests.support.questions import State, answer_to

HOMES: Mapping[str, tuple[State, ...]] = {
    "it": (
        (thing("Lampadario", "light", "Cucina"), "on", {"brightness": "102"}),
        (thing("Faretto scale", "light", "Corridoio"), "off", {}),
        (thing("Ventola", "fan", "Studio"), "on", {"percentage": "66"}),
        (thing("Tapparella grande", "cover", "Studio"), "open", {"current_position": "40", "device_class": "shutter"}),
        (thing("Portoncino", "lock", "Corridoio"), "unlocked", {}),
        (thing("Robottino", "vacuum", "Corridoio"), "docked", {}),
        (thing("Stereo", "media_player", "Cucina"), "playing", {"media_title": "Azzurro"}),
        (
            thing("Termostato", "climate", "Studio"),
            "heat",
            {"current_temperature": "19.5", "temperature": "21", "temperature_unit": "°C"},
        ),
        (
            thing("Telecomando batteria", "sensor", "Studio"),
            "15",
            {"device_class": "battery", "unit_of_measurement": "%"},
        ),
        (thing("Spesa", "todo"), "2", {}),
    ),
    "nl": (
        (thing("Hanglamp", "light", "Keuken"), "on", {"brightness": "102"}),
        (thing("Traplamp", "light", "Gang"), "off", {}),
        (thing("Ventilator", "fan", "Zolder"), "on", {"percentage": "66"}),
        (thing("Rolgordijn", "cover", "Zolder"), "open", {"current_position": "40", "device_class": "blind"}),
        (thing("Voordeur", "lock", "Gang"), "unlocked", {}),
        (thing("Stofzuiger", "vacuum", "Gang"), "docked", {}),
        (thing("Geluidsbalk", "media_player", "Keuken"), "playing", {"media_title": "Avond"}),
        (
            thing("Thermostaat", "climate", "Zolder"),
            "heat",
            {"current_temperature": "19.5", "temperature": "21", "temperature_unit": "°C"},
        ),
        (
            thing("Afstandsbediening batterij", "sensor", "Zolder"),
            "15",
            {"device_class": "battery", "unit_of_measurement": "%"},
        ),
        (thing("Boodschappen", "todo"), "2", {}),
    ),
    "pt": (
        (thing("Candeeiro alto", "light", "Cozinha"), "on", {"brightness": "102"}),
        (thing("Foco das escadas", "light", "Corredor"), "off", {}),
        (thing("Ventoinha", "fan", "Escritório"), "on", {"percentage": "66"}),
        (thing("Estore grande", "cover", "Escritório"), "open", {"current_position": "40", "device_class": "shutter"}),
        (thing("Fechadura", "lock", "Corredor"), "unlocked", {}),
        (thing("Aspirador", "vacuum", "Corredor"), "docked", {}),
        (thing("Coluna", "media_player", "Cozinha"), "playing", {"media_title": "Canção do Mar"}),
        (
            thing("Termóstato", "climate", "Escritório"),
            "heat",
            {"current_temperature": "19.5", "temperature": "21", "temperature_unit": "°C"},
        ),
        (
            thing("Bateria do comando", "sensor", "Escritório"),
            "15",
            {"device_class": "battery", "unit_of_measurement": "%"},
        ),
        (thing("Compras", "todo"), "2", {}),
    ),
}
ITEMS = ("A", "B")
ANSWERS: Mapping[str, str] = {
    "it": """
        è accesa la luce in cucina -> Sì, Lampadario: acceso.
        è acceso il lampadario? -> Sì, Lampadario: acceso.
        il faretto scale è spento? -> Sì
        puoi dirmi se il faretto scale è acceso -> No, Faretto scale: spento.
        quali luci sono accese -> Lampadario
        quante luci sono accese? -> 1: Lampadario
        sono accese delle luci? -> Sì: Lampadario.
        la tapparella grande è aperta o chiusa -> Tapparella grande: aperto.
        è chiusa la tapparella nello studio -> No, Tapparella grande: aperto.
        il portoncino è chiuso a chiave? -> No, Portoncino: sbloccato.
        cosa fa il robottino -> Robottino: alla base.
        cosa sta facendo il robottino adesso -> Robottino: alla base.
        dov'è il robottino -> Robottino: alla base.
        qual è lo stato della ventola -> Ventola è acceso
        gira la ventola? -> Sì, Ventola: acceso.
        qual è la luminosità del lampadario -> Lampadario: 40%.
        quanto è veloce la ventola -> Ventola: 66%.
        che temperatura c'è nello studio -> 19,5 gradi
        qual è la temperatura impostata del termostato -> Termostato: 21 gradi.
        qual è il livello della batteria del telecomando -> Telecomando batteria: 15%.
        cosa sta suonando lo stereo -> Stereo riproduce Azzurro.
        cosa c'è sulla lista della spesa -> Spesa, 2 voci: A e B.
        quante cose ci sono sulla lista Spesa -> Spesa, 2 voci: A e B.
        la batteria del telecomando è scarica? -> Telecomando batteria: 15%.
        c'è qualcosa di acceso in cucina -> Sì: Lampadario e Stereo.
    """,
    "nl": """
        is het licht in de keuken aan -> Ja, Hanglamp is aan.
        brandt de hanglamp? -> Ja, Hanglamp is aan.
        is de traplamp uit? -> Ja
        kun je me zeggen of de traplamp aan is -> Nee, Traplamp is uit.
        welke lampen zijn aan -> Hanglamp
        hoeveel lampen branden er? -> 1: Hanglamp
        is er ergens een lamp aan? -> Ja: Hanglamp.
        is het rolgordijn open of dicht -> Rolgordijn is open.
        is het rolgordijn op zolder gesloten -> Nee, Rolgordijn is open.
        zit de voordeur op slot? -> Nee, die is ontgrendeld
        wat doet de stofzuiger -> Stofzuiger is in het station.
        waar is de stofzuiger -> Stofzuiger is in het station.
        wat is de status van de ventilator -> Ventilator is aan
        draait de ventilator? -> Ja, Ventilator is aan.
        wat is de helderheid van de hanglamp -> Hanglamp: 40 procent.
        hoe snel draait de ventilator -> Ventilator: 66 procent.
        hoe warm is het op zolder -> 19,5 graden
        wat is de ingestelde temperatuur van de thermostaat -> 21 graden
        wat is het batterijniveau van de afstandsbediening -> Afstandsbediening batterij: 15 procent.
        wat speelt er op de geluidsbalk -> Geluidsbalk speelt Avond.
        wat staat er op de boodschappenlijst -> Boodschappen, 2 regels: A en B.
        hoeveel dingen staan er op de lijst boodschappen -> Boodschappen, 2 regels: A en B.
        is de batterij van de afstandsbediening bijna leeg? -> Afstandsbediening batterij: 15 procent.
        staat er iets aan in de keuken -> Ja: Geluidsbalk en Hanglamp.
    """,
    "pt": """
        a luz da cozinha está acesa -> Sim, Candeeiro alto: ligado.
        está ligado o candeeiro alto? -> Sim, Candeeiro alto: ligado.
        o foco das escadas está apagado? -> Sim
        podes dizer-me se o foco das escadas está aceso -> Não, Foco das escadas: desligado.
        quais luzes estão acesas -> Candeeiro alto
        quantas luzes estão acesas -> 1: Candeeiro alto
        há alguma luz acesa? -> Sim, Candeeiro alto
        o estore grande está aberto ou fechado -> Estore grande: aberto.
        o estore do escritório está fechado? -> Não, Estore grande: aberto.
        a fechadura está trancada? -> Não, destrancado
        o que está a fazer o aspirador -> Aspirador: na base.
        o que o aspirador está fazendo agora -> Aspirador: na base.
        onde está o aspirador -> Aspirador: na base.
        qual é o estado da ventoinha -> Ventoinha está ligado
        a ventoinha está a girar? -> Sim, Ventoinha: ligado.
        qual é o brilho do candeeiro alto -> Candeeiro alto: 40%.
        qual é a velocidade da ventoinha -> Ventoinha: 66%.
        que temperatura está no escritório -> Termóstato: 19,5 graus.
        qual é a temperatura definida do termóstato -> Termóstato: 21 graus.
        qual é o nível da bateria do comando -> Bateria do comando: 15%.
        o que está a tocar na coluna -> Em Coluna está a tocar Canção do Mar.
        o que há na lista de compras -> Compras, 2 itens: A e B.
        quantos itens há na lista Compras -> Compras, 2 itens: A e B.
        a bateria do comando está fraca? -> Bateria do comando: 15%.
        há alguma coisa ligada na cozinha -> Sim: Candeeiro alto e Coluna.
    """,
}

LEFT: Mapping[str, str] = {
    "it": """
        chi ha acceso la luce?
        perché è accesa la luce in cucina
        è accesa la luna
        la biblioteca è aperta
        era acceso il lampadario ieri
        il lampadario è più luminoso del sole
        quante luci ci sono sulla torre eiffel
        devo accendere il lampadario?
    """,
    "nl": """
        wie heeft de hanglamp aangedaan?
        waarom is de hanglamp aan
        is de bibliotheek open
        schijnt de maan
        was de hanglamp gisteren aan
        is de hanglamp feller dan de zon
        hoeveel lampen zijn er op de eiffeltoren aan
        moet ik de hanglamp aandoen?
    """,
    "pt": """
        quem ligou o candeeiro alto?
        porque está acesa a luz da cozinha
        a biblioteca está aberta
        a lua está acesa
        o candeeiro alto estava ligado ontem
        o candeeiro alto é mais brilhante que o sol
        quantas luzes estão acesas na torre eiffel
        devo ligar o candeeiro alto?
    """,
}
"""Questions that are none about the states of this home."""


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


@pytest.fixture(scope="module")
def pipelines(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Pipeline]:
    return {code: Pipeline(tmp_path_factory.mktemp(f"questions_{code}"), code) for code in HOMES}


@pytest.mark.parametrize(("language", "case"), [(code, case) for code in ANSWERS for case in _lines(ANSWERS[code])])
def test_a_question_is_answered(pipelines: Mapping[str, Pipeline], language: str, case: str) -> None:
    question, _, answer = case.partition(" -> ")
    assert answer_to(pipelines[language], question, HOMES[language], ITEMS) == answer


@pytest.mark.parametrize(("language", "sentence"), [(code, text) for code in LEFT for text in _lines(LEFT[code])])
def test_what_is_not_about_the_home_is_left(pipelines: Mapping[str, Pipeline], language: str, sentence: str) -> None:
    decision = pipelines[language].say(House(tuple(t for t, _, _ in HOMES[language])), sentence)
    assert decision.calls == []
