"""House rules as files of a few lines, and their tests."""
