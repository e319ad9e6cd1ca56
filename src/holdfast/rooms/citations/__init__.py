"""Web citations: what was read in a page is kept across sessions and given back only when its origin has just proven
that the page has not changed.

The room decides about WebFetch alone. Fetching stays with the client, judging whether a reading fits stays with the
agent, and remembering what was learned from a page is the memory room's.

Read it in this order: `model` (values), `rules` (decisions, pure), `hooks` (the three contributions), `service` (store
and origin together). Beside them: `urls`, `address` and `words` are pure too; `shelf` speaks SQL; `probe` speaks HTTP;
`takeover` reads another tool's cache; `tools` is what people and agents can ask.
"""
