import pytest

from rules.effects import Gain, Harm, Leave, Lose, Mend
from rules.refusals import Forbidden, InvalidInput
from rules.systems.infinity.orders import Army, OrderKind, OrderPool, spend, surviving_points
from rules.systems.infinity.settings import Settings
from rules.systems.infinity.states import (
    Means,
    State,
    after_healing,
    after_reconnect,
    after_wounds,
    coup_de_grace,
    end_of_player_turn,
    fall_choices,
    heal,
    healing_attribute,
    is_casualty,
    likely_means,
    reconnect,
    reconnect_attribute,
    state_after,
    state_of,
    wounds_after,
)
from tests.rules.helpers import fed
from tests.rules.infinity.troops import trooper

TOUGH = "Tough: ARM 3, W 2, PH 12, COST 40"
DEAD = (Gain(1, "dead"), Leave(1, "dead"))
SHIFTER = "Dogface: W 1, COST 22; Skills Transmutation{} => Dog-Warrior: W 2, ARM 2, PH 16{}"


def shifter(skills="", later=""):
    return trooper(text=SHIFTER.format(skills, later))


@pytest.mark.rule("INF-ARM-03", "INF-WND-01")
@pytest.mark.parametrize(
    ("lost", "left", "state"),
    [(0, 2, State.NORMAL), (1, 1, State.NORMAL), (2, 0, State.UNCONSCIOUS), (3, -1, State.DEAD)],
)
def test_thresholds(lost, left, state):
    model = trooper(text=TOUGH)
    assert wounds_after(model, lost) == left
    assert state_after(model, lost) is state


@pytest.mark.rule("INF-WND-01", "INF-WND-02", "INF-WND-03")
def test_effects_of_wounds():
    model = trooper(text=TOUGH, lost=1)
    assert after_wounds(model, 0) == ()
    assert after_wounds(model, 1) == (Harm(1, 1), Gain(1, "unconscious"), Gain(1, "prone"))
    assert after_wounds(model, 2) == (Harm(1, 2), *DEAD)
    tag = trooper(text="Tag: STR 1, TYPE TAG")
    assert after_wounds(tag, 1) == (Harm(1, 1), Gain(1, "unconscious"))
    with pytest.raises(InvalidInput):
        after_wounds(model, -1)


@pytest.mark.rule("INF-WND-02")
def test_unconscious():
    model = trooper("Sensor, Regeneration, AutoMediKit, Veteran L1", "unconscious", lost=1)
    assert model.is_null
    assert is_casualty(model)
    assert model.levels("sensor") == model.levels("veteran") == frozenset()
    assert model.levels("regeneration") == model.levels("automedikit") == {1}
    with pytest.raises(Forbidden, match="can't act in its current state"):
        spend(OrderPool(((1, 5),)), model, OrderKind.REGULAR)


@pytest.mark.rule("INF-WND-03")
def test_the_dead_are_casualties_and_off_the_table():
    model = trooper("", "dead", lost=2)
    assert is_casualty(model)
    assert not model.on_table
    assert state_after(trooper("", "unconscious", lost=1), 1) is State.DEAD


@pytest.mark.rule("INF-WND-04")
def test_healing_the_unconscious():
    patient = trooper("", "unconscious", "prone", lost=1)
    assert after_healing(patient, success=True) == (Mend(1, 1), Lose(1, "unconscious"))
    assert after_healing(patient, success=False) == DEAD
    with pytest.raises(Forbidden):
        after_healing(trooper(), success=True)
    assert fed(heal, [13], 13) is True
    assert fed(heal, [14], 13) is False


@pytest.mark.rule("INF-WND-04")
def test_what_heals_whom():
    patient, machine = trooper("", "unconscious"), trooper("", "unconscious", text="Bot: STR 1, PH 9")
    doctor, engineer = trooper("Doctor"), trooper("Engineer")
    assert healing_attribute(Means.DOCTOR, patient, doctor) == 12
    assert healing_attribute(Means.ENGINEER, machine, engineer) == 12
    assert healing_attribute(Means.REGENERATION, trooper("Regeneration", "unconscious")) == 10
    assert healing_attribute(Means.AUTOMEDIKIT, trooper("AutoMediKit", "unconscious")) == 10
    assert healing_attribute(Means.MEDIKIT, patient, doctor) == 10
    for means, who, healer in (
        (Means.DOCTOR, machine, doctor),
        (Means.ENGINEER, patient, engineer),
        (Means.DOCTOR, patient, engineer),
        (Means.DOCTOR, patient, None),
        (Means.DOCTOR, patient, trooper("Doctor", "unconscious")),
        (Means.REGENERATION, trooper("AutoMediKit", "unconscious"), None),
        (Means.AUTOMEDIKIT, patient, None),
    ):
        with pytest.raises(Forbidden):
            healing_attribute(means, who, healer)


@pytest.mark.rule("INF-WND-04")
def test_what_heals_is_read_from_the_profiles():
    patient, machine = trooper("", "unconscious"), trooper("", "unconscious", text="Bot: STR 1, PH 9")
    assert likely_means(patient, trooper("Doctor, MediKit")) is Means.DOCTOR
    assert likely_means(patient, trooper("Paramedic")) is Means.MEDIKIT
    assert likely_means(machine, trooper("Doctor, Engineer")) is Means.ENGINEER
    assert likely_means(trooper("Regeneration", "unconscious"), None) is Means.REGENERATION
    assert likely_means(trooper("AutoMediKit", "unconscious"), None) is Means.AUTOMEDIKIT


@pytest.mark.rule("INF-WND-05")
def test_coup_de_grace():
    for state in ("unconscious", "spawn_embryo"):
        assert coup_de_grace(trooper("", state)) == DEAD
    for state in ("dogged", "no_wound_incapacitation", "prone"):
        with pytest.raises(Forbidden, match="Attack normally"):
            coup_de_grace(trooper("", state))
    with pytest.raises(Forbidden):
        coup_de_grace(trooper("", "unconscious"), Settings(coup_de_grace=False))


# -------------------------------------------------------------------------------------- Shasvastii


@pytest.mark.rule("INF-SHA-01")
def test_spawn_embryo_replaces_unconscious():
    model = trooper("Shasvastii, Valor L2", text=TOUGH)
    assert fall_choices(model, 2) == (State.SPAWN_EMBRYO,)
    assert Gain(1, "spawn_embryo") in after_wounds(model, 2)
    assert trooper("", "spawn_embryo").is_null
    assert state_after(model, 3) is State.DEAD
    with pytest.raises(Forbidden):
        after_wounds(model, 2, State.DOGGED)


@pytest.mark.rule("INF-SHA-02")
def test_an_embryo_does_nothing():
    embryo = trooper("Shasvastii", "spawn_embryo", lost=1)
    with pytest.raises(Forbidden):
        spend(OrderPool(((1, 5),)), embryo, OrderKind.REGULAR)


@pytest.mark.rule("INF-SHA-03", "INF-SHA-04")
def test_an_embryo_counts_as_a_survivor_until_the_game_ends():
    army = Army(
        1, 100, (trooper("Shasvastii", "spawn_embryo", lost=1), trooper("", "unconscious", lost=1, number=2))
    )
    assert surviving_points(army) == 10
    assert surviving_points(army, game_over=True) == 0


@pytest.mark.rule("INF-SHA-05", "INF-SHA-07")
def test_a_further_wound_kills_an_embryo():
    embryo = trooper("Shasvastii", "spawn_embryo", lost=1)
    assert embryo.save_armour() == 1
    assert after_wounds(embryo, 1) == (Harm(1, 1), *DEAD)
    assert not is_casualty(embryo)
    assert is_casualty(trooper("Shasvastii", "spawn_embryo", "dead", lost=2))


@pytest.mark.rule("INF-SHA-06")
def test_an_embryo_stays_without_medics():
    assert end_of_player_turn([trooper("Shasvastii", "spawn_embryo", lost=1)]) == ()


@pytest.mark.rule("INF-SHA-08")
def test_an_embryo_is_healed_to_normal():
    embryo = trooper("Shasvastii", "spawn_embryo", lost=1)
    assert after_healing(embryo, success=True) == (Mend(1, 1), Lose(1, "spawn_embryo"))


# ------------------------------------------------------------------------------ Dogged and No Wound


@pytest.mark.rule("INF-VAL-04", "INF-VAL-09", "INF-VAL-13")
def test_choices_of_who_falls():
    assert fall_choices(trooper(), 1) == (State.UNCONSCIOUS,)
    assert fall_choices(trooper("Valor L1"), 1) == (State.UNCONSCIOUS,)
    assert fall_choices(trooper("Valor L2"), 1) == (State.UNCONSCIOUS, State.DOGGED)
    both = (State.UNCONSCIOUS, State.DOGGED, State.NO_WOUND_INCAPACITATION)
    assert fall_choices(trooper("Valor L3"), 1) == both
    alone = Settings(cumulative_levels=False)
    assert fall_choices(trooper("Valor L3"), 1, alone) == (State.UNCONSCIOUS, State.NO_WOUND_INCAPACITATION)
    assert fall_choices(trooper("Valor L3"), 0) == fall_choices(trooper("Valor L3"), 2) == ()


@pytest.mark.rule("INF-VAL-04")
def test_dogged_is_announced_when_falling_or_never():
    model = trooper("Valor L2")
    assert after_wounds(model, 1, State.DOGGED) == (
        Harm(1, 1),
        Gain(1, "dogged", until="the end of the Player Turn"),
    )
    assert Gain(1, "unconscious") in after_wounds(model, 1)
    assert fall_choices(trooper("Valor L2", "unconscious", lost=1), 1) == ()
    with pytest.raises(Forbidden):
        after_wounds(trooper(), 1, State.DOGGED)


@pytest.mark.rule("INF-VAL-05", "INF-VAL-10")
@pytest.mark.parametrize("state", ["dogged", "no_wound_incapacitation"])
def test_on_their_feet_at_nothing(state):
    model = trooper("Valor L3, Sensor", state, lost=1)
    assert not model.is_null
    assert model.levels("sensor") == {1}
    assert not is_casualty(model)
    assert spend(OrderPool(((1, 5),)), model, OrderKind.REGULAR).of_group(1) == 4


@pytest.mark.rule("INF-VAL-06")
def test_dogged_dies_with_the_turn():
    troop = [trooper("", "dogged"), trooper("", "no_wound_incapacitation", number=2), trooper(number=3)]
    assert end_of_player_turn(troop) == DEAD


@pytest.mark.rule("INF-VAL-07", "INF-VAL-11", "INF-VAL-13")
@pytest.mark.parametrize("state", ["dogged", "no_wound_incapacitation"])
def test_a_further_wound_kills(state):
    model = trooper("Valor L3", state, lost=1)
    assert after_wounds(model, 1) == (Harm(1, 1), *DEAD)
    # whatever the Wounds of its profile were
    assert state_after(trooper("Valor L3", state, text=TOUGH), 1) is State.DEAD
    assert after_wounds(model, 0) == ()


@pytest.mark.rule("INF-VAL-08")
def test_the_dogged_cannot_be_healed():
    model = trooper("Regeneration", "dogged", lost=1)
    with pytest.raises(Forbidden, match="Dogged"):
        healing_attribute(Means.REGENERATION, model)
    with pytest.raises(Forbidden, match="Dogged"):
        after_healing(model, success=True)


@pytest.mark.rule("INF-VAL-12")
def test_healing_no_wound_incapacitation():
    model = trooper("", "no_wound_incapacitation", lost=1)
    assert after_healing(model, success=True) == (Mend(1, 1), Lose(1, "no_wound_incapacitation"))
    assert after_healing(model, success=False) == DEAD
    assert fed(heal, [11], 10) is False


@pytest.mark.rule("INF-VAL-13")
def test_below_nothing_in_one_order_is_death():
    model = trooper("Valor L3")
    assert state_after(model, 2) is State.DEAD
    with pytest.raises(Forbidden):
        state_after(model, 2, State.NO_WOUND_INCAPACITATION)
    assert state_of(trooper("", "dogged")) is State.DOGGED


# ------------------------------------------------------------------------------------ Transmutation


@pytest.mark.rule("INF-TRA-01", "INF-TRA-02")
def test_the_first_point_changes_the_form():
    model = shifter()
    assert after_wounds(model, 0) == ()
    assert after_wounds(model, 1) == (Harm(1, 1), Gain(1, "transmuted"), Mend(1, 1))
    changed = trooper("", "transmuted", text=SHIFTER.format("", ""))
    assert changed.current.name == "Dog-Warrior"
    assert changed.wounds == 2
    assert changed.save_armour() == 2
    # the saves of that Order are still the old profile's
    assert model.save_armour() == 0
    # the new form does not change again
    assert after_wounds(changed, 1) == (Harm(1, 1),)


@pytest.mark.rule("INF-TRA-03")
@pytest.mark.parametrize(
    ("lost", "left", "state"), [(1, 2, "normal"), (2, 1, "normal"), (3, 0, "unconscious")]
)
def test_further_points_are_taken_off_the_new_form(lost, left, state):
    assert wounds_after(shifter(), lost) == left
    assert state_after(shifter(), lost) == state


@pytest.mark.rule("INF-TRA-03")
def test_effects_leave_the_points_that_the_new_form_lost():
    effects = after_wounds(shifter(), 3)
    harm = sum(effect.amount for effect in effects if isinstance(effect, Harm))
    mend = sum(effect.amount for effect in effects if isinstance(effect, Mend))
    assert harm - mend == 2
    assert Gain(1, "unconscious") in effects
    # skills of the new form count
    assert fall_choices(shifter(later="; Skills Valor L2"), 3) == (State.UNCONSCIOUS, State.DOGGED)


@pytest.mark.rule("INF-TRA-04")
def test_below_nothing_of_the_new_form_is_death():
    assert wounds_after(shifter(), 4) == -1
    assert state_after(shifter(), 4) is State.DEAD


@pytest.mark.rule("INF-ISO-03")
def test_an_engineer_ends_isolated():
    assert reconnect_attribute(trooper("Engineer")) == 12
    with pytest.raises(Forbidden):
        reconnect_attribute(trooper())
    assert fed(reconnect, [12], 12) is True
    assert fed(reconnect, [13], 12) is False
    patient = trooper("", "isolated")
    assert after_reconnect(patient, success=True) == (Lose(1, "isolated"),)
    assert after_reconnect(patient, success=False) == ()
