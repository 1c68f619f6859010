"""Pictures of positions and pages about games.

`scene` says what a picture shows, `words` says it in sentences; `svg` and `terminal` draw it. `story` makes frames
of a recorded game and `page` an HTML page of them. Nothing here decides what is legal.
"""
