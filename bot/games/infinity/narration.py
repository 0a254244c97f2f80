"""How results of Infinity are told: short lines first, each MOD with its reason on request."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Generic, TypeVar

from bot.actions import Action
from bot.games.infinity import concealment
from bot.games.infinity.troops import settings_for
from bot.replies.chances import bars, exactness, percent
from bot.replies.reply import Button, Die, Menu, Note, Reply, Rolled, Verdict
from bot.table.act import Act, ActView
from bot.table.journal.history import UNDO
from bot.table.journal.log import why_button
from bot.table.steps import Chances, Steps, Weighed
from rules.dice import Compared, Entry, Odds, Shown, Thrown
from rules.effects import Effect
from rules.modifiers import Modifier, total
from rules.systems.infinity.armour import Losses, Save
from rules.systems.infinity.duel import Combatant, Does
from rules.systems.infinity.profile import Profile
from rules.systems.infinity.rolls import Fate, Reading, Side, excess, fates, modified, normal_roll, reading
from rules.systems.infinity.states import State, state_of
from rules.systems.infinity.trooper import Condition, Trooper
from rules.wording import times

PHONE_COLUMNS = 38
"""Columns of a line on a phone."""


@dataclass(slots=True)
class Telling:
    """A reply that is being put together. head: what happened; dice: how; after: what is to follow."""

    head: list[str] = field(default_factory=list)
    dice: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    why: list[str] = field(default_factory=list)
    asked: list[Button] = field(default_factory=list)
    menus: list[Menu] = field(default_factory=list)

    def follow(self, act: Act, effects: Iterable[Effect], *, by: int = 0) -> None:
        """Apply effects and keep what they propose as lines. by: the trooper whose attack they are."""
        proposals = concealment.apply_effects(act.encounter, effects, by=by)
        for reason in dict.fromkeys(proposal.reason for proposal in proposals):
            self.after += wrap(reason[:1].upper() + reason[1:] + ".", PHONE_COLUMNS)

    def offer(self, label: str, action: Action) -> None:
        """Offer a button that is still good while other things happen."""
        self.asked.append(Button(label, action, "main", anytime=True))

    def lines(self) -> tuple[str, ...]:
        """Return all lines in reading order."""
        blank_line = [""] if self.dice else []
        return (*self.head, *blank_line, *self.dice, *self.after)

    def buttons(self, act: Act, *more: Button) -> tuple[Button, ...]:
        """Return the follow-up buttons, then the given ones, then why."""
        why_buttons = [why_button(act.entry)] if self.why else []
        return (*self.asked, *more, *why_buttons)


ATTRIBUTES_BY_SKILL = {Does.SHOOT: "bs", Does.FIGHT: "cc", Does.HACK: "wip", Does.RESET: "wip"}
"""The Attribute of a Skill; all others are PH."""

UNLISTED_CONDITIONS = frozenset(
    {Condition.TRANSMUTED, Condition.SURPRISE_USED, Condition.CAMOUFLAGED, Condition.TO_CAMOUFLAGED}
)
"""Conditions that a summary does not mention."""

_WORDS_BY_FATE = {
    Fate.FAILURE: "miss",
    Fate.CANCELLED: "cancelled",
    Fate.SUCCESS: "success",
    Fate.CRITICAL: "critical",
}
_VERDICTS_BY_WORD: Mapping[str, Verdict] = {
    "miss": "miss",
    "cancelled": "miss",
    "success": "hit",
    "critical": "best",
}
DIE_SIDES = 20
_WORDS_BY_READING = {Reading.FAILURE: "miss", Reading.SUCCESS: "success", Reading.CRITICAL: "critical"}


def condition_name(condition: str) -> str:
    """Return a condition's name for people."""
    return condition.replace("_", " ")


def join_into_line(parts: Sequence[str]) -> list[str]:
    """Join short texts by commas; no line for none."""
    return [", ".join(parts)] if parts else []


def attribute_of(combatant: Combatant) -> tuple[str, int]:
    """Return the Attribute that a trooper rolls, by name and figure."""
    name = ATTRIBUTES_BY_SKILL.get(combatant.does, "ph")
    return name.upper(), int(getattr(combatant.trooper.current, name))


def roll_line(combatant: Combatant, side: Side) -> str:
    """Return what is rolled: BS 12 -3 = 9, 3 dice."""
    name, base = attribute_of(combatant)
    change = side.value - base
    target_text = f"{name} {base} {change:+d} = {side.value}" if change else f"{name} {base}"
    impossible_note = " (can't succeed)" if side.value <= 0 else ""
    return f"{target_text}, {times(side.burst, 'die', 'dice')}{impossible_note}"


def dice_line(value: int, faces: Sequence[int], words: Sequence[str]) -> str:
    """Return each face with what it came to; what an Attribute above 20 adds is shown."""
    excess_text = f"+{excess(value)} " if excess(value) else ""
    dice = [
        Die(face, f"{excess_text}{word}", DIE_SIDES, _VERDICTS_BY_WORD.get(word, ""))
        for face, word in zip(faces, words, strict=True)
    ]
    return Rolled("dice", dice) if dice else "no dice"


def normal_die_line(name: str, value: int, face: int) -> Rolled:
    """Return one die of a Normal Roll with what it came to."""
    word = _WORDS_BY_READING[reading(value, face)]
    return Rolled(name, [Die(face, word, DIE_SIDES, _VERDICTS_BY_WORD[word])])


def opposed_lines(trace: Iterable[Entry], a: tuple[str, Side], b: tuple[str, Side]) -> list[str]:
    """Return the dice of a Face to Face Roll, side by side."""
    comparison = next((entry for entry in trace if isinstance(entry, Compared)), None)
    faces_a, faces_b = [hand[1] for hand in comparison.hands] if comparison else ((), ())
    lines = []
    for (title, side), faces, (_, other_side), other_faces in (
        (a, faces_a, b, faces_b),
        (b, faces_b, a, faces_a),
    ):
        words = [_WORDS_BY_FATE[fate] for fate in fates(side.value, faces, other_side.value, other_faces)]
        lines += [title, dice_line(side.value, faces, words)]
    return lines


def normal_lines(trace: Iterable[Entry], title: str, value: int) -> list[str]:
    """Return the dice of a Normal Roll."""
    faces = [face for entry in trace if isinstance(entry, Thrown) for face in entry.waves[0]]
    words = [_WORDS_BY_READING[reading(value, face)] for face in faces]
    return [title, dice_line(value, faces, words)]


def dodge_lines(trace: Iterable[Entry], title: str, value: int) -> list[str]:
    """Return the one die of a Dodge."""
    faces = [entry.face for entry in trace if isinstance(entry, Shown)]
    words = [_WORDS_BY_READING[reading(value, face)] for face in faces]
    return [title, dice_line(value, faces, words)]


def save_lines(trace: Iterable[Entry], name: str, save: Save, word: str = "ARM") -> list[str]:
    """Return the saves of a side: what they need, and each die."""
    save_faces = [face for entry in trace if isinstance(entry, Thrown) for face in entry.waves[0]]
    title = f"{name}: {word} {save.armour} against Damage {save.damage}"
    if not save_faces:
        return []
    outcomes = ["saved" if face > save.limit else "wound" for face in save_faces]
    dice = [
        Die(face, word, DIE_SIDES, "hit" if word == "saved" else "miss")
        for face, word in zip(save_faces, outcomes, strict=True)
    ]
    return [title, Rolled(f"needs {save.limit + 1}+", dice)]


def why_lines(title: str, parts: Sequence[Modifier], base: int, value: int) -> list[str]:
    """Return every MOD of a roll with reason and rule, and where the cap bit."""
    lines = [f"{title}: {base}"]
    lines += [f"{part.amount:+d} {part.reason}{f' {part.rule}' if part.rule else ''}" for part in parts]
    if base + total(parts) != value:
        lines.append(f"All MODs add up to {total(parts):+d}, but only {value - base:+d} counts. INF-ROLL-02")
    return [*lines, f"= {value}"]


def describe_state(trooper: Trooper) -> str:
    """Return the state, or how many points are left of how many: unconscious, 1 of 2 W left."""
    state = state_of(trooper)
    points = "STR" if trooper.current.structure else "W"
    if state is not State.NORMAL:
        return condition_name(state)
    return f"{trooper.wounds} of {trooper.current.wounds} {points} left" if trooper.lost else ""


def summary(trooper: Trooper) -> str:
    """Return a figure in one line: name, state, conditions."""
    state_names = {str(state) for state in State}
    notes = [describe_state(trooper)] if describe_state(trooper) else []
    notes += sorted(
        condition_name(kind)
        for kind, _ in trooper.conditions
        if kind not in UNLISTED_CONDITIONS and kind not in state_names
    )
    return f"{trooper.current.name}: {', '.join(notes)}" if notes else trooper.current.name


def describe_profile(profile: Profile) -> list[str]:
    """Return a profile in a few lines."""
    points = "STR" if profile.structure else "W"
    irregular_text = ", Irregular" if profile.irregular else ""
    lines = [
        f"{profile.type}, MOV {profile.mov[0]}-{profile.mov[1]}, Cost {profile.cost}{irregular_text}",
        ", ".join(f"{name.upper()} {getattr(profile, name) or '-'}" for name in ("cc", "bs", "ph", "wip")),
        f"ARM {profile.arm}, BTS {profile.bts}, {points} {profile.wounds}, S {profile.silhouette}",
    ]
    for weapon in profile.weapons:
        damage = f"PH{weapon.damage:+d}" if weapon.physical and weapon.damage else "PH"
        damage_text = damage if weapon.physical else str(weapon.damage)
        ammo = "" if weapon.ammunition == "N" else f" {weapon.ammunition}"
        program_text = ", hacking program" if weapon.hacking else ""
        lines.append(f"{weapon.name}: B {weapon.burst}, Damage {damage_text}{ammo}{program_text}")
        if weapon.bands:
            lines.append("  " + " ".join(f"{band.limit}:{band.mod:+d}" for band in weapon.bands))
    if profile.skills:
        lines += join_into_line([str(skill) for skill in profile.skills])
    if profile.alternate is not None:
        lines += [f"Transmutes into {profile.alternate.name}:", *describe_profile(profile.alternate)]
    return lines


def loss_bars(odds: Odds[Losses], target: Trooper, *, by_active_side: bool) -> list[str]:
    """Return chances of every number of points that one side loses, as bars."""
    wounds_left = max(1, target.wounds)
    points_lost = odds.map(lambda losses: losses.b if by_active_side else losses.a)
    rows = [("no wound", points_lost.chance(lambda n: n == 0))]
    rows += [(times(k, "wound"), points_lost.chance(lambda n, k=k: n == k)) for k in range(1, wounds_left)]  # type: ignore[misc]
    fall_label = f"goes down ({wounds_left}+ wounds)" if wounds_left > 1 else "goes down"
    rows.append((fall_label, points_lost.chance(lambda n: n >= wounds_left)))
    return bars(rows)


def format_fall_chance(odds: Odds[Losses], trooper: Trooper, *, by_active_side: bool) -> str:
    """Return the chance that a side loses all it has left."""
    wounds_left = max(1, trooper.wounds)
    return percent(
        odds.chance(lambda losses: (losses.b if by_active_side else losses.a) >= wounds_left)
    ).strip()


def describe_groups(names_by_group: Mapping[int, Sequence[str]]) -> list[str]:
    """Return lines about Combat Groups other than the first; with names only if there are several."""
    if len(names_by_group) == 1:
        return [f"Combat Group: {group}" for group in names_by_group if group > 1]
    return [
        f"Combat Group {group}: {', '.join(names)}." for group, names in names_by_group.items() if group > 1
    ]


A = TypeVar("A", bound=Action)
P = TypeVar("P", bound=Hashable)
O = TypeVar("O", bound=Hashable)  # noqa: E741 - an outcome


class Declaring(Weighed[A, P], Generic[A, P]):
    """A Skill that is declared, and whose dice fall when all have chosen.

    `prepare` writes the action in its one form.
    """

    def closing(self, chances: Chances) -> tuple[str, ...]:
        exactness_note = exactness(*chances.solved) if chances.solved else Note("No dice were rolled.")
        return (exactness_note, *chances.not_yet)


class Throwing(Declaring[A, P], Steps[A, P, O, Telling], Generic[A, P, O]):
    """A roll that is thrown at once."""

    def tell(self, act: Act, action: A, ready: P, telling: Telling) -> Reply:
        return Reply(telling.lines(), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))


def one_die_chances(act: ActView, title: str, modifiers: Sequence[Modifier], base: int) -> Chances:
    """Return the chances of one die against WIP, or what is used for it, with its MODs."""
    value = modified(base, modifiers, settings_for(act))
    odds = act.solve(normal_roll, value)
    chance = odds.chance(bool)
    rows = [("success", chance), ("critical", odds.chance(lambda got: got is Reading.CRITICAL))]
    lines = (title, *why_lines("WIP", modifiers, base, value), *bars(rows))
    return Chances(lines, "success", chance, (odds,))
