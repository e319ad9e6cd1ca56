"""What people see of this room: `pane` (also `status` and doctor), the status line, `verbs` (results on a terminal)."""
