"""What several tests of pictures look at, made once."""

from __future__ import annotations

import pytest

from conquian.book.contents import Book
from tests.pictures.books import two_readings


@pytest.fixture(scope="session")
def two() -> Book:
    """One set under two readings: all examples of the first, and those of the second that differ."""
    return two_readings()
