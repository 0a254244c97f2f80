"""Secrets of a side that others have seen: a person who joins is told, and may hide them again.

That happens if one person played both sides before. The right lasts for the turn in which the person joined,
and can be used once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.replies.reply import Button, Reply, say
from bot.store.rows import SideRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.encounter import Encounter
from bot.table.game import Redeals, game_of
from bot.table.handlers import handles
from bot.table.owners import side_in
from bot.table.side_access import known
from bot.table.state import Number, State
from rules.refusals import InvalidInput
from rules.wording import possessive


class SeenSecrets(State):
    """What is kept of a side."""

    seen_in = Number(
        "secrets seen in turn", "The turn, plus 1, in which a player joined whose secrets another had seen."
    )


@dataclass(frozen=True, slots=True)
class LayAgain(Action):
    """Hide your side's secrets again, because another person has seen them."""

    command = "encounter.lay-again"
    titled = "Hide the secrets again"
    decision_of = side_in("side")

    side: SideRow = fields.side("Your side")


SOMEONE_GONE = "someone who left"
"""Stands for a person who no longer has a seat."""


def seers(encounter: Encounter, side: int, user_id: int) -> list[str]:
    """Return the names of the people who could read what a side hides and do not play it with this person."""
    with_me = {seat.user_id for seat in encounter.players(side)} | {user_id}
    readers = {user_id for user_id, tied_side in known(encounter) if tied_side == side}
    readers |= {model.owner_id for model in encounter.models(side, gone=True)}
    seats = {seat.user_id: seat.name for seat in encounter.seats()}
    return sorted({seats.get(reader, SOMEONE_GONE) for reader in readers - with_me if reader})


def warned(act: Act, side: SideRow, seen_by: list[str], reply: Reply) -> Reply:
    """Return the reply with what others have seen of a side's secrets, and a button to lay them again."""
    encounter, played = act.encounter, game_of(act.encounter)
    if not seen_by or not isinstance(played, Redeals):
        return reply
    secrets_seen = played.secrets_of(encounter, side.id)
    if not secrets_seen:
        return reply
    have = "has" if len(seen_by) == 1 else "have"
    readers = " and ".join(seen_by)
    if seen_by[0] == SOMEONE_GONE:
        readers = readers[0].upper() + readers[1:]
    line = f"{readers} {have} seen {possessive(side.name)} {' and '.join(secrets_seen)}."
    if not played.can_redeal(encounter, side.id):
        return replace(reply, lines=(*reply.lines, line))
    SeenSecrets(side).seen_in = encounter.row.turn + 1
    note = f"{side.name} can hide its secrets again, but only once and only during this turn."
    return replace(
        reply,
        lines=(*reply.lines, line, note),
        buttons=(*reply.buttons, Button("Hide the secrets again", LayAgain(side=side), anytime=True)),
    )


@handles(LayAgain, bot_dice=True)
def lay_again(act: Act, action: LayAgain) -> Reply:
    """Refuse without the right to it, or in another turn."""
    encounter, side = act.encounter, action.side
    played, state = game_of(encounter), SeenSecrets(side)
    if state.seen_in != encounter.row.turn + 1 or not isinstance(played, Redeals):
        raise InvalidInput("You can only hide the secrets again once, in the turn in which you joined.")
    lines = played.redeal(act, side.id)
    state.seen_in = 0
    return say(f"{act.actor.name} hides {possessive(side.name)} secrets again.", *lines)
