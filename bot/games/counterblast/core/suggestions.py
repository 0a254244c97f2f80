"""What Counterblast's fields suggest: the model that another field names, its weapons, lists of names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from bot.games.counterblast.core.fighters import fighter
from bot.store.rows import ModelRow
from bot.table.asking.kinds import Asking, Names, Offer
from bot.table.asking.offering import foe, friendly, model_said, models_offered, own_model, such
from bot.table.encounter import Encounter
from bot.table.names import suggestions
from rules.systems.counterblast.core.fighter import Condition, Fighter

SYSTEM = "counterblast"

WHO_ATTACKS = ("shooter", "charger", "firer", "attacker", "model")
"""The fields that name whose weapons are meant."""


def game_of(asking: Asking) -> Encounter | None:
    """The game of Counterblast that runs; None where another or none does."""
    encounter = asking.act.encounter if asking.act.has_encounter else None
    return encounter if encounter is not None and encounter.row.system == SYSTEM else None


def kept(names: Callable[[Encounter], Iterable[str]]) -> Names:
    """Names of what the game keeps."""

    def offered(asking: Asking) -> Iterable[str]:
        encounter = game_of(asking)
        return names(encounter) if encounter is not None else ()

    return offered


def fighter_said(asking: Asking, *fields: str) -> Fighter | None:
    """The model that was said in the first of these fields that says one."""
    encounter = game_of(asking)
    row = model_said(asking, *fields)
    return fighter(encounter, row) if encounter is not None and row is not None else None


def carried(field: str, names: Callable[[Fighter], Iterable[str]]) -> Names:
    """Names of things of the model that another field names."""

    def offered(asking: Asking) -> Iterable[str]:
        model = fighter_said(asking, field)
        return names(model) if model is not None else ()

    return offered


def in_contact_first(asking: Asking) -> Sequence[Offer]:
    """Models in play, enemies who touch whoever attacks first, then other enemies, friends."""
    encounter, acting = game_of(asking), fighter_said(asking, *WHO_ATTACKS)
    offers = foe(asking)
    if encounter is None or acting is None or not acting.is_engaged:
        return offers
    near = [row for row in encounter.models() if acting.is_engaged_with(fighter(encounter, row))]
    values = {offer.value for offer in models_offered(asking, near)}
    return sorted(offers, key=lambda offer: offer.value not in values)


def hurt_first(asking: Asking) -> Sequence[Offer]:
    """Models, friends who are hurt first, then whoever acts, friends, enemies."""
    if game_of(asking) is None:
        return []
    encounter, acting = asking.act.encounter, model_said(asking, *list(asking.so_far)[:1])
    friends = friendly(asking)

    def rank(row: ModelRow) -> tuple[bool, bool, bool]:
        return (row.side not in friends, not row.damage, row != acting)

    return models_offered(asking, sorted(encounter.models(), key=rank))


hidden_foe = such(
    lambda encounter, row: fighter(encounter, row).has(Condition.HIDDEN),
    "Nobody is Hidden.",
    "CB-HIDE-04",
    foe,
)


def other_half(asking: Asking) -> Sequence[Offer]:
    """Of a pair: for a Beast those who are none, for others the Beasts."""
    one = fighter_said(asking, "first")
    beast = one is not None and one.profile.is_beast
    return such(
        lambda encounter, row: fighter(encounter, row).profile.is_beast != beast,
        f"Nobody here is {'anything but ' if beast else ''}a Beast.",
        "CB-FEAT-08",
        own_model,
    )(asking)


def next_name(asking: Asking) -> Sequence[str]:
    """Names of models for the end of a list: Sally>Smap, Angus>..."""
    encounter = game_of(asking)
    if encounter is None:
        return []
    typed = asking.typed
    cut = max(typed.rfind(","), typed.rfind(">")) + 1
    before, last = typed[:cut], typed[cut:].strip()
    blank = " " if before.endswith(",") else ""
    return [before + blank + name for name in suggestions(last, [model.name for model in encounter.models()])]
