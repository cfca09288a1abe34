"use strict";
(() => {
  // The data of a board contains all positions and moves. heaps.js draws heaps and compares them.
  const { make, button, same } = heapViews;

  function start(play) {
    const data = JSON.parse(play.querySelector(".data").textContent), game = play.querySelector(".game");
    const own = { reader: data.reader, outcome: data.outcome, view: heapViews.of(data), root: 0, places: data.places.map(([position, mover, says, answers, moves, refused]) => ({ position, mover, says, answers, moves, refused })) };
    let { places, root, view } = own, first = 0, now = own;
    const tried = new Set(), panels = make("div", data.heaps ? "panels pictured" : "panels"), list = make("ol", "tried"), ends = make("div", "ends");
    const said = make("p", "said");
    said.setAttribute("role", "status");
    list.setAttribute("aria-label", "Your legal moves");
    let at = first, heaps = [], past = [], moved = false; // `past`: the earlier places; `moved`: whether a move is shown
    const left = () => places[first].moves.filter((_, i) => !tried.has(first + ":" + i)).length;
    const panel = (title, inside, kind) => {
      const box = make("div", "panel " + kind), head = make("p", "head", title);
      head.tabIndex = -1;
      box.append(head, inside);
      return box;
    };
    const mark = () => [...list.children].forEach((item, i) => {
      const done = tried.has(at + ":" + i);
      item.classList.toggle("done", done);
      item.querySelector(".unseen").textContent = done ? ", answered" : "";
    });
    const say = (...parts) => said.replaceChildren(...parts);

    function turn(number, order, words) {
      at = number;
      heaps = order;
      moved = false;
      const place = places[at];
      panels.replaceChildren(panel(view.title(now.reader, place.position), view.draw(heaps, heaps, hands), "now"));
      list.replaceChildren(...place.moves.map(([after]) => {
        const item = make("li"), go = button("", view.label(place.position, after), () => move(after));
        go.append(make("span", "unseen"));
        item.append(go);
        return item;
      }));
      mark();
      control();
      say(words);
    }
    // Take back the move that is shown, or return to the place before.
    const undo = () => button("", "Undo", () => {
      const [number, order] = moved ? [at, heaps] : past.pop();
      turn(number, order, "You have " + count(places[number].moves.length) + ".");
      focus();
    });
    const control = () => ends.replaceChildren(...(moved || past.length ? [undo()] : []), ...(at === first && !moved ? [] : [again()]));
    const task = play.querySelector(".task"), rules = play.querySelector(".rules .of"), written = [task, rules].map((x) => [...x.childNodes]);
    function begin(from) {
      now = from;
      task.replaceChildren(...(from.task ? [from.task] : written[0]));
      rules.replaceChildren(...(from.game ? [from.game] : written[1]));
      ({ places, root, view } = from);
      first = places[root].answers ? places[root].moves[0][1] : root;
      tried.clear();
      past = [];
      open();
    }
    const again = () => button("", "Begin again", () => { past = []; open(); focus(); });
    const focus = () => panels.querySelector(".head").focus();
    const count = (n) => (n === 1 ? "one legal move" : n + " legal moves");
    function open() {
      const place = places[root], moves = "You have " + count(places[first].moves.length) + ".";
      if (!places[first].moves.length) return turn(first, [...places[first].position], [first === root ? "" : view.tell(place.mover, place.position, places[first].position), places[first].says].filter(Boolean).join(": ") + ".");
      if (first === root) return turn(root, [...place.position], moves + view.hint);
      turn(first, [...places[first].position], view.tell(place.mover, place.position, places[first].position) + ". " + moves);
    }
    // The functions of the board that a drawing can use.
    const hands = {
      position: () => places[at].position,
      moves: () => places[at].moves,
      move: (after, touched) => move(after, touched),
      narrow(found) {
        show(found.length ? found : places[at].moves);
        say(found.length ? found.length + " legal moves begin in this way: choose one below, or touch more." : "No legal move begins there.");
      },
    };
    const wider = button("", "Show all moves", () => turn(at, heaps, "You have " + count(places[at].moves.length) + "."));
    const show = (moves) => {
      [...list.children].forEach((item, i) => { item.hidden = !moves.includes(places[at].moves[i]); });
      wider.remove();
      if (moves.length < places[at].moves.length) ends.append(wider);
    };
    function move(after, touched = -1) {
      const here = places[at], index = here.moves.findIndex(([to]) => same(to, after));
      while (panels.children.length > 1) panels.lastChild.remove();
      moved = index >= 0;
      control();
      if (index < 0) {
        const why = here.refused.find(([to]) => same(to, after));
        return say(why ? why[1] : "That move is not legal.");
      }
      tried.add(at + ":" + index);
      mark();
      show(here.moves);
      const mine = view.lay(heaps, after, touched), next = places[here.moves[index][1]];
      panels.append(panel("after your move", view.draw(mine, heaps), "then"));
      let told = view.tell("You", here.position, after), end = next, order = mine;
      if (next.answers) {
        const [reply, number] = next.moves[0];
        order = view.lay(mine, reply);
        end = places[number];
        panels.append(panel("after " + next.mover + "’s answer", view.draw(order, mine), "then"));
        told += ". " + view.tell(next.mover, next.position, reply);
        if (end.moves.length) {
          const rest = view.rest(order);
          ends.prepend(button("on", "Go on from " + view.write(end.position), () => {
            past.push([at, heaps]);
            turn(places.indexOf(end), rest, "You have " + count(end.moves.length) + ".");
            focus();
          }));
        }
      }
      told += (end.says ? ": " + end.says : "") + ". ";
      const open = left(), total = places[first].moves.length;
      say(told, make("b", "", !now.outcome ? "" : open ? total - open + " of " + total + " first moves answered." : now.outcome));
    }
    game.append(panels, said, ends, list);
    const box = play.querySelector(".box");
    if (box) game.append(elsewhere(box, own, begin, say));
    game.hidden = false;
    begin(own);
  }

  // -- play from anywhere in the box of solved positions ----------------------------------------------------------------
  const bit = (digits, at) => (parseInt(digits[at >> 2], 16) >> (3 - (at & 3))) & 1;
  // The places of one choice of parameters, for a reader: number 2 i + m is position i with player m to move.
  function layOut(box, game, reader) {
    const movers = (game.length - 1) / 2, legal = game.slice(1, 1 + movers), wins = game.slice(1 + movers);
    let line = 0;
    return box.positions.flatMap((position, i) => {
      const from = line, after = [];
      for (const step of box.moves[i]) after.push((after.at(-1) ?? 0) + step);
      line += after.length;
      return [0, 1].map((m) => {
        const all = after.filter((_, j) => bit(legal[m % movers], from + j)), lost = (to) => !bit(wins[(1 - m) % movers], to);
        // If the page cannot win, it takes as few objects as possible, so that play lasts longer.
        const chosen = m === reader ? all : all.length ? [all.find(lost) ?? all.at(-1)] : [];
        const winner = box.players[bit(wins[m % movers], i) ? m : 1 - m];
        const says = all.length ? winner + " wins with best play" : box.players[m] + " cannot move and " + (box.stuckWins ? "wins" : "loses");
        return { position, mover: box.players[m], says, winner, answers: m !== reader && all.length > 0, moves: chosen.map((to) => [box.positions[to], 2 * to + 1 - m]), refused: [] };
      });
    });
  }
  function elsewhere(store, own, begin, say) {
    const part = make("details", "more elsewhere");
    part.append(make("summary", "", "Play the game from another position"));
    const choose = (text, options, value) => {
      const label = make("label", "", text + " "), select = make("select");
      options.forEach((option, i) => select.append(new Option(option, i, i === value, i === value)));
      label.append(select);
      return [label, select];
    };
    part.addEventListener("toggle", () => {
      if (part.children.length > 1) return;
      const box = JSON.parse(store.dataset.box === undefined ? store.textContent : packed.data.boxes[Number(store.dataset.box)]);
      const view = heapViews.of(box), start = own.view.write(own.places[own.root].position);
      const form = make("form", "begin"), field = view.field(box.positions, start), label = make("label", "", field.label);
      const [values, game] = choose("Where", box.games.map(([text]) => text), 0);
      const [movers, mover] = choose("Moves first", box.players, Math.max(0, box.players.indexOf(own.places[0].mover)));
      const [readers, you] = choose("You are", box.players, Math.max(0, box.players.indexOf(own.reader)));
      label.append(field.input);
      const go = make("button", "on", "Set up");
      form.append(...(box.games.length > 1 ? [values] : []), label, movers, readers, go, button("", "As at first", () => begin(own)));
      part.append(form);
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        const wanted = field.read(), i = box.positions.findIndex((s) => same(s, wanted));
        if (i < 0) return say("The solved positions are " + box.within + "; " + view.write(wanted) + " is not one of them.");
        const places = layOut(box, box.games[game.selectedIndex], you.selectedIndex), root = 2 * i + mover.selectedIndex, start = places[root];
        const reader = box.players[you.selectedIndex], at = view.write(wanted), values = box.games[game.selectedIndex][0];
        begin({
          reader, root, places, view,
          game: box.title + (values ? " (" + values + ")" : ""),
          task: "You are " + reader + "; " + start.mover + " moves first, at " + at + ". " + start.winner + " wins with best play.",
          outcome: start.moves.length && start.winner !== reader ? "Every move is answered: " + reader + " loses from " + at + "." : "",
        });
      });
    });
    return part;
  }
  document.querySelectorAll(".play").forEach(start);
  document.addEventListener("filled", (event) => event.target.querySelectorAll(".play").forEach(start));
})();
