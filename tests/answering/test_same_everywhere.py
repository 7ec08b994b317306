"""The same home answers the same question in the same way in each language, and never with more than is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ha_assist_addon.language.lexicon import lexicon_file
from ha_assist_addon.language.replies import say
from ha_assist_addon.language.words import folded_words
from tests.answering.test_truth import AWAY, HOUSE, NUMBER, THINGS, areas, context, live, template_words, values_of
from tests.support.house import Pipeline, called, result

LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pl", "pt")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of which the words stand in the lexicon: which, of what quality or quantity, and of what."""

    asks: str
    about: str
    of: str = ""
    """A name, a room, or a kind of thing of which there are several."""

    def of_one(self) -> bool:
        """Whether it is about one thing that it names."""
        return self.of in THINGS


KINDS = (
    *(Asked("if", "on", "Floor Lamp"), Asked("if", "off", "Desk Lamp"), Asked("if", "locked", "Front Door")),
    *(Asked("if", "open", "Left Blind"), Asked("if", "open", "Office Window"), Asked("if", "playing", "Radio")),
    *(Asked("what", "brightness", "Desk Lamp"), Asked("what", "position", "Left Blind")),
    *(Asked("what", "volume", "Radio"), Asked("what", "speed", "Box Fan"), Asked("what", "temperature", "Garden")),
    *(Asked("what", "humidity", "Office"), Asked("what", "setting", "Box Fan")),
    *(Asked("state", "", "Box Fan"), Asked("state", "", "Front Door")),
    *(Asked("which", "on", "light"), Asked("how_many", "on", "light"), Asked("what_is", "open", "home")),
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What an answer says, whatever language it is in."""

    agrees: bool | None
    numbers: frozenset[str]
    names: frozenset[str]

    def fits(self, other: Facts, asked: Asked) -> bool:
        """Whether two answers say the same; Home Assistant's own ones often leave the name away."""
        if asked.asks == "if" and self.agrees != other.agrees:
            return False
        named = not self.names or not other.names or self.names == other.names
        return named and self.numbers == other.numbers


def facts(text: str, language: str) -> Facts:
    agrees = next((key == "yes" for key in ("yes", "no") if _begins(text, say(key, language).rstrip("."))), None)
    numbers = frozenset(f"{float(n.replace(',', '.')):g}" for n in NUMBER.findall(text))
    return Facts(agrees, numbers, frozenset(name for name in THINGS if name.casefold() in text.casefold()))


def _begins(text: str, word: str) -> bool:
    """Whether a text begins with a word that stands alone: in Spanish "no veo" is no answer."""
    return text.startswith(word) and not text[len(word) :].strip()[:1].isalpha()


def sentence(asked: Asked, language: str, at: int) -> str:
    """The question in the words of a language's lexicon; `at` chooses among the words of the quality."""
    file = lexicon_file(language)
    assert file is not None
    parts = file.questions
    table = parts["measures"] if asked.asks == "what" else parts["qualities"]
    said = table[asked.about] if asked.about else ("",)
    plural = next((n.split("/")[1] for n in file.nouns["light"] if "/" in n), "")
    of = {"light": plural, "home": file.everywhere[0]}.get(asked.of, asked.of)
    return f"{parts['asks'][asked.asks][0]} {of} {said[at % len(said)]}".strip()


@pytest.fixture(scope="module")
def speakers(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Pipeline]:
    return {code: Pipeline(tmp_path_factory.mktemp(f"same_{code}"), code, verify=0) for code in LANGUAGES}


def answered(pipeline: Pipeline, question: str, states: Mapping[str, Mapping[str, Any]]) -> tuple[str, str] | None:
    """The answer, with what was read for it; None where a model would be asked."""
    first = pipeline.say(HOUSE, question)
    assert not first.actions
    if len(first.calls) != 1:
        return None
    name, arguments = first.calls[0]
    told = context(states, arguments)
    answer = pipeline.say(HOUSE, question, called(name, arguments), result({"success": True, "result": told}))
    known = not answer.calls and not answer.trace.inference_calls and answer.trace.reason == "read_state"
    return (answer.text, told) if known else None


def test_every_language_says_the_same(speakers: Mapping[str, Pipeline]) -> None:
    count = dict.fromkeys(LANGUAGES, 0)

    @settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
    @given(states=live(), at=st.integers(0, 3))
    def check(states: dict[str, dict[str, Any]], at: int) -> None:
        for asked in KINDS:
            said: dict[str, Facts] = {}
            for language, pipeline in speakers.items():
                question = sentence(asked, language, at)
                found = answered(pipeline, question, states)
                if found is None:
                    continue
                text, told = found
                count[language] += 1
                said[language] = facts(text, language)
                is_true(text, told, question, language, states)
                if asked.of_one() and states[asked.of]["state"] in AWAY:
                    assert said[language].agrees is None, (language, question, text)
                    assert not said[language].numbers, (language, question, text)
            first = next(iter(said.items()), None)
            assert first is not None, asked
            for language, other in said.items():
                assert other.fits(first[1], asked), (asked, language, other, first)

    check()
    assert min(count.values()) > max(count.values()) // 2, count


def is_true(text: str, told: str, question: str, language: str, states: Mapping[str, Mapping[str, Any]]) -> None:
    """Every number and every word of an answer comes from the home, the question or the templates."""
    numbers = {f"{n:g}" for n in values_of(states)} | {str(n) for n in range(len(THINGS) + 1)}
    assert facts(text, language).numbers <= numbers, text
    words = {word for word in folded_words(text) if not word[0].isdigit()}
    known = template_words(language) | set(folded_words(f"{told} {question} {' '.join(THINGS)} {areas()}"))
    assert words <= known, (text, words - known)
