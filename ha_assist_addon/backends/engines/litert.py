"""LiteRT-LM: Gemma and others on the processor."""

from __future__ import annotations

import base64
import secrets
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any
from uuid import uuid4

from ...conversation import JsonObject, Message, Role, ToolCall
from ..messages import Generate, Loaded, Sampling
from . import images
from .base import Ended, EngineError, EngineSpec, Options, Output, answer_limit
from .plain import plain_messages
from .schema import MARK, constraint

TOP_K = 40
PROBE_SECONDS = 20.0
IMAGE_TOKENS = 280
"""What one picture takes of the context of Gemma 3 and 4: at most 256 soft tokens and their frame."""
DAMAGED = "The language model's file cannot be loaded: it is damaged, or made for another version of LiteRT."
NOT_HERE = "LiteRT, which runs this language model, is not installed or does not work on this machine."


def litert(*, cache_dir: str, context_tokens: int, threads: int | None = None) -> EngineSpec:
    """The engine for a `.litertlm` file; it keeps compiled parts of the model in `cache_dir`."""
    options: Options = {"cache_dir": cache_dir, "context_tokens": context_tokens, "threads": threads}
    return EngineSpec(f"{__name__}:LiteRtEngine", options)


class LiteRtEngine:
    """One `.litertlm` file; each request is a conversation of its own."""

    counts_beside = True
    stop_tokens: tuple[str, ...] = ("<end_of_turn>", "<turn|>", "<|im_end|>", "<eos>", "</s>")

    def __init__(self, path: str, *, cache_dir: str, context_tokens: int, threads: int | None = None) -> None:
        try:
            import litert_lm  # noqa: PLC0415 - 130 MB that only this process needs
        except (ImportError, OSError) as error:
            raise EngineError(NOT_HERE, "not_ready", lasting=True) from error
        self._litert: Any = litert_lm
        litert_lm.set_min_log_severity(litert_lm.LogSeverity.ERROR)
        self._running: Any = None
        self._guard = threading.Lock()
        Path(cache_dir).mkdir(parents=True, exist_ok=True)
        try:
            with litert_lm.ModelInfo(path) as info:
                if info.llm is None:
                    raise EngineError("This file holds no language model.", "not_ready", lasting=True)
                most, vision = info.max_context_tokens, info.input_modalities.vision
                self._can_think = info.llm.supports_thinking()
            context = min(context_tokens, most) if most > 0 else context_tokens
            self._engine, vision = self._open(path, cache_dir, context, threads, vision=vision)
        except (RuntimeError, OSError) as error:
            raise EngineError(DAMAGED, "not_ready", lasting=True) from error
        self._context = context
        self._native_tools = self._template_shows_tools()
        spaces = self._constrained_space()
        self._marked = spaces == " "
        self.loaded = Loaded(
            context,
            images=vision,
            constrains=spaces is not None,
            facts={"Runtime": f"LiteRT-LM {version('litert-lm-api')}", "Context": f"{context} tokens"},
        )

    def count(self, texts: Sequence[str]) -> tuple[int, ...]:
        """Tokens of each text."""
        return tuple(len(self._engine.tokenize(text)) if text else 0 for text in texts)

    def generate(self, job: Generate, output: Output) -> Ended:
        """Answer once; a schema that the runtime cannot hold to is left out, for whoever asked validates anyway."""
        *before, last = self._messages(job)
        held = job.schema if self.loaded.constrains else None
        with self._as_running(self._conversation(job, before, constrain=held is not None)) as conversation:
            prompt = self._prompt_tokens(conversation, last, job)
            limit = answer_limit(prompt, self._context, job.max_tokens)
            stream = self._send(conversation, last, limit, held)
            first = self._first(stream)
            if isinstance(first, RuntimeError) and held is not None and "stream failed" in str(first):
                first = self._first(stream := self._send(conversation, last, limit, None))
            if isinstance(first, RuntimeError):
                raise _error(first)
            pieces = 0
            try:
                while first is not None:
                    pieces += 1
                    if pieces <= limit:
                        self._pass_on(first, output)
                    if not output.wanted or pieces >= limit:
                        self.cancel()
                    first = next(stream, None)
                made = max(pieces, conversation.token_count - prompt)
            except RuntimeError as error:
                raise _error(error) from error
        return Ended("length" if made >= limit else "stop", prompt, min(made, limit))

    def cancel(self) -> None:
        """End the running generation; its stream then ends by itself."""
        with self._guard:
            if self._running is not None:
                self._running.cancel_process()

    def close(self) -> None:
        """Release the model."""
        self._engine.close()

    def _open(self, path: str, cache: str, context: int, threads: int | None, *, vision: bool) -> tuple[Any, bool]:
        processor = self._litert.Backend.CPU(thread_count=threads)
        options = {"backend": processor, "max_num_tokens": context, "cache_dir": cache}
        if vision:
            try:
                return self._litert.Engine(path, **options, vision_backend=processor), True
            except RuntimeError:
                pass  # A file may announce a vision part that this runtime cannot run; its text part still can.
        return self._litert.Engine(path, **options), False

    def _conversation(self, job: Generate, before: list[Any], *, constrain: bool) -> Any:
        options: dict[str, Any] = {}
        if constrain:
            provider = self._litert.LiteRtLmConstraintProviderType.LL_GUIDANCE
            options["constrained_decoding_config"] = self._litert.ConstrainedDecodingConfig(True, provider)
        if self._can_think:
            # With a schema the runtime fails if the model may think.
            options["thinking_config"] = self._litert.ThinkingConfig(enable_thinking=False)
        if job.tools and self._native_tools:
            options["tools"] = [_offer(self._litert, tool) for tool in job.tools]
        options |= {"messages": before, "automatic_tool_calling": False, "sampler_config": self._sampler(job.sampling)}
        return self._create(**options)

    def _prompt_tokens(self, conversation: Any, last: Any, job: Generate) -> int:
        rendered = conversation.render_message_to_string(last)
        if not rendered:
            raise EngineError("The language model cannot read this conversation.")
        pictures = sum(len(message.images) for message in job.messages)
        return len(self._engine.tokenize(rendered)) + 1 + pictures * IMAGE_TOKENS

    def _create(self, **options: Any) -> Any:
        try:
            return self._engine.create_conversation(**options)
        except RuntimeError as error:
            raise EngineError("The language model cannot read this conversation.") from error

    def _send(self, conversation: Any, last: Any, limit: int, schema: JsonObject | None) -> Iterator[Any]:
        form = None
        if schema is not None:
            form = self._litert.ResponseFormat.json(constraint(schema, marked=self._marked))
        return iter(conversation.send_message_async(last, max_output_tokens=limit, response_format=form))

    def _first(self, stream: Iterator[Any]) -> Any:
        """The first message, None where there is none; an error of the runtime is returned."""
        try:
            return next(stream, None)
        except RuntimeError as error:
            return error

    def _pass_on(self, message: Any, output: Output) -> None:
        output.write("".join(part.text for part in message.contents if isinstance(part, self._litert.Content.Text)))
        calls = [ToolCall(call.id or f"call_{uuid4().hex}", call.name, call.arguments) for call in message.tool_calls]
        if calls:
            output.call(calls)

    @contextmanager
    def _as_running(self, conversation: Any) -> Iterator[Any]:
        with self._guard:
            self._running = conversation
        try:
            yield conversation
        finally:
            with self._guard:
                self._running = None
            # Closing a conversation that still runs is not safe, cancelling one that has ended is.
            conversation.cancel_process()
            conversation.close()

    def _sampler(self, sampling: Sampling) -> Any:
        if not sampling.temperature:
            return self._litert.SamplerConfig(top_k=1, top_p=1.0, temperature=1.0, seed=0)
        seed = sampling.seed if sampling.seed is not None else secrets.randbelow(2**31)
        top_p = sampling.top_p if sampling.top_p is not None else 0.95
        return self._litert.SamplerConfig(top_k=TOP_K, top_p=top_p, temperature=sampling.temperature, seed=seed % 2**31)

    def _messages(self, job: Generate) -> list[dict[str, Any]]:
        if self._native_tools:
            return _native_messages(job.messages)
        plain = plain_messages(job.messages, job.tools)
        return [{"role": role, "content": _content(text, urls)} for role, text, urls in plain]

    def _template_shows_tools(self) -> bool:
        """Whether the model's own template writes tools, calls and results into the prompt."""
        tool = {"name": "probe_offer", "description": "", "parameters": {"type": "object", "properties": {}}}
        call = ToolCall("1", "probe_call", {})
        *before, last = _native_messages(
            (
                Message(Role.USER, "a"),
                Message(Role.ASSISTANT, tool_calls=(call,)),
                Message(Role.TOOL, "probe_result", tool_call_id="1"),
            )
        )
        try:
            with self._engine.create_conversation(
                messages=before, tools=[_offer(self._litert, tool)], automatic_tool_calling=False
            ) as conversation:
                prompt = conversation.render_message_to_string(last)
        except RuntimeError:
            return False
        return all(word in prompt for word in ("probe_offer", "probe_call", "probe_result"))

    def _constrained_space(self) -> str | None:
        """What the grammar must be given for a space, tried out once; None where nothing can be held to a form."""
        form = self._litert.ResponseFormat.regex(f"a{MARK}b")
        probe = Generate("", ())
        alarm = threading.Timer(PROBE_SECONDS, self.cancel)
        try:
            with self._as_running(self._conversation(probe, [], constrain=True)) as conversation:
                alarm.start()
                stream = conversation.send_message_async("a", max_output_tokens=8, response_format=form)
                text = "".join(str(message.contents) for message in stream)
        except (RuntimeError, EngineError):
            return None
        finally:
            alarm.cancel()
        return {"a b": " ", f"a{MARK}b": MARK}.get(text)


def _offer(litert_lm: Any, tool: Any) -> Any:
    class Offered(litert_lm.Tool):  # type: ignore[misc]
        def get_tool_description(self) -> dict[str, Any]:
            return {"type": "function", "function": dict(tool)}

        def execute(self, param: Any) -> Any:
            raise NotImplementedError

    return Offered()


def _native_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    names = {call.id: call.name for message in messages for call in message.tool_calls}
    return [_native(message, names) for message in messages]


def _native(message: Message, names: dict[str, str]) -> dict[str, Any]:
    if message.role is Role.TOOL:
        name = names.get(message.tool_call_id or "", "")
        content = [{"type": "tool_response", "name": name, "response": message.text}]
        return {"role": "tool", "content": content}
    shape: dict[str, Any] = {"role": str(message.role), "content": _content(message.text, message.images)}
    if message.tool_calls:
        shape["tool_calls"] = [
            {"type": "function", "id": call.id, "function": {"name": call.name, "arguments": dict(call.arguments)}}
            for call in message.tool_calls
        ]
    return shape


def _content(text: str, urls: Sequence[str]) -> list[dict[str, Any]]:
    pictures = [{"type": "image", "blob": base64.b64encode(images.png(url)).decode()} for url in urls]
    return [*pictures, {"type": "text", "text": text}]


def _error(error: RuntimeError) -> EngineError:
    if "too long" in str(error):
        return EngineError("This request is too long for the language model.", "context_length")
    return EngineError("The language model could not answer.")
