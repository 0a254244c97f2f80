"""Close combat at the table: charging, striking, breaking away, and contact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action, reference_by_number
from bot.games.warzone.attacks import (
    Attacking,
    Prepared,
    ReadyAttack,
    attack_chances,
    find_recognition_modifiers,
)
from bot.games.warzone.common import (
    MUTUAL_STRIKE_GRANT,
    Telling,
    allow_at_once,
    end_contact,
    find_enemies_in_contact,
    find_model,
    offers,
    put_in_contact,
    refresh,
    settings_for,
)
from bot.games.warzone.fear import build_deed_check, require_deed
from bot.games.warzone.fields import (
    close_weapon_field,
    no_enemy_seen_field,
    rear_field,
    target_field,
    who,
    worst_ground_field,
)
from bot.games.warzone.reactions import offer_reactions
from bot.games.warzone.state import state_of
from bot.games.warzone.steps import (
    CountedRoll,
    DeedStart,
    MultiRollDeed,
    apply_rule,
    begin,
    remove_conditions,
    report_system_roll,
    roll_system,
)
from bot.games.warzone.units import Carried, first_weapon
from bot.replies.chances import percent
from bot.replies.reply import Button, Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields, measuring
from bot.table.board.routes import into_contact
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.steps import Chances, in_steps
from rules.effects import Effect, Gain, Propose
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.warzone.close_combat import (
    Place,
    Strike,
    after_striking,
    attackers_allowed,
    charge,
    prepare_strike,
    strike_modifiers,
)
from rules.systems.warzone.model import ACTIONS, SYSTEM_HITS, Condition, Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.movement import Ground, after_move, move_allowance
from rules.systems.warzone.settings import Settings
from rules.systems.warzone.tables import Terrain
from rules.systems.warzone.vehicles import system_works
from rules.wording import times


@dataclass(frozen=True, slots=True)
class Charge(Action):
    """Charge an enemy, or see the odds of the first attack.

    Into base contact. cover: across cover, so that the bonus is lost. distance: inches, checked against
    its move over this terrain; -1: measured at the table. odds: of the first strike after it, with its
    first close combat weapon.
    """

    command = "wz.charge"
    typed = "wz charge"

    model: Model = who("Model that charges")
    target: Model = target_field("Enemy", needed=True)
    cover: bool = fields.switch("The charge crosses cover (no bonus)", fact=True)
    distance: float = fields.inches(
        "Gap to the enemy (inches)",
        0.0,
        200.0,
        default=-1.0,
        fact=True,
        measures=measuring.distance("model", "target"),
    )
    terrain: frozenset[Terrain] = worst_ground_field()
    odds: bool = fields.odds("Show only the odds of the first attack")


@dataclass(frozen=True, slots=True)
class Fight(Action):
    """Attack in close combat, or see the odds.

    attackers 0: counted from contact. together: both strike at once.

    hidden: no enemy is in the attacker's line of sight.
    """

    command = "wz.fight"
    typed = "wz fight"

    attacker: Model = who("Model that attacks", called="model")
    target: Model = target_field("Enemy", needed=True)
    weapon: Carried = close_weapon_field("attacker")
    attackers: int = fields.whole(
        "Number of attackers (blank for all in contact)", 1, 20, default=0, fact=True
    )
    place: Place = fields.one_of(
        "Position of the target", ("open", "wall", "doorway"), default="open", fact=True
    )
    secondary: bool = fields.switch("Extra attack with a second weapon")
    rear: bool = rear_field()
    together: bool = False
    hidden: bool = no_enemy_seen_field()
    odds: bool = fields.odds("Show only the odds")

    by_hand: tuple[str, ...] = fields.by_hand()


@dataclass(frozen=True, slots=True)
class SetContact(Action):
    """Put two models in base contact, or take one out of contact.

    Enter by hand which models are in base contact; apart: no longer.
    """

    command = "wz.contact"
    typed = "wz state contact"
    titled = "Set base contact"
    waits_for_dice = True

    model: Model = who()
    other: Model = target_field("Enemy", needed=True)
    apart: bool = fields.switch("Model leaves all contact")


@dataclass(frozen=True, slots=True)
class ReadyCharge:
    """A charge that may be made. effects: what it does to both."""

    begin: DeedStart
    target: Model
    effects: tuple[Effect, ...]


@in_steps(Charge, may=build_deed_check("model", Deed.CHARGE))
class Charging(MultiRollDeed[Charge, ReadyCharge, "CountedRoll[bool] | None"]):
    """A move that ends in base contact; waiting enemies may react.

    Rules: WZ-CC-03, WZ-CC-09, WZ-SYS-05.
    """

    label = "Charge"

    def prepare(self, act: ActView, action: Charge) -> ReadyCharge:
        model, target = action.model, action.target
        if model.side == target.side:
            raise InvalidInput(f"{target.name} is a friendly model. Choose an enemy.")
        settings = settings_for(act)
        with act.overridable():
            _refuse_if_in_close_combat(act, model)

        def rule(charger: Model, _: bool) -> tuple[Effect, ...]:
            return charge(charger, target, settings, across_cover=action.cover)

        charge_effects = apply_rule(act, rule, model)
        _check_distance(act, action, model)
        return ReadyCharge(begin(act, model, Deed.CHARGE), target, charge_effects)

    def chances(self, act: ActView, action: Charge, ready: ReadyCharge) -> Chances:
        model, target = ready.begin.model, ready.target
        charge_conditions = frozenset() if action.cover else frozenset({(Condition.CHARGED.value, target.id)})
        model_after_charge = replace(model, conditions=model.conditions | charge_conditions)
        first_attack = prepare_close_attack(act, build_plain_strike(model_after_charge, target))
        hits = model.count(SYSTEM_HITS.of("transmission"))
        moves = act.solve(system_works, "transmission", hits).chance(bool)
        transmission_lines = (f"Chance that {model.name} can move: {percent(moves).strip()}",) if hits else ()
        bonus_text = [
            "First attack after the charge (no bonus, because the charge crosses cover):"
            if action.cover
            else "First attack after the charge (+1 for charging):"
        ]
        preconditions = ready.begin.hurdle
        return attack_chances(
            act,
            first_attack,
            replace(preconditions, lines=(*transmission_lines, *preconditions.lines)),
            bonus_text,
        )

    def rolls(self, act: Act, action: Charge, ready: ReadyCharge) -> CountedRoll[bool] | None:
        return roll_system(act, ready.begin.model, "transmission")

    def done(
        self, telling: Telling, action: Charge, ready: ReadyCharge, result: CountedRoll[bool] | None
    ) -> None:
        act, model, target = telling.act, ready.begin.model, ready.target
        if not report_system_roll(telling, model, "transmission", result):
            telling.lines.append(f"{model.name} can't move, so it doesn't charge.")
            return
        distance = f" from {action.distance:g} in away" if action.distance >= 0 else ""
        telling.lines.append(f"{model.name} charges {target.name}{distance}.")
        telling.lines.append(
            "The charge crossed cover, so it gives no bonus."
            if action.cover
            else f"The charge gives +1 to {_describe_bonus_attacks(settings_for(act))}."
        )
        put_in_contact(act, model, target)
        into_contact(act.encounter, model.id, target.id)
        telling.follow((*ready.effects, *after_move(model)))
        offer_reactions(telling, refresh(act, model), "charge", refresh(act, target))
        telling.more = (Button("Fight", Fight(model, target), "main"),)


def _describe_bonus_attacks(settings: Settings) -> str:
    is_first_only = settings.charge_bonus_scope == "first_attack"
    return "the first attack" if is_first_only else "every attack of this activation"


def _check_distance(act: ActView, action: Charge, model: Model) -> None:
    """A charge is a move action and reaches no farther. Rules: WZ-CC-03, WZ-MOVE-01, WZ-TERR-07."""
    ground = Ground(action.terrain)
    if action.distance < 0:
        return
    max_inches = move_allowance(
        remove_conditions(model, frozenset({Condition.PRONE})), settings_for(act), ground
    ).inches
    if action.distance > max_inches:
        forbid(
            f"{model.name} can charge at most {max_inches:g} in (you entered {action.distance:g}).",
            "WZ-MOVE-01",
        )


def _refuse_if_in_close_combat(act: ActView, model: Model) -> None:
    """Refuse to walk out of close combat. Rules: WZ-BREAK-03, WZ-BREAK-04."""
    if find_enemies_in_contact(act.encounter, model) and not model.vehicle:
        raise Forbidden(f"{model.name} is in close combat and has to break away first.", "WZ-BREAK-03")


def find_attackers(act: ActView, attacker: Model, target: Model) -> tuple[Model, ...]:
    """Return the models of the attacker's side in contact with the target, itself among them."""
    attackers = [
        enemy for enemy in find_enemies_in_contact(act.encounter, target) if enemy.side == attacker.side
    ]
    return (attacker, *(other for other in attackers if other.id != attacker.id))


def build_plain_strike(attacker: Model, target: Model) -> Fight:
    """Return a plain strike with the first close combat weapon."""
    return Fight(attacker, target, first_weapon(attacker, close=True))


def prepare_close_attack(act: ActView, action: Fight) -> Prepared:
    """Return the attack with its reasons. Raises Forbidden. Rules: WZ-CC-02, WZ-CC-10 to WZ-CC-12."""
    attacker = action.attacker
    target = action.target
    weapon = action.weapon.weapon
    settings = settings_for(act)
    group = find_attackers(act, attacker, target)
    count = action.attackers or len(group)
    attacker_sizes = tuple(fighter.profile.sz for fighter in group)[:count] or (attacker.profile.sz,)
    max_attackers = attackers_allowed(target.profile.sz, attacker_sizes, settings, place=action.place)
    if count > max_attackers:
        with act.overridable():
            item = {"open": "WZ-CC-10", "wall": "WZ-CC-11", "doorway": "WZ-CC-12"}[action.place]
            raise Forbidden(
                f"At most {times(max_attackers, 'model')} can attack {target.name} at once"
                f" ({count} is too many).",
                item,
            )

    def rule(fighter: Model, _: bool) -> Prepared:
        strike = Strike(fighter, target, weapon, count, action.secondary, action.rear, not action.hidden)
        numbers, parts = prepare_strike(strike, settings), strike_modifiers(strike)
        return Prepared(
            attacker, target, weapon, numbers, weapon.name, "CC", fighter.profile.cc, parts, action.rear
        )

    return apply_rule(act, rule, attacker)


def _may_fight(act: ActView, action: Fight) -> None:
    """Refuse a model that may not act, or has no one to fight. Rules: WZ-CC-01."""
    attacker = action.attacker
    require_deed(act, attacker, Deed.FIGHT)
    has_contact = bool(state_of(attacker).contacts)
    if act.encounter.row.turn and not has_contact:
        forbid(f"{attacker.name} isn't in base contact with an enemy. Charge one first.", "WZ-CC-01")


@in_steps(Fight, may=_may_fight)
class Fighting(Attacking[Fight]):
    """One attack in base contact. Rules: WZ-CC-01 to WZ-CC-12."""

    label = "Fight"

    def prepare(self, act: ActView, action: Fight) -> ReadyAttack:
        attacker, target = action.attacker, action.target
        if attacker.id == target.id:
            raise InvalidInput(f"{attacker.name} can't attack itself. Choose an enemy.")
        prepared_attack = prepare_close_attack(act, action)
        if act.encounter.row.turn and not state_of(attacker).contacts[target.id]:
            forbid(f"{attacker.name} isn't in base contact with {target.name}. Charge first.", "WZ-CC-01")
        terms = tuple(_describe_terms(act, action))
        deed_start = begin(act, attacker, Deed.FIGHT, hidden=action.hidden)
        return_attack = _prepare_return_attack(act, attacker, target) if action.together else None
        return ReadyAttack(
            deed_start, prepared_attack, terms, find_recognition_modifiers(attacker, target), return_attack
        )

    def after(self, act: Act, blow: Prepared, *, fumbled: bool) -> Sequence[Effect]:
        return after_striking(blow.attacker, settings_for(act), fumbled=fumbled)


def _describe_terms(act: ActView, action: Fight) -> list[str]:
    """Describe what was entered for a strike, for the opponent to check."""
    count = action.attackers or len(find_attackers(act, action.attacker, action.target))
    parts = (
        (count > 1, f"{count} attackers"),
        (action.place != "open", f"at a {action.place}"),
        (action.secondary, "secondary attack"),
        (action.rear, "from the rear"),
        (action.hidden, "no enemy in sight"),
    )
    words = ", ".join(text for applies, text in parts if applies)
    return [words] if words else []


def _prepare_return_attack(act: ActView, attacker: Model, charger: Model) -> Prepared | None:
    """Prepare the charger's attack after a countercharge, in which both strike at once. Rules: WZ-WAIT-04."""
    if act.encounter.row.turn and charger.count(ACTIONS) < 1:
        return None
    return prepare_close_attack(act, build_plain_strike(charger, attacker))


@handles(SetContact)
def set_contact(act: Act, action: SetContact) -> Reply:
    """Record that two models are in base contact, or that one is free."""
    model, other = action.model, action.other
    if model.id == other.id:
        raise InvalidInput("A model can't be in contact with itself. Choose two models.")
    if action.apart:
        end_contact(act.encounter, model)
        return Reply((f"{model.name} is no longer in base contact with anyone.",), buttons=(UNDO,))
    put_in_contact(act, model, other)
    if model.side != other.side:
        act.encounter.apply([Gain(touching_model.id, Condition.ENGAGED) for touching_model in (model, other)])
    return Reply((f"{model.name} and {other.name} are in base contact.",), buttons=(UNDO,))


@offers("fight")
def _offer_fight(act: Act, proposal: Propose) -> Button:
    details, model = dict(proposal.details), find_model(act, proposal.model)
    both_strike, target = bool(details.get("together")), int(details["target"])
    allow_at_once(act, model, MUTUAL_STRIKE_GRANT if both_strike else Deed.FIGHT.value, target=target)
    return (build_mutual_strike_button if both_strike else build_strike_button)(model, target)


def build_strike_button(model: Model, target: int) -> Button:
    """Return the button for an immediate blow. target: the number of its target."""
    return Button(f"{model.name} attacks", Fight(model, reference_by_number(target)), "main", anytime=True)


def build_mutual_strike_button(model: Model, target: int) -> Button:
    """Return the button for blows of both at once, after a countercharge."""
    return Button(
        "Both attack", Fight(model, reference_by_number(target), together=True), "main", anytime=True
    )
