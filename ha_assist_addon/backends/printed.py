"""Tool calls that a model printed as text instead of making them: each family of models has its own way.

Known are JSON objects (bare, in a list, in a code fence, in `<tool_call>` tags as Qwen and Hermes write them, behind
`[TOOL_CALLS]` as Mistral and behind `<|python_tag|>` as Llama do), Llama's `<function=name>{…}</function>`, and what
`notations` reads behind the name of a tool; closing tags may be missing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from ..conversation import ToolCall
from ..nesting import too_deep
from .calls import finite
from .notations import before_printed, looks_printed, naming, written_calls

_FUNCTION = re.compile(r"<function=([\w.\-]+)>")
_WRAPPING = re.compile(
    r"</?tool_calls?>|<\|/?tool_calls?\|?>|<\|python_tag\|>|\[/?TOOL_CALLS\]|</?function(?:=[\w.\-]+)?>|```[\w\-]*",
)
_NAMES, _ARGUMENTS = ("name", "tool", "tool_name", "function_name"), ("arguments", "parameters", "args", "input")
_LISTS = ("tool_calls", "calls", "function_calls")
_FOREIGN = ("service", "action", "target_device", "entity_id")
"""Keys of what other programs execute: no call of ours, and nothing that is to be spoken either."""
_MOST = 32
"""Objects that are looked at in one answer."""


@dataclass(frozen=True, slots=True)
class Printed:
    """What an answer holds besides text; `unreadable` says that something looked like a call and is none."""

    calls: tuple[ToolCall, ...]
    text: str
    unreadable: bool = False


def read_printed_calls(text: str) -> tuple[tuple[ToolCall, ...], str]:
    """The calls in a text, and the text without them."""
    printed = read_printed(text)
    return printed.calls, printed.text


def read_printed(text: str, names: Collection[str] = ()) -> Printed:
    """Take the calls out of an answer, `names` are those of the tools; JSON that is no call stays text."""
    named = naming(frozenset(names))
    printed = _read_objects(text, named)
    if not looks_printed(text, named):
        return printed
    calls = printed.calls or tuple(
        _call(name, arguments) for name, arguments in written_calls(text, named) if not too_deep(arguments)
    )
    spoken = before_printed(text, named)
    return Printed(calls[:_MOST], before_printed(printed.text, named) if set("{`") & set(spoken) else spoken, not calls)


def _read_objects(text: str, tools: re.Pattern[str]) -> Printed:
    """The calls that are objects of JSON, or have one behind the name of a tool."""
    calls: list[ToolCall] = []
    kept: list[str] = []
    unreadable = False
    position = 0
    for start, end, value in _objects(text):
        before = text[position:start]
        named = _FUNCTION.search(before)
        found = _calls(value, named[1] if named else None)
        if not found and isinstance(value, dict) and (tool := _last(tools, before)) is not None:
            found = [_call(tool, value)]
        wrapped = bool(_WRAPPING.search(before))
        if not found and not _looks_like_one(value) and not (wrapped and named):
            kept.append(text[position:end])
        else:
            calls += found
            unreadable |= not found
            kept.append(_without_half_an_object(before))
        position = end
    rest = text[position:]
    unreadable |= not calls and bool(re.search(r"<\|?/?tool_call|\[TOOL_CALLS\]|<\|python_tag\|>|<function=", text))
    if calls or unreadable:
        rest = _WRAPPING.sub(" ", "".join([*kept, _without_half_an_object(rest)]))
        return Printed(tuple(calls), _tidy(rest), unreadable)
    return Printed((), text)


def _last(tools: re.Pattern[str], text: str) -> str | None:
    found = [m.group() for m in tools.finditer(text)]
    return found[-1] if found else None


def _objects(text: str) -> Iterator[tuple[int, int, Any]]:
    """Whole JSON objects and lists of them, where each stands."""
    decoder = json.JSONDecoder(parse_constant=finite, parse_float=finite, strict=False)
    position, seen = 0, 0
    while seen < _MOST and (match := re.compile(r"\{|\[\s*\{").search(text, position)):
        seen += 1
        try:
            value, end = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            position = match.start() + 1
            continue
        position = end
        if not too_deep(value):
            yield match.start(), end, value


def _calls(value: Any, name: str | None) -> list[ToolCall]:
    if isinstance(value, list):
        return [call for item in value for call in _calls(item, None)]
    if not isinstance(value, dict):
        return []
    for key in _LISTS:
        if isinstance(value.get(key), list):
            return [call for item in value[key] for call in _calls(item, None)]
    inner = value.get("function")
    if isinstance(inner, dict):
        return _calls(inner, None)
    if name is not None:
        return [_call(name, value)]
    called = next((value[key] for key in (*_NAMES, "function") if isinstance(value.get(key), str) and value[key]), None)
    arguments = next((_object(value[key]) for key in _ARGUMENTS if key in value), None)
    return [_call(called, arguments)] if called is not None and arguments is not None else []


def _call(name: str, arguments: Mapping[str, Any]) -> ToolCall:
    return ToolCall(f"call_{uuid4().hex}", name, arguments)


def _object(value: Any) -> dict[str, Any] | None:
    if isinstance(value, str):
        try:
            value = json.loads(value, parse_constant=finite, parse_float=finite, strict=False)
        except (ValueError, RecursionError):
            return None
    if isinstance(value, dict):
        return None if too_deep(value) else value
    return {} if value is None else None


def _looks_like_one(value: Any) -> bool:
    if isinstance(value, list):
        return any(_looks_like_one(item) for item in value)
    keys = (*_LISTS, *_FOREIGN, "function", "tool")
    return isinstance(value, dict) and (any(key in value for key in keys) or _named_with_arguments(value))


def _named_with_arguments(value: Mapping[str, Any]) -> bool:
    return any(key in value for key in _NAMES) and any(key in value for key in _ARGUMENTS)


def _without_half_an_object(text: str) -> str:
    """What stands before an object that was begun and never ended, as in an answer that was cut off."""
    return re.split(r"\{\s*\"", text, maxsplit=1)[0]


def _tidy(text: str) -> str:
    lines = filter(None, map(str.strip, text.split("\n")))
    return re.sub(r"[ \t]+", " ", "\n".join(lines)).strip(" ,;\n")
