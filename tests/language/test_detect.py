"""In which language a short command is: its words decide, also where only the lexicon knows them."""

from __future__ import annotations

import pytest

from ha_assist_addon.language.data import languages_with
from ha_assist_addon.language.detect import LanguageDetector

SPOKEN = {
    "en": (
        "turn on the light|switch it off|dim the lamp|open the blinds|lock the door|close it|both|the second one|"
        "start the vacuum|a bit brighter|is the door open|and the kitchen"
    ),
    "de": (
        "mach das Licht an|Rollo hoch|Tür zu|stell die Heizung auf 20|lauter|etwas heller|das zweite|alle beide|"
        "starte den Staubsauger|ist die Tür offen|zu dunkel|nächstes Lied"
    ),
    "fr": (
        "allume la lumière|éteins-la|ouvre le volet|monte le son|éteins tout|un peu plus|la deuxième|les deux|"
        "lance l'aspirateur|la porte est ouverte|trop sombre|chanson suivante"
    ),
    "es": (
        "enciende la luz|apágala|apágalo todo|sube la persiana|cierra la puerta|baja el volumen|la segunda|las dos|"
        "inicia el aspirador|la puerta está abierta|muy oscuro|siguiente canción|apaga la lámpara|abre la persiana|"
        "limpia la cocina|¿está apagado el ventilador del cuarto de lavado?|apaga el ventilador|pon la luz roja"
    ),
    "pl": (
        "włącz światło|zgaś lampę|podnieś rolety|głośniej|wyłącz ją|drugą|obie|za ciemno|uruchom odkurzacz|"
        "czy drzwi są otwarte|ustaw termostat na 20|trochę jaśniej"
    ),
    "it": (
        "accendi la luce|spegnila|alza la tapparella|chiudi la porta|abbassa il volume|la seconda|entrambe|troppo buio|"
        "avvia l'aspirapolvere|è aperta la porta|un po' di più|è accesa la luce"
    ),
    "nl": (
        "doe het licht aan|gordijnen dicht|zet de lamp uit|allebei|de tweede|en de keuken|alles uit|te donker|"
        "start de stofzuiger|is de deur open|iets feller|volgende nummer"
    ),
    "pt": (
        "liga a luz|apaga a luz|desliga-a|sobe o estore|fecha a porta|baixa o volume|as duas|a segunda|para a música|"
        "inicia o aspirador|a porta está aberta|ligue o ventilador"
    ),
}
DETECTOR = LanguageDetector(languages_with("lexicon"))


def test_all_languages_that_have_a_lexicon_are_tried() -> None:
    assert set(SPOKEN) == set(languages_with("lexicon"))


@pytest.mark.parametrize(
    ("language", "sentence"), [(code, text) for code, texts in SPOKEN.items() for text in texts.split("|")]
)
def test_a_short_command_is_known_by_its_words(language: str, sentence: str) -> None:
    assert DETECTOR.rank(sentence)[:1] == (language,)


@pytest.mark.parametrize(
    ("home", "language"), [("Cocina Salón luz del pasillo", "es"), ("Luz da cozinha Estore da sala", "pt")]
)
def test_the_home_decides_what_two_languages_say_alike(home: str, language: str) -> None:
    assert set(DETECTOR.rank("apaga")) >= {"es", "pt"}
    assert DETECTOR.rank("apaga", home=home)[0] == language
