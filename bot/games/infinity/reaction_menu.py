"""Asking for reactions: the public question, and the private menu of those who may react.

The question names who is asked and how long, and is the same whatever hides. A side's choices are opened by
its button, only for that side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.infinity import concealment, troops
from bot.games.infinity.chances import reaction_note
from bot.games.infinity.duels import default_reaction, list_options
from bot.games.infinity.fields import Exposed, measure_exposure, under_template
from bot.games.infinity.order_rows import (
    COVER_MATTERS,
    DISCOVER,
    NOTHING,
    ORDER,
    SECOND_WINDOW,
    WAIT,
    Order,
    Reaction,
    reaction_of,
    signature_field,
)
from bot.games.infinity.reaction_windows import candidates, is_full
from bot.games.infinity.settings import LATE_REACTION
from bot.games.infinity.troops import settings_for
from bot.replies.reply import Button, Choice, Menu, Next, Reply, Style
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.board.surface import board_of
from bot.table.encounter import Encounter, EncounterView
from bot.table.game import time_to_react
from bot.table.journal.history import UNDO
from bot.table.owners import in_play
from bot.table.waits import players_of
from rules.systems.infinity.trooper import Trooper
from rules.wording import join_with_and

KEEP, TIME = "keep", "time"
"""Words apart from `NOTHING` that close an open window: no one else can react yet; time is up."""

TOGGLE_COVER = "cover"
"""The choice that changes whether the active trooper is in cover from the reacting one."""


@dataclass(frozen=True, slots=True)
class React(Action):
    """Choose a reaction. order: the entry that asks for it. choice: the Skill, the weapon, the inches if
    no one measured, as shoot:Combi Rifle:16. Without a choice, the menu is shown only to the person.
    """

    command = "inf.react"
    secret = True
    answers = frozenset({ORDER})
    decision_of = in_play("each side that can react")

    order: int = 0
    model: int = 0
    choice: str = ""


@dataclass(frozen=True, slots=True)
class Resolve(Action):
    """Finish your Order, or finish choosing AROs.

    By the side whose Order it is: no further Skill, it is resolved. By who is asked: no
    further ARO. order: the entry that opened the last window, 0 for whatever is under way.

    rest: nothing, the others let it pass; keep, they could not react yet; time, their time is over.
    declared, choices: what was resolved, written down so that a repeat can be told from something else.
    """

    command = "inf.resolve"
    typed = "inf done"
    decision_of = in_play("the side whose Order it is, and each side that can react")

    order: int = 0
    rest: str = fields.mark("Your other troopers haven't been able to react yet", KEEP, called="keep")
    declared: str = signature_field()
    choices: str = signature_field()

    @property
    def for_all(self) -> bool:
        return self.rest == TIME


def asked_sides_of(encounter: EncounterView, order: Order, user_id: int) -> list[int]:
    """Return the sides that are waited for and that this person plays."""
    return [side for side in order.waits if concealment.may_see_secrets(encounter, user_id, side)]


# ------------------------------------------------------------------------------------ in public


def window_buttons(order: Order) -> tuple[Button, ...]:
    """Return the buttons of an open window, for those asked."""
    keep_button = Button("Nobody can react yet", Resolve(order.entry, KEEP), anytime=True)
    return (
        Button("React", React(order.entry), "main", anytime=True),
        Button("Nobody reacts", Resolve(order.entry, NOTHING), anytime=True),
        *([] if is_full(order) else [keep_button]),
        UNDO,
    )


def ask(act: Act, order: Order, lines: Sequence[str]) -> Reply:
    """Return the public question: who is asked, how long, and what silence means; always the same."""
    encounter = act.encounter
    players = players_of(encounter, order.waits)
    texts = [*lines, Next(f"{players}: choose your AROs ({time_to_react(encounter)}).")]
    if order.window == SECOND_WINDOW:
        texts.append(
            "Only troopers that delayed their ARO, or couldn't react to the first Skill, can react now."
        )
    target_ids = (*(mark.model for mark in order.marks), *order.under)
    if any(encounter.model(number).side in order.waits for number in target_ids):
        late_text = LATE_REACTION.says(LATE_REACTION.of(encounter))
        texts.append(f"If no one reacts in time, {late_text[0].lower()}{late_text[1:]}")
    return Reply(tuple(texts), buttons=window_buttons(order))


def offer_second_skill(act: Act, order: Order, lines: Sequence[str]) -> Reply:
    """Offer another Skill, or done, once the AROs to the first Skill are known."""
    players = players_of(act.encounter, [order.side])
    texts = (*lines, Next(f"{players}: declare a second Skill, or press Done."))
    return Reply(texts, buttons=(done_button(order), UNDO))


def done_button(order: Order) -> Button:
    """Return the button that ends an Order. It is lit after an attack: a second Skill seldom follows that."""
    return Button("Done", Resolve(order.entry), "main" if order.marks else "plain", anytime=True)


# ------------------------------------------------------------------------------------ in private


def blank_reaction(encounter: Encounter, order: Order, trooper_id: int) -> Reaction:
    """Return a trooper's reaction before it is chosen: by the attack, or as declared when it waited."""
    mark = order.mark(trooper_id)
    if mark is not None:
        return default_reaction(order, mark)
    aro, exposure = reaction_of(encounter, trooper_id), _measure_exposure(encounter, order, trooper_id)
    if exposure is not None:
        own_cover, enemy_cover = bool(exposure.cover), bool(exposure.enemy_cover)
        return Reaction(trooper_id, NOTHING, "", exposure.inches, own_cover, enemy_cover, exposure.unseen)
    if aro is None or not aro.shown:
        return Reaction(trooper_id, NOTHING)
    return Reaction(trooper_id, NOTHING, inches=aro.inches if aro.unseen else 0.0, unseen=aro.unseen)


def _measure_exposure(encounter: Encounter, order: Order, trooper_id: int) -> Exposed | None:
    """Return how the active trooper lies to one that isn't its target; None if it is unknown."""
    is_measured = order.mark(trooper_id) is None and board_of(encounter) is not None
    return (
        measure_exposure(encounter, troops.by_id(encounter, trooper_id), order.model) if is_measured else None
    )


def choice_value(order: Order, reaction: Reaction) -> str:
    """Return a reaction as the menu's value."""
    parts = [reaction.does, reaction.weapon]
    if order.mark(reaction.model) is None and reaction.inches:
        parts.append(f"{reaction.inches:g}")
    if reaction.unseen and reaction.does in (WAIT, "dodge") and order.mark(reaction.model) is None:
        parts.append("unseen")
    if reaction.does == DISCOVER:
        parts.append(f"{reaction.mod:+d}")
    return ":".join((*parts, "berserk") if reaction.berserk else parts)


def list_choices(act: Act, order: Order, trooper_id: int) -> list[tuple[str, Reaction]]:
    """Return what a trooper may choose from, with the words for it; cover that was told stays told."""
    blank = blank_reaction(act.encounter, order, trooper_id)
    is_measured = _measure_exposure(act.encounter, order, trooper_id) is not None
    choices = list_options(act.encounter, order, blank, settings_for(act), measured=is_measured)
    choices = [
        (label, aimed)
        for label, option in choices
        if (aimed := _add_template_targets(act.encounter, order, option))
    ]
    reaction = reaction_of(act.encounter, trooper_id)
    if reaction is None or reaction.shown or not reaction.enemy_cover or order.mark(trooper_id) is not None:
        return choices
    return [
        (label, replace(aro, enemy_cover=True) if aro.does in COVER_MATTERS else aro)
        for label, aro in choices
    ]


def _add_template_targets(encounter: Encounter, order: Order, reaction: Reaction) -> Reaction | None:
    """Return a reaction with all that the board shows under its template; None if a friend is there."""
    trooper = troops.by_id(encounter, reaction.model)
    weapon = trooper.current.weapon(reaction.weapon) if reaction.weapon else None
    models_under = under_template(encounter, trooper, weapon, order.model)
    if models_under is None:
        return reaction
    is_clear = all(row.side != trooper.side for row in models_under.value)
    return replace(reaction, under=tuple(sorted(row.id for row in models_under.value))) if is_clear else None


def name_privately(encounter: Encounter, trooper: Trooper) -> str:
    """Name a trooper for its own side: a Marker by its trooper, a hidden trooper as hidden."""
    if trooper.id < 0:
        return f"{trooper.profile.name} (hidden)"
    public_name = encounter.model(trooper.id).name
    return (
        f"{trooper.profile.name} ({public_name})"
        if concealment.is_marker(encounter, trooper.id)
        else public_name
    )


def _describe_chosen_aro(act: Act, order: Order, trooper_id: int) -> str:
    chosen_aro = reaction_of(act.encounter, trooper_id)
    if chosen_aro is None or chosen_aro.shown:
        return ""
    value = choice_value(order, replace(chosen_aro, enemy_cover=False))
    labels = {choice_value(order, option): label for label, option in list_choices(act, order, trooper_id)}
    text = labels.get(value, "")
    text = text or ", ".join(
        part for part in (chosen_aro.does, chosen_aro.weapon, f"{chosen_aro.inches:g} in") if part
    )
    active_name = act.encounter.model(order.model).name
    return (
        f"{text}, {active_name} in cover"
        if chosen_aro.enemy_cover and order.mark(trooper_id) is None
        else text
    )


def private_menu(
    act: Act, order: Order, sides: Sequence[int], selected_id: int, line: str, *, answered_model: int = 0
) -> Reply:
    """Return one side's private menu: troopers that may react, what the selected one may do, what is chosen.

    line: what was just done; answered_model: the trooper whose choice it tells.
    """
    encounter = act.encounter
    candidate_troopers = [trooper for side in sides for trooper in candidates(encounter, order, side)]
    exposures = {
        trooper.id: _measure_exposure(encounter, order, trooper.id) for trooper in candidate_troopers
    }
    able_troopers = [
        trooper
        for trooper in candidate_troopers
        if order.affects(trooper.id) or (exposure := exposures[trooper.id]) is None or exposure.reacts
    ]
    targets = [trooper.id for trooper in able_troopers if order.affects(trooper.id)]
    choices = {trooper.id: _describe_chosen_aro(act, order, trooper.id) for trooper in able_troopers}
    selected_id = _choose_next_selected(selected_id, targets, choices, answered_model=answered_model)
    names = {trooper.id: name_privately(encounter, trooper) for trooper in able_troopers}
    other_choices = {
        trooper_id: aro_text
        for trooper_id, aro_text in choices.items()
        if aro_text and trooper_id != answered_model
    }
    lines = [line, *(f"{names[trooper_id]}: {aro_text}." for trooper_id, aro_text in other_choices.items())]
    lines += (
        [
            _describe_unable_troopers(
                encounter,
                [
                    unable_trooper
                    for unable_trooper in candidate_troopers
                    if unable_trooper not in able_troopers
                ],
            )
        ]
        if able_troopers != candidate_troopers
        else []
    )
    lines += _build_hints(
        order, able_troopers, are_measured=any(exposures[trooper.id] for trooper in able_troopers)
    )
    notes = {
        trooper.id: _choice_note(exposures[trooper.id], is_target=trooper.id in targets)
        for trooper in able_troopers
    }
    entries = tuple(
        Choice(names[trooper.id], str(trooper.id), choices[trooper.id] or notes[trooper.id])
        for trooper in able_troopers
    )
    menus = [Menu("Choose a trooper", React(order.entry), "model", entries, anytime=True)] if entries else []
    if selected_id in choices:
        aro_choices = list_choices(act, order, selected_id)
        options = tuple(
            Choice(label, choice_value(order, aro), reaction_note(act, order, aro))
            for label, aro in aro_choices
        )
        prompt = f"Choose an ARO for {names[selected_id]}"
        menus.insert(0, Menu(prompt, React(order.entry, selected_id), "choice", options, anytime=True))
    has_unanswered_targets = any(not choices[trooper_id] for trooper_id in targets)
    is_done = not has_unanswered_targets and (any(choices.values()) or not able_troopers)
    buttons = _private_buttons(encounter, order, selected_id, any(choices.values()), is_highlighted=is_done)
    return Reply(tuple(lines), private=True, buttons=buttons, menus=tuple(menus), replaces=True)


def _choice_note(exposure: Exposed | None, *, is_target: bool) -> str:
    return "target" if is_target else exposure.words if exposure is not None else ""


def _describe_unable_troopers(encounter: Encounter, unable_troopers: Sequence[Trooper]) -> str:
    names = join_with_and([name_privately(encounter, trooper) for trooper in unable_troopers])
    return f"According to the board, {names} can't react. If that is wrong, use /inf aro."


def _choose_next_selected(
    selected_id: int, targets: list[int], choices: dict[int, str], *, answered_model: int
) -> int:
    unanswered_targets = [number for number in targets if not choices[number]]
    if selected_id and not (answered_model in targets and unanswered_targets):
        return selected_id
    if len(choices) == 1:
        return next(iter(choices))
    return unanswered_targets[0] if unanswered_targets else selected_id


def _build_hints(order: Order, able_troopers: Sequence[Trooper], *, are_measured: bool) -> list[str]:
    if not able_troopers:
        return ["None of your troopers can react now."]
    if order.window == SECOND_WINDOW:
        return [
            "Only troopers that delayed their ARO, or couldn't react to the first Skill, can react now.",
            "Only you can see this.",
        ]
    return [
        "A trooper must react now or not at all."
        if are_measured
        else "A trooper that has line of fire, or is within 8 in, must react now or not at all.",
        "Only you can see this.",
    ]


def _private_buttons(
    encounter: Encounter, order: Order, selected_id: int, has_choices: bool, *, is_highlighted: bool
) -> tuple[Button, ...]:
    """That is all, in the words that fit; whether the active trooper is in cover from who shoots.

    lit: this is the likely answer.
    """
    subject = "Nobody else" if has_choices else "Nobody"
    style: Style = "main" if is_highlighted else "plain"
    buttons = [Button(f"{subject} reacts", Resolve(order.entry, NOTHING), style, anytime=True)]
    if not is_full(order):
        buttons.append(Button(f"{subject} can react yet", Resolve(order.entry, KEEP), anytime=True))
    reaction = reaction_of(encounter, selected_id) if selected_id else None
    is_set_by_hand = order.mark(selected_id) is None and not (
        selected_id and _measure_exposure(encounter, order, selected_id)
    )
    if reaction is not None and reaction.does in COVER_MATTERS and is_set_by_hand and not reaction.shown:
        name = encounter.model(order.model).name
        label = f"Mark {name} as in the open" if reaction.enemy_cover else f"Mark {name} as in cover"
        buttons.append(Button(label[:40], React(order.entry, selected_id, TOGGLE_COVER), anytime=True))
    return tuple(buttons)
