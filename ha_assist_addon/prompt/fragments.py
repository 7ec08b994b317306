"""What integrations tell a model of their tools in the system prompt, found by the names of the tools."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..home.toolbox import Tool
from .instructions import instruction_lines, tidy

_HEADING = re.compile(r'Follow these instructions for tools from "(?P<api>[^"]*)"(?: \((?P<names>[^)]*)\))?:\s*')
"""Before 2026.11 it lists no tools: there they bear the name of the API in front."""
_LONGEST = 1000
"""Characters of one fragment; a remote server may write pages."""


@dataclass(frozen=True, slots=True)
class Instructions:
    """A system prompt without what Home Assistant says itself: the person's words, and a text for each tool's name."""

    own: str
    fragments: Mapping[str, str]

    def with_tools(self, tools: Iterable[Tool], *, plain: bool) -> str:
        """The person's words and what goes with these tools; `plain`: if the model knows them by their plain names."""
        texts: dict[str, None] = {}
        for tool in tools:
            if (text := self.fragments.get(tool.name)) is not None:
                texts[text] = None
        told = "\n".join(texts)
        if plain:
            for tool in sorted(tools, key=lambda t: -len(t.name)):
                told = told.replace(tool.name, tool.plain)
        return "\n\n".join(text for text in (self.own, told) if text)


def read_instructions(system_text: str, tools: Iterable[Tool]) -> Instructions:
    """Tell apart what is the person's own from what belongs to a contributed tool: its section or a line with its name.

    A section ends at the next heading; a line that is set in, or is an item of a list, goes with the line above.
    """
    contributed = {tool.name: tool for tool in tools if tool.is_contributed}
    own: list[str] = []
    told: dict[str, list[str]] = {}
    for names, line in _attributed(instruction_lines(system_text), contributed):
        if not names:
            own.append(line)
        for name in names:
            told.setdefault(name, []).append(line)
    fragments = {name: text for name, lines in told.items() if (text := tidy("\n".join(lines))[:_LONGEST])}
    return Instructions(tidy("\n".join(own)), fragments)


def _attributed(lines: Iterable[str], contributed: Mapping[str, Tool]) -> Iterator[tuple[tuple[str, ...], str]]:
    section: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    for line in lines:
        if (heading := _HEADING.fullmatch(line)) is not None:
            listed = _listed(heading, contributed)
            section = tuple(name for name in listed if name in contributed)
            # Of a section that holds Home Assistant's own tools too, only lines with a name are known to be somebody's.
            section = section if len(section) >= len(listed) - 1 else ()
            above = ()
            continue
        named = tuple(name for name in contributed if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line))
        if not named and above and line[:1] in (" ", "\t", "-", "*"):
            named = above
        above = named
        yield (named or section), line


def _listed(heading: re.Match[str], contributed: Iterable[str]) -> list[str]:
    """The tools that a section is about."""
    if heading["names"] is not None:
        return [name.strip() for name in heading["names"].split(",")]
    return [name for name in contributed if name.startswith(f"{heading['api']}__")]
