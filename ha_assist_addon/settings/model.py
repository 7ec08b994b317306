"""All that a person can set, as it stands in settings.yaml; the panel shows each description beside its field."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    AnyHttpUrl,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    TypeAdapter,
    model_validator,
)

_LANGUAGE = re.compile(r"[a-z]{2,3}([-_][a-z0-9]{2,8})*", re.IGNORECASE)
_HTTP_URL = TypeAdapter(AnyHttpUrl)


def _unset_if_blank(value: object) -> object:
    if isinstance(value, str):
        return value.strip() or None
    return value


def _split(value: object) -> object:
    """Read what an environment variable or a form field can hold: `de, en` or `["de", "en"]`."""
    if value is None:
        return ()
    if not isinstance(value, str):
        return value
    if not value.lstrip().startswith("["):
        return [part for part in re.split(r"[,\s]+", value) if part]
    try:
        return json.loads(value)
    except (ValueError, RecursionError) as error:
        raise ValueError('it should be a list such as de, en or ["de", "en"]') from error


def _language(value: str) -> str:
    if not _LANGUAGE.fullmatch(value):
        raise ValueError("it should be a language code such as en or pt-BR")
    return value


def _http_url(value: str) -> str:
    url = _HTTP_URL.validate_python(value)
    if url.username is not None or url.password is not None:
        raise ValueError("it should be an address without user and password; a key has a setting of its own")
    if url.query or url.fragment:
        raise ValueError("it should be an address without ? and #")
    return value.rstrip("/")


Name = Annotated[str, Field(min_length=1, max_length=200)]
OptionalName = Annotated[Name | None, BeforeValidator(_unset_if_blank)]
OptionalUrl = Annotated[Annotated[str, AfterValidator(_http_url)] | None, BeforeValidator(_unset_if_blank)]
OptionalSecret = Annotated[SecretStr | None, BeforeValidator(_unset_if_blank)]
Language = Annotated[str, AfterValidator(_language)]


class Section(BaseModel):
    """A block of settings.yaml: immutable, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, validate_default=True)

    @model_validator(mode="before")
    @classmethod
    def _empty_block(cls, value: Any) -> Any:
        # `vlm:` with nothing below it is how YAML writes an empty block.
        return {} if value is None else value


class Assist(Section):
    """How HA-Assist recognises, verifies and answers."""

    ha_assist_text_model: OptionalName = Field(
        None,
        title="Text model",
        description="The enabled model that answers when HA-Assist is not sure. Empty: the only enabled text model.",
    )
    ha_assist_vision_model: OptionalName = Field(
        None,
        title="Vision model",
        description="The enabled model that answers questions about images. Empty: the vision model on the Hailo "
        "device, if it is enabled.",
    )
    ha_assist_verify_attempts: int = Field(
        2,
        ge=0,
        le=10,
        title="Number of checks",
        description="How often HA-Assist waits after an action and then looks whether the state is as wanted; one "
        "check comes first, without a wait. 0: no check. An action is never sent a second time.",
    )
    ha_assist_verify_delay: float = Field(
        0.5,
        ge=0,
        le=30,
        title="Wait before each check",
        description="In seconds. Slow devices need more; you hear a pause meanwhile, but only until the device has "
        "reported.",
    )
    ha_assist_step: int = Field(
        20,
        ge=1,
        le=50,
        title="Step",
        description='By how many percent "brighter", "lower" or "faster" changes a value. "A bit" is half of it, '
        '"a lot" half as much again; a temperature changes by one degree.',
    )
    ha_assist_wishes: Literal["ask", "leave"] = Field(
        "ask",
        title="Wishes",
        description='What to do when somebody only says what is wrong ("it is too dark in here"): ask whether to '
        "change it, or leave it to the language model.",
    )
    ha_assist_trusted_tools: Annotated[tuple[Name, ...], BeforeValidator(_split)] = Field(
        (),
        max_length=200,
        title="Trusted tools",
        description="Tools of other integrations that the language model may call without asking you first, by their "
        "full names. Answering the question with “yes, always” adds one; take it out and you are asked again.",
    )
    ha_assist_fuzzy_enabled: bool = Field(
        True,
        title="Correct names",
        description="Accept a slightly misheard name if only one known name is similar enough.",
    )
    ha_assist_fuzzy_threshold: float = Field(
        90,
        ge=80,
        le=100,
        title="Required similarity of names",
        description="How similar a misheard name must be to a known one, in percent. A lower value corrects more "
        "often, and is wrong more often.",
    )
    ha_assist_fuzzy_margin: float = Field(
        8,
        gt=0,
        le=100,
        title="Required lead over the second-best name",
        description="In percent. If the lead is smaller, HA-Assist asks.",
    )
    ha_assist_sentence_repair: bool = Field(
        True,
        title="Correct sentences",
        description="Accept a sentence that differs only a little from a known one. Numbers, on and off, and "
        "conditions are never changed.",
    )
    ha_assist_sentence_threshold: float = Field(
        94,
        ge=90,
        le=100,
        title="Required similarity of sentences",
        description="How similar a sentence must be to a known one, in percent.",
    )
    ha_assist_languages: Annotated[tuple[Language, ...], BeforeValidator(_split)] = Field(
        (),
        max_length=200,
        title="Languages",
        description="The languages spoken in your home. None chosen: all that HA-Assist understands well. "
        "Fewer languages are faster and need less memory.",
    )
    ha_assist_embeddings: bool = Field(
        True,
        title="Search by meaning",
        description="Choose the devices that the language model is shown by their meaning too, not only by their "
        "names. Needs up to 200 MB of memory once a model is asked.",
    )
    ha_assist_queue: int = Field(
        8,
        ge=1,
        le=64,
        title="Queue",
        description="How many requests may wait for a language model. All others are told that it is busy.",
    )
    ha_assist_timeout: float = Field(
        180,
        ge=1,
        le=3600,
        title="Time limit",
        description="A request to a language model is given up after this many seconds.",
    )


class Vlm(Section):
    """A vision model on the Hailo device."""

    enabled: bool = Field(False, title="Enabled", description="Load a vision model on the Hailo device.")
    model: OptionalName = Field(None, title="Model", description="The name of the model, such as Qwen2-VL-2B-Instruct.")
    path: OptionalName = Field(
        None,
        title="File",
        description="Where the .hef file is. Empty: it is downloaded once, if HA-Assist knows the model.",
    )


class HailoLlm(Section):
    """A text model on the Hailo device."""

    enabled: bool = Field(
        False,
        title="Enabled",
        description="Load a text model on the Hailo device. It does not fit there beside a vision model (HailoRT 5.4).",
    )
    model: OptionalName = Field(None, title="Model", description="The name of the model, such as Qwen3-1.7B-Instruct.")
    path: OptionalName = Field(
        None,
        title="File",
        description="Where the .hef file is. Empty: it is downloaded once, if HA-Assist knows the model.",
    )


class Gemma(Section):
    """Gemma on the processor, through LiteRT."""

    enabled: bool = Field(
        False,
        title="Enabled",
        description="Load Gemma on the processor. It needs about 3 GB of memory and no accelerator.",
    )
    model: Name = Field("gemma-4-E2B-it", title="Model", description="The name of the model.")
    max_input_tokens: int = Field(
        4096,
        ge=512,
        le=16384,
        title="Longest request",
        description="In tokens. A higher value fits longer conversations, but costs memory and time.",
    )
    path: OptionalName = Field(
        None, title="File", description="Where the .litertlm file is. Empty: it is downloaded once."
    )
    threads: int | None = Field(
        None, ge=1, le=64, title="Threads", description="How many processor threads are used. Empty: automatic."
    )


class Upstream(Section):
    """A server elsewhere that speaks OpenAI's language: llama.cpp, Ollama, vLLM and others."""

    enabled: bool = Field(False, title="Enabled", description="Use a language model on another server.")
    base_url: OptionalUrl = Field(
        None, title="Address", description="The address of the server, such as http://192.168.1.20:8080/v1."
    )
    api_key: OptionalSecret = Field(None, title="Key", description="The server's key, if it asks for one.")
    model: OptionalName = Field(
        None, title="Model", description="The name of the model on the server. “Test” gives you a list to choose from."
    )
    timeout: float = Field(
        180,
        ge=1,
        le=3600,
        title="Time limit",
        description="A request to the server is given up after this many seconds.",
    )
    context_tokens: int | None = Field(
        None,
        ge=512,
        le=1048576,
        title="Context",
        description="How many tokens the model holds, request and answer together. Empty: the server is asked.",
    )
    tool_form: Literal["auto", "native", "json", "text"] = Field(
        "auto",
        title="Format for actions",
        description="How the model is asked for actions: “json” prescribes a fixed format, “native” uses the server's "
        "own tool calls, “text” asks in words. “auto” chooses what suits the server.",
    )


class Models(Section):
    """The language models; several may be enabled, but a request is never passed from one to another."""

    vlm: Vlm = Field(Vlm(), title="Hailo vision model")
    hailo_llm: HailoLlm = Field(HailoLlm(), title="Hailo text model")
    gemma: Gemma = Field(Gemma(), title="Gemma on the processor")
    upstream: Upstream = Field(Upstream(), title="Another server")


class Diagnostics(Section):
    """What is kept of the requests, for the panel."""

    keep_texts: bool = Field(
        True,
        title="Store texts",
        description="Store what was said and answered. Otherwise only times and results are stored.",
    )
    keep_prompts: bool = Field(
        False,
        title="Store prompts",
        description="Also store what the language model was asked and what it answered. Helps to find faults, but "
        "tells a lot about your home.",
    )
    keep_requests: bool = Field(
        True,
        title="Store requests for trying again",
        description="Store the newest 500 sentences together with the list of devices that Home Assistant sent, so "
        "that you can try them again and share them. Otherwise this works for the latest 20 requests only.",
    )
    keep_days: int = Field(7, ge=1, le=365, title="Days", description="How many days a request stays stored.")
    keep_count: int = Field(
        5000, ge=100, le=100000, title="Requests", description="How many requests are stored at most."
    )


class Settings(Section):
    """The whole of settings.yaml."""

    settings: Assist = Field(Assist(), title="HA-Assist")
    models: Models = Field(Models(), title="Models")
    diagnostics: Diagnostics = Field(Diagnostics(), title="Diagnostics")
