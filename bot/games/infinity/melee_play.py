"""Attacks in base contact: CC Attacks, the Coup de Grace, Assaults."""

from __future__ import annotations

from dataclasses import replace

from bot.games.infinity import troops
from bot.games.infinity.attack_play import Assault, Fight
from bot.games.infinity.attacking import Attacking, ReadyAttack, checked, order_for
from bot.games.infinity.common import Telling, settings
from bot.games.infinity.order_play import declare, ready
from bot.games.infinity.orders_row import Mark, Order
from bot.games.infinity.pairs import best_level
from bot.games.infinity.resolve_play import go_on_from, rolls_own
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.steps import Chances, in_steps
from rules.refusals import Forbidden
from rules.systems.infinity.close_combat import assault, require_assault
from rules.systems.infinity.orders import Part
from rules.systems.infinity.states import STANDING, coup_de_grace, state_of
from rules.systems.infinity.trooper import Condition, Trooper

COUP, SHORT_OF = "coup de grace", "failed assault"
"""Skills of an Order that are no attack: a helpless enemy is finished off; an Assault falls short."""


def _may_fight(act: Act, action: Fight) -> None:
    """Refuses a CC Attack of one who may declare none now."""
    ready(act, action.attacker, Part.SHORT, "attack", kind=action.order)


@in_steps(Fight, may=_may_fight)
class Fighting(Attacking[Fight]):
    """A CC Attack: Face to Face where the enemy answers; a helpless enemy is finished without a roll."""

    def prepare(self, act: Act, action: Fight) -> ReadyAttack:
        """Attacker, target, weapon, and who else is in contact."""
        attacker, target = action.attacker, action.target
        allies = _allies_in_contact(act, attacker, target) if action.allies < 0 else action.allies
        if state_of(target) not in STANDING and settings(act).coup_de_grace:
            return _finishing(act, action)
        terms = Order(
            row=0,
            side=attacker.side,
            model=attacker.id,
            skill="fight",
            weapon=action.weapon.name,
            marks=(Mark(target.id, unseen=action.unseen),),
            martial_arts=_level(attacker, action.martial_arts),
            berserk=action.berserk,
            allies=allies,
            mod=action.mod,
        )
        how = ", berserk" if action.berserk else ""
        said = f"{{name}} attacks {target.current.name} in close combat{how}."
        order = order_for(act, attacker, terms, Part.SHORT, action.order)
        order = replace(order, surprise=_surprises(action, order))
        return checked(act, attacker, order, Part.SHORT, said, "Attack")

    def do(self, act: Act, action: Fight, ready: ReadyAttack) -> Reply:
        """Declare it."""
        if ready.order.skill != COUP:
            return super().do(act, action, ready)
        begun = declare(act, ready.one, ready.part, COUP, "attack", kind=action.order)
        said = ready.said.format(name=act.encounter.model(begun.order.model).name)
        lines = [said, "No roll: it is helpless (INF-WND-05).", *begun.lines]
        return go_on_from(act, begun.order.with_terms(ready.order), lines)

    def chances(self, act: Act, action: Fight, ready: ReadyAttack) -> Chances:
        """What it does to the target; nothing is left to chance where that is helpless."""
        return Chances(ready.told, "dead", 1.0) if ready.told else super().chances(act, action, ready)

    def closing(self, found: Chances) -> tuple[str, ...]:
        """That nothing is rolled, also where nothing would be."""
        return found.not_yet if found.aim == "dead" else super().closing(found)


def _surprises(action: Fight, order: Order) -> bool:
    """Return whether the attack comes out of a camouflaged Marker, as the Order began. Rules: INF-CC-03.

    Raises Forbidden where it was asked for and does not.
    """
    hidden = order.was in (Condition.CAMOUFLAGED, Condition.TO_CAMOUFLAGED)
    if action.surprise and not hidden:
        name = action.attacker.current.name
        raise Forbidden(f"{name} is no camouflaged Marker: no Surprise Attack.", "INF-CC-03")
    return hidden and action.surprise is not False


def _level(attacker: Trooper, wanted: int) -> int:
    """The Level of Martial Arts in use: the one that was named, else the best of the profile."""
    return best_level(attacker) if wanted < 0 else wanted


def _allies_in_contact(act: Act, attacker: Trooper, target: Trooper) -> int:
    """Further troopers of the attacker's side that fight the target and can act. Rules: INF-CC-02."""
    friends = troops.troopers(act.encounter, attacker.side)
    able = [one for one in friends if one.id != attacker.id and not one.is_null]
    holding = [one for one in able if (Condition.CLOSE_COMBAT, target.id) in one.conditions]
    return len([one for one in holding if not one.has(Condition.IMMOBILIZED)])


def _finishing(act: Act, action: Fight) -> ReadyAttack:
    """A Coup de Grace: carried out once whoever may react has chosen. Rules: INF-WND-05."""
    attacker, target = action.attacker, action.target
    coup_de_grace(target, settings(act))
    ready(act, attacker, Part.SHORT, "attack", kind=action.order)
    terms = Order(0, attacker.side, attacker.id, skill=COUP, patient=target.id)
    name = target.current.name
    told = (f"{name} is helpless: dead.", "No roll (INF-WND-05).")
    return ReadyAttack(attacker, terms, Part.SHORT, f"{{name}} finishes off {name}.", "Attack", told)


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
    telling.follow(act, effects, by=order.model)
    telling.head.append(f"{name} finishes {target.current.name}: dead.")


def _may_assault(act: Act, action: Assault) -> None:
    """Refuses an Assault of one who knows none, or may not be given the Entire Order now."""
    require_assault(action.attacker.current)
    ready(act, action.attacker, Part.ENTIRE, "attack", kind=action.order)


@in_steps(Assault, may=_may_assault)
class Assaulting(Attacking[Assault]):
    """An Assault is measured first: too far, and only the move is left."""

    def prepare(self, act: Act, action: Assault) -> ReadyAttack:
        """Attacker and target, and whether it gets there. Rules: INF-ASL-01, INF-ASL-06."""
        attacker, target = action.attacker, action.target
        measured = assault(attacker.current, action.distance, line_of_fire=action.seen)
        reach = f"{action.distance:g} in, reach {measured.inches}"
        terms = Order(
            row=0,
            side=attacker.side,
            model=attacker.id,
            skill="fight",
            weapon=action.weapon.name,
            marks=(Mark(target.id),),
            assault=True,
            martial_arts=_level(attacker, action.martial_arts),
        )
        if not measured.contact:
            ready(act, attacker, Part.ENTIRE, "attack", kind=action.order)
            order = Order(0, attacker.side, attacker.id, skill=SHORT_OF)
            said = f"{{name}} assaults and falls short: {reach}."
            told = (said.format(name=attacker.current.name), "It only moves, along its path (INF-ASL-06).")
            return ReadyAttack(attacker, order, Part.ENTIRE, said, "Assault", told)
        order = order_for(act, attacker, terms, Part.ENTIRE, action.order)
        said = f"{{name}} assaults {target.current.name}: {reach}."
        return checked(act, attacker, order, Part.ENTIRE, said, "Assault")

    def do(self, act: Act, action: Assault, ready: ReadyAttack) -> Reply:
        """Declare it."""
        if not ready.told:
            return super().do(act, action, ready)
        begun = declare(act, ready.one, ready.part, SHORT_OF, "attack", kind=action.order)
        said = ready.said.format(name=act.encounter.model(begun.order.model).name)
        return go_on_from(act, begun.order, [said, *begun.lines, ready.told[1]])

    def chances(self, act: Act, action: Assault, ready: ReadyAttack) -> Chances:
        """What it does to the target; nothing where it falls short."""
        return Chances(ready.told, "contact", 0.0) if ready.told else super().chances(act, action, ready)
