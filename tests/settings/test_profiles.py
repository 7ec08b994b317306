"""Which models may be enabled together, and that each objection says what to do."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from ha_assist_addon.settings.document import unflatten
from ha_assist_addon.settings.model import Settings
from ha_assist_addon.settings.profiles import (
    EnabledModel,
    ModelKind,
    ProfileRule,
    check_profile,
    enabled_models,
    text_model,
    vision_model,
)
from tests.settings.test_model import TEXT_AND_IMAGE, TEXT_ONLY

VLM = {"models.vlm.enabled": True, "models.vlm.model": "Qwen2-VL-2B-Instruct"}
LLM = {"models.hailo_llm.enabled": True, "models.hailo_llm.model": "Qwen3-1.7B-Instruct"}
GEMMA = {"models.gemma.enabled": True}
UPSTREAM = {"models.upstream.enabled": True, "models.upstream.base_url": "http://a/v1", "models.upstream.model": "big"}
TEXT = "settings.ha_assist_text_model"
VISION = "settings.ha_assist_vision_model"


def settings(*parts: dict[str, Any], **_: Any) -> Settings:
    merged: dict[str, Any] = {}
    for part in parts:
        merged |= part
    return Settings.model_validate(unflatten(merged))


@pytest.mark.parametrize("text", [TEXT_AND_IMAGE, TEXT_ONLY, "{}"])
def test_published_profiles_are_fine(text: str) -> None:
    assert check_profile(Settings.model_validate(yaml.safe_load(text))) == ()


@pytest.mark.parametrize(
    ("parts", "rules"),
    [
        ((VLM, LLM), [ProfileRule.ONE_HAILO_MODEL]),
        ((VLM, GEMMA, UPSTREAM), []),
        ((LLM, GEMMA, UPSTREAM), []),
        ((GEMMA, {TEXT: "gemma"}), [ProfileRule.UNKNOWN_TEXT_MODEL]),
        (({TEXT: "gemma-4-E2B-it"},), [ProfileRule.UNKNOWN_TEXT_MODEL]),
        ((GEMMA, {VISION: "Qwen2-VL-2B-Instruct"}), [ProfileRule.UNKNOWN_VISION_MODEL]),
        ((LLM, {VISION: "Qwen3-1.7B-Instruct"}), [ProfileRule.BLIND_VISION_MODEL]),
        ((VLM, {TEXT: "Qwen2-VL-2B-Instruct"}), []),
        (({"models.vlm.enabled": True},), [ProfileRule.MODEL_WITHOUT_NAME]),
        (({"models.upstream.enabled": True, "models.upstream.model": "m"},), [ProfileRule.UPSTREAM_WITHOUT_ADDRESS]),
        ((GEMMA, UPSTREAM, {"models.upstream.model": "gemma-4-E2B-it"}), [ProfileRule.SAME_NAME_TWICE]),
        ((UPSTREAM, {"models.upstream.model": "ha-assist"}), [ProfileRule.RESERVED_NAME]),
    ],
)
def test_rules(parts: tuple[dict[str, Any], ...], rules: list[ProfileRule]) -> None:
    problems = check_profile(settings(*parts))
    assert [problem.rule for problem in problems] == rules
    for problem in problems:
        assert problem.keys
        assert problem.sentence.count(".") >= 2
        assert problem.impossible == (problem.rule is ProfileRule.ONE_HAILO_MODEL)


def test_native_models_together_are_explained() -> None:
    (problem,) = check_profile(settings(VLM, LLM))
    assert "HailoRT 5.4 holds one LLM or one VLM on a device" in problem.why
    assert "gemma-4-E2B-it" in problem.instead
    assert "disable models.vlm" in problem.instead


@pytest.mark.parametrize(
    ("version", "allowed"),
    [("5.3.0", False), ("5.4.0", False), ("5.4", False), ("5.5", True), ("6.0.1", True), ("", False)],
)
def test_rule_of_one_hailo_model_by_version(version: str, allowed: bool) -> None:
    assert (check_profile(settings(VLM, LLM), version) == ()) is allowed


def test_unknown_choice_offers_what_is_enabled() -> None:
    (problem,) = check_profile(settings(GEMMA, UPSTREAM, {TEXT: "nothing"}))
    assert "gemma-4-E2B-it, big" in problem.instead


def test_choice_of_models() -> None:
    both = settings(GEMMA, UPSTREAM, VLM)
    assert [model.name for model in enabled_models(both)] == ["Qwen2-VL-2B-Instruct", "gemma-4-E2B-it", "big"]
    assert text_model(both) is None
    assert text_model(settings(GEMMA, VLM)) == EnabledModel(ModelKind.GEMMA, "gemma-4-E2B-it")
    assert text_model(settings(GEMMA, UPSTREAM, {TEXT: "big"})) == EnabledModel(ModelKind.UPSTREAM, "big")
    assert text_model(settings(VLM)) is None
    assert vision_model(both) == EnabledModel(ModelKind.VLM, "Qwen2-VL-2B-Instruct")
    assert vision_model(settings(UPSTREAM, {VISION: "big"})) == EnabledModel(ModelKind.UPSTREAM, "big")
    assert vision_model(settings(LLM)) is None
