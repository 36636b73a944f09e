"""The quiz view: practice questions of a session, every kind by keyboard.

The key stays in Python until an answer is given: no page, message or saved notebook holds it before.
"""

import json
from collections.abc import Mapping
from html import escape
from typing import Any

import traitlets

from course.facts import say
from course.quiz.practice import Session
from course.widgets.assets import script, style
from course.widgets.rich import rich
from course.widgets.view import View

__all__ = ["QuizView"]

Json = Any


class QuizView(View):
    """Practice in a notebook. The session grades and stores; the view shows what the session says.

    `question` is what the page knows: the current question without its key, and its feedback once it is answered. The
    page sends commands: answer, next, hint, flag, note, report.
    """

    _esm = script("dom", "kinds", "quiz")
    _css = style("view", "quiz")

    question = traitlets.Dict().tag(sync=True)

    def __init__(self, session: Session) -> None:
        self.session = session
        super().__init__("widgets.quiz", question=self._now())
        self.on_msg(self._told)

    def still(self) -> str:
        """Return the current question as HTML without script and without its key."""
        return _still(self.question)

    def plain(self) -> str:
        """Return one line that says what is here."""
        return say("widgets.fallback.quiz", count=self.question.get("total", 0))

    def answer(self, response: Json, confidence: int | None = None) -> None:
        """Answer the current question; the page does the same."""
        told = self.session.answer(response, confidence).as_json()
        self.question = {**self._now(), "feedback": _shown_feedback(told, self.question["item"]["kind"])}

    def _now(self) -> dict[str, Json]:
        current = self.session.current()
        if current is None:
            return {"state": "done", "summary": self.session.summary()}
        kind = current["item"]["kind"]
        told = current["feedback"]
        return {
            **current,
            "item": _shown_item(current["item"]),
            "hints": [rich(hint) for hint in current["hints"]],
            "feedback": told and _shown_feedback(told, kind),
        }

    def _told(self, _: Any, message: Json, __: Any) -> None:
        """Obey the page. A command about a question that is no longer the current one is late, and left alone."""
        if not isinstance(message, Mapping) or message.get("item") != self.question.get("item", {}).get("id"):
            return
        text = str(message.get("text") or "")
        match message.get("do"):
            case "answer":
                self.answer(message.get("response"), message.get("confidence"))
                return
            case "next":
                self.session.next()
            case "hint":
                self.session.hint()
            case "flag":
                self.session.flag(bool(message.get("on")))
            case "note":
                self.session.note(text)
            case "report":
                self.question = {**self.question, "report": self.session.report(text)}
                return
        self.question = self._now()


def _shown_item(item: Mapping[str, Json]) -> dict[str, Json]:
    """Return the public view of an item with its Markdown as trees and its JSON as text."""
    shown = {key: value for key, value in item.items() if key not in ("given", "tool", "trace", "write")}
    shown["stem"] = rich(item["stem"])
    shown["kind_words"] = say(f"quiz.kinds.name.{item['kind']}")
    for name in ("options", "rows", "targets", "rules"):
        if name in item:
            shown[name] = [{"id": row["id"], "text": rich(row["text"])} for row in item[name]]
    shown["exhibits"] = [{**exhibit, "title": rich(exhibit["title"])} for exhibit in item["exhibits"]]
    for name in ("given", "tool"):
        if item.get(name):
            shown["exhibits"].append(
                {"kind": "json", "title": [say(f"widgets.quiz.{name}")], "body": _json(item[name])}
            )
    if "trace" in item:
        shown["messages"] = [_message(message) for message in item["trace"]]
    return shown


def _message(message: Mapping[str, Json]) -> dict[str, Json]:
    content = message.get("content")
    blocks = content if isinstance(content, list) else [content]
    return {"role": str(message.get("role")), "blocks": [_json(block) for block in blocks]}


def _shown_feedback(told: Mapping[str, Json], kind: str) -> dict[str, Json]:
    code = kind in ("faded_code", "repair_json", "write_schema")
    parts = []
    for part in told["parts"]:
        label = [["code", part["label"]]] if code and part["role"] == "key" else rich(part["label"])
        parts.append({**part, "label": label, "text": rich(part["text"])})
    texts = {name: rich(told[name]) for name in ("explanation", "exam_says", "docs_say")}
    return {**told, "parts": parts, **texts}


def _json(value: Json) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _still(question: Mapping[str, Json]) -> str:
    if "item" not in question:
        return f"<p>{escape(say('widgets.quiz.done'))}</p>"
    item = question["item"]
    parts = [_html(item["stem"])]
    parts += [f"<p>{_html(exhibit['title'])}</p><pre>{escape(exhibit['body'])}</pre>" for exhibit in item["exhibits"]]
    for message in item.get("messages", ()):
        parts.append(f"<p><strong>{escape(message['role'])}</strong></p>")
        parts += [f"<pre>{escape(block)}</pre>" for block in message["blocks"]]
    parts += [f"<pre>{escape(item[name])}</pre>" for name in ("code", "start") if item.get(name)]
    for name in ("options", "rows", "targets", "rules"):
        if name in item:
            parts.append("<ul>" + "".join(f"<li>{_html(row['text'])}</li>" for row in item[name]) + "</ul>")
    return "".join(parts)


def _html(tree: Json) -> str:
    """Return a tree of `rich` as HTML; every string is escaped."""
    if isinstance(tree, str):
        return escape(tree)
    return "".join(
        f"<{part[0]}>{_html(part[1:])}</{part[0]}>"
        if isinstance(part, list) and part[0] != "br"
        else "<br>"
        if isinstance(part, list)
        else escape(part)
        for part in tree
    )
