"""What each step decided, for the client and the panel."""
