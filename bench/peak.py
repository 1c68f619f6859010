"""Runs `conquian` with the arguments after the first and writes its peak memory, in kilobytes, to that file.

The peak is what the kernel has seen of this very process since it began (`VmHWM`), so that nothing of who
started it counts.
"""

from __future__ import annotations

import sys
from pathlib import Path


def peak() -> int:
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    except OSError:
        from resource import RUSAGE_SELF, getrusage

        most = getrusage(RUSAGE_SELF).ru_maxrss
        return most // 1024 if sys.platform == "darwin" else most


def main() -> None:
    from conquian.cli import run

    to = sys.argv.pop(1)
    sys.argv[0] = "conquian"
    try:
        run()
    finally:
        Path(to).write_text(str(peak()), encoding="ascii")


if __name__ == "__main__":
    main()
