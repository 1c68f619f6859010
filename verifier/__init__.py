"""The Z3 side of Conquian: constraints from the same typed rules that give the engine.

circuits, cards, counts     conditions over named truths, sets of cards and numbers that depend on a position
frame, moment, touching     what a condition can speak of: candidates, sets, numbers
expressions                 typed conditions to circuits: the twin of `conquian.engine.expressions`
flow, walking               what of the order of play an event goes against: the twin of `conquian.engine.flow`
deck, solver, limits        one long-lived solver for each deck, its seed and its budget
acts, demands, legal        positions and events as questions to it
events, places, grounds     any event, whatever stands against it, as a question
why, exhaustion, set_up     the fewest clauses and facts that forbid an event or a set-up, confirmed without the solver
forced                      whether a card can be forced, proved
hands                       what a record leaves open of a deal: the witness to counting
layouts, checker            whether cards can be laid out, with a certificate that needs no solver
scripts, claims, second     the same questions as SMT-LIB 2, and a second solver that reads them
scenes, plain, witness      legal melds and demands checked from the typed rules alone
trial                       the same questions decided by trying, with no solver at all
proofs                      what rule sets ask to have proved of themselves: `conquian spec check`
joint, worlds, difference   two rule sets over every position of the cards they share: what one allows and the other
                            forbids; difference_clauses puts the questions, replay plays what is found
small_scope, judges         the same for few cards, one act after the other, by the engines alone

Only `solver` imports Z3.
"""
