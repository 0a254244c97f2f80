"""Shared parts of Warzone's handlers: the model that is meant, the price of an act, the reply."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from bot.games.warzone.activation import (
    Done,
    build_next_menu,
    check_order,
    go_on,
    has_spent_all_actions,
    note_deed,
)
from bot.games.warzone.narration import describe_contests, describe_throws
from bot.games.warzone.state import ModelState, model_state, side_state, state_of
from bot.games.warzone.units import model_of, models_of, read_turn, settings_of, squad_of
from bot.replies.reply import Button, Menu, Reply
from bot.table.act import Act, ActView
from bot.table.encounter import GONE, Encounter, EncounterView
from bot.table.journal.history import UNDO
from bot.table.journal.log import why_button
from bot.table.throw_purposes import Whose
from rules.dice import Entry
from rules.effects import Count, Effect, Lose, Propose
from rules.refusals import Forbidden
from rules.systems.warzone.command import must_return, spend_actions
from rules.systems.warzone.model import ACTIONS, Condition, Model
from rules.systems.warzone.morale import Act as Deed
from rules.systems.warzone.morale import check_may_act
from rules.systems.warzone.powers import find_row, roll_chart
from rules.systems.warzone.ranged import lose_aim
from rules.systems.warzone.settings import Settings
from rules.systems.warzone.tables import ChartKey
from rules.wording import times

ANY_ATTACK_GRANT = "attack"
"""A grant that serves for shooting and for fighting."""
MUTUAL_STRIKE_GRANT = "fight together"
"""A grant to fight in which both strike at once."""


def settings_for(act: ActView) -> Settings:
    """Return the readings by which this encounter plays."""
    return settings_of(act.encounter)


def find_model(act: Act, model_id: int) -> Model:
    """Return the model of this number as it stands now, in play or out of it."""
    return model_of(act.encounter, act.encounter.model(model_id))


def refresh(act: Act, model: Model) -> Model:
    """Return the model as it stands after effects were applied."""
    return find_model(act, model.id)


def sort_by_id(*models: Model) -> tuple[Model, ...]:
    """Return the models by their numbers, each once."""
    models_by_id = {model.id: model for model in models}
    return tuple(models_by_id[model_id] for model_id in sorted(models_by_id))


def is_out(act: ActView, model: Model) -> bool:
    """Return whether the model has left play."""
    return act.encounter.model(model.id).status == GONE


def leads(encounter: Encounter, model: Model) -> bool:
    """Return whether the model leads its squad."""
    return bool(model.squad) and side_state(encounter, model.side).leader[model.squad] == model.id


# ------------------------------------------------------------------------------------------- contact


def find_enemies_in_contact(encounter: EncounterView, model: Model) -> tuple[Model, ...]:
    """Return the enemies in base contact with a model."""
    return tuple(
        other
        for other in models_of(encounter)
        if other.side != model.side and state_of(other).contacts[model.id]
    )


def put_in_contact(act: Act, model_a: Model, model_b: Model) -> None:
    """Put the two into base contact."""
    for model, enemy in ((model_a, model_b), (model_b, model_a)):
        model_state(act.encounter, model.id).contacts[enemy.id] = 1


def end_contact(encounter: Encounter, model: Model) -> None:
    """End all contact of the model; a model that only it held is free, too."""
    freed_enemies = find_enemies_in_contact(encounter, model)
    for touching_model in (model, *freed_enemies):
        state = model_state(encounter, touching_model.id)
        for enemies in (state.contacts, state.lets_go, state.asked_to_let_go):
            for number in list(enemies) if touching_model.id == model.id else [model.id]:
                enemies[number] = 0
        if not find_enemies_in_contact(encounter, touching_model):
            encounter.apply([Lose(touching_model.id, Condition.ENGAGED)])


def carry_through(
    act: Act, effects: Iterable[Effect], source: Model | None = None, *, by: int = 0
) -> list[Propose]:
    """Apply what an outcome does; return what is to follow.

    source: the model whose attack it is, which a morale test asks for. by: the model that gets the credit for
    wounds outside an attack.

    Before the first turn actions are not counted.
    """
    encounter = act.encounter
    damage_before = {row.id: row.damage for row in encounter.models(gone=True)}
    rows_before = {row.id for row in encounter.models()}
    is_free = encounter.row.turn < 1
    counted_effects = [
        effect for effect in effects if not (is_free and isinstance(effect, Count) and effect.key == ACTIONS)
    ]
    proposals = encounter.apply(counted_effects, by=by if source is None else source.id)
    for row in encounter.models(gone=True):
        if source is not None and row.damage > damage_before[row.id] and row.id != source.id:
            side_state(encounter, row.side).source[ModelState(row).squad] = source.id
        if row.status == GONE and ModelState(row).contacts:
            end_contact(encounter, model_of(encounter, row))
    if removed_ids := rows_before - {row.id for row in encounter.models()}:
        for model in models_of(encounter):
            encounter.apply(effect for number in removed_ids for effect in lose_aim(model, number))
    return proposals


# ------------------------------------------------------------------------------------------- actions


def find_grant(model: Model, deed: Deed) -> str | None:
    """Return the word of a permission to do this at once, None where there is none."""
    accepted_grants: list[str] = [deed.value]
    if deed is Deed.FIGHT:
        accepted_grants.append(MUTUAL_STRIKE_GRANT)
    if deed in (Deed.SHOOT, Deed.FIGHT):
        accepted_grants.append(ANY_ATTACK_GRANT)
    grants = state_of(model).grants
    return next((word for word in accepted_grants if grants[word]), None)


def allow_at_once(act: Act, model: Model, deed: str, times: int = 1, *, target: int = 0) -> None:
    """Allow the model to do this at once, free and even if its unit does not act.

    target: the number of its target, or 0 if open.
    """
    state = model_state(act.encounter, model.id)
    state.grants[deed], state.granted_at[deed] = times, target


def end_grants(encounter: Encounter) -> None:
    """End permissions of the rules and of opponents with the activation in which they were given."""
    for row in encounter.models(gone=True):
        ModelState(row).end_grants()


def forget_dives(encounter: Encounter) -> None:
    """Forget dives, because the template has struck and the next finds everyone under it. Rules:
    WZ-DIVE-01.
    """
    for row in encounter.models():
        ModelState(row).dived_clear = False


def check_can_act(act: ActView, model: Model, deed: Deed, actions: int = 1) -> None:
    """Refuse an act that the model can't do now: its unit does not act, it has finished, or lacks actions.

    Rules: WZ-TURN-02, WZ-TURN-03, WZ-CMD-04.
    """
    if act.encounter.row.turn < 1 or find_grant(model, deed):
        return
    with act.overridable():
        _check_activation(act, model, deed, actions)


def _check_activation(act: ActView, model: Model, deed: Deed, actions: int) -> None:
    turn = read_turn(act.encounter)
    squad = squad_of(act.encounter, model.squad)
    if not turn.active or turn.active[-1] != model.squad:
        raise Forbidden(f"{squad.name} isn't active. Activate it first with /wz activate.", "WZ-TURN-02")
    check_order(act.encounter, model, deed)
    is_commanded = not state_of(model).out_of_command and not model.has(Condition.REBOOTED)
    if deed is not Deed.MOVE and must_return(model, squad, settings_for(act), commanded=is_commanded):
        raise Forbidden(
            (f"{model.name} is out of command and must first move back into its leader's command distance."),
            "WZ-CMD-04",
        )
    if actions > model.count(ACTIONS):
        raise Forbidden(
            (
                f"{model.name} needs {times(actions, 'action')} to {deed.value} (it has "
                f"{model.count(ACTIONS)} left)."
            ),
            "WZ-TURN-03",
        )


def pay(act: Act, model: Model, deed: Deed, actions: int = 1) -> str:
    """Spend what a deed costs: a permission, or actions of the activation. Raises Forbidden.

    Return in words what the model that acted before has lost. Rules: WZ-TURN-03, WZ-CONC-01.
    """
    with act.overridable():
        check_may_act(model, deed)
    grant_key = find_grant(model, deed)
    if grant_key:
        model_state(act.encounter, model.id).grants[grant_key] -= 1
        return ""
    check_can_act(act, model, deed, actions)
    if act.encounter.row.turn < 1:
        return ""
    if model.count(ACTIONS) >= actions:
        with act.overridable():
            act.encounter.apply(spend_actions(model, deed, actions))
    return note_deed(act.encounter, model)


def describe_actions_left(act: Act, model: Model) -> str:
    """Return how many actions a model has left; empty before the game, and out of its unit's round."""
    if act.encounter.row.turn < 1 or is_out(act, model):
        return ""
    if model.squad not in read_turn(act.encounter).active:
        return ""
    actions_left = refresh(act, model).count(ACTIONS)
    return f"{model.name}: {times(actions_left, 'action')} left."


def enemies_on_wait(act: Act, model: Model) -> Sequence[Model]:
    """Return the models of other sides that may react."""
    return [enemy for enemy in models_of(act.encounter) if enemy.side != model.side and may_react(enemy)]


def may_react(model: Model) -> bool:
    """Return whether a model is on wait, and awake."""
    return model.has(Condition.WAITING) and not model.has(Condition.UNCONSCIOUS)


CarryOut = Callable[["Telling", Propose], None]
BuildOffer = Callable[[Act, Propose], "Button | Menu | None"]

CARRIED_OUT_AT_ONCE: dict[str, CarryOut] = {}
"""For each kind of proposal that needs nothing from the players: what carries it out."""

OFFERS: dict[str, BuildOffer] = {}
"""For each kind of proposal that needs them: the button or menu for it."""


def carries_out(kind: str) -> Callable[[CarryOut], CarryOut]:
    """Register the function below as what carries a kind of proposal out."""

    def register(run: CarryOut) -> CarryOut:
        CARRIED_OUT_AT_ONCE[kind] = run
        return run

    return register


def offers(kind: str) -> Callable[[BuildOffer], BuildOffer]:
    """Register the function below as what makes the button or menu of a kind of proposal."""

    def register(make: BuildOffer) -> BuildOffer:
        OFFERS[kind] = make
        return make

    return register


@dataclass(slots=True)
class Telling:
    """A reply under way. lines: the result. dice: what was rolled, told below it. next: what follows.

    more: what the acting model may do next, while it can act.
    """

    act: Act
    lines: list[str] = field(default_factory=list)
    dice: list[str] = field(default_factory=list)
    next: list[str] = field(default_factory=list)
    why: list[str] = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)
    menus: list[Menu] = field(default_factory=list)
    more: tuple[Button, ...] = ()
    _shown: int = 0

    def follow(self, effects: Iterable[Effect], source: Model | None = None, *, by: int = 0) -> None:
        """Apply effects; what they propose is carried out now, or offered. See `carry_through`."""
        for proposal in carry_through(self.act, effects, source, by=by):
            run = CARRIED_OUT_AT_ONCE.get(proposal.action)
            if run is not None:
                run(self, proposal)
                continue
            if proposal.reason not in self.next:
                self.next.append(proposal.reason)
            make = OFFERS.get(proposal.action)
            control = make(self.act, proposal) if make else None
            if isinstance(control, Button):
                self.buttons += [] if control in self.buttons else [control]
            elif control is not None and control not in self.menus:
                self.menus.append(control)

    def ask(self, menu: Menu, otherwise: Button) -> None:
        """Ask with a menu, or a button for none of it; the same question once."""
        self.menus += [menu] if menu.choices and menu not in self.menus else []
        self.buttons += [] if otherwise in self.buttons else [otherwise]

    def note(self, words: str) -> None:
        """Add what follows, if there is anything."""
        if words:
            self.next.append(words)

    def thrown(self, *heads: str, throws: int | None = None, adding: Sequence[Sequence[int]] = ()) -> None:
        """Add the faces thrown since the last time, or of so many throws, under these lines.

        adding: what everyone in a contest adds to the die.
        """
        trace: list[Entry] = self.act.dice.trace
        trace_end = len(trace) if throws is None else self._shown + throws
        new_trace = trace[self._shown : trace_end]
        self.dice += [
            *heads,
            *(describe_contests(new_trace, adding) if adding else describe_throws(new_trace)),
        ]
        self._shown = trace_end

    def reply(self, *more: Button) -> Reply:
        """Return the reply: result, dice, what follows; with its buttons, the given ones, undo and why."""
        lines = list(self.lines)
        if self.dice:
            lines += ["", *self.dice]
        if self.next:
            lines += ["", *self.next]
        why_buttons = [why_button(self.act.entry)] if self.why else []
        return Reply(
            tuple(lines),
            buttons=(*self.buttons, *more, UNDO, *why_buttons),
            menus=tuple(self.menus),
            why=tuple(self.why),
        )

    def closing(self, model: Model, *more: Button) -> Reply:
        """Return the reply with what is left to the acting model, or who acts next if it has no actions left.

        The given buttons stand only while it can act. Rules: WZ-TURN-03.
        """
        encounter = self.act.encounter
        self.note(describe_actions_left(self.act, model))
        can_act = encounter.row.turn < 1 or refresh(self.act, model).count(ACTIONS) > 0
        self.next += go_on(encounter, model)
        self.menus += [menu for menu in build_next_menu(encounter) if menu not in self.menus]
        end_buttons = (
            [] if can_act or not has_spent_all_actions(encounter) else [Button("Done", Done(), "main")]
        )
        return self.reply(*(more if can_act else ()), *end_buttons)


def roll_on_chart(telling: Telling, chart: ChartKey, roller: Whose, before: str, after: str = ".") -> str:
    """Roll on a chart, and report the row between two pieces of a sentence, the die, and what the row says.

    Return the row's key.
    """
    key = telling.act.roll(roller, roll_chart, chart)
    row = find_row(chart, key)
    telling.lines.append(f"{before}{row.name}{after}")
    telling.thrown()
    telling.next.append(row.says)
    return key
