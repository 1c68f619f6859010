"""Transcripts: games written down at the table (text) or by programs (JSON), read, checked for form,
written."""
