"""The folder in which pictures and other files from the table are kept.

Owns their names there: never a path of the sender's choosing, never one file over another.
"""

from pathlib import Path, PurePosixPath

from bot.local.seen import AttachedFile


class Album:
    """Saves each file once; the folder is made when the first one comes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._saved: dict[int, Path] = {}

    def place(self, attachment: AttachedFile) -> str:
        """Return where the file is, and save it there first if needed."""
        if attachment.id not in self._saved:
            self._saved[attachment.id] = self._save(attachment)
        return str(self._saved[attachment.id])

    def _save(self, attachment: AttachedFile) -> Path:
        self._folder.mkdir(parents=True, exist_ok=True)
        name = PurePosixPath(PurePosixPath(attachment.filename.replace("\\", "/")).name or "file")
        path, copy = self._folder / name, 1
        while path.exists() and path.read_bytes() != attachment.data:
            copy += 1
            path = self._folder / f"{name.stem}-{copy}{name.suffix}"
        path.write_bytes(attachment.data)
        return path
