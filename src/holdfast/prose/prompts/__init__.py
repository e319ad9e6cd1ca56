"""Reads what the user types: a choice, a reply, a fault, and which words are the user's own. Pure."""
