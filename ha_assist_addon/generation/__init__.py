"""The one call to a language model: what it is asked, and what of its answer is let through."""
