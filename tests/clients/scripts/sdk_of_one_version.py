"""Any version of the Python SDK: create, both kinds of stream, an error, a retry, the tool loop. Prints JSON."""

import json
import sys

import anthropic

MODEL, QUESTION = sys.argv[1], {"role": "user", "content": "What is the weather in Oslo?"}
TOOL = {
    "name": "get_weather",
    "description": "Get the current weather in a city.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
ASK = {"model": MODEL, "max_tokens": 500, "tools": [TOOL]}

client = anthropic.Anthropic()
told = {"version": anthropic.__version__}

turns = [QUESTION]
first = client.messages.create(messages=turns, **ASK)
call = next(block for block in first.content if block.type == "tool_use")
turns.append({"role": "assistant", "content": first.content})
turns.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": call.id, "content": "sunny"}]})
told["call"] = call.input
told["loop"] = client.messages.create(messages=turns, **ASK).content[0].text

with client.messages.stream(messages=[QUESTION], **ASK) as stream:
    told["words"] = "".join(stream.text_stream)
    told["streamed"] = stream.get_final_message().content[-1].input
told["events"] = [event.type for event in client.messages.create(messages=[QUESTION], stream=True, **ASK)]

try:
    client.messages.create(messages=turns[:2], **ASK)
except anthropic.BadRequestError as error:
    told["error"] = error.body["error"]["message"]
    told["request_id"] = error.request_id
told["retried"] = client.messages.create(
    messages=[QUESTION], extra_headers={"x-course-fault": "529:2"}, **ASK
).stop_reason
try:
    client.with_options(max_retries=0).messages.create(
        messages=[QUESTION], extra_headers={"x-course-fault": "429"}, **ASK
    )
except anthropic.RateLimitError as error:
    told["limited"] = error.status_code
told["tokens"] = client.messages.count_tokens(model=MODEL, messages=[QUESTION]).input_tokens
print(json.dumps(told))
