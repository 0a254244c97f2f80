"""Use psionic powers: on one target, or on several put together by pressing."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from bot.actions import Action, action_of, number_in, raw_of, reference_by_name
from bot.games.counterblast.core import common
from bot.games.counterblast.core.common import (
    again,
    find_own_fighter,
    pay,
    price,
    require_plannable,
    settings,
    spend_order,
    token_price,
)
from bot.games.counterblast.core.fields import order, who
from bot.games.counterblast.core.narration import Telling, finish, house_rule
from bot.games.counterblast.core.relics import list_relic_buttons
from bot.games.counterblast.core.wording import dice_words
from bot.games.counterblast.gear.skill_checks import skill_field
from bot.games.counterblast.psionics.power_effects import ENDS, SIZES, PowerUse, require_power
from bot.games.counterblast.psionics.power_rolls import SOLO_POWERS, power_chances, rolled, why_lines
from bot.games.counterblast.psionics.powers import (
    Named,
    find_fitting_use,
    find_uses,
    inches_of_each,
    listed,
    read_inches,
    suggest_known_powers,
    suggest_targets,
    without_inches,
    write_inches,
    write_uses,
    written,
)
from bot.games.counterblast.state.models import complete_next_name, fighters
from bot.replies.reply import Button, Choice, Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields, measuring
from bot.table.asking.kinds import Asking, nothing
from bot.table.asking.reading import inside, read_leniently
from bot.table.board import facts
from bot.table.board.facts import Fact
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.offers.forms import SEVERAL_BY_COMMAND, Several
from bot.table.owners import player_of
from bot.table.session.drafts import Draft, DraftView, read_draft_action, register_maker
from bot.table.steps import Chances, Weighed, in_steps
from rules.refusals import Forbidden, InvalidInput, Missing, forbid, require_one
from rules.systems.counterblast.building.crew import count_allowed_powers
from rules.systems.counterblast.core import dice_pools
from rules.systems.counterblast.core.checks import PreparedCheck
from rules.systems.counterblast.core.dice_pools import Pool
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Power, Size, Skill
from rules.systems.counterblast.gear.salvage import ultonium, unused
from rules.systems.counterblast.gear.skills import curable
from rules.systems.counterblast.psionics.powers import require_daunted
from rules.systems.counterblast.psionics.psionics import (
    Aim,
    PreparedPower,
    Use,
    actions_of,
    knows,
    prepare_power,
    prepare_team,
)
from rules.systems.counterblast.turn.activation import actions_left
from rules.wording import join_with_and, possessive, times


def _default_nothing(context: Asking) -> tuple[Any, ...]:
    return ()


def _read_helpers(context: Asking, text: str) -> tuple[Named, ...]:
    helpers = listed(context.act, text)
    for helper in helpers if not (context.act.action.looks or context.kept) else ():
        context.act.require_model(context.act.encounter.model(helper.model.id))
    return helpers


def _psionic_target_pairs(context: Asking) -> list[tuple[int, int]]:
    """Return the psionic with each target."""
    psionic = context.so_far.get("psionic")
    return [(psionic.id, aim.model.id) for aim in context.so_far.get("targets") or ()] if psionic else []


def _measure_unseen(context: Asking) -> Fact | None:
    """Return whether a target is out of the psionic's sight."""
    sights = [(pair[1], facts.sight(context.act.encounter, *pair)) for pair in _psionic_target_pairs(context)]
    if not sights or any(sight is None for _, sight in sights):
        return None
    hidden_names = [
        context.act.encounter.model(number).name for number, sight in sights if sight and sight.is_blocked
    ]
    verb = "is" if len(hidden_names) == 1 else "are"
    return Fact(
        bool(hidden_names), f"{join_with_and(hidden_names)} {verb} out of sight" if hidden_names else ""
    )


@dataclass(frozen=True, slots=True)
class UsePower(Action):
    """Use a psionic power.

    helpers: with their inches to the source (Heal: to the target). answered, ignored: models with an Ultonium
    that were asked, and those of them that ignore the attack.
    """

    command = "cb.psi"
    typed = "psi use"
    titled = "Power"
    said_first = (
        *("psionic", "power", "targets", "distance", "unseen", "helpers", "order", "odds"),
        *("skill", "number", "size"),
    )

    psionic: Fighter = who("Model that uses the power", called="model")
    power: tuple[Power, ...] = fields.sought(
        "Power to use",
        suggest_known_powers,
        lambda asking, text: find_uses(text),
        written=write_uses,
        needed=True,
    )
    targets: tuple[Named, ...] = fields.sought(
        'Targets and their dice, such as "Sally 2, Skip 1"',
        suggest_targets,
        lambda asking, text: listed(asking.act, text),
        written=written,
        default=_default_nothing,
        any_order=1,
        called="target",
        wanted=True,
        freely=True,
    )
    distance: tuple[float, ...] = fields.sought(
        "One distance for all targets, or one for each (inches)",
        nothing,
        lambda asking, text: read_inches(text),
        written=write_inches,
        default=_default_nothing,
        each_of="targets",
        fact=True,
        measures=measuring.distances(_psionic_target_pairs),
    )
    unseen: bool = fields.switch("The target is out of sight", fact=True, measures=_measure_unseen)
    helpers: tuple[Named, ...] = fields.sought(
        'Helpers and their distances to the model (inches), such as "Smap 3"',
        complete_next_name,
        _read_helpers,
        written=written,
        default=_default_nothing,
        any_order=1,
        decides=without_inches,
    )
    order: bool = order()
    skill: Skill | None = skill_field("Skill of the check (Identify only)")
    number: int = fields.whole("Target number of the check (Identify only)", 2, 15, default=0, fact=True)
    size: Size | None = fields.one_of("Size of the object (Telekinesis only)", SIZES)
    odds: bool = fields.odds()
    answered: tuple[int, ...] = fields.unordered()
    ignored: tuple[int, ...] = fields.unordered()
    by_hand: tuple[str, ...] = fields.by_hand()

    @property
    def involved(self) -> tuple[int, ...]:
        """Return the psionic and its targets, while this waits for an answer."""
        raw_values = raw_of(self)
        involved_text = f"{raw_values['psionic']} {raw_values.get('targets', '')}"
        return tuple(int(number) for number in re.findall(r"#(\d+)", involved_text))

    @property
    def attackers(self) -> tuple[int, ...]:
        """Return the psionic."""
        return self.involved[:1]


@dataclass(frozen=True, slots=True)
class AnswerUltonium(Action):
    """Decide whether a Crystalized Ultonium is used to ignore a psionic attack."""

    command = "cb.psi.ultonium"
    decision_of = player_of("model")

    row: int = 0
    model: int = 0
    ignore: bool = False


def _may_use(act: ActView, action: UsePower) -> None:
    psionic = action.psionic
    _require_powers(act, psionic)
    require_one(partial(price, act, psionic, key) for key in ("psionic", "psionic_attack"))


def _require_powers(act: ActView, psionic: Fighter) -> None:
    if any(knows(psionic, power) for power in load().power_keys()):
        return
    if count_allowed_powers(psionic.profile, psionic.gear, psionic.crew, settings(act)):
        raise Forbidden(f"First choose {possessive(psionic.name)} powers with /psi know.", "CB-PSI-01")
    raise Forbidden(f"{psionic.name} has no psionic powers.", "CB-PSI-01")


@dataclass(frozen=True, slots=True)
class ReadyPower:
    """A power that may be used.

    asks: the action in its one form. checks: the dice of each who takes part. power: what hits do.
    """

    psionic: Fighter
    asks: UsePower
    used: PowerUse
    checks: tuple[PreparedCheck, ...]
    power: PreparedPower


@in_steps(UsePower, may=_may_use)
class UsingPower(Weighed[UsePower, ReadyPower]):
    """A power as an action or as the one attack: dice, shields, and everything that follows from it."""

    label = "Use power"

    def prepare(self, act: ActView, action: UsePower) -> ReadyPower:
        _require_powers(act, action.psionic)
        return ready_power(act, replace(action, answered=(), ignored=()))

    def asks(self, act: Act, action: UsePower, ready: ReadyPower) -> Reply | None:
        return _ask_ultonium(act, ready.used, ready.asks)

    def do(self, act: Act, action: UsePower, ready: ReadyPower) -> Reply:
        return use_now(act, ready)

    def chances(self, act: ActView, action: UsePower, ready: ReadyPower) -> Chances:
        return power_chances(act, ready.used, ready.checks, ready.power)


@handles(AnswerUltonium)
def answer_ultonium(act: Act, action: AnswerUltonium) -> Reply:
    """Go on with the attack when everyone with an Ultonium has decided. Rules: CB-RELIC-12."""
    waiting_action = common.get_waiting_action(act, action.row, UsePower)
    act.require_model(act.encounter.model(action.model))
    ignoring_ids = (*waiting_action.ignored, action.model) if action.ignore else waiting_action.ignored
    answered_action = replace(
        waiting_action, answered=(*waiting_action.answered, action.model), ignored=ignoring_ids
    )
    common.remove_waiting_action(act, action.row)
    ready = ready_power(act, answered_action)
    return _ask_ultonium(act, ready.used, ready.asks) or use_now(act, ready)


def _ask_ultonium(act: Act, power_use: PowerUse, request: UsePower) -> Reply | None:
    """Ask the next target of an attack that bears a Crystalized Ultonium. Rules: CB-RELIC-12."""
    if power_use.row.target is not None:
        return None
    psionic = power_use.use.psionic
    for target in power_use.targets:
        may_ignore = target.side != psionic.side and unused(target, "crystalized_ultonium")
        if may_ignore and target.id not in request.answered:
            number = common.store_pending(act, psionic.side, request)
            ignore_action = AnswerUltonium(number, target.id, True)
            keep_action = AnswerUltonium(number, target.id)
            lines = [
                f"{psionic.name} uses {power_use.row.name} on {target.name}.",
                f"{target.name} carries Crystalized Ultonium.",
                "Ignore the attack? This uses up the Ultonium.",
            ]
            buttons = (
                Button("Ignore the attack", ignore_action, anytime=True),
                Button("Don't use the Ultonium", keep_action, anytime=True),
            )
            return Reply(tuple(lines), buttons=(*buttons, UNDO))
    return None


def ready_power(act: ActView, action: UsePower) -> ReadyPower:
    """Return the power as the rules see it. Raises InvalidInput, Forbidden."""
    psionic = action.psionic
    power_use, request = _build_power_use(act, action)
    act.canonical = request
    require_power(act, power_use)
    if power_use.row.power == "frighten":
        require_daunted(tuple(power_use.targets))
    checks, power = _prepare_dice(act, power_use)
    key, actions = actions_of(power_use.use.power)
    token_price(act, psionic, spent=power_use.use.order_token)
    if act.action.looks:
        for model in (psionic, *power_use.helpers):
            require_plannable(act, model, key)
    else:
        _require_actions(act, power_use, actions)
        price(act, psionic, key)
    return ReadyPower(psionic, request, power_use, checks, power)


def use_now(act: Act, ready: ReadyPower) -> Reply:
    """Pay, throw, and tell what came of it."""
    power_use, power, request = ready.used, ready.power, ready.asks
    _pay(act, power_use)
    telling = Telling()
    for target in power_use.targets:
        if target.id in request.ignored:
            telling.follow(act, ultonium(target))
            telling.lines.append(f"{target.name} uses Crystalized Ultonium to ignore the attack.")
    telling.why += why_lines(act, power_use, ready.checks, power)
    results = rolled(act, power_use, ready.checks, power, request.ignored)
    ENDS[power_use.row.power](act, telling, power_use, results)
    telling.lines += house_rule(act, "psi_text")
    checks = [result.check for result in results if result.portal is None]
    failed = bool(checks) and not any(check.net for check in checks) and not request.answered
    critical = any(check.critical_failure for check in checks) and not request.answered
    relic_buttons = list_relic_buttons(act, ready.psionic, failed=failed, critical=critical)
    dice_lines = [dice_words(check, "PSI") for check in ready.checks]
    return replace(
        finish(act, telling, dice_lines, *power_use.buttons, *relic_buttons), files=tuple(power_use.files)
    )


# ------------------------------------------------------------------------------------------- what is asked


def _build_power_use(act: ActView, action: UsePower) -> tuple[PowerUse, UsePower]:
    psionic, targets, helpers = action.psionic, action.targets, action.helpers
    row = find_fitting_use(action.power, psionic, targets[0].model if targets else None)
    inches = inches_of_each(action.distance, len(targets))
    aims = tuple(
        Aim(aim.model, distance, not action.unseen, aim.number or 0)
        for aim, distance in zip(targets, inches, strict=True)
    )
    free_range = row.power == "deep_portal" or row.key == "telekinesis_self"
    if row.power == "deep_portal" and not action.odds and not action.distance:
        raise Missing("Enter the distance to the far end of the Deep Portal.")
    needs_target = not free_range and row.key != "telekinesis_ally" and row.power != "identify"
    if needs_target and not aims:
        raise Missing(f"Choose a target for {row.name}.")
    checks_alone = row.key == "calm_allies" or row.power == "identify" or free_range
    use = Use(psionic, row.key, () if checks_alone else aims, 1 + len(helpers), action.order)
    if helpers and row.power in SOLO_POWERS:
        raise InvalidInput(f"Leave out the helpers, because only one model at a time can use {row.name}.")
    if not free_range and not use.aims:
        for target_inches in inches or inches_of_each(action.distance, 1):
            _require_range_and_sight(psionic, row, target_inches, in_sight=not action.unseen)
    power_use = PowerUse(
        use,
        tuple(target.model for target in targets),
        helpers=tuple(helper.model for helper in helpers),
        near=tuple(_helper_inches(act, helper, _source(psionic, row, targets)) for helper in helpers),
        inches=inches_of_each(action.distance, 1)[0] if free_range else (inches[0] if inches else 0.0),
        skill=action.skill or _default_skill(psionic, targets),
        number=action.number,
        size=action.size or "S",
    )
    return power_use, replace(action, power=(row,), odds=False)


def _source(psionic: Fighter, row: Power, targets: tuple[Named, ...]) -> Fighter:
    """Return the model from which a helper's distance counts."""
    return targets[0].model if row.power == "heal" and targets else psionic


def _helper_inches(act: ActView, helper: Named, source: Fighter) -> float:
    """Return how far a helper is from the source: as entered, or by the board."""
    if helper.number is not None:
        return float(helper.number)
    return facts.inches(facts.apart(act.encounter, helper.model.id, source.id))


def _default_skill(psionic: Fighter, targets: tuple[Named, ...]) -> str:
    patient = targets[0].model if targets else None
    if patient is None or patient.side != psionic.side or not curable(patient):
        return "technology"
    return "medicine" if patient.profile.is_living else "engineering"


def _require_range_and_sight(psionic: Fighter, row: Power, inches: float, *, in_sight: bool) -> None:
    """Range and sight where the dice do not depend on the target. Raises Forbidden."""
    if inches > row.range_inches:
        forbid(f"{row.name} reaches only {row.range_inches} in (you entered {inches:g} in).", row.rules[0])
    if row.line_of_sight and not in_sight:
        forbid(f"{row.name} needs line of sight to the target.", row.rules[0])


def _prepare_dice(act: ActView, power_use: PowerUse) -> tuple[tuple[PreparedCheck, ...], PreparedPower]:
    """Return the dice of all who take part, and what hits do. Raises Forbidden, InvalidInput."""
    use, rules = power_use.use, settings(act)
    ready = prepare_power(use, rules)
    if not power_use.helpers:
        return ready.checks, ready
    if len(use.aims) > 1:
        raise InvalidInput("Choose one target only, because these models use the power together.")
    team_uses = [(use, 0.0)]
    for helper, distance in zip(power_use.helpers, power_use.near, strict=True):
        order = use.order_token
        team_uses.append((Use(helper, use.power, use.aims, use.team, order), distance))
    return prepare_team(tuple(team_uses), rules), ready


def _require_actions(act: ActView, power_use: PowerUse, actions: int) -> None:
    """Refuse a power that takes more actions than are left. Raises Forbidden."""
    psionic = power_use.use.psionic
    if act.encounter.row.turn and actions > actions_left(psionic):
        forbid(
            (
                f"{power_use.row.name} takes {times(actions, 'action')}, but {psionic.name} has "
                f"{actions_left(psionic) or 'none'} left."
            ),
            power_use.row.rules[0],
        )


def _pay(act: Act, power_use: PowerUse) -> None:
    key, actions = actions_of(power_use.use.power)
    psionic = power_use.use.psionic
    for model in (psionic, *power_use.helpers):
        for _ in range(actions):
            pay(act, again(act, model), key)
    if power_use.use.order_token:
        spend_order(act, psionic.side)


SHARED = "cb.psi"

MAX_TARGETS = 4
"""Targets whose numbers and dice a button has room for."""

LAST = {"helpers": "helpers", "skill": "skill", "number": "target number", "size": "size of the object"}
"""Fields of the form for which a draft has no room; they are asked at its end."""


@register_maker(SHARED, 0, 1)
def shared(act: Act, draft: Draft) -> DraftView:
    """Return the menu that shares the dice of a power. words: the form's, except its targets.

    about: nothing; the psionic in drafts of the version before, which are refused as such.
    """
    action = read_draft_action(draft, UsePower.command)
    assert isinstance(action, UsePower)
    psionic = find_own_fighter(act, str(raw_of(action).get("psionic", "")))
    rating, _ = dice_pools.rating_parts(dice_pools.rating_of(psionic, "PSI"), "PSI")
    pool = Pool(rating, (), settings(act).advantage_stacks).available
    fighters_by_id = {fighter.id: fighter for fighter in fighters(act.encounter) if not fighter.is_down}
    if not set(draft.pieces) <= set(fighters_by_id):
        raise InvalidInput(
            'One of these models is no longer in play. Press Power and tick "Several targets" again.'
        )
    dice_given = {number: draft.pieces.count(number) for number in dict.fromkeys(draft.pieces)}
    dice_left = pool - len(draft.pieces)
    lines = [f"{psionic.name}: {times(dice_left, 'die', 'dice')} left", f"{action.power}. Only you see this."]
    lines += [
        f"  {times(count, 'die', 'dice')} for {fighters_by_id[number].name}"
        for number, count in dice_given.items()
    ]
    order = sorted(
        fighters_by_id.values(), key=lambda one: (one.id not in dice_given, one.side == psionic.side)
    )
    choices = tuple(
        Choice(fighter.name, str(fighter.id))
        for fighter in order
        if dice_left > 0
        and fighter.id != psionic.id
        and (fighter.id in dice_given or len(dice_given) < MAX_TARGETS)
    )
    filled_action = replace(
        action,
        targets=reference_by_name(", ".join(f"#{number} {count}" for number, count in dice_given.items())),
    )
    ready_buttons = (
        (Button("Set distance...", filled_action, "main", anytime=True, asks=True),) if not dice_left else ()
    )
    return DraftView(tuple(lines), "Add one die for a target", choices, ready_buttons)


def _start_sharing_dice(act: Act, action: Action) -> Draft | None:
    raw_values = raw_of(action)
    if not {"psionic", "power"} <= raw_values.keys() or number_in(str(raw_values["psionic"])) is None:
        return None
    for name, words in LAST.items():
        if name in raw_values:
            raise InvalidInput(
                f'First share out the dice. Then press "Set distance..." and enter the {words}.'
            )
    aims = read_leniently(act, action, "")["targets"] or ()
    pieces = tuple(aim.model.id for aim in aims for _ in range(aim.number or 1))
    other_values = {name: raw for name, raw in raw_values.items() if name != "targets"}
    return Draft(SHARED, pieces=pieces, words=inside(action_of(action.command, other_values)))


SEVERAL_BY_COMMAND[UsePower.command] = Several(
    "Several targets", "Next, you share out the dice", _start_sharing_dice
)
