import pytest

from rules.effects import Assign, Count, Gain, Lose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.infinity.orders import (
    IRREGULAR_ORDERS,
    LIEUTENANT_ORDERS,
    REGULAR_ORDERS,
    Army,
    OrderKind,
    OrderPool,
    Part,
    can_become_lieutenant,
    check_order,
    check_retreating,
    count_orders,
    immune_to_retreat,
    in_retreat,
    is_irregular,
    lost_lieutenant,
    order_effects,
    retreat_threshold,
    spend,
    spend_effect,
    surviving_points,
    tactical_phase,
)
from rules.systems.infinity.settings import Settings
from tests.rules.infinity.troops import trooper


def counted(phase):
    """The Orders that the effects of a Tactical Phase put into the counters."""
    put = [effect for effect in phase.effects if isinstance(effect, Assign)]
    groups = REGULAR_ORDERS.among((effect.key, effect.value) for effect in put)
    own = frozenset(effect.id for effect in put if effect.key == IRREGULAR_ORDERS and effect.value)
    (chief,) = (effect.value for effect in put if effect.key == LIEUTENANT_ORDERS)
    return OrderPool(tuple(groups.items()), own, chief)


def army(*others, points=300, chief=None):
    leader = trooper("Strategos L1" if chief == "strategos" else "", number=1, lieutenant=True)
    return Army(1, points, (leader, *others))


def rank_and_file(first, last):
    return tuple(trooper(number=number) for number in range(first, last + 1))


@pytest.mark.rule("INF-ORD-01")
def test_the_order_count_of_the_example():
    men = (
        *rank_and_file(2, 8),
        trooper("", "unconscious", number=9, lost=1),
        trooper("", "isolated", number=10),
    )
    pool = count_orders(army(*men))
    assert pool == OrderPool(((1, 8),), frozenset({10}), 1)
    assert pool.total == 10


@pytest.mark.rule("INF-ORD-01")
def test_groups_markers_and_who_is_not_there():
    men = (
        trooper(number=2, group=2),
        trooper("", "camouflaged", number=3, group=2),
        trooper(number=4, group=2, deployed=False),
        trooper("", "hidden_deployment", number=5, group=2),
        trooper("", "dead", number=6, group=2),
    )
    assert count_orders(army(*men)).regular == ((1, 1), (2, 2))
    with pytest.raises(InvalidInput, match="at most 10"):
        count_orders(army(*rank_and_file(2, 11)))
    assert count_orders(army(*rank_and_file(2, 11)), settings=Settings(max_group=11)).of_group(1) == 11


@pytest.mark.rule("INF-ORD-02")
def test_irregular_orders():
    wild = trooper(text="Wild: W 1, IRREGULAR", number=2)
    pool = count_orders(army(wild))
    assert pool == OrderPool(((1, 1),), frozenset({2}), 1)
    assert spend(pool, wild, OrderKind.IRREGULAR).irregular == frozenset()
    assert spend(pool, wild, OrderKind.REGULAR).of_group(1) == 0
    with pytest.raises(Forbidden):
        spend(pool, trooper(number=1), OrderKind.IRREGULAR)


@pytest.mark.rule("INF-ORD-03")
def test_the_special_lieutenant_order():
    side = army(*rank_and_file(2, 3))
    pool = count_orders(side)
    assert (pool.of_group(1), pool.lieutenant) == (3, 1)
    assert spend(pool, side.troopers[0], OrderKind.LIEUTENANT).lieutenant == 0
    with pytest.raises(Forbidden):
        spend(pool, side.troopers[1], OrderKind.LIEUTENANT)
    with pytest.raises(Forbidden):
        spend(spend(pool, side.troopers[0], OrderKind.LIEUTENANT), side.troopers[0], OrderKind.LIEUTENANT)


@pytest.mark.rule("INF-ORD-01", "INF-ORD-03")
def test_the_pool_as_counters_does_not_name_the_lieutenant():
    side = army(trooper(text="Wild: W 1, IRREGULAR", number=2))
    assert order_effects(side, count_orders(side)) == (
        Assign("side", 1, "regular_orders_1", 1),
        Assign("model", 1, "irregular_orders", 0),
        Assign("model", 2, "irregular_orders", 1),
        Assign("side", 1, "lieutenant_orders", 1),
    )
    chief = side.troopers[0]
    assert spend_effect(chief, OrderKind.REGULAR) == Count("side", 1, "regular_orders_1", -1)
    assert spend_effect(chief, OrderKind.LIEUTENANT) == Count("side", 1, "lieutenant_orders", -1)
    assert spend_effect(chief, OrderKind.IRREGULAR) == Count("model", 1, "irregular_orders", -1)


def test_an_empty_pool_gives_nothing():
    with pytest.raises(Forbidden, match="no Regular Order"):
        spend(OrderPool(((1, 0),)), trooper(), OrderKind.REGULAR)
    with pytest.raises(Forbidden):
        spend(OrderPool(((2, 3),)), trooper(), OrderKind.REGULAR)


@pytest.mark.rule("INF-ORD-04")
@pytest.mark.parametrize(
    ("parts", "legal"),
    [
        ("MM", True),
        ("MS", True),
        ("SM", True),
        ("E", True),
        ("S", True),
        ("AMSA", True),
        ("SS", False),
        ("EM", False),
        ("MMM", False),
    ],
)
def test_what_one_order_buys(parts, legal):
    kinds = {"M": Part.SHORT_MOVEMENT, "S": Part.SHORT, "E": Part.ENTIRE, "A": Part.AUTOMATIC}
    skills = [kinds[letter] for letter in parts]
    if legal:
        check_order(skills)
    else:
        with pytest.raises(Forbidden):
            check_order(skills)


@pytest.mark.rule("INF-ORD-08")
def test_the_tactical_phase_counts_after_its_checks():
    # 300 points, survivors of 80: no Retreat!, but the Lieutenant is Unconscious
    men = tuple(trooper(number=number) for number in range(2, 10))
    fallen = trooper("", "unconscious", number=1, lost=1, lieutenant=True)
    phase = tactical_phase(Army(1, 300, (fallen, *men)))
    assert (phase.retreat, phase.loss) == (False, True)
    assert counted(phase) == OrderPool(((1, 0),), frozenset(range(2, 10)), 0)
    # Retreat! brings Loss of Lieutenant although the Lieutenant stands
    phase = tactical_phase(army(*rank_and_file(2, 3)))
    assert (phase.retreat, phase.loss) == (True, True)
    assert counted(phase) == OrderPool(((1, 0),), frozenset({1, 2, 3}), 0)


@pytest.mark.rule("INF-LOL-01")
def test_what_loses_the_lieutenant():
    assert not lost_lieutenant(army())
    for chief in (
        trooper("", "unconscious", lieutenant=True),
        trooper("", "dead", lieutenant=True),
        trooper("", "isolated", lieutenant=True),
        trooper("", "hidden_deployment", lieutenant=True),
        trooper(lieutenant=True, deployed=False),
        trooper(),
    ):
        assert lost_lieutenant(Army(1, 100, (chief,)))
    assert not lost_lieutenant(Army(1, 100, (trooper("", "camouflaged", lieutenant=True),)))


@pytest.mark.rule("INF-LOL-02", "INF-VET-01")
def test_everybody_is_irregular_without_a_lieutenant_but_veterans():
    side = army(trooper(number=2), trooper("Veteran L1", number=3))
    assert count_orders(side, loss=True) == OrderPool(((1, 1),), frozenset({1, 2}), 0)


@pytest.mark.rule("INF-LOL-03", "INF-RET-02")
def test_who_can_become_lieutenant():
    assert can_become_lieutenant(trooper())
    assert not can_become_lieutenant(trooper(text="Wild: W 1, IRREGULAR"))
    assert not can_become_lieutenant(trooper(text="Bot: STR 1, TYPE REM"))
    assert not can_become_lieutenant(trooper("", "unconscious"))
    assert not can_become_lieutenant(trooper(), retreat=True)


@pytest.mark.rule("INF-RET-01", "INF-ROLL-07")
def test_the_threshold_of_retreat():
    assert [retreat_threshold(points) for points in (300, 200, 150, 100)] == [75, 50, 38, 25]

    def survivors(cost):
        return Army(1, 300, (trooper(text=f"Elite: W 1, COST {cost}"),))

    assert in_retreat(survivors(75))
    assert not in_retreat(survivors(76))
    side = Army(
        1,
        40,
        (trooper(deployed=False), trooper("", "unconscious"), trooper("", "dead"), trooper("", "dogged")),
    )
    assert surviving_points(side) == 20


@pytest.mark.rule("INF-RET-02")
def test_what_a_retreating_trooper_may_do():
    running = trooper("", "retreat")
    for skill in ("Dodge", "reset", "Change Facing", "cautious movement", "short movement"):
        check_retreating(running, skill)
    with pytest.raises(Forbidden, match="During Retreat!"):
        check_retreating(running, "BS Attack")
    check_retreating(trooper(), "BS Attack")
    assert lost_lieutenant(army(), retreat=True)


@pytest.mark.rule("INF-RET-02", "INF-RET-03", "INF-VAL-02", "INF-VET-02")
def test_who_gets_a_retreat_marker():
    side = army(
        trooper("Valor L1", number=2),
        trooper("Religious Troop", number=3),
        trooper("Veteran L1", number=4),
        trooper("", "unconscious", number=5),
    )
    assert tactical_phase(side).retreat
    gained = [effect for effect in tactical_phase(side).effects if isinstance(effect, Gain)]
    assert gained == [Gain(1, "retreat", until="retreat")]
    assert not immune_to_retreat(trooper())
    for skills in ("Valor L1", "Valor L3", "Religious Troop", "Veteran L1"):
        assert immune_to_retreat(trooper(skills))
        check_retreating(trooper(skills, "retreat"), "BS Attack")


@pytest.mark.rule("INF-VAL-03", "INF-VET-02")
def test_courage_stays_but_becomes_irregular():
    side = army(trooper("Valor L1", number=2), trooper("Veteran L1", number=3))
    orders = counted(tactical_phase(side))
    assert orders == OrderPool(((1, 1),), frozenset({1, 2}), 0)


@pytest.mark.rule("INF-RET-04")
def test_retreat_is_cancelled():
    side = Army(1, 40, (trooper("", "retreat", lieutenant=True), trooper("", "retreat", number=2)))
    phase = tactical_phase(side)
    assert (phase.retreat, phase.loss) == (False, False)
    assert [effect for effect in phase.effects if isinstance(effect, Lose)] == [
        Lose(1, "retreat"),
        Lose(2, "retreat"),
    ]
    assert counted(phase).lieutenant == 1


@pytest.mark.rule("INF-ISO-01", "INF-VET-03")
def test_isolated():
    lonely, veteran = trooper("", "isolated", number=2), trooper("Veteran L1", "isolated", number=3)
    assert is_irregular(lonely, loss=False)
    assert not is_irregular(veteran, loss=False)
    pool = OrderPool(((1, 3),), frozenset({2}), 0)
    with pytest.raises(Forbidden, match="Isolated"):
        spend(pool, lonely, OrderKind.REGULAR)
    assert spend(pool, lonely, OrderKind.IRREGULAR).irregular == frozenset()
    assert spend(pool, veteran, OrderKind.REGULAR).of_group(1) == 2
    # other Automatic Skills keep working
    assert trooper("Sixth Sense L1", "isolated").levels("sixth_sense") == {1}


@pytest.mark.rule("INF-ISO-02", "INF-VET-03")
def test_an_isolated_lieutenant():
    lonely = Army(1, 10, (trooper("", "isolated", lieutenant=True),))
    phase = tactical_phase(lonely)
    assert phase.loss
    assert counted(phase).lieutenant == 0
    veteran = Army(1, 10, (trooper("Veteran L1", "isolated", lieutenant=True),))
    assert not lost_lieutenant(veteran)
    assert counted(tactical_phase(veteran)) == OrderPool(((1, 1),), frozenset(), 1)


@pytest.mark.rule("INF-STR-02")
def test_strategos_one_turns_the_lieutenants_order_into_a_regular_one():
    side = army(*rank_and_file(2, 10), chief="strategos")
    assert count_orders(side, use_strategos=False) == OrderPool(((1, 10),), frozenset(), 1)
    assert count_orders(side) == OrderPool(((1, 11),), frozenset(), 0)
    # nothing to replace in Loss of Lieutenant
    assert count_orders(side, loss=True).of_group(1) == 0


@pytest.mark.rule("INF-STR-01")
def test_strategos_of_others_does_nothing():
    side = army(trooper("Strategos L1", number=2))
    assert count_orders(side) == OrderPool(((1, 2),), frozenset(), 1)
