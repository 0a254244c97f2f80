"""Compare: one field of an action varied over everything that is possible, best first."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from bot.actions import Action
from bot.games.counterblast.melee.charges import Charge
from bot.games.counterblast.movement.hiding import Hide
from bot.games.counterblast.shooting.team_shots import TeamShot
from bot.games.counterblast.shooting.volleys import CompareShots, Shoot
from bot.games.counterblast.state.sight import Sighting, remember_sighting
from bot.games.infinity.attack_actions import Shoot as BSAttack
from bot.games.soluna.attack_declaration import Attack as Strike
from bot.games.soluna.move_actions import Move as BoardPath
from bot.games.warzone.shooting_actions import Shoot as Fire
from bot.ids import Tag, pack, unpack
from bot.replies.reply import COLUMNS, Column, Reply
from bot.table.encounter import Encounter
from bot.table.odds.best import Best
from bot.table.odds_budget import Thinking
from bot.table.offers.comparisons import OLD_VERSION_TEXT, Compare, decode_action, encode_action
from bot.table.session.arrivals import AddModel, EquipModel
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from tests.bot.arranging import Step
from tests.bot.counterblast.ring import ANNA, BO, Ring, under
from tests.bot.tables import Table

ROW = re.compile(r"^(?P<name>.+?)(?P<asked> \*)? +(?P<chance>[<>]?\d+)% (?P<wounds>\d\.\d\d)( #+)?$")


def seen_before(shooter: str, target: str, inches: float, cover: int) -> Step:
    """Distance and cover of two models were said before."""

    def say(encounter: Encounter) -> None:
        place = Sighting(encounter.find_model(target).id, inches, cover)
        remember_sighting(encounter, encounter.find_model(shooter).id, place)

    return say


@pytest.fixture
async def ring(table: Table) -> Ring:
    return await Ring.open(table)


def rows(reply: Reply) -> dict[str, str]:
    """The table of a comparison: the chance by its name."""
    found = [match for match in map(ROW.match, reply.lines) if match]
    return {match["name"]: f"{match['chance']}%" for match in found}


def told_alone(lines: tuple[str, ...]) -> str:
    """The chance to go down, as the odds of the action alone tell it."""
    line = next(line for line in lines if line.startswith("goes down"))
    found = re.search(r"[<>]?\d+%", line)
    assert found is not None
    return found[0]


async def test_every_target_stands_with_the_chance_that_its_own_odds_tell(ring: Ring) -> None:
    shot = Shoot("Sally", "Trapper", 6.0, 1, odds=True)
    odds = await ring.table.do(ANNA, shot)
    compared = await ring.table.press(ANNA, odds, "Compare")
    assert compared.reply.private
    assert not compared.changed
    found = rows(compared.reply)
    foes = {row.name for row in (await ring.table.encounter()).models(2)}
    assert set(found) <= foes
    assert len(found) > 5
    for name, chance in found.items():
        assert told_alone((await ring.table.do(ANNA, replace(shot, target=name))).reply.lines) == chance
    numbers = [float(chance.strip("<>% ")) for chance in found.values()]
    assert numbers == sorted(numbers, reverse=True)
    assert "Trapper *" in compared.reply.text
    assert all(len(line) <= COLUMNS for line in compared.reply.lines if isinstance(line, Column))


async def test_a_team_is_compared_over_foes_alone_and_equal_foes_are_one_question(
    ring: Ring, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        assert (await ring.table.do(BO, AddModel("Edo", "Trapper", count=10))).changed
    asked = set[Any]()
    solve = Thinking._solved

    def counted(self: Thinking, rule: Any, args: Any, kwargs: Any) -> Any:
        asked.add((rule, args))
        return solve(self, rule, args, kwargs)

    monkeypatch.setattr(Thinking, "_solved", counted)
    team = TeamShot("Sally, Skip", "Trapper", "6", "1", odds=True)
    own = {row.name for row in (await ring.table.encounter()).models(1)}
    reply = (await ring.table.do(ANNA, Compare(encode_action(replace(team, odds=False)), "target"))).reply
    found = rows(reply)
    assert not own & set(found)
    trappers = [chance for name, chance in found.items() if name.startswith("Trapper")]
    assert len(trappers) > 15
    assert len(set(trappers)) == 1
    kinds = {row.profile for row in (await ring.table.encounter()).models(2)}
    assert len(asked) <= 2 * len(kinds), "a shot at each kind of foe, and at one as it was asked"


async def test_what_is_sampled_never_stands_above_what_is_known_to_be_as_good(
    ring: Ring, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every other question is told from sixty throws: each row is ranked by the least that it may be."""
    solve, asked = Thinking._solved, count()

    def sampled(self: Thinking, rule: Any, args: Any, kwargs: Any) -> Any:
        odds = solve(self, rule, args, kwargs)
        return replace(odds, rolls=60, whole=False) if next(asked) % 2 else odds

    monkeypatch.setattr(Thinking, "_solved", sampled)
    await ring.arrange(under("active", "Sally"))
    compared = Compare(encode_action(Shoot("Sally", "Trapper", 6.0, 1)), "target")
    for action in (compared, Best("Sally")):
        text = (await ring.table.do(ANNA, action)).reply.text
        found = re.findall(r"(?m)^\S.*?(?: (\d+) to)? +[<>]?(\d+)% \d\.\d\d", text)
        least, most = [int(low or high) for low, high in found], [int(high) for _, high in found]
        assert least == sorted(least, reverse=True), text
        assert most != sorted(most, reverse=True), "the order of what they may be at most is another"


async def test_what_there_was_no_time_for_is_counted_and_not_called_impossible(
    ring: Ring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Thinking, "late", True)
    shot = Shoot("Sally", "Trapper", 6.0, 1)
    lines = (await ring.table.do(ANNA, Compare(encode_action(shot), "target"))).reply.lines
    assert any(re.fullmatch(r"Choices that weren't worked out in time: \d+\.", line) for line in lines)
    assert not any(line.startswith("more aren't possible now") for line in lines)


async def test_the_picture_says_in_words_what_the_table_says(ring: Ring) -> None:
    odds = await ring.table.do(ANNA, Shoot("Sally", "Trapper", 6.0, 1, odds=True))
    reply = (await ring.table.press(ANNA, odds, "Compare")).reply
    (picture,) = reply.files
    assert picture.data.startswith(b"\x89PNG")
    for name, chance in rows(reply).items():
        assert re.search(rf"{name}( \(as asked\))? {chance}", picture.words)


async def test_over_a_number_the_picture_is_a_curve(ring: Ring) -> None:
    odds = await ring.table.do(ANNA, Shoot("Wanda", "Trapper", 6.0, 1, odds=True))
    by_target = await ring.table.press(ANNA, odds, "Compare")
    reply = (await ring.table.choose(ANNA, by_target, "distance")).reply
    (picture,) = reply.files
    assert picture.name == "curve.png"
    found = {name.removeprefix("to ").removesuffix(" in"): chance for name, chance in rows(reply).items()}
    assert len(found) == 3
    for inches, chance in found.items():
        assert re.search(rf"\b{inches} inches( \(as asked\))? {chance}", picture.words)


async def test_another_field_is_chosen_in_the_menu(ring: Ring) -> None:
    await ring.ask(ANNA, EquipModel("Sally", "Gamma Disruptor Pistol"))
    odds = await ring.table.do(ANNA, Shoot("Sally", "Trapper", 6.0, 1, odds=True))
    by_target = await ring.table.press(ANNA, odds, "Compare")
    fields = [choice.value for choice in by_target.reply.menus[0].choices]
    assert {"distance", "cover", "weapon", "mode", "order"} <= set(fields)
    by_cover = (await ring.table.choose(ANNA, by_target, "cover")).reply
    assert list(rows(by_cover)) == ["cover 0", "cover 1", "cover 2", "cover 3"]
    assert "cover 1 *" in by_cover.text
    assert by_cover.replaces


async def test_what_was_seen_of_another_target_is_taken_for_it(ring: Ring) -> None:
    """Sally is known to be 3 inches from one of them: it is weighed there, and the table says so."""
    await ring.arrange(seen_before("Sally", "Spawnguard", 3.0, 2))
    odds = await ring.table.do(ANNA, Shoot("Sally", "Trapper", 6.0, 1, odds=True))
    text = (await ring.table.press(ANNA, odds, "Compare")).reply.text
    assert "Spawnguard, 3 in" in text
    assert "All chances use what you entered: 6 in, cover 1." in text


async def test_what_the_action_refuses_is_left_out(ring: Ring) -> None:
    """A target out of every range is no target; the reply counts what is not possible."""
    odds = await ring.table.do(ANNA, Shoot("Sally", "Trapper", 6.0, 1, odds=True))
    by_target = await ring.table.press(ANNA, odds, "Compare")
    reply = (await ring.table.choose(ANNA, by_target, "mode")).reply
    refused = await ring.table.do(ANNA, Shoot("Sally", "Trapper", 6.0, 1, mode="full auto", odds=True))
    assert "goes down" not in refused.reply.text
    assert "full auto" not in rows(reply)
    assert "Choices that aren't possible now: 1." in reply.lines


async def test_who_is_charged_else_is_as_far_as_was_asked(ring: Ring) -> None:
    """Nobody is told to be 0 in away, and the button says the same distance."""
    await ring.arrange(under("active", "Sally"))
    odds = await ring.table.do(ANNA, Charge("Sally", "Trapper", 4.0, odds=True))
    reply = (await ring.table.press(ANNA, odds, "Compare")).reply
    assert "Spawnguard" in rows(reply)
    assert " 0 in" not in reply.text
    assert "All chances use what you entered: 4 in." in reply.text
    assert {button.action.inches for button in reply.buttons} == {4.0}  # type: ignore[attr-defined]


async def test_what_makes_no_difference_is_said_to_make_none(ring: Ring) -> None:
    odds = await ring.table.do(ANNA, Shoot("Sally", "Trapper", 6.0, 1, odds=True))
    by_target = await ring.table.press(ANNA, odds, "Compare")
    reply = (await ring.table.choose(ANNA, by_target, "mount")).reply
    assert reply.lines[0].startswith("All choices are equally good. For example: ")
    assert len(set(rows(reply).values())) == 1


async def test_a_weapon_and_dice_that_nobody_said_are_named(table: Table) -> None:
    """Nothing said means the first weapon and all its dice: one line each, as asked."""
    await table.done(ANNA, StartDemo("infinity"))
    await table.done(ANNA, NextStep())
    odds = await table.do(ANNA, BSAttack("Angus", "Tracker", 7.0, odds=True))
    by_target = await table.press(ANNA, odds, "Compare")
    by_weapon = (await table.choose(ANNA, by_target, "weapon")).reply
    assert list(rows(by_weapon)) == ["Combi Rifle", "Grenade"]
    assert "Combi Rifle *" in by_weapon.text
    by_dice = (await table.choose(ANNA, by_target, "dice")).reply
    assert list(rows(by_dice)) == ["dice 3", "dice 2", "dice 1"]
    assert "dice 3 *" in by_dice.text
    assert re.search(r"dice 3 \(as asked\) \d+%", by_dice.files[0].words)


async def test_what_hopes_for_something_else_stands_below_under_its_own_head(table: Table) -> None:
    """A wall is struck for certain, and is no better target than who was asked about."""
    await table.done(ANNA, StartDemo("soluna"))
    await table.done(BO, JoinEncounter("Hollow Moon"))
    await table.done(ANNA, NextStep())
    moved = {"Vey": "7,7", "Ilka": "3,5", "Rurik": "4,8", "Brin": "7,4", "Oska": "8,6", "Tarn": "6,2"}
    for name, square in moved.items():
        await table.done(ANNA if name in ("Ilka", "Brin", "Tarn") else BO, BoardPath(name, square))
    await table.done(ANNA, NextStep())
    odds = await table.do(BO, Strike("Vey", "Brin", odds=True))
    reply = (await table.press(BO, odds, "Compare")).reply
    lines = [line.split(" ")[0] for line in reply.lines]
    assert lines.index("Brin") < lines.index("Other:") < lines.index("wall")
    assert reply.lines[0].startswith("Your choice is the best: Brin")
    assert "wall" not in reply.files[0].words


async def test_what_cannot_be_done_yet_is_compared_already(table: Table) -> None:
    """To ask ahead is to plan: no button does it, one compares."""
    await table.done(ANNA, StartDemo("warzone"))
    await table.done(ANNA, JoinEncounter("Hollow"))
    await table.done(ANNA, NextStep())
    shot = await table.do(ANNA, Fire("Sgt Rook", "Ash", "SR", odds=True))
    assert any("You can't do this yet" in line for line in shot.reply.lines)
    assert [button.label for button in shot.reply.buttons] == ["Compare", "Change..."]
    assert "Whisper" in rows((await table.press(ANNA, shot, "Compare")).reply)


async def test_the_best_that_can_be_done_now_is_one_press_away(ring: Ring) -> None:
    await ring.arrange(under("active", "Sally"))
    odds = await ring.table.do(ANNA, Shoot("Sally", "Spawnguard", 6.0, 1, odds=True))
    compared = await ring.table.press(ANNA, odds, "Compare")
    best = compared.reply.buttons[0]
    assert (best.label, best.style) == ("Shoot: Trapper", "main")
    rolled = await ring.table.press(ANNA, compared, "Shoot: Trapper")
    assert "Sally Starfield's attack at Trapper" in rolled.reply.text.replace("\n", " ")
    watched = await ring.table.press(BO, odds, "Compare")
    assert not [button for button in watched.reply.buttons if button.label.startswith("Shoot")]


async def test_a_button_of_an_earlier_version_compares_weapons(ring: Ring) -> None:
    old = unpack(pack(Tag(CompareShots("#1", "#12", 6.0, 1), 3)))
    assert old.action == CompareShots("#1", "#12", 6.0, 1)
    await ring.ask(ANNA, EquipModel("Sally", "Gamma Disruptor Pistol"))
    reply = (await ring.table.do(ANNA, CompareShots("Sally", "Trapper", 6.0, 1))).reply
    assert "Shoot, by weapon" in reply.text
    assert len(rows(reply)) == 2, "the one that was asked stands there once"
    assert reply.private


async def test_what_was_written_in_another_shape_is_old_and_says_so(ring: Ring) -> None:
    command, _, *rest = encode_action(Shoot("Sally", "Trapper", 6.0, 1))
    assert await ring.table.refused(ANNA, Compare((command, "??", *rest))) == OLD_VERSION_TEXT
    assert await ring.table.refused(ANNA, Compare()) == OLD_VERSION_TEXT
    nothing_rolled = Compare(encode_action(Hide("Sally")))
    assert await ring.table.refused(ANNA, nothing_rolled) == "This action has no roll to compare."


@pytest.mark.parametrize(
    "action",
    [
        Shoot("Sally, the 2nd", "~Trap:per", 6.25, 2, order=True, more=(3, 0, 1), measured=(60, 1, 0)),
        BSAttack("Angus", "Brute", 22.5, cover=True, mod=-3, more="Brute 22 1, Leaper 18 1 cover"),
        Shoot("a", "b", friend="a\u00e9, b"),
    ],
)
def test_an_action_is_read_again_as_it_was_written(action: Action) -> None:
    assert decode_action(encode_action(action)) == action


def test_a_comparison_of_an_attack_has_room_in_an_id() -> None:
    asked = Compare(encode_action(Shoot("#12", "#15", 6.0, 1, "@1", order=True)), "distance")
    assert unpack(pack(Tag(asked, 36**3))).action == asked
