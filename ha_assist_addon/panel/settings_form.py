"""What a person sent with the settings form, as the update that it asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from multidict import MultiMapping

from ..settings.profiles import ModelKind
from ..settings.store import SettingsStore, values_of
from .settings_fields import NUMBERS, FieldSpec, Kind, field_text, specs

PROFILES: Mapping[str, frozenset[ModelKind]] = {
    "none": frozenset(),
    "gemma_vlm": frozenset({ModelKind.GEMMA, ModelKind.VLM}),
    "native": frozenset({ModelKind.HAILO_LLM}),
    "upstream": frozenset({ModelKind.UPSTREAM}),
}
"""The choices of models that are offered by name; any other combination is `own`."""
OWN = "own"


@dataclass(frozen=True, slots=True)
class Difference:
    """A setting whose value in force is not the one that was typed."""

    key: str
    held: str
    typed: str


def profile_of(values: Mapping[str, Any]) -> str:
    """The name of a choice of models."""
    enabled = {kind for kind in ModelKind if values[_enabled(kind)]}
    return next((name for name, kinds in PROFILES.items() if kinds == enabled), OWN)


def read_form(form: MultiMapping[Any], store: SettingsStore) -> dict[str, Any]:
    """The settings that the form holds, by dotted key; those that the environment decides are left out."""
    update: dict[str, Any] = {}
    for spec in specs():
        if spec.key not in store.overridden:
            update.update(_read(spec, form))
    kinds = PROFILES.get(str(form.get("profile")))
    if kinds is not None:
        for kind in ModelKind:
            if _enabled(kind) not in store.overridden:
                update[_enabled(kind)] = kind in kinds
    return update


def differences(typed: Mapping[str, Any], store: SettingsStore) -> list[Difference]:
    """What saving would change of the settings in force; secrets are left out."""
    held = values_of(store.current)
    pairs = [
        (spec.key, _told(spec, held[spec.key]), _told(spec, typed[spec.key]))
        for spec in specs()
        if spec.key in typed and spec.kind is not Kind.SECRET
    ]
    return [Difference(*pair) for pair in pairs if pair[1] != pair[2]]


def _told(spec: FieldSpec, value: Any) -> str:
    match spec.kind:
        case Kind.SWITCH:
            return "✓" if value else "–"
        case Kind.LANGUAGES:
            return ", ".join(value) or "–"
        case _:
            return field_text(spec.kind, value) or "–"


def _read(spec: FieldSpec, form: MultiMapping[Any]) -> Iterable[tuple[str, Any]]:
    given = [str(value).strip() for value in form.getall(spec.key, ())]
    match spec.kind:
        case Kind.SWITCH:
            # A browser sends nothing for a switch that is off; the form says which ones it showed.
            if spec.key in form.getall("shown", ()):
                yield spec.key, bool(given)
        case Kind.LANGUAGES:
            if spec.key in form.getall("shown", ()):
                yield spec.key, given
        case Kind.SECRET:
            if f"{spec.key}.remove" in form:
                yield spec.key, None
            elif given and given[0]:
                yield spec.key, given[0]
        case _ if given:
            text = given[0].replace(",", ".") if spec.kind in NUMBERS else given[0]
            yield spec.key, None if not text and spec.optional else text


def _enabled(kind: ModelKind) -> str:
    return f"models.{kind}.enabled"
