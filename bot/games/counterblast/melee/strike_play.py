"""What blows leave behind, as buttons: striking back, being driven back, exploding."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import UNDO, again, pay, settings
from bot.games.counterblast.core.fighters import fighter, fighters
from bot.games.counterblast.core.owed import WAIVED, Debt, Waive, counted, finds
from bot.games.counterblast.core.rolls import finish, model_choices, require_between, suffering_odds, wound
from bot.games.counterblast.core.surroundings import VACUUM
from bot.games.counterblast.core.telling import Telling, offers, strike
from bot.games.counterblast.core.throwers import at, crashed
from bot.games.counterblast.core.words import times, trace_lines, why_impact
from bot.games.counterblast.melee.contact import held_by, names, part
from bot.games.counterblast.melee.fight_play import blow_odds
from bot.games.counterblast.melee.fought_out import fight_out
from bot.games.counterblast.melee.melees import STRIKES, TURN_PLACE, Melee, Pairing, flat
from bot.games.counterblast.shooting.recalled import forget
from bot.games.counterblast.templates.near_play import HitsNear, ask_near
from bot.games.counterblast.templates.template_play import MOST_WOUNDS
from bot.replies.reply import Blank, Button, Menu, Reply, form
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.encounter import GONE, set_counter
from bot.table.handlers import handles
from bot.table.rolling.throws import each
from rules.effects import Leave, Propose
from rules.refusals import Forbidden
from rules.systems.counterblast.core.casualties import CASUALTY
from rules.systems.counterblast.core.general import distance_dice
from rules.systems.counterblast.movement.falling import Faller, fall
from rules.systems.counterblast.templates.combustible import blast_inches, explosion
from rules.systems.counterblast.templates.templates import (
    Cast,
    Under,
    after_engulfing,
    blast,
    engulf_wounds,
    prepare_blast,
)


@dataclass(frozen=True, slots=True)
class StrikeBack(Action):
    """A Ferocious model makes its free attack on a model that attacked it."""

    command = "cb.strike-back"

    model: int = 0
    attacker: int = 0
    tenths: int = 0
    odds: bool = False


@dataclass(frozen=True, slots=True)
class DrivenBack(Action):
    """A model was driven back so many inches by a side's attack: it touches nobody any more."""

    command = "cb.driven-back"

    model: int = 0
    inches: int = 0
    by: int = 0


@dataclass(frozen=True, slots=True)
class KnockedInto(Action):
    """A model that is driven back strikes something after so many inches, `most` of them at most.

    struck: models; sure: nobody else. by: the side whose attack drove or threw it.
    """

    command = "cb.knocked-into"

    model: int = 0
    inches: float = 0.0
    most: int = 0
    struck: tuple[int, ...] = ()
    sure: bool = False
    by: int = 0


STRUCK = form("cb-knocked-into", "Strikes something", Blank("inches", "Inches before contact", longest=5))


@dataclass(frozen=True, slots=True)
class Explode(HitsNear):
    """A Combustible model explodes; near it is who stands within reach."""

    command = "cb.explode"

    model: int = 0
    attack: bool = False
    odds: bool = False


@dataclass(frozen=True, slots=True)
class ExplodeNow(Action):
    """A Combustible model explodes as its attack.

    Asks who is near, where nobody is named.
    """

    command = "cb.explode.now"
    typed = "gear explode"

    model: str = fields.words("Who", offering.own_model, needed=True)
    near: tuple[str, ...] = fields.listed("Who is near, with commas; none: asked", offering.several_models)
    odds: bool = fields.odds()


WAIVED[STRIKES] = "does not strike back."


@finds
def strikes_left(act: Act) -> list[Debt]:
    """Ferocious models that have not said whether they strike back. Rules: CB-FEAT-27."""
    found = []
    for row, key, value in counted(act.encounter, STRIKES):
        attacker = act.encounter.model(int(key))
        able = not fighter(act.encounter, row).is_incapacitated and attacker.status != GONE
        if value // TURN_PLACE != max(1, act.encounter.row.turn) or not able:
            continue
        buttons = (
            Button("Strike back", StrikeBack(row.id, attacker.id, value % TURN_PLACE), "main", anytime=True),
            Button("No strike back", Waive(row.id, STRIKES + key), anytime=True),
        )
        found.append(Debt(row.side, f"{row.name} may strike back at {attacker.name}.", buttons))
    return found


@offers("strike_back", odds=True, lasting=True)
def _strike_button(proposal: Propose) -> tuple[str, Action]:
    details = dict(proposal.details)
    action = StrikeBack(proposal.model, int(details["attacker"]), int(details["tenths"]))
    whom = details.get("whom", "")
    return f"Strike back: {whom}" if whom else "Strike back", action


@offers("no_strike_back", lasting=True)
def _no_strike_button(proposal: Propose) -> tuple[str, Action]:
    details = dict(proposal.details)
    whom = details.get("whom", "")
    waives = Waive(proposal.model, f"{STRIKES}{details['attacker']}")
    return f"No strike back: {whom}" if whom else "No strike back", waives


@offers("knockback")
def _driven_button(proposal: Propose) -> tuple[str, Action]:
    details = dict(proposal.details)
    return "Driven back", DrivenBack(proposal.model, int(details["inches"]), int(details["by"]))


@offers("explode")
def _explode_button(proposal: Propose) -> tuple[str, Action]:
    return "Explode...", Explode(proposal.model)


@handles(StrikeBack)
def strike_back(act: Act, action: StrikeBack) -> Reply:
    """Free, at once, against one that it just defended against; a free attack triggers none.

    Rules: CB-FEAT-27.
    """
    row = act.encounter.model(action.model)
    attacker = act.encounter.model(action.attacker)
    if row.counters.get(f"{STRIKES}{attacker.id}", 0) // TURN_PLACE != max(1, act.encounter.row.turn):
        raise Forbidden(f"{row.name} has no free attack on {attacker.name} left.", "CB-FEAT-27")
    pairing = Pairing(row.id, attacker.id, tenths=action.tenths)
    blow = Melee("back", flat([pairing]))
    if action.odds:
        strike_now = Button("Strike back", replace(action, odds=False), "main", anytime=True)
        return Reply((*blow_odds(act, blow), "Nothing is rolled."), private=True, buttons=(strike_now,))
    act.require_model(row)
    set_counter(row.counters, f"{STRIKES}{attacker.id}", 0)
    return fight_out(act, Telling(), blow)


@handles(DrivenBack)
def driven_back(act: Act, action: DrivenBack) -> Reply:
    """Whoever held it holds it no more; if it strikes something on its way, that is asked for.

    Rules: CB-FEAT-35, CB-COND-03.
    """
    model = fighter(act.encounter, act.encounter.model(action.model))
    act.require_player()
    held = held_by(act, model)
    for enemy in held:
        part(act, model, enemy)
    forget(act.encounter, model.id)
    source = f" from {names(held)}" if held else ""
    hits = Button(
        "Strikes something...", KnockedInto(model.id, most=action.inches, by=action.by), form=STRUCK
    )
    return Reply((f"{model.name} is driven back {action.inches} in{source}.",), buttons=(hits, UNDO))


@handles(KnockedInto)
def knocked_into(act: Act, action: KnockedInto) -> Reply:
    """Dice as for a fall over the inches really moved, on it and on every model it strikes.

    Rules: CB-FEAT-35, CB-FALL-03, CB-FALL-04, CB-SCORE-02.
    """
    model = fighter(act.encounter, act.encounter.model(action.model))
    act.require_player()
    require_between(action.inches, 0, action.most, "Inches")
    if not action.struck and not action.sure:
        others = [one for one in fighters(act.encounter) if one.id != model.id]
        menu = Menu("Whom does it hit?", action, "struck", model_choices(others), 1, min(5, len(others)))
        said = f"{model.name} strikes something after {action.inches:g} in."
        none = Button("No model", replace(action, sure=True), "main")
        return Reply((said, "A model too?"), private=True, buttons=(none,), menus=(menu,))
    struck = [fighter(act.encounter, act.encounter.model(number)) for number in action.struck]
    whose = crashed(model.name, [one.name for one in struck], "impact")
    hits = act.roll(whose, fall, action.inches, Faller.of(model), tuple(Faller.of(one) for one in struck))
    forget(act.encounter, model.id)
    telling = Telling()
    wound(act, telling, model, hits.faller, "by the impact", striker=action.by)
    for one, wounds in zip(struck, hits.struck, strict=True):
        wound(act, telling, one, wounds, striker=action.by)
    number = distance_dice(action.inches)
    return finish(act, telling, [f"{times(number, 'die', 'dice')} for {action.inches:g} in, no shields"])


@handles(ExplodeNow)
def explode_now(act: Act, action: ExplodeNow) -> Reply:
    """The explosion of the model that is named, which is what is kept of it."""
    numbers = [act.encounter.find_model(name).id for name in (action.model, *action.near)]
    explosion_asked = Explode(numbers[0], near=tuple(numbers[1:]), attack=True, odds=action.odds)
    act.canonical = replace(explosion_asked, odds=False)
    return explode(act, explosion_asked)


@handles(Explode)
def explode(act: Act, action: Explode) -> Reply:
    """Everybody within reach is attacked, friends too; the model is gone. Rules: CB-FEAT-16."""
    act.require_player()
    model = fighter(act.encounter, act.encounter.model(action.model))
    if not model.has_feature("combustible"):
        raise Forbidden(f"{model.name} is not Combustible.", "CB-FEAT-16")
    if action.attack and not action.odds:
        act.require_model(act.encounter.model(action.model))
    elif not action.attack and not model.is_down and act.encounter.model(model.id).status != GONE:
        raise Forbidden(f"{model.name} stands: exploding is its attack.", "CB-FEAT-16")
    if not action.is_said:
        others = [other for other in fighters(act.encounter) if other.id != model.id]
        inches = blast_inches(model)
        head, prompt = f"{model.name} explodes: {inches} in around it.", f"Who is within {inches} in of it?"
        return ask_near(act, action, head, prompt, others)
    if action.attack and not action.odds:
        pay(act, model, "burst")
    weapon = explosion(model)
    cast = Cast(model, weapon, vacuum=bool(act.encounter.count(VACUUM)))
    unders = tuple(Under(fighter(act.encounter, act.encounter.model(number))) for number in action.everybody)
    ready = prepare_blast(cast, unders, settings(act))
    if action.odds:
        chances = [(one.target, act.solve(engulf_wounds, one.victim, MOST_WOUNDS)) for one in ready]
        plain = replace(action, odds=False)
        return suffering_odds(act, model.side, f"{model.name} explodes", chances, "Explode", plain)
    telling = Telling([f"{model.name} explodes."])
    whose = each(*(at(model.name, one.target.name) for one in ready))
    results = act.roll(whose, blast, tuple(one.victim for one in ready))
    turn = max(1, act.encounter.row.turn)
    for one, suffered in zip(ready, results, strict=True):
        target = again(act, one.target)
        strike(act, telling, model, target, weapon, suffered, after_engulfing(cast, target, suffered, turn))
        telling.why += [f"{target.name}:", *why_impact(one.impact)]
    telling.follow(act, (Leave(model.id, CASUALTY),))
    telling.lines += ["", *trace_lines(act.dice.trace), *telling.proposal_lines()]
    return Reply(tuple(telling.lines), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))
