"""The rooms of the package: no circle between them, imports run down the layers, and no module outgrows its reason."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.packaging.layers import LAYERS, LONGER_MODULES, LONGEST_MODULE
from tests.support.shared import ROOT

PACKAGE = "ha_assist_addon"
MODULES = sorted((ROOT / PACKAGE).rglob("*.py"))
LAYER = {room: number for number, rooms in enumerate(LAYERS) for room in rooms}


def rooms_imported(source: str, module: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """The rooms that a module imports, each with its line; `module` is its path below the package."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            named: Iterable[tuple[str, ...]] = [tuple(alias.name.split(".")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = (PACKAGE, *module[: len(module) - node.level]) if node.level else ()
            whole = (*start, *(node.module.split(".") if node.module else ()))
            named = [(*whole, alias.name) for alias in node.names]
        else:
            continue
        for parts in named:
            if parts[0] == PACKAGE:
                room = parts[1] if len(parts) > 1 else "__init__"
                yield room if room in LAYER or (ROOT / PACKAGE / room).is_dir() else "__init__", node.lineno


def imports() -> dict[str, dict[str, str]]:
    """Rooms with the rooms that they import, each with one place where it is done."""
    found: dict[str, dict[str, str]] = {}
    for path in MODULES:
        module = path.relative_to(ROOT / PACKAGE).with_suffix("").parts
        room = found.setdefault(module[0], {})
        for other, line in rooms_imported(path.read_text(encoding="utf-8"), module):
            if other != module[0]:
                room.setdefault(other, f"{path.relative_to(ROOT)}:{line}")
    return found


def circle(graph: Mapping[str, Iterable[str]]) -> list[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def upward(graph: Mapping[str, Mapping[str, str]]) -> list[str]:
    return [
        f"{place} imports {other}"
        for room, others in graph.items()
        for other, place in others.items()
        if LAYER[other] >= LAYER[room]
    ]


def test_every_room_has_one_layer() -> None:
    rooms = {path.relative_to(ROOT / PACKAGE).with_suffix("").parts[0] for path in MODULES}
    assert sorted(room for layer in LAYERS for room in layer) == sorted(rooms)


def test_no_circle_between_rooms() -> None:
    assert circle(imports()) == []


def test_imports_run_down_the_layers() -> None:
    assert upward(imports()) == []


def test_the_page_explains_the_same_order() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \d+ \| ([^|]+) \|", page, re.MULTILINE)
    assert [set(re.findall(r"`(\w+)(?:/|\.py)`", row)) for row in rows] == [set(layer) for layer in LAYERS]


@pytest.mark.parametrize(
    ("source", "rooms"),
    [
        ("from .. import __version__", ["__init__"]),
        ("from ..home.entity import Entity, fold", ["home", "home"]),
        ("from . import acts", ["meaning"]),
        ("from .acts import Act", ["meaning"]),
        ("import ha_assist_addon.home.entity, json", ["home"]),
        ("from ha_assist_addon.turn.history import Turn", ["turn"]),
        ("def late():\n    from ..reading.interpret import Interpreter", ["reading"]),
        ("from aiohttp import web", []),
    ],
)
def test_an_import_is_seen_in_every_form(source: str, rooms: list[str]) -> None:
    assert [room for room, _ in rooms_imported(source, ("meaning", "gate"))] == rooms


def test_a_circle_and_a_way_up_are_seen() -> None:
    graph = {"home": {"meaning": "home/a.py:1"}, "meaning": {"home": "meaning/b.py:2"}}
    assert set(circle(graph)) == {"home", "meaning"}
    assert upward(graph) == ["home/a.py:1 imports meaning"]


def test_no_module_is_too_long() -> None:
    lengths = {_name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    long = {name: length for name, length in lengths.items() if length > LONGEST_MODULE}
    assert {name: length for name, length in long.items() if length > LONGER_MODULES.get(name, 0)} == {}
    assert set(LONGER_MODULES) <= set(long), "what has become short enough is taken off the list"


def _name(path: Path) -> str:
    return path.relative_to(ROOT / PACKAGE).as_posix()
