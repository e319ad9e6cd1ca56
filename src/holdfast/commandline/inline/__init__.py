"""Programs written inside a command line: what they delete, write over and run. Pure."""
