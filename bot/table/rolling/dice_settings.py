"""The encounter's dice: whose are thrown, how they are bound, and the secret phrases that seed them."""

from __future__ import annotations

import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from bot.actions import Action
from bot.replies.reply import Button, Note, Reply, say
from bot.store.book import Loaded
from bot.store.rows import CrewRow, EncounterRow, SealRow, SecretRow, WordRow
from bot.store.store import Store
from bot.table.act import NOT_SEATED, Act, Actor, Barred, NotAllowed
from bot.table.asking import fields
from bot.table.asking.descriptions import group
from bot.table.encounter import ENDED, SETUP, Encounter
from bot.table.game import Shuffles, game_of
from bot.table.handlers import Place, handles
from bot.table.ledger.campaign_book import Campaign
from bot.table.names import plain
from bot.table.owners import ANYONE, SELF
from bot.table.realdice import BOT, REAL, find_waiting_roll, set_thrower
from bot.table.rosters.crew_state import standing_asked, standing_in
from rules.refusals import InvalidInput, Missing
from rules.wording import join_with_and, possessive

group("dice", "The dice in this game")


@dataclass(frozen=True, slots=True)
class DiceMode(Action):
    """Choose whether you roll the bot's dice or your own real dice.

    Where a campaign or a crew is typed, the dice thrown there are meant.
    """

    command = "dice.mode"
    typed = "dice mode"
    titled = "Real dice or the bot's"
    decision_of = SELF

    mode: str = fields.one_of(
        "Dice you use from now on", (BOT, REAL), default=BOT, called="dice", needed=True
    )
    campaign: int = fields.campaign(
        "Campaign (changes your dice for rolls between its games and in its later games)", running=False
    )
    crew: int = fields.own_crew(
        "Crew (changes your dice in games and campaigns that this crew joins later)", between=True
    )

    def as_typed_action(self) -> Action:
        """Return what sets the dice of the campaign or crew that is named. Raises InvalidInput for both."""
        if self.campaign and self.crew:
            raise InvalidInput("Choose a campaign or a crew, not both.")
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
    """See how you can check that the dice are fair (visible only to you)."""

    command = "dice.show"
    typed = "dice show"
    titled = "Verify the dice"
    decision_of = ANYONE

    campaign: int = fields.campaign("Campaign (for the dice rolled between its games)", running=False)

    def as_typed_action(self) -> Action:
        """Return the action for the campaign if one is named."""
        return ShowCampaignDice(self.campaign) if self.campaign else self


@dataclass(frozen=True, slots=True)
class ShowCampaignDice(Action):
    """See how to check the dice that were rolled between the games of a campaign."""

    command = "campaign.verify"
    decision_of = ANYONE

    campaign: int = 0


@handles(DiceMode)
def mode(act: Act, action: DiceMode) -> Reply:
    """Set the person's dice; the log marks real dice."""
    seat = act.seat
    if seat is None or seat.role == "spectator":
        raise InvalidInput(NOT_SEATED)
    _require_settled(act)
    played = game_of(act.encounter)
    if isinstance(played, Shuffles) and seat.dice != REAL:
        raise InvalidInput(played.shuffles)
    if seat.dice == action.mode:
        whose = "real dice" if action.mode == REAL else "the bot's dice"
        raise InvalidInput(f"You already use {whose}.")
    seat.dice = action.mode
    return _describe_dice(act, action.mode)


def _require_settled(act: Act) -> None:
    if find_waiting_roll(act.book, act.actor.user_id):
        raise InvalidInput("Finish the roll that is waiting for your dice, or cancel it with /dice drop.")


def _describe_dice(act: Act, mode: str, where: str = "") -> Reply:
    if mode == REAL:
        return say(
            f"{act.actor.name} now rolls real dice{where}.",
            "The bot will ask for the faces.",
            "The log marks these rolls as real dice.",
        )
    return say(f"{act.actor.name} now rolls the bot's dice{where}.")


@handles(CampaignDice, Place.CAMPAIGN)
def set_campaign_dice(act: Act, action: CampaignDice) -> Reply:
    """Set the person's dice in a campaign that they play in or run."""
    camp = Campaign(act)
    owners = {entrant.owner_id for entrant in camp.entrants()}
    act.require(act.actor.user_id in owners or act.is_organiser, "Join this campaign with a crew first.")
    _require_settled(act)
    set_thrower(act.book, act.actor.user_id, action.mode)
    return _describe_dice(act, action.mode, f" in {camp.row.name}")


@handles(CrewDice, Place.CREW, beforehand=standing_asked)
def set_crew_dice(act: Act, action: CrewDice) -> Reply:
    """Set a crew's dice, which it takes along; if it already plays somewhere, its owner is asked."""
    crew = act.book.get(CrewRow)
    if crew is None:
        raise InvalidInput("That crew doesn't exist. /crew list shows all crews.")
    if crew.owner_id != act.actor.user_id:
        raise InvalidInput(f"{crew.name} is not your crew.")
    _require_settled(act)
    set_thrower(act.book, act.actor.user_id, action.mode)
    reply = _describe_dice(act, action.mode, f" with {crew.name}")
    state = standing_in(act)
    if not state.running:
        return reply
    campaign_button = Button(
        f"Use these dice in {state.where} too"[:80], CampaignDice(state.campaign, action.mode)
    )
    line = f"This doesn't affect {state.where}, where the crew is already playing."
    return replace(reply, lines=(*reply.lines, line), buttons=(*reply.buttons, campaign_button))


async def _load_game(store: Store, actor: Actor, action: ShowDice) -> Loaded | None:
    return await store.load(actor.reads)


@handles(ShowDice, Place.PLAYED, beforehand=_load_game)
def show_dice(act: Act, action: ShowDice) -> Reply:
    """Show every code that a check of the dice needs, during the game and when it has ended."""
    loaded: Loaded | None = act.extra
    if loaded is None or loaded.book().get(EncounterRow) is None:
        raise InvalidInput("No game has been played in this channel yet.")
    encounter = Encounter(loaded.book())
    lines = seed_lines(encounter.row.commitment, encounter.row.revealed_seed, "game")
    for seal in encounter.seals():
        known = f"`{seal.shown}`" if seal.opened else "still secret"
        lines += [f"{possessive(seal.name)} phrase is {known}. Its SHA-256:", f"`{seal.seal}`"]
    for secret in encounter.book.all(SecretRow):
        if secret.proof:
            lines += _list_secret_lines(encounter, secret)
    lines += [f"{seat.name} rolls real dice." for seat in encounter.seats() if seat.dice == "real"]
    lines += ["Record code so far:", f"`{loaded.scope.shown}`"]
    if encounter.row.status == ENDED:
        lines.append("To check every roll, get the file with /export, then run python -m bot verify FILE.")
    else:
        lines.append("Write these codes down. After the game, they let you check that nothing was changed.")
    return Reply(tuple(lines), private=True)


def _list_secret_lines(encounter: Encounter, row: SecretRow) -> list[str]:
    """Return the code of something that a side hides, and what it hid once that is known."""
    open_now = row.revealed or encounter.row.status == ENDED
    known = f"`{row.content}`" if open_now else "still secret"
    side = possessive(encounter.side(row.side).name)
    return [f"{side} {row.kind} is {known}. Its SHA-256:", f"`{row.proof}`"]


@handles(ShowCampaignDice, Place.CAMPAIGN)
def show_campaign(act: Act, action: ShowCampaignDice) -> Reply:
    """Show the codes of the dice between games to the person who asks."""
    row = Campaign(act).row
    return Reply(tuple(seed_lines(row.commitment, row.revealed_seed, "campaign")), private=True)


def seed_lines(commitment: str, seed: str, what: str) -> list[str]:
    """Return how the dice of a game or campaign are fixed, and the seed itself once it is known."""
    now = f"Seed: `{seed}`" if seed else f"The seed is shown after the {what}."
    return ["All dice come from a seed that was fixed at the start. Its SHA-256:", f"`{commitment}`", now]


VERIFY = Note("To verify the dice, use /dice show.")

MAX_PHRASES = 40
MAX_WORDS_LENGTH = 60

SALT_LETTERS = 16
"""Letters after a sealed phrase, so that it can't be found by trying what people usually write."""

SHA256 = re.compile(r"[0-9a-f]{64}")
"""What is given where the words were closed at home."""

PHRASES_CLOSED = "It's too late to add or reveal a phrase."


@dataclass(frozen=True, slots=True)
class AddWords(Action):
    """Add a secret phrase that is mixed into the dice.

    A SHA-256 means a phrase that was sealed at home and is not known yet.
    """

    command = "dice.words"
    typed = "dice words"
    titled = "Secret phrase for the dice"
    decision_of = SELF

    text: str = fields.text("Your phrase, or its SHA-256", None, needed=True)


@dataclass(frozen=True, slots=True)
class OpenWords(Action):
    """Reveal the phrase whose SHA-256 you entered."""

    command = "dice.open"
    typed = "dice open"
    decision_of = SELF

    text: str = fields.text("Your phrase, exactly as you wrote it", None, needed=True)


LAST_PHRASE_HINT = ("If you add your phrase last, no one can choose theirs in response to it.",)

REVEAL_BUTTON = Button("Reveal my phrase...", OpenWords(), anytime=True, asks=True)


def seal_of(words: str) -> str:
    """Return the SHA-256 that closes words."""
    return sha256(words.encode()).hexdigest()


def are_phrases_closed(encounter: Encounter) -> bool:
    """Return whether phrases are closed, because the game has begun or a phrase was opened."""
    row = encounter.row
    return row.status != SETUP or bool(encounter.words()) or any(seal.opened for seal in encounter.seals())


def can_reveal_phrase(encounter: Encounter, user_id: int) -> bool:
    """Return whether a person still has a phrase to reveal."""
    return any(seal.user_id == user_id and seal.at_home and not seal.opened for seal in encounter.seals())


@handles(AddWords)
def add_words(act: Act, action: AddWords) -> Reply:
    """Add a secret phrase. A new phrase replaces the person's old one and is the last.

    The letters after it depend on the seed and the seat alone, and are not mixed into the dice.
    """
    encounter, actor = act.encounter, act.actor
    if act.seat is None or act.seat.role == "spectator":
        raise NotAllowed("Join the game first with /encounter join. Then you can add a phrase.")
    if are_phrases_closed(encounter):
        raise InvalidInput(PHRASES_CLOSED)
    text = plain(action.text)
    at_home = SHA256.fullmatch(text.lower()) is not None
    text = text.lower() if at_home else plain(text, MAX_WORDS_LENGTH)
    if not text:
        raise Missing("Enter at least one letter or digit for your phrase.")
    seals = [row for row in encounter.seals() if row.user_id == actor.user_id]
    if len(encounter.seals()) - len(seals) >= MAX_PHRASES:
        raise InvalidInput(f"No more phrases can be added; {MAX_PHRASES} people have added one.")
    for earlier in seals:
        encounter.book.remove(earlier)
    row = SealRow(encounter.book.scope, act.entry, actor.user_id, actor.name, text)
    if not at_home:
        row.text = text
        row.salt = hmac.new(act.seed, f"words {act.seat.id}".encode(), sha256).hexdigest()[:SALT_LETTERS]
        row.seal = seal_of(row.shown)
    encounter.book.add(row)
    mine_too = Button("Add my phrase...", AddWords(), anytime=True, asks=True)
    public = say(f"{actor.name} added a secret phrase for the dice.", buttons=[mine_too])
    if at_home:
        own = say(
            "You added the SHA-256 of your phrase.",
            "Reveal your phrase when everyone has added theirs.",
            buttons=[REVEAL_BUTTON],
        )
    else:
        own = say(f"Your phrase: {row.text}", "It is revealed when the game begins.", *LAST_PHRASE_HINT)
    return replace(own, private=True, also=(public,)).aside()


@handles(OpenWords)
def open_words(act: Act, action: OpenWords) -> Reply:
    """Open a sealed phrase.

    From then on no phrase can be added, because the opener has seen that all others are fixed.
    """
    if act.encounter.row.status != SETUP or act.encounter.words():
        raise InvalidInput(PHRASES_CLOSED)
    seal = next((row for row in act.encounter.seals() if row.user_id == act.actor.user_id), None)
    if seal is None or not seal.at_home:
        raise InvalidInput("First use /dice words to add the SHA-256 of your phrase.")
    if seal.opened:
        raise InvalidInput("You have already revealed your phrase.")
    text = plain(action.text, MAX_WORDS_LENGTH)
    if seal_of(text) != seal.seal:
        raise InvalidInput(
            "Enter your phrase exactly as you first wrote it. This one has a different SHA-256."
        )
    seal.text, seal.opened = text, True
    return say(f"{act.actor.name} reveals a phrase for the dice:", text).aside()


def open_all(act: Act) -> Sequence[str]:
    """Open all phrases as the game begins; they count from the next die on.

    Raises Barred for words that are not opened, and where who begins has given the last: an organiser may
    let that pass.
    """
    encounter = act.encounter
    if encounter.row.status != SETUP or encounter.words():
        return ()
    seals = encounter.seals()
    missing = [row for row in seals if not row.text]
    if missing:
        names = join_with_and([row.name for row in missing])
        phrases = "phrase" if len(missing) == 1 else "phrases"
        with act.overridable():
            raise Barred(f"Wait for {names} to reveal their secret {phrases}.", "", REVEAL_BUTTON)
    _require_not_last(act, seals)
    lines = []
    for row in seals:
        if row.text:
            row.opened = True
            number = encounter.book.next_id(WordRow)
            encounter.book.add(WordRow(encounter.book.scope, number, row.user_id, row.text))
            lines.append(f"{row.name}: {row.text}")
    lines += [f"{possessive(row.name)} phrase was not revealed and doesn't count." for row in missing]
    return ("Secret phrases for the dice:", *lines) if lines else ()


def _require_not_last(act: Act, seals: Sequence[SealRow]) -> None:
    """Refuse Begin to the player whose phrase came last, so that the others can add theirs again."""
    if not seals or seals[-1].user_id != act.actor.user_id:
        return
    others = [row.name for row in seals[:-1] if not row.at_home]
    if others:
        with act.overridable():
            raise Barred(f"Let {' or '.join(others)} press Begin, because you added the last phrase.", "")
