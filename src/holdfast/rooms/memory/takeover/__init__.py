"""Imports what other memory tools have stored."""
