"""Judges the guards: commands with a verdict, sandboxes, mutations, another guard beside them, the road."""
