"""Background work: a durable queue in the store, and the loop that runs it."""
