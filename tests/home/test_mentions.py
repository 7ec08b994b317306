"""Names of the home in a sentence: found however they are written, never where they are not."""

from __future__ import annotations

import pytest

from ha_assist_addon.home.entity import Area, Entity
from ha_assist_addon.home.mentions import Kind, NameIndex, index_names, known_names
from ha_assist_addon.language.words import fold_word, keys_of, word_texts
from ha_assist_addon.recognition.recognise import normalise


def index_of(entities: list[Entity], areas: tuple[Area, ...] = (), floors: tuple[Area, ...] = ()) -> NameIndex:
    return NameIndex(known_names(entities, areas, floors))


def mentioned(names: list[str], sentence: str) -> set[str]:
    index = index_of([Entity((name,), "light") for name in names])
    return {m.known.value for m in index.mentions(normalise(sentence))}


SAME = [
    ("Desk Lamp", "turn on the desk lamp"),
    ("Desk Lamp", "turn on the DESK LAMP please"),
    ("Desk Lamp", "turn on the desklamp"),
    ("Desk Lamp", "turn on the desk-lamp"),
    ("LED-Strip", "dim the led strip"),
    ("LED Strip", "dim the led-strip"),
    ("LEDstrip", "dim the LED strip"),
    ("Büro Decke", "schalte buero decke an"),
    ("Büro Decke", "schalte Büro Decke an"),
    ("Büro Decke", "schalte buro decke an"),
    ("Bürodecke", "schalte die Büro-Decke an"),
    ("Straßenlampe", "schalte die Strassenlampe ein"),
    ("Køkken", "tænd lyset i koekken"),
    ("Ålesund", "slå på aalesund"),
    ("Café Lámpara", "enciende la cafe lampara"),
    ("Łazienka", "zgaś lazienka"),
    ("Obývák", "zhasni obyvak"),
    ("Movie - Dim", "turn on movie dim"),
    ("Bayern 1 Webradio", "aktiviere Bayern-1-Webradio"),
    ("Lamp (left)", "turn on lamp left"),
    ("Ed's Lamp", "turn on Ed's lamp"),
    ("Ed's Lamp", "turn on Ed’s lamp"),
    ("Ed’s Lamp", "turn on Ed's lamp"),
    ("Ed's Lamp", "turn on eds lamp"),
    ("Lampe d'ambiance", "allume la lampe d’ambiance"),
    ("TV.", "turn on the tv"),
    ("客厅的灯", "打开客厅的灯"),
    ("リビング", "リビングの電気をつけて"),
    ("거실", "거실 불 켜줘"),
    ("ห้องนอน", "เปิดไฟห้องนอน"),
    ("مصباح", "شغل مصباح"),
    ("Δωμάτιο", "άναψε το ΔΩΜΆΤΙΟ"),
    ("Lamp 1", "turn on lamp 1"),
    ("Lamp 1", "turn on lamp1"),
]


@pytest.mark.parametrize(("name", "sentence"), SAME)
def test_a_name_is_found(name: str, sentence: str) -> None:
    assert name in mentioned([name], sentence)


DIFFERENT = [
    ("Lamp 11", "turn on lamp 1 1"),
    ("Lamp 1 1", "turn on lamp 11"),
    ("Room 12", "lights in room 1 2 on"),
    ("Lamp 2", "turn on lamp 1"),
    ("Lamp 21", "turn on lamp 2"),
    ("Desk Lamp", "turn on the desk light"),
    ("Desk Lamp", "turn on the lamp on the desk"),
    ("Büro", "turn on the burrow"),
    ("客厅的灯", "打开卧室的灯"),
]


@pytest.mark.parametrize(("name", "sentence"), DIFFERENT)
def test_another_name_is_not(name: str, sentence: str) -> None:
    assert mentioned([name], sentence) == set()


def test_overlapping_names_are_all_found_with_their_places() -> None:
    index = index_of(
        [Entity(("Kitchen", "Cook Place"), "light"), Entity(("Kitchen Lamp",), "light")],
        (Area(("Kitchen",)),),
        (Area(("Ground",)),),
    )
    found = {(m.known.kind, m.known.value, m.start, m.end) for m in index.mentions("turn on the kitchen lamp")}
    assert found == {
        (Kind.NAME, "Kitchen", 12, 19),
        (Kind.AREA, "Kitchen", 12, 19),
        (Kind.NAME, "Kitchen Lamp", 12, 24),
    }
    assert all(
        m.text == "turn on the kitchen lamp"[m.start : m.end] for m in index.mentions("turn on the kitchen lamp")
    )


def test_aliases_and_domains_are_kept_apart() -> None:
    index = index_of([Entity(("Fan", "Air"), "fan"), Entity(("Fan",), "switch")])
    assert {(k.value, k.domain) for k in index.known} == {("Fan", "fan"), ("Air", "fan"), ("Fan", "switch")}
    assert {(m.known.value, m.known.domain) for m in index.mentions("turn on the fan")} == {
        ("Fan", "fan"),
        ("Fan", "switch"),
    }


def test_a_home_whose_states_alone_changed_keeps_its_index() -> None:
    def index(state: str, name: str = "Fan") -> NameIndex:
        return index_names(tuple(known_names([Entity((name,), "fan", state=state)], (), ())))

    assert index("on") is index("off")
    assert index("on", "Air") is not index("on")


@pytest.mark.parametrize("sentence", ["", " ", "?", "' ' '", "12345", "🙂", "\u0300"])
def test_a_sentence_without_words_mentions_nothing(sentence: str) -> None:
    assert mentioned(["Desk Lamp", "Büro"], sentence) == set()


def test_a_long_name_is_found_too() -> None:
    name = "The Very Old Lamp That Stands Beside The Green Sofa In The Corner Of Our Hall"
    assert mentioned([name], f"turn on {name.lower()}") == {name}


@pytest.mark.parametrize(("one", "other"), [("Lamp 1 2", "Lamp 12"), ("1 1", "11"), ("Zone 3 4 5", "Zone 345")])
def test_numbers_never_merge(one: str, other: str) -> None:
    keys = [set(keys_of([fold_word(w) for w in words], words)) for words in map(word_texts, (one, other))]
    assert not keys[0] & keys[1]
