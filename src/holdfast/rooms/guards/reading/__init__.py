"""Reading a command line: from its text to all programs that it runs. Pure."""
