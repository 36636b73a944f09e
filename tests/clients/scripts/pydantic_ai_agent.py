"""pydantic-ai: an agent's loop, a stream of text, an error, a retry. Prints JSON."""

import asyncio
import json
import sys

from anthropic import AsyncAnthropic
from pydantic_ai import Agent
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider

MODEL, QUESTION = sys.argv[1], "What is the weather in Oslo?"


def agent(name=MODEL, **headers):
    client = AsyncAnthropic(default_headers=headers)
    made = Agent(AnthropicModel(name, provider=AnthropicProvider(anthropic_client=client)))

    @made.tool_plain
    def get_weather(city: str) -> str:
        """Get the current weather in a city."""
        return f"sunny in {city}"

    return made


async def streamed():
    """Run the whole loop with every answer streamed."""
    events = []

    async def note(context, stream):
        events.extend([event async for event in stream])

    answer = await agent().run(QUESTION, event_stream_handler=note)
    assert len(events) > 10
    return answer.output


told = {"loop": agent().run_sync(QUESTION).output}
told["streamed"] = asyncio.run(streamed())
try:
    agent("claude-nobody").run_sync(QUESTION)
except ModelHTTPError as error:
    told["error"] = error.body["error"]["message"]
told["retried"] = agent(**{"x-course-fault": "529:2"}).run_sync(QUESTION).output
print(json.dumps(told))
