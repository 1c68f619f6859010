"""The Z3 side of Conquian: constraints from the same typed rules that give the engine.

circuits, cards, counts     conditions over named truths, sets of cards and numbers that depend on a position
frame, expressions, touching   typed conditions to circuits: the twin of `conquian.engine.expressions`
deck, solver, limits        one long-lived solver for each deck, its seed and its budget
acts, demands, legal        positions and events as questions to it
why, exhaustion             the fewest clauses that forbid an act, confirmed without the solver
layouts, checker            whether cards can be laid out, with a certificate that needs no solver
joint, worlds, difference   two rule sets over every position of the cards they share: what one allows and the other
                            forbids; difference_clauses puts the questions, replay plays what is found
small_scope, judges         the same for few cards, one act after the other, by the engines alone

Only `solver` imports Z3.
"""
