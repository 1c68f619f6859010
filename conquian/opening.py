"""Why a file could not be read or written, in the language spoken.

Guarantees: what an operating system says in English of the usual failures is a message of the catalogues; anything
rarer is said in its own words.
"""

from __future__ import annotations

import errno

from conquian.tongue import Saying, later

_REASONS = {
    errno.ENOENT: later("No such file or directory"),
    errno.EISDIR: later("Is a directory"),
    errno.ENOTDIR: later("Not a directory"),
    errno.EACCES: later("Permission denied"),
    errno.EPERM: later("Operation not permitted"),
    errno.ENAMETOOLONG: later("File name too long"),
    errno.ENOSPC: later("No space left on device"),
    errno.EROFS: later("Read-only file system"),
}


def reason_of(error: OSError | ValueError, otherwise: Saying) -> Saying | str:
    """What went wrong with a file; `otherwise` where the error does not say."""
    if not isinstance(error, OSError):
        return otherwise
    known = _REASONS.get(error.errno or 0)
    return known or error.strerror or otherwise


def unreadable(error: OSError | ValueError) -> str:
    """Why a file could not be read."""
    return str(reason_of(error, later("cannot be read")))


def unwritable(error: OSError | ValueError) -> str:
    """Why a file could not be written."""
    return str(reason_of(error, later("cannot be written")))
