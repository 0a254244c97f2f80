"""Attacks at the table: declared with all that was measured, answered, or only weighed."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.infinity import suggestions, troops, veils
from bot.games.infinity.chances import attack_odds, dodge_odds
from bot.games.infinity.common import (
    Telling,
    check_seen,
    is_melee,
    is_shooting,
    own,
    pick_weapon,
    pointer,
    seen,
    settings,
)
from bot.games.infinity.fields import arts_level, further_mod, paying_order
from bot.games.infinity.order_play import declare, ready
from bot.games.infinity.orders_row import Mark, Order
from bot.games.infinity.pairs import best_level, pairs_of
from bot.games.infinity.resolve_play import go_on_from, rolls_own
from bot.games.infinity.words import times, wrapped
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.handlers import handles
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.infinity.assault import assault
from rules.systems.infinity.orders import Part
from rules.systems.infinity.profile import Weapon
from rules.systems.infinity.shooting import Mode
from rules.systems.infinity.states import STANDING, coup_de_grace, state_of
from rules.systems.infinity.surprise import check_surprise_shot
from rules.systems.infinity.trooper import MARKERS, Condition, Trooper

MOST_INCHES = 200

BEST = -1
"""The best Level of Martial Arts on the profile."""

COUP = "coup de grace"


VISIBILITY = {"none": 0, "low": -3, "poor": -6}
"""The MOD of each grade of visibility."""


@dataclass(frozen=True, slots=True)
class Shoot(Action):
    """Declare a BS Attack, with a program a Hacking Attack, or see its odds.

    Shoot. Models by name or #number; distances in inches; dice: how many of them at the first target.

    cover: the target's; own_cover: the shooter's. unseen: the target does not see the shooter; sight: the
    shooter sees the target. mod: any MOD that the table agrees on. surprise: use Surprise Shot where it can
    be used. more: further targets, as in `Brute 22 1, Leaper 18 1 cover`: inches, dice, in cover. With a
    program it is a Hacking Attack.
    """

    command = "inf.shoot"
    typed = "inf shoot"

    shooter: str = fields.words("Who shoots", suggestions.my_trooper, needed=True, called="model")
    target: str = fields.words("At whom", offering.foe, needed=True)
    distance: float = fields.inches(
        "Inches", 0.0, 200.0, default=0.0, needed=True, bands=suggestions.range_bands
    )
    cover: bool = fields.switch("Target in cover")
    own_cover: bool = fields.switch("Shooter in cover")
    weapon: str = fields.words("With what", suggestions.gun)
    mode: str = fields.word_of("How it fires", ("direct", "speculative", "triangulated"), default="direct")
    dice: int = fields.whole("At the first target", 0, 10, default=0)
    target2: str = fields.words("Second target", offering.any_model)
    distance2: float = fields.inches("Inches to it", 0.0, 200.0, default=0.0)
    cover2: bool = fields.switch("It is in cover")
    unseen: bool = fields.switch("Target has no line of fire")
    surprise: bool = fields.switch("Use Surprise Shot if possible", default=True)
    zero_visibility: bool = fields.switch("Through Zero Visibility")
    visibility: int = fields.grade("Visibility on the line", VISIBILITY)
    mod: int = fields.whole("Other MODs", -12, 12, default=0)
    order: str = fields.word_of("Whose Order", ("auto", "regular", "irregular", "lieutenant"), default="auto")
    odds: bool = fields.odds("Only show the chances")
    sight: bool = fields.switch("Shooter has line of fire", default=True)
    more: str = fields.text("Further targets: Brute 22 1, Leaper 18 1 cover", 100)


@dataclass(frozen=True, slots=True)
class Fight(Action):
    """Declare a CC Attack in base contact, or see its odds.

    martial_arts: Level in use; allies: further ones in contact, below 0: as the table knows them.
    """

    command = "inf.cc"
    typed = "inf cc"
    titled = "Fight (CC)"

    attacker: str = fields.words("Who attacks", suggestions.my_trooper, needed=True, called="model")
    target: str = fields.words("At whom", offering.foe, needed=True)
    weapon: str = fields.words("With what", suggestions.blade)
    martial_arts: int = arts_level()
    berserk: bool = fields.switch("With Berserk")
    allies: int = fields.whole("More allies in contact; none: as known", 0, 9, default=-1)
    surprise: bool = fields.switch("Out of camouflage", default=True)
    unseen: bool = False
    mod: int = further_mod()
    order: str = fields.word_of("Whose Order", ("auto", "regular", "irregular", "lieutenant"), default="auto")
    odds: bool = fields.odds("Only show the chances")


@dataclass(frozen=True, slots=True)
class Assault(Action):
    """Charge and attack: an Entire Order.

    Over both MOV values. distance: measured right after the declaration, before AROs.
    """

    command = "inf.assault"
    typed = "inf assault"

    attacker: str = fields.words("Who attacks", suggestions.my_trooper, needed=True, called="model")
    target: str = fields.words("At whom", offering.foe, needed=True)
    distance: float = fields.inches("Inches, measured now", 0.0, 200.0, default=0.0, needed=True)
    weapon: str = fields.words("With what", suggestions.blade)
    martial_arts: int = arts_level()
    seen: bool = fields.switch("Target in line of fire", default=True)
    order: str = paying_order()
    odds: bool = fields.odds("Only show the chances")


@dataclass(frozen=True, slots=True)
class Dodge(Action):
    """Dodge in your own turn.

    Against every attack of the Order.
    """

    command = "inf.dodge"
    typed = "inf dodge"

    model: str = fields.words("Who", suggestions.my_trooper, needed=True)
    order: str = paying_order()
    odds: bool = fields.odds("Against the AROs: show odds")


def target_of(act: Act, attacker: Trooper, text: str) -> Trooper:
    """An enemy figure on the table. Raises InvalidInput, Forbidden."""
    target = seen(act, text)
    check_seen_now(act, target)
    if target.side == attacker.side:
        forbid(f"{target.current.name} is on the same side.")
    return target


def check_seen_now(act: Act, target: Trooper) -> None:
    """Raise Forbidden for a Marker, the asker's own too: an attack needs a figure."""
    check_seen(act, act.encounter.model(target.id))
    if veils.is_marker(act.encounter, target.id):
        raise Forbidden(
            f"{act.encounter.model(target.id).name} is a Marker: Discover it first.", "INF-SEN-06"
        )


def check_inches(*distances: float) -> None:
    """Raise InvalidInput for a distance that no table has."""
    for inches in distances:
        if not 0 <= inches <= MOST_INCHES:
            raise InvalidInput(f"A distance is 0 to {MOST_INCHES} in, not {inches:g}.")


@handles(Shoot)
def shoot(act: Act, action: Shoot) -> Reply:
    """A BS Attack, or a Hacking Attack: declared, and resolved once all have chosen; or its odds."""
    shooter = own(act, action.shooter)
    check_inches(action.distance, action.distance2)
    if action.mode not in set(Mode):
        raise InvalidInput(f"Ways to shoot: {', '.join(Mode)}.")
    fits = (lambda weapon: weapon.template) if action.mode == Mode.SPECULATIVE else is_shooting
    weapon = pick_weapon(shooter, action.weapon, fits, "shoot")
    if weapon.hacking and action.mode != Mode.DIRECT:
        raise InvalidInput(f"{weapon.name} is a program: its mode is direct.")
    skill, verb, does = ("hack", "Hack", "hacks") if weapon.hacking else ("shoot", "Shoot", "shoots at")
    marks = _marks(act, shooter, action, weapon)
    names = [act.encounter.model(mark.model).name for mark in marks]
    act.canonical = replace(
        action,
        shooter=pointer(shooter),
        target=f"#{marks[0].model}",
        target2=f"#{marks[1].model}" if action.target2 else "",
        weapon=weapon.name if action.weapon else "",
        distance=float(action.distance),
        distance2=float(action.distance2),
        odds=False,
    )
    terms = Order(
        row=0,
        side=shooter.side,
        model=shooter.id,
        skill=skill,
        weapon=weapon.name,
        mode=action.mode,
        marks=marks,
        cover=action.own_cover,
        surprise=action.surprise and may_surprise(shooter),
        sight=action.sight or weapon.hacking,
        mod=action.mod,
        zero_visibility=action.zero_visibility,
        visibility=action.visibility,
    )
    part = Part.ENTIRE if action.mode == Mode.TRIANGULATED else Part.SHORT
    if action.odds:
        ready(act, shooter, part, "attack", kind=action.order)
        return attack_odds(act, act.canonical, terms, verb)
    how = "" if action.mode == Mode.DIRECT else f", {action.mode}"
    said = f"{{name}} {does} {' and '.join(names)}{how}."
    return declare_attack(act, shooter, terms, part, action.order, said)


def _marks(act: Act, shooter: Trooper, action: Shoot, weapon: Weapon) -> tuple[Mark, ...]:
    """The targets, with the burst divided. Rules: INF-F2F-07."""
    target = target_of(act, shooter, action.target)
    further = _further(act, shooter, action.more)
    if not 0 <= action.dice <= weapon.burst:
        raise InvalidInput(f"{weapon.name} throws 1 to {weapon.burst} dice, not {action.dice}.")
    left = weapon.burst - sum(mark.dice for mark in further)
    first = Mark(target.id, action.distance, action.dice, action.cover, action.unseen)
    if not action.target2:
        marks = (replace(first, dice=action.dice or left) if further else first, *further)
    else:
        other = target_of(act, shooter, action.target2)
        dice = action.dice or (left + 1) // 2
        second = Mark(other.id, action.distance2, left - dice, action.cover2, action.unseen)
        marks = (replace(first, dice=dice), second, *further)
    if len({mark.model for mark in marks}) < len(marks):
        raise InvalidInput("Each target is named once.")
    if len(marks) > 1 and any(mark.dice < 1 for mark in marks):
        raise InvalidInput(f"{weapon.name} throws {weapon.burst} dice: leave one for each target.")
    return marks


_FURTHER = re.compile(
    r"(?P<name>.+?) +(?P<inches>[0-9]+(?:\.[0-9]+)?) +(?P<dice>[0-9]{1,2})(?P<cover> +cover)?"
)


def _further(act: Act, shooter: Trooper, text: str) -> tuple[Mark, ...]:
    """The targets after the second, as typed. Raises InvalidInput, Forbidden. Rules: INF-F2F-07."""
    marks = []
    for part in filter(None, map(str.strip, text.split(","))):
        read = _FURTHER.fullmatch(part)
        if read is None:
            raise InvalidInput("Further targets are written Brute 22 1, Leaper 18 1 cover: inches, dice.")
        check_inches(float(read["inches"]))
        target = target_of(act, shooter, read["name"])
        marks.append(Mark(target.id, float(read["inches"]), int(read["dice"]), bool(read["cover"])))
    return tuple(marks)


def may_surprise(shooter: Trooper) -> bool:
    """Whether a Surprise Shot can be declared from the state the trooper is in."""
    try:
        check_surprise_shot(shooter)
    except Forbidden:
        return False
    return True


def declare_attack(act: Act, one: Trooper, terms: Order, part: Part, kind: str, said: str) -> Reply:
    """Declare an attack with these terms; what the rules forbid is refused, and then nothing is spent.

    said: the sentence that tells it, with the attacker's name to be put in.
    """
    begun = declare(act, one, part, terms.skill, "attack" if terms.attacks else terms.skill, kind=kind)
    order = begun.order.with_terms(terms)
    out_of_hiding = order.was in MARKERS or order.was == Condition.HIDDEN_DEPLOYMENT
    order = replace(order, surprise=terms.surprise and out_of_hiding)
    pairs_of(act.encounter, order, (), settings(act))
    order = replace(order, passed=tuple(one.rule for one in act.overridden if one.rule))
    name = act.encounter.model(order.model).name
    lines = [said.format(name=name), *terms_lines(act, order), *begun.lines]
    if order.surprise:
        lines.append("Out of hiding: it comes as a surprise.")
    return go_on_from(act, order, lines)


def terms_lines(act: Act, order: Order) -> list[str]:
    """What was declared with an attack, for the opponent to check: weapon, inches, cover."""
    parts = [order.weapon]
    for mark in order.marks:
        if order.skill != "fight":
            name = f"{act.encounter.model(mark.model).name} " if len(order.marks) > 1 else ""
            dice = f", {times(mark.dice, 'die', 'dice')}" if len(order.marks) > 1 else ""
            parts.append(f"{name}{mark.inches:g} in{dice}{', in cover' if mark.cover else ''}")
        if mark.unseen:
            parts.append("from out of its sight")
    parts += ["no line of fire"] if not order.sight else []
    parts += ["own cover"] if order.cover else []
    parts += [f"Martial Arts L{order.martial_arts}"] if order.martial_arts else []
    parts += [times(order.allies, "ally in contact", "allies in contact")] if order.allies else []
    parts += [f"MOD {order.mod:+d}"] if order.mod else []
    return wrapped(parts, "")


@handles(Fight)
def fight(act: Act, action: Fight) -> Reply:
    """A CC Attack: Face to Face where the enemy answers; a helpless enemy is finished without a roll."""
    attacker = own(act, action.attacker)
    target = target_of(act, attacker, action.target)
    weapon = pick_weapon(attacker, action.weapon, is_melee, "fight")
    if not BEST <= action.allies <= 9:
        raise InvalidInput(f"Allies in contact are 0 to 9, not {action.allies}.")
    allies = _allies_in_contact(act, attacker, target) if action.allies < 0 else action.allies
    act.canonical = replace(
        action, attacker=pointer(attacker), target=f"#{target.id}", weapon=weapon.name, odds=False
    )
    hidden = any(attacker.has(state) for state in (Condition.CAMOUFLAGED, Condition.TO_CAMOUFLAGED))
    terms = Order(
        row=0,
        side=attacker.side,
        model=attacker.id,
        skill="fight",
        weapon=weapon.name,
        marks=(Mark(target.id, unseen=action.unseen),),
        surprise=action.surprise and hidden,
        martial_arts=_level(attacker, action.martial_arts),
        berserk=action.berserk,
        allies=allies,
        mod=action.mod,
    )
    helpless = state_of(target) not in STANDING and settings(act).coup_de_grace
    if action.odds:
        ready(act, attacker, Part.SHORT, "attack", kind=action.order)
        if helpless:
            lines = (f"{target.current.name} is helpless: dead.", "No roll (INF-WND-05).")
            return Reply(lines, private=True, buttons=(Button("Attack", act.canonical, "main"),))
        return attack_odds(act, act.canonical, terms, "Attack")
    if helpless:
        return _finish_off(act, attacker, target, action)
    how = ", berserk" if action.berserk else ""
    said = f"{{name}} attacks {target.current.name} in close combat{how}."
    return declare_attack(act, attacker, terms, Part.SHORT, action.order, said)


def _level(attacker: Trooper, wanted: int) -> int:
    """The Level of Martial Arts in use: the one that was named, else the best of the profile."""
    return best_level(attacker) if wanted < 0 else wanted


def _allies_in_contact(act: Act, attacker: Trooper, target: Trooper) -> int:
    """Further troopers of the attacker's side that fight the target and can act. Rules: INF-CC-02."""
    friends = troops.troopers(act.encounter, attacker.side)
    able = [one for one in friends if one.id != attacker.id and not one.is_null]
    holding = [one for one in able if (Condition.CLOSE_COMBAT, target.id) in one.conditions]
    return len([one for one in holding if not one.has(Condition.IMMOBILIZED)])


def _finish_off(act: Act, attacker: Trooper, target: Trooper, action: Fight) -> Reply:
    """Coup de Grace: declared, and carried out once whoever may react has chosen. Rules: INF-WND-05."""
    coup_de_grace(target, settings(act))
    begun = declare(act, attacker, Part.SHORT, COUP, "attack", kind=action.order)
    order = begun.order.with_terms(Order(0, attacker.side, attacker.id, patient=target.id))
    name = act.encounter.model(order.model).name
    lines = [f"{name} finishes off {target.current.name}.", "No roll: it is helpless (INF-WND-05)."]
    return go_on_from(act, order, [*lines, *begun.lines])


@rolls_own(COUP)
def _finished(act: Act, telling: Telling, order: Order) -> None:
    """The helpless enemy is dead, unless it is up again."""
    target = troops.by_id(act.encounter, order.patient)
    name = act.encounter.model(order.model).name
    try:
        effects = coup_de_grace(target, settings(act))
    except Forbidden as refusal:
        telling.head.append(refusal.sentence)
        return
    telling.follow(act, effects)
    telling.head.append(f"{name} finishes {target.current.name}: dead.")


@handles(Assault)
def charge(act: Act, action: Assault) -> Reply:
    """An Assault is measured first: too far, and only the move is left."""
    attacker = own(act, action.attacker)
    target = target_of(act, attacker, action.target)
    check_inches(action.distance)
    weapon = pick_weapon(attacker, action.weapon, is_melee, "fight")
    act.canonical = replace(
        action,
        attacker=pointer(attacker),
        target=f"#{target.id}",
        weapon=weapon.name,
        distance=float(action.distance),
        odds=False,
    )
    measured = assault(attacker.current, action.distance, line_of_fire=action.seen)
    terms = Order(
        row=0,
        side=attacker.side,
        model=attacker.id,
        skill="fight",
        weapon=weapon.name,
        marks=(Mark(target.id),),
        assault=True,
        martial_arts=_level(attacker, action.martial_arts),
    )
    if action.odds:
        ready(act, attacker, Part.ENTIRE, "attack", kind=action.order)
        return attack_odds(act, act.canonical, terms, "Assault")
    reach = f"{action.distance:g} in, reach {measured.inches}"
    if not measured.contact:
        begun = declare(act, attacker, Part.ENTIRE, "failed assault", "attack", kind=action.order)
        name = act.encounter.model(begun.order.model).name
        said = [f"{name}'s Assault falls short: {reach}.", *begun.lines]
        return go_on_from(act, begun.order, [*said, "It only moves, along its path (INF-ASL-06)."])
    said_so = f"{{name}} assaults {target.current.name}: {reach}."
    return declare_attack(act, attacker, terms, Part.ENTIRE, action.order, said_so)


@handles(Dodge)
def dodge(act: Act, action: Dodge) -> Reply:
    """Dodge as the Skill of an Order."""
    one = own(act, action.model)
    act.canonical = replace(action, model=pointer(one), odds=False)
    if action.odds:
        under_way, _ = ready(act, one, Part.SHORT, "dodge", kind=action.order)
        return dodge_odds(act, act.canonical, one, under_way)
    begun = declare(act, one, Part.SHORT, "dodge", "dodge", kind=action.order)
    name = act.encounter.model(begun.order.model).name
    return go_on_from(act, begun.order, [f"{name} will dodge.", *begun.lines])
