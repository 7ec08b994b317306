"""One sentence against a home file, without a server: prints what was decided and why."""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from .conversation import CallEvent, ChatRequest, TextDelta
from .errors import HaAssistError
from .examples import example_home, request_body
from .trace.trace import Trace


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ask`."""
    parser.add_argument("sentence", help="what the person says")
    parser.add_argument(
        "--home",
        type=Path,
        metavar="FILE",
        help="home file in YAML, or a recorded chat request in JSON (default: an example home)",
    )
    parser.add_argument("--area", help="the area in which the satellite stands; empty for none")
    parser.add_argument("--language", action="append", default=[], help="only try this language (may be repeated)")
    parser.add_argument("--json", action="store_true", help="print the whole trace as JSON")


def main(args: argparse.Namespace) -> int:
    """Decide and print; returns 0 where a decision came out, 2 where the home file cannot be used."""
    from .wire.chat import parse_chat

    try:
        request = parse_chat(_body(args.home, args.sentence, args.area)).chat
    except (OSError, ValueError, LookupError, TypeError, AttributeError, yaml.YAMLError, HaAssistError) as error:
        print(f"The home file cannot be used: {error}")
        return 2
    return asyncio.run(_ask(request, args.language, args.json))


def _body(path: Path | None, sentence: str, area: str | None) -> dict[str, Any]:
    loaded = yaml.safe_load(path.read_text(encoding="utf-8")) if path else example_home()
    if not isinstance(loaded, dict):
        raise TypeError("it holds no mapping")
    if "messages" in loaded:
        system = [m for m in loaded["messages"] if m.get("role") in ("system", "developer")]
        return {**loaded, "model": "HA-Assist", "messages": [*system, {"role": "user", "content": sentence}]}
    if area is not None:
        loaded["satellite"] = {"area": area} if area else None
    return request_body(loaded, sentence)


async def _ask(request: ChatRequest, languages: list[str], as_json: bool) -> int:
    from .backends.registry import BackendRegistry
    from .diagnostics.store import TraceStore
    from .language.grammar import GrammarLibrary
    from .pipeline.run import run
    from .services import Services
    from .settings.store import SettingsStore

    with TemporaryDirectory() as directory:
        environ = {"HA_ASSIST_SETTINGS__HA_ASSIST_LANGUAGES": ",".join(languages)} if languages else {}
        settings = SettingsStore(Path(directory), environ)
        services = Services(settings, GrammarLibrary(), BackendRegistry(settings), TraceStore())
        trace = Trace(request.model)
        lines: list[str] = []
        try:
            async for event in run(request, services, trace):
                match event:
                    case TextDelta(text):
                        lines.append(f"says   {text}")
                    case CallEvent(call):
                        lines.append(f"calls  {call.name} {json.dumps(dict(call.arguments), ensure_ascii=False)}")
        except HaAssistError as error:
            lines.append(f"error  {error.code}: {error.message}")
        trace.finish("done")
        await services.backends.close()
    if as_json:
        print(json.dumps(trace.metrics(), ensure_ascii=False, indent=1, default=str))
        return 0
    intent = trace.sections.get("ha_intent", {})
    plan = trace.sections.get("ha_plan", {})
    print("\n".join(lines))
    facts = (
        f"{trace.reason}, {trace.language or 'no language'}, {trace.inference_calls} model calls, {trace.total_ms} ms"
    )
    print(f"why    {trace.why} [{facts}]")
    for candidate in intent.get("candidates", ()):
        slots = json.dumps(candidate["slots"], ensure_ascii=False)
        print(f"       could be {candidate['intent']} {slots}  <- {candidate['template']}")
    for reading in intent.get("fuzzy", ()):
        print(f"       reading {json.dumps(reading, ensure_ascii=False)}")
    if refused := plan.get("repair_refused"):
        print(f"       not repaired: {refused}")
    for repair in plan.get("repairs", ()):
        print(f"       repaired {json.dumps(repair, ensure_ascii=False)}")
    return 0
