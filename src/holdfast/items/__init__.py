"""Items: what any room keeps for people and agents to find again, whichever room it is.

An item has an id that people can type (a letter for its family, eight characters), a line that is said of it, words it
is found by, and a record of when it was given to whom and why. Searching, showing, explaining, editing, giving what
fits at a start and at a prompt (`hooks`), and the bookkeeping of what was given are here, once, over every room that
declares an index. What an item is stays with its room; finding words is `recall`'s.
"""
