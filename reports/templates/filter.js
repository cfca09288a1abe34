"use strict";
const form = document.getElementById("page:filter");
const rows = [...document.querySelectorAll("tr[data-verdict]")];
const entry = (row) => document.getElementById(row.dataset.claim);
const words = new Map(rows.map((row) => [row, (row.textContent + " " + entry(row).textContent).toLowerCase()]));
function show() {
  const { verdict, work, text } = form.elements;
  const sought = text.value.toLowerCase().split(/\s+/);
  let shown = 0;
  for (const row of rows) {
    const fits = (!verdict.value || row.dataset.verdict === verdict.value)
      && (!work.value || row.dataset.work === work.value)
      && sought.every((word) => words.get(row).includes(word));
    row.hidden = entry(row).hidden = !fits;
    shown += fits;
  }
  for (const group of document.querySelectorAll("[data-group]"))
    group.hidden = !group.querySelector("tr[data-verdict]:not([hidden]), .claim:not([hidden])");
  document.getElementById("page:shown").textContent = shown + " of " + rows.length + " shown";
}
form.hidden = false;
form.addEventListener("input", show);
form.addEventListener("reset", () => setTimeout(show));
form.addEventListener("submit", (event) => event.preventDefault());
for (const link of document.querySelectorAll("a[data-choose]"))
  link.addEventListener("click", () => { form.reset(); form.elements.verdict.value = link.dataset.choose; show(); });
// A link to a claim that the filter hides must still lead to it.
addEventListener("hashchange", () => {
  const target = document.getElementById(location.hash.slice(1));
  if (target && target.hidden) { form.reset(); show(); target.scrollIntoView(); }
});
show();
