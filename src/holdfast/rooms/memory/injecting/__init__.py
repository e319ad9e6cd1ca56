"""What is given to an agent unasked: which items, and in which words."""
