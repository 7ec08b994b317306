"""Commands composed from the words of a sentence, in any order, where every word is explained."""
