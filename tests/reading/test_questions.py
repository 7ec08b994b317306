"""Questions composed from their words: what a home with these states answers, and what is no question about it."""

from __future__ import annotations

import pytest

from ha_assist_addon.answering.measure import MEASURES, SETTING
from ha_assist_addon.answering.quality import domains_with
from ha_assist_addon.home.toolbox import plain_name
from ha_assist_addon.language.lexicon import lexicon_file
from ha_assist_addon.language.question_words import question_lexicon
from tests.support.house import House, Pipeline, thing
from tests.support.questions import State, answer_to

STATES: tuple[State, ...] = (
    (thing("Attic Ceiling Light", "light", "Attic"), "on", {"brightness": "102"}),
    (thing("Porch Light", "light", "Porch"), "off", {}),
    (thing("Cellar Light", "light", "Cellar"), "unavailable", {}),
    (thing("Workshop Fan", "fan", "Workshop"), "on", {"percentage": "66"}),
    (thing("Nursery Fan", "fan", "Nursery"), "off", {}),
    (thing("Shed Lock", "lock", "Shed"), "unlocked", {}),
    (thing("Front Lock", "lock", "Hall"), "locked", {}),
    (thing("Attic Blind", "cover", "Attic"), "open", {"current_position": "40", "device_class": "blind"}),
    (thing("Carriage Door", "cover", "Shed"), "closing", {"device_class": "garage"}),
    (thing("Bluebird", "media_player", "Nursery"), "idle", {}),
    (
        thing("Old Telly", "media_player", "Attic"),
        "playing",
        {"media_title": "Autumn", "media_artist": "Vivaldi", "volume_level": "0.3"},
    ),
    (thing("Dusty", "vacuum", "Hall"), "docked", {}),
    (thing("Camping Plans", "todo"), "2", {}),
)
ITEMS = ("Tent", "Stove")


def ask(pipeline: Pipeline, sentence: str) -> str:
    """The answer, after the reads that it takes."""
    return answer_to(pipeline, sentence, STATES, ITEMS)


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    return Pipeline(tmp_path_factory.mktemp("composed_questions"), "en")


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    return Pipeline(tmp_path_factory.mktemp("composed_questions_de"), "de")


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [
        ("is the workshop fan whirling", "Yes, Workshop Fan is on."),
        ("is the nursery fan spinning", "No, Nursery Fan is off."),
        ("is the fan in the nursery taking a break", "Yes, Nursery Fan is off."),
        ("is the attic ceiling light shining", "Yes, Attic Ceiling Light is on."),
        ("can you tell me whether the porch light is glowing", "No, Porch Light is off."),
        ("is the shed lock open", "Yes, Shed Lock is unlocked."),
        ("is the shed lock secure", "No, Shed Lock is unlocked."),
        ("is the front lock sealed", "Yes, Front Lock is locked."),
        ("is the attic blind pulled up", "Yes, Attic Blind is open."),
        ("is the carriage door in the shed closing or stuck", "Carriage Door is closing."),
        ("is the bluebird idle or in standby", "Bluebird is idle."),
        ("is the workshop fan spinning or still", "Workshop Fan is on."),
        ("any updates on the attic blind", "Attic Blind is open."),
        ("what's going on with the workshop fan", "Workshop Fan is on."),
        ("shed lock status update", "Shed Lock is unlocked."),
        ("fill me in on dusty", "Dusty is docked."),
        ("what condition is the cellar light in", "Cellar Light is not available right now."),
        ("is the cellar light glowing", "Cellar Light is not available right now."),
        ("how bright is the attic ceiling light at the moment", "Attic Ceiling Light: 40%."),
        ("may i know the fan speed of the workshop fan", "Workshop Fan: 66%."),
        ("which track is on old telly right now", "Old Telly is playing Autumn by Vivaldi."),
        ("how many fans are spinning", "1: Workshop Fan."),
        ("which fans are still", "Nursery Fan."),
        ("is everything locked up", "No. Shed Lock is unlocked."),
        ("is anything open", "Yes: Attic Blind and Shed Lock."),
        ("is anything playing or paused in the attic", "Old Telly is playing."),
        ("number of items on the camping plans", "Camping Plans, 2 items: Tent and Stove."),
    ],
)
def test_english(english: Pipeline, sentence: str, answer: str) -> None:
    assert ask(english, sentence).rstrip(".") == answer.rstrip(".")


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [
        ("dreht sich der Workshop Fan gerade", "Ja, Workshop Fan ist an."),
        ("kannst du mir sagen ob das Porch Light leuchtet", "Nein, Porch Light ist aus."),
        ("ist Shed Lock gesichert", "Nein, Shed Lock ist aufgeschlossen."),
        ("was macht Dusty gerade", "Dusty ist in der Station."),
        ("Status von Attic Blind", "Attic Blind ist offen."),
        ("wie hell ist Attic Ceiling Light im Moment", "Attic Ceiling Light: 40 Prozent."),
    ],
)
def test_german(german: Pipeline, sentence: str, answer: str) -> None:
    assert ask(german, sentence) == answer


@pytest.mark.parametrize(
    ("language", "sentence", "answer"),
    [
        ("fr", "peux-tu me dire si Attic Blind est ouvert", "Oui, Attic Blind : ouvert."),
        ("fr", "que fait Dusty en ce moment", "Dusty : à sa base."),
        ("fr", "Shed Lock est-elle verrouillée ou déverrouillée", "Shed Lock : déverrouillé."),
        ("es", "¿qué está haciendo Dusty ahora?", "Dusty: en la base."),
        ("es", "¿cuál es el brillo de Attic Ceiling Light?", "Attic Ceiling Light: 40 %."),
        ("pl", "co robi Dusty teraz", "Dusty: w stacji dokującej."),
        ("pl", "jaka jest jasność Attic Ceiling Light", "Attic Ceiling Light: 40 procent."),
    ],
)
def test_other_languages(tmp_path_factory: pytest.TempPathFactory, language: str, sentence: str, answer: str) -> None:
    pipeline = Pipeline(tmp_path_factory.mktemp(f"composed_questions_{language}"), language)
    assert ask(pipeline, sentence) == answer


@pytest.mark.parametrize(
    "sentence",
    [
        "is the library open",
        "is my heart open",
        "what is the speed of light",
        "is goethe still",
        "who is goethe",
        "who sings this",
        "why is the porch light on",
        "is the moon shining",
        "is the porch light brighter than the sun",
        "any updates on the weather in paris",
        "how many lights are on the eiffel tower",
        "should the porch light be on",
        "will the porch light be on tomorrow",
        "was the porch light on yesterday",
    ],
)
def test_what_is_not_about_the_home_is_left_to_a_model(english: Pipeline, sentence: str) -> None:
    house = House(tuple(t for t, _, _ in STATES))
    decision = english.say(house, sentence)
    assert decision.calls == []
    assert "language model" in decision.text


@pytest.mark.parametrize(
    "sentence", ["turn the porch light on and is it on", "is the shed lock open then lock it", "lock the shed lock"]
)
def test_a_command_is_no_question(english: Pipeline, sentence: str) -> None:
    decision = english.say(House(tuple(t for t, _, _ in STATES)), sentence)
    assert all(plain_name(name) != "GetLiveContext" for name, _ in decision.calls)


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "pl", "it", "nl", "pt"])
def test_every_word_of_questions_has_a_meaning_in_answering(language: str) -> None:
    file = lexicon_file(language)
    assert file is not None
    assert question_lexicon(language) is not None
    assert set(file.questions["measures"]) <= {*MEASURES, SETTING}
    assert all(domains_with(quality) for quality in file.questions["qualities"])


@pytest.mark.parametrize(
    "sentence", ["which lights are on in here", "are the lights on here", "how many lights are on here"]
)
def test_a_room_without_such_things_says_so(english: Pipeline, sentence: str) -> None:
    states: tuple[State, ...] = (
        (thing("Hall Lamp", "light", "Hall"), "on", {}),
        (thing("Boiler", "switch", "Attic"), "on", {}),
    )
    assert answer_to(english, sentence, states, satellite="Attic") == "I see nothing like that in Attic."
