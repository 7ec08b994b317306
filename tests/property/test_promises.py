"""Whatever is said in whatever home: only offered calls with a target in it, and exactly one end."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ha_assist_addon.conversation import CallEvent, Finish
from ha_assist_addon.home.toolbox import Toolbox, plain_name
from tests.property.homes import (
    COMMANDS,
    JSON,
    LANGUAGES,
    asked,
    call_names,
    commands,
    count,
    guard_words,
    houses,
    mistyped,
    questions,
    targets,
)
from tests.support.house import Decision, House, Pipeline, Thing, body, called, result, thing, tools


def check(house: House, decision: Decision) -> None:
    """What holds of every answer."""
    assert isinstance(decision.events[-1], Finish)
    assert len(decision.finishes) == 1
    assert decision.finishes[0].reason == ("tool_calls" if decision.calls else "stop")
    assert decision.calls or decision.text.strip()
    assert decision.trace.inference_calls == 0
    identities = [e.call.id for e in decision.events if isinstance(e, CallEvent)]
    assert len(set(identities)) == len(identities)
    box = Toolbox.read(tools(house))
    for name, arguments in decision.calls:
        tool = box.by_name.get(name)
        assert tool is not None, f"{name} is not offered"
        assert tool.problem(arguments) is None, tool.problem(arguments)
        reached = targets(house, plain_name(name), arguments)
        assert reached is None or reached or "floor" in arguments, f"{name} {arguments} reaches nothing"


@given(asked())
@count(2.0)
def test_every_answer_keeps_the_promises(pipeline: Pipeline, said: tuple[House, str]) -> None:
    house, sentence = said
    check(house, pipeline.say(house, sentence))


@given(st.data())
@count(0.5)
def test_a_question_never_acts(pipeline: Pipeline, data: st.DataObject) -> None:
    house = data.draw(houses())
    decision = pipeline.say(house, data.draw(questions(house, data.draw(st.sampled_from(LANGUAGES)))))
    check(house, decision)
    assert not decision.actions


GUARDED_HOUSE = House(
    (
        thing("Stehleuchte", "light", "Kitchen"),
        thing("Reading Spot", "light", "Kitchen"),
        thing("Haustür", "lock", "Hall"),
        thing("Coffee Machine", "switch", "Kitchen"),
        thing("Left Blind", "cover", "Wohnzimmer"),
        thing("Rollladen West", "cover", "Wohnzimmer"),
        thing("Deckenlampe", "light", "Küche"),
    )
)
GUARDED = {
    "en": (
        "turn on the Reading Spot",
        "turn off the lights in the Kitchen",
        "unlock the Haustür",
        "open the Left Blind",
    ),
    "de": (
        "schalte Stehleuchte ein",
        "mach das Licht in der Küche aus",
        "schließe die Haustür ab",
        "öffne Rollladen West",
    ),
}
PLACES = {
    "negation": ("{word} {command}", "{command} {word}"),
    "question": ("{word} {command}",),
    "condition": ("{command} {word} it rains", "{word} it rains {command}", "{command} {word} es regnet"),
    "schedule": ("{command} {word}", "{word} {command}", "{command} {word} dinner"),
    "exception": ("{command} {word} the Chandelier", "{command} {word} dem Kronleuchter"),
    "past": ("{command} {word}", "{word} {command}"),
    "relative": ("{command} {word}",),
    "correction": ("{command} {word}", "{word} {command}"),
    "reported": ("{word} {command}",),
    "statement": ("{word} {command}",),
    # What ends a sentence stands at its end; "and turn on ..." is a plain command.
    "item": ("{command} {word}",),
    "unfinished": ("{command} {word}",),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guarded_commands_act_without_their_guard(pipeline: Pipeline, language: str) -> None:
    for command in GUARDED[language]:
        assert pipeline.say(GUARDED_HOUSE, command).actions, command


@pytest.mark.parametrize("language", LANGUAGES)
@given(data=st.data())
@count(2.0)
def test_a_guard_word_keeps_a_command_from_acting(pipeline: Pipeline, language: str, data: st.DataObject) -> None:
    kind, words = data.draw(st.sampled_from([(k, w) for k, w in guard_words(language) if k != "request"]))
    word = data.draw(words)
    assume(word)
    place = data.draw(st.sampled_from(PLACES.get(kind, ("{command} {word}", "{word} {command}"))))
    sentence = place.format(word=word, command=data.draw(st.sampled_from(GUARDED[language])))
    decision = pipeline.say(GUARDED_HOUSE, sentence)
    check(GUARDED_HOUSE, decision)
    assert not decision.actions, f"{kind}: {sentence!r} did {decision.actions} ({decision.trace.why})"


OPENING = {
    "en": ("unlock the Haustür", "unlock the Haustür please"),
    "de": ("schließe die Haustür auf", "entriegele die Haustür"),
}


@pytest.mark.parametrize("language", LANGUAGES)
@given(data=st.data())
def test_what_opens_is_asked_where_it_is_put_as_a_question(
    pipeline: Pipeline, language: str, data: st.DataObject
) -> None:
    """ "Shall we turn on the light" may be done; a lock is not opened by it."""
    word = data.draw(data.draw(st.sampled_from([w for k, w in guard_words(language) if k == "request"])))
    decision = pipeline.say(GUARDED_HOUSE, f"{word} {data.draw(st.sampled_from(OPENING[language]))}")
    check(GUARDED_HOUSE, decision)
    assert not decision.actions


NAMED = {
    "en": (
        "turn on the {}",
        "turn off {}",
        "switch {} on",
        "open {}",
        "lock the {}",
        "set {} to 40 percent",
        "start {}",
    ),
    "de": ("schalte {} ein", "schalte die {} aus", "öffne {}", "stelle {} auf 40 Prozent", "mach {} an"),
}


@given(st.data())
@count(1.5)
def test_deleting_an_entity_never_makes_another_one_the_target(pipeline: Pipeline, data: st.DataObject) -> None:
    house = data.draw(houses(unique=True))
    gone = data.draw(st.sampled_from(house.things))
    sentence = data.draw(st.sampled_from(NAMED[data.draw(st.sampled_from(LANGUAGES))])).format(gone.name)
    if data.draw(st.booleans()):
        sentence = data.draw(mistyped(sentence))
    rest = tuple(t for t in house.things if t is not gone)
    assume(not any(t.name == gone.name for t in rest))
    smaller = House(rest, house.satellite, house.floor, house.version)
    decision = pipeline.say(smaller, sentence)
    check(smaller, decision)
    assert not decision.actions, f"{sentence!r} did {decision.actions} without {gone.name} ({decision.trace.why})"


VALUES = frozenset({"brightness", "position", "temperature", "percentage", "volume_level", "color", "humidity", "item"})


@given(st.data())
@count(1.0)
def test_a_repair_changes_nothing_but_the_spelling(pipeline: Pipeline, data: st.DataObject) -> None:
    """One typing error: the same action on no more than the same entities with the same values, or none."""
    house, language = data.draw(houses(unique=True)), data.draw(st.sampled_from(LANGUAGES))
    clean = data.draw(commands(house, language))
    first = pipeline.say(house, clean)
    assume(first.actions)
    wrong = data.draw(mistyped(clean))
    second = pipeline.say(house, wrong)
    check(house, second)
    if not second.actions:
        return
    told = f"{clean!r} did {first.actions}, {wrong!r} did {second.actions} ({second.trace.why})"
    assert [plain for plain, _ in second.actions] == [plain for plain, _ in first.actions], told
    for (plain, before), (_, after) in zip(first.actions, second.actions, strict=True):
        assert {k: v for k, v in before.items() if k in VALUES and k != "item"} == {
            k: v for k, v in after.items() if k in VALUES and k != "item"
        }, told
        reached, allowed = targets(house, plain, after), targets(house, plain, before)
        if reached is not None and allowed is not None:
            assert set(map(repr, reached)) <= set(map(repr, allowed)), told


OTHERS = st.booleans()


def _key(plain: str, arguments: Any) -> tuple[str, str]:
    return plain, json.dumps(arguments, sort_keys=True, default=str)


@given(st.data())
@count(1.5)
def test_no_history_raises_or_repeats_an_action(pipeline: Pipeline, data: st.DataObject) -> None:
    house, language = data.draw(houses()), data.draw(st.sampled_from(LANGUAGES))
    sentence = data.draw(st.one_of(commands(house, language), questions(house, language)))
    messages: list[Any] = [sentence]
    if data.draw(st.booleans()):
        messages = ["turn on the lights", {"role": "assistant", "content": "Done."}, sentence]
    made: set[tuple[str, str]] = set()
    decision = pipeline.say(house, sentence)
    for number in range(data.draw(st.integers(1, 3))):
        calls = decision.calls
        if not calls or data.draw(OTHERS):
            arguments = data.draw(
                st.dictionaries(st.sampled_from(("name", "area", "domain")), st.text(max_size=8), max_size=2)
            )
            calls = [(data.draw(st.sampled_from(call_names(house))), arguments)]
        for index, (name, arguments) in enumerate(calls):
            identity = f"call_{number}_{index}"
            messages.append(called(name, arguments, identity))
            made.add(_key(plain_name(name), arguments))
            if data.draw(st.integers(0, 9)):
                messages.append(result(data.draw(JSON | st.text(max_size=20)), identity))
        decision = pipeline.decide(body(house, *messages))
        check(house, decision)
        again = {_key(plain, arguments) for plain, arguments in decision.actions} & made
        assert not again, f"{again} was done before"


@pytest.mark.parametrize("version", ["2026.2", "2026.11"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_of_the_generators_acts_in_some_home(pipeline: Pipeline, language: str, version: Any) -> None:
    """Else the properties above would hold for want of actions."""
    lamp, other = Thing(("Stehleuchte",), "light", ("Kitchen",)), Thing(("Mood",), "light", ("Kitchen",))
    acted = 0
    for template in COMMANDS[language]:
        for domain in ("light", "cover", "lock", "switch", "climate", "media_player", "scene", "vacuum", "todo"):
            things = (Thing(("Rosie",), domain, ("Kitchen",)), lamp, other, Thing(("Left Blind",), "cover", ("Hall",)))
            sentence = template.format(name="Rosie", other="Left Blind", area="Kitchen", number=21)
            if pipeline.say(House(things, version=version), sentence).actions:
                acted += 1
                break
    assert acted >= len(COMMANDS[language]) * 0.6
