"""What of a home a sentence may mean: by names, by words, by concepts and by meaning."""
