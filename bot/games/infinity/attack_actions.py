"""Attacks: shooting, close combat, the Coup de Grace and Assaults, declared with all that was measured."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.infinity import suggestions, troops
from bot.games.infinity.chances import aros_to_dodge, dodge_chances
from bot.games.infinity.duels import Pair, active_trooper, best_level
from bot.games.infinity.fields import (
    carried_weapon_field,
    enemy,
    further_targets,
    is_in_cover,
    is_seen,
    is_unseen,
    martial_arts_level,
    measure_zero_visibility,
    other_mod,
    paying_order,
    require_contact,
    surprise,
    under_template,
    who,
)
from bot.games.infinity.narration import Declaring, Telling
from bot.games.infinity.order_resolution import go_on_from, register_own_roll
from bot.games.infinity.order_rows import Mark, Order
from bot.games.infinity.orders import (
    Attacking,
    ReadyAttack,
    build_order,
    build_ready_attack,
    declare,
    find_order_or_payment,
)
from bot.games.infinity.troops import find_weapon, is_melee, is_shooting, require_weapon, settings_for
from bot.replies.reply import Reply
from bot.store.rows import ModelRow
from bot.table.act import Act, ActView
from bot.table.asking import fields, measuring, offering
from bot.table.asking.kinds import Asking
from bot.table.board.facts import Fact
from bot.table.board.routes import into_contact, straight_on
from bot.table.encounter import EncounterView
from bot.table.steps import Chances, in_steps
from rules.refusals import Forbidden, InvalidInput, Missing
from rules.systems.infinity.close_combat import assault, charge_inches, require_assault
from rules.systems.infinity.orders import Part
from rules.systems.infinity.profile import Weapon
from rules.systems.infinity.shooting import Mode
from rules.systems.infinity.states import STANDING, coup_de_grace, state_of
from rules.systems.infinity.trooper import Condition, Trooper, check_surprise_shot
from rules.wording import join_with_and, times

VISIBILITY_MODS = {"none": 0, "low": -3, "poor": -6}
"""The MOD of each grade of visibility."""


def _measure_template(context: Asking) -> Fact | None:
    """Return who else the board shows under the template, if the attack has one."""
    entered_values = context.so_far
    shooter, target = entered_values.get("shooter"), entered_values.get("target")
    if not isinstance(shooter, Trooper) or not isinstance(target, Trooper) or entered_values.get("target2"):
        return None
    weapon = entered_values.get("weapon") or usual_weapon(shooter, entered_values.get("mode") or Mode.DIRECT)
    return under_template(context.act.encounter, shooter, weapon, target.id)


@dataclass(frozen=True, slots=True)
class Shoot(Action):
    """Declare a BS or Hacking Attack, or see its odds.

    dice: how many of them at the first target. cover: the target's; own_cover: the shooter's. unseen: the
    target does not see the shooter; sight: the shooter sees the target. mod: any MOD that the table agrees
    on. under: models that its template touches apart from the target. surprise: whether it is a Surprise
    Shot, None where it is if it can be. more: further targets, as in `Brute 22 1, Leaper 18 1 cover unseen`:
    inches, dice, in cover, without line of fire. With a program it is a Hacking Attack.
    """

    command = "inf.shoot"
    typed = "inf shoot"

    shooter: Trooper = who("Your shooter", called="model")
    target: Trooper = enemy("Enemy to shoot at", "shooter", needed=True)
    distance: float = fields.inches(
        "Distance (inches)",
        0.0,
        200.0,
        default=0.0,
        needed=True,
        checked=True,
        bands=suggestions.suggest_distances,
        fact=True,
        measures=measuring.distance("shooter", "target"),
    )
    cover: bool = fields.switch(
        "Target is in cover", fact=True, measures=measuring.seen("shooter", "target", is_in_cover)
    )
    own_cover: bool = fields.switch(
        "Your trooper is in cover", fact=True, measures=measuring.seen("target", "shooter", is_in_cover)
    )
    weapon: Weapon | None = carried_weapon_field(
        "Weapon or program (blank for the first usable one)",
        "shooter",
        lambda weapon: not weapon.close,
    )
    mode: Mode = fields.one_of("Fire mode", {str(mode): mode for mode in Mode}, default=Mode.DIRECT)
    dice: int = fields.whole("Dice against the first target", 0, 10, default=0)
    target2: Trooper | None = enemy(
        "Second target, if you split the Burst", "shooter", offering.any_model, called="second_target"
    )
    distance2: float = fields.inches(
        "Distance to the second target (inches)",
        0.0,
        200.0,
        called="second_distance",
        default=0.0,
        checked=True,
        fact=True,
        measures=measuring.distance("shooter", "target2"),
    )
    cover2: bool = fields.switch(
        "Second target is in cover",
        called="second_cover",
        fact=True,
        measures=measuring.seen("shooter", "target2", is_in_cover),
    )
    unseen: bool = fields.switch(
        "Target has no line of fire to your trooper",
        fact=True,
        measures=measuring.seen("target", "shooter", is_unseen),
    )
    surprise: bool | None = surprise("Surprise Shot (blank to use it if possible)")
    zero_visibility: bool = fields.switch(
        "The shot goes through a Zero Visibility Zone", fact=True, measures=measure_zero_visibility
    )
    visibility: int = fields.grade("Visibility along the line of fire", VISIBILITY_MODS, fact=True)
    mod: int = other_mod()
    order: str = paying_order()
    odds: bool = fields.odds("Show only the odds")
    sight: bool = fields.switch(
        "Your trooper has line of fire",
        default=True,
        fact=True,
        measures=measuring.seen("shooter", "target", is_seen),
    )
    under: tuple[ModelRow, ...] = fields.models(
        "Other models under the template",
        offering.completing(offering.any_model),
        wire=str,
        fact=True,
        measures=_measure_template,
    )
    more: tuple[Mark, ...] | None = further_targets(
        'More targets (name, inches, dice): "Brute 22 1 cover"', "shooter"
    )
    by_hand: tuple[str, ...] = fields.by_hand()


@dataclass(frozen=True, slots=True)
class Fight(Action):
    """Declare a CC Attack in base contact, or see its odds.

    martial_arts: Level in use; allies: further ones in contact, or below 0 for those the table knows.
    """

    command = "inf.cc"
    typed = "inf cc"
    titled = "Fight (CC)"
    facts = frozenset({"unseen"})

    attacker: Trooper = who("Your attacker", called="model")
    target: Trooper = enemy("Enemy to attack", "attacker", needed=True)
    weapon: Weapon = carried_weapon_field("Close combat weapon", "attacker", is_melee, "fight")
    martial_arts: int = martial_arts_level()
    berserk: bool = fields.switch("Use Berserk")
    allies: int = fields.whole(
        "Allies in contact (blank to count them automatically)",
        0,
        9,
        default=-1,
        checked=True,
        fact=True,
    )
    surprise: bool | None = surprise("Surprise Attack (blank to use it if possible)")
    unseen: bool = False
    mod: int = other_mod()
    order: str = paying_order()
    odds: bool = fields.odds("Show only the odds")


@dataclass(frozen=True, slots=True)
class Assault(Action):
    """Charge and attack an enemy as an Entire Order.

    Over both MOV values. distance: measured right after the declaration, before AROs.
    """

    command = "inf.assault"
    typed = "inf assault"

    attacker: Trooper = who("Your attacker", called="model")
    target: Trooper = enemy("Enemy to attack", "attacker", needed=True)
    distance: float = fields.inches(
        "Distance to the enemy (inches)",
        0.0,
        200.0,
        default=0.0,
        needed=True,
        checked=True,
        fact=True,
        measures=measuring.distance("attacker", "target"),
    )
    weapon: Weapon = carried_weapon_field("Close combat weapon", "attacker", is_melee, "fight")
    martial_arts: int = martial_arts_level()
    seen: bool = fields.switch(
        "Your trooper has line of fire",
        default=True,
        fact=True,
        measures=measuring.seen("attacker", "target", is_seen),
    )
    order: str = paying_order()
    odds: bool = fields.odds("Show only the odds")
    by_hand: tuple[str, ...] = fields.by_hand()


@dataclass(frozen=True, slots=True)
class Dodge(Action):
    """Dodge in your own turn, or see the odds.

    It is rolled against every attack of the Order.
    """

    command = "inf.dodge"
    typed = "inf dodge"

    model: Trooper = who()
    order: str = paying_order()
    odds: bool = fields.odds("Show only the odds against the AROs")


def _may_shoot(act: ActView, action: Shoot) -> None:
    find_order_or_payment(act, action.shooter, _order_part(action), "attack", kind=action.order)


def _order_part(action: Shoot) -> Part:
    return Part.ENTIRE if action.mode == Mode.TRIANGULATED else Part.SHORT


@in_steps(Shoot, may=_may_shoot)
class Shooting(Attacking[Shoot]):
    """A BS Attack, or with a program a Hacking Attack."""

    def prepare(self, act: ActView, action: Shoot) -> ReadyAttack:
        shooter = action.shooter
        weapon = choose_weapon(action)
        marks = _build_marks(action, weapon)
        terms = replace(
            build_terms(action, weapon, marks), under=_models_under_template(act, action, weapon, marks)
        )
        part = _order_part(action)
        order = build_order(act, shooter, terms, part, action.order)
        order = replace(order, surprise=_is_surprise_shot(act.encounter, action, order))
        names = [act.encounter.model(mark.model).name for mark in marks]
        mode_text = "" if action.mode is Mode.DIRECT else f" ({str(action.mode).capitalize()} Fire)"
        verb, label = ("hacks", "Hack") if weapon.hacking else ("shoots at", "Shoot")
        return build_ready_attack(
            act, shooter, order, part, f"{{name}} {verb} {join_with_and(names)}{mode_text}.", label
        )

    def chances(self, act: ActView, action: Shoot, ready: ReadyAttack) -> Chances:
        weapon = action.weapon or find_weapon(action.shooter, ready.order.weapon)
        dice_fact = (("dice", weapon.burst),) if len(ready.order.marks) == 1 else ()
        return replace(super().chances(act, action, ready), meant=(("weapon", weapon.name), *dice_fact))


def choose_weapon(action: Shoot) -> Weapon:
    """Return the weapon that was entered, or else the first one that fits. Raises InvalidInput."""
    weapon = action.weapon or usual_weapon(action.shooter, action.mode)
    if weapon.hacking and action.mode is not Mode.DIRECT:
        raise InvalidInput(f"Choose direct as the fire mode. {weapon.name} is a hacking program.")
    return weapon


def usual_weapon(shooter: Trooper, mode: Mode) -> Weapon:
    """Return the first weapon that fits a mode. Raises InvalidInput."""
    if mode is Mode.SPECULATIVE:
        return require_weapon(shooter, lambda weapon: weapon.template, "fire speculatively")
    return require_weapon(shooter, is_shooting, "shoot")


def build_terms(action: Shoot, weapon: Weapon, marks: tuple[Mark, ...]) -> Order:
    """Return what is declared with the shot."""
    return Order(
        row=0,
        side=action.shooter.side,
        model=action.shooter.id,
        skill="hack" if weapon.hacking else "shoot",
        weapon=weapon.name,
        mode=action.mode,
        marks=marks,
        cover=action.own_cover,
        surprise=action.surprise is not False,
        sight=action.sight or weapon.hacking,
        mod=action.mod,
        zero_visibility=action.zero_visibility,
        visibility=action.visibility,
    )


def _is_surprise_shot(encounter: EncounterView, action: Shoot, order: Order) -> bool:
    """Return whether the attack is a Surprise Shot, from the state in which the Order began.

    Raises Forbidden where it was asked for and cannot be. Rules: INF-SS-01, INF-SS-02, INF-TRI-01.
    """
    if action.surprise is False:
        return False
    try:
        if action.mode is Mode.TRIANGULATED:
            sentence = (
                "Choose either Triangulated Fire or a Surprise Shot. You can't declare both in one attack."
            )
            raise Forbidden(sentence, "INF-SS-01")
        check_surprise_shot(active_trooper(encounter, order))
    except Forbidden:
        if action.surprise:
            raise
        return False
    return True


def _models_under_template(
    act: ActView, action: Shoot, weapon: Weapon, marks: tuple[Mark, ...]
) -> tuple[int, ...]:
    """Return who is under the template in addition to its target.

    Raises InvalidInput, and Forbidden for a friend. Rules: INF-BS-08.
    """
    if not action.under:
        return ()
    if not weapon.template:
        raise InvalidInput(f'Leave "Other models under the template" blank. {weapon.name} has no template.')
    if len(marks) > 1:
        raise InvalidInput("Choose only one target if you also name others under the template.")
    for row in action.under:
        if row.id == marks[0].model:
            raise Missing(
                f'Leave {row.name} out of "Other models under the template".'
                f" {row.name} is already the target."
            )
        if row.side == action.shooter.side:
            with act.overridable():
                sentence = f"Place the template so that it touches no ally. {row.name} is on your side."
                raise Forbidden(sentence, "INF-BS-08")
    return tuple(sorted({row.id for row in action.under}))


def _build_marks(action: Shoot, weapon: Weapon) -> tuple[Mark, ...]:
    """Return the targets by number, with the burst divided. Rules: INF-F2F-07."""
    extra_marks = action.more or ()
    if not 0 <= action.dice <= weapon.burst:
        raise Missing(
            f"Choose 1 to {weapon.burst} dice for the first target (you entered {action.dice})."
            f" {weapon.name} has Burst {weapon.burst}."
        )
    dice_left = weapon.burst - sum(mark.dice for mark in extra_marks)
    first_mark = Mark(action.target.id, action.distance, action.dice, action.cover, action.unseen)
    if not action.target2:
        if action.distance2 or action.cover2:
            raise Missing("Choose the second target, or clear its distance and cover.")
        marks = (
            replace(first_mark, dice=action.dice or dice_left) if extra_marks else first_mark,
            *extra_marks,
        )
    else:
        dice = action.dice or (dice_left + 1) // 2
        second_mark = Mark(
            action.target2.id, action.distance2, dice_left - dice, action.cover2, action.unseen
        )
        marks = (replace(first_mark, dice=dice), second_mark, *extra_marks)
    if len({mark.model for mark in marks}) < len(marks):
        raise InvalidInput("Name each target only once.")
    if len(marks) > 1 and any(mark.dice < 1 for mark in marks):
        dice_text = times(weapon.burst, "die", "dice")
        raise InvalidInput(f"Leave at least one die for each target. {weapon.name} rolls {dice_text}.")
    return tuple(sorted(marks, key=lambda mark: mark.model))


@dataclass(frozen=True, slots=True)
class ReadyDodge:
    """The trooper that dodges and, for its odds, the attacks that it would meet."""

    trooper: Trooper
    attacks: tuple[Pair, ...] = ()


@in_steps(Dodge)
class Dodging(Declaring[Dodge, ReadyDodge]):
    """Dodge as the Skill of an Order."""

    label = "Dodge"

    def prepare(self, act: ActView, action: Dodge) -> ReadyDodge:
        trooper = action.model
        under_way, _ = find_order_or_payment(act, trooper, Part.SHORT, "dodge", kind=action.order)
        return ReadyDodge(trooper, aros_to_dodge(act, under_way) if action.odds else ())

    def do(self, act: Act, action: Dodge, ready: ReadyDodge) -> Reply:
        declaration = declare(act, ready.trooper, Part.SHORT, "dodge", "dodge", kind=action.order)
        name = act.encounter.model(declaration.order.model).name
        return go_on_from(act, declaration.order, [f"{name} dodges.", *declaration.lines])

    def chances(self, act: ActView, action: Dodge, ready: ReadyDodge) -> Chances:
        return dodge_chances(act, ready.trooper, ready.attacks)


COUP_SKILL, FAILED_ASSAULT = "coup de grace", "failed assault"
"""Skills of an Order that are no attack: a helpless enemy is finished off; an Assault falls short."""


def _may_fight(act: ActView, action: Fight) -> None:
    find_order_or_payment(act, action.attacker, Part.SHORT, "attack", kind=action.order)
    enemies = [row.id for row in act.encounter.models() if row.side != action.attacker.side]
    require_contact(act, action.attacker, enemies)


@in_steps(Fight, may=_may_fight)
class Fighting(Attacking[Fight]):
    """A CC Attack: Face to Face where the enemy answers; a helpless enemy is finished without a roll."""

    def prepare(self, act: ActView, action: Fight) -> ReadyAttack:
        attacker, target = action.attacker, action.target
        require_contact(act, attacker, [target.id])
        allies = _allies_in_contact(act, attacker, target) if action.allies < 0 else action.allies
        if state_of(target) not in STANDING and settings_for(act).coup_de_grace:
            return _prepare_coup_de_grace(act, action)
        terms = Order(
            row=0,
            side=attacker.side,
            model=attacker.id,
            skill="fight",
            weapon=action.weapon.name,
            marks=(Mark(target.id, unseen=action.unseen),),
            martial_arts=_martial_arts_level(attacker, action.martial_arts),
            berserk=action.berserk,
            allies=allies,
            mod=action.mod,
        )
        berserk_text = " with Berserk" if action.berserk else ""
        sentence = f"{{name}} attacks {target.current.name} in close combat{berserk_text}."
        order = build_order(act, attacker, terms, Part.SHORT, action.order)
        order = replace(order, surprise=_is_surprise_attack(action, order))
        return build_ready_attack(act, attacker, order, Part.SHORT, sentence, "Attack")

    def do(self, act: Act, action: Fight, ready: ReadyAttack) -> Reply:
        if ready.order.skill != COUP_SKILL:
            return super().do(act, action, ready)
        declaration = declare(act, ready.trooper, ready.part, COUP_SKILL, "attack", kind=action.order)
        sentence = ready.said.format(name=act.encounter.model(declaration.order.model).name)
        lines = [sentence, "No roll is needed, because the enemy is helpless.", *declaration.lines]
        return go_on_from(act, declaration.order.with_terms(ready.order), lines)

    def chances(self, act: ActView, action: Fight, ready: ReadyAttack) -> Chances:
        return Chances(ready.told, "dead", 1.0) if ready.told else super().chances(act, action, ready)

    def closing(self, chances: Chances) -> tuple[str, ...]:
        return chances.not_yet if chances.aim == "dead" else super().closing(chances)


def _is_surprise_attack(action: Fight, order: Order) -> bool:
    """Return whether the attack comes out of a camouflaged Marker, as the Order began. Rules: INF-CC-03.

    Raises Forbidden where it was asked for and does not.
    """
    was_camouflaged = order.was in (Condition.CAMOUFLAGED, Condition.TO_CAMOUFLAGED)
    if action.surprise and not was_camouflaged:
        name = action.attacker.current.name
        sentence = (
            f'Leave "Surprise" blank. {name} can\'t make a Surprise Attack, because it did not begin this'
            " Order as a Camouflaged Marker."
        )
        raise Forbidden(sentence, "INF-CC-03")
    return was_camouflaged and action.surprise is not False


def _martial_arts_level(attacker: Trooper, level: int) -> int:
    """Return the Level of Martial Arts in use: the one that was named, else the best of the profile."""
    return best_level(attacker) if level < 0 else level


def _allies_in_contact(act: ActView, attacker: Trooper, target: Trooper) -> int:
    """Count the attacker's friends that also fight the target and can act. Rules: INF-CC-02."""
    friends = troops.troopers(act.encounter, attacker.side)
    able_friends = [friend for friend in friends if friend.id != attacker.id and not friend.is_null]
    fighting_friends = [
        trooper for trooper in able_friends if (Condition.CLOSE_COMBAT, target.id) in trooper.conditions
    ]
    return len([trooper for trooper in fighting_friends if not trooper.has(Condition.IMMOBILIZED)])


def _prepare_coup_de_grace(act: ActView, action: Fight) -> ReadyAttack:
    """Return a Coup de Grace, carried out once all who may react have chosen. Rules: INF-WND-05."""
    attacker, target = action.attacker, action.target
    coup_de_grace(target, settings_for(act))
    find_order_or_payment(act, attacker, Part.SHORT, "attack", kind=action.order)
    terms = Order(0, attacker.side, attacker.id, skill=COUP_SKILL, patient=target.id)
    name = target.current.name
    texts = (f"{name} is helpless and dies.", "No roll is needed.")
    return ReadyAttack(
        attacker, terms, Part.SHORT, f"{{name}} uses Coup de Grace on {name}.", "Attack", texts
    )


@register_own_roll(COUP_SKILL)
def _resolve_coup_de_grace(act: Act, telling: Telling, order: Order) -> None:
    target = troops.by_id(act.encounter, order.patient)
    name = act.encounter.model(order.model).name
    try:
        effects = coup_de_grace(target, settings_for(act))
    except Forbidden as refusal:
        telling.head.append(refusal.sentence)
        return
    telling.follow(act, effects, by=order.model)
    telling.head.append(f"{name} kills {target.current.name} with Coup de Grace.")


def _may_assault(act: ActView, action: Assault) -> None:
    """Refuse an Assault of a trooper without that skill, or one that can't get the Entire Order now."""
    require_assault(action.attacker.current)
    find_order_or_payment(act, action.attacker, Part.ENTIRE, "attack", kind=action.order)


@in_steps(Assault, may=_may_assault)
class Assaulting(Attacking[Assault]):
    """An Assault is measured first: too far, and only the move is left."""

    def prepare(self, act: ActView, action: Assault) -> ReadyAttack:
        """Return attacker and target, and whether it gets there. Rules: INF-ASL-01, INF-ASL-06."""
        attacker, target = action.attacker, action.target
        charge = assault(attacker.current, action.distance, line_of_fire=action.seen)
        reach_text = f"distance {action.distance:g} in, charge up to {charge.inches} in"
        terms = Order(
            row=0,
            side=attacker.side,
            model=attacker.id,
            skill="fight",
            weapon=action.weapon.name,
            marks=(Mark(target.id),),
            assault=True,
            martial_arts=_martial_arts_level(attacker, action.martial_arts),
        )
        if not charge.contact:
            find_order_or_payment(act, attacker, Part.ENTIRE, "attack", kind=action.order)
            order = Order(0, attacker.side, attacker.id, skill=FAILED_ASSAULT)
            line = f"{{name}} declares an Assault and falls short ({reach_text})."
            lines = (line.format(name=attacker.current.name), "It moves along its path and doesn't attack.")
            return ReadyAttack(attacker, order, Part.ENTIRE, line, "Assault", lines)
        order = build_order(act, attacker, terms, Part.ENTIRE, action.order)
        line = f"{{name}} assaults {target.current.name} ({reach_text})."
        return build_ready_attack(act, attacker, order, Part.ENTIRE, line, "Assault")

    def do(self, act: Act, action: Assault, ready: ReadyAttack) -> Reply:
        if not ready.told:
            return super().do(act, action, ready)
        charge = float(charge_inches(action.attacker.current))
        declaration = declare(act, ready.trooper, ready.part, FAILED_ASSAULT, "attack", kind=action.order)
        sentence = ready.said.format(name=act.encounter.model(declaration.order.model).name)
        walk = straight_on(act.encounter, declaration.order.model, action.target.id, charge)
        order = declaration.order.with_way(walk)
        return go_on_from(act, order, [sentence, *declaration.lines, ready.told[1]])

    def declared(self, act: Act, action: Assault, order: Order) -> Order:
        return order.with_way(into_contact(act.encounter, order.model, action.target.id))

    def chances(self, act: ActView, action: Assault, ready: ReadyAttack) -> Chances:
        return Chances(ready.told, "contact", 0.0) if ready.told else super().chances(act, action, ready)
