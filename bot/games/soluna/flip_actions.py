"""Choosing flips for an attack, and what follows: protections, damage and knockdowns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Generic, TypeVar

from bot.actions import Action, number_in
from bot.games.soluna.activation import apply_effects, refreshed_model, settings_for
from bot.games.soluna.model_actions import roll_knockdowns
from bot.games.soluna.narration import (
    Doable,
    Narration,
    counted_line,
    describe_flips,
    describe_hits,
    describe_losses,
    describe_stopped_hits,
    dice_words,
    flip_budget,
    state_words,
)
from bot.games.soluna.settings import settings_of
from bot.games.soluna.strikes import Strike, note_fall, read_waiting_strikes, store_strikes
from bot.replies.chances import bars
from bot.replies.reply import Blank, Button, Choice, Menu, Reply, form
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.encounter import GONE, Encounter, EncounterView
from bot.table.journal.history import UNDO
from bot.table.owners import in_play
from bot.table.steps import Chances, in_steps
from bot.table.waits import player_of
from rules.refusals import InvalidInput
from rules.systems.soluna.damage import (
    Damage,
    Target,
    after_damage,
    build_target,
    damage,
    due_knockdowns,
    is_fatal,
    list_ruined,
    mode_test,
    striking_faces,
)
from rules.systems.soluna.faces import Counts, best_flips, flip_cost, make_flips
from rules.systems.soluna.faces import Flip as Turned
from rules.systems.soluna.models import Model
from rules.systems.soluna.movement import after_lunge
from rules.systems.soluna.prospects import BEST, is_fully_weighed
from rules.systems.soluna.prospects import Choice as Advice
from rules.wording import times

A = TypeVar("A", bound=Action)

NO_FLIPS = "none"
"""The choice to leave the dice as they are."""

_FLIP_PATTERN = re.compile(r"([1-6])\s*(?:>|to|-)\s*([1-6])")

FLIPS_FORM = form(
    "sol.flips",
    "Your own flips (one entry for each die)",
    Blank("turns", 'Flips, such as "5>3 4>1" (blank for none)', required=False, longest=100, as_typed=True),
)


@dataclass(frozen=True, slots=True)
class MakeFlips(Action):
    """Choose the flips for the current attack.

    choice: best, for a location, none, or die by die as 5>3 4>1. said: the attack itself, written down so
    that a repeat can be told from something else.
    """

    command = "sol.flip"
    typed = "sol flip"
    titled = "Flips"
    decision_of = in_play("the player whose model may flip the dice")

    row: int = 0
    choice: str | None = fields.one_of(
        "Make the best flips overall, or the best for one location",
        ("best", "mind", "health", "body", "shield", "arsenal", "speed", "none"),
        called="place",
    )
    turns: str = fields.text('Flips die by die, such as "5>3 4>1"', None, notation=True)
    said: str = ""
    odds: bool = fields.odds("See what these flips would do")


@dataclass(frozen=True, slots=True)
class NameItem(Action):
    """Choose the item that takes the Arsenal hits, before the flips."""

    command = "sol.item"
    decision_of = in_play("the attacker's player")

    row: int = 0
    item: str = ""


# ------------------------------------------------------------------------------------------- going on


def resolve_strikes(act: Act, narration: Narration, strikes: tuple[Strike, ...], row_id: int = 0) -> Reply:
    """Resolve strikes until none is left or one needs a choice, and then ask for the choice."""
    while strikes:
        strike = strikes[0]
        options = strike.choices(act.encounter, settings_for(act))
        if act.encounter.model(strike.target).status != GONE and _has_choice(act, strike, options):
            row_id = store_strikes(act.encounter, strikes, row_id)
            return _ask_flips(act, narration, row_id, strike, options)
        if act.encounter.model(strike.target).status != GONE:
            resolve_strike(act, narration, strike, strike.counts, ())
        strikes = strikes[1:]
    store_strikes(act.encounter, (), row_id)
    return narration.reply(act, UNDO)


def _has_choice(act: Act, strike: Strike, options: tuple[Advice, ...]) -> bool:
    """Return whether flips or the choice of an item can make a difference."""
    lacks_item = not strike.item and _needs_item(act.encounter, strike, options)
    return lacks_item or strike.is_open(act.encounter, settings_for(act))


def _needs_item(encounter: Encounter, strike: Strike, options: Sequence[Advice]) -> bool:
    """Return whether the attacker can choose which of several items is hit. Rules: SU-GRID-05."""
    return len(_list_items_left(encounter, strike)) > 1 and any(
        option.damage.of("arsenal") for option in options
    )


def _list_items_left(encounter: EncounterView, strike: Strike) -> list[str]:
    model, _ = strike.struck(encounter)
    return [name for name, health in model.carried() if name and health]


def build_item_menus(encounter: Encounter, row_id: int, strike: Strike) -> list[Menu]:
    """Return a menu of the items that can take the Arsenal hits, or [] if that makes no difference."""
    if not _needs_item(encounter, strike, strike.choices(encounter, settings_of(encounter))):
        return []
    items_left = _list_items_left(encounter, strike)
    item_choices = tuple(Choice(name, str(place)) for place, name in enumerate(items_left, 1))
    prompt = f"Item that takes the Arsenal hits (now {strike.item or items_left[0]})"
    return [Menu(prompt, NameItem(row_id), "item", item_choices, anytime=True)]


def _ask_flips(
    act: Act, narration: Narration, row_id: int, strike: Strike, options: tuple[Advice, ...]
) -> Reply:
    encounter = act.encounter
    attacker, target = encounter.model(strike.attacker), encounter.model(strike.target)
    model, struck_target = strike.struck(encounter)
    is_first_question = not narration.lines
    narration.lines.append(f"{attacker.name} attacks {target.name} with {strike.weapon}")
    narration.lines.append(f"{dice_words(strike.power)}, {flip_budget(strike.accuracy)}")
    narration.dice += [
        counted_line(model.name if strike.area else "Dice", strike.counts),
        f"Hits: {describe_hits(strike.counts, struck_target, settings_for(act))}",
    ]
    narration.why += strike.why
    menus = build_item_menus(encounter, row_id, strike)
    if not strike.is_open(encounter, settings_for(act)):
        narration.then.append(
            f"{player_of(encounter, attacker.id)}: choose which item takes the Arsenal hits."
        )
        return narration.reply(act, UNDO, menus=menus).minor(is_first_question)
    if len(options) > 1:
        is_exhaustive = is_fully_weighed(strike.counts, strike.accuracy)
        praise = (
            f"does the least damage to {target.name}" if strike.is_on_friend(encounter) else "is the best"
        )
        narration.then.append(
            f"The first choice {praise}."
            if is_exhaustive
            else "There are too many choices to compare all of them, but the first is a good one."
        )
    chooser = attacker if strike.accuracy >= 0 else target
    narration.then.append(f"{player_of(encounter, chooser.id)}: choose the flips for {chooser.name}.")
    flip_choices = tuple(
        Choice(_label_advice(option, model), option.location or NO_FLIPS, _describe_advice(option))
        for option in _pick_best_of_equals(options)
    )
    flips_menu = Menu(f"Choose the flips for {chooser.name}", MakeFlips(row_id), "choice", flip_choices)
    own_flips_button = Button("My own flips...", MakeFlips(row_id), form=FLIPS_FORM)
    return narration.reply(act, own_flips_button, UNDO, menus=[flips_menu, *menus]).minor(is_first_question)


def _pick_best_of_equals(options: tuple[Advice, ...]) -> list[Advice]:
    """Return one option for each result of the dice: the one with the most hits on its location."""
    best_by_counts: dict[Counts, Advice] = {}
    for option in options:
        best_so_far = best_by_counts.setdefault(option.flipped.counts, option)
        if option.flipped.hits > best_so_far.flipped.hits:
            best_by_counts[option.flipped.counts] = option
    return list(best_by_counts.values())


def _label_advice(option: Advice, model: Model) -> str:
    title = option.location.capitalize() if option.location else "No flips"
    return f"{title}: {describe_losses(option.damage)}{_describe_fate(option.damage, model)}"


def _describe_advice(option: Advice) -> str:
    if not option.flipped.flips:
        return "leave the dice as they are"
    if option.location == BEST:
        return f"flip {describe_flips(option.flipped.flips)}"
    hits = times(option.flipped.hits, "hit")
    return f"flip {describe_flips(option.flipped.flips)} for {hits} on {option.location}"


def _describe_fate(harm: Damage, model: Model) -> str:
    if is_fatal(harm, build_target(model)):
        return ", killed"
    if harm.of("mind") and harm.of("mind") >= model.value("mind"):
        return ", unconscious"
    return ""


# ------------------------------------------------------------------------------------------- choosing


@dataclass(frozen=True, slots=True)
class ReadyStrike:
    """The strike to resolve now, and the ones after it. counts: its dice after the flips."""

    row: int
    strike: Strike
    then: tuple[Strike, ...]
    counts: Counts
    flips: tuple[Turned, ...] = ()


class Deciding(Doable[A, ReadyStrike], Generic[A]):
    """A choice about dice that have been rolled; only knockdown tests may be rolled after it."""

    label = "Flip"

    def chances(self, act: ActView, action: A, ready: ReadyStrike) -> Chances:
        """Return the chances of the knockdown test. Rules: SU-KO-01, SU-KO-02."""
        settings, strike = settings_for(act), ready.strike
        struck_model, struck_target = strike.struck(act.encounter)
        harm = damage(ready.counts, struck_target, strike.named, settings)
        if not harm.total:
            return Chances((f"{struck_model.name} takes no damage.",), "stays up", 1.0)
        damage_line = f"{struck_model.name}: {describe_losses(harm)}{_describe_fate(harm, struck_model)}"
        knockdown_tests = (
            () if is_fatal(harm, struck_target) else due_knockdowns(struck_model, harm, settings)
        )
        test_odds = tuple(act.solve(mode_test, test.dice, test.difficulty) for test in knockdown_tests)
        rows = [
            (f"stays up (hit on {knockdown.location})", odds.chance(bool))
            for knockdown, odds in zip(knockdown_tests, test_odds, strict=True)
        ]
        chance_to_stand = prod((chance for _, chance in rows), start=1.0)
        return Chances((damage_line, *(bars(rows) if rows else ())), "stays up", chance_to_stand, test_odds)


@in_steps(NameItem)
class Naming(Deciding[NameItem]):
    """Choose the item for the Arsenal hits, and ask for the flips again. Rules: SU-GRID-05."""

    def prepare(self, act: ActView, action: NameItem) -> ReadyStrike:
        row, strikes = read_waiting_strikes(act.encounter, action.row)
        act.require_model(act.encounter.model(strikes[0].attacker))
        items_left = _list_items_left(act.encounter, strikes[0])
        place = number_in(action.item, "")
        if place is not None and 1 <= place <= len(items_left):
            name = items_left[place - 1]
        else:
            name = next((item for item in items_left if item.lower() == action.item.strip().lower()), "")
        if not name:
            raise InvalidInput(f"Pick one of these items: {', '.join(items_left)}.")
        return ReadyStrike(row, replace(strikes[0], item=name), strikes[1:], strikes[0].counts)

    def do(self, act: Act, action: NameItem, ready: ReadyStrike) -> Reply:
        return resolve_strikes(act, Narration(), (ready.strike, *ready.then), ready.row).minor()


@in_steps(MakeFlips)
class Flipping(Deciding[MakeFlips]):
    """Flip, and carry the attack through. Rules: SU-FLIP-01 to SU-FLIP-03, SU-ATK-02."""

    def prepare(self, act: ActView, action: MakeFlips) -> ReadyStrike:
        pending_id, strikes = read_waiting_strikes(act.encounter, action.row)
        strike = strikes[0]
        flipper_id = strike.attacker if strike.accuracy >= 0 else strike.target
        act.require_model(act.encounter.model(flipper_id))
        counts, flips = _make_chosen_flips(act, strike, action)
        flips_text = " ".join(f"{flip.old}>{flip.new}" for flip in flips for _ in range(flip.dice))
        act.canonical = MakeFlips(pending_id, None if flips_text else NO_FLIPS, flips_text, repr(strike))
        return ReadyStrike(pending_id, strike, strikes[1:], counts, flips)

    def do(self, act: Act, action: MakeFlips, ready: ReadyStrike) -> Reply:
        narration = Narration()
        resolve_strike(act, narration, ready.strike, ready.counts, ready.flips)
        return resolve_strikes(act, narration, ready.then, ready.row)


def _make_chosen_flips(act: ActView, strike: Strike, action: MakeFlips) -> tuple[Counts, tuple[Turned, ...]]:
    """Return the dice after the flips that were chosen, and the flips. Raises Forbidden, InvalidInput."""
    if action.turns.strip():
        flip_pairs = [(int(a), int(b)) for a, b in _FLIP_PATTERN.findall(action.turns)]
        if _FLIP_PATTERN.sub("", action.turns).replace(",", "").strip() or not flip_pairs:
            raise InvalidInput('Write flips die by die, such as "5>3 4>1".')
        flips_allowed = abs(strike.accuracy)
        with act.overridable():
            make_flips(strike.counts, tuple(flip_pairs), flips_allowed)
        counts = make_flips(strike.counts, tuple(flip_pairs), sum(flip_cost(a, b) for a, b in flip_pairs))
        return counts, tuple(Turned(1, a, b, flip_cost(a, b)) for a, b in flip_pairs if a != b)
    choice = action.choice
    if choice in (None, NO_FLIPS):
        return strike.counts, ()
    options = strike.choices(act.encounter, settings_for(act))
    if choice == BEST:
        return options[0].flipped.counts, options[0].flipped.flips
    for option in options:
        if option.location == choice:
            return option.flipped.counts, option.flipped.flips
    struck_target = strike.struck(act.encounter)[1]
    if choice in struck_target.grid.keys and (
        faces := striking_faces(struck_target, choice, settings_for(act))
    ):
        spares_friend = strike.is_on_friend(act.encounter)
        flips_available = -abs(strike.accuracy) if spares_friend else strike.accuracy
        flipped = best_flips(strike.counts, flips_available, faces)
        return flipped.counts, flipped.flips
    choices_text = ", ".join(dict.fromkeys([BEST, *(option.location or NO_FLIPS for option in options)]))
    raise InvalidInput(f"Choose one of these: {choices_text}.")


# ------------------------------------------------------------------------------------------- outcome


def resolve_strike(
    act: Act, narration: Narration, strike: Strike, counts: Counts, flips: tuple[Turned, ...]
) -> Damage:
    """Apply the damage of a strike and what follows from it.

    Rules: SU-GRID-02, SU-GRID-04, SU-DMG-05, SU-KO-01.
    """
    encounter, settings = act.encounter, settings_for(act)
    struck_model, struck_target = strike.struck(encounter)
    attacker = encounter.model(strike.attacker)
    harm = damage(counts, struck_target, strike.named, settings)
    effects = after_damage(struck_model, harm)
    can_strike_back = note_fall(act, strike, struck_model, effects)
    apply_effects(act, effects, by=strike.attacker)
    model_after = refreshed_model(act, struck_model)
    narration.lines += _describe_verdict(act, attacker.name, struck_model, model_after, harm)
    narration.lines += [line for line in (describe_stopped_hits(harm, struck_target),) if line]
    if can_strike_back:
        narration.then.append(f"{struck_model.name} can still strike back this phase. Press Attack.")
    ruined_items = list_ruined(struck_model, harm)
    if ruined_items and encounter.model(struck_model.id).status != GONE:
        narration.lines.append(f"Ruined: {', '.join(ruined_items)}")
    narration.dice += _describe_dice(strike, counts, flips, struck_target, act)
    narration.why += [line for line in strike.why if line not in narration.why]
    roll_knockdowns(act, narration, model_after, due_knockdowns(struck_model, harm, settings))
    if strike.lunge:
        _fall_after_lunge(act, narration, strike, harm)
    return harm


def _describe_verdict(act: Act, attacker: str, target: Model, model_after: Model, harm: Damage) -> list[str]:
    if not harm.total:
        return [f"{attacker} does no damage to {target.name}."]
    row = act.encounter.model(target.id)
    if row.status == GONE:
        return [f"{attacker} kills {target.name} ({describe_losses(harm)})."]
    is_unconscious = harm.of("mind") and not model_after.value("mind")
    fate_text = f" {target.name} is unconscious." if is_unconscious else ""
    lines = [f"{attacker} hits {target.name} ({describe_losses(harm)}).{fate_text}"]
    state_marks = state_words(model_after)
    return [*lines, *([f"{target.name}: {', '.join(state_marks)}"] if state_marks else [])]


def _describe_dice(
    strike: Strike, counts: Counts, flips: tuple[Turned, ...], struck_target: Target, act: Act
) -> list[str]:
    target_prefix = f"{act.encounter.model(strike.target).name}, " if strike.area else ""
    lines: list[str] = [counted_line(f"{target_prefix}{dice_words(strike.power)}", strike.counts)]
    if strike.accuracy:
        flips_made = describe_flips(flips) if flips else "none used"
        lines.append(f"{flip_budget(strike.accuracy)}: {flips_made}")
    if flips:
        lines.append(counted_line("After flips", counts))
    return [*lines, f"Hits: {describe_hits(counts, struck_target, settings_for(act))}"]


def _fall_after_lunge(act: Act, narration: Narration, strike: Strike, harm: Damage) -> None:
    """Make the attacker fall if its lunge did no damage. Rules: SU-LUNGE-02."""
    effects = after_lunge(strike.attacker, harm)
    if effects:
        apply_effects(act, effects)
        narration.lines.append(
            f"{act.encounter.model(strike.attacker).name} falls prone because the lunge did no damage."
        )
