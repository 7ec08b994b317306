"""What a person taught in the panel: sentences of their own, and names that Home Assistant does not know."""
