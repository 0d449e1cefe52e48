// The official TypeScript client of MCP and a model that takes longer than the client waits in silence.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { newOrg, pdf, untilRead, upload, workspace } from './workspace.js';

const org = newOrg();
// The client's own is 60,000. A release is tested with that; else the server under test shows life as much faster.
const TIMEOUT_MS = Number(workspace.timeout_ms ?? 2000);
const REPLY_MS = Number(workspace.reply_ms ?? 1.5 * TIMEOUT_MS);

async function connected() {
  const client = new Client({ name: 'slow-model-test', version: '1.0.0' });
  const headers = { Authorization: `Bearer ${workspace.org_token}` };
  const url = new URL(`${workspace.base_url}/mcp?tools=agent`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

const document = upload(org, 'invoice.pdf', pdf());
const arguments_ = async () => ({ message: 'What is it?', document_id: await document });

test('a call that asks for no progress is answered in time, and its turn runs on', async () => {
  await untilRead(org, await document);
  const client = await connected();
  const begun = await client.callTool({ name: 'agent_chat', arguments: await arguments_() });
  const { state, turn_id: turnId } = begun.structuredContent;
  assert.equal(state, 'running');
  const looked = await client.callTool({ name: 'agent_events', arguments: { turn_id: turnId } });
  assert.equal(looked.structuredContent.state, 'running');
  await client.close();
});

test('a call that asks for progress outlasts the timeout of the client', async () => {
  const client = await connected();
  const began = Date.now();
  const told = [];
  const onprogress = ({ message }) => {
    told.push(message);
    const released = Date.now() - began > REPLY_MS;
    if (released) fetch(workspace.release_url, { method: 'POST' });
  };
  const options = { timeout: TIMEOUT_MS, resetTimeoutOnProgress: true, onprogress };
  const { structuredContent } = await client.callTool({ name: 'agent_chat', arguments: await arguments_() }, options);
  assert.equal(structuredContent.text, 'It is an invoice.');
  assert.ok(Date.now() - began > TIMEOUT_MS);
  assert.equal(told[0], `Turn ${structuredContent.turn_id} has begun.`);
  await client.close();
});

test('a client of its own accord is shown few tools, each argument with a description', async () => {
  const client = await connected();
  const { tools } = await client.listTools();
  assert.ok(tools.length < 20);
  for (const { name, inputSchema } of tools)
    for (const [argument, { description }] of Object.entries(inputSchema.properties))
      assert.ok(description, `${name}: ${argument}`);
  const { isError, content } = await client.callTool({ name: 'agent_chat', arguments: { mesage: 'hello' } });
  assert.ok(isError);
  assert.match(content[0].text, /did you mean message/);
  await client.close();
});
