"""Attacks and their AROs at the table: declared, answered in secret, resolved together."""

from __future__ import annotations

import pytest

from bot.games.infinity.attack_actions import Assault, Dodge, Fight, Shoot
from bot.games.infinity.debts import Fall, Guts, Prone
from bot.games.infinity.hiding_actions import Reveal
from bot.games.infinity.movement_actions import SpendOrder
from bot.games.infinity.reaction_actions import Aro
from bot.games.infinity.reaction_menu import KEEP, NOTHING, React, Resolve
from bot.games.infinity.recovery_actions import Heal, Reconnect
from bot.table.game import game_of
from bot.table.journal.history import Undo
from bot.table.realdice import EnterFaces
from bot.table.session.encounters import NextStep
from bot.table.session.models import DamageModel, RemoveModel
from bot.table.session.possible_actions import WhyNot, add_action_buttons
from tests.bot.infinity.field import ANNA, BO, Field, hurt, profile, under
from tests.bot.waited import waited_for

SHOT = Shoot("Angus", "Tracker", 12)


@pytest.mark.rule("INF-F2F-02", "INF-F2F-05", "INF-ARM-01")
async def test_a_shot_is_asked_answered_and_thrown_together(field: Field) -> None:
    lines = await field.ask(ANNA, SHOT)
    assert lines[0] == "Angus shoots at Tracker."
    assert "bo: choose your AROs (60 seconds)." in lines
    assert await field.offered(BO, "Tracker") == ["Shoot with Rifle", "Dodge", "Nothing"]
    lines = await field.react(BO, "Tracker", "shoot:Rifle", 3, 17, 15, 8)
    assert lines[0] == "Angus hits Tracker: 1 wound, unconscious."
    assert lines[1] == "1 hit, 1 critical"
    assert "Tracker misses Angus." in lines
    assert "Angus, BS 12 +3 = 15, 3 dice" in lines
    assert "dice: 3 cancelled, 17 miss, 15 critical" in lines
    assert (await field.trooper("Tracker")).has("unconscious")


async def test_who_left_play_during_its_order_is_not_who_more_is_about(field: Field) -> None:
    await field.ask(ANNA, SHOT)
    await field.ask(ANNA, RemoveModel("Angus"))
    encounter = await field.table.encounter()
    shown = add_action_buttons(encounter, game_of(encounter).panel(encounter))
    (more,) = (button for button in shown.buttons if button.label == "More...")
    assert not any("out of play" in line for line in await field.ask(ANNA, more.action))


async def test_a_critical_needs_no_save_and_asks_for_no_dice(field: Field) -> None:
    await field.ask(ANNA, SHOT)
    lines = await field.react(BO, "Tracker", "nothing:", 15, 20, 20)
    assert lines[0] == "Angus hits Tracker: 1 wound, unconscious."


@pytest.mark.rule("INF-ROLL-06", "INF-F2F-07", "INF-TRX-02", "INF-TRX-03", "INF-TRX-04", "INF-TRX-01")
async def test_total_reaction_answers_with_the_whole_burst(field: Field) -> None:
    await field.ask(ANNA, NextStep())
    # Rifle -3 at 20 in: BS 9; the HMG has +3: BS 14, as in the ledger's example
    await field.arrange(
        profile("Leaper", "Leaper: BS 12, ARM 1, W 2, TYPE MI; Rifle B3 DAM 13 RANGE 16:0 32:-3")
    )
    lines = await field.ask(BO, Shoot("Leaper", "Sentry", 20))
    assert "anna: choose your AROs (60 seconds)." in lines
    lines = await field.react(ANNA, "Sentry", "shoot:HMG", 3, 17, 8, 2, 14, 13, 20, 20)
    assert lines[0] == "Sentry hits Leaper: 1 wound, 1 of 2 W left."
    assert lines[1] == "2 hits, 1 critical, 1 saved"
    assert "Leaper misses Sentry." in lines
    assert "2 cancelled, 14 critical, 13 success, 20 miss" in " ".join(" ".join(lines).split())
    assert "Total Reaction: the trooper uses its full Burst in ARO. INF-TRX-01" in field.why


@pytest.mark.rule("INF-F2F-07")
async def test_without_it_an_aro_is_one_die(field: Field) -> None:
    await field.ask(ANNA, SHOT)
    lines = await field.react(BO, "Tracker", "shoot:Rifle", 20, 20, 19, 16)
    assert "Tracker, BS 12 +3 = 15, 1 die" in lines
    assert lines[:2] == ["Angus misses Tracker.", "Tracker misses Angus."]


async def test_a_choice_is_secret_until_all_have_chosen(field: Field) -> None:
    await field.ask(ANNA, Shoot("Hammer", "Morph", 20, dice=2, target2="Brute", distance2=30))
    lines = await field.choose(BO, "Morph", "dodge:")
    assert lines[0] == "Morph: Dodge."
    assert "dodge" not in " ".join(field.heard).lower().replace("the target dodges if it can", "")
    encounter = await field.table.encounter()
    shown = "\n".join(game_of(encounter).panel(encounter).lines)
    assert "dodge" not in shown.lower()
    assert waited_for(encounter) == "Waiting for bo to choose AROs (60 seconds)."
    await field.choose(BO, "Brute", "nothing:")
    lines = await field.ask(BO, Resolve(rest="nothing"))
    assert lines == [
        "ARO: Morph dodges.",
        "bo's other troopers don't react.",
        "anna: declare a second Skill, or press Done.",
    ]
    lines = await field.ask(ANNA, Resolve(), 20, 20, 5, 20, 20)
    assert "Morph dodges and can move up to 2 in." in lines


async def test_a_choice_may_be_changed_until_all_have_chosen_and_then_stands(field: Field) -> None:
    await field.ask(ANNA, Shoot("Hammer", "Morph", 20, dice=2, target2="Brute", distance2=30))
    await field.choose(BO, "Morph", "dodge:")
    await field.choose(BO, "Morph", "shoot:Combi Rifle")
    lines = await field.ask(BO, Resolve(rest="nothing"))
    assert lines[0] == "ARO: Morph shoots with Combi Rifle, 20 in."
    encounter = await field.table.encounter()
    number = encounter.find_model("Morph").id
    assert "AROs to this Order have already been declared" in await field.refused(
        BO, React(0, number, "dodge:")
    )
    assert "AROs to this Order have already been declared" in await field.refused(BO, Aro("Brute", "dodge"))


async def test_only_who_plays_the_trooper_chooses(field: Field) -> None:
    await field.ask(ANNA, SHOT)
    encounter = await field.table.encounter()
    number = encounter.find_model("Tracker").id
    assert "Only bo can react to this Order." in await field.refused(ANNA, React(0, number, "nothing:"))
    by_force = await field.table.do(ANNA, React(0, number, "nothing:"), reason="he is away")
    assert not by_force.changed
    assert by_force.reply.private
    assert "Only bo can react" in await field.refused("cleo", React(0, number, "dodge:"))
    assert "Only bo can react" in await field.refused("cleo", React(0))
    assert "Only bo can react" in await field.refused("cleo", Resolve(rest="nothing"))
    assert "Only bo can react" in await field.refused(ANNA, Resolve(rest="nothing"))
    closed = await field.table.do(ANNA, Resolve(rest="nothing"), reason="he is away")
    assert not closed.changed
    assert "Tracker: Shoot with Rifle, Dodge, Nothing" in await field.refused(
        BO, React(0, number, "fight:Knife")
    )


async def test_undo_takes_the_choices_back_with_the_dice_and_the_same_dice_come_again(field: Field) -> None:
    from bot.table.rolling.dice_settings import DiceMode

    await field.ask(ANNA, DiceMode("bot"))
    await field.ask(BO, DiceMode("bot"))
    await field.ask(ANNA, SHOT)
    first = await field.react(BO, "Tracker", "dodge:")
    await field.ask(ANNA, Undo())
    again = await field.ask(ANNA, Resolve())
    assert again[:-1] == first
    assert again[-1].startswith("These are the same dice as in the undone roll")
    await field.agreed(ANNA, Undo(2))
    other = await field.react(BO, "Tracker", "nothing:")
    assert other[-1] == "These are new dice; another roll was undone before this one."


@pytest.mark.rule("INF-BS-03")
async def test_beyond_the_last_band_nothing_is_spent(field: Field) -> None:
    assert (
        "is 49 in away, but Combi Rifle only reaches 48 in.\nRulebook: BS Attacks (INF-BS-03)"
        in await field.refused(ANNA, Shoot("Angus", "Tracker", 49))
    )
    assert await field.counter(1, "regular_orders_1") == 6


async def test_an_order_of_somebody_who_is_taken_out_comes_to_nothing(field: Field) -> None:
    await field.ask(ANNA, SHOT)
    assert "Finish the Order under way first" in await field.refused(ANNA, DamageModel("Angus"))
    await field.arrange(under("unconscious", "Angus"), hurt("Angus", 1))
    lines = await field.react(BO, "Tracker", "nothing:")
    assert lines[0] == "Angus can no longer act, so its Order is lost."
    await field.ask(ANNA, SpendOrder("Hammer"))


async def test_bad_values_are_refused_with_the_reason(field: Field) -> None:
    assert "Distance must be between 0 and 200 (you entered 300)." in await field.refused(
        ANNA, Shoot("Angus", "Tracker", 300)
    )
    assert "1 to 3 dice for the first target (you entered 60)" in await field.refused(
        ANNA, Shoot("Angus", "Tracker", 9, dice=60)
    )
    assert "Mode: direct, speculative, triangulated." in await field.refused(
        ANNA, Shoot("Angus", "Tracker", 9, mode="wild")
    )
    assert "Choose a weapon that" in await field.refused(ANNA, Shoot("Angus", "Tracker", 9, weapon="HMG"))
    assert "on your side" in await field.refused(ANNA, Shoot("Angus", "Hammer", 9))
    assert "Sensor skill" in await field.refused(ANNA, Shoot("Angus", "Tracker", 9, mode="triangulated"))
    assert "needs Assault or Berserk" in await field.refused(ANNA, Assault("Angus", "Tracker", 6))
    assert "is not yours; bo controls this model" in await field.refused(ANNA, Shoot("Tracker", "Angus", 9))
    assert "at least one die for each target" in await field.refused(
        ANNA, Shoot("Angus", "Tracker", 9, dice=3, target2="Brute", distance2=9)
    )


@pytest.mark.rule("INF-BS-07")
async def test_speculative_fire(field: Field) -> None:
    await field.ask(ANNA, Shoot("Angus", "Tracker", 8, cover=True, mode="speculative"))
    lines = await field.react(BO, "Tracker", "dodge:", 9, 20)
    assert "Angus, BS 12 -3 = 9, 1 die" in lines
    assert "-6 speculative fire INF-BS-07" in field.why
    # Sixth Sense within 8 in: no MOD for reacting without line of fire
    assert "Tracker, PH 11, 1 die" in lines


@pytest.mark.rule("INF-TRI-02")
async def test_triangulated_fire_ignores_everything(field: Field) -> None:
    await field.ask(ANNA, NextStep())
    await field.ask(BO, Shoot("Tracker", "Angus", 40, cover=True, mode="triangulated"))
    lines = await field.react(ANNA, "Angus", "nothing:", 10, 11, 12)
    assert "Tracker, BS 12 -3 = 9, 3 dice" in lines
    assert lines[0] == "Tracker misses Angus."


@pytest.mark.rule("INF-SIX-02")
async def test_shot_from_behind_only_sixth_sense_answers(field: Field) -> None:
    await field.ask(ANNA, Shoot("Angus", "Tracker", 6, unseen=True))
    assert "Shoot with Rifle" in await field.offered(BO, "Tracker")
    await field.react(BO, "Tracker", "shoot:Rifle", 20, 20, 20, 19)
    assert "Sixth Sense L1: the trooper reacts to an unseen enemy. INF-SIX-02" in field.why
    await field.ask(ANNA, Shoot("Angus", "Morph", 6, unseen=True))
    assert await field.offered(BO, "Morph") == ["Change Facing", "Nothing"]


@pytest.mark.rule("INF-ORD-05")
async def test_time_runs_out_only_after_the_seconds(field: Field) -> None:
    await field.ask(ANNA, SHOT)
    said = await field.refused(ANNA, Resolve())
    assert "Wait for bo to choose AROs (60 seconds left)." in said
    assert "Wait for bo to choose AROs (60 seconds left)." in await field.refused(ANNA, Resolve(rest="time"))
    assert "Wait for bo to choose AROs" in await field.refused(ANNA, SpendOrder("Hammer"))
    assert "Wait for bo to choose AROs" in await field.refused(ANNA, NextStep())
    assert "Wait for bo to choose AROs" in await field.refused(ANNA, NextStep(asks=True)), (
        "no question before it"
    )
    lines = await field.pass_on(BO, 20, 20, 20)
    assert lines[0] == "Angus misses Tracker."


async def test_an_aro_nobody_asked_for_is_a_normal_roll(field: Field) -> None:
    await field.ask(ANNA, SpendOrder("Angus"))
    lines = await field.ask(BO, Aro("Morph", "shoot", 12))
    assert field.answer.reply.private
    assert lines[0] == "Morph: shoot (Combi Rifle)."
    lines = await field.pass_on(BO, 5, 3)
    assert lines[0] == "Morph hits Angus: 1 wound, unconscious."
    assert "Normal Rolls INF-F2F-01" in field.why


@pytest.mark.rule("INF-ORD-06")
async def test_no_aro_without_line_of_fire_beyond_eight_inches(field: Field) -> None:
    await field.ask(ANNA, SpendOrder("Angus"))
    far = Aro("Morph", "change facing", 9, unseen=True)
    assert "more than 8 in away.\nRulebook: Orders (INF-ORD-05)" in await field.refused(BO, far)
    await field.ask(BO, Aro("Morph", "change facing", 8, unseen=True))
    lines = await field.pass_on(BO, 9)
    assert "Morph turns to face Angus." in lines


@pytest.mark.rule("INF-ORD-05", "INF-ORD-07", "INF-SIX-06")
async def test_sixth_sense_holds_its_aro_others_may_not(field: Field) -> None:
    await field.ask(ANNA, SpendOrder("Angus"))
    assert (
        "with Sixth Sense against an enemy within 8 in.\nRulebook: Orders (INF-ORD-07)"
        in await field.refused(BO, Aro("Morph", "wait", 6))
    )
    await field.ask(BO, Aro("Tracker", "wait", 6, unseen=True))
    assert field.answer.reply.private
    lines = await field.ask(BO, Resolve())
    assert lines[0] == "Tracker delays its ARO, 6 in, no line of fire."
    lines = await field.ask(ANNA, Resolve())
    assert lines[0] == "Delayed AROs have to be declared now."
    assert await field.offered(BO, "Tracker") == ["Change Facing", "Nothing"]
    lost = await field.refused(BO, Aro("Morph", "change facing", 6, unseen=True))
    assert lost.startswith(
        "Choose another trooper. Morph can't react to the second Skill because it could have reacted to the"
        " first."
    )
    lines = await field.react(BO, "Tracker", "change facing::6", 8)
    assert "Tracker turns to face Angus." in lines


@pytest.mark.rule("INF-ORD-07")
async def test_waiting_for_a_marker_that_stays_one_loses_the_aro(field: Field) -> None:
    await field.ask(ANNA, NextStep())
    await field.ask(BO, SpendOrder("Prowler"))
    await field.ask(ANNA, Aro("Angus", "wait", 12))
    await field.ask(ANNA, Resolve())
    lines = await field.ask(BO, Resolve())
    assert "Angus loses its delayed ARO." in lines


@pytest.mark.rule("INF-ORD-07", "INF-SS-02", "INF-SS-03")
async def test_waiting_for_a_marker_that_shows_itself(field: Field) -> None:
    await field.ask(ANNA, NextStep())
    await field.ask(BO, SpendOrder("Prowler"))
    await field.ask(ANNA, Aro("Angus", "wait", 12))
    await field.ask(ANNA, Resolve())
    lines = await field.ask(BO, Shoot("Camo Marker 1", "Angus", 12))
    assert lines[0] == "Prowler shoots at Angus."
    assert "Camo Marker 1 is revealed as Prowler." in lines
    lines = await field.react(ANNA, "Angus", "shoot:Combi Rifle", 20, 20, 10)
    # 12 +3 range -3 camouflage -3 surprise
    assert "Angus, BS 12 -3 = 9, 1 die" in lines
    assert "-3 surprise shot INF-SS-03" in field.why
    assert (await field.trooper("Prowler")).has("surprise_used")


@pytest.mark.rule("INF-DOD-01", "INF-F2F-08")
async def test_one_dodge_against_every_aro(field: Field) -> None:
    await field.ask(ANNA, Dodge("Angus"))
    await field.ask(BO, Aro("Morph", "shoot", 12))
    await field.ask(BO, Aro("Leaper", "shoot", 12))
    lines = await field.pass_on(BO, 9, 10, 4, 20)
    assert "Angus, PH 10, 1 die" in lines
    assert lines[0] == "Morph hits Angus but causes no wound."
    assert "Leaper misses Angus." in lines
    assert "Angus' Dodge fails." in lines


@pytest.mark.rule("INF-CC-01", "INF-CCS-11", "INF-CCS-10")
async def test_close_combat_berserk_and_martial_arts(field: Field) -> None:
    await field.ask(ANNA, NextStep())
    assert "doesn't have Martial Arts L5" in await field.refused(BO, Fight("Brute", "Angus", martial_arts=5))
    assert 'Untick "Use Berserk".' in await field.refused(BO, Fight("Tracker", "Angus", berserk=True))
    await field.ask(BO, Fight("Brute", "Angus", berserk=True))
    assert await field.offered(ANNA, "Angus") == ["Fight with Knife", "Dodge", "Nothing"]
    lines = await field.react(ANNA, "Angus", "fight:Knife", 4, 13, 20)
    assert "Brute, CC 20 +6 = 26, 1 die" in lines
    assert "dice: 4+6 success" in lines
    assert lines[0].startswith("Angus hits Brute: 1 wound, unconscious")
    assert (await field.trooper("Angus")).has("close_combat") is False


@pytest.mark.rule("INF-WND-05")
async def test_coup_de_grace_needs_no_roll(field: Field) -> None:
    await field.arrange(under("unconscious", "Tracker"), hurt("Tracker", 1))
    lines = await field.ask(ANNA, Fight("Angus", "Tracker"))
    assert lines[:2] == [
        "Angus uses Coup de Grace on Tracker.",
        "No roll is needed, because the enemy is helpless.",
    ]
    assert not (await field.trooper("Tracker")).has("dead")
    lines = await field.pass_on(BO)
    assert lines[0] == "Angus kills Tracker with Coup de Grace."
    assert (await field.trooper("Tracker")).has("dead")


@pytest.mark.rule("INF-ASL-02", "INF-ASL-06", "INF-ASL-04")
async def test_assault_is_measured_before_the_aros(field: Field) -> None:
    await field.ask(ANNA, NextStep())
    lines = await field.ask(BO, Assault("Leaper", "Angus", 10.1))
    assert lines[0] == "Leaper declares an Assault and falls short (distance 10.1 in, charge up to 10 in)."
    assert "anna: choose your AROs (60 seconds)." in lines
    await field.pass_on(ANNA)
    lines = await field.ask(BO, Assault("Leaper", "Angus", 10))
    assert lines[0] == "Leaper assaults Angus (distance 10 in, charge up to 10 in)."
    assert (await field.offered(ANNA, "Angus"))[0] == "Shoot with Combi Rifle"
    lines = await field.react(ANNA, "Angus", "fight:Knife", 12, 5, 20)
    assert "Leaper, CC 16 -3 = 13, 1 die" in lines


# ---------------------------------------------------------------- what follows


@pytest.mark.rule("INF-GUT-01", "INF-GUT-02", "INF-GUT-03", "INF-VAL-01")
async def test_guts_is_owed_once_and_may_be_failed(field: Field) -> None:
    await field.ask(ANNA, SHOT)
    lines = await field.react(BO, "Tracker", "nothing:", 3, 20, 20, 19)
    assert lines[0] == "Angus hits Tracker but causes no wound."
    assert "Tracker must make a Guts Roll against WIP 14." in lines
    assert field.labels[:2] == ["Guts Roll: Tracker", "Fail Guts Roll: Tracker"]
    assert "needs Valor L1" in await field.refused(BO, Guts("Tracker", "pass"))
    assert "is not yours" in await field.refused(ANNA, Guts("Tracker"))
    decided = await field.ask(BO, Guts("Tracker", "fail", odds=True))
    assert decided[0] == "Tracker chooses to fail its Guts Roll, so nothing is rolled."
    assert not [line for line in decided if "WIP" in line]
    lines = await field.ask(BO, Guts("Tracker"), 15)
    assert lines[0] == "Tracker fails its Guts Roll."
    assert "Go Prone: Tracker" in field.labels
    await field.ask(BO, Prone("Tracker"))
    assert (await field.trooper("Tracker")).has("prone")
    assert "doesn't have to make a Guts Roll" in await field.refused(BO, Guts("Tracker"))


@pytest.mark.rule("INF-GUT-04")
async def test_who_is_attacked_in_base_contact_owes_no_guts_roll(field: Field) -> None:
    await field.ask(ANNA, Fight("Hammer", "Leaper"))
    lines = await field.react(BO, "Leaper", "nothing:", 4, 4)
    assert lines[0] == "Hammer hits Leaper: 1 wound, 1 of 2 W left."
    assert not [line for line in lines if "Guts" in line]
    assert (await field.trooper("Leaper")).has("close_combat")
    # Sentry fights it too and falls: Hammer still holds it
    await field.arrange(under("close_combat", "Sentry", value=(await field.trooper("Leaper")).id))
    await field.arrange(under("close_combat", "Leaper", value=(await field.trooper("Sentry")).id))
    await field.ask(ANNA, NextStep())
    await field.ask(BO, Shoot("Morph", "Sentry", 12))
    await field.react(ANNA, "Sentry", "nothing:", 14, 20, 20)
    assert (await field.trooper("Sentry")).is_null
    assert (await field.trooper("Leaper")).has("close_combat")
    assert (await field.trooper("Hammer")).has("close_combat")


@pytest.mark.rule("INF-VAL-04", "INF-VAL-06", "INF-VAL-13")
async def test_dogged_is_chosen_when_it_falls_and_ends_with_the_turn(field: Field) -> None:
    await field.ask(ANNA, Shoot("Angus", "Brute", 12))
    lines = await field.react(BO, "Brute", "nothing:", 15, 20, 20)
    assert lines[0] == "Angus hits Brute: 1 wound, unconscious."
    assert "Dogged: Brute" in field.labels
    await field.press(BO, "Dogged: Brute")
    brute = await field.trooper("Brute")
    assert brute.has("dogged")
    assert not brute.has("unconscious")
    assert not brute.has("prone")
    await field.press(BO, "Pass Guts Roll: Brute")
    lines = await field.ask(ANNA, NextStep())
    assert "Brute dies now, because it was Dogged." in lines
    assert (await field.trooper("Brute")).has("dead")


@pytest.mark.rule("INF-VAL-09", "INF-VAL-13")
async def test_nwi_is_announced_then_or_never(field: Field) -> None:
    await field.ask(ANNA, Shoot("Angus", "Commander Voss", 12))
    await field.react(BO, "Commander Voss", "nothing:", 15, 20, 20)
    assert "NWI: Commander Voss" in field.labels
    await field.press(BO, "Stay down: Commander Voss")
    await field.spend(ANNA, SpendOrder("Hammer"))
    late = Fall("Commander Voss", "no_wound_incapacitation")
    assert "hasn't just gone down.\nRulebook: Valor (pages 97 and 98; INF-VAL-13)" in await field.refused(
        BO, late
    )


@pytest.mark.rule("INF-TRA-01", "INF-TRA-02", "INF-TRA-03")
async def test_transmutation_carries_the_excess_over(field: Field) -> None:
    await field.ask(ANNA, Shoot("Angus", "Morph", 12))
    lines = await field.react(BO, "Morph", "nothing:", 15, 3, 20, 2)
    assert lines[0] == "Angus hits Morph: 2 wounds, 1 of 2 W left."
    assert "Morph switches to its other profile." in lines
    assert (await field.trooper("Morph")).current.cc == 20


@pytest.mark.rule("INF-SHA-01")
async def test_a_spawn_embryo_is_no_choice(field: Field) -> None:
    await field.ask(ANNA, Shoot("Angus", "Seedling", 12))
    lines = await field.react(BO, "Seedling", "nothing:", 15, 20, 20)
    assert lines[0] == "Angus hits Seedling: 1 wound, spawn embryo."


@pytest.mark.rule("INF-ISO-03")
async def test_only_who_is_isolated_is_reconnected(field: Field) -> None:
    assert "Choose an Isolated trooper. Hammer isn't Isolated." in await field.refused(
        ANNA, Reconnect("Doc Ruiz", "Hammer")
    )


@pytest.mark.rule("INF-WND-02")
async def test_who_lies_unconscious_has_no_aro(field: Field) -> None:
    await field.arrange(under("unconscious", "Tracker"), hurt("Tracker", 1))
    await field.ask(ANNA, SpendOrder("Angus"))
    assert "Tracker can't act in its current state." in await field.refused(BO, Aro("Tracker", "dodge"))


@pytest.mark.rule("INF-WND-04", "INF-ISO-03")
async def test_doctor_and_engineer(field: Field) -> None:
    await field.arrange(under("unconscious", "Angus"), hurt("Angus", 1), under("isolated", "Hammer"))
    assert "You need a Doctor here" in await field.refused(ANNA, Heal("Angus", "Doc Ruiz", "engineer"))
    await field.ask(ANNA, Heal("Angus", "Doc Ruiz"))
    lines = await field.pass_on(BO, 13)
    assert lines[0] == "Angus is healed."
    assert not (await field.trooper("Angus")).has("unconscious")
    await field.ask(ANNA, Reconnect("Doc Ruiz", "Hammer"))
    lines = await field.pass_on(BO, 14)
    assert lines[0] == "Hammer stays Isolated."
    await field.ask(ANNA, Reconnect("Doc Ruiz", "Hammer"))
    await field.pass_on(BO, 2)
    assert not (await field.trooper("Hammer")).has("isolated")


@pytest.mark.rule("INF-WND-04", "INF-ISO-03", "INF-ASL-01")
async def test_what_an_organiser_lets_pass_is_rolled(field: Field) -> None:
    await field.arrange(under("unconscious", "Angus"), hurt("Angus", 1), under("isolated", "Angus"))
    for action in (Heal("Angus", "Hammer"), Reconnect("Hammer", "Angus")):
        assert "You need a" in await field.refused(ANNA, action)
        declared = await field.table.do(ANNA, action, reason="agreed")
        assert "Override by anna: agreed" in declared.reply.text
        await field.pass_on(BO, 1)
    charged = await field.table.do(ANNA, Assault("Hammer", "Tracker", 1), reason="agreed")
    assert not charged.changed
    assert "Rulebook: Assault (page 99; INF-ASL-01)." in charged.reply.text


async def test_a_failed_healing_roll_kills(field: Field) -> None:
    await field.arrange(under("unconscious", "Angus"), hurt("Angus", 1))
    await field.ask(ANNA, Heal("Angus", "Doc Ruiz"))
    lines = await field.pass_on(BO, 14)
    assert lines[0] == "The healing roll fails, and Angus dies."


@pytest.mark.rule("INF-F2F-07", "INF-F2F-08")
async def test_a_burst_is_divided_among_as_many_targets_as_it_has_dice(field: Field) -> None:
    many = Shoot(
        "Hammer", "Tracker", 40, dice=1, target2="Morph", distance2=20, more="Leaper 20 1, Brute 20 1 cover"
    )
    lines = await field.ask(ANNA, many)
    assert lines[0] == "Hammer shoots at Tracker, Morph, Brute and Leaper."
    assert "Brute 20 in, 1 die, in cover" in " ".join(lines)
    # 40 in: -3, 20 in: +3, cover -3
    lines = await field.pass_on(BO, 11, 17, 14, 17)
    for shown in ("BS 13 -3 = 10, 1 die", "BS 13 +3 = 16, 1 die", "BS 13, 1 die"):
        assert [line for line in lines if shown in line], shown
    third = Shoot("Angus", "Tracker", 12, more="Morph 12 1, Leaper 12 2")
    assert "at least one die for each target" in await field.refused(ANNA, third)
    assert "each target only once" in await field.refused(
        ANNA, Shoot("Angus", "Tracker", 9, more="Tracker 9 1")
    )
    assert '"Brute 22 1" or "Leaper 18 1 cover unseen"' in await field.refused(
        ANNA, Shoot("Angus", "Tracker", 9, more="Brute")
    )


@pytest.mark.rule("INF-CCS-10", "INF-CCS-09", "INF-CC-02")
async def test_martial_arts_and_allies_in_contact_come_from_profile_and_table(field: Field) -> None:
    leaper = (await field.trooper("Leaper")).id
    text = "Angus: CC 13, PH 10, WIP 12, W 1; Knife CC B1 DAM PH; Skills Martial Arts L3, Berserk"
    await field.arrange(profile("Angus", text), under("close_combat", "Hammer", "Doc Ruiz", value=leaper))
    lines = await field.ask(ANNA, Fight("Angus", "Leaper"))
    assert "Knife, Martial Arts L3, 2 allies in contact" in lines
    # L3: +3 to the own roll; one die for each ally; a Berserk target would roll for itself
    lines = await field.react(BO, "Leaper", "nothing:", 20, 20, 20)
    assert "Angus, CC 13 +3 = 16, 3 dice" in lines
    await field.ask(ANNA, Fight("Angus", "Leaper", martial_arts=0, allies=0, berserk=True))
    lines = await field.react(BO, "Leaper", "nothing:", 20)
    assert "Angus, CC 13 +6 = 19, 1 die" in lines
    assert "berserk: Both sides make Normal Rolls. INF-CCS-09" in field.why


@pytest.mark.rule("INF-DOD-01", "INF-F2F-08")
async def test_a_dodge_is_weighed_against_the_aros_that_are_declared(field: Field) -> None:
    assert "There is no ARO to dodge" in await field.refused(ANNA, Dodge("Angus", odds=True))
    await field.ask(ANNA, SpendOrder("Angus"))
    await field.ask(BO, Aro("Morph", "shoot", 12))
    await field.ask(BO, Resolve(rest="nothing"))
    lines = await field.ask(ANNA, Dodge("Angus", odds=True))
    assert field.answer.reply.private
    assert lines[:2] == ["Angus dodges Morph", "PH 10, 1 die"]
    # a Dodge that fails (1/2): 13/20 x 12/20 + a Critical 1/20 = 0.44; one of 1 to 9 (9/20): on average
    # 8/20 x 12/20 + 1/20 = 0.29; its Critical (1/20) lets nothing through: 0.22 + 0.1305
    assert "goes down  35% #######" in lines
    lines = await field.press(ANNA, "Dodge", 10, 14)
    assert "Angus dodges." in lines or "Angus' Dodge fails." in lines


@pytest.mark.rule("INF-DOD-03", "INF-TER-02", "INF-DOD-05")
async def test_reactive_moves_on_bad_ground_are_one_inch(field: Field) -> None:
    await field.ask(ANNA, SHOT)
    await field.ask(BO, Aro("Tracker", "dodge", ground="difficult"))
    lines = await field.pass_on(BO, 20, 20, 20, 5)
    assert "Tracker dodges and can move up to 1 in." in lines
    await field.ask(ANNA, SpendOrder("Angus"))
    near = Aro("Morph", "engage", 2, ground="very difficult")
    assert "Choose another ARO. You can only Engage an enemy within 1 in." in await field.refused(BO, near)
    await field.ask(BO, Aro("Morph", "change facing", 20, unseen=True, alerted=True))


@pytest.mark.rule("INF-TER-03", "INF-TER-02")
async def test_what_an_order_moves_on_bad_ground(field: Field) -> None:
    lines = await field.spend(ANNA, SpendOrder("Hammer", ground="very difficult"))
    assert lines[0] == "Hammer moves up to 2 in."
    said = await field.refused(ANNA, SpendOrder("Hammer"))
    assert said == (
        "You can use only one Short Movement Skill per Order in Very Difficult Terrain.\n"
        "Rulebook: Terrain (page 96; INF-TER-03)."
    )
    await field.ask(ANNA, Resolve())
    await field.spend(ANNA, SpendOrder("Hammer", ground="difficult"))
    lines = await field.ask(ANNA, SpendOrder("Hammer", ground="difficult"))
    assert lines[0] == "Hammer moves up to 2 in as its second Skill."


@pytest.mark.rule("INF-DOD-05")
async def test_who_engages_is_in_contact_until_the_enemy_falls(field: Field) -> None:
    await field.ask(ANNA, SpendOrder("Angus"))
    await field.choose(BO, "Morph", "engage::2")
    lines = await field.pass_on(BO, 12)
    assert lines[0] == "Morph engages Angus."
    assert (await field.trooper("Angus")).has("close_combat")
    await field.ask(ANNA, NextStep())
    await field.ask(BO, Fight("Morph", "Angus"))
    # a Critical takes the one Wound
    await field.react(ANNA, "Angus", "nothing:", 15)
    assert (await field.trooper("Angus")).is_null
    assert not (await field.trooper("Morph")).has("close_combat")


@pytest.mark.rule("INF-ASL-06")
async def test_odds_of_an_assault_that_falls_short_tell_that_it_only_moves(field: Field) -> None:
    text = "Angus: MOV 4-4, CC 13, BS 12, PH 10, WIP 12, W 1; Knife CC B1 DAM PH-1; Skills Assault"
    await field.arrange(profile("Angus", text))
    lines = await field.ask(ANNA, Assault("Angus", "Morph", 9, odds=True))
    assert lines[:2] == [
        "Angus declares an Assault and falls short (distance 9 in, charge up to 8 in).",
        "It moves along its path and doesn't attack.",
    ]
    assert lines[-1] == "No dice were rolled."
    assert field.labels == ["Assault", "Compare", "Change..."]


@pytest.mark.rule("INF-SS-02")
async def test_who_was_a_marker_when_activated_surprises_though_it_has_shown_itself(field: Field) -> None:
    await field.ask(ANNA, NextStep())
    await field.ask(BO, SpendOrder("Prowler"))
    await field.ask(ANNA, Resolve(rest=KEEP))
    await field.ask(BO, Reveal("Prowler"))
    odds = await field.ask(BO, Shoot("Prowler", "Angus", 12, odds=True))
    # BS 12 and -3 Surprise Shot L1: the Combi Rifle's +3 at 12 in, camouflage -3
    assert "Angus, BS 12 -3 = 9, 1 die" in odds
    lines = await field.ask(BO, Shoot("Prowler", "Angus", 12))
    assert "It attacks from hiding, so this is a Surprise Shot." in lines


async def test_whose_weapon_is_asked_about_in_one_spelling(field: Field) -> None:
    await field.ask(ANNA, Shoot("Angus", "Tracker", 12))
    await field.table.do(BO, Resolve(rest=NOTHING))
    asked = await field.table.do(ANNA, Resolve())
    assert "for Angus' Combi Rifle against Tracker" in asked.reply.lines[0]
    hit = await field.table.do(ANNA, EnterFaces((5, 6, 20)))
    assert "Tracker's ARM Rolls against Angus' Combi Rifle." in hit.reply.lines[0]


@pytest.mark.rule("INF-WND-04", "INF-ISO-03")
async def test_who_is_no_doctor_reads_so_and_not_that_nobody_needs_one(field: Field) -> None:
    async def why(name: str, what: str) -> str:
        lines = await field.ask(ANNA, WhyNot(f"#{(await field.trooper(name)).id}"))
        told = " ".join(" ".join(lines).split())
        return next(part for part in told.split(". ") if f"{what}: " in part)

    assert await why("Hammer", "Heal") == "Heal: You need a Doctor that can act and is in base contact"
    assert (
        await why("Hammer", "Reconnect")
        == "Reconnect: You need an Engineer that can act and is in base contact"
    )
    assert "Choose an Unconscious trooper" in await why("Doc Ruiz", "Heal")
