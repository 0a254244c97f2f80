"""Everything that the acting player may do and the game waits for, as buttons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice

from bot.actions import ACTIONS, Action, done_by, part_of_doer, parts
from bot.replies.fit import MAX_IN_ROW, MAX_ROWS
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.store.rows import ModelRow
from bot.table.act import Act, Actor
from bot.table.asking.descriptions import described
from bot.table.asking.kinds import Listed, Text
from bot.table.asking.table_kinds import labelled
from bot.table.encounter import ENDED, Encounter
from bot.table.game import concealed_from, game_of, is_wanted
from bot.table.handlers import HANDLERS, Place, handles
from bot.table.journal.consent import build_answer_buttons
from bot.table.journal.disputes import describe_open_question
from bot.table.journal_actions import SPECIAL
from bot.table.offers.forms import find_doer_field, open_parts, title_of
from bot.table.offers.legal_actions import Legal, Looking
from bot.table.owners import ANYONE
from bot.table.reaction_windows import waits, window_buttons, without_waiting
from bot.table.realdice import typing_buttons
from bot.table.session.encounters import build_end_buttons, make_next_game_button
from bot.table.session.joining import MAX_PANEL_REQUESTS, build_panel_requests, list_requests, may_admit
from bot.table.waits import asked_back, first_line, second_line
from rules.refusals import InvalidInput


@dataclass(frozen=True, slots=True)
class Since(Action):
    """See what has happened since your last action (visible only to you)."""

    command = "since"
    typed = "since"
    decision_of = ANYONE


SINCE_BUTTON = Button("What happened", Since(), anytime=True)


COMMANDS_BESIDE_DICE = frozenset({"undo", "log"})
"""Commands whose buttons stay while real dice are waited for: nothing else goes on before they are in."""

MAX_LIKELY_BUTTONS = 8
"""The largest number of buttons for the acting model; one more leads to the rest."""


@dataclass(frozen=True, slots=True)
class WhatNow(Action):
    """Show everything that can be done now, as buttons.

    model: by this model; the game itself if none is named. what: the command of an action that was chosen.
    """

    command = "now"
    decision_of = ANYONE

    model: str = ""
    what: str = ""


@dataclass(frozen=True, slots=True)
class WhyNot(Action):
    """Show everything that can't be done now, each with the reason.

    model: by this model; by the game itself if none is named.
    """

    command = "now.not"
    decision_of = ANYONE

    model: str = ""


@dataclass(frozen=True, slots=True)
class PossibleAction:
    """Something that might be done, and whether it may be now."""

    kind: type[Action]
    legal: Legal

    @property
    def label(self) -> str:
        """Return what it is called where it is pressed."""
        return title_of(self.kind)


# ------------------------------------------------------------------------------------ the panel


def add_action_buttons(encounter: Encounter, panel: Reply, last_entry: int = 0) -> Reply:
    """Return the panel with the acting model's actions, or with the models that may act.

    Answers to requests to undo, to join or for a ruling come first. While an answer is owed, later actions
    are left out. last_entry: the entry by which the game last went on.
    """
    if encounter.row.status == ENDED:
        return replace(panel, buttons=(*panel.buttons, make_next_game_button(encounter)))
    panel = replace(panel, buttons=without_waiting(encounter, panel.buttons))
    undo_request = asked_back(encounter, last_entry)
    (join_lines, join_buttons), (question_lines, ruling_buttons) = (
        build_panel_requests(encounter),
        describe_open_question(encounter),
    )
    answer_buttons = (
        *(build_answer_buttons(undo_request) if undo_request is not None else ()),
        *join_buttons,
        *ruling_buttons,
        *window_buttons(encounter),
    )
    acting_models, typed_buttons = list_acting(encounter), typing_buttons(encounter.book)
    model = acting_models[0] if len(acting_models) == 1 else None
    room = max(0, _count_room(panel) - len(answer_buttons) - 1)
    is_owed = _is_answer_owed(encounter)
    likely_buttons = (
        _likely_buttons(encounter, model)[:room] if model and not typed_buttons and not is_owed else []
    )
    urgent_buttons = _list_urgent(panel, is_owed=is_owed)
    if likely_buttons and not any(button.style == "main" for button in (*answer_buttons, *panel.buttons)):
        likely_buttons[0] = replace(likely_buttons[0], style="main")
    kept_buttons = [
        button
        for button in panel.buttons
        if not typed_buttons or button.action.command in COMMANDS_BESIDE_DICE
    ]
    other_buttons = [button for button in kept_buttons if button not in urgent_buttons]
    more_button = Button("More...", WhatNow(f"#{model.id}" if model else ""), anytime=True)
    last_buttons = (more_button, *other_buttons) if model else (*other_buttons, more_button)
    return replace(
        panel,
        lines=(*join_lines, *question_lines, *panel.lines),
        buttons=(*answer_buttons, *typed_buttons, *urgent_buttons, *likely_buttons, *last_buttons),
        menus=()
        if typed_buttons
        else panel.menus or (_build_who_menu(encounter, acting_models) if not urgent_buttons else ()),
    )


def _is_answer_owed(encounter: Encounter) -> bool:
    """Return whether an answer is owed before anything else goes on."""
    wait = waits(encounter)
    return wait is not None and wait.owed


def _list_urgent(panel: Reply, *, is_owed: bool) -> list[Button]:
    return [button for button in panel.buttons if is_owed and button.style == "main"]


def _build_who_menu(encounter: Encounter, models: Sequence[ModelRow]) -> tuple[Menu, ...]:
    """Return the menu of the models that may act next, if there are several."""
    if len(models) < 2:
        return ()
    choices = tuple(Choice(label, f"#{model.id}") for label, model in labelled(encounter, models))
    return (Menu("Who acts?", WhatNow(), "model", choices, anytime=True, named=True),)


def _count_room(panel: Reply) -> int:
    return (MAX_ROWS - len(panel.menus)) * MAX_IN_ROW - len(panel.buttons)


def _likely_buttons(encounter: Encounter, model: ModelRow) -> list[Button]:
    row = encounter.row
    captain = encounter.captain(model.side)
    player = model.owner_id or (captain.user_id if captain else 0)
    seat = encounter.seat_of(player)
    name = seat.name if seat is not None else ""
    looking = Looking(encounter.book, Actor(player, name, row.guild_id, row.channel_id))
    possibilities = (
        _check_action(looking, ACTIONS[command], f"#{model.id}") for command in game_of(encounter).likely
    )
    wanted_buttons = (_make_button(possible) for possible in possibilities if _is_wanted(encounter, possible))
    return [*islice(wanted_buttons, MAX_LIKELY_BUTTONS)]


def _is_wanted(encounter: Encounter, possible: PossibleAction) -> bool:
    """Return whether something may be done, and is what a player may want now."""
    return not possible.legal.reason and is_wanted(encounter, possible.legal.action)


def list_likely_commands(encounter: Encounter, looking: Looking, model: ModelRow) -> list[str]:
    """Return the commands of what a model is likely to do, and may do now, as the person who looks."""
    kinds = [ACTIONS[command] for command in game_of(encounter).likely]
    possibilities = (_check_action(looking, kind, f"#{model.id}") for kind in kinds)
    wanted_commands = (possible.kind.command for possible in possibilities if _is_wanted(encounter, possible))
    return [*islice(wanted_commands, MAX_LIKELY_BUTTONS)]


TARGET_FIELDS = ("spot", "target", "targets")
"""The fields that say at what an action is aimed; the first of them counts."""


def build_attack_buttons(
    act: Act, model: ModelRow, target: ModelRow
) -> tuple[tuple[Button, ...], tuple[str, ...]]:
    """Return buttons for a model's actions against another; each opens its form with both filled in.

    And in a line what bars the likeliest one, if the model acts now.
    """
    looking, buttons, refusals = Looking(act.book, act.actor), list[Button](), list[str]()
    for command in game_of(act.encounter).likely:
        kind, values = ACTIONS[command], done_by(command, f"#{model.id}")
        names = {part.name for part in parts(command)}
        target_field = next((name for name in TARGET_FIELDS if name in names), "")
        if values and target_field:
            target_values = {**values, target_field: f"#{target.id}"}
            legal = looking.legal(kind, target_values)
            reason = f"{title_of(kind)}: {legal.reason}" if legal.reason else ""
            refusals.append(reason if model in list_acting(act.encounter) else "")
            if not legal.reason and is_wanted(act.encounter, legal.action):
                buttons.append(Button(title_of(kind), kind(**target_values), anytime=True, asks=True))
    return tuple(buttons), tuple(filter(None, refusals[:1]))


def _make_button(possible: PossibleAction) -> Button:
    action = possible.legal.action
    doer_part = part_of_doer(action.command)
    open_fields = [part for part in open_parts(action.command) if part != doer_part]
    bare_action = ACTIONS[action.command](
        **done_by(action.command, getattr(action, doer_part.name) if doer_part else "")
    )
    return Button(possible.label, bare_action, anytime=bool(open_fields), asks=bool(open_fields))


# ------------------------------------------------------------------------------------ all the rest


def _check_action(looking: Looking, kind: type[Action], model_word: str) -> PossibleAction:
    return PossibleAction(kind, looking.legal(kind, done_by(kind.command, model_word)))


def list_kinds(encounter: Encounter) -> list[type[Action]]:
    """Return every action that may be typed in this game, likely ones first."""
    likely_commands = game_of(encounter).likely
    return sorted(_list_table_kinds(encounter.row.system), key=lambda kind: _rank(kind, likely_commands))


def list_kinds_now(encounter: Encounter, looking: Looking) -> list[type[Action]]:
    """Return the kinds of action that are possible now, those on the panel first, in its order.

    If nothing is chosen yet, these are the likeliest. looking: the table as the person sees it.
    """
    panel, acting_models = game_of(encounter).panel(encounter), list_acting(encounter)
    shown_commands = [
        button.action.command for button in _list_urgent(panel, is_owed=_is_answer_owed(encounter))
    ]
    shown_commands += (
        list_likely_commands(encounter, looking, acting_models[0]) if len(acting_models) == 1 else ()
    )
    shown_commands += [button.action.command for button in panel.buttons]
    shown_commands += [menu.action.command for menu in panel.menus]
    return sorted(list_kinds(encounter), key=lambda kind: _rank(kind, shown_commands))


def _rank(kind: type[Action], likely_commands: Sequence[str]) -> int:
    """Return an action's place among the likely ones, or after them."""
    return likely_commands.index(kind.command) if kind.command in likely_commands else len(likely_commands)


def list_acting(encounter: Encounter) -> Sequence[ModelRow]:
    """Return the models that act now; empty before the first turn."""
    return game_of(encounter).acting(encounter) if encounter.row.turn else ()


def find_acting(act: Act) -> str:
    """Return the acting model as `#3` if it is the person's only one, or ""."""
    acting_models = list_acting(act.encounter)
    return (
        f"#{acting_models[0].id}" if len(acting_models) == 1 and act.plays_on(acting_models[0].side) else ""
    )


@cache
def _list_table_kinds(system: str) -> tuple[type[Action], ...]:
    table_kinds = filter(is_table_action, ACTIONS.values())
    return tuple(kind for kind in table_kinds if HANDLERS[kind.command].system in ("", system))


def is_table_action(kind: type[Action]) -> bool:
    """Return whether an action is done in a game by being typed, and so by a line, or from the panel."""
    handler = HANDLERS.get(kind.command)
    if handler is None or kind.command in SPECIAL or not kind.typed:
        return False
    return handler.place in (Place.ENCOUNTER, Place.CHANNEL)


def _is_done_by(looking: Looking, kind: type[Action], *names: str) -> bool:
    """Return whether an action begins with its doer, and one of these names or numbers fits there."""
    doer_part = find_doer_field(kind)
    if doer_part is None or (isinstance(doer_part.kind, Text) and not isinstance(doer_part.kind, Listed)):
        return False
    values = {str(offer.value).casefold() for offer in looking.offers(kind(), doer_part.name)}
    return not values.isdisjoint(name.casefold() for name in names)


@dataclass(frozen=True, slots=True)
class _Question:
    """A person's question about possible actions: with one of their models, as `#3`, or with none."""

    head: str
    ways: Sequence[PossibleAction]
    who: str = ""

    @property
    def may(self) -> list[PossibleAction]:
        """Return those that may be done, or that only need to be said more exactly."""
        return [possible for possible in self.ways if possible.legal.may_be_tried]


def _list_possible(act: Act, name: str) -> _Question:
    """Return the possible actions of a person's own model, or else those of the game itself."""
    encounter, looking = act.encounter, Looking(act.book, act.actor)
    heading, model_word, names = _find_own_model(act, name)
    kinds = list(_list_table_kinds(encounter.row.system))
    if model_word:
        kinds = [kind for kind in kinds if _is_done_by(looking, kind, model_word, *names)]
    else:
        model_words = [word for model in encounter.models() for word in (f"#{model.id}", model.name)]
        kinds = [kind for kind in kinds if not _is_done_by(looking, kind, *model_words)]
    likely_commands = game_of(encounter).likely
    possibilities = [_check_action(looking, kind, model_word) for kind in kinds]
    return _Question(
        heading,
        sorted(possibilities, key=lambda way: (_rank(way.kind, likely_commands), way.label)),
        model_word,
    )


def _find_own_model(act: Act, name: str) -> tuple[str, str, Sequence[str]]:
    """Return one of the person's models: its label, its words in an action, and its other names."""
    encounter, concealed = act.encounter, concealed_from(act.encounter, act.actor.user_id)
    if name in concealed:
        return f"{concealed[name].name} (hidden)", name, (concealed[name].name,)
    model = encounter.find_model(name) if name else None
    if model is None or not act.plays_on(model.side):
        return "What do you want to do?", "", ()
    return game_of(encounter).model_summary(encounter, model), f"#{model.id}", (model.name,)


@handles(WhatNow)
def what_now(act: Act, action: WhatNow) -> Reply:
    """Show only the person who asks the possible actions in menus, or why nothing is possible.

    With no model named: actions without a model, the person's models that might act, and what happened since
    they were last here.
    """
    encounter = act.encounter
    if encounter.row.status == ENDED:
        end_buttons = tuple(build_end_buttons(encounter))
        return Reply(("This game is over.",), private=True, buttons=end_buttons, replaces=True)
    if action.what:
        return _show_choice(action)
    question = _list_possible(act, action.model)
    likely_commands = game_of(encounter).likely
    reasons = _format_reasons(question.ways)
    lines = [question.head, *([] if question.may else ["There is nothing you can do now.", *reasons])]
    first_ways = (
        [way for way in question.may if way.kind.command in likely_commands][:MAX_LIKELY_BUTTONS]
        if question.who
        else []
    )
    act_buttons = [_make_button(way) for way in first_ways]
    menus = list(_build_menus(WhatNow(question.who), [way for way in question.may if way not in first_ways]))
    own_models = [model for model in encounter.models() if act.plays_on(model.side)]
    choices = [Choice(label, f"#{model.id}") for label, model in labelled(encounter, own_models)]
    concealed = concealed_from(encounter, act.actor.user_id)
    choices += [Choice(f"{hidden.name} (hidden)", value) for value, hidden in concealed.items()]
    if not question.who and choices:
        menus.insert(0, Menu("Which model?", WhatNow(), "model", tuple(choices), anytime=True))
    other_button = Button("Another model...", WhatNow(), anytime=True) if question.who else SINCE_BUTTON
    why_button = Button("Why aren't other actions possible?", WhyNot(action.model), anytime=True)
    act_buttons[:1] = [replace(button, style="main") for button in act_buttons[:1]]
    buttons = (*act_buttons, other_button, *([why_button] if question.may and reasons else []))
    return Reply(tuple(lines), private=True, buttons=buttons, menus=tuple(menus), replaces=True)


@handles(WhyNot)
def show_blocked_actions(act: Act, action: WhyNot) -> Reply:
    """Show all that may not be done now and why, only to the person."""
    question = _list_possible(act, action.model)
    back_button = Button("What you can do", WhatNow(action.model), anytime=True)
    lines = [question.head, *(_format_reasons(question.ways) or ["Everything is possible at the moment."])]
    return Reply(tuple(lines), private=True, buttons=(back_button,), replaces=True)


def _build_menus(action: WhatNow, ways: Sequence[PossibleAction]) -> Iterator[Menu]:
    """Return possible actions in menus: those of the game, and those of every table."""
    for prompt, group in (
        ("More actions in this game", [way for way in ways if _is_of_game(way)]),
        ("General actions", [way for way in ways if not _is_of_game(way)]),
    ):
        choices = tuple(Choice(way.label, way.kind.command, described(way.kind)[:100]) for way in group)
        if choices:
            yield Menu(prompt, action, "what", choices, anytime=True, asks=True)


def _is_of_game(possible: PossibleAction) -> bool:
    return bool(HANDLERS[possible.kind.command].system)


def _format_reasons(possibilities: Sequence[PossibleAction]) -> list[str]:
    """Return why things may not be done, with one line for equal reasons."""
    labels_by_reason: dict[str, list[str]] = {}
    for possible in possibilities:
        if not possible.legal.may_be_tried:
            labels_by_reason.setdefault(possible.legal.reason, []).append(possible.label)
    lines = [f"{', '.join(labels)}: {reason}" for reason, labels in labels_by_reason.items()]
    return ["Not possible now:", *lines] if lines else []


def _show_choice(action: WhatNow) -> Reply:
    """Return the choice with its button. Raises InvalidInput for an unknown one."""
    kind = ACTIONS.get(action.what)
    if kind is None or not kind.typed:
        raise InvalidInput("You can't do that here.")
    question = make_action(action, kind)
    return Reply(
        (f"{title_of(kind)}: {described(kind)}.",),
        private=True,
        buttons=(Button(title_of(kind), question, "main", anytime=True, asks=True),),
    )


def make_action(action: WhatNow, kind: type[Action]) -> Action:
    """Return the chosen action, to be done by the chosen model."""
    return kind(**done_by(kind.command, action.model))


MAX_NAMED = 4

IDLE_BUTTONS = frozenset({"Undo", "Redo", "Log", "Why", "Set up..."})
"""Buttons of a panel that answer nothing."""


def build_status_lines(encounter: Encounter, actor: Actor, last_entry: int) -> Sequence[str]:
    """Return the lines for this person alone. last_entry: the entry by which the game went on last."""
    row = encounter.row
    turn = f", turn {row.turn}" if row.turn else ", not begun yet"
    first_sentence = first_line(encounter, waits, last_entry) or "The panel shows what comes next."
    second_sentence = second_line(encounter, waits, last_entry)
    heading = f"**{row.name}{turn}.** {first_sentence}{f' {second_sentence}' if second_sentence else ''}"
    return (
        heading,
        *_format_open_answers(encounter, first_sentence),
        *_format_join_requests(encounter, actor),
        *_format_own_status(encounter, actor),
    )


def _format_open_answers(encounter: Encounter, first_sentence: str) -> Sequence[str]:
    """Return what the panel's first line leaves open: the models that may act, or the buttons to press.

    Empty if a menu of the panel asks for it.
    """
    acting_models = list_acting(encounter)
    if len(acting_models) > 1 and not all(model.name in first_sentence for model in acting_models):
        names = ", ".join(model.name for model in acting_models[:MAX_NAMED])
        return [
            f"One of these models can act: {names}{' and others' if len(acting_models) > MAX_NAMED else ''}."
        ]
    game = game_of(encounter)
    wait, panel = waits(encounter), game.panel(encounter)
    is_owed = wait is not None and wait.owed
    if (acting_models or panel.menus) and not is_owed:
        return ()
    buttons = [
        button for button in panel.buttons if not button.disabled and (is_owed or button.style == "main")
    ]
    button_labels = [button.label for button in buttons if button.label not in IDLE_BUTTONS]
    return [f"Buttons on the panel: {', '.join(button_labels[:MAX_NAMED])}."] if button_labels else ()


def _format_join_requests(encounter: Encounter, actor: Actor) -> Sequence[str]:
    """Return the requests on the panel that this person answers."""
    rows = list_requests(encounter)[:MAX_PANEL_REQUESTS]
    return [
        f"{row.name} has asked to play. Answer on the panel."
        for row in rows
        if may_admit(encounter, row, actor.user_id)
    ]


def _list_sides(encounter: Encounter, actor: Actor) -> Sequence[str]:
    """Return the sides at which a person sits, or whose models the person plays."""
    seat = encounter.seat_of(actor.user_id)
    return [
        side.name
        for side in encounter.sides()
        if (seat is not None and seat.side == side.id)
        or any(encounter.plays(actor.user_id, model) for model in encounter.models(side.id))
    ]


def _format_own_status(encounter: Encounter, actor: Actor) -> Sequence[str]:
    seat = encounter.seat_of(actor.user_id)
    if encounter.row.status == ENDED:
        return ()
    if seat is None or seat.role == "spectator":
        return ("You aren't playing. Join a free side with /encounter join.",)
    own_acting = [model for model in list_acting(encounter) if encounter.plays(actor.user_id, model)]
    if not own_acting:
        sides = " and ".join(_list_sides(encounter, actor))
        side_sentence = f"You play {sides}. Use the panel or /do."
        return (side_sentence if sides else "You don't play a side yet. Join one with /encounter join.",)
    if len(own_acting) > 1:
        return ("Use the panel or /do to choose who acts.",)
    looking = Looking(encounter.book, actor)
    command_words = ", ".join(
        f"/{ACTIONS[command].typed}" for command in list_likely_commands(encounter, looking, own_acting[0])
    )
    name = own_acting[0].name
    model_sentence = f"With {name} you can use {command_words}." if command_words else f"You control {name}."
    return (model_sentence, "You can also use the panel or /do. If a command is missing, see /games.")
