"""The charts of nerves and powers at the table, carried through: unhinged, backlash, rampage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.warzone.acting import note_deed
from bot.games.warzone.attacks import fate, parse_reach
from bot.games.warzone.blast_play import who_menu
from bot.games.warzone.common import (
    ATTACK_GRANT,
    CONTACT,
    MADDENED,
    by_number,
    carry_through,
    check_may_act,
    grant,
    granted,
    named,
    own,
    settings,
    touch,
)
from bot.games.warzone.fight_play import Fight, Fighting
from bot.games.warzone.shoot_play import Shoot, Shooting
from bot.games.warzone.sight import afraid, sight_menu
from bot.games.warzone.telling import Telling, at_once, offers
from bot.games.warzone.units import ACTIVATED, is_gone, read_turn, squad_of
from bot.games.warzone.words import sum_lines, times
from bot.replies.reply import Blank, Button, Menu, Reply, form
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.handlers import handles
from bot.table.rolling.throws import Whose, counted
from rules.effects import Count, Propose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.warzone.channelling import after_storm, mind_storm, storm_limit, storm_modifiers
from rules.systems.warzone.charts import (
    DERANGED_ARC,
    after_backlash,
    after_rampage,
    after_unhinged,
    dominate,
    finds_nobody,
    rampage_due,
    roll_chart,
    row_of,
)
from rules.systems.warzone.model import ACTIONS, LOST_ACTIONS, Condition, Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.templates import DIRECTIONS, direction

DOMINATED = "dominated"
"""Counter of a model: its summoner dominates it in this turn."""

ATTACK_FORM = form(
    "wz.attack",
    "Whom, and how far? 0 in contact",
    Blank("target", "Target"),
    Blank("distance", "Distance", default="0", longest=8),
)


@dataclass(frozen=True, slots=True)
class Attack(Action):
    """An attack that a chart makes a model do: with its main weapon, at any distance."""

    command = "wz.attack"

    attacker: str = ""
    target: str = ""
    distance: str = "0"


@dataclass(frozen=True, slots=True)
class Derangement(Action):
    """Roll whom a deranged model attacks: a direction first."""

    command = "wz.deranged"

    model: str = ""


@dataclass(frozen=True, slots=True)
class NobodyThere(Action):
    """Nobody stands where a deranged model would attack: the action is lost."""

    command = "wz.nobody"

    model: str = ""


@dataclass(frozen=True, slots=True)
class MindStorm(Action):
    """Everyone near a channeler tests LD. hidden: who sees no enemy; roll: nobody is asked any more."""

    command = "wz.storm"

    model: int = 0
    magnitude: int = 0
    near: tuple[int, ...] = ()
    hidden: tuple[int, ...] = ()
    roll: bool = False


@dataclass(frozen=True, slots=True)
class Rampage(Action):
    """A summoned model rolls on the rampage table."""

    command = "wz.rampage"

    model: str = ""
    summoner: str = ""


@dataclass(frozen=True, slots=True)
class Dominate(Action):
    """The summoner dominates his model."""

    command = "wz.dominate"
    typed = "wz state dominate"
    titled = "Dominate"

    model: str = fields.words("Whom", offering.own_model, needed=True)


# ------------------------------------------------------------------------------------------- unhinged


@at_once("unhinged")
def _unhinged(telling: Telling, proposal: Propose) -> None:
    model = named(telling.act, f"#{proposal.model}")
    whose = Whose(model.name, "roll", "on the Unhinged chart")
    key = telling.act.roll(whose, roll_chart, "unhinged")
    row = row_of("unhinged", key)
    telling.lines.append(f"{model.name} is Unhinged: {row.name}.")
    telling.thrown()
    telling.next.append(f"{row.name}: {row.says}")
    telling.follow(after_unhinged(model, key))


@offers("derangement")
def _offer_derangement(act: Act, proposal: Propose) -> Button:
    return Button(
        f"{named(act, f'#{proposal.model}').name}: direction", Derangement(f"#{proposal.model}"), "main"
    )


@handles(Derangement)
def derangement(act: Act, action: Derangement) -> Reply:
    """The direction of this activation's mad attack. Rules: WZ-UNH-05, WZ-DEV-01."""
    model = own(act, action.model)
    act.canonical = replace(action, model=f"#{model.id}")
    if not model.has(Condition.DERANGED):
        raise Forbidden(f"{model.name} is not deranged.", "WZ-UNH-05")
    check_may_act(act, model, Deed.FIGHT)
    if model.count(MADDENED):
        raise Forbidden(f"{model.name} has its direction for this activation.", "WZ-UNH-05")
    telling = Telling(act)
    grant(act, model, ATTACK_GRANT)
    act.encounter.model(model.id).counters[MADDENED] = 1
    whose = Whose(model.name, "direction", "of its mad attack")
    where = act.roll(whose, direction, DIRECTIONS[settings(act).deviation_direction])
    telling.lines.append(f"{model.name} turns {str(where).removeprefix('0 in towards ')}.")
    telling.thrown()
    telling.next.append("It attacks the nearest model of another")
    telling.next.append(f"squad within {DERANGED_ARC // 2} degrees of there.")
    return telling.reply(
        Button("Attack...", Attack(f"#{model.id}"), "main", form=ATTACK_FORM),
        Button("Nobody is there", NobodyThere(f"#{model.id}")),
    )


@handles(NobodyThere)
def nobody_there(act: Act, action: NobodyThere) -> Reply:
    """The action is lost. Rules: WZ-UNH-05."""
    model = own(act, action.model)
    act.canonical = replace(action, model=f"#{model.id}")
    key = granted(model, Deed.FIGHT)
    if not model.has(Condition.DERANGED) or not key:
        raise Forbidden(f"{model.name} does not look for anybody now.", "WZ-UNH-05")
    del act.encounter.model(model.id).counters[key]
    telling = Telling(act)
    telling.follow(finds_nobody(model))
    telling.note(note_deed(act.encounter, model))
    telling.lines.append(f"{model.name} finds nobody: action lost.")
    return telling.closing(model)


@handles(Attack)
def forced_attack(act: Act, action: Attack) -> Reply:
    """With the main weapon: shot at a distance, or struck in contact. Rules: WZ-UNH-05, WZ-RAMP-01.

    A derangement's attack costs an action, but no nerve is needed for what it must do.
    """
    attacker, target = own(act, action.attacker), named(act, action.target)
    inches = parse_reach(action.distance)
    close = [weapon for weapon in attacker.profile.weapons if weapon.has("close")]
    if inches > 0 and len(close) == len(attacker.profile.weapons):
        raise InvalidInput(f"{attacker.name} can only strike: give 0 where it is in contact.")
    if attacker.has(Condition.DERANGED) and granted(attacker, Deed.FIGHT):
        if target.squad == attacker.squad:
            raise Forbidden(f"{target.name} is of its own squad: it attacks another one's.", "WZ-UNH-05")
        carry_through(act, [Count("model", attacker.id, ACTIONS, -1)])
        note_deed(act.encounter, attacker)
    if inches > 0:
        asked = Shoot(f"#{attacker.id}", f"#{target.id}", f"{inches:g}")
        return Shooting().do(act, asked, Shooting().prepare(act, asked))
    if not attacker.count(f"{CONTACT}{target.id}"):
        touch(act, attacker, target)
    weapon = f"#{attacker.profile.weapons.index(close[0]) + 1}" if close else ""
    strike = Fight(f"#{attacker.id}", f"#{target.id}", weapon)
    return Fighting().do(act, strike, Fighting().prepare(act, strike))


@offers("attack_nearest_friend")
def _offer_friend(act: Act, proposal: Propose) -> Button:
    return _offer_attack(act, proposal, 1)


@offers("attack_nearest")
def _offer_nearest(act: Act, proposal: Propose) -> Button:
    return _offer_attack(act, proposal, 1)


@offers("attack")
def _offer_forced(act: Act, proposal: Propose) -> Button:
    details = dict(proposal.details)
    model = named(act, f"#{proposal.model}")
    return _offer_attack(act, proposal, model.profile.ac if details.get("all_actions") else 1)


def _offer_attack(act: Act, proposal: Propose, attacks: int) -> Button:
    model = named(act, f"#{proposal.model}")
    grant(act, model, ATTACK_GRANT, attacks)
    target = dict(proposal.details).get("target", "")
    action = Attack(f"#{model.id}", f"#{target}" if target else "")
    return Button(f"{model.name} attacks...", action, "main", anytime=True, form=ATTACK_FORM)


# ------------------------------------------------------------------------------------------- backlash


@at_once("backlash")
def _backlash(telling: Telling, proposal: Propose) -> None:
    model = named(telling.act, f"#{proposal.model}")
    whose = Whose(model.name, "roll", "on the backlash chart")
    key = telling.act.roll(whose, roll_chart, "backlash")
    row = row_of("backlash", key)
    telling.lines.append(f"Backlash on {model.name}: {row.name}.")
    telling.thrown()
    telling.next.append(row.says)
    telling.follow(after_backlash(model, key, int(dict(proposal.details)["magnitude"])))


@offers("mind_storm")
def _offer_storm(act: Act, proposal: Propose) -> Menu:
    magnitude = int(dict(proposal.details)["magnitude"])
    return who_menu(act, "Mind Storm: who else is near?", MindStorm(proposal.model, magnitude), "near")


@handles(MindStorm)
def storm(act: Act, action: MindStorm) -> Reply:
    """The channeler and everybody near: an LD test each, or a wound. Rules: WZ-BACK-04."""
    channeler = named(act, f"#{action.model}")
    act.require_model(act.encounter.model(action.model))
    near = tuple(sorted({*action.near, *action.hidden, channeler.id}))
    act.canonical = replace(action, near=near, hidden=tuple(sorted(action.hidden)))
    models = by_number(act, near)
    if not action.roll and afraid(models):
        return _ask_sight(act.canonical, channeler, models)
    telling = Telling(act)
    seeing = [each.id not in action.hidden for each in models]
    limits = tuple(
        storm_limit(each, action.magnitude, enemy_in_sight=sees)
        for each, sees in zip(models, seeing, strict=True)
    )
    whose = counted(
        *(
            Whose(one.name, "LD test", f"against the Mind Storm, {limit} or less")
            for one, limit in zip(models, limits, strict=True)
        )
    )
    wounds = act.roll(whose, mind_storm, limits)
    telling.lines.append(f"Mind Storm: {times(sum(wounds), 'wound')}.")
    telling.lines += [
        f"{each.name}: {fate(each, 1) if hurt else 'resists'}"
        for each, hurt in zip(models, wounds, strict=True)
    ]
    telling.thrown(", ".join(f"{m.name} {n} or less" for m, n in zip(models, limits, strict=True)))
    for each, sees in zip(models, seeing, strict=True):
        parts = storm_modifiers(each, action.magnitude, enemy_in_sight=sees)
        telling.why += [each.name, *sum_lines("LD", each.profile.ld, parts)]
    telling.follow(after_storm(models, wounds), source=channeler)
    return telling.reply()


def _ask_sight(action: MindStorm, channeler: Model, models: Sequence[Model]) -> Reply:
    """Whose fear counts depends on whether an enemy is in sight: asked before anything is rolled."""
    roll = Button("Roll", replace(action, roll=True), "main", anytime=True)
    lines = (
        f"Mind Storm around {channeler.name}: {', '.join(model.name for model in models)}.",
        "Is no enemy in sight of who is afraid?",
        "Then: Roll. Nothing is rolled yet.",
    )
    return Reply(lines, buttons=(roll,), menus=(sight_menu(action, models),))


# ------------------------------------------------------------------------------------------- rampage


@handles(Rampage)
def rampage(act: Act, action: Rampage) -> Reply:
    """The roll and its result; what ends at once is offered. Rules: WZ-RAMP-01, WZ-RAMP-02."""
    model = own(act, action.model)
    summoner = named(act, action.summoner, gone=True) if action.summoner else None
    act.canonical = replace(action, model=f"#{model.id}", summoner=f"#{summoner.id}" if summoner else "")
    if summoner is not None and summoner.id == model.id:
        raise InvalidInput(f"{model.name} did not summon itself.")
    with act.overridable():
        rampage_due(model, settings(act), dominated=bool(model.count(DOMINATED)))
    telling = Telling(act)
    whose = Whose(model.name, "roll", "on the rampage chart")
    key = act.roll(whose, roll_chart, "rampage")
    row = row_of("rampage", key)
    telling.lines.append(f"{model.name} rampages: {row.name}.")
    telling.thrown()
    alive = summoner is not None and not is_gone(act.encounter.model(summoner.id))
    if key == "turns_on_summoner" and not alive:
        telling.next.append("Its summoner is gone: it is blinded.")
        row = row_of("rampage", "blinded")
    telling.next.append(row.says)
    telling.follow(after_rampage(model, key, summoner.id if summoner and alive else None))
    if key == "lash_out" or (key == "turns_on_summoner" and alive):
        _use_up(act, model)
    return telling.reply()


def _use_up(act: Act, model: Model) -> None:
    """The model's activation of this turn is used up by the rampage. Rules: WZ-RAMP-02."""
    encounter, squad = act.encounter, squad_of(act.encounter, model.squad)
    encounter.model(model.id).counters.pop(ACTIONS, None)
    turn = read_turn(encounter)
    if squad.id in turn.active or squad.id not in turn.left(squad.side):
        return
    if len(squad.models) == 1:
        encounter.side(squad.side).counters[f"{ACTIVATED}{squad.id}"] = 1
    else:
        encounter.model(model.id).counters[LOST_ACTIONS] = model.profile.ac


@handles(Dominate)
def dominated(act: Act, action: Dominate) -> Reply:
    """The summoner dominates the model in this turn. Rules: WZ-RAMP-01, WZ-RAMP-02."""
    model = own(act, action.model)
    act.canonical = replace(action, model=f"#{model.id}")
    act.encounter.model(model.id).counters[DOMINATED] = 1
    telling = Telling(act)
    telling.follow(dominate(model))
    telling.lines.append(f"{model.name} is dominated this turn.")
    return telling.reply()
