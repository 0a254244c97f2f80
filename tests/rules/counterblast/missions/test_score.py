import pytest

from rules.modifiers import Modifier
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.profile import Profile, Rating
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.missions.score import (
    Loss,
    Result,
    Score,
    battle_score,
    fled_score,
    hunting_bonus,
    is_hunted,
    ranking,
    result,
    score,
    survey_squares,
)

TWO = (1, 2)
THREE = (1, 2, 3)


def statblock(rank="lackey", types=("human",), points=30, psionic=None):
    one = Rating(1)
    return Profile(
        key="x", name="X", rank=rank, types=types, affiliations=("gcw",), mv=5, strength=one, agility=one,
        intellect=one, defense=7, life=1, size="S", points=points, psionic=psionic,
    )  # fmt: skip


HERO, LACKEY = statblock("hero", points=100), statblock()


def lost(side, profile=LACKEY, how="casualty", killer=None):
    return Loss(1, side, profile, how, killer)


def points(total, side=1):
    return Score(side, (Modifier(total, "all"),))


@pytest.mark.rule("CB-SCORE-01")
def test_opposing_casualties_are_worth_their_level():
    losses = [lost(2, HERO), lost(2), lost(2), lost(1, HERO), lost(2, HERO, "fled")]
    assert battle_score(1, losses, TWO) == 4
    assert battle_score(2, losses, TWO) == 2


@pytest.mark.rule("CB-SCORE-02")
def test_with_several_players_only_the_killer_scores():
    losses = [lost(2, HERO, killer=3), lost(2, killer=2), lost(2)]
    assert [battle_score(side, losses, THREE) for side in THREE] == [0, 0, 2]
    # with two players the opponent also scores what nobody killed
    assert battle_score(1, [lost(2), lost(2, killer=2)], TWO) == 2


@pytest.mark.rule("CB-SCORE-03")
@pytest.mark.parametrize(
    ("ranks", "half_total", "half_each", "full"),
    [((HERO, LACKEY), 1, 1, 3), ((LACKEY,) * 3, 1, 0, 3), ((LACKEY,) * 2, 1, 0, 2)],
)
def test_fled_models_are_worth_half(ranks, half_total, half_each, full):
    losses = [lost(2, profile, "fled") for profile in ranks]
    for setting, expected in (("half_total", half_total), ("half_each", half_each), ("full", full)):
        settings = Settings(fled_score=setting)
        assert fled_score(1, losses, settings) == expected
        assert fled_score(3, losses, settings) == expected  # every opponent
        assert fled_score(2, losses, settings) == 0
    assert fled_score(1, losses, DEFAULTS) == half_total


@pytest.mark.rule("CB-SCORE-03")
def test_each_crew_is_halved_by_itself_and_the_reserve_counts():
    # crew 2: level 1 -> 0, crew 3: level 1 -> 0; together they would give 1
    assert fled_score(1, [lost(2, how="fled"), lost(3, how="fled")], DEFAULTS) == 0
    assert fled_score(1, [lost(2, HERO, how="reserve")], DEFAULTS) == 1
    assert fled_score(1, [lost(2, HERO, how="casualty")], DEFAULTS) == 0


@pytest.mark.rule("CB-SCORE-04")
def test_models_still_panicked_count_with_the_fled():
    losses = [lost(2, how="fled"), lost(2, how="panicked")]
    assert fled_score(1, losses, DEFAULTS) == 1
    assert fled_score(1, losses, Settings(score_panicked_at_end=False)) == 0


@pytest.mark.rule("CB-SCORE-05", "CB-SCORE-09", "CB-GEN-05")
def test_victory_points_add_battle_fled_objectives_and_bonuses():
    losses = (lost(2, HERO), lost(2, HERO, "fled"))
    tally = score(
        1, losses, TWO, DEFAULTS, objective=5, bonuses=(Modifier(2, "Survey Team"),), hunting="bounty_hunters"
    )
    assert [(part.amount, part.reason) for part in tally.parts] == [
        (2, "battle"), (1, "fled"), (5, "objectives"), (2, "Survey Team"), (1, "Hunting Party"),
    ]  # fmt: skip
    assert tally.points == 11
    # nothing beyond the mission's own points is given because missions oppose one another
    assert score(2, losses, TWO, DEFAULTS, objective=5).points == 5


@pytest.mark.rule("CB-SCORE-06")
@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        (9, 7, Result.DRAW), (15, 9, Result.MIGHTY_VICTORY), (10, 4, Result.MIGHTY_VICTORY),
        (9, 4, Result.VICTORY), (8, 4, Result.VICTORY), (7, 4, Result.DRAW), (4, 7, Result.DRAW),
        (4, 8, Result.DEFEAT), (4, 14, Result.DEFEAT),
    ],
)  # fmt: skip
def test_results_by_difference(mine, theirs, expected):
    assert result(mine, theirs, DEFAULTS) is expected


@pytest.mark.rule("CB-SCORE-06")
def test_the_mighty_victory_may_begin_at_5_and_a_draw_is_no_win():
    from_five = Settings(mighty_from=5)
    assert result(9, 4, from_five) is Result.MIGHTY_VICTORY
    assert result(8, 4, from_five) is Result.VICTORY
    assert [end.is_win for end in Result] == [True, True, False, False]


@pytest.mark.rule("CB-SCORE-07")
def test_campaign_points():
    assert [end.campaign_points for end in Result] == [3, 2, 1, 0]


@pytest.mark.rule("CB-SCORE-08")
def test_three_or_more_players_are_ranked_and_equals_share_a_rank():
    ranks = ranking([points(4, 1), points(9, 2), points(4, 3), points(1, 4)])
    assert [(rank, entry.side) for rank, entry in ranks] == [(1, 2), (2, 1), (2, 3), (4, 4)]


BEAST, ROBOT = statblock(types=("beast",)), statblock(types=("robot",))
CYBER, PSION = statblock(types=("cyberform",)), statblock(types=("neiran",), psionic=Rating(2))


@pytest.mark.rule("CB-SPEC-08")
@pytest.mark.parametrize(
    ("kind", "hunted", "spared"),
    [
        ("big_game_hunters", [lost(2, BEAST), lost(2, BEAST, "fled")], [lost(2, LACKEY)]),
        ("bounty_hunters", [lost(2, HERO)], [lost(2, HERO, "fled"), lost(2, LACKEY)]),
        ("harbingers_of_doom", [lost(2, LACKEY), lost(2, CYBER)], [lost(2, ROBOT), lost(2, LACKEY, "fled")]),
        ("masters_of_metal", [lost(2, ROBOT), lost(2, CYBER)], [lost(2, LACKEY), lost(2, ROBOT, "fled")]),
        ("witch_hunters", [lost(2, PSION)], [lost(2, PSION, "fled"), lost(2, LACKEY)]),
    ],
)
def test_what_a_hunting_party_hunts(kind, hunted, spared):
    assert all(is_hunted(kind, loss) for loss in hunted)
    assert not any(is_hunted(kind, loss) for loss in spared)


def test_a_hunting_party_hunts_only_the_kinds_printed():
    with pytest.raises(InvalidInput):
        is_hunted("anglers", lost(2))


@pytest.mark.rule("CB-SPEC-07")
def test_hunting_bonus_is_a_tenth_rounded_up_of_what_the_setting_names():
    heroes = [lost(2, HERO)] * 6 + [lost(2)]  # 12 battle points and 600 requisition points of Heroes

    def bonus(settings, losses=heroes):
        return hunting_bonus(1, "bounty_hunters", losses, TWO, 25, settings)

    assert bonus(DEFAULTS) == 2
    assert bonus(DEFAULTS, [lost(2, HERO)]) == 1
    assert bonus(DEFAULTS, [lost(2)]) == 0
    assert bonus(DEFAULTS, [lost(1, HERO)]) == 0
    assert bonus(Settings(hunting_bonus="requisition_points")) == 60
    assert bonus(Settings(hunting_bonus="victory_points")) == 3
    assert bonus(Settings(hunting_bonus=4)) == 4
    # with three players only what this side killed
    assert hunting_bonus(1, "bounty_hunters", [lost(2, HERO, killer=3)], THREE, 0, DEFAULTS) == 0


@pytest.mark.rule("CB-SPEC-23")
def test_a_survey_team_scores_no_more_squares_than_the_table_has():
    assert survey_squares(3, 3) == 9
    assert survey_squares(4, 4) == 16


@pytest.mark.rule("CB-SCORE-03", "CB-SCORE-04")
@pytest.mark.parametrize(
    ("ways", "reason"),
    [
        (("fled", "fled"), "fled"),
        (("reserve", "reserve"), "in reserve"),
        (("panicked", "fled"), "fled and Panicked"),
    ],
)
def test_the_score_names_only_what_counted(ways, reason):
    losses = tuple(lost(2, how=how) for how in ways)
    assert [part.reason for part in score(1, losses, TWO, DEFAULTS).parts] == [reason]
    without = score(1, (*losses, lost(2, HERO, "fled")), TWO, Settings(score_panicked_at_end=False))
    assert "Panicked" not in without.parts[0].reason
