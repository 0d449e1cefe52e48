// Stop as DocRouter's page does it: the request is aborted. Needs a model that does not finish what it says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newOrg, pdf, upload, workspace } from './workspace.js';

const org = newOrg();
const http = org.getHttpClient();
const LONGEST_WAIT_MS = 60_000;

test('an aborted stream stops its turn', async () => {
  const documentId = await upload(org, 'invoice.pdf', pdf());
  const chat = `/v0/orgs/${workspace.organization_id}/documents/${documentId}/chat`;
  const { thread_id: threadId } = await http.post(`${chat}/threads`, {});
  const page = new AbortController();
  const body = { messages: [{ role: 'user', content: 'Talk' }], stream: true, thread_id: threadId };
  // Node's fetch may say nothing more of what was aborted. What matters is what the server does.
  await new Promise((left) => {
    const leave = () => left(page.abort());
    http.stream(chat, body, leave, () => {}, page.signal);
  });
  assert.equal(await endOf(`${chat}/threads/${threadId}`), 'stopped');
});

/** The state of the thread's turn, once it is over. */
async function endOf(thread) {
  for (const begun = Date.now(); Date.now() - begun < LONGEST_WAIT_MS; await sleep(100)) {
    const [turn] = (await http.get(thread)).turns;
    if (turn.state !== 'running') return turn.state;
  }
  return 'running';
}
