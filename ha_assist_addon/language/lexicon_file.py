"""The form of `language/<code>/lexicon.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _as_words(value: Any) -> Any:
    return [str(v).lower() if isinstance(v, bool) else str(v) for v in value] if isinstance(value, list) else value


Acts = Annotated[tuple[str, ...], BeforeValidator(_listed)]
Phrases = Annotated[tuple[str, ...], BeforeValidator(_as_words)]


class LexiconFile(BaseModel):
    """`lexicon.yaml`: every part is told, so that a language says what it lacks by an empty list."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    endings: Phrases
    """What may follow a word of a name: `lamp` and `lamps`."""
    verb_first: bool = False
    """Whether a verb that tells the act by itself stands before its target: "lock the door", never "the door lock"."""
    telling: Phrases = ()
    """Endings of verb forms that say what happens: "closing". Only where they show it, a verb may end a command."""
    compounds: bool = False
    """Whether places and things are written together: `Küchenlicht`."""
    fugues: Phrases = ()
    """What may stand between the parts of such a word."""
    places: Phrases = ()
    """What a room may be written together with and stays the same: `Küchenbereich`."""
    clitics: Phrases = ()
    infixes: Phrases = ()
    """What may stand between a particle and its verb: `an-zu-schalten`."""
    articles: Phrases
    definite: Phrases = ()
    """Those of the articles that speak of something that is there: of "play the song" and "play a song" one resumes."""
    prepositions: Phrases
    delta: Phrases
    absolute: Phrases
    verbs: Mapping[str, Mapping[str, Acts]]
    bare: Mapping[str, Phrases]
    states: Mapping[str, Phrases]
    wishes: Phrases
    please: Phrases
    """Those of the courtesies that ask for a thing: "the kitchen light please"."""
    courtesies: Phrases
    wake_words: Phrases
    joints: Phrases
    both: Phrases
    all: Phrases
    everything: Phrases
    except_: Phrases = Field(alias="except")
    pronouns: Phrases
    others: Phrases
    ordinals: Mapping[int, Phrases]
    ones: Phrases
    here: Phrases
    everywhere: Phrases
    outside: Phrases
    again: Phrases
    more: Phrases
    mean: Phrases
    yes: Phrases
    no: Phrases
    always: Phrases = ()
    """A yes for now and from now on."""
    never_mind: Phrases
    degrees: Mapping[str, Phrases]
    comparatives: Mapping[str, Phrases]
    complaints: Mapping[str, Phrases] = Field(default_factory=dict)
    """What is said of a room, and the change that would mend it: "too dark"."""
    quantities: Mapping[str, Phrases]
    colours: Mapping[str, Phrases]
    whites: Mapping[int, Phrases]
    levels: Mapping[int, Phrases]
    factors: Mapping[float, Phrases]
    low_high: Mapping[int, Phrases]
    units: Mapping[str, Phrases]
    half: Phrases
    """What adds a half to the number before it: "nineteen and a half"."""
    one_of: Phrases = ()
    """What counts one of the unit behind it and is no number: "a degree"."""
    numbers: Mapping[int, Phrases] = Field(default_factory=dict)
    """Numbers that people also say otherwise than the rules of the language spell them."""
    half_together: Phrases = ()
    """What adds a half to the number that it is written together with: "achtzehneinhalb"."""
    half_of: Phrases
    """What makes a half of the unit behind it: "half a degree"."""
    current: Phrases
    nouns: Mapping[str, Phrases]
    fillers: Phrases
    also: Phrases = ()
    """What ends a sentence that means something besides, and means nothing elsewhere: "the kettle too"."""
    stopped_by_off: Phrases = ()
    """Kinds of things that are turned off where people say stop: "arrête la télé"."""
    lists: Mapping[str, Phrases] = Field(default_factory=dict)
    """Verbs that `add`, `remove` or `complete`; what stands before a list (`into`, `from`) or behind (`after`), and
    what stands between an amount and what it is of (`of`)."""
    questions: Mapping[str, Mapping[str, Phrases]] = Field(default_factory=dict)
    """The words of questions: question_words.py explains them."""
