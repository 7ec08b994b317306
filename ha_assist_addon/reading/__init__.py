"""How a sentence becomes commands: the readers, and their order."""
