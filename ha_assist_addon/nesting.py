"""How deep JSON may be nested: Python's own encoder and the schema validator give up long before a client runs out."""

from __future__ import annotations

from typing import Any

MAX_DEPTH = 100


def too_deep(value: Any) -> bool:
    """Whether dictionaries and lists are nested deeper than `MAX_DEPTH`; walks level by level, without recursion."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            child
            for item in level
            for child in (item.values() if type(item) is dict else item)
            if type(child) is dict or type(child) is list
        ]
        if not level:
            return False
    return True
