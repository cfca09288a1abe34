"use strict";
// The contents of claims and the maps are in one compressed block, which is unpacked once. A claim is filled when it is
// opened, and a map when it is near the visible part of the page. Before printing, all claims and maps are filled.
const packed = (() => {
  // Inflate data in zlib's format, without waiting: for a page that is printed before the browser has unpacked the block,
  // and for browsers without DecompressionStream. Canonical codes are decoded bit by bit, as in Mark Adler's puff.
  function inflate(bytes) {
    const lengths = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
    const distances = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577];
    const extra = (code, first, step) => (code < first ? 0 : Math.floor(code / step) - first / step + 1);
    let at = 2, held = 0, bits = 0, size = 0, out = new Uint8Array(8 * bytes.length); // the first two bytes are a header
    const take = (number) => {
      for (; bits < number; bits += 8) held |= bytes[at++] << bits;
      const value = held & ((1 << number) - 1);
      held >>>= number;
      bits -= number;
      return value;
    };
    const put = (byte) => {
      if (size === out.length) { const more = new Uint8Array(2 * size); more.set(out); out = more; }
      out[size++] = byte;
    };
    const build = (widths) => {
      const count = new Uint16Array(16), next = new Uint16Array(16), symbols = new Uint16Array(widths.length);
      for (const width of widths) if (width) count[width]++;
      for (let i = 1; i < 15; i++) next[i + 1] = next[i] + count[i];
      widths.forEach((width, symbol) => { if (width) symbols[next[width]++] = symbol; });
      return { count, symbols };
    };
    const decode = ({ count, symbols }) => {
      for (let width = 1, code = 0, first = 0, index = 0; width < 16; width++) {
        code |= take(1);
        if (code - count[width] < first) return symbols[index + code - first];
        index += count[width];
        first = (first + count[width]) << 1;
        code <<= 1;
      }
      throw new Error("the packed block is damaged");
    };
    const fixed = () => [build([...Array(288).keys()].map((i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8))), build(Array(30).fill(5))];
    function dynamic() {
      const literals = take(5) + 257, others = take(5) + 1, widths = Array(19).fill(0), found = [];
      for (let i = take(4) + 4, j = 0; j < i; j++) widths[[16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15][j]] = take(3);
      const code = build(widths);
      while (found.length < literals + others) {
        const symbol = decode(code);
        if (symbol < 16) found.push(symbol);
        else {
          const value = symbol === 16 ? found.at(-1) : 0;
          for (let i = symbol === 16 ? 3 + take(2) : symbol === 17 ? 3 + take(3) : 11 + take(7); i > 0; i--) found.push(value);
        }
      }
      return [build(found.slice(0, literals)), build(found.slice(literals))];
    }
    for (let last = 0; !last; ) {
      last = take(1);
      const kind = take(2);
      if (kind === 0) {
        held = bits = 0;
        const end = at + 4 + bytes[at] + 256 * bytes[at + 1];
        for (at += 4; at < end; ) put(bytes[at++]);
        continue;
      }
      const [literal, distance] = kind === 1 ? fixed() : dynamic();
      for (let symbol = decode(literal); symbol !== 256; symbol = decode(literal)) {
        if (symbol < 256) { put(symbol); continue; }
        const code = symbol - 257, length = lengths[code] + take(code === 28 ? 0 : extra(code, 8, 4));
        const far = decode(distance), back = distances[far] + take(extra(far, 4, 2));
        for (let i = 0; i < length; i++) put(out[size - back]);
      }
    }
    return out.subarray(0, size);
  }

  const block = document.getElementById("page:packed");
  const none = { bodies: [], paragraphs: [], asked: [], boxes: [] };
  const state = { data: null, ready: null, fill, now, fillAll: () => document.querySelectorAll("[data-body]").forEach(fill) };
  function readBlock() {
    const text = atob(block.textContent), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
  }
  // Unpack the contents at once. The page does not respond meanwhile.
  function now() {
    state.data ??= block ? JSON.parse(new TextDecoder().decode(inflate(readBlock()))) : none;
  }
  async function unpack() {
    if (!block) return none;
    // Wait until the page is laid out, so that the reader sees the page earlier.
    if (document.readyState !== "complete") await new Promise((done) => addEventListener("load", done, { once: true }));
    if (!window.DecompressionStream) now();
    if (state.data) return state.data;
    const stream = new Blob([readBlock()]).stream().pipeThrough(new DecompressionStream("deflate"));
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
  // A map that is not filled yet occupies the space that it will have.
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
