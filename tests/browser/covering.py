"""A few claims, or other parts of a page, that together have every shape of element, for axe to examine."""

from __future__ import annotations

from collections.abc import Mapping

from playwright.sync_api import Page

# The shape of an element includes its parent: tags, classes, attributes, the values of attributes for role and state,
# the look of its own text (for a formula, of the whole), whether it has text, and whether it scrolls.
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
"""Ids that two elements have, and missing ids that an element refers to."""


def find_shapes(page: Page, parts: str = ".claim") -> dict[str, set[str]]:
    """Return the shapes of the visible elements of each claim, by its id."""
    return {id: set(shapes) for id, shapes in page.evaluate(_FIND, parts).items()}


def cover(shapes: Mapping[str, set[str]]) -> list[str]:
    """Choose a few claims that have all shapes: repeatedly the first claim that adds most shapes.

    >>> cover({"a": {"p"}, "b": {"p", "q", "r"}, "c": {"r", "s"}, "d": {"s"}})
    ['b', 'c']
    """
    left, chosen = set[str]().union(*shapes.values()), list[str]()
    while left:
        chosen.append(max(shapes, key=lambda claim: len(left & shapes[claim])))
        left -= shapes[chosen[-1]]
    return chosen


def keep_claims(page: Page, ids: list[str], parts: str = ".claim") -> None:
    """Remove all other claims from the page."""
    page.evaluate(_KEEP, [ids, parts])
