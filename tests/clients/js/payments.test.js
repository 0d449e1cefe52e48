// Credits and usage; nothing can be bought.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiError, newAccount, newAdmin, newOrg, workspace } from './workspace.js';

const orgId = workspace.organization_id;
const account = newAccount();
const org = newOrg();
const adminOnly = apiError(403, 'Admin access required');
const notSetUp = (error) => error.status === 400 && error.message.startsWith('Payments are not set up');
const day = (offset) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
const range = { start_date: day(-1), end_date: day(2) };

test('usage and credits', async () => {
  const usage = await org.getCurrentUsage();
  assert.equal(usage.data.usage_unit, 'spu');
  assert.equal(usage.data.granted_credits_remaining, usage.data.granted_credits - usage.data.granted_credits_used);
  assert.deepEqual(await account.getCurrentUsage(orgId), usage);

  const added = await newAdmin().addCredits(orgId, 5);
  assert.deepEqual([added.credits_added, added.new_balance], [5, usage.data.granted_credits_remaining + 5]);
  await assert.rejects(org.addCredits(5), adminOnly);
  await assert.rejects(account.addCredits(orgId, 5), adminOnly);

  await org.getHttpClient().post(`/v0/orgs/${orgId}/payments/usage`, { spus: 2, operation: 'document_llm' });
  const { data_points: points, total_spus: total } = await org.getUsageRange(range);
  assert.ok(points.some((point) => point.operation === 'document_llm' && point.source === 'backend'));
  assert.ok(total >= 2);
  assert.deepEqual(await account.getUsageRange(orgId, range), { data_points: points, total_spus: total });
});

test('what would need a payment provider', async () => {
  const config = { price_per_credit: 0, currency: 'usd', min_cost: 0, max_cost: 0 };
  const portal = { payment_portal_url: '', stripe_enabled: false };
  const purchase = { credits: 5, success_url: 'http://a', cancel_url: 'http://b' };
  assert.deepEqual(await org.getCreditConfig(), config);
  assert.deepEqual(await account.getCreditConfig(orgId), config);
  assert.deepEqual(await org.getCustomerPortal(), portal);
  assert.deepEqual(await account.getCustomerPortal(orgId), portal);
  assert.equal((await org.getSubscription()).stripe_enabled, false);
  assert.equal((await account.getSubscription(orgId)).current_plan, null);
  await assert.rejects(org.activateSubscription(), notSetUp);
  await assert.rejects(account.activateSubscription(orgId), notSetUp);
  await assert.rejects(org.cancelSubscription(), notSetUp);
  await assert.rejects(account.cancelSubscription(orgId), notSetUp);
  await assert.rejects(org.purchaseCredits(purchase), notSetUp);
  await assert.rejects(account.purchaseCredits(orgId, purchase), notSetUp);
  await assert.rejects(org.createCheckoutSession('team'), notSetUp);
  await assert.rejects(account.createCheckoutSession(orgId, 'team'), notSetUp);
});
