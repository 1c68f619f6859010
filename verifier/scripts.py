"""Questions as SMT-LIB 2, for any solver: Booleans, conjunctions and equalities, nothing that only one of them has.

A whole question numbers its nodes anew, in the order of the graph, so that its text is the same whenever the graph
was built by the same steps. Free of Z3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from conquian.verifier.circuits import TRUE, Circuit, Circuits

Found = Literal["sat", "unsat", "unknown"]


class Script(NamedTuple):
    """A question to a solver: what it asks in words, its text, the answer that is claimed."""

    name: str
    text: str
    expected: Found


def smt(circuit: Circuit) -> str:
    if abs(circuit) == 1:
        return "true" if circuit == TRUE else "false"
    return f"n{circuit}" if circuit > 0 else f"(not n{-circuit})"


def script(circuits: Circuits, nodes: Sequence[int], facts: Sequence[Circuit] = ()) -> str:
    """Nodes, parts before wholes, and facts as SMT-LIB 2: a conjunction is a constant that equals that of its parts.

    Complete, and so a question for any solver, when `nodes` are all that are under the facts.
    """
    lines = []
    for node in nodes:
        lines.append(f"(declare-const n{node} Bool)")
        parts = circuits.parts.get(node)
        if parts is not None:
            lines.append(f"(assert (= n{node} (and {' '.join(map(smt, parts))})))")
    lines.extend(f"(assert {smt(x)})" for x in facts)
    return "\n".join(lines)


def exported(circuits: Circuits, facts: Iterable[Circuit], notes: Mapping[Circuit, str] | None = None) -> str:
    """Whether all facts can hold together, as one complete script that ends with `(check-sat)`.

    `notes` are told as comments beside the facts; variables have their names beside them.
    """
    asked = list(dict.fromkeys(x for x in facts if x != TRUE))
    nodes = circuits.under(asked, set())
    place = {node: number for number, node in enumerate(nodes, 2)} | {1: 1}

    def told(circuit: Circuit) -> str:
        return smt(place[abs(circuit)] * (1 if circuit > 0 else -1))

    lines = ["(set-info :smt-lib-version 2.6)", "(set-logic QF_UF)"]
    for node in nodes:
        parts = circuits.parts.get(node)
        if parts is None:
            lines.append(f"(declare-const n{place[node]} Bool) ; {_line(circuits.names[node])}")
        else:
            lines.append(f"(define-fun n{place[node]} () Bool (and {' '.join(map(told, parts))}))")
    for fact in asked:
        note = (notes or {}).get(fact)
        lines.append(f"(assert {told(fact)})" + (f" ; {_line(note)}" if note else ""))
    return "\n".join([*lines, "(check-sat)", ""])


def _line(text: str) -> str:
    return " ".join(text.split())
