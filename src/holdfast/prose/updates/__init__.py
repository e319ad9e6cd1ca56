"""Reads what a newer sentence changes about an older one: it is done, not wanted, no longer so, or has another value.
Pure."""
