import pytest

from rules.effects import Assign, Gain, Harm, Leave, Lose, Mend, Propose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.conditions import (
    apply_healing,
    apply_wounds,
    can_be_healed_by,
    effects_of_attack,
    end_attacker_conditions,
    find_category,
    is_due_for_removal,
    miss_activation,
    reach_table_edge,
    recover_stunned,
    remove_casualties,
)
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.core.impacts import UNHURT, Suffered
from rules.systems.counterblast.core.settings import Settings
from tests.rules.counterblast.arena import armed, weapon
from tests.rules.counterblast.field import model

FIRER = armed(1, 1, "pulsar_rifle")


def struck(key, target=None, hits=1, through=1, critical=False, firer=FIRER):
    suffered = Suffered(hits, through=through, critical=critical)
    return effects_of_attack(firer, target or model(2, 2), weapon(key), suffered, 3)


def gained(effects):
    return {effect.condition for effect in effects if isinstance(effect, Gain)}


def proposed(effects):
    return {effect.action for effect in effects if isinstance(effect, Propose)}


@pytest.mark.rule("CB-CAS-01", "CB-STAT-09")
def test_a_model_is_down_when_damage_meets_life():
    assert not model(life=2, damage=1).is_down
    assert model(life=2, damage=1).life_left == 1
    assert model(life=2, damage=2).is_down
    assert model(life=2, damage=4).life_left == 0


@pytest.mark.rule("CB-CAS-02", "CB-COND-05", "CB-COND-03")
def test_a_model_brought_down_stays_and_lets_go_of_its_enemies():
    target = armed(2, 2, engaged=(7,), damage=1, under=(Condition.OVERWATCH,))
    assert apply_wounds(target, 2, 3) == (
        Harm(2, 2),
        Lose(2, Condition.OVERWATCH),
        Assign("model", 2, Counter.DOWN, 3),
        Assign("model", 2, "engaged:7", 0),
        Assign("model", 7, "engaged:2", 0),
    )
    assert model(life=2, damage=2).is_incapacitated
    assert apply_wounds(target, 0) == ()
    with pytest.raises(InvalidInput):
        apply_wounds(target, -1)


@pytest.mark.rule("CB-OVER-03")
def test_any_wound_ends_overwatch():
    assert Lose(2, Condition.OVERWATCH) in apply_wounds(model(2, 2, under=(Condition.OVERWATCH,)), 1)


@pytest.mark.rule("CB-CAS-03", "CB-TURN-04")
def test_unhealed_models_leave_in_the_upkeep_of_the_same_turn():
    down = model(4, 2, damage=2, counters={Counter.DOWN: 3})
    healed = model(5, 2, damage=1, counters={Counter.DOWN: 0})
    assert remove_casualties((down, healed), 3) == (Leave(4, "casualty"),)
    later = Settings(down_grace="next_turn")
    assert not is_due_for_removal(down, 3, later)
    assert is_due_for_removal(down, 4, later)


@pytest.mark.rule("CB-CAS-04", "CB-STAT-09", "CB-BAG-09")
def test_healing_a_model_that_is_down():
    # Life 2, 4 wounds taken, one success: back at 1 Life
    assert apply_healing(model(4, life=2, damage=4), 1, "medicine") == (
        Mend(4, 3),
        Assign("model", 4, Counter.DOWN, 0),
    )
    assert apply_healing(model(4, life=2, damage=1), 5, "medicine") == (Mend(4, 1),)
    assert apply_healing(model(4, life=2, damage=1), 0, "medicine") == ()
    with pytest.raises(Forbidden, match="Engineering"):
        apply_healing(model(4, types=("robot",), damage=1), 1, "medicine")


@pytest.mark.rule("CB-CAS-04", "CB-STAT-10")
def test_who_heals_what():
    def healers(*types):
        profile = model(types=types).profile
        return {skill for skill in ("medicine", "engineering") if can_be_healed_by(profile, skill)}

    assert healers("human") == {"medicine"}
    assert healers("robot") == {"engineering"}
    assert healers("cyberform") == {"medicine", "engineering"}
    assert healers("vehicle", "wheeled") == {"engineering"}


@pytest.mark.rule("CB-CAS-05")
def test_categories_of_casualties():
    assert find_category(model(damage=0), "fled") == "fled"
    assert find_category(model(life=2, damage=2), "casualty") == "wounded"
    assert find_category(model(life=2, damage=3), "casualty") == "severely wounded"
    assert find_category(model(life=2, damage=3, rank="hero"), "casualty") == "wounded"


@pytest.mark.rule("CB-CAS-06")
def test_only_panicked_models_leave_by_the_edge():
    assert reach_table_edge(model(4, under=(Condition.PANICKED,))) == (Leave(4, "fled"),)
    assert reach_table_edge(model(4)) == ()


@pytest.mark.rule("CB-CAS-07")
def test_combined_models_go_down_as_one():
    rider = model(4, types=("human", "cavalry"), life=4, damage=3)
    assert apply_wounds(rider, 1, 2) == (Harm(4, 1), Assign("model", 4, Counter.DOWN, 2))


@pytest.mark.rule("CB-FEAT-16")
def test_a_combustible_model_explodes_when_its_life_is_lost():
    assert proposed(apply_wounds(model(2, features=("combustible",)), 2)) == {"explode"}
    assert proposed(apply_wounds(model(2, features=("combustible",)), 1)) == set()


@pytest.mark.rule("CB-WEAP-29", "CB-WEAP-21", "CB-COND-04")
def test_neuralizers_stun_until_the_upkeep_after_a_missed_activation():
    effects = struck("neuralizer_baton")
    assert gained(effects) == {Condition.INCAPACITATED}
    assert not any(isinstance(effect, Harm) for effect in effects)
    assert struck("neuralizer_baton", through=0) == ()
    stunned = model(2, 2, under=(Condition.INCAPACITATED,))
    assert recover_stunned((stunned,)) == ()
    (missed,) = miss_activation(stunned)
    assert missed.value == 1
    from dataclasses import replace

    waited = replace(stunned, conditions=frozenset({(Condition.INCAPACITATED, 1)}))
    assert recover_stunned((waited,)) == (Lose(2, Condition.INCAPACITATED),)


@pytest.mark.rule("CB-WEAP-19", "CB-WEAP-22", "CB-FEAT-36")
def test_knockdown_by_a_critical_or_by_the_feature_even_when_shielded():
    assert gained(struck("neiran_stave", critical=True)) == {Condition.PRONE}
    assert gained(struck("neiran_stave")) == set()
    assert gained(struck("praetoris_double_glaive", critical=True)) == {Condition.PRONE}
    thug = armed(1, 1, "club", features=("knockdown",))
    assert gained(struck("club", through=0, firer=thug)) == {Condition.PRONE}
    assert effects_of_attack(thug, model(2, 2), weapon("club"), UNHURT) == ()


@pytest.mark.rule("CB-WEAP-30", "CB-FEAT-35", "CB-TMPL-17")
def test_sonic_weapons_drive_back():
    effects = struck("sonic_blaster_rifle", model(2, 2, size="M"))
    assert [e.details for e in effects if isinstance(e, Propose)] == [(("inches", 4), ("by", 1))]
    assert gained(effects) == set()
    assert gained(struck("sonic_blaster_cannon")) == {Condition.PRONE}


@pytest.mark.rule("CB-WEAP-23")
def test_an_arc_needs_a_wound():
    assert proposed(struck("arc_rifle")) == {"arc"}
    assert proposed(struck("arc_rifle", through=0)) == set()


@pytest.mark.rule("CB-WEAP-25", "CB-TMPL-10")
def test_flames_set_alight():
    assert gained(struck("flamethrower", through=0)) == {Condition.BURNING}


@pytest.mark.rule("CB-HIDE-08", "CB-HIDE-09", "CB-OVER-02")
def test_an_attack_reveals_and_an_overwatch_shot_ends_overwatch():
    both = model(1, under=(Condition.HIDDEN, Condition.OVERWATCH))
    assert end_attacker_conditions(both) == (Lose(1, Condition.HIDDEN),)
    assert set(end_attacker_conditions(both, overwatch=True)) == {
        Lose(1, Condition.HIDDEN),
        Lose(1, Condition.OVERWATCH),
    }
