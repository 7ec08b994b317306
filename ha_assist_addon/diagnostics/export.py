"""A request in the forms in which a person takes it along; names are replaced unless asked otherwise."""

from __future__ import annotations

from .summary import Detail


def as_json(detail: Detail, *, redacted: bool = True) -> str:
    """Everything that is kept, indented."""
    raise NotImplementedError


def as_curl(detail: Detail, base_url: str, *, redacted: bool = True) -> str | None:
    """A shell command that sends the request again, with `$HA_ASSIST_KEY` for the key; None without the request."""
    raise NotImplementedError


def as_case(detail: Detail, *, redacted: bool = True) -> str | None:
    """One line of a case file: home, messages and what came out, for the reader to judge; None without the request."""
    raise NotImplementedError
