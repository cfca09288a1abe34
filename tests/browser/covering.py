"""Claims, or other parts of a page, that together have every shape of element that is on it: what axe is to look at."""

from __future__ import annotations

from collections.abc import Mapping

from playwright.sync_api import Page

# An element is seen with its parent: tags, classes, attributes, the values of those that say what an element is and in
# which state, how its own text looks (in a formula that of the whole), whether it has any text, whether it scrolls.
_FIND = """(parts) => {
  const telling = /^(role|type|tabindex|scope|lang|open|hidden|aria-(?!label|describedby|controls|owns|details).*)$/;
  const attribute = (a) => a.name + (telling.test(a.name) ? `=${a.value}` : a.value.trim() ? "" : "=");
  const kind = (e) => `${e.localName}.${[...e.classList].sort().join(".")}`;
  const scrolling = new Map();
  const scrolls = (e, kind) => {
    if (!scrolling.has(kind)) scrolling.set(kind, /auto|scroll/.test(getComputedStyle(e).overflow));
    return scrolling.get(kind) && (e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight);
  };
  const look = (e) => {
    const own = e.localName === "math" || [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || (e.namespaceURI.endsWith("MathML") && e.localName !== "math")) return own;
    const style = getComputedStyle(e);
    return `${style.color} ${style.fontSize}`;
  };
  const seen = (e, kinds, parent) => {
    const own = kind(e), below = [...e.children].map((x) => seen(x, kinds, own)), looks = look(e);
    const text = Boolean(looks) || below.some(Boolean);
    const attributes = [...e.attributes].filter((a) => !/^(class|style|data-.*)$/.test(a.name)).map(attribute).sort();
    kinds.add([parent, own, ...attributes, looks, text, scrolls(e, own)].join(" "));
    return text;
  };
  return Object.fromEntries([...document.querySelectorAll(parts)].map((claim) => {
    const kinds = new Set();
    seen(claim, kinds, kind(claim.parentElement));
    return [decodeURIComponent(claim.id), [...kinds]];
  }));
}"""
_KEEP = """([ids, parts]) => document.querySelectorAll(parts).forEach(
  (e) => ids.includes(decodeURIComponent(e.id)) || e.remove())"""
UNLIKE = """() => {
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id), named = new Set(ids);
  const asked = ["aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "for"].flatMap((name) =>
    [...document.querySelectorAll(`[${name}]`)].flatMap((e) => e.getAttribute(name).split(/\\s+/)));
  return [...ids.filter((id, at) => ids.indexOf(id) !== at), ...asked.filter((id) => !named.has(id))];
}"""
"""Ids that two elements have, and those that no element has and some element names."""


def find_shapes(page: Page, parts: str = ".claim") -> dict[str, set[str]]:
    """The shapes of elements of each claim, as far as it is unfolded, by its id."""
    return {id: set(shapes) for id, shapes in page.evaluate(_FIND, parts).items()}


def cover(shapes: Mapping[str, set[str]]) -> list[str]:
    """Few claims that have all shapes: the next is the first one of those that add most.

    >>> cover({"a": {"p"}, "b": {"p", "q", "r"}, "c": {"r", "s"}, "d": {"s"}})
    ['b', 'c']
    """
    left, chosen = set[str]().union(*shapes.values()), list[str]()
    while left:
        chosen.append(max(shapes, key=lambda claim: len(left & shapes[claim])))
        left -= shapes[chosen[-1]]
    return chosen


def keep_claims(page: Page, ids: list[str], parts: str = ".claim") -> None:
    """No other claims are on the page any more."""
    page.evaluate(_KEEP, [ids, parts])
