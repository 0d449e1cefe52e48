// Forms and what is filled in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNKNOWN, isAboutNow, newOrg, unique, upload } from './workspace.js';

const org = newOrg();

const formFormat = (label) => ({
  json_formio: [{ type: 'textfield', key: 'total', label, input: true }],
  json_formio_mapping: {
    total: {
      sources: [
        {
          promptRevId: UNKNOWN,
          promptName: 'Invoice',
          schemaFieldPath: 'total',
          schemaFieldName: 'total',
          schemaFieldType: 'string',
        },
      ],
      mappingType: 'direct',
    },
  },
});

test('forms: create, get, list, update, versions, delete', async () => {
  const name = unique('Review');
  const first = await org.createForm({ name, response_format: formFormat('Total') });
  assert.deepEqual([first.name, first.form_version, first.tag_ids], [name, 1, []]);
  assert.deepEqual(first.response_format, formFormat('Total'));
  assert.deepEqual(await org.getForm({ formRevId: first.form_revid }), first);

  const tag = await org.createTag({ tag: { name: unique('tag') } });
  const formId = first.form_id;
  const form = { name, response_format: formFormat('Sum'), tag_ids: [tag.id] };
  const second = await org.updateForm({ formId, form });
  assert.deepEqual([second.form_id, second.form_version, second.tag_ids], [formId, 2, [tag.id]]);
  const versions = await org.listFormVersions({ formId });
  assert.deepEqual(versions, { forms: [second, first], total_count: 2, skip: 0 });

  const listed = await org.listForms({ skip: 0, limit: 100 });
  assert.deepEqual(listed.forms.filter((each) => each.form_id === formId), [second]);
  assert.ok((await org.listForms()).total_count >= 1);
  await org.createForm({ name: unique('Untagged'), response_format: formFormat('x') });
  assert.deepEqual(await org.listForms({ tag_ids: tag.id }), { forms: [second], total_count: 1, skip: 0 });

  assert.deepEqual(await org.deleteForm({ formId }), { message: 'Form deleted successfully' });
  await assert.rejects(org.getForm({ formRevId: second.form_revid }), { status: 404 });
});

test('submissions: submit, submit again, get, delete', async () => {
  const form = await org.createForm({ name: unique('Filled'), response_format: formFormat('Total') });
  const documentId = await upload(org, 'filled.txt', 'x');
  const which = { documentId, formRevId: form.form_revid };
  assert.equal(await org.getFormSubmission(which), null);

  const submission_data = { total: '12.50', lines: [{ name: 'Ä', price: 1.5 }] };
  const first = await org.submitForm({ ...which, submission_data, submitted_by: 'ada' });
  assert.deepEqual([first.form_revid, first.submitted_by], [form.form_revid, 'ada']);
  assert.equal(first.organization_id, org.organizationId);
  assert.deepEqual(first.submission_data, submission_data);
  assert.ok(isAboutNow(first.created_at));
  assert.deepEqual(await org.getFormSubmission(which), first);

  const second = await org.submitForm({ ...which, submission_data: { total: '13' } });
  assert.equal(second.id, first.id);
  assert.deepEqual((await org.getFormSubmission(which)).submission_data, { total: '13' });

  assert.equal(await org.deleteFormSubmission(which), undefined);
  assert.equal(await org.getFormSubmission(which), null);
});

test('submissions: the form and the document must exist', async () => {
  const form = await org.createForm({ name: unique('Lonely'), response_format: {} });
  const documentId = await upload(org, 'lonely.txt', 'x');
  for (const which of [
    { documentId: UNKNOWN, formRevId: form.form_revid },
    { documentId, formRevId: UNKNOWN },
  ]) {
    await assert.rejects(org.submitForm({ ...which, submission_data: {} }), { status: 404 });
  }
});
