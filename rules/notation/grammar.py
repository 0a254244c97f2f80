"""The grammar of dice notation, and the reader that turns a parse tree into nodes.

`GRAMMAR` is a parsing expression grammar for parsimonious (docs/decisions/0040): the first alternative that
fits is taken, keywords end where the letters end, and `_` is any space. The text is parsed in lower case with
look-alike signs replaced, one for one, so that places in it are places in what was typed.

What the grammar leaves open: modifiers work in the order re-roll, explode, each, keep, count, in whichever
order they are typed. A `+` that touches a number on its left and no number on its right means "or more":
`count 7+`; everywhere else it adds. `vs` and comparisons bind weaker than any sum; a throw of several dice
that is compared with a number its dice can show has its dice counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, cast
from unicodedata import decimal

from rules.notation.extremes import bounds
from rules.notation.modifiers import (
    ModifierReader,
    Tree,
    explain_bad_combination,
    find_named_nodes,
    read_span,
)
from rules.notation.nodes import (
    DIGITS,
    FATE_SIDES,
    MAX_COUNT,
    MAX_NESTING,
    MAX_NUMBER,
    MAX_ROLLS,
    MAX_SIDES,
    MAX_TIMES,
    MIN_SIDES,
    THIN_SIDES,
    Absolute,
    BestOf,
    Comparison,
    Constant,
    CountOf,
    Expression,
    Judged,
    Keep,
    Negative,
    Node,
    Product,
    Raised,
    Rest,
    Rounded,
    Span,
    Sum,
    Term,
    Versus,
    WithNote,
    iterate_noted_terms,
    list_parts,
    terms,
    without_note,
)
from rules.notation.refusals import Misread, build_refusal, is_remark
from rules.notation.spelling import describe, explain, is_dice_count

GRAMMAR = r"""
line       = label? _ roll (separator roll)* ~r"\s*;?\s*" comment? end
label      = ~r"\s*\(" label_text ~r"\)\s*(?=[0-9dwk({])"
label_text = ~r"[a-z][a-z' ]*"
separator  = ~r"\s*;\s*" / ~r"\s+(?=[0-9]*[dwk][0-9%f])"
comment    = ~r"#|//|!(?=\s)" ~r".*"
end        = ~r"$"

roll       = (times _)? test together?
times      = times_named / times_bare
times_named = number ~r"\s*(x(?![a-z])|x(?=[dwk][0-9%f])|times(?![a-z])|#(?=[0-9(dwk{]))"
times_bare = number ~r"\s+(?=[0-9({])"
together   = ~r"\s+together(?![a-z])"

test       = sum versus? compared* late?
versus     = ~r"\s*(vs|versus|against)(?![a-z])\s*" signed ~r"\+?"
compared   = _ comparison _ sum fail*
comparison = ~r">=|<=|=>|=<|<>|!=|==|≥|≤|≠|>(?!>)|<(?!<)|="
late       = ~r"\s+" advantage

sum        = product (_ add _ product)*
add        = ~r"\+(?!\+)|-(?!-)"
product    = unary (rest / (_ multiply _ unary))*
multiply   = ~r"\*(?!\*)|//(?!\s*(?!d[0-9%])[a-z])|/(?![/*])"
rest       = ~r"\s*%\s*" number
unary      = ~r"([+-]\s*)*" power
power      = noted (~r"\s*(\^|\*\*)\s*" number)*
noted      = (dice / function / pool / group / number) margin? note*
note       = ~r"\s*\[" note_text "]"
note_text  = ~r"[^\]]*"
margin     = ~r"\s*ms" ~r"\s*" margin_sign? _ number
margin_sign = ~r"<=|>=|<|>|="
group      = "(" _ test (comma test)* _ close pool_mod*
pool       = "{" _ test (comma test)* _ close_pool (pool_mod / pool_count)*
pool_mod   = (keep_word side? amount? side?) / ignored
pool_count = pool_sign span fail?
pool_sign  = ~r"\s*(count|cs|c)(?![a-z])" / ~r"\s*(?=[<>=≥≤≠]|!=)"
function   = function_name "(" _ test (comma test)* _ close
function_name = ~r"(floor|ceil|round|abs|max|min)\s*(?=\()"

dice       = (plain / fate / coin) modifier*
plain      = (number _)? die  / (count die)
count      = "(" _ sum _ close
die        = ~r"[dwk](\s+(?=[0-9]))?" (sides / sides_sum)
sides      = ~r"[0-9]+|%|f(ate)?(\.[12])?"
sides_sum  = "(" _ sum _ close
fate       = (number _)? ~r"fate(?![a-z])"
coin       = (number _)? ~r"dc(?![a-z])"

modifier   = explode / reroll / only / keep / limit / each / double / fail / tally / parity
           / advantage / ignored
explode    = (blast (_ penetrate)? once? faces?) / ((bang / burst) once? brief_faces?)
bang       = ~r"(!!p|!!|!p|!)(?!=[^0-9])" / ~r"\s+(!!p|!!|!p|!)(?!=|\s+(?!KNOWN(?![a-z]))[a-z])"
blast      = ~r"\s*(explodes|explode|compound|penetrate)(?![a-z])"
burst      = ~r"x(?=[0-9<>=]|\s*[#;)}\],+*/-]|\s+[a-z]|k|\s*$)(?![0-9]+=)" / ~r"\s*(ie|e|xo|ra)(?![a-z])"
penetrate  = ~r"penetrate(?![a-z])"
once       = ~r"\s*once(?![a-z])"
faces      = ~r"(?=[<>=≥≤])" span / ~r"\s*(?=[0-9-]|not |even|odd)" span
brief_faces = ~r"(?=[<>=≥≤])" brief / ~r"\s*(?=[0-9-]|not |even|odd)" brief
reroll     = (~r"\s*(rerolls|reroll)(?![a-z])" (once / until)? span?)
           / (~r"\s*(rr|ro|irg|ir|rg|r)(?![a-z])(?!\s*[0-9]+=)" (once / until)? brief?)
until      = ~r"\s*until(?![a-z])"
only       = ~r"\s*only(?![a-z])" strict / ~r"\s*(keep|k|drop|d|p)(?=\s*[<>=≥≤]|\s*!=)" span
           / ~r"\s*p(?![a-z])" strict
keep       = keep_word side? amount? side?
keep_word  = ~r"\s*((keep|k|drop|d)(?!\s*([<>=≥≤]|!=))|kh|kl|km|dh|dl|ph|pl|best|worst)(?![a-z])"
side       = ~r"\s*(highest|high|h|lowest|low|l|best|worst|middle)(?![a-z])"
amount     = ~r"[0-9]+" / ~r"\s+[0-9]+(?![0-9]|\s*[dwk][0-9%(f]|\s*fate)"
limit      = ~r"\s*(least|most|min|max|mi|ma)(?![a-z])\s*" signed
each       = ~r"\s*each(?![a-z])\s*[+-]\s*" number
double     = ~r"\s*double(?![a-z])" span? / ~r"\s*ds(?![a-z])" brief?
fail       = ~r"\s*(df|f)(?![a-z])\s*" brief / ~r"\s*fail(?![a-z])" strict
tally      = ~r"\s*(tl|t)(?![a-z])" brief / ~r"\s*(>>|<<)\s*" signed
           / ~r"\s*(cs|cf)(?![a-z])" strict? / ~r"\s*(count|c)(?![a-z])" strict
parity     = ~r"\s*(even|ev|odd|od)(?![a-z])"
advantage  = ~r"\s*(advantage|adv|disadvantage|dis|ea)(?![a-z])" amount?
ignored    = ~r"\s*(sort|sa|sd|s|ul|ns|b)(?![a-z])"

span       = _ (compare / negated / parity_word / between / upward / exact)
strict     = _ (compare / negated / parity_word / between / upward / exact_only)
brief      = _ (compare / negated / parity_word / upward / exact)
compare    = comparison _ signed
negated    = ~r"not\s+" span
parity_word = ~r"(even|odd)(?![a-z])"
between    = signed "-" signed
upward     = signed (~r"\+(?!OPERAND)" / ~r"\s+\+(?!\s*-|\s*OPERAND)")
exact      = ~r"-?[0-9]+(?![0-9]|\s*[dwk][0-9%(])" / ~r"-?[0-9]+"
exact_only = ~r"-?[0-9]+(?![0-9]|\+[0-9(dwk])"
signed     = ~r"-?\s*[0-9]+"
number     = ~r"[0-9]+"
comma      = ~r"\s*,\s*"
close      = ")"
close_pool = "}"
_          = ~r"\s*"
""".replace("OPERAND", r"([0-9({]|[dwk][0-9%(f]|fate|floor|ceil|round|abs|max|min)").replace(
    "KNOWN",
    "(keep|kh?|kl|drop|d|dh|dl|best|worst|once|e|explode|reroll|ro?|rr|count|cs?|cf|t|tl|fail|f|df|double|ds|each|only"
    "|least|most|min?|max?|ma|even|odd|adv|dis|vs|versus|against|together|compound|penetrate|sa?|sd)",
)

LOOK_ALIKES = str.maketrans("−–—÷·×", "---/**")
SIGN_SPELLINGS: dict[str, Comparison] = {
    "==": "=",
    "=>": ">=",
    "=<": "<=",
    "<>": "!=",
    "≥": ">=",
    "≤": "<=",
    "≠": "!=",
}
REMARK_PATTERN = re.compile(r"/\*([^*]*)\*/")


@cache
def _load_grammar() -> Any:
    """Load the parser library when the first expression is read: games without `/roll` never need it."""
    from parsimonious import Grammar

    return Grammar(GRAMMAR)


def read(text: str, *, alone: bool = False) -> Expression:
    """Read a line of dice notation; its size is not looked at. Raises Misread.

    alone: other readings are not looked for.
    """
    remarks = REMARK_PATTERN.findall(text)
    body = REMARK_PATTERN.sub(lambda remark: " " * len(remark[0]), text)
    source = "".join(map(_normalize_char, body))
    _require_shallow(source, text)
    tree, remark = _parse(source, text)
    reader = NotationReader(text)
    expression = reader.line(tree, alone=alone)
    if remark and not alone:
        words = expression.reading or _format_reading(expression)
        expression = replace(expression, reading=f'{words} The label is "{remark.strip()}".')
    comment = " ".join(filter(None, (expression.comment, *remarks, remark)))
    return replace(expression, comment=" ".join(comment.split()))


def _normalize_char(char: str) -> str:
    """Return a character in lower case, with full-width signs and digits of any script as on the keyboard."""
    if "\uff01" <= char <= "\uff5e":
        char = chr(ord(char) - 0xFEE0)
    elif not char.isascii() and char.isdecimal():
        char = str(decimal(char))
    lower = char.translate(LOOK_ALIKES).lower()
    return lower if len(lower) == 1 else char


def _require_shallow(source: str, text: str) -> None:
    nesting_depth = 0
    for place, char in enumerate(re.sub(r"\[[^\]]*\]|#.*", lambda note: " " * len(note[0]), source)):
        nesting_depth += (char in "({") - (char in ")}")
        if nesting_depth > MAX_NESTING:
            raise Misread(f"Use at most {MAX_NESTING} levels of parentheses.", text, place, place + 1)
    for run in re.finditer(rf"([+-]\s*){{{MAX_NESTING + 1},}}", source):
        raise Misread(
            f"Use at most {MAX_NESTING} plus or minus signs in a row.", text, run.end() - 1, run.end()
        )


def _parse(source: str, text: str) -> tuple[Tree, str]:
    """Return the tree, and words at the end that are the player's own although no `#` stands before them."""
    from parsimonious.exceptions import ParseError

    try:
        return _load_grammar().parse(source), ""
    except ParseError as error:
        place = error.pos
    unread = text[place:]
    head = source[:place].rstrip()
    if len(head) < place and is_remark(unread):
        try:
            return _load_grammar().parse(head), unread
        except ParseError:
            pass
    raise build_refusal(text, place, _can_be_read) from None


def _can_be_read(text: str) -> bool:
    """Return whether a line can be offered as what was meant."""
    from parsimonious.exceptions import ParseError

    try:
        NotationReader(text).line(_load_grammar().parse("".join(map(_normalize_char, text))), alone=True)
    except (ParseError, Misread):
        return False
    return True


def _format_reading(expression: Expression) -> str:
    words = explain(expression)
    return f"Read as{'' if expression.also else ':'} {words}{'' if words.endswith('?') else '.'}"


class NotationReader(ModifierReader):
    """Turns the tree of one line into an expression; each method reads the rule of its name.

    text: as it was typed. told: whether it must be said how it was read. grouped: parts in parentheses.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.grouped: list[Node] = []

    def line(self, tree: Tree, *, alone: bool = False) -> Expression:
        parts = find_named_nodes(tree)
        comment = " ".join(
            self.text[text_node.start : text_node.end]
            for part in parts
            if part.expr_name in ("label", "comment")
            for text_node in (find_named_nodes(part) or [part.children[1]])
        )
        roll_nodes = [part for part in parts if part.expr_name == "roll"]
        if len(roll_nodes) > MAX_ROLLS:
            self.refuse(f"Enter at most {MAX_ROLLS} different rolls in one line.", roll_nodes[MAX_ROLLS])
        rolls = [self.roll(part) for part in roll_nodes]
        first_roll = replace(rolls[0], comment=comment, also=tuple(rolls[1:]))
        if alone:
            return first_roll
        reading = _format_reading(first_roll) if self.needs_reading(first_roll) else ""
        return replace(
            first_roll,
            reading=reading,
            otherwise=self.find_other_reading(first_roll),
            caution=caution(first_roll),
        )

    def needs_reading(self, expression: Expression) -> bool:
        """Return whether the bot would write it differently, or other programs read it differently."""
        if self.told:
            return True
        bare_texts = [_normalize_text(self.text), _normalize_text(describe(expression))]
        if bare_texts[0] != bare_texts[1] and (expression.times > 1 or expression.also):
            return True
        words = [re.sub(r"[^a-z]", "", body) for body in bare_texts]
        if words[0] != words[1] or (bare_texts[0] != bare_texts[1] and not _is_plain(expression.test)):
            return True
        return any(_is_doubtful(roll.test) for roll in expression.rolls)

    def find_other_reading(self, expression: Expression) -> tuple[str, str]:
        """Return the first of the other readings that can be written."""
        for name, old, new in self.others:
            swapped = replace(expression, test=_swap_nodes(expression.test, old, new))
            if swapped.test == expression.test or expression.also:
                continue
            text = describe(replace(swapped, comment=""))
            try:
                if read(text, alone=True) != replace(expression, comment=""):
                    return name, text
            except Misread:
                continue
        return "", ""

    def roll(self, tree: Tree) -> Expression:
        times, parts = 1, find_named_nodes(tree)
        if parts[0].expr_name == "times":
            times_node = find_named_nodes(parts[0])[0]
            times = self.number(find_named_nodes(times_node)[0])
            self.told = self.told or times_node.expr_name == "times_bare"
            if not 1 <= times <= MAX_TIMES:
                self.refuse(
                    f"You can repeat a roll 1 to {MAX_TIMES} times (you entered {times}).",
                    find_named_nodes(times_node)[0],
                )
            parts = parts[1:]
        test = self.test(parts[0])
        if len(parts) > 1 and times == 1:
            self.refuse("Put the number of rolls first, as in `6x 4d6 together`.", parts[1])
        if len(parts) > 1:
            if isinstance(test, Versus | Judged):
                self.refuse(
                    ("Leave out the comparison, because `together` adds up totals, as in `6x 4d6 together`."),
                    parts[1],
                )
            summed = test.parts if isinstance(test, Sum) else ((True, test),)
            return Expression(Sum(summed * times))
        return Expression(test, times)

    def test(self, tree: Tree) -> Node:
        first, *others = find_named_nodes(tree)
        first_sum = self.sum(first)
        late_note = others.pop() if others and others[-1].expr_name == "late" else None
        if late_note is not None:
            first_sum = self.apply_late_advantage(first_sum, find_named_nodes(late_note)[0])
        if others and others[0].expr_name == "versus":
            first_sum = self.versus(first_sum, first, find_named_nodes(others.pop(0))[0])
        return self.compared(first_sum, others, tree) if others else first_sum

    def compared(self, left: Node, others: list[Tree], tree: Tree) -> Node:
        """Return a comparison of totals, or of each die of a throw with a number that it can show."""
        sides = [left]
        signs: list[Comparison] = []
        fail_nodes: list[list[Tree]] = []
        for part in others:
            sign, side, *sign_fails = find_named_nodes(part)
            signs.append(self.sign(sign))
            sides.append(self.sum(side))
            fail_nodes.append(sign_fails)
        counted = self.count_compared_dice(sides, signs, fail_nodes)
        if counted is not None:
            if len(signs) == 1:
                self.others.append(("Compare the total", counted, Judged(sides[0], signs[0], sides[1])))
            self.told = True
            return counted
        if len(signs) > 1:
            self.refuse("Use only one comparison in a roll.", others[1])
        if fail_nodes[0]:
            self.refuse("Write `count` before `fail`, as in `8d10 count 7+ fail 1`.", fail_nodes[0][0])
        only_fails = any(term.failing and not term.counting for term in terms(left))
        if only_fails and isinstance(sides[1], Constant) and sides[1].value > 0:
            self.refuse("Write `count` before `fail`, as in `8d10 count 7+ fail 1`.", tree)
        return Judged(left, signs[0], sides[1])

    def count_compared_dice(
        self, sides: list[Node], signs: list[Comparison], fail_nodes: list[list[Tree]]
    ) -> Node | None:
        """Return the sum whose throws are counted, or None if a side does not end in such a throw."""
        counted_parts: list[tuple[bool, Node]] = []
        for place, sign in enumerate(signs):
            parts = _split_sum(sides[place])
            target_node = _split_sum(sides[place + 1])[0][1]
            if place:
                parts = parts[1:]
            if not parts or (place == 0 and len(parts) > 1) or not self.counts(parts[-1][1], target_node):
                return None
            adds, throw_node = parts[-1]
            term = without_note(throw_node)
            assert isinstance(term, Term)
            assert isinstance(target_node, Constant)
            term = replace(term, counting=_span_of_comparison(sign, target_node.value))
            for fail_node in fail_nodes[place]:
                term = self.modified(term, fail_node)
            note = throw_node.note if isinstance(throw_node, WithNote) else ""
            counted_parts += [*parts[:-1], (adds, WithNote(term, note) if note else term)]
        counted_parts += _split_sum(sides[-1])[1:]
        return Sum(tuple(counted_parts)) if len(counted_parts) > 1 else counted_parts[0][1]

    def counts(self, thrown: Node, reach: Node) -> bool:
        """Return whether the dice of a throw are counted; in parentheses of its own it is a total."""
        return is_dice_count(thrown, reach) and not any(without_note(thrown) is node for node in self.grouped)

    def apply_late_advantage(self, node: Node, tree: Tree) -> Node:
        """Apply an advantage written at the end to the one throw before it."""
        throws = terms(node)
        if len(throws) != 1:
            self.refuse("Write `adv` or `dis` right after the dice it applies to, as in `d20 adv + 5`.", tree)
        changed = self.modified(throws[0], tree)
        return cast(Node, _swap_nodes(node, throws[0], changed))

    def versus(self, left: Node, tree: Tree, target: Tree) -> Versus:
        term: Term | None = None
        added_value, notes = 0, []
        for adds, part in _split_sum(left):
            notes += [part.note] if isinstance(part, WithNote) else []
            inner = without_note(part)
            value = _constant_value(inner)
            if isinstance(inner, Term) and adds and term is None:
                term = inner
            elif value is not None:
                added_value += value if adds else -value
            else:
                term = None
                break
        if term is None:
            self.refuse(
                (
                    "Put only one group of dice before `vs`, as in `4d10+1 vs 7`. To compare a total, "
                    "write `>=` instead."
                ),
                tree,
            )
        if term.counting:
            self.refuse("Use either `count` or `vs`, not both.", tree)
        term = replace(term, each=term.each + added_value)
        target_value = self.number(target)
        problem = explain_bad_combination(replace(term, counting=Span(target_value, None)))
        if problem:
            self.refuse(problem, tree)
        return Versus(term, target_value, ", ".join(notes))

    def sum(self, tree: Tree) -> Node:
        first, *others = find_named_nodes(tree)
        parts = [(True, self.product(first))]
        for sign, part in zip(others[::2], others[1::2], strict=True):
            parts.append((sign.text == "+", self.product(part)))
        return Sum(tuple(parts)) if len(parts) > 1 else parts[0][1]

    def product(self, tree: Tree) -> Node:
        first, *others = find_named_nodes(tree)
        node = self.unary(first)
        factors: list[tuple[bool, Node]] = []
        while others:
            sign = others.pop(0)
            if sign.expr_name == "rest":
                node = Product(node, tuple(factors)) if factors else node
                node, factors = self.rest(node, find_named_nodes(sign)[0]), []
                continue
            part = others.pop(0)
            factor = self.unary(part)
            if len(factors) == MAX_NESTING:
                self.refuse(f"Use at most {MAX_NESTING} `*` or `/` signs in a row.", sign)
            if sign.text in ("/", "//"):
                low, high = bounds(factor)
                if low <= 0 <= high:
                    self.refuse("Divide by a value that can't be 0.", part)
            factors.append((sign.text == "*", factor))
        return Product(node, tuple(factors)) if factors else node

    def rest(self, node: Node, tree: Tree) -> Node:
        by = self.number(tree)
        if by < 2:
            self.refuse("`%` gives the remainder and needs a number of 2 or more, as in `d10%3`.", tree)
        return Rest(node, by)

    def unary(self, tree: Tree) -> Node:
        signs, part = tree.children
        node = self.power(part)
        self.told = self.told or bool(signs.text.strip() and not signs.start)
        for _ in range(signs.text.count("-")):
            node = Negative(node)
        return node

    def power(self, tree: Tree) -> Node:
        first, *powers = find_named_nodes(tree)
        by = 1
        for part in reversed(powers):
            by = self.number(part) ** by
            if not 1 <= by <= MAX_NESTING:
                self.refuse(f"Use a power from 1 to {MAX_NESTING}.", part)
        return Raised(self.noted(first), by) if by > 1 else self.noted(first)

    def noted(self, tree: Tree) -> Node:
        first, *others = find_named_nodes(tree)
        readers: dict[str, Callable[[Tree], Node]] = {
            "dice": self.dice,
            "function": self.function,
            "pool": self.pool,
            "group": self.group,
        }
        name = first.expr_name
        node = Constant(self.number(first)) if name == "number" else readers[name](first)
        notes = [node.note] if isinstance(node, WithNote) else []
        for part in others:
            if part.expr_name == "note":
                note_node = find_named_nodes(part)[0]
                notes.append(" ".join(self.text[note_node.start : note_node.end].split()))
            else:
                node = self.margin(node, part)
        note = ", ".join(filter(None, notes))
        return WithNote(without_note(node), note) if note else without_note(node)

    def margin(self, node: Node, tree: Tree) -> Node:
        """Return by how much a throw is above or below what it had to reach."""
        *sign, number = find_named_nodes(tree)
        self.told = True
        target = Constant(self.number(number))
        if sign and sign[0].text.startswith("<"):
            return Sum(((True, target), (False, node)))
        return Sum(((True, node), (False, target)))

    def group(self, tree: Tree) -> Node:
        nodes, modifiers = self.listed(tree)
        if not modifiers:
            self.told = self.told or len(nodes) > 1
            self.grouped.append(without_note(nodes[0]))
            return nodes[0] if len(nodes) == 1 else Sum(tuple((True, node) for node in nodes))
        self.told = True
        return self.best(nodes, modifiers, tree)

    def pool(self, tree: Tree) -> Node:
        nodes, modifiers = self.listed(tree)
        count = [mod for mod in modifiers if mod.expr_name == "pool_count"]
        if count:
            if len(modifiers) > 1:
                self.refuse("Use either `count` or `keep` after a group, not both.", modifiers[1])
            sign, span, *fail = find_named_nodes(count[0])
            self.told = self.told or not sign.text.strip()
            failing = self.failing_span(fail[0]) if fail else None
            return CountOf(tuple(nodes), read_span(self, span), failing)
        if not modifiers:
            self.told = True
            return nodes[0] if len(nodes) == 1 else Sum(tuple((True, node) for node in nodes))
        return self.best(nodes, modifiers, tree)

    def listed(self, tree: Tree) -> tuple[list[Node], list[Tree]]:
        """Return the parts between parentheses, and what follows them."""
        parts = find_named_nodes(tree)
        nodes = [self.test(part) for part in parts if part.expr_name == "test"]
        if len(nodes) > MAX_NESTING:
            self.refuse(f"Put at most {MAX_NESTING} parts in one group.", parts[0])
        mods = [
            part
            for part in parts
            if part.expr_name in ("pool_mod", "pool_count")
            and find_named_nodes(part)[0].expr_name != "ignored"
        ]
        return nodes, mods

    def best(self, nodes: list[Node], mods: list[Tree], tree: Tree) -> Node:
        """Return a pool of several parts, of which some stay."""
        dice = terms(nodes[0])
        if len(nodes) == 1 and not (
            all(term == _without_modifiers(term) for term in dice) and _only_adds(nodes[0])
        ):
            self.refuse("Use plain dice in the group to keep some of them, as in `{4d10+5d6} keep 2`.", tree)
        number = len(nodes) if len(nodes) > 1 else sum(term.count for term in dice)
        keep = Keep(number)
        for mod in mods:
            keep = self.keep(replace(Term(number, MIN_SIDES), keep=keep), mod)
        if keep.skip:
            self.refuse(
                "Drop either the highest or the lowest of a group, as in `{4d6, 2d8} drop lowest 1`.", tree
            )
        return BestOf(tuple(nodes), keep)

    def function(self, tree: Tree) -> Node:
        name, *parts = find_named_nodes(tree)
        nodes = [self.test(part) for part in parts]
        word = name.text.strip()
        if word in ("max", "min"):
            if len(nodes) == 1:
                self.refuse(f"Put two or more totals in the parentheses, as in `{word}(2d6, d10)`.", tree)
            return BestOf(tuple(nodes), Keep(1, lowest=word == "min"))
        if len(nodes) > 1:
            self.refuse(f"Put only one part in the parentheses, as in `{word}(d6/2)`.", tree)
        if word == "abs":
            return Absolute(nodes[0])
        return Rounded(cast(Any, word), nodes[0])

    def dice(self, tree: Tree) -> Node:
        first, *modifiers = find_named_nodes(tree)
        parts = find_named_nodes(first)
        count = 4 if first.expr_name == "fate" else 1
        die = parts.pop() if first.expr_name == "plain" else None
        if parts:
            counted = parts[0]
            count = self.number(counted) if counted.expr_name == "number" else self.constant(counted)
            if not 1 <= count <= MAX_COUNT:
                self.refuse(f"You can roll 1 to {MAX_COUNT} dice at once (you entered {count}).", counted)
        if die is not None:
            term = self.die(count, find_named_nodes(die)[0])
            kept_elsewhere = die.text[0] == "k" and term.sides <= count
            digits = count == 1 and term.sides in DIGITS
            self.told = self.told or kept_elsewhere or digits
            if digits:
                place_values = [
                    Product(Term(1, 6), ((True, Constant(by)),)) for by in (100, 10) if by < term.sides
                ]
                digit_dice: list[Node] = [*place_values, Term(1, 6)]
                digit_by_digit = Sum(tuple((True, part) for part in digit_dice))
                self.others.append(("One d6 for each digit", term, digit_by_digit))
        elif first.expr_name == "coin":
            self.told = True
            term = Term(count, 2, counting=Span(2, None))
        else:
            term = Term(count, FATE_SIDES, fate=True)
        return self.throw(term, modifiers, tree)

    def die(self, count: int, tree: Tree) -> Term:
        if tree.text == "%":
            return Term(count, 100)
        if tree.text.startswith("f"):
            return Term(count, THIN_SIDES if tree.text.endswith(".1") else FATE_SIDES, fate=True)
        sides = self.constant(tree) if tree.expr_name == "sides_sum" else self.number(tree)
        if not MIN_SIDES <= sides <= MAX_SIDES:
            self.refuse(f"A die can have {MIN_SIDES} to {MAX_SIDES} sides (you entered {sides}).", tree)
        return Term(count, sides)

    def constant(self, tree: Tree) -> int:
        """Return the number of a part without dice: how many dice or sides there are."""
        node = self.sum(find_named_nodes(tree)[0])
        low, high = bounds(node)
        if terms(node) or low != high:
            self.refuse("Write the numbers of dice and sides as plain numbers, as in `4d8`.", tree)
        return low

    def sign(self, tree: Tree) -> Comparison:
        return SIGN_SPELLINGS.get(tree.text, cast(Comparison, tree.text))

    def number(self, tree: Tree) -> int:
        """Return a number up to `MAX_NUMBER`. Raises Misread."""
        text = tree.text.replace(" ", "")
        if len(text) > 12 or int(text) > MAX_NUMBER:
            self.refuse(f"Use numbers up to {MAX_NUMBER:,}.", tree)
        return int(text)


def _span_of_comparison(sign: Comparison, value: int) -> Span:
    if sign == "!=":
        return Span(value, value, outside=True)
    low = {">=": value, ">": value + 1, "=": value}.get(sign)
    return Span(low, {"<=": value, "<": value - 1, "=": value}.get(sign))


def _split_sum(node: Node) -> tuple[tuple[bool, Node], ...]:
    return node.parts if isinstance(node, Sum) else ((True, node),)


def _constant_value(node: Node) -> int | None:
    if isinstance(node, Negative) and isinstance(node.part, Constant):
        return -node.part.value
    return node.value if isinstance(node, Constant) else None


def _without_modifiers(term: Term) -> Term:
    return Term(term.count, term.sides, term.fate)


def _only_adds(node: Node) -> bool:
    return isinstance(node, Term) or (
        isinstance(node, Sum) and all(a and _only_adds(p) for a, p in node.parts)
    )


def _swap_nodes(part: Any, old: Node, new: Node) -> Any:
    if part == old:
        return new
    if isinstance(part, tuple):
        return tuple(_swap_nodes(child, old, new) for child in part)
    if isinstance(part, Versus) and part.counted == old and isinstance(new, Term):
        return replace(part, term=replace(new, counting=None))
    if is_dataclass(part) and not isinstance(part, type):
        return replace(
            part, **{field.name: _swap_nodes(getattr(part, field.name), old, new) for field in fields(part)}
        )
    return part


def _normalize_text(text: str) -> str:
    text = re.sub(r"\[[^\]]*\]|/\*.*?\*/", "", "".join(map(_normalize_char, text)))
    text = re.split(r"#(?![0-9(dwk{])|//(?=\s*[a-z])|\s!\s(?=\s*[a-z])", text)[0]
    for sign, ascii_sign in (*SIGN_SPELLINGS.items(), ("**", "^"), ("//", "/"), ("%", "100")):
        text = text.replace(sign, ascii_sign)
    text = re.sub(r"(?<![a-z0-9])1?[dwk](?=[0-9f(])", "d", re.sub(r"\s+", "", text))
    text = re.sub(r"d?f(ate)?(?![a-z])", "df", text)
    return re.sub(r"(?<=[0-9])[wk](?=[0-9f])", "d", text).strip(";")


def _is_plain(node: Node) -> bool:
    if isinstance(node, Term):
        return node == _without_modifiers(node)
    plain_nodes = Constant | Negative | Sum | Product | WithNote | Raised | Rest | Absolute
    return isinstance(node, plain_nodes) and all(map(_is_plain, list_parts(node)))


def _is_doubtful(node: Node) -> bool:
    """Return whether programs differ although it is written canonically: divisions, compared totals."""
    if isinstance(node, Rounded):
        return False
    if isinstance(node, Product) and not all(multiplies for multiplies, _ in node.factors):
        return True
    if isinstance(node, Judged) and (
        node.sign in ("<", ">") or sum(term.count for term in terms(node.left)) > 1
    ):
        return True
    return any(map(_is_doubtful, list_parts(node)))


def caution(expression: Expression) -> str:
    """Describe how many rolls the limit on repeated dice cuts short, if that changes the odds noticeably."""
    uncut_chance = 1.0
    for roll in expression.rolls:
        for term, _ in iterate_noted_terms(roll.test):
            uncut_chance *= (1 - term.cut_short) ** (term.count * roll.times)
    if 1 - uncut_chance < 0.0001:
        return ""
    cut_share = f"{100 * (1 - uncut_chance):.3g}%"
    return f"A die can explode or be re-rolled at most 12 times. That cuts {cut_share} of these rolls short."
