"""What a compaction loses (CON-15): probes planted in long sessions, looked for in the next window.

`sessions` writes the sessions and their probes; `measure` compacts them in four ways and counts.
"""
