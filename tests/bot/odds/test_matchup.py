"""Two crews against each other: the best that each model can do to each of the other."""

from __future__ import annotations

import re

import pytest

from bot.games.counterblast.melee.attacks import Fight
from bot.games.counterblast.shooting.volleys import Shoot
from bot.replies.drawing import MAX_WORDS_LENGTH
from bot.replies.reply import Reply
from bot.table import odds_budget
from bot.table.game import game
from bot.table.odds.matchup import Matchup
from bot.table.odds_budget import Thinking
from bot.table.rosters.crews import CreateCrew, RecruitMember, ShowCrew
from bot.table.session.arrivals import AddModel
from bot.table.session.encounters import NextStep, StartDemo
from tests.bot.tables import Table


async def crew(table: Table, who: str, name: str, system: str, *members: str) -> int:
    made = await table.done(who, CreateCrew(name, system))
    for member in members:
        await table.done(who, RecruitMember(made.scope, member))
    return made.scope


def average(reply: Reply, name: str) -> str:
    line = next(line for line in reply.lines if line.startswith(name))
    return line.removeprefix(name).strip()


async def test_the_best_of_each_is_that_which_its_own_odds_tell(table: Table) -> None:
    """One against one: the average is the better of its shot and its blow, as they are told in a game."""
    mine = await crew(table, "anna", "Ours", "counterblast", "Sally Starfield")
    other = await crew(table, "bo", "Theirs", "counterblast", "Trapper")
    before = table.state()
    reply = (await table.do("anna", Matchup(mine, other, inches=6.0))).reply
    assert reply.private
    assert table.state() == before
    assert reply.lines[0] == "Ours against Theirs at 6 in"
    await table.done("anna", StartDemo())
    await table.done("anna", NextStep())
    found = []
    for action in (Shoot("Sally", "Trapper", 6.0, 0, odds=True), Fight("Sally", "Trapper", odds=True)):
        text = (await table.do("anna", action)).reply.text
        match = re.search(r"goes down \(\d\+\) +(\d+)%", text)
        assert match is not None
        found.append(int(match[1]))
    assert average(reply, "Sally Starfield") == f"{max(found)}%"
    assert "Exact. No dice were rolled." in reply.lines
    assert f"Sally Starfield: Trapper {max(found)}%" in reply.files[0].words


async def test_the_better_of_shot_and_blow_counts_also_where_it_comes_second(table: Table) -> None:
    mine = await crew(table, "anna", "Ours", "counterblast", "GDF Enforcer")
    reply = (await table.do("anna", Matchup(mine, roster="Edo Spawnling"))).reply
    await table.done("anna", StartDemo())
    await table.done("anna", AddModel("Lancers", "GDF Enforcer"))
    await table.done("anna", NextStep())
    chances = []
    for action in (
        Shoot("Enforcer", "Edo Spawnling", 8.0, 0, odds=True),
        Fight("Enforcer", "Edo Spawnling", odds=True),
    ):
        match = re.search(r"goes down \(\d\+\) +(\d+)%", (await table.do("anna", action)).reply.text)
        assert match is not None
        chances.append(int(match[1]))
    assert chances[1] > chances[0] > 0
    assert average(reply, "GDF Enforcer") == f"{chances[1]}%"
    assert "Fight" in reply.text


async def test_alike_models_are_one_line_and_count_as_many(table: Table) -> None:
    mine = await crew(table, "anna", "Ours", "counterblast", "Edo Guardling", "Edo Guardling", "Trapper")
    reply = (await table.do("anna", Matchup(mine, roster="Lancers"))).reply
    assert "Edo Guardling x2" in reply.text
    assert reply.lines[0] == "Ours against Lancers at 8 in"
    assert sum(line.startswith("If each model attacks once") for line in reply.lines) == 2
    assert reply.files[0].data.startswith(b"\x89PNG")


async def test_an_average_counts_each_foe_and_what_falls_each_attacker(table: Table) -> None:
    """Three foes of whom two are alike are three, and two alike attackers fell twice as many."""
    mine = await crew(table, "anna", "Ours", "counterblast", "Sally Starfield", "GDF Ranger", "GDF Ranger")
    theirs = await crew(table, "bo", "Theirs", "counterblast", "Trapper", "Prime Leader", "Prime Leader")
    reply = (await table.do("anna", Matchup(mine, theirs))).reply
    words = reply.files[0].words.split("Theirs attack")[0]
    chances = {
        name: [0 if one == "<1" else int(one) for one in re.findall(r"(<?\d+)%", line)]
        for name, line in re.findall(r"(Sally Starfield|GDF Ranger x2): ([^.]*)", words)
    }
    expected = {name: (trapper + 2 * leader) / 3 for name, (trapper, leader) in chances.items()}
    for name, average_of_three in expected.items():
        assert int(average(reply, name).removesuffix("%")) == pytest.approx(average_of_three, abs=1.0)
        assert chances[name][0] > 2 + average_of_three
    falls = (expected["Sally Starfield"] + 2 * expected["GDF Ranger x2"]) / 100
    told = next(line for line in reply.lines if line.startswith("If each model attacks once"))
    assert float(told.split()[5]) == pytest.approx(falls, abs=0.06)
    assert abs(falls - sum(expected.values()) / 100) > 0.1


async def test_a_roster_is_a_crew_to_try_a_kind_or_names(table: Table) -> None:
    """All whom the game lists as a robot; more than twelve kinds are not weighed, and it says so."""
    mine = await crew(table, "anna", "Ours", "counterblast", "Sally Starfield")
    kinds = [one for one in game("counterblast").recruits() if "robot" in one.note.replace(",", " ").split()]
    reply = (await table.do("anna", Matchup(mine, roster="Robot"))).reply
    assert reply.lines[0] == "Ours against Every robot at 8 in"
    assert (
        f"Every robot: only the first 12 kinds of models are compared. Left out: {len(kinds) - 12}."
        in " ".join(reply.text.split())
    )
    assert all(one.name in reply.text for one in kinds[:12])
    named = (await table.do("anna", Matchup(mine, roster="Trapper, Thulle"))).reply
    assert named.lines[0] == "Ours against Chosen models at 8 in"
    assert all(name in named.text for name in ("Trapper", "Thulle"))
    one = (await table.do("anna", Matchup(mine, roster="Trapper"))).reply
    assert one.lines[0] == "Ours against Trapper at 8 in"
    everybody = (await table.do("anna", Matchup(mine, roster="everybody"))).reply
    assert everybody.lines[0] == "Ours against Everybody at 8 in"
    assert "no roster called Nobodys" in await table.refused("anna", Matchup(mine, roster="Nobodys"))


async def test_crews_of_infinity_are_weighed_and_their_lists_stay_secret(table: Table) -> None:
    names = {one.key: one.name for one in game("infinity").recruits()}
    ours, theirs = ([names[key] for key in sample.recruits[:2]] for sample in game("infinity").sample_crews())
    mine = await crew(table, "anna", "Ours", "infinity", *ours)
    other = await crew(table, "bo", "Theirs", "infinity", *theirs)
    assert "If each model attacks once" in (await table.do("anna", Matchup(mine))).reply.text
    assert "can see its list." in await table.refused("anna", Matchup(mine, other))
    assert "can see its list." in await table.refused("anna", Matchup(other))


async def test_who_would_come_hidden_is_weighed_as_what_he_is(table: Table) -> None:
    """A Prowler comes as a Marker and a Wraith not at all; here both crews are known to who asks."""
    mine = await crew(table, "anna", "Ours", "infinity", "Prowler", "Wraith")
    for asked in (Matchup(mine), Matchup(mine, roster="Prowler, Wraith")):
        reply = (await table.do("anna", asked)).reply
        assert "Marker" not in reply.text
        assert "Prowler" in reply.text
        assert "Wraith" in reply.text


async def test_a_crew_that_everybody_may_read_is_weighed_by_everybody(table: Table) -> None:
    """What /crew show tells of it is no secret; of a game that keeps lists secret both refuse."""
    listed = await crew(table, "bo", "Theirs", "counterblast", "Trapper")
    secret = await crew(table, "bo", "Hidden", "infinity", "Prowler")
    assert "Trapper" in (await table.do("anna", ShowCrew(listed))).reply.text
    assert "Trapper" in (await table.do("anna", Matchup(listed))).reply.text
    for asked in (ShowCrew(secret), Matchup(secret)):
        assert "can see its list." in await table.refused("anna", asked)


@pytest.mark.parametrize(
    ("system", "needs"), [("soluna", "the board"), ("fracd_earth", "both players' cards")]
)
async def test_a_game_that_cannot_be_weighed_without_its_table_says_so(
    table: Table, system: str, needs: str
) -> None:
    names = {one.key: one.name for one in game(system).recruits()}
    members = [names[key] for key in game(system).sample_crews()[0].recruits]
    mine = await crew(table, "anna", "Ours", system, *members)
    refusal = await table.refused("anna", Matchup(mine))
    assert refusal == f"Use /odds best in a game; attacks in {game(system).name} need {needs}."


@pytest.mark.parametrize("system", ["counterblast", "infinity", "warzone"])
async def test_a_crew_against_itself_is_as_good_both_ways(
    table: Table, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    """Its likeness bears other numbers, and that is all the difference."""
    monkeypatch.setattr(odds_budget, "now", lambda: 0.0)
    names = {one.key: one.name for one in game(system).recruits()}
    members = [names[key] for key in game(system).sample_crews()[0].recruits][:3]
    mine = await crew(table, "anna", "Ours", system, *members, members[0])
    reply = (await table.do("anna", Matchup(mine, mine))).reply
    assert reply.lines[0].startswith("Ours against Ours 2 at 8 in")
    whole = " ".join(reply.lines).partition("attacking: chance to take down each enemy (%)")[0]
    halves = whole[: whole.index("Ours 2: average chance")], whole[whole.index("Ours 2: average chance") :]
    numbers = [sorted(re.findall(r"[<>]?[\d.]+(?:%| enemies go down)", half)) for half in halves]
    assert numbers[0] == numbers[1]
    assert len(numbers[0]) > 2


async def test_crews_of_two_games_do_not_meet(table: Table) -> None:
    mine = await crew(table, "anna", "Ours", "counterblast", "Trapper")
    other = await crew(table, "anna", "Theirs", "warzone")
    assert "is a crew for" in await table.refused("anna", Matchup(mine, other))
    assert "Choose your crew" in await table.refused("anna", Matchup())
    empty = await crew(table, "bo", "Nobody", "counterblast")
    refused = await table.refused("anna", Matchup(mine, empty))
    assert refused == "Choose another crew; Nobody has no models that can play."


async def test_what_the_words_of_the_picture_have_no_room_for_the_message_tells(table: Table) -> None:
    """Every number of a large picture stands in words; of a small one they are the picture's own."""
    kinds = [one.name for one in game("counterblast").recruits() if one.points][:12]
    mine = await crew(table, "anna", "Ours", "counterblast", *kinds)
    reply = (await table.do("anna", Matchup(mine, roster=", ".join(kinds[:8])))).reply
    assert len(reply.files[0].words) <= MAX_WORDS_LENGTH
    assert ". The message lists all numbers" in reply.files[0].words
    text = " ".join(reply.text.split())
    after = text.partition("Ours attacking: chance to take down each enemy (%)")[2]
    assert all(f"{name}: " in after for name in kinds)
    small = await crew(table, "anna", "Two", "counterblast", "Trapper")
    few = (await table.do("anna", Matchup(small, roster="Lancers"))).reply
    assert "goes down, %:" not in few.text
    assert "Trapper: " in few.files[0].words


async def test_what_there_was_no_time_for_is_not_told_as_impossible(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = await crew(table, "anna", "Ours", "counterblast", "Sally Starfield", "Trapper")
    monkeypatch.setattr(Thinking, "late", property(lambda self: True))
    reply = (await table.do("anna", Matchup(mine, roster="Lancers"))).reply
    assert ". The chances could be higher" in " ".join(reply.text.split())
    assert "  not worked out" in reply.lines
    assert "  nobody" not in reply.lines
    assert "not worked out" in reply.files[0].words
    assert reply.files[0].words.split(".")[0].endswith(", incomplete")
