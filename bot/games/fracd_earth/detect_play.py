"""Hiding under tokens, and detecting: Checks at tokens and things, Challenges against the stealthy."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth import suggestions, veils
from bot.games.fracd_earth.check_play import begin, trait_named
from bot.games.fracd_earth.drawing import Answer, Drawing, Equal, check_chances, clash_chances, nothing_else
from bot.games.fracd_earth.exchange import Exchange, Facts
from bot.games.fracd_earth.figures import (
    activation_of,
    figure_of,
    keep_activation,
    not_acting,
    own,
    require_acting,
)
from bot.games.fracd_earth.players import deck_of, keep_deck, order_for, player_of, sides_of
from bot.games.fracd_earth.readings import settings_of
from bot.games.fracd_earth.steps import begin_challenge, outcome, proceed
from bot.games.fracd_earth.telling import UNDO, Telling, draw_words, times, why_lines
from bot.replies.reply import Button, Reply, say
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.handlers import handles
from bot.table.steps import Chances, in_steps
from rules.refusals import InvalidInput
from rules.systems.fracd_earth import actions, checks, detection, hidden, obstacles
from rules.systems.fracd_earth import challenge as challenges
from rules.systems.fracd_earth import deck as decks
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.actions import Activation
from rules.systems.fracd_earth.detection import Subject
from rules.systems.fracd_earth.draws import Prepared
from rules.systems.fracd_earth.hidden import Token
from rules.systems.fracd_earth.profile import HIDDEN

FULL = "full"
"""Cover of who is wholly behind hard cover and does not look out."""


@dataclass(frozen=True, slots=True)
class Hide(Action):
    """Go under a set of tokens.

    Three tokens: the real one and two blanks.
    """

    command = "fe.hide"
    typed = "fe hide"

    figure: str = fields.words("Who hides", offering.own_model, needed=True, called="model")


@dataclass(frozen=True, slots=True)
class Tokens(Action):
    """The tokens, and which of yours are real.

    Changes nothing.
    """

    command = "fe.tokens"
    typed = "fe tokens"


@dataclass(frozen=True, slots=True)
class Flip(Action):
    """Show a hidden figure of yours.

    moves: one moved in sight: stealth, cover as it was.
    """

    command = "fe.reveal"
    typed = "fe reveal"

    figure: str = fields.words("Who", offering.own_model, needed=True, called="model")
    moves: bool = fields.switch("It moved in sight")
    cover: str = fields.word_of("What it moved behind", ("none", "soft", "hard"), default="none")


@dataclass(frozen=True, slots=True)
class Detect(Action):
    """Look for a token, a figure or a thing.

    what: a token's number, a hidden figure, or words for a thing. sense: notice or alertness; size: of a
    thing; hid: successes and Edges of who hid it, together; random: draw a card for its difficulty;
    blocked: no line of sight, or Blocking terrain in it. cover: full is Hard Cover that hides all of it,
    with nobody looking out.
    """

    command = "fe.detect"
    typed = "fe detect"

    observer: str = fields.words("Who looks", offering.own_model, needed=True, called="model")
    what: str = fields.text("A token's number, a figure, a thing", None, needed=True)
    sense: str = fields.word_of(
        "Notice is Compatible, Alertness free", ("notice", "alertness"), default="notice"
    )
    trait: str = fields.words("The Attribute used", suggestions.traits, default="mind")
    cover: str = fields.word_of(
        "What it is behind; full: wholly, not looking out", ("none", "soft", "hard", "full"), default="none"
    )
    size: int = fields.whole("Of a thing", 0, 20, default=4)
    hid: int = fields.whole("Success and Edges of who hid it", 0, 20, default=0)
    random: bool = fields.switch("Draw its difficulty")
    blocked: bool = fields.switch("No free line of sight, or behind its back")
    other_sense: bool = fields.switch("A sense without sight", called="other")
    odds: bool = fields.odds("Only the chances, to you alone")


@handles(Hide, bot_dice=True)
def hide(act: Act, action: Hide) -> Reply:
    """Nobody is told which token is real. Rules: FE-HID-01, FE-HID-03, FE-DET-04."""
    row, _ = own(act, action.figure)
    encounter = act.encounter
    exchanges.refuse_second(encounter)
    if encounter.condition(row.id, HIDDEN) is not None:
        raise InvalidInput(f"{row.name} is hidden already.")
    act.canonical = Hide(f"#{row.id}")
    numbers = veils.lay(encounter, row, act.dice.shuffle(hidden.DECOYS + 1, "tokens"))
    listed = ", ".join(map(str, numbers))
    return say(
        f"{row.name} hides: tokens {listed}.", "One is real. /fe tokens tells you yours.", buttons=[UNDO]
    )


@handles(Tokens)
def tokens(act: Act, action: Tokens) -> Reply:
    """What the asker may know of them. Rules: FE-HID-03, FE-HID-04."""
    encounter = act.encounter
    mine: list[int | None] = [*sides_of(act)]
    lines = []
    for side in encounter.sides():
        laid = [token for token in veils.tokens(encounter) if token.side == side.id]
        views = [hidden.view(laid, each) for each in mine or [None]]
        known = {view.id for one in views for view in one if view.known}
        left = set.intersection(*({view.id for view in one} for one in views))
        lines += [_token_line(act, token, side.name, token.id in known) for token in laid if token.id in left]
        found = [str(token.id) for token in laid if token.id not in left]
        lines += [f"Blanks found ({side.name}): {', '.join(found)}"] if found else []
    return Reply(("Tokens. Only you see this.", *(lines or ["None."])), private=True)


def _token_line(act: Act, token: Token, side: str, known: bool) -> str:
    """A token with what it is, for who may know it and for whose figure hides there."""
    named = f"Token {token.id} ({side})"
    if not known and veils.owner_of(act.encounter, token) != act.actor.user_id:
        return named
    what = act.encounter.model(token.figure).name if token.figure is not None else "blank"
    return f"{named}: {what}"


@handles(Flip)
def flip(act: Act, action: Flip) -> Reply:
    """By its player, or because it moved without Stealth and cover. Rules: FE-DET-04, FE-HID-03."""
    row, figure = own(act, action.figure)
    encounter = act.encounter
    exchanges.refuse_second(encounter)
    if encounter.condition(row.id, HIDDEN) is None:
        raise InvalidInput(f"{row.name} is in the open.")
    stealth = detection.is_stealthy(figure)
    if action.moves and detection.stays_hidden(stealth=stealth, moves=True, cover=action.cover):  # type: ignore[arg-type]
        return say(f"{row.name} stays hidden: Stealth and cover.", private=True)
    return say(f"{row.name} shows itself{veils.reveal(encounter, row.id)}.", buttons=[UNDO])


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


@in_steps(Detect, bot_dice=True, may=nothing_else)
class DetectSteps(Drawing[Detect, ReadyLook]):
    """All or Nothing. Rules: FE-DET-01, FE-DET-02, FE-DET-05 to FE-DET-10, FE-ACT-08."""

    def prepare(self, act: Act, action: Detect) -> ReadyLook:
        """What is looked for, and whether it may be seen at all. Raises InvalidInput, Forbidden."""
        encounter, settings = act.encounter, settings_of(act.encounter)
        exchanges.refuse_second(encounter)
        row, figure = own(act, action.observer)
        if action.sense not in ("notice", "alertness"):
            raise InvalidInput("An observer uses Notice or Alertness.")
        full = action.cover == FULL
        action = replace(action, cover="hard") if full else action
        covered = obstacles.blocks_detection("hard", fully_covered=full, looking_out=False)
        with act.overridable():
            detection.refuse_detection(
                line_of_sight=not action.blocked,
                crosses_blocking=action.blocked or covered,
                other_sense=action.other_sense,
            )
        subject, facts, name = _subject(act, action, row)
        trait = trait_named(action.trait)
        mine = detection.observer_side(figure, action.sense, subject, trait, settings)  # type: ignore[arg-type]
        cover = FULL if full else action.cover
        act.canonical = replace(action, observer=f"#{row.id}", cover=cover, odds=False)
        after = _used(row, action.sense)
        if action.sense == "notice" and not act.looks:
            require_acting(act, row)
        seen = [row]
        if detection.form(subject) == "challenge":
            seen.append(encounter.model(int(facts["figure"])))
        numbers = tuple(player_of(encounter, each) for each in seen)
        return ReadyLook(row.id, numbers, mine, subject, name, facts, after)

    def chances(self, act: Act, action: Detect, ready: ReadyLook) -> Chances:
        """Before it is drawn for, to the observer's player alone. Rules: FE-DET-05, FE-DET-10."""
        encounter, subject = act.encounter, ready.subject
        row = encounter.model(ready.observer)
        figure = figure_of(encounter, row)
        not_yet = not_acting(encounter, row) if action.sense == "notice" else ""
        if detection.form(subject) == "challenge":
            theirs = detection.hider_side(figure, subject, "acts", settings_of(encounter))
            return clash_chances(
                act,
                row,
                encounter.model(int(ready.facts["figure"])),
                ready.mine,
                [Answer(theirs)],
                equal=Equal("equal: hidden"),
                edges=False,
                not_yet=not_yet,
            )
        if action.random:
            raise InvalidInput("Its difficulty is drawn first: ask without it, or draw.")
        tn = detection.target_number(figure, subject)
        return check_chances(
            act, ready.players[0], ready.mine, tn, strictly=True, edges=False, not_yet=not_yet
        )

    def do(self, act: Act, action: Detect, ready: ReadyLook) -> Reply:
        """What it takes is used, and the cards are drawn."""
        encounter = act.encounter
        row = encounter.model(ready.observer)
        if encounter.row.turn:
            keep_activation(row, ready.after)
        facts = ready.facts | {"what": ready.name, "side": row.side}
        subject = ready.subject
        if detection.form(subject) == "challenge":
            return _challenge(act, row, ready, facts)
        extra: list[str] = []
        if action.random:
            icons, extra = _random_icons(act, row)
            subject = replace(subject, random_icons=icons)
        tn = detection.target_number(figure_of(encounter, row), subject)
        label = f"{action.sense} at {ready.name}"
        reply = begin(act, row, ready.mine, label, tn, strictly=True, kind="detect", facts=facts)
        return replace(reply, lines=(reply.lines[0], *extra, *reply.lines[1:]))


def _subject(act: Act, action: Detect, row: ModelRow) -> tuple[Subject, Facts, str]:
    """What is looked for. A token is a thing of no known size, whoever lies under it."""
    encounter = act.encounter
    if action.cover not in ("none", "soft", "hard"):
        raise InvalidInput("Cover is none, soft, hard or full.")
    text = action.what.casefold().removeprefix("token").strip().removeprefix("#")
    if text.isdecimal():
        token = veils.token_named(encounter, text)
        hidden.refuse_found(token, row.side)
        return Subject(cover=action.cover), {"token": token.id}, f"token {token.id}"  # type: ignore[arg-type]
    known = [model for model in encounter.models() if model.name.casefold() == action.what.strip().casefold()]
    if known:
        return _figure_subject(act, action, row, known[0])
    if not action.what.strip():
        raise InvalidInput("What is looked for? A token's number, a figure, or a word for a thing.")
    subject = Subject(None, action.size, action.cover, action.hid)  # type: ignore[arg-type]
    return subject, {}, " ".join(action.what.split())[:20]


def _figure_subject(act: Act, action: Detect, row: ModelRow, target: ModelRow) -> tuple[Subject, Facts, str]:
    encounter = act.encounter
    if target.side == row.side or not veils.hidden_from(encounter, target.id, row.side):
        raise InvalidInput(f"{target.name} is not hidden from you.")
    if any(token.figure == target.id for token in veils.tokens(encounter)):
        raise InvalidInput(f"{target.name} hides under tokens: detect one of these.")
    subject = Subject(figure_of(encounter, target), cover=action.cover)  # type: ignore[arg-type]
    return subject, {"figure": target.id}, target.name


def _used(row: ModelRow, sense: str) -> Activation:
    """What the observer will have used. Notice is a Compatible action, Alertness free. Raises Forbidden.

    Rules: FE-ACT-08, FE-ACT-09.
    """
    used = activation_of(row)
    if detection.action_of(sense) == "compatible":  # type: ignore[arg-type]
        return actions.compatible(used, "notice")
    return actions.free(used, "alertness")


def _random_icons(act: Act, row: ModelRow) -> tuple[int, list[str]]:
    """The observer's top card tells the difficulty, and is discarded. Rules: FE-DET-07."""
    encounter, settings = act.encounter, settings_of(act.encounter)
    number = player_of(encounter, row)
    deck = deck_of(encounter, number)
    drawn, deck = decks.top_to_table(deck, settings, order_for(act, deck, 1))
    keep_deck(encounter, number, decks.discard(deck, (drawn,)))
    card = settings.deck[drawn]
    return card.force, [f"Difficulty: {card.key}, {times(card.force, 'Force icon')}."]


def _challenge(act: Act, row: ModelRow, ready: ReadyLook, facts: Facts) -> Reply:
    """Against a figure with Stealth. Rules: FE-DET-10."""
    encounter, settings, mine = act.encounter, settings_of(act.encounter), ready.mine
    hider = encounter.model(int(facts["figure"]))
    theirs = detection.hider_side(figure_of(encounter, row), ready.subject, "acts", settings)
    active, reactive = (
        seats.sit(number, side, deck_of(encounter, number))
        for number, side in zip(ready.players, (mine, theirs), strict=True)
    )
    known = facts | {"names": [row.name, hider.name], "traits": ["adds", "adds"], "id": row.id}
    telling = Telling(
        [
            f"{row.name} looks for {hider.name}.",
            f"{row.name}: {draw_words(mine)}, adds {mine.trait}",
            f"{hider.name}: {draw_words(theirs)}, adds {theirs.trait}",
        ]
    )
    telling.why += [*why_lines(row.name, mine), *why_lines(hider.name, theirs)]
    begun = begin_challenge(act, telling, Exchange("detect", known), active, reactive, strictly=True)
    return proceed(act, telling, begun)


@outcome("detect")
def detect_outcome(act: Act, telling: Telling, exchange: Exchange) -> None:
    """Detected or not. A blank is removed; the real one is seen by that side. Rules: FE-HID-03, FE-HID-04."""
    encounter, facts = act.encounter, exchange.facts
    if isinstance(exchange.state, challenges.Challenge):
        won = challenges.result(exchange.state).success
    else:
        won = checks.resolve(exchange.check, settings_of(encounter)).achieved
    exchanges.close(encounter, exchange)
    name = facts["names"][0]
    if not won:
        telling.lines.insert(0, f"{name} does not detect {facts['what']}.")
        return
    if "token" in facts:
        telling.lines.insert(0, _turned_up(act, telling, facts["token"], facts["side"], name))
        return
    if "figure" in facts:
        veils.show(encounter, encounter.model(facts["figure"]), [facts["side"]])
    telling.lines.insert(0, f"{name} detects {facts['what']}.")


def _turned_up(act: Act, telling: Telling, number: int, side: int, name: str) -> str:
    """What lies under a token that was detected; told aloud where every enemy of its owner has found it.

    Rules: FE-HID-03.
    """
    encounter = act.encounter
    try:
        found = veils.find(encounter, number, side)
    except InvalidInput:
        return f"{name}: token {number} is gone."
    if not found.by_all:
        telling.buttons.append(Button("What is it?", Tokens(), anytime=True))
        return f"{name} detects token {number}."
    if found.figure is None:
        return f"{name} detects token {number}: a blank."
    return f"{name} detects token {number}: {encounter.model(found.figure).name}."
