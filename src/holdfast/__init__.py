"""holdfast: one local daemon behind every Claude Code hook."""

__version__ = "0.1.0"
