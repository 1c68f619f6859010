"""The rule book of a set, or of two side by side: every clause in words, with its source and an example position.

example, acts, plays   one clause in a position: what an example is, those the solver finds, those the engine finds
contents, comparing    the book as data; where two sets differ
page, markdown         the book as one HTML page and as Markdown
booking                what `conquian book` writes
"""
