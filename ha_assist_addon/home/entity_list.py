"""The YAML entity list in Home Assistant's prompt and in the result of GetLiveContext."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from .entity import Entity

_TEXT_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Reads every scalar as text, whatever its tag: a name such as `on` or `123` is no boolean and no number."""


def list_block(text: str, start: int) -> tuple[str, int]:
    """The YAML list that begins at `start`, and the index behind it."""
    end = start
    for line in re.finditer(r"[^\n]*(?:\n|$)", text[start:]):
        content = line.group()
        if not content:
            break
        if content.strip() and not content.startswith(("- ", "  ")):
            break
        end = start + line.end()
        if not content.strip() and not re.match(r"\s*\n*(?:- |  )", text[end:]):
            break
    return text[start:end], end


def read_entities(block: str) -> tuple[Entity, ...]:
    """Read a YAML list of entities; an item that cannot be read is left out, the others stay."""
    return tuple(entity for item in _items(block) if (entity := _entity(item)) is not None)


def _items(block: str) -> Iterator[Mapping[str, Any]]:
    parsed = _load(block)
    if isinstance(parsed, list):
        yield from (item for item in parsed if isinstance(item, dict))
        return
    for chunk in re.split(r"(?m)^(?=- )", block):
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
    attributes = item.get("attributes")
    attributes = attributes if isinstance(attributes, dict) else {}
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


def _split(value: Any) -> tuple[str, ...]:
    """Split names as Home Assistant joins them: `", ".join([name, *aliases])`."""
    if not isinstance(value, str):
        return ()
    return tuple(dict.fromkeys(part.strip() for part in value.split(", ") if part.strip()))
