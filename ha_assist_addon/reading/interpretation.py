"""What a sentence was found to mean, whichever reader found it."""

from __future__ import annotations

from dataclasses import dataclass

from ..home.entity import Entity
from ..meaning.calls import Change
from ..meaning.command import Command
from ..meaning.plan import Planned
from ..recognition.recognise import Candidate
from ..turn.outcome import Act, Outcome


@dataclass(frozen=True, slots=True)
class Interpretation:
    """What a sentence means: the first step, all calls it needs in order, and the candidates behind them."""

    outcome: Outcome
    stage: str
    language: str
    planned: tuple[Planned, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    asked: tuple[Entity, ...] = ()
    """The entities among which a question of ours lets the person choose."""
    proposed: tuple[Planned, ...] = ()
    """What a yes to a question of ours stands for."""
    commands: tuple[Command, ...] = ()
    """What was asked for, where it was composed from the words."""
    changes: tuple[Change, ...] = ()
    """Values that are computed once the states have been read."""
    names: tuple[str, ...] = ()
    """Names in the sentence that a reader found besides those that are written out."""
    open_at: int = 0
    """Which of the commands a question is about."""
    before: str = ""
    """The sentence before, where this one leans on it or answers a question about it."""
    answers: bool = False
    held: Act | None = None
    """What a yes to this question carries out."""
    heard: str = ""
    """The sentence as it was put right."""
    complains: bool = False
    """Whether the sentence only says what is wrong."""
    has_reason: bool = False
    """Whether the sentence says what is wrong as the reason for a command."""
    explained: tuple[str, ...] = ()
    """Phrases that were understood as a whole: what is wrong with a room."""
    as_state: bool = False
    """Whether it names a state without a verb, which may tell how something is."""
    ask_first: bool = False
    """Whether something else than what was said is meant, which the person has to confirm."""
    question: str = ""
    """How that is asked, where the calls do not tell it."""
    parts: tuple[Interpretation, ...] = ()
    """The questions of a sentence that asks several."""
    taught: bool = False
    """Whether a person taught what exactly this sentence means."""

    @property
    def certain(self) -> bool:
        """Whether it acts, and on nothing but what the sentence says."""
        return isinstance(self.outcome, Act)

    @property
    def quantified(self) -> bool:
        """Whether "all" or "both" was said."""
        return any(c.reference.all or c.reference.both for c in self.commands)

    @property
    def by_name_alone(self) -> bool:
        """Whether a bare name would switch something: that is only believed of a name that is written right."""
        return any(p.candidate.bare for p in self.planned)
