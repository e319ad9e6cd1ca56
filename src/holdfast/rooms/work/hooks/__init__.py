"""What this room contributes to events. `program.py` lists the steps.

While no effort is active a step ends with one comparison. Texts go to live events only; what is written stands in the
event's own transaction, and memory follows after its commit.
"""
