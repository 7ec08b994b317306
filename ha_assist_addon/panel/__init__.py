"""The web panel in Home Assistant's sidebar."""
