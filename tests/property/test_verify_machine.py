"""Whatever Home Assistant answers, however late a state: nothing is done twice, and every turn ends in a sentence."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import yaml
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ha_assist_addon.backends.registry import BackendRegistry
from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.home.toolbox import plain_name
from ha_assist_addon.language.grammar import GrammarLibrary
from ha_assist_addon.services import Services
from ha_assist_addon.settings.store import SettingsStore
from tests.support.house import VERSIONS, Decision, House, Pipeline, Version, called, done, result, thing

MOST_REQUESTS = 10
MOST_READS = 10

HOME = (
    thing("Desk Lamp", "light", "Office"),
    thing("Shelf Lamp", "light", "Office"),
    thing("Garage Door", "cover", "Garage"),
    thing("Front Door", "lock", "Hall"),
    thing("Coffee Machine", "switch", "Kitchen"),
    thing("Ceiling Fan", "fan", "Kitchen"),
    thing("Radio", "media_player", "Kitchen"),
    thing("Thermostat", "climate", "Hall"),
    thing("Movie Night", "scene"),
)
DOMAINS = {t.name: t.domain for t in HOME}
SENTENCES = (
    "turn on the desk lamp",
    "turn off the lights in the office",
    "turn on the coffee machine and close the garage door",
    "turn off the desk lamp and turn off the shelf lamp",
    "open the garage door",
    "set the garage door to 40 percent",
    "lock the front door",
    "unlock the front door",
    "set the desk lamp to 30 percent",
    "set the ceiling fan to 50 percent",
    "set the temperature to 21 degrees",
    "set the radio volume to 30 percent",
    "activate movie night",
    "schalte die desk lamp ein",
)
STATES = ("on", "off", "open", "closed", "opening", "closing", "locked", "locking", "jammed", "unknown", "unavailable")
ATTRIBUTES = ("brightness", "current_position", "percentage", "temperature", "volume_level")


@cache
def _library() -> GrammarLibrary:
    return GrammarLibrary()


@cache
def _pipeline(attempts: int, delay: float) -> Pipeline:
    folder = Path(mkdtemp(prefix="verify-"))
    environ = {
        "HA_ASSIST_SETTINGS__HA_ASSIST_LANGUAGES": "en,de",
        "HA_ASSIST_SETTINGS__HA_ASSIST_VERIFY_ATTEMPTS": str(attempts),
        "HA_ASSIST_SETTINGS__HA_ASSIST_VERIFY_DELAY": str(delay),
    }
    store = SettingsStore(folder, environ=environ)
    pipeline = Pipeline(folder)
    pipeline.services = Services(store, _library(), BackendRegistry(store), TraceStore())
    return pipeline


def _entities(names: list[str]) -> list[dict[str, str]]:
    return [{"name": n, "type": "entity", "id": f"{DOMAINS[n]}.{n.lower().replace(' ', '_')}"} for n in names]


@st.composite
def action_results(draw: st.DrawFn) -> Any:
    """What Home Assistant says of an action: done, done in part, refused, or something of another form."""
    names = draw(st.lists(st.sampled_from(sorted(DOMAINS)), max_size=3, unique=True))
    failed = draw(st.sampled_from([0, 0, 0, 1]))
    data = done()
    data["data"] = {"success": _entities(names[failed:]), "failed": _entities(names[:failed])}
    refused = {"error": "MatchFailedError", "error_text": "No entities matched the name (given name 'X')"}
    return draw(st.sampled_from([data, data, data, data, refused, {"result": {}}, "text", None]))


@st.composite
def overviews(draw: st.DrawFn) -> Any:
    """What a read shows: any state of any of the things, or nothing that could be read."""
    items = []
    for name in draw(st.lists(st.sampled_from(sorted(DOMAINS)), min_size=1, unique=True)):
        figure = draw(st.sampled_from((None, "0", "30", "40", "102", 0.3, "21.0", "x")))
        attributes = {draw(st.sampled_from(ATTRIBUTES)): figure}
        items.append(
            {
                "names": name,
                "domain": DOMAINS[name],
                "state": draw(st.sampled_from(STATES)),
                "attributes": attributes,
            }
        )
    live = {"result": f"Live Context: An overview:\n{yaml.safe_dump(items, sort_keys=False)}"}
    return draw(st.sampled_from([live, live, live, {"error": "No entities matched the provided filter"}, "", None]))


class Verifying(RuleBasedStateMachine):
    """Home Assistant and a home whose states do as they like."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[Any] = []
        self.requests = 0
        self.made: set[tuple[str, str]] = set()
        self.reads = 0
        self.attempts = 0
        self.house = House(HOME)
        self.latest: Decision | None = None
        self.pipeline = _pipeline(0, 0)

    @initialize(
        sentence=st.sampled_from(SENTENCES),
        attempts=st.integers(0, MOST_READS),
        delay=st.sampled_from((0, 0.001)),
        version=st.sampled_from(VERSIONS),
        by_model=st.one_of(st.none(), st.integers(0, 8)),
    )
    def begin(self, sentence: str, attempts: int, delay: float, version: Version, by_model: int | None) -> None:
        self.attempts, self.house = attempts, House(HOME, version=version)
        self.pipeline = _pipeline(attempts, delay)
        if by_model is None:
            self.messages = [sentence]
        else:
            self._rounds_of_a_model(by_model)
        self._ask()

    def _rounds_of_a_model(self, clocks: int) -> None:
        prefix = "intent__" if self.house.version == "2026.11" else ""
        self.messages = ["make it cosy in here"]
        for number in range(clocks):
            self.messages += [
                called("GetDateTime", {}, f"clock_{number}"),
                result({"time": "12:00"}, f"clock_{number}"),
            ]
        arguments = {"name": "Desk Lamp", "domain": ["light"]}
        self.messages += [called(f"{prefix}HassTurnOn", arguments, "model"), result(done("Desk Lamp"), "model")]
        self.made.add(("HassTurnOn", json.dumps(arguments, sort_keys=True)))
        self.requests = clocks + 1

    def _ask(self) -> None:
        self.requests += 1
        self.latest = self.pipeline.say(self.house, *self.messages)

    def _answer(self, results: list[Any]) -> None:
        assert self.latest is not None
        calls = []
        told = []
        for index, ((name, arguments), data) in enumerate(zip(self.latest.calls, results, strict=True)):
            identity = f"call_{self.requests}_{index}"
            calls += called(name, arguments, identity)["tool_calls"]
            plain = plain_name(name)
            if plain == "GetLiveContext":
                self.reads += 1
            else:
                key = plain, json.dumps(arguments, sort_keys=True)
                assert key not in self.made, f"{plain} was done before"
                self.made.add(key)
            if data is not None:
                wrapped = {"data": data, "error": False} if self.house.version == "2026.11" else data
                told.append(result(wrapped, identity))
        self.messages += [{"role": "assistant", "content": None, "tool_calls": calls}, *told]
        self._ask()

    @precondition(lambda self: self.latest is not None and self.latest.actions)
    @rule(data=st.data())
    def carry_out(self, data: st.DataObject) -> None:
        assert self.latest is not None
        self._answer([data.draw(action_results()) for _ in self.latest.calls])

    @precondition(lambda self: self.latest is not None and self.latest.calls and not self.latest.actions)
    @rule(live=overviews())
    def read(self, live: Any) -> None:
        self._answer([live])

    @precondition(lambda self: self.latest is not None and not self.latest.calls)
    @rule(sentence=st.sampled_from(SENTENCES))
    def say_more(self, sentence: str) -> None:
        assert self.latest is not None
        self.messages += [{"role": "assistant", "content": self.latest.text}, sentence]
        self.requests, self.reads, self.made = 0, 0, set()
        self._ask()

    @invariant()
    def keeps_its_promises(self) -> None:
        if self.latest is None:
            return
        assert self.requests <= MOST_REQUESTS
        assert self.reads <= (self.attempts + 1 if self.attempts else 0), "one at once, and one after each wait"
        assert len(self.latest.finishes) == 1
        if self.latest.calls:
            assert self.requests < MOST_REQUESTS, "the tenth request must be answered"
        else:
            assert self.latest.text.strip()
        if self.latest.trace.verification == "reading":
            assert self.latest.trace.verify_settle_ms is not None
            assert not self.latest.actions
        assert self.latest.trace.inference_calls == 0

    def teardown(self) -> None:
        """Play on with states that never change: the turn ends all the same."""
        while self.latest is not None and self.latest.calls:
            self._answer([done() if self.latest.actions else {"result": ""} for _ in self.latest.calls])
            self.keeps_its_promises()


TestVerifying = Verifying.TestCase
TestVerifying.settings = settings(
    max_examples=max(20, settings.get_profile(settings.get_current_profile_name()).max_examples // 4),
    stateful_step_count=14,
    deadline=None,
)
