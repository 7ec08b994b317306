"""Questions about the home, answered from the request or from what was read."""
