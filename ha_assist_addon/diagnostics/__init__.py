"""The trace of a request: what was decided and why."""
