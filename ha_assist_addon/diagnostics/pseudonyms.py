"""Invented names for those of a home: the same name always becomes the same one, and none of them is a real one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from string import ascii_uppercase

from ..home.entity import fold
from ..language.words import fold_word

LONGEST_NAME = 255
SHORT_TEXT = 2000
"""Characters up to which names are also looked for inside of words, as in `Küchenlicht`."""
_LETTERS_IN_WORD = 5
_SECRETS = (
    (re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{6,}"), r"\1 [removed]"),
    (re.compile(r"\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*"), "[removed]"),
    (re.compile(r"\b(?:sk|pk|ghp|gho|hf|xox[abp])[-_][\w-]{8,}"), "[removed]"),
    (re.compile(r"data:[\w.+-]+/[\w.+-]+;base64,[\w+/=]*"), "[data removed]"),
    (
        re.compile(
            r"(?i)\b([\w-]{0,64}?(?:api[_-]?key|token|password|passwd|secret|authsig))(\"?\s*[=:]\s*\"?)[^\s\"',&}]+"
        ),
        r"\1\2[removed]",
    ),
    (re.compile(r"(?i)\b(code|pin|kode|c[oó]digo|codice)\b(\D{0,20}?)\d{3,}"), r"\1\2[removed]"),
    (re.compile(r"\b[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]+)+"), "someone@example.com"),
    (re.compile(r"\bhttps?://[^\s\"'<>)\]}]+"), "http://example.com"),
    (re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b"), "192.0.2.1"),
    (re.compile(r"\b(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}\b"), "00:00:5e:00:53:01"),
    (
        re.compile(r"\b(?=[\w+/-]{0,200}\d)(?=[\w+/-]{0,200}[A-Za-z])[\w+/-]{32,}={0,2}"),
        "[removed]",
    ),
)
DOMAINS = frozenset(
    {
        *("alarm_control_panel", "automation", "binary_sensor", "button", "calendar", "camera", "climate", "cover"),
        *("device_tracker", "event", "fan", "group", "humidifier", "image", "input_boolean", "input_button"),
        *("input_datetime", "input_number", "input_select", "input_text", "lawn_mower", "light", "lock"),
        *("media_player", "number", "person", "plant", "remote", "scene", "script", "select", "sensor", "siren", "sun"),
        *("switch", "text", "timer", "todo", "update", "vacuum", "valve", "water_heater", "weather", "zone"),
    }
)
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}]+(?:['’][^\W_{_UNSPACED}]+)*")
"""A word; in scripts without spaces all that stands together, since a name there is made of everybody's signs."""
_ENTITY_ID = re.compile(rf"\b(?:{'|'.join(sorted(DOMAINS))})\.[a-z0-9_]+\b")


class Pseudonyms:
    """Collects all names first; what is replaced once must not be followed by another `add`.

    A word that is none of `known` may be the name of somebody whom the home does not list, and is replaced too.
    """

    def __init__(self, known: frozenset[str] | None = None) -> None:
        self._known = known
        self._kinds: dict[str, tuple[str, str]] = {}
        """Folded names, each with its kind and the folded name that it is an alias of."""
        self._spellings: set[str] = set()
        self._ids: dict[str, str] = {}
        self._strangers: dict[str, str] = {}

    def add(self, kind: str, names: Iterable[str]) -> None:
        """A thing's name and aliases; the first kind of a name counts. `kind` is a domain, `area` or `floor`."""
        spelled = [name.strip() for name in names if 0 < len(name.strip()) <= LONGEST_NAME]
        for name in spelled:
            self._kinds.setdefault(fold(name), (kind, fold(spelled[0])))
        self._spellings.update(spelled)

    def name(self, name: str) -> str:
        """The pseudonym of a whole name, or the text with what names it holds replaced."""
        return self._invented.get(fold(name)) or self.text(name)

    def text(self, text: str) -> str:
        """A text without names, keys, addresses, entity ids and words that might be names."""
        return self._replaced(text, self._without_strangers)

    def ours(self, text: str) -> str:
        """A text that Home Assistant or we wrote, with the names that it holds replaced."""
        return self._replaced(text, lambda rest: rest)

    def _replaced(self, text: str, between: Callable[[str], str]) -> str:
        for pattern, instead in _SECRETS:
            text = pattern.sub(instead, text)
        pattern = self._anywhere if len(text) <= SHORT_TEXT else self._words
        pieces, position = [], 0
        for match in pattern.finditer(text):
            pieces += [between(text[position : match.start()]), self._instead(match)]
            position = match.end()
        return "".join([*pieces, between(text[position:])])

    def _without_strangers(self, text: str) -> str:
        return text if self._known is None else _WORD.sub(self._stranger, text)

    def _stranger(self, match: re.Match[str]) -> str:
        word, known = match[0], self._known or frozenset()
        folded = fold_word(word)
        if word.isdecimal() or folded in known or folded.strip("0123456789") in known:
            return word
        return self._strangers.setdefault(folded, f"Word {len(self._strangers) + 1}")

    @cached_property
    def _invented(self) -> dict[str, str]:
        counters: dict[str, int] = {}
        invented: dict[str, str] = {}
        aliases: dict[str, int] = {}
        for folded, (kind, owner) in self._kinds.items():
            if folded != owner and owner in invented:
                number = aliases[owner] = aliases.get(owner, 0) + 1
                invented[folded] = f"{invented[owner]} {_letters(number)}"
                continue
            while True:
                counters[kind] = counters.get(kind, 0) + 1
                name = f"{kind.replace('_', ' ').title()} {counters[kind]}"
                if fold(name) not in self._kinds:
                    break
            invented[folded] = name
        return invented

    @cached_property
    def _words(self) -> re.Pattern[str]:
        # A domain that happens to be a name too has to stay, or the home could not be read any more.
        names = _any_of(self._spellings | set(self._kinds), r'(?<![^\W_])(?<!domain: )(?<!domain": ")', r"(?![^\W_])")
        return re.compile(f"(?P<id>{_ENTITY_ID.pattern})|{names.pattern}", re.IGNORECASE)

    @cached_property
    def _anywhere(self) -> re.Pattern[str]:
        inside = _any_of({name for name in self._spellings | set(self._kinds) if len(name) >= _LETTERS_IN_WORD}, "", "")
        return re.compile(f"{self._words.pattern}|{inside.pattern}", re.IGNORECASE)

    def _instead(self, match: re.Match[str]) -> str:
        if match["id"]:
            return self._id(match["id"])
        found = fold(match[0])
        invented = self._invented.get(found) or self._invented.get(found.replace("_", " "), "Name")
        return invented.replace(" ", "_").lower() if "_" in found else invented

    def _id(self, entity_id: str) -> str:
        domain = entity_id.partition(".")[0]
        return self._ids.setdefault(entity_id, f"{domain}.{domain}_{len(self._ids) + 1}")


def _letters(number: int) -> str:
    """An alias is called as its owner with a letter behind it: B, C, and so on to Z, then AA."""
    letters = ""
    while number >= 0:
        number, last = divmod(number, 26)
        letters = ascii_uppercase[last] + letters
        number -= 1
    return letters


def _any_of(names: Iterable[str], before: str, after: str) -> re.Pattern[str]:
    longest_first = sorted(names, key=len, reverse=True)
    # Scripts' tools and entity ids write the spaces of a name as underscores.
    either = "|".join(re.escape(name).replace(r"\ ", "[ _]") for name in longest_first) or r"(?!)"
    return re.compile(f"{before}(?:{either}){after}", re.IGNORECASE)
