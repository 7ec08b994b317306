"""Cases of the composing reader: a sentence in a home, and what it comes to, also where the states are read first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from ha_assist_addon.home.toolbox import plain_name
from tests.support.house import Decision, House, Pipeline, called, result
from tests.support.sentences import said

Live = Sequence[Mapping[str, Any]]


def comes_to(pipeline: Pipeline, house: House, sentence: str, live: Live) -> str:
    """The actions of a sentence, after the read of the states where it asks for one; empty where nothing is done."""
    decision = pipeline.say(house, sentence)
    reads = [(name, arguments) for name, arguments in decision.calls if plain_name(name) == "GetLiveContext"]
    if decision.actions or not reads:
        return _written(decision)
    text = yaml.safe_dump(list(live), sort_keys=False, allow_unicode=True)
    found = result({"success": True, "result": f"Live Context: An overview of the areas and the devices:\n{text}"})
    return _written(pipeline.say(house, sentence, called(*reads[0]), found))


def _written(decision: Decision) -> str:
    calls = []
    for tool, arguments in decision.actions:
        values = {k: v[0] if isinstance(v, list) else v for k, v in arguments.items() if k != "domain"}
        calls.append(" ".join([tool, ", ".join(f"{k}={values[k]}" for k in sorted(values))]).strip())
    return "; ".join(calls)


def outcome(pipeline: Pipeline, house: House, sentence: str) -> str:
    """The actions of a sentence, `read` where the states are read first, and nothing where it is left or asked."""
    return said(pipeline, house, sentence) or ("read" if pipeline.say(house, sentence).calls else "")
