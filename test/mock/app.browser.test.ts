import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { startMock } from '../../src/cli/local-sites.ts';
import { toClient } from '../../src/client/index.ts';
import { readRecordedSite } from '../../src/discovery/index.ts';
import { toOpenApi } from '../../src/openapi/index.ts';
import { useBrowser } from '../support/browser.ts';
import { readShopIndex } from '../support/recorded-indexes.ts';
import { startServer } from '../support/server.ts';

const browser = useBrowser();

/** The app: it writes what it sees into the page. */
const APP = (baseUrl: string): string => `
import { createClient, paginate } from './client.js';
const client = createClient({ baseUrl: '${baseUrl}' });
const seen = {};
const list = await client.GET('/wc/v3/products', { query: { per_page: 10 } });
seen.total = list.total;
seen.count = 0;
for await (const product of paginate(client, '/wc/v3/products', { query: { per_page: 10 } })) seen.count += 1;
const created = await client.POST('/wc/v3/products', { body: { name: 'Chair' } });
seen.created = created.data?.name;
const refused = await client.GET('/wc/v3/products/{id}', { path: { id: 999 } });
seen.refused = [refused.error?.source, refused.error?.code];
const invalid = await client.GET('/wc/v3/products', { query: { per_page: 101 } });
seen.invalid = [invalid.error?.source, invalid.error?.code];
document.body.textContent = JSON.stringify(seen);
`;

test('an app of another origin lists, creates and meets errors at a mock', async () => {
  const index = readShopIndex((name) => name === 'wc/v3');
  const { document: openapi } = toOpenApi(readRecordedSite(index, { url: 'https://example.com/' }));
  const folder = await mkdtemp(join(tmpdir(), 'waygate-mock-app-'));
  const file = join(folder, 'shop.openapi.json');
  await writeFile(file, JSON.stringify(openapi));
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const { outputText: client } = ts.transpileModule(await toClient(openapi), { compilerOptions: options });
  let mockUrl = '';
  const app = await startServer(({ url }, response) => {
    const script = { '/client.js': client, '/app.js': APP(`${mockUrl}/wp-json`) }[url ?? ''];
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript');
    response.end(script ?? '<!doctype html><title>App</title><script type="module" src="/app.js"></script>');
  });
  const mock = await startMock({
    document: file,
    port: 0,
    host: '127.0.0.1',
    seed: 1,
    mode: 'strict',
    cache: 'off',
  });
  mockUrl = mock.url;
  try {
    const { page, crossOrigin } = await browser.visit(app.origin);
    await page.waitForFunction(() => document.body.textContent !== '');
    expect(JSON.parse((await page.textContent('body')) ?? '')).toEqual({
      total: 25,
      count: 25,
      created: 'Chair',
      refused: ['site', 'woocommerce_rest_product_invalid_id'],
      invalid: ['site', 'rest_invalid_param'],
    });
    expect(crossOrigin().every((url) => url.startsWith(mock.url))).toBe(true);
  } finally {
    await app.close();
    await mock.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
