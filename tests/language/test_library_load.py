"""Whoever keeps grammars is told when something large has been loaded."""

from __future__ import annotations

from ha_assist_addon.language.grammar import GrammarLibrary


def test_each_load_is_told_once() -> None:
    loads: list[str] = []
    library = GrammarLibrary(on_load=lambda: loads.append("loaded"))
    library.get("eo")
    assert loads == []
    for _ in range(2):
        assert library.get("sl") is not None
    assert loads == ["loaded"]
    for _ in range(2):
        library.detector(("en", "sl"))
    assert len(loads) == 2
