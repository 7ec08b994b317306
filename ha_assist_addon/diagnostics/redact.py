"""Takes names and secrets out of what a person shows to others; the same name always becomes the same pseudonym."""

from __future__ import annotations

from .summary import Detail


def redact(detail: Detail) -> Detail:
    """The same request with invented names: `Light 1`, `Area 2`, `Person 1`; keys and tokens are gone."""
    raise NotImplementedError
