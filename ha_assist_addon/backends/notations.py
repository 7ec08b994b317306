"""Calls that are written out with their tool's name: as Python, as XML, in lines, or with JSON behind the name."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import zip_longest
from typing import Any

_OWN = r"(?:\w+__)*Hass[A-Z]\w*"
_MARKS = re.compile(
    r"<\|?/?(?:tool|function|invoke|parameter|arg_|python_tag)|<\||<｜|\[/?TOOL_|```tool"
    r"|^\s*(?:Thought|Action(?: Input)?|Observation):",
    re.MULTILINE,
)
"""What only the notations of calls hold; nobody speaks it."""
_TAGGED = re.compile(
    r"<parameter(?:=|\s+name=)[\"']?(?P<a>[\w\-]+)[\"']?>(?P<x>.*?)</parameter>"
    r"|<arg_key>(?P<b>.*?)</arg_key>\s*<arg_value>(?P<y>.*?)</arg_value>",
    re.DOTALL,
)
_LINE = re.compile(r"^[ \t]+[\"']?([\w\-]+)[\"']?:[ \t]*(\S.*?)[ \t]*$", re.MULTILINE)
_SENTENCE_END = re.compile(r"[.!?…][\"'”»)]*\s+|\n+")
_MOST_BRACKETS = 12
"""So many closing brackets are tried as the end of a call."""


@lru_cache(maxsize=64)
def naming(names: Collection[str]) -> re.Pattern[str]:
    """The names of tools as they stand in a text, with any name spaces; a name that may be a word of speech is none."""
    telling = sorted({n for n in names if "_" in n or re.search(r"[a-z][A-Z]", n)}, key=len, reverse=True)
    either = "|".join([*map(re.escape, telling), _OWN])
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)")


def looks_printed(text: str, named: re.Pattern[str]) -> bool:
    """Whether a text holds what belongs to the notation of a call."""
    return _MARKS.search(text) is not None or named.search(text) is not None


def before_printed(text: str, named: re.Pattern[str]) -> str:
    """The whole sentences before the first thing in a text that belongs to a call."""
    at = min((m.start() for p in (_MARKS, named) if (m := p.search(text)) is not None), default=len(text))
    if at == len(text):
        return text
    ends = [m.end() for m in _SENTENCE_END.finditer(text, 0, at)]
    return text[: ends[-1] if ends else 0].strip()


def written_calls(text: str, named: re.Pattern[str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each call that can be read, with its arguments; a name alone is none."""
    found = list(named.finditer(text))
    for match, following in zip_longest(found, found[1:]):
        behind = text[match.end() : following.start() if following is not None else len(text)]
        arguments = _as_python(behind) or _as_tags(behind) or _as_lines(behind)
        if arguments:
            yield match.group(), arguments


def _as_python(behind: str) -> dict[str, Any] | None:
    """`(name='Lamp', domain=['light'])`."""
    opening = re.match(r"\s*\(", behind)
    if opening is None:
        return None
    ends = [m.end() for m in re.finditer(r"\)", behind)][:_MOST_BRACKETS]
    for end in ends:
        try:
            call = ast.parse(f"f{behind[opening.end() - 1 : end]}", mode="eval").body
            keywords = call.keywords if isinstance(call, ast.Call) and not call.args else []
            return {k.arg: ast.literal_eval(k.value) for k in keywords if k.arg is not None}
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return None


def _as_tags(behind: str) -> dict[str, Any]:
    """`<parameter=name>Lamp</parameter>`, or its name in an attribute, or `<arg_key>` and `<arg_value>`."""
    return {m["a"] or m["b"].strip(): _value(m["x"] if m["a"] else m["y"]) for m in _TAGGED.finditer(behind)}


def _as_lines(behind: str) -> dict[str, Any]:
    """Indented lines of `name: Lamp` behind a line that announces them."""
    if not re.match(r"[ \t\"']*\n\s*(?:args|arguments|parameters|input):[ \t]*\n", behind):
        return {}
    return {m[1]: _value(m[2]) for m in _LINE.finditer(behind)}


def _value(text: str) -> Any:
    """A value as JSON or as Python writes it, else the text."""
    text = text.strip()
    try:
        return json.loads(text, parse_constant=str)
    except (ValueError, RecursionError):
        pass
    try:
        value = ast.literal_eval(text) if text[:1] in "[{'\"" else text
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text
    return value if isinstance(value, str | int | float | list | dict | bool) else text
