"""One report on the bank: findings, counts, proofs and the robots' table; as text, JSON and a page of the docs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from course.facts import say
from course.facts.syllabus import objectives, tasks
from course.quiz.bagofwords import cross_validated
from course.quiz.bank import Bank
from course.quiz.lint import Counts, Finding, counts, lint
from course.quiz.proofs import Result, prove
from course.quiz.robots import BAND, LEAST, Row, questions, run_robots, shares

__all__ = ["Report", "as_json", "as_page", "as_text", "inspect"]


@dataclass(frozen=True)
class Report:
    """What `course lint` found. robots: name of a set of items → its table; shares: how often the key is longest …

    The robots' gate stands before what exams are made of, the reviewed items. told: sets that are shown and stop
    nothing.
    """

    day: date
    digest: str
    counts: Counts
    findings: tuple[Finding, ...]
    proofs: tuple[Result, ...] = ()
    robots: Mapping[str, tuple[Row, ...]] = field(default_factory=dict)
    shares: Mapping[str, float] = field(default_factory=dict)
    told: frozenset[str] = frozenset()

    @property
    def errors(self) -> list[str]:
        """Everything that stops the build, one sentence each."""
        found = [str(finding) for finding in self.findings if finding.is_error]
        for name, rows in self.robots.items():
            found += [
                say(
                    "quiz.lint.robot.fails",
                    set=name,
                    robot=robot_name(row.robot),
                    hits=row.hits,
                    items=row.items,
                    bound=row.bound,
                )
                for row in rows
                if row.fails and name not in self.told
            ]
        for name, share in self.shares.items():
            if not BAND[0] <= share <= BAND[1]:
                found.append(
                    say(
                        "quiz.lint.robot.band",
                        robot=robot_name(name),
                        share=round(100 * share),
                        low=round(100 * BAND[0]),
                        high=round(100 * BAND[1]),
                    )
                )
        return found

    def fails(self, *, strict: bool = False) -> bool:
        """Tell whether the build stops; strict: warnings stop it, too."""
        return bool(self.errors) or (strict and bool(self.findings))


def inspect(bank: Bank, *, today: date, proofs: bool = False, robots: bool = True) -> Report:
    """Lint `bank`; with `proofs` run every proof; with `robots` let them at the bank, each domain and each file."""
    findings = lint(bank, today=today)
    proven = tuple(prove(item) for item in bank if item.status != "retired") if proofs else ()
    for result in proven:
        place = bank.places[result.item]
        findings += [
            Finding("E22", result.item, place.file, place.at("proof"), "proof", say("quiz.lint.rule.E22", why=why))
            for why in result.problems
        ]
    tables, longest = _robots(bank) if robots else ({}, {})
    told = frozenset({say("quiz.lint.robot.drafts")})
    return Report(today, bank.digest, counts(bank), tuple(findings), proven, tables, longest, told)


def _robots(bank: Bank) -> tuple[dict[str, tuple[Row, ...]], dict[str, float]]:
    pool = [item for item in bank if item.status == "reviewed"] or list(bank)
    sets = {say("quiz.lint.robot.bank"): pool}
    if len(pool) < len(list(bank)):
        sets[say("quiz.lint.robot.drafts")] = list(bank)
    for item in pool:
        domain = item.exam_task.split(".")[0]
        name = say("quiz.lint.robot.domain", n=domain) if domain.isdigit() else say("quiz.lint.robot.beyond")
        sets.setdefault(name, []).append(item)
    tables = {}
    for name, items in sets.items():
        if found := questions(items):
            tables[name] = tuple(run_robots(found, {"bag_of_words": cross_validated(found)}))
    whole = questions(pool)
    return tables, shares(whole) if len(whole) >= LEAST else {}


def robot_name(robot: str) -> str:
    """Return what a robot does, in words."""
    return say(f"quiz.lint.robot.name.{robot}")


def as_json(report: Report) -> dict[str, Any]:
    """Return the report as JSON data."""
    return {
        "checked_on": report.day.isoformat(),
        "bank": report.digest,
        "ok": not report.fails(),
        "counts": {
            "items": report.counts.items,
            "proven": report.counts.proven,
            "kinds": dict(report.counts.kinds),
            "exam_tasks": dict(report.counts.tasks),
            "objectives": dict(report.counts.objectives),
            "statuses": dict(report.counts.statuses),
            "difficulties": dict(report.counts.difficulties),
        },
        "findings": [
            {
                "code": found.code,
                "item": found.item,
                "file": found.file.name,
                "line": found.line,
                "field": found.field,
                "message": found.message,
            }
            for found in report.findings
        ],
        "errors": report.errors,
        "proofs": {"run": len(report.proofs), "proven": sum(result.proven for result in report.proofs)},
        "robots": {name: [vars(row) for row in rows] for name, rows in report.robots.items()},
        "key_shares": dict(report.shares),
    }


def as_text(report: Report) -> str:
    """Return the report for a terminal: findings first, then counts, then the robots."""
    lines = [str(found) for found in report.findings]
    lines += ["", *_table([say("quiz.lint.table.kind"), say("quiz.lint.table.items")], _kinds(report))]
    lines += ["", *_table([say("quiz.lint.table.task"), say("quiz.lint.table.items"), ""], _tasks(report))]
    lines += ["", say("quiz.lint.table.objectives"), *_objectives(report)]
    for name, rows in report.robots.items():
        if rows[0].items < LEAST:
            lines += ["", say("quiz.lint.robot.small", set=name, items=rows[0].items, least=LEAST)]
            continue
        title = say(
            "quiz.lint.robot.title",
            set=name,
            items=rows[0].items,
            expected=f"{rows[0].expected:.1f}",
            bound=rows[0].bound,
        )
        lines += ["", title, *_table(_robot_head(), _robot_rows(rows))]
    lines += ["", _summary(report)]
    return "\n".join(lines).strip("\n")


def as_page(report: Report) -> str:
    """Return the report as a page of the docs, without single findings."""
    parts = [
        say("quiz.lint.page.title"),
        say("quiz.lint.page.about", date=report.day, bank=report.digest),
        _summary(report),
        say("quiz.lint.page.counts"),
        "\n".join(_markdown([say("quiz.lint.table.kind"), say("quiz.lint.table.items")], _kinds(report))),
        "\n".join(_markdown([say("quiz.lint.table.task"), say("quiz.lint.table.items"), ""], _tasks(report))),
        say("quiz.lint.table.objectives"),
        "\n".join(f"- {line}" for line in _objectives(report)),
        say("quiz.lint.page.robots"),
        say("quiz.lint.page.compare"),
    ]
    for name, rows in report.robots.items():
        title = say(
            "quiz.lint.robot.title",
            set=name,
            items=rows[0].items,
            expected=f"{rows[0].expected:.1f}",
            bound=rows[0].bound,
        )
        parts += [f"### {title}", "\n".join(_markdown(_robot_head(), _robot_rows(rows)))]
    if report.shares:
        parts.append(
            say(
                "quiz.lint.page.shares",
                longest=round(100 * report.shares["longest"]),
                shortest=round(100 * report.shares["shortest"]),
            )
        )
    return "\n\n".join(parts) + "\n"


def _kinds(report: Report) -> list[list[str]]:
    return [[say(f"quiz.kinds.name.{kind}"), str(n)] for kind, n in report.counts.kinds.most_common()]


def _tasks(report: Report) -> list[list[str]]:
    titles = {number: task.title for number, task in tasks().items()}
    return [[task, str(n), titles.get(task, "")] for task, n in sorted(report.counts.tasks.items())]


def _objectives(report: Report) -> list[str]:
    """Return objectives by unit, with counts; fewer than three are marked, units without any left out."""
    units: dict[int, list[str]] = {}
    asked = {objectives()[id].unit for id in report.counts.objectives if id in objectives()}
    for id, objective in objectives().items():
        if objective.unit not in asked:
            continue
        n = report.counts.objectives.get(id, 0)
        units.setdefault(objective.unit, []).append(f"{id} {n}{'' if n >= 3 else '*'}")
    return [" · ".join(found) for found in units.values()] + [say("quiz.lint.table.few")]


def _robot_head() -> list[str]:
    return [say(f"quiz.lint.robot.{name}") for name in ("robot", "hits", "share", "verdict")]


def _robot_rows(rows: tuple[Row, ...]) -> list[list[str]]:
    return [
        [
            robot_name(row.robot),
            str(row.hits),
            f"{100 * row.hits / row.items:.0f} %",
            say(
                "quiz.lint.robot.bad"
                if row.fails
                else "quiz.lint.robot.ok"
                if row.items >= LEAST
                else "quiz.lint.robot.few"
            ),
        ]
        for row in rows
    ]


def _table(head: list[str], rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[at]) for row in [head, *rows]) for at in range(len(head))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in [head, *rows]
    ]


def _markdown(head: list[str], rows: list[list[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]


def _summary(report: Report) -> str:
    errors = sum(found.is_error for found in report.findings)
    lines = [
        say(
            "quiz.lint.summary",
            items=report.counts.items,
            proven=report.counts.proven,
            errors=errors,
            warnings=len(report.findings) - errors,
        )
    ]
    if report.proofs:
        lines.append(
            say(
                "quiz.lint.proofs_run",
                run=sum(bool(result.proven or result.problems) for result in report.proofs),
                proven=sum(result.proven for result in report.proofs),
            )
        )
    lines += [line for line in report.errors if line not in {str(found) for found in report.findings}]
    return "\n".join(lines)
