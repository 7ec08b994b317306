"""The person's own instructions, found in a system prompt that is mostly Home Assistant's."""

from __future__ import annotations

import re

from ..home.entity_list import list_block

_LIST = re.compile(r"^Static Context:[^\n]*\n", re.MULTILINE)
_BLOCK_START = re.compile(r"^You ARE equipped to answer questions about the current state of\s", re.MULTILINE)
_BLOCK_END = re.compile(r"^For general knowledge questions not about the home:[^\n]*\n?", re.MULTILINE)
_LINES = re.compile(
    r"^(?:"
    r"You are a voice assistant for Home Assistant\."
    r"|Answer questions about the world truthfully\."
    r"|Answer in plain text\. Keep it simple and to the point\."
    r"|Respond simply and to the point in plain text\."
    r"|When controlling Home Assistant always call the intent tools\.[^\n]*"
    r"|When a user asks to turn on all devices of a specific type,[^\n]*"
    r"|You are in area [^\n]* and all generic commands like [^\n]*"
    r"|This device is not able to start timers\."
    r")[ \t]*$\n?",
    re.MULTILINE,
)
"""What Home Assistant writes itself (`helpers/llm.py`, 2026.2 to 2026.11), its default instructions included."""


_HEADING = re.compile(r"^Follow these instructions for tools from \"[^\n]*$\n?", re.MULTILINE)
"""What Home Assistant puts before the instructions of each API where there are several."""


def own_instructions(system_text: str) -> str:
    """What is left of a system prompt without the entity list and without Home Assistant's fixed sentences."""
    return tidy(_HEADING.sub("", _remaining(system_text)))


def instruction_lines(system_text: str) -> list[str]:
    """The lines of that, with the headings that tell which tools the lines below are about."""
    return _remaining(system_text).split("\n")


def tidy(text: str) -> str:
    """Without empty lines at either end, and never two in a row."""
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _remaining(system_text: str) -> str:
    return _LINES.sub("", _without_blocks(_without_lists(system_text)))


def _without_blocks(text: str) -> str:
    kept, position = [], 0
    while (start := _BLOCK_START.search(text, position)) and (end := _BLOCK_END.search(text, start.end())):
        kept.append(text[position : start.start()])
        position = end.end()
    return "".join([*kept, text[position:]])


def _without_lists(text: str) -> str:
    kept, position = [], 0
    while heading := _LIST.search(text, position):
        kept.append(text[position : heading.start()])
        _, position = list_block(text, heading.end())
    return "".join([*kept, text[position:]])
