"""What has to be said before a unit goes on, asked until it is: whom something struck, dives, who lets go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.actions import Action
from bot.games.warzone.core.common import ASKED_TO_LET_GO, DIVING, REGROUPS
from bot.games.warzone.core.units import carried, model_of, squads_of
from bot.games.warzone.melee.break_play import let_or_hold, to_let_go
from bot.games.warzone.nerves.amok_play import who_regroups
from bot.games.warzone.powers.backlash_play import STORM, who_else_is_near
from bot.games.warzone.templates.blast_play import ASTRAY, where_it_lands
from bot.games.warzone.vehicles.vehicle_play import BLAST, OWED, who_is_near
from bot.games.warzone.waiting.wait_play import dive_ends
from bot.replies.reply import Button, Menu, Reply
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.answering import Answered
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from bot.table.owners import in_play
from bot.table.session.waiting import player_of, players_of
from rules.wording import possessive


@dataclass(frozen=True, slots=True)
class ShowOwed(Action):
    """The question anew that has to be answered first, to the person who asks alone."""

    command = "wz.struck"
    decision_of = in_play("the side that has something to settle")


ANSWER = Button("Answer...", ShowOwed(), "main", anytime=True)


@dataclass(frozen=True, slots=True)
class Debt:
    """Something that has to be said. whom: says it, by name; empty for anybody.

    row: of that model who plays it says it. side: whoever plays on it; with neither, anybody who plays.
    """

    line: str
    whom: str
    buttons: tuple[Button, ...]
    menus: tuple[Menu, ...] = ()
    row: ModelRow | None = None
    side: int = 0


@handles(ShowOwed)
def show_owed(act: Act, action: ShowOwed) -> Reply:
    """The first that is open, to who may answer it."""
    debt = first_owed(act.encounter)
    if debt is None:
        raise Answered("Nothing is left to settle. Nothing was changed.")
    if debt.row is not None:
        act.require_model(debt.row)
    elif debt.side:
        act.require_side(debt.side)
    else:
        act.require_player()
    return Reply((debt.line,), private=True, buttons=debt.buttons, menus=debt.menus)


def first_owed(encounter: Encounter) -> Debt | None:
    """What has to be said first; None where nothing is open.

    Rules: WZ-TMPL-02, WZ-WRECK-01, WZ-BACK-04, WZ-DIVE-01, WZ-BREAK-01, WZ-AMOK-05.
    """
    return next(_owed(encounter), None)


def _owed(encounter: Encounter) -> Iterator[Debt]:
    for row in encounter.models(gone=True):
        yield from _struck(encounter, row)
    for row in encounter.models():
        if row.counters.get(DIVING):
            line = f"{row.name} dives: where to?"
            yield Debt(line, player_of(encounter, row.id), dive_ends(model_of(encounter, row)), row=row)
        for number in sorted(ASKED_TO_LET_GO.among(row.counters.items())):
            leaver = model_of(encounter, encounter.model(number))
            enemies = [
                model_of(encounter, one)
                for one in encounter.models(row.side)
                if one.counters.get(ASKED_TO_LET_GO.of(number))
            ]
            answers = let_or_hold(leaver, enemies)
            yield Debt(to_let_go(leaver), players_of(encounter, [row.side]), answers, side=row.side)
    for squad in squads_of(encounter):
        leader = squad.leading
        if leader is not None and leader.count(REGROUPS):
            asked = who_regroups(squad, leader)
            row = encounter.model(leader.id)
            yield _asked(f"{leader.name} leads {squad.name}: who is near?", asked, encounter, row)


def _struck(encounter: Encounter, row: ModelRow) -> Iterator[Debt]:
    """Whom a template astray, a Mind Storm, or a wreck that blows up struck."""
    for name in sorted(ASTRAY.among(row.counters.items())):
        firer = model_of(encounter, row)
        weapon = next((one for one in firer.profile.weapons if one.name == name), None)
        if weapon is not None:
            line = f"{possessive(row.name)} {name} went astray: who is under it?"
            yield _asked(line, where_it_lands(encounter, firer, carried(firer, weapon)), encounter, row)
    if storm := row.counters.get(STORM):
        asked = who_else_is_near(encounter, model_of(encounter, row), storm - 1)
        yield _asked(f"Mind Storm around {row.name}: who else is near?", asked, encounter, row)
    if row.counters.get(BLAST) == OWED and row.left_how == "wrecked":
        menu, nobody = who_is_near(encounter, model_of(encounter, row))
        line = f"{row.name} blows up: who is within 1 in?"
        yield Debt(line, "", (nobody,), (menu,) if menu.choices else ())


def _asked(line: str, asked: tuple[Menu, Button], encounter: Encounter, row: ModelRow) -> Debt:
    """A question with a menu, to who plays a model."""
    menu, nobody = asked
    return Debt(line, player_of(encounter, row.id), (nobody,), (menu,) if menu.choices else (), row)
