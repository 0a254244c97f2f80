"""What is chosen after a psionic roll: what a Probe takes, a free attack, where a portal or a throw ends."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.answers import fight_out
from bot.games.counterblast.attacks import Telling, offers, strike
from bot.games.counterblast.checking import finish, model_choices, require_between, wound
from bot.games.counterblast.common import again, orders_of, settings
from bot.games.counterblast.contact import touch
from bot.games.counterblast.departures import departed
from bot.games.counterblast.fighters import fighter, fighters
from bot.games.counterblast.melees import Melee, Pairing, flat
from bot.games.counterblast.psi_words import power_title
from bot.games.counterblast.shoot_play import ranged_weapon
from bot.games.counterblast.words import dice_words, times, why_check, why_impact
from bot.replies.reply import Blank, Button, Choice, Menu, Reply, form
from bot.table.act import Act
from bot.table.encounter import set_counter
from bot.table.handlers import handles
from rules.effects import Propose
from rules.refusals import Forbidden
from rules.systems.counterblast.checks import CheckResult
from rules.systems.counterblast.crew import leader_of
from rules.systems.counterblast.environment import collide
from rules.systems.counterblast.falling import Faller
from rules.systems.counterblast.fighter import Fighter
from rules.systems.counterblast.general import distance_dice
from rules.systems.counterblast.library import load
from rules.systems.counterblast.mind_powers import Taking, after_probe
from rules.systems.counterblast.shift_powers import Portal, after_portal
from rules.systems.counterblast.shooting import Mark, Volley, prepare_volley
from rules.systems.counterblast.shots import volley

FREE_ATTACK = "free attack on:"
PROBED = "may take from:"
ASTRAY = "portal astray"
THROWN = "thrown inches"
TK_TURN = "Telekinesis in turn"
"""Counters of a model: turns and numbers that a choice after a roll stands for, until it is made."""

WAY = form("cb.psi.free", "A free shot", Blank("inches", "Inches to the psionic", longest=5))
HIT = form("cb.psi.hit", "Runs into something", Blank("inches", "Inches before contact", longest=5))


@dataclass(frozen=True, slots=True)
class SpoilTaken(Action):
    """A Probe takes an Order token."""

    command = "cb.psi.order"

    taker: int = 0
    loser: int = 0


@dataclass(frozen=True, slots=True)
class PowerTaken(Action):
    """A Probe borrows a power; without its key: ask which."""

    command = "cb.psi.power"

    taker: int = 0
    loser: int = 0
    key: str = ""


@dataclass(frozen=True, slots=True)
class FeatureTaken(Action):
    """A Probe borrows a Feature; without its key: ask which."""

    command = "cb.psi.feature"

    taker: int = 0
    loser: int = 0
    key: str = ""


@dataclass(frozen=True, slots=True)
class FreeAttack(Action):
    """The target of a botched Calm attacks the psionic at once: shoots from so far, or fights it."""

    command = "cb.psi.free"

    model: int = 0
    psionic: int = 0
    inches: float = 0.0
    fights: bool = False


@dataclass(frozen=True, slots=True)
class AskFreeAttack(Action):
    """Ask how the free attack is made."""

    command = "cb.psi.how"

    model: int = 0
    psionic: int = 0


@dataclass(frozen=True, slots=True)
class PortalLost(Action):
    """A portal that went astray ended where nobody can stand."""

    command = "cb.psi.lost"

    model: int = 0


@dataclass(frozen=True, slots=True)
class ThrownInto(Action):
    """A model thrown by Telekinesis runs into something after so many inches. sure: into no other model."""

    command = "cb.psi.hit"

    model: int = 0
    inches: float = 0.0
    struck: tuple[int, ...] = ()
    sure: bool = False


# ------------------------------------------------------------------------------------------- Probe


def _claimed(act: Act, action: SpoilTaken | PowerTaken | FeatureTaken) -> tuple[Fighter, Fighter, int]:
    row, other = act.encounter.model(action.taker), act.encounter.model(action.loser)
    act.require_model(row)
    number = row.counters.get(f"{PROBED}{other.id}", 0)
    if not number:
        raise Forbidden(f"{row.name} has nothing to take from {other.name}.", "CB-PSI-19")
    return fighter(act.encounter, row), fighter(act.encounter, other), number


def _take(act: Act, taker: Fighter, loser: Fighter, taking: Taking, number: int) -> None:
    """Carry the choice through; which side was the psionic does not matter any more."""
    result = CheckResult(number)
    chosen = replace(settings(act), psi_text="summary")
    if taking.spoil == "order" and number > 1:
        chosen, result = settings(act), CheckResult(number + loser.profile.intellect.value)
    act.encounter.apply(after_probe(taker, loser, result, taking, chosen))
    set_counter(act.encounter.model(taker.id).counters, f"{PROBED}{loser.id}", 0)


@handles(SpoilTaken)
def take_order(act: Act, action: SpoilTaken) -> Reply:
    """From the leader's crew to the taker's. Rules: CB-PSI-19, CB-PSI-20, CB-ORDER-02."""
    taker, loser, number = _claimed(act, action)
    mine, theirs = act.encounter.side(taker.side), act.encounter.side(loser.side)
    leader = leader_of(taker.side, fighters(act.encounter, taker.side))
    _take(act, taker, loser, Taking("order", "", orders_of(theirs), orders_of(mine), leader), number)
    now = f"{mine.name} {orders_of(mine)}, {theirs.name} {orders_of(theirs)}"
    return finish(act, Telling([f"{taker.name} takes an order token.", f"Orders: {now}"]))


@handles(PowerTaken)
def take_power(act: Act, action: PowerTaken) -> Reply:
    """Until the end of the taker's next activation. Rules: CB-PSI-19."""
    taker, loser, number = _claimed(act, action)
    if not action.key:
        choices = tuple(Choice(power_title(key), key) for key in loser.profile.powers)
        return _which("Which power?", action, choices)
    _take(act, taker, loser, Taking("power", action.key), number)
    return _borrowed(act, taker, power_title(action.key))


@handles(FeatureTaken)
def take_feature(act: Act, action: FeatureTaken) -> Reply:
    """Until the end of the taker's next activation. Rules: CB-PSI-19."""
    taker, loser, number = _claimed(act, action)
    if not action.key:
        keys = dict.fromkeys(trait.key for trait in loser.profile.features)
        return _which("Which Feature?", action, tuple(Choice(load().features[key].name, key) for key in keys))
    _take(act, taker, loser, Taking("feature", action.key), number)
    return _borrowed(act, taker, load().features[action.key].name)


def _which(prompt: str, action: PowerTaken | FeatureTaken, choices: tuple[Choice, ...]) -> Reply:
    menu = Menu(prompt, action, "key", choices[:25], anytime=True)
    return Reply((prompt,), private=True, menus=(menu,))


def _borrowed(act: Act, taker: Fighter, name: str) -> Reply:
    until = "until its next activation is over."
    return finish(act, Telling([f"{taker.name} has {name}", until]))


# ------------------------------------------------------------------------------------------- free attack


@offers("free_attack")
def _free_button(proposal: Propose) -> tuple[str, Action]:
    return "Attack at once...", AskFreeAttack(proposal.model, int(dict(proposal.details)["target"]))


@handles(AskFreeAttack)
def ask_free_attack(act: Act, action: AskFreeAttack) -> Reply:
    """Direct fire or melee, as its player likes. Rules: CB-PSI-08."""
    row = act.encounter.model(action.model)
    act.require_model(row)
    free = FreeAttack(action.model, action.psionic)
    name = act.encounter.model(action.psionic).name
    return Reply(
        (f"{row.name} attacks {name} at once:",),
        private=True,
        buttons=(
            Button("Shoot...", free, "main", form=WAY),
            Button("Fight it", replace(free, fights=True), "main"),
        ),
    )


@handles(FreeAttack)
def free_attack(act: Act, action: FreeAttack) -> Reply:
    """One attack without an activation, at the psionic that botched. Rules: CB-PSI-08."""
    row = act.encounter.model(action.model)
    act.require_model(row)
    key = f"{FREE_ATTACK}{action.psionic}"
    if row.counters.get(key, 0) != max(1, act.encounter.row.turn):
        raise Forbidden(f"{row.name} has no free attack left.", "CB-PSI-08")
    set_counter(row.counters, key, 0)
    model, psionic = again(act, fighter(act.encounter, row)), act.encounter.model(action.psionic)
    target = fighter(act.encounter, psionic)
    if action.fights:
        if not model.is_engaged_with(target):
            touch(act, model, target)
        return fight_out(act, Telling(), Melee("back", flat([Pairing(model.id, target.id)])))
    require_between(action.inches, 0, 200, "Inches")
    weapon = ranged_weapon(model, "", action.inches)
    prepared = prepare_volley(Volley(model, (Mark(target, weapon, action.inches),)), settings(act))
    telling = Telling()
    for one, got in zip(prepared.shots, act.roll(volley, prepared.rolls), strict=True):
        strike(act, telling, model, again(act, one.target), one.weapon, got.suffered)
        telling.why += [*why_check(one.parts[0], f"{model.name}, free attack"), *why_impact(one.impact)]
    return finish(act, telling, [f"{dice_words(prepared.shots[0].parts[0], 'AGL')}, {weapon.name}"])


# ------------------------------------------------------------------------------------------- portal, throw


@handles(PortalLost)
def portal_lost(act: Act, action: PortalLost) -> Reply:
    """It ended on a building, a model, Impassable ground or beyond the edge. Rules: CB-PSI-10."""
    row = act.encounter.model(action.model)
    act.require_player()
    if not row.counters.get(ASTRAY, 0):
        raise Forbidden(f"No portal of {row.name} went astray.", "CB-PSI-10")
    set_counter(row.counters, ASTRAY, 0)
    model = fighter(act.encounter, row)
    telling = Telling([f"{model.name} is lost in the Deep."])
    telling.follow(act, after_portal(model, Portal("astray"), "blocked"))
    return finish(act, telling, (), *departed(act, telling, model))


@offers("throw")
def _throw_button(proposal: Propose) -> tuple[str, Action]:
    return "It strikes something...", ThrownInto(proposal.model, float(dict(proposal.details)["inches"]))


@handles(ThrownInto)
def thrown_into(act: Act, action: ThrownInto) -> Reply:
    """Dice as for a fall over the inches really moved, on it and on whom it strikes.

    Rules: CB-PSI-25, CB-FALL-03.
    """
    act.require_player()
    row = act.encounter.model(action.model)
    most = row.counters.get(THROWN, 0)
    if not most:
        raise Forbidden(f"{row.name} was not thrown.", "CB-PSI-25")
    require_between(action.inches, 0, most, "Inches thrown")
    if not action.struck and not action.sure:
        others = [one for one in fighters(act.encounter) if one.id != row.id]
        sure = Button("No model", replace(action, sure=True), "main")
        shorter = Button("Fewer inches...", replace(action, sure=True), form=HIT)
        menu = Menu("Whom does it hit?", action, "struck", model_choices(others), 1, min(5, len(others)))
        said = f"{row.name} strikes something after {action.inches:g} in."
        return Reply((said, "A model too?"), private=True, buttons=(sure, shorter), menus=(menu,))
    set_counter(row.counters, THROWN, 0)
    model = fighter(act.encounter, row)
    struck = [fighter(act.encounter, act.encounter.model(number)) for number in action.struck]
    below = tuple(Faller.of(one) for one in struck)
    hits = act.roll(collide, action.inches, Faller.of(model), below)
    telling = Telling()
    wound(act, telling, again(act, model), hits.mover, "by the throw")
    for one, wounds in zip(struck, hits.struck, strict=True):
        wound(act, telling, one, wounds)
    number = distance_dice(action.inches)
    return finish(act, telling, [f"{times(number, 'die', 'dice')} for {action.inches:g} in, no shields"])
