"""Devices that are set, given and used, and the list of what a model carries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import carry_through, settings
from bot.games.counterblast.core.fields import foe, friend, order, thing_of, who
from bot.games.counterblast.core.narration import (
    Finishing,
    FinishingOften,
    Telling,
    describe_hits,
    due,
    require_between,
)
from bot.games.counterblast.core.wording import at, dice_words, why_check
from bot.games.counterblast.templates.coverage import BOMB, Landed, mark_exploded
from bot.replies.chances import bars
from bot.replies.reply import Button, Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields, measuring
from bot.table.handlers import handles
from bot.table.owners import ANYONE
from bot.table.steps import Chances, in_steps
from bot.table.throw_purposes import Cast, Whose
from rules.dice import Dice
from rules.effects import Effect
from rules.refusals import Forbidden
from rules.systems.counterblast.core.checks import PreparedCheck, Throw
from rules.systems.counterblast.core.conditions import Event, end_conditions
from rules.systems.counterblast.core.counters import RELIC
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.impacts import Suffered
from rules.systems.counterblast.core.profile import Gear, Weapon
from rules.systems.counterblast.gear import items
from rules.systems.counterblast.gear.items import (
    DRAIN,
    USED,
    after_drain,
    drainable,
    is_used_up,
    require_drain,
    require_tool,
)
from rules.systems.counterblast.gear.salvage import PER_ENCOUNTER, relic
from rules.systems.counterblast.melee.bouts import Blow, Melee, PreparedBlow, fight, fight_wounds
from rules.systems.counterblast.melee.fighting import prepare_melee
from rules.wording import possessive

INK = "ink cloud"
EXTINGUISHER = "fire_extinguisher"

USABLE = (
    "med_gel",
    "body_boost",
    "brain_boost",
    "smoke_grenade",
    "smoke_screen_launcher",
    EXTINGUISHER,
    "computer_backup",
    "engineer_operator",
)
"""Gear that can be used directly, by key."""


@dataclass(frozen=True, slots=True)
class Usable:
    """A piece of gear or Feature that can be used directly."""

    key: str
    name: str


def list_usable(model: Fighter) -> list[Usable]:
    """Return what a model can use directly."""
    devices = [Usable(item.key, item.name) for item in model.gear if item.key in USABLE]
    return devices + ([Usable(INK, "Ink Cloud")] if model.has_feature("ink_cloud") else [])


def list_carried(model: Fighter) -> Sequence[Weapon | Gear]:
    """Return all that a model carries."""
    return (*model.weapons, *model.gear)


def bomb_kits(model: Fighter) -> tuple[Weapon, ...]:
    """Return the Bomb Kits that a model carries."""
    return tuple(weapon for weapon in model.weapons if weapon.group == "bomb")


@dataclass(frozen=True, slots=True)
class Drain(Action):
    """Switch off an enemy's item with an Extraction Tool.

    An attack; inches between the bases.
    """

    command = "cb.gear.drain"
    typed = "gear drain"
    titled = "Switch an item off"

    user: Fighter = who(called="model")
    target: Fighter = foe("Enemy", needed=True)
    item: Gear | Weapon = thing_of("target", "Item to switch off", drainable, "item", needed=True)
    inches: float = measuring.inches_between(
        "user", "target", "Distance between the models (inches)", fact=True
    )
    order: bool = order()
    odds: bool = fields.odds()
    by_hand: tuple[str, ...] = fields.by_hand()


@dataclass(frozen=True, slots=True)
class ArmBomb(Action):
    """Arm a Bomb Kit, or set off an armed one."""

    command = "cb.gear.bomb"
    typed = "gear bomb"
    titled = "Bomb Kit"

    model: Fighter = who()
    bomb: Weapon = thing_of("model", "Bomb Kit to arm or set off", bomb_kits, "Bomb Kit", needed=True)
    off: bool = fields.switch("Set off the armed kit now")
    order: bool = order()
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class ReadyDrain:
    """An item that may be drained: the blow, and what it costs."""

    user: Fighter
    target: Fighter
    item: Gear | Weapon
    blow: PreparedBlow
    due: tuple[Effect, ...]


@in_steps(Drain)
class Draining(Finishing[Drain, ReadyDrain, Suffered]):
    """A melee attack without damage; what comes through switches the item off. Rules: CB-GEAR-35."""

    label = "Drain"

    def prepare(self, act: ActView, action: Drain) -> ReadyDrain:
        """Return an item of one that it reaches. Raises InvalidInput, Forbidden."""
        user = action.user
        require_tool(user)
        costs = due(act, user, "fight", order=action.order)
        target, item = action.target, action.item
        require_between(action.inches, 0, 10, "Distance (inches)")
        require_drain(user, target, item.key)
        user_with_drain = replace(user, weapons=(*user.weapons, DRAIN))
        order_ids = frozenset({user.id}) if action.order else frozenset[int]()
        attack = Blow(user_with_drain, target, DRAIN, inches=action.inches)
        melee = Melee((attack,), must_be_engaged=action.inches == 0, orders=order_ids)
        blow = prepare_melee(melee, settings(act)).blows[0]
        return ReadyDrain(user, target, item, blow, costs)

    def whose(self, action: Drain, ready: ReadyDrain) -> Cast:
        return at(ready.user.name, ready.target.name)

    def rule(self, dice: Dice, ready: ReadyDrain) -> Suffered:
        return fight(dice, ready.blow.bout)

    def settle(self, act: Act, action: Drain, ready: ReadyDrain, outcome: Suffered) -> Telling:
        carry_through(act, ready.due)
        user, target, is_off = ready.user, ready.target, outcome.through > 0
        reasons = why_check(ready.blow.attack, f"{possessive(user.name)} energy drain")
        telling = Telling(why=reasons, dice=[dice_words(ready.blow.attack, "STR")])
        telling.follow(act, after_drain(user, target, ready.item.key, outcome))
        telling.lines.append(
            f"{possessive(target.name)} {ready.item.name} {'is switched off' if is_off else 'still works'}."
        )
        telling.lines += [describe_hits(outcome)] if describe_hits(outcome) else []
        telling.lines += (
            [f"The item stays off until {possessive(target.name)} next activation ends."] if is_off else []
        )
        return telling

    def chances(self, act: ActView, action: Drain, ready: ReadyDrain) -> Chances:
        odds = act.solve(fight_wounds, ready.blow.bout)
        off_chance = odds.chance(bool)
        dice = dice_words(ready.blow.attack, "STR")
        rows = bars([("switched off", off_chance), ("no effect", 1 - off_chance)])
        head = f"{ready.user.name} tries to switch off {possessive(ready.target.name)} {ready.item.name}"
        return Chances((head, dice, *rows), "switched off", off_chance, (odds,))


@dataclass(frozen=True, slots=True)
class ReadyBomb:
    """A kit that may be armed, with the check and what it costs; without a check it goes off now."""

    model: Fighter
    kit: Weapon
    check: PreparedCheck | None = None
    due: tuple[Effect, ...] = ()


@in_steps(ArmBomb)
class Arming(FinishingOften[ArmBomb, ReadyBomb, str]):
    """Engineering at 7; it goes off as the next activation of who armed it ends. Rules: CB-GEAR-51."""

    label = "Arm"

    def prepare(self, act: ActView, action: ArmBomb) -> ReadyBomb:
        """Return a kit that it carries, or has armed. Raises InvalidInput, Forbidden."""
        model, kit = action.model, action.bomb
        if action.off and not act.action.looks:
            if not model.count(BOMB.of(kit.key)):
                raise Forbidden(f"{model.name} has to arm the {kit.name} first.", "CB-GEAR-51")
            return ReadyBomb(model, kit)
        check = items.prepare_arming(model, kit, order_token=action.order, settings=settings(act))
        return ReadyBomb(model, kit, check, due(act, model, "item", order=action.order))

    def thrown(self, act: Act, action: ArmBomb, ready: ReadyBomb) -> str:
        if ready.check is None:
            return "goes off"
        roller = Whose(ready.model.name, "INT check", f"to arm the {ready.kit.name}")
        return act.roll(roller, _arm_kit, (ready.check.throw,))

    def settle(self, act: Act, action: ArmBomb, ready: ReadyBomb, outcome: str) -> Telling:
        model, kit, telling = ready.model, ready.kit, Telling()
        row = act.encounter.model(model.id)
        if ready.check is not None:
            carry_through(act, (*ready.due, *end_conditions(model, Event.INT_CHECKED)))
            telling.why += why_check(ready.check, f"{model.name} tries to arm the {kit.name}")
            telling.dice = [dice_words(ready.check, "INT")]
        if outcome in ("explodes", "goes off"):
            place_text = f" in {possessive(model.name)} hands" if outcome == "explodes" else ""
            telling.lines.append(f"The {kit.name} goes off{place_text}.")
            mark_exploded(row, kit.key)
            telling.more = (Button("Resolve the blast...", Landed(model.id, kit.key), "main", anytime=True),)
        elif outcome == "armed":
            row.counters[BOMB.of(kit.key)] = max(1, act.encounter.row.turn)
            telling.lines += [
                f"{model.name} arms the {kit.name}.",
                f"It goes off when {possessive(model.name)} next activation ends. You will be asked who "
                "is hit.",
            ]
        else:
            telling.lines.append(f"{model.name} fails to arm the {kit.name}.")
        return telling

    def chances(self, act: ActView, action: ArmBomb, ready: ReadyBomb) -> Chances:
        assert ready.check is not None, "odds are those of arming it"
        odds = act.solve(_arm_kit, (ready.check.throw,))
        fates = (("armed", "armed"), ("fails", "nothing"), ("goes off at once", "explodes"))
        rows = [(words, odds.chance(lambda got, f=fate: got == f)) for words, fate in fates]  # type: ignore[misc]
        head = f"{ready.model.name} tries to arm the {ready.kit.name}"
        lines = (head, dice_words(ready.check, "INT"), *bars(rows))
        return Chances(lines, "armed", rows[0][1], (odds,))


def _arm_kit(dice: Dice, throws: tuple[Throw, ...]) -> str:
    """Rules: CB-GEAR-51."""
    return str(items.arm(dice, throws))


GEAR_USAGE = {
    "breaching_charge": "/gear charge, then /gear breach",
    "heavy_breaching_charge": "/gear charge, then /gear breach",
    "electronic_lockpick": "/gear unlock",
    "extraction_tool": "/cb fight or /gear drain (re-rolls happen automatically)",
    "fahz_jiin": "/psi focus",
    "rocket_pack": "/cb move go or /cb charge",
    "scanner": "/cb spot (its other effects apply automatically)",
    "secret_plans": "/spoils build",
    "watchdog": "/gear pair",
}
"""Commands of items that are not used with /gear use, /gear relic or /gear give."""

RELIC_HOW = {
    "ancient_text": "/gear relic",
    "lost_tech": "/gear relic before the check",
    "boon": "press its button after a failed check",
    "trinket": "press its button after a critical failure",
    "beacon": "press its button after a failed Rally",
    "crystalized_ultonium": "press its button when a psionic attacks",
    "valuable_bauble": "/spoils use",
    "timebomb": "/spoils use",
}


@dataclass(frozen=True, slots=True)
class ShowGear(Action):
    """Show what a model carries and how to use it.

    To the asker alone.
    """

    command = "cb.gear.show"
    typed = "gear show"
    titled = "Show gear"
    decision_of = ANYONE

    model: Fighter = friend("Model", needed=True)


@handles(ShowGear)
def show_gear(act: Act, action: ShowGear) -> Reply:
    """Return every item with its state. Rules: CB-GEAR-01, CB-GEAR-09, CB-GEAR-35, CB-RELIC-02."""
    model = action.model
    lines = [
        *(line for weapon in model.weapons for line in _weapon_lines(model, weapon)),
        *(line for item in model.gear for line in _gear_lines(model, item)),
        *_relic_lines(model),
    ]
    head = f"{model.name} carries:" if lines else f"{model.name} carries nothing."
    footer = ('Gear and relics without a "Use" line work automatically.',) if lines else ()
    return Reply((head, *lines, *footer), private=True)


def describe_item_state(model: Fighter, item: Weapon | Gear) -> str:
    """Return what is out of order with an item, in brackets; empty when all is well."""
    if not model.works(item.key):
        return " (off)"
    if isinstance(item, Gear) and is_used_up(model, item):
        return " (used up)"
    return ""


def _weapon_lines(model: Fighter, weapon: Weapon) -> list[str]:
    marks = "".join(f", Relic {modifier.amount:+d}" for modifier in model.relic_weapon(weapon))
    usage = ["  Use it with /gear bomb."] if weapon.group == "bomb" else []
    return [f"{weapon.name}{marks}{describe_item_state(model, weapon)}", *usage]


def _gear_lines(model: Fighter, item: Gear) -> list[str]:
    key = item.key.removeprefix("vehicle_")
    usage = "/gear use" if item.key in USABLE else GEAR_USAGE.get(key, "")
    return [
        f"{item.name}{describe_item_state(model, item)}: {item.text}",
        *([f"  Use: {usage}"] if usage else []),
    ]


def _relic_lines(model: Fighter) -> list[str]:
    lines = []
    for key, number in sorted(model.counters):
        if not RELIC.counts(key) or number < 1:
            continue
        row = relic(RELIC.rest(key))
        is_spent = row.key in PER_ENCOUNTER and model.count(USED.of(row.key)) >= number
        count_text = f" x{number}" if number > 1 else ""
        lines.append(f"{row.name}{count_text} (relic{', used up' if is_spent else ''}): {row.text}")
        lines += [f"  Use: {RELIC_HOW[row.key]}"] if row.key in RELIC_HOW else []
    return lines
