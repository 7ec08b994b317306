"""The YAML entity list in Home Assistant's prompt and in the result of GetLiveContext."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

from ..errors import InvalidRequest
from .entity import Entity

_TEXT_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Reads every scalar as text, whatever its tag: a name such as `on` or `123` is no boolean and no number."""


LARGEST_LIST = 2_000_000
"""Characters."""
MOST_ITEMS = 20_000
_LIST = re.compile(r"(?:(?:[^\S\n]*+\n)*+(?:- |  )[^\n]*+\n?)*+")
_BLANK_LINE = re.compile(r"[^\S\n]*+\n")
_ITEM_START = re.compile(r"(?m)^(?=- )")

_PLAIN = r"\w(?:[\w .,()/+%°&'\-]*[\w.,()/+%°&'\-])?"
_QUOTED = r"'[\w .,:;()/+%°&#!?\-]*'"
_SCALAR = rf"({_PLAIN}|{_QUOTED})"
_PLAIN_ITEM = re.compile(
    rf"- names: {_SCALAR}\n  domain: (\w+)\n(?:  state: {_SCALAR}\n)?(?:  areas: {_SCALAR}\n)?"
    rf"(?:  attributes:\n((?:    \w+: (?:{_PLAIN}|{_QUOTED})\n)+))?"
)
"""An item whose every value stands on its own line, in letters that mean nothing else in YAML."""

_BATCH = 100
"""Items that are read by YAML at a time: while it parses, no other thread runs."""


def too_large() -> InvalidRequest:
    """What is said of a home that would take many seconds to read."""
    return InvalidRequest("The home of this request is too large for HA-Assist.", param="messages")


def list_block(text: str, start: int) -> tuple[str, int]:
    """The YAML list that begins at `start`, and the index behind it and one blank line."""
    found = _LIST.match(text, start)
    end = found.end() if found else start
    blank = _BLANK_LINE.match(text, end)
    end = blank.end() if blank else end
    return text[start:end], end


def read_entities(block: str) -> tuple[Entity, ...]:
    """Read a YAML list of entities; an item that cannot be read is left out, the others stay.

    Raises `InvalidRequest` for a list that is longer than that of any home.
    """
    if len(block) > LARGEST_LIST or block.count("\n- ") > MOST_ITEMS:
        raise too_large()
    return tuple(entity for item in _items(block) if (entity := _entity(item)) is not None)


def _items(block: str) -> Iterator[Mapping[str, Any]]:
    """Plain items by a pattern, which takes a tenth of the time; what is left by YAML."""
    chunks = [chunk for chunk in _ITEM_START.split(block) if chunk.strip()]
    plain = [_plain_item(chunk) for chunk in chunks]
    others = _parse([chunk for chunk, item in zip(chunks, plain, strict=True) if item is None])
    if others is None:
        yield from _slowly(block)
        return
    rest = iter(others)
    yield from (item for item in (next(rest) if item is None else item for item in plain) if isinstance(item, dict))


def _plain_item(chunk: str) -> dict[str, Any] | None:
    found = _PLAIN_ITEM.fullmatch(chunk if chunk.endswith("\n") else f"{chunk}\n")
    if found is None:
        return None
    names, domain, state, areas, attributes = found.groups()
    item: dict[str, Any] = {"names": _unquote(names), "domain": domain}
    if state is not None:
        item["state"] = _unquote(state)
    if areas is not None:
        item["areas"] = _unquote(areas)
    if attributes is not None:
        pairs = (line[4:].split(": ", 1) for line in attributes.splitlines())
        item["attributes"] = {key: _unquote(value) for key, value in pairs}
    return item


def _unquote(scalar: str) -> str:
    return scalar[1:-1] if scalar[0] == "'" else scalar


def _parse(chunks: Sequence[str]) -> list[Any] | None:
    """One value for each chunk, or None where they are not whole by themselves."""
    values: list[Any] = []
    for start in range(0, len(chunks), _BATCH):
        batch = chunks[start : start + _BATCH]
        part = _load("".join(batch))
        if not isinstance(part, list) or len(part) != len(batch):
            return None
        values += part
    return values


def _slowly(block: str) -> Iterator[Mapping[str, Any]]:
    """The whole list by YAML, and where it is broken item by item."""
    parsed = _load(block)
    if isinstance(parsed, list):
        yield from (item for item in parsed if isinstance(item, dict))
        return
    for chunk in _ITEM_START.split(block):
        part = _load(chunk)
        if isinstance(part, list):
            yield from (item for item in part if isinstance(item, dict))


def _load(text: str) -> Any:
    try:
        return yaml.load(text, Loader=_TEXT_LOADER)  # noqa: S506 - makes nothing but text, lists and mappings
    except (yaml.YAMLError, RecursionError, ValueError):
        return None


def _entity(item: Mapping[str, Any]) -> Entity | None:
    names, domain = _split(item.get("names")), item.get("domain")
    if not isinstance(domain, str) or not domain:
        return None
    attributes = _attributes(item.get("attributes"))
    state = item.get("state")
    device_class = attributes.get("device_class")
    return Entity(
        names=names,
        domain=domain,
        areas=_split(item.get("areas")),
        state=state if isinstance(state, str) else None,
        device_class=device_class if isinstance(device_class, str) else None,
        attributes=attributes,
    )


def _attributes(value: Any) -> dict[str, Any]:
    """The attributes that are a text, as all that Home Assistant tells are.

    A list or a mapping may hold aliases of itself, which a few lines of YAML make endless wherever it is written out.
    """
    pairs = value.items() if isinstance(value, dict) else ()
    return {key: text for key, text in pairs if isinstance(key, str) and isinstance(text, str)}


def _split(value: Any) -> tuple[str, ...]:
    """Split names as Home Assistant joins them: `", ".join([name, *aliases])`."""
    if not isinstance(value, str):
        return ()
    return tuple(dict.fromkeys(part.strip() for part in value.split(", ") if part.strip()))
