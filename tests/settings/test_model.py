"""The shape, ranges and defaults of settings.yaml."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from ha_assist_addon.settings.document import flatten, unflatten
from ha_assist_addon.settings.explain import explain
from ha_assist_addon.settings.model import Assist, Settings
from ha_assist_addon.settings.store import values_of

TEXT_AND_IMAGE = """
settings:
  ha_assist_text_model: gemma-4-E2B-it
  ha_assist_vision_model: Qwen2-VL-2B-Instruct
  ha_assist_verify_attempts: 2
  ha_assist_verify_delay: 0.5

models:
  vlm:
    enabled: true
    model: Qwen2-VL-2B-Instruct
  hailo_llm:
    enabled: false
  gemma:
    enabled: true
    max_input_tokens: 4096
"""
TEXT_ONLY = """
settings:
  ha_assist_text_model: Qwen3-1.7B-Instruct

models:
  vlm:
    enabled: false
  hailo_llm:
    enabled: true
    model: Qwen3-1.7B-Instruct
"""
RANGES = {
    "settings.ha_assist_verify_attempts": (0, 10),
    "settings.ha_assist_verify_delay": (0, 30),
    "settings.ha_assist_fuzzy_threshold": (80, 100),
    "settings.ha_assist_fuzzy_margin": (0.01, 100),
    "settings.ha_assist_sentence_threshold": (90, 100),
    "settings.ha_assist_queue": (1, 64),
    "settings.ha_assist_timeout": (1, 3600),
    "models.gemma.max_input_tokens": (512, 16384),
    "models.upstream.timeout": (1, 3600),
}


def read(text: str) -> Settings:
    return Settings.model_validate(yaml.safe_load(text))


def refusal(document: dict[str, Any]) -> str:
    with pytest.raises(ValidationError) as caught:
        Settings.model_validate(document)
    return explain(caught.value, Settings)[1]


def test_profile_for_text_and_images() -> None:
    settings = read(TEXT_AND_IMAGE)
    assert settings.settings.ha_assist_vision_model == settings.models.vlm.model == "Qwen2-VL-2B-Instruct"
    assert settings.models.gemma.enabled
    assert not settings.models.hailo_llm.enabled


def test_profile_for_text_alone() -> None:
    settings = read(TEXT_ONLY)
    assert settings.settings.ha_assist_text_model == settings.models.hailo_llm.model == "Qwen3-1.7B-Instruct"
    assert not settings.models.vlm.enabled


def test_defaults() -> None:
    assist = Settings().settings
    assert (assist.ha_assist_verify_attempts, assist.ha_assist_verify_delay) == (2, 0.5)
    assert (assist.ha_assist_fuzzy_threshold, assist.ha_assist_fuzzy_margin) == (90, 8)
    assert assist.ha_assist_fuzzy_enabled
    assert assist.ha_assist_sentence_repair
    assert assist.ha_assist_sentence_threshold == 94
    assert assist.ha_assist_languages == ()
    assert (assist.ha_assist_queue, assist.ha_assist_timeout) == (8, 180)
    assert Settings().models.gemma.model == "gemma-4-E2B-it"
    assert not any(getattr(Settings().models, name).enabled for name in ("vlm", "hailo_llm", "gemma", "upstream"))


def test_blocks_may_be_empty() -> None:
    assert read("settings:\nmodels:\n  vlm:\n") == Settings()


def test_blank_text_is_unset() -> None:
    document = {"settings": {"ha_assist_text_model": "  "}, "models": {"upstream": {"base_url": "", "api_key": ""}}}
    assert Settings.model_validate(document) == Settings()


def test_languages_from_one_text() -> None:
    assert Assist.model_validate({"ha_assist_languages": "de, en pt-BR"}).ha_assist_languages == ("de", "en", "pt-BR")
    assert Assist.model_validate({"ha_assist_languages": '["de"]'}).ha_assist_languages == ("de",)


def test_snapshot_is_immutable() -> None:
    with pytest.raises(ValidationError):
        Settings().settings.ha_assist_queue = 3  # type: ignore[misc]


def test_secret_is_not_shown() -> None:
    settings = Settings.model_validate({"models": {"upstream": {"api_key": "hunter2"}}})
    assert "hunter2" not in f"{settings!r} {settings.model_dump_json()}"


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        (
            {"settings": {"ha_assist_verify_attempts": 11}},
            "settings.ha_assist_verify_attempts is 11, but should be at most 10.",
        ),
        (
            {"settings": {"ha_assist_fuzzy_margin": 0}},
            "settings.ha_assist_fuzzy_margin is 0, but should be more than 0.",
        ),
        (
            {"settings": {"ha_assist_queue": "many"}},
            "settings.ha_assist_queue is 'many', but should be a whole number.",
        ),
        (
            {"settings": {"ha_assist_verify_delays": 1}},
            "settings.ha_assist_verify_delays is not a setting of HA-Assist; perhaps you mean ha_assist_verify_delay.",
        ),
        ({"modells": {}}, "modells is not a setting of HA-Assist; perhaps you mean models."),
        (
            {"models": {"gema": {"enabled": True}}},
            "models.gema is not a setting of HA-Assist; perhaps you mean gemma.",
        ),
        ({"models": {"vlm": {"enabled": "perhaps"}}}, "models.vlm.enabled is 'perhaps', but should be true or false."),
        ({"models": {"vlm": True}}, "models.vlm is True, but should be a block of settings."),
        (
            {"models": {"upstream": {"base_url": "ftp://x"}}},
            "models.upstream.base_url is 'ftp://x', but should be an address that begins with http:// or https://.",
        ),
        (
            {"models": {"upstream": {"base_url": "http://me:hunter2@x/v1"}}},
            "models.upstream.base_url should be an address without user and password; a key has a setting of its own.",
        ),
        (
            {"models": {"upstream": {"base_url": "ftp://hunter2@x/v1"}}},
            "models.upstream.base_url should be an address that begins with http:// or https://.",
        ),
        (
            {"models": {"upstream": {"base_url": "http://x/?key=1"}}},
            "models.upstream.base_url is 'http://x/?key=1', but should be an address without ? and #.",
        ),
        (
            {"settings": {"ha_assist_languages": ["german!"]}},
            "settings.ha_assist_languages is 'german!', but should be a language code such as en or pt-BR.",
        ),
        ({"models": {"upstream": {"api_key": 12345}}}, "models.upstream.api_key should be a text."),
        (
            {"settings": {"ha_assist_queue": 0, "ha_assist_timeout": 0}},
            "settings.ha_assist_queue is 0, but should be at least 1. (1 more key is wrong.)",
        ),
    ],
)
def test_refusal_names_the_key(document: dict[str, Any], sentence: str) -> None:
    assert refusal(document) == sentence


@given(key=st.sampled_from(sorted(RANGES)), data=st.data())
def test_out_of_range_is_refused(key: str, data: st.DataObject) -> None:
    low, high = RANGES[key]
    number = data.draw(
        st.one_of(
            st.floats(max_value=low - 1, allow_infinity=True),
            st.floats(min_value=high + 1, allow_infinity=True),
            st.integers(max_value=int(low) - 1),
            st.integers(min_value=high + 1),
            st.just(float("nan")),
        )
    )
    assert key in refusal(unflatten({key: number}))


@given(key=st.sampled_from(sorted(RANGES)), data=st.data())
def test_in_range_is_kept(key: str, data: st.DataObject) -> None:
    low, high = RANGES[key]
    number = data.draw(st.integers(int(low) + (low % 1 > 0), int(high)))
    assert values_of(Settings.model_validate(unflatten({key: number})))[key] == number


@given(
    st.dictionaries(
        st.text("abc", min_size=1),
        st.recursive(st.integers(), lambda s: st.dictionaries(st.text("xyz", min_size=1), s)),
    )
)
def test_flat_and_back(document: dict[str, Any]) -> None:
    flat = dict(flatten(document))
    assert dict(flatten(unflatten(flat))) == flat


def fields(model: type[BaseModel]) -> Iterator[tuple[str, Any]]:
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from fields(field.annotation)
        else:
            yield f"{model.__name__}.{name}", field


@pytest.mark.parametrize(
    ("name", "field"), list(fields(Settings)), ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_field_is_described(name: str, field: Any) -> None:
    assert field.title, name
    assert field.description.endswith("."), name
