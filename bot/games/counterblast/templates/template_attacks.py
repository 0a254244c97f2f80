"""Attacks by template: aimed, scattered, drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Action
from bot.games.counterblast.core.common import (
    again,
    carry_through,
    price,
    require_plannable,
    settings,
    token_price,
)
from bot.games.counterblast.core.fields import (
    carried,
    foe,
    friend,
    launchers,
    mounting,
    off_centre,
    order,
    several,
    who,
)
from bot.games.counterblast.core.narration import Telling
from bot.games.counterblast.core.pictures import landing_picture, landing_words
from bot.games.counterblast.core.relics import list_relic_buttons
from bot.games.counterblast.core.wording import cast_by_label, dice_words, trace_lines, why_check
from bot.games.counterblast.shooting.arcs import attacked, require_mastery
from bot.games.counterblast.shooting.shot_fields import (
    check_arc_of_fire,
    cloud_field,
    range_bands,
    store_mounting,
)
from bot.games.counterblast.state.models import fighter, fighters
from bot.games.counterblast.state.sight import InTheWay, find_cloud_cover
from bot.games.counterblast.templates.coverage import (
    SIGHTS,
    Engulf,
    Landed,
    OwnCover,
    ask_under,
    build_cast,
    find_burst_spot,
    find_cover_under,
    find_landing_spot,
    find_models_under,
    is_over_any,
    leave_fire_behind,
    list_models_under,
    own_covers,
)
from bot.games.counterblast.templates.engulfing import ReadyUnder, engulf, resolve_engulf, under_chances
from bot.replies.chances import bars
from bot.replies.reply import Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields, measuring, offering
from bot.table.asking.kinds import Asking
from bot.table.asking.measuring import Spot
from bot.table.board import facts
from bot.table.board.facts import Fact
from bot.table.board.places import place_words
from bot.table.board.surface import require_board
from bot.table.encounter import EncounterView
from bot.table.journal.history import UNDO
from bot.table.steps import Chances, Hurt, Weighed, in_steps, otherwise
from bot.table.throw_purposes import Whose
from rules.dice import Entry, Odds
from rules.effects import Effect
from rules.measure import Body, distance, sight
from rules.refusals import Forbidden, InvalidInput, Missing, forbid, refuse_typed
from rules.systems.counterblast.core.conditions import end_attacker_conditions
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.shooting.shooting import Mode
from rules.systems.counterblast.shooting.special_attacks import Mounting, require_overwatch
from rules.systems.counterblast.shooting.templates import (
    Cast,
    Landing,
    PreparedCast,
    after_burst,
    deliver,
    is_burst,
    prepare_cast,
    require_burst,
)
from rules.wording import possessive, times

_foes = offering.completing(offering.foe)

MODES: tuple[Mode, ...] = ("shoot", "aim", "overwatch")


def _first_with_template(context: Asking, firer: Fighter) -> Weapon:
    """Return the first weapon that fires templates. Raises InvalidInput."""
    for weapon in firer.weapons:
        if weapon.template is not None and weapon.group != "bomb":
            return weapon
    raise InvalidInput(f"{firer.name} carries no template weapon.")


def _is_placed(context: Asking) -> bool:
    """Return whether the template is placed at a distance, and doesn't begin at its firer."""
    return context.so_far["weapon"].template == "R" and not _bursts(context)


def _distance_to(context: Asking, encounter: EncounterView, firer: Body, spot: Spot) -> Fact | None:
    """Return the inches from the base to the spot. Rules: CB-TMPL-05."""
    inches = facts.inches(distance(firer, Body(spot.at, 0.0, spot.level)))
    return Fact(inches, f"{inches:g} in") if _is_placed(context) else None


def _sight_of(context: Asking, encounter: EncounterView, firer: Body, spot: Spot) -> Fact | None:
    """Return whether a person who stood on the spot would be in sight. Rules: CB-SHOOT-12."""
    sight_line = sight(firer, Body(spot.at, 0.1, spot.level), require_board(encounter).pieces())
    sentence = f"the spot is out of sight (behind {sight_line.by[0][0]})" if sight_line.is_blocked else ""
    return Fact(SIGHTS[2 * sight_line.is_blocked], sentence) if _is_placed(context) else None


def _build_board_options(look: Callable[[Asking, EncounterView, Body, Spot], Fact | None]) -> dict[str, Any]:
    def measure(context: Asking, encounter: EncounterView, firer: Body, spot: Spot) -> Fact | None:
        return look(context, encounter, firer, spot) if context.so_far.get("weapon") else None

    measure_aimed = measuring.aimed("firer", measure)

    def measure_all(context: Asking) -> Fact | None:
        if not _bursts(context):
            return measure_aimed(context)
        encounter, firer = context.act.encounter, context.so_far["firer"]
        body, spot = facts.standing(encounter, firer.id), find_burst_spot(encounter, firer.id)
        return look(context, encounter, body, spot) if body is not None and spot is not None else None

    return {"fact": True, "measures": measure_all}


def _bursts(context: Asking) -> bool:
    """Return whether the weapon's template goes off around its firer, and isn't aimed."""
    weapon = context.so_far.get("weapon")
    return weapon is not None and is_burst(weapon)


def _models_field(coverage: str, words: str, **more: Any) -> Any:
    """Return the models under it, wholly or partly."""

    def told(context: Asking, encounter: EncounterView, firer: Body, spot: Spot) -> Fact:
        covered = find_models_under(encounter, context.so_far["firer"].id, context.so_far["weapon"], spot)
        models = tuple(fighter(encounter, encounter.model(number)) for number in getattr(covered, coverage))
        names = ", ".join(model.name for model in models)
        return Fact(models, f"{words}: {names}" if names else "")

    label = f"Models {coverage} under the template"
    return several(label, names=_foes, wire=str, **_build_board_options(told), **more)


def _measure_covers(context: Asking, encounter: EncounterView, firer: Body, spot: Spot) -> Fact:
    by_id = {model.id: model for name in ("under", "partly") for model in context.so_far.get(name) or ()}
    covers = sorted(find_cover_under(encounter, context.so_far["firer"].id, tuple(by_id)).items())
    words = ", ".join(f"cover {cover} for {by_id[number].name}" for number, cover in covers)
    return Fact(tuple(OwnCover(by_id[number], cover) for number, cover in covers), words)


def _is_on_line(action: Template) -> bool:
    """Return whether those under it stand one behind the other, so that their order is a fact."""
    return action.weapon.template == "L"


@dataclass(frozen=True, slots=True)
class Template(Action):
    """Fire a template weapon.

    spotter: the crew mate who sees the spot. landed: it was fired before; roll for those who are named as
    under it. bearing, mount: as of a shot. cloud: in the way. cover: of all under it; covers: of single
    models. target: the active enemy at which it is fired from Overwatch. spot: where it is aimed on
    the board.
    """

    command = "cb.template"
    typed = "cb template"
    said_first = (
        "firer",
        "distance",
        "weapon",
        "under",
        "partly",
        "sight",
        "spotter",
        "cover",
        "landed",
        "bearing",
        "mount",
        "mode",
        "target",
        "cloud",
        "covers",
        "order",
        "odds",
    )
    recalled = frozenset({"distance", "under", "partly", "cover", "covers"})

    firer: Fighter = who("Model that fires", called="model")
    weapon: Weapon = carried(
        "firer",
        "Weapon (default: first template weapon)",
        launchers,
        default=_first_with_template,
        alone=True,
    )
    spot: Spot | None = measuring.spot("firer", unless=_bursts)
    distance: float = fields.inches(
        "Distance to the spot (inches)",
        0.0,
        200.0,
        default=0.0,
        bands=range_bands,
        **_build_board_options(_distance_to),
    )
    sight: str = fields.one_of(
        "Visibility of the spot",
        SIGHTS,
        default="in sight",
        **_build_board_options(_sight_of),
    )
    spotter: Fighter | None = friend("Spotter who sees the spot", helps=True)
    order: bool = order()
    under: tuple[Fighter, ...] = _models_field("wholly", "under the template", but_where=_is_on_line)
    partly: tuple[Fighter, ...] = _models_field("partly", "partly under the template")
    cover: int = fields.whole("Cover of the targets (0 to 3)", 0, 3, default=0, fact=True)
    landed: bool = fields.switch("Already fired (only roll the effect)")
    odds: bool = fields.odds()
    bearing: float = off_centre()
    mount: Mounting | None = mounting()
    mode: Mode = fields.one_of("Aim, or fire from Overwatch", MODES, called="how", default="shoot")
    target: Fighter | None = foe("Enemy you react to (Overwatch)")
    cloud: InTheWay | None = cloud_field()
    covers: tuple[OwnCover, ...] = own_covers(
        'Individual cover, such as "Smap=2, Trapper=1"', **_build_board_options(_measure_covers)
    )
    by_hand: tuple[str, ...] = fields.by_hand()


def declared(act: ActView, action: Template) -> Cast:
    """Return the template as the rules see it. Raises InvalidInput, Forbidden for a Bomb Kit."""
    firer, weapon = action.firer, action.weapon
    if weapon.group == "bomb":
        raise Forbidden(f"To use the {weapon.name}, arm it and set it off with /gear bomb.", "CB-GEAR-51")
    return replace(
        build_cast(act, firer, weapon, action.sight),
        mode=action.mode,
        inches=action.distance,
        spotter=action.spotter or _find_only_spotter(act, firer, action.sight),
        order_token=action.order,
    )


def _find_only_spotter(act: ActView, firer: Fighter, sight: str) -> Fighter | None:
    """The one crew mate with Spotter, where a spotter is meant and none is named. Raises InvalidInput for
    several. Rules: CB-SHOOT-13, CB-FEAT-48.
    """
    if sight != "spotter":
        return None
    spotters = [model for model in fighters(act.encounter, firer.side) if model.has_feature("spotter")]
    spotters = [model for model in spotters if model.id != firer.id and not model.is_incapacitated]
    if len(spotters) > 1:
        raise Missing(f"Choose the spotter who sees the spot: {', '.join(model.name for model in spotters)}.")
    return spotters[0] if spotters else None


@dataclass(frozen=True, slots=True)
class ReadyTemplate:
    """A template that may be placed: how it is cast, what becomes of those under it, what it costs.

    arc: the line that reminds of a narrow field of fire.
    """

    cast: Cast
    prepared: PreparedCast
    then: Engulf
    due: tuple[Effect, ...] = ()
    arc: tuple[str, ...] = ()


@in_steps(Template)
class Placing(Weighed[Template, ReadyTemplate]):
    """Where it lands; who is under it is asked next, unless it was said and it landed on its spot."""

    def prepare(self, act: ActView, action: Template) -> ReadyTemplate:
        """Return the weapon, its spot, and who was said to be under it. Raises InvalidInput, Forbidden."""
        if action.landed and not act.action.looks:
            refuse_typed(
                "The weapon has already been fired. Leave the spotter, order token, angle, mount, aim "
                "and enemy blank.",
                *(
                    action.spotter,
                    action.order,
                    action.bearing,
                    action.mount,
                    action.target,
                    action.mode != "shoot",
                ),
            )
        firer, weapon, cast_ = action.firer, action.weapon, declared(act, action)
        is_seen = action.sight == "in sight" and not action.landed
        cover = max(action.cover, find_cloud_cover(action.cloud, seen=is_seen))
        wholly, partly = (tuple(model.id for model in named) for named in (action.under, action.partly))
        covers = tuple(number for own_cover in action.covers for number in own_cover.numbers)
        engulf = Engulf(firer.id, weapon.key, action.sight, cover, wholly, partly, covers)
        ready = ReadyTemplate(cast_, prepare_cast(cast_, settings(act)), engulf)
        if action.landed:
            act.canonical = replace(action, order=False, odds=False) if act.action.looks else engulf
            if act.action.looks:
                _find_price(act, cast_, action.target)
            return ready
        arc = check_arc_of_fire(act, firer, weapon, action.bearing, action.mount)
        if not act.action.looks:
            require_mastery(act, firer, weapon)
        cost = (*_find_price(act, cast_, action.target), *token_price(act, firer, spent=action.order))
        return replace(ready, due=cost, arc=tuple(arc))

    def do(self, act: Act, action: Template, ready: ReadyTemplate) -> Reply:
        if action.landed:
            return engulf(act, ready.then)
        store_mounting(act, ready.cast.firer, ready.cast.weapon, action.mount)
        carry_through(act, ready.due)
        reply = _fire_template(act, ready.cast, ready.prepared, ready.then, list(ready.arc), action.spot)
        return replace(reply, why=(*reply.why, action.cloud.words)) if action.cloud else reply

    def chances(self, act: ActView, action: Template, ready: ReadyTemplate) -> Chances:
        prepared, engulf = ready.prepared, ready.then
        lines = [f"{ready.cast.firer.name}, {ready.cast.weapon.name}"]
        solved: list[Odds[Any]] = []
        hurts: list[Hurt] = []
        on_target_chance = 1.0
        if prepared.needed and not action.landed:
            odds = act.solve(deliver, prepared.throws, prepared.needed, prepared.width)
            solved.append(odds)
            places = {"on the spot": "on target", "scattered": "scattered", "on the firer": "on the shooter"}
            rows = [
                (words, odds.chance(lambda got, p=place: got.where == p))  # type: ignore[misc]
                for place, words in places.items()
            ]
            lines += bars(rows)
            on_target_chance = rows[0][1]
        if engulf.whole or engulf.partly:
            lines += [] if action.landed else ["If these models are under the template:"]
            under_odds = under_chances(act, ReadyUnder(ready.cast, list_models_under(act, engulf)))
            solved += [under_chance.odds for under_chance in under_odds]
            hurts += [chance.hurt for chance in under_odds]
            lines += [chance.line for chance in under_odds]
        return Chances(tuple(lines), "on target", on_target_chance, tuple(solved), hurts=tuple(hurts))

    def labelled(self, plain: Template, ready: ReadyTemplate) -> str:
        return "Roll" if plain.landed else "Fire"

    def turned(self, plain: Template, ready: ReadyTemplate) -> Template | None:
        return None if plain.landed or not ready.prepared.throws else otherwise(plain)


def _find_price(act: ActView, cast_: Cast, target: Fighter | None) -> tuple[Effect, ...]:
    """Return the price: nothing out of turn; a burst may be the attack of an engaged model.

    Where its chances are asked, it is free. Raises Forbidden. Rules: CB-OVER-02, CB-WEAP-05, CB-FEAT-24.
    """
    firer, weapon = cast_.firer, cast_.weapon
    key = "burst" if is_burst(weapon) else cast_.mode
    if act.action.looks:
        if cast_.mode != "overwatch":
            require_plannable(act, firer, key)
        return ()
    require_burst(firer, weapon)
    if cast_.mode != "overwatch":
        return price(act, firer, key)
    if act.encounter.row.turn:
        if cast_.indirect:
            forbid("From Overwatch, you need line of sight to the spot.", "CB-OVER-02")
        require_overwatch(firer, target)
    return ()


def _fire_template(
    act: Act, cast_: Cast, prepared: PreparedCast, engulf: Engulf, arc: list[str], spot: Spot | None
) -> Reply:
    firer, weapon = cast_.firer, cast_.weapon
    telling = Telling()
    roller = cast_by_label(
        Whose(
            firer.name,
            weapon.name,
            f"at the chosen spot ({times(prepared.needed, 'success', 'successes')} needed)",
        ),
        direction=Whose(firer.name, "roll", "for the direction of the scatter"),
        distance=Whose(firer.name, "roll", "for the distance of the scatter"),
    )
    landing = None
    if prepared.needed:
        landing = act.roll(roller, deliver, prepared.throws, prepared.needed, prepared.width)
    attacked(act, firer.id)
    ended_effects = end_attacker_conditions(again(act, firer), overwatch=cast_.mode == "overwatch")
    telling.follow(act, (*ended_effects, *after_burst(firer, weapon)))
    telling.lines.append(f"{_describe_landing(f'{possessive(firer.name)} {weapon.name}', landing)}.")
    if is_burst(weapon):
        spot = find_burst_spot(act.encounter, firer.id)
    landing_spot = find_landing_spot(act.encounter, firer.id, spot, landing) if spot is not None else None
    if landing_spot is not None and landing_spot != spot:
        telling.lines.append(
            f"The template is at {place_words(require_board(act.encounter), landing_spot.at)} on the board."
        )
    telling.lines += [*leave_fire_behind(act, weapon, landing_spot), *arc]
    if prepared.roll:
        telling.why += why_check(prepared.roll, f"{firer.name}, {weapon.name}")
    dice = _dice_lines(prepared, act.dice.trace) if landing else []
    dice_count = len(act.dice.trace) if landing else 0
    files = (landing_picture(landing, prepared.width),) if landing and landing.where == "scattered" else ()
    if (engulf.whole or engulf.partly) and (landing is None or landing.where == "on the spot"):
        resolve_engulf(act, telling, engulf)
        names = [act.encounter.model(number).name for number in (*engulf.whole, *engulf.partly)]
        telling.lines += [
            "",
            *dice,
            *trace_lines(act.dice.trace[dice_count:], names),
            *telling.proposal_lines(),
        ]
        return Reply(tuple(telling.lines), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))
    telling.lines += dice
    landed_template = Landed(firer.id, weapon.key, engulf.sight, engulf.cover)
    has_scattered = landing is not None and landing.where != "on the spot"
    if landing_spot is not None and not has_scattered and not is_over_any(act, landed_template, landing_spot):
        telling.lines.append("On the board, no model is under the template.")
        return Reply(tuple(telling.lines), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))
    question = ask_under(act, telling, landed_template, files, landing_spot)
    has_missed = prepared.roll is not None and landing is not None and landing.where != "on the spot"
    return replace(question, buttons=(*question.buttons, *list_relic_buttons(act, firer, failed=has_missed)))


def _describe_landing(what: str, landing: Landing | None) -> str:
    return landing_words(what, landing) if landing else f"Place the template of {what}"


def _dice_lines(prepared: PreparedCast, trace: list[Entry]) -> list[str]:
    if prepared.roll is None:
        return ["The spot is out of sight, so the template always scatters.", *trace_lines(trace)]
    needed = f" ({prepared.needed} successes needed)" if prepared.needed > 1 else ""
    return [f"{dice_words(prepared.roll, 'AGL')}{needed}", *trace_lines(trace)]
