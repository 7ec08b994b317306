"""An index over the sentence templates of a grammar: which of them can possibly match a sentence.

hassil tries every template of the intents that it is given. The index hands it only those whose required words occur in
the sentence and whose required lists are not empty; this is sound, so no match is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import lru_cache
from typing import Any

from hassil.expression import Alternative, Expression, Group, ListReference, RuleReference, Sentence
from hassil.intents import Intent, IntentData, Intents
from hassil.parse_expression import parse_sentence

from .shape import ANY_NAME, shape_pattern

Clauses = frozenset[frozenset[str]]


class Template:
    """One sentence template of one intent; hassil's own form of it is made when a sentence first asks for it.

    `name_domains` are the domains of which the name must be; empty where any will do.
    """

    __slots__ = ("_block", "_data", "clauses", "intent", "lists", "name_domains", "pattern", "text")

    def __init__(
        self, intent: str, block: IntentData, text: str, clauses: Clauses, lists: frozenset[str], pattern: str
    ) -> None:
        self.intent = intent
        self.text = text
        self.clauses = clauses
        self.lists = lists
        self.pattern = pattern
        self.name_domains = (
            _context_values(block.requires_context.get("domain")) if "name" in lists else frozenset[str]()
        )
        self._block = block
        self._data: IntentData | None = None

    @property
    def data(self) -> IntentData:
        """The block of the template with this sentence alone."""
        if self._data is None:
            self._data = replace(self._block, sentence_texts=[self.text])
        return self._data

    def prepare(self) -> None:
        """Compile the pattern, which its first sentence would otherwise wait for."""
        _compile(self.pattern)

    def may_have(self, shapes: Sequence[str], *, unknown_names: bool = False) -> bool:
        """Whether a sentence of one of these shapes can match; an unknown name may be any text."""
        pattern = self.pattern.translate(ANY_NAME) if unknown_names else self.pattern
        matches = _compile(pattern).fullmatch
        for shape in shapes:  # noqa: SIM110 - asked a hundred times a sentence; any() takes twice the time
            if matches(shape):
                return True
        return False


@lru_cache(maxsize=16384)
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.DOTALL)


class TemplateIndex:
    """Finds the templates that a sentence may match.

    A set of templates is a number here, one bit for each: what rules many of them out is then a single step.
    """

    def __init__(self, templates: Iterable[Template]) -> None:
        self.templates: tuple[Template, ...] = tuple(templates)
        fragments = sorted({f for t in self.templates for clause in t.clauses for f in clause})
        self._fragments = {fragment: 1 << number for number, fragment in enumerate(fragments)}
        by_clause: dict[frozenset[str], int] = {}
        self._by_lists: dict[frozenset[str], int] = {}
        self._by_domains: dict[frozenset[str], int] = {}
        for number, template in enumerate(self.templates):
            for clause in template.clauses:
                by_clause[clause] = by_clause.get(clause, 0) | 1 << number
            self._by_lists[template.lists] = self._by_lists.get(template.lists, 0) | 1 << number
            if template.name_domains:
                domains = template.name_domains
                self._by_domains[domains] = self._by_domains.get(domains, 0) | 1 << number
        self._clauses = tuple(
            (sum(self._fragments[fragment] for fragment in clause), bearers) for clause, bearers in by_clause.items()
        )

    def select(
        self,
        haystack: str,
        filled_lists: AbstractSet[str],
        intents: AbstractSet[str] | None = None,
        shapes: Sequence[str] | None = None,
        *,
        name_domains: AbstractSet[str] | None = None,
        unknown_names: bool = False,
    ) -> dict[str, Intent]:
        """Templates by intent; `filled_lists` are those of name, area and floor that have a value in the text.

        `name_domains` are the domains of the names in the text: a template for other domains cannot match them.

        With `unknown_names` only templates with one such list count: one unknown name is enough for a sentence.
        """
        ruled_out = self._without_words(haystack)
        for lists, bearers in self._by_lists.items():
            if not lists <= filled_lists or (unknown_names and len(lists) != 1):
                ruled_out |= bearers
        if name_domains is not None:
            for domains, bearers in self._by_domains.items():
                if domains.isdisjoint(name_domains):
                    ruled_out |= bearers
        chosen: dict[str, Intent] = {}
        for template in self._all_but(ruled_out):
            if intents is not None and template.intent not in intents:
                continue
            if shapes is None or template.may_have(shapes, unknown_names=unknown_names):
                intent = chosen.setdefault(template.intent, Intent(template.intent))
                intent.data.append(template.data)
        return chosen

    def _without_words(self, haystack: str) -> int:
        """The templates that need words which the sentence lacks."""
        present = 0
        for fragment, bit in self._fragments.items():
            if fragment in haystack:
                present |= bit
        ruled_out = 0
        for wanted, bearers in self._clauses:
            if not wanted & present:
                ruled_out |= bearers
        return ruled_out

    def _all_but(self, ruled_out: int) -> Iterator[Template]:
        """The other templates, in their order."""
        left = (1 << len(self.templates)) - 1 & ~ruled_out
        while left:
            lowest = left & -left
            yield self.templates[lowest.bit_length() - 1]
            left ^= lowest


HOME_LISTS = frozenset({"name", "area", "floor"})


def compile_templates(intents: Intents) -> Iterator[Template]:
    """All templates of a grammar; each of them is parsed for it."""
    for name, block, text in _texts(intents):
        rules = {**intents.expansion_rules, **block.expansion_rules}
        sentence = parse_sentence(text, keep_text=True)
        yield Template(
            name,
            block,
            text,
            sentence.get_required_clauses(rules),
            frozenset(_required_lists(sentence.expression, rules)) & HOME_LISTS,
            shape_pattern(sentence.expression, rules, {**intents.slot_lists, **block.slot_lists}),
        )


def dump_templates(templates: Sequence[Template]) -> dict[str, Any]:
    """What was found out about templates, as data; `load_templates` takes it back."""
    clauses = {clause: number for number, clause in enumerate(dict.fromkeys(c for t in templates for c in t.clauses))}
    rows = [[[clauses[c] for c in t.clauses], sorted(t.lists), t.pattern] for t in templates]
    return {"clauses": [sorted(clause) for clause in clauses], "templates": rows}


def load_templates(intents: Intents, dumped: Mapping[str, Any]) -> Iterator[Template]:
    """The templates of the same grammar without parsing them; raises ValueError and the like where they do not fit."""
    clauses = [frozenset(map(str, clause)) for clause in dumped["clauses"]]
    lists = {names: frozenset(names) for names in {tuple(row[1]) for row in dumped["templates"]}}
    for (name, block, text), (numbers, named, pattern) in zip(_texts(intents), dumped["templates"], strict=True):
        yield Template(name, block, text, frozenset(clauses[n] for n in numbers), lists[tuple(named)], str(pattern))


def _texts(intents: Intents) -> Iterator[tuple[str, IntentData, str]]:
    for intent in intents.intents.values():
        for block in intent.data:
            for text in block.sentence_texts:
                yield intent.name, block, text


def _context_values(wanted: Any) -> frozenset[str]:
    """The values that a block's `requires_context` accepts; empty where it accepts any."""
    if isinstance(wanted, Mapping):
        wanted = wanted.get("value")
    if wanted is None:
        return frozenset()
    return frozenset((wanted,) if isinstance(wanted, str) else map(str, wanted))


def _required_lists(expression: Expression, rules: Mapping[str, Sentence], depth: int = 0) -> set[str]:
    """Lists that every way through a template needs."""
    if depth > 16:
        return set()
    if isinstance(expression, ListReference):
        return {expression.list_name}
    if isinstance(expression, RuleReference):
        rule = rules.get(expression.rule_name)
        return _required_lists(rule.expression, rules, depth + 1) if rule else set()
    if isinstance(expression, Alternative):
        if expression.is_optional or not expression.items:
            return set()
        return set.intersection(*(_required_lists(item, rules, depth + 1) for item in expression.items))
    if isinstance(expression, Group):
        return set().union(*(_required_lists(item, rules, depth + 1) for item in expression.items))
    return set()
