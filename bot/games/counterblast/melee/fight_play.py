"""Fighting one against one, in contact, at Reach or in passing: rolled at once, or its odds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import carry_through, could, price, settings, token_price
from bot.games.counterblast.core.fields import anybody, arm_of, blade, melee_number, order, other_arms, who
from bot.games.counterblast.core.fighters import in_contact_first
from bot.games.counterblast.core.narration import Telling
from bot.games.counterblast.core.words import dice_words, harm_lines, hurt, worst, worst_words
from bot.games.counterblast.melee.answers import ask_or_fight
from bot.games.counterblast.melee.contact import touch
from bot.games.counterblast.melee.melees import Melee, Pairing, flat, prepared, situation, taken_up
from bot.games.counterblast.shooting.arc_play import require_mastery
from bot.replies.chances import exactness
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.steps import Chances, Hurt, Weighed, in_steps
from rules.effects import Effect
from rules.refusals import forbid
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.melee.bouts import fight_wounds
from rules.systems.counterblast.melee.fighting import prepare_melee
from rules.systems.counterblast.shooting.special_attacks import has_reach, prepare_slash_and_dash

WAYS = {"fight": "fight", "slash and dash": "slash"}
COSTS = {"fight": "fight", "slash": "slash_and_dash"}


@dataclass(frozen=True, slots=True)
class Fight(Action):
    """Attack one model in melee.

    inches: between the bases, for Reach. how: fight or slash and dash. ask: let the defender answer
    first. contact: the two touch, mark it. Weapons by name; empty: the best fit for melee.
    """

    command = "cb.fight"
    typed = "cb fight"

    attacker: Fighter = who("Who attacks", called="model")
    target: Fighter = anybody("Whom", names=in_contact_first, needed=True, against=True)
    weapon: Weapon | None = blade("attacker", "With what; none: its best for melee")
    defence: Weapon | None = blade("target", "The target's weapon")
    inches: float = fields.inches(
        "Inches between the bases, for Reach", 0.0, 200.0, default=0.0, called="distance", fact=True
    )
    how: str = fields.one_of("Fight, or Slash and Dash in passing", WAYS, default="fight")
    order: bool = order()
    ask: bool = fields.switch("Let the defender answer first")
    contact: bool = False
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class ReadyFight:
    """A fight that may begin, and what it costs.

    touching: the two are in contact, or fight at Reach. unsaid: nobody has said whether they touch.
    """

    attacker: Fighter
    target: Fighter
    melee: Melee
    touching: bool = True
    unsaid: bool = False
    due: tuple[Effect, ...] = ()


def _may_fight(act: Act, action: Fight) -> None:
    """Refuses a fight of one who may take none now, in the way that is said."""
    attacker, way = action.attacker, WAYS.get(action.how)
    if way is not None:
        price(act, attacker, COSTS[way])
    if way == "slash" and not any(map(has_reach, attacker.weapons)):
        forbid(f"{attacker.name} has nothing with Reach: Slash and Dash needs it.", "CB-SLASH-01")


@in_steps(Fight, may=_may_fight)
class Fighting(Weighed[Fight, ReadyFight]):
    """Both sides' dice at once; where allies may lend a die, their player is asked first."""

    label = "Fight"

    def prepare(self, act: Act, action: Fight) -> ReadyFight:
        """The fight as a melee of one blow, with what it costs. Raises InvalidInput, Forbidden."""
        attacker, target = action.attacker, action.target
        if action.defence is not None:
            _require_defender(act, action)
        melee = declared(act, action)
        cost = COSTS[melee.kind]
        _must_be_legal(act, melee, attacker, target)
        if act.looks:
            could(act, attacker, cost)
            token_price(act, attacker, spent=action.order)
            return ReadyFight(attacker, target, melee)
        require_mastery(act, attacker, arm_of(attacker, melee.pairings[0].weapon, settings(act)))
        due = (*price(act, attacker, cost), *token_price(act, attacker, spent=action.order))
        touching = attacker.is_engaged_with(target) or melee.kind == "slash" or melee.pairings[0].tenths > 0
        if not touching and not action.contact:
            if not act.overrides:
                return ReadyFight(attacker, target, melee, touching, unsaid=True, due=due)
            forbid(f"{attacker.name} is not engaged with {target.name}.", "CB-FIGHT-01")
        return ReadyFight(attacker, target, melee, touching, due=due)

    def asks(self, act: Act, action: Fight, ready: ReadyFight) -> Reply | None:
        """Whether the two touch, which only the players see. Rules: CB-FIGHT-01."""
        return _not_in_contact(action) if ready.unsaid else None

    def do(self, act: Act, action: Fight, ready: ReadyFight) -> Reply:
        """They touch, it is paid, and the blow falls, or the defender answers first."""
        if not ready.touching:
            touch(act, ready.attacker, ready.target)
        carry_through(act, ready.due)
        bound = ready.melee.kind == "fight"
        return ask_or_fight(act, Telling(), ready.melee, ask=action.ask, bound=bound)

    def chances(self, act: Act, action: Fight, ready: ReadyFight) -> Chances:
        """The chances of every number of wounds, as if the two could fight now."""
        word, chance, hurts = weighed(act, ready.melee)
        return Chances(tuple(blow_odds(act, ready.melee)), word, chance, hurts=hurts)

    def more(self, act: Act, plain: Fight, ready: ReadyFight) -> Sequence[Button]:
        """The same with its other weapons."""
        first = ready.melee.pairings[0]
        if ready.melee.kind != "fight" or first.tenths:
            return []
        arms = other_arms(ready.attacker, arm_of(ready.attacker, first.weapon, settings(act)))
        return [Button(arm.name, replace(plain, weapon=arm)) for arm in arms]


def _require_defender(act: Act, action: Fight) -> None:
    """Refuse a weapon that somebody else names for the defender; odds are told, and offered without it.

    Raises NotAllowed. Rules: CB-FIGHT-01.
    """
    target, side = action.target, action.target.side
    if act.looks:
        act.canonical = action if act.decides_for(side) else replace(action, defence=None)
        return
    names, mine = [seat.name for seat in act.encounter.players(side)], act.plays_on(side)
    who = " or ".join(names) or "its player"
    sentence = f"{who} chooses the weapon of {target.name}. Leave defence blank: its best one serves."
    act.require_decision(mine, names, sentence)


def declared(act: Act, action: Fight) -> Melee:
    """The fight as a melee of one blow. Raises Forbidden for what is not fit for melee."""
    attacker, target = action.attacker, action.target
    arm, against = melee_number(attacker, action.weapon), melee_number(target, action.defence)
    pairing = Pairing(attacker.id, target.id, 0, arm, round(action.inches * 10))
    return taken_up(
        act,
        Melee(
            action.how,
            flat([pairing]),
            (attacker.id,) if action.order else (),
            arms=(target.id, against) if against else (),
        ),
    )


def _must_be_legal(act: Act, melee: Melee, attacker: Fighter, target: Fighter) -> None:
    """Refuse what contact would not make right. Raises Forbidden, InvalidInput."""
    one = melee.pairings[0]
    if melee.kind == "slash":
        weapon = arm_of(attacker, one.weapon, settings(act))
        prepare_slash_and_dash(attacker, target, weapon, one.tenths / 10, settings=settings(act))
    prepared(act, melee, must_be_engaged=False)


def _not_in_contact(action: Fight) -> Reply:
    return Reply(
        (
            f"{action.attacker.name} is not engaged with {action.target.name}.",
            "Rule CB-FIGHT-01.",
            "Nothing was changed. Do they touch?",
        ),
        private=True,
        buttons=(Button("They are in contact: fight", replace(action, contact=True), "main"),),
    )


# ---------------------------------------------------------------- odds


def blow_odds(act: Act, melee: Melee, place: int = 0) -> list[str]:
    """The chances of one blow of a melee, with both sides' dice."""
    blow = prepared(act, melee, must_be_engaged=False).blows[place]
    odds = act.solve(fight_wounds, blow.bout)
    against = dice_words(blow.defence, "STR") if blow.defence else "nothing"
    return [
        f"{blow.attacker.name} -> {blow.defender.name}",
        f"{dice_words(blow.attack, 'STR')}, {blow.weapon.name}",
        f"against {against}",
        *harm_lines(odds, blow.weapon, blow.defender),
        exactness(odds),
    ]


def goes_down(act: Act, melee: Melee, *, panicked: bool = False) -> str:
    """The chance that the defender of the first blow goes down, or of what the weapon does instead of wounds.

    panicked: once it is Panicked.
    """
    told = situation(act, melee, must_be_engaged=False)
    if panicked:
        one = told.blows[0]
        shaken = one.defender.conditions | {(Condition.PANICKED.value, 0)}
        afraid = replace(one, defender=replace(one.defender, conditions=shaken))
        told = replace(told, blows=(afraid, *told.blows[1:]))
    blow = prepare_melee(told, settings(act)).blows[0]
    return worst_words(act.solve(fight_wounds, blow.bout), blow.weapon, blow.defender)


def weighed(act: Act, melee: Melee) -> tuple[str, float, tuple[Hurt, ...]]:
    """What the first blow may come to at worst, its chance, and what every blow does."""
    blows = prepared(act, melee, must_be_engaged=False).blows
    found = [(act.solve(fight_wounds, blow.bout), blow.weapon, blow.defender) for blow in blows]
    return (*worst(*found[0]), tuple(hurt(*one) for one in found))
