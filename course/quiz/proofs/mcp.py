"""Proofs that ask a real MCP server, in this process, through a real MCP client."""

import asyncio
import inspect
import logging
from collections.abc import Mapping
from typing import Any

from course.quiz.proofs.registry import Sheet, agrees, proof

__all__ = ["mcp_says"]

TYPES: Mapping[str, Any] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "dict": dict[str, Any],
    "list": list[Any],
}


def _server(tools: Mapping[str, Any]) -> Any:
    """Return a server whose tools return what they are told to, or raise."""
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

    server = MCPServer("proof", log_level="CRITICAL")
    for name, spec in tools.items():

        def function(_spec: Mapping[str, Any] = spec, **arguments: Any) -> Any:
            if "raises" in _spec:
                raise ToolError(_spec["raises"])
            return _spec.get("returns", "done")

        typed = _with_signature(function, spec.get("arguments", {}), spec.get("output"))
        server.add_tool(typed, name=name, description=spec.get("description", ""))
    return server


def _with_signature(function: Any, arguments: Mapping[str, str], output: str | None) -> Any:
    """Give `function` the signature that the server reads its schemas from."""

    def call(**given: Any) -> Any:
        return function(**given)

    hints = {name: TYPES[kind] for name, kind in arguments.items()}
    parameters = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=hints[name]) for name in hints]
    returns = {"return": TYPES[output]} if output else {}
    signature = inspect.Signature(parameters, return_annotation=returns.get("return", inspect.Signature.empty))
    call.__signature__ = signature  # type: ignore[attr-defined]
    call.__annotations__ = {**hints, **returns}
    return call


async def _observe(tools: Mapping[str, Any], call: Mapping[str, Any] | None) -> dict[str, Any]:
    from mcp import Client, MCPError

    async with Client(_server(tools)) as client:
        listed = (await client.list_tools()).tools
        seen: dict[str, Any] = {
            "tools": [tool.name for tool in listed],
            "fields": sorted({name for tool in listed for name in tool.model_dump(by_alias=True, exclude_none=True)}),
            "lists": {name: True for tool in listed for name in tool.model_dump(by_alias=True, exclude_none=True)},
        }
        if call is None:
            return seen
        try:
            result = await client.call_tool(call["name"], call.get("arguments", {}))
        except MCPError as error:
            return {**seen, "channel": "protocol", "code": error.error.code, "message": error.error.message}
        text = " ".join(getattr(part, "text", "") for part in result.content)
        return {
            **seen,
            "channel": "result",
            "is_error": bool(result.is_error),
            "text": text,
            "structured": result.structured_content is not None,
        }


@proof("mcp_says")
def mcp_says(sheet: Sheet, *, tools: Mapping[str, Any], call: Mapping[str, Any] | None = None, value: str = "") -> Any:
    """A real MCP server with these tools is listed and, with `call`, called; claims are about what comes back.

    tools: name → {arguments: {city: str}, output: dict, returns or raises, description}. call: {name, arguments}.
    Observed: tools, fields (of the definitions), lists ({field: true} for each), channel (result or protocol),
    is_error, text, structured, code, message.
    """
    logging.getLogger("mcp").setLevel(logging.CRITICAL)
    observed = asyncio.run(_observe(tools, call))
    if sheet.kind == "numeric":
        return observed[value]
    return sheet.pick(lambda claim: agrees(claim, observed), observed)
