"""Effects and requirements of psionic powers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

from bot.games.counterblast.core.common import again, settings
from bot.games.counterblast.core.contact import join_names, list_engaged_enemies, mark_separated
from bot.games.counterblast.core.narration import Telling, apply_attack
from bot.games.counterblast.core.pictures import draw_path
from bot.games.counterblast.core.wording import cast_automatic_hit, life_words
from bot.games.counterblast.melee.strikes import IMPACT_FORM, KnockedInto
from bot.games.counterblast.psionics.power_choices import (
    FREE_ATTACK,
    PROBED,
    FeatureTaken,
    FloorAll,
    OrderTokenTaken,
    PortalLost,
    PowerTaken,
)
from bot.games.counterblast.psionics.powers import as_weapon
from bot.games.counterblast.state.models import predict_after
from bot.games.counterblast.state.sight import forget_sightings
from bot.games.counterblast.state.table_state import ModelState
from bot.replies.reply import Attachment, Button
from bot.table.act import Act, ActView
from bot.table.encounter import GONE, set_counter
from rules.effects import Assign, Propose
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.core.checks import CheckResult
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.impacts import Suffered
from rules.systems.counterblast.core.profile import Power, Size
from rules.systems.counterblast.gear.skills import Treatment, after_treatment, curable
from rules.systems.counterblast.psionics import powers
from rules.systems.counterblast.psionics.powers import (
    Portal,
    after_blast,
    after_force_field,
    after_heal,
    after_power_blast,
    net_ones,
    require_healing,
    require_identifiable,
)
from rules.systems.counterblast.psionics.psionics import Struck, Use, backlash, backlash_impact
from rules.wording import join_with_and, possessive, times

SIZES: tuple[Size, ...] = ("S", "M", "L")


@dataclass(slots=True)
class PowerUse:
    """The use of a power. targets: everyone named, also if the dice do not depend on them.

    buttons: what is offered beside the proposals. files: pictures of where it ended.
    """

    use: Use
    targets: tuple[Fighter, ...]
    helpers: tuple[Fighter, ...] = ()
    near: tuple[float, ...] = ()
    inches: float = 0.0
    skill: str = "technology"
    number: int = 0
    size: str = "S"
    buttons: list[Button] = field(default_factory=list)
    files: list[Attachment] = field(default_factory=list)

    @property
    def row(self) -> Power:
        """Return the row of the library."""
        return self.use.row


def patient_of(power_use: PowerUse) -> Fighter | None:
    """Return the patient of Identify's own check, or None if the check is made afterwards."""
    return power_use.targets[0] if power_use.targets and power_use.skill != "technology" else None


NOTHING = CheckResult(0)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of the dice, in the form that the power needs."""

    check: CheckResult = NOTHING
    struck: Struck | None = None
    treatment: Treatment | None = None
    portal: Portal | None = None
    insight: powers.Insight | None = None


SettlePower = Callable[[Act, Telling, PowerUse, tuple[Result, ...]], None]


def _current_turn(act: Act) -> int:
    return max(1, act.encounter.row.turn)


def _calm(act: Act, telling: Telling, power_use: PowerUse, results: tuple[Result, ...]) -> None:
    psionic, check = power_use.use.psionic, results[0].check
    if power_use.row.attack:
        target = power_use.targets[0]
        effects = powers.after_calm_attack(psionic, target, check)
        if check.critical_failure:
            act.encounter.model(target.id).counters[FREE_ATTACK.of(psionic.id)] = _current_turn(act)
        telling.follow(act, effects)
        is_calm = again(act, target).has(Condition.CALMED)
        outcome_text = "loses Ferocious until the end of its next activation" if is_calm else "is not calmed"
        telling.lines.append(f"{target.name} {outcome_text}.")
        return
    telling.follow(act, powers.after_calming(psionic, power_use.targets, check, settings(act)))
    calmed_names = [ally.name for ally in power_use.targets if _is_calmed(act, ally)]
    telling.lines.append(
        f"{psionic.name} calms {join_with_and(calmed_names)}."
        if calmed_names
        else f"{psionic.name} calms no one."
    )
    unused_successes = check.net - len(calmed_names)
    telling.lines += [f"Unused successes: {unused_successes}."] if unused_successes > 0 else []
    _tell_panic(act, telling, psionic)


def _is_calmed(act: Act, ally: Fighter) -> bool:
    return ally.has(Condition.PANICKED) and not again(act, ally).has(Condition.PANICKED)


def _tell_panic(act: Act, telling: Telling, psionic: Fighter) -> None:
    if again(act, psionic).has(Condition.PANICKED) and not psionic.has(Condition.PANICKED):
        telling.lines.append(f"The power backfires and {psionic.name} panics.")


def _open_portal(act: Act, telling: Telling, power_use: PowerUse, results: tuple[Result, ...]) -> None:
    psionic, portal = power_use.use.psionic, results[0].portal
    assert portal is not None
    if portal.place != "stays":
        set_counter(act.encounter.model(psionic.id).counters, Counter.RIDES, 0)
        forget_sightings(act.encounter, psionic.id)
    if portal.place == "arrives":
        telling.lines += [
            f"{psionic.name} appears {power_use.inches:g} in away.",
            f"If {psionic.name} is now in contact with an enemy, mark the contact with /cb engage.",
        ]
    elif portal.place == "stays":
        telling.lines.append(f"{psionic.name} fails to open a portal.")
    else:
        ModelState(act.encounter.model(psionic.id)).portal_turn = _current_turn(act)
        telling.lines += [
            f"{psionic.name} goes astray and appears {portal.inches} in from the chosen spot.",
            f"Measure from that spot towards {portal.clock} o'clock.",
            f"12 o'clock points away from where {psionic.name} was.",
            "If the new place is on a building, a model or Impassable ground, or off the table, "
            f"{psionic.name} is lost.",
        ]
        lost_label = f"{psionic.name} is lost in the Deep"
        power_use.buttons.append(Button(lost_label, PortalLost(psionic.id), "danger"))
        picture = draw_path(psionic.name, "goes astray", portal.clock, portal.inches, "where it was")
        power_use.files.append(picture)


def _frighten(act: Act, telling: Telling, power_use: PowerUse, results: tuple[Result, ...]) -> None:
    psionic = power_use.use.psionic
    pairs = tuple((target, result.check) for target, result in zip(power_use.targets, results, strict=True))
    telling.follow(act, powers.after_frighten(psionic, pairs, settings(act)))
    for target, check in pairs:
        if powers.is_undaunted(target):
            sentence = f"{target.name} knows no fear."
        elif powers.is_frightened(target, check, settings(act)):
            panics_text = "was already Panicked" if target.has(Condition.PANICKED) else "panics"
            sentence = f"{psionic.name} frightens {target.name}, which {panics_text}."
        else:
            sentence = f"{target.name} holds firm."
        telling.lines.append(sentence)
    _tell_panic(act, telling, psionic)


def _raise_force_fields(act: Act, telling: Telling, power_use: PowerUse, results: tuple[Result, ...]) -> None:
    pairs = tuple((ally, result.check) for ally, result in zip(power_use.targets, results, strict=True))
    telling.follow(act, after_force_field(pairs))
    for ally, check in pairs:
        shield = again(act, ally).shield
        extra_dice = times(check.net, "extra shield die", "extra shield dice")
        outcome_text = (
            f"gets {extra_dice} until the Upkeep ({shield}D in all)" if check.net else "gets no force field"
        )
        telling.lines.append(f"{ally.name} {outcome_text}.")


def _heal(act: Act, telling: Telling, power_use: PowerUse, results: tuple[Result, ...]) -> None:
    patient, treatment = power_use.targets[0], results[0].treatment
    assert treatment is not None
    telling.follow(act, after_heal(patient, treatment))
    _tell_treatment(act, telling, power_use, patient, treatment)


def _tell_treatment(
    act: Act, telling: Telling, power_use: PowerUse, patient: Fighter, treatment: Treatment
) -> None:
    worker = power_use.use.psionic
    has_left_play = act.encounter.model(patient.id).status == GONE
    patient_now = again(act, patient)
    life_text = (
        f"{patient_now.name} is removed from play"
        if has_left_play
        else f"{patient_now.life_left} of {patient_now.profile.life} Life left"
    )
    if treatment.harmed:
        telling.lines.append(f"{worker.name} harms {patient.name}: {life_text}.")
    elif treatment.restored:
        telling.lines.append(
            f"{worker.name} heals {patient.name}: {treatment.restored} Life restored, {life_text}."
        )
    else:
        telling.lines.append(f"{worker.name} fails to help {patient.name}: {life_text}.")


def _identify(act: Act, telling: Telling, power_use: PowerUse, results: tuple[Result, ...]) -> None:
    psionic, check, insight = power_use.use.psionic, results[0].check, results[0].insight
    assert insight is not None
    patient = patient_of(power_use)
    effect_text = (
        "Identify makes the skill check fail."
        if insight.spoiled
        else f"Identify gives the skill check {insight.modifier:+d}."
    )
    if patient is not None:
        treatment = Treatment(min(curable(patient), check.net), check.net_ones)
        telling.follow(
            act,
            after_treatment(
                patient, treatment, "medicine" if power_use.skill == "medicine" else "engineering"
            ),
        )
        _tell_treatment(act, telling, power_use, patient, treatment)
        telling.lines.append(effect_text)
        return
    telling.follow(act, powers.after_insight(psionic, insight))
    if insight.spoiled:
        telling.lines += [
            "The skill check after Identify will fail, but you still have to make it now.",
            "It costs no action.",
        ]
    else:
        telling.lines += [effect_text, "Make that check now. It costs no action."]


def _stun(act: Act, telling: Telling, power_use: PowerUse, results: tuple[Result, ...]) -> None:
    psionic, target, struck = power_use.use.psionic, power_use.targets[0], results[0].struck
    assert struck is not None
    telling.follow(act, powers.after_stun(psionic, target, struck))
    if struck.suffered.through:
        can_still_act = not target.count(Counter.ACTIVATED)
        outcome_text = "can't act this turn" if can_still_act else "has already acted this turn"
        telling.lines.append(f"{psionic.name} stuns {target.name}, which {outcome_text}.")
        _tell_knocked_down(act, telling, target)
    else:
        telling.lines.append(f"{target.name} is not stunned.")
    _tell_shield(telling, struck.suffered)
    if struck.net_ones:
        telling.lines.append(f"The power backfires and ends {possessive(psionic.name)} activation.")
        _tell_knocked_down(act, telling, psionic)


def _tell_shield(telling: Telling, suffered: Suffered) -> None:
    if suffered.hits and suffered.stopped:
        telling.lines.append(
            f"{times(suffered.hits, 'success', 'successes')}, {suffered.stopped} stopped by the shield"
        )


def _blast(act: Act, telling: Telling, power_use: PowerUse, results: tuple[Result, ...]) -> None:
    psionic, rules = power_use.use.psionic, settings(act)
    pairs = tuple(
        (target, cast(Struck, result.struck))
        for target, result in zip(power_use.targets, results, strict=True)
    )
    backlash_dice = net_ones(pairs)
    roller = cast_automatic_hit(psionic.name, f"its own {power_use.row.name}")
    recoil = act.roll(roller, backlash, backlash_dice, psionic.defense, backlash_impact(psionic, rules))
    if power_use.row.power == "power_blast":
        effects = after_power_blast(
            psionic, pairs, recoil, _current_turn(act), in_range=power_use.targets, settings=rules
        )
    else:
        effects = after_blast(psionic, pairs, recoil, _current_turn(act))
    telling.follow(act, effects, by=psionic.id)
    if power_use.row.power == "power_blast" and any(struck.critical for _, struck in pairs):
        power_use.buttons += _floor_all_buttons(act, psionic)
    for target, struck in pairs:
        apply_attack(act, telling, psionic, target, as_weapon(power_use.row), struck.suffered, ())
        _tell_knocked_down(act, telling, target)
    if backlash_dice:
        hit = backlash_impact(psionic, rules)
        dice = times(backlash_dice, "die", "dice")
        impact_text = f"Defense {psionic.defense}, Power {hit.power}, shield {hit.shields}D"
        telling.why.append(f"Backlash: {dice} against {impact_text} CB-PSI-18")
        telling.lines.append(f"Backlash: {dice} against {psionic.name}")
        _tell_backlash(act, telling, psionic, recoil.through)
        _tell_knocked_down(act, telling, psionic)


def _tell_knocked_down(act: Act, telling: Telling, before: Fighter) -> None:
    """Tell that a model is Prone if it was not before."""
    if again(act, before).has(Condition.PRONE) and not before.has(Condition.PRONE):
        telling.lines.append(f"{before.name} is knocked down.")


def _floor_all_buttons(act: Act, psionic: Fighter) -> tuple[Button, ...]:
    """Return the button to knock down every model in range, which only the longer text of the power allows.

    Rules: CB-PSI-06, CB-PSI-22.
    """
    if settings(act).psi_text != "prose":
        return ()
    ModelState(act.encounter.model(psionic.id)).floors_turn = _current_turn(act)
    return (Button("Knock down models in range...", FloorAll(psionic.id), "main"),)


def _tell_backlash(act: Act, telling: Telling, psionic: Fighter, wounds: int) -> None:
    psionic_now = again(act, psionic)
    if not wounds:
        telling.lines.append(f"{psionic.name} is unhurt.")
        return
    condition = " and goes down" if psionic_now.is_down else f": {life_words(psionic_now)}"
    telling.lines.append(f"{psionic.name} takes {times(wounds, 'wound')}{condition}.")


def _probe(act: Act, telling: Telling, power_use: PowerUse, results: tuple[Result, ...]) -> None:
    psionic, target, check = power_use.use.psionic, power_use.targets[0], results[0].check
    if not check.net and not check.critical_failure:
        telling.lines.append(f"{psionic.name} learns nothing from {target.name}.")
        return
    taker, loser = (target, psionic) if check.critical_failure else (psionic, target)
    uses_prose = settings(act).psi_text == "prose" and not check.critical_failure
    number = check.net - loser.profile.intellect.value if uses_prose else 1
    if number < 1:
        successes_needed = loser.profile.intellect.value + 1
        telling.lines.append(
            f"{loser.name} keeps its secrets. "
            f"The power needed {times(successes_needed, 'success', 'successes')}."
        )
        return
    act.encounter.model(taker.id).counters[PROBED.of(loser.id)] = number
    prefix = "The power backfires. " if check.critical_failure else ""
    telling.lines.append(f"{prefix}{taker.name} reads {possessive(loser.name)} mind.")
    spoils = [spoil for spoil in powers.spoils(taker, loser) if spoil == "order" or not uses_prose]
    if not spoils:
        telling.lines.append(f"There is nothing to take from {loser.name}.")
        return
    offer_text = "one of these" if len(spoils) > 1 else "this"
    telling.lines.append(f"{act.encounter.side(taker.side).name} can take {offer_text}:")
    for spoil in spoils:
        action = {"order": OrderTokenTaken, "power": PowerTaken, "feature": FeatureTaken}[spoil]
        label = {"order": "Order token", "power": "Power...", "feature": "Feature..."}[spoil]
        power_use.buttons.append(Button(label, action(taker.id, loser.id), "main", anytime=True))


def _scan(act: Act, telling: Telling, power_use: PowerUse, results: tuple[Result, ...]) -> None:
    psionic, target, check = power_use.use.psionic, power_use.targets[0], results[0].check
    telling.follow(act, powers.after_scan(psionic, target, check))
    target_now = again(act, target)
    if check.critical_failure:
        telling.lines += [
            f"{psionic.name} is dazed.",
            "It has -1 to attacks and checks until its activation ends.",
        ]
    elif not check.net:
        telling.lines.append(f"{psionic.name} fails to scan {target.name}.")
    else:
        penalty = target_now.grade(Condition.SCANNED)
        telling.lines.append(
            f"{target.name} is scanned and has -{penalty} to Defense and Shield until the Upkeep."
        )
        telling.lines.append(f"It now has Defense {target_now.defense} and Shield {target_now.shield}D.")
        telling.lines += ["It is no longer hidden."] if target.has(Condition.HIDDEN) else []


def _use_telekinesis(act: Act, telling: Telling, power_use: PowerUse, results: tuple[Result, ...]) -> None:
    psionic, check, rules = power_use.use.psionic, results[0].check, settings(act)
    counters = act.encounter.model(psionic.id).counters
    if power_use.row.attack:
        target = power_use.targets[0]
        first_proposal = len(telling.proposals)
        telling.follow(act, powers.after_throw(psionic, target, check, rules))
        throw_proposals = [
            proposal for proposal in telling.proposals[first_proposal:] if proposal.action == "throw"
        ]
        for proposal in throw_proposals:
            inches = int(dict(proposal.details)["inches"])
            telling.lines.append(f"{psionic.name} throws {target.name} up to {inches} in.")
            telling.lines.append(f"If {target.name} reaches the table edge, it stops there.")
            collision = KnockedInto(target.id, most=inches, by=psionic.id)
            power_use.buttons.append(Button("It hits something...", collision, form=IMPACT_FORM))
            _tear_away(act, telling, target)
        if not throw_proposals:
            telling.lines.append(f"{target.name} doesn't move.")
        if check.critical_failure:
            telling.lines.append("The power backfires.")
            _tell_knocked_down(act, telling, psionic)
        return
    set_counter(counters, powers.TELEKINESIS, 1)
    set_counter(counters, ModelState.telekinesis_turn.key, act.encounter.row.turn)
    lifted_model = (
        psionic
        if power_use.row.key == "telekinesis_self"
        else (power_use.targets[0] if power_use.targets else None)
    )
    effects = powers.after_lift(psionic, lifted_model, check, cast(Size, power_use.size), rules)
    telling.follow(act, effects)
    name = lifted_model.name if lifted_model else "the object"
    lifted_name = "itself" if lifted_model is psionic else name
    telling.lines.append(f"{psionic.name} {'lifts' if effects else 'does not lift'} {lifted_name}.")
    if effects:
        telling.lines.append(f"If {name} reaches the table edge, it stops there.")
    if effects and lifted_model is not None and lifted_model.has(Condition.ACTIVE):
        act.encounter.model(lifted_model.id).counters[Counter.LIFTED] = _current_turn(act)
        telling.lines.append(f"{name} can Run and Gun for 1 action.")


def _tear_away(act: Act, telling: Telling, target: Fighter) -> None:
    """End a thrown model's engagements; from a height it may fall. Rules: CB-PSI-25, CB-COND-03."""
    enemies = list_engaged_enemies(act, target)
    for enemy in enemies:
        mark_separated(act, target, enemy)
    telling.lines += [f"{target.name} is no longer engaged with {join_names(enemies)}."] if enemies else []
    height = target.count(Counter.HEIGHT)
    if height:
        reason = f"{target.name} falls {height} in."
        telling.proposals.append(Propose("fall", target.id, reason, (("height", height),)))


ENDS: dict[str, SettlePower] = {
    "calm": _calm,
    "deep_portal": _open_portal,
    "frighten": _frighten,
    "force_field": _raise_force_fields,
    "heal": _heal,
    "identify": _identify,
    "stun": _stun,
    "blast": _blast,
    "probe": _probe,
    "power_blast": _blast,
    "scan": _scan,
    "telekinesis": _use_telekinesis,
}
"""The function that settles each power."""


def require_power(act: ActView, power_use: PowerUse) -> None:
    """Check a power's own requirements beyond range and sight. Raises Forbidden, InvalidInput."""
    psionic, row = power_use.use.psionic, power_use.row
    if row.key == "calm_allies":
        for ally in power_use.targets:
            if ally.side != psionic.side:
                forbid(f"Choose only friends of {psionic.name} ({ally.name} is an enemy).", "CB-PSI-07")
            if not ally.has(Condition.PANICKED):
                raise InvalidInput(f"Choose only Panicked models ({ally.name} is not Panicked).")
    elif row.key == "calm_attack":
        if not power_use.targets[0].has_feature("ferocious"):
            forbid(f"{power_use.targets[0].name} is not Ferocious, so Calm has no effect on it.", "CB-PSI-08")
    elif row.power == "force_field":
        for ally in power_use.targets:
            if ally.side != psionic.side:
                forbid(f"Choose only friends of {psionic.name} ({ally.name} is an enemy).", "CB-PSI-12")
    elif row.power == "heal":
        require_healing(power_use.targets[0], (psionic, *power_use.helpers), power_use.inches)
    elif row.power == "deep_portal":
        powers.require_portal(psionic, power_use.inches)
    elif row.power == "identify":
        require_identifiable(power_use.skill)
    elif row.key in ("telekinesis_self", "telekinesis_ally"):
        _require_lift(act, power_use)
    if row.power == "heal" and not curable(power_use.targets[0]):
        raise InvalidInput(f"{power_use.targets[0].name} has not lost any Life, so it can't be healed.")


def _require_lift(act: ActView, power_use: PowerUse) -> None:
    psionic = power_use.use.psionic
    if _is_stale(act, psionic):
        psionic = predict_after(psionic, [Assign("model", psionic.id, powers.TELEKINESIS, 0)])
    enemy = bool(power_use.targets) and power_use.targets[0].side != psionic.side
    powers.require_telekinesis(psionic, moves_enemy=enemy)


def _is_stale(act: ActView, psionic: Fighter) -> bool:
    """Return whether Telekinesis was last used in an earlier turn."""
    return psionic.count(ModelState.telekinesis_turn.key) != act.encounter.row.turn
