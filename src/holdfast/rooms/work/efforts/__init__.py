"""Efforts: the order of their phases, their life in the store, and what is known of them in memory."""
