"""The actions that a person may do now: each is tried, and the reason of a refusal is noted."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, islice
from typing import Any

from bot.actions import (
    ODDS,
    Action,
    Part,
    Raw,
    action_of,
    part_of,
    part_of_doer,
    parts,
    raw_of,
    with_sorted_lists,
)
from bot.replies.reply import Button
from bot.store.book import Book
from bot.table.act import Act, Actor, NotAllowed
from bot.table.asking.descriptions import needed, options_of
from bot.table.asking.kinds import MAX_CHOICES, Asking, Number, Offer, OneOf, Switch, TableKind
from bot.table.asking.offering import own_sides
from bot.table.asking.reading import (
    Fields,
    called,
    noticed,
    read_leniently,
    read_part,
    read_up_to,
    understood,
    written,
)
from bot.table.asking.server_kinds import Elsewhere
from bot.table.asking.table_kinds import Models, SeveralModels
from bot.table.board.facts import Fact
from bot.table.board.surface import has_board
from bot.table.handlers import HANDLERS
from bot.table.odds_budget import Thinking
from bot.table.owners import Role, owner_of, require_owner
from rules.dice import Source
from rules.refusals import Forbidden, InvalidInput

MAX_TRIES = 40
"""Ways to fill in one action that are tried until one of them is possible."""

MAX_WAYS = 120
"""Ways that are looked at, those among them that are refused like one before."""

MAX_MODELS = 12
"""Models of an optional field that are each tried with other values in the rest; of more, one way each."""

LIKELY_NUMBERS = (1, 6, 2, 12, 0)
"""Numbers that are tried where any may stand."""

FieldValues = Mapping[str, Raw]

Refusal = InvalidInput | Forbidden

Known = tuple[str, str, Any]
"""A field as it is said: the action's key, its name, what is written in it."""


class WouldThrow(Exception):
    """Raised if dice would be thrown now, because nothing has refused the action before."""


class NeedsOwnWords(Exception):
    """Something must be said in a person's own words: nothing can be tried."""


@dataclass(frozen=True, slots=True)
class Legal:
    """An action that may be asked, filled in with its likeliest possible values, or the reason why it may
    not.

    reason: empty if it may be done. not_theirs: it is another person's decision. whatever: it is refused with
    any values, though its chances may still be asked. waivable: an organiser's reason lets it pass. asks:
    only a value is missing for which its form asks, so the reason is not a refusal.
    """

    action: Action
    reason: str = ""
    not_theirs: bool = False
    whatever: bool = False
    waivable: bool = False
    asks: bool = False

    @property
    def may_be_tried(self) -> bool:
        """Return whether it may be done, or its form asks for what is missing."""
        return not self.reason or self.asks


@dataclass(frozen=True, slots=True)
class Objection:
    """The refusal of an action, the fields that caused it, and whether an organiser's reason lets it pass."""

    by: Refusal
    depends_on: Collection[str] = ()
    waivable: bool = False

    @property
    def is_anothers(self) -> bool:
        """Return whether it is another person's decision."""
        return isinstance(self.by, NotAllowed)

    def may_change(self, names: Collection[str]) -> bool:
        """Return whether it may be done with something else in these fields."""
        return not self.is_anothers and not set(names).isdisjoint(self.depends_on)


class Looking:
    """The table as one person sees it, to try things on; nothing that is tried stays."""

    __slots__ = ("_book", "_encounter", "_known", "actor")

    def __init__(self, book: Book, actor: Actor) -> None:
        self._book = book
        self.actor = actor
        self._encounter: Any = None
        self._known: dict[Known, Any] | None = None

    def act(self, action: Action, extra: Any = None) -> Act:
        """Return an act that throws no dice and is never carried through."""
        act = Act(self._book, self.actor, action, _throws, extra=extra, tries=True)
        if self._encounter is None and act.has_encounter:
            self._encounter = act.encounter
        act.share(self._encounter)
        return act

    def refusal(self, action: Action, extra: Any = None) -> str:
        """Return why an action that is wholly filled in may not be done now; empty where it may.

        extra: what its handler reads beforehand.
        """
        return _words(self._tried(action, extra))

    def refusal_typed(self, action: Action, extra: Any = None) -> str:
        """Return the same for the action that results if this one is typed or filled in."""
        return _words(self._tried_typed(action, extra))

    def _tried(self, action: Action, extra: Any, looked_at: Collection[str] = ()) -> Objection | None:
        """Return the refusal of an action, or None if it may be done. looked_at: what else it depends on."""
        act = self.act(action, extra)
        trial = Trial(act, action, self._known)
        try:
            trial.take()
        except WouldThrow:
            return None
        except (InvalidInput, Forbidden) as refusal:
            return Objection(
                refusal.with_traceback(None), trial.depends_on.union(looked_at), _may_be_waived(refusal)
            )
        finally:
            self._put_back()
        return None

    def _tried_typed(self, action: Action, extra: Any) -> Objection | None:
        looked_at: set[str] = set()
        typed = noticed(action, looked_at)
        try:
            typed_action = typed.as_typed_action()
        except InvalidInput as refusal:
            return Objection(refusal.with_traceback(None), looked_at)
        if typed_action is typed:
            return self._tried(action, extra, looked_at)
        return self._tried(typed_action, extra, {part.name for part in parts(action.command)})

    def chances(self, action: Action, thinking: Thinking) -> Sequence[str]:
        """Return the lines about the chances of an action as it is. A refused action has none."""
        question = (Looking.chances, self.actor, action)
        return self._book.work_out(question, lambda: self._chances(action, thinking))

    def _chances(self, action: Action, thinking: Thinking) -> Sequence[str]:
        act = self.act(action)
        act.thinking = thinking
        handler = HANDLERS[action.command]
        try:
            with act.passing():
                handler.permit(act, action)
                ready = understood(act, action)
                return (handler.weigh or handler.run)(act, ready).lines
        except (InvalidInput, Forbidden, WouldThrow):
            return ()
        finally:
            self._put_back()

    def objection(self, button: Button) -> Objection | None:
        """Return what refuses a button, whatever is filled in; None where nothing does, or where only the
        database knows.
        """
        action, asks = button.action, button.asks
        question = (Looking.objection, self.actor, asks, action.command, *raw_of(action).items())
        return self._book.work_out(question, lambda: self._objection(action, asks=asks))

    def _objection(self, action: Action, *, asks: bool) -> Objection | None:
        refused = self._barred(action)
        if refused is None and not asks and HANDLERS[action.command].beforehand is None:
            refused = self._tried(action, None)
        return refused

    def barred(self, action: Action) -> str:
        """Return why the acting person may not do it now, whatever is entered; "" if they may."""
        return _words(self._barred(action))

    def _barred(self, action: Action) -> Objection | None:
        act = self.act(action)
        try:
            with act.passing():
                handler, next_field = HANDLERS[action.command], _after_who(action.command)
                strict = next_field is not None and _says_who(action)
                so_far = (read_up_to if strict else read_leniently)(act, action, next_field or "")
                partial_action = replace(action, **so_far)
                handler.permit(act, partial_action)
                is_known = next_field is None or None not in so_far.values()
                if _depends_on_person_alone(action.command):
                    require_owner(act, partial_action)
                if handler.may is not None and is_known and not act.action.looks:
                    handler.may(act, partial_action)
        except (InvalidInput, Forbidden) as refusal:
            return Objection(refusal.with_traceback(None), (), _may_be_waived(refusal))
        finally:
            self._put_back()
        return None

    def _put_back(self) -> None:
        if self._book.is_touched:
            self._book.put_back()
            self._encounter = None
            self._known = None if self._known is None else {}

    def offers(self, action: Action, name: str) -> Sequence[Offer]:
        """Return the possible values of a field after the fields before it; empty if the table refuses."""
        question = (Looking.offers, self.actor, action.command, name, *raw_of(action).items())
        return self._book.work_out(question, lambda: self._offers(action, name))

    def _offers(self, action: Action, name: str) -> Sequence[Offer]:
        try:
            return self._offered(action, name)
        except (InvalidInput, Forbidden):
            return []

    def _offered(self, action: Action, name: str) -> Sequence[Offer]:
        """Return the same offers. Raises InvalidInput, Forbidden."""
        part = part_of(action.command, name)
        assert isinstance(part.kind, TableKind)
        act = self.act(action)
        return part.kind.offers(Asking(act, called(part), read_leniently(act, action, name)))

    def meant(self, action: Action, part: Part) -> Sequence[Offer]:
        """Return the possible values of a field, without friends where it is for an enemy and there is one:
        a friend in the place of an enemy can be typed.
        """
        offers = self.offers(action, part.name)
        if not (isinstance(part.kind, Models) and part.kind.against):
            return offers
        act = self.act(action)
        own_side_ids = own_sides(act, action)
        return [
            offer for offer in offers if act.encounter.find_model(str(offer.value)).side not in own_side_ids
        ] or offers

    # ------------------------------------------------------------- all that may be done

    def legal(self, kind: type[Action], values: FieldValues | None = None, extra: Any = None) -> Legal:
        """Return one action: filled in as it may be done, or with what refuses it.

        values: fields that are fixed. extra: what its handler reads beforehand.
        """
        if extra is not None:
            return self._legal(kind, values, extra)
        question = (Looking.legal, self.actor, kind, *(values or {}).items())
        return self._book.work_out(question, lambda: self._legal(kind, values, None))

    def _legal(self, kind: type[Action], values: FieldValues | None, extra: Any) -> Legal:
        first = action_of(kind.command, values or {})
        legal = self._barred(first)
        if legal or (extra is None and HANDLERS[kind.command].beforehand is not None):
            return _told(first, legal)
        names = _open(kind.command, tuple(sorted(values or ())))
        each_first = self._filled(first, names, wide=False) if values else ()
        attempts = enumerate(chain(each_first, self._filled(first, names)))
        barred, settled, self._known = Barring(names), frozenset[str](), {}
        untold = False
        try:
            for attempt, filled in attempts:
                if attempt == MAX_WAYS or barred.tries == MAX_TRIES:
                    break
                if barred.knows(filled):
                    continue
                refused = self._tried_typed(filled, extra)
                if refused is None:
                    return Legal(filled)
                legal = legal or refused
                legal = replace(legal, depends_on={*legal.depends_on, *refused.depends_on})
                if not barred.learn(filled, refused.depends_on):
                    break
            else:
                settled = frozenset(name for name in names if is_closed(first.command, name))
        except NeedsOwnWords:
            untold = True
        finally:
            self._known = None
        if untold:
            refused = self._tried_typed(self._begun(first, names), extra)
            return Legal(first) if refused is None or refused.may_change(names) else _told(first, refused)
        return _told(first, legal, settled) if legal else _told(first, self._withheld(first, names))

    def hopeless(self, action: Action, blanks: Collection[str], extra: Any = None) -> str:
        """Return why an action is refused whatever is filled into these fields; "" if something may pass
        or the person may override it.
        """
        refused = self._tried_typed(action, extra)
        if refused is None or refused.may_change(blanks):
            return ""
        act = self.act(action, extra)
        overrides = refused.waivable and act.has_organiser and act.is_organiser
        return "" if overrides else refused.by.sentence

    def takes(self, action: Action, blanks: Set[str], *, at_once: bool) -> bool:
        """Return whether an action may be done, or only asks for more, as it is or with something else in one
        of these fields; where one of them tells who does it, with something else in all required ones.

        at_once: only the first is tried, and what these fields may change is taken.
        """
        question = (Looking.takes, self.actor, action, frozenset(blanks), at_once)
        return self._book.work_out(question, lambda: self._takes(action, blanks, at_once))

    def _takes(self, action: Action, blanks: Set[str], at_once: bool) -> bool:
        barred, refused = Barring(sorted(blanks)), self._tried_typed(action, None)
        if refused is None or refused.by.asks:
            return True
        if at_once or not refused.may_change(blanks):
            return refused.may_change(blanks)
        barred.learn(action, refused.depends_on)
        doer_part = part_of_doer(action.command)
        if doer_part is not None and doer_part.name in blanks:
            kept_values = {name: value for name, value in raw_of(action).items() if name not in blanks}
            if self.legal(type(action), kept_values).may_be_tried:
                return True
        for variant in self.changed(action, blanks):
            if barred.knows(variant):
                continue
            refused = self._tried_typed(variant, None)
            if refused is None or refused.by.asks:
                return True
            if not barred.learn(variant, refused.depends_on):
                return False
        return False

    def changed(self, action: Action, blanks: Set[str]) -> Iterator[Action]:
        """Yield the action with each other value in one of these fields."""
        for part in parts(action.command):
            kind = part.kind
            if part.name not in blanks - {ODDS} or not isinstance(kind, TableKind):
                continue
            current = getattr(action, part.name)
            if isinstance(kind, Switch):
                values: Sequence[Raw] = [part.default if current else written(part, True)]
            else:
                values = [in_form(part, offer.value) for offer in self.meant(action, part)]
            if not values and isinstance(kind, Number):
                values = _numbers(part)
            yield from (replace(action, **{part.name: value}) for value in values if value != current)

    def refused_first(self, legal: Legal, values: FieldValues, extra: Any = None) -> bool:
        """Return whether the objection comes before anything is filled in, so that even odds are refused.

        values, extra: those with which it was found.
        """
        if legal.not_theirs or not legal.whatever or ODDS not in asked_in_form(legal.action):
            return legal.not_theirs or legal.whatever
        return self.legal(type(legal.action), {**values, ODDS: True}, extra).whatever

    def _withheld(self, action: Action, names: Sequence[str]) -> Objection:
        """Return why nothing is offered for the first required one of these fields."""
        for name in names[:1]:
            try:
                self._offered(action, name)
            except (InvalidInput, Forbidden) as refusal:
                return Objection(refusal.with_traceback(None), names)
        return Objection(InvalidInput("There is nothing to choose from at the moment."), names)

    def _begun(self, action: Action, names: Sequence[str]) -> Action:
        """Return the action with the likeliest value in each field, and placeholder words for free text."""
        for name in names:
            part = part_of(action.command, name)
            assert isinstance(part.kind, TableKind)
            offers = self.offers(action, name)
            value: Raw = offers[0].value if offers else "words" if part.wire is str else part.unsaid
            if offers and part.wire == tuple[str, ...]:
                value = part.kind.typed(value)
            action = replace(action, **{name: value})
        return action

    def has_board(self, action: Action) -> bool:
        """Return whether the game of an action has a shared board."""
        act = self.act(action)
        return act.has_encounter and has_board(act.encounter)

    def measured(self, action: Action, part: Part) -> Fact | None:
        """Return what the board measures for a field by what an action says before it; None for nothing."""
        if not isinstance(part.kind, TableKind) or part.kind.measures is None:
            return None
        if not self.has_board(action):
            return None
        act = self.act(action)
        values = read_leniently(act, action, part.name)
        return part.kind.measures(Asking(act, called(part), values))

    def _filled(self, action: Action, names: Sequence[str], *, wide: bool = True) -> Iterator[Action]:
        """Yield the action with all required fields filled in, likeliest first. Raises Untold.

        wide: every way; otherwise each of the first field with what is likeliest in the others.
        """
        if not names:
            yield action
            return
        part = part_of(action.command, names[0])
        assert isinstance(part.kind, TableKind)
        values: list[Raw] = [offer.value for offer in self.meant(action, part)]
        if part.wire == tuple[str, ...]:
            values = [part.kind.typed(value) for value in values]
        if self.measured(action, part) is not None:
            values = [part.unsaid]
        elif not values and not part.kind.suggests:
            values = _numbers(part)
        if not part.kind.needed and part.unsaid not in values:
            values.append(part.unsaid)
        for value in values:
            filled = replace(action, **{names[0]: value})
            yield from islice(self._filled(filled, names[1:], wide=wide), None if wide else 1)


def not_asked_again(command: str) -> set[str]:
    """Return the field that a form does not ask once it is said: who does it, or what it is done with.

    What is typed in words of one's own, a number or several names can always be said better.
    """
    doer_part = part_of_doer(command)
    if (
        doer_part is None
        or not isinstance(doer_part.kind, TableKind)
        or isinstance(doer_part.kind, Elsewhere)
    ):
        return set()
    is_suggested = doer_part.wire is str and doer_part.kind.suggests and not doer_part.kind.notation
    return {doer_part.name} if is_suggested else set()


def asked_in_form(action: Action) -> set[str]:
    """Return the fields that may be filled in where the form of this action is opened."""
    entered = not_asked_again(action.command) & raw_of(action).keys()
    return {
        part.name
        for part in parts(action.command)
        if part.kind.help and part.name not in entered and not _is_known_before(part)
    }


def _is_known_before(part: Part) -> bool:
    return isinstance(part.kind, Elsewhere) and not part.kind.in_forms


def _may_be_waived(refusal: Refusal) -> bool:
    return isinstance(refusal, Forbidden) and refusal.waivable


def _words(refused: Objection | None) -> str:
    return refused.by.sentence if refused is not None else ""


def is_closed(command: str, name: str) -> bool:
    """Return whether nothing but what is offered can be meant in a field."""
    kind = part_of(command, name).kind
    assert isinstance(kind, TableKind)
    return kind.wire is str and kind.suggests and not (kind.freely or kind.notation)


def _told(action: Action, refused: Objection | None, settled: Collection[str] = ()) -> Legal:
    """Return the action with its refusal, and whether a form could change that.

    settled: fields of which all that may be meant was tried in vain.
    """
    if refused is None:
        return Legal(action)
    whatever = not refused.may_change(asked_in_form(action) - set(settled))
    cause, question = refused.by, refused.by.asks
    return Legal(action, cause.sentence, isinstance(cause, NotAllowed), whatever, refused.waivable, question)


class Trial:
    """One try of an action that is wholly filled in. depends_on: the fields that were looked at for it.

    known: what fields were read into before, on the same table, by what they say alone.
    """

    __slots__ = ("_act", "_action", "_known", "_needs", "_read", "_used")

    def __init__(self, act: Act, action: Action, known_answers: dict[Known, Any] | None) -> None:
        self._act = act
        self._action = action
        self._known = known_answers
        self._used: set[str] = set()
        self._needs: dict[str, set[str]] = {}
        self._read = Fields()

    def take(self) -> None:
        """Read it, and do it as far as its first die. Raises InvalidInput, Forbidden, Throws."""
        act, handler = self._act, HANDLERS[self._action.command]
        with act.passing():
            act.action = noticed(self._action, self._used)
            handler.permit(act, act.action)
            for part in parts(self._action.command):
                if part.meant and getattr(self._action, part.name) is part.default:
                    self._read[part.name] = part.meant[0]
                else:
                    self._take_in(part)
            self._read.seen = set()  # what is copied is not what the last field needed
            ordered = noticed(with_sorted_lists(replace(self._action, **self._read)), self._used)
            self._read.seen = set()
            act.action = act.canonical = ordered
            require_owner(act, ordered)
            if handler.may is not None and not act.action.looks:
                handler.may(act, ordered)
            (handler.prepare or handler.run)(act, ordered)

    def _take_in(self, part: Part) -> None:
        value, used_before = getattr(self._action, part.name), len(self._used)
        key = (self._action.command, part.name, value)
        if self._known is not None and key in self._known:
            self._read[part.name], self._needs[part.name] = self._known[key], {part.name}
            return
        self._read.seen = seen_names = {part.name}
        self._read[part.name] = read_value = read_part(self._act, part, value, self._read)
        self._needs[part.name] = seen_names if len(seen_names) == 1 else self._with_needs(seen_names)
        if self._known is not None and len(seen_names) == 1 and len(self._used) == used_before:
            self._known[key] = read_value

    def _with_needs(self, names: set[str]) -> set[str]:
        return names.union(*(self._needs.get(name, ()) for name in names))

    @property
    def depends_on(self) -> set[str]:
        """Return the fields that were looked at, with those that decided what was read from them."""
        return self._with_needs(self._used | self._read.seen)


class Barring:
    """What is known not to be possible: values of some fields that are refused whatever the others are.

    tries: how many ways were tried.
    """

    __slots__ = ("_known", "_open", "tries")

    def __init__(self, names: Sequence[str]) -> None:
        self._open = names
        self.tries = 0
        self._known: dict[tuple[str, ...], set[tuple[Raw, ...]]] = {}

    def knows(self, filled: Action) -> bool:
        """Return whether an action is refused like one before it."""
        return any(
            tuple([getattr(filled, name) for name in names]) in values
            for names, values in self._known.items()
        )

    def learn(self, filled: Action, depends_on: Collection[str]) -> bool:
        """Note that an action is refused because of these fields; return whether others may be possible."""
        self.tries += 1
        names = tuple(name for name in self._open if name in depends_on)
        self._known.setdefault(names, set()).add(tuple(getattr(filled, name) for name in names))
        return bool(names)


def _numbers(part: Part) -> list[Raw]:
    """Numbers to try in a field that nothing is offered for. Raises Untold for words."""
    kind = part.kind
    if not isinstance(kind, Number):
        raise NeedsOwnWords
    lowest = kind.least if kind.least is not None else 0
    highest = kind.most if kind.most is not None else float("inf")
    numbers = dict.fromkeys((*(number for number in LIKELY_NUMBERS if lowest <= number <= highest), lowest))
    return [part.wire(number) for number in numbers]


@cache
def _open(command: str, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part.name for part in parts(command) if part.name not in names and _must(part))


def _must(part: Part) -> bool:
    kind = part.kind
    return isinstance(kind, TableKind) and (kind.needed or kind.wanted) and not isinstance(kind, Elsewhere)


@cache
def _after_who(command: str) -> str | None:
    """Return the first field after the acting one, "" without one, or None if no field says who acts."""
    names = [part.name for part in parts(command)]
    doer_places = [
        n for n, part in enumerate(parts(command)) if isinstance(part.kind, Models) and part.kind.mine
    ]
    return next(iter(names[doer_places[0] + 1 :]), "") if doer_places else None


def _says_who(action: Action) -> bool:
    """Return whether an action begins with an acting model that is named."""
    first = parts(action.command)[0]
    is_own = isinstance(first.kind, Models) and first.kind.mine
    return is_own and getattr(action, first.name) != first.default


def _depends_on_person_alone(command: str) -> bool:
    """Return whether the person alone tells who decides, whatever is filled in."""
    return owner_of(command).role in (Role.PLAYER, Role.ORGANISER)


class _Fall:
    """Dice that are not thrown: a rule refuses what it refuses before its first die."""

    def faces(self, n: int, sides: int, label: str) -> Sequence[int]:
        """Raise Throws, because no dice may be rolled."""
        raise WouldThrow


def _throws(act: Act) -> Source:
    return _Fall()


def in_form(part: Part, value: Raw) -> Raw:
    """Return an offer as the field stores it; if several are written separately, one of them."""
    is_list = part.wire == tuple[str, ...] and isinstance(part.kind, TableKind)
    return part.kind.typed(value) if is_list else value  # type: ignore[attr-defined]


def possible(looking: Looking, action: Action, part: Part, offers: Sequence[Offer]) -> list[Offer]:
    """Return the possible values of a required choice, or those that only ask for more, or all.

    Of optional words, those that may be possible by what else is filled in.
    """
    if not needed(part):
        at_once = isinstance(part.kind, Models) and len(offers) > MAX_MODELS
        return [
            offer
            for offer in offers
            if may_be_said(looking, action, part, in_form(part, offer.value), at_once=at_once)
        ]
    doer_part, values = part_of_doer(action.command), raw_of(action)
    always_kept_names = {doer_part.name} if doer_part is not None else set[str]()
    always_kept_names |= {field.name for field in parts(action.command) if isinstance(field.kind, OneOf)}
    if action.looks:
        always_kept_names |= {ODDS}
    kept_values = {name: values[name] for name in always_kept_names & set(values) if name != part.name}

    switches = [box for box in options_of(type(action)) if isinstance(box.kind, Switch) and box.name != ODDS]

    def fits(value: Raw) -> bool:
        so_far = {**kept_values, part.name: value}
        variants = [so_far, *({**so_far, tick.name: written(tick, True)} for tick in switches)]
        return any(looking.legal(type(action), variant).may_be_tried for variant in variants)

    possible_offers = [offer for offer in offers[:MAX_CHOICES] if fits(in_form(part, offer.value))]
    return possible_offers or list(offers)


def may_be_said(looking: Looking, action: Action, part: Part, value: Raw, *, at_once: bool = False) -> bool:
    """Return whether an optional field may have this value, with something else in the other fields if
    need be. While the action is refused without it, everything may.
    """
    if not (isinstance(part.kind, OneOf | Switch | SeveralModels) or is_closed(action.command, part.name)):
        return True
    if HANDLERS[action.command].beforehand is not None:
        return True
    if not looking.legal(type(action), raw_of(action)).may_be_tried:
        return True
    attempt, others = replace(action, **{part.name: value}), asked_in_form(action) - {part.name}
    return looking.takes(attempt, others, at_once=at_once)
