"""What the English sentences of our own mean, from the whole pipeline without a model.

A line a case, `sentence -> tool argument=value, ...`; `domain` is left out: the target tells it. The person stands in
the satellite's area; where nothing there fits, the only one of the home does.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.house import House, Pipeline
from tests.support.sentences import check_blocks, check_templates, heard_as, lines, said, things

HOME = """
    Living Room: light=Ceiling Light; light=Floor Lamp; cover=Living Room Curtains
    Living Room: vacuum=Robbie; media_player=TV; climate=Thermostat
    Living Room: scene=Movie Night
    Kitchen: light=Kitchen Light; switch=Coffee Machine; lock=Back Door
    Kitchen: media_player=Kitchen Speaker
    Bedroom: light=Bedside Lamp; fan=Ceiling Fan; cover=Bedroom Blinds
    Bedroom: climate=Bedroom Radiator; humidifier=Humidifier
    -: light=Dining Room; todo=Shopping List; todo=Groceries
    -: scene=Good Morning; input_boolean=Guest Mode; input_button=Reset Filter
    Office: light=Desk Lamp; switch=Printer
    Garden: light=Porch Light; valve=Garden Valve; lawn_mower=Mowbot
    Garage: cover=Garage Door
    Hallway: lock=Front Door; button=Doorbell
"""
SATELLITE = "Living Room"
SCRIPT = {"name": "script__goodnight_routine", "description": "", "parameters": {"type": "object", "properties": {}}}

CASES = """
    # brightness
    set the bedroom lights to 40 percent -> HassLightSet area=Bedroom, brightness=40
    set the bedroom lights to forty percent -> HassLightSet area=Bedroom, brightness=40
    dim the bedroom to 20 -> HassLightSet area=Bedroom, brightness=20
    dim the bedroom to 20% -> HassLightSet area=Bedroom, brightness=20
    dim the lights in the bedroom to 20% -> HassLightSet area=Bedroom, brightness=20
    dim the floor lamp to 30 percent -> HassLightSet brightness=30, name=Floor Lamp
    brighten the floor lamp to 80% -> HassLightSet brightness=80, name=Floor Lamp
    set the living room to half brightness -> HassLightSet area=Living Room, brightness=50
    set floor lamp to half -> HassLightSet brightness=50, name=Floor Lamp
    set the floor lamp to full brightness -> HassLightSet brightness=100, name=Floor Lamp
    set the kitchen lights to maximum brightness -> HassLightSet area=Kitchen, brightness=100
    bedroom lights 40 percent -> HassLightSet area=Bedroom, brightness=40
    lower the bedroom lights to 10% -> HassLightSet area=Bedroom, brightness=10
    raise the floor lamp to 90 percent -> HassLightSet brightness=90, name=Floor Lamp
    turn the floor lamp down to 15% -> HassLightSet brightness=15, name=Floor Lamp
    turn down the floor lamp to 15% -> HassLightSet brightness=15, name=Floor Lamp
    set the brightness of the lights in the bedroom to 30% -> HassLightSet area=Bedroom, brightness=30
    put the living room lights at 50 percent -> HassLightSet area=Living Room, brightness=50
    make the kitchen lights 70% bright -> HassLightSet area=Kitchen, brightness=70
    set lights to 30% -> HassLightSet area=Living Room, brightness=30
    set the lights to 30 percent -> HassLightSet area=Living Room, brightness=30
    dim the lights to 30 percent -> HassLightSet area=Living Room, brightness=30
    set the brightness of the kitchen lights to 60 -> HassLightSet area=Kitchen, brightness=60
    set kitchen light brightness at 60% -> HassLightSet brightness=60, name=Kitchen Light
    floor lamp at 50% -> HassLightSet brightness=50, name=Floor Lamp
    floor lamp brightness 50 -> HassLightSet brightness=50, name=Floor Lamp
    set all the lights in the bedroom to 50% -> HassLightSet area=Bedroom, brightness=50
    set the bedside lamp in the bedroom to 25 percent -> HassLightSet area=Bedroom, brightness=25, name=Bedside Lamp
    # color
    make the floor lamp red -> HassLightSet color=red, name=Floor Lamp
    turn the bedroom lights blue -> HassLightSet area=Bedroom, color=blue
    set the kitchen lights to warm white -> HassLightSet area=Kitchen, temperature=2700
    change the colour of the floor lamp to green -> HassLightSet color=green, name=Floor Lamp
    set the floor lamp's color to blue -> HassLightSet color=blue, name=Floor Lamp
    make the lights in the living room purple -> HassLightSet area=Living Room, color=purple
    make the lights red -> HassLightSet area=Living Room, color=red
    set the color temperature of the floor lamp to 3000 kelvin -> HassLightSet name=Floor Lamp, temperature=3000
    set floor lamp to 2700k -> HassLightSet name=Floor Lamp, temperature=2700
    make the living room lights warm white -> HassLightSet area=Living Room, temperature=2700
    set the floor lamp to daylight -> HassLightSet name=Floor Lamp, temperature=6500
    floor lamp red -> HassLightSet color=red, name=Floor Lamp
    # covers
    open the bedroom blinds halfway -> HassSetPosition name=Bedroom Blinds, position=50
    set the bedroom blinds to 50% -> HassSetPosition name=Bedroom Blinds, position=50
    set the bedroom blinds at 50 percent -> HassSetPosition name=Bedroom Blinds, position=50
    open the blinds in the bedroom halfway -> HassSetPosition name=Bedroom Blinds, position=50
    half open the bedroom blinds -> HassSetPosition name=Bedroom Blinds, position=50
    close the living room curtains halfway -> HassSetPosition name=Living Room Curtains, position=50
    raise the blinds in the bedroom to 70% -> HassSetPosition name=Bedroom Blinds, position=70
    open the blinds to 30% -> HassSetPosition area=Living Room, device_class=blind, position=30
    lower the bedroom blinds to 20 percent -> HassSetPosition name=Bedroom Blinds, position=20
    move the bedroom blinds to 40% -> HassSetPosition name=Bedroom Blinds, position=40
    bedroom blinds to 50 percent -> HassSetPosition name=Bedroom Blinds, position=50
    bedroom blinds 50% -> HassSetPosition name=Bedroom Blinds, position=50
    put the bedroom blinds down -> HassTurnOff name=Bedroom Blinds
    pull up the bedroom blinds -> HassTurnOn name=Bedroom Blinds
    roll down the blinds in the bedroom -> HassTurnOff name=Bedroom Blinds
    close all the blinds in the bedroom -> HassTurnOff name=Bedroom Blinds
    close all the curtains in the living room -> HassTurnOff name=Living Room Curtains
    open the curtains -> HassTurnOn name=Living Room Curtains
    close the blinds -> HassTurnOff area=Living Room, device_class=blind
    stop the bedroom blinds -> HassStopMoving name=Bedroom Blinds
    stop the garage door -> HassStopMoving name=Garage Door
    stop the blinds in the bedroom -> HassStopMoving name=Bedroom Blinds
    open the garage door -> HassTurnOn name=Garage Door
    close the garage door please -> HassTurnOff name=Garage Door
    shut the garage door -> HassTurnOff name=Garage Door
    close the garage -> HassTurnOff name=Garage Door
    # a setting is about what the sentence has just named
    turn on the tv and set volume to 30 -> HassTurnOn name=TV; HassSetVolume name=TV, volume_level=30
    turn on desk lamp and set brightness to 4 -> HassTurnOn name=Desk Lamp; HassLightSet brightness=4, name=Desk Lamp
    turn on kitchen lights and set brightness to 9 -> HassTurnOn area=Kitchen; HassLightSet area=Kitchen, brightness=9
    open up the living room curtains -> HassTurnOn name=Living Room Curtains
        set the garden valve to 50 percent -> HassSetPosition name=Garden Valve, position=50
    open garden valve halfway -> HassSetPosition name=Garden Valve, position=50
        # locks
    lock the front door -> HassTurnOn name=Front Door
    unlock the front door -> HassTurnOff name=Front Door
    lock the back door please -> HassTurnOn name=Back Door
    lock all the doors -> HassTurnOn
    lock the house -> HassTurnOn
    lock the hallway door -> HassTurnOn area=Hallway
    lock the door in the kitchen -> HassTurnOn area=Kitchen
    unlock the kitchen door -> HassTurnOff area=Kitchen
    lock everything -> HassTurnOn
    lock up the house -> HassTurnOn
    lock front door lock -> HassTurnOn name=Front Door
    unlock the front door lock -> HassTurnOff name=Front Door
    secure the front door -> HassTurnOn name=Front Door
    bolt the front door -> HassTurnOn name=Front Door
    make sure the front door is locked -> HassTurnOn name=Front Door
    # valves
    open the garden valve -> HassTurnOn name=Garden Valve
    close the garden valve -> HassTurnOff name=Garden Valve
    turn on the garden valve -> HassTurnOn name=Garden Valve
    turn off the garden valve -> HassTurnOff name=Garden Valve
    turn on the water -> HassTurnOn name=Garden Valve
    turn off the water -> HassTurnOff name=Garden Valve
    turn on the water in the garden -> HassTurnOn area=Garden
    shut off the water in the garden -> HassTurnOff area=Garden
    turn the water off -> HassTurnOff name=Garden Valve
    open the water -> HassTurnOn name=Garden Valve
    close the water valve -> HassTurnOff name=Garden Valve
    water the garden -> HassTurnOn area=Garden
    start watering the garden -> HassTurnOn area=Garden
    stop watering the garden -> HassTurnOff area=Garden
    turn on the sprinklers -> HassTurnOn name=Garden Valve
    # vacuum
    start the vacuum -> HassVacuumStart area=Living Room
    start vacuuming -> HassVacuumStart area=Living Room
    start cleaning -> HassVacuumStart area=Living Room
    start robbie -> HassVacuumStart name=Robbie
    start the robbie vacuum -> HassVacuumStart name=Robbie
    run the vacuum -> HassVacuumStart area=Living Room
    run robbie -> HassVacuumStart name=Robbie
    vacuum the living room -> HassVacuumCleanArea area=Living Room
    send robbie home -> HassVacuumReturnToBase name=Robbie
    send robbie back to its dock -> HassVacuumReturnToBase name=Robbie
    send the vacuum home -> HassVacuumReturnToBase area=Living Room
    dock the vacuum -> HassVacuumReturnToBase area=Living Room
    dock robbie -> HassVacuumReturnToBase name=Robbie
    return the vacuum to base -> HassVacuumReturnToBase area=Living Room

    robbie return to base -> HassVacuumReturnToBase name=Robbie
    vacuum return to base -> HassVacuumReturnToBase area=Living Room
    vacuum go home -> HassVacuumReturnToBase area=Living Room
    stop the vacuum -> HassVacuumReturnToBase area=Living Room
    stop robbie -> HassVacuumReturnToBase name=Robbie
    stop cleaning -> HassVacuumReturnToBase area=Living Room
    stop vacuuming -> HassVacuumReturnToBase area=Living Room
    hoover the living room -> HassVacuumCleanArea area=Living Room
    turn on the vacuum -> HassVacuumStart area=Living Room
    turn on robbie -> HassVacuumStart name=Robbie
    turn off robbie -> HassVacuumReturnToBase name=Robbie
    robbie start -> HassVacuumStart name=Robbie
    vacuum the house -> HassVacuumStart area=Living Room
    # mower
    mow the lawn -> HassLawnMowerStartMowing
    start mowing -> HassLawnMowerStartMowing
    start the mower -> HassLawnMowerStartMowing
    start the lawn mower -> HassLawnMowerStartMowing
    start mowbot -> HassLawnMowerStartMowing name=Mowbot
    stop mowing -> HassLawnMowerDock
    dock the mower -> HassLawnMowerDock
    send the mower home -> HassLawnMowerDock
    send mowbot back -> HassLawnMowerDock name=Mowbot
    return mowbot to base -> HassLawnMowerDock name=Mowbot
    turn on mowbot -> HassLawnMowerStartMowing name=Mowbot
    cut the grass -> HassLawnMowerStartMowing
    # fans
    set the ceiling fan to low -> HassFanSetSpeed name=Ceiling Fan, percentage=33
    set the ceiling fan to 50 percent -> HassFanSetSpeed name=Ceiling Fan, percentage=50
    turn the ceiling fan to high -> HassFanSetSpeed name=Ceiling Fan, percentage=100
    set the bedroom fan to medium -> HassFanSetSpeed area=Bedroom, percentage=66
    set the fan in the bedroom to low -> HassFanSetSpeed area=Bedroom, percentage=33
    set the fan to high -> HassFanSetSpeed name=Ceiling Fan, percentage=100
    fan on high -> HassFanSetSpeed name=Ceiling Fan, percentage=100
    ceiling fan to medium -> HassFanSetSpeed name=Ceiling Fan, percentage=66
    turn the ceiling fan up to 80% -> HassFanSetSpeed name=Ceiling Fan, percentage=80
    put the ceiling fan on high -> HassFanSetSpeed name=Ceiling Fan, percentage=100
    turn on the fan in the bedroom -> HassTurnOn area=Bedroom
    turn off the bedroom fan -> HassTurnOff area=Bedroom
    turn on the fan -> HassTurnOn name=Ceiling Fan
    turn off the fan -> HassTurnOff name=Ceiling Fan
    turn the fan off -> HassTurnOff name=Ceiling Fan
    set fan speed to 30 percent -> HassFanSetSpeed name=Ceiling Fan, percentage=30
    set the speed of the ceiling fan to low -> HassFanSetSpeed name=Ceiling Fan, percentage=33
    turn on the ceiling fan at low speed -> HassFanSetSpeed name=Ceiling Fan, percentage=33
    turn the ceiling fan on low -> HassFanSetSpeed name=Ceiling Fan, percentage=33
    set the ceiling fan to max -> HassFanSetSpeed name=Ceiling Fan, percentage=100
    set the ceiling fan speed to high -> HassFanSetSpeed name=Ceiling Fan, percentage=100
    # volume
    turn the volume down to 50% -> HassSetVolume area=Living Room, volume_level=50
    turn down the volume to 50% -> HassSetVolume area=Living Room, volume_level=50
    set the volume to 20 -> HassSetVolume area=Living Room, volume_level=20
    set volume to 20 percent -> HassSetVolume area=Living Room, volume_level=20
    set the volume of the tv to 30 -> HassSetVolume name=TV, volume_level=30
    set the tv volume to 30% -> HassSetVolume name=TV, volume_level=30
    set the tv to 30% volume -> HassSetVolume name=TV, volume_level=30
    tv volume 30 -> HassSetVolume name=TV, volume_level=30
    tv volume to 30 percent -> HassSetVolume name=TV, volume_level=30
    volume 30 percent -> HassSetVolume area=Living Room, volume_level=30
    volume to 30 -> HassSetVolume area=Living Room, volume_level=30
    change the volume on the tv to 40 percent -> HassSetVolume name=TV, volume_level=40
    set the volume in the kitchen to 25% -> HassSetVolume area=Kitchen, volume_level=25
    turn the tv up to 40% -> HassSetVolume name=TV, volume_level=40
    turn up the tv to 40 percent -> HassSetVolume name=TV, volume_level=40
    turn the kitchen speaker down to 15 -> HassSetVolume name=Kitchen Speaker, volume_level=15
    set the music volume to 20% -> HassSetVolume area=Living Room, volume_level=20
    turn the music down to 20 percent -> HassSetVolume area=Living Room, volume_level=20
    lower the volume to 10 -> HassSetVolume area=Living Room, volume_level=10
    lower the volume on the tv to 10 percent -> HassSetVolume name=TV, volume_level=10
    raise the volume to 60% -> HassSetVolume area=Living Room, volume_level=60
    half volume -> HassSetVolume area=Living Room, volume_level=50
    set the volume to half -> HassSetVolume area=Living Room, volume_level=50
    set the tv to full volume -> HassSetVolume name=TV, volume_level=100
    mute -> HassMediaPlayerMute area=Living Room
    mute the tv -> HassMediaPlayerMute name=TV
    mute the music -> HassMediaPlayerMute area=Living Room
    mute the sound -> HassMediaPlayerMute area=Living Room
    mute the volume -> HassMediaPlayerMute area=Living Room
    unmute the tv -> HassMediaPlayerUnmute name=TV
    unmute -> HassMediaPlayerUnmute area=Living Room
    unmute the music -> HassMediaPlayerUnmute area=Living Room
    mute the kitchen -> HassMediaPlayerMute area=Kitchen
    mute the tv in the living room -> HassMediaPlayerMute area=Living Room, name=TV
    turn the sound off -> HassMediaPlayerMute area=Living Room
    turn off the sound -> HassMediaPlayerMute area=Living Room
    turn the volume up -> HassSetVolumeRelative area=Living Room, volume_step=up
    turn up the volume -> HassSetVolumeRelative area=Living Room, volume_step=up
    turn down the tv -> HassSetVolumeRelative name=TV, volume_step=down
    turn up the music -> HassSetVolumeRelative area=Living Room, volume_step=up
    louder -> HassSetVolumeRelative area=Living Room, volume_step=up
    quieter -> HassSetVolumeRelative area=Living Room, volume_step=down
    # media
    pause -> HassMediaPause area=Living Room
    pause the music -> HassMediaPause area=Living Room
    pause the tv -> HassMediaPause name=TV
    pause tv -> HassMediaPause name=TV
    pause the movie -> HassMediaPause area=Living Room
    pause playback -> HassMediaPause area=Living Room
    pause the music in the kitchen -> HassMediaPause area=Kitchen
    pause the kitchen music -> HassMediaPause area=Kitchen
    pause the song on the tv -> HassMediaPause name=TV
    pause music on the kitchen speaker -> HassMediaPause name=Kitchen Speaker
    stop the music -> HassMediaPause area=Living Room
    stop the tv -> HassMediaPause name=TV
    stop the music in the kitchen -> HassMediaPause area=Kitchen
    stop playing -> HassMediaPause area=Living Room
    stop playing on the tv -> HassMediaPause name=TV
    stop music on the kitchen speaker -> HassMediaPause name=Kitchen Speaker
    resume -> HassMediaUnpause area=Living Room
    resume the music -> HassMediaUnpause area=Living Room
    resume playing -> HassMediaUnpause area=Living Room
    resume playing the music -> HassMediaUnpause area=Living Room
    resume playback on the tv -> HassMediaUnpause name=TV
    continue playing -> HassMediaUnpause area=Living Room
    continue the music -> HassMediaUnpause area=Living Room
    continue the movie on the tv -> HassMediaUnpause name=TV
    keep playing -> HassMediaUnpause area=Living Room
    unpause the tv -> HassMediaUnpause name=TV
    play -> HassMediaUnpause area=Living Room
    start the music again -> HassMediaUnpause area=Living Room
    next song -> HassMediaNext area=Living Room
    skip song -> HassMediaNext area=Living Room
    skip this song -> HassMediaNext area=Living Room
    skip to the next song -> HassMediaNext area=Living Room
    skip the song on the tv -> HassMediaNext name=TV
    skip song on tv -> HassMediaNext name=TV
    next track on the kitchen speaker -> HassMediaNext name=Kitchen Speaker
    play the next song -> HassMediaNext area=Living Room
    play the next song on the tv -> HassMediaNext name=TV
    play next track -> HassMediaNext area=Living Room
    go to the next song -> HassMediaNext area=Living Room
    next -> HassMediaNext area=Living Room
    previous song -> HassMediaPrevious area=Living Room
    go back to the previous song -> HassMediaPrevious area=Living Room
    play the previous track on the tv -> HassMediaPrevious name=TV
    go back a song -> HassMediaPrevious area=Living Room
    last song -> HassMediaPrevious area=Living Room
    skip back -> HassMediaPrevious area=Living Room
    turn off the music -> HassTurnOff area=Living Room
    turn off the music in the kitchen -> HassTurnOff area=Kitchen
    turn the music off -> HassTurnOff area=Living Room
    turn on the tv -> HassTurnOn name=TV
    turn off the tv in the living room -> HassTurnOff area=Living Room, name=TV
    turn off the television -> HassTurnOff name=TV
    turn off the speaker in the kitchen -> HassTurnOff name=Kitchen Speaker
    turn on the kitchen speakers -> HassTurnOn name=Kitchen Speaker
    turn off the media player in the living room -> HassTurnOff area=Living Room
    tv off -> HassTurnOff name=TV
    # todo
    put milk on the shopping list -> HassListAddItem item=milk, name=Shopping List
    put milk on my groceries list -> HassListAddItem item=milk, name=Groceries
    add milk to groceries -> HassListAddItem item=milk, name=Groceries
    add milk to the groceries list -> HassListAddItem item=milk, name=Groceries
    add tea and egg to groceries -> HassListAddItem item=tea, name=Groceries; HassListAddItem item=egg, name=Groceries
    add buy stamps to my groceries todo list -> HassListAddItem item=buy stamps, name=Groceries
    put stamps on my groceries to-do list -> HassListAddItem item=stamps, name=Groceries
    write milk on the shopping list -> HassListAddItem item=milk, name=Shopping List
    note milk on the shopping list -> HassListAddItem item=milk, name=Shopping List
    put milk on groceries -> HassListAddItem item=milk, name=Groceries
    put milk onto the shopping list -> HassListAddItem item=milk, name=Shopping List
    add milk to the list -> HassListAddItem item=milk, name=Shopping List
    remove milk from the shopping list -> HassListRemoveItem item=milk, name=Shopping List
    take milk off the shopping list -> HassListRemoveItem item=milk, name=Shopping List
    delete milk from groceries -> HassListRemoveItem item=milk, name=Groceries
    check off milk on the shopping list -> HassListCompleteItem item=milk, name=Shopping List
    tick off milk on the shopping list -> HassListCompleteItem item=milk, name=Shopping List
    mark milk as done on the shopping list -> HassListCompleteItem item=milk, name=Shopping List
    cross milk off the shopping list -> HassListCompleteItem item=milk, name=Shopping List
    complete milk on my groceries list -> HassListCompleteItem item=milk, name=Groceries
    mark milk as completed on groceries -> HassListCompleteItem item=milk, name=Groceries
    # climate
    set the heating to 21 degrees -> HassClimateSetTemperature area=Living Room, temperature=21
    set the temperature to 21 -> HassClimateSetTemperature area=Living Room, temperature=21
    turn the heating up to 21 -> HassClimateSetTemperature area=Living Room, temperature=21
    turn up the heating to 21 degrees -> HassClimateSetTemperature area=Living Room, temperature=21
    set the thermostat to 20.5 -> HassClimateSetTemperature name=Thermostat, temperature=20.5
    set thermostat at 20 degrees -> HassClimateSetTemperature name=Thermostat, temperature=20
    change the temperature in the bedroom to 19 -> HassClimateSetTemperature area=Bedroom, temperature=19
    set the bedroom to 19 degrees -> HassClimateSetTemperature area=Bedroom, temperature=19
    set the bedroom heating to 19 degrees -> HassClimateSetTemperature area=Bedroom, temperature=19
    set the heating in the bedroom to 19 -> HassClimateSetTemperature area=Bedroom, temperature=19
    turn the thermostat down to 18 -> HassClimateSetTemperature name=Thermostat, temperature=18
    lower the temperature to 18 degrees -> HassClimateSetTemperature area=Living Room, temperature=18
    raise the temperature in the bedroom to 22 -> HassClimateSetTemperature area=Bedroom, temperature=22
    heat the bedroom to 22 degrees -> HassClimateSetTemperature area=Bedroom, temperature=22
    cool the living room to 20 degrees -> HassClimateSetTemperature area=Living Room, temperature=20
    make the bedroom 20 degrees -> HassClimateSetTemperature area=Bedroom, temperature=20
    set bedroom radiator to 22 degrees -> HassClimateSetTemperature name=Bedroom Radiator, temperature=22
    set the temperature of the bedroom radiator to 22 -> HassClimateSetTemperature name=Bedroom Radiator, temperature=22
    set the thermostat to twenty one degrees -> HassClimateSetTemperature name=Thermostat, temperature=21
    bedroom 21 degrees -> HassClimateSetTemperature area=Bedroom, temperature=21
    make it 21 degrees -> HassClimateSetTemperature area=Living Room, temperature=21
    make it 21 degrees in the bedroom -> HassClimateSetTemperature area=Bedroom, temperature=21
    turn off the heating -> HassTurnOff area=Living Room
    turn on the heating in the bedroom -> HassTurnOn area=Bedroom
    turn on the heating -> HassTurnOn area=Living Room
    turn the bedroom heating off -> HassTurnOff area=Bedroom
    turn on the thermostat -> HassTurnOn name=Thermostat
    # humidifier
    set the humidifier to 50 percent -> HassHumidifierSetpoint humidity=50, name=Humidifier
    set humidifier humidity to 45 -> HassHumidifierSetpoint humidity=45, name=Humidifier
    set the humidifier to sleep mode -> HassHumidifierMode mode=sleep, name=Humidifier
    turn on the humidifier -> HassTurnOn name=Humidifier
    turn off the humidifier -> HassTurnOff name=Humidifier
    set the humidity of the humidifier to 55 percent -> HassHumidifierSetpoint humidity=55, name=Humidifier
    # buttons
    press the doorbell -> HassTurnOn name=Doorbell
    push the doorbell button -> HassTurnOn name=Doorbell
    press reset filter -> HassTurnOn name=Reset Filter
    hit the reset filter button -> HassTurnOn name=Reset Filter
    ring the doorbell -> HassTurnOn name=Doorbell
    # scenes and scripts
    activate movie night -> HassTurnOn name=Movie Night
    activate the movie night scene -> HassTurnOn name=Movie Night
    turn on movie night -> HassTurnOn name=Movie Night
    start movie night -> HassTurnOn name=Movie Night
    set the movie night scene -> HassTurnOn name=Movie Night
    set the scene movie night -> HassTurnOn name=Movie Night
    set the scene to movie night -> HassTurnOn name=Movie Night
    movie night -> HassTurnOn name=Movie Night
    movie night scene -> HassTurnOn name=Movie Night
    run movie night -> HassTurnOn name=Movie Night
    apply the movie night scene -> HassTurnOn name=Movie Night
    switch to the movie night scene -> HassTurnOn name=Movie Night
    activate scene movie night -> HassTurnOn name=Movie Night
    run goodnight routine -> goodnight_routine
    start the goodnight routine -> goodnight_routine
    run the goodnight routine script -> goodnight_routine
    execute goodnight routine -> goodnight_routine
    activate goodnight routine -> goodnight_routine
    run the script goodnight routine -> goodnight_routine
    goodnight routine -> goodnight_routine
    trigger goodnight routine -> goodnight_routine
    launch goodnight routine -> goodnight_routine
    do the goodnight routine -> goodnight_routine
    # politeness
    please turn on the kitchen light -> HassTurnOn name=Kitchen Light
    could you please turn on the kitchen light -> HassTurnOn name=Kitchen Light
    can you turn on the kitchen light for me please -> HassTurnOn name=Kitchen Light
    hey turn on the kitchen light -> HassTurnOn name=Kitchen Light
    would you mind turning on the kitchen light -> HassTurnOn name=Kitchen Light
    would you turn on the kitchen light -> HassTurnOn name=Kitchen Light
    i'd like you to turn on the kitchen light -> HassTurnOn name=Kitchen Light
    i would like you to turn on the kitchen light -> HassTurnOn name=Kitchen Light
    i want you to turn off the kitchen light -> HassTurnOff name=Kitchen Light
    go ahead and turn off the kitchen light -> HassTurnOff name=Kitchen Light
    just turn off the kitchen light -> HassTurnOff name=Kitchen Light
    turn off the kitchen light now -> HassTurnOff name=Kitchen Light
    turn off the kitchen light right now -> HassTurnOff name=Kitchen Light
    turn off the kitchen light thanks -> HassTurnOff name=Kitchen Light
    okay turn on the kitchen light -> HassTurnOn name=Kitchen Light
    um turn on the kitchen light -> HassTurnOn name=Kitchen Light
    hi can you please turn on the kitchen light -> HassTurnOn name=Kitchen Light
    kindly turn on the kitchen light -> HassTurnOn name=Kitchen Light
    turn on the kitchen light real quick -> HassTurnOn name=Kitchen Light
    will you turn on the kitchen light -> HassTurnOn name=Kitchen Light
    i need you to turn on the kitchen light -> HassTurnOn name=Kitchen Light
    i need the kitchen light on -> HassTurnOn name=Kitchen Light
    i want the kitchen light off -> HassTurnOff name=Kitchen Light
    let's turn on the kitchen light -> HassTurnOn name=Kitchen Light
    be so kind and turn on the kitchen light -> HassTurnOn name=Kitchen Light
    if you could turn on the kitchen light -> HassTurnOn name=Kitchen Light
    turn on the kitchen light if you don't mind -> HassTurnOn name=Kitchen Light
    # on off phrasing
    kitchen light on -> HassTurnOn name=Kitchen Light
    kitchen light off -> HassTurnOff name=Kitchen Light
    turn kitchen light on -> HassTurnOn name=Kitchen Light
    turn the kitchen light off -> HassTurnOff name=Kitchen Light
    switch the kitchen light off -> HassTurnOff name=Kitchen Light
    put the kitchen light on -> HassTurnOn name=Kitchen Light
    put on the kitchen light -> HassTurnOn name=Kitchen Light
    shut off the kitchen light -> HassTurnOff name=Kitchen Light
    shut the kitchen light off -> HassTurnOff name=Kitchen Light
    kill the kitchen light -> HassTurnOff name=Kitchen Light
    cut the lights in the kitchen -> HassTurnOff area=Kitchen
    power on the coffee machine -> HassTurnOn name=Coffee Machine
    power off the coffee machine -> HassTurnOff name=Coffee Machine
    start the coffee machine -> HassTurnOn name=Coffee Machine
    stop the coffee machine -> HassTurnOff name=Coffee Machine
    enable guest mode -> HassTurnOn name=Guest Mode
    disable guest mode -> HassTurnOff name=Guest Mode
    activate guest mode -> HassTurnOn name=Guest Mode
    deactivate guest mode -> HassTurnOff name=Guest Mode
    flip the kitchen light on -> HassTurnOn name=Kitchen Light
    turn on the dining room lights -> HassTurnOn name=Dining Room
    turn off dining room lights -> HassTurnOff name=Dining Room
    turn on the dining room light -> HassTurnOn name=Dining Room
    turn on our kitchen light -> HassTurnOn name=Kitchen Light
    turn on my coffee machine -> HassTurnOn name=Coffee Machine
    lights on -> HassTurnOn area=Living Room
    lights off -> HassTurnOff area=Living Room
    lights on in the kitchen -> HassTurnOn area=Kitchen
    lights kitchen on -> HassTurnOn area=Kitchen
    kitchen lights on -> HassTurnOn area=Kitchen
    lights in the kitchen on -> HassTurnOn area=Kitchen
    all lights off -> HassTurnOff
    turn off all the lights -> HassTurnOff
    turn off all lights in the kitchen -> HassTurnOff area=Kitchen
    turn all the lights off in the kitchen -> HassTurnOff area=Kitchen
    turn off every light in the house -> HassTurnOff
    turn off the lights downstairs -> HassTurnOff floor=downstairs
    turn on the lights in here -> HassTurnOn area=Living Room
    turn on the light -> HassTurnOn area=Living Room
    light on -> HassTurnOn area=Living Room
    switch off the light -> HassTurnOff area=Living Room
    light up the kitchen -> HassTurnOn area=Kitchen
    illuminate the kitchen -> HassTurnOn area=Kitchen
    turn on the switch in the kitchen -> HassTurnOn area=Kitchen
    turn on the lamp in the bedroom -> HassTurnOn area=Bedroom
    turn the lamp on -> HassTurnOn area=Living Room
    turn the coffee machine on in the kitchen -> HassTurnOn area=Kitchen, name=Coffee Machine
"""

NOTHING = """
    return to base
    lock the doors
    unlock the doors
    unlock all the doors
    turn off everything
    turn on the floor lamp at 7
    open the bedroom blinds at 7
    turn on the ceiling fan at 9
    turn the floor lamp down 20 percent
    dim the floor lamp
    raise the thermostat 3 degrees
    set the ac to 22
    lock the kitchen light
    unlock the tv
    press the kitchen light
    set the front door to 50 percent
    dim the garage door to 30 percent
    make the garage door red
    mute the floor lamp
    pause the kitchen light
    set the floor lamp to 200 percent
    set the thermostat to 200 degrees
    stop the front door
    mow the kitchen
    send the tv home
    add milk
    set the lights to 30 percent in the attic room
"""


HOUSE = House(tuple(things(HOME)), satellite=SATELLITE, timers=False, extra_tools=(SCRIPT,))


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    """One grammar for all cases."""
    return Pipeline(Path(tmp_path_factory.mktemp("data")), "en")


@pytest.mark.parametrize("case", lines(CASES))
def test_meaning(pipeline: Pipeline, case: str) -> None:
    sentence, _, expected = case.partition(" -> ")
    heard = said(pipeline, HOUSE, sentence)
    assert heard_as(HOUSE, heard, expected.replace("script__", "")), heard


@pytest.mark.parametrize("sentence", lines(NOTHING))
def test_nothing(pipeline: Pipeline, sentence: str) -> None:
    assert said(pipeline, HOUSE, sentence) == ""


@pytest.mark.parametrize(
    ("satellite", "sentence", "expected"),
    [
        ("", "turn on the tv and set the volume to 30", "HassTurnOn name=TV; HassSetVolume name=TV, volume_level=30"),
        ("", "set the volume to 30 in ten minutes and turn on the tv", ""),
        ("", "turn on the tv and set the brightness to 30", ""),
        ("Kitchen", "close the garage", "HassTurnOff name=Garage Door"),
        ("Kitchen", "close the blinds", ""),
        ("Living Room", "close the blinds", "HassTurnOff name=Curtains"),
    ],
)
def test_where_it_is_said_from(pipeline: Pipeline, satellite: str, sentence: str, expected: str) -> None:
    rooms = """
        Living Room: media_player=TV; media_player=Speaker; cover=Curtains
        Kitchen: light=Kitchen Light; light=Counter Light
        Garage: cover=Garage Door
    """
    assert said(pipeline, House(tuple(things(rooms)), satellite=satellite), sentence) == expected


def test_every_block_is_ours_and_has_an_official_response() -> None:
    check_blocks("en")


def test_every_template_parses_and_needs_a_word() -> None:
    check_templates("en", 200)
