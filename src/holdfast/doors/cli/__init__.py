"""The command line: one file per verb in `verbs/`, a table of them in `main.py`, and one door for errors."""
