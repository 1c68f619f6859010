"""Cards and the four notations in which a table writes them down (contract: notation, section 1).

Guarantees: a card has one name inside the program, its French form: a rank of `A 2 … 10 J Q K`, then a
lower-case suit letter of `c d h s` (`7s`, `10h`, `Kd`). Reading a card gives that name or a `BadCard` that
says what is wrong; writing gives a text that reads back as the same card, or a `NoForm`. Nothing here
raises, and nothing here knows which cards a deck has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Final, Literal, cast

from msgspec import Struct

from conquian.tongue import mark, tell

# fmt: off
Card = Literal[
    "Ac", "2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c", "10c", "Jc", "Qc", "Kc",
    "Ad", "2d", "3d", "4d", "5d", "6d", "7d", "8d", "9d", "10d", "Jd", "Qd", "Kd",
    "Ah", "2h", "3h", "4h", "5h", "6h", "7h", "8h", "9h", "10h", "Jh", "Qh", "Kh",
    "As", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "10s", "Js", "Qs", "Ks",
]
"""A card by its French name."""

Held = Literal[
    "Ac", "2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c", "10c", "Jc", "Qc", "Kc",
    "Ad", "2d", "3d", "4d", "5d", "6d", "7d", "8d", "9d", "10d", "Jd", "Qd", "Kd",
    "Ah", "2h", "3h", "4h", "5h", "6h", "7h", "8h", "9h", "10h", "Jh", "Qh", "Kh",
    "As", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "10s", "Js", "Qs", "Ks",
    "?",
]
"""A card, or `?` for one that nobody recorded."""
# fmt: on

Rank = Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
Suit = Literal["c", "d", "h", "s"]
Notation = Literal["french", "spanish", "german", "swedish"]

RANKS: Final[tuple[Rank, ...]] = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final[tuple[Suit, ...]] = ("c", "d", "h", "s")
NOTATIONS: Final[tuple[Notation, ...]] = ("french", "spanish", "german", "swedish")
CARDS: Final[tuple[Card, ...]] = tuple(cast(Card, rank + suit) for suit in SUITS for rank in RANKS)
"""All 52 cards, clubs first, ace to king in each suit."""
CARD_SET: Final[frozenset[str]] = frozenset(CARDS)
HELD_SET: Final[frozenset[str]] = CARD_SET | {"?"}
SYMBOLS: Final[dict[Suit, str]] = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
UNKNOWN: Final = "?"

_PLAIN: Final[dict[Rank, str]] = {rank: rank for rank in RANKS}

# What is written first, then the other ways that are read.
_RANKS: Final[dict[Notation, dict[Rank, tuple[str, ...]]]] = {
    "french": {**{r: (r,) for r in RANKS}, "A": ("A", "1"), "10": ("10", "T")},
    "spanish": {
        **{r: (r,) for r in RANKS[1:9]},
        "A": ("1", "A"),
        "J": ("10", "S"),
        "Q": ("11", "C"),
        "K": ("12", "R"),
    },
    "german": {**{r: (r,) for r in RANKS}, "J": ("B",), "Q": ("D",)},
    "swedish": {**{r: (r,) for r in RANKS}, "A": ("E", "A"), "J": ("Kn",), "Q": ("D",)},
}
_SUITS: Final[dict[Notation, dict[Suit, tuple[str, ...]]]] = {
    "french": {"c": ("c", "♣"), "d": ("d", "♦"), "h": ("h", "♥"), "s": ("s", "♠")},
    "spanish": {"c": ("b",), "d": ("o",), "h": ("c",), "s": ("e",)},
    "german": {"c": ("kr", "♣"), "d": ("ka", "♦"), "h": ("he", "♥"), "s": ("pi", "♠")},
    "swedish": {"c": ("kl", "♣"), "d": ("ru", "♦"), "h": ("hj", "♥"), "s": ("sp", "♠")},
}
HERE: Final = mark("here")
_FORMS: Final[dict[Notation, str]] = {
    "french": mark("a card is a rank (A 2 … 10 J Q K) and a suit (c d h s), like 7s or 10h"),
    "spanish": mark(
        "a card is a rank (1 … 9, 10 sota, 11 caballo, 12 rey) and a suit (o c e b), like 7e or 12o"
    ),
    "german": mark("a card is a rank (A 2 … 10 B D K) and a suit (kr ka he pi), like 7pi or Bkr"),
    "swedish": mark("a card is a rank (E 2 … 10 Kn D K) and a suit (kl ru hj sp), like 7sp or Knkl"),
}


class BadCard(Struct, frozen=True):
    """A text that is no card in its notation. `hint` says what to write instead."""

    text: str
    notation: Notation
    message: str
    hint: str


class NoForm(Struct, frozen=True):
    """A card that a notation cannot write: the French 10 in Spanish, where 10 is the sota."""

    card: Card
    notation: Notation
    message: str


@cache
def forms(notation: Notation) -> dict[str, Card]:
    """Every way to write a card in a notation, in small letters, with the card it means."""
    return {
        (rank_text + suit_text).lower(): cast(Card, rank + suit)
        for rank, rank_texts in _RANKS[notation].items()
        for suit, suit_texts in _SUITS[notation].items()
        for rank_text in rank_texts
        for suit_text in suit_texts
    }


def rank_of(card: Card) -> Rank:
    """The rank of a card: `10h` is a `10`."""
    return cast(Rank, card[:-1])


def suit_of(card: Card) -> Suit:
    """The suit letter of a card: `10h` is `h`."""
    return cast(Suit, card[-1])


def read_card(text: str, notation: Notation = "french") -> Card | BadCard:
    """The card that a text means in a notation, letters in either case."""
    if text in CARD_SET and notation == "french":
        return cast(Card, text)
    letters = text[:-1] if text[-1:] in "♣♦♥♠" else text
    found = forms(notation).get(text.lower()) if letters.isascii() else None
    return found if found is not None else bad_card(text, notation)


def bad_card(text: str, notation: Notation = "french") -> BadCard:
    """Say why a text is no card of a notation and what was probably meant."""
    shown = text if len(text) <= 40 else text[:39] + "…"
    if text == UNKNOWN:
        return BadCard(
            text,
            notation,
            tell("'?' cannot stand here: this card has to be named"),
            tell("name the card; '?' may stand only in holds, stock, deck and gives"),
        )
    return BadCard(
        text,
        notation,
        tell("{shown} is no card in {notation} notation", shown=repr(shown), notation=notation),
        _meant(text, notation),
    )


def canonical_hint(text: str) -> str:
    """What to write where only a card's French name may stand, as in JSON."""
    known = forms("french").get(text.lower())
    return tell("write {text}", text=repr(known)) if known is not None else bad_card(text).hint


def _meant(text: str, notation: Notation) -> str:
    from unicodedata import normalize

    plain = normalize("NFKC", text).translate(_LOOKALIKES).lower()
    here = forms(notation)
    for guess in (plain, plain[-1:] + plain[:-1], plain[1:] + plain[:1], plain[2:] + plain[:2]):
        if guess in here:
            return tell("write {text}", text=repr(_first_form(here[guess], notation)))
    for other in NOTATIONS:
        if other != notation and plain in forms(other):
            header = tell(
                "this is {other} notation: the header would have to say 'cards: {other}'", other=other
            )
            return f"{header}; {tell(HERE)} {tell(_FORMS[notation])}"
    return tell(_FORMS[notation])


# White suit signs, the signs that make an emoji of a suit, invisible joiners.
_LOOKALIKES: Final = str.maketrans(
    {"♧": "♣", "♢": "♦", "♡": "♥", "♤": "♠"} | dict.fromkeys("\ufe0e\ufe0f\u200b\u200d\ufeff", "")
)


def _first_form(card: Card, notation: Notation) -> str:
    ranks = _RANKS[notation].get(rank_of(card), (rank_of(card),))
    return ranks[0] + _SUITS[notation][suit_of(card)][0]


def write_card(card: Card, notation: Notation = "french", *, symbols: bool = False) -> str | NoForm:
    """A card as a notation writes it; with `symbols`, its suit as a sign where the notation has signs."""
    rank, suit = rank_of(card), suit_of(card)
    ranks = _RANKS[notation].get(rank)
    if ranks is None:
        return NoForm(
            card,
            notation,
            tell(
                "{card} has no {notation} form: a Spanish 10 is the sota, which stands for the jack",
                card=card,
                notation=notation,
            ),
        )
    suits = _SUITS[notation][suit]
    return ranks[0] + (suits[-1] if symbols else suits[0])


_shown_in: ContextVar[Notation] = ContextVar("notation", default="french")
_signs: ContextVar[bool] = ContextVar("signs", default=False)


@contextmanager
def showing(notation: Notation, signs: bool = False) -> Iterator[None]:
    """Words for people that are made inside write cards in this notation; with `signs`, suits as signs where it has
    them, as pictures draw them."""
    before, signs_before = _shown_in.set(notation), _signs.set(signs)
    try:
        yield
    finally:
        _signs.reset(signs_before)
        _shown_in.reset(before)


def shown_cards(cards: Iterable[str], notation: Notation | None = None) -> str:
    """Cards for people, in a notation (None: the one that `showing` has set); one that it cannot write stays by
    its French name."""
    notation = notation or _shown_in.get()
    signs = _signs.get()
    if notation == "french" and not signs:
        return " ".join(cards)
    return " ".join(_shown(card, notation, signs) for card in cards)


def shown_ranks(ranks: Iterable[str], notation: Notation | None = None) -> list[str]:
    """Ranks for people, in a notation; None as for `shown_cards`."""
    known = {str(rank): texts[0] for rank, texts in _RANKS[notation or _shown_in.get()].items()}
    return [known.get(rank, rank) for rank in ranks]


def _shown(card: str, notation: Notation, signs: bool) -> str:
    if card not in CARD_SET:
        return card
    written = write_card(cast(Card, card), notation, symbols=signs)
    return card if isinstance(written, NoForm) else written


def without_form(ranks: Iterable[str], notation: Notation | None = None) -> list[str]:
    """The ranks that a notation cannot write; None as for `shown_cards`."""
    return [rank for rank in ranks if rank not in _RANKS[notation or _shown_in.get()]]


def first_without_form(ranks: tuple[str, ...], notation: Notation) -> str | None:
    """The first rank of a pack that a notation cannot write, or None if it can write them all."""
    return next(iter(without_form(ranks, notation)), None)
