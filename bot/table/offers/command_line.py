"""One line for everything, such as `shoot trapper 7 c1 order`, understood by the declarations of actions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import islice
from typing import Any

from bot.actions import ACTIONS, ODDS, Action, Part, Raw, has_chances
from bot.replies.chances import in_short
from bot.table.asking.descriptions import needed
from bot.table.asking.kinds import Number, Offer, Switch, TableKind
from bot.table.asking.reading import called, written
from bot.table.game import is_wanted
from bot.table.handlers import HANDLERS
from bot.table.odds_budget import Thinking, now
from bot.table.offers.forms import command_words, find_doer_field, open_parts, parse_bounded, title_of
from bot.table.offers.legal_actions import FieldValues, Legal, Looking
from rules.refusals import Forbidden, InvalidInput, Missing

MAX_LINE_LENGTH = 100
MAX_NAME_WORDS_LENGTH = 4
SHORT = 2
"""Letters of a word that is too short to find a name, because many names begin with it."""

MIN_SWITCH_LENGTH = 3
MAX_NAMED = 8

MAX_AT_ONCE, MAX_TRIED = 2, 8
"""Whole lines beside the word for something that rolls, and how many are tried for them."""

MAX_ACTORS, FEW = 4, 5
"""How many possible acting models are tried if none acts, your own first; all of them if a line can begin few
actions.
"""

MAX_TURNED = 12
"""Actions, likeliest first, that are tried for a line which does not begin with what is done."""

FILLING = frozenset({"at", "with", "on", "in", "to", "the", "by", "from", "of"})
"""Words that people put between, and that say nothing here."""

Kinds = Sequence[type[Action]]
"""The possible actions, likeliest first."""


class Unsaid(InvalidInput):
    """Something that must be said was not. action: with all that was."""

    def __init__(self, sentence: str, action: Action) -> None:
        super().__init__(sentence)
        self.action = action


@dataclass(frozen=True, slots=True)
class Begun:
    """A line as far as it says what is done. words: those that say more."""

    kind: type[Action]
    words: tuple[str, ...]


# ------------------------------------------------------------------------------------ what is done


def match_actions(line: str, kinds: Kinds) -> list[Begun]:
    """Return the actions that the first words of a line may begin, those with most words used first, then
    likeliest first.
    """
    words = _split_words(line)
    if not words:
        return []
    first = words[0].casefold()
    candidates = [
        entry for entry in _group_by_letter(tuple(kinds)).get(first[:1], ()) if entry[1][0].startswith(first)
    ]
    longest = max((len(name) for _, name in candidates), default=0)
    for count in range(min(len(words), longest), 0, -1):
        head = tuple(word.casefold() for word in words[:count])
        matching = [(kind, name) for kind, name in candidates if _begins_title(head, name)]
        exact = [kind for kind, name in matching if head == name]
        if matching:
            distinct = dict.fromkeys(exact or [kind for kind, _ in matching])
            return [Begun(kind, tuple(words[count:])) for kind in distinct]
    return []


def format_head(kind: type[Action]) -> str:
    """Return what is done, as a line begins with it: its title."""
    return title_of(kind).lower().rstrip(".")


@lru_cache
def _group_by_letter(
    kinds: tuple[type[Action], ...],
) -> dict[str, list[tuple[type[Action], tuple[str, ...]]]]:
    by_letter: dict[str, list[tuple[type[Action], tuple[str, ...]]]] = {}
    for kind in kinds:
        for name in _list_heads(kind.command):
            by_letter.setdefault(name[0][:1], []).append((kind, name))
    return by_letter


@cache
def _list_heads(command: str) -> tuple[tuple[str, ...], ...]:
    """Return the words that a line may begin with: those of its title, or of its command."""
    kind = ACTIONS[command]
    names = (tuple(name.casefold().split()) for name in (format_head(kind), command_words(kind)))
    return tuple(name for name in names if name)


def _split_words(line: str) -> list[str]:
    """Return the words. Quoted text is one word, even if the closing quotation mark is missing."""
    words = re.findall(r'"([^"]*)(?:"|$)|(\S+)', line)
    return [quoted or unquoted for quoted, unquoted in words if quoted or unquoted]


def _begins_title(head: Sequence[str], title: Sequence[str]) -> bool:
    """Return whether each word begins that of a title in its place."""
    return len(head) <= len(title) and all(
        title_word.startswith(word) for word, title_word in zip(head, title, strict=False)
    )


# ------------------------------------------------------------------------------------ all that is said


def read_line(looking: Looking, line: str, kinds: Kinds, model_name: str = "") -> Action:
    """Return the action that a line asks. model_name: who acts where the line does not say it, as `#3`.

    Raises InvalidInput with what is not understood, and what would be; Unsaid for what says too little.
    """
    matches = match_actions(line, kinds)
    if not matches:
        raise InvalidInput(f"Begin with an action, such as {_format_titles(kinds)}.")
    if len(matches) > 1 and not matches[0].words and _is_group(line, matches):
        raise InvalidInput(
            f"Choose one of these actions: {_format_titles([match.kind for match in matches])}."
        )
    actions: list[Action] = []
    refused: InvalidInput | None = None
    for match in matches:
        try:
            actions.append(_Reader(looking, match.kind, model_name).read(match.words))
        except InvalidInput as refusal:
            refused = refused or refusal
    if len(actions) > 1:
        return _choose_meant(looking, actions)
    if actions:
        return actions[0]
    assert refused is not None
    if len(matches) > 1 and not matches[0].words:
        raise InvalidInput(
            f"Choose one of these actions: {_format_titles([match.kind for match in matches])}."
        )
    raise refused


def _is_group(line: str, matches: Sequence[Begun]) -> bool:
    """Return whether a line is only the whole words that several longer names begin with."""
    head = tuple(word.casefold() for word in _split_words(line))
    names_of_each = [_list_heads(match.kind.command) for match in matches]
    return all(any(name[: len(head)] == head for name in names) for names in names_of_each) and not any(
        head in names for names in names_of_each
    )


def _choose_meant(looking: Looking, actions: Sequence[Action]) -> Action:
    """Return the possible one of several actions that a line may mean. Raises InvalidInput for more."""
    possible = [action for action in actions if _is_possible(looking, action)] or actions
    if len({title_of(type(action)) for action in possible}) > 1:
        raise InvalidInput(
            f"Choose one of these actions: {_format_titles([type(action) for action in possible])}."
        )
    return possible[0]


def _is_possible(looking: Looking, action: Action) -> bool:
    """Return whether nothing is known that refuses an action now."""
    return HANDLERS[action.command].beforehand is not None or not looking.refusal_typed(action)


def _format_titles(kinds: Kinds) -> str:
    return ", ".join(list(dict.fromkeys(format_head(kind) for kind in kinds))[:MAX_NAMED])


class _Reader:
    """Reads the words of one line into the fields of one action."""

    def __init__(self, looking: Looking, kind: type[Action], model_name: str) -> None:
        self.looking = looking
        self.kind = kind
        self.fields = open_parts(kind.command)
        self.said: dict[str, Raw] = {}
        self.who = find_doer_field(kind) if model_name else None
        self.acting = model_name

    def read(self, words: Sequence[str]) -> Action:
        """Return the action. Raises InvalidInput."""
        self.take(words)
        missing = [
            part
            for part in self.open()
            if part != self.who and isinstance(part.kind, TableKind) and part.kind.needed
        ]
        if missing:
            names = ", ".join(f"{called(part)} ({part.kind.help.lower()})" for part in missing)
            raise Unsaid(f"For {title_of(self.kind)}, also enter {names}.", self.action())
        return self.action()

    def take(self, words: Sequence[str]) -> None:
        """Read all these words. Raises InvalidInput."""
        remaining = words
        while remaining:
            remaining = remaining[self._taken(remaining) :]

    def action(self) -> Action:
        """Return the fields typed so far, with the acting model."""
        acting = {self.who.name: self.acting} if self.who is not None else {}
        return replace(self.kind(), **{**acting, **self.said})

    def _taken(self, words: Sequence[str]) -> int:
        """Return how many of the next words were understood. Raises InvalidInput where none is."""
        for read_word in (self._pair, self._number, self._switch, self._name):
            count = read_word(words)
            if count:
                return count
        if words[0].casefold() in FILLING:
            return 1
        names = ", ".join(called(part) for part in self.open())
        sentence = f'I don\'t understand "{words[0][:30]}" in {title_of(self.kind)}.'
        raise InvalidInput(f"{sentence} You can enter {names}." if names else f"{sentence} Leave it out.")

    def open(self) -> list[Part]:
        """Return the fields that the line has not filled in; who acts comes last where that is known."""
        unsaid = [part for part in self.fields if part.name not in self.said]
        return sorted(unsaid, key=lambda part: part == self.who)

    def _pair(self, words: Sequence[str]) -> int:
        name, colon, value = words[0].partition(":")
        part = next((field for field in self.fields if called(field) == name.casefold()), None)
        if not colon or part is None:
            return 0
        count = 1
        if not value and len(words) > 1:
            value, count = words[1], 2
        self._say(part, value)
        return count

    def _number(self, words: Sequence[str]) -> int:
        match = re.fullmatch(r"([A-Za-z]*?)(-?\d+(?:\.\d+)?)(?:in|\")?", words[0])
        if match is None:
            return 0
        letters, number = match[1].casefold(), match[2]
        for part in self.open():
            if isinstance(part.kind, Number) and (called(part).startswith(letters)):
                self._say(part, number)
                return 1
        return 0

    def _switch(self, words: Sequence[str]) -> int:
        word = words[0].casefold().replace("_", " ")
        if len(word) < MIN_SWITCH_LENGTH:
            return 0
        for part in self.open():
            if isinstance(part.kind, Switch) and called(part).replace("_", " ").startswith(word):
                self.said[part.name] = written(part, True)
                return 1
        return 0

    def _name(self, words: Sequence[str]) -> int:
        """Return the longest run of words that names a possible value. Raises InvalidInput for several."""
        action = self.action()
        candidates = [part for part in self.open() if not isinstance(part.kind, Number | Switch)]
        for count in range(min(len(words), MAX_NAME_WORDS_LENGTH), 0, -1):
            text = " ".join(words[:count])
            for part in candidates:
                offers = find_meant(text, self.looking.offers(action, part.name))
                if len({str(offer.value) for offer in offers}) == 1:
                    self._say(part, offers[0].value)
                    return count
                if offers:
                    names = ", ".join(offer.label for offer in offers[:MAX_NAMED])
                    raise Missing(f"Which {called(part)} do you mean? You can choose {names}.")
        return 0

    def _say(self, part: Part, value: Raw) -> None:
        raw = written(part, parse_bounded(part, value) if isinstance(value, str) else value)
        if raw is not None:
            self.said[part.name] = raw


def find_meant(text: str, offers: Iterable[Offer]) -> list[Offer]:
    """Return the values that the text means: it equals one, begins one, or is one of its words."""
    typed = text.casefold()
    labelled = [(label, offer) for offer in offers if typed in (label := offer.label.casefold())]
    matchers: tuple[Callable[[str], bool], ...] = (
        lambda label: label == typed,
        lambda label: label.startswith(typed),
        lambda label: any(word.startswith(typed) for word in label.split()),
    )
    for is_match in matchers:
        matching = [offer for label, offer in labelled if is_match(label)]
        if matching:
            return matching
    return []


# ------------------------------------------------------------------------------------ what may be said next


def complete_line(looking: Looking, line: str, kinds: Kinds, model_name: str = "") -> Iterator[str]:
    """Yield the possible completions of this line, likeliest first."""
    matches = match_actions(line, kinds)
    if not matches and line.strip():
        yield from _complete_without_action(looking, line, kinds, model_name)
        return
    if not matches or (not matches[0].words and not line.endswith(" ")):
        for kind in [best.kind for best in matches] or kinds:
            legal = _find_legal(looking, kind, model_name, wide=0 < len(matches) <= FEW)
            if not legal.reason and (matches or _is_likely(looking, legal)):
                yield format_head(kind)
                yield from _complete_targets(looking, kind, model_name)
        if len(line.strip()) >= SHORT:
            yield from _complete_without_action(looking, line, kinds, model_name)
        return
    yield from _longer_heads(looking, line, kinds, model_name)
    best = matches[0]
    head = format_head(best.kind)
    last = int(bool(best.words) and not line.endswith(" "))
    for count in range(last, min(len(best.words), MAX_NAME_WORDS_LENGTH) + 1):
        words, stem = (best.words[: len(best.words) - count], " ".join(best.words[len(best.words) - count :]))
        reader = _Reader(looking, best.kind, model_name)
        with suppress(InvalidInput):
            reader.take(words)
            typed_before = " ".join((head, *(_quoted(word) for word in words)))
            if stem and count == last:
                yield f"{typed_before} {_quoted(stem)}"
            yield from (f"{typed_before} {text}" for text in _continue_line(looking, reader, stem))
            return


def _continue_line(looking: Looking, reader: _Reader, stem: str) -> Iterator[str]:
    """Return what may be typed next, in any open field, that continues this half name."""
    for part in reader.open():
        if part != reader.who:
            yield from (text for text in _list_texts(looking, reader, part) if _continues(text, stem))


def _continues(text: str, stem: str) -> bool:
    """Return whether what may be said begins so, or one of its words does."""
    return f" {stem.casefold()}" in f" {text.casefold()}".replace('"', "")


def _complete_without_action(looking: Looking, line: str, kinds: Kinds, model_name: str) -> Iterator[str]:
    """Yield lines for words that begin no action, or name a thing: what may be done with it, in order."""
    words = _split_words(line)
    for kind in kinds[:MAX_TURNED]:
        lines = list(_complete_named(looking, kind, model_name, line))
        yield from lines
        if lines:
            continue
        reader = _Reader(looking, kind, model_name)
        try:
            reader.take(words)
        except InvalidInput:
            continue
        if reader.said and not _find_legal(looking, kind, model_name, reader.said).reason:
            yield " ".join((format_head(kind), *(_quoted(word) for word in words)))


def _complete_named(looking: Looking, kind: type[Action], model_name: str, line: str) -> Iterator[str]:
    """Yield what is possible with each thing whose name continues the line."""
    return _complete_first_field(
        looking, kind, model_name, lambda legal: not legal.reason, stem=" ".join(_split_words(line))
    )


def _longer_heads(looking: Looking, line: str, kinds: Kinds, model_name: str) -> Iterator[str]:
    """Yield longer heads that begin with the words of the line."""
    stem = " ".join(line.casefold().split()) + " "
    for kind in kinds if line.endswith(" ") else ():
        if format_head(kind).startswith(stem) and not _find_legal(looking, kind, model_name).reason:
            yield format_head(kind)


def _quoted(word: str) -> str:
    return f'"{word}"' if " " in word else word


def _complete_targets(looking: Looking, kind: type[Action], model_name: str) -> Iterator[str]:
    """Return whole lines for an action with a target: one for each possible target, likeliest first."""
    if not has_chances(kind.command):
        return iter(())
    likeliest = _find_legal(looking, kind, model_name)
    return _complete_first_field(looking, kind, model_name, partial(_is_likely, looking), tried=likeliest)


def _complete_first_field(
    looking: Looking,
    kind: type[Action],
    model_name: str,
    passes: Callable[[Legal], bool],
    *,
    stem: str = "",
    tried: Legal | None = None,
) -> Iterator[str]:
    """Yield lines with the first required field: the first few that are possible.

    stem: how what is said there goes on. tried: the action as it was tried before.
    """
    reader = _Reader(looking, kind, model_name)
    part = next((candidate for candidate in reader.open() if candidate != reader.who), None)
    if part is None or not isinstance(part.kind, TableKind) or not (part.kind.needed and part.kind.suggests):
        return
    first = _fill_in_actor(kind, model_name)
    known_legal = {getattr(tried.action, part.name): tried} if tried is not None else {}
    possible = (
        text
        for text, value in _list_values(looking, reader, part, stem)
        if passes(known_legal.get(value) or looking.legal(kind, {**first, part.name: value}))
    )
    for text in islice(possible, MAX_AT_ONCE):
        yield f"{format_head(kind)} {text}"


def _find_legal(
    looking: Looking,
    kind: type[Action],
    model_name: str,
    fixed: FieldValues | None = None,
    *,
    wide: bool = False,
) -> Legal:
    """Return whether an action may be done by the acting model, or if none acts by one of the first models.

    fixed: fixed fields. wide: by any model.
    """
    actor_part, fixed = find_doer_field(kind), {**_fill_in_actor(kind, model_name), **(fixed or {})}
    if wide or actor_part is None or actor_part.name in fixed or not needed(actor_part):
        return looking.legal(kind, fixed)
    all_values = [
        {actor_part.name: offer.value, **fixed}
        for offer in looking.offers(kind(), actor_part.name)[:MAX_ACTORS]
    ]
    for values in all_values or [fixed]:
        legal = looking.legal(kind, values)
        if not legal.reason:
            break
    return legal


def _is_likely(looking: Looking, legal: Legal) -> bool:
    """Return whether something may be done, and is what a player may want now."""
    act = looking.act(legal.action)
    return not legal.reason and (not act.has_encounter or is_wanted(act.encounter, legal.action))


def _list_values(looking: Looking, reader: _Reader, part: Part, stem: str = "") -> Iterator[tuple[str, Raw]]:
    """Return the first few values of a field that continue a half name, as words of a line and as they are
    written.
    """
    limit = MAX_ACTORS if part == find_doer_field(reader.kind) else MAX_TRIED
    worded_offers = (
        (_format_offer(offer), offer.value) for offer in looking.offers(reader.action(), part.name)
    )
    return islice(((text, value) for text, value in worded_offers if _continues(text, stem)), limit)


def _format_offer(offer: Offer) -> str:
    return f'"{offer.label}"' if " " in offer.label and "," in offer.label else offer.label


def _list_texts(looking: Looking, reader: _Reader, part: Part) -> list[str]:
    if isinstance(part.kind, Switch):
        return [called(part)]
    offers = looking.offers(reader.action(), part.name)
    if isinstance(part.kind, Number):
        return [f"{called(part)}:{offer.value:g}" for offer in offers if isinstance(offer.value, int | float)]
    return [
        _format_offer(offer) if len(offer.label) > SHORT else f"{called(part)}:{offer.label}"
        for offer in offers
    ]


def _fill_in_actor(kind: type[Action], model_name: str) -> Mapping[str, Any]:
    first = find_doer_field(kind)
    return {first.name: model_name} if model_name and first is not None else {}


MAX_TOLD, MAX_READ = 6, 8
"""Lines that chances are told of, and how many are read for them."""

MAX_NEW = 2
"""How many of them are computed at once, because all players wait while one types."""

SECONDS = 0.3
"""Time for all of them."""


def compute_chances(
    looking: Looking, lines: Sequence[str], kinds: Kinds, doer: str = "", clock: Callable[[], float] = now
) -> Mapping[str, str]:
    """Return the chances of what these lines ask, in short; only of what is possible, and of the first few.

    What was told before, while the table stands as it does, costs nothing: there is more by the next letter.
    """
    deadline, thinking, chances = clock() + SECONDS, Thinking(SECONDS, clock=clock), dict[str, str]()
    new_chances = 0
    with_odds = (
        line for line in lines if any(has_chances(match.kind.command) for match in match_actions(line, kinds))
    )
    for line in islice(with_odds, MAX_READ):
        if len(chances) == MAX_TOLD or new_chances == MAX_NEW or clock() >= deadline:
            break
        try:
            action = read_line(looking, line, kinds, doer).as_typed_action()
        except (InvalidInput, Forbidden):
            continue
        if not has_chances(action.command) or looking.refusal(action):
            continue
        spent_before = thinking.spent
        with thinking.sharing(0.5):
            chance_text = in_short(looking.chances(replace(action, **{ODDS: True}), thinking))
        new_chances += thinking.spent > spent_before
        if chance_text:
            chances[line] = chance_text
    return chances
