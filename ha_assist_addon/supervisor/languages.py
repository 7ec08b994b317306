"""Home Assistant's languages under the names that its sentence package has for them."""

from __future__ import annotations

from functools import lru_cache

from home_assistant_intents import get_languages

_OTHER_NAMES = {
    "zh-hans": "zh-CN",
    "zh-hant": "zh-TW",
    "zh": "zh-CN",
    "no": "nb",
    "nn": "nb",
    "iw": "he",
    "gsw": "de-CH",
}


@lru_cache(maxsize=1)
def _grammars() -> dict[str, str]:
    return {language.casefold(): language for language in get_languages()}


def grammar_language(language: str | None, country: str | None = None) -> str | None:
    """`en-GB` has the grammar of `en`, `zh-Hant` that of the country; None where there is none."""
    if not language:
        return None
    key = language.replace("_", "-").casefold()
    if key in {"zh-hant", "zh"} and country in {"HK", "MO"}:
        return "zh-HK"
    base = key.split("-", maxsplit=1)[0]
    known = _grammars()
    return known.get(key) or _OTHER_NAMES.get(key) or known.get(base) or _OTHER_NAMES.get(base)
