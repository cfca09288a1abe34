// The list of an atlas with filters, and maps of the same games. The maps are made when they are first shown.
(() => {
  const byId = (id) => document.getElementById(id);
  const form = byId("facets"), list = byId("list"), maps = byId("maps"), count = byId("count");
  const rows = [...list.children].map((li) => ({
    li, data: li.dataset, words: li.querySelector("summary").textContent.toLowerCase(),
  }));
  const facets = [...form.querySelectorAll("fieldset")].map((set) => ({
    key: set.dataset.key, boxes: [...set.querySelectorAll("input")], chosen: new Set(),
  }));
  const cells = new Map();

  function fits(row, sought, except) {
    return sought.every((word) => row.words.includes(word))
      && facets.every((f) => f === except || !f.chosen.size || f.chosen.has(row.data[f.key]));
  }

  function draw() {
    const sought = byId("q").value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const f of facets) f.chosen = new Set(f.boxes.filter((box) => box.checked).map((box) => box.value));
    let shown = 0;
    for (const row of rows) {
      const on = fits(row, sought, null);
      shown += on;
      if (row.li.hidden === on) row.li.hidden = !on;
      const cell = cells.get(row.li.id);
      if (cell) cell.classList.toggle("off", !on);
    }
    count.textContent = `${shown} of ${rows.length} ${count.dataset.games}`;
    for (const f of facets) {
      const tally = {};
      for (const row of rows) if (fits(row, sought, f)) tally[row.data[f.key]] = (tally[row.data[f.key]] || 0) + 1;
      for (const box of f.boxes) box.parentElement.querySelector(".tally").textContent = tally[box.value] || 0;
    }
  }

  function put(key) {
    const sorted = key ? [...rows].sort((a, b) => (b.data[key] ?? -1) - (a.data[key] ?? -1)) : rows;
    list.append(...sorted.map((row) => row.li));
  }

  function element(name, text, attributes = {}) {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  function makeMaps() {
    const [first, second] = maps.dataset.players.split("|"), words = maps.dataset.words.split("|");
    const groups = new Map();
    for (const row of rows) {
      const key = `${row.data.play}; ${row.data.choose}`;
      if (!groups.has(key)) groups.set(key, new Map());
      groups.get(key).set(`${row.data.a}|${row.data.b}`, row);
    }
    for (const [key, group] of groups) {
      const table = element("table"), head = element("tr"), body = element("tbody"), top = element("thead");
      table.append(element("caption", `${key}: rows ${first}, columns ${second}`));
      head.append(element("td"));
      for (const word of [...words, ""]) {
        const th = element("th", "", { scope: "col" });
        th.append(element("span", word || "the same, with one number"));
        head.append(th);
      }
      for (const a of words) {
        const line = element("tr");
        line.append(element("th", a, { scope: "row" }));
        for (const b of [...words, ""]) {
          const place = element("td"), row = group.get(`${a}|${b}`);
          if (row) {
            const name = row.li.querySelector("summary").textContent.replace(/\s+/g, " ").trim();
            const link = element("a", "", { class: `cell ${row.data.verdict}`, href: `#${row.li.id}`, title: name, "aria-label": name });
            cells.set(row.li.id, link);
            place.append(link);
          }
          line.append(place);
        }
        body.append(line);
      }
      top.append(head);
      table.append(top, body);
      maps.append(table);
    }
  }

  function show(map) {
    if (map && !cells.size) makeMaps();
    maps.hidden = !map;
    list.hidden = map;
    byId("view-map").setAttribute("aria-pressed", map);
    byId("view-list").setAttribute("aria-pressed", !map);
    draw();
  }

  function follow() {
    const li = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!li || li.parentElement !== list) return;
    if (!maps.hidden) show(false);
    li.hidden = false;
    li.querySelector("details").open = true;
    li.scrollIntoView({ block: "start" });
    li.querySelector("summary").focus({ preventScroll: true });
  }

  list.addEventListener("filled", (event) => {
    for (const pre of event.target.querySelectorAll("pre[data-file]")) {
      const url = URL.createObjectURL(new Blob([pre.textContent], { type: "text/plain" }));
      const line = element("p");
      line.append(element("a", `Save ${pre.dataset.file}`, { href: url, download: pre.dataset.file }));
      pre.after(line);
    }
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", draw);
  byId("order")?.addEventListener("change", (event) => put(event.target.value));
  for (const [id, map] of [["view-map", true], ["view-list", false]]) {
    const button = byId(id);
    if (!button) continue;
    button.addEventListener("click", () => show(map));
    button.hidden = false;
  }
  addEventListener("hashchange", follow);
  byId("whole").classList.add("filtered");
  form.hidden = false;
  draw();
  packed.ready.then(follow);
})();
