"""Resolve a melee and tell it."""

from __future__ import annotations

from collections.abc import Callable

from bot.games.counterblast.core.common import again, carry_through
from bot.games.counterblast.core.contact import list_engaged_enemies
from bot.games.counterblast.core.narration import Telling, apply_attack
from bot.games.counterblast.core.wording import at, dice_words, trace_lines, why_check, why_impact
from bot.games.counterblast.melee.melees import Melee, choose_weapons, normalise_melee, prepare_blows
from bot.games.counterblast.shooting.arcs import attacked, with_arc_modifier
from bot.games.counterblast.state.models import fighter
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.journal.history import UNDO
from bot.table.throw_purposes import each
from rules.counters import PerNumber
from rules.dice import Compared, Entry, Heading, Thrown
from rules.effects import Assign, Propose
from rules.systems.counterblast.core.conditions import Event, end_attacker_conditions, end_conditions
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.impacts import Suffered
from rules.systems.counterblast.melee import bouts
from rules.systems.counterblast.melee.bouts import PreparedBlow
from rules.systems.counterblast.melee.engagement import after_disengage
from rules.systems.counterblast.shooting.special_attacks import may_strike_back
from rules.wording import times

STRIKES = PerNumber("strikes:")
"""Counters of a Ferocious model, by another: the turn in which it may strike back at that one, times
TURN_PLACE, plus the tenths of an inch between them."""


TURN_PLACE = 1000


def fight_melee(act: Act, telling: Telling, melee: Melee) -> None:
    """Roll all blows, carry them through and tell them. Rules: CB-FIGHT-08, CB-FIGHT-14."""
    ready = prepare_blows(act, melee, must_be_engaged=melee.kind not in ("free", "back"))
    trace_start = len(act.dice.trace)
    rollers = each(*(at(blow.attacker.name, blow.defender.name) for blow in ready.blows))
    results = act.roll(rollers, bouts.melee, ready.bouts)
    if len(results) > 1:
        telling.lines.append(_summarise(ready.blows, results))
    parts = parts_of(act.dice.trace[trace_start:], bouts.fight)
    for blow, suffered, part in zip(ready.blows, results, parts, strict=True):
        _report_blow(act, telling, blow, suffered, _describe_gains(blow, part))
    for number in melee.attackers:
        attacked(act, number)
        telling.follow(
            act, end_attacker_conditions(again(act, fighter(act.encounter, act.encounter.model(number))))
        )
    for number in melee.defenders:
        defender = fighter(act.encounter, act.encounter.model(number))
        telling.follow(act, end_conditions(defender, Event.ENGAGED))
    if melee.kind not in ("free", "back"):
        _offer_strikes(act, telling, melee)
    telling.lines += ["", *_list_dice(ready.blows, parts)]


def _summarise(blows: tuple[PreparedBlow, ...], results: tuple[Suffered, ...]) -> str:
    wounds: dict[str, int] = {}
    for blow, suffered in zip(blows, results, strict=True):
        through = suffered.through if blow.weapon.damage else 0
        wounds[blow.defender.name] = wounds.get(blow.defender.name, 0) + through
    return "Melee: " + ", ".join(f"{name} {times(count, 'wound')}" for name, count in wounds.items())


def _describe_gains(blow: PreparedBlow, trace: list[Entry]) -> list[str]:
    """Return what each side gains from the other's critical failure. Rules: CB-FIGHT-10."""
    lines = []
    for label, prepared_dice, failing, winning in (
        ("attack", blow.attack, blow.attacker, blow.defender),
        ("defence", blow.defence, blow.defender, blow.attacker),
    ):
        ones = -_score(trace, label, dependable=prepared_dice is not None and prepared_dice.throw.dependable)
        if ones > 0:
            lines += [
                f"{failing.name} rolls a critical failure. "
                f"{winning.name} gains {times(ones, 'success', 'successes')}."
            ]
    return lines


def _score(trace: list[Entry], label: str, *, dependable: bool) -> int:
    """Successes less natural 1s of the dice that were thrown under a label."""
    score = 0
    thrown_faces: list[int] = []
    for entry in trace:
        if isinstance(entry, Thrown) and entry.label.startswith(label):
            die, place = entry.die, entry.die.tallies.index("score")
            thrown_faces += entry.waves[0] if entry.waves and "bonus" not in entry.label else ()
            for wave in entry.waves:
                score += sum(die.facets[face - 1].adds[place] for face in wave)
                die = die.bonus or die
        elif isinstance(entry, Compared) and entry.label.startswith(label):
            lowest = min(face for _, hand in entry.hands for face in hand)
            thrown_faces.append(lowest)
            score -= int(lowest == 1)
    return score + int(dependable and 1 in thrown_faces)


def _report_blow(
    act: Act, telling: Telling, blow: PreparedBlow, suffered: Suffered, gains: list[str]
) -> None:
    if suffered.hits:
        apply_attack(
            act, telling, again(act, blow.attacker), again(act, blow.defender), blow.weapon, suffered
        )
        with_arc_modifier(act, telling, blow.attack.throw.modifier)
    else:
        telling.lines.append(f"{blow.defender.name} holds off {blow.attacker.name}.")
    telling.lines += gains
    telling.why += why_check(blow.attack, f"{blow.attacker.name} at {blow.defender.name}, {blow.weapon.name}")
    if blow.defence:
        telling.why += why_check(blow.defence, f"{blow.defender.name} defends")
    telling.why += why_impact(blow.impact)


def _offer_strikes(act: Act, telling: Telling, melee: Melee) -> None:
    """Ferocious models may strike back, once for each attack on them. Rules: CB-FEAT-27, CB-SLASH-01."""
    for pairing in melee.pairings:
        defender = fighter(act.encounter, act.encounter.model(pairing.defender))
        attacker = fighter(act.encounter, act.encounter.model(pairing.attacker))
        if attacker.is_incapacitated or not may_strike_back(defender, pairing.tenths / 10):
            continue
        key = STRIKES.of(attacker.id)
        reason = f"{defender.name} can strike back at {attacker.name}."
        attacker_name = attacker.name if len(melee.pairings) > 1 else ""
        details = (("attacker", attacker.id), ("tenths", pairing.tenths), ("whom", attacker_name))
        telling.follow(
            act,
            (
                Assign(
                    "model", defender.id, key, max(1, act.encounter.row.turn) * TURN_PLACE + pairing.tenths
                ),
                Propose("strike_back", defender.id, reason, details),
                Propose("no_strike_back", defender.id, reason, details),
            ),
        )


def _list_dice(blows: tuple[PreparedBlow, ...], parts: list[list[Entry]]) -> list[str]:
    lines = []
    for blow, part in zip(blows, parts, strict=True):
        if len(blows) > 1:
            lines.append(f"{blow.attacker.name} > {blow.defender.name}")
        lines.append(f"{dice_words(blow.attack, 'STR')}, {blow.weapon.name}")
        defence_dice = dice_words(blow.defence, "STR") if blow.defence else "no defense dice"
        lines.append(f"against {defence_dice}")
        lines += trace_lines(part)
    return lines


def parts_of(trace: list[Entry], rule: Callable[..., object]) -> list[list[Entry]]:
    """Return the parts of a trace that were rolled by a rule, one for each time that it was called."""
    parts: list[list[Entry]] = []
    depth = -1
    for entry in trace:
        if isinstance(entry, Heading) and entry.label == rule.__name__.replace("_", " "):
            parts.append([])
            depth = entry.depth
        elif entry.depth <= depth:
            depth = -1
        elif depth >= 0:
            parts[-1].append(entry)
    return parts


def settle_identity(act: Act, melee: Melee) -> None:
    """Make the act the melee, whatever was pressed, unless dice fell that an undo must find again."""
    if not act.has_rolled:
        act.canonical = normalise_melee(melee)


def fight_out(act: Act, telling: Telling, melee: Melee) -> Reply:
    """Roll, and finish what the blows were part of."""
    melee = choose_weapons(act, melee)
    settle_identity(act, melee)
    leaving = melee.defenders if melee.kind == "free" else ()
    leavers = [fighter(act.encounter, act.encounter.model(number)) for number in leaving]
    enemies_of = {leaver.id: list_engaged_enemies(act, leaver) for leaver in leavers}
    earlier_lines: list[str] = []
    if melee.kind == "charge" and not act.has_rolled:
        earlier_lines, telling.lines = telling.lines, []
    fight_melee(act, telling, melee)
    insert_at = telling.lines.index("")
    telling.lines[insert_at:insert_at] = earlier_lines
    for leaver in leavers:
        move_away(act, telling, leaver, enemies_of[leaver.id])
    telling.lines += telling.proposal_lines()
    return Reply(tuple(telling.lines), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))


def move_away(act: Act, telling: Telling, leaver: Fighter, enemies: tuple[Fighter, ...]) -> None:
    """Move a model that left a melee, if it is still able, and end its engagement. Rules: CB-DISENG-04."""
    proposals = carry_through(act, after_disengage(again(act, leaver), enemies))
    telling.proposals += proposals
    if not proposals:
        telling.lines.append(f"{leaver.name} can't move away.")
