"""Summaries of turns, sessions and subagents: written by rules, by a model if the user wants it, and kept true when
something is corrected or forgotten."""
