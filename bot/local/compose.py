"""Turns a request's body and its uploaded files into a message, new or edited, as Discord would store it.

Owns what an edit keeps and what it replaces. Leaves the refusals to `checks` and the posting to its callers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.local import wire
from bot.local.checks.messages import check_message
from bot.local.refusals import Problems, Refused
from bot.local.seen import EPHEMERAL, LOADING, AttachedFile, Json, Message, User
from bot.local.world import World

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Received:
    """A file as it came with a request, under the form's field name ("files[0]")."""

    field: str
    filename: str
    data: bytes
    content_type: str | None


class Composer:
    """Makes messages; `files_at` is the URL under which files can be downloaded."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.files_at = ""

    def new(
        self,
        body: Json,
        files: Sequence[Received],
        *,
        channel_id: int,
        author: User,
        allowed_flags: int,
        only_for: int | None = None,
        interaction_id: int | None = None,
        path: Path = (),
    ) -> Message:
        """Return a message that is not yet posted; `only_for` alone decides whether it is EPHEMERAL."""
        listed = body.get("attachments") or []
        names = self._names(files, listed, {}, path)
        check_message(body, allowed_flags=allowed_flags, file_names=names, path=path)
        attachments = self._stored(files, listed)
        flags = (body.get("flags") or 0) & ~EPHEMERAL | (EPHEMERAL if only_for is not None else 0)
        content = (body.get("content") or "").strip()
        reference = body.get("message_reference") or {}
        return Message(
            id=self._world.ids.next(),
            channel_id=channel_id,
            author=author,
            content=content,
            embeds=self._embeds(body.get("embeds"), attachments),
            components=self._components(body.get("components"), attachments),
            attachments=attachments,
            flags=flags,
            only_for=only_for,
            interaction_id=interaction_id,
            created=self._world.clock.now(),
            reply_to=int(reference["message_id"]) if reference.get("message_id") else None,
            pings=tuple(
                user.id for user in wire.mentioned(self._world, content, body.get("allowed_mentions"))
            ),
        )

    def edited(
        self, message: Message, body: Json, files: Sequence[Received], *, allowed_flags: int, path: Path = ()
    ) -> Message:
        """Return `message` after the edit; what the body does not name is unchanged, and so are its files."""
        files_before = {attachment.id: attachment for attachment in message.attachments}
        listed = body.get("attachments")
        kept_files = files_before if listed is None else _kept_attachments(files_before, listed)
        names = [file.filename for file in kept_files.values()]
        names += self._names(files, listed or [], files_before, path)
        standing = {
            "content": message.content,
            "embeds": message.embeds,
            "components": message.components,
            "flags": message.flags,
        }
        check_message(body, allowed_flags=allowed_flags, file_names=names, path=path, standing=standing)
        attachments = (*kept_files.values(), *self._stored(files, listed or []))
        loading = message.flags & LOADING
        changed = replace(
            message,
            attachments=attachments,
            flags=(message.flags | (body.get("flags") or 0)) & ~LOADING,
            edited=None if loading else self._world.clock.now(),
        )
        if "content" in body:
            content = (body["content"] or "").strip()
            changed = replace(changed, content=content)
        if "embeds" in body:
            changed = replace(changed, embeds=self._embeds(body["embeds"], attachments))
        if "components" in body:
            changed = replace(changed, components=self._components(body["components"], attachments))
        return changed

    def received(
        self, filename: str, data: bytes, content_type: str | None, description: str | None = None
    ) -> AttachedFile:
        """Return a file made available for download."""
        number = self._world.ids.next()
        file = AttachedFile(
            number, filename, data, f"{self.files_at}/{number}/{filename}", content_type, description
        )
        self._world.attach([file])
        return file

    def _names(
        self, files: Sequence[Received], listed: Sequence[Json], files_before: Mapping[int, Any], path: Path
    ) -> list[str]:
        """Return the names of the uploaded files; refuses a list of attachments that names others."""
        problems = Problems()
        fields = {file.field for file in files}
        for index, listed_file in enumerate(listed):
            number = str(listed_file.get("id"))
            if number.isdigit() and (f"files[{number}]" in fields or int(number) in files_before):
                continue
            problems.add(
                (*path, "attachments", index, "id"), "MESSAGE_ATTACHMENT_NOT_FOUND", "Attachment not found"
            )
        problems.raise_if_any()
        if any(len(file.data) > wire.ATTACHMENT_SIZE_LIMIT for file in files):
            raise Refused(413, 40005)
        described = _by_field(listed)
        return [described.get(file.field, {}).get("filename") or file.filename for file in files]

    def _stored(self, files: Sequence[Received], listed: Sequence[Json]) -> tuple[AttachedFile, ...]:
        described = _by_field(listed)
        stored = []
        for file in files:
            description = described.get(file.field, {})
            name = description.get("filename") or file.filename
            stored.append(self.received(name, file.data, file.content_type, description.get("description")))
        return tuple(stored)

    def _embeds(self, embeds: Sequence[Json] | None, attachments: Sequence[AttachedFile]) -> tuple[Json, ...]:
        urls = {attachment.filename: attachment.url for attachment in attachments}
        return tuple(wire.embed(embed, urls) for embed in embeds or ())

    def _components(
        self, components: Sequence[Json] | None, attachments: Sequence[AttachedFile]
    ) -> tuple[Json, ...]:
        urls = {f"attachment://{attachment.filename}": attachment.url for attachment in attachments}
        return wire.numbered(self._world, components or (), urls)


def _kept_attachments(files: Mapping[int, AttachedFile], listed: Sequence[Json]) -> dict[int, AttachedFile]:
    kept_ids = {int(listed_file["id"]) for listed_file in listed}
    return {number: file for number, file in files.items() if number in kept_ids}


def _by_field(listed: Sequence[Json]) -> dict[str, Json]:
    return {f"files[{listed_file.get('id')}]": listed_file for listed_file in listed}
