"""Judging a call of a tool by rules that are data: which rule matches, and what is decided.

It knows no room and no store, and of files only the rules that come with holdfast (`built_in/`). Facts about the
targets, undo and a person's word are added by the room `guards`. What a line runs it learns from `commandline`.

Read it in this order: `model` (values), `packs` (rule files), `matching` (does a rule match a run?), `rules` (the
decision about a line), `made` and `saving` (what a line made or saved itself), `quick` (a first look), `paths` (Write,
Edit), `triggers` (rules about an event).
"""
