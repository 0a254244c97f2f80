"""Effects and requirements of psionic powers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

from bot.games.counterblast.core.common import again, settings
from bot.games.counterblast.core.contact import held_by, names, part
from bot.games.counterblast.core.narration import Telling, strike
from bot.games.counterblast.core.pictures import way_picture
from bot.games.counterblast.core.wording import harmed, life_words
from bot.games.counterblast.melee.strikes import STRUCK, KnockedInto
from bot.games.counterblast.psionics.power_choices import (
    FREE_ATTACK,
    PROBED,
    FeatureTaken,
    FloorAll,
    PortalLost,
    PowerTaken,
    SpoilTaken,
)
from bot.games.counterblast.psionics.powers import as_weapon
from bot.games.counterblast.state.models import as_after
from bot.games.counterblast.state.sight import forget
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
from rules.wording import possessive, times, together

SIZES: tuple[Size, ...] = ("S", "M", "L")


@dataclass(slots=True)
class Used:
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


def patient_of(used: Used) -> Fighter | None:
    """Return the patient of Identify's own check, or None if the check is made afterwards."""
    return used.targets[0] if used.targets and used.skill != "technology" else None


NOTHING = CheckResult(0)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of the dice, in the form that the power needs."""

    check: CheckResult = NOTHING
    struck: Struck | None = None
    treatment: Treatment | None = None
    portal: Portal | None = None
    insight: powers.Insight | None = None


End = Callable[[Act, Telling, Used, tuple[Result, ...]], None]


def _turn(act: Act) -> int:
    return max(1, act.encounter.row.turn)


def _calm(act: Act, telling: Telling, used: Used, results: tuple[Result, ...]) -> None:
    psionic, check = used.use.psionic, results[0].check
    if used.row.attack:
        target = used.targets[0]
        effects = powers.after_calm_attack(psionic, target, check)
        if check.critical_failure:
            act.encounter.model(target.id).counters[FREE_ATTACK.of(psionic.id)] = _turn(act)
        telling.follow(act, effects)
        calmed = again(act, target).has(Condition.CALMED)
        outcome_text = "loses Ferocious until the end of its next activation" if calmed else "is not calmed"
        telling.lines.append(f"{target.name} {outcome_text}.")
        return
    telling.follow(act, powers.after_calming(psionic, used.targets, check, settings(act)))
    calm = [ally.name for ally in used.targets if _freed(act, ally)]
    telling.lines.append(
        f"{psionic.name} calms {together(calm)}." if calm else f"{psionic.name} calms no one."
    )
    lost = check.net - len(calm)
    telling.lines += [f"Unused successes: {lost}."] if lost > 0 else []
    _told_panic(act, telling, psionic)


def _freed(act: Act, ally: Fighter) -> bool:
    return ally.has(Condition.PANICKED) and not again(act, ally).has(Condition.PANICKED)


def _told_panic(act: Act, telling: Telling, psionic: Fighter) -> None:
    if again(act, psionic).has(Condition.PANICKED) and not psionic.has(Condition.PANICKED):
        telling.lines.append(f"The power backfires and {psionic.name} panics.")


def _portal(act: Act, telling: Telling, used: Used, results: tuple[Result, ...]) -> None:
    psionic, portal = used.use.psionic, results[0].portal
    assert portal is not None
    if portal.place != "stays":
        set_counter(act.encounter.model(psionic.id).counters, Counter.RIDES, 0)
        forget(act.encounter, psionic.id)
    if portal.place == "arrives":
        telling.lines += [
            f"{psionic.name} appears {used.inches:g} in away.",
            f"If {psionic.name} is now in contact with an enemy, mark the contact with /cb engage.",
        ]
    elif portal.place == "stays":
        telling.lines.append(f"{psionic.name} fails to open a portal.")
    else:
        ModelState(act.encounter.model(psionic.id)).portal_turn = _turn(act)
        telling.lines += [
            f"{psionic.name} goes astray and appears {portal.inches} in from the chosen spot.",
            f"Measure from that spot towards {portal.clock} o'clock.",
            f"12 o'clock points away from where {psionic.name} was.",
            "If the new place is on a building, a model or Impassable ground, or off the table, "
            f"{psionic.name} is lost.",
        ]
        lost = f"{psionic.name} is lost in the Deep"
        used.buttons.append(Button(lost, PortalLost(psionic.id), "danger"))
        drawn = way_picture(psionic.name, "goes astray", portal.clock, portal.inches, "where it was")
        used.files.append(drawn)


def _frighten(act: Act, telling: Telling, used: Used, results: tuple[Result, ...]) -> None:
    psionic = used.use.psionic
    pairs = tuple((target, result.check) for target, result in zip(used.targets, results, strict=True))
    telling.follow(act, powers.after_frighten(psionic, pairs, settings(act)))
    for target, check in pairs:
        if powers.is_undaunted(target):
            sentence = f"{target.name} knows no fear."
        elif again(act, target).has(Condition.PANICKED) and check.net:
            sentence = f"{psionic.name} frightens {target.name}, which panics."
        else:
            sentence = f"{target.name} holds firm."
        telling.lines.append(sentence)
    _told_panic(act, telling, psionic)


def _force_field(act: Act, telling: Telling, used: Used, results: tuple[Result, ...]) -> None:
    pairs = tuple((ally, result.check) for ally, result in zip(used.targets, results, strict=True))
    telling.follow(act, after_force_field(pairs))
    for ally, check in pairs:
        shield = again(act, ally).shield
        extra = times(check.net, "extra shield die", "extra shield dice")
        gained = f"gets {extra} until the Upkeep ({shield}D in all)" if check.net else "gets no force field"
        telling.lines.append(f"{ally.name} {gained}.")


def _heal(act: Act, telling: Telling, used: Used, results: tuple[Result, ...]) -> None:
    patient, treatment = used.targets[0], results[0].treatment
    assert treatment is not None
    telling.follow(act, after_heal(patient, treatment))
    _told_treatment(act, telling, used, patient, treatment)


def _told_treatment(act: Act, telling: Telling, used: Used, patient: Fighter, treatment: Treatment) -> None:
    worker = used.use.psionic
    removed = act.encounter.model(patient.id).status == GONE
    treated = again(act, patient)
    life_text = (
        f"{treated.name} is removed from play"
        if removed
        else f"{treated.life_left} of {treated.profile.life} Life left"
    )
    if treatment.harmed:
        telling.lines.append(f"{worker.name} harms {patient.name}: {life_text}.")
    elif treatment.restored:
        telling.lines.append(
            f"{worker.name} heals {patient.name}: {treatment.restored} Life restored, {life_text}."
        )
    else:
        telling.lines.append(f"{worker.name} fails to help {patient.name}: {life_text}.")


def _identify(act: Act, telling: Telling, used: Used, results: tuple[Result, ...]) -> None:
    psionic, check, insight = used.use.psionic, results[0].check, results[0].insight
    assert insight is not None
    patient = patient_of(used)
    effect_text = (
        "Identify makes the skill check fail."
        if insight.spoiled
        else f"Identify gives the skill check {insight.modifier:+d}."
    )
    if patient is not None:
        treatment = Treatment(min(curable(patient), check.net), check.net_ones)
        telling.follow(
            act,
            after_treatment(patient, treatment, "medicine" if used.skill == "medicine" else "engineering"),
        )
        _told_treatment(act, telling, used, patient, treatment)
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


def _stun(act: Act, telling: Telling, used: Used, results: tuple[Result, ...]) -> None:
    psionic, target, struck = used.use.psionic, used.targets[0], results[0].struck
    assert struck is not None
    telling.follow(act, powers.after_stun(psionic, target, struck))
    if struck.suffered.through:
        idle = not target.count(Counter.ACTIVATED)
        outcome_text = "can't act this turn" if idle else "has already acted this turn"
        floor = " and falls prone" if struck.critical else ""
        telling.lines.append(f"{psionic.name} stuns {target.name}, which {outcome_text}{floor}.")
    else:
        telling.lines.append(f"{target.name} is not stunned.")
    _stopped(telling, struck.suffered)
    if struck.net_ones:
        telling.lines.append(f"The power backfires. {psionic.name} falls prone and its activation ends.")


def _stopped(telling: Telling, suffered: Suffered) -> None:
    if suffered.hits and suffered.stopped:
        telling.lines.append(
            f"{times(suffered.hits, 'success', 'successes')}, {suffered.stopped} stopped by the shield"
        )


def _blast(act: Act, telling: Telling, used: Used, results: tuple[Result, ...]) -> None:
    psionic, rules = used.use.psionic, settings(act)
    pairs = tuple(
        (target, cast(Struck, result.struck)) for target, result in zip(used.targets, results, strict=True)
    )
    ones = net_ones(pairs)
    roller = harmed(psionic.name, f"its own {used.row.name}")
    recoil = act.roll(roller, backlash, ones, psionic.defense, backlash_impact(psionic, rules))
    if used.row.power == "power_blast":
        effects = after_power_blast(psionic, pairs, recoil, _turn(act), in_range=used.targets, settings=rules)
    else:
        effects = after_blast(psionic, pairs, recoil, _turn(act))
    telling.follow(act, effects, by=psionic.id)
    if used.row.power == "power_blast" and any(struck.critical for _, struck in pairs):
        used.buttons += _floors_more(act, psionic)
    for target, struck in pairs:
        strike(act, telling, psionic, target, as_weapon(used.row), struck.suffered, ())
        if again(act, target).has(Condition.PRONE) and not target.has(Condition.PRONE):
            telling.lines.append(f"{target.name} is knocked down.")
    if ones:
        hit = backlash_impact(psionic, rules)
        dice = times(ones, "die", "dice")
        impact_text = f"Defense {psionic.defense}, Power {hit.power}, shield {hit.shields}D"
        telling.why.append(f"Backlash: {dice} against {impact_text} CB-PSI-18")
        telling.lines.append(f"Backlash: {dice} against {psionic.name}")
        _told_back(act, telling, psionic, recoil.through)


def _floors_more(act: Act, psionic: Fighter) -> tuple[Button, ...]:
    """By the prose a critical Power Blast floors every model in range. Rules: CB-PSI-06, CB-PSI-22."""
    if settings(act).psi_text != "prose":
        return ()
    ModelState(act.encounter.model(psionic.id)).floors_turn = _turn(act)
    return (Button("Knock down models in range...", FloorAll(psionic.id), "main"),)


def _told_back(act: Act, telling: Telling, psionic: Fighter, wounds: int) -> None:
    wounded = again(act, psionic)
    if not wounds:
        telling.lines.append(f"{psionic.name} is unhurt.")
        return
    condition = " and goes down" if wounded.is_down else f": {life_words(wounded)}"
    telling.lines.append(f"{psionic.name} takes {times(wounds, 'wound')}{condition}.")


def _probe(act: Act, telling: Telling, used: Used, results: tuple[Result, ...]) -> None:
    psionic, target, check = used.use.psionic, used.targets[0], results[0].check
    if not check.net and not check.critical_failure:
        telling.lines.append(f"{psionic.name} learns nothing from {target.name}.")
        return
    taker, loser = (target, psionic) if check.critical_failure else (psionic, target)
    prose = settings(act).psi_text == "prose" and not check.critical_failure
    number = check.net - loser.profile.intellect.value if prose else 1
    if number < 1:
        needed = loser.profile.intellect.value + 1
        telling.lines.append(
            f"{loser.name} keeps its secrets. The power needed {times(needed, 'success', 'successes')}."
        )
        return
    act.encounter.model(taker.id).counters[PROBED.of(loser.id)] = number
    head = "The power backfires. " if check.critical_failure else ""
    telling.lines.append(f"{head}{taker.name} reads {possessive(loser.name)} mind.")
    open_ = [spoil for spoil in powers.spoils(taker, loser) if spoil == "order" or not prose]
    if not open_:
        telling.lines.append(f"There is nothing to take from {loser.name}.")
        return
    telling.lines.append(f"{act.encounter.side(taker.side).name} can take one of these:")
    for spoil in open_:
        action = {"order": SpoilTaken, "power": PowerTaken, "feature": FeatureTaken}[spoil]
        label = {"order": "Order token", "power": "Power...", "feature": "Feature..."}[spoil]
        used.buttons.append(Button(label, action(taker.id, loser.id), "main", anytime=True))


def _scan(act: Act, telling: Telling, used: Used, results: tuple[Result, ...]) -> None:
    psionic, target, check = used.use.psionic, used.targets[0], results[0].check
    telling.follow(act, powers.after_scan(psionic, target, check))
    scanned = again(act, target)
    if check.critical_failure:
        telling.lines += [
            f"{psionic.name} is dazed.",
            "It has -1 to attacks and checks until its activation ends.",
        ]
    elif not check.net:
        telling.lines.append(f"{psionic.name} fails to scan {target.name}.")
    else:
        penalty = scanned.grade(Condition.SCANNED)
        telling.lines.append(
            f"{target.name} is scanned and has -{penalty} to Defense and Shield until the Upkeep."
        )
        telling.lines.append(f"It now has Defense {scanned.defense} and Shield {scanned.shield}D.")
        telling.lines += ["It is no longer hidden."] if target.has(Condition.HIDDEN) else []


def _telekinesis(act: Act, telling: Telling, used: Used, results: tuple[Result, ...]) -> None:
    psionic, check, rules = used.use.psionic, results[0].check, settings(act)
    counters = act.encounter.model(psionic.id).counters
    if used.row.attack:
        target = used.targets[0]
        first_new = len(telling.proposals)
        telling.follow(act, powers.after_throw(psionic, target, check, rules))
        thrown = [proposal for proposal in telling.proposals[first_new:] if proposal.action == "throw"]
        for proposal in thrown:
            inches = int(dict(proposal.details)["inches"])
            telling.lines.append(f"{psionic.name} throws {target.name} up to {inches} in.")
            telling.lines.append(f"If {target.name} reaches the table edge, it stops there.")
            struck = KnockedInto(target.id, most=inches, by=psionic.id)
            used.buttons.append(Button("It hits something...", struck, form=STRUCK))
            _torn_away(act, telling, target)
        if not thrown:
            telling.lines.append(f"{target.name} doesn't move.")
        if check.critical_failure:
            telling.lines.append(f"The power backfires and {psionic.name} falls prone.")
        return
    set_counter(counters, powers.TELEKINESIS, 1)
    set_counter(counters, ModelState.telekinesis_turn.key, act.encounter.row.turn)
    moved = psionic if used.row.key == "telekinesis_self" else (used.targets[0] if used.targets else None)
    effects = powers.after_lift(psionic, moved, check, cast(Size, used.size), rules)
    telling.follow(act, effects)
    name = moved.name if moved else "the object"
    lifted = "itself" if moved is psionic else name
    telling.lines.append(f"{psionic.name} {'lifts' if effects else 'does not lift'} {lifted}.")
    if effects:
        telling.lines.append(f"If {name} reaches the table edge, it stops there.")
    if effects and moved is not None and moved.has(Condition.ACTIVE):
        act.encounter.model(moved.id).counters[Counter.LIFTED] = _turn(act)
        telling.lines.append(f"{name} can Run and Gun for 1 action.")


def _torn_away(act: Act, telling: Telling, target: Fighter) -> None:
    """End a thrown model's engagements; from a height it may fall. Rules: CB-PSI-25, CB-COND-03."""
    enemies = held_by(act, target)
    for enemy in enemies:
        part(act, target, enemy)
    telling.lines += [f"{target.name} is no longer engaged with {names(enemies)}."] if enemies else []
    height = target.count(Counter.HEIGHT)
    if height:
        reason = f"{target.name} falls {height} in."
        telling.proposals.append(Propose("fall", target.id, reason, (("height", height),)))


ENDS: dict[str, End] = {
    "calm": _calm,
    "deep_portal": _portal,
    "frighten": _frighten,
    "force_field": _force_field,
    "heal": _heal,
    "identify": _identify,
    "stun": _stun,
    "blast": _blast,
    "probe": _probe,
    "power_blast": _blast,
    "scan": _scan,
    "telekinesis": _telekinesis,
}
"""The function that settles each power."""


def require_power(act: ActView, used: Used) -> None:
    """Check a power's own requirements beyond range and sight. Raises Forbidden, InvalidInput."""
    psionic, row = used.use.psionic, used.row
    if row.key == "calm_allies":
        for ally in used.targets:
            if ally.side != psionic.side:
                forbid(f"Choose only friends of {psionic.name} ({ally.name} is an enemy).", "CB-PSI-07")
            if not ally.has(Condition.PANICKED):
                raise InvalidInput(f"Choose only Panicked models ({ally.name} is not Panicked).")
    elif row.key == "calm_attack":
        if not used.targets[0].has_feature("ferocious"):
            forbid(f"{used.targets[0].name} is not Ferocious, so Calm has no effect on it.", "CB-PSI-08")
    elif row.power == "force_field":
        for ally in used.targets:
            if ally.side != psionic.side:
                forbid(f"Choose only friends of {psionic.name} ({ally.name} is an enemy).", "CB-PSI-12")
    elif row.power == "heal":
        require_healing(used.targets[0], (psionic, *used.helpers), used.inches)
    elif row.power == "deep_portal":
        powers.require_portal(psionic, used.inches)
    elif row.power == "identify":
        require_identifiable(used.skill)
    elif row.key in ("telekinesis_self", "telekinesis_ally"):
        _require_lift(act, used)
    if row.power == "heal" and not curable(used.targets[0]):
        raise InvalidInput(f"{used.targets[0].name} has not lost any Life, so it can't be healed.")


def _require_lift(act: ActView, used: Used) -> None:
    psionic = used.use.psionic
    if _is_stale(act, psionic):
        psionic = as_after(psionic, [Assign("model", psionic.id, powers.TELEKINESIS, 0)])
    enemy = bool(used.targets) and used.targets[0].side != psionic.side
    powers.require_telekinesis(psionic, moves_enemy=enemy)


def _is_stale(act: ActView, psionic: Fighter) -> bool:
    """Return whether what was lifted was lifted in an earlier turn."""
    return psionic.count(ModelState.telekinesis_turn.key) != act.encounter.row.turn
