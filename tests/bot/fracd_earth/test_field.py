"""Checks, hiding, areas, movement, turns, the deck's make-up: everything beside the Challenge itself."""

from __future__ import annotations

import pytest

from bot.games.fracd_earth import hide_tokens
from bot.games.fracd_earth.activation_actions import Activate, Done, Hold, Interrupt, Use
from bot.games.fracd_earth.area_actions import AreaAttack, Shift
from bot.games.fracd_earth.area_resolution import ChooseCaught
from bot.games.fracd_earth.attack_actions import Attack
from bot.games.fracd_earth.check_actions import FigureCheck
from bot.games.fracd_earth.detect_actions import Detect, Flip, Hide, Tokens
from bot.games.fracd_earth.figures import activation_of
from bot.games.fracd_earth.hand_actions import Chances
from bot.games.fracd_earth.move_actions import HalfMove, Leave, Move, PassBy, Surge
from bot.games.fracd_earth.roster_actions import AddFigure, ChangeCards, ChangeTable, Solo, Sustain, WriteCard
from bot.games.fracd_earth.settings import settings_of
from bot.games.fracd_earth.turn_actions import Redraw
from bot.table.encounter import Encounter
from bot.table.journal.history import Undo
from bot.table.reaction_windows import window_of
from bot.table.session.encounters import EndEncounter, JoinEncounter, NextStep, StartDemo
from bot.table.session.models import AddCondition, DamageModel, ShowModel
from rules.systems.fracd_earth.cards import card_number
from tests.bot.fracd_earth.duel import ANNA, BO, Duel
from tests.bot.tables import Table


async def act(duel: Duel, name: str) -> None:
    """Let a figure act, whoever's turn it was."""

    def free(encounter: Encounter) -> None:
        encounter.row.counters["acting"] = encounter.find_model(name).id

    await duel.arrange(free)


# ------------------------------------------------------------------------------------ Checks


@pytest.mark.rule("FE-CHK-01", "FE-CHK-03", "FE-CHK-04", "FE-CHK-07")
@pytest.mark.parametrize(
    ("card", "aon", "said"),
    [
        ("6S", False, "Rook succeeds by 1."),
        ("5S", False, "Rook partly succeeds."),
        ("5S", True, "Rook fails, because a tie is not enough."),
        ("2S", False, "Rook fails by 3."),
        ("8S", False, "Rook succeeds by 3, earning 1 Edge."),
    ],
)
async def test_a_check(duel: Duel, card: str, aon: bool, said: str) -> None:
    await duel.stack(ANNA, top=card)
    await duel.ask(ANNA, FigureCheck("Rook", "body", aon=aon))
    await duel.press(ANNA, "Pass")
    assert duel.first == said
    assert len((await duel.deck(ANNA)).discards) == 1


@pytest.mark.rule("FE-CHK-05")
async def test_a_check_may_be_pushed_once(duel: Duel) -> None:
    await duel.stack(ANNA, top="2S 4D")
    await duel.ask(ANNA, FigureCheck("Rook", "body"))
    await duel.press(ANNA, "Push")
    assert duel.first == "Rook succeeds by 1."
    assert (await duel.deck(ANNA)).pushes == 9


@pytest.mark.rule("FE-DECK-11")
async def test_an_empty_deck_is_shuffled_anew(duel: Duel) -> None:
    encounter = await duel.encounter()
    keys = [card.key for card in settings_of(encounter).deck]
    await duel.stack(ANNA, top="2S", discards=" ".join(key for key in keys if key != "2S"))
    await duel.ask(ANNA, FigureCheck("Rook", "body", marks=2))
    deck = await duel.deck(ANNA)
    assert (len(deck.draw_hand), len(deck.pile), deck.discards) == (3, 51, ())


async def test_chances_are_exact_and_ones_own(duel: Duel) -> None:
    await duel.stack(ANNA, top="2S")
    answer = await duel.ask(ANNA, FigureCheck("Rook", "body", odds=True))
    assert answer.reply.private
    assert not answer.changed
    assert "Exact. The odds are based on the cards left in your deck." in " ".join(answer.reply.lines)
    encounter = await duel.encounter()
    keys = [card.key for card in settings_of(encounter).deck]
    left = ["6S", "5S", "2S", "8S"]
    await duel.stack(ANNA, top=" ".join(left), discards=" ".join(key for key in keys if key not in left))
    lines = (await duel.ask(ANNA, FigureCheck("Rook", "body", odds=True))).reply.lines
    # Body 5 against 10: of two of the four cards that are left, one drawn and one pushed, every pair is above
    # 5 by 2 or more; by 3 all but 2 and 5.
    assert lines[1:4] == (
        "success 100% ####################",
        "partial   0%",
        "an Edge  83% #################",
    )
    assert "The odds include a Push. Exact." in " ".join(lines)
    other = await duel.ask(ANNA, FigureCheck("Sable", "body", odds=True))
    assert "is not yours" in other.reply.text
    row = (await duel.cards(BO)).buttons[0].action
    assert isinstance(row, Chances)
    assert "You can't use those cards, because they are not yours." in await duel.table.refused(ANNA, row)
    assert "Best of 4" in (await duel.ask(BO, row)).reply.text


@pytest.mark.rule("FE-DEF-02")
async def test_an_inactive_target_is_hit_on_ten(duel: Duel) -> None:
    await duel.ask(BO, AddCondition("Sable", "inactive"))
    await duel.stack(ANNA, top="5S 2D")
    await act(duel, "Captain Vale")
    await duel.ask(ANNA, Attack("Captain Vale", "Sable", 6))
    await duel.select(ANNA, "5S")
    await duel.press(ANNA, "Pass")
    assert duel.first == "Captain Vale partly hits Sable."


@pytest.mark.rule("FE-TEAM-01", "FE-ACT-06")
async def test_supporters_give_their_main_action(duel: Duel) -> None:
    await act(duel, "Captain Vale")
    await duel.ask(ANNA, Attack("Captain Vale", "Sable", 6, support="Rook, Ember"))
    assert "Carbine, 6 in: 4 cards" in duel.text
    encounter = await duel.encounter()
    assert activation_of(encounter.find_model("Rook")).main == "teamwork"
    await duel.table.agreed(ANNA, Undo())
    await duel.ask(ANNA, Use("Rook", "teamwork"), reason="for the test")
    again = await duel.ask(ANNA, Attack("Captain Vale", "Sable", 6, support="Rook"))
    assert "The Main action has already been used." in again.reply.text


@pytest.mark.rule("FE-TEAM-03")
async def test_a_combined_attack_takes_the_best(duel: Duel) -> None:
    await act(duel, "Captain Vale")
    await duel.stack(ANNA, top="9S 2S 2D")
    await duel.stack(BO, top="2C")
    alone = Attack("Captain Vale", "Sable", 6, group="Ember")
    assert "It has no weapon that uses Shoot" in await duel.table.refused(ANNA, alone)
    await duel.ask(ANNA, Attack("Captain Vale", "Sable", 0, "Sabre", group="Rook"))
    assert "best of the group" in " ".join(duel.answer.reply.why)
    await duel.press(BO, "Defence 5")
    await duel.select(ANNA, "9S")
    for who in (BO, ANNA, BO, ANNA):
        await duel.press(who, "Pass")
    await duel.top(BO, "2H")
    await duel.press(ANNA, "Hit")
    assert "TN 13" in duel.text  # the Halberd's Force 3


@pytest.mark.rule("FE-OUT-12")
async def test_an_extra_target_stands_near(duel: Duel) -> None:
    from bot.games.fracd_earth.edge_actions import Spend

    await duel.stack(ANNA, top="10S 2D")
    await duel.stack(BO, top="2C 2H 3H")
    await act(duel, "Captain Vale")
    await duel.ask(ANNA, Attack("Captain Vale", "Sable", 6))
    await duel.press(BO, "Defence 5")
    await duel.select(ANNA, "10S")
    for who in (BO, ANNA, BO, ANNA):
        await duel.press(who, "Pass")
    assert duel.first == "Captain Vale hits Sable with 8 to spare, earning 2 Edges."
    await duel.choose(ANNA, "Buy", "extra_target")
    running = await duel.running()
    assert running is not None
    far = Spend(running.id, extra=(7,), apart=3.5)
    assert "within 3 in" in (await duel.ask(ANNA, far)).reply.text
    await duel.ask(ANNA, Spend(running.id, extra=(7,), apart=3))
    assert "Also hit: Thug 2." in duel.text
    await duel.press(BO, "Pass")
    assert duel.first.startswith("Sable takes")
    await duel.press(BO, "Pass")
    assert duel.first.startswith("Thug 2 takes")


@pytest.mark.rule("FE-CMB-06")
async def test_what_a_caster_sustains_costs_it_cards_in_every_test(duel: Duel) -> None:
    await duel.ask(ANNA, Sustain("Ember", "Flame"))
    await duel.ask(ANNA, Sustain("Ember", "Ward"))
    await duel.ask(ANNA, Sustain("Ember", "Mist"))
    assert "no longer maintains" not in duel.first
    await duel.press(ANNA, "Stop maintaining Mist")
    assert duel.first == "Ember maintains Flame, Ward."
    assert "no power called Mist." in await duel.table.refused(ANNA, Sustain("Ember", "Mist", drop=True))
    await duel.ask(ANNA, FigureCheck("Ember", "body"))
    assert "3 cards (the lowest counts), adds 3" in duel.answer.reply.lines
    assert "  [-] [-] sustained effects FE-CMB-06" in duel.answer.reply.why
    await duel.table.agreed(ANNA, Undo())
    await act(duel, "Ember")
    await duel.ask(ANNA, Attack("Ember", "Sable", 1, "Staff"))
    # Reach 1 against knives of Reach 0: an Easy Target. 1 - 2 is a penalty hand of two.
    assert "Staff, 1 in: 2 cards (the lowest counts)" in duel.answer.reply.lines
    await duel.table.agreed(ANNA, Undo())
    await act(duel, "Thug")
    await duel.ask(BO, Attack("Thug", "Ember", 6))
    await duel.press(ANNA, "Manoeuvre 4")
    assert "Ember: 3 cards (the lowest counts), adds 4" in duel.answer.reply.lines


# ------------------------------------------------------------------------------------ hiding


@pytest.mark.rule("FE-HID-03", "FE-HID-01", "FE-DET-01")
async def test_decoys(duel: Duel) -> None:
    await duel.ask(BO, Hide("Sable"))
    assert duel.first == "Sable hides under tokens 1, 2, 3."
    await act(duel, "Captain Vale")
    hit = await duel.ask(ANNA, Attack("Captain Vale", "Sable", 6))
    assert "Detect Sable first, because it is Hidden." in hit.reply.text
    encounter = await duel.encounter()
    real = next(token.id for token in hide_tokens.tokens(encounter) if token.figure is not None)
    blank = next(token.id for token in hide_tokens.tokens(encounter) if token.figure is None)
    assert f"Token {real} (Prowlers): Sable" in (await duel.ask(BO, Tokens())).reply.text
    assert "Sable" not in (await duel.ask(ANNA, Tokens())).reply.text
    await duel.stack(ANNA, top="9S 2S")
    for more in ({"size": 6}, {"hid": 2}):
        refused = await duel.table.refused(ANNA, Detect("Captain Vale", f"token {blank}", **more))
        assert "Leave the size and the hider's result blank" in refused
    await duel.ask(ANNA, Detect("Captain Vale", f"token {blank}"))
    await duel.select(ANNA, "9S")
    assert duel.first == f"Captain Vale finds that token {blank} is a blank."
    twice = await duel.ask(ANNA, Detect("Captain Vale", f"token {real}"))
    assert "only one Compatible action" in twice.reply.text
    await duel.stack(ANNA, top="9S 2S")
    await duel.ask(ANNA, Detect("Captain Vale", f"token {real}", "alertness"))
    assert duel.first.startswith("Captain Vale finds") or await duel.select(ANNA, "9S")
    assert duel.first == f"Captain Vale finds that token {real} is Sable."
    assert hide_tokens.tokens(await duel.encounter()) == ()
    assert (await duel.encounter()).condition(4, "hidden") is None


@pytest.mark.rule("FE-DET-03", "FE-HID-04")
async def test_attacking_reveals(duel: Duel) -> None:
    await duel.ask(BO, Hide("Sable"))
    await act(duel, "Sable")
    asked = await duel.table.do(BO, Attack("Sable", "Rook", 6))
    assert [one.label for one in asked.reply.buttons] == ["Wardens can see it", "Wardens can't see it"]
    unseen = await duel.table.press(BO, asked, "Wardens can't see it")
    assert "Sable stays Hidden." in unseen.reply.lines
    await duel.ask(BO, Undo())
    asked = await duel.table.do(BO, Attack("Sable", "Rook", 6))
    seen = await duel.table.press(BO, asked, "Wardens can see it")
    assert "Sable is revealed" in seen.reply.text
    assert hide_tokens.tokens(await duel.encounter()) == ()


@pytest.mark.rule("FE-DET-04")
async def test_stealth_and_cover_keep_hidden(duel: Duel) -> None:
    await duel.ask(BO, Hide("Sable"))
    refused = await duel.table.refused(BO, Flip("Sable", cover="soft"))
    assert "because cover only matters then" in refused
    kept = await duel.ask(BO, Flip("Sable", moves=True, cover="soft"))
    assert kept.reply.private
    assert "stays Hidden" in kept.reply.text
    await duel.ask(BO, Flip("Sable", moves=True))
    assert duel.first.startswith("Sable reveals itself (token ")


@pytest.mark.rule("FE-DET-04")
async def test_who_moves_without_stealth_is_seen(duel: Duel) -> None:
    for name in ("Ironjaw", "Sable"):
        await duel.ask(BO, Hide(name))
    real = {token.figure: token.id for token in hide_tokens.tokens(await duel.encounter())}
    await act(duel, "Ironjaw")
    assert not (await duel.ask(BO, Move("Ironjaw", asks=True))).changed
    await duel.ask(BO, HalfMove("Ironjaw", "lock"))
    assert (await duel.encounter()).condition(5, "hidden") is not None
    await duel.ask(BO, Move("Ironjaw"))
    assert f"It is revealed because it moved without Stealth (token {real[5]})." in duel.answer.reply.lines
    assert (await duel.encounter()).condition(5, "hidden") is None
    await act(duel, "Sable")
    for action in (HalfMove("Sable", "jump"), Surge("Sable")):
        answer = await duel.ask(BO, action)
        assert not any("is seen" in line for line in answer.reply.lines)
    assert [token.side for token in hide_tokens.tokens(await duel.encounter())] == [2, 2, 2]


@pytest.mark.rule("FE-DET-10", "FE-OUT-02")
async def test_a_stealthy_figure_opposes_detection_and_a_tie_hides_it(duel: Duel) -> None:
    await duel.ask(BO, AddCondition("Sable", "hidden"))
    await act(duel, "Captain Vale")
    await duel.stack(ANNA, top="9S 2S")
    await duel.stack(BO, top="8S 2S 3S")
    await duel.ask(ANNA, Detect("Captain Vale", "Sable", trait="mind"))
    await duel.select(ANNA, "9S")
    await duel.select(BO, "8S")
    for who in (BO, ANNA, BO, ANNA):
        await duel.press(who, "Pass")
    assert duel.first == "Captain Vale does not detect Sable."


@pytest.mark.rule("FE-DET-10", "FE-HID-04")
async def test_a_stealthy_figure_that_is_outdone_is_hidden_no_more(duel: Duel) -> None:
    await duel.ask(BO, AddCondition("Sable", "hidden"))
    await act(duel, "Captain Vale")
    assert "Hidden" in await duel.table.refused(ANNA, Attack("Captain Vale", "Sable", 6))
    await duel.stack(ANNA, top="10S 2S")
    await duel.stack(BO, top="2H 4S 3S")
    await duel.ask(ANNA, Detect("Captain Vale", "Sable", trait="mind"))
    await duel.select(ANNA, "10S")
    await duel.select(BO, "2H")
    for who in (BO, ANNA, BO, ANNA):
        await duel.press(who, "Pass")
    assert duel.first == "Captain Vale detects Sable."
    await duel.ask(ANNA, Attack("Captain Vale", "Sable", 6))
    assert duel.first == "Captain Vale shoots at Sable."


@pytest.mark.rule("FE-DET-07", "FE-DET-06", "FE-DECK-04")
async def test_a_card_tells_how_hard_a_thing_is_to_find(duel: Duel) -> None:
    await act(duel, "Rook")
    await duel.stack(ANNA, top="KD 5S")
    await duel.ask(ANNA, Detect("Rook", "trap", sense="alertness", hid=3, random=True))
    assert "Difficulty: KD, 4 Force icons." in duel.answer.reply.lines
    assert "Rook has 8 against TN 17." in duel.answer.reply.lines
    assert (await duel.deck(ANNA)).discards == (await _numbers(duel, "KD"))


async def _numbers(duel: Duel, *keys: str) -> tuple[int, ...]:
    cards = settings_of(await duel.encounter()).deck
    return tuple(card_number(cards, key) for key in keys)


# ------------------------------------------------------------------------------------ areas


@pytest.mark.rule("FE-AOE-05", "FE-AOE-07", "FE-AOE-10", "FE-AOE-11", "FE-AOE-12", "FE-AOE-14")
async def test_a_missed_blast_scatters_and_is_avoided_or_not(duel: Duel) -> None:
    await duel.stack(ANNA, top="2S 3S")
    await duel.stack(BO, top="9S 2S 3D")
    await act(duel, "Ember")
    await duel.ask(ANNA, AreaAttack("Ember", 6, 4))
    assert duel.first == "Ember attacks an area with Flame."
    await duel.select(ANNA, "3S")
    await duel.press(ANNA, "Pass")
    assert duel.first == "Ember misses the target point, because the total is 3 too low."
    assert "bo may shift the target point by up to 3 in." in duel.text
    running = await duel.running()
    assert running is not None
    far = await duel.ask(BO, Shift(running.id, 3, 1))
    assert "by at most 3 in" in far.reply.text
    await duel.ask(BO, Shift(running.id, 3, 0))
    assert duel.first == "The area shifts by 3 in."
    await duel.ask(ANNA, ChooseCaught(running.id, "Sable 3,1; Ironjaw 0,0; Thug 5,0", "Thug"))
    assert duel.first == "In the area: Sable, Thug."
    assert "Outside the area: Ironjaw." in duel.text
    assert "Sable tries to avoid the area (TN 10)" in duel.text
    await duel.press(BO, "Pass")
    assert duel.first == "Sable avoids the area with 5 to spare, earning 1 Edge."
    await duel.press(BO, "Duck into cover")
    assert "2 cards, adds 2" in duel.text  # Hard Cover on the Check against de


@pytest.mark.rule("FE-AOE-13", "FE-AOE-12", "FE-AOE-14", "FE-ACT-09")
@pytest.mark.parametrize(
    ("label", "cards"), [("Still in the area", "1 card"), ("Duck into cover", "2 cards")]
)
async def test_dropping_prone_is_free_and_of_no_use_without_cover(duel: Duel, label: str, cards: str) -> None:
    await duel.stack(ANNA, top="9S 3S")
    await duel.stack(BO, top="10S 2S 3D")
    await act(duel, "Ember")
    await duel.ask(ANNA, AreaAttack("Ember", 6, 4))
    await duel.select(ANNA, "9S")
    await duel.press(ANNA, "Pass")
    running = await duel.running()
    assert running is not None
    await duel.ask(ANNA, ChooseCaught(running.id, "Sable"))
    await duel.press(BO, "Pass")
    assert duel.first == "Sable avoids the area with 3 to spare, earning 1 Edge."
    await duel.ask(BO, Use("Sable", "fall prone"))
    assert "Used: 1 Free action" in duel.answer.reply.lines
    await duel.press(BO, label)
    assert f"  {cards}, adds 2" in duel.answer.reply.lines


@pytest.mark.rule("FE-AOE-09")
async def test_a_pulse_stays(duel: Duel) -> None:
    await duel.stack(ANNA, top="2S 3S")
    await act(duel, "Ember")
    await duel.ask(ANNA, AreaAttack("Ember", 0, 3, "pulse"))
    await duel.select(ANNA, "2S")
    await duel.press(ANNA, "Pass")
    assert "A pulse doesn't scatter." in duel.text
    await duel.press(ANNA, "Nobody")
    assert duel.first == "In the area: nobody."


async def attack_where_sable_hides(duel: Duel) -> None:
    """An area attack comes down, and who is in it is asked."""
    await duel.ask(BO, Hide("Sable"))
    await duel.stack(ANNA, top="9S 3S")
    await act(duel, "Ember")
    await duel.ask(ANNA, AreaAttack("Ember", 6, 4))
    await duel.select(ANNA, "9S")
    await duel.press(ANNA, "Pass")


@pytest.mark.rule("FE-HID-02")
async def test_tokens_alone_in_an_area_are_not_affected(duel: Duel) -> None:
    await attack_where_sable_hides(duel)
    running = await duel.running()
    assert running is not None
    await duel.ask(ANNA, ChooseCaught(running.id, tokens="1, 2, 3"))
    assert duel.text.count("not affected") == 3
    assert len(hide_tokens.tokens(await duel.encounter())) == 3


# ------------------------------------------------------------------------------------ movement


@pytest.mark.rule("FE-TER-02", "FE-TER-05", "FE-MOV-02", "FE-MOV-05", "FE-ACT-01")
async def test_moves_are_counted_and_measured(duel: Duel) -> None:
    await act(duel, "Rook")
    await duel.ask(ANNA, Move("Rook", "run", ground="rough"))
    assert duel.first == "Rook runs up to 6 in."
    assert "The Move action has already been used." in await duel.table.refused(ANNA, Move("Rook"))
    await duel.table.agreed(ANNA, Undo())
    await duel.ask(ANNA, HalfMove("Rook", "cross", 2))
    await duel.ask(ANNA, Move("Rook", "run"))
    assert duel.first == "Rook runs up to 4 1/2 in."
    await duel.ask(ANNA, Undo(2))
    await duel.ask(ANNA, Move("Rook", "run"))
    assert duel.first == "Rook runs up to 9 in."
    await duel.ask(ANNA, HalfMove("Rook", "lock"))
    assert "Its Run is then halved, to at most 4 1/2 in." in duel.text
    assert "Both halves" in await duel.table.refused(ANNA, HalfMove("Rook", "lock"))
    assert "The Move action has already been used." in await duel.table.refused(
        ANNA, HalfMove("Rook", "climb")
    )
    await duel.ask(ANNA, Undo(2))
    await duel.ask(ANNA, HalfMove("Rook", "climb"))
    assert duel.first == "Rook climbs up to 2 in (a full Move)."
    assert "Both halves" in await duel.table.refused(ANNA, HalfMove("Rook", "lock"))
    assert "The Move action has already been used." in await duel.table.refused(ANNA, Move("Rook"))
    assert "Impassable" in (await duel.ask(ANNA, Move("Rook", ground="impassable", asks=True))).reply.text


@pytest.mark.rule("FE-META-01", "FE-META-02", "FE-META-03", "FE-OBS-09", "FE-OBS-02")
async def test_calculators_are_private_and_change_nothing(duel: Duel) -> None:
    for action, said in (
        (Surge("Sable"), "Sable surges up to 24 in."),
        (Surge("Sable", "90"), "Sable surges up to 18 in."),
        (Surge("Sable", "", 0, "rough, rough"), "Sable surges up to 20 in."),
        (HalfMove("Rook", "climb", asks=True), "Rook climbs up to 2 in (a full Move)."),
        (HalfMove("Rook", "cross", 4, asks=True), "Rook crosses the obstacle (a full Move)."),
        (Move("Rook", "rush", ground="difficult", asks=True), "Rook: rush 4 in."),
    ):
        answer = await duel.ask(BO, action)
        assert (answer.reply.lines[0], answer.reply.private, answer.changed) == (said, True, False)
    assert "without Meta-Speed" in await duel.table.refused(BO, Surge("Rook"))
    assert "Climb it" in await duel.table.refused(BO, HalfMove("Rook", "cross", 5, asks=True))


@pytest.mark.rule("FE-DIS-01", "FE-DIS-02", "FE-RCH-02", "FE-RCH-07")
async def test_leaving_and_passing_by_offer_a_strike(duel: Duel) -> None:
    leaving = await duel.ask(ANNA, Leave("Rook", "Sable"))
    labels = [button.label for button in leaving.reply.buttons]
    assert labels == ["Quick attack", "Nobody reacts", "Undo"]
    assert "bo can react with Sable (60 seconds)." in leaving.reply.lines
    assert "Wait for the answer" in await duel.table.refused(ANNA, Move("Rook"))
    await duel.press(BO, "Nobody reacts")
    safe = await duel.ask(ANNA, Leave("Rook", "Sable", edge=True))
    assert not safe.reply.buttons
    assert "Slam" in (await duel.ask(ANNA, PassBy("Rook", "Ironjaw", -0.5, charge=True))).reply.text
    past = await duel.ask(ANNA, PassBy("Captain Vale", "Ironjaw", 1))
    assert "may make a Wild Strike" in past.reply.text
    assert "can react with Ironjaw" in await duel.table.refused(ANNA, Move("Captain Vale"))
    duel.answer = past
    await duel.press(BO, "Wild Strike")
    assert duel.first == "Ironjaw strikes at Captain Vale."
    assert window_of(await duel.encounter()) is None, "it has struck"
    for near in (Leave("Rook", "Sable"), PassBy("Rook", "Sable", 1)):
        assert "Finish the current" in await duel.table.refused(ANNA, near)


async def test_a_figure_leaves_and_passes_by_opponents_alone(duel: Duel) -> None:
    for near in (Leave("Rook", "Rook"), Leave("Rook", "Ember"), PassBy("Rook", "Ember", 1)):
        assert "is on the same side" in await duel.table.refused(ANNA, near)


# ------------------------------------------------------------------------------------ turns


@pytest.mark.rule("FE-TURN-01", "FE-TURN-02", "FE-TURN-03", "FE-HAND-01")
async def test_a_whole_turn(duel: Duel) -> None:
    for _ in range(20):
        encounter = await duel.encounter()
        side = encounter.count("to act")
        if not side:
            break
        row = next(row for row in encounter.models(side) if not row.counters.get("activated"))
        who = {1: ANNA, 2: BO}[side]
        await duel.ask(who, Activate((row.id,)))
        if row.name != "Rook":
            await duel.ask(who, Use(row.name, "command"))
        await duel.ask(who, Done())
    assert "Everyone has acted." in duel.text
    await duel.stack(ANNA, buff="2H 3H")
    await duel.ask(ANNA, NextStep())
    assert duel.first.startswith("Turn 2. ")
    assert "Passed and waiting: Rook" in duel.text
    assert len((await duel.deck(ANNA)).buff_hand) == 5
    assert "wait" in (await duel.ask(ANNA, ShowModel("Rook"))).reply.text
    await duel.ask(ANNA, Redraw("Rook"))
    assert duel.first.startswith("Rook redraws. ")
    assert "Only a figure that passed" in await duel.table.refused(ANNA, Redraw("Rook"))
    encounter = await duel.encounter()
    enemy = next(row for row in encounter.models(2))
    await duel.arrange(lambda e: e.row.counters.__setitem__("to act", 2))
    await duel.ask(BO, Activate((enemy.id,)))
    await duel.ask(ANNA, Interrupt("Rook"))
    assert duel.first in (
        f"Rook interrupts {enemy.name}.",
        f"Rook is too late: {enemy.name} acts.",
    )


async def test_waiting_hands_the_turn_on(duel: Duel) -> None:
    encounter = await duel.encounter()
    side = encounter.count("to act")
    row = encounter.models(side)[0]
    await duel.ask({1: ANNA, 2: BO}[side], Hold(row.name))
    assert duel.first == f"{row.name} waits."
    assert (await duel.encounter()).count("to act") == 3 - side


async def test_the_small_actions(duel: Duel) -> None:
    await act(duel, "Rook")
    await duel.ask(ANNA, Use("Rook", "command"))
    assert "only one Compatible action" in await duel.table.refused(ANNA, Use("Rook", "notice"))
    await duel.ask(ANNA, Use("Rook", "fall prone"))
    assert (await duel.encounter()).condition(2, "prone") is not None
    assert "The figure is Prone" in await duel.table.refused(ANNA, Move("Rook"))
    assert "There is no action called sing." in await duel.table.refused(ANNA, Use("Rook", "sing"))


# ------------------------------------------------------------------------------------ what a table brings


@pytest.mark.rule("FE-DECK-02", "FE-PRO-06", "FE-CREW-03")
async def test_the_deck_and_the_table_are_settings(table: Table) -> None:
    duel = Duel(table)
    await duel.ask(ANNA, StartDemo("fracd_earth"))
    await duel.ask(BO, JoinEncounter("Prowlers"))
    assert "Only the organiser" in await table.refused(BO, ChangeCards("K", 12))
    await duel.ask(ANNA, ChangeCards("K", 12))
    await duel.ask(ANNA, ChangeTable(1, "M", 9, "stunned"))
    await duel.ask(ANNA, NextStep())
    assert "KC KD KH KS FLOOD: value 12, Force 4" in (await duel.ask(BO, ChangeCards())).reply.text
    assert "stunned" in (await duel.ask(BO, ChangeTable())).reply.text
    assert "change the deck after" in await table.refused(ANNA, ChangeCards("K", 10))
    await duel.stack(ANNA, top="KC")
    await duel.ask(ANNA, FigureCheck("Rook", "body"))
    assert "Rook has 17 against TN 10." in duel.text
    encounter = await duel.encounter()
    assert [side.counters["push_tokens"] for side in encounter.sides()] == [10, 11]


async def test_cards_are_the_bots(table: Table) -> None:
    """Real dice are refused when they are chosen; whose crew brought them is told before the game begins."""
    from bot.table.rolling.dice_settings import DiceMode

    duel = Duel(table)
    await duel.ask(ANNA, StartDemo("fracd_earth"))
    assert "The bot shuffles the cards" in await table.refused(ANNA, DiceMode("real"))
    await duel.arrange(_with_real_dice)
    assert "Use /dice mode bot first" in await table.refused(ANNA, NextStep())
    await duel.ask(ANNA, DiceMode("bot"))


def _with_real_dice(encounter: Encounter) -> None:
    encounter.seats()[0].dice = "real"


async def test_figures_are_typed(duel: Duel) -> None:
    card = (await duel.ask(ANNA, WriteCard("Rook"))).reply.lines[2:-1]
    await duel.ask(ANNA, AddFigure("\n".join(card), 2, "", "Spare"))
    assert duel.first == "Wardens: Spare, Spare 2."
    assert 'Write each line as "key: value"' in await duel.table.refused(ANNA, AddFigure("nonsense"))
    assert "name:" in (await duel.ask(ANNA, AddFigure())).reply.text


@pytest.mark.rule("FE-CREW-04")
async def test_solo_orders(duel: Duel) -> None:
    await duel.ask(BO, Solo("Prowlers"))
    assert duel.first == "Prowlers: 4 orders drawn."
    assert len(duel.answer.reply.lines) == 5


@pytest.mark.rule("FE-PRO-07", "FE-CREW-01")
async def test_damage_by_hand_and_the_end(duel: Duel) -> None:
    await duel.ask(BO, DamageModel("Sable", 10))
    assert "It is out of action." in duel.text
    await duel.ask(ANNA, EndEncounter())
    assert "Prowlers: 1 of 2 figures left." in duel.text


@pytest.mark.rule("FE-AOE-10", "FE-HID-02")
async def test_who_is_in_an_area_is_chosen_from_a_menu_of_all_that_are_seen(duel: Duel) -> None:
    """Nothing is typed; who hides is a token, and found by its number alone."""
    await attack_where_sable_hides(duel)
    (menu,) = duel.answer.reply.menus
    assert (menu.prompt, menu.least, menu.most) == ("Figures in the area", 1, len(menu.choices))
    assert {choice.label for choice in menu.choices} == {
        row.name for row in (await duel.encounter()).models() if row.name != "Sable"
    }
    named = {choice.label: choice.value for choice in menu.choices}
    await duel.choose(ANNA, "Figures in the area", named["Rook"], named["Thug"])
    assert "In the area: Rook, Thug." in duel.text


@pytest.mark.rule("FE-DEF-02", "FE-AOE-10")
async def test_an_inactive_figure_does_not_avoid_an_area(duel: Duel) -> None:
    await duel.stack(ANNA, top="9S 3S")
    await duel.stack(BO, top="9S 2S 3D")
    await duel.ask(BO, AddCondition("Sable", "inactive"))
    await act(duel, "Ember")
    await duel.ask(ANNA, AreaAttack("Ember", 6, 4))
    await duel.select(ANNA, "9S")
    await duel.press(ANNA, "Pass")
    running = await duel.running()
    assert running is not None
    await duel.ask(ANNA, ChooseCaught(running.id, "Sable 0,0"))
    assert "is Inactive, so it can't avoid the area." in duel.text
    assert "Sable makes a Protection Check" in duel.text, "it is hit"
