"""`force`: can this card be forced, and what would follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from conquian.commands.described import Described, described
from conquian.commands.given import form_among, steps_of
from conquian.commands.options import Cards, CertificateFile, Format, Limit, Readings, RulesOption
from conquian.commands.writing import answered, certify

if TYPE_CHECKING:
    from conquian.questions import Answer


@described()
def force(
    rules: RulesOption = None,
    reading: Readings = None,
    *,
    here: Described,
    prove: Annotated[
        bool, typer.Option("--prove", help="add the proof: a layout, or the fewest clauses that rule it out")
    ] = False,
    budget: Limit = None,
    certificate: CertificateFile = None,
    cards: Cards = None,
    form: Format = "text",
) -> None:
    """Can this card be forced, and what would follow.

    With --prove the JSON gets `proof`. Of a yes: `demand` (the clause that permits it), `layout` (the table with the
    card), `follows` (by card thrown, the cards that win at once and the pairs that win in turn). Of a no: `core`,
    `clauses`, `facts`, `needs`, `but_for`, as `legal --why` has them. Of an unknown: `missing`, each part with a
    completion for either answer. `checked` says by what. What the budget does not decide is `undecided`, exit 3.

    Example: conquian force --rules swedish --up Kh --table "3c 3d 3h 3s, 6h 7h Jh Qh" --hand "Ah Ad"
    """
    from conquian.forcing import force as answer

    form_among(form, "text", "json")

    def ask() -> Answer:
        asked = here.question(rules, reading, cards)
        steps = steps_of(budget)

        def told() -> Answer:
            return answer(asked, prove, steps, rules or "")

        found = told()
        if certificate is not None:
            from conquian.certifying import force_certificate

            certify(
                certificate, found, told, lambda said: force_certificate(asked, rules, prove, steps, said)
            )
        return found

    answered(form, ask)
