"""How far connecting Home Assistant has come, step by step, and what to do at the first one that is not done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ..diagnostics.arrivals import Arrivals
from ..diagnostics.bodies import as_chat
from ..diagnostics.names import functions_of, home_of
from ..diagnostics.summary import Summary, Turn
from ..diagnostics.turn_kind import turn_kind
from ..errors import HaAssistError
from ..services import Services

State = Literal["good", "warn", "bad", "wait"]
_SETUP_TOOLS = frozenset({"test_function"})
"""What the integration offers when it tries the connection: such a request tells nothing of the home."""
LINKS: Mapping[str, str] = {
    "integrations": "/config/integrations/dashboard",
    "add_llama_cpp": "/config/integrations/dashboard/add?domain=llama_cpp",
    "llama_cpp": "/config/integrations/integration/llama_cpp",
    "assistants": "/config/voice-assistants/assistants",
    "expose": "/config/voice-assistants/expose",
    "devices": "/config/devices/dashboard",
    "areas": "/config/areas/dashboard",
}
"""Pages of Home Assistant."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One step: its words are below `doctor.STEP.CODE`."""

    step: str
    state: State
    code: str
    values: Mapping[str, Any] = field(default_factory=dict)
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All steps; `headline` sums them up."""

    headline: str
    state: State
    findings: tuple[Finding, ...]
    latest: Summary | None


async def examine(services: Services, good_languages: Sequence[str]) -> Diagnosis:
    """Look at what has arrived; nothing is sent anywhere."""
    traces, arrivals = services.traces, services.arrivals
    turns = await traces.turns(limit=1)
    turn = turns[0] if turns else None
    bodies = [_chat(body) for _, body in await traces.latest_bodies()]
    real = next((body for body in bodies if _is_real(body)), None)
    # Without bodies, where texts are not kept, a turn has to do.
    spoken = turn if real is not None or not bodies else None
    findings = [*_arrival(arrivals, turn), _sentence(spoken)]
    if real is not None:
        findings += _home(real)
    findings.append(await _languages(services, good_languages))
    return Diagnosis(*_headline(findings, spoken), tuple(findings), spoken.first if spoken else None)


def _arrival(arrivals: Arrivals, turn: Turn | None) -> list[Finding]:
    """Port, key and models; a kept request shows that all of them once were right."""
    refused = arrivals.refused
    if arrivals.accepted is None and refused is None and turn is None:
        return [
            Finding("port", "wait", "nobody", links=("add_llama_cpp",)),
            Finding("key", "wait", "later"),
            Finding("models", "wait", "later"),
        ]
    found = [Finding("port", "good", "reached")]
    if refused is not None:
        code = "missing" if refused.without_key else "wrong"
        return [
            *found,
            Finding("key", "bad", code, {"n": refused.count, "at": refused.at}, ("llama_cpp",)),
            Finding("models", "wait", "later"),
        ]
    found.append(Finding("key", "good", "right"))
    if arrivals.listed is not None or turn is not None:
        return [*found, Finding("models", "good", "listed")]
    return [*found, Finding("models", "wait", "not_yet")]


def _sentence(turn: Turn | None) -> Finding:
    if turn is None:
        return Finding("sentence", "wait", "none", links=("llama_cpp", "assistants"))
    kind = turn_kind(turn.requests)
    if kind == "failed":
        return Finding("sentence", "bad", "failed", {"id": turn.last.id})
    if kind == "unmet":
        return Finding("sentence", "warn", "unmet", {"id": turn.last.id})
    return Finding("sentence", "good", "answered", {"id": turn.last.id})


def _home(body: Mapping[str, Any]) -> list[Finding]:
    home, tools = home_of(body), functions_of(body)
    if not tools:
        return [Finding("devices", "bad", "no_assist", links=("llama_cpp",))]
    count = len(home.entities)
    devices = (
        Finding("devices", "good", "exposed", {"n": count, "areas": len(home.areas)}, ("expose",))
        if count
        else Finding("devices", "bad", "none", links=("expose",))
    )
    if home.satellite_area:
        return [devices, Finding("satellite", "good", "known", {"area": home.satellite_area})]
    return [devices, Finding("satellite", "warn", "unknown", links=("devices",))]


async def _languages(services: Services, good: Sequence[str]) -> Finding:
    chosen = services.settings.current.settings.ha_assist_languages
    registry = services.registry
    home = registry.current.language if registry is not None and registry.current is not None else None
    spoken = [*(await services.traces.facets()).languages]
    wanted = [code.split("-")[0] for code in (home, *spoken[:1]) if code]
    for code in wanted:
        if chosen and code not in {one.split("-")[0] for one in chosen}:
            return Finding("languages", "warn", "not_chosen", {"language": code})
        if code not in good:
            return Finding("languages", "warn", "basic", {"language": code})
    return Finding("languages", "good", "chosen" if chosen else "all", {"languages": [*chosen] or [*good]})


def _headline(findings: Sequence[Finding], turn: Turn | None) -> tuple[str, State]:
    by_step = {finding.step: finding for finding in findings}
    worst = next((f for f in findings if f.state == "bad"), None)
    if worst is not None:
        return f"{worst.step}_bad", "bad"
    if turn is None:
        return ("connected" if by_step["key"].state == "good" else "waiting"), "wait"
    if any(finding.state == "warn" for finding in findings):
        return "works_but", "warn"
    return "works", "good"


def _chat(body: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        return as_chat(body)
    except HaAssistError:
        return body


def _is_real(body: Mapping[str, Any]) -> bool:
    return not {str(function.get("name")) for function in functions_of(body)} & _SETUP_TOOLS
