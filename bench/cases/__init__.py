"""Short cases of memory: a few sessions each, played as hook events, and what the next one must be told and must not.

Nothing here is imported before `--src` has chosen the product that is judged (`__main__`).
"""
