"""The rule book of a set, or of two side by side: every clause in words, with its source and an example position.

example, acts, plays   one clause in a position: what an example is, those the solver finds, those the engine finds
matches                what no position shows: the pack, who deals, the ledger of a few deals
contents               the book as data, in no language
telling, composing     its parts in words; the whole as a document
page, markdown         the document as one HTML page and as Markdown
booking                what `conquian book` writes
"""
