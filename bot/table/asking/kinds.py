"""Plain kinds of fields: numbers, switches, words, one of a few words.

`bot.actions.Kind` says what every kind can do. The kinds of the table also read what was written and offer
choices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, cast

from bot.actions import Kind, Raw
from bot.table.board.surface import has_board
from rules.refusals import InvalidInput, Missing

if TYPE_CHECKING:
    from bot.table.act import Act, ActView
    from bot.table.board.facts import Fact

MAX_CHOICES = 25
"""Words that Discord lists with an option; where there are more they are suggested."""


MAX_NUMBER_LENGTH = 6
"""Digits that no number typed among others has."""

MAX_OFFER_LENGTH = 100
"""Characters of a suggestion that Discord takes; a longer one would be another when it comes back."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A possible value of a field: as it is written, as a person reads it, and what to know about it."""

    value: Raw
    label: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Asking:
    """A field while it is read or suggested: the person, the place, its name, and the fields before it.

    so_far: the values that the fields before it were read into, None for one that was left out or not
    understood. typed: the text in the field so far, for suggestions. kept: the action was asked by a person
    who may ask it and has waited since; another person may carry it on.
    """

    act: ActView
    called: str
    so_far: Mapping[str, Any] = field(default_factory=dict)
    typed: str = ""
    kept: bool = False

    def before(self, name: str, noun: str = "") -> Any:
        """Return what a field that stands before it was read into. Raises InvalidInput where that is nothing.

        noun: a word for it, where that is not its name.
        """
        value = self.so_far.get(name)
        if value is None:
            raise Missing(f"Choose the {noun or name} first.")
        return value


Names = Callable[[Asking], Iterable[Offer | str]]
"""What is suggested, likeliest first, as far as the person who asks may know it."""


def nothing(context: Asking) -> Iterable[Offer | str]:
    """Return no suggestions."""
    return ()


def sayable(names: Iterable[Offer | str]) -> list[Offer]:
    """Return the suggestions that can be entered as an option."""
    offers = [name if isinstance(name, Offer) else Offer(name, name) for name in names]
    return [offer for offer in offers if 0 < len(str(offer.value)) <= MAX_OFFER_LENGTH]


_NO_ACT = cast("Act", None)
"""For what does not ask the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableKind(Kind):
    """A kind that the table reads. choices: the few words of which one is said; empty for any.

    least, most: bounds of a number, or of the length of a text; None for none. needed: a slash command does
    not go without it. notation: the signs of a text have a meaning and stay; elsewhere those that format go.
    behind: how far behind the other options of a slash command it stands, 0 for its own place. wanted: it
    need not be said, but mostly is: forms fill it in. freely: often something else is meant than what is
    suggested. labelled: what a form calls it where its name does not say it.
    against: it is done to an enemy, so that forms fill no friend in. helps: it is done for a friend, so that
    they fill no enemy in. alone: where only one thing is offered,
    it is meant, and no form asks for it. joins: the sign between several, empty where only one is
    said; a comma is read wherever several are. measures: what a board measures for it, which is meant where
    nothing is said; it gives None without a board. begun: a form begins with the first value that is offered.
    pointed: how it is pointed out on the page's board: "route" by dragging the model, "spot" by a tap,
    "spots" by a tap for each place.
    """

    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    needed: bool = False
    notation: bool = False
    behind: int = 0
    wanted: bool = False
    freely: bool = False
    labelled: str = ""
    against: bool = False
    helps: bool = False
    alone: bool = False
    joins: str = ""
    measures: Callable[[Asking], Fact | None] | None = None
    begun: bool = False
    pointed: str = ""

    asks_table: ClassVar[bool] = False
    """Whether the table decides what is meant where nothing is said."""
    on_board: ClassVar[bool] = False
    """Whether it means something on a shared board alone, so that no form shows it without one."""

    def typed(self, text: Any) -> Any:
        """Return what was said in an option, in the form of the field."""
        return text

    def read(self, raw: Raw, context: Asking) -> Any:
        """Return the thing that was written. Raises InvalidInput, Forbidden."""
        return raw

    def unsaid(self, default: Any, context: Asking) -> Any:
        """Return the thing that is meant where nothing was said."""
        return default

    def always_meant(self, default: Any) -> tuple[Any, ...]:
        """See `Kind.always_meant`: by `unsaid`, where that does not ask the table."""
        is_asked = self.needed or self.asks_table or self.measures is not None
        return () if is_asked else (self.unsaid(default, Asking(_NO_ACT, "")),)

    def offers(self, context: Asking) -> Sequence[Offer]:
        """Return the possible values, likeliest first, as far as the person who asks may know them."""
        return self.listed()

    def listed(self) -> Sequence[Offer]:
        """Return the few values that a slash command lists; empty if any value is possible."""
        return [Offer(word, word) for word in self.choices]

    @property
    def suggests(self) -> bool:
        """Return whether the possible values depend on the table, so that they are suggested while the player
        types.
        """
        return len(self.choices) > MAX_CHOICES


@dataclass(frozen=True, slots=True, kw_only=True)
class Number(TableKind):
    """A number, whole or not by its wire.

    Its bounds hold for values that are typed or filled in. checked: they hold for values from anywhere else
    too; otherwise the handler of the action refuses them, in the words of the game. bands: the greatest
    numbers up to which nothing changes, each with what holds there.
    """

    checked: bool = False
    bands: Callable[[Asking], Sequence[Offer]] = lambda asking: ()

    def offers(self, context: Asking) -> Sequence[Offer]:
        """Return the bands of what it depends on."""
        return self.bands(context)

    def read(self, raw: Raw, context: Asking) -> Any:
        """Return the number. Raises InvalidInput out of bounds."""
        assert isinstance(raw, int | float)
        number = float(raw) if self.wire is float else int(raw)
        if self.checked and not self.holds(number):
            raise InvalidInput(
                f"{context.called.capitalize()} must be {self.bounds} (you entered {number:g})."
            )
        return number

    def holds(self, number: float) -> bool:
        """Return whether a number is within the bounds."""
        return (self.least is None or number >= self.least) and (self.most is None or number <= self.most)

    @property
    def bounds(self) -> str:
        """Return the bounds in words."""
        least, highest = self.least or 0, self.most
        return f"between {least:g} and {highest:g}" if highest is not None else f"{least:g} or more"


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch(TableKind):
    """Yes or no."""

    def ticked(self, raw: Any, context: Asking) -> bool:
        """Return whether it stands ticked in a form. raw: as it is written in the action."""
        return bool(raw)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark(Switch):
    """A yes that is typed as a word."""

    word: str = ""

    def typed(self, text: Any) -> Any:
        """Return the word for yes, nothing for no."""
        return self.word if text else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Token(Switch):
    """Whether something is spent that makes the action better: odds are told without it and with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text(TableKind):
    """Free words. breaks: a line ends where \\n is typed, since an option holds one line."""

    breaks: bool = False

    def typed(self, text: Any) -> Any:
        """Return the words, in lines where they may have some."""
        return text.replace("\\n", "\n") if self.breaks and isinstance(text, str) else text

    def write(self, thing: Any) -> Raw:
        """Return the words; None for no words."""
        return thing or None

    def unsaid(self, default: Any, context: Asking) -> Any:
        """Return no words."""
        return default or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers(TableKind):
    """Whole numbers, typed with spaces or commas between them. most: at once; what: a word for them."""

    what: str = "values"

    def typed(self, text: Any) -> Any:
        """Return the numbers. Raises InvalidInput for what is none, and for too many."""
        items = text.replace(",", " ").split() if isinstance(text, str) else [str(item) for item in text]
        if self.most is not None and len(items) > self.most:
            raise Missing(f"Enter at most {self.most:g} {self.what} (you entered {len(items)}).")
        if not items or not all(item.isdecimal() and len(item) < MAX_NUMBER_LENGTH for item in items):
            raise Missing(f'Enter the {self.what} as numbers, such as "10 2".')
        return tuple(map(int, items))


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade(TableKind):
    """A number that is said by a word. grades: the number of each word."""

    grades: Mapping[str, int] = field(default_factory=dict)

    def typed(self, text: Any) -> Any:
        """Return the number of the word."""
        return self.grades.get(text, text) if isinstance(text, str) else text


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggested(Text):
    """Words with suggestions; the handler of the action decides what other words mean.

    names: the suggestions, likeliest first.
    """

    names: Names = nothing

    def offers(self, context: Asking) -> Sequence[Offer]:
        """Return what is suggested, as far as it can be said in an option."""
        return sayable(self.names(context))

    @property
    def suggests(self) -> bool:
        """Return True: there are always suggestions."""
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed(Suggested):
    """Several words with commas between them, each as it is."""

    any_order: int = 1

    def typed(self, text: Any) -> Any:
        """Return each word."""
        if not isinstance(text, str):
            return text
        return tuple(word.strip() for word in text.split(",") if word.strip())

    def write(self, thing: Any) -> Raw:
        """Return the words, none left out."""
        return tuple(thing or ())

    def unsaid(self, default: Any, context: Asking) -> Any:
        """Return no words."""
        return default or ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ByHand(TableKind):
    """Names of fields that were entered by hand; without a board there are none."""

    def read(self, raw: Raw, context: Asking) -> Any:
        """Return the names, where something might have been measured."""
        is_measured = context.act.has_encounter and has_board(context.act.encounter)
        return raw if is_measured else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OneOf(TableKind):
    """One of a few words, each with its value.

    titles: what a form shows for words that do not explain themselves. checked: other words are refused here;
    otherwise the handler of the action refuses them, in the words of the game.
    """

    checked: bool = True
    words: Mapping[str, Any] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)

    def offers(self, context: Asking) -> Sequence[Offer]:
        """Return every word, by its title."""
        return [Offer(word, self.titles.get(word, word)) for word in self.choices]

    def write(self, thing: Any) -> Raw:
        """Return the word of a thing; None where nothing is said."""
        if thing is None or thing == "":
            return None
        if isinstance(thing, str) and thing in self.words:
            return str(thing)
        return next((word for word, value in self.words.items() if value == thing), thing)

    def read(self, raw: Raw, context: Asking) -> Any:
        """Return the value of the word. Raises InvalidInput."""
        typed_word = str(raw).strip().casefold()
        for word, value in self.words.items():
            if word.casefold() == typed_word:
                return value
        if not self.checked:
            return raw
        raise InvalidInput(f"{context.called.capitalize()}: {', '.join(self.words)}.")
