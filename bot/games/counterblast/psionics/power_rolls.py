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
    dice_words,
    labelled,
    reasons,
    together,
    why_check,
    wound_odds,
)
from bot.games.counterblast.psionics.power_effects import Result, Used, patient_of
from bot.games.counterblast.state.table_state import ModelState
from bot.replies.chances import bars, percent
from bot.replies.reply import Reply
from bot.table.act import Act, ActView
from bot.table.handlers import handles
from bot.table.steps import Chances, Hurt
from bot.table.throw_purposes import Whose
from rules.dice import Dice, Odds, Thrown
from rules.systems.counterblast.core.checks import CheckResult, Prepared, Throw, check_mending_failures
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
    thrown = next((entry for entry in reversed(act.dice.trace) if isinstance(entry, Thrown)), None)
    if rerolls_left < 1 or thrown is None or throws[0].pool < 1:
        return result
    words = [word for _, word in thrown.words()[0]]
    ones = min(rerolls_left, words.count("natural 1"))
    misses = min(rerolls_left - ones, sum(word == "miss" for word in words))
    if ones + misses < 1:
        return result
    ModelState(row).fahz_jiin_rerolls += ones + misses
    fresh = act.roll(
        Whose(psionic.name, "re-roll", "of failed dice with Fahz Jiin"),
        check_mending_failures,
        result,
        misses,
        ones,
        replace(throws[0], pool=ones + misses),
        label="Fahz Jiin",
    )
    return fresh._replace(criticals=result.criticals)


CRITICAL = frozenset({"scan", "power_blast", "stun"})
"""Powers that ask for critical successes."""

ALONE = frozenset({"deep_portal", "identify"})
"""Powers in which no one can help."""


def why_lines(act: Act, used: Used, checks: tuple[Prepared, ...], ready: PreparedPower) -> list[str]:
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


def _shares(used: Used, checks: tuple[Prepared, ...]) -> list[tuple[Throw, ...]]:
    """Return the dice of each target: of the whole team where several work together."""
    if used.helpers:
        return [tuple(check.throw for check in checks)]
    return [(check.throw,) for check in checks]


def rolled(
    act: Act, used: Used, checks: tuple[Prepared, ...], ready: PreparedPower, ignored: tuple[int, ...]
) -> tuple[Result, ...]:
    """Throw the dice of all who take part, at each target in turn; those who ignore it are spared."""
    row, psionic = used.row, used.use.psionic
    if row.power in ALONE:
        return (_rolled_alone(act, used, ready),)
    names = [psionic.name, *(helper.name for helper in used.helpers)]
    results = []
    for place, throws in enumerate(_shares(used, checks)):
        if ignored and used.targets[place].id in ignored:
            results.append(Result(struck=Struck(UNHURT) if row.shielded else None))
            continue
        target = used.targets[place].name if used.targets else ""
        purpose = f"on {target}" if target else "roll"
        rollers = together(row.name, purpose, throws, names[: len(throws)])
        thrown = act.roll(rollers, use_power, throws, row.power in CRITICAL)
        mended_check = mended(act, psionic, thrown, throws)
        if row.power == "heal":
            most = curable(used.targets[0])
            results.append(
                Result(
                    treatment=Treatment(min(most, mended_check.net), mended_check.net_ones),
                    check=mended_check,
                )
            )
        elif row.shielded:
            harm = at(psionic.name, target)
            suffered = act.roll(harm, suffer, mended_check.net, 0, ready.impacts[place])
            struck = Struck(
                suffered, mended_check.net_ones, bool(mended_check.net and mended_check.criticals)
            )
            results.append(Result(struck=struck, check=mended_check))
        else:
            results.append(Result(check=mended_check))
    return tuple(results)


def _rolled_alone(act: Act, used: Used, ready: PreparedPower) -> Result:
    """Throw the dice of a portal, or of Identify, with the check that it is about where that is made now."""
    row, psionic = used.row, used.use.psionic
    roller = labelled(
        together(row.name, "roll", ready.throws, [psionic.name]),
        direction=Whose(psionic.name, "roll", "for the direction of the portal"),
        distance=Whose(psionic.name, "roll", "for the distance of the portal"),
    )
    thrown = act.roll(roller, use_power, ready.throws, row.power == "identify")
    mended_check = mended(act, psionic, thrown, ready.throws)
    if row.power == "deep_portal":
        return Result(portal=act.roll(roller, powers.opened, mended_check))
    insight_won = insight(mended_check)
    if not patient_of(used):
        return Result(check=mended_check, insight=insight_won)
    work = prepare_job(psionic, _job(used), settings=settings(act))
    job = Whose(psionic.name, f"{_job(used).skill} check", "with the help of Identify")
    return Result(check=act.roll(job, identified, insight_won, work.throw), insight=insight_won)


def _job(used: Used) -> Job:
    patient = patient_of(used)
    needed = max(1, curable(patient)) if patient else 1
    return Job(cast(Skill, used.skill), used.number or 7, needed, patient=patient)


# ------------------------------------------------------------------------------------------- odds


def power_chances(act: ActView, used: Used, checks: tuple[Prepared, ...], ready: PreparedPower) -> Chances:
    """Return the chances of everything that the power may come to, target by target."""
    names = [model.name for model in used.targets] or [used.use.psionic.name]
    lines = [f"{used.use.psionic.name}: {used.row.name}", *(dice_words(check, "PSI") for check in checks)]
    solved, hoped, hurts = list[Odds[Any]](), list[tuple[str, float]](), list[Hurt]()
    brief = list[str]()
    if used.row.power == "deep_portal":
        portal = act.solve(powers.deep_portal, ready.throws)
        solved.append(portal)
        places = ("arrives", "stays", "astray")
        chances = [(place, portal.chance(lambda got, p=place: got.place == p)) for place in places]  # type: ignore[misc]
        lines += bars(chances)
        hoped = [chances[0]]
    elif used.row.power == "identify" and not patient_of(used):
        odds = act.solve(use_power, ready.throws, True).map(insight)
        solved.append(odds)
        words = (("+1 to the skill check", 1), ("+2 to the skill check", 2), ("-1 to the skill check", -1))
        chances = [(word, odds.chance(lambda got, n=n: got.modifier == n)) for word, n in words]  # type: ignore[misc]
        lines += bars([*chances, ("the skill check fails", odds.chance(lambda got: got.spoiled))])
        hoped = [("helps the skill check", odds.chance(lambda got: got.modifier > 0))]
    elif used.row.power == "identify":
        work = prepare_job(used.use.psionic, _job(used), settings=settings(act))
        solved.append(act.solve(identify, ready.throws, work.throw))
        lines += _check_bars(solved[0])
        hoped = [("at least 1 success", solved[0].chance(lambda got: got.net > 0))]
    else:
        for place, throws in enumerate(_shares(used, checks)):
            several = len(names) > 1 and not used.helpers
            lines += [f"{names[place]}:"] if several else []
            target_lines, best, hurt = _target_odds(act, used, throws, ready, place, solved)
            lines += target_lines
            hurts += hurt
            hoped.append(best)
            brief += [f"{names[place]} {_short(*best)}"] if several else []
    may_reroll = used.use.psionic.count(Counter.FAHZ_JIIN) == 1
    notes = ("The odds don't include re-rolls from Fahz Jiin.",) if may_reroll else ()
    return Chances(tuple(lines), *hoped[0], tuple(solved), notes, tuple(brief), hurts=tuple(hurts))


def _short(label: str, chance: float) -> str:
    return f"{label} {percent(chance).strip()}"


def _target_odds(
    act: ActView,
    used: Used,
    throws: tuple[Throw, ...],
    ready: PreparedPower,
    place: int,
    solved: list[Odds[Any]],
) -> tuple[list[str], tuple[str, float], list[Hurt]]:
    row = used.row
    if row.power == "heal":
        most = curable(used.targets[0])
        odds = act.solve(heal, throws, most)
        solved.append(odds)
        rows = [("nothing", odds.chance(lambda t: not t.restored and not t.harmed))]
        rows += [
            (f"{n} Life restored", odds.chance(lambda t, n=n: t.restored == n))  # type: ignore[misc]
            for n in range(1, min(most, 4) + 1)
        ]
        helps = "at least 1 Life restored", odds.chance(lambda t: t.restored > 0)
        return bars([*rows, ("harm", odds.chance(lambda t: t.harmed > 0))]), helps, []
    if not row.shielded:
        check = act.solve(use_power, throws)
        solved.append(check)
        return _check_bars(check), ("at least 1 success", check.chance(lambda got: got.net > 0)), []
    aimed = Strike(used.targets[place].id, throws, ready.impacts[place])
    struck = act.solve(_through, aimed)
    solved.append(struck)
    hurt = struck.map(lambda got: got[0])
    botch = percent(struck.chance(lambda got: got[1])).strip()
    if not row.damage:
        holds = hurt.chance(bool)
        rows = [("works", holds), ("nothing", 1 - holds)]
        return [*bars(rows), f"Critical failure {botch}"], ("works", holds), []
    life = max(1, used.targets[place].life_left)
    fall_chance = hurt.chance(lambda wounds: wounds >= life)
    wounded = Hurt(aimed.target, fall_chance, hurt.mean(lambda wounds: min(wounds, life)))
    return [*wound_odds(hurt, life), f"Critical failure {botch}"], ("goes down", fall_chance), [wounded]


def _through(dice: Dice, aimed: Strike) -> tuple[int, bool]:
    """Rules: CB-PSI-04."""
    struck = strike(dice, aimed)
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
