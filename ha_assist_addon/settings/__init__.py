"""What a person can set: the model, the file it lives in, and what may be resident together."""
