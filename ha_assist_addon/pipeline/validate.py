"""What a model asks for is checked before anybody executes it."""

from __future__ import annotations

from dataclasses import dataclass

from ..conversation import ToolCall
from ..home.catalogue import Home
from ..home.match import Miss, NoTargets, find_targets
from ..home.toolbox import Toolbox
from .plan import PLATFORM, SINGLE_TARGET, SWITCHES


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a generated call may be executed, and the sentence that says why not."""

    call: ToolCall
    accepted: bool
    why: str = ""


def validate(call: ToolCall, home: Home, toolbox: Toolbox, tool_choice: str = "auto") -> Verdict:
    """Check the offered name, the schema, the choice that the client made, and that the target exists."""
    tool = toolbox.by_name.get(call.name)
    if tool is None:
        return Verdict(call, False, f"{call.name} is not offered")
    if tool_choice == "none" or (tool_choice not in ("auto", "required") and tool_choice != call.name):
        return Verdict(call, False, f"the client did not allow {call.name}")
    problem = tool.problem(call.arguments)
    if problem is not None:
        return Verdict(call, False, problem)
    if tool.plain in PLATFORM or tool.plain in SWITCHES:
        found = find_targets(home, call.arguments, domains=PLATFORM.get(tool.plain), single=tool.plain in SINGLE_TARGET)
        if isinstance(found, NoTargets) and found.miss in (Miss.NAME, Miss.AREA, Miss.DOMAIN, Miss.NOTHING_THERE):
            return Verdict(call, False, f"nothing in the home fits ({found.miss})")
    return Verdict(call, True)
