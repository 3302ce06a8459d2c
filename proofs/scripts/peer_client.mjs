// A client on the TypeScript SDK, trying our example server: `peer_client.mjs sdk1|client2 REVISION COMMAND...`.
// It runs in the npm folder that has the peer, and prints a JSON object for each step.

const [kind, revision, command, ...args] = process.argv.slice(2);
const modern = revision === "2026-07-28";
const old = revision < "2025-06-18";
const note = "example://note";
const heard = [];
const { pathToFileURL } = await import("node:url");
const { createRequire } = await import("node:module");
const require = createRequire(pathToFileURL(`${process.cwd()}/`));
const load = (name) => import(pathToFileURL(require.resolve(name)));

const capabilities = { sampling: {}, roots: {}, ...(old ? {} : { elicitation: {} }) };
const info = { name: "typescript-peer", version: "1.0.0" };
const answers = {
  "sampling/createMessage": () => ({ role: "assistant", content: { type: "text", text: "Hello" }, model: "peer-model" }),
  "elicitation/create": () => ({ action: "accept", content: { name: "Ada" } }),
  "roots/list": () => ({ roots: [{ uri: "file:///srv/project", name: "project" }] }),
};
const told = ["notifications/message", "notifications/resources/updated", "notifications/tools/list_changed"];

let client, transport, call, connected;
if (kind === "sdk1") {
  const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
  const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");
  const types = await load("@modelcontextprotocol/sdk/types.js");
  client = new Client(info, { capabilities });
  const requests = {
    "sampling/createMessage": types.CreateMessageRequestSchema,
    "elicitation/create": types.ElicitRequestSchema,
    "roots/list": types.ListRootsRequestSchema,
  };
  const notifications = [
    types.LoggingMessageNotificationSchema,
    types.ResourceUpdatedNotificationSchema,
    types.ToolListChangedNotificationSchema,
  ];
  for (const [method, schema] of Object.entries(requests)) {
    if (method !== "elicitation/create" || !old) client.setRequestHandler(schema, answers[method]);
  }
  for (const schema of notifications) client.setNotificationHandler(schema, (body) => void heard.push(body.method));
  transport = new StdioClientTransport({ command, args });
  call = (name, given = {}, options = {}) => client.callTool({ name, arguments: given }, undefined, options);
  connected = () => transport.protocolVersion ?? transport._protocolVersion;
  const set = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => ((transport.protocolVersion = version), set?.(version));
} else {
  const { Client } = await load("@modelcontextprotocol/client");
  const { StdioClientTransport } = await load("@modelcontextprotocol/client/stdio");
  client = new Client(info, { capabilities, versionNegotiation: { mode: modern ? { pin: revision } : "legacy" } });
  for (const [method, answer] of Object.entries(answers)) {
    if (method !== "elicitation/create" || !old) client.setRequestHandler(method, answer);
  }
  for (const method of told) client.setNotificationHandler(method, () => void heard.push(method));
  transport = new StdioClientTransport({ command, args });
  call = (name, given = {}, options = {}) => client.callTool({ name, arguments: given }, options);
  connected = () => client.getNegotiatedProtocolVersion();
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const expect = (condition, what) => {
  if (!condition) throw new Error(`unexpected: ${JSON.stringify(what)}`);
  return what;
};
const say = (step, ok, detail) => console.log(JSON.stringify({ step, ok, detail }));
const failing = async (work) => {
  try {
    await work();
  } catch (error) {
    return String(error);
  }
  throw new Error("no error");
};
const ask = async (what) => {
  const answer = await call("ask", { what });
  return expect(!answer.isError, answer);
};

const steps = {
  "list tools": async () => expect((await client.listTools()).tools.length >= 3, "tools"),
  structured: async () => call("add", { a: 1, b: 2.5 }),
  media: async () => call("media"),
  "tool error": async () => expect((await call("fail")).isError === true, "fail"),
  "protocol error": async () => failing(() => call("no such tool")),
  progress: async () => {
    const seen = [];
    await call("count", { steps: 3 }, { onprogress: (progress) => seen.push(progress.progress) });
    return expect(seen[0] === 1, seen); // the last ones may come with the answer, which ends the listening
  },
  log: async () => {
    if (modern) return call("count", { steps: 2 });
    await client.setLoggingLevel("info");
    await call("count", { steps: 2 });
    return expect(heard.includes("notifications/message"), heard);
  },
  roots: async () => ask("roots"),
  sampling: async () => ask("model"),
  cancel: async () => {
    const control = new AbortController();
    const slow = failing(() => call("count", { steps: 1000, pause: 0.05 }, { signal: control.signal }));
    await pause(300);
    control.abort();
    await slow;
    return call("add", { a: 1, b: 1 });
  },
  "list resources": async () => expect((await client.listResources()).resources.length === 2, "resources"),
  "list templates": async () => client.listResourceTemplates(),
  "read text": async () => client.readResource({ uri: note }),
  "read blob": async () => client.readResource({ uri: "example://pixel" }),
  watch: async () => {
    if (modern) {
      const subscription = await client.listen({ toolsListChanged: true, resourceSubscriptions: [note] });
      await call("touch");
      await pause(200);
      await subscription.close();
    } else {
      await client.subscribeResource({ uri: note });
      await call("touch");
      await pause(200);
      await client.unsubscribeResource({ uri: note });
    }
    return expect(heard.includes("notifications/resources/updated"), heard);
  },
  "list prompts": async () => client.listPrompts(),
  prompt: async () => client.getPrompt({ name: "greet", arguments: { name: "Ada" } }),
  complete: async () =>
    client.complete({ ref: { type: "ref/prompt", name: "greet" }, argument: { name: "name", value: "A" } }),
  ...(old ? {} : { elicitation: async () => ask("form") }),
};

try {
  await client.connect(transport);
} catch (error) {
  say("connect", false, String(error));
  process.exit(1);
}
say("connect", (connected() ?? revision) === revision, connected());
for (const [name, step] of Object.entries(steps)) {
  try {
    say(name, true, await step());
  } catch (error) {
    say(name, false, String(error));
  }
}
await client.close();
process.exit(0);
