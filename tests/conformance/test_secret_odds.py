"""No chance knows what its reader may not: odds, comparisons and best attacks, asked in two games that differ
only in a secret, are the same word for word, as long and as sure."""

from __future__ import annotations

import shutil
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

import pytest

from bot.actions import ACTIONS, Action
from bot.games.fracd_earth.players import deck_of, keep_deck, player_of
from bot.replies.reply import Reply
from bot.table.encounter import Encounter
from bot.table.handlers import HANDLERS, Place
from bot.table.odds.best import Best
from bot.table.odds_budget import stop_clock
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.steps import as_asked
from tests.bot.arranging import arrange
from tests.bot.tables import Table, opened
from tests.bot.test_who_may import of_games, said
from tests.conformance.test_secret_suggestions import OTHERS, WORLDS, World, unlike

pytestmark = pytest.mark.usefixtures("odds_solved_once", "pictures_without_files")

RIVAL = OTHERS[0]


def other_cards(turned: bool) -> World:
    """Bo's cards lie in another order: others in his hand, others still to come."""

    async def make(table: Table) -> list[str]:
        await table.done("anna", StartDemo("fracd_earth"))
        await table.done("bo", JoinEncounter("Prowlers"))
        await table.done("cy", JoinEncounter(watch=True))
        await table.done("anna", NextStep())

        def turn(encounter: Encounter) -> None:
            number = player_of(encounter, encounter.find_model("Thug"))
            deck = deck_of(encounter, number)
            order = sorted((*deck.pile, *deck.buff_hand), reverse=turned)
            many = len(deck.buff_hand)
            keep_deck(
                encounter, number, replace(deck, buff_hand=tuple(order[:many]), pile=tuple(order[many:]))
            )

        await arrange(table, "bo", turn)
        return ["Captain Vale", "Thug", "Sable"]

    return make


SECRETS = {name: world for name, world in WORLDS.items() if name != "who is in a crew"} | {
    "cards": ("fracd_earth", other_cards(False), other_cards(True))
}


def weighed_commands(system: str) -> list[str]:
    return [
        command
        for command in of_games()
        if HANDLERS[command].system == system
        and HANDLERS[command].weigh is not None
        and HANDLERS[command].place is Place.ENCOUNTER
    ]


def questions(system: str, encounter: Encounter, names: list[str]) -> Iterator[Action]:
    """Every action that is weighed, by the rival's first and last, at whoever is named."""
    sides = [encounter.models(side.id) for side in encounter.sides()]
    whose = {side.id: side.name for side in encounter.sides()}
    for mine in sides:
        for model in (mine[0], mine[-1]):
            yield Best(numbered(model.id))  # type: ignore[arg-type]
            for command in weighed_commands(system):
                foe = next(side for side in sides if side is not mine)
                deed = ACTIONS[command](**said(command, model, foe[0], whose[model.side]))
                yield as_asked(deed)
                for name in names[:2]:
                    if isinstance(getattr(deed, "target", None), str):
                        yield as_asked(replace(deed, target=name))  # type: ignore[call-arg]


def numbered(model: int) -> str:
    return f"#{model}"


def shown(reply: Reply) -> tuple[object, ...]:
    menus = [[choice.label for choice in menu.choices] for menu in reply.menus]
    words = [file.words for file in reply.files]
    return [*reply.lines], [button.label for button in reply.buttons], menus, words


Told = tuple[tuple[str, str, str], tuple[object, ...]]
"""Who asked what and how, and what was seen of the reply."""


async def told(
    file: Path, system: str, world: World, readers: Sequence[str] = OTHERS
) -> AsyncGenerator[Told, None]:
    """What these are told of chances; the first of them compares, by whom it is aimed at and who does it.

    The others take turns, question by question: there are several of each kind.
    """
    async with opened(file) as table:
        names, (first, *others) = await world(table), readers
        turns = cycle(others)
        for question in questions(system, await table.encounter(), names):
            for who in (first, *islice(turns, 1)):
                answer = await table.do(who, question)
                yield (who, str(question), ""), shown(answer.reply)
                if who != first or "Compare" not in [button.label for button in answer.reply.buttons]:
                    continue
                compared = await table.press(who, answer, "Compare")
                yield (who, str(question), "compared"), shown(compared.reply)
                for menu in compared.reply.menus:
                    by = await table.choose(who, compared, menu.choices[-1].value)
                    yield (who, str(question), "by who does it"), shown(by.reply)


@pytest.mark.parametrize("secret", SECRETS)
async def test_chances_are_the_same_whatever_the_secret(
    file: Path, migrated: Path, tmp_path: Path, secret: str
) -> None:
    system, *worlds = SECRETS[secret]
    with stop_clock():
        first = {how: seen async for how, seen in told(file, system, worlds[0])}
        other = Path(shutil.copy(migrated, tmp_path / "other.db"))
        second = {how: seen async for how, seen in told(other, system, worlds[1])}
    assert sum(bool(how) for _, _, how in first.keys() & second.keys()) > 4
    assert unlike(first, second) == {}


@pytest.mark.parametrize("secret", ["cards", "a hidden trooper"])
async def test_whose_secret_it_is_is_told_by_it(
    file: Path, migrated: Path, tmp_path: Path, secret: str
) -> None:
    """What the others must not read is there to be read: sooner or later he reads something else."""
    system, *worlds = SECRETS[secret]
    other = Path(shutil.copy(migrated, tmp_path / "other.db"))
    async with (
        aclosing(told(file, system, worlds[0], ("bo",))) as first,
        aclosing(told(other, system, worlds[1], ("bo",))) as second,
    ):
        with stop_clock():
            while await anext(first) == await anext(second):
                continue
