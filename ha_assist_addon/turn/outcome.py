"""The closed set of what deterministic processing can decide about a turn."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum

from ..conversation import JsonObject


class Reason(StrEnum):
    """Why a turn was decided as it was; the panel shows it beside one plain sentence."""

    EXACT = "exact_match"
    REPAIRED = "repaired_match"
    COMPOUND = "compound"
    FOLLOW_UP = "follow_up"
    READ_STATE = "read_state"
    VERIFY = "verify_state"
    TOOL_RESULT = "tool_result"
    TOOL_FAILED = "tool_failed"
    SMALL_TALK = "small_talk"
    AMBIGUOUS = "ambiguous"
    UNKNOWN_NAME = "unknown_name"
    UNKNOWN_AREA = "unknown_area"
    DUPLICATE_NAME = "duplicate_name"
    MISSING_TARGET = "missing_target"
    TOOL_NOT_OFFERED = "tool_not_offered"
    NOT_CARRIED = "slot_not_carried"
    GUARDED = "guarded"
    UNSAID = "unsaid"
    CONFIRM = "confirm"
    TAUGHT = "taught"
    TAUGHT_MODEL = "taught_model"
    NOT_RECOGNISED = "not_recognised"
    TOO_LONG = "sentence_too_long"
    IMAGE = "image"
    PLAIN_CHAT = "plain_chat"
    STRUCTURED = "structured_output"
    EMPTY = "empty_sentence"


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A tool call that passed the offered schema; `name` is the offered name."""

    name: str
    arguments: JsonObject

    @property
    def key(self) -> tuple[str, str]:
        """The same for calls that do the same."""
        return self.name, repr(sorted(self.arguments.items()))


@dataclass(frozen=True, slots=True)
class Act:
    """Call these tools now."""

    calls: tuple[PlannedCall, ...]
    reason: Reason
    why: str


@dataclass(frozen=True, slots=True)
class Answer:
    """Say this; nothing is to be done."""

    text: str
    reason: Reason
    why: str


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the person; the text ends in a question mark so that Home Assistant keeps listening."""

    text: str
    candidates: tuple[str, ...]
    reason: Reason
    why: str


@dataclass(frozen=True, slots=True)
class Generate:
    """Language is needed: one generation, with `candidates` where the target was ambiguous."""

    reason: Reason
    why: str
    candidates: tuple[str, ...] = ()
    fallback: str | None = None
    """What to say instead when no model is configured; ends in a question mark when it asks."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Let `seconds` pass before `then`, because a state may lag behind an action.

    `watch` waits so long for what makes `then` needless, and gives the answer that takes its place.
    """

    seconds: float
    then: Act
    watch: Callable[[float], Awaitable[Answer | None]] | None = None


Outcome = Act | Answer | Ask | Generate | Wait
