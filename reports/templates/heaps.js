"use strict";
// The drawings of heaps on a board, and the words for moves. Heaps are numbers or have parts. The data contains the drawings of heaps with parts.
const heapViews = (() => {
  const make = (name, kind = "", text = "") => {
    const element = document.createElement(name);
    if (kind) element.className = kind;
    element.textContent = text;
    return element;
  };
  const button = (kind, text, act) => {
    const element = make("button", kind, text);
    element.type = "button";
    element.addEventListener("click", act);
    return element;
  };
  const same = (a, b) => a.length === b.length && a.every((h, i) => h === b[i]);
  const without = (heaps, others) => {
    const rest = [...others];
    return heaps.filter((h) => { const at = rest.indexOf(h); if (at >= 0) rest.splice(at, 1); return at < 0; });
  };

  // -- numbers ----------------------------------------------------------------------------------------------------------
  const sort = (heaps) => heaps.filter((h) => h > 0).sort((a, b) => a - b);
  const write = (heaps) => (heaps.length ? "(" + heaps.join(", ") + ")" : "no heap");
  // The heap that a move lowers, and its new size; null if the move does anything else.
  function lowering(before, after) {
    const gone = without(before, after), rest = without(after, before), left = rest.length ? rest[0] : 0;
    return gone.length === 1 && rest.length < 2 && left < gone[0] ? { heap: gone[0], left } : null;
  }
  const numbers = {
    write,
    hint: " Choose a token to take it and all tokens above it.",
    title: (reader, position) => "You are " + reader + ", at " + write(position),
    tell(who, before, after) {
      const one = lowering(before, after), you = who === "You", leaves = (you ? "leave " : "leaves ") + write(after);
      return who + " " + (one ? (you ? "take " : "takes ") + (one.heap - one.left) + " from " + one.heap + " and " + leaves : leaves);
    },
    label(before, after) {
      const one = lowering(before, after);
      return (one ? "take " + (one.heap - one.left) + " from " + one.heap + " → " : "leave ") + write(after);
    },
    // The heaps after a move, in the order in which they are shown; `at`: the heap that was touched, if it is known.
    lay(heaps, after, at = -1) {
      const one = lowering(sort(heaps), after);
      if (!one) return [...after];
      const place = at >= 0 ? at : heaps.lastIndexOf(one.heap);
      return heaps.map((h, i) => (i === place ? one.left : h));
    },
    rest: (heaps) => heaps.filter((h) => h > 0),
    draw(heaps, was, game) {
      const row = make("div", "stacks");
      (was.length === heaps.length ? was : heaps).forEach((height, number) => {
        if (!height) return;
        const stack = make("div", "stack"), size = heaps[number];
        stack.setAttribute("role", "group");
        stack.setAttribute("aria-label", "Heap of " + size);
        for (let left = 0; left < height; left++) {
          if (game) {
            const token = button("token", "", () => game.move(sort(heaps.map((h, i) => (i === number ? left : h))), number));
            token.dataset.take = "take " + (size - left);
            token.setAttribute("aria-label", "Take " + (size - left) + " from heap " + (number + 1) + ", of " + size);
            stack.append(token);
          } else stack.append(make("i", left < size ? "token" : "token gone"));
        }
        const label = make("b", "", String(size));
        label.setAttribute("aria-hidden", "true");
        stack.append(label);
        row.append(stack);
      });
      if (!sort(heaps).length && !row.children.length) row.append(make("p", "at", "no heap"));
      return row;
    },
    field(positions, start) {
      const input = make("input");
      input.value = start.replace(/[^\d, ]/g, "");
      input.autocomplete = "off";
      input.inputMode = "numeric";
      return { label: "Heaps ", input, read: () => sort((input.value.match(/\d+/g) || []).map(Number)) };
    },
  };

  // -- parts: a heap is its number in `heaps`: its text, its words, width, height, and the numbers of its shapes ---------
  function parts({ heaps: table, shapes, touched }) {
    const text = (position) => (position.length ? "(" + position.map((h) => table[h][0]).join(", ") + ")" : "no heap");
    const words = (position) => position.map((h) => table[h][1]).join("; ") || "no heap";
    // Whether a move begins at this element of a heap. A move that replaces the heap by several heaps, or by none, begins at any element.
    function begins(heap, element, before, after) {
      const gone = without(before, after), made = without(after, before);
      if (!gone.includes(heap)) return false;
      const found = gone.length === 1 && made.length === 1 ? touched[gone[0] + ">" + made[0]] : [];
      return !found || !found.length || found.includes(element);
    }
    function picture(heap) {
      const [, said, width, height, drawn] = table[heap], holder = make("div", "picture-of");
      holder.setAttribute("role", "img");
      holder.setAttribute("aria-label", said);
      if (!drawn) { holder.textContent = table[heap][0]; return holder; }
      holder.innerHTML = `<svg class="parts" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" aria-hidden="true">${drawn.map((i) => shapes[i]).join("")}</svg>`;
      return holder;
    }
    return {
      write: text,
      hint: " Touch the part that you want to move, or choose a move below.",
      title: (reader, position) => "You are " + reader + ". It is your move from " + words(position),
      tell: (who, before, after) => who + (who === "You" ? " leave " : " leaves ") + words(after),
      label: (before, after) => "leave " + words(after),
      lay(heaps, after, at = -1) {
        const gone = without(heaps, after), made = without(after, heaps);
        if (gone.length !== 1 || made.length !== 1) return [...after];
        const place = heaps[at] === gone[0] ? at : heaps.lastIndexOf(gone[0]);
        return heaps.map((h, i) => (i === place ? made[0] : h));
      },
      rest: (heaps) => heaps,
      // Each touched element narrows the possible moves. When only one move is left, it is made.
      draw(heaps, was, game) {
        const row = make("div", "pictures-of"), holders = heaps.map(picture);
        let chosen = [];
        row.append(...holders);
        if (!heaps.length) row.append(make("p", "at", "no heap"));
        if (!game) return row;
        const fits = (all) => game.moves().filter(([after]) => all.every(([heap, element]) => begins(heap, element, game.position(), after)));
        const nodes = (holder, element) => holder.querySelectorAll(`[data-e="${element}"]`);
        holders.forEach((holder, number) => {
          for (const node of holder.querySelectorAll("[data-e]")) {
            if (fits([[heaps[number], node.dataset.e]]).length) node.classList.add("may");
          }
          holder.addEventListener("click", (event) => {
            const node = event.target.closest("[data-e]");
            if (!node) return;
            const here = [heaps[number], node.dataset.e, number];
            chosen = fits([...chosen, here]).length ? [...chosen, here] : [here];
            const found = fits(chosen);
            row.querySelectorAll(".on").forEach((x) => x.classList.remove("on"));
            if (found.length < 2) chosen = [];
            if (found.length === 1) return game.move(found[0][0], number);
            for (const [, element, at] of chosen) nodes(holders[at], element).forEach((x) => x.classList.add("on"));
            game.narrow(found);
          });
        });
        return row;
      },
      field(positions, start) {
        const input = make("select");
        positions.map(text).forEach((s, i) => input.append(new Option(s, i, s === start, s === start)));
        return { label: "Position ", input, read: () => positions[input.selectedIndex] };
      },
    };
  }
  return { make, button, same, of: (data) => (data.heaps ? parts(data) : numbers) };
})();
