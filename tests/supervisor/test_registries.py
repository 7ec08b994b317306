"""Names as the prompt has them, and languages as the sentence package has them."""

from __future__ import annotations

from typing import Any

import pytest

from ha_assist_addon.supervisor.languages import grammar_language
from ha_assist_addon.supervisor.registries import Named, Registries, context_of


@pytest.mark.parametrize(
    ("aliases", "names"),
    [
        ([None], [("Lamp",)]),
        ([None, "Light"], [("Lamp", "Light")]),
        (["Light", None], [("Light", "Lamp")]),
        (["Light", "Glow"], [("Light", "Glow"), ("Lamp", "Glow", "Light")]),
        (["Lamp"], [("Lamp",)]),
        ([], [("Lamp",)]),
        (None, [("Lamp",)]),
        ([5, ""], [("Lamp",)]),
    ],
)
def test_names_in_the_order_of_the_prompt(aliases: Any, names: list[tuple[str, ...]]) -> None:
    registries = Registries(named=(Named("light.lamp", "Lamp", None),), entries={"light.lamp": {"aliases": aliases}})
    assert [(e.name, *e.aliases) for e in context_of(registries).entities] == names


@pytest.mark.parametrize(
    ("language", "country", "grammar"),
    [
        ("en", "US", "en"),
        ("en-GB", "GB", "en"),
        ("de-CH", "CH", "de-CH"),
        ("de", "AT", "de"),
        ("pt-BR", None, "pt-BR"),
        ("es-419", None, "es"),
        ("zh-Hans", "CN", "zh-CN"),
        ("zh-Hant", "TW", "zh-TW"),
        ("zh-Hant", "HK", "zh-HK"),
        ("nn", "NO", "nb"),
        ("sr-Latn", "RS", "sr-Latn"),
        ("tlh", None, None),
        ("", None, None),
        (None, "DE", None),
    ],
)
def test_languages(language: str | None, country: str | None, grammar: str | None) -> None:
    assert grammar_language(language, country) == grammar
