"""Who of several is afraid, so that an enemy in sight matters, and the menu that asks for it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.actions import Action
from bot.replies.reply import Choice, Menu
from rules.systems.warzone.model import Condition, Model

_ALWAYS = (Condition.REGRESSION, Condition.DERANGED)


def afraid(models: Sequence[Model]) -> list[Model]:
    """Panicked and Broken models whose penalty counts only while an enemy is in sight.

    Rules: WZ-RALLY-02, WZ-RALLY-03, WZ-UNH-04, WZ-UNH-05.
    """
    return [model for model in models if (model.panicked or model.broken) and not model.has(*_ALWAYS)]


def sight_menu(action: Action, models: Sequence[Model]) -> Menu:
    """The menu of those who are afraid; it fills `hidden`. At least one of the models is."""
    choices = tuple(Choice(model.name, str(model.id)) for model in afraid(models)[:25])
    return Menu("No enemy in sight of", action, "hidden", choices, 1, len(choices), anytime=True)
