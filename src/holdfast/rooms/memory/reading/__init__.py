"""Reads what an agent or a user said: sentences, what each of them is, and whether one gives up another. Pure; knows no
table.
"""
