// Stop as clients do it: the request is aborted. Needs a model that does not finish what it says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpAgent } from '@ag-ui/client';
import { newOrg, pdf, unique, upload, workspace } from './workspace.js';

const org = newOrg();
const http = org.getHttpClient();
const turns = `/v0/orgs/${workspace.organization_id}/turns`;
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

test('abortRun() of AG-UI stops the turn, and the thread takes another message at once', async () => {
  const agent = await newAgent();
  const first = await begun(agent);
  agent.abortRun();
  const second = await begun(agent);
  assert.equal(await stateOf(first), 'stopped');
  agent.abortRun();
  assert.equal(await overAs(second), 'stopped');
});

test('abortRun() leaves a turn in the background running', async () => {
  const left = await newAgent();
  const stays = await begun(left, { forwardedProps: { docagent: { background: true } } });
  left.abortRun();
  const later = await newAgent();
  const goes = await begun(later);
  later.abortRun();
  assert.equal(await overAs(goes), 'stopped');
  assert.equal(await stateOf(stays), 'running');
  await http.post(`${turns}/${stays}/stop`, {});
});

async function newAgent() {
  const documentId = await upload(org, 'invoice.pdf', pdf());
  const url = `${workspace.base_url}/v0/orgs/${workspace.organization_id}/documents/${documentId}/ag-ui`;
  return new HttpAgent({ url, headers: { Authorization: `Bearer ${workspace.org_token}` } });
}

/** Says something, and gives back the turn once its answer has begun. The client says nothing of a run that it left. */
async function begun(agent, parameters = {}) {
  agent.addMessage({ id: unique('message'), role: 'user', content: 'Talk' });
  let turnId;
  return new Promise((found, failed) => {
    const onRunStartedEvent = ({ event }) => void (turnId = event.metadata.docagent.turn_id);
    const onTextMessageContentEvent = () => found(turnId);
    agent.runAgent(parameters, { onRunStartedEvent, onTextMessageContentEvent }).catch(failed);
  });
}

const stateOf = async (turnId) => (await http.get(`${turns}/${turnId}`)).state;

const overAs = (turnId) => noLongerRunning(() => stateOf(turnId));

/** The state of the thread's turn, once it is over. */
const endOf = (thread) => noLongerRunning(async () => (await http.get(thread)).turns[0].state);

async function noLongerRunning(stateNow) {
  for (const begun = Date.now(); Date.now() - begun < LONGEST_WAIT_MS; await sleep(100)) {
    const state = await stateNow();
    if (state !== 'running') return state;
  }
  return 'running';
}
