"""The interface of a game: how it starts, goes on and is shown; one object for each system."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, runtime_checkable

from bot.actions import Action
from bot.replies.reply import Attachment, Button, Reply
from bot.replies.weight import in_words
from bot.store.rows import CrewRow, MemberRow, ModelRow, SecretRow, SideRow
from bot.table.act import ANY_PLAYER, EACH_PLAYER, ENTERED_BY, Act, ActView
from bot.table.encounter import ENDED, Encounter, EncounterView
from bot.table.names import plain
from bot.table.setting import Setting, number
from bot.table.waits import Wait
from rules.measure import Sight
from rules.refusals import Missing

EVERYWHERE = ""
"""The room that is everything of a game, but what other pages name."""


@dataclass(frozen=True, slots=True)
class HelpPage:
    """One topic.

    words: lines of at most 38 columns. rooms: the rooms or modules whose commands are listed, as they are
    called inside the game's package; the nearest one counts.
    """

    words: Sequence[str] = field(default=())
    rooms: Sequence[str] = field(default=())


UNDO_OF_OTHERS = Setting(
    "undo_of_others",
    "Undoing what others did",
    "Another player's action can be undone and redone.",
    (("asks", "Only if that player agrees."), ("free", "Any player can undo and redo it.")),
)
UNDONE_DICE = Setting(
    "undone_dice",
    "Dice of an undone roll",
    "An undone roll keeps its dice, so that no one undoes a bad roll to get a better one.",
    (
        ("same_action", "The same action gets the same dice again; other actions roll new dice."),
        ("in_place", "The next roll of the same kind of dice gets those dice, whatever the action is."),
    ),
)
SETTINGS_COMMAND = "encounter.settings"
"""The command that changes how a game is played."""

UNDONE_ROLL_WAITS = "Repeat the undone roll first. Then you can change this setting."
"""Why the setting can't be changed now."""

NO_NEW_DICE = (
    "No one can allow new dice here; the next roll gets the dice of an undone roll (see /encounter settings)."
)

REPLIES = Setting(
    "replies",
    "Appearance of replies",
    "Replies can leave out headlines, pictures and grids, for people who use screen readers.",
    (
        ("full", "With bold headlines, pictures and grids."),
        ("plain_text", "In plain text; pictures are described in words."),
    ),
)
WHO_ENTERS = Setting(
    ENTERED_BY,
    "Entering rolls and answers",
    "Players can enter rolls and answers for each other, for example on a shared phone.",
    (
        (EACH_PLAYER, "Each player enters their own rolls and answers."),
        (ANY_PLAYER, "Any player can enter rolls and answers for everyone."),
    ),
)
REACTION_SECONDS = number(
    "reaction_seconds",
    "Time to react",
    "The acting side can go on when the other side's time to react is over.",
    60,
    (10, 3600),
    "{} seconds.",
)
TURNS, REACTIONS, NEVER = "turns", "reactions", "never"
PING = Setting(
    "ping",
    "When you are mentioned",
    "A message can mention you when the game starts waiting for you.",
    (
        (TURNS, "Whenever it's your turn."),
        (REACTIONS, "Only when you have to react or answer."),
        (NEVER, "Never."),
    ),
)
DAY_MS = 86_400_000
REMIND_DAYS = {"never": 0, "day": 1, "days": 2, "week": 7}
REMIND = Setting(
    "remind",
    "Reminders",
    "A message can mention you again when the game has been waiting for you for a long time.",
    (("never", "Never."), ("day", "After a day."), ("days", "After two days."), ("week", "After a week.")),
)
TABLE_SETTINGS: tuple[Setting, ...] = (
    UNDO_OF_OTHERS,
    UNDONE_DICE,
    WHO_ENTERS,
    REPLIES,
    REACTION_SECONDS,
    PING,
    REMIND,
)
"""The settings that every game has, whatever its rules."""


def gives_next_roll_undone_dice(encounter: Encounter) -> bool:
    """Return whether undone dice go to whatever is rolled next."""
    return UNDONE_DICE.of(encounter) != UNDONE_DICE.default


def reaction_seconds(encounter: Encounter) -> int:
    """Return the seconds a player has to react."""
    return int(REACTION_SECONDS.of(encounter))


def time_to_react(encounter: Encounter) -> str:
    """Return how long a player has to react, in words."""
    return f"{reaction_seconds(encounter)} seconds"


def ping(encounter: Encounter) -> str:
    """Return when people are mentioned: on their turns, only to react, or never."""
    return PING.of(encounter)


def remind_days(encounter: Encounter) -> int:
    """Return after how many days of waiting a player is reminded, 0 for never."""
    return REMIND_DAYS[REMIND.of(encounter)]


def uses_plain_text(encounter: Encounter) -> bool:
    """Return whether plain text was chosen: no bold text, bars, pictures or grids."""
    return REPLIES.of(encounter) != REPLIES.default


def format_for_encounter(encounter: Encounter, reply: Reply) -> Reply:
    """Return the reply for this game: complete, or in plain words if that was chosen."""
    return in_words(reply) if uses_plain_text(encounter) else reply


@dataclass(frozen=True, slots=True)
class Recruit:
    """A statblock that a crew can take.

    points: in the game's own currency. note: a few words. group: the menu that lists it.
    """

    key: str
    name: str
    points: int
    note: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True)
class SampleCrew:
    """A sample crew: its name and the keys of its recruits, the leader first."""

    name: str
    recruits: tuple[str, ...]


@runtime_checkable
class Acts(Protocol):
    """A game that names the acting model and its likely actions.

    likely: commands of actions that begin with the acting model, likeliest first.
    """

    likely: Sequence[str]

    def acting(self, encounter: Encounter) -> Sequence[ModelRow]:
        """Return the models that act now; empty if that is not decided."""
        ...


@runtime_checkable
class Activates(Protocol):
    """A game in which an activation is more than the models that `acting` names."""

    def activated(self, encounter: Encounter) -> Sequence[int]:
        """Return the numbers of the models whose activation is under way."""
        ...


@runtime_checkable
class Watches(Protocol):
    """A game in which a model can wait to shoot at a moving enemy."""

    def watching(self, encounter: Encounter, model: ModelRow) -> str:
        """Return the word for that; empty if the model doesn't wait."""
        ...


@runtime_checkable
class Answers(Protocol):
    """A game in which models answer the acting model."""

    def answering(self, encounter: EncounterView) -> Collection[int]:
        """Return the numbers of the models with a public answer: the likely targets."""
        ...


class Game(Acts, Protocol):
    """A rule system at the table."""

    key: str
    name: str
    turns: int
    """The usual number of turns, or 0 for a game without a fixed length."""

    pages: Mapping[str, HelpPage]
    """The game's pages of /help, by topic."""

    def recruits(self) -> Sequence[Recruit]:
        """Return every statblock a crew can take."""
        ...

    def profile(self, key: str) -> str:
        """Return the statblock of a recruit as text for a model's row. Raises InvalidInput."""
        ...

    def sample_crews(self) -> tuple[SampleCrew, SampleCrew]:
        """Return two crews for a game between people who have none."""
        ...

    def crew_lines(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[str]:
        """Return what is worth knowing about a crew, beside its members, points and faults."""
        ...

    def crew_faults(self, crew: CrewRow, members: Sequence[MemberRow], limit: int) -> Sequence[str]:
        """Return everything that makes a crew illegal, each with the model and the reason.

        limit 0: without an agreed limit.
        """
        ...

    def enlist(self, encounter: Encounter, model: ModelRow, member: MemberRow) -> None:
        """Make a model that has just joined an encounter ready: leader, counters."""
        ...

    def side_ready(self, encounter: Encounter, side: int) -> None:
        """Prepare a side whose models have all joined: its tokens, its points, its pairs."""
        ...

    def next_step(self, act: Act) -> Reply:
        """Advance the encounter: begin the game, end a turn, or begin the next."""
        ...

    def ending(self, encounter: Encounter) -> Sequence[str]:
        """Return the result, when the encounter ends: lines of which one begins with each side's name."""
        ...

    def standing(self, encounter: Encounter) -> Sequence[str]:
        """Return the public lines of the result if the game ended now, without secrets."""
        ...

    def waits(self, encounter: Encounter) -> Wait | None:
        """Return what the game waits for, and from which players, without secrets; None for nothing."""
        ...

    def panel(self, encounter: Encounter) -> Reply:
        """Return the live panel: at most 38 columns wide, with the buttons that matter now."""
        ...

    def model_lines(self, encounter: Encounter, model: ModelRow) -> Sequence[str]:
        """Return a model's statblock and state in a few lines."""
        ...

    def model_summary(self, encounter: EncounterView, model: ModelRow) -> str:
        """Return a model in one line: name, life left, conditions."""
        ...

    def defence(self, encounter: EncounterView, model: ModelRow) -> str:
        """Return what protects a model by its profile, in the game's words; empty if that is hidden."""
        ...

    def life(self, model: ModelRow) -> int:
        """Return how many wounds a model takes before it goes down."""
        ...

    def conditions(self) -> Sequence[str]:
        """Return the conditions of this game."""
        ...

    def harmed(self, act: Act, model: ModelRow) -> Sequence[str]:
        """Return what follows when a model's damage was changed by hand; said in lines."""
        ...

    def settings(self) -> Sequence[Setting]:
        """Return the settings that an encounter may choose: key, values with the default first, what
        they decide.
        """
        ...


@runtime_checkable
class OnBoard(Protocol):
    """A game that is played in inches, so that it may have a board.

    smoke_hides: smoke blocks sight; if not, the game makes something else of the smoke on a line.
    """

    smoke_hides: ClassVar[bool]

    def body(self, encounter: EncounterView, model: ModelRow) -> tuple[float, float]:
        """Return the width of a model's base in millimetres and its height in inches, from public facts."""
        ...

    def cover(self, encounter: EncounterView, viewer: int, target: int, sight: Sight) -> str:
        """Return the cover of a target that is seen like that, and what it is worth, in the game's words.

        Empty for none.
        """
        ...


@runtime_checkable
class MovesOnBoard(Protocol):
    """A game whose own moves go a way on the board."""

    def board_moves(self, encounter: EncounterView, model: ModelRow) -> Mapping[str, Action]:
        """Return the moves of a model by their labels, the cheapest first.

        Each has a field `where` for the way.
        """
        ...


@runtime_checkable
class AsksFirst(Protocol):
    """A game in which something may be left to do before the encounter is led on."""

    def before_next(self, act: Act) -> Reply | None:
        """Return the question to ask before that, with a button that goes on anyway; None if nothing is left
        to do.
        """
        ...


@runtime_checkable
class Welcomes(Protocol):
    """A game in which a side that comes has something to decide at once."""

    def arrived(self, act: Act, side: SideRow) -> Reply:
        """Return the private question to the player who brought a side."""
        ...


@runtime_checkable
class Chooses(Protocol):
    """A game that knows when something that may be done is nothing that a player wants now."""

    def unlikely(self, encounter: Encounter, action: Action) -> bool:
        """Return whether this, with the likeliest values, belongs behind `More...`."""
        ...


@dataclass(frozen=True, slots=True)
class Concealed:
    """A model that is kept off the table in secret, and the number of its side."""

    name: str
    side: int


@runtime_checkable
class Conceals(Protocol):
    """A game in which models are kept off the table in secret."""

    def concealed(self, encounter: EncounterView, user_id: int) -> Mapping[str, Concealed]:
        """Return those that this person plays, by how each is named in an action."""
        ...


@runtime_checkable
class Opens(Protocol):
    """A game in which a secret may be laid open although its row stays hidden, or go without being seen."""

    def laid_open(self, before: Encounter, after: Encounter) -> Iterable[SecretRow]:
        """Return what was hidden before one entry, and others have seen since, as it stood before."""
        ...


@runtime_checkable
class Redeals(Protocol):
    """A game in which a side hides things, which a player who joins later may lay again."""

    def secrets_of(self, encounter: Encounter, side: int) -> Sequence[str]:
        """Return what the side hides now, in words."""
        ...

    def can_redeal(self, encounter: Encounter, side: int) -> bool:
        """Return whether any of it can be laid again at this point of the game."""
        ...

    def redeal(self, act: Act, side: int) -> Sequence[str]:
        """Shuffle or hide the secrets again, and return what to tell everyone.

        Raises InvalidInput if that can't be done now.
        """
        ...


@runtime_checkable
class Foresees(Protocol):
    """A game with something in a hidden order, so that a player who undoes a step knows what comes next."""

    def foreseen(self, before: Encounter, after: Encounter) -> Iterable[tuple[int, str]]:
        """Return each side that saw what comes next, with words for it that give nothing away.

        before, after: the game before and after an entry that is taken back.
        """
        ...


def find_revealed_secrets(before: Encounter, after: Encounter) -> Iterator[SecretRow]:
    """Yield the secrets that others have seen since, as they stood before: revealed or removed."""
    remaining_rows = {row.id: row for row in after.book.all(SecretRow)}
    for row in before.book.all(SecretRow):
        if (
            row.side
            and not row.revealed
            and (row.id not in remaining_rows or remaining_rows[row.id].revealed)
        ):
            yield row


@runtime_checkable
class NeedsTable(Protocol):
    """A game of which no attack can be weighed before it is played.

    needs: what that takes of its table, in words.
    """

    needs: str


@runtime_checkable
class Shuffles(Protocol):
    """A game with cards that the bot shuffles, so that no player rolls real dice.

    shuffles: the sentence that says so.
    """

    shuffles: str


@runtime_checkable
class SetsUp(Protocol):
    """A game in which more than its crews is set up before it begins.

    sets_up: commands of the actions that do it, in their order at the table.
    """

    sets_up: Sequence[str]


@runtime_checkable
class Prepares(Protocol):
    """A game in which players choose something in menus of their own before it begins.

    prepares: commands of the actions that do it.
    """

    prepares: Sequence[str]


@runtime_checkable
class TakesDown(Protocol):
    """A game that tells who was taken down by an enemy.

    downed: of the words for how a model left play, those for that.
    """

    downed: Sequence[str]


@runtime_checkable
class RemembersActs(Protocol):
    """A game in which a model acts once in a turn or phase."""

    def acted(self, encounter: Encounter) -> Iterable[int]:
        """Return the numbers of the models whose activation in it is over or under way."""
        ...


@runtime_checkable
class DrawsBoard(Protocol):
    """A game that knows where its models are."""

    def board(self, encounter: Encounter) -> Attachment | None:
        """Return a picture of the board, as anybody may see it; None while there is no board."""
        ...


@runtime_checkable
class Hints(Protocol):
    """A game that tells, in Show me, what its buttons are for.

    hints: for what the label of a button begins with, one sentence.
    """

    hints: Mapping[str, str]


@runtime_checkable
class Shortens(Protocol):
    """A game whose rounds are long, so that Show me lets the rest of one pass.

    shortens: what ends all that is left of a round but its end; ends_with: the label that ends it.
    """

    shortens: Action
    ends_with: str


@runtime_checkable
class Loses(Protocol):
    """A game in which more follows when a model leaves play."""

    def leave(self, act: Act, model: ModelRow, reason: str) -> Reply:
        """Remove a model from play with all consequences. Returns lines to tell, and buttons for choices."""
        ...


@runtime_checkable
class WaitsForBegin(Protocol):
    """A game in which some of its actions wait until it has begun."""

    def require_begun(self, act: ActView, action: Action) -> None:
        """Refuse an action of the game that is asked before its time. Raises Forbidden."""
        ...


@runtime_checkable
class Settles(Protocol):
    """A game in which something is declared first and settled after someone else has answered."""

    def unsettled(self, encounter: EncounterView, action: Action) -> str:
        """Return the refusal of a change by hand while something is not settled yet, or an empty text."""
        ...


@runtime_checkable
class Afflicts(Protocol):
    """A game in which more follows when a model comes under a condition, or is rid of one, by hand."""

    def under(self, encounter: EncounterView, model: ModelRow) -> Sequence[str]:
        """Return the conditions of a model that may be ended by hand, oldest first."""
        ...

    def afflict(self, act: Act, model: ModelRow, kind: str, value: int) -> Reply:
        """Put a model under a condition with what follows: lines to tell, and buttons. Raises Forbidden."""
        ...

    def relieve(self, act: Act, model: ModelRow, kinds: Sequence[str]) -> Reply:
        """End conditions of a model with what follows: lines to tell, and buttons."""
        ...


@runtime_checkable
class TakesBack(Protocol):
    """A game in which more follows when a model that left play is brought back."""

    def returned(self, act: Act, model: ModelRow) -> Sequence[str]:
        """Return what is to be told of a model that is in play again."""
        ...


@runtime_checkable
class Equips(Protocol):
    """A game whose models may be given more to carry than their statblock says."""

    def equip(self, profile: str, names: Sequence[str]) -> str:
        """Return the statblock of a model's row with further equipment. Raises InvalidInput."""
        ...

    def equipment(self) -> Sequence[str]:
        """Return the names of everything that a model can be given."""
        ...


@runtime_checkable
class Outfits(Protocol):
    """A game whose recruits may take equipment beyond their printed blocks."""

    def outfitted(self, key: str, equipment: Sequence[str]) -> tuple[str, int]:
        """Return a recruit with further equipment, by name: its statblock as text, and the points it adds."""
        ...

    def outfit(self, profile: str, equipment: Sequence[str]) -> tuple[str, int]:
        """Return a statblock's text with further equipment, by name, and the points it adds."""
        ...


@runtime_checkable
class Builds(Protocol):
    """A game in which models of one's own are built for a crew, step by step."""

    def building(self, crew: CrewRow) -> Button:
        """Return what begins one, or goes on with it."""
        ...


@runtime_checkable
class Types(Protocol):
    """A game whose statblocks may be typed."""

    def typed(self, text: str, name: str) -> tuple[str, str, int] | None:
        """Return a typed statblock: its name, its text for a model's row, and its points.

        name: the model's name if the text has none. None if the text is only a recruit's name. Raises
        InvalidInput.
        """
        ...

    def as_typed(self, profile: str) -> str:
        """Return the statblock of a row as `typed` reads it back. Raises InvalidInput for one that isn't."""
        ...


@runtime_checkable
class CompletesBlocks(Protocol):
    """A game that knows what players leave out when they write a statblock into a list."""

    def completed_block(self, text: str) -> tuple[str, Sequence[str]]:
        """Return a typed statblock with what it lacks, and what was filled in, in words."""
        ...


@runtime_checkable
class Writes(Types, Protocol):
    """A game whose statblocks are written down: for people and for programs."""

    def block_lines(self, profile: str) -> Sequence[str]:
        """Return a statblock's figures, a few lines."""
        ...

    def block_example(self) -> str:
        """Return a statblock as it is typed, to learn from."""
        ...

    def block_text(self, profile: str) -> str:
        """Return a statblock as it can be typed again."""
        ...

    def block_values(self, profile: str) -> dict[str, Any]:
        """Return a statblock as values for programs."""
        ...

    def from_block_values(self, values: Mapping[str, Any]) -> tuple[str, str, int]:
        """Return the name, the text for a row, and the points of such values. Raises InvalidInput."""
        ...


@runtime_checkable
class TellsUndone(Protocol):
    """A game in which more is to be told when steps were taken back."""

    def undone(self, before: Encounter, after: Encounter) -> Sequence[str]:
        """Return the public lines about the undo. They must not depend on secrets."""
        ...


GAMES: dict[str, Game] = {}
"""The games by key."""

SECRET_CREWS: set[str] = set()
"""Games with secret crews, because their crews contain models that an opponent must not know of."""


def list_settings(played: Game) -> tuple[Setting, ...]:
    """Return the settings of a game's encounters: its own, then those of every table."""
    return (*played.settings(), *TABLE_SETTINGS)


def game_of(encounter: EncounterView) -> Game:
    """Return the game that an encounter plays."""
    return game(encounter.row.system)


def concealed_from(encounter: EncounterView, user_id: int) -> Mapping[str, Concealed]:
    """Return the models that this person keeps off the table in secret, by how each is named in an action."""
    played = game_of(encounter)
    return played.concealed(encounter, user_id) if isinstance(played, Conceals) else {}


def activated(encounter: Encounter) -> tuple[int, ...]:
    """Return the models whose activation is under way, by number."""
    game = game_of(encounter)
    if not encounter.row.turn or encounter.row.status == ENDED:
        return ()
    if isinstance(game, Activates):
        return tuple(game.activated(encounter))
    return tuple(model.id for model in game.acting(encounter))


def is_wanted(encounter: Encounter, action: Action) -> bool:
    """Return whether something that may be done is what a player may want now, as far as its game tells."""
    played = game_of(encounter)
    return not (isinstance(played, Chooses) and played.unlikely(encounter, action))


def game(key: str) -> Game:
    """Return the game of that key. Raises InvalidInput."""
    system = GAMES.get(key)
    if system is None:
        names = ", ".join(system.name for system in GAMES.values())
        raise Missing(f"Choose one of these games: {names} (there is no game called {plain(key, 20)}).")
    return system


def list_setup_commands(encounter: Encounter) -> tuple[str, ...]:
    """Return the commands by which a game is set up before it begins, menus of one's own among them."""
    played = game_of(encounter)
    sets_up = played.sets_up if isinstance(played, SetsUp) else ()
    return (*sets_up, *(played.prepares if isinstance(played, Prepares) else ()))


FOLLOW_UPS: dict[int, Callable[[Encounter], Sequence[Button]]] = {}
"""What is offered when an encounter has ended, by its place: in one order, whatever is loaded first."""
