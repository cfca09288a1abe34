(() => {
  const one = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);

  // -- search: the address contains the query, "#?q=lemma+11&verdict=refuted&role=lemma" ------------------------------
  const box = byId("page:words"), role = byId("page:role"), choices = all(".choice");
  const results = byId("page:results"), report = byId("page:report"), more = one(".more", results);
  const said = (selector, within) => one(selector, within)?.textContent || "";
  // The text of the parts of a claim that match the pattern, whether the claim is unpacked or not.
  function insideOf(element, pattern) {
    const body = one(".body", element), number = body.dataset.body;
    const markup = number === undefined ? body.innerHTML : packed.data ? packed.data.bodies[Number(number)] : "";
    return [...markup.matchAll(pattern)].map((found) => found[1].replace(/<script.*?<\/script>|<[^>]*>/gs, " ")).join(" ");
  }
  const readClaims = () => all(".claim").map((element) => ({
    element, ...element.dataset,
    name: said(".locator", element) || said("h4 b", element), title: said(".title", element), work: said("h2", element.closest(".work")),
    statement: said(".head", element), text: () => insideOf(element, /(.+)/gs),
  }));
  let claims, rank;
  packed.ready.then(() => {
    claims = rank = undefined;
    if (!results.hidden) search();
  });
  const chosen = () => choices.filter((c) => c.getAttribute("aria-pressed") === "true").map((c) => c.dataset.verdict);
  function entry(claim) {
    const item = document.createElement("li"), link = document.createElement("a");
    link.href = "#" + claim.element.id;
    for (const node of [...one("h4", claim.element).childNodes, ...all(".statement", claim.element)]) {
      if (node.className !== "title" || !one(".head .statement", claim.element)) link.append(node.cloneNode(true), " ");
    }
    const lines = all(".line", claim.element).map((line) => line.cloneNode(true)), work = document.createElement("span");
    work.className = "at";
    work.textContent = claim.work && " · " + claim.work;
    lines[0].append(work);
    item.append(link, ...lines);
    return item;
  }
  function search(everything) {
    const sought = box.value.trim(), verdicts = chosen();
    const active = Boolean(sought || verdicts.length || role.value);
    results.hidden = !active;
    report.hidden = active;
    if (!active) return;
    claims ??= readClaims();
    rank ??= makeRanking(claims);
    const fits = (claim) => (!verdicts.length || verdicts.includes(claim.verdict)) && (!role.value || claim.role === role.value);
    let found = (sought ? rank(sought) : claims.map((claim) => ({ claim, said: true }))).filter((x) => fits(x.claim));
    const mentioned = found.filter((x) => !x.said).length;
    const aside = !everything && mentioned < found.length ? mentioned : 0;
    found = found.filter((x) => !aside || x.said);
    const kinds = [["statement", "statements"], ["correction", "corrections"], ["guess", "guesses"], ["variant", "variants"]];
    const counts = kinds.map(([kind, plural]) => [found.filter((x) => x.claim.kind === kind).length, kind, plural]).filter(([number]) => number);
    byId("page:found").textContent = counts.map(([number, kind, plural]) => number + " " + (number === 1 ? kind : plural)).join(", ") || "No claim matches";
    one("ol", results).replaceChildren(...found.map((x) => entry(x.claim)));
    more.hidden = !aside;
    more.textContent = "Show " + aside + " more claims that mention it";
  }
  function remember() {
    const state = new URLSearchParams();
    if (box.value.trim()) state.set("q", box.value.trim());
    for (const verdict of chosen()) state.append("verdict", verdict);
    if (role.value) state.set("role", role.value);
    history.replaceState(null, "", state.size ? "#?" + state : "#page:top");
    search();
    scrollTo({ top: 0, behavior: "instant" });
  }
  function restore(text) {
    const state = new URLSearchParams(text);
    box.value = state.get("q") || "";
    role.value = state.get("role") || "";
    for (const c of choices) c.setAttribute("aria-pressed", state.getAll("verdict").includes(c.dataset.verdict));
    search();
  }
  byId("page:search").hidden = false;
  byId("page:search").addEventListener("submit", (event) => {
    event.preventDefault();
    const first = one("ol a", results);
    if (first && !results.hidden) location.hash = first.getAttribute("href");
  });
  box.addEventListener("input", remember);
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { box.value = ""; remember(); }
  });
  // Keys: the arrows move between the search box and the results. Escape goes back to the box; in the box it clears the query.
  results.addEventListener("keydown", (event) => {
    if (event.key === "Escape") box.focus();
  });
  for (const part of [byId("page:search"), results])
    part.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], stops = [box, ...all("ol a", results)], at = stops.indexOf(event.target);
      if (!step || at < 0 || results.hidden || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      stops[at + step]?.focus();
    });
  role.addEventListener("change", remember);
  for (const c of choices)
    c.addEventListener("click", () => {
      c.setAttribute("aria-pressed", c.getAttribute("aria-pressed") !== "true");
      remember();
    });
  more.addEventListener("click", () => search(true));
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.closest("input, select, textarea")) return;
    event.preventDefault();
    box.focus();
  });

  // -- links: the target of a link is unfolded, wherever it is --------------------------------------------------------
  async function reveal(event) {
    const hash = location.hash.slice(1), sought = hash.startsWith("?");
    restore(sought ? hash.slice(1) : "");
    // If the reader goes back from a claim to the results, the result for this claim gets the focus.
    if (sought && event) (all("ol a", results).find((a) => event.oldURL.endsWith(a.getAttribute("href"))) || box).focus();
    if (!hash || sought) return;
    if (!byId(hash)) {
      const { bodies } = await packed.ready, number = bodies.findIndex((body) => body.includes(' id="' + hash + '"'));
      packed.fill(one('[data-body="' + number + '"]'));
    }
    const target = byId(hash);
    if (!target || target.matches(".node")) return; // map.js shows the nodes of the map
    for (let e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
    target.scrollIntoView({ behavior: "instant" });
    if (target.matches(".claim")) one("summary", target).focus({ preventScroll: true });
  }
  // If the reader opens a claim, the address of the page changes to the link to this claim.
  document.addEventListener("click", (event) => {
    const claim = event.target.closest(".claim > summary")?.parentElement;
    if (claim && !claim.open) history.replaceState(null, "", "#" + claim.id);
  });
  addEventListener("hashchange", reveal);
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.getAttribute("href") === location.hash) reveal();
  });

  // -- print: every claim is open, also if the page is printed before its contents are unpacked -----------------------
  let unfolded = [];
  addEventListener("beforeprint", () => {
    packed.now();
    packed.fillAll();
    unfolded = all(".claim:not([open])");
    for (const e of unfolded) e.open = true;
  });
  addEventListener("afterprint", () => { for (const e of unfolded) e.open = false; });

  // -- the list of contents: groups that open, a filter, and a mark at the part in view ---------------------------------
  const contents = one("nav > details"), groups = all("nav .group"), filter = byId("page:filter");
  if (matchMedia("(max-width: 64rem)").matches) contents.open = false;
  filter.hidden = false;
  let opened = null;
  filter.addEventListener("input", () => {
    const sought = filter.value.trim().toLowerCase();
    opened ??= groups.filter((group) => group.open);
    for (const group of groups) {
      const whole = one("summary", group).textContent.toLowerCase().includes(sought), entries = all("li", group);
      for (const entry of entries) entry.hidden = !whole && !entry.textContent.toLowerCase().includes(sought);
      const none = entries.every((entry) => entry.hidden);
      group.parentElement.hidden = none;
      group.open = sought ? !none : opened.includes(group);
    }
    if (!sought) opened = null;
  });
  // A group that the reader has opened stays open.
  for (const group of groups) one("summary", group).addEventListener("click", () => { delete group.dataset.here; });
  const links = new Map(all("nav a").map((a) => [a.getAttribute("href").slice(1), a]));
  const watch = new IntersectionObserver((seen) => {
    for (const { isIntersecting, target } of seen)
      if (isIntersecting) {
        for (const a of all("nav [aria-current]")) a.removeAttribute("aria-current");
        const link = links.get(target.id), group = link.closest(".group");
        link.setAttribute("aria-current", "true");
        // The group of the place that the reader has reached opens, and closes when the reader moves on.
        if (!filter.value) for (const other of groups)
          if (other === group && !other.open) { other.open = true; other.dataset.here = "yes"; }
          else if (other !== group && other.dataset.here) { other.open = false; delete other.dataset.here; }
      }
  }, { rootMargin: "-10% 0px -80% 0px" });
  for (const id of links.keys()) if (byId(id)) watch.observe(byId(id));
  reveal();
})();
