"""What a compaction loses (CON-15): probes of eight kinds in long sessions, looked for in the next window."""

from __future__ import annotations

from bench.compaction.measure import arguments, measure
from bench.figures import main

if __name__ == "__main__":
    main(measure, __doc__ or "", "python -m bench.compaction", arguments, sessions=(30, "sessions"))
