"""Listens to the states of the entities that are exposed to Assist: a device's report ends the wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from ..verification.expected import VERIFIED_DOMAINS
from ..verification.states import MOST_ENTITIES, StateEvents
from .connection import CommandRefused, Connection, ConnectionLost
from .link import USUAL_PACE, HomeAssistantLink, Pace

EXPOSED = "homeassistant/expose_entity/list"
ASSISTANT = "conversation"
BURST = 50
"""Events in a row after which others get their turn."""


class StateStream(HomeAssistantLink):
    """Subscribes to the exposed entities alone; Home Assistant itself leaves out the others."""

    name = "states"
    refused = (
        "Home Assistant refuses the token of HA-Assist, so a device's report is read instead of heard. "
        "Check the token, or restart the app: each start gives it a new one."
    )
    failed = "Home Assistant's events could not be understood; the log says why."

    def __init__(self, address: str, token: str, events: StateEvents, pace: Pace = USUAL_PACE) -> None:
        super().__init__(address, token, pace)
        self._events = events
        self._exposures = 0
        self._states = 0
        """The ids of the subscriptions."""
        self._outdated = False

    async def _follow(self, connection: Connection) -> None:
        try:
            await self._listen(connection)
        except CommandRefused as error:
            raise ConnectionLost(f"Home Assistant does not let HA-Assist hear of states ({error}).") from error

    async def _listen(self, connection: Connection) -> None:
        await connection.ask("subscribe_events", event_type="entity_registry_updated")
        self._exposures, self._states = connection.last_id, 0
        followed: frozenset[str] | None = None
        while True:
            self._outdated = False
            exposed = exposed_entities(await connection.ask(EXPOSED))
            if exposed != followed:
                followed = exposed
                await self._subscribe(connection, exposed)
            count = f"{len(exposed)} exposed {'entity' if len(exposed) == 1 else 'entities'}"
            self._connected(f"Home Assistant tells HA-Assist at once what changes of {count}.")
            heard = 0
            while not self._outdated:
                await connection.listen()
                heard += 1
                if heard % BURST == 0:
                    await asyncio.sleep(0)
            await asyncio.sleep(self._pace.settle)

    async def _subscribe(self, connection: Connection, exposed: frozenset[str]) -> None:
        before, self._states = self._states, 0
        self._events.begin(sorted(exposed))
        if exposed:
            # Without any it would be all that there are.
            await connection.ask("subscribe_entities", entity_ids=sorted(exposed))
            self._states = connection.last_id
        if before:
            await connection.ask("unsubscribe_events", subscription=before)

    def _hear(self, subscription: int, event: object) -> None:
        if subscription == self._exposures:
            self._outdated = True
        elif subscription == self._states and isinstance(event, Mapping):
            self._events.take(event)

    def _ended(self) -> None:
        self._events.end()


def exposed_entities(answer: Any) -> frozenset[str]:
    """Those that Assist may see and whose state an action can show."""
    listed = answer.get("exposed_entities") if isinstance(answer, Mapping) else None
    exposed = [
        entity_id
        for entity_id, told in (listed.items() if isinstance(listed, Mapping) else ())
        if isinstance(told, Mapping) and told.get(ASSISTANT) is True and entity_id.partition(".")[0] in VERIFIED_DOMAINS
    ]
    return frozenset(sorted(exposed)[:MOST_ENTITIES])
