"""What people and agents can ask of this room, as data: entries of the loop (`ghaps`), what was learned
(`lessons`), and the `verbs` that show both on a terminal. The doors serve it."""

from holdfast.rooms.learning.tools import ghaps, lessons

TOOLS = (*ghaps.TOOLS, *lessons.TOOLS)
