"""An engine that does what the last message says, however bad for its process."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Sequence

from ha_assist_addon.backends.engines.base import Ended, EngineError, EngineSpec, Output, answer_limit
from ha_assist_addon.backends.messages import Generate, Loaded
from ha_assist_addon.conversation import ToolCall


def obedient(load: str = "", **options: str | int) -> EngineSpec:
    """The engine; `load` is done while it loads."""
    return EngineSpec(f"{__name__}:Obedient", {"load": load, **options})


class Obedient:
    """Understands `say`, `slow`, `deaf`, `hold`, `signal`, `exit`, `memory`, `raise`, `garbage` and others."""

    counts_beside = False
    stop_tokens: tuple[str, ...] = ("<|im_end|>",)

    def __init__(self, path: str, *, load: str, context: int = 4000) -> None:
        self._context = context
        if load:
            do(load)
        self.loaded = Loaded(context, facts={"File": path})

    def count(self, texts: Sequence[str]) -> tuple[int, ...]:
        return tuple(len(text.split()) for text in texts)

    def generate(self, job: Generate, output: Output) -> Ended:
        text = job.messages[-1].text
        limit = answer_limit(len(text.split()), self._context, job.max_tokens)
        verb, _, rest = text.partition(" ")
        made = 0
        match verb:
            case "say":
                for made, letter in enumerate(rest, 1):
                    output.write(letter)
                    if made >= limit or not output.wanted:
                        break
            case "slow":
                while made < int(rest) and output.wanted:
                    made += 1
                    output.write("x")
                    time.sleep(0.01)
            case "deaf":
                output.write("x")
                time.sleep(float(rest))
            case "late":
                output.write("x")
                do(rest)
            case "call":
                output.call([ToolCall("1", rest, {})])
            case "huge":
                output.write("x" * int(rest))
            case "garbage":
                output._child._outgoing.write(b'{"kind": "text"}\n')  # type: ignore[attr-defined]
                output._child._outgoing.flush()  # type: ignore[attr-defined]
                time.sleep(60)
            case "tell":
                output.write({"environment": " ".join(sorted(os.environ)), "pid": str(os.getpid())}[rest])
            case _:
                do(text)
        return Ended("length" if made >= limit else "stop", len(text.split()), made)

    def cancel(self) -> None:
        pass

    def close(self) -> None:
        pass


def do(command: str) -> None:
    verb, _, rest = command.partition(" ")
    match verb:
        case "signal":
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            os.kill(os.getpid(), signal.Signals[rest])
        case "exit":
            os._exit(int(rest))
        case "sleep":
            time.sleep(float(rest))
        case "hold":
            # Blocks every thread of this process, as a library does that keeps the interpreter's lock.
            ctypes.PyDLL(None).sleep(ctypes.c_uint(int(rest)))
        case "memory":
            resource.setrlimit(resource.RLIMIT_AS, (512 * 2**20, 512 * 2**20))
            kept = bytearray(2**30)
            print(len(kept))
        case "print":
            print(rest, flush=True)
            os.write(1, b'{"kind": "nonsense"}\n')
        case "spawn":
            subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        case "refuse":
            raise EngineError(rest, "not_ready", lasting=True, facts={"Driver": "1.2.3"})
        case "broken":
            raise EngineError(rest, broken=True)
        case "raise":
            raise ValueError(rest)
