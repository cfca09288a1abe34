"""Versions of what is installed, without `importlib.metadata`: its import takes longer than all that it is asked."""

from __future__ import annotations

import os
import re
import sys

_PLAIN = re.compile(r"[0-9]+(\.[0-9]+)*(\.dist-info)")


def find_version(distribution: str) -> str | None:
    """The version of an installed distribution, None if there is none: what `importlib.metadata.version` says.

    It stands in the name of a folder, `NAME-VERSION.dist-info`. `importlib.metadata` is asked unless there is exactly
    one of that name on the path, and its version is plain numbers, which are spelt in no other way inside.
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
    """What follows the name and a hyphen, in the names of files in a folder of the path."""
    try:
        entries = os.listdir(folder or os.curdir)  # noqa: PTH208 - names alone are asked for
    except OSError:
        return []
    parts = (entry.partition("-") for entry in entries if entry.endswith((".dist-info", ".egg-info")))
    return [version for own, _, version in parts if re.sub(r"[-_.]+", "_", own).lower() == name]
