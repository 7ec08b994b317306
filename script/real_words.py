"""Of the words that people know, read from the standard input, those that a repair might take for a command word."""

from __future__ import annotations

import sys
from pathlib import Path

from ha_assist_addon.language.grammar import GrammarLibrary
from ha_assist_addon.language.lexicon import lexicon
from ha_assist_addon.language.words import fold_word
from ha_assist_addon.reading.near_words import options_of, tells_act

_HEAD = "# Words that people know, a slip away from a word that tells what to do. Written by script/real-words.\n"
_FOLDER = Path(__file__).parents[1] / "ha_assist_addon/language"


def main(language: str) -> None:
    """Write the list of one language."""
    words, grammar = lexicon(language), GrammarLibrary().get(language)
    if words is None or grammar is None:
        raise SystemExit(f"{language} has no lexicon.")
    known = {**words.words, **grammar.words}
    acting = {key: text for key, text in known.items() if tells_act(key, language)}
    people_know = {fold_word(line.strip()) for line in sys.stdin} - known.keys()
    found = {w for w in people_know if any(o.kind == "typing" for o in options_of(w, acting, language, acting))}
    text = "".join(f"{word}\n" for word in sorted(found))
    (_FOLDER / language / "real_words.txt").write_text(_HEAD + text, encoding="utf-8")
    sys.stderr.write(f"{language}: {len(found)} words\n")


if __name__ == "__main__":
    main(sys.argv[1])
