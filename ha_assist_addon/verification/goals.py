"""What the calls of a turn should lead to, read from the results that Home Assistant gave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..conversation import Message, ToolCall
from ..home.entity import Entity, fold
from ..home.toolbox import plain_name
from ..turn.history import ToolResult, read_turn
from .expected import Want, wanted
from .weigh import Target


@dataclass(frozen=True, slots=True)
class Done:
    """A call that Home Assistant has carried out; `targets` are the entities that it was planned for."""

    call: ToolCall
    result: ToolResult
    targets: tuple[Entity, ...] = ()


@dataclass(frozen=True, slots=True)
class Goal:
    """One target and what it should report; `count` entities bear its name where nothing tells them apart."""

    entity: Entity
    want: Want
    count: int = 1
    call_id: str = ""
    entity_id: str | None = None
    """As the result names it, where it names one alone."""
    audible: bool = False
    """Whether events of this id may be listened to."""

    @property
    def target(self) -> Target:
        """The same over the turns of a conversation, whatever is asked of it."""
        e = self.entity
        key = self.entity_id or f"{e.domain}/{fold(e.name)}/{fold(e.area or '')}"
        return Target(key, e.name, self.call_id, self.want, self.entity_id if self.audible else None)


def goals_of(done: Sequence[Done], home_names: Mapping[str, Sequence[Entity]]) -> tuple[Goal, ...]:
    """What all calls together should lead to; where two act on the same target, the later one counts."""
    return latest(each_goal(done, home_names))


def each_goal(done: Sequence[Done], home_names: Mapping[str, Sequence[Entity]]) -> tuple[Goal, ...]:
    """What each call by itself should lead to, in the order of the calls."""
    return tuple(goal for item in done for goal in _goals(item, home_names))


def actions_of(before: Sequence[Message]) -> tuple[Done, ...]:
    """What the turn before has done, by whomever."""
    turn = read_turn(before)
    pairs = (pair for r in turn.rounds for pair in zip(r.calls, r.results, strict=True))
    return tuple(Done(call, result) for call, result in pairs if result is not None and result.ok)


def latest(goals: Sequence[Goal]) -> tuple[Goal, ...]:
    """One goal for each target, the last."""
    return tuple({(fold(g.entity.name), g.entity.domain, g.entity.area): g for g in goals}.values())


def _goals(done: Done, home_names: Mapping[str, Sequence[Entity]]) -> Iterator[Goal]:
    tool, arguments = plain_name(done.call.name), done.call.arguments
    if not isinstance(done.result.data, Mapping) or done.result.data.get("response_type") != "action_done":
        return
    for (name, domain), ids in _reached(done).items():
        count, entity_id = len(ids), ids[0] if len(ids) == 1 else None
        want = wanted(tool, arguments, domain)
        if want is None:
            continue
        known = [e for e in done.targets or home_names.get(fold(name), ()) if _bears(e, name, domain)]
        area = arguments.get("area")
        if len(known) == count:
            for e in known:
                same = sum(k.areas == e.areas for k in known)
                yield Goal(replace(e, names=(name, *e.names)), want, same, done.call.id, entity_id)
        else:
            # Renamed for Assist: the prompt has another name than the result.
            only = done.targets[0] if len(done.targets) == 1 and done.targets[0].domain == domain else None
            areas = only.areas if only else (str(area),) if area else ()
            entity = Entity((name, *(only.names if only else ())), domain, areas)
            yield Goal(entity, want, count, done.call.id, entity_id)


def _reached(done: Done) -> Mapping[tuple[str, str], Sequence[str | None]]:
    """Names and domains in the result, and the ids of each; some tools list nothing but the one named."""
    result = done.result.data.get("data")
    listed_there = result.get("success") if isinstance(result, Mapping) else None
    ids: dict[tuple[str, str], list[str | None]] = {}
    for item in listed_there if isinstance(listed_there, list) else ():
        if not isinstance(item, Mapping) or not isinstance(item.get("name"), str) or item.get("type") != "entity":
            continue
        entity_id = str(item.get("id") or "")
        domain, dot, _ = entity_id.partition(".")
        key = (item["name"], domain if dot else _only_domain(done.targets))
        ids.setdefault(key, []).append(entity_id if dot else None)
    if not ids and "name" in done.call.arguments and len(done.targets) == 1:
        ids[done.targets[0].name, done.targets[0].domain] = [None]
    return ids


def _only_domain(targets: Sequence[Entity]) -> str:
    domains = {e.domain for e in targets}
    return domains.pop() if len(domains) == 1 else ""


def _bears(entity: Entity, name: str, domain: str) -> bool:
    return entity.domain == domain and fold(name) in map(fold, entity.names)
