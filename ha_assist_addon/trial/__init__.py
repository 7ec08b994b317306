"""Trying a sentence without doing anything."""
