"""Who may do what: every action of the table for every role, and no game action for those who only watch."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import get_type_hints

import pytest

from bot.actions import ACTIONS, Action
from bot.commands.guide import ShowHelp
from bot.games.counterblast.game import Counterblast
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.turn.bag import DrawToken, PeekBag
from bot.table.act import Actor
from bot.table.bringing.list_export import ExportCrew
from bot.table.bringing.list_import import (
    ChooseListGame,
    DiscardList,
    FillModel,
    KeepList,
    LeadList,
    NameList,
    ReviewModel,
    TakeModel,
)
from bot.table.handlers import HANDLERS, Place
from bot.table.journal.consent import AnswerUndo
from bot.table.journal.disputes import Question, Rule
from bot.table.journal.history import FreshDice, Redo, Undo
from bot.table.journal.log import Export, ShowLog, WhyEntry, WhyModel
from bot.table.luck.luck_actions import ShowLuck
from bot.table.odds.best import Best
from bot.table.odds.matchup import Matchup
from bot.table.offers.comparisons import Compare, encode_action
from bot.table.reaction_windows import GoOn, LetPass
from bot.table.realdice import DropRoll, EnterFaces, TakeBackFace
from bot.table.referee.replay_story import Replay
from bot.table.rolling.dice_settings import (
    AddWords,
    CrewDice,
    DiceMode,
    OpenWords,
    ShowCampaignDice,
    ShowDice,
    seal_of,
)
from bot.table.rolling.rolls import Roll
from bot.table.rosters.builder import (
    BuildCrew,
    CopyCrew,
    EditMember,
    EquipMember,
    LimitCrew,
    RenameCrew,
    RenameMember,
    ShowMore,
    ShowTraits,
)
from bot.table.rosters.crews import (
    AppointLeader,
    BringHome,
    CreateCrew,
    DisbandCrew,
    DismissMember,
    GiveCrew,
    ImportCrew,
    ListCrews,
    ListRecruits,
    RecruitMember,
    ShowCrew,
    TakeCrew,
)
from bot.table.rosters.gate import LetCrewPass
from bot.table.rosters.muster import CheckCrew, SetTrait
from bot.table.rosters.printing import PrintCrew
from bot.table.rosters.statblocks import DropBlock, ExportBlocks, ImportBlocks, ListBlocks, SaveBlock
from bot.table.session.arrivals import AddModel, EquipModel
from bot.table.session.drafts import Draft
from bot.table.session.encounters import (
    AskEnd,
    EndEncounter,
    JoinEncounter,
    NextStep,
    Ready,
    ShowEncounter,
    StartDemo,
    StartEncounter,
)
from bot.table.session.games import ChooseGames, ShowGames
from bot.table.session.joining import Admit, BringCrew, JoinWithSample, MentionMe, RemovePerson
from bot.table.session.lesson import ShowMe
from bot.table.session.models import (
    AddCondition,
    ClearCondition,
    DamageModel,
    HandOverModel,
    HealModel,
    ListConditions,
    NoteModel,
    RemoveModel,
    RenameModel,
    ReturnModel,
    ShowModel,
)
from bot.table.session.possible_actions import Since, WhatNow, WhyNot
from bot.table.session.preparations import SetUp
from bot.table.session.privacy import DeleteMine, ExportMine, ForgetMe, ShowPrivacy
from bot.table.session.seats import GiveSeat, TakeSeatBack
from bot.table.session.seen_secrets import LayAgain
from bot.table.session.settings import HandOverGame, SecondOrganiserOfGame, Settings
from bot.table.session.whereabouts import ListEncounters, MoveEncounter, WakeEncounter
from tests.bot.begun import Beginnings, Begun
from tests.bot.campaign.test_permissions import CAMPAIGNS
from tests.bot.tables import Table

pytestmark = pytest.mark.usefixtures("odds_solved_once", "pictures_without_files")

ROLES = ("organiser", "captain", "mate", "rival", "watcher", "stranger", "moderator")
"""organiser: started the game and only watches now. captain and mate play the Lancers, rival the Edo;
moderator: has no place here but manages the channel."""

PLAYERS = frozenset({"captain", "mate", "rival"})
LANCERS = frozenset({"captain", "mate"})
KEEPERS = frozenset({"organiser", "moderator"})
FIRST, MODERATOR = frozenset({"organiser"}), frozenset({"moderator"})
ALL = frozenset(ROLES)

Roles = frozenset[str]


@dataclass(frozen=True)
class Case:
    """Who may; who may with a reason; for whom somebody else is asked; and nobody else."""

    action: Action
    may: Roles
    with_reason: Roles = frozenset()
    first: tuple[tuple[str, Action], ...] = ()
    asks: Roles = frozenset()


def owned(action: Action, *first: tuple[str, Action]) -> Case:
    return Case(action, frozenset({"captain"}), KEEPERS, first)


OTHER_SETTING = (Counterblast().settings()[0].key, Counterblast().settings()[0].values[1])
HURT = ("captain", DamageModel("Smap", 2))
BEGUN = ("captain", NextStep())
ASKED = ("stranger", JoinEncounter("Lancers"))

CASES = [
    owned(DamageModel("Smap")),
    owned(HealModel("Smap"), HURT),
    owned(NoteModel("Smap", "text")),
    owned(RenameModel("Smap", "Sam")),
    owned(HandOverModel("Smap", 102)),
    owned(RemoveModel("Smap")),
    owned(ReturnModel("Smap"), ("captain", RemoveModel("Smap"))),
    owned(AddCondition("Smap", "hidden")),
    owned(ClearCondition("Smap"), ("captain", AddCondition("Smap", "hidden"))),
    owned(EquipModel("Smap", "grenade")),
    Case(AddModel("Lancers", "smap"), LANCERS, KEEPERS),
    Case(Settings(*OTHER_SETTING), FIRST, MODERATOR),
    Case(HandOverGame(777), FIRST, MODERATOR),
    Case(SecondOrganiserOfGame(777), FIRST, MODERATOR),
    Case(NextStep(), PLAYERS, KEEPERS),
    Case(AddWords("three words here"), PLAYERS),
    Case(OpenWords("at home"), frozenset({"captain"}), first=(("captain", AddWords(seal_of("at home"))),)),
    Case(Question(1, "why so"), PLAYERS),
    Case(Rule(1, "stands", "as written"), KEEPERS, first=(("captain", Question(1, "why so")),)),
    Case(DiceMode("real"), PLAYERS),
    Case(MentionMe("off"), PLAYERS),
    Case(EndEncounter(), FIRST, MODERATOR),
    Case(Undo(), frozenset({"captain"}), KEEPERS, (HURT,), (PLAYERS | KEEPERS) - {"captain"}),
    Case(
        Redo(),
        frozenset({"captain"}),
        KEEPERS,
        (HURT, ("captain", Undo())),
        (PLAYERS | KEEPERS) - {"captain"},
    ),
    Case(JoinEncounter(watch=True), PLAYERS | {"stranger", "moderator"}),
    Case(
        JoinEncounter("Edo"),
        frozenset(),
        KEEPERS,
        asks=frozenset({"captain", "mate", "watcher", "stranger", "moderator"}),
    ),
    Case(JoinWithSample(0), frozenset({"watcher", "stranger", "moderator"}), frozenset({"organiser"})),
    Case(RemovePerson(103, "too loud"), KEEPERS),
    Case(Admit(8), frozenset({"captain"}) | FIRST, MODERATOR, first=(ASKED,)),
    Case(AnswerUndo(9), frozenset({"captain"}), first=(HURT, ("rival", Undo()))),
    Case(Roll("2d6"), ALL),
    Case(StartDemo(), frozenset()),
    Case(StartEncounter(), frozenset()),
    Case(EnterFaces((1,)), frozenset()),
    Case(DropRoll(), frozenset()),
    Case(TakeBackFace(), frozenset()),
    Case(FreshDice(10), frozenset({"rival"}), first=(BEGUN, ("captain", Roll("1d6")), ("captain", Undo()))),
]
READS: list[Action] = [
    ShowEncounter(),
    WhatNow(),
    WhyNot(),
    ShowModel("Smap"),
    ListConditions(),
    ShowDice(),
    ShowLog(),
    WhyModel("Smap"),
    WhyEntry(1),
    Settings(),
    ListCrews(),
    ListRecruits(),
    PeekBag(),
    Best("Sally"),
    ShowLuck(),
    Compare(encode_action(Shoot("Sally", "Trapper", 6.0))),
    ShowHelp(),
    SetUp(),
    Replay(),
    Since(),
]
CREWS: list[type[Action]] = [
    CreateCrew,
    BuildCrew,
    ShowTraits,
    ShowMore,
    LimitCrew,
    RenameCrew,
    CopyCrew,
    EditMember,
    RenameMember,
    EquipMember,
    RecruitMember,
    DismissMember,
    AppointLeader,
    ShowCrew,
    DisbandCrew,
    BringHome,
    SetTrait,
    CheckCrew,
    ExportCrew,
    ImportCrew,
    ChooseListGame,
    TakeModel,
    FillModel,
    ReviewModel,
    LeadList,
    NameList,
    KeepList,
    DiscardList,
    PrintCrew,
    CrewDice,
    GiveCrew,
    TakeCrew,
]
LIBRARY: set[type[Action]] = {SaveBlock, DropBlock, ListBlocks, ExportBlocks, ImportBlocks}
SERVER: set[type[Action]] = {ShowGames, ChooseGames}
"""For who manages the server alone: `test_games`."""
"""What everybody may keep for the server; who may replace and drop it is in test_own_blocks."""
WHEREABOUTS: set[type[Action]] = {MoveEncounter, WakeEncounter, ListEncounters}
"""Who sees which channel decides: `test_whereabouts`."""

SEATS: set[type[Action]] = {GiveSeat, TakeSeatBack}
"""Whose seat it is, and who has a code: `test_seats`."""

GATE: set[type[Action]] = {LetCrewPass, Ready}
"""`test_gate`, `test_readiness`."""

MYSELF: set[type[Action]] = {ShowPrivacy, ExportMine, DeleteMine, ForgetMe}
"""Everybody, of themselves alone: `own/test_privacy`."""

REACTIONS: set[type[Action]] = {LetPass, GoOn}
"""Only the player who can react, and the side that waits: `counterblast/shooting/test_overwatch_window`."""

BROUGHT: set[type[Action]] = {BringCrew}
"""Only the owner of the crew: `lists/test_bringing`."""

BOARD: set[type[Action]] = {kind for command, kind in ACTIONS.items() if command.startswith("board.")}
"""Models by who plays them, the table before the game begins: `test_board`."""

SECRETS: set[type[Action]] = {LayAgain}
"""Only the players of the side: `test_seen_secrets`."""

OTHERS: set[type[Action]] = (
    {Export, AskEnd}
    | CAMPAIGNS
    | LIBRARY
    | SERVER
    | WHEREABOUTS
    | SEATS
    | GATE
    | MYSELF
    | REACTIONS
    | SECRETS
    | BOARD
    | BROUGHT
    | {ShowMe, Draft, Matchup, ShowCampaignDice}
)
"""Actions whose tables are elsewhere."""


async def everybody(table: Table) -> Begun:
    """Everybody at the table, each in their role."""
    for name in ROLES:
        table.actor(name)
    await table.done("organiser", StartDemo())
    await table.done("organiser", JoinEncounter(watch=True))
    await table.done("captain", JoinEncounter("Lancers"))
    await table.press("captain", await table.done("mate", JoinEncounter("Lancers")), "Let in")
    await table.done("rival", JoinEncounter("Edo"))
    await table.done("watcher", JoinEncounter(watch=True))
    return Begun(table)


@pytest.fixture
async def seated(beginnings: Beginnings, file: Path) -> AsyncIterator[Table]:
    async with beginnings.gone_on(everybody, file) as begun:
        yield begun.table


def actor(table: Table, role: str) -> Actor:
    return table.actor(role, manages=role == "moderator")


def test_every_action_of_the_table_is_here() -> None:
    known = {type(case.action) for case in CASES} | {type(action) for action in READS} | {*CREWS, *OTHERS}
    ours = {
        kind
        for command, kind in ACTIONS.items()
        if kind.__module__.startswith("bot.table") and command in HANDLERS
    }
    assert ours <= known


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.action.command)
async def test_who_may(seated: Table, case: Case) -> None:
    for role, action in case.first:
        await seated.done(role, action)
    before = (await seated.loaded()).scope
    for role in sorted(ROLES, key=lambda role: role in case.may | case.with_reason):
        who = actor(seated, role)
        if role in case.asks:
            state = seated.state()
            asked = await seated.done(who, case.action)
            assert " asks " in asked.reply.lines[0]
            assert (seated.state(), (await seated.loaded()).scope.tip) == (state, before.tip)
        elif role not in case.may:
            await seated.refused(who, case.action)
        if role not in case.may | case.with_reason:
            assert role in case.asks or await seated.refused(who, case.action, reason="because I say so")
            continue
        reason = "" if role in case.may else "their boat is late"
        answer = await seated.done(who, case.action, reason=reason)
        entries = await seated.desk.store.all_entries(answer.scope)
        assert entries[-1].reason == reason
        shown = f"Override by {role}: their boat is late" in answer.reply.lines
        assert shown == bool(reason)
        assert not (reason and answer.reply.private)
        if isinstance(case.action, EndEncounter | Admit | AnswerUndo | Rule):
            return
        await _back(seated, case.action, before.tip)
    assert (await seated.loaded()).scope.tip == before.tip


async def _back(table: Table, action: Action, tip: int) -> None:
    """Take the action back: by undo, or what undo is taken back by."""
    back = Redo() if isinstance(action, Undo) else Undo()
    if (await table.loaded()).scope.tip != tip:
        by = "moderator" if isinstance(action, HandOverGame) else "organiser"
        await table.done(actor(table, by), back, reason="to try the next")


@pytest.mark.parametrize("action", READS, ids=lambda action: action.command)
async def test_everybody_may_look_and_nothing_is_written(seated: Table, action: Action) -> None:
    await seated.done("captain", NextStep())
    before = seated.state()
    version = (await seated.loaded()).scope.version
    for role in ROLES:
        answer = await seated.do(actor(seated, role), action)
        assert not answer.changed
        assert answer.reply.private
    assert seated.state() == before
    assert (await seated.loaded()).scope.version == version


async def test_the_side_that_draws_draws(seated: Table) -> None:
    await seated.done("captain", NextStep())
    drawer = (await seated.encounter()).count("drawer")
    mine, theirs = ({"captain", "mate"}, {"rival"})
    may = mine if drawer == 1 else theirs
    for role in ROLES:
        if role in may:
            await seated.done(role, DrawToken())
            await seated.done(role, Undo())
        else:
            await seated.refused(actor(seated, role), DrawToken())


def game_actions() -> list[Action]:
    """Each action of a game, its texts naming a model of the Lancers, its lists holding one."""
    found = []
    for command, kind in sorted(ACTIONS.items()):
        if not kind.__module__.startswith("bot.games") or HANDLERS[command].place is not Place.ENCOUNTER:
            continue
        hints = get_type_hints(kind)
        samples: dict[object, object] = {str: "Smap", tuple[int, ...]: (3,), tuple[str, ...]: ("Smap",)}
        values = {
            part.name: samples[hints[part.name]] for part in fields(kind) if hints[part.name] in samples
        }
        found += [kind(), kind(**values)]
    return found


async def test_who_only_watches_changes_nothing_in_any_game(seated: Table) -> None:
    await seated.done("captain", NextStep())
    before = seated.state()
    for stage in (0, 1):
        for action in game_actions():
            for role in ("watcher", "stranger", "organiser", "moderator"):
                answer = await seated.do(actor(seated, role), action)
                assert not answer.changed, (action, role, answer.reply.lines)
                assert answer.reply.private
        assert seated.state() == before
        if stage == 0:
            drawer = "captain" if (await seated.encounter()).count("drawer") == 1 else "rival"
            await seated.done(drawer, DrawToken())
            before = seated.state()


async def test_a_command_of_another_game_is_refused(seated: Table) -> None:
    """Whoever asks, and whatever for: none reads rows that another game wrote."""
    for action in game_actions():
        if HANDLERS[action.command].system != "counterblast":
            sentence = await seated.refused("captain", action)
            assert sentence.startswith("This command is for ")
            assert sentence.endswith(", but the game here is Counterblast.")


async def test_crews_are_their_owners_alone(table: Table) -> None:
    crew = (await table.done("anna", CreateCrew("The Fine"))).scope
    await table.done("anna", RecruitMember(crew, "smap", 2))
    theirs: list[Action] = [
        RecruitMember(crew, "smap"),
        DismissMember(crew, "smap 2"),
        AppointLeader(crew, "smap 2"),
        DisbandCrew(crew),
    ]
    for action in (*theirs, BringHome(crew), BuildCrew(crew), RenameCrew(crew, "Mine"), EditMember(crew, 1)):
        for who in (table.actor("bo"), table.actor("cleo", manages=True)):
            assert "not your crew" in await table.refused(who, action, reason="because")
        assert ("Nothing was changed, because what you chose no longer exists") in await table.refused(
            table.actor("anna", guild=901), action
        )
    shown = await table.do("bo", ShowCrew(crew))
    assert "The Fine: 2 members" in shown.reply.lines[0]
    assert "not your crew" in await table.refused("bo", Undo(), scope=crew)
    for action in theirs:
        await table.done("anna", action)
        await table.done("anna", Undo())
    await table.done("bo", StartDemo())
    assert "not your crew" in await table.refused("bo", JoinEncounter(crew=crew))
    assert "That crew doesn't exist" in await table.refused("bo", RecruitMember(0, "smap"))
    assert "Nothing was changed, because what you chose no longer exists" in await table.refused(
        "bo", ShowCrew(99999)
    )
    await table.done("anna", RecruitMember(crew, "sally"))
    await table.do("anna", AppointLeader(crew, "Sally"))
    await table.done("anna", JoinEncounter(crew=crew))


async def test_nobody_changes_sides_once_the_game_has_begun(seated: Table) -> None:
    assert "already" in await seated.refused("rival", JoinEncounter("Edo"))
    await seated.done("captain", NextStep())
    asked = await seated.done("mate", JoinEncounter("Edo"))
    refused = await seated.press("rival", asked, "Let in...", reason="why not")
    assert "can decide that" in refused.reply.text
    refused = await seated.press("organiser", asked, "Let in...")
    assert "can't join another side, because they have played for" in refused.reply.text
    for who in ("stranger", "watcher"):
        await seated.press("rival", await seated.done(who, JoinEncounter("Edo")), "Let in")


async def test_undo_in_a_channel_passes_over_crews_of_others(table: Table) -> None:
    await table.done("anna", StartDemo())
    await table.done("anna", DamageModel("Smap"))
    crew = (await table.done("bo", CreateCrew("The Fine"))).scope
    undone = await table.done("anna", Undo())
    assert "Smap takes 1" in undone.reply.lines[0]
    assert undone.scope != crew
    assert "The Fine" in (await table.done("bo", Undo(), scope=crew)).reply.lines[0]


async def test_an_organiser_is_offered_to_override_and_must_give_a_reason(seated: Table) -> None:
    refusal = await seated.do("organiser", DamageModel("Smap"))
    assert [button.label for button in refusal.reply.buttons] == ["Override..."]
    for empty in ("", "  ", "***", "\u200b"):
        again = await seated.press("organiser", refusal, "Override...", reason=empty)
        assert not again.changed
    answer = await seated.press("organiser", refusal, "Override...", reason="**@everyone** `x`\nlate")
    assert answer.changed
    assert "Override by organiser: everyone x late" in answer.reply.lines
    assert "Overridden: Smap is not yours; captain controls this model." in answer.reply.lines
    log = await seated.do("stranger", ShowLog())
    assert "[override: everyone x late]" in log.reply.lines[-1]
    plain = await seated.do("stranger", DamageModel("Smap"))
    assert plain.reply.buttons == ()


async def test_a_reason_that_was_not_needed_is_not_written(seated: Table) -> None:
    answer = await seated.done("captain", DamageModel("Smap"), reason="no need")
    entries = await seated.desk.store.all_entries(answer.scope)
    assert entries[-1].reason == ""


async def test_other_servers_and_unknown_scopes_are_not_here(seated: Table) -> None:
    elsewhere = seated.actor("captain", guild=901)
    assert ("Nothing was changed, because what you chose no longer exists") in await seated.refused(
        elsewhere, DamageModel("Smap")
    )
    assert ("Nothing was changed, because what you chose no longer exists") in await seated.refused(
        "captain", DamageModel("Smap"), scope=999
    )
    nowhere = seated.actor("captain", channel=777)
    assert (
        "There is no game in this channel. Start one with /encounter start, or try /demo"
        in await seated.refused(nowhere, DamageModel("Smap"))
    )
