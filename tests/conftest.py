"""Property tests draw the same examples in every continuous-integration run, and new ones at the desk."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("fixed", derandomize=True, print_blob=True)
if os.environ.get("CI"):
    settings.load_profile("fixed")
