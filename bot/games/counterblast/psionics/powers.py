"""Psionic powers that a model knows, and how they are named and suggested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action, Raw
from bot.games.counterblast.core.common import settings
from bot.games.counterblast.core.fields import who
from bot.games.counterblast.core.narration import Telling, finish
from bot.games.counterblast.core.wording import power_title
from bot.games.counterblast.state.models import (
    complete_next_name,
    fighter,
    find_said_fighter,
    game_of,
    with_powers,
)
from bot.replies.reply import Choice, Menu, Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.asking.offering import completing, friendly
from bot.table.handlers import handles
from bot.table.names import find
from rules.refusals import Forbidden, InvalidInput, Missing, forbid
from rules.systems.counterblast.building.crew import count_allowed_powers
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Power, Weapon
from rules.systems.counterblast.psionics.psionics import knows
from rules.wording import times

MAX_AIMS = 8


@dataclass(frozen=True, slots=True)
class Named:
    """A model as it was typed in a list, with the number behind its name; None where there is none."""

    model: Fighter
    number: int | None = None


def listed(act: ActView, text: str) -> tuple[Named, ...]:
    """Return models typed one after another with commas, each with a number if one stands behind its name.

    A model whose own name ends so is meant first. Raises InvalidInput.
    """
    parts = [" ".join(part.split()) for part in text.split(",") if part.strip()]
    if len(parts) > MAX_AIMS:
        raise InvalidInput(f"Name at most {MAX_AIMS} models.")
    return tuple(_read_model(act, part) for part in parts)


def _read_model(act: ActView, text: str) -> Named:
    model_names = {model.name.casefold() for model in act.encounter.models()}
    head, _, tail = text.rpartition(" ")
    if head and tail.isdecimal() and len(tail) < 4 and text.casefold() not in model_names:
        return Named(fighter(act.encounter, act.encounter.find_model(head)), int(tail))
    return Named(fighter(act.encounter, act.encounter.find_model(text)))


def written(named: tuple[Named, ...]) -> str:
    """Return the list in the one form that all ways of typing it share."""
    return ", ".join(
        f"#{target.model.id}" + (f" {target.number}" if target.number is not None else "") for target in named
    )


def without_inches(model_list: Raw) -> Raw:
    """Return the names in such a list, whatever was measured."""
    return ", ".join(part.split()[0] for part in str(model_list).split(", "))


def read_inches(text: str) -> tuple[float, ...]:
    """Return distances typed with spaces or commas. Raises InvalidInput."""
    try:
        numbers = tuple(float(part) for part in text.replace(",", " ").split())
    except ValueError:
        raise Missing("Enter distances as numbers, such as `6`, or `6 9` for two targets.") from None
    if any(not 0 <= number <= 200 for number in numbers):
        raise InvalidInput("Distances must be between 0 and 200 in.")
    return numbers


def write_inches(numbers: tuple[float, ...]) -> str:
    """Return distances as they are typed."""
    return " ".join(repr(number).removesuffix(".0") for number in numbers)


def inches_of_each(numbers: tuple[float, ...], count: int) -> tuple[float, ...]:
    """Return one distance for all, or one for each; none is 0. Raises InvalidInput."""
    if len(numbers) <= 1:
        return (numbers[0] if numbers else 0.0,) * count
    if len(numbers) != count:
        raise Missing(f"Enter one distance for all, or {count} distances (you entered {len(numbers)}).")
    return numbers


def find_uses(text: str) -> tuple[Power, ...]:
    """Return the way of using a power that is meant, by name or key; of a bare power every way.

    Raises InvalidInput.
    """
    library = load()
    powers = {use.name.partition(" (")[0].casefold(): use.power for use in library.powers}
    typed = " ".join(text.split()).casefold()
    key = powers.get(typed, typed if typed in library.power_keys() else "")
    if typed in {use.key for use in library.powers}:
        return (library.powers[typed],)
    if not key:
        return (find(text, tuple(library.powers), lambda row: row.name, "power"),)
    return tuple(library.power_uses(key))


def write_uses(uses: tuple[Power, ...]) -> str:
    """Return the key of a way of using a power, or of the power where every way is meant."""
    return uses[0].key if len(uses) == 1 else uses[0].power


def find_fitting_use(uses: tuple[Power, ...], psionic: Fighter, target: Fighter | None) -> Power:
    """Return the way of using a power that fits the target."""
    if len(uses) == 1:
        return uses[0]
    enemy = target is not None and target.side != psionic.side
    fitting_uses = [row for row in uses if row.attack == enemy]
    if not enemy and len(fitting_uses) > 1:
        aims_at_other = target is not None and target.id != psionic.id
        fitting_uses = [row for row in fitting_uses if ("ally" in row.key) == aims_at_other]
    return fitting_uses[0]


def power_names(known: tuple[str, ...] = ()) -> list[str]:
    """Return the ways of using the powers, those given by key only where any are."""
    return [row.name for row in load().powers if not known or row.power in known]


def as_weapon(row: Power) -> Weapon:
    """Return a power as what a target is told to be hit by."""
    return Weapon(key="psionics", name=row.name, group="natural", deliveries=("direct",), damage=row.damage)


def suggest_known_powers(context: Asking) -> Sequence[str]:
    """Return powers of the psionic that was entered first, or all powers if it has chosen none."""
    if game_of(context) is None:
        return []
    model = find_said_fighter(context, "psionic")
    if model is not None and not model.has_feature("psionic"):
        return []
    power_keys = tuple(key for key in load().power_keys() if model is not None and knows(model, key))
    return power_names(power_keys)


def suggest_targets(context: Asking) -> Sequence[str]:
    """Return names for a list of targets; first those for whom the power can be meant."""
    if context.typed or game_of(context) is None:
        return complete_next_name(context)
    friends, uses = friendly(context), context.so_far.get("power") or ()
    sides = [attack for attack in (True, False) if any(row.attack == attack for row in uses)] or [True, False]
    models = context.act.encounter.models()
    return [row.name for attacked in sides for row in models if (row.side not in friends) == attacked]


def _suggest_powers(context: Asking) -> Sequence[str]:
    return [power_title(key) for key in load().power_keys()]


powers = completing(_suggest_powers)
"""All powers with commas between them."""


@dataclass(frozen=True, slots=True)
class ChoosePowers(Action):
    """Choose a model's powers for this game (leave powers blank to see them)."""

    command = "cb.psi.know"
    typed = "psi know"
    titled = "Choose powers"
    bare = True

    psionic: Fighter = who("Psionic model", called="model")
    powers: tuple[str, ...] = fields.several(
        "Powers, separated by commas", powers, lambda asking, text: find_power(text)
    )


def find_power(text: str) -> str:
    """Return the key of the power that is meant. Raises InvalidInput."""
    return find(text, load().power_keys(), power_title, "power") if "_" not in text else _by_key(text)


def _by_key(text: str) -> str:
    if text not in load().power_keys():
        raise InvalidInput("There is no power with that name.")
    return text


def allowed(act: ActView, psionic: Fighter) -> int:
    """Return how many powers it knows. Rules: CB-PSI-01."""
    return count_allowed_powers(psionic.profile, psionic.gear, psionic.crew, settings(act))


def ask_powers(act: Act, psionic: Fighter) -> Reply:
    """Return what can be chosen, to the asker alone."""
    number = allowed(act, psionic)
    chosen_names = ", ".join(power_title(key) for key in psionic.profile.powers) or "none yet"
    lines = [f"{psionic.name} can know {times(number, 'power')}.", f"Chosen: {chosen_names}."]
    if psionic.profile.powers and act.encounter.row.turn:
        return Reply((*lines, "The powers stay the same for this game. Use one with /psi use."), private=True)
    choices = tuple(
        Choice(power_title(key), key, load().power_uses(key)[0].text[:90]) for key in load().power_keys()
    )
    prompt = f"Choose {'up to ' if number > 1 else ''}{times(number, 'power')} for this game"
    menu = Menu(prompt, ChoosePowers(psionic), "powers", choices, 1, min(number, len(choices)))
    return Reply(tuple(lines), private=True, menus=(menu,) if number else ())


def _may_choose(act: ActView, action: ChoosePowers) -> None:
    """Refuse a model without psionics, or a second choice in the same game. Rules: CB-PSI-01."""
    psionic = action.psionic
    if not allowed(act, psionic):
        raise Forbidden(f"{psionic.name} has no psionic powers.", "CB-PSI-01")
    if action.powers and psionic.profile.powers and act.encounter.row.turn:
        forbid(f"{psionic.name} has already chosen its powers for this game.", "CB-PSI-01")


@handles(ChoosePowers, may=_may_choose)
def choose_powers(act: Act, action: ChoosePowers) -> Reply:
    """Choose powers once for the game or campaign. Rules: CB-PSI-01."""
    psionic = action.psionic
    _may_choose(act, action)
    number = allowed(act, psionic)
    if number and not action.powers:
        return ask_powers(act, psionic)
    keys = tuple(dict.fromkeys(action.powers))
    act.canonical = replace(action, powers=keys)
    if number and len(keys) > number:
        forbid(f"{psionic.name} can know {times(number, 'power')} (you chose {len(keys)}).", "CB-PSI-01")
    row = act.encounter.model(psionic.id)
    row.profile = with_powers(row.profile, keys)
    names = ", ".join(power_title(key) for key in keys)
    return finish(act, Telling([f"{psionic.name} knows {names}."]))
