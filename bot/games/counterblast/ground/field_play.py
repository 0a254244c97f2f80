"""Models on bad ground: what dangerous places, hazards and random hazards do to who enters them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import again, carry_through, own, settings, spend_order
from bot.games.counterblast.core.fields import order
from bot.games.counterblast.core.rolls import (
    asked,
    finish,
    odds_reply,
    passing_odds,
    ref,
    require_between,
    wound,
)
from bot.games.counterblast.core.surroundings import CHILL, CHILLED, climate_here
from bot.games.counterblast.core.telling import Telling, offers
from bot.games.counterblast.core.throwers import harmed, labelled
from bot.games.counterblast.core.words import dice_words, times, why_check
from bot.games.counterblast.ground.areas import KINDS, ROCKS, Ground, add_area, area_names, area_of
from bot.games.counterblast.ground.fires import add_fire
from bot.games.counterblast.ground.suggestions import any_area
from bot.replies.chances import bars, exactness
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.handlers import handles
from bot.table.names import find
from bot.table.rolling.throws import Whose
from rules.effects import Assign, Count, Propose
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.core.ability import initiative_check
from rules.systems.counterblast.core.checks import throw
from rules.systems.counterblast.core.fighter import Condition, Counter, Fighter
from rules.systems.counterblast.core.initiative import DANGER_TARGET, FOOTING_TARGET
from rules.systems.counterblast.ground.hazards import (
    Climate,
    Hazard,
    HazardArea,
    acid_on_gear,
    after_footing,
    after_random_hazard,
    climate,
    climate_hit,
    hazard_exposure,
    hazard_fire,
    keeps_footing,
    random_hazard,
    reset_acid,
)
from rules.systems.counterblast.ground.protection import protection
from rules.systems.counterblast.ground.terrain import (
    SUGGESTED_POWER,
    Exposure,
    danger,
    danger_damage,
    exposure,
    is_at_risk,
)
from rules.systems.counterblast.turn.activation import ACTIONS, actions_left

EXPOSED = "exposed:"
"""Counter of a model: `exposed:<area>` is the turn in which it was last tested there."""


@dataclass(frozen=True, slots=True)
class Enter(Action):
    """A model touches a dangerous place.

    area: its name, or a kind with grade and Power. air: it is gas or
    radiation, which reaches models off the ground. anew: the danger was moved onto the model.
    """

    command = "cb.enter"
    typed = "cb field enter"

    model: str = fields.words("Who", offering.own_model, needed=True)
    area: str = fields.words("The place, or a kind of danger", any_area, needed=True, default="dangerous")
    grade: int = fields.whole("Of a danger without a name", 1, 3, default=1)
    power: int = fields.whole("The same, 5", 0, 10, default=0)
    air: bool = fields.switch("Gas or radiation")
    anew: bool = fields.switch("It was moved onto the model")
    order: bool = order()
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class RandomHazard(Action):
    """Roll a random hazard on a model.

    It is 5 in across, centred on the model.
    """

    command = "cb.hazard"
    typed = "cb field hazard"

    model: str = fields.words("Who", offering.own_model, needed=True)
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class MendGear(Action):
    """Gear eaten by acid is mended.

    It is repaired or replaced.
    """

    command = "cb.gear"
    typed = "cb field gear"

    model: str = fields.words("Who", offering.own_model, needed=True)


# ------------------------------------------------------------------------------------------- entering


def ground_of(act: Act, action: Enter) -> Ground:
    """The place that is meant: one on the table, or a kind of danger as it is told."""
    names = area_names(act.encounter)
    wanted = " ".join(action.area.split()).casefold()
    exact = next((name for name in names if name.casefold() == wanted), "")
    if exact:
        return area_of(act.encounter, exact)
    meant = find(action.area, [*names, *(kind for kind in KINDS if kind not in names)], str, "place")
    if meant in names:
        return area_of(act.encounter, meant)
    require_between(action.grade, 1, 3, "Grade")
    require_between(action.power, 0, 10, "Power")
    return Ground("", meant, action.grade, action.power or SUGGESTED_POWER)


@handles(Enter)
def enter(act: Act, action: Enter) -> Reply:
    """The check that the place asks for, and what it does."""
    model = asked(act, action.model, odds=action.odds)
    ground = ground_of(act, action)
    asks = replace(action, model=ref(model), area=ground.name or ground.kind, odds=False)
    act.canonical = asks
    turn = max(1, act.encounter.row.turn)
    seen = f"{EXPOSED}{ground.name}"
    if ground.name and not action.odds and model.count(seen) == turn and not action.anew:
        forbid(
            f"{model.name} was tested for {ground.name} this turn. Say anew if it was moved onto it.",
            "CB-TERR-07",
        )
    if ground.name and not action.odds:
        act.encounter.model(model.id).counters[seen] = turn
    if ground.kind == Hazard.SLICK:
        return _footing(act, model, asks, odds=action.odds)
    if ground.kind == Hazard.HEAT_OR_COLD:
        return _climate(act, model, ground, odds=action.odds)
    return _danger(act, model, ground, asks, odds=action.odds)


def _exposed(act: Act, model: Fighter, ground: Ground, *, air: bool) -> Exposure | None:
    chosen = settings(act)
    if ground.kind in (Hazard.ACID, Hazard.TOXIC):
        return hazard_exposure(model, HazardArea(Hazard(ground.kind), ground.grade), chosen)
    if not is_at_risk(model, on_ground=not model.flies, airborne_danger=air):
        return None
    return exposure(model, ground.grade, ground.power, chosen)


def _danger(act: Act, model: Fighter, ground: Ground, asks: Enter, *, odds: bool) -> Reply:
    """Initiative check, damage dice, shields. Rules: CB-TERR-07 to CB-TERR-10, CB-HAZ-01, CB-HAZ-06."""
    exposed = _exposed(act, model, ground, air=asks.air)
    telling = Telling()
    eaten = "" if odds else _acid(act, telling, model, ground)
    if exposed is None:
        kind = "acid" if ground.kind == Hazard.ACID else "toxic" if ground.kind == Hazard.TOXIC else ROCKS
        why = protection(model, kind) or "off the ground"  # type: ignore[arg-type]
        telling.lines.insert(0, f"{model.name} is safe from {ground.words}: {why}.")
        return finish(act, telling) if eaten else replace(finish(act, telling), private=not ground.name)
    plain, ordered = (
        initiative_check(model, DANGER_TARGET, order_token=order, settings=settings(act))
        for order in (False, True)
    )
    prepared = ordered if asks.order else plain
    ability = settings(act).initiative_check_ability
    dice = [
        dice_words(prepared, ability),
        f"then {times(exposed.rating, 'die', 'dice')} vs {exposed.defense}, "
        f"shield {exposed.shields}D vs {exposed.power}",
    ]
    if odds:
        return _danger_odds(act, model, ground, asks, exposed, dice)
    if asks.order:
        spend_order(act, model.side)
    whose = Whose(model.name, "Initiative check", f"against {ground.words}")
    result = act.roll(whose, throw, (prepared.throw,), label="initiative")
    harm = harmed(model.name, ground.words)
    wounds = 0 if result.net else act.roll(harm, danger_damage, exposed, result.net_ones)
    if result.net:
        telling.lines.insert(0, f"{model.name} avoids {ground.words}.")
    else:
        mark = Telling()
        wound(act, mark, again(act, model), wounds, f"by {CAUSES.get(ground.kind, ground.words)}")
        telling.lines[:0] = mark.lines
        telling.proposals += mark.proposals
        extra = times(result.net_ones, "more die", "more dice")
        telling.lines += [f"Critical failure: {extra}."] if result.net_ones else []
    telling.why += why_check(prepared, f"{model.name}, {ground.words}")
    return finish(act, telling, dice[:1] if result.net else dice)


CAUSES = {ROCKS: "dangerous ground", Hazard.ACID: "the acid", Hazard.TOXIC: "toxins"}
"""What wounds a model that touches such a place."""


def _danger_odds(
    act: Act, model: Fighter, ground: Ground, asks: Enter, exposed: Exposure, dice: list[str]
) -> Reply:
    prepared = initiative_check(model, DANGER_TARGET, order_token=asks.order, settings=settings(act))
    odds = act.solve(danger, (prepared.throw,), exposed)
    life = max(1, model.life_left)
    shown = [(times(n, "wound"), odds.chance(lambda w, n=n: w == n)) for n in range(life)]  # type: ignore[misc]
    shown.append((f"goes down ({life}+)", odds.chance(lambda w: w >= life)))
    lines = [f"{model.name} -> {ground.words}", *dice, *bars(shown), act.exactness]
    return odds_reply(act, model.side, lines, "Roll", asks)


def _acid(act: Act, telling: Telling, model: Fighter, ground: Ground) -> str:
    """What a turn in acid does to gear; gear that protects is proof. Rules: CB-HAZ-02."""
    if ground.kind != Hazard.ACID:
        return ""
    treated = protection(model, "acid") not in ("", "Robot")
    effects = acid_on_gear(model, treated=treated)
    telling.follow(act, effects)
    if not effects:
        return ""
    line = f"The acid eats a shield die: {again(act, model).shield} left."
    telling.lines.append(line)
    return line


def _footing(act: Act, model: Fighter, asks: Enter, *, odds: bool) -> Reply:
    """Initiative check at 7, or Prone. Rules: CB-HAZ-05."""
    plain, ordered = (
        initiative_check(model, FOOTING_TARGET, order_token=order, settings=settings(act))
        for order in (False, True)
    )
    ability = settings(act).initiative_check_ability
    if odds:
        words = ("keeps its feet", ability)
        return passing_odds(act, model, words, keeps_footing, (plain, ordered), asks)
    if asks.order:
        spend_order(act, model.side)
    prepared = ordered if asks.order else plain
    whose = Whose(model.name, "Initiative check", "on slick ground")
    kept = act.roll(whose, keeps_footing, (prepared.throw,))
    telling = Telling(why=why_check(prepared, f"{model.name}, slick ground"))
    telling.lines.append(f"{model.name} keeps its feet." if kept else f"{model.name} slips and is prone.")
    telling.follow(act, after_footing(model, kept=kept))
    return finish(act, telling, [dice_words(prepared, ability)])


def _climate(act: Act, model: Fighter, ground: Ground, *, odds: bool) -> Reply:
    """Mv and actions lost for this turn, and the hit of the worst; what the table already takes counts once.

    An active model loses the action now, another when it is activated. Rules: CB-HAZ-04.
    """
    found = climate(model, ground.grade)
    safe = protection(model, "heat_or_cold")
    if safe:
        return Reply((f"{model.name} is safe from {ground.words}: {safe}.",), private=True)
    telling = Telling([f"{model.name} in {ground.words}:", f"Mv {found.mv_inches:g} in{_loss(found)}"])
    if odds:
        hit = [f"and a 1-wound hit, Power {found.power}"] if found.power else []
        return Reply((*telling.lines, *hit, "Nothing is rolled."), private=True)
    before = climate_here(act.encounter, model)
    had = climate(model, before) if before else Climate(float(model.mv), ACTIONS)
    grade, turn = max(ground.grade, before), max(1, act.encounter.row.turn)
    marks = {CHILL: grade, CHILLED: turn}
    carry_through(act, [Assign("model", model.id, key, value) for key, value in marks.items()])
    more = min(had.actions - found.actions, actions_left(model))
    if more > 0 and model.has(Condition.ACTIVE):
        carry_through(act, [Count("model", model.id, Counter.ACTIONS, more)])
        telling.lines.append(f"{model.name} loses {more} action to heat or cold.")
    if found.power and not had.power:
        cancel = settings(act).shield_ones_cancel
        whose = harmed(model.name, ground.words)
        hits = act.roll(whose, climate_hit, found.power, model.shield, model.has_feature("tough"), cancel)
        wound(act, telling, again(act, model), hits, "in heat or cold")
    return finish(act, telling)


def _loss(found: Climate) -> str:
    lost = ACTIONS - found.actions
    return f", {times(lost, 'action')} lost" if lost else ", no action lost"


# ------------------------------------------------------------------------------------------- hazards


@handles(RandomHazard)
def hazard(act: Act, action: RandomHazard) -> Reply:
    """Kind and grade by the chart; it stays on the table, and what it does at once is asked for."""
    model = asked(act, action.model, odds=action.odds)
    act.canonical = replace(action, model=ref(model), odds=False)
    if action.odds:
        kinds = act.solve(random_hazard).map(lambda area: area.hazard)
        shown = [(kind.value.replace("_", " "), chance) for kind, chance in kinds.each().items()]
        lines = [f"A random hazard on {model.name}:", *bars(shown), exactness(kinds)]
        return odds_reply(act, model.side, lines, "Roll", act.canonical)
    whose = labelled(
        Whose(model.name, "random hazard", "on its chart"),
        grade=Whose(model.name, "random hazard", "for its grade"),
    )
    area = act.roll(whose, random_hazard)
    kind = area.hazard.value.replace("_", " ")
    telling = Telling()
    if area.hazard is Hazard.FIRE:
        name = add_fire(act.encounter, "fire", hazard_fire(area, max(1, act.encounter.row.turn)))
        telling.lines.append(f"{name}: fire R5 on {model.name}, {times(area.grade, 'turn')} long.")
    else:
        name = add_area(act.encounter, kind, area.hazard.value, area.grade)
        telling.lines.append(f"{name} [{area.grade}] R5 on {model.name}.")
    for effect in after_random_hazard(model, area):
        telling.follow(act, (_named(effect, name) if isinstance(effect, Propose) else effect,))
    if area.hazard is Hazard.FIRE and again(act, model).conditions != model.conditions:
        telling.lines.append(f"{model.name} is burning.")
    return finish(act, telling)


def _named(proposal: Propose, area: str) -> Propose:
    return replace(proposal, details=(*proposal.details, ("area", area)))


@offers("danger")
def _danger_offer(proposal: Propose) -> tuple[str, Action]:
    details = dict(proposal.details)
    area = str(details.get("area", details.get("hazard", ROCKS)))
    return "Check", Enter(f"#{proposal.model}", area, int(details.get("grade", 1)))


@offers("footing")
def _footing_offer(proposal: Propose) -> tuple[str, Action]:
    return "Check", Enter(f"#{proposal.model}", str(dict(proposal.details).get("area", "slick")))


@handles(MendGear)
def mend_gear(act: Act, action: MendGear) -> Reply:
    """Its shield dice are whole again."""
    model = own(act, action.model)
    effects = reset_acid(model)
    if not effects:
        raise InvalidInput(f"No acid has eaten the gear of {model.name}.")
    carry_through(act, effects)
    return finish(act, Telling([f"{model.name} has its {again(act, model).shield} shield dice again."]))
