"""Pages of the rulebook's data, with the rules and the doubtful readings of each row."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, TypeVar

from bot.actions import Action
from bot.games.counterblast.building.draft_texts import statblock, trait_words
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.handlers import Place, handles
from bot.table.names import find
from bot.table.owners import ANYONE
from rules.sections import cite_rule
from rules.systems.counterblast.core.library import load, means_now
from rules.systems.counterblast.core.profile import (
    AFFILIATIONS,
    Chart,
    ChartRow,
    Feature,
    Gear,
    Note,
    Power,
    Profile,
    Template,
    Weapon,
)
from rules.wording import join_with_and, times


def weapon_words(weapon: Weapon) -> str:
    """Return a weapon in one line: where it reaches, its Power, its damage."""
    parts = [f"{weapon.range_inches} in"] if weapon.range_inches else []
    parts += [f"reach {weapon.reach_inches}"] if weapon.reach_inches else []
    parts += ["melee"] if weapon.melee and not weapon.reach_inches else []
    parts += [f"P{weapon.power}"] if weapon.power is not None else []
    parts += [f"damage {weapon.damage}"] if weapon.damage > 1 else []
    parts += [f"Power {weapon.power_short} at short range"] if weapon.power_short else []
    parts += [f"damage {weapon.damage_short} at short range"] if weapon.damage_short > weapon.damage else []
    parts += [f"template {weapon.template}{weapon.template_inches or ''}"] if weapon.template else []
    parts += [str(weapon.damage_dice)] if weapon.damage_dice else []
    sealed = weapon.sealed_power and weapon.sealed_dice
    parts += (
        [f"Power {weapon.sealed_power} and {weapon.sealed_dice} damage against sealed suits"]
        if sealed
        else []
    )
    parts += weapon_effects(weapon)
    return f"{weapon.name} ({', '.join(filter(None, parts))})"


def extras(weapon: Weapon) -> list[tuple[str, int]]:
    """Return a weapon's modifiers, by what they are added to; 0 for no change."""
    return [
        ("shield", weapon.shield_modifier),
        *((f"damage against {kind} models", figure) for kind, figure in weapon.bonus_damage),
        ("damage on a critical", weapon.critical_damage),
        ("on a charge", weapon.charge_modifier),
        ("STR die" if abs(weapon.strength_dice) == 1 else "STR dice", weapon.strength_dice),
        ("to STR", weapon.strength_modifier),
    ]


def weapon_effects(weapon: Weapon) -> list[str]:
    """Return a weapon's modifiers and special effects."""
    figures = [f"{figure:+d} {label}" for label, figure in extras(weapon) if figure]
    return [*figures, *(re.sub(r"\bemp\b", "EMP", effect.replace("_", " ")) for effect in weapon.effects)]


FIELD_WORDS = {
    "affiliations": "faction",
    "agility": "AGL",
    "barred": "availability",
    "bonus_damage": "bonus damage",
    "cost": "price",
    "costs": "price",
    "damage_dice": "damage dice",
    "defense": "Defense",
    "extra_psionic_shield": "psionic shield",
    "free": "free Features",
    "free_choices": "free Features",
    "intellect": "INT",
    "life": "Life",
    "line_of_sight": "line of sight",
    "points": "points",
    "rows": "rows",
    "size": "base",
    "strength": "STR",
    "strength_modifier": "STR modifier",
    "text": "rule",
    "types": "type",
    "values": "figures",
    "vehicle_costs": "price for vehicles",
    "vehicle_open": "availability",
}
"""Fields of the data as players call them; any other is called by its own name."""

PRICE_FIELDS = frozenset(
    {"cost", "costs", "vehicle_costs", "points", "affiliations", "barred", "vehicle_open"}
)
"""Fields that matter to who builds a crew, not to who plays it."""


class Doubtful(Protocol):
    """A row of the data, with its notes."""

    @property
    def name(self) -> str:
        """Return its name."""

    @property
    def unsure(self) -> tuple[str, ...]:
        """Return what could not be read safely: field, colon, reason."""


def field_words(fields: str) -> str:
    """Return the fields of a note as players call them: STR, AGL, Life."""
    return ", ".join(FIELD_WORDS.get(field, field.replace("_", " ")) for field in fields.split(", "))


def doubt_lines(row: Doubtful, *, named: bool = False, playing: bool = False) -> list[str]:
    """Return every doubt about a row with its reason, one in a line.

    named: begin with the row's name, where lines of several rows stand together. playing: leave out what
    matters only to who builds a crew.
    """
    lines = []
    for note in row.unsure:
        fields, _, reason = note.partition(": ")
        if not (playing and PRICE_FIELDS.issuperset(fields.split(", "))):
            subject = f"{row.name} ({field_words(fields)})" if named else field_words(fields)
            lines.append(f"Unclear in the rulebook: {subject}. {reason[:1].upper()}{reason[1:]}.")
    return lines


def parts(profile: Profile, weapons: Sequence[Weapon], gear: Sequence[Gear]) -> list[Doubtful]:
    """Return what a model has apart from its block: weapons, gear, Features, powers."""
    library = load()
    features = [library.features[trait.key] for trait in profile.features]
    powers = [use for power in profile.powers for use in library.power_uses(power)]
    doubtful_rows: list[Doubtful] = [*weapons, *gear, *features, *powers]
    return list(dict.fromkeys(doubtful_rows))


def model_doubts(profile: Profile, weapons: Sequence[Weapon], gear: Sequence[Gear]) -> list[str]:
    """Return the doubtful readings of a model's block and equipment, for its player."""
    lines = doubt_lines(profile, playing=True)
    for part in parts(profile, weapons, gear):
        lines += doubt_lines(part, named=True, playing=True)
    return lines


def bought_parts(profile: Profile, weapons: Sequence[Weapon], gear: Sequence[Gear]) -> list[Doubtful]:
    """Return a model and what was bought for it; a printed block's own equipment is in its price."""
    if profile.key not in load().profiles:
        return [profile, *parts(profile, weapons, gear)]
    printed = load().profiles[profile.key]
    added = [weapon for weapon in weapons if weapon.key not in printed.weapons]
    return [profile, *added, *(item for item in gear if item.key not in printed.gear)]


def crew_doubts(rows: Iterable[Doubtful]) -> list[str]:
    """Return one line that names the doubtful readings of a crew, or [] if there are none."""
    doubts = dict.fromkeys(f"{row.name} ({_doubtful_fields(row)})" for row in rows if row.unsure)
    return (
        [f"Unclear in the rulebook: {'; '.join(doubts)}. Use /book to see which reading the bot uses."]
        if doubts
        else []
    )


def _doubtful_fields(row: Doubtful) -> str:
    return ", ".join(dict.fromkeys(field_words(note.partition(": ")[0]) for note in row.unsure))


R = TypeVar("R", bound=Doubtful)

MAX_THING_LENGTH = 100


def _names(context: Asking) -> list[str]:
    return [page.name for page in pages()]


@dataclass(frozen=True, slots=True)
class LookUp(Action):
    """Look up a Counterblast model, weapon, power or chart."""

    command = "book"
    typed = "book"
    titled = "Look up a rulebook entry"
    decision_of = ANYONE

    thing: str = fields.words(
        "Name of a model, weapon, power or chart", _names, most=MAX_THING_LENGTH, needed=True
    )


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the rulebook: its unique name, its lines, and its other names."""

    name: str
    lines: tuple[str, ...]
    also: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def pages() -> tuple[Page, ...]:
    """Return everything that can be looked up, in the order of the data."""
    library = load()
    personal = set(library.weapons)
    entries = [
        *_entries("model", library.profiles, _profile),
        *_entries("weapon", library.weapons, _weapon),
        *_entries(
            "vehicle weapon",
            [vehicle_weapon for vehicle_weapon in library.vehicle_weapons if vehicle_weapon not in personal],
            _weapon,
        ),
        *_entries("gear", library.gear, _gear),
        *_entries("vehicle gear", library.vehicle_gear, _gear),
        *_entries("Feature", library.features, _feature),
        *_entries("power", library.powers, _power),
        *_entries("type", library.templates, _template),
        *_entries("affiliation", library.affiliations, _note),
        *_entries("Specialty", library.specialties, _note),
        *_entries("prey", library.preys, _note),
        *_entries("mission", library.missions, _note),
        *_entries("Maneuver", library.maneuvers, _note),
        *_entries("vehicle", library.vehicle_kinds, _note),
        *_entries("chart", library.charts, _chart),
    ]
    names: set[str] = set()
    rulebook_pages = []
    for kind, row, lines in entries:
        first_use = row.name.casefold() not in names
        names.add(row.name.casefold())
        name = row.name if first_use else f"{row.name} ({kind})"
        rulebook_pages.append(Page(name, tuple(lines), getattr(row, "aliases", ())))
    return tuple(rulebook_pages)


def _entries(
    kind: str, rows: Iterable[R], describe: Callable[[R], list[str]]
) -> list[tuple[str, Doubtful, list[str]]]:
    return [(kind, row, [*describe(row), *doubt_lines(row)]) for row in rows]


def _availability(affiliations: Sequence[str], specialties: Sequence[str] = ()) -> str:
    if set(AFFILIATIONS) <= set(affiliations):
        return "For all crews"
    library = load()
    names = [library.affiliations[key].name for key in affiliations]
    names += [library.specialties[key].name for key in specialties]
    return f"For {join_with_and(names)} crews"


def _figures(values: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {figure}" for name, figure in values)


def _text_and_rules(text: str, rules: Sequence[str]) -> list[str]:
    return [*([text] if text else []), *([f"Rulebook: {', '.join(map(cite_rule, rules))}"] if rules else [])]


def _profile(row: Profile) -> list[str]:
    library = load()
    weapons, gear = library.weapons_of(row), library.gear_of(row)
    bases = " or ".join(row.size_options)
    doubts = [line for part in parts(row, weapons, gear) for line in doubt_lines(part, named=True)]
    return [
        f"{times(row.points, 'point')}, base {bases}",
        _availability(row.affiliations),
        *statblock(row),
        f"Weapons: {'; '.join(map(weapon_words, weapons)) or 'none'}",
        f"Gear: {', '.join(item.name for item in gear) or 'none'}",
        *doubts,
    ]


def _weapon(row: Weapon) -> list[str]:
    slots = times(row.slots, "slot") if row.slots else "takes no slot"
    return [
        f"{times(row.cost, 'point')}, {slots}{', Specialist' if row.specialist else ''}",
        _availability(row.affiliations, row.specialties),
        weapon_words(row),
        *_text_and_rules(row.text, row.rules),
    ]


def _gear(row: Gear) -> list[str]:
    price = {"psionic_die": " for each psionic die", "own_points": ", plus the Watchdog's own points"}.get(
        row.cost_per, ""
    )
    lines = [
        f"{times(row.cost, 'point')}{price}, {'energized' if row.energized else 'not energized'}",
        _availability(row.affiliations),
    ]
    lines += [f"Shield +{row.shield}"] if row.shield else []
    lines += [f"{figure:+d} on {skill}" for skill, figure in row.checks]
    return [*lines, *([_figures(row.values)] if row.values else []), *_text_and_rules(row.text, row.rules)]


def _feature(row: Feature) -> list[str]:
    prices = {"Heroes": row.costs, "vehicles": row.vehicle_costs}
    offers = [f"{buyer} {'/'.join(map(str, costs))}" for buyer, costs in prices.items() if costs]
    price = f"Upgrade Points: {', '.join(offers)}"
    lines = [price if offers else "You can't buy this Feature with Upgrade Points."]
    lines += [f"Not for these types: {', '.join(row.barred)}"] if row.barred else []
    buyers = _availability(row.vehicle_affiliations) if row.vehicle_affiliations else ""
    lines += [f"On vehicles: {buyers[0].lower()}{buyers[1:]}"] if buyers else []
    return [*lines, *_text_and_rules(row.text, row.rules)]


def _power(row: Power) -> list[str]:
    cost = "attack" if row.attack else times(row.actions, "action")
    reach = f"{row.range_inches} in" if row.range_inches else "on the user or a model in base contact"
    sight = "needs line of sight" if row.line_of_sight else "needs no line of sight"
    target = f"target number {row.target}" if row.target else "against Defense"
    return [f"{cost}, {reach}, {sight}, {target}", *_text_and_rules(row.text, row.rules)]


def _template(row: Template) -> list[str]:
    granted = [trait_words(trait) for trait in row.free]
    granted += [f"{row.free_choices} of your choice"] if row.free_choices else []
    return [
        f"{times(row.points, 'point')}, base {' or '.join(row.sizes)}",
        f"Mv {row.mv}, STR {row.strength}, AGL {row.agility}, INT {row.intellect}",
        f"Def {row.defense}, Life {row.life}",
        f"Free Features: {', '.join(granted) or 'none'}",
        *_text_and_rules("", row.rules),
    ]


def _note(row: Note) -> list[str]:
    return [*([_figures(row.values)] if row.values else []), *_text_and_rules(row.text, row.rules)]


def _chart(row: Chart) -> list[str]:
    head = [f"Roll a {row.die}"] if row.die else []
    return [*head, *map(_chart_line, row.rows), *_text_and_rules("", row.rules)]


def _chart_line(row: ChartRow) -> str:
    first, last = row.low, row.high
    if first is None and last is None:
        span = ""
    elif first == last:
        span = f"{first}: "
    elif first is None:
        span = f"up to {last}: "
    else:
        span = f"{first}-{last}: " if last is not None else f"{first} or more: "
    figures = _bases(row) if "from_mm" in dict(row.values) else _figures(row.values)
    head = f"{span}{row.name}{f' ({figures})' if figures else ''}"
    return f"{head}: {row.text}" if row.text else head


def _bases(row: ChartRow) -> str:
    """Diameters of a base size on both scales. Rules: CB-GEN-03."""
    spans, figures = [], dict(row.values)
    for scale, ending in (("", ""), (" at 15 mm scale", "_15")):
        least_mm, most = figures[f"from_mm{ending}"], figures.get(f"to_mm{ending}", 0)
        span = (
            f"{least_mm} mm"
            if least_mm == most
            else f"{least_mm} to {most} mm"
            if most
            else f"{least_mm} mm or more"
        )
        spans.append(f"{span}{scale}")
    return ", ".join(spans)


@handles(LookUp, Place.NOWHERE)
def look_up(act: Act, action: LookUp) -> Reply:
    """Show a page of the rulebook only to the person; older words find their present meaning. Rules:
    CB-STAT-05.
    """
    typed = action.thing.strip().casefold()
    matches = [page for page in pages() if typed == page.name.casefold()]
    matches += [page for page in pages() if typed in map(str.casefold, page.also)]
    new_word = means_now(action.thing)
    if new_word and not matches:
        sentence = f'"{action.thing.strip()}" is an old term. The rulebook now says "{new_word}".'
        return Reply((sentence,), private=True)
    page = matches[0] if matches else find(action.thing, pages(), lambda one: one.name, "entry")
    return Reply((page.name, *page.lines), private=True)
