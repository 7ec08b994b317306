"""Whether a tool only looks something up: what its hint, its name and its description say, in this order.

An acting verb in the name always counts as acting, whatever else is said; what nothing tells is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise

from ..conversation import JsonObject

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

_READING_VERBS = frozenset(
    {"get", "list", "search", "query", "fetch", "lookup", "describe", "calculate", "retrieve", "count"}
)
"""First words of a name that only look something up."""

_READING_NOUNS = frozenset(
    {
        *("forecast", "forecasts", "usage", "consumption", "status", "statistics", "stats", "summary", "overview"),
        *("history", "search", "lookup", "count", "price", "prices", "balance", "level", "levels", "info"),
        *("information", "details", "departures", "arrivals", "news", "headlines", "weather", "conditions"),
        *("temperature", "results", "amount", "total", "average", "now_playing", "currently_playing"),
    }
)
"""Words of a name that say what is told, where no verb stands in it."""

_ACTING_VERBS = frozenset(
    {
        *("set", "send", "play", "delete", "restart", "act", "add", "remove", "create", "update", "change", "edit"),
        *("turn", "switch", "start", "stop", "pause", "resume", "open", "close", "lock", "unlock", "enable", "disable"),
        *("write", "post", "put", "publish", "move", "rename", "order", "buy", "book", "pay", "call", "run", "execute"),
        *("trigger", "activate", "deactivate", "cancel", "install", "uninstall", "reload", "reset", "reboot", "clear"),
        *("erase", "wipe", "schedule", "notify", "announce", "say", "speak", "print", "make", "mark", "complete"),
        *("arm", "disarm", "press", "push", "dim", "mute", "skip", "record", "save", "store", "upload", "download"),
        *("invite", "share", "subscribe", "reply", "draft", "move", "merge", "approve", "feed", "brew", "dock", "do"),
        *(
            "control",
            "adjust",
            "toggle",
            "increase",
            "decrease",
            "raise",
            "lower",
            "undo",
            "shutdown",
            "kill",
            "show",
            "return",
        ),
    }
)

_TELLS = frozenset(
    {
        *("get", "gets", "list", "lists", "search", "searches", "query", "queries", "fetch", "fetches", "retrieve"),
        *("retrieves", "provide", "provides", "tell", "tells", "count", "counts", "calculate", "calculates"),
        *("describe", "describes", "lookup"),
    }
)
"""First words of a description that only looks something up; what is found, read or checked may ring or be ticked."""

_TOLD = frozenset({"number", "list", "time", "date", "state", "states", "value", "values", "data", "events", "entries"})
"""Further words for what a tool returns, which a mower that is returned is not."""


_GETTING = (["ready"], ["rid"], ["up"], ["out"], ["off"], ["home"], ["going"], ["started"])
"""Words after "get" with which nothing is looked up."""

_JOINTS = frozenset({"and", "or", "then"})


class Purpose(StrEnum):
    """What calling a tool comes to."""

    READS = "reads"
    ACTS = "acts"
    UNKNOWN = "unknown"


def purpose(plain: str, description: str, hint: bool | None) -> Purpose:
    """What a tool of an integration or an MCP server does; `hint` is its `readOnlyHint` where the client tells it."""
    words = [word.lower() for word in _WORD.findall(plain)]
    told = _told(description)
    if words and words[0] in _ACTING_VERBS:
        return Purpose.UNKNOWN if hint else Purpose.ACTS
    if hint is not None:
        return Purpose.READS if hint else Purpose.UNKNOWN
    by_name = _by_name(words)
    if told is Purpose.ACTS:
        return Purpose.UNKNOWN if by_name is Purpose.READS else Purpose.ACTS
    return told if by_name is None else by_name


def read_only_hint(function: JsonObject) -> bool | None:
    """What a client passes on of the annotations of a tool, in MCP's spelling or in Home Assistant's."""
    annotations = function.get("annotations")
    if not isinstance(annotations, dict):
        return None
    found = annotations.get("readOnlyHint", annotations.get("read_only"))
    return found if isinstance(found, bool) else None


def _by_name(words: Sequence[str]) -> Purpose | None:
    """What a name says that does not begin with an acting verb; None where it says nothing."""
    acting = any(word in _ACTING_VERBS for word in words)
    if words and words[0] in _READING_VERBS:
        does = (acting and _JOINTS.intersection(words)) or words[1:2] in _GETTING
        return Purpose.UNKNOWN if does else Purpose.READS
    if acting:
        return Purpose.UNKNOWN
    pairs = {f"{one}_{other}" for one, other in pairwise(words)}
    return Purpose.READS if _READING_NOUNS.intersection((*words, *pairs)) else None


def _told(description: str) -> Purpose:
    """What the first sentence of a description says by its first word, and by what "and" adds to it."""
    sentence = re.split(r"(?<=[.!?])\s|\n", description.strip(), maxsplit=1)[0]
    words = [word.lower() for word in re.findall(r"[A-Za-z]+", sentence)]
    if not words:
        return Purpose.UNKNOWN
    if words[0] in ("return", "returns") and (_READING_NOUNS | _TOLD).intersection(words):
        words[0] = "get"
    if _acts(words[0]):
        return Purpose.ACTS
    if any(_acts(after) for word, after in pairwise(words) if word in _JOINTS):
        return Purpose.UNKNOWN
    return Purpose.READS if words[0] in _TELLS else Purpose.UNKNOWN


def _acts(word: str) -> bool:
    return not _ACTING_VERBS.isdisjoint((word, word.removesuffix("s"), word.removesuffix("es")))
