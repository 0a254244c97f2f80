"""Pairs at the table: who belongs together, acting together, the leash of a Watchdog."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.common import again, carry_through
from bot.games.counterblast.core.fields import friend, who
from bot.games.counterblast.core.fighters import other_half
from bot.games.counterblast.core.narration import Telling, finish
from bot.games.counterblast.turn.begins import begins
from bot.games.counterblast.turn.pairing import pair, partner_of
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from rules.refusals import Forbidden
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.turn.activation import (
    LEASH_INCHES,
    after_partner_activated,
    is_watchdog_of,
    leash,
    require_bond,
    start_activation,
)


@dataclass(frozen=True, slots=True)
class PairUp(Action):
    """A Bonded pair, or a Watchdog and its owner.

    The pair of a Bonded is a Hero and a Beast.
    """

    command = "cb.gear.pair"
    typed = "gear pair"
    titled = "Make a pair"

    first: Fighter = who("One")
    second: Fighter = who("The other", names=other_half)


@dataclass(frozen=True, slots=True)
class ActTogether(Action):
    """It acts while its partner does, without a token."""

    command = "cb.gear.along"
    typed = "gear together"
    titled = "Act with its partner"

    model: Fighter = who()


@dataclass(frozen=True, slots=True)
class Leash(Action):
    """How far a Watchdog is from its owner.

    far: too many inches, however many.
    """

    command = "cb.gear.leash"
    typed = "gear leash"
    titled = "Watchdog's leash"

    dog: Fighter = who("The Watchdog", called="model")
    owner: Fighter = friend("Its owner", needed=True)
    inches: float = fields.inches(
        "Inches", 0.0, 200.0, default=0.0, called="distance", needed=True, checked=True
    )
    far: bool = False


@handles(PairUp)
def pair_up(act: Act, action: PairUp) -> Reply:
    """Bonded, or a Watchdog and who brought it. Rules: CB-FEAT-08, CB-GEAR-49, CB-GEAR-50."""
    one, other = action.first, action.second
    owner, dog = (other, one) if one.profile.is_beast else (one, other)
    paired = frozenset(row.id for row in act.encounter.models() if row.counters.get(Counter.PARTNER))
    if not owner.has_gear("watchdog"):
        require_bond(owner, dog, paired)
    elif not is_watchdog_of(owner, dog) or {owner.id, dog.id} & paired:
        raise Forbidden(f"{dog.name} is no Watchdog of {owner.name}.", "CB-GEAR-49")
    pair(act.encounter, owner, dog)
    lines = [f"{owner.name} and {dog.name} are a pair.", "Neither blocks the other's line of sight."]
    return finish(act, Telling(lines))


# ------------------------------------------------------------------------------------------- together


def joined_by_dogs(act: Act, acting: tuple[Fighter, ...]) -> tuple[Fighter, ...]:
    """Owners and Watchdogs that are activated with those who act: outside the group's limit, without a token.

    Rules: CB-GEAR-50.
    """
    found = []
    for model in acting:
        partner = partner_of(act.encounter, model)
        if partner is None or partner in acting or not after_partner_activated(partner):
            continue
        if is_watchdog_of(model, partner) or is_watchdog_of(partner, model):
            found.append(partner)
    return tuple(found)


def without_partners(acting: tuple[Fighter, ...]) -> tuple[Fighter, ...]:
    """Those who count against the limit of a group: of a pair only the Hero.

    Rules: CB-FEAT-08, CB-GEAR-50.
    """
    numbers = {model.id for model in acting}
    return tuple(
        model for model in acting if not model.profile.is_beast or model.count(Counter.PARTNER) not in numbers
    )


def bond_buttons(act: Act, acting: tuple[Fighter, ...]) -> tuple[Button, ...]:
    """A button for each Bonded partner of those who act that may act too, free. Rules: CB-FEAT-08."""
    partners = [partner_of(act.encounter, model) for model in acting]
    free = [one for one in partners if one is not None and after_partner_activated(one)]
    return tuple(Button(f"{one.name} too (free)", ActTogether(one), anytime=True) for one in free)


@handles(ActTogether)
def act_together(act: Act, action: ActTogether) -> Reply:
    """While its partner acts. Rules: CB-FEAT-08, CB-GEAR-50."""
    model, partner = action.model, partner_of(act.encounter, action.model)
    if partner is None or not partner.has(Condition.ACTIVE) or not after_partner_activated(model):
        raise Forbidden(f"{model.name} acts with its partner only, once a turn.", "CB-FEAT-08")
    carry_through(act, start_activation(model))
    telling = Telling([f"{model.name} acts with {partner.name}."])
    waits = begins(act, again(act, model))
    telling.lines += waits.lines
    telling.proposals += waits.proposals
    return finish(act, telling)


# ------------------------------------------------------------------------------------------- leash


def leash_buttons(encounter: Encounter, done: tuple[Fighter, ...]) -> tuple[Button, ...]:
    """A button for every Watchdog that its own or its owner's moves may have left behind.

    Rules: CB-GEAR-50.
    """
    found = {}
    for model in done:
        partner = partner_of(encounter, model)
        for owner, dog in ((model, partner), (partner, model)):
            if owner and dog and is_watchdog_of(owner, dog) and leash(owner, dog, LEASH_INCHES + 1):
                far = Leash(dog, owner, far=True)
                found[dog.id] = Button(f"{dog.name} is over {LEASH_INCHES} in away", far)
    return tuple(found.values())


@handles(Leash)
def on_leash(act: Act, action: Leash) -> Reply:
    """More than 6 in away it panics. Rules: CB-GEAR-50."""
    dog = action.dog
    inches = LEASH_INCHES + 1 if action.far else action.inches
    telling = Telling()
    telling.follow(act, leash(action.owner, dog, inches))
    how_far = f"over {LEASH_INCHES} in" if action.far else f"{action.inches:g} in"
    if inches <= LEASH_INCHES:
        telling.lines.append(f"{dog.name} is near enough ({how_far}).")
        return finish(act, telling)
    said = "panics" if again(act, dog).has(Condition.PANICKED) else "is Fearless"
    telling.lines.append(f"{dog.name} is too far off ({how_far}) and {said}.")
    return finish(act, telling)
