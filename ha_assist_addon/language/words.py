"""Words of a sentence, and the keys under which differently written names are the same name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Scripts that write no spaces between words: Thai, Lao, Burmese, Khmer, Japanese, Chinese."""

_TOKEN = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+(?:['’][^\W_{_UNSPACED}]+)*", re.UNICODE)
_ELIDED = "(?:[cdjlmnstv]|qu|jusqu|lorsqu|puisqu|gl|un|all|dall|dell|nell|sull|coll|quest|quell|bell|sant)['’]"
ELISION = rf"(?<![^\W_]){_ELIDED}(?=[^\W_])"
"""The elided words of the Romance languages, each a word of its own: `l'éclairage`, `dell'ingresso`."""
_ELISION = re.compile(ELISION, re.IGNORECASE)
_TRANSLITERATED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae", "ß": "ss"})
_UNDECOMPOSED = str.maketrans({"ø": "o", "æ": "ae", "ß": "ss", "ł": "l", "đ": "d", "ı": "i", "œ": "oe", "’": "'"})


@dataclass(frozen=True, slots=True)
class Word:
    """One word with its place in the sentence."""

    text: str
    start: int
    end: int


def words_of(text: str) -> tuple[Word, ...]:
    """The words of a sentence; scripts without spaces give one word a character."""
    return tuple(Word(m.group(), m.start(), m.end()) for m in _TOKEN.finditer(text))


def word_texts(text: str) -> list[str]:
    """The words of a text without their places."""
    return _TOKEN.findall(text)


@lru_cache(maxsize=8192)
def fold_word(word: str) -> str:
    """Lower case without diacritics and apostrophes: `Büro` and `BURO` are the same."""
    if word.isascii():
        return word.lower().replace("'", "")
    decomposed = unicodedata.normalize("NFKD", word.casefold().translate(_UNDECOMPOSED))
    return "".join(c for c in decomposed if not unicodedata.combining(c) and c != "'")


def folded_words(text: str) -> tuple[str, ...]:
    """The words of a sentence as they are compared."""
    return tuple(fold_word(w.text) for w in words_of(text))


def split_words(text: str) -> tuple[str, ...]:
    """The words of a name as they are compared, what is elided apart: `lampe d'Angela` has three."""
    return folded_words(_ELISION.sub(r"\g<0> ", text))


@lru_cache(maxsize=8192)
def transliterate(word: str) -> str:
    """The spelling without umlauts that people type: `Büro` is `buero`."""
    return fold_word(unicodedata.normalize("NFC", word).casefold().translate(_TRANSLITERATED))


def join_key(parts: Iterable[str]) -> str:
    """Folded words as one key, so that `LED-Strip`, `led strip` and `ledstrip` meet; two numbers never merge."""
    key = ""
    for part in parts:
        if key and part and key[-1].isdigit() and part[0].isdigit():
            key += "_"
        key += part
    return key


def keys_of(folded: Sequence[str], words: Sequence[str]) -> tuple[str, ...]:
    """All keys of a name whose words are known, folded and as they are written."""
    key = join_key(folded)
    if key.isascii() and all(map(str.isascii, words)):
        return (key,) if key else ()
    return tuple(dict.fromkeys(k for k in (key, join_key(map(transliterate, words))) if k))
