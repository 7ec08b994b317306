"""What Portuguese sentences of Portugal and Brazil mean, from the whole pipeline without a model.

A line a case, `sentence -> tool argument=value, ...`; `read` says that the state is read, to compute a change.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.composed import outcome
from tests.support.house import House, Pipeline
from tests.support.sentences import heard_as, lines, things

HOME = """
    Sala: light=Candeeiro de pé; light=Luz do teto; cover=Cortinados; media_player=Coluna da sala; climate=Termóstato
    Cozinha: light=Fluorescente; light=Luz da bancada; switch=Cafeteira; fan=Exaustor; media_player=Rádio da cozinha
    Quarto: light=Abajur; cover=Persiana; fan=Ventoinha de teto; media_player=Televisão; humidifier=Humidificador
    Garagem: cover=Portão da garagem; light=Holofote
    Entrada: lock=Porta da frente; light=Aplique
    Corredor: vacuum=Robô aspirador; light=Fita
    Jardim: valve=Rega; lawn_mower=Corta-relva; light=Lanternas; lock=Cancela do jardim
    Banheiro: light=Espelho; switch=Toalheiro
    -: scene=Noite de cinema; script=Boa noite
"""
CASES = """
    # forms of the verb
    acende o candeeiro de pé -> HassTurnOn name=Candeeiro de pé
    acenda o abajur do quarto, por favor -> HassTurnOn name=Abajur
    podes acender-me o abajur? -> HassTurnOn name=Abajur
    você poderia ligar a cafeteira? -> HassTurnOn name=Cafeteira
    liga-me a luz da bancada, se faz favor -> HassTurnOn name=Luz da bancada
    quero que ligues a ventoinha de teto -> HassTurnOn name=Ventoinha de teto
    será que podes ligar o exaustor? -> HassTurnOn name=Exaustor
    oi, liga a fita do corredor -> HassTurnOn name=Fita
    desligue o exaustor -> HassTurnOff name=Exaustor
    apague as luzes da cozinha -> HassTurnOff area=Cozinha
    apagar luzes cozinha -> HassTurnOff area=Cozinha
    podemos desligar a televisão? -> HassTurnOff name=Televisão
    importas-te de apagar a fita? -> HassTurnOff name=Fita
    posso pedir-te para desligares o aplique? -> HassTurnOff name=Aplique
    me faz o favor de apagar o espelho do banheiro -> HassTurnOff name=Espelho
    se não te importas, desliga o exaustor -> HassTurnOff name=Exaustor
    se puder, desligue o toalheiro -> HassTurnOff name=Toalheiro
    há que desligar o exaustor -> HassTurnOff name=Exaustor
    # wishes and states
    a fita do corredor deve estar desligada -> HassTurnOff name=Fita
    preciso que a cafeteira esteja ligada -> HassTurnOn name=Cafeteira
    certifica-te de que a porta da frente fique trancada -> HassTurnOn name=Porta da frente
    quero a persiana fechada -> HassTurnOff name=Persiana
    # doors and covers
    sobe-me a persiana do quarto -> HassTurnOn name=Persiana
    abaixa a persiana do quarto -> HassTurnOff name=Persiana
    feche os cortinados -> HassTurnOff name=Cortinados
    abre os cortinados da sala -> HassTurnOn name=Cortinados
    fecha à chave a porta da frente -> HassTurnOn name=Porta da frente
    tranque a porta da frente -> HassTurnOn name=Porta da frente
    destranca a cancela do jardim -> HassTurnOff name=Cancela do jardim
    pare a persiana do quarto -> HassStopMoving name=Persiana
    baixe a persiana até à metade -> HassSetPosition name=Persiana, position=50
    fecha-me o portão da garagem -> HassTurnOff name=Portão da garagem
    # values
    põe o abajur do quarto a trinta e cinco por cento -> HassLightSet brightness=35, name=Abajur
    baixa o brilho do abajur para 20 % -> HassLightSet brightness=20, name=Abajur
    coloca o abajur do quarto em 50 por cento -> HassLightSet brightness=50, name=Abajur
    quero o abajur na cor roxa -> HassLightSet color=purple, name=Abajur
    ponha o holofote da garagem em verde -> HassLightSet color=green, name=Holofote
    põe o termóstato a 21 graus e meio -> HassClimateSetTemperature name=Termóstato, temperature=21.5
    ajusta-me a humidade do humidificador para 40 por cento -> HassHumidifierSetpoint humidity=40, name=Humidificador
    a ventoinha de teto em velocidade média -> HassFanSetSpeed name=Ventoinha de teto, percentage=66
    põe o rádio da cozinha no volume máximo -> HassSetVolume name=Rádio da cozinha, volume_level=100
    # changes
    põe o abajur um pouco mais claro -> read
    aumenta um bocadinho a luz da bancada -> read
    escurece um pouco o candeeiro de pé -> read
    sobe o aquecimento -> read
    o exaustor mais devagar -> read
    aumenta a temperatura dois graus -> read
    põe o termóstato dois graus mais alto -> read
    abaixa o som do rádio da cozinha -> HassSetVolumeRelative name=Rádio da cozinha, volume_step=down
    aumenta dez pontos o volume da televisão -> HassSetVolumeRelative name=Televisão, volume_step=10
    # media, robots, scenes
    silencia a televisão do quarto -> HassMediaPlayerMute name=Televisão
    põe em pausa o rádio da cozinha -> HassMediaPause name=Rádio da cozinha
    pula a música no rádio da cozinha -> HassMediaNext name=Rádio da cozinha
    música anterior na coluna da sala -> HassMediaPrevious name=Coluna da sala
    quero que o robô aspirador volte para a base -> HassVacuumReturnToBase name=Robô aspirador
    manda o robô aspirador carregar -> HassVacuumReturnToBase name=Robô aspirador
    põe o robô aspirador a limpar -> HassVacuumStart name=Robô aspirador
    ativa a cena noite de cinema -> HassTurnOn name=Noite de cinema
    # several
    desliga o exaustor e a cafeteira -> HassTurnOff name=Exaustor; HassTurnOff name=Cafeteira
    acende a fita e depois apaga o holofote -> HassTurnOn name=Fita; HassTurnOff name=Holofote
"""
NOTHING = """
    não acendas o candeeiro de pé
    porque é que o abajur está aceso?
    quem desligou o exaustor?
    liga a cafeteira quando eu chegar a casa
    se puderes ligar a fita apaga o holofote
    se fizer frio aumenta o aquecimento
    liga a cafeteira às sete
    apaga a fita ao anoitecer
    depois desliga o exaustor
    desliga o exaustor mais tarde
    abre a porta da frente depois do jantar
    o meu irmão disse para desligares o exaustor
    alguém apagou a fita
    já apaguei o holofote
    desliga a máquina de lavar
    apaga a fita da Joana
    apaga o holofote azul da arrecadação
    acende a fita, quero dizer, o holofote
    esquece de apagar o holofote
    amanhã acende o candeeiro de pé
    desliga tudo sem a fita
    acho que a fita está acesa
"""


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    return Pipeline(Path(tmp_path_factory.mktemp("data")), "pt")


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
