// Organisations, and tokens of accounts and organisations.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNKNOWN, apiError, isAboutNow, newAccount, newAdmin, newOrg, unique, workspace } from './workspace.js';

const account = newAccount();
const invalidToken = apiError(401, 'Invalid authentication credentials: invalid token');

test('organisations: create, get, list, update, delete', async () => {
  const name = unique('Globex');
  const created = await account.createOrganization({ name, type: 'individual' });
  assert.deepEqual([created.name, created.type], [name, 'individual']);
  assert.deepEqual(created.members, [{ user_id: workspace.user_id, role: 'admin' }]);
  assert.ok(isAboutNow(created.created_at));
  await assert.rejects(
    account.createOrganization({ name: name.toUpperCase() }),
    apiError(400, `An organization named '${name.toUpperCase()}' already exists`),
  );

  assert.equal((await account.getOrganization(created.id)).name, name);
  const ids = async (params) =>
    (await account.listOrganizations(params)).organizations.map((each) => each.id);
  assert.deepEqual(await ids({ nameSearch: name }), [created.id]);
  assert.deepEqual(await ids({ userId: workspace.user_id, limit: 1 }), [created.id]);
  assert.ok((await ids({ memberSearch: 'Ada', skip: 0, limit: 100 })).includes(created.id));
  assert.ok((await ids()).includes(created.id));
  await assert.rejects(
    ids({ userId: workspace.user_id, organizationId: created.id }),
    apiError(400, 'Cannot specify both user_id and organization_id'),
  );

  const changed = await account.updateOrganization(created.id, { name: `${name}!`, type: 'team' });
  assert.deepEqual([changed.name, changed.type], [`${name}!`, 'team']);
  await assert.rejects(account.updateOrganization(created.id, { type: 'individual' }), { status: 400 });
  await assert.rejects(
    account.updateOrganization(created.id, { members: [{ user_id: workspace.user_id, role: 'user' }] }),
    apiError(400, 'Organization must have at least one admin'),
  );
  await assert.rejects(account.updateOrganization(created.id, { type: 'enterprise' }), (error) => {
    assert.equal(error.status, 403);
    assert.match(error.message, /Only system administrators can upgrade organizations to Enterprise/);
    return true;
  });

  assert.deepEqual(await account.deleteOrganization(created.id), { status: 'success' });
  await assert.rejects(account.getOrganization(created.id), apiError(404, 'Organization not found'));
});

test('organisations: a change that names no type keeps it', async () => {
  const team = await account.createOrganization({ name: unique('Team'), type: 'team' });
  const changed = await account.updateOrganization(team.id, { name: unique('Renamed') });
  assert.equal(changed.type, 'team');
  await account.deleteOrganization(team.id);
});

test('account tokens: create, list, use, delete', async () => {
  const created = await account.createAccountToken({ name: 'second', lifetime: 30 });
  assert.match(created.token, /^acc_/);
  assert.deepEqual([created.name, created.lifetime, created.organization_id], ['second', 30, null]);
  assert.equal(created.user_id, workspace.user_id);

  const listed = await account.getAccountTokens();
  const found = listed.find((each) => each.id === created.id);
  assert.equal(found.token, created.token.slice(0, 10));
  assert.ok(listed.every((each) => each.token.length === 10));

  const second = newAccount(created.token);
  assert.ok((await second.listOrganizations()).total_count >= 1);
  assert.deepEqual(await account.deleteAccountToken(created.id), { message: 'Token deleted successfully' });
  await assert.rejects(second.listOrganizations(), invalidToken);
  await assert.rejects(account.deleteAccountToken(created.id), apiError(404, 'Token not found'));
});

test('organisation tokens with an account token, which the original refuses', async () => {
  const { organization_id: organizationId } = workspace;
  const created = await account.createOrganizationToken({ name: 'made here', lifetime: 0 }, organizationId);
  assert.match(created.token, /^org_/);
  assert.equal(created.organization_id, organizationId);

  const listed = await account.getOrganizationTokens(organizationId);
  assert.deepEqual(
    listed.filter((each) => each.id === created.id).map((each) => each.token),
    [created.token.slice(0, 10)],
  );

  const org = newOrg(created.token);
  assert.ok((await org.listTags()).total_count >= 0);
  const deleted = await account.deleteOrganizationToken(created.id, organizationId);
  assert.deepEqual(deleted, { message: 'Token deleted successfully' });
  await assert.rejects(org.listTags(), invalidToken);
});

test('an organisation token opens no other organisation of its user', async () => {
  const other = await account.createOrganization({ name: unique('Other'), type: 'team' });
  const withOrgToken = newAccount(workspace.org_token);
  await assert.rejects(
    withOrgToken.createOrganizationToken({ name: 'escape', lifetime: 0 }, other.id),
    invalidToken,
  );
  await assert.rejects(withOrgToken.getOrganizationTokens(other.id), invalidToken);
  await assert.rejects(withOrgToken.deleteOrganizationToken(UNKNOWN, other.id), invalidToken);
  await assert.rejects(withOrgToken.listOrganizations(), invalidToken);
  await account.deleteOrganization(other.id);
});

test('getOrganizationFromToken', async () => {
  assert.deepEqual(await account.getOrganizationFromToken(workspace.org_token), {
    organization_id: workspace.organization_id,
    organization_name: workspace.organization_name,
    organization_type: 'team',
  });
  assert.deepEqual(await account.getOrganizationFromToken(workspace.account_token), {
    organization_id: null,
    organization_name: null,
    organization_type: null,
  });
  for (const unknown of ['org_unknown &=%', '']) {
    await assert.rejects(account.getOrganizationFromToken(unknown), apiError(401, 'Invalid token'));
  }
});

test('somebody else sees and changes nothing', async () => {
  const admin = newAdmin();
  const foreign = await admin.createOrganization({ name: unique('Foreign'), type: 'team' });
  const notMine = apiError(403, 'You are not a member of this organization');
  await assert.rejects(
    account.getOrganization(foreign.id),
    apiError(403, 'Not authorized to view this organization'),
  );
  await assert.rejects(
    account.updateOrganization(foreign.id, { name: 'mine now' }),
    apiError(403, 'You are not an admin of this organization'),
  );
  await assert.rejects(account.getOrganizationTokens(foreign.id), notMine);
  await assert.rejects(account.createOrganizationToken({ name: 'x', lifetime: 0 }, foreign.id), notMine);
  await admin.deleteOrganization(foreign.id);
});
