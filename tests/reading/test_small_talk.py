"""Small talk costs no model and makes no claim; the language of an answer is the person's, or the home's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ha_assist_addon.language.data import look_up
from ha_assist_addon.language.small_talk import talk_back
from tests.support.fake_backend import FakeBackend, FakeModels
from tests.support.house import House, Pipeline, thing

LANGUAGES = ("de", "en", "es", "fr", "it", "nl", "pl", "pt")
ENGLISH = House((thing("Floor Lamp", "light", "Kitchen"), thing("Router", "switch", "Hallway")))
GERMAN = House((thing("Deckenlampe", "light", "Küche"), thing("Router", "switch", "Flur"), thing("Haustür", "lock")))


@pytest.fixture(scope="module")
def everyone(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    """A pipeline in all languages, whose model counts."""
    pipeline = Pipeline(tmp_path_factory.mktemp("talk"), verify=0)
    pipeline.services = replace(pipeline.services, backends=FakeModels(FakeBackend()))  # type: ignore[arg-type]
    return pipeline


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [
        ("thank you", "You're welcome."),
        ("OK great, thanks a lot!", "You're welcome."),
        ("goodbye", "Goodbye."),
        ("thank you, good night", "Good night."),
        ("that's all", "Okay."),
        ("hi there", "Hello."),
        ("danke schön", "Gern geschehen."),
        ("tschüss", "Auf Wiedersehen."),
        ("schon gut", "In Ordnung."),
        ("au revoir", "Au revoir."),
        ("muchas gracias", "De nada."),
        ("arrivederci", "Arrivederci."),
        ("dankjewel", "Graag gedaan."),
        ("do widzenia", "Do widzenia."),
        ("muito obrigada", "De nada."),
    ],
)
def test_said_back_without_a_model(everyone: Pipeline, sentence: str, answer: str) -> None:
    decision = everyone.say(ENGLISH, sentence)
    assert (decision.text, decision.calls, decision.trace.inference_calls) == (answer, [], 0)
    assert decision.trace.reason == "small_talk"


@pytest.mark.parametrize("sentence", ["thank you for turning on the light", "hello world lamp", "bye the milk"])
def test_what_says_more_is_no_small_talk(everyone: Pipeline, sentence: str) -> None:
    assert everyone.say(ENGLISH, sentence).trace.reason != "small_talk"


def test_a_command_behind_a_greeting_is_carried_out(everyone: Pipeline) -> None:
    assert everyone.say(ENGLISH, "hello, turn on the floor lamp please").actions == [
        ("HassTurnOn", {"name": "Floor Lamp", "domain": ["light"]})
    ]


def test_a_script_of_that_name_runs(everyone: Pipeline) -> None:
    script = {"name": "script__good_night", "description": "", "parameters": {"type": "object", "properties": {}}}
    assert everyone.say(replace(ENGLISH, extra_tools=(script,)), "good night").calls == [("script__good_night", {})]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_of_a_language_is_answered(language: str) -> None:
    loaded = look_up("small_talk", language)
    for kind, phrases in loaded["said"].items():
        assert {talk_back(str(p), language) for p in phrases} <= set(loaded["answers"].values()), kind
    assert all(talk_back(str(lead), language) in (None, loaded["answers"]["nothing"]) for lead in loaded["leads"])


@pytest.mark.parametrize("sentence", ["restart router", "10 plus 5", "hey", "xyzzy"])
@pytest.mark.parametrize(("house", "language"), [(ENGLISH, "en"), (GERMAN, "de")])
def test_too_few_words_take_the_homes_language(everyone: Pipeline, sentence: str, house: House, language: str) -> None:
    assert everyone.say(house, sentence).trace.language == language


@pytest.mark.parametrize("sentence", ["restart router", "10 plus 5"])
def test_too_few_words_take_the_conversations_language(everyone: Pipeline, sentence: str) -> None:
    before = ("mach die Lampe an", {"role": "assistant", "content": "Erledigt."})
    assert everyone.say(ENGLISH, *before, sentence).trace.language in ("de", "de-CH")


@pytest.mark.parametrize(
    ("sentence", "language", "start"),
    [
        ("tænd lyset i soveværelset", "da", "Undskyld"),
        ("hur varmt är det ute", "sv", "Ursäkta"),
        ("zapni světlo v kuchyni", "cs", "Promiňte"),
        ("увімкни світло на кухні", "uk", "Вибачте"),
    ],
)
def test_languages_without_replies_of_ours_speak_home_assistants(
    tmp_path: Path, sentence: str, language: str, start: str
) -> None:
    pipeline = Pipeline(tmp_path, language, "en", verify=0)
    pipeline.services = replace(pipeline.services, backends=FakeModels())  # type: ignore[arg-type]
    decision = pipeline.say(ENGLISH, sentence)
    assert decision.trace.language == language
    assert decision.text.startswith(start)
