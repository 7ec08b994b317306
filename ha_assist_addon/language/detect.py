"""Which language a sentence is in, by the words of the grammars and lexicons."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence

from .data import read_text
from .lexicon import lexicon_file, tokens_of
from .question_words import lexicon_phrases
from .source import load_source
from .vocabulary import literal_words
from .words import fold_word, folded_words, words_of

_REMARK = re.compile(r"(?m)^\w+:|#.*$|\{[{%].*?[}%]\}|\\w|\\d|\\b|\(\?[:!=<]+")

_HOME_WEIGHT = 1.0
_HOME_WEIGHT_UNKNOWN = 4.0
"""What the home's names add to the score of their language; the second for a sentence of which no word is known."""

_ARTICLE_WEIGHT = 0.5
"""What a word counts more, as a share, in the languages in which it is an article: "a luz", "el volumen"."""

_HOMES_KEPT = 32
_CLOSE = 0.55
"""A language whose score is below this share of the best one is not tried."""


def vocabulary(language: str) -> frozenset[str]:
    """The literal words of a grammar, folded, and those of our own texts in the language."""
    own = (fold_word(word.text) for text in _own_texts(language) for word in words_of(text))
    return frozenset((*map(fold_word, literal_words(load_source(language) or {})), *own))


def articles(language: str) -> frozenset[str]:
    """The articles of a language, folded; none where it has no lexicon."""
    file = lexicon_file(language)
    return frozenset(map(fold_word, file.articles)) if file is not None else frozenset()


def _spoken(language: str) -> frozenset[str]:
    """The words by which a language is known: those of its grammar, our texts and its lexicon."""
    phrases = lexicon_phrases(language)
    return vocabulary(language).union(token.folded for phrase in phrases for token in tokens_of(phrase))


def _own_texts(language: str) -> Iterator[str]:
    """Replies and guards: they hold the small words of a language that commands lack."""
    for kind in ("replies", "guards"):
        text = read_text(kind, language)
        if text is not None:
            yield from _REMARK.sub("", text).splitlines()


class LanguageDetector:
    """Scores sentences against the vocabularies of the enabled languages; rare words count more than shared ones."""

    def __init__(self, languages: Iterable[str]) -> None:
        self.languages: tuple[str, ...] = tuple(languages)
        self._speakers: dict[str, list[int]] = {}
        self._articles: dict[str, list[int]] = {}
        self._homes: dict[str, dict[int, float]] = {}
        for number, language in enumerate(self.languages):
            for word in _spoken(language):
                self._speakers.setdefault(word, []).append(number)
            for word in articles(language):
                self._articles.setdefault(word, []).append(number)

    def rank(self, sentence: str, earlier: Sequence[str] = (), home: str = "") -> tuple[str, ...]:
        """Languages worth trying, the likeliest first.

        `earlier` are sentences of the same conversation, `home` its names: both decide where the sentence
        leaves it open.
        """
        if len(self.languages) <= 1:
            return self.languages
        scores = self._score(sentence)
        if home and scores:
            weight = _HOME_WEIGHT + _HOME_WEIGHT_UNKNOWN * self._unknown_share(sentence)
            for number, share in self._at_home(home).items():
                scores[number] = scores.get(number, 0.0) + weight * share
        for weight, text in zip((0.5, 0.25, 0.125), reversed(earlier), strict=False):
            for number, score in self._score(text).items():
                scores[number] = scores.get(number, 0.0) + weight * score
        if not scores:
            return ()
        best = max(scores.values())
        ranked = sorted(scores, key=lambda n: (-scores[n], len(self.languages[n]), n))
        return tuple(self.languages[n] for n in ranked if scores[n] >= _CLOSE * best)

    def _at_home(self, names: str) -> dict[int, float]:
        """How well each language fits the home's names, as a share of the best; kept, since a home says much."""
        if names not in self._homes:
            scores = self._score(names)
            most = max(scores.values(), default=1.0)
            if len(self._homes) >= _HOMES_KEPT:
                self._homes.clear()
            self._homes[names] = {number: score / most for number, score in scores.items()}
        return self._homes[names]

    def _unknown_share(self, sentence: str) -> float:
        """The share of the words that the best language does not know."""
        words = dict.fromkeys(folded_words(sentence))
        counts: dict[int, int] = {}
        for word in words:
            for number in self._speakers.get(word, ()):
                counts[number] = counts.get(number, 0) + 1
        return 1.0 - max(counts.values(), default=0) / max(1, len(words))

    def _score(self, sentence: str) -> dict[int, float]:
        scores: dict[int, float] = {}
        for word in dict.fromkeys(folded_words(sentence)):
            speakers = None if word.isdecimal() else self._speakers.get(word)
            if speakers:
                weight = math.log(1 + len(self.languages) / len(speakers)) * min(len(word), 6) ** 0.5
                for number in speakers:
                    scores[number] = scores.get(number, 0.0) + weight
                for number in self._articles.get(word, ()):
                    scores[number] = scores.get(number, 0.0) + _ARTICLE_WEIGHT * weight
        return scores
