"""Images, data of a given form, and models that are not there: one generation or none, and never prose for data."""

from __future__ import annotations

import asyncio
import base64
import io
import json
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from ha_assist_addon.backends.base import ToolForm
from ha_assist_addon.errors import (
    AnswerNotStructured,
    BackendFailed,
    BackendTimeout,
    InvalidImage,
    InvalidRequest,
    ModelNotReady,
    NoModel,
)
from ha_assist_addon.models.status import ModelState
from ha_assist_addon.pipeline.run import run
from ha_assist_addon.trace.trace import Trace
from ha_assist_addon.wire.chat import parse_chat
from tests.generation.conftest import HOUSE
from tests.support.fake_backend import FakeBackend, FakeModels
from tests.support.house import Decision, Pipeline, body

COMFORT = "make the living room more comfortable"
SCHEMA = {
    "type": "object",
    "properties": {"rooms": {"type": "array", "items": {"type": "string"}}, "note": {"type": ["string", "null"]}},
    "required": ["rooms"],
    "additionalProperties": False,
}
FORM = {"type": "json_schema", "json_schema": {"name": "Lab Task!", "strict": True, "schema": SCHEMA}}


def picture() -> str:
    file = io.BytesIO()
    Image.new("RGB", (32, 24), "green").save(file, "PNG")
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"


def look(text: str = "what can you see", url: str | None = None, **more: Any) -> dict[str, Any]:
    parts = [{"type": "image_url", "image_url": {"url": url or picture()}}, {"type": "text", "text": text}]
    return {**body(HOUSE, {"role": "user", "content": parts}), **more}


def task(text: str = "list the rooms", **more: Any) -> dict[str, Any]:
    system = "You are a Home Assistant expert and help users with their tasks.\nCurrent time is 20:10:59."
    messages = [{"role": "system", "content": system}, {"role": "user", "content": text}]
    return {"model": "HA-Assist", "messages": messages, **more}


def with_models(plain: Pipeline, text: FakeBackend | None, vision: FakeBackend | None = None) -> Pipeline:
    pipeline = object.__new__(Pipeline)
    pipeline.services = replace(plain.services, backends=FakeModels(text, vision))  # type: ignore[arg-type]
    return pipeline


def test_an_image_goes_to_the_vision_model_and_to_no_shortcut(plain: Pipeline) -> None:
    text, vision = FakeBackend(), FakeBackend([["A green wall."]])
    decision = with_models(plain, text, vision).decide(look("turn off the desk lamp"))
    assert (decision.text, decision.calls) == ("A green wall.", [])
    assert not text.seen
    assert vision.seen[-1].messages[-1].images
    assert vision.seen[-1].tools == ()
    assert "Desk Lamp (" not in vision.prompt
    assert decision.trace.route == "vlm"


def test_an_older_image_does_not_go_along(plain: Pipeline) -> None:
    vision = FakeBackend()
    first = look()["messages"][-1]
    request = {
        **look("and now"),
        "messages": [first, {"role": "assistant", "content": "Green."}, look()["messages"][-1]],
    }
    with_models(plain, None, vision).decide(request)
    assert sum(len(message.images) for message in vision.seen[-1].messages) == 1


def test_no_vision_model_is_a_sentence(plain: Pipeline) -> None:
    text = FakeBackend()
    decision = with_models(plain, text).decide(look())
    assert "no vision model is set up" in decision.text
    assert not text.seen


@pytest.mark.parametrize(
    "url",
    ["https://example.org/a.png", "file:///etc/passwd", "data:image/png;base64,!!!!", "data:text/html;base64,PGI+"],
)
def test_other_images_are_refused(plain: Pipeline, url: str) -> None:
    vision = FakeBackend()
    with pytest.raises(InvalidImage):
        with_models(plain, None, vision).decide(look(url=url))
    assert not vision.seen


@pytest.mark.parametrize("form", ToolForm)
@pytest.mark.parametrize(
    "answer",
    [
        '{"rooms": ["Kitchen"]}',
        'Here it is:\n```json\n{"rooms": ["Kitchen"]}\n```\nAnything else?',
        'The rooms: {"rooms": ["Kitchen"]}',
    ],
)
def test_data_comes_as_data(asking: Pipeline, model: FakeBackend, form: ToolForm, answer: str) -> None:
    model.form, model.scripts = form, [[answer[:9], answer[9:]]]
    decision = asking.decide(task(response_format=FORM))
    assert json.loads(decision.text) == {"rooms": ["Kitchen"]}
    assert json.dumps(SCHEMA, separators=(",", ":")) in model.prompt
    assert (model.seen[-1].response_format == FORM) is (form is not ToolForm.TEXT)


@pytest.mark.parametrize(
    "answer",
    ["I see a kitchen.", '{"rooms": "Kitchen"}', '{"rooms": [1]}', "[]", "", '{"rooms": ["Kitc', '{"rooms": NaN}'],
)
def test_prose_is_an_error(asking: Pipeline, model: FakeBackend, answer: str) -> None:
    model.scripts = [[answer]]
    with pytest.raises(AnswerNotStructured):
        asking.decide(task(response_format=FORM))
    assert len(model.seen) == 1


def test_data_that_was_cut_off_is_an_error(asking: Pipeline, model: FakeBackend) -> None:
    model.scripts, model.reason = [['{"rooms": []}']], "length"
    with pytest.raises(AnswerNotStructured, match="cut off"):
        asking.decide(task(response_format=FORM))


def test_any_object_where_no_schema_is_given(asking: Pipeline, model: FakeBackend) -> None:
    model.scripts = [['{"a": 1}']]
    assert json.loads(asking.decide(task(response_format={"type": "json_object"})).text) == {"a": 1}
    model.scripts = [["[1]"]]
    with pytest.raises(AnswerNotStructured):
        asking.decide(task(response_format={"type": "json_object"}))


def test_data_from_an_image(plain: Pipeline) -> None:
    vision = FakeBackend([['{"rooms": []}']])
    decision = with_models(plain, FakeBackend(), vision).decide(look("which rooms", response_format=FORM))
    assert json.loads(decision.text) == {"rooms": []}
    assert vision.seen[-1].messages[-1].images


@pytest.mark.parametrize("schema", [{"type": "nonsense"}, {"properties": 3}, {"$ref": "#/nowhere"}])
def test_a_schema_that_is_none_is_the_clients_fault(asking: Pipeline, model: FakeBackend, schema: Any) -> None:
    model.scripts = [["{}"]]
    form = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
    with pytest.raises(InvalidRequest):
        asking.decide(task(response_format=form))


@pytest.mark.parametrize("more", [{"response_format": FORM}, {}])
def test_without_a_model_a_task_is_an_error(plain: Pipeline, more: dict[str, Any]) -> None:
    with pytest.raises(NoModel):
        with_models(plain, None).decide(task(**more))
    with pytest.raises(ModelNotReady):
        with_models(plain, FakeBackend([[ModelNotReady()]])).decide(task(**more))


def test_without_a_model_a_chat_gets_a_sentence(plain: Pipeline) -> None:
    request = {"model": "HA-Assist", "messages": [{"role": "user", "content": "tell me a joke"}]}
    assert "no" in with_models(plain, None).decide(request).text


def test_a_model_that_is_not_ready_is_told_in_a_conversation(asking: Pipeline, model: FakeBackend) -> None:
    model.scripts = [[ModelNotReady("It is being fetched: 34 %.")]]
    decision = asking.say(HOUSE, COMFORT)
    assert decision.text == "The language model is not ready yet. Please try again in a moment."
    assert "34 %" in decision.trace.why
    model.state = ModelState.FAILED
    assert asking.say(HOUSE, COMFORT).text.startswith("The language model cannot be used at the moment.")
    with pytest.raises(ModelNotReady):
        asking.decide(task(response_format=FORM))


@pytest.mark.parametrize("error", [BackendFailed(), BackendTimeout()])
def test_a_failure_is_not_tried_again(asking: Pipeline, model: FakeBackend, error: Exception) -> None:
    model.scripts = [["One moment.", error]]
    decision = asking.say(HOUSE, COMFORT)
    assert decision.text.endswith("The language model could not answer. Please try again.")
    assert str(error) in decision.trace.why
    assert len(model.seen) == 1
    with pytest.raises(type(error)):
        asking.decide(task(response_format=FORM))


async def test_leaving_ends_the_generation(asking: Pipeline, model: FakeBackend) -> None:
    model.scripts = [["One. ", 60.0, "Two."]]
    events = run(parse_chat(body(HOUSE, COMFORT)).chat, asking.services, Trace("HA-Assist"))
    await anext(events)
    await events.aclose()  # type: ignore[attr-defined]
    await asyncio.sleep(0)
    assert (len(model.seen), model.ended) == (1, 1)


def test_the_exchange_is_kept_for_the_panel(asking: Pipeline, model: FakeBackend) -> None:
    model.scripts = [["Well. ", "Hm."]]
    decision: Decision = asking.say(HOUSE, COMFORT)
    exchange = decision.trace.exchange
    assert exchange is not None
    assert exchange.answer == "Well. Hm."
    assert [message["role"] for message in exchange.prompt] == ["system", "user"]
    assert "exchange" not in decision.trace.metrics()


def test_a_model_that_cannot_see_is_not_asked(plain: Pipeline) -> None:
    blind = FakeBackend(images=False)
    assert "no vision model is set up" in with_models(plain, None, blind).decide(look()).text
    with pytest.raises(NoModel, match="images"):
        with_models(plain, None, blind).decide(look(response_format=FORM))
    assert not blind.seen
    blind.state, blind.scripts = ModelState.LOADING, [[ModelNotReady()]]
    assert "not ready yet" in with_models(plain, None, blind).decide(look()).text
