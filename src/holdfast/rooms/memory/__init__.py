"""Memory: what happened is kept as it happens, summed up without a model, and given back where it fits.

The room keeps prompts, observations, summaries and memories, and decides what is recalled into a session. Finding is
`recall`'s, understanding a command line is `shell`'s; learning, checkpoints and web pages are other rooms'.

Read it in this order: `model` (values), `observe` (from an event to an observation, with `commands`, `symbols` and
`excerpts`), `summarise` and `brief` (what is said of it), `rules`: all pure. Then `hooks` (the contributions), `giving`
and `turns` (what is given and summed up), `service`, `tools`. Beside them: `shelf` and `rows` speak to the store,
`seeking` to recall, `worktree` to the file system, `explain` answers why.
"""
