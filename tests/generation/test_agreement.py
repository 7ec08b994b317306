"""What the grammar is certain of, a model may say too: the check of generated calls refuses none of it."""

from __future__ import annotations

import pytest

from ha_assist_addon.conversation import ToolCall
from ha_assist_addon.generation.grounds import Grounds
from ha_assist_addon.generation.question import Question
from ha_assist_addon.generation.validate import Ruling, validate
from ha_assist_addon.home.catalogue import HomeCache
from ha_assist_addon.home.request_home import read_request_home
from ha_assist_addon.reading.understand import common_words
from ha_assist_addon.turn.history import read_turn
from ha_assist_addon.turn.outcome import Reason
from ha_assist_addon.wire.chat import parse_chat
from tests.generation.conftest import HOUSE
from tests.support.house import Pipeline, body

SENTENCES = (
    "turn on the floor lamp",
    "turn off the lights in the living room",
    "set the desk lamp to 40 percent",
    "dim the floor lamp to 20%",
    "make the bedroom light red",
    "unlock the front door",
    "lock the front door",
    "open the garage door",
    "close the garage door",
    "open the left blind",
    "set the left blind to 30 percent",
    "set the heating to 21 degrees",
    "pause the living room tv",
    "turn the volume of the living room tv to 30 percent",
    "add milk to the shopping list",
    "turn on the coffee machine",
    "turn off all the lights",
    "could you please turn on the desk lamp",
    "turn off the desk lamp and the floor lamp",
    "schalte die Floor Lamp ein",
    "mach das Licht im Living Room aus",
    "stelle die Desk Lamp auf 40 Prozent",
    "schließe das Garage Door",
    "öffne das Garage Door",
    "stelle die Heating auf 21 Grad",
    "setze Milch auf die Shopping List",
    "mach alle Lichter aus",
    "kannst du bitte die Desk Lamp einschalten",
)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_certain_call_is_accepted(plain: Pipeline, sentence: str) -> None:
    request = parse_chat(body(HOUSE, sentence)).chat
    decision = plain.decide(body(HOUSE, sentence))
    assert decision.calls, "the grammar is not certain of this sentence"
    language = decision.trace.language
    house, turn = read_request_home(request, HomeCache()), read_turn(request.messages)
    common = common_words(plain.services.grammars, language)
    grounds = Grounds(Question(request, turn, language, Reason.NOT_RECOGNISED, house, (), common), house)
    for name, arguments in decision.calls:
        verdict = validate(ToolCall("1", name, arguments), grounds)
        assert verdict.ruling is Ruling.ACCEPTED, verdict.why
