"""What the home has: the prompt lists it, so nothing has to be read."""

from __future__ import annotations

from ..home.catalogue import Home
from ..home.match import as_list
from ..language.replies import say
from .recognise import Candidate
from .speak import enumerate_names, names_of


def answer_exists(candidate: Candidate, home: Home) -> str:
    """Whether there is such a thing, which ones there are, or how many."""
    language, slots = candidate.language, candidate.slots
    area, floor = slots.get("area"), slots.get("floor")
    domains = as_list(slots.get("domain"))
    there = home.in_area(str(area)) if area is not None else home.entities
    if floor is not None and home.floors_known:
        floors = {a.name for a in home.areas if a.floor == floor}
        there = tuple(e for e in there if e.area in floors)
    found = [e for e in there if (not domains or e.domain in domains) and e.domain != "script"]
    names = enumerate_names(names_of(found, language), language)
    if not found:
        text = say("none_there", language, area=area)
    elif candidate.response == "how_many":
        text = f"{len(found)}: {names}."
    elif candidate.response == "which":
        text = f"{names}."
    else:
        text = say("yes_names", language, names=names)
    if floor is None or home.floors_known:
        return text
    return f"{text} {say('whole_home', language, floor=candidate.said.get('floor') or floor)}"
