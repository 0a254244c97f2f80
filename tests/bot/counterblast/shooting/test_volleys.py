"""Dice split over any number of targets, and what is remembered of where they stand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.actions import Action, raw_of
from bot.games.counterblast.core.contact import Engage
from bot.games.counterblast.core.narration import DOWN, MISSED, UNHURT, Telling
from bot.games.counterblast.melee.strikes import DrivenBack, KnockedInto
from bot.games.counterblast.movement.climbing import SetHeight
from bot.games.counterblast.movement.falls import TakeFall
from bot.games.counterblast.movement.hiding import Hide
from bot.games.counterblast.movement.moves import Move
from bot.games.counterblast.psionics.power_use import UsePower
from bot.games.counterblast.shooting.team_shots import TeamShot
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.state import models
from bot.games.counterblast.templates.coverage import Engulf
from bot.games.counterblast.turn.overwatch import Interrupt
from bot.ids import Tag, pack
from bot.store.rows import ModelRow
from bot.table.asking.reading import read
from bot.table.encounter import Encounter
from bot.table.journal.history import Undo
from bot.table.offers.legal_actions import Looking
from bot.table.realdice import EnterFaces
from bot.table.session.arrivals import EquipModel
from bot.table.session.models import ClearCondition, RemoveModel, ReturnModel
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Fighter
from tests.bot.arranging import Step
from tests.bot.counterblast.psionics.test_psi_play import ready, throws
from tests.bot.counterblast.ring import ANNA, BO, Ring, active, block, change, touching, under
from tests.bot.tables import waits

THREE = Shoot("Skip", "Trapper", 6, also="Prime 1 at 8 cover 1, Spawnguard 1 at 9")


def results(lines: list[str]) -> list[str]:
    told = [line for line in lines[: lines.index("")] if " shoots: " not in line]
    return [line.split(":")[0].rstrip(".") for line in told if line.startswith("Skip")]


async def dice_thrown(ring: Ring, who: str, action: Action) -> int:
    """How many dice the attack itself takes; all of them are 2."""
    answer, thrown = await ring.table.do(who, action), 0
    while waits(answer):
        assert " attack at " in answer.reply.lines[0]
        count = int(answer.reply.lines[0].split()[2])
        thrown += count
        answer = await ring.entered(who, ((2,) * count))
    return thrown


def rested(name: str) -> Step:
    """It acts anew, and knows what it knew."""

    def again(row: ModelRow) -> None:
        for key in (Counter.ATTACKS, Counter.ACTIONS):
            row.counters.pop(key, None)

    return change(name, again)


@pytest.mark.rule("CB-SHOOT-06")
async def test_dice_are_split_over_three_targets(ring: Ring) -> None:
    """Four dice: two are left for the Trapper; cover and distance count for each target alone."""
    await ring.arrange(active("Skip"))
    lines = await ring.ask(ANNA, THREE, 9, 9, 2, 2, 8, 2)
    assert lines[0] == (
        "Skip Westmoreland shoots: Prime Leader takes no wound, Spawnguard isn't hit, Trapper goes down."
    )
    assert results(lines) == [
        "Skip Westmoreland hits Prime Leader",
        "Skip Westmoreland misses Spawnguard",
        "Skip Westmoreland hits Trapper",
    ]
    assert [line for line in lines if line.startswith("AGL")] == [
        "AGL 1D-1 vs 7, Pulsar Rifle",
        "AGL 1D-2 vs 7, Pulsar Rifle",
        "AGL 2D-1 vs 7, Pulsar Rifle",
    ]
    assert "shield: 9 stops, 2 fails" in lines
    assert "+1 cover [1] CB-TERR-05" in ring.why


@pytest.mark.rule("CB-SHOOT-06")
async def test_odds_and_buttons_of_a_split_shot_name_every_target(ring: Ring) -> None:
    await ring.arrange(active("Skip"))
    lines = await ring.ask(ANNA, replace(THREE, odds=True))
    assert [line for line in lines if "->" in line] == [
        "Skip Westmoreland -> Prime Leader, cover 1",
        "Skip Westmoreland -> Spawnguard",
        "Skip Westmoreland -> Trapper",
    ]
    shoot = next(one for one in ring.answer.reply.buttons if one.label == "Shoot with an order token")
    assert pack(Tag(shoot.action, 99999, 99999))
    pressed = await ring.press(ANNA, "Shoot with an order token", 2, 2, 8, 2)
    assert results(pressed)[-1] == "Skip Westmoreland hits Trapper"
    assert sum(line.startswith("AGL") for line in pressed) == 3


@pytest.mark.rule("CB-SHOOT-06")
async def test_every_die_is_given_to_somebody(ring: Ring) -> None:
    await ring.arrange(active("Skip"))
    named = replace(THREE, dice=1)
    assert "must use exactly 4 dice" in await ring.refused(ANNA, named)
    much = replace(THREE, dice=3)
    assert "has 4 dice" in await ring.refused(ANNA, replace(much, also="Prime at 8, Spawnguard at 9"))
    five = replace(THREE, also="Prime at 8, Spawnguard at 9, Edo Underling at 5, Spawnling at 5")
    assert "which isn't enough for" in await ring.refused(ANNA, five)
    assert await dice_thrown(ring, ANNA, replace(five, also=five.also.rpartition(",")[0])) == 4


@pytest.mark.rule("CB-SHOOT-06", "CB-WEAP-35")
async def test_rapid_fire_dice_are_split_like_ones_own(ring: Ring) -> None:
    """4 and 4 more: three, three and two."""
    await ring.arrange(active("Skip"), block("Skip", "skip_westmoreland", "autoslugger"))
    shot = replace(THREE, weapon="Autoslugger", also="Prime at 8, Spawnguard at 9")
    lines = await ring.ask(ANNA, shot, *[2] * 8)
    assert [line.split()[1][:2] for line in lines if line.startswith("AGL")] == ["3D", "2D", "3D"]


@pytest.mark.rule("CB-SHOOT-06", "CB-SHOOT-01")
async def test_an_override_throws_no_die_more(ring: Ring) -> None:
    """Engaged, and let pass: the same four dice for three targets."""
    await ring.arrange(active("Skip"), touching(("Skip", "Edo Guardling")))
    ring.answer = await ring.table.do(ANNA, THREE)
    assert ring.labels == ["Override..."]
    answer = await ring.table.press(ANNA, ring.answer, "Override...", reason="agreed by both")
    assert "throws 1 d10 for Skip Westmoreland's attack at Prime Leader" in answer.reply.text
    answer = await ring.entered(ANNA, ((2, 2, 2, 2)))
    assert not waits(answer)
    assert sum(line.startswith("AGL") for line in answer.reply.lines) == 3


async def test_a_number_that_may_be_dice_or_a_name_is_asked(ring: Ring) -> None:
    await ring.arrange(active("Skip"))
    unclear = replace(THREE, also="Edo Guardling 2 at 5")
    assert "`Edo Guardling x2` for the dice" in await ring.refused(ANNA, unclear)
    lines = await ring.ask(ANNA, replace(THREE, also="Edo Guardling x3 at 5"), 2, 2, 2, 2)
    assert [line.split()[1][:2] for line in lines if line.startswith("AGL")] == ["3D", "1D"]
    assert (
        "Add targets with dice and inches like this: `Guardling x3 at 7 cover 1, Trapper x2 at 9 friend Smap`"
        in await ring.refused(ANNA, replace(THREE, also="Prime at at 5"))
    )
    assert "How far away is" in await ring.refused(ANNA, replace(THREE, also="Spawnguard 2"))


@pytest.mark.rule("CB-SHOOT-06")
async def test_distance_and_cover_are_as_before_until_somebody_moves(ring: Ring) -> None:
    await ring.arrange(active("Skip", "Prime"))
    open_shot = Shoot("Skip", "Prime", -1, -1)
    assert "How far away is" in await ring.refused(ANNA, open_shot)
    await ring.ask(ANNA, replace(open_shot, distance=11, cover=2), 2, 2, 2, 2)
    await ring.arrange(rested("Skip"))
    lines = await ring.ask(ANNA, replace(open_shot, odds=True))
    assert lines[0] == "Skip Westmoreland -> Prime Leader, cover 2"
    assert "Prime Leader: 11 in, cover 2 (as before)" in lines
    back = await ring.ask(BO, Shoot("Prime", "Skip", -1, -1, odds=True))
    assert back[0] == "Prime Leader -> Skip Westmoreland"
    assert "Skip Westmoreland: 11 in (as before)" in back
    await ring.ask(BO, Move("Prime"))
    assert "How far away is" in await ring.refused(ANNA, open_shot)
    await ring.ask(ANNA, Shoot("Skip", "Prime", 10, -1, odds=True))
    assert ring.answer.reply.lines[0] == "Skip Westmoreland -> Prime Leader"


MEASURED = Shoot("Skip", "Prime", 11, 2)


async def measured(ring: Ring) -> None:
    """Skip has shot at Prime Leader, 11 in and cover 2."""
    await ring.arrange(active("Skip", "Prime"), change("Prime", high))
    await ring.ask(ANNA, MEASURED, 2, 2, 2, 2)
    await ring.arrange(rested("Skip"))
    assert "as before" in "\n".join(await ring.ask(ANNA, Shoot("Skip", "Prime", odds=True)))


def high(row: ModelRow) -> None:
    row.counters[Counter.HEIGHT] = 6


@pytest.mark.parametrize(
    ("who", "moves", "faces"),
    [
        (BO, TakeFall("Prime", 6), (2, 2)),
        (BO, SetHeight("Prime", 3), ()),
        (ANNA, Engage("Skip", "Prime"), ()),
        (BO, DrivenBack(0, 4, 1), ()),
        (BO, KnockedInto(0, 2.0, 4, sure=True), ()),
        (BO, RemoveModel("Prime"), ()),
    ],
    ids=lambda value: getattr(value, "command", ""),
)
@pytest.mark.rule("CB-SHOOT-06")
async def test_what_was_measured_is_forgotten_however_a_model_moves(
    ring: Ring, who: str, moves: Action, faces: tuple[int, ...]
) -> None:
    await measured(ring)
    if isinstance(moves, DrivenBack | KnockedInto):
        moves = replace(moves, model=(await ring.model("Prime")).id)
    await ring.ask(who, moves, *faces)
    if isinstance(moves, RemoveModel):
        await ring.ask(BO, ReturnModel("Prime"))
    if isinstance(moves, Engage):
        await ring.ask(ANNA, replace(moves, apart=True))
    assert "How far away is" in await ring.refused(ANNA, Shoot("Skip", "Prime", odds=True))


@pytest.mark.rule("CB-SHOOT-06", "CB-PSI-09")
@pytest.mark.parametrize("faces", [(9, 2, 2), (1, 2, 2, 3, 5)], ids=["arrives", "astray"])
async def test_a_portal_leaves_what_was_measured_behind(ring: Ring, faces: tuple[int, ...]) -> None:
    await measured(ring)
    await ready(ring, "deep_portal")
    await throws(ring, BO, UsePower("Prime", "Deep Portal", distance="10"), *faces)
    assert "How far away is" in await ring.refused(ANNA, Shoot("Skip", "Prime", odds=True))


@pytest.mark.rule("CB-OVER-02", "CB-SHOOT-06")
async def test_a_shot_from_overwatch_takes_what_was_said_before(ring: Ring) -> None:
    """Its form may be sent without a distance."""
    await measured(ring)
    await ring.arrange(under("overwatch", "Skip"), idle("Skip"))
    await ring.ask(ANNA, Interrupt())
    button = next(one for one in ring.answer.reply.buttons if one.label == "Overwatch: Skip Westmoreland")
    assert button.asks
    lines = await ring.ask(ANNA, button.action, 2, 2, 2, 2)
    assert "Prime Leader: 11 in, cover 2 (as before)" in lines


def idle(name: str) -> Step:
    def step(encounter: Encounter) -> None:
        model = encounter.find_model(name).id
        for row in encounter.conditions(model):
            if row.kind == "active":
                encounter.book.remove(row)

    return step


@pytest.mark.rule("CB-SHOOT-07")
async def test_a_second_pistol_is_a_further_attack_at_the_same_target(ring: Ring) -> None:
    await ring.ask(ANNA, EquipModel("Sally", "Gamma Disruptor Pistol"))
    await ring.arrange(active("Sally"))
    two = Shoot("Sally", "Trapper", 4, weapon="Particle", also="Trapper with Gamma")
    lines = await ring.ask(ANNA, two, 2, 2)
    assert [line.split(", ")[1] for line in lines if "vs 8" in line] == [
        "Particle Beam Pistol",
        "Gamma Disruptor Pistol",
    ]


# ---------------------------------------------------------------- together


TEAM = TeamShot("Skip, Smap", "Prime", "9 6", "0 2")


@pytest.mark.rule("CB-ACT-08")
async def test_of_the_shooters_covers_the_highest_counts(ring: Ring) -> None:
    """Smap sees the target behind 2, Skip in the open: one shield of its own and two of cover."""
    await ring.arrange(active("Skip", "Smap"))
    odds = await ring.ask(ANNA, replace(TEAM, odds=True))
    assert odds[0] == "Skip Westmoreland and Smap -> Prime Leader, cover 2"
    both = await ring.ask(ANNA, replace(TEAM, cover="2", odds=True))
    assert odds == both
    open_ground = await ring.ask(ANNA, replace(TEAM, cover="0", odds=True))
    assert open_ground != odds
    assert "for each of the 2 models, such as" in await ring.refused(ANNA, replace(TEAM, cover="0 4"))
    lines = await ring.ask(ANNA, TEAM, 9, 2, 2, 2, 2, 2, 2, 2, 9, 2)
    assert lines[0] == "Skip Westmoreland's team hits Prime Leader: no wound."
    assert "+2 cover [2] CB-TERR-05" in ring.why


@pytest.mark.rule("CB-ACT-08", "CB-ACT-11")
async def test_a_team_takes_aim_with_both_actions_of_each(ring: Ring) -> None:
    """Skip has four dice and Smap three: one more each, aimed."""
    await ring.arrange(active("Skip", "Smap"))
    lines = await ring.ask(ANNA, replace(TEAM, mode="aim"), *[2] * 9)
    assert [line for line in lines if "AGL" in line] == [
        "Skip Westmoreland: AGL 5D-2 vs 7",
        "Smap: AGL 4D-1 vs 8",
    ]
    assert ring.why.count("+1 aimed CB-ACT-11") == 2
    for name in ("Skip", "Smap"):
        assert (await ring.model(name)).count("actions spent") == 2


async def test_the_dice_of_a_team_are_asked_for_by_the_name_of_each(ring: Ring) -> None:
    await ring.arrange(active("Skip", "Smap"))
    asked = (await ring.table.do(ANNA, replace(TEAM, mode="aim"))).reply
    assert asked.lines[0] == "anna throws 5 d10 for Skip Westmoreland's attack at Prime Leader."
    then = (await ring.table.do(ANNA, EnterFaces((2,) * 5))).reply
    assert then.lines[0] == "anna throws 4 d10 for Smap's attack at Prime Leader."


async def test_dice_that_a_team_throws_at_once_are_asked_for_with_the_share_of_each(ring: Ring) -> None:
    await ring.arrange(active("Edo Underling", "Edo Underling 2"))
    team = TeamShot("Edo Underling, Edo Underling 2", "Skip", "4")
    asked = (await ring.table.do(BO, team)).reply.lines[0]
    assert "(Edo Underling " in asked, asked
    assert ", Edo Underling 2 " in asked


@pytest.mark.rule("CB-ACT-08", "CB-SHOOT-11")
async def test_an_aimed_teams_misses_leave_one_die_out(ring: Ring) -> None:
    """All nine miss: eight stray, as one fewer does for Aim."""
    await ring.arrange(active("Skip", "Smap"), touching(("HOpR", "Prime")))
    assert await strays(ring, replace(TEAM, mode="aim")) == 8
    await ring.agreed(ANNA, Undo())
    assert await strays(ring, TEAM) == 7


async def strays(ring: Ring, action: Action) -> int:
    answer = await ring.table.do(ANNA, action)
    stray = 0
    while waits(answer):
        words = answer.reply.lines[0].split()
        stray += int(words[2]) if " misses that may hit " in answer.reply.lines[0] else 0
        answer = await ring.entered(ANNA, ((2,) * int(words[2])))
    return stray


@pytest.mark.rule("CB-ACT-08", "CB-OVER-02")
async def test_a_team_fires_from_overwatch_at_an_active_enemy(ring: Ring) -> None:
    """It costs no action and ends their Overwatch; who does not watch stays out of it."""
    await ring.arrange(under("overwatch", "Skip", "Smap"))
    watch = replace(TEAM, mode="overwatch")
    assert "CB-OVER-02" in await ring.refused(ANNA, watch)
    await ring.arrange(active("Prime"))
    assert "is not on Overwatch" in await ring.refused(ANNA, replace(watch, shooters="Skip, Wanda"))
    lines = await ring.ask(ANNA, watch, *[2] * 7)
    assert lines[0] == "Skip Westmoreland's team misses Prime Leader."
    for name in ("Skip", "Smap"):
        model = await ring.model(name)
        assert not model.has("overwatch")
        assert model.count("actions spent") == 0


async def test_a_teams_distances_are_as_before(ring: Ring) -> None:
    await ring.arrange(active("Skip", "Smap"))
    await ring.ask(ANNA, TEAM, *[2] * 7)
    await ring.arrange(rested("Skip"), rested("Smap"))
    lines = await ring.ask(ANNA, TeamShot("Skip, Smap", "Prime", odds=True))
    assert lines[0].endswith("cover 2")
    assert "Prime Leader: 9 in (as before)" in lines
    assert "Prime Leader: 6 in, cover 2 (as before)" in lines


# ---------------------------------------------------------------- behind what one hides


@pytest.mark.rule("CB-HIDE-02", "CB-TERR-05")
async def test_the_cover_of_a_hidden_model_is_remembered_until_it_moves(ring: Ring) -> None:
    await ring.arrange(active("Skip", "Prime"))
    hides = await ring.ask(BO, Hide("Prime", 2))
    assert hides[0] == "Prime Leader hides (cover 2)."
    row = (await ring.model("Prime")).id
    spray = Engulf((await ring.model("Skip")).id, "flamethrower", whole=(row,))
    assert await covers(ring, spray) == 2
    await ring.ask(BO, ClearCondition("Prime", "hidden"))
    lines = await ring.ask(ANNA, Shoot("Skip", "Prime", 9, -1, odds=True))
    assert "Prime Leader: cover 2 (as before)" in lines
    assert lines[0] == "Skip Westmoreland -> Prime Leader, cover 2"
    await ring.ask(BO, Move("Prime"))
    lines = await ring.ask(ANNA, Shoot("Skip", "Prime", 9, -1, odds=True))
    assert lines[0] == "Skip Westmoreland -> Prime Leader"


async def covers(ring: Ring, action: Engulf) -> int:
    await ring.ask(ANNA, action, 9, 2, 2, 2, 2)
    return int(ring.why.partition(" cover [")[2][:1] or 0)


@pytest.mark.rule("CB-SHOOT-06")
@pytest.mark.parametrize("odds", [False, True])
async def test_a_target_is_named_once(ring: Ring, odds: bool) -> None:
    """Two shares at one model would judge its 1s and its 10s apart."""
    await ring.arrange(active("Skip"))
    for also in ("Trapper 1 at 6", "Prime 1 at 8, Prime 1 at 8"):
        assert "Name each target only once" in await ring.refused(ANNA, replace(THREE, also=also, odds=odds))


# ---------------------------------------------------------------- read once


async def test_a_shot_makes_only_those_whom_it_is_about(ring: Ring, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody else is worked out of the rows to find one, before the dice fall."""
    await ring.arrange(active("Skip"))
    made: list[str] = []
    whole = models._fighter_from_row

    def counted(encounter: Encounter, model: ModelRow) -> Fighter:
        made.append(model.name)
        return whole(encounter, model)

    monkeypatch.setattr(models, "_fighter_from_row", counted)
    answer = await ring.table.do(ANNA, Shoot("Skip", "Trapper", 6))
    assert waits(answer)
    assert sorted(made) == ["Skip Westmoreland", "Trapper"]


async def test_further_targets_are_written_as_they_are_read(ring: Ring) -> None:
    also = "Prime 1 at 8 cover 1, Spawnguard x2 at 9.5 with Pulsar friend Smap; Edo Underling"
    act = Looking((await ring.table.loaded()).book(), ring.table.actor(ANNA)).act(replace(THREE, also=also))
    once = read(act, replace(THREE, also=also))
    (share, at), second, third = once.also
    assert (share.target.name, share.dice, share.weapon, at.inches, at.cover) == ("Prime Leader", 1, 0, 8, 1)
    assert (second[0].weapon, second[1].inches, second[1].cover) == (1, 9.5, -1)
    assert second[1].friend is not None
    assert third[1].inches == -1
    written = raw_of(once)["also"]
    numbers = [(await ring.model(name)).id for name in ("Prime", "Spawnguard", "Smap", "Edo Underling")]
    assert written == "#{} x1 at 8 cover 1, #{} x2 at 9.5 with @1 friend #{}, #{}".format(*numbers)
    assert read(act, replace(THREE, also=written)).also == once.also


@pytest.mark.parametrize(
    ("struck", "result"),
    [
        ([(UNHURT, 1), (UNHURT, 2)], "takes 3 wounds"),
        ([(UNHURT, 0), (UNHURT, 1), (MISSED, 0)], "takes 1 wound"),
        ([(MISSED, 0), (UNHURT, 0), (UNHURT, 0)], "takes no wound"),
        ([(MISSED, 0), (MISSED, 0)], "isn't hit"),
        ([(UNHURT, 1), (DOWN, 0)], "goes down"),
        ([("is hit (pinned)", 0), ("is hit (pinned)", 0), (UNHURT, 1)], "is hit (pinned) and takes 1 wound"),
    ],
)
async def test_the_headline_adds_up_what_one_target_takes(
    ring: Ring, struck: list[tuple[str, int]], result: str
) -> None:
    telling = Telling(struck=[("Trapper", *one) for one in struck])
    telling.add_headline(await ring.model("Skip"))
    assert telling.lines == [f"Skip Westmoreland shoots: Trapper {result}."]
