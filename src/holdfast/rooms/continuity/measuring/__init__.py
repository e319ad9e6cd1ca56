"""How full a context window is: read from the end of the transcript, held against the size of the model's window."""
