"""The doors: hooks, REST, the command line. They gather and show; they decide nothing."""
