"""Frac'd Earth at the table: how a game begins, what the panel shows, what a figure is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from bot.actions import Action, raw_of
from bot.games.fracd_earth import activation_actions, hide_tokens, move_actions
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.activation_actions import (
    DONE_BUTTON,
    build_next_choices,
    find_side_to_act,
    list_able_figures,
)
from bot.games.fracd_earth.attack_situation import cover_of
from bot.games.fracd_earth.fields import find_obstacle
from bot.games.fracd_earth.figures import (
    activation_of,
    card_text,
    describe_life,
    describe_used,
    figure_of,
    profile_of,
    read_typed,
)
from bot.games.fracd_earth.hand_panel import ShowProgress
from bot.games.fracd_earth.players import (
    deck_of,
    name_of,
    new_initiatives,
    player_rows,
    pushes_of,
    report_seen_cards,
    reshuffle,
)
from bot.games.fracd_earth.samples import PROWLERS, SAMPLES, SAMPLES_BY_KEY, WARDENS
from bot.games.fracd_earth.settings import SETTINGS
from bot.games.fracd_earth.state import FigureState, encounter_state
from bot.games.fracd_earth.steps import CARDS, TimeUp, describe_task
from bot.games.fracd_earth.turn_actions import next_step
from bot.replies.reply import Button, Reply
from bot.store.rows import CrewRow, MemberRow, ModelRow, SecretRow
from bot.table.act import Act
from bot.table.board.routes import BoardPath
from bot.table.encounter import GONE, Encounter, EncounterView
from bot.table.game import EVERYWHERE, HelpPage, Recruit, SampleCrew, time_to_react
from bot.table.journal.history import UNDO
from bot.table.journal.log import ShowLog
from bot.table.ledger.campaign_rules import CampaignRules
from bot.table.names import MAX_NAME_LENGTH
from bot.table.reaction_windows import Cause
from bot.table.rosters.crew_state import limit_faults
from bot.table.session.encounters import NextStep
from bot.table.session.preparations import END_BUTTON, build_opening_buttons, require_begun
from bot.table.setting import Setting
from bot.table.waits import TimeLimit, Wait, one_side_left, players_of, to_end, wait_of_model
from rules.effects import Gain, Leave, Lose
from rules.measure import Sight
from rules.refusals import InvalidInput
from rules.systems.fracd_earth.modifiers import injured
from rules.systems.fracd_earth.movement import protection_mark
from rules.systems.fracd_earth.profile import (
    HIDDEN,
    INACTIVE,
    LESS,
    PENALTY,
    PRONE,
    REDRAW,
    RESTRAINED,
    STUNNED,
    TRAITS,
    WAIT,
)
from rules.systems.fracd_earth.protection import OUT_OF_ACTION
from rules.systems.fracd_earth.turns import counts_for_victory
from rules.systems.fracd_earth.weapons import VERSUS
from rules.wording import times


class ByHand:
    """The part of the game that answers conditions set by hand."""

    def under(self, encounter: Encounter, model: ModelRow) -> Sequence[str]:
        return [row.kind for row in encounter.conditions(model.id)]

    def afflict(self, act: Act, model: ModelRow, kind: str, value: int) -> Reply:
        act.encounter.apply([Gain(model.id, kind, value, source="by hand")])
        return Reply(())

    def relieve(self, act: Act, model: ModelRow, kinds: Sequence[str]) -> Reply:
        """End conditions; a figure that is no longer hidden loses its tokens. Rules: FE-HID-01."""
        if HIDDEN in kinds:
            hide_tokens.remove_tokens(act.encounter, model.id)
        act.encounter.apply([Lose(model.id, kind) for kind in kinds])
        return Reply(())


TYPED_CARD = re.compile(r"^\s*(?:name|traits|resists|build|weapon)\s*:", re.IGNORECASE | re.MULTILINE)
"""The pattern that marks a typed Crew Card, as opposed to a name."""

PAGES = {
    "Frac'd Earth": HelpPage(
        (
            "Start with /demo fracd_earth and press Begin.",
            "/fe hand shows your cards (only to you).",
            "1. Choose who acts, then use /fe attack",
            "2. The defender picks Defence or Manoeuvre",
            "3. Select, buff and push with your menu",
            "   and buttons. Press Chances for odds",
            "4. Spend Edges from the menu",
            "Use /fe now to see who has to act.",
            "",
        ),
        (EVERYWHERE,),
    ),
    "Frac'd Earth's figures": HelpPage(rooms=("roster_play",)),
}


ANYTIME = frozenset(
    {
        "fe.activate", "fe.add", "fe.chances", "fe.check", "fe.deck", "fe.done", "fe.draw", "fe.hand",
        "fe.hide", "fe.interrupt", "fe.late", "fe.link", "fe.morph", "fe.morphs", "fe.now", "fe.redraw",
        "fe.solo", "fe.sustain", "fe.table", "fe.tokens", "fe.wait", "fe.write",
    }
)  # fmt: skip
"""Commands that do not wait for the first turn: setting up, looking, narration by hand."""


class FracdEarthCampaign(CampaignRules):
    """Only figures that victory counts are losses; crews are small by their build totals."""

    usual_points = 40

    def losses(self, encounter: Encounter, side: int) -> int:
        """Return figures out of play, without Henchmen and Minions. Rules: FE-CREW-01, FE-CREW-02."""
        lost_models = (model for model in encounter.models(side, gone=True) if model.status == GONE)
        return sum(counts_for_victory(profile_of(model.profile)) for model in lost_models)


class FracdEarth(ByHand):
    """The rule system at the table: see `bot.table.game.Game`."""

    key = "fracd_earth"
    needs = "both players' cards"
    name = "Frac'd Earth"
    smoke_hides = True
    turns = 0
    pages = PAGES
    campaign = FracdEarthCampaign()

    def recruits(self) -> Sequence[Recruit]:
        return tuple(Recruit(crew.key, profile_of(crew.text).name, crew.build, crew.note) for crew in SAMPLES)

    def profile(self, key: str) -> str:
        if key not in SAMPLES_BY_KEY:
            raise InvalidInput(f"Pick one of the sample figures. There is no {key}.")
        return card_text(profile_of(SAMPLES_BY_KEY[key].text))

    def typed(self, text: str, name: str) -> tuple[str, str, int] | None:
        if not text.lstrip().startswith("{") and not TYPED_CARD.search(text):
            return None
        profile = read_typed(text)
        return profile.name[:MAX_NAME_LENGTH], card_text(profile), profile.build

    def as_typed(self, profile: str) -> str:
        return profile

    def sample_crews(self) -> tuple[SampleCrew, SampleCrew]:
        return WARDENS, PROWLERS

    def crew_lines(self, row: CrewRow, members: Sequence[MemberRow]) -> Sequence[str]:
        return [f"Build total {sum(profile_of(member.profile).build for member in members)}."]

    def crew_faults(self, row: CrewRow, members: Sequence[MemberRow], limit: int) -> Sequence[str]:
        return limit_faults(members, limit)

    def enlist(self, encounter: Encounter, model: ModelRow, member: MemberRow) -> None:
        """Enlist nothing more: cards are dealt when the game begins."""

    def side_ready(self, encounter: Encounter, side: int) -> None:
        """Push tokens follow from all crews' builds, when the game begins."""

    def next_step(self, act: Act) -> Reply:
        return next_step(act)

    def require_begun(self, act: Act, action: Action) -> None:
        """Refuse play before the game has begun. Rules: FE-TURN-01."""
        if not getattr(action, "asks", False):
            require_begun(act, action, ANYTIME, "FE-TURN-01")

    def ending(self, encounter: Encounter) -> Sequence[str]:
        """Return each side's remaining figures; Henchmen and Minions are not counted. Rules: FE-CREW-01,
        FE-CREW-02.
        """
        lines = []
        for side in encounter.sides():
            side_models = [
                model
                for model in encounter.models(side.id, gone=True)
                if counts_for_victory(profile_of(model.profile))
            ]
            remaining = sum(model.status != GONE for model in side_models)
            lines.append(f"{side.name}: {remaining} of {times(len(side_models), 'figure')} left.")
        return lines

    def standing(self, encounter: Encounter) -> Sequence[str]:
        return self.ending(encounter)

    def waits(self, encounter: Encounter) -> Wait | None:
        """Return cards that are owed, who acts, whose activation is next. Rules: FE-TURN-01, FE-CHAL-02."""
        if not encounter.row.turn:
            return None
        exchange = exchanges.find_exchange(encounter)
        if exchange is not None:
            names = [name_of(encounter, number) for number in exchanges.awaited_players(encounter, exchange)]
            question = f"{describe_task(exchange, encounter)} ({time_to_react(encounter)})"
            if not names:
                return Wait("", "press Continue")
            limit = TimeLimit(exchange.entry, TimeUp(exchange.id))
            return Wait(" and ".join(names), question, owed=True, limit=limit)
        acting_id = encounter_state(encounter).acting
        if acting_id:
            row = encounter.model(acting_id)
            task = (
                f"press Done for {row.name} (out of action)" if row.status == GONE else f"act with {row.name}"
            )
            return wait_of_model(encounter, acting_id, task)
        next_side = find_side_to_act(encounter)
        if not next_side:
            return to_end(encounter) if one_side_left(encounter) else Wait("", "start the next turn")
        able_figures = list_able_figures(encounter, next_side)
        question = (
            f"act with {encounter.model(able_figures[0]).name}"
            if len(able_figures) == 1
            else "choose who acts"
        )
        return Wait(players_of(encounter, [next_side]), question)

    def unsettled(self, encounter: Encounter, action: Action) -> str:
        return exchanges.FINISH_FIRST if exchanges.find_exchange(encounter) is not None else ""

    def goes_on(self, action: Action) -> bool:
        return activation_actions.waits_for_interrupts(action)

    def cause_of(self, act: Act, action: Action) -> Cause | None:
        return activation_actions.cause_of(act, action)

    def may_react(self, encounter: Encounter, cause: Cause) -> Sequence[int]:
        if cause.trigger == activation_actions.INTERRUPT_TRIGGER:
            return activation_actions.may_react(encounter, cause)
        return move_actions.possible_strikers(encounter, cause)

    def reaction_buttons(self, encounter: Encounter, cause: Cause) -> Sequence[Button]:
        if cause.trigger == activation_actions.INTERRUPT_TRIGGER:
            return activation_actions.reaction_buttons(encounter, cause)
        return move_actions.reaction_buttons(encounter, cause)

    def panel(self, encounter: Encounter) -> Reply:
        row = encounter.row
        if row.status == "ended":
            return Reply((f"{self.name.upper()}  ended", *self.ending(encounter)))
        if row.turn == 0:
            lines = [f"{self.name.upper()}  not begun yet"]
            lines += [
                f"{side.name}: {times(len(encounter.models(side.id)), 'figure')}"
                for side in encounter.sides()
            ]
            return Reply(tuple(lines), buttons=build_opening_buttons(encounter))
        lines = [f"{self.name.upper()}  turn {row.turn}{f' of {row.turns}' if row.turns else ''}"]
        lines += [*_turn_lines(encounter), *_card_lines(encounter), *_state_lines(encounter)]
        buttons, menus = ((), ()) if exchanges.find_exchange(encounter) else build_next_choices(encounter)
        return Reply(tuple(lines), buttons=(*buttons, *_build_buttons(encounter)), menus=menus)

    def laid_open(self, before: Encounter, now: Encounter) -> Iterable[SecretRow]:
        return [
            *exchanges.list_turned_up_players(before, now),
            *new_initiatives(before, now),
            *hide_tokens.learned_tokens(before, now),
        ]

    def secrets_of(self, encounter: Encounter, side: int) -> Sequence[str]:
        secrets = ["hand"] if any(row.side == side for row in player_rows(encounter)) else []
        return secrets + (
            ["tokens"] if any(token.side == side for token in hide_tokens.tokens(encounter)) else []
        )

    def can_redeal(self, encounter: Encounter, side: int) -> bool:
        return True

    def redeal(self, act: Act, side: int) -> Sequence[str]:
        reshuffle(act, side)
        hide_tokens.mix_tokens(act, side)
        return ["Your cards are shuffled and dealt again. Tokens that no enemy has found are shuffled too."]

    def foreseen(self, before: Encounter, now: Encounter) -> Iterable[tuple[int, str]]:
        return report_seen_cards(before, now)

    hints: Mapping[str, str] = MappingProxyType(
        {
            "Begin": "Cards decide who has priority. Then the sides take turns, one figure at a time.",
            "Defence": "The defender chooses the Trait to defend with, then draws its cards.",
            "Manoeuvre": "The defender chooses the Trait to defend with, then draws its cards.",
            "Push": "A Push token lets you draw one more card. Each side has only a few.",
            "Pass": "Both sides may buff, then push. Each step ends when both have passed.",
            "Hit": "The winner keeps the hit as it is, or spends Edges on effects in the menu.",
            "Done": "When a figure has acted, the other side activates one of its own.",
        }
    )
    """The purpose of its buttons, for Show me."""

    shuffles = "The bot shuffles the cards for this game."
    """The reason for having no real dice."""

    sets_up = ("fe.hide", "fe.add", "fe.solo", "fe.deck", "fe.table", "fe.morphs")
    """What is set up before the first turn."""

    downed = (OUT_OF_ACTION,)
    """How a model is lost that an enemy took down."""

    likely = (
        "fe.attack",
        "fe.move",
        "fe.half",
        "fe.area",
        "fe.detect",
        "fe.check",
        "fe.use",
        "fe.hide",
        "fe.wait",
    )
    """The likely actions of the activated figure."""

    def board_moves(self, encounter: EncounterView, model: ModelRow) -> Mapping[str, Action]:
        return {pace.capitalize(): move_actions.Move(pace=pace) for pace in ("move", "run", "rush")}

    def unlikely(self, encounter: Encounter, action: Action) -> bool:
        if action.command != "fe.detect":
            return False
        observer = raw_of(action).get("observer")
        side = encounter.find_model(str(observer)).side if observer else 0
        enemy_hides = any(
            encounter.condition(row.id, HIDDEN) for row in encounter.models() if row.side != side
        )
        return not enemy_hides and all(token.side == side for token in hide_tokens.tokens(encounter))

    def acting(self, encounter: Encounter) -> Sequence[ModelRow]:
        if exchanges.find_exchange(encounter):
            return []
        number = encounter_state(encounter).acting
        return [row for row in encounter.models() if row.id == number]

    def activated(self, encounter: Encounter) -> Sequence[int]:
        number = encounter_state(encounter).acting
        return (number,) if number else ()

    def acted(self, encounter: Encounter) -> Iterable[int]:
        return [row.id for row in encounter.models() if FigureState(row).activated]

    def model_lines(self, encounter: Encounter, model: ModelRow) -> Sequence[str]:
        figure = figure_of(encounter, model)
        card = [line for line in card_text(figure.profile).splitlines()[1:] if not line.endswith(": 0")]
        kinds = ", ".join(_condition_words(encounter, model))
        return (
            f"{model.name}, {encounter.side(model.side).name}",
            *card,
            f"{describe_life(figure)}{', injured [-]' if injured(figure) else ''}",
            f"Used this turn: {describe_used(activation_of(model))}",
            *([kinds] if kinds else []),
        )

    def model_summary(self, encounter: Encounter, model: ModelRow) -> str:
        words = [describe_life(figure_of(encounter, model)), *_condition_words(encounter, model)]
        return f"{model.name}: {', '.join(words)}"

    def defence(self, encounter: Encounter, model: ModelRow) -> str:
        return f"Def {profile_of(model.profile).trait('Def')}"

    def life(self, model: ModelRow) -> int:
        return profile_of(model.profile).capacity

    def body(self, encounter: Encounter, model: ModelRow) -> tuple[float, float]:
        size = max(1, profile_of(model.profile).size)
        base = 25.0 if size <= 4 else 40.0 if size <= 8 else 60.0
        return base, 0.5 if encounter.condition(model.id, PRONE) else min(8.0, size * 0.375)

    def paces(
        self, encounter: EncounterView, model: ModelRow, walk: BoardPath | None = None
    ) -> Sequence[float]:
        """Return the Move, the Run and the Rush that it may make."""
        return move_actions.paces(encounter, model, walk)

    def cover(self, encounter: EncounterView, viewer: int, target: int, sight: Sight) -> str:
        obstacle = find_obstacle(encounter, viewer, target, sight).value
        if obstacle == "none":
            return ""
        value = protection_mark(cover_of(obstacle)).amount
        return f"{obstacle} obstacle{' ([+] to Protection)' if value else ''}"

    def conditions(self) -> Sequence[str]:
        named_conditions = (PRONE, INACTIVE, STUNNED, RESTRAINED, HIDDEN, WAIT, REDRAW)
        marks = tuple(f"{kind}{name}" for kind in (PENALTY, LESS) for name in ("all", *TRAITS, *VERSUS))
        return (*named_conditions, *marks)

    def harmed(self, act: Act, model: ModelRow) -> Sequence[str]:
        """Put the figure Out of Action if it has no points left. Rules: FE-PRO-07."""
        if model.status != GONE and model.damage >= self.life(model):
            hide_tokens.remove_tokens(act.encounter, model.id)
            act.encounter.apply([Leave(model.id, OUT_OF_ACTION)])
            return ["It is out of action."]
        return []

    def settings(self) -> Sequence[Setting]:
        return SETTINGS


def _condition_words(encounter: Encounter, model: ModelRow) -> list[str]:
    rows = encounter.conditions(model.id)
    return [f"{row.kind}{f' {row.value}' if row.value else ''}" for row in rows]


def _turn_lines(encounter: Encounter) -> list[str]:
    lines = []
    priority_side = encounter_state(encounter).priority
    if priority_side:
        lines.append(f"Priority: {encounter.side(priority_side).name}")
    acting_id = encounter_state(encounter).acting
    if acting_id:
        row = encounter.model(acting_id)
        lines += [f"Acting: {row.name}", f"Used: {describe_used(activation_of(row))}"]
    elif next_side := find_side_to_act(encounter):
        lines.append(f"Acts next: {encounter.side(next_side).name}")
    for side in encounter.sides():
        names = [encounter.model(number).name for number in list_able_figures(encounter, side.id)]
        lines += [f"{side.name} still to act: {', '.join(names)}"] if names else []
    return lines


def _card_lines(encounter: Encounter) -> list[str]:
    lines = []
    for row in player_rows(encounter):
        deck = deck_of(encounter, row.id)
        name = encounter.side(row.side).name
        buff_text = times(len(deck.buff_hand), "Buff card")
        lines.append(f"{name}: {times(len(deck.pile), 'card')} in the deck, {buff_text}")
    tokens = [f"{side.name} {pushes_of(encounter, side.id)}" for side in encounter.sides()]
    return [*lines, f"Push tokens: {', '.join(tokens)}", *hide_tokens.public_lines(encounter)]


def _state_lines(encounter: Encounter) -> list[str]:
    damage_texts = [
        f"{row.name} {row.damage}/{profile_of(row.profile).capacity}"
        for row in encounter.models()
        if row.damage
    ]
    lost_names = [row.name for row in encounter.models(gone=True) if row.status == GONE]
    lines = [f"Damage: {', '.join(damage_texts)}"] if damage_texts else []
    return [*lines, *([f"Out of action: {', '.join(lost_names)}"] if lost_names else [])]


def _build_buttons(encounter: Encounter) -> tuple[Button, ...]:
    side_buttons = (replace(CARDS, style="plain"), UNDO, Button("Log", ShowLog(), anytime=True))
    if exchanges.find_exchange(encounter) is not None:
        return (Button("Continue", ShowProgress(), "main", anytime=True), *side_buttons)
    if acting_id := encounter_state(encounter).acting:
        main_use = activation_of(encounter.model(acting_id)).main
        return (replace(DONE_BUTTON, style="main" if main_use else "plain"), *side_buttons)
    next_turn_buttons = () if find_side_to_act(encounter) else (Button("Next turn", NextStep(), "main"),)
    return (*((END_BUTTON,) if one_side_left(encounter) else next_turn_buttons), *side_buttons)
