"""Leaving a melee: the contest with everyone engaged, and the free attacks of those who win it.

Owns the contest; the free attacks are prepared here and fought out by `fighting`.
"""

from __future__ import annotations

from rules.dice import Dice, add_up
from rules.effects import Assign, Effect, Propose
from rules.refusals import Forbidden, forbid
from rules.systems.counterblast.core.ability import prepare_check
from rules.systems.counterblast.core.checks import Prepared, Throw, throw
from rules.systems.counterblast.core.conditions import must_be_able
from rules.systems.counterblast.core.fighter import ENGAGED_WITH, Fighter
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.melee.blows import Blow, Melee, PreparedMelee
from rules.systems.counterblast.melee.bouts import Bout, wounds_by_bouts
from rules.systems.counterblast.melee.fighting import prepare_melee

TARGET = 7


def opponents(leaver: Fighter, models: tuple[Fighter, ...]) -> tuple[Fighter, ...]:
    """The enemies that hold a model, in the order given. Rules: CB-DISENG-01, CB-COND-03."""
    return tuple(model for model in models if leaver.is_engaged_with(model))


def prepare_disengage(
    model: Fighter, *, order_token: bool = False, settings: Settings = DEFAULTS
) -> Prepared:
    """Prepare one side's dice of the contest: AGL at 7, for the leaver and for every enemy alike.

    Rules: CB-DISENG-01, CB-FEAT-44, CB-PANIC-11.
    """
    return prepare_check(
        model,
        "AGL",
        TARGET,
        target_reason="Disengage",
        target_rule="CB-DISENG-01",
        order_token=order_token,
        settings=settings,
    )


def beaten(dice: Dice, enemy: Throw, leaver_successes: int) -> bool:
    """Roll one enemy's dice; true when it has more successes than the leaver. Rules: CB-DISENG-02."""
    return throw(dice, (enemy,), label="hold back").net > leaver_successes


def disengage(dice: Dice, leaver: Throw, enemies: tuple[Throw, ...]) -> tuple[bool, ...]:
    """Roll to leave a melee; gives for each enemy whether it wins a free attack. Ties favour the leaver.

    Rules: CB-DISENG-01, CB-DISENG-02.
    """
    successes = dice.call(leaver_successes, leaver)
    return tuple(dice.call(beaten, enemy, successes) for enemy in enemies)


def free_attacks(dice: Dice, leaver: Throw, enemies: tuple[Throw, ...]) -> int:
    """Count who wins a free attack: `disengage` with fewer outcomes, for odds. Rules: CB-DISENG-02."""
    successes = dice.call(leaver_successes, leaver)
    return dice.call(add_up, *((1, 1, beaten, (enemy, successes)) for enemy in enemies))


def unopposed(dice: Dice, leaver: Throw, enemies: tuple[Throw, ...]) -> bool:
    """Whether nobody wins a free attack: `disengage` with fewer outcomes, for odds.

    Rules: CB-DISENG-01, CB-DISENG-02.
    """
    successes = dice.call(leaver_successes, leaver)
    return not any(dice.call(beaten, enemy, successes) for enemy in enemies)


def leave(
    dice: Dice,
    leaver: Throw,
    enemies: tuple[tuple[Throw, int], ...],
    attacks: tuple[tuple[tuple[int, ...], tuple[Bout, ...]], ...],
    cap: int,
) -> tuple[bool, int]:
    """Roll the contest and the free attacks that follow, for odds; return whether any struck, and the wounds.

    enemies: the dice of each kind of enemy, and how many of that kind there are. attacks: for every number of
    winners of each kind, one or more in all, the blows that follow. cap: wounds that are told apart.
    Rules: CB-DISENG-01, CB-DISENG-02, CB-DISENG-03.
    """
    successes = dice.call(leaver_successes, leaver)
    won = tuple(dice.call(add_up, (many, 1, beaten, (enemy, successes))) for enemy, many in enemies)
    blows = dict(attacks).get(won, ())
    return bool(blows), dice.call(wounds_by_bouts, blows, cap) if blows else 0


def leaver_successes(dice: Dice, leaver: Throw) -> int:
    """Net successes of the model that leaves. Rules: CB-DISENG-01."""
    return throw(dice, (leaver,), label="disengage").net


def prepare_free_attacks(
    leaver: Fighter,
    attackers: tuple[Fighter, ...],
    defence: tuple[int, ...] = (),
    *,
    dark: bool = False,
    vacuum: bool = False,
    outnumbering: frozenset[int] = frozenset(),
    settings: Settings = DEFAULTS,
) -> PreparedMelee:
    """Prepare the free attacks on a model that leaves: it defends with half its dice, shared out among them.

    attackers: the enemies that won theirs. defence: dice against each in turn, none for an even share. dark,
    vacuum, outnumbering: as in any melee. Raises
    Forbidden for a share that is not the model's. Rules: CB-DISENG-02, CB-DISENG-03, CB-FIGHT-03.
    """
    if not attackers:
        raise Forbidden("Nobody won a free attack.", "CB-DISENG-02")
    shares: tuple[int | None, ...] = defence or (None,) * len(attackers)
    blows = tuple(
        Blow(attacker, leaver, defence=share) for attacker, share in zip(attackers, shares, strict=True)
    )
    melee = Melee(
        blows,
        dark=dark,
        vacuum=vacuum,
        outnumbering=outnumbering,
        halved=frozenset({leaver.id}),
        group=False,
    )
    return prepare_melee(melee, settings)


def after_disengage(leaver: Fighter, enemies: tuple[Fighter, ...]) -> tuple[Effect, ...]:
    """The leaver, if still able, is engaged no more and moves away up to its Mv, within the same action.

    Rules: CB-DISENG-04, CB-COND-03.
    """
    if leaver.is_incapacitated:
        return ()
    apart: list[Effect] = []
    for enemy in enemies:
        apart.append(Assign("model", leaver.id, ENGAGED_WITH.of(enemy.id), 0))
        apart.append(Assign("model", enemy.id, ENGAGED_WITH.of(leaver.id), 0))
    reason = f"{leaver.name} moves away, up to {leaver.mv} in."
    return (*apart, Propose("move", leaver.id, reason, (("inches", leaver.mv),)))


def engage(model: Fighter, enemy: Fighter) -> tuple[Effect, ...]:
    """Two models come into contact, or within Reach: they hold each other.

    Raises Forbidden for models of one crew or out of action. Rules: CB-COND-03, CB-SLASH-02, CB-WEAP-07.
    """
    must_be_able(model)
    must_be_able(enemy)
    if model.side == enemy.side:
        forbid(f"{model.name} and {enemy.name} are friends.", "CB-COND-03")
    return (
        Assign("model", model.id, ENGAGED_WITH.of(enemy.id), 1),
        Assign("model", enemy.id, ENGAGED_WITH.of(model.id), 1),
    )
