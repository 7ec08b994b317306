"""Says whether an answer is what a case expects; the fields of a case are those of `../shared/cases/README.md`."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from ha_assist_addon.home.toolbox import plain_name
from tests.support.house import READS
from tests.support.shared import SHARED

Case = Mapping[str, Any]
Expected = Mapping[str, Any]
Call = tuple[str, Mapping[str, Any]]

TARGET = frozenset({"name", "area", "floor", "domain", "device_class"})
CHARACTERS_A_TOKEN = 3.5
"""A cautious guess at how many characters of a prompt make one token."""


@dataclass(slots=True)
class Given:
    """What a server answered to a case."""

    status: int
    text: str = ""
    calls: Sequence[Call] = ()
    metrics: Mapping[str, Any] = field(default_factory=dict)
    prompts: Sequence[Mapping[str, Any]] = ()
    """What the model was asked, each time."""
    unaided: Given | None = None
    """What is answered without a model, where the model was asked and the case does not say what it answers."""

    @property
    def generations(self) -> int:
        """How often a model was asked: what the server says, or what the model saw if that is more."""
        told = self.metrics.get("ha_route", {}).get("inference_calls", 0)
        return max(int(told), len(self.prompts))

    @property
    def actions(self) -> list[Call]:
        """Calls that change something."""
        return [(name, arguments) for name, arguments in self.calls if plain_name(name) not in READS]


@cache
def oracle() -> Any:
    """Home Assistant's own target matching, from beside the cases."""
    assert SHARED is not None
    spec = importlib.util.spec_from_file_location("cases_oracle", SHARED / "cases" / "oracle.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def misses(case: Case, given: Given) -> list[str]:
    """Why an answer is not right; empty where it is."""
    expected = case["expect"]
    always = list(_limits(case, expected, given))
    ways = [
        expected,
        *({**way, "generative_calls": expected.get("generative_calls")} for way in expected.get("any_of", ())),
    ]
    failures = [list(_KINDS[way["kind"]](case, way, given)) for way in ways]
    best = min(failures, key=len)
    return always + (failures[0] if best else [])


def _limits(case: Case, expected: Expected, given: Given) -> Iterator[str]:
    """What holds whichever way a case is solved."""
    if given.status != expected.get("http_status", 200):
        yield f"status {given.status}"
    if given.generations > expected.get("generative_calls", 1):
        yield f"the model was asked {given.generations} times"
    if "{" in given.text or "MatchFailed" in given.text:
        yield f"internal words are spoken: {given.text}"
    for answer in (given, given.unaided):
        if answer is not None:
            yield from _forbidden(case, expected, answer)
    yield from _prompts(expected, given)
    verdict = expected.get("validation")
    if verdict and given.metrics.get("ha_validation", {}).get("verdict") != verdict:
        yield f"the validation says {given.metrics.get('ha_validation')}, not {verdict}"


def _forbidden(case: Case, expected: Expected, given: Given) -> Iterator[str]:
    tools = set(expected.get("forbid_tools", ()))
    targets = set(expected.get("forbid_targets", ()))
    patterns = expected.get("forbid_args_regex", {})
    for name, arguments in given.calls:
        plain = plain_name(name)
        if plain in {plain_name(t) for t in tools} or "*" in tools:
            yield f"{plain} is forbidden"
        if any(plain == call["tool"] and _says(arguments, call["args"]) for call in expected.get("forbid_calls", ())):
            yield f"{plain} {dict(arguments)} is forbidden"
        if any(re.search(p, json.dumps(arguments.get(k, ""), ensure_ascii=False)[1:-1]) for k, p in patterns.items()):
            yield f"{plain} {dict(arguments)} has a forbidden argument"
    for hit in sorted(targets & reached(case, given)):
        yield f"{hit} is forbidden"
    together = set(expected.get("all_or_nothing_targets", ()))
    if together and (missing := together - reached(case, given)) and missing != together:
        yield f"{sorted(missing)} is left out"


def _prompts(expected: Expected, given: Given) -> Iterator[str]:
    for prompt in given.prompts:
        text = json.dumps(prompt, ensure_ascii=False).casefold()
        for wanted in expected.get("prompt_must_contain", ()):
            if wanted.casefold() not in text:
                yield f"the prompt lacks {wanted!r}"
        most = expected.get("prompt_max_tokens")
        if most is not None and len(text) / CHARACTERS_A_TOKEN > most:
            yield f"the prompt has about {len(text) / CHARACTERS_A_TOKEN:.0f} tokens"


def reached(case: Case, given: Given) -> set[str]:
    """The entities that all actions together reach."""
    hits: set[str] = set()
    for name, arguments in given.actions:
        found = oracle().resolve_targets(case, plain_name(name), dict(arguments))
        if not isinstance(found, str):
            hits.update(found)
    return hits


def _tool_call(case: Case, expected: Expected, given: Given) -> Iterator[str]:
    wanted = plain_name(expected["tool"])
    wanted = {"get_items": "todo_get_items", "get_events": "calendar_get_events"}.get(wanted, wanted)
    calls = [(name, arguments) for name, arguments in given.calls if plain_name(name) == wanted]
    if not calls or len(calls) != len(given.calls):
        yield f"{wanted} was expected"
        return
    if expected.get("emitted_tool") not in {None, *(name for name, _ in calls)}:
        yield f"the tool is called {calls[0][0]}"
    if "targets" in expected:
        yield from _targets(case, expected, calls, wanted)
    if "covers" in expected:
        seen = {hit for _, arguments in calls for hit in read(case, arguments)}
        yield from (f"{entity} is not read" for entity in expected["covers"] if entity not in seen)
    else:
        skipped = TARGET if "targets" in expected else frozenset()
        values = {key: value for key, value in expected.get("args", {}).items() if key not in skipped}
        for _, arguments in calls:
            if not _says(arguments, values):
                yield f"{dict(arguments)} does not say {values}"
            if "targets" in expected and (more := set(arguments) - TARGET - set(values)):
                yield f"{sorted(more)} was not asked for"


def _targets(case: Case, expected: Expected, calls: Iterable[Call], tool: str) -> Iterator[str]:
    hits: set[str] = set()
    for _, arguments in calls:
        found = oracle().resolve_targets(case, tool, dict(arguments))
        if isinstance(found, str):
            yield f"Home Assistant refuses {dict(arguments)}: {found}"
        else:
            hits.update(found)
    if hits != set(expected["targets"]):
        yield f"reaches {sorted(hits)}"


def read(case: Case, arguments: Mapping[str, Any]) -> set[str]:
    """The entities that a GetLiveContext call returns."""
    domain = arguments.get("domain")
    domains = {domain} if isinstance(domain, str) else set(domain or ())
    name, area = arguments.get("name"), arguments.get("area")
    return {
        oracle().entity_id(e)
        for e in case["home"]
        if (not domains or e["domain"] in domains)
        and (name is None or name.casefold() in map(str.casefold, oracle().names(e)))
        and (area is None or area.casefold() in map(str.casefold, areas(case, e)))
    }


def areas(case: Case, entity: Mapping[str, Any]) -> tuple[str, ...]:
    """The area of an entity and its aliases."""
    area = entity.get("area")
    return (area, *case.get("area_aliases", {}).get(area, ())) if area else ()


def _says(arguments: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(key in arguments and _same(arguments[key], value) for key, value in wanted.items())


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return one.strip().casefold() == other.strip().casefold()
    if isinstance(one, list) or isinstance(other, list):
        one, other = (value if isinstance(value, list) else [value] for value in (one, other))
        return sorted(map(str, one)) == sorted(map(str, other))
    return bool(one == other)


def _answer(case: Case, expected: Expected, given: Given) -> Iterator[str]:
    given = given.unaided or given
    if given.calls:
        yield f"{given.calls} was called"
        return
    yield from spoken(expected, given.text)


def _clarify(case: Case, expected: Expected, given: Given) -> Iterator[str]:
    given = given.unaided or given
    if given.actions or given.calls:
        yield f"{given.calls} was called"
        return
    yield from spoken(expected, given.text)


def spoken(expected: Expected, text: str) -> Iterator[str]:
    """What an answer must and must not say."""
    folded = text.casefold()
    if not text.strip():
        yield "nothing is said"
    yield from (f"lacks {w!r}: {text}" for w in expected.get("answer_contains", ()) if w.casefold() not in folded)
    yield from (f"says {w!r}: {text}" for w in expected.get("answer_not_contains", ()) if w.casefold() in folded)
    some = expected.get("answer_contains_any", ())
    checks: Sequence[tuple[str, bool]] = (
        ("answer_contains_any", not some or any(w.casefold() in folded for w in some)),
        ("answer_regex", re.search(expected.get("answer_regex", ""), text) is not None),
        ("answer_not_regex", "answer_not_regex" not in expected or not re.search(expected["answer_not_regex"], text)),
        ("answer_endswith", text.rstrip().endswith(expected.get("answer_endswith", ""))),
        ("answer_not_endswith", not text.rstrip().endswith(expected.get("answer_not_endswith", "\0"))),
    )
    yield from (f"{name} {expected.get(name)} does not hold: {text}" for name, holds in checks if not holds)


def _llm(case: Case, expected: Expected, given: Given) -> Iterator[str]:
    """A model was asked; an answer without one is as good where it does something within the limits, or asks."""
    if given.generations:
        return
    if "prompt_must_contain" in expected or "prompt_max_tokens" in expected:
        yield "the model was not asked"
    elif not given.calls and not given.text.rstrip().endswith("?"):
        yield f"the model was not asked, nor the person: {given.text}"


_KINDS: Mapping[str, Callable[[Case, Expected, Given], Iterator[str]]] = {
    "tool_call": _tool_call,
    "answer": _answer,
    "clarify": _clarify,
    "llm": _llm,
}
