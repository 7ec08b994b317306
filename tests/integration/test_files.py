"""What Home Assistant and HACS read of the integration without running it: manifest, texts and names."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest
import yaml

from ha_assist_addon import __version__
from tests.support.shared import ROOT

FOLDER = ROOT / "custom_components/ha_assist"
MODULES = sorted(FOLDER.glob("*.py"))
SHIPPED = {"aiohttp", "awesomeversion", "home_assistant_intents", "homeassistant", "probatio", "voluptuous", "yarl"}
"""Packages that come with Home Assistant or with the conversation integration."""
BEFORE_2026_9 = {"voluptuous_openapi"}
FORMS = ("config", "config_subentries", "exceptions", "issues")


def load(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """All texts with their places."""
    if isinstance(value, str):
        yield path, value
        return
    for key, part in value.items():
        yield from texts(part, f"{path}.{key}" if path else key)


def source(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def test_manifest() -> None:
    manifest = load("manifest.json")
    assert list(manifest)[:2] == ["domain", "name"]
    assert list(manifest)[2:] == sorted(list(manifest)[2:])
    assert manifest["domain"] == FOLDER.name
    assert manifest["config_flow"] is True
    assert manifest["integration_type"] == "service"
    assert manifest["iot_class"] == "local_polling"
    assert manifest["requirements"] == []
    assert re.fullmatch(r"\d+\.\d+\.\d+", manifest["version"])


def test_whoever_publishes_it_says_who_they_are() -> None:
    """With their address the manifest is what Home Assistant's check of manifests and that of HACS ask for."""
    loader = SourceFileLoader("manifest", str(ROOT / "script/manifest"))
    spec = spec_from_loader("manifest", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    manifest = module.published(load("manifest.json"), "someone/ha-assist", "https://github.com")
    assert list(manifest)[:2] == ["domain", "name"]
    assert list(manifest)[2:] == sorted(list(manifest)[2:])
    assert manifest["codeowners"] == ["@someone"]
    for key in ("documentation", "issue_tracker"):
        assert re.fullmatch(r"https://github\.com/someone/ha-assist/\S+", manifest[key])
    with pytest.raises(SystemExit):
        module.published({}, "nobody", "https://github.com")


def test_version_is_that_of_the_app() -> None:
    assert load("manifest.json")["version"] == __version__


def test_hacs_knows_it() -> None:
    hacs = json.loads((ROOT / "hacs.json").read_text(encoding="utf-8"))
    assert hacs["name"] == load("manifest.json")["name"]
    assert re.fullmatch(r"\d{4}\.\d+\.\d+", hacs["homeassistant"])
    assert [path.parent for path in ROOT.glob("custom_components/*/manifest.json")] == [FOLDER]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_imports_only_what_home_assistant_ships(path: Path) -> None:
    found = re.findall(r"^ *(?:from|import) (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(found) - set(sys.stdlib_module_names) <= SHIPPED | BEFORE_2026_9


def test_english_is_the_source() -> None:
    assert load("strings.json") == load("translations/en.json")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("translations/*.json")), ids=lambda path: path.stem)
def test_each_translation_says_everything(path: Path) -> None:
    english, other = dict(texts(load("strings.json"))), dict(texts(load(f"translations/{path.name}")))
    assert set(other) == set(english)
    assert all(text.strip() == text and text for text in other.values())
    for place, text in english.items():
        assert set(re.findall(r"\{\w+\}", other[place])) == set(re.findall(r"\{\w+\}", text)), place


def test_texts_are_of_known_forms() -> None:
    strings = load("strings.json")
    assert set(strings) == set(FORMS)
    for place, text in texts(strings):
        assert "[%key" not in text, f"{place}: only Home Assistant's own integrations can refer to texts"
        assert "http" not in text or place.endswith(".url"), place


def test_each_error_has_its_texts() -> None:
    keys = set(re.findall(r'^    key = "(\w+)"$', source("errors.py"), re.MULTILINE))
    strings = load("strings.json")
    told = {f"planned_{kind}" for kind in re.findall(r'_async_tell\(plan, "(\w+)"\)', source("scheduler.py"))}
    assert len(told) == 2
    assert set(strings["exceptions"]) == keys | told
    # Those that the check of a connection can end with.
    asked = set(
        re.findall(
            r"\b(CannotConnect|TimedOut|InvalidKey|NotHaAssist|Refused|Interrupted|Unavailable)\b", source("api.py")
        )
    )
    classes = dict(
        re.findall(r'^class (\w+)\(HaAssistError\):\n.*\n\n    key = "(\w+)"', source("errors.py"), re.MULTILINE)
    )
    assert {classes[name] for name in asked} | {"invalid_url", "unknown"} == set(strings["config"]["error"])


def test_each_step_and_end_has_its_texts() -> None:
    config, flow = load("strings.json")["config"], source("config_flow.py")
    steps = set(re.findall(r'step_id="(\w+)"', flow)) | set(re.findall(r'_form\("(\w+)"', flow))
    assert set(config["step"]) == steps
    assert set(config["abort"]) == set(re.findall(r'reason="(\w+)"', flow))


def test_each_agent_has_its_texts() -> None:
    constants = dict(re.findall(r'^(SUBENTRY_\w+) = "(\w+)"$', source("const.py"), re.MULTILINE))
    subentries = load("strings.json")["config_subentries"]
    assert set(subentries) == set(constants.values())
    steps = set(re.findall(r'_async_form\("(\w+)"', source("subentry_flow.py")))
    assert all(set(kind["step"]) == steps for kind in subentries.values())
    fields = {"chat_model", "llm_hass_api", "name", "prompt", "send_home"}
    assert set(subentries["conversation"]["step"]["user"]["data"]) == fields


def test_each_field_is_described() -> None:
    strings = load("strings.json")
    subentries = strings["config_subentries"].values()
    for steps in (strings["config"]["step"], *(kind["step"] for kind in subentries)):
        for name, step in steps.items():
            assert set(step.get("data", {})) == set(step.get("data_description", {})), name


def test_each_rule_of_the_quality_scale_is_answered() -> None:
    rules = yaml.safe_load(source("quality_scale.yaml"))["rules"]
    assert len(rules) == 54
    for rule, answer in rules.items():
        status = answer if isinstance(answer, str) else answer["status"]
        assert status in {"done", "todo", "exempt"}, rule
        assert status == "done" or len(answer["comment"]) > 10, rule


def test_each_issue_has_its_texts() -> None:
    kinds = re.findall(r'^\w+_TOO_OLD = "(\w+)"$', source("versions.py"), re.MULTILINE)
    assert set(load("strings.json")["issues"]) == set(kinds)


def test_context_is_that_of_the_api() -> None:
    """The keys that are told are keys that the server reads."""
    from ha_assist_addon.home.ha_context import ContextEntity, HaContext

    told = set(re.findall(r'told\["(\w+)"\]|"(\w+)": known\.names', source("home_context.py")))
    flat = {key for pair in told for key in pair if key}
    known = set(HaContext.model_fields) | set(ContextEntity.model_fields)
    assert flat
    assert flat <= known
