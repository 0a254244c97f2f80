"""Was that luck: what is counted of a finished game, for whom, and how it is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.games.counterblast.core.checks import Check
from bot.games.counterblast.shooting.volleys import Shoot
from bot.replies.reply import Reply
from bot.table.journal.history import Undo
from bot.table.luck.luck_actions import ShowLuck, load_fallen_game
from bot.table.luck.luck_report import build_luck, describe_overall, find_deciding_rolls, grade, list_falls
from bot.table.luck.replayed_rolls import CountedRoll
from bot.table.session.encounters import EndEncounter
from rules.dice import Fall, luck_of
from tests.bot.columns import too_wide
from tests.bot.counterblast.ring import ANNA, Ring, under
from tests.bot.tables import Table, opened
from tests.played import Played

COIN = {0.0: 0.5, 1.0: 0.5}
DIE = {float(face): 1 / 6 for face in range(1, 7)}


@pytest.fixture
async def ring(table: Table) -> Ring:
    return await Ring.open(table)


async def ended(ring: Ring) -> Reply:
    answer = await ring.table.done(ANNA, EndEncounter())
    assert "How lucky were we?" in [button.label for button in answer.reply.buttons]
    return (await ring.table.press(ANNA, answer, "How lucky were we?")).reply


def line(reply: Reply, begin: str) -> int:
    return next(place for place, line in enumerate(reply.lines) if line.startswith(begin))


async def test_a_check_has_its_place_among_what_it_might_have_come_to(ring: Ring) -> None:
    await ring.arrange(under("active", "Sally"))
    await ring.ask(ANNA, Check("Sally", "STR"), 3, 3)
    reply = await ended(ring)
    assert reply.private
    assert reply.lines[0] == "Luck in Counterblast: 1 roll"
    at = line(reply, "Lancers, 1 roll:")
    assert reply.lines[at + 1].startswith("  luckier than")
    assert "There are too few rolls for a clear answer." in reply.lines


async def test_a_shot_counts_for_who_shot_and_against_whose_shield_was_thrown(ring: Ring) -> None:
    await ring.arrange(under("active", "Sally"))
    await ring.ask(ANNA, Shoot("Sally", "Edo Guardling", 4.0, 1), 9, 9, 5, 5)
    reply = await ended(ring)
    assert any(one.startswith("Lancers, 1 roll:") for one in reply.lines)
    assert any("dealt" in one and "were" in one for one in reply.lines)
    assert too_wide(reply, "counterblast") == []
    (picture,) = reply.files
    assert picture.data.startswith(b"\x89PNG")
    assert "Lancers" in picture.words


async def test_its_chance_is_that_of_as_much_or_more(ring: Ring) -> None:
    await ring.arrange(under("active", "Sally"))
    await ring.ask(ANNA, Check("Sally", "STR"), 3, 3)
    done = await ring.table.done(ANNA, EndEncounter())
    (roll,) = (await load_fallen_game(ring.table.desk.store, done.scope)).game.rolls
    better = sum(chance for worth, chance in roll.fall.chances.items() if worth > roll.fall.worth)
    assert roll.chance == pytest.approx(better + roll.fall.chances[roll.fall.worth])
    assert roll.fall.chances[roll.fall.worth] > 0.01


async def test_what_was_undone_is_no_luck(ring: Ring) -> None:
    await ring.arrange(under("active", "Sally"))
    await ring.ask(ANNA, Check("Sally", "STR"), 3, 3)
    await ring.agreed(ANNA, Undo())
    told_then = await ended(ring)
    assert "to judge luck by" in told_then.text


async def test_a_game_that_runs_tells_no_luck(ring: Ring) -> None:
    assert (
        await ring.table.refused(ANNA, ShowLuck())
        == "Wait until the game has ended to see how lucky each side was."
    )


async def test_nothing_is_written_and_it_is_told_again_alike(ring: Ring) -> None:
    await ring.arrange(under("active", "Sally"))
    await ring.ask(ANNA, Check("Sally", "STR"), 9, 9)
    first = await ended(ring)
    before = ring.table.state()
    again = await ring.table.do("cy", ShowLuck())
    assert again.reply.lines == first.lines
    assert ring.table.state() == before


# ------------------------------------------------------------------------------------ words


def rolled(fall: Fall, entry: int = 1, side: int = 1, other: int = 2) -> CountedRoll:
    chance = sum(p for worth, p in fall.chances.items() if worth >= fall.worth)
    return CountedRoll(entry, 1, "Something happens.", side, 10 * side, ((other, 10 * other),), fall, chance)


def test_what_is_good_for_one_is_bad_for_the_other() -> None:
    rolls = [rolled(Fall(DIE, 6.0)), rolled(Fall(DIE, 5.0))]
    mine, theirs = luck_of(list_falls(rolls, side=1)), luck_of(list_falls(rolls, side=2))
    assert mine.place == pytest.approx(1 - theirs.place)
    assert mine.as_far == pytest.approx(theirs.as_far)
    assert luck_of(list_falls(rolls, player=10)) == mine
    assert list_falls(rolls, player=30) == []


@pytest.mark.parametrize(
    ("heads", "of", "word"),
    [
        (1, 2, "about average"),
        (2, 2, "about average"),
        (50, 100, "about average"),
        (56, 100, "a little lucky"),
        (44, 100, "a little unlucky"),
        (60, 100, "lucky"),
        (61, 100, "very lucky"),
        (30, 100, "exceptionally unlucky"),
    ],
)
def test_the_word_is_that_of_how_often_fair_coins_fall_so_far_off(heads: int, of: int, word: str) -> None:
    """By the binomial: 56 heads of 100 or as far off come in 27% of games, 60 in 5.7%, 61 in 3.5%."""
    falls = [Fall(COIN, float(place < heads)) for place in range(of)]
    assert grade(luck_of(falls)) == word


def test_all_in_all_it_accuses_nobody() -> None:
    few = [build_luck("Lancers", [Fall(COIN, 1.0)] * 2)]
    usual = [build_luck("Lancers", [Fall(COIN, float(n % 2)) for n in range(40)])]
    rare = [build_luck("Lancers", [Fall(COIN, 1.0)] * 40)]
    assert describe_overall(few) == "There are too few rolls for a clear answer."
    assert describe_overall(usual) == "This isn't unusual for fair dice."
    assert describe_overall(rare).startswith("This is rare, but it happens with fair dice too.")
    assert describe_overall([build_luck("Lancers", [])]) == "No rolls can be counted."


def test_the_rolls_that_decided_are_those_that_fell_farthest_from_what_was_due() -> None:
    rolls = [rolled(Fall(COIN, 1.0), n) for n in range(1, 5)]
    rolls += [rolled(Fall({0.0: 0.9, 5.0: 0.1}, 5.0), 6), rolled(Fall(DIE, 1.0), 7)]
    assert [roll.entry for roll in find_deciding_rolls(rolls)] == [6, 7]


async def test_in_frac_d_earth_the_drawn_cards_are_the_luck(played: Played, tmp_path: Path) -> None:
    """Cards come of a deck that was shuffled before: both sides' draws count, each for who drew."""
    file = played.database("pressed_fracd_earth", tmp_path / "game.db")
    async with opened(file) as table:
        game = (await load_fallen_game(table.desk.store, 1)).game
    assert set(game.sides.values()) == {"Wardens", "Prowlers"}
    assert {roll.side for roll in game.rolls} == set(game.sides)
    assert all(sum(roll.fall.chances.values()) == pytest.approx(1) for roll in game.rolls)
    assert all(roll.fall.worth in roll.fall.chances for roll in game.rolls)
    assert len(game.rolls) > 40
