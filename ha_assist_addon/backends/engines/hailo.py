"""HailoRT's language and vision models on a Hailo-10H. Written from its sources; it has not run on hardware."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from jinja2 import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from ..hailo_device import DeviceReport, DeviceState, library_version, look, meaning
from ..messages import Generate, Loaded, Sampling
from .base import Ended, EngineError, EngineSpec, Output, answer_limit
from .images import frame
from .plain import plain_messages

READ_MILLISECONDS = 60_000
"""Reading a prompt outlasts HailoRT's own 10 seconds."""
INVALID_OPERATION, NOT_CONNECTED = 6, 96
NAMED = {"HailoRTTimeout": 4, "HailoRTInvalidOperationException": INVALID_OPERATION, "HailoRTInvalidHEFException": 26}
"""Exceptions whose text bears no number."""
NO_THINKING = "/no_think"
"""What keeps Qwen3 from thinking aloud in its short context: the runtime passes no arguments on to its template."""
PATCH_PIXELS = 28 * 28
"""What Qwen2-VL makes one token of."""

Plain = list[tuple[str, str, tuple[str, ...]]]


def hailo_llm(*, device_root: str = "/") -> EngineSpec:
    """The engine for the HEF file of a text model."""
    return EngineSpec(f"{__name__}:HailoEngine", {"vision": False, "device_root": device_root})


def hailo_vlm(*, device_root: str = "/") -> EngineSpec:
    """The engine for the HEF file of a vision model."""
    return EngineSpec(f"{__name__}:HailoEngine", {"vision": True, "device_root": device_root})


class HailoEngine:
    """One HEF file on the device; its bindings hold the interpreter, so that only `Output.wanted` can cancel."""

    counts_beside = False

    def __init__(self, path: str, *, vision: bool, device_root: str = "/") -> None:
        # What can be seen without the library comes first: a driver that is missing explains a library that fails.
        seen = look(library_version(), Path(device_root))
        if seen.state is not DeviceState.READY:
            _refuse(seen)
        try:
            import hailo_platform  # noqa: PLC0415 - on no index; there only where a device is
            from hailo_platform.genai import LLM, VLM  # noqa: PLC0415
        except Exception as error:
            raise EngineError(
                "HailoRT's Python package is installed, but cannot be loaded on this machine.",
                "not_ready",
                lasting=True,
                facts=seen.facts,
            ) from error
        self._seen = seen
        self._error: type[Exception] = hailo_platform.HailoRTException
        self._vision = vision
        with self._opening():
            params = hailo_platform.VDevice.create_params()
            params.group_id = "SHARED"
            self._device = hailo_platform.VDevice(params)
            try:
                self._model: Any = VLM(self._device, path) if vision else LLM(self._device, path)
            except self._error:
                self._device.release()
                raise
            self._context = int(self._model.max_context_capacity())
            ends = [*self._model.get_stop_tokens(), self._model.get_generation_recovery_sequence()]
            template = self._model.prompt_template()
            self._template = self._compile(template)
            self._thinks = bool(template) and "enable_thinking" in template
            self._shape: tuple[int, int, int] = tuple(self._model.input_frame_shape()) if vision else (0, 0, 0)
        self.stop_tokens = tuple(end for end in ends if end)
        self.loaded = Loaded(self._context, images=vision, facts={**seen.facts, "Context": f"{self._context} tokens"})

    def count(self, texts: Sequence[str]) -> tuple[int, ...]:
        """Tokens of each text."""
        with self._using():
            return tuple(len(self._model.tokenize(text)) if text else 0 for text in texts)

    def generate(self, job: Generate, output: Output) -> Ended:
        """Answer once, from an empty context: it would slide without a word where it is full."""
        plain = plain_messages(job.messages, job.tools)
        if self._thinks and plain:
            role, text, pictures = plain[-1]
            plain[-1] = role, f"{text} {NO_THINKING}", pictures
        urls = [url for _, _, pictures in plain for url in pictures]
        height, width, _ = self._shape
        frames = [frame(url, height, width) for url in urls]
        with self._using():
            prompt = self._prompt_tokens(plain) + len(frames) * -(-height * width // PATCH_PIXELS)
            limit = answer_limit(prompt, self._context, job.max_tokens)
            self._model.clear_context()
            options = {"max_generated_tokens": limit, **_sampling(job.sampling)}
            if self._vision:
                completion = self._model.generate(_with_parts(plain), frames, **options)
            else:
                completion = self._model.generate([{"role": r, "content": t} for r, t, _ in plain], **options)
            made, full = 0, False
            # Leaving the completion while it generates aborts it.
            with completion:
                while output.wanted and (piece := self._read(completion)) is not None:
                    made += 1
                    output.write(piece)
                # Nobody waits for the rest of the recovery sequence that follows an answer which was cut off.
                full = made >= limit or completion.generation_status.name == "MAX_TOKENS_REACHED"
        return Ended("length" if full else "stop", prompt, min(made, limit))

    def cancel(self) -> None:
        """Nothing: the loop over tokens looks itself."""

    def close(self) -> None:
        """Release model and device."""
        self._model.release()
        self._device.release()

    def _read(self, completion: Any) -> str | None:
        """The next piece, None at the end."""
        if completion.generation_status.name != "GENERATING":
            return None
        text: str = completion.read(timeout_ms=READ_MILLISECONDS)
        return text

    def _prompt_tokens(self, plain: Plain) -> int:
        return len(self._model.tokenize(self._render(plain)))

    def _render(self, plain: Plain) -> str:
        messages = _with_parts(plain) if self._vision else [{"role": r, "content": t} for r, t, _ in plain]
        if self._template is not None:
            try:
                return str(self._template.render(messages=messages, add_generation_prompt=True))
            except (TemplateError, TypeError, ValueError):
                pass  # what follows counts a little too much instead
        return "".join(f"<|im_start|>{role}\n{text}<|im_end|>\n" for role, text, _ in plain) + "<|im_start|>assistant\n"

    def _compile(self, template: str) -> Any:
        environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
        try:
            return environment.from_string(template) if template else None
        except TemplateError:
            return None

    @contextmanager
    def _opening(self) -> Iterator[None]:
        try:
            yield
        except self._error as error:
            _refuse(meaning(_number(error), self._seen), error)

    @contextmanager
    def _using(self) -> Iterator[None]:
        """After an error of the device the process ends: only a fresh one is known to be sound."""
        try:
            yield
        except self._error as error:
            number = _number(error)
            # What a constructor gets from a taken device, a running model gets from a lost one.
            report = meaning(NOT_CONNECTED if number == INVALID_OPERATION else number, self._seen)
            raise EngineError(report.sentence, broken=True, facts=report.facts) from error


def _sampling(sampling: Sampling) -> dict[str, Any]:
    if not sampling.temperature:
        return {"do_sample": False}
    chosen = {"temperature": sampling.temperature, "top_p": sampling.top_p, "seed": sampling.seed}
    return {"do_sample": True} | {name: value for name, value in chosen.items() if value is not None}


def _with_parts(plain: Plain) -> list[dict[str, Any]]:
    return [
        {"role": role, "content": [*[{"type": "image"}] * len(pictures), {"type": "text", "text": text}]}
        for role, text, pictures in plain
    ]


def _number(error: Exception) -> int:
    """HailoRT's status number, 0 where the exception does not tell."""
    named = NAMED.get(type(error).__name__)
    found = re.search(r"\d+", str(error))
    return named if named is not None else int(found[0]) if found else 0


def _refuse(report: DeviceReport, cause: Exception | None = None) -> NoReturn:
    lasting = report.state in {DeviceState.NO_LIBRARY, DeviceState.VERSIONS_DIFFER, DeviceState.WRONG_HEF}
    raise EngineError(report.sentence, "not_ready", lasting=lasting, facts=report.facts) from cause
