// Tags, schemas and prompts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNKNOWN, apiError, isAboutNow, newOrg, responseFormat, unique, upload } from './workspace.js';

const org = newOrg();

test('tags: create, get, list, update, delete', async () => {
  const name = unique('Invoices');
  const tag = await org.createTag({ tag: { name, color: '#FF5733', description: 'All invoices' } });
  assert.deepEqual([tag.name, tag.color, tag.description], [name, '#FF5733', 'All invoices']);
  assert.ok(isAboutNow(tag.created_at));
  assert.deepEqual(await org.getTag({ tagId: tag.id }), tag);

  const found = await org.listTags({ nameSearch: name.toUpperCase() });
  assert.deepEqual(found, { tags: [tag], total_count: 1, skip: 0 });
  assert.equal((await org.listTags({ skip: 0, limit: 1 })).tags.length, 1);
  assert.ok((await org.listTags()).total_count >= 1);

  const renamed = await org.updateTag({ tagId: tag.id, tag: { name: `${name}!`, description: 'Some' } });
  assert.deepEqual(renamed, { ...tag, name: `${name}!`, description: 'Some' });
  await assert.rejects(
    org.createTag({ tag: { name: `${name}!` } }),
    apiError(400, `Tag with name '${name}!' already exists`),
  );

  const documentId = await upload(org, 'tagged.txt', 'x', { tag_ids: [tag.id] });
  await assert.rejects(
    org.deleteTag({ tagId: tag.id }),
    apiError(400, `Cannot delete tag '${name}!' because it is assigned to one or more documents`),
  );
  await org.deleteDocument({ documentId });
  assert.deepEqual(await org.deleteTag({ tagId: tag.id }), { message: 'Tag deleted successfully' });
  await assert.rejects(org.getTag({ tagId: tag.id }), apiError(404, 'Tag not found'));
});

test('schemas: create, get, list, update, versions, delete', async () => {
  const name = unique('Invoice');
  const first = await org.createSchema({ name, response_format: responseFormat() });
  assert.deepEqual([first.name, first.schema_version], [name, 1]);
  assert.deepEqual(first.response_format, responseFormat());
  assert.deepEqual(await org.getSchema({ schemaRevId: first.schema_revid }), first);

  const schemaId = first.schema_id;
  const second = await org.updateSchema({ schemaId, schema: { response_format: responseFormat('due_date') } });
  assert.deepEqual([second.schema_id, second.schema_version], [schemaId, 2]);
  const renamed = await org.updateSchema({ schemaId, schema: { name: `${name}!` } });
  assert.deepEqual(renamed, { ...second, name: `${name}!` });
  await assert.rejects(org.updateSchema({ schemaId, schema: {} }), { status: 422 });

  const listed = await org.listSchemas({ nameSearch: name });
  assert.deepEqual(listed, { schemas: [renamed], total_count: 1, skip: 0 });
  const versions = await org.listSchemaVersions({ schemaId });
  assert.deepEqual(versions.schemas.map((each) => each.schema_version), [2, 1]);
  assert.deepEqual([versions.total_count, versions.skip], [2, 0]);

  assert.deepEqual(await org.deleteSchema({ schemaId }), { message: 'Schema deleted successfully' });
  for (const { schema_revid: schemaRevId } of [first, second]) {
    await assert.rejects(org.getSchema({ schemaRevId }), { status: 404 });
  }
});

test('schemas: of the same name become versions', async () => {
  const name = unique('Twice');
  const first = await org.createSchema({ name, response_format: responseFormat() });
  const second = await org.createSchema({ name: name.toUpperCase(), response_format: responseFormat('b') });
  assert.deepEqual([second.schema_id, second.schema_version], [first.schema_id, 2]);
});

test('validateAgainstSchema', async () => {
  const schema = await org.createSchema({ name: unique('Checked'), response_format: responseFormat() });
  const validate = (data) => org.validateAgainstSchema({ schemaRevId: schema.schema_revid, data });
  assert.deepEqual(await validate({ invoice_date: '2026-11-15' }), { valid: true });
  const answer = await validate({ invoice_date: 7 });
  assert.equal(answer.valid, false);
  assert.deepEqual(answer.errors.map((error) => error.path), ['invoice_date']);
});

test('prompts: create, get, list, update, versions, delete', async () => {
  const schema = await org.createSchema({ name: unique('Linked'), response_format: responseFormat() });
  const tag = await org.createTag({ tag: { name: unique('tag') } });
  const name = unique('Extractor');
  const prompt = {
    name,
    content: 'Extract the fields.',
    schema_id: schema.schema_id,
    tag_ids: [tag.id],
    model: 'gpt-4o-mini',
  };
  const first = await org.createPrompt({ prompt });
  assert.deepEqual({ ...first, ...prompt }, first);
  assert.deepEqual([first.prompt_version, first.schema_version], [1, 1]);
  assert.deepEqual(await org.getPrompt({ promptRevId: first.prompt_revid }), first);

  const promptId = first.prompt_id;
  const second = await org.updatePrompt({ promptId, prompt: { ...prompt, content: 'Shorter.' } });
  assert.deepEqual([second.prompt_id, second.prompt_version, second.content], [promptId, 2, 'Shorter.']);
  const versions = await org.listPromptVersions({ promptId });
  assert.deepEqual(versions, { prompts: [second, first], total_count: 2, skip: 0 });

  const documentId = await upload(org, 'tagged.txt', 'x', { tag_ids: [tag.id] });
  for (const params of [{ nameSearch: name }, { tag_ids: tag.id }, { document_id: documentId }]) {
    assert.deepEqual(await org.listPrompts(params), { prompts: [second], total_count: 1, skip: 0 });
  }
  assert.ok((await org.listPrompts()).total_count >= 1);
  await assert.rejects(org.listPrompts({ document_id: UNKNOWN }), apiError(404, 'Document not found'));

  await assert.rejects(org.deleteSchema({ schemaId: schema.schema_id }), (error) => {
    assert.equal(error.status, 400);
    assert.match(error.message, /^Cannot delete schema because it has dependent prompts:/);
    return true;
  });
  assert.deepEqual(await org.deletePrompt({ promptId }), { message: 'Prompt deleted successfully' });
  await assert.rejects(org.getPrompt({ promptRevId: second.prompt_revid }), apiError(404, 'Prompt not found'));
});

test('prompts: what they name must exist', async () => {
  const create = (more) => org.createPrompt({ prompt: { name: unique('p'), content: 'c', ...more } });
  await assert.rejects(create({ schema_id: UNKNOWN }), apiError(404, `Schema with ID ${UNKNOWN} not found`));
  await assert.rejects(create({ model: 'zz' }), apiError(400, /^Invalid model: zz\. /));
  await assert.rejects(create({ tag_ids: [UNKNOWN] }), apiError(400, `Invalid tag IDs: ['${UNKNOWN}']`));
});
