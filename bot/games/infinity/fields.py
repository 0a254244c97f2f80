"""Fields that several actions of Infinity share: see `bot.table.asking.fields`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Raw, declared, reference_by_number
from bot.games.infinity import suggestions
from bot.games.infinity.order_rows import Mark, order_of
from bot.games.infinity.troops import (
    GROUND_BY_WORD,
    ORDER_WORDS,
    SIZES_BY_SILHOUETTE,
    find_weapon,
    require_own_trooper,
    require_target,
    require_visible_trooper,
    require_weapon,
    trooper_reference,
)
from bot.table.act import ActView
from bot.table.asking import fields, measuring, offering
from bot.table.asking.kinds import Asking, nothing
from bot.table.asking.table_kinds import Models
from bot.table.board import facts
from bot.table.board.facts import Fact
from bot.table.board.routes import BoardPath
from bot.table.board.surface import MM, SMOKE, Board, board_of, hidden_places, require_board, roof_at
from bot.table.encounter import EncounterView
from rules import measure
from rules.measure import Body, Sight
from rules.refusals import Forbidden, InvalidInput, Missing
from rules.systems.infinity.movement import Ground, arc_degrees
from rules.systems.infinity.profile import Weapon
from rules.systems.infinity.trooper import Condition, Trooper, in_zone
from rules.wording import join_with_and

# ------------------------------------------------------------------------------------ who


@dataclass(frozen=True, kw_only=True)
class Troopers(Models):
    """A trooper that the person who asks plays, hidden ones too, as the rules see it.

    weighed: odds may be asked of any figure.
    """

    weighed: bool = False

    def write(self, trooper: Any) -> Raw:
        return trooper_reference(trooper) if isinstance(trooper, Trooper) else super().write(trooper)

    def read(self, raw: Raw, context: Asking) -> Any:
        """Declare the trooper. Raises InvalidInput, and NotAllowed for another's."""
        is_anyones = self.weighed and context.act.action.looks
        return (require_visible_trooper if is_anyones else require_own_trooper)(context.act, str(raw))


def who(label: str = "Your trooper", **more: Any) -> Any:
    """Declare the trooper that acts; only who plays it may name it, also for odds."""
    field_options = {"names": suggestions.suggest_troopers, "mine": True, "needed": True, **more}
    return declared(Troopers(help=label, **field_options), None)


def figure(label: str, **more: Any) -> Any:
    """Return a trooper of any side that is no Marker to the person who asks."""
    return fields.sought(
        label,
        offering.any_model,
        lambda context, text: require_visible_trooper(context.act, text),
        written=trooper_reference,
        **more,
    )


def enemy(label: str, field: str, names: Any = offering.foe, **more: Any) -> Any:
    """Return a field for an enemy of the trooper in another field."""

    def find(context: Asking, text: str) -> Trooper:
        return require_target(context.act, _require_acting(context, field), text)

    return fields.sought(label, names, find, written=trooper_reference, **{"against": True, **more})


_TARGET_PATTERN = re.compile(
    r"(?P<name>.+?) +(?P<inches>[0-9]+(?:\.[0-9]+)?) +(?P<dice>[0-9]{1,2})(?P<cover> +cover)?"
    r"(?P<unseen> +unseen)?"
)


def further_targets(label: str, field: str) -> Any:
    """Return a field for more targets of the trooper in another field: name, inches, dice, cover, unseen."""

    def find(context: Asking, text: str) -> tuple[Mark, ...]:
        attacker = _require_acting(context, field)
        return tuple(
            _parse_mark(context.act, attacker, part.strip()) for part in text.split(",") if part.strip()
        )

    return fields.sought(
        label, nothing, find, written=_write_marks, most=100, decides=_keep_decided_parts, any_order=1
    )


def _parse_mark(act: ActView, attacker: Trooper, text: str) -> Mark:
    """One further target as typed. Raises InvalidInput, Forbidden. Rules: INF-F2F-07."""
    match = _TARGET_PATTERN.fullmatch(text)
    if match is None:
        raise InvalidInput(
            "Enter each further target as a name, a distance in inches and a number of dice, such as"
            ' "Brute 22 1" or "Leaper 18 1 cover unseen".'
        )
    if float(match["inches"]) > fields.MAX_INCHES:
        raise InvalidInput(
            f"The distance must be between 0 and {fields.MAX_INCHES} in (you entered {match['inches']})."
        )
    number = require_target(act, attacker, match["name"]).id
    return Mark(
        number, float(match["inches"]), int(match["dice"]), bool(match["cover"]), bool(match["unseen"])
    )


def _write_marks(marks: tuple[Mark, ...]) -> str:
    return ", ".join(
        f"{reference_by_number(mark.model)} {mark.inches} {mark.dice}"
        f"{' cover' if mark.cover else ''}{' unseen' if mark.unseen else ''}"
        for mark in marks
    )


def _keep_decided_parts(marks: Raw) -> Raw:
    """Return the parts of further targets that people decide, and don't measure: who, and how many dice."""
    mark_parts = (part.split() for part in str(marks).split(", "))
    return ", ".join(f"{model} {dice}" for model, _, dice, *_ in mark_parts)


def _require_acting(context: Asking, field: str) -> Trooper:
    trooper = context.so_far.get(field)
    if not isinstance(trooper, Trooper):
        raise Missing("First choose the trooper that acts.")
    return trooper


# ------------------------------------------------------------------------------------ with what, how


def carried_weapon_field(label: str, field: str, fits: Callable[[Weapon], bool], to: str = "") -> Any:
    """Return a field for a weapon of the trooper in another field. to: what its default weapon is for."""

    def find(context: Asking, text: str) -> Weapon:
        return find_weapon(_require_acting(context, field), text)

    def first(context: Asking) -> Weapon:
        return require_weapon(_require_acting(context, field), fits, to)

    return fields.sought(
        label,
        suggestions.suggest_weapons(field, fits),
        find,
        written=lambda weapon: weapon.name,
        default=first if to else None,
        alone=True,
    )


def paying_order(label: str = "Order to spend") -> Any:
    """Declare which Order pays: `auto` for the trooper's own, else one of its group's."""
    return fields.one_of(label, ORDER_WORDS, default="auto")


def surprise(label: str) -> Any:
    """Return a field for a Surprise Shot or Attack: yes, no, or where it is possible."""
    return fields.one_of(label, {"yes": True, "no": False})


def other_mod(label: str = "Other MOD, such as -3") -> Any:
    """Declare a modifier that the bot does not know of."""
    return fields.whole(label, -12, 12, labelled="MOD", default=0, checked=True, fact=True)


def martial_arts_level() -> Any:
    """Return the Level of Martial Arts in use, below 0 the best."""
    return fields.whole("Martial Arts Level (blank for the best)", 0, 5, default=-1)


def ground_type() -> Any:
    """Return the type of the ground, for those who know it."""
    return fields.text("Type of terrain, such as Mountain", 100, fact=True)


def ground(label: str = "Terrain the trooper is on", **more: Any) -> Any:
    """Return a field for the ground that a trooper is on or crosses."""
    return fields.one_of(label, GROUND_BY_WORD, default=Ground.OPEN, fact=True, **more)


# ------------------------------------------------------------------------------------ by the board


COVER_SHARE = 0.1
"""The share of a target from which on something hides it."""
BESIDE_COVER = 0.25
"""Inches between a base and the piece of scenery that it counts as touching."""


def eyes_of(encounter: EncounterView, trooper: Trooper) -> Body | None:
    """Return a trooper's place on the board, a hidden one's from its side's note, or None."""
    board = board_of(encounter)
    if board is None or trooper.id > 0:
        return board.standing.get(trooper.id) if board is not None else None
    note = hidden_places(encounter, trooper.side).get(str(-trooper.id))
    base, height = SIZES_BY_SILHOUETTE.get(trooper.profile.silhouette, SIZES_BY_SILHOUETTE[2])
    return None if note is None else Body(note[1], base / MM / 2, roof_at(board, note[1]), height)


@dataclass(frozen=True, slots=True)
class Exposed:
    """How the active trooper lies to one that may react, by the board, with the names of what covers each."""

    inches: float
    sight: Sight
    unseen: bool
    cover: str
    enemy_cover: str
    touches: bool

    @property
    def reacts(self) -> bool:
        """Return whether it has an ARO. Rules: INF-ORD-05, INF-ORD-06."""
        return not self.unseen or in_zone(self.inches)

    @property
    def words(self) -> str:
        """Return the same in a few words."""
        words = (
            "the active trooper is behind this trooper"
            if self.unseen and not self.sight.is_blocked
            else facts.sight_words(self.sight)
        )
        return f"in contact, {words}" if self.touches else f"{self.inches:g} in, {words}"


def measure_exposure(encounter: EncounterView, trooper: Trooper, active: int) -> Exposed | None:
    """Return how the active trooper lies to one that may react; None if it is unknown. Rules: INF-SJ-10."""
    viewer_body, board = eyes_of(encounter, trooper), board_of(encounter)
    if viewer_body is None or board is None or active not in board.standing:
        return None
    target, sight = facts.exposure(encounter, viewer_body, trooper.id, active)
    sight_back = measure.sight(target, viewer_body, board.pieces())
    unseen = sight.is_blocked or not measure.is_in_arc(viewer_body, target, arc_degrees(moving=False))
    inches = max(0.1, facts.inches(measure.distance(viewer_body, target)))
    return Exposed(
        inches,
        sight,
        unseen,
        _find_cover(board, viewer_body, sight_back),
        _find_cover(board, target, sight),
        measure.are_in_contact(viewer_body, target),
    )


def measure_for_reactor(make_fact: Callable[[Exposed], Fact]) -> Callable[[Asking], Fact | None]:
    """Return what the board measures of the active trooper for the one that reacts. make_fact: makes it."""

    def measure(context: Asking) -> Fact | None:
        trooper, order = context.so_far.get("model"), order_of(context.act.encounter)
        if order is None or not isinstance(trooper, Trooper) or order.mark(trooper.id) is not None:
            return None
        exposure = measure_exposure(context.act.encounter, trooper, order.model)
        return None if exposure is None else make_fact(exposure)

    return measure


def is_in_cover(encounter: EncounterView, viewer: int, target: int, sight: Sight) -> Fact:
    """Declare whether a target is in Partial Cover: beside something that hides a part. Rules: INF-BS-04."""
    bodies = facts.pair(encounter, viewer, target)
    assert bodies is not None, "it was measured"
    cover_name = _find_cover(require_board(encounter), bodies[1], sight)
    target_name = encounter.model(target).name
    return Fact(bool(cover_name), f"{target_name} is in cover ({cover_name})" if cover_name else "")


def _find_cover(board: Board, base: Body, sight: Sight) -> str:
    """Return the name of what gives Partial Cover; empty for nothing."""
    touching_base = replace(base, radius=base.radius + BESIDE_COVER)
    for name, share in sight.by:
        piece = board.terrain_named(name)
        gives_cover = piece is not None and piece.cover and piece.kind != SMOKE and share >= COVER_SHARE
        if piece is not None and gives_cover and measure.touches(touching_base, piece.shape.outline):
            return name
    return ""


TEMPLATE_INCHES = 4.7
"""Inches across a template of a weapon that is rolled for: a circle around its target."""


def under_template(
    encounter: EncounterView, trooper: Trooper, weapon: Weapon | None, target: int
) -> Fact | None:
    """Return who else is under a trooper's template, of either side; None if it isn't measured.

    Rules: INF-BS-08.
    """
    viewer_body, board = eyes_of(encounter, trooper), board_of(encounter)
    if (
        weapon is None
        or not weapon.template
        or viewer_body is None
        or board is None
        or target not in board.standing
    ):
        return None
    target_body, _ = facts.exposure(encounter, viewer_body, trooper.id, target)
    circle = measure.Template(middle=target_body.at, radius=TEMPLATE_INCHES / 2, level=target_body.bottom)
    covered_models = facts.covered(encounter, circle, viewer_body.at, but=(target,))
    rows = tuple(encounter.model(number) for number in (*covered_models.wholly, *covered_models.partly))
    verb = "is" if len(rows) == 1 else "are"
    return Fact(
        rows, f"{join_with_and([row.name for row in rows])} {verb} under the template" if rows else ""
    )


def require_contact(act: ActView, attacker: Trooper, targets: Iterable[int]) -> None:
    """Refuse a CC Attack where the board shows that all these enemies are apart. Rules: INF-CC-01.

    Raises Forbidden.
    """
    apart_flags = [
        (Condition.CLOSE_COMBAT, target) not in attacker.conditions
        and facts.in_contact(act.encounter, attacker.id, target) is False
        for target in targets
    ]
    if apart_flags and all(apart_flags):
        with act.overridable():
            enemy_words = "any of those enemies" if len(apart_flags) > 1 else "that enemy"
            sentence = (
                f"Move into base contact first. {attacker.current.name} isn't in contact with {enemy_words}."
            )
            raise Forbidden(sentence, "INF-CC-01")


def is_seen(encounter: EncounterView, viewer: int, target: int, sight: Sight) -> Fact:
    """Return whether the viewer has line of fire."""
    return Fact(not sight.is_blocked, facts.sight_words(sight) if sight.is_blocked else "")


def is_unseen(encounter: EncounterView, viewer: int, target: int, sight: Sight) -> Fact:
    """Return whether the viewer has no line of fire in another's Order: blocked, or behind its back.

    Smoke doesn't stop an answer to an attack through it. Rules: INF-SJ-10.
    """
    bodies = facts.pair(encounter, viewer, target)
    assert bodies is not None, "it was measured"
    is_blocked = sight.is_blocked and not is_through_smoke(encounter, viewer, target)
    is_behind = not measure.is_in_arc(*bodies, arc_degrees(moving=False))
    reason = " (the enemy is behind it)" if is_behind and not is_blocked else ""
    sentence = f"{encounter.model(viewer).name} has no line of fire{reason}"
    return Fact(is_blocked or is_behind, sentence if is_blocked or is_behind else "")


def is_through_smoke(encounter: EncounterView, viewer: int, target: int) -> bool:
    """Return whether smoke is all that blocks the line of fire. Rules: INF-BS-06."""
    past_smoke = facts.sight_past_smoke(encounter, viewer, target)
    return (
        past_smoke is not None
        and not past_smoke.is_blocked
        and bool(facts.find_smoke(encounter, viewer, target))
    )


def measure_zero_visibility(context: Asking) -> Fact | None:
    """Return whether the board shows smoke, a Zero Visibility Zone, on the line. Rules: INF-BS-06."""
    pair = measuring.both(context, "shooter", "target")
    if pair is None or facts.pair(context.act.encounter, *pair) is None:
        return None
    smoke = facts.find_smoke(context.act.encounter, *pair)
    return Fact(bool(smoke), f"through a Zero Visibility Zone: {smoke[0].name}" if smoke else "")


def ground_of(walk: BoardPath) -> Fact:
    """Return the worst ground of a way: rough 1 and 2 are difficult, 3 is very difficult.

    Rules: INF-TER-02, INF-TER-03.
    """
    worst_rough = max((area.rough for area in walk.ground), default=0)
    ground = (
        Ground.OPEN if not worst_rough else Ground.DIFFICULT if worst_rough < 3 else Ground.VERY_DIFFICULT
    )
    return Fact(ground, ", ".join(area.name for area in walk.ground if area.rough))
