"""The package of another environment, asked over pipes: one whose engine was compiled.

Run as a script there: `elsewhere.py`, then a line of JSON on standard input for each file to be validated, answered by
the processor time that it took. `compiled` is the other end of the pipes.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

COMPILED = "BENCH_COMPILED"
"""The variable that names the other environment's Python."""


class Elsewhere:
    """A process of the other environment."""

    def __init__(self, python: str) -> None:
        self._process = subprocess.Popen(
            [python, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )
        if "play.py" in self._answer():
            raise RuntimeError(f"the engine of {python} is not compiled")

    def seconds(self, path: Path) -> float:
        """The processor time of validating a file of games, one a line, up to the verdicts."""
        self._pipe(self._process.stdin).write(json.dumps(str(path)) + "\n")
        self._pipe(self._process.stdin).flush()
        return float(self._answer())

    def close(self) -> None:
        self._pipe(self._process.stdin).close()
        self._process.wait()

    def _answer(self) -> str:
        return self._pipe(self._process.stdout).readline()

    @staticmethod
    def _pipe(pipe: IO[str] | None) -> IO[str]:
        assert pipe is not None
        return pipe


@contextmanager
def compiled() -> Iterator[Elsewhere | None]:
    """A process whose engine is compiled; None where there is no such environment."""
    python = os.environ.get(COMPILED)
    if not python or not Path(python).exists():
        yield None
        return
    found = Elsewhere(python)
    try:
        yield found
    finally:
        found.close()


def main() -> None:
    import conquian.engine.play
    from conquian.batch import Batch

    print(conquian.engine.play.__file__, flush=True)
    batch = Batch(None, {}, False)
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        path = Path(json.loads(line))
        gc.collect()
        start = time.process_time()
        with path.open("rb") as file:
            for _ in batch.lines(file, path.name):
                pass
        print(time.process_time() - start, flush=True)


if __name__ == "__main__":
    main()
