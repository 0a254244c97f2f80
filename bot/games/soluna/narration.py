"""The words in which dice, damage and odds are told, and the reply that is put together from them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from bot.actions import Action
from bot.replies.chances import exactness
from bot.replies.reply import Attachment, Button, Die, Menu, Note, Reply, Rolled
from bot.table.act import Act
from bot.table.journal.history import UNDO
from bot.table.journal.log import why_button
from bot.table.steps import Chances, Steps, Weighed
from rules.dice import Compared, Entry
from rules.modifiers import Modifier
from rules.systems.soluna.attack import Plan
from rules.systems.soluna.board import Board, Point
from rules.systems.soluna.damage import Damage, Target, group_hits
from rules.systems.soluna.faces import FACES, Counts, Flip
from rules.systems.soluna.models import Clock, Model, points_left
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.sight import View, obstructions, views
from rules.wording import times

QUIET = frozenset({"grappled"})


def dice_words(count: int) -> str:
    """Return 1 die, 2 dice."""
    return times(count, "die", "dice")


def modifier_words(part: Modifier) -> str:
    """Return one modifier with its reason and rule."""
    return f"{part.amount:+d} {part.reason}{f' {part.rule}' if part.rule else ''}"


def find_faces(trace: Iterable[Entry], label: str) -> list[tuple[int, ...]]:
    """Return the faces of every throw under a label, in the order thrown."""
    return [
        faces
        for entry in trace
        if isinstance(entry, Compared) and entry.label == label
        for _, faces in entry.hands
    ]


def dice_line(name: str, faces: Iterable[int], total: str = "") -> Rolled:
    """Return the dice by their faces, sorted."""
    return Rolled(name, [Die(face, "", len(FACES)) for face in sorted(faces)], total)


def counted_line(name: str, counts: Counts) -> Rolled:
    """Return the same of dice that were counted."""
    return dice_line(name, (face for face, count in zip(FACES, counts, strict=True) for _ in range(count)))


def describe_hits(counts: Counts, target: Target, settings: Settings) -> str:
    """Return the hits by location: Body 2, Speed 1."""
    hits_by_location = group_hits(counts, target, settings)
    parts = [f"{key.capitalize()} {hits}" for key, hits in hits_by_location.items()]
    return ", ".join(parts) or "no hits"


def describe_flips(flips: Sequence[Flip]) -> str:
    """Return the flips made: 5>3, 4>1 (2 flips)."""
    parts: list[str] = []
    for flip in flips:
        parts += [f"{flip.old}>{flip.new}{' (2 flips)' if flip.cost > 1 else ''}"] * flip.dice
    return ", ".join(parts) or "no flips"


def flip_budget(accuracy: int) -> str:
    """Return in words what the Accuracy allows."""
    if accuracy < 0:
        return f"{times(-accuracy, 'flip')} for the target"
    return times(accuracy, "flip")


def describe_losses(harm: Damage) -> str:
    """Return the points lost: Health -2, Gravity Saber -1."""
    parts = [f"{key.capitalize()} -{points}" for key, points in harm.lost if key != "arsenal"]
    parts += [f"{name} -{points}" for name, points in harm.items]
    return ", ".join(parts) or "no damage"


def describe_stopped_hits(harm: Damage, target: Target) -> str:
    """Return what stopped hits, or "" if nothing did."""
    if not harm.stopped:
        return ""
    return f"{times(harm.stopped, 'hit')} stopped (each location is protected by {describe_layers(target)})"


def describe_layers(target: Target) -> str:
    """Return what protects a target: Shield 1, Body 2, cover 3."""
    values = target.present()
    layers = [
        f"{key.capitalize()} {values[key]}"
        for key in ("shield", "body")
        if values.get(key) and key not in target.ignored and (key != "shield" or target.shield_usable)
    ]
    layers += [f"cover {target.cover}"] if target.cover else []
    return ", ".join(layers) or "nothing"


def state_words(model: Model) -> list[str]:
    """Return what is wrong with a model: values below full, conditions."""
    state_marks = [
        f"{key.capitalize()} {model.value(key)}/{model.profile.attribute(key)}"
        for key in model.profile.grid.keys
        if key != "arsenal" and model.lost(key)
    ]
    for (name, full_health), (_, health) in zip(model.profile.arsenal(), model.carried(), strict=True):
        if health < full_health:
            state_marks.append(f"{name} {health}/{full_health}" if health else f"{name} ruined")
    state_marks += sorted(kind for kind, _ in model.conditions)
    return state_marks


def summary(model: Model) -> str:
    """Return a model in one line."""
    state_marks = state_words(model)
    return f"{model.name}: {', '.join(state_marks)}" if state_marks else model.name


def points_words(model: Model, clock: Clock, settings: Settings) -> str:
    """Return the Combat Points left."""
    return f"CP {points_left(model, clock, settings)}"


def explain_plan(plan: Plan, title: str) -> list[str]:
    """Return everything that made an attack."""
    lines = [title, f"Power {plan.power}:", *(modifier_words(part) for part in plan.power_modifiers)]
    lines += [f"Accuracy {plan.accuracy}:", *(modifier_words(part) for part in plan.accuracy_modifiers)]
    distance = plan.distance
    effective_text = f" (counts as {distance.effective})" if distance.effective != distance.plain else ""
    lines.append(f"Reach {distance.plain}{effective_text}")
    lines += [f"x{factor.factor} {factor.reason} {factor.rule}" for factor in distance.visible.factors]
    for piece in plan.cover:
        lines.append(f"Cover {piece.body}: {piece.name} {piece.rule}")
    if plan.cover:
        rule = "SU-COV-02" if plan.cover_bonus else "SU-COV-03"
        lines.append(f"Body {plan.cover_bonus:+d} from cover {rule}")
    if plan.target is not None and not plan.shield_usable:
        lines.append("The Shield doesn't help. SU-DMG-03")
    return lines


# ------------------------------------------------------------------------------------------- sight


def find_best_view(board: Board, start: Point, end: Point, settings: Settings) -> View | None:
    """Return the three lines for the better front corner; None on the same square."""
    possible_views = views(start, end, obstructions(board, start, end, settings))
    return min(possible_views, key=lambda view: view.blocked, default=None)


def describe_sight_lines(view: View) -> list[str]:
    """Return every sight line with what blocks it."""
    lines = []
    for line in view.lines:
        blocking_squares = " ".join(f"{x},{y}" for x, y in sorted(line.blockers))
        sight_text = f"blocked at {blocking_squares}" if line.blocked else "clear"
        lines.append(f"{line.line.start} to {line.line.end}: {sight_text}")
    return lines


@dataclass(slots=True)
class Narration:
    """lines: what happened, headline first; dice: faces and flips; then: what is next."""

    lines: list[str] = field(default_factory=list)
    dice: list[str] = field(default_factory=list)
    then: list[str] = field(default_factory=list)
    why: list[str] = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)
    files: list[Attachment] = field(default_factory=list)

    def reply(self, act: Act, *more: Button, menus: Sequence[Menu] = ()) -> Reply:
        """Return the reply with its own buttons, the given ones and why."""
        lines = [*self.lines, *(["", *self.dice] if self.dice else []), *self.then]
        why_buttons = [why_button(act.entry)] if self.why else []
        return Reply(
            tuple(lines),
            buttons=(*self.buttons, *more, *why_buttons),
            menus=tuple(menus),
            files=tuple(self.files),
            why=tuple(self.why),
        )


A = TypeVar("A", bound=Action)
P = TypeVar("P", bound=Hashable)
O = TypeVar("O", bound=Hashable)  # noqa: E741 - an outcome


class Doable(Weighed[A, P], Generic[A, P]):
    """An Action whose odds may be asked; `prepare` writes it in its one form."""

    def closing(self, chances: Chances) -> tuple[str, ...]:
        exactness_notes = (
            (Note(f"{exactness(*chances.solved)} No dice were rolled."),) if chances.solved else ()
        )
        return (*exactness_notes, *chances.apart, *chances.not_yet)


class Throwing(Doable[A, P], Steps[A, P, O, Narration], Generic[A, P, O]):
    """One roll that is told with its dice."""

    def tell(self, act: Act, action: A, ready: P, narration: Narration) -> Reply:
        return narration.reply(act, UNDO)
