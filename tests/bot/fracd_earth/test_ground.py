"""What lies between and under: bases, obstacles, cover; said with the action, and refused or counted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.fracd_earth.area_actions import AreaAttack
from bot.games.fracd_earth.attack_actions import Attack, Defend
from bot.games.fracd_earth.detect_actions import Detect, Hide
from bot.games.fracd_earth.move_actions import HalfMove, Leave, Move, PassBy, Surge
from bot.games.fracd_earth.roster_actions import AddFigure
from bot.table.encounter import Encounter
from bot.table.journal.history import Undo
from bot.table.session.board_actions import ChooseTable, PlaceModel
from bot.table.session.settings import Settings
from rules.wording import possessive
from tests.bot.fracd_earth.duel import ANNA, BO, Duel
from tests.bot.fracd_earth.test_previews import ROOK, VALE, acts, used_by

SHOT = Attack(VALE, "Sable", 6)


# ------------------------------------------------------------------------------------ the line of fire


@pytest.mark.rule("FE-ACT-07")
async def test_a_base_in_the_line_of_fire_hides_who_stands_behind_it(duel: Duel) -> None:
    await acts(duel, VALE)
    for blocked in (replace(SHOT, line="Thug"), replace(SHOT, line="Rook, Thug"), replace(SHOT, line=ROOK)):
        for action in (blocked, replace(blocked, odds=True)):
            said = await duel.table.refused(ANNA, action)
            assert said.startswith(f"{possessive(blocked.line.split(',')[0])} base blocks line of sight")
    strike = Attack(VALE, "Sable", 0, "Sabre", line="Thug")
    assert "A Fight attack only needs reach." in await duel.table.refused(ANNA, strike)
    await duel.ask(ANNA, replace(SHOT, line="Sable, Captain Vale"))
    assert duel.first == "Captain Vale shoots at Sable."


@pytest.mark.rule("FE-ACT-07", "FE-DEF-01")
async def test_a_blocked_shot_that_was_let_pass_goes_on(duel: Duel) -> None:
    await acts(duel, VALE)
    await duel.ask(ANNA, replace(SHOT, line="Thug"), reason="we agreed")
    await duel.press(BO, "Defence 5")
    assert "Sable defends with Defence." in duel.answer.reply.lines


@pytest.mark.rule("FE-CMB-04", "FE-ACT-02")
async def test_an_override_lets_pass_only_what_was_refused(duel: Duel) -> None:
    """Who acts with another's figure, or shoots too far, still does it on the move and after a Run."""
    for shot in (Attack("Thug", ROOK, 6, moving=True), replace(SHOT, distance=30, moving=True)):
        await acts(duel, shot.attacker, pace="run")
        await duel.ask(ANNA, shot, reason="as agreed")
        assert "Override by anna: as agreed" in duel.answer.reply.lines
        assert "  [-] moving FE-CMB-04" in duel.answer.reply.why
        assert "  [-] running FE-MOV-02" in duel.answer.reply.why
        await duel.ask(ANNA, Undo())


@pytest.mark.rule("FE-MOV-02", "FE-TEAM-01")
async def test_who_ran_supports_only_with_the_target_in_range_or_reach(duel: Duel) -> None:
    await acts(duel, VALE)
    far = replace(SHOT, support=ROOK, away=ROOK)
    assert "isn't helping yet" in await duel.table.refused(ANNA, replace(SHOT, away=ROOK))
    await duel.ask(ANNA, replace(far, odds=True))
    await used_by(duel, ROOK, pace="run")
    for action in (far, replace(far, odds=True), AreaAttack(VALE, 6, 4, support=ROOK, away=ROOK)):
        assert "After a Run, you can give Teamwork only" in await duel.table.refused(ANNA, action)
    await duel.ask(ANNA, replace(far, away=""))
    assert "Carbine, 6 in: 3 cards" in duel.answer.reply.lines


# ------------------------------------------------------------------------------------ obstacles


@pytest.mark.rule("FE-OBS-03", "FE-OBS-04", "FE-TER-02", "FE-TER-03", "FE-TER-04")
@pytest.mark.parametrize(
    ("ground", "far"),
    [
        ("clear", "6 in"),
        ("soft", "4 in"),
        ("soft obstacle", "4 in"),
        ("dense", "2 in"),
        ("rough, dense obstacle", "2 in"),
        ("dense, soft", "2 in"),
        ("bushes", "4 in"),
        ("hedge, stairs", "2 in"),
        ("thick mud", "2 in"),
        ("dense forest", "2 in"),
    ],
)
async def test_an_obstacle_is_ground_too(duel: Duel, ground: str, far: str) -> None:
    await acts(duel, ROOK)
    told = await duel.ask(ANNA, Move(ROOK, ground=ground, asks=True))
    assert told.reply.lines[0] == f"Rook: move {far}."
    assert (await duel.ask(ANNA, Move(ROOK, ground=ground))).reply.lines[0] == f"Rook moves up to {far}."


@pytest.mark.rule("FE-OBS-01", "FE-OBS-02")
async def test_a_hard_obstacle_is_crossed_and_not_moved_through(duel: Duel) -> None:
    await acts(duel, ROOK)
    hard = await duel.table.refused(ANNA, Move(ROOK, ground="hard"))
    assert hard == "Cross a hard obstacle with /fe half, or climb it. You can't move through it."
    for thing in ("wall", "fences", "barrier"):
        assert await duel.table.refused(ANNA, Move(ROOK, ground=thing)) == hard
    assert "soft obstacle, dense obstacle" in await duel.table.refused(ANNA, Move(ROOK, ground="clouds"))
    assert "Impassable" in await duel.table.refused(ANNA, Move(ROOK, ground="impassable"))
    assert "Impassable" in await duel.table.refused(ANNA, Move(ROOK, ground="lava"))
    surge = await duel.ask(BO, Surge("Sable", "", 0, "soft, soft"))
    assert surge.reply.lines[0] == "Sable surges up to 20 in."
    for size, cost in ((2, "a Half-Move"), (3, "a full Move")):
        said = f"Rook crosses the obstacle ({cost})."
        assert (await duel.ask(ANNA, HalfMove(ROOK, "cross", size, asks=True))).reply.lines[0] == said
    assert "Climb it" in await duel.table.refused(ANNA, HalfMove(ROOK, "cross", 5))


@pytest.mark.rule("FE-OBS-03", "FE-OBS-05", "FE-OBS-07", "FE-OBS-08", "FE-TER-07", "FE-PRO-02", "FE-CMB-02")
@pytest.mark.parametrize(
    ("cover", "beside", "defends", "protects"),
    [
        ("none", False, 1, 1),
        ("soft", False, 2, 1),
        ("hard", False, 2, 2),
        ("dense", False, 1, 1),
        ("soft", True, 1, 1),
        ("hard", True, 1, 1),
    ],
)
async def test_what_an_obstacle_in_the_line_gives(
    duel: Duel, cover: str, beside: bool, defends: int, protects: int
) -> None:
    await duel.stack(ANNA, top="9S 3S", buff="2H")
    await duel.stack(BO, top="5S 2S", buff="4C")
    await acts(duel, VALE)
    await duel.ask(ANNA, replace(SHOT, cover=cover, beside=beside))
    cancelled = [line for line in duel.answer.reply.why if "gives no bonus" in line]
    assert bool(cancelled) == (cover == "dense" or beside)
    await duel.press(BO, "Defence 5")
    assert f"Sable: {_cards(defends)}, adds 5" in duel.answer.reply.lines
    await duel.select(ANNA, "9S")
    if defends > 1:
        await duel.select(BO, "5S")
    for who in (BO, ANNA, BO, ANNA):
        await duel.press(who, "Pass")
    await duel.press(ANNA, "Hit")
    assert f"  {_cards(protects)}, adds 3" in duel.answer.reply.lines


def _cards(count: int) -> str:
    return f"{count} card{'s' if count > 1 else ''}"


@pytest.mark.rule("FE-OBS-06", "FE-DET-02", "FE-DET-08")
async def test_who_is_wholly_behind_hard_cover_cannot_be_detected(duel: Duel) -> None:
    await duel.ask(BO, Hide("Sable"))
    await acts(duel, VALE)
    full = Detect(VALE, "token 1", "alertness", cover="full")
    for action in (full, replace(full, odds=True)):
        assert "crosses no Blocking terrain" in await duel.table.refused(ANNA, action)
    # Looking out of it, the subject has [+] for hard cover: [-] for the observer, whose Notice is of no use.
    await duel.ask(ANNA, replace(full, cover="hard"))
    assert "2 cards (the lowest counts), adds 4" in duel.answer.reply.lines


# ------------------------------------------------------------------------------------ bases on the way


@pytest.mark.rule("FE-MOV-10")
async def test_allied_bases_are_crossed_and_opposing_ones_are_not(duel: Duel) -> None:
    await acts(duel, ROOK)
    for action in (Move(ROOK, over="Captain Vale, Thug"), Move(ROOK, over="Thug", asks=True)):
        said = await duel.table.refused(ANNA, action)
        assert said.startswith("You can only cross allied bases, not Thug's.")
    await duel.ask(ANNA, Move(ROOK, over="Captain Vale, Ember"))
    assert duel.first == "Rook moves up to 6 in."


@pytest.mark.rule("FE-MOV-02", "FE-CMB-03")
async def test_a_run_takes_a_card_from_the_main_attack_at_the_ground_too(duel: Duel) -> None:
    for pace, cards in (("move", "2 cards, adds 5"), ("run", "1 card, adds 5")):
        await acts(duel, "Ember", pace=pace)
        await duel.ask(ANNA, AreaAttack("Ember", 6, 4))
        assert f"Distance 6 in, TN 11 (all or nothing): {cards}" in duel.answer.reply.lines
        await duel.arrange(_drop)
    await acts(duel, VALE, pace="run")
    await duel.ask(ANNA, SHOT)
    assert "  [-] running FE-MOV-02" in duel.answer.reply.why


@pytest.mark.rule("FE-MOV-07")
async def test_who_is_carried_goes_as_far_as_its_transport(duel: Duel) -> None:
    await acts(duel, ROOK)
    for action, far in (
        (Move(ROOK, transport=15), "15 in"),
        (Move(ROOK, "run", transport=12), "18 in"),
        (Move(ROOK, passenger=True), "4 in"),
    ):
        told = await duel.ask(ANNA, replace(action, asks=True))
        assert told.reply.lines[0] == f"Rook: {action.pace} {far}."
    for pace in ("run", "rush"):
        refused = await duel.table.refused(ANNA, Move(ROOK, pace, passenger=True))
        assert "You can't Run or Rush on a moving vehicle." in refused
    await duel.ask(ANNA, HalfMove(ROOK, "mount"))
    assert "Used: 1 Half-Move" in duel.answer.reply.lines


@pytest.mark.rule("FE-MOV-09", "FE-RCH-01", "FE-CMB-08", "FE-DET-02")
async def test_what_lies_behind_its_back_a_figure_neither_threatens_nor_sees(duel: Duel) -> None:
    past = PassBy(VALE, "Ironjaw", 1)
    assert await strikes(duel, past)
    assert not await strikes(duel, replace(past, front=False))
    assert await strikes(duel, replace(past, front=False, closest=0))
    await acts(duel, VALE)
    refused = await duel.table.refused(ANNA, Detect(VALE, "trap", "alertness", blocked=True))
    assert "need a line of sight" in refused
    await duel.ask(ANNA, Attack(VALE, "Ironjaw", 0, "Sabre", behind=True))
    assert "  [+] easy target: from behind FE-CMB-08" in duel.answer.reply.why


def _drop(encounter: Encounter) -> None:
    from bot.games.fracd_earth import exchange as exchanges

    running = exchanges.find_exchange(encounter)
    assert running is not None
    exchanges.close(encounter, running)


# ------------------------------------------------------------------------------------ near opponents

GUARD = "\n".join(
    (
        "name: Guard",
        "traits: def 4, fight 4, manv 4",
        "weapon: 1 // Knife // - // Reach 0 // 1 L vs dp",
        "weapon: 2 // Pike // - // Reach 2 // 2 M vs dp",
        "weapon: 4 // Bow // - // Range 12 // 2 L vs dp",
    )
)


async def guarded(duel: Duel) -> None:
    """A Guard with a Knife and a Pike stands with Bo's Prowlers."""
    await duel.ask(BO, AddFigure(GUARD, 1, "Prowlers"))


async def strikes(duel: Duel, near: PassBy | Leave) -> list[str]:
    """The free strikes that Bo is offered; he makes none, so the next figure can go."""
    answer = await duel.ask(ANNA, near)
    assert not answer.refusal, answer.reply.text
    labels = [button.label for button in answer.reply.buttons]
    if labels:
        assert labels[-2:] == ["Nobody reacts", "Undo"]
        await duel.press(BO, "Nobody reacts")
    return labels[:-2]


@pytest.mark.rule("FE-RCH-01", "FE-RCH-02", "FE-RCH-03")
async def test_who_passes_by_meets_what_is_in_hand(duel: Duel) -> None:
    await guarded(duel)
    past = PassBy(ROOK, "Guard", 2)
    assert await strikes(duel, past) == ["Wild Strike"]
    assert "Rook has Reach 1 and Guard has Reach 2. They are 2 in apart." in duel.heard
    assert await strikes(duel, replace(past, closest=0)) == ["Wild Strike: Knife", "Wild Strike: Pike"]
    assert not await strikes(duel, replace(past, front=False))
    stop = replace(past, closest=1, engages=True)
    assert (await duel.ask(ANNA, stop)).reply.lines[0] == "Rook must stop here."
    assert "can't be used in a Fight" in await duel.table.refused(ANNA, replace(past, against="Bow"))
    assert "Choose a weapon. Rook has" in await duel.table.refused(ANNA, replace(past, weapon="Pike"))
    short = replace(stop, figure=VALE, weapon="Sabre", opponent="Sable")
    assert (await duel.ask(ANNA, short)).reply.lines[0] == "Captain Vale may go on."
    await duel.ask(ANNA, replace(past, closest=0))
    await duel.press(BO, "Wild Strike: Pike")
    running = await duel.running()
    assert running is not None
    assert "Pike" in running.facts["weapon"]


@pytest.mark.rule("FE-RCH-02")
async def test_a_free_strike_falls_where_the_mover_passed_however_far_it_went_on(duel: Duel) -> None:
    await duel.ask(ANNA, ChooseTable("48x48"))
    await duel.ask(ANNA, PlaceModel(ROOK, "4 4"))
    await duel.ask(BO, PlaceModel("Sable", "40 40"))
    await duel.ask(ANNA, PassBy(ROOK, "Sable", 0))
    await duel.press(BO, "Wild Strike")
    assert duel.first == "Sable strikes at Rook."


@pytest.mark.rule("FE-DIS-01")
async def test_who_leaves_is_struck_with_what_the_opponent_chooses(duel: Duel) -> None:
    await guarded(duel)
    assert await strikes(duel, Leave(ROOK, "Guard")) == ["Quick attack: Knife", "Quick attack: Pike"]


@pytest.mark.rule("FE-RCH-02")
async def test_what_an_opponent_has_in_hand_is_its_players_word(duel: Duel) -> None:
    """Who names the Knife for the other would not be struck with the Pike."""
    await guarded(duel)
    await acts(duel, VALE)
    named = (
        Leave(ROOK, "Guard", against="Knife"),
        PassBy(ROOK, "Guard", 2, against="Knife"),
        Attack(VALE, "Guard", 0, "Sabre", against="Knife"),
    )
    for action in named:
        told = await duel.table.refused(ANNA, action)
        assert told.startswith("bo must choose Guard's weapon. Leave the weapon blank")
    await duel.table.done(ANNA, Settings("entered by", "any player"))
    left = await duel.ask(ANNA, Leave(ROOK, "Guard", against="Knife"))
    assert left.reply.buttons[0].label == "Quick attack"
    assert "anna entered this for bo." in duel.heard


@pytest.mark.rule("FE-CMB-08", "FE-RCH-04")
async def test_what_the_target_has_in_hand_makes_it_an_easy_target_or_not(duel: Duel) -> None:
    await guarded(duel)
    await acts(duel, VALE)
    # The Sabre has Reach 1/2: an Easy Target with a Knife of Reach 0, and two steps inside a Pike of 2.
    for against in ("Knife", "Pike", ""):
        odds = await duel.ask(ANNA, Attack(VALE, "Guard", 0, "Sabre", against=against, odds=True))
        assert "best of 2 cards +4 against 1 card +4" in odds.reply.lines[0]
    await duel.ask(ANNA, Attack(VALE, "Guard", 0, "Sabre", against="Pike"), reason="as it is modelled")
    assert "  [+] easy target: inside the defender's reach FE-CMB-08" in duel.answer.reply.why
    await duel.ask(ANNA, Undo())
    await duel.ask(ANNA, Attack(VALE, "Guard", 0, "Sabre"))
    assert "  [+] easy target: defender has no reach FE-CMB-08" in duel.answer.reply.why
    await duel.ask(ANNA, Undo())
    # A Spear of Reach 1 is no Easy Target: without a word the defender has it in hand.
    spear = GUARD.replace("Guard", "Spearman").replace("Pike // - // Reach 2", "Spear // - // Reach 1")
    await duel.ask(BO, AddFigure(spear, 1, "Prowlers"))
    await duel.ask(ANNA, Attack(VALE, "Spearman", 0, "Sabre"))
    assert not [line for line in duel.answer.reply.why if "easy target" in line]


@pytest.mark.rule("FE-DEF-05", "FE-TEAM-03")
async def test_who_defended_together_does_not_protect_the_attacker(duel: Duel) -> None:
    await guarded(duel)
    await duel.stack(ANNA, top="2D 3D", buff="3H")
    await duel.stack(BO, top="10D", buff="4H 8H")
    await acts(duel, VALE)
    await duel.ask(ANNA, Attack(VALE, "Guard", 0, "Sabre"))
    running = await duel.running()
    assert running is not None
    await duel.ask(BO, Defend(running.id, group="Thug"))
    await duel.select(ANNA, "2D")
    for who in (ANNA, BO, ANNA, BO):
        await duel.press(who, "Pass")
    await duel.press(BO, "Counterattack: Knife")
    await duel.press(BO, "Hit")
    running = await duel.running()
    assert running is not None
    assert (running.facts["names"], running.facts["group"]) == ([VALE], [])


@pytest.mark.rule("FE-DEF-04")
async def test_who_counters_chooses_the_weapon(duel: Duel) -> None:
    await guarded(duel)
    await duel.stack(ANNA, top="2D 3D", buff="3H")
    await duel.stack(BO, top="10D", buff="4H 8H")
    await acts(duel, VALE)
    await duel.ask(ANNA, Attack(VALE, "Guard", 0, "Sabre"))
    await duel.press(BO, "Defence 4")
    await duel.select(ANNA, "2D")
    for who in (ANNA, BO, ANNA, BO):
        await duel.press(who, "Pass")
    # 14 less 6 less Def 5 leaves 3.
    labels = [button.label for button in duel.answer.reply.buttons]
    assert labels[:2] == ["Counterattack: Knife", "Counterattack: Pike"]
    await duel.press(BO, "Counterattack: Pike")
    assert duel.first == "Guard counters and hits Captain Vale, earning 1 Edge."
    running = await duel.running()
    assert running is not None
    assert "Pike" in running.facts["weapon"]
