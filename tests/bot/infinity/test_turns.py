"""Initiative, Order pools, player turns, Loss of Lieutenant, Retreat!; the seconds of a reaction."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.actions import reference_by_number
from bot.app import open_desk
from bot.games.infinity.attack_actions import Assault, Dodge, Fight, Shoot
from bot.games.infinity.debts import Guts
from bot.games.infinity.hiding_actions import Appoint, Hide, Mine
from bot.games.infinity.movement_actions import SKILL_PARTS, SpendOrder
from bot.games.infinity.profile_actions import AddModel, Regroup
from bot.games.infinity.reaction_menu import Resolve
from bot.games.infinity.roll_actions import RollD20
from bot.games.infinity.turn_actions import KeepDeployment, PlayFirst, UseStrategos
from bot.store.engine import database_url
from bot.table.game import game_of
from bot.table.offers.command_line import complete_line
from bot.table.offers.forms import build_form
from bot.table.offers.legal_actions import Looking
from bot.table.rolling.dice_settings import DiceMode
from bot.table.session.encounters import EndEncounter, JoinEncounter, NextStep, StartDemo, StartEncounter
from bot.table.session.models import AddCondition, DamageModel, HealModel, ReturnModel, ShowModel
from bot.table.session.possible_actions import list_kinds
from bot.table.session.settings import Settings
from tests.bot.infinity.field import ANNA, BO, Field, chief, hurt, profile, setting, under
from tests.bot.tables import Table, seeds
from tests.bot.waited import waited_for


@pytest.mark.rule("INF-DEP-01", "INF-STR-05")
async def test_initiative_is_rolled_until_somebody_wins(table: Table) -> None:
    field = Field(table)
    await field.ask(ANNA, StartDemo("infinity"))
    await field.ask(BO, JoinEncounter("Nightfall"))
    await field.ask(ANNA, DiceMode("real"))
    lines = await field.ask(ANNA, NextStep(), 5, 5, 20, 19, 3, 13)
    assert lines[0] == "Nightfall wins the Initiative Roll."
    assert lines.count("Vanguard: 5 success") == 1
    assert "Wait until Nightfall has chosen" in await field.refused(ANNA, NextStep()), "it is rolled once"
    assert waited_for(await table.encounter()) == "Waiting for bo to choose who plays first."
    assert "Only Nightfall can choose" in await field.refused(ANNA, PlayFirst(1))
    assert "Only bo can do this for Nightfall" in await field.refused(ANNA, PlayFirst(2))
    await field.ask(BO, KeepDeployment())
    lines = await field.ask(ANNA, PlayFirst(1, first=False))
    assert lines[0] == "Nightfall plays first."
    assert waited_for(await table.encounter()).endswith("First turn.")
    lines = await field.ask(ANNA, NextStep())
    assert lines[0] == "Round 1: Nightfall's turn."


@pytest.mark.rule("INF-WND-02")
async def test_who_lies_unconscious_is_not_offered_to_act(field: Field) -> None:
    acting = game_of(await field.table.encounter()).acting
    first, *others = [model.name for model in acting(await field.table.encounter())]
    await field.arrange(under("unconscious", first))
    assert [model.name for model in acting(await field.table.encounter())] == others
    assert others


@pytest.mark.rule("INF-ORD-01", "INF-ORD-02", "INF-ORD-03", "INF-STR-02")
async def test_the_pool_is_counted_and_spent(field: Field) -> None:
    # five Regulars and the Strategos' Order; Wraith is hidden and gives none
    assert await field.counter(1, "regular_orders_1") == 6
    assert await field.counter(1, "lieutenant_orders") == 0
    lines = await field.ask(ANNA, NextStep())
    assert lines[1:] == ["Orders: 6 in Group 1", "Irregular Orders: Brute", "Lieutenant Order: 1"]
    lines = await field.spend(BO, SpendOrder("Brute"))
    assert "It spends its own Irregular Order." in lines
    await field.ask(BO, Resolve())
    lines = await field.spend(BO, SpendOrder("Brute"))
    assert "It spends an Order from Combat Group 1 (5 left)." in lines
    await field.ask(BO, Resolve())
    assert "no Irregular Order left.\nRulebook: Orders (INF-ORD-02)" in await field.refused(
        BO, SpendOrder("Brute", "irregular")
    )
    no_chief = await field.refused(BO, SpendOrder("Tracker", "lieutenant"))
    assert "This trooper has no Special Lieutenant Order left.\nRulebook: Orders (INF-ORD-03)" in no_chief
    lines = await field.ask(BO, SpendOrder("Commander Voss", "lieutenant"))
    assert "It spends the Special Lieutenant Order." in lines


@pytest.mark.rule("INF-ORD-01")
async def test_an_order_of_the_wrong_group(field: Field) -> None:
    def second(encounter):  # type: ignore[no-untyped-def]
        encounter.find_model("Angus").counters["group"] = 2

    await field.arrange(second)
    said = await field.refused(ANNA, SpendOrder("Angus"))
    assert said == (
        "Activate another trooper. Combat Group 2 has no Regular Orders left.\nRulebook: Orders (INF-ORD-01)."
    )


async def test_only_in_ones_own_turn(field: Field) -> None:
    said = await field.refused(BO, SpendOrder("Tracker"))
    assert said == "React with /inf aro. It is Vanguard's turn.\nRulebook: Orders (INF-ORD-05)."
    assert "Only anna can do this for Vanguard" in await field.refused(BO, NextStep())


@pytest.mark.rule("INF-ORD-04")
async def test_what_one_order_pays_for(field: Field) -> None:
    await field.spend(ANNA, SpendOrder("Angus"))
    lines = await field.ask(ANNA, SpendOrder("Angus"))
    assert lines == ["Angus moves up to 4 in as its second Skill.", "Angus' Order is over."]
    assert await field.counter(1, "regular_orders_1") == 5
    # the third Skill begins another Order
    lines = await field.spend(ANNA, Dodge("Angus"))
    assert "It spends an Order from Combat Group 1 (4 left)." in lines
    said = await field.refused(ANNA, Shoot("Angus", "Tracker", 12))
    assert "can't have two Short Skills.\nRulebook: Orders (INF-ORD-04)" in said
    await field.ask(ANNA, Resolve())
    await field.spend(ANNA, SpendOrder("Angus"), rest="keep")
    lines = await field.ask(ANNA, Shoot("Angus", "Tracker", 12))
    assert not [line for line in lines if line.startswith("Order of")]
    assert await field.counter(1, "regular_orders_1") == 3


@pytest.mark.rule("INF-ASL-01")
async def test_an_entire_order_leaves_nothing_for_a_move(field: Field) -> None:
    await field.ask(ANNA, NextStep())
    await field.spend(BO, SpendOrder("Leaper"))
    assert "INF-ORD-04" in await field.refused(BO, Assault("Leaper", "Angus", 5))


@pytest.mark.rule("INF-WND-02", "INF-ISO-01")
async def test_who_is_out_gets_no_order(field: Field) -> None:
    await field.arrange(under("unconscious", "Angus"), under("isolated", "Doc Ruiz"))
    assert "can't act in its current state.\nRulebook: Wounds (INF-WND-02)" in await field.refused(
        ANNA, SpendOrder("Angus")
    )
    assert "because it is Isolated.\nRulebook: Isolated (INF-ISO-01)" in await field.refused(
        ANNA, SpendOrder("Doc Ruiz")
    )
    await field.ask(ANNA, NextStep())
    lines = await field.ask(BO, NextStep())
    assert "Orders: 4 in Group 1" in lines
    assert "Irregular Orders: Doc Ruiz" in lines


@pytest.mark.rule("INF-LOL-01", "INF-LOL-02", "INF-LOL-03", "INF-VET-01", "INF-ORD-08")
async def test_loss_of_lieutenant_and_a_new_one_in_secret(field: Field) -> None:
    await field.arrange(under("unconscious", "Captain Reyes"), hurt("Captain Reyes", 1))
    await field.ask(ANNA, NextStep())
    lines = await field.ask(BO, NextStep())
    assert lines[0] == "Round 2: Vanguard's turn."
    assert "Loss of Lieutenant" in lines
    # Hammer is a Veteran and stays Regular
    assert "Orders: 1 in Group 1" in lines
    assert "Irregular Orders: Angus, Doc Ruiz, Sentry" in lines
    assert "after Loss of Lieutenant" in await field.refused(ANNA, Appoint("Angus"))
    lines = await field.ask(ANNA, NextStep())
    assert "Vanguard can choose a new Lieutenant in secret with /inf lieutenant." in lines
    refused = await field.refused(BO, Appoint("Brute"))
    assert refused.endswith(
        "or after Loss of Lieutenant. Vanguard (anna) can choose one now.\n"
        "Rulebook: Loss of Lieutenant (INF-LOL-03)."
    )
    looking = Looking((await field.table.loaded()).book(), field.table.actor(BO))
    assert "Vanguard (anna) can choose one now" in looking.legal(Appoint).reason, "pressed on the panel, too"
    assert "can't be Lieutenant" in await field.refused(ANNA, Appoint("Sentry"))
    lines = await field.ask(ANNA, Appoint("Angus"))
    assert field.answer.reply.private
    lines = await field.ask(BO, NextStep())
    assert "Loss of Lieutenant" not in lines
    assert "Lieutenant Order: 1" in lines


@pytest.mark.rule("INF-RET-01", "INF-RET-02", "INF-RET-03", "INF-RET-04", "INF-VAL-02", "INF-VET-02")
async def test_retreat_and_back(field: Field) -> None:
    lost = ("Hammer", "Doc Ruiz", "Sentry", "Wraith")

    def alone(encounter):  # type: ignore[no-untyped-def]
        for name in lost[:3]:
            encounter.find_model(name).status = "gone"
        encounter.side(1).counters["army points"] = 400

    await field.arrange(alone)
    await field.ask(ANNA, NextStep())
    lines = await field.ask(BO, NextStep())
    assert "Retreat!" in lines
    assert "Loss of Lieutenant" in lines
    assert (await field.trooper("Angus")).has("retreat")
    assert not (await field.trooper("Captain Reyes")).has("retreat")
    said = await field.refused(ANNA, Shoot("Angus", "Tracker", 12))
    assert "During Retreat!, this trooper can only move" in said
    assert "INF-RET-02" in said
    await field.spend(ANNA, SpendOrder("Angus"))
    await field.ask(ANNA, Resolve())

    def again(encounter):  # type: ignore[no-untyped-def]
        encounter.side(1).counters["army points"] = 100

    await field.arrange(again)
    await field.ask(ANNA, NextStep())
    await field.ask(BO, NextStep())
    assert not (await field.trooper("Angus")).has("retreat")


@pytest.mark.rule("INF-STR-02")
async def test_strategos_is_optional(field: Field) -> None:
    await field.ask(ANNA, UseStrategos("", use=False))
    assert "You don't play Nightfall" in await field.refused(ANNA, UseStrategos("Nightfall", use=False))
    await field.ask(ANNA, NextStep())
    lines = await field.ask(BO, NextStep())
    assert "Orders: 5 in Group 1" in lines
    assert "Lieutenant Order: 1" in lines


async def test_the_game_ends_after_its_rounds(field: Field) -> None:
    for _ in range(3):
        await field.ask(ANNA, NextStep())
        lines = await field.ask(BO, NextStep())
    assert lines[0] == "The last turn is over."
    assert "/encounter end" in await field.refused(ANNA, NextStep())
    lines = await field.ask(ANNA, EndEncounter())
    assert "Vanguard: 142 of 142 points survived." in lines


async def test_points_set_by_hand_follow_the_states(field: Field) -> None:
    await field.ask(ANNA, DamageModel("Angus"))
    assert (await field.trooper("Angus")).has("unconscious")
    await field.ask(ANNA, HealModel("Angus"))
    assert not (await field.trooper("Angus")).is_null
    await field.ask(ANNA, DamageModel("Angus", 2))
    assert (await field.trooper("Angus")).has("dead")
    await field.ask(ANNA, ReturnModel("Angus"))
    await field.ask(ANNA, AddCondition("Hammer", "isolated"))
    lines = await field.ask(BO, ShowModel("Hammer"))
    assert lines[-1] == "Hammer: isolated"


async def test_settings_change_the_readings(field: Field) -> None:
    await field.arrange(under("unconscious", "Tracker"), hurt("Tracker", 1))
    await field.ask(ANNA, Settings("coup_de_grace", "off"))
    await field.ask(ANNA, Fight("Angus", "Tracker"))
    lines = await field.pass_on(BO, 5, 20)
    assert lines[0] == "Angus hits Tracker but causes no wound."


@pytest.mark.rule("INF-LVL-01", "INF-ROLL-02")
async def test_settings_of_levels_and_of_the_cap_are_read_everywhere(field: Field) -> None:
    await field.ask(ANNA, Settings("cumulative_levels", "off"))
    await field.ask(ANNA, Settings("mod_cap", "18"))
    # Brute has Valor L2 and, at this table, no Courage with it: it does not stand at will
    await field.arrange(
        profile("Brute", "Brute: BS 10, PH 13, WIP 12, ARM 1, W 2; Pistol B2 DAM 11; Skills Valor L2")
    )
    await field.ask(ANNA, Shoot("Angus", "Brute", 12))
    await field.react(BO, "Brute", "nothing:", 3, 20, 20, 19)
    assert field.labels[:2] == ["Guts Roll: Brute", "Fail Guts Roll: Brute"]
    assert not [label for label in field.labels if label.startswith("Stand")]
    await field.ask(BO, Guts("Brute", "fail"))
    lines = await field.ask(ANNA, RollD20(20, 1, -15), 5)
    assert "Against 20 -15 = 5" in lines


async def test_chief_and_setting_helpers_are_real(field: Field) -> None:
    await field.arrange(chief(1, "Angus"), setting("reaction_seconds", "30"))
    lines = await field.ask(ANNA, Shoot("Hammer", "Tracker", 12))
    assert "bo: choose your AROs (30 seconds)." in lines


async def test_the_clock_of_the_journal_ends_the_wait_also_after_a_restart(file: Path) -> None:
    now = [1_700_000_000_000]
    source = seeds()
    for restart in (False, True):
        async with open_desk(database_url(str(file)), lambda: next(source), lambda: now[0]) as desk:
            table = Table(desk, file)
            if restart:
                import itertools

                table.interactions = itertools.count(20_001)
                table.actor(ANNA), table.actor(BO)
                field = Field(table)
                said = await field.refused(ANNA, Resolve())
                assert "Wait for bo to choose AROs (1 second left)." in said
                now[0] += 1000
                lines = await field.ask(ANNA, Resolve(), 20, 20, 19, 8)
                assert "Tracker dodges and can move up to 2 in." in lines
            else:
                field = await Field.open(table)
                await field.ask(ANNA, Shoot("Angus", "Tracker", 12))
                now[0] += 59_000


async def test_the_panel_tells_what_is_under_way(field: Field) -> None:
    await field.arrange(profile("Angus", "Angus: BS 12, CC 12, PH 10, WIP 12, W 2; Rifle B3 DAM 13"))
    await field.arrange(hurt("Angus", 1), under("prone", "Hammer"))
    encounter = await field.table.encounter()
    lines = game_of(encounter).panel(encounter).lines
    assert lines[:3] == ("INFINITY  round 1 of 3", "Vanguard's turn", "Orders: 6 in Group 1")
    assert "Wounded: Angus (1 of 2 W left)" in lines
    assert "Prone: Hammer" in lines
    assert all(len(line) <= 38 for line in lines)


# ---------------------------------------------------------------- Strategos, Combat Groups


LEADER = "BS 12, CC 12, PH 10, WIP 14, W 1, COST 20; Rifle B3 DAM 13; Skills Strategos L"


@pytest.mark.rule("INF-STR-03", "INF-STR-04", "INF-STR-05")
async def test_strategos_may_be_waived_before_the_reserves_are_deployed(table: Table) -> None:
    field = Field(table)
    await field.ask(ANNA, StartDemo("infinity"))
    await field.ask(BO, JoinEncounter("Nightfall"))
    await field.arrange(profile("Captain Reyes", LEADER + "2"), profile("Commander Voss", LEADER + "3"))
    await field.ask(ANNA, DiceMode("real"))
    lines = await field.ask(ANNA, NextStep(), 9, 2)
    assert "Troopers kept back to deploy last: 1 for Vanguard, 2 for Nightfall." in lines
    lines = await field.ask(BO, UseStrategos("", use=False))
    assert lines == [
        "Nightfall doesn't use Strategos L1.",
        "Troopers kept back to deploy last: 2 for Vanguard, 1 for Nightfall.",
    ]
    lines = await field.ask(ANNA, PlayFirst(1))
    assert "Nightfall chooses who deploys first and where." in lines
    assert "Troopers kept back to deploy last: 2 for Vanguard, 1 for Nightfall." in lines
    assert "1. The first player deploys everything except the troopers kept back. INF-DEP-02" in field.why


@pytest.mark.rule("INF-ORD-01")
async def test_the_eleventh_trooper_of_a_group_is_told_at_once(table: Table) -> None:
    field = Field(table)
    await field.ask(ANNA, StartEncounter("infinity"))
    assert "Enter the name of a side" in await field.refused(ANNA, AddModel("Angus"))
    lines = await field.ask(ANNA, AddModel("Angus", "Rook", "Watch", count=9))
    assert lines[0].startswith("Watch: Rook, Rook 2")
    lines = await field.ask(ANNA, AddModel("Wraith", "Ghost"))
    await field.ask(ANNA, Hide("Ghost", "hidden"))
    said = await field.refused(ANNA, AddModel("Doc Ruiz", "Doc", group=1))
    assert said == (
        "Choose another group. Combat Group 1 already has 10 troopers (at most 10).\n"
        "Rulebook: Orders (INF-ORD-01)."
    )
    lines = await field.ask(ANNA, AddModel("Doc Ruiz", "Doc"))
    assert lines[:2] == ["Watch: Doc.", "Combat Group: 2"]
    assert "at most 10" in await field.refused(ANNA, Regroup("Doc", 1))
    await field.ask(ANNA, Regroup("Rook", 2))
    await field.ask(ANNA, Regroup("Ghost", 3))
    assert field.answer.reply.private
    lines = await field.ask(ANNA, Mine("Ghost"))
    assert lines[-1] == "Combat Group 3"
    lines = await field.ask(ANNA, AddModel("Angus", "Lynx", count=3))
    assert lines[:2] == ["Watch: Lynx, Lynx 2, Lynx 3.", "Combat Group 2: Lynx 3."], (
        "only who is one too many"
    )


async def test_groups_are_made_before_the_game_and_no_turn_is_refused_for_them(field: Field) -> None:
    assert "only change Combat Groups before the game.\nRulebook: Orders (INF-ORD-01)" in await field.refused(
        ANNA, Regroup("Angus", 2)
    )
    answer = await field.table.do(ANNA, Regroup("Angus", 2), reason="forgotten")
    assert answer.changed
    assert (await field.trooper("Angus")).group == 2
    full = AddModel("Angus", "Rook", group=1, count=10)
    assert "already has 5 troopers (at most 10)" in await field.refused(ANNA, full)
    await field.table.done(ANNA, full, reason="a big fight")
    await field.ask(ANNA, NextStep())
    lines = await field.ask(BO, NextStep())
    assert "Orders: 15 in Group 1, 1 in Group 2" in lines


@pytest.mark.rule("INF-LOL-03")
async def test_who_cannot_be_lieutenant_is_not_made_one_by_the_bot(table: Table) -> None:
    field = Field(table)
    await field.ask(ANNA, StartEncounter("infinity"))
    await field.ask(ANNA, AddModel("Brute", side="Watch"))
    assert "Lieutenant: not chosen yet" in await field.ask(ANNA, Mine())
    await field.ask(ANNA, AddModel("Angus"))
    assert "Lieutenant: Angus" in await field.ask(ANNA, Mine())


@pytest.mark.rule("INF-ORD-04")
async def test_the_second_skill_of_an_order_is_offered_where_it_goes_with_the_first(field: Field) -> None:
    async def offered(name: str) -> list[str]:
        looking = Looking((await field.table.loaded()).book(), field.table.actor(ANNA))
        number = (await field.trooper(name)).id
        form = build_form(looking, SpendOrder(reference_by_number(number)))
        return [choice.value for choice in next(one for one in form.controls if one.name == "skill").choices]

    movement = ["move", "stand or go prone"]
    assert await offered("Angus") == list(SKILL_PARTS)
    await field.spend(ANNA, SpendOrder("Angus", skill="reset"))
    assert await offered("Angus") == movement
    assert await offered("Hammer") == list(SKILL_PARTS), "the next Order is its first"
    await field.ask(ANNA, Resolve())
    await field.spend(ANNA, SpendOrder("Hammer"))
    assert await offered("Hammer") == [*movement, "reset", "other short skill"]


async def test_in_its_turn_a_side_is_told_who_may_begin_an_order(field: Field) -> None:
    """Between Orders nobody acts: a line names whoever may."""
    looking = Looking((await field.table.loaded()).book(), field.table.actor(ANNA))
    told = list(complete_line(looking, "sho", list_kinds(await field.table.encounter())))
    assert {"shoot", "shoot Captain Reyes"} <= set(told)
