"""The one way to an action: what every call has to show before it is made, whoever proposed it.

The words are those that the person said, before any repair. A call may be made, be asked about first, or not be made.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ..home.entity import Entity
from ..home.mentions import Mention
from ..home.toolbox import Toolbox, plain_name
from ..language.lexicon import lexicon
from ..language.timer_words import names_timer
from .acts import Act
from .carrying import SWITCHING
from .evidence import said_acts, said_numbers, says_unit, says_verb, speaks_of_commands
from .guard import find_guards
from .openings import opens
from .plan import Planned

UNDERSTOOD = frozenset({"relative", "exception", "request"})
"""Guard kinds that composed commands can have understood."""

_SEARCH = "HassMediaSearchAndPlay"


@dataclass(frozen=True, slots=True)
class Passed:
    """The calls may be made."""


@dataclass(frozen=True, slots=True)
class AskFirst:
    """The person has to say yes to exactly these calls; `opens` are those that open the home."""

    why: str
    opens: tuple[Entity, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """The calls are not made; `guard` is the kind of the word that forbids them, where one does."""

    why: str
    guard: str | None = None


Ruling = Passed | AskFirst | Refused


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the person said: the sentence as it came, with the names in it.

    `before` is the sentence that a question of ours was about, where this one answers it or leans on it; `confirmed`
    says that this one is a yes to a question that named the calls.
    """

    sentence: str
    mentions: Sequence[Mention]
    language: str
    heard: str = ""
    """The sentence as a repair read it: what it asks for may be mistyped, what forbids it is looked for as it came."""
    before: str = ""
    confirmed: bool = False
    answers: bool = False
    """Whether it chooses among what a question of ours named."""
    free_texts: tuple[str, ...] = ()
    personal: bool = False
    """Whether a person wrote this sentence down word by word for this."""
    asks: bool = False
    """Whether a question mark ends it."""
    as_state: bool = False
    """Whether a state is all that it says of something, without a verb."""
    understood: Collection[str] = ()
    """Guard kinds that the commands carry."""
    explained: tuple[str, ...] = ()
    """Phrases that were understood as a whole, such as what is wrong with a room."""
    taught: bool = False
    """Whether a person chose exactly these calls for exactly this sentence."""


def certify(planned: Sequence[Planned], evidence: Evidence, toolbox: Toolbox) -> Ruling:
    """Whether these calls, together, are what the words ask for."""
    if evidence.confirmed or evidence.personal:
        return Passed()
    if evidence.taught:
        return _not_offered(planned, toolbox) or _opens_unsaid(planned, evidence)
    if evidence.asks and not says_verb(evidence.sentence, evidence.language):
        return Refused("A question mark behind words without a verb makes it a question.", "question")
    guarded = _guard(planned, evidence)
    if guarded is not None:
        return guarded
    if (not_offered := _not_offered(planned, toolbox)) is not None:
        return not_offered
    if (no_title := _no_title(planned, evidence)) is not None:
        return no_title
    if (unsaid := _unsaid(planned, evidence) or _counts_steps(planned, evidence)) is not None:
        return unsaid
    return _opens(planned, evidence)


def _not_offered(planned: Sequence[Planned], toolbox: Toolbox) -> Refused | None:
    for one in planned:
        tool = toolbox.by_name.get(one.call.name)
        if tool is None or tool.problem(one.call.arguments) is not None:
            return Refused(f"{one.call.name} is not offered in this form.")
    return None


def _opens_unsaid(planned: Sequence[Planned], evidence: Evidence) -> Ruling:
    """What was taught need not say what it does, so whatever opens the home is asked."""
    opened = tuple(e for p in planned for e in p.targets if opens(plain_name(p.call.name), e, evidence.language))
    return AskFirst("What opens the home is asked first, also where it was taught.", opened) if opened else Passed()


def _guard(planned: Sequence[Planned], evidence: Evidence) -> Ruling | None:
    intent = planned[0].candidate.intent if planned else None
    found = find_guards(
        evidence.sentence,
        evidence.mentions,
        evidence.language,
        intent=intent,
        free_text=evidence.free_texts,
        explained=evidence.explained,
    )
    for guard in found:
        if guard.kind not in evidence.understood:
            return Refused(f"{guard.word!r} makes it no plain command ({guard.kind}).", guard.kind)
    return None


def _no_title(planned: Sequence[Planned], evidence: Evidence) -> Ruling | None:
    """A search for music whose words are those of another command: "put it louder", "set the lamp to 150 percent"."""
    queries = [str(p.call.arguments.get("search_query", "")) for p in planned if plain_name(p.call.name) == _SEARCH]
    words = lexicon(evidence.language)
    language = evidence.language
    if not any(names_timer(q, language) or (words is not None and speaks_of_commands(q, words)) for q in queries):
        return None
    return Refused("What would be searched for is no title.")


def _unsaid(planned: Sequence[Planned], evidence: Evidence) -> Ruling | None:
    """A direction that no word of the sentence carries."""
    words = lexicon(evidence.language)
    if words is None:
        return None
    names = [(m.start, m.end) for m in evidence.mentions]
    said = said_acts(evidence.sentence, names, words) | (said_acts(f"{evidence.before} {evidence.heard}", (), words))
    for one in planned:
        intent = plain_name(one.call.name)
        for entity in one.targets:
            needed = SWITCHING.get((intent, entity.domain)) or SWITCHING.get((intent, ""))
            if needed is None or said & needed:
                continue
            if opens(intent, entity, evidence.language) or said - {Act.SET}:
                return Refused(f"No word of the sentence asks for {intent} of {entity.name}.")
    return None


_MOST_STEPS = 10


def _counts_steps(planned: Sequence[Planned], evidence: Evidence) -> Ruling | None:
    """A fan's step is no percentage: how many steps it has, nobody told ("speed two")."""
    speeds = {p.call.arguments.get("percentage") for p in planned if plain_name(p.call.name) == "HassFanSetSpeed"}
    small = {s for s in speeds if isinstance(s, int | float) and 0 < s <= _MOST_STEPS}
    words = lexicon(evidence.language)
    names = [(m.start, m.end) for m in evidence.mentions]
    said = said_numbers(f"{evidence.before} {evidence.heard or evidence.sentence}", (), words) - {0}
    if not small & said or says_unit("percent", evidence.heard or evidence.sentence, names, words):
        return None
    return Refused("A small number without percent may be a step of the fan, and how many it has is not known.")


def _opens(planned: Sequence[Planned], evidence: Evidence) -> Ruling:
    """What opens several things at once, or is only leant on, is asked."""
    opened = [e for p in planned for e in p.targets if opens(plain_name(p.call.name), e, evidence.language)]
    if not opened:
        return Passed()
    if len({(e.name, e.area) for e in opened}) > 1:
        return AskFirst("Several things that close off the home are not opened at once.", tuple(opened))
    if evidence.as_state or ("request" in evidence.understood and _is_request(evidence)):
        return AskFirst("The sentence may be a question, or tell a state.", tuple(opened))
    if evidence.before and not evidence.answers:
        return AskFirst("What opens the home has to be said in one sentence.", tuple(opened))
    return Passed()


def _is_request(evidence: Evidence) -> bool:
    return any(g.kind == "request" for g in find_guards(evidence.sentence, evidence.mentions, evidence.language))
