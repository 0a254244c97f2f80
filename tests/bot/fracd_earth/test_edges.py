"""What Edges buy, and what a group adds: further hits by the team, moving in, a defence together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.fracd_earth.area_actions import AreaAttack
from bot.games.fracd_earth.area_resolution import ChooseCaught
from bot.games.fracd_earth.attack_actions import Attack, Defend
from bot.games.fracd_earth.check_actions import Dodge
from bot.games.fracd_earth.detect_actions import Hide
from bot.games.fracd_earth.edge_actions import Spend
from bot.games.fracd_earth.figures import activation_of
from bot.games.fracd_earth.hand_actions import Morph
from bot.games.fracd_earth.move_actions import PassBy
from bot.games.fracd_earth.roster_actions import AddFigure, Sustain
from bot.table.encounter import Encounter
from bot.table.session.models import AddCondition, HealModel
from bot.table.session.settings import Settings
from tests.bot.fracd_earth.duel import ANNA, BO, Duel, on_top
from tests.bot.fracd_earth.test_odds import ranked
from tests.bot.fracd_earth.test_previews import ROOK, VALE, acts
from tests.bot.fracd_earth.test_three_sides import acting, open_three
from tests.bot.tables import Table

SHOT = Attack(VALE, "Sable", 6)


async def won(duel: Duel, attack: Attack, mine: str, theirs: str, answer: str = "Defence 5") -> None:
    """Anna's attack is drawn for with these cards; nobody buffs or pushes."""
    await duel.stack(ANNA, top=mine, buff="2H")
    await duel.stack(BO, top=theirs, buff="VOID")
    await duel.ask(ANNA, attack)
    await duel.press(BO, answer)
    for who, cards in ((ANNA, mine), (BO, theirs)):
        running = await duel.running()
        assert running is not None
        seat = next(
            seat
            for seat in map(running.seat_of, running.players)
            if seat and seat.entry.player == {ANNA: 1, BO: 2}[who]
        )
        if not seat.shown.ready:
            await duel.select(who, cards.split()[0])
    for _ in range(4):
        running = await duel.running()
        if running is None or running.stage != "cards":
            break
        turn = running.challenge.turn
        assert turn is not None
        await duel.press(ANNA if running.challenge.seat(turn).entry.player == 1 else BO, "Pass")


def offered(duel: Duel) -> dict[str, str]:
    """What can be bought now: values by their labels."""
    return {choice.label: choice.value for menu in duel.answer.reply.menus for choice in menu.choices}


# ------------------------------------------------------------------------------------ the team


@pytest.mark.rule("FE-TEAM-02", "FE-OUT-11")
async def test_further_hits_are_spread_over_the_team(duel: Duel) -> None:
    def practised(encounter: Encounter) -> None:
        row = encounter.find_model(ROOK)
        row.profile = row.profile.replace("2 L vs dp", "2 L vs dp // row +2")

    await duel.arrange(practised)
    await acts(duel, VALE)
    # 15 against 5 and Def 3 less 1 for its size: 2 Edges.
    await won(duel, replace(SHOT, target="Ironjaw", support="Rook"), "10S 2S 3S", "5C", "Defence 3")
    assert duel.first == "Captain Vale hits Ironjaw with 8 to spare, earning 2 Edges."
    labels = offered(duel)
    assert labels["Extra Hit: 1 Edge"] == "extra_hit"
    assert labels["Extra Hit 2: 2 Edges"] == "extra_hit:2"
    by_rook = labels["Extra Hit by Rook with Pistol: 1 Edge"]
    assert not any("Halberd" in label or "Ember" in label for label in labels)
    running = await duel.running()
    assert running is not None
    for keys, said in (
        ((by_rook, "extra_hit:2"), "only if you keep the primary hit"),
        (("hit_by:3:0",), "a member of the team"),
        (("hit_by:2:0",), "a weapon that this member"),
    ):
        assert said in await duel.table.refused(ANNA, Spend(running.id, keys))
    await duel.arrange(lambda encounter: _top(encounter, "7H 7D 6H"))
    await duel.choose(ANNA, "Buy", "extra_hit", by_rook)
    assert duel.first == "Captain Vale: Extra Hit, Extra Hit by Rook."
    # Carbine, Force 3, twice; then Rook's Pistol, Force 2.
    for by, tn, shifts in ((VALE, 13, 0), (VALE, 13, 0), (ROOK, 12, 2)):
        assert f"Ironjaw makes a Protection Check with Physical armour (TN {tn})." in duel.answer.reply.lines
        owed = await duel.running()
        assert owed is not None
        striker = (await duel.encounter()).model(owed.facts["by"]).name
        assert (striker, owed.facts["effect_shifts"]) == (by, shifts)
        await duel.press(BO, "Pass")
    assert (await duel.running()) is None


def _top(encounter: Encounter, cards: str) -> None:
    on_top(encounter, 2, cards)


@pytest.mark.rule("FE-OUT-08", "FE-OUT-10")
async def test_extra_abuse_is_for_those_whose_card_lists_it(duel: Duel) -> None:
    await acts(duel, VALE)
    await won(duel, SHOT, "10S 2S", "2C")
    assert not any("Extra Abuse" in label for label in offered(duel))
    running = await duel.running()
    assert running is not None
    assert "if it is on the figure's Crew Card" in await duel.table.refused(
        ANNA, Spend(running.id, ("extra_abuse",))
    )
    await duel.arrange(lambda encounter: _top(encounter, "3H"))
    await duel.press(ANNA, "Hit")
    await duel.press(BO, "Pass")

    def lists(encounter: Encounter) -> None:
        row = encounter.find_model(VALE)
        row.profile = row.profile.replace("3 M vs dp", "3 M vs dp // extra abuse")

    await acts(duel, VALE)
    await duel.arrange(lists)
    await won(duel, SHOT, "10S 2S", "2C")
    assert offered(duel)["Extra Abuse: 2 Edges"] == "extra_abuse"
    await duel.arrange(lambda encounter: _top(encounter, "2H"))
    await duel.choose(ANNA, "Buy", "extra_abuse")
    await duel.press(BO, "Pass")
    # M two columns to the right is VH; 5 against 13 is level 3.
    assert "Effects Table: level 3, column VH (house table)" in duel.answer.reply.lines


# ------------------------------------------------------------------------------------ moving in


@pytest.mark.rule("FE-RCH-05", "FE-RCH-06", "FE-OUT-04")
async def test_who_moves_in_strikes_with_the_first_edge_and_spends_the_rest(duel: Duel) -> None:
    await duel.ask(
        BO,
        AddFigure("name: Pike\ntraits: def 2\nweapon: 1 // Pike // - // Reach 2 // 1 M vs dp", 1, "Prowlers"),
    )
    await acts(duel, VALE)
    strike = Attack(VALE, "Pike", 0, "Sabre")
    # Inside reach: two cards. 14 against 6: by 8, 2 Edges.
    await won(duel, strike, "10S 2S", "4C", "Defence 2")
    assert duel.first == "Captain Vale hits Pike with 8 to spare, earning 2 Edges."
    await duel.arrange(lambda encounter: _top(encounter, "3H"))
    await duel.choose(ANNA, "Buy", "close_in", "abuse")
    assert duel.answer.reply.lines[:2] == (
        "Captain Vale may move in by up to 2 inches and strike.",
        "Captain Vale: Abuse.",
    )
    await duel.press(BO, "Pass")
    assert any("column H" in line for line in duel.answer.reply.lines)
    await acts(duel, VALE)
    await duel.ask(BO, HealModel("Pike", 9))
    # By 1 only: it moves in and strikes nobody.
    await won(duel, strike, "3S 2S", "4C", "Defence 2")
    running = await duel.running()
    assert running is not None
    assert "That costs 1" in await duel.table.refused(ANNA, Spend(running.id, ("close_in", "move")))
    await duel.choose(ANNA, "Buy", "close_in")
    assert duel.answer.reply.lines[0] == "Captain Vale may move in by up to 2 inches."
    assert (await duel.running()) is None


@pytest.mark.rule("FE-RCH-06", "FE-OUT-09")
async def test_a_move_bought_goes_anywhere_but_behind(duel: Duel) -> None:
    await acts(duel, VALE)
    await won(duel, SHOT, "6S 2S", "4C")
    await duel.choose(ANNA, "Buy", "move")
    assert duel.answer.reply.lines[:2] == (
        "Captain Vale: Move up to 2 inches, no hit.",
        "Captain Vale may move 2 inches towards the opponent, away, left or right, but not behind the "
        "opponent.",
    )


# ------------------------------------------------------------------------------------ slams and targets


@pytest.mark.rule("FE-RCH-07")
async def test_a_slam_is_a_challenge_and_harms_nobody_by_itself(duel: Duel) -> None:
    charge = PassBy(ROOK, "Ironjaw", -0.5, charge=True)
    early = await duel.ask(ANNA, charge)
    assert early.reply.lines[1] == "It is not Rook's activation (no figure is acting)."
    assert not early.reply.buttons
    await acts(duel, ROOK, pace="rush")
    assert "after a Rush, because it takes the Main action" in await duel.table.refused(ANNA, charge)
    await acts(duel, ROOK)
    await duel.stack(ANNA, top="10S", buff="2H")
    await duel.stack(BO, top="2C", buff="4C")
    duel.answer = await duel.table.press(ANNA, await duel.ask(ANNA, charge), "Slam")
    assert duel.first == "Rook slams into Ironjaw."
    await duel.press(BO, "Defence 3")
    await duel.select(ANNA, "10S")
    for who in (BO, ANNA, BO, ANNA):
        await duel.press(who, "Pass")
    # 16 against 5 less 1 for Ironjaw's size.
    assert duel.first == "Slam: Rook beats Ironjaw by 12, earning 4 Edges."
    assert "Decide together what the Slam does." in duel.answer.reply.lines
    assert (await duel.running()) is None
    assert (await duel.encounter()).find_model("Ironjaw").damage == 0


@pytest.mark.rule("FE-OUT-12", "FE-DET-01")
async def test_a_hidden_figure_is_no_further_target(table: Table) -> None:
    duel = await open_three(table)
    await duel.ask(BO, Hide("Thug 2"))
    await acts(duel, VALE)
    await won(duel, SHOT, "10S 2S", "2C")
    await duel.choose(ANNA, "Buy", "extra_target")
    menu = duel.answer.reply.menus[0]
    # With a third side, the menu that all read does not tell what one side has found.
    assert [choice.label for choice in menu.choices] == ["Ironjaw", "Thug", "Thug 2", "Gull", "Gull 2"]
    running = await duel.running()
    assert running is not None
    number = next(int(choice.value) for choice in menu.choices if choice.label == "Thug 2")
    assert "Detect Thug 2 first, because it is Hidden." in await table.refused(
        ANNA, Spend(running.id, extra=(number,))
    )


@pytest.mark.rule("FE-OUT-12", "FE-DET-01")
async def test_between_two_sides_a_hidden_figure_is_not_offered(duel: Duel) -> None:
    await duel.ask(BO, Hide("Thug 2"))
    await acts(duel, VALE)
    await won(duel, SHOT, "10S 2S", "2C")
    await duel.choose(ANNA, "Buy", "extra_target")
    assert [choice.label for choice in duel.answer.reply.menus[0].choices] == ["Ironjaw", "Thug"]


# ------------------------------------------------------------------------------------ Minions


@pytest.mark.rule("FE-CREW-02")
async def test_a_minion_gains_no_edges_by_dodging_or_avoiding(duel: Duel) -> None:
    await duel.arrange(ranked(ROOK, "minion"), ranked("Sable", "minion"))
    for other, said in (("Sable", "with 9 to spare, earning 3 Edges."), ("Ironjaw", "with 6 to spare.")):
        await duel.stack(ANNA, top="10S", buff="2H")
        await duel.stack(BO, top="2C", buff="4C")
        await duel.ask(ANNA, Dodge(ROOK, other, "manv", "body"))
        for who in (BO, ANNA, BO, ANNA):
            await duel.press(who, "Pass")
        # 14 against 2 and Body 3 or 6.
        assert duel.first == f"Rook gets past {other} {said}"
    await duel.arrange(acting("Ironjaw"), ranked(ROOK, "minion"))
    await duel.stack(BO, top="10C")
    await duel.stack(ANNA, top="10S", buff="2H")
    await duel.ask(BO, AreaAttack("Ironjaw", 4, 4, delivery="aerodynamic"))
    await duel.press(BO, "Pass")
    running = await duel.running()
    assert running is not None
    await duel.ask(BO, ChooseCaught(running.id, ROOK))
    await duel.press(ANNA, "Pass")
    # Shoot 2 and 10 are 1 above 11; Rook has 14 against 10 and that 1.
    assert duel.first == "Rook avoids the area with 3 to spare."
    assert "Duck into cover" not in [button.label for button in duel.answer.reply.buttons]
    assert (
        "anna: Rook may move up to 2 in. Does the move take it out of the area? (60 seconds)"
        in duel.answer.reply.lines
    )


# ------------------------------------------------------------------------------------ together


GUARD = "\n".join(
    (
        "name: Guard",
        "traits: def 2",
        "effect: Shield // wall // def // +2 // +0",
        "effect: Plates // skin // dp // +1 // +0",
    )
)


@pytest.mark.rule("FE-TEAM-03", "FE-DECK-09")
async def test_a_combined_defence_takes_the_best_and_joins_a_draw_card(duel: Duel) -> None:
    await duel.ask(BO, AddFigure(GUARD, 1, "Prowlers"))
    await acts(duel, VALE)
    await duel.stack(ANNA, top="9S 2S", buff="2H")
    await duel.stack(BO, top="5C 4D 3D", buff="4C")
    await duel.ask(BO, AddCondition("Thug", "inactive"))
    await duel.ask(ANNA, SHOT)
    assert next(button for button in duel.answer.reply.buttons if button.label == "Together...").asks
    running = await duel.running()
    assert running is not None
    together = Defend(running.id, "Def", running.entry, "Guard, Thug")
    assert "Choose allies of Sable" in await duel.table.refused(BO, replace(together, group="Sable"))
    assert "Choose allies of Sable" in await duel.table.refused(BO, replace(together, group="Rook"))
    assert "Inactive" in await duel.table.refused(BO, together)
    await duel.ask(BO, replace(together, group="Guard"))
    assert "Sable defends with Defence, together with Guard." in duel.answer.reply.lines
    assert "Sable: 3 cards, adds 5" in duel.answer.reply.lines
    assert "  [+] [+] best of the group FE-TEAM-03" in duel.answer.reply.why
    assert activation_of((await duel.encounter()).find_model("Guard")).reactions == 1
    await duel.select(ANNA, "9S")
    await duel.select(BO, "5C")
    # 14 against 10. An unused card of the Draw Hand joins: a 4 joins equal or higher ones.
    await duel.choose(BO, "Play a Buff", "reinforce 4D")
    await duel.press(ANNA, "Pass")
    assert duel.first == "Captain Vale 14, Sable 14: equal."
    for who in (BO, ANNA):
        await duel.press(who, "Pass")
    assert duel.first == "Captain Vale partly hits Sable."
    await duel.arrange(lambda encounter: _top(encounter, "7D 3H"))
    await duel.press(ANNA, "Hit")
    assert "  2 cards, adds 3" in duel.answer.reply.lines
    await duel.select(BO, "7D")
    # 10 against 13: the 3 that was drawn too joins it, and equals the TN.
    await duel.choose(BO, "Reinforce", "reinforce 3H")
    assert duel.first == "Sable has 13 against TN 13."


@pytest.mark.rule("FE-PRO-01", "FE-DECK-09")
async def test_a_group_is_not_asked_where_its_protection_has_succeeded(duel: Duel) -> None:
    await duel.ask(BO, AddFigure(GUARD, 1, "Prowlers"))
    await acts(duel, VALE)
    await duel.stack(ANNA, top="9S 2S", buff="2H")
    await duel.stack(BO, top="5C 4D 3D", buff="4C")
    await duel.ask(ANNA, SHOT)
    running = await duel.running()
    assert running is not None
    await duel.ask(BO, Defend(running.id, group="Guard"))
    await duel.select(ANNA, "9S")
    await duel.select(BO, "5C")
    for who in (BO, ANNA, BO, ANNA):
        await duel.press(who, "Pass")
    await duel.arrange(lambda encounter: _top(encounter, "FLOOD 3H"))
    await duel.press(ANNA, "Hit")
    await duel.select(BO, "FLOOD")
    # 12 and 3 are above 13.
    assert duel.first == "Sable completely resists Captain Vale's attack."


SNIPER = "\n".join(
    (
        "name: Sniper",
        "traits: shoot 5",
        "weapon: 5 // Long Rifle // - // Range 24 // 3 M vs dp // row +1; column +1",
        "weapon: 1 // Stick // - // Reach 0 // 1 L vs dp // row +9 more",
    )
)


@pytest.mark.rule("FE-PRO-04", "FE-PRO-03", "FE-TEAM-03")
@pytest.mark.parametrize("group", [False, True])
async def test_abilities_shift_rows_and_columns_and_a_group_has_the_best_of_them(
    duel: Duel, group: bool
) -> None:
    await duel.ask(ANNA, AddFigure(SNIPER, 1, "Wardens"))
    attacker = VALE if group else "Sniper"
    await acts(duel, attacker)
    await won(duel, Attack(attacker, "Sable", 6, group="Sniper" if group else ""), "10S 2S", "2C")
    await duel.arrange(lambda encounter: _top(encounter, "7H"))
    await duel.press(ANNA, "Hit")
    await duel.press(BO, "Pass")
    # 10 against 13 is level 2, one row more level 3; M one column to the right is H.
    assert "Effects Table: level 3, column H (house table)" in duel.answer.reply.lines


@pytest.mark.rule("FE-CMB-06")
async def test_what_is_sustained_takes_cards_from_protection_too(duel: Duel) -> None:
    await duel.ask(BO, Sustain("Sable", "Flame"))
    await acts(duel, VALE)
    await won(duel, SHOT, "10S 2S", "2C 3C")
    await duel.press(ANNA, "Hit")
    assert "  2 cards (the lowest counts), adds 3" in duel.answer.reply.lines


@pytest.mark.rule("FE-OUT-08")
async def test_a_hit_without_a_choice_counts_at_once(duel: Duel) -> None:
    await duel.ask(ANNA, Settings("edge_cost_move", "2"))
    await acts(duel, VALE)
    await won(duel, SHOT, "5S 2S", "5C 3C")
    assert duel.first == "Captain Vale partly hits Sable."
    assert "The hit counts." in duel.answer.reply.lines
    assert "Hit" not in [button.label for button in duel.answer.reply.buttons]


@pytest.mark.rule("FE-CHAL-09")
async def test_a_caster_that_has_morphed_is_not_asked_again(duel: Duel) -> None:
    await duel.ask(ANNA, Sustain("Ember", "Flame"))
    await acts(duel, "Thug")
    await duel.stack(ANNA, top="3H 9S", buff="2H")
    await duel.stack(BO, top="2C", buff="VOID")
    await duel.ask(BO, Attack("Thug", "Ember", 6))
    await duel.press(ANNA, "Defence 4")
    while "Pass" in [button.label for button in duel.answer.reply.buttons]:
        running = await duel.running()
        assert running is not None
        turn = running.challenge.turn
        assert turn is not None
        await duel.press(ANNA if running.challenge.seat(turn).entry.player == 1 else BO, "Pass")
    assert duel.answer.reply.lines[-1].startswith("anna: morph a card or do nothing more")
    running = await duel.running()
    assert running is not None
    await duel.ask(ANNA, Morph(running.id, running.players[1], "9S"))
    assert duel.first.startswith("anna morphs ")
    assert await duel.running() is None
