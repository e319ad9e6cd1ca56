"""Reads the sentences of people and agents, as `shell` reads command lines. Pure; knows no item, room or table.

Says what each sentence of an agent's closing words is (a cause, a decision, something left open), what a user's prompt
asks, and whether one sentence takes back or settles another. What follows from that is for the rooms to decide.

Reading order: `sentences` (where they begin and end), `cues` (the words that give one away), `closing` (what each of
them is), `passages` (which are said together), `openness` (what they leave open); `prompts/` reads what users type,
`updates/` compares what was said later with what was said before.
"""
