"""LangChain's ChatAnthropic: tools bound, a stream, an agent's loop, an error, a retry. Prints JSON."""

import json
import sys

import anthropic
from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_core.tools import tool

MODEL, QUESTION = sys.argv[1], "What is the weather in Oslo?"


@tool
def get_weather(city: str) -> str:
    """Get the current weather in a city."""
    return f"sunny in {city}"


model = ChatAnthropic(model=MODEL, max_tokens=500)
bound = model.bind_tools([get_weather])
told = {"call": bound.invoke(QUESTION).tool_calls[0]["args"]}

whole = None
for piece in bound.stream(QUESTION):
    whole = piece if whole is None else whole + piece
told["streamed"] = whole.tool_calls[0]["args"]

agent = create_agent(model, [get_weather])
told["loop"] = agent.invoke({"messages": [("user", QUESTION)]})["messages"][-1].text
try:
    ChatAnthropic(model="claude-nobody", max_tokens=500).invoke(QUESTION)
except anthropic.NotFoundError as error:
    told["error"] = error.body["error"]["message"]
retrying = ChatAnthropic(model=MODEL, max_tokens=500, default_headers={"x-course-fault": "529:2"})
told["retried"] = retrying.invoke(QUESTION).response_metadata["stop_reason"]
print(json.dumps(told))
