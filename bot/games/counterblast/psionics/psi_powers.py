"""Which powers a psionic has chosen: asked once, before it uses the first of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import settings
from bot.games.counterblast.core.fields import who
from bot.games.counterblast.core.fighters import with_powers
from bot.games.counterblast.core.rolls import finish
from bot.games.counterblast.core.telling import Telling
from bot.games.counterblast.psionics.psi_words import power_title
from bot.games.counterblast.psionics.suggestions import powers
from bot.replies.reply import Choice, Menu, Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.handlers import handles
from bot.table.names import find
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.psionics.psionics import powers_allowed
from rules.wording import times


@dataclass(frozen=True, slots=True)
class ChoosePowers(Action):
    """Choose a model's powers for the game; without any: show them."""

    command = "cb.psi.know"
    typed = "psi know"
    titled = "Choose powers"
    bare = True

    psionic: Fighter = who("Whose powers", called="model")
    powers: tuple[str, ...] = fields.several(
        "Which, with commas between", powers, lambda asking, text: power_named(text)
    )


def power_named(text: str) -> str:
    """The key of the power that is meant. Raises InvalidInput."""
    return find(text, load().power_keys(), power_title, "power") if "_" not in text else _by_key(text)


def _by_key(text: str) -> str:
    if text not in load().power_keys():
        raise InvalidInput("There is no such power.")
    return text


def allowed(act: Act, psionic: Fighter) -> int:
    """How many powers it knows. Rules: CB-PSI-01."""
    return powers_allowed(psionic.profile, psionic.gear, psionic.crew, settings(act))


def ask_powers(act: Act, psionic: Fighter) -> Reply:
    """What can be chosen, to the asker alone."""
    number = allowed(act, psionic)
    have = ", ".join(power_title(key) for key in psionic.profile.powers) or "none yet"
    lines = [f"{psionic.name} knows {times(number, 'power')}.", f"Chosen: {have}."]
    if psionic.profile.powers and act.encounter.row.turn:
        return Reply((*lines, "They stay for the game. Use one: /psi use."), private=True)
    choices = tuple(
        Choice(power_title(key), key, load().power_uses(key)[0].text[:90]) for key in load().power_keys()
    )
    menu = Menu(
        f"{number} powers, for the game", ChoosePowers(psionic), "powers", choices, 1,
        min(number, len(choices)),
    )  # fmt: skip
    return Reply(tuple(lines), private=True, menus=(menu,) if number else ())


def _may_choose(act: Act, action: ChoosePowers) -> None:
    """Refuses one who is no psionic, or has chosen for this game. Rules: CB-PSI-01."""
    psionic = action.psionic
    if not allowed(act, psionic):
        raise Forbidden(f"{psionic.name} is no psionic.", "CB-PSI-01")
    if psionic.profile.powers and act.encounter.row.turn:
        forbid(f"{psionic.name} has chosen its powers already.", "CB-PSI-01")


@handles(ChoosePowers, may=_may_choose)
def choose_powers(act: Act, action: ChoosePowers) -> Reply:
    """Once for the game or campaign. Rules: CB-PSI-01."""
    psionic = action.psionic
    number = allowed(act, psionic)
    if number and not action.powers:
        return ask_powers(act, psionic)
    keys = tuple(dict.fromkeys(action.powers))
    act.canonical = replace(action, powers=keys)
    if number and len(keys) > number:
        forbid(f"{psionic.name} knows {number} powers, not {len(keys)}.", "CB-PSI-01")
    _may_choose(act, action)
    row = act.encounter.model(psionic.id)
    row.profile = with_powers(row.profile, keys)
    names = ", ".join(power_title(key) for key in keys)
    return finish(act, Telling([f"{psionic.name} knows {names}."]))
