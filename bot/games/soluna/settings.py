"""The house rules that an encounter of sol'una may choose, in words for players."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, get_type_hints

from bot.table.encounter import ChosenSettings, played_by
from bot.table.setting import Setting, number
from rules.systems.soluna.settings import DIRECTIONS, KNOCKDOWN, Settings

STEEP_KNOCKDOWN = ((Fraction(1, 4), 1), (Fraction(1, 2), 2), (Fraction(3, 4), 3), (Fraction(1), 4))
TABLES: dict[str, dict[str, Any]] = {
    "ko_table": {"0 1 2 3": KNOCKDOWN, "1 2 3 4": STEEP_KNOCKDOWN},
    "cloud_directions": {
        "1 is north-west": DIRECTIONS,
        "1 is south-west": (*DIRECTIONS[6:], *DIRECTIONS[3:6], *DIRECTIONS[:3]),
    },
}
"""Settings that are tables, by the words for each."""

TURN, SPEED_GROUP, SIGHT, ATTACK = "Turn", "Speed", "Sight", "Attacks"
DAMAGE, KNOCKDOWN_GROUP, COVER, AREAS = "Damage", "Knockdown and grapple", "Cover", "Areas and clouds"

ATTACK_CHAPTER, LINES, EFFECTS = "Making an Attack", "Line Of Sight and Visibility", "Impacts and Effects"
SPECIAL, COVER_CHAPTER, AREA_CHAPTER = "Special Attacks", "Cover and Obstructions", "Area Effects"
COST = (1, 20)

SETTINGS: tuple[Setting, ...] = (
    number(
        "phases_per_turn",
        "Phases in a turn",
        "A turn is made up of phases, and each model can act once in a phase.",
        10,
        (1, 100),
        "Phases: {}.",
        group=TURN,
    ),
    Setting(
        "action_order",
        "Order of models in a phase",
        "The models act one after another in each phase.",
        (("speed", "Models with higher Speed act first."), ("manual", "The players decide.")),
        TURN,
    ),
    number(
        "cp_default",
        "Combat Points of a model",
        "Some profiles don't say how many Combat Points a model has.",
        1,
        (0, 20),
        "Combat Points if the profile doesn't say: {}.",
        group=TURN,
    ),
    Setting(
        "cp_refresh",
        "When Combat Points come back",
        "A model gets all its spent Combat Points back.",
        (
            ("turn", "They come back at the model's first action of each turn."),
            ("phase", "They come back in every phase."),
        ),
        TURN,
    ),
    Setting(
        "forced_cp_reset",
        "Penalty for forced Combat Points",
        "Each forced Combat Point adds -2 to Accuracy.",
        (("turn", "The penalty grows over the turn."), ("phase", "The penalty goes back to 0 each phase.")),
        TURN,
        ATTACK_CHAPTER,
    ),
    number(
        "square_cost",
        "Cost of a square",
        "A move costs speed points for each square.",
        1,
        COST,
        "Speed points for a square: {}.",
        group=SPEED_GROUP,
    ),
    number(
        "diagonal_cost",
        "Cost of a diagonal square",
        "A move costs speed points for each diagonal square.",
        1,
        COST,
        "Speed points for a diagonal square: {}.",
        group=SPEED_GROUP,
    ),
    number(
        "debris_cost",
        "Cost of debris",
        "Destroyed cover leaves debris that slows models down.",
        2,
        COST,
        "Speed points for a square with debris: {}.",
        group=SPEED_GROUP,
    ),
    Setting(
        "stand_up_cost",
        "Cost of standing up",
        "A prone model pays speed points to stand up. Enter 0 if standing up takes a whole move.",
        (("0", "Standing up takes a whole move."),),
        SPEED_GROUP,
        bounds=(0, 20),
        number="Speed points to stand up: {}.",
    ),
    number(
        "ranged_min_reach",
        "Shortest reach of ranged weapons",
        "Weapons other than melee weapons can't be used close up. Enter 1 to switch this rule off.",
        3,
        (1, 3),
        "Shortest reach to the target: {}.",
        group=SIGHT,
        book=LINES,
    ),
    Setting(
        "visibility_stack",
        "Several visibility effects",
        "Darkness, smoke and other effects make a target harder to reach.",
        (
            ("multiply", "All effects are multiplied together."),
            ("strongest", "Only the strongest one counts."),
        ),
        SIGHT,
        LINES,
    ),
    Setting(
        "hidden_blocks_los",
        "Two blocked sight lines",
        "The rulebook's list and its example disagree on a target with two blocked sight lines.",
        (
            ("off", "The target can be attacked at -4 Accuracy, as in the rulebook's list."),
            ("on", "The target can't be seen, as in the rulebook's example."),
        ),
        SIGHT,
        LINES,
    ),
    Setting(
        "models_block_los",
        "Models in the line of sight",
        "A sight line can run through another model's square.",
        (("off", "The model gives cover but doesn't block sight."), ("on", "The model blocks the line.")),
        SIGHT,
        COVER_CHAPTER,
    ),
    Setting(
        "low_power_order",
        "Weapons low on power",
        "A weapon low on power has half its Power. Other modifiers change Power, too.",
        (
            (
                "before_environment",
                "Ability and Artifact effects are halved, too. Gravity and the rear bonus aren't.",
            ),
            ("last", "Everything is halved at the end."),
            ("weapon_only", "Only the weapon's own Power is halved."),
        ),
        ATTACK,
        ATTACK_CHAPTER,
    ),
    Setting(
        "stationary_each",
        "Bonus for standing still",
        "An attack gets +2 Accuracy if its attacker or target has stood still for 5 phases.",
        (
            ("off", "An attack gets +2 in total, even if both have stood still."),
            ("on", "An attack gets +2 for each model that has stood still."),
        ),
        ATTACK,
        ATTACK_CHAPTER,
    ),
    Setting(
        "melee_simultaneous",
        "Melee in the same phase",
        "Two models in melee can both act in the same phase.",
        (
            ("on", "Both attacks count, even if one of the models falls."),
            ("off", "A model that falls doesn't strike."),
        ),
        ATTACK,
        "Melee",
    ),
    Setting(
        "long_reach_option",
        "Optional rule: attacks beyond Reach",
        "Ranged weapons may attack beyond their Reach at -1 Accuracy for each further multiple of Reach.",
        (("off", "Not allowed."), ("on", "Allowed.")),
        ATTACK,
        "Optional Combat Rules",
    ),
    Setting(
        "single_square_any_face",
        "Damage grids of one square",
        "An object can have a damage grid of one square with no face printed on it.",
        (("on", "Every face hits the square."), ("off", "No face hits the square.")),
        DAMAGE,
        EFFECTS,
    ),
    Setting(
        "ignored_shield_transfers",
        "Hits on an ignored Shield",
        "Some attacks ignore the Shield.",
        (("on", "Hits on the Shield pass to the next location."), ("off", "Hits on the Shield are lost.")),
        DAMAGE,
        EFFECTS,
    ),
    Setting(
        "mid_attack_transfer",
        "Damage beyond a ruined location",
        "A location can be reduced to 0 with damage left over.",
        (("on", "The rest passes to the next location."), ("off", "The rest is lost.")),
        DAMAGE,
        EFFECTS,
    ),
    Setting(
        "protect_self",
        "Hits on Body and Shield",
        "Body and Shield reduce damage to the other locations.",
        (
            ("on", "Body and Shield protect themselves too."),
            ("off", "Body and Shield don't protect themselves."),
        ),
        DAMAGE,
        EFFECTS,
    ),
    Setting(
        "mode_test_trade_dice",
        "Trading dice for flips",
        "With this rule, two dice of a knockdown test may be traded for a flip.",
        (("off", "Not allowed."), ("on", "Allowed.")),
        KNOCKDOWN_GROUP,
        "Conscious page",
    ),
    Setting(
        "ko_dice",
        "Dice for a knockdown test",
        "A model that loses Mind or Health rolls as many dice as its Mind to stay up.",
        (
            ("mind", "Use the model's Mind after the damage."),
            ("mind_before", "Use the Mind that the model had before the damage."),
        ),
        KNOCKDOWN_GROUP,
        EFFECTS,
    ),
    Setting(
        "ko_both",
        "Mind and Health hit together",
        "An attack can reduce both Mind and Health.",
        (
            ("highest", "The model takes one knockdown test, at the higher difficulty."),
            ("each", "The model takes one knockdown test for each."),
        ),
        KNOCKDOWN_GROUP,
        EFFECTS,
    ),
    Setting(
        "ko_base",
        "Measuring losses",
        "The difficulty of a knockdown test depends on the share of Mind or Health lost.",
        (
            ("before", "The loss is a share of the value before the attack."),
            ("starting", "The loss is a share of the starting value."),
        ),
        KNOCKDOWN_GROUP,
        EFFECTS,
    ),
    Setting(
        "ko_table",
        "Difficulty of knockdown tests",
        "The rules lack the table of difficulties for losses of up to 1/4, 1/2, 3/4 and all.",
        (("0 1 2 3", "Difficulty 0, 1, 2 and 3."), ("1 2 3 4", "Difficulty 1, 2, 3 and 4.")),
        KNOCKDOWN_GROUP,
        EFFECTS,
    ),
    Setting(
        "grapple_tie",
        "Ties in a grapple",
        "Both sides of a grapple can roll the same number of matching dice.",
        (("none", "Nothing happens."), ("defender", "The defender wins.")),
        KNOCKDOWN_GROUP,
        SPECIAL,
    ),
    Setting(
        "cover_front_corner",
        "Front corner and cover",
        "An attacker in the target's row or column draws sight lines from one of two front corners.",
        (("both", "Lines from both corners count for cover."), ("chosen", "Only the chosen corner counts.")),
        COVER,
        COVER_CHAPTER,
    ),
    Setting(
        "cover_touch",
        "Touching an obstruction",
        "A sight line can touch an obstruction without being blocked.",
        (("contact", "The obstruction still gives cover."), ("blocked", "The obstruction gives no cover.")),
        COVER,
        COVER_CHAPTER,
    ),
    Setting(
        "cover_combine",
        "Several pieces of cover",
        "Several obstructions can be in the way of an attack.",
        (("best", "Only the strongest one counts."), ("sum", "All of them are added up.")),
        COVER,
        COVER_CHAPTER,
    ),
    number(
        "model_cover_lines",
        "Models as cover",
        "Another model in the way gives cover if it blocks enough of the three sight lines.",
        2,
        (1, 3),
        "Sight lines that the model must block: {}.",
        group=COVER,
        book=COVER_CHAPTER,
    ),
    Setting(
        "cover_protects_itself",
        "Attacks on cover",
        "Cover can be attacked. Its Body is also its Health.",
        (("on", "Its Body is subtracted from the damage."), ("off", "It takes all the damage.")),
        COVER,
        COVER_CHAPTER,
    ),
    Setting(
        "burst_even_offset",
        "Bursts of even width",
        "A burst 2 or 4 squares wide can't be centred on its target.",
        (
            ("north_east", "The burst reaches one square further to the north and east."),
            ("south_west", "The burst reaches one square further to the south and west."),
            ("attacker_choice", "The attacker chooses."),
        ),
        AREAS,
        AREA_CHAPTER,
    ),
    Setting(
        "corridor_length",
        "Length of a corridor",
        "A corridor runs from the attacker towards the target.",
        (("target", "It ends at the target square."), ("reach", "It extends to the weapon's Reach.")),
        AREAS,
        AREA_CHAPTER,
    ),
    Setting(
        "fan_profile",
        "Shape of a fan",
        "A fan is half as wide at half its reach.",
        (
            ("linear", "It widens evenly."),
            ("two_steps", "It has half its width up to half its reach, and its full width after that."),
        ),
        AREAS,
        AREA_CHAPTER,
    ),
    Setting(
        "star_shape",
        "Shape of a star burst",
        "The picture of a star burst is missing from the rules, so its squares aren't certain.",
        (("disc", "It hits all squares within its radius."), ("eight_arms", "It has eight straight arms.")),
        AREAS,
        AREA_CHAPTER,
    ),
    Setting(
        "pulse_hits_origin",
        "Square where a pulse starts",
        "A pulse spreads from a square, one square further each phase.",
        (
            ("on", "A pulse hits the square where it starts."),
            ("off", "A pulse doesn't hit the square where it starts."),
        ),
        AREAS,
        "Pulse",
    ),
    Setting(
        "cloud_first_phase",
        "Duration of clouds",
        "A cloud stays for a number of phases.",
        (
            ("on", "The phase in which the cloud appears counts."),
            ("off", "Counting starts in the next phase."),
        ),
        AREAS,
        AREA_CHAPTER,
    ),
    Setting(
        "cloud_directions",
        "Direction of drifting clouds",
        "A D10 gives the direction of the drift. The chart is missing from the rules.",
        (
            ("1 is north-west", "1 is north-west, 2 is north, and so on in rows. 9 is south-east."),
            ("1 is south-west", "1 is south-west, 2 is south, and so on in rows. 9 is north-east."),
        ),
        AREAS,
        AREA_CHAPTER,
    ),
    Setting(
        "smoke_factor",
        "Smoke and sight",
        "A sight line can run through smoke.",
        (
            ("poor", "Smoke gives poor visibility."),
            ("abysmal", "Smoke gives abysmal visibility."),
            ("none", "Smoke has no effect on sight."),
        ),
        AREAS,
        LINES,
    ),
)
"""Every setting, grouped; the defaults are those of the rules package."""


@played_by
def settings_of(chosen: ChosenSettings) -> Settings:
    """Return the settings by which this encounter plays."""
    type_hints = get_type_hints(Settings)
    values: dict[str, Any] = {}
    for key, chosen_value in chosen:
        if key in TABLES:
            values[key] = TABLES[key][chosen_value]
        elif type_hints.get(key) is int:
            values[key] = int(chosen_value)
        elif key in type_hints:
            values[key] = chosen_value == "on" if type_hints[key] is bool else chosen_value
    return Settings(**values)
