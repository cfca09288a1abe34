// Insert the text of a condition (an obligation of a proof) when it is opened.
document.addEventListener("toggle", async (event) => {
  const step = event.target;
  if (!step.open || !step.dataset.asked || step.dataset.filled) return;
  step.dataset.filled = "yes";
  const { asked: all, paragraphs } = await packed.ready;
  if (!all.length) return;
  const [numbers, digest] = all[Number(step.dataset.asked)];
  const asked = document.createElement("div"), certificate = document.createElement("p");
  asked.className = "asked";
  asked.tabIndex = 0;
  asked.setAttribute("role", "group");
  asked.setAttribute("aria-label", "The condition in full");
  asked.innerHTML = numbers.map((number) => paragraphs[number]).join("");
  certificate.textContent = digest ? "The condition has the SHA-256 " + digest + "…" : "";
  step.append(asked, certificate);
}, true);
