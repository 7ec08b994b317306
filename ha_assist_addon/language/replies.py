"""What HA-Assist says: the official response templates where one fits, our own sentences where none does."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from home_assistant_intents import get_intents
from jinja2 import Environment, TemplateError, Undefined, UndefinedError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from .data import look_up


class _Unsaid(Undefined):
    """A missing value may be asked for, as official templates do, but not spoken: "Closing the" ends too early."""

    __slots__ = ()

    def __str__(self) -> str:
        raise UndefinedError(f"{self._undefined_name} is missing")


_OWN = ImmutableSandboxedEnvironment(autoescape=False)
_OFFICIAL = _OWN.overlay(undefined=_Unsaid)
_FALLBACK = "en"


@lru_cache(maxsize=128)
def own_replies(language: str) -> Mapping[str, str]:
    """Our sentences in a language; empty where we have none."""
    return {key: str(value) for key, value in (look_up("replies", language) or {}).items()}


@lru_cache(maxsize=2048)
def _compile(template: str, environment: Environment = _OWN) -> Any:
    return environment.from_string(template)


_STAND_INS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    **dict.fromkeys(
        ("not_understood", "no_model", "refused_call", "unbacked_claim", "nothing_said"), ("no_intent", {})
    ),
    **dict.fromkeys(("failed", "model_failed", "model_not_ready", "model_unusable"), ("handle_error", {})),
    "not_offered": ("feature_not_supported", {}),
    "unknown_name": ("no_entity", {"entity": "name"}),
    "unknown_area": ("no_area", {"area": "name"}),
    "duplicate": ("duplicate_entities", {"entity": "name"}),
    "which": ("duplicate_targets", {}),
}
"""Home Assistant's own error texts, which say about the same in languages of which we have no replies."""


@lru_cache(maxsize=64)
def _official_texts(language: str) -> Mapping[str, Any]:
    """The official errors of a language without replies of ours, and its word for "done"."""
    responses = (get_intents(language) or {}).get("responses") or {}
    done = ((responses.get("intents") or {}).get("HassBroadcast") or {}).get("default")
    return {**(responses.get("errors") or {}), "done": done}


def _stand_in(key: str, language: str, values: Mapping[str, Any]) -> str | None:
    name, slots = ("done", {}) if key == "done" else _STAND_INS.get(key, ("", {}))
    if not name:
        return None
    return _render(_official_texts(language).get(name), {slot: values.get(given) for slot, given in slots.items()})


def say(key: str, language: str | None, **values: Any) -> str:
    """One of our own sentences; where the language has none, an official one that says about the same, else English."""
    if language is not None and not own_replies(language) and (text := _stand_in(key, language, values)):
        return text
    template = own_replies(language or _FALLBACK).get(key) or own_replies(_FALLBACK)[key]
    return render(template, **values)


def render(template: str, **values: Any) -> str:
    """A sentence of ours, of whichever file."""
    return _tidy(str(_compile(template).render(**values)))


def has_own(key: str, language: str | None) -> bool:
    """Whether we have this sentence in this language."""
    return key in own_replies(language or _FALLBACK)


def official(responses: Mapping[str, Any], intent: str, key: str, **values: Any) -> str | None:
    """An official response, or None where there is none, it cannot be rendered, or it would say nothing."""
    templates = (responses.get("intents") or {}).get(intent) or {}
    template = templates.get(key) or templates.get("default")
    return _render(template, values)


def official_error(responses: Mapping[str, Any], key: str, **values: Any) -> str | None:
    """An official error sentence, such as `no_entity`."""
    return _render((responses.get("errors") or {}).get(key), values)


def _render(template: Any, values: Mapping[str, Any]) -> str | None:
    if not isinstance(template, str) or not template.strip():
        return None
    try:
        text = _tidy(str(_compile(template, _OFFICIAL).render(**values)))
    except (TemplateError, TypeError, ValueError, KeyError, AttributeError, ArithmeticError):
        return None
    return text if text and "None" not in text.split() else None


def _tidy(text: str) -> str:
    return " ".join(text.split())
