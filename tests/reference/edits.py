"""Every kind of one-edit mutant of a game: some become illegal, some stay legal, all must be judged alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from random import Random
from typing import Any

from . import edit_events, edit_setup
from .edit_common import Edit, Game
from .settings import settings_for

EDITS: tuple[Edit, ...] = (
    edit_events.drop_event,
    edit_events.double_event,
    edit_events.swap_events,
    edit_events.cut_short,
    edit_events.other_player,
    edit_events.other_receiver,
    edit_events.other_verb,
    edit_events.other_card,
    edit_events.foreign_card,
    edit_events.other_card_in_meld,
    edit_events.card_between_melds,
    edit_events.shorter_meld,
    edit_events.longer_meld,
    edit_events.meld_left_out,
    edit_events.meld_cut_in_two,
    edit_events.other_layout,
    edit_events.own_hand_card_melded,
    edit_events.demand_put_in,
    edit_events.named_demand_put_in,
    edit_events.demand_taken_out,
    edit_events.demand_changed,
    edit_events.arranging_put_in,
    edit_events.gift_put_in,
    edit_events.gift_hidden,
    edit_events.gift_taken_out,
    edit_events.claim_changed,
    edit_events.extra_event,
    edit_setup.other_hand_card,
    edit_setup.hand_cards_hidden,
    edit_setup.hand_cards_left_out,
    edit_setup.hands_unknown,
    edit_setup.hand_cards_exchanged,
    edit_setup.hand_too_long,
    edit_setup.hand_sizes_recorded,
    edit_setup.starter_changed,
    edit_setup.stock_recorded,
    edit_setup.stock_wrong,
    edit_setup.deck_recorded,
    edit_setup.reading_changed,
    edit_setup.rules_changed,
    edit_setup.dealer_changed,
    edit_setup.melds_reordered,
    edit_setup.melds_listed_whole,
)


def one_edit_mutations(game: Mapping[str, Any], random: Random) -> Iterator[Game]:
    """One mutant of each kind that the game allows; `tags.edit` names the kind."""
    for edit in EDITS:
        mutant: Game = deepcopy(dict(game))
        deal = random.choice(mutant["deals"])
        for _ in edit(mutant, deal, settings_for(mutant["rules"], mutant.get("readings")), random):
            mutant["tags"] = {**(mutant.get("tags") or {}), "edit": edit.__name__}
            yield mutant


def mutants(game: Mapping[str, Any], random: Random, edits: int) -> Iterator[Game]:
    """Mutants after several edits in a row, one of them each time."""
    for _ in range(edits):
        made = list(one_edit_mutations(game, random))
        game = random.choice(made)
        yield deepcopy(dict(game))
