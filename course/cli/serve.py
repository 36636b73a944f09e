"""`course serve`: run the offline Messages API on this machine."""

import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from course.cli.command import run_typer
from course.facts.models import default_model
from course.facts.text import say
from course.mockmodel.model import MockModel

__all__ = ["run"]


def run(args: Sequence[str]) -> int:
    """Run the verb. Exit code 0 after an interrupt, 1 when it cannot listen, 2 for an option that makes no sense."""
    return run_typer(_serve, args, "serve")


def _serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help=say("api.serve.port"))] = 8123,
    host: Annotated[str, typer.Option(help=say("api.serve.host"))] = "127.0.0.1",
    scripted: Annotated[Path | None, typer.Option(exists=True, dir_okay=False, help=say("api.serve.scripted"))] = None,
    fault: Annotated[str, typer.Option(help=say("api.serve.fault"))] = "",
    key: Annotated[str, typer.Option(help=say("api.serve.key"))] = "any",
    rules: Annotated[bool, typer.Option(help=say("api.serve.rules"))] = True,
) -> None:
    from course.api import server
    from course.api.faults import FaultError, Faults
    from course.api.offline import OfflineAPI

    try:
        api = OfflineAPI(_model(scripted), faults=Faults(fault), key=key, rules=rules)
    except FaultError as wrong:
        raise typer.BadParameter(str(wrong), param_hint="--fault") from None
    try:
        listener = server.bind(host, port)
    except server.PortTaken as taken:
        print(say("api.serve.taken", place=taken), file=sys.stderr)
        raise typer.Exit(1) from None
    url = f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}"
    server.serve(api, listener, lambda: _hello(url, key))


def _hello(url: str, key: str) -> None:
    """Say where the API listens, in a line of its own for programs, then what a person can type."""
    body = {"model": default_model(), "max_tokens": 200, "messages": [{"role": "user", "content": "hi"}]}
    print(say("api.serve.listening", url=url))
    print(say("api.serve.any_key" if key == "any" else "api.serve.one_key"))
    print(say("api.serve.curl", url=url, key=shlex.quote(f"x-api-key: {key}"), body=shlex.quote(json.dumps(body))))
    print(say("api.serve.stop"), flush=True)


def _model(scripted: Path | None) -> MockModel:
    from course.mockmodel import Improviser, Scripted

    if scripted is None:
        return Improviser()
    try:
        turns = json.loads(scripted.read_text(encoding="utf-8"))
    except (OSError, ValueError) as trouble:
        raise typer.BadParameter(str(trouble), param_hint="--scripted") from None
    if not isinstance(turns, list):
        raise typer.BadParameter(say("api.serve.turns"), param_hint="--scripted")
    return Scripted(turns)
