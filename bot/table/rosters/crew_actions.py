"""What is asked of crews and offered elsewhere, and the crew that most of it is about."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.table.asking import fields
from bot.table.owners import SELF


@dataclass(frozen=True, slots=True)
class OfYourCrew(Action):
    """What only a crew's owner may ask of it."""

    crew: int = fields.own_crew("Your crew", needed=True)


@dataclass(frozen=True, slots=True)
class BrowseRoster(OfYourCrew):
    """All that your crew can take, to be chosen from menus. page: from 0."""

    command = "crew.browse"

    page: int = 0


@dataclass(frozen=True, slots=True)
class OfAnyCrew(Action):
    """What may be asked of others' crews, too."""

    crew: int = fields.crew("The crew", needed=True)


@dataclass(frozen=True, slots=True)
class CreateCrew(Action):
    """Make a crew."""

    command = "crew.create"
    typed = "crew create"
    titled = "Make a crew"
    decision_of = SELF

    name: str = fields.text("Its name", None, needed=True)
    system: str = fields.system()
