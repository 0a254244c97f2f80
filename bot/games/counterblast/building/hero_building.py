"""Building a Hero or a vehicle step by step: only what is legal is offered, every refusal says why.

The draft is kept with the crew until it is finished into a member. What is legal is decided by the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.building.crews import crew_traits, faction_of
from bot.games.counterblast.building.draft_texts import draft_of, fault_words, items_of
from bot.games.counterblast.building.hero_drafts import (
    BuyBuilt,
    DiscardHero,
    FinishHero,
    Measure,
    addable_labels,
    affordable_first,
    crew_lines,
    draft_lines,
    draft_mark,
    hero_crew,
    load_draft,
    load_measure,
    load_measure_at_home,
    load_measure_to_begin,
    removable_labels,
    require_no_draft,
    save_draft,
    undo_trail,
)
from bot.games.counterblast.building.hero_steps import (
    STEPS,
    add_thing,
    apply_undo_word,
    offers_in_step,
    remove_thing,
    thing_named,
    undo_word,
)
from bot.games.counterblast.building.rulebook import crew_doubts, parts
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.store.rows import CrewRow, MemberRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.handlers import Place, handles
from bot.table.names import check_name
from bot.table.rosters.crew_state import DRAFT
from bot.table.rosters.crews import OfYourCrew, member
from rules.refusals import InvalidInput, Missing
from rules.systems.counterblast.building.builder import list_draft_faults, list_unchecked_features
from rules.systems.counterblast.building.crew import count_allowed_powers
from rules.systems.counterblast.building.draft import (
    ModelDraft,
    build_profile,
    count_all_upgrade_points,
    count_spent_points,
    get_template,
    start_hero,
)
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Size, Template, as_size
from rules.wording import join_with_and, times

PAGE = 25
BASES = ("S", "M", "L")
KINDS = ("cavalry", "flyer", "mech", "tracked", "wheeled")
"""Kinds of vehicles."""


def _types(context: Asking) -> Sequence[Template]:
    return tuple(load().templates)


@dataclass(frozen=True, slots=True)
class StartHero(OfYourCrew):
    """Start building a Hero or a vehicle with 10 Upgrade Points.

    type: a Hero's type, or the vehicle. base: empty for the type's first. kind: of a vehicle.
    """

    command = "hero.new"
    typed = "hero new"
    titled = "New Hero or vehicle"

    type: Template = fields.among("Type of model", _types, lambda one: one.name, what="type", needed=True)
    name: str = fields.text("Name of the model", None)
    base: Size | None = fields.one_of("Base size", {base: as_size(base) for base in BASES})
    kind: str | None = fields.one_of("Kind of vehicle (vehicles only)", KINDS)


@dataclass(frozen=True, slots=True)
class EditMember(OfYourCrew):
    """Change a member's equipment or spend its Upgrade Points."""

    command = "hero.edit"
    typed = "hero edit"
    titled = "Change a member"

    member: MemberRow = member("Crew member")


@dataclass(frozen=True, slots=True)
class ShowDraft(OfYourCrew):
    """Show the model you are building and what you can add next."""

    command = "hero.show"
    typed = "hero show"
    titled = "Show the model"


@dataclass(frozen=True, slots=True)
class OpenStep(OfYourCrew):
    """Show what can be added in one step: raise, feature and so on. back: show what can be removed."""

    command = "hero.step"

    step: str = ""
    page: int = 0
    back: bool = False


@dataclass(frozen=True, slots=True)
class TakeThing(OfYourCrew):
    """Add one thing of a step, by its key."""

    command = "hero.take"

    step: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class GiveBack(OfYourCrew):
    """Remove one thing, by its step and key."""

    command = "hero.back"

    key: str = ""


Thing = tuple[str, str]
"""A step of the draft, and the key of what is taken there or given back."""


def _find_thing(context: Asking, text: str, *, removing: bool = False) -> Thing:
    step, slash, key = text.partition("/")
    if slash and step in STEPS:
        return step, key
    _, draft, _ = load_draft(hero_crew(context.act))
    return thing_named(draft, text, removing=removing)


def _find_removable(context: Asking, text: str) -> Thing:
    return _find_thing(context, text, removing=True)


@dataclass(frozen=True, slots=True)
class NameThing(OfYourCrew):
    """Add an upgrade, Feature, weapon, gear or power to your model."""

    command = "hero.add"
    typed = "hero add"
    titled = "Add to the model"

    thing: Thing = fields.sought(
        "Upgrade, Feature, weapon, gear or power", addable_labels, _find_thing, written="/".join, needed=True
    )
    back: bool = False


@dataclass(frozen=True, slots=True)
class NameReturned(NameThing):
    """Remove an upgrade, Feature, weapon, gear or power from your model."""

    command = "hero.remove"
    typed = "hero remove"
    titled = "Remove"

    thing: Thing = fields.sought(
        "Upgrade, Feature, weapon, gear or power",
        removable_labels,
        _find_removable,
        written="/".join,
        needed=True,
    )
    back: bool = True


@dataclass(frozen=True, slots=True)
class StepBack(OfYourCrew):
    """Undo the last addition or removal."""

    command = "hero.return"


# ------------------------------------------------------------------------------------------- begun


@handles(StartHero, Place.CREW, beforehand=load_measure_to_begin)
def start(act: Act, action: StartHero) -> Reply:
    """Start from a type's template, with 10 Upgrade Points. Rules: CB-BUILD-01, CB-BUILD-02, CB-VEH-40."""
    crew = hero_crew(act)
    require_no_draft(act, crew)
    template = action.type
    name = check_name(action.name or template.name)
    kind = (action.kind or "wheeled") if template.key == "vehicle" else ""
    draft = start_hero(template.key, name, size=action.base, kind=kind)
    save_draft(crew, name, draft, 0)
    return draft_panel(act, crew, (f"You are now building {name} ({template.name}).",))


@handles(EditMember, Place.CREW, beforehand=load_measure_at_home)
def edit(act: Act, action: EditMember) -> Reply:
    """Edit a built member, or a printed Hero's equipment. Rules: CB-GEAR-05, CB-CAMP-07."""
    crew = hero_crew(act)
    require_no_draft(act, crew)
    edited = action.member
    draft = draft_of(edited.profile, crew_traits(crew), faction_of(crew))
    save_draft(crew, edited.name, draft, edited.id)
    return draft_panel(act, crew, (f"You can now change {edited.name}.",))


def build_button(crew: CrewRow) -> Button:
    """Return the button that begins a Hero or a vehicle, or continues the one that is being built."""
    if crew.traits.get(DRAFT):
        return Button(f"{load_draft(crew)[0]}...", ShowDraft(crew.scope), anytime=True)
    return Button("Build...", StartHero(crew.scope), anytime=True, asks=True)


# ------------------------------------------------------------------------------------------- shown


def draft_panel(act: Act, crew: CrewRow, head: tuple[str, ...] = ()) -> Reply:
    """Return the draft in one message, with a button for each step that has something to offer."""
    name, draft, member = load_draft(crew)
    faults = [fault_words(fault) for fault in list_draft_faults(draft)]
    lines = [*head, *draft_lines(name, draft), *faults]
    measure: Measure = act.extra
    lines += crew_lines(measure, crew.name, draft, member)
    unchecked = list_unchecked_features(draft)
    if unchecked:
        lines.append(
            "Check the rulebook, because I can't tell whether a model of this type can have "
            f"{join_with_and(unchecked)}."
        )
    row = get_template(draft)
    weapons, gear = items_of(draft)
    base = load().templates[draft.template] if draft.template else draft.base
    lines += crew_doubts([base, *parts(build_profile(draft), weapons, gear)])
    steps = [step for step in STEPS if step != "free" or (row and row.free_choices > len(draft.picks))]
    if not count_allowed_powers(build_profile(draft), gear, draft.crew):
        steps.remove("power")
    buttons = [Button(f"{STEPS[step]}...", OpenStep(crew.scope, step), anytime=True) for step in steps]
    buttons += [
        Button("Remove...", OpenStep(crew.scope, "", back=True), anytime=True),
        *([Button("Undo last step", StepBack(crew.scope), anytime=True)] if undo_trail(crew) else []),
        *_finish_buttons(crew, measure, draft, member),
        Button("Discard", DiscardHero(crew.scope), anytime=True),
    ]
    return Reply(tuple(lines), private=True, buttons=tuple(buttons), replaces=True)


def _finish_buttons(crew: CrewRow, measure: Measure, draft: ModelDraft, member: int) -> list[Button]:
    if not measure.campaign:
        return [Button("Finish", FinishHero(crew.scope), "main", anytime=True)]
    if member or draft_mark(crew.traits) == measure.bought:
        return []
    price = times(measure.price(draft), "point")
    return [Button(f"Buy for {price}", BuyBuilt(measure.campaign), "main", anytime=True)]


@handles(ShowDraft, Place.CREW, beforehand=load_measure)
def show(act: Act, action: ShowDraft) -> Reply:
    """Show the draft to its owner."""
    return draft_panel(act, hero_crew(act))


@handles(OpenStep, Place.CREW, beforehand=load_measure)
def open_step(act: Act, action: OpenStep) -> Reply:
    """Open a step with only what is legal now and its price; the rest is explained when asked by name.

    Choices that the crew can afford in its possible campaigns come first; others come last, marked.
    """
    crew = hero_crew(act)
    name, draft, member = load_draft(crew)
    if action.back:
        offers = [
            (f"{offer.step}/{offer.key}", offer.label, offer.note)
            for offer in offers_in_step(draft, "", removable=True)
        ]
        chosen_action: Action = GiveBack(crew.scope)
        prompt = "Remove"
    else:
        if action.step not in STEPS:
            raise Missing(f"Choose one of these steps: {', '.join(STEPS)}.")
        offers = affordable_first(act.extra, draft, member, action.step)
        chosen_action = TakeThing(crew.scope, action.step)
        prompt = STEPS[action.step]
    page_offers = offers[action.page * PAGE : (action.page + 1) * PAGE]
    back_to = replace(action, page=action.page - 1) if action.page else ShowDraft(crew.scope)
    back_button = Button("Back", back_to, anytime=True)
    if not page_offers:
        empty_text = (
            f"There is nothing to remove from {name}."
            if action.back
            else f"You can't add anything of this kind to {name} now."
        )
        return Reply((empty_text,), private=True, buttons=(back_button,), replaces=True)
    choices = tuple(Choice(label, key, note) for key, label, note in page_offers)
    has_more = len(offers) > (action.page + 1) * PAGE
    next_page = replace(action, page=action.page + 1)
    points_left = count_all_upgrade_points(draft) - count_spent_points(draft)
    return Reply(
        (
            f"Choose what to {'remove from' if action.back else 'add to'} {name} "
            f"({times(len(offers), 'choice')}).",
            f"You have {times(points_left, 'Upgrade Point')} left.",
            *crew_lines(act.extra, crew.name, draft, member),
        ),
        private=True,
        buttons=(*([Button("More", next_page, anytime=True)] if has_more else []), back_button),
        menus=(Menu(prompt, chosen_action, "key", choices, anytime=True),),
        replaces=True,
    )


# ------------------------------------------------------------------------------------------- changed


def _change_draft(act: Act, step: str, key: str, *, removing: bool = False) -> Reply:
    """Add or remove one thing; its undo is stored only if that restores the old draft exactly."""
    crew = hero_crew(act)
    name, old_draft, member = load_draft(crew)
    new_draft, label = (remove_thing if removing else add_thing)(old_draft, step, key)
    undo_step = undo_word(step, key, removing=removing)
    save_draft(
        crew,
        name,
        new_draft,
        member,
        [*undo_trail(crew), undo_step] if apply_undo_word(new_draft, undo_step) == old_draft else [],
    )
    sentence = f"{label} removed from {name}" if removing else f"{label} added to {name}"
    return _changed_panel(act, crew, old_draft, new_draft, sentence)


def _changed_panel(
    act: Act, crew: CrewRow, old_draft: ModelDraft, new_draft: ModelDraft, sentence: str
) -> Reply:
    points = build_profile(new_draft).points - build_profile(old_draft).points
    return draft_panel(act, crew, (f"{sentence} ({points:+d} {'point' if abs(points) == 1 else 'points'}).",))


@handles(TakeThing, Place.CREW, beforehand=load_measure)
def take(act: Act, action: TakeThing) -> Reply:
    """Add the chosen thing. Raises Forbidden with the rule if it is not legal."""
    return _change_draft(act, action.step, action.key)


@handles(GiveBack, Place.CREW, beforehand=load_measure)
def give_back(act: Act, action: GiveBack) -> Reply:
    """Remove the chosen thing and free its points."""
    step, _, key = action.key.partition("/")
    return _change_draft(act, step, key, removing=True)


@handles(StepBack, Place.CREW, beforehand=load_measure)
def return_step(act: Act, action: StepBack) -> Reply:
    """Undo the last step, whether something was taken or returned, as often as there were steps."""
    crew = hero_crew(act)
    name, old_draft, member = load_draft(crew)
    trail = undo_trail(crew)
    previous_draft = apply_undo_word(old_draft, trail[-1]) if trail else None
    if previous_draft is None:
        raise InvalidInput(f"There is no step to undo for {name}.")
    save_draft(crew, name, previous_draft, member, trail[:-1])
    return _changed_panel(act, crew, old_draft, previous_draft, "Your last step has been undone")


@handles(NameReturned, Place.CREW, beforehand=load_measure)
@handles(NameThing, Place.CREW, beforehand=load_measure)
def name_thing(act: Act, action: NameThing) -> Reply:
    """Add or remove a thing by its name."""
    crew, (step, key) = hero_crew(act), action.thing
    act.canonical = GiveBack(crew.scope, f"{step}/{key}") if action.back else TakeThing(crew.scope, step, key)
    return _change_draft(act, step, key, removing=action.back)
