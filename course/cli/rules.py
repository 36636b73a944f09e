"""`course rules`: list the request rules of the offline Messages API, with what each rests on."""

import dataclasses
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Annotated

import typer

from course.api.rules import EVIDENCE, VERSIONS, Rule, rules
from course.cli.command import run_typer
from course.facts.text import say

__all__ = ["run"]


def run(args: Sequence[str]) -> int:
    """Run the verb. Exit code 0, 1 when no rule is meant, 2 for wrong use."""
    return run_typer(_list, args, "rules")


def _list(
    word: Annotated[str, typer.Argument(help=say("api.rules.word"))] = "",
    as_json: Annotated[bool, typer.Option("--json", help=say("api.rules.json"))] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help=say("api.rules.markdown"))] = False,
) -> None:
    meant = [rule for rule in rules().values() if word.lower() in f"{rule.id} {rule.template}".lower()]
    if not meant:
        typer.echo(say("api.rules.none", word=word), err=True)
        raise typer.Exit(1)
    show = _json if as_json else _markdown if as_markdown else _plain
    typer.echo(show(meant))


def _json(meant: Iterable[Rule]) -> str:
    return json.dumps([dataclasses.asdict(rule) for rule in meant], indent=2, default=str, ensure_ascii=False)


def _plain(meant: Iterable[Rule]) -> str:
    lines: list[str] = []
    for stage, members in groupby(meant, key=lambda rule: rule.stage):
        lines += ["", say(f"api.rules.stage.{stage}")]
        for rule in members:
            lines += [
                f"  {rule.id}  ({rule.status}; {_holds(rule)}; {rule.evidence}, {rule.date})",
                f"      {rule.template}",
                "      " + "; ".join([rule.source, *rule.issues]),
            ]
    return "\n".join(lines[1:])


def _holds(rule: Rule) -> str:
    """Return for which versions and models a rule holds."""
    version = say("api.rules.all_versions") if rule.versions == VERSIONS else ", ".join(rule.versions)
    return f"{version}, {say('api.rules.models', name=rule.models)}" if rule.models else version


def _markdown(meant: Sequence[Rule]) -> str:
    sources = list(dict.fromkeys(rule.source for rule in meant))
    counts = Counter(rule.evidence for rule in meant)
    lines = [f"# {say('api.rules.title')}", "", say("api.rules.intro", n=len(meant)), ""]
    lines += [f"- {kind} ({counts[kind]}): {say(f'api.rules.evidence.{kind.split()[0]}')}" for kind in EVIDENCE]
    for stage, members in groupby(meant, key=lambda rule: rule.stage):
        lines += ["", f"## {say(f'api.rules.stage.{stage}')}", "", say("api.rules.head"), "|---|---|---|---|---|"]
        lines += [_row(rule, sources.index(rule.source) + 1) for rule in members]
    lines += ["", f"## {say('api.rules.sources')}", ""]
    return "\n".join(lines + [f"{number}. {source}" for number, source in enumerate(sources, 1)])


def _row(rule: Rule, source: int) -> str:
    words = f"`` {rule.template} ``".replace("|", "\\|")
    note = f"<br>{rule.note}" if rule.note else ""
    threads = [f"[{issue}](https://github.com/{issue.replace('#', '/issues/')})" for issue in rule.issues]
    rests = ", ".join([f"{rule.evidence} [{source}]", str(rule.date), *threads])
    return f"| `{rule.id}` | {rule.status} | {words}{note} | {_holds(rule)} | {rests} |"
