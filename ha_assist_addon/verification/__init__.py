"""What an entity should report after an action, and what tells that it does."""
