"""What the home has: the prompt lists it, so nothing has to be read."""

from __future__ import annotations

from ..home.catalogue import Home
from ..language.replies import say
from ..language.words import fold_word
from ..recognition.recognise import Candidate
from ..wording.speak import enumerate_names, names_of, stem
from .query import kind_of


def answer_exists(candidate: Candidate, home: Home) -> str:
    """Whether there is such a thing, which ones there are, or how many.

    The prompt tells no classes: whether a player is a television only its name says, else it is named without a yes.
    """
    language, slots = candidate.language, candidate.slots
    area, floor = slots.get("area"), slots.get("floor")
    domains, device_class = kind_of(candidate)
    there = home.in_area(str(area)) if area is not None else home.entities
    if floor is not None and home.floors_known:
        floors = {a.name for a in home.areas if a.floor == floor}
        there = tuple(e for e in there if e.area in floors)
    found = [e for e in there if (not domains or e.domain in domains) and e.domain != "script"]
    word = stem(candidate.said.get("kind", ""))
    exact = [e for e in found if any(word in fold_word(n) for n in e.names)] if device_class else found
    names = enumerate_names(names_of(exact or found, language), language)
    if not found:
        text = say("none_there", language, area=area)
    elif candidate.response == "how_many":
        text = f"{len(exact)}: {names}." if exact else f"{names}."
    elif candidate.response == "which" or not exact:
        text = f"{names}."
    else:
        text = say("yes_names", language, names=names)
    if floor is None or home.floors_known:
        return text
    return f"{text} {say('whole_home', language, floor=candidate.said.get('floor') or floor)}"
