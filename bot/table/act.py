"""One act: a person asks one action of the table; what its handler reads, rolls and changes, it does here."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Concatenate, ParamSpec, TypeVar

from bot.actions import Action, with_sorted_lists
from bot.replies.chances import exactness
from bot.replies.reply import Attachment, Button, Note
from bot.store.book import Book, BookView, is_own_place
from bot.store.row_types import CampaignRow
from bot.store.rows import EncounterRow, ModelRow, SeatRow
from bot.table.channels import Channels, NoChannels
from bot.table.encounter import Encounter, EncounterView
from bot.table.odds_budget import SOLVER_WORK, Aside, Thinking
from bot.table.throw_purposes import (
    Asked,
    Cast,
    Fell,
    Heard,
    Named,
    Throw,
    Whose,
    cast_of,
    fallen,
    listener,
    prompt,
    purpose_of,
    whose_of,
)
from rules.dice import Dice, Die, MoreDice, Odds, Roller, Solver, Source
from rules.refusals import Forbidden, LettingPass, Passing
from rules.wording import join_with_and, possessive

P = ParamSpec("P")
R = TypeVar("R", bound=Hashable)

RUNS_ALREADY = (
    "A game is already running in this channel.",
    "Join it with /encounter join, or see it with /encounter status.",
)
"""Why no other game begins in a channel."""


@dataclass(frozen=True, slots=True)
class Actor:
    """The person who asks, and the place.

    `manages`: may manage the channel, so counts as an organiser there. serves: may manage the server.
    channels: the server's channels as this person sees them. pressed: the scope of the button that was
    pressed, 0 for a command. reads: the scope of the game that is read.
    """

    user_id: int
    name: str
    guild_id: int
    channel_id: int
    manages: bool = False
    serves: bool = False
    channels: Channels = field(default=NoChannels(), compare=False, repr=False)
    pressed: int = 0
    reads: int = 0

    @property
    def is_outside(self) -> bool:
        """Return whether they ask where the bot is not a member: in a direct message or a foreign server."""
        return is_own_place(self.guild_id)


ENTERED_BY = "entered_by"
"""The setting that lets one person enter rolls and answers for all players."""

EACH_PLAYER, ANY_PLAYER = "each_player", "any_player"
"""Its values, the default first."""

NOT_SEATED = "Join this game first with /encounter join."
"""The refusal for a person without a seat, or a spectator, who asks for something only players do."""


class NotAllowed(Forbidden):
    """The person may not do this, but an organiser may, with a reason that everyone can read."""


class Barred(Forbidden):
    """Refused as things stand; `buttons` change that."""

    def __init__(self, sentence: str, rule: str, *buttons: Button) -> None:
        super().__init__(sentence, rule, waivable=True)
        self.buttons = buttons


class ActView:
    """What is asked, with the table as it stands: to be read, without dice and without a way to alter rows.

    book: the rows of the scope. reason: why an organiser overrides a refusal, empty if none does. extra: data
    that the handler asked to have read before. seed: the secret of the encounter's dice; only the start and
    the end of an encounter look at it. canonical: the action in its normal form; the journal stores it, and
    it tells a repeat from another action. entry: the number that this act will have in the log. moved: the
    entry by which the game last went on. undone: the faces of an undone roll are waiting to be used again.
    thinking: how its odds are found. tries: the table only checks what may be done; no one sees the reply, so
    no picture is drawn. overridden: the refusals that an organiser's reason let pass. entered_for: the people
    that it was entered for, if one person enters for all players. seen_facts: what the board measured and
    what was entered instead, in lines. seen_pair: the models between which the board measured.
    """

    __slots__ = (
        "_book",
        "_canonical",
        "_encounter",
        "_passing",
        "action",
        "actor",
        "entered_for",
        "entry",
        "extra",
        "moved",
        "overridden",
        "reason",
        "seed",
        "seen_facts",
        "seen_pair",
        "thinking",
        "told",
        "tries",
        "undone",
    )

    def __init__(
        self,
        book: Book,
        actor: Actor,
        action: Action,
        *,
        reason: str = "",
        extra: Any = None,
        seed: bytes = b"",
        tries: bool = False,
    ) -> None:
        self._book = book
        self.actor = actor
        self.action = action
        self._canonical = action
        self.entry = 0
        self.moved = 0
        self.undone = False
        self.reason = reason
        self.extra = extra
        self.seed = seed
        self.tries = tries
        self.overridden: list[Forbidden] = []
        self.entered_for: list[str] = []
        self.seen_facts: tuple[str, ...] = ()
        self.seen_pair = (0, 0)
        self._passing = Passing(self.overridden)
        self._encounter: Encounter | None = None
        self.thinking: Thinking | Aside = Aside()
        self.told: list[Odds[Any]] = []

    @property
    def book(self) -> BookView:
        """Return the rows of the scope."""
        return self._book

    @property
    def canonical(self) -> Action:
        """Return the action in the one form that all ways of asking it share, its lists in one order."""
        return with_sorted_lists(self._canonical)

    @canonical.setter
    def canonical(self, action: Action) -> None:
        self._canonical = action

    @contextmanager
    def considering(self, action: Action) -> Iterator[None]:
        """Look at another action as if it had been asked, and forget afterwards what it did to this act."""
        before = self.action, self._canonical, self.seen_facts, self.seen_pair
        self.action = self._canonical = action
        try:
            yield
        finally:
            self.action, self._canonical, self.seen_facts, self.seen_pair = before

    # ------------------------------------------------------------- what is there

    @property
    def encounter(self) -> EncounterView:
        """Return the encounter of this scope. Raises InvalidInput where there is none."""
        return self._played

    @property
    def _played(self) -> Encounter:
        if self._encounter is None:
            self._encounter = Encounter(self._book)
        return self._encounter

    def share(self, encounter: Encounter | None) -> None:
        """Return an encounter that another act also reads."""
        self._encounter = encounter

    @property
    def has_encounter(self) -> bool:
        """Return whether the scope is an encounter that has been started."""
        return self._encounter is not None or self.book.get(EncounterRow) is not None

    @property
    def seat(self) -> SeatRow | None:
        """Return the place of the person who asks."""
        return self.encounter.seat_of(self.actor.user_id)

    @property
    def only_watches(self) -> bool:
        """Return whether a game runs here in which the person who asks has nothing to do."""
        if not self.has_encounter or self.is_organiser:
            return False
        seat = self.seat
        return seat is None or seat.role == "spectator"

    # ------------------------------------------------------------- chances

    def solve(self, rule: Callable[Concatenate[Dice, P], R], *args: P.args, **kwargs: P.kwargs) -> Odds[R]:
        """Return the odds of a rule; nothing is rolled. Solved, or sampled where that would take too long."""
        odds = self.thinking.odds(rule, args, kwargs)
        self.told.append(odds)
        return odds

    def drawn(
        self, draw: Callable[P, Attachment], *args: P.args, **kwargs: P.kwargs
    ) -> tuple[Attachment, ...]:
        """Return a picture for the reply, or None if the action is only tried."""
        return () if self.tries else (draw(*args, **kwargs),)

    def decide(self, rule: Callable[Concatenate[Dice, P], R], *args: P.args, **kwargs: P.kwargs) -> Odds[R]:
        """Return odds that decide something: the same on every machine, however much time there is.

        Raises TooLarge.
        """
        return Solver(work=SOLVER_WORK).solve(rule, *args, **kwargs)

    @property
    def exactness(self) -> Note:
        """Return how exact all odds are that were told in this act, in words."""
        return exactness(*self.told)

    # ------------------------------------------------------------- who may

    @property
    def is_organiser(self) -> bool:
        """Return whether the person who asks may override: an organiser, or a manager of the channel."""
        return self.actor.manages or self.organises

    @property
    def organises(self) -> bool:
        """Return whether the person who asks is an organiser here, and so decides without giving a reason."""
        row = self.book.get(EncounterRow) or self.book.get(CampaignRow)
        return row is not None and self.actor.user_id in row.organisers

    @property
    def overrides(self) -> bool:
        """Return whether an organiser gave a reason for which refusals pass."""
        return bool(self.reason) and self.is_organiser

    @property
    def has_organiser(self) -> bool:
        """Return whether the scope is an encounter or a campaign, whose organiser may override."""
        return self.has_encounter or self.book.get(CampaignRow) is not None

    @contextmanager
    def overridable(self) -> Iterator[None]:
        """Collect refusals that an organiser's reason lets pass, so that everyone can read them."""
        try:
            yield
        except Forbidden as refusal:
            if not self.overrides:
                refusal.waivable = True
                raise
            self.overridden.append(refusal)

    def passing(self) -> LettingPass:
        """Return the context in which the rules ignore refusals for which an organiser gave a reason."""
        self._passing.everything = self.overrides
        return LettingPass(self._passing)

    def measure(self, inches: float) -> None:
        """Remember a distance that the board measures, so that no refusal says that it was entered."""
        self._passing.measured.add(inches)

    def let_pass(self, rules: Iterable[str]) -> None:
        """Ignore the refusals that were ignored, and shown to everyone, when the current action was
        declared.
        """
        self._passing.rules.update(rules)

    def require(self, allowed: bool, sentence: str) -> None:
        """Refuse, with NotAllowed, what this person may not do; an organiser's reason lets it pass."""
        if not allowed:
            with self.overridable():
                raise NotAllowed(sentence)

    @property
    def enters_for_everybody(self) -> bool:
        """Return whether this player enters for all players here. Secrets stay with each side."""
        if self.action.secret or self.only_watches or self.seat is None:
            return False
        return self.encounter.setting(ENTERED_BY, EACH_PLAYER) == ANY_PLAYER

    def require_decision(self, is_own: bool, owners: Sequence[str], sentence: str) -> None:
        """Refuse, with NotAllowed, a decision that belongs to others.

        owners: their names. An organiser's reason lets it pass, and so does the setting that one person
        enters for all players. Everyone is told of both.
        """
        if not is_own and self.enters_for_everybody:
            self.entered_for += [name for name in owners if name not in self.entered_for]
            return
        self.require(is_own, sentence)

    def require_weapon_of(self, side: int, name: str, instead: str) -> None:
        """Refuse a weapon that is named for another player's model. instead: what to do about it."""
        names = [seat.name for seat in self.encounter.players(side)]
        chooser = " or ".join(names) or "The model's player"
        self.require_decision(
            self.plays_on(side), names, f"{chooser} must choose {possessive(name)} weapon. {instead}"
        )

    def _plays(self, model: ModelRow) -> bool:
        return self.encounter.plays(self.actor.user_id, model)

    def require_model(self, model: ModelRow) -> None:
        """Refuse everyone except the player of a model and the captain of its side.

        See `require_decision`.
        """
        if self._plays(model):
            return
        other = "another player" if model.owner_id else "no one"
        names = [seat.name for seat in self.encounter.seats() if seat.user_id == model.owner_id]
        join = " Join the game with /encounter join." if self.only_watches else ""
        self.require_decision(
            False, names, f"{model.name} is not yours; {(*names, other)[0]} controls this model.{join}"
        )

    def plays_on(self, side: int) -> bool:
        """Return whether the person who asks has a place on this side, or a model there."""
        return self.encounter.plays_on(self.actor.user_id, side)

    def decides_for(self, side: int) -> bool:
        """Return whether the person who asks decides for a side: their own, one without players, or any if
        they enter for all.
        """
        return self.plays_on(side) or self.enters_for_everybody or not self.encounter.deciders(side)

    def require_side(self, side: int) -> None:
        """Refuse everyone except the players of a side. See `require_decision`."""
        names = [seat.name for seat in self.encounter.players(side)]
        name = self.encounter.side(side).name
        sentence = (
            f"Only {join_with_and(names)} can do this for {name}." if names else f"No one plays {name} yet."
        )
        self.require_decision(self.plays_on(side), names, sentence)

    def require_player(self) -> None:
        """Refuse spectators and strangers, who only watch."""
        seat = self.seat
        self.require(seat is not None and seat.role != "spectator", NOT_SEATED)


class Act(ActView):
    """An action while it is carried out.

    book: the rows of the scope, which the handler may change; they are only stored if the act is carried
    through. source: asked for the dice, once the act rolls.
    """

    __slots__ = ("_names", "_rolling", "_rolls", "_source", "roller")

    def __init__(
        self, book: Book, actor: Actor, action: Action, source: Callable[[Act], Source], **more: Any
    ) -> None:
        super().__init__(book, actor, action, **more)
        self.roller: Roller | None = None
        self._source = source
        self._rolls: list[tuple[int, Cast]] = []
        self._rolling = False
        self._names: Named | None = None

    @property
    def book(self) -> Book:
        """Return the rows of the scope, to be altered."""
        return self._book

    @property
    def encounter(self) -> Encounter:
        """Return the encounter of this scope, to be altered. Raises InvalidInput where there is none."""
        return self._played

    @property
    def dice(self) -> Roller:
        """Return the dice of this act; their faces and trace are kept with it."""
        if self.roller is None:
            self.roller = Roller(self._source(self), self._purpose)
        return self.roller

    def _purpose(self, label: str, hand: int, wave: int, die: object) -> str:
        """Return what the faces of a throw are bound to: its model, its purpose and its target, by number."""
        if self._names is None:
            self._names = Named(self.encounter if self.has_encounter else None)
        whose = Whose("", label, label)
        if self._rolling:
            mark, cast = self._rolls[-1]
            worth = die if isinstance(die, Die) else None
            whose = whose_of(cast, Throw(label, hand, wave, tuple(self.dice.trace[mark:]), worth))
        return purpose_of(whose, wave, self._names, self.actor.name)

    def roll(
        self, whose: Whose | Cast, rule: Callable[Concatenate[Dice, P], R], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """Roll a rule. whose: what each of its throws is for, told to who throws real dice. Raises Asked."""
        dice, cast = self.dice, cast_of(whose)
        mark = len(dice.trace)
        self._rolls.append((mark, cast))
        self._rolling = True
        try:
            outcome = rule(dice, *args, **kwargs)
        except MoreDice as more_dice:
            before = self._fell(self._rolls[:-1], mark)
            dice_prompt = prompt(more_dice, cast, dice.trace[mark:], before, self._player)
            raise Asked(more_dice, dice_prompt) from None
        finally:
            self._rolling = False
        tell = listener()
        if tell is not None:
            fell = self._fell(self._rolls[-1:], len(dice.trace))
            tell(Heard(self._heard_in, fell, rule, args, kwargs, outcome))
        return outcome

    def drew(
        self,
        whose: Whose,
        rule: Callable[Concatenate[Dice, P], R],
        came: R,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> None:
        """Record that a card came from a shuffled deck. rule: what might have come; came: what did."""
        tell = listener()
        if tell is not None:
            tell(Heard(self._heard_in, [Fell(whose, ())], rule, args, kwargs, came))

    @property
    def _heard_in(self) -> Encounter | None:
        return self.encounter if self.has_encounter else None

    @property
    def has_rolled(self) -> bool:
        """Return whether dice have fallen in this act."""
        return self.roller is not None and bool(self.roller.record)

    @property
    def fell(self) -> list[Fell]:
        """Return every throw of this act, in order."""
        return self._fell(self._rolls, len(self.roller.trace)) if self.roller else []

    def _fell(self, rolls: Sequence[tuple[int, Cast]], end: int) -> list[Fell]:
        ends = [*(mark for mark, _ in rolls[1:]), end]
        trace = self.dice.trace
        parts = zip(rolls, ends, strict=False)
        return [
            roll for (mark, cast), until in parts for roll in fallen(cast, trace[mark:until], self._player)
        ]

    def _player(self, whose: str) -> str:
        """Return who throws for a model or a side: its player, or else the person who asks."""
        if not self.has_encounter:
            return self.actor.name
        sides = {side.id: side.name for side in self.encounter.sides()}
        model = next((row for row in self.encounter.models(gone=True) if row.name == whose), None)
        for seat in self.encounter.seats():
            leads = seat.role == "captain" and sides.get(seat.side) == whose
            if leads or (model is not None and seat.user_id == model.owner_id):
                return seat.name
        return self.actor.name


def no_dice(act: Act) -> Source:
    """Return the dice of an act that only reads."""
    raise AssertionError(f"{act.action.command} only shows something, so it cannot roll dice")
