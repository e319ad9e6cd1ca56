"""Other programs that this room runs: the client's own list of sessions, notifications, tmux."""
