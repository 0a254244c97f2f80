"""Attacks: flips chosen, the target's flips, damage, knockdown, cover, forced points, refusals, odds."""

from __future__ import annotations

import pytest

from bot.actions import with_text
from bot.games.soluna.attack_declaration import Attack
from bot.games.soluna.board import artifacts, board_of
from bot.games.soluna.board_actions import AddObject, Surround
from bot.games.soluna.close_actions import Lunge
from bot.games.soluna.flip_actions import MakeFlips, NameItem
from bot.games.soluna.model_actions import SetValue
from bot.games.soluna.move_actions import Move, PlaceModel, StandUp, Turn
from bot.table.encounter import GONE
from bot.table.game import game_of
from bot.table.journal.history import Undo
from bot.table.rolling.dice_settings import DiceMode
from bot.table.session.encounters import NextStep
from bot.table.session.models import AddCondition, DamageModel, HealModel, RemoveModel
from bot.table.session.possible_actions import add_action_buttons
from rules.systems.soluna.models import Counter
from tests.bot.soluna.yard import ANNA, BO, MEENA, PAL, XUL, Yard, opened
from tests.bot.tables import Table, waits
from tests.bot.typist import Typist
from tests.bot.waited import waited_for

pytestmark = pytest.mark.usefixtures("pictures_without_files")

ZED = XUL.replace("Xul", "Zed").replace(", melee", "")
SABER, RING = "Gravity Saber", "Pulse Laser Ring"


async def close(table: Table, **more: object) -> Yard:
    """Meena before Xul, both in the middle, face to face, in manual order."""
    return await opened(table, (MEENA, "5,5", "north"), (XUL, "5,6", "south"), **more)  # type: ignore[arg-type]


async def apart(table: Table, **more: object) -> Yard:
    return await opened(table, (MEENA, "5,2", "north"), (XUL, "5,5", "south"), **more)  # type: ignore[arg-type]


@pytest.mark.rule("SU-ATK-01", "SU-ATK-02", "SU-FLIP-01", "SU-FLIP-02", "SU-GRID-02", "SU-DMG-02")
async def test_the_texts_saber_flips_a_5_to_a_3(table: Table) -> None:
    """Power 4 shows 3 3 5 4; the 5 becomes a 3, the 4 passes on to Body: 4 hits, Body 2 stops 2."""
    yard = await close(table)
    lines = await yard.ask(ANNA, Attack("Meena", "Xul", SABER), 3, 3, 5, 4)
    assert lines[:2] == ["Meena attacks Xul with Gravity Saber", "4 dice, 2 flips"]
    assert "Dice: 3, 3, 4, 5" in lines
    assert "anna: choose the flips for Meena." in lines
    assert yard.choices[0].startswith("Body: Body -2")
    lines = await yard.ask(ANNA, MakeFlips(0, "", "5>3"))
    assert lines[0] == "Meena hits Xul (Body -2)."
    assert "2 hits stopped (each location is protected by Body 2)" in lines
    assert "2 flips: 5>3" in lines
    assert (await yard.model("Xul")).value("body") == 0


@pytest.mark.parametrize("said", [{"dice": 4}, {"low": True}, {"item": "Medkit"}, {"weapon": SABER}])
async def test_the_same_attack_said_otherwise_throws_the_same_dice(
    table: Table, said: dict[str, object]
) -> None:
    """As many dice as the Power gives, and what is said of the weapon and of Arsenal hits."""
    yard = await close(table)
    await yard.ask(ANNA, DiceMode("bot"))
    first = await table.done(ANNA, Attack("Meena", "Xul", SABER))
    await table.done(ANNA, Undo())
    again = await table.done(ANNA, Attack("Meena", "Xul", **{"weapon": SABER, **said}))  # type: ignore[arg-type]
    assert "These are the same dice as in the undone roll." in again.reply.lines
    loaded = await table.loaded()
    entries = [await table.desk.store.entry(loaded.scope.id, answer.version) for answer in (first, again)]
    (mine, its) = ([face for _, face, _ in entry.faces_bound()] for entry in entries if entry is not None)
    assert all(one == other for one, other in zip(mine, its, strict=False))


@pytest.mark.rule("SU-FLIP-02")
async def test_more_flips_than_accuracy_are_refused(table: Table) -> None:
    yard = await close(table)
    await yard.ask(ANNA, Attack("Meena", "Xul", SABER), 3, 3, 5, 4)
    assert "Use at most 2 flips (these take 3)." in await yard.refused(ANNA, MakeFlips(0, "", "5>3 4>3"))
    assert "No die shows a 6" in await yard.refused(ANNA, MakeFlips(0, "", "6>3"))
    assert "not yours" in await yard.refused(BO, MakeFlips(0, "body"))
    for spoils in (Move("Xul", "6,6"), SetValue("Xul", "body", 9), DamageModel("Xul"), RemoveModel("Xul")):
        assert "First choose the flips" in await yard.refused(BO, spoils)
    assert "First choose the flips" in await yard.refused(ANNA, NextStep())
    panel = game_of(await yard.table.encounter()).panel(await yard.table.encounter())
    assert [one.label for one in panel.buttons if one.asks] == ["Flips"], "asked for where it scrolled away"


@pytest.mark.rule("SU-FLIP-03", "SU-ACC-02")
async def test_below_0_the_target_flips(table: Table) -> None:
    """A small target: Accuracy 1 - 3; the target turns two hits away."""
    yard = await opened(table, (MEENA, "5,2", "north"), (XUL.replace("Size 2", "Size 0"), "5,5", "south"))
    lines = await yard.ask(ANNA, Attack("Meena", "Xul", RING), 2, 2, 2, 2)
    assert lines[1] == "4 dice, 2 flips for the target"
    assert lines[-1] == "bo: choose the flips for Xul."
    assert "-3 target of Size 0 SU-ACC-02" in yard.why
    assert "not yours" in await yard.refused(ANNA, MakeFlips(0, "none"))
    best = yard.choices[0]
    assert best.startswith("Health: no damage")
    lines = await yard.ask(BO, MakeFlips(0, "health"))
    assert lines[0] == "Meena does no damage to Xul."


@pytest.mark.rule("SU-FLIP-03", "SU-GRID-04", "SU-DMG-03")
async def test_the_target_is_offered_the_best_there_is_first(table: Table) -> None:
    """A 3 or 4 joins Body beside the useless Shield: one die on each location is stopped by Body 1."""
    ox = "Ox\nSize 2, Mind 2, Health 4, Body 1, Shield 1, Speed 2"
    yard = await opened(table, (MEENA, "5,5", "north"), (ox, "5,6", "south"))
    await yard.ask(ANNA, Attack("Meena", "Ox", SABER, extra="accuracy-5"), 2, 2, 2, 2)
    assert yard.answer.reply.menus[0].prompt == "Choose the flips for Ox"
    assert "The first choice is the best." in yard.answer.reply.lines
    assert yard.choices[0].endswith(": no damage")
    lines = await yard.ask(BO, MakeFlips(0, "best"))
    assert lines[0] == "Meena does no damage to Ox."


@pytest.mark.rule("SU-MODE-02", "SU-KO-01")
async def test_dice_of_a_knockdown_test_may_be_traded_for_flips(table: Table) -> None:
    """Mind 4, Health 3 drops to 1: two alike on four dice, or on two with a flip, which turns a 4 to a 2."""
    keen = XUL.replace("Mind 2", "Mind 4")
    yard = await opened(
        table,
        (MEENA, "5,5", "north"),
        (keen, "5,6", "south"),
        settings={"mode_test_trade_dice": "on"},
    )
    await yard.ask(ANNA, Attack("Meena", "Xul", SABER), 2, 2, 2, 2)
    lines = await yard.ask(ANNA, MakeFlips(0, "none"))
    assert "Xul needs 2 of a kind on 4 dice to stay up. Take the knockdown test." in lines
    labels = [button.label for button in yard.answer.reply.buttons]
    assert labels[:2] == ["Knockdown test", "Test with 1 flip"]
    lines = await yard.press(BO, "Test with 1 flip", 4, 2)
    assert lines[:2] == ["Xul stays up.", "2 dice, 1 flip, needs 2 of a kind"]


@pytest.mark.rule("SU-FLIP-03")
async def test_flips_that_change_no_damage_are_not_asked_for(table: Table) -> None:
    """Two dice against Body 2: nothing gets through whatever is flipped."""
    yard = await close(table)
    lines = await yard.ask(ANNA, Attack("Meena", "Xul", SABER, dice=2), 2, 3)
    assert lines[0] == "Meena does no damage to Xul."
    assert not yard.answer.reply.menus


@pytest.mark.rule("SU-KO-01", "SU-KO-02", "SU-KO-03", "SU-MODE-01")
async def test_a_hard_hit_knocks_down(table: Table) -> None:
    """Health 3 drops to 1: two thirds lost, difficulty 2 on Mind 2."""
    yard = await close(table)
    await yard.ask(ANNA, Attack("Meena", "Xul", SABER), 2, 2, 2, 2)
    lines = await yard.ask(ANNA, MakeFlips(0, "none", odds=True))
    assert lines[:2] == ["Xul: Health -2", "stays up (hit on health)  17% #"], "two dice alike: 1 in 6"
    lines = await yard.ask(ANNA, MakeFlips(0, "none"), 1, 6)
    assert lines[0] == "Meena hits Xul (Health -2)."
    assert "Knockdown test: Xul falls prone." in lines
    assert "Knockdown test, 2 dice: 1, 6" in lines
    assert (await yard.model("Xul")).has("prone")
    assert await yard.ask(BO, StandUp("Xul")) == ["Xul stands up."]
    assert not (await yard.model("Xul")).has("prone")


@pytest.mark.rule("SU-ACC-09", "SU-ACC-05", "SU-PWR-03", "SU-GRID-07")
async def test_injuries_and_prone_targets_count_and_the_dead_leave_the_board(table: Table) -> None:
    """Accuracy 2, 1 less for 2 Health lost, 2 less for a prone target: the target has a flip."""
    yard = await close(table)
    await table.done(ANNA, DamageModel("Meena", 2))
    await table.done(BO, AddCondition("Xul", "prone"))
    attack = Attack("Meena", "Xul", SABER, extra="power+1 ignore body")
    lines = await yard.ask(ANNA, attack, 2, 2, 2, 2, 1)
    assert lines[1] == "5 dice, 1 flip for the target"
    for said in (
        "-1 injured attacker SU-ACC-09",
        "-2 prone target SU-ACC-05",
        "+1 abilities and Artifacts SU-PWR-03",
    ):
        assert said in yard.why
    lines = await yard.ask(BO, MakeFlips(0, "none"))
    assert lines[0].startswith("Meena kills Xul")
    encounter = await yard.encounter()
    assert encounter.find_model("Xul", gone=True).status == GONE
    assert len(board_of(encounter).pieces) == 1


@pytest.mark.rule("SU-CP-01", "SU-CP-02", "SU-ACC-10", "SU-CP-03")
async def test_points_run_out_and_can_be_forced(table: Table) -> None:
    yard = await apart(table)
    for _ in range(2):
        await yard.ask(ANNA, Attack("Meena", "Xul", RING), 1, 2, 4, 5)
    assert "To attack anyway with -2 Accuracy, force the missing points." in await yard.refused(
        ANNA, Attack("Meena", "Xul", RING)
    )
    assert "Use the same weapon" in await yard.refused(ANNA, Attack("Meena", "Xul", "Smoke", force=True))
    await yard.ask(ANNA, Attack("Meena", "Xul", RING, force=True), 1, 2, 4, 5)
    assert "-2 forced Combat Points SU-ACC-10" in yard.why
    await yard.ask(ANNA, Attack("Meena", "Xul", RING, force=True), 1, 2, 4, 5)
    assert "-4 forced Combat Points SU-ACC-10" in yard.why
    assert (await yard.model("Meena")).counter(Counter.FORCED) == 2


@pytest.mark.rule("SU-TGT-01", "SU-TGT-02", "SU-TGT-03", "SU-TGT-04", "SU-MELEE-01")
async def test_what_cannot_be_attacked_is_said_with_the_reason(table: Table) -> None:
    wall = AddObject("wall", "4,4-6,4")
    yard = await apart(table, objects=(wall,))
    refusal = await yard.refused(ANNA, Attack("Meena", "Xul", RING))
    assert refusal.splitlines()[0] == "Move to where you can see the target. There is no line of sight."
    assert sum("blocked at" in line for line in refusal.splitlines()) == 3
    assert "5,4" in refusal
    await table.done(ANNA, Turn("Meena", "south"))
    assert "behind the attacker" in await yard.refused(ANNA, Attack("Meena", "Xul", RING))


@pytest.mark.rule("SU-TGT-01", "SU-TGT-04", "SU-SEQ-02")
async def test_out_of_reach_too_near_or_after_a_move(table: Table) -> None:
    yard = await opened(table, (MEENA, "5,2", "north"), (XUL, "5,9", "south"), (ZED, "5,3", "north"))
    far = await yard.refused(ANNA, Attack("Meena", "Xul", RING))
    assert "The target is too far away. It is at reach 7, and the weapon has Reach 4." in far
    near = await yard.refused(ANNA, Attack("Meena", "Zed", RING))
    assert "a ranged weapon needs 3 or more" in near
    assert "12,3 is outside" in await yard.refused(ANNA, Attack("Meena", "12,3", "Smoke"))
    assert "5,5 is empty" in await yard.refused(ANNA, Attack("Meena", "5,5", RING))
    await yard.ask(ANNA, Move("Meena", "6,4", "north"))
    assert "both move and attack" in await yard.refused(ANNA, Attack("Meena", "6,8", "Smoke"))


@pytest.mark.rule("SU-OPT-01", "SU-OPT-02")
async def test_the_long_range_option(table: Table) -> None:
    yard = await opened(
        table, (MEENA, "5,0", "north"), (XUL, "5,9", "south"), settings={"long_reach_option": "on"}
    )
    await yard.ask(ANNA, Attack("Meena", "Xul", RING, odds=False), 1, 2, 3, 4)
    assert "-2 beyond Reach SU-OPT-01" in yard.why


@pytest.mark.rule("SU-COV-07", "SU-COV-08")
async def test_cover_is_shot_to_debris_without_dice(table: Table) -> None:
    """Body 3 against 4 dice: 1 damage; then Body 2 against 4: debris."""
    yard = await apart(table, objects=(AddObject("crate", "5,6", 3),))
    lines = await yard.ask(ANNA, Attack("Meena", "crate", RING, extra="range+2"))
    assert lines[0] == "Meena hits crate for 1 damage (Body 2 left)."
    lines = await yard.ask(ANNA, Attack("Meena", "5,6", RING, extra="range+2"))
    assert lines[0] == "Meena destroys crate, which becomes debris."
    assert board_of(await yard.encounter()).walls() == {}
    assert (await table.do(ANNA, Undo())).changed
    assert board_of(await yard.encounter()).walls() == {(5, 6): 2}


@pytest.mark.rule("SU-TGT-06", "SU-GRID-03")
async def test_an_artifact_is_attacked_by_itself(table: Table) -> None:
    yard = await apart(table, objects=(AddObject("Orb", "4,5", 6, artifact=True),))
    first = (await yard.ask(ANNA, Attack("Meena", "Orb", RING)))[0]
    assert first == "Meena hits Orb for 4 damage (Health 2 left)."
    odds = await yard.ask(ANNA, Attack("Meena", "Orb", RING, odds=True))
    assert odds[1] == "Damage with 4 dice against Health 2: 2"
    assert (await yard.ask(ANNA, Attack("Meena", "Orb", RING)))[0] == "Meena hits Orb for 2 damage (ruined)."
    assert artifacts(await yard.encounter()) == []


@pytest.mark.rule("SU-GRID-05")
async def test_the_attacker_names_what_arsenal_hits_go_to(table: Table) -> None:
    yard = await close(table)
    await yard.ask(ANNA, Attack("Meena", "Xul", SABER), 5, 5, 5, 5)
    assert [menu.fills for menu in yard.answer.reply.menus] == ["choice", "item"]
    await yard.ask(ANNA, NameItem(0, "Medkit"))
    lines = await yard.ask(ANNA, MakeFlips(0, "none"))
    assert lines[0] == "Meena hits Xul (Medkit -1, Claw -1)."
    assert lines[1] == "Xul: Claw 1/2, Medkit ruined"
    assert (await yard.model("Xul")).carried() == (("Claw", 1), ("Medkit", 0))


@pytest.mark.rule("SU-GRID-05", "SU-FLIP-01")
async def test_where_no_flip_is_left_only_the_thing_is_asked_that_is_hit(table: Table) -> None:
    yard = await opened(table, (PAL, "5,5", "north"), (XUL, "5,6", "south"))
    lines = await yard.ask(ANNA, Attack("Pal", "Xul", "Stick"), 5, 5, 5)
    assert lines[-1] == "anna: choose which item takes the Arsenal hits."
    assert [menu.fills for menu in yard.answer.reply.menus] == ["item"]
    assert "My own flips..." not in [button.label for button in yard.answer.reply.buttons]
    encounter = await yard.encounter()
    assert waited_for(encounter) == "Waiting for anna to choose which item takes the Arsenal hits."
    panel = add_action_buttons(encounter, game_of(encounter).panel(encounter))
    assert "Flips" not in [button.label for button in panel.buttons]
    (menu,) = panel.menus
    assert [choice.label for choice in menu.choices] == ["Claw", "Medkit"]
    lines = await yard.ask(ANNA, with_text(menu.action, {menu.fills: ["2"]}))
    assert lines[0] == "Pal hits Xul (Medkit -1)."


@pytest.mark.rule("SU-COV-01", "SU-COV-02")
async def test_cover_stops_hits_at_the_table(table: Table) -> None:
    # a wall beside the line of fire, Body 7 against 4 dice: 3 more Body
    wall = (AddObject("wall", "6,3", 7),)
    yard = await opened(table, (MEENA, "5,2", "north"), (XUL, "5,5", "south"), objects=wall)
    lines = await yard.ask(ANNA, Attack("Meena", "Xul", RING), 2, 2, 2, 2)
    assert lines[:2] == [
        "Meena does no damage to Xul.",
        "4 hits stopped (each location is protected by Body 2, cover 3)",
    ]


async def test_nobody_raises_a_wall_under_the_dice_of_another(table: Table) -> None:
    yard = await opened(table, (MEENA, "5,2", "north"), (XUL, "5,5", "south"))
    assert waits(await table.do(ANNA, Attack("Meena", "Xul", RING)))
    for changed in (AddObject("wall", "6,3", 7), Surround("dark"), SetValue("Xul", "body", 9)):  # type: ignore[arg-type]
        assert (await yard.refused(BO, changed)).startswith("Wait until ")


@pytest.mark.rule("SU-VIS-02", "SU-VIS-05", "SU-VIS-08")
async def test_light_counts(table: Table) -> None:
    yard = await apart(table)
    await table.done(ANNA, Surround("total dark"))
    assert "a target at reach 1" in await yard.refused(ANNA, Attack("Meena", "Xul", RING))
    await table.done(ANNA, Surround("dark"))
    assert "at reach 3 (counts as 6)" in await yard.refused(ANNA, Attack("Meena", "Xul", RING))


async def test_odds_are_private_exact_and_change_nothing(table: Table) -> None:
    yard = await close(table)
    before = table.state()
    answer = await table.do(ANNA, Attack("Meena", "Xul", SABER, aim="body", odds=True))
    assert table.state() == before
    assert answer.reply.private
    lines = answer.reply.lines
    assert lines[:2] == ("Meena -> Xul, Gravity Saber", "4 dice, 2 flips")
    assert "Chance to remove Body points (hit on a 3 or 4) with the best flips:" in lines
    assert any(line.startswith("2+") for line in lines)
    assert "Exact. No dice were rolled." in lines
    yard.answer = await table.press(ANNA, answer, "Attack")
    assert waits(yard.answer)


@pytest.mark.rule("SU-MELEE-01")
async def test_who_falls_before_its_action_still_strikes_back(table: Table) -> None:
    yard = await opened(table, (MEENA, "5,5", "north"), (XUL, "5,6", "south"), (PAL, "5,7", "north"))
    await table.done(BO, SetValue("Xul", "health", 1))
    await table.done(BO, SetValue("Xul", "body", 0))
    await yard.ask(ANNA, Attack("Meena", "Xul", SABER), 2, 2, 2, 2)
    lines = await yard.ask(ANNA, MakeFlips(0, "none"))
    assert lines[0].startswith("Meena kills Xul")
    assert "can still strike back" in "\n".join(lines)
    assert "only strike back at Meena in melee" in await yard.refused(BO, Attack("Xul", "Pal", "Claw"))
    lines = await yard.ask(BO, Attack("Xul", "Meena", "Claw"), 1, 1, 1, 2, 2)
    assert lines[0] == "Xul hits Meena (Mind -1)."
    assert "out of play" in await yard.refused(BO, Attack("Xul", "Meena", "Claw"))


async def test_damage_by_hand_is_health_lost(table: Table) -> None:
    yard = await close(table)
    assert (await yard.ask(BO, DamageModel("Xul", 2)))[0] == "Xul takes 2 wounds (1 of 3 life left)."
    assert (await yard.model("Xul")).value("health") == 1
    await yard.ask(BO, HealModel("Xul", 1))
    assert (await yard.model("Xul")).value("health") == 2
    assert "Xul is killed." in await yard.ask(BO, DamageModel("Xul", 2))


async def test_the_organiser_overrides_a_refused_attack_for_all_to_see(table: Table) -> None:
    yard = await opened(table, (MEENA, "5,2", "north"), (XUL, "5,9", "south"))
    await table.done(ANNA, DiceMode("bot"))
    answer = await table.done(ANNA, Attack("Meena", "Xul", RING), reason="measured wrongly")
    assert "Override by anna: measured wrongly" in answer.reply.text
    assert yard.table is table


@pytest.mark.rule("SU-KO-01", "SU-KO-02")
async def test_a_knockdown_test_that_cannot_fail_is_not_asked(table: Table) -> None:
    """Health 3 drops by 1: a third lost, difficulty 1 on Mind 2. Two dice always show one face alike."""
    yard = await close(table)
    await yard.ask(ANNA, Attack("Meena", "Xul", SABER), 2, 2, 2, 1)
    lines = await yard.ask(ANNA, MakeFlips(0, "none"))
    assert lines[0] == "Meena hits Xul (Health -1)."
    assert "nockdown" not in yard.answer.reply.text
    assert not (await yard.model("Xul")).has("prone")


@pytest.mark.rule("SU-KO-01", "SU-KO-02")
async def test_a_knockdown_test_that_cannot_be_passed_needs_no_dice(table: Table) -> None:
    """Health 3 drops by 2: difficulty 2, and Mind 1 is one die."""
    yard = await close(table)
    await table.done(BO, SetValue("Xul", "mind", 1))
    await yard.ask(ANNA, Attack("Meena", "Xul", SABER), 2, 2, 2, 2)
    lines = await yard.ask(ANNA, MakeFlips(0, "none"))
    assert lines[0] == "Meena hits Xul (Health -2)."
    assert "Xul falls prone, because it can't get 2 of a kind on 1 die." in lines
    assert (await yard.model("Xul")).has("prone")


async def test_flips_that_serve_two_locations_are_offered_once(table: Table) -> None:
    """Without a Shield the 3 is a hit on Body, and what Body cannot take goes to Health: one flip is both."""
    ox = "Ox\nSize 2, Mind 3, Health 3, Body 1, Shield 0, Speed 5"
    yard = await opened(table, (MEENA, "5,5", "north"), (ox, "5,6", "south"))
    await yard.ask(ANNA, Attack("Meena", "Ox", SABER, extra="accuracy-1"), 3, 3, 4, 6)
    notes = [entry.note for entry in yard.answer.reply.menus[0].choices]
    assert len(notes) == len(set(notes)) >= 2
    assert not any("0 hits" in note for note in notes)


@pytest.mark.rule("SU-GRID-05")
async def test_a_carried_thing_is_known_by_the_beginning_of_its_name(table: Table) -> None:
    yard = await close(table)
    await yard.ask(ANNA, Attack("Meena", "Xul", SABER, item="med"), 5, 5, 5, 5)
    lines = await yard.ask(ANNA, MakeFlips(0, "none"))
    assert lines[0] == "Meena hits Xul (Medkit -1, Claw -1)."


async def test_what_the_target_does_not_carry_is_refused(table: Table) -> None:
    yard = await close(table)
    for asked in (Attack("Meena", "Xul", SABER, item="Torch"), Lunge("Meena", "Xul", item="Torch")):
        assert "There is no item called Torch." in await yard.refused(ANNA, asked)


async def test_who_stands_nowhere_is_no_target_that_is_offered(table: Table) -> None:
    yard = await opened(table, (MEENA, "2,1", "north"), (XUL, "2,5", "south"), begin=False)
    for command in ("sol attack", "sol lunge", "sol grapple"):
        assert "Xul" in await Typist(table).suggest(ANNA, command, "target", "", model="Meena")
    await yard.ask(BO, PlaceModel("Xul"))
    for command in ("sol attack", "sol lunge", "sol grapple"):
        assert "Xul" not in await Typist(table).suggest(ANNA, command, "target", "", model="Meena")
