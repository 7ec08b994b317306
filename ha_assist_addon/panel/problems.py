"""What is wrong with settings, in the reader's language and by the names of the fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from ..errors import HaAssistError
from ..settings.errors import SettingsConflict, SettingsInvalid
from ..settings.explain import Fault
from ..settings.model import Settings
from ..settings.profiles import ModelKind, check_profile
from ..settings.store import SettingsStore, values_of
from .settings_fields import FieldSpec, specs
from .words import Words


def label_of(key: str, words: Words) -> str:
    """The name of a field, with its model where several have a field of that name; an unknown key as it is."""
    spec = _specs().get(key)
    if spec is None:
        return key
    title = words.find(f"field.{key}.title") or spec.title
    kind = key.split(".")[1] if key.startswith("models.") else ""
    return f"{words(f'kind.{kind}')}: {title}" if kind in set(ModelKind) else title


def fault_sentences(faults: Iterable[Fault], words: Words) -> dict[str, str]:
    """For each key what its value should be."""
    return {fault.key: words(f"fault.{_code(fault, words)}", **fault.values) for fault in faults}


def refusal_sentences(error: HaAssistError, words: Words) -> dict[str, str]:
    """For each key why it cannot be saved; empty where no key is to blame."""
    if isinstance(error, SettingsInvalid) and error.faults:
        return fault_sentences(error.faults, words)
    return {} if error.param is None else {error.param: error.message}


def profile_sentences(settings: Settings, words: Words) -> dict[str, str]:
    """For each key at fault why the choice of models cannot work, and what to do."""
    values = values_of(settings)
    return {
        key: words(f"rule.{problem.rule}", name=str(values.get(key) or ""))
        for problem in check_profile(settings)
        for key in problem.keys[:1]
    }


def told(sentences: Mapping[str, str], words: Words) -> list[str]:
    """Sentences that stand away from their fields."""
    return [f"{label_of(key, words)}: {sentence}" for key, sentence in sentences.items()]


def problems_of(store: SettingsStore, words: Words) -> list[str]:
    """What of the settings in force cannot be used or cannot work."""
    found = told(profile_sentences(store.current, words), words)
    problem = store.problem
    if problem is None:
        return found
    if not problem.faults:
        return [problem.sentence, *found]
    return [
        words("settings.file_fault", what=one) for one in told(fault_sentences(problem.faults, words), words)
    ] + found


def general_sentence(error: HaAssistError, words: Words) -> str:
    """Why nothing was saved, where that is not the matter of a field."""
    return words("settings.conflict") if isinstance(error, SettingsConflict) else error.message


def _code(fault: Fault, words: Words) -> str:
    """The fault that there are words for; an address is checked by a rule that has no name of its own."""
    if fault.code == "value_error" and fault.key.endswith("base_url"):
        return "url_parsing"
    return fault.code if words.find(f"fault.{fault.code}") else "invalid"


@cache
def _specs() -> Mapping[str, FieldSpec]:
    return {spec.key: spec for spec in specs()}
