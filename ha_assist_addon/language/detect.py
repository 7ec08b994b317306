"""Which language a sentence is in, by the words of the grammars and lexicons."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from .compiled import CompiledFiles, key_of
from .data import languages_with, look_up, read_text
from .lexicon import lexicon_file
from .question_words import lexicon_phrases
from .small_talk import said_in
from .source import load_source, raw_sources
from .tokens import tokens_of
from .vocabulary import literal_words
from .words import fold_word, folded_words, words_of

_REMARK = re.compile(r"(?m)^\w+:|#.*$|\{[{%].*?[}%]\}|\\w|\\d|\\b|\(\?[:!=<]+")

_OWN_TEXTS = ("replies", "guards")
"""They hold the small words of a language that commands lack."""

_HOME_WEIGHT = 1.0
_HOME_WEIGHT_UNKNOWN = 4.0
"""What the home's names add to the score of their language; the second for a sentence of which no word is known."""

_TOO_FEW = 0.5
"""The share of unknown words from which on the known ones do not tell a language by themselves."""

_FEWEST = 2
"""So few words of a language of which we know little may be a name or a title of another."""

_OF_FEW = 0.25
"""What those are worth then."""

_OF_FEW_TRIED = 4
"""How many languages are tried then, however close they are."""
_ARTICLE_WEIGHT = 0.5
"""What a word counts more, as a share, in the languages in which it is an article: "a luz", "el volumen"."""

_HOMES_KEPT = 32
_CLOSE = 0.55
"""A language whose score is below this share of the best one is not tried."""


def vocabulary(language: str) -> frozenset[str]:
    """The literal words of a grammar, folded, and those of our own texts in the language."""
    own = (fold_word(word.text) for text in _own_texts(language) for word in words_of(text))
    return frozenset((*map(fold_word, literal_words(load_source(language) or {})), *own))


def vocabularies(languages: Sequence[str], files: CompiledFiles) -> Mapping[str, Collection[str]]:
    """The words by which these languages are known; to gather all of them takes half a second."""
    key = key_of(
        part for language in languages for part in (language.encode(), *raw_sources(language), *_raw(language))
    )
    kept = files.read("vocabularies", key)
    with suppress(AttributeError):  # what else is no table of texts is none that was kept
        return {language: words.split("\n") for language, words in kept.items()}
    found = {language: _spoken(language) for language in languages}
    files.write("vocabularies", key, {language: "\n".join(sorted(words)) for language, words in found.items()})
    return found


def _raw(language: str) -> Iterator[bytes]:
    kinds = (*_OWN_TEXTS, "lexicon")
    return (text.encode() for kind in kinds if (text := read_text(kind, language)) is not None)


def articles(language: str) -> frozenset[str]:
    """The articles of a language, folded; none where it has no lexicon."""
    file = lexicon_file(language)
    return frozenset(map(fold_word, file.articles)) if file is not None else frozenset()


def _spoken(language: str) -> frozenset[str]:
    """The words by which a language is known: those of its grammar, our texts and its lexicon."""
    phrases = lexicon_phrases(language)
    return vocabulary(language).union(token.folded for phrase in phrases for token in tokens_of(phrase))


def _own_texts(language: str) -> Iterator[str]:
    """Small talk, replies and guards: they hold the small words of a language that commands lack."""
    yield from said_in(language)
    for kind in _OWN_TEXTS:
        text = read_text(kind, language)
        if text is not None:
            yield from _REMARK.sub("", text).splitlines()


class LanguageDetector:
    """Scores sentences against the vocabularies of the enabled languages; rare words count more than shared ones."""

    def __init__(self, languages: Iterable[str], known: Mapping[str, Collection[str]] | None = None) -> None:
        self.languages: tuple[str, ...] = tuple(languages)
        self._speakers: dict[str, list[int]] = {}
        self._articles: dict[str, list[int]] = {}
        self._homes: dict[str, dict[int, float]] = {}
        self._order = [_place_of(language) for language in self.languages]
        for number, language in enumerate(self.languages):
            for word in known[language] if known is not None else _spoken(language):
                self._speakers.setdefault(word, []).append(number)
            for word in articles(language):
                self._articles.setdefault(word, []).append(number)

    def rank(
        self, sentence: str, earlier: Sequence[str] = (), home: str = "", *, named: bool = False
    ) -> tuple[str, ...]:
        """Languages worth trying, the likeliest first.

        `earlier` are sentences of the same conversation, `home` its names: both decide where the sentence
        leaves it open. `named`: names of the home were taken out of the sentence.
        """
        if len(self.languages) <= 1:
            return self.languages
        scores = self._score(sentence)
        own = min(scores, key=lambda n: (-scores[n], self._order[n], n), default=None)
        unknown = self._unknown_share(sentence)
        few = bool(scores) and (unknown >= _TOO_FEW or self._is_foreign(sentence, scores, named=named))
        if few:
            # One word of several: a title or a name. The conversation and the home tell more.
            unknown = max(unknown, _TOO_FEW)
            scores = {number: score * _OF_FEW for number, score in scores.items()}
        if home and (scores or unknown):
            weight = _HOME_WEIGHT + _HOME_WEIGHT_UNKNOWN * unknown
            for number, share in self._at_home(home).items():
                scores[number] = scores.get(number, 0.0) + weight * share
        for weight, text in zip((0.5, 0.25, 0.125), reversed(earlier), strict=False):
            for number, score in self._score(text).items():
                scores[number] = scores.get(number, 0.0) + weight * score
        if not scores:
            return (self.languages[self._order.index(min(self._order))],)
        best = max(scores.values())
        ranked = sorted(scores, key=lambda n: (-scores[n], self._order[n], n))
        if few and own is not None and own in ranked[2:]:
            ranked.remove(own)
            ranked.insert(1, own)  # what the few words are, after what the home speaks
        close = (n for place, n in enumerate(ranked) if scores[n] >= _CLOSE * best or (few and place < _OF_FEW_TRIED))
        return tuple(self.languages[n] for n in close)

    def _is_foreign(self, sentence: str, scores: Mapping[int, float], *, named: bool) -> bool:
        """Whether a word or two are all there is, and they are of a language of which we know little."""
        best = max(scores, key=lambda n: scores[n])
        most = 1 if named else _FEWEST
        return len(_telling_words(sentence)) <= most and look_up("replies", self.languages[best]) is None

    def _at_home(self, names: str) -> dict[int, float]:
        """How well each language fits the home's names, as a share of the best; kept, since a home says much."""
        if names not in self._homes:
            scores = self._score(names)
            most = max(scores.values(), default=1.0)
            if len(self._homes) >= _HOMES_KEPT:
                self._homes.clear()
            shares = {number: score / most for number, score in scores.items()}
            self._homes[names] = {number: self._at_most_base(number, shares) for number in shares}
        return self._homes[names]

    def _at_most_base(self, number: int, shares: Mapping[int, float]) -> float:
        """The share of a language; a variant fits names no better than the language that it varies."""
        base = self.languages[number].partition("-")[0]
        known = self.languages.index(base) if base in self.languages else number
        return min(shares[number], shares.get(known, 0.0))

    def knows(self, sentence: str) -> bool:
        """Whether any language has a word of a sentence."""
        return bool(self._score(sentence))

    def _unknown_share(self, sentence: str) -> float:
        """The share of the words that the best language does not know."""
        words = _telling_words(sentence)
        counts: dict[int, int] = {}
        for word in words:
            for number in self._speakers.get(word, ()):
                counts[number] = counts.get(number, 0) + 1
        return 1.0 - max(counts.values(), default=0) / max(1, len(words))

    def _score(self, sentence: str) -> dict[int, float]:
        scores: dict[int, float] = {}
        for word in _telling_words(sentence):
            speakers = self._speakers.get(word)
            if speakers:
                weight = math.log(1 + len(self.languages) / len(speakers)) * min(len(word), 6) ** 0.5
                for number in speakers:
                    scores[number] = scores.get(number, 0.0) + weight
                for number in self._articles.get(word, ()):
                    scores[number] = scores.get(number, 0.0) + _ARTICLE_WEIGHT * weight
        return scores


def _place_of(language: str) -> tuple[bool, bool, int]:
    """Where nothing tells languages apart: Home Assistant's own first, then those that we know well, then the plain."""
    return language != "en", language not in languages_with("lexicon"), len(language)


def _telling_words(sentence: str) -> Collection[str]:
    """The words that may tell a language; figures are the same in all."""
    return dict.fromkeys(word for word in folded_words(sentence) if not word.isdecimal())
