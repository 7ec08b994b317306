"""What in the person's own words an action can rest on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..home.entity import Entity, fold
from ..home.floors import floor_mentions
from ..home.mentions import Kind, Mention
from ..home.purpose import Purpose
from ..home.request_home import RequestHome
from ..home.toolbox import Tool
from ..language.lexicon import lexicon
from ..language.words import folded_words
from ..meaning.evidence import said_numbers, says_verb
from ..meaning.guard import Guarded, find_guards, guards
from ..recognition.recognise import normalise
from ..retrieval.concepts import concepts_of
from .question import Question
from .speech import Speech, read_speech

NEVER = frozenset(
    {"negation", "hold", "question", "condition", "schedule", "past", "reported", "contradiction", "item"}
)
"""Guard kinds that make a sentence no command for now, whatever a model takes it for."""

_OF_QUESTIONS = frozenset({"question", "past"})
"""Those with which a tool of somebody else may still be meant, as long as nobody knows that it acts."""

DOUBTFUL = frozenset({"statement", "correction"})
"""Guard kinds that leave open whether something is to be done: "I'm cold" may be a wish."""

_SHORTEST = 4
"""Letters of a word that can tie a sentence to a name by itself."""

_QUESTION_MARKS = ("?", "？", "؟")


@dataclass(frozen=True, eq=False)
class Grounds:
    """The person's sentence as evidence; made once a turn."""

    question: Question
    house: RequestHome

    @cached_property
    def sentence(self) -> str:
        """The sentence as the grammar sees it."""
        return normalise(self.question.turn.sentence)

    @cached_property
    def language(self) -> str:
        """The language of the sentence, English where it is not known."""
        return self.question.language or "en"

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """Names, areas and floors in the sentence, in any number, and pieces of names."""
        names = self.house.home.names
        exact = (*names.mentions(self.sentence), *names.inflected(self.sentence, self.language))
        return (*exact, *floor_mentions(self.sentence, self.language))

    def guarded(self, tool: Tool, texts: Iterable[str]) -> tuple[Guarded, ...]:
        """The guard words that count for a tool."""
        found = find_guards(self.sentence, self.mentions, self.language, intent=tool.plain, free_text=texts)
        return tuple(found)

    def forbids(self, tool: Tool, texts: Iterable[str] = ()) -> str:
        """Why the sentence is no command for now, as far as this tool goes, or nothing.

        A tool of which nobody knows what it does may be what answers a question: the person is asked then.
        A question mark tells a question in a language whose question words we do not know, and where no verb stands.
        """
        asking = tool.is_contributed and tool.purpose is Purpose.UNKNOWN
        kinds = NEVER - _OF_QUESTIONS if asking else NEVER
        never = next((g for g in self.guarded(tool, texts) if g.kind in kinds), None)
        if never is not None:
            return f"{never.word!r} makes the sentence no command for now ({never.kind})"
        marked = self.question.turn.sentence.rstrip().endswith(_QUESTION_MARKS)
        plain = guards(self.language) is None or not says_verb(self.sentence, self.language)
        return "the sentence is a question" if marked and plain and not asking else ""

    def speaks_of(self, entity: Entity) -> bool:
        """Whether the sentence names an entity, its place, a word of its name, or no room but the one it is in."""
        home = self.house.home
        known = {(m.known.kind, fold(m.known.value)) for m in self.mentions}
        if any((Kind.NAME, fold(name)) in known for name in entity.names):
            return True
        if any((Kind.AREA, fold(area)) in known for area in entity.areas):
            return True
        floor = home.floor_of(entity)
        if floor is not None and (Kind.FLOOR, fold(floor)) in known:
            return True
        if any(kind is Kind.AREA for kind, _ in known):
            return False
        return bool(self._telling(entity.names) & set(folded_words(self.sentence)))

    def names_floor(self, floor: object) -> bool:
        """Whether the sentence says this floor."""
        return any(m.known.kind is Kind.FLOOR and fold(m.known.value) == fold(str(floor)) for m in self.mentions)

    def speaks_of_tool(self, tool: Tool) -> bool:
        """Whether the sentence shares a telling word with a tool's name or description."""
        said = set(folded_words(self.sentence))
        own = self._telling(
            [tool.plain.replace("_", " "), re.sub(r"(?<=[a-z])(?=[A-Z])", " ", tool.plain), tool.description]
        )
        meant = concepts_of(self.sentence, self.language)
        return bool(own & said) or any(tool.plain in concept.tools for concept in meant if not concept.wide)

    def _telling(self, texts: Iterable[str]) -> set[str]:
        """The words that tell a thing from others: no short ones, and none that the grammar has for everything."""
        words = {word for text in texts for word in folded_words(text) if len(word) >= _SHORTEST}
        return {word for word in words if word not in self.question.common}

    def excluded(self, guarded: Sequence[Guarded]) -> frozenset[str]:
        """Names and areas behind an "except", folded."""
        start = next((g.start for g in guarded if g.kind == "exception"), None)
        if start is None:
            return frozenset()
        return frozenset(fold(m.known.value) for m in self.mentions if m.start > start)

    @cached_property
    def numbers(self) -> frozenset[float]:
        """The numbers that the sentence says outside names, in digits or in words."""
        return frozenset(abs(n) for n in said_numbers(self.sentence, self._names, lexicon(self.language)))

    @cached_property
    def speech(self) -> Speech | None:
        """What the sentence speaks of, or None where we have no lexicon of its language."""
        words = lexicon(self.language) if self.question.language else None
        return None if words is None else read_speech(self.sentence, self.house.home, words)

    def holds(self, text: str) -> bool:
        """Whether all words of a text were said."""
        return set(folded_words(text)) <= set(folded_words(self.sentence))

    @property
    def _names(self) -> tuple[tuple[int, int], ...]:
        return tuple((m.start, m.end) for m in self.mentions)
