"""Property tests draw the same examples in every continuous-integration run, and new ones at the desk."""

from __future__ import annotations

import os

from hypothesis import settings

# Whoever runs the tests, the program speaks English; tests of other languages say so.
for name in ("LANGUAGE", "LC_MESSAGES"):
    os.environ.pop(name, None)
os.environ["LC_ALL"] = "C.UTF-8"

settings.register_profile("fixed", derandomize=True, print_blob=True)
if os.environ.get("CI"):
    settings.load_profile("fixed")
