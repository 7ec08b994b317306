"""How long to wait before the next read."""

from __future__ import annotations

from .actions import Waited


def next_wait(
    waited: Waited, *, delay: float, attempts: int, expected: float | None, at_least: float = 0.0
) -> float | None:
    """Seconds, or None where the patience is used up: `attempts` waits that come to `attempts` times `delay`.

    The first is as long as the device usually takes from now on, where that is `expected`; the last is all that is
    left.
    """
    if waited.count >= attempts:
        return None
    left = max(0.0, attempts * delay - waited.seconds)
    if waited.count == attempts - 1:
        return left
    if waited.count or expected is None or expected <= 0:
        return min(delay, left)
    return min(max(expected, at_least), left)
