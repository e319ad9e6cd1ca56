"""The test bed: the real Claude Code client, driven against a scripted Messages API on loopback."""
