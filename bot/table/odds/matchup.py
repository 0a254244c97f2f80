"""Two crews compared before they meet: the best attack of each model on each model of the other crew.

Both crews are placed on a private table that isn't stored. The chances come from each attack's own handler
(`weighing`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from bot.actions import Action
from bot.replies.chances import exactness, percent
from bot.replies.fit import shorten
from bot.replies.grid_picture import NEVER, UNKNOWN, Square, in_words, is_long, squares
from bot.replies.reply import COLUMNS, Column, Note, Reply
from bot.store.rows import EncounterRow, ModelRow, SideRow
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.asking import fields
from bot.table.asking.kinds import Asking, Offer
from bot.table.game import Game, NeedsTable, Recruit, SampleCrew, game
from bot.table.handlers import Place, handles
from bot.table.names import find, plain
from bot.table.odds.attacks import (
    USUAL_INCHES,
    Attack,
    get_hurt,
    list_attack_kinds,
    list_attacks,
    split_attack_kinds,
    weigh_attacks,
)
from bot.table.owners import SELF
from bot.table.rosters.crews import list_is_secret, may_read
from bot.table.session.arrivals import REVEALERS, CrewAndMembers, load_crew, muster_crew, muster_sample_crew
from rules.dice import Odds
from rules.refusals import InvalidInput

MAX_MODELS = 12
"""Different models of a crew that are weighed."""

NO_CREW = "Choose your crew. /crew list shows your crews."
EVERYBODY = "everybody"
"""The roster of all models that the game lists."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A crew to set against another, and the words that mean it."""

    said: str
    crew: SampleCrew


@dataclass(frozen=True, slots=True)
class Matchup(Action):
    """Compare two crews' attacks (visible only to you).

    other: another crew, or the same once more; roster: in its place a crew to try, all of a kind, or names.
    """

    command = "odds.matchup"
    typed = "odds matchup"
    decision_of = SELF

    crew: int = fields.own_crew("Your crew", needed=True)
    other: int = fields.crew("Opposing crew")
    roster: Tried | None = fields.sought(
        "Instead of an opposing crew: a sample crew, a kind of model or names of models",
        lambda asking: _list_rosters(asking),
        lambda asking, text: Tried(text, _find_opponents(game(_named_crew(asking)[0].system), text)),
        written=lambda one: one.said,
    )
    inches: float = fields.inches(
        "Distance between the crews (inches, blank for 8)", 0.0, 200.0, default=USUAL_INCHES
    )

    @property
    def looks(self) -> bool:
        """Return True: nothing is done."""
        return True


@dataclass(frozen=True, slots=True)
class MatchupLine:
    """The best chances of one model against each foe, or NEVER or UNKNOWN.

    many: how many equal models there are.
    """

    row: ModelRow
    many: int
    best: tuple[float, ...]
    how: str

    @property
    def name(self) -> str:
        """Return how it is called, with how many there are."""
        return f"{self.row.name}{f' x{self.many}' if self.many > 1 else ''}"

    def average(self, weights: Sequence[int]) -> float:
        """Return the chance to take down a foe that anybody may be."""
        total = sum(weights)
        return (
            sum(max(chance, 0.0) * weight for chance, weight in zip(self.best, weights, strict=True)) / total
        )

    @property
    def is_known(self) -> bool:
        """Return whether there was time for all its foes."""
        return UNKNOWN not in self.best


async def _load_crews(
    store: Store, actor: Actor, action: Matchup
) -> tuple[CrewAndMembers | None, CrewAndMembers | None]:
    return await load_crew(store, actor, action.crew), await load_crew(store, actor, action.other)


@handles(Matchup, Place.NOWHERE, beforehand=_load_crews)
def matchup(act: Act, action: Matchup) -> Reply:
    """Show both ways, as a table and a picture. Raises InvalidInput."""
    own_crew, their_crew = act.extra
    if own_crew is None:
        raise InvalidInput(NO_CREW)
    played = game(own_crew[0].system)
    for crew in (own_crew, their_crew):
        if crew is not None and not may_read(crew[0], act.actor.user_id):
            raise InvalidInput(list_is_secret(crew[0].name))
    tried = action.roster.crew if action.roster else played.sample_crews()[1]
    sample = None if their_crew is not None else tried
    if isinstance(played, NeedsTable):
        raise InvalidInput(f"Use /odds best in a game; attacks in {played.name} need {played.needs}.")
    if not list_attack_kinds(played.key):
        raise InvalidInput(f"Attacks in {played.name} can't be compared.")
    sides = _muster_sides(act, played, own_crew, their_crew, sample)
    solved: list[Odds[Any]] = []
    tables, unfinished = _weigh_both_ways(act, sides, action.inches, solved)
    if all(chance == NEVER for lines in tables for line in lines for chance in line.best):
        raise InvalidInput(f"Choose another distance; no model can attack at {action.inches:g} in.")
    names = [side.name for side in sides]
    lines_told = [f"{names[0]} against {names[1]} at {action.inches:g} in"]
    for name, lines, foes in zip(names, tables, tables[::-1], strict=True):
        lines_told += _format_side(name, lines, foes)
    lines_told += _describe_left_out(act, sides)
    lines_told += (
        [f"Attacks that weren't worked out in time: {unfinished}. The chances could be higher."]
        if unfinished
        else []
    )
    pictured = [
        Square(
            f"{name} attacking: chance to take down each enemy (%)",
            [line.name for line in lines],
            [foe.name for foe in foes],
            [line.best for line in lines],
        )
        for name, lines, foes in zip(names, tables, tables[::-1], strict=True)
    ]
    if is_long(pictured):
        for square in pictured:
            lines_told += [square.title, *in_words(square)]
    lines_told += [Note(f"{exactness(*solved)} No dice were rolled.")]
    incomplete = ", incomplete" if unfinished else ""
    title = f"{names[0]} and {names[1]}, {action.inches:g} in apart{incomplete}"
    return Reply(tuple(lines_told), private=True, files=act.drawn(squares, title, pictured))


def _named_crew(context: Asking) -> CrewAndMembers:
    """Return the named crew. Raises InvalidInput."""
    own_crew: CrewAndMembers | None = context.act.extra[0] if context.act.extra else None
    if own_crew is None:
        raise InvalidInput(NO_CREW)
    return own_crew


def _list_rosters(context: Asking) -> list[Offer]:
    """Return the possible opponents of the named crew: the sample crews of its game, then all models."""
    own_crew = _named_crew(context)
    if not list_attack_kinds(own_crew[0].system) or isinstance(game(own_crew[0].system), NeedsTable):
        return []
    offers = [Offer(crew.name, crew.name, "sample crew") for crew in game(own_crew[0].system).sample_crews()]
    return [*offers, Offer(EVERYBODY, EVERYBODY, "every model in the game")]


def _find_opponents(played: Game, text: str) -> SampleCrew:
    """Return the crew to try that is meant; or all of a kind, or some by name. Raises InvalidInput."""
    crews, listed = played.sample_crews(), played.recruits()
    typed = plain(text)
    kind = typed.casefold()
    keys = tuple(row.key for row in listed if kind == EVERYBODY or kind in _split_note(row))
    if keys:
        return SampleCrew("Everybody" if kind == EVERYBODY else f"Every {kind}", keys)
    if "," not in typed:
        choices: list[SampleCrew | Recruit] = [*crews, *listed]
        choice = find(typed, choices, lambda crew: crew.name, "roster")
        return choice if isinstance(choice, SampleCrew) else SampleCrew(choice.name, (choice.key,))
    names = [name for name in map(str.strip, typed.split(",")) if name][:MAX_MODELS]
    return SampleCrew(
        "Chosen models", tuple(find(name, listed, lambda row: row.name, "model").key for name in names)
    )


def _split_note(recruit: Recruit) -> set[str]:
    return set(recruit.note.casefold().replace(",", " ").split())


def _muster_sides(
    act: Act,
    played: Game,
    own_crew: CrewAndMembers,
    their_crew: CrewAndMembers | None,
    sample: SampleCrew | None,
) -> tuple[SideRow, SideRow]:
    actor = act.actor
    row = EncounterRow(
        act.book.scope,
        channel_id=actor.channel_id,
        guild_id=actor.guild_id,
        system=played.key,
        name=played.name,
        organiser_id=actor.user_id,
        commitment="",
        turns=played.turns,
    )
    act.book.add(row)
    first = muster_crew(act, played, own_crew[0], list(own_crew[1]), actor.user_id)
    if their_crew is not None:
        if their_crew[0].scope == own_crew[0].scope:
            first.crew = 0  # one crew stands but once on a table, here with its own likeness
        second = muster_crew(act, played, their_crew[0], list(their_crew[1]), actor.user_id)
    else:
        assert sample is not None, "there is a crew or one to try"
        second = muster_sample_crew(act, played, sample, actor.user_id)
    for side in (first, second):
        if played.key in REVEALERS:
            REVEALERS[played.key](act.encounter, side.id)
    row.turn = 1
    return first, second


def _list_compared_kinds(act: Act, side: SideRow) -> list[tuple[ModelRow, int]]:
    """Return the different models of a side, with how many there are of each."""
    return _group_by_kind(act, side)[:MAX_MODELS]


def _group_by_kind(act: Act, side: SideRow) -> list[tuple[ModelRow, int]]:
    groups: dict[str, list[ModelRow]] = {}
    for row in act.encounter.models(side.id):
        groups.setdefault(row.profile, []).append(row)
    return [(rows[0], len(rows)) for rows in groups.values()]


def _describe_left_out(act: Act, sides: Sequence[SideRow]) -> list[str]:
    counts = [(side.name, len(_group_by_kind(act, side))) for side in sides]
    return [
        f"{name}: only the first {MAX_MODELS} kinds of models are compared. Left out: {kinds - MAX_MODELS}."
        for name, kinds in counts
        if kinds > MAX_MODELS
    ]


def _weigh_both_ways(
    act: Act, sides: tuple[SideRow, SideRow], inches: float, solved: list[Odds[Any]]
) -> tuple[list[list[MatchupLine]], int]:
    """Return the best chances of each model against each foe, and how many attacks were left out.

    The first attack of each model on each foe comes first, so that what is left out matters least.
    """
    kinds = [_list_compared_kinds(act, side) for side in sides]
    usual, others = split_attack_kinds(act.encounter.row.system)
    weights, unweighed = weigh_attacks(act, _order_attacks(act, kinds, inches, usual), only_one_each=True)
    attacker_ids = {attack.by.id for attack, _ in weights}
    idle_attacks = [
        attack for attack in _order_attacks(act, kinds, inches, others) if attack.by.id not in attacker_ids
    ]
    further_weights, unfinished = weigh_attacks(act, [*idle_attacks, *unweighed])
    weights += further_weights
    best: dict[tuple[int, int], tuple[float, str]] = {attack.pair: (UNKNOWN, "") for attack in unfinished}
    for attack, weight in weights:
        solved += weight.solved
        pair, down_chance = attack.pair, get_hurt(weight, attack).down
        if pair not in best or down_chance > best[pair][0]:
            best[pair] = (down_chance, attack.how)
    return [
        [_build_line(row, count, [foe for foe, _ in foes], best) for row, count in own_rows]
        for own_rows, foes in zip(kinds, kinds[::-1], strict=True)
    ], len(unfinished)


def _order_attacks(
    act: Act,
    kinds: Sequence[Sequence[tuple[ModelRow, int]]],
    inches: float,
    usual_kinds: Sequence[type[Action]],
) -> list[Attack]:
    """Return every attack of these kinds by both sides: the first of each at each, then the second, and so
    on.

    All attackers take turns, so that what there is no time for is not all of one side.
    """
    numbered_attacks: list[tuple[int, int, Attack]] = []
    for own_rows, foes in zip(kinds, kinds[::-1], strict=True):
        for row, _ in own_rows:
            counts: Counter[int] = Counter()
            for place, attack in enumerate(
                list_attacks(act, row, inches, [foe.id for foe, _ in foes], usual_kinds)
            ):
                numbered_attacks.append((counts[attack.at.id], place, attack))
                counts[attack.at.id] += 1
    return [attack for _, _, attack in sorted(numbered_attacks, key=lambda entry: entry[:2])]


def _build_line(
    row: ModelRow, count: int, foes: Sequence[ModelRow], best: Mapping[tuple[int, int], tuple[float, str]]
) -> MatchupLine:
    chances = [best.get((row.id, foe.id), (NEVER, "")) for foe in foes]
    (chance, attack_label), foe = max(zip(chances, foes, strict=True), key=lambda pair: pair[0][0])
    best_attack = f"{attack_label} at {foe.name}" if chance >= 0 else ""
    return MatchupLine(row, count, tuple(chance for chance, _ in chances), best_attack)


def _format_side(name: str, lines: Sequence[MatchupLine], foes: Sequence[MatchupLine]) -> list[str]:
    weights = [foe.many for foe in foes]
    ranked = sorted(lines, key=lambda line: -line.average(weights))
    names = [shorten(line.name, 26) for line in ranked]
    name_width = max(map(len, names))
    rows = [f"{name}: average chance to take down an enemy"]
    for line, label in zip(ranked, names, strict=True):
        or_more = "" if line.is_known else " or more"
        rows.append(Column(f"{label:<{name_width}} {percent(line.average(weights))}{or_more}"[:COLUMNS]))
        fallback = "no possible attack" if line.is_known else "not worked out"
        rows += map(
            Column, wrap(line.how or fallback, COLUMNS, initial_indent="  ", subsequent_indent="    ")
        )
    enemies_down = sum(line.average(weights) * line.many for line in lines)
    at_least = "" if all(line.is_known for line in lines) else "at least "
    rows.append(f"If each model attacks once, {at_least}{enemies_down:.1f} enemies go down on average.")
    return rows
