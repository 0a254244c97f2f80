import pytest

from rules.modifiers import total
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth import detection as det
from rules.systems.fracd_earth import detection as hid
from rules.systems.fracd_earth.checks import check_result, gets_past, side
from rules.systems.fracd_earth.detection import Subject
from rules.systems.fracd_earth.outcomes import ChallengeResult
from rules.systems.fracd_earth.profile import Skill
from rules.systems.fracd_earth.settings import DEFAULTS
from tests.rules.fracd_earth.build import figure

STEALTHY = {"skills": (Skill("Stealth", 2),)}


@pytest.mark.rule("FE-DET-05")
def test_size():
    observer = figure(size=4)
    assert det.target_number(observer, Subject(figure(2, size=2))) == 12
    assert det.target_number(observer, Subject(figure(2, size=6))) == 8
    assert det.target_number(figure(size=2), Subject(size=12)) == 0
    assert det.target_number(figure(size=2), Subject(size=14)) == 0
    assert not check_result(12, 12, all_or_nothing=True).achieved
    assert check_result(13, 12, all_or_nothing=True).achieved
    assert check_result(9, 8, all_or_nothing=True).achieved


@pytest.mark.rule("FE-DET-06", "FE-DET-07")
def test_difficulty():
    observer = figure()
    assert det.target_number(observer, Subject(hide_successes=1, hide_edges=2)) == 13
    assert det.target_number(observer, Subject(random_icons=4)) == 14
    with pytest.raises(InvalidInput):
        det.target_number(observer, Subject(hide_edges=-1))


@pytest.mark.rule("FE-DET-02", "FE-ACT-08")
def test_notice_and_alertness():
    assert det.action_of("notice") == "compatible"
    assert det.action_of("alertness") == "free"
    det.refuse_detection(line_of_sight=True, crosses_blocking=False)
    for sight, blocked in ((False, False), (True, True)):
        with pytest.raises(Forbidden):
            det.refuse_detection(line_of_sight=sight, crosses_blocking=blocked)
    det.refuse_detection(line_of_sight=False, crosses_blocking=True, other_sense=True)


@pytest.mark.rule("FE-DET-08")
def test_concealment_once():
    for cover, marks in (("none", 0), ("soft", -1), ("hard", -1)):
        observer = det.observer_side(figure(), "notice", Subject(cover=cover), "mind", DEFAULTS)
        assert total(observer.marks) == marks
    subject = Subject(figure(2, **STEALTHY), cover="hard")
    assert total(det.observer_side(figure(), "notice", subject, "mind", DEFAULTS).marks) == 0
    assert total(det.hider_side(figure(), subject, "acts", DEFAULTS).marks) == 3  # Expert, concealed


@pytest.mark.rule("FE-DET-09")
def test_general_modifiers():
    observer = figure(skills=(Skill("Notice", 1),), damage=6)
    prepared = det.observer_side(observer, "notice", Subject(), "mind", DEFAULTS)
    assert prepared.draw.cards == 1
    assert prepared.trait == 3
    assert total(det.observer_side(observer, "alertness", Subject(), "mind", DEFAULTS).marks) == -1


@pytest.mark.rule("FE-DET-10")
def test_form_and_tie():
    assert det.form(Subject(figure(2, **STEALTHY))) == "challenge"
    assert det.form(Subject(figure(2, conditions=(("inactive", 0),), **STEALTHY))) == "check"
    assert det.form(Subject(figure(2))) == det.form(Subject()) == "check"
    assert not ChallengeResult(0, all_or_nothing=True).success
    assert ChallengeResult(1, all_or_nothing=True).success
    with pytest.raises(Forbidden):
        det.hider_side(figure(), Subject(figure(2)), "acts", DEFAULTS)


@pytest.mark.rule("FE-DET-05")
def test_size_goes_to_the_hiders_total():
    subject = Subject(figure(2, size=2, resists={"acts": 4}, **STEALTHY), hide_edges=1)
    assert det.hider_side(figure(), subject, "acts", DEFAULTS).trait == 4 + 2 + 1


@pytest.mark.rule("FE-DET-04")
def test_stealth():
    assert det.stays_hidden(stealth=True, moves=True, cover="soft")
    assert not det.stays_hidden(stealth=True, moves=True, cover="none")
    assert not det.stays_hidden(stealth=False, moves=True, cover="hard")
    assert det.stays_hidden(stealth=False, moves=False, cover="soft")


TOKENS = hid.token_set(10, side=1, figure=7, order=(2, 0, 1))


@pytest.mark.rule("FE-HID-03")
def test_token_set_with_decoys():
    assert [token.figure for token in TOKENS] == [None, 7, None]
    with pytest.raises(InvalidInput):
        hid.token_set(10, 1, 7, (0, 0, 1))
    blank = hid.detect(TOKENS, 10, by_side=2, enemies=(2,))
    assert (blank.figure, blank.by_all) == (None, True)
    assert [token.id for token in blank.tokens] == [11, 12]
    real = hid.detect(TOKENS, 11, by_side=2, enemies=(2,))
    assert (real.figure, real.by_all) == (7, True)
    assert len(real.tokens) == 3
    with pytest.raises(InvalidInput):
        hid.detect(TOKENS, 99, by_side=2, enemies=(2,))
    with pytest.raises(InvalidInput):
        hid.detect(real.tokens, 11, by_side=2, enemies=(2,))
    with pytest.raises(InvalidInput):
        hid.detect(TOKENS, 11, by_side=1, enemies=(2,))


@pytest.mark.rule("FE-HID-03", "FE-HID-04")
def test_a_blank_stays_until_every_enemy_has_found_it():
    one = hid.detect(TOKENS, 10, by_side=2, enemies=(2, 3))
    assert (one.figure, one.by_all) == (None, False)
    assert [token.id for token in one.tokens] == [10, 11, 12]
    assert [each.id for each in hid.view(one.tokens, 2)] == [11, 12]
    assert hid.view(one.tokens, 3) == hid.view(TOKENS, 3)
    assert hid.view(one.tokens, None) == hid.view(TOKENS, None)
    with pytest.raises(InvalidInput):
        hid.detect(one.tokens, 10, by_side=2, enemies=(2, 3))
    other = hid.detect(one.tokens, 10, by_side=3, enemies=(2, 3))
    assert other.by_all
    assert [token.id for token in other.tokens] == [11, 12]


@pytest.mark.rule("FE-HID-04")
def test_detection_is_per_side():
    seen = hid.detect(TOKENS, 11, by_side=2, enemies=(2, 3)).tokens[1]
    assert not hid.hidden_from(seen, 2)
    assert hid.hidden_from(seen, 3)
    assert not hid.hidden_from(seen, 1)


@pytest.mark.rule("FE-DET-03", "FE-HID-04")
def test_attack_reveals_to_all_with_sight():
    after = hid.reveal_by_attack(TOKENS, 7, (2, 3))
    assert after[1].seen_by == {2, 3}
    assert hid.hidden_from(after[1], 4)
    assert after[0] == TOKENS[0]


def test_views_do_not_tell_blanks_from_the_real_token():
    other = hid.token_set(10, side=1, figure=7, order=(0, 1, 2))
    assert hid.view(TOKENS, 2) == hid.view(other, 2)
    assert hid.view(TOKENS, None) == hid.view(other, None)
    assert [each.figure for each in hid.view(TOKENS, 1)] == [None, 7, None]
    seen = hid.detect(TOKENS, 11, 2, (2, 3)).tokens
    assert [each.figure for each in hid.view(seen, 2)] == [None, 7, None]
    assert [each.known for each in hid.view(seen, 3)] == [False, False, False]


@pytest.mark.rule("FE-HID-02")
def test_area_on_hidden_figures():
    assert hid.area_affects_hidden(1)
    assert not hid.area_affects_hidden(0)


@pytest.mark.rule("FE-MAN-01")
def test_manoeuvre_challenge():
    assert gets_past(ChallengeResult(1))
    assert not gets_past(ChallengeResult(0))
    assert not gets_past(ChallengeResult(-1))
    assert side(figure(), DEFAULTS).trait == 4
    assert side(figure(), DEFAULTS, trait="body").trait == 4
    with pytest.raises(InvalidInput):
        side(figure(), DEFAULTS, trait="shoot")


@pytest.mark.rule("FE-MAN-02")
def test_manoeuvre_check():
    prepared = side(figure(damage=6), DEFAULTS)
    assert (prepared.draw.cards, prepared.draw.penalty) == (2, True)
    assert check_result(prepared.trait + 6, 10).achieved
    assert not check_result(prepared.trait + 6, 11).achieved
