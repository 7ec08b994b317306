"""What server stands behind an upstream address: asked once in a while, never a condition for using it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp

from .base import ToolForm

OLLAMA_CONTEXT = 4096
"""What Ollama gives a model that does not ask for more; it cuts a longer prompt in silence."""
HAILO_CONTEXT = 2048
_LONGEST_ANSWER = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ServerKind:
    """A server and its model; `context_tokens` and `images` are None where it does not tell.

    `tokenize` is the path that counts tokens, `quiet` what keeps a model from thinking aloud.
    """

    name: str = ""
    form: ToolForm = ToolForm.NATIVE
    context_tokens: int | None = None
    images: bool | None = None
    tokenize: str | None = None
    quiet: tuple[tuple[str, Any], ...] = ()
    slots: int | None = None
    """How many generations it has room for at once, where it says so."""


UNKNOWN = ServerKind()
_NO_THINKING = (("chat_template_kwargs", {"enable_thinking": False}),)


class ServerLook:
    """Looks at one server; every answer may be missing or odd."""

    def __init__(
        self, client: aiohttp.ClientSession, base_url: str, headers: Mapping[str, str], seconds: float
    ) -> None:
        self._client = client
        self._base = base_url
        self._root = re.sub(r"/v\d+$", "", base_url)
        self._headers = headers
        self._timeout = aiohttp.ClientTimeout(total=seconds)

    async def kind(self, model: str) -> ServerKind:
        """The kind of server, `UNKNOWN` where nothing tells."""
        listed, props, show, hailo = await asyncio.gather(
            self._json("GET", f"{self._base}/models"),
            self._json("GET", f"{self._root}/props"),
            self._json("POST", f"{self._root}/api/show", {"model": model}),
            self._json("GET", f"{self._root}/hailo/v1/list"),
        )
        entry = _entry(listed, model)
        owner = entry.get("owned_by")
        if isinstance(props.get("default_generation_settings"), dict):
            return _llama_cpp(props, entry)
        if owner == "llamacpp":
            return _llama_cpp({}, entry)
        if owner == "vllm":
            return ServerKind(
                "vLLM", ToolForm.JSON, _tokens(entry.get("max_model_len")), None, f"{self._root}/tokenize", _NO_THINKING
            )
        if hailo:
            return ServerKind("hailo-ollama", ToolForm.TEXT, HAILO_CONTEXT, False)
        if "model_info" in show or "capabilities" in show:
            return _ollama(show)
        return UNKNOWN

    async def count(self, kind: ServerKind, model: str, text: str) -> int | None:
        """Tokens of a text by the server's tokenizer, None where it does not count."""
        if kind.name == "llama.cpp":
            found = await self._json("POST", f"{self._root}/tokenize", {"content": text, "add_special": True})
            tokens = found.get("tokens")
            return len(tokens) if isinstance(tokens, list) else None
        if kind.tokenize is not None:
            found = await self._json("POST", kind.tokenize, {"model": model, "prompt": text})
            return _tokens(found.get("count"))
        return None

    async def _json(self, method: str, url: str, body: Any = None) -> dict[str, Any]:
        try:
            async with self._client.request(
                method, url, json=body, headers=self._headers, timeout=self._timeout, allow_redirects=False
            ) as response:
                raw = await response.content.read(_LONGEST_ANSWER) if response.ok else b""
                value = json.loads(raw) if raw else {}
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}


def _entry(listed: Mapping[str, Any], model: str) -> dict[str, Any]:
    """The model's own entry of the list, else the first: a server of one model may know it by its file name."""
    data = listed.get("data")
    entries = [entry for entry in data if isinstance(entry, dict)] if isinstance(data, list) else []
    return next((entry for entry in entries if entry.get("id") == model), entries[0] if entries else {})


def _llama_cpp(props: Mapping[str, Any], entry: Mapping[str, Any]) -> ServerKind:
    settings, meta, sees = props.get("default_generation_settings"), entry.get("meta"), props.get("modalities")
    context = _tokens(settings.get("n_ctx")) if isinstance(settings, dict) else None
    context = context or (_tokens(meta.get("n_ctx")) if isinstance(meta, dict) else None)
    images = bool(sees.get("vision")) if isinstance(sees, dict) else None
    slots = _tokens(props.get("total_slots"))
    return ServerKind("llama.cpp", ToolForm.JSON, context, images, None, _NO_THINKING, slots)


def _ollama(show: Mapping[str, Any]) -> ServerKind:
    """A model's own `num_ctx` counts; what the architecture could hold does not."""
    parameters = show.get("parameters")
    set_to = re.search(r"^num_ctx\s+(\d+)", parameters, re.MULTILINE) if isinstance(parameters, str) else None
    able = show.get("capabilities")
    able = able if isinstance(able, list) else []
    return ServerKind(
        "Ollama",
        ToolForm.JSON,
        int(set_to[1]) if set_to else OLLAMA_CONTEXT,
        "vision" in able if able else None,
        None,
        (("reasoning_effort", "none"),) if "thinking" in able else (),
    )


def _tokens(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
