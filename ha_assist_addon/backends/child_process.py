"""One run of the process of a native runtime: its start, its messages, its end and what that means."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .hailo_device import REPORT
from .messages import (
    Alive,
    Called,
    Counted,
    Done,
    Failed,
    FromChild,
    Loaded,
    Malformed,
    Text,
    from_child,
)

LOGGER = logging.getLogger(__name__)
MAX_ANSWER_LINE = 1024 * 1024
GRACE_SECONDS = 1.0
STDERR_BYTES = 16 * 1024
PASSED_ON = frozenset({"HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "PYTHONPATH", "TMPDIR", "TZ", REPORT})
"""Variables that a runtime may need; no key is ever among them."""
ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Gone:
    """The process has ended; `lasting` says that it would end in the same way again."""

    sentence: str
    lasting: bool = False


Received = FromChild | Gone
Inbox = asyncio.Queue[Received]
LoadingInbox = asyncio.Queue[Loaded | Failed | Gone]


class ChildProcess:
    """A process in a group of its own, which is killed as a whole and always reaped."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        if process.stdin is None or process.stdout is None or process.stderr is None:
            raise ValueError("a process without pipes")
        self._process = process
        self._stdin, self._stdout, self._errors = process.stdin, process.stdout, process.stderr
        self._inboxes: dict[str, Inbox] = {}
        self._stderr: deque[bytes] = deque()
        self._ours: Gone | None = None
        self.loading: LoadingInbox = asyncio.Queue()
        self.gone: Gone | None = None
        self._watching = asyncio.create_task(self._watch())

    @classmethod
    async def start(cls, environment: Mapping[str, str]) -> ChildProcess:
        """Start the process; raises OSError where the system cannot."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "ha_assist_addon.backends.child",
            str(os.getpid()),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=MAX_ANSWER_LINE,
            env=_environment(environment),
            start_new_session=True,
        )
        return cls(process)

    @property
    def pid(self) -> int:
        """The process id, which is also that of its group."""
        return self._process.pid

    def open(self, identity: str) -> Inbox:
        """Where the messages with this id arrive until `close`; `Gone` comes last where the process ends before."""
        inbox: Inbox = asyncio.Queue()
        if self.gone is not None:
            inbox.put_nowait(self.gone)
        self._inboxes[identity] = inbox
        return inbox

    def close(self, identity: str) -> None:
        """Nobody waits for messages with this id any more."""
        del self._inboxes[identity]

    async def send(self, line: bytes) -> None:
        """Pass an encoded message on; that the process has ended is told by `Gone` alone."""
        with suppress(ConnectionError):
            self._stdin.write(line)
            await self._stdin.drain()

    def kill(self, sentence: str) -> None:
        """End the whole group at once, for a reason that `Gone` will bear."""
        self._ours = self._ours or Gone(sentence)
        self._kill_group()

    async def ended(self) -> Gone:
        """Wait until the process has ended and is reaped."""
        return await asyncio.shield(self._watching)

    def memory_mb(self) -> float | None:
        """Resident memory, None where the system does not tell."""
        try:
            pages = int(Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1])
        except (OSError, IndexError, ValueError):
            return None
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    async def _watch(self) -> Gone:
        draining = asyncio.create_task(self._keep_stderr())
        try:
            await self._receive()
            # Whoever closes this pipe cannot be spoken to any more, whether it still runs or not.
            self._stdin.close()
            with suppress(TimeoutError):
                async with asyncio.timeout(GRACE_SECONDS):
                    await self._exit()
        finally:
            # Grandchildren may live on, and they hold the pipes.
            self._kill_group()
        code = await self._process.wait()
        await draining
        self.gone = self._ours or _meaning(code)
        LOGGER.debug("A runtime's process ended with %s: %s", code, b"".join(self._stderr).decode("utf-8", "replace"))
        self.loading.put_nowait(self.gone)
        for inbox in self._inboxes.values():
            inbox.put_nowait(self.gone)
        return self.gone

    async def _exit(self) -> None:
        while self._process.returncode is None:  # noqa: ASYNC110 - wait() waits for pipes too, which others may hold
            await asyncio.sleep(0.01)

    async def _receive(self) -> None:
        try:
            while line := await self._stdout.readline():
                self._deliver(from_child(line))
        except (ValueError, Malformed):  # asyncio reports a line over the limit as ValueError
            self.kill("The language model's process said something that cannot be understood.")

    def _deliver(self, message: FromChild) -> None:
        match message:
            case Loaded() | Failed(id=""):
                self.loading.put_nowait(message)
            case Text() | Called() | Alive() | Counted() | Done() | Failed():
                inbox = self._inboxes.get(message.id)
                if inbox is not None:
                    inbox.put_nowait(message)

    async def _keep_stderr(self) -> None:
        kept = 0
        while chunk := await self._errors.read(4096):
            self._stderr.append(chunk)
            kept += len(chunk)
            while kept > STDERR_BYTES:
                kept -= len(self._stderr.popleft())

    def _kill_group(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)


def _environment(more: Mapping[str, str]) -> dict[str, str]:
    environment = {name: value for name, value in os.environ.items() if name in PASSED_ON} | dict(more)
    paths = [str(ROOT), environment.get("PYTHONPATH", "")]
    return environment | {"PYTHONPATH": os.pathsep.join(filter(None, paths)), "PYTHONUNBUFFERED": "1"}


def _meaning(code: int) -> Gone:
    """What an end that we did not cause means for the person."""
    match -code:
        case signal.SIGILL:
            return Gone("This processor lacks instructions that the language model's runtime needs.", lasting=True)
        case signal.SIGKILL:
            return Gone("The language model's process was ended from outside; probably the memory did not suffice.")
        case number if number > 0:
            return Gone(f"The language model's process crashed ({_signal_name(number)}).")
        case _:
            return Gone("The language model's process ended unexpectedly.")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
