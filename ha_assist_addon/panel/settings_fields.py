"""The settings as fields of a form: read from the model, so that none can be forgotten, and grouped for a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from ..language.data import languages_with
from ..settings.model import Settings
from ..settings.profiles import ModelKind
from ..settings.store import SettingsStore, values_of
from .words import Words


class Kind(StrEnum):
    """What a field looks like."""

    SWITCH = "switch"
    WHOLE = "whole"
    NUMBER = "number"
    TEXT = "text"
    CHOICE = "choice"
    LANGUAGES = "languages"
    NAMES = "names"
    SECRET = "secret"  # noqa: S105 - a word, not one


NUMBERS = frozenset({Kind.WHOLE, Kind.NUMBER})
LANGUAGES = "settings.ha_assist_languages"
GOOD_LANGUAGES = languages_with("sentences")
"""Those with sentences of our own beside Home Assistant's."""
_GROUPS: Mapping[str, tuple[str, ...]] = {
    "languages": (LANGUAGES,),
    "verification": ("settings.ha_assist_verify_",),
    "names": ("settings.ha_assist_fuzzy_", "settings.ha_assist_sentence_"),
    **{kind.value: (f"models.{kind}.",) for kind in ModelKind},
    "privacy": ("diagnostics.",),
    "asking": ("settings.", "models."),
}
"""A field belongs to the first group that names the beginning of its key."""


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """What the model says of one setting."""

    key: str
    kind: Kind
    title: str
    description: str
    optional: bool
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    default: Any = None

    @property
    def group(self) -> str:
        """The card that it stands in."""
        return next(name for name, beginnings in _GROUPS.items() if self.key.startswith(beginnings))


@dataclass(frozen=True, slots=True)
class Field:
    """One setting with its value, as a form shows it."""

    spec: FieldSpec
    title: str
    description: str
    value: Any
    variable: str | None
    """The environment variable that decides it, so that it cannot be changed here."""

    @property
    def id(self) -> str:
        """For labels; a key's dots would need escaping in style sheets."""
        return self.spec.key.replace(".", "-")

    @property
    def text(self) -> str:
        """What stands in its input."""
        return field_text(self.spec.kind, self.value)

    @property
    def default_text(self) -> str:
        """What stands in its input when nobody has changed it."""
        return field_text(self.spec.kind, self.spec.default)


def specs() -> Iterator[FieldSpec]:
    """Every setting, in the order of the model."""
    yield from _specs(Settings, "")


def fields(store: SettingsStore, words: Words, typed: Mapping[str, Any] | None = None) -> dict[str, list[Field]]:
    """All settings by group, in the reader's language; what was typed and not saved stands before what holds."""
    held = values_of(store.current)
    groups: dict[str, list[Field]] = {name: [] for name in _GROUPS}
    for spec in specs():
        value = bool(held[spec.key]) if spec.kind is Kind.SECRET else (typed or {}).get(spec.key, held[spec.key])
        groups[spec.group].append(
            Field(
                spec,
                words.find(f"field.{spec.key}.title") or spec.title,
                words.find(f"field.{spec.key}.description") or spec.description,
                value,
                store.overridden.get(spec.key),
            )
        )
    return groups


def field_text(kind: Kind, value: Any) -> str:
    """A value as it stands in an input: 0.50 as 0.5, and what is no number as it was typed."""
    if value is None:
        return ""
    if kind is Kind.NAMES and isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    if kind not in NUMBERS:
        return str(value)
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    return str(int(number)) if number.is_integer() else str(number)


def _specs(model: type[BaseModel], prefix: str) -> Iterator[FieldSpec]:
    for name, info in model.model_fields.items():
        annotation, optional = _inner(info.annotation)
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            yield from _specs(annotation, f"{prefix}{name}.")
        else:
            yield _spec(f"{prefix}{name}", info, annotation, optional)


def _spec(key: str, info: FieldInfo, annotation: Any, optional: bool) -> FieldSpec:
    lower = [m.ge if isinstance(m, Ge) else m.gt for m in info.metadata if isinstance(m, Ge | Gt)]
    upper = [m.le if isinstance(m, Le) else m.lt for m in info.metadata if isinstance(m, Le | Lt)]
    return FieldSpec(
        key=key,
        kind=Kind.NAMES if get_origin(annotation) is tuple and key != LANGUAGES else _kind(annotation),
        title=info.title or key,
        description=info.description or "",
        optional=optional or get_origin(annotation) is tuple,
        minimum=lower[0] if lower else None,  # type: ignore[arg-type]
        maximum=upper[0] if upper else None,  # type: ignore[arg-type]
        choices=get_args(annotation) if get_origin(annotation) is Literal else (),
        default=info.default,
    )


def _kind(annotation: Any) -> Kind:
    plain = {bool: Kind.SWITCH, int: Kind.WHOLE, float: Kind.NUMBER, SecretStr: Kind.SECRET}
    if annotation in plain:
        return plain[annotation]
    if get_origin(annotation) is Literal:
        return Kind.CHOICE
    return Kind.LANGUAGES if get_origin(annotation) is tuple else Kind.TEXT


def _inner(annotation: Any) -> tuple[Any, bool]:
    """The type itself, without Annotated and without None."""
    optional = False
    while True:
        if hasattr(annotation, "__metadata__"):
            annotation = annotation.__origin__
        elif get_origin(annotation) in {Union, UnionType}:
            parts = [part for part in get_args(annotation) if part is not type(None)]
            optional = optional or len(parts) < len(get_args(annotation))
            annotation = parts[0]
        else:
            return annotation, optional
