"""Habits in code that runs a tool loop, read from its syntax tree: nothing of it is executed."""

import ast
import warnings
from collections.abc import Iterator

from course.facts import say
from course.traces.finding import Finding

__all__ = ["code_findings"]

LOOPS = (ast.For, ast.AsyncFor, ast.While)


def code_findings(code: str) -> list[Finding]:
    """Return what in a program's handling of tool calls will go wrong one day, by line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None) or 1
        return [_finding("unreadable-code", line)]
    found = {(name, line) for check in CHECKS for name, line in check(tree)}
    return [_finding(name, line) for name, line in sorted(found, key=lambda pair: (pair[1], pair[0]))]


def _finding(name: str, line: int) -> Finding:
    return Finding(
        severity="habit",
        rule=f"code.{name}",
        place=("line", line),
        where=say("traces.where.line", number=line),
        message=say(f"traces.code.{name}.what"),
        why=say(f"traces.code.{name}.why"),
        mend=say(f"traces.code.{name}.mend"),
    )


def _calls_api(node: ast.AST) -> bool:
    return any(
        isinstance(part, ast.Call)
        and isinstance(part.func, ast.Attribute)
        and part.func.attr in ("create", "stream")
        and "messages" in ast.unparse(part.func)
        for part in ast.walk(node)
    )


def _mentions(node: ast.AST, word: str) -> bool:
    return any(
        (isinstance(part, ast.Attribute) and part.attr == word)
        or (isinstance(part, ast.Constant) and part.value == word)
        or (isinstance(part, ast.Name) and part.id == word)
        for part in ast.walk(node)
    )


def _is_type_test(test: ast.AST, kind: str) -> bool:
    return any(
        isinstance(part, ast.Compare)
        and _mentions(part.left, "type")
        and any(isinstance(side, ast.Constant) and side.value == kind for side in part.comparators)
        for part in ast.walk(test)
    )


def _leaves(statements: list[ast.stmt]) -> bool:
    return any(isinstance(part, ast.Break | ast.Return) for statement in statements for part in ast.walk(statement))


def _ignores_stop_reason(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """A loop round the API that never looks at stop_reason, or that ends because there is text."""
    for node in ast.walk(tree):
        if not isinstance(node, LOOPS) or not _calls_api(node):
            continue
        if not _mentions(node, "stop_reason"):
            yield "no-stop-reason", node.lineno
        for inner in ast.walk(node):
            if isinstance(inner, ast.If) and _is_type_test(inner.test, "text") and _leaves(inner.body):
                yield "text-ends-loop", inner.lineno
        endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and node.test.value is True
        if endless and not any(isinstance(part, ast.AugAssign) for part in ast.walk(node)):
            yield "no-limit", node.lineno


def _reads_words(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """A branch on what Claude's prose contains."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.While):
            for part in ast.walk(node.test):
                if (
                    isinstance(part, ast.Compare)
                    and isinstance(part.ops[0], ast.In | ast.NotIn)
                    and isinstance(part.left, ast.Constant)
                    and isinstance(part.left.value, str)
                    and _mentions(part.comparators[0], "text")
                ):
                    yield "decides-by-words", node.lineno


def _takes_by_position(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """content[0] or content[-1] of an answer, or only the first call of it."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.value, ast.Attribute)
            and node.value.attr == "content"
            and isinstance(node.slice, ast.Constant | ast.UnaryOp)
            and not (isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str))
        ):
            yield "by-position", node.lineno
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "next"
            and _mentions(node, "tool_use")
        ):
            yield "first-call-only", node.lineno
        if isinstance(node, ast.For):
            for inner in ast.walk(node):
                if (
                    isinstance(inner, ast.If)
                    and _is_type_test(inner.test, "tool_use")
                    and any(isinstance(statement, ast.Break) for statement in inner.body)
                ):
                    yield "first-call-only", inner.lineno


def _items(node: ast.Dict) -> dict[str, ast.expr]:
    found = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            found[key.value] = value
    return found


def _writes_turns(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Results in a wrong role, one message per result, or an answer that does not go back whole."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Dict):
            continue
        items = _items(node)
        role, content = items.get("role"), items.get("content")
        if not isinstance(role, ast.Constant) or content is None:
            continue
        if role.value in ("assistant", "tool", "system") and _mentions(content, "tool_result"):
            yield "result-role", node.lineno
        if role.value == "tool" and not _mentions(content, "tool_result"):
            yield "result-role", node.lineno
        if role.value == "assistant" and isinstance(content, ast.Attribute) and content.attr == "text":
            yield "turn-not-whole", node.lineno
    for loop in ast.walk(tree):
        if isinstance(loop, ast.For) and not _calls_api(loop):
            for node in ast.walk(loop):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Attribute)
                    and node.func.attr == "append"
                    and node.args
                    and isinstance(node.args[0], ast.Dict)
                    and "role" in _items(node.args[0])
                    and _mentions(node.args[0], "tool_result")
                ):
                    yield "one-message-per-result", node.lineno


def _drops_errors(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """An exception of a tool that leaves its call without a result, or whose trace goes to Claude."""
    if not (_mentions(tree, "tool_use") or _mentions(tree, "tool_result")):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and all(isinstance(s, ast.Pass | ast.Continue) for s in node.body):
            yield "error-dropped", node.lineno
        if isinstance(node, ast.Attribute) and node.attr == "format_exc":
            yield "stack-trace", node.lineno


CHECKS = (_ignores_stop_reason, _reads_words, _takes_by_position, _writes_turns, _drops_errors)
