"""The kinds of fields of actions, one function for each: `cover: int = fields.whole("Cover", 0, 3)`.

Each function takes the description of the option in slash commands and forms, and any of `called`, `fact` and
`was` of `bot.actions.Kind` and `needed` of `TableKind`. A game has its own functions for things that only it
has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from bot.actions import Kind, declared
from bot.lists.files import MAX_BYTES
from bot.table.asking import offering
from bot.table.asking.kinds import (
    Asking,
    ByHand,
    Grade,
    Listed,
    Mark,
    Names,
    Number,
    Numbers,
    OneOf,
    Suggested,
    Switch,
    Text,
    Token,
)
from bot.table.asking.server_kinds import (
    Attached,
    CampaignKind,
    Crews,
    Games,
    ListFile,
    PersonKind,
    Pictured,
    ServerChannels,
)
from bot.table.asking.table_kinds import Among, Models, SeveralModels, SeveralSought, Sides, Sought
from bot.table.game import Game

T = TypeVar("T")

MAX_TEXT_LENGTH = 100
MAX_INCHES = 200


# ------------------------------------------------------------------------------------ plain


def whole(about: str, least: int | None, most: int | None, *, default: int | None = None, **more: Any) -> Any:
    """Return a whole number; None where it is not said, unless there is a default."""
    return declared(Number(wire=int, help=about, least=least, most=most, **more), default)


def inches(
    about: str, least: float = 0, most: float = MAX_INCHES, *, default: float | None = None, **more: Any
) -> Any:
    """Return a distance in inches; None where it is not said, unless there is a default."""
    return declared(Number(wire=float, help=about, least=least, most=most, **more), default)


def numbers(about: str, what: str, most: int, **more: Any) -> Any:
    """Declare whole numbers with spaces or commas: a tuple, empty if it is left out."""
    return declared(Numbers(wire=tuple[int, ...], help=about, what=what, most=most, **more), ())


def switch(about: str, *, default: bool = False, **more: Any) -> Any:
    """Declare yes or no; no if it is left out, unless there is a default."""
    return declared(Switch(wire=bool, help=about, **more), default)


def mark(about: str, word: str, **more: Any) -> Any:
    """Declare yes or no, with yes written as a word; no if it is left out."""
    return declared(Mark(help=about, word=word, **more), "")


def grade(about: str, grades: Mapping[str, int], *, default: int = 0, **more: Any) -> Any:
    """Return a number that is said by one of a few words."""
    return declared(Grade(wire=int, help=about, grades=grades, choices=tuple(grades), **more), default)


def token(about: str, **more: Any) -> Any:
    """Return whether a token is spent for a better chance; odds are told without it and with it."""
    return declared(Token(wire=bool, help=about, **more), False)


def by_hand() -> Any:
    """Return the names of the facts that were entered although the board measures them: a tuple.

    This is only needed for facts that keep their value if the player leaves them out.
    """
    return declared(ByHand(wire=tuple[str, ...], any_order=1, fact=True), ())


def odds(about: str = "See the odds", **more: Any) -> Any:
    """Return whether only the chances are asked, for the person who asks alone."""
    return declared(Switch(wire=bool, help=about, **more), False)


def text(about: str, longest: int | None = MAX_TEXT_LENGTH, *, default: str = "", **more: Any) -> Any:
    """Return a text field; "" by default. notation: signs of its own language stay in it."""
    return declared(Text(help=about, most=longest, **more), default)


def words(about: str, names: Names, *, default: str = "", **more: Any) -> Any:
    """Declare words, some of which are suggested; empty if it is left out."""
    return declared(Suggested(help=about, names=names, **more), default)


def listed(about: str, names: Names, **more: Any) -> Any:
    """Return several words with commas between them, of which some are suggested: a tuple."""
    return declared(Listed(wire=tuple[str, ...], help=about, names=names, **more), ())


def word_of(about: str, words: Sequence[str], *, default: str = "", **more: Any) -> Any:
    """Return one of a few words as it is; empty where nothing is said, unless there is a default."""
    same_words = {word: word for word in words}
    return declared(
        OneOf(help=about, words=same_words, choices=tuple(same_words), checked=False, **more), default
    )


def one_of(about: str, words: Mapping[str, Any] | Sequence[str], *, default: Any = None, **more: Any) -> Any:
    """Return one of a few words, or its value; None if it was left out and has no default."""
    values_by_word = dict(words) if isinstance(words, Mapping) else {word: word for word in words}
    return declared(OneOf(help=about, words=values_by_word, choices=tuple(values_by_word), **more), default)


def unordered(each: int = 1, **more: Any) -> Any:
    """Declare whole numbers that buttons fill in, `each` of them for one thing, in any order."""
    return declared(Kind(wire=tuple[int, ...], any_order=each, **more), ())


# ------------------------------------------------------------------------------------ on the table


def among(
    about: str,
    things: Callable[[Asking], Sequence[T]],
    named: Callable[[T], str] = str,
    *,
    note: Callable[[T], str] = lambda thing: "",
    **more: Any,
) -> Any:
    """Return one of the things that there are, by name; None where nothing is said."""
    kind: Among[T] = Among(help=about, things=things, named=named, note=note, **more)
    return declared(kind, None)


def model(about: str, names: Names = offering.any_model, **more: Any) -> Any:
    """Return a model in play, as its row, or as its `view`; any is offered, or those of `names`."""
    return declared(Models(help=about, names=names, **more), None)


def own_model(about: str, names: Names = offering.own_model, **more: Any) -> Any:
    """Return a model in play, those of the person who asks offered first, or those of `names`."""
    return model(about, names, **more)


def foe(about: str, names: Names = offering.foe, **more: Any) -> Any:
    """Return a model in play.

    Suggestions begin with models that are not friends of the acting model, or are those of `names`.
    """
    return model(about, names, **{"against": True, **more})


def gone_model(about: str, **more: Any) -> Any:
    """Return a model that left play."""
    return model(about, offering.gone_model, gone=True, **more)


def model_by_number(**more: Any) -> Any:
    """Return a model that buttons name by its number alone; None for 0."""
    return declared(Models(wire=int, **more), 0)


def models_by_number(**more: Any) -> Any:
    """Return models that buttons and menus name by their numbers alone: a tuple."""
    return declared(SeveralModels(wire=tuple[int, ...], **more), ())


def models(about: str, names: Names = offering.several_models, **more: Any) -> Any:
    """Return several models with commas between them: a tuple. wire=str: written as one text."""
    return declared(SeveralModels(**{"wire": tuple[str, ...], "help": about, "names": names, **more}), ())


def sought(
    about: str, names: Names, find: Callable[[Asking, str], Any], *, unsaid: str | None = None, **more: Any
) -> Any:
    """Return what the table finds by its own reading of words; None where nothing is said. See `Sought`.

    names: what is suggested; `nothing` for a little language of its own. unsaid: words that are meant where
    nothing is said.
    """
    return declared(Sought(help=about, names=names, find=find, **more), unsaid)


def several(about: str, names: Names, find: Callable[[Asking, str], Any], **more: Any) -> Any:
    """Declare several things that the table finds by words with commas: a tuple. wire=str: one text."""
    kind = SeveralSought(**{"wire": tuple[str, ...], "help": about, "names": names, "find": find, **more})
    return declared(kind, ())


def side(about: str, **more: Any) -> Any:
    """Return a side, as its row. mine=True: only who plays on it may name it."""
    return declared(Sides(help=about, **more), None)


# ------------------------------------------------------------------------------------ elsewhere


def own_crew(about: str, **more: Any) -> Any:
    """Return a field for a crew of the server, with the person's own first: its scope, or 0."""
    return declared(Crews(wire=int, help=about, mine=True, **more), 0)


def crew(about: str, **more: Any) -> Any:
    """Return a crew of the server: the number of its scope, 0 for none."""
    return declared(Crews(wire=int, help=about, **more), 0)


def campaign(about: str, **more: Any) -> Any:
    """Return a campaign of the server: the number of its scope. running=False: 0 where none is named."""
    return declared(CampaignKind(wire=int, help=about, **more), 0)


def channel(about: str, **more: Any) -> Any:
    """Return a channel or thread of the server by Discord's number, 0 for none."""
    return declared(ServerChannels(wire=int, help=about, **more), 0)


def system(about: str = "Game", *, meant: Callable[[Game], bool] = lambda game: True, **more: Any) -> Any:
    """Return a game by its key, Counterblast where none is said."""
    return declared(Games(help=about, meant=meant, **more), "counterblast")


def attached(about: str, most_bytes: int, **more: Any) -> Any:
    """Return the text of a file; empty where none is attached."""
    return declared(Attached(help=about, most=most_bytes, **more), "")


def list_file(about: str, **more: Any) -> Any:
    """Return a list of models as neutral JSON; empty where no file is attached."""
    return declared(ListFile(help=about, most=MAX_BYTES, what="A list", **more), "")


def pictured(about: str, **more: Any) -> Any:
    """Return the hash of a picture that is attached, made small and kept; empty where none is."""
    return declared(Pictured(help=about, most=None, **more), "")


def person(about: str, **more: Any) -> Any:
    """Return a person in the server by Discord's number, 0 for none."""
    return declared(PersonKind(wire=int, help=about, **more), 0)
