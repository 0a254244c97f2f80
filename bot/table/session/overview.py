"""How a game stands, for the page: read from the game's rows, and only what its status tells anybody."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from bot.actions import BadId, part_of
from bot.ids import unpack
from bot.overview import Control, GameStanding, Ground, ModelStanding, Picture, PlannedRoute, SideStanding
from bot.replies.fit import FENCE
from bot.store.book import Loaded, Scope
from bot.store.rows import ModelRow, SideRow, TokenRow
from bot.store.side_tables import stored_pictures
from bot.store.store import Store
from bot.table.act import Actor
from bot.table.asking.descriptions import typed_line
from bot.table.asking.kinds import TableKind
from bot.table.board import showing
from bot.table.board.routes import BoardPath, KnowsPaces, planned
from bot.table.board.showing import HiddenModel
from bot.table.board.surface import NO_BOARD, board_of, has_board, require_board
from bot.table.encounter import ENDED, GONE, Encounter
from bot.table.game import DrawsBoard, Game, RemembersActs, TakesDown, activated, game_of
from bot.table.journal.log import ShowLog
from bot.table.offers.legal_actions import Looking
from bot.table.owners import Role, owner_of
from bot.table.reaction_windows import waits
from bot.table.session.board_actions import (
    NOT_ALLOWED,
    HideModel,
    MoveModel,
    PlaceModel,
    explain_uncounted,
    find_own_move,
    format_route,
    noted,
    outside_words,
    placed,
)
from bot.table.session.card import make_game_card, side_acting, side_waited_for
from bot.table.session.encounters import JoinEncounter
from bot.table.waits import awaited, opening, people_named

NOT_IN_PLAY = "That model is no longer in play."
MAX_CACHED = 8
"""Games that are kept with what was drawn of them: people who see the same get the same drawing."""
CLOCK_GAP = "  "
"""The separator between a game's name and its clock on the first line of its panel."""


class GameOverviews:
    """Reads the games of a store for the page."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._encounters: OrderedDict[Scope, Encounter] = OrderedDict()

    def control(self, custom_id: str) -> Control:
        """Return what a button does; nothing for one of an older version."""
        try:
            action = unpack(custom_id).action
        except BadId:
            return Control()
        is_for_all = action.for_all or owner_of(action.command).role in (Role.ANYONE, Role.SELF)
        return Control(is_for_all, isinstance(action, JoinEncounter), isinstance(action, ShowLog))

    def pointed(self, custom_id: str, field: str) -> str:
        """Return how a field is pointed out on the board; empty for one of an older version."""
        try:
            kind = part_of(unpack(custom_id).action.command, field).kind
        except (BadId, LookupError):
            return ""
        return kind.pointed if isinstance(kind, TableKind) else ""

    async def _loaded(self, channel_id: int) -> Loaded | None:
        scope = await self._store.running_encounter(channel_id)
        scope = scope or await self._store.last_in_channel(channel_id, kind="encounter")
        loaded = await self._store.load(scope) if scope else None
        return loaded if loaded is not None and loaded.scope.tip else None

    async def standing(self, channel_id: int) -> GameStanding | None:
        """Return how the game stands, as anybody may know."""
        loaded = await self._loaded(channel_id)
        if loaded is None:
            return None
        encounter = self._encounter(loaded)
        return encounter.worked_out(
            build_standing, lambda: build_standing(encounter, loaded.scope.moved, _find_ground(encounter, 0))
        )

    async def ground(self, channel_id: int, user_id: int) -> Ground | None:
        """Return the board in inches as this person may see it."""
        loaded = await self._loaded(channel_id)
        return _find_ground(self._encounter(loaded), user_id) if loaded is not None else None

    def _encounter(self, loaded: Loaded) -> Encounter:
        """Return the game to read from, the same for everyone until it goes on."""
        if loaded.scope not in self._encounters:
            self._encounters[loaded.scope] = Encounter(loaded.book())
            while len(self._encounters) > MAX_CACHED:
                self._encounters.popitem(last=False)
        return self._encounters[loaded.scope]

    async def photo(self, channel_id: int, digest: str) -> bytes:
        """Return the photograph under the board by its hash; empty if it isn't there."""
        loaded = await self._loaded(channel_id)
        board = board_of(Encounter(loaded.book())) if loaded is not None else None
        if loaded is None or board is None or board.photo is None or board.photo.digest != digest:
            return b""
        return (await stored_pictures(self._store, loaded.scope.guild_id, [digest])).get(digest, b"")

    async def route(
        self, channel_id: int, user_id: int, model: int, where: str, level: float
    ) -> PlannedRoute:
        """Return what happens if this person moves a model along a route, up to a level unless it is 0."""
        loaded = await self._loaded(channel_id)
        if loaded is None:
            return PlannedRoute(NO_BOARD)
        encounter = Encounter(loaded.book())
        looking = Looking(encounter.book, Actor(user_id, "", encounter.row.guild_id, channel_id))
        if model < 0:
            return _noted(encounter, looking, model, where)
        row = next((candidate for candidate in encounter.models() if candidate.id == model), None)
        if row is None:
            return PlannedRoute(NOT_IN_PLAY)
        end_level = level or -1.0
        if not encounter.row.turn:
            place = PlaceModel(row, where, level=end_level)
            refusal = looking.refusal(place)
            return PlannedRoute(
                refusal, told="" if refusal else outside_words(encounter, row.side, placed(encounter, place))
            )
        move = MoveModel(row, where, level=end_level)
        if refusal := looking.refusal(move):
            return PlannedRoute(refusal)
        path = planned(encounter, model, format_route(move))
        paces, own_move = _measure_paces(encounter, row, path), find_own_move(looking.act(move), path)
        if own_move is None:
            return PlannedRoute(refused=explain_uncounted(encounter, path), paces=paces)
        if own_move.action is None:
            return PlannedRoute(refused=" ".join((NOT_ALLOWED, *own_move.refused)), paces=paces)
        told = " ".join(own_move.refused)
        return PlannedRoute(label=own_move.label, line=typed_line(own_move.action), told=told, paces=paces)


def _noted(encounter: Encounter, looking: Looking, number: int, where: str) -> PlannedRoute:
    """Return what it would be if the person who looks noted a hidden model there. number: below 0."""
    for hidden in showing.hidden_models(encounter, looking.actor.user_id):
        if hidden.key == str(-number):
            note = HideModel(encounter.side(hidden.side), hidden.key, where)
            refusal = looking.refusal(note)
            told = "" if refusal else outside_words(encounter, hidden.side, noted(encounter, note))
            return PlannedRoute(refusal, told=told)
    return PlannedRoute(NOT_IN_PLAY)


def _measure_paces(encounter: Encounter, model: ModelRow, path: BoardPath | None = None) -> Sequence[float]:
    """Return how far the moves of a model take it in hundredths of an inch; empty if that is unknown."""
    game = game_of(encounter)
    paces = game.paces(encounter, model, path) if isinstance(game, KnowsPaces) else ()
    return tuple(round(pace, 2) for pace in paces)


def _find_ground(encounter: Encounter, user_id: int) -> Ground | None:
    """Return the board as a person sees it: the same one for all who see the same."""
    if not has_board(encounter):
        return None
    own_models = tuple(model for model in encounter.models() if encounter.plays(user_id, model))
    hidden = tuple(showing.hidden_models(encounter, user_id))
    question = (ground_of, hidden, tuple(model.id for model in own_models))
    return encounter.worked_out(question, lambda: ground_of(encounter, user_id, hidden, own_models))


def ground_of(
    encounter: Encounter, user_id: int, hidden: Sequence[HiddenModel], own_models: Sequence[ModelRow]
) -> Ground:
    """Return the board as a person sees it who plays these models, hidden ones among them."""
    board = require_board(encounter)
    notes = {-int(one.key): typed_line(HideModel(encounter.side(one.side), one.key)) for one in hidden}
    return Ground(
        showing.svg(encounter, user_id),
        tuple(showing.standing_lines(encounter, user_id)),
        {model.id: _measure_paces(encounter, model) for model in own_models} | dict.fromkeys(notes, ()),
        activated(encounter),
        board.photo is not None,
        bool(encounter.row.turn),
        notes,
    )


def build_standing(encounter: Encounter, last_entry: int, ground: Ground | None) -> GameStanding:
    """Return how a game stands. last_entry: by which it went on last. ground: as anybody may see it."""
    game, row = game_of(encounter), encounter.row
    card = make_game_card(encounter, last_entry, ())
    next_side, wait = side_waited_for(card) or side_acting(card), awaited(encounter, waits, last_entry)
    acted_ids = set(game.acted(encounter)) if isinstance(game, RemembersActs) and row.turn else set[int]()
    first_line, *_ = game.panel(encounter).lines or ("",)
    board = game.board(encounter) if isinstance(game, DrawsBoard) else None
    return GameStanding(
        row.system,
        row.name,
        row.turn,
        row.turns,
        first_line.partition(CLOCK_GAP)[2].strip() if row.turn else "not begun yet",
        row.status == ENDED,
        " ".join(opening(encounter, waits, last_entry)),
        tuple(
            _build_side(encounter, game, side, number, card.activated, acted_ids, is_next=next_side is side)
            for number, side in enumerate(encounter.sides(), 1)
        ),
        Picture(board.data, board.words) if board is not None else None,
        ground,
        people_named(encounter, wait.whom) if wait is not None and row.status != ENDED else (),
    )


def _build_side(
    encounter: Encounter,
    game: Game,
    side: SideRow,
    side_number: int,
    acting_ids: tuple[int, ...],
    acted_ids: set[int],
    *,
    is_next: bool,
) -> SideStanding:
    decider_ids = encounter.deciders(side.id)
    players = [player for player in encounter.players() if player.user_id in decider_ids]
    downed_reasons = game.downed if isinstance(game, TakesDown) else ()
    models = [
        _build_model(encounter, game, model, acting_ids, acted_ids)
        for model in encounter.models(side.id, gone=True)
        if model.status != GONE or model.left_how in downed_reasons
    ]
    tokens = sum(row.inside for row in encounter.book.all(TokenRow) if row.kind == side.id)
    return SideStanding(
        side_number,
        side.name,
        tuple(player.name for player in players),
        tuple(player.user_id for player in players),
        tuple(models),
        tokens,
        is_next,
    )


def _build_model(
    encounter: Encounter, game: Game, model: ModelRow, acting_ids: tuple[int, ...], acted_ids: set[int]
) -> ModelStanding:
    life = game.life(model)
    return ModelStanding(
        model.name,
        max(0, life - model.damage),
        life,
        game.model_summary(encounter, model).partition(": ")[2],
        tuple(line for line in game.model_lines(encounter, model)[1:] if not line.startswith(FENCE)),
        model.id in acting_ids,
        model.id in acted_ids,
        model.left_how if model.status == GONE else "",
    )
