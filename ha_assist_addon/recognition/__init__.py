"""The official grammar on one sentence of one home: the ways in which it can be understood."""
