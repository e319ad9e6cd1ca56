"""Imports what other memory tools have stored, and follows the client's own memory files."""
