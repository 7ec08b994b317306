"""The embedding model that runs in onnxruntime, in a process of its own: where that crashes, the server lives on.

The process is `python -m ha_assist_addon.retrieval.apart PARENT`. It takes a line of JSON with the texts and answers a
line with the shape of the vectors, then their bytes; what goes wrong is a line with a reason.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from ..processes import die_with, private_streams

if TYPE_CHECKING:
    from .embedder import Vectors

START_SECONDS = 60.0
ENCODE_SECONDS = 20.0
MOST_CRASHES = 3
"""After so many it is not started again."""
_ROOT = Path(__file__).resolve().parents[2]
_PASSED_ON = frozenset({"HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "PYTHONPATH", "TMPDIR"})


class ModelEnded(Exception):
    """The process of the embedding model has ended or does not answer; the message is one sentence."""


class Apart:
    """An embedder whose model is in another process; loading waits until that is ready, and raises ModelEnded."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._crashes = 0
        self._process = self._start()

    @property
    def pid(self) -> int:
        """The id of the process that runs now."""
        return self._process.pid

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row a text; a process that ends is started again, a few times."""
        with self._lock:
            while True:
                try:
                    return self._encode(texts)
                except ModelEnded:
                    self._crashes += 1
                    if self._crashes >= MOST_CRASHES:
                        raise
                    self._process = self._start()

    def close(self) -> None:
        """End the process."""
        _end(self._process)

    def _encode(self, texts: Sequence[str]) -> Vectors:
        import numpy as np  # noqa: PLC0415 - loaded with the model only

        line = json.dumps([text.encode("utf-8", "replace").decode() for text in texts]).encode() + b"\n"
        try:
            self._to.write(line)
            self._to.flush()
        except OSError as error:
            raise self._ended() from error
        answer = self._answer(ENCODE_SECONDS)
        rows, columns = int(answer["rows"]), int(answer["columns"])
        content = self._read(rows * columns * 4, ENCODE_SECONDS)
        return np.frombuffer(content, dtype="<f4").reshape(rows, columns)

    def _start(self) -> subprocess.Popen[bytes]:
        environment = {name: value for name, value in os.environ.items() if name in _PASSED_ON}
        paths = [str(_ROOT), environment.get("PYTHONPATH", "")]
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            [sys.executable, "-P", "-m", __name__, str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
            start_new_session=True,
        )
        self._to, self._from = cast("BinaryIO", self._process.stdin), cast("BinaryIO", self._process.stdout)
        self._answer(START_SECONDS)
        return self._process

    def _answer(self, seconds: float) -> dict[str, Any]:
        line = b""
        while not line.endswith(b"\n"):
            line += self._read(1, seconds)
        answer: dict[str, Any] = json.loads(line)
        if "reason" in answer:
            _end(self._process)
            raise ModelEnded(str(answer["reason"]))
        return answer

    def _read(self, size: int, seconds: float) -> bytes:
        descriptor, content = self._from.fileno(), b""
        ready = select.poll()
        ready.register(descriptor, select.POLLIN)
        while len(content) < size:
            piece = os.read(descriptor, size - len(content)) if ready.poll(seconds * 1000) else b""
            if not piece:
                raise self._ended()
            content += piece
        return content

    def _ended(self) -> ModelEnded:
        _end(self._process)
        code = self._process.returncode
        how = f"was ended by {signal.Signals(-code).name}" if code < 0 and code != -signal.SIGKILL else "gave no answer"
        return ModelEnded(f"its process {how}")


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, subprocess.TimeoutExpired):
        # One that has crashed needs a moment until its code can be read.
        process.wait(0.2)
    with suppress(ProcessLookupError):
        process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def _serve(incoming: BinaryIO, outgoing: BinaryIO) -> None:
    from .embedder import MiniLm  # noqa: PLC0415 - the parent does without it

    def tell(**answer: Any) -> None:
        outgoing.write(json.dumps(answer).encode() + b"\n")
        outgoing.flush()

    try:
        model = MiniLm()
    except Exception as error:  # noqa: BLE001 - native code fails in its own ways; the parent says it
        tell(reason=str(error) or type(error).__name__)
        return
    tell(ready=True)
    while line := incoming.readline():
        try:
            vectors = model.encode(json.loads(line))
        except Exception as error:  # noqa: BLE001 - as above
            tell(reason=str(error) or type(error).__name__)
            return
        tell(rows=vectors.shape[0], columns=vectors.shape[1])
        outgoing.write(vectors.astype("<f4").tobytes())
        outgoing.flush()


def main() -> None:
    """Serve the parent, whose process id is the only argument."""
    die_with(int(sys.argv[1]))
    # A terminal's Ctrl-C is the parent's to answer.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _serve(*private_streams())
    # Threads of a runtime must not keep the process.
    os._exit(0)


if __name__ == "__main__":
    main()
