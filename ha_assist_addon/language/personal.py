"""A person's own sentences: `sentences/<language>.yaml` in the data directory, in hassil's format.

A file that cannot be used is left out whole, with a sentence that says what is wrong; everything else still works.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from hassil.expression import Expression, Group, ListReference, RuleReference
from hassil.intents import Intents
from hassil.util import merge_dict

from .templates import HOME_LISTS

PERSONAL = "personal"
"""The metadata key of a person's own sentences: what somebody wrote down word by word is meant, guard words or not."""


@dataclass(frozen=True, slots=True)
class SentencesProblem:
    """Why a person's file is not used, in one sentence."""

    file: Path
    sentence: str


def with_personal(source: dict[str, Any], file: Path) -> tuple[dict[str, Any], SentencesProblem | None]:
    """The grammar with a person's sentences merged in, or as it was and what is wrong with the file."""
    if not file.is_file():
        return source, None
    try:
        loaded = _read(file)
        merged = deepcopy(source)
        merge_dict(merged, {key: value for key, value in loaded.items() if key != "language"})
        _check(Intents.from_dict(merged), set(loaded["intents"]))
    except Exception as error:  # noqa: BLE001 - hassil, yaml and a person's imagination raise anything
        reason = " ".join(str(error).split()) or type(error).__name__
        return source, SentencesProblem(file, f"The sentences in {file.name} are not used: {reason[:300]}.")
    return merged, None


def _read(file: Path) -> Mapping[str, Any]:
    loaded = yaml.safe_load(file.read_text(encoding="utf-8"))
    if not (isinstance(loaded, Mapping) and isinstance(loaded.get("intents"), Mapping)):
        raise ValueError("it needs a part `intents:`")  # noqa: TRY004 - the file is wrong, no type of ours
    for intent in loaded["intents"].values():
        for block in intent["data"]:
            block["metadata"] = {**block.get("metadata", {}), PERSONAL: True}
    return loaded


def _check(intents: Intents, own: set[str]) -> None:
    """Parse the person's templates and look up what they refer to; raises ValueError."""
    for name in own:
        for block in intents.intents[name].data:
            rules, lists = {*intents.expansion_rules, *block.expansion_rules}, {*intents.slot_lists, *block.slot_lists}
            for sentence in block.sentences:
                for kind, reference in _references(sentence.expression):
                    if kind == "rule" and reference not in rules:
                        raise ValueError(f"{name} uses the rule <{reference}>, which is nowhere")
                    if kind == "list" and reference not in lists | HOME_LISTS:
                        raise ValueError(f"{name} uses the list {{{reference}}}, which is nowhere")


def _references(expression: Expression) -> Iterator[tuple[str, str]]:
    if isinstance(expression, ListReference) and not expression.is_inline_range:
        yield "list", expression.list_name
    elif isinstance(expression, RuleReference):
        yield "rule", expression.rule_name
    elif isinstance(expression, Group):
        for item in expression.items:
            yield from _references(item)
