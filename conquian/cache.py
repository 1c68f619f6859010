"""A per-user store of things that are slow to build from texts: parse tables, compiled rule sets.

Guarantees: `cached` always gives what `build` gives for these texts, and fails only if `build` fails. A
stored file is used only if its name is the digest of everything it was built from, its content carries its
own digest, and it and its directory belong to this user and can be written by nobody else; anything else is
built anew. Writers do not disturb each other: a file is written aside and moved into place whole.

`CONQUIAN_CACHE` names the directory, or is `off`. Files shipped in `conquian/_compiled/` are looked at first.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

try:  # as the standard library does for its own start-up: hashlib brings OpenSSL with it
    from _sha2 import sha256  # type: ignore[import-not-found]
except ImportError:
    try:
        from _sha256 import sha256  # type: ignore[import-not-found]
    except ImportError:
        from hashlib import sha256

FORMAT = b"conquian-cache-1"
LARGEST = 64 * 1024 * 1024
"""Bytes; a larger file is never read."""


def cached(kind: str, texts: Sequence[bytes], build: Callable[[], bytes]) -> bytes:
    """What `build` makes of `texts`, from the store if it has it.

    `kind` names the sort of thing; `texts` must be everything the result depends on, the builder's own
    version too.
    """
    name = key(kind, texts)
    found = _load(os.path.join(shipped(), name), trusted=True)
    if found is not None:
        return found
    place = directory()
    if place is None or not _is_ours(place):
        made = build()
        if place is not None and _make(place):
            _store(place, name, made)
        return made
    found = _load(os.path.join(place, name), trusted=False)
    if found is not None:
        return found
    made = build()
    _store(place, name, made)
    return made


def key(kind: str, texts: Sequence[bytes]) -> str:
    """The file name for a kind and its texts: 64 hexadecimal digits."""
    digest = sha256(FORMAT)
    tag = f"{sys.implementation.name} {sys.implementation.cache_tag} {sys.version}"
    for part in (kind.encode(), tag.encode(), *texts):
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return str(digest.hexdigest())


def directory() -> str | None:
    """The user's cache directory, or None when the cache is off or there is no place for it."""
    chosen = os.environ.get("CONQUIAN_CACHE", "")
    if chosen.lower() == "off":
        return None
    if chosen:
        return os.path.abspath(chosen)
    if os.name == "nt":
        base = os.environ.get("LOCALAPPDATA", "")
    else:
        base = os.environ.get("XDG_CACHE_HOME", "")
        if not os.path.isabs(base):
            home = os.path.expanduser("~")
            base = os.path.join(home, ".cache") if os.path.isabs(home) else ""
    return os.path.join(base, "conquian") if base else None


def shipped() -> str:
    """The folder of files that come with the package; it need not exist."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "_compiled")


def sealed(content: bytes) -> bytes:
    """A content as it is stored: format, digest, content. What `_compiled/` holds is written with this."""
    return FORMAT + bytes(sha256(content).digest()) + content


def _unsealed(stored: bytes) -> bytes | None:
    start = len(FORMAT) + 32
    content = stored[start:]
    return content if len(stored) >= start and sealed(content) == stored else None


def _only_ours(status: os.stat_result) -> bool:
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & 0o022


def _is_ours(place: str) -> bool:
    try:
        return os.path.isdir(place) and _only_ours(os.stat(place))
    except (OSError, ValueError):
        return False


def _make(place: str) -> bool:
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        os.mkdir(place, 0o700)
    except (OSError, ValueError):
        pass  # it may have been made by another process just now
    return _is_ours(place)


def _load(path: str, *, trusted: bool) -> bytes | None:
    # A pipe put in our place must not make us wait, nor a link lead us elsewhere.
    flags = (
        os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    )
    if not trusted:
        flags |= getattr(os, "O_NOFOLLOW", 0)
    try:
        handle = os.open(path, flags)
    except (OSError, ValueError):
        return None
    try:
        with open(handle, "rb") as file:
            status = os.fstat(handle)
            if status.st_mode & 0o170000 != 0o100000 or status.st_size > LARGEST:
                return None
            if not trusted and not _only_ours(status):
                return None
            return _unsealed(file.read(LARGEST))
    except OSError:
        return None


def _store(place: str, name: str, content: bytes) -> None:
    aside = os.path.join(place, f"{name}.{os.getpid()}.{os.urandom(8).hex()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(aside, flags, 0o600)
    except (OSError, ValueError):
        return
    try:
        with open(handle, "wb") as file:
            file.write(sealed(content))
        os.replace(aside, os.path.join(place, name))
    except OSError:
        try:
            os.unlink(aside)
        except OSError:
            return
