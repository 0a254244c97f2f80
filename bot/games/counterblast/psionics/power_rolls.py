"""Roll for psionic powers, rerolls included."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

from bot.actions import Action
from bot.games.counterblast.core.common import carry_through, settings
from bot.games.counterblast.core.fields import who
from bot.games.counterblast.core.narration import Telling, finish
from bot.games.counterblast.core.wording import (
    at,
    cast_by_label,
    cast_together,
    dice_words,
    reasons,
    why_check,
    wound_odds,
)
from bot.games.counterblast.psionics.power_effects import PowerUse, Result, patient_of
from bot.games.counterblast.state.table_state import ModelState
from bot.replies.chances import bars, percent
from bot.replies.reply import Reply
from bot.table.act import Act, ActView
from bot.table.handlers import handles
from bot.table.steps import Chances, Hurt
from bot.table.throw_purposes import Whose
from rules.dice import Dice, Odds, Thrown
from rules.systems.counterblast.core.checks import CheckResult, PreparedCheck, Throw, reroll_failed_dice
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.dice_pools import rating_of
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.impacts import UNHURT, suffer
from rules.systems.counterblast.core.profile import Skill
from rules.systems.counterblast.gear.skills import Job, Treatment, curable, prepare_job
from rules.systems.counterblast.psionics import powers
from rules.systems.counterblast.psionics.powers import heal, identified, identify, insight
from rules.systems.counterblast.psionics.psionics import (
    PreparedPower,
    Strike,
    Struck,
    fahz_jiin_rerolls,
    shield_against,
    strike,
    take_fahz_jiin,
    use_power,
)
from rules.wording import times


@dataclass(frozen=True, slots=True)
class TakeFocus(Action):
    """Use Fahz Jiin to re-roll failed psionic dice in one activation."""

    command = "cb.psi.focus"
    typed = "psi focus"
    titled = "Fahz Jiin"

    psionic: Fighter = who("Model that uses Fahz Jiin", called="model")


@handles(TakeFocus)
def take_focus(act: Act, action: TakeFocus) -> Reply:
    """Use Fahz Jiin once in an encounter. Rules: CB-GEAR-46."""
    psionic = action.psionic
    carry_through(act, take_fahz_jiin(psionic))
    dice = times(fahz_jiin_rerolls(psionic), "failed psionic die", "failed psionic dice")
    line = f"{psionic.name} takes Fahz Jiin and can re-roll up to {dice} in this activation."
    return finish(act, Telling([line]))


def mended(act: Act, psionic: Fighter, result: CheckResult, throws: tuple[Throw, ...]) -> CheckResult:
    """Return the check with failed dice rolled again, natural 1s first; unchanged without Fahz Jiin.

    The psionic's own dice only; bonus dice are not among them. Rules: CB-GEAR-46, CB-PSI-05.
    """
    row = act.encounter.model(psionic.id)
    if psionic.count(Counter.FAHZ_JIIN) != 1 or act.roller is None or len(throws) > 1:
        return result
    rerolls_left = fahz_jiin_rerolls(psionic) - ModelState(row).fahz_jiin_rerolls
    last_roll = next((entry for entry in reversed(act.dice.trace) if isinstance(entry, Thrown)), None)
    if rerolls_left < 1 or last_roll is None or throws[0].pool < 1:
        return result
    result_words = [word for _, word in last_roll.words()[0]]
    ones = min(rerolls_left, result_words.count("natural 1"))
    misses = min(rerolls_left - ones, sum(word == "miss" for word in result_words))
    if ones + misses < 1:
        return result
    ModelState(row).fahz_jiin_rerolls += ones + misses
    rerolled = act.roll(
        Whose(psionic.name, "re-roll", "of failed dice with Fahz Jiin"),
        reroll_failed_dice,
        result,
        misses,
        ones,
        replace(throws[0], pool=ones + misses),
        label="Fahz Jiin",
    )
    return rerolled._replace(criticals=result.criticals)


CRITICAL = frozenset({"scan", "power_blast", "stun"})
"""Powers that ask for critical successes."""

SOLO_POWERS = frozenset({"deep_portal", "identify"})
"""Powers in which no one can help."""


def why_lines(act: Act, used: PowerUse, checks: tuple[PreparedCheck, ...], ready: PreparedPower) -> list[str]:
    """Return every die with its reason, then each target's shields. Rules: CB-PSI-03, CB-PSI-04."""
    psionic, name = used.use.psionic, used.row.name
    if used.helpers:
        titles = [model.name for model in (psionic, *used.helpers)]
    else:
        titles = [f"{psionic.name} at {aim.target.name}" for aim in used.use.aims] or [psionic.name]
    lines = [
        line
        for title, check in zip(titles, checks, strict=False)
        for line in why_check(check, f"{title}, {name}")
    ]
    dice = rating_of(psionic, "PSI").dice
    for aim, impact in zip(used.use.aims, ready.impacts, strict=False):
        lines.append(f"{aim.target.name}: Power {impact.power} CB-PSI-03")
        lines += reasons("Shield dice", shield_against(aim.target, dice, settings(act)))
    return lines


def _throws_at_targets(power_use: PowerUse, checks: tuple[PreparedCheck, ...]) -> list[tuple[Throw, ...]]:
    """Return the dice of each target: of the whole team where several work together."""
    if power_use.helpers:
        return [tuple(check.throw for check in checks)]
    return [(check.throw,) for check in checks]


def rolled(
    act: Act,
    used: PowerUse,
    checks: tuple[PreparedCheck, ...],
    ready: PreparedPower,
    ignored: tuple[int, ...],
) -> tuple[Result, ...]:
    """Throw the dice of all who take part, at each target in turn; those who ignore it are spared."""
    row, psionic = used.row, used.use.psionic
    if row.power in SOLO_POWERS:
        return (_roll_alone(act, used, ready),)
    names = [psionic.name, *(helper.name for helper in used.helpers)]
    results = []
    for place, throws in enumerate(_throws_at_targets(used, checks)):
        if ignored and used.targets[place].id in ignored:
            results.append(Result(struck=Struck(UNHURT) if row.shielded else None))
            continue
        target = used.targets[place].name if used.targets else ""
        purpose = f"on {target}" if target else "roll"
        rollers = cast_together(row.name, purpose, throws, names[: len(throws)])
        result = act.roll(rollers, use_power, throws, row.power in CRITICAL)
        check = mended(act, psionic, result, throws)
        if row.power == "heal":
            max_restored = curable(used.targets[0])
            results.append(
                Result(
                    treatment=Treatment(min(max_restored, check.net), check.net_ones),
                    check=check,
                )
            )
        elif row.shielded:
            harm_roller = at(psionic.name, target)
            suffered = act.roll(harm_roller, suffer, check.net, 0, ready.impacts[place])
            struck = Struck(suffered, check.net_ones, bool(check.net and check.criticals))
            results.append(Result(struck=struck, check=check))
        else:
            results.append(Result(check=check))
    return tuple(results)


def _roll_alone(act: Act, power_use: PowerUse, ready: PreparedPower) -> Result:
    """Throw the dice of a portal, or of Identify, with the check that it is about where that is made now."""
    row, psionic = power_use.row, power_use.use.psionic
    roller = cast_by_label(
        cast_together(row.name, "roll", ready.throws, [psionic.name]),
        direction=Whose(psionic.name, "roll", "for the direction of the portal"),
        distance=Whose(psionic.name, "roll", "for the distance of the portal"),
    )
    result = act.roll(roller, use_power, ready.throws, row.power == "identify")
    check = mended(act, psionic, result, ready.throws)
    if row.power == "deep_portal":
        return Result(portal=act.roll(roller, powers.opened, check))
    insight_won = insight(check)
    if not patient_of(power_use):
        return Result(check=check, insight=insight_won)
    work = prepare_job(psionic, _job_with_identify(power_use), settings=settings(act))
    job_roller = Whose(
        psionic.name, f"{_job_with_identify(power_use).skill} check", "with the help of Identify"
    )
    return Result(check=act.roll(job_roller, identified, insight_won, work.throw), insight=insight_won)


def _job_with_identify(power_use: PowerUse) -> Job:
    patient = patient_of(power_use)
    successes_needed = max(1, curable(patient)) if patient else 1
    return Job(cast(Skill, power_use.skill), power_use.number or 7, successes_needed, patient=patient)


# ------------------------------------------------------------------------------------------- odds


def power_chances(
    act: ActView, power_use: PowerUse, checks: tuple[PreparedCheck, ...], ready: PreparedPower
) -> Chances:
    """Return the chances of everything that the power may come to, target by target."""
    names = [model.name for model in power_use.targets] or [power_use.use.psionic.name]
    lines = [
        f"{power_use.use.psionic.name}: {power_use.row.name}",
        *(dice_words(check, "PSI") for check in checks),
    ]
    all_odds, main_chances, hurts = list[Odds[Any]](), list[tuple[str, float]](), list[Hurt]()
    summaries = list[str]()
    if power_use.row.power == "deep_portal":
        portal = act.solve(powers.deep_portal, ready.throws)
        all_odds.append(portal)
        places = ("arrives", "stays", "astray")
        chances = [(place, portal.chance(lambda got, p=place: got.place == p)) for place in places]  # type: ignore[misc]
        lines += bars(chances)
        main_chances = [chances[0]]
    elif power_use.row.power == "identify" and not patient_of(power_use):
        odds = act.solve(use_power, ready.throws, True).map(insight)
        all_odds.append(odds)
        words = (("+1 to the skill check", 1), ("+2 to the skill check", 2), ("-1 to the skill check", -1))
        chances = [(word, odds.chance(lambda got, n=n: got.modifier == n)) for word, n in words]  # type: ignore[misc]
        lines += bars([*chances, ("the skill check fails", odds.chance(lambda got: got.spoiled))])
        main_chances = [("helps the skill check", odds.chance(lambda got: got.modifier > 0))]
    elif power_use.row.power == "identify":
        work = prepare_job(power_use.use.psionic, _job_with_identify(power_use), settings=settings(act))
        all_odds.append(act.solve(identify, ready.throws, work.throw))
        lines += _check_bars(all_odds[0])
        main_chances = [("at least 1 success", all_odds[0].chance(lambda got: got.net > 0))]
    else:
        for place, throws in enumerate(_throws_at_targets(power_use, checks)):
            lists_targets = len(names) > 1 and not power_use.helpers
            lines += [f"{names[place]}:"] if lists_targets else []
            target_lines, main_chance, target_hurts = _target_odds(
                act, power_use, throws, ready, place, all_odds
            )
            lines += target_lines
            hurts += target_hurts
            main_chances.append(main_chance)
            summaries += [f"{names[place]} {_label_with_chance(*main_chance)}"] if lists_targets else []
    may_reroll = power_use.use.psionic.count(Counter.FAHZ_JIIN) == 1
    notes = ("The odds don't include re-rolls from Fahz Jiin.",) if may_reroll else ()
    return Chances(
        tuple(lines), *main_chances[0], tuple(all_odds), notes, tuple(summaries), hurts=tuple(hurts)
    )


def _label_with_chance(label: str, chance: float) -> str:
    return f"{label} {percent(chance).strip()}"


def _target_odds(
    act: ActView,
    power_use: PowerUse,
    throws: tuple[Throw, ...],
    ready: PreparedPower,
    place: int,
    all_odds: list[Odds[Any]],
) -> tuple[list[str], tuple[str, float], list[Hurt]]:
    row = power_use.row
    if row.power == "heal":
        max_restored = curable(power_use.targets[0])
        odds = act.solve(heal, throws, max_restored)
        all_odds.append(odds)
        rows = [("nothing", odds.chance(lambda t: not t.restored and not t.harmed))]
        shown = min(max_restored, 4)
        rows += [
            (f"{n} Life restored", odds.chance(lambda t, n=n: t.restored == n))  # type: ignore[misc]
            for n in range(1, shown + 1)
        ]
        if max_restored > shown:
            rows.append((f"{shown + 1} or more", odds.chance(lambda t: t.restored > shown)))
        healing_chance = "at least 1 Life restored", odds.chance(lambda t: t.restored > 0)
        return bars([*rows, ("harm", odds.chance(lambda t: t.harmed > 0))]), healing_chance, []
    if not row.shielded:
        check = act.solve(use_power, throws)
        all_odds.append(check)
        return _check_bars(check), ("at least 1 success", check.chance(lambda got: got.net > 0)), []
    target_strike = Strike(power_use.targets[place].id, throws, ready.impacts[place])
    odds_of_harm = act.solve(_strike_through_shield, target_strike)
    all_odds.append(odds_of_harm)
    odds_of_wounds = odds_of_harm.map(lambda got: got[0])
    failure_text = percent(odds_of_harm.chance(lambda got: got[1])).strip()
    if not row.damage:
        works_chance = odds_of_wounds.chance(bool)
        rows = [("works", works_chance), ("nothing", 1 - works_chance)]
        return [*bars(rows), f"Critical failure {failure_text}"], ("works", works_chance), []
    life = max(1, power_use.targets[place].life_left)
    down_chance = odds_of_wounds.chance(lambda wounds: wounds >= life)
    target_hurt = Hurt(
        target_strike.target, down_chance, odds_of_wounds.mean(lambda wounds: min(wounds, life))
    )
    return (
        [*wound_odds(odds_of_wounds, life), f"Critical failure {failure_text}"],
        ("goes down", down_chance),
        [target_hurt],
    )


def _strike_through_shield(dice: Dice, target_strike: Strike) -> tuple[int, bool]:
    """Return the wounds, up to 9, and whether the roll was a critical failure. Rules: CB-PSI-04."""
    struck = strike(dice, target_strike)
    return min(9, struck.suffered.through), struck.net_ones > 0


def _check_bars(odds: Odds[CheckResult]) -> list[str]:
    rows = [("nothing", odds.chance(lambda got: not got.net and not got.critical_failure))]
    rows += [
        (times(1, "success", "successes"), odds.chance(lambda got: got.net == 1)),
        ("2", odds.chance(lambda got: got.net == 2)),
        ("3 or more", odds.chance(lambda got: got.net > 2)),
        ("critical failure", odds.chance(lambda got: got.critical_failure)),
    ]
    return bars(rows)
