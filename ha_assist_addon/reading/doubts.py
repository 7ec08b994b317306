"""What a certain reading may still mean otherwise, so that it is put as a question."""

from __future__ import annotations

from ..home.catalogue import Home
from ..home.toolbox import plain_name
from ..language.lexicon import Lexicon, Role, lexicon
from ..language.tokens import tokens_of
from ..meaning.plan import Planned
from .interpretation import Interpretation

_LIKELY_DEGREES = range(5, 36)
_BRIGHT = frozenset({"brightness"})


def is_in_doubt(found: Interpretation, sentence: str, home: Home) -> bool:
    """Whether degrees may be meant where a brightness was understood."""
    if found.stage == "confirmed" or found.before:
        return False
    words = lexicon(found.language)
    return words is not None and any(_may_be_degrees(p, sentence, words, home) for p in found.planned)


def _may_be_degrees(planned: Planned, sentence: str, words: Lexicon, home: Home) -> bool:
    """Whether a room with a thermostat is set to a bare number: "set the nursery to 19"."""
    arguments = planned.call.arguments
    if plain_name(planned.call.name) != "HassLightSet" or "area" not in arguments or "name" in arguments:
        return False
    if arguments.get("brightness") not in _LIKELY_DEGREES:
        return False
    if not any(e.domain == "climate" for e in home.in_area(str(arguments["area"]))):
        return False
    return not _tells_what_is_set(sentence, words)


def _tells_what_is_set(sentence: str, words: Lexicon) -> bool:
    """Whether a unit, a light, or a word for brightness stands in the sentence."""
    for _, _, meaning in words.phrases_in(tokens_of(sentence)):
        if meaning.role is Role.UNIT or (meaning.role is Role.NOUN and meaning.value == "light"):
            return True
        if meaning.role is Role.QUANTITY and meaning.value in _BRIGHT:
            return True
        if meaning.role is Role.VERB and any(a.partition(":")[2] in _BRIGHT for a in meaning.acts):
            return True
    return False
