"""Counterblast's battle sheet: a card for each member, and what the rules say of all that they carry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.games.counterblast.building.crew_play import CrewRules
from bot.games.counterblast.building.weapon_words import further
from bot.games.counterblast.core.doubts import bought, crew_doubts
from bot.games.counterblast.core.fighters import read_block, traits_in
from bot.games.counterblast.psionics.psi_knowledge import power_title
from bot.replies.sheets.sheet import Card
from bot.store.rows import CrewRow, MemberRow
from bot.table.rosters.printing import PRINTS, kind_of
from rules.systems.counterblast.building.crew import NAMES
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Profile, Trait, Weapon
from rules.systems.counterblast.turn.activation import starting_tokens

STATES = ("Panicked", "Prone", "Aim", "Overwatch", "Done")
"""What is ticked of every model."""


class CounterblastSheet:
    """See `bot.table.rosters.printing.Prints`."""

    head: tuple[str, ...] = ("Weapon", "Range", "Power", "Dmg", "Also")

    def heading(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[str]:
        """The crew's traits, and what of it could not be read safely."""
        blocks = [read_block(row.profile) for row in members]
        unsure = crew_doubts(
            one for block in blocks for one in bought(block.profile, block.weapons, block.gear)
        )
        told = [f"{key}: {value}" for key, value in CrewRules().told(crew.traits).items() if value]
        return [*told, *unsure]

    def card(self, crew: CrewRow, member: MemberRow) -> Card:
        """A member with its statblock, weapons, gear, Features, powers and boxes. Rules: CB-STAT-01."""
        block = read_block(member.profile)
        profile = block.profile
        carried = [("Gear", ", ".join(item.name for item in block.gear))]
        carried.append(("Features", ", ".join(map(_feature, profile.features))))
        carried.append(("Powers", ", ".join(map(power_title, profile.powers))))
        boxes = [("Life", profile.life)]
        kind = f"{profile.rank.capitalize()}, {', '.join(profile.types)}, base {profile.size}"
        if member.leader:
            shown = Fighter(
                0, member.name, 0, profile, block.weapons, block.gear, crew=traits_in(crew.traits)
            )
            boxes.append(("Orders", starting_tokens(shown)))
        return Card(
            member.name,
            member.points,
            kind_of(member, profile.name, kind),
            _figures(profile),
            tuple(map(_weapon, block.weapons)),
            tuple((name, words) for name, words in carried if words),
            boxes=(*boxes, *((name, 1) for name in STATES)),
        )

    def quick(self, crew: CrewRow, members: Sequence[MemberRow]) -> Sequence[tuple[str, str]]:
        """Features, weapons, gear, powers and Specialties that the crew has, each once."""
        library, blocks = load(), [read_block(row.profile) for row in members]
        traits = traits_in(crew.traits)
        found: list[tuple[str, str]] = []
        found += [(NAMES[key], library.specialties[key].text) for key in sorted(traits.specialties)]
        features = [one.key for block in blocks for one in block.profile.features]
        found += [(library.features[key].name, library.features[key].text) for key in _once(features)]
        found += [(one.name, one.text) for block in blocks for one in block.weapons]
        found += [(one.name, one.text) for block in blocks for one in block.gear]
        powers = [key for block in blocks for key in block.profile.powers]
        found += [(one.name, one.text) for key in _once(powers) for one in library.powers if one.power == key]
        return [pair for pair in dict.fromkeys(found) if pair[1]]


def _once(keys: Iterable[str]) -> list[str]:
    return sorted(set(keys))


def _figures(profile: Profile) -> tuple[tuple[str, str], ...]:
    ratings = (("STR", profile.strength), ("AGL", profile.agility), ("INT", profile.intellect))
    psi = [("PSI", str(profile.psionic))] if profile.psionic else []
    return (
        ("Mv", str(profile.mv)),
        *((name, str(rating)) for name, rating in ratings),
        *psi,
        ("Def", str(profile.defense)),
        ("Life", str(profile.life)),
        ("Shield", f"{profile.shield}D"),
    )


def _feature(one: Trait) -> str:
    return f"{load().features[one.key].name} {one.choice or one.level or ''}".strip()


def _weapon(weapon: Weapon) -> tuple[str, ...]:
    """A weapon as a row: the short half of its range stands before a stroke."""
    reach = [f"{weapon.short_range_inches:g}/{weapon.range_inches}"] if weapon.range_inches else []
    reach += [f"reach {weapon.reach_inches}"] if weapon.reach_inches else []
    reach += ["melee"] if weapon.melee and not weapon.reach_inches else []
    power = "-" if weapon.power is None else str(weapon.power)
    power = f"{weapon.power_short}/{power}" if weapon.power_short else power
    damage = str(weapon.damage)
    damage = f"{weapon.damage_short}/{damage}" if weapon.damage_short > weapon.damage else damage
    also = [f"template {weapon.template}{weapon.template_inches or ''}"] if weapon.template else []
    also += [str(weapon.damage_dice)] if weapon.damage_dice else []
    sealed = weapon.sealed_power and weapon.sealed_dice
    also += [f"sealed suits P{weapon.sealed_power} {weapon.sealed_dice}"] if sealed else []
    return (weapon.name, ", ".join(reach), power, damage, ", ".join([*also, *further(weapon)]))


PRINTS["counterblast"] = CounterblastSheet()
