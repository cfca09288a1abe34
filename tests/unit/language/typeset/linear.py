"""The content of a formula on one line: ⌊{x}/{2k}⌋·k, s_{0}, 2^{n}, ⨁_{h ∈ s} h."""

import re
import xml.etree.ElementTree as ET

SCRIPTS = {"msub": "_", "msup": "^", "munder": "_", "mover": "^"}


def linear(fragment: str) -> str:
    """Return the complete text of an HTML fragment with formulas."""
    return re.sub(r"\s+", " ", _show(ET.fromstring(f"<p>{fragment}</p>"))).strip()


def _show(element: ET.Element) -> str:
    text, parts = element.text or "", [(_show(child), child.tail or "") for child in element]
    match element.tag:
        case "mo" if text == "\u2062":
            return ""
        case "mo":
            return f"{text} " if text in ",:" or (text.isalpha() and element.get("form")) else _space(element, text)
        case "mfrac":
            return "{{{}}}/{{{}}}".format(*(x for x, _ in parts))
        case "msub" | "msup" | "munder" | "mover":
            base, script = (x for x, _ in parts)
            return f"{base.rstrip()}{SCRIPTS[element.tag]}{{{script}}} "
        case "msqrt":
            return f"√{{{parts[0][0]}}}"
        case "mtable":
            return "; ".join(x for x, _ in parts)
        case "mtr":
            return " ".join(x for x, _ in parts)
    return text + "".join(x + tail for x, tail in parts)


def _space(element: ET.Element, sign: str) -> str:
    return sign if element.get("form") in ("prefix", "postfix") or sign in "·…" else f" {sign} "
