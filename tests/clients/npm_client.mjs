// Holds the script's conversations with the openai npm client: reads {baseURL, apiKey, script} and tells what came of it.
import OpenAI from "openai";

class Chat {
  constructor(client, conversation, stream) {
    Object.assign(this, { client, stream, messages: [], options: { model: conversation.model, ...conversation.options } });
    if (conversation.system) this.messages.push({ role: "system", content: conversation.system });
    if (conversation.functions)
      this.options.tools = conversation.functions.map((f) => ({ type: "function", function: f }));
    if (conversation.format)
      this.options.response_format = {
        type: "json_schema",
        json_schema: { name: "answer", schema: conversation.format, strict: true },
      };
  }

  say(sentence) {
    this.messages.push({ role: "user", content: sentence });
  }

  answerCalls(result) {
    for (const call of this.messages.at(-1).tool_calls)
      this.messages.push({ role: "tool", tool_call_id: call.id, content: result });
  }

  async ask() {
    const body = { messages: this.messages, ...this.options };
    const completion = this.stream
      ? await this.client.chat.completions.stream(body).finalChatCompletion()
      : await this.client.chat.completions.create(body);
    const { message, finish_reason } = completion.choices[0];
    const calls = (message.tool_calls ?? []).map((call) => call.function);
    if (finish_reason !== (calls.length ? "tool_calls" : "stop")) throw new Error(`finished for ${finish_reason}`);
    this.messages.push(message);
    return { text: message.content ?? "", calls: calls.map((call) => [call.name, JSON.parse(call.arguments)]) };
  }
}

class Responses {
  constructor(client, conversation, stream) {
    Object.assign(this, { client, stream, items: [], options: { model: conversation.model, store: false, ...conversation.options } });
    if (conversation.system) this.options.instructions = conversation.system;
    if (conversation.functions)
      this.options.tools = conversation.functions.map((f) => ({ type: "function", strict: false, ...f }));
    if (conversation.format)
      this.options.text = {
        format: { type: "json_schema", name: "answer", schema: conversation.format, strict: true },
      };
  }

  say(sentence) {
    this.items.push({ role: "user", content: sentence });
  }

  answerCalls(result) {
    const ids = (type) => this.items.filter((item) => item.type === type).map((item) => item.call_id);
    const answered = new Set(ids("function_call_output"));
    for (const call_id of ids("function_call"))
      if (!answered.has(call_id)) this.items.push({ type: "function_call_output", call_id, output: result });
  }

  async ask() {
    const body = { input: this.items, ...this.options };
    const response = this.stream
      ? await this.client.responses.stream(body).finalResponse()
      : await this.client.responses.create(body);
    if (response.status !== "completed") throw new Error(`ended ${response.status}`);
    this.items.push(...response.output);
    const calls = response.output.filter((item) => item.type === "function_call");
    return { text: response.output_text, calls: calls.map((call) => [call.name, JSON.parse(call.arguments)]) };
  }
}

async function hold(talk, steps) {
  const told = [];
  for (const step of steps) {
    if (step.say !== null) talk.say(step.say);
    else talk.answerCalls(JSON.stringify(step.result));
    try {
      told.push(await talk.ask());
    } catch (error) {
      if (!(error instanceof OpenAI.APIError)) throw error;
      told.push({ error: [error.status, error.code] });
    }
  }
  return told;
}

let input = "";
for await (const chunk of process.stdin) input += chunk;
const { baseURL, apiKey, script } = JSON.parse(input);
const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const told = {};
for (const [api, Talk] of Object.entries({ chat: Chat, responses: Responses }))
  for (const stream of [false, true]) {
    const conversations = [];
    for (const conversation of script)
      conversations.push(await hold(new Talk(client, conversation, stream), conversation.steps));
    told[`${api} ${stream ? "streamed" : "whole"}`] = conversations;
  }
console.log(JSON.stringify(told));
