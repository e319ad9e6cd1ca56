"""Compactions: what is saved and said before one, what is given back after it, and what the plugin's mod is answered.

Read `events` (what hooks say about a compaction), then `answering` (what the mod asks) and `restarting` (a new client
instead of a compaction).
"""
