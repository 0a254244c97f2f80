"""The initiative bag and activations at the table: draw, redraw, pass, who acts, when it is done."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.attacks import Telling
from bot.games.counterblast.begins import (
    OVER_AT_END,
    begins,
    over,
    owed_hits,
    still_owed,
)
from bot.games.counterblast.bombs import go_off
from bot.games.counterblast.common import (
    UNDO,
    again,
    left_to_act,
    orders_of,
    read_bag,
    settings,
    side_places,
    spend_order,
    write_bag,
)
from bot.games.counterblast.fighters import fighter, fighters, settings_of
from bot.games.counterblast.infiltrate_play import reserve_buttons
from bot.games.counterblast.owed import unsettled
from bot.games.counterblast.pair_play import bond_buttons, joined_by_dogs, leash_buttons, without_partners
from bot.games.counterblast.pairing import pair_off
from bot.games.counterblast.vehicle_marks import must_drive, owes_move
from bot.games.counterblast.watching import with_odds
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act
from bot.table.encounter import Encounter
from bot.table.encounters import NextStep
from bot.table.handlers import handles
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast import activation, bag
from rules.systems.counterblast.fighter import Condition, Fighter


@dataclass(frozen=True, slots=True)
class DrawToken(Action):
    """Draw an initiative token."""

    command = "bag.draw"


@dataclass(frozen=True, slots=True)
class RedrawToken(Action):
    """Spend an order token: put the token back and draw again."""

    command = "bag.redraw"


@dataclass(frozen=True, slots=True)
class PassDraw(Action):
    """End the activation and hand the draw on."""

    command = "bag.pass"


@dataclass(frozen=True, slots=True)
class LetDraw(Action):
    """The winner of the roll-off lets the next player draw first."""

    command = "bag.let"


@dataclass(frozen=True, slots=True)
class PeekBag(Action):
    """Show how many tokens the bag holds."""

    command = "bag.peek"


@dataclass(frozen=True, slots=True)
class Activate(Action):
    """Activate models of the crew whose token was drawn: one, or a group. tokens: order tokens for more."""

    command = "bag.act"

    models: tuple[int, ...] = ()
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class ActNamed(Action):
    """Activate models by name, separated by commas, the one who leads first."""

    command = "act"

    who: str = ""
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class AskGroup(Action):
    """Choose a group that is larger by order tokens."""

    command = "bag.group"

    tokens: int = 1


def side_name(encounter: Encounter, place: int) -> str:
    """The name of the side that draws at this place."""
    return encounter.sides()[place].name


def active(encounter: Encounter) -> tuple[Fighter, ...]:
    """The models that are being activated."""
    return tuple(model for model in fighters(encounter) if model.has(Condition.ACTIVE))


def require_done(act: Act) -> None:
    """An activation with actions left is ended by who plays it. Raises NotAllowed. Rules: CB-BAG-04."""
    busy = [model for model in active(act.encounter) if activation.actions_left(model)]
    if busy:
        side = act.encounter.side(busy[0].side)
        act.require(act.plays_on(side.id), f"{busy[0].name} still acts: {side.name} end it with Done.")


def _require_driven(act: Act) -> None:
    """A vehicle In Motion travels before its activation ends. Raises Forbidden. Rules: CB-VEH-10."""
    turn = act.encounter.row.turn
    still = [
        model
        for model in active(act.encounter)
        if must_drive(act.encounter.model(model.id), model, turn)
        if activation.actions_left(model) or owes_move(act.encounter.model(model.id), turn)
    ]
    if still:
        name, mv = still[0].name, still[0].profile.mv
        forbid(f"{name} is In Motion: /vehicle drive, {mv} in or more.", "CB-VEH-10")


@handles(DrawToken, bot_dice=True)
def draw(act: Act, action: DrawToken) -> Reply:
    """Draw; an activation that is under way ends with it."""
    encounter = act.encounter
    now = read_bag(encounter)
    waits = unsettled(act)
    if waits is not None:
        return waits
    lines: list[str] = []
    owed: tuple[Button, ...] = ()
    if now.drawn is not None and active(encounter):
        require_done(act)
        _require_driven(act)
        now, lines, owed = _finish(encounter, now)
        if unsettled(act) is not None:
            write_bag(encounter, now)
            return _done(act, lines, owed)
    left = left_to_act(encounter)
    if bag.phase_over(left):
        raise Forbidden("Everybody has acted: go on to Upkeep with /encounter next.", "CB-BAG-07")
    if now.drawn is not None and bag.is_idle(now, left):
        lines.append(f"{side_name(encounter, now.drawn)}: nobody left to act.")
        now = bag.pass_on(now, left)
        write_bag(encounter, now)
    if now.drawn is not None:
        name = side_name(encounter, now.drawn)
        raise Forbidden(f"A token of {name} was drawn: choose who acts first.", "CB-BAG-04")
    act.require_side(side_places(encounter)[now.drawer])
    reply = _draw(act, now)
    return replace(reply, lines=(*lines, *reply.lines), buttons=(*reply.buttons, *owed))


def _draw(act: Act, now: bag.Bag) -> Reply:
    encounter = act.encounter
    crew = act.roll(bag.draw, now)
    after = bag.after_draw(now, crew)
    left = left_to_act(encounter)
    name = side_name(encounter, crew)
    if bag.is_idle(after, left):
        after = bag.pass_on(after, left)
        write_bag(encounter, after)
        return Reply(
            (
                f"{act.actor.name} draws {name}: nobody left to act.",
                f"Next draw: {side_name(encounter, after.drawer)}.",
            ),
            buttons=(Button("Draw", DrawToken(), "main"), UNDO),
        )
    write_bag(encounter, after)
    orders = orders_of(encounter.side(side_places(encounter)[now.drawer]))
    redraw = [Button("Redraw (1 order)", RedrawToken())] if orders and not after.redrawn else []
    return Reply(
        (f"{act.actor.name} draws {name}.", f"{name}: who acts?"),
        buttons=(*redraw, UNDO),
        menus=(_who_acts(encounter, crew),),
    )


def _who_acts(encounter: Encounter, crew: int) -> Menu:
    side = side_places(encounter)[crew]
    able = [
        model
        for model in fighters(encounter, side)
        if activation.needs_activation(model) or model.has(Condition.INCAPACITATED)
        if not model.is_down and not model.count("activated")
    ]
    choices = [
        Choice(model.name, str(model.id), ", ".join(sorted(kind for kind, _ in model.conditions)))
        for model in able[:25]
    ]
    chosen = settings_of(encounter)
    most = 1 + max((activation.group_limit(model, settings=chosen) for model in able), default=0)
    prompt = "Who acts? (several: a group)" if len(choices) > 1 else "Who acts?"
    return Menu(prompt, Activate(), "models", tuple(choices), 1, min(most, len(choices)))


@handles(RedrawToken, bot_dice=True)
def redraw(act: Act, action: RedrawToken) -> Reply:
    """Once a draw, by the player who drew, for one order token."""
    encounter = act.encounter
    now = read_bag(encounter)
    if active(encounter):
        raise Forbidden("The activation has begun: the draw stands.", "CB-ORDER-04")
    side = side_places(encounter)[now.drawer]
    act.require_side(side)
    again = bag.put_back(now)
    spend_order(act, side)
    reply = _draw(act, again)
    return replace(reply, lines=("One order token: the draw is repeated.", *reply.lines))


@handles(PassDraw)
def pass_draw(act: Act, action: PassDraw) -> Reply:
    """End the activation under way, or let a drawn token go unused; nothing may be left to settle."""
    encounter = act.encounter
    waits = unsettled(act)
    if waits is not None:
        return waits
    now = read_bag(encounter)
    if now.drawn is None:
        left = left_to_act(encounter)
        act.require_side(side_places(encounter)[now.drawer])
        if left[now.drawer]:
            raise Forbidden("Draw first: a player with models left to act must draw.", "CB-BAG-05")
        order = [(now.drawer + step) % now.crews for step in range(1, now.crews + 1)]
        following = next((place for place in order if left[place]), order[0])
        write_bag(encounter, replace(now, drawer=following))
        return Reply((f"{side_name(encounter, now.drawer)} passes.", *_what_next(encounter)))
    act.require_side(side_places(encounter)[now.drawn])
    _require_driven(act)
    after, lines, owed = _finish(encounter, now)
    write_bag(encounter, after)
    return _done(act, lines, owed)


def _done(act: Act, lines: list[str], owed: tuple[Button, ...] = ()) -> Reply:
    """What comes after an activation: what goes off with its end, then the next draw."""
    due = unsettled(act)
    if due is not None:
        buttons = (*due.buttons, *owed, UNDO)
        return replace(due, lines=(*lines, *due.lines), private=False, buttons=buttons)
    following = (*_next_buttons(act.encounter), *owed)
    return Reply((*lines, *_what_next(act.encounter)), buttons=following)


def _finish(encounter: Encounter, now: bag.Bag) -> tuple[bag.Bag, list[str], tuple[Button, ...]]:
    """End the activation of everybody who is active and hand the draw on; with what is still to be done."""
    done = active(encounter)
    for model in done:
        encounter.apply(activation.end_activation(model))
        over(encounter, model, OVER_AT_END)
        go_off(encounter, encounter.model(model.id))
    after = bag.pass_on(now, left_to_act(encounter))
    names = ", ".join(model.name for model in done)
    said = f"{names}: done." if names else "Done."
    lines = [said, *(line for model in done for line in still_owed(encounter, model))]
    owed = [button for model in done for button in owed_hits(encounter, model)]
    return after, lines, (*owed, *leash_buttons(encounter, done))


def is_spent(encounter: Encounter) -> bool:
    """Whether no token is left to draw, although somebody may not have acted. Rules: CB-BAG-07."""
    now = read_bag(encounter)
    return now.size == 0 and now.drawn is None


def _what_next(encounter: Encounter) -> list[str]:
    if bag.phase_over(left_to_act(encounter)):
        return ["Everybody has acted. Now: Upkeep."]
    if is_spent(encounter):
        return ["The bag is empty. Now: Upkeep."]
    return [f"Next draw: {side_name(encounter, read_bag(encounter).drawer)}."]


def _next_buttons(encounter: Encounter) -> tuple[Button, ...]:
    if bag.phase_over(left_to_act(encounter)) or is_spent(encounter):
        return (Button("Upkeep", NextStep(), "main"), UNDO)
    return (Button("Draw", DrawToken(), "main"), UNDO)


@handles(LetDraw)
def let_draw(act: Act, action: LetDraw) -> Reply:
    """Only before the first token of the game is drawn."""
    encounter = act.encounter
    now = read_bag(encounter)
    if encounter.row.turn > 1 or now.last_drawer is not None:
        raise Forbidden("The first draw of the game has been made.", "CB-BAG-01")
    act.require_side(side_places(encounter)[now.drawer])
    following = bag.first_of_game(now.drawer, draws=False, players=now.crews)
    write_bag(encounter, replace(now, drawer=following))
    return Reply(
        (f"{side_name(encounter, following)} draws first.",),
        buttons=(Button("Draw", DrawToken(), "main"), UNDO),
    )


@handles(PeekBag)
def peek(act: Act, action: PeekBag) -> Reply:
    """Counts only: what is drawn next nobody can know."""
    encounter = act.encounter
    now = read_bag(encounter)
    lines = [f"Bag: {now.size} tokens. Next draw: {side_name(encounter, now.drawer)}."]
    for side, tokens, left in zip(encounter.sides(), now.tokens, left_to_act(encounter), strict=True):
        chance = f", chance {tokens}/{now.size}" if now.size else ""
        lines.append(f"{side.name}: {tokens} in the bag{chance}, {left} left to act")
    return Reply(tuple(lines), private=True)


@handles(AskGroup)
def ask_group(act: Act, action: AskGroup) -> Reply:
    """Choose a group larger than the rules allow for nothing."""
    encounter = act.encounter
    now = read_bag(encounter)
    if now.drawn is None:
        raise Forbidden("Draw a token first.", "CB-BAG-03")
    side = encounter.side(side_places(encounter)[now.drawn])
    act.require_side(side.id)
    if not 1 <= action.tokens <= orders_of(side):
        raise Forbidden(f"The crew has {orders_of(side)} order tokens.", "CB-ORDER-03")
    menu = _who_acts(encounter, now.drawn)
    if not menu.choices:
        raise InvalidInput("Nobody of that crew is left to act: draw the next token.")
    menu = replace(menu, action=Activate(tokens=action.tokens), most=len(menu.choices))
    return Reply((f"Order tokens: {action.tokens}. Choose the group.",), private=True, menus=(menu,))


@handles(Activate)
def activate(act: Act, action: Activate) -> Reply:
    """One model, or a leader with the Lackeys it directs."""
    encounter = act.encounter
    now = read_bag(encounter)
    if now.drawn is None:
        raise Forbidden("Draw a token first.", "CB-BAG-03")
    if active(encounter):
        raise Forbidden("An activation is under way: end it with Done.", "CB-BAG-04")
    side = side_places(encounter)[now.drawn]
    chosen = [fighter(encounter, encounter.model(number)) for number in action.models]
    if not chosen or any(model.side != side for model in chosen):
        name = encounter.side(side).name
        raise InvalidInput(f"A token of {name} was drawn: choose models of {name}.")
    act.require_side(side)
    leader, others = _leader(chosen)
    if action.tokens:
        spend_order(act, side, action.tokens)
    pair_off(encounter, side)
    group = tuple(again(act, model) for model in (leader, *others))
    counted = tuple(model for model in without_partners(group) if model.id != leader.id)
    activation.check_group(leader, counted, action.tokens, settings(act))
    telling = Telling()
    lines = telling.lines
    for model in (*group, *joined_by_dogs(act, group)):
        encounter.apply(activation.start_activation(model))
        now_active = again(act, model)
        lines.append(_begins(now_active))
        waits = begins(act, now_active)
        lines += [*waits.lines, *waits.proposal_lines()]
        telling.proposals += waits.proposals
    if not active(encounter):
        after, more, _ = _finish(encounter, now)
        for model in group:
            go_off(encounter, encounter.model(model.id))
        write_bag(encounter, after)
        return _done(act, [*lines, *more[1:]])
    free = (*bond_buttons(act, group), *reserve_buttons(act, group))
    done = Button("Done", PassDraw(), "main")
    buttons = telling.buttons(act, done, *free, *with_odds(encounter), UNDO)
    return Reply(tuple(lines), buttons=buttons)


@handles(ActNamed)
def activate_named(act: Act, action: ActNamed) -> Reply:
    """The same as choosing them from the menu."""
    found = [act.encounter.find_model(part).id for part in action.who.split(",") if part.strip()]
    act.canonical = Activate(tuple(found), action.tokens)
    return activate(act, act.canonical)


def _leader(chosen: list[Fighter]) -> tuple[Fighter, tuple[Fighter, ...]]:
    """Who directs the group: its Hero, or the first named."""
    leader = next((model for model in chosen if model.profile.is_hero), chosen[0])
    return leader, tuple(model for model in chosen if model.id != leader.id)


def _begins(model: Fighter) -> str:
    if model.is_incapacitated:
        return f"{model.name} is stunned and misses its turn."
    if model.has(Condition.PANICKED):
        return f"{model.name} acts: panicked, Rally first."
    if model.has(Condition.PINNED):
        return f"{model.name} acts: Pinned, break free first."
    if model.is_engaged:
        return f"{model.name} acts: engaged, Fight or Disengage."
    prone = ", prone" if model.has(Condition.PRONE) else ""
    return f"{model.name} acts: 2 actions, 1 attack{prone}."
