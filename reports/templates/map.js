(() => {
  // Maps of arguments: activating a node shows it with its neighbours, activating it again goes there. Without this
  // script nodes are plain links.
  for (const part of document.querySelectorAll(".argument")) {
    const map = part.querySelector(".map");
    const said = part.querySelector(".said");
    if (!map) continue;
    const nodes = [...map.querySelectorAll(".node")];
    const edges = [...map.querySelectorAll(".edge")];
    const broke = part.querySelector(".broke");
    let chosen = null;

    // What uses something refuted, what it uses, and the proofs of ours in their place.
    function showBroken(shown) {
      choose(null);
      if (!shown) return;
      broke.setAttribute("aria-pressed", "true");
      map.classList.add("focus");
      const near = new Set();
      for (const edge of edges.filter((e) => e.matches(".broken, .replaces"))) {
        edge.classList.add("near");
        near.add(edge.dataset.from).add(edge.dataset.to);
      }
      for (const node of nodes) node.classList.toggle("near", near.has(node.dataset.node));
      said.textContent = near.size + " of " + nodes.length + " statements are shown: those whose published proof uses what is refuted, what they use, and the proofs in their place.";
    }
    if (broke) {
      broke.hidden = false;
      broke.addEventListener("click", () => showBroken(broke.getAttribute("aria-pressed") !== "true"));
    }

    function choose(node) {
      chosen = node;
      if (broke) broke.setAttribute("aria-pressed", "false");
      map.classList.toggle("focus", node !== null);
      for (const e of [...nodes, ...edges]) e.classList.remove("near", "chosen");
      said.replaceChildren();
      if (node === null) return;
      const number = node.dataset.node;
      const near = new Set([number]);
      for (const edge of edges) {
        const { from, to } = edge.dataset;
        if (from !== number && to !== number) continue;
        edge.classList.add("near");
        near.add(from).add(to);
      }
      for (const other of nodes) other.classList.toggle("near", near.has(other.dataset.node));
      node.classList.add("chosen");
      const title = node.querySelector("title").textContent;
      const go = document.createElement("a");
      go.href = node.getAttribute("href");
      go.textContent = "Go to " + node.querySelector("text").textContent;
      said.append(title + ". ", go, " (or choose it again; Escape shows all)");
    }

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
