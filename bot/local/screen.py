"""What has been shown at this keyboard, and so what a number or a label on it means now.

Numbers belong to the newest outcome that showed controls: they start at 1 there, and an outcome without
controls leaves them as they are. Unasked messages are numbered after them, so that no number changes its
meaning while someone types. Among the numbered controls a label of digits goes before a number. A label means
the control of that name shown last. Knows neither people's rights nor how a press is sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from bot.local.lines import Mistyped, number_in
from bot.local.seen import Event, Message, MessageControl, Modal


@dataclass(frozen=True)
class ShownControl:
    """A control on the message that carries it."""

    message: Message
    control: MessageControl

    @property
    def name(self) -> str:
        """Return the custom_id that a press sends."""
        return self.control.custom_id or ""


class Screen:
    """The messages shown so far, newest last, with the numbers and the open form."""

    def __init__(self) -> None:
        self._messages: dict[int, Message] = {}
        self._numbered: list[ShownControl] = []
        self.modal: Modal | None = None

    def show(self, events: Iterable[Event], *, renumber: bool = True) -> None:
        """Show one outcome: its messages move to the front, and its controls are numbered from 1.

        Without `renumber` they take the numbers after those that are taken.
        """
        numbered: list[ShownControl] = []
        for event in events:
            if event.modal is not None:
                self.modal = event.modal
            if event.before is not None:
                self._messages.pop(event.before.id, None)
            if event.message is not None:
                self._messages.pop(event.message.id, None)
                self._messages[event.message.id] = event.message
            if event.message is not None and not event.takes_away:
                numbered += [ShownControl(event.message, control) for control in _pressable(event.message)]
        if numbered:
            self._numbered = numbered if renumber else self._numbered + numbered

    def numbers(self, message: Message) -> dict[str, int]:
        """Return the numbers that the message's controls have now, by custom_id."""
        borne = message.controls
        return {
            shown_control.name: number
            for number, shown_control in enumerate(self._numbered, 1)
            if shown_control.message.id == message.id and shown_control.control in borne
        }

    def button(self, text: str, person_id: int, channel_id: int) -> ShownControl:
        """Return the button that a number or label means to this person. Mistyped lists the buttons."""
        return self._control(text, person_id, channel_id, buttons=True)

    def menu(self, text: str, person_id: int, channel_id: int) -> ShownControl:
        """Return the select menu that a number, placeholder or custom_id means to this person."""
        return self._control(text, person_id, channel_id, buttons=False)

    def labels(self, person_id: int, channel_id: int) -> list[str]:
        """Return the labels of the buttons that this person can press there, newest first, each once."""
        controls = (shown_control.control for shown_control in self._before(person_id, channel_id))
        return list(
            dict.fromkeys(
                _title(message_control)
                for message_control in controls
                if message_control.is_button and not message_control.disabled
            )
        )

    def _control(self, text: str, person_id: int, channel_id: int, *, buttons: bool) -> ShownControl:
        number = number_in(text)
        if number is not None:
            return self._by_number(self._labelled(text) or number, person_id, buttons)
        disabled: ShownControl | None = None
        for shown_controls in self._called(text, person_id, channel_id, buttons):
            usable = [shown_control for shown_control in shown_controls if not shown_control.control.disabled]
            if len(usable) > 1:
                raise Mistyped(f"Several buttons or menus are called {text}. Enter a number instead.")
            if usable:
                return usable[0]
            disabled = disabled or shown_controls[0]
        if disabled is None:
            raise Mistyped(self._nothing_called(text, person_id, channel_id, buttons))
        raise Mistyped(f"{_title(disabled.control)} can no longer be pressed.")

    def _labelled(self, digits: str) -> int:
        """Return the number of the numbered control which has these digits for its label, or 0."""
        labelled = (
            number
            for number, shown_control in enumerate(self._numbered, 1)
            if shown_control.control.label == digits
        )
        return next(labelled, 0)

    def _by_number(self, number: int, person_id: int, buttons: bool) -> ShownControl:
        if not 1 <= number <= len(self._numbered):
            last = len(self._numbered)
            hint = f"Numbers go up to {last}." if last else _NOTHING
            raise Mistyped(f"Nothing has the number [{number}]. {hint}")
        shown_control = self._numbered[number - 1]
        if shown_control.message.id not in self._messages:
            raise Mistyped(f"The message with [{number}] no longer exists.")
        if not shown_control.message.visible_to(person_id):
            raise Mistyped(f"[{number}] is on a reply that only someone else can see.")
        if shown_control.control.is_button is not buttons:
            raise Mistyped(
                f"[{number}] is a {'menu. Type menu' if buttons else 'button. Type press'} {number}"
            )
        return shown_control

    def _called(
        self, text: str, person_id: int, channel_id: int, buttons: bool
    ) -> Iterator[list[ShownControl]]:
        """The controls of this name, by message, newest first; messages without one are left out."""
        label = text.casefold()
        for _, shown_controls in groupby(self._before(person_id, channel_id), key=lambda row: row.message.id):
            kind = (
                shown_control
                for shown_control in shown_controls
                if shown_control.control.is_button is buttons
            )
            matches = [shown_control for shown_control in kind if label in _names_of(shown_control)]
            if matches:
                yield matches

    def _nothing_called(self, text: str, person_id: int, channel_id: int, buttons: bool) -> str:
        everything = [shown_control.control for shown_control in self._before(person_id, channel_id)]
        names = dict.fromkeys(
            _title(message_control) for message_control in everything if message_control.is_button is buttons
        )
        if not names:
            return _NOTHING
        return f'There is nothing called "{text}" here. You can choose: {", ".join(names)}.'

    def _before(self, person_id: int, channel_id: int) -> Iterator[ShownControl]:
        for message in reversed(self._messages.values()):
            if message.channel_id == channel_id and message.visible_to(person_id):
                for control in message.controls:
                    if control.custom_id:
                        yield ShownControl(message, control)


_NOTHING = "Nothing here can be pressed."


def _pressable(message: Message) -> list[MessageControl]:
    return [control for control in message.controls if control.custom_id and not control.disabled]


def _names_of(shown_control: ShownControl) -> tuple[str, ...]:
    """Return the names of a control: its title, the title without a note in brackets, and its id."""
    title = _title(shown_control.control).casefold()
    return title, title.partition(" (")[0], shown_control.name.casefold()


def _title(control: MessageControl) -> str:
    return control.label or control.placeholder or control.emoji or control.custom_id or ""
