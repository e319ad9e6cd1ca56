"""Memory: what happened is kept as it happens, summed up without a model, and given back where it fits.

The room keeps prompts, observations, summaries and memories, and decides what is recalled into a session. Finding is
`recall`'s, understanding a command line is `shell`'s; learning, checkpoints and web pages are other rooms'.

Read it in this order: `model` (values), `observe` (from an event to an observation, with `titles`, `excerpts` and
`symbols`), `hooks` (the contributions), `summarise` and `brief` (what is said of it), `service`. All of these but hooks
and service are pure. Beside them: `shelf` speaks SQL, `seeking` asks recall, `head` reads git's files, `tools` is what
people and agents can ask.
"""
