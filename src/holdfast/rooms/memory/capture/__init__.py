"""Turns a tool event into an observation: what was done, in words a person would use."""
