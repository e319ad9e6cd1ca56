"""What must cover every room: forget, export, import, retention, reindex. It names no room.

All of it is driven by the tables that rooms declare (`store/table.py`), by their items (`items`), and by what a room
adds in `Room.upkeep`. Read `forget`, with `forget_selection` (what is meant), `rows` (rows of declared tables) and
`sweep` (the files beside the database); then `export` and `take_in`, `retention` with `aging`, `reindex`, `tools`.
"""
