"""A template that covers several, put together by pressing: who lies under it is chosen, several at once.

One question, as where a template went astray: who counts is the same whether it is covered wholly or, where
the table plays so, in part (WZ-TMPL-01). The aiming point lies under it from the start, which is mostly so,
and is taken out by `Back`. What the form said beside it is kept, and the form has room for cover instead.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.actions import Action, action_of, raw_of
from bot.games.warzone.core.common import settings
from bot.games.warzone.shooting.shots import Template, shot_of, terms_of
from bot.games.warzone.templates.blast_play import under_prompt
from bot.table.act import Act
from bot.table.asking.several import SEVERAL, Several
from bot.table.session.drafting import Draft
from bot.table.session.gathering import Gathered, Gathering, gathering, gathers


def _fields(act: Act) -> Sequence[Gathered]:
    return (Gathered("under", under_prompt(settings(act)), "Under it"),)


def _told(act: Act, action: Template) -> Sequence[str]:
    """What is fired from where at what, and what was measured."""
    shot = shot_of(act, action)
    head = f"{shot.firer.name}: {shot.weapon.name} at {action.target.name}"
    in_part = [f"In part: {', '.join(one.name for one in action.partly)}."] if action.partly else []
    return (head, *terms_of(action.distance, shot), *in_part)


gathers(Template, Gathering(_fields, _told, "Fire", least=1))


def _several(act: Act, action: Action) -> Draft | None:
    """The draft of a template that is fired by somebody at something, which lies under it."""
    said = raw_of(action)
    if not {"firer", "target"} <= said.keys():
        return None
    numbers = said.get("numbers")
    known = ", ".join(f"#{number}" for number in numbers) if isinstance(numbers, tuple) else ""
    under = known or said.get("under", "" if "partly" in said else said["target"])
    return gathering(action_of(action.command, said | {"under": under, "numbers": ()}))


SEVERAL.update(
    {
        Template.command: Several(
            "Several under it",
            "The next message asks who",
            _several,
            frozenset({"under", "partly"}),
        )
    }
)
