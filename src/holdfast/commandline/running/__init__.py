"""Programs that run others: by their arguments, by an option, by a file of the project. Pure."""
