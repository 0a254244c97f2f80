"""Hiding under tokens, and detecting: Checks at tokens and things, Challenges against the stealthy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Action
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth import hide_tokens
from bot.games.fracd_earth.check_actions import begin_figure_check
from bot.games.fracd_earth.drawing import (
    Answer,
    Drawing,
    Equal,
    check_chances,
    clash_chances,
    require_no_exchange,
)
from bot.games.fracd_earth.exchange import Exchange, Facts
from bot.games.fracd_earth.fields import acting_figure, trait_field
from bot.games.fracd_earth.figures import (
    activation_of,
    explain_not_acting,
    figure_of,
    keep_activation,
    require_acting,
)
from bot.games.fracd_earth.narration import Narration, side_words, why_lines
from bot.games.fracd_earth.players import deck_of, keep_deck, player_of, shuffle_for, sides_open_to
from bot.games.fracd_earth.settings import settings_of
from bot.games.fracd_earth.state import encounter_state
from bot.games.fracd_earth.steps import begin_challenge, proceed, register_outcome
from bot.replies.reply import Button, Reply, say
from bot.store.rows import ModelRow
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.asking.kinds import Asking, nothing
from bot.table.encounter import EncounterView
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import ANYONE
from bot.table.steps import Chances, in_steps
from rules.refusals import InvalidInput, Missing, forbid
from rules.systems.fracd_earth import challenge as challenges
from rules.systems.fracd_earth import checks, detection, movement, turns
from rules.systems.fracd_earth import deck as decks
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.deck import Prepared
from rules.systems.fracd_earth.detection import Subject, Token
from rules.systems.fracd_earth.profile import HIDDEN
from rules.systems.fracd_earth.turns import Activation
from rules.wording import times

FULL_COVER = "full"
"""Cover of a target that is wholly behind hard cover and does not look out."""

DEFAULT_THING_SIZE = 4
"""The Size of a thing without one."""


@dataclass(frozen=True, slots=True)
class Hide(Action):
    """Hide a figure under a set of tokens.

    Three tokens: the real one and two blanks.
    """

    command = "fe.hide"
    typed = "fe hide"

    figure: ModelRow = acting_figure("Figure that hides")


@dataclass(frozen=True, slots=True)
class Tokens(Action):
    """Show the Hide tokens and which of yours are real.

    Changes nothing.
    """

    command = "fe.tokens"
    typed = "fe tokens"
    decision_of = ANYONE


@dataclass(frozen=True, slots=True)
class Flip(Action):
    """Reveal one of your Hidden figures.

    moves: one moved in sight: stealth, cover as it was.
    """

    command = "fe.reveal"
    typed = "fe reveal"

    figure: ModelRow = acting_figure()
    moves: bool = fields.switch("Moved within sight of an enemy")
    cover: movement.Cover = fields.one_of("Cover after the move", ("none", "soft", "hard"), default="none")


def _read_subject(context: Asking, text: str) -> Token | ModelRow | str:
    """A token by its number, a figure by its whole name, else words for a thing. Raises InvalidInput."""
    encounter = context.act.encounter
    if text.casefold().removeprefix("token").strip().removeprefix("#").isdecimal():
        return hide_tokens.token_named(encounter, text)
    folded_name = text.strip().casefold()
    return next((row for row in encounter.models() if row.name.casefold() == folded_name), text)


def _write_subject(target: Token | ModelRow) -> str:
    return str(target.id) if isinstance(target, Token) else target.name


@dataclass(frozen=True, slots=True)
class Detect(Action):
    """Search for a token, a figure or an object.

    what: a token, a hidden figure, or words for a thing. size: of a thing; hid: successes and Edges of who
    hid it, together; random: draw a card for its difficulty; blocked: no line of sight, or Blocking terrain
    in it. cover: full is Hard Cover that hides all of it, without anyone looking out.
    """

    command = "fe.detect"
    typed = "fe detect"

    observer: ModelRow = acting_figure("Figure that searches")
    what: Token | ModelRow | str = fields.sought(
        "Token number, figure or object to look for",
        nothing,
        _read_subject,
        written=_write_subject,
        needed=True,
        unsaid="",
    )
    sense: detection.Sense = fields.one_of(
        "Search with Notice (Compatible) or Alertness (Free)", ("notice", "alertness"), default="notice"
    )
    trait: str = trait_field("Attribute to use", "mind")
    cover: str = fields.one_of(
        "Target's cover (full if all of it is concealed and it isn't peeking out)",
        ("none", "soft", "hard", "full"),
        default="none",
        fact=True,
    )
    size: int = fields.whole("Size of the hidden object", 0, 20, default=DEFAULT_THING_SIZE, fact=True)
    hid: int = fields.whole("Hider's result (successes plus Edges)", 0, 20, default=0, fact=True)
    random: bool = fields.switch("Draw a card for the difficulty")
    blocked: bool = fields.switch("No clear line of sight, or behind the searcher's back", fact=True)
    other_sense: bool = fields.switch("Uses a sense other than sight", called="other")
    odds: bool = fields.odds()


@handles(Hide, bot_dice=True)
def hide(act: Act, action: Hide) -> Reply:
    """Hide without saying which token is real; no one can hide from an enemy that is acting.

    Rules: FE-HID-01, FE-HID-03, FE-DET-04, FE-ACT-01.
    """
    row, encounter = action.figure, act.encounter
    exchanges.refuse_while_busy(encounter)
    if encounter.condition(row.id, HIDDEN) is not None:
        raise InvalidInput(f"Choose another figure. {row.name} is already Hidden.")
    acting_id = encounter_state(encounter).acting
    enemy = next(
        (model for model in encounter.models() if model.id == acting_id and model.side != row.side), None
    )
    with act.overridable():
        if enemy is not None:
            forbid(f"{row.name} can't hide while {enemy.name} is acting.", "FE-ACT-01")
    numbers = hide_tokens.lay_tokens(encounter, row, act.dice.shuffle(detection.DECOYS + 1, "tokens"))
    token_list = ", ".join(map(str, numbers))
    return say(
        f"{row.name} hides under tokens {token_list}.",
        "One of them is real. /fe tokens shows you which.",
        buttons=[UNDO],
    )


@handles(Tokens)
def show_tokens(act: Act, action: Tokens) -> Reply:
    """Show what the person may know of them. Rules: FE-HID-03, FE-HID-04."""
    encounter = act.encounter
    own_sides: list[int | None] = [*sides_open_to(act)]
    lines = []
    for side in encounter.sides():
        side_tokens = [token for token in hide_tokens.tokens(encounter) if token.side == side.id]
        views = [detection.view(side_tokens, side_id) for side_id in own_sides or [None]]
        known_ids = {view.id for token_views in views for view in token_views if view.known}
        laid_ids = set.intersection(*({view.id for view in token_views} for token_views in views))
        lines += [
            _describe_token(act, token, side.name, token.id in known_ids)
            for token in side_tokens
            if token.id in laid_ids
        ]
        blank_ids = [str(token.id) for token in side_tokens if token.id not in laid_ids]
        lines += [f"Blanks found ({side.name}): {', '.join(blank_ids)}"] if blank_ids else []
    return Reply(("All Hide tokens (only you see this)", *(lines or ["None."])), private=True)


def _describe_token(act: Act, token: Token, side: str, is_known: bool) -> str:
    label = f"Token {token.id} ({side})"
    if not is_known and hide_tokens.owner_of(act.encounter, token) != act.actor.user_id:
        return label
    content = act.encounter.model(token.figure).name if token.figure is not None else "blank"
    return f"{label}: {content}"


@handles(Flip)
def flip(act: Act, action: Flip) -> Reply:
    """Flip a token, by its player or after a move without Stealth and cover. Rules: FE-DET-04, FE-HID-03."""
    row, encounter = action.figure, act.encounter
    exchanges.refuse_while_busy(encounter)
    if encounter.condition(row.id, HIDDEN) is None:
        raise InvalidInput(f"Choose a Hidden figure. {row.name} is not Hidden.")
    if action.cover != "none" and not action.moves:
        raise InvalidInput('Tick "Moved within sight of an enemy" as well, because cover only matters then.')
    stealth = detection.is_stealthy(figure_of(encounter, row))
    if action.moves and detection.stays_hidden(stealth=stealth, moves=True, cover=action.cover):
        return say(f"{row.name} stays Hidden thanks to Stealth and cover.", private=True)
    return say(f"{row.name} reveals itself{hide_tokens.reveal_to_all(encounter, row.id)}.", buttons=[UNDO])


# ------------------------------------------------------------------------------------ detecting


@dataclass(frozen=True, slots=True, eq=False)
class ReadyLook:
    """A look before its cards are drawn. name: what is looked for, in words; players: whose cards they are.

    facts: as they are kept; after: what the observer will have used.
    """

    observer: int
    players: tuple[int, ...]
    mine: Prepared
    subject: Subject
    name: str
    facts: Facts
    after: Activation


@in_steps(Detect, bot_dice=True, may=require_no_exchange)
class DetectSteps(Drawing[Detect, ReadyLook]):
    """All or Nothing. Rules: FE-DET-01, FE-DET-02, FE-DET-05 to FE-DET-10, FE-ACT-08."""

    def prepare(self, act: ActView, action: Detect) -> ReadyLook:
        encounter, settings = act.encounter, settings_of(act.encounter)
        exchanges.refuse_while_busy(encounter)
        row, is_fully_covered = action.observer, action.cover == FULL_COVER
        blocks_detection = movement.blocks_detection(
            "hard", fully_covered=is_fully_covered, looking_out=False
        )
        with act.overridable():
            detection.refuse_detection(
                line_of_sight=not action.blocked,
                crosses_blocking=action.blocked or blocks_detection,
                other_sense=action.other_sense,
            )
        subject, facts, name = _resolve_subject(act, action)
        figure = figure_of(encounter, row)
        prepared = detection.observer_side(figure, action.sense, subject, action.trait, settings)
        activation_after = _use_sense(row, action.sense)
        if action.sense == "notice" and not act.action.looks:
            require_acting(act, row)
        rows = [row]
        if detection.form(subject) == "challenge":
            rows.append(encounter.model(int(facts["figure"])))
        numbers = tuple(player_of(encounter, model) for model in rows)
        return ReadyLook(row.id, numbers, prepared, subject, name, facts, activation_after)

    def chances(self, act: ActView, action: Detect, ready: ReadyLook) -> Chances:
        """Return the chances for the observer's player alone. Rules: FE-DET-05, FE-DET-10."""
        encounter, subject = act.encounter, ready.subject
        row = encounter.model(ready.observer)
        figure = figure_of(encounter, row)
        not_yet = explain_not_acting(encounter, row) if action.sense == "notice" else ""
        if detection.form(subject) == "challenge":
            prepared = detection.hider_side(figure, subject, "acts", settings_of(encounter))
            return clash_chances(
                act,
                row,
                encounter.model(int(ready.facts["figure"])),
                ready.mine,
                [Answer(prepared)],
                equal=Equal("tie (still Hidden)"),
                edges=False,
                not_yet=not_yet,
            )
        if action.random:
            raise InvalidInput('Untick "Draw a card for the difficulty". Odds need a known difficulty.')
        tn = detection.target_number(figure, subject)
        return check_chances(
            act, ready.players[0], ready.mine, tn, all_or_nothing=True, edges=False, not_yet=not_yet
        )

    def do(self, act: Act, action: Detect, ready: ReadyLook) -> Reply:
        encounter = act.encounter
        row = encounter.model(ready.observer)
        if encounter.row.turn:
            keep_activation(row, ready.after)
        facts = ready.facts | {"what": ready.name, "side": row.side}
        subject = ready.subject
        if detection.form(subject) == "challenge":
            return _begin_challenge(act, row, ready, facts)
        extra_lines: list[str] = []
        if action.random:
            icon_count, extra_lines = _draw_random_icons(act, row)
            subject = replace(subject, random_icons=icon_count)
        tn = detection.target_number(figure_of(encounter, row), subject)
        purpose_text = f" to detect {ready.name}"
        reply = begin_figure_check(
            act,
            row,
            ready.mine,
            action.sense,
            tn,
            all_or_nothing=True,
            kind="detect",
            facts=facts,
            purpose_text=purpose_text,
        )
        return replace(reply, lines=(reply.lines[0], *extra_lines, *reply.lines[1:]))


def _resolve_subject(act: ActView, action: Detect) -> tuple[Subject, Facts, str]:
    target, row = action.what, action.observer
    cover: Any = "hard" if action.cover == FULL_COVER else action.cover
    if not isinstance(target, str) and (action.size != DEFAULT_THING_SIZE or action.hid):
        raise InvalidInput("Leave the size and the hider's result blank, because they only apply to objects.")
    if isinstance(target, Token):
        detection.refuse_found(target, row.side)
        return Subject(cover=cover), {"token": target.id}, f"token {target.id}"
    if isinstance(target, ModelRow):
        _require_hidden(act.encounter, row, target)
        return Subject(figure_of(act.encounter, target), cover=cover), {"figure": target.id}, target.name
    if not target.strip():
        raise Missing("Enter what to look for: a token's number, a figure or a word for an object.")
    return Subject(None, action.size, cover, action.hid), {}, " ".join(target.split())[:20]


def _require_hidden(encounter: EncounterView, row: ModelRow, target: ModelRow) -> None:
    """Raise InvalidInput unless a figure hides from this one's side, and not under tokens."""
    if target.side == row.side or not hide_tokens.is_hidden_from(encounter, target.id, row.side):
        raise InvalidInput(f"You don't need to search. You can already see {target.name}.")
    if any(token.figure == target.id for token in hide_tokens.tokens(encounter)):
        raise InvalidInput(f"Choose one of the tokens that {target.name} may be under.")


def _use_sense(row: ModelRow, sense: detection.Sense) -> Activation:
    """Return the observer's used actions: Notice is Compatible, Alertness free. Raises Forbidden.

    Rules: FE-ACT-08, FE-ACT-09.
    """
    activation = activation_of(row)
    if detection.action_of(sense) == "compatible":
        return turns.compatible(activation, "notice")
    return turns.free(activation, "alertness")


def _draw_random_icons(act: Act, row: ModelRow) -> tuple[int, list[str]]:
    """The observer's top card tells the difficulty, and is discarded. Rules: FE-DET-07."""
    encounter, settings = act.encounter, settings_of(act.encounter)
    number = player_of(encounter, row)
    deck = deck_of(encounter, number)
    drawn_card, deck = decks.top_to_table(deck, settings, shuffle_for(act, deck, 1))
    keep_deck(encounter, number, decks.discard(deck, (drawn_card,)))
    card = settings.deck[drawn_card]
    return card.force, [f"Difficulty: {card.key}, {times(card.force, 'Force icon')}."]


def _begin_challenge(act: Act, row: ModelRow, ready: ReadyLook, facts: Facts) -> Reply:
    """Against a figure with Stealth. Rules: FE-DET-10."""
    encounter, settings, prepared = act.encounter, settings_of(act.encounter), ready.mine
    hider = encounter.model(int(facts["figure"]))
    hider_side = detection.hider_side(figure_of(encounter, row), ready.subject, "acts", settings)
    active, reactive = (
        seats.sit(number, side, deck_of(encounter, number))
        for number, side in zip(ready.players, (prepared, hider_side), strict=True)
    )
    details = facts | {"names": [row.name, hider.name], "traits": ["adds", "adds"], "id": row.id}
    narration = Narration(
        [
            f"{row.name} looks for {hider.name}.",
            f"{row.name}: {side_words(prepared)}",
            f"{hider.name}: {side_words(hider_side)}",
        ]
    )
    narration.why += [*why_lines(row.name, prepared), *why_lines(hider.name, hider_side)]
    challenge = begin_challenge(
        act, narration, Exchange("detect", details), active, reactive, all_or_nothing=True
    )
    return proceed(act, narration, challenge)


@register_outcome("detect")
def detect_outcome(act: Act, narration: Narration, exchange: Exchange) -> None:
    """Settle detection: remove a blank, or show the real one to that side. Rules: FE-HID-03, FE-HID-04."""
    encounter, facts = act.encounter, exchange.facts
    if isinstance(exchange.state, challenges.Challenge):
        is_detected = challenges.result(exchange.state).success
    else:
        is_detected = checks.resolve(exchange.check, settings_of(encounter)).achieved
    exchanges.close(encounter, exchange)
    name = facts["names"][0]
    if not is_detected:
        narration.lines.insert(0, f"{name} does not detect {facts['what']}.")
        return
    if "token" in facts:
        narration.lines.insert(0, _reveal_token(act, narration, facts["token"], facts["side"], name))
        return
    if "figure" in facts:
        hide_tokens.show_to_sides(encounter, encounter.model(facts["figure"]), [facts["side"]])
    narration.lines.insert(0, f"{name} detects {facts['what']}.")


def _reveal_token(act: Act, narration: Narration, number: int, side: int, name: str) -> str:
    """Describe what is under a detected token, publicly if every enemy of its owner has found it.

    Rules: FE-HID-03.
    """
    encounter = act.encounter
    try:
        found_token = hide_tokens.find_for_side(encounter, number, side)
    except InvalidInput:
        return f"{name} looks for token {number}, which is already gone."
    if not found_token.by_all:
        narration.buttons.append(Button("See what it is", Tokens(), anytime=True))
        return f"{name} detects token {number}."
    if found_token.figure is None:
        return f"{name} finds that token {number} is a blank."
    return f"{name} finds that token {number} is {encounter.model(found_token.figure).name}."
