"""Versions of installed distributions, found without the slow import of `importlib.metadata`."""

from __future__ import annotations

import os
import re
import sys

_PLAIN = re.compile(r"[0-9]+(\.[0-9]+)*(\.dist-info)")


def find_version(distribution: str) -> str | None:
    """Return the version of an installed distribution, or None: the result of `importlib.metadata.version`.

    The version is read from the name of a folder, `NAME-VERSION.dist-info`. This is possible only if exactly one such
    folder is on the path and its version consists of plain numbers, which have only one spelling. In all other cases,
    `importlib.metadata` finds the version.
    """
    name = re.sub(r"[-_.]+", "_", distribution).lower()
    found = [x for folder in dict.fromkeys(sys.path) for x in _list_versions(folder, name)]
    if len(found) == 1 and _PLAIN.fullmatch(found[0]):
        return found[0].removesuffix(".dist-info")
    from importlib import metadata

    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def _list_versions(folder: str, name: str) -> list[str]:
    """Return the part after the name and the hyphen of each metadata folder of `name` in a folder of the path."""
    try:
        entries = os.listdir(folder or os.curdir)  # noqa: PTH208 - only the names are needed
    except OSError:
        return []
    parts = (entry.partition("-") for entry in entries if entry.endswith((".dist-info", ".egg-info")))
    return [version for own, _, version in parts if re.sub(r"[-_.]+", "_", own).lower() == name]
