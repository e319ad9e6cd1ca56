"""Memory: stores what happens as it happens, summarises it without a model, and gives it back where it fits.

The room stores prompts, observations, summaries and memories, and decides what is injected into a session. Finding is
`recall`'s; search, show, why, edit and the record of injections are `items`'; reading a command line is `shell`'s;
learning, checkpoints and web pages belong to other rooms.

Read it in this order: `model` (values), `rules` (decisions), `capture/` (from an event to an observation),
`summaries/`, `injecting/` (what is given, in which words), `hooks` (the contributions to events), `service`, `tools`.
Beside them: `tables` and `rows` speak to the store, `index` says how items are found, `takeover/` reads other tools'
stores.
"""
