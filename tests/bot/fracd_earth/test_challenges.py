"""Challenges in the channel: drawn and selected in secret, buffed, pushed, won, countered, survived."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from bot.actions import with_text
from bot.games.fracd_earth.activation_actions import Activate, Done, Hold, Use
from bot.games.fracd_earth.attack_actions import Attack
from bot.games.fracd_earth.attack_situation import Counter
from bot.games.fracd_earth.check_actions import Dodge, DrawByHand, FigureCheck
from bot.games.fracd_earth.detect_actions import Hide
from bot.games.fracd_earth.edge_actions import Spend
from bot.games.fracd_earth.hand_actions import LayBuff, Select
from bot.games.fracd_earth.hand_panel import ShowProgress
from bot.games.fracd_earth.move_actions import HalfMove, Move
from bot.games.fracd_earth.players import hidden_values_of, keep_hidden
from bot.games.fracd_earth.steps import Pass, Push, TimeUp
from bot.table.encounter import Encounter
from bot.table.game import game_of
from bot.table.journal.history import Redo, Undo
from bot.table.offers.legal_actions import Looking
from bot.table.session.models import AddCondition, DamageModel, HealModel, RemoveModel
from bot.table.session.settings import Settings
from tests.bot.fracd_earth.duel import ANNA, BO, Duel
from tests.bot.fracd_earth.test_odds import tokens
from tests.bot.tables import Table, opened


async def _act(duel: Duel, who: str, name: str) -> None:
    """Let a figure act, whoever's turn it was."""

    def free(encounter) -> None:  # type: ignore[no-untyped-def]
        encounter.row.counters["acting"] = encounter.find_model(name).id

    await duel.arrange(free)


async def _shot(duel: Duel, *, bo_net_two: bool = True) -> None:
    """The worked example: Vale's carbine [+] against a target in soft cover [+]."""
    await duel.stack(ANNA, top="9S 3S", buff="2H 3H 6H 8H 10H")
    await duel.stack(BO, top="5S 2S", buff="4C 7C 8C 9C 10C")
    await _act(duel, ANNA, "Captain Vale")
    await duel.ask(ANNA, Attack("Captain Vale", "Sable", 6, cover="soft"))
    await duel.press(BO, "Defence 5")


@pytest.mark.rule("FE-CHAL-10", "FE-CHAL-02", "FE-CHAL-03", "FE-OUT-04", "FE-DEF-01")
async def test_the_worked_challenge(duel: Duel) -> None:
    await _shot(duel)
    assert "Captain Vale: 2 cards, adds 5" in duel.text
    assert "Sable: 2 cards, adds 5" in duel.text
    await duel.select(ANNA, "9S")
    assert duel.first == "anna is ready."
    await duel.select(BO, "5S")
    assert duel.first == "Captain Vale 14, Sable 10: Captain Vale +4."
    for who in (BO, ANNA, BO, ANNA):
        await duel.press(who, "Pass")
    assert duel.first == "Captain Vale hits Sable with 4 to spare, earning 1 Edge."


@pytest.mark.rule("FE-CHAL-04", "FE-CHAL-05", "FE-DECK-06", "FE-DECK-08")
async def test_the_loser_buffs_first_and_passing_is_not_final(duel: Duel) -> None:
    await _shot(duel)
    await duel.select(ANNA, "9S")
    await duel.select(BO, "5S")
    running = await duel.running()
    assert running is not None
    mine = running.players
    early = await duel.ask(ANNA, LayBuff(running.id, mine[0], "reinforce 3H"))
    assert "Wait for your opponent to act." in early.reply.text
    await duel.press(BO, "Pass")
    await duel.choose(ANNA, "Play a Buff", "replace 10H")
    assert duel.first == "anna plays a Buff card face down."
    await duel.choose(BO, "Play a Buff", "reinforce 4C")
    assert duel.first == "Captain Vale 15, Sable 14: Captain Vale +1."
    assert "Sable: 5S, reinforced by 4C, Defence 5" in duel.text
    twice = await duel.ask(BO, LayBuff(running.id, mine[1], "reinforce 4C"))
    assert twice.reply.private
    assert not twice.changed


@pytest.mark.rule("FE-CHAL-06", "FE-CHAL-07", "FE-HAND-03", "FE-CHAL-08")
async def test_pushes_are_seen_when_both_have_chosen_and_cost_a_token(duel: Duel) -> None:
    await _shot(duel)
    await duel.select(ANNA, "9S")
    await duel.select(BO, "5S")
    await duel.press(BO, "Pass")
    await duel.press(ANNA, "Pass")
    await duel.press(BO, "Push")
    assert duel.first == "bo pushes."
    assert "push" not in duel.first.replace("pushes", "")
    await duel.press(ANNA, "Push")
    assert "push" in duel.text
    encounter = await duel.encounter()
    assert [side.counters["push_tokens"] for side in encounter.sides()] == [9, 10]


@pytest.mark.rule("FE-HAND-03", "FE-CHAL-06")
async def test_who_has_no_token_is_not_asked_for_a_push(duel: Duel) -> None:
    await tokens(duel)
    await _shot(duel)
    await duel.select(ANNA, "9S")
    await duel.select(BO, "5S")
    await duel.press(BO, "Pass")
    await duel.press(ANNA, "Pass")
    assert duel.first == "Captain Vale hits Sable with 4 to spare, earning 1 Edge."
    assert "bo and anna have no Push tokens left." in duel.text


@pytest.mark.rule("FE-HAND-03", "FE-CHAL-06", "FE-CHAL-07")
@pytest.mark.parametrize(("who", "other"), [(ANNA, BO), (BO, ANNA)])
async def test_who_has_a_token_may_push_where_the_other_has_none(duel: Duel, who: str, other: str) -> None:
    await tokens(duel, **{who: 3})
    await _shot(duel)
    await duel.select(ANNA, "9S")
    await duel.select(BO, "5S")
    await duel.press(BO, "Pass")
    await duel.press(ANNA, "Pass")
    labels = [button.label for button in duel.answer.reply.buttons]
    assert {"Push", "Pass"} <= set(labels)
    await duel.press(who, "Push")
    assert f"{other} has no Push tokens left." in duel.heard
    assert duel.first == f"{who} pushes."
    encounter = await duel.encounter()
    assert sorted(side.counters.get("push_tokens", 0) for side in encounter.sides()) == [0, 2]


@pytest.mark.rule("FE-HAND-03")
async def test_a_push_without_a_token_is_refused_before_any_card_is_drawn(duel: Duel) -> None:
    await _shot(duel)
    await duel.select(ANNA, "9S")
    await duel.select(BO, "5S")
    await duel.press(BO, "Pass")
    await duel.press(ANNA, "Pass")
    await tokens(duel)
    running = await duel.running()
    assert running is not None
    push = Push(running.id, running.players[1])

    def drawn_out(encounter: Encounter) -> None:
        """A pile that has to be shuffled anew before a card is drawn."""
        hidden = hidden_values_of(encounter, push.player)
        hidden["deck"]["discards"] += hidden["deck"].pop("pile")
        keep_hidden(encounter, push.player, {**hidden, "deck": {**hidden["deck"], "pile": []}})

    await duel.arrange(drawn_out)
    encounter = await duel.encounter()
    looking = Looking(encounter.book, duel.table.actor(BO))
    assert looking.refusal(push).startswith("You have no Push tokens left.")
    assert "You have no Push tokens left." in await duel.table.refused(BO, push)


@pytest.mark.rule("FE-OUT-01", "FE-PRO-03", "FE-DEF-03")
async def test_equal_totals_hit_in_part_one_column_left(duel: Duel) -> None:
    await _shot(duel)
    await duel.select(ANNA, "9S")
    await duel.select(BO, "5S")
    await duel.choose(BO, "Play a Buff", "reinforce 4C")
    for who in (ANNA, BO, ANNA):
        await duel.press(who, "Pass")
    assert duel.first == "Captain Vale partly hits Sable."
    await duel.top(BO, "2D")
    await duel.press(ANNA, "Hit")
    await duel.press(BO, "Pass")
    # 2 and armour 3 against 13: failed by 8, level 3, M one to the left is L.
    assert duel.first == "Sable takes 4 damage (6 of 10 Capacity left)."
    assert "Effects Table: level 3, column L (house table)" in duel.text


@pytest.mark.rule("FE-OUT-08", "FE-OUT-09", "FE-OUT-10", "FE-OUT-11")
async def test_edges_are_a_menu_of_the_winner_alone(duel: Duel) -> None:
    await _shot(duel)
    await duel.select(ANNA, "9S")
    await duel.select(BO, "5S")
    for who in (BO, ANNA, BO, ANNA):
        await duel.press(who, "Pass")
    running = await duel.running()
    assert running is not None
    assert (
        "You can't use those cards, because they are not yours."
        in (await duel.ask(BO, Spend(running.id, ("abuse",)))).reply.text
    )
    keys = [choice.value for choice in duel.answer.reply.menus[0].choices]
    assert keys == ["abuse", "extra_target", "move"]
    alone = await duel.table.refused(ANNA, Spend(running.id, ("extra_hit",)))
    assert "You can buy an Extra Hit only if you keep the primary hit." in alone
    dear = await duel.ask(ANNA, Spend(running.id, ("abuse", "extra_hit")))
    assert "That costs 3" in dear.reply.text
    await duel.top(BO, "2D")
    await duel.choose(ANNA, "Buy", "abuse")
    await duel.press(BO, "Pass")
    assert "column H" in duel.text


@pytest.mark.rule("FE-DEF-04", "FE-DEF-05")
async def test_a_counterattack_with_what_is_left_of_the_margin(duel: Duel) -> None:
    await duel.stack(BO, top="2D", buff="3H")
    await duel.stack(ANNA, top="10D", buff="4H 8H")
    await _act(duel, BO, "Thug")
    await duel.ask(BO, Attack("Thug", "Captain Vale", 6))
    await duel.press(ANNA, "Defence 5")
    assert duel.first == "Captain Vale defends with Defence."
    assert "Thug 6, Captain Vale 15: Captain Vale +9." in duel.text
    for who in (BO, ANNA, BO, ANNA):
        await duel.press(who, "Pass")
    assert duel.first == "Captain Vale holds Thug off with 9 to spare, earning 3 Edges."
    await duel.press(ANNA, "Counterattack")
    # 15 less 6 less Def 3 leaves 6: 2 Edges.
    assert duel.first == "Captain Vale counters and hits Thug, earning 2 Edges."
    await duel.top(BO, "2H")
    await duel.press(ANNA, "Hit")
    await duel.press(BO, "Pass")
    # A Henchman's failure is Overkill: the highest level of column M, 6 points of 5.
    assert duel.first == "Thug takes 6 damage (out of action)."
    encounter = await duel.encounter()
    victor = encounter.find_model("Thug", gone=True).hurt_by
    assert encounter.model(victor).name == "Captain Vale", "who countered, not who attacked"


@pytest.mark.rule("FE-DEF-05")
async def test_a_counterattack_takes_nothing_over_from_the_attack(duel: Duel) -> None:
    await duel.stack(BO, top="2D 2C 2S", buff="3H")
    await duel.stack(ANNA, top="10D 3S", buff="4H 8H")
    await _act(duel, BO, "Sable")
    await duel.ask(BO, Attack("Sable", "Captain Vale", 6, cover="hard", manner="focused"))
    await duel.press(ANNA, "Defence 5")
    await duel.select(BO, "2D")
    await duel.select(ANNA, "10D")
    for who in (BO, ANNA, BO, ANNA):
        await duel.press(who, "Pass")
    await duel.press(ANNA, "Counterattack")
    # 15 less 6 less Def 5 leaves 4.
    assert duel.first == "Captain Vale counters and hits Sable, earning 1 Edge."
    await duel.top(BO, "2H")
    await duel.press(ANNA, "Hit")
    # Neither the cover that Vale stood in nor Sable's bonus Effect shift.
    assert "  1 card, adds 3" in duel.answer.reply.lines
    await duel.press(BO, "Pass")
    assert "Effects Table: level 3, column M (house table)" in duel.answer.reply.lines


@pytest.mark.rule("FE-RCH-02")
async def test_a_wild_strike_is_not_countered(duel: Duel) -> None:
    await duel.stack(BO, top="2D 2C", buff="3H")
    await duel.stack(ANNA, top="10D", buff="4H 8H")
    await duel.ask(BO, Attack("Sable", "Rook", 0, "Knives", manner="wild"))
    await duel.press(ANNA, "Defence 4")
    await duel.select(BO, "2D")
    for who in (BO, ANNA, BO, ANNA):
        await duel.press(who, "Pass")
    assert duel.first == "Rook holds Sable off with 7 to spare, earning 2 Edges."
    assert "Counterattack" not in [button.label for button in duel.answer.reply.buttons]
    assert "not counter it" in await duel.table.refused(ANNA, Counter())


@pytest.mark.rule("FE-PRO-02", "FE-CMB-02", "FE-OBS-05")
async def test_hard_cover_helps_defence_and_protection(duel: Duel) -> None:
    await duel.stack(ANNA, top="9S 3S", buff="2H")
    await duel.stack(BO, top="5S 2S", buff="4C")
    await _act(duel, ANNA, "Captain Vale")
    await duel.ask(ANNA, Attack("Captain Vale", "Sable", 6, cover="hard"))
    await duel.press(BO, "Defence 5")
    assert "Sable: 2 cards, adds 5" in duel.text
    await duel.select(ANNA, "9S")
    await duel.select(BO, "5S")
    for who in (BO, ANNA, BO, ANNA):
        await duel.press(who, "Pass")
    await duel.press(ANNA, "Hit")
    assert "  2 cards, adds 3" in duel.answer.reply.lines


@pytest.mark.rule("FE-PRO-08", "FE-CHK-05")
@pytest.mark.parametrize("pushes", [True, False])
async def test_a_protection_check_that_equals_its_number_may_still_be_pushed(
    duel: Duel, pushes: bool
) -> None:
    await duel.stack(BO, top="10D", buff="3H")
    await duel.stack(ANNA, top="2D", buff="4H 8H")
    await _act(duel, BO, "Thug")
    await duel.ask(BO, Attack("Thug", "Captain Vale", 6))
    await duel.press(ANNA, "Defence 5")
    for who in (ANNA, BO, ANNA, BO):
        await duel.press(who, "Pass")
    await duel.top(ANNA, "8D 3C")
    await duel.press(BO, "Hit")
    assert "Captain Vale has 12 against TN 12." in duel.answer.reply.lines
    await duel.press(ANNA, "Push" if pushes else "Pass")
    # Equal: the effect applies, level 1 one column further left than M.
    assert duel.first == (
        "Captain Vale completely resists Thug's attack."
        if pushes
        else "Captain Vale takes 2 damage (10 of 12 Capacity left)."
    )


@pytest.mark.rule("FE-DECK-03", "FE-DECK-04")
async def test_an_ace_takes_the_top_card_and_links_one_of_the_hand(duel: Duel) -> None:
    await duel.stack(ANNA, top="AS 9D", buff="2H")
    await duel.ask(ANNA, FigureCheck("Rook", "body"))
    assert duel.answer.reply.lines[-1].endswith("link a card to the Ace (60 seconds).")
    assert [button.label for button in duel.answer.reply.buttons if button.label in ("Push", "Pass")] == []
    await duel.choose(ANNA, "Link", "9D")
    assert duel.first == "Rook has 15 against TN 10."
    # An Ace has 1 Force icon, a number card of 8 to 10 has 3.
    assert "Rook: AS+9D (value 10, diamonds, spades, Force 4)" in duel.answer.reply.why
    await duel.press(ANNA, "Pass")
    assert duel.first == "Rook succeeds by 5, earning 1 Edge."


@pytest.mark.rule("FE-DECK-10")
async def test_a_block_removes_the_opposing_card(table: Table) -> None:
    from bot.games.fracd_earth.roster_actions import ChangeCards
    from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo

    duel = Duel(table)
    await duel.ask(ANNA, StartDemo("fracd_earth"))
    await duel.ask(BO, JoinEncounter("Prowlers"))
    await duel.ask(ANNA, ChangeCards("4C", blocks="yes"))
    await duel.ask(ANNA, NextStep())
    await _shot(duel)
    await duel.select(ANNA, "9S")
    await duel.select(BO, "5S")
    await duel.choose(BO, "Play a Buff", "block 4C")
    await duel.press(ANNA, "Pass")
    assert duel.first == "Captain Vale 5, Sable 10: Sable +5."


@pytest.mark.rule("FE-DRAW-03")
async def test_a_penalty_hand_uses_its_lowest_card(duel: Duel) -> None:
    await duel.stack(ANNA, top="9S 3S", buff="2H")
    await duel.ask(ANNA, FigureCheck("Rook", "body", marks=-1))
    assert "Rook has 8 against TN 10." in duel.answer.reply.lines, "there is nothing to choose"


@pytest.mark.rule("FE-DRAW-03")
async def test_of_two_lowest_cards_one_is_chosen(duel: Duel) -> None:
    await duel.stack(ANNA, top="9S 3S 3H", buff="2H")
    await duel.ask(ANNA, FigureCheck("Rook", "body", marks=-2))
    reply = await duel.cards(ANNA)
    labels = [choice.label for menu in reply.menus for choice in menu.choices]
    assert labels == ["3S: 3 of Spades", "3H: 3 of Hearts"]
    running = await duel.running()
    assert running is not None
    high = await duel.ask(ANNA, Select(running.id, running.players[0], "9S"))
    assert "Select the lowest card (3 of Spades), because this is a penalty hand." in high.reply.text
    await duel.select(ANNA, "3S")
    assert duel.first == "Rook has 8 against TN 10."


async def test_the_opponent_picks_from_a_penalty_hand_where_the_table_plays_so(duel: Duel) -> None:
    await duel.ask(ANNA, Settings("penalty_hand", "opponent_picks"))
    await duel.stack(ANNA, top="9S 3S", buff="2H")
    await duel.ask(ANNA, FigureCheck("Rook", "body", marks=-1))
    assert any("2 cards (the opponent picks one), adds " in line for line in duel.answer.reply.lines)
    assert (await duel.cards(ANNA)).menus == ()
    await duel.choose(BO, "Select a card from the penalty hand", "9S")
    assert duel.first == "Rook has 14 against TN 10."


async def test_cards_one_does_not_hold_and_a_fifth_card_are_refused(duel: Duel) -> None:
    await _shot(duel)
    running = await duel.running()
    assert running is not None
    mine, theirs = running.players
    assert "Select a card from your Draw Hand." in await duel.table.refused(
        ANNA, Select(running.id, mine, "KD")
    )
    assert "You can't use those cards, because they are not yours." in await duel.table.refused(
        ANNA, Select(running.id, theirs, "5S")
    )
    assert "there is no " in await duel.table.refused(ANNA, Select(running.id, mine, "99X"))
    assert "You can pass only in the buff step or the push step." in await duel.table.refused(
        ANNA, Pass(running.id, mine)
    )
    await duel.select(ANNA, "9S")
    assert "You've already selected a card." in await duel.table.refused(ANNA, Select(running.id, mine, "3S"))
    await duel.select(BO, "5S")
    assert "your Buff Hand" in await duel.table.refused(BO, LayBuff(running.id, theirs, "replace KD"))
    assert "can't reinforce" in await duel.table.refused(BO, LayBuff(running.id, theirs, "reinforce 8C"))
    assert "push step" in await duel.table.refused(BO, Push(running.id, theirs))
    assert "Finish the current" in await duel.table.refused(ANNA, FigureCheck("Rook"))


@pytest.mark.rule("FE-CHAL-01")
async def test_nobody_moves_hides_or_waits_in_the_middle_of_it(duel: Duel) -> None:
    await _act(duel, ANNA, "Captain Vale")
    await duel.ask(ANNA, Attack("Captain Vale", "Sable", 6))
    before = duel.table.state()
    for who, action in (
        (BO, Hide("Sable")),
        (BO, Hold("Sable")),
        (ANNA, Hide("Captain Vale")),
        (ANNA, Move("Captain Vale")),
        (ANNA, HalfMove("Captain Vale", "cross", 2)),
        (ANNA, Move("Captain Vale", asks=True)),
        (ANNA, HalfMove("Captain Vale", "cross", 2, asks=True)),
        (ANNA, Use("Captain Vale", "command")),
        (ANNA, Done()),
        *((BO, spoils("Sable")) for spoils in (RemoveModel, DamageModel, HealModel)),
        (BO, AddCondition("Sable", "prone")),
    ):
        assert "Finish the current" in await duel.table.refused(who, action), action
    assert duel.table.state() == before
    await duel.ask(ANNA, Use("Captain Vale", "fall prone"))
    assert duel.first == "Captain Vale: fall prone."


async def test_a_fifth_draw_card_is_refused(duel: Duel) -> None:
    assert "A Draw Hand has 1 to 4 cards (you entered 5)." in await duel.table.refused(
        ANNA, DrawByHand("Rook", 5)
    )
    await duel.ask(ANNA, DrawByHand("Rook", 4))
    assert "4 cards, adds 0" in duel.text


async def test_no_organiser_overrides_cards(duel: Duel) -> None:
    await _shot(duel)
    running = await duel.running()
    assert running is not None
    _, theirs = running.players
    for action in (
        Select(running.id, theirs, "5S"),
        LayBuff(running.id, theirs, "replace 7C"),
        Pass(running.id, theirs),
        FigureCheck("Sable", odds=True),
    ):
        answer = await duel.table.do(ANNA, action, reason="let me")
        assert answer.reply.private
        assert not answer.changed
        assert not answer.reply.buttons


@pytest.mark.rule("FE-MAN-01")
async def test_a_mover_must_score_higher(duel: Duel) -> None:
    await duel.stack(ANNA, top="8D", buff="2H")
    await duel.stack(BO, top="6D", buff="2D")
    await duel.ask(ANNA, Dodge("Rook", "Sable"))
    assert "Rook 12, Sable 12: equal." in duel.text
    for who in (BO, ANNA, BO, ANNA):
        await duel.press(who, "Pass")
    assert duel.first == "Sable holds Rook back on a tie."


# ------------------------------------------------------------------------------------ coming back, time


async def test_a_challenge_goes_on_after_a_restart_and_from_anywhere(file: Path) -> None:
    async with opened(file) as table:
        duel = await Duel.open(table)
        await _shot(duel)
        await duel.select(ANNA, "9S")
        kept, ids = duel.answer, duel.table.ids
    async with opened(file, 50) as table:
        table.ids, table.interactions = ids, itertools.count(90_001)
        again = Duel(table, kept)
        assert "bo: select a card" in (await again.ask(BO, ShowProgress())).reply.text
        await again.select(BO, "5S")
        assert again.first == "Captain Vale 14, Sable 10: Captain Vale +4."


async def test_time_is_up_only_when_it_is(duel: Duel) -> None:
    clock = [1_700_000_000_000]
    duel.table.desk.store._clock = lambda: clock[0]
    await duel.ask(ANNA, Settings("reaction_seconds", "30"))
    await _shot(duel)
    await duel.select(ANNA, "9S")
    clock[0] += 29_000
    early = await duel.ask(ANNA, TimeUp())
    assert "Wait 1 second, because bo can still answer." in early.reply.text
    clock[0] += 1_000
    await duel.ask(ANNA, TimeUp())
    assert duel.first == "Captain Vale 14, Sable 10: Captain Vale +4."
    clock[0] += 30_000
    for _ in range(4):
        await duel.ask(ANNA, TimeUp())
        clock[0] += 30_000
    assert duel.first == "Captain Vale hits Sable with 4 to spare, earning 1 Edge."
    await duel.ask(BO, TimeUp())
    assert duel.first.startswith("Time is up for anna")
    assert "The hit counts." in duel.text


async def test_undo_and_redo_give_the_same_cards(duel: Duel) -> None:
    await _shot(duel)
    before = duel.table.state()
    await duel.select(ANNA, "9S")
    after = duel.table.state()
    await duel.ask(BO, Undo())
    assert duel.first == "bo asks anna to agree to undo this:"
    undone = await duel.table.press(ANNA, duel.answer, "Agree")
    assert undone.reply.lines[0] == "Undone: ~~anna is ready.~~"
    assert duel.table.state() == before
    await duel.table.agreed(BO, Redo())
    assert duel.table.state() == after


async def test_out_of_turn(duel: Duel) -> None:
    encounter = await duel.encounter()
    side = encounter.count("to act")
    wrong = next(row for row in encounter.models() if row.side != side)
    who = {1: ANNA, 2: BO}[wrong.side]
    assert "to act first." in await duel.table.refused(who, Activate((wrong.id,)))
    assert "No figure is acting." in await duel.table.refused(who, Done())
    other = next(row for row in encounter.models() if row.side == side)
    assert "no figure is acting" in await duel.table.refused(who, Attack(wrong.name, other.name, 1))


async def test_go_on_shows_who_is_asked_the_cards_with_all_that_may_be_pressed(duel: Duel) -> None:
    """One private message to answer from."""
    await _shot(duel)
    asked = (await duel.ask(ANNA, ShowProgress())).reply
    assert "anna: select a card." in asked.lines
    assert [menu.prompt for menu in asked.menus] == ["Select a card"]
    await duel.select(ANNA, "9S")
    waiting = (await duel.ask(ANNA, ShowProgress())).reply
    assert "bo: select a card (60 seconds)." in waiting.lines
    assert [button.label for button in waiting.buttons] == ["Cards"]
    await duel.select(BO, "5S")
    hand = (await duel.cards(BO)).buttons
    assert [button.label for button in hand] == ["Pass", "Chances", "Refresh"]
    assert "Pass" not in [button.label for button in (await duel.cards(ANNA)).buttons]


@pytest.mark.rule("FE-CHAL-04", "FE-CHAL-05", "FE-DECK-06")
async def test_the_menu_of_buff_cards_says_what_each_would_make_of_the_totals(duel: Duel) -> None:
    await _shot(duel)
    await duel.select(ANNA, "9S")
    await duel.select(BO, "5S")
    menu = next(menu for menu in (await duel.cards(BO)).menus if menu.prompt == "Play a Buff card")
    notes = {choice.label: choice.note for choice in menu.choices}
    # Sable 10 of 5S and Def 5, against Vale's 14
    assert notes["Reinforce with 4C"] == "Sable 14, Captain Vale 14: equal"
    assert all(note.startswith("Sable ") for note in notes.values())
    await duel.choose(BO, "Play a Buff", "reinforce 4C")
    await duel.press(ANNA, "Pass")
    assert duel.first == "Captain Vale 14, Sable 14: equal."


async def test_traits_are_named_in_full_where_they_are_pressed_and_chosen(duel: Duel) -> None:
    await _act(duel, ANNA, "Captain Vale")
    await duel.ask(ANNA, Attack("Captain Vale", "Sable", 6))
    assert [button.label for button in duel.answer.reply.buttons][:2] == ["Defence 5", "Manoeuvre 6"]
    looking = Looking((await duel.table.loaded()).book(), duel.table.actor(ANNA))
    offers = looking.offers(FigureCheck(), "trait")
    assert [(one.value, one.label) for one in offers][:4] == [
        ("cast", "Cast"),
        ("def", "Defence"),
        ("fight", "Fight"),
        ("manv", "Manoeuvre"),
    ]


@pytest.mark.rule("FE-TURN-01")
async def test_who_alone_can_act_is_a_button_and_no_question(duel: Duel) -> None:
    def but_one(encounter: Encounter) -> None:
        for model in encounter.models(1):
            model.counters["activated"] = int(model.name != "Captain Vale")
        encounter.row.counters.pop("acting", None)
        encounter.row.counters["to_act"] = 1

    await duel.arrange(but_one)
    encounter = await duel.encounter()
    panel = game_of(encounter).panel(encounter)
    assert panel.menus == ()
    assert panel.buttons[0].label == "Captain Vale acts"
    acts = await duel.ask(ANNA, panel.buttons[0].action)
    assert acts.changed, acts.reply.text


async def test_a_card_is_chosen_first_and_laid_by_a_second_press(duel: Duel) -> None:
    """One private message with a step back: what was chosen is done, and known to others, only then."""
    await _shot(duel)
    hand = await duel.cards(ANNA)
    (menu,) = hand.menus
    piece = {choice.label: choice.value for choice in menu.choices}["3S: 3 of Spades"]
    said, version = len(duel.heard), duel.answer.version
    chosen = await duel.ask(ANNA, with_text(menu.action, {menu.fills: (piece,)}))
    assert (chosen.reply.private, chosen.reply.replaces, chosen.version) == (True, True, version)
    assert chosen.reply.lines[-1] == "Select 3S: 3 of Spades."
    assert [button.label for button in chosen.reply.buttons] == ["Select 3S", "Back"]
    back = await duel.table.press(ANNA, chosen, "Back")
    assert back.reply == hand
    assert len(duel.heard) == said, "nobody else has heard of it"
    stolen = await duel.ask(BO, replace(chosen.reply.buttons[1].action, pieces=(int(piece),)))
    assert "3S" not in stolen.reply.text, "who presses it sees the own cards"
    await duel.select(ANNA, "9S")
    late = await duel.ask(ANNA, replace(chosen.reply.buttons[1].action, pieces=(int(piece),)))
    assert late.reply.lines[-1] == "This choice is no longer open."
    assert [button.label for button in late.reply.buttons] == ["Back"]
    await duel.select(BO, "5S")
    assert "Captain Vale: 9S" in duel.text
