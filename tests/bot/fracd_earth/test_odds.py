"""Chances at the table: what is said of them is true, and the figures follow from the cards that are left."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from bot.games.fracd_earth.area_actions import AreaAttack
from bot.games.fracd_earth.attack_actions import Attack
from bot.games.fracd_earth.check_actions import Dodge, DrawByHand, FigureCheck
from bot.games.fracd_earth.detect_actions import Detect
from bot.games.fracd_earth.figures import card_text, profile_of
from bot.games.fracd_earth.hand_actions import Chances
from bot.games.fracd_earth.settings import settings_of
from bot.games.fracd_earth.state import SideState
from bot.replies.chances import bars
from bot.table.encounter import Encounter
from bot.table.session.models import AddCondition
from bot.table.session.settings import Settings
from tests.bot.fracd_earth.duel import ANNA, BO, Duel
from tests.bot.fracd_earth.test_previews import ROOK, VALE, acts

TENS = "10S 10H 10D 10C JS JH JD JC QS QH QD QC KS KH KD KC"

PISTOL = "4 // Pistol // - // Range 12 // 2"

SHOT = Attack(ROOK, "Sable", 6, "Pistol", odds=True)


async def left(duel: Duel, who: str, cards: str) -> None:
    """Only these cards are left in somebody's pile; nothing is held in the Buff Hand."""
    keys = [card.key for card in settings_of(await duel.encounter()).deck]
    kept = cards.split()
    await duel.stack(who, top=cards, discards=" ".join(key for key in keys if key not in kept))


async def tokens(duel: Duel, anna: int = 0, bo: int = 0) -> None:
    """So many Push tokens are left to each crew."""

    def change(encounter: Encounter) -> None:
        for side, count in zip(encounter.sides(), (anna, bo), strict=True):
            SideState(side).push_tokens = count

    await duel.arrange(change)


def ranked(name: str, rank: str):  # type: ignore[no-untyped-def]
    """A figure with another rank on its card."""

    def change(encounter: Encounter) -> None:
        row = encounter.find_model(name)
        row.profile = card_text(replace(profile_of(row.profile), rank=rank))

    return change


@pytest.mark.rule("FE-CHAL-03", "FE-DECK-02", "FE-DECK-03")
async def test_a_challenge_against_a_whole_deck(duel: Duel) -> None:
    await duel.ask(ANNA, Settings("buff_hand_size", "0"))
    await tokens(duel)
    await acts(duel, ROOK)
    await left(duel, ANNA, TENS)
    lines = (await duel.ask(ANNA, replace(SHOT, weapon="Halberd", distance=0))).reply.lines
    # Rook's Halberd: Fight 6, [+], an Easy Target for its reach: the best of three tens, 16. Sable's Manv is
    # 6: equal on a 10 or a 9 linked to an Ace, above it with the Flood, or a 10 or the Flood linked to one.
    even = Fraction(16, 54) + Fraction(4, 54) * Fraction(4, 53)
    lost = Fraction(1, 54) + Fraction(4, 54) * Fraction(17, 53)
    # By an Edge where Sable's card is worth 7 or less: 2 to 7, the Void, an Ace linked to an Ace or 2 to 6.
    edge = Fraction(25, 54) + Fraction(4, 54) * Fraction(3 + 20 + 1, 53)
    two = Fraction(13, 54) + Fraction(4, 54) * Fraction(3 + 8 + 1, 53)
    win = 1 - even - lost
    rows = bars([("win", win), ("partial hit", even), ("1+ Edges", edge), ("2+ Edges", two)])
    assert lines[0] == f"Win {round(win * 100)}%: best of 3 cards +6 against 1 card +6"
    assert list(lines[3:7]) == rows
    assert " ".join(lines[7:]) == (
        "This assumes that each side plays its best Buff card and neither side can push. Exact. The odds use "
        "your real cards and a full deck for your opponent. Each of your opponent's Aces is linked to the "
        "next card in that deck. Only you can see this."
    )


WHOLE = {0: 1, 12: 1, 10: 16, **dict.fromkeys(range(2, 10), 4), "A": 4}


def drawn(left: dict[Any, int], chance: Fraction) -> list[tuple[int, dict[Any, int], Fraction]]:
    """Every card from the top of a deck with its worth, an Ace with the card that follows."""
    found = []
    for kind, count in left.items():
        rest = left | {kind: count - 1}
        share = chance * Fraction(count, sum(left.values()))
        if not share:
            continue
        if kind == "A":
            found += [(1 + worth, after, part) for worth, after, part in single(rest, share)]
        else:
            found.append((kind, rest, share))
    return found


def single(left: dict[Any, int], chance: Fraction) -> list[tuple[int, dict[Any, int], Fraction]]:
    """Every card from the top of a deck with its own worth."""
    whole = sum(left.values())
    return [
        (1 if kind == "A" else kind, left | {kind: count - 1}, chance * Fraction(count, whole))
        for kind, count in left.items()
        if count
    ]


def joined(worth: int, held: int) -> int:
    """The best of a draw card and one Buff card: a 2 to 4 joins an equal or higher one, a 5 to 7 a lower."""
    joins = held <= worth if held in (2, 3, 4) else held in (5, 6, 7) and held >= worth
    return max(worth, held, worth + held if joins else 0)


@pytest.mark.rule("FE-CHAL-04", "FE-CHAL-05", "FE-CHAL-06", "FE-CHAL-07", "FE-DECK-06", "FE-HAND-01")
@pytest.mark.parametrize(
    ("mine", "theirs", "words"),
    [
        (1, 1, "both sides push"),
        (1, 0, "only you push"),
        (0, 1, "only your opponent pushes"),
        (0, 0, "neither side can push"),
    ],
)
async def test_both_buff_and_push_in_the_odds(duel: Duel, mine: int, theirs: int, words: str) -> None:
    """Counted here in a way of its own, card by card, from what the rules say."""
    await duel.ask(ANNA, Settings("buff_hand_size", "1"))
    await acts(duel, ROOK)
    keys = [card.key for card in settings_of(await duel.encounter()).deck]
    gone = " ".join(key for key in keys if key not in ("8S", "8H", "8D", "8C", "4S"))
    await duel.stack(ANNA, top="8S 8H 8D 8C", buff="4S", discards=gone)
    await tokens(duel, mine, theirs)
    lines = (await duel.ask(ANNA, SHOT)).reply.lines
    # Rook shoots with 3 and an 8, which the 4 joins; a Push is one more 8. Sable's Manv is 6.
    total = 3 + 8 + 4 + 8 * mine
    chances: dict[int, Fraction] = {}
    for held, count in WHOLE.items():
        for worth, left_over, chance in drawn(WHOLE, Fraction(count, 54)):
            laid = joined(worth, 0 if held == "A" else held)
            for pushed, _, part in drawn(left_over, chance) if theirs else [(0, left_over, chance)]:
                margin = total - (6 + laid + pushed)
                chances[margin] = chances.get(margin, Fraction(0)) + part
    assert sum(chances.values()) == 1

    def over(least: int) -> float:
        return float(sum(part for margin, part in chances.items() if margin >= least))

    rows = bars(
        [("win", over(1)), ("partial hit", over(0) - over(1)), ("1+ Edges", over(3)), ("2+ Edges", over(6))]
    )
    assert list(lines[3:7]) == rows
    assert f"Buff card and {words}. Exact." in " ".join(lines)


def with_a_block(encounter: Encounter) -> None:
    """The two of clubs is a Block card."""
    encounter.row.settings["deck"] = json.dumps({"2C": {"blocks": True}})


async def test_a_block_at_the_table_is_said_not_to_be_counted(duel: Duel) -> None:
    await acts(duel, ROOK)
    assert "Blocks" not in (await duel.ask(ANNA, SHOT)).reply.text
    await duel.arrange(with_a_block)
    assert "Blocks are not included." in " ".join((await duel.ask(ANNA, SHOT)).reply.lines)


@pytest.mark.rule("FE-CMB-10", "FE-DEF-01")
async def test_the_answer_that_is_counted_is_named(duel: Duel) -> None:
    await acts(duel, ROOK)
    lines = (await duel.ask(ANNA, SHOT)).reply.lines
    assert lines[0].endswith(": 1 card +3 against 1 card +6")
    assert lines[1].startswith("If Sable defends with Defence, you win ")
    assert lines[2] == "If Sable defends with Manoeuvre, the odds above apply"
    await left(duel, ANNA, "8S")
    lines = (await duel.ask(ANNA, replace(SHOT, target="Thug"))).reply.lines
    # 11 against Def 3 and Manv 3 alike.
    assert lines[1] == "If Thug defends with Defence, the odds above apply"
    win = lines[0].split(":")[0].removeprefix("Win ")
    assert lines[2] == f"If Thug defends with Manoeuvre, you win {win}"


@pytest.mark.rule("FE-DRAW-03")
async def test_lowest_and_best_are_told_apart(duel: Duel) -> None:
    await acts(duel, ROOK)
    for marks, words in ((1, "best of 2 cards +5"), (-1, "lowest of 2 cards +5"), (0, "1 card +5")):
        told = await duel.ask(ANNA, FigureCheck(ROOK, "body", marks=marks, odds=True))
        assert told.reply.lines[0] == f"TN 10: {words}"
        told = await duel.ask(ANNA, Dodge(ROOK, "Sable", "body", marks=marks, odds=True))
        assert f": {words} against 1 card +6" in told.reply.lines[0]
    await left(duel, ANNA, "2S 9S")
    await tokens(duel)
    for marks, rows in ((1, ("success 100%", "partial   0%")), (-1, ("success   0%", "partial   0%"))):
        told = await duel.ask(ANNA, FigureCheck(ROOK, "body", marks=marks, odds=True))
        assert tuple(line.rstrip(" #") for line in told.reply.lines[1:3]) == rows


@pytest.mark.rule("FE-DEF-02")
@pytest.mark.parametrize(
    ("weapon", "head", "rows"),
    [
        (f"{PISTOL} L vs dp", "TN 10", [("success", 0.5), ("partial", 0.25), ("an Edge", 0.25)]),
        (f"{PISTOL} AoN vs dp", "TN 10 (all or nothing)", [("success", 0.5), ("an Edge", 0.25)]),
    ],
)  # fmt: skip
async def test_at_who_is_inactive_it_is_a_check(
    duel: Duel, weapon: str, head: str, rows: list[tuple[str, float]]
) -> None:
    def armed(encounter: Encounter) -> None:
        row = encounter.find_model(ROOK)
        row.profile = row.profile.replace(f"{PISTOL} L vs dp", weapon)

    await acts(duel, ROOK)
    await duel.arrange(armed)
    await duel.ask(BO, AddCondition("Sable", "inactive"))
    await left(duel, ANNA, "2S 7S 8S 10S")
    await tokens(duel)
    told = await duel.ask(ANNA, SHOT)
    assert told.reply.lines[0] == f"Sable is Inactive, so the {head.replace('TN', 'TN is')}: 1 card +3"
    assert list(told.reply.lines[1 : 1 + len(rows)]) == bars(rows)
    assert "You have no Push tokens left. Exact. The odds" in " ".join(told.reply.lines)
    assert [button.label for button in told.reply.buttons] == ["Attack", "Compare", "Change..."]


@pytest.mark.rule("FE-AOE-05")
@pytest.mark.parametrize(("hit_at", "chance"), [("11", 0.75), ("12", 0.5)])
async def test_the_point_of_ground_has_the_number_that_the_table_plays(
    duel: Duel, hit_at: str, chance: float
) -> None:
    await duel.ask(ANNA, Settings("aoe_hit_at", hit_at))
    await acts(duel, ROOK)
    await left(duel, ANNA, "2S 8S 9S 10S")
    await tokens(duel)
    told = await duel.ask(ANNA, AreaAttack(ROOK, 6, 4, delivery="aerodynamic", weapon="Pistol", odds=True))
    # Shoot 3 and 2, 8, 9, 10.
    assert told.reply.lines[:2] == (
        f"TN 11 (all or nothing), hits on {hit_at} or more: 1 card +3",
        *bars([("success", chance)]),
    )
    await left(duel, ANNA, "2D 8S 9S 10S")
    await tokens(duel, 1)
    await duel.ask(ANNA, AreaAttack(ROOK, 6, 4, delivery="aerodynamic", weapon="Pistol"))
    pushed = await duel.ask(ANNA, Chances(1))
    # 5 so far: a Push of 8, 9 or 10 reaches both numbers.
    assert "hits the point 100% ##################" in pushed.reply.lines


@pytest.mark.rule("FE-DRAW-01", "FE-CHK-05")
async def test_cards_drawn_by_hand_have_odds_too(duel: Duel) -> None:
    await left(duel, ANNA, "4S 6S 9S 10S")
    draw = DrawByHand(ROOK, 1, 14, odds=True)
    told = await duel.ask(ANNA, draw)
    # Of the six pairs of a card and a Push 4+6 and 4+9 stay below 14, 4+10 equals it; by 3 only 9+10.
    # 6+9 is 15 and 6+10 is 16.
    rows = bars([("success", 0.5), ("partial", 1 / 6), ("an Edge", 1 / 6)])
    assert told.reply.lines[:4] == ("TN 14: 1 card +0", *rows)
    assert not told.changed
    await duel.table.press(ANNA, told, "Draw")
    running = await duel.running()
    assert running is not None
    assert running.check.tn == 14


@pytest.mark.rule("FE-CREW-02")
async def test_a_minion_is_promised_no_edges(duel: Duel) -> None:
    await acts(duel, ROOK)
    await duel.arrange(ranked(ROOK, "minion"))
    for action in (SHOT, Dodge(ROOK, "Sable", odds=True)):
        assert not any("Edge" in line for line in (await duel.ask(ANNA, action)).reply.lines)
    await duel.arrange(ranked("Sable", "minion"))
    for action in (SHOT, Dodge(ROOK, "Sable", odds=True)):
        assert any("1+ Edges" in line for line in (await duel.ask(ANNA, action)).reply.lines)


@pytest.mark.rule("FE-OUT-02", "FE-MAN-01", "FE-DET-10")
async def test_equal_totals_are_called_what_they_come_to(duel: Duel) -> None:
    await acts(duel, ROOK)
    assert any(line.startswith("partial hit ") for line in (await duel.ask(ANNA, SHOT)).reply.lines)
    dodge = await duel.ask(ANNA, Dodge(ROOK, "Sable", odds=True))
    assert any(line.startswith("tie (held back) ") for line in dodge.reply.lines)
    assert [button.label for button in dodge.reply.buttons] == ["Draw", "Compare", "Change..."]
    await duel.ask(ANNA, Settings("tie_rule", "defender_wins"))
    assert any(line.startswith("tie (held off) ") for line in (await duel.ask(ANNA, SHOT)).reply.lines)
    await duel.ask(BO, AddCondition("Sable", "hidden"))
    look = await duel.ask(ANNA, Detect(ROOK, "Sable", odds=True))
    assert any(line.startswith("tie (still Hidden) ") for line in look.reply.lines)


async def test_a_difficulty_that_is_drawn_first_has_no_chances(duel: Duel) -> None:
    look = Detect(VALE, "trap", "alertness", random=True, odds=True)
    assert "Odds need a known difficulty" in await duel.table.refused(ANNA, look)


@pytest.mark.rule("FE-CHK-04", "FE-CHK-05")
async def test_what_a_push_brings_by_the_kind_of_check(duel: Duel) -> None:
    for aon, names in (
        (False, ["reaches the TN", "beats the TN", "an Edge"]),
        (True, ["beats the TN", "an Edge"]),
    ):
        await left(duel, ANNA, "2S 3D 4D")
        await duel.ask(ANNA, FigureCheck(ROOK, "body", aon=aon))
        told = (await duel.ask(ANNA, Chances(1))).reply.lines
        # 7 so far: 3 reaches the TN, 4 goes above it.
        assert told[:2] == ("Your chances with a Push (only you see this)", "You need 3 more for TN 10.")
        chances = {"reaches the TN": 1.0, "beats the TN": 0.5, "an Edge": 0.0}
        assert list(told[2:-1]) == bars([(name, chances[name]) for name in names])
        assert told[-1] == "Exact."
        await duel.press(ANNA, "Pass")
