"""The house rules that an encounter of Infinity may choose, in words for players."""

from __future__ import annotations

from bot.table.setting import Setting

ROLLS, ORDERS, REACTIONS, WOUNDS = "Rolls", "Orders and Levels", "Reactions", "Wounds and falls"

LATE_REACTION = Setting(
    "late_reaction",
    "Targets that don't react in time",
    "The bot decides for a target whose player doesn't choose an ARO in time.",
    (
        ("dodge", "The target dodges if it can."),
        ("nothing", "The target does nothing."),
        ("shoot", "The target shoots back if it can."),
    ),
    REACTIONS,
)
"""The reaction if no one chose one in time."""

SETTINGS: tuple[Setting, ...] = (
    Setting(
        "mod_cap",
        "Limit on MODs",
        "All MODs to a roll are added up, and the total is capped.",
        (("12", "At most +12 or -12."), ("18", "At most +18 or -18."), ("100", "No limit.")),
        ROLLS,
    ),
    Setting(
        "blind_reaction",
        "Reacting without line of fire",
        "A trooper can use Dodge or Engage to react to an attack that it can't see.",
        (
            ("-3", "The trooper's PH Roll is at -3."),
            ("0", "The trooper's PH Roll has no MOD."),
            ("-6", "The trooper's PH Roll is at -6."),
        ),
        REACTIONS,
        "page 92, Sixth Sense",
    ),
    Setting(
        "max_group",
        "Size of a Combat Group",
        "An army is split into Combat Groups, each with its own Order Pool.",
        (("10", "At most 10 troopers."), ("15", "At most 15 troopers."), ("20", "At most 20 troopers.")),
        ORDERS,
    ),
    Setting(
        "cumulative_levels",
        "Levels of Special Skills",
        "Strategos, Sixth Sense, Valor and Veteran have several Levels.",
        (("on", "A Level includes the lower Levels."), ("off", "Each Level has only its own effects.")),
        ORDERS,
        "page 93, Strategos",
    ),
    Setting(
        "coup_de_grace",
        "CC Attacks against helpless troopers",
        "A trooper can attack an Unconscious or Spawn-Embryo trooper in close combat.",
        (("on", "The target is Dead without a roll."), ("off", "The attack is rolled as usual.")),
        WOUNDS,
    ),
    Setting(
        "unconscious_arm",
        "ARM of Unconscious troopers",
        "An Unconscious trooper sometimes has to make ARM Rolls.",
        (("profile", "The trooper uses the ARM in its profile."), ("zero", "The trooper has ARM 0.")),
        WOUNDS,
    ),
    Setting(
        "sixth_sense_delay",
        "Delayed AROs against Markers",
        "A trooper with Sixth Sense can delay its ARO until a Marker's second Skill.",
        (
            ("kept", "The trooper keeps its ARO if the Marker stays a Marker."),
            ("lost_if_unrevealed", "The trooper loses its ARO if the Marker stays a Marker."),
        ),
        REACTIONS,
        "page 92, Sixth Sense",
    ),
    LATE_REACTION,
    Setting(
        "superjump_fall",
        "Falls with Super-Jump",
        "The fall of a trooper with Super-Jump can be measured in two ways.",
        (
            ("after_jump", "The fall is measured from the end of the jump."),
            ("total_drop", "The fall is measured from the edge that the trooper jumped from."),
        ),
        WOUNDS,
        "page 93, Super-Jump",
    ),
)
"""Every setting, grouped; the defaults are those of the rules package."""
