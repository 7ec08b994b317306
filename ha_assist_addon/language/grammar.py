"""The sentence grammars: Home Assistant's own, our additions, and what a person adds, loaded once a language."""

from __future__ import annotations

import json
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import cached_property
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Any

from hassil.intents import Intents, TextSlotList
from hassil.recognize import RecognizeResult, recognize_all
from hassil.util import fold_case, normalize_for_matching
from home_assistant_intents import get_languages

from .compiled import SHIPPED, CompiledFiles, key_of
from .detect import LanguageDetector, vocabularies
from .lexicon import lexicon
from .loads import MOST_GRAMMARS, Loads, Usage
from .number_lists import separate_scaled_lists
from .personal import SentencesProblem, with_personal
from .shape import Span, sentence_shapes
from .source import load_source
from .templates import HOME_LISTS, TemplateIndex, compile_templates, dump_templates, load_templates
from .vocabulary import literal_words
from .words import fold_word

LOGGER = logging.getLogger(__name__)
MAX_RESULTS = 64
MAX_CHARACTERS = 512
"""A longer sentence is no command."""
_REST_SECONDS = 0.001


class Grammar:
    """All sentences of one language, ready to match."""

    def __init__(self, language: str, source: Mapping[str, Any], compiled: CompiledFiles | None = None) -> None:
        self.language = language
        self.responses: Mapping[str, Any] = source.get("responses") or {}
        self.intents = Intents.from_dict(dict(source))
        separate_scaled_lists(self.intents)
        self.index, self.words = _compiled(language, source, self.intents, compiled or CompiledFiles())

    @cached_property
    def _skip_words(self) -> Sequence[tuple[str, str]]:
        """Skip words with their folded form: one that is not in a sentence need not be looked for."""
        return tuple((word, fold_case(word)) for word in self.intents.skip_words)

    def prepare(self) -> None:
        """Make all that sentences need and that is otherwise made by the first that needs it (0.4 s of work).

        It rests after each piece: whoever is answered meanwhile waits for a thousandth of a second, not for all.
        """
        for template in self.index.templates:
            template.prepare()
            time.sleep(_REST_SECONDS)

    def recognise(
        self,
        text: str,
        *,
        lists: Mapping[str, TextSlotList],
        context: Mapping[str, Any],
        intents: AbstractSet[str] | None = None,
        unknown_names: bool = False,
        spans: Sequence[Span] | None = None,
    ) -> Sequence[RecognizeResult]:
        """All matches of a sentence, at most `MAX_RESULTS`, none of one that is too long.

        `lists` are the request's names, areas and floors.
        `unknown_names` lets a name or an area that no list holds stand for itself (`unmatched_entities` of the result).
        `spans` say where the values of the lists stand: they spare hassil the templates of another shape.
        """
        if len(text) > MAX_CHARACTERS:
            return ()
        haystack = self._haystack(text)
        skip_words = [word for word, folded in self._skip_words if folded in haystack]
        filled = HOME_LISTS if unknown_names else {name for name, values in lists.items() if values.values}
        settings, shapes = self.intents.settings, None
        if spans is not None:
            shapes = sentence_shapes(text, tuple(spans), tuple(skip_words), settings.ignore_whitespace)
        domains = None if unknown_names or "name" not in lists else _domains(lists["name"])
        chosen = self.index.select(haystack, filled, intents, shapes, name_domains=domains, unknown_names=unknown_names)
        if not chosen:
            return ()
        subset = Intents(
            language=self.intents.language,
            intents=chosen,
            slot_lists=self.intents.slot_lists,
            expansion_rules=self.intents.expansion_rules,
            skip_words=skip_words,
            settings=self.intents.settings,
        )
        found = recognize_all(
            text,
            subset,
            slot_lists=dict(lists),
            intent_context=dict(context),
            allow_unmatched_entities=unknown_names,
        )
        return tuple(islice(found, MAX_RESULTS))

    def _haystack(self, text: str) -> str:
        folded = fold_case(normalize_for_matching(text).text)
        if self.intents.settings.ignore_whitespace:
            return f"{folded}\n{''.join(folded.split())}"
        return folded


def _compiled(
    language: str, source: Mapping[str, Any], intents: Intents, files: CompiledFiles
) -> tuple[TemplateIndex, Mapping[str, str]]:
    """The index over all templates, and the literal words as they are spelt, by their folded form."""
    key = key_of([json.dumps(source, default=repr).encode()])
    kept = files.read(language, key)
    if kept is not None:
        with suppress(ValueError, TypeError, LookupError):
            return TemplateIndex(load_templates(intents, kept)), dict(kept["words"])
    templates = tuple(compile_templates(intents))
    words = {fold_word(word): word for word in literal_words(source)}
    files.write(language, key, {**dump_templates(templates), "words": words})
    return TemplateIndex(templates), words


def _domains(names: TextSlotList) -> set[str]:
    """The domains of the names in a list."""
    return {str(value.context["domain"]) for value in names.values if value.context and "domain" in value.context}


class GrammarLibrary:
    """Grammars by language, loaded on demand; the least used is dropped past `limit`.

    `personal` is the folder of a person's own sentences; `problems` says which of its files are not used, and why.
    `compiled` is the folder in which what was compiled is kept for the next start.
    `on_load` is called in the thread that has loaded something large.
    """

    def __init__(
        self,
        limit: int = MOST_GRAMMARS,
        personal: Path | None = None,
        on_load: Callable[[], object] = lambda: None,
        compiled: Path | None = None,
    ) -> None:
        self._personal = personal
        self._compiled = CompiledFiles(compiled)
        self._on_load = on_load
        self.problems: dict[str, SentencesProblem] = {}
        self._grammars: OrderedDict[str, Grammar] = OrderedDict()
        self._limit = limit
        self._lock = Lock()
        self._loading = Lock()
        self._detectors: dict[tuple[str, ...], LanguageDetector] = {}
        self._detecting = Lock()
        self._usage = Usage()
        self.loads = Loads(self)

    def known_detector(self, languages: Sequence[str] = ()) -> LanguageDetector | None:
        """The detector for the enabled languages, if it is there already."""
        return self._detectors.get(self._enabled(languages))

    def _enabled(self, languages: Sequence[str]) -> tuple[str, ...]:
        known = set(self.languages())
        return tuple(language for language in languages if language in known) or tuple(self.languages())

    def detector(self, languages: Sequence[str] = ()) -> LanguageDetector:
        """The detector for the enabled languages; all of them where none is named. Building it takes half a second."""
        enabled = self._enabled(languages)
        with self._detecting:
            if enabled not in self._detectors:
                self._detectors[enabled] = LanguageDetector(enabled, vocabularies(self.languages(), self._compiled))
                self._on_load()
            return self._detectors[enabled]

    def in_memory(self, language: str) -> bool:
        """Whether `get` would answer at once."""
        with self._lock:
            return language in self._grammars

    @staticmethod
    def languages() -> Sequence[str]:
        """Every language that Home Assistant's sentence package holds."""
        return sorted(get_languages())

    def get(self, language: str) -> Grammar | None:
        """The grammar of a language, or None where there is none; one that is not in memory is parsed, once."""
        if (grammar := self._recall(language)) is not None:
            return grammar
        with self._loading:
            if (grammar := self._recall(language)) is not None:
                return grammar
            source = load_source(language)
            if source is None:
                return None
            source = self._with_personal(language, source)
            grammar = Grammar(language, source, self._compiled)
            lexicon(language)  # made now, not on the event loop by the first sentence
        with self._lock:
            self._grammars[language] = grammar
            while len(self._grammars) > self._limit:
                del self._grammars[self._usage.least(each for each in self._grammars if each != language)]
        self._on_load()
        return grammar

    def _with_personal(self, language: str, source: dict[str, Any]) -> dict[str, Any]:
        if self._personal is None:
            return source
        merged, problem = with_personal(source, self._personal / f"{language}.yaml")
        self.problems.pop(language, None)
        if problem is not None:
            self.problems[language] = problem
            LOGGER.warning(problem.sentence)
        return merged

    def _recall(self, language: str) -> Grammar | None:
        with self._lock:
            self._usage.count(language)
            grammar = self._grammars.get(language)
            if grammar is not None:
                self._grammars.move_to_end(language)
            return grammar

    def loaded(self) -> Iterable[str]:
        """Languages in memory now."""
        with self._lock:
            return tuple(self._grammars)


def compile_all(folder: Path = SHIPPED) -> None:
    """Compile every language, for an image that is being built."""
    library = GrammarLibrary(compiled=folder)
    library.detector()
    for language in library.languages():
        library.get(language)
