"""Who organises a game or a campaign: it is handed over, and a second organiser is named."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.replies.reply import Reply, say
from bot.store.row_types import CampaignRow
from bot.store.rows import EncounterRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.encounter import ENDED
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import organiser
from bot.table.session.waiting import name_of
from rules.refusals import Forbidden, InvalidInput


@dataclass(frozen=True, slots=True)
class HandOverGame(Action):
    """Organiser: hand the game over to somebody else."""

    command = "encounter.hand"
    typed = "encounter hand"
    titled = "Hand the game over"
    decision_of = organiser("hands the game over")

    who: int = fields.person("Who organises it from now on", needed=True)


@dataclass(frozen=True, slots=True)
class SecondOrganiserOfGame(Action):
    """Organiser: name a second organiser (leave blank to remove)."""

    command = "encounter.second"
    typed = "encounter second"
    titled = "Game's second organiser"
    decision_of = organiser("names a second organiser")

    who: int = fields.person("Who organises it with you")


@handles(HandOverGame)
def hand_over(act: Act, action: HandOverGame) -> Reply:
    """Tell everybody; the former organiser keeps no rights of an organiser."""
    row = _running(act)
    change_organiser(act, row, action.who)
    return say(f"{name_of(act.encounter, action.who)} organises {row.name} now.", buttons=[UNDO])


@handles(SecondOrganiserOfGame)
def second(act: Act, action: SecondOrganiserOfGame) -> Reply:
    """Let a second person do all that the first may, or take that back."""
    row = _running(act)
    name_second(row, action.who)
    name = name_of(act.encounter, action.who) if action.who else ""
    said = f"{name} organises it too." if name else "It has one organiser again."
    return say(f"{row.name}: {said}", buttons=[UNDO])


def _running(act: Act) -> EncounterRow:
    row = act.encounter.row
    if row.status == ENDED:
        raise InvalidInput("This encounter has ended.")
    return row


def change_organiser(act: Act, row: EncounterRow | CampaignRow, who: int) -> None:
    """Make somebody else the organiser. Raises InvalidInput, Forbidden."""
    if not who or who == row.organiser_id:
        raise InvalidInput("Name somebody else: who organises it from now on?")
    if who == act.actor.user_id and not act.actor.manages:
        raise Forbidden("You can't make yourself the organiser: the first organiser has to hand it over.")
    row.organiser_id = who
    if row.second_id == who:
        row.second_id = 0


def name_second(row: EncounterRow | CampaignRow, who: int) -> None:
    """Name the second organiser; 0 for nobody. Raises InvalidInput."""
    if who == row.organiser_id:
        raise InvalidInput("That person organises it already.")
    if who == row.second_id:
        raise InvalidInput("Nothing changes by that.")
    row.second_id = who
