"""What is said: acknowledgements, questions, lists of names."""
