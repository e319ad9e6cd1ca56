"""What is known about the targets of a command: the file system, git, and the ledger of this conversation."""
