"""What must never act, in English and German: a guard word catches it, or no sentence fits it.

All of it goes through the whole pipeline without a model; what stands above `# impossible` must be caught by a guard.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ha_assist_addon.home.catalogue import Home
from ha_assist_addon.home.entity import Area, Entity
from ha_assist_addon.meaning.guard import find_guard, guards
from ha_assist_addon.recognition.recognise import normalise
from tests.support.house import House, Pipeline, thing
from tests.support.shared import needs_shared

HOUSES = {
    "en": House(
        (
            thing("Ceiling Light", "light", "Living Room"),
            thing("Floor Lamp", "light", "Living Room"),
            thing("Kitchen Light", "light", "Kitchen"),
            thing("Porch Light", "light", "Garden"),
            thing("Coffee Machine", "switch", "Kitchen"),
            thing("Ceiling Fan", "fan", "Bedroom"),
            thing("Living Room Curtains", "cover", "Living Room"),
            thing("Bedroom Blinds", "cover", "Bedroom"),
            thing("Garage Door", "cover", "Garage"),
            thing("Front Door", "lock", "Hallway"),
            thing("Back Door", "lock", "Kitchen"),
            thing("Garden Valve", "valve", "Garden"),
            thing("Robbie", "vacuum", "Living Room"),
            thing("Mowbot", "lawn_mower", "Garden"),
            thing("TV", "media_player", "Living Room"),
            thing("Thermostat", "climate", "Living Room"),
            thing("Shopping List", "todo"),
            thing("Movie Night", "scene", "Living Room"),
        ),
        satellite="Living Room",
        timers=False,
    ),
    "de": House(
        (
            thing("Deckenlampe", "light", "Wohnzimmer"),
            thing("Stehlampe", "light", "Wohnzimmer"),
            thing("Küchenlicht", "light", "Küche"),
            thing("Kaffeemaschine", "switch", "Küche"),
            thing("Deckenventilator", "fan", "Schlafzimmer"),
            thing("Rollladen", "cover", "Schlafzimmer"),
            thing("Garagentor", "cover", "Garage"),
            thing("Haustür", "lock", "Flur"),
            thing("Hintertür", "lock", "Küche"),
            thing("Gartenventil", "valve", "Garten"),
            thing("Robbi", "vacuum", "Wohnzimmer"),
            thing("Mähbert", "lawn_mower", "Garten"),
            thing("Fernseher", "media_player", "Wohnzimmer"),
            thing("Thermostat", "climate", "Wohnzimmer"),
            thing("Einkaufsliste", "todo"),
            thing("Filmabend", "scene", "Wohnzimmer"),
        ),
        satellite="Wohnzimmer",
        timers=False,
    ),
}

MUST_NOT = {
    "en": """
    # negation
    don't turn on the kitchen light
    do not open the garage door
    please don't unlock the front door
    never unlock the front door
    you must not open the bedroom blinds
    turn on the kitchen light not the ceiling light
    I don't want the kitchen light on
    without turning on the light open the blinds
    dont mute the tv
    there is no need to lock the front door
    you shouldn't close the garage door
    nobody should unlock the front door
    the kitchen light should not be on
    can't you turn off the tv
    don't start robbie
    do not set the thermostat to 25 degrees
    please never start the goodnight routine
    stop him from unlocking the front door
    avoid turning on the ceiling fan
    neither open the blinds nor the curtains
    no longer water the garden
    turn on nothing
    # hold
    keep the garage door closed
    leave the kitchen light on
    please leave the blinds open
    let the lights stay on
    keep the bedroom at 20 degrees
    let robbie be
    # question
    did you turn off the kitchen light
    is the kitchen light on
    are the blinds open
    should I close the garage door
    what happens if I turn off the heating
    how do I turn on the kitchen light
    why is the fan on
    when did you lock the front door
    who opened the garage door
    which lights are on in the kitchen
    can I turn on the coffee machine
    could it be that the front door is unlocked
    will the fan turn on
    has the front door been locked
    do I have lights in the bedroom
    does the fan turn off by itself
    tell me if the kitchen light is on
    can you tell me whether the front door is locked
    I wonder whether the blinds are open
    would it be possible to open the blinds
    where is robbie
    is it possible to dim the floor lamp to 20 percent
    the front door is locked isn't it
    do you think the light is on
    have you locked the front door
    was the front door unlocked last night
    can you open the garage door or not
    explain how to unlock the front door
    whose light is on
    any lights on in the kitchen
    # condition
    if it rains close the bedroom blinds
    turn on the kitchen light if it is dark
    turn on the porch light when it gets dark
    unless it is cold open the blinds
    turn off the tv once the movie is over
    when I leave turn off all the lights
    turn on the fan until it is cold
    lock the front door as soon as I am gone
    in case of rain close the curtains
    turn off the heating while the window is open
    provided that nobody is home lock up
    whenever someone rings turn on the porch light
    turn on the fan as long as it is hot
    as long as the door is open turn off the heating
    turn on the porch light every time the doorbell rings
    assuming it is dark turn on the porch light
    start the coffee machine or else the toaster
    # schedule
    turn off the kitchen light in 10 minutes
    turn on the kitchen light tomorrow
    open the bedroom blinds at 7 am
    turn on the floor lamp at 7
    open the blinds at 7
    turn on the heating at 7
    set the thermostat to 21 at 6:30
    turn on the ceiling fan at 9 o'clock
    close the garage door in half an hour
    every evening turn on the porch light
    turn on the porch light at sunset
    lock the front door at midnight
    start robbie every monday
    turn on the coffee machine before breakfast
    turn off the tv after the news
    turn on the fan for 20 minutes
    run the goodnight routine later
    turn off the lights tonight
    close the blinds at noon
    turn on the kitchen light in an hour
    start vacuuming next friday
    remind me to turn off the kitchen light
    water the garden daily
    on sunday start the mower
    turn the heating up to 21 in the morning
    turn off the tv soon
    turn on the kitchen light in a couple of minutes
    schedule the mower
    delay the coffee machine
    at half past seven turn on the light
    # exception
    turn off all the lights except the kitchen light
    all lights off but the floor lamp
    close everything besides the garage door
    turn off all lights apart from the ceiling light
    turn on only the floor lamp
    unlock all doors other than the back door
    turn off every light excluding the porch light
    turn on the floor lamp instead of the ceiling light
    turn off the lights but leave the tv on
    # past and statements
    I turned on the kitchen light
    she opened the garage door yesterday
    the kitchen light was on all night
    I already locked the front door
    the front door has been unlocked
    we should have closed the blinds
    he said turn on the kitchen light
    my wife turned off the heating
    somebody unlocked the front door
    the living room curtains are open again
    I think the light is on
    it is too dark in the kitchen
    they told me to turn off the tv
    last night the fan was on
    the light used to be red
    I love the kitchen light
    there is a light on in the kitchen
    this lamp is red
    # relative and vague
    make it a bit warmer in the bedroom
    dim the floor lamp by 20 percent
    lower the bedroom blinds a little
    turn the floor lamp down 20 percent
    raise the thermostat by 2 degrees
    raise the temperature 3 degrees
    increase the brightness of the floor lamp by half
    open the blinds slightly more
    a little less light in the bedroom
    make the floor lamp brighter
    make the bedroom warmer
    set the heating two degrees higher
    turn the fan up a notch
    dim the floor lamp somewhat
    turn the heating up another 2 degrees
    maybe turn on the kitchen light
    perhaps the blinds could be closed
    turn on some kind of light
    turn on either the floor lamp or the ceiling light
    turn on the kitchen light or the floor lamp
    make it cozy in here
    set the floor lamp to about 40 percent
    play something nice
    make it nice in here
    turn on a few lights
    it's too bright in the bedroom
    turn on any light
    # correction and contradiction
    turn on the kitchen light no wait the floor lamp
    turn on the kitchen light I mean the floor lamp
    turn off the tv actually turn it on
    close the hmm I don't know
    unlock the front door sorry the back door
    turn on the kitchen light forget it
    scratch that turn on the tv
    hold on turn on the tv
    turn the kitchen light on and off
    turn on the kitchen light off
    open and close the garage door
    turn off the tv on
    lock and unlock the front door
    turn the, turn the
    lock the front, what was I saying
    # impossible, unknown, too wide
    lock the kitchen light
    unlock the tv
    open the thermostat
    dim the garage door to 30 percent
    turn the garage door red
    set the floor lamp to 200 percent
    set the front door to 50 percent
    press the kitchen light
    mow the kitchen
    pause the kitchen light
    mute the floor lamp
    vacuum the moon
    turn on the sauna
    unlock the shed
    open the patio awning
    unlock all the doors
    unlock everything
    turn everything off
    open the house
    close it
    set it to 50 percent
    turn it off
    """,
    "de": """
    # Verneinung
    schalte das Küchenlicht nicht ein
    mach das Garagentor bitte nicht auf
    mach auf keinen Fall das Garagentor auf
    schließ niemals die Haustür auf
    kein Licht in der Küche anmachen
    ich will nicht dass das Küchenlicht an ist
    öffne nie die Haustür
    ohne das Licht anzumachen öffne den Rollladen
    du sollst das Küchenlicht nicht ausschalten
    starte Robbi nicht
    bitte nicht die Haustür aufschließen
    stell die Heizung nicht auf 25 Grad
    schalte keinen Ventilator ein
    das Küchenlicht soll nicht brennen
    weder das Licht noch den Fernseher ausschalten
    mach nichts an
    niemand soll die Haustür aufschließen
    unterlasse es das Licht einzuschalten
    mach das Licht nicht mehr an
    nicht stummschalten
    # Bleiben
    lass das Küchenlicht an
    lass die Rollläden unten bleiben
    lass das Garagentor zu
    lass den Rollladen auf
    die Haustür soll abgeschlossen bleiben
    lass den Fernseher aus
    # Frage
    ist das Küchenlicht an
    warum ist das Küchenlicht an
    wie schalte ich das Küchenlicht ein
    hast du das Küchenlicht ausgeschaltet
    soll ich das Garagentor schließen
    wer hat die Haustür aufgeschlossen
    wann wurde die Haustür abgeschlossen
    welche Lichter sind in der Küche an
    sind die Rollläden geschlossen
    kann ich das Licht anmachen
    war die Haustür gestern Nacht offen
    was passiert wenn ich die Heizung ausschalte
    sag mir ob das Küchenlicht an ist
    kannst du mir sagen ob die Haustür abgeschlossen ist
    weißt du ob das Licht an ist
    wo ist Robbi
    ob das Licht wohl an ist
    das Küchenlicht ist an oder
    könnte man das Licht dimmen
    wird das Licht ausgeschaltet
    gibt es Licht in der Küche
    läuft der Fernseher
    erkläre mir wie man die Haustür aufschließt
    ich frage mich ob das Licht an ist
    woher kommt das Licht
    muss ich die Haustür abschließen
    darf Robbi die Küche saugen
    schaltet sich das Licht aus oder nicht
    # Bedingung
    wenn es regnet schließe den Rollladen
    schalte das Küchenlicht ein wenn es dunkel ist
    schließ die Haustür auf falls Anna kommt
    sobald ich gehe schalte das Licht aus
    schalte den Ventilator ein bis es kühl ist
    öffne den Rollladen sofern die Sonne scheint
    solange das Fenster offen ist schalte die Heizung aus
    schalte den Fernseher aus wenn der Film zu Ende ist
    schalte das Licht ein sonst falle ich
    jedes Mal wenn es klingelt mach das Licht an
    angenommen es ist dunkel mach das Licht an
    während ich koche schalte das Küchenlicht ein
    schalte das Küchenlicht ein weil es dunkel ist
    mach das Licht an damit ich lesen kann
    im Falle von Regen schließ den Rollladen
    vorausgesetzt es ist dunkel schalte das Licht ein
    # Zeit
    schalte das Küchenlicht in 10 Minuten aus
    morgen früh die Kaffeemaschine einschalten
    öffne den Rollladen um 7 Uhr
    öffne den Rollladen um sieben
    schalte die Heizung um 6:30 ein
    stell die Heizung um acht auf 21 Grad
    jeden Abend die Stehlampe einschalten
    schalte das Küchenlicht heute Abend ein
    schließe das Garagentor in einer halben Stunde
    starte Robbi jeden Montag
    schalte das Licht bei Sonnenuntergang ein
    schließ die Haustür um Mitternacht ab
    mach das Licht später aus
    schalte den Ventilator für 20 Minuten ein
    starte den Mähroboter am Samstag
    schalte das Licht nachher aus
    fahr den Rollladen abends runter
    schalte die Kaffeemaschine vor dem Frühstück ein
    schalte den Fernseher nach den Nachrichten aus
    erinnere mich das Licht auszuschalten
    mach übermorgen das Licht an
    schalte das Küchenlicht erst in einer Stunde ein
    nachts die Haustür abschließen
    mach das Licht gegen acht an
    täglich den Garten bewässern
    in einer Viertelstunde den Fernseher ausschalten
    bevor ich gehe schalte das Licht aus
    schalte das Licht irgendwann aus
    werktags um 7 den Rollladen öffnen
    am Morgen die Heizung einschalten
    # Ausnahme
    schalte alle Lichter aus außer dem Küchenlicht
    mach alle Lichter aus bis auf die Stehlampe
    mach alles aus nur den Fernseher nicht
    schalte nur die Stehlampe ein
    alle Lichter aus ausgenommen die Deckenlampe
    schalte die Stehlampe statt der Deckenlampe ein
    alle Lichter aus aber nicht die Stehlampe
    mach das Licht aus aber lass den Fernseher an
    mit Ausnahme der Küche alle Lichter aus
    abgesehen vom Flur alle Lichter aus
    # Vergangenheit und Aussagen
    ich habe das Küchenlicht ausgeschaltet
    jemand hat die Haustür offen gelassen
    mein Vater macht den Fernseher immer zu laut
    das Küchenlicht war die ganze Nacht an
    gestern habe ich das Licht eingeschaltet
    die Haustür ist bereits abgeschlossen
    ich glaube das Licht ist an
    sie hat gesagt mach das Licht an
    das Garagentor ist schon zu
    es ist zu dunkel in der Küche
    er will das Licht aus haben
    die Rollläden sind wieder offen
    wir haben die Haustür abgeschlossen
    das Licht wurde ausgeschaltet
    vorhin war der Ventilator an
    das Küchenlicht hätte aus sein sollen
    ich liebe die Stehlampe
    man schaltet das Licht hier ein
    du hast das Licht ausgemacht
    letzte Nacht war die Haustür offen
    # Relativ und ungenau
    stell die Heizung zwei Grad höher
    dimm die Stehlampe um 20 Prozent
    mach die Stehlampe etwas heller
    mach es ein bisschen wärmer
    fahr den Rollladen ein Stück runter
    mach die Stehlampe heller
    weniger Licht im Schlafzimmer
    mach die Heizung wärmer
    stell die Heizung um 2 Grad runter
    erhöhe die Helligkeit um die Hälfte
    mach das Schlafzimmer wärmer
    dreh die Heizung 2 Grad hoch
    vielleicht das Licht ausmachen
    mach irgendein Licht an
    mach die Stehlampe oder die Deckenlampe an
    entweder das Licht oder den Fernseher ausschalten
    mach es gemütlich
    stell die Stehlampe auf ungefähr 40 Prozent
    stell die Stehlampe auf etwa 40 Prozent
    mach ein paar Lichter an
    im Schlafzimmer ist es zu hell
    den Ventilator schneller stellen
    dreh die Heizung um drei Stufen höher
    mach noch mehr Licht
    # Verbesserung und Widerspruch
    schalte das Küchenlicht ein nein warte die Stehlampe
    schalte das Küchenlicht ein ich meine die Stehlampe
    mach das Licht doch lieber aus
    schließ die Haustür auf Quatsch die Hintertür
    mach das Küchenlicht an vergiss es
    schalte die Entschuldigung
    schalte die hm ich weiß nicht
    mach das Küchenlicht an und aus
    Garagentor auf und zu
    Rollladen rauf und runter
    warte mach das Licht an
    stattdessen die Stehlampe einschalten
    was wollte ich sagen
    # unmöglich, unbekannt, zu weit
    schließe das Küchenlicht ab
    schließ den Fernseher auf
    öffne das Thermostat
    dimme das Garagentor auf 30 Prozent
    mach das Garagentor rot
    stell die Stehlampe auf 200 Prozent
    stell die Haustür auf 50 Prozent
    drück das Küchenlicht
    mäh die Küche
    schalte die Stehlampe stumm
    schalte die Sauna ein
    schließ den Schuppen auf
    schließ alle Türen auf
    alle Türen aufschließen
    schalte alles aus
    mach es aus
    stell es auf 50 Prozent
    noch einmal
    öffne das Haus
    """,
}

FREE = """
    en HassListAddItem | add never ending gum to the shopping list | never ending gum
    en HassBroadcast | broadcast that dinner is ready in ten minutes | dinner is ready in ten minutes
    en HassMediaSearchAndPlay | play what is love on the tv | what is love
    en HassTurnOn | turn on the porch light |
    en HassTurnOn | would you mind turning on the kitchen light if you don't mind |
    en HassTurnOn | if you could turn on the kitchen light please |
    en HassTurnOn | make sure the front door is locked |
    en HassMediaUnpause | keep playing |
    en HassSetVolumeRelative | make the tv louder |
    en HassStartTimer | set a timer for 10 minutes |
    en HassVacuumStart | have robbie clean |
    en HassTurnOn | do the movie night routine |
    en HassLightSet | lower the floor lamp to 20 percent |
    de HassListAddItem | setze ohne Zucker Limo auf die Einkaufsliste | ohne Zucker Limo
    de HassMediaNext | dieses Lied nicht |
    de HassTurnOn | schalte das Küchenlicht ein wenn du so nett bist |
    de HassTurnOff | lass den Rollladen runter |
    de HassSetVolumeRelative | mach den Fernseher lauter |
    de HassStartTimer | stell einen Timer auf 10 Minuten |
    de HassMediaSearchAndPlay | spiel etwas von Queen | Queen
    de HassTurnOn | ich hätte gern das Küchenlicht an |
"""

UNGUARDED = frozenset({"HassTimerStatus"})
"""Questions that count as actions in the official tests: a timer's state is read by a tool."""


def _lines(language: str) -> list[tuple[str, str, bool]]:
    found = []
    guarded = True
    for line in MUST_NOT[language].splitlines():
        text = line.strip()
        if text.startswith("#"):
            guarded = not text.startswith(("# impossible", "# unmöglich"))
        elif text:
            found.append((language, text, guarded))
    return found


CASES = [*_lines("en"), *_lines("de")]


@pytest.fixture(scope="module")
def pipelines(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pipeline]:
    """One grammar a language."""
    return {language: Pipeline(Path(tmp_path_factory.mktemp(language)), language) for language in MUST_NOT}


@pytest.mark.parametrize(("language", "sentence", "guarded"), CASES)
def test_never_acts(pipelines: dict[str, Pipeline], language: str, sentence: str, guarded: bool) -> None:
    assert pipelines[language].say(HOUSES[language], sentence).actions == []
    if guarded:
        home = _home(HOUSES[language])
        text = normalise(sentence)
        assert find_guard(text, home.names.mentions(text), language) is not None


ITEMS = """
    en no wait | add milk no wait eggs to the shopping list
    en nothing | add nothing to the shopping list
    de keine | setz keine Milch auf die Einkaufsliste
    de nicht | setz Milch nicht auf die Einkaufsliste
    de setz | warum setz Milch auf die Einkaufsliste
    en an hour | cancel the timer for an hour
    de stell | sag Anna stell einen Timer auf zehn Minuten
    de eine stunde | stell einen Timer auf zehn Minuten für eine Stunde
"""


@pytest.mark.parametrize("case", [line.strip() for line in ITEMS.strip().splitlines()])
def test_an_item_that_is_taken_back_is_none(pipelines: dict[str, Pipeline], case: str) -> None:
    head, sentence = (part.strip() for part in case.split("|"))
    language, word = head.split(maxsplit=1)
    decision = pipelines[language].say(replace(HOUSES[language], timers=True), sentence)
    assert decision.actions == []
    assert repr(word) in decision.trace.why.casefold()


def test_an_item_holds_no_second_list(pipelines: dict[str, Pipeline]) -> None:
    house = House((thing("Shopping List", "todo"), thing("Groceries", "todo")))
    assert pipelines["en"].say(house, "add milk to the shopping list and eggs to the groceries").actions == []
    work = House((thing("Shopping List", "todo"), thing("Work", "todo")))
    assert len(pipelines["en"].say(work, "add fireworks to the shopping list").actions) == 1


ODD = House(
    (
        thing("Everything Off", "scene"),
        thing("Alles aus", "scene"),
        thing("Bedroom Ceiling", "light", "Bedroom"),
        thing("Bedside Lamp", "light", "Bedroom"),
        thing("Bathroom Floor", "climate", "Bathroom"),
        thing("Kitchen Blind", "cover", "Kitchen"),
        thing("Hallway Light", "light", "Hallway"),
        thing("Lamp 1", "light", "Office"),
        thing("Desk 2", "light", "Office"),
        thing("Front Door", "lock", "Hallway"),
        thing("Stehlampe", "light", "Office"),
    )
)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        # a quantity or a room is no piece of a name
        ("en", "turn on everything"),
        ("en", "switch everything on"),
        ("de", "mach alles an"),
        ("en", "turn off bathroom"),
        ("en", "shut the kitchen"),
        ("en", "paint the bedroom red"),
        # a number is not taken apart
        ("en", "set lamp 10"),
        ("en", "set lamp 11 percent"),
        ("en", "desk 20%"),
        # a state is told
        ("en", "the hallway light turned on"),
        ("en", "hallway light switched off"),
        # on and off at once
        ("en", "hallway light off on"),
        ("de", "Stehlampe an aus"),
        # another word than the command's
        ("en", "block the front door"),
        ("en", "unblock the front door"),
        ("en", "lick the front door"),
        ("de", "Stehlampe aushalten"),
    ],
)
def test_names_and_words_are_not_stretched(pipelines: dict[str, Pipeline], language: str, sentence: str) -> None:
    assert pipelines[language].say(ODD, sentence).actions == []


@pytest.mark.parametrize(
    ("language", "sentence", "name"),
    [
        ("en", "everything off", "Everything Off"),
        ("de", "alles aus", "Alles aus"),
        ("en", "turn off the hallway", "Hallway Light"),
        ("en", "set lamp 1 to 10", "Lamp 1"),
        ("en", "unlokc the front door", "Front Door"),
        ("en", "get the hallway light turned on", "Hallway Light"),
    ],
)
def test_names_and_words_are_still_heard(
    pipelines: dict[str, Pipeline], language: str, sentence: str, name: str
) -> None:
    assert [a["name"] for _, a in pipelines[language].say(ODD, sentence).actions] == [name]


def test_there_are_enough() -> None:
    assert min(len(_lines("en")), len(_lines("de"))) >= 150


@pytest.mark.parametrize("case", [line.strip() for line in FREE.strip().splitlines()])
def test_free(case: str) -> None:
    head, sentence, free = (part.strip() for part in case.split("|"))
    language, intent = head.split()
    text = normalise(sentence)
    mentions = _home(HOUSES[language]).names.mentions(text)
    assert find_guard(text, mentions, language, intent=intent, free_text=[free] if free else []) is None


def test_a_name_is_no_guard() -> None:
    home = Home(entities=(Entity(("Never Land Lamp",), "light"),))
    text = normalise("turn on the never land lamp")
    assert find_guard(text, home.names.mentions(text), "en") is None
    assert find_guard(text, (), "en") is not None


def test_kinds_are_the_same_in_both_languages() -> None:
    english, german = guards("en"), guards("de")
    assert english is not None
    assert german is not None
    assert set(english) - {"request"} == set(german) - {"request"}


@needs_shared
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_official_action_is_caught(shared_dir: Path, language: str) -> None:
    source = json.loads((shared_dir / "eval" / "intents" / f"{language}.json").read_text(encoding="utf-8"))
    caught = []
    for case in source["tests"]:
        if case["kind"] != "action" or case["split"] != "dev" or case["intent"] in UNGUARDED:
            continue
        described = source["homes"][case["home"]]
        entities = tuple(Entity((e["name"], *e["aliases"]), e["domain"]) for e in described["entities"])
        areas = tuple(Area((a["name"], *a["aliases"])) for a in described["areas"])
        text = normalise(case["sentence"])
        free = [str(v) for k, v in case["slots"].items() if k in ("item", "message", "search_query")]
        mentions = Home(entities=entities, areas=areas).names.mentions(text)
        found = find_guard(text, mentions, language, intent=case["intent"], free_text=free)
        if found is not None:
            caught.append((case["sentence"], found))
    assert caught == []


def _home(house: House) -> Home:
    entities = tuple(Entity(t.names, t.domain, t.areas) for t in house.things)
    areas = dict.fromkeys(t.areas for t in house.things if t.areas)
    return Home(entities=entities, areas=tuple(map(Area, areas)))
