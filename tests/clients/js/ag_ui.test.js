// The agent through the official client of AG-UI, which checks every event and their order by itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HttpAgent, buildResumeArray } from '@ag-ui/client';
import { newOrg, pdf, unique, untilRead, upload, workspace } from './workspace.js';

const org = newOrg();

const newAgent = (documentId, token = workspace.org_token) =>
  new HttpAgent({
    url: `${workspace.base_url}/v0/orgs/${workspace.organization_id}/documents/${documentId}/ag-ui`,
    headers: { Authorization: `Bearer ${token}` },
  });

async function readDocument() {
  const documentId = await upload(org, `${unique('before')}.pdf`, pdf());
  await untilRead(org, documentId);
  return documentId;
}

/** Says something, and gives back the run's events. */
async function said(agent, content) {
  agent.addMessage({ id: unique('message'), role: 'user', content });
  return ran(agent);
}

async function ran(agent, parameters = {}) {
  const events = [];
  const { result, newMessages } = await agent.runAgent(parameters, { onEvent: ({ event }) => void events.push(event) });
  return { events, result, newMessages };
}

const nameOf = async (documentId) => (await org.getDocument({ documentId, fileType: 'original' })).document_name;

test('a message is answered, and the thread remembers it', async () => {
  const agent = newAgent(await readDocument());
  const first = await said(agent, 'hello');
  const [answer] = first.newMessages.filter((message) => message.role === 'assistant');
  assert.ok(answer.content.length > 0);
  assert.equal(first.result.text, answer.content);
  assert.equal(agent.state.state, 'completed');
  const second = await said(agent, 'hello again');
  const ours = ({ events }) => events[0].metadata.docagent;
  assert.equal(ours(first).thread_id, ours(second).thread_id);
  assert.notEqual(ours(first).turn_id, ours(second).turn_id);
});

test('an approval interrupts the run, and a yes resumes it', async () => {
  const documentId = await readDocument();
  const agent = newAgent(documentId);
  const name = `${unique('after')}.pdf`;
  await said(agent, `rename this document to ${name}`);
  const [waiting] = agent.pendingInterrupts;
  assert.equal(waiting.reason, 'tool_call');
  assert.equal(agent.state.state, 'awaiting_approval');
  const call = agent.messages.flatMap((message) => message.toolCalls ?? []).find(({ id }) => id === waiting.toolCallId);
  assert.equal(call.function.name, 'update_document');
  assert.notEqual(await nameOf(documentId), name);
  const yes = { [waiting.id]: { status: 'resolved', payload: { approved: true } } };
  const { newMessages } = await ran(agent, { resume: buildResumeArray(agent.pendingInterrupts, yes) });
  assert.deepEqual(agent.pendingInterrupts, []);
  assert.equal(newMessages.find((message) => message.role === 'tool').toolCallId, waiting.toolCallId);
  assert.equal(await nameOf(documentId), name);
});

test('an interrupt that is cancelled is a no, and is there again after a reload', async () => {
  const documentId = await readDocument();
  const agent = newAgent(documentId);
  const name = `${unique('after')}.pdf`;
  await said(agent, `rename this document to ${name}`);
  const reloaded = newAgent(documentId);
  reloaded.threadId = agent.threadId;
  await ran(reloaded);
  assert.deepEqual(reloaded.pendingInterrupts, agent.pendingInterrupts);
  const [waiting] = reloaded.pendingInterrupts;
  await ran(reloaded, { resume: [{ interruptId: waiting.id, status: 'cancelled' }] });
  assert.equal(reloaded.state.state, 'completed');
  assert.notEqual(await nameOf(documentId), name);
});

test('a refusal reaches the client with its status', async () => {
  const agent = newAgent(await readDocument(), 'wrong');
  await assert.rejects(said(agent, 'hello'), { status: 401 });
});
