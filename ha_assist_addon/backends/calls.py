"""Puts a model's tool calls together from the fragments in which they are streamed."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from ..conversation import ToolCall
from ..errors import BackendFailed
from ..nesting import too_deep


@dataclass(slots=True)
class _Draft:
    id: str = ""
    name: str = ""
    text: list[str] = field(default_factory=list)

    def finish(self) -> ToolCall:
        text = "".join(self.text).strip()
        try:
            # NaN and infinity, which are no JSON, would pass every limit of a schema.
            arguments = json.loads(text, parse_constant=finite, parse_float=finite) if text else {}
        except (ValueError, RecursionError) as error:
            raise _unreadable() from error
        if not self.name or not isinstance(arguments, dict) or too_deep(arguments):
            raise _unreadable()
        return ToolCall(self.id or f"call_{uuid4().hex}", self.name, arguments)


class CallAssembler:
    """Collects fragments; servers differ in whether they send an index, an id, or the name more than once."""

    def __init__(self) -> None:
        self._drafts: list[_Draft] = []
        self._by_index: dict[int, _Draft] = {}

    def add(self, fragment: Any) -> None:
        """Take one fragment in."""
        if not isinstance(fragment, dict):
            return
        function = fragment.get("function")
        function = function if isinstance(function, dict) else {}
        identity, name = _text(fragment.get("id")), _text(function.get("name"))
        draft = self._draft(fragment.get("index"), identity, name)
        draft.id = draft.id or identity
        draft.name = draft.name or name
        arguments = function.get("arguments")
        if isinstance(arguments, str):
            draft.text.append(arguments)
        elif isinstance(arguments, dict):
            try:
                draft.text = [json.dumps(arguments)]
            except RecursionError as error:
                raise _unreadable() from error

    def finish(self) -> tuple[ToolCall, ...]:
        """All calls, in the order in which they began; one that cannot be read spoils the answer."""
        return tuple(draft.finish() for draft in self._drafts)

    def _draft(self, index: Any, identity: str, name: str) -> _Draft:
        if isinstance(index, int):
            known = self._by_index.get(index)
            # Some servers give every call the index 0: another id then means another call.
            if known is None or (identity and known.id and identity != known.id):
                known = self._by_index[index] = self._begin()
            return known
        same = [draft for draft in self._drafts if identity and draft.id == identity]
        if same:
            return same[0]
        return self._drafts[-1] if self._drafts and not identity and not name else self._begin()

    def _begin(self) -> _Draft:
        self._drafts.append(_Draft())
        return self._drafts[-1]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def finite(text: str) -> float:
    """A number of JSON; raises ValueError for NaN and infinity, which JSON lacks and Python reads all the same."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("no number of JSON")
    return number


def _unreadable() -> BackendFailed:
    return BackendFailed("The language model wanted to do something, but did not say it in a readable way.")
