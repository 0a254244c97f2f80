"""The exact chances of an attack, told to the asker alone beside the button that rolls it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.games.soluna.area_play import area_squares
from bot.games.soluna.common import settings
from bot.games.soluna.fighters import model_of
from bot.games.soluna.look_play import corner_around
from bot.games.soluna.overlay import Marks, letters_of, window
from bot.games.soluna.picture import picture
from bot.games.soluna.plans import Attack, Declared
from bot.games.soluna.words import dice_words, flip_budget, layers_words
from bot.replies.chances import bars, percent
from bot.replies.reply import Attachment, Choice, Menu, Note
from bot.table.act import Act
from bot.table.steps import Chances, Hurt
from rules.dice import Odds, at_least
from rules.refusals import InvalidInput
from rules.systems.soluna.areas import victims
from rules.systems.soluna.attack import Aim, Plan, aims, prepare_in_area
from rules.systems.soluna.cover import struck
from rules.systems.soluna.damage import Target, on_artifact
from rules.systems.soluna.flips import location_hits
from rules.systems.soluna.geometry import Point
from rules.wording import times

MOST_LINES = 12


def attack_chances(act: Act, declared: Declared, wanted: str | None, not_yet: Sequence[str] = ()) -> Chances:
    """What the attack may do. wanted: the location that is looked at.

    not_yet: why it cannot be made just now.
    """
    if declared.kind == "area":
        return Chances((*_area_lines(act, declared), _closing(act)), "", 0.0, not_yet=tuple(not_yet))
    if declared.kind != "model":
        return Chances(_sure_lines(act, declared), "", 1.0, not_yet=tuple(not_yet))
    target = declared.plan.target
    assert target is not None, "a model is attacked"
    found = aims(target, settings(act))
    chosen = _chosen(found, wanted)
    lines = [
        f"{declared.situation.attacker.name} -> {declared.mark.name}, {declared.weapon_name}",
        f"{dice_words(declared.plan.power)}, {flip_budget(declared.plan.accuracy)}",
    ]
    lines += _location_lines(act, declared.plan, target, chosen)
    if any(aim.protections < declared.plan.power for aim in found):
        lines += ["One point or more, best flips:"]
        lines += bars([(aim.location.capitalize(), _harms(act, declared.plan, aim)) for aim in found])
    chance = _harms(act, declared.plan, chosen)
    hurts = (_hurt(act, declared, found),)
    told = (*lines, _closing(act))
    return Chances(told, f"harms {chosen.location}", chance, not_yet=tuple(not_yet), hurts=hurts)


def _hurt(act: Act, declared: Declared, found: Sequence[Aim]) -> Hurt:
    """What the attack does to the target's Health with the best flips."""
    plan, model = declared.plan, declared.mark.model
    assert plan.target is not None and model is not None, "a model is attacked"  # noqa: PT018
    aim = next((one for one in found if one.location == "health"), None)
    if aim is None:
        return Hurt(model.id, 0.0, 0.0)
    odds, health = _hits(act, plan, aim), plan.target.present()[aim.location]
    ruin = aim.protections + health
    down = float(at_least(odds, [ruin])[ruin])
    return Hurt(model.id, down, odds.mean(lambda hits: min(max(0, hits - aim.protections), health)))


def _closing(act: Act) -> Note:
    return Note(f"{act.exactness} Nothing is rolled.")


def location_menu(act: Act, action: Attack, declared: Declared, wanted: str | None) -> tuple[Menu, ...]:
    """The other locations whose chances may be looked at."""
    target = declared.plan.target
    if declared.kind != "model" or target is None:
        return ()
    found = aims(target, settings(act))
    chosen = _chosen(found, wanted)
    others = tuple(
        Choice(aim.location.capitalize(), aim.location) for aim in found if aim.location != chosen.location
    )
    return (Menu("Another location", replace(action, odds=True), "aim", others),) if others else ()


def _chosen(found: tuple[Aim, ...], wanted: str | None) -> Aim:
    """The location asked for, or Health, or the first there is. Raises InvalidInput."""
    for aim in found:
        if aim.location == (wanted or "health"):
            return aim
    if wanted:
        raise InvalidInput(f"No face strikes that. There are: {', '.join(aim.location for aim in found)}.")
    return found[0]


def _hits(act: Act, plan: Plan, aim: Aim) -> Odds[int]:
    return act.solve(location_hits, plan.power, plan.accuracy, aim.faces)


def _harms(act: Act, plan: Plan, aim: Aim) -> float:
    least = aim.protections + 1
    return float(at_least(_hits(act, plan, aim), [least])[least])


def _location_lines(act: Act, plan: Plan, target: Target, aim: Aim) -> list[str]:
    """Chances of so many hits or more on one location, and what its protections take."""
    value = target.present()[aim.location]
    odds = _hits(act, plan, aim)
    chances = at_least(odds, range(1, plan.power + 1))
    faces = ", ".join(str(face) for face in aim.faces)
    lines = [f"Hits on {aim.location.capitalize()} ({faces}), best flips:"]
    lines += bars([(f"{hits}+", float(chances[hits])) for hits in list(chances)[:MOST_LINES]])
    lines.append(f"Stopped: {aim.protections} ({layers_words(target)})")
    if aim.protections >= plan.power:
        return [*lines, "Nothing can get through."]
    ruin = aim.protections + value
    chance = float(chances.get(ruin, 0))
    word = {"health": "Kills", "mind": "Unconscious"}.get(aim.location, "Ruins it")
    return [*lines, f"{word} ({ruin}+ hits): {percent(chance).strip()}"]


def _sure_lines(act: Act, declared: Declared) -> tuple[str, ...]:
    """Attacks in which every face strikes: nothing is left to chance."""
    power = declared.plan.power
    harm, of, artifact = power, "Health", declared.mark.artifact
    if artifact is not None:
        harm = on_artifact(artifact.name, artifact.health, power, settings(act)).total
        of = f"Health {artifact.health}"
    if declared.kind == "cover":
        cover = declared.situation.board.cover_at(declared.mark.square)
        left = struck(cover, power, settings(act)).body
        harm, of = cover.body - left, f"Body {cover.body}"
    return (
        f"{declared.situation.attacker.name} -> {declared.mark.name}, {declared.weapon_name}",
        f"{dice_words(power)}: takes {harm} off {of}.",
        "Every face strikes. Nothing is rolled.",
    )


def _squares(act: Act, declared: Declared) -> tuple[Point, frozenset[Point]]:
    """Where an area comes from, and the squares it gets to."""
    situation = declared.situation
    weapon = situation.gear
    assert weapon is not None, "bare hands have no area"
    source = situation.board.piece(situation.attacker.id).square
    power = declared.plan.power
    return area_squares(weapon, source, declared.mark.square, situation.board, power, settings(act))


def _area_title(act: Act, declared: Declared) -> str:
    squares = _squares(act, declared)[1]
    return f"{declared.situation.attacker.name}: {declared.weapon_name}, {times(len(squares), 'square')}"


def _area_lines(act: Act, declared: Declared) -> list[str]:
    """Whom an area meets, the chance to harm each, and the squares as text."""
    situation, plan = declared.situation, declared.plan
    origin, squares = _squares(act, declared)
    lines = [_area_title(act, declared)]
    for piece in victims(squares, situation.board):
        model = model_of(act.encounter, act.encounter.model(piece.id))
        one = replace(situation, square=piece.square, target=model, origin=origin)
        there = prepare_in_area(one, plan.distance, settings(act))
        assert there.target is not None, "a model is struck"
        lines.append(f"{model.name}: {dice_words(there.power)}, {flip_budget(there.accuracy)}")
        for aim in aims(there.target, settings(act)):
            if aim.location in ("health", "mind"):
                chance = percent(_harms(act, there, aim)).strip()
                lines.append(f"  {aim.location.capitalize()} loses points: {chance}")
    if len(lines) == 1:
        lines.append("Nobody stands in it.")
    marks = Marks(area=squares)
    corner = corner_around(situation.board, declared.mark.square)
    return [*lines, "```", *window(situation.board, letters_of(act.encounter), marks, corner), "```"]


def area_picture(act: Act, declared: Declared) -> tuple[Attachment, ...]:
    """The board with the squares of an area."""
    if declared.kind != "area":
        return ()
    marks = Marks(area=_squares(act, declared)[1])
    title = [_area_title(act, declared)]
    return act.drawn(picture, act.encounter, declared.situation.board, marks, title)
