"""A game's whole roster by pressing: a form has room for the first of it, menus for all."""

from __future__ import annotations

from bot.replies.fit import MOST_CHOICES, cut
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act
from bot.table.game import game
from bot.table.handlers import Place, handles
from bot.table.rosters.crew_actions import BrowseRoster
from bot.table.rosters.crews import RecruitMember, ShowCrew, own_crew_row
from bot.table.rosters.statblocks import own_blocks, statblocks

MOST_MENUS = 4
"""Menus of one page: a row of the message is left for the buttons."""


@handles(BrowseRoster, Place.CREW, beforehand=own_blocks)
def browse(act: Act, action: BrowseRoster) -> Reply:
    """Everybody by name, with points and kind; who is chosen is taken in."""
    crew = own_crew_row(act)
    every = sorted(statblocks(game(crew.system), act.extra), key=lambda one: one.name.casefold())
    choices = [Choice(one.name, one.name, f"{one.points} points, {one.note}") for one in every]
    pages = cut(cut(choices, MOST_CHOICES), MOST_MENUS)
    page = min(action.page, len(pages) - 1)
    menus = tuple(
        Menu(
            f"{some[0].label} to {some[-1].label}",
            RecruitMember(crew.scope),
            "profile",
            tuple(some),
            anytime=True,
        )
        for some in pages[page]
    )
    further = [
        Button(label, BrowseRoster(crew.scope, page=to), anytime=True)
        for label, to in (("Before", page - 1), ("Further", page + 1))
        if 0 <= to < len(pages)
    ]
    return Reply(
        (f"Whom does {crew.name} take in?", "One at a time, with what it carries as printed."),
        private=True,
        buttons=(*further, Button("Show", ShowCrew(crew.scope), anytime=True)),
        menus=menus,
        replaces=True,
    )
