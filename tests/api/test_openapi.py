"""The description of the API is true: what it describes exists, and what exists is described and looks like that."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from aiohttp.hdrs import METH_HEAD
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import BaseModel
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from ha_assist_addon import __version__
from ha_assist_addon.api.app import create_api
from ha_assist_addon.api.openapi import document
from ha_assist_addon.conversation import Finish, TextDelta, Usage
from ha_assist_addon.errors import BackendTimeout, Busy
from ha_assist_addon.trial.dry_run import EXAMPLES
from ha_assist_addon.wire import chat as chat_wire
from ha_assist_addon.wire import responses as responses_wire
from tests.api.test_captures import recorded
from tests.support.house import House, thing
from tests.support.house import body as house_body
from tests.support.scripted import Scripted, call
from tests.support.serving import KEY, Running, running

CHAT, RESPONSES, DIAGNOSE = "/chat/completions", "/responses", "/ha-assist/diagnose"
REQUESTS = {CHAT: "ChatRequest", RESPONSES: "ResponsesRequest", DIAGNOSE: "DiagnoseRequest"}
USER: list[Any] = [{"role": "user", "content": "Turn on the light"}]
REGISTRY = Registry().with_resource("openapi", DRAFT202012.create_resource(document()))


def described(pointer: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"openapi#{pointer}"}, registry=REGISTRY)


def schema(name: str) -> Draft202012Validator:
    return described(f"/components/schemas/{name}")


def answer_schema(path: str, method: str, status: int, content_type: str) -> Draft202012Validator:
    """The schema of an answer, found as a reader of the description would find it."""
    responses = document()["paths"][path][method]["responses"]
    key = next(key for key in (str(status), f"{status // 100}XX") if key in responses)
    pointer = f"/paths/{path.replace('/', '~1')}/{method}/responses/{key}"
    found = responses[key]
    if "$ref" in found:
        pointer = found["$ref"].removeprefix("#")
        found = document()["components"]["responses"][pointer.rsplit("/", 1)[-1]]
    assert content_type in found["content"]
    value = "/properties/data/oneOf/0/contentSchema" if content_type == "text/event-stream" else ""
    return described(f"{pointer}/content/{content_type.replace('/', '~1')}/schema{value}")


def values(text: str, content_type: str) -> Iterator[Any]:
    """The JSON values of an answer: one, or one of each event."""
    if content_type == "application/json":
        yield json.loads(text)
        return
    for line in text.split("\n"):
        if line.startswith("data: ") and line != "data: [DONE]":
            yield json.loads(line.removeprefix("data: "))


async def checked(server: Running, path: str, body: Any, *, valid: bool = True) -> int:
    """Post a body; it and every value of its answer must be as they are described."""
    if valid:
        schema(REQUESTS[path]).validate(body)
    async with server.http.post(server.url + path, data=json.dumps(body).encode()) as response:
        text = await response.text()
    for value in values(text, response.content_type):
        answer_schema(f"/v1{path}", "post", response.status, response.content_type).validate(value)
    return response.status


def every_schema(value: Any, key: str = "") -> Iterator[Any]:
    if isinstance(value, dict):
        if key == "schema" or "$ref" in value:
            yield value
        for name, inner in value.items():
            yield from every_schema(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from every_schema(inner)


def test_every_schema_is_one_and_every_reference_leads_somewhere() -> None:
    for found in document()["components"]["schemas"].values():
        Draft202012Validator.check_schema(found)
    assert (
        tuple(document()["components"]["schemas"]["DiagnoseRequest"]["properties"]["example"]["enum"][:-1]) == EXAMPLES
    )
    for found in every_schema(document()):
        Draft202012Validator.check_schema(found)
        if "$ref" in found:
            REGISTRY.resolver("openapi").lookup(found["$ref"])


async def test_every_route_is_described_and_everything_described_is_a_route(server: Running) -> None:
    app = create_api(server.services, KEY)
    routes = {
        (route.resource.canonical, route.method.lower())
        for route in app.router.routes()
        if route.resource is not None and route.method != METH_HEAD
    }
    versioned = {(path, method) for path, method in routes if path.startswith("/v1/")}
    bare = {(path.removeprefix("/v1"), method) for path, method in versioned}
    assert routes == versioned | bare | {("/health", "get")}, "each path exists with and without /v1"
    assert {(path, method) for path, item in document()["paths"].items() for method in item} == {
        *versioned, ("/health", "get")
    }  # fmt: skip


@pytest.mark.parametrize("path", ["/v1/openapi.json", "/openapi.json"])
async def test_it_is_served_with_the_key(server: Running, path: str) -> None:
    async with server.http.get(f"http://127.0.0.1:{server.port}{path}") as response:
        assert response.content_type == "application/json"
        assert (await response.json())["info"]["version"] == __version__
    async with server.http.get(
        f"http://127.0.0.1:{server.port}{path}", headers={"Authorization": "Bearer x"}
    ) as response:
        assert response.status == 401


def names_of(model: type[BaseModel]) -> set[str]:
    return {field.alias or name for name, field in model.model_fields.items()}


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (chat_wire._Chat, "ChatRequest"),
        (chat_wire._Message, "ChatMessage"),
        (chat_wire._ToolFunction, "Function"),
        (chat_wire._NamedChoice, "NamedTool"),
        (responses_wire._Request, "ResponsesRequest"),
        (responses_wire._Tool, "FlatTool"),
        (responses_wire._NamedChoice, "FlatChoice"),
        (responses_wire._Format, "TextFormat"),
    ],
)
def test_the_fields_that_are_read_are_those_described(model: type[BaseModel], name: str) -> None:
    assert set(document()["components"]["schemas"][name]["properties"]) == names_of(model)


def test_the_example_homes_are_named() -> None:
    fields = document()["components"]["schemas"]["DiagnoseRequest"]["properties"]
    assert fields["example"]["enum"] == [*EXAMPLES, None]


def test_the_fields_that_are_refused_are_named() -> None:
    text = document()["paths"]["/v1/responses"]["post"]["description"]
    assert set(re.findall(r"`(\w+)`", text)) == set(responses_wire.REFUSED)


async def test_gets_look_as_described(server: Running) -> None:
    for path, url, key, status in (
        ("/health", "/health", "x", 200),
        ("/v1/models", "/v1/models", KEY, 200),
        ("/v1/models", "/v1/models", "x", 401),
        ("/v1/models/{model}", "/v1/models/HA-Assist", KEY, 200),
        ("/v1/models/{model}", "/v1/models/a/b", KEY, 404),
        ("/v1/openapi.json", "/v1/openapi.json", KEY, 200),
    ):
        headers = {"Authorization": f"Bearer {key}"}
        async with server.http.get(f"http://127.0.0.1:{server.port}{url}", headers=headers) as response:
            assert response.status == status
            answer_schema(path, "get", status, response.content_type).validate(await response.json())


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(("path", "body"), [(CHAT, {"messages": USER}), (RESPONSES, {"input": "x"})])
async def test_answers_look_as_described(
    server: Running, pipeline: Scripted, path: str, body: dict[str, Any], stream: bool
) -> None:
    request = {"model": "HA-Assist", **body, "stream": stream}
    if path == CHAT:
        request["stream_options"] = {"include_usage": True}
    for steps in (
        (TextDelta("Yes."), Finish("stop", Usage(3, 4))),
        (TextDelta("Yes."), call("A", name="x"), call("B"), Finish("tool_calls")),
        (TextDelta("Ye"), Finish("length")),
        (TextDelta("Ye"), Finish("content_filter")),
    ):
        pipeline.steps = steps
        assert await checked(server, path, request) == 200
    pipeline.steps = (TextDelta("Once"), BackendTimeout())
    assert await checked(server, path, request) == (200 if stream else 504)
    pipeline.steps = (Busy(),)
    assert await checked(server, path, request) == 503
    assert await checked(server, path, {**request, "model": "absent"}) == 404
    assert await checked(server, path, {**request, "temperature": 3}, valid=False) == 400


async def test_recorded_requests_and_their_answers_are_as_described(
    tmp_path: Path, server: Running, shared_dir: Path
) -> None:
    for index, (name, path, body) in enumerate(recorded(shared_dir / "captures")):
        request = {**body, "model": "HA-Assist"}
        assert not list(schema(REQUESTS[path]).iter_errors(request)), name
        if index % 10 == 0:
            assert await checked(server, path, request) == 200, name


HOUSE = House((thing("Desk Lamp", "light", "Office"), thing("Kitchen Light", "light", "Kitchen")))


@pytest.fixture
async def real(tmp_path: Path) -> AsyncIterator[Running]:
    """The real pipeline."""
    async with running(tmp_path, settings="settings:\n  ha_assist_languages: [en]\n") as up:
        yield up


async def test_a_diagnosis_looks_as_described(real: Running) -> None:
    assert await checked(real, DIAGNOSE, house_body(HOUSE, "turn on the desk lamp")) == 200
    assert await checked(real, DIAGNOSE, {"sentence": "turn on the light", "example": "home"}) == 200
    assert await checked(real, DIAGNOSE, {"model": "HA-Assist", "input": "tell me a story"}) == 200
    _, answer, _ = await real.post(house_body(HOUSE, "turn on the desk lamp"))
    assert await checked(real, DIAGNOSE, {"request_id": answer["id"], "sentence": "turn it off"}) == 200
    assert await checked(real, DIAGNOSE, {"request_id": "gone"}) == 404
    assert await checked(real, DIAGNOSE, {"sentence": 5}, valid=False) == 400


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def resolved(found: Mapping[str, Any]) -> Mapping[str, Any]:
    while "$ref" in found:
        rest = {key: value for key, value in found.items() if key != "$ref"}
        found = {**document()["components"]["schemas"][found["$ref"].rsplit("/", 1)[-1]], **rest}
    return found


def fitting(found: Mapping[str, Any], depth: int = 0) -> st.SearchStrategy[Any]:
    """Values that a schema allows, as far as the description uses JSON Schema, and some that it does not."""
    found = resolved(found)
    options = found.get("oneOf") or found.get("anyOf")
    if options:
        base = {key: value for key, value in found.items() if key in {"type", "properties", "required"}}
        return st.one_of([fitting({**base, **resolved(option)}, depth) for option in options])
    if "const" in found:
        return st.just(found["const"])
    if "enum" in found:
        return st.sampled_from(found["enum"])
    kinds = found.get("type", "any")
    return st.one_of([_of_kind(kind, found, depth) for kind in ([kinds] if isinstance(kinds, str) else kinds)])


def _of_kind(kind: str, found: Mapping[str, Any], depth: int) -> st.SearchStrategy[Any]:
    match kind:
        case "null":
            return st.none()
        case "boolean":
            return st.booleans()
        case "integer":
            return st.integers(found.get("minimum"), found.get("maximum"))
        case "number":
            return st.floats(found.get("minimum"), found.get("maximum"), allow_nan=False, allow_infinity=False)
        case "string":
            return st.text(min_size=found.get("minLength", 0), max_size=10)
        case "array":
            return st.lists(fitting(found.get("items", {}), depth + 1), min_size=found.get("minItems", 0), max_size=3)
        case "object":
            properties = found.get("properties", {})
            needed = set(found.get("required", ()))
            fields = {name: fitting(inner, depth + 1) for name, inner in properties.items()}
            return st.fixed_dictionaries(
                {name: fields.get(name, JSON) for name in needed},
                optional={name: field for name, field in fields.items() if name not in needed},
            )
        case _:
            return JSON


def bodies(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """Requests of HA-Assist as described, and the same with one field of any kind."""
    sound: st.SearchStrategy[dict[str, Any]] = fitting({"$ref": f"#/components/schemas/{name}"})
    fields = sorted(document()["components"]["schemas"][name]["properties"])
    spoilt = st.tuples(sound, st.sampled_from(fields), JSON).map(lambda drawn: {**drawn[0], drawn[1]: drawn[2]})
    return st.one_of(sound, spoilt).map(lambda body: {**body, "model": "HA-Assist"})


REFUSED_FOR_GOOD_REASON = re.compile(r"no_tool_call|no_model|tool_choice|content|image_url|output")
"""What a schema cannot say: a choice among the tools, kinds of content, structured data without a model."""


@settings(suppress_health_check=list(HealthCheck), max_examples=150)
@given(drawn=st.sampled_from([CHAT, RESPONSES]).flatmap(lambda path: st.tuples(st.just(path), bodies(REQUESTS[path]))))
async def test_what_fits_the_description_is_answered_and_the_rest_is_refused_or_answered(
    real: Running, drawn: tuple[str, dict[str, Any]]
) -> None:
    path, body = drawn
    status = await checked(real, path, body, valid=False)
    assert status < 500
    if status != 200 and schema(REQUESTS[path]).is_valid(body):
        _, answer, _ = await real.post(body, path)
        assert REFUSED_FOR_GOOD_REASON.search(f"{answer['error']['code']} {answer['error']['param']}"), answer


@settings(suppress_health_check=list(HealthCheck), max_examples=40)
@given(body=bodies("DiagnoseRequest") | bodies("ChatRequest"))
async def test_no_diagnosis_fails(real: Running, body: dict[str, Any]) -> None:
    assert await checked(real, DIAGNOSE, body, valid=False) < 500
