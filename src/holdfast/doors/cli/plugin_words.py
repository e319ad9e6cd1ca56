"""What `up` says of the plugin: what it gives, and how to have it."""

GIVES = (
    "The plugin gives slash commands (/holdfast:recall, :why, :seen, …), a skill and a live pane. Without hooks in "
    "your settings it brings hooks and tools of its own, as commands: about 10 ms more per event."
)
INSTALL = "holdfast plugin --install"
