"""What one clause says: an act, a reference and a value, or nothing where they do not fit."""

from __future__ import annotations

import pytest

from ha_assist_addon.meaning.acts import Act, Quantity
from ha_assist_addon.meaning.command import Degree, Scope, Value
from ha_assist_addon.reading.composition.clause import Clause
from tests.support.taken_apart import clauses


def one(sentence: str) -> Clause:
    found = clauses(sentence)
    assert found is not None, sentence
    (clause,) = found
    return clause


@pytest.mark.parametrize(
    ("sentence", "act"),
    [
        ("turn on the desk lamp", Act.ON),
        ("turn the desk lamp off", Act.OFF),
        ("desk lamp off", Act.OFF),
        ("shut the blind", Act.CLOSE),
        ("unlock the front door", Act.UNLOCK),
        ("the front door should be locked", Act.LOCK),
        ("could you please switch the kettle on", Act.ON),
        ("mute the radio", Act.MUTE),
    ],
)
def test_the_act(sentence: str, act: Act) -> None:
    assert one(sentence).acts[0] is act


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("set the desk lamp to 30 percent", Value(30.0, "percent")),
        ("set the desk lamp to thirty percent", Value(30.0, "percent")),
        ("make the desk lamp red", Value(colour="red")),
        ("open the blind half", Value(50.0, "percent")),
        ("make the desk lamp 10 percent brighter", Value(10.0, "percent", relative=True)),
        ("make the desk lamp a bit brighter", Value(degree=Degree.SMALL)),
        ("turn on the desk lamp", Value()),
    ],
)
def test_the_value(sentence: str, value: Value) -> None:
    assert one(sentence).value == value


def test_the_reference() -> None:
    study = one("turn off all the lights in the study").reference
    assert [item.kind for item in study.items] == ["noun:light", "area"]
    assert study.all
    assert study.plural
    here = one("turn off the lights in here").reference
    assert here.scope is Scope.HERE
    everything = one("turn off everything").reference
    assert everything.everything


def test_an_exception_is_a_reference_of_its_own() -> None:
    reference = one("turn off all lights except the desk lamp").reference
    assert [[item.text.lower() for item in e.items] for e in reference.exceptions] == [["desk lamp"]]


def test_the_quantity() -> None:
    clause = one("set the brightness of the desk lamp to 30 percent")
    assert (clause.acts, clause.quantity) == ((Act.SET,), Quantity.BRIGHTNESS)


def test_a_wish_and_a_complaint_are_told() -> None:
    assert one("the desk lamp should be off").wished
    assert one("it is too dark in the study").complains


@pytest.mark.parametrize(
    "sentence",
    [
        "the desk lamp",
        "turn on off the desk lamp",
        "set the desk lamp to 30 percent 40 percent",
        "lamp the turn",
        "except",
    ],
)
def test_what_does_not_fit_is_no_clause(sentence: str) -> None:
    assert clauses(sentence) is None
