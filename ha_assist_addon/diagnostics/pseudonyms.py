"""Invented names for those of a home: the same name always becomes the same one, and none of them is a real one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from string import ascii_uppercase

from ..home.entity import fold

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
_ENTITY_ID = re.compile(r"\b([a-z][a-z_]{2,24})\.([a-z0-9_]+)\b")


class Pseudonyms:
    """Collects all names first; what is replaced once must not be followed by another `add`."""

    def __init__(self) -> None:
        self._kinds: dict[str, tuple[str, str]] = {}
        """Folded names, each with its kind and the folded name that it is an alias of."""
        self._spellings: set[str] = set()
        self._ids: dict[str, str] = {}

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
        """A text without names, keys, addresses and entity ids."""
        for pattern, instead in _SECRETS:
            text = pattern.sub(instead, text)
        if not self._invented:
            return text
        text = _ENTITY_ID.sub(self._id, text) if "." in text else text
        return (self._anywhere if len(text) <= SHORT_TEXT else self._words).sub(self._instead, text)

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
        return _any_of(self._spellings | set(self._kinds), r'(?<![^\W_])(?<!domain: )(?<!domain": ")', r"(?![^\W_])")

    @cached_property
    def _anywhere(self) -> re.Pattern[str]:
        inside = _any_of({name for name in self._spellings | set(self._kinds) if len(name) >= _LETTERS_IN_WORD}, "", "")
        return re.compile(f"{self._words.pattern}|{inside.pattern}", re.IGNORECASE)

    def _instead(self, match: re.Match[str]) -> str:
        found = fold(match[0])
        invented = self._invented.get(found) or self._invented.get(found.replace("_", " "), "Name")
        return invented.replace(" ", "_").lower() if "_" in found else invented

    def _id(self, match: re.Match[str]) -> str:
        if match[1] not in DOMAINS:
            return match[0]
        return self._ids.setdefault(match[0], f"{match[1]}.{match[1]}_{len(self._ids) + 1}")


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
