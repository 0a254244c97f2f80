"""Areas once their place is settled: their shape, who is in them, found out of hiding, avoiding, hit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Action, reference_by_number
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth import hide_tokens
from bot.games.fracd_earth.exchange import Exchange, Facts, require_current
from bot.games.fracd_earth.fields import allies
from bot.games.fracd_earth.figures import figure_of, is_inactive
from bot.games.fracd_earth.narration import Narration, side_words, why_lines
from bot.games.fracd_earth.players import deck_of, name_of, player_of, require_holder
from bot.games.fracd_earth.settings import settings_of
from bot.games.fracd_earth.steps import (
    DECISIONS,
    DUE_HANDLERS,
    LATE_DECISIONS,
    ask_next,
    begin_check,
    register_outcome,
)
from bot.replies.reply import Blank, Button, Choice, Menu, Reply, form
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import MAX_CHOICES, Asking, nothing
from bot.table.asking.table_kinds import labelled, split
from bot.table.encounter import EncounterView
from bot.table.game import time_to_react
from bot.table.handlers import handles
from bot.table.owners import in_play
from rules.refusals import InvalidInput
from rules.systems.fracd_earth import area, checks, detection, outcomes
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.area import Area, Blast, Cone, InArea, Point, Pulse
from rules.systems.fracd_earth.detection import Token
from rules.wording import times


@dataclass(frozen=True, slots=True)
class FinishAvoidance(Action):
    """Choose how an avoidance is used. out: the figure leaves the area; duck: an Edge for hard cover."""

    command = "fe.avoid"
    decision_of = in_play("the player who holds the cards")

    at: int = 0
    out: bool = True
    duck: bool = False
    step: int = 0


def build_area_hit(facts: Facts, number: int, *, ducked: bool = False) -> Facts:
    """Return a hit of an area attack. Rules: FE-AOE-14."""
    return {
        "kind": "protect",
        "target": number,
        "by": facts["attacker"],
        "weapon": facts["weapon"],
        "shift": 0,
        "abuse": 0,
        "armour": 0,
        "effect_shifts": facts["effect_shifts"],
        "cover": "none",
        "ducked": ducked,
    }


def begin_avoidance(act: Act, narration: Narration, hit: Facts) -> None:
    """Begin an avoidance Check. Rules: FE-AOE-10, FE-AOE-11, FE-DEF-02, FE-MAN-02."""
    encounter, settings = act.encounter, settings_of(act.encounter)
    row = encounter.model(hit["target"])
    facts = hit["area"]
    if is_inactive(encounter, row):
        narration.lines.append(f"{row.name} is Inactive, so it can't avoid the area.")
        exchanges.owe(encounter, [*exchanges.read_due(encounter), build_area_hit(facts, row.id)])
        return
    area_result = area.AreaResult(not facts["mof"], facts["mos"], facts["mof"])
    tn = area.avoidance_tn(area_result)
    prepared = checks.side(figure_of(encounter, row), settings)
    narration.lines.append(f"{row.name} tries to avoid the area (TN {tn}): {side_words(prepared)}")
    narration.why += why_lines(row.name, prepared)
    number = player_of(encounter, row)
    seat = seats.sit(number, prepared, deck_of(encounter, number))
    data = {"names": [row.name], "traits": ["Manv"], "id": row.id, "area": facts}
    check = begin_check(act, narration, Exchange("avoid", data, id=act.entry, entry=act.entry), seat, tn)
    exchanges.save_exchange(encounter, check)


DUE_HANDLERS["avoid"] = begin_avoidance


@register_outcome("avoid")
def avoid_outcome(act: Act, narration: Narration, exchange: Exchange) -> None:
    """Settle it: away, behind cover, or hit. Rules: FE-AOE-12, FE-AOE-13, FE-AOE-14, FE-CREW-02."""
    encounter, facts = act.encounter, exchange.facts
    result = checks.resolve(exchange.check, settings_of(encounter))
    exchanges.close(encounter, exchange)
    name = facts["names"][0]
    if not result.achieved:
        narration.lines.insert(0, f"{name} does not avoid the area.")
        exchanges.owe(encounter, [*exchanges.read_due(encounter), build_area_hit(facts["area"], facts["id"])])
        return
    figure, attacker = (
        figure_of(encounter, encounter.model(number)) for number in (facts["id"], facts["area"]["attacker"])
    )
    earned_edges = outcomes.usable_edges(result.edges, figure, attacker)
    edge_text = f", earning {times(earned_edges, 'Edge')}" if earned_edges else ""
    verdict_text = (
        f"avoids the area with {result.margin} to spare" if result.margin else "partly avoids the area"
    )
    narration.lines.insert(0, f"{name} {verdict_text}{edge_text}.")
    waiting_players = (player_of(encounter, encounter.model(facts["id"])),)
    facts_after = facts | {"edges": earned_edges}
    exchanges.save_exchange(
        encounter, Exchange("avoid", facts_after, None, "away", waiting_players, exchange.id, act.entry)
    )


def _calculate_avoidance(act: Act, facts: Facts, *, duck: bool) -> area.Avoidance:
    move_inches = figure_of(act.encounter, act.encounter.model(facts["id"])).profile.move_inches
    return area.avoid(facts.get("edges", 0), move_inches, duck=duck)


def _ask_whether_away(act: Act, narration: Narration, exchange: Exchange) -> None:
    facts = exchange.facts
    move_inches = _calculate_avoidance(act, facts, duck=False).inches
    player_name = name_of(act.encounter, exchange.waits[0])
    narration.lines.append(
        f"{player_name}: {facts['names'][0]} may move up to {move_inches} in. "
        f"Does the move take it out of the area? ({time_to_react(act.encounter)})"
    )
    answer = FinishAvoidance(exchange.id, step=exchange.entry)
    narration.buttons.append(Button("Out of the area", answer, "main", anytime=True))
    narration.buttons.append(Button("Still in the area", replace(answer, out=False), anytime=True))
    if facts.get("edges"):
        narration.buttons.append(
            Button("Duck into cover", replace(answer, out=False, duck=True), anytime=True)
        )


DECISIONS["away"] = _ask_whether_away


@handles(FinishAvoidance, bot_dice=True)
def finish_avoidance(act: Act, action: FinishAvoidance) -> Reply:
    """Settle whether the figure leaves the area. Rules: FE-AOE-12, FE-AOE-14."""
    exchange = require_current(act.encounter, action.at, action.step)
    if exchange.stage != "away":
        raise InvalidInput("No figure is avoiding an area right now.")
    require_holder(act, exchange.waits[0])
    narration = Narration()
    _settle_away(act, narration, exchange, is_out=action.out, ducks=action.duck)
    return ask_next(act, narration)


def _settle_away(act: Act, narration: Narration, exchange: Exchange, *, is_out: bool, ducks: bool) -> None:
    facts = exchange.facts
    avoidance = _calculate_avoidance(act, facts, duck=ducks)
    exchanges.drop(act.encounter)
    name = facts["names"][0]
    if is_out:
        narration.lines.append(f"{name} is out of the area.")
        return
    reaction = "to duck behind cover" if ducks else "but is still in the area"
    narration.lines.append(f"{name} moves up to {avoidance.inches} in {reaction}.")
    exchanges.owe(
        act.encounter,
        [build_area_hit(facts["area"], facts["id"], ducked=ducks), *exchanges.read_due(act.encounter)],
    )


def _late_away(act: Act, narration: Narration, exchange: Exchange) -> None:
    _settle_away(act, narration, exchange, is_out=True, ducks=False)


LATE_DECISIONS["away"] = _late_away


_PLACE_PATTERN = re.compile(r"(.+?) (-?\d{1,3}(?:\.\d{1,2})?) ?, ?(-?\d{1,3}(?:\.\d{1,2})?)")


def area_of(facts: dict[str, Any]) -> Area:
    """Return the area as it lies, shifted as it was. Raises InvalidInput for sizes that are none."""
    size, width = facts["size"], facts["width"]
    if not 0 < size <= area.MAX_INCHES:
        raise InvalidInput(f"The size must be more than 0 and at most {area.MAX_INCHES} in.")
    x, y = facts["shift"]
    if facts["shape"] == "cone":
        cone = area.cone((0.0, 0.0), size, width, 0.0)
        return area.scatter_cone(cone, int(x), 2 * abs(int(x)) + 1) if x else cone
    if facts["shape"] == "blast":
        return Blast((x, y), size)
    return Pulse((0.0, 0.0), size, 0.0 if facts["shape"] == "half pulse" else None)


def _point_inside(shape: Area) -> Point:
    """Return a point inside, for who is said to be in the area without a place."""
    if isinstance(shape, Cone):
        return (shape.left[0] + shape.right[0]) / 2, (shape.left[1] + shape.right[1]) / 2
    return shape.centre


PlacedFigures = tuple[tuple[ModelRow, Point | None], ...]
"""Figures with where they stand, None for somewhere in the area."""


def read_places(encounter: EncounterView, text: str) -> PlacedFigures:
    """Read figures with their places, "Vale 1,0; Rook 2,1.5", or only the names of those in it.

    Raises InvalidInput.
    """
    placed_figures: PlacedFigures
    if ";" not in text and not _PLACE_PATTERN.fullmatch(text.strip()):
        placed_figures = tuple((encounter.find_model(name), None) for name in split(text))
    else:
        placed_figures = tuple(
            _parse_place(encounter, part.strip()) for part in text.split(";") if part.strip()
        )
    if len({row.id for row, _ in placed_figures}) != len(placed_figures):
        raise InvalidInput("List each figure only once.")
    return placed_figures


def _parse_place(encounter: EncounterView, text: str) -> tuple[ModelRow, Point]:
    match = _PLACE_PATTERN.fullmatch(text)
    if match is None:
        raise InvalidInput(
            "Enter positions in inches from the target point (for a cone or pulse, from the attacker) like "
            "this: `Vale 1,0; Rook 2,1.5`."
        )
    return encounter.find_model(match[1]), (float(match[2]), float(match[3]))


def write_places(placed_figures: PlacedFigures) -> str:
    """Return the text from which `read_places` reads the same places."""
    if any(spot is None for _, spot in placed_figures):
        return ", ".join(reference_by_number(row.id) for row, _ in placed_figures)
    return "; ".join(
        f"{reference_by_number(row.id)} {spot[0]},{spot[1]}"
        for row, spot in placed_figures
        if spot is not None
    )


def locate_figures(placed_figures: PlacedFigures, facts: dict[str, Any]) -> list[tuple[int, Point]]:
    """Return the numbers of figures with the points of the map where they stand."""
    shape = area_of(facts)
    return [(row.id, _point_inside(shape) if spot is None else spot) for row, spot in placed_figures]


CAUGHT_FORM = form(
    "fe.caught",
    "Who is in the area?",
    Blank("figures", 'Names, or positions in inches: "Vale 1,0"', required=False, longest=400),
    Blank("unseen", "Figures that can't see the attacker", required=False, longest=200),
    Blank("tokens", 'Hide tokens in the area, such as "4, 5"', required=False),
)


def _read_field(context: Asking, text: str) -> PlacedFigures:
    return read_places(context.act.encounter, text)


def _read_tokens(context: Asking, text: str) -> tuple[Token, ...]:
    return tuple(hide_tokens.token_named(context.act.encounter, part) for part in split(text))


def _write_tokens(tokens: tuple[Token, ...]) -> str:
    return ", ".join(str(token.id) for token in tokens)


@dataclass(frozen=True, slots=True)
class ChooseCaught(Action):
    """Enter who is in the area, by name, or with places in inches from the point aimed at."""

    command = "fe.caught"
    decision_of = in_play("the player who holds the cards")

    at: int = 0
    figures: PlacedFigures | None = fields.sought("", nothing, _read_field, written=write_places)
    unseen: tuple[ModelRow, ...] = allies("")
    tokens: tuple[Token, ...] | None = fields.sought("", nothing, _read_tokens, written=_write_tokens)
    step: int = 0


def ask_who_is_caught(act: Act, exchange: Exchange, facts: Facts) -> None:
    """Ask who is in the area now."""
    number = player_of(act.encounter, act.encounter.model(facts["attacker"]))
    exchanges.save_exchange(
        act.encounter, Exchange("area", facts, None, "caught", (number,), exchange.id, act.entry)
    )


def _ask_caught(act: Act, narration: Narration, exchange: Exchange) -> None:
    narration.lines.append("Which figures, on any side, are in the area now?")
    no_figures = ChooseCaught(exchange.id, step=exchange.entry)
    narration.buttons.append(Button("Add figures...", no_figures, "main", anytime=True, form=CAUGHT_FORM))
    narration.buttons.append(Button("Nobody", no_figures, anytime=True))
    narration.menus += _figure_menus(act, exchange, no_figures)


def _figure_menus(act: Act, exchange: Exchange, no_figures: ChooseCaught) -> list[Menu]:
    """A menu of all whose figure lies open to the attacker; where exactly they stand, the form takes."""
    encounter = act.encounter
    side = encounter.model(exchange.facts["attacker"]).side
    visible_figures = [
        row for row in encounter.models() if not hide_tokens.is_hidden_from(encounter, row.id, side)
    ]
    choices = tuple(
        Choice(label, f"#{row.id}") for label, row in labelled(encounter, visible_figures[:MAX_CHOICES])
    )
    return [Menu("Figures in the area", no_figures, "figures", choices, 1, len(choices), anytime=True)]


DECISIONS["caught"] = _ask_caught


def _late_caught(act: Act, narration: Narration, exchange: Exchange) -> None:
    narration.lines.append("No one chose any figures in the area, so nothing is hit.")
    exchanges.drop(act.encounter)


LATE_DECISIONS["caught"] = _late_caught


@handles(ChooseCaught, bot_dice=True)
def settle_caught(act: Act, action: ChooseCaught) -> Reply:
    """Begin avoidance for those who saw it, then hits. Rules: FE-AOE-10, FE-AOE-14, FE-HID-02."""
    encounter = act.encounter
    exchange = require_current(encounter, action.at, action.step)
    if exchange.stage != "caught":
        raise InvalidInput("Attack an area first. No area attack is waiting for you to choose figures.")
    act.require_side(encounter.model(exchange.facts["attacker"]).side)
    facts = exchange.facts
    shape = area_of(facts)
    blind_ids = {row.id for row in action.unseen}
    placed_models = [
        InArea(model, spot, model not in blind_ids)
        for model, spot in locate_figures(action.figures or (), facts)
    ]
    models_inside = area.caught(shape, placed_models)
    names_outside = [
        encounter.model(model.figure).name for model in placed_models if model not in models_inside
    ]
    side = encounter.model(facts["attacker"]).side
    visible_models = [
        model for model in models_inside if not hide_tokens.is_hidden_from(encounter, model.figure, side)
    ]
    narration = Narration()
    token_hits = _reveal_tokens(act, narration, action.tokens or (), side, len(visible_models))
    names = [encounter.model(model.figure).name for model in visible_models]
    narration.lines.insert(0, f"In the area: {', '.join(names) or 'nobody'}.")
    narration.lines += [f"Outside the area: {', '.join(names_outside)}."] if names_outside else []
    avoiding_ids = area.may_avoid(shape, visible_models)
    exchanges.drop(encounter)
    dues = [_build_avoidance(facts, number) for number in avoiding_ids]
    hits = [model.figure for model in visible_models if model.figure not in avoiding_ids] + token_hits
    dues += [build_area_hit(facts, number) for number in hits]
    exchanges.owe(encounter, [*exchanges.read_due(encounter), *dues])
    return ask_next(act, narration)


def _reveal_tokens(
    act: Act, narration: Narration, tokens_inside: Sequence[Token], side: int, visible_count: int
) -> list[int]:
    """Tokens in the area are turned up where anybody not hidden is in it. Rules: FE-HID-02."""
    encounter = act.encounter
    hit = []
    for token in tokens_inside:
        if not detection.area_affects_hidden(visible_count):
            narration.lines.append(f"Token {token.id} is not affected, as no visible figure is in the area.")
        elif token.figure is None:
            hide_tokens.store_tokens(
                encounter, tuple(other for other in hide_tokens.tokens(encounter) if other.id != token.id)
            )
            narration.lines.append(f"Token {token.id} is a blank.")
        else:
            hide_tokens.remove_tokens(encounter, token.figure)
            narration.lines.append(f"Token {token.id} is {encounter.model(token.figure).name}.")
            hit.append(token.figure)
    return hit


def _build_avoidance(facts: Facts, number: int) -> Facts:
    return {"kind": "avoid", "target": number, "area": facts}
