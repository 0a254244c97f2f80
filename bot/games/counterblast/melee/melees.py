"""Melees at the table, and the blows that are declared in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import fighter_of, may_continue, settings
from bot.games.counterblast.core.fields import (
    UNNAMED_WEAPON,
    TypedBlow,
    get_named_weapon,
    get_weapon,
    number_of,
    read_blows,
    several,
)
from bot.games.counterblast.state.ground import is_airless
from bot.games.counterblast.state.models import complete_next_name, fighter, fighters
from bot.games.counterblast.state.table_state import EncounterState
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.encounter import Encounter, EncounterView
from bot.table.owners import in_play
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput, is_allowed
from rules.systems.counterblast.building.crew import find_outnumbering_sides
from rules.systems.counterblast.core.dice_pools import even_shares
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.melee.bouts import Blow, PreparedBlow, PreparedMelee
from rules.systems.counterblast.melee.bouts import Melee as Situation
from rules.systems.counterblast.melee.fighting import (
    armed,
    attack_pool,
    best,
    fit_weapons,
    harm,
    prepare_melee,
)
from rules.systems.counterblast.shooting.special_attacks import SLASH_AND_DASH
from rules.systems.counterblast.turn.activation import take
from rules.wording import times

EVEN = -1
"""Defence dice that are shared evenly."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One attacker against one defender: dice of both, the attacker's weapon, tenths of an inch between."""

    attacker: int
    defender: int
    dice: int = 0
    weapon: int = 0
    tenths: int = 0
    defence: int = EVEN


def engaged_pairs(encounter: EncounterView) -> list[tuple[Fighter, Fighter]]:
    """Return who is activated and engaged, each with the first enemy that it touches."""
    everybody = [model for model in fighters(encounter) if not model.is_down]
    pairs = []
    for attacker in everybody:
        if attacker.has(Condition.ACTIVE) and not attacker.is_incapacitated:
            foes = [
                model
                for model in everybody
                if model.side != attacker.side and model.is_engaged_with(attacker)
            ]
            pairs += [(attacker, foes[0])] if foes else []
    return pairs


def strikers(encounter: Encounter) -> set[int]:
    """Return those of them who may fight now."""
    return {
        attacker.id
        for attacker, _ in engaged_pairs(encounter)
        if may_continue(encounter, attacker) and is_allowed(take, attacker, "fight")
    }


def likely_blows(context: Asking) -> Sequence[str]:
    """Return the activated model against the enemies that it touches, or else the next name."""
    names = complete_next_name(context)
    if context.typed or not context.act.has_encounter or context.act.encounter.row.system != "counterblast":
        return names
    pairs = engaged_pairs(context.act.encounter)
    blows = ", ".join(f"{attacker.name}>{defender.name}" for attacker, defender in pairs)
    return [blows, *names] if blows else names


def _blows_or_answer(context: Asking, text: str) -> tuple[TypedBlow, ...] | str:
    """Blows; words without > are an answer. Raises InvalidInput, Forbidden."""
    return read_blows(context.act, text) if ">" in text else text


def _write_blows(blows: Sequence[TypedBlow]) -> str:
    return ", ".join(blow.words for blow in blows)


def _no_text(context: Asking) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Melee(Action):
    """Fight a melee with several models.

    Models attack in melee, all blows at once.

    text: the blows as typed, or words that answer a melee which waits. pairs: the same as numbers, six for
    each pairing (see `Pairing`). kind: fight, melee, charge, slash, free (attacks on a model that leaves) or
    back (a Ferocious model strikes back). orders: models that spend an order token. lent: a lender and the
    place of a pairing, one after another. arms: a defender and its weapon. locked: sides that have answered.
    contact: those who attack touch.
    """

    command = "cb.melee"
    typed = "cb melee"
    decision_of = in_play("the attackers' players (but the defenders' players give their own answers)")

    kind: str = "melee"
    pairs: tuple[int, ...] = fields.unordered(6, but_where=lambda melee: bool(melee.lent))
    orders: tuple[int, ...] = fields.unordered()
    lent: tuple[int, ...] = fields.unordered(2)
    arms: tuple[int, ...] = fields.unordered(2)
    locked: tuple[int, ...] = fields.unordered()
    contact: bool = False
    text: tuple[TypedBlow, ...] | str = fields.sought(
        'Attacks, such as "Sally>Smap 2", or defense dice, such as "2 1"',
        likely_blows,
        _blows_or_answer,
        written=_write_blows,
        default=_no_text,
        called="blows",
        needed=True,
        notation=True,
        freely=True,
    )
    order: tuple[Fighter, ...] = several(
        "Attackers that spend an order token", names=complete_next_name, wire=str
    )
    odds: bool = fields.odds()

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """Return the blows. Raises InvalidInput where a number is missing."""
        if len(self.pairs) % 6:
            raise InvalidInput("Choose the attacks again. One of them is incomplete.")
        return tuple(
            Pairing(*pairing_numbers) for pairing_numbers in zip(*(iter(self.pairs),) * 6, strict=True)
        )

    @property
    def lenders(self) -> tuple[tuple[int, int], ...]:
        """Return lenders with the place of the pairing in which each lends its die."""
        return tuple(zip(self.lent[::2], self.lent[1::2], strict=True))

    @property
    def attackers(self) -> tuple[int, ...]:
        """Return the models that attack, each once."""
        return tuple(dict.fromkeys(pairing.attacker for pairing in self.pairings))

    @property
    def defenders(self) -> tuple[int, ...]:
        """Return the models that are attacked, each once."""
        return tuple(dict.fromkeys(pairing.defender for pairing in self.pairings))

    @property
    def involved(self) -> tuple[int, ...]:
        """Return the first attacker and the models attacked."""
        return (self.pairings[0].attacker, *self.defenders)

    def with_pairings(self, pairings: Iterable[Pairing]) -> Melee:
        """Return the same with other blows."""
        return replace(self, pairs=flatten_pairings(pairings))


def flatten_pairings(pairings: Iterable[Pairing]) -> tuple[int, ...]:
    """Return pairings as the numbers that an action carries."""
    return tuple(
        number
        for pairing in pairings
        for number in (
            pairing.attacker,
            pairing.defender,
            pairing.dice,
            pairing.weapon,
            pairing.tenths,
            pairing.defence,
        )
    )


def normalise_melee(melee: Melee) -> Melee:
    """Return the melee once all have answered, in one form however it came about."""
    return replace(melee, locked=(), contact=False, text="", order=(), odds=False)


# ---------------------------------------------------------------- as the rules see it


def build_situation(act: ActView, melee: Melee, *, must_be_engaged: bool = True) -> Situation:
    """Return the melee as the rules see it."""
    models = {model.id: model for model in fighters(act.encounter)}
    arms = dict(zip(melee.arms[::2], melee.arms[1::2], strict=True))
    lent: dict[int, list[Fighter]] = {}
    for lender, place in melee.lenders:
        lent.setdefault(place, []).append(_model(act, models, lender))
    blows = []
    for place, pairing in enumerate(melee.pairings):
        attacker, defender = _model(act, models, pairing.attacker), _model(act, models, pairing.defender)
        blows.append(
            Blow(
                attacker,
                defender,
                get_named_weapon(attacker, pairing.weapon),
                pairing.dice,
                None if pairing.defence == EVEN else pairing.defence,
                tuple(lent.get(place, ())),
                pairing.tenths / 10,
                charging=melee.kind == "charge",
                defence_weapon=get_named_weapon(defender, arms.get(defender.id, UNNAMED_WEAPON)),
            )
        )
    leaver_ids = frozenset(melee.defenders) if melee.kind == "free" else frozenset[int]()
    return Situation(
        tuple(blows),
        dark=bool(EncounterState(act.encounter.row).dark),
        vacuum=bool(EncounterState(act.encounter.row).vacuum),
        underwater=any(is_airless(act.encounter, blow.attacker) for blow in blows),
        orders=frozenset(melee.orders),
        outnumbering=outnumbering(tuple(models.values()), {*melee.attackers, *melee.defenders}),
        halved=leaver_ids,
        group=melee.kind == "melee" or (melee.kind == "charge" and len(melee.attackers) > 1),
        must_be_engaged=must_be_engaged,
        attack_modifiers=_modifiers(melee),
    )


def _model(act: ActView, models: dict[int, Fighter], number: int) -> Fighter:
    """Return a model in play. Raises InvalidInput for one that has left."""
    return models.get(number) or fighter(act.encounter, act.encounter.find_model(f"#{number}"))


def _modifiers(melee: Melee) -> tuple[Modifier, ...]:
    return (SLASH_AND_DASH,) if melee.kind == "slash" else ()


def outnumbering(models: tuple[Fighter, ...], fighting: set[int]) -> frozenset[int]:
    """Return the sides with more models than all others in the cluster of engaged models around a melee.

    None if it would help no one. Rules: CB-SPEC-16.
    """
    if not any(model.crew.has("pirates") for model in models):
        return frozenset()
    able_models = {model.id: model for model in models if not model.is_incapacitated}
    cluster = fighting & able_models.keys()
    edge = set(cluster)
    while edge:
        edge = {
            other
            for number in edge
            for other in able_models
            if other not in cluster and able_models[number].is_engaged_with(able_models[other])
        }
        cluster |= edge
    return find_outnumbering_sides(able_models[number] for number in cluster)


def prepare_blows(act: ActView, melee: Melee, *, must_be_engaged: bool = True) -> PreparedMelee:
    """Return every pairing ready to be rolled. Raises Forbidden, InvalidInput."""

    def ready() -> PreparedMelee:
        return prepare_melee(build_situation(act, melee, must_be_engaged=must_be_engaged), settings(act))

    return (
        act.encounter.worked_out((prepare_blows, melee, must_be_engaged), ready)
        if act.action.looks
        else ready()
    )


def choose_weapons(act: ActView, melee: Melee) -> Melee:
    """Return the melee with weapons chosen for all who named none, fixed from here on.

    Raises InvalidInput. Rules: CB-FIGHT-01.
    """
    return act.encounter.worked_out((choose_weapons, melee), lambda: _choose_weapons(act, melee))


def _choose_weapons(act: ActView, melee: Melee) -> Melee:
    armed_melee = armed(build_situation(act, melee, must_be_engaged=False), settings(act))
    pairings, arms = [], dict(zip(melee.arms[::2], melee.arms[1::2], strict=True))
    for pairing, blow in zip(melee.pairings, armed_melee.blows, strict=True):
        pairings.append(replace(pairing, weapon=pairing.weapon or number_of(blow.attacker, blow.arm)))
        if blow.defence_weapon is not None and not arms.get(pairing.defender):
            arms[pairing.defender] = number_of(blow.defender, blow.defence_weapon)
    flat_arms = tuple(number for pair in arms.items() for number in pair)
    return replace(melee.with_pairings(pairings), arms=flat_arms)


def possible_lenders(act: Act, melee: Melee) -> list[tuple[Fighter, int]]:
    """Return who may lend a die to which pairing: allies engaged with an attacker, not attacked themselves.

    Rules: CB-FIGHT-04.
    """
    if melee.kind in ("free", "back"):
        return []
    models = {model.id: model for model in fighters(act.encounter)}
    lenders = []
    for place, pairing in enumerate(melee.pairings):
        attacker, defender = _model(act, models, pairing.attacker), _model(act, models, pairing.defender)
        for ally in models.values():
            available = ally.id not in melee.defenders and not ally.is_incapacitated
            if ally.side == defender.side and available and ally.is_engaged_with(attacker):
                lenders.append((ally, place))
    return lenders


def share_dice(act: ActView, blows: Sequence[TypedBlow]) -> tuple[Pairing, ...]:
    """Return the melee with one weapon for each attacker, its other dice shared evenly.

    Raises InvalidInput, Forbidden.
    """
    pairings = [
        Pairing(blow.attacker.id, blow.defender.id, blow.dice, blow.weapon, blow.tenths) for blow in blows
    ]
    dice_set = [bool(blow.dice) for blow in blows]
    shares = list(pairings)
    for number in dict.fromkeys(pairing.attacker for pairing in pairings):
        places = [place for place, pairing in enumerate(pairings) if pairing.attacker == number]
        attacker = fighter_of(act, number)
        arms = {pairings[place].weapon for place in places} - {UNNAMED_WEAPON}
        if len(arms) > 1:
            raise Forbidden(f"{attacker.name} can attack with only one weapon at a time.", "CB-FIGHT-01")
        if len(places) > 1:
            arm = arms.pop() if arms else _best_arm(act, shares, places, dice_set, attacker)
            shares = _with_arm(act, shares, places, dice_set, attacker, arm)
    return tuple(shares)


def _with_arm(
    act: ActView, pairings: list[Pairing], places: list[int], dice_set: list[bool], fighter: Fighter, arm: int
) -> list[Pairing]:
    """Return the blows of one attacker with a weapon, and the shares of the dice that it has with it."""
    armed_pairings = [
        replace(pairing, weapon=arm) if place in places else pairing for place, pairing in enumerate(pairings)
    ]
    open_places = [place for place in places if not dice_set[place]]
    pool = attack_pool(fighter, get_weapon(fighter, arm, settings(act)), settings(act))
    dice_left = pool.available - sum(pairings[place].dice for place in places if dice_set[place])
    if open_places and dice_left < len(open_places):
        raise Forbidden(
            (
                f"{fighter.name} has {times(pool.available, 'die', 'dice')}, which isn't enough for "
                f"these {len(places)} attacks."
            ),
            "CB-FIGHT-02",
        )
    for place, dice in zip(open_places, even_shares(dice_left, len(open_places)), strict=True):
        armed_pairings[place] = replace(armed_pairings[place], dice=dice)
    return armed_pairings


def _best_arm(
    act: ActView, pairings: list[Pairing], places: list[int], dice_set: list[bool], fighter: Fighter
) -> int:
    """The weapon that serves an attacker best in all its blows together. Rules: CB-FIGHT-01."""
    weapons = fit_weapons(fighter)
    if settings(act).melee_weapon == "first":
        return number_of(fighter, weapons[0])

    def struck(weapon: Weapon) -> list[PreparedBlow]:
        trial = _with_arm(act, pairings, places, dice_set, fighter, number_of(fighter, weapon))
        ready = prepare_blows(act, Melee(pairs=flatten_pairings(trial)), must_be_engaged=False).blows
        return [ready[place] for place in places]

    return number_of(
        fighter, best(weapons, lambda weapon: harm(struck(weapon)) if is_allowed(struck, weapon) else None)
    )
