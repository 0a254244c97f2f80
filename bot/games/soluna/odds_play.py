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
from bot.games.soluna.words import dice_words, flip_budget, layers_words, times
from bot.replies.chances import bars, percent
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act
from rules.odds import Odds, at_least
from rules.refusals import InvalidInput
from rules.systems.soluna.areas import victims
from rules.systems.soluna.attack import Aim, Plan, aims, prepare_in_area
from rules.systems.soluna.cover import struck
from rules.systems.soluna.damage import Target, on_artifact
from rules.systems.soluna.flips import location_hits

MOST_LINES = 12


def odds_reply(act: Act, action: Attack, declared: Declared, not_yet: Sequence[str] = ()) -> Reply:
    """What the attack may do. action: in its canonical form, for the button that rolls.

    not_yet: why it cannot be made just now; then there is no button.
    """
    if not_yet:
        reply = odds_reply(act, action, declared)
        return replace(reply, lines=(*reply.lines, *not_yet), buttons=())
    roll = Button("Attack", action, "main")
    if declared.kind == "area":
        return _area(act, declared, roll)
    if declared.kind != "model":
        return _sure(act, declared, roll)
    target = declared.plan.target
    assert target is not None, "a model is attacked"
    wanted = act.action.aim if isinstance(act.action, Attack) else ""
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
    lines += [f"{act.exactness} Nothing is rolled."]
    others = tuple(
        Choice(aim.location.capitalize(), aim.location) for aim in found if aim.location != chosen.location
    )
    menus = (Menu("Another location", replace(action, odds=True), "aim", others),) if others else ()
    return Reply(tuple(lines), private=True, buttons=(roll,), menus=menus)


def _chosen(found: tuple[Aim, ...], wanted: str) -> Aim:
    """The location asked for, or Health, or the first there is. Raises InvalidInput."""
    for aim in found:
        if aim.location == (wanted.strip().lower() or "health"):
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


def _sure(act: Act, declared: Declared, roll: Button) -> Reply:
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
    lines = (
        f"{declared.situation.attacker.name} -> {declared.mark.name}, {declared.weapon_name}",
        f"{dice_words(power)}: takes {harm} off {of}.",
        "Every face strikes. Nothing is rolled.",
    )
    return Reply(lines, private=True, buttons=(roll,))


def _area(act: Act, declared: Declared, roll: Button) -> Reply:
    """Whom an area meets, and the chance to harm each."""
    situation, plan = declared.situation, declared.plan
    weapon = situation.gear
    assert weapon is not None, "bare hands have no area"
    source = situation.board.piece(situation.attacker.id).square
    origin, squares = area_squares(
        weapon, source, declared.mark.square, situation.board, plan.power, settings(act)
    )
    lines = [f"{situation.attacker.name}: {weapon.name}, {times(len(squares), 'square')}"]
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
    image = picture(act.encounter, situation.board, marks, [lines[0]])
    corner = corner_around(situation.board, declared.mark.square)
    drawn = ("```", *window(situation.board, letters_of(act.encounter), marks, corner), "```")
    told = (*lines, *drawn, f"{act.exactness} Nothing is rolled.")
    return Reply(told, private=True, buttons=(roll,), files=(image,))
