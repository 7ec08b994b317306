"""The benchmark's homes and requests: what is measured must be what it is called."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

import pytest

from ha_assist_addon.home.catalogue import read_home
from tests.support.shared import ROOT


@pytest.fixture
def homes(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "script"))
    return import_module("bench_homes")


def system(request: Any) -> str:
    return str(json.loads(request.raw)["messages"][0]["content"])


def test_no_sentence_is_said_twice_and_all_of_the_home_is_spoken_of(homes: Any) -> None:
    scene = homes.Scene(60)
    for templates in (homes.HITS, homes.QUESTIONS, homes.REPAIRS, homes.MISSES):
        said = [request.sentence for request in scene.requests(templates, 60)]
        assert len(said) == len(set(said)) == 60


def test_each_changed_catalogue_is_another_home_with_one_lamp_more(homes: Any) -> None:
    requests = homes.Scene(60).changed(homes.HITS, 5)
    assert len({system(request) for request in requests}) == 5
    for number, request in enumerate(requests):
        home = read_home(system(request))
        assert len(home.entities) == len(request.things) == 61
        assert f"New Lamp {number}" in {entity.name for entity in home.entities}


def test_a_result_follows_the_call_that_it_is_of(homes: Any) -> None:
    scene = homes.Scene(60)
    function = {"name": "GetLiveContext", "arguments": json.dumps({"name": "Kitchen Window Lamp"})}
    reply = json.dumps({"choices": [{"message": {"tool_calls": [{"id": "x", "function": function}]}}]}).encode()
    said = scene.after(["is the kitchen window lamp on?"], reply)
    assert said is not None
    assert said[0] == "is the kitchen window lamp on?"
    assert said[1]["tool_calls"][0]["id"] == said[2]["tool_call_id"]
    assert "Kitchen Window Lamp" in said[2]["content"]
    assert "Kitchen Corner Lamp" not in said[2]["content"]
    spoken = json.dumps({"choices": [{"message": {"content": "Yes."}}]}).encode()
    assert scene.after(["is it on?"], spoken) is None


def test_a_mistyped_name_lacks_one_letter(homes: Any) -> None:
    assert homes.mistyped("kitchen window lamp") == "kithen window lamp"
