"""Items and Features used by themselves: gels, boosts, repairs, smoke, ink, sprays, drains, bombs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.building.draft_text import draft_of, row_text
from bot.games.counterblast.core.common import (
    again,
    carry_through,
    could,
    named,
    own,
    pay,
    settings,
    spend_order,
)
from bot.games.counterblast.core.fields import order
from bot.games.counterblast.core.rolls import asked, finish, odds_reply, ref, require_between
from bot.games.counterblast.core.suggestions import hurt_first
from bot.games.counterblast.core.telling import Telling, tally
from bot.games.counterblast.core.throwers import at, labelled
from bot.games.counterblast.core.words import dice_words, why_check
from bot.games.counterblast.gear.carried import EXTINGUISHER, INK, bomb_kits, things, usable
from bot.games.counterblast.gear.suggestions import can_drain, can_give, can_use, kits
from bot.games.counterblast.ground import flames
from bot.games.counterblast.ground.fires import fire_named, write_fire
from bot.games.counterblast.shooting.cloud_marks import add_cloud
from bot.games.counterblast.templates.bombs import BOMB, blow_up
from bot.games.counterblast.templates.covered_play import Landed
from bot.replies.chances import bars, exactness, percent
from bot.replies.reply import Button, Reply
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.handlers import handles
from bot.table.names import find
from bot.table.rolling.throws import Whose, possessive
from rules.dice import Dice
from rules.effects import Propose
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.core.checks import Throw
from rules.systems.counterblast.core.conditions import Event, ended_by
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.gear import items
from rules.systems.counterblast.gear.extraction import DRAIN, after_drain, drainable, require_drain
from rules.systems.counterblast.ground.burning import Fire
from rules.systems.counterblast.melee.bouts import fight, fight_wounds
from rules.systems.counterblast.melee.fighting import Blow, Melee, prepare_melee
from rules.systems.counterblast.shooting import clouds

SMOKED = "smoke in turn"
"""Counter of a model: when it made smoke."""

BOOSTS = frozenset({"body_boost", "brain_boost"})
"""Without an activation there is nothing that they add to."""

FREE = BOOSTS | {"smoke_grenade", "smoke_screen_launcher"}


@dataclass(frozen=True, slots=True)
class UseItem(Action):
    """Use an item: gel, boost, smoke, extinguisher, ink.

    target: on whom, or which fire; attack: a boost for an attack; partly: partly sprayed.
    """

    command = "cb.gear.use"
    typed = "gear use"
    titled = "Use gear"

    model: str = fields.words("Who", offering.own_model, needed=True)
    item: str = fields.words("What", can_use, needed=True)
    target: str = fields.words("On whom, or which fire", hurt_first, wanted=True)
    attack: bool = fields.switch("Boost an attack")
    partly: bool = fields.switch("Partly sprayed")
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class HandOver(Action):
    """Hand an item to a friend in contact."""

    command = "cb.gear.give"
    typed = "gear give"

    giver: str = fields.words("Who gives", offering.own_model, needed=True, called="model")
    item: str = fields.words("What", can_give, needed=True)
    to: str = fields.words("To whom", offering.own_model, needed=True)


@dataclass(frozen=True, slots=True)
class Drain(Action):
    """Switch an item off with an Extraction Tool.

    An attack; inches between the bases.
    """

    command = "cb.gear.drain"
    typed = "gear drain"

    user: str = fields.words("Who", offering.own_model, needed=True, called="model")
    target: str = fields.words("Whose", offering.foe, needed=True)
    item: str = fields.words("Which item", can_drain, needed=True)
    inches: float = fields.inches("Inches apart", 0.0, 200.0, default=0.0, called="distance")
    order: bool = order()
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class ArmBomb(Action):
    """Arm a Bomb Kit; off: it goes off."""

    command = "cb.gear.bomb"
    typed = "gear bomb"

    model: str = fields.words("Who", offering.own_model, needed=True)
    bomb: str = fields.words("Which kit", kits, needed=True)
    off: bool = fields.switch("It goes off now")
    order: bool = order()
    odds: bool = fields.odds()


# ------------------------------------------------------------------------------------------- use


@handles(UseItem)
def use_item(act: Act, action: UseItem) -> Reply:
    """One action, boosts and smoke free. Rules: CB-GEAR-01, CB-GEAR-21, CB-GEAR-27, CB-GEAR-36, CB-GEAR-41,
    CB-GEAR-42, CB-FEAT-33, CB-VEH-49, CB-VEH-50."""
    model = asked(act, action.model)
    known = usable(model)
    if not known:
        raise InvalidInput(f"{model.name} has nothing that is used by itself.")
    key, name = find(action.item, known, lambda one: one[1], "item to use")
    act.canonical = asks = replace(action, model=ref(model), item=name, odds=False)
    if action.odds:
        could(act, model, "item")
        if key != EXTINGUISHER:
            raise InvalidInput(f"{name} takes no dice.")
        return _spray_odds(act, model, asks)
    telling = Telling()
    if key not in FREE:
        pay(act, model, "item")
    elif key not in BOOSTS and act.encounter.row.turn and not model.has(Condition.ACTIVE):
        forbid(f"{model.name} is not active: activate it first.", "CB-COND-07")
    USES[key](act, telling, again(act, model), action, key)
    return finish(act, telling)


Use = Callable[[Act, Telling, Fighter, UseItem, str], None]


def _gel(act: Act, telling: Telling, model: Fighter, action: UseItem, key: str) -> None:
    patient = named(act, action.target) if action.target else model
    telling.follow(act, items.med_gel(model, patient))
    now = again(act, patient)
    telling.lines.append(f"{model.name} gels {patient.name}: {now.damage}/{now.profile.life} wounds.")


def _boost(act: Act, telling: Telling, model: Fighter, action: UseItem, key: str) -> None:
    body = key == "body_boost"
    effects = (items.body_boost if body else items.brain_boost)(model, attack=action.attack)
    telling.follow(act, [one for one in effects if not isinstance(one, Propose)])
    what = "attack" if action.attack else "action"
    kind = what if body else f"psionic {what}"
    telling.lines.append(f"{model.name} has one more {kind}.")


def _repair(act: Act, telling: Telling, model: Fighter, action: UseItem, key: str) -> None:
    telling.follow(act, items.self_repair(model, key))
    now = again(act, model)
    telling.lines.append(f"{model.name} repairs itself: {now.damage}/{now.profile.life} wounds.")


def _smoke(act: Act, telling: Telling, model: Fighter, action: UseItem, key: str) -> None:
    row, turn = act.encounter.model(model.id), max(1, act.encounter.row.turn)
    cloud = clouds.smoke(model, turn, thrown=int(row.counters.get(SMOKED, 0) == turn))
    row.counters[SMOKED] = turn
    _cloud(act, telling, model, "smoke", cloud)


def _ink(act: Act, telling: Telling, model: Fighter, action: UseItem, key: str) -> None:
    _cloud(act, telling, model, "ink", clouds.ink(model, max(1, act.encounter.row.turn)))


def _cloud(act: Act, telling: Telling, model: Fighter, kind: str, cloud: clouds.Cloud) -> None:
    name = add_cloud(act.encounter, kind, cloud)
    telling.lines += [
        f"{model.name} makes a cloud, R{cloud.inches}: {name}.",
        f"Cover {cloud.cover} in it or touching it;",
        "no line of sight across it.",
        f"Gone as turn {cloud.began + 1} ends.",
    ]


def _sprayed_area(act: Act, model: Fighter, action: UseItem) -> tuple[str, Fire] | None:
    """The burning area that is sprayed, None for a model. Raises InvalidInput where neither is named."""
    burning = [
        row.name for row in act.encounter.models() if act.encounter.condition(row.id, Condition.BURNING)
    ]
    if not action.target:
        raise InvalidInput(f"Name who or which fire is sprayed. Burning: {', '.join(burning) or 'nobody'}.")
    if action.target[:1] == "#" or action.target.casefold() in " ".join(burning).casefold():
        return None
    items.require_item(model, EXTINGUISHER)
    return fire_named(act.encounter, action.target)


def _spray_odds(act: Act, model: Fighter, action: UseItem) -> Reply:
    """The chance to put out a model or a whole area. Rules: CB-GEAR-36."""
    chosen, area = settings(act), _sprayed_area(act, model, action)
    if area is not None:
        name, fire = area
        left = act.solve(items.extinguish_area, fire.inches)
        out = left.map(lambda successes: items.after_spraying(fire, successes, chosen) is None)
    else:
        target = named(act, action.target)
        name = target.name
        ready = items.prepare_extinguishing(model, target, partly=action.partly, settings=chosen)
        out = act.solve(items.extinguish_model, (ready.throw,) if ready else ())
    lines = [f"{name} is put out: {percent(out.chance(bool)).strip()}", exactness(out)]
    return odds_reply(act, model.side, lines, "Spray", action)


def _spray(act: Act, telling: Telling, model: Fighter, action: UseItem, key: str) -> None:
    chosen, area = settings(act), _sprayed_area(act, model, action)
    if area is not None:
        name, fire = area
        successes = act.roll(Whose(model.name, "spray", f"on {name}"), items.extinguish_area, fire.inches)
        after = items.after_spraying(fire, successes, chosen)
        write_fire(act.encounter, name, after)
        telling.lines.append(f"{name} is out." if after is None else f"{name}: R{after.inches} is left.")
        return
    target = named(act, action.target)
    ready = items.prepare_extinguishing(model, target, partly=action.partly, settings=chosen)
    whose = labelled(
        Whose(model.name, "spray", f"on {target.name}"),
        initiative=Whose(target.name, "Initiative check", f"to be in {possessive(model.name)} spray"),
    )
    out = act.roll(whose, items.extinguish_model, (ready.throw,) if ready else ())
    itself = target.id == model.id
    if itself and target.has(Condition.BURNING):
        flames.fight(act.encounter, model)
    telling.follow(act, items.after_extinguishing(target, out, itself=itself))
    telling.lines.append(f"{target.name} {'is put out' if out else 'burns on'}.")


USES: dict[str, Use] = {
    "med_gel": _gel,
    "body_boost": _boost,
    "brain_boost": _boost,
    "smoke_grenade": _smoke,
    "smoke_screen_launcher": _smoke,
    EXTINGUISHER: _spray,
    "computer_backup": _repair,
    "engineer_operator": _repair,
    INK: _ink,
}
"""What is used by itself, by key."""


# ------------------------------------------------------------------------------------------- hand over


@handles(HandOver)
def hand_over(act: Act, action: HandOver) -> Reply:
    """A Use Item action of the giver. Rules: CB-GEAR-02."""
    giver, to = own(act, action.giver), named(act, action.to)
    item = find(action.item, things(giver), lambda one: one.name, "item it carries")
    act.canonical = HandOver(ref(giver), item.name, ref(to))
    items.hand_over(giver, to, item, in_contact=True)
    pay(act, giver, "item")
    key = "weapons" if isinstance(item, Weapon) else "gear"
    _move(act.encounter.model(giver.id), key, item.key, -1)
    _move(act.encounter.model(to.id), key, item.key, 1)
    return finish(act, Telling([f"{giver.name} gives {to.name} the {item.name}."]))


def _move(row: ModelRow, kind: str, key: str, by: int) -> None:
    """Write an item into a model's row, or out of it."""
    draft = draft_of(row.profile)
    have = list(draft.weapons if kind == "weapons" else draft.gear)
    if by > 0:
        have.append(key)
    else:
        have.remove(key)
    if kind == "weapons":
        row.profile = row_text(replace(draft, weapons=tuple(have)))
    else:
        row.profile = row_text(replace(draft, gear=tuple(have)))


# ------------------------------------------------------------------------------------------- drain


@handles(Drain)
def drain(act: Act, action: Drain) -> Reply:
    """A melee attack without damage; what comes through switches the item off. Rules: CB-GEAR-35."""
    user, target = asked(act, action.user), named(act, action.target)
    require_between(action.inches, 0, 10, "Inches")
    item = find(action.item, drainable(target), lambda one: one.name, "item that can be drained")
    require_drain(user, target, item.key)
    armed = replace(user, weapons=(*user.weapons, DRAIN))
    blow = Blow(armed, target, DRAIN, inches=action.inches)
    orders = frozenset({user.id}) if action.order else frozenset[int]()
    melee = Melee((blow,), must_be_engaged=action.inches == 0, orders=orders)
    ready = prepare_melee(melee, settings(act)).blows[0]
    asks = replace(action, user=ref(user), target=ref(target), item=item.name, odds=False)
    act.canonical = asks
    said = [dice_words(ready.attack, "STR")]
    if action.odds:
        could(act, user, "fight")
        odds = act.solve(fight_wounds, ready.bout)
        off = odds.chance(bool)
        lines = [f"{user.name} drains {item.name}", *said, *bars([("off", off), ("nothing", 1 - off)])]
        return odds_reply(act, user.side, [*lines, exactness(odds)], "Drain", asks)
    pay(act, user, "fight")
    if action.order:
        spend_order(act, user.side)
    suffered = act.roll(at(user.name, target.name), fight, ready.bout)
    telling = Telling(why=why_check(ready.attack, f"{user.name}, energy drain"))
    telling.follow(act, after_drain(user, target, item.key, suffered))
    off_now = suffered.through > 0
    telling.lines.append(f"{target.name}'s {item.name} {'is off' if off_now else 'works on'}.")
    telling.lines += [tally(suffered)] if tally(suffered) else []
    telling.lines += ["Until the end of its next activation."] if off_now else []
    return finish(act, telling, said)


# ------------------------------------------------------------------------------------------- bombs


@handles(ArmBomb)
def arm_bomb(act: Act, action: ArmBomb) -> Reply:
    """Engineering at 7; it goes off as the next activation of who armed it ends. Rules: CB-GEAR-51."""
    model = asked(act, action.model)
    kit = find(action.bomb, bomb_kits(model), lambda one: one.name, "Bomb Kit")
    act.canonical = asks = replace(action, model=ref(model), bomb=kit.name, odds=False)
    row = act.encounter.model(model.id)
    goes = Button("Goes off...", Landed(model.id, kit.key), "main", anytime=True)
    if action.off and not action.odds:
        if not row.counters.get(BOMB + kit.key):
            raise Forbidden(f"{model.name} armed no {kit.name}.", "CB-GEAR-51")
        blow_up(row, kit.key)
        return finish(act, Telling([f"{kit.name} goes off."]), (), goes)
    ready = items.prepare_arming(model, kit, order_token=action.order, settings=settings(act))
    if action.odds:
        odds = act.solve(_arming, (ready.throw,))
        fates = (("armed", "armed"), ("fails", "nothing"), ("goes off at once", "explodes"))
        shown = [(words, odds.chance(lambda got, f=fate: got == f)) for words, fate in fates]  # type: ignore[misc]
        lines = [f"{model.name} arms {kit.name}", dice_words(ready, "INT"), *bars(shown), exactness(odds)]
        return odds_reply(act, model.side, lines, "Arm", asks)
    pay(act, model, "item")
    if action.order:
        spend_order(act, model.side)
    fate = act.roll(Whose(model.name, "INT check", f"to arm the {kit.name}"), _arming, (ready.throw,))
    carry_through(act, ended_by(model, Event.INT_CHECKED))
    telling = Telling(why=why_check(ready, f"{model.name} arms {kit.name}"))
    if fate == "explodes":
        telling.lines.append(f"{kit.name} goes off in {model.name}'s hands.")
        blow_up(row, kit.key)
        return finish(act, telling, [dice_words(ready, "INT")], goes)
    if fate == "armed":
        row.counters[BOMB + kit.key] = max(1, act.encounter.row.turn)
        telling.lines += [
            f"{model.name} arms {kit.name}.",
            "It goes off as its next activation ends;",
            "the bot will ask who is under it.",
        ]
    else:
        telling.lines.append(f"{model.name} cannot arm {kit.name}.")
    return finish(act, telling, [dice_words(ready, "INT")])


def _arming(dice: Dice, throws: tuple[Throw, ...]) -> str:
    """What arming comes to. Rules: CB-GEAR-51."""
    return str(items.arm(dice, throws))
