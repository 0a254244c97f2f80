import pytest

from rules.systems.soluna.damage import build_target
from rules.systems.soluna.faces import count_faces
from rules.systems.soluna.profile import Profile, Weapon
from rules.systems.soluna.prospects import choices

from .scene import S, model

HERA = model(Profile("Hera", mind=2, health=3, body=2, shield=1, speed=2), 2, 2)


@pytest.mark.rule("SU-FLIP-02", "SU-DMG-05")
def test_the_printed_choice_of_the_mind_is_among_the_best():
    # 1, 3, 4, 4 with Accuracy 3, no Shield: only three dice or more on one location get past Body 2.
    # Mind: 4 - 2 = 2 knocks Hera out; Health: 1, 3, 4 or 4 turned, 3 - 2 = 1 at most
    target = build_target(HERA, shield=False)
    found = choices(count_faces([1, 3, 4, 4]), 3, target, (), S)
    assert found[0].location == "mind"
    assert found[0].damage.of("mind") == 2
    by_place = {choice.location: choice.damage.total for choice in found}
    assert by_place["health"] == 1
    # 4, 4 join 3 on Body while the Shield is out of use: 3 - 2 = 1 without a flip
    assert by_place[""] == 1


@pytest.mark.rule("SU-FLIP-03")
def test_the_target_protects_what_would_hurt_most():
    # two flips of Hera: turned off the Mind, 2 of the 4 hits are left there, which Body stops
    found = choices(count_faces([1, 1, 1, 1, 6, 6, 6]), -2, build_target(HERA, shield=False), (), S)
    assert found[0].location == "mind"
    assert found[0].damage.of("mind") == 0
    assert found[-1].damage.of("mind") == 2


@pytest.mark.rule("SU-FLIP-03")
def test_the_target_does_not_move_the_harm_elsewhere():
    # Shield 1 and Body 2 stop three of each group: five 1s less two are stopped, but all five turned away
    # would make four 2s, one of which would get through
    gun = (Weapon("Gun", 4, 3, 3),)
    ox = model(Profile("Ox", mind=3, health=3, body=2, shield=1, speed=2, weapons=gun), 2, 2)
    found = choices(count_faces([1] * 5 + [2, 3, 3, 3, 4, 4, 5, 5, 6]), -6, build_target(ox), (), S)
    assert found[0].location == "mind"
    assert found[0].damage.total == 0
    assert found[0].flipped.hits <= 3
    assert found[-1].damage.of("mind") == 2
