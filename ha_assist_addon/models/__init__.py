"""The files of the native models: which are known, where they lie, and how they are fetched when a person asks."""
