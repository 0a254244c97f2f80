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
from bot.store.rows import SideRow
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
from bot.table.names import check_name

T = TypeVar("T")

MAX_TEXT_LENGTH = 100
MAX_INCHES = 200


# ------------------------------------------------------------------------------------ plain


def whole(hint: str, least: int | None, most: int | None, *, default: int | None = None, **extra: Any) -> Any:
    """Return a whole number; None where it is not said, unless there is a default."""
    return declared(Number(wire=int, help=hint, least=least, most=most, **extra), default)


def inches(
    hint: str, least: float = 0, most: float = MAX_INCHES, *, default: float | None = None, **extra: Any
) -> Any:
    """Return a distance in inches; None where it is not said, unless there is a default."""
    return declared(Number(wire=float, help=hint, least=least, most=most, **extra), default)


def numbers(hint: str, noun: str, max_count: int, **extra: Any) -> Any:
    """Declare whole numbers with spaces or commas: a tuple, empty if it is left out."""
    return declared(Numbers(wire=tuple[int, ...], help=hint, what=noun, most=max_count, **extra), ())


def switch(hint: str, *, default: bool = False, **extra: Any) -> Any:
    """Declare yes or no; no if it is left out, unless there is a default."""
    return declared(Switch(wire=bool, help=hint, **extra), default)


def mark(hint: str, word: str, **extra: Any) -> Any:
    """Declare yes or no, with yes written as a word; no if it is left out."""
    return declared(Mark(help=hint, word=word, **extra), "")


def grade(hint: str, grades: Mapping[str, int], *, default: int = 0, **extra: Any) -> Any:
    """Return a number that is said by one of a few words."""
    return declared(Grade(wire=int, help=hint, grades=grades, choices=tuple(grades), **extra), default)


def token(hint: str, **extra: Any) -> Any:
    """Return whether a token is spent for a better chance; odds are told without it and with it."""
    return declared(Token(wire=bool, help=hint, **extra), False)


def by_hand() -> Any:
    """Return the names of the facts that were entered although the board measures them: a tuple.

    This is only needed for facts that keep their value if the player leaves them out.
    """
    return declared(ByHand(wire=tuple[str, ...], any_order=1, fact=True), ())


def odds(hint: str = "See the odds", **extra: Any) -> Any:
    """Return whether only the chances are asked, for the person who asks alone."""
    return declared(Switch(wire=bool, help=hint, **extra), False)


def text(hint: str, longest: int | None = MAX_TEXT_LENGTH, *, default: str = "", **extra: Any) -> Any:
    """Return a text field; "" by default. notation: signs of its own language stay in it."""
    return declared(Text(help=hint, most=longest, **extra), default)


def words(hint: str, names: Names, *, default: str = "", **extra: Any) -> Any:
    """Declare words, some of which are suggested; empty if it is left out."""
    return declared(Suggested(help=hint, names=names, **extra), default)


def listed(hint: str, names: Names, **extra: Any) -> Any:
    """Return several words with commas between them, of which some are suggested: a tuple."""
    return declared(Listed(wire=tuple[str, ...], help=hint, names=names, **extra), ())


def word_of(hint: str, words: Sequence[str], *, default: str = "", **extra: Any) -> Any:
    """Return one of a few words as it is; empty where nothing is said, unless there is a default."""
    same_words = {word: word for word in words}
    return declared(
        OneOf(help=hint, words=same_words, choices=tuple(same_words), checked=False, **extra), default
    )


def one_of(hint: str, words: Mapping[str, Any] | Sequence[str], *, default: Any = None, **extra: Any) -> Any:
    """Return one of a few words, or its value; None if it was left out and has no default."""
    values_by_word = dict(words) if isinstance(words, Mapping) else {word: word for word in words}
    return declared(OneOf(help=hint, words=values_by_word, choices=tuple(values_by_word), **extra), default)


def unordered(each: int = 1, **extra: Any) -> Any:
    """Declare whole numbers that buttons fill in, `each` of them for one thing, in any order."""
    return declared(Kind(wire=tuple[int, ...], any_order=each, **extra), ())


# ------------------------------------------------------------------------------------ on the table


def among(
    hint: str,
    things: Callable[[Asking], Sequence[T]],
    name_of: Callable[[T], str] = str,
    *,
    note: Callable[[T], str] = lambda thing: "",
    **extra: Any,
) -> Any:
    """Return one of the things that there are, by name; None where nothing is said."""
    kind: Among[T] = Among(help=hint, things=things, named=name_of, note=note, **extra)
    return declared(kind, None)


def model(hint: str, names: Names = offering.any_model, **extra: Any) -> Any:
    """Return a model in play, as its row, or as its `view`; any is offered, or those of `names`."""
    return declared(Models(help=hint, names=names, **extra), None)


def own_model(hint: str, names: Names = offering.own_model, **extra: Any) -> Any:
    """Return a model in play, those of the person who asks offered first, or those of `names`."""
    return model(hint, names, **extra)


def foe(hint: str, names: Names = offering.foe, **extra: Any) -> Any:
    """Return a model in play.

    Suggestions begin with models that are not friends of the acting model, or are those of `names`.
    """
    return model(hint, names, **{"against": True, **extra})


def gone_model(hint: str, **extra: Any) -> Any:
    """Return a model that left play."""
    return model(hint, offering.gone_model, gone=True, **extra)


def model_by_number(**extra: Any) -> Any:
    """Return a model that buttons name by its number alone; None for 0."""
    return declared(Models(wire=int, **extra), 0)


def models_by_number(**extra: Any) -> Any:
    """Return models that buttons and menus name by their numbers alone: a tuple."""
    return declared(SeveralModels(wire=tuple[int, ...], **extra), ())


def models(hint: str, names: Names = offering.several_models, **extra: Any) -> Any:
    """Return several models with commas between them: a tuple. wire=str: written as one text."""
    return declared(SeveralModels(**{"wire": tuple[str, ...], "help": hint, "names": names, **extra}), ())


def sought(
    hint: str, names: Names, find: Callable[[Asking, str], Any], *, unsaid: str | None = None, **extra: Any
) -> Any:
    """Return what the table finds by its own reading of words; None where nothing is said. See `Sought`.

    names: what is suggested; `nothing` for a little language of its own. unsaid: words that are meant where
    nothing is said.
    """
    return declared(Sought(help=hint, names=names, find=find, **extra), unsaid)


def several(hint: str, names: Names, find: Callable[[Asking, str], Any], **extra: Any) -> Any:
    """Declare several things that the table finds by words with commas: a tuple. wire=str: one text."""
    kind = SeveralSought(**{"wire": tuple[str, ...], "help": hint, "names": names, "find": find, **extra})
    return declared(kind, ())


def side(hint: str, **extra: Any) -> Any:
    """Return a side, as its row. mine=True: only who plays on it may name it."""
    return declared(Sides(help=hint, **extra), None)


def side_or_new_name(hint: str, most_sides: int, **extra: Any) -> Any:
    """Declare a side or, before the game and while there is room, the name of a new one; None for nothing."""

    def resolve(context: Asking, text: str) -> SideRow | str:
        encounter = context.act.encounter
        is_known = any(side.name.casefold() == text.strip().casefold() for side in encounter.sides())
        if is_known or encounter.row.turn or len(encounter.sides()) >= most_sides:
            return encounter.find_side(text)
        return check_name(text, "side's name")

    return sought(hint, offering.any_side, resolve, written=lambda side: side.name, **extra)


# ------------------------------------------------------------------------------------ elsewhere


def own_crew(hint: str, **extra: Any) -> Any:
    """Return a field for a crew of the server, with the person's own first: its scope, or 0."""
    return declared(Crews(wire=int, help=hint, mine=True, **extra), 0)


def crew(hint: str, **extra: Any) -> Any:
    """Return a crew of the server: the number of its scope, 0 for none."""
    return declared(Crews(wire=int, help=hint, **extra), 0)


def campaign(hint: str, **extra: Any) -> Any:
    """Return a campaign of the server: the number of its scope. running=False: 0 where none is named."""
    return declared(CampaignKind(wire=int, help=hint, **extra), 0)


def channel(hint: str, **extra: Any) -> Any:
    """Return a channel or thread of the server by Discord's number, 0 for none."""
    return declared(ServerChannels(wire=int, help=hint, **extra), 0)


def system(hint: str = "Game", *, fits: Callable[[Game], bool] = lambda game: True, **extra: Any) -> Any:
    """Return a game by its key, Counterblast where none is said."""
    return declared(Games(help=hint, meant=fits, **extra), "counterblast")


def attached(hint: str, most_bytes: int, **extra: Any) -> Any:
    """Return the text of a file; empty where none is attached."""
    return declared(Attached(help=hint, most=most_bytes, **extra), "")


def list_file(hint: str, **extra: Any) -> Any:
    """Return a list of models as neutral JSON; empty where no file is attached."""
    return declared(ListFile(help=hint, most=MAX_BYTES, what="A list", **extra), "")


def pictured(hint: str, **extra: Any) -> Any:
    """Return the hash of a picture that is attached, made small and kept; empty where none is."""
    return declared(Pictured(help=hint, most=None, **extra), "")


def person(hint: str, **extra: Any) -> Any:
    """Return a person in the server by Discord's number, 0 for none."""
    return declared(PersonKind(wire=int, help=hint, **extra), 0)
