"""What still stands of what was told: its worth, its open threads, and what newer work settled or replaced."""
