"""The rooms. Each has one duty and declares one `ROOM` (`room.py`). Rooms never import each other.

A file of the same name holds the same kind of thing in every room (`rules`, `service`, `hooks`, `tools`, `settings`). A
room leaves out what it does not need.
"""
