"""What may be resident together, and whether the chosen models exist; each objection says what to do instead."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from .model import Settings

VIRTUAL_MODEL = "HA-Assist"
RECOMMENDED_TEXT = "gemma-4-E2B-it"

_LAST_EXCLUSIVE = (5, 4)
"""The newest HailoRT known to hold only one language model a device."""


class ModelKind(StrEnum):
    """The blocks below `models:`."""

    VLM = "vlm"
    HAILO_LLM = "hailo_llm"
    GEMMA = "gemma"
    UPSTREAM = "upstream"


class ProfileRule(StrEnum):
    """The rules that a choice of models can break."""

    ONE_HAILO_MODEL = "one_hailo_model"
    UNKNOWN_TEXT_MODEL = "unknown_text_model"
    UNKNOWN_VISION_MODEL = "unknown_vision_model"
    BLIND_VISION_MODEL = "blind_vision_model"
    MODEL_WITHOUT_NAME = "model_without_name"
    UPSTREAM_WITHOUT_ADDRESS = "upstream_without_address"
    SAME_NAME_TWICE = "same_name_twice"
    RESERVED_NAME = "reserved_name"


@dataclass(frozen=True, slots=True)
class EnabledModel:
    """A physical model that the settings enable, by the name clients use."""

    kind: ModelKind
    name: str


@dataclass(frozen=True, slots=True)
class ProfileProblem:
    """One broken rule: why it cannot work, and what works instead."""

    rule: ProfileRule
    keys: tuple[str, ...]
    why: str
    instead: str
    impossible: bool = False
    """Cannot even be tried, so it is not saved; the others are work in progress."""

    @property
    def sentence(self) -> str:
        """Reason and advice, for the panel and the log."""
        return f"{self.why} {self.instead}"


def enabled_models(settings: Settings) -> tuple[EnabledModel, ...]:
    """The enabled models that have a name, in the order of the file."""
    blocks = ((kind, getattr(settings.models, kind.value)) for kind in ModelKind)
    return tuple(EnabledModel(kind, block.model) for kind, block in blocks if block.enabled and block.model)


def text_model(settings: Settings) -> EnabledModel | None:
    """The model that answers text: the chosen one, else the only enabled one that is not a VLM."""
    models = enabled_models(settings)
    if chosen := settings.settings.ha_assist_text_model:
        return next((model for model in models if model.name == chosen), None)
    candidates = [model for model in models if model.kind is not ModelKind.VLM]
    return candidates[0] if len(candidates) == 1 else None


def vision_model(settings: Settings) -> EnabledModel | None:
    """The model that answers questions about images: the chosen one, else the VLM."""
    models = [model for model in enabled_models(settings) if model.kind is not ModelKind.HAILO_LLM]
    if chosen := settings.settings.ha_assist_vision_model:
        return next((model for model in models if model.name == chosen), None)
    return next((model for model in models if model.kind is ModelKind.VLM), None)


def check_profile(settings: Settings, hailort_version: str = "5.4") -> tuple[ProfileProblem, ...]:
    """All objections to a choice of models; none where it can work."""
    return (*_device(settings, hailort_version), *_blocks(settings), *_names(settings), *_choices(settings))


def _device(settings: Settings, hailort_version: str) -> list[ProfileProblem]:
    models = settings.models
    if not (models.vlm.enabled and models.hailo_llm.enabled) or _version(hailort_version) > _LAST_EXCLUSIVE:
        return []
    return [
        ProfileProblem(
            ProfileRule.ONE_HAILO_MODEL,
            ("models.hailo_llm.enabled", "models.vlm.enabled"),
            f"HailoRT {hailort_version} holds one LLM or one VLM on a device, never both, so models.vlm and "
            "models.hailo_llm cannot be enabled together.",
            f"For text and images keep the VLM and let {RECOMMENDED_TEXT} answer text on the processor "
            "(models.gemma); for text alone disable models.vlm and keep the native LLM.",
            impossible=True,
        )
    ]


def _blocks(settings: Settings) -> list[ProfileProblem]:
    problems = []
    for kind in ModelKind:
        block = getattr(settings.models, kind.value)
        if block.enabled and not block.model:
            problems.append(
                ProfileProblem(
                    ProfileRule.MODEL_WITHOUT_NAME,
                    (f"models.{kind}.model",),
                    f"models.{kind} is enabled and names no model, so there is nothing to load or to ask for.",
                    f"Name one in models.{kind}.model, or disable models.{kind}.",
                )
            )
    upstream = settings.models.upstream
    if upstream.enabled and not upstream.base_url:
        problems.append(
            ProfileProblem(
                ProfileRule.UPSTREAM_WITHOUT_ADDRESS,
                ("models.upstream.base_url",),
                "models.upstream is enabled and has no address, so no server can be asked.",
                "Write its base address, such as http://192.168.1.20:8080/v1, in models.upstream.base_url.",
            )
        )
    return problems


def _names(settings: Settings) -> list[ProfileProblem]:
    problems = []
    by_name: dict[str, list[EnabledModel]] = {}
    for model in enabled_models(settings):
        by_name.setdefault(model.name, []).append(model)
    for name, models in by_name.items():
        keys = tuple(f"models.{model.kind}.model" for model in models)
        if name.casefold() == VIRTUAL_MODEL.casefold():
            problems.append(
                ProfileProblem(
                    ProfileRule.RESERVED_NAME,
                    keys,
                    f"{VIRTUAL_MODEL} is the name of the virtual model, so {keys[0]} cannot bear it too.",
                    "Write the name under which the model was published.",
                )
            )
        if len(models) > 1:
            problems.append(
                ProfileProblem(
                    ProfileRule.SAME_NAME_TWICE,
                    keys,
                    f"{' and '.join(keys)} are both called {name}, so a request for it could mean either.",
                    "Disable one of them.",
                )
            )
    return problems


def _choices(settings: Settings) -> list[ProfileProblem]:
    problems = []
    models = enabled_models(settings)
    names = {model.name for model in models}
    assist = settings.settings
    for key, chosen, rule in (
        ("settings.ha_assist_text_model", assist.ha_assist_text_model, ProfileRule.UNKNOWN_TEXT_MODEL),
        ("settings.ha_assist_vision_model", assist.ha_assist_vision_model, ProfileRule.UNKNOWN_VISION_MODEL),
    ):
        if chosen and chosen not in names:
            problems.append(
                ProfileProblem(
                    rule, (key,), f"{key} names {chosen}, and no enabled model is called so.", _offer(models)
                )
            )
    blind = vision_model(settings) is None and assist.ha_assist_vision_model in names
    if blind:
        problems.append(
            ProfileProblem(
                ProfileRule.BLIND_VISION_MODEL,
                ("settings.ha_assist_vision_model",),
                f"settings.ha_assist_vision_model names {assist.ha_assist_vision_model}, which cannot see images.",
                "Choose a VLM, or leave it empty and questions about images are declined.",
            )
        )
    return problems


def _offer(models: tuple[EnabledModel, ...]) -> str:
    if not models:
        return "Enable a model below models:, or leave it empty and only what is certain is answered."
    return f"Choose an enabled one ({', '.join(model.name for model in models)}), enable the other, or leave it empty."


def _version(text: str) -> tuple[int, int]:
    major, minor, *_ = [*map(int, re.findall(r"\d+", text)), 0, 0]
    return major, minor
