"""What Polish sentences of many forms mean, from the whole pipeline without a model.

A line a case, `sentence -> tool argument=value, ...`; `read` says that the state is read, to compute a change.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.composed import outcome
from tests.support.house import House, Pipeline
from tests.support.sentences import heard_as, lines, things

HOME = """
    Salon: light=Lampa stojąca; light=Żyrandol; cover=Zasłony; media_player=Głośnik w salonie; climate=Termostat
    Kuchnia: light=Światło nad blatem; light=Taśma; switch=Ekspres; fan=Okap; media_player=Radio kuchenne
    Sypialnia: light=Lampka nocna; cover=Roleta; fan=Wentylator sufitowy; media_player=Telewizor; humidifier=Nawilżacz
    Garaż: cover=Brama garażowa; light=Świetlówka
    Przedpokój: lock=Drzwi wejściowe; light=Kinkiet; vacuum=Robot sprzątający
    Łazienka: light=Lustro; switch=Suszarka; light=Sufitowa
    Ogród: valve=Zraszacz; lawn_mower=Kosiarka; light=Girlanda; lock=Furtka
    Warsztat: light=Halogen; switch=Piła
    -: scene=Wieczór filmowy; script=Dobranoc
"""
CASES = """
    # forms of the verb
    włącz lampę stojącą -> HassTurnOn name=Lampa stojąca
    proszę zapalić lampkę nocną -> HassTurnOn name=Lampka nocna
    czy możesz zaświecić kinkiet w przedpokoju? -> HassTurnOn name=Kinkiet
    czy mógłbyś włączyć ekspres -> HassTurnOn name=Ekspres
    czy moglibyśmy włączyć okap? -> HassTurnOn name=Okap
    chcę, żebyś włączył okap -> HassTurnOn name=Okap
    chciałabym, żebyś zapalił girlandę w ogrodzie -> HassTurnOn name=Girlanda
    prosimy o włączenie światła w łazience -> HassTurnOn area=Łazienka
    czy mogę prosić o wyłączenie okapu? -> HassTurnOff name=Okap
    proszę wyłączyć suszarkę -> HassTurnOff name=Suszarka
    zgaście światła w kuchni -> HassTurnOff area=Kuchnia
    wyłącz wszystkie światła w łazience -> HassTurnOff area=Łazienka
    hej, wyłącz mi proszę ekspres -> HassTurnOff name=Ekspres
    zgaś halogen w warsztacie -> HassTurnOff name=Halogen
    wyłącz światło w warsztacie -> HassTurnOff name=Halogen
    pogaś światła w łazience -> HassTurnOff area=Łazienka
    weź wyłącz piłę w warsztacie -> HassTurnOff name=Piła
    odłącz suszarkę -> HassTurnOff name=Suszarka
    wyłącz światło w garażu -> HassTurnOff name=Świetlówka
    # wishes and states
    okap powinien być wyłączony -> HassTurnOff name=Okap
    drzwi wejściowe mają być zamknięte na klucz -> HassTurnOn name=Drzwi wejściowe
    chcę, żeby ekspres był włączony -> HassTurnOn name=Ekspres
    niech roleta będzie zamknięta -> HassTurnOff name=Roleta
    # doors and covers
    podnieś roletę w sypialni -> HassTurnOn name=Roleta
    opuść roletę w sypialni -> HassTurnOff name=Roleta
    zasuń zasłony -> HassTurnOff name=Zasłony
    odsłoń zasłony w salonie -> HassTurnOn name=Zasłony
    zamknij drzwi wejściowe na zamek -> HassTurnOn name=Drzwi wejściowe
    zaryglować drzwi wejściowe -> HassTurnOn name=Drzwi wejściowe
    odblokuj furtkę w ogrodzie -> HassTurnOff name=Furtka
    zatrzymaj roletę w sypialni -> HassStopMoving name=Roleta
    ustaw roletę w sypialni do połowy -> HassSetPosition name=Roleta, position=50
    zakręć zraszacz -> HassTurnOff name=Zraszacz
    zamknij bramę garażową -> HassTurnOff name=Brama garażowa
    # values
    ustaw lampkę nocną na trzydzieści pięć procent -> HassLightSet brightness=35, name=Lampka nocna
    zmniejsz jasność lampki nocnej do 20 % -> HassLightSet brightness=20, name=Lampka nocna
    ustaw żyrandol na zielono -> HassLightSet color=green, name=Żyrandol
    chcę mieć lampkę nocną w kolorze fioletowym -> HassLightSet color=purple, name=Lampka nocna
    daj żyrandol na maksa -> HassLightSet brightness=100, name=Żyrandol
    ustaw termostat na 21 i pół stopnia -> HassClimateSetTemperature name=Termostat, temperature=21.5
    ustaw wilgotność nawilżacza na 40 procent -> HassHumidifierSetpoint humidity=40, name=Nawilżacz
    wentylator sufitowy na średnie obroty -> HassFanSetSpeed name=Wentylator sufitowy, percentage=66
    # changes
    zrób trochę jaśniej lampkę nocną -> read
    przyciemnij odrobinę żyrandol -> read
    podkręć ogrzewanie -> read
    zwiększ temperaturę o dwa stopnie -> read
    okap trochę wolniej -> read
    ścisz radio kuchenne -> HassSetVolumeRelative name=Radio kuchenne, volume_step=down
    podgłośnij telewizor w sypialni -> HassSetVolumeRelative name=Telewizor, volume_step=up
    zwiększ głośność telewizora o dziesięć procent -> HassSetVolumeRelative name=Telewizor, volume_step=10
    # media, robots, scenes
    wycisz telewizor w sypialni -> HassMediaPlayerMute name=Telewizor
    wstrzymaj radio kuchenne -> HassMediaPause name=Radio kuchenne
    następna piosenka na głośniku w salonie -> HassMediaNext name=Głośnik w salonie
    przejdź do poprzedniego utworu na radiu kuchennym -> HassMediaPrevious name=Radio kuchenne
    niech robot sprzątający wróci do bazy -> HassVacuumReturnToBase name=Robot sprzątający
    odeślij robota sprzątającego na stację dokującą -> HassVacuumReturnToBase name=Robot sprzątający
    uruchom robota sprzątającego -> HassVacuumStart name=Robot sprzątający
    włącz scenę wieczór filmowy -> HassTurnOn name=Wieczór filmowy
    # several
    wyłącz okap i ekspres -> HassTurnOff name=Okap; HassTurnOff name=Ekspres
    # a room alone: its lights
    włącz kuchnię -> HassTurnOn area=Kuchnia
    # one after the other
    zapal kinkiet, a potem zgaś halogen -> HassTurnOn name=Kinkiet; HassTurnOff name=Halogen
"""
NOTHING = """
    nie włączaj lampy stojącej
    dlaczego lampka nocna jest włączona?
    lampka nocna jest włączona
    roleta będzie zamknięta
    kto wyłączył okap?
    włącz ekspres, kiedy wrócę do domu
    jeśli możesz zapalić kinkiet zgaś halogen
    jeżeli będzie zimno, podkręć ogrzewanie
    włącz ekspres o siódmej
    zgaś kinkiet o zmierzchu
    potem wyłącz okap
    wyłącz okap później
    otwórz drzwi wejściowe po kolacji
    brat powiedział, żeby wyłączyć okap
    ktoś zgasił kinkiet
    wyłączyłem już halogen
    wyłącz zmywarkę
    zgaś halogen u Marty
    włącz kinkiet, to znaczy halogen
    zapomnij o włączeniu halogenu
    nie trzeba włączać okapu
    jutro włącz lampę stojącą
    włącz światło bez kinkietu
    zamknąłem furtkę
"""


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    return Pipeline(Path(tmp_path_factory.mktemp("data")), "pl")


@pytest.fixture(scope="module")
def house() -> House:
    return House(tuple(things(HOME)))


@pytest.mark.parametrize("case", lines(CASES))
def test_means(pipeline: Pipeline, house: House, case: str) -> None:
    sentence, _, wanted = case.partition(" -> ")
    heard = outcome(pipeline, house, sentence)
    assert heard_as(house, heard, wanted), heard


@pytest.mark.parametrize("sentence", lines(NOTHING))
def test_does_nothing(pipeline: Pipeline, house: House, sentence: str) -> None:
    assert outcome(pipeline, house, sentence) == ""
