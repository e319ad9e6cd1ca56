"""What people and agents can ask of this room, as data: `entries` of the loop, what was learned (`lessons`), and the
`verbs` that show both on a terminal. The doors serve it."""

from holdfast.rooms.learning.tools import entries, lessons

TOOLS = (*entries.TOOLS, *lessons.TOOLS)
