"""A menu of which only one thing can be chosen is no question: it is a button."""

from __future__ import annotations

from collections.abc import Sequence

from bot.actions import with_text
from bot.replies.reply import Button, Menu

Ways = tuple[tuple[Button, ...], tuple[Menu, ...]]


def who_acts(menus: Sequence[Menu]) -> Ways:
    """Menus of who acts as they are asked: where one alone can, its button stands in the menu's place."""
    sole = [menu for menu in menus if len(menu.choices) == 1 and menu.most == 1]
    return tuple(map(_button, sole)), tuple(menu for menu in menus if menu not in sole)


def _button(menu: Menu) -> Button:
    (choice,) = menu.choices
    action = with_text(menu.action, {menu.fills: (choice.value,)})
    return Button(f"{choice.label} acts", action, "main", anytime=menu.anytime)
