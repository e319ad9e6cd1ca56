"""Undo: keeping what a command is about to remove, and bringing it back byte for byte.

Says nothing about which commands need it: the room `guards` names files, the index and refs (`store.Wanted`).
"""
