// Documents and their text.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { UNKNOWN, apiError, isAboutNow, newOrg, pdf, unique, untilRead, upload } from './workspace.js';

const org = newOrg();
let readDocument;

before(async () => {
  readDocument = await upload(org, 'invoice.pdf', pdf());
  await untilRead(org, readDocument);
});

const newTag = async () => (await org.createTag({ tag: { name: unique('tag') } })).id;

test('getOCRBlocks returns an array, though the original no longer serves it', async () => {
  const blocks = await org.getOCRBlocks({ documentId: readDocument });
  assert.ok(Array.isArray(blocks));
  const words = blocks.filter((block) => block.BlockType === 'WORD' && block.Page === 1);
  assert.deepEqual(words.map((block) => block.Text), ['Invoice', 'number', '2026-117']);
  for (const { Confidence, Geometry } of words) {
    assert.ok(Confidence > 0 && Confidence <= 100);
    assert.equal(Geometry.Polygon.length, 4);
    for (const side of Object.values(Geometry.BoundingBox)) assert.ok(side > 0 && side < 1);
  }
  assert.equal(blocks.filter((block) => block.BlockType === 'PAGE').length, 2);
});

test('getOCRText gives the whole text or one page', async () => {
  const whole = await org.getOCRText({ documentId: readDocument });
  assert.equal(whole, 'Invoice number 2026-117\nTotal due 1,250.00 EUR');
  assert.equal(await org.getOCRText({ documentId: readDocument, pageNum: 2 }), 'Total due 1,250.00 EUR');
  await assert.rejects(
    org.getOCRText({ documentId: readDocument, pageNum: 3 }),
    apiError(404, 'OCR text not found'),
  );
});

test('getOCRMetadata', async () => {
  const metadata = await org.getOCRMetadata({ documentId: readDocument });
  assert.equal(metadata.n_pages, 2);
  assert.ok(isAboutNow(metadata.ocr_date));
});

test('uploadDocuments takes base64 and data URLs; getDocument gives the bytes back', async () => {
  const tagId = await newTag();
  const bytes = pdf();
  const content = bytes.toString('base64');
  const { documents } = await org.uploadDocuments({
    documents: [
      { name: 'plain.pdf', content, tag_ids: [tagId], metadata: { source: 'mail' } },
      { name: 'data url.pdf', content: `data:application/pdf;base64,${content}` },
    ],
  });
  assert.deepEqual(documents.map((each) => each.document_name), ['plain.pdf', 'data url.pdf']);
  assert.deepEqual(documents[0].tag_ids, [tagId]);
  assert.deepEqual(documents[0].metadata, { source: 'mail' });
  assert.equal(documents[0].uploaded_by, 'client tests');

  for (const { document_id: documentId, document_name: name } of documents) {
    for (const fileType of ['original', 'pdf']) {
      const document = await org.getDocument({ documentId, fileType });
      assert.equal(document.id, documentId);
      assert.equal(document.document_name, name);
      assert.equal(document.type, 'application/pdf');
      assert.ok(document.pdf_id);
      assert.ok(isAboutNow(document.upload_date));
      assert.ok(Buffer.from(document.content).equals(bytes));
    }
  }
});

test('getDocument with fileType pdf shows any file as a PDF', async () => {
  const documentId = await upload(org, 'note.txt', 'Grüße');
  const original = await org.getDocument({ documentId, fileType: 'original' });
  assert.equal(original.type, 'text/plain');
  assert.equal(Buffer.from(original.content).toString(), 'Grüße');
  const shown = await org.getDocument({ documentId, fileType: 'pdf' });
  assert.equal(shown.type, 'application/pdf');
  assert.equal(Buffer.from(shown.content).subarray(0, 5).toString(), '%PDF-');
});

test('listDocuments by tags, name and metadata, in pages', async () => {
  const [first, second] = [await newTag(), await newTag()];
  const both = await upload(org, 'both tags.txt', 'b', {
    tag_ids: [first, second],
    metadata: { client: 'Müller & Söhne', no: '1=2' },
  });
  const one = await upload(org, 'One Tag.txt', 'o', { tag_ids: [first], metadata: { no: '2' } });
  const ids = async (params) => (await org.listDocuments(params)).documents.map((each) => each.id);

  assert.deepEqual(await ids({ tagIds: first }), [one, both]);
  assert.deepEqual(await ids({ tagIds: `${first},${second}` }), [both]);
  assert.deepEqual(await ids({ tagIds: first, nameSearch: 'one tag' }), [one]);
  assert.deepEqual(await ids({ tagIds: first, metadataSearch: 'client=Müller & Söhne,no=1=2' }), [both]);
  const page = await org.listDocuments({ tagIds: first, skip: 1, limit: 1 });
  assert.deepEqual([page.documents[0].id, page.total_count, page.skip], [both, 2, 1]);
  assert.ok((await org.listDocuments()).total_count >= 2);
});

test('updateDocument', async () => {
  const tagId = await newTag();
  const documentId = await upload(org, 'old.txt', 'x', { metadata: { old: 'yes' } });
  const answer = await org.updateDocument({
    documentId,
    documentName: 'new.txt',
    tagIds: [tagId],
    metadata: { new: 'yes' },
  });
  assert.deepEqual(answer, { message: 'Document updated successfully' });
  const document = await org.getDocument({ documentId, fileType: 'original' });
  assert.equal(document.document_name, 'new.txt');
  assert.deepEqual(document.tag_ids, [tagId]);
  assert.deepEqual(document.metadata, { new: 'yes' });
});

test('deleteDocument removes the original and the PDF', async () => {
  const documentId = await upload(org, 'short-lived.txt', 'x');
  assert.deepEqual(await org.deleteDocument({ documentId }), { message: 'Document deleted successfully' });
  for (const fileType of ['original', 'pdf']) {
    await assert.rejects(org.getDocument({ documentId, fileType }), apiError(404, 'Document not found'));
  }
  await assert.rejects(org.deleteDocument({ documentId }), apiError(404, 'Document not found'));
});

test('a document that never was has no text', async () => {
  for (const call of [org.getOCRBlocks, org.getOCRText, org.getOCRMetadata]) {
    await assert.rejects(call.call(org, { documentId: UNKNOWN }), apiError(404, 'Document not found'));
  }
});
