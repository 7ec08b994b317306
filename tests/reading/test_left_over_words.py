"""A word that a sentence cannot do without its saying something: none is explained away, and nothing cut off acts."""

from __future__ import annotations

import asyncio

import pytest

from ha_assist_addon.home.catalogue import HomeCache
from ha_assist_addon.home.request_home import read_request_home
from ha_assist_addon.language.grammar import GrammarLibrary
from ha_assist_addon.reading.understand import understand
from ha_assist_addon.settings.model import Assist
from ha_assist_addon.trace.trace import Trace
from ha_assist_addon.turn.history import read_turn
from ha_assist_addon.turn.outcome import Ask, Generate
from ha_assist_addon.wire.chat import parse_chat
from tests.support.house import body
from tests.support.understood import Listener, heard, house_of, lines

HOME = house_of("""
    Study: light=Desk Lamp; light=Nachtlampe; light=Lampka nocna; light=Nachtlampje; switch=Chaleira; light=Lamparita
    Hall: lock=Cellar Door; cover=Tenda grande; switch=Kettle; fan=Ventilator; lock=Porta da cave
""")

LISTENERS = {language: Listener(HOME, language) for language in ("en", "de", "es", "it", "nl", "pl", "pt", "fr")}

ACTING = """
    en: turn off the desk lamp => HassTurnOff Desk Lamp
    en: trun off the desk lamp please => HassTurnOff Desk Lamp
    en: turn off the desk lamp plese => HassTurnOff Desk Lamp
    en: set the brightnes of the desk lamp to 40 percent => HassLightSet brightness=40 Desk Lamp
    en: switch the kettle on and trun the ventilator off => HassTurnOff Ventilator; HassTurnOn Kettle
    de: shcalte die Nachtlampe aus => HassTurnOff Nachtlampe
    de: bittte mach die Nachtlampe aus => HassTurnOff Nachtlampe
    it: chiudi la tenda grande => HassTurnOff Tenda grande
    nl: zet het nachtlampje uit => HassTurnOff Nachtlampje
    pl: wyłącz lampkę nocną => HassTurnOff Lampka nocna
    pt: desliga a chaleira => HassTurnOff Chaleira
    es: apaga la lamparita => HassTurnOff Lamparita
"""

EXPLAINED_AWAY = """
    de: dimmwerd es schalte die Nachtlampe aus
    it: serrra chiudi la tenda grande
    pt: desliga a chaleira depoois
    pt: fecha a Tenda grande todas as maanhãs
    en: at three turn on the kettle
    en: turn on the night lamp too warm
    en: turn on the kettle by about
    pt: do lanche desliga a chaleira
    es: llueve apaga la lamparita
    nl: zet de Ventilator brand aan
    nl: de dag zet het nachtlampje uit
    pl: wyłącz lampkę nocną nocy
    pl: stop wyłącz lampkę nocną
    en: stop turning off the desk lamp
    en: stop locking the cellar door
"""

CUT_OFF = """
    en: turn off the desk lamp and
    en: turn off the desk lamp in the
    en: turn the kettle on at
    en: switch the off
    en: turn the kettle on at...
    de: mach die Nachtlampe aus und
    de: mach die Nachtlampe aus um
    de: schalte den Ventilator ein für zehn
    fr: éteins la lamparita et
    es: apaga la lamparita en
    it: chiudi la tenda grande e
    nl: zet het nachtlampje uit en
    pl: wyłącz lampkę nocną i
    pt: desliga a chaleira às
"""

LATER = """
    en: lock the cellar door each dawn
    de: schalte die Nachtlampe in Kürze aus
    de: sowie es regnet schalte die Nachtlampe aus
    es: ya que llueve apaga la lamparita
    it: chiudi la tenda grande e un quarto
    it: verso sera chiudi la tenda grande
    nl: om de dag zet het nachtlampje uit
    nl: zet het nachtlampje bij regen uit
    pl: wyłącz lampkę nocną na noc
    pt: desliga a chaleira às e um quarto
    pt: desliga a chaleira visto que chove
"""


def _split(text: str) -> tuple[str, str]:
    language, _, sentence = text.partition(": ")
    return language, sentence


@pytest.mark.parametrize(("said", "meant"), heard(ACTING))
def test_what_is_complete_acts(said: str, meant: str) -> None:
    language, sentence = _split(said)
    assert LISTENERS[language].hears(sentence) == meant


@pytest.mark.parametrize("said", lines(EXPLAINED_AWAY))
def test_a_word_is_not_explained_away(said: str) -> None:
    language, sentence = _split(said)
    assert LISTENERS[language].hears(sentence) == ""


@pytest.mark.parametrize("said", lines(CUT_OFF))
def test_what_is_cut_off_does_not_act(said: str) -> None:
    language, sentence = _split(said)
    assert LISTENERS[language].hears(sentence) == ""


@pytest.mark.parametrize("said", lines(LATER))
def test_what_is_for_later_or_for_a_reason_does_not_act(said: str) -> None:
    language, sentence = _split(said)
    assert LISTENERS[language].hears(sentence) == ""


OTHERWISE_MEANT = """
    de: entriegle die Cellar Door nich
    de: spiele öffne die Tenda grande
    es: para de cerrar la Tenda grande
    pt: para de abrir a Tenda grande
    pt: trata de a Lamparita
    en: and on the study
"""

A_STATE = """
    en: cellar door open
    en: unlocked cellar door
    de: Cellar Door offen
    fr: Porta da cave ouverte
    nl: Cellar Door open
    en: shall we unlock the cellar door
"""


@pytest.mark.parametrize("said", lines(OTHERWISE_MEANT))
def test_what_is_no_order_does_not_act(said: str) -> None:
    language, sentence = _split(said)
    assert LISTENERS[language].hears(sentence) == ""


@pytest.mark.parametrize("said", lines(A_STATE))
def test_a_state_that_would_open_is_asked_about(said: str) -> None:
    language, sentence = _split(said)
    found = LISTENERS[language].understood(sentence)
    assert not found.planned
    assert isinstance(found.outcome, Ask | Generate)


def test_a_particle_is_a_command() -> None:
    assert LISTENERS["de"].hears("Tenda grande auf") == "HassTurnOn Tenda grande"


def test_no_other_language_does_what_the_likeliest_one_forbids() -> None:
    """`e` ends no sentence in Portuguese; the Spanish words of it would be a command."""
    request = parse_chat(body(HOME, "tranca a porta da cave e")).chat
    settings = Assist(ha_assist_languages=("pt", "es"))
    home = read_request_home(request, HomeCache())
    found = asyncio.run(understand(read_turn(request.messages), home, GrammarLibrary(), settings, Trace("HA-Assist")))
    assert not found.planned
