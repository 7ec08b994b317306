"""The words of a language that carry a command, and the phrases of a sentence that they explain.

`language/<code>/lexicon.yaml` holds them. A phrase may have several readings; the whole sentence decides which is
meant. Nothing here knows a home. In `verbs` a form that ends in `+` is also written together with the particles
(`an+schalten`), one that ends in `*` takes the pronouns of `clitics` (`encienda+la`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from itertools import chain
from typing import Any

from unicode_rbnf import RbnfEngine

from .data import look_up
from .lexicon_file import Acts, LexiconFile
from .tokens import Token, key_of, tokens_of
from .words import fold_word

_LARGEST_IN_WORDS = 100
PLEASE = "please"
"""The value of a courtesy, or of a wish, that asks for a thing."""
HALF = 0.5
"""The number that only stands before a unit."""
ARTICLE, DEFINITE = "article", "definite"
ARTICLES = frozenset({ARTICLE, DEFINITE})
"""The values of small words behind which no verb stands; a definite one speaks of something that is there."""


class Role(StrEnum):
    """What a phrase does in a sentence."""

    VERB = "verb"
    DIRECTION = "direction"
    """A particle or a state: on, off, up, locked."""
    COMPARATIVE = "comparative"
    COMPLAINT = "complaint"
    QUANTITY = "quantity"
    NOUN = "noun"
    COLOUR = "colour"
    WHITE = "white"
    LEVEL = "level"
    """A share in words: half, full, low."""
    FACTOR = "factor"
    UNIT = "unit"
    HALF = "half"
    DEGREE = "degree"
    ALL = "all"
    EVERYTHING = "everything"
    BOTH = "both"
    EXCEPT = "except"
    PRONOUN = "pronoun"
    HERE = "here"
    EVERYWHERE = "everywhere"
    DELTA = "delta"
    """Announces an amount by which something changes."""
    ABSOLUTE = "absolute"
    """Announces the value that is reached."""
    JOINT = "joint"
    WISH = "wish"
    COURTESY = "courtesy"
    FILLER = "filler"
    ALSO = "also"
    """Says at the end that something is meant besides: "the kettle too"."""
    SMALL = "small"
    """An article or a preposition."""
    NUMBER = "number"
    COUNT = "count"
    """Counts the unit that stands behind it, and is no number elsewhere: "a degree"."""
    CURRENT = "current"
    AGAIN = "again"
    OTHER = "other"
    ORDINAL = "ordinal"
    ONE = "one"
    MEAN = "mean"
    ASKS = "asks"
    """What makes a sentence a question, and which (question_words.py)."""
    QUALITY = "quality"
    """A state that is asked for."""
    MEASURE = "measure"
    TIME = "time"
    WEATHER = "weather"


@dataclass(frozen=True, slots=True)
class Meaning:
    """One reading of a phrase.

    `acts` are what it asks for, best first, each perhaps with what it is done to (`up:brightness`); `particles` is what
    a verb means together with one; `bare` what a direction means without a verb, `state` what it means as a state.
    """

    role: Role
    value: Any = None
    acts: tuple[str, ...] = ()
    particles: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False, compare=False)
    bare: tuple[str, ...] = ()
    state: tuple[str, ...] = ()
    plural: bool | None = None
    pronoun: bool = False
    tells: bool | None = None
    """Whether it is a form of a verb that says what happens ("closing"), where that shows."""


class _Node:
    """What a word may be followed by, and what the phrase up to it means."""

    __slots__ = ("meanings", "next")

    def __init__(self) -> None:
        self.next: dict[str, _Node] = {}
        self.meanings: tuple[Meaning, ...] = ()


class Lexicon:
    """The phrases of one language, by their first word."""

    def __init__(self, language: str, file: LexiconFile, more: Iterable[tuple[str, Meaning]] = ()) -> None:
        self.language = language
        self.endings = frozenset(map(fold_word, ("", *file.endings)))
        self.compounds = file.compounds
        self.verb_first = file.verb_first
        self.tells_definite = bool(file.definite)
        self.fugues = tuple(map(fold_word, ("", *file.fugues)))
        self.stopped_by_off = frozenset(file.stopped_by_off)
        self.places = frozenset(map(fold_word, file.places))
        self.yes = frozenset(map(key_of, file.yes))
        self.no = frozenset(map(key_of, file.no))
        self.always = frozenset(map(key_of, file.always))
        self.never_mind = frozenset(map(key_of, file.never_mind))
        self.more = frozenset(map(key_of, file.more))
        self.small = frozenset(map(key_of, (*file.articles, *file.prepositions, *file.pronouns)))
        self.list_verbs = {act: _split(file.lists.get(act, ())) for act in ("add", "remove", "complete")}
        self.list_into = _split(file.lists.get("into", ()))
        self.list_from = _split(file.lists.get("from", ()))
        self.list_of = frozenset(map(fold_word, file.lists.get("of", ())))
        self.list_after = frozenset(map(fold_word, file.lists.get("after", ())))
        self._assents = frozenset(tuple(phrase.split()) for phrase in self.yes)
        self._phrases = _Node()
        self.words: dict[str, str] = {}
        self.nouns: dict[tuple[str, ...], set[str]] = {}
        """Folded nouns, each with the kinds of thing that it names."""
        phrases: dict[tuple[str, ...], list[Meaning]] = {}
        for text, meaning in chain(_numbers(language, file), _meanings(file), more):
            tokens = tokens_of(text)
            key = tuple(token.folded for token in tokens)
            if not key:
                continue
            if meaning not in (meanings := phrases.setdefault(key, [])):
                meanings.append(meaning)
            self.words |= {token.folded: token.text for token in tokens if token.text.isalpha()}
            if meaning.role is Role.NOUN:
                self.nouns.setdefault(key, set()).add(str(meaning.value))
        for key, meanings in phrases.items():
            node = self._phrases
            for word in key:
                behind = node.next.get(word)
                if behind is None:
                    behind = node.next[word] = _Node()
                node = behind
            node.meanings = _merged(tuple(meanings)) if len(meanings) > 1 else tuple(meanings)

    def agrees(self, text: str) -> bool:
        """Whether a sentence says yes and nothing else, in one way or in several: "ok, do it please"."""
        words = tuple(key_of(text).split())
        reached = {0}
        for start in range(len(words)):
            if start in reached:
                reached |= {start + len(p) for p in self._assents if p and words[start : start + len(p)] == p}
        return bool(words) and len(words) in reached

    def starting(self, tokens: Sequence[Token], at: int) -> Iterator[tuple[int, tuple[Meaning, ...]]]:
        """The phrases that stand at a token, each with the token behind it and its readings."""
        node: _Node | None = self._phrases
        for end in range(at, len(tokens)):
            node = node.next.get(tokens[end].folded) if node is not None else None
            if node is None:
                return
            if node.meanings:
                yield end + 1, node.meanings

    def phrases_in(self, tokens: Sequence[Token]) -> Iterator[tuple[int, int, Meaning]]:
        """Every reading of every phrase in a sentence, with its first token and the one behind it."""
        for at in range(len(tokens)):
            yield from ((at, end, m) for end, meanings in self.starting(tokens, at) for m in meanings)

    def speaks_of(self, text: str, role: Role) -> bool:
        """Whether a phrase of a text can do this in a sentence."""
        return any(m.role is role for _, _, m in self.phrases_in(tokens_of(text)))

    def nouns_of(self, kind: str) -> frozenset[tuple[str, ...]]:
        """The folded nouns of a kind of thing."""
        return frozenset(noun for noun, kinds in self.nouns.items() if kind in kinds)

    def knows(self, word: str) -> bool:
        """Whether a folded word occurs in a phrase."""
        return word in self.words


@lru_cache(maxsize=16)
def lexicon(language: str) -> Lexicon | None:
    """The lexicon of a language, or None where we have none."""
    file = lexicon_file(language)
    return None if file is None else Lexicon(language, file)


def lexicon_file(language: str) -> LexiconFile | None:
    """The lexicon of a language as it is written."""
    loaded = look_up("lexicon", language)
    return None if loaded is None else LexiconFile.model_validate(loaded)


def command_phrases(language: str, file: LexiconFile) -> Iterator[str]:
    """Every phrase that commands and the answers to our questions are made of."""
    yield from (phrase for phrase, _ in (*_numbers(language, file), *_meanings(file)))
    for answers in (file.yes, file.no, file.never_mind, file.more):
        yield from answers


def _split(phrases: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Phrases as folded tokens, the longest first."""
    return tuple(sorted((tuple(t.folded for t in tokens_of(p)) for p in phrases), key=len, reverse=True))


def _merged(meanings: tuple[Meaning, ...]) -> tuple[Meaning, ...]:
    """What a direction means as a particle, alone and as a state is one reading."""
    directions = [m for m in meanings if m.role is Role.DIRECTION]
    if len(directions) < 2:
        return meanings
    one = Meaning(
        Role.DIRECTION,
        next((m.value for m in directions if m.value), None),
        bare=tuple(dict.fromkeys(a for m in directions for a in m.bare)),
        state=tuple(dict.fromkeys(a for m in directions for a in m.state)),
    )
    return (*(m for m in meanings if m.role is not Role.DIRECTION), one)


def _meanings(file: LexiconFile) -> Iterator[tuple[str, Meaning]]:
    yield from _verbs(file)
    for act, phrases in file.bare.items():
        yield from ((p, Meaning(Role.DIRECTION, bare=(act,))) for p in phrases)
    for act, phrases in file.states.items():
        yield from ((p, Meaning(Role.DIRECTION, state=(act,))) for p in phrases)
    yield from ((p, Meaning(Role.SMALL, DEFINITE if p in file.definite else ARTICLE)) for p in file.articles)
    for act, phrases in file.comparatives.items():
        yield from ((p, Meaning(Role.COMPARATIVE, acts=(act,))) for p in phrases)
    for act, phrases in file.complaints.items():
        yield from ((p, Meaning(Role.COMPLAINT, acts=(act,))) for p in phrases)
    for kind, phrases in file.nouns.items():
        yield from _nouns(kind, phrases)
    valued: Iterable[tuple[Role, Mapping[Any, tuple[str, ...]]]] = (
        (Role.QUANTITY, file.quantities), (Role.COLOUR, file.colours), (Role.WHITE, file.whites),
        (Role.LEVEL, file.levels), (Role.LEVEL, file.low_high), (Role.FACTOR, file.factors),
        (Role.UNIT, file.units), (Role.DEGREE, file.degrees),
        (Role.ORDINAL, file.ordinals),
    )  # fmt: skip
    for role, table in valued:
        for value, phrases in table.items():
            yield from ((p, Meaning(role, value)) for p in phrases)
    yield from ((p, Meaning(Role.NUMBER, HALF)) for p in file.half_of)
    yield from ((p, Meaning(Role.COUNT, 1.0)) for p in file.one_of)
    yield from ((p, Meaning(Role.COURTESY, PLEASE if p in file.please else None)) for p in file.courtesies)
    yield from ((p, Meaning(Role.WISH, PLEASE if p in file.please else None)) for p in file.wishes)
    plain = (
        (Role.SMALL, file.prepositions), (Role.DELTA, file.delta), (Role.ABSOLUTE, file.absolute),
        (Role.COURTESY, file.wake_words),
        (Role.JOINT, file.joints),
        (Role.BOTH, file.both), (Role.ALL, file.all), (Role.EVERYTHING, file.everything), (Role.EXCEPT, file.except_),
        (Role.PRONOUN, file.pronouns), (Role.OTHER, file.others), (Role.ONE, file.ones), (Role.HERE, file.here),
        (Role.EVERYWHERE, file.everywhere), (Role.AGAIN, file.again), (Role.MEAN, file.mean), (Role.HALF, file.half),
        (Role.CURRENT, file.current), (Role.FILLER, file.fillers), (Role.ALSO, file.also),
    )  # fmt: skip
    for role, listed in plain:
        yield from ((p, Meaning(role)) for p in listed)


def _numbers(language: str, file: LexiconFile) -> Iterator[tuple[str, Meaning]]:
    """The numbers from 0 to 100 in words."""
    yield from ((p, Meaning(Role.NUMBER, float(number))) for number, said in file.numbers.items() for p in said)
    engine = RbnfEngine.for_language(language.split("-", maxsplit=1)[0])
    for number in range(_LARGEST_IN_WORDS + 1):
        for text in set(engine.format_number(number).text_by_ruleset.values()):
            word = text.replace("\u00ad", "")
            yield word, Meaning(Role.NUMBER, float(number))
            yield from ((word + half, Meaning(Role.NUMBER, number + HALF)) for half in file.half_together)


def _verbs(file: LexiconFile) -> Iterator[tuple[str, Meaning]]:
    for forms, takes in file.verbs.items():
        particles = {key_of(p): acts for p, acts in takes.items() if p != "alone"}
        verb = Meaning(Role.VERB, forms, takes.get("alone", ()), particles)
        with_pronoun = replace(verb, pronoun=True)
        for marked in forms.split(","):
            form = marked.strip()
            word = form.rstrip("+*")
            yield word, replace(verb, tells=word.endswith(file.telling)) if file.telling else verb
            if "*" in form:
                for clitic in file.clitics:
                    yield word + clitic, with_pronoun
            if "+" in form:
                yield from _written_together(word, takes, file.infixes)
        yield from ((p, Meaning(Role.DIRECTION, key_of(p))) for p in takes if p != "alone")


def _written_together(word: str, takes: Mapping[str, Acts], infixes: Sequence[str]) -> Iterator[tuple[str, Meaning]]:
    for particle, acts in takes.items():
        if particle != "alone" and " " not in particle:
            for infix in ("", *infixes):
                yield particle + infix + word, Meaning(Role.VERB, particle, acts)


def _nouns(kind: str, phrases: Iterable[str]) -> Iterator[tuple[str, Meaning]]:
    for phrase in phrases:
        one, slash, many = phrase.partition("/")
        yield one, Meaning(Role.NOUN, kind, plural=False if slash else None)
        if slash:
            yield from ((form, Meaning(Role.NOUN, kind, plural=True)) for form in many.split("/"))
