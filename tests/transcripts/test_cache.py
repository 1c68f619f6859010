"""The store gives what `build` gives, whatever happens to its files."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from conquian import cache

POSIX = pytest.mark.skipif(os.name == "nt", reason="owners and modes")


class Builder:
    """Counts how often it builds."""

    def __init__(self, made: bytes = b"made") -> None:
        self.made = made
        self.count = 0

    def __call__(self) -> bytes:
        self.count += 1
        return self.made


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CONQUIAN_CACHE", str(tmp_path / "deep" / "store"))
    monkeypatch.setattr(cache, "shipped", lambda: str(tmp_path / "shipped"))
    return tmp_path / "deep" / "store"


def test_built_once_then_found(place: Path) -> None:
    build = Builder()
    for _ in range(3):
        assert cache.cached("kind", [b"a", b"b"], build) == b"made"
    assert build.count == 1
    assert [path.name for path in place.iterdir()] == [cache.key("kind", [b"a", b"b"])]


@POSIX
def test_the_directory_is_private(place: Path) -> None:
    cache.cached("kind", [b"a"], Builder())
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    (file,) = place.iterdir()
    assert not stat.S_IMODE(file.stat().st_mode) & 0o077


def test_other_texts_or_another_kind_have_other_names() -> None:
    keys = [
        cache.key("kind", [b"a", b"b"]),
        cache.key("kind", [b"ab"]),
        cache.key("kind", [b"a", b"b", b""]),
        cache.key("kin", [b"d", b"a", b"b"]),
        cache.key("other", [b"a", b"b"]),
    ]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("damage", [b"", b"x", b"conquian-cache-1", None])
def test_a_damaged_file_is_built_anew(place: Path, damage: bytes | None) -> None:
    cache.cached("kind", [b"a"], Builder())
    (file,) = place.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:-1] if damage is None else damage)
    build = Builder()
    assert cache.cached("kind", [b"a"], build) == b"made"
    assert build.count == 1
    assert file.read_bytes() == whole


def test_a_changed_byte_is_noticed(place: Path) -> None:
    cache.cached("kind", [b"a"], Builder())
    (file,) = place.iterdir()
    whole = file.read_bytes()
    for index in range(len(whole)):
        file.write_bytes(whole[:index] + bytes([whole[index] ^ 1]) + whole[index + 1 :])
        build = Builder()
        assert cache.cached("kind", [b"a"], build) == b"made"
        assert build.count == 1


def test_off_is_off(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONQUIAN_CACHE", "off")
    build = Builder()
    assert cache.cached("kind", [b"a"], build) == cache.cached("kind", [b"a"], build) == b"made"
    assert build.count == 2
    assert not place.exists()


def test_a_place_that_is_no_directory_does_no_harm(place: Path) -> None:
    place.parent.mkdir(parents=True)
    place.write_text("in the way")
    build = Builder()
    assert cache.cached("kind", [b"a"], build) == b"made"
    assert place.read_text() == "in the way"


def test_a_place_below_a_file_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CONQUIAN_CACHE", str(tmp_path / "file" / "store"))
    assert cache.cached("kind", [b"a"], Builder()) == b"made"


@POSIX
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_directory_that_others_can_write_is_ignored(place: Path, mode: int) -> None:
    cache.cached("kind", [b"a"], Builder(b"planted"))
    place.chmod(mode)
    assert cache.cached("kind", [b"a"], Builder()) == b"made"
    assert len(list(place.iterdir())) == 1


@POSIX
def test_a_file_that_others_can_write_is_ignored(place: Path) -> None:
    cache.cached("kind", [b"a"], Builder(b"planted"))
    (file,) = place.iterdir()
    file.chmod(0o666)
    assert cache.cached("kind", [b"a"], Builder()) == b"made"


@POSIX
def test_another_users_directory_is_ignored(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.cached("kind", [b"a"], Builder(b"planted"))
    monkeypatch.setattr(os, "geteuid", lambda: 987_654)
    assert cache.cached("kind", [b"a"], Builder()) == b"made"


@POSIX
def test_links_and_pipes_are_not_followed(place: Path, tmp_path: Path) -> None:
    cache.cached("kind", [b"a"], Builder(b"planted"))
    (file,) = place.iterdir()
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    assert cache.cached("kind", [b"a"], Builder()) == b"made"
    file.unlink()
    os.mkfifo(file)
    assert cache.cached("kind", [b"a"], Builder()) == b"made"


@POSIX
def test_a_full_or_read_only_disk_does_no_harm(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: str, target: str) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", refuse)
    assert cache.cached("kind", [b"a"], Builder()) == b"made"
    assert list(place.iterdir()) == []


def test_shipped_files_come_first(place: Path, tmp_path: Path) -> None:
    (tmp_path / "shipped").mkdir()
    (tmp_path / "shipped" / cache.key("kind", [b"a"])).write_bytes(cache.sealed(b"shipped"))
    build = Builder()
    assert cache.cached("kind", [b"a"], build) == b"shipped"
    assert build.count == 0
    assert not place.exists()


def test_what_build_raises_comes_through(place: Path) -> None:
    def fail() -> bytes:
        raise LookupError("no such rule set")

    with pytest.raises(LookupError):
        cache.cached("kind", [b"a"], fail)


def test_the_directory_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if os.name == "nt":
        return
    monkeypatch.delenv("CONQUIAN_CACHE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.directory() == str(tmp_path / "xdg" / "conquian")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache.directory() == str(tmp_path / ".cache" / "conquian")
    monkeypatch.setenv("CONQUIAN_CACHE", str(tmp_path / "mine"))
    assert cache.directory() == str(tmp_path / "mine")
    monkeypatch.setenv("CONQUIAN_CACHE", "OFF")
    assert cache.directory() is None


def test_two_processes_at_once(place: Path) -> None:
    program = (
        "import sys\nfrom conquian.cache import cached\n"
        "for turn in range(200):\n"
        "    made = bytes([turn]) * 50_000\n"
        "    assert cached('kind', [bytes([turn])], lambda: made) == made\n"
    )
    root = str(Path(cache.__file__).resolve().parent.parent)
    environment = os.environ | {"PYTHONPATH": root, "CONQUIAN_CACHE": str(place)}
    running = [subprocess.Popen([sys.executable, "-c", program], env=environment) for _ in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    assert len(list(place.iterdir())) == 200
