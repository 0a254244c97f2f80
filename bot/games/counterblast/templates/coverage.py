"""Models under a template or near an explosion, and bombs that wait."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Action, Raw, declared
from bot.games.counterblast.core.common import find_fighter
from bot.games.counterblast.core.debts import Debt, list_counters, register_finder
from bot.games.counterblast.core.narration import Telling
from bot.games.counterblast.state.ground import add_fire, is_airless
from bot.games.counterblast.state.models import fighter, fighters, find_known_weapon
from bot.games.counterblast.state.sight import cover_by_board, cover_where_hidden
from bot.games.counterblast.state.table_state import EncounterState
from bot.replies.fit import MAX_CHOICES
from bot.replies.reply import Attachment, Button, Choice, Menu, Reply
from bot.store.rows import ModelRow
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.asking.kinds import Asking, Text
from bot.table.asking.measuring import Spot
from bot.table.board import facts
from bot.table.board.facts import Covered
from bot.table.board.surface import board_of, kept, last_body
from bot.table.encounter import GONE, Encounter, EncounterView, set_counter
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import player_of
from bot.table.session.drafts import Draft, DraftView, build_draft_reply, register_maker
from rules.counters import PerPart, PerWord
from rules.measure import Template, bearing, cone, distance, moved
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.burning import Fire
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.gear.items import Bomb
from rules.systems.counterblast.shooting.special_attacks import ACID_AREA, pool
from rules.systems.counterblast.shooting.templates import (
    FLAMES_INCHES,
    SPRAY_INCHES,
    Cast,
    Indirect,
    Landing,
    Under,
    is_burst,
)
from rules.wording import join_with_and, possessive

BOMB = PerWord("armed bomb:")
"""Counters of a model, by weapon: the turn in which it armed the bomb."""

LANDED: PerPart[str] = PerPart("template waits:")
"""Counters of a model, by weapon and how it is seen: 1 and the cover of those under it."""


def explode_due_bombs(encounter: Encounter, row: ModelRow, *, turn_over: int = 0) -> None:
    """Explode the bombs of a model that are due: as its next activation ends or, if it is gone, at the end
    of a later turn. turn_over: the turn that ends.

    Rules: CB-GEAR-51.
    """
    turn = max(1, encounter.row.turn)
    for weapon, turn_armed in BOMB.among(row.counters.items()).items():
        bomb = Bomb(weapon, row.id, turn_armed)
        ended_model = row.id if turn_armed < turn and not turn_over else 0
        if bomb.is_due(ended=ended_model, turn_over=turn_over, model_gone=row.status == GONE):
            mark_exploded(row, bomb.weapon)


def mark_exploded(row: ModelRow, weapon: str) -> None:
    """Mark a bomb as exploded until the models under it are entered. Rules: CB-GEAR-51."""
    set_counter(row.counters, BOMB.of(weapon), 0)
    row.counters[LANDED.of(weapon, "in sight")] = 1


def bomb_lines(encounter: Encounter) -> list[str]:
    """Return every bomb that is armed and whose it is. Rules: CB-GEAR-51."""
    return [
        f"{possessive(row.name)} {find_known_weapon(row, weapon).name} is armed"
        for row in encounter.models(gone=True)
        for weapon, turn_armed in sorted(BOMB.among(row.counters.items()).items())
        if turn_armed
    ]


def explode_bombs_of_the_gone(encounter: Encounter, turn: int) -> None:
    """Set off bombs of models that are gone, as a turn ends. Rules: CB-GEAR-51."""
    for row in encounter.models(gone=True):
        if row.status == GONE:
            explode_due_bombs(encounter, row, turn_over=turn)


SIGHT: dict[str, Indirect] = {"in sight": "", "spotter": "spotter", "blind": "blind"}
SIGHTS = tuple(SIGHT)
"""How a spot is seen, in words."""

MAX_UNDER = 20
COVERS = ("0", "1", "2", "3")


@dataclass(frozen=True, slots=True)
class Engulf(Action):
    """Roll for everyone under a template that has landed. whole, partly: how each is covered.

    On a line, `whole` is in its order, nearest first. covers: ids of models, each followed by the cover that
    it has instead of `cover`.
    """

    command = "cb.engulf"
    finishes = "cb.template"
    facts = frozenset({"sight", "whole", "partly", "cover", "covers"})
    decision_of = player_of("firer")

    firer: int = 0
    weapon: str = ""
    sight: str = fields.one_of("", SIGHTS, default="in sight")
    cover: int = 0
    whole: tuple[int, ...] = ()
    partly: tuple[int, ...] = fields.unordered()
    covers: tuple[int, ...] = fields.unordered(2)
    odds: bool = False


@dataclass(frozen=True, slots=True)
class Landed(Action):
    """Ask who is under a template or a bomb that has landed."""

    command = "cb.landed"
    decision_of = player_of("firer")

    firer: int = 0
    weapon: str = ""
    sight: str = fields.one_of("", SIGHTS, default="in sight")
    cover: int = 0


@dataclass(frozen=True, slots=True)
class OwnCover:
    """A model under a template, and the cover that it has instead of that of all."""

    model: Fighter
    cover: int

    @property
    def numbers(self) -> tuple[int, int]:
        """Return it as `Engulf.covers` has it."""
        return (self.model.id, self.cover)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnCovers(Text):
    """Models under a template with a cover of their own, as in `Smap=2, Trapper=1`: a tuple of `OwnCover`."""

    def write(self, thing: Any) -> Raw:
        if isinstance(thing, str):
            return thing or None
        return ", ".join(f"#{entry.model.id}={entry.cover}" for entry in thing or ()) or None

    def unsaid(self, default: Any, context: Asking) -> Any:
        return ()

    def read(self, raw: Raw, context: Asking) -> tuple[OwnCover, ...]:
        """Return each of them, by number; of two for one model the later holds. Raises InvalidInput.

        Rules: CB-TERR-05.
        """
        covered_ids = {model.id for name in ("under", "partly") for model in context.so_far.get(name) or ()}
        by_model: dict[int, OwnCover] = {}
        for part in filter(str.strip, str(raw).split(",")):
            name, equals, figure = part.rpartition("=")
            if not equals or figure.strip() not in COVERS:
                raise InvalidInput("Enter the cover of each model (0 to 3) like this: `Smap=2, Trapper=1`.")
            model = find_fighter(context.act, name.strip())
            if model.id not in covered_ids:
                raise InvalidInput(
                    f"First enter {model.name} as wholly or partly under the template. Then enter its cover."
                )
            by_model[model.id] = OwnCover(model, int(figure))
        return tuple(by_model[number] for number in sorted(by_model))


def own_covers(about: str, **more: Any) -> Any:
    """Return the cover of single models under a template: a tuple of `OwnCover`."""
    return declared(OwnCovers(help=about, most=None, **{"fact": True, **more}), ())


# ------------------------------------------------------------------------------------------- on the board


def find_models_under(encounter: EncounterView, firer: int, weapon: Weapon, spot: Spot) -> Covered:
    """Return the models under a template that lies or is aimed at a spot on the board, the nearest first.

    A burst reaches its inches from the base; who makes it is spared, and so is who sprays.
    Rules: CB-TMPL-01, CB-TMPL-03, CB-TMPL-04, CB-FEAT-24.
    """
    body = facts.standing(encounter, firer)
    if body is None:
        return Covered()
    radius, spared = weapon.template_inches / 2, (firer,)
    if is_burst(weapon):
        area = Template(middle=body.at, radius=radius + body.radius, level=body.bottom)
        return facts.covered(encounter, area, body.at, spared)
    if weapon.template == "R":
        return facts.covered(encounter, Template((), spot.at, radius, spot.level), body.at)
    direction = bearing(body.at, spot.at)
    start = moved(body.at, direction, body.radius)
    if weapon.template == "S":
        area = Template(cone(start, direction, *SPRAY_INCHES), level=body.bottom)
        return facts.covered(encounter, area, body.at, spared)
    end = moved(start, direction, weapon.range_inches or DEFAULT_LINE_INCHES)
    return Covered(facts.on_line(encounter, start, end, body.bottom, spared))


DEFAULT_LINE_INCHES = 100
"""Inches that a line without a range goes."""


def find_cover_under(encounter: EncounterView, firer: int, numbers: Sequence[int]) -> dict[int, int]:
    """Return the cover of models under a template, seen from who fires it; nothing for those without any.

    Rules: CB-TERR-04, CB-TERR-05.
    """
    covers = {}
    for number in numbers:
        sight_fact = facts.sight(encounter, firer, number) if number != firer else None
        fact = cover_by_board(encounter, firer, number, sight_fact) if sight_fact is not None else None
        if fact is not None and fact.value:
            covers[number] = int(fact.value)
    return covers


def find_burst_spot(encounter: EncounterView, firer: int) -> Spot | None:
    """Return the place of a model whose burst goes off around it; None if it is not on the board."""
    body = facts.standing(encounter, firer)
    return Spot(encounter.model(firer).name, body.at, body.bottom) if body is not None else None


def find_landing_spot(encounter: Encounter, firer: int, spot: Spot, landing: Landing | None) -> Spot:
    """Return where a template lies after its roll; 12 o'clock is away from its firer. Rules: CB-TMPL-07."""
    body = facts.standing(encounter, firer)
    if landing is None or body is None or landing.where == "on the spot":
        return spot
    if landing.where == "on the firer":
        return Spot(spot.words, body.at, body.bottom)
    turn = bearing(body.at, spot.at) + 30 * landing.clock
    return Spot(spot.words, kept(moved(spot.at, turn, landing.inches)), 0.0)


UNDER = "cb.under"

PLACE = 10
"""A piece of the draft is the model's number times this, plus what is said of it."""

WHOLLY, PARTLY, COVER = 0, 1, 2
"""Wholly under it, partly; or in a cover of its own, 0 to 3, added to the last."""

WHO_IS_UNDER = "Which models are under the template?"


def build_cast(act: ActView, firer: Fighter, weapon: Weapon, sight: str) -> Cast:
    """Return the template as the rules see it, wherever it lands. sight: one of `SIGHTS`."""
    row = act.encounter.row.counters
    return Cast(
        firer,
        weapon,
        indirect=SIGHT[sight],
        dark=bool(row.get(EncounterState.dark.key)),
        vacuum=bool(row.get(EncounterState.vacuum.key)),
        underwater=is_airless(act.encounter, firer),
    )


# ------------------------------------------------------------------------------------------- who is under it


def ask_under(
    act: Act,
    telling: Telling,
    landed_template: Landed,
    files: tuple[Attachment, ...] = (),
    spot: Spot | None = None,
) -> Reply:
    """Return the question that follows when a template lies where it lies; it waits until it is answered."""
    row = act.encounter.model(landed_template.firer)
    row.counters[LANDED.of(landed_template.weapon, landed_template.sight)] = 1 + landed_template.cover
    question = _build_question(act, landed_template, spot)
    return replace(
        question,
        lines=(*telling.lines, *question.lines),
        buttons=(*question.buttons, *telling.buttons(act, UNDO)),
        files=files,
        why=tuple(telling.why),
        private=False,
        replaces=False,
    )


@handles(Landed)
def landed(act: Act, action: Landed) -> Reply:
    """Return the question again, to who asks."""
    act.require_model(act.encounter.model(action.firer))
    return _build_question(act, action)


def _build_question(act: Act, landed_template: Landed, spot: Spot | None = None) -> Reply:
    pieces = _list_pieces_by_board(act, landed_template, spot) if spot is not None else ()
    draft = Draft(
        UNDER,
        (landed_template.firer, landed_template.cover),
        pieces,
        words=f"{landed_template.weapon}:{landed_template.sight}",
    )
    return build_draft_reply(draft, show_under_draft(act, draft))


def is_over_any(act: Act, landed_template: Landed, spot: Spot) -> bool:
    """Return whether the board shows a model at least partly under a template."""
    return bool(_list_pieces_by_board(act, landed_template, spot))


def _list_pieces_by_board(act: Act, landed_template: Landed, spot: Spot) -> tuple[int, ...]:
    """Return what the board says of those under a template on it, as pieces of the draft."""
    covered = find_models_under(
        act.encounter,
        landed_template.firer,
        _find_weapon(act, landed_template.firer, landed_template.weapon),
        spot,
    )
    covers = find_cover_under(act.encounter, landed_template.firer, (*covered.wholly, *covered.partly))
    pieces = [number * PLACE + WHOLLY for number in covered.wholly] + [
        number * PLACE + PARTLY for number in covered.partly
    ]
    return (*pieces, *(number * PLACE + COVER + cover for number, cover in covers.items()))


@register_maker(UNDER, 2)
def show_under_draft(act: Act, draft: Draft) -> DraftView:
    """Return who is under a template, wholly or in part, each with its cover; on a line in order.

    about: who fired, and the cover of all; words: the weapon and how the spot is seen. Rules: CB-TMPL-16,
    CB-TERR-05.
    """
    act.require_model(act.encounter.model(draft.about[0]))
    in_play = {model.id for model in fighters(act.encounter)}
    engulf = _read_engulf(
        replace(draft, pieces=tuple(piece for piece in draft.pieces if piece // PLACE in in_play))
    )
    weapon = _find_engulfing_weapon(act, engulf)
    spared = (engulf.firer,) if is_burst(weapon) else ()
    others = _model_choices(act, engulf.firer, (*engulf.whole, *engulf.partly, *spared))
    covers = tuple(_cover_choices(act, engulf))
    on_line = weapon.template == "L"
    if on_line:
        next_label = "Next on the line" if engulf.whole else "Nearest on the line"
        lists = [(next_label, _with_piece_kind(others, WHOLLY))]
        ask = "Which model is next on the line?" if engulf.whole else "Which model is nearest on the line?"
    else:
        lists, ask = [("Wholly under the template", _with_piece_kind(others, WHOLLY))], WHO_IS_UNDER
        lists.append(("Partly under the template", _with_piece_kind(others, PARTLY)))
    named = bool(engulf.whole or engulf.partly)
    label = (
        ("Roll for these models" if on_line else "Roll")
        if named
        else "No model on the line"
        if on_line
        else "Nobody"
    )
    lines = (
        _describe_models_under(act, "On the line" if on_line else "Wholly under the template", engulf)
        if named
        else []
    )
    weighs = (Button("Odds", replace(engulf, odds=True)),) if named else ()
    return DraftView(
        (*lines, ask),
        ready=(Button(label, engulf, "main"), *weighs),
        lists=(*lists, ("Change the cover of a model", covers)),
    )


def _find_engulfing_weapon(act: Act, action: Engulf) -> Weapon:
    return _find_weapon(act, action.firer, action.weapon)


def _find_weapon(act: Act, firer: int, key: str) -> Weapon:
    return ACID_AREA if key == ACID_AREA.key else find_known_weapon(act.encounter.model(firer), key)


def _read_engulf(draft: Draft) -> Engulf:
    """Return the draft's result; later entries about a model replace earlier ones. Raises InvalidInput."""
    weapon, _, sight = draft.words.partition(":")
    firer, cover = draft.about
    coverage_by_model: dict[int, int] = {}
    covers: dict[int, int] = {}
    for number, choice in (divmod(piece, PLACE) for piece in draft.pieces):
        if choice < COVER:
            coverage_by_model[number] = choice
        else:
            covers[number] = choice - COVER
    if not all(0 <= cover < len(COVERS) for cover in covers.values()):
        raise InvalidInput("Cover must be between 0 and 3.")
    wholly = tuple(number for number, choice in coverage_by_model.items() if choice == WHOLLY)
    partly = tuple(number for number, choice in coverage_by_model.items() if choice == PARTLY)
    cover_pairs = tuple(number for pair in sorted(covers.items()) for number in pair)
    return Engulf(firer, weapon, sight, cover, wholly, partly, cover_pairs)


def _with_piece_kind(choices: tuple[Choice, ...], piece_kind: int) -> tuple[Choice, ...]:
    return tuple(replace(choice, value=str(int(choice.value) * PLACE + piece_kind)) for choice in choices)


def _cover_choices(act: Act, engulf: Engulf) -> Iterator[Choice]:
    covers = dict(zip(engulf.covers[::2], engulf.covers[1::2], strict=True))
    for number in (*engulf.whole, *engulf.partly):
        for cover in range(len(COVERS)):
            if cover != covers.get(number, engulf.cover):
                label = f"{act.encounter.model(number).name}: cover {cover}"
                yield Choice(label, str(number * PLACE + COVER + cover))


def _model_choices(act: Act, firer: int, excluded: tuple[int, ...] = ()) -> tuple[Choice, ...]:
    side = act.encounter.model(firer).side
    everybody = [model for model in fighters(act.encounter) if model.id not in excluded]
    everybody.sort(key=lambda model: model.side == side)
    return tuple(
        Choice(model.name, str(model.id), act.encounter.side(model.side).name) for model in everybody
    )


def _describe_models_under(act: Act, heading: str, engulf: Engulf) -> list[str]:
    names = {model.id: model.name for model in fighters(act.encounter)}
    lines = [f"{heading}: {', '.join(names[number] for number in engulf.whole) or 'nobody'}."]
    lines += (
        [f"Partly under the template: {', '.join(names[number] for number in engulf.partly)}."]
        if engulf.partly
        else []
    )
    pairs = zip(engulf.covers[::2], engulf.covers[1::2], strict=True)
    cover_text = ", ".join(f"{names[number]} {cover}" for number, cover in pairs)
    return [*lines, f"Cover: {cover_text}."] if cover_text else lines


@register_finder
def find_landed_templates(act: Act) -> list[Debt]:
    """Return templates and bombs without entered models under them. Rules: CB-TMPL-01, CB-GEAR-51."""
    debts = []
    for row, key, value in list_counters(act.encounter, LANDED):
        weapon, sight = LANDED.split(key)
        weapon_fired = ACID_AREA if weapon == ACID_AREA.key else find_known_weapon(row, weapon)
        owned = f"{possessive(row.name)} {weapon_fired.name}"
        landing = Landed(row.id, weapon, sight, value - 1)
        goes_off = weapon_fired.group == "bomb"
        line = f"{owned} goes off. {WHO_IS_UNDER}" if goes_off else f"{WHO_IS_UNDER[:-1]} of {owned}?"
        open_button = Button(
            f"Models under the template ({weapon_fired.name})...", landing, "main", anytime=True
        )
        debts.append(Debt(row.side, line, (open_button,)))
    return debts


# ------------------------------------------------------------------------------------------- what it does


def list_models_under(act: ActView, action: Engulf) -> tuple[Under, ...]:
    """Return the models named, each with how it is covered. Raises InvalidInput for too many.

    A model that hid and has not moved has at least the cover of that place, unless its own is entered.
    """
    if len(action.whole) + len(action.partly) > MAX_UNDER:
        raise InvalidInput(f"At most {MAX_UNDER} models can be under one template. Choose fewer.")
    covers = dict(zip(action.covers[::2], action.covers[1::2], strict=True))

    def cover(number: int) -> int:
        return covers.get(number, max(action.cover, cover_where_hidden(act.encounter, number)))

    return tuple(
        Under(fighter(act.encounter, act.encounter.model(number)), partly, cover(number))
        for numbers, partly in ((action.whole, False), (action.partly, True))
        for number in numbers
    )


def leave_fire_behind(act: Act, weapon: Weapon, at: Spot | None = None) -> list[str]:
    """Return what it leaves where it lands: a pool of acid, burning ground. Rules: CB-FEAT-01, CB-TMPL-10."""
    turn, place = max(1, act.encounter.row.turn), at.at if at is not None else None
    if weapon.key == ACID_AREA.key:
        name = add_fire(act.encounter, "acid", pool(turn), place)
        return [f'A pool of acid (R3) stays there. It is named "{name}".']
    if weapon.has_effect("burning"):
        name = add_fire(act.encounter, "flames", Fire(turn, FLAMES_INCHES), place)
        return [f'The ground there catches fire (R{FLAMES_INCHES}). The fire is named "{name}".']
    return []


@dataclass(frozen=True, slots=True, kw_only=True)
class HitsNear(Action):
    """Enter who is near when something hits everyone near. asked: it was entered, even if no one.

    so_far: who was named in the menus before; more: others may follow.
    """

    facts = frozenset({"near", "so_far", "asked", "more"})

    near: tuple[int, ...] = fields.unordered()
    asked: bool = False
    so_far: tuple[int, ...] = fields.unordered()
    more: bool = False

    @property
    def everybody(self) -> tuple[int, ...]:
        """Return all that were named, in their order."""
        return (*self.so_far, *self.near)

    @property
    def is_said(self) -> bool:
        """Return whether it is known who is near."""
        return bool(self.near or self.asked) and not self.more


def find_models_near(
    encounter: EncounterView, middle: int, inches: float, others: Sequence[Fighter]
) -> list[Fighter] | None:
    """Return those of these models that are within so many inches of where a model is or was on the board.

    None if it can't be measured.
    """
    board, body = board_of(encounter), last_body(encounter, encounter.model(middle))
    if board is None or body is None:
        return None
    return [
        model
        for model in others
        if model.id in board.standing and distance(body, board.standing[model.id]) <= inches
    ]


def ask_near(
    act: ActView, action: HitsNear, middle: Fighter, inches: float, others: Sequence[Fighter]
) -> Reply:
    """Ask which models are near an explosion. middle: the model that explodes. others: all that may be near.

    On the board, those that are near can be entered with one press.
    """
    named_ids = action.everybody
    remaining = [model for model in others if model.id not in named_ids]
    choices = tuple(
        Choice(model.name, str(model.id), act.encounter.side(model.side).name) for model in remaining
    )
    nobody_else = replace(action, near=(), so_far=named_ids, asked=True, more=False)
    next_action = replace(nobody_else, more=len(remaining) > MAX_CHOICES)
    names = ", ".join(model.name for model in others if model.id in named_ids)
    lines = [f"{middle.name} explodes and hits everything within {inches:g} in."]
    lines += [f"Chosen so far: {names}."] if named_ids else []
    label = "No other model is near" if named_ids else "No model is near"
    buttons = [Button(label, nobody_else, anytime=True)]
    near = None if named_ids else find_models_near(act.encounter, middle.id, inches, others)
    if near is not None:
        lines.append(
            f"On the board: {join_with_and([model.name for model in near]) if near else 'no model'}."
        )
    if near:
        measured = replace(nobody_else, so_far=tuple(model.id for model in near))
        buttons.insert(0, Button("Use these models", measured, "main", anytime=True))
    prompt = f"Which models are within {inches:g} in of {middle.name}?"
    return Reply(
        tuple(lines),
        private=True,
        buttons=tuple(buttons),
        menus=(Menu(prompt, next_action, "near", choices, 1, len(choices), anytime=True),) if choices else (),
    )
