"""The initiative bag: draw, redraw, pass, order tokens, the rest of a turn."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.checks import ClearPanic
from bot.games.counterblast.core.common import (
    count_left_to_act,
    orders_of,
    read_bag,
    side_places,
    spend_order,
    write_bag,
)
from bot.games.counterblast.core.crews import apply_outcome
from bot.games.counterblast.core.debts import ask_about_debts, settle_debts_first
from bot.games.counterblast.state.models import fighters
from bot.games.counterblast.turn.activation_menu import PrepareGroup, build_act_menus
from bot.games.counterblast.turn.activations import (
    END_ACTIVATION,
    end_model_activation,
    finish_activation,
    list_active,
    next_drawer,
    require_done,
    require_driven,
    side_name,
    unfinished,
)
from bot.replies.reply import Button, Next, Reply, say
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.encounter import Encounter
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.owners import ANYONE, decided_by, in_play
from bot.table.session.encounters import NextStep
from bot.table.session.preparations import build_question
from bot.table.throw_purposes import Whose
from rules.effects import Assign
from rules.refusals import Forbidden, forbid
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.turn import activation, bag
from rules.systems.counterblast.turn.bag import Bag
from rules.wording import possessive, times


@dataclass(frozen=True, slots=True)
class DrawToken(Action):
    """Draw an initiative token from the bag.

    asks: first ask where that ends actions that are left.
    """

    command = "bag.draw"
    typed = "bag draw"
    titled = "Draw"
    decision_of = in_play("the side that draws from the bag")

    asks: bool = False

    def as_typed_action(self) -> DrawToken:
        return replace(self, asks=True)


@dataclass(frozen=True, slots=True)
class RedrawToken(Action):
    """Spend an order token to put the drawn token back and draw again."""

    command = "bag.redraw"
    typed = "bag redraw"
    titled = "Redraw"
    decision_of = in_play("the side that draws from the bag")


@dataclass(frozen=True, slots=True)
class PassDraw(Action):
    """End the activation, so that the next side can draw."""

    command = "bag.pass"
    typed = "bag pass"
    titled = "End activation"
    decision_of = in_play("the side whose token was drawn")


@dataclass(frozen=True, slots=True)
class LetDraw(Action):
    """The winner of the roll-off lets the next player draw first."""

    command = "bag.let"
    decision_of = in_play("the side that draws from the bag")


@dataclass(frozen=True, slots=True)
class PeekBag(Action):
    """Show how many tokens are in the bag (only you see this)."""

    command = "bag.peek"
    typed = "bag peek"
    titled = "Tokens in the bag"
    decision_of = ANYONE


@handles(DrawToken, bot_dice=True)
def draw(act: Act, action: DrawToken) -> Reply:
    """Draw; an activation that is under way ends with it."""
    encounter = act.encounter
    bag_now = read_bag(encounter)
    act.canonical = DrawToken()
    debt_question = settle_debts_first(act)
    if debt_question is not None:
        return debt_question
    lines: list[str] = []
    owed_buttons: tuple[Button, ...] = ()
    if bag_now.used or (bag_now.drawn is None and list_active(encounter)):
        require_done(act)
        next_side = side_places(encounter)[next_drawer(encounter, bag_now)]
        draws = bag.draws_on(bag_now, count_left_to_act(encounter)) and act.plays_on(next_side)
        end_action = ("Draw", DrawToken()) if draws else (END_ACTIVATION, PassDraw())
        question = ask_about_actions_left(act, *end_action) if action.asks else None
        if question is not None:
            return question
        require_driven(act)
        bag_now, lines, owed_buttons = finish_activation(encounter, bag_now)
        if ask_about_debts(act) is not None:
            write_bag(encounter, bag_now)
            return build_end_reply(act, lines, owed_buttons)
    to_act = count_left_to_act(encounter)
    if bag.phase_over(to_act):
        raise Forbidden("All models have acted. Go on to Upkeep with /encounter next.", "CB-BAG-07")
    if bag_now.drawn is not None and bag.is_idle(bag_now, to_act):
        lines.append(f"{side_name(encounter, bag_now.drawn)} has no models left to act.")
        bag_now = bag.pass_on(bag_now, to_act)
        write_bag(encounter, bag_now)
    if bag_now.drawn is not None:
        name = side_name(encounter, bag_now.drawn)
        raise Forbidden(f"One of {possessive(name)} tokens was drawn. First choose who acts.", "CB-BAG-04")
    bag_now = bag.skip_idle(bag_now, to_act)
    act.require_side(side_places(encounter)[bag_now.drawer])
    reply = _draw(act, bag_now)
    return replace(reply, lines=(*lines, *reply.lines), buttons=(*reply.buttons, *owed_buttons))


def _draw(act: Act, bag_now: bag.Bag) -> Reply:
    encounter = act.encounter
    crew = act.roll(Whose(act.actor.name, "draw", "from the bag"), bag.draw, bag_now)
    next_bag = bag.after_draw(bag_now, crew)
    to_act = count_left_to_act(encounter)
    name = side_name(encounter, crew)
    if bag.is_idle(next_bag, to_act):
        next_bag = bag.pass_on(next_bag, to_act)
        write_bag(encounter, next_bag)
        sentence = f"{act.actor.name} draws a token for {name}, but {name} has no models left to act."
        return Reply((sentence, *_describe_next(encounter)), buttons=_build_next_buttons(encounter))
    write_bag(encounter, next_bag)
    orders = orders_of(encounter.side(side_places(encounter)[bag_now.drawer]))
    redraw = [Button("Redraw (1 order token)", RedrawToken())] if orders and not next_bag.redrawn else []
    return Reply(
        (f"{act.actor.name} draws a token for {name}.", Next(f"{name}: who acts?")),
        buttons=(*redraw, UNDO),
        menus=build_act_menus(encounter, side_places(encounter)[crew]),
    )


@handles(RedrawToken, bot_dice=True)
def redraw(act: Act, action: RedrawToken) -> Reply:
    """Redraw once a draw, by the player who drew, for one order token."""
    encounter = act.encounter
    bag_now = read_bag(encounter)
    refilled = bag.put_back(bag_now)
    side = side_places(encounter)[bag_now.drawer]
    act.require_side(side)
    spend_order(act, side)
    reply = _draw(act, refilled)
    return replace(reply, lines=(f"{act.actor.name} spends an order token to draw again.", *reply.lines))


@handles(PassDraw)
def pass_draw(act: Act, action: PassDraw) -> Reply:
    """End the activation under way, also one that was begun by hand; nothing may be left to settle.

    A token whose crew can still activate goes unused only by an organiser's override.
    Rules: CB-BAG-03, CB-BAG-04, CB-BAG-05.
    """
    encounter = act.encounter
    debt_question = settle_debts_first(act)
    if debt_question is not None:
        return debt_question
    bag_now = read_bag(encounter)
    by_hand = list_active(encounter) if bag_now.drawn is None else ()
    if by_hand:
        act.require_side(by_hand[0].side)
    elif bag_now.drawn is None:
        to_act = count_left_to_act(encounter)
        act.require_side(side_places(encounter)[bag_now.drawer])
        if to_act[bag_now.drawer]:
            raise Forbidden(
                "You still have models left to act, so draw a token instead of passing.", "CB-BAG-05"
            )
        write_bag(encounter, replace(bag_now, drawer=bag.following(bag_now, to_act)))
        return Reply((f"{side_name(encounter, bag_now.drawer)} passes.", *_describe_next(encounter)))
    else:
        act.require_side(side_places(encounter)[bag_now.drawn])
    if bag.must_use(bag_now, count_left_to_act(encounter)):
        forbid("One of your tokens was drawn, so choose a model to act.", "CB-BAG-03")
    require_driven(act)
    next_bag, lines, owed_buttons = finish_activation(encounter, bag_now)
    write_bag(encounter, next_bag)
    return build_end_reply(act, lines, owed_buttons)


def ask_about_actions_left(act: Act, label: str, action: Action) -> Reply | None:
    """Ask whether an activation ends with actions that could still be taken; None if there are none.

    Rules: CB-ACT-01, CB-BAG-04.
    """
    actions_left = [
        f"{model.name} has {times(activation.actions_left(model), 'action')} left."
        for model in unfinished(act.encounter)
    ]
    return build_question(actions_left, label, action)


def build_end_reply(act: Act, lines: list[str], owed: tuple[Button, ...] = ()) -> Reply:
    """Return the reply after an activation: what explodes at its end, then the next draw."""
    debts = ask_about_debts(act)
    if debts is not None:
        buttons = (*debts.buttons, *owed, UNDO)
        return replace(debts, lines=(*lines, *debts.lines), private=False, buttons=buttons)
    next_buttons = (*_build_next_buttons(act.encounter), *owed)
    return Reply((*lines, *_describe_next(act.encounter)), buttons=next_buttons)


def is_bag_spent(encounter: Encounter) -> bool:
    """Return whether no token is left to draw, although a model may not have acted. Rules: CB-BAG-07."""
    bag_now = read_bag(encounter)
    return bag_now.size == 0 and bag_now.drawn is None


def _describe_next(encounter: Encounter) -> list[str]:
    if bag.phase_over(count_left_to_act(encounter)):
        return ["All models have acted. Go on to Upkeep."]
    if is_bag_spent(encounter):
        return ["The bag is empty. Go on to Upkeep."]
    return [Next(f"Next draw: {side_name(encounter, find_drawer(encounter))}.")]


def find_drawer(encounter: Encounter) -> int:
    """Return the place of the side that draws next: one with a model left to act. Rules: CB-BAG-05."""
    return bag.skip_idle(read_bag(encounter), count_left_to_act(encounter)).drawer


def _build_next_buttons(encounter: Encounter) -> tuple[Button, ...]:
    if bag.phase_over(count_left_to_act(encounter)) or is_bag_spent(encounter):
        return (Button("Upkeep", NextStep(), "main"), UNDO)
    return (Button("Draw", DrawToken(asks=True), "main"), UNDO)


@handles(LetDraw)
def let_draw(act: Act, action: LetDraw) -> Reply:
    """Choose the drawer, only before the first token of the game is drawn."""
    encounter = act.encounter
    bag_now = read_bag(encounter)
    if encounter.row.turn > 1 or bag_now.last_drawer is not None:
        raise Forbidden("The first draw of the game has already been made.", "CB-BAG-01")
    act.require_side(side_places(encounter)[bag_now.drawer])
    first_drawer = bag.first_of_game(bag_now.drawer, draws=False, players=bag_now.crews)
    write_bag(encounter, replace(bag_now, drawer=first_drawer))
    return Reply(
        (f"{side_name(encounter, first_drawer)} draws first.",),
        buttons=(Button("Draw", DrawToken(asks=True), "main"), UNDO),
    )


@handles(PeekBag)
def peek(act: Act, action: PeekBag) -> Reply:
    """Show only the numbers of tokens, because no one can know the next one."""
    encounter = act.encounter
    pool = read_bag(encounter)
    drawer = side_name(encounter, find_drawer(encounter))
    lines = [f"{times(pool.size, 'token')} in the bag. Next draw: {drawer}."]
    for side, tokens, to_act in zip(
        encounter.sides(), pool.tokens, count_left_to_act(encounter), strict=True
    ):
        chance = f" ({tokens}/{pool.size} chance to be drawn next)" if pool.size else ""
        lines.append(f"{side.name}: {tokens} in the bag{chance}, {times(to_act, 'model')} left to act")
    return Reply(tuple(lines), private=True)


@dataclass(frozen=True, slots=True)
class LetRestPass(Action):
    """Let all models that have not acted pass, by the player of all sides."""

    command = "bag.rest"
    decision_of = decided_by(lambda act, action: [side.id for side in act.encounter.sides()])


@handles(LetRestPass)
def let_rest_pass(act: Act, action: LetRestPass) -> Reply:
    """Let the rest pass, because the bag is empty and no one is left to act. Rules: CB-BAG-07."""
    encounter = act.encounter
    for side in encounter.sides():
        act.require_side(side.id)
    bag_now, debt_question = read_bag(encounter), settle_debts_first(act)
    if debt_question is not None:
        return debt_question
    require_driven(act)
    for model in list_active(encounter):
        end_model_activation(encounter, model)
    idle = [model.id for model in fighters(encounter) if activation.needs_activation(model)]
    apply_outcome(encounter, [Assign("model", number, Counter.ACTIVATED, 1) for number in idle])
    write_bag(encounter, Bag((0,) * bag_now.crews, bag_now.drawer, last_drawer=bag_now.last_drawer))
    return build_end_reply(act, ["The other models pass."])


AGAIN, STEADY, LARGER, BETTER = "draw again", "clear panic", "larger group", "+1 to a check"
MAX_TOKENS = 10


@dataclass(frozen=True, slots=True)
class SpendOrder(Action):
    """Spend an order token."""

    command = "order.spend"
    typed = "order spend"
    titled = "Order token"
    decision_of = in_play("the side that spends the token")

    use: str = fields.one_of("Purpose of the token", (AGAIN, STEADY, LARGER, BETTER), needed=True)
    tokens: int = fields.whole("Number of tokens (for a larger group)", 1, MAX_TOKENS, default=1)

    def as_typed_action(self) -> Action:
        uses: dict[str, Action] = {
            AGAIN: RedrawToken(),
            STEADY: ClearPanic(),
            LARGER: PrepareGroup(self.tokens),
        }
        return uses.get(self.use, self)


@handles(SpendOrder, Place.NOWHERE)
def spend(act: Act, action: SpendOrder) -> Reply:
    """Return how a token makes a roll better."""
    return say(
        "To spend an order token on a roll, add `order:true` to the command, as in `/cb shoot order:true`. "
        "Each die then gets +1.",
        private=True,
    )
