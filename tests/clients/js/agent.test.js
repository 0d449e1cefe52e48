// The agent through the client's own HTTP client: a card that waits, over a reload and over another message.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newOrg, pdf, unique, untilRead, upload, workspace } from './workspace.js';

const org = newOrg();
const http = org.getHttpClient();

/** A new document, a thread about it, and a turn that waits for a yes to the document's new name. */
async function waitingCard() {
  const documentId = await upload(org, `${unique('before')}.pdf`, pdf());
  await untilRead(org, documentId);
  const chat = `/v0/orgs/${workspace.organization_id}/documents/${documentId}/chat`;
  const { thread_id: threadId } = await http.post(`${chat}/threads`, {});
  const name = `${unique('after')}.pdf`;
  const paused = await said(http, chat, threadId, `rename this document to ${name}`);
  assert.equal(paused.state, 'awaiting_approval');
  assert.deepEqual(paused.tool_calls.map((call) => call.name), ['update_document']);
  return { documentId, chat, threadId, name, paused };
}

/** What the stream of a message ends with. */
async function said(http, chat, threadId, content) {
  const chunks = [];
  const body = { messages: [{ role: 'user', content }], stream: true, thread_id: threadId };
  await http.stream(chat, body, (chunk) => chunks.push(chunk));
  assert.equal(chunks.at(-1).type, 'done');
  return chunks.at(-1).result;
}

const nameOf = async (documentId) => (await org.getDocument({ documentId, fileType: 'original' })).document_name;

test('a card is there after a reload, and can still be decided on', async () => {
  const { documentId, chat, threadId, name, paused } = await waitingCard();
  const reloaded = newOrg().getHttpClient();
  const { messages } = await reloaded.get(`${chat}/threads/${threadId}`);
  const card = messages.at(-1);
  assert.deepEqual(card.tool_calls, paused.tool_calls.map((call) => ({ ...call, approved: null })));
  const approvals = card.tool_calls.map((call) => ({ call_id: call.id, approved: true }));
  const decided = { turn_id: card.turn_id, approvals, thread_id: threadId };
  assert.equal((await reloaded.post(`${chat}/approve`, decided)).state, 'completed');
  assert.equal(await nameOf(documentId), name);
});

test('a message while a card waits is a no to it', async () => {
  const { documentId, chat, threadId, name, paused } = await waitingCard();
  const answer = await said(http, chat, threadId, 'hello');
  assert.equal(answer.state, 'completed');
  assert.notEqual(answer.turn, paused.turn_id);
  assert.notEqual(await nameOf(documentId), name);
  const { messages } = await http.get(`${chat}/threads/${threadId}`);
  const verdicts = messages.flatMap((message) => message.decisions ?? []);
  assert.deepEqual(verdicts.map((verdict) => [verdict.call_id, verdict.approved]), [[paused.tool_calls[0].id, false]]);
  const late = { turn_id: paused.turn_id, approvals: [{ call_id: paused.tool_calls[0].id, approved: true }] };
  await assert.rejects(http.post(`${chat}/approve`, late));
  assert.notEqual(await nameOf(documentId), name);
});
