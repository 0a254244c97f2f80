"""Whom something struck is asked until it is said: templates astray, wrecks that blow up, Mind Storms."""

from __future__ import annotations

from collections.abc import Iterator

from bot.actions import Action
from bot.games.warzone.core.units import carried, model_of
from bot.games.warzone.powers.backlash_play import STORM, who_else_is_near
from bot.games.warzone.templates.blast_play import ASTRAY, where_it_lands
from bot.games.warzone.vehicles.vehicle_play import BLAST, OWED, who_is_near
from bot.replies.reply import Button, Menu, Reply
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.answering import Answered
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from bot.table.session.waiting import player_of
from rules.records import dataclass
from rules.wording import possessive


@dataclass(frozen=True, slots=True)
class ShowStruck(Action):
    """The question anew whom a template or a blast struck, to the person who asks alone."""

    command = "wz.struck"


ANSWER = Button("Answer...", ShowStruck(), "main", anytime=True)


@dataclass(frozen=True, slots=True)
class Unresolved:
    """Something of which it is not said yet whom it struck. row: whose it is.

    whom: who says it, by name; empty for anybody.
    """

    row: ModelRow
    whom: str
    line: str
    menu: Menu
    nobody: Button


@handles(ShowStruck)
def show_struck(act: Act, action: ShowStruck) -> Reply:
    """The first that is open, to who may answer it."""
    debt = first_struck(act.encounter)
    if debt is None:
        raise Answered("Nothing is left to settle. Nothing was changed.")
    if debt.whom:
        act.require_model(debt.row)
    else:
        act.require_player()
    return Reply(
        (debt.line,), private=True, buttons=(debt.nobody,), menus=(debt.menu,) if debt.menu.choices else ()
    )


def first_struck(encounter: Encounter) -> Unresolved | None:
    """What has to be said first; None where nothing is open. Rules: WZ-TMPL-02, WZ-WRECK-01, WZ-BACK-04."""
    return next(_struck(encounter), None)


def _struck(encounter: Encounter) -> Iterator[Unresolved]:
    for row in encounter.models(gone=True):
        for name in sorted(ASTRAY.among(row.counters.items())):
            firer = model_of(encounter, row)
            weapon = next((one for one in firer.profile.weapons if one.name == name), None)
            if weapon is not None:
                line = f"{possessive(row.name)} {name} went astray: who is under it?"
                asked = where_it_lands(encounter, firer, carried(firer, weapon))
                yield Unresolved(row, player_of(encounter, row.id), line, *asked)
        if storm := row.counters.get(STORM):
            asked = who_else_is_near(encounter, model_of(encounter, row), storm - 1)
            line = f"Mind Storm around {row.name}: who else is near?"
            yield Unresolved(row, player_of(encounter, row.id), line, *asked)
        if row.counters.get(BLAST) == OWED and row.left_how == "wrecked":
            asked = who_is_near(encounter, model_of(encounter, row))
            yield Unresolved(row, "", f"{row.name} blows up: who is within 1 in?", *asked)
