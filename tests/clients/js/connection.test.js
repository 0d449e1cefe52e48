// Models, errors, credentials, and the HTTP client beneath.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HttpClient } from '@docrouter/sdk';
import { UNKNOWN, apiError, newAccount, newAdmin, newOrg, unique, workspace } from './workspace.js';

const org = newOrg();
const account = newAccount();
const noCredentials = 'No authentication credentials provided';
const invalidToken = 'Invalid authentication credentials: invalid token';
const tags = `/v0/orgs/${workspace.organization_id}/tags`;

test('listLLMModels of an organisation are names', async () => {
  const { models } = await org.listLLMModels();
  assert.ok(models.includes('docagent-offline'));
  assert.ok(models.every((name) => typeof name === 'string'));
});

test('listLLMModels of an account have limits and prices, with either kind of token', async () => {
  for (const account of [newAccount(), newAdmin(), newAccount(workspace.org_token)]) {
    const { models, chat_models: chatModels } = await account.listLLMModels({ llmEnabled: false });
    assert.deepEqual(models.map((model) => model.litellm_model), chatModels.map((model) => model.litellm_model));
    for (const model of models) {
      assert.ok(model.litellm_model && model.litellm_provider);
      assert.ok(model.max_input_tokens > 0 && model.max_output_tokens > 0);
      assert.ok(model.input_cost_per_token >= 0 && model.output_cost_per_token >= 0);
    }
  }
  const openai = await account.listLLMModels({ providerName: 'openai', llmEnabled: false });
  assert.ok(openai.models.some((model) => model.litellm_model === 'gpt-4o-mini'));
  assert.ok(openai.models.every((model) => model.litellm_provider === 'openai'));
  const running = await account.listLLMModels({ providerEnabled: true });
  const lasting = running.models.filter((model) => !model.litellm_provider.startsWith('made-')); // by other tests
  assert.deepEqual(lasting.map((model) => model.litellm_model), ['docagent-offline']);
});

test('errors carry the detail as message, the status and the body', async () => {
  await assert.rejects(org.getTag({ tagId: UNKNOWN }), (error) => {
    assert.ok(error instanceof Error);
    assert.deepEqual([error.message, error.status], ['Tag not found', 404]);
    assert.equal(error.details.detail, 'Tag not found');
    return true;
  });
  await assert.rejects(org.getTag({ tagId: 'not an id' }), apiError(404, 'Tag not found'));
  await assert.rejects(org.createTag({ tag: {} }), (error) => {
    assert.equal(error.status, 422);
    const [problem] = error.details.detail;
    assert.deepEqual([problem.type, problem.loc, problem.msg], ['missing', ['body', 'name'], 'Field required']);
    return true;
  });
});

test('an unknown token is refused; the client tries twice and then tells', async () => {
  const told = [];
  const wrong = newOrg('org_unknown', { onAuthError: (error) => told.push(error) });
  await assert.rejects(wrong.listTags(), apiError(401, invalidToken));
  await assert.rejects(wrong.createTag({ tag: { name: unique('tag') } }), apiError(401, invalidToken));
  assert.deepEqual(told, []);
});

test('without a token the client tells its owner', async () => {
  const told = [];
  const nobody = newOrg('', { onAuthError: (error) => told.push(error.response.data.detail) });
  await assert.rejects(nobody.listTags(), apiError(401, noCredentials));
  assert.deepEqual(told, [noCredentials]);
});

test('updateToken takes effect at once', async () => {
  const org = newOrg('org_unknown');
  await assert.rejects(org.listTags(), apiError(401, invalidToken));
  org.updateToken(workspace.org_token);
  assert.equal((await org.listTags()).skip, 0);

  const account = newAccount('acc_unknown');
  await assert.rejects(account.listOrganizations(), apiError(401, invalidToken));
  account.updateToken(workspace.account_token);
  assert.ok((await account.listOrganizations()).total_count >= 1);
});

test('each kind of token stays where it belongs', async () => {
  await assert.rejects(newAccount(workspace.org_token).listUsers(), apiError(401, invalidToken));
  await assert.rejects(
    newOrg(workspace.admin_token).listTags(),
    apiError(403, 'You are not a member of this organization'),
  );
  assert.equal((await newOrg(workspace.account_token).listTags()).skip, 0);
});

test('the HTTP client of a client can be used by itself', async () => {
  const http = org.getHttpClient();
  const tag = await http.post(tags, { name: unique('raw') });
  assert.deepEqual(await http.get(`${tags}/${tag.id}`), tag);
  assert.equal((await http.put(`${tags}/${tag.id}`, { name: `${tag.name}!` })).name, `${tag.name}!`);
  assert.equal((await http.request({ method: 'get', url: tags, params: { limit: 1 } })).tags.length, 1);
  assert.deepEqual(await http.delete(`${tags}/${tag.id}`), { message: 'Tag deleted successfully' });
  assert.ok((await account.getHttpClient().get('/v0/account/organizations')).total_count >= 1);
});

test('a token provider is asked for the token', async () => {
  const http = new HttpClient({ baseURL: workspace.base_url });
  await assert.rejects(http.get(tags), apiError(401, noCredentials));
  http.updateTokenProvider(async () => workspace.org_token);
  assert.equal((await http.get(tags)).skip, 0);
  http.updateToken('org_unknown');
  await assert.rejects(http.get(tags), apiError(401, invalidToken));
});
