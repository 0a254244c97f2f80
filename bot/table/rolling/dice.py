"""The encounter's dice: whose are thrown, how they are bound."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.replies.reply import Button, Reply, say
from bot.store.rows import CrewRow
from bot.table.act import NOT_SEATED, Act
from bot.table.asking import fields
from bot.table.asking.groups import group
from bot.table.campaign.campaign_book import Campaign
from bot.table.game import Shuffles, game_of
from bot.table.handlers import Place, handles
from bot.table.owners import ANYONE, SELF
from bot.table.rolling.realdice import BOT, REAL, set_thrower, waiting
from bot.table.rosters.standing import standing_asked, standing_in
from bot.table.session.encounters import dice_lines
from rules.refusals import InvalidInput

group("dice", "The dice of this game")


@dataclass(frozen=True, slots=True)
class DiceMode(Action):
    """Throw the bot's dice, or real ones that you type.

    Where a campaign or a crew is typed, the dice thrown there are meant.
    """

    command = "dice.mode"
    typed = "dice mode"
    titled = "Real dice or the bot's"
    decision_of = SELF

    mode: str = fields.one_of(
        "Whose dice you throw from now on", (BOT, REAL), default=BOT, called="dice", needed=True
    )
    campaign: int = fields.campaign("Between the games of this campaign", running=False)
    crew: int = fields.own_crew("With this crew of yours, wherever it goes", between=True)

    def when_typed(self) -> Action:
        """What sets the dice of the campaign or crew that is named. Raises InvalidInput for both."""
        if self.campaign and self.crew:
            raise InvalidInput("Name a campaign or a crew, not both.")
        if self.campaign:
            return CampaignDice(self.campaign, self.mode)
        return CrewDice(self.crew, self.mode) if self.crew else self


@dataclass(frozen=True, slots=True)
class CampaignDice(Action):
    """Throw real dice for what one rolls between the encounters of a campaign, or the bot's."""

    command = "campaign.dice"
    decision_of = SELF

    campaign: int = 0
    mode: str = fields.one_of("", (BOT, REAL), default=BOT)


@dataclass(frozen=True, slots=True)
class CrewDice(Action):
    """Throw real dice for a crew of one's own wherever it goes from now on, or the bot's."""

    command = "crew.dice"
    decision_of = SELF

    crew: int = 0
    mode: str = fields.one_of("", (BOT, REAL), default=BOT)


@dataclass(frozen=True, slots=True)
class ShowDice(Action):
    """Show how the dice are bound, to you alone."""

    command = "dice.show"
    typed = "dice show"
    titled = "How dice are bound"
    decision_of = ANYONE


@handles(DiceMode)
def mode(act: Act, action: DiceMode) -> Reply:
    """For the person who asks; the log marks real dice."""
    seat = act.seat
    if seat is None or seat.role == "spectator":
        raise InvalidInput(NOT_SEATED)
    _require_settled(act)
    played = game_of(act.encounter)
    if isinstance(played, Shuffles) and seat.dice != REAL:
        raise InvalidInput(played.shuffles)
    if seat.dice == action.mode:
        whose = "real dice" if action.mode == REAL else "the bot's dice"
        raise InvalidInput(f"You throw {whose} already.")
    seat.dice = action.mode
    return _said(act, action.mode)


def _require_settled(act: Act) -> None:
    if waiting(act.book, act.actor.user_id):
        raise InvalidInput("A roll of yours waits for its dice. Finish it, or /dice drop.")


def _said(act: Act, mode: str, where: str = "") -> Reply:
    if mode == REAL:
        return say(
            f"{act.actor.name} throws real dice{where} now.",
            "The bot asks for the faces.",
            "The log marks them as table dice.",
        )
    return say(f"{act.actor.name} throws the bot's dice{where} now.")


@handles(CampaignDice, Place.CAMPAIGN)
def campaign_mode(act: Act, action: CampaignDice) -> Reply:
    """For the person who asks: who plays there, or runs it."""
    camp = Campaign(act)
    owners = {entrant.owner_id for entrant in camp.entrants()}
    act.require(act.actor.user_id in owners or act.is_organiser, "You have no crew in this campaign.")
    _require_settled(act)
    set_thrower(act.book, act.actor.user_id, action.mode)
    return _said(act, action.mode, f" in {camp.row.name}")


@handles(CrewDice, Place.CREW, beforehand=standing_asked)
def crew_mode(act: Act, action: CrewDice) -> Reply:
    """The crew takes it along into what it joins; where it plays already, its owner is asked."""
    crew = act.book.get(CrewRow)
    if crew is None:
        raise InvalidInput("There is no such crew. /crew list shows them.")
    if crew.owner_id != act.actor.user_id:
        raise InvalidInput(f"{crew.name} is not your crew.")
    _require_settled(act)
    set_thrower(act.book, act.actor.user_id, action.mode)
    said = _said(act, action.mode, f" with {crew.name}")
    now = standing_in(act)
    if not now.running:
        return said
    there = Button(f"In {now.where} too"[:80], CampaignDice(now.campaign, action.mode))
    line = f"{now.where}, where it plays already, goes on as before."
    return replace(said, lines=(*said.lines, line), buttons=(*said.buttons, there))


@handles(ShowDice)
def show(act: Act, action: ShowDice) -> Reply:
    """Commitment, words, and who throws real dice."""
    encounter = act.encounter
    lines = dice_lines(encounter)
    known = encounter.words()
    lines += [f"Words: {text}" for text in known]
    for row in encounter.seals() if not known else ():
        told = [row.shown] if row.opened else ["closed, SHA-256:", f"`{row.seal}`"]
        lines += [f"Words of {row.name}: {told[0]}", *told[1:]]
    lines += [f"{seat.name} throws real dice." for seat in encounter.seats() if seat.dice == "real"]
    lines.append("The seed is shown when the game ends.")
    return Reply(tuple(lines), private=True)
