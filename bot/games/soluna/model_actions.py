"""Models brought in, written and changed by hand; the Mode test and knockdown."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.soluna import suggestions
from bot.games.soluna.activation import apply_effects, refreshed_model, settings_for
from bot.games.soluna.fields import acting_model, any_model
from bot.games.soluna.narration import Narration, Throwing, dice_line, dice_words, find_faces, summary
from bot.games.soluna.state import ModelState
from bot.replies.chances import percent
from bot.replies.reply import Blank, Button, Reply, form
from bot.store.rows import SideRow
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.encounter import GONE
from bot.table.handlers import handles, require_player
from bot.table.journal.history import UNDO
from bot.table.names import check_name, check_words
from bot.table.owners import ANYONE, player_unless
from bot.table.session.arrivals import MAX_SIDES, add_model, find_or_add_side
from bot.table.steps import Chances, as_done, in_steps
from bot.table.throw_purposes import Whose
from rules.dice import Dice
from rules.effects import Gain, Leave
from rules.refusals import InvalidInput, refuse_typed
from rules.systems.soluna.damage import Knockdown, after_knockdown, dice_after_trade, mode_test
from rules.systems.soluna.models import Condition, Model
from rules.systems.soluna.profile import read_profile, to_json, write_profile
from rules.wording import possessive, times

PROFILE_FORM = form(
    "sol.profile",
    "A profile, one weapon or item per line",
    Blank("text", "Name, attributes, weapons and items", longest=1800, lines=True, as_typed=True),
    Blank("side", "Side", required=False, longest=32),
)

PROFILE_ON_SIDE = form(
    "sol.profile.side",
    "A profile, one weapon or item per line",
    Blank("text", "Name, attributes, weapons and items", longest=1800, lines=True, as_typed=True),
)
"""The form where the side was named before."""

HOW_TO_WRITE = (
    "Type a profile like this, with each weapon and item on its own line:",
    "```",
    "Ilka",
    "Size 2, Mind 3, Health 3, Body 2",
    "Shield 1, Speed 5, CP 2",
    "Traits: sees in the dark",
    "Weapon: Saber, Reach 2, Power 4, melee",
    "Item: Medkit, Health 1",
    "```",
)


@dataclass(frozen=True, slots=True)
class AddModel(Action):
    """Add a model from a profile that you type.

    Typed as text or JSON.
    """

    command = "sol.add"
    typed = "sol model add"
    titled = "Add a model from a profile"
    decision_of = player_unless(lambda action: not action.text.strip())

    text: str = fields.text(
        "Profile as text or JSON (blank for a form)", None, called="profile", notation=True
    )
    side: SideRow | str | None = fields.side_or_new_name("Side (blank for your own)", MAX_SIDES)


@dataclass(frozen=True, slots=True)
class WriteModel(Action):
    """Show a model's profile as text.

    As text or JSON.
    """

    command = "sol.write"
    typed = "sol model write"
    titled = "Profile as text"
    decision_of = ANYONE

    model: Model = any_model("Model", needed=True)
    json: bool = fields.switch("Show as JSON")


@dataclass(frozen=True, slots=True)
class SetValue(Action):
    """Set the value of a model's location or item.

    The present value of a location, or the Health of a carried item.
    """

    command = "sol.value"
    typed = "sol model value"
    titled = "Set a location or item"
    waits_for_dice = True

    model: Model = acting_model("Model")
    what: str = fields.among(
        "Location or carried item", suggestions.list_value_keys, what="location or item", needed=True
    )
    value: int = fields.whole("New value", 0, 99, default=0, needed=True)

    @property
    def decides(self) -> str:
        return "by hand"


@handles(AddModel, may=require_player)
def add_typed_model(act: Act, action: AddModel) -> Reply:
    """Read the profile and put it on a side, which is made where it is new. Rules: SU-STAT-01."""
    if not action.text.strip():
        profile_form = PROFILE_ON_SIDE if action.side else PROFILE_FORM
        button = Button("Type the profile...", AddModel(side=action.side), "main", form=profile_form)
        return Reply(HOW_TO_WRITE, private=True, buttons=(button,))
    profile = read_profile(action.text)
    check_words([name for name, _ in profile.arsenal()])
    side = find_or_add_side(act, action.side)
    name = check_name(profile.name)
    row = add_model(act.encounter, side.id, act.actor.user_id, name, to_json(profile))
    lines = (f"{row.name} joins {side.name}.", "Put it on the board with /sol place.")
    return Reply(lines, buttons=(UNDO,))


@handles(WriteModel)
def write_model(act: Act, action: WriteModel) -> Reply:
    """Return the profile, to be copied."""
    model = action.model
    text = to_json(model.profile) if action.json else write_profile(model.profile)
    return Reply((f"{model.name}:", "```", *text.splitlines(), "```"), private=True)


@handles(SetValue)
def set_value(act: Act, action: SetValue) -> Reply:
    """Change a value for abilities, repairs and mistakes, with its consequences. Rules: SU-GRID-06,
    SU-GRID-07.
    """
    model, value_name = action.model, action.what
    row = act.encounter.model(model.id)
    arsenal = model.profile.arsenal()
    place = next((place for place, (name, _) in enumerate(arsenal) if name == value_name), -1)
    is_location = value_name in model.profile.grid.keys
    highest_value = model.profile.attribute(value_name) if is_location else arsenal[place][1]
    if not 0 <= action.value <= highest_value:
        raise InvalidInput(
            f"{possessive(model.name)} {value_name} must be between 0 and {highest_value}"
            f" (you entered {action.value})."
        )
    points_lost = highest_value - action.value
    if value_name == "health":
        row.damage = points_lost
    elif is_location:
        ModelState(row).lost[value_name] = points_lost
    else:
        ModelState(row).lost_of_items[place] = points_lost
    lines = [f"{model.name}: {value_name} {action.value} of {highest_value}."]
    if value_name == "health" and not action.value:
        apply_effects(act, [Leave(model.id, "killed")])
        lines.append(f"{model.name} is killed.")
    elif value_name == "mind" and not action.value:
        apply_effects(act, [Gain(model.id, Condition.UNCONSCIOUS, source="Mind 0"), Gain(model.id, "prone")])
        lines.append(f"{model.name} is unconscious.")
    elif value_name == "mind" and model.has(Condition.UNCONSCIOUS):
        for condition in act.encounter.conditions(model.id):
            if condition.kind == Condition.UNCONSCIOUS:
                act.encounter.book.remove(condition)
        lines.append(summary(refreshed_model(act, model)))
    return Reply(tuple(lines), buttons=(UNDO,))


MAX_DICE = 30


@dataclass(frozen=True, slots=True)
class ModeTest(Action):
    """Make a Mode test (roll for matching faces).

    dice: 0 for the model's Mind. difficulty: matching faces needed. flips: bought with dice. falls: the model
    falls prone if it fails. psionic: dice may be traded for flips.
    """

    command = "sol.test"
    typed = "sol test"
    titled = "Mode test"
    waits_for_dice = True

    model: Model = acting_model("Model that takes the test")
    difficulty: int = fields.whole("Number of matching faces needed", 1, 20, default=2, fact=True)
    dice: int = fields.whole("Number of dice (blank for the model's Mind)", 1, 30, default=0, fact=True)
    flips: int = fields.whole("Number of flips to buy (each costs two dice)", 0, 10, default=0)
    falls: bool = fields.switch("The model falls prone if it fails", fact=True)
    psionic: bool = fields.switch("This is a psionics test", fact=True)
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class ReadyTest:
    """A Mode test that may be rolled: whose, dice left after flips were bought, like faces needed, flips."""

    model: Model
    dice: int
    difficulty: int
    flips: int

    @property
    def needs(self) -> str:
        """Return what it is rolled with."""
        flips_text = f", {times(self.flips, 'flip')}" if self.flips else ""
        return f"{dice_words(self.dice)}{flips_text}, needs {self.difficulty} of a kind"


@in_steps(ModeTest)
class Testing(Throwing[ModeTest, ReadyTest, bool]):
    """One Mode test of any kind."""

    def prepare(self, act: ActView, action: ModeTest) -> ReadyTest:
        """Return the dice and flips within their bounds. Rules: SU-MODE-02."""
        model = action.model
        if not 0 <= action.difficulty <= 20 or not 0 <= action.dice <= MAX_DICE:
            raise InvalidInput(f"Enter 0 to {MAX_DICE} dice and 0 to 20 matching faces for a Mode test.")
        if not action.flips:
            refusal = 'Enter the flips to buy, or untick "This is a psionics test".'
            refuse_typed(refusal, action.psionic)
        test_dice = action.dice or model.value("mind")
        with act.overridable():
            dice_after_trade(test_dice, action.flips, settings_for(act), psionic=action.psionic)
        act.canonical = replace(as_done(action), dice=test_dice)
        return ReadyTest(model, max(0, test_dice - 2 * action.flips), action.difficulty, action.flips)

    def whose(self, action: ModeTest, ready: ReadyTest) -> Whose:
        return Whose(ready.model.name, "Mode test", f"for {ready.difficulty} of a kind")

    def rule(self, dice: Dice, ready: ReadyTest) -> bool:
        """Roll the Mode test. Rules: SU-MODE-01."""
        return mode_test(dice, ready.dice, ready.difficulty, ready.flips)

    def settle(self, act: Act, action: ModeTest, ready: ReadyTest, outcome: bool) -> Narration:
        """Apply the knockdown. Rules: SU-KO-01."""
        name = ready.model.name
        narration = Narration([f"{name} {'passes' if outcome else 'fails'} the Mode test.", ready.needs])
        narration.dice += _list_test_dice(act, "Mode test", "Dice")
        if action.falls:
            apply_effects(act, after_knockdown(ready.model.id, still_standing=outcome))
            narration.lines[0] = f"{name} {'stays up' if outcome else 'falls prone'}."
        return narration

    def chances(self, act: ActView, action: ModeTest, ready: ReadyTest) -> Chances:
        odds = act.solve(mode_test, ready.dice, ready.difficulty, ready.flips)
        chance = odds.chance(bool)
        chance_line = f"Chance that {ready.model.name} passes the Mode test: {percent(chance).strip()}"
        return Chances((chance_line, ready.needs), "passes", chance, (odds,))


def _list_test_dice(act: Act, label: str, line_title: str) -> list[str]:
    faces = find_faces(act.dice.trace, label)
    return [dice_line(line_title, faces[-1])] if faces else []


def roll_knockdowns(act: Act, narration: Narration, model: Model, tests: tuple[Knockdown, ...]) -> None:
    """Roll the knockdown tests that damage called for; where dice may be traded first, offer them.

    Rules: SU-KO-01, SU-KO-02, SU-MODE-02.
    """
    if act.encounter.model(model.id).status == GONE:
        return
    for test in tests:
        if test.hopeless:
            apply_effects(act, after_knockdown(model.id, still_standing=False))
            narration.lines.append(
                f"{model.name} falls prone, because it can't get {test.difficulty} of a kind on "
                f"{dice_words(test.dice)}."
            )
            narration.why.append(
                f"No knockdown test, because {dice_words(test.dice)} can't pass it. SU-KO-01"
            )
            continue
        if settings_for(act).mode_test_trade_dice and test.dice > 2:
            narration.then.append(
                f"{model.name} needs {test.difficulty} of a kind on {dice_words(test.dice)} to stay up. Take "
                "the knockdown test."
            )
            for flips in range((test.dice - 1) // 2 + 1):
                label = f"Test with {times(flips, 'flip')}" if flips else "Knockdown test"
                action = ModeTest(model, test.difficulty, test.dice, flips, falls=True)
                narration.buttons.append(Button(label, action, "main"))
            continue
        label = f"knockdown {model.name}"
        cast = Whose(model.name, f"{test.location} knockdown test", f"for {test.difficulty} of a kind")
        stays_up = act.roll(cast, mode_test, test.dice, test.difficulty, 0, label)
        apply_effects(act, after_knockdown(model.id, still_standing=stays_up))
        outcome_text = "stays up" if stays_up else "falls prone"
        narration.lines.append(f"Knockdown test: {model.name} {outcome_text}.")
        line_title = f"Knockdown test, {dice_words(test.dice)}"
        narration.dice += _list_test_dice(act, label, line_title) or ["Knockdown test: no dice to roll"]
        narration.dice.append(f"needs {test.difficulty} of a kind (hit on {test.location})")
        narration.why.append(
            f"Knockdown: {dice_words(test.dice)} (Mind) SU-KO-01, difficulty {test.difficulty} SU-KO-02"
        )
