"""How the Supervisor reads an add-on's files, as JSON Schemas: what it drops in silence is an error here.

Keys and types are those of its own checks (`supervisor/apps/validate.py`), limited to what HA-Assist may use.
"""

from __future__ import annotations

from typing import Any

ARCHITECTURES = ["aarch64", "amd64"]
VERSION = {"type": "string", "pattern": r"^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$"}
PORT = {"type": "integer", "minimum": 1, "maximum": 65535}
TEXT = {"type": "string", "minLength": 1}
LINE = {"type": "string", "minLength": 1, "pattern": r"^[^\n]*$"}
OPTION = {
    "type": "string",
    "pattern": r"^(bool|email|url|port|match\(.*\)|list\(.+\)|(str|password|int|float)(\(-?[\d.]*,-?[\d.]*\))?)\??$",
}
"""A `device` is missing on purpose: where its path does not exist, the add-on cannot be started."""


def block(required: list[str], **properties: Any) -> dict[str, Any]:
    """A mapping with these keys and no others."""
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def table(keys: str, values: dict[str, Any]) -> dict[str, Any]:
    """A mapping whose keys match a pattern."""
    return {"type": "object", "patternProperties": {keys: values}, "additionalProperties": False, "minProperties": 1}


def several(items: dict[str, Any]) -> dict[str, Any]:
    """A list without repetitions."""
    return {"type": "array", "items": items, "minItems": 1, "uniqueItems": True}


CONFIG = block(
    ["name", "version", "slug", "description", "arch"],
    name=LINE,
    version=VERSION,
    slug={"type": "string", "pattern": "^[-_.A-Za-z0-9]+$"},
    description=LINE,
    arch=several({"enum": ARCHITECTURES}),
    url={"type": "string", "format": "uri", "pattern": "^https?://"},
    image={"type": "string", "pattern": r"^([a-z0-9.-]+/)+[a-z0-9{}._-]+$"},
    stage={"enum": ["stable", "experimental", "deprecated"]},
    startup={"enum": ["initialize", "system", "services", "application", "once"]},
    boot={"enum": ["auto", "manual", "manual_only"]},
    init={"type": "boolean"},
    timeout={"type": "integer", "minimum": 10, "maximum": 300},
    homeassistant=TEXT,
    homeassistant_api={"type": "boolean"},
    discovery=several({"type": "string", "pattern": "^[a-z0-9_]+$"}),
    ingress={"type": "boolean"},
    ingress_port={**PORT, "minimum": 0},
    ingress_entry=TEXT,
    ingress_stream={"type": "boolean"},
    panel_icon={"type": "string", "pattern": "^mdi:[a-z0-9-]+$"},
    panel_title=LINE,
    panel_admin={"type": "boolean"},
    ports=table(r"^\d+/(tcp|udp)$", {"oneOf": [{"type": "null"}, PORT]}),
    devices=several({"type": "string", "pattern": "^/dev/[^:]+$"}),
    map=several(
        block(
            ["type"],
            type={"enum": ["data", "ssl", "share", "media", "homeassistant_config", "addon_config"]},
            read_only={"type": "boolean"},
            path={"type": "string", "pattern": "^/"},
        )
    ),
    apparmor={"type": "boolean"},
    backup={"enum": ["hot", "cold"]},
    backup_exclude=several({"type": "string", "pattern": "^[^/]"}),
    options={"type": "object"},
    schema=table("^[a-z][a-z0-9_]*$", OPTION),
    breaking_versions=several(VERSION),
)
BUILD = block(
    ["build_from"],
    build_from={
        "type": "object",
        "additionalProperties": {"type": "string", "pattern": r"^([a-zA-Z0-9.:-]+/)*[\w{}-]+/[\w{}-]+(:[.\w{}-]+)?$"},
        "propertyNames": {"enum": ARCHITECTURES},
    },
)
REPOSITORY = block(["name"], name=LINE, url={"type": "string", "pattern": "^https?://"}, maintainer=LINE)
TRANSLATION = block(
    ["configuration", "network"],
    configuration=table("^[a-z][a-z0-9_]*$", block(["name", "description"], name=LINE, description=TEXT)),
    network=table(r"^\d+/(tcp|udp)$", TEXT),
)
