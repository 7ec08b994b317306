"""Exceptions: `all lights except the hallway light` becomes the others, one by one, and is only done after a yes."""

from __future__ import annotations

from dataclasses import replace

from ..home.entity import Entity
from ..language.conjunctions import Joints, joints
from ..language.replies import say
from ..meaning.plan import SWITCHES, Planned, plan
from ..turn.outcome import Ask, Reason
from ..wording.respond import labels, listed
from .compound import borrowing, certain, split
from .interpret import Interpretation, Interpreter

MAX_OTHERS = 8
"""Of more targets the person could not tell by hearing them whether they are right."""


def interpret_exception(text: str, interpreter: Interpreter) -> Interpretation | None:
    """A question that names the targets that are left; None where any part of the sentence is not certain."""
    words = joints(interpreter.grammar.language)
    found = words.exception.search(text) if words is not None and words.exception is not None else None
    if words is None or found is None:
        return None
    head = certain(text[: found.start()], interpreter)
    if head is None or head.candidate.intent not in SWITCHES or not _is_group(head):
        return None
    excepted = _excepted(text[: found.start()], text[found.end() :], head, words, interpreter)
    if excepted is None or not excepted < set(map(id, head.targets)):
        return None
    others = tuple(e for e in head.targets if id(e) not in excepted)
    planned = tuple(p for e in others if (p := _for_one(head, e, interpreter)) is not None)
    if len(planned) != len(others) or len(others) > MAX_OTHERS:
        return None
    language = interpreter.grammar.language
    names = labels(others, language)
    question = say("confirm", language, names=listed(names, language, "and", MAX_OTHERS))
    ask = Ask(question, names, Reason.COMPOUND, "An exception is put as the targets that are left, to be confirmed.")
    return Interpretation(ask, "exception", language, (), (head.candidate,), (), planned)


def _is_group(head: Planned) -> bool:
    slots = head.candidate.slots
    return "name" not in slots and "device_class" not in slots and len(head.targets) > 1


def _excepted(head_text: str, tail: str, head: Planned, words: Joints, interpreter: Interpreter) -> set[int] | None:
    """The entities that the exception names, each part read as a target of the same command; None where one is not."""
    found: set[int] = set()
    for part in split(tail, interpreter, words):
        bare = words.articles.sub("", part, count=1).strip() or part
        readings = (p for text in (part, bare) for p in borrowing(head_text.split(), text, (), interpreter))
        same = next((p for p in readings if p.candidate.intent == head.candidate.intent), None)
        if same is None:
            return None
        found.update(map(id, same.targets))
    return found or None


def _for_one(head: Planned, entity: Entity, interpreter: Interpreter) -> Planned | None:
    slots = {"name": entity.name, **({"area": entity.area} if entity.area else {})}
    one = plan(
        replace(head.candidate, slots=slots, domain=entity.domain), interpreter.house.home, interpreter.house.toolbox
    )
    return one if isinstance(one, Planned) else None
