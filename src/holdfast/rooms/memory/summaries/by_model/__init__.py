"""Summaries written by a model, if the user wants it, and what they cost."""
