"""Values: what many experiences have in common, grouped by their words and said in a sentence."""
