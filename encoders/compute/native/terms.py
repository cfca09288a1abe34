"""The translation of typed terms into WebAssembly text.

The text contains only fixed phrases, numbers and generated names, and no text of a claim file.

All values have 64 bits, and numbers at most 62. Each text has bounds: an interval that contains its number, or the
numbers in its list. If the bounds of a result show that it has at most 62 bits, a plain instruction computes it.
Otherwise a function computes it, which traps if the result has more. Ill-defined terms trap as well. A trap never leads
to a verdict: another engine then searches the complete scope.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from claims.language.syntax import terms as t
from claims.language.syntax.terms import BOOL, items_of
from encoders.compute.compound.meaning import list_names
from encoders.compute.native.pieces import (
    ANY,
    BITS,
    CALLED,
    COMPARED,
    COUNTS,
    FOLDED,
    IN_HEAPS,
    LARGEST,
    NATURALS,
    NOTHING,
    ONE,
    SMALL,
    TRUTH,
    UNROLLED,
    Bounds,
    Joined,
    NotNative,
    Static,
    WasmExpression,
    is_number,
    is_word,
    list_constants,
    repeat,
    spell,
)
from encoders.compute.native.runtime import EVERY


def load_part(heap: str, at: int) -> str:
    """Return the text of a part of a heap in a cell, which contains the address of the parts."""
    return f"(i64.load32_s offset={4 * at} (i32.load (i32.wrap_i64 {heap})))"


class Module:
    """The WebAssembly functions for definitions, and the constant lists, of a module that is being generated.

    `ask`: returns the text of a call of a function of the game, such as `wins`.
    `load_part`: returns the text of a part of a heap, for the text of the heap and the index of the part.
    `part_bounds`: bounds of the numbers in heaps.
    """

    def __init__(self, ask: Callable[[WasmFunctionWriter, t.GameCall], str]) -> None:
        self.ask, self.static = ask, Static()
        self.load_part, self.part_bounds = load_part, SMALL
        self.functions: list[str] = []
        self._known: dict[int, tuple[t.Function, tuple[str, list[str], Bounds]]] = {}

    def define(self, function: t.Function) -> tuple[str, list[str], Bounds]:
        """Return the name of the WebAssembly function for a definition, its extra arguments, and bounds of its value.

        The function is generated at the first call. The extra arguments are the free variables of the definition.
        """
        if id(function) not in self._known:
            name = f"$d{len(self._known)}"
            others = [x for x in list_names(function.body) if x not in function.parameters]
            writer = WasmFunctionWriter(self, {x: WasmExpression("", ANY) for x in (*function.parameters, *others)})
            body = writer.write(function.body)
            self.functions.append(writer.make(name, body.text, "(result i64)"))
            self._known[id(function)] = function, (name, others, body.bounds)
        return self._known[id(function)][1]


CHUNK = f"(i64.const {EVERY >> 2})"


class WasmFunctionWriter:
    """The generator of the text of one WebAssembly function.

    `names`: the text and the bounds of each variable. The text is "" for a parameter of the function.
    """

    def __init__(self, module: Module, names: Mapping[str, WasmExpression]) -> None:
        self.module = module
        self.parameters = [name for name, piece in names.items() if not piece.text]
        self._names = {name: piece.text or f"(local.get $p{i})" for i, (name, piece) in enumerate(self._number(names))}
        self._bounds = {name: piece.bounds for name, piece in names.items()}
        self._locals: list[str] = []
        self._parts: dict[tuple[str, int], str] = {}  # parts that are in locals, by the text of the heap and the part
        self._lengths: dict[str, str] = {}  # lengths that are in locals, by the text of the list
        self._labels = 0

    def _number(self, names: Mapping[str, WasmExpression]) -> list[tuple[str, WasmExpression]]:
        return [(name, names[name]) for name in (*self.parameters, *(x for x in names if x not in self.parameters))]

    # -- functions ----------------------------------------------------------------------------------------------------
    def make(self, name: str, body: str, result: str = "") -> str:
        """Return Wasm code for a function with this body, and with the parameters and locals of the writer."""
        parameters = "".join(f" (param $p{i} i64)" for i in range(len(self.parameters)))
        return f"(func {name}{parameters} {result} {''.join(f'(local {x} i64)' for x in self._locals)}\n{body})\n"

    def local(self) -> str:
        """Declare a new local and return its name."""
        name = f"$l{len(self._locals)}"
        self._locals.append(name)
        return name

    def name(self, variable: str, piece: WasmExpression) -> None:
        """Set the text and the bounds that a variable has in the terms that are written next."""
        self._names[variable], self._bounds[variable] = piece

    def read_parts(self, heap: str, lists: Sequence[bool]) -> str:
        """Return statements that copy the parts of a heap, and the lengths of lists, to locals.

        The terms that are written next use these locals. `lists`: for each part, whether it is a list.
        """
        text = ""
        for i, is_list in enumerate(lists):
            part, length = self.local(), self.local()
            text += f"(local.set {part} {self.get_part(heap, i)})\n"
            self._parts[heap, i] = f"(local.get {part})"
            if is_list:
                text += f"(local.set {length} {self.get_length(self._parts[heap, i])})\n"
                self._lengths[self._parts[heap, i]] = f"(local.get {length})"
        return text

    def name_parts(self, heap: str, numbers: Sequence[str]) -> None:
        """Let the terms that are written next use these texts for the parts of a heap. `heap`: the text of the heap."""
        self._parts |= {(heap, i): number for i, number in enumerate(numbers)}

    def get_length(self, group: str) -> str:
        """Return the text of the length of a list. `group`: the text of the list."""
        return self._lengths.get(group) or f"(i64.load (i32.wrap_i64 {group}))"

    def get_part(self, heap: str, at: int) -> str:
        """Return the text of a part of a heap. `heap`: the text of the heap."""
        return self._parts.get((heap, at)) or self.module.load_part(heap, at)

    def get(self, variable: str) -> str:
        """Return Wasm code for a variable. Raise NotNative if the variable is unknown."""
        if variable not in self._names:
            raise NotNative(f"the variable {variable} is not supported")
        return self._names[variable]

    def label(self) -> str:
        self._labels += 1
        return str(self._labels)

    # -- terms --------------------------------------------------------------------------------------------------------
    def write(self, term: t.Term) -> WasmExpression:
        """Return Wasm code that computes a term as a value of 64 bits. Raise NotNative if the term is not supported."""
        if term.type == BOOL and not isinstance(term, (t.Variable, t.Apply)):
            return WasmExpression(f"(i64.extend_i32_u {self.write_test(term)})", TRUTH)
        match term:
            case t.Literal(value=value):
                if abs(value) > LARGEST:
                    raise NotNative("a constant is too large")
                return WasmExpression(f"(i64.const {value})", Bounds(value, value))
            case t.Variable(name=name):
                return WasmExpression(self.get(name), self._bounds[name])
            case t.Operation(op=op, args=args):
                return self._operate(op, args)
            case t.IfElse(condition=c, then=x, other=y):
                a, b = self.write(x), self.write(y)
                text = f"(if (result i64) {self.write_test(c)} (then {a.text}) (else {b.text}))"
                return WasmExpression(text, a.bounds.join(b.bounds))
            case t.Collection():
                return self._collect(term)
            case t.Apply(function=function, args=args):
                given = [self.write(x).text for x in args]
                name, others, bounds = self.module.define(function)
                return WasmExpression(f"(call {name} {' '.join((*given, *map(self.get, others)))})", bounds)
            case t.GameCall():
                return WasmExpression(self.module.ask(self, term), Bounds(0, IN_HEAPS))
            case t.Comprehension(reducer=reducer):
                return self._gather(term) if reducer in ("list", "set") else self._fold(term)
        raise NotNative(f"terms of the kind {type(term).__name__} are not supported")

    def write_test(self, term: t.Term) -> str:
        """Return Wasm code that computes a truth value as 32 bits, 0 or 1.

        Raise NotNative if the term is not supported.
        """
        match term:
            case t.Literal(value=value):
                return f"(i32.const {value})"
            case t.AllOf(args=args) | t.AnyOf(args=args):
                return self._decide([self.write_test(x) for x in args], isinstance(term, t.AllOf))
            case t.IfElse(condition=c, then=x, other=y):
                return f"(if (result i32) {self.write_test(c)} (then {self.write_test(x)}) (else {self.write_test(y)}))"
            case t.Operation(op="not", args=(x,)):
                return f"(i32.eqz {self.write_test(x)})"
            case t.Operation(op="in", args=args):
                return f"(i64.ne (i64.const 0) {self._operate('occurrences', args[::-1]).text})"
            case t.Operation(op=op, args=args) if op in COMPARED:
                return self._compare(op, args)
            case t.Variable() | t.Apply():
                return f"(i64.ne (i64.const 0) {self.write(term).text})"
            case t.GameCall():
                return f"(i64.ne (i64.const 0) {self.module.ask(self, term)})"
            case t.Comprehension(reducer="any" | "all"):
                return f"(i64.ne (i64.const 0) {self._fold(term).text})"
        raise NotNative(f"terms of the kind {type(term).__name__} are not supported")

    def _decide(self, tests: list[str], every: bool) -> str:
        found = "(i32.const 1)" if every else "(i32.const 0)"
        for test in reversed(tests):
            then, other = (found, "(i32.const 0)") if every else ("(i32.const 1)", found)
            found = f"(if (result i32) {test} (then {then}) (else {other}))"
        return found

    def _compare(self, op: str, args: tuple[t.Term, ...]) -> str:
        a, b = (self.write(x).text for x in args)
        kind = args[0].type
        if kind.is_collection and kind.element is not None and is_number(kind.element):
            return f"(call $same {a} {b})" if op == "eq" else f"(i32.eqz (call $same {a} {b}))"
        if not (is_number(kind) or kind.kind in ("Heap", "Outcome")) or args[1].type != kind:
            raise NotNative(f"a comparison of values of type {kind} is not supported")
        return f"(i64.{COMPARED[op]} {a} {b})"

    # -- operations ---------------------------------------------------------------------------------------------------
    def _operate(self, op: str, args: tuple[t.Term, ...]) -> WasmExpression:
        for x in args:
            if not is_word(x.type):
                raise NotNative(f"a value of type {x.type} is not supported")
        if op == "part":
            at = args[1]
            assert isinstance(at, t.Literal)
            return WasmExpression(self.get_part(self.write(args[0]).text, at.value), self.module.part_bounds)
        if op in FOLDED and len(args) == 1:
            return self._fold_list(op, args[0])
        made = [self.write(x) for x in args]
        text, bounds = " ".join(x.text for x in made), [x.bounds for x in made]
        match op:
            case "add" | "sub" | "mul":
                return self.calculate(op, *made)
            case "neg":
                return self.calculate("sub", WasmExpression("(i64.const 0)", NOTHING), *made)
            case "floordiv" | "mod":
                return self._divide(op, made, args[1])
            case "pow" if isinstance(args[1], t.Literal) and 0 <= args[1].value <= UNROLLED:
                return self._raise_to(made[0], args[1].value)
            case "pow":
                return WasmExpression(f"(call $pow {text})", ANY)
            case "nim" | "bit_and" | "bit_or":
                a, b = (f"(call $natural {x.text})" for x in made)
                both = Bounds(0, max(0, min(x.hi for x in bounds))) if op == "bit_and" else spell(*bounds)
                return WasmExpression(f"(i64.{NATURALS[op]} {a} {b})", both)
            case "popcount":
                return WasmExpression(f"(i64.popcnt (call $natural {text}))", BITS)
            case "len":
                return WasmExpression(self.get_length(text), Bounds(0, IN_HEAPS))
            case "index":
                return WasmExpression(self._index(*made), bounds[0])
            case "put" if isinstance(args[0], t.Operation) and args[0].op == "put":
                # a list that nothing else refers to
                return WasmExpression(f"(call $put_in {text})", CALLED["put"][1](bounds))
            case "heap":
                return WasmExpression(f"(call $make {text})", SMALL)
            case "sorted":
                return WasmExpression(f"(call $sorted {text} (i32.const 0))", bounds[0])
        if op in CALLED and len(made) == CALLED[op][0]:
            return WasmExpression(f"(call ${op} {text})", CALLED[op][1](bounds))
        raise NotNative(f"{op} is not supported")

    def calculate(self, op: str, a: WasmExpression, b: WasmExpression) -> WasmExpression:
        """Return Wasm code for a sum, difference or product. `op`: "add", "sub" or "mul".

        The text is an instruction if no result has more than 62 bits, and otherwise a call of a checked function.
        """
        bounds: Bounds = getattr(a.bounds, op)(b.bounds)
        if bounds.fits:
            return WasmExpression(f"(i64.{op} {a.text} {b.text})", bounds)
        return WasmExpression(f"(call ${op} {a.text} {b.text})", bounds.clamp())

    def _raise_to(self, base: WasmExpression, exponent: int) -> WasmExpression:
        """Return Wasm code for a power with a small literal exponent, as a product."""
        x = self.local()
        one, found = WasmExpression(f"(local.get {x})", base.bounds), ONE
        for number in range(exponent):
            found = self.calculate("mul", found, one) if number else one
        return WasmExpression(f"(block (result i64) (local.set {x} {base.text}) {found.text})", found.bounds)

    def _index(self, group: WasmExpression, at: WasmExpression) -> str:
        """Return Wasm code for element `at` of the list `group`. The code traps if the index `at` is out of range."""
        c, i = self.local(), self.local()
        length = self._lengths.get(group.text) or f"(i64.load (i32.wrap_i64 (local.tee {c} {group.text})))"
        start = group.text if group.text in self._lengths else f"(local.get {c})"
        place = f"(i32.wrap_i64 (i64.add {start} (i64.shl (local.get {i}) (i64.const 3))))"
        inside = f"(i64.lt_u (local.tee {i} {at.text}) {length})"
        return f"(if (result i64) {inside} (then (i64.load offset=8 {place})) (else (unreachable)))"

    def _divide(self, op: str, made: list[WasmExpression], by: t.Term) -> WasmExpression:
        a, b = (x.bounds for x in made)
        text = " ".join(x.text for x in made)
        if isinstance(by, t.Literal) and by.value > 0 and by.value & (by.value - 1) == 0:
            if op == "mod":
                return WasmExpression(f"(i64.and {made[0].text} (i64.const {by.value - 1}))", Bounds(0, by.value - 1))
            quotients = Bounds(a.lo // by.value, a.hi // by.value)
            return WasmExpression(f"(i64.shr_s {made[0].text} (i64.const {by.value.bit_length() - 1}))", quotients)
        far = max(map(abs, b if op == "mod" else a))
        natural = b.lo >= 0 and (op == "mod" or a.lo >= 0)
        return WasmExpression(f"(call ${op} {text})", Bounds(0 if natural else -far, far))

    def _collect(self, term: t.Collection) -> WasmExpression:
        numbers = list_constants(term)
        if numbers is not None:
            bounds = Bounds(min(numbers, default=0), max(numbers, default=0))
            return WasmExpression(f"(i64.const {self.module.static.place(numbers)})", bounds)
        joined, pushes = Joined(), ""
        for x in term.items:
            piece = self.write(x)
            joined.add(piece)
            pushes += f"(call $push {piece.text})"
        return self._build(pushes, joined, term.type.kind == "set")

    def _build(self, pushes: str, joined: Joined, is_set: bool) -> WasmExpression:
        """Return Wasm code for a list that contains the values which the statements `pushes` push.

        If `is_set`, the list is sorted, without duplicates.
        """
        base = self.local()
        text = f"(block (result i64) (local.set {base} (global.get $stack)) {pushes} (call $gather (local.get {base})))"
        return WasmExpression(f"(call $sorted {text} (i32.const 1))" if is_set else text, joined.bounds)

    # -- loops --------------------------------------------------------------------------------------------------------
    def loop(self, variable: str, source: t.Term, inner: Callable[[], str]) -> str:
        """Return Wasm code for a loop over the elements of a list, a set or a position.

        `inner`: returns the statements in the loop.
        """
        if isinstance(source, t.Operation) and source.op == "range":
            low, high = source.args if len(source.args) == 2 else (None, source.args[0])
            first = WasmExpression("(i64.const 0)", NOTHING) if low is None else self.write(low)
            return self.count(variable, first, self.write(high), inner)
        if not is_word(source.type):
            raise NotNative(f"a loop over a {source.type} is not supported")
        numbers = list_constants(source)
        if numbers is not None and len(numbers) <= UNROLLED:
            return "\n".join(self._bind_value(variable, x, inner) for x in numbers)
        made, at, end, value, label = self.write(source), self.local(), self.local(), self.local(), self.label()
        self.name(variable, WasmExpression(f"(local.get {value})", made.bounds))
        start = f"(local.set {at} {made.text}) (local.set {end} (i64.add (local.get {at}) (i64.shl "
        start += f"(i64.load (i32.wrap_i64 (local.get {at}))) (i64.const 3))))"
        step = f"(br_if $out{label} (i64.ge_u (local.get {at}) (local.get {end})))\n"
        step += f"(local.set {at} (i64.add (local.get {at}) (i64.const 8)))"
        step += f"(local.set {value} (i64.load (i32.wrap_i64 (local.get {at}))))"
        return f"{start} {repeat(label, step, inner(), '')}"

    def _bind_value(self, variable: str, value: int, inner: Callable[[], str]) -> str:
        self.name(variable, WasmExpression(f"(i64.const {value})", Bounds(value, value)))
        return inner()

    def count(self, variable: str, low: WasmExpression, high: WasmExpression, inner: Callable[[], str]) -> str:
        """Return Wasm code for a loop over the numbers x with low <= x < high.

        `inner`: returns the statements in the loop.

        `low` and `high` have at most 62 bits, so their difference has at most 63.
        """
        value, end, label = self.local(), self.local(), self.label()
        last = high.bounds.hi - 1
        self.name(variable, WasmExpression(f"(local.get {value})", Bounds(min(low.bounds.lo, last), last)))
        start = f"(local.set {value} {low.text}) (local.set {end} {high.text})"
        start += f"(if (i64.gt_s (i64.sub (local.get {end}) (local.get {value})) (i64.const {IN_HEAPS}))"
        start += "(then (call $crowded)))"
        # in chunks, so that the clock is checked once for many values
        chunk, start = self.local(), f"{start}(block $out{label} (loop $more{label}"
        start += f"(br_if $out{label} (i64.ge_s (local.get {value}) (local.get {end})))"
        start += f"(local.set {chunk} (call $smallest (local.get {end}) (i64.add (local.get {value}) {CHUNK})))"
        start += f"(call $spend (i64.sub (local.get {chunk}) (local.get {value})))"
        following = f"(local.set {value} (i64.add (local.get {value}) (i64.const 1)))"  # at most `end`
        again = f"{following} (br_if $next{label} (i64.lt_s (local.get {value}) (local.get {chunk})))"
        return f"{start} (loop $next{label}\n{inner()} {again}) (br $more{label})))"

    def count_lists(self, variable: str, low: WasmExpression, high: WasmExpression, inner: Callable[[], str]) -> str:
        """Return Wasm code for a loop over the lists x with low[i] <= x[i] <= high[i] for each place i.

        `inner`: returns the statements in the loop.
        """
        least, most, value, label = self.local(), self.local(), self.local(), self.label()
        self.name(variable, WasmExpression(f"(local.get {value})", low.bounds.join(high.bounds)))
        text = f"(local.set {least} {low.text}) (local.set {most} {high.text})"
        text += f"(local.set {value} (call $slice (local.get {least}) (i64.const 0) (call $len (local.get {least}))))"
        step = f"(call $advance (local.get {value}) (local.get {least}) (local.get {most}))"
        rounds = repeat(label, "", inner(), f"(br_if $out{label} (i32.eqz {step}))")
        return f"{text} (if (call $start (local.get {least}) (local.get {most})) (then {rounds}))"

    def run(self, clauses: Sequence[t.Clause], inner: Callable[[], str]) -> str:
        """Return Wasm code for nested loops over the clauses of a comprehension, with their conditions.

        `inner`: returns the statements in the innermost loop.
        """
        if not clauses:
            return inner()
        clause, *others = clauses

        def write_body() -> str:
            tests = [self.write_test(x) for x in clause.conditions]
            text = self.run(others, inner)
            for test in reversed(tests):
                text = f"(if {test} (then {text}))"
            return text

        return self.loop(clause.variable, clause.source, write_body)

    def _gather(self, term: t.Comprehension) -> WasmExpression:
        kind = term.body.type
        if not (is_number(kind) or (kind.kind == "Heap" and term.reducer == "list")):
            raise NotNative(f"a value of type {term.type} is not supported")
        joined = Joined()

        def push() -> str:
            piece = self.write(term.body)
            joined.add(piece)
            return f"(call $push {piece.text})"

        return self._build(self.run(term.clauses, push), joined, term.reducer == "set")

    def _fold(self, term: t.Comprehension) -> WasmExpression:
        if not is_number(term.body.type) or term.reducer not in FOLDED:
            raise NotNative(f"{term.reducer} of values of type {term.body.type} is not supported")
        return self._reduce(term.reducer, lambda use: self.run(term.clauses, lambda: use(self._give(term.body))))

    def _give(self, body: t.Term) -> WasmExpression:
        return self.write(body)

    def _fold_list(self, op: str, source: t.Term) -> WasmExpression:
        kind = items_of(source.type)
        if kind is None or not is_number(kind):
            raise NotNative(f"{op} of a {source.type} is not supported")
        name = f"={self.label()}"
        return self._reduce(op, lambda use: self.loop(name, source, lambda: use(self._get_name(name))))

    def _get_name(self, name: str) -> WasmExpression:
        return WasmExpression(self._names[name], self._bounds[name])

    def _reduce(self, reducer: str, run: Callable[[Callable[[WasmExpression], str]], str]) -> WasmExpression:
        """Return Wasm code for the result of a reducer, such as `sum` or `mex`, for some numbers.

        `run`: is called with a function `use`. It returns statements that compute each number, followed by
        `use(number)`.
        """
        found, some, label = self.local(), self.local(), self.label()
        get = f"(local.get {found})"
        joined = Joined()  # `run` may write several texts, one for each element of a literal list

        def use(piece: WasmExpression) -> str:
            joined.add(piece)
            match reducer:
                case "any":
                    return f"(if (i64.ne (i64.const 0) {piece.text}) (then (br $found{label} (i64.const 1))))"
                case "all":
                    return f"(if (i64.eqz {piece.text}) (then (br $found{label} (i64.const 0))))"
                case "mex":
                    return f"(call $push {piece.text})"
                case "sum":
                    return f"(local.set {found} (call $add {get} {piece.text}))"
                case "count":
                    return f"(local.set {found} (i64.add {get} {piece.text}))"
                case "nim_sum":
                    return f"(local.set {found} (i64.xor {get} (call $natural {piece.text})))"
            best = "$largest" if reducer == "max" else "$smallest"
            one = self.local()
            return (
                f"(local.set {one} {piece.text}) (local.set {found} (if (result i64) (i64.eqz (local.get {some}))"
                f"(then (local.get {one})) (else (call {best} {get} (local.get {one})))))"
                f"(local.set {some} (i64.const 1))"
            )

        body = run(use)
        start, end = f"(local.set {found} (i64.const 0)) (local.set {some} (i64.const 0))", get
        match reducer:
            case "any" | "all":
                end = f"(i64.const {int(reducer == 'all')})"
            case "mex":
                start, end = f"(local.set {found} (global.get $stack))", f"(call $mex {get})"
            case "max" | "min":
                end = f"(if (i64.eqz (local.get {some})) (then (unreachable))) {get}"
        return WasmExpression(
            f"(block $found{label} (result i64) {start} {body} {end})", _bound_result(reducer, joined.bounds)
        )


def _bound_result(reducer: str, bounds: Bounds) -> Bounds:
    """Return the bounds of the result of a reducer, from the bounds of its elements."""
    match reducer:
        case "sum":
            return Bounds(0 if bounds.lo >= 0 else -LARGEST, 0 if bounds.hi <= 0 else LARGEST)
        case "max" | "min":
            return bounds
        case "nim_sum":
            return spell(bounds)
        case "any" | "all":
            return TRUTH
    return COUNTS
