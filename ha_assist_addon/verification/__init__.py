"""Whether what was done has come about."""
