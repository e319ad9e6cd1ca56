"""The command line: verbs in `verbs/`, the table of them in `table.py`, and one place for errors in `main.py`."""
