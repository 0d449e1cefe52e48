// The organisation and the tokens that the Python side made, and clients for them.
import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DocRouterAccount, DocRouterOrg } from '@docrouter/sdk';

export const workspace = JSON.parse(process.env.CLIENT_TEST_WORKSPACE);
export const UNKNOWN = '0123456789abcdef01234567';

const baseURL = workspace.base_url;
const organizationId = workspace.organization_id;

export const unique = (name) => `${name} ${randomBytes(6).toString('hex')}`;

export const newOrg = (orgToken = workspace.org_token, more = {}) =>
  new DocRouterOrg({ baseURL, orgToken, organizationId, ...more });

export const newAccount = (accountToken = workspace.account_token, more = {}) =>
  new DocRouterAccount({ baseURL, accountToken, ...more });

export const newAdmin = () => newAccount(workspace.admin_token);

/** What `assert.rejects` compares with the errors of the client. */
export const apiError = (status, message) => ({ name: 'Error', status, message });

/** Times have a zone: read in whatever zone this process lives in, they are about now. */
export const isAboutNow = (time) => Math.abs(Date.parse(time) - Date.now()) < 3600_000;

export const pdf = () => readFileSync(workspace.pdf_path);

export async function upload(org, name, content, more = {}) {
  const { documents } = await org.uploadDocuments({
    documents: [{ name, content: Buffer.from(content).toString('base64'), ...more }],
  });
  return documents[0].document_id;
}

export async function untilRead(org, documentId) {
  for (;;) {
    const { state } = await org.getDocument({ documentId, fileType: 'original' });
    if (state === 'ocr_failed') throw new Error('the document could not be read');
    if (!['uploaded', 'ocr_processing'].includes(state)) return;
    await sleep(100);
  }
}

export const responseFormat = (field = 'invoice_date') => ({
  type: 'json_schema',
  json_schema: {
    name: 'invoice_extraction',
    schema: {
      type: 'object',
      properties: { [field]: { type: 'string', description: 'a date' } },
      required: [field],
      additionalProperties: false,
    },
    strict: true,
  },
});
