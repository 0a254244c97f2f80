"""What every attack shares at the table: how it is told, what follows from it, what can be asked next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from bot.actions import Action
from bot.games.counterblast.core.common import again, carry_through
from bot.games.counterblast.core.place_effects import after_hit
from bot.games.counterblast.core.words import effect_word, life_words
from bot.replies.reply import Button
from bot.table.act import Act
from bot.table.journal.log import WhyEntry
from rules.effects import Effect, Propose
from rules.systems.counterblast.core.casualties import after_attack
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.core.shields import Suffered
from rules.systems.counterblast.ground.burning import safe_from
from rules.systems.counterblast.shooting.spit import GOO, after_goo
from rules.wording import times

Offer = Callable[[Propose], tuple[str, Action] | Button]

OFFERS: dict[str, Offer] = {}
"""For each kind of proposal the button that does it: its label and its action, or the whole button."""


LASTING: set[str] = set()
"""Kinds of proposals whose button holds until it is settled, whatever happens in between."""

WITH_ODDS: set[str] = set()
"""Kinds of proposals whose button has another one beside it, for the odds."""


def offers(kind: str, *, odds: bool = False, lasting: bool = False) -> Callable[[Offer], Offer]:
    """Register the function below as what makes the button of a proposal.

    odds: its action has a field `odds`, and another button asks for them. lasting: see LASTING.
    """

    def register(make: Offer) -> Offer:
        OFFERS[kind] = make
        if odds:
            WITH_ODDS.add(kind)
        if lasting:
            LASTING.add(kind)
        return make

    return register


@dataclass(slots=True)
class Telling:
    """A reply that is being put together: lines, explanations, what is proposed next, hits of attacks.

    dice: whose they are and against what, above the faces. more: further buttons. struck: each model that
    was attacked, with what came of it.
    """

    lines: list[str] = field(default_factory=list)
    why: list[str] = field(default_factory=list)
    proposals: list[Propose] = field(default_factory=list)
    hits: int = 0
    dice: list[str] = field(default_factory=list)
    more: tuple[Button, ...] = ()
    struck: list[tuple[str, str]] = field(default_factory=list)

    def follow(self, act: Act, effects: Sequence[Effect], *, by: int = 0) -> None:
        """Apply effects and keep what they propose. by: see `Encounter.apply`."""
        self.proposals += carry_through(act, effects, by=by)

    def headed(self, attacker: Fighter) -> None:
        """Where several attacks were told one after another, a first line that tells of all of them."""
        if len(self.struck) < 2:
            return
        came: dict[str, list[str]] = {}
        for name, words in self.struck:
            came.setdefault(name, []).append(words)
        parts = []
        for name, each in came.items():
            hurt = [words for words in each if words != MISSED] or each[:1]
            parts.append(f"{name} {DOWN if DOWN in hurt else ' and '.join(hurt)}")
        self.lines.insert(0, f"{attacker.name} shoots: {', '.join(parts)}.")

    def proposal_lines(self) -> list[str]:
        """The proposals as sentences, each once; one without words is told elsewhere."""
        return list(dict.fromkeys(proposal.reason for proposal in self.proposals if proposal.reason))

    def buttons(self, act: Act, *more: Button) -> tuple[Button, ...]:
        """A button for each thing that is proposed and has one, then the given ones, then why.

        Where several models are offered the same, each button names its model.
        """
        made = [(one, offered(one)) for one in self.proposals if one.action in OFFERS]
        made = list({button: (one, button) for one, button in made}.values())
        labels = [button.label for _, button in made]
        weighed = sum(one.action in WITH_ODDS for one, _ in made)
        asked: list[Button] = []
        for one, button in made:
            if labels.count(button.label) > 1:
                button = replace(button, label=f"{button.label}: {act.encounter.model(one.model).name}")
            asked.append(button)
            if one.action in WITH_ODDS:
                odds = replace(button.action, odds=True)  # type: ignore[call-arg]
                asked.append(Button(f"Odds: {button.label}" if weighed > 1 else "Odds", odds, anytime=True))
        why = [Button("Why", WhyEntry(act.entry), anytime=True)] if self.why else []
        return (*asked, *more, *why)


def offered(proposal: Propose) -> Button:
    """What a proposal is done with."""
    made = OFFERS[proposal.action](proposal)
    if isinstance(made, Button):
        return made
    return Button(*made, "main", anytime=proposal.action in LASTING)


DOWN, MISSED = "goes down", "is missed"
"""What came of an attack, in words."""

GAINED: dict[str, str] = {
    Condition.PRONE: "is knocked down",
    Condition.BURNING: "burns",
    Condition.DRAINED: "is drained until it has acted",
}
"""What an attack may bring besides wounds, in words."""


def verdict(attacker: Fighter, before: Fighter, now: Fighter, weapon: Weapon, suffered: Suffered) -> str:
    """The line that says it all: who did what to whom, and what is left."""
    if suffered.hits < 1:
        return f"{attacker.name} misses {before.name}."
    if not weapon.damage:
        effect = effect_word(weapon) if suffered.through else "no effect"
        return f"{attacker.name} hits {before.name}: {effect}."
    if not suffered.through:
        return f"{attacker.name} hits {before.name}: no wound."
    left = DOWN if now.is_down and not before.is_down else life_words(now)
    return f"{attacker.name} hits {before.name}: {times(suffered.through, 'wound')}, {left}."


def outcome(before: Fighter, now: Fighter, weapon: Weapon, suffered: Suffered) -> str:
    """What came of an attack for the model attacked, in two words or three."""
    if suffered.hits < 1:
        return MISSED
    if now.is_down and not before.is_down:
        return DOWN
    if not weapon.damage:
        return f"is hit ({effect_word(weapon) if suffered.through else 'no effect'})"
    return f"takes {times(suffered.through, 'wound')}" if suffered.through else "takes no wound"


def tally(suffered: Suffered) -> str:
    """Hits, the damage they did if it was more, and what stopped it; empty for a miss."""
    if not suffered.hits:
        return ""
    parts = [times(suffered.hits, "hit")]
    damage = suffered.through + suffered.stopped + suffered.ignored
    if damage > suffered.hits:
        parts.append(f"damage {damage}")
    if suffered.stopped:
        parts.append(f"{suffered.stopped} stopped by shield")
    if suffered.ignored:
        parts.append(f"{suffered.ignored} ignored (Tough)")
    return ", ".join(parts)


def strike(
    act: Act,
    telling: Telling,
    attacker: Fighter,
    target: Fighter,
    weapon: Weapon,
    suffered: Suffered,
    effects: Sequence[Effect] | None = None,
) -> None:
    """Carry an attack on one model through, and tell it. effects: where they are not those of any attack."""
    turn = max(1, act.encounter.row.turn)
    telling.hits += suffered.hits
    if effects is None and weapon == GOO:
        effects = after_goo(target, suffered)
    elif effects is None:
        effects = after_attack(attacker, target, weapon, suffered, turn)
    telling.follow(act, effects, by=attacker.id)
    now = again(act, target)
    telling.struck.append((target.name, outcome(target, now, weapon, suffered)))
    telling.lines.append(verdict(attacker, target, now, weapon, suffered))
    said = tally(suffered)
    if said:
        telling.lines.append(said)
    if suffered.hits:
        gained(telling, target, now, weapon)
    telling.proposals += after_hit(now, weapon, suffered)


def gained(telling: Telling, before: Fighter, now: Fighter, weapon: Weapon) -> None:
    """Tell what a weapon that hit brought besides wounds, and what kept its fire off. Rules: CB-BURN-09."""
    telling.lines += [
        f"{now.name} {words}."
        for kind, words in GAINED.items()
        if now.has(kind) and not before.has(kind) and (weapon.damage or kind != Condition.DRAINED)
    ]
    if weapon.has_effect("burning") and safe_from(now):
        telling.lines.append(f"{now.name} is safe from fire: {safe_from(now)}.")
