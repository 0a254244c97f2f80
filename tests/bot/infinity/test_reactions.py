"""Who is asked for AROs, when, and what nobody learns before all have chosen."""

from __future__ import annotations

import pytest

from bot.actions import Action
from bot.games.infinity.attack_actions import Assault, Dodge, Fight, Shoot
from bot.games.infinity.debts import Fall, FallLate, Guts, Prone
from bot.games.infinity.hiding_actions import Hide, Reveal
from bot.games.infinity.movement_actions import FallDown, SpendOrder
from bot.games.infinity.order_rows import order_of, reactions_of
from bot.games.infinity.reaction_actions import Aro
from bot.games.infinity.reaction_menu import KEEP, NOTHING, TIME, React, Resolve
from bot.games.infinity.recovery_actions import Heal, Reconnect
from bot.games.infinity.search_actions import Discover, Sensor
from bot.table.act import ANY_PLAYER, ENTERED_BY
from bot.table.asking.kinds import Asking
from bot.table.asking.offering import foe
from bot.table.encounter import OVER, Encounter
from bot.table.game import game_of
from bot.table.journal.history import Undo
from bot.table.journal.log import ShowLog
from bot.table.session.encounters import NextStep, ShowEncounter
from bot.table.session.models import AddCondition, DamageModel, NoteModel, RemoveModel
from bot.table.session.settings import Settings
from rules.systems.infinity.states import State
from tests.bot.heads import short_head
from tests.bot.infinity.field import ANNA, BO, Field, hurt, profile, under
from tests.bot.tables import Table, all_lines, waits
from tests.bot.waited import waited_for

OUT = (under("unconscious", "Tracker"), hurt("Tracker", 1))
"""Tracker lies on the ground."""


async def _orders_of_anna(field: Field) -> None:
    await field.arrange(*OUT, under("unconscious", "Doc Ruiz"), hurt("Doc Ruiz", 1))
    await field.arrange(under("isolated", "Hammer"))
    text = "Angus: MOV 4-4, CC 13, BS 12, PH 10, WIP 12, W 1; Rifle B3 DAM 13; Knife CC B1 DAM PH-1"
    await field.arrange(profile("Angus", f"{text}; Skills Assault, Sensor, Doctor, Engineer, CH: Camouflage"))


ORDERS: dict[str, Action] = {
    "a move": SpendOrder("Angus"),
    "a shot at a figure": Shoot("Angus", "Morph", 12),
    "a shot at who is out": Shoot("Angus", "Tracker", 12),
    "a shot at who has no choice": Shoot("Angus", "Morph", 12, unseen=True),
    "a Coup de Grace": Fight("Angus", "Tracker"),
    "a CC Attack": Fight("Angus", "Morph"),
    "an Assault that falls short": Assault("Angus", "Morph", 9),
    "an Assault": Assault("Angus", "Morph", 8),
    "a Dodge": Dodge("Angus"),
    "a Discover": Discover("Angus", "Camo Marker 1"),
    "a Sensor": Sensor("Angus"),
    "a Doctor": Heal("Doc Ruiz", "Angus"),
    "an Engineer": Reconnect("Angus", "Hammer"),
    "back into camouflage": Hide("Angus", "camouflaged", sensor=20),
    "a Reset": SpendOrder("Angus", skill="reset"),
}


@pytest.mark.rule("INF-ORD-05")
@pytest.mark.parametrize("order", ORDERS.values(), ids=list(ORDERS))
async def test_every_order_waits_for_whoever_may_react(field: Field, order: Action) -> None:
    await _orders_of_anna(field)
    lines = await field.ask(ANNA, order)
    assert "bo: choose your AROs (60 seconds)." in lines
    assert field.labels[:2] == ["React", "Nobody reacts"]
    encounter = await field.table.encounter()
    assert waited_for(encounter) == "Waiting for bo to choose AROs (60 seconds)."
    # neither the one who acts nor the next Order goes on before that
    assert "Wait for bo to choose AROs (60 seconds left)." in await field.refused(ANNA, Resolve())
    assert "Wait for bo to choose AROs" in await field.refused(ANNA, SpendOrder("Captain Reyes"))
    assert "Wait for bo to choose AROs" in await field.refused(ANNA, NextStep())
    for spoils in (RemoveModel("Morph"), AddCondition("Morph", "prone"), DamageModel("Morph", 9)):
        assert "Finish the Order under way first" in await field.refused(BO, spoils)
    # a bystander answers from the menu, who lies on the ground does not
    answer = await field.table.do(BO, React())
    names = [choice.label for choice in answer.reply.menus[-1].choices]
    assert {"Commander Voss", "Morph", "Prowler (Camo Marker 1)"} <= set(names)
    assert "Tracker" not in names
    await field.choose(BO, "Seedling", "shoot:Combi Rifle:16")
    faces = {"a shot at a figure": 3, "a shot at who is out": 3, "a shot at who has no choice": 3}
    thrown = faces.get(_name(order), 0)
    rolled = type(order) in (Discover, Sensor, Heal, Reconnect) or _name(order) in (
        "a CC Attack",
        "an Assault",
    )
    dice = (20,) * (1 if type(order) is Dodge else 0) + (20,) * (thrown + rolled)
    lines = await field.pass_on(BO, *dice, 20)
    assert "Seedling misses Angus." in lines


async def test_the_record_in_the_panel_tells_nobody_that_somebody_has_answered(field: Field) -> None:
    await _orders_of_anna(field)
    await field.ask(ANNA, SpendOrder("Angus"))
    before = short_head((await field.table.loaded()).scope)
    await field.choose(BO, "Seedling", "shoot:Combi Rifle:16")
    assert short_head((await field.table.loaded()).scope) == before != ""


async def test_one_person_who_enters_for_everybody_chooses_no_secret_reaction(field: Field) -> None:
    """What is secret stays its own side's, whatever the table has switched on."""
    await field.table.done(ANNA, Settings(ENTERED_BY, ANY_PLAYER))
    await field.ask(ANNA, Shoot("Angus", "Tracker", 12))
    before = field.table.state()
    for attempt in (Aro("Morph", "shoot", 12), React(0, 0, "")):
        await field.refused(ANNA, attempt)
    assert field.table.state() == before


def _name(order: Action) -> str:
    return next(name for name, one in ORDERS.items() if one is order)


@pytest.mark.rule("INF-ORD-05")
async def test_a_third_troopers_reaction_counts_though_the_target_has_chosen(field: Field) -> None:
    await field.ask(ANNA, Shoot("Angus", "Tracker", 12))
    await field.choose(BO, "Tracker", "dodge:")
    await field.choose(BO, "Morph", "shoot:Combi Rifle:8")
    lines = await field.ask(BO, Resolve(rest=NOTHING))
    assert lines[:2] == ["ARO: Tracker dodges.", "ARO: Morph shoots with Combi Rifle, up to 8 in."]
    act = await field.table.desk.look(field.table.actor(ANNA), Shoot("Angus"))
    assert act is not None
    offers = [one.value for one in foe(Asking(act, ""))]
    assert set(offers[:2]) == {"Tracker", "Morph"}, "who answers is the likely target"
    lines = await field.ask(ANNA, Resolve(), 20, 20, 20, 20, 13, 1)
    assert "Morph hits Angus: 1 wound, unconscious." in lines
    assert "Morph, BS 11 +3 = 14, 1 die" in lines


@pytest.mark.rule("INF-ORD-05")
async def test_who_let_the_move_pass_has_no_aro_to_the_shot(field: Field) -> None:
    await field.ask(ANNA, SpendOrder("Angus"))
    lines = await field.ask(BO, Resolve(rest=NOTHING))
    assert lines == ["bo's troopers don't react.", "anna: declare a second Skill, or press Done."]
    # the target could have reacted to the move: nobody is asked, the shot is not opposed
    lines = await field.ask(ANNA, Shoot("Angus", "Tracker", 12), 20, 20, 20)
    assert "Angus misses Tracker." in lines
    assert "Normal Rolls INF-F2F-01" in field.why


@pytest.mark.rule("INF-ORD-05")
async def test_who_could_not_react_to_the_move_may_react_to_the_shot(field: Field) -> None:
    await field.ask(ANNA, SpendOrder("Angus"))
    await field.choose(BO, "Morph", "nothing:")
    lines = await field.ask(BO, Resolve(rest=KEEP))
    assert lines[0] == "bo's troopers haven't been able to react yet."
    lines = await field.ask(ANNA, Shoot("Angus", "Tracker", 12))
    assert "bo: choose your AROs (60 seconds)." in lines
    # Morph saw the move and let it pass
    answer = await field.table.do(BO, React())
    names = [choice.label for choice in answer.reply.menus[-1].choices]
    assert "Tracker" in names
    assert "Morph" not in names
    said = await field.refused(BO, Aro("Morph", "shoot", 12))
    assert said == (
        "Choose another trooper. Morph can't react to the second Skill because it could have reacted to the"
        " first.\n"
        "Rulebook: Orders (INF-ORD-05)."
    )
    await field.choose(BO, "Tracker", "shoot:Rifle")
    assert "there will be no second Skill" in await field.refused(BO, Resolve(rest=KEEP))
    lines = await field.ask(BO, Resolve(rest=NOTHING), 20, 20, 20, 19)
    assert "Face to Face INF-F2F-01" in field.why
    assert "Tracker couldn't react to the first Skill." in lines


@pytest.mark.rule("INF-ORD-05")
async def test_a_target_of_the_first_skill_had_its_chance(field: Field) -> None:
    await field.ask(ANNA, Shoot("Angus", "Tracker", 12))
    await field.ask(BO, Resolve(rest=KEEP))
    lines = await field.ask(ANNA, SpendOrder("Angus"))
    assert "bo: choose your AROs (60 seconds)." in lines
    answer = await field.table.do(BO, React())
    names = [choice.label for choice in answer.reply.menus[-1].choices]
    assert "Morph" in names
    assert "Tracker" not in names
    assert "can't react to the second Skill" in await field.refused(BO, Aro("Tracker", "shoot"))


async def test_an_order_that_has_dice_to_throw_is_resolved_before_the_next(field: Field) -> None:
    await field.ask(ANNA, SpendOrder("Angus"))
    await field.choose(BO, "Morph", "shoot:Combi Rifle:16")
    await field.ask(BO, Resolve(rest=NOTHING))
    for action in (SpendOrder("Hammer"), NextStep()):
        assert "Finish Angus' Order first. Press Done or use /inf done." in await field.refused(ANNA, action)
    await field.ask(ANNA, Resolve(), 20)
    await field.spend(ANNA, Dodge("Hammer"))
    # nothing was declared against it: the next Order ends it
    lines = await field.spend(ANNA, SpendOrder("Angus"))
    assert "Hammer's Order is over." in lines


@pytest.mark.rule("INF-ORD-05")
async def test_one_aro_to_an_order(field: Field) -> None:
    await field.ask(ANNA, SpendOrder("Angus"))
    await field.choose(BO, "Tracker", "dodge:")
    await field.ask(BO, Resolve(rest=KEEP))
    await field.ask(ANNA, Shoot("Angus", "Tracker", 12))
    said = await field.refused(BO, Aro("Tracker", "shoot"))
    assert said == (
        "Choose another trooper. Tracker has already declared its one ARO to this Order.\n"
        "Rulebook: Orders (INF-ORD-05)."
    )
    # the Dodge of the first window meets the shot
    lines = await field.ask(BO, Resolve(rest=NOTHING), 15, 20, 20, 1)
    assert "Tracker's Dodge fails." in lines


@pytest.mark.rule("INF-ORD-05")
async def test_when_time_is_up_the_rest_lets_it_pass(file, migrated) -> None:  # type: ignore[no-untyped-def]
    from bot.app import open_desk
    from bot.store.engine import database_url
    from tests.bot.tables import seeds

    now = [1_700_000_000_000]
    source = seeds()
    async with open_desk(database_url(str(file)), lambda: next(source), lambda: now[0]) as desk:
        field = await Field.open(Table(desk, file))
        await field.ask(ANNA, SpendOrder("Angus"))
        now[0] += 55_000
        assert "Wait for bo to choose AROs (5 seconds left)." in await field.refused(ANNA, Resolve(rest=TIME))
        answer = await field.table.do(BO, React())
        assert answer.reply.lines[0] == "Angus declares a Skill: move. Choose your AROs (5 seconds left)."
        now[0] += 5_000
        lines = await field.ask(ANNA, Resolve(rest=TIME))
        assert lines == ["bo's troopers don't react.", "anna: declare a second Skill, or press Done."]
        await field.ask(ANNA, Shoot("Angus", "Tracker", 12), 20, 20, 20)
        # a target that is late does what the table agreed on; a shot may be followed by a move
        await field.ask(ANNA, Shoot("Angus", "Tracker", 12))
        now[0] += 60_000
        lines = await field.ask(ANNA, Resolve(rest=TIME))
        assert lines[0] == "ARO: Tracker dodges."


@pytest.mark.rule("INF-ORD-04")
async def test_shooting_then_moving_is_one_order(field: Field) -> None:
    await field.ask(ANNA, Shoot("Angus", "Tracker", 12))
    await field.choose(BO, "Tracker", "dodge:")
    await field.ask(BO, Resolve(rest=NOTHING))
    assert "can't have two Short Skills.\nRulebook: Orders (INF-ORD-04)" in await field.refused(
        ANNA, Dodge("Angus")
    )
    lines = await field.ask(ANNA, SpendOrder("Angus"), 14, 20, 20, 1, 20)
    assert lines[0] == "Angus hits Tracker but causes no wound."
    assert "Angus moves up to 4 in as its second Skill." in lines
    assert await field.counter(1, "regular_orders_1") == 5


# ---------------------------------------------------------------- what nobody learns


async def _views(field: Field) -> list[list[str]]:
    """All that Anna may read, and the number that her next entry gets."""
    told = [all_lines((await field.table.do(ANNA, probe)).reply) for probe in (ShowEncounter(), ShowLog())]
    encounter = await field.table.encounter()
    told.append(list(game_of(encounter).panel(encounter).lines))
    await field.table.do(ANNA, NoteModel("Angus", "here"))
    told.append(all_lines((await field.table.do(ANNA, ShowLog())).reply))
    return told


async def _chosen(field: Field, count: int) -> None:
    for name in ("Tracker", "Morph", "Leaper")[:count]:
        await field.ask(BO, Aro(name, "shoot", 12))


@pytest.mark.parametrize("count", [1, 3])
async def test_neither_panel_nor_log_nor_its_numbers_tell_who_has_chosen(
    count: int,
    file,
    migrated,
    tmp_path,  # type: ignore[no-untyped-def]
) -> None:
    import shutil
    from pathlib import Path

    from tests.bot.tables import opened

    other = Path(shutil.copy(migrated, tmp_path / "other.db"))
    views = []
    for place, chosen in ((file, 0), (other, count)):
        async with opened(place) as table:
            field = await Field.open(table)
            await field.ask(ANNA, SpendOrder("Angus"))
            await _chosen(field, chosen)
            views.append(await _views(field))
            await field.ask(BO, Resolve(rest=NOTHING))
    assert views[0] == views[1]


async def test_who_is_no_target_and_hidden_chooses_from_the_same_menu(field: Field) -> None:
    await field.ask(ANNA, NextStep())
    await field.ask(BO, SpendOrder("Tracker"))
    answer = await field.table.do(ANNA, React())
    labels = [choice.label for choice in answer.reply.menus[0].choices]
    assert labels[-1] == "Wraith (hidden)"
    number = int(answer.reply.menus[0].choices[-1].value)
    answer = await field.table.do(ANNA, React(0, number))
    assert "Wait" not in " ".join(choice.label for choice in answer.reply.menus[0].choices)
    await field.table.done(ANNA, React(0, number, "shoot:Sniper Rifle:48"))
    # it is placed by hand in between: its choice goes along
    await field.ask(ANNA, Reveal("Wraith"))
    encounter = await field.table.encounter()
    assert [one.model for one in reactions_of(encounter)] == [encounter.find_model("Wraith").id]
    lines = await field.ask(ANNA, Resolve())
    assert lines[0] == "ARO: Wraith shoots with Sniper Rifle, up to 48 in."


async def test_a_wait_is_announced_when_all_have_chosen_and_not_before(field: Field) -> None:
    await field.ask(ANNA, NextStep())
    await field.ask(BO, SpendOrder("Prowler"))
    await field.choose(ANNA, "Angus", "wait::99")
    assert not [line for line in field.heard if "holds" in line]
    lines = await field.ask(ANNA, Resolve())
    assert lines[0] == "Angus delays its ARO."
    await field.ask(BO, Shoot("Prowler", "Angus", 12))
    encounter = await field.table.encounter()
    before = game_of(encounter).panel(encounter).lines
    assert "AROs: Angus" in before
    await field.choose(ANNA, "Angus", "dodge:")
    encounter = await field.table.encounter()
    assert game_of(encounter).panel(encounter).lines == before


async def test_cover_from_a_bystander_is_a_button_of_the_menu(field: Field) -> None:
    await field.ask(ANNA, SpendOrder("Angus"))
    await field.choose(BO, "Morph", "shoot:Combi Rifle:8")
    assert "Mark Angus as in cover" in field.labels
    await field.press(BO, "Mark Angus as in cover")
    assert field.labels[-1] == "Mark Angus as in the open"
    lines = await field.pass_on(BO, 12)
    assert "Morph, BS 11, 1 die" in lines


async def test_the_menu_tells_the_exact_chances_of_each_answer_but_never_those_of_a_marker(
    field: Field,
) -> None:
    async def notes(who: str, model: str) -> dict[str, str]:
        number = (await field.table.encounter()).find_model(model).id
        answer = await field.table.do(who, React(0, number))
        return {choice.label: choice.note for choice in answer.reply.menus[0].choices}

    await field.ask(ANNA, SpendOrder("Angus"))
    # BS 14: 13/20 plain x 12/20 failed saves + 1/20 Critical
    told = await notes(BO, "Morph")
    assert told["Shoot with Combi Rifle up to 16 in (+3)"] == "44% chance to wound Angus"
    assert told["Dodge"] == ""
    await field.ask(BO, Resolve(rest=KEEP))
    await field.ask(ANNA, Shoot("Angus", "Tracker", 12))
    told = await notes(BO, "Tracker")
    # three dice at 15: each 14/20 x 12/20 + 1/20 = 0.47; 1 - 0.53 cubed
    assert told["Nothing"] == "85% risk of going down"
    await field.pass_on(BO, 20, 20, 20)
    await field.ask(ANNA, NextStep())
    await field.ask(BO, SpendOrder("Prowler"))
    told = await notes(ANNA, "Angus")
    # WIP 12 - 3 for what everybody sees of the Marker
    assert told.pop("Discover") == "WIP 9, 45% chance of success"
    assert {note for label, note in told.items() if not label.startswith("Discover")} == {""}


async def test_a_shot_at_an_unmeasured_distance_is_asked_for_it(field: Field) -> None:
    await field.ask(ANNA, SpendOrder("Angus"))
    assert "How far is the active trooper from Morph?" in await field.refused(BO, Aro("Morph", "shoot"))


async def test_nothing_is_changed_while_the_dice_of_the_order_are_thrown(field: Field) -> None:
    await field.ask(ANNA, SpendOrder("Angus"))
    await field.ask(BO, Resolve(rest=KEEP))
    await field.ask(ANNA, Shoot("Angus", "Tracker", 12))
    await field.choose(BO, "Tracker", "dodge:")
    waits = await field.table.do(BO, Resolve(rest=NOTHING))
    assert "Angus" in waits.reply.text
    number = (await field.table.encounter()).find_model("Tracker").id
    for change in (React(0, number, "nothing:"), Aro("Tracker", "shoot")):
        assert "You can't change AROs now" in await field.refused(BO, change)


# ---------------------------------------------------------------- undo


async def test_after_an_undo_who_had_chosen_is_asked_again(field: Field) -> None:
    await field.ask(ANNA, SpendOrder("Angus"))
    order = order_of(await field.table.encounter())
    assert order is not None
    await field.ask(BO, Aro("Morph", "shoot", 12))
    await field.ask(ANNA, Undo())
    lines = await field.ask(ANNA, SpendOrder("Angus"))
    assert "bo: choose your AROs (60 seconds)." in lines
    # the menu of the Order that was taken back is not taken for the new one
    number = (await field.table.encounter()).find_model("Morph").id
    said = await field.refused(BO, React(order.entry, number, "shoot:Combi Rifle:16"))
    assert said.startswith("Use the latest message for this Order. This one is out of date.")
    # nothing is resolved behind the back of who had chosen
    assert "Wait for bo" in await field.refused(ANNA, Resolve())
    answer = await field.table.do(BO, React())
    assert not [line for line in answer.reply.lines if "Morph" in line]
    await field.ask(BO, Aro("Morph", "shoot", 12))
    lines = await field.pass_on(BO, 5, 3)
    assert lines[0] == "Morph hits Angus: 1 wound, unconscious."


async def test_the_target_does_not_drop_under_the_dice_of_a_shot(field: Field) -> None:
    await field.ask(ANNA, Shoot("Angus", "Tracker", 12))
    await field.ask(BO, Resolve(rest=NOTHING))
    assert waits(await field.table.do(ANNA, Resolve()))
    assert "Wait until the dice" in await field.refused(BO, Prone("Tracker"))


# ---------------------------------------------------------------- jumps


@pytest.mark.rule("INF-SJ-01", "INF-SJ-02", "INF-SJ-09", "INF-SJ-10", "INF-ORD-04")
async def test_a_jump_is_a_whole_order_without_super_jump(field: Field) -> None:
    assert "Enter the path of the Jump" in await field.refused(ANNA, SpendOrder("Angus", skill="jump"))
    assert "Enter the path of the Jump" in await field.refused(
        ANNA, SpendOrder("Angus", skill="jump", path="roof")
    )
    lines = await field.ask(ANNA, SpendOrder("Angus", skill="jump", path="roof, ground"))
    assert lines[:2] == ["Angus jumps up to 4 in.", "Path: roof, ground"]
    assert "Nobody can react yet" not in field.labels
    lines = await field.ask(BO, Resolve())
    assert lines == ["Angus' Order is over.", "Nobody reacts."]
    await field.spend(ANNA, SpendOrder("Angus"))
    said = await field.refused(ANNA, SpendOrder("Angus", skill="jump", path="roof, ground"))
    assert "You can't add a second Skill to an Entire Order.\nRulebook: Orders (INF-ORD-04)" in said
    await field.ask(ANNA, NextStep())
    await field.spend(BO, SpendOrder("Leaper", skill="jump", path="roof, crate, ground"))
    lines = await field.ask(BO, Shoot("Leaper", "Angus", 12), 20, 20, 20)
    assert not [line for line in lines if line.startswith("Order of")]


# ---------------------------------------------------------------- what is owed


@pytest.mark.rule("INF-GUT-01")
async def test_a_guts_roll_that_is_owed_holds_the_next_order_up(field: Field) -> None:
    await field.ask(ANNA, Shoot("Angus", "Tracker", 12))
    await field.react(BO, "Tracker", "nothing:", 3, 20, 20, 19)
    encounter = await field.table.encounter()
    assert waited_for(encounter) == "Waiting for bo to make a Guts Roll for Tracker."
    assert not any("Guts Roll" in line for line in game_of(encounter).panel(encounter).lines)
    for action in (SpendOrder("Hammer"), Shoot("Hammer", "Morph", 12), NextStep()):
        assert (
            "bo must first make the Guts Roll for Tracker.\nRulebook: Guts Rolls (INF-GUT-01)"
            in await field.refused(ANNA, action)
        )
    await field.ask(BO, Guts("Tracker"), 3)
    await field.spend(ANNA, SpendOrder("Hammer"))


def pressable(encounter: Encounter) -> list[str]:
    return [button.label for button in game_of(encounter).panel(encounter).buttons]


@pytest.mark.rule("INF-GUT-02")
async def test_who_failed_guts_goes_prone_from_the_panel_until_the_next_order(field: Field) -> None:
    await field.ask(ANNA, Shoot("Angus", "Tracker", 12))
    await field.react(BO, "Tracker", "nothing:", 3, 20, 20, 19)
    await field.ask(BO, Guts("Tracker", "fail"))
    assert "Go Prone: Tracker" in pressable(await field.table.encounter())
    await field.ask(BO, Prone("Tracker"))
    assert "Go Prone: Tracker" not in pressable(await field.table.encounter())
    await field.ask(BO, Undo())
    assert "Go Prone: Tracker" in pressable(await field.table.encounter())
    await field.spend(ANNA, SpendOrder("Hammer"))
    assert "Go Prone: Tracker" not in pressable(await field.table.encounter())


@pytest.mark.rule("INF-GUT-01", "INF-VAL-13")
async def test_what_is_owed_stands_on_the_panel_though_the_last_turn_is_over(field: Field) -> None:
    def over(encounter: Encounter) -> None:
        encounter.row.counters[OVER] = 1

    await field.ask(ANNA, Shoot("Angus", "Brute", 12))
    await field.react(BO, "Brute", "nothing:", 15, 20, 20)
    await field.arrange(over)
    assert pressable(await field.table.encounter())[:2] == ["Dogged: Brute", "Stay down: Brute"]
    await field.ask(BO, Fall("Brute", State.UNCONSCIOUS))
    assert pressable(await field.table.encounter()) == ["End the game...", "Undo"]


@pytest.mark.rule("INF-GUT-01")
async def test_an_attack_that_missed_or_was_beaten_asks_for_no_guts_roll(field: Field) -> None:
    await field.ask(ANNA, Shoot("Angus", "Tracker", 12))
    await field.react(BO, "Tracker", "nothing:", 20, 20, 20)
    await field.ask(ANNA, Shoot("Angus", "Morph", 12))
    lines = await field.react(BO, "Morph", "dodge:", 3, 4, 20, 9)
    assert "Morph dodges and can move up to 2 in." in lines
    assert not [line for line in lines if "Guts" in line]
    await field.spend(ANNA, SpendOrder("Hammer"))


@pytest.mark.rule("INF-VAL-04", "INF-VAL-13", "INF-GUT-01")
async def test_how_somebody_falls_holds_the_next_order_up(field: Field) -> None:
    await field.ask(ANNA, Shoot("Angus", "Brute", 12))
    await field.react(BO, "Brute", "nothing:", 15, 20, 20)
    assert field.labels[:2] == ["Dogged: Brute", "Stay down: Brute"]
    said = await field.refused(ANNA, SpendOrder("Hammer"))
    assert (
        said == "Wait until bo has chosen whether Brute stays down or keeps acting.\n"
        "Rulebook: Valor (pages 97 and 98; INF-VAL-13)."
    )
    assert "INF-VAL-13" in await field.refused(ANNA, NextStep())
    lines = await field.ask(BO, Fall("Brute", "dogged"))
    # it survived the attack that took it down
    assert "Brute must make a Guts Roll against WIP 12." in lines
    assert "INF-GUT-01" in await field.refused(ANNA, SpendOrder("Hammer"))
    await field.ask(BO, Guts("Brute", "pass"))
    await field.spend(ANNA, SpendOrder("Hammer"))


@pytest.mark.rule("INF-VAL-04", "INF-VAL-13", "INF-WND-04")
async def test_nothing_goes_on_before_its_player_has_chosen_how_it_falls(field: Field) -> None:
    text = "Brute: MOV 4-4, CC 13, BS 12, PH 13, WIP 12, W 1; Rifle B3 DAM 13; Skills Valor L2, Regeneration"
    await field.arrange(profile("Brute", text))
    await field.ask(ANNA, Shoot("Angus", "Brute", 12))
    lines = await field.react(BO, "Brute", "nothing:", 14, 20, 20, 5)
    assert "bo: does Brute stay down or keep acting? (60 seconds)" in lines
    # not even by healing itself, or by what waits for nothing else
    for who, action in (
        (BO, Heal("Brute")),
        (BO, FallDown("Tracker", 5)),
        (ANNA, Reveal("Wraith")),
    ):
        assert "INF-VAL-13" in await field.refused(who, action)
    assert "bo controls this model" in await field.refused(ANNA, Fall("Brute", "dogged"))
    await field.ask(BO, Fall("Brute", "dogged"))
    assert "A Dogged trooper can't be healed" in await field.refused(BO, Heal("Brute"))


@pytest.mark.rule("INF-VAL-13", "INF-ORD-05")
async def test_a_fall_while_an_order_is_open_is_waited_for_before_the_order(field: Field) -> None:
    await field.spend(ANNA, SpendOrder("Angus"))
    assert pressable(await field.table.encounter()) == ["Done", "Undo"]
    await field.ask(BO, FallDown("Brute", 8), 1, 20)
    encounter = await field.table.encounter()
    assert waited_for(encounter).startswith("Waiting for bo to choose whether Brute stays down (60 seconds)")
    assert pressable(encounter)[:2] == ["Dogged: Brute", "Stay down: Brute"]
    assert "Done" not in pressable(encounter)
    await field.ask(BO, Fall("Brute", "dogged"))
    assert pressable(await field.table.encounter()) == ["Done", "Undo"]


@pytest.mark.rule("INF-VAL-13")
async def test_who_is_late_with_how_it_falls_stays_down(file, migrated) -> None:  # type: ignore[no-untyped-def]
    from bot.app import open_desk
    from bot.store.engine import database_url
    from tests.bot.tables import seeds

    now = [1_700_000_000_000]
    source = seeds()
    async with open_desk(database_url(str(file)), lambda: next(source), lambda: now[0]) as desk:
        field = await Field.open(Table(desk, file))
        await field.ask(ANNA, Shoot("Angus", "Brute", 12))
        await field.react(BO, "Brute", "nothing:", 15, 20, 20)
        assert field.labels[:2] == ["Dogged: Brute", "Stay down: Brute"]
        now[0] += 55_000
        late = FallLate((await field.table.encounter()).find_model("Brute"))
        assert "Wait for bo to choose (5 seconds left)." in await field.refused(ANNA, late)
        now[0] += 5_000
        lines = await field.ask(ANNA, late)
        assert lines == ["Brute stays down."]
        assert "right after a trooper goes down" in await field.refused(BO, Fall("Brute", "dogged"))


async def test_the_organiser_lets_a_debt_lapse_for_all_to_read(field: Field) -> None:
    await field.ask(ANNA, Shoot("Angus", "Tracker", 12))
    await field.react(BO, "Tracker", "nothing:", 3, 20, 20, 19)
    answer = await field.table.do(ANNA, SpendOrder("Hammer"), reason="bo has left")
    assert "Override by anna: bo has left" in answer.reply.text
    assert "doesn't have to make a Guts Roll" in await field.refused(BO, Guts("Tracker"))


async def test_who_goes_prone_with_an_order_lies_then(field: Field) -> None:
    await field.spend(ANNA, SpendOrder("Angus", skill="stand or go prone"))
    lines = await field.ask(ANNA, Resolve())
    assert lines[0] == "Angus goes Prone."
    assert (await field.trooper("Angus")).has("prone")


# ---------------------------------------------------------------- odds refuse what the action refuses


async def test_odds_are_refused_where_the_attack_would_be(field: Field) -> None:
    for odds in (Shoot("Tracker", "Angus", 12, odds=True), Fight("Tracker", "Angus", odds=True)):
        assert "It is Vanguard's turn" in await field.refused(BO, odds)
    await field.ask(ANNA, SpendOrder("Angus"))
    assert "Wait for bo to choose AROs" in await field.refused(ANNA, Shoot("Hammer", "Morph", 12, odds=True))
    await field.ask(BO, Resolve(rest=NOTHING))
    await field.arrange(*OUT)
    lines = await field.ask(ANNA, Fight("Angus", "Tracker", odds=True))
    assert lines == ["Tracker is helpless and dies.", "No roll is needed."]
    await field.ask(ANNA, Dodge("Angus"))

    def empty(encounter: Encounter) -> None:
        del encounter.side(1).counters["regular_orders_1"]

    await field.arrange(empty)
    said = await field.refused(ANNA, Discover("Hammer", "Camo Marker 1", odds=True))
    assert "no Regular Orders left.\nRulebook: Orders (INF-ORD-01)" in said


async def test_odds_of_what_follows_are_refused_where_it_would_be(field: Field) -> None:
    for odds in (False, True):
        said = await field.refused(BO, FallDown("Camo Marker 1", 10, odds=odds))
        assert said == "Reveal the trooper first with /inf reveal. It is hidden."
    await field.ask(ANNA, Shoot("Angus", "Tracker", 12))
    await field.react(BO, "Tracker", "nothing:", 3, 20, 20, 19)
    for odds in (False, True):
        assert "needs Valor L1 to pass" in await field.refused(BO, Guts("Tracker", "pass", odds=odds))
    lines = await field.ask(BO, Guts("Tracker", odds=True))
    assert lines[0] == "Tracker, Guts Roll"
    assert field.labels == ["Roll", "Compare", "Change..."]


async def test_the_panel_names_everybody_who_is_hurt(field: Field) -> None:
    await field.arrange(under("no_wound_incapacitation", "Commander Voss", "Morph", "Brute"))
    encounter = await field.table.encounter()
    lines = game_of(encounter).panel(encounter).lines
    hurt = next(line for line in lines if line.startswith("Wounded: "))
    named = ("Commander Voss", "Morph", "Brute")
    assert hurt == "Wounded: " + ", ".join(f"{name} (no wound incapacitation)" for name in named)


async def test_a_cancelled_aro_is_told_why_but_not_what_to_choose_instead(field: Field) -> None:
    await field.ask(ANNA, Shoot("Angus", "Tracker", 12))
    await field.ask(BO, Aro("Tracker", "shoot", 12))
    await field.arrange(profile("Tracker", "Tracker: BS 12, PH 10, W 1; Rifle B3 DAM 13 RANGE 8:+3"))
    lines = await field.pass_on(BO, 20, 20, 20)
    cancelled = [line for line in lines if line.startswith("ARO cancelled. ")]
    assert cancelled
    assert "Choose" not in cancelled[0]
