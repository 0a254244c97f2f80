"""Movement: paces by terrain, climbing, surges, and near opponents: leaving a fight and passing by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth import hide_tokens, suggestions
from bot.games.fracd_earth.attack_actions import Attack
from bot.games.fracd_earth.attack_situation import collect_activations
from bot.games.fracd_earth.exchange import refuse_while_busy
from bot.games.fracd_earth.fields import OBSTACLES_BY_COVER, acting_figure, allies, ground, in_hand_field
from bot.games.fracd_earth.figures import (
    activation_of,
    describe_used,
    explain_not_acting,
    figure_of,
    keep_activation,
    require_acting,
    require_active,
    require_own_weapon,
)
from bot.games.fracd_earth.figures import list_weapons_in_hand as in_its_hand
from bot.games.fracd_earth.hand_actions import OfferedAction
from bot.games.fracd_earth.hide_tokens import is_hidden_from
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
from rules.refusals import Forbidden, InvalidInput, forbid, is_allowed, refuse_typed
from rules.systems.fracd_earth import combat, detection, movement, turns
from rules.systems.fracd_earth.movement import Ground
from rules.systems.fracd_earth.profile import HIDDEN, PRONE, RESTRAINED, Figure
from rules.systems.fracd_earth.turns import Activation
from rules.systems.fracd_earth.weapons import Weapon
from rules.wording import possessive, times

LEAVING_MOVES = ("cross", "climb", "swim", "jump")
"""Half-Moves and the like with which a figure leaves its place."""

SPECIAL_MOVES = ("climb", "swim", "jump")


def measure_ground(path: BoardPath) -> Fact:
    """Return the terrain of a way: rough 1 and 2 are rough, 3 is difficult; obstacles by their cover.

    Rules: FE-TER-02, FE-TER-03, FE-OBS-01 to FE-OBS-04.
    """
    words = {area.name: "rough" if area.rough < 3 else "difficult" for area in path.ground if area.rough}
    words |= {barrier.name: OBSTACLES_BY_COVER[max(1, barrier.cover) - 1] for barrier, _ in path.barriers}
    grounds = suggestions.parse_grounds(", ".join(words.values())) if words else ("clear",)
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
        measures=measuring.walked("where", measure_ground),
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


def _write_turns(turn_angles: tuple[float, ...]) -> str:
    return " ".join(map(str, turn_angles))


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
        "Number of veers (more than half a base off the line)", 0, 20, default=0, checked=True
    )
    ground: tuple[Ground, ...] | None = ground(
        'Terrain on each multiple of the Move, such as "clear, rough"', freely=True
    )
    go: bool = False


@handles(Move)
def move(act: Act, action: Move) -> Reply:
    """Move the figure and use its Move action.

    Rules: FE-MOV-01 to FE-MOV-05, FE-MOV-07, FE-MOV-10, FE-TER-01 to FE-TER-06, FE-OBS-03, FE-OBS-04.
    """
    row, figure = _find_mover(act, action.figure, is_question=action.asks)
    exchanges.refuse_while_busy(act.encounter)
    activation = activation_of(row)
    limit, basis_text = _move_distance(act.encounter, action, figure, has_used_half=bool(activation.halves))
    _require_allied_bases(row, action.over)
    if action.where is not None:
        require_reach(act.encounter, action.where, limit, "FE-MOV-01")
    activation_after = turns.move(activation, action.pace)
    note = {"run": "Its Main attack gets [-] this turn.", "rush": "The Rush takes its Main action too."}.get(
        action.pace, ""
    )
    if action.asks:
        blocked_reason = explain_not_acting(act.encounter, row)
        return _reply_privately(
            f"{row.name}: {action.pace} {inches(limit)}.",
            basis_text,
            *_bases_crossed(action),
            note,
            blocked_reason,
        )
    _spend_actions(act, row, activation_after)
    path_lines = gone(act.encounter, action.where) if action.where is not None else ()
    lines = [
        f"{row.name} {_pace_verb(action.pace)} up to {inches(limit)}.",
        *path_lines,
        basis_text,
        *_bases_crossed(action),
        note,
    ]
    lines.append(f"Used: {describe_used(activation_of(row))}")
    return Reply(tuple(line for line in (*lines, *_reveal_mover(act, row, figure)) if line), buttons=(UNDO,))


def _find_mover(act: Act, row: ModelRow, *, is_question: bool) -> tuple[ModelRow, Figure]:
    """Return the figure that moves; anyone may ask how far. Raises NotAllowed."""
    if not is_question:
        act.require_model(row)
    require_active(act.encounter, row)
    return row, figure_of(act.encounter, row)


def _reply_privately(*lines: str) -> Reply:
    return Reply(tuple(line for line in lines if line), private=True)


def _bases_crossed(action: Move) -> list[str]:
    return [f"It moves through {joined_names([row.name for row in action.over])}."] if action.over else []


def _require_allied_bases(row: ModelRow, crossed_models: Sequence[ModelRow]) -> None:
    """Raise Forbidden for a base that is not allied. Rules: FE-MOV-10."""
    for other in crossed_models:
        if not movement.may_cross(row.side, other.side):
            forbid(f"You can only cross allied bases, not {possessive(other.name)}.", "FE-MOV-10")


def _pace_verb(pace: str) -> str:
    return {"move": "moves", "run": "runs", "rush": "rushes", "crawl": "crawls"}[pace]


def paces(encounter: EncounterView, row: ModelRow, walk: BoardPath | None) -> list[float]:
    """Return how far a figure can go along a route, for each of Move, Run and Rush that is legal now.

    Rules: FE-MOV-01 to FE-MOV-05, FE-TER-01 to FE-TER-06, FE-ACT-01, FE-DEF-02.
    """
    figure, activation, distances = figure_of(encounter, row), activation_of(row), list[float]()
    for pace in movement.PACES if is_allowed(require_active, encounter, row) else ():
        try:
            turns.move(activation, pace)
            grounds: tuple[Ground, ...] = measure_ground(walk).value if walk is not None else ("clear",)
            action = Move(row, pace, ground=grounds)
            limit, _ = _move_distance(encounter, action, figure, has_used_half=bool(activation.halves))
        except (Forbidden, InvalidInput):
            continue
        distances.append(limit - (abs(walk.climbed) if walk is not None else 0.0))
    return distances


def _move_distance(
    encounter: EncounterView, action: Move, figure: Figure, *, has_used_half: bool
) -> tuple[float, str]:
    """Return the inches and their explanation. has_used_half: a Half-Move took the other half."""
    settings = settings_of(encounter)
    pace, grounds = action.pace, action.ground
    worst_ground = max(grounds, key=movement.WORST.index, default="clear")
    if action.passenger:
        crosses_terrain = worst_ground != "clear"
        refusal = (
            'Leave "Ground", "Leaving", "Over" and "Transport" blank. A passenger moves with its transport.'
        )
        refuse_typed(refusal, crosses_terrain, action.leaving, action.over, action.transport)
        return movement.passenger_inches(pace), "It moves as a passenger."
    basic_move = float(action.transport or figure.profile.move_inches)
    is_prone = figure.has(PRONE) and not action.transport
    if is_prone:
        movement.refuse_prone(pace)
    leaving_text = ", which it leaves at once" if action.leaving else ""
    terrain_text = (
        f", and the worst terrain is {worst_ground}{leaving_text}" if worst_ground != "clear" else ""
    )
    if has_used_half and pace != "crawl":
        full_rate = movement.half_rate(basic_move, pace, settings)
        distance = movement.on_ground(full_rate, grounds, leaving_at_once=action.leaving)
        return distance, f"The second half of its {pace.capitalize()} is {inches(full_rate)}{terrain_text}."
    distance = movement.distance(basic_move, pace, grounds, leaving_at_once=action.leaving)
    full_rate = movement.rate(basic_move, pace)
    transport_text = f" (its transport's Move is {inches(basic_move)})" if action.transport else ""
    return distance, f"Its {pace.capitalize()} is {inches(full_rate)}{transport_text}{terrain_text}."


def _spend_actions(act: Act, row: ModelRow, activation_after: Activation) -> None:
    """Write down what the figure has used, in its own activation; before the game begins nothing is used."""
    if act.encounter.row.turn:
        require_acting(act, row)
        keep_activation(row, activation_after)


def _reveal_mover(act: Act, row: ModelRow, figure: Figure) -> list[str]:
    """Reveal a hidden figure that moves without Stealth; with Stealth, ask what it moved behind.

    Rules: FE-DET-04.
    """
    if act.encounter.condition(row.id, HIDDEN) is None:
        return []
    if detection.stays_hidden(stealth=detection.is_stealthy(figure), moves=True, cover="hard"):
        return ["If it moved behind cover, Stealth keeps it Hidden.", "If it didn't, use /fe reveal."]
    place_text = hide_tokens.reveal_to_all(act.encounter, row.id)
    return [f"It is revealed because it moved without Stealth{place_text}."]


@handles(HalfMove)
def half_move(act: Act, action: HalfMove) -> Reply:
    """Stand up, lock, mount, cross or jump.

    Rules: FE-MOV-05, FE-OBS-01, FE-OBS-02, FE-OBS-09.
    """
    row, figure = _find_mover(act, action.figure, is_question=action.asks)
    half_action = action.what
    exchanges.refuse_while_busy(act.encounter)
    if half_action == "stand" and not figure.has(PRONE):
        raise InvalidInput(f"{row.name} doesn't need to stand up. It is not Prone.")
    if half_action != "cross":
        refuse_typed("Leave the size blank. It only matters for crossing an obstacle.", action.size)
    cost = _half_move_cost(half_action, action.size)
    activation_after = _activation_after(activation_of(row), half_action, cost)
    first_line = f"{row.name} {_describe_half_move(figure, half_action, cost)}"
    pace_line = _half_pace_line(act, figure, activation_after)
    if action.asks:
        return _reply_privately(first_line, pace_line, explain_not_acting(act.encounter, row))
    _spend_actions(act, row, activation_after)
    if half_action == "stand":
        act.encounter.apply([Lose(row.id, PRONE)])
    lines = [first_line, pace_line, f"Used: {describe_used(activation_of(row))}"]
    lines += _reveal_mover(act, row, figure) if half_action in LEAVING_MOVES else []
    return Reply(tuple(line for line in lines if line), buttons=(UNDO,))


def _activation_after(activation: Activation, half_action: str, cost: str) -> Activation:
    return turns.whole_move(activation) if cost == "move" else turns.half_move(activation, half_action)  # type: ignore[arg-type]


def _half_pace_line(act: Act, figure: Figure, activation_after: Activation) -> str:
    if (
        not turns.half_paced(activation_after)
        or not activation_after.pace
        or activation_after.pace == "crawl"
    ):
        return ""
    half_inches = movement.half_rate(
        float(figure.profile.move_inches), activation_after.pace, settings_of(act.encounter)
    )
    return f"Its {activation_after.pace.capitalize()} is then halved, to at most {inches(half_inches)}."


def _half_move_cost(half_action: str, size: int) -> str:
    if half_action == "cross":
        return movement.crossing_cost(size or 1)
    if half_action in SPECIAL_MOVES:
        return movement.special_cost(half_action)  # type: ignore[arg-type]
    return "half_move"


def _describe_half_move(figure: Figure, half_action: str, cost: str) -> str:
    cost_text = "a Half-Move" if cost == "half_move" else "a full Move"
    if half_action in SPECIAL_MOVES:
        limit = movement.special_rate(figure.profile.move_inches)
        return f"{half_action}s up to {inches(limit)} ({cost_text})."
    verbs = {
        "stand": "stands up",
        "lock": "uses a lock",
        "mount": "mounts or dismounts",
        "cross": "crosses the obstacle",
    }
    return f"{verbs[half_action]} ({cost_text})."


@handles(Surge)
def surge(act: Act, action: Surge) -> Reply:
    """Show only the asker how far a surge goes, until it goes. Rules: FE-META-01, FE-META-02, FE-META-03."""
    row, figure = _find_mover(act, action.figure, is_question=not action.go)
    exchanges.refuse_while_busy(act.encounter)
    lines = _surge_lines(row, figure, action)
    activation = activation_of(row)
    if figure.has(PRONE):
        movement.refuse_prone("move")
    if activation.halves:
        forbid(
            "You can't surge this turn. A surge takes the whole Move action, and a Half-Move has used"
            " part of it.",
            "FE-META-01",
        )
    activation_after = turns.move(activation, "move")
    if action.go:
        _spend_actions(act, row, activation_after)
        return Reply(
            (*lines, f"Used: {describe_used(activation_of(row))}", *_reveal_mover(act, row, figure)),
            buttons=(UNDO,),
        )
    offer = OfferedAction("Surge", replace(action, go=True), explain_not_acting(act.encounter, row))
    may_act = is_allowed(act.require_model, row)
    return Reply((*lines, *offer.lines), private=True, buttons=offer.buttons if may_act else ())


def _surge_lines(row: ModelRow, figure: Figure, action: Surge) -> tuple[str, ...]:
    profile = figure.profile
    if not profile.surge_ranks:
        raise Forbidden(f"Use /fe move instead. {row.name} can't surge without Meta-Speed.", "FE-META-01")
    deviation_count = action.veers + sum(movement.deviations_of(turn) for turn in action.turns or ())
    multiple = movement.surge_multiple(profile.surge_ranks, deviation_count)
    limit = movement.surge_through(profile.move_inches, multiple, action.ground or ())
    steps = [inches(float(profile.move_inches * step)) for step in movement.multiples(profile.surge_ranks)]
    return (
        f"{row.name} surges up to {inches(limit)}.",
        f"With {times(deviation_count, 'deviation')}, its surge is {float(multiple):g} times its Move of "
        f"{profile.move_inches} in.",
        f"Distance at each multiple: {', '.join(steps)}",
    )


MAX_STRIKE_BUTTONS = 5
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
    against: Weapon | None = in_hand_field("Opponent's weapon", "opponent")


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
    weapon: Weapon | None = in_hand_field("Moving figure's weapon", "figure")
    against: Weapon | None = in_hand_field("Opponent's weapon", "opponent")


@handles(Leave)
def leave(act: Act, action: Leave) -> Reply:
    """Return whether the opponent may strike at who leaves. Rules: FE-DIS-01, FE-DIS-02."""
    row, opponent_row = action.figure, action.opponent
    figure, opponent = _mover_and_striker(act, action)
    with act.overridable():
        may_strike = combat.disengage(
            restrained=figure.has(RESTRAINED), opponent_engaged_elsewhere=action.engaged, by_edge=action.edge
        )
        if may_strike:
            lines = (
                f"{row.name} leaves {opponent_row.name}.",
                f"{opponent_row.name} may make a Quick attack.",
            )
            weapons = in_its_hand(opponent, action.against) or opponent.profile.weapons
            strike = Attack(opponent_row, row, manner="quick")
            return _offer_free_strike(act, lines, f"{row.name} leaves {opponent_row.name}", strike, weapons)
    reasons = [f"{opponent_row.name} is also fighting another figure"] if action.engaged else []
    reasons += ["the move was bought with an Edge"] if action.edge else []
    explanation = f"No Quick attack is allowed against {row.name}, because {' and '.join(reasons)}."
    return Reply((f"{row.name} leaves {opponent_row.name}.", explanation), private=True)


@handles(PassBy)
def pass_by(act: Act, action: PassBy) -> Reply:
    """Return whether it must stop, and may be struck. Rules: FE-RCH-01, FE-RCH-02, FE-RCH-03, FE-RCH-07."""
    row, opponent_row = action.figure, action.opponent
    figure, opponent = _mover_and_striker(act, action)
    if is_hidden_from(act.encounter, opponent_row.id, row.side) and action.charge:
        raise Forbidden(
            f"Detect {opponent_row.name} before you charge it, because it is Hidden.", "FE-DET-01"
        )
    weapons = in_its_hand(opponent, action.against)
    own_reach, other_reach = _longest_reach(in_its_hand(figure, action.weapon)), _longest_reach(weapons)
    if combat.enters_opponent(action.closest, charging=action.charge):
        return _slam_reply(act, action, row, opponent_row)
    must_stop = combat.must_stop(
        own_reach, other_reach, action.closest, in_front=action.front, charging=action.charge
    )
    lines = [f"{row.name} {'must stop here' if must_stop and action.engages else 'may go on'}."]
    lines.append(
        f"{row.name} has Reach {own_reach:g} and {opponent_row.name} has Reach {other_reach:g}. "
        f"They are {inches(max(0.0, action.closest))} apart."
    )
    striking_weapons = [weapon for weapon in weapons if _may_strike(action, weapon)]
    if not striking_weapons:
        return Reply(tuple(lines), private=True)
    lines.append(f"{opponent_row.name} may make a Wild Strike.")
    wild_strike = Attack(opponent_row, row, max(0.0, action.closest), manner="wild")
    return _offer_free_strike(
        act, lines, f"{row.name} passes {opponent_row.name}", wild_strike, striking_weapons
    )


def _mover_and_striker(act: Act, action: Leave | PassBy) -> tuple[Figure, Figure]:
    """Return the mover and its opponent. Raises InvalidInput, NotAllowed.

    Rules: FE-CHAL-01.
    """
    row, opponent_row = action.figure, action.opponent
    refuse_while_busy(act.encounter)
    require_own_weapon(act, opponent_row, action.against)
    if opponent_row.side == row.side:
        raise InvalidInput(f"Pick an enemy. {opponent_row.name} is on the same side as {row.name}.")
    return figure_of(act.encounter, row), figure_of(act.encounter, opponent_row)


def _slam_reply(act: Act, action: PassBy, row: ModelRow, opponent_row: ModelRow) -> Reply:
    """A Slam, with its button where the mover may make it now. Rules: FE-RCH-07, FE-ACT-01."""
    slam = Attack(row, opponent_row, manner="slam")
    if action.weapon is not None:
        slam = replace(slam, weapon=action.weapon)
    line = f"{row.name} moves into {possessive(opponent_row.name)} space, which is a Slam."
    blocked_reason = explain_not_acting(act.encounter, row)
    if not blocked_reason:
        collect_activations(act.encounter, row, slam.manner)
    offer = OfferedAction("Slam", slam, blocked_reason)
    return Reply((line, *offer.lines), private=True, buttons=offer.buttons)


def _may_strike(action: PassBy, weapon: Weapon) -> bool:
    """Return whether who is passed by may strike with this weapon. Rules: FE-RCH-01, FE-RCH-02."""
    reach = weapon.reach_inches or 0.0
    return combat.wild_strike_allowed(reach, action.closest, in_front=action.front, engages=action.engages)


FREE_STRIKES = {"quick": "Quick attack", "wild": "Wild Strike"}
"""Free strikes at a figure that leaves or passes by, by the manner of the attack."""


def _offer_free_strike(
    act: Act, lines: Iterable[str], event: str, strike: Attack, weapons: Sequence[Weapon]
) -> Reply:
    """Ask for a free strike before the mover goes on. Rules: FE-DIS-01, FE-RCH-02."""
    striker, mover = strike.attacker, strike.target
    carried_weapons = figure_of(act.encounter, striker).profile.weapons
    places = ",".join(str(place) for place, weapon in enumerate(carried_weapons) if weapon in weapons)
    trigger = f"{strike.manner} {strike.distance:g} {places}"
    cause = Cause(event, mover.side, (striker.id,), mover.id, striker.id, trigger)
    if open_window(act, cause):
        question_lines = window_lines(act.encounter)
        return Reply((*lines, *question_lines), buttons=(*window_buttons(act.encounter), UNDO))
    return Reply(tuple(lines), buttons=_strike_buttons(FREE_STRIKES[strike.manner], strike, weapons))


def possible_strikers(encounter: Encounter, cause: Cause) -> Sequence[int]:
    """Return the figures of a window that may still strike at the figure that leaves or passes by."""
    present = {row.id for row in encounter.models()}
    return [figure_id for figure_id in cause.models if {figure_id, cause.model} <= present]


def reaction_buttons(encounter: Encounter, cause: Cause) -> Sequence[Button]:
    """Return the free strikes at the figure that leaves or passes by, with the weapons that may be used."""
    manner, distance, places = cause.trigger.split(" ")
    buttons: list[Button] = []
    for figure_id in possible_strikers(encounter, cause):
        row = encounter.model(figure_id)
        carried_weapons = figure_of(encounter, row).profile.weapons
        weapons = [carried_weapons[int(place)] for place in places.split(",") if place]
        strike = Attack(row, encounter.model(cause.model), float(distance), manner=manner)
        buttons += _strike_buttons(FREE_STRIKES[manner], strike, weapons)
    return buttons


def _strike_buttons(label: str, strike: Attack, weapons: Sequence[Weapon]) -> tuple[Button, ...]:
    if len(weapons) < 2:
        return (Button(label, replace(strike, weapon=weapons[0]) if weapons else strike, anytime=True),)
    return tuple(
        Button(f"{label}: {weapon.title}", replace(strike, weapon=weapon), anytime=True)
        for weapon in weapons[:MAX_STRIKE_BUTTONS]
    )


def _longest_reach(weapons: Iterable[Weapon]) -> float:
    return max((weapon.reach_inches or 0.0 for weapon in weapons), default=0.0)
