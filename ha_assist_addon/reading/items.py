"""Items of lists: one sentence may name several, and the list stands where the language puts it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..home.catalogue import Home
from ..home.entity import Entity
from ..home.intents import ITEM_INTENTS
from ..language.conjunctions import joints
from ..language.lexicon import ARTICLES, Lexicon, Meaning, Role, lexicon
from ..language.tokens import Token, tokens_of
from ..meaning.evidence import speaks_of_commands
from ..meaning.plan import NotPlanned, Planned, plan
from ..recognition.recognise import Candidate, normalise
from ..turn.history import Turn
from ..turn.outcome import Act, Reason
from .before import MOST_WORDS, Before
from .composed import composer
from .composition.compose import Composer
from .interpret import Interpreter
from .interpretation import Interpretation

MOST_ITEMS = 8
_LONGEST_LISTED = 2
"""Words; `write to John and Mary` is one item."""
_LONGEST_ITEM = 12
"""Words; a longer one is a sentence of its own."""
_INTENTS = {"add": "HassListAddItem", "remove": "HassListRemoveItem", "complete": "HassListCompleteItem"}
_IN_FRONT = frozenset({Role.COURTESY, Role.WISH, Role.FILLER, Role.SMALL})


def with_each_item(found: Interpretation, interpreter: Interpreter) -> Interpretation:
    """The reading with a call for each item that a sentence lists: `bread and butter` are two."""
    if (
        not isinstance(found.outcome, Act)
        or len(found.planned) != 1
        or found.planned[0].candidate.intent not in ITEM_INTENTS
    ):
        return found
    candidate = found.planned[0].candidate
    given = said = str(candidate.slots.get("item", ""))
    language = interpreter.grammar.language
    words = lexicon(language)
    if words is not None and normalise(candidate.sentence).casefold().startswith(said.casefold()):
        said = _without_courtesy(said, words)
    if words is not None:
        said = _without_preposition(said, words)
    items = tuple(without_article(item, language) for item in split_items(said, language))
    if items == (given,):
        return found
    planned: list[Planned] = []
    for item in items:
        one = replace(candidate, slots={**candidate.slots, "item": item}, said={**candidate.said, "item": item})
        made = plan(one, interpreter.house.home, interpreter.house.toolbox)
        if isinstance(made, NotPlanned):
            return found
        planned.append(made)
    if len(planned) == 1:
        return replace(found, outcome=replace(found.outcome, calls=(planned[0].call,)), planned=tuple(planned))
    why = "Each item is a call of its own."
    return replace(found, outcome=Act(tuple(p.call for p in planned), Reason.COMPOUND, why), planned=tuple(planned))


def names_item(found: Interpretation) -> bool:
    """Whether a reading is about an item of a list."""
    return any(c.intent in ITEM_INTENTS for c in found.candidates[:1])


def names_another_list(found: Interpretation, interpreter: Interpreter) -> bool:
    """Whether the item of a reading holds the name of a list."""
    first = found.candidates[0] if found.candidates else None
    if first is None or first.intent not in ITEM_INTENTS:
        return False
    return _names_list(str(first.said.get("item", "")), interpreter.house.home)


def split_items(text: str, language: str) -> tuple[str, ...]:
    """The items that a text lists."""
    words = joints(language)
    parts = words.joint.split(text) if words is not None else [text]
    items = tuple(part.strip(" ,.;") for part in parts if part.strip(" ,.;"))
    return items if len(items) <= MOST_ITEMS and all(_is_short(item, language) for item in items) else (text,)


def _is_short(item: str, language: str) -> bool:
    """Whether it is one thing, perhaps with how much of it: "two bottles of red wine"."""
    words = lexicon(language)
    tokens = tokens_of(item)
    if words is not None and len(tokens) > _LONGEST_LISTED:
        start = max((end for end, m in _at_start(tokens, words) if _counts(m)), default=0)
        of = start + 1 < len(tokens) and tokens[start + 1].folded in words.list_of
        tokens = tokens[start + (2 if start and of else 0) :] if start else tokens
    return len(tokens) <= _LONGEST_LISTED


def _counts(meaning: Meaning) -> bool:
    return meaning.role is Role.NUMBER or (meaning.role is Role.SMALL and meaning.value in ARTICLES)


def _at_start(tokens: Sequence[Token], words: Lexicon) -> list[tuple[int, Meaning]]:
    """The phrases that begin a text and do not fill it, each with the token behind it."""
    return [(end, m) for end, ms in words.starting(tokens, 0) for m in ms if end < len(tokens)]


def without_article(item: str, language: str) -> str:
    """An item as it stands on a list: "le lait" is "lait", while "The Wire" stays whole."""
    words = lexicon(language)
    tokens = tokens_of(item)
    if words is None or len(tokens) < 2 or item[:1].isupper():
        return item
    found = _at_start(tokens, words)
    counts = any(m.role is Role.NUMBER for _, m in found)
    ends = [end for end, m in found if m.role is Role.SMALL and m.value in ARTICLES]
    return item[tokens[max(ends)].start :] if ends and not counts else item


def _without_courtesy(item: str, words: Lexicon) -> str:
    """What is left of an item behind "could you": where the verb ends the sentence, that stands in front of it."""
    tokens = tokens_of(item)
    at = 0
    while at < len(tokens):
        found = [end for end, ms in words.starting(tokens, at) for m in ms if m.role is Role.COURTESY]
        if not found or max(found) >= len(tokens):
            break
        at = max(found)
    return item[tokens[at].start :] if at else item


def _without_preposition(item: str, words: Lexicon) -> str:
    """An item without what belongs to the list behind it: of "shopping to today's to-do list" the first word."""
    tokens = tokens_of(item)
    for phrase in words.list_into:
        if len(phrase) > 1 and tuple(t.folded for t in tokens[-len(phrase) :]) == phrase and len(tokens) > len(phrase):
            return item[: tokens[-len(phrase)].start].rstrip()
    return item


def interpret_items(text: str, interpreter: Interpreter) -> Interpretation | None:
    """A sentence that puts something on a list of the home or takes it off, in whatever words."""
    made = composer(interpreter)
    if made is None or not made.lexicon.list_verbs or "todo" not in interpreter.house.home.by_domain:
        return None
    tokens = tokens_of(text)
    for act, start in _verbs(tokens, made.lexicon):
        for item, entity in _item_and_list(text, tokens[start:], act, made):
            candidate = Candidate(
                intent=_INTENTS[act],
                language=interpreter.grammar.language,
                slots={"item": item, "name": entity.name},
                said={"item": item},
                domain="todo",
                response="default",
                template="",
                rank=(),
                sentence=text,
                free_texts=(item,),
                own=True,
            )
            planned = plan(candidate, interpreter.house.home, interpreter.house.toolbox)
            if isinstance(planned, Planned):
                act_ = Act((planned.call,), Reason.EXACT, "The sentence names an item and a list of the home.")
                found = Interpretation(act_, "items", interpreter.grammar.language, (planned,), (candidate,))
                return with_each_item(found, interpreter)
    return None


def interpret_more_items(turn: Turn, before: Before, interpreter: Interpreter) -> Interpretation | None:
    """What is to go on the list of the sentence before, or off it, too: "and eggs"; None where it may be a command."""
    language = interpreter.grammar.language
    words = lexicon(language)
    last = before.meaning.planned[-1] if before.meaning.certain and before.meaning.planned else None
    tokens = tokens_of(turn.sentence)
    if words is None or last is None or last.candidate.intent not in ITEM_INTENTS or len(tokens) > MOST_WORDS:
        return None
    start = max((end for end, ms in words.starting(tokens, 0) if any(m.role is Role.JOINT for m in ms)), default=0)
    if not 0 < start < len(tokens):
        return None
    item = turn.sentence[tokens[start].start :].rstrip(" .!,")
    short = all(_is_short(each, language) for each in split_items(item, language))
    if not short or speaks_of_commands(item, words) or interpreter.mentions(item):
        return None
    slots = {**last.candidate.slots, "item": item}
    candidate = replace(
        last.candidate, slots=slots, said={"item": item}, free_texts=(item,), sentence=turn.sentence, own=True
    )
    planned = plan(candidate, interpreter.house.home, interpreter.house.toolbox)
    if isinstance(planned, NotPlanned):
        return None
    act = Act((planned.call,), Reason.FOLLOW_UP, "The list is the one of the sentence before.")
    found = Interpretation(act, "carried_over", language, (planned,), (candidate,), before=before.sentence)
    return with_each_item(found, interpreter)


def _verbs(tokens: Sequence[Token], words: Lexicon) -> Iterator[tuple[str, int]]:
    """The verbs of lists that stand behind nothing but courtesies, each with the token behind it."""
    starts = {0}
    for at in range(min(len(tokens), 12)):
        if at not in starts:
            continue
        if tokens[at].is_mark:
            starts.add(at + 1)
        for end, meanings in words.starting(tokens, at):
            if any(m.role in _IN_FRONT for m in meanings):
                starts.add(end)
        for act, phrases in words.list_verbs.items():
            for phrase in phrases:
                if tuple(t.folded for t in tokens[at : at + len(phrase)]) == phrase:
                    yield act, at + len(phrase)


def _item_and_list(text: str, tokens: Sequence[Token], act: str, made: Composer) -> Iterator[tuple[str, Entity]]:
    """The ways to take the rest apart into an item, a preposition and a list, the shortest list first."""
    prepositions = made.lexicon.list_into if act == "add" else made.lexicon.list_from
    for left in _without_end(tokens, made.lexicon):
        for at in range(len(left) - 1, 0, -1):
            for phrase in prepositions:
                end = at + len(phrase)
                if tuple(t.folded for t in left[at:end]) != phrase or end >= len(left) or at > _LONGEST_ITEM:
                    continue
                if _begins_noun(left, at, made.lexicon):
                    continue  # of "the to do list" the first word is no preposition
                entity = _list(text[left[end].start : left[-1].end], made)
                item = text[left[0].start : left[at - 1].end].strip(" ,.;\"'")
                if entity is not None and not _names_list(item, made.house.home):
                    yield item, entity


def _without_end(tokens: Sequence[Token], words: Lexicon) -> Iterator[Sequence[Token]]:
    """The words, and what is left where those at the end belong to the verb: "put milk on the groceries please"."""
    left = list(tokens)
    while left and left[-1].is_mark:
        left.pop()
    yield tuple(left)
    while left and (left[-1].is_mark or left[-1].folded in words.list_after):
        left.pop()
        yield tuple(left)


def _names_list(item: str, home: Home) -> bool:
    """Whether an item holds the name of a list: `milk to the groceries and eggs` is no item of another list."""
    found = (m for m in home.names.mentions(item) if m.known.domain == "todo" and m.start > 0)
    return any(not item[m.start - 1].isalnum() and not item[m.end : m.end + 1].isalnum() for m in found)


def _begins_noun(tokens: Sequence[Token], at: int, words: Lexicon) -> bool:
    return any(end > at + 1 and any(m.role is Role.NOUN for m in ms) for end, ms in words.starting(tokens, at))


def _list(text: str, made: Composer) -> Entity | None:
    """The one list of the home that words name, with nothing left over."""
    home = made.house.home
    lists = {n for n, e in enumerate(home.entities) if e.domain == "todo"}
    for way in made.speller.parse(text).ways:
        if any(s.is_unknown or (not s.items and s.role not in _IN_FRONT) for s in way):
            continue
        items = [i for s in way for i in s.items]
        found = lists.intersection(*(i.bearers for i in items)) if items else set()
        said = frozenset(w for i in items for w in i.words)
        if len(found) > 1:
            if all(i.noun == "list" for i in items):
                return None  # "the list" is the one that the grammar takes it for
            most = max(made.speller.words.says_name(n, said) for n in found)
            found = {n for n in found if most and made.speller.words.says_name(n, said) == most}
        if len(found) == 1:
            return home.entities[next(iter(found))]
    return None
