"""Italian sentences composed from their words, in a home of their own: what each does, and what must do nothing."""

from __future__ import annotations

import pytest

from tests.support.understood import Listener, heard, house_of, lines

HOME = """
    Soggiorno: light=Piantana; light=Lampada di Giulia; cover=Tapparella del soggiorno
    Soggiorno: vacuum=R2D2; climate=Termostato; media_player=Cassa del soggiorno
    Camera degli ospiti: light=Abat-jour; fan=Ventilatore della camera; cover=Tende; media_player=Televisore
    Cucina: light=Faretto del lavello; light=Faretto del piano; switch=Presa del tostapane
    Ingresso: light=Plafoniera; lock=Porta d'ingresso
    Officina: cover=Porta del garage; valve=Valvola dell'irrigazione; lawn_mower=Tosaerba
    -: scene=Serata cinema; light=Lucine del balcone
"""

COMMANDS = """
    puoi accendere l'illuminazione dell'ingresso => HassTurnOn Plafoniera
    spenga i faretti della cucina per favore => HassTurnOff Faretto del lavello + Faretto del piano
    vorrei che la lampada di Giulia fosse spenta => HassTurnOff Lampada di Giulia
    chiudi le tende della camera degli ospiti => HassTurnOff Tende
    alza la tapparella del soggiorno => HassTurnOn Tapparella del soggiorno
    tira giù la tapparella del soggiorno => HassTurnOff Tapparella del soggiorno
    tira su la tapparella del soggiorno => HassTurnOn Tapparella del soggiorno
    la porta d'ingresso deve essere chiusa a chiave => HassTurnOn Porta d'ingresso
    assicurati che la porta d'ingresso sia bloccata => HassTurnOn Porta d'ingresso
    la luce dell'ingresso va spenta => HassTurnOff Plafoniera
    potresti sbloccare la porta d'ingresso => HassTurnOff Porta d'ingresso
    chiudi a chiave la porta d'ingresso => HassTurnOn Porta d'ingresso
    chiudi la porta d'ingresso a chiave => HassTurnOn Porta d'ingresso
    rendi la piantana più luminosa => up brightness normal Piantana
    un po' più di luce in cucina => up brightness small Faretto del lavello; up brightness small Faretto del piano
    metti un po' più di luce in cucina => up brightness small Faretto del lavello; up brightness small Faretto del piano
    abbassa un po' la luce della camera degli ospiti => down brightness small Abat-jour
    abbassa le luci della cucina del 20% => down brightness 20.0 Faretto del lavello; down brightness 20.0 Faretto del piano
    aumenta il termostato di due gradi => up temperature 2.0 Termostato
    metti il riscaldamento due gradi più alto => up temperature 2.0 Termostato
    imposta il termostato a una temperatura di 21 gradi => HassClimateSetTemperature temperature=21 Termostato
    alza il termostato a 20 gradi e mezzo => HassClimateSetTemperature temperature=20.5 Termostato
    metti la piantana al 40% => HassLightSet brightness=40 Piantana
    imposta la luminosità della piantana al 40 per cento => HassLightSet brightness=40 Piantana
    metti l'abat-jour in blu => HassLightSet color=blue Abat-jour
    colora l'abat-jour di rosso => HassLightSet color=red Abat-jour
    voglio la piantana rossa => HassLightSet color=red Piantana
    metti le luci della cucina in bianco caldo => HassLightSet temperature=2700 Faretto del lavello + Faretto del piano
    fai partire il ventilatore della camera => HassTurnOn Ventilatore della camera
    accelera il ventilatore della camera => up speed normal Ventilatore della camera
    rallenta il ventilatore della camera degli ospiti => down speed normal Ventilatore della camera
    metti il ventilatore della camera al massimo => HassFanSetSpeed percentage=100 Ventilatore della camera
    ferma la porta del garage => HassStopMoving Porta del garage
    apri le tende a metà => HassSetPosition position=50 Tende
    apri un po' di più la tapparella del soggiorno => up position small Tapparella del soggiorno
    fai partire R2D2 => HassVacuumStart R2D2
    rimanda R2D2 alla base => HassVacuumReturnToBase R2D2
    l'aspirapolvere deve tornare alla base => HassVacuumReturnToBase R2D2
    di' a R2D2 di pulire => HassVacuumStart R2D2
    avvia l'aspirapolvere => HassVacuumStart R2D2
    avviate il tosaerba => HassLawnMowerStartMowing Tosaerba
    riporta il tosaerba alla stazione => HassLawnMowerDock Tosaerba
    togli l'audio al televisore => HassMediaPlayerMute Televisore
    riattiva l'audio del televisore => HassMediaPlayerUnmute Televisore
    silenzia il televisore => HassMediaPlayerMute Televisore
    alza il volume della cassa => HassSetVolumeRelative volume_step=up Cassa del soggiorno
    abbassa il volume del televisore di 10 => HassSetVolumeRelative volume_step=-10 Televisore
    imposta il volume del televisore al 30 per cento => HassSetVolume volume_level=30 Televisore
    prossima canzone sulla cassa del soggiorno => HassMediaNext Cassa del soggiorno
    torna alla traccia precedente sul televisore => HassMediaPrevious Televisore
    metti in pausa il televisore => HassMediaPause Televisore
    riprendi la riproduzione sul televisore => HassMediaUnpause Televisore
    apri la valvola dell'irrigazione => HassTurnOn Valvola dell'irrigazione
    chiudi l'irrigazione => HassTurnOff Valvola dell'irrigazione
    spegni tutto in cucina => HassTurnOff Faretto del lavello + Faretto del piano; HassTurnOff Presa del tostapane
    accendi entrambi i faretti della cucina => HassTurnOn Faretto del lavello + Faretto del piano
    spegni tutte le luci tranne l'abat-jour =>
    spegni tutte le luci di casa => HassTurnOff Abat-jour + Faretto del lavello + Faretto del piano + Lampada di Giulia + Lucine del balcone + Piantana + Plafoniera
    accendi la lampada di Giulia e la plafoniera => HassTurnOn Lampada di Giulia; HassTurnOn Plafoniera
    chiudi le tende e spegni l'abat-jour => HassTurnOff Abat-jour; HassTurnOff Tende
    spegni l'abat-jour e poi chiudi le tende => HassTurnOff Abat-jour; HassTurnOff Tende
    luce dell'ingresso spenta => HassTurnOff Plafoniera
    attiva la scena serata cinema => HassTurnOn Serata cinema
    accendimi la piantana => HassTurnOn Piantana
    posso chiederti di accendere la piantana => HassTurnOn Piantana
    possiamo spegnere le luci della cucina? => HassTurnOff Faretto del lavello + Faretto del piano
    bisogna spegnere la piantana => HassTurnOff Piantana
    accendi la presa del tostapane => HassTurnOn Presa del tostapane
    ehi jarvis, accendi la lampada di Giulia adesso => HassTurnOn Lampada di Giulia
    attenua la piantana => down brightness normal Piantana
    metti la luce dell'ingresso al minimo => HassLightSet brightness=1 Plafoniera
    accendi il lavello => HassTurnOn Faretto del lavello
    vorrei un po' meno luce qui => down brightness small Lampada di Giulia; down brightness small Piantana
    abbassa la temperatura di un grado => down temperature 1.0 Termostato
    sia spenta la piantana => HassTurnOff Piantana
    le luci della cucina devono essere spente => HassTurnOff Faretto del lavello + Faretto del piano
    è ora di spegnere le luci della cucina => HassTurnOff Faretto del lavello + Faretto del piano
    mi metti la luce al 30% in cucina? => HassLightSet brightness=30 Faretto del lavello + Faretto del piano
    metti la cucina al 30 % => HassLightSet brightness=30 Faretto del lavello + Faretto del piano
    spegni la luce dell'ingresso => HassTurnOff Plafoniera
    spegni la lampada della camera degli ospiti => HassTurnOff Abat-jour
    spegnimi questa lampada di Giulia => HassTurnOff Lampada di Giulia
    apri completamente le tende della camera degli ospiti => HassTurnOn Tende
    apri le tende della camera degli ospiti del 20 % in più => up position 20.0 Tende
    abbassa le tende della camera degli ospiti al 40 % => HassSetPosition position=40 Tende
    chiudi le tende della camera degli ospiti a metà => HassSetPosition position=50 Tende
    alza la tapparella del soggiorno del 10 per cento => up position 10.0 Tapparella del soggiorno
    ferma il ventilatore della camera => HassTurnOff Ventilatore della camera
    ferma la musica => HassMediaPause Cassa del soggiorno
    riprendi la musica => HassMediaUnpause Cassa del soggiorno
    metti la musica più forte => HassSetVolumeRelative volume_step=up Cassa del soggiorno
    alza il volume => HassSetVolumeRelative volume_step=up Cassa del soggiorno
    abbassa il volume sul televisore => HassSetVolumeRelative volume_step=down Televisore
    abbassa l'audio => HassSetVolumeRelative volume_step=down Cassa del soggiorno
    togli l'audio => HassMediaPlayerMute Cassa del soggiorno
    più forte la musica => HassSetVolumeRelative volume_step=up Cassa del soggiorno
    salta questa canzone => HassMediaNext Cassa del soggiorno
    prossima canzone => HassMediaNext Cassa del soggiorno
    accendi la televisione della camera degli ospiti => HassTurnOn Televisore
    scalda un po' di più => up temperature small Termostato
    imposta il condizionatore a 20 => HassClimateSetTemperature temperature=20 Termostato
    imposta la temperatura del soggiorno a 21 gradi => HassClimateSetTemperature temperature=21 Termostato
    aumenta la temperatura a 22 gradi => HassClimateSetTemperature temperature=22 Termostato
    imposta il riscaldamento a ventuno gradi => HassClimateSetTemperature temperature=21 Termostato
    metti il termostato a 19,5 gradi => HassClimateSetTemperature temperature=19.5 Termostato
    abbassa il riscaldamento di 1 grado => down temperature 1.0 Termostato
    attiva l'irrigazione => HassTurnOn Valvola dell'irrigazione
    chiudi la valvola => HassTurnOff Valvola dell'irrigazione
    aspirapolvere alla base => HassVacuumReturnToBase R2D2
    robot, torna alla tua base => HassVacuumReturnToBase R2D2
    metti l'aspirapolvere in carica => HassVacuumReturnToBase R2D2
    la porta del garage deve essere chiusa => HassTurnOff Porta del garage
    chiudi il garage => HassTurnOff Porta del garage
    apri il garage => HassTurnOn Porta del garage
    chiudi a chiave l'ingresso => HassTurnOn Porta d'ingresso
    sblocca la serratura dell'ingresso => HassTurnOff Porta d'ingresso
    accendi tutte le luci di casa tranne quelle della cucina =>
    spegni tutte le luci tranne quella dell'ingresso =>
    spegni le luci della camera degli ospiti e della cucina => HassTurnOff Abat-jour; HassTurnOff Faretto del lavello + Faretto del piano
    accendi la luce dell'ingresso, della cucina e della camera degli ospiti => HassTurnOn Abat-jour; HassTurnOn Faretto del lavello + Faretto del piano; HassTurnOn Plafoniera
    spegni la luce dell'ingresso e metti quella della cucina al 20 % => HassLightSet brightness=20 Faretto del lavello + Faretto del piano; HassTurnOff Plafoniera
    metti la lampada di Giulia in verde e la piantana in rosso => HassLightSet color=green Lampada di Giulia; HassLightSet color=red Piantana
    metti la lampada di Giulia in blu al 30 % => HassLightSet brightness=30 color=blue Lampada di Giulia
    colore rosso per la piantana => HassLightSet color=red Piantana
    luce blu in cucina => HassLightSet color=blue Faretto del lavello + Faretto del piano
    accendi la piantana in blu => HassLightSet color=blue Piantana
    accendi la piantana al 50 % => HassLightSet brightness=50 Piantana
    luci della cucina al massimo => HassLightSet brightness=100 Faretto del lavello + Faretto del piano
    luminosità della piantana al 25 => HassLightSet brightness=25 Piantana
    spegnere piantana => HassTurnOff Piantana
    riaccendi la piantana => HassTurnOn Piantana
    le dispiacerebbe accendere la piantana => HassTurnOn Piantana
    può chiudere le tende della camera degli ospiti => HassTurnOff Tende
    potrebbe per cortesia chiudere le tende della camera degli ospiti => HassTurnOff Tende
    desidero che la porta d'ingresso sia chiusa a chiave => HassTurnOn Porta d'ingresso
    mi accendi la piantana => HassTurnOn Piantana
    mi puoi accendere la piantana per favore => HassTurnOn Piantana
    me la accendi la piantana => HassTurnOn Piantana
    me lo spegni il televisore => HassTurnOff Televisore
    dai, spegni la piantana => HassTurnOff Piantana
    voglio spegnere la piantana => HassTurnOff Piantana
    vorrei la piantana accesa => HassTurnOn Piantana
    dovresti spegnere la piantana => HassTurnOff Piantana
    alza un poco il termostato => up temperature small Termostato
"""  # noqa: E501

NOTHING = """
    accendila
    me la accendi
    non me la accendi la piantana
    non accendere la piantana
    accendi la piantana domani
    accendi la piantana alle 20
    se la porta è aperta accendi la plafoniera
    ho spento la piantana
    Giulia ha spento la piantana
    lascia accesa la piantana
    credo che la porta d'ingresso sia aperta
    penso che bisogna chiudere la porta d'ingresso
    forse accendi la piantana
    accendi e spegni la piantana
    accendi la piantana, no, la plafoniera
    chi ha chiuso la porta d'ingresso?
    metti un timer sulla piantana
    imposta la piantana a -10 %
    imposta il termostato a meno 5 gradi
    mio marito spegne sempre la piantana
    ricordami di spegnere la piantana
    perché la piantana è spenta
    accendi la piantana o la plafoniera
    quando fa buio abbassa la tapparella
    chiudi la tapparella al tramonto
    apri la porta del frigo
    cancella tutte le sveglie
    imposta una sveglia per le 5
    disattiva la sveglia
    ricordati di non aprire la porta del garage
    la porta del garage è aperta, chiudila
    chiudi la porta del garage prima di cena
    apri la tapparella ogni mattina
    spegni la luce quando esco
"""


@pytest.fixture(scope="module")
def listener() -> Listener:
    return Listener(house_of(HOME, "Soggiorno"), "it")


@pytest.mark.parametrize(("sentence", "meant"), heard(COMMANDS))
def test_a_sentence_does_what_its_words_say(listener: Listener, sentence: str, meant: str) -> None:
    assert listener.hears(sentence) == meant


@pytest.mark.parametrize("sentence", lines(NOTHING))
def test_a_sentence_that_commands_nothing_does_nothing(listener: Listener, sentence: str) -> None:
    assert listener.hears(sentence) == ""
