"""The sections of `metrics`: what each step tells of its decision, field by field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict


class HistoryNote(TypedDict, total=False):
    """What of the conversation was read, and how many of its turns the model was shown."""

    policy: Literal["current_turn"]
    messages_before: int
    rounds: int
    kept: int
    dropped: int


class PlanNote(TypedDict, total=False):
    """What the sentence was taken for, and on what it acts."""

    original: str
    canonical: str
    repairs: Sequence[Mapping[str, object]]
    repair_refused: str
    domain: object
    area: object
    name: object
    action: str
    target_ambiguous: bool
    target_candidates: Sequence[str]
    targets: Sequence[str]


class CandidateNote(TypedDict):
    """An intent that the sentence may be."""

    intent: str
    slots: Mapping[str, Any]
    template: str
    language: str


class UnknownNote(TypedDict):
    """What is said and not in the home, with the names that come near."""

    slot: str
    text: str
    near: Sequence[str]


class IntentNote(TypedDict, total=False):
    """Which intent was found, by which reader, and which others were possible."""

    stage: str
    exact: str | None
    candidates: Sequence[CandidateNote]
    source: Literal["own", "official"]
    fuzzy: Sequence[Mapping[str, object]]
    sentence_recovery: bool
    unknown: UnknownNote


class PromptNote(TypedDict, total=False):
    """What the model was shown, and what was left out of it; tokens as its tokenizer counts them."""

    form: str
    entities: Sequence[str]
    tools: Sequence[str]
    entities_offered: int
    tools_offered: int
    entities_dropped: int
    tools_dropped: int
    turns: int
    selected: Mapping[str, Any]
    tokens_before: int
    tokens_after: int
    tokens_limit: int
    answer_tokens: int | None


class GeneratedCallNote(TypedDict, total=False):
    """A call that a model wanted, and the ruling on it."""

    name: str
    arguments: Mapping[str, Any]
    accepted: bool
    ruling: str
    why: str
    targets: Sequence[str]


class ValidationNote(TypedDict, total=False):
    """What became of what a model wanted."""

    verdict: str
    why: str
    calls: Sequence[GeneratedCallNote]


class VerifyNote(TypedDict, total=False):
    """What was expected after an action and what was seen; `delay` in seconds."""

    kind: str
    attempt: int
    attempts: int
    delay: float
    events: bool
    targets: Sequence[Mapping[str, object]]
