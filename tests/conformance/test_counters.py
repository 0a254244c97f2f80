"""Counters are named by what declares them: by no bare string, by no name that is put together on the spot.

mypy refuses a string wherever a counter is named, so long as what holds, reads and writes counters is typed
and nothing goes around it. That is what is looked after here, with the plain cases by their places.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.source import ROOT, Source, parsed, program

DECLARING = (ROOT / "rules" / "counters.py", ROOT / "bot" / "table" / "state.py")

KINDS = ("PerNumber", "PerWord", "PerPart", "PerCounter")
WRITES = {"set_counter": 1, "Assign": 2, "Count": 2}
"""What sets a counter, and which argument names it."""
READS = ("count", "counter")
LOOKED_UP = ("get", "pop", "setdefault", "__contains__")

TWICE: dict[str, str] = {
    "encounters out": "an account of any game's members, which the rules of one set",
}
"""Names that are declared in two places, with the reason."""
WITHIN: dict[str, str] = {
    "lost_item_": "no location of a body is called item",
}
"""Kinds whose names begin as those of another kind do, with the reason."""

LOOSE = re.compile(r"\[str, int\]|\b(key|account): str\b|\bAny\b")
"""Types that let any string be a counter."""


@cache
def sources() -> tuple[tuple[str, Source], ...]:
    return tuple(
        (str(file.relative_to(ROOT)), source)
        for file, source in program().items()
        if file not in DECLARING and file.name != "state.py"
    )


def is_bare(name: ast.expr | None) -> bool:
    """Whether a name is a string that stands here, or is put together here."""
    match name:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.BinOp(left=left, right=right):
            return is_bare(left) or is_bare(right)
        case ast.IfExp(body=one, orelse=other):
            return is_bare(one) or is_bare(other)
        case ast.BoolOp(values=several) | ast.Tuple(elts=several) | ast.List(elts=several):
            return any(map(is_bare, several))
        case ast.Call(func=ast.Attribute(value=of, attr=how)):
            return how in ("format", "join", "replace", "strip") and is_bare(of)
    return False


def called(node: ast.Call) -> str:
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def argument(node: ast.Call, place: int, name: str) -> ast.expr | None:
    """An argument by its place or its name."""
    if len(node.args) > place:
        return node.args[place]
    return next((one.value for one in node.keywords if one.arg == name), None)


def are_counters(node: ast.expr) -> bool:
    match node:
        case ast.Name(id="counters") | ast.Attribute(attr="counters"):
            return True
    return False


def names_in(node: ast.AST) -> Iterator[ast.expr | None]:
    match node:
        case ast.Subscript(value=of, slice=name) if are_counters(of):
            yield name
        case ast.Compare(left=name, comparators=[of]) if are_counters(of):
            yield name
        case ast.Call(func=ast.Attribute(value=of, attr=how)) if are_counters(of) and how in LOOKED_UP:
            yield argument(node, 0, "key")
        case ast.Assign(targets=[of], value=ast.Dict(keys=names)) if are_counters(of):
            yield from names
        case ast.keyword(arg="counters", value=ast.Dict(keys=names)):
            yield from names
        case ast.Call() if called(node) in WRITES:
            yield argument(node, WRITES[called(node)], "key")


def bare_names(source: Source, known: set[str]) -> Iterator[ast.expr]:
    """Names of counters that are strings. known: how the declared ones begin, for lists count as well."""
    for naming in source.every(ast.Subscript, ast.Compare, ast.Call, ast.Assign, ast.keyword):
        yield from (name for name in names_in(naming) if name is not None and is_bare(name))
    for node in source.every(ast.Call):
        if isinstance(node.func, ast.Attribute) and called(node) in READS:
            name = argument(node, 0, "key")
            begins = [one.value for one in ast.walk(name or node) if isinstance(one, ast.Constant)][:1]
            put_together = name is not None and is_bare(name) and not isinstance(name, ast.Constant)
            if name is not None and is_bare(name) and (put_together or known & {*map(str, begins)}):
                yield name


def declared(source: Source) -> Iterator[tuple[str, str]]:
    """What is declared, and how: names of counters, members of enums of them, how those of a kind begin."""
    for node in source.every(ast.Call, ast.ClassDef):
        match node:
            case ast.Call(func=ast.Name(id=how), args=[ast.Constant(value=str(name))]):
                if how in ("CounterName", *KINDS):
                    yield name, how
            case ast.ClassDef(bases=[ast.Name(id="CounterNames")], body=body):
                for one in body:
                    if isinstance(one, ast.Assign) and isinstance(one.value, ast.Constant):
                        yield str(one.value.value), "CounterNames"


@cache
def declarations() -> tuple[tuple[str, str, str], ...]:
    return tuple((module, name, how) for module, source in sources() for name, how in declared(source))


def game_of(module: str) -> str:
    """The game that a module belongs to, empty for the table of all games."""
    folders = module.split("/")
    return folders[2] if folders[1] in ("games", "systems") else ""


def test_no_counter_is_named_by_a_string() -> None:
    known = {name for _, name, _ in declarations()}
    assert len(known) > 100
    found = [
        f"{module}:{name.lineno} {ast.unparse(name)}"
        for module, source in sources()
        for name in bare_names(source, known)
    ]
    assert found == [], "declare it: rules/counters.py"


def test_a_name_is_made_where_it_is_declared() -> None:
    """At the top of a module, under a name in capitals; what is read again is no string that stands there."""
    loose = []
    for module, source in sources():
        at_top = {
            id(made)
            for one in source.tree.body
            if isinstance(one, ast.Assign | ast.AnnAssign) and one.value is not None
            for made in ast.walk(one.value)
        }
        for node in source.every(ast.Call):
            if called(node) not in ("CounterName", "as_kept", *KINDS):
                continue
            if called(node) == "as_kept" and not is_bare(argument(node, 0, "name")):
                continue
            if called(node) == "as_kept" or id(node) not in at_top:
                loose.append(f"{module}:{node.lineno} {ast.unparse(node)}")
    assert loose == []


def test_nothing_goes_around_the_type_of_a_counter() -> None:
    """No counters are typed as strings with numbers, no key of one as a string, none is cast."""
    around = []
    for module, source in sources():
        for node in source.every(ast.arg, ast.AnnAssign, ast.FunctionDef, ast.Assign, ast.ClassDef, ast.Call):
            match node:
                case ast.arg(arg="counters", annotation=ast.expr() as said):
                    told = ast.unparse(said)
                case ast.AnnAssign(target=ast.Name(id="counters"), annotation=said):
                    told = ast.unparse(said)
                case ast.FunctionDef(
                    name="count" | "counter" | "counters" | "set_counter" | "balance" | "post"
                ):
                    told = ast.unparse(node.args)
                case ast.Assign(targets=[ast.Name(id="Counters")], value=said):
                    told = ast.unparse(said)
                case ast.ClassDef(name="Count" | "Assign"):
                    told = ", ".join(ast.unparse(one) for one in node.body if isinstance(one, ast.AnnAssign))
                case ast.Call() if called(node) == "cast" and "Counter" in ast.unparse(node):
                    told = "Any"
                case _:
                    continue
            if LOOSE.search(told):
                around.append(f"{module}:{node.lineno} {told}")
    assert around == []


def test_a_name_is_declared_once() -> None:
    where: dict[str, set[str]] = {}
    for module, name, how in declarations():
        if how not in KINDS:
            where.setdefault(name, set()).add(module)
    several = {name for name, modules in where.items() if len(modules) > 1}
    assert sorted(several - set(TWICE)) == []
    assert sorted(set(TWICE) - several) == [], "is declared once now"


def test_names_of_a_kind_begin_as_no_others_do() -> None:
    everything = [(name, how, game_of(module)) for module, name, how in declarations()]
    prefixes = [(name, game) for name, how, game in everything if how in KINDS and how != "PerCounter"]
    taken = {
        name
        for prefix, game in prefixes
        for name, _, other in everything
        if name != prefix and name.startswith(prefix) and (game == other or not game or not other)
    }
    assert sorted(taken - set(WITHIN)) == []
    assert sorted(set(WITHIN) - taken) == [], "begins as no other now"


@pytest.mark.parametrize(
    "line",
    [
        "row.counters['over']",
        "row.counters.get('over', 0)",
        "row.counters.pop(f'{prefix}{group}', None)",
        "counters.get('squad')",
        "'over' in encounter.row.counters",
        "row.counters = {**row.counters, 'along': 1}",
        "ThingRow(1, 2, counters={'side': side.id})",
        "row.counters['a ' + 'b'] = 1",
        "row.counters[OVER if done else 'over']",
        "encounter.count('over')",
        "encounter.count(f'acting.{number}')",
        "model.counter('lost_{}'.format(place))",
        "set_counter(row.counters, 'over', 1)",
        "set_counter(row.counters, key='over', value=1)",
        "Assign('side', side, f'{REGULAR_ORDERS}_{group}', count)",
        "Count('model', model.id, amount=1, key='actions')",
    ],
)
def test_a_string_is_found_wherever_it_names_a_counter(line: str) -> None:
    assert list(bare_names(parsed(line), {"over", "squad"}))


@pytest.mark.parametrize(
    "line",
    [
        "row.counters[OVER]",
        "row.counters.get(SQUAD, 0)",
        "words.count('success')",
        "text.count('+')",
        "encounter.count(ACTING.of(number))",
        "details['attacker']",
        "Assign('model', model.id, Counter.ACTIONS, 1)",
        "row.traits.get('faction')",
    ],
)
def test_what_names_no_counter_is_let_pass(line: str) -> None:
    assert not list(bare_names(parsed(line), {"over", "squad"}))
