"""Functions that write complete files, never through a symbolic link that leads out of the target folder.

All commands that write files for users call `write_file`. A repository of another person may contain a link at a
default output path. Following this link would replace a file outside the folder.
"""

from __future__ import annotations

import errno
import secrets
import shutil
from pathlib import Path


def refuse_link(path: Path, folder: Path | None = None) -> Path:
    """Return `path` with symbolic links resolved.

    Raises OSError if the result is outside `folder`. The default of `folder` is the folder that contains `path`.
    """
    target = path.resolve()
    if not target.is_relative_to((path.parent if folder is None else folder).resolve()):
        raise OSError(
            errno.ELOOP,
            "a symbolic link that leads out of the folder; remove the link, or give the path of its target",
            str(path),
        )
    return target


def write_file(path: Path, data: str | bytes, folder: Path | None = None) -> None:
    """Write `data` as the new content of the file. Create missing folders.

    If this fails, the old file is unchanged.

    `data`: a text is encoded as UTF-8.
    `folder`: the folder that the file must not leave through a symbolic link, by default the folder that contains
    `path`.
    Raises OSError, also for such a link, and UnicodeEncodeError for a text with lone surrogates.
    """
    target = refuse_link(path, folder)
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
        if target.exists():
            shutil.copymode(target, temporary)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
