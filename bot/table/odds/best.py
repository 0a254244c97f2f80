"""All attacks that a model can make, ranked by the chance that the foe goes down, by wounds or by points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import islice
from typing import Any

from bot.actions import Action, reference_by_number
from bot.replies.chances import exactness, percent, sure_of
from bot.replies.fit import has_room, shorten
from bot.replies.ladder import Amounts, Rung, ladder
from bot.replies.reply import COLUMNS, Button, Choice, Column, Menu, Note, Reply, say
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.descriptions import group
from bot.table.game import game, game_of
from bot.table.handlers import handles
from bot.table.odds.attacks import (
    USUAL_INCHES,
    Attack,
    Weight,
    find_possible_kinds,
    get_hurt,
    is_assumed,
    list_attack_kinds,
    list_attacks,
    means_contact,
    weigh_attacks,
)
from bot.table.offers.forms import title_of
from bot.table.owners import ANYONE
from rules.refusals import InvalidInput, Missing

group("odds", "Odds: best attacks, luck, comparing crews")

GOES_DOWN, WOUNDS, POINTS = "goes down", "wounds", "points"

MAX_WEIGHED = 600
"""Attacks that are weighed, as far as there is time."""

MAX_SHOWN = 10
MAX_DONE = 3
MIN_COUNT = 0.005
"""The least average number of wounds for which an attack that takes no model down gets a line."""


@dataclass(frozen=True, slots=True)
class Best(Action):
    """Rank a model's attacks by their odds, best first.

    model: the attacker; None for the acting model. inches: the distance to models that were not measured.
    """

    command = "odds.best"
    typed = "odds best"
    titled = "Best attack"
    decision_of = ANYONE

    model: ModelRow = fields.own_model("Model that attacks (leave blank for the acting model)")
    wanted: str = fields.one_of(
        "Rank attacks by the chance that the target goes down, by average wounds or by average points",
        (GOES_DOWN, WOUNDS, POINTS),
        default=GOES_DOWN,
    )
    inches: float = fields.inches(
        "Distance to use where none was measured (inches, blank for 8)", 0.0, 200.0, default=USUAL_INCHES
    )

    @property
    def looks(self) -> bool:
        """Return True: nothing is done."""
        return True


@dataclass(frozen=True, slots=True)
class RankedAttack:
    """An attack that is possible. worth: of what is wanted; assumed: how far it is was not measured."""

    attack: Attack
    weight: Weight
    worth: float
    assumed: bool

    @property
    def down(self) -> float:
        """Return the chance that the target goes down."""
        return get_hurt(self.weight, self.attack).down

    @property
    def sure(self) -> float:
        """Return what it is worth at least: less than it seems where it was sampled."""
        return self.worth * (sure_of(self.down) / self.down) if self.down else self.worth

    @property
    def wounds(self) -> float:
        """Return what it loses on average."""
        return get_hurt(self.weight, self.attack).wounds

    @property
    def aim(self) -> str:
        """Return what is hoped for, in the game's word."""
        chances = self.weight.chances
        return chances.aim if not chances.hurts else GOES_DOWN


@handles(Best)
def best(act: Act, action: Best) -> Reply:
    """Show the table, the picture, and the best ones as buttons. Raises InvalidInput."""
    attacker = action.model or _find_attacker(act)
    if not list_attack_kinds(act.encounter.row.system):
        raise InvalidInput("Attacks in this game can't be compared.")
    if act.tries:
        return say("You can look at these odds.", private=True)
    all_attacks = list(islice(list_attacks(act, attacker, action.inches), MAX_WEIGHED))
    kinds = find_possible_kinds(act, all_attacks)
    weights, unweighed = weigh_attacks(
        act, [attack for attack in all_attacks if attack.kind in kinds], only_possible=True
    )
    able = bool(weights)
    if not able and not unweighed:
        weights, unweighed = weigh_attacks(act, all_attacks)
    rows = [
        RankedAttack(
            attack, weight, _value_attack(act, attack, weight, action.wanted), is_assumed(attack, weight)
        )
        for attack, weight in weights
    ]
    if not rows and unweighed:
        return say("Try again; working that out took too long.", private=True)
    if not rows:
        return say(f"{attacker.name} can't attack anyone now.", private=True)
    return _build_reply(act, action, attacker, rows, len(unweighed), able=able)


def _build_reply(
    act: Act, action: Best, attacker: ModelRow, rows: Sequence[RankedAttack], unweighed: int, *, able: bool
) -> Reply:
    """Show the best ones first. unweighed: how many were not considered; able: they can be done now."""
    aim = action.wanted if any(row.worth for row in rows) else GOES_DOWN
    unknown = (
        [f"The average number of {action.wanted} isn't known. These are the chances to take the target down."]
        if aim != action.wanted
        else []
    )
    if unknown:
        rows = [replace(row, worth=row.down) for row in rows]
    rows = sorted(rows, key=lambda row: (-row.sure, -row.wounds))
    useful_attacks = [row for row in rows if row.down > 0 or row.wounds >= MIN_COUNT] or rows
    ranked_attacks = useful_attacks[:MAX_SHOWN]
    solved = [odds for row in rows for odds in row.weight.solved]
    lines = [
        *_format_head(attacker, ranked_attacks, aim),
        *_format_table(ranked_attacks, aim),
        *unknown,
        *(
            [f"Worse attacks not shown: {len(useful_attacks) - len(ranked_attacks)}."]
            if len(useful_attacks) > len(ranked_attacks)
            else []
        ),
        *([f"Attacks that weren't worked out in time: {unweighed}."] if unweighed else []),
        *(
            [f"Distance used where nothing was measured: {action.inches:g} in."]
            if any(row.assumed for row in ranked_attacks)
            else []
        ),
        *([] if able else ["You can't make any of these attacks right now."]),
        Note(f"{exactness(*solved)} No dice were rolled."),
    ]
    return Reply(
        tuple(lines),
        private=True,
        buttons=tuple(_build_buttons(act, ranked_attacks)) if able else (),
        menus=_build_menus(act, replace(action, wanted=aim), attacker, rows),
        files=_draw_picture(act, attacker, ranked_attacks, aim),
    )


def _find_attacker(act: Act) -> ModelRow:
    """Return the acting model if none is named. Raises InvalidInput."""
    acting = [row for row in game_of(act.encounter).acting(act.encounter) if act.plays_on(row.side)]
    if len(acting) != 1:
        raise Missing("Use /odds best and choose the model that attacks.")
    return acting[0]


# ------------------------------------------------------------------------------------ ranked


def _value_attack(act: Act, attack: Attack, weight: Weight, aim: str) -> float:
    hurt = get_hurt(weight, attack)
    if aim == WOUNDS:
        return hurt.wounds
    if aim == POINTS and not weight.chances.hurts:
        return 0.0
    points = points_of(act.encounter.row.system, attack.at.profile) if aim == POINTS else 1
    return hurt.down * points


@cache
def _list_points(system: str) -> dict[str, int]:
    played = game(system)
    return {played.profile(recruit.key): recruit.points for recruit in played.recruits()}


def points_of(system: str, profile: str) -> int:
    """Return the points of a statblock as it is recruited, or 0 for any other model."""
    return _list_points(system).get(profile, 0)


# ------------------------------------------------------------------------------------ told


def _format_worth(row: RankedAttack, aim: str) -> str:
    if aim == GOES_DOWN:
        return percent(row.down)
    return f"{row.worth:.2f}" if aim == WOUNDS else f"{row.worth:.1f}"


def _format_head(attacker: ModelRow, rows: Sequence[RankedAttack], aim: str) -> list[str]:
    first = rows[0]
    attack, number = first.attack, _format_worth(first, aim).strip()
    best_text = f"{first.aim}, {number}" if aim == GOES_DOWN else f"{number} {aim}"
    head = f"Best: {title_of(attack.kind)} {attack.at.name} ({best_text})"
    wounds_text = ", average wounds" if any(row.wounds for row in rows) else ""
    chance = f"chance ({first.aim})"
    columns_text = f"{chance}{wounds_text}" if aim == GOES_DOWN else f"average {aim}, {chance}"
    return [head, f"{attacker.name}: {columns_text}"]


def _format_table(rows: Sequence[RankedAttack], aim: str) -> list[str]:
    numbers = [_format_worth(row, aim) for row in rows]
    others = [percent(row.down) for row in rows]
    if aim == GOES_DOWN:
        others = [
            f"{row.wounds:.2f}" if any(ranked_attack.wounds for ranked_attack in rows) else "" for row in rows
        ]
    number_width, other_width = max(map(len, numbers)), max(map(len, others))
    room = COLUMNS - number_width - other_width - 2
    names = [shorten(row.attack.at.name, room) for row in rows]
    name_width = max(map(len, names))
    lines: list[str] = []
    for row, name, number, other in zip(rows, names, numbers, others, strict=True):
        lines.append(Column(f"{name:<{name_width}} {number:>{number_width}} {other:>{other_width}}".rstrip()))
        lines += [Column(f"  {row.attack.how}{_format_distance(row)}")]
    return lines


def _format_distance(row: RankedAttack) -> str:
    """Return how far it is, where that was said before, or where it is in contact."""
    inches = getattr(row.weight.action, "distance", 0)
    if inches == 0 and means_contact(row.attack.kind.command):
        return ", in contact"
    return f", {inches:g} in" if isinstance(inches, float) and inches > 0 and not row.assumed else ""


def _build_buttons(act: Act, rows: Sequence[RankedAttack]) -> list[Button]:
    if act.only_watches:
        return []
    words = [f"{title_of(row.attack.kind)} {row.attack.at.name}, {row.attack.weapon}" for row in rows]
    buttons = [
        Button(shorten(word.removesuffix(", "), 80), row.weight.action, "plain" if number else "main")
        for number, (word, row) in enumerate(zip(words[:MAX_DONE], rows, strict=False))
    ]
    return [button for button in buttons if has_room(button)]


def _build_menus(
    act: Act, action: Best, attacker: ModelRow, rows: Sequence[RankedAttack]
) -> tuple[Menu, ...]:
    """Return the same ranked by something else, as far as it is known of them."""

    def is_known(aim: str) -> bool:
        return aim == GOES_DOWN or any(_value_attack(act, row.attack, row.weight, aim) for row in rows)

    aims = [aim for aim in (GOES_DOWN, WOUNDS, POINTS) if aim != action.wanted and is_known(aim)]
    question = replace(action, model=reference_by_number(attacker.id))
    choices = tuple(Choice(aim.capitalize(), aim) for aim in aims)
    return (Menu("Rank by...", question, "wanted", choices),) if choices else ()


def _draw_picture(act: Act, attacker: ModelRow, rows: Sequence[RankedAttack], aim_word: str) -> Any:
    chances = aim_word == GOES_DOWN
    amounts = None if chances else Amounts(2 if aim_word == WOUNDS else 1)
    rungs = [
        Rung(
            row.attack.at.name,
            row.down if chances else row.worth,
            note=f"{row.attack.how}{_format_distance(row)}",
        )
        for row in rows
    ]
    aim = rows[0].aim.capitalize() if chances else f"{aim_word.capitalize()} on average"
    return act.drawn(partial(ladder, f"{attacker.name}: best attacks", aim, rungs, amounts))
