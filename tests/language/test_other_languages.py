"""French, Spanish, Italian, Dutch, Polish and Portuguese: what a sentence means, and what must never act.

All data stands below, a line a case; the homes have one satellite, in the area of their first line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from ha_assist_addon.home.catalogue import Home
from ha_assist_addon.home.entity import Area, Entity
from ha_assist_addon.home.floors import floor_mentions
from ha_assist_addon.home.mentions import Mention
from ha_assist_addon.home.toolbox import Toolbox
from ha_assist_addon.language.data import read_file
from ha_assist_addon.language.grammar import Grammar, GrammarLibrary
from ha_assist_addon.language.replies import own_replies, say
from ha_assist_addon.language.source import OWN, load_source
from ha_assist_addon.meaning.guard import Guarded, find_guard, guards
from ha_assist_addon.meaning.plan import Planned, plan
from ha_assist_addon.recognition.recognise import Candidate, best, normalise, recognise
from tests.support.shared import needs_shared

HOMES: dict[str, str] = {
    "fr": """
        Salon: light=Plafonnier; light=Lampadaire; cover=Baie vitrée; vacuum=Roomba
        Salon: climate=Thermostat; media_player=Enceinte
        Chambre: light=Lampe de chevet; media_player=Télé; fan=Ventilateur plafond
        Cuisine: light=Lampe Cuisine
        Bureau: cover=Volet du bureau; switch=Prise bureau
        Entrée: lock=Porte d'entrée
        Jardin: valve=Vanne jardin; lawn_mower=Tondeuse
        -: todo=Liste de courses; todo=Tâches; scene=Soirée cinéma; script=Bonne nuit
    """,
    "es": """
        Salón: light=Lámpara de pie; light=Plafón; cover=Estor salón; vacuum=Roomba
        Salón: climate=Termostato; media_player=Altavoz
        Dormitorio: light=Lámpara de noche; media_player=Tele; fan=Ventilador techo
        Cocina: light=Luz Cocina
        Despacho: cover=Persiana del despacho; switch=Enchufe
        Entrada: lock=Puerta principal
        Jardín: valve=Válvula jardín; lawn_mower=Cortacésped
        -: todo=Lista de la compra; todo=Tareas; scene=Noche de cine; script=Buenas noches
    """,
    "it": """
        Salotto: light=Piantana; light=Plafoniera; cover=Vetrata; vacuum=Roomba
        Salotto: climate=Termostato; media_player=Altoparlante
        Camera da letto: light=Lampada da comodino; media_player=TV; fan=Ventilatore soffitto
        Cucina: light=Luce Cucina
        Studio: cover=Tapparella studio; switch=Presa
        Ingresso: lock=Porta d'ingresso
        Giardino: valve=Valvola giardino; lawn_mower=Tosaerba
        -: todo=Lista della spesa; todo=Cose da fare; scene=Serata cinema; script=Buonanotte
    """,
    "nl": """
        Woonkamer: light=Staande lamp; light=Plafondlamp; cover=Gordijn woonkamer; vacuum=Roomba
        Woonkamer: climate=Thermostaat; media_player=Speaker
        Slaapkamer: light=Nachtlampje; media_player=TV; fan=Plafondventilator
        Keuken: light=Keukenlamp
        Kantoor: cover=Rolluik kantoor; switch=Stopcontact
        Hal: lock=Voordeur
        Tuin: valve=Tuinkraan; lawn_mower=Maaier
        -: todo=Boodschappenlijst; todo=Taken; scene=Filmavond; script=Welterusten
    """,
    "pl": """
        Salon: light=Lampa stojąca; light=Plafon; cover=Zasłona salon; vacuum=Roomba
        Salon: climate=Termostat; media_player=Głośnik
        Sypialnia: light=Lampka nocna; media_player=Telewizor; fan=Wentylator sufitowy
        Kuchnia / kuchni: light=Lampa kuchenna
        Biuro: cover=Roleta biuro; switch=Gniazdko
        Przedpokój: lock=Drzwi wejściowe
        Ogród: valve=Zawór ogród; lawn_mower=Kosiarka
        -: todo=Lista zakupów / listy zakupów / liście zakupów; todo=Zadania; scene=Wieczór filmowy; script=Dobranoc
    """,
    "pt": """
        Sala: light=Candeeiro de pé; light=Plafonier; cover=Janelão; vacuum=Roomba
        Sala: climate=Termóstato; media_player=Coluna
        Quarto: light=Candeeiro de cabeceira; media_player=Televisão; fan=Ventoinha de teto
        Cozinha: light=Aplique
        Escritório: cover=Estore do escritório; switch=Tomada
        Entrada: lock=Porta da frente
        Jardim: valve=Válvula do jardim; lawn_mower=Corta-relva
        -: todo=Lista de compras; todo=Tarefas; scene=Noite de cinema; script=Boa noite
    """,
}
"""Areas and what they hold, `-` for none: `-` for none: names with their aliases."""

COMMANDS: dict[str, str] = {
    "fr": """
        règle la luminosité du salon à trente pourcent => HassLightSet area=Salon brightness=30
        règle la luminosité du salon à 50 pour cent => HassLightSet area=Salon brightness=50
        mets la lampe de chevet à vingt pour cent => HassLightSet name=Lampe de chevet brightness=20
        mets la lumière du salon à moitié => HassLightSet area=Salon brightness=50
        mets le plafonnier au maximum => HassLightSet name=Plafonnier brightness=100
        mets la lumière de la cuisine au minimum => HassLightSet area=Cuisine brightness=1
        tamise la lampe de chevet à 10 % => HassLightSet name=Lampe de chevet brightness=10
        règle l'intensité de la cuisine à 40 % => HassLightSet area=Cuisine brightness=40
        mets la lumière à 40 % => HassLightSet area=Salon brightness=40
        mets la lampe de chevet en rouge => HassLightSet name=Lampe de chevet color=red
        mets la lumière de la cuisine en turquoise => HassLightSet area=Cuisine color=turquoise
        mets le lampadaire en blanc chaud => HassLightSet name=Lampadaire temperature=2700
        ouvre le volet du bureau à cinquante pour cent => HassSetPosition name=Volet du bureau position=50
        mets le volet du bureau à moitié => HassSetPosition name=Volet du bureau position=50
        ouvre le volet du bureau à moitié => HassSetPosition name=Volet du bureau position=50
        arrête le volet du bureau => HassStopMoving name=Volet du bureau
        stoppe les stores du salon => HassStopMoving area=Salon device_class=blind,shade
        verrouille la porte d'entrée => HassTurnOn name=Porte d'entrée
        ferme la porte d'entrée à clé => HassTurnOn name=Porte d'entrée
        ferme à clef la porte d'entrée => HassTurnOn name=Porte d'entrée
        lance roomba => HassVacuumStart name=Roomba
        lance l'aspirateur => HassVacuumStart area=Salon
        passe l'aspirateur => HassVacuumStart area=Salon
        renvoie roomba à sa base => HassVacuumReturnToBase name=Roomba
        renvoie l'aspirateur à la base => HassVacuumReturnToBase area=Salon
        passe l'aspirateur dans le salon => HassVacuumCleanArea area=Salon
        nettoie le salon => HassVacuumCleanArea area=Salon
        mets le volume à 30 => HassSetVolume area=Salon volume_level=30
        mets le volume de l'enceinte à trente pour cent => HassSetVolume name=Enceinte volume_level=30
        mets le volume de la chambre à 20 => HassSetVolume area=Chambre volume_level=20
        mets la musique en pause => HassMediaPause area=Salon
        pause la musique => HassMediaPause area=Salon
        mets en pause la musique => HassMediaPause area=Salon
        reprends la musique => HassMediaUnpause area=Salon
        chanson suivante => HassMediaNext area=Salon
        mets la chanson suivante => HassMediaNext area=Salon
        reviens à la chanson précédente => HassMediaPrevious area=Salon
        mets le thermostat à 21 degrés => HassClimateSetTemperature name=Thermostat temperature=21
        règle la température à 21 => HassClimateSetTemperature area=Salon temperature=21
        mets le chauffage à vingt degrés => HassClimateSetTemperature area=Salon temperature=20
        mets le chauffage du salon sur 19 degrés => HassClimateSetTemperature area=Salon temperature=19
        ajoute des œufs à la liste de courses => HassListAddItem item=œufs name=Liste de courses
        ajoute du lait à ma liste de courses => HassListAddItem item=lait name=Liste de courses
        retire le lait de la liste de courses => HassListRemoveItem item=lait name=Liste de courses
        coche le lait sur la liste de courses => HassListCompleteItem item=lait name=Liste de courses
        lance la scène soirée cinéma => HassTurnOn name=Soirée cinéma
        mets l'ambiance soirée cinéma => HassTurnOn name=Soirée cinéma
        mets le ventilateur plafond à 50 % => HassFanSetSpeed name=Ventilateur plafond percentage=50
        s'il vous plaît allume le plafonnier => HassTurnOn name=Plafonnier
        pourrais-tu allumer le plafonnier => HassTurnOn name=Plafonnier
        est-ce que tu peux éteindre le plafonnier => HassTurnOff name=Plafonnier
    """,
    "es": """
        ajusta el brillo del salón al treinta por ciento => HassLightSet area=Salón brightness=30
        pon la lámpara de noche al 20 por ciento => HassLightSet name=Lámpara de noche brightness=20
        pon las luces de la cocina al 40 % => HassLightSet area=Cocina brightness=40
        pon la luz del salón a la mitad => HassLightSet area=Salón brightness=50
        pon el plafón al máximo => HassLightSet name=Plafón brightness=100
        pon la luz de la cocina al mínimo => HassLightSet area=Cocina brightness=1
        atenúa la lámpara de noche al 10 % => HassLightSet name=Lámpara de noche brightness=10
        ajusta la intensidad de la cocina al 40 % => HassLightSet area=Cocina brightness=40
        pon las luces al 40 % => HassLightSet area=Salón brightness=40
        pon la lámpara de noche en rojo => HassLightSet name=Lámpara de noche color=red
        pon la luz de la cocina de color turquesa => HassLightSet area=Cocina color=turquoise
        pon la lámpara de pie en blanco cálido => HassLightSet name=Lámpara de pie temperature=2700
        abre la persiana del despacho al cincuenta por ciento => HassSetPosition name=Persiana del despacho position=50
        pon la persiana del despacho a la mitad => HassSetPosition name=Persiana del despacho position=50
        sube la persiana del despacho hasta la mitad => HassSetPosition name=Persiana del despacho position=50
        detén la persiana del despacho => HassStopMoving name=Persiana del despacho
        para los estores del salón => HassStopMoving area=Salón device_class=shade
        bloquea la puerta principal => HassTurnOn name=Puerta principal
        cierra con llave la puerta principal => HassTurnOn name=Puerta principal
        cierra la puerta principal con llave => HassTurnOn name=Puerta principal
        desbloquea la puerta principal => HassTurnOff name=Puerta principal
        inicia roomba => HassVacuumStart name=Roomba
        pon en marcha el aspirador => HassVacuumStart area=Salón
        pasa la aspiradora => HassVacuumStart area=Salón
        devuelve roomba a la base => HassVacuumReturnToBase name=Roomba
        manda el robot aspirador a su base => HassVacuumReturnToBase area=Salón
        pasa la aspiradora en el salón => HassVacuumCleanArea area=Salón
        limpia el salón => HassVacuumCleanArea area=Salón
        pon el volumen al 30 => HassSetVolume area=Salón volume_level=30
        pon el volumen del altavoz al treinta por ciento => HassSetVolume name=Altavoz volume_level=30
        pon el volumen del dormitorio al 20 % => HassSetVolume area=Dormitorio volume_level=20
        pausa la música => HassMediaPause area=Salón
        pon en pausa la música => HassMediaPause area=Salón
        reanuda la música => HassMediaUnpause area=Salón
        siguiente canción => HassMediaNext area=Salón
        pasa a la siguiente canción => HassMediaNext area=Salón
        vuelve a la canción anterior => HassMediaPrevious area=Salón
        pon el termostato a 21 grados => HassClimateSetTemperature name=Termostato temperature=21
        pon la temperatura a 21 => HassClimateSetTemperature area=Salón temperature=21
        pon la calefacción a veinte grados => HassClimateSetTemperature area=Salón temperature=20
        pon la calefacción del salón a 19 grados => HassClimateSetTemperature area=Salón temperature=19
        Añade huevos a la lista de la compra => HassListAddItem item=huevos name=Lista de la compra
        apunta leche en mi lista de la compra => HassListAddItem item=leche name=Lista de la compra
        añade llamar al banco a tareas => HassListAddItem item=llamar al banco name=Tareas
        quita leche de la lista de la compra => HassListRemoveItem item=leche name=Lista de la compra
        marca leche como comprada en la lista de la compra => HassListCompleteItem item=leche name=Lista de la compra
        activa la escena noche de cine => HassTurnOn name=Noche de cine
        pon el ambiente noche de cine => HassTurnOn name=Noche de cine
        pon el ventilador techo al 50 % => HassFanSetSpeed name=Ventilador techo percentage=50
        por favor enciende el plafón => HassTurnOn name=Plafón
        podrías encender el plafón => HassTurnOn name=Plafón
        quiero que enciendas el plafón => HassTurnOn name=Plafón
    """,
    "it": """
        imposta la luminosità del salotto al trenta per cento => HassLightSet area=Salotto brightness=30
        metti la piantana al 20 per cento => HassLightSet name=Piantana brightness=20
        metti le luci della cucina al 40 % => HassLightSet area=Cucina brightness=40
        metti la luce del salotto a metà => HassLightSet area=Salotto brightness=50
        metti la plafoniera al massimo => HassLightSet name=Plafoniera brightness=100
        metti la luce della cucina al minimo => HassLightSet area=Cucina brightness=1
        abbassa la piantana al 10 % => HassLightSet name=Piantana brightness=10
        regola l'intensità della cucina al 40 % => HassLightSet area=Cucina brightness=40
        metti le luci al 40 % => HassLightSet area=Salotto brightness=40
        imposta la luminosità al 30 % => HassLightSet area=Salotto brightness=30
        metti la piantana in rosso => HassLightSet name=Piantana color=red
        metti la luce della cucina in turchese => HassLightSet area=Cucina color=turquoise
        metti la luce in blu => HassLightSet area=Salotto color=blue
        metti la piantana su bianco caldo => HassLightSet name=Piantana temperature=2700
        apri la tapparella studio al cinquanta per cento => HassSetPosition name=Tapparella studio position=50
        metti la tapparella studio a metà => HassSetPosition name=Tapparella studio position=50
        apri a metà la tapparella studio => HassSetPosition name=Tapparella studio position=50
        ferma la tapparella studio => HassStopMoving name=Tapparella studio
        ferma le tende del salotto => HassStopMoving area=Salotto device_class=curtain
        chiudi a chiave la porta d'ingresso => HassTurnOn name=Porta d'ingresso
        blocca la porta d'ingresso => HassTurnOn name=Porta d'ingresso
        chiudi la porta d'ingresso a chiave => HassTurnOn name=Porta d'ingresso
        sblocca la porta d'ingresso => HassTurnOff name=Porta d'ingresso
        avvia roomba => HassVacuumStart name=Roomba
        avvia l'aspirapolvere => HassVacuumStart area=Salotto
        passa l'aspirapolvere => HassVacuumStart area=Salotto
        riporta roomba alla base => HassVacuumReturnToBase name=Roomba
        manda il robot aspirapolvere alla base => HassVacuumReturnToBase area=Salotto
        passa l'aspirapolvere in salotto => HassVacuumCleanArea area=Salotto
        pulisci il salotto => HassVacuumCleanArea area=Salotto
        metti il volume a 30 => HassSetVolume area=Salotto volume_level=30
        imposta il volume dell'altoparlante al trenta per cento => HassSetVolume name=Altoparlante volume_level=30
        imposta il volume della camera da letto al 20 % => HassSetVolume area=Camera da letto volume_level=20
        metti in pausa la musica => HassMediaPause area=Salotto
        metti la musica in pausa => HassMediaPause area=Salotto
        riprendi la musica => HassMediaUnpause area=Salotto
        canzone successiva => HassMediaNext area=Salotto
        passa alla prossima canzone => HassMediaNext area=Salotto
        torna alla canzone precedente => HassMediaPrevious area=Salotto
        metti il termostato a 21 gradi => HassClimateSetTemperature name=Termostato temperature=21
        imposta la temperatura a 21 gradi => HassClimateSetTemperature area=Salotto temperature=21
        metti il riscaldamento a venti gradi => HassClimateSetTemperature area=Salotto temperature=20
        imposta il riscaldamento del salotto a 19 gradi => HassClimateSetTemperature area=Salotto temperature=19
        aggiungi uova alla lista della spesa => HassListAddItem item=uova name=Lista della spesa
        metti il latte nella lista della spesa => HassListAddItem item=latte name=Lista della spesa
        togli il latte dalla lista della spesa => HassListRemoveItem item=latte name=Lista della spesa
        spunta il latte dalla lista della spesa => HassListCompleteItem item=latte name=Lista della spesa
        attiva la scena serata cinema => HassTurnOn name=Serata cinema
        metti la scena serata cinema => HassTurnOn name=Serata cinema
        imposta il ventilatore soffitto al 50 % => HassFanSetSpeed name=Ventilatore soffitto percentage=50
        accendi per cortesia la plafoniera => HassTurnOn name=Plafoniera
        potresti accendere la plafoniera => HassTurnOn name=Plafoniera
    """,
    "nl": """
        zet de helderheid van de woonkamer op dertig procent => HassLightSet area=Woonkamer brightness=30
        zet de helderheid in de keuken op 50 procent => HassLightSet area=Keuken brightness=50
        zet het nachtlampje op twintig procent => HassLightSet name=Nachtlampje brightness=20
        zet het licht in de keuken op 40 % => HassLightSet area=Keuken brightness=40
        zet het licht in de woonkamer op de helft => HassLightSet area=Woonkamer brightness=50
        zet de plafondlamp op maximaal => HassLightSet name=Plafondlamp brightness=100
        dim het nachtlampje naar 10 % => HassLightSet name=Nachtlampje brightness=10
        stel de helderheid van de keuken in op 40 procent => HassLightSet area=Keuken brightness=40
        zet het licht op 40 % => HassLightSet area=Woonkamer brightness=40
        maak het nachtlampje rood => HassLightSet name=Nachtlampje color=red
        zet het licht in de keuken op turquoise => HassLightSet area=Keuken color=turquoise
        zet de staande lamp op warm wit => HassLightSet name=Staande lamp temperature=2700
        zet het rolluik kantoor op vijftig procent => HassSetPosition name=Rolluik kantoor position=50
        open het rolluik kantoor half => HassSetPosition name=Rolluik kantoor position=50
        zet het rolluik kantoor half open => HassSetPosition name=Rolluik kantoor position=50
        stop het rolluik kantoor => HassStopMoving name=Rolluik kantoor
        stop de gordijnen in de woonkamer => HassStopMoving area=Woonkamer device_class=curtain
        doe de voordeur op slot => HassTurnOn name=Voordeur
        vergrendel de voordeur => HassTurnOn name=Voordeur
        haal de voordeur van het slot => HassTurnOff name=Voordeur
        start roomba => HassVacuumStart name=Roomba
        start de stofzuiger => HassVacuumStart area=Woonkamer
        ga stofzuigen => HassVacuumStart area=Woonkamer
        stuur roomba terug naar het laadstation => HassVacuumReturnToBase name=Roomba
        stuur de stofzuiger terug naar de basis => HassVacuumReturnToBase area=Woonkamer
        stofzuig de woonkamer => HassVacuumCleanArea area=Woonkamer
        maak de woonkamer schoon => HassVacuumCleanArea area=Woonkamer
        zet het volume op 30 => HassSetVolume area=Woonkamer volume_level=30
        zet het volume van de speaker op dertig procent => HassSetVolume name=Speaker volume_level=30
        zet het volume in de slaapkamer op 20 % => HassSetVolume area=Slaapkamer volume_level=20
        pauzeer de muziek => HassMediaPause area=Woonkamer
        zet de muziek op pauze => HassMediaPause area=Woonkamer
        hervat de muziek => HassMediaUnpause area=Woonkamer
        volgende nummer => HassMediaNext area=Woonkamer
        ga naar het volgende nummer => HassMediaNext area=Woonkamer
        ga terug naar het vorige nummer => HassMediaPrevious area=Woonkamer
        zet de thermostaat op 21 graden => HassClimateSetTemperature name=Thermostaat temperature=21
        zet de temperatuur op 21 graden => HassClimateSetTemperature area=Woonkamer temperature=21
        zet de verwarming op twintig graden => HassClimateSetTemperature area=Woonkamer temperature=20
        zet de verwarming in de woonkamer op 19 graden => HassClimateSetTemperature area=Woonkamer temperature=19
        voeg eieren toe aan de boodschappenlijst => HassListAddItem item=eieren name=Boodschappenlijst
        zet melk op mijn boodschappenlijst => HassListAddItem item=melk name=Boodschappenlijst
        haal melk van de boodschappenlijst => HassListRemoveItem item=melk name=Boodschappenlijst
        vink melk af op de boodschappenlijst => HassListCompleteItem item=melk name=Boodschappenlijst
        activeer de scène filmavond => HassTurnOn name=Filmavond
        zet de plafondventilator op 50 % => HassFanSetSpeed name=Plafondventilator percentage=50
        zou je de plafondlamp aan kunnen zetten => HassTurnOn name=Plafondlamp
        kun je alsjeblieft even de plafondlamp aanzetten => HassTurnOn name=Plafondlamp
    """,
    "pl": """
        ustaw jasność w salon na trzydzieści procent => HassLightSet area=Salon brightness=30
        ustaw lampka nocna na 20 procent => HassLightSet name=Lampka nocna brightness=20
        przyciemnij lampka nocna do 10 % => HassLightSet name=Lampka nocna brightness=10
        rozjaśnij światło w kuchni do 80 procent => HassLightSet area=kuchni brightness=80
        ustaw światło w kuchni na 40 % => HassLightSet area=kuchni brightness=40
        ustaw światło w kuchni na połowę => HassLightSet area=kuchni brightness=50
        ustaw plafon na maksimum => HassLightSet name=Plafon brightness=100
        ustaw światło na 40 % => HassLightSet area=Salon brightness=40
        ustaw lampka nocna na czerwono => HassLightSet name=Lampka nocna color=red
        ustaw światło w kuchni na turkusowo => HassLightSet area=kuchni color=turquoise
        ustaw plafon na ciepłą biel => HassLightSet name=Plafon temperature=2700
        otwórz roleta biuro na pięćdziesiąt procent => HassSetPosition name=Roleta biuro position=50
        ustaw roleta biuro do połowy => HassSetPosition name=Roleta biuro position=50
        otwórz roleta biuro do połowy => HassSetPosition name=Roleta biuro position=50
        zatrzymaj roleta biuro => HassStopMoving name=Roleta biuro
        zatrzymaj rolety w salon => HassStopMoving area=Salon device_class=blind
        zamknij drzwi wejściowe na klucz => HassTurnOn name=Drzwi wejściowe
        zablokuj drzwi wejściowe => HassTurnOn name=Drzwi wejściowe
        odblokuj drzwi wejściowe => HassTurnOff name=Drzwi wejściowe
        uruchom roomba => HassVacuumStart name=Roomba
        uruchom odkurzacz => HassVacuumStart area=Salon
        zacznij odkurzać => HassVacuumStart area=Salon
        odeślij roomba do bazy => HassVacuumReturnToBase name=Roomba
        odeślij odkurzacz do bazy => HassVacuumReturnToBase area=Salon
        odkurz w salon => HassVacuumCleanArea area=Salon
        posprzątaj w salon => HassVacuumCleanArea area=Salon
        ustaw głośność na 30 => HassSetVolume area=Salon volume_level=30
        ustaw głośność głośnik na trzydzieści procent => HassSetVolume name=Głośnik volume_level=30
        ustaw głośność w sypialnia na 20 procent => HassSetVolume area=Sypialnia volume_level=20
        wstrzymaj muzykę => HassMediaPause area=Salon
        zrób pauzę => HassMediaPause area=Salon
        wznów muzykę => HassMediaUnpause area=Salon
        następna piosenka => HassMediaNext area=Salon
        następny utwór => HassMediaNext area=Salon
        poprzednia piosenka => HassMediaPrevious area=Salon
        ustaw termostat na 21 stopni => HassClimateSetTemperature name=Termostat temperature=21
        ustaw temperaturę na 21 stopni => HassClimateSetTemperature area=Salon temperature=21
        ustaw ogrzewanie na dwadzieścia stopni => HassClimateSetTemperature area=Salon temperature=20
        ustaw ogrzewanie w salon na 19 stopni => HassClimateSetTemperature area=Salon temperature=19
        dodaj jajka do listy zakupów => HassListAddItem item=jajka name=listy zakupów
        dopisz mleko do lista zakupów => HassListAddItem item=mleko name=Lista zakupów
        usuń mleko z listy zakupów => HassListRemoveItem item=mleko name=listy zakupów
        odhacz mleko na liście zakupów => HassListCompleteItem item=mleko name=liście zakupów
        włącz scenę wieczór filmowy => HassTurnOn name=Wieczór filmowy
        ustaw wentylator sufitowy na 50 procent => HassFanSetSpeed name=Wentylator sufitowy percentage=50
        czy możesz włączyć plafon => HassTurnOn name=Plafon
        mógłbyś włączyć plafon => HassTurnOn name=Plafon
    """,
    "pt": """
        põe o brilho da sala a trinta por cento => HassLightSet area=Sala brightness=30
        põe o plafonier a 20 por cento => HassLightSet name=Plafonier brightness=20
        põe as luzes da cozinha a 40 % => HassLightSet area=Cozinha brightness=40
        põe a luz da sala a metade => HassLightSet area=Sala brightness=50
        põe o plafonier no máximo => HassLightSet name=Plafonier brightness=100
        põe a luz da cozinha no mínimo => HassLightSet area=Cozinha brightness=1
        diminui o plafonier para 10 % => HassLightSet name=Plafonier brightness=10
        ajusta a intensidade da cozinha para 40 % => HassLightSet area=Cozinha brightness=40
        põe as luzes a 40 % => HassLightSet area=Sala brightness=40
        põe o plafonier a vermelho => HassLightSet name=Plafonier color=red
        põe a luz da cozinha em turquesa => HassLightSet area=Cozinha color=turquoise
        põe o candeeiro de pé em branco quente => HassLightSet name=Candeeiro de pé temperature=2700
        abre o estore do escritório a cinquenta por cento => HassSetPosition name=Estore do escritório position=50
        põe o estore do escritório a meio => HassSetPosition name=Estore do escritório position=50
        abre o estore do escritório até metade => HassSetPosition name=Estore do escritório position=50
        para o estore do escritório => HassStopMoving name=Estore do escritório
        para as cortinas da sala => HassStopMoving area=Sala device_class=curtain
        tranca a porta da frente => HassTurnOn name=Porta da frente
        fecha a porta da frente à chave => HassTurnOn name=Porta da frente
        destranca a porta da frente => HassTurnOff name=Porta da frente
        inicia roomba => HassVacuumStart name=Roomba
        liga o aspirador => HassVacuumStart area=Sala
        começa a aspirar => HassVacuumStart area=Sala
        manda o roomba para a base => HassVacuumReturnToBase name=Roomba
        manda o aspirador de volta para a base => HassVacuumReturnToBase area=Sala
        aspira a sala => HassVacuumCleanArea area=Sala
        limpa a sala => HassVacuumCleanArea area=Sala
        põe o volume a 30 => HassSetVolume area=Sala volume_level=30
        põe o volume da coluna a trinta por cento => HassSetVolume name=Coluna volume_level=30
        põe o volume do quarto a 20 % => HassSetVolume area=Quarto volume_level=20
        pausa a música => HassMediaPause area=Sala
        põe a música em pausa => HassMediaPause area=Sala
        retoma a música => HassMediaUnpause area=Sala
        próxima música => HassMediaNext area=Sala
        passa à próxima música => HassMediaNext area=Sala
        volta à música anterior => HassMediaPrevious area=Sala
        aumenta o volume => HassSetVolumeRelative area=Sala volume_step=up
        baixa o volume da coluna => HassSetVolumeRelative name=Coluna volume_step=down
        tira o som => HassMediaPlayerMute area=Sala
        repõe o som => HassMediaPlayerUnmute area=Sala
        põe o termóstato a 21 graus => HassClimateSetTemperature name=Termóstato temperature=21
        põe a temperatura a 21 graus => HassClimateSetTemperature area=Sala temperature=21
        põe o aquecimento a vinte graus => HassClimateSetTemperature area=Sala temperature=20
        põe o aquecimento da sala a 19 graus => HassClimateSetTemperature area=Sala temperature=19
        adiciona ovos à lista de compras => HassListAddItem item=ovos name=Lista de compras
        põe leite na minha lista de compras => HassListAddItem item=leite name=Lista de compras
        remove leite da lista de compras => HassListRemoveItem item=leite name=Lista de compras
        risca leite da lista de compras => HassListCompleteItem item=leite name=Lista de compras
        ativa a cena noite de cinema => HassTurnOn name=Noite de cinema
        põe a ventoinha de teto a 50 % => HassFanSetSpeed name=Ventoinha de teto percentage=50
        corta a relva => HassLawnMowerStartMowing area=Sala
        manda o corta-relva para a base => HassLawnMowerDock name=Corta-relva
        se faz favor acende o plafonier => HassTurnOn name=Plafonier
        podias acender o plafonier => HassTurnOn name=Plafonier
    """,
}
"""A sentence, and the intent with the slots that the call carries."""

MUST_NOT_ACT: dict[str, str] = {
    "fr": """
        negation: n'allume pas le plafonnier | ne ferme pas la porte d'entrée | n'ouvre jamais le volet du bureau
        negation: surtout pas la lumière du salon | allume le salon sans la lampe de chevet | ne verrouille rien
        negation: ne mets pas le volume à 30 | inutile d'éteindre le plafonnier | évite d'allumer la télé
        question: est-ce que la lumière du salon est allumée | le plafonnier est-il allumé
        question: pourquoi le plafonnier est allumé | quand as-tu éteint la lampe de chevet
        question: est-ce que je dois fermer le volet du bureau | qui a ouvert la porte d'entrée
        question: combien de lampes sont allumées | la porte d'entrée est verrouillée | comment éteindre la télé
        condition: allume le plafonnier si quelqu'un arrive | s'il pleut ferme le volet du bureau
        condition: éteins la télé quand je dors | dès que je pars verrouille la porte d'entrée
        condition: allume la lumière du salon jusqu'à ce que je revienne
        condition: à moins qu'il ne pleuve ouvre le volet du bureau | en cas d'orage éteins la prise bureau
        condition: sinon éteins le plafonnier | lorsque le soleil se couche allume le lampadaire
        schedule: allume le plafonnier demain | éteins la télé après 10 minutes
        schedule: ferme le volet du bureau ce soir | allume la lumière du salon à 7 heures
        schedule: éteins le plafonnier plus tard | allume le lampadaire tous les jours
        schedule: ouvre le volet du bureau à 8h30 | allume la lampe de chevet pendant une heure
        schedule: éteins tout après minuit | verrouille la porte d'entrée à minuit
        exception: éteins toutes les lumières sauf le plafonnier | allume tout à part la lampe de chevet
        exception: ferme tous les volets à l'exception du bureau | éteins les lumières hormis la cuisine
        exception: allume le salon mais pas le plafonnier
        past: j'ai éteint le plafonnier hier | la lumière du salon était allumée
        past: tu as déjà fermé le volet du bureau | le plafonnier a été éteint il y a une heure
        past: la semaine dernière la télé était allumée | on a oublié la lampe de chevet
        relative: allume un peu plus le plafonnier | baisse un peu la lumière du salon
        relative: monte le chauffage de 2 degrés | mets le lampadaire moins fort | il fait trop chaud
        relative: baisse le plafonnier de moitié | augmente la luminosité du salon de 10 %
        correction: allume le plafonnier non attends la lampe de chevet | éteins la télé euh le plafonnier
        correction: allume plutôt le lampadaire | en fait éteins la lampe de chevet
        correction: pardon ferme le volet du bureau | laisse tomber éteins le plafonnier
        reported: il a dit d'allumer le plafonnier | ma femme veut éteindre la télé
        reported: quelqu'un a ouvert la porte d'entrée | je crois que la lampe de chevet marche
        reported: elle m'a demandé d'éteindre le plafonnier | on dirait que le volet du bureau est ouvert
        unknown: allume la guirlande | éteins la lumière du grenier bleu | verrouille la porte de la grange
        unknown: mets la fontaine à 50 % | lance le lave-vaisselle
    """,
    "es": """
        negation: no enciendas el plafón | no cierres la puerta principal | nunca apagues la tele
        negation: no abras la persiana del despacho | enciende el salón sin la lámpara de pie
        negation: no pongas el volumen al 30 | no bloquees nada | evita encender el plafón
        negation: tampoco enciendas la tele
        question: ¿está encendida la luz del salón? | por qué está encendido el plafón | cuándo apagaste la tele
        question: debería cerrar la persiana del despacho | quién ha abierto la puerta principal
        question: cuántas luces están encendidas | la puerta principal está cerrada | cómo apago la tele
        question: hay alguna luz encendida
        condition: enciende el plafón si llega alguien | si llueve cierra la persiana del despacho
        condition: apaga la tele cuando me duerma | en cuanto salga bloquea la puerta principal
        condition: enciende la luz del salón hasta que vuelva | a menos que llueva abre la persiana del despacho
        condition: en caso de tormenta apaga el enchufe | mientras duermo apaga el plafón
        condition: siempre que haya gente enciende el plafón
        schedule: enciende el plafón mañana | apaga la tele tras 10 minutos
        schedule: cierra la persiana del despacho esta noche | enciende la luz del salón a las 7
        schedule: apaga el plafón más tarde | enciende la lámpara de pie todos los días
        schedule: abre la persiana del despacho a las 8:30 | enciende la lámpara de noche durante una hora
        schedule: apaga la tele después | bloquea la puerta principal a medianoche
        exception: apaga todas las luces excepto el plafón | enciende todo salvo la lámpara de pie
        exception: cierra todas las persianas menos la del despacho | apaga las luces a excepción de la cocina
        exception: enciende el salón pero no el plafón
        past: ayer apagué el plafón | la luz del salón estaba encendida | ya has cerrado la persiana del despacho
        past: hace una hora se apagó el plafón | la semana pasada la tele estaba encendida
        past: he dejado encendida la lámpara de pie
        relative: sube un poco la luz del salón | baja un poco el plafón | sube la calefacción algo
        relative: pon la lámpara de pie menos fuerte | hace demasiado calor | baja el plafón un 10 %
        relative: sube el brillo del salón en un 10 %
        correction: enciende el plafón no espera la lámpara de pie | apaga la tele eh el plafón
        correction: enciende mejor la lámpara de pie | en realidad apaga la tele
        correction: perdón cierra la persiana del despacho | déjalo apaga el plafón
        reported: dijo que encendieras el plafón | mi mujer quiere apagar la tele
        reported: alguien ha abierto la puerta principal | creo que la lámpara de pie funciona
        reported: me pidió que apagara el plafón | parece que la persiana del despacho está abierta
        unknown: enciende la guirnalda | apaga la luz del establo | bloquea la puerta del granero
        unknown: pon la fuente al 50 % | inicia el lavavajillas
    """,
    "it": """
        negation: non accendere la plafoniera | non chiudere la porta d'ingresso | mai spegnere la TV
        negation: non aprire la tapparella studio | accendi il salotto senza la piantana
        negation: non mettere il volume a 30 | non bloccare niente | evita di accendere la plafoniera
        negation: neanche la TV accendi
        question: è accesa la luce del salotto | perché è accesa la plafoniera | quando hai spento la TV
        question: devo chiudere la tapparella studio | chi ha aperto la porta d'ingresso
        question: quante luci sono accese | la porta d'ingresso è chiusa | come spengo la TV
        question: c'è una luce accesa
        condition: accendi la plafoniera se arriva qualcuno | se piove chiudi la tapparella studio
        condition: spegni la TV quando dormo | appena esco blocca la porta d'ingresso
        condition: accendi la luce del salotto finché non torno | a meno che non piova apri la tapparella studio
        condition: in caso di temporale spegni la presa | mentre dormo spegni la plafoniera
        condition: altrimenti spegni la TV
        schedule: accendi la plafoniera domani | spegni la TV entro 10 minuti
        schedule: chiudi la tapparella studio stasera | accendi la luce del salotto alle 7
        schedule: spegni la plafoniera più tardi | accendi la piantana ogni giorno
        schedule: apri la tapparella studio alle 8:30 | accendi la piantana per un'ora | spegni la TV dopo
        schedule: blocca la porta d'ingresso a mezzanotte
        exception: spegni tutte le luci tranne la plafoniera | accendi tutto eccetto la piantana
        exception: chiudi tutte le tapparelle ad eccezione dello studio | spegni le luci a parte la cucina
        exception: accendi il salotto ma non la plafoniera
        past: ieri ho spento la plafoniera | la luce del salotto era accesa | hai già chiuso la tapparella studio
        past: un'ora fa si è spenta la plafoniera | la settimana scorsa la TV era accesa
        past: ho lasciato accesa la piantana
        relative: alza un po' la luce del salotto | abbassa leggermente la plafoniera
        relative: alza il riscaldamento di 2 gradi in più | metti la piantana meno forte | fa troppo caldo
        relative: abbassa la plafoniera del 10 % | aumenta la luminosità del salotto di 10 per cento
        correction: accendi la plafoniera no aspetta la piantana | spegni la TV ehm la plafoniera
        correction: accendi piuttosto la piantana | in realtà spegni la TV | scusa chiudi la tapparella studio
        correction: lascia perdere spegni la plafoniera
        reported: ha detto di accendere la plafoniera | mia moglie vuole spegnere la TV
        reported: qualcuno ha aperto la porta d'ingresso | credo che la piantana funzioni
        reported: mi ha chiesto di spegnere la plafoniera | sembra che la tapparella studio sia aperta
        unknown: accendi la ghirlanda | spegni la luce della stalla | blocca la porta del fienile
        unknown: imposta la fontana al 50 % | avvia la lavastoviglie
    """,
    "nl": """
        negation: doe de plafondlamp niet aan | sluit de voordeur niet | zet de TV nooit uit
        negation: open het rolluik kantoor niet | doe de woonkamer aan zonder de staande lamp
        negation: zet het volume niet op 30 | doe geen lampen aan | vergrendel niets
        negation: laat niemand de TV aanzetten
        question: is het licht in de woonkamer aan | waarom is de plafondlamp aan | wanneer heb je de TV uitgezet
        question: moet ik het rolluik kantoor sluiten | wie heeft de voordeur geopend | hoeveel lampen zijn aan
        question: staat de TV nog aan | hoe zet ik de TV uit | mag ik het licht aandoen
        condition: zet de plafondlamp aan als er iemand komt | als het regent sluit het rolluik kantoor
        condition: doe de TV uit wanneer ik slaap | zodra ik wegga doe de voordeur op slot
        condition: zet het licht in de woonkamer aan totdat ik terug ben
        condition: tenzij het regent open het rolluik kantoor | in het geval van onweer doe het stopcontact uit
        condition: terwijl ik slaap doe de plafondlamp uit | anders doe de TV uit
        schedule: zet de plafondlamp morgen aan | doe de TV over 10 minuten uit
        schedule: sluit het rolluik kantoor vanavond | zet het licht in de woonkamer om 7 uur aan
        schedule: doe de plafondlamp later uit | zet de staande lamp elke dag aan
        schedule: open het rolluik kantoor om 8:30 | zet het nachtlampje een uur lang aan voor 1 uur
        schedule: doe straks de TV uit | doe de voordeur om middernacht op slot
        exception: doe alle lampen uit behalve de plafondlamp | doe alle lampen uit op de keuken na
        exception: sluit alle rolluiken met uitzondering van het kantoor
        exception: doe de lampen uit uitgezonderd de keuken | doe de woonkamer aan maar niet de plafondlamp
        past: gisteren heb ik de plafondlamp uitgedaan | het licht in de woonkamer was aan
        past: heb je het rolluik kantoor al gesloten | een uur geleden ging de plafondlamp uit
        past: vorige week stond de TV aan | ik heb de staande lamp aan gelaten
        relative: zet het licht in de woonkamer een beetje lager | doe de plafondlamp iets zachter
        relative: zet de verwarming 2 graden hoger | doe de staande lamp minder fel | het is te warm
        relative: dim de plafondlamp met 10 procent | verhoog de helderheid van de woonkamer met 10 %
        correction: doe de plafondlamp aan nee wacht de staande lamp | zet de TV uit eh de plafondlamp
        correction: doe liever de staande lamp aan | eigenlijk doe de TV uit | sorry sluit het rolluik kantoor
        correction: laat maar doe de plafondlamp uit
        reported: hij zei doe de plafondlamp aan | mijn vrouw wil de TV uit | iemand heeft de voordeur geopend
        reported: ik denk dat de staande lamp werkt | ze vroeg de plafondlamp uit te doen
        reported: blijkbaar is het rolluik kantoor open
        unknown: doe de slinger aan | doe het licht in de stal uit | vergrendel de schuurdeur
        unknown: zet de fontein op 50 % | start de vaatwasser
    """,
    "pl": """
        negation: nie włączaj plafon | nie zamykaj drzwi wejściowe | nigdy nie wyłączaj telewizor
        negation: nie otwieraj roleta biuro | włącz salon bez lampa stojąca | nie ustawiaj głośności na 30
        negation: nic nie włączaj | nikt nie wyłączaj plafon | żadnych świateł nie włączaj
        question: czy światło w salonie jest włączone | dlaczego plafon jest włączony
        question: kiedy wyłączyłeś telewizor | czy powinienem zamknąć roleta biuro | kto otworzył drzwi wejściowe
        question: ile lamp jest włączonych | gdzie jest odkurzacz | jak wyłączyć telewizor | jaka jest głośność
        condition: włącz plafon jeśli ktoś przyjdzie | jeżeli pada zamknij roleta biuro
        condition: wyłącz telewizor kiedy zasnę | jak tylko wyjdę zablokuj drzwi wejściowe
        condition: włącz światło dopóki nie wrócę | chyba że pada otwórz roleta biuro
        condition: w razie burzy wyłącz gniazdko | podczas snu wyłącz plafon
        condition: w przeciwnym razie wyłącz telewizor
        schedule: włącz plafon jutro | wyłącz telewizor po 10 minutach | zamknij roleta biuro dziś wieczorem
        schedule: włącz światło o siódmej | wyłącz plafon później | włącz lampa stojąca codziennie
        schedule: otwórz roleta biuro o 8:30 | włącz lampka nocna na godzinę | wyłącz telewizor za chwilę
        schedule: zablokuj drzwi wejściowe o północy
        exception: wyłącz wszystkie światła oprócz plafon | włącz wszystko poza lampa stojąca
        exception: zamknij wszystkie rolety z wyjątkiem biuro | wyłącz światła prócz kuchni
        exception: włącz salon ale nie plafon
        past: wczoraj wyłączyłem plafon | światło w salonie było włączone | czy zamknąłeś już roleta biuro
        past: godzinę temu zgasł plafon | w zeszłym tygodniu telewizor był włączony
        past: zostawiłam włączoną lampa stojąca
        relative: włącz trochę jaśniej plafon | przyciemnij nieco plafon | zwiększ ogrzewanie o 2 stopnie
        relative: ustaw lampa stojąca mniej jasno | jest za gorąco | przyciemnij plafon o 10 %
        relative: zwiększ jasność w salon o 10 procent
        correction: włącz plafon nie czekaj lampa stojąca | wyłącz telewizor yyy plafon
        correction: włącz raczej lampa stojąca | właściwie wyłącz telewizor | przepraszam zamknij roleta biuro
        correction: nieważne wyłącz plafon
        reported: powiedział żeby włączyć plafon | moja żona chce wyłączyć telewizor
        reported: ktoś otworzył drzwi wejściowe | myślę że lampa stojąca działa | prosiła o wyłączenie plafon
        reported: podobno roleta biuro jest otwarta
        unknown: włącz girlanda | zgaś światło w stodole | zablokuj drzwi stodoły | ustaw fontanna na 50 %
        unknown: uruchom zmywarkę
    """,
    "pt": """
        negation: não acendas o plafonier | não feches a porta da frente | nunca desligues a televisão
        negation: não abras o estore do escritório | liga a sala sem o candeeiro de pé | não ponhas o volume a 30
        negation: não tranques nada | evita ligar o plafonier | nem a televisão liga
        question: está acesa a luz da sala | porque é que o plafonier está ligado | quando desligaste a televisão
        question: devo fechar o estore do escritório | quem abriu a porta da frente | quantas luzes estão acesas
        question: a porta da frente está trancada | como desligo a televisão | há alguma luz acesa
        condition: liga o plafonier se alguém chegar | se chover fecha o estore do escritório
        condition: desliga a televisão quando eu dormir | assim que eu sair tranca a porta da frente
        condition: liga a luz da sala até que eu volte | a menos que chova abre o estore do escritório
        condition: caso haja trovoada desliga a tomada | enquanto durmo apaga o plafonier
        condition: senão desliga a televisão
        schedule: liga o plafonier amanhã | desliga a televisão após 10 minutos
        schedule: fecha o estore do escritório hoje à noite | liga a luz da sala às 7
        schedule: apaga o plafonier mais tarde | liga o candeeiro de pé todos os dias
        schedule: abre o estore do escritório às 8:30 | liga o candeeiro de pé durante uma hora
        schedule: desliga a televisão depois | tranca a porta da frente à meia-noite
        exception: apaga todas as luzes exceto o plafonier | liga tudo salvo o candeeiro de pé
        exception: fecha todos os estores menos o do escritório | apaga as luzes com exceção da cozinha
        exception: liga a sala mas não o plafonier
        past: ontem apaguei o plafonier | a luz da sala estava acesa | já fechei o estore do escritório
        past: há uma hora o plafonier apagou | na semana passada a televisão estava ligada
        past: ela deixou o candeeiro de pé ligado
        relative: aumenta um pouco a luz da sala | baixa um bocado o plafonier | sobe ligeiramente o aquecimento
        relative: põe o candeeiro de pé menos forte | está demasiado calor | baixa o plafonier em 10 %
        relative: aumenta o brilho da sala em 10 por cento
        correction: liga o plafonier não espera o candeeiro de pé | desliga a televisão hum o plafonier
        correction: liga aliás o candeeiro de pé | na verdade desliga a televisão
        correction: desculpa fecha o estore do escritório | esquece apaga o plafonier
        reported: ele disse para ligar o plafonier | a minha mulher quer desligar a televisão
        reported: alguém abriu a porta da frente | acho que o candeeiro de pé funciona
        reported: ela pediu para apagar o plafonier | parece que o estore do escritório está aberto
        unknown: liga a grinalda | apaga a luz do celeiro | tranca a porta do estábulo | põe a fonte a 50 %
        unknown: inicia a máquina de lavar
    """,
}
"""Sentences by the kind of word that keeps them from acting."""

LANGUAGES = tuple(HOMES)
KINDS = (
    "negation",
    "question",
    "condition",
    "schedule",
    "exception",
    "past",
    "relative",
    "correction",
    "reported",
    "item",
    "unfinished",
)
_LIBRARY = GrammarLibrary()


def _commands() -> Iterator[tuple[str, str, str, dict[str, str]]]:
    for language, text in COMMANDS.items():
        for line in filter(None, map(str.strip, text.splitlines())):
            sentence, _, wanted = line.partition(" => ")
            intent, _, slots = wanted.partition(" ")
            yield language, sentence, intent, dict(re.findall(r"(\w+)=(.*?)(?=\s\w+=|$)", slots))


def _must_not_act() -> Iterator[tuple[str, str, str]]:
    for language, text in MUST_NOT_ACT.items():
        for line in filter(None, map(str.strip, text.splitlines())):
            kind, _, sentences = line.partition(": ")
            yield from ((language, kind, sentence) for sentence in sentences.split(" | "))


@cache
def _home(language: str) -> Home:
    entities: list[Entity] = []
    areas: list[Area] = []
    for line in filter(None, map(str.strip, HOMES[language].splitlines())):
        area, _, things = line.partition(": ")
        names = () if area == "-" else tuple(area.split(" / "))
        if names and Area(names) not in areas:
            areas.append(Area(names))
        for thing in things.split("; "):
            domain, _, called = thing.partition("=")
            entities.append(Entity(tuple(called.split(" / ")), domain, names))
    return Home(tuple(entities), tuple(areas), (), areas[0].name)


@cache
def _toolbox() -> Toolbox:
    loaded = json.loads(files("ha_assist_addon.examples").joinpath("tools.json").read_text(encoding="utf-8"))
    return Toolbox.read([tool.get("function", tool) for tool in loaded])


def _grammar(language: str) -> Grammar:
    grammar = _LIBRARY.get(language)
    assert grammar is not None
    return grammar


def _mentions(sentence: str, home: Home, language: str) -> tuple[Mention, ...]:
    return (*home.names.mentions(sentence), *floor_mentions(sentence, language))


def _read(language: str, sentence: str) -> list[tuple[Candidate, Planned | None, Guarded | None]]:
    """The best candidates of a sentence, each with its call and the guard word that forbids it."""
    text, home = normalise(sentence), _home(language)
    mentions = _mentions(text, home, language)
    found = recognise(text, mentions, home, _grammar(language))
    read = []
    for candidate in best(found) if found else ():
        planned = plan(candidate, home, _toolbox())
        guard = find_guard(text, mentions, language, intent=candidate.intent, free_text=candidate.said.values())
        read.append((candidate, planned if isinstance(planned, Planned) else None, guard))
    return read


def _text(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) else str(value)


@pytest.mark.parametrize(("language", "sentence", "intent", "slots"), list(_commands()))
def test_command(language: str, sentence: str, intent: str, slots: dict[str, str]) -> None:
    """What the tool carries, whether or not this home has something there; `domain` is a filter that may be added."""
    read = _read(language, sentence)
    assert read, "the grammar does not hold it"
    assert [guard for _, _, guard in read if guard] == []
    meant = [entry for entry in read if entry[1]] or read
    for candidate, planned, _ in meant:
        arguments = planned.call.arguments if planned else candidate.slots
        assert candidate.intent == intent
        assert {key: _text(value) for key, value in arguments.items() if key != "domain"} == slots


@pytest.mark.parametrize(("language", "kind", "sentence"), list(_must_not_act()))
def test_must_not_act(language: str, kind: str, sentence: str) -> None:
    """A guard of the kind stands in the sentence; of an unknown device nothing is planned."""
    assert [planned.call for _, planned, guard in _read(language, sentence) if planned and not guard] == []
    patterns = guards(language)
    assert patterns is not None
    if kind != "unknown":
        assert patterns[kind].search(normalise(sentence))


def test_must_not_act_is_thorough() -> None:
    for language in LANGUAGES:
        assert sum(1 for found, _, _ in _must_not_act() if found == language) >= 60


@pytest.mark.parametrize("language", LANGUAGES)
def test_guards_have_every_kind(language: str) -> None:
    patterns = guards(language)
    assert patterns is not None
    assert tuple(kind for kind in patterns if kind != "other") == KINDS


@needs_shared
@pytest.mark.parametrize("language", [*LANGUAGES, "pt-BR"])
def test_official_commands_are_free_of_guards(language: str, shared_dir: Path) -> None:
    official = json.loads((shared_dir / "eval" / "intents" / f"{language}.json").read_text(encoding="utf-8"))
    stopped = []
    for test in official["tests"]:
        if test["kind"] != "action" or test["split"] != "dev" or test["intent"] == "HassTimerStatus":
            continue
        inventory = official["homes"][test["home"]]
        names = [*inventory["entities"], *inventory["areas"]]
        sentence = normalise(test["sentence"])
        home = Home(
            tuple(Entity((e["name"], *e.get("aliases", ())), "light") for e in names),
        )
        said = [
            str(text)
            for slot, value in test["slots"].items()
            if slot in ("item", "message", "search_query", "conversation_command", "name")
            for text in (value if isinstance(value, list) else [value])
        ]
        mentions = _mentions(sentence, home, language)
        guard = find_guard(sentence, mentions, language, intent=test["intent"], free_text=said)
        if guard:
            stopped.append((test["sentence"], guard))
    assert stopped == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_our_sentences_are_marked_and_can_be_answered(language: str) -> None:
    """Every block says that it is ours, has an official response or none, and acts on something that it says."""
    own = read_file("sentences", language)
    source = load_source(language)
    assert source is not None
    for intent, content in own["intents"].items():
        responses = source["responses"]["intents"].get(intent) or {}
        for block in content["data"]:
            assert "metadata" not in block, "the loader marks them"
            assert block.get("response", "default") in {*responses, "default"}
            requires = block.get("requires_context") or {}
            for sentence in block["sentences"]:
                if "{name}" in sentence:
                    assert requires.get("domain"), f"{sentence!r} takes any name"
                elif "{area}" not in sentence and intent not in ("HassDecreaseTimer", "HassStartTimer"):
                    assert requires == {"area": {"slot": True}}, f"{sentence!r} would reach the whole house"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_template_is_tried_for_every_sentence(language: str) -> None:
    own = [t for t in _grammar(language).index.templates if (t.data.metadata or {}).get(OWN)]
    assert own
    assert [template.data.sentence_texts for template in own if not template.clauses] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_skip_words_leave_the_official_sentences_alone(language: str) -> None:
    """A skip word is cut out of every sentence: a template that needs it would never match again."""
    own = read_file("sentences", language)
    clauses = {c for t in _grammar(language).index.templates for c in t.clauses if len(c) == 1}
    assert {frozenset({word}) for word in own["skip_words"]} & clauses == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_replies_are_complete(language: str) -> None:
    ours, english = own_replies(language), own_replies("en")
    values = {"name": "Alpha", "names": "Alpha", "area": "Bravo", "candidates": "Charlie", "count": 77}
    filled = re.compile("Alpha|Bravo|Charlie|77")
    assert english.keys() <= ours.keys()
    for key in english:
        text, there = say(key, language, **values), say(key, "en", **values)
        assert text.endswith("?") == there.endswith("?"), key
        assert set(filled.findall(text)) == set(filled.findall(there)), key
        bare = say(key, language)
        assert "{" not in bare
        assert bare.endswith("?") == say(key, "en").endswith("?"), key
