"""What a table brings: typed Crew Cards, the deck's cards, cells of the Effects Table, solo orders."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from bot.actions import Action, number_in
from bot.games.fracd_earth.fields import acting_figure
from bot.games.fracd_earth.figures import card_text, profile_of, read_typed, sustained_by
from bot.games.fracd_earth.settings import (
    DECK_SETTING,
    TABLE_SETTING,
    apply_deck_changes,
    apply_table_changes,
    settings_of,
)
from bot.games.fracd_earth.state import FigureState
from bot.replies.reply import Blank, Button, Reply, form
from bot.store.rows import ModelRow, SideRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.handlers import handles, require_player
from bot.table.journal.history import UNDO
from bot.table.names import check_name, check_words, find, plain
from bot.table.owners import ANYONE, PLAYER, organiser, player_unless
from bot.table.session.arrivals import MAX_SIDES, add_model, find_or_add_side
from rules.refusals import Forbidden, InvalidInput, Missing, refuse_typed
from rules.systems.fracd_earth.cards import Card
from rules.systems.fracd_earth.profile import Profile, write_json
from rules.systems.fracd_earth.settings import DEFAULTS
from rules.systems.fracd_earth.turns import solo_order
from rules.systems.fracd_earth.weapons import SEVERITIES
from rules.wording import times

MAX_COPIES = 20
FACE_CARDS = {"j": "J", "jack": "J", "q": "Q", "queen": "Q", "k": "K", "king": "K"}

CARD_FORM = form(
    "fe.figure",
    "A Crew Card, line by line",
    Blank("text", 'Lines, such as "name: Vale"', longest=3000, lines=True, as_typed=True),
    Blank("count", "Number of copies", default="1", longest=2),
)

CARD_EXAMPLE = (
    "Type a Crew Card like this, but put each weapon on one line:",
    "```",
    "name: Vale",
    "traits: def 5, fight 4, shoot 5",
    "resists: body 4, mind 4, dp 4, de 2",
    "capacity: 12",
    "skill: Notice [+]",
    "weapon: 5 // Rifle // [+]",
    "  // Range 24 // 3 M vs dp",
    "```",
)


@dataclass(frozen=True, slots=True)
class AddFigure(Action):
    """Add a figure by typing its Crew Card.

    A Crew Card typed as lines, or pasted as JSON.
    """

    command = "fe.add"
    typed = "fe figure add"
    titled = "Add a figure"
    decision_of = player_unless(lambda action: not action.text.strip())

    text: str = fields.text("Crew Card as lines or JSON (leave blank for a form)", None, notation=True)
    count: int = fields.whole("Number of copies", 1, MAX_COPIES, default=1, checked=True)
    side: SideRow | str | None = fields.side_or_new_name("Side that the figure joins", MAX_SIDES)
    name: str = fields.text("Name (leave blank for the name on the card)", None)


@dataclass(frozen=True, slots=True)
class WriteCard(Action):
    """Show a figure's Crew Card as text.

    As lines or JSON.
    """

    command = "fe.write"
    typed = "fe figure write"
    titled = "Crew Card as text"
    decision_of = ANYONE

    figure: ModelRow = fields.model("Figure", needed=True, gone=True, called="model")
    json: bool = fields.switch("Show as JSON")


def _suggest_powers(context: Asking) -> list[str]:
    """Return the powers on the Crew Card of the figure that was entered, and those it maintains."""
    row = context.so_far.get("figure")
    if not isinstance(row, ModelRow):
        return []
    powers = [weapon.title for weapon in profile_of(row.profile).weapons if weapon.suit]
    return list(dict.fromkeys((*sustained_by(row), *powers)))


@dataclass(frozen=True, slots=True)
class Sustain(Action):
    """Record a power that a Caster maintains or stops maintaining."""

    command = "fe.sustain"
    typed = "fe figure sustain"
    titled = "Maintain a power"

    figure: ModelRow = acting_figure()
    power: str = fields.words("Name of the power", _suggest_powers, needed=True)
    drop: bool = fields.switch("Stop maintaining it")


@dataclass(frozen=True, slots=True)
class ChangeCards(Action):
    """Show or change the cards in the deck.

    cards: keys or ranks (J, QH, 7).
    """

    command = "fe.deck"
    typed = "fe house deck"
    titled = "Deck"
    decision_of = organiser("change the settings", shows=lambda action: not action.cards)

    cards: str = fields.text('Cards to change, such as "J", "QH" or "7"', None)
    value: int = fields.whole("Value of the cards", 0, 20, default=-1)
    force: int = fields.whole("Number of Force icons", 0, 9, default=-1)
    reinforces: str | None = fields.one_of(
        "Cards that these cards can reinforce", ("higher", "lower", "none")
    )
    replaces: bool | None = fields.one_of("These cards can replace other cards", {"yes": True, "no": False})
    blocks: bool | None = fields.one_of("These cards can block other cards", {"yes": True, "no": False})


@dataclass(frozen=True, slots=True)
class ChangeTable(Action):
    """Show or change the Effects Table.

    conditions: of the cell that is changed, like stunned, penalty fight:2.
    """

    command = "fe.table"
    typed = "fe house table"
    titled = "Effects Table"
    decision_of = organiser("change the settings", shows=lambda action: not action.level)

    level: int = fields.whole("Level (row of the table)", 0, 20, default=0)
    column: str | None = fields.one_of("Severity (column of the table)", SEVERITIES)
    damage: int = fields.whole("Points of Capacity lost", 0, 99, default=-1)
    conditions: str = fields.text('Conditions, such as "stunned, penalty fight:2"', None)


@dataclass(frozen=True, slots=True)
class MorphText(Action):
    """Change what a Morph does.

    At this table.
    """

    command = "fe.morphs"
    typed = "fe house morph"
    titled = "Effect of a Morph"
    decision_of = organiser("change the settings")

    text: str = fields.text("Effect, in your own words", None, needed=True)


@dataclass(frozen=True, slots=True)
class Solo(Action):
    """Draw orders for an automated side.

    One card for every figure of the side: what it does, and when.
    """

    command = "fe.solo"
    typed = "fe figure solo"
    titled = "Draw orders"
    decision_of = PLAYER

    side: SideRow = fields.side("Automated side", needed=True)


def _profile_words(profile: Profile) -> Iterator[str]:
    yield from (skill.name for skill in profile.skills)
    for effect in profile.effects:
        yield from (effect.title, effect.kind, effect.target)
    for weapon in profile.weapons:
        yield from (weapon.title, *weapon.abilities)


@handles(AddFigure, may=require_player)
def add_figure(act: Act, action: AddFigure) -> Reply:
    """Read the card and put the copies into play."""
    if not action.text.strip():
        button = Button("Type the card...", replace(action, text=""), "main", True, CARD_FORM)
        return Reply(CARD_EXAMPLE, private=True, buttons=(button,))
    profile = read_typed(action.text.replace("\\n", "\n"))
    check_words(_profile_words(profile))
    side = find_or_add_side(act, action.side)
    name = check_name(action.name or profile.name)
    owner = next((row.owner_id for row in act.encounter.models(side.id)), act.actor.user_id)
    names = [
        add_model(act.encounter, side.id, owner, name, card_text(profile)).name for _ in range(action.count)
    ]
    build_line = f"Build value: {profile.build}{' each' if action.count > 1 else ''}."
    return Reply((f"{side.name}: {', '.join(names)}.", build_line), buttons=(UNDO,))


@handles(Sustain)
def sustain(act: Act, action: Sustain) -> Reply:
    """Charge a Caster a card in every Challenge and Check for each maintained effect. Rules: FE-CMB-06."""
    row, powers = action.figure, sustained_by(action.figure)
    if action.drop:
        name = find(action.power, list(powers), str, "power")
    else:
        name = check_name(action.power, "power's name")
    FigureState(row).sustained[name] += -1 if action.drop else 1
    powers_after = sustained_by(row)
    powers_text = ", ".join(
        f"{power} x{count}" if count > 1 else power for power, count in powers_after.items()
    )
    drop_buttons = (
        Button(f"Stop maintaining {power}", Sustain(row, power, drop=True)) for power in powers_after
    )
    sentence = (
        f"{row.name} maintains {powers_text}."
        if powers_text
        else f"{row.name} no longer maintains any powers."
    )
    return Reply((sentence,), buttons=(*drop_buttons, UNDO))


@handles(WriteCard)
def write_card(act: Act, action: WriteCard) -> Reply:
    """Show the asker a card that makes the same card when it is typed again."""
    row = action.figure
    profile = profile_of(row.profile)
    text = write_json(profile) if action.json else card_text(profile)
    return Reply((f"{row.name}:", "```", *text.splitlines(), "```"), private=True)


# ------------------------------------------------------------------------------------ the deck


def _parse_cards(text: str) -> list[Card]:
    """Return cards by key, or all cards of a rank. Raises InvalidInput."""
    cards: list[Card] = []
    for word in text.replace(",", " ").split():
        key = FACE_CARDS.get(word.casefold(), word.upper())
        matching_cards = [card for card in DEFAULTS.deck if card.key == key or card.key[:-1] == key]
        if not matching_cards:
            raise InvalidInput(f"Enter cards such as `J`, `QH`, `7` or `FLOOD` (there is no {word[:10]!r}).")
        cards += matching_cards
    return cards


@handles(ChangeCards)
def change_cards(act: Act, action: ChangeCards) -> Reply:
    """Change cards before the deal. Rules: FE-DECK-01, FE-DECK-02, FE-DECK-04, FE-DECK-10."""
    encounter = act.encounter
    if not action.cards:
        switches = (action.reinforces, action.replaces, action.blocks)
        numbers = (action.value >= 0, action.force >= 0)
        refuse_typed("Choose the cards to change.", *numbers, *(switch is not None for switch in switches))
        return Reply(tuple(_deck_lines(settings_of(encounter).deck)), private=True)
    if encounter.row.turn:
        raise Forbidden("You can't change the deck after it has been dealt.", "FE-DECK-02")
    changed_fields: dict[str, Any] = {}
    changed_fields |= {"value": action.value} if action.value >= 0 else {}
    changed_fields |= {"force": action.force} if action.force >= 0 else {}
    reinforces = "" if action.reinforces == "none" else action.reinforces
    entered_values = {"reinforces": reinforces, "replaces": action.replaces, "blocks": action.blocks}
    changed_fields |= {name: value for name, value in entered_values.items() if value is not None}
    if not changed_fields:
        raise Missing("Enter what to change: value, force, reinforces, replaces or blocks.")
    changes = json.loads(encounter.setting(DECK_SETTING, "{}"))
    cards = _parse_cards(action.cards)
    for card in cards:
        changes[card.key] = changes.get(card.key, {}) | changed_fields
    apply_deck_changes(changes)
    encounter.row.settings[DECK_SETTING] = json.dumps(changes, sort_keys=True)
    changed_text = ", ".join(f"{name} {_format_value(value)}" for name, value in changed_fields.items())
    return Reply((f"Changed: {', '.join(card.key for card in cards)[:60]}", changed_text), buttons=(UNDO,))


def _format_value(value: object) -> str:
    """Return a changed value as it is entered."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value) or "none"


def _deck_lines(deck: tuple[Card, ...]) -> list[str]:
    lines = [f"The deck has {times(len(deck), 'card')} and is the same for everyone."]
    groups: dict[tuple[Any, ...], list[str]] = {}
    for card in deck:
        card_fields = asdict(card)
        group_key = tuple(
            card_fields[name] for name in ("value", "force", "link", "reinforces", "replaces", "blocks")
        )
        groups.setdefault(group_key, []).append(card.key)
    for (value, force, link, reinforces, replaces, blocks), keys in groups.items():
        notes = ["needs a linked card"] * link + [f"reinforces {reinforces} cards"] * bool(reinforces)
        notes += ["can't replace cards"] * (not replaces)
        note_text = ", ".join([*notes, *(["can block cards"] * blocks)])
        lines.append(f"{' '.join(keys)}: value {value}, Force {force}{f', {note_text}' if note_text else ''}")
    return lines


@handles(ChangeTable)
def change_table(act: Act, action: ChangeTable) -> Reply:
    """Show or change a cell of the Effects Table. Rules: FE-PRO-06."""
    encounter = act.encounter
    if not action.level:
        entered_fields = (action.column, action.damage >= 0, action.conditions)
        refuse_typed("Choose the level of the table to change.", *entered_fields)
        return Reply(tuple(_table_lines(act)), private=True)
    column = action.column or "M"
    damage = max(action.damage, 0)
    levels = DEFAULTS.effects.levels
    if not 1 <= action.level <= levels or damage > 99:
        raise InvalidInput(
            f"Enter a level from 1 to {levels}, a column ({', '.join(SEVERITIES)}) and 0 to 99 points."
        )
    kinds = []
    for word in filter(None, (part.strip() for part in action.conditions.split(","))):
        kind, _, grade = word.partition(":")
        amount = number_in(grade or "0", "")
        if amount is None:
            raise InvalidInput("Enter conditions such as `stunned` or `penalty fight:2`.")
        kinds.append([kind.strip()[:30], min(9, amount)])
    changes = json.loads(encounter.setting(TABLE_SETTING, "{}"))
    changes[f"{action.level} {column}"] = [damage, kinds]
    apply_table_changes(changes)
    encounter.row.settings[TABLE_SETTING] = json.dumps(changes, sort_keys=True)
    line = f"Effects Table: level {action.level}, column {column} now costs {times(damage, 'point')}."
    return Reply((line,), buttons=(UNDO,))


def _table_lines(act: Act) -> list[str]:
    table = settings_of(act.encounter).effects
    lines = [
        "Effects Table: points lost (house table)",
        f"      {'  '.join(f'{name:>2}' for name in SEVERITIES)}",
    ]
    for level, row in enumerate(table.damage, 1):
        lines.append(f"{level}     {'  '.join(f'{points:>2}' for points in row)}")
    for level, cells in enumerate(table.conditions, 1):
        for name, kinds in zip(SEVERITIES, cells, strict=True):
            lines += [f"{level} {name}: {', '.join(kind for kind, _ in kinds)}"] if kinds else []
    margin_line = f"The level rises by 1 for every {table.margin_per_level} points by which the Check fails."
    return ["```", *lines, "```", margin_line]


@handles(MorphText)
def morph_text(act: Act, action: MorphText) -> Reply:
    """Set the text that is shown whenever a figure morphs. Rules: FE-CHAL-09."""
    text = plain(action.text, 100)
    act.encounter.row.settings["morph"] = text
    settings_of(act.encounter)
    return Reply((f"Effect of a Morph: {text or 'as the Crew Card says'}.",), buttons=(UNDO,))


@handles(Solo, bot_dice=True)
def draw_solo_orders(act: Act, action: Solo) -> Reply:
    """Draw each figure's orders, in the order of the cards' values. Rules: FE-CREW-04."""
    encounter, side = act.encounter, action.side
    deck = settings_of(encounter).deck
    suited_cards = [place for place, card in enumerate(deck) if card.suit]
    models = encounter.models(side.id)[: len(suited_cards)]
    order = act.dice.shuffle(len(suited_cards), "priority deck")
    drawn_orders = [
        (row, solo_order(suited_cards[place], deck), suited_cards[place])
        for row, place in zip(models, order, strict=False)
    ]
    drawn_orders.sort(key=lambda one: -one[1].order)
    lines = [f"{side.name}: {times(len(drawn_orders), 'order')} drawn."]
    for row, orders, card in drawn_orders:
        preference_text = f" (prefers to {orders.prefers})" if orders.action == "attack" else ""
        lines.append(f"{row.name}: {deck[card].key}, {orders.action}{preference_text}")
    return Reply(tuple(lines), buttons=(UNDO,))
