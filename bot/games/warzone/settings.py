"""The house rules that an encounter of Warzone may choose, in words for players."""

from __future__ import annotations

from bot.table.setting import Setting, number

TESTS_GROUP = "Tests and turns"
SHOOTING_GROUP = "Shooting"
CLOSE_COMBAT_GROUP = "Close combat"
MOVEMENT_GROUP = "Movement"
SPOTTING_GROUP = "Spotting and waiting"
POWERS_GROUP = "Powers"
MORALE_GROUP = "Morale"
VEHICLES_GROUP = "Vehicles and terrain"

RC_SHEET, CC_SHEET = "reference sheet, Ranged Combat Modifiers", "reference sheet, Close Combat Modifiers"
MOVE_SHEET, ATTACK_SHEET = "reference sheet, Move Actions", "reference sheet, Attack Actions"

ANGLE_LIMITS = (1, 360)

SETTINGS: tuple[Setting, ...] = (
    Setting(
        "opposition_tie",
        "Ties in opposition tests",
        "In an opposition test, each player adds a d20 to a value, and the totals may be equal.",
        (("reroll", "Both players roll again."), ("defender", "The defending side wins.")),
        TESTS_GROUP,
        ATTACK_SHEET,
    ),
    Setting(
        "initiative_choice",
        "Side that starts the turn",
        "One side wins the initiative roll each turn.",
        (("no", "The winner starts."), ("yes", "The winner chooses who starts.")),
        TESTS_GROUP,
    ),
    Setting(
        "squad_order",
        "Order within a squad",
        "When a squad is activated, each of its models spends its actions.",
        (
            ("one_by_one", "One model spends all its actions, then the next model does."),
            ("together", "All models move, then all attack, then all use their other actions."),
        ),
        TESTS_GROUP,
    ),
    Setting(
        "missing_band",
        "Range bands without a value",
        "Some weapons show no value for a range band.",
        (
            ("forbidden", "The weapon can't shoot at that range."),
            ("zero", "The weapon shoots at that range without a modifier."),
        ),
        SHOOTING_GROUP,
        "reference sheet, Weapon Ranges",
    ),
    Setting(
        "cover_stacks",
        "Several kinds of cover",
        "A target may be in contact with cover and also be obscured.",
        (("no", "Only the worst modifier counts."), ("yes", "All modifiers count.")),
        SHOOTING_GROUP,
        RC_SHEET,
    ),
    number(
        "standing_arc",
        "Firing arc of standing models",
        "A standing model on foot may shoot within this arc.",
        360,
        ANGLE_LIMITS,
        "The arc is {} degrees.",
        group=SHOOTING_GROUP,
        book="reference sheet, Firing Arc",
    ),
    Setting(
        "aim_duration",
        "Duration of Aim",
        "Aim gives +3 RC against one target.",
        (
            ("activation", "The bonus lasts until the activation ends."),
            ("next_shot", "The bonus applies only to the next shot."),
        ),
        SHOOTING_GROUP,
        RC_SHEET,
    ),
    Setting(
        "partial_cover_counts",
        "Models partly under a template",
        "A template may cover only part of a model's base.",
        (("yes", "The model is hit."), ("no", "The model isn't hit.")),
        SHOOTING_GROUP,
    ),
    Setting(
        "deviation_direction",
        "Direction of a deviation",
        "The bot can't roll a die with an arrow, so it rolls the direction in another way.",
        (
            ("clock12", "A clock face with 12 directions. 12 o'clock points away from the firer."),
            ("compass8", "A compass with 8 directions."),
            ("degrees", "A number of degrees from 1 to 360."),
        ),
        SHOOTING_GROUP,
    ),
    number(
        "cc_crit_dm",
        "Natural 1 in close combat",
        "A natural 1 always hits in close combat and may add to the DM.",
        0,
        (0, 20),
        "A natural 1 adds {} to the DM.",
        group=CLOSE_COMBAT_GROUP,
        book="reference sheet, Critical Success / Failure",
    ),
    Setting(
        "cc_adds_st",
        "ST in close combat damage",
        "The wielder's ST may be added to the DM of a close combat weapon.",
        (("yes", "Add ST."), ("no", "Don't add ST.")),
        CLOSE_COMBAT_GROUP,
    ),
    Setting(
        "charge_includes_attack",
        "Attack after a charge",
        "A charge is a move that ends in base contact.",
        (("no", "The attack needs an action of its own."), ("yes", "The charge includes an attack.")),
        CLOSE_COMBAT_GROUP,
        MOVE_SHEET,
    ),
    Setting(
        "charge_bonus_scope",
        "Charge bonus",
        "A model that charged gets +1 CC.",
        (
            ("first_attack", "The bonus applies only to the model's first attack after the charge."),
            ("activation", "The bonus lasts until the model's activation ends."),
        ),
        CLOSE_COMBAT_GROUP,
        CC_SHEET,
    ),
    Setting(
        "wall_rounding",
        "Attacking a model at a wall",
        "Only half as many models may attack a defender with its back to a wall.",
        (("up", "Round the number of attackers up."), ("down", "Round the number of attackers down.")),
        CLOSE_COMBAT_GROUP,
        CC_SHEET,
    ),
    Setting(
        "half_cc_rounding",
        "Half CC of Prone models",
        "A Prone model uses half its CC in tests to break away from close combat.",
        (("up", "Round up."), ("down", "Round down.")),
        CLOSE_COMBAT_GROUP,
        "reference sheet, Modifier Chart",
    ),
    Setting(
        "breakaway_includes_move",
        "Moving after breaking away",
        "A model that broke away from close combat may move.",
        (("no", "The move costs another action."), ("yes", "Breaking away includes a move.")),
        CLOSE_COMBAT_GROUP,
        ATTACK_SHEET,
    ),
    Setting(
        "limiting_terrain_foot",
        "Limiting terrain on foot",
        "Limiting terrain costs a model on foot 1 action.",
        (
            ("crossing", "The action takes the model to just past the terrain."),
            ("normal", "The action moves the model its normal distance through the terrain."),
        ),
        MOVEMENT_GROUP,
        "reference sheet, Terrain Limitations",
    ),
    Setting(
        "half_mv_rounding",
        "Rounding half MV",
        "Some terrain halves a model's MV.",
        (
            ("none", "Don't round."),
            ("up", "Round up to a whole inch."),
            ("down", "Round down to a whole inch."),
        ),
        MOVEMENT_GROUP,
        "reference sheet, Terrain Limitations",
    ),
    number(
        "mp_move_percent",
        "MV while minimizing presence",
        "A model that minimizes presence may be slower.",
        100,
        (0, 100),
        "The model can move {} percent of its MV.",
        group=MOVEMENT_GROUP,
        book=MOVE_SHEET,
    ),
    Setting(
        "jump_down_damage",
        "Damage from jumping down",
        "A model must take an LD test to jump down further than its SZ in inches.",
        (
            ("always", "If the model passes, it jumps and takes damage. If it fails, it doesn't jump."),
            ("on_fail", "The model always jumps, and takes damage only if it fails the test."),
        ),
        MOVEMENT_GROUP,
        MOVE_SHEET,
    ),
    Setting(
        "fall_multiplier",
        "Falls from a great height",
        "Falling damage is multiplied by 2, 3 or more for a high fall.",
        (
            ("hits", "The model takes 2, 3 or more separate hits."),
            ("product", "The model takes one hit with the multiplied DM."),
        ),
        MOVEMENT_GROUP,
        MOVE_SHEET,
    ),
    Setting(
        "fall_prone",
        "Prone after a fall",
        "A model may be knocked Prone by a damaging fall.",
        (("yes", "The model is Prone afterwards."), ("no", "The model stays standing.")),
        MOVEMENT_GROUP,
        MOVE_SHEET,
    ),
    Setting(
        "out_of_command",
        "Models out of command",
        "A model can end up too far from its squad's leader.",
        (
            ("must_return", "The model must first move back into command distance."),
            ("mark_only", "The bot only marks the model, which may act freely."),
        ),
        MOVEMENT_GROUP,
        "reference sheet, Command Distance",
    ),
    Setting(
        "spot_stat",
        "Value for spotting",
        "The reference sheet doesn't say which value to test to spot a concealed model.",
        (("LD", "Test LD."), ("RC", "Test RC.")),
        SPOTTING_GROUP,
        "reference sheet, Spot Modifiers",
    ),
    Setting(
        "spotted_until",
        "Duration of spotting",
        "A spotted model can be attacked by the spotter's unit.",
        (
            ("reconceal", "The model stays spotted until it conceals itself again."),
            ("turn_end", "The model stays spotted until the turn ends."),
        ),
        SPOTTING_GROUP,
        ATTACK_SHEET,
    ),
    Setting(
        "react_countercharge",
        "Countercharge while waiting",
        "A model that is charged while it waits may charge back.",
        (("yes", "A waiting model can countercharge."), ("no", "A waiting model can't countercharge.")),
        SPOTTING_GROUP,
        ATTACK_SHEET,
    ),
    Setting(
        "react_brace",
        "Brace while waiting",
        "A model that is charged while it waits may brace, which cancels the charge bonus.",
        (("yes", "A waiting model can brace."), ("no", "A waiting model can't brace.")),
        SPOTTING_GROUP,
        ATTACK_SHEET,
    ),
    Setting(
        "react_withdraw",
        "Withdraw while waiting",
        "A model that is charged while it waits may move away.",
        (("yes", "A waiting model can withdraw."), ("no", "A waiting model can't withdraw.")),
        SPOTTING_GROUP,
        ATTACK_SHEET,
    ),
    Setting(
        "channel_test",
        "Test for channelling a power",
        "A model tests PW to channel a power.",
        (
            ("pw_minus_magnitude", "The power's magnitude is subtracted from PW."),
            ("pw", "The power's magnitude doesn't matter."),
        ),
        POWERS_GROUP,
        ATTACK_SHEET,
    ),
    Setting(
        "channel_fail_cost",
        "Cost of a failed power",
        "A power may cost several actions, and an attempt to channel it may fail.",
        (
            ("one", "A failed attempt costs 1 action."),
            ("full", "A failed attempt costs as many actions as a successful one."),
        ),
        POWERS_GROUP,
        ATTACK_SHEET,
    ),
    Setting(
        "backlash_trigger",
        "When backlash happens",
        "The reference sheet has a backlash chart but doesn't say when to roll on it.",
        (
            ("natural_20", "Backlash happens on a natural 20."),
            ("any_failure", "Backlash happens on every failed attempt."),
        ),
        POWERS_GROUP,
        "reference sheet, Supernatural Backlash Chart",
    ),
    Setting(
        "unhinged_trigger",
        "When a model becomes Unhinged",
        "A Broken model can become Unhinged.",
        (
            ("fail_while_broken", "The model becomes Unhinged when it fails another morale test."),
            ("natural_20", "The model becomes Unhinged when it rolls a natural 20 on a morale test."),
        ),
        MORALE_GROUP,
        "reference sheet, Morale Modifiers",
    ),
    Setting(
        "rally_unhinged_to",
        "Rallying Unhinged models",
        "An Unhinged model that is rallied loses its Unhinged result.",
        (
            ("broken", "The model becomes Broken."),
            ("panicked", "The model becomes Panicked."),
            ("normal", "The model returns to normal."),
        ),
        MORALE_GROUP,
        ATTACK_SHEET,
    ),
    Setting(
        "unhinged_armour",
        "Armour saves of Unhinged models",
        "Some Unhinged results give a model -6 or -8 on every roll.",
        (
            ("yes", "The penalty also applies to armour saves."),
            ("no", "The penalty doesn't apply to armour saves."),
        ),
        MORALE_GROUP,
        "reference sheet, Unhinged Chart",
    ),
    Setting(
        "rampage_trigger",
        "When a summoned model rampages",
        "The reference sheet has a rampage table but doesn't say when to roll on it.",
        (
            ("manual", "The model rampages only when a player chooses to roll."),
            ("no_domination", "The model rampages in every turn in which its summoner doesn't dominate it."),
        ),
        MORALE_GROUP,
        "reference sheet, Rampage Table",
    ),
    number(
        "rear_arc",
        "Rear arc of vehicles",
        "An AV weapon that hits a vehicle from its rear arc gets +3 DM.",
        90,
        ANGLE_LIMITS,
        "The arc is {} degrees.",
        group=VEHICLES_GROUP,
    ),
    Setting(
        "weapon_failure_stacks",
        "Repeated hits on a vehicle's weapons",
        "A hit on a vehicle's weapons gives -3 to all the vehicle's shots.",
        (("yes", "Each further hit adds another -3."), ("no", "The penalty stays at -3.")),
        VEHICLES_GROUP,
    ),
    Setting(
        "chain_reroll",
        "Chain reactions in vehicles",
        "A chain reaction means another result on the system failure chart.",
        (
            ("d20", "The new result is rolled on a plain d20."),
            (
                "same_margin",
                "The margin of the first hit is used again, so the vehicle is wrecked.",
            ),
        ),
        VEHICLES_GROUP,
    ),
    Setting(
        "wreck_order",
        "Rolls for a wreck",
        "When a transport is destroyed, there is a roll for each passenger and one for the hull.",
        (("passengers_first", "Roll for the passengers first."), ("hull_first", "Roll for the hull first.")),
        VEHICLES_GROUP,
        "reference sheet, Wrecked Vehicles",
    ),
    number(
        "terrain_extra_damage",
        "Damage types against terrain",
        "Each kind of terrain lists the damage types that do more damage to it.",
        2,
        (1, 10),
        "A failed save against a type listed for the terrain causes {} wounds.",
        group=VEHICLES_GROUP,
        book="reference sheet, Type of Terrain",
    ),
    Setting(
        "impenetrable",
        "Impenetrable obstacles",
        "Sandbags and dragon's teeth are impenetrable. The reference sheet doesn't say what that means.",
        (
            ("hard_cover", "Impenetrable obstacles are hard cover."),
            ("no_shots", "Models can't shoot across impenetrable obstacles."),
        ),
        VEHICLES_GROUP,
        "reference sheet, Type of Terrain",
    ),
)
"""Every setting, grouped; the defaults are those of the rules package."""
