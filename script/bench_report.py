"""The figures for a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bench_servers import OURS

Figures = Mapping[str, Any]


def table(figures: Figures) -> str:
    """Everything that was measured."""
    lines = [f"{figures['at']}  {figures['machine']}  load {figures['load'][0]} to {figures['load'][1]}"]
    lines.append("Milliseconds as median / p95 / p99, and processor time of one request; ratios are HA-Assist's median")
    lines.append("and processor time against each of the others.")
    for home in figures["homes"]:
        lines += ["", *_home(home)]
    lines += ["", *_clients(figures["at_once"]), "", *_model(figures["with_model"])]
    lines += ["", *_loop(figures["loop"]), "", *_process(figures)]
    return "\n".join([*lines, *(["", f"Left out: {figures['left_out']}."] if figures["left_out"] else [])])


def _home(home: Figures) -> Iterator[str]:
    shares = ", ".join(f"{name} {share:.0%}" for name, share in home["calls"].items())
    yield f"{home['entities']} entities, {home['request_kb']} kB a request; commands answered with a call: {shares}"
    names = list(home["rows"]["command"])
    yield f"{'':<24}" + "".join(f"{name:>38}" for name in names) + f"{'ratios':>24}"
    for kind, found in home["rows"].items():
        cells = "".join(f"{_cell(found[name]) if name in found else '-':>38}" for name in names)
        yield f"{kind:<24}{cells}{_ratios(found):>24}"


def _cell(found: Figures) -> str:
    times = " /".join(f"{found[key]:7.1f}" for key in ("median_ms", "p95_ms", "p99_ms"))
    return f"{times}  ({found['cpu_ms']:.1f})" if "cpu_ms" in found else times


def _ratios(found: Figures) -> str:
    own = found[OURS]
    others = [each for name, each in found.items() if name != OURS]
    return ", ".join(
        f"{own['median_ms'] / each['median_ms']:.2f} {own['cpu_ms'] / each['cpu_ms']:.2f}"
        if each.get("cpu_ms")
        else f"{own['median_ms'] / each['median_ms']:.2f}"
        for each in others
    )


def _clients(found: Figures) -> Iterator[str]:
    yield f"Clients at once, commands in a home of {found['entities']} entities"
    for clients in ("1", "8", "32"):
        for name, each in found[clients].items():
            yield f"  {clients:>3}  {name:<16}{_cell(each):>38}{each['per_second']:>10.0f} a second"


def _model(found: Figures) -> Iterator[str]:
    yield f"Before a model is asked, {found['entities']} entities, with embeddings; the model answers at once"
    yield f"  {'round trip':<22}{_cell(found['round trip'])}"
    for stage, each in found["stages"].items():
        yield f"  {stage:<22}{_cell(each)}"


def _loop(rows: list[Figures]) -> Iterator[str]:
    yield "Event loop held up by a home that is not known yet: whole request, longest wait, its processor time (most)"
    for each in rows:
        yield (
            f"  {each['entities']:>6} entities{each['request_ms']:>10.1f} ms{each['wall_ms']:>10.1f} ms"
            f"{each['cpu_ms']:>10.1f} ms{each['most_cpu_ms']:>10.1f} ms"
        )


def _process(figures: Figures) -> Iterator[str]:
    yield "Healthy after"
    for name, each in figures["healthy"].items():
        yield f"  {name:<22}{_cell(each)}"
    yield "Resident memory in MB"
    for name, each in figures["memory"].items():
        yield f"  {name:<22}{each:>8.1f}"
    yield f"  {'with embeddings':<22}{figures['with_model']['resident_mb']:>8.1f}"
    told = ", ".join(
        f"{name} {value:.0f}" for name, value in figures["growth"].items() if " " in name or name == "before"
    )
    yield f"Mixed requests, resident MB: {told}; {figures['growth']['requests_per_second']:.0f} a second"
