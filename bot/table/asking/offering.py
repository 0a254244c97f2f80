"""What is suggested for words that name something on the table; nothing where no game runs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from bot.actions import Action, part_of_doer, raw_of
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.asking.kinds import Asking, Names, Offer
from bot.table.asking.table_kinds import gone_models, labelled, own_first, sides
from bot.table.board import facts
from bot.table.encounter import EncounterView
from bot.table.game import Answers, game_of
from rules.refusals import Forbidden, InvalidInput


def models_offered(context: Asking, rows: Iterable[ModelRow]) -> list[Offer]:
    """Return models by name; if two sides share a name, the model is offered by number."""
    return [
        Offer(row.name if label == row.name else f"#{row.id}", label)
        for label, row in labelled(context.act.encounter, rows)
    ]


def any_model(context: Asking) -> Sequence[Offer]:
    """Return models in play, of all sides."""
    return models_offered(context, context.act.encounter.models()) if context.act.has_encounter else []


def own_model(context: Asking) -> Sequence[Offer]:
    """Return models in play, those of the person who asks first."""
    if not context.act.has_encounter:
        return []
    question = own_model, context.act.actor.user_id
    return context.act.encounter.worked_out(
        question, lambda: tuple(models_offered(context, own_first(context)))
    )


def foe(context: Asking) -> Sequence[Offer]:
    """Return models in play with their state, those first that are not friends of the acting model.

    Of these, the models that answer it lead. On a board, each comes with its distance from the acting model,
    and those that it can't see are last and marked.
    """
    if not context.act.has_encounter:
        return []
    encounter = context.act.encounter
    friends = frozenset(friendly(context))
    acting = model_said(context, *list(context.so_far)[:1])
    number = acting.id if acting is not None else 0
    return encounter.worked_out((foe, friends, number), lambda: _foes_of(context, friends, number))


def _foes_of(context: Asking, friends: Collection[int], acting: int) -> list[Offer]:
    encounter = context.act.encounter
    game = game_of(encounter)
    answering = game.answering(encounter) if isinstance(game, Answers) else ()
    foes = [row.id for row in encounter.models() if row.side not in friends]
    places = {foe: facts.find_target(encounter, acting, foe) for foe in foes} if acting else {}
    unseen = {foe for foe, (_, is_seen) in places.items() if not is_seen}
    rows = sorted(
        encounter.models(), key=lambda row: (row.side in friends, row.id in unseen, row.id not in answering)
    )

    def note_of(row: ModelRow) -> str:
        summary = game.model_summary(encounter, row).removeprefix(row.name)
        state = summary.replace(" (leader)", ": leader,").lstrip(",: ").rstrip(",").replace(",:", ",")
        return ", ".join(filter(None, (places.get(row.id, ("",))[0], game.defence(encounter, row), state)))

    offers = models_offered(context, rows)
    return [replace(offer, note=note_of(row)) for offer, row in zip(offers, rows, strict=True)]


def such(
    fit: Callable[[EncounterView, ModelRow], bool],
    none: str,
    rule: str,
    models: Callable[[Asking], Sequence[Offer]],
) -> Callable[[Asking], Sequence[Offer]]:
    """Return those of these models that fit. none, rule: the refusal if none fits, and its rule."""

    def offered(context: Asking) -> Sequence[Offer]:
        if not context.act.has_encounter:
            return []
        encounter = context.act.encounter
        rows = [row for row in encounter.models() if fit(encounter, row)]
        if not rows:
            raise Forbidden(none, rule)
        fitting = {offer.value for offer in models_offered(context, rows)}
        return [offer for offer in models(context) if offer.value in fitting]

    return offered


def friendly(context: Asking) -> set[int]:
    """Return the side of the acting model named before, or else the sides of the person who asks."""
    acting = model_said(context, *list(context.so_far)[:1])
    if acting is not None:
        return {acting.side}
    return {row.id for row in context.act.encounter.sides() if context.act.plays_on(row.id)}


def own_sides(act: Act, action: Action) -> set[int]:
    """Return the same for an action, by the acting model that it names."""
    doer_part = part_of_doer(action.command)
    doer_value = {doer_part.name: raw_of(action).get(doer_part.name)} if doer_part is not None else {}
    return friendly(Asking(act, "", doer_value))


def friends(context: Asking) -> Sequence[Offer]:
    """Return models in play on the acting model's side, except itself.

    The acting model is named in an earlier field.
    """
    return models_offered(context, friend_rows(context)) if context.act.has_encounter else []


def friend_rows(context: Asking) -> list[ModelRow]:
    """Return those rows, where a game runs."""
    acting, friends = model_said(context, *list(context.so_far)[:1]), friendly(context)
    number = acting.id if acting is not None else 0
    return [row for row in context.act.encounter.models() if row.side in friends and row.id != number]


def gone_model(context: Asking) -> Sequence[str]:
    """Return models that left play."""
    return [row.name for row in gone_models(context)] if context.act.has_encounter else []


def any_side(context: Asking) -> Sequence[str]:
    """Return sides of the encounter."""
    return [row.name for row in sides(context)]


def completing(names: Names) -> Names:
    """Return several with commas between them: what was typed, with each that may come next."""

    def offered(context: Asking) -> list[Offer]:
        before, comma, _ = context.typed.rpartition(",")
        head = f"{before.strip()}{comma} " if comma else ""
        entered = {word.strip().casefold() for word in before.split(",")}
        offers = [item if isinstance(item, Offer) else Offer(item, item) for item in names(context)]
        return [
            replace(offer, value=f"{head}{offer.value}", label=head + offer.label)
            for offer in offers
            if entered.isdisjoint((str(offer.value).casefold(), offer.label.casefold()))
        ]

    return offered


several_models = completing(any_model)
several_friends = completing(friends)


def model_said(context: Asking, *names: str) -> ModelRow | None:
    """Return the model that was said in the first of these fields that says one; None where none is meant."""
    answer = next((context.so_far[name] for name in names if context.so_far.get(name)), "")
    if not answer or not context.act.has_encounter:
        return None
    if isinstance(answer, ModelRow):
        return answer
    if not isinstance(answer, str):
        number = getattr(answer, "id", 0)
        return context.act.encounter.model(number) if number > 0 else None
    try:
        return context.act.encounter.find_model(answer)
    except InvalidInput:
        return None
