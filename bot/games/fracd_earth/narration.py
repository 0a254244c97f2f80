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
from rules.wording import join_with_and, times

TRAIT_WORDS: Mapping[str, str] = MappingProxyType(
    {"def": "Defence", "manv": "Manoeuvre", "dp": "Physical armour", "de": "Energy armour"}
)
"""Full names of the traits that a Crew Card shortens."""


def trait_word(name: str) -> str:
    """Return a trait, Attribute or armour in full."""
    return TRAIT_WORDS.get(name.casefold(), name.capitalize())


def trait_named(text: str) -> str:
    """Return the named trait, written in full or as on a Crew Card."""
    folded_name = text.strip().casefold()
    return next((name for name, word in TRAIT_WORDS.items() if word.casefold() == folded_name), folded_name)


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
    whole_inches, fraction = divmod(value, 1)
    fraction_texts = {0.0: "", 0.25: " 1/4", 0.5: " 1/2", 0.75: " 3/4"}
    if fraction in fraction_texts and (whole_inches or not fraction):
        return f"{whole_inches:g}{fraction_texts[fraction]} in"
    return f"{fraction_texts[fraction].strip()} in" if fraction in fraction_texts else f"{value:g} in"


def card_value(card: int, deck: Cards) -> int:
    """Return the value of a card without a link."""
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


def explain_group(group: Group, deck: Cards) -> str:
    """Return an active card, or an Ace and its link: worth, suits, icons. Rules: FE-DECK-03, FE-DECK-04."""
    names = "+".join(deck[card].key for card in group.cards)
    suit_text = ", ".join(sorted(suits(deck, group))) or "no suit"
    return f"{names} (value {worth(deck, group)}, {suit_text}, Force {force(deck, group)})"


def totals_words(names: Sequence[str], totals: tuple[int, int]) -> str:
    """Return two totals, and who is ahead by how much."""
    first_total, second_total = totals
    lead_text = (
        "equal"
        if first_total == second_total
        else f"{names[0 if first_total > second_total else 1]} +{abs(first_total - second_total)}"
    )
    return f"{names[0]} {first_total}, {names[1]} {second_total}: {lead_text}"


def seat_words(name: str, trait: str, seat: Seat, settings: Settings) -> str:
    """Return the parts of a side's total, from the face-up cards."""
    active_cards = seat.shown.active
    parts = []
    if active_cards.draw is not None:
        parts.append(group_words(active_cards.draw, settings.deck))
    if active_cards.reinforcement is not None:
        parts.append(f"reinforced by {group_words(active_cards.reinforcement, settings.deck)}")
    if active_cards.push is not None:
        parts.append(f"pushed with {group_words(active_cards.push, settings.deck)}")
    parts.append(f"{TRAIT_WORDS.get(trait.casefold(), trait)} {seat.entry.trait}")
    return f"{name}: {', '.join(parts)}"


def draw_words(prepared: Prepared) -> str:
    """Return how many cards a side draws."""
    rule = "the opponent picks one" if prepared.picked else "the lowest counts"
    penalty_text = f" ({rule})" if prepared.draw.penalty else ""
    return f"{times(prepared.draw.cards, 'card')}{penalty_text}"


def side_words(prepared: Prepared) -> str:
    """Return how many cards a side draws and what it adds, with the parts of that if there are several."""
    parts = [f"{point.amount:+d} {point.reason}" for point in prepared.points]
    parts_add_up = sum(point.amount for point in prepared.points) == prepared.trait
    parts_text = f" ({', '.join(parts)})" if len(parts) > 1 and parts_add_up else ""
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
    return join_with_and(names)
