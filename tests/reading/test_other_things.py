"""A word that says which one is meant names that one and no other of its kind."""

from __future__ import annotations

import pytest

from tests.support.house import House, Pipeline, thing

HOUSES = {
    "de": House((thing("Bürofenster", "cover", "Büro"), thing("Gartenpforte", "cover", "Garten"))),
    "en": House((thing("Office Window", "cover", "Office"), thing("Yard Gate", "cover", "Yard"))),
    "nl": House((thing("Kantoorraam", "cover", "Kantoor"), thing("Achterhek", "cover", "Erf"))),
    "fr": House((thing("Fenêtre du bureau", "cover", "Bureau"),)),
}


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "öffne das Dachfenster"),
        ("de", "öffne das Hoftor"),
        ("de", "mach die Dachluke auf"),
        ("en", "open the skylight"),
        ("nl", "open het dakraam"),
        ("nl", "open de tuinpoort"),
        ("fr", "ouvre la lucarne"),
    ],
)
def test_another_one_of_its_kind_is_left_alone(
    tmp_path_factory: pytest.TempPathFactory, language: str, sentence: str
) -> None:
    pipeline = Pipeline(tmp_path_factory.mktemp(language), language)
    decision = pipeline.say(HOUSES[language], sentence)
    assert decision.actions == []
    assert decision.text
