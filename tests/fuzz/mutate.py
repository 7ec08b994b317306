"""Makes one bad request of a good one: in its structure, in its prompt, in its tools, in its images, in its bytes."""

from __future__ import annotations

import copy
import gzip
import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.fuzz.hostile import TEXTS, VALUES, YAML_LISTS, images, trap_schemas
from tests.fuzz.seeds import DIAGNOSE, Seed

_LIST = re.compile(r"(?ms)^(Static Context:[^\n]*\n).*?(?=^\S(?<!-)|\Z)")


@dataclass(frozen=True, slots=True)
class Input:
    """One request as it goes over the wire, and how it came about."""

    path: str
    raw: bytes
    headers: Mapping[str, str]
    how: str
    body: Any = None
    """What it says, None where its bytes were broken."""


class Mutator:
    """Draws inputs; the same number gives the same input."""

    def __init__(self, seeds: Sequence[Seed], trap_url: str) -> None:
        self._seeds = seeds
        self._schemas = trap_schemas(trap_url)

    def draw(self, number: int) -> Input:
        """The input of this number."""
        rng = random.Random(number)
        seed = rng.choice(self._seeds)
        body = copy.deepcopy(dict(seed.body))
        done = []
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            change = rng.choices(_CHANGES, _WEIGHTS)[0]
            done.append(f"{change.__name__.strip('_')}{change(self, body, rng) or ''}")
        if rng.random() < 0.2:
            body["stream"] = not body.get("stream")
        path = DIAGNOSE if seed.path != DIAGNOSE and rng.random() < 0.1 else seed.path
        raw = json.dumps(body).encode()
        if rng.random() < 0.12:
            raw, headers, how = _broken(raw, rng)
            return Input(path, raw, headers, f"{number}: {', '.join(done)}, {how}")
        return Input(path, raw, {}, f"{number}: {', '.join(done)}", body)

    def _replace(self, body: dict[str, Any], rng: random.Random) -> str:
        holder, key = _any_place(body, rng)
        holder[key] = copy.deepcopy(rng.choice(VALUES))
        return f" {key!r:.40}"

    def _say(self, body: dict[str, Any], rng: random.Random) -> None:
        holder, key = _any_text(body, rng)
        text, said = rng.choice(TEXTS), str(holder[key])
        holder[key] = rng.choice((text, said + text, text + said, said.replace(" ", f" {text[:200]} ", 2)))

    def _remove(self, body: dict[str, Any], rng: random.Random) -> str:
        holder, key = _any_place(body, rng)
        del holder[key]
        return f" {key!r:.40}"

    def _repeat(self, body: dict[str, Any], rng: random.Random) -> None:
        lists = [holder[key] for holder, key in _places(body) if isinstance(holder[key], list) and holder[key]]
        if lists:
            chosen = rng.choice(lists)
            chosen.extend(copy.deepcopy([rng.choice(chosen)] * rng.choice((1, 3, 200))))

    def _nest(self, body: dict[str, Any], rng: random.Random) -> None:
        holder, key = _any_place(body, rng)
        value = holder[key]
        for _ in range(rng.choice((5, 80, 99, 300))):
            value = [value] if rng.random() < 0.5 else {"a": value}
        holder[key] = value

    def _move(self, body: dict[str, Any], rng: random.Random) -> None:
        (one, key), (other, where) = _any_place(body, rng), _any_place(body, rng)
        one[key], other[where] = copy.deepcopy(other[where]), copy.deepcopy(one[key])

    def _home(self, body: dict[str, Any], rng: random.Random) -> None:
        block, keep = rng.choice(YAML_LISTS), rng.random() < 0.5
        for holder, key in _places(body):
            value = holder[key]
            if isinstance(value, str) and (found := _LIST.search(value)) is not None:
                end = found.end() if keep else found.end(1)
                holder[key] = value[:end] + block + value[found.end() :]

    def _result(self, body: dict[str, Any], rng: random.Random) -> None:
        content = "Live Context: An overview\n" + rng.choice(YAML_LISTS)
        wrapped = rng.choice((content, json.dumps({"success": True, "result": content}), "[" * 900 + "]" * 900))
        for message in _dicts(body.get("messages")) + _dicts(body.get("input")):
            if message.get("role") == "tool":
                message["content"] = wrapped
            elif message.get("type") == "function_call_output":
                message["output"] = wrapped

    def _schema(self, body: dict[str, Any], rng: random.Random) -> None:
        schema = rng.choice(self._schemas)
        for tool in _dicts(body.get("tools")):
            function = tool.get("function", tool)
            if isinstance(function, dict) and rng.random() < 0.7:
                function["parameters"] = copy.deepcopy(schema)

    def _many_tools(self, body: dict[str, Any], rng: random.Random) -> None:
        tools = _dicts(body.get("tools"))
        if tools:
            for number in range(200):
                tool = copy.deepcopy(rng.choice(tools))
                function = tool.get("function", tool)
                if isinstance(function, dict):
                    function["name"] = f"script__trap_{number}" if rng.random() < 0.5 else function.get("name")
                    function["parameters"] = copy.deepcopy(rng.choice(self._schemas))
                body["tools"].append(tool)

    def _picture(self, body: dict[str, Any], rng: random.Random) -> None:
        url = rng.choice(images())
        for message in _dicts(body.get("messages")):
            if message.get("role") == "user":
                message["content"] = [{"type": "image_url", "image_url": {"url": url}}, {"type": "text", "text": "?"}]
        for item in _dicts(body.get("input")):
            if item.get("role") == "user":
                item["content"] = [{"type": "input_image", "image_url": url}]

    def _form(self, body: dict[str, Any], rng: random.Random) -> None:
        schema = copy.deepcopy(rng.choice(self._schemas))
        body["response_format"] = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
        body["text"] = {"format": {"type": "json_schema", "name": "x", "schema": schema}}

    def _context(self, body: dict[str, Any], rng: random.Random) -> None:
        told = {"name": "Desk Lamp", "domain": "light", "state": "on", "attributes": {"a": [{}]}, "members": ["x"]}
        context = {"language": "en", "satellite": {"area": "Office"}, "entities": [told] * rng.choice((1, 1000))}
        holder, key = rng.choice(_places(context))
        holder[key] = copy.deepcopy(rng.choice((*VALUES, *TEXTS)))
        body["ha_context"] = context


_Change = Callable[[Mutator, dict[str, Any], random.Random], "str | None"]
_M = Mutator
_TABLE: Mapping[_Change, int] = {
    _M._replace: 6,
    _M._say: 5,
    _M._remove: 3,
    _M._repeat: 2,
    _M._nest: 2,
    _M._move: 3,
    _M._home: 5,
    _M._result: 2,
    _M._schema: 4,
    _M._many_tools: 1,
    _M._picture: 2,
    _M._form: 2,
    _M._context: 2,
}
_CHANGES, _WEIGHTS = list(_TABLE), list(_TABLE.values())


def _broken(raw: bytes, rng: random.Random) -> tuple[bytes, dict[str, str], str]:
    """The bytes cut, flipped, packed or called something else."""
    at = rng.randrange(len(raw) + 1)
    match rng.randrange(8):
        case 0:
            return raw[:at], {}, "cut"
        case 1:
            return raw[:at] + rng.randbytes(rng.choice((1, 4, 64))) + raw[at:], {}, "bytes inserted"
        case 2:
            return raw[:at] + bytes([raw[at - 1] ^ (1 << rng.randrange(8))]) + raw[at + 1 :], {}, "a bit flipped"
        case 3:
            return raw.replace(b'"content"', b'"content": NaN, "content"', 1), {}, "NaN"
        case 4:
            return b"[" * 100_000, {}, "deep"
        case 5:
            return gzip.compress(b" " * 20_000_000), {"Content-Encoding": "gzip"}, "packed bomb"
        case 6:
            return raw.decode().encode("utf-16"), {"Content-Type": "application/json; charset=utf-16"}, "utf-16"
        case _:
            return raw.replace(b"Lamp", b"\\ud800\\u0000", 3), {}, "half a surrogate"


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a value that can be changed, as its holder and its key."""
    found: list[tuple[Any, Any]] = []
    level = [value]
    while level:
        holder = level.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            found.append((holder, key))
            if isinstance(holder[key], (dict, list)):
                level.append(holder[key])
    return found or [({"x": 1}, "x")]


def _any_place(body: dict[str, Any], rng: random.Random) -> tuple[Any, Any]:
    """Half of the time outside of the tools, which are most of a request."""
    if rng.random() < 0.5:
        body = {key: value for key, value in body.items() if key != "tools"}
        inner = [place for place in _places(body) if place[0] is not body]
        if inner:
            return rng.choice(inner)
    return rng.choice(_places(body))


def _any_text(body: dict[str, Any], rng: random.Random) -> tuple[Any, Any]:
    """Half of the time what somebody said or a name, else any text."""
    said = [
        (message, "content")
        for message in _dicts(body.get("messages")) + _dicts(body.get("input"))
        if isinstance(message.get("content"), str)
    ]
    texts = [(holder, key) for holder, key in _places(body) if isinstance(holder[key], str)]
    return rng.choice(said if said and rng.random() < 0.5 else texts or [({"x": ""}, "x")])


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
