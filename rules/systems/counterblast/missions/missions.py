"""Missions: tokens, markers and searches, and what each mission scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import hypot
from typing import Literal

from rules.counters import CounterName, PerWord
from rules.dice import Dice
from rules.effects import Assign, Effect, Propose
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.core.checks import CheckResult, PreparedCheck, Throw
from rules.systems.counterblast.core.dice_pools import initiative_check
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.impacts import Impact, Suffered
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Note, Profile
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.shooting.templates import Victim, engulf
from rules.wording import times

HELD = PerWord("token:")
"""Start of the encounter's counter `token:<name>`: the id of the model that holds it, or 0."""


# ------------------------------------------------------------------------------------------- tokens


def take_token(model: Fighter, token: str, *, in_contact: bool, location: bool = False) -> tuple[Effect, ...]:
    """Pick up a token by moving into base contact; tokens that mark a place never move.

    Raises Forbidden otherwise. Rules: CB-MISS-03, CB-SALV-04.
    """
    if location:
        raise Forbidden("That token marks a place and can't be moved.", "CB-MISS-03")
    if not in_contact:
        raise Forbidden(f"Move {model.name} into base contact with the token first.", "CB-MISS-03")
    if model.is_incapacitated or model.has(Condition.PANICKED):
        forbid(f"{model.name} can't hold anything now.", "CB-MISS-03")
    return (Assign("encounter", 0, HELD.of(token), model.id),)


def dropped(model: Fighter, token: str, *, casualty: bool = False) -> tuple[Assign, ...]:
    """Drop a token where its holder was removed as a casualty or became Panicked.

    Rules: CB-MISS-03, CB-SALV-04.
    """
    if not casualty and not model.has(Condition.PANICKED):
        return ()
    return (Assign("encounter", 0, HELD.of(token), 0),)


# ------------------------------------------------------------------------------------------- markers


@dataclass(frozen=True, slots=True)
class MarkerSpot:
    """A marker's place in inches, and how far it lies from each deployment area that matters."""

    x: float
    y: float
    zone_inches: tuple[float, ...] = ()


def require_spots(
    spots: tuple[MarkerSpot, ...],
    number: int,
    zone_inches: float,
    apart_inches: float,
    rule: str = "CB-MISS-20",
) -> None:
    """Refuse, with Forbidden, markers too few or many, too near a deployment area or one another.

    zone_inches, apart_inches: the least distances; exactly so far is allowed. rule: of the mission.
    Rules: CB-MISS-20, CB-MISS-26, CB-MISS-28, CB-MISS-30.
    """
    if len(spots) != number:
        raise Forbidden(f"Set up {times(number, 'marker')} (you entered {len(spots)}).", rule)
    for place, spot in enumerate(spots):
        if any(inches < zone_inches for inches in spot.zone_inches):
            raise Forbidden(f"Markers must be at least {zone_inches:g} in from the deployment area.", rule)
        for other in spots[:place]:
            if hypot(spot.x - other.x, spot.y - other.y) < apart_inches:
                raise Forbidden(f"Markers must be at least {apart_inches:g} in apart.", rule)


# ------------------------------------------------------------------------------------------- searches


@dataclass(frozen=True, slots=True)
class Search:
    """A place searched, scouted or sabotaged: successes stored, turn of the last check, closed or not."""

    stored: int = 0
    last_turn: int = 0
    closed: bool = False


def require_search(
    search: Search, turn: int, inches: float, reach: float, *, once_a_turn: bool, rule: str = "CB-MISS-22"
) -> None:
    """Refuse, with Forbidden, a check at a place that is closed, too far away, or was tried this turn.

    turn: 1 or more. reach: 0 for base contact. rule: of the mission.
    Rules: CB-MISS-22, CB-MISS-27, CB-MISS-28, CB-MISS-31.
    """
    if turn < 1:
        raise InvalidInput("The turn must be 1 or more.")
    if search.closed:
        raise Forbidden("Choose another place. Nothing more can be done at this one.", rule)
    if inches > reach:
        required_distance = f"within {reach:g} in of" if reach else "in base contact with"
        raise Forbidden(f"The model must be {required_distance} the marker.", rule)
    if once_a_turn and search.last_turn == turn:
        raise Forbidden("You can only make one check at each place per turn.", rule)


def searched(search: Search, result: CheckResult, turn: int) -> Search:
    """Return a place after a check: successes are stored, a critical failure closes it.

    Rules: CB-MISS-22, CB-MISS-31.
    """
    if result.critical_failure:
        return replace(search, last_turn=turn, closed=True)
    return replace(search, stored=search.stored + result.net, last_turn=turn)


def sabotaged(search: Search, result: CheckResult, turn: int, *, several: bool = False) -> Search:
    """Return a sabotaged place after a check: a critical failure takes back a success for each net 1.

    several: with more than one marker a place allows no attempt after its first success.
    Rules: CB-MISS-27, CB-MISS-28.
    """
    if result.critical_failure:
        return replace(search, stored=max(0, search.stored - result.net_ones), last_turn=turn)
    search_over = search.closed or (several and result.net > 0)
    return Search(search.stored + result.net, turn, search_over)


def stored(places: Iterable[Search]) -> int:
    """Return the successes of all places added up. Rules: CB-MISS-22, CB-MISS-28, CB-MISS-32."""
    return sum(place.stored for place in places)


Removal = Literal["melee", "other"]
OBJECTIVE = "objective points"
"""Counter of a side: Objective Points scored so far. Invasion scores them turn by turn."""


CUSTOM = (
    Note(
        "colonize",
        "Colonize",
        text="The rulebook doesn't describe this mission. Agree on what it takes to found a base.",
        rules=("CB-MISS-01",),
    ),
    Note(
        "search_and_rescue",
        "Search and Rescue",
        text="The rulebook doesn't describe this mission. Agree on what it takes to free a captive.",
        rules=("CB-MISS-01",),
    ),
)
"""Missions that the book names without printing them: a group makes its own and types their points."""


def mission(key: str) -> Note:
    """Return a mission by key, also one of a group's own making. Raises UnknownEntry. Rules: CB-MISS-01."""
    return next((note for note in CUSTOM if note.key == key), None) or load().missions[key]


def possible_missions(settings: Settings = DEFAULTS) -> tuple[Note, ...]:
    """Return the missions that a crew may choose for an encounter.

    Colonize and Search and Rescue are named in the book but not printed, and so offered only where the group
    makes its own of them. Rules: CB-MISS-01.
    """
    return (*load().missions, *(CUSTOM if settings.custom_missions else ()))


def percent_of(points: int, percent: int) -> int:
    """Return a percentage of a crew's points, rounded to the nearest whole, halves up. Rules: CB-MISS-04."""
    return (points * percent + 50) // 100


def objective_points(number: int, opponents: Iterable[int], settings: Settings = DEFAULTS) -> int:
    """Return the worth of a mission's figure: itself or, by the setting, that percent of the opponent's
    crew.

    opponents: sizes of all opposing crews in points; the largest counts. Rules: CB-MISS-04, CB-MISS-05.
    """
    if settings.objective_points == "flat":
        return number
    return percent_of(max(opponents), number)


def _parts(*parts: tuple[int, str, str]) -> tuple[Modifier, ...]:
    return tuple(Modifier(amount, reason, rule) for amount, reason, rule in parts if amount)


@dataclass(frozen=True, slots=True)
class Secret:
    """A choice written down and kept: a model by id or a place in words, and whether it is shown.

    declared: it was told to all at the start. Rules: CB-MISS-02.
    """

    model: int = 0
    place: str = ""
    declared: bool = False
    revealed: bool = False


# ------------------------------------------------------------------------------------------- Abduction


def require_abduction(abductor: int, target: Fighter) -> None:
    """Refuse, with Forbidden, a target of the abductor's own crew. Rules: CB-MISS-07."""
    if target.side == abductor:
        raise Forbidden("Choose a model of an enemy crew.", "CB-MISS-07")


def is_subdued(
    target: Fighter, wounds: int, by: Removal, settings: Settings = DEFAULTS, *, hit: bool = False
) -> bool:
    """Return whether an attack subdues the target of an Abduction: it takes the last Life in melee.

    By the setting any attack that takes the last Life, or also any successful melee attack (`hit`). wounds:
    that came through. Rules: CB-MISS-08.
    """
    last = not target.is_down and target.damage + wounds >= target.profile.life
    if settings.abduction_by == "last_life":
        return last or (by == "melee" and hit)
    if settings.abduction_by == "any_melee":
        return by == "melee" and hit
    return last and by == "melee"


def after_subduing(target: Fighter, attackers: tuple[Fighter, ...], holder: int) -> tuple[Effect, ...]:
    """Turn the target into an Objective Token held by one of its attackers; it ends alive and unhurt, but no
    longer in its crew. Raises Forbidden for another holder. Rules: CB-MISS-08, CB-MISS-03.
    """
    if holder not in {attacker.id for attacker in attackers}:
        raise Forbidden("Choose one of the attackers to hold the captive.", "CB-MISS-08")
    reason = f"{target.name} is captured and carried off alive."
    return (
        Propose("captive", target.id, reason, (("holder", holder),)),
        Assign("encounter", 0, HELD.of(f"captive {target.id}"), holder),
    )


@dataclass(frozen=True, slots=True)
class Abducted:
    """The state of an Abduction at the end: held by the abductor, at home, with Secret Plans."""

    held: bool
    at_home: bool
    secret: Secret
    plans: bool = False


def score_abduction(
    end: Abducted, opponents: Iterable[int], settings: Settings = DEFAULTS
) -> tuple[tuple[Modifier, ...], tuple[Modifier, ...]]:
    """Return Objective Points of an Abduction: the abductor's, and those of the target's player.

    3 for the captive held in the own deployment zone, 2 more if declared at the start, 1 more for Secret
    Plans; 1 to the target's player if the abductor does not hold it. If it is held elsewhere no one scores,
    unless the setting drops the zone. Rules: CB-MISS-09, CB-MISS-10.
    """
    note, sizes = mission("abduction"), tuple(opponents)

    def worth(name: str) -> int:
        return objective_points(note.value(name), sizes, settings)

    if not end.held:
        return (), _parts((worth("thwarted"), "abduction thwarted", "CB-MISS-09"))
    if settings.abduction_zone and not end.at_home:
        return (), ()
    return (
        _parts(
            (worth("held"), "abduction", "CB-MISS-09"),
            (worth("declared") if end.secret.declared else 0, "declared at the start", "CB-MISS-09"),
            (worth("secret_plans") if end.plans else 0, "Secret Plans taken", "CB-MISS-10"),
        ),
        (),
    )


# ------------------------------------------------------------------------------------------- Escort


def require_escort_set_up(inches_from_corner: float) -> None:
    """Refuse, with Forbidden, a model deployed outside the arc at the corner. Rules: CB-MISS-12."""
    reach = mission("escort").value("deploy_arc_inches")
    if inches_from_corner > reach:
        raise Forbidden(f"In Escort, deploy within {reach} in of your corner.", "CB-MISS-12")


def require_escort_marker(inches_from_opposite_corner: float) -> None:
    """Refuse, with Forbidden, a marker too far from the opposite corner. Rules: CB-MISS-12."""
    reach = mission("escort").value("marker_inches")
    if inches_from_opposite_corner > reach:
        raise Forbidden(f"The marker must be within {reach} in of the opposite corner.", "CB-MISS-12")


CAPTIVE_ALONG = CounterName("captive along")
"""Counter of a model: 1 for one abducted in the encounter before that its captors escort."""


def require_escort_attack(model: Fighter) -> None:
    """Refuse, with Forbidden, an attack of a model that was abducted in the encounter before.

    Rules: CB-MISS-12.
    """
    if model.count(CAPTIVE_ALONG):
        raise Forbidden(f"{model.name} is a captive and can't attack in this Escort mission.", "CB-MISS-12")


def score_escort(
    marker_inches: float | None, secret: Secret, opponents: Iterable[int], settings: Settings = DEFAULTS
) -> tuple[tuple[Modifier, ...], tuple[Modifier, ...]]:
    """Return Objective Points of an Escort: the crew's own, and those of each opponent.

    marker_inches: from the escorted model to the marker at the end, None when it left play.
    Rules: CB-MISS-13.
    """
    note, sizes = mission("escort"), tuple(opponents)
    if marker_inches is None or marker_inches > note.value("arrival_inches"):
        points = objective_points(note.value("thwarted"), sizes, settings)
        return (), _parts((points, "escort thwarted", "CB-MISS-13"))
    declared = objective_points(note.value("declared"), sizes, settings) if secret.declared else 0
    return (
        _parts(
            (objective_points(note.value("arrived"), sizes, settings), "escort", "CB-MISS-13"),
            (declared, "declared at the start", "CB-MISS-13"),
        ),
        (),
    )


# ------------------------------------------------------------------------------------------- Invasion


def require_invasion_marker(*, in_enemy_zone: bool) -> None:
    """Refuse, with Forbidden, a place outside an opponent's deployment area. Rules: CB-MISS-15."""
    if not in_enemy_zone:
        raise Forbidden("Choose a place inside an opponent's deployment area.", "CB-MISS-15")


def holders(models: Iterable[tuple[Fighter, float]]) -> dict[int, int]:
    """Return the models of each side that count for an Invasion: within 6 in of the marker and not Panicked.

    models: each with its inches to the marker. Rules: CB-MISS-16.
    """
    reach = mission("invasion").value("control_inches")
    counted: dict[int, int] = {}
    for model, inches in models:
        if inches <= reach and not model.has(Condition.PANICKED) and not model.is_down:
            counted[model.side] = counted.get(model.side, 0) + 1
    return counted


def score_invasion_turn(
    invader: int,
    models: Iterable[tuple[Fighter, float]],
    opponents: Iterable[int],
    settings: Settings = DEFAULTS,
) -> tuple[Modifier, ...]:
    """Return an Invasion's score for one Upkeep: 1 with more models there than all opponents together.

    Rules: CB-MISS-16.
    """
    counted = holders(models)
    invader_count = counted.get(invader, 0)
    if invader_count <= sum(counted.values()) - invader_count:
        return ()
    points = objective_points(mission("invasion").value("per_turn"), opponents, settings)
    return _parts((points, "invasion", "CB-MISS-16"))


def keeps_invasion(invader: int, models: Iterable[tuple[Fighter, float]]) -> bool:
    """Return whether the points stay at the end of the game: a model of the invader is still there.

    Rules: CB-MISS-16.
    """
    return holders(models).get(invader, 0) > 0


# ------------------------------------------------------------------------------------------- Recovery


def require_recovery_object(worth: int, crew_points: int, *, abducted: bool = False) -> None:
    """Refuse, with Forbidden, an object worth more than a quarter of the crew; a crew member abducted before
    may be worth anything. Rules: CB-MISS-19.
    """
    percent = mission("recovery").value("object_percent")
    if not abducted and 100 * worth > percent * crew_points:
        raise Forbidden(f"The object can be worth at most {percent}% of the crew's points.", "CB-MISS-19")


def recovery_markers(players: int) -> int:
    """Return how many markers a Recovery has: one more than players. Rules: CB-MISS-20."""
    return players + mission("recovery").value("markers_beyond_players")


def traps_sprung(trapped: Iterable[int], declared_before_search: bool) -> bool:
    """Return whether a trap goes off as a model comes within 1 in: once, however many trapped the marker, and
    only if it is declared before any search there.

    trapped: sides that trapped this marker. Rules: CB-MISS-21.
    """
    return declared_before_search and any(True for _ in trapped)


def prepare_trap(
    target: Fighter, *, partly: bool = False, settings: Settings = DEFAULTS
) -> tuple[Victim, PreparedCheck | None]:
    """Prepare a booby trap's dice for one model under its template: 3D+2 at Defense, Power 5.

    Gives the argument of `trap` and, for a model only partly covered, its check to escape.
    Rules: CB-MISS-21, CB-TMPL-01.
    """
    note = mission("recovery")
    power = note.value("trap_power")
    able = partly and not target.is_incapacitated
    escape = initiative_check(target, power, settings=settings) if able else None
    damage = Throw(note.value("trap_dice"), note.value("trap_modifier"), target.defense)
    hit = Impact(power=power, shields=target.shield, tough=target.has_feature("tough"))
    return Victim(target.id, escape.throw if escape else None, damage, hit), escape


def trap(dice: Dice, victim: Victim) -> Suffered:
    """Roll a booby trap on one model. Rules: CB-MISS-21, CB-TMPL-02."""
    return engulf(dice, victim)


def is_found(successes: int) -> bool:
    """Return whether the object is found: at 10 successes in all. Rules: CB-MISS-22."""
    return successes >= mission("recovery").value("successes")


def after_finding(finder: Fighter, searchers: tuple[Fighter, ...], find: Profile | str) -> tuple[Effect, ...]:
    """Apply what was found: equipment goes to one of the searchers at once; a crew member joins and may be
    activated from the next turn. Raises Forbidden for another finder. Rules: CB-MISS-23.
    """
    if finder.id not in {model.id for model in searchers}:
        raise Forbidden("Only one of the searchers can take what was found.", "CB-MISS-23")
    if isinstance(find, Profile):
        reason = f"{find.name} is found and joins the crew. It can act from the next turn."
        return (Propose("join", finder.id, reason, (("model", find.key), ("from_turn", "next"))),)
    return (Propose("equip", finder.id, f"{finder.name} takes what was found.", (("item", find),)),)


def score_recovery(
    recovered: bool, *, at_home: bool, opponents: Iterable[int] = (), settings: Settings = DEFAULTS
) -> tuple[Modifier, ...]:
    """Return Objective Points of a Recovery: 4 for the object, or 6 if it is in the own deployment area.

    Rules: CB-MISS-24.
    """
    if not recovered:
        return ()
    number = mission("recovery").value("home" if at_home else "found")
    return _parts((objective_points(number, opponents, settings), "recovery", "CB-MISS-24"))


# ----------------------------------------------------------------------------------- Sabotage, Scouting


def score_sabotage(
    successes: int, opponents: Iterable[int] = (), settings: Settings = DEFAULTS
) -> tuple[Modifier, ...]:
    """Return Objective Points of a Sabotage: 1 for each success at a place. Rules: CB-MISS-29."""
    number = successes * mission("sabotage").value("per_success")
    return _parts((objective_points(number, opponents, settings), "sabotage", "CB-MISS-29")) if number else ()


def sabotage_relics(successes: int) -> int:
    """Return the rolls on the Relics Table for a Sabotage: 1 for every 3 successes. Rules: CB-MISS-29."""
    return successes // mission("sabotage").value("successes_per_relic")


def score_scouting(successes: int, crew_points: int, settings: Settings = DEFAULTS) -> tuple[Modifier, ...]:
    """Return Objective Points of a Scouting: all successes, or by the setting a percentage of the
    scouting crew's own size. Rules: CB-MISS-32.
    """
    number = successes * mission("scouting").value("per_success")
    if settings.scouting_points == "percent":
        number = percent_of(crew_points, successes)
    return _parts((number, "scouting", "CB-MISS-32"))
