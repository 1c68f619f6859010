"""`schema`: the JSON Schema of transcripts."""

from __future__ import annotations

from conquian.commands.writing import write_json


def schema() -> None:
    """The JSON Schema of transcripts.

    Example: conquian schema
    """
    from conquian.transcript.schema import schema as document

    write_json(document())
