"""Versions of installed distributions, found without the slow import of `importlib.metadata`."""

from __future__ import annotations

import os
import re
import sys

_PLAIN = re.compile(r"[0-9]+(\.[0-9]+)*(\.dist-info)")


def find_version(distribution: str) -> str | None:
    """Return the version of an installed distribution, as `importlib.metadata.version` does; None if there is none.

    The version is usually taken from the name of a folder, `NAME-VERSION.dist-info`, on the path. This requires that
    there is exactly one such folder, and that its version consists of numbers and dots. Otherwise, call the slow
    `importlib.metadata`.
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
    """Return "2.1.dist-info" for each folder `NAME-2.1.dist-info` in `folder`, and the same for .egg-info.

    `name`: the normalized name of a distribution. Return [] if the folder cannot be read.
    """
    try:
        entries = os.listdir(folder or os.curdir)  # noqa: PTH208 - only the names are needed
    except OSError:
        return []
    parts = (entry.partition("-") for entry in entries if entry.endswith((".dist-info", ".egg-info")))
    return [version for own, _, version in parts if re.sub(r"[-_.]+", "_", own).lower() == name]
