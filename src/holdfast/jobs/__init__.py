"""Work that is not done on the hook's time: a durable queue in the store, and the loop that runs it."""
