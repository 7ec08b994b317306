"""The ways to take a sentence apart into phrases that the lexicon or the home explains, the cheapest first."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from ...home.catalogue import Home
from ...home.entity import fold
from ...home.floors import floor_mentions
from ...home.home_words import HomeWords, home_words
from ...home.mentions import Kind as Listed
from ...language.lexicon import ARTICLES, HALF, Lexicon, Meaning, Role
from ...language.tokens import Token, tokens_of
from ...language.words import split_words
from ...meaning.command import Item
from ...meaning.kinds import is_of
from .compounds import taken_apart, with_part

MOST_TOKENS = 60
_KEPT = 40
"""So many ways to read the beginning of a sentence are followed."""
_INFLECTED = 0.15
_PART = 0.4
_UNKNOWN = 10.0
_FREE = {
    Role.JOINT: 0.5,
    Role.SMALL: 0.6,
    Role.ABSOLUTE: 0.6,
    Role.DELTA: 0.6,
    Role.COURTESY: 0.9,
    Role.FILLER: 1.3,
    Role.WISH: 1.0,
}
"""What a phrase costs that says little; others cost 1."""
_ANNOUNCED = {
    Role.ABSOLUTE: frozenset({Role.NUMBER, Role.LEVEL, Role.COLOUR, Role.WHITE}),
    Role.DELTA: frozenset({Role.NUMBER, Role.COUNT}),
}
"""What stands behind the words that announce a value."""
_NOT_GOVERNED = frozenset({Role.JOINT, Role.COURTESY, Role.FILLER})
"""What never stands behind a preposition."""
_NEVER_AFTER_ARTICLE = frozenset({Role.VERB, Role.COURTESY, Role.WISH})
_CALLED_AFTER_OTHERS = frozenset({"switch", "input_boolean", "group"})
"""Domains of which a thing is often called after what it feeds: the switch of the garden lights."""
_SAID_OTHERWISE = frozenset(Role) - {
    Role.VERB, Role.COMPARATIVE, Role.QUANTITY, Role.COLOUR, Role.WHITE, Role.LEVEL, Role.DEGREE,
    Role.FILLER, Role.UNIT,
    Role.ORDINAL,
}  # fmt: skip
"""Roles of words that join, point or count: as a piece of a name they would mean too much."""


@dataclass(frozen=True, slots=True)
class Span:
    """A phrase: tokens `start` to `end`, with its reading from the lexicon or the part of a reference that it is."""

    start: int
    end: int
    meaning: Meaning | None = None
    items: tuple[Item, ...] = ()
    cost: float = 1.0

    @property
    def role(self) -> Role | None:
        """What the lexicon says that it does."""
        return self.meaning.role if self.meaning is not None else None

    @property
    def is_unknown(self) -> bool:
        """Whether nothing explains it."""
        return self.meaning is None and not self.items


@dataclass(frozen=True, slots=True)
class Parsed:
    """The tokens of a sentence, and the ways to take it apart."""

    tokens: tuple[Token, ...]
    ways: tuple[tuple[Span, ...], ...]


class Speller:
    """Takes sentences of one language apart in one home."""

    def __init__(self, home: Home, lexicon: Lexicon) -> None:
        self.home = home
        self.lexicon = lexicon
        self.words: HomeWords = home_words(home, lexicon.endings)
        self._kinds: dict[str, frozenset[int]] = {}

    def parse(self, sentence: str) -> Parsed:
        """All ways within the bounds, the cheapest first; a sentence that is too long has none."""
        tokens = tokens_of(sentence)
        if not 0 < len(tokens) <= MOST_TOKENS:
            return Parsed(tokens, ())
        spans = self._spans(sentence, tokens)
        best: list[list[tuple[float, tuple[Span, ...]]]] = [[] for _ in range(len(tokens) + 1)]
        best[0] = [(0.0, ())]
        for at in range(len(tokens)):
            here = sorted(best[at], key=lambda way: way[0])[:_KEPT]
            for cost, way in here:
                for span in spans[at]:
                    if self._may_follow(way, span, spans[at]):
                        best[span.end].append((cost + span.cost, (*way, span)))
        ways = sorted(best[-1], key=lambda way: way[0])[:_KEPT]
        return Parsed(tokens, tuple(way for _, way in ways))

    def _may_follow(self, way: Sequence[Span], span: Span, others: Sequence[Span]) -> bool:
        """Whether a phrase can stand behind those before it; what follows differently is not tried."""
        last = way[-1] if way else None
        if last is not None and last.meaning is not None:
            article = last.role is Role.SMALL and last.meaning.value in ARTICLES
            if article and (span.role in _NEVER_AFTER_ARTICLE or _is_particle(span)):
                return False
            if span.role in (Role.SMALL, Role.VERB) and last.role is Role.VERB:
                said = (o for o in others if o.role is Role.DIRECTION and o.end == span.end and o.meaning is not None)
                if any(o.meaning is not None and o.meaning.value in last.meaning.particles for o in said):
                    return False
        if span.role is Role.VERB and self.lexicon.verb_first and _has_only_target(way):
            return not any(o.role is Role.NOUN and o.end == span.end for o in others)  # "the hall light" is a thing
        if span.role in (Role.DIRECTION, Role.COMPARATIVE) and self.lexicon.verb_first and _begins_clause(way):
            return not any(o.role is Role.VERB and o.end == span.end for o in others)
        return True

    def _spans(self, sentence: str, tokens: Sequence[Token]) -> list[list[Span]]:
        folded = [t.folded for t in tokens]
        by_start: list[list[Span]] = [[] for _ in tokens]
        for span in self._mentioned(sentence, tokens):
            by_start[span.start].append(span)
        inside = self._inside_nouns(tokens)
        for at, token in enumerate(tokens):
            found = by_start[at]
            for end, meanings in self.lexicon.starting(tokens, at):
                behind = self._roles_at(tokens, end)
                ends = end == len(tokens) or tokens[end].is_mark or (bool(behind) and behind <= _NOT_GOVERNED)
                for meaning in _without_doubles(meanings, behind, ends=ends):
                    if meaning.role is Role.VERB and at in inside:
                        continue
                    items = (self._noun(tokens[at:end], meaning),) if meaning.role is Role.NOUN else ()
                    found.append(Span(at, end, meaning, items, _FREE.get(meaning.role, 1.0)))
            if token.is_mark:
                found.append(
                    Span(at, at + 1, Meaning(Role.JOINT if token.folded in ",;.!" else Role.COURTESY), (), 0.1)
                )
                continue
            if (number := token.number) is not None:
                found.append(Span(at, at + 1, Meaning(Role.NUMBER, number)))
            found += self._home_spans(tokens, folded, at, found)
            _drop_named_nouns(found)
            if not any(span.end == at + 1 for span in found):
                found += self._rarer(token, at)
            if not any(span.end == at + 1 for span in found):
                found.append(Span(at, at + 1, cost=_UNKNOWN))
        return by_start

    def _inside_nouns(self, tokens: Sequence[Token]) -> set[int]:
        """The tokens of nouns of several words: of "vacuum cleaner" no part is a verb."""
        inside: set[int] = set()
        for at in range(len(tokens)):
            for end, meanings in self.lexicon.starting(tokens, at):
                if end > at + 1 and any(m.role is Role.NOUN for m in meanings):
                    inside.update(range(at, end))
        return inside

    def _roles_at(self, tokens: Sequence[Token], at: int) -> frozenset[Role]:
        """What the words at a place can do."""
        if at == len(tokens):
            return frozenset()
        listed = {m.role for _, meanings in self.lexicon.starting(tokens, at) for m in meanings}
        return frozenset(listed | {Role.NUMBER}) if tokens[at].number is not None else frozenset(listed)

    def _noun(self, tokens: Sequence[Token], meaning: Meaning) -> Item:
        kind = str(meaning.value)
        words = tuple(t.folded for t in tokens)
        bearers = self._of_kind(kind) | self.words.naming((" ".join(t.text for t in tokens),))
        if len(words) == 1:
            bearers |= self.words.with_word(words[0])
            if self.lexicon.compounds:
                bearers |= self.words.with_part(words[0])
        text = " ".join(t.text for t in tokens)
        return Item(f"noun:{kind}", text, words, frozenset(bearers), plural=meaning.plural)

    def _of_kind(self, kind: str) -> frozenset[int]:
        if kind not in self._kinds:
            named = {
                n
                for phrase in self.lexicon.nouns_of(kind)
                if len(phrase) == 1
                for n in self.words.with_word(phrase[0])
                if self.home.entities[n].domain in _CALLED_AFTER_OTHERS
            }
            of = {n for n, e in enumerate(self.home.entities) if is_of(e, kind, self.lexicon.language)}
            self._kinds[kind] = frozenset(of | named)
        return self._kinds[kind]

    def _mentioned(self, sentence: str, tokens: Sequence[Token]) -> Iterator[Span]:
        """Names as the rest of the program finds them, joined and hyphenated ones too, where they end at words."""
        starts = {t.start: n for n, t in enumerate(tokens)}
        ends = {t.end: n + 1 for n, t in enumerate(tokens)}
        for mention in self.home.names.mentions(sentence):
            if mention.start in starts and mention.end in ends:
                at, end = starts[mention.start], ends[mention.end]
                yield Span(at, end, items=(self._item(mention.known.kind, mention.known.value, tokens[at:end]),))
        if not self.home.floors_known:
            for mention in floor_mentions(sentence, self.lexicon.language):
                if mention.start in starts and mention.end in ends and not self._is_an_area(mention.text):
                    at, end = starts[mention.start], ends[mention.end]
                    yield Span(at, end, items=(self._item(Listed.FLOOR, mention.known.value, tokens[at:end]),))

    def _is_an_area(self, text: str) -> bool:
        """Whether a word for a floor is, in whatever form, the name of a room: "w piwnicy" is "Piwnica"."""
        key = "".join(split_words(text))
        return fold(text) in self.home.area_by_name or any(self.words.same(key, name) for name, _ in self.words.areas)

    def _item(self, kind: Listed, value: str, tokens: Sequence[Token]) -> Item:
        words = tuple(t.folded for t in tokens)
        if kind is Listed.NAME:
            return Item("name", value, words, self.words.called(value))
        if kind is Listed.AREA:
            area = self.home.area_by_name[fold(value)]
            return Item("area", value, words, self.words.in_area(area), area=area)
        return Item("floor", value, words, self._on_floor(value))

    def _on_floor(self, floor: str) -> frozenset[int]:
        on = {
            n
            for n, e in enumerate(self.home.entities)
            if (f := self.home.floor_of(e)) is not None and fold(f) == fold(floor)
        }
        unknown = (
            set()
            if self.home.floors_known
            else {n for n, e in enumerate(self.home.entities) if self.home.floor_of(e) is None}
        )
        return frozenset(on | unknown | self.words.naming((floor,)))

    def _home_spans(
        self, tokens: Sequence[Token], folded: Sequence[str], at: int, others: Sequence[Span]
    ) -> list[Span]:
        named = list(self._named_spans(tokens, folded, at))
        return [*named, *self._word_of_names(tokens[at], at, (*others, *named))]

    def _named_spans(self, tokens: Sequence[Token], folded: Sequence[str], at: int) -> Iterator[Span]:
        for end, named, exact in self.words.names_at(folded, at):
            if exact:
                continue  # found among the mentions
            words = tuple(folded[at:end])
            text = " ".join(t.text for t in tokens[at:end])
            cost = len(words) + 2 * _PART if named.area is None else 1 + _INFLECTED
            if named.area is not None:
                bearers = self.words.in_area(named.area)
                yield Span(
                    at, end, items=(Item("area", text, words, bearers, exact=False, area=named.area),), cost=cost
                )
            elif named.floor is not None:
                yield Span(at, end, items=(Item("floor", named.floor, words, self._on_floor(named.floor)),), cost=cost)
            else:
                yield Span(at, end, items=(Item("name", text, words, named.bearers, exact=False),), cost=cost)

    def _word_of_names(self, token: Token, at: int, others: Sequence[Span]) -> Iterator[Span]:
        if self._is_only_in_names(at, others) and (bearers := self.words.with_word(token.folded)):
            yield Span(at, at + 1, items=(Item("word", token.text, (token.folded,), bearers),), cost=1 + _PART)

    def _is_only_in_names(self, at: int, others: Sequence[Span]) -> bool:
        """Whether a word is no noun, no place and no small word, which say what it says in names as well."""
        for span in others:
            if span.end == at + 1 and (span.role in _SAID_OTHERWISE or (span.items and span.items[0].kind == "area")):
                return False
        return True

    def _rarer(self, token: Token, at: int) -> Iterator[Span]:
        """A word that is put together of a place and a thing, or that is a part of such a word."""
        if not self.lexicon.compounds:
            return
        found = list(taken_apart(token, self.lexicon, self.words, self._noun))
        for items in found:
            yield Span(at, at + 1, items=items, cost=1.5)
        if not found and (bearers := with_part(token.folded, self.lexicon, self.words)):
            yield Span(at, at + 1, items=(Item("word", token.text, (token.folded,), bearers),), cost=1.6)


def speller_of(home: Home, lexicon: Lexicon) -> Speller:
    """The speller of a home and a lexicon, made once and kept as long as the home."""
    known: Speller | None = home.indexes.get(lexicon)
    if known is None:
        known = home.indexes[lexicon] = Speller(home, lexicon)
    return known


def _drop_named_nouns(spans: list[Span]) -> None:
    """A device that is called "Fan" is a fan that is said: the noun tells all that its name does."""
    nouns = {s.end for s in spans if s.role is Role.NOUN}
    spans[:] = [
        s for s in spans if not (s.end in nouns and s.items and s.items[0].kind == "name" and s.meaning is None)
    ]


def _has_only_target(way: Sequence[Span]) -> bool:
    """Whether a thing and no verb was said since the last joint."""
    target = False
    for span in reversed(way):
        if span.role is Role.JOINT:
            break
        if span.role is Role.VERB:
            return False
        target |= bool(span.items)
    return target


def _begins_clause(way: Sequence[Span]) -> bool:
    """Whether nothing but courtesies stands since the last joint."""
    for span in reversed(way):
        if span.role is Role.JOINT:
            return True
        if span.role not in (Role.COURTESY, Role.SMALL, Role.FILLER):
            return False
    return True


def _is_particle(span: Span) -> bool:
    """Whether it is a direction that goes with a verb: on, off; "next song" is none."""
    return span.role is Role.DIRECTION and span.meaning is not None and span.meaning.value is not None


def _without_doubles(meanings: Sequence[Meaning], behind: Collection[Role], *, ends: bool) -> Iterator[Meaning]:
    """Of a small word that announces a value as well ("to", "de") the reading that fits what stands behind it.

    A particle that `ends` what is said of a thing ("lamp on and kettle off") is no preposition.
    """
    if not ends:
        meanings = [m for m in meanings if m.role is not Role.ALSO]
    if Role.UNIT not in behind:
        meanings = [m for m in meanings if m.role is not Role.COUNT and (m.role is not Role.NUMBER or m.value != HALF)]
    roles = {m.role for m in meanings}
    if ends and Role.DIRECTION in roles:
        return (m for m in meanings if m.role not in {Role.SMALL, Role.NUMBER, Role.COUNT, *_ANNOUNCED})
    announced = {r for r, values in _ANNOUNCED.items() if r in roles and values & set(behind)}
    dropped = {Role.SMALL} if announced else (set(_ANNOUNCED) if Role.SMALL in roles else set())
    if announced:
        dropped |= {*_ANNOUNCED, Role.DIRECTION} - announced
    if Role.DIRECTION in roles and Role.UNIT not in behind:
        dropped.add(Role.NUMBER)  # the German "ein" is a number only where it counts a unit
    return (m for m in meanings if m.role not in dropped)
