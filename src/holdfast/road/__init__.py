"""How an event travels: read, scrub, identify, journal, contributions, merge, answer. Knows no room by name."""
