"""Why a model's file cannot be had; each message is one sentence for a person."""

from __future__ import annotations


class DownloadFailed(Exception):
    """A download cannot go on until somebody changes something."""


class NetworkFailed(DownloadFailed):
    """The network or the server failed, and the same request may succeed later; `wait` is what the server asks for."""

    def __init__(self, message: str, *, wait: float = 0) -> None:
        self.wait = wait
        super().__init__(message)


class WrongContent(DownloadFailed):
    """The bytes are no model of the expected format."""


class PartBusy(Exception):
    """Somebody else is writing this file."""
