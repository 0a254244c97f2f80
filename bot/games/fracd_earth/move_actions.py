"""Movement: paces by terrain, climbing, surges, and near opponents: leaving a fight and passing by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth import hide_tokens, suggestions
from bot.games.fracd_earth.attack_actions import Attack
from bot.games.fracd_earth.attack_situation import actions_used
from bot.games.fracd_earth.exchange import refuse_second
from bot.games.fracd_earth.fields import RATED, acting_figure, allies, ground, in_hand
from bot.games.fracd_earth.figures import (
    activation_of,
    figure_of,
    keep_activation,
    not_acting_reason,
    require_acting,
    require_active,
    require_own_weapon,
    used_words,
)
from bot.games.fracd_earth.figures import in_hand as in_its_hand
from bot.games.fracd_earth.hand_actions import Go
from bot.games.fracd_earth.hide_tokens import hidden_from
from bot.games.fracd_earth.narration import inches, joined_names
from bot.games.fracd_earth.settings import settings_of
from bot.replies.reply import Button, Reply
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.asking import fields, measuring, offering
from bot.table.asking.kinds import Asking, nothing
from bot.table.board.facts import Fact
from bot.table.board.routes import BoardPath, gone, require_reach
from bot.table.encounter import Encounter, EncounterView
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import player_of
from bot.table.reaction_windows import Cause, open_window, window_buttons, window_lines
from rules.effects import Lose
from rules.refusals import Forbidden, InvalidInput, allows, forbid, require_unsaid
from rules.systems.fracd_earth import combat, detection, movement, turns
from rules.systems.fracd_earth.movement import Ground
from rules.systems.fracd_earth.profile import HIDDEN, PRONE, RESTRAINED, Figure
from rules.systems.fracd_earth.turns import Activation
from rules.systems.fracd_earth.weapons import Weapon
from rules.wording import possessive, times

GOING = ("cross", "climb", "swim", "jump")
"""Half-Moves and the like with which a figure leaves its place."""

SPECIALS = ("climb", "swim", "jump")


def ground_on(walk: BoardPath) -> Fact:
    """Return the terrain of a way: rough 1 and 2 are rough, 3 is difficult; obstacles by their cover.

    Rules: FE-TER-02, FE-TER-03, FE-OBS-01 to FE-OBS-04.
    """
    words = {area.name: "rough" if area.rough < 3 else "difficult" for area in walk.ground if area.rough}
    words |= {barrier.name: RATED[max(1, barrier.cover) - 1] for barrier, _ in walk.barriers}
    grounds = suggestions.grounds_of(", ".join(words.values())) if words else ("clear",)
    return Fact(grounds, ", ".join(words))


@dataclass(frozen=True, slots=True)
class Move(Action):
    """Move, run, rush or crawl.

    ground: all that it goes through, the worst counts. leaving: only out of it; transport: the Move of what
    carries the figure; passenger: inside or on something that moves; over: whose bases it crosses; where:
    its way on the board.
    """

    command = "fe.move"
    typed = "fe move"

    figure: ModelRow = acting_figure(asked=True)
    pace: movement.Pace = fields.one_of("Pace", ("move", "run", "rush", "crawl"), default="move")
    where: BoardPath | None = measuring.way("figure")
    ground: tuple[Ground, ...] = ground(
        "Kinds of terrain crossed, separated by commas",
        "clear",
        joins=",",
        any_order=1,
        measures=measuring.walked("where", ground_on),
    )
    leaving: bool = fields.switch("Starts in the terrain and leaves it at once")
    transport: int = fields.whole("Move of the mount or vehicle (inches)", 0, 100, default=0)
    passenger: bool = fields.switch("The figure is a passenger")
    asks: bool = fields.switch("Only show how far the figure can go")
    over: tuple[ModelRow, ...] = allies("Allies whose bases the figure crosses", offering.several_friends)
    by_hand: tuple[str, ...] = fields.by_hand()


@dataclass(frozen=True, slots=True)
class HalfMove(Action):
    """Stand up, use a lock, mount, cross an obstacle, jump, climb or swim.

    A Half-Move action, or climbing and swimming, which take the whole Move. size: of what is crossed.
    """

    command = "fe.half"
    typed = "fe half"
    titled = "Half-Move"

    figure: ModelRow = acting_figure(asked=True)
    what: str = fields.one_of(
        "Action that the figure takes",
        ("stand", "lock", "mount", "cross", "jump", "climb", "swim"),
        needed=True,
        default="stand",
    )
    size: int = fields.whole("Size of the obstacle the figure crosses", 0, 20, default=0)
    asks: bool = fields.switch("Only show the result")


def _parse_turns(context: Asking, text: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in text.replace(",", " ").split())
    except ValueError:
        raise InvalidInput("Enter turns in degrees, such as `45, 90`.") from None


def _write_turns(turns: tuple[float, ...]) -> str:
    return " ".join(map(str, turns))


@dataclass(frozen=True, slots=True)
class Surge(Action):
    """Surge with Meta-Speed.

    turns: changes of course by their degrees; veers: off the line by more than half a base;
    ground: of each multiple; go: it surges now, and the Move action is used.
    """

    command = "fe.surge"
    typed = "fe surge"
    titled = "Meta-Speed"
    decision_of = player_of("figure", shows=lambda action: not action.go)

    figure: ModelRow = acting_figure(asked=True)
    turns: tuple[float, ...] | None = fields.sought(
        'Turns in degrees, such as "45, 90"', nothing, _parse_turns, written=_write_turns
    )
    veers: int = fields.whole(
        "Number of veers (of more than half a base from the line)", 0, 20, default=0, checked=True
    )
    ground: tuple[Ground, ...] | None = ground(
        'Terrain on each multiple of the Move, such as "clear, rough"', freely=True
    )
    go: bool = False


@handles(Move)
def move(act: Act, action: Move) -> Reply:
    """Move so far, and use the Move action.

    Rules: FE-MOV-01 to FE-MOV-05, FE-MOV-07, FE-MOV-10, FE-TER-01 to FE-TER-06, FE-OBS-03, FE-OBS-04.
    """
    row, figure = _mover(act, action.figure, odds_only=action.asks)
    exchanges.refuse_second(act.encounter)
    used = activation_of(row)
    limit, basis = _move_distance(act.encounter, action, figure, half=bool(used.halves))
    _refuse_bases(row, action.over)
    if action.where is not None:
        require_reach(act.encounter, action.where, limit, "FE-MOV-01")
    used_after = turns.move(used, action.pace)
    note = {"run": "Its Main attack gets [-] this turn.", "rush": "The Rush takes its Main action too."}.get(
        action.pace, ""
    )
    if action.asks:
        show_blocked_actions = not_acting_reason(act.encounter, row)
        return _private_reply(
            f"{row.name}: {action.pace} {inches(limit)}.",
            basis,
            *_bases_crossed(action),
            note,
            show_blocked_actions,
        )
    _spend(act, row, used_after)
    walked = gone(act.encounter, action.where) if action.where is not None else ()
    lines = [
        f"{row.name} {_verb(action.pace)} up to {inches(limit)}.",
        *walked,
        basis,
        *_bases_crossed(action),
        note,
    ]
    lines.append(f"Used: {used_words(activation_of(row))}")
    return Reply(tuple(line for line in (*lines, *_seen_moving(act, row, figure)) if line), buttons=(UNDO,))


def _mover(act: Act, row: ModelRow, *, odds_only: bool) -> tuple[ModelRow, Figure]:
    """Return the figure that moves; anyone may ask how far. Raises NotAllowed."""
    if not odds_only:
        act.require_model(row)
    require_active(act.encounter, row)
    return row, figure_of(act.encounter, row)


def _private_reply(*lines: str) -> Reply:
    return Reply(tuple(line for line in lines if line), private=True)


def _bases_crossed(action: Move) -> list[str]:
    return [f"It moves through {joined_names([row.name for row in action.over])}."] if action.over else []


def _refuse_bases(row: ModelRow, crossed: Sequence[ModelRow]) -> None:
    """Only allied bases are crossed. Raises Forbidden. Rules: FE-MOV-10."""
    for other in crossed:
        if not movement.may_cross(row.side, other.side):
            forbid(f"You can only cross allied bases, not {possessive(other.name)}.", "FE-MOV-10")


def _verb(pace: str) -> str:
    return {"move": "moves", "run": "runs", "rush": "rushes", "crawl": "crawls"}[pace]


def paces(encounter: EncounterView, row: ModelRow, walk: BoardPath | None) -> list[float]:
    """Return how far a Move, a Run and a Rush take a figure along a route, of which it may make those now.

    Rules: FE-MOV-01 to FE-MOV-05, FE-TER-01 to FE-TER-06, FE-ACT-01, FE-DEF-02.
    """
    figure, used, found = figure_of(encounter, row), activation_of(row), list[float]()
    for pace in movement.PACES if allows(require_active, encounter, row) else ():
        try:
            turns.move(used, pace)
            grounds: tuple[Ground, ...] = ground_on(walk).value if walk is not None else ("clear",)
            action = Move(row, pace, ground=grounds)
            limit, _ = _move_distance(encounter, action, figure, half=bool(used.halves))
        except (Forbidden, InvalidInput):
            continue
        found.append(limit - (abs(walk.climbed) if walk is not None else 0.0))
    return found


def _move_distance(
    encounter: EncounterView, action: Move, figure: Figure, *, half: bool
) -> tuple[float, str]:
    """Inches, and what they come from. half: a Half-Move action took the other half."""
    settings = settings_of(encounter)
    pace, grounds = action.pace, action.ground
    worst = max(grounds, key=movement.WORST.index, default="clear")
    if action.passenger:
        worse = worst != "clear"
        refusal = (
            'Leave "Ground", "Leaving", "Over" and "Transport" blank. A passenger moves with its transport.'
        )
        require_unsaid(refusal, worse, action.leaving, action.over, action.transport)
        return movement.passenger_inches(pace), "It moves as a passenger."
    basic = float(action.transport or figure.profile.move_inches)
    prone = figure.has(PRONE) and not action.transport
    if prone:
        movement.refuse_prone(pace)
    leaving_text = ", which it leaves at once" if action.leaving else ""
    terrain_text = f", and the worst terrain is {worst}{leaving_text}" if worst != "clear" else ""
    if half and pace != "crawl":
        full_rate = movement.half_rate(basic, pace, settings)
        distance = movement.on_ground(full_rate, grounds, leaving_at_once=action.leaving)
        return distance, f"The second half of its {pace.capitalize()} is {inches(full_rate)}{terrain_text}."
    distance = movement.distance(basic, pace, grounds, leaving_at_once=action.leaving)
    full_rate = movement.rate(basic, pace)
    carried = f" (its transport's Move is {inches(basic)})" if action.transport else ""
    return distance, f"Its {pace.capitalize()} is {inches(full_rate)}{carried}{terrain_text}."


def _spend(act: Act, row: ModelRow, used_after: Activation) -> None:
    """Write down what the figure has used, in its own activation; before the game begins nothing is used."""
    if act.encounter.row.turn:
        require_acting(act, row)
        keep_activation(row, used_after)


def _seen_moving(act: Act, row: ModelRow, figure: Figure) -> list[str]:
    """Without Stealth a hidden figure that moves is seen; with it, what it moved behind is asked.

    Rules: FE-DET-04.
    """
    if act.encounter.condition(row.id, HIDDEN) is None:
        return []
    if detection.stays_hidden(stealth=detection.is_stealthy(figure), moves=True, cover="hard"):
        return ["If it moved behind cover, Stealth keeps it hidden.", "If it didn't, use /fe reveal."]
    place_text = hide_tokens.reveal(act.encounter, row.id)
    return [f"It is revealed because it moved without Stealth{place_text}."]


@handles(HalfMove)
def half_move(act: Act, action: HalfMove) -> Reply:
    """Stand up, lock, mount, cross or jump.

    Rules: FE-MOV-05, FE-OBS-01, FE-OBS-02, FE-OBS-09.
    """
    row, figure = _mover(act, action.figure, odds_only=action.asks)
    half_action = action.what
    exchanges.refuse_second(act.encounter)
    if half_action == "stand" and not figure.has(PRONE):
        raise InvalidInput(f"{row.name} doesn't need to stand up. It is not prone.")
    if half_action != "cross":
        require_unsaid("Leave the size blank. It only matters for crossing an obstacle.", action.size)
    cost = _half_move_cost(half_action, action.size)
    used_after = _used_after(activation_of(row), half_action, cost)
    first_line = f"{row.name} {_half_words(figure, half_action, cost)}"
    half_text = _half_pace_line(act, figure, used_after)
    if action.asks:
        return _private_reply(first_line, half_text, not_acting_reason(act.encounter, row))
    _spend(act, row, used_after)
    if half_action == "stand":
        act.encounter.apply([Lose(row.id, PRONE)])
    lines = [first_line, half_text, f"Used: {used_words(activation_of(row))}"]
    lines += _seen_moving(act, row, figure) if half_action in GOING else []
    return Reply(tuple(line for line in lines if line), buttons=(UNDO,))


def _used_after(used: Activation, half_action: str, cost: str) -> Activation:
    return turns.whole_move(used) if cost == "move" else turns.half_move(used, half_action)  # type: ignore[arg-type]


def _half_pace_line(act: Act, figure: Figure, used_after: Activation) -> str:
    if not turns.half_paced(used_after) or not used_after.pace or used_after.pace == "crawl":
        return ""
    half = movement.half_rate(float(figure.profile.move_inches), used_after.pace, settings_of(act.encounter))
    return f"Its {used_after.pace.capitalize()} is then halved, to at most {inches(half)}."


def _half_move_cost(half_action: str, size: int) -> str:
    if half_action == "cross":
        return movement.crossing_cost(size or 1)
    if half_action in SPECIALS:
        return movement.special_cost(half_action)  # type: ignore[arg-type]
    return "half_move"


def _half_words(figure: Figure, half_action: str, cost: str) -> str:
    cost_text = "a Half-Move" if cost == "half_move" else "a full Move"
    if half_action in SPECIALS:
        limit = movement.special_rate(figure.profile.move_inches)
        return f"{half_action}s up to {inches(limit)} ({cost_text})."
    verbs = {
        "stand": "stands up",
        "lock": "locks or unlocks something",
        "mount": "mounts or dismounts",
        "cross": "crosses the obstacle",
    }
    return f"{verbs[half_action]} ({cost_text})."


@handles(Surge)
def surge(act: Act, action: Surge) -> Reply:
    """Show only the asker how far a surge goes, until it goes. Rules: FE-META-01, FE-META-02, FE-META-03."""
    row, figure = _mover(act, action.figure, odds_only=not action.go)
    exchanges.refuse_second(act.encounter)
    lines = _surge_lines(row, figure, action)
    used = activation_of(row)
    if figure.has(PRONE):
        movement.refuse_prone("move")
    if used.halves:
        forbid("You can't surge now. A surge takes the whole Move action.", "FE-META-01")
    used_after = turns.move(used, "move")
    if action.go:
        _spend(act, row, used_after)
        return Reply(
            (*lines, f"Used: {used_words(activation_of(row))}", *_seen_moving(act, row, figure)),
            buttons=(UNDO,),
        )
    go = Go("Surge", replace(action, go=True), not_acting_reason(act.encounter, row))
    may_act = allows(act.require_model, row)
    return Reply((*lines, *go.lines), private=True, buttons=go.buttons if may_act else ())


def _surge_lines(row: ModelRow, figure: Figure, action: Surge) -> tuple[str, ...]:
    profile = figure.profile
    if not profile.surge_ranks:
        raise Forbidden(f"{row.name} can't surge without Meta-Speed.", "FE-META-01")
    count = action.veers + sum(movement.deviations_of(turn) for turn in action.turns or ())
    multiple = movement.surge_multiple(profile.surge_ranks, count)
    limit = movement.surge_through(profile.move_inches, multiple, action.ground or ())
    steps = [inches(float(profile.move_inches * times)) for times in movement.multiples(profile.surge_ranks)]
    return (
        f"{row.name} surges up to {inches(limit)}.",
        f"With {times(count, 'deviation')}, its surge is {float(multiple):g} times its Move of "
        f"{profile.move_inches} in.",
        f"Distance at each multiple: {', '.join(steps)}",
    )


MAX_STRIKES = 5
"""Buttons for the weapons of who may strike at a mover; any other is named with /fe attack."""


@dataclass(frozen=True, slots=True)
class Leave(Action):
    """Leave a fight.

    engaged: the opponent fights another figure too; edge: with a Move bought by an Edge; against: the
    opponent's weapon.
    """

    command = "fe.leave"
    typed = "fe leave"
    titled = "Leave a fight"

    figure: ModelRow = acting_figure()
    opponent: ModelRow = fields.foe("Opponent that the figure leaves", needed=True)
    engaged: bool = fields.switch("Opponent is also fighting another figure")
    edge: bool = fields.switch("The move was bought with an Edge")
    against: Weapon | None = in_hand("Opponent's weapon", "opponent")


@dataclass(frozen=True, slots=True)
class PassBy(Action):
    """Pass near an opponent, who may stop your figure or strike at it.

    closest: inches between bases; front: in its front half; weapon: what the mover has in hand; against:
    what the opponent has.
    """

    command = "fe.passby"
    typed = "fe passby"
    titled = "Pass by"

    figure: ModelRow = acting_figure("Figure that moves")
    opponent: ModelRow = fields.foe("Opponent that the figure passes", needed=True)
    closest: float = fields.inches(
        "Distance (inches, below 0 if bases overlap)", -1.0, 20.0, default=0.0, bands=suggestions.reach_bands
    )
    front: bool = fields.switch("Passes within the opponent's front half", default=True)
    engages: bool = fields.switch("Joins the fight")
    charge: bool = fields.switch("Charges")
    weapon: Weapon | None = in_hand("Moving figure's weapon", "figure")
    against: Weapon | None = in_hand("Opponent's weapon", "opponent")


@handles(Leave)
def leave(act: Act, action: Leave) -> Reply:
    """Return whether the opponent may strike at who leaves. Rules: FE-DIS-01, FE-DIS-02."""
    row, other = action.figure, action.opponent
    figure, opponent = _mover_and_striker(act, action)
    with act.overridable():
        struck = combat.disengage(
            restrained=figure.has(RESTRAINED), opponent_engaged_elsewhere=action.engaged, by_edge=action.edge
        )
        if struck:
            lines = (f"{row.name} leaves {other.name}.", f"{other.name} may make a Quick attack.")
            weapons = in_its_hand(opponent, action.against) or opponent.profile.weapons
            strike = Attack(other, row, manner="quick")
            return _offer_free_strike(act, lines, f"{row.name} leaves {other.name}", strike, weapons)
    reasons = [f"{other.name} is also fighting another figure"] if action.engaged else []
    reasons += ["the move was bought with an Edge"] if action.edge else []
    explanation = f"No Quick attack is allowed against {row.name}, because {' and '.join(reasons)}."
    return Reply((f"{row.name} leaves {other.name}.", explanation), private=True)


@handles(PassBy)
def pass_by(act: Act, action: PassBy) -> Reply:
    """Return whether it must stop, and may be struck. Rules: FE-RCH-01, FE-RCH-02, FE-RCH-03, FE-RCH-07."""
    row, other = action.figure, action.opponent
    figure, opponent = _mover_and_striker(act, action)
    if hidden_from(act.encounter, other.id, row.side) and action.charge:
        raise Forbidden(f"Detect {other.name} before you charge it, because it is hidden.", "FE-DET-01")
    weapons = in_its_hand(opponent, action.against)
    own, other_reach = _longest_reach(in_its_hand(figure, action.weapon)), _longest_reach(weapons)
    if combat.enters_opponent(action.closest, charging=action.charge):
        return _slam_reply(act, action, row, other)
    stops = combat.must_stop(own, other_reach, action.closest, in_front=action.front, charging=action.charge)
    lines = [f"{row.name} {'must stop here' if stops and action.engages else 'may go on'}."]
    lines.append(
        f"{row.name} has Reach {own:g} and {other.name} has Reach {other_reach:g}. "
        f"They are {inches(max(0.0, action.closest))} apart."
    )
    reaching = [weapon for weapon in weapons if _may_strike(action, weapon)]
    if not reaching:
        return Reply(tuple(lines), private=True)
    lines.append(f"{other.name} may make a Wild Strike.")
    wild = Attack(other, row, max(0.0, action.closest), manner="wild")
    return _offer_free_strike(act, lines, f"{row.name} passes {other.name}", wild, reaching)


def _mover_and_striker(act: Act, action: Leave | PassBy) -> tuple[Figure, Figure]:
    """The mover, and who may strike at it, once all before it is resolved. Raises InvalidInput, NotAllowed.

    Rules: FE-CHAL-01.
    """
    row, other = action.figure, action.opponent
    refuse_second(act.encounter)
    require_own_weapon(act, other, action.against)
    if other.side == row.side:
        raise InvalidInput(f"Pick an enemy. {other.name} is on the same side as {row.name}.")
    return figure_of(act.encounter, row), figure_of(act.encounter, other)


def _slam_reply(act: Act, action: PassBy, row: ModelRow, other: ModelRow) -> Reply:
    """A Slam, with its button where the mover may make it now. Rules: FE-RCH-07, FE-ACT-01."""
    slam = Attack(row, other, manner="slam")
    if action.weapon is not None:
        slam = replace(slam, weapon=action.weapon)
    line = f"{row.name} moves into {possessive(other.name)} space, which is a Slam."
    waits = not_acting_reason(act.encounter, row)
    if not waits:
        actions_used(act.encounter, row, slam.manner)
    go = Go("Slam", slam, waits)
    return Reply((line, *go.lines), private=True, buttons=go.buttons)


def _may_strike(action: PassBy, weapon: Weapon) -> bool:
    """Return whether who is passed by may strike with this weapon. Rules: FE-RCH-01, FE-RCH-02."""
    reach = weapon.reach_inches or 0.0
    return combat.wild_strike_allowed(reach, action.closest, in_front=action.front, engages=action.engages)


STRIKES = {"quick": "Quick attack", "wild": "Wild Strike"}
"""Free strikes at a figure that leaves or passes by, by the manner of the attack."""


def _offer_free_strike(
    act: Act, lines: Iterable[str], event: str, strike: Attack, weapons: Sequence[Weapon]
) -> Reply:
    """Ask for a free strike before the mover goes on. Rules: FE-DIS-01, FE-RCH-02."""
    striker, mover = strike.attacker, strike.target
    carried = figure_of(act.encounter, striker).profile.weapons
    places = ",".join(str(place) for place, weapon in enumerate(carried) if weapon in weapons)
    trigger = f"{strike.manner} {strike.distance:g} {places}"
    cause = Cause(event, mover.side, (striker.id,), mover.id, striker.id, trigger)
    if open_window(act, cause):
        question_lines = window_lines(act.encounter)
        return Reply((*lines, *question_lines), buttons=(*window_buttons(act.encounter), UNDO))
    return Reply(tuple(lines), buttons=_strike_buttons(STRIKES[strike.manner], strike, weapons))


def may_react(encounter: Encounter, cause: Cause) -> Sequence[int]:
    """Return the figures of a window that may still strike at the figure that leaves or passes by."""
    present = {row.id for row in encounter.models()}
    return [number for number in cause.models if {number, cause.model} <= present]


def reaction_buttons(encounter: Encounter, cause: Cause) -> Sequence[Button]:
    """Return the free strikes at the figure that leaves or passes by, with the weapons that may be used."""
    manner, distance, places = cause.trigger.split(" ")
    buttons: list[Button] = []
    for number in may_react(encounter, cause):
        row = encounter.model(number)
        carried = figure_of(encounter, row).profile.weapons
        weapons = [carried[int(place)] for place in places.split(",") if place]
        strike = Attack(row, encounter.model(cause.model), float(distance), manner=manner)
        buttons += _strike_buttons(STRIKES[manner], strike, weapons)
    return buttons


def _strike_buttons(label: str, strike: Attack, weapons: Sequence[Weapon]) -> tuple[Button, ...]:
    if len(weapons) < 2:
        return (Button(label, replace(strike, weapon=weapons[0]) if weapons else strike, anytime=True),)
    return tuple(
        Button(f"{label}: {weapon.title}", replace(strike, weapon=weapon), anytime=True)
        for weapon in weapons[:MAX_STRIKES]
    )


def _longest_reach(weapons: Iterable[Weapon]) -> float:
    return max((weapon.reach_inches or 0.0 for weapon in weapons), default=0.0)
