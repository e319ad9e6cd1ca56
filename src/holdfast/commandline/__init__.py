"""What a command line runs, and what that does to files and data. Pure, and decides nothing.

`shell` parses a line into its words. This package goes on from there: `reading/` follows it to all programs that it
runs, `running/` knows programs that run others, `inline/` reads programs that are written inside a line, and `effects/`
tells what one run does: what it removes or writes over, where that lies, what its statements destroy. What may run is
decided by whoever asks (the room `guards`).
"""
