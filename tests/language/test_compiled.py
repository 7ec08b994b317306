"""What was compiled is taken from the disk only where it fits and nobody else could have written it."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from hassil.intents import Intents

from ha_assist_addon.language import grammar as grammars
from ha_assist_addon.language.compiled import CompiledFiles, key_of
from ha_assist_addon.language.detect import LanguageDetector, vocabularies
from ha_assist_addon.language.grammar import GrammarLibrary
from ha_assist_addon.language.templates import Template, compile_templates

LANGUAGE = "sl"


def facts(template: Template) -> tuple[object, ...]:
    return (
        template.intent,
        template.data,
        template.clauses,
        template.lists,
        template.name_domains,
        template.pattern,
    )


@pytest.fixture
def compiling(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that grows by each compilation."""
    made = list[str]()

    def compiled(intents: Intents) -> Iterator[Template]:
        made.append("made")
        return compile_templates(intents)

    monkeypatch.setattr(grammars, "compile_templates", compiled)
    return made


def load(folder: Path) -> grammars.Grammar:
    found = GrammarLibrary(compiled=folder, personal=folder / "sentences").get(LANGUAGE)
    assert found is not None
    return found


def test_a_later_start_has_the_same_grammar_without_compiling_it(tmp_path: Path, compiling: list[str]) -> None:
    first = load(tmp_path)
    again = load(tmp_path)
    assert compiling == ["made"]
    assert list(map(facts, again.index.templates)) == list(map(facts, first.index.templates))
    assert again.words == first.words


def test_other_sentences_are_compiled_again(tmp_path: Path, compiling: list[str]) -> None:
    load(tmp_path)
    (tmp_path / "sentences").mkdir()
    own = {"language": LANGUAGE, "intents": {"HassNevermind": {"data": [{"sentences": ["abrakadabra"]}]}}}
    (tmp_path / "sentences" / f"{LANGUAGE}.yaml").write_text(json.dumps(own), encoding="utf-8")
    assert "abrakadabra" in load(tmp_path).words
    assert compiling == ["made", "made"]


def whole(key: str, data: object) -> bytes:
    """A file as one would forge it: with the right hash."""
    body = zlib.compress(json.dumps(data).encode())
    return f"{key} {sha256(body).hexdigest()}\n".encode() + body


@pytest.mark.parametrize(
    "spoil",
    [
        lambda key, _: b"",
        lambda key, content: content[:-7],
        lambda key, content: content[:200] + bytes([content[200] ^ 1]) + content[201:],
        lambda key, content: b"0" * 64 + content[64:],
        lambda key, _: whole(key, {"clauses": [], "templates": [], "words": {}}),
        lambda key, _: whole(key, {"clauses": [], "templates": [[[5], [], ""]]}),
        lambda key, _: whole(key, [1, 2]),
        lambda key, _: whole(key, "words"),
    ],
)
def test_a_file_that_does_not_fit_is_made_again(
    tmp_path: Path, compiling: list[str], spoil: Callable[[str, bytes], bytes]
) -> None:
    first = load(tmp_path)
    file = tmp_path / f"{LANGUAGE}.json.z"
    content = file.read_bytes()
    file.write_bytes(spoil(content[:64].decode(), content))
    again = load(tmp_path)
    assert compiling == ["made", "made"]
    assert list(map(facts, again.index.templates)) == list(map(facts, first.index.templates))
    assert file.read_bytes() == content


def test_what_others_may_write_is_not_read(tmp_path: Path, compiling: list[str]) -> None:
    load(tmp_path)
    (tmp_path / f"{LANGUAGE}.json.z").chmod(0o666)
    load(tmp_path)
    assert compiling == ["made", "made"]


def test_a_disk_that_takes_nothing_costs_time_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert load(tmp_path / "file").index.templates


def test_the_words_of_the_languages_are_kept_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    languages = ("sl", "hr")
    first = vocabularies(languages, CompiledFiles(tmp_path))
    monkeypatch.setattr("ha_assist_addon.language.detect.vocabulary", lambda language: 1 / 0)
    again = vocabularies(languages, CompiledFiles(tmp_path))
    assert {language: set(words) for language, words in again.items()} == first
    assert LanguageDetector(languages, again).rank("prižgi luč") == LanguageDetector(languages, first).rank(
        "prižgi luč"
    )


def test_the_key_is_of_each_part() -> None:
    assert len({key_of([b"ab"]), key_of([b"a", b"b"]), key_of([b"ab", b""]), key_of([])}) == 4
