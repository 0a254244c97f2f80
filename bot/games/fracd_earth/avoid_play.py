"""Avoiding an area attack: the Check of who saw it come, and where the figure ends."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.exchange import Exchange, Facts, current
from bot.games.fracd_earth.figures import figure_of, inactive_words, is_inactive
from bot.games.fracd_earth.players import deck_of, name_of, player_of, require_holder
from bot.games.fracd_earth.readings import settings_of
from bot.games.fracd_earth.steps import DECISIONS, DUES, LATE, ask, begin_check, outcome
from bot.games.fracd_earth.telling import Telling, inches, side_words, why_lines
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.game import reaction_seconds
from bot.table.handlers import handles
from bot.table.owners import in_play
from rules.refusals import InvalidInput
from rules.systems.fracd_earth import area, checks, edges, manoeuvre
from rules.systems.fracd_earth import seat as seats
from rules.wording import times


@dataclass(frozen=True, slots=True)
class Avoided(Action):
    """What an avoidance is used for. out: the figure leaves the area; duck: an Edge for hard cover."""

    command = "fe.avoid"
    decision_of = in_play("the player who holds the cards")

    at: int = 0
    out: bool = True
    duck: bool = False
    step: int = 0


def hit_due(facts: Facts, number: int, *, ducked: bool = False) -> Facts:
    """A hit of an area attack. Rules: FE-AOE-14."""
    return {
        "kind": "protect",
        "target": number,
        "by": facts["attacker"],
        "weapon": facts["weapon"],
        "shift": 0,
        "abuse": 0,
        "armour": 0,
        "effect_shifts": facts["effect_shifts"],
        "cover": "none",
        "ducked": ducked,
    }


def begin_avoid(act: Act, telling: Telling, due: Facts) -> None:
    """Rules: FE-AOE-10, FE-AOE-11, FE-DEF-02, FE-MAN-02."""
    encounter, settings = act.encounter, settings_of(act.encounter)
    row = encounter.model(due["target"])
    facts = due["area"]
    if is_inactive(encounter, row):
        telling.lines.append(f"{inactive_words(row)} It can't avoid.")
        exchanges.owe(encounter, [*exchanges.due(encounter), hit_due(facts, row.id)])
        return
    found = area.AreaResult(not facts["mof"], facts["mos"], facts["mof"])
    tn = area.avoidance_tn(found)
    ready = manoeuvre.side(figure_of(encounter, row), settings)
    telling.lines.append(f"{row.name}: avoidance, TN {tn}: {side_words(ready)}")
    telling.why += why_lines(row.name, ready)
    number = player_of(encounter, row)
    seat = seats.sit(number, ready, deck_of(encounter, number))
    known = {"names": [row.name], "traits": ["Manv"], "id": row.id, "area": facts}
    begun = begin_check(act, telling, Exchange("avoid", known, id=act.entry, entry=act.entry), seat, tn)
    exchanges.keep(encounter, begun)


DUES["avoid"] = begin_avoid


@outcome("avoid")
def avoid_outcome(act: Act, telling: Telling, exchange: Exchange) -> None:
    """Away, behind cover, or hit. Rules: FE-AOE-12, FE-AOE-13, FE-AOE-14, FE-CREW-02."""
    encounter, facts = act.encounter, exchange.facts
    result = checks.resolve(exchange.check, settings_of(encounter))
    exchanges.close(encounter, exchange)
    name = facts["names"][0]
    if not result.achieved:
        telling.lines.insert(0, f"{name} does not avoid it.")
        exchanges.owe(encounter, [*exchanges.due(encounter), hit_due(facts["area"], facts["id"])])
        return
    one, other = (
        figure_of(encounter, encounter.model(number)) for number in (facts["id"], facts["area"]["attacker"])
    )
    earned = edges.usable_edges(result.edges, one, other)
    more = f": {times(earned, 'Edge')}" if earned else ""
    head = f"{name} avoids it by {result.margin}" if result.margin else f"{name} avoids it in part"
    telling.lines.insert(0, f"{head}{more}.")
    waits = (player_of(encounter, encounter.model(facts["id"])),)
    known = facts | {"edges": earned}
    exchanges.keep(encounter, Exchange("avoid", known, None, "away", waits, exchange.id, act.entry))


def _earned(act: Act, facts: Facts, *, duck: bool) -> area.Avoidance:
    move = figure_of(act.encounter, act.encounter.model(facts["id"])).profile.move_inches
    return area.avoid(facts.get("edges", 0), move, duck=duck)


def _ask_away(act: Act, telling: Telling, exchange: Exchange) -> None:
    facts = exchange.facts
    far = _earned(act, facts, duck=False).inches
    who = name_of(act.encounter, exchange.waits[0])
    telling.lines.append(
        f"{who}: {facts['names'][0]} moves up to {far} in ({reaction_seconds(act.encounter)} s)."
    )
    out = Avoided(exchange.id, step=exchange.entry)
    telling.buttons.append(Button("Out of it", out, "main", anytime=True))
    telling.buttons.append(Button("Still in it", replace(out, out=False), anytime=True))
    if facts.get("edges"):
        telling.buttons.append(Button("Duck: cover", replace(out, out=False, duck=True), anytime=True))


DECISIONS["away"] = _ask_away


@handles(Avoided, bot_dice=True)
def avoided(act: Act, action: Avoided) -> Reply:
    """Where the figure ends. Rules: FE-AOE-12, FE-AOE-14."""
    exchange = current(act.encounter, action.at, action.step)
    if exchange.stage != "away":
        raise InvalidInput("Nobody avoids an area now.")
    require_holder(act, exchange.waits[0])
    telling = Telling()
    _away(act, telling, exchange, out=action.out, duck=action.duck)
    return ask(act, telling)


def _away(act: Act, telling: Telling, exchange: Exchange, *, out: bool, duck: bool) -> None:
    facts = exchange.facts
    earned = _earned(act, facts, duck=duck)
    exchanges.drop(act.encounter)
    name = facts["names"][0]
    if out:
        telling.lines.append(f"{name} is out of the area.")
        return
    how = "ducks behind cover" if duck else "is still in the area"
    telling.lines.append(f"{name} {how} ({inches(earned.inches)}).")
    exchanges.owe(
        act.encounter, [hit_due(facts["area"], facts["id"], ducked=duck), *exchanges.due(act.encounter)]
    )


def _late_away(act: Act, telling: Telling, exchange: Exchange) -> None:
    _away(act, telling, exchange, out=True, duck=False)


LATE["away"] = _late_away
