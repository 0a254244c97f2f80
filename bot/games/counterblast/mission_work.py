"""Places and tokens of missions: laid, searched or sabotaged, trapped, taken up and dropped.

Successes at a place are stored there, in rows that both sides see grow.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.attacks import Telling
from bot.games.counterblast.checking import (
    asked,
    finish,
    odds_reply,
    ref,
    require_between,
    suffering_odds,
    wound,
)
from bot.games.counterblast.common import UNDO, named, own, settings
from bot.games.counterblast.mission_state import (
    PLACE,
    TRAP,
    Mission,
    hide,
    my_side,
    places,
    required,
    search_of,
    values_of,
    write_search,
)
from bot.games.counterblast.teams import (
    SkillAction,
    Team,
    reminder,
    reroll_odds,
    rolled,
    second_chance,
    team_dice,
    team_of,
    told_why,
    waits,
)
from bot.games.counterblast.tokens import holder_of, lay_token, tokens
from bot.games.counterblast.words import times
from bot.replies.chances import bars
from bot.replies.reply import Reply, say
from bot.store.rows import SecretRow, ThingRow
from bot.table.act import Act
from bot.table.encounter import set_counter
from bot.table.handlers import handles
from bot.table.names import checked_name, find
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.missions import (
    is_found,
    prepare_trap,
    recovery_markers,
    require_escort_marker,
    require_invasion_marker,
    trap,
    traps_sprung,
)
from rules.systems.counterblast.objectives import (
    HELD,
    Search,
    Spot,
    require_search,
    require_spots,
    sabotaged,
    searched,
    stored,
    take_token,
)
from rules.systems.counterblast.profile import Skill
from rules.systems.counterblast.skills import NAMES, Job, skill_check

SUCCESSES = "mission successes"
"""Counter of a side: successes at its places, for what comes after the game."""

MOST_TOKENS = 30
MOST_UNDER = 20


@dataclass(frozen=True, slots=True)
class LayPlaces(Action):
    """Lay the places of a mission. spots: `x y zone; ...` in inches, zone to the deployment area that counts.

    inside: an Invasion's place lies in an enemy zone; corner: an Escort's, inches from the opposite corner.
    """

    command = "mission.places"

    spots: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True)
class SearchPlace(SkillAction):
    """Work at a place of one's mission. inches: from the model to it."""

    command = "mission.search"

    place: str = ""
    inches: float = 0.0


@dataclass(frozen=True, slots=True)
class TrapPlace(Action):
    """Trap one of the opponent's places in secret."""

    command = "mission.trap"

    place: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True)
class SpringTrap(Action):
    """Declare a trap as a model comes within 1 in. under: everybody under the template."""

    command = "mission.spring"

    place: str = ""
    under: tuple[str, ...] = ()
    side: str = ""
    odds: bool = False


@dataclass(frozen=True, slots=True)
class TakeToken(Action):
    """Take a token by moving into contact; a name that is new lays it first. No model: it is only laid."""

    command = "mission.token"

    token: str = ""
    model: str = ""
    drop: bool = False


# ------------------------------------------------------------------------------------ places


@handles(LayPlaces)
def lay_places(act: Act, action: LayPlaces) -> Reply:
    """After deployment; they stay all game."""
    encounter = act.encounter
    side = my_side(act, action.side)
    mission = required(encounter, side)
    if places(encounter, side):
        raise InvalidInput("Your places are laid. To lay them anew, undo it.")
    spots = _spots(action.spots)
    try:
        _require(act, mission, spots)
    except Forbidden as refusal:
        raise InvalidInput(f"{refusal.sentence}\nRule {refusal.rule}.") from None
    name = encounter.side(side).name
    letters = []
    for letter, spot in zip("ABCDEFGHIJ", spots, strict=False):
        number = act.book.next_id(ThingRow)
        content = json.dumps({"x": spot.x, "y": spot.y})
        row = ThingRow(act.book.scope, number, PLACE, f"{name} {letter}", content, {"side": side})
        act.book.add(row)
        letters.append(f"{letter} at {spot.x:g}, {spot.y:g}")
    return say(f"{name} lays {times(len(spots), 'place')}.", *letters, buttons=[UNDO])


def _spots(text: str) -> tuple[Spot, ...]:
    found = []
    for part in filter(None, (one.strip() for one in text.split(";"))):
        try:
            numbers = [float(one) for one in part.replace(",", " ").split()]
            x, y, zone = numbers
        except ValueError:
            raise InvalidInput("Each place is three numbers: x y zone; the next after a semicolon.") from None
        for inches in numbers:
            require_between(inches, 0, 500, "Inches")
        found.append(Spot(x, y, (zone,)))
    if not 1 <= len(found) <= 10:
        raise InvalidInput("Lay 1 to 10 places: x y zone; x y zone.")
    return tuple(found)


def _require(act: Act, mission: Mission, spots: tuple[Spot, ...]) -> None:
    """Rules: CB-MISS-12, CB-MISS-15, CB-MISS-20, CB-MISS-26, CB-MISS-28, CB-MISS-30."""
    note = mission.note
    if mission.key == "escort":
        require_spots(spots, 1, 0, 0)
        require_escort_marker(spots[0].zone_inches[0])
    elif mission.key == "invasion":
        require_spots(spots, 1, 0, 0)
        require_invasion_marker(in_enemy_zone=spots[0].zone_inches[0] == 0)
    elif mission.key in ("recovery", "sabotage", "scouting"):
        number = len(spots)
        if mission.key == "recovery":
            number = recovery_markers(len(act.encounter.sides()))
        elif mission.key == "scouting":
            number = note.value("markers")
        require_spots(spots, number, note.value("zone_inches"), note.value("apart_inches"))
    else:
        raise InvalidInput(f"{note.name} has no places to lay.")


def _place(act: Act, text: str, side: int = 0) -> ThingRow:
    found = places(act.encounter, side)
    return find(text, found, lambda row: row.name, "place")


# ------------------------------------------------------------------------------------ searching


@handles(SearchPlace)
def search_place(act: Act, action: SearchPlace) -> Reply:
    """One check: what it scores is stored at the place, for all to see."""
    encounter = act.encounter
    worker = asked(act, action.worker, odds=False)
    mission = required(encounter, worker.side)
    place = _place(act, action.place, worker.side)
    sabotage = mission.key == "sabotage"
    if mission.key not in ("recovery", "sabotage", "scouting"):
        raise InvalidInput(f"{mission.note.name} has nothing to search.")
    skill: Skill = "engineering" if sabotage else "technology"
    before = search_of(place)
    if not action.again and not action.stands:
        reach = 0 if sabotage else mission.note.value("search_inches")
        with act.overridable():
            require_search(before, max(1, encounter.row.turn), action.inches, reach, once_a_turn=not sabotage)
    team = team_of(act, worker, action.helpers, Job(skill, mission.note.value("target"), purpose="objective"))
    helpers = tuple(ref(model) for model in team.models[1:])
    asks = replace(action, worker=ref(worker), helpers=helpers, place=place.name, skill=skill, odds=False)
    act.canonical = asks
    if action.odds:
        return _odds(act, asks, team)
    result = rolled(act, team, asks, "search")
    choice = second_chance(act, team, asks, result)
    telling = Telling(why=told_why(team, order=action.order, title=NAMES[skill]))
    if choice and result.net_ones:
        telling.lines += waits(worker, skill, result)
    else:
        turn = max(1, encounter.row.turn)
        several = len(places(encounter, worker.side)) > 1
        after = (
            sabotaged(before, result, turn, several=several) if sabotage else searched(before, result, turn)
        )
        write_search(place, after)
        telling.lines += [
            *_progress(act, worker.name, mission, place, before, after),
            *reminder(act, team, skill),
        ]
        telling.lines += waits(worker, skill, result) if choice else []
    return finish(act, telling, team_dice(team, order=action.order) if not action.stands else [], *choice)


def _progress(
    act: Act, name: str, mission: Mission, place: ThingRow, before: Search, after: Search
) -> list[str]:
    everywhere = stored(search_of(row) for row in places(act.encounter, mission.side))
    set_counter(act.encounter.side(mission.side).counters, SUCCESSES, everywhere)
    gained = after.stored - before.stored
    if gained > 0:
        lines = [f"{name} at {place.name}: {times(gained, 'success', 'successes')}."]
    elif gained < 0:
        lines = [f"{name} at {place.name}: {-gained} lost."]
    else:
        lines = [f"{name} at {place.name}: no success."]
    lines.append(f"Stored there {after.stored}, in all {everywhere}.")
    if after.closed and not before.closed:
        lines.append(f"{place.name} is closed.")
    if mission.key == "recovery" and is_found(everywhere) and not is_found(everywhere - max(0, gained)):
        lines += ["It is found here. Who takes it?", "/mission found, one of the searchers."]
    return lines


def _odds(act: Act, asks: SearchPlace, team: Team) -> Reply:
    odds = act.solve(skill_check, team.throws(order=asks.order), label="search")
    shown = [("nothing", odds.chance(lambda result: not result.net and not result.net_ones))]
    shown += [(str(n), odds.chance(lambda result, n=n: result.net == n)) for n in (1, 2)]  # type: ignore[misc]
    shown.append(("3+", odds.chance(lambda result: result.net > 2)))
    shown.append(("critical failure", odds.chance(lambda result: result.net_ones > 0)))
    lines = [
        f"{team.models[0].name} -> {asks.place}",
        *team_dice(team, order=asks.order),
        *bars(shown),
        *reroll_odds(act, team, asks),
        "Exact.",
    ]
    plain, ordered = replace(asks, order=False), replace(asks, order=True)
    return odds_reply(act, team.models[0].side, lines, "Roll", plain, ordered)


# ------------------------------------------------------------------------------------ traps


@handles(TrapPlace)
def trap_place(act: Act, action: TrapPlace) -> Reply:
    """Each opponent traps one place, without conferring. Rules: CB-MISS-21."""
    side = my_side(act, action.side)
    place = _place(act, action.place)
    if place.counters.get("side") == side:
        raise InvalidInput("That is your own place.")
    if any(row.kind == TRAP and row.side == side for row in act.book.all(SecretRow)):
        raise InvalidInput("You have trapped a place. To choose again, undo it.")
    row = hide(act, side, TRAP, {"place": place.id})
    name = act.encounter.side(side).name
    told = say(f"{name}: a place is trapped.", "SHA-256 of it:", f"`{row.proof}`")
    return Reply(
        (f"You trap {place.name}.", "Spring it: /mission spring.", "Only your side sees this."),
        private=True,
        buttons=(UNDO,),
        also=(told,),
    )


@handles(SpringTrap)
def spring_trap(act: Act, action: SpringTrap) -> Reply:
    """Before any search there, once, however many trapped it. Rules: CB-MISS-21, CB-TMPL-01."""
    side = my_side(act, action.side)
    place = _place(act, action.place)
    traps = [row for row in act.book.all(SecretRow) if row.kind == TRAP and not row.revealed]
    here = [row for row in traps if values_of(row).get("place") == place.id]
    if not any(row.side == side for row in here):
        raise InvalidInput("You have no trap there.")
    if not 1 <= len(action.under) <= MOST_UNDER:
        raise InvalidInput(f"Name 1 to {MOST_UNDER} models under the template.")
    if not traps_sprung([row.side for row in here], search_of(place) == Search()):
        raise InvalidInput("That place was searched: its trap is lost.")
    models = [named(act, name) for name in action.under]
    asks = replace(action, under=tuple(ref(model) for model in models), place=place.name, odds=False)
    act.canonical = asks
    if action.odds:
        chances = [
            (one, act.solve(trap, prepare_trap(one, settings=settings(act))[0]).map(lambda got: got.through))
            for one in models
        ]
        return suffering_odds(act, side, f"A trap at {place.name}", chances, "Spring it", asks)
    for row in here:
        row.revealed = True
    telling = Telling([f"{act.encounter.side(side).name} springs a trap at {place.name}."])
    for model in models:
        victim, _ = prepare_trap(model, settings=settings(act))
        suffered = act.roll(trap, victim)
        wound(act, telling, model, suffered.through, "from the trap")
    telling.lines += [line for row in here for line in (f"`{row.content}`", f"SHA-256 `{row.proof[:16]}...`")]
    return finish(act, telling, ["trap 3D+2, Power 5, at Defense"])


# ------------------------------------------------------------------------------------ tokens


@handles(TakeToken)
def take(act: Act, action: TakeToken) -> Reply:
    """By moving into contact; it drops when its holder is lost or panics. Rules: CB-MISS-03, CB-SALV-04."""
    act.require_player()
    encounter = act.encounter
    known = {row.name.casefold(): row for row in tokens(encounter)}
    wanted = " ".join(action.token.split()).casefold()
    if wanted not in known:
        if len(known) >= MOST_TOKENS:
            raise InvalidInput(f"A table has at most {MOST_TOKENS} tokens.")
        name = checked_name(action.token, "token")
        known[wanted] = lay_token(encounter, name)
    token = known[wanted].name
    holder = holder_of(encounter, token)
    if action.drop:
        if not holder:
            raise InvalidInput(f"Nobody holds {token}.")
        own(act, ref(named(act, f"#{holder}")))
        set_counter(encounter.row.counters, f"{HELD}:{token}", 0)
        return say(f"{encounter.model(holder).name} drops {token}.", buttons=[UNDO])
    if not action.model:
        return say(f"{token} lies on the table.", buttons=[UNDO])
    model = own(act, action.model)
    if holder and holder != model.id:
        with act.overridable():
            raise Forbidden(f"{encounter.model(holder).name} holds {token}.", "CB-MISS-03")
    with act.overridable():
        encounter.apply(take_token(model, token, in_contact=True))
    return say(f"{model.name} takes {token}.", buttons=[UNDO])
