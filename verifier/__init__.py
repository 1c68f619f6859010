"""The Z3 side of Conquian: constraints from the same typed rules that give the engine.

circuits, cards, counts     conditions over named truths, sets of cards and numbers that depend on a position
frame, expressions, touching   typed conditions to circuits: the twin of `conquian.engine.expressions`
deck, solver, limits        one long-lived solver for each deck, its seed and its budget
acts, demands, legal        positions and events as questions to it
why, exhaustion             the fewest clauses that forbid an act, confirmed without the solver
layouts, checker            whether cards can be laid out, with a certificate that needs no solver
proofs                      what rule sets ask to have proved of themselves: `conquian spec check`

Only `solver` imports Z3.
"""
