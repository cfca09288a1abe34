"""The argument for a claim that asks about options, or that follows from lemmas, as Coq tactics.

The argument takes the claim apart as a proof by hand does: it introduces the hypotheses of the claim, distinguishes
cases, and opens the options that the claim mentions. Each condition that is then left is a sequent over folds, which a
certificate proves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term, substitute, walk
from claims.language.syntax.terms import BOOL, INT, PLAYER, POSITION
from encoders.coq.instances import write_number
from encoders.coq.writing import BINDER
from encoders.logic.moves import OpenMove
from encoders.logic.reader import Env
from encoders.logic.sequents import NO, conjunction, equal, negation, sub
from encoders.refusals import Unsupported
from encoders.rules.folds.moves import kinds_of, outcome_of, pick_of, playable, take_of
from encoders.rules.folds.scenes import (
    Ask,
    ClaimReader,
    Line,
    Opened,
    Scene,
    Scenes,
    Universal,
    number_at,
    position_at,
    says,
)
from encoders.rules.folds.section import FoldsMove

Then = Callable[[Scene], list[Line]]
"""The rest of an argument, in a scene."""


class Argument(Scenes):
    """A writer of the Coq argument for a claim."""

    # -- hypotheses --------------------------------------------------------------------------------------------------
    def assume(self, name: str, term: t.Term, scene: Scene, then: Then) -> list[Line]:
        """Return the tactics for a hypothesis, followed by the argument `then` in each case of it. Raises Unsupported.

        `name`: the name of the hypothesis. `term`: the condition.
        """
        term = _spell_out(term)
        if not asks_for_options(term):
            z = self._fresh("Z")
            text, links = self._text(scene, says(term)), self._links(scene, term, name)
            return [
                lambda: f"assert ({z} : {text()}).\n  {{ {links()} }}",
                *then(replace(scene, known=(*scene.known, says(term)))),
            ]
        match term:
            case t.AllOf(args=(first, *others)) if others:
                a, b, rest = self._fresh("A"), self._fresh("A"), replace(term, args=tuple(others))
                whole = rest if len(others) > 1 else others[0]
                return [
                    f"destruct {name} as [{a} {b}].",
                    *self.assume(a, first, scene, lambda after: self.assume(b, whole, after, then)),
                ]
            case t.AnyOf(args=(t.Operation(op="not", args=(condition,)), conclusion)) if not asks_for_options(
                condition
            ):
                d, a, b = self._fresh("D"), self._fresh("A"), self._fresh("A")
                given = self._in(scene).says(condition).at(BINDER)
                text = self._text(scene, says(condition))
                met, unmet = (replace(scene, known=(*scene.known, says(x))) for x in (condition, _negation(condition)))
                back = self._links(scene, condition, "")
                return [
                    lambda: f"assert ({d} : {text()} \\/ ~ {text()}) by (clear; lia). destruct {d} as [{d}|{d}]. {{",
                    lambda: f"assert ({a} : {given}).\n  {{ pose proof {d} as O. {back()} }}",
                    f"pose proof ({name} {a}) as {b}.",
                    *self.assume(b, conclusion, met, then),
                    "} {",
                    *then(unmet),
                    "}",
                ]
            case t.AnyOf(args=(first, *others)) if others:
                remaining = replace(term, args=tuple(others)) if len(others) > 1 else others[0]
                return [
                    f"destruct {name} as [{name}|{name}]. {{",
                    *self.assume(name, first, scene, then),
                    "} {",
                    *self.assume(name, remaining, scene, then),
                    "}",
                ]
            case t.Comprehension(reducer="any", body=body, clauses=(clause,)) if clause.source.type != POSITION:
                u, a = self._fresh("t"), self._fresh("A")
                element = t.Variable(POSITION, 0, 0, clause.variable)
                inside = _conjunction(_element(element, clause.source), *clause.conditions, body)
                after = replace(scene, names=(*scene.names, (clause.variable, u)))
                return [f"destruct {name} as ({u} & {a}).", *self.assume(a, inside, after, then)]
            case t.Comprehension(reducer="any", body=body, clauses=(clause,)):
                return self._open_replaced(name, body, clause, scene, then)
            case t.GameCall(function="legal", game=game, args=(s, t.Variable(name=after), mover)):
                return self._open_option(name, s, after, game, mover, scene, then)
            case t.Operation(op="not", args=(t.Comprehension(reducer="any", body=body, clauses=(clause,)),)):
                return self._add_universal(name, clause, body, True, scene, then)
            case t.Comprehension(reducer="all", body=body, clauses=(clause,)):
                return self._add_universal(name, clause, body, False, scene, then)
            case t.Operation(op="not", args=(condition,)):
                return then(replace(scene, denied=(*scene.denied, (name, condition))))
        raise _refuse(term)

    def _add_universal(
        self, name: str, clause: t.Clause, body: t.Term, denied: bool, scene: Scene, then: Then
    ) -> list[Line]:
        match clause.source:
            case t.GameCall(function="options", game=game, args=(t.Variable(name=of), t.Literal(value=mover))):
                inside = _conjunction(*clause.conditions, body) if denied else implication(clause.conditions, body)
                made = Universal(name, of, game, mover, clause.variable, inside, denied)
                return self._use_universals(replace(scene, universals=(*scene.universals, made)), then)
        raise _refuse(clause.source)

    def _use_universals(self, scene: Scene, then: Then) -> list[Line]:
        """Return the tactics that apply the hypotheses about options to the options in the scene."""
        for x in scene.universals:
            for o in scene.opened:
                if (x.name, o.variable) in scene.used or (x.of, x.game, x.mover) != (o.of, o.game, o.mover):
                    continue
                if not o.variable or o.kind is None:
                    continue
                after = replace(scene, used=scene.used | {(x.name, o.variable)})
                a, u = self._fresh("A"), dict(scene.names)[o.variable]
                said = substitute(x.body, {x.variable: t.Variable(POSITION, 0, 0, o.variable)})
                if x.denied:
                    said = _negation(said)
                    text = self._in(scene).says(said).at(BINDER)
                    shown = f"exists {u}; split; [exact M{o.number} | exact X]"
                    line = f"assert ({a} : {text}) by (intros X; apply {x.name}; {shown})."
                else:
                    line = f"pose proof ({x.name} {u} M{o.number}) as {a}."
                return [line, *self.assume(a, said, after, lambda more: self._use_universals(more, then))]
        return then(scene)

    def _open_option(
        self, name: str, s: t.Term, variable: str, game: str, mover: t.Term, scene: Scene, then: Then
    ) -> list[Line]:
        if not isinstance(s, t.Variable) or not isinstance(mover, t.Literal):
            raise _refuse(s)
        self.count += 1
        n, moves = self.count, playable(self.claim.game(game), mover.value)
        made: list[Line] = [
            f"pose proof {name} as M{n}. destruct {name} as (h{n} & y{n} & R{n} & P{n} & E{n} & F{n} & B & _).",
            "hnf in B; cbn [same_player] in B.",
        ]
        for i, kind in enumerate(moves):
            o = Opened(s.name, n, variable, game, mover.value, kind)
            after = replace(scene, opened=(*scene.opened, o))
            more, picks = i < len(moves) - 1, "".join(f"p{n}_{j} & " for j, _ in enumerate(kind.picks, 1))
            made += [
                *(["destruct B as [B|B]. {"] if more else []),
                f"destruct B as ({picks}B). parts_of B.",
                *self._draw(o, scene),
                *self._arrive(o, after),
                *self._use_universals(after, then),
                *(["}"] if more else []),
            ]
        return made

    def _open_replaced(self, name: str, body: t.Term, clause: t.Clause, scene: Scene, then: Then) -> list[Line]:
        match body:
            case t.Operation(
                op="eq",
                args=(t.Variable(name=variable), t.Operation(op="replace", args=(t.Variable(name=of), heap, size))),
            ) if isinstance(heap, t.Variable) and heap.name == clause.variable:
                pass
            case _:
                raise _refuse(body)
        self.count += 1
        n, a = self.count, self._fresh("A")
        names = (*scene.names, (clause.variable, f"h{n}"))
        o = Opened(of, n, variable, heap=clause.variable, size=size)
        drawn = replace(scene, names=names)
        before = replace(drawn, opened=(*scene.opened, replace(o, variable="", size=None)))
        after = replace(drawn, opened=(*scene.opened, o))
        text, u = self._in(drawn).natural(size).text, dict(scene.names)[of]
        pattern = " & ".join([f"h{n}", "I", *(f"{a}_{i}" for i, _ in enumerate(clause.conditions)), f"F{n}"])
        x = t.Operation(BOOL, 0, 0, "eq", (t.Variable(INT, 0, 0, f"size {n}"), size))
        known = list(clause.conditions)

        def conditions(i: int, here: Scene) -> list[Line]:
            if i < len(known):
                return self.assume(f"{a}_{i}", known[i], here, lambda more: conditions(i + 1, more))
            links = self._links(replace(here, names=(*here.names, (f"size {n}", f"y{n}"))), x, f"Y{n}")
            z = self._fresh("Z")
            text_of = self._text(after, lambda q, env: equal(number_at(env, "size", n), q.number(size, env)))
            return [
                lambda: f"assert ({z} : {text_of()}).\n  {{ {links()} }}",
                *self._arrive(o, after),
                *then(replace(here, opened=after.opened, names=names)),
            ]

        return [
            f"destruct {name} as ({pattern}). destruct (replaced {u} h{n} ({text}) I) as (R{n} & E{n} & Y{n}).",
            f"rewrite Y{n} in F{n}. clear Y{n}. assert (P{n} : (0 < h{n})%N) by apply I.",
            f"assert (Y : exists y, y = ({text})) by eauto. destruct Y as (y{n} & Y{n}). rewrite <- Y{n} in F{n}.",
            *self._draw(o, drawn),
            *conditions(0, before),
        ]

    # -- conclusions -------------------------------------------------------------------------------------------------
    def prove(self, goal: t.Term, scene: Scene) -> list[Line]:
        """Return the tactics that prove a condition. Raises Unsupported if no proof is found."""
        goal = _spell_out(goal)
        if not asks_for_options(goal):
            return self._finish(goal, scene)
        match goal:
            case t.AllOf(args=(first, *others)) if others:
                rest = replace(goal, args=tuple(others)) if len(others) > 1 else others[0]
                return ["split. {", *self.prove(first, scene), "} {", *self.prove(rest, scene), "}"]
            case t.Operation(op="eq", args=(a, b)) if a.type == BOOL:
                x = self._fresh("A")
                one = self.assume(x, a, scene, lambda after: self.prove(b, after))
                other = self.assume(x, b, scene, lambda after: self.prove(a, after))
                return [f"split; intros {x}. {{", *one, "} {", *other, "}"]
            case t.Operation(op="eq", args=(a, b)) if a.type == t.set_of(POSITION):
                u, word = self._fresh("t"), self._fresh("element ")
                element, here = t.Variable(POSITION, 0, 0, word), replace(scene, names=(*scene.names, (word, u)))
                both = t.Operation(BOOL, 0, 0, "eq", (_element(element, a), _element(element, b)))
                return [f"intros {u}.", *self.prove(both, here)]
            case t.AnyOf(args=(t.Operation(op="not", args=(condition,)), conclusion)):
                x = self._fresh("A")
                return [f"intros {x}.", *self.assume(x, condition, scene, lambda after: self.prove(conclusion, after))]
            case t.Operation(op="not", args=(condition,)):
                x = self._fresh("A")
                return [f"intros {x}.", *self.assume(x, condition, scene, lambda after: self.prove(NO, after))]
            case t.Comprehension(reducer="all", body=body, clauses=(clause,)) if clause.source.type != POSITION:
                u, x = self._fresh("t"), self._fresh("A")
                member = _element(t.Variable(POSITION, 0, 0, clause.variable), clause.source)
                here = replace(scene, names=(*scene.names, (clause.variable, u)))
                then = implication(clause.conditions, body)
                return [f"intros {u} {x}.", *self.assume(x, member, here, lambda after: self.prove(then, after))]
            case t.Comprehension(reducer="any", body=body, clauses=(clause,)) if clause.source.type != POSITION:
                return self._show_option(clause, body, scene)
            case t.Comprehension(reducer="any", body=body, clauses=(clause,)):
                return self._show_replaced(clause, body, scene)
            case t.GameCall(function="legal", game=game, args=(s, t.Variable(name=after), mover)):
                return self._show_legal(game, s, after, mover, scene)
            case t.AnyOf(args=(first, *others)) if others:
                return self._show_one(first, replace(goal, args=tuple(others)) if len(others) > 1 else others[0], scene)
            case t.Operation(op="eq", args=(t.Variable(name=variable), t.Operation(op="replace", args=args))):
                return self._show_replacement(variable, args, scene)
        raise _refuse(goal)

    def _show_one(self, first: t.Term, other: t.Term, scene: Scene) -> list[Line]:
        """Return the tactics that prove one of two conditions, or that distinguish whether the first one holds."""
        for side, part in (("left", first), ("right", other)):
            if (found := self._try(partial(self.prove, part, scene))) is not None:
                return [f"{side}.", *found]
        if (ask := self._sufficient(first, scene)) is None:
            raise _refuse(first)
        d = self._fresh("D")
        met, unmet = (replace(scene, known=(*scene.known, x)) for x in (ask, lambda q, env: negation(ask(q, env))))
        text = self._text(scene, ask)
        return [
            lambda: f"assert ({d} : {text()} \\/ ~ {text()}) by (clear; lia). destruct {d} as [{d}|{d}]. {{ left.",
            *self.prove(first, met),
            "} { right.",
            *self.prove(other, unmet),
            "}",
        ]

    @staticmethod
    def _sufficient(goal: t.Term, scene: Scene) -> Ask | None:
        """Return a condition without options from which the goal follows; None if there is no such condition."""
        match goal:
            case t.Operation(op="eq", args=(t.Variable(name=name), t.Operation(op="replace", args=(of, heap, size)))):
                if (o := _find_opened(scene, name, of)) is not None:
                    return _is_replacement(o, heap, size)
        return None if asks_for_options(goal) else says(goal)

    def _try(self, attempt: Callable[[], list[Line]]) -> list[Line] | None:
        """Return the result of an attempt; None, without its sequents, if it raises Unsupported."""
        before = len(self.steps)
        try:
            return attempt()
        except Unsupported:
            del self.steps[before:]
            return None

    def _finish(self, goal: t.Term, scene: Scene) -> list[Line]:
        """Return the tactics that prove a condition without options, perhaps after named moves of the proof."""
        step = self._pose(scene, says(goal))
        if step is not None:
            links = self._links(scene, goal, "")
            return [step, links]
        for x in scene.universals:
            found = self._by_named(
                x.of, x.game, x.mover, scene, partial(self.prove, goal), lambda after, _: self._finish(goal, after)
            )
            if found is not None:
                return found
        for name, condition in scene.denied:
            here = replace(scene, denied=tuple(x for x in scene.denied if x[0] != name))
            if (found := self._try(partial(self.prove, condition, here))) is not None:
                return [f"exfalso. apply {name}.", *found]
        raise Unsupported(f"no proof of {print_term(goal)} is found for Coq")

    def _show_option(self, clause: t.Clause, body: t.Term, scene: Scene) -> list[Line]:
        match _find_options(clause.source):
            case t.GameCall(game=game, args=(t.Variable(name=of), t.Literal(value=mover))):
                pass
            case _:
                raise _refuse(clause.source)
        element = t.Variable(POSITION, 0, 0, clause.variable)
        inside = _conjunction(_element(element, clause.source), *clause.conditions, body)

        def show(here: Scene, o: Opened) -> list[Line]:
            said = substitute(inside, {clause.variable: t.Variable(POSITION, 0, 0, o.variable)})
            return [f"exists {dict(here.names)[o.variable]}.", *self.prove(said, here)]

        for o in scene.opened:
            fits = (o.of, o.game, o.mover) == (of, game, mover) and o.kind is not None and o.variable
            if fits and (found := self._try(partial(show, scene, o))) is not None:
                return found

        def otherwise(unmet: Scene) -> list[Line]:
            if (found := self._try(partial(self._finish, NO, unmet))) is not None:
                return ["exfalso.", *found]
            return self._show_option(clause, body, unmet)

        if (made := self._by_named(of, game, mover, scene, otherwise, show)) is not None:
            return made
        raise Unsupported("no named move of the proof makes an option that the claim asks for")

    def _by_named(
        self,
        of: str,
        game: str,
        mover: int,
        scene: Scene,
        otherwise: Then,
        then: Callable[[Scene, Opened], list[Line]],
    ) -> list[Line] | None:
        """Return the argument which distinguishes whether some named move can be made; None if none is of use.

        `otherwise`: the argument if it cannot be made.
        """
        for i, named in enumerate(self.proof.moves):
            if named.player not in (None, mover) or (i, of) in scene.used:
                continue
            for kind in kinds_of(named, self.claim.game(game), mover):
                here = replace(scene, used=scene.used | {(i, of)})
                attempt = partial(self._make, of, game, mover, named, kind, here, otherwise, then)
                if (found := self._try(attempt)) is not None:
                    return found
        return None

    def _make(
        self,
        of: str,
        game: str,
        mover: int,
        named: FoldsMove,
        kind: OpenMove,
        scene: Scene,
        otherwise: Then,
        then: Callable[[Scene, Opened], list[Line]],
    ) -> list[Line]:
        if kind.choose != "any":
            raise Unsupported("no Coq text is generated for options by moves on a largest or smallest heap")
        self.count += 1
        n, d, u = self.count, self._fresh("D"), dict(scene.names)[of]
        variable, name = f"option {n}", f"t{n}"

        def premise(q: ClaimReader, env: Env) -> t.Term:
            return pick_of(q, named, position_at(env, of))[0]

        def where(q: ClaimReader, env: Env) -> t.Term:
            return conjunction(q.truth(named.when, q.fold_values(position_at(env, of))), premise(q, env))

        def not_where(q: ClaimReader, env: Env) -> t.Term:
            return negation(where(q, env))

        def take(q: ClaimReader, env: Env) -> dict[str, t.Term]:
            return take_of(q, named, position_at(env, of), number_at(env, "heap", n), position_at(env, f"rest {n}"))

        def legal(q: ClaimReader, env: Env) -> t.Term:
            return outcome_of(q, kind, (number_at(env, "heap", n),), take(q, env), position_at(env, f"rest {n}"))[0]

        o = Opened(of, n, "", game, mover, kind, named)
        met, unmet = (replace(scene, known=(*scene.known, x)) for x in (where, not_where))
        drawn = replace(met, opened=(*scene.opened, o))
        moved = replace(o, variable=variable)
        after = replace(met, opened=(*scene.opened, moved), names=(*scene.names, (variable, name)))
        is_legal = self._pose(drawn, legal)
        if is_legal is None:
            raise Unsupported("a named move is not shown to be legal")
        text, heap = self._text(scene, where), self._text(scene, premise)
        picks = "".join(f"exists p{n}_{j}. " for j, _ in enumerate(kind.picks, 1))
        last = kind.number >= len(self.claim.game(game).ruleset.moves)
        side = "right. " * (kind.number - 1) + ("" if last else "left. ")
        called = self.numbers.games[game].argument
        player = self.numbers.player(t.Literal(PLAYER, 0, 0, mover)).text

        def pick() -> str:
            return self.instance.pick(named, self._read(scene)[0], u)

        def name_picks() -> str:
            reader, env, letters, others = self._read(drawn)
            taken, made = take(reader, env), list[str]()
            values = self._values(reader, letters, others)
            bound: dict[str, object] = {**reader.root, kind.heaps[0]: number_at(env, "heap", n)}
            for j, x in enumerate(kind.picks, 1):
                bound[x.name] = number = taken.get(x.word, reader.number(x.lo, bound))
                made.append(f"name_pick ({write_number(number, values)})%Z p{n}_{j}.")
            made.append(f"name_pick ({write_number(reader.number(kind.become, bound), values)})%Z y{n}.")
            return " ".join(made)

        return [
            lambda: f"assert ({d} : {text()} \\/ ~ ({text()})) by (clear; lia). destruct {d} as [{d}|{d}]. {{",
            lambda: f"assert (W' : {heap()}) by (clear - {d}; lia). pose proof ({pick()})%Z as Pick. cbv beta in Pick.",
            f"destruct Pick as (h{n} & R{n} & P{n} & E{n} & Pick). told Pick.",
            *self._draw(o, scene),
            is_legal,
            "rename O into Legal. parts_of Legal.",
            name_picks,
            f"assert (T : exists t, t ≡ y{n} :: R{n} /\\ move {called} {player} {u} t).",
            f"{{ exists (y{n} :: R{n}). split; [reflexivity|]. exists h{n}, y{n}, R{n}. split; [exact P{n}|].",
            f"split; [exact E{n}|]. split; [reflexivity|]. {self._is_move(side + picks)} }}",
            f"destruct T as ({name} & F{n} & M{n}).",
            *self._arrive(moved, after),
            *self._use_universals(after, lambda here: then(here, moved)),
            "} {",
            *otherwise(unmet),
            "}",
        ]

    @staticmethod
    def _is_move(choices: str) -> str:
        """Return the tactics that prove that a move is legal. `choices`: the kind of the move, and the picks."""
        made = choices.replace(". ", "; ")
        return f"split; [hnf; cbn [same_player]; {made}made_legal | discriminate]."

    def _show_legal(self, game: str, s: t.Term, variable: str, mover: t.Term, scene: Scene) -> list[Line]:
        if not isinstance(s, t.Variable) or not isinstance(mover, t.Literal):
            raise _refuse(s)
        o = next((x for x in scene.opened if x.variable == variable and x.of == s.name), None)
        if o is None:
            raise _refuse(s)
        if (o.game, o.mover) == (game, mover.value) and o.kind is not None:
            return [f"exact M{o.number}."]
        n = o.number
        for kind in playable(self.claim.game(game), mover.value):
            if kind.choose != "any" or len(kind.picks) != 1:
                continue
            (one,) = kind.picks
            last = kind.number >= len(self.claim.game(game).ruleset.moves)
            side = "right. " * (kind.number - 1) + ("" if last else "left. ")

            def reached(q: ClaimReader, env: Env, kind: OpenMove = kind, word: str = one.word) -> t.Term:
                heap, size = number_at(env, "heap", n), number_at(env, "size", n)
                legal, (becomes,) = outcome_of(q, kind, (heap,), {word: sub(heap, size)}, position_at(env, f"rest {n}"))
                return conjunction(legal, equal(size, becomes))

            step = self._pose(scene, reached)
            if step is not None:
                return [
                    step,
                    f"parts_of O. name_pick (Z.of_N h{n} - Z.of_N y{n})%Z q{n}.",
                    f"exists h{n}, y{n}, R{n}. split; [exact P{n}|]. split; [exact E{n}|]. split; [exact F{n}|].",
                    self._is_move(f"{side}exists q{n}. "),
                ]
        raise Unsupported("a move is not shown to be legal in another game")

    def _show_replaced(self, clause: t.Clause, body: t.Term, scene: Scene) -> list[Line]:
        match body:
            case t.Operation(
                op="eq", args=(t.Variable(name=variable), t.Operation(op="replace", args=(of, _, _) as args))
            ):
                o = _find_opened(scene, variable, of)
            case _:
                raise _refuse(body)
        if o is None or o.heap:
            raise _refuse(body)
        n = o.number
        here = replace(
            scene,
            names=(*scene.names, (clause.variable, f"h{n}")),
            opened=tuple(replace(x, heap=clause.variable) if x is o else x for x in scene.opened),
        )
        made: list[Line] = [
            f"exists h{n}. split; [rewrite E{n}; apply heap_of_cons; left; split; [exact P{n} | reflexivity]|].",
        ]
        for x in clause.conditions:
            made += ["split. {", *self.prove(x, here), "}"]
        return [*made, *self._show_replacement(variable, args, here)]

    def _show_replacement(self, variable: str, changed: Sequence[t.Term], scene: Scene) -> list[Line]:
        """Return the tactics which prove that an option results from its position if a heap is replaced.

        `changed`: the position, the heap and its new size, as in the claim.
        """
        of, heap, size = changed
        if (o := _find_opened(scene, variable, of)) is None:
            raise _refuse(of)
        if (step := self._pose(scene, _is_replacement(o, heap, size))) is None:
            raise Unsupported("a heap is not shown to be replaced as the claim says")
        n, made, texts, known = o.number, [step], list[str](), list[str]()
        named = replace(scene, names=(*scene.names, (f"heap {n}", f"h{n}"), (f"size {n}", f"y{n}")))
        for what, letter, term in (("heap", "h", heap), ("size", "y", size)):
            same = t.Operation(BOOL, 0, 0, "eq", (t.Variable(INT, 0, 0, f"{what} {n}"), term))
            texts.append(self._in(scene).natural(term).text)
            known.append(self._fresh("Y"))
            made += [f"assert ({known[-1]} : {letter}{n} = ({texts[-1]})).\n  {{", self._links(named, same, ""), "}"]
        by = [f"try rewrite <- {y}; exact {x}{n}" for y, x in zip((known[1], known[0], known[0]), "FPE", strict=True)]
        shown = f"replace_rest {dict(scene.names)[o.of]} ({texts[0]}) ({texts[1]}) R{n}"
        return [*made, f"rewrite ({shown}); [{' | '.join(by)}]."]


# -- terms ------------------------------------------------------------------------------------------------------------
def _negation(term: t.Term) -> t.Term:
    return t.Operation(BOOL, 0, 0, "not", (term,))


def _conjunction(*terms: t.Term) -> t.Term:
    return terms[0] if len(terms) == 1 else t.AllOf(BOOL, 0, 0, terms)


def implication(conditions: Sequence[t.Term], then: t.Term) -> t.Term:
    """Return the implication whose Coq text consists of the conditions and `then`, joined by `->`."""
    for x in reversed(conditions):
        then = t.AnyOf(BOOL, 0, 0, (_negation(x), then))
    return then


def _find_opened(scene: Scene, variable: str, of: t.Term) -> Opened | None:
    """Return how a position results from another one by a change of a heap; None if the scene does not tell."""
    found = (o for o in scene.opened if o.variable == variable and isinstance(of, t.Variable) and o.of == of.name)
    return next(found, None)


def _is_replacement(o: Opened, heap: t.Term, size: t.Term) -> Ask:
    """Return the condition that a change of a heap replaces this heap by a heap of this size."""

    def ask(q: ClaimReader, env: Env) -> t.Term:
        same = equal(number_at(env, "heap", o.number), q.number(heap, env))
        return conjunction(same, equal(number_at(env, "size", o.number), q.number(size, env)))

    return ask


def _spell_out(term: t.Term) -> t.Term:
    """Return a condition as Coq has it: "a if c else b" as two implications, and "t in {a, b}" as a disjunction."""
    match term:
        case t.IfElse(condition=c, then=a, other=b) if term.type == BOOL:
            return t.AllOf(BOOL, 0, 0, (implication([c], a), implication([_negation(c)], b)))
        case t.Operation(op="ne", args=(a, _)) if a.type == BOOL or a.type == t.set_of(POSITION):
            return _negation(replace(term, op="eq"))
        case t.Operation(op="in", args=(x, t.Collection(items=items))) if items and x.type == POSITION:
            return t.AnyOf(BOOL, 0, 0, tuple(t.Operation(BOOL, 0, 0, "eq", (x, item)) for item in items))
    return term


def _element(x: t.Variable, source: t.Term) -> t.Term:
    """Return the condition that a position is in a set, with the same parts as in Coq. Raises Unsupported."""
    match source:
        case t.GameCall(function="options", game=game, args=(s, mover)):
            return t.GameCall(BOOL, 0, 0, "legal", game, (s, x, mover))
        case t.Comprehension(reducer="set", body=t.Variable(name=name), clauses=(clause,)) if name == clause.variable:
            inner = (substitute(c, {name: x}) for c in clause.conditions)
            return _conjunction(_element(x, clause.source), *inner)
        case t.Comprehension(reducer="set", body=body, clauses=(clause,)):
            same = t.Operation(BOOL, 0, 0, "eq", (x, body))
            return t.Comprehension(BOOL, 0, 0, "any", same, (clause,))
    raise _refuse(source)


def _find_options(source: t.Term) -> t.Term | None:
    """Return the options of which a set of positions consists, perhaps with conditions; None for another set."""
    match source:
        case t.GameCall(function="options"):
            return source
        case t.Comprehension(reducer="set", body=t.Variable(name=name), clauses=(clause,)) if name == clause.variable:
            return _find_options(clause.source)
    return None


def asks_for_options(term: t.Term) -> bool:
    """Return whether a condition is about options, or about positions that result from a replacement."""
    for x in walk(term):
        match x:
            case t.GameCall(function="options" | "legal" | "terminal") | t.Operation(op="replace"):
                return True
            case t.Operation(op="eq" | "ne", args=(a, _)) if a.type in (POSITION, t.set_of(POSITION)):
                return True
    return False


def _refuse(term: t.Term) -> Unsupported:
    return Unsupported(f"{print_term(term)}: no Coq text is generated for this term in a claim about options")
