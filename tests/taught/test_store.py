"""taught.yaml: read strictly, written whole, and in force without a restart."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from ha_assist_addon.taught.document import DocumentError, read, render
from ha_assist_addon.taught.lessons import Lessons
from ha_assist_addon.taught.model import MOST_SENTENCES, TaughtFile, TaughtSentence
from ha_assist_addon.taught.store import LessonStore, TaughtNotSaved

LAMP = {"name": "Lamp", "domain": "light", "area": "Study"}


def lesson(sentence: str = "Movie night", identity: str = "0000000a", **more: Any) -> TaughtSentence:
    return TaughtSentence.model_validate(
        {"id": identity, "sentence": sentence, "target": LAMP, "does": {"act": "on"}, **more}
    )


def test_what_was_saved_is_read_again(tmp_path: Path) -> None:
    store = LessonStore(tmp_path)
    store.save(store.current.with_entry(lesson()), expected_revision=store.revision)
    again = LessonStore(tmp_path)
    assert again.current.sentences == (lesson(),)
    assert again.revision == store.revision
    assert oct((tmp_path / "taught.yaml").stat().st_mode)[-3:] == "600"
    store.save(store.current.without("0000000a"), expected_revision=store.revision)
    assert store.current.sentences == ()


def test_a_change_by_hand_applies_at_once(tmp_path: Path) -> None:
    store = LessonStore(tmp_path)
    assert store.current.find("Movie night") is None
    (tmp_path / "taught.yaml").write_bytes(render(TaughtFile(sentences=(lesson(),))))
    assert store.current.find("movie night!") == lesson()
    (tmp_path / "taught.yaml").unlink()
    assert store.current.find("Movie night") is None


def test_a_lesson_is_changed_in_its_place(tmp_path: Path) -> None:
    first, second = lesson(), lesson("Good night", "0000000b")
    lessons = Lessons().with_entry(first).with_entry(second).with_entry(lesson("Film night"))
    assert [one.sentence for one in lessons.sentences] == ["Film night", "Good night"]


def test_whoever_comes_second_overwrites_nothing(tmp_path: Path) -> None:
    store = LessonStore(tmp_path)
    before = store.revision
    store.save(store.current.with_entry(lesson()), expected_revision=before)
    with pytest.raises(TaughtNotSaved):
        store.save(Lessons(), expected_revision=before)
    assert store.current.sentences == (lesson(),)


def test_a_broken_file_stays_as_it_is_and_what_was_in_force_too(tmp_path: Path) -> None:
    store = LessonStore(tmp_path)
    store.save(store.current.with_entry(lesson()), expected_revision=store.revision)
    path = tmp_path / "taught.yaml"
    path.write_text("sentences: [", encoding="utf-8")
    assert store.current.sentences == (lesson(),)
    assert store.problem == "taught.yaml is not valid YAML near line 2."
    with pytest.raises(TaughtNotSaved, match="not valid YAML"):
        store.save(Lessons(), expected_revision=store.revision)
    assert path.read_text(encoding="utf-8") == "sentences: ["


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "taught.yaml").mkdir()
    store = LessonStore(tmp_path)
    assert store.current.sentences == ()
    assert store.problem is not None
    with pytest.raises(TaughtNotSaved):
        store.save(Lessons(), expected_revision=store.revision)


@pytest.mark.parametrize(
    "sentence",
    ["(a|b)" * 30, "{name} on", "[please] lights", "<rule>", "", " ", "?!", "x" * 201, "a\u202eb", "a\0b"],
)
def test_a_sentence_is_words_and_no_pattern(sentence: str) -> None:
    with pytest.raises(ValidationError):
        lesson(sentence)


@pytest.mark.parametrize(
    "change",
    [
        {"model": True},
        {"does": None},
        {"target": None},
        {"target": {"domain": "light"}},
        {"target": {**LAMP, "domain": "Light!"}},
        {"does": {"act": "explode"}},
        {"does": {"act": "set", "quantity": "brightness", "amount": 1e9}},
        {"does": {"act": "set", "quantity": "brightness", "amount": float("nan")}},
        {"id": "../../etc"},
        {"unknown": 1},
    ],
)
def test_a_lesson_says_one_thing(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        lesson(**change)


def test_nothing_is_taught_twice() -> None:
    with pytest.raises(ValidationError, match="twice"):
        Lessons().with_entry(lesson("Movie night")).with_entry(lesson("movie night.", "0000000b"))


@pytest.mark.parametrize(
    "content",
    [
        b"a: &a [x]\nb: [*a, *a]",
        b"[" * 5000,
        b"sentences: !!python/object:os.system []",
        b"\xff\xfe\x00",
        b"sentences: " + b"x" * 1000,
        b"- 1",
        b"version: 2",
        b"!!bool ja",
    ],
)
def test_hostile_text_is_refused(content: bytes) -> None:
    with pytest.raises((DocumentError, ValidationError)):
        read(content)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "taught.yaml").write_text("# " + "x" * 300_000, encoding="utf-8")
    store = LessonStore(tmp_path)
    assert store.current.sentences == ()
    assert "256 KB" in (store.problem or "")


def test_there_is_a_most() -> None:
    many = [lesson(f"sentence {n}", f"{n:08x}") for n in range(MOST_SENTENCES + 1)]
    with pytest.raises(ValidationError):
        TaughtFile(sentences=tuple(many))


def test_a_pipe_in_the_place_of_the_file_holds_up_nobody(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "taught.yaml")
    store = LessonStore(tmp_path)
    assert store.current.sentences == ()
    assert store.problem is not None
