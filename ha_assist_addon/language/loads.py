"""Loads grammars beside everything else: one thread for each that is missing, which all who need it wait for.

A grammar takes a second or more of pure Python. In asyncio's own threads a few of them would hold up whatever else
waits for one of those; and what many languages in turn would throw out again stays by how often it is used.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from .detect import LanguageDetector
    from .grammar import Grammar, GrammarLibrary

MOST_GRAMMARS = 24
"""Some 8 MB each; who enables fewer languages has fewer."""
_MOST_USES = 1000
_POLISH_SECONDS = 0.2
T = TypeVar("T")


class Loads:
    """What is being loaded of a library."""

    def __init__(self, library: GrammarLibrary) -> None:
        self._library = library
        self._running: dict[tuple[asyncio.AbstractEventLoop, object], asyncio.Future[Any]] = {}
        self._polishing = threading.Lock()
        self._taken = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def grammar(self, language: str) -> Grammar | None:
        """The grammar of a language, None where there is none."""
        if self._library.in_memory(language):
            grammar = self._library.get(language)
        else:
            grammar = await self._shared(language, lambda: self._library.get(language), self._polish)
        await self._turn()
        return grammar

    async def detector(self, languages: Sequence[str]) -> LanguageDetector:
        """The detector for these languages, all where none is named."""
        known = self._library.known_detector(languages)
        if known is not None:
            return known
        return await self._shared(tuple(languages), lambda: self._library.detector(languages))

    async def _turn(self) -> None:
        """Let one through in each round of the event loop.

        What follows takes the interpreter for some ten milliseconds. Of many that are ready at once, all would run
        before the loop looks at a socket again.
        """
        loop = asyncio.get_running_loop()
        if self._taken:
            self._waiting.append(future := loop.create_future())
            await future
        else:
            self._taken = True
            loop.call_soon(self._next)

    def _next(self) -> None:
        while self._waiting:
            future = self._waiting.popleft()
            if not future.done() and not future.get_loop().is_closed():
                future.set_result(None)
                future.get_loop().call_soon(self._next)
                return
        self._taken = False

    def _polish(self, grammar: Grammar | None) -> None:
        """Make in advance what sentences would make one by one, once nothing is waited for."""
        with self._polishing:
            while self._running:
                time.sleep(_POLISH_SECONDS)
            if grammar is not None:
                grammar.prepare()

    async def _shared(self, what: object, work: Callable[[], T], then: Callable[[T], None] | None = None) -> T:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] | None = self._running.get((loop, what))
        if future is None:
            future = self._running[loop, what] = loop.create_future()
            future.add_done_callback(lambda _: self._running.pop((loop, what), None))
            # A daemon: a stop does not wait for a grammar that nobody will use.
            threading.Thread(target=_work, args=(loop, future, work, then), name=f"load {what}", daemon=True).start()
        # Whoever is cancelled leaves the others their grammar.
        return await asyncio.shield(future)


class Usage:
    """How often each language was asked for; what was long ago counts less and less."""

    def __init__(self) -> None:
        self._uses: Counter[str] = Counter()

    def count(self, language: str) -> None:
        """The language was asked for."""
        self._uses[language] += 1
        if self._uses[language] > _MOST_USES:
            self._uses = Counter({each: uses // 2 for each, uses in self._uses.items() if uses > 1})

    def least(self, languages: Iterable[str]) -> str:
        """The one that is used least, the first of several."""
        return min(languages, key=self._uses.__getitem__)


def _work(
    loop: asyncio.AbstractEventLoop,
    future: asyncio.Future[T],
    work: Callable[[], T],
    then: Callable[[T], None] | None,
) -> None:
    def tell(done: Callable[[], None]) -> None:
        # The loop may have ended, and whoever waited with it.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(lambda: None if future.done() else done())

    try:
        result = work()
    except Exception as error:  # noqa: BLE001 - carried to whoever waits
        raised = error
        tell(lambda: future.set_exception(raised))
    else:
        tell(lambda: future.set_result(result))
        if then is not None:
            then(result)
