"""What may be done beside the actions of who acts: duties that come first, permissions, reactions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from bot.games.warzone.core.acting import DEEDS, GRANT, GRANT_AT, acts_now
from bot.games.warzone.core.common import ATTACK_GRANT, MADDENED, OUT, TOGETHER, may_react
from bot.games.warzone.core.units import models_of, read_turn, squad_of
from bot.games.warzone.melee.fight_play import both_strike_button, strike_button
from bot.games.warzone.movement.move_play import flee_button, how_far_now, move_button
from bot.games.warzone.nerves.amok_play import reboot_button
from bot.games.warzone.nerves.nerve_play import dire_buttons
from bot.games.warzone.nerves.unhinged_play import attack_button, direction_button, nobody_button
from bot.games.warzone.shooting.shoot_play import fire_button
from bot.games.warzone.shooting.spot_play import spot_button
from bot.games.warzone.waiting.reactions import react_buttons
from bot.replies.reply import Button
from bot.table.encounter import Encounter
from rules.systems.warzone.model import ACTIONS, Condition, Model, Squad
from rules.systems.warzone.morale import Act as Deed

AT_ONCE: Mapping[str, Callable[[Model, int], Button]] = MappingProxyType(
    {
        Deed.SHOOT.value: fire_button,
        Deed.SPOT.value: spot_button,
        Deed.MOVE.value: lambda model, _: move_button(model),
        Deed.FIGHT.value: strike_button,
        TOGETHER: both_strike_button,
        ATTACK_GRANT: attack_button,
    }
)
"""What a model may do at once, by what was permitted, with the number of whom it is done to."""


def beside_round(encounter: Encounter) -> list[Button]:
    """While a unit acts: what stood below a reply that may have scrolled away.

    Rules: WZ-TURN-03, WZ-WAIT-02, WZ-WAIT-03, WZ-AMOK-04, WZ-BROKEN-01, WZ-UNH-05, WZ-CMD-04, WZ-MORALE-01.
    """
    turn = read_turn(encounter)
    if not turn.active:
        return []
    acting, everybody = squad_of(encounter, turn.active[-1]), models_of(encounter)
    waiting = [one for one in everybody if one.side != acting.side and may_react(one)]
    now = acting.models[0] if len(acting.models) == 1 else acts_now(encounter, acting)
    at_once = [button for one in everybody for button in _at_once(one)]
    return [*_duties(encounter, acting), *at_once, *react_buttons(waiting, now), *dire_buttons(encounter)]


def _duties(encounter: Encounter, acting: Squad) -> Iterator[Button]:
    """What the unit, or who of it acts, has to do first."""
    if any(one.has(Condition.REBOOTED) for one in acting.models) and not any(
        one.has(Condition.LEADING) for one in acting.models
    ):
        yield reboot_button(acting)
    one = acts_now(encounter, acting)
    if one is None:
        return
    if one.has(Condition.DERANGED) and not one.count(MADDENED):
        yield direction_button(one)
    if one.broken and one.count(ACTIONS) and not one.count(DEEDS):
        yield flee_button(encounter, one)
    if one.count(OUT):
        yield how_far_now(one)


def _at_once(one: Model) -> Iterator[Button]:
    """What a model was permitted, or is made, to do at once."""
    for word, button in AT_ONCE.items():
        if one.count(GRANT.of(word)):
            yield button(one, one.count(GRANT_AT.of(word)))
    if one.count(GRANT.of(ATTACK_GRANT)) and one.count(MADDENED):
        yield nobody_button(one)
