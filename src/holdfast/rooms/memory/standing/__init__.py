"""Decides which stored statements are still valid: worth, open threads, what newer work settled or replaced."""
