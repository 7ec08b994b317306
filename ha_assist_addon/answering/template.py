"""Home Assistant's own response templates over live states, whose ids nobody tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..home.entity import Entity
from ..language.grammar import Grammar
from ..language.replies import official
from ..recognition.recognise import Candidate
from ..wording.speak import labels_of
from ..wording.state_view import StateView


def by_template(
    candidate: Candidate,
    matched: Sequence[Entity],
    unmatched: Sequence[Entity],
    grammar: Grammar,
    words: str | None,
) -> str | None:
    """The official response to a question about these entities; `words` stand in for the state."""
    entities = (*matched, *unmatched)
    labels = labels_of(entities, candidate.language)
    views = [
        StateView(label, e.domain, e.state or "", numbers(e.attributes), words)
        for label, e in zip(labels, entities, strict=True)
    ]
    attributes = {view.entity_id: view.attributes for view in views}

    def state_attr(entity_id: str, attribute: str) -> Any:
        return attributes.get(entity_id, {}).get(attribute)

    return official(
        grammar.responses,
        candidate.intent,
        candidate.response,
        slots={slot: candidate.said.get(slot) or value for slot, value in candidate.slots.items()},
        state=views[0],
        query={"matched": views[: len(matched)], "unmatched": views[len(matched) :]},
        state_attr=state_attr,
    )


def numbers(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes with numbers as numbers: Home Assistant's templates ask for those, the live context writes text."""
    return {key: as_number(value) for key, value in attributes.items()}


def as_number(value: Any) -> Any:
    """A number, where the text is one."""
    try:
        parsed = float(value)
    except (TypeError, ValueError):
        return value
    return int(parsed) if parsed.is_integer() else parsed
