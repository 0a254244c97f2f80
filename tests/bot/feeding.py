"""Every suggestion of a game's commands fed back to the option that it stands for, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from bot.actions import Action, raw_of, with_text
from bot.ids import Tag, pack, unpack
from bot.replies.reply import Reply
from bot.table.asking.descriptions import options_of
from bot.table.asking.reading import called
from bot.table.names import Unknown
from rules.refusals import InvalidInput
from tests.bot.asker import Asker, Outcome, is_refused, usual
from tests.games import SYSTEMS, words_of

NONSENSE = "zzqx"
"""What nothing is called."""

SAMPLED = 9
"""Of a list that another option showed before, every so many are fed back."""

FILLER = "x"
"""What stands in an option that must be there and has nothing to suggest."""

BETWEEN = {"crew", "campaign", "spoils", "hero", "inf model recruit", "encounter start", "odds matchup"}
"""The first words, or all, of what is done between encounters."""

FILLED = {
    ("mission choose", "mission"): "Recovery",
    ("cb team", "shooters"): "Skip Westmoreland, Smap",
    ("cb team", "distance"): "6",
    ("cb template", "model"): "Skip Westmoreland",
    ("mission spring", "place"): "Edo A",
    ("mission control", "side"): "Lancers",
    ("mission places", "spots"): "24 36 0",
    ("mission search", "model"): "Trapper",
    ("mission score", "side"): "Lancers",
    ("gear bomb", "model"): "Smap",
    ("gear use", "model"): "GDF Medical Officer",
    ("psi use", "model"): "Psider",
    ("sol move", "to"): "3,2",
}
"""What is filled in where the first suggestion leads nowhere."""

FOES_FIRST = {"target", "enemy"}
"""Options whose first suggestion is an enemy."""

PARTS = {
    ("cb charge", "also"),
    ("cb team", "shooters"),
    ("cb melee", "blows"),
    ("cb melee", "order"),
}
"""Options whose suggestions complete what is typed; a part of it is no answer."""

Place = tuple[str, str]
"""A command's path, and the name of one of its options."""


@dataclass
class Heard:
    """What came of the suggestions.

    taken: those that the command understood. unheard: those that it answered as it answers nonsense, with
    that answer. unknown: those of which it said that nothing is called so. models: names of models.
    fields: by command and field of an action, the option that fills it, with the others filled in. shown:
    replies that were only read, by their text. whole: lists, and who showed them first. narrowed: options of
    which a letter shows nothing that no letter does not.
    """

    taken: dict[Place, set[str]] = field(default_factory=dict)
    unheard: dict[Place, dict[str, str]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    models: set[str] = field(default_factory=set)
    fields: dict[tuple[str, str], tuple[Place, dict[str, Any]]] = field(default_factory=dict)
    shown: dict[str, Reply] = field(default_factory=dict)
    whole: dict[frozenset[str], Place] = field(default_factory=dict)
    narrowed: set[Place] = field(default_factory=set)

    def never(self) -> dict[Place, dict[str, str]]:
        """What no situation understood; a model that was understood stands for all."""
        found: dict[Place, dict[str, str]] = {}
        for place, values in self.unheard.items():
            taken = self.taken.get(place, set())
            known = taken | (self.models if taken & self.models else set())
            left = {value: said for value, said in values.items() if value not in known}
            if left:
                found[place] = left
        return found


def sentence(outcome: Outcome) -> str:
    """How it was refused, or else what was answered."""
    if isinstance(outcome.refusal, InvalidInput):
        return outcome.refusal.sentence
    return outcome.reply.text if outcome.reply else ""


async def filled(asker: Asker, path: str) -> list[dict[str, Any]]:
    """Ways to fill in what is not in question: what must be there, then all that is suggested."""
    needed: dict[str, Any] = {}
    more: dict[str, Any] = {}
    for option in asker.commands[path].parameters:
        name, at = option.display_name, {**more, **needed}
        value = FILLED.get((path, name)) or usual(option)
        if option.autocomplete and (path, name) not in FILLED:
            shown = await asker.suggested(path, name, "", at)
            others = [one for one in shown if one not in at.values()]
            value = (others or shown or [FILLER])[-1 if at and name not in FOES_FIRST else 0]
        if option.required:
            needed[name] = value
        elif option.autocomplete and value != FILLER:
            more[name] = value
    return [needed, {**needed, **more}] if more else [needed]


async def feed_back(asker: Asker, system: str, heard: Heard, models: set[str], *, between: bool) -> None:
    """Every suggestion of a game's commands, and of those that all games share.

    models: names of models, of which a few stand for all. between: of what is done between encounters, or
    else at the table.
    """
    heard.models |= models
    others = {word for key in SYSTEMS if key != system for word in words_of(key)}
    for path, command in asker.commands.items():
        word = path.split()[0]
        if word in others or (word in BETWEEN or path in BETWEEN) is not between:
            continue
        ways = await filled(asker, path)
        for option in command.parameters:
            if option.autocomplete and (path, option.display_name) not in PARTS:
                for way in ways:
                    await _option(asker, (path, option.display_name), way, heard)


async def _option(asker: Asker, place: Place, way: dict[str, Any], heard: Heard) -> None:
    path, option = place
    given = {key: value for key, value in way.items() if key != option}
    known = heard.taken.setdefault(place, set())
    at_first = await asker.suggested(path, option, "", given)
    if known and known.issuperset(at_first):
        return
    shown = await asker.every_suggestion(path, option, given, at_first, heard.narrowed)
    named = [one for one in shown if one in heard.models]
    values = [one for one in shown if one not in heard.models]
    if heard.whole.setdefault(frozenset(values), place) != place:
        values = values[::SAMPLED]
    values += [*dict.fromkeys([*named[:2], *named[-1:]])]
    values = [one for one in values if one not in known]
    if not values:
        return
    nonsense = sentence(await asker.asks(path, {**given, option: NONSENSE}))
    for value in values:
        outcome = await asker.asks(path, {**given, option: value})
        said = sentence(outcome)
        refused = is_refused(outcome) or outcome.action is None
        if not refused or said.replace(value, NONSENSE) != nonsense:
            known.add(value)
            _note(heard, place, given, value, outcome)
        else:
            heard.unheard.setdefault(place, {})[value] = said
        if isinstance(outcome.refusal, Unknown) and f"called {value}" in said:
            heard.unknown.append(f"/{path} {option}:{value} -> {said}")


def _note(heard: Heard, place: Place, given: dict[str, Any], value: str, outcome: Outcome) -> None:
    """Keep which field the option fills, and what was shown."""
    if outcome.action is not None:
        for part in fields(outcome.action):
            if getattr(outcome.action, part.name) == value:
                heard.fields[outcome.action.command, part.name] = place, given
    if outcome.reply is not None and outcome.refusal is None:
        heard.shown[outcome.reply.text] = outcome.reply


async def press_all(asker: Asker, heard: Heard) -> list[str]:
    """Every button and every choice of what was shown, pressed; every label typed where it belongs.

    Of a menu's models a few stand for all. Gives every name that was not known, in words.
    """
    wrong: list[str] = []
    for reply in heard.shown.values():
        for button in reply.buttons:
            if button.form is None and not button.asks and not button.disabled:
                wrong += _misunderstood(f"[{button.label}]", await asker.does(_through_id(button.action)))
        for menu in reply.menus:
            models = [one for one in menu.choices if one.label in heard.models]
            for choice in (one for one in menu.choices if one not in models[2:-1]):
                chosen = with_text(_through_id(menu.action), {menu.fills: (choice.value,)})
                wrong += _misunderstood(f"({menu.prompt}: {choice.label})", await asker.does(chosen))
                place = heard.fields.get((menu.action.command, menu.fills))
                if place is not None:
                    (path, option), given = place
                    outcome = await asker.asks(path, {**given, **_said(menu.action), option: choice.label})
                    wrong += _misunderstood(f"/{path} {option}:{choice.label}", outcome)
    return wrong


def _said(action: Action) -> dict[str, Any]:
    """What a menu's action says already, by the options of its command."""
    raw = raw_of(action)
    return {
        called(one): raw[one.name]
        for one in options_of(type(action))
        if raw.get(one.name) and one.wire is str
    }


def _through_id(action: Action) -> Action:
    """The action as it comes out of a button's id."""
    return unpack(pack(Tag(action, 1))).action


def _misunderstood(what: str, outcome: Outcome) -> list[str]:
    return [f"{what} -> {sentence(outcome)}"] if isinstance(outcome.refusal, Unknown) else []
