"""The story bench: what memory says in the sessions of thirty made-up projects that the real client plays.

Each story is a small repository, the sessions on it over some weeks, and what a senior engineer wants to be told in
each of them: facts that must be given, facts that must not, and prompts at which nothing may be given. Who writes the
rules of memory does not write these.
"""
