"""Crews on the table: order tokens, what models carry, pairs, and lost leaders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.actions import Action, number_in
from bot.games.counterblast.state.missions import CAPTIVE, RESERVE
from bot.games.counterblast.state.models import fighter, fighters
from bot.games.counterblast.state.sight import forget_moved
from bot.games.counterblast.state.table_state import ModelState
from bot.store.rows import ThingRow
from bot.table.encounter import GONE, IN_PLAY, Encounter, EncounterView, set_counter
from bot.table.owners import side_in, side_of
from rules.effects import Assign, Effect, Gain, Harm, Leave, Propose
from rules.systems.counterblast.building.crew import LEADER, UNLED, Succession, lose_leader, may_lead
from rules.systems.counterblast.core.conditions import CASUALTY
from rules.systems.counterblast.core.counters import ENGAGED_WITH, Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.gear.salvage import after_wreck
from rules.systems.counterblast.missions.missions import HELD, dropped
from rules.systems.counterblast.turn.activation import after_owner_removed, bonds, is_watchdog_of
from rules.systems.counterblast.vehicle_rules import after_vehicle_lost

NOBODY = "nobody"
"""What is typed where a crew goes on without a leader."""

HEIR = "heir"
"""The proposal of a model that may lead now; `LEADER` proposed that someone has to."""

UNLED_OFFER = "no heir"
"""The proposal to name no one."""

SUCCESSION_KINDS = frozenset({LEADER, HEIR, UNLED_OFFER})
"""The proposals that ask for a successor."""


@dataclass(frozen=True, slots=True)
class NameLeader(Action):
    """Name who leads a crew that lost its leader."""

    command = "cb.leader"
    decision_of = side_of("model")

    model: int = 0


@dataclass(frozen=True, slots=True)
class NameNobody(Action):
    """A crew that lost its leader goes on without one."""

    command = "cb.no-leader"
    decision_of = side_in("side")

    side: int = 0


def ask_for_heir(encounter: Encounter, side: int) -> tuple[tuple[Effect, ...], list[Propose]]:
    """Return what the loss of a crew's leader does, and what asks who leads now.

    Without anybody who may, no order tokens are left.

    side: id of the crew.
    Rules: CB-CREW-05, CB-CREW-06.
    """
    remaining = fighters(encounter, side)
    heirs = [model for model in remaining if may_lead(model, remaining)]
    succession = Succession(side, tuple(model.id for model in heirs))
    unled_effects = (*lose_leader(succession), Assign("side", side, UNLED, 0))
    name = encounter.side(side).name
    if succession.leaderless:
        return unled_effects, [Propose(LEADER, 0, f"{name} has no leader and no order tokens left.")]
    proposal = Propose(LEADER, 0, f"{name} has lost its leader. Who leads now?")
    heir_offers = [Propose(HEIR, model.id, "", (("name", model.name),)) for model in heirs]
    return unled_effects, [
        proposal,
        *heir_offers,
        Propose(UNLED_OFFER, 0, "", (("side", side), ("name", name))),
    ]


DOG = "'s dog"
"""How the name of a Watchdog goes on after its owner's."""


def partner_of(encounter: Encounter, model: Fighter) -> Fighter | None:
    """Return the partner of a model, while it is in play. Rules: CB-FEAT-08, CB-GEAR-50."""
    number = model.count(Counter.PARTNER)
    row = encounter.model(number) if number else None
    return fighter(encounter, row) if row is not None and row.status == IN_PLAY else None


def pair(encounter: Encounter, one: Fighter, other: Fighter) -> None:
    """Store the two as a pair."""
    encounter.model(one.id).counters[Counter.PARTNER] = other.id
    encounter.model(other.id).counters[Counter.PARTNER] = one.id


def pair_models(encounter: Encounter, side: int) -> None:
    """Store every pair of a crew that is beyond doubt: a Watchdog by its owner's name, or the only one;
    a Bonded Hero and Beast if there is one of each. Rules: CB-FEAT-08, CB-GEAR-49.
    """
    unpaired = [model for model in fighters(encounter, side, gone=True) if not model.count(Counter.PARTNER)]
    owners = [model for model in unpaired if model.has_gear("watchdog")]
    for owner in owners:
        dogs = [model for model in unpaired if is_watchdog_of(owner, model)]
        named_dogs = [dog for dog in dogs if dog.name.startswith(f"{owner.name[:22]}{DOG}")]
        strays = [dog for dog in dogs if not dog.has_feature("bonded")] if len(owners) == 1 else []
        for dog in (named_dogs or (strays if len(strays) == 1 else []))[:1]:
            pair(encounter, owner, dog)
            unpaired.remove(dog)
    new_pairs = bonds(tuple(model for model in unpaired if model not in owners))
    if len(new_pairs) == 1:
        pair(encounter, *new_pairs[0])


def is_stray(encounter: Encounter, model: Fighter) -> bool:
    """Return whether it is a Watchdog whose owner has left play. Rules: CB-GEAR-50."""
    number = model.count(Counter.PARTNER)
    row = encounter.model(number) if number else None
    if row is None or row.status != GONE or row.left_how == RESERVE:
        return False
    return is_watchdog_of(fighter(encounter, row), model)


def list_stray_effects(encounter: Encounter, effects: Iterable[Effect]) -> tuple[list[Effect], list[Propose]]:
    """Return what happens to the Watchdogs of models that left play, and the proposals for it. Rules:
    CB-GEAR-50.
    """
    all_effects: list[Effect] = []
    for effect in effects:
        if not isinstance(effect, Leave):
            continue
        number = encounter.model(effect.model).counters.get(Counter.PARTNER, 0)
        row = encounter.model(number) if number else None
        if row is not None and row.status == IN_PLAY and is_stray(encounter, fighter(encounter, row)):
            all_effects += after_owner_removed(fighter(encounter, row))
    proposals = [effect for effect in all_effects if isinstance(effect, Propose)]
    return [effect for effect in all_effects if not isinstance(effect, Propose)], proposals


def exclude_partners(acting: tuple[Fighter, ...]) -> tuple[Fighter, ...]:
    """Return those who count against the limit of a group: of a pair only the Hero.

    Rules: CB-FEAT-08, CB-GEAR-50.
    """
    numbers = {model.id for model in acting}
    return tuple(
        model for model in acting if not model.profile.is_beast or model.count(Counter.PARTNER) not in numbers
    )


TOKEN = "mission token"  # noqa: S105
"""Kind of the rows of tokens on the table."""
SALVAGE = "Salvage"
"""Names of Salvage Tokens begin so."""


def lay_token(encounter: Encounter, name: str) -> ThingRow:
    """Put a token on the table."""
    book = encounter.book
    return book.add(ThingRow(book.scope, book.next_id(ThingRow), TOKEN, name))


def next_salvage(encounter: Encounter) -> str:
    """Return the name of the next Salvage Token."""
    return f"{SALVAGE} {1 + sum(row.name.startswith(SALVAGE) for row in tokens(encounter))}"


def is_salvage(token: str) -> bool:
    """Return whether a token counts as one of Salvage, by its name."""
    return SALVAGE.casefold() in token.casefold()


def drop_tokens(encounter: Encounter, effects: Sequence[Effect]) -> list[Propose]:
    """Drop tokens of models that are lost or panic, and in a campaign the Salvage of wrecks.

    Rules: CB-MISS-03, CB-SALV-01, CB-SALV-04.
    """
    proposals = []
    for effect in effects:
        is_lost = isinstance(effect, Leave)
        panics = isinstance(effect, Gain) and effect.condition == Condition.PANICKED
        if not isinstance(effect, (Leave, Gain)) or not (is_lost or panics):
            continue
        row = encounter.model(effect.model)
        model = fighter(encounter, row)
        for token in list_held_tokens(encounter, row.id):
            for token_drop in dropped(model, token, casualty=is_lost):
                set_counter(encounter.row.counters, token_drop.key, token_drop.value)
                proposals.append(Propose("fallen", row.id, f"{token} drops where {row.name} was."))
        if row.status == GONE and row.left_how == CASUALTY and encounter.setting("campaign"):
            name = next_salvage(encounter)
            wreck = after_wreck(fighter(encounter, row), row.left_how, name)
            if wreck:
                lay_token(encounter, name)
                proposals += [effect for effect in wreck if isinstance(effect, Propose)]
    return proposals


def find_holder(encounter: EncounterView, token: str) -> int:
    """Return the model that holds a token, or 0 if it is on the table."""
    return encounter.count(HELD.of(token))


def tokens(encounter: EncounterView) -> list[ThingRow]:
    """Return the tokens of the table that can be carried."""
    return [row for row in encounter.book.all(ThingRow) if row.kind == TOKEN]


def read_captive_id(name: str) -> int:
    """Return the number of the model that a captive's token represents, or 0 for other tokens."""
    word, _, number = name.partition(" ")
    return (number_in(number, "") or 0) if word.casefold() == CAPTIVE else 0


def token_lines(encounter: Encounter) -> list[str]:
    """Return lines that say who holds which token."""
    lines = []
    for row in tokens(encounter):
        holder = find_holder(encounter, row.name)
        captive = read_captive_id(row.name)
        name = f"{encounter.model(captive).name} (captive)" if captive else row.name
        lines.append(f"{name}: {encounter.model(holder).name if holder else 'on the table'}")
    return lines


def list_held_tokens(encounter: Encounter, model: int) -> list[str]:
    """Return the tokens that a model holds."""
    return [row.name for row in tokens(encounter) if find_holder(encounter, row.name) == model]


def apply_outcome(encounter: Encounter, effects: Iterable[Effect], *, by: int = 0) -> list[Propose]:
    """Apply what an outcome does; gives what is to follow.

    A model that leaves play ends all its engagements, and everyone who rides in it is lost with it; a crew
    whose leader left is asked for another. Models in reserve have left no one. by: see `Encounter.apply`; a
    model that is down stays credited to the one that brought it down. Rules: CB-VEH-07, CB-CREW-05,
    CB-CREW-06, CB-GEAR-50, CB-MISS-03, CB-SCORE-02.
    """
    outcome = tuple(effects)
    aboard = _list_riders(encounter, outcome)
    riders = after_vehicle_lost(aboard)
    effects = (*outcome, *riders)
    lost_rows = [
        encounter.model(effect.model)
        for effect in effects
        if isinstance(effect, Leave) and effect.how != RESERVE
    ]
    leaders = [row for row in lost_rows if fighter(encounter, row).leader]
    for row in leaders:
        ModelState(row).was_leader = 1
    harmed = [encounter.model(effect.model) for effect in outcome if isinstance(effect, Harm)]
    downed = [(row, row.hurt_by, row.hurt_side) for row in harmed if fighter(encounter, row).is_down]
    proposals = [*encounter.apply(outcome, by=by), *encounter.apply(riders)]
    for row, *credit in downed:
        row.hurt_by, row.hurt_side = credit
    forget_moved(encounter, effects)
    proposals += drop_tokens(encounter, effects)
    stray_effects, stray_proposals = list_stray_effects(encounter, effects)
    proposals += stray_proposals
    proposals += apply_outcome(encounter, stray_effects) if stray_effects else []
    proposals += [
        Propose("lost_aboard", rider.id, f"{rider.name} is lost with the vehicle.") for rider in aboard
    ]
    for row in leaders:
        if encounter.side(row.side).counters.get(LEADER, 0) == row.id:
            unled_effects, requests = ask_for_heir(encounter, row.side)
            apply_outcome(encounter, unled_effects)
            proposals += requests
    _end_engagements(encounter)
    return proposals


def _end_engagements(encounter: Encounter) -> None:
    """Rules: CB-COND-03."""
    removed_ids = {model.id for model in encounter.models(gone=True) if model.status == GONE}
    for model in encounter.models() if removed_ids else ():
        for other in ENGAGED_WITH.among(model.counters.items()):
            if other in removed_ids:
                del model.counters[ENGAGED_WITH.of(other)]


def _list_riders(encounter: Encounter, effects: Iterable[Effect]) -> list[Fighter]:
    leaving_ids = {effect.model for effect in effects if isinstance(effect, Leave)}
    if not leaving_ids:
        return []
    return [
        fighter(encounter, row)
        for row in encounter.models()
        if row.counters.get(Counter.RIDES, 0) in leaving_ids and row.id not in leaving_ids
    ]
