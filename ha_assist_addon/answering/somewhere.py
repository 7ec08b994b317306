"""Whether a state is the one that was asked for, and whether a person is where the question says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..home.entity import Entity, fold
from ..home.match import as_list
from ..language.question_words import AT_HOME, is_home
from ..recognition.recognise import Candidate
from ..wording.speak import state_word
from .quality import as_cover, holds


def is_somewhere(candidate: Candidate, found: Iterable[Entity]) -> bool:
    """Whether anything is in the state that the person put in words of their own: a place that the home knows."""
    wanted = [fold(str(w)) for w in as_list(candidate.slots.get("state"))]
    home = any(is_home(word, candidate.language) for word in wanted)
    return home or any(is_in_state(candidate, e, wanted, candidate.language) for e in found)


def is_in_state(candidate: Candidate, entity: Entity, wanted: Sequence[str], language: str) -> bool:
    """Whether the state is one of those asked for; places of persons are compared as they are said too."""
    as_asked = as_list(candidate.slots.get("domain")) == ("cover",) and entity.domain == "binary_sensor"
    state = as_cover(entity) if as_asked else entity.state or ""
    if fold(state) in wanted:
        return True
    if entity.domain != "person":
        return False
    at_home = fold(state) == "home" and any(is_home(word, language) for word in wanted)
    return at_home or fold(state_word(entity, language) or "") in wanted


def has(entity: Entity, quality: str, language: str) -> bool:
    """Whether an entity is what is asked for; a person who is somewhere that is called home is there."""
    at_home = quality == AT_HOME and entity.domain == "person" and is_home(entity.state or "", language)
    return at_home or bool(holds(entity, quality))
