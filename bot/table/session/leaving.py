"""Who gives up a seat or is removed from it, and what becomes of the models that were played from it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.replies.reply import Reply, say
from bot.store.rows import AskRow, SeatRow, WatcherRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.encounter import ENDED, Encounter
from bot.table.handlers import handles
from bot.table.owners import organiser
from bot.table.request import LONGEST_REASON
from bot.table.rolling.realdice import waiting
from bot.table.session.arrivals import counted_models
from rules.refusals import InvalidInput
from rules.wording import possessive

NOBODY = 0
"""Owner of a model that nobody plays until its side is taken again."""


@dataclass(frozen=True, slots=True)
class RemovePerson(Action):
    """Remove somebody from the game (organiser)."""

    command = "encounter.remove"
    typed = "encounter remove"
    titled = "Remove somebody"
    decision_of = organiser("removes somebody", explained=True)

    person: int = fields.person("Who leaves", needed=True)
    why: str = fields.text("Why (everyone reads it)", LONGEST_REASON, needed=True, called="reason")


def leave(encounter: Encounter, row: SeatRow) -> list[str]:
    """Everything that was played from a seat goes to the captain of its side; told in lines.

    The next player becomes captain where the captain leaves. A side without players waits for one: its models
    are nobody's, so that nobody sees its secrets. The seat itself stays for the caller to change.
    """
    lines = []
    side, row.side = row.side, 0
    left = encounter.players(side) if side else []
    if left and row.role == "captain":
        left[0].role = "captain"
        lines.append(f"{left[0].name} is captain of {encounter.side(side).name} now.")
    for each in encounter.sides():
        mine = [model for model in encounter.models(each.id, gone=True) if model.owner_id == row.user_id]
        captain = encounter.captain(each.id)
        for model in mine:
            model.owner_id = captain.user_id if captain else NOBODY
        in_play = sum(model.status != "gone" for model in mine)
        if in_play and captain:
            lines.append(f"{captain.name} plays {counted_models(in_play)} more.")
        if captain is None and (mine or each.id == side):
            for model in encounter.models(each.id, gone=True):
                model.owner_id = NOBODY
            lines.append(f"{each.name} waits for a player: /encounter join.")
    pending = waiting(encounter.book, row.user_id)
    if pending is not None:
        encounter.book.remove(pending)
        lines.append("A roll that waited for dice is dropped.")
    return lines


@handles(RemovePerson)
def remove(act: Act, action: RemovePerson) -> Reply:
    """The organiser removes somebody, who comes back only when let in."""
    encounter, user = act.encounter, action.person
    if encounter.row.status == ENDED:
        raise InvalidInput("This encounter has ended.")
    if user in encounter.row.organisers:
        raise InvalidInput("An organiser stays. Give up your own seat with /encounter join watch:true.")
    if not action.why:
        raise InvalidInput("Give a reason for removing somebody: everyone reads it.")
    row, watcher = encounter.seat_of(user), encounter.book.get(WatcherRow, user)
    request = encounter.book.get(AskRow, user)
    if row is None and watcher is None and request is None:
        raise InvalidInput("That person has no place here. /encounter status shows who has.")
    known = row or watcher or request
    assert known is not None, "one of them is there"
    name = known.name
    side = row.side if row is not None else request.about if request is not None else 0
    lines = leave(encounter, row) if row is not None and row.role != "spectator" else []
    for one in (row, watcher, request):
        if one is not None:
            encounter.book.remove(one)
    encounter.book.add(AskRow(encounter.book.scope, user, name, "join", "", act.entry, side, refused=True))
    act.aside = row is None
    return say(
        f"{name} is removed from the game.",
        f"{possessive(act.actor.name)} reason: {action.why}",
        *lines,
        "They can only come back if they are let in.",
    )
