"""After an action: read the states until they are as asked for, and say which are not. Nothing is ever done again."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..conversation import Message
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
from .actions import Waited
from .evidence import Evidence
from .expected import Verdict
from .goals import Done, Goal, actions_of, each_goal, latest
from .patience import next_wait
from .weigh import Reading, Source, Weighed, awaits_event, weigh

READ = "GetLiveContext"
MAX_REQUESTS = 10
"""Home Assistant makes no more requests a turn: the answer has to be the tenth at the latest."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a read says of a goal."""

    goal: Goal
    verdict: Verdict
    state: str | None = None
    live: Entity | None = None


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
        Finding(goal, goal.want.judge(e), e.state, e)
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


@dataclass(frozen=True, slots=True)
class Read:
    """A read of the states, and what came of it."""

    call_id: str
    result: ToolResult | None


def trailing_reads(rounds: Sequence[Round]) -> tuple[Sequence[Round], tuple[Read, ...]]:
    """The rounds up to the last that does more than read the states, and the reads after it."""
    acted = len(rounds)
    while acted and all(plain_name(c.name) == READ for c in rounds[acted - 1].calls):
        acted -= 1
    reads = (Read(c.id, result) for r in rounds[acted:] for c, result in zip(r.calls, r.results, strict=True))
    return rounds[:acted], tuple(reads)


@dataclass(frozen=True, slots=True)
class Verifying:
    """A turn after its actions: what is to be said of them, and what was read since; `call_id` is the last action's."""

    text: str
    goals: tuple[Goal, ...]
    call_id: str
    reads: Sequence[Read]
    language: str | None

    @property
    def broken(self) -> bool:
        """Whether the last read failed."""
        return bool(self.reads) and _overview(self.reads[-1].result) is None


@dataclass(frozen=True, slots=True)
class Verifier:
    """Decides after an action: a read, a wait, or the sentence that ends the turn."""

    house: RequestHome
    settings: Assist
    trace: Trace
    evidence: Evidence = field(default_factory=Evidence)
    before: Sequence[Message] = ()
    """What was said and done in the turns before."""

    def follow(
        self, text: str, done: Sequence[Done], reads: Sequence[Read], *, request_number: int, language: str | None
    ) -> Answer | Act | Wait:
        """`text` acknowledges what was done; `reads` are those that were made since."""
        plain = Answer(text, Reason.TOOL_RESULT, "Home Assistant has done it.")
        if self.settings.ha_assist_verify_attempts == 0 and not reads:
            self.trace.verification = "off"
            return plain
        each = tuple(map(self._made_audible, each_goal(done, self.house.home.by_name)))
        self._begin(each, again=bool(reads))
        turn = Verifying(text, latest(each), done[-1].call.id if done else "", reads, language)
        call = self._call(turn.goals, everything=turn.broken)
        if (answer := self._settled(turn)) is not None:
            return answer
        if not turn.goals or call is None:
            self.trace.verification = "not_verifiable"
            return plain
        weighed = self._weigh(turn)
        if request_number < MAX_REQUESTS and (again := self._look_again(turn, call, weighed)) is not None:
            self._note(turn, weighed)
            self.trace.verification = "reading"
            return again
        findings = self._told(turn, weighed)
        self.trace.verification = _word(findings, settled=False)
        if not reads and all(w.verdict is None for w in weighed):
            return plain
        return Answer(spoken(text, findings, language), Reason.VERIFY, _why(findings, broken=turn.broken))

    def _made_audible(self, goal: Goal) -> Goal:
        """The goal; audible where the request itself offers the entity whose events these are."""
        name = self.evidence.events.name_of(goal.entity_id) if self.evidence.events is not None else None
        offered = self.house.home.by_name.get(fold(name), ()) if name is not None else ()
        return replace(goal, audible=any(e.domain == goal.entity.domain for e in offered))

    def _begin(self, goals: Sequence[Goal], *, again: bool) -> None:
        """An action on a target makes doubtful what is read of it, also where a later one of the turn undoes it."""
        actions, now = self.evidence.actions, time.time()
        if not again and any(not actions.knows(goal.target.key) for goal in goals):
            sent = min((at for g in goals if (at := actions.sent_at(g.call_id)) is not None), default=now)
            for earlier in each_goal(actions_of(self.before), self.house.home.by_name):
                # Done by Home Assistant itself, or before a restart of ours: nobody knows how long ago.
                if actions.sent_at(earlier.call_id) is None and not actions.knows(earlier.target.key):
                    actions.guess(earlier.target.key, earlier.call_id, earlier.want, sent)
        for number, goal in enumerate(goals):
            # In the order of the calls, also where nobody remembers when they were sent.
            at = now + number * 1e-6
            actions.begin(goal.target.key, goal.call_id, goal.want, at, again=again)

    def _settled(self, turn: Verifying) -> Answer | None:
        """The answer, where all targets are as asked for or cannot be seen at all."""
        weighed = self._weigh(turn)
        if not weighed or any(w.open for w in weighed):
            return None
        if all(w.source is Source.CONTEXT for w in weighed):
            self._note(turn, weighed)
            self.trace.verification = "known"
            return Answer(turn.text, Reason.TOOL_RESULT, "Home Assistant has done it.")
        findings = self._told(turn, weighed)
        self.trace.verification = _word(findings, settled=True)
        return Answer(spoken(turn.text, findings, turn.language), Reason.VERIFY, _why(findings, broken=False))

    def _look_again(self, turn: Verifying, call: PlannedCall, weighed: Sequence[Weighed]) -> Act | Wait | None:
        """The next read: at once where none was made and no event is on its way, else after a wait that is left."""
        attempts, reads = self.settings.ha_assist_verify_attempts, len(turn.reads)
        if reads > attempts:
            return None
        why = f"Home Assistant has done it; the state is read to see that it shows (read {reads + 1})."
        act = Act((call,), Reason.VERIFY, why)
        pairs = [(g, w) for g, w in zip(turn.goals, weighed, strict=True) if w.open]
        awaited = all(awaits_event(self.evidence, goal.target, one) for goal, one in pairs)
        if (reads == 0 and not awaited) or (reads == 1 and turn.broken):
            self.trace.verify_settle_ms = 0.0
            return act
        actions, delay = self.evidence.actions, self.settings.ha_assist_verify_delay
        waited = actions.waited(turn.call_id) or Waited(max(0, reads - 1), max(0, reads - 1) * delay)
        seconds = next_wait(
            waited,
            delay=delay,
            attempts=attempts,
            expected=self._expected([goal.target.key for goal, _ in pairs], actions.sent_at(turn.call_id)),
            at_least=delay if awaited else 0.0,
        )
        if seconds is None:
            return None
        waited.count, waited.seconds = waited.count + 1, waited.seconds + seconds
        return Wait(seconds, act, self._watch(turn))

    def _expected(self, keys: Sequence[str], sent_at: float | None) -> float | None:
        """Seconds from now until these have reported, if they take as long as they did of late."""
        usual = self.evidence.settle.first_wait(keys)
        return None if usual is None or sent_at is None else usual - (time.time() - sent_at)

    def _watch(self, turn: Verifying) -> Callable[[float], Awaitable[Answer | None]] | None:
        """Waits for events that settle everything; None where none would be told."""
        events = self.evidence.events
        ids = [entity_id for goal in turn.goals if (entity_id := goal.target.entity_id) is not None]
        if events is None or not any(map(events.follows, ids)):
            return None
        return lambda seconds: events.until(ids, seconds, lambda: self._settled(turn))

    def _weigh(self, turn: Verifying) -> tuple[Weighed, ...]:
        now = time.time()
        readings: list[list[Reading]] = [[] for _ in turn.goals]
        for read in turn.reads:
            if _overview(read.result) is None:
                continue
            at = self.evidence.actions.sent_at(read.call_id)
            for found, told in zip(examine(turn.goals, read.result), readings, strict=True):
                told.append(Reading(now if at is None else at, found.verdict, found.live))
        known = () if turn.reads else [entity for entity in self.house.home.entities if entity.state is not None]
        for goal, told in zip(turn.goals, readings, strict=True):
            if known and (found := _find(goal, known)).verdict is Verdict.REACHED:
                told.append(Reading(now, found.verdict, found.live, Source.CONTEXT))
        return tuple(weigh(self.evidence, g.target, r, now) for g, r in zip(turn.goals, readings, strict=True))

    def _told(self, turn: Verifying, weighed: Sequence[Weighed]) -> tuple[Finding, ...]:
        """What the person is told of, and what is learned from it of each device."""
        self._note(turn, weighed)
        for goal, one in zip(turn.goals, weighed, strict=True):
            if one.verdict is Verdict.REACHED:
                self.evidence.settle.confirmed(goal.target.key)
            elif one.verdict not in (None, Verdict.UNSEEN, Verdict.UNDER_WAY) and not one.stale:
                self.evidence.settle.missed(goal.target.key, goal.entity.name)
        return tuple(
            Finding(g, Verdict.UNSEEN if w.verdict is None else w.verdict, w.state)
            for g, w in zip(turn.goals, weighed, strict=True)
        )

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

    def _note(self, turn: Verifying, weighed: Sequence[Weighed]) -> None:
        kinds = {g.want.kind for g in turn.goals}
        events = self.evidence.events
        self.trace.note(
            "ha_verify",
            kind=kinds.pop() if len(kinds) == 1 else "several",
            attempt=max(1, len(turn.reads)),
            attempts=self.settings.ha_assist_verify_attempts,
            delay=self.settings.ha_assist_verify_delay,
            events=events is not None and events.connected,
            targets=[
                {
                    "name": g.entity.name,
                    "domain": g.entity.domain,
                    "kind": g.want.kind,
                    "expected": str(g.want),
                    "state": w.state,
                    "verdict": None if w.verdict is None else str(w.verdict),
                    "source": None if w.source is None else str(w.source),
                    **({"stale": True} if w.stale else {}),
                }
                for g, w in zip(turn.goals, weighed, strict=True)
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
