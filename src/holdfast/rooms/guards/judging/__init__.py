"""Judging what a command line does: deeds, places, rules as data, and the decision."""
