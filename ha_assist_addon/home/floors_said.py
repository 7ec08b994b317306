"""A floor that a person calls by a word which no floor of the home bears: "oben" where the floor is "Obergeschoss"."""

from __future__ import annotations

from dataclasses import replace
from weakref import WeakKeyDictionary

from .catalogue import Home
from .entity import fold
from .floors import floor_mentions
from .mentions import Kind

_UNTOLD: WeakKeyDictionary[Home, Home] = WeakKeyDictionary()


def as_said(home: Home, sentence: str, language: str) -> Home:
    """The home as it is to be read for this sentence.

    To know the floors is worth nothing where the one that is meant is not among them by this word: the home is then
    read as if nobody had told its floors, and a question about one is answered for the whole home, which the answer
    says.
    """
    if not home.floors_known:
        return home
    said = [m for m in floor_mentions(sentence, language) if fold(m.text) not in home.area_by_name]
    if not said or any(m.known.kind is Kind.FLOOR for m in home.names.mentions(sentence)):
        return home
    if home not in _UNTOLD:
        _UNTOLD[home] = replace(home, floors=(), floors_known=False)
    return _UNTOLD[home]
