(() => {
  // An obligation is unpacked when it is opened: all of them lie in one compressed block.
  const block = document.getElementById("page:asked");
  if (!block || !window.DecompressionStream) return;
  let entries;
  async function unpack() {
    const bytes = Uint8Array.from(atob(block.textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }
  document.addEventListener("toggle", async (event) => {
    const step = event.target;
    if (!step.open || !step.dataset.asked || step.dataset.filled) return;
    step.dataset.filled = "yes";
    entries ??= unpack();
    const [markup, digest] = (await entries)[Number(step.dataset.asked)];
    const asked = document.createElement("div"), certificate = document.createElement("p");
    asked.className = "asked";
    asked.tabIndex = 0;
    asked.setAttribute("role", "group");
    asked.setAttribute("aria-label", "The obligation in full");
    asked.innerHTML = markup;
    certificate.textContent = digest ? "What was asked has the SHA-256 " + digest.slice(0, 16) + "…" : "";
    step.append(asked, certificate);
  }, true);
})();
