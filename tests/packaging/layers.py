"""The order of the rooms of `ha_assist_addon`, from the bottom up; docs/architecture.md explains it.

A room is a package or a module directly under `ha_assist_addon`. It may import rooms of lower layers, and none of
its own layer.
"""

from __future__ import annotations

LAYERS: tuple[frozenset[str], ...] = (
    frozenset(
        {
            "__init__",
            "conversation",
            "errors",
            "examples",
            "json_schema",
            "log_limit",
            "nesting",
            "processes",
            "yaml_limits",
        }
    ),
    frozenset({"language", "pictures", "settings", "trace"}),
    frozenset({"home", "models", "turn", "wire"}),
    frozenset({"backends", "recognition"}),
    frozenset({"meaning"}),
    frozenset({"prompt", "retrieval", "taught", "wording"}),
    frozenset({"answering", "verification"}),
    frozenset({"reading"}),
    frozenset({"diagnostics", "generation", "supervisor"}),
    frozenset({"services"}),
    frozenset({"pipeline"}),
    frozenset({"trial"}),
    frozenset({"api", "panel"}),
    frozenset({"ask", "connections", "models_command"}),
    frozenset({"app"}),
    frozenset({"__main__"}),
)

LONGEST_MODULE = 350

LONGER_MODULES: dict[str, int] = {}
"""Modules that are longer, with the lines that they have: they may shrink and not grow."""
