"""What each intent and tool of Home Assistant, and each question of ours, is about: the one table of them.

The domains follow the intent handlers of Home Assistant core (`required_domains` in `components/*/intent.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Matter(StrEnum):
    """What kind of thing an intent deals with."""

    DEVICE = "device"
    TIMER = "timer"
    ITEM = "item"
    """An item of a list, in the person's own words."""
    BROADCAST = "broadcast"
    TALK = "talk"
    STATE = "state"
    CLOCK = "clock"
    LIST = "list"
    CALENDAR = "calendar"
    TIMES = "times"
    """What will be or what was: told by tools of the companion integration."""
    HOME = "home"
    """Answered from the list of devices itself."""


@dataclass(frozen=True, slots=True)
class IntentRow:
    """One intent.

    `domains` are those that its handler takes, empty where it takes any; `tool` does its work in its stead, `stand_in`
    is what an older Home Assistant offers for it. `single` takes one entity only, `free_text` holds words that are
    data, `reads` changes nothing, `answered` is a tool whose result we put into words, `own` is a question of ours and
    no intent of Home Assistant.
    """

    matter: Matter
    domains: frozenset[str] = frozenset()
    tool: str | None = None
    stand_in: str | None = None
    single: bool = False
    switches: bool = False
    free_text: bool = False
    reads: bool = False
    answered: bool = False
    own: bool = False


def _on(*domains: str, single: bool = False, free_text: bool = False, stand_in: str | None = None) -> IntentRow:
    return IntentRow(Matter.DEVICE, frozenset(domains), stand_in=stand_in, single=single, free_text=free_text)


def _item(tool: str | None = None, stand_in: str | None = None) -> IntentRow:
    return IntentRow(
        Matter.ITEM, frozenset() if tool else frozenset({"todo"}), tool=tool, stand_in=stand_in, free_text=True
    )


def _asks(matter: Matter) -> IntentRow:
    return IntentRow(matter, reads=True)


def _reads(matter: Matter) -> IntentRow:
    return IntentRow(matter, reads=True, answered=True)


def _own(matter: Matter) -> IntentRow:
    return IntentRow(matter, reads=True, own=True)


_SWITCH = IntentRow(Matter.DEVICE, switches=True)
_PLAYER = _on("media_player")
_TIMER = IntentRow(Matter.TIMER)

FORECAST, HISTORY, SCHEDULED = "HaAssistForecast", "HaAssistHistory", "HaAssistListScheduled"

INTENTS: Mapping[str, IntentRow] = {
    "HassTurnOn": _SWITCH,
    "HassTurnOff": _SWITCH,
    "HassToggle": IntentRow(Matter.DEVICE),
    "HassOpenCover": IntentRow(Matter.DEVICE),
    "HassCloseCover": IntentRow(Matter.DEVICE),
    "HassLightSet": _on("light"),
    "HassClimateSetTemperature": _on("climate", single=True),
    "HassClimateSetFanMode": _on("climate"),
    "HassFanSetSpeed": _on("fan"),
    "HassHumidifierSetpoint": _on("humidifier"),
    "HassHumidifierMode": _on("humidifier"),
    "HassSetPosition": _on("cover", "valve"),
    "HassStopMoving": _on("cover", "valve"),
    "HassVacuumStart": _on("vacuum"),
    "HassVacuumReturnToBase": _on("vacuum"),
    "HassVacuumCleanArea": _on("vacuum", stand_in="HassVacuumStart"),
    "HassLawnMowerStartMowing": _on("lawn_mower"),
    "HassLawnMowerDock": _on("lawn_mower"),
    "HassMediaPause": _PLAYER,
    "HassMediaUnpause": _PLAYER,
    "HassMediaNext": _PLAYER,
    "HassMediaPrevious": _PLAYER,
    "HassSetVolume": _PLAYER,
    "HassSetVolumeRelative": _PLAYER,
    "HassMediaPlayerMute": _PLAYER,
    "HassMediaPlayerUnmute": _PLAYER,
    "HassMediaSearchAndPlay": _on("media_player", single=True, free_text=True),
    "play_media": IntentRow(Matter.DEVICE),
    "search_media": IntentRow(Matter.DEVICE, reads=True),
    "HassListAddItem": _item(),
    "HassListCompleteItem": _item(),
    "HassListRemoveItem": _item(stand_in="HassListCompleteItem"),
    "HassShoppingListAddItem": _item(tool="HassListAddItem"),
    "HassShoppingListCompleteItem": _item(tool="HassListCompleteItem"),
    "HassShoppingListRemoveItem": _item(tool="HassListRemoveItem"),
    "HassShoppingListLastItems": IntentRow(Matter.LIST),
    "HassStartTimer": _TIMER,
    "HassCancelTimer": _TIMER,
    "HassCancelAllTimers": _TIMER,
    "HassIncreaseTimer": _TIMER,
    "HassDecreaseTimer": _TIMER,
    "HassPauseTimer": _TIMER,
    "HassUnpauseTimer": _TIMER,
    "HassTimerStatus": _reads(Matter.TIMER),
    "HassBroadcast": IntentRow(Matter.BROADCAST, free_text=True),
    "HassNevermind": IntentRow(Matter.TALK),
    "HassRespond": IntentRow(Matter.TALK),
    "HassGetState": _asks(Matter.STATE),
    "HassGetWeather": _asks(Matter.STATE),
    "HassClimateGetTemperature": _asks(Matter.STATE),
    "HassGetCurrentTime": _asks(Matter.CLOCK),
    "HassGetCurrentDate": _asks(Matter.CLOCK),
    "GetLiveContext": _reads(Matter.STATE),
    "GetDateTime": _reads(Matter.CLOCK),
    "todo_get_items": _reads(Matter.LIST),
    "calendar_get_events": _reads(Matter.CALENDAR),
    "HaAssistState": _own(Matter.STATE),
    "HaAssistStateOf": _own(Matter.STATE),
    "HaAssistMeasure": _own(Matter.STATE),
    "HaAssistPlaying": _own(Matter.STATE),
    "HaAssistWeather": _own(Matter.STATE),
    "HaAssistWeekday": _own(Matter.CLOCK),
    "HaAssistList": _own(Matter.LIST),
    "HaAssistCalendar": _own(Matter.CALENDAR),
    FORECAST: _own(Matter.TIMES),
    HISTORY: _own(Matter.TIMES),
    SCHEDULED: _own(Matter.TIMES),
    "HaAssistExists": _own(Matter.HOME),
}

_NOTHING = IntentRow(Matter.DEVICE)


def intent_row(intent: str) -> IntentRow:
    """The row of an intent; one that nobody wrote down acts on nothing that we know."""
    return INTENTS.get(intent, _NOTHING)


def _asked_about(*matters: Matter) -> frozenset[str]:
    return frozenset(name for name, row in INTENTS.items() if row.matter in matters and row.reads)


PLATFORM: Mapping[str, frozenset[str]] = {name: row.domains for name, row in INTENTS.items() if row.domains}
"""The domains that a tool acts on, whatever its arguments say."""
SWITCHES = frozenset(name for name, row in INTENTS.items() if row.switches)
"""Tools that act on whatever can be switched, opened or locked."""
ITEM_INTENTS = frozenset(name for name, row in INTENTS.items() if row.matter is Matter.ITEM)
"""Intents about an item in the person's own words: filler words may belong to it, so the longest item is meant."""
FREE_TEXT_INTENTS = frozenset(name for name, row in INTENTS.items() if row.free_text)
"""Intents whose free text is data: "add never-ending gum to the list" is no negation."""
TALK_INTENTS = frozenset(name for name, row in INTENTS.items() if row.matter is Matter.TALK)
READ_ONLY = frozenset(name for name, row in INTENTS.items() if row.reads)
"""What changes nothing: a question word does not speak against it."""
READS = frozenset(name for name, row in INTENTS.items() if row.answered)
"""Home Assistant's own tools that change nothing, and whose results we put into words."""
KNOWN = frozenset(name for name, row in INTENTS.items() if not row.own)
"""Home Assistant's own tools of which we know what they do; a name that merely begins with `Hass` is none of them."""

STATE_INTENTS = _asked_about(Matter.STATE)
CLOCK_INTENTS = _asked_about(Matter.CLOCK)
LIST_INTENTS = _asked_about(Matter.LIST)
CALENDAR_INTENTS = _asked_about(Matter.CALENDAR)
TIMED_INTENTS = _asked_about(Matter.TIMES)
STATIC_INTENTS = _asked_about(Matter.HOME)
QUERY_INTENTS = STATE_INTENTS | CLOCK_INTENTS | LIST_INTENTS | CALENDAR_INTENTS | TIMED_INTENTS | STATIC_INTENTS
"""Questions about the home, by what they ask for."""
