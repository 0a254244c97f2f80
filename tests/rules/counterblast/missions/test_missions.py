"""Missions: set-up, tokens, searches, points, and what they earn afterwards."""

from __future__ import annotations

import pytest

from rules.effects import Assign
from rules.modifiers import total
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.campaign import (
    destroy_base,
    find_follow_ups,
    get_invasion_penalty,
    is_captive_freed,
    trade_successes,
)
from rules.systems.counterblast.core.checks import CheckResult, Throw
from rules.systems.counterblast.core.library import UnknownEntry
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.gear.skills import Job, prepare_job
from rules.systems.counterblast.missions.missions import (
    CAPTIVE_ALONG,
    Abducted,
    MarkerSpot,
    Search,
    Secret,
    after_finding,
    after_subduing,
    dropped,
    is_found,
    is_subdued,
    keeps_invasion,
    mission,
    objective_points,
    percent_of,
    possible_missions,
    prepare_trap,
    recovery_markers,
    require_abduction,
    require_escort_attack,
    require_escort_marker,
    require_escort_set_up,
    require_invasion_marker,
    require_recovery_object,
    require_search,
    require_spots,
    sabotage_relics,
    sabotaged,
    score_abduction,
    score_escort,
    score_invasion_turn,
    score_recovery,
    score_sabotage,
    score_scouting,
    searched,
    stored,
    take_token,
    trap,
    traps_sprung,
)
from tests.rules.counterblast.field import model, statblock
from tests.rules.helpers import fed

PERCENT = Settings(objective_points="percent")
OPEN = Secret(model=2, declared=True)
KEPT = Secret(model=2)


def refuse(match: str, call, *args, **kwargs):
    with pytest.raises(Forbidden, match=match):
        call(*args, **kwargs)


@pytest.mark.rule("CB-MISS-01")
def test_six_missions_to_choose_from():
    for key in ("abduction", "escort", "invasion", "recovery", "sabotage", "scouting"):
        assert mission(key).key == key
    assert len(possible_missions()) == 6
    with pytest.raises(UnknownEntry):
        mission("chess")


@pytest.mark.rule("CB-MISS-01")
def test_missions_named_without_being_printed_are_a_groups_own():
    own = {one.key for one in possible_missions(Settings(custom_missions=True))} - {
        one.key for one in possible_missions()
    }
    assert own == {"colonize", "search_and_rescue"}


@pytest.mark.rule("CB-MISS-03", "CB-SALV-04")
def test_tokens_are_taken_in_contact_and_dropped():
    holder = model(4)
    assert take_token(holder, "box", in_contact=True) == (Assign("encounter", 0, "token:box", 4),)
    refuse("base contact", take_token, holder, "box", in_contact=False)
    refuse(
        "That token marks a place and can't be moved",
        take_token,
        holder,
        "box",
        in_contact=True,
        location=True,
    )
    refuse("can't hold a token while it is", take_token, model(under=("panicked",)), "box", in_contact=True)
    free = (Assign("encounter", 0, "token:box", 0),)
    assert dropped(model(4, under=("panicked",)), "box") == free
    assert dropped(holder, "box", casualty=True) == free
    assert dropped(holder, "box") == ()


@pytest.mark.rule("CB-MISS-04", "CB-MISS-05")
def test_objective_points_are_plain_or_percent_of_the_largest_opponent():
    assert objective_points(3, (300, 410)) == 3
    assert objective_points(3, (300, 410), PERCENT) == 12  # 3% of 410 is 12.3
    assert percent_of(250, 1) == 3  # 2.5 is rounded up
    assert percent_of(240, 1) == 2


@pytest.mark.rule("CB-MISS-07")
def test_an_abduction_chooses_an_enemy():
    require_abduction(1, model(2, 2))
    refuse("enemy crew", require_abduction, 1, model(2, 1))


@pytest.mark.rule("CB-MISS-08")
def test_the_last_life_by_melee_subdues():
    target = model(2, 2, damage=1)  # one Life left
    assert is_subdued(target, 1, "melee")
    assert not is_subdued(target, 1, "other")
    assert not is_subdued(target, 0, "melee", hit=True)
    assert not is_subdued(model(2, 2, damage=2), 1, "melee")
    any_last = Settings(abduction_by="last_life")
    assert is_subdued(target, 1, "other", any_last)
    assert is_subdued(target, 0, "melee", any_last, hit=True)
    assert is_subdued(target, 0, "melee", Settings(abduction_by="any_melee"), hit=True)
    captive, token = after_subduing(target, (model(1), model(3)), 3)
    assert captive.action == "captive"
    assert token == Assign("encounter", 0, "token:captive 2", 3)
    refuse("Choose one of the attackers to hold the captive.", after_subduing, target, (model(1),), 9)


def points(pair):
    return tuple(total(parts) for parts in pair)


@pytest.mark.rule("CB-MISS-09")
def test_points_of_an_abduction():
    home = Abducted(held=True, at_home=True, secret=KEPT)
    assert points(score_abduction(home, (400,))) == (3, 0)
    assert points(score_abduction(Abducted(True, True, OPEN), (400,))) == (5, 0)
    assert points(score_abduction(Abducted(False, False, OPEN), (400,))) == (0, 1)
    away = Abducted(held=True, at_home=False, secret=OPEN)
    assert points(score_abduction(away, (400,))) == (0, 0)
    assert points(score_abduction(away, (400,), Settings(abduction_zone=False))) == (5, 0)
    assert points(score_abduction(home, (400,), PERCENT)) == (12, 0)


@pytest.mark.rule("CB-MISS-10")
def test_secret_plans_are_worth_one_more():
    assert points(score_abduction(Abducted(True, True, KEPT, plans=True), (400,))) == (4, 0)
    assert points(score_abduction(Abducted(False, False, KEPT, plans=True), (400,))) == (0, 1)


@pytest.mark.rule("CB-MISS-12")
def test_escort_starts_in_a_corner():
    require_escort_set_up(12)
    refuse("within 12 in", require_escort_set_up, 12.5)
    require_escort_marker(12)
    refuse("within 12 in", require_escort_marker, 13)
    require_escort_attack(model(1))
    refuse(
        "is a captive and can't attack in this Escort mission.",
        require_escort_attack,
        model(2, counters={CAPTIVE_ALONG: 1}),
    )


@pytest.mark.rule("CB-MISS-13")
def test_points_of_an_escort():
    assert points(score_escort(2, KEPT, (400,))) == (3, 0)
    assert points(score_escort(2, OPEN, (400,))) == (5, 0)
    assert points(score_escort(2.5, OPEN, (400,))) == (0, 3)
    assert points(score_escort(None, OPEN, (400,))) == (0, 3)


@pytest.mark.rule("CB-MISS-15")
def test_an_invasion_aims_at_enemy_ground():
    require_invasion_marker(in_enemy_zone=True)
    refuse("opponent's deployment area", require_invasion_marker, in_enemy_zone=False)


@pytest.mark.rule("CB-MISS-16")
def test_an_invasion_scores_with_more_models_than_all_others():
    here = [(model(1, 1), 6), (model(2, 1), 3)]
    assert total(score_invasion_turn(1, [*here, (model(3, 2), 6)], (400,))) == 1
    assert score_invasion_turn(1, [*here, (model(3, 2), 6), (model(4, 3), 1)], (400,)) == ()
    afraid = (model(3, 2, under=("panicked",)), 1)
    assert total(score_invasion_turn(1, [(model(1, 1), 6), afraid], (400,))) == 1
    assert score_invasion_turn(1, [(model(1, 1), 6.5)], (400,)) == ()
    assert keeps_invasion(1, [(model(1, 1), 6)])
    assert not keeps_invasion(1, [(model(1, 1, under=("panicked",)), 6), (model(2, 1), 7)])


@pytest.mark.rule("CB-MISS-19")
def test_what_is_lost_is_worth_a_quarter():
    require_recovery_object(100, 400)
    refuse("25%", require_recovery_object, 101, 400)
    require_recovery_object(300, 400, abducted=True)


@pytest.mark.rule("CB-MISS-20", "CB-MISS-30")
def test_markers_keep_their_distances():
    assert recovery_markers(2) == 3
    spots = (MarkerSpot(0, 0, (12,)), MarkerSpot(6, 0, (20,)), MarkerSpot(0, 6, (13,)))
    require_spots(spots, 3, 12, 6)
    refuse("you entered 2", require_spots, spots[:2], 3, 12, 6)
    refuse("at least 12 in from", require_spots, (MarkerSpot(0, 0, (11.9,)),), 1, 12, 6)
    refuse("at least 6 in apart", require_spots, (spots[0], MarkerSpot(5, 3, (20,))), 2, 12, 6)  # 5.8 in
    scouting = mission("scouting")
    figures = [scouting.value(name) for name in ("markers", "zone_inches", "apart_inches")]
    assert figures == [3, 12, 12]


@pytest.mark.rule("CB-MISS-21")
def test_booby_traps_go_off_once():
    assert traps_sprung((2,), True)
    assert traps_sprung((2, 3), True)
    assert not traps_sprung((2,), False)
    assert not traps_sprung((), True)
    victim, escape = prepare_trap(model(1, defense=8, shield=1))
    assert escape is None
    assert victim.damage == Throw(3, 2, 8)
    assert fed(trap, [6, 6, 5, 5], victim).through == 1  # two successes, one stopped at Power 5
    partly, check = prepare_trap(model(1), partly=True)
    assert check.throw == Throw(1, 0, 5)
    assert fed(trap, [5], partly).through == 0


@pytest.mark.rule("CB-MISS-22", "CB-MISS-31")
def test_searches_add_up_and_botches_close_a_place():
    check = prepare_job(model(gear=("scanner",)), Job("technology", 7, purpose="objective"))
    assert check.throw == Throw(1, 1, 7)
    place = Search()
    require_search(place, 1, 1, 1, once_a_turn=True)
    place = searched(place, CheckResult(2), 1)
    assert place == Search(2, 1)
    refuse(
        "You can only make one check at each place per turn",
        require_search,
        place,
        1,
        1,
        1,
        once_a_turn=True,
    )
    require_search(place, 2, 1, 1, once_a_turn=True)
    refuse("within 1 in", require_search, place, 2, 1.5, 1, once_a_turn=True)
    closed = searched(place, CheckResult(-1), 2)
    assert closed == Search(2, 2, True)
    refuse("Nothing more", require_search, closed, 3, 0, 1, once_a_turn=True)
    assert stored((closed, Search(8, 2))) == 10
    assert is_found(10)
    assert not is_found(9)
    with pytest.raises(InvalidInput):
        require_search(place, 0, 0, 1, once_a_turn=True)


@pytest.mark.rule("CB-MISS-23")
def test_what_was_found_joins_or_is_carried():
    finder = model(1)
    (joins,) = after_finding(finder, (finder, model(2)), statblock())
    assert dict(joins.details) == {"model": "trooper", "from_turn": "next"}
    (item,) = after_finding(finder, (finder,), "scanner")
    assert (item.action, item.model) == ("equip", 1)
    refuse("one of the searchers", after_finding, model(3), (finder,), "scanner")


@pytest.mark.rule("CB-MISS-24")
def test_points_of_a_recovery():
    assert total(score_recovery(True, at_home=False)) == 4
    assert total(score_recovery(True, at_home=True)) == 6
    assert score_recovery(False, at_home=True) == ()


@pytest.mark.rule("CB-MISS-26", "CB-MISS-27")
def test_sabotage_is_engineering_in_contact_far_from_both():
    note = mission("sabotage")
    require_spots((MarkerSpot(0, 0, (12, 12)),), 1, note.value("zone_inches"), note.value("apart_inches"))
    refuse("at least 12 in", require_spots, (MarkerSpot(0, 0, (12, 11)),), 1, 12, 6)
    job = Job("engineering", note.value("target"), purpose="objective")
    assert prepare_job(model(), job).throw == Throw(1, 0, 8)
    place = sabotaged(Search(), CheckResult(3), 1)
    require_search(place, 1, 0, 0, once_a_turn=False)  # as often as they like
    refuse("in base contact", require_search, place, 1, 0.5, 0, once_a_turn=False)
    assert sabotaged(place, CheckResult(-2), 2).stored == 1
    assert sabotaged(place, CheckResult(-5), 2) == Search(0, 2)


@pytest.mark.rule("CB-MISS-28")
def test_of_several_markers_each_is_sabotaged_once():
    failed = sabotaged(Search(), CheckResult(0), 1, several=True)
    assert not failed.closed
    done = sabotaged(failed, CheckResult(2), 2, several=True)
    assert done == Search(2, 2, True)
    refuse("Nothing more", require_search, done, 3, 0, 0, once_a_turn=False)
    refuse("at least 6 in apart", require_spots, (MarkerSpot(0, 0), MarkerSpot(5, 0)), 2, 12, 6)


@pytest.mark.rule("CB-MISS-29")
def test_points_of_a_sabotage():
    assert total(score_sabotage(5)) == 5
    assert score_sabotage(0) == ()
    assert [sabotage_relics(number) for number in (2, 3, 5, 6)] == [0, 1, 1, 2]


@pytest.mark.rule("CB-MISS-32")
def test_points_of_scouting():
    assert total(score_scouting(12, 400)) == 12
    assert total(score_scouting(12, 400, Settings(scouting_points="percent"))) == 48


@pytest.mark.rule("CB-MISS-33")
def test_scouting_successes_are_traded():
    bought = trade_successes(9, ("requisition", "requisition", "infiltrator"))
    assert bought == (("requisition_points", 20), ("models", 1))
    assert trade_successes(12, ("objective", "order")) == (("objective_points", 1), ("order_tokens", 1))
    refuse("but you have only", trade_successes, 6, ("rugged", "initiative"))


@pytest.mark.rule("CB-MISS-06", "CB-MISS-11")
def test_bonuses_after_an_abduction():
    (bonus,) = find_follow_ups("abduction", "own", "escort", success=False)
    assert bonus.campaign_points == 1
    assert find_follow_ups("abduction", "own", "scouting", success=True) == ()
    rescue = find_follow_ups("abduction", "target", "recovery", success=True)
    assert [follow.campaign_points for follow in rescue] == [1]
    assert is_captive_freed(rescue, success=True)
    assert not is_captive_freed(rescue, success=False)
    assert not is_captive_freed(find_follow_ups("abduction", "own", "escort", success=True), success=True)


@pytest.mark.rule("CB-MISS-06", "CB-MISS-14", "CB-MISS-17")
def test_bonuses_after_escort_and_invasion():
    assert len(find_follow_ups("escort", "own", "sabotage", success=True)) == 1
    assert find_follow_ups("escort", "own", "sabotage", success=False) == ()
    assert len(find_follow_ups("invasion", "own", "colonize", success=True, brought=("won",))) == 1
    assert find_follow_ups("invasion", "own", "colonize", success=True) == ()
    assert len(find_follow_ups("invasion", "target", "sabotage", success=True)) == 1
    assert destroy_base(5) == 3
    refuse("2 Campaign Points to destroy a base", destroy_base, 1)


@pytest.mark.rule("CB-MISS-18")
def test_a_defeated_defender_picks_one_penalty():
    assert get_invasion_penalty("casualty") == (("casualty", -1),)
    assert get_invasion_penalty("initiative") == (("initiative_tokens", -1),)
    assert get_invasion_penalty("reinforcements") == (("model_cost", 1),)
    assert get_invasion_penalty("equipment") == (("item_cost", 1),)
    with pytest.raises(InvalidInput):
        get_invasion_penalty("morale")


@pytest.mark.rule("CB-MISS-25")
def test_bonuses_after_a_recovery():
    (found,) = find_follow_ups("recovery", "own", "escort", success=False, brought=("model",))
    assert (found.campaign_points, found.when) == (1, "begin")
    (dug,) = find_follow_ups("recovery", "own", "invasion", success=False, brought=("equipment",))
    assert (dug.relic_rolls, dug.campaign_points) == (1, 0)
    assert find_follow_ups("recovery", "own", "escort", success=True, brought=("equipment",)) == ()
