"""What is asked for by a name alone: a scene by its name, a light with a "please" or an "I need"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...home.entity import Entity
from ...language.lexicon import PLEASE, Role
from ...meaning.acts import Act
from ...meaning.command import Reference
from .clause import Clause
from .spans import Span

_BESIDE = frozenset({Role.COURTESY, Role.SMALL, Role.HERE, Role.JOINT})


def with_implied_act(clause: Clause, entities: Sequence[Entity]) -> Clause:
    """The clause with the act that its names imply, where it has none."""
    if (
        clause.acts
        or clause.has_value
        or clause.again
        or any(s.role not in _BESIDE and not _asks_for_thing(s) for s in clause.spans if not s.items)
    ):
        return clause
    if _is_scene(clause.reference, entities):
        return replace(clause, acts=(Act.START,))
    if _asks_for_light(clause, entities):
        return replace(clause, acts=(Act.ON,))
    return clause


def _is_scene(reference: Reference, entities: Sequence[Entity]) -> bool:
    """Whether the whole name of a scene is said, and nothing else."""
    items = reference.items
    named = len(items) == 1 and items[0].kind == "name" and items[0].exact
    return named and all(entities[n].domain == "scene" for n in items[0].bearers)


def _asks_for_light(clause: Clause, entities: Sequence[Entity]) -> bool:
    """Whether a light is named, and asked for."""
    things = [i for i in clause.reference.items if i.kind not in ("area", "floor")]
    lights = all(i.noun == "light" or all(entities[n].domain == "light" for n in i.bearers) for i in things)
    return bool(things) and lights and any(map(_asks_for_thing, clause.spans))


def _asks_for_thing(span: Span) -> bool:
    """Whether it asks for what is named: "please", "I need"."""
    return span.meaning is not None and span.meaning.value == PLEASE
