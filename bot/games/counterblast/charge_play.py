"""The charge at the table: declared, shot at, arrived, stepped in upon, fought out.

What waits for the defender is kept as the `Charge` itself; every answer leads on from there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast import pending
from bot.games.counterblast.answers import ask_or_fight
from bot.games.counterblast.arc_play import require_mastery
from bot.games.counterblast.arms import arm_of, melee_arm
from bot.games.counterblast.attacks import Telling
from bot.games.counterblast.common import (
    UNDO,
    again,
    carry_through,
    named,
    orders_of,
    own,
    pay,
    settings,
    spend_order,
)
from bot.games.counterblast.contact import names, touch
from bot.games.counterblast.drift_play import charge_drifts, drift_odds
from bot.games.counterblast.fight_play import blow_odds, goes_down
from bot.games.counterblast.fighters import fighter, fighters
from bot.games.counterblast.melees import Melee, Pairing, flat, prepared
from bot.games.counterblast.owed import Debt, finds
from bot.games.counterblast.reactions import snap_chances, snap_shot, snap_weapons
from bot.games.counterblast.vehicle_crash import charge_crash, charged, collision_odds
from bot.games.counterblast.words import dice_words, exactness, hurt_words, trace_lines, why_check
from bot.replies.chances import percent
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act
from bot.table.encounter import set_counter
from bot.table.handlers import handles
from rules.modifiers import total
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.charge import (
    after_fear,
    fear,
    is_ambush,
    may_snap_attack,
    may_step_in,
    must_be_reachable,
    prepare_fear,
    scares,
)
from rules.systems.counterblast.fighter import Counter, Fighter
from rules.systems.counterblast.movement import burrow_cost
from rules.systems.counterblast.profile import Weapon
from rules.systems.counterblast.terrain import Rugged, rugged_penalty

NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Charge(Action):
    """A model charges. inches: to the target along the way; terrain: inches that it costs; rugged: ratings of
    the Rugged ground touched; burrow: underground.

    gap: inches left between the bases, for Reach. helpers: who steps in, or nobody; empty: ask.
    """

    command = "cb.charge"
    facts = frozenset({"inches", "terrain"})

    charger: str = ""
    target: str = ""
    inches: float = 0.0
    weapon: str = ""
    terrain: float = 0.0
    gap: float = 0.0
    order: bool = False
    helpers: str = ""
    odds: bool = False
    rugged: tuple[int, ...] = ()
    burrow: bool = False

    @property
    def involved(self) -> tuple[int, ...]:
        """Charger and target, once they are numbers."""
        return (int(self.charger[1:]), int(self.target[1:]))


@dataclass(frozen=True, slots=True)
class Snap(Action):
    """The target shoots before contact. weapon: which of its ranged ones.

    charger, target and tenths are told by the charge; the log keeps them.
    """

    command = "cb.snap"

    row: int = 0
    weapon: int = 0
    order: bool = False
    charger: int = 0
    target: int = 0
    tenths: int = 0


@dataclass(frozen=True, slots=True)
class SnapOdds(Action):
    """The chances of the shots that the target may make before contact."""

    command = "cb.snap-odds"

    row: int = 0
    odds: bool = True


@dataclass(frozen=True, slots=True)
class LetCome(Action):
    """The target does not shoot; the charge arrives."""

    command = "cb.let-come"

    row: int = 0


@dataclass(frozen=True, slots=True)
class StepIn(Action):
    """Friends of the target within 1 in step into contact with the charger; nobody where none is named."""

    command = "cb.step-in"

    row: int = 0
    models: tuple[int, ...] = ()


@handles(Charge)
def charge(act: Act, action: Charge) -> Reply:
    """Two actions; where the target may shoot first, its player is asked."""
    charger = named(act, action.charger) if action.odds else own(act, action.charger)
    target = named(act, action.target)
    arm = melee_arm(charger, action.weapon, settings(act))
    costs = action.terrain + _ground_cost(charger, action)
    must_be_reachable(charger, target, action.inches, terrain_inches=costs)
    _reach_is_legal(charger, arm_of(charger, arm, settings(act)), action.gap)
    declared = replace(
        action,
        charger=f"#{charger.id}",
        target=f"#{target.id}",
        weapon=f"@{arm}" if arm else "",
        helpers=_helpers_named(act, action.helpers, target),
        odds=False,
    )
    prepared(act, blows(act, declared), must_be_engaged=False)
    act.canonical = declared
    if action.odds:
        return _odds_reply(act, declared, charger, target)
    require_mastery(act, charger, arm_of(charger, arm, settings(act)))
    pay(act, charger, "charge")
    if action.order:
        spend_order(act, charger.side)
    from_hiding = " from hiding" if is_ambush(charger) else ""
    set_counter(act.encounter.model(charger.id).counters, Counter.UNDERGROUND, 0)
    under = " underground" if action.burrow or charger.count(Counter.UNDERGROUND) else ""
    telling = Telling([f"{charger.name} charges {target.name}{from_hiding}{under}, {action.inches:g} in."])
    away = charge_drifts(act, telling, charger, action.inches)
    if away is not None:
        return away
    if may_snap_attack(charger, target, action.inches) and snap_weapons(act, target, charger):
        return _ask_snap(act, telling, declared, charger, target)
    return _arrive(act, telling, declared)


def _ground_cost(charger: Fighter, action: Charge) -> float:
    """Inches that Rugged ground takes off the charge, or the way underground.

    Rules: CB-TERR-12, CB-FEAT-13, CB-FEAT-53.
    """
    if action.burrow or charger.count(Counter.UNDERGROUND):
        return burrow_cost(charger)
    pieces = tuple(Rugged(f"ground {number}", rating) for number, rating in enumerate(action.rugged, 1))
    return -total(rugged_penalty(pieces, eases=charger.footing, off_ground=charger.flies))


def _reach_is_legal(charger: Fighter, weapon: Weapon, gap: float) -> None:
    if gap < 0:
        raise InvalidInput("A distance is 0 inches or more.")
    if gap > weapon.reach_inches:
        forbid(f"{weapon.name} reaches {weapon.reach_inches} in, not {gap:g} in.", "CB-WEAP-07")


def _helpers_named(act: Act, text: str, target: Fighter) -> str:
    if not text or text.casefold() in (NOBODY, "none"):
        return NOBODY if text else ""
    found = [named(act, part) for part in text.split(",") if part.strip()]
    if any(model.side != target.side for model in found):
        raise Forbidden(f"Only friends of {target.name} step in.", "CB-CHARGE-05")
    return ",".join(f"#{model.id}" for model in found)


def blows(act: Act, action: Charge) -> Melee:
    """The melee that the charge leads to."""
    charger, target = named(act, action.charger), named(act, action.target)
    arm = melee_arm(charger, action.weapon, settings(act))
    pairing = Pairing(charger.id, target.id, 0, arm, round(action.gap * 10))
    return Melee("charge", flat([pairing]), (charger.id,) if action.order else ())


# ---------------------------------------------------------------- the shot before contact


def _ask_snap(act: Act, telling: Telling, declared: Charge, charger: Fighter, target: Fighter) -> Reply:
    act.minor = act.roller is None or not act.roller.record
    number = pending.keep(act, charger.side, declared)
    telling.lines.append(f"{target.name} may shoot first, at -2.")
    return Reply(tuple(telling.lines), buttons=(*_snap_buttons(act, number, charger, target), UNDO))


def _snap_buttons(act: Act, number: int, charger: Fighter, target: Fighter) -> list[Button]:
    tokens = orders_of(act.encounter.side(target.side))
    buttons = [Button("Let it come", LetCome(number), "main", anytime=True)]
    for place, weapon in snap_weapons(act, target, charger):
        buttons.append(Button(f"Shoot: {weapon.name}", Snap(number, place), anytime=True))
        if tokens:
            buttons.append(Button(f"{weapon.name} +1 (order)", Snap(number, place, order=True), anytime=True))
    return [*buttons[:20], Button("Odds", SnapOdds(number), anytime=True)]


@finds
def charges_left(act: Act) -> list[Debt]:
    """Charges that wait for the target's shot or its helpers. Rules: CB-CHARGE-04 to CB-CHARGE-06."""
    found = []
    for number in pending.rows(act, Charge):
        if not pending.is_answerable(act, number):
            continue
        declared, charger, target = _waiting(act, number)
        line = f"{charger.name}'s charge at {target.name} waits."
        if declared.helpers == "?":
            nobody = Button("Nobody", StepIn(number), "main", anytime=True)
            menu = _helpers_menu(number, charger, _may_help(act, charger, target))
            found.append(Debt(target.side, line, (nobody,), (menu,)))
        else:
            found.append(Debt(target.side, line, tuple(_snap_buttons(act, number, charger, target))))
    return found


def _helpers_menu(number: int, charger: Fighter, near: list[Fighter]) -> Menu:
    choices = tuple(Choice(model.name, str(model.id)) for model in near[:25])
    prompt = f"Who is within 1 in of {charger.name}?"
    return Menu(prompt, StepIn(number), "models", choices, 1, len(choices), anytime=True)


def _waiting(act: Act, row: int) -> tuple[Charge, Fighter, Fighter]:
    """The charge that waits, for somebody who may answer for its target."""
    declared = pending.waiting(act, row, Charge)
    charger, target = named(act, declared.charger), named(act, declared.target)
    return declared, charger, target


@handles(SnapOdds)
def snap_odds(act: Act, action: SnapOdds) -> Reply:
    """To whoever asks: for each weapon, and with an order token where there is one."""
    declared, charger, target = _waiting(act, action.row)
    tokens = orders_of(act.encounter.side(target.side))
    lines, solved = [f"{target.name} shoots first:"], []
    for _, weapon in snap_weapons(act, target, charger):
        for order in (False, True) if tokens else (False,):
            odds = snap_chances(act, target, charger, weapon, declared.inches, order=order)
            solved.append(odds)
            lines.append(f"{weapon.name}{' +1' if order else ''}: {hurt_words(odds, charger)}")
    return Reply((*lines, exactness(*solved), "Nothing is rolled."), private=True)


@handles(Snap)
def snap(act: Act, action: Snap) -> Reply:
    """One free shot at -2; if the charger goes down, the charge ends."""
    declared, charger, target = _waiting(act, action.row)
    act.require_model(act.encounter.model(target.id))
    if declared.helpers.startswith("?"):
        raise InvalidInput("The charge has arrived: too late to shoot.")
    weapon = dict(snap_weapons(act, target, charger)).get(action.weapon)
    if weapon is None:
        raise InvalidInput(f"{target.name} cannot shoot with that.")
    act.canonical = Snap(0, action.weapon, action.order, charger.id, target.id, round(declared.inches * 10))
    if action.order:
        spend_order(act, target.side)
    pending.settle(act, action.row)
    telling = Telling()
    snap_shot(act, telling, target, charger, weapon, declared.inches, order=action.order)
    if again(act, charger).is_incapacitated:
        telling.lines += ["The charge ends.", *telling.proposal_lines()]
        return Reply(tuple(telling.lines), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))
    return _arrive(act, telling, declared)


@handles(LetCome)
def let_come(act: Act, action: LetCome) -> Reply:
    """The charge arrives without a shot."""
    declared, charger, target = _waiting(act, action.row)
    act.require_model(act.encounter.model(target.id))
    act.canonical = replace(declared, helpers="")
    pending.settle(act, action.row)
    return _arrive(act, Telling([f"{target.name} lets {charger.name} come."]), declared)


# ---------------------------------------------------------------- contact


def _arrive(act: Act, telling: Telling, declared: Charge) -> Reply:
    """Bases touch: fear, then helpers are asked for, or the blows fall."""
    charger, target = named(act, declared.charger), named(act, declared.target)
    if declared.gap:
        return ask_or_fight(act, telling, blows(act, declared))
    charged(act, telling, charger, target, declared.inches)
    charger, target = again(act, charger), again(act, target)
    if charger.is_incapacitated or target.is_incapacitated:
        telling.lines += ["The charge ends.", *telling.proposal_lines()]
        return Reply(tuple(telling.lines), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))
    touch(act, charger, target)
    if scares(charger, target, settings=settings(act)):
        _frighten(act, telling, again(act, target))
    if declared.helpers:
        chosen = [] if declared.helpers == NOBODY else declared.helpers.split(",")
        return _stepped_in(act, telling, declared, [named(act, one) for one in chosen])
    near = _may_help(act, charger, target)
    if not near:
        return ask_or_fight(act, telling, blows(act, declared))
    act.minor = act.roller is None or not act.roller.record
    number = pending.keep(act, charger.side, replace(declared, helpers="?"))
    menu = _helpers_menu(number, charger, near)
    telling.lines.append(f"Contact. {act.encounter.side(target.side).name}: who steps in?")
    return Reply(
        tuple(telling.lines),
        buttons=(Button("Nobody", StepIn(number), "main", anytime=True), UNDO),
        menus=(menu,),
        why=tuple(telling.why),
    )


def _frighten(act: Act, telling: Telling, target: Fighter) -> None:
    ready = prepare_fear(target, settings=settings(act))
    mark = len(act.dice.trace)
    kept = act.roll(fear, (ready.throw,))
    telling.proposals += carry_through(act, after_fear(target, kept))
    telling.lines.append(f"{target.name} {'holds' if kept else 'panics'} (Scary).")
    telling.lines += [dice_words(ready, "INT"), *trace_lines(act.dice.trace[mark:])]
    telling.why += why_check(ready, f"{target.name}, Scary")


def _may_help(act: Act, charger: Fighter, target: Fighter) -> list[Fighter]:
    """Friends of the target who may step in, if they stand near enough."""
    return [
        model
        for model in fighters(act.encounter, target.side)
        if model.id != target.id and may_step_in(model, charger, 0)
    ]


@handles(StepIn)
def step_in(act: Act, action: StepIn) -> Reply:
    """The target's player says who; then the blows fall."""
    declared, charger, target = _waiting(act, action.row)
    act.require_side(target.side)
    if declared.helpers != "?":
        raise InvalidInput("The charge has not arrived yet.")
    chosen = [fighter(act.encounter, act.encounter.model(number)) for number in action.models]
    pending.settle(act, action.row)
    telling = Telling([f"{charger.name} charges {target.name}."])
    return _stepped_in(act, telling, declared, chosen)


def _stepped_in(act: Act, telling: Telling, declared: Charge, chosen: list[Fighter]) -> Reply:
    charger, target = named(act, declared.charger), named(act, declared.target)
    for helper in chosen:
        if helper.side != target.side or not may_step_in(helper, charger, 0):
            forbid(f"{helper.name} cannot step in: engaged or out of action.", "CB-CHARGE-05")
        touch(act, again(act, helper), again(act, charger))
    if chosen:
        telling.lines.append(f"{names(chosen)} {'steps' if len(chosen) == 1 else 'step'} in.")
    return ask_or_fight(act, telling, blows(act, declared))


# ---------------------------------------------------------------- odds


def _odds_reply(act: Act, declared: Charge, charger: Fighter, target: Fighter) -> Reply:
    """The blows with the charge's bonus; a snap attack and helpers are not counted."""
    melee = blows(act, declared)
    lines = drift_odds(act, charger, declared.inches)
    lines += ["Charge, once in contact:" if not declared.gap else "Charge, stopping at Reach:"]
    crash = None if declared.gap else charge_crash(charger, target, declared.inches)
    lines += ["Collision:", *collision_odds(act, charger, [target], crash), "Then:"] if crash else []
    if not declared.gap and scares(charger, target, settings=settings(act)):
        ready = prepare_fear(target, settings=settings(act))
        panics = act.solve(fear, (ready.throw,)).chance(lambda kept: not kept)
        lines.append(f"Scary: {target.name} panics {percent(panics).strip()}")
        lines.append(f"If so: {goes_down(act, melee, panicked=True)}. If not:")
    lines += blow_odds(act, melee)
    buttons = [Button("Charge", replace(declared, order=False), "main")]
    if orders_of(act.encounter.side(charger.side)):
        lines.append(f"With an order: {goes_down(act, replace(melee, orders=(charger.id,)))}")
        buttons.append(Button("Charge with order", replace(declared, order=True)))
    return Reply((*lines, "Nothing is rolled."), private=True, buttons=tuple(buttons))
