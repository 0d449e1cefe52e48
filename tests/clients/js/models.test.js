// Providers of models, and free-form chat with a model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiError, newAccount, newAdmin, newOrg, workspace } from './workspace.js';

const account = newAdmin();
const org = newOrg(workspace.admin_token);
const adminOnly = apiError(403, 'Admin access required');
const request = { model: 'docagent-offline', messages: [{ role: 'user', content: 'Hello' }] };

test('providers: list and set up', async () => {
  const updated = { message: 'LLM provider config updated successfully' };
  const groq = async () => (await account.listLLMProviders()).providers.find(({ name }) => name === 'groq');
  const before = await groq();
  assert.ok(before.litellm_models_available.length > 0);
  assert.equal(before.token, null);
  const key = 'gsk_0123456789012345678901234567890123456789012345';
  const config = { litellm_models_enabled: null, enabled: true, token: key };
  assert.deepEqual(await account.setLLMProviderConfig('groq', config), updated);
  const after = await groq();
  assert.equal(after.token, `${key.slice(0, 16)}******`);
  assert.ok(Date.parse(after.token_created_at));
  assert.deepEqual(await account.setLLMProviderConfig('groq', { ...config, token: '' }), updated);
  assert.equal((await groq()).token, null);
  await assert.rejects(
    account.setLLMProviderConfig('zzz', config),
    apiError(400, "Provider 'zzz' not found"),
  );
  await assert.rejects(newAccount().listLLMProviders(), adminOnly);
});

test('chat: a whole answer', async () => {
  const withOrgToken = await newOrg().runLLMChat(request);
  for (const answer of [withOrgToken, await org.runLLMChat(request), await account.runLLMChat(request)]) {
    assert.equal(answer.object, 'chat.completion');
    assert.equal(answer.model, 'docagent-offline');
    assert.ok(answer.choices[0].message.content.length > 0);
    assert.equal(answer.usage.total_tokens, answer.usage.prompt_tokens + answer.usage.completion_tokens);
  }
  await assert.rejects(org.runLLMChat({ ...request, model: 'zz' }), apiError(400, /^Invalid model: zz\. /));
  await assert.rejects(newAccount().runLLMChat(request), adminOnly);
});

test('chat: a stream', async () => {
  const whole = (await org.runLLMChat(request)).choices[0].message.content;
  const http = org.getHttpClient();
  const path = `/v0/orgs/${workspace.organization_id}/llm/run`;
  for (const start of [
    (onChunk) => org.runLLMChatStream(request, onChunk),
    (onChunk) => account.runLLMChatStream(request, onChunk),
    (onChunk) => http.stream(path, { ...request, stream: true }, onChunk),
  ]) {
    const chunks = [];
    await start((chunk) => chunks.push(chunk));
    assert.deepEqual(chunks.at(-1), { chunk: '', done: true });
    assert.equal(chunks.map(({ chunk }) => chunk).join(''), whole);
  }
  await assert.rejects(
    org.runLLMChatStream({ ...request, model: 'zz' }, () => {}),
    /HTTP error! status: 400/,
  );
});
