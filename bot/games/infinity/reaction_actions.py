"""Choosing a reaction: kept in secret and changed at will until all who are asked have chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.infinity import concealment
from bot.games.infinity.duels import ZONE_INCHES, best_level, check_reaction, default_reaction, require_marker
from bot.games.infinity.fields import (
    carried_weapon_field,
    ground,
    ground_type,
    martial_arts_level,
    measure_for_reactor,
    other_mod,
    under_template,
    who,
)
from bot.games.infinity.order_resolution import describe_time_left, seconds_since_question
from bot.games.infinity.order_rows import (
    COVER_MATTERS,
    ORDER,
    SEARCHES,
    SENSOR,
    WAIT,
    Order,
    Reaction,
    order_of,
    reaction_of,
    store_reaction,
)
from bot.games.infinity.reaction_menu import (
    TOGGLE_COVER,
    React,
    Resolve,
    asked_sides_of,
    choice_value,
    list_choices,
    name_privately,
    private_menu,
)
from bot.games.infinity.reaction_windows import candidates, check_may_react, check_window
from bot.games.infinity.suggestions import suggest_markers
from bot.games.infinity.troops import is_melee, is_program, is_shooting, require_weapon, settings_for
from bot.replies.reply import Choice, Menu, Reply
from bot.store.rows import ModelRow, PendingRow
from bot.table.act import Act, ActView
from bot.table.answering import Answered
from bot.table.asking import fields, offering
from bot.table.asking.kinds import MAX_CHOICES, Asking
from bot.table.board.facts import Fact
from bot.table.handlers import handles
from bot.table.waits import players_of
from rules.refusals import Forbidden, InvalidInput, Missing
from rules.systems.infinity.movement import Ground, effective_ground
from rules.systems.infinity.profile import Weapon
from rules.systems.infinity.reactions import ENGAGE_INCHES
from rules.systems.infinity.trooper import Trooper


def _measure_under_template(context: Asking) -> Fact | None:
    """Return who else the board shows under the template of a shot, if it has one."""
    fields_so_far, order = context.so_far, order_of(context.act.encounter)
    trooper = fields_so_far.get("model")
    if order is None or not isinstance(trooper, Trooper) or fields_so_far.get("does") != "shoot":
        return None
    weapon = fields_so_far.get("weapon") or require_weapon(trooper, is_shooting, "shoot")
    return under_template(context.act.encounter, trooper, weapon, order.model)


@dataclass(frozen=True, slots=True)
class Aro(Action):
    """Declare an ARO (secret until everyone has chosen).

    With all details, which the menu can't take. mod, markers: of a Discover or a Sensor. does: see
    `duels.DOES_BY_SKILL`. distance: inches to the active trooper. martial_arts: the Level in use; below 0,
    the best of the profile. ground, terrain: what it moves on. alerted: an ally gave the alert.
    """

    command = "inf.aro"
    typed = "inf aro"
    titled = "Declare an ARO"
    secret = True
    answers = frozenset({ORDER})

    model: Trooper = who()
    does: str = fields.one_of(
        "ARO to declare",
        (
            "shoot",
            "fight",
            "hack",
            "dodge",
            "reset",
            "change facing",
            "engage",
            "discover",
            "sensor",
            "wait",
            "nothing",
        ),
        needed=True,
        default="dodge",
    )
    distance: float = fields.inches(
        "Distance to the active trooper (inches)",
        0.0,
        200.0,
        default=-1,
        measures=measure_for_reactor(lambda lies: Fact(lies.inches, f"{lies.inches:g} in")),
    )
    weapon: Weapon | None = carried_weapon_field("Weapon or hacking program", "model", lambda weapon: True)
    cover: bool = fields.switch(
        "Your trooper is in cover",
        measures=measure_for_reactor(lambda lies: Fact(bool(lies.cover), lies.cover)),
    )
    enemy_cover: bool = fields.switch(
        "The active trooper is in cover",
        measures=measure_for_reactor(lambda lies: Fact(bool(lies.enemy_cover), lies.enemy_cover)),
    )
    unseen: bool = fields.switch(
        "Your trooper has no line of fire",
        measures=measure_for_reactor(
            lambda lies: Fact(lies.unseen, "no line of fire" if lies.unseen else "")
        ),
    )
    martial_arts: int = martial_arts_level()
    berserk: bool = fields.switch("Use Berserk")
    ground: Ground = ground()
    terrain: str = ground_type()
    alerted: bool = fields.switch("An ally alerts your trooper")
    mod: int = other_mod("MOD to a Discover or Sensor roll")
    under: tuple[ModelRow, ...] = fields.models(
        "Other models under the template",
        offering.completing(offering.any_model),
        wire=str,
        fact=True,
        measures=_measure_under_template,
    )
    markers: tuple[ModelRow, ...] = fields.models(
        "Markers in Sensor Area", offering.completing(suggest_markers), wire=str, fact=True
    )
    by_hand: tuple[str, ...] = fields.by_hand()


def _require_open_window(act: ActView, entry: int = 0) -> Order:
    """Return the Order whose AROs are declared now. Raises InvalidInput."""
    order = order_of(act.encounter)
    if order is None:
        raise InvalidInput("Wait for an enemy Order. There is nothing to react to now.")
    if entry and order.entry != entry:
        raise Answered("Use the latest message for this Order. This one is out of date.")
    if not order.window:
        raise InvalidInput("You can't react now. The AROs to this Order have already been declared.")
    for row in act.book.all(PendingRow):
        if row.action.startswith(f"{Resolve.command} "):
            raise InvalidInput("You can't change AROs now. The dice of this Order are being rolled.")
    return order


def _check_may_react(act: ActView, action: React) -> None:
    """Refuse an Order that is over, and people who aren't asked."""
    order = _require_open_window(act, action.order)
    if not asked_sides_of(act.encounter, order, act.actor.user_id):
        raise InvalidInput(f"Only {players_of(act.encounter, order.waits)} can react to this Order.")


@handles(React, beforehand=seconds_since_question, may=_check_may_react)
def react(act: Act, action: React) -> Reply:
    """React from the menu, by the trooper's player. An organiser's reason changes nothing here."""
    _check_may_react(act, action)
    encounter = act.encounter
    order = _require_open_window(act, action.order)
    _check_not_overridden(act)
    asked_sides = asked_sides_of(encounter, order, act.actor.user_id)
    if not action.choice:
        name = encounter.model(order.model).name
        question = (
            f"{name} declares a Skill: {order.skills[-1]}. Choose your AROs ({describe_time_left(act)})."
        )
        return _build_menu(act, order, asked_sides, action.model, question)
    line = _store_choice(act, order, asked_sides, action)
    answered_model = 0 if action.choice == TOGGLE_COVER else action.model
    return _build_menu(act, order, asked_sides, action.model, line, answered_model=answered_model).minor()


def _build_menu(
    act: Act, order: Order, sides: list[int], model: int, line: str, *, answered_model: int = 0
) -> Reply:
    """Build the private menu; if a template was chosen, with a menu of who else is under it."""
    reply = private_menu(act, order, sides, model, line, answered_model=answered_model)
    reaction = reaction_of(act.encounter, model) if model else None
    if reaction is None or reaction.shown or reaction.does != "shoot":
        return reply
    trooper = next(
        candidate
        for side in sides
        for candidate in candidates(act.encounter, order, side)
        if candidate.id == model
    )
    weapon = trooper.current.weapon(reaction.weapon)
    if not weapon.template or under_template(act.encounter, trooper, weapon, order.model) is not None:
        return reply
    is_target = order.mark(model) is not None
    cover = reaction.enemy_cover and not is_target
    shot = Aro(trooper, "shoot", -1 if is_target else reaction.inches, weapon, enemy_cover=cover)
    enemies_nearby = [
        row for row in act.encounter.models() if row.side != trooper.side and row.id != order.model
    ]
    if not enemies_nearby:
        return reply
    choices = tuple(Choice(row.name, f"#{row.id}") for row in enemies_nearby[:MAX_CHOICES])
    prompt = "Other models under the template"
    template_menu = Menu(prompt, shot, "under", choices, most=len(choices), anytime=True)
    return replace(reply, menus=(*reply.menus, template_menu))


def _store_choice(act: Act, order: Order, sides: list[int], action: React) -> str:
    """Store a choice from the menu and return its line. Raises InvalidInput, Forbidden."""
    encounter = act.encounter
    able_troopers = [trooper for side in sides for trooper in candidates(encounter, order, side)]
    chosen_trooper = next((reactor for reactor in able_troopers if reactor.id == action.model), None)
    if chosen_trooper is None:
        raise InvalidInput("Choose another trooper. That one can no longer react to this Order.")
    _require_controls(act, chosen_trooper)
    if action.choice == TOGGLE_COVER:
        return _toggle_enemy_cover(act, order, chosen_trooper)
    offered = list_choices(act, order, chosen_trooper.id)
    matching_options = [
        (label, option) for label, option in offered if choice_value(order, option) == action.choice
    ]
    if not matching_options:
        labels = ", ".join(label for label, _ in offered)
        raise Missing(f"Choose one of these for {chosen_trooper.current.name}: {labels}.")
    label, reaction = matching_options[0]
    check_window(act, order, chosen_trooper, reaction)
    _store_reaction(act, order, chosen_trooper, reaction)
    return f"{name_privately(encounter, chosen_trooper)}: {label}."


def _toggle_enemy_cover(act: Act, order: Order, trooper: Trooper) -> str:
    """Change whether the active trooper counts as being in cover against this trooper's ARO."""
    aro = reaction_of(act.encounter, trooper.id)
    if aro is None or aro.does not in COVER_MATTERS:
        raise Missing("First choose a shot or Discover. Cover only matters for these AROs.")
    _store_reaction(act, order, trooper, replace(aro, enemy_cover=not aro.enemy_cover))
    name = act.encounter.model(order.model).name
    return f"{name} now counts as being in {'the open' if aro.enemy_cover else 'cover'} against this ARO."


def _require_controls(act: Act, reactor: Trooper) -> None:
    """Raise InvalidInput unless the person plays the trooper or is its side's captain."""
    seat = act.seat
    is_captain = seat is not None and seat.role == "captain" and seat.side == reactor.side
    is_hidden = reactor.id < 0
    owner = (
        concealment.hidden_of(act.encounter, reactor.id).owner
        if is_hidden
        else act.encounter.model(reactor.id).owner_id
    )
    if not is_captain and owner != act.actor.user_id:
        raise InvalidInput(
            f"You can't choose an ARO for {reactor.current.name}. Another player controls that trooper."
        )


def _store_reaction(act: Act, order: Order, trooper: Trooper, reaction: Reaction) -> None:
    earlier_reaction = reaction_of(act.encounter, trooper.id)
    was_held = earlier_reaction is not None and (
        earlier_reaction.held or (earlier_reaction.shown and earlier_reaction.does == WAIT)
    )
    stored_reaction = replace(reaction, model=trooper.id, window=order.window, held=was_held, shown=False)
    store_reaction(act.encounter, stored_reaction, trooper.side, act.actor.user_id)


@handles(Aro)
def aro(act: Act, action: Aro) -> Reply:
    """Declare an ARO with all its details in the open window, also for a hidden trooper."""
    encounter = act.encounter
    order = _require_open_window(act)
    _check_not_overridden(act)
    trooper = action.model
    check_may_react(act, order, trooper)
    for row in action.markers:
        require_marker(encounter, trooper, row)
    reaction = _build_reaction(order, action)
    _check_under_template(act, order, action, reaction)
    check_window(act, order, trooper, reaction)
    check_reaction(encounter, order, reaction, settings_for(act))
    _store_reaction(act, order, trooper, reaction)
    reaction_text = f"{reaction.does} ({reaction.weapon})" if reaction.weapon else reaction.does
    line = f"{name_privately(encounter, trooper)}: {reaction_text}."
    sides = asked_sides_of(encounter, order, act.actor.user_id)
    return _build_menu(act, order, sides, trooper.id, line, answered_model=trooper.id).minor()


def _check_under_template(act: Act, order: Order, action: Aro, reaction: Reaction) -> None:
    """Raise InvalidInput or Forbidden for who cannot be under the template of an ARO. Rules: INF-BS-08."""
    if not action.under:
        return
    if not action.model.current.weapon(reaction.weapon).template:
        raise InvalidInput(
            f'Leave "Other models under the template" blank. {reaction.weapon} has no template.'
        )
    for row in action.under:
        if row.id == order.model:
            raise Missing(
                f'Leave {row.name} out of "Other models under the template".'
                f" {row.name} is already the target."
            )
        if row.side == action.model.side:
            sentence = f"Place the template so that it touches no ally. {row.name} is on your side."
            raise Forbidden(sentence, "INF-BS-08")


def _check_not_overridden(act: Act) -> None:
    """Refuse an organiser's reason, because no one may react for another player. Raises InvalidInput."""
    if act.overrides:
        raise InvalidInput("You can't override an ARO. Only the trooper's own player can choose it.")


WEAPON_KINDS = {"shoot": is_shooting, "hack": is_program, "fight": is_melee}
"""The weapons that fit each reaction that uses one."""


FIELD_USES: tuple[tuple[str, Callable[[Aro], bool], frozenset[str]], ...] = (
    ("A weapon", lambda aro: aro.weapon is not None, frozenset(WEAPON_KINDS)),
    ("Martial Arts", lambda aro: aro.martial_arts >= 0, frozenset({"fight"})),
    ("Berserk", lambda aro: aro.berserk, frozenset({"fight"})),
    ("An ally's alert", lambda aro: aro.alerted, frozenset({"change facing"})),
    ("A MOD", lambda aro: bool(aro.mod), SEARCHES),
    ("A list of other models under the template", lambda aro: bool(aro.under), frozenset({"shoot"})),
    ("A list of Markers", lambda aro: bool(aro.markers), frozenset({SENSOR})),
    (
        "Terrain",
        lambda aro: aro.ground is not Ground.OPEN or bool(aro.terrain.strip()),
        frozenset({"dodge", "engage"}),
    ),
)
"""Fields of an ARO, how to see whether they are set, and the reactions for which they mean anything."""


def _check_fields(order: Order, action: Aro) -> None:
    """Raise InvalidInput for fields that were filled in and would have no effect."""
    for field_name, is_entered, skills in FIELD_USES:
        if is_entered(action) and action.does not in skills:
            *other_skills, last_skill = (skill.title() for skill in sorted(skills))
            skills_text = f"{', '.join(other_skills)} or {last_skill}" if other_skills else last_skill
            raise InvalidInput(
                f"{field_name} only matters for {skills_text}. Leave the field blank, or choose another ARO."
            )
    target_mark = order.mark(action.model.id)
    if target_mark is None:
        return
    wrong_distance = action.distance >= 0 and action.distance != target_mark.inches and order.skill != "fight"
    declared_reaction = default_reaction(order, target_mark)
    if (
        wrong_distance
        or (action.cover and not declared_reaction.cover)
        or (action.unseen and not declared_reaction.unseen)
    ):
        terms = [f"{target_mark.inches:g} in away", "in cover" if declared_reaction.cover else "in the open"]
        terms += ["without line of fire to the attacker"] if declared_reaction.unseen else []
        raise InvalidInput(
            f"The attack was declared with {action.model.current.name} {', '.join(terms)}. "
            "Leave the distance, cover and line of fire blank, or ask the attacker to declare it again."
        )


def _build_reaction(order: Order, action: Aro) -> Reaction:
    _check_fields(order, action)
    trooper, weapon, level = action.model, "", 0
    if action.does in WEAPON_KINDS:
        weapon = (action.weapon or require_weapon(trooper, WEAPON_KINDS[action.does], action.does)).name
    if action.does == "fight":
        level = best_level(trooper) if action.martial_arts < 0 else action.martial_arts
    target_mark = order.mark(trooper.id)
    if target_mark is not None:
        declared_reaction = default_reaction(order, target_mark, action.does, weapon)
        base_reaction = replace(
            declared_reaction, enemy_cover=declared_reaction.enemy_cover or action.enemy_cover
        )
    else:
        inches = _read_distance(action, weapon)
        base_reaction = Reaction(
            trooper.id, action.does, weapon, inches, action.cover, action.enemy_cover, action.unseen
        )
    ground = effective_ground(trooper.current, action.ground, action.terrain)
    return replace(
        base_reaction,
        martial_arts=level,
        berserk=action.berserk,
        ground=int(ground),
        alerted=action.alerted,
        mod=action.mod,
        area=tuple(row.id for row in action.markers),
        under=tuple(sorted({row.id for row in action.under})),
    )


def _read_distance(action: Aro, weapon: str) -> float:
    """Return the active trooper's distance. Raises InvalidInput if it matters and no one entered it."""
    if action.distance >= 0:
        return action.distance
    trooper = action.model
    if action.does == "shoot" and trooper.current.weapon(weapon).bands:
        raise Missing(
            f"How far is the active trooper from {trooper.current.name}? Enter the distance in inches."
        )
    if action.does == "engage":
        return ENGAGE_INCHES
    is_unmeasured = action.unseen or action.does in ("change facing", "hack", "reset", SENSOR, WAIT)
    return ZONE_INCHES if is_unmeasured else 0.0
