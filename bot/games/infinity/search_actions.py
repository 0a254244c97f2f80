"""Finding who hides: Discover on one Marker, Sensor over an area."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Action
from bot.games.infinity import concealment, suggestions, troops
from bot.games.infinity.duels import agreed_modifiers, modifiers_to_discover, require_marker, search_modifiers
from bot.games.infinity.fields import is_in_cover, other_mod, paying_order, who
from bot.games.infinity.narration import (
    Declaring,
    Telling,
    join_into_line,
    normal_lines,
    one_die_chances,
    why_lines,
)
from bot.games.infinity.order_resolution import go_on_from, register_aro_search, register_own_roll
from bot.games.infinity.order_rows import DISCOVER, SENSOR, Order, Reaction
from bot.games.infinity.orders import declare, find_order_or_payment
from bot.games.infinity.troops import settings_for
from bot.replies.reply import Reply
from bot.store.rows import ModelRow
from bot.table.act import Act, ActView
from bot.table.asking import fields, measuring, offering
from bot.table.asking.kinds import Asking
from bot.table.board import facts
from bot.table.board.facts import Fact
from bot.table.encounter import EncounterView
from bot.table.steps import Chances, in_steps
from bot.table.throw_purposes import Whose
from rules.measure import Sight
from rules.modifiers import Modifier
from rules.systems.infinity.orders import Part
from rules.systems.infinity.profile import Skill
from rules.systems.infinity.rolls import Reading, modified, normal_roll
from rules.systems.infinity.shooting import after_sensor, check_sensor, discover_range_mod, sensor_modifiers
from rules.systems.infinity.trooper import Trooper
from rules.wording import possessive


def _measure_range_mod(context: Asking) -> Fact | None:
    """Return the MOD of the distance to the Marker, by the range chart of Discover."""
    pair = measuring.both(context, "model", "marker")
    distance = facts.between(context.act.encounter, *pair) if pair else None
    mod = discover_range_mod(distance.value) if distance is not None else None
    if distance is None or mod is None:
        return None
    return Fact(mod, f"{distance.words}, range MOD {mod:+d}")


def _is_marker_covered(encounter: EncounterView, viewer: int, marker: int, sight: Sight) -> Fact:
    """Return whether a Marker is in Partial Cover, or that it can't be seen."""
    if sight.is_blocked:
        return facts.unseen(encounter, marker, sight)
    return is_in_cover(encounter, viewer, marker, sight)


@dataclass(frozen=True, slots=True)
class Discover(Action):
    """Discover a Marker, or see the odds.

    range_mod: of the table's chart.
    """

    command = "inf.discover"
    typed = "inf discover"

    model: Trooper = who()
    marker: ModelRow = fields.model(
        "Marker to discover", suggestions.suggest_markers, needed=True, against=True
    )
    range_mod: int = fields.whole(
        "MOD for the range, such as -3",
        -12,
        12,
        labelled="Range MOD",
        default=0,
        checked=True,
        fact=True,
        measures=_measure_range_mod,
    )
    cover: bool = fields.switch(
        "The Marker is in cover", fact=True, measures=measuring.seen("model", "marker", _is_marker_covered)
    )
    mod: int = other_mod()
    order: str = paying_order()
    odds: bool = fields.odds("Show only the odds")
    by_hand: tuple[str, ...] = fields.by_hand()


@dataclass(frozen=True, slots=True)
class Sensor(Action):
    """Find everything hidden within 8 in, or see the odds.

    markers: those seen in the area, separated by commas.
    """

    command = "inf.sensor"
    typed = "inf sensor"

    model: Trooper = who()
    markers: tuple[ModelRow, ...] = fields.models(
        "Markers in the area, separated by commas",
        offering.completing(suggestions.suggest_markers),
        wire=str,
        fact=True,
    )
    mod: int = other_mod()
    order: str = paying_order()
    odds: bool = fields.odds("Show only the odds")


def roll_wip(
    act: Act, telling: Telling, trooper: Trooper, modifiers: Sequence[Modifier], skill: str
) -> Reading:
    """Return a Normal WIP Roll, told."""
    base = trooper.current.attribute("wip")
    value = modified(base, modifiers, settings_for(act))
    trace_start = len(act.dice.trace)
    purpose = Whose(trooper.current.name, skill, f"against WIP {value}")
    result = act.roll(purpose, normal_roll, value, label=f"{trooper.current.name}, {skill}")
    change_text = f" {value - base:+d} = {value}" if value != base else ""
    telling.dice += normal_lines(
        act.dice.trace[trace_start:], f"{trooper.current.name}, {skill}: WIP {base}{change_text}", value
    )
    telling.why += why_lines(f"{trooper.current.name}, {skill}, WIP", modifiers, base, value)
    return result


def _order_modifiers(act: ActView, trooper: Trooper, order: Order, row: ModelRow) -> tuple[Modifier, ...]:
    """Return the MODs of a Discover that is a Skill of an Order."""
    return modifiers_to_discover(
        trooper,
        troops.trooper(act.encounter, row),
        settings_for(act),
        range_mod=order.range_mod,
        cover=order.behind_cover,
        mod=order.mod,
    )


@dataclass(frozen=True, slots=True)
class ReadySearch:
    """A search: the searcher, its MODs, and the terms of its Order. marker: the row of the target."""

    trooper: Trooper
    terms: Order
    modifiers: tuple[Modifier, ...]
    marker: int = 0


@in_steps(Discover)
class Discovering(Declaring[Discover, ReadySearch]):
    """A WIP Roll against one Marker, after the AROs."""

    label = "Discover"

    def prepare(self, act: ActView, action: Discover) -> ReadySearch:
        trooper, row = action.model, action.marker
        require_marker(act.encounter, trooper, row)
        terms = Order(
            0,
            trooper.side,
            trooper.id,
            patient=row.id,
            behind_cover=action.cover,
            range_mod=action.range_mod,
            mod=action.mod,
        )
        find_order_or_payment(act, trooper, Part.SHORT, "discover", kind=action.order)
        modifiers = _order_modifiers(act, trooper, terms, row)
        return ReadySearch(trooper, terms, modifiers, row.id)

    def do(self, act: Act, action: Discover, ready: ReadySearch) -> Reply:
        name = act.encounter.model(ready.marker).name
        declaration = declare(act, ready.trooper, Part.SHORT, "discover", "discover", kind=action.order)
        lines = [f"{ready.trooper.current.name} tries to discover {name}.", *declaration.lines]
        return go_on_from(act, declaration.order.with_terms(ready.terms), lines)

    def chances(self, act: ActView, action: Discover, ready: ReadySearch) -> Chances:
        title = f"{ready.trooper.current.name} tries to discover {act.encounter.model(ready.marker).name}"
        return one_die_chances(act, title, ready.modifiers, ready.trooper.current.attribute("wip"))


@register_own_roll("discover")
def _roll_discover(act: Act, telling: Telling, order: Order) -> None:
    trooper, row = troops.by_id(act.encounter, order.model), act.encounter.model(order.patient)
    _search_marker(act, telling, trooper, row, _order_modifiers(act, trooper, order, row))


@register_aro_search(DISCOVER)
def _roll_discover_in_aro(act: Act, telling: Telling, order: Order, reaction: Reaction) -> None:
    trooper, row = troops.by_id(act.encounter, reaction.model), act.encounter.model(order.model)
    modifiers = search_modifiers(act.encounter, order, reaction, settings_for(act))
    _search_marker(act, telling, trooper, row, modifiers)


def _search_marker(
    act: Act, telling: Telling, trooper: Trooper, row: ModelRow, modifiers: tuple[Modifier, ...]
) -> None:
    """Roll a Discover, and put the figure in the place of a Marker that it finds. Rules: INF-ORD-09."""
    encounter, name = act.encounter, row.name
    if not concealment.is_marker(encounter, row.id):
        telling.head.append(f"{name} is already revealed, so nothing is rolled.")
        return
    if roll_wip(act, telling, trooper, modifiers, "Discover") is Reading.FAILURE:
        telling.head.append(f"{trooper.current.name} fails to discover {name}.")
        return
    concealment.unveil(encounter, row.id)
    telling.head.append(f"{trooper.current.name} discovers {name}. It is {row.name}.")


@in_steps(Sensor)
class Sensing(Declaring[Sensor, ReadySearch]):
    """A WIP Roll that finds all who hide in the area, whether anybody hides there or not."""

    label = "Sensor"

    def prepare(self, act: ActView, action: Sensor) -> ReadySearch:
        trooper = action.model
        with act.overridable():
            check_sensor(trooper)
        for row in action.markers:
            require_marker(act.encounter, trooper, row)
        area = tuple(row.id for row in action.markers)
        find_order_or_payment(act, trooper, Part.SHORT, "sensor", kind=action.order)
        terms = Order(0, trooper.side, trooper.id, area=area, mod=action.mod)
        return ReadySearch(trooper, terms, sensor_modifiers(agreed_modifiers(action.mod)))

    def do(self, act: Act, action: Sensor, ready: ReadySearch) -> Reply:
        trooper = ready.trooper
        declaration = declare(act, trooper, Part.SHORT, "sensor", "sensor", kind=action.order)
        line = f"{trooper.current.name} uses Sensor on everything within 8 in."
        lines = [line, *_sniffer_lines(act, trooper), *declaration.lines]
        return go_on_from(act, declaration.order.with_terms(ready.terms), lines)

    def chances(self, act: ActView, action: Sensor, ready: ReadySearch) -> Chances:
        title = f"{ready.trooper.current.name} uses Sensor"
        return one_die_chances(act, title, ready.modifiers, ready.trooper.current.attribute("wip"))


def _sniffer_lines(act: Act, trooper: Trooper) -> list[str]:
    """Allied Sniffers in the open, whose zones belong to the area. Rules: INF-SEN-05."""
    encounter = act.encounter
    ally_rows = [
        model for model in encounter.models(trooper.side) if not concealment.is_marker(encounter, model.id)
    ]
    ally_troopers = [troops.trooper(encounter, model) for model in ally_rows if model.id != trooper.id]
    names = [
        figure.current.name for figure in ally_troopers if figure.levels(Skill.SNIFFER, settings_for(act))
    ]
    start = "The area also includes everything within 8 in of these Sniffers"
    return join_into_line([f"{start}: {names[0]}", *names[1:]]) if names else []


@register_own_roll("sensor")
def _roll_sensor(act: Act, telling: Telling, order: Order) -> None:
    trooper = troops.by_id(act.encounter, order.model)
    _search_area(act, telling, trooper, sensor_modifiers(agreed_modifiers(order.mod)), order.area)


@register_aro_search(SENSOR)
def _roll_sensor_in_aro(act: Act, telling: Telling, order: Order, reaction: Reaction) -> None:
    trooper = troops.by_id(act.encounter, reaction.model)
    modifiers = search_modifiers(act.encounter, order, reaction, settings_for(act))
    _search_area(act, telling, trooper, modifiers, (order.model, *reaction.area))


def _search_area(
    act: Act, telling: Telling, trooper: Trooper, modifiers: tuple[Modifier, ...], area: tuple[int, ...]
) -> None:
    """Roll a Sensor, and put the figures in the place of all Markers that it finds. Rules: INF-SEN-01."""
    encounter = act.encounter
    if roll_wip(act, telling, trooper, modifiers, "Sensor") is Reading.FAILURE:
        telling.head.append(f"{possessive(trooper.current.name)} Sensor finds nothing.")
        return
    reveal_lines = []
    for model_id in dict.fromkeys(area):
        row = encounter.model(model_id)
        marker_name = row.name
        if after_sensor([troops.trooper(encounter, row)]) and concealment.is_marker(encounter, model_id):
            concealment.unveil(encounter, model_id)
            reveal_lines.append(f"{marker_name} is revealed as {row.name}.")
    telling.head.append(f"{possessive(trooper.current.name)} Sensor finds everything in its area.")
    telling.head += reveal_lines
    telling.after.append("If a trooper was in Hidden Deployment in that area, place it now with /inf reveal.")
