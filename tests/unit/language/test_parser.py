"""The grammar of expressions agrees with Python's parser wherever the languages overlap."""

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claims.language.errors import LanguageError
from claims.language.syntax import grammar as s
from claims.language.syntax.grammar import MAX_DIGITS, MAX_LENGTH, MAX_NESTING, parse, tokenize

NAMES = ("a", "s", "x_1", "P1")


# -- random expressions without unnecessary parentheses ----------------------------------------------------------------
def joined(part, operators, most=3):
    """Return `part op part op ...` without parentheses, so that precedence decides."""
    one_more = st.tuples(st.sampled_from(operators), part)
    return st.tuples(part, st.lists(one_more, max_size=most)).map(
        lambda x: x[0] + "".join(f" {op} {right}" for op, right in x[1])
    )


def expressions(inner):
    """Return expressions whose parentheses contain `inner`."""
    parts = st.lists(inner, min_size=1, max_size=2).map(", ".join)
    test = inner.map(lambda x: f"({x})")
    atom = st.one_of(
        st.integers(0, 99).map(str),
        st.sampled_from([*NAMES, "True", "False"]),
        test,
        st.tuples(st.sampled_from(NAMES), parts).map(lambda x: f"{x[0]}({x[1]})"),
        st.tuples(st.sampled_from(NAMES), inner).map(lambda x: f"{x[0]}[{x[1]}]"),
        parts.map(lambda x: f"[{x}]"),
        parts.map(lambda x: f"{{{x}}}"),
        st.tuples(inner, test, test).map(lambda x: f"any({x[0]} for t in {x[1]} if {x[2]})"),
        st.tuples(inner, test, test).map(lambda x: f"[{x[0]} for t in {x[1]} for u in {x[2]}]"),
        st.tuples(inner, test).map(lambda x: f"{{{x[0]} for t in {x[1]}}}"),
        st.tuples(inner, test, test).map(lambda x: f"[{x[0]} for t, u in {x[1]} if {x[2]}]"),
        st.tuples(inner, test).map(lambda x: f"{{{x[0]} for (t, u, v) in {x[1]}}}"),
    )
    signed = st.tuples(st.sampled_from(["", "", "-", "+", "- -"]), atom).map("".join)
    arithmetic = joined(signed, ["+", "-", "*", "/", "//", "%", "**", "^"])
    comparison = joined(arithmetic, ["==", "!=", "<", "<=", ">", ">=", "in", "not in"], 2)
    negation = st.tuples(st.sampled_from(["", "", "not ", "not not "]), comparison).map("".join)
    either = joined(joined(negation, ["and"]), ["or"])
    choice = st.tuples(either, either, either).map(lambda x: f"{x[0]} if {x[1]} else {x[2]}")
    return st.one_of(either, either, choice)


EXPRESSIONS = st.recursive(st.sampled_from([*NAMES, "0", "7"]), expressions, max_leaves=12)

_BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**"}
_BINARY[ast.BitXor] = "^"
_UNARY = {ast.USub: "-", ast.UAdd: "+", ast.Not: "not"}
_COMPARE = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in"}
_COMPARE[ast.NotIn] = "not in"


def of_python(node):
    """Return the shape of Python's tree."""
    match node:
        case ast.Constant(value=bool(value)) | ast.Name(id=value):
            return str(value)
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(op=op, operand=x):
            return (_UNARY[type(op)], of_python(x))
        case ast.BinOp(op=op, left=x, right=y):
            return (_BINARY[type(op)], of_python(x), of_python(y))
        case ast.BoolOp(op=op, values=xs):
            return ("and" if isinstance(op, ast.And) else "or", *map(of_python, xs))
        case ast.Compare(left=x, ops=ops, comparators=ys):
            return ("compare", of_python(x), *((_COMPARE[type(o)], of_python(y)) for o, y in zip(ops, ys, strict=True)))
        case ast.IfExp(test=c, body=x, orelse=y):
            return ("if", of_python(c), of_python(x), of_python(y))
        case ast.Call(func=f, args=xs):
            return ("call", of_python(f), *map(of_python, xs))
        case ast.Subscript(value=x, slice=i):
            return ("index", of_python(x), of_python(i))
        case ast.List(elts=xs):
            return ("list", *map(of_python, xs))
        case ast.Set(elts=xs):
            return ("set", *map(of_python, xs))
        case ast.GeneratorExp() | ast.ListComp() | ast.SetComp():
            kind = {ast.GeneratorExp: "bare", ast.ListComp: "list", ast.SetComp: "set"}[type(node)]
            targets = (g.target.elts if isinstance(g.target, ast.Tuple) else [g.target] for g in node.generators)
            names = (tuple(x.id for x in target) for target in targets)
            clauses = (
                (n, of_python(g.iter), *map(of_python, g.ifs)) for n, g in zip(names, node.generators, strict=True)
            )
            return ("for", kind, of_python(node.elt), *clauses)
    raise AssertionError(ast.dump(node))


def of_ours(node):
    match node:
        case s.Name(name=name):
            return name
        case s.Numeral(value=value):
            return value
        case s.Unary(op=op, operand=x):
            return (op, of_ours(x))
        case s.Binary(op=op, left=x, right=y):
            return (op, of_ours(x), of_ours(y))
        case s.Logic(op=op, parts=xs):
            return (op, *map(of_ours, xs))
        case s.Compare(first=x, links=links):
            return ("compare", of_ours(x), *((op, of_ours(y)) for op, y in links))
        case s.ConditionalNode(condition=c, then=x, other=y):
            return ("if", of_ours(c), of_ours(x), of_ours(y))
        case s.Call(function=f, arguments=xs):
            return ("call", of_ours(f), *map(of_ours, xs))
        case s.Index(subject=x, index=i):
            return ("index", of_ours(x), of_ours(i))
        case s.Display(kind=kind, items=xs):
            return (kind, *map(of_ours, xs))
        case s.Generator(kind=kind, body=body, clauses=clauses):
            shapes = ((c.names, of_ours(c.source), *map(of_ours, c.conditions)) for c in clauses)
            return ("for", kind, of_ours(body), *shapes)
    raise AssertionError(node)


def parts_of(node):
    """Yield the node and all nodes below it that are expressions."""
    match node:
        case s.Unary(operand=x):
            below = (x,)
        case s.Binary(left=x, right=y):
            below = (x, y)
        case s.Logic(parts=xs) | s.Display(items=xs):
            below = xs
        case s.Compare(first=x, links=links):
            below = (x, *(y for _, y in links))
        case s.ConditionalNode(condition=c, then=x, other=y):
            below = (x, c, y)
        case s.Call(arguments=xs):
            below = xs
        case s.Index(subject=x, index=i):
            below = (x, i)
        case s.Generator(body=body, clauses=clauses):
            below = (body, *(x for c in clauses for x in (c.source, *c.conditions)))
        case _:
            below = ()
    if not (isinstance(node, s.Generator) and node.kind == "bare"):
        yield node
    for x in below:
        yield from parts_of(x)


@settings(max_examples=settings().max_examples // 4)
@given(EXPRESSIONS)
@pytest.mark.slow
def test_precedence_is_pythons_and_a_node_knows_its_place(text):
    """The text between `start` and `end` of a node is that node, so carets mark whole expressions."""
    read = parse(text)
    assert of_ours(read) == of_python(ast.parse(text, mode="eval").body)
    for node in parts_of(read):
        assert of_ours(parse(text[node.start : node.end])) == of_ours(node)


# -- differences from Python ------------------------------------------------------------------------------------------
def test_a_game_is_a_prefix_and_count_a_method():
    asked = parse("normal.wins(s)")
    assert isinstance(asked, s.Call)
    assert (asked.function.game, asked.function.name) == ("normal", "wins")
    counted = parse("s.count(h)")
    assert isinstance(counted, s.Method)
    assert counted.name == "count"
    assert isinstance(parse("options(s).count(t)").subject, s.Call)


def test_numbers_may_be_grouped():
    assert parse("1_000_000").value == 1000000


@pytest.mark.parametrize("text", ["1__0", "1_", "0x1F", "1e3", "1.5", ".5", "12abc", "1..6", "٣"])
def test_no_other_numbers(text):
    with pytest.raises(LanguageError):
        parse(text)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("s = 0", 2, 3),
        ("(a + b", 6, 7),
        ("(a + b   ", 6, 7),  # after the last word, not after the spaces
        ("a b", 2, 3),
        ("a +* b", 3, 4),
        ("x²", 1, 2),
        ("1 + xy²", 6, 7),
        ("a ≤ b", 2, 3),
        ("any(x for x of s)", 12, 14),
        ("a if b", 6, 7),
        ("lambda x: x", 0, 6),
    ],
)
def test_the_place_of_a_fault(text, start, end):
    with pytest.raises(LanguageError) as caught:
        parse(text)
    assert (caught.value.start, caught.value.end) == (start, end)


def nested(opening, closing, levels):
    return opening * levels + "1" + closing * levels


@pytest.mark.parametrize(("opening", "closing"), [("(", ")"), ("[", "]"), ("f(", ")"), ("s[", "]"), ("2**", "")])
def test_nesting_is_limited_exactly(opening, closing):
    parse(nested(opening, closing, MAX_NESTING - 1))
    with pytest.raises(LanguageError, match="nested deeper than"):
        parse(nested(opening, closing, MAX_NESTING))


def test_length_and_digits_are_limited_exactly():
    assert parse("9" * MAX_DIGITS).value == 10**MAX_DIGITS - 1
    with pytest.raises(LanguageError, match="digits"):
        parse("9" * (MAX_DIGITS + 1))
    parse("1" + " " * (MAX_LENGTH - 1))
    with pytest.raises(LanguageError, match="characters"):
        parse("1" + " " * MAX_LENGTH)


def test_every_token_stands_where_it_says():
    text = "any(nim_sum(t) == 0 for t in options(s, P1)) or 2**k // 3 != x"
    *tokens, end = tokenize(text)
    assert [text[t.start : t.end] for t in tokens] == [t.text for t in tokens]
    assert "".join(t.text for t in tokens) == text.replace(" ", "")
    assert end.start == len(text)
