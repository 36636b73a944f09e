"""`course serve`: run the offline Messages API on this machine."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from course.api.offline import OfflineAPI
from course.cli.command import run_typer
from course.facts.text import say
from course.mockmodel.model import MockModel

__all__ = ["run"]


def run(args: Sequence[str]) -> int:
    """Run the verb; exit code 0 after an interrupt, 1 when the port is taken, 2 for a wrong option."""
    return run_typer(_serve, args, "serve")


def _serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help=say("api.serve.port"))] = 8123,
    host: Annotated[str, typer.Option(help=say("api.serve.host"))] = "127.0.0.1",
    scripted: Annotated[Path | None, typer.Option(exists=True, dir_okay=False, help=say("api.serve.scripted"))] = None,
) -> int:
    from course.api import server

    try:
        listener = server.bind(host, port)
    except server.PortTaken as taken:
        print(say("api.serve.taken", place=taken), file=sys.stderr)
        return 1
    place = f"[{host}]" if ":" in host else host
    url = f"http://{place}:{listener.getsockname()[1]}"
    server.serve(OfflineAPI(_model(scripted)), listener, lambda: print(say("api.serve.listening", url=url), flush=True))
    return 0


def _model(scripted: Path | None) -> MockModel:
    from course import mockmodel

    return mockmodel.Scripted.load(scripted) if scripted else mockmodel.Improviser()
