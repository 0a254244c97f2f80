"""Areas once their place is settled: their shape, who is in them, found out of hiding, avoiding, hit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Action, numbered
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth import hide_tokens
from bot.games.fracd_earth.exchange import Exchange, Facts, current
from bot.games.fracd_earth.fields import allies
from bot.games.fracd_earth.figures import figure_of, is_inactive
from bot.games.fracd_earth.narration import Narration, side_words, why_lines
from bot.games.fracd_earth.players import deck_of, name_of, player_of, require_holder
from bot.games.fracd_earth.settings import settings_of
from bot.games.fracd_earth.steps import DECISIONS, DUES, LATE, ask, begin_check, outcome
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
class Avoided(Action):
    """Choose how an avoidance is used. out: the figure leaves the area; duck: an Edge for hard cover."""

    command = "fe.avoid"
    decision_of = in_play("the player who holds the cards")

    at: int = 0
    out: bool = True
    duck: bool = False
    step: int = 0


def hit_due(facts: Facts, number: int, *, ducked: bool = False) -> Facts:
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


def begin_avoid(act: Act, narration: Narration, hit: Facts) -> None:
    """Begin an avoidance Check. Rules: FE-AOE-10, FE-AOE-11, FE-DEF-02, FE-MAN-02."""
    encounter, settings = act.encounter, settings_of(act.encounter)
    row = encounter.model(hit["target"])
    facts = hit["area"]
    if is_inactive(encounter, row):
        narration.lines.append(f"{row.name} is Inactive, so it can't avoid the area.")
        exchanges.owe(encounter, [*exchanges.due(encounter), hit_due(facts, row.id)])
        return
    area_result = area.AreaResult(not facts["mof"], facts["mos"], facts["mof"])
    tn = area.avoidance_tn(area_result)
    ready = checks.side(figure_of(encounter, row), settings)
    narration.lines.append(f"{row.name} tries to avoid the area (TN {tn}): {side_words(ready)}")
    narration.why += why_lines(row.name, ready)
    number = player_of(encounter, row)
    seat = seats.sit(number, ready, deck_of(encounter, number))
    data = {"names": [row.name], "traits": ["Manv"], "id": row.id, "area": facts}
    check = begin_check(act, narration, Exchange("avoid", data, id=act.entry, entry=act.entry), seat, tn)
    exchanges.keep(encounter, check)


DUES["avoid"] = begin_avoid


@outcome("avoid")
def avoid_outcome(act: Act, narration: Narration, exchange: Exchange) -> None:
    """Settle it: away, behind cover, or hit. Rules: FE-AOE-12, FE-AOE-13, FE-AOE-14, FE-CREW-02."""
    encounter, facts = act.encounter, exchange.facts
    result = checks.resolve(exchange.check, settings_of(encounter))
    exchanges.close(encounter, exchange)
    name = facts["names"][0]
    if not result.achieved:
        narration.lines.insert(0, f"{name} does not avoid the area.")
        exchanges.owe(encounter, [*exchanges.due(encounter), hit_due(facts["area"], facts["id"])])
        return
    figure, other = (
        figure_of(encounter, encounter.model(number)) for number in (facts["id"], facts["area"]["attacker"])
    )
    earned = outcomes.usable_edges(result.edges, figure, other)
    edge_text = f", earning {times(earned, 'Edge')}" if earned else ""
    verdict = f"avoids the area with {result.margin} to spare" if result.margin else "partly avoids the area"
    narration.lines.insert(0, f"{name} {verdict}{edge_text}.")
    waits = (player_of(encounter, encounter.model(facts["id"])),)
    facts_after = facts | {"edges": earned}
    exchanges.keep(encounter, Exchange("avoid", facts_after, None, "away", waits, exchange.id, act.entry))


def _move_earned(act: Act, facts: Facts, *, duck: bool) -> area.Avoidance:
    move = figure_of(act.encounter, act.encounter.model(facts["id"])).profile.move_inches
    return area.avoid(facts.get("edges", 0), move, duck=duck)


def _ask_away(act: Act, narration: Narration, exchange: Exchange) -> None:
    facts = exchange.facts
    move_inches = _move_earned(act, facts, duck=False).inches
    player_name = name_of(act.encounter, exchange.waits[0])
    narration.lines.append(
        f"{player_name}: {facts['names'][0]} may move up to {move_inches} in. "
        f"Does the move take it out of the area? ({time_to_react(act.encounter)})"
    )
    answer = Avoided(exchange.id, step=exchange.entry)
    narration.buttons.append(Button("Out of the area", answer, "main", anytime=True))
    narration.buttons.append(Button("Still in the area", replace(answer, out=False), anytime=True))
    if facts.get("edges"):
        narration.buttons.append(
            Button("Duck into cover", replace(answer, out=False, duck=True), anytime=True)
        )


DECISIONS["away"] = _ask_away


@handles(Avoided, bot_dice=True)
def avoided(act: Act, action: Avoided) -> Reply:
    """Return where the figure ends. Rules: FE-AOE-12, FE-AOE-14."""
    exchange = current(act.encounter, action.at, action.step)
    if exchange.stage != "away":
        raise InvalidInput("No figure is avoiding an area right now.")
    require_holder(act, exchange.waits[0])
    narration = Narration()
    _settle_away(act, narration, exchange, out=action.out, duck=action.duck)
    return ask(act, narration)


def _settle_away(act: Act, narration: Narration, exchange: Exchange, *, out: bool, duck: bool) -> None:
    facts = exchange.facts
    earned = _move_earned(act, facts, duck=duck)
    exchanges.drop(act.encounter)
    name = facts["names"][0]
    if out:
        narration.lines.append(f"{name} is out of the area.")
        return
    reaction = "to duck behind cover" if duck else "but is still in the area"
    narration.lines.append(f"{name} moves up to {times(earned.inches, 'inch', 'inches')} {reaction}.")
    exchanges.owe(
        act.encounter, [hit_due(facts["area"], facts["id"], ducked=duck), *exchanges.due(act.encounter)]
    )


def _late_away(act: Act, narration: Narration, exchange: Exchange) -> None:
    _settle_away(act, narration, exchange, out=True, duck=False)


LATE["away"] = _late_away


_PLACE = re.compile(r"(.+?) (-?\d{1,3}(?:\.\d{1,2})?) ?, ?(-?\d{1,3}(?:\.\d{1,2})?)")


def area_of(facts: dict[str, Any]) -> Area:
    """Return the area as it lies, shifted as it was. Raises InvalidInput for sizes that are none."""
    size, width = facts["size"], facts["width"]
    if not 0 < size <= area.MAX_INCHES:
        raise InvalidInput(f"The size must be more than 0 and at most {area.MAX_INCHES} inches.")
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


Placed = tuple[tuple[ModelRow, Point | None], ...]
"""Figures with where they stand, None for somewhere in the area."""


def read_places(encounter: EncounterView, text: str) -> Placed:
    """Read figures with their places, "Vale 1,0; Rook 2,1.5", or only the names of those in it.

    Raises InvalidInput.
    """
    placed: Placed
    if ";" not in text and not _PLACE.fullmatch(text.strip()):
        placed = tuple((encounter.find_model(name), None) for name in split(text))
    else:
        placed = tuple(_parse_place(encounter, part.strip()) for part in text.split(";") if part.strip())
    if len({row.id for row, _ in placed}) != len(placed):
        raise InvalidInput("List each figure only once.")
    return placed


def _parse_place(encounter: EncounterView, text: str) -> tuple[ModelRow, Point]:
    match = _PLACE.fullmatch(text)
    if match is None:
        raise InvalidInput(
            "Enter positions in inches from the target point (for a cone or pulse, from the attacker) like "
            "this: `Vale 1,0; Rook 2,1.5`."
        )
    return encounter.find_model(match[1]), (float(match[2]), float(match[3]))


def places_written(placed: Placed) -> str:
    """Return the words again that `read_places` reads as the same."""
    if any(spot is None for _, spot in placed):
        return ", ".join(numbered(row.id) for row, _ in placed)
    return "; ".join(f"{numbered(row.id)} {spot[0]},{spot[1]}" for row, spot in placed if spot is not None)


def places(placed: Placed, facts: dict[str, Any]) -> list[tuple[int, Point]]:
    """Return the numbers of figures with the points of the map where they stand."""
    shape = area_of(facts)
    return [(row.id, _point_inside(shape) if spot is None else spot) for row, spot in placed]


CAUGHT_FORM = form(
    "fe.caught",
    "Who is in the area?",
    Blank("figures", 'Names, or positions in inches: "Vale 1,0"', required=False, longest=400),
    Blank("unseen", "Figures that can't see the attacker", required=False, longest=200),
    Blank("tokens", 'Hide tokens in the area, such as "4, 5"', required=False),
)


def _read_field(context: Asking, text: str) -> Placed:
    return read_places(context.act.encounter, text)


def _read_tokens(context: Asking, text: str) -> tuple[Token, ...]:
    return tuple(hide_tokens.token_named(context.act.encounter, part) for part in split(text))


def _write_tokens(tokens: tuple[Token, ...]) -> str:
    return ", ".join(str(token.id) for token in tokens)


@dataclass(frozen=True, slots=True)
class Caught(Action):
    """Enter who is in the area, by name, or with places in inches from the point aimed at."""

    command = "fe.caught"
    decision_of = in_play("the player who holds the cards")

    at: int = 0
    figures: Placed | None = fields.sought("", nothing, _read_field, written=places_written)
    unseen: tuple[ModelRow, ...] = allies("")
    tokens: tuple[Token, ...] | None = fields.sought("", nothing, _read_tokens, written=_write_tokens)
    step: int = 0


def to_caught(act: Act, exchange: Exchange, facts: Facts) -> None:
    """Ask who is in the area now."""
    number = player_of(act.encounter, act.encounter.model(facts["attacker"]))
    exchanges.keep(act.encounter, Exchange("area", facts, None, "caught", (number,), exchange.id, act.entry))


def _ask_caught(act: Act, narration: Narration, exchange: Exchange) -> None:
    narration.lines.append("Which figures, on any side, are in the area now?")
    nobody = Caught(exchange.id, step=exchange.entry)
    narration.buttons.append(Button("Add figures...", nobody, "main", anytime=True, form=CAUGHT_FORM))
    narration.buttons.append(Button("Nobody", nobody, anytime=True))
    narration.menus += _figure_menus(act, exchange, nobody)


def _figure_menus(act: Act, exchange: Exchange, nobody: Caught) -> list[Menu]:
    """A menu of all whose figure lies open to the attacker; where exactly they stand, the form takes."""
    encounter = act.encounter
    side = encounter.model(exchange.facts["attacker"]).side
    visible = [row for row in encounter.models() if not hide_tokens.hidden_from(encounter, row.id, side)]
    choices = tuple(Choice(label, f"#{row.id}") for label, row in labelled(encounter, visible[:MAX_CHOICES]))
    return [Menu("Figures in the area", nobody, "figures", choices, 1, len(choices), anytime=True)]


DECISIONS["caught"] = _ask_caught


def _late_caught(act: Act, narration: Narration, exchange: Exchange) -> None:
    narration.lines.append("No one chose any figures in the area, so nothing is hit.")
    exchanges.drop(act.encounter)


LATE["caught"] = _late_caught


@handles(Caught, bot_dice=True)
def caught(act: Act, action: Caught) -> Reply:
    """Begin avoidance for those who saw it, then hits. Rules: FE-AOE-10, FE-AOE-14, FE-HID-02."""
    encounter = act.encounter
    exchange = current(encounter, action.at, action.step)
    if exchange.stage != "caught":
        raise InvalidInput("Attack an area first. No area attack is waiting for you to choose figures.")
    act.require_side(encounter.model(exchange.facts["attacker"]).side)
    facts = exchange.facts
    shape = area_of(facts)
    unseen = {row.id for row in action.unseen}
    placed = [InArea(model, spot, model not in unseen) for model, spot in places(action.figures or (), facts)]
    inside = area.caught(shape, placed)
    outside = [encounter.model(model.figure).name for model in placed if model not in inside]
    side = encounter.model(facts["attacker"]).side
    open_ones = [model for model in inside if not hide_tokens.hidden_from(encounter, model.figure, side)]
    narration = Narration()
    token_hits = _tokens_in(act, narration, action.tokens or (), side, len(open_ones))
    names = [encounter.model(model.figure).name for model in open_ones]
    narration.lines.insert(0, f"In the area: {', '.join(names) or 'nobody'}.")
    narration.lines += [f"Outside the area: {', '.join(outside)}."] if outside else []
    avoiding = area.may_avoid(shape, open_ones)
    exchanges.drop(encounter)
    dues = [_avoid_due(facts, number) for number in avoiding]
    hits = [model.figure for model in open_ones if model.figure not in avoiding] + token_hits
    dues += [hit_due(facts, number) for number in hits]
    exchanges.owe(encounter, [*exchanges.due(encounter), *dues])
    return ask(act, narration)


def _tokens_in(
    act: Act, narration: Narration, laid: Sequence[Token], side: int, legitimate: int
) -> list[int]:
    """Tokens in the area are turned up where anybody not hidden is in it. Rules: FE-HID-02."""
    encounter = act.encounter
    hit = []
    for token in laid:
        if not detection.area_affects_hidden(legitimate):
            narration.lines.append(f"Token {token.id} is not affected, as no other figure is in the area.")
        elif token.figure is None:
            hide_tokens.keep(
                encounter, tuple(other for other in hide_tokens.tokens(encounter) if other.id != token.id)
            )
            narration.lines.append(f"Token {token.id} is a blank.")
        else:
            hide_tokens.forget(encounter, token.figure)
            narration.lines.append(f"Token {token.id} is {encounter.model(token.figure).name}.")
            hit.append(token.figure)
    return hit


def _avoid_due(facts: Facts, number: int) -> Facts:
    return {"kind": "avoid", "target": number, "area": facts}
