"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile


def write_whole(path: str, text: str) -> None:
    """Writes a text to a file, `-` for standard output; OSError if it cannot be.

    A file that was there stays as it was until the new one is complete, and keeps its permissions. What is no plain
    file (a pipe, a terminal) is written to.
    """
    data = text.encode("utf-8")
    if path == "-":
        sys.stdout.flush()
        binary = getattr(sys.stdout, "buffer", None)
        if binary is None:
            sys.stdout.write(text)
        else:
            binary.write(data)
            binary.flush()
        return
    real = os.path.realpath(path)
    if os.path.isdir(real):
        raise IsADirectoryError(21, "Is a directory", path)
    if os.path.exists(real) and not os.path.isfile(real):
        with open(real, "wb") as file:
            file.write(data)
        return
    handle, beside = tempfile.mkstemp(prefix=".conquian-", dir=os.path.dirname(real))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, _permissions(real))
        os.replace(beside, real)
    except BaseException:
        os.unlink(beside)
        raise


def _permissions(path: str) -> int:
    """Those of the file that is there, else those that a new file gets."""
    try:
        return os.stat(path).st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
