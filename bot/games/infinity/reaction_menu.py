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
from bot.games.infinity.duels import default_reaction, options
from bot.games.infinity.fields import Exposed, exposed, under_template
from bot.games.infinity.order_rows import (
    COVER_TOLD,
    DISCOVER,
    NOTHING,
    ORDER,
    SECOND,
    WAIT,
    Order,
    Reaction,
    reaction_of,
    signed,
)
from bot.games.infinity.reaction_windows import candidates, is_full
from bot.games.infinity.settings import LATE
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
from rules.wording import together

KEEP, TIME = "keep", "time"
"""Words apart from `NOTHING` that close an open window: no one else can react yet; time is up."""

COVERED = "cover"
"""A choice that turns round whether the active trooper is in cover from who shoots at it."""


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
    declared: str = signed()
    choices: str = signed()

    @property
    def for_all(self) -> bool:
        """Return whether it says that the time is up, as anyone sees."""
        return self.rest == TIME


def asked_of(encounter: EncounterView, order: Order, user_id: int) -> list[int]:
    """Return the sides that are waited for and that this person plays."""
    return [side for side in order.waits if concealment.sees(encounter, user_id, side)]


# ------------------------------------------------------------------------------------ in public


def window_buttons(order: Order) -> tuple[Button, ...]:
    """Return the buttons of an open window, for those asked."""
    keep = Button("Nobody can react yet", Resolve(order.entry, KEEP), anytime=True)
    return (
        Button("React", React(order.entry), "main", anytime=True),
        Button("Nobody reacts", Resolve(order.entry, NOTHING), anytime=True),
        *([] if is_full(order) else [keep]),
        UNDO,
    )


def ask(act: Act, order: Order, lines: Sequence[str]) -> Reply:
    """Return the public question: who is asked, how long, and what silence means; always the same."""
    encounter = act.encounter
    players = players_of(encounter, order.waits)
    texts = [*lines, Next(f"{players}: choose your AROs ({time_to_react(encounter)}).")]
    if order.window == SECOND:
        texts.append(
            "Only troopers that delayed their ARO, or couldn't react to the first Skill, can react now."
        )
    affected = (*(mark.model for mark in order.marks), *order.under)
    if any(encounter.model(number).side in order.waits for number in affected):
        late_words = LATE.says(LATE.of(encounter))
        texts.append(f"If no one reacts in time, {late_words[0].lower()}{late_words[1:]}")
    return Reply(tuple(texts), buttons=window_buttons(order))


def go_on(act: Act, order: Order, lines: Sequence[str]) -> Reply:
    """Offer another Skill, or done, once the AROs to the first Skill are known."""
    players = players_of(act.encounter, [order.side])
    texts = (*lines, Next(f"{players}: declare a second Skill, or press Done."))
    return Reply(texts, buttons=(done_button(order), UNDO))


def done_button(order: Order) -> Button:
    """Return the button that ends an Order. It is lit after an attack: a second Skill seldom follows that."""
    return Button("Done", Resolve(order.entry), "main" if order.marks else "plain", anytime=True)


# ------------------------------------------------------------------------------------ in private


def blank_of(encounter: Encounter, order: Order, number: int) -> Reaction:
    """Return a trooper's reaction before it is chosen: by the attack, or as declared when it waited."""
    mark = order.mark(number)
    if mark is not None:
        return default_reaction(order, mark)
    aro, lies = reaction_of(encounter, number), _lies(encounter, order, number)
    if lies is not None:
        own_cover, enemy_cover = bool(lies.cover), bool(lies.enemy_cover)
        return Reaction(number, NOTHING, "", lies.inches, own_cover, enemy_cover, lies.unseen)
    if aro is None or not aro.shown:
        return Reaction(number, NOTHING)
    return Reaction(number, NOTHING, inches=aro.inches if aro.unseen else 0.0, unseen=aro.unseen)


def _lies(encounter: Encounter, order: Order, number: int) -> Exposed | None:
    """Return how the active trooper lies to one that isn't its target; None if it is unknown."""
    measured = not order.affects(number) and board_of(encounter) is not None
    return exposed(encounter, troops.by_id(encounter, number), order.model) if measured else None


def choice_word(order: Order, reaction: Reaction) -> str:
    """Return a reaction as the menu's value."""
    words = [reaction.does, reaction.weapon]
    if order.mark(reaction.model) is None and reaction.inches:
        words.append(f"{reaction.inches:g}")
    if reaction.unseen and reaction.does in (WAIT, "dodge") and order.mark(reaction.model) is None:
        words.append("unseen")
    if reaction.does == DISCOVER:
        words.append(f"{reaction.mod:+d}")
    return ":".join((*words, "berserk") if reaction.berserk else words)


def choices_of(act: Act, order: Order, number: int) -> list[tuple[str, Reaction]]:
    """Return what a trooper may choose from, with the words for it; cover that was told stays told."""
    blank, measured = blank_of(act.encounter, order, number), _lies(act.encounter, order, number) is not None
    offered = options(act.encounter, order, blank, settings_for(act), measured=measured)
    offered = [(label, aimed) for label, option in offered if (aimed := _aimed(act.encounter, order, option))]
    reaction = reaction_of(act.encounter, number)
    if reaction is None or reaction.shown or not reaction.enemy_cover or order.mark(number) is not None:
        return offered
    return [
        (label, replace(aro, enemy_cover=True) if aro.does in COVER_TOLD else aro) for label, aro in offered
    ]


def _aimed(encounter: Encounter, order: Order, reaction: Reaction) -> Reaction | None:
    """Return a reaction with all that the board shows under its template; None if a friend is there."""
    trooper = troops.by_id(encounter, reaction.model)
    weapon = trooper.current.weapon(reaction.weapon) if reaction.weapon else None
    covered = under_template(encounter, trooper, weapon, order.model)
    if covered is None:
        return reaction
    is_clear = all(row.side != trooper.side for row in covered.value)
    return replace(reaction, under=tuple(sorted(row.id for row in covered.value))) if is_clear else None


def named_privately(encounter: Encounter, trooper: Trooper) -> str:
    """Return a trooper for its own side: a Marker with who stands behind it, who is hidden as such."""
    if trooper.id < 0:
        return f"{trooper.profile.name} (hidden)"
    on_table = encounter.model(trooper.id).name
    return (
        f"{trooper.profile.name} ({on_table})" if concealment.is_marker(encounter, trooper.id) else on_table
    )


def _chosen_word(act: Act, order: Order, number: int) -> str:
    aro = reaction_of(act.encounter, number)
    if aro is None or aro.shown:
        return ""
    word = choice_word(order, replace(aro, enemy_cover=False))
    offered = {choice_word(order, option): label for label, option in choices_of(act, order, number)}
    text = offered.get(word, "")
    text = text or ", ".join(part for part in (aro.does, aro.weapon, f"{aro.inches:g} in") if part)
    active = act.encounter.model(order.model).name
    return f"{text}, {active} in cover" if aro.enemy_cover and order.mark(number) is None else text


def private_menu(
    act: Act, order: Order, sides: Sequence[int], selected: int, line: str, *, told_model: int = 0
) -> Reply:
    """Return one side's private menu: troopers that may react, what the selected one may do, what is chosen.

    line: what was just done; told_model: the trooper whose choice it tells.
    """
    encounter = act.encounter
    present = [trooper for side in sides for trooper in candidates(encounter, order, side)]
    lying = {trooper.id: _lies(encounter, order, trooper.id) for trooper in present}
    able = [trooper for trooper in present if (lies := lying[trooper.id]) is None or lies.reacts]
    targets = [trooper.id for trooper in able if order.affects(trooper.id)]
    choices = {trooper.id: _chosen_word(act, order, trooper.id) for trooper in able}
    selected = _next_selected(selected, targets, choices, told_model=told_model)
    names = {trooper.id: named_privately(encounter, trooper) for trooper in able}
    others = {number: word for number, word in choices.items() if word and number != told_model}
    lines = [line, *(f"{names[number]}: {word}." for number, word in others.items())]
    lines += (
        [_left_out(encounter, [troop for troop in present if troop not in able])] if able != present else []
    )
    lines += _hints(order, able, measured=any(lying[trooper.id] for trooper in able))
    notes = {trooper.id: _note(lying[trooper.id], is_target=trooper.id in targets) for trooper in able}
    entries = tuple(
        Choice(names[trooper.id], str(trooper.id), choices[trooper.id] or notes[trooper.id])
        for trooper in able
    )
    menus = [Menu("Choose a trooper", React(order.entry), "model", entries, anytime=True)] if entries else []
    if selected in choices:
        offered = choices_of(act, order, selected)
        options = tuple(
            Choice(label, choice_word(order, aro), reaction_note(act, order, aro)) for label, aro in offered
        )
        prompt = f"Choose an ARO for {names[selected]}"
        menus.insert(0, Menu(prompt, React(order.entry, selected), "choice", options, anytime=True))
    owing = any(not choices[number] for number in targets)
    is_done = not owing and (any(choices.values()) or not able)
    buttons = _private_buttons(encounter, order, selected, any(choices.values()), lit=is_done)
    return Reply(tuple(lines), private=True, buttons=buttons, menus=tuple(menus), replaces=True)


def _note(lies: Exposed | None, *, is_target: bool) -> str:
    return "target" if is_target else lies.words if lies is not None else ""


def _left_out(encounter: Encounter, blind: Sequence[Trooper]) -> str:
    names = together([named_privately(encounter, trooper) for trooper in blind])
    return f"According to the board, {names} can't react. If that is wrong, use /inf aro."


def _next_selected(selected: int, targets: list[int], choices: dict[int, str], *, told_model: int) -> int:
    unanswered = [number for number in targets if not choices[number]]
    if selected and not (told_model in targets and unanswered):
        return selected
    if len(choices) == 1:
        return next(iter(choices))
    return unanswered[0] if unanswered else selected


def _hints(order: Order, able: Sequence[Trooper], *, measured: bool) -> list[str]:
    if not able:
        return ["None of your troopers can react now."]
    if order.window == SECOND:
        return [
            "Only troopers that delayed their ARO, or couldn't react to the first Skill, can react now.",
            "Only you can see this.",
        ]
    return [
        "A trooper must react now or not at all."
        if measured
        else "A trooper that has line of fire, or is within 8 in, must react now or not at all.",
        "Only you can see this.",
    ]


def _private_buttons(
    encounter: Encounter, order: Order, selected: int, any_chosen: bool, *, lit: bool
) -> tuple[Button, ...]:
    """That is all, in the words that fit; whether the active trooper is in cover from who shoots.

    lit: this is the likely answer.
    """
    nobody = "Nobody else" if any_chosen else "Nobody"
    style: Style = "main" if lit else "plain"
    buttons = [Button(f"{nobody} reacts", Resolve(order.entry, NOTHING), style, anytime=True)]
    if not is_full(order):
        buttons.append(Button(f"{nobody} can react yet", Resolve(order.entry, KEEP), anytime=True))
    reaction = reaction_of(encounter, selected) if selected else None
    by_hand = order.mark(selected) is None and not (selected and _lies(encounter, order, selected))
    if reaction is not None and reaction.does in COVER_TOLD and by_hand and not reaction.shown:
        name = encounter.model(order.model).name
        label = f"Mark {name} as in the open" if reaction.enemy_cover else f"Mark {name} as in cover"
        buttons.append(Button(label[:40], React(order.entry, selected, COVERED), anytime=True))
    return tuple(buttons)
