"""Coding sessions for measuring recall, played by the real client: scenes, and what is asked of them later."""
