"""Reads source files: which functions, methods and classes a file has, what they use, and what the file imports.

A library like `shell`: it knows no room, no store and no event. `units` reads one file by a tree-sitter grammar,
`plain` without one. `listing` finds the files of a folder, `filters` says which are left out. `index_file` is the
index of one project, a SQLite file of its own; `build` brings it up to date. `child` does all of that in a process of
its own, because nothing can interrupt a parser; `worker` runs that process. `links` and `uses` tell who uses a file.
"""
