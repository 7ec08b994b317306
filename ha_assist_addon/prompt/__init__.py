"""What a language model is shown of a request: short texts, few devices, and a form that its answer can hold to."""
