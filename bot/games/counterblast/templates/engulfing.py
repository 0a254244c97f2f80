"""Effects of a landed template on everyone under it, rolled or as odds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from bot.games.counterblast.core.common import again, settings
from bot.games.counterblast.core.narration import (
    Lasting,
    Telling,
    add_gained_effects,
    add_wounds,
    apply_attack,
)
from bot.games.counterblast.core.wording import (
    at,
    cast_automatic_hit,
    hurt,
    hurt_words,
    trace_lines,
    why_check,
    why_impact,
)
from bot.games.counterblast.shooting.arcs import with_arc_modifier
from bot.games.counterblast.state.models import fighter, find_known_weapon
from bot.games.counterblast.templates.coverage import LANDED, Engulf, build_cast, list_models_under
from bot.replies.chances import percent
from bot.replies.reply import Reply
from bot.table.act import Act, ActView
from bot.table.journal.history import UNDO
from bot.table.steps import Chances, Hurt, in_steps
from bot.table.throw_purposes import Whose, each
from rules.dice import Odds
from rules.effects import Effect
from rules.refusals import Forbidden
from rules.systems.counterblast.core.burning import catch_fire, find_protection, roll_burn
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.impacts import suffer
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.shooting.special_attacks import ACID_AREA, acid_hit
from rules.systems.counterblast.shooting.templates import (
    Cast,
    PreparedVictim,
    Under,
    after_engulfing,
    after_void,
    blast,
    engulf_wounds,
    last_on_line,
    line,
    prepare_blast,
    prepare_void,
    void,
)
from rules.wording import times

MAX_WOUNDS = 9


@dataclass(frozen=True, slots=True)
class ReadyUnder:
    """A template that has landed, and everyone under it."""

    cast: Cast
    under: tuple[Under, ...]


@dataclass(frozen=True, slots=True)
class UnderChance:
    """The possible effects of a template on one model under it, in words and numbers."""

    line: str
    odds: Odds[Any]
    hurt: Hurt


@in_steps(Engulf)
class Engulfing(Lasting[Engulf, ReadyUnder]):
    """One roll for each model under the template, one summary."""

    label = "Roll"

    def prepare(self, act: ActView, action: Engulf) -> ReadyUnder:
        """Return who is under it. Raises InvalidInput, Forbidden."""
        if not act.action.looks:
            act.require_model(act.encounter.model(action.firer))
        ready = prepare_under(act, action)
        if ready.under and is_blast(ready.cast.weapon):
            _prepare_victims(act, ready)
        return ready

    def do(self, act: Act, action: Engulf, ready: ReadyUnder) -> Reply:
        return engulf(act, action)

    def chances(self, act: ActView, action: Engulf, ready: ReadyUnder) -> Chances:
        if not ready.under:
            return Chances(("No model is under the template.",))
        under_odds = under_chances(act, ready)
        return Chances(
            (ready.cast.weapon.name, *(under_chance.line for under_chance in under_odds)),
            solved=tuple(under_chance.odds for under_chance in under_odds),
            hurts=tuple(under_chance.hurt for under_chance in under_odds),
        )


def is_blast(weapon: Weapon) -> bool:
    """Return whether it throws damage dice: no pool of acid and no void."""
    return weapon.key != ACID_AREA.key and weapon.damage_dice is not None


def prepare_under(act: ActView, action: Engulf) -> ReadyUnder:
    """Return the template as it lies. Raises InvalidInput for too many under it."""
    firer = fighter(act.encounter, act.encounter.model(action.firer))
    weapon = next((carried for carried in firer.weapons if carried.key == action.weapon), None)
    weapon = weapon or find_known_weapon(act.encounter.model(action.firer), action.weapon)
    return ReadyUnder(build_cast(act, firer, weapon, action.sight), list_models_under(act, action))


def under_chances(act: ActView, ready: ReadyUnder) -> list[UnderChance]:
    """Return the effects on each in words; on a line the odds of one depend on those before.

    Rules: CB-TMPL-13, CB-FEAT-03, CB-WEAP-31.
    """
    cast_, weapon = ready.cast, ready.cast.weapon
    if weapon.key == ACID_AREA.key:
        return [_acid_chances(act, under.target) for under in ready.under]
    if weapon.damage_dice is None:
        return [_void_chances(act, cast_, under) for under in ready.under]
    caught = _prepare_victims(act, ready)
    victims = tuple(covered.victim for covered in caught)
    under_odds: list[UnderChance] = []
    for place, prepared_victim in enumerate(caught):
        if weapon.template == "L":
            odds = act.solve(last_on_line, victims[: place + 1], MAX_WOUNDS)
        else:
            odds = act.solve(engulf_wounds, prepared_victim.victim, MAX_WOUNDS)
        target, attack_weapon = prepared_victim.target, prepared_victim.weapon
        words = f"{target.name}: {hurt_words(odds, target, attack_weapon)}"
        under_odds.append(UnderChance(words, odds, hurt(odds, attack_weapon, target)))
    return under_odds


def _acid_chances(act: ActView, target: Fighter) -> UnderChance:
    odds = act.solve(roll_burn, acid_hit(target, settings(act)))
    protection_text = find_protection(target, "acid")
    if protection_text:
        return UnderChance(f"{target.name} is safe ({protection_text})", odds, Hurt(target.id, 0.0, 0.0))
    return UnderChance(f"{target.name}: {hurt_words(odds, target)}", odds, hurt(odds, ACID_AREA, target))


def _void_chances(act: ActView, cast_: Cast, under: Under) -> UnderChance:
    escape = None if is_lost(cast_, under) else prepare_void(cast_, under, settings(act))
    odds = act.solve(void, escape.throw if escape else None)
    lost_chance = 1.0 if is_lost(cast_, under) else odds.chance(lambda fate: fate == "removed")
    words = f"Chance that {under.target.name} is lost: {percent(lost_chance).strip()}"
    return UnderChance(words, odds, Hurt(under.target.id, lost_chance, 0.0))


def is_lost(cast_: Cast, one: Under) -> bool:
    """Return whether a model is gone without a check, since it cannot move. Rules: CB-WEAP-31."""
    return one.target.is_incapacitated and not one.partly and not cast_.indirect


def _prepare_victims(act: ActView, ready: ReadyUnder) -> tuple[PreparedVictim, ...]:
    victims = prepare_blast(ready.cast, ready.under, settings(act))
    if not victims:
        raise Forbidden(f"The {ready.cast.weapon.name} has no effect on any of these models.", "CB-CREW-11")
    return tuple(victims)


def engulf(act: Act, action: Engulf) -> Reply:
    """Return one roll for each model under the template, one summary."""
    telling = Telling()
    resolve_engulf(act, telling, action)
    if not action.whole and not action.partly:
        return Reply(("No model is under the template.",), buttons=(UNDO,))
    names = [act.encounter.model(number).name for number in (*action.whole, *action.partly)]
    telling.lines += ["", *trace_lines(act.dice.trace, names), *telling.proposal_lines()]
    return Reply(tuple(telling.lines), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))


def resolve_engulf(act: Act, telling: Telling, action: Engulf) -> None:
    """Roll and carry out the effects on everyone under it."""
    ready = prepare_under(act, action)
    cast_, covered, weapon = ready.cast, ready.under, ready.cast.weapon
    act.encounter.model(action.firer).counters.pop(LANDED.of(weapon.key, action.sight), 0)
    if not covered:
        return
    if weapon.key == ACID_AREA.key:
        _burn_with_acid(act, telling, cast_.firer, covered)
    elif weapon.damage_dice is None:
        _resolve_void(act, telling, cast_, covered)
    else:
        _blast_models(act, telling, cast_, _prepare_victims(act, ready))


def _blast_models(act: Act, telling: Telling, cast_: Cast, prepared: tuple[PreparedVictim, ...]) -> None:
    firer, weapon = cast_.firer, cast_.weapon
    rollers = each(*(at(firer.name, victim.target.name) for victim in prepared))
    rule = line if weapon.template == "L" else blast
    results = act.roll(rollers, rule, tuple(victim.victim for victim in prepared))
    turn = max(1, act.encounter.row.turn)
    hurt = [
        f"{times(suffered.through, 'wound')} on {victim.target.name}"
        for victim, suffered in zip(prepared, results, strict=True)
        if suffered.through
    ]
    if weapon.damage and len(prepared) > 1:
        telling.lines.append(f"{weapon.name}: {', '.join(hurt) or 'no one is hurt'}.")
    for prepared_victim, suffered in zip(prepared, results, strict=True):
        target = again(act, prepared_victim.target)
        effects = after_engulfing(cast_, target, suffered, turn)
        if suffered.hits:
            apply_attack(act, telling, replace(firer, name=weapon.name), target, weapon, suffered, effects)
            with_arc_modifier(act, telling, prepared_victim.victim.damage.modifier)
        else:
            telling.lines.append(f"{target.name} is unhurt.")
            telling.follow(act, effects, by=firer.id)
        if suffered.caught and not suffered.hits:
            add_gained_effects(telling, target, again(act, target), weapon)
        if prepared_victim.escape:
            telling.why += why_check(prepared_victim.escape, f"{target.name} tries to escape")
        telling.why += [f"{target.name}:", *why_impact(prepared_victim.impact)]


def _burn_with_acid(act: Act, telling: Telling, firer: Fighter, covered: tuple[Under, ...]) -> None:
    """Rules: CB-FEAT-01, CB-FEAT-03, CB-FEAT-04."""
    for victim in covered:
        target = again(act, victim.target)
        suffered = act.roll(
            cast_automatic_hit(target.name, "the acid"), suffer, 1, 0, acid_hit(target, settings(act))
        )
        protection_text = find_protection(target, "acid")
        wounds = 0 if protection_text else suffered.through
        add_wounds(
            act,
            telling,
            target,
            wounds,
            f"({protection_text})" if protection_text else "from the acid",
            by=firer.id,
        )
        if not protection_text:
            telling.follow(act, catch_fire(again(act, target), "acid"))


def _resolve_void(act: Act, telling: Telling, cast_: Cast, covered: tuple[Under, ...]) -> None:
    """Each is moved to the edge, floored, or gone. Rules: CB-WEAP-31, CB-TMPL-16, CB-TMPL-18, CB-CREW-05."""
    effects: list[Effect] = []
    is_deep = cast_.weapon.has_effect("deep")
    for victim in covered:
        target = again(act, victim.target)
        is_helpless = is_lost(cast_, replace(victim, target=target))
        escape = None if is_helpless else prepare_void(cast_, victim, settings(act))
        roller = Whose(target.name, "Initiative check", "to escape the void")
        outcome = "removed" if is_helpless else act.roll(roller, void, escape.throw if escape else None)
        effects += after_void(target, outcome)
        moved_text = "is moved to the edge of the void and falls Prone"
        unremoved_text = "is knocked down" if is_deep and escape else moved_text
        telling.lines.append(f"{target.name} {'is lost' if outcome == 'removed' else unremoved_text}.")
        if escape:
            telling.why += why_check(escape, f"{target.name} tries to escape")
    telling.follow(act, effects, by=cast_.firer.id)
