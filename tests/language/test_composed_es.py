"""What Spanish sentences of many forms mean, from the whole pipeline without a model.

A line a case, `sentence -> tool argument=value, ...`; `read` says that the state is read, to compute a change.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.composed import outcome
from tests.support.house import House, Pipeline
from tests.support.sentences import heard_as, lines, things

HOME = """
    Salón: light=Lámpara de pie; light=Luz del techo; cover=Cortinas; media_player=Altavoz del salón; climate=Termostato
    Cocina: light=Fluorescente; light=Luz de la encimera; switch=Cafetera; fan=Campana; media_player=Radio de la cocina
    Dormitorio: light=Lamparita; cover=Persiana; fan=Ventilador de techo; media_player=Televisor
    Dormitorio: humidifier=Humidificador
    Garaje: cover=Puerta del garaje; light=Foco
    Entrada: lock=Puerta principal; light=Aplique
    Pasillo: vacuum=Robot aspirador; light=Tira
    Jardín: valve=Riego; lawn_mower=Cortacésped; light=Farolillos; lock=Cancela del jardín
    Baño de invitados: light=Espejo; switch=Calentador de toallas
    -: scene=Noche de cine; script=Buenas noches
"""
CASES = """
    # forms of the verb
    enciende la lámpara de pie -> HassTurnOn name=Lámpara de pie
    encienda usted la lámpara de pie, por favor -> HassTurnOn name=Lámpara de pie
    ¿podrías encenderme la lamparita? -> HassTurnOn name=Lamparita
    encendé las luces del pasillo -> HassTurnOn name=Tira
    prendé la luz de la encimera -> HassTurnOn name=Luz de la encimera
    préndeme el foco del garaje -> HassTurnOn name=Foco
    quiero que enciendas el ventilador de techo -> HassTurnOn name=Ventilador de techo
    ¿me enciendes la cafetera? -> HassTurnOn name=Cafetera
    apague la campana -> HassTurnOff name=Campana
    apagá la cafetera -> HassTurnOff name=Cafetera
    apagad las luces de la cocina -> HassTurnOff area=Cocina
    apagar luces cocina -> HassTurnOff area=Cocina
    ¿podemos apagar el televisor? -> HassTurnOff name=Televisor
    ¿te importaría apagar la tira? -> HassTurnOff name=Tira
    ¿puedo pedirte que apagues el aplique? -> HassTurnOff name=Aplique
    haz el favor de apagar el espejo del baño de invitados -> HassTurnOff name=Espejo
    si no te importa, apaga la campana -> HassTurnOff name=Campana
    desconecta el calentador de toallas -> HassTurnOff name=Calentador de toallas
    corta el riego -> HassTurnOff name=Riego
    hay que apagar la campana -> HassTurnOff name=Campana
    # wishes and states
    la tira del pasillo debe estar apagada -> HassTurnOff name=Tira
    necesito que la cafetera esté encendida -> HassTurnOn name=Cafetera
    asegúrate de que la puerta principal esté cerrada con llave -> HassTurnOn name=Puerta principal
    quiero la persiana cerrada -> HassTurnOff name=Persiana
    # doors and covers
    súbeme la persiana del dormitorio -> HassTurnOn name=Persiana
    bajá la persiana -> HassTurnOff name=Persiana
    cierre las cortinas -> HassTurnOff name=Cortinas
    descorre las cortinas del salón -> HassTurnOn name=Cortinas
    echa el cerrojo de la puerta principal -> HassTurnOn name=Puerta principal
    quita el cerrojo de la puerta principal -> HassTurnOff name=Puerta principal
    tranque la puerta principal -> HassTurnOn name=Puerta principal
    detenga la persiana del dormitorio -> HassStopMoving name=Persiana
    baje la persiana a la mitad -> HassSetPosition name=Persiana, position=50
    ciérrame la puerta del garaje -> HassTurnOff name=Puerta del garaje
    # values
    pon la lamparita del dormitorio al treinta y cinco por ciento -> HassLightSet brightness=35, name=Lamparita
    baja el brillo de la lamparita hasta el 20 % -> HassLightSet brightness=20, name=Lamparita
    quiero la lamparita de color morado -> HassLightSet color=purple, name=Lamparita
    ponga en verde el foco del garaje -> HassLightSet color=green, name=Foco
    pon el termostato a 21 grados y medio -> HassClimateSetTemperature name=Termostato, temperature=21.5
    ajústame la humedad del humidificador al 40 por ciento -> HassHumidifierSetpoint humidity=40, name=Humidificador
    el ventilador de techo a velocidad media -> HassFanSetSpeed name=Ventilador de techo, percentage=66
    pon a tope la radio de la cocina -> HassSetVolume name=Radio de la cocina, volume_level=100
    # changes
    haz la lamparita un poco más brillante -> read
    sube un poco la luz de la encimera -> read
    atenúa un pelín la lámpara de pie -> read
    sube la calefacción -> read
    la campana más despacio -> read
    bájale a la radio de la cocina -> HassSetVolumeRelative name=Radio de la cocina, volume_step=down
    sube diez puntos el volumen del televisor -> HassSetVolumeRelative name=Televisor, volume_step=10
    sube la temperatura dos grados -> read
    súbele dos grados al termostato -> read
    pon el termostato dos grados más alto -> read
    # a question reads the state
    ¿está encendida la lamparita? -> read
    # media, robots, scenes
    silencia el televisor -> HassMediaPlayerMute name=Televisor
    pon en pausa la radio de la cocina -> HassMediaPause name=Radio de la cocina
    pasa de canción en la radio de la cocina -> HassMediaNext name=Radio de la cocina
    vuelve a la canción anterior en el altavoz del salón -> HassMediaPrevious name=Altavoz del salón
    que el robot aspirador vuelva a la base -> HassVacuumReturnToBase name=Robot aspirador
    manda el robot aspirador a cargar -> HassVacuumReturnToBase name=Robot aspirador
    pon a limpiar el robot aspirador -> HassVacuumStart name=Robot aspirador
    lanza la escena noche de cine -> HassTurnOn name=Noche de cine
    # several
    apaga la campana y la cafetera -> HassTurnOff name=Campana; HassTurnOff name=Cafetera
    enciende la tira y luego apaga el foco -> HassTurnOn name=Tira; HassTurnOff name=Foco
    apaga las luces de la cocina y del pasillo -> HassTurnOff area=Cocina; HassTurnOff name=Tira
"""
NOTHING = """
    no enciendas la lámpara de pie
    ¿quién ha apagado la campana?
    enciende la cafetera cuando llegue a casa
    si puedes encender la tira apaga el foco
    si hace frío sube la calefacción
    enciende la cafetera a las siete
    apaga la tira al anochecer
    luego apaga la campana
    apaga la campana más tarde
    abre la puerta principal después de cenar
    mi hermano dijo que apagaras la campana
    alguien apagó la tira
    ya he apagado el foco
    apaga la lavadora
    apaga la tira del desván de Ana
    apaga el foco azul del trastero
    enciende la tira, digo, el foco
    olvídate de apagar el foco
    hasta que vuelva deja el foco encendido
    mañana enciende la lámpara de pie
    sin encender la tira
"""


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    return Pipeline(Path(tmp_path_factory.mktemp("data")), "es")


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
