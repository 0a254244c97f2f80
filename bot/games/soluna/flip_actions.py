"""Flips at the table: the choice, then protections, damage, falls and what follows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Generic, TypeVar

from bot.actions import Action, number_in
from bot.games.soluna.activation import carry_through, refreshed_model, settings_for
from bot.games.soluna.model_actions import roll_knockdowns
from bot.games.soluna.narration import (
    Doable,
    Narration,
    counted_line,
    dice_words,
    flip_budget,
    flips_words,
    groups_words,
    lost_words,
    state_words,
    stopped_words,
)
from bot.games.soluna.settings import settings_of
from bot.games.soluna.strikes import Strike, note_fall, store_strikes, waiting_strikes
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
    damage,
    is_fatal,
    knockdowns,
    mode_test,
    ruined,
    striking_faces,
    target_of,
)
from rules.systems.soluna.faces import Counts, best_flips, flip_cost, make_flips
from rules.systems.soluna.faces import Flip as Turned
from rules.systems.soluna.models import Model
from rules.systems.soluna.movement import after_lunge
from rules.systems.soluna.prospects import BEST, is_weighed
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
    decision_of = in_play("the player whose model has the flips")

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
    """Name the carried thing that Arsenal hits go to, before the flips."""

    command = "sol.item"
    decision_of = in_play("the attacker's player")

    row: int = 0
    item: str = ""


# ------------------------------------------------------------------------------------------- going on


def resolve_strikes(act: Act, narration: Narration, strikes: tuple[Strike, ...], row: int = 0) -> Reply:
    """Resolve strikes until one needs a choice, which is asked for, or until none is left."""
    while strikes:
        strike = strikes[0]
        options = strike.choices(act.encounter, settings_for(act))
        if act.encounter.model(strike.target).status != GONE and _is_a_choice(act, strike, options):
            row = store_strikes(act.encounter, strikes, row)
            return _ask_flips(act, narration, row, strike, options)
        if act.encounter.model(strike.target).status != GONE:
            resolve_strike(act, narration, strike, strike.counts, ())
        strikes = strikes[1:]
    store_strikes(act.encounter, (), row)
    return narration.reply(act, UNDO)


def _is_a_choice(act: Act, strike: Strike, options: tuple[Advice, ...]) -> bool:
    """Return whether flips or the Arsenal's order can make a difference."""
    unnamed = not strike.item and _needs_item(act.encounter, strike, options)
    return unnamed or strike.is_open(act.encounter, settings_for(act))


def _needs_item(encounter: Encounter, strike: Strike, options: Sequence[Advice]) -> bool:
    """Return whether it can be said which of several carried things is hit. Rules: SU-GRID-05."""
    return len(_items_left(encounter, strike)) > 1 and any(option.damage.of("arsenal") for option in options)


def _items_left(encounter: EncounterView, strike: Strike) -> list[str]:
    model, _ = strike.struck(encounter)
    return [name for name, health in model.carried() if name and health]


def things_menus(encounter: Encounter, row: int, strike: Strike) -> list[Menu]:
    """Return menus for the things that Arsenal hits go to, or [] if that cannot matter."""
    if not _needs_item(encounter, strike, strike.choices(encounter, settings_of(encounter))):
        return []
    standing = _items_left(encounter, strike)
    item_choices = tuple(Choice(name, str(place)) for place, name in enumerate(standing, 1))
    prompt = f"Item that takes the Arsenal hits (now {strike.item or standing[0]})"
    return [Menu(prompt, NameItem(row), "item", item_choices, anytime=True)]


def _ask_flips(
    act: Act, narration: Narration, row: int, strike: Strike, options: tuple[Advice, ...]
) -> Reply:
    encounter = act.encounter
    attacker, target = encounter.model(strike.attacker), encounter.model(strike.target)
    model, met = strike.struck(encounter)
    asked_first = not narration.lines
    narration.lines.append(f"{attacker.name} attacks {target.name} with {strike.weapon}")
    narration.lines.append(f"{dice_words(strike.power)}, {flip_budget(strike.accuracy)}")
    narration.dice += [
        counted_line(model.name if strike.area else "Dice", strike.counts),
        f"Hits: {groups_words(strike.counts, met, settings_for(act))}",
    ]
    narration.why += strike.why
    menus = things_menus(encounter, row, strike)
    if not strike.is_open(encounter, settings_for(act)):
        narration.then.append(
            f"{player_of(encounter, attacker.id)}: choose which item takes the Arsenal hits."
        )
        return narration.reply(act, UNDO, menus=menus).minor(asked_first)
    if len(options) > 1:
        proven = is_weighed(strike.counts, strike.accuracy)
        best = f"does the least damage to {target.name}" if strike.is_on_friend(encounter) else "is the best"
        narration.then.append(
            f"The first choice {best}."
            if proven
            else "There are too many choices to compare them all, but the first is a good one."
        )
    chooser = attacker if strike.accuracy >= 0 else target
    narration.then.append(f"{player_of(encounter, chooser.id)}: choose the flips for {chooser.name}.")
    entries = tuple(
        Choice(_advice_label(option, model), option.location or NO_FLIPS, _advice_note(option))
        for option in _best_of_equals(options)
    )
    flips = Menu(f"Choose the flips for {chooser.name}", MakeFlips(row), "choice", entries)
    own_flips_button = Button("My own flips...", MakeFlips(row), form=FLIPS_FORM)
    return narration.reply(act, own_flips_button, UNDO, menus=[flips, *menus]).minor(asked_first)


def _best_of_equals(options: tuple[Advice, ...]) -> list[Advice]:
    """Of choices that leave the same dice the one with most hits on its location."""
    best: dict[Counts, Advice] = {}
    for option in options:
        best_so_far = best.setdefault(option.flipped.counts, option)
        if option.flipped.hits > best_so_far.flipped.hits:
            best[option.flipped.counts] = option
    return list(best.values())


def _advice_label(option: Advice, model: Model) -> str:
    head = option.location.capitalize() if option.location else "No flips"
    return f"{head}: {lost_words(option.damage)}{_fate_words(option.damage, model)}"


def _advice_note(option: Advice) -> str:
    if not option.flipped.flips:
        return "leave the dice as they are"
    if option.location == BEST:
        return f"flip {flips_words(option.flipped.flips)}"
    hits = times(option.flipped.hits, "hit")
    return f"flip {flips_words(option.flipped.flips)} for {hits} on {option.location}"


def _fate_words(harm: Damage, model: Model) -> str:
    if is_fatal(harm, target_of(model)):
        return ", killed"
    if harm.of("mind") and harm.of("mind") >= model.value("mind"):
        return ", unconscious"
    return ""


# ------------------------------------------------------------------------------------------- choosing


@dataclass(frozen=True, slots=True)
class ReadyStrike:
    """The strike that is decided now, and those behind it. counts: its dice once they are flipped."""

    row: int
    strike: Strike
    then: tuple[Strike, ...]
    counts: Counts
    flips: tuple[Turned, ...] = ()


class Deciding(Doable[A, ReadyStrike], Generic[A]):
    """What is chosen of dice that lie: all that may fall after it are the tests of who is knocked down."""

    label = "Flip"

    def chances(self, act: ActView, action: A, ready: ReadyStrike) -> Chances:
        """Return the chances of the knockdown test. Rules: SU-KO-01, SU-KO-02."""
        settings, strike = settings_for(act), ready.strike
        struck, met = strike.struck(act.encounter)
        harm = damage(ready.counts, met, strike.named, settings)
        if not harm.total:
            return Chances((f"{struck.name} takes no damage.",), "stays up", 1.0)
        damage_line = f"{struck.name}: {lost_words(harm)}{_fate_words(harm, struck)}"
        tests = () if is_fatal(harm, met) else knockdowns(struck, harm, settings)
        solved = tuple(act.solve(mode_test, test.dice, test.difficulty) for test in tests)
        rows = [
            (f"stays up (hit on {knockdown.location})", odds.chance(bool))
            for knockdown, odds in zip(tests, solved, strict=True)
        ]
        chance_to_stand = prod((chance for _, chance in rows), start=1.0)
        return Chances((damage_line, *(bars(rows) if rows else ())), "stays up", chance_to_stand, solved)


@in_steps(NameItem)
class Naming(Deciding[NameItem]):
    """The attacker names what Arsenal hits go to; the flips are asked for again. Rules: SU-GRID-05."""

    def prepare(self, act: ActView, action: NameItem) -> ReadyStrike:
        row, strikes = waiting_strikes(act.encounter, action.row)
        act.require_model(act.encounter.model(strikes[0].attacker))
        standing = _items_left(act.encounter, strikes[0])
        place = number_in(action.item, "")
        if place is not None and 1 <= place <= len(standing):
            name = standing[place - 1]
        else:
            name = next((item for item in standing if item.lower() == action.item.strip().lower()), "")
        if not name:
            raise InvalidInput(f"Pick one of these items: {', '.join(standing)}.")
        return ReadyStrike(row, replace(strikes[0], item=name), strikes[1:], strikes[0].counts)

    def do(self, act: Act, action: NameItem, ready: ReadyStrike) -> Reply:
        return resolve_strikes(act, Narration(), (ready.strike, *ready.then), ready.row).minor()


@in_steps(MakeFlips)
class Flipping(Deciding[MakeFlips]):
    """Flip, and carry the attack through. Rules: SU-FLIP-01 to SU-FLIP-03, SU-ATK-02."""

    def prepare(self, act: ActView, action: MakeFlips) -> ReadyStrike:
        pending_id, strikes = waiting_strikes(act.encounter, action.row)
        strike = strikes[0]
        flipper = strike.attacker if strike.accuracy >= 0 else strike.target
        act.require_model(act.encounter.model(flipper))
        counts, flips = _make_chosen_flips(act, strike, action)
        turns = " ".join(f"{flip.old}>{flip.new}" for flip in flips for _ in range(flip.dice))
        act.canonical = MakeFlips(pending_id, None if turns else NO_FLIPS, turns, repr(strike))
        return ReadyStrike(pending_id, strike, strikes[1:], counts, flips)

    def do(self, act: Act, action: MakeFlips, ready: ReadyStrike) -> Reply:
        narration = Narration()
        resolve_strike(act, narration, ready.strike, ready.counts, ready.flips)
        return resolve_strikes(act, narration, ready.then, ready.row)


def _make_chosen_flips(act: ActView, strike: Strike, action: MakeFlips) -> tuple[Counts, tuple[Turned, ...]]:
    """Return the dice after the flips that were chosen, and the flips. Raises Forbidden, InvalidInput."""
    if action.turns.strip():
        turns = [(int(a), int(b)) for a, b in _FLIP_PATTERN.findall(action.turns)]
        if _FLIP_PATTERN.sub("", action.turns).replace(",", "").strip() or not turns:
            raise InvalidInput('Write flips die by die, such as "5>3 4>1".')
        allowed = abs(strike.accuracy)
        with act.overridable():
            make_flips(strike.counts, tuple(turns), allowed)
        counts = make_flips(strike.counts, tuple(turns), sum(flip_cost(a, b) for a, b in turns))
        return counts, tuple(Turned(1, a, b, flip_cost(a, b)) for a, b in turns if a != b)
    choice = action.choice
    if choice in (None, NO_FLIPS):
        return strike.counts, ()
    options = strike.choices(act.encounter, settings_for(act))
    if choice == BEST:
        return options[0].flipped.counts, options[0].flipped.flips
    for option in options:
        if option.location == choice:
            return option.flipped.counts, option.flipped.flips
    met = strike.struck(act.encounter)[1]
    if choice in met.grid.keys and (faces := striking_faces(met, choice, settings_for(act))):
        spares = strike.is_on_friend(act.encounter)
        flips = -abs(strike.accuracy) if spares else strike.accuracy
        flipped = best_flips(strike.counts, flips, faces)
        return flipped.counts, flipped.flips
    open_to = ", ".join(dict.fromkeys([BEST, *(option.location or NO_FLIPS for option in options)]))
    raise InvalidInput(f"Choose one of these: {open_to}.")


# ------------------------------------------------------------------------------------------- outcome


def resolve_strike(
    act: Act, narration: Narration, strike: Strike, counts: Counts, flips: tuple[Turned, ...]
) -> Damage:
    """Group, protect, wound, and what follows. Rules: SU-GRID-02, SU-GRID-04, SU-DMG-05, SU-KO-01."""
    encounter, settings = act.encounter, settings_for(act)
    struck_model, met = strike.struck(encounter)
    attacker = encounter.model(strike.attacker)
    harm = damage(counts, met, strike.named, settings)
    effects = after_damage(struck_model, harm)
    can_strike_back = note_fall(act, strike, struck_model, effects)
    carry_through(act, effects, by=strike.attacker)
    model_after = refreshed_model(act, struck_model)
    narration.lines += _verdict_lines(act, attacker.name, struck_model, model_after, harm)
    narration.lines += [line for line in (stopped_words(harm, met),) if line]
    if can_strike_back:
        narration.then.append(f"{struck_model.name} can still strike back this phase. Press Attack.")
    ruined_items = ruined(struck_model, harm)
    if ruined_items and encounter.model(struck_model.id).status != GONE:
        narration.lines.append(f"Ruined: {', '.join(ruined_items)}")
    narration.dice += _dice_lines(strike, counts, flips, met, act)
    narration.why += [line for line in strike.why if line not in narration.why]
    roll_knockdowns(act, narration, model_after, knockdowns(struck_model, harm, settings))
    if strike.lunge:
        _fail_lunge(act, narration, strike, harm)
    return harm


def _verdict_lines(act: Act, attacker: str, target: Model, model_after: Model, harm: Damage) -> list[str]:
    if not harm.total:
        return [f"{attacker} does no damage to {target.name}."]
    row = act.encounter.model(target.id)
    if row.status == GONE:
        return [f"{attacker} kills {target.name} ({lost_words(harm)})."]
    fate = " Unconscious." if harm.of("mind") and not model_after.value("mind") else ""
    lines = [f"{attacker} hits {target.name} ({lost_words(harm)}).{fate}"]
    marks = state_words(model_after)
    return [*lines, *([f"{target.name}: {', '.join(marks)}"] if marks else [])]


def _dice_lines(
    strike: Strike, counts: Counts, flips: tuple[Turned, ...], met: Target, act: Act
) -> list[str]:
    target_prefix = f"{act.encounter.model(strike.target).name}, " if strike.area else ""
    lines: list[str] = [counted_line(f"{target_prefix}{dice_words(strike.power)}", strike.counts)]
    if strike.accuracy:
        flips_made = flips_words(flips) if flips else "none used"
        lines.append(f"{flip_budget(strike.accuracy)}: {flips_made}")
    if flips:
        lines.append(counted_line("After flips", counts))
    return [*lines, f"Hits: {groups_words(counts, met, settings_for(act))}"]


def _fail_lunge(act: Act, narration: Narration, strike: Strike, harm: Damage) -> None:
    """A lunge that harmed nothing brings the attacker down. Rules: SU-LUNGE-02."""
    effects = after_lunge(strike.attacker, harm)
    if effects:
        carry_through(act, effects)
        narration.lines.append(
            f"{act.encounter.model(strike.attacker).name} falls prone because the lunge did no damage."
        )
