"""What is written about the registries and `ha_context` is true."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from ha_assist_addon.errors import InvalidRequest
from ha_assist_addon.home.ha_context import (
    ContextArea,
    ContextEntity,
    Floor,
    HaContext,
    Satellite,
    read_context,
)
from tests.support.shared import ROOT

PAGE = (ROOT / "docs/ha_context.md").read_text(encoding="utf-8")
EXAMPLES = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)]


def test_the_example_is_valid_and_whole() -> None:
    told: dict[str, Any] = EXAMPLES[0]["ha_context"]
    assert set(told) == set(HaContext.model_fields)
    read = read_context(told)
    assert json.loads(read.model_dump_json(exclude_unset=True)) == told


def test_the_tables_name_each_key() -> None:
    keys = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
    assert keys == set(HaContext.model_fields) | set(ContextEntity.model_fields)
    for part in (Satellite, Floor, ContextArea):
        assert f"{{{', '.join(part.model_fields)}}}" in PAGE


def test_the_error_is_worded_as_written() -> None:
    with pytest.raises(InvalidRequest) as refused:
        read_context({"floors": [{"aliases": ["up"]}]})
    error = EXAMPLES[1]["error"]
    assert (refused.value.message, refused.value.param) == (error["message"], error["param"])
    assert (refused.value.type, refused.value.code, refused.value.status) == (error["type"], error["code"], 400)


def test_the_add_on_asks_for_home_assistants_api() -> None:
    assert yaml.safe_load(Path(ROOT / "config.yaml").read_text(encoding="utf-8"))["homeassistant_api"] is True
