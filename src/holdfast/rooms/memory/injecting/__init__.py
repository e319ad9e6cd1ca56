"""Chooses which items an agent is given without asking, and writes their lines."""
