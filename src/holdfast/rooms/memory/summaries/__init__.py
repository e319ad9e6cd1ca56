"""Summaries of turns, sessions and subagents: written by rules, or by a model if the user wants it, and corrected when
an item is corrected or forgotten.
"""
