"""From the text of a command line to all programs that it runs. Pure."""
