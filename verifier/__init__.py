"""The Z3 side of Conquian: constraints from the same typed rules that give the engine.

circuits, cards, counts     conditions over named truths, sets of cards and numbers that depend on a position
frame, expressions, touching   typed conditions to circuits: the twin of `conquian.engine.expressions`
deck, solver, limits        one long-lived solver for each deck, its seed and its budget
acts, demands, legal        positions and events as questions to it
why, exhaustion             the fewest clauses that forbid an act, confirmed without the solver
layouts, checker            whether cards can be laid out, with a certificate that needs no solver
scripts, claims, second     the same questions as SMT-LIB 2, and a second solver that reads them
scenes, plain, witness      legal melds and demands checked from the typed rules alone
trial                       the same questions decided by trying, with no solver at all

Only `solver` imports Z3.
"""
