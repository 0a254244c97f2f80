"""Near opponents: leaving a fight, passing by, and who may strike at it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.fracd_earth import suggestions
from bot.games.fracd_earth.attack_play import Attack
from bot.games.fracd_earth.exchange import refuse_second
from bot.games.fracd_earth.fields import in_hand, who
from bot.games.fracd_earth.figures import figure_of, not_acting
from bot.games.fracd_earth.figures import in_hand as in_its_hand
from bot.games.fracd_earth.helping import actions_used
from bot.games.fracd_earth.odds_play import Go
from bot.games.fracd_earth.telling import inches
from bot.games.fracd_earth.veils import hidden_from
from bot.replies.reply import Button, Reply
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.handlers import handles
from bot.table.owners import ANYONE
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth import reach
from rules.systems.fracd_earth.profile import RESTRAINED, Figure
from rules.systems.fracd_earth.weapons import Weapon

MOST_STRIKES = 5
"""Buttons for the weapons of who may strike at a mover; any other is named with /fe attack."""


@dataclass(frozen=True, slots=True)
class Leave(Action):
    """Leave a fight.

    engaged: the opponent fights somebody else, too; edge: with a Move bought by an Edge;
    against: what the opponent has in hand.
    """

    command = "fe.leave"
    typed = "fe leave"
    titled = "Leave a fight"

    figure: ModelRow = who()
    opponent: ModelRow = fields.foe("Whom", needed=True)
    engaged: bool = fields.switch("It fights another, too")
    edge: bool = fields.switch("Move bought by an Edge")
    against: Weapon | None = in_hand("What the opponent has in hand", "opponent")


@dataclass(frozen=True, slots=True)
class PassBy(Action):
    """Go near an opponent: stop, or be struck?

    closest: inches between bases; front: in its front half; weapon: what the mover has in hand; against:
    what the opponent has.
    """

    command = "fe.passby"
    typed = "fe passby"
    titled = "Pass by"
    decision_of = ANYONE

    figure: ModelRow = fields.own_model("Who moves", needed=True, called="model")
    opponent: ModelRow = fields.foe("Whom it comes near", needed=True)
    closest: float = fields.inches(
        "Inches; below 0: into its place", -1.0, 20.0, default=0.0, bands=suggestions.reach_bands
    )
    front: bool = fields.switch("In its front half", default=True)
    engages: bool = fields.switch("It goes into the fight")
    charge: bool = fields.switch("It charges")
    weapon: Weapon | None = in_hand("What the mover has in hand", "figure")
    against: Weapon | None = in_hand("What the opponent has in hand", "opponent")


@handles(Leave)
def leave(act: Act, action: Leave) -> Reply:
    """Whether the opponent may strike at who leaves. Rules: FE-DIS-01, FE-DIS-02."""
    row, other = action.figure, action.opponent
    figure, opponent = _both(act, row, other)
    with act.overridable():
        struck = reach.disengage(
            restrained=figure.has(RESTRAINED),
            opponent_engaged_elsewhere=action.engaged,
            by_edge=action.edge,
        )
        if struck:
            lines = (f"{row.name} leaves {other.name}.", f"{other.name} may strike: a Quick attack.")
            weapons = in_its_hand(opponent, action.against) or opponent.profile.weapons
            strike = Attack(other, row, manner="quick")
            return Reply(lines, buttons=_strikes("Quick attack", strike, weapons))
    return Reply((f"{row.name} leaves {other.name}.", "No Quick attack at it."), private=True)


@handles(PassBy)
def pass_by(act: Act, action: PassBy) -> Reply:
    """Whether it must stop, and may be struck. Rules: FE-RCH-01, FE-RCH-02, FE-RCH-03, FE-RCH-07."""
    row, other = action.figure, action.opponent
    figure, opponent = _both(act, row, other)
    if hidden_from(act.encounter, other.id, row.side) and action.charge:
        raise Forbidden(f"{other.name} is hidden: detect it before you charge it.", "FE-DET-01")
    weapons = in_its_hand(opponent, action.against)
    mine, theirs = _reach(in_its_hand(figure, action.weapon)), _reach(weapons)
    if reach.enters_opponent(action.closest, charging=action.charge):
        return _slam(act, action, row, other)
    stops = reach.must_stop(mine, theirs, action.closest, in_front=action.front, charging=action.charge)
    lines = [f"{row.name} {'must stop here' if stops and action.engages else 'may go on'}."]
    lines.append(f"Reach {mine:g} against {theirs:g}, {inches(max(0.0, action.closest))} apart.")
    reaching = [weapon for weapon in weapons if _may_strike(action, weapon)]
    if not reaching:
        return Reply(tuple(lines), private=True)
    lines.append(f"{other.name} may strike: a Wild Strike.")
    wild = Attack(other, row, max(0.0, action.closest), manner="wild")
    return Reply(tuple(lines), buttons=_strikes("Wild Strike", wild, reaching))


def _both(act: Act, row: ModelRow, other: ModelRow) -> tuple[Figure, Figure]:
    """The mover, and who may strike at it, once all before it is resolved. Raises InvalidInput.

    Rules: FE-CHAL-01.
    """
    refuse_second(act.encounter)
    if other.side == row.side:
        raise InvalidInput(f"{other.name} is no opponent of {row.name}: it is on the same side.")
    return figure_of(act.encounter, row), figure_of(act.encounter, other)


def _slam(act: Act, action: PassBy, row: ModelRow, other: ModelRow) -> Reply:
    """A Slam, with its button where the mover may make it now. Rules: FE-RCH-07, FE-ACT-01."""
    slam = Attack(row, other, manner="slam")
    if action.weapon is not None:
        slam = replace(slam, weapon=action.weapon)
    said = f"{row.name} goes into {other.name}: a Slam."
    waits = not_acting(act.encounter, row)
    if not waits:
        actions_used(act.encounter, row, slam.manner)
    go = Go("Slam", slam, waits)
    return Reply((said, *go.lines), private=True, buttons=go.buttons)


def _may_strike(action: PassBy, weapon: Weapon) -> bool:
    """Whether who is passed by may strike with this weapon. Rules: FE-RCH-01, FE-RCH-02."""
    far = weapon.reach_inches or 0.0
    return reach.wild_strike_allowed(far, action.closest, in_front=action.front, engages=action.engages)


def _strikes(label: str, strike: Attack, weapons: Sequence[Weapon]) -> tuple[Button, ...]:
    """A button for each weapon that the striker may choose."""
    if len(weapons) < 2:
        return (Button(label, replace(strike, weapon=weapons[0]) if weapons else strike, anytime=True),)
    return tuple(
        Button(f"{label}: {weapon.title}", replace(strike, weapon=weapon), anytime=True)
        for weapon in weapons[:MOST_STRIKES]
    )


def _reach(weapons: Iterable[Weapon]) -> float:
    """How far the longest of them reaches."""
    return max((weapon.reach_inches or 0.0 for weapon in weapons), default=0.0)
