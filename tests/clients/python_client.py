"""Holds the script's conversations with the openai Python client, which refuses answers that break the API's schema."""

from __future__ import annotations

import json
from typing import Any

from openai import APIStatusError, AsyncOpenAI

Told = dict[str, Any]
"""What came of one step: `{text, calls}`, or `{error}`."""


async def hold(client: AsyncOpenAI, script: list[dict[str, Any]], api: str, *, stream: bool) -> list[list[Told]]:
    """All conversations of the script, each told step by step."""
    talk = _Chat if api == "chat" else _Responses
    return [await _conversation(talk(client, conversation, stream), conversation) for conversation in script]


async def _conversation(talk: _Chat | _Responses, conversation: dict[str, Any]) -> list[Told]:
    told: list[Told] = []
    for step in conversation["steps"]:
        if step["say"] is not None:
            talk.say(step["say"])
        else:
            talk.answer_calls(json.dumps(step["result"]))
        try:
            told.append(await talk.ask())
        except APIStatusError as error:
            told.append({"error": [error.status_code, error.code]})
    return told


class _Chat:
    def __init__(self, client: AsyncOpenAI, conversation: dict[str, Any], stream: bool) -> None:
        self._client = client
        self._stream = stream
        self._messages: list[Any] = []
        self._options: dict[str, Any] = {"model": conversation["model"], **conversation["options"]}
        if conversation["system"]:
            self._messages.append({"role": "system", "content": conversation["system"]})
        if conversation["functions"]:
            self._options["tools"] = [{"type": "function", "function": f} for f in conversation["functions"]]
        if conversation["format"]:
            form = {"name": "answer", "schema": conversation["format"], "strict": True}
            self._options["response_format"] = {"type": "json_schema", "json_schema": form}

    def say(self, sentence: str) -> None:
        self._messages.append({"role": "user", "content": sentence})

    def answer_calls(self, result: str) -> None:
        for call in self._messages[-1]["tool_calls"]:
            self._messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})

    async def ask(self) -> Told:
        chat = self._client.chat.completions
        if self._stream:
            async with chat.stream(messages=self._messages, **self._options) as stream:
                completion: Any = await stream.get_final_completion()
        else:
            completion = await chat.create(messages=self._messages, **self._options)
        message = completion.choices[0].message
        calls = [call.function for call in message.tool_calls or ()]
        assert completion.choices[0].finish_reason == ("tool_calls" if calls else "stop")
        self._messages.append(message.to_dict())
        return {"text": message.content or "", "calls": [[call.name, json.loads(call.arguments)] for call in calls]}


class _Responses:
    def __init__(self, client: AsyncOpenAI, conversation: dict[str, Any], stream: bool) -> None:
        self._client = client
        self._stream = stream
        self._items: list[Any] = []
        self._options: dict[str, Any] = {"model": conversation["model"], "store": False, **conversation["options"]}
        if conversation["system"]:
            self._options["instructions"] = conversation["system"]
        if conversation["functions"]:
            self._options["tools"] = [{"type": "function", "strict": False, **f} for f in conversation["functions"]]
        if conversation["format"]:
            form = {"type": "json_schema", "name": "answer", "schema": conversation["format"], "strict": True}
            self._options["text"] = {"format": form}

    def say(self, sentence: str) -> None:
        self._items.append({"role": "user", "content": sentence})

    def answer_calls(self, result: str) -> None:
        called = [item["call_id"] for item in self._items if item.get("type") == "function_call"]
        answered = {item["call_id"] for item in self._items if item.get("type") == "function_call_output"}
        for call_id in called:
            if call_id not in answered:
                self._items.append({"type": "function_call_output", "call_id": call_id, "output": result})

    async def ask(self) -> Told:
        api = self._client.responses
        if self._stream:
            async with api.stream(input=self._items, **self._options) as stream:
                response: Any = await stream.get_final_response()
        else:
            response = await api.create(input=self._items, **self._options)
        assert response.status == "completed"
        self._items += [item.to_dict() for item in response.output]
        calls = [item for item in response.output if item.type == "function_call"]
        return {"text": response.output_text, "calls": [[call.name, json.loads(call.arguments)] for call in calls]}
