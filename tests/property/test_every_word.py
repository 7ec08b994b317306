"""Every word counts: one more that nobody knows, one less, or half a sentence never makes more of it."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.property.homes import LANGUAGES, commands, count, houses, targets
from tests.support.house import Decision, House, Pipeline

UNKNOWN = st.sampled_from(("zorblax", "quimbor", "fnurgelt"))
FREE_TEXTS = frozenset({"HassListAddItem", "HassMediaSearchAndPlay", "HassBroadcast", "HassStartTimer"})
HALVES = {
    "en": ("turn on the {0} and the {1}", "turn off the {1} and lock the {0}", "close the {0} and open the {1}"),
    "de": ("schalte {0} und {1} ein", "schalte {1} aus und verriegle {0}", "öffne {0} und schließe {1}"),
}


def _reached(house: House, decision: Decision) -> set[str] | None:
    """What the actions reach, or None where one reaches no entity."""
    found: set[str] = set()
    for plain, arguments in decision.actions:
        reached = targets(house, plain, arguments)
        if reached is None:
            return None
        found |= set(map(repr, reached))
    return found


@given(st.data())
@count(0.6)
def test_an_unknown_word_is_never_left_out(pipeline: Pipeline, data: st.DataObject) -> None:
    house = data.draw(houses(unique=True))
    words = data.draw(commands(house, data.draw(st.sampled_from(LANGUAGES)))).split()
    words.insert(data.draw(st.integers(0, len(words))), data.draw(UNKNOWN))
    decision = pipeline.say(house, " ".join(words))
    assume(not FREE_TEXTS & {plain for plain, _ in decision.actions})
    assert not decision.actions, f"{' '.join(words)!r} did {decision.actions} ({decision.trace.why})"


@given(st.data())
@count(0.6)
def test_a_word_less_never_reaches_more(pipeline: Pipeline, data: st.DataObject) -> None:
    house = data.draw(houses(unique=True))
    words = data.draw(commands(house, data.draw(st.sampled_from(LANGUAGES)))).split()
    before = _reached(house, whole := pipeline.say(house, " ".join(words)))
    assume(whole.actions and before is not None)
    del words[data.draw(st.integers(0, len(words) - 1))]
    less = pipeline.say(house, " ".join(words))
    after = _reached(house, less)
    assert after is None or before is None or after <= before, (
        f"{' '.join(words)!r} did {less.actions} and the whole sentence {whole.actions} ({less.trace.why})"
    )


@given(st.data())
@count(0.4)
def test_half_of_two_commands_is_never_done(pipeline: Pipeline, data: st.DataObject) -> None:
    house, language = data.draw(houses(unique=True)), data.draw(st.sampled_from(LANGUAGES))
    pair = [data.draw(st.sampled_from(house.things)).name, data.draw(UNKNOWN)]
    sentence = data.draw(st.sampled_from(HALVES[language])).format(*data.draw(st.permutations(pair)))
    decision = pipeline.say(house, sentence)
    assert not decision.actions, f"{sentence!r} did {decision.actions} ({decision.trace.why})"


@given(st.data())
@count(0.3)
def test_what_was_said_elsewhere_changes_nothing(pipeline: Pipeline, data: st.DataObject) -> None:
    house, language = data.draw(houses()), data.draw(st.sampled_from(LANGUAGES))
    sentence = data.draw(commands(house, language))
    first = pipeline.say(house, sentence).calls
    other = data.draw(houses())
    pipeline.say(other, data.draw(commands(other, language)))
    pipeline.say(house, data.draw(commands(house, language)))
    assert pipeline.say(house, sentence).calls == first
