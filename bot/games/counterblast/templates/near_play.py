"""Who is near an explosion: asked in one menu, or menu by menu where one does not hold all models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.replies.fit import MOST_CHOICES
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act
from bot.table.asking import fields
from rules.systems.counterblast.core.fighter import Fighter


@dataclass(frozen=True, slots=True, kw_only=True)
class HitsNear(Action):
    """Something hits everybody near. near: who is; asked: that was said, even if nobody.

    so_far: who was named in the menus before; more: others may follow.
    """

    facts = frozenset({"near", "so_far", "asked", "more"})

    near: tuple[int, ...] = fields.unordered()
    asked: bool = False
    so_far: tuple[int, ...] = fields.unordered()
    more: bool = False

    @property
    def everybody(self) -> tuple[int, ...]:
        """All that were named, in their order."""
        return (*self.so_far, *self.near)

    @property
    def is_said(self) -> bool:
        """Whether it is known who is near."""
        return bool(self.near or self.asked) and not self.more


def ask_near(act: Act, action: HitsNear, head: str, prompt: str, others: Sequence[Fighter]) -> Reply:
    """The question who is near, to who asks. others: everybody who may be."""
    named = action.everybody
    left = [model for model in others if model.id not in named]
    choices = tuple(Choice(model.name, str(model.id), act.encounter.side(model.side).name) for model in left)
    done = replace(action, near=(), so_far=named, asked=True, more=False)
    then = replace(done, more=len(left) > MOST_CHOICES)
    names = ", ".join(model.name for model in others if model.id in named)
    return Reply(
        (head, f"Near it so far: {names}.") if named else (head,),
        private=True,
        buttons=(Button("Nobody else is near" if named else "Nobody is near", done, anytime=True),),
        menus=(Menu(prompt, then, "near", choices, 1, len(choices), anytime=True),) if choices else (),
    )
