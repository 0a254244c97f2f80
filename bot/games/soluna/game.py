"""sol'una at the table: samples, setting up, the panel, and how a model is described."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from bot.actions import Action, raw_of
from bot.games.soluna.activation import (
    CHOOSE_FLIPS_FIRST,
    PENDING_ATTACK,
    apply_effects,
    end_broken_holds,
    is_able,
    models_yet_to_act,
)
from bot.games.soluna.board import (
    CLOUD,
    FACING_WORDS,
    at,
    board_of,
    facing_of,
    has_board,
    square_of,
    thing_rows,
)
from bot.games.soluna.board_actions import NewBoard, lay_sample, line_up
from bot.games.soluna.board_picture import (
    MAX_TEXT_ROWS,
    artifacts_on_board,
    assign_letters,
    draw_board,
    list_places,
    surroundings,
    window,
)
from bot.games.soluna.flip_actions import MakeFlips, build_item_menus
from bot.games.soluna.look_actions import ShowBoard
from bot.games.soluna.move_actions import Pass
from bot.games.soluna.narration import points_words, state_words, summary
from bot.games.soluna.samples import BY_KEY, DAWNWATCH, HOLLOW_MOON, SAMPLES
from bot.games.soluna.settings import SETTINGS, settings_of
from bot.games.soluna.state import SYSTEM, ModelState, clock_of, model_of, profile_of
from bot.games.soluna.strikes import read_waiting_strikes
from bot.games.soluna.turn_actions import (
    before_next,
    is_last_phase,
    join_names_with_speed,
    next_step,
    write_turn_heading,
)
from bot.replies.reply import Attachment, Button, Menu, Reply
from bot.store.rows import CrewRow, MemberRow, ModelRow
from bot.table.act import Act
from bot.table.encounter import GONE, Encounter
from bot.table.game import EVERYWHERE, HelpPage, Recruit, SampleCrew, uses_plain_text
from bot.table.journal.history import UNDO
from bot.table.journal.log import ShowLog
from bot.table.ledger.campaign_rules import CampaignRules
from bot.table.names import MAX_NAME_LENGTH
from bot.table.rosters.crew_state import limit_faults
from bot.table.session.encounters import NextStep
from bot.table.session.preparations import END_BUTTON, build_opening_buttons, require_begun
from bot.table.setting import Setting
from bot.table.waits import Wait, one_side_left, player_of, to_end, wait_of_model
from rules.effects import Effect, Gain, Leave, Lose
from rules.refusals import InvalidInput
from rules.systems.soluna.board import MAX_COLUMNS
from rules.systems.soluna.faces import FACES
from rules.systems.soluna.models import Condition, Model
from rules.systems.soluna.profile import read_profile, to_json, write_profile, write_weapon
from rules.wording import times

SOURCE = "by hand"


class ByHand:
    """The part of the game that answers conditions set by hand."""

    def under(self, encounter: Encounter, model: ModelRow) -> Sequence[str]:
        return [row.kind for row in encounter.conditions(model.id)]

    def afflict(self, act: Act, model: ModelRow, kind: str, value: int) -> Reply:
        """Add a condition; an unconscious model is prone and holds no one. Rules: SU-GRID-06."""
        effects: list[Effect] = [Gain(model.id, kind, value, source=SOURCE)]
        if kind == Condition.UNCONSCIOUS:
            effects.append(Gain(model.id, Condition.PRONE, source=SOURCE))
        act.encounter.apply(effects)
        freed_names = end_broken_holds(act.encounter)
        return Reply((f"No longer grappled: {', '.join(freed_names)}.",) if freed_names else ())

    def relieve(self, act: Act, model: ModelRow, kinds: Sequence[str]) -> Reply:
        apply_effects(act, [Lose(model.id, kind) for kind in kinds])
        return Reply(())


TYPED = re.compile(r"\b(?:Size|Mind|Health|Body|Shield|Speed)\s+\d", re.IGNORECASE)
"""The pattern that marks a typed profile, as opposed to a name."""

PAGES = {
    "sol'una": HelpPage(
        (
            "Enter /demo soluna, then press Begin.",
            "Use /sol board show to see the board.",
            "The fastest model acts first. Use /sol move, attack, lunge, grapple or pass.",
            "After rolling, choose your flips from the menu. The best flips come first.",
            "Use /sol look to see what a model can reach, see or walk to.",
            "",
        ),
        (EVERYWHERE,),
    )
}


ANYTIME = frozenset(
    {
        "sol.add", "sol.board", "sol.body", "sol.item", "sol.light", "sol.look", "sol.object", "sol.place",
        "sol.show", "sol.test", "sol.turn", "sol.value", "sol.write",
    }
)  # fmt: skip
"""Commands that do not wait for the first turn: setting up, looking, narration by hand."""


class SolunaCampaign(CampaignRules):
    """Models have no points."""

    usual_points = 0


class Soluna(ByHand):
    """The rule system at the table: see `bot.table.game.Game`."""

    key = SYSTEM
    needs = "the board"
    name = "sol'una"
    turns = 0
    pages = PAGES
    campaign = SolunaCampaign()

    def recruits(self) -> Sequence[Recruit]:
        return tuple(Recruit(entry.key, read_profile(entry.text).name, 0, entry.note) for entry in SAMPLES)

    def profile(self, key: str) -> str:
        if key not in BY_KEY:
            raise InvalidInput(f"Pick one of the sample models. There is none called {key}.")
        return to_json(read_profile(BY_KEY[key].text))

    def typed(self, text: str, name: str) -> tuple[str, str, int] | None:
        if not text.lstrip().startswith("{") and not TYPED.search(text):
            return None
        profile = read_profile(text)
        return profile.name[:MAX_NAME_LENGTH], to_json(profile), 0

    def as_typed(self, profile: str) -> str:
        return write_profile(profile_of(profile))

    def sample_crews(self) -> tuple[SampleCrew, SampleCrew]:
        return DAWNWATCH, HOLLOW_MOON

    def crew_lines(self, row: CrewRow, members: Sequence[MemberRow]) -> Sequence[str]:
        return []

    def crew_faults(self, row: CrewRow, members: Sequence[MemberRow], limit: int) -> Sequence[str]:
        return limit_faults(members, limit)

    def enlist(self, encounter: Encounter, model: ModelRow, member: MemberRow) -> None:
        """Make every model its own unit."""

    def side_ready(self, encounter: Encounter, side: int) -> None:
        if encounter.side(side).crew:
            return
        if not has_board(encounter):
            lay_sample(encounter)
        line_up(encounter, side)

    def next_step(self, act: Act) -> Reply:
        return next_step(act)

    def before_next(self, act: Act) -> Reply | None:
        return before_next(act)

    def require_begun(self, act: Act, action: Action) -> None:
        """Refuse play before the game has begun. Rules: SU-SEQ-01."""
        require_begun(act, action, ANYTIME, "SU-SEQ-01")

    def ending(self, encounter: Encounter) -> Sequence[str]:
        lines = []
        for side in encounter.sides():
            side_models = encounter.models(side.id, gone=True)
            models_left = [model for model in side_models if model.status != GONE]
            unable_count = sum(not is_able(model_of(encounter, row)) for row in models_left)
            unable_text = f", {unable_count} unable to act" if unable_count else ""
            lines.append(
                f"{side.name}: {len(models_left)} of {times(len(side_models), 'model')} left{unable_text}."
            )
        return lines

    def standing(self, encounter: Encounter) -> Sequence[str]:
        return self.ending(encounter)

    def unsettled(self, encounter: Encounter, action: Action) -> str:
        return CHOOSE_FLIPS_FIRST if thing_rows(encounter, PENDING_ATTACK) else ""

    def waits(self, encounter: Encounter) -> Wait | None:
        """Return what the game waits for: flips, a model or the next phase. Rules: SU-SEQ-01, SU-ACC-05."""
        if not encounter.row.turn:
            return None if has_board(encounter) else Wait("", "create a board")
        if thing_rows(encounter, PENDING_ATTACK):
            strike = read_waiting_strikes(encounter)[1][0]
            if not strike.is_open(encounter, settings_of(encounter)):
                return wait_of_model(
                    encounter, strike.attacker, "choose which item takes the Arsenal hits", owed=True
                )
            chooser_id = strike.attacker if strike.accuracy >= 0 else strike.target
            task = f"choose flips for {encounter.model(chooser_id).name}"
            return wait_of_model(encounter, chooser_id, task, owed=True)
        unacted = models_yet_to_act(encounter)
        if not unacted and is_last_phase(encounter):
            return to_end(encounter)
        if not unacted:
            is_decided = one_side_left(encounter)
            return to_end(encounter, "Next phase") if is_decided else Wait("", "start the next phase")
        return wait_of_model(encounter, unacted[0].id, f"act with {unacted[0].name}")

    def panel(self, encounter: Encounter) -> Reply:
        row = encounter.row
        if row.status == "ended":
            return Reply((f"{self.name.upper()}  ended", *self.ending(encounter)))
        phase_text = f"{write_turn_heading(encounter).lower()} of {settings_of(encounter).phases_per_turn}"
        lines = [
            f"{self.name.upper()}  {phase_text if row.turn else 'not begun'}",
            *_describe_board(encounter),
        ]
        if not row.turn:
            lines += [
                f"{side.name}: {times(len(encounter.models(side.id)), 'model')}" for side in encounter.sides()
            ]
            return Reply(
                tuple(lines),
                buttons=build_opening_buttons(
                    encounter, *_build_board_buttons(encounter), is_ready=has_board(encounter)
                ),
            )
        lines += [*_describe_turn(encounter), *_describe_state(encounter)]
        return Reply(tuple(lines), buttons=_build_buttons(encounter), menus=_build_menus(encounter))

    sets_up = ("sol.board", "sol.object", "sol.light", "sol.place")
    """The board, the things on it, its light, and the models' places."""

    downed = ("killed",)
    """How models leave play when an enemy takes them down."""

    likely = ("sol.attack", "sol.lunge", "sol.move", "sol.grapple", "sol.turn", "sol.stand", "sol.break")
    """The likely actions of a model in its phase."""

    def unlikely(self, encounter: Encounter, action: Action) -> bool:
        if action.command not in ("sol.attack", "sol.lunge", "sol.grapple"):
            return False
        raw_values = raw_of(action)
        try:
            target = encounter.find_model(str(raw_values["target"]))
            attacker = encounter.find_model(str(raw_values["attacker"]), gone=True)
        except InvalidInput:
            return True
        return target.side == attacker.side

    def acting(self, encounter: Encounter) -> Sequence[ModelRow]:
        return [encounter.model(model.id) for model in models_yet_to_act(encounter)[:1]]

    def acted(self, encounter: Encounter) -> Iterable[int]:
        phase_count = clock_of(encounter).count(settings_of(encounter))
        return [row.id for row in encounter.models() if ModelState(row).acted_phase == phase_count]

    def board(self, encounter: Encounter) -> Attachment | None:
        return draw_board(encounter, board_of(encounter)) if has_board(encounter) else None

    def model_lines(self, encounter: Encounter, model: ModelRow) -> Sequence[str]:
        rules_model = model_of(encounter, model)
        profile = rules_model.profile
        square = square_of(model)
        position = "not on the board"
        if square:
            position = f"at {at(square)}, facing {FACING_WORDS[facing_of(model)]}"
        points = points_words(rules_model, clock_of(encounter), settings_of(encounter))
        lines = [
            f"{rules_model.name}, {encounter.side(model.side).name}",
            f"Size {profile.size}, {points}, {position}",
            *format_grid(rules_model),
            *(write_weapon(weapon) for weapon in profile.weapons),
        ]
        lines += [
            f"{name}: Health {health}" for name, health in rules_model.carried()[len(profile.weapons) :]
        ]
        lines += [f"Traits: {', '.join(sorted(profile.traits))}"] if profile.traits else []
        return [*lines, *([", ".join(state_words(rules_model))] if state_words(rules_model) else [])]

    def model_summary(self, encounter: Encounter, model: ModelRow) -> str:
        return summary(model_of(encounter, model))

    def defence(self, encounter: Encounter, model: ModelRow) -> str:
        profile = profile_of(model.profile)
        return f"Shield {profile.shield}, Health {profile.health}"

    def life(self, model: ModelRow) -> int:
        return profile_of(model.profile).health

    def conditions(self) -> Sequence[str]:
        return tuple(Condition)

    def harmed(self, act: Act, model: ModelRow) -> Sequence[str]:
        """Kill a model whose Health is used up. Rules: SU-GRID-07."""
        if model.status != GONE and model.damage >= self.life(model):
            apply_effects(act, [Leave(model.id, "killed")])
            return [f"{model.name} is killed."]
        return []

    def settings(self) -> Sequence[Setting]:
        return SETTINGS


def format_grid(model: Model) -> list[str]:
    """Return the damage grid: the faces that strike each location, its value, where its arrow points."""
    grid = model.profile.grid
    squares = sorted(grid.squares, key=lambda square: square.faces or FACES)
    lines = []
    for square in squares:
        faces = "".join(str(face) for face in square.faces) or "any"
        value = f"{model.value(square.key)}/{model.profile.attribute(square.key)}"
        arrow = f" > {square.arrow.capitalize()}" if square.arrow else ""
        lines.append(f"{faces:<3} {square.key.capitalize():<8} {value:<6}{arrow}")
    return ["```", *lines, "```"]


def _describe_board(encounter: Encounter) -> list[str]:
    if not has_board(encounter):
        return ["No board yet"]
    board = board_of(encounter)
    lines = surroundings(board)
    if uses_plain_text(encounter):
        return [*lines, *list_places(encounter)]
    if board.width <= MAX_COLUMNS and board.height <= MAX_TEXT_ROWS:
        letters = assign_letters(encounter)
        lines += [
            "```",
            *window(board, letters, artifacts_on_board(encounter)),
            "```",
            *_explain_letters(encounter, letters),
        ]
    return lines


def _explain_letters(encounter: Encounter, letter_by_model: Mapping[int, str]) -> list[str]:
    """Explain the letters of models whose name begins with another letter."""
    placed_rows = [
        row for row in encounter.models() if square_of(row) is not None and row.id in letter_by_model
    ]
    unlike_rows = [
        row for row in placed_rows if not row.name.casefold().startswith(letter_by_model[row.id].casefold())
    ]
    return (
        [", ".join(f"{letter_by_model[row.id]} is {row.name}" for row in unlike_rows)] if unlike_rows else []
    )


def _describe_turn(encounter: Encounter) -> list[str]:
    waiting_models = models_yet_to_act(encounter)
    phase_count = clock_of(encounter).count(settings_of(encounter))
    passed_names = [row.name for row in encounter.models() if ModelState(row).passed == phase_count]
    lines = [f"Still to act: {join_names_with_speed(waiting_models)}"] if waiting_models else []
    return [*lines, *([f"Passed: {', '.join(passed_names)}"] if passed_names else [])]


def _describe_state(encounter: Encounter) -> list[str]:
    lines = []
    for side in encounter.sides():
        lost_names = [row.name for row in encounter.models(side.id, gone=True) if row.status == GONE]
        lines += [f"Lost by {side.name}: {', '.join(lost_names)}"] if lost_names else []
    models = [model_of(encounter, row) for row in encounter.models()]
    lines += [summary(model) for model in models if state_words(model)]
    unplaced_names = [row.name for row in encounter.models() if square_of(row) is None]
    lines += [f"Not on the board: {', '.join(unplaced_names)}"] if unplaced_names else []
    cloud_count = len(thing_rows(encounter, CLOUD))
    return [*lines, *([f"Clouds: {cloud_count}"] if cloud_count else [])]


def _build_board_buttons(encounter: Encounter) -> tuple[Button, ...]:
    if has_board(encounter):
        return (Button("Board", ShowBoard(), anytime=True),)
    sample_button = Button("Use the sample board", NewBoard(), "main", anytime=True)
    return (sample_button, Button("Create a board", NewBoard(), anytime=True, asks=True))


def _build_standard_buttons(encounter: Encounter) -> tuple[Button, ...]:
    return (*_build_board_buttons(encounter), UNDO, Button("Log", ShowLog(), anytime=True))


def _build_menus(encounter: Encounter) -> tuple[Menu, ...]:
    if not thing_rows(encounter, PENDING_ATTACK):
        return ()
    row_id, strikes = read_waiting_strikes(encounter)
    return tuple(build_item_menus(encounter, row_id, strikes[0]))


def _build_buttons(encounter: Encounter) -> tuple[Button, ...]:
    if thing_rows(encounter, PENDING_ATTACK):
        is_open = read_waiting_strikes(encounter)[1][0].is_open(encounter, settings_of(encounter))
        flip_buttons = (Button("Flips", MakeFlips(), "main", anytime=True, asks=True),) if is_open else ()
        return (*flip_buttons, *_build_standard_buttons(encounter))
    unacted = models_yet_to_act(encounter)
    end_buttons = (
        (END_BUTTON,) if one_side_left(encounter) or (not unacted and is_last_phase(encounter)) else ()
    )
    if not unacted:
        next_buttons = (
            () if is_last_phase(encounter) else (Button("Next phase", NextStep(asks=True), "main"),)
        )
        return (*end_buttons, *next_buttons, *_build_standard_buttons(encounter))
    pass_button = Button(f"{unacted[0].name} passes", Pass(unacted[0]))
    has_one_player = len({player_of(encounter, model.id) for model in unacted}) == 1
    next_phase_buttons = (Button("Next phase", NextStep(asks=True)),) if has_one_player else ()
    return (
        pass_button,
        Button("All my models pass", Pass(unacted[0], every=True)),
        *next_phase_buttons,
        *end_buttons,
        *_build_standard_buttons(encounter),
    )
