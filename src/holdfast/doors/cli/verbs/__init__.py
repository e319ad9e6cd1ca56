"""The verbs of the command line. Each is loaded only when it is called."""
