"""French sentences composed from their words, in a home of their own: what each does, and what must do nothing."""

from __future__ import annotations

import pytest

from tests.support.understood import Listener, heard, house_of, lines

HOME = """
    Séjour: light=Suspension; light=Lampe d'Angela; cover=Volet du séjour
    Séjour: vacuum=R2D2; climate=Thermostat; media_player=Enceinte du séjour
    Chambre d'amis: light=Lampe de chevet; fan=Ventilateur de la chambre; cover=Rideaux; media_player=Télé
    Cuisine: light=Spot de l'évier; light=Spot du plan de travail; switch=Prise du grille-pain
    Entrée: light=Applique; lock=Porte d'entrée
    Atelier: cover=Porte de garage; valve=Vanne d'arrosage; lawn_mower=Tondeuse
    -: scene=Soirée cinéma; light=Guirlande du balcon
"""

COMMANDS = """
    peux-tu allumer l'éclairage de l'entrée => HassTurnOn Applique
    éteignez les spots de la cuisine s'il vous plaît => HassTurnOff Spot de l'évier + Spot du plan de travail
    je voudrais que la lampe d'Angela soit éteinte => HassTurnOff Lampe d'Angela
    veuillez fermer les rideaux de la chambre d'amis => HassTurnOff Rideaux
    il faut que tu ouvres le volet du séjour => HassTurnOn Volet du séjour
    la porte d'entrée doit être verrouillée => HassTurnOn Porte d'entrée
    assurez-vous que la porte d'entrée est bien verrouillée => HassTurnOn Porte d'entrée
    assure-toi que la lumière de l'entrée soit éteinte => HassTurnOff Applique
    pourriez-vous déverrouiller la porte d'entrée => HassTurnOff Porte d'entrée
    ferme la porte d'entrée à double tour => HassTurnOn Porte d'entrée
    rends la suspension plus lumineuse => up brightness normal Suspension
    mets un peu plus de lumière dans la cuisine => up brightness small Spot de l'évier; up brightness small Spot du plan de travail
    baisse un peu la lumière de la chambre d'amis => down brightness small Lampe de chevet
    baisse la lumière de la cuisine de 20 % => down brightness 20.0 Spot de l'évier; down brightness 20.0 Spot du plan de travail
    augmente le thermostat de deux degrés => up temperature 2.0 Thermostat
    mets le chauffage deux degrés plus chaud => up temperature 2.0 Thermostat
    mets deux degrés de plus au thermostat => up temperature 2.0 Thermostat
    règle le thermostat à une température de 21 degrés => HassClimateSetTemperature temperature=21 Thermostat
    monte le thermostat à 20 degrés et demi => HassClimateSetTemperature temperature=20.5 Thermostat
    mets la suspension à une luminosité de 40 % => HassLightSet brightness=40 Suspension
    mets la lampe de chevet en bleu => HassLightSet color=blue Lampe de chevet
    que la lampe de chevet soit rouge => HassLightSet color=red Lampe de chevet
    passe l'éclairage de la cuisine en blanc chaud => HassLightSet temperature=2700 Spot de l'évier + Spot du plan de travail
    fais tourner le ventilateur de la chambre => HassTurnOn Ventilateur de la chambre
    accélère le ventilateur de la chambre => up speed normal Ventilateur de la chambre
    ralentis le ventilo de la chambre d'amis => down speed normal Ventilateur de la chambre
    mets le ventilateur de la chambre à fond => HassFanSetSpeed percentage=100 Ventilateur de la chambre
    stoppe la porte de garage => HassStopMoving Porte de garage
    ouvre les rideaux à moitié => HassSetPosition position=50 Rideaux
    lève le volet du séjour => HassTurnOn Volet du séjour
    descends le volet du séjour => HassTurnOff Volet du séjour
    mets R2D2 en marche => HassVacuumStart R2D2
    renvoie R2D2 à sa base => HassVacuumReturnToBase R2D2
    l'aspirateur doit retourner à sa base => HassVacuumReturnToBase R2D2
    lance l'aspirateur => HassVacuumStart R2D2
    démarrez la tondeuse => HassLawnMowerStartMowing Tondeuse
    ramène la tondeuse à sa station => HassLawnMowerDock Tondeuse
    coupe le son de la télé => HassMediaPlayerMute Télé
    remets le son de la télé => HassMediaPlayerUnmute Télé
    mets la télé en sourdine => HassMediaPlayerMute Télé
    monte le son de l'enceinte => HassSetVolumeRelative volume_step=up Enceinte du séjour
    baisse le volume de la télé de 10 => HassSetVolumeRelative volume_step=-10 Télé
    mets le volume de la télé à 30 pour cent => HassSetVolume volume_level=30 Télé
    chanson suivante sur l'enceinte du séjour => HassMediaNext Enceinte du séjour
    passe à la piste précédente sur la télé => HassMediaPrevious Télé
    mets la télé en pause => HassMediaPause Télé
    relance la lecture sur la télé => HassMediaUnpause Télé
    ouvre la vanne d'arrosage => HassTurnOn Vanne d'arrosage
    coupe l'arrosage => HassTurnOff Vanne d'arrosage
    éteins tout dans la cuisine => HassTurnOff Prise du grille-pain; HassTurnOff Spot de l'évier + Spot du plan de travail
    allume les deux spots de la cuisine => HassTurnOn Spot de l'évier + Spot du plan de travail
    éteins toutes les lumières sauf la lampe de chevet =>
    éteins toutes les lumières de la maison => HassTurnOff Applique + Guirlande du balcon + Lampe d'Angela + Lampe de chevet + Spot de l'évier + Spot du plan de travail + Suspension
    allume la lampe d'Angela et l'applique => HassTurnOn Applique; HassTurnOn Lampe d'Angela
    ferme les rideaux et éteins la lampe de chevet => HassTurnOff Lampe de chevet; HassTurnOff Rideaux
    éteins la lampe de chevet puis ferme les rideaux => HassTurnOff Lampe de chevet; HassTurnOff Rideaux
    lumière de l'entrée éteinte => HassTurnOff Applique
    lance l'ambiance soirée cinéma => HassTurnOn Soirée cinéma
    active la scène soirée cinéma => HassTurnOn Soirée cinéma
    merci d'éteindre l'applique => HassTurnOff Applique
    puis-je vous demander d'allumer la suspension => HassTurnOn Suspension
    pouvons-nous éteindre les lumières de la cuisine ? => HassTurnOff Spot de l'évier + Spot du plan de travail
    branche la prise du grille-pain => HassTurnOn Prise du grille-pain
    hé jarvis, allume-moi la lampe d'Angela maintenant => HassTurnOn Lampe d'Angela
    tamise la suspension => down brightness normal Suspension
    mets la lumière de l'entrée au minimum => HassLightSet brightness=1 Applique
    allume l'évier => HassTurnOn Spot de l'évier
    éteins le plan de travail => HassTurnOff Spot du plan de travail
    diminue de moitié la luminosité de la suspension => down brightness 0.5 Suspension
    j'aimerais un peu moins de lumière ici => down brightness small Lampe d'Angela; down brightness small Suspension
    plus de lumière dans la cuisine => up brightness normal Spot de l'évier; up brightness normal Spot du plan de travail
    que la lampe de chevet soit rouge => HassLightSet color=red Lampe de chevet
    ouvre un peu plus le volet du séjour => up position small Volet du séjour
    l'aspirateur doit retourner à sa base => HassVacuumReturnToBase R2D2
    dis à R2D2 de nettoyer => HassVacuumStart R2D2
    demande à la tondeuse de rentrer à la station => HassLawnMowerDock Tondeuse
    fermez la porte d'entrée à clef => HassTurnOn Porte d'entrée
    la suspension et l'applique doivent être allumées => HassTurnOn Applique; HassTurnOn Suspension
    les lumières de la cuisine doivent être éteintes => HassTurnOff Spot de l'évier + Spot du plan de travail
    allume la lumière dans la cuisine et dans la chambre d'amis => HassTurnOn Lampe de chevet; HassTurnOn Spot de l'évier + Spot du plan de travail
    allume la lumière de la cuisine et de la chambre d'amis => HassTurnOn Lampe de chevet; HassTurnOn Spot de l'évier + Spot du plan de travail
    mets la température à 19 => HassClimateSetTemperature temperature=19 Thermostat
    mets le chauffage plus fort => up temperature normal Thermostat
    baisse la température d'un degré => down temperature 1.0 Thermostat
    monte la température de 1,5 degré => up temperature 1.5 Thermostat
    mets la suspension 20 % plus lumineuse => up brightness 20.0 Suspension
    augmente la luminosité de la suspension à 70 % => HassLightSet brightness=70 Suspension
    fais-moi un peu plus de lumière => up brightness small Lampe d'Angela; up brightness small Suspension
    il est temps d'éteindre les lumières de la cuisine => HassTurnOff Spot de l'évier + Spot du plan de travail
    tu peux me mettre la lumière à 30 % dans la cuisine ? => HassLightSet brightness=30 Spot de l'évier + Spot du plan de travail
    mets 30 % de luminosité dans la cuisine => HassLightSet brightness=30 Spot de l'évier + Spot du plan de travail
    mets la cuisine à 30 % => HassLightSet brightness=30 Spot de l'évier + Spot du plan de travail
    coupe la lumière de l'entrée => HassTurnOff Applique
    éteins la lampe de la chambre d'amis => HassTurnOff Lampe de chevet
    éteins-moi cette lampe d'Angela => HassTurnOff Lampe d'Angela
    ouvre grand les rideaux de la chambre d'amis => HassTurnOn Rideaux
    ferme complètement les rideaux de la chambre d'amis => HassTurnOff Rideaux
    ouvre les rideaux de la chambre d'amis de 20 % de plus => up position 20.0 Rideaux
    baisse les rideaux de la chambre d'amis à 40 % => HassSetPosition position=40 Rideaux
    ferme les rideaux de la chambre d'amis à moitié => HassSetPosition position=50 Rideaux
    monte le volet du séjour de 10 pour cent => up position 10.0 Volet du séjour
    arrête le ventilateur de la chambre => HassTurnOff Ventilateur de la chambre
    arrêtez la musique => HassMediaPause Enceinte du séjour
    arrête la télé => HassTurnOff Télé
    mets la télé en pause => HassMediaPause Télé
    reprends la lecture => HassMediaUnpause Enceinte du séjour
    mets la musique plus fort => HassSetVolumeRelative volume_step=up Enceinte du séjour
    mets le son plus fort => HassSetVolumeRelative volume_step=up Enceinte du séjour
    mets le son moins fort sur la télé => HassSetVolumeRelative volume_step=down Télé
    baisse le son => HassSetVolumeRelative volume_step=down Enceinte du séjour
    coupe le son => HassMediaPlayerMute Enceinte du séjour
    moins fort => HassSetVolumeRelative volume_step=down Enceinte du séjour
    plus fort la musique => HassSetVolumeRelative volume_step=up Enceinte du séjour
    passe cette chanson => HassMediaNext Enceinte du séjour
    musique suivante => HassMediaNext Enceinte du séjour
    allume la télé => HassTurnOn Télé
    éteins la télévision de la chambre d'amis => HassTurnOff Télé
    chauffe un peu plus => up temperature small Thermostat
    mets la clim à 20 => HassClimateSetTemperature temperature=20 Thermostat
    règle la température du séjour sur 21 degrés => HassClimateSetTemperature temperature=21 Thermostat
    augmente la température à 22 degrés => HassClimateSetTemperature temperature=22 Thermostat
    règle le chauffage à vingt et un degrés => HassClimateSetTemperature temperature=21 Thermostat
    mets le thermostat sur 19,5 degrés => HassClimateSetTemperature temperature=19.5 Thermostat
    réduis le chauffage de 1 degré => down temperature 1.0 Thermostat
    active l'arrosage => HassTurnOn Vanne d'arrosage
    ferme la vanne => HassTurnOff Vanne d'arrosage
    aspirateur à la base => HassVacuumReturnToBase R2D2
    robot, retourne à ta base => HassVacuumReturnToBase R2D2
    mets l'aspirateur en charge => HassVacuumReturnToBase R2D2
    la porte de garage doit être fermée => HassTurnOff Porte de garage
    ferme le garage => HassTurnOff Porte de garage
    ouvre le garage => HassTurnOn Porte de garage
    verrouillez la serrure de l'entrée => HassTurnOn Porte d'entrée
    débloque la porte d'entrée => HassTurnOff Porte d'entrée
    ouvre la serrure de l'entrée => HassTurnOff Porte d'entrée
    allume toutes les lumières de la maison sauf celles de la cuisine =>
    éteins toutes les lumières sauf celle de l'entrée =>
    éteins toutes les lumières de la chambre d'amis et de la cuisine => HassTurnOff Lampe de chevet; HassTurnOff Spot de l'évier + Spot du plan de travail
    allume la lumière de l'entrée, de la cuisine et de la chambre d'amis => HassTurnOn Applique; HassTurnOn Lampe de chevet; HassTurnOn Spot de l'évier + Spot du plan de travail
    éteins la lumière de l'entrée et mets celle de la cuisine à 20 % => HassLightSet brightness=20 Spot de l'évier + Spot du plan de travail; HassTurnOff Applique
    mets la lampe d'Angela en vert et la suspension en rouge => HassLightSet color=green Lampe d'Angela; HassLightSet color=red Suspension
    mets la lampe d'Angela en bleu à 30 % => HassLightSet brightness=30 color=blue Lampe d'Angela
    couleur rouge pour la suspension => HassLightSet color=red Suspension
    je veux une lumière tamisée ici => down brightness normal Lampe d'Angela; down brightness normal Suspension
    lumière bleue dans la cuisine => HassLightSet color=blue Spot de l'évier + Spot du plan de travail
    allume la suspension en bleu => HassLightSet color=blue Suspension
    allume la suspension à 50 % => HassLightSet brightness=50 Suspension
    lumières de la cuisine au maximum => HassLightSet brightness=100 Spot de l'évier + Spot du plan de travail
    luminosité de la suspension à 25 => HassLightSet brightness=25 Suspension
    suspension 25 pour cent => HassLightSet brightness=25 Suspension
    éteindre suspension => HassTurnOff Suspension
    peux-tu s'il te plaît bien vouloir allumer la suspension => HassTurnOn Suspension
    allume donc la suspension => HassTurnOn Suspension
    allons-y, ferme les rideaux de la chambre d'amis => HassTurnOff Rideaux
    rallume la suspension => HassTurnOn Suspension
    est-ce que tu pourrais éteindre la suspension => HassTurnOff Suspension
    ça te dérangerait d'allumer la suspension => HassTurnOn Suspension
    est-ce qu'on peut éteindre la suspension => HassTurnOff Suspension
    j'aimerais que tu fermes les rideaux de la chambre d'amis => HassTurnOff Rideaux
    je souhaite que la porte d'entrée soit verrouillée => HassTurnOn Porte d'entrée
"""  # noqa: E501

NOTHING = """
    n'allume pas la suspension
    allume la suspension demain
    allume la suspension à 20 heures
    si la porte est ouverte, allume l'applique
    j'ai éteint la suspension
    Angela a éteint la suspension
    laisse la suspension allumée
    ne laisse pas la porte ouverte
    je pense que la porte d'entrée est ouverte
    je crois qu'il faut fermer la porte d'entrée
    peut-être allume la suspension
    allume et éteins la suspension
    allume la suspension, non, l'applique
    qui a fermé la porte d'entrée ?
    la porte d'entrée était ouverte
    mets un minuteur sur la suspension
    règle la suspension à -10 %
    règle le thermostat à moins 5 degrés
    mon mari éteint toujours la suspension
    rappelle-moi d'éteindre la suspension
    pourquoi la suspension est éteinte
    tu as oublié d'éteindre la suspension
    il faudrait ne pas ouvrir la porte de garage
    allume la suspension ou l'applique
    quand il fera nuit ferme le volet du séjour
    ferme le volet du séjour au coucher du soleil
    ouvre la porte du frigo
    dis-moi d'éteindre la suspension
    tu pourrais pas éteindre la suspension
"""


@pytest.fixture(scope="module")
def listener() -> Listener:
    return Listener(house_of(HOME, "Séjour"), "fr")


@pytest.mark.parametrize(("sentence", "meant"), heard(COMMANDS))
def test_a_sentence_does_what_its_words_say(listener: Listener, sentence: str, meant: str) -> None:
    assert listener.hears(sentence) == meant


@pytest.mark.parametrize("sentence", lines(NOTHING))
def test_a_sentence_that_commands_nothing_does_nothing(listener: Listener, sentence: str) -> None:
    assert listener.hears(sentence) == ""
