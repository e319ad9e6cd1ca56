"""Undo: keeping what a command is about to remove, and bringing it back byte for byte."""
