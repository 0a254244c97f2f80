"""A reply that is being put together, and the words for cards, traits and what they come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from bot.replies.reply import Button, Menu, Reply
from bot.table.act import Act
from bot.table.journal.history import UNDO
from bot.table.journal.log import why_button
from rules.modifiers import Modifier
from rules.systems.fracd_earth.cards import Cards, Group, force, suits, worth
from rules.systems.fracd_earth.deck import Prepared
from rules.systems.fracd_earth.seat import Seat
from rules.systems.fracd_earth.settings import Settings
from rules.wording import times, together

TRAIT_WORDS: Mapping[str, str] = MappingProxyType(
    {"def": "Defence", "manv": "Manoeuvre", "dp": "Physical armour", "de": "Energy armour"}
)
"""Those that a Crew Card shortens; others are named as on the card."""


def trait_word(name: str) -> str:
    """Return a trait, Attribute or armour in full."""
    return TRAIT_WORDS.get(name.casefold(), name.capitalize())


def trait_named(text: str) -> str:
    """Return the named trait, written in full or as on a Crew Card."""
    folded = text.strip().casefold()
    return next((name for name, word in TRAIT_WORDS.items() if word.casefold() == folded), folded)


@dataclass(slots=True)
class Narration:
    """Lines, explanations, and what can be pressed next."""

    lines: list[str] = field(default_factory=list)
    why: list[str] = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)
    menus: list[Menu] = field(default_factory=list)

    def reply(self, act: Act) -> Reply:
        """Return what everyone reads."""
        why_buttons = [why_button(act.entry)] if self.why else []
        buttons = (*self.buttons, *why_buttons, UNDO)
        return Reply(tuple(self.lines), buttons=buttons, menus=tuple(self.menus), why=tuple(self.why))


def inches(value: float) -> str:
    """Return a distance as people write it."""
    whole_inches, part = divmod(value, 1)
    halves = {0.0: "", 0.25: " 1/4", 0.5: " 1/2", 0.75: " 3/4"}
    if part in halves and (whole_inches or not part):
        return f"{whole_inches:g}{halves[part]} in"
    return f"{halves[part].strip()} in" if part in halves else f"{value:g} in"


def card_value(card: int, deck: Cards) -> int:
    """Return what a card counts alone."""
    return worth(deck, Group(card))


def hand_words(cards: Iterable[int], deck: Cards) -> str:
    """Return the cards of a hand with their values, best first."""
    best_first = sorted(cards, key=lambda card: (-card_value(card, deck), deck[card].key))
    return ", ".join(group_words(Group(card), deck) for card in best_first) or "none"


def group_words(group: Group, deck: Cards) -> str:
    """Return an active card, an Ace with its link."""
    names = "+".join(deck[card].key for card in group.cards)
    value = worth(deck, group)
    return names if names[:-1] == str(value) else f"{names} ({value})"


def group_why(group: Group, deck: Cards) -> str:
    """Return an active card, or an Ace and its link: worth, suits, icons. Rules: FE-DECK-03, FE-DECK-04."""
    names = "+".join(deck[card].key for card in group.cards)
    suit_text = ", ".join(sorted(suits(deck, group))) or "no suit"
    return f"{names} (value {worth(deck, group)}, {suit_text}, Force {force(deck, group)})"


def totals_words(names: Sequence[str], totals: tuple[int, int]) -> str:
    """Return two totals, and who is ahead by how much."""
    first, second = totals
    ahead = "equal" if first == second else f"{names[0 if first > second else 1]} +{abs(first - second)}"
    return f"{names[0]} {first}, {names[1]} {second}: {ahead}"


def seat_words(name: str, trait: str, seat: Seat, settings: Settings) -> str:
    """Return the parts of a side's total, from the face-up cards."""
    active = seat.shown.active
    parts = []
    if active.draw is not None:
        parts.append(group_words(active.draw, settings.deck))
    if active.reinforcement is not None:
        parts.append(f"reinforced by {group_words(active.reinforcement, settings.deck)}")
    if active.push is not None:
        parts.append(f"pushed with {group_words(active.push, settings.deck)}")
    parts.append(f"{TRAIT_WORDS.get(trait.casefold(), trait)} {seat.entry.trait}")
    return f"{name}: {', '.join(parts)}"


def draw_words(prepared: Prepared) -> str:
    """Return how many cards a side draws, and what it adds."""
    penalty = " (the lowest counts)" if prepared.draw.penalty else ""
    return f"{times(prepared.draw.cards, 'card')}{penalty}"


def side_words(prepared: Prepared) -> str:
    """Return how many cards a side draws, and what it adds; of what that is made where it is of several."""
    parts = [f"{point.amount:+d} {point.reason}" for point in prepared.points]
    is_complete = sum(point.amount for point in prepared.points) == prepared.trait
    parts_text = f" ({', '.join(parts)})" if len(parts) > 1 and is_complete else ""
    return f"{draw_words(prepared)}, adds {prepared.trait}{parts_text}"


def why_lines(name: str, prepared: Prepared) -> list[str]:
    """Return every mark and point of a side with its reason and rule."""
    lines = [f"{name} draws {draw_words(prepared)} and adds {prepared.trait}"]
    lines += [f"  {mark_words(mark)}" for mark in prepared.marks]
    lines += [f"  {modifier_words(point)}" for point in prepared.points]
    if prepared.effect_shifts:
        lines.append(f"  Effect shift {prepared.effect_shifts:+d} FE-PRO-04")
    return lines


def mark_words(mark: Modifier) -> str:
    """Return the cards added or taken, with the reason."""
    sign = "[+]" if mark.amount > 0 else "[-]"
    return f"{' '.join([sign] * abs(mark.amount))} {mark.reason} {mark.rule}".rstrip()


def modifier_words(point: Modifier) -> str:
    """Return the points, with the reason."""
    return f"{point.amount:+d} {point.reason} {point.rule}".rstrip()


def joined_names(names: Sequence[str]) -> str:
    """Return the names as people list them."""
    return together(names)
