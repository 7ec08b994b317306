"""Sentences of many forms in seven languages: polite and formal ones, fractions, several targets, conversations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml

from tests.support.house import House, Pipeline
from tests.support.sentences import lines, things
from tests.support.shared import ROOT
from tests.support.talk import talk

FORMS: Mapping[str, Mapping[str, Any]] = yaml.safe_load(
    (ROOT / "tests/language/spoken_forms.yaml").read_text(encoding="utf-8")
)


def _cases(part: str) -> Iterator[tuple[str, str]]:
    for language, form in FORMS.items():
        yield from ((language, line) for line in lines(form.get(part, "")))


@pytest.fixture(scope="module")
def pipelines(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Pipeline]:
    return {code: Pipeline(tmp_path_factory.mktemp(f"forms_{code}"), code, verify=0) for code in FORMS}


def _house(language: str) -> House:
    return House(tuple(things(FORMS[language]["home"])), satellite=FORMS[language]["here"])


@pytest.mark.parametrize(("language", "case"), list(_cases("says")))
def test_what_is_said_is_done(pipelines: Mapping[str, Pipeline], language: str, case: str) -> None:
    said, _, wanted = case.partition(" -> ")
    done = talk(pipelines[language], _house(language), said.split(" | "))
    assert [_sorted(turn) for turn in done] == [_sorted(turn) for turn in wanted.split(" | ")]


@pytest.mark.parametrize(("language", "sentence"), list(_cases("left")))
def test_what_is_no_command_does_nothing(pipelines: Mapping[str, Pipeline], language: str, sentence: str) -> None:
    assert talk(pipelines[language], _house(language), [sentence]) == [""]


def _sorted(turn: str) -> list[str]:
    return sorted(turn.split("; "))
