"""How alike in meaning a sentence and other texts are; lives as long as the server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .apart import Apart
from .embedder import Embedder, Multilingual
from .vectors import VectorStore

_FIRST_WAIT = 0.3
"""Seconds that a request waits for vectors at most; what has none by then ranks by its words alone."""

_MOST_TEXTS = 2000
"""Texts that are compared in one request; what comes later ranks by its words alone."""

_ENGLISH = "en"
"""On thirty invented devices and twenty to forty sentences a language, mean reciprocal rank of MiniLM and of the
multilingual model: en .79 and .80, de .31 and .68, fr .18 and .70, es .21 and .57. MiniLM is kept for English."""


class Finder:
    """The embedding models and their vectors; `enabled` is asked at each request."""

    def __init__(
        self,
        enabled: Callable[[], bool],
        *,
        wait: float = _FIRST_WAIT,
        english: Callable[[], Embedder] = Apart,
        multilingual: Callable[[], Embedder] = Multilingual,
    ) -> None:
        self._enabled = enabled
        self._wait = wait
        self._english = VectorStore(english, "the English embedding model")
        self._multilingual = VectorStore(multilingual, "the multilingual embedding model")

    def store(self, language: str | None) -> VectorStore:
        """The vectors of the model that finds better in this language."""
        return self._english if (language or "").split("-")[0] == _ENGLISH else self._multilingual

    async def likeness(
        self, sentence: str, texts: Sequence[str], language: str | None, *, wait: float | None = None
    ) -> Mapping[str, float]:
        """Cosines of the sentence and each text whose vector is there in time; the first texts are seen to first."""
        if not sentence.strip() or not texts or not self._enabled():
            return {}
        vectors = await self.store(language).get([sentence, *texts[:_MOST_TEXTS]], self._wait if wait is None else wait)
        asked = vectors.get(sentence)
        if asked is None:
            return {}
        return {text: float(vectors[text] @ asked) for text in texts if text in vectors}

    async def settle(self) -> None:
        """Wait until every vector that was asked for is there."""
        await self._english.settle()
        await self._multilingual.settle()

    async def close(self) -> None:
        """Let the workers end."""
        await self._english.close()
        await self._multilingual.close()
