"""Summaries written by rules: the title, what was done, what failed, what is left open. Pure."""
