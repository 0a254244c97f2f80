"""Powers that strike back: the backlash chart, and the Mind Storm with everybody near it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.warzone.core.afraid import afraid, sight_menu
from bot.games.warzone.core.attacks import fate
from bot.games.warzone.core.common import in_order, model_at
from bot.games.warzone.core.fields import by_number, several_by_number
from bot.games.warzone.core.telling import Telling, at_once
from bot.games.warzone.core.throwing import Throwing
from bot.games.warzone.core.words import sum_lines
from bot.games.warzone.templates.blast_play import who_menu
from bot.replies.chances import bars
from bot.replies.reply import Button, Menu, Reply
from bot.table.act import Act
from bot.table.answering import Answered
from bot.table.encounter import Encounter
from bot.table.owners import player_of
from bot.table.rolling.throws import Cast, Whose, counted
from bot.table.session.gathering import Gathered, Gathering, gathers
from bot.table.steps import Chances, in_steps
from rules.counters import CounterName
from rules.dice import Dice
from rules.effects import Propose
from rules.systems.warzone.model import Model
from rules.systems.warzone.powers import (
    after_backlash,
    after_storm,
    mind_storm,
    roll_chart,
    row_of,
    storm_limit,
    storm_modifiers,
)
from rules.wording import times

STORM = CounterName("mind storm")
"""Counter of a model: one more than the magnitude of the Mind Storm around it that is not rolled yet."""


@dataclass(frozen=True, slots=True)
class MindStorm(Action):
    """Everyone near a channeler tests LD. hidden: who sees no enemy; roll: nobody is asked any more."""

    command = "wz.storm"
    facts = frozenset({"roll"})
    decision_of = player_of("model")

    model: Model = by_number(help="Around whom", needed=True)
    magnitude: int = 0
    near: tuple[Model, ...] = several_by_number(fact=True)
    hidden: tuple[Model, ...] = several_by_number(fact=True)
    roll: bool = False


gathers(
    MindStorm,
    Gathering(
        lambda act: (Gathered("near", "Who else is near?", "Near"),),
        lambda act, action: (f"Mind Storm around {action.model.name}",),
        "Go on",
    ),
)


@at_once("backlash")
def _backlash(telling: Telling, proposal: Propose) -> None:
    model = model_at(telling.act, proposal.model)
    whose = Whose(model.name, "roll", "on the backlash chart")
    key = telling.act.roll(whose, roll_chart, "backlash")
    row = row_of("backlash", key)
    telling.lines.append(f"Backlash on {model.name}: {row.name}.")
    telling.thrown()
    telling.next.append(row.says)
    telling.follow(after_backlash(model, key, int(dict(proposal.details)["magnitude"])))


@at_once("mind_storm")
def _storm(telling: Telling, proposal: Propose) -> None:
    """It is kept until it is rolled, and asked at once who is near. Rules: WZ-BACK-04."""
    encounter = telling.act.encounter
    magnitude = int(dict(proposal.details)["magnitude"])
    encounter.model(proposal.model).counters[STORM] = 1 + magnitude
    telling.next.append(proposal.reason)
    telling.ask(*who_else_is_near(encounter, model_at(telling.act, proposal.model), magnitude))


def who_else_is_near(encounter: Encounter, channeler: Model, magnitude: int) -> tuple[Menu, Button]:
    """Who is near a Mind Storm besides its channeler."""
    storm = MindStorm(channeler, magnitude)
    menu = who_menu(encounter, "Mind Storm: who else is near?", storm, "near", foes_of=channeler)
    return menu, Button("Nobody else near", storm, anytime=True)


@dataclass(frozen=True, slots=True)
class ReadyStorm:
    """A Mind Storm. asked: the action in its one form; models: everybody near; limits: of their LD tests."""

    channeler: Model
    asked: MindStorm
    models: tuple[Model, ...]
    limits: tuple[int, ...]

    @property
    def seeing(self) -> list[bool]:
        """Who of them sees an enemy."""
        unseeing = {model.id for model in self.asked.hidden}
        return [model.id not in unseeing for model in self.models]


@in_steps(MindStorm)
class Storming(Throwing[MindStorm, ReadyStorm, tuple[int, ...]]):
    """The channeler and everybody near: an LD test each, or a wound. Rules: WZ-BACK-04."""

    def prepare(self, act: Act, action: MindStorm) -> ReadyStorm:
        """Who is near. Raises InvalidInput, NotAllowed."""
        channeler = action.model
        act.require_model(act.encounter.model(channeler.id))
        if not channeler.count(STORM):
            raise Answered(f"No Mind Storm is open around {channeler.name}. Nothing was changed.")
        models = in_order(*action.near, *action.hidden, channeler)
        asked = act.canonical = replace(action, near=models, hidden=in_order(*action.hidden))
        unseeing = {model.id for model in asked.hidden}
        limits = tuple(
            storm_limit(each, action.magnitude, enemy_in_sight=each.id not in unseeing) for each in models
        )
        return ReadyStorm(channeler, asked, models, limits)

    def asks(self, act: Act, action: MindStorm, ready: ReadyStorm) -> Reply | None:
        """Whose fear counts depends on whether an enemy is in sight."""
        needed = not action.roll and afraid(ready.models)
        return _ask_sight(ready.asked, ready.channeler, ready.models) if needed else None

    def whose(self, action: MindStorm, ready: ReadyStorm) -> Cast:
        """Each one's test."""
        return counted(
            *(
                Whose(one.name, "LD test", f"against the Mind Storm, {limit} or less")
                for one, limit in zip(ready.models, ready.limits, strict=True)
            )
        )

    def rule(self, dice: Dice, ready: ReadyStorm) -> tuple[int, ...]:
        """All tests."""
        return mind_storm(dice, ready.limits)

    def settle(self, act: Act, action: MindStorm, ready: ReadyStorm, outcome: tuple[int, ...]) -> Telling:
        """Who fails is wounded."""
        telling, models = Telling(act), ready.models
        act.encounter.model(ready.channeler.id).counters.pop(STORM, None)
        telling.lines.append(f"Mind Storm: {times(sum(outcome), 'wound')}.")
        telling.lines += [
            f"{each.name}: {fate(each, 1) if hurt else 'resists'}"
            for each, hurt in zip(models, outcome, strict=True)
        ]
        telling.thrown(", ".join(f"{m.name} {n} or less" for m, n in zip(models, ready.limits, strict=True)))
        for each, sees in zip(models, ready.seeing, strict=True):
            parts = storm_modifiers(each, action.magnitude, enemy_in_sight=sees)
            telling.why += [each.name, *sum_lines("LD", each.profile.ld, parts)]
        telling.follow(after_storm(models, outcome), source=ready.channeler)
        return telling

    def chances(self, act: Act, action: MindStorm, ready: ReadyStorm) -> Chances:
        """Of a wound for everybody near."""
        solved = tuple(act.solve(mind_storm, (limit,)) for limit in ready.limits)
        rows = [
            (f"{model.name} hurt", odds.chance(any)) for model, odds in zip(ready.models, solved, strict=True)
        ]
        return Chances(("Mind Storm", *bars(rows)), rows[0][0], rows[0][1], solved)


def _ask_sight(action: MindStorm, channeler: Model, models: Sequence[Model]) -> Reply:
    """Whose fear counts depends on whether an enemy is in sight: asked before anything is rolled."""
    roll = Button("Roll", replace(action, roll=True), "main", anytime=True)
    lines = (
        f"Mind Storm around {channeler.name}: {', '.join(model.name for model in models)}.",
        "Is no enemy in sight of who is afraid?",
        "Then: Roll. Nothing is rolled yet.",
    )
    return Reply(lines, buttons=(roll,), menus=(sight_menu(action, models),))
