"""The sentence grammars, our additions to them, and the replies."""
