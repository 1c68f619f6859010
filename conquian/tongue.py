"""Which language the program speaks, and its messages in that language.

Guarantees: English unless another language is asked for, whatever the machine's locale; only the command line looks
at the locale (`of_locale`). While English is spoken no catalogue is read and `gettext` is not imported. A message
without a translation is said in English. A template names its placeholders, and what is put in for them is never
translated or looked at: `tell("{player} passes", player=name)`.

The language belongs to the context (`contextvars`), so that a server can speak several at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, cast, get_args

if TYPE_CHECKING:
    from gettext import NullTranslations

Language = Literal["en", "de", "sv", "es"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
ENGLISH: Final[Language] = "en"

_spoken: ContextVar[Language] = ContextVar("language", default=ENGLISH)


def spoken() -> Language:
    """The language that messages are made in now."""
    return _spoken.get()


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Messages made inside are in this language.

    >>> with speaking("de"):
    ...     print(tell("{player} cannot do that now", player="Ana"))
    Ana kann das jetzt nicht tun
    """
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


def tell(template: str, **values: object) -> str:
    """A message in the language spoken, its placeholders filled in."""
    return _told(template).format(**values)


def tell_n(one: str, many: str, number: int, **values: object) -> str:
    """A message about so many of something; `{number}` is among its placeholders."""
    return _told_n(one, many, number).format(number=number, **values)


def mark(template: str) -> str:
    """The template itself: it stands in the catalogues and is told later."""
    return template


class Saying(NamedTuple):
    """A message that is made now and told whenever it is read, in the language then spoken.

    Two sayings of the same template and values are equal, whatever the language.

    >>> said = later("{player} cannot do that now", player="Ana")
    >>> with speaking("de"):
    ...     print(said)
    Ana kann das jetzt nicht tun
    """

    template: str
    values: tuple[tuple[str, object], ...] = ()
    many: str | None = None
    """The plural, of a message about so many of something; `number` is then among the values."""

    def __str__(self) -> str:
        values = dict(self.values)
        if self.many is None:
            return _told(self.template).format(**values)
        return _told_n(self.template, self.many, cast("int", values["number"])).format(**values)


def later(template: str, **values: object) -> Saying:
    """A message to be told later; what is put in can be such a message itself."""
    return Saying(template, tuple(values.items()))


def later_n(one: str, many: str, number: int, **values: object) -> Saying:
    """A message about so many of something, to be told later."""
    return Saying(one, (("number", number), *values.items()), many)


class Listed(NamedTuple):
    """Words and messages with commas between them, told when they are read."""

    parts: tuple[str | Saying, ...]

    def __str__(self) -> str:
        return ", ".join(map(str, self.parts))


class Both(NamedTuple):
    """The same with an `and` between them."""

    parts: tuple[str | Saying, ...]

    def __str__(self) -> str:
        return both([str(part) for part in self.parts])


def either(words: Sequence[str]) -> str:
    """`a`, `a or b`, `a or b or c`."""
    return _joined(words, tell("{first} or {second}", first="{}", second="{}"))


def both(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a and b and c`."""
    return _joined(words, tell("{first} and {second}", first="{}", second="{}"))


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return words[0] if len(words) == 1 else both([", ".join(words[:-1]), words[-1]])


def _joined(words: Sequence[str], pattern: str) -> str:
    between = pattern.replace("{}", "")
    return between.join(words)


def _told(template: str) -> str:
    language = _spoken.get()
    return template if language == ENGLISH else _catalogue(language).gettext(template)


def _told_n(one: str, many: str, number: int) -> str:
    language = _spoken.get()
    if language == ENGLISH:
        return one if number == 1 else many
    return _catalogue(language).ngettext(one, many, number)


@lru_cache(maxsize=len(LANGUAGES))
def _catalogue(language: Language) -> NullTranslations:
    from conquian.catalogue import catalogue

    return catalogue(language)


# ---- the choice of a language


def language_of(text: str) -> Language | None:
    """The language that a name means: `de`, `de_AT.UTF-8`, `DE`; None for one that the program does not speak."""
    word = text.split(".")[0].split("@")[0].replace("-", "_").split("_")[0].lower()
    return next((language for language in LANGUAGES if language == word), None)


def of_locale(environment: Mapping[str, str]) -> Language:
    """The language of a locale, as gettext finds it.

    The first of LC_ALL, LC_MESSAGES, LANG that is set names the locale. Where it is `C` or `POSIX`, English is spoken;
    else the languages of LANGUAGE count first, in order, then the locale's own. English if none of them is known.
    """
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((value for name in names if (value := environment.get(name))), "")
    if locale in ("C", "POSIX"):
        return ENGLISH
    wanted = [*environment.get("LANGUAGE", "").split(":"), locale]
    for name in wanted:
        found = language_of(name)
        if found is not None:
            return found
    return ENGLISH
