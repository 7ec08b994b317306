"""settings.yaml as text: reading it strictly, writing it, and looking at it by dotted keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import yaml

from ..yaml_limits import ODD_VALUES, Excess, ExcessError, Limits, refuse_excess

Step = Callable[[dict[str, Any]], dict[str, Any]]
STEPS: tuple[Step, ...] = ()
"""The first makes blocks of version 2 out of those of version 1, and so on: so that updates keep old files."""
VERSION = len(STEPS) + 1
_HEADER = "# Written by HA-Assist's panel. Changes by hand are welcome too, and are read at the next start.\n"
LARGEST = 256 * 1024
"""Bytes of a settings file: all settings with their comments are some thousand."""
_LIMITS = Limits(events=20_000, depth=20, text=4096)
_LONGEST_NUMBER = 40


class DocumentError(Exception):
    """The text is no settings file; the message is one sentence."""


class _StrictLoader(yaml.SafeLoader):
    """YAML's own rule that the last of two equal keys wins would drop the first block in silence."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    raise DocumentError(f"settings.yaml has {key.value} twice (line {key.start_mark.line + 1}).")
                seen.add(key.value)
        return super().construct_mapping(node, deep)

    def construct_number(self, node: yaml.ScalarNode) -> int | float:
        """A number as YAML reads it; thousands of digits take for ever to read, and more to write."""
        if len(str(node.value)) > _LONGEST_NUMBER:
            raise DocumentError(f"settings.yaml has a number that is too long (line {node.start_mark.line + 1}).")
        integer = node.tag.endswith(":int")
        value: int | float = self.construct_yaml_int(node) if integer else self.construct_yaml_float(node)
        return value


_StrictLoader.add_constructor("tag:yaml.org,2002:int", _StrictLoader.construct_number)
_StrictLoader.add_constructor("tag:yaml.org,2002:float", _StrictLoader.construct_number)


def parse(content: bytes, steps: Sequence[Step] = STEPS) -> dict[str, Any]:
    """The blocks of a settings file as the newest version has them, without the version; raises DocumentError."""
    try:
        refuse_excess(content, _StrictLoader, _LIMITS)
        document = yaml.load(content, _StrictLoader)  # noqa: S506 - a SafeLoader
    except ExcessError as error:
        raise DocumentError(_told(error)) from error
    except yaml.MarkedYAMLError as error:
        where = f" near line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise DocumentError(f"settings.yaml is not valid YAML{where}: {error.problem}.") from error
    except (yaml.YAMLError, *ODD_VALUES) as error:
        raise DocumentError("settings.yaml is not valid YAML.") from error
    if document is None:
        return {}
    if not isinstance(document, dict):
        raise DocumentError("settings.yaml should hold the blocks settings: and models:, and holds something else.")
    return _upgrade(document, steps)


def _told(error: ExcessError) -> str:
    where = f"line {error.line}" if error.line is not None else "somewhere"
    match error.excess:
        case Excess.ALIAS:
            return f"settings.yaml repeats a part of itself by its anchor ({where}), which is not read; write it out."
        case Excess.LONG:
            return f"settings.yaml has a text that is too long ({where})."
        case Excess.MUCH:
            return "settings.yaml holds far more than there are settings."


def _upgrade(document: dict[str, Any], steps: Sequence[Step]) -> dict[str, Any]:
    newest = len(steps) + 1
    # Whoever writes the file by hand follows what the documents say today.
    version = document.pop("version", newest)
    if not isinstance(version, int) or isinstance(version, bool) or not 1 <= version <= newest:
        raise DocumentError(
            f"settings.yaml has version {version!r}, and this HA-Assist reads versions up to {newest}; "
            "was it written by a newer one?"
        )
    for step in steps[version - 1 :]:
        document = step(document)
    return document


def render(document: Mapping[str, Any]) -> bytes:
    """The file's text for these blocks."""
    body = yaml.safe_dump({"version": VERSION, **document}, allow_unicode=True, sort_keys=False)
    return (_HEADER + body).encode()


def flatten(document: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted keys with their values; an empty block has none."""
    for key, value in document.items():
        if isinstance(value, Mapping):
            yield from flatten(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def unflatten(values: Mapping[str, Any]) -> dict[str, Any]:
    """The blocks that these dotted keys make."""
    document: dict[str, Any] = {}
    for key, value in values.items():
        *blocks, last = key.split(".")
        block = document
        for name in blocks:
            inner = block.setdefault(name, {})
            if not isinstance(inner, dict):
                inner = block[name] = {}
            block = inner
        block[last] = value
    return document
