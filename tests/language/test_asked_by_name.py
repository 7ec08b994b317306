"""Few words that are enough, in all languages with a lexicon: a light with a please, a scene, half a degree, a wish."""

from __future__ import annotations

import pytest

from ha_assist_addon.turn.outcome import Act, Ask
from tests.support.understood import Listener, heard, house_of, lines

HOMES = {
    "en": """
        Den: light=Den Lamp; climate=Den Radiator
        Kitchen: light=Spots
        Garden: valve=Tap; switch=Pump
        -: scene=Film Night
    """,
    "de": """
        Stube: light=Stehlampe; climate=Heizkörper
        Küche: light=Spots
        Garten: valve=Hahn; switch=Pumpe
        -: scene=Filmabend
    """,
    "fr": """
        Salon: light=Liseuse; climate=Radiateur
        Cuisine: light=Spots
        Jardin: valve=Robinet; switch=Pompe
        -: scene=Soirée ciné
    """,
    "es": """
        Salón: light=Flexo; climate=Radiador
        Cocina: light=Focos
        Jardín: valve=Grifo; switch=Bomba
        -: scene=Noche de cine
    """,
    "it": """
        Salotto: light=Piantana; climate=Termostato
        Cucina: light=Faretti
        Giardino: valve=Rubinetto; switch=Pompa
        -: scene=Serata film
    """,
    "nl": """
        Woonkamer: light=Leeslamp; climate=Thermostaat
        Keuken: light=Spots
        Tuin: valve=Kraan; switch=Pomp
        -: scene=Filmavond
    """,
    "pl": """
        Salon: light=Kinkiet; climate=Termostat
        Kuchnia: light=Spoty
        Ogród: valve=Kran; switch=Pompa
        -: scene=Wieczór filmowy
    """,
    "pt": """
        Sala: light=Candeeiro; climate=Termóstato
        Cozinha: light=Focos
        Jardim: valve=Torneira; switch=Bomba
        -: scene=Noite de cinema
    """,
}

DONE = """
    de: mir ist in der Stube zu kalt => up temperature normal Heizkörper
    fr: il fait un peu froid => up temperature normal Radiateur
    es: hace un poco de frío => up temperature normal Radiador
    it: fa un po' freddo => up temperature normal Termostato
    nl: het is een beetje koud => up temperature normal Thermostaat
    pl: jest trochę zimno => up temperature normal Termostat
    pt: está um pouco frio => up temperature normal Termóstato
    pl: podnieś termostat o stopień => up temperature 1.0 Termostat
    fr: fais de la lumière dans la cuisine => HassTurnOn Spots
    it: fai luce in cucina => HassTurnOn Faretti
    nl: maak licht in de keuken => HassTurnOn Spots
    en: give me some light in the kitchen => HassTurnOn Spots
    de: ich brauche Licht in der Küche => HassTurnOn Spots
    fr: j'ai besoin de lumière dans la cuisine => HassTurnOn Spots
    es: necesito luz en la cocina => HassTurnOn Focos
    it: mi serve luce in cucina => HassTurnOn Faretti
    nl: ik wil licht in de keuken => HassTurnOn Spots
    pl: potrzebuję światła w kuchni => HassTurnOn Spoty
    pt: preciso de luz na cozinha => HassTurnOn Focos
    en: lights in the kitchen please => HassTurnOn Spots
    de: Licht in der Küche bitte => HassTurnOn Spots
    fr: lumière dans la cuisine s'il te plaît => HassTurnOn Spots
    es: luz de la cocina por favor => HassTurnOn Focos
    it: luce in cucina per favore => HassTurnOn Faretti
    nl: licht in de keuken graag => HassTurnOn Spots
    pl: światło w kuchni poproszę => HassTurnOn Spoty
    pt: luz da cozinha por favor => HassTurnOn Focos
    en: film night => HassTurnOn Film Night
    de: Filmabend bitte => HassTurnOn Filmabend
    nl: filmavond => HassTurnOn Filmavond
    pl: wieczór filmowy => HassTurnOn Wieczór filmowy
    pt: noite de cinema => HassTurnOn Noite de cinema
    en: half a degree warmer => up temperature 0.5 Den Radiator
    de: stell den Heizkörper um ein halbes Grad höher => up temperature 0.5 Heizkörper
    fr: baisse le radiateur d'un demi-degré => down temperature 0.5 Radiateur
    es: sube el radiador medio grado => up temperature 0.5 Radiador
    it: alza il termostato di mezzo grado => up temperature 0.5 Termostato
    nl: zet de thermostaat een halve graad hoger => up temperature 0.5 Thermostaat
    pl: podnieś termostat o pół stopnia => up temperature 0.5 Termostat
    pt: aumenta o termóstato meio grau => up temperature 0.5 Termóstato
    en: water the garden => HassTurnOn Tap
    de: gieß den Garten => HassTurnOn Hahn
    fr: arrose le jardin => HassTurnOn Robinet
    es: riega el jardín => HassTurnOn Grifo
    it: innaffia il giardino => HassTurnOn Rubinetto
    nl: sproei de tuin => HassTurnOn Kraan
    pl: podlej ogród => HassTurnOn Kran
    pt: rega o jardim => HassTurnOn Torneira
    it: togli la luce in cucina => HassTurnOff Faretti
    en: i can hardly see anything => up brightness normal Den Lamp
    de: ich kann kaum was sehen => up brightness normal Stehlampe
    fr: je n'y vois presque rien => up brightness normal Liseuse
    es: apenas se ve => up brightness normal Flexo
    it: si vede poco => up brightness normal Piantana
    nl: ik zie bijna niets => up brightness normal Leeslamp
    pl: ledwo coś widać => up brightness normal Kinkiet
    nl: ik heb het koud => up temperature normal Thermostaat
    nl: wat meer licht => up brightness small Leeslamp
"""

NOTHING = """
    pt: está frio?
    es: ¿hace un poco de frío?
    en: lights in the kitchen
    en: kitchen please
    en: radiator please
    en: was film night nice
    de: Licht in der Küche
    de: wie war der Filmabend
    de: Küche bitte
    fr: la cuisine s'il te plaît
    es: la luz de la cocina
    nl: wat is licht
    en: half please
"""


def _listener(language: str) -> Listener:
    first = HOMES[language].partition(":")[0].strip()
    return Listener(house_of(HOMES[language], first), language)


LISTENERS = {language: _listener(language) for language in HOMES}


@pytest.mark.parametrize(("said", "meant"), heard(DONE))
def test_few_words_are_enough(said: str, meant: str) -> None:
    language, _, sentence = said.partition(": ")
    intent, *rest = LISTENERS[language].hears(sentence).split(" ")
    assert " ".join([intent, *(w for w in rest if "=" not in w)]) == meant


@pytest.mark.parametrize("said", lines(NOTHING))
def test_a_thing_alone_asks_for_nothing(said: str) -> None:
    language, _, sentence = said.partition(": ")
    assert not LISTENERS[language].hears(sentence).startswith("HassTurn")


NO_LONGER_NEEDED = """
    en: we don't need the spots any more => Spots
    en: i'm done with the pump => Pump
    en: no more light in here => Den Lamp
    de: die Stehlampe brauche ich nicht mehr => Stehlampe
    fr: je n'ai plus besoin de la pompe => Pompe
    es: ya no necesito los focos => Focos
    it: la pompa non serve più => Pompa
    nl: de spots zijn niet meer nodig => Spots
    pl: nie potrzebuję więcej pompy => Pompa
    pt: já não preciso da bomba => Bomba
"""

NEEDED = """
    en: i need the tap
    en: i don't need more light
    de: ich brauche den Hahn
    fr: j'ai besoin du robinet
"""


@pytest.mark.parametrize(("said", "name"), heard(NO_LONGER_NEEDED))
def test_what_is_no_longer_needed_is_turned_off_when_confirmed(said: str, name: str) -> None:
    language, _, sentence = said.partition(": ")
    outcome = LISTENERS[language].understood(sentence).outcome
    assert isinstance(outcome, Ask)
    assert name in outcome.text


@pytest.mark.parametrize("said", lines(NEEDED))
def test_what_is_needed_and_gives_no_light_is_left_alone(said: str) -> None:
    language, _, sentence = said.partition(": ")
    assert not isinstance(LISTENERS[language].understood(sentence).outcome, Act)
