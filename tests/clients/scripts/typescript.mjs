// The TypeScript SDK: create, stream, the tool loop, an error, a retry, a broken stream. Prints JSON.
import Anthropic from "@anthropic-ai/sdk";

const model = process.argv[2];
const question = { role: "user", content: "What is the weather in Oslo?" };
const tool = {
  name: "get_weather",
  description: "Get the current weather in a city.",
  input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
const ask = { model, max_tokens: 500, tools: [tool] };
const client = new Anthropic();
const told = {};

const turns = [question];
const first = await client.messages.create({ ...ask, messages: turns });
const call = first.content.find((block) => block.type === "tool_use");
told.call = call.input;
turns.push({ role: "assistant", content: first.content });
turns.push({ role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: "sunny" }] });
told.loop = (await client.messages.create({ ...ask, messages: turns })).content[0].text;

const stream = client.messages.stream({ ...ask, messages: [question] });
const whole = await stream.finalMessage();
told.streamed = whole.content.at(-1).input;
told.events = [];
for await (const event of await client.messages.create({ ...ask, messages: [question], stream: true })) {
  told.events.push(event.type);
}

try {
  await client.messages.create({ ...ask, messages: turns.slice(0, 2) });
} catch (error) {
  told.error = error.error.error.message;
  told.status = error.status;
  told.bad_request = error instanceof Anthropic.BadRequestError;
}
const fault = (value) => ({ headers: { "x-course-fault": value } });
told.retried = (await client.messages.create({ ...ask, messages: [question] }, fault("529:2"))).stop_reason;
try {
  const cut = await client.messages.create({ ...ask, messages: [question], stream: true }, fault("cut"));
  for await (const event of cut);
} catch (error) {
  told.cut = true;
}
console.log(JSON.stringify(told));
