"""Attacks in melee: charges and fights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.actions import Action, raw_of
from bot.games.counterblast.core import common
from bot.games.counterblast.core.common import carry_through, price, require_plannable, settings, token_price
from bot.games.counterblast.core.contact import mark_engaged
from bot.games.counterblast.core.debts import Debt, register_finder
from bot.games.counterblast.core.fields import (
    anybody,
    carried_melee_weapon,
    get_weapon,
    melee_number,
    order,
    other_arms,
    who,
)
from bot.games.counterblast.core.narration import Telling
from bot.games.counterblast.core.wording import dice_words, find_worst, harm_lines, hurt, worst_words
from bot.games.counterblast.melee.answers import ask_or_fight
from bot.games.counterblast.melee.charges import (
    MAX_CHARGERS,
    Charge,
    Helpers,
    StepIn,
    arrive,
    build_charge_melee,
    helpers_menu,
    in_number_order,
    join_charges,
    list_possible_helpers,
    require_waiting_charge,
)
from bot.games.counterblast.melee.melees import (
    Melee,
    Pairing,
    build_situation,
    choose_weapons,
    flatten_pairings,
    prepare_blows,
)
from bot.games.counterblast.melee.snap_shots import ask_snap, snap_buttons, snap_targets
from bot.games.counterblast.movement.falls import describe_drift_odds, gravity_to_check, resolve_charge_drift
from bot.games.counterblast.movement.moves import rugged_ground
from bot.games.counterblast.shooting.arcs import require_mastery
from bot.games.counterblast.state.models import fighter, in_contact_first
from bot.games.counterblast.vehicles.collisions import charge_crash, collision_odds
from bot.replies.chances import exactness, percent
from bot.replies.reply import Button, Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.board import facts
from bot.table.board.facts import Fact
from bot.table.encounter import Encounter, EncounterView, set_counter
from bot.table.steps import Chances, Hurt, Weighed, in_steps
from rules.effects import Effect
from rules.modifiers import total
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.melee.bouts import fight_wounds
from rules.systems.counterblast.melee.engagement import (
    fear,
    is_ambush,
    must_be_reachable,
    prepare_fear,
    scares,
)
from rules.systems.counterblast.melee.fighting import prepare_melee
from rules.systems.counterblast.movement.ground import require_passable, rugged_penalty
from rules.systems.counterblast.movement.movement import burrow_cost
from rules.systems.counterblast.shooting.special_attacks import has_reach, prepare_slash_and_dash
from rules.wording import possessive

FIGHT_KINDS = {"fight": "fight", "slash and dash": "slash"}
COSTS = {"fight": "fight", "slash": "slash_and_dash"}


def _measure_reach(context: Asking) -> Fact | None:
    """Return how far an enemy is that only a weapon with Reach reaches, or 0 in contact or without Reach."""
    attacker, target = context.so_far.get("attacker"), context.so_far.get("target")
    if not (isinstance(attacker, Fighter) and isinstance(target, Fighter)):
        return None
    fact = facts.between(context.act.encounter, attacker.id, target.id)
    if fact is None:
        return None
    is_at_reach = any(map(has_reach, attacker.weapons)) and not attacker.is_engaged_with(target)
    return fact if is_at_reach and fact.value else replace(fact, value=0.0, words="", settles=True)


@dataclass(frozen=True, slots=True)
class Fight(Action):
    """Attack one model in melee.

    inches: between the bases, for Reach. how: fight or slash and dash. ask: let the defender answer first.
    contact: the two touch, mark it. Weapons by name, or "" for the best in melee.
    """

    command = "cb.fight"
    typed = "cb fight"

    attacker: Fighter = who("Model", called="model")
    target: Fighter = anybody("Model you attack", names=in_contact_first, needed=True, against=True)
    weapon: Weapon | None = carried_melee_weapon("attacker", "Weapon (default: the best)", alone=True)
    defence: Weapon | None = carried_melee_weapon("target", "Weapon the target defends with")
    inches: float = fields.inches(
        "Distance when using Reach (inches)",
        0.0,
        200.0,
        default=0.0,
        called="distance",
        fact=True,
        measures=_measure_reach,
    )
    how: str = fields.one_of("Kind of attack", FIGHT_KINDS, default="fight")
    order: bool = order()
    ask: bool = fields.switch("Ask how the target will defend")
    contact: bool = False
    odds: bool = fields.odds()
    by_hand: tuple[str, ...] = fields.by_hand()


@dataclass(frozen=True, slots=True)
class ReadyFight:
    """A fight that may begin, and what it costs.

    touching: the two are in contact, or fight at Reach. unsaid: no one has entered whether they touch.
    """

    attacker: Fighter
    target: Fighter
    melee: Melee
    touching: bool = True
    unsaid: bool = False
    due: tuple[Effect, ...] = ()


def _may_fight(act: ActView, action: Fight) -> None:
    """Refuses a fight of one who may take none now, in the way that is said."""
    attacker, choice = action.attacker, FIGHT_KINDS.get(action.how)
    if choice is not None:
        price(act, attacker, COSTS[choice])
    if choice == "slash" and not any(map(has_reach, attacker.weapons)):
        forbid(f"{attacker.name} needs a weapon with Reach to Slash and Dash.", "CB-SLASH-01")


@in_steps(Fight, may=_may_fight)
class Fighting(Weighed[Fight, ReadyFight]):
    """Both sides' dice at once; where allies may lend a die, their player is asked first."""

    label = "Fight"

    def prepare(self, act: ActView, action: Fight) -> ReadyFight:
        """Return the fight as a melee of one blow, with what it costs. Raises InvalidInput, Forbidden."""
        attacker, target = action.attacker, action.target
        if action.defence is not None:
            _require_defender(act, action)
        melee = declared(act, action)
        cost = COSTS[melee.kind]
        _require_legal(act, melee, attacker, target)
        if act.action.looks:
            require_plannable(act, attacker, cost)
            token_price(act, attacker, spent=action.order)
            return ReadyFight(attacker, target, melee)
        require_mastery(act, attacker, get_weapon(attacker, melee.pairings[0].weapon, settings(act)))
        effects = (*price(act, attacker, cost), *token_price(act, attacker, spent=action.order))
        touching = attacker.is_engaged_with(target) or melee.kind == "slash" or melee.pairings[0].tenths > 0
        if not (touching or action.contact or facts.in_contact(act.encounter, attacker.id, target.id)):
            if not act.overrides:
                return ReadyFight(attacker, target, melee, touching, unsaid=True, due=effects)
            forbid(f"{attacker.name} and {target.name} are not in contact.", "CB-FIGHT-01")
        return ReadyFight(attacker, target, melee, touching, due=effects)

    def asks(self, act: Act, action: Fight, ready: ReadyFight) -> Reply | None:
        """Return whether the two touch, which only the players see. Rules: CB-FIGHT-01."""
        return _not_in_contact(act, action) if ready.unsaid else None

    def do(self, act: Act, action: Fight, ready: ReadyFight) -> Reply:
        if not ready.touching:
            mark_engaged(act, ready.attacker, ready.target)
        carry_through(act, ready.due)
        bound = ready.melee.kind == "fight"
        return ask_or_fight(act, Telling(), ready.melee, ask=action.ask, needs_contact=bound)

    def chances(self, act: ActView, action: Fight, ready: ReadyFight) -> Chances:
        word, chance, hurts = weigh_blows(act, ready.melee)
        return Chances(tuple(blow_odds(act, ready.melee)), word, chance, hurts=hurts)

    def more(self, act: ActView, plain: Fight, ready: ReadyFight) -> Sequence[Button]:
        first = ready.melee.pairings[0]
        if ready.melee.kind != "fight" or first.tenths:
            return []
        arms = other_arms(ready.attacker, get_weapon(ready.attacker, first.weapon, settings(act)))
        return [Button(arm.name, replace(plain, weapon=arm)) for arm in arms]


def is_apart(encounter: Encounter, action: Action) -> bool:
    """Return whether the board shows that the two don't touch, and the attacker has no weapon with Reach."""
    raw = raw_of(action)
    attacker = fighter(encounter, encounter.find_model(str(raw["attacker"])))
    target = encounter.find_model(str(raw["target"]))
    return facts.in_contact(encounter, attacker.id, target.id) is False and not any(
        map(has_reach, attacker.weapons)
    )


def _require_defender(act: ActView, action: Fight) -> None:
    """Refuse a weapon that another player names for the defender; odds are shown and offered without it.

    Raises NotAllowed. Rules: CB-FIGHT-01.
    """
    target, side = action.target, action.target.side
    if act.action.looks:
        act.canonical = action if act.decides_for(side) else replace(action, defence=None)
        return
    act.require_weapon_of(
        side,
        target.name,
        'Leave "Weapon the target defends with" blank to let the target use its best weapon.',
    )


def declared(act: ActView, action: Fight) -> Melee:
    """Return the fight as a melee of one blow. Raises Forbidden for what is not fit for melee."""
    attacker, target = action.attacker, action.target
    arm, defending_arm = melee_number(attacker, action.weapon), melee_number(target, action.defence)
    pairing = Pairing(attacker.id, target.id, 0, arm, round(action.inches * 10))
    return choose_weapons(
        act,
        Melee(
            action.how,
            flatten_pairings([pairing]),
            (attacker.id,) if action.order else (),
            arms=(target.id, defending_arm) if defending_arm else (),
        ),
    )


def _require_legal(act: ActView, melee: Melee, attacker: Fighter, target: Fighter) -> None:
    """Refuse what contact would not make right. Raises Forbidden, InvalidInput."""
    pairing = melee.pairings[0]
    if melee.kind == "slash":
        weapon = get_weapon(attacker, pairing.weapon, settings(act))
        prepare_slash_and_dash(attacker, target, weapon, pairing.tenths / 10, settings=settings(act))
    prepare_blows(act, melee, must_be_engaged=False)


def _is_shown_apart(encounter: EncounterView, pairs: Iterable[tuple[Fighter, Fighter]]) -> bool:
    return any(facts.in_contact(encounter, first.id, second.id) is False for first, second in pairs)


def contact_question(encounter: EncounterView, pairs: Sequence[tuple[Fighter, Fighter]]) -> str:
    """Return the question whether models touch that aren't marked so, or what the board shows of them."""
    for first, second in pairs:
        if _is_shown_apart(encounter, [(first, second)]):
            names = f"{first.name} and {second.name}" if len(pairs) > 1 else "they"
            return f"Nothing was changed. On the board, {names} don't touch."
    return "Nothing was changed. Are they in contact?"


def _not_in_contact(act: ActView, action: Fight) -> Reply:
    pair = action.attacker, action.target
    names = f"{action.attacker.name} and {action.target.name}"
    return Reply(
        (
            f"{names} are not marked as being in contact.",
            contact_question(act.encounter, [pair]),
        ),
        private=True,
        buttons=(build_contact_button(act.encounter, [pair], replace(action, contact=True)),),
    )


def build_contact_button(
    encounter: EncounterView, pairs: Iterable[tuple[Fighter, Fighter]], action: Action
) -> Button:
    """Return the button that marks models as touching and fights: no likely one where the board shows that
    they don't touch.
    """
    return Button("Mark contact and fight", action, "plain" if _is_shown_apart(encounter, pairs) else "main")


# ---------------------------------------------------------------- odds


def blow_odds(act: ActView, melee: Melee, place: int = 0) -> list[str]:
    """Return the chances of one blow of a melee, with both sides' dice."""
    blow = prepare_blows(act, melee, must_be_engaged=False).blows[place]
    odds = act.solve(fight_wounds, blow.bout)
    defence_dice = dice_words(blow.defence, "STR") if blow.defence else "no defense dice"
    return [
        f"{blow.attacker.name} -> {blow.defender.name}",
        f"{dice_words(blow.attack, 'STR')}, {blow.weapon.name}",
        f"against {defence_dice}",
        *harm_lines(odds, blow.weapon, blow.defender),
        exactness(odds),
    ]


def describe_chance_down(act: ActView, melee: Melee, *, panicked: bool = False) -> str:
    """Return the chance that the first defender goes down, or of what the weapon does instead of wounds.

    panicked: once it is Panicked.
    """
    melee_now = build_situation(act, melee, must_be_engaged=False)
    if panicked:
        first_blow = melee_now.blows[0]
        panicked_conditions = first_blow.defender.conditions | {(Condition.PANICKED.value, 0)}
        panicked_blow = replace(
            first_blow, defender=replace(first_blow.defender, conditions=panicked_conditions)
        )
        melee_now = replace(melee_now, blows=(panicked_blow, *melee_now.blows[1:]))
    blow = prepare_melee(melee_now, settings(act)).blows[0]
    return worst_words(act.solve(fight_wounds, blow.bout), blow.weapon, blow.defender)


def weigh_blows(act: ActView, melee: Melee) -> tuple[str, float, tuple[Hurt, ...]]:
    """Return the worst result of the first blow, its chance, and the harm of every blow."""
    blows = prepare_blows(act, melee, must_be_engaged=False).blows
    results = [(act.solve(fight_wounds, blow.bout), blow.weapon, blow.defender) for blow in blows]
    return (*find_worst(*results[0]), tuple(hurt(*result) for result in results))


def _require_charge_price(act: ActView, action: Charge) -> None:
    price(act, action.charger, "charge", joint=bool(action.also or action.more))


@dataclass(frozen=True, slots=True)
class ReadyCharge:
    """A charge that may set out, in its one form; who charges, in its order; what it costs each."""

    declared: Charge
    chargers: tuple[Fighter, ...]
    target: Fighter
    due: tuple[tuple[Effect, ...], ...] = ()


@in_steps(Charge, may=_require_charge_price)
class Charging(Weighed[Charge, ReadyCharge]):
    """Two actions of each who charges; where the target may shoot first, its player is asked."""

    label = "Charge"

    def prepare(self, act: ActView, action: Charge) -> ReadyCharge:
        action, target = in_number_order(action), action.target
        if len(action.others) >= MAX_CHARGERS:
            raise InvalidInput(f"Choose fewer models. At most {MAX_CHARGERS} models can charge together.")
        chargers = tuple(_may_charge(act, part) for part in action.each)
        model_ids, sides = {model.id for model in chargers}, {model.side for model in chargers}
        if len(model_ids) < len(chargers) or len(sides) > 1:
            raise InvalidInput("Enter each charging model only once. They must all be on the same side.")
        armed_charge, melee = _arm_chargers(act, action, chargers)
        _require_friends(action)
        declared = replace(
            armed_charge, odds=False, burrow=_is_underground(armed_charge.charger, armed_charge)
        )
        prepare_blows(act, melee, must_be_engaged=False)
        act.canonical = declared
        joint = len(chargers) > 1
        costs = [
            _price_charge(act, part, charger, joint=joint)
            for part, charger in zip(declared.each, chargers, strict=True)
        ]
        return ReadyCharge(declared, chargers, target, tuple(costs))

    def do(self, act: Act, action: Charge, ready: ReadyCharge) -> Reply:
        declared, target, telling = ready.declared, ready.target, Telling()
        for part, charger, effects in zip(declared.each, ready.chargers, ready.due, strict=True):
            carry_through(act, effects)
            _report_charge(act, telling, part, charger, target)
        drift_reply = resolve_charge_drift(act, telling, ready.chargers[0], action.inches)
        if drift_reply is not None:
            return drift_reply
        if snap_targets(act, declared, target):
            return ask_snap(act, telling, declared, target)
        return arrive(act, telling, declared)

    def chances(self, act: ActView, action: Charge, ready: ReadyCharge) -> Chances:
        declared, target = ready.declared, ready.target
        melee = build_charge_melee(act, declared)
        lines = describe_drift_odds(act, ready.chargers[0], declared.inches)
        lines += [
            "If the charge makes contact:" if not declared.gap else "If the charger stops within Reach:"
        ]
        for part, model in zip(declared.each, ready.chargers, strict=True):
            crash = None if declared.gap else charge_crash(model, target, part.inches)
            lines += (
                ["First, the collision:", *collision_odds(act, model, [target], crash), "Then, the attack:"]
                if crash
                else []
            )
        scary = [model for model in ready.chargers if scares(model, target, settings=settings(act))]
        if not declared.gap and scary:
            fear_check = prepare_fear(target, settings=settings(act))
            panic_chance = act.solve(fear, (fear_check.throw,)).chance(lambda kept: not kept)
            lines.append(
                f"Chance that a Scary charger makes {target.name} panic: {percent(panic_chance).strip()}"
            )
            lines += [
                f"If it panics: {describe_chance_down(act, melee, panicked=True)}",
                "If it doesn't panic:",
            ]
        for place in range(len(ready.chargers)):
            lines += blow_odds(act, melee, place)
        lines += (
            [f"This assumes that {target.name} splits its defense dice evenly."]
            if len(ready.chargers) > 1
            else []
        )
        lines += _list_uncounted(act, declared, target)
        word, chance, hurts = weigh_blows(act, melee)
        return Chances(tuple(lines), word, chance, hurts=hurts)


def _may_charge(act: ActView, action: Charge) -> Fighter:
    """Rules: CB-CHARGE-01, CB-CHARGE-03."""
    charger = action.charger
    require_passable(charger, crosses=action.impassable, below=_is_underground(charger, action))
    costs = action.terrain + _ground_cost(act, charger, action)
    must_be_reachable(charger, action.target, action.inches, terrain_inches=costs)
    return charger


def _arm_chargers(act: ActView, action: Charge, chargers: tuple[Fighter, ...]) -> tuple[Charge, Melee]:
    """The charge with the weapon of each, the best of its own where none was named, and its blows.

    Rules: CB-FIGHT-01.
    """
    if len(chargers) > 1 and (
        action.gap or any(gravity_to_check(act, model, inches=200) for model in chargers)
    ):
        raise InvalidInput(
            "Charge with one model at a time. Models can't charge together in low gravity or with Reach."
        )
    melee = build_charge_melee(act, action)
    armed_charges = [
        replace(part, weapon=get_weapon(part.charger, pairing.weapon, settings(act)))
        for part, pairing in zip(action.each, melee.pairings, strict=True)
    ]
    _require_reach(_weapon_of(armed_charges[0]), action.gap)
    return join_charges(armed_charges), melee


def _weapon_of(action: Charge) -> Weapon:
    assert action.weapon is not None, "its weapon is taken up"
    return action.weapon


def _price_charge(act: ActView, action: Charge, charger: Fighter, *, joint: bool) -> tuple[Effect, ...]:
    """Return the price of setting out. Raises Forbidden. Rules: CB-CHARGE-01, CB-ACT-08."""
    if act.action.looks:
        require_plannable(act, charger, "charge")
        return token_price(act, charger, spent=action.order)
    require_mastery(act, charger, _weapon_of(action))
    cost = price(act, charger, "charge", joint=joint)
    return (*cost, *token_price(act, charger, spent=action.order))


def _report_charge(act: Act, telling: Telling, action: Charge, charger: Fighter, target: Fighter) -> None:
    """What is told of it. Rules: CB-CHARGE-01."""
    hiding_text = " from hiding" if is_ambush(charger) else ""
    underground_text = " underground" if _is_underground(charger, action) else ""
    set_counter(act.encounter.model(charger.id).counters, Counter.UNDERGROUND, 0)
    telling.lines.append(
        f"{charger.name} charges {target.name}{hiding_text}{underground_text} ({action.inches:g} in)."
    )


def _is_underground(charger: Fighter, action: Charge) -> bool:
    return bool(action.burrow or charger.count(Counter.UNDERGROUND))


def _ground_cost(act: ActView, charger: Fighter, action: Charge) -> float:
    """Inches that Rugged ground takes off the charge, or the way underground.

    Rules: CB-TERR-12, CB-FEAT-13, CB-FEAT-53, CB-HAZ-05, CB-HAZ-06.
    """
    if _is_underground(charger, action):
        return burrow_cost(charger)
    pieces = rugged_ground(action.rugged, action.ground)
    return -total(rugged_penalty(pieces, eases=charger.footing, off_ground=charger.flies))


def _require_reach(weapon: Weapon, gap: float) -> None:
    if gap > weapon.reach_inches:
        forbid(f"{weapon.name} only reaches {weapon.reach_inches} in (you entered {gap:g} in).", "CB-WEAP-07")


def _require_friends(action: Charge) -> None:
    """Require that models stepping in are the target's friends. Raises Forbidden. Rules: CB-CHARGE-05."""
    target, helpers = action.target, action.helpers or Helpers()
    if any(model.side != target.side for model in helpers.models):
        raise Forbidden(f"Only friends of {target.name} can step in.", "CB-CHARGE-05")


@register_finder
def find_waiting_charges(act: Act) -> list[Debt]:
    """Return charges that wait for the target's shot or its helpers. Rules: CB-CHARGE-04 to CB-CHARGE-06."""
    debts = []
    for number in common.list_waiting_ids(act, Charge):
        if not common.is_answerable(act, number):
            continue
        declared, charger, target = require_waiting_charge(act, number)
        line = f"{possessive(charger.name)} charge at {target.name} is waiting for an answer."
        if declared.is_asked:
            nobody_button = Button("Nobody", StepIn(number), "main", anytime=True)
            menu = helpers_menu(number, list_possible_helpers(act, declared, target))
            debts.append(Debt(target.side, line, (nobody_button,), (menu,)))
        else:
            debts.append(Debt(target.side, line, tuple(snap_buttons(act, number, declared, target))))
    return debts


def _list_uncounted(act: ActView, declared: Charge, target: Fighter) -> list[str]:
    """Return what the other side may still do about it. Rules: CB-CHARGE-04, CB-CHARGE-05."""
    can_shoot = snap_targets(act, declared, target)
    can_step_in = (
        not declared.gap and declared.helpers != Helpers() and list_possible_helpers(act, declared, target)
    )
    uncounted = [
        words
        for words, possible in (("a snap attack", can_shoot), ("friends stepping in", can_step_in))
        if possible
    ]
    return [f"The odds don't include {' or '.join(uncounted)}."] if uncounted else []
