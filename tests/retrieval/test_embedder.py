"""The real models: what they know, and texts that they must bear."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

from ha_assist_addon.retrieval.embedder import Embedder, MiniLm, Multilingual
from ha_assist_addon.retrieval.finder import Finder
from tests.retrieval.homes import large_home, names, select
from tests.support.house import thing

ENGLISH, MULTILINGUAL = "english", "multilingual"
DEVICES = ("Reading Lamp, Living Room", "Radiator, Bathroom", "Television, Living Room", "Robot Vacuum, Hallway")
GERMAN = ("Leselampe, Wohnzimmer", "Heizkörper, Bad", "Fernseher, Wohnzimmer", "Saugroboter, Flur")


@cache
def _model(kind: str) -> Embedder:
    return MiniLm() if kind == ENGLISH else Multilingual()


def _nearest(model: Embedder, texts: Sequence[str], sentence: str) -> int:
    return int(np.argmax(model.encode(texts) @ model.encode([sentence])[0]))


@pytest.mark.parametrize(
    ("kind", "texts", "sentences"),
    [
        (
            MiniLm,
            DEVICES,
            ("too dark to read", "freezing in the bath", "I want to watch the news", "the floor is dirty"),
        ),
        (
            Multilingual,
            DEVICES,
            ("zu dunkel zum Lesen", "kalt im Badezimmer", "Nachrichten sehen", "Staub auf dem Boden"),
        ),
        (
            Multilingual,
            GERMAN,
            ("zu dunkel zum Lesen", "kalt im Badezimmer", "Nachrichten sehen", "bitte Staub saugen"),
        ),
    ],
)
def test_the_nearest_device_is_the_one_that_is_meant(kind: str, texts: Sequence[str], sentences: Sequence[str]) -> None:
    assert [_nearest(_model(kind), texts, sentence) for sentence in sentences] == [0, 1, 2, 3]


@pytest.mark.parametrize("kind", [ENGLISH, MULTILINGUAL])
def test_odd_texts_give_finite_vectors_of_length_one_or_none(kind: str) -> None:
    odd = ["", " ", "💡", "\ud800", "مصباح", "灯", "x" * 20_000, "\x00", "a b " * 5000, "\u200b"]
    rows = _model(kind).encode(odd)
    lengths = np.linalg.norm(rows, axis=1)
    assert rows.shape[0] == len(odd)
    assert np.isfinite(rows).all()
    assert all(abs(length - 1) < 1e-3 or length < 1e-3 for length in lengths)


@pytest.mark.parametrize("kind", [ENGLISH, MULTILINGUAL])
def test_a_vector_does_not_depend_on_its_batch(kind: str) -> None:
    model = _model(kind)
    alone, together = model.encode(["Lamp"])[0], model.encode(["Lamp", "a very much longer name of something"])[0]
    assert float(alone @ together) > 0.98


def test_meaning_finds_what_no_word_tells() -> None:
    house = large_home(thing("Espresso Maker", "switch", "Kitchen"), thing("Aquarium Pump", "switch", "Office"))
    sentence = "the fish need more oxygen"
    finder = Finder(lambda: True, wait=60, english=lambda: _model(ENGLISH))
    by_meaning = select(house, sentence, finder=finder)
    assert "Aquarium Pump" in names(by_meaning)
    assert "Aquarium Pump" not in names(select(house, sentence))
