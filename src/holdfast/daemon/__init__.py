"""The daemon: a supervisor that keeps lock and sockets, and the worker it restarts."""
