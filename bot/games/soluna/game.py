"""sol'una at the table: how a game begins, what the panel shows, what a model is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from bot.actions import Action, raw_of
from bot.games.soluna.activation import (
    FLIPS_FIRST,
    PENDING,
    carry_through,
    end_broken_holds,
    is_able,
    yet_to_act,
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
    ROWS_SHOWN,
    artifacts_on_board,
    draw_board,
    letters_of,
    standing_words,
    surroundings,
    window,
)
from bot.games.soluna.flip_actions import MakeFlips, things_menus
from bot.games.soluna.look_actions import ShowBoard
from bot.games.soluna.move_actions import Pass
from bot.games.soluna.narration import points_words, state_words, summary
from bot.games.soluna.samples import BY_KEY, DAWN, MOON, SAMPLES
from bot.games.soluna.settings import SETTINGS, settings_of
from bot.games.soluna.state import SYSTEM, ModelState, clock_of, model_of, profile_of
from bot.games.soluna.strikes import waiting_strikes
from bot.games.soluna.turn_actions import before_next, is_last_phase, next_step, to_act_words, turn_heading
from bot.replies.reply import Attachment, Button, Menu, Reply
from bot.store.rows import CrewRow, MemberRow, ModelRow
from bot.table.act import Act
from bot.table.encounter import GONE, Encounter
from bot.table.game import EVERYWHERE, HelpPage, Recruit, SampleCrew, told_in_words
from bot.table.journal.history import UNDO
from bot.table.journal.log import ShowLog
from bot.table.ledger.campaign_rules import CampaignRules
from bot.table.names import MAX_NAME_LENGTH
from bot.table.rosters.crew_state import limit_faults
from bot.table.session.encounters import NextStep
from bot.table.session.preparations import END, opening_buttons, wait_for_begin
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
        """Return its conditions."""
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
        """End what is over; a model that comes round stays prone."""
        carry_through(act, [Lose(model.id, kind) for kind in kinds])
        return Reply(())


TYPED = re.compile(r"\b(?:Size|Mind|Health|Body|Shield|Speed)\s+\d", re.IGNORECASE)
"""The pattern that marks a typed profile, as opposed to a name."""

PAGES = {
    "sol'una": HelpPage(
        (
            "Enter /demo soluna, then press Begin.",
            "Use /sol board show to draw the board.",
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
        return DAWN, MOON

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
        wait_for_begin(act, action, ANYTIME, "SU-SEQ-01")

    def ending(self, encounter: Encounter) -> Sequence[str]:
        lines = []
        for side in encounter.sides():
            side_models = encounter.models(side.id, gone=True)
            alive = [model for model in side_models if model.status != GONE]
            fallen = sum(not is_able(model_of(encounter, row)) for row in alive)
            unable = f", {fallen} unable to act" if fallen else ""
            lines.append(f"{side.name}: {len(alive)} of {times(len(side_models), 'model')} left{unable}.")
        return lines

    def standing(self, encounter: Encounter) -> Sequence[str]:
        return self.ending(encounter)

    def unsettled(self, encounter: Encounter, action: Action) -> str:
        return FLIPS_FIRST if thing_rows(encounter, PENDING) else ""

    def waits(self, encounter: Encounter) -> Wait | None:
        """Return the flips, who acts next by Speed, the next phase. Rules: SU-SEQ-01, SU-ACC-05."""
        if not encounter.row.turn:
            return None if has_board(encounter) else Wait("", "create a board")
        if thing_rows(encounter, PENDING):
            strike = waiting_strikes(encounter)[1][0]
            if not strike.is_open(encounter, settings_of(encounter)):
                return wait_of_model(
                    encounter, strike.attacker, "choose which item takes the Arsenal hits", owed=True
                )
            chooser = strike.attacker if strike.accuracy >= 0 else strike.target
            task = f"choose flips for {encounter.model(chooser).name}"
            return wait_of_model(encounter, chooser, task, owed=True)
        unacted = yet_to_act(encounter)
        if not unacted and is_last_phase(encounter):
            return to_end(encounter)
        if not unacted:
            alone = one_side_left(encounter)
            return to_end(encounter, "Next phase") if alone else Wait("", "start the next phase")
        return wait_of_model(encounter, unacted[0].id, f"act with {unacted[0].name}")

    def panel(self, encounter: Encounter) -> Reply:
        row = encounter.row
        if row.status == "ended":
            return Reply((f"{self.name.upper()}  ended", *self.ending(encounter)))
        phase_text = f"{turn_heading(encounter).lower()} of {settings_of(encounter).phases_per_turn}"
        lines = [f"{self.name.upper()}  {phase_text if row.turn else 'not begun'}", *_board_lines(encounter)]
        if not row.turn:
            lines += [
                f"{side.name}: {times(len(encounter.models(side.id)), 'model')}" for side in encounter.sides()
            ]
            return Reply(
                tuple(lines),
                buttons=opening_buttons(encounter, *_board_buttons(encounter), is_ready=has_board(encounter)),
            )
        lines += [*_turn_lines(encounter), *_state_lines(encounter)]
        return Reply(tuple(lines), buttons=_buttons(encounter), menus=_menus(encounter))

    sets_up = ("sol.board", "sol.object", "sol.light", "sol.place")
    """The board, the things on it, its light, and the models' places."""

    downed = ("killed",)
    """How a model is lost that an enemy took down."""

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
        return [encounter.model(model.id) for model in yet_to_act(encounter)[:1]]

    def acted(self, encounter: Encounter) -> Iterable[int]:
        count = clock_of(encounter).count(settings_of(encounter))
        return [row.id for row in encounter.models() if ModelState(row).acted_phase == count]

    def board(self, encounter: Encounter) -> Attachment | None:
        return draw_board(encounter, board_of(encounter)) if has_board(encounter) else None

    def model_lines(self, encounter: Encounter, model: ModelRow) -> Sequence[str]:
        model_view = model_of(encounter, model)
        profile = model_view.profile
        square = square_of(model)
        position = "not on the board"
        if square:
            position = f"at {at(square)}, facing {FACING_WORDS[facing_of(model)]}"
        points = points_words(model_view, clock_of(encounter), settings_of(encounter))
        lines = [
            f"{model_view.name}, {encounter.side(model.side).name}",
            f"Size {profile.size}, {points}, {position}",
            *grid_lines(model_view),
            *(write_weapon(weapon) for weapon in profile.weapons),
        ]
        lines += [f"{name}: Health {health}" for name, health in model_view.carried()[len(profile.weapons) :]]
        lines += [f"Traits: {', '.join(sorted(profile.traits))}"] if profile.traits else []
        return [*lines, *([", ".join(state_words(model_view))] if state_words(model_view) else [])]

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
            carry_through(act, [Leave(model.id, "killed")])
            return ["It is killed."]
        return []

    def settings(self) -> Sequence[Setting]:
        return SETTINGS


def grid_lines(model: Model) -> list[str]:
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


def _board_lines(encounter: Encounter) -> list[str]:
    if not has_board(encounter):
        return ["No board yet"]
    board = board_of(encounter)
    lines = surroundings(board)
    if told_in_words(encounter):
        return [*lines, *standing_words(encounter)]
    if board.width <= MAX_COLUMNS and board.height <= ROWS_SHOWN:
        letters = letters_of(encounter)
        lines += [
            "```",
            *window(board, letters, artifacts_on_board(encounter)),
            "```",
            *_letter_key_lines(encounter, letters),
        ]
    return lines


def _letter_key_lines(encounter: Encounter, letters: Mapping[int, str]) -> list[str]:
    """Return the models on the board whose letter does not begin their name."""
    standing = [row for row in encounter.models() if square_of(row) is not None and row.id in letters]
    others = [row for row in standing if not row.name.casefold().startswith(letters[row.id].casefold())]
    return [", ".join(f"{letters[row.id]} is {row.name}" for row in others)] if others else []


def _turn_lines(encounter: Encounter) -> list[str]:
    waiting, count = yet_to_act(encounter), clock_of(encounter).count(settings_of(encounter))
    passed = [row.name for row in encounter.models() if ModelState(row).passed == count]
    lines = [f"Still to act: {to_act_words(waiting)}"] if waiting else []
    return [*lines, *([f"Passed: {', '.join(passed)}"] if passed else [])]


def _state_lines(encounter: Encounter) -> list[str]:
    lines = []
    for side in encounter.sides():
        lost_names = [row.name for row in encounter.models(side.id, gone=True) if row.status == GONE]
        lines += [f"Lost by {side.name}: {', '.join(lost_names)}"] if lost_names else []
    models = [model_of(encounter, row) for row in encounter.models()]
    lines += [summary(model) for model in models if state_words(model)]
    unplaced_names = [row.name for row in encounter.models() if square_of(row) is None]
    lines += [f"Not on the board: {', '.join(unplaced_names)}"] if unplaced_names else []
    clouds = len(thing_rows(encounter, CLOUD))
    return [*lines, *([f"Clouds: {clouds}"] if clouds else [])]


def _board_buttons(encounter: Encounter) -> tuple[Button, ...]:
    if has_board(encounter):
        return (Button("Board", ShowBoard(), anytime=True),)
    sample = Button("Use the sample board", NewBoard(), "main", anytime=True)
    return (sample, Button("Create a board", NewBoard(), anytime=True, asks=True))


def _standard_buttons(encounter: Encounter) -> tuple[Button, ...]:
    return (*_board_buttons(encounter), UNDO, Button("Log", ShowLog(), anytime=True))


def _menus(encounter: Encounter) -> tuple[Menu, ...]:
    if not thing_rows(encounter, PENDING):
        return ()
    row, strikes = waiting_strikes(encounter)
    return tuple(things_menus(encounter, row, strikes[0]))


def _buttons(encounter: Encounter) -> tuple[Button, ...]:
    if thing_rows(encounter, PENDING):
        is_open = waiting_strikes(encounter)[1][0].is_open(encounter, settings_of(encounter))
        flips = (Button("Flips", MakeFlips(), "main", anytime=True, asks=True),) if is_open else ()
        return (*flips, *_standard_buttons(encounter))
    unacted = yet_to_act(encounter)
    end_buttons = (END,) if one_side_left(encounter) or (not unacted and is_last_phase(encounter)) else ()
    if not unacted:
        next_button = () if is_last_phase(encounter) else (Button("Next phase", NextStep(asks=True), "main"),)
        return (*end_buttons, *next_button, *_standard_buttons(encounter))
    passing = Button(f"{unacted[0].name} passes", Pass(unacted[0]))
    of_one = len({player_of(encounter, model.id) for model in unacted}) == 1
    going = (Button("Next phase", NextStep(asks=True)),) if of_one else ()
    return (
        passing,
        Button("All my models pass", Pass(unacted[0], every=True)),
        *going,
        *end_buttons,
        *_standard_buttons(encounter),
    )
