"""The throw of one attack on one model."""

from __future__ import annotations

from bot.games.soluna.strikes import Strike
from bot.games.soluna.words import why_plan
from bot.table.act import Act
from bot.table.rolling.throws import Whose
from rules.systems.soluna.attack import Plan, attack_roll
from rules.systems.soluna.melee import in_melee
from rules.systems.soluna.situation import Situation


def rolled(
    act: Act,
    situation: Situation,
    plan: Plan,
    item: str | None,
    label: str = "attack",
    *,
    lunge: bool = False,
) -> Strike:
    """Throw the dice of one attack on one model; what is needed until its flips are chosen."""
    target = situation.target
    assert target is not None, "models are struck"
    weapon = situation.gear.name if situation.gear else "bare hands"
    whose = Whose(situation.attacker.name, weapon, f"at {target.name}, Accuracy {plan.accuracy:+d}")
    counts = act.roll(whose, attack_roll, plan.power, label)
    known = item and next((name for name, _ in target.carried() if name.lower() == item.lower()), "")
    on_board = {piece.id for piece in situation.board.pieces}
    melee = situation.melee and {situation.attacker.id, target.id} <= on_board
    return Strike(
        situation.attacker.id,
        target.id,
        weapon,
        plan.power,
        plan.accuracy,
        counts,
        plan.shield_usable,
        plan.cover_bonus,
        tuple(sorted(situation.ignored)),
        known or "",
        melee and in_melee(situation.board, situation.attacker, target),
        lunge,
        situation.origin is not None,
        tuple(why_plan(plan, f"{situation.attacker.name} at {target.name}, {weapon}")),
    )
