"""After an action: read the states until they are as asked for, and say which are not. Nothing is ever done again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..conversation import ToolCall
from ..home.entity import Entity, fold
from ..home.live_context import read_live_context
from ..home.request_home import RequestHome
from ..home.toolbox import plain_name
from ..language.replies import say
from ..settings.model import Assist
from ..trace.trace import Trace
from ..turn.history import Round, ToolResult
from ..turn.outcome import Act, Answer, PlannedCall, Reason, Wait
from ..wording.respond import MOST_NAMED, labels, listed
from .expected import Verdict, Want, wanted

READ = "GetLiveContext"
MAX_REQUESTS = 10
"""Home Assistant makes no more requests a turn: the answer has to be the tenth at the latest."""


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


@dataclass(frozen=True, slots=True)
class Finding:
    """What a read says of a goal."""

    goal: Goal
    verdict: Verdict
    state: str | None = None


def goals_of(done: Sequence[Done], home_names: Mapping[str, Sequence[Entity]]) -> tuple[Goal, ...]:
    """What all calls together should lead to; where two act on the same target, the later one counts."""
    goals: dict[tuple[str, str, str | None], Goal] = {}
    for item in done:
        for goal in _goals(item, home_names):
            goals[fold(goal.entity.name), goal.entity.domain, goal.entity.area] = goal
    return tuple(goals.values())


def _goals(done: Done, home_names: Mapping[str, Sequence[Entity]]) -> Iterator[Goal]:
    tool, arguments = plain_name(done.call.name), done.call.arguments
    if not isinstance(done.result.data, Mapping) or done.result.data.get("response_type") != "action_done":
        return
    for (name, domain), count in _reached(done).items():
        want = wanted(tool, arguments, domain)
        if want is None:
            continue
        known = [e for e in done.targets or home_names.get(fold(name), ()) if _bears(e, name, domain)]
        area = arguments.get("area")
        if len(known) == count:
            for e in known:
                yield Goal(replace(e, names=(name, *e.names)), want, sum(k.areas == e.areas for k in known))
        else:
            # Renamed for Assist: the prompt has another name than the result.
            only = done.targets[0] if len(done.targets) == 1 and done.targets[0].domain == domain else None
            areas = only.areas if only else (str(area),) if area else ()
            yield Goal(Entity((name, *(only.names if only else ())), domain, areas), want, count)


def _reached(done: Done) -> Mapping[tuple[str, str], int]:
    """Names and domains in the result, and how often each stands there; some tools list nothing but the one named."""
    result = done.result.data.get("data")
    listed_there = result.get("success") if isinstance(result, Mapping) else None
    counts: dict[tuple[str, str], int] = {}
    for item in listed_there if isinstance(listed_there, list) else ():
        if not isinstance(item, Mapping) or not isinstance(item.get("name"), str) or item.get("type") != "entity":
            continue
        domain, dot, _ = str(item.get("id") or "").partition(".")
        key = (item["name"], domain if dot else _only_domain(done.targets))
        counts[key] = counts.get(key, 0) + 1
    if not counts and "name" in done.call.arguments and len(done.targets) == 1:
        counts[done.targets[0].name, done.targets[0].domain] = 1
    return counts


def _only_domain(targets: Sequence[Entity]) -> str:
    domains = {e.domain for e in targets}
    return domains.pop() if len(domains) == 1 else ""


def _bears(entity: Entity, name: str, domain: str) -> bool:
    return entity.domain == domain and fold(name) in map(fold, entity.names)


def examine(goals: Sequence[Goal], read: ToolResult | None) -> tuple[Finding, ...]:
    """Compare every goal with what was read."""
    live = read_live_context(_overview(read) or "")
    return tuple(_find(goal, live) for goal in goals)


def _overview(read: ToolResult | None) -> str | None:
    """The text of a read, or None where it failed."""
    data = read.data if read is not None and read.error is None else None
    text = data.get("result") if isinstance(data, Mapping) else data
    return text if isinstance(text, str) else None


def _find(goal: Goal, live: Sequence[Entity]) -> Finding:
    wanted_names, areas = set(map(fold, goal.entity.names)), set(map(fold, goal.entity.areas))
    found = [
        Finding(goal, goal.want.judge(e), e.state)
        for e in live
        if e.domain == goal.entity.domain
        and wanted_names & set(map(fold, e.names))
        and (not areas or not e.areas or areas & set(map(fold, e.areas)))
    ]
    if not found:
        return Finding(goal, Verdict.UNSEEN)
    # More bearers than were reached: one of them will do. Else each of them was reached.
    pick = min if len(found) > goal.count else max
    return pick(found, key=lambda f: f.verdict.severity)


def trailing_reads(rounds: Sequence[Round]) -> tuple[Sequence[Round], tuple[ToolResult | None, ...]]:
    """The rounds up to the last that does more than read the states, and the results of the reads after it."""
    acted = len(rounds)
    while acted and all(plain_name(c.name) == READ for c in rounds[acted - 1].calls):
        acted -= 1
    return rounds[:acted], tuple(result for r in rounds[acted:] for result in r.results)


@dataclass(frozen=True, slots=True)
class Verifier:
    """Decides after an action: another read, or the sentence that ends the turn."""

    house: RequestHome
    settings: Assist
    trace: Trace

    def follow(
        self,
        text: str,
        done: Sequence[Done],
        reads: Sequence[ToolResult | None],
        *,
        request_number: int,
        language: str | None,
    ) -> Answer | Wait:
        """`text` acknowledges what was done; `reads` are the states that were read since."""
        plain = Answer(text, Reason.TOOL_RESULT, "Home Assistant has done it.")
        attempts = self.settings.ha_assist_verify_attempts
        goals = goals_of(done, self.house.home.by_name)
        if attempts == 0 and not reads:
            self.trace.verification = "off"
            return plain
        broken = bool(reads) and _overview(reads[-1]) is None
        call = self._call(goals, everything=broken)
        if not goals or call is None:
            self.trace.verification = "not_verifiable"
            return plain
        if not reads and self._known_to_be_reached(goals):
            self.trace.verification = "known"
            return plain
        findings = examine(goals, reads[-1]) if reads else ()
        self._note(goals, findings, len(reads))
        settled = bool(findings) and not broken and all(not f.verdict.open for f in findings)
        if not settled and len(reads) < attempts and request_number < MAX_REQUESTS:
            self.trace.verification = "reading"
            why = f"Home Assistant has done it; the state is read to see that it shows (read {len(reads) + 1})."
            return Wait(self.settings.ha_assist_verify_delay, Act((call,), Reason.VERIFY, why))
        self.trace.verification = _word(findings, settled=settled)
        if not reads:
            return plain
        return Answer(spoken(text, findings, language), Reason.VERIFY, _why(findings, broken=broken))

    def _known_to_be_reached(self, goals: Sequence[Goal]) -> bool:
        """Whether the request itself tells that everything is as asked for; what it does not tell has to be read."""
        known = [entity for entity in self.house.home.entities if entity.state is not None]
        return bool(known) and all(_find(goal, known).verdict is Verdict.REACHED for goal in goals)

    def _call(self, goals: Sequence[Goal], *, everything: bool) -> PlannedCall | None:
        """One read of all targets; after a read that failed, and where the filters are refused, of everything."""
        tool = self.house.toolbox.find(READ)
        if tool is None:
            return None
        filters = {} if everything else {k: v for k, v in self._filters(goals).items() if k in tool.properties}
        fitting = next((f for f in (filters, {}) if tool.problem(f) is None), None)
        return None if fitting is None else PlannedCall(tool.name, fitting)

    def _filters(self, goals: Sequence[Goal]) -> dict[str, Any]:
        domains = {g.entity.domain for g in goals}
        areas = {g.entity.area for g in goals}
        filters: dict[str, Any] = {"domain": domains.pop()} if len(domains) == 1 else {}
        if len(areas) == 1 and (area := areas.pop()) is not None:
            filters["area"] = area
        if len(goals) != 1:
            return filters
        name = goals[0].entity.name
        bearers = self.house.home.by_name.get(fold(name), ())
        if not bearers:
            return filters
        return {"name": name, **(filters if len(bearers) > 1 else {})}

    def _note(self, goals: Sequence[Goal], findings: Sequence[Finding], attempt: int) -> None:
        kinds = {g.want.kind for g in goals}
        found = findings or [Finding(g, Verdict.UNSEEN) for g in goals]
        self.trace.note(
            "ha_verify",
            kind=kinds.pop() if len(kinds) == 1 else "several",
            attempt=attempt,
            attempts=self.settings.ha_assist_verify_attempts,
            delay=self.settings.ha_assist_verify_delay,
            targets=[
                {
                    "name": f.goal.entity.name,
                    "domain": f.goal.entity.domain,
                    "kind": f.goal.want.kind,
                    "expected": str(f.goal.want),
                    "state": f.state,
                    "verdict": str(f.verdict) if findings else None,
                }
                for f in found
            ],
        )


def _word(findings: Sequence[Finding], *, settled: bool) -> str:
    if settled:
        seen = any(f.verdict is Verdict.REACHED for f in findings)
        return "confirmed" if seen else "not_verifiable"
    open_ends = {f.verdict for f in findings} - {Verdict.REACHED, Verdict.UNSEEN}
    return "pending" if open_ends == {Verdict.UNDER_WAY} else "unconfirmed"


def _why(findings: Sequence[Finding], *, broken: bool) -> str:
    if broken:
        return "Home Assistant has done it, but the states could not be read."
    late = [f.goal.entity.name for f in findings if f.verdict.open]
    if late:
        return f"Home Assistant has done it, but its states do not show it yet for {', '.join(late)}."
    return "Home Assistant has done it, and its states do not speak against it."


def spoken(text: str, findings: Sequence[Finding], language: str | None) -> str:
    """The acknowledgement, then by name what has not reached its state, and why."""
    groups: dict[str, list[Entity]] = {}
    for finding in findings:
        if finding.verdict.open:
            key = finding.state if finding.verdict is Verdict.UNDER_WAY else finding.verdict
            groups.setdefault(f"verify_{key}", []).append(finding.goal.entity)
    if not groups:
        return text
    nothing_done = all(f.verdict in (Verdict.JAMMED, Verdict.UNAVAILABLE) for f in findings)
    said = [] if nothing_done else [text if text.endswith((".", "!", "?")) else f"{text}."]
    said += [say(key, language, names=_names(e, language), many=len(e) > 1) for key, e in groups.items()]
    return " ".join(said)


def _names(entities: Sequence[Entity], language: str | None) -> str:
    names = labels(entities, language)
    if len(names) > MOST_NAMED:
        more = say("verify_more", language, count=len(names) - MOST_NAMED + 1)
        names = (*names[: MOST_NAMED - 1], more)
    return listed(names, language, "and")
