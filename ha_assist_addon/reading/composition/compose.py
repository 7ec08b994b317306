"""A sentence as commands, composed from its words: certain, or with what keeps it from being so."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ...home.request_home import RequestHome
from ...language.lexicon import DEFINITE, Lexicon, Role
from ...meaning.acts import MOVES, Act
from ...meaning.calls import Change, Work, room_to_clean, work_of
from ...meaning.command import Command, Reference, Scope
from ...meaning.effects import domains_of
from ...meaning.kinds import KINDS
from ...meaning.plan import NotPlanned, Planned
from ...meaning.reference import Found, Missing, Resolver, Several
from .clause import Clause
from .clauses import read_clauses
from .implied import with_implied_act
from .spans import Parsed, Span, Speller

_CLOSE = 0.35
"""Readings that cost so little more than the best one are as likely."""
_MOST_READ = 24


@dataclass(frozen=True, slots=True)
class Composed:
    """All commands of a sentence, resolved and planned."""

    commands: tuple[Command, ...]
    found: tuple[Found, ...]
    planned: tuple[Planned, ...]
    changes: tuple[Change, ...]
    spans: tuple[Span, ...]
    complains: bool = False
    """Whether the sentence only says what is wrong."""
    has_reason: bool = False
    """Whether it says what is wrong besides."""

    @property
    def effect(self) -> tuple[object, ...]:
        """What it does to what, to compare readings: "the spotlight in the garage" and its name are one."""
        calls = sorted((p.call.name, repr(sorted(p.parameters.items())), _who(p) or p.call.key) for p in self.planned)
        moves = sorted((c.act, c.entity.names, c.entity.areas, repr(c.command.value)) for c in self.changes)
        return (*calls, *moves)


@dataclass(frozen=True, slots=True)
class Open:
    """Commands that are understood but for one thing: `problem` of `commands[at]`."""

    commands: tuple[Command, ...]
    at: int
    problem: Several | Missing | NotPlanned
    spans: tuple[Span, ...] = ()
    whole: tuple[Found, ...] = ()
    """What the other commands mean."""


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Two readings that do different things and are equally likely."""

    readings: tuple[Composed, ...]


Resolution = tuple[Found, Work] | Several | Missing | NotPlanned

Composition = Composed | Open | Ambiguous


@dataclass(frozen=True, slots=True)
class Composer:
    """Composes commands in one home and one language."""

    house: RequestHome
    lexicon: Lexicon
    speller: Speller

    @classmethod
    def of(cls, house: RequestHome, lexicon: Lexicon) -> Composer:
        """A composer for one request."""
        return cls(house, lexicon, Speller(house.home, lexicon))

    def compose(self, sentence: str) -> Composition | None:
        """What the sentence asks for, or None where its words do not make a command."""
        return self.choose(self.speller.parse(sentence), sentence)

    def choose(self, parsed: Parsed, sentence: str, last: Reference | None = None) -> Composition | None:
        """The likeliest reading of a sentence that was taken apart; `last` is what "it" stands for."""
        best: list[tuple[float, Composed]] = []
        known: dict[Command, Resolution] = {}
        open_one: tuple[float, Open] | None = None
        for way in parsed.ways[:_MOST_READ]:
            cost = sum(span.cost for span in way)
            if best and cost > best[0][0] + _CLOSE:
                break
            if any(span.is_unknown for span in way):
                continue
            if _asks(sentence, way) or _only_adds_value(way) or _is_piece_with_value(way):
                continue
            clauses = read_clauses(way, verb_first=self.lexicon.verb_first)
            if clauses is not None and len(clauses) == 1:
                clauses = (with_implied_act(clauses[0], self.house.home.entities),)
            if clauses is None or any(not c.acts or self._wants_another(c) or self._may_mean_heat(c) for c in clauses):
                continue
            made = self.complete(clauses, way, sentence, last, known)
            if isinstance(made, Composed):
                best.append((cost, made))
            elif made is not None and open_one is None:
                open_one = (cost, made)
        if not best:
            return open_one[1] if open_one is not None else None
        distinct = {c.effect: c for _, c in reversed(best)}
        return best[0][1] if len(distinct) == 1 else Ambiguous(tuple(distinct.values()))

    def _wants_another(self, clause: Clause) -> bool:
        """Whether something is to be played that nothing tells: "play a song" resumes none."""
        if not self.lexicon.tells_definite or not _BEGINS & set(clause.acts):
            return False
        return any(
            any(item.noun in ("music", "title") for item in span.items)
            and (n == 0 or not _is_definite(clause.spans[n - 1]))
            for n, span in enumerate(clause.spans)
        )

    def _may_mean_heat(self, clause: Clause) -> bool:
        """Whether a room is to be warm, and nothing tells that its light is meant: "make the nursery warm"."""
        if not any(s.role is Role.WHITE and s.end == s.start + 1 for s in clause.spans):
            return False
        items = clause.reference.items
        if any(item.area is None for item in items):
            return False
        home = self.house.home
        heated = [e for e in home.entities if e.domain == "climate"]
        places = [home.in_area(item.area.name) for item in items if item.area is not None]
        return any(e in place for e in heated for place in places) if places else bool(heated)

    def complete(
        self,
        clauses: Sequence[Clause],
        way: Sequence[Span],
        sentence: str,
        last: Reference | None,
        known: dict[Command, Resolution],
    ) -> Composed | Open | None:
        """Resolve and plan the commands of all clauses; the first that cannot be tells why."""
        commands = tuple(command_of(clause, sentence, last, self.lexicon.stopped_by_off) for clause in clauses)
        if not all(map(_says_what, commands)):
            return None
        found: list[Found] = []
        planned: list[Planned] = []
        changes: list[Change] = []
        problem: Open | None = None
        for at, command in enumerate(commands):
            made = known[command] if command in known else self.carry_out(command)
            known[command] = made
            if isinstance(made, Several) and command.reference.is_empty:
                return None  # nothing was named, so there is nothing to choose
            if isinstance(made, Several | Missing | NotPlanned):
                if problem is not None:
                    return None
                problem = Open(commands, at, made, tuple(way))
                continue
            reach, work = made
            if reach.floor_unsure and len(commands) > 1:
                return None  # Home Assistant may refuse the floor when the other half is done
            found.append(reach)
            planned += work.planned
            changes += work.changes
        if problem is not None:
            return replace(problem, whole=tuple(found))
        if not planned and not changes:
            return None
        calls = {p.call.key: p for p in planned}
        complains = any(clause.complains for clause in clauses)
        has_reason = any(clause.has_reason for clause in clauses)
        acting = tuple(calls.values())
        return Composed(commands, tuple(found), acting, tuple(changes), tuple(way), complains, has_reason)

    def carry_out(self, command: Command) -> Resolution:
        """What a command means here, and the calls for it."""
        home, toolbox, language = self.house.home, self.house.toolbox, self.lexicon.language
        domains = domains_of(command)
        reference = command.reference
        if room_to_clean(command, home) is not None and toolbox.find("HassVacuumCleanArea") is not None:
            left = tuple(i for i in reference.items if i.area is None)
            reference = replace(reference, items=left, scope=Scope.HOME)
        if _is_only_a_place(command):
            domains &= _OF_A_PLACE.get(command.acts[0], frozenset())
        resolver = Resolver(home, self.speller.words, language)
        everywhere = bool(_HOME_WIDE & set(command.acts)) or (bool(MOVES & set(command.acts)) and _moves(command))
        reach = resolver.resolve(reference, domains, all_everywhere=everywhere)
        if not isinstance(reach, Found):
            return reach
        work = work_of(command, reach, home, toolbox, language)
        if isinstance(work, NotPlanned):
            return work
        return reach, work


def _who(planned: Planned) -> tuple[str, ...]:
    """The entities that a call reaches, told apart from others of their name by their area."""
    return tuple(sorted(f"{e.domain} {e.name} {e.area}" for e in planned.targets))


_BEGINS = frozenset({Act.PLAY, Act.START, Act.ON})


def _is_definite(span: Span) -> bool:
    return span.meaning is not None and span.meaning.role is Role.SMALL and span.meaning.value == DEFINITE


_HOME_WIDE = frozenset({Act.OFF, Act.CLOSE, Act.LOCK, Act.OPEN, Act.UNLOCK})
"""Acts of which "all", without a place, is the whole home (what opens is asked); of others it is the room."""


def _moves(command: Command) -> bool:
    """Whether what goes up or down are covers."""
    nouns = {i.noun for i in command.reference.items if i.noun is not None}
    return bool(nouns) and all(n in KINDS and KINDS[n].domains <= {"cover", "lock"} for n in nouns)


def _only_adds_value(way: Sequence[Span]) -> bool:
    """Whether it begins with a joint and has no act of its own: "and the desk lamp red", "and on the landing"."""
    said = [s for s in way if s.role not in (Role.COURTESY, Role.FILLER)]
    acting = (Role.VERB, Role.DIRECTION, Role.COMPARATIVE)
    behind = said[2:] if len(said) > 2 and said[1].role is Role.DIRECTION else said
    return bool(said) and said[0].role is Role.JOINT and not any(s.role in acting for s in behind)


def _is_piece_with_value(way: Sequence[Span]) -> bool:
    """Whether a piece of a name and a value are all that is said: "desk 20" is no command."""
    roles = {s.role for s in way}
    acting = {Role.VERB, Role.DIRECTION, Role.COMPARATIVE, Role.WISH, Role.COMPLAINT, Role.QUANTITY}
    return not roles & acting and all(i.kind == "word" for s in way for i in s.items)


def _asks(sentence: str, way: Sequence[Span]) -> bool:
    """Whether a question mark stands behind words without a verb: "hall light on?"."""
    return sentence.rstrip().endswith(("?", "？")) and not any(s.role in (Role.VERB, Role.WISH) for s in way)


def command_of(clause: Clause, sentence: str, last: Reference | None, stopped_by_off: Collection[str] = ()) -> Command:
    """The command of a clause; "it" and what is left out mean what was last spoken of.

    `stopped_by_off` are the kinds of things that the language stops by turning them off.
    """
    reference = clause.reference
    if last is not None and (reference.is_empty or (reference.pronoun and not reference.items)):
        reference = replace(last, exceptions=reference.exceptions)
    nouns = {item.noun for item in reference.items if item.noun is not None}
    said_otherwise = _OF_NOUN.get(next(iter(nouns)), {}) if len(nouns) == 1 else {}
    acts = tuple(said_otherwise.get(act, act) for act in clause.acts)
    if nouns and nouns <= set(stopped_by_off):
        acts = tuple(Act.OFF if act is Act.STOP else act for act in acts)
    return Command(acts, reference, clause.quantity, clause.value, sentence)


_OF_A_PLACE = {
    Act.ON: frozenset({"light"}),
    Act.OFF: frozenset({"light"}),
    Act.LOCK: frozenset({"lock"}),
    Act.UNLOCK: frozenset({"lock"}),
}
"""What is meant where only a room is named: "turn off the hallway" is its light, "lock the office" its door."""


def _is_only_a_place(command: Command) -> bool:
    """Whether nothing but a room is named, for an act that many kinds of thing have."""
    items = command.reference.items
    told = command.quantity is not None or command.value.is_set or command.reference.everything
    return (
        bool(items) and all(i.area is not None for i in items) and not told and bool(_OF_ANYTHING & set(command.acts))
    )


_OF_NOUN: Mapping[str, Mapping[Act, Act]] = {
    "music": {Act.OFF: Act.PAUSE, Act.ON: Act.RESUME},
    "light": {Act.OPEN: Act.ON, Act.CLOSE: Act.OFF},
}
"""What people say otherwise of a kind of thing: the music is turned off by pausing it, lights are opened and closed."""


_OF_ANYTHING = frozenset(
    {
        Act.ON,
        Act.OFF,
        Act.TOGGLE,
        Act.OPEN,
        Act.CLOSE,
        Act.STOP,
        Act.LOCK,
        Act.UNLOCK,
        Act.SET,
        Act.UP,
        Act.DOWN,
        Act.START,
    }
)
"""Acts that many kinds of thing have: without a thing they say nothing."""


def _says_what(command: Command) -> bool:
    """Whether anything tells what is meant: a thing, a quantity ("brighter in here"), or an act of few things."""
    reference = command.reference
    if Act.ON in command.acts and {i.noun for i in reference.items} == {"title"}:
        return False  # what is played is not turned on: "put on some tunes" asks for music of a kind
    told = command.quantity is not None or command.value.colour is not None or command.value.kelvin is not None
    if reference.items or reference.everything or told:
        return True
    return not reference.pronoun and not _OF_ANYTHING & set(command.acts)
