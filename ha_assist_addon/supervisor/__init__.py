"""What Home Assistant's own registries tell beyond the prompt, read in the background; everything works without it."""
