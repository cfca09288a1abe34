// Rank the claims for a query. A rare word and an important field, such as the name of the claim, count more.
const makeRanking = (() => {
  const SAME = {
    thm: "theorem", th: "theorem", cor: "corollary", lem: "lemma", prop: "proposition", ex: "example", eq: "equation", eqn: "equation",
    xor: "nim-sum", nimsum: "nim-sum", nimber: "grundy", sprague: "grundy", pile: "heap", coin: "object", stone: "object",
    false: "refuted", wrong: "refuted", broken: "refuted", counterexample: "refuted", mistake: "refuted", error: "refuted",
    true: "proved", phi: "golden", bit: "one", position: "position",
  };
  const stem = (word) => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word);
  const PASSED = new Set(("a an and are at be by do does for from has have holds hold how i in instead into is it its of on or that the their " +
    "there they this to under was what when where which why with").split(" ").map((word) => stem(word)));
  const plain = (text) => text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f'’]/g, "");
  const joined = (text) => plain(text).replace(/\bnim[ -]?sum/g, "nim-sum").replace(/\bk[ ,-]*l[ -]*nim/g, "kl-nim");
  const WORD = /[a-z0-9]+(?:[.-][a-z0-9]+)*/g;
  const read = (text) => (joined(text).match(WORD) || []).map(stem);
  // A word with hyphens also gives its parts, so that "half nim" finds half-nim.
  const spread = (text) => read(text).flatMap((word) => (word === "nim-sum" || !word.includes("-") ? [word] : [word, ...word.split("-").map(stem)]));

  // Whether two words differ by one letter: missing, added, replaced, or exchanged with the next letter.
  function slips(a, b) {
    if (a.length < 4 || Math.abs(a.length - b.length) > 1 || /\d/.test(a + b)) return false;
    let i = 0;
    while (a[i] === b[i]) i++;
    const x = a.slice(i), y = b.slice(i);
    return x.slice(1) === y.slice(1) || x.slice(1) === y || x === y.slice(1) || (x[0] === y[1] && x[1] === y[0] && x.slice(2) === y.slice(2));
  }
  const nearness = (sought, word) => {
    if (sought === word) return 1;
    if (sought.length > 1 && !/\d/.test(sought) && word.startsWith(sought)) return 0.75;
    return slips(sought, word) ? 0.55 : 0;
  };
  const within = (numbers, all) => all.some((_, i) => numbers.every((n, j) => all[i + j] === n));
  const digits = (text) => text.match(/\d+/g) || [];

  const WEIGHTS = { name: 9, slug: 8, short: 8, work: 6, title: 5, kind: 4, statement: 2.5, text: 1 };
  const SAID = 3; // a word in a field of a larger weight names the claim; a word in another field is only mentioned
  const ROLES = { theorem: 2, lemma: 1.5, corollary: 1, conjecture: -1 };

  // `claims`: [{ id, name, short, work, title, role, verdict, at, statement, text() }]; the returned function ranks the claims for a query.
  return (claims) => {
    const known = claims.map((claim) => {
      const slug = claim.id.split("/").pop(), prefix = claim.id.slice(0, -slug.length);
      const fields = {
        name: claim.name, slug, short: claim.short, work: prefix + " " + claim.work, title: claim.title,
        kind: claim.role + " " + claim.verdict, statement: claim.statement,
      };
      const words = Object.entries(fields).map(([field, text]) => [WEIGHTS[field], new Set(spread(text))]);
      const plainly = joined(claim.name).replace(/[^a-z0-9]+/g, " ").trim();
      return { claim, words, slug, plainly, at: claim.at.split(" "), numbers: [slug, claim.title, claim.statement].map(digits) };
    });
    const often = new Map();
    for (const { words } of known) for (const word of new Set(words.flatMap(([, set]) => [...set]))) often.set(word, (often.get(word) || 0) + 1);
    const rarity = (word) => 0.5 + 0.5 * (Math.log(1 + known.length / (often.get(word) || 1)) / Math.log(1 + known.length));
    let texts = null;
    const mentions = () => (texts ??= new Map(known.map((k) => [k, new Set(spread(k.claim.text()))])));

    // All words that are similar to a word of the query, with their similarity. Other spellings are tried only for a word that occurs nowhere.
    const nearby = (sought) => {
      const found = [...often.keys()].map((word) => [word, nearness(sought, word)]).filter(([, near]) => near);
      return new Map(often.has(sought) ? found.filter(([, near]) => near > 0.6) : found);
    };
    const spelt = ({ word, near }) => [...near].reduce((best, found) => (found[1] > best[1] ? found : best), [word, 0])[0];
    function weigh(one, sought) {
      let best = 0;
      for (const [weight, set] of one.words)
        for (const [word, near] of sought.near)
          if (near * weight * rarity(word) > best && set.has(word)) best = near * weight * rarity(word);
      const said = one.words.some(([weight, set]) => weight > SAID && [...sought.near.keys()].some((word) => set.has(word)));
      if (!best && mentions().get(one).has(sought.word)) best = WEIGHTS.text * rarity(sought.word);
      return [best, said];
    }
    function place(one, query, asked) {
      let bonus = ROLES[one.claim.role] || 0;
      if (one.claim.id === query || one.slug === asked.map(spelt).join("-")) bonus += 8;
      const line = asked.map(spelt).join(" ");
      if (one.plainly === line) bonus += 8;
      else if (one.plainly.startsWith(line + " ")) bonus += 3;
      return bonus - 0.4 * one.slug.split("-").length;
    }

    // [{ claim, said }], best first; `said`: whether the query names the claim, so that the claim does not only mention it.
    return (query) => {
      const text = plain(query).trim();
      if (/^[\d\s,()]+$/.test(text) && digits(text).length > 1) {
        const numbers = digits(text), ending = (all) => within(numbers, all) && all.slice(-numbers.length).join() === numbers.join();
        return known
          .map((k) => [k, ending(k.at) ? 9 : within(numbers, k.at) ? 6 : [8, 4, 3].find((_, i) => within(numbers, k.numbers[i])) || 0])
          .filter(([, score]) => score)
          .sort(([a, x], [b, y]) => y - x || (ROLES[b.claim.role] || 0) - (ROLES[a.claim.role] || 0))
          .map(([{ claim }]) => ({ claim, said: true }));
      }
      const whole = (word) => [word, word.replaceAll("-", "")].find((spelt) => often.has(spelt) || !spelt.includes("-"));
      const parts = (word) => (often.has(whole(word)) ? [whole(word)] : word.split("-").map(stem));
      const all = read(text).map((word) => SAME[word] || word).flatMap(parts);
      const kept = all.filter((word) => !PASSED.has(word));
      const asked = [...new Set(kept.length ? kept : all)].map((word) => ({ word, near: nearby(word) }));
      const scored = known.map((one) => {
        const weights = asked.map((sought) => weigh(one, sought)), missing = weights.filter(([best]) => !best).length;
        const score = weights.reduce((sum, [best]) => sum + best, 0) + place(one, text, asked);
        return { claim: one.claim, said: weights.every(([, said]) => said), missing, score };
      });
      const least = Math.min(...scored.map((s) => s.missing));
      if (!asked.length || least >= asked.length || least > asked.length / 3) return [];
      return scored.filter((s) => s.missing === least).sort((a, b) => b.said - a.said || b.score - a.score);
    };
  };
})();
