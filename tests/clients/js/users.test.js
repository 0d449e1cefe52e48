// Users, invitations, and what would need an outside service: verified addresses, AWS.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNKNOWN, apiError, isAboutNow, newAccount, newAdmin, unique, workspace } from './workspace.js';

const account = newAdmin();
const plainUser = newAccount();
const newEmail = () => `${unique('user').replace(' ', '-')}@example.com`;
const adminOnly = apiError(403, 'Admin access required');

test('users: create, get, list, update, delete', async () => {
  const email = newEmail();
  const user = await account.createUser({ email, name: 'Grace Hopper', password: 'a long password' });
  assert.deepEqual([user.email, user.name, user.role], [email, 'Grace Hopper', 'user']);
  assert.deepEqual([user.has_password, user.has_seen_tour, user.email_verified], [true, false, false]);
  assert.ok(isAboutNow(user.created_at));
  assert.deepEqual(await account.getUser(user.id), user);
  await assert.rejects(
    account.createUser({ email, name: 'Again', password: 'a long password' }),
    apiError(400, 'Email already registered'),
  );

  const found = await account.listUsers({ search_name: email });
  assert.deepEqual(found, { users: [user], total_count: 1, skip: 0 });
  const members = await account.listUsers({ organization_id: workspace.organization_id });
  assert.deepEqual(members.users.map((each) => each.id), [workspace.user_id]);
  const page = await account.listUsers({ skip: 1, limit: 1 });
  assert.deepEqual([page.users.length, page.skip], [1, 1]);
  assert.ok((await account.listUsers()).total_count >= 2);

  const changed = await account.updateUser(user.id, {
    name: 'Admiral Hopper',
    email: 'ignored@example.com',
    email_verified: true,
    has_seen_tour: true,
  });
  const expected = { ...user, name: 'Admiral Hopper', email_verified: true, has_seen_tour: true };
  assert.deepEqual(changed, expected);
  await assert.rejects(
    account.updateUser(user.id, { email: 'ignored@example.com' }),
    apiError(400, 'No valid update data provided'),
  );

  assert.equal(await account.deleteUser(user.id), undefined);
  await assert.rejects(account.getUser(user.id), apiError(404, 'User not found'));
});

test('users: a plain user changes their own name alone', async () => {
  await assert.rejects(
    plainUser.createUser({ email: newEmail(), name: 'x', password: 'a long password' }),
    adminOnly,
  );
  const changed = await plainUser.updateUser(workspace.user_id, { name: 'Ada', has_seen_tour: true });
  assert.deepEqual([changed.name, changed.has_seen_tour], ['Ada', true]);
  await assert.rejects(plainUser.updateUser(workspace.user_id, { role: 'admin' }), { status: 400 });
});

test('e-mail verification is refused', async () => {
  const user = await account.createUser({ email: newEmail(), name: 'New', password: 'a long password' });
  for (const send of [account.sendVerificationEmail, account.sendRegistrationVerificationEmail]) {
    await assert.rejects(send.call(account, user.id), { status: 400 });
    await assert.rejects(send.call(account, UNKNOWN), apiError(404, 'User not found'));
  }
  await account.updateUser(user.id, { email_verified: true });
  await assert.rejects(account.sendVerificationEmail(user.id), apiError(400, 'Email already verified'));
  await assert.rejects(
    account.sendRegistrationVerificationEmail(user.id),
    apiError(400, 'Email already verified'),
  );
  await assert.rejects(account.verifyEmail('unknown'), apiError(400, 'Invalid verification token'));
  await account.deleteUser(user.id);
});

test('invitations: create, list, get, accept', async () => {
  const email = newEmail();
  const organizationId = workspace.organization_id;
  const invitation = { email, organization_id: organizationId, role: 'user' };
  const created = await account.createInvitation(invitation);
  assert.deepEqual([created.email, created.organization_id, created.role], [email, organizationId, 'user']);
  assert.equal(created.organization_name, workspace.organization_name);
  assert.ok(isAboutNow(created.created_at) && created.expires_at > created.created_at);

  const { invitations, total_count: total, skip } = await account.getInvitations({ skip: 0, limit: 5 });
  assert.deepEqual([invitations.map((each) => each.id), total, skip], [[created.id], 1, 0]);

  const token = created.link.split('#')[1];
  assert.equal((await account.getInvitation(token)).id, created.id);
  await assert.rejects(account.acceptInvitation(token, { name: 'x', password: 'short' }), { status: 400 });
  const accepted = await account.acceptInvitation(token, { name: 'Grace', password: 'a long password' });
  assert.equal(typeof accepted.message, 'string');
  const members = await account.listUsers({ organization_id: organizationId });
  const joined = members.users.find((each) => each.email === email);
  assert.equal(joined.name, 'Grace');
  assert.equal((await account.getInvitations()).total_count, 0);

  const unknown = apiError(404, 'Invitation not found');
  await assert.rejects(account.getInvitation(token), unknown);
  await assert.rejects(account.acceptInvitation('unknown', { name: 'x', password: 'y' }), unknown);
  await account.deleteUser(joined.id);
});

test('whoever is added by a plain administrator is invited instead', async () => {
  const stranger = await account.createUser({ email: newEmail(), name: 'New', password: 'a long password' });
  const organizationId = workspace.organization_id;
  const me = { user_id: workspace.user_id, role: 'admin' };
  const members = [me, { user_id: stranger.id, role: 'user' }];
  const changed = await plainUser.updateOrganization(organizationId, { members });
  assert.deepEqual(changed.members, [me]);
  const { invitations } = await plainUser.getInvitations();
  assert.deepEqual(
    invitations.map((each) => [each.email, each.organization_id, each.role]),
    [['', organizationId, 'user']],
  );
  await assert.rejects(plainUser.getUser(stranger.id), { status: 403 });
  await account.deleteUser(stranger.id);
});

test('AWS keys: bad ones are refused, good ones come back masked', async () => {
  const none = { access_key_id: '', secret_access_key: '', s3_bucket_name: '' };
  const good = {
    access_key_id: 'AKIAIOSFODNN7EXAMPLE',
    secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    s3_bucket_name: 'invoices',
  };
  for (const bad of [{ access_key_id: 'nonsense' }, { secret_access_key: 'short' }, { s3_bucket_name: 'X' }]) {
    await assert.rejects(account.createAWSConfig({ ...good, ...bad }), { status: 400 });
  }
  assert.deepEqual(await account.getAWSConfig(), none);

  await account.createAWSConfig(good);
  const kept = await account.getAWSConfig();
  assert.equal(kept.s3_bucket_name, 'invoices');
  assert.match(kept.access_key_id, /^AKIA\*+$/);
  assert.match(kept.secret_access_key, /^wJal\*+$/);
  await assert.rejects(plainUser.getAWSConfig(), adminOnly);
  await account.deleteAWSConfig();
  assert.deepEqual(await account.getAWSConfig(), none);
});
