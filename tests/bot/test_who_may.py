"""Who may do what in each game: every action declares its owner, and every role is tried against it.

The actions that all games share are in `test_permissions`. Here each action is asked with nothing said, and
for models of either side, before the game begins and in it; what comes of it is not kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bot.actions import ACTIONS, Action, parts
from bot.app import ALL_GAMES
from bot.games.counterblast.turn.bag import DrawToken
from bot.store.book import Loaded, changes_between
from bot.store.rows import ModelRow
from bot.table.act import NotAllowed
from bot.table.campaign.campaigns import CreateCampaign
from bot.table.carrying import run_handler
from bot.table.handlers import HANDLERS, Place
from bot.table.journal_actions import SPECIAL
from bot.table.owners import Role, declared_owner
from bot.table.request import Request
from bot.table.rosters.crews import CreateCrew
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from bot.table.throw_purposes import Asked
from rules.dice import DiceError, TooLarge
from rules.refusals import Forbidden, InvalidInput
from tests.bot.tables import Table
from tests.bot.test_permissions import CASES, CREWS, OTHERS, READS
from tests.bot.who_may import ONE_SIDE, OWNERS, PAGE, PLAYED, commands_of, page

pytestmark = pytest.mark.usefixtures("odds_solved_once", "pictures_without_files")

SYSTEMS = [game.key for game in ALL_GAMES]
ROLES = ("organiser", "captain", "mate", "rival", "watcher", "stranger", "moderator")
"""organiser: started the game and only watches. captain and mate play one side, rival the other;
moderator: has no place here but manages the channel."""
PLAY = ("captain", "mate", "rival")
SIDES = {"captain": 0, "mate": 0, "rival": 1}
ENEMIES = ("target", "opponent", "enemy", "other", "second", "spotted")
DOES, SHOWS, NOT_ALLOWED, RULED_OUT = "does", "shows", "not allowed", "ruled out"

Result = tuple[str, int, str, str]
"""An action, the side that it names first (-1 for none), a role, and what came of it."""


def of_games() -> list[str]:
    return [command for command, kind in ACTIONS.items() if kind.__module__.startswith("bot.games.")]


def test_every_action_declares_its_owner() -> None:
    ours = [command for command, kind in ACTIONS.items() if kind.__module__.startswith("bot.")]
    assert not [command for command in ours if declared_owner(command) is None]
    assert sorted(OWNERS) == sorted(of_games())


def test_every_other_action_has_a_row_in_the_table_of_all_games() -> None:
    shared = {type(case.action) for case in CASES} | {type(one) for one in READS} | {*CREWS, *OTHERS}
    ours = {
        kind
        for command, kind in ACTIONS.items()
        if command in HANDLERS and kind.__module__.startswith("bot.") and command not in of_games()
    }
    assert not ours - shared


def test_the_page_for_readers_is_the_matrix_of_today() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m tests.bot.who_may"


def said(command: str, model: ModelRow, enemy: ModelRow, side: str) -> dict[str, Any]:
    """An action's fields: the model where the first one is named, the enemy where one is, a distance."""
    found: dict[str, Any] = {}
    for part in parts(command):
        named = bool(found)
        if part.name == "side":
            found[part.name] = model.side if part.wire is int else side
        elif part.wire is str and not part.default:
            if not named or part.name in ENEMIES:
                found[part.name] = enemy.name if named else model.name
        elif part.wire is int and part.name in ("model", "attacker", "firer", "vehicle", "taker"):
            found[part.name] = model.id
        elif part.wire is float and part.name in ("distance", "inches"):
            found[part.name] = 3.0
        elif part.wire == tuple[int, ...] and not named:
            found[part.name] = (model.id,)
        elif part.wire == tuple[str, ...] and not named:
            found[part.name] = (model.name,)
    return found


def asked(system: str, sides: list[list[ModelRow]], names: list[str]) -> Iterator[tuple[int, Action]]:
    """Each action of a game, for the first and the last model of either side; and with nothing said."""
    for command in of_games():
        handler = HANDLERS[command]
        if handler.place is not Place.ENCOUNTER or handler.system != system or command in SPECIAL:
            continue
        yield -1, ACTIONS[command]()
        for mine in (0, 1):
            for which in (0, -1):
                values = said(command, sides[mine][which], sides[1 - mine][which], names[mine])
                named = not values.keys().isdisjoint(OWNERS[command].fields)
                yield mine if named else -1, ACTIONS[command](**values)


async def came(table: Table, loaded: Loaded, role: str, action: Action, told: list[str] | None = None) -> str:
    """What comes of an action; nothing of it is kept. told: takes the sentence of a refusal."""
    handler = HANDLERS[action.command]
    request = Request(action, table.actor(role, manages=role == "moderator"), 1)
    book = table.desk.store.book_seen(loaded)
    act = await table.desk.carrier.act(
        handler, loaded, request, action, book, lambda _: table.desk.carrier.bot_dice(loaded, book)
    )
    try:
        await run_handler(handler, act)
    except NotAllowed:
        return NOT_ALLOWED
    except Asked:
        return DOES
    except (Forbidden, InvalidInput, DiceError, TooLarge) as refusal:
        if told is not None:
            told.append(str(refusal))
        return RULED_OUT
    changed = act.roller is not None or changes_between(loaded.snapshot, act.book.snapshot())
    return DOES if changed else SHOWS


async def results(table: Table, system: str) -> list[Result]:
    """Everything tried by everybody, before the game begins and in it."""
    for name in ROLES:
        table.actor(name)
    await table.done("organiser", StartDemo(system))
    first, second = [side.name for side in (await table.encounter()).sides()][:2]
    await table.done("organiser", JoinEncounter(watch=True))
    await table.done("captain", JoinEncounter(first))
    await table.press("captain", await table.done("mate", JoinEncounter(first)), "Let in")
    await table.done("rival", JoinEncounter(second))
    await table.done("watcher", JoinEncounter(watch=True))
    found: list[Result] = []
    for step in (None, NextStep(), DrawToken() if system == "counterblast" else NextStep()):
        if step is not None:
            for who in ("captain", "rival"):
                if (await table.do(who, step)).changed:
                    break
        loaded, encounter = await table.loaded(), await table.encounter()
        sides = [encounter.models(side.id) for side in encounter.sides()[:2]]
        for side, action in asked(system, sides, [first, second]):
            tried = [(action.command, side, role, await came(table, loaded, role, action)) for role in ROLES]
            found.extend(tried)
    return found


@pytest.mark.parametrize("system", SYSTEMS)
async def test_every_action_of_a_game_for_every_role(table: Table, system: str) -> None:
    wrong = set()
    reached, tried = set(), set()
    for command, side, role, what in await results(table, system):
        owner = OWNERS[command]
        through = what in (DOES, SHOWS)
        tried.add(command)
        if through:
            reached.add(command)
        if owner.role is Role.ANYONE:
            right = what != DOES
        elif owner.role is Role.ORGANISER:
            right = not through or role in ("organiser", "moderator")
        else:
            assert owner.role in PLAYED
            right = not through or role in PLAY
            if owner.role in ONE_SIDE and not owner.either:
                right = right and (not through or side in (-1, SIDES[role]))
        shown = what == SHOWS and (owner.note or owner.shows(ACTIONS[command]()))
        if not (right or shown):
            wrong.add((command, owner.words, side, role, what))
    assert not wrong
    assert len(reached) >= min(9, len(tried))


async def test_a_crew_of_a_games_own_kind_is_its_owners_alone(table: Table) -> None:
    for system in ("counterblast", "infinity"):
        crew = (await table.done("anna", CreateCrew(f"The {system}", system))).scope
        for command in commands_of(Role.CREW):
            if HANDLERS[command].place is Place.CREW:
                kind = ACTIONS[command]
                before = await table.desk.store.load(crew)
                for who in (table.actor("bo"), table.actor("cy", manages=True)):
                    answer = await table.do(who, kind(crew=crew))  # type: ignore[call-arg]
                    assert not answer.changed, command
                    assert answer.reply.private, command
                assert await table.desk.store.load(crew) == before


async def test_no_campaign_is_altered_by_who_has_no_part_in_it(table: Table) -> None:
    scope = (await table.done("anna", CreateCampaign("The Long Road"))).scope
    for command in commands_of(Role.CAMPAIGN):
        if HANDLERS[command].place is Place.CAMPAIGN:
            answer = await table.do("bo", ACTIONS[command](campaign=scope))  # type: ignore[call-arg]
            assert not answer.changed, command
            assert answer.reply.private, command
