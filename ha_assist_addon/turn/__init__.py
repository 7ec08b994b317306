"""What the request is: its kind, the current turn, and what can be decided about it."""
