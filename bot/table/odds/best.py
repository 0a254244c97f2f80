"""All attacks that somebody can make, ranked by what is wanted: that a foe goes down, wounds, points.

An attack is any action of the game that is weighed, names whom it is aimed at, and hurts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from typing import Any

from bot.actions import ACTIONS, Action, Part, numbered, parts
from bot.replies.chances import exactness, percent
from bot.replies.fit import folded, has_room, shorten
from bot.replies.ladder import Rung, ladder
from bot.replies.reply import COLUMNS, Button, Choice, Column, Menu, Note, Reply, say
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.forms import title_of
from bot.table.asking.groups import group
from bot.table.asking.kinds import TableKind
from bot.table.game import game, game_of
from bot.table.handlers import HANDLERS, Place, handles
from bot.table.odds.ways import values
from bot.table.odds.weighing import Weight, can_be_done, first_possible, is_barred, sharing
from bot.table.steps import Hurt
from rules.records import dataclass
from rules.refusals import InvalidInput

group("odds", "Best attacks, luck, two crews")

AIMED, ARMED = ("target", "targets"), ("weapon", "power")
"""The fields of an attack that say whom it is aimed at, and by what it hurts."""

GOES_DOWN, WOUNDS, POINTS = "goes down", "wounds", "points"

TAKES_OUT = frozenset({"out", "wrecked", "win"})
"""What is hoped for of attacks that tell no wounds, in the words of their games."""

MOST_WEIGHED = 600
"""Attacks that are weighed, as far as there is time."""

MOST_SHOWN = 10
MOST_DONE = 3
LEAST = 0.005
"""Wounds on average below which an attack that takes nobody down is not worth a line."""

USUAL_INCHES = 8.0
"""How far it is taken to be to whom nobody has measured."""


@dataclass(frozen=True, slots=True)
class Best(Action):
    """Your best attacks now, ranked.

    model: who attacks; None for who acts. inches: to those whom nobody has measured.
    """

    command = "odds.best"
    typed = "odds best"
    titled = "Best attack"

    model: ModelRow = fields.own_model("Who attacks; none: who acts")
    wanted: str = fields.one_of("What for", (GOES_DOWN, WOUNDS, POINTS), default=GOES_DOWN)
    inches: float = fields.inches("To those nobody measured; none: 8", 0.0, 200.0, default=USUAL_INCHES)

    @property
    def looks(self) -> bool:
        """Nothing is done."""
        return True


@dataclass(frozen=True, slots=True)
class Attack:
    """One way to attack. by, at: who, at whom; weapon: or power.

    bare: the action that names only who attacks; said: what else it says; inches: to whom nobody measured.
    """

    by: ModelRow
    at: ModelRow
    weapon: str
    bare: Action
    said: tuple[tuple[str, Any], ...]
    inches: float

    @property
    def kind(self) -> type[Action]:
        """What kind of attack it is."""
        return type(self.bare)

    @property
    def tries(self) -> tuple[Action, ...]:
        """As it is asked: the second, where there is one, says how far it is."""
        armed = replace(self.bare, **dict(self.said))
        return tuple(dict.fromkeys((_at(armed, self.inches), _at(armed, self.inches, wanted=True))))

    @property
    def pair(self) -> tuple[int, int]:
        """The numbers of who attacks and at whom."""
        return self.by.id, self.at.id

    @property
    def how(self) -> str:
        """The kind and the weapon."""
        return ", ".join(filter(None, (title_of(self.kind), self.weapon)))


@dataclass(frozen=True, slots=True)
class RankedAttack:
    """An attack that is possible. worth: of what is wanted; assumed: how far it is was not measured."""

    attack: Attack
    weight: Weight
    worth: float
    assumed: bool

    @property
    def down(self) -> float:
        """The chance that the target goes down."""
        return hurt_of(self.weight, self.attack).down

    @property
    def wounds(self) -> float:
        """What it loses on average."""
        return hurt_of(self.weight, self.attack).wounds

    @property
    def aim(self) -> str:
        """What is hoped for, in the game's word."""
        chances = self.weight.chances
        return chances.aim if not chances.hurts else GOES_DOWN


@handles(Best)
def best(act: Act, action: Best) -> Reply:
    """The table, the picture, and the best of them to press. Raises InvalidInput."""
    who = action.model or _who_acts(act)
    if not attacking_kinds(act.encounter.row.system):
        raise InvalidInput("No attacks of this game can be weighed side by side.")
    if act.tries:
        return say("It can be asked.", private=True)
    every = list(islice(attacks(act, who, action.inches), MOST_WEIGHED))
    kinds = _able_now(act, every)
    weights, left = weighed_attacks(act, [one for one in every if one.kind in kinds], now=True)
    able = bool(weights)
    if not able and not left:
        weights, left = weighed_attacks(act, every)
    rows = [
        RankedAttack(one, weight, _worth(act, one, weight, action.wanted), _is_assumed(one, weight))
        for one, weight in weights
    ]
    if not rows and left:
        return say("There was no time to weigh that. Ask again.", private=True)
    if not rows:
        return say(f"{who.name} can attack nobody now.", private=True)
    return _told(act, action, who, rows, len(left), able=able)


def _told(
    act: Act, action: Best, who: ModelRow, rows: Sequence[RankedAttack], left: int, *, able: bool
) -> Reply:
    """The best of them first. left: how many were not weighed; able: whether they can be done just now."""
    wanted = action.wanted if any(row.worth for row in rows) else GOES_DOWN
    unknown = [f"No {action.wanted} are known of them."] if wanted != action.wanted else []
    if unknown:
        rows = [replace(row, worth=row.down) for row in rows]
    rows = sorted(rows, key=lambda row: (-float(row.worth), -row.wounds))
    worthy = [row for row in rows if row.down > 0 or row.wounds >= LEAST] or rows
    shown = worthy[:MOST_SHOWN]
    solved = [odds for row in rows for odds in row.weight.solved]
    lines = [
        *_head(who, shown, wanted),
        *_table(shown, wanted),
        *unknown,
        *([f"And {len(worthy) - len(shown)} more, less likely."] if len(worthy) > len(shown) else []),
        *([f"Not weighed in time: {left}."] if left else []),
        *([f"Where nobody measured: {action.inches:g} in."] if any(row.assumed for row in shown) else []),
        *([] if able else ["None of it can be done just now."]),
        Note(f"{exactness(*solved)} Nothing is rolled."),
    ]
    return Reply(
        tuple(lines),
        private=True,
        buttons=tuple(_doing(act, shown)) if able else (),
        menus=(_others(action, who),),
        files=_picture(act, who, shown),
    )


def _who_acts(act: Act) -> ModelRow:
    """Who is meant where nobody is named. Raises InvalidInput."""
    acting = [row for row in game_of(act.encounter).acting(act.encounter) if act.plays_on(row.side)]
    if len(acting) != 1:
        raise InvalidInput("Say who attacks: /odds best model:...")
    return acting[0]


# ------------------------------------------------------------------------------------ every attack


def attacks(
    act: Act, who: ModelRow, inches: float, foes: Sequence[int] = (), kinds: Sequence[type[Action]] = ()
) -> Iterator[Attack]:
    """Every attack that may be tried: at each foe with each weapon. foes: their numbers; none: all.

    kinds: only these kinds of attack; none: all.
    """
    for kind in kinds or attacking_kinds(act.encounter.row.system):
        first, *others = parts(kind.command)
        bare: Action = kind(**{first.name: numbered(who.id)})
        target = next(part for part in others if part.name in AIMED)
        weapon = next((part for part in others if part.name in ARMED), None)
        weapons = list(values(act, bare, weapon)) if weapon else []
        for row in act.encounter.models():
            if row.side == who.side or (foes and row.id not in foes) or not _offered(act, bare, target, row):
                continue
            name = numbered(row.id)
            aimed = (target.name, (name,) if target.wire == tuple[str, ...] else name)
            for raw, label in weapons or [("", "")]:
                said = (aimed, (weapon.name, raw)) if weapon and raw else (aimed,)
                yield Attack(who, row, label, bare, said, inches)


@cache
def attacking_kinds(system: str) -> tuple[type[Action], ...]:
    """The kinds of attack of a game, likely ones first."""
    likely = list(game(system).likely)
    found = [
        ACTIONS[command]
        for command, handler in HANDLERS.items()
        if handler.weigh is not None and handler.place is Place.ENCOUNTER and handler.system == system
    ]
    aimed = [kind for kind in found if any(part.name in AIMED for part in parts(kind.command)[1:])]
    return tuple(
        sorted(aimed, key=lambda kind: likely.index(kind.command) if kind.command in likely else len(likely))
    )


def usual_kinds(system: str) -> tuple[tuple[type[Action], ...], tuple[type[Action], ...]]:
    """The likeliest kinds of attack (from afar, in contact, powers), then those for who can do none."""
    kinds = attacking_kinds(system)
    powers = tuple(kind for kind in kinds[2:] if _is_power(kind))
    return (*kinds[:2], *powers), tuple(kind for kind in kinds[2:4] if kind not in powers)


def _is_power(kind: type[Action]) -> bool:
    """Whether it hurts by a power: each does something of its own."""
    return any(part.name == "power" for part in parts(kind.command))


def _offered(act: Act, bare: Action, target: Part, row: ModelRow) -> bool:
    """Whether a foe may be aimed at, as far as who asks may know of it."""

    def names() -> frozenset[str]:
        return frozenset(str(raw) for raw, _ in values(act, bare, target))

    offered = act.encounter.worked_out((_offered, bare.command, act.actor.user_id), names)
    return bool({row.name, numbered(row.id)} & offered)


def _at(action: Action, inches: float, *, wanted: bool = False) -> Action:
    """The action at that distance, where it must be said. wanted: also where it mostly is."""
    said: dict[str, Any] = {}
    for part in parts(action.command):
        kind = part.kind
        if not isinstance(kind, TableKind) or not (kind.needed or (wanted and kind.wanted)):
            continue
        if part.wire is float:
            said[part.name] = inches
        elif part.name == "distance":
            said[part.name] = f"{inches:g}"
    return replace(action, **said)


def _is_assumed(one: Attack, weight: Weight) -> bool:
    """Whether it was weighed at a distance that nobody said."""
    part = next((part for part in parts(weight.action.command) if part.name in ("distance", "inches")), None)
    if part is None:
        return False
    taken = getattr(one.tries[-1], part.name)
    meant = part.kind.write(getattr(weight.action, part.name))
    return bool(taken != part.unsaid and meant == taken)


def hurts(weight: Weight) -> bool:
    """Whether an action is an attack: it says whom it hurts, or hopes for nothing else."""
    return bool(weight.chances.hurts) or weight.chances.aim in TAKES_OUT


def hurt_of(weight: Weight, attack: Attack) -> Hurt:
    """What an attack does to whom it is aimed at; of one that tells no wounds, only what is hoped for."""
    told = weight.chances.hurts
    return told[0] if told else Hurt(attack.at.id, weight.chances.chance, 0.0)


def _able_now(act: Act, every: Sequence[Attack]) -> set[type[Action]]:
    """The kinds of attack of which one can be made at once."""
    found = set[type[Action]]()
    first = {one.kind: one for one in reversed(every)}
    barred = {kind for kind, one in first.items() if is_barred(act, one.tries[0])}
    for one in every:
        if one.kind in found or one.kind in barred:
            continue
        if any(can_be_done(act, action, asking=False) for action in one.tries):
            found.add(one.kind)
    return found


def weighed_attacks(
    act: Act, every: Sequence[Attack], *, now: bool = False, once: bool = False
) -> tuple[list[tuple[Attack, Weight]], list[Attack]]:
    """Those that are possible, and those that were not weighed: there was no time for them.

    now: only what can be done at once, nothing asked first. once: of each at each only the first that is
    possible, the others are left for later. What hurts nobody is not gone on with.
    """
    found, left = list[tuple[Attack, Weight]](), list[Attack]()
    harmless, able = set[str](), set[tuple[int, int]]()
    for number, one in enumerate(every):
        if act.thinking.late:
            return found, [*left, *every[number:]]
        if one.how in harmless:
            continue
        if once and one.pair in able:
            left.append(one)
            continue
        tries = [one for one in one.tries if not now or can_be_done(act, one, asking=False)][
            : 1 if now else 2
        ]
        with sharing(act, len(every) - number):
            weight = first_possible(act, tries)
        if weight is not None and hurts(weight):
            found.append((one, weight))
            able.add(one.pair)
        elif weight is not None:
            harmless.add(one.how)
    return found, left


# ------------------------------------------------------------------------------------ ranked


def _worth(act: Act, attack: Attack, weight: Weight, wanted: str) -> float:
    hurt = hurt_of(weight, attack)
    if wanted == WOUNDS:
        return hurt.wounds
    points = points_of(act.encounter.row.system, attack.at.profile) if wanted == POINTS else 1
    return hurt.down * points


@cache
def _points(system: str) -> dict[str, int]:
    played = game(system)
    return {played.profile(one.key): one.points for one in played.recruits()}


def points_of(system: str, profile: str) -> int:
    """The points of a statblock as it is recruited; 0 for one that was made otherwise."""
    return _points(system).get(profile, 0)


# ------------------------------------------------------------------------------------ told


def _number(row: RankedAttack, wanted: str) -> str:
    if wanted == GOES_DOWN:
        return percent(row.down)
    return f"{row.worth:.2f}" if wanted == WOUNDS else f"{row.worth:.1f}"


def _head(who: ModelRow, rows: Sequence[RankedAttack], wanted: str) -> list[str]:
    first = rows[0]
    attack, number = first.attack, _number(first, wanted).strip()
    told = f"{first.aim} {number}" if wanted == GOES_DOWN else f"{number} {wanted}"
    head = f"Best: {title_of(attack.kind)} {attack.at.name}, {told}"
    beside = ", wounds" if any(row.wounds for row in rows) else ""
    by = f"{first.aim}{beside}" if wanted == GOES_DOWN else f"{wanted}, {first.aim}"
    return [*folded([head]), *folded([f"{who.name}: {by}"])]


def _table(rows: Sequence[RankedAttack], wanted: str) -> list[str]:
    """Two lines for each: at whom with the numbers, then how."""
    numbers = [_number(row, wanted) for row in rows]
    others = [percent(row.down) for row in rows]
    if wanted == GOES_DOWN:
        others = [f"{row.wounds:.2f}" if any(one.wounds for one in rows) else "" for row in rows]
    wide, beside = max(map(len, numbers)), max(map(len, others))
    room = COLUMNS - wide - beside - 2
    names = [shorten(row.attack.at.name, room) for row in rows]
    longest = max(map(len, names))
    lines: list[str] = []
    for row, name, number, other in zip(rows, names, numbers, others, strict=True):
        lines.append(Column(f"{name:<{longest}} {number:>{wide}} {other:>{beside}}".rstrip()))
        lines += folded([Column(f"  {row.attack.how}{_seen(row)}")])
    return lines


def _seen(row: RankedAttack) -> str:
    """How far it is, where that was said before."""
    inches = getattr(row.weight.action, "distance", 0)
    return f", {inches:g} in" if isinstance(inches, float) and inches > 0 and not row.assumed else ""


def _doing(act: Act, rows: Sequence[RankedAttack]) -> list[Button]:
    if act.only_watches:
        return []
    words = [f"{title_of(row.attack.kind)} {row.attack.at.name}, {row.attack.weapon}" for row in rows]
    buttons = [
        Button(shorten(word.removesuffix(", "), 80), row.weight.action, "plain" if number else "main")
        for number, (word, row) in enumerate(zip(words[:MOST_DONE], rows, strict=False))
    ]
    return [button for button in buttons if has_room(button)]


def _others(action: Best, who: ModelRow) -> Menu:
    """The same ranked by something else."""
    ways = [one for one in (GOES_DOWN, WOUNDS, POINTS) if one != action.wanted]
    named = replace(action, model=numbered(who.id))
    return Menu("Rank by ...", named, "wanted", tuple(Choice(one.capitalize(), one) for one in ways))


def _picture(act: Act, who: ModelRow, rows: Sequence[RankedAttack]) -> Any:
    rungs = [Rung(row.attack.at.name, row.down, note=f"{row.attack.how}{_seen(row)}") for row in rows]
    return act.drawn(partial(ladder, f"{who.name}: best attacks", rows[0].aim.capitalize(), rungs))
