"""Follows every agent by its events: what they say, what they mean for it and for others, and what is kept."""
