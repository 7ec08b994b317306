"""HA-Assist: a local, deterministic-first brain for Home Assistant's voice assistant."""

__version__ = "0.1.0"
