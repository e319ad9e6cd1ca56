"""Starts the worker. Does what must be done before its modules are loaded, and nothing else.

Loading makes half a million objects that all stay. The collector would look at them again and again meanwhile, for a
tenth of the start; `worker.serve` switches it on when the daemon is ready.
"""

import gc
import sys

if __name__ == "__main__":
    gc.disable()

    from holdfast.daemon.worker import main

    sys.exit(main(sys.argv[1:]))
