"""Remedies: what a failure is known by, what solved it, and where that is said."""
