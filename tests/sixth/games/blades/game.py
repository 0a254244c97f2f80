"""Blades at the table: how a game begins, what the panel shows, what a figure is."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.blades.strike_play import GUARDS, fell, has_struck
from rules.systems.blades.blow import LIFE

from bot.actions import Action
from bot.replies.reply import Button, Reply
from bot.store.rows import CrewRow, MemberRow, ModelRow
from bot.table.act import Act
from bot.table.encounter import Encounter
from bot.table.game import EVERYWHERE, HelpPage, Recruit, SampleCrew, Setting
from bot.table.session.encounters import NextStep
from bot.table.session.preparations import build_opening_buttons, require_begun
from bot.table.waits import Wait, player_of
from rules.refusals import InvalidInput

PAGES = {"Blades": HelpPage(("/demo blades, then Begin.", ""), (EVERYWHERE,))}
NAMES = {"rapier": "Rapier", "sabre": "Sabre"}


class Blades:
    """The rule system at the table: see `bot.table.game.Game`."""

    key = "blades"
    name = "Blades"
    turns = 0
    pages = PAGES
    likely = ("blades.strike", "blades.guard")

    def recruits(self) -> Sequence[Recruit]:
        return [Recruit(key, name, 0) for key, name in NAMES.items()]

    def profile(self, key: str) -> str:
        """Its key is all that it is. Raises InvalidInput."""
        if key not in NAMES:
            raise InvalidInput(f"There is no {key}.")
        return key

    def sample_crews(self) -> tuple[SampleCrew, SampleCrew]:
        return SampleCrew("North", ("rapier",)), SampleCrew("South", ("sabre",))

    def crew_lines(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[str]:
        return [] if len(members) == 1 else ["A duel is fought by one."]

    def crew_faults(self, crew: CrewRow, members: Sequence[MemberRow], limit: int) -> Sequence[str]:
        return []

    def enlist(self, encounter: Encounter, model: ModelRow, member: MemberRow) -> None:
        """Nothing more."""

    def side_ready(self, encounter: Encounter, side: int) -> None:
        """Nothing more."""

    def next_step(self, act: Act) -> Reply:
        row = act.encounter.row
        if len(act.encounter.sides()) < 2:
            raise InvalidInput("A duel needs two sides: /encounter join.")
        row.turn, row.status = row.turn + 1, "playing"
        return Reply((f"Turn {row.turn}.",))

    def require_begun(self, act: Act, action: Action) -> None:
        require_begun(act, action, (), "BL-BLOW-01")

    def ending(self, encounter: Encounter) -> Sequence[str]:
        return [f"{one.name}: {_stands(encounter, one.id)}." for one in encounter.sides()]

    def standing(self, encounter: Encounter) -> Sequence[str]:
        return self.ending(encounter)

    def waits(self, encounter: Encounter) -> Wait | None:
        """Who has not struck yet, then the next turn."""
        if not encounter.row.turn:
            return None
        for model in self.acting(encounter):
            return Wait(player_of(encounter, model.id), f"{model.name} to strike")
        return Wait("", "Next turn")

    def panel(self, encounter: Encounter) -> Reply:
        row = encounter.row
        lines = [f"BLADES  {f'turn {row.turn}' if row.turn else 'not begun'}"]
        if row.status == "ended":
            return Reply(("BLADES  ended", *self.ending(encounter)))
        lines += [self.model_summary(encounter, model) for model in encounter.models()]
        going = Button("Next turn", NextStep(asks=True))
        return Reply(tuple(lines), buttons=(going,) if row.turn else build_opening_buttons(encounter))

    def acting(self, encounter: Encounter) -> Sequence[ModelRow]:
        return [model for model in encounter.models() if not has_struck(encounter, model)][:1]

    def model_lines(self, encounter: Encounter, model: ModelRow) -> Sequence[str]:
        return [self.model_summary(encounter, model)]

    def model_summary(self, encounter: Encounter, model: ModelRow) -> str:
        guards = ", guards" if encounter.condition(model.id, GUARDS) else ""
        return f"{model.name} {max(0, LIFE - model.damage)}/{LIFE}{guards}"

    def defence(self, encounter: Encounter, model: ModelRow) -> str:
        """Nothing protects anybody."""
        return ""

    def life(self, model: ModelRow) -> int:
        return LIFE

    def conditions(self) -> Sequence[str]:
        return (GUARDS,)

    def harmed(self, act: Act, model: ModelRow) -> Sequence[str]:
        return fell(act, model)

    def settings(self) -> Sequence[Setting]:
        return ()


def _stands(encounter: Encounter, side: int) -> str:
    standing = [model.name for model in encounter.models(side)]
    return f"{', '.join(standing)} stands" if standing else "nobody stands"
