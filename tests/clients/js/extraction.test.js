// Extraction: run, read, change, delete and download results.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiError, newOrg, pdf, untilRead, upload } from './workspace.js';

const org = newOrg();

test('a result from run to delete', async () => {
  const documentId = await upload(org, 'invoice.pdf', pdf());
  await untilRead(org, documentId);
  const ran = await org.runLLM({ documentId, promptRevId: 'default', force: true });
  assert.equal(ran.status, 'success');
  const { document_type: kind } = ran.result;
  const found = await org.getLLMResult({ documentId, promptRevId: 'default', fallback: false });
  assert.deepEqual(found.llm_result, ran.result);
  assert.equal(found.prompt_display_name, 'Document Summary');

  const result = { ...ran.result, summary: 'Mine' };
  const updated = await org.updateLLMResult({ documentId, promptId: 'default', result, isVerified: true });
  assert.equal(updated.updated_llm_result.summary, 'Mine');
  assert.equal(updated.llm_result.document_type, kind);
  assert.equal(updated.is_edited, true);
  await assert.rejects(
    org.updateLLMResult({ documentId, promptId: 'default', result: { other: 1 } }),
    apiError(400, /Updated result signature does not match original/),
  );

  const downloaded = await org.downloadAllLLMResults({ documentId });
  const { results } = typeof downloaded === 'string' ? JSON.parse(downloaded) : downloaded;
  assert.equal(results[0].extraction_result.summary, 'Mine');

  const deleted = await org.deleteLLMResult({ documentId, promptId: 'default' });
  assert.deepEqual(deleted, { status: 'success', message: 'LLM result deleted' });
  await assert.rejects(
    org.getLLMResult({ documentId, promptRevId: 'default' }),
    apiError(404, /^LLM result not found for document_id:/),
  );
});
