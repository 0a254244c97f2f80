"""Two people with the sample crews in the first turn, their decks stacked as needed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bot.actions import Action, with_text
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.hand_panel import ShowProgress
from bot.games.fracd_earth.players import deck_of, hidden_values_of, keep_deck, keep_hidden, player_rows
from bot.games.fracd_earth.settings import settings_of
from bot.games.fracd_earth.steps import Look
from bot.ids import Tag, pack, unpack
from bot.replies.reply import Menu, Reply
from bot.table.encounter import Encounter
from bot.table.request import Answer
from bot.table.session.encounters import JoinEncounter, NextStep, StartDemo
from rules.systems.fracd_earth.cards import card_number
from rules.systems.fracd_earth.deck import Deck
from tests.bot.arranging import Step, arrange
from tests.bot.tables import Table, all_lines

ANNA, BO = "anna", "bo"
"""Anna plays the Wardens and is the organiser, Bo plays the Prowlers."""

SIDES = {ANNA: 1, BO: 2}


def stacked(encounter: Encounter, side: int, top: str = "", buff: str = "", discards: str = "") -> None:
    """Stack a side's deck: these cards on top, these in the Buff Hand, these discarded, the rest below."""
    settings = settings_of(encounter)
    row = next(row for row in player_rows(encounter) if row.side == side)
    first, held, gone = (
        tuple(card_number(settings.deck, key) for key in text.split()) for text in (top, buff, discards)
    )
    used = {*first, *held, *gone}
    assert len(used) == len(first) + len(held) + len(gone)
    rest = tuple(number for number in range(len(settings.deck)) if number not in used)
    pushes = deck_of(encounter, row.id).pushes
    keep_deck(encounter, row.id, Deck((*first, *rest), buff_hand=held, discards=gone, pushes=pushes))


def on_top(encounter: Encounter, side: int, top: str) -> None:
    """Put cards of a side's pile on its top; nothing else changes, so that it can be done in a Challenge."""
    settings = settings_of(encounter)
    row = next(row for row in player_rows(encounter) if row.side == side)
    hidden = hidden_values_of(encounter, row.id)
    first = [card_number(settings.deck, key) for key in top.split()]
    pile = hidden["deck"]["pile"]
    assert set(first) <= set(pile), "only cards of the pile"
    hidden["deck"]["pile"] = [*first, *(card for card in pile if card not in first)]
    keep_hidden(encounter, row.id, hidden)


def counted(encounter: Encounter) -> None:
    """Count the arrangement, so that it is always a change."""
    encounter.row.counters["arranged"] = encounter.count("arranged") + 1


@dataclass
class Duel:
    """A game under way; `answer` is the last public one, `heard` all that was said in public."""

    table: Table
    answer: Answer = field(default_factory=lambda: Answer(Reply(())))
    heard: list[str] = field(default_factory=list)
    told: dict[str, list[str]] = field(default_factory=lambda: {ANNA: [], BO: []})

    @classmethod
    async def open(cls, table: Table) -> Duel:
        game = cls(table)
        await game.ask(ANNA, StartDemo("fracd_earth"))
        await game.ask(BO, JoinEncounter("Prowlers"))
        await game.ask(ANNA, NextStep())
        return game

    async def ask(self, who: str, action: Action, **more: object) -> Answer:
        answer = await self.table.do(who, action, **more)  # type: ignore[arg-type]
        return self._keep(who, answer)

    def _keep(self, who: str, answer: Answer) -> Answer:
        if answer.reply.private:
            self.told.setdefault(who, []).extend(all_lines(answer.reply))
        else:
            self.heard += all_lines(answer.reply)
            self.answer = answer
        return answer

    async def arrange(self, *steps: Step) -> None:
        done = await arrange(self.table, ANNA, *steps, counted)
        assert done.changed, done.reply.text
        self.answer = replace(self.answer, version=done.version)

    async def stack(self, who: str, top: str = "", buff: str = "", discards: str = "") -> None:
        await self.arrange(lambda encounter: stacked(encounter, SIDES[who], top, buff, discards))

    async def top(self, who: str, cards: str) -> None:
        await self.arrange(lambda encounter: on_top(encounter, SIDES[who], cards))

    async def press(self, who: str, label: str, *, reason: str = "") -> Answer:
        """Press a button of the last public answer, or of what is shown to who asks where things stand."""
        if not any(button.label == label for button in self.answer.reply.buttons):
            shown = await self.table.do(who, ShowProgress())
            return self._keep(who, await self.table.press(who, shown, label, reason=reason))
        return self._keep(who, await self.table.press(who, self.answer, label, reason=reason))

    async def cards(self, who: str) -> Reply:
        return (await self.ask(who, Look())).reply

    async def choose(self, who: str, menu: str, *values: str) -> Answer:
        """Choose in a menu of the private cards and do it, or in one of the last public answer."""
        reply = await self.cards(who)
        scope = self.answer.scope
        if (held := next((one for one in reply.menus if one.prompt.startswith(menu)), None)) is not None:
            return await self._hold(who, held, values[0])
        found = next((one for one in self.answer.reply.menus if one.prompt.startswith(menu)), None)
        assert found is not None, f"no menu {menu}: {[one.prompt for one in reply.menus]}"
        tag = unpack(pack(Tag(found.action, scope, -1, found.fills)))
        return await self.ask(who, with_text(tag.action, {tag.part: values}), scope=tag.scope)

    async def _hold(self, who: str, menu: Menu, value: str) -> Answer:
        """Choose a card of one's own, `reinforce 3H` or `3H`, and do with it what the button says."""
        kind, _, card = value.rpartition(" ")
        label = f"{kind.capitalize()} with {card}" if kind else f"{card}: "
        labels = (label, f"Add {card}")
        piece = next(one.value for one in menu.choices if one.label.startswith(labels))
        chosen = await self.ask(who, with_text(menu.action, {menu.fills: (piece,)}), scope=self.answer.scope)
        return self._keep(who, await self.table.press(who, chosen, chosen.reply.buttons[0].label))

    async def select(self, who: str, card: str) -> Answer:
        return await self.choose(who, "Select", card)

    async def encounter(self) -> Encounter:
        return await self.table.encounter()

    async def running(self) -> exchanges.Exchange | None:
        return exchanges.find_exchange(await self.encounter())

    async def deck(self, who: str) -> Deck:
        encounter = await self.encounter()
        row = next(row for row in player_rows(encounter) if row.side == SIDES[who])
        return deck_of(encounter, row.id)

    @property
    def first(self) -> str:
        """The first line of the last public answer."""
        return self.answer.reply.lines[0]

    @property
    def text(self) -> str:
        return self.answer.reply.text
