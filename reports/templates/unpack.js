"use strict";
// What claims unfold to and the maps lie in one compressed block, unpacked once. A claim is put in its place when it is
// opened, a map when it comes near what is in sight.
const packed = (() => {
  const block = document.getElementById("page:packed");
  const none = { bodies: [], paragraphs: [], asked: [], boxes: [] };
  const state = { data: null, ready: null, fill, fillAll: () => document.querySelectorAll("[data-body]").forEach(fill) };
  async function unpack() {
    if (!block || !window.DecompressionStream) return none;
    // Not before the page stands: until then a reader waits for it.
    if (document.readyState !== "complete") await new Promise((done) => addEventListener("load", done, { once: true }));
    const text = atob(block.textContent), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }
  function fill(body) {
    const markup = body && body.dataset.body !== undefined && state.data.bodies[Number(body.dataset.body)];
    if (!markup) return;
    body.innerHTML = markup;
    delete body.dataset.body;
    body.dispatchEvent(new CustomEvent("filled", { bubbles: true }));
  }
  state.ready = unpack().then((data) => {
    state.data = data;
    for (const body of document.querySelectorAll("details[open] > [data-body]")) fill(body);
    document.documentElement.dataset.unpacked = "yes";
    return data;
  });
  const nearing = new IntersectionObserver((seen) => {
    for (const { isIntersecting, target } of seen) if (isIntersecting) state.ready.then(() => fill(target));
  }, { rootMargin: "1500px" });
  // What is not there yet takes the place that it will have.
  for (const pan of document.querySelectorAll(".pan[data-body]")) {
    pan.style.setProperty("--wide", pan.dataset.width);
    pan.style.setProperty("--high", pan.dataset.height);
    nearing.observe(pan);
  }
  for (const claims of document.querySelectorAll("[data-cards]")) claims.style.setProperty("--cards", claims.dataset.cards);
  document.addEventListener("toggle", (event) => {
    if (event.target.open) state.ready.then(() => fill(event.target.querySelector(":scope > [data-body]")));
  }, true);
  return state;
})();
