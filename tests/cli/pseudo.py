"""A process on a separate terminal, with the text that a person would have seen."""

import os
import re
import signal
import struct
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path


class Terminal:
    """`raw`: all bytes received, as text. `code`: the exit code."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        columns: int = 80,
        interrupt_after: str = "",
        limit: float = 60,
    ) -> None:
        """Run the command; press Ctrl-C once after this text was seen."""
        import fcntl
        import pty
        import termios

        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

        process = subprocess.Popen(
            command, cwd=folder, env={"TERM": "xterm", **environment}, stdin=theirs, stdout=theirs, stderr=theirs,
            start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        seen, until = b"", time.monotonic() + limit
        wanted = interrupt_after.encode()
        while time.monotonic() < until:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            seen += part
            if wanted and wanted in seen:
                os.killpg(process.pid, signal.SIGINT)  # like a terminal
                wanted = b""
        os.close(ours)
        self.code = process.wait(timeout=limit)
        self.raw = seen.decode("utf-8", "replace")

    @property
    def lines(self) -> list[str]:
        """Return the text on the screen at the end."""
        found, row = [""], 0
        plain = re.sub(r"\x1b\]8;;[^\x1b]*\x1b\\", "", self.raw)  # links
        for part in re.split(r"(\r|\n|\x1b\[[0-9;?]*[A-Za-z])", plain):
            if part == "\n":
                row += 1
                found += [""] * (row == len(found))
            elif part.endswith("A") and part.startswith("\x1b"):
                row -= int(part[2:-1] or 1)
            elif part == "\x1b[2K":
                found[row] = ""
            elif part and not part.startswith(("\x1b", "\r")):
                found[row] += part
        return found
