(() => {
  // Maps of arguments. Activating a node shows it with its neighbours; activating it again goes to the claim. Without this
  // script, nodes are plain links.
  for (const part of document.querySelectorAll(".argument")) {
    const pan = part.querySelector(".pan");
    if (!pan) continue;
    if (pan.dataset.body === undefined) show(part);
    else pan.addEventListener("filled", () => show(part), { once: true });
  }
  function show(part) {
    const map = part.querySelector(".map");
    const said = part.querySelector(".said");
    const nodes = [...map.querySelectorAll(".node")];
    const edges = [...map.querySelectorAll(".edge")];
    const broke = part.querySelector(".broke");
    let chosen = null;

    const numbered = new Map(nodes.map((node) => [node.dataset.node, node]));
    const name = (node) => node.dataset.name;
    const dim = (near) => {
      map.classList.add("focus");
      for (const node of nodes) node.classList.toggle("near", near.has(node.dataset.node));
    };
    // The nodes above and below a node in its stack.
    function gather(near, number) {
      near.add(number);
      for (let over = numbered.get(number).dataset.over; over; over = numbered.get(over).dataset.over) near.add(over);
      for (const node of nodes) if (node.dataset.over === number) near.add(node.dataset.node);
    }

    // Show the refuted claims, the claims that depend on them, and our proofs that replace the published proofs.
    function showBroken(shown) {
      choose(null);
      if (!shown) return;
      broke.setAttribute("aria-pressed", "true");
      const near = new Set();
      for (const node of nodes) if (node.matches(".refuted")) gather(near, node.dataset.node);
      for (const edge of edges.filter((e) => e.matches(".broken, .replaces"))) {
        edge.classList.add("near");
        near.add(edge.dataset.from).add(edge.dataset.to);
      }
      // Add the claims that depend on refuted claims indirectly, by published proofs.
      const fallen = edges.filter((e) => e.matches(".broken")).map((e) => e.dataset.to);
      for (const number of fallen) {
        for (const edge of edges.filter((e) => !e.matches(".ours") && e.dataset.from === number)) {
          edge.classList.add("near");
          near.add(edge.dataset.to);
          if (!fallen.includes(edge.dataset.to)) fallen.push(edge.dataset.to);
        }
      }
      dim(near);
      said.textContent = near.size + " of " + nodes.length + " claims are shown: the refuted claims, the statements that they belong to, the claims that depend on them, and our proofs.";
    }
    if (broke) {
      broke.hidden = false;
      broke.addEventListener("click", () => showBroken(broke.getAttribute("aria-pressed") !== "true"));
    }

    function choose(node) {
      chosen = node;
      if (broke) broke.setAttribute("aria-pressed", "false");
      for (const e of [...nodes, ...edges]) e.classList.remove("near", "chosen");
      map.classList.remove("focus");
      said.replaceChildren();
      if (node === null) return;
      const number = node.dataset.node, near = new Set(), beside = { uses: [], ours: [], serves: [] };
      gather(near, number);
      for (const edge of edges) {
        const { from, to } = edge.dataset;
        if (from !== number && to !== number) continue;
        edge.classList.add("near");
        near.add(from).add(to);
        beside[from === number ? "serves" : edge.matches(".ours") ? "ours" : "uses"].push(numbered.get(from === number ? to : from));
      }
      dim(near);
      node.classList.add("chosen");
      // The text states the same as the lines, for screens that are too small for the map.
      const parts = [["The published proof uses ", beside.uses], ["Our proof uses ", beside.ours], ["Used by ", beside.serves]];
      said.append(node.querySelector("title").textContent + ". ");
      for (const [text, found] of parts.filter(([, found]) => found.length)) said.append(text, ...links(new Set(found)), ". ");
      const go = document.createElement("a");
      go.href = node.getAttribute("href");
      go.textContent = "Go to " + name(node);
      said.append(go, " (or choose it again; Escape shows all)");
    }
    function links(found) {
      return [...found].flatMap((node, i) => {
        const link = document.createElement("a"), sign = node.querySelector(".mark").cloneNode();
        const shown = document.createElementNS("http://www.w3.org/2000/svg", "svg"), unseen = document.createElement("span");
        shown.setAttribute("class", "sign " + node.dataset.verdict);
        shown.setAttribute("aria-hidden", "true");
        for (const name of ["class", "x", "y", "width", "height"]) sign.removeAttribute(name);
        shown.append(sign);
        link.className = "to";
        link.href = node.getAttribute("href");
        unseen.className = "unseen";
        unseen.textContent = " (" + node.dataset.verdict + ")";
        link.append(shown, name(node));
        return i ? ["; ", link, unseen] : [link, unseen];
      });
    }
    // A link "#map:..." opens the map with this claim chosen.
    function arrive() {
      const node = nodes.find((x) => "#" + x.id === location.hash);
      if (!node) return;
      choose(node);
      node.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      node.focus({ preventScroll: true });
    }
    addEventListener("hashchange", arrive);
    arrive();

    map.addEventListener("click", (event) => {
      if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const node = event.target.closest(".node");
      if (node && node !== chosen) {
        event.preventDefault();
        event.stopPropagation();
        choose(node);
      } else if (!node) choose(null);
    });
    part.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !map.classList.contains("focus")) return;
      const back = said.contains(document.activeElement) ? chosen : null;
      choose(null);
      if (back) back.focus();
    });
  }
})();
