import { beforeAll, describe, expect, test } from 'vitest';
import { loadDocsAssets } from '../../../src/pages/ui/packaged-assets.ts';
import { readSeed } from '../../support/documents.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

const SITE = { url: 'https://content.example.com/', discovery: 'off' } as const;
const HTML = 'text/html; charset=utf-8';
const GATEWAY = 'http://gateway.example.com';
let gateway: TestGateway;

beforeAll(async () => {
  const sites = [
    { ...SITE, name: 'content', document: readSeed('content') },
    { ...SITE, name: 'whole', document: readSeed('content'), passthrough: true },
    { ...SITE, name: 'plain', passthrough: true },
  ];
  gateway = await startGateway({ inMemory: true, gateway: { sites } });
});

const get = async (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  gateway.request(GATEWAY + path, { headers: { host: 'gateway.example.com', ...headers } });

describe('a page of the documentation', () => {
  test.each(['/content/docs', '/content/docs/', '/content/docs/core/v2', '/content/docs/core/v2/posts'])(
    '%s is HTML with a strict policy',
    async (path) => {
      const response = await get(path);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, HTML]);
      const policy = response.headers.get('content-security-policy')?.split('; ') ?? [];
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain(`script-src '${(await loadDocsAssets()).script.integrity}'`);
      expect(policy.join()).not.toMatch(/unsafe|\*|https?:/);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  test.each([
    ['', '> REST interface'],
    ['All about boats', '> All about boats. REST interface'],
    ['The REST API of the site.', '> The REST API of the site. REST interface'],
    ['すべての船。', '> すべての船。 REST interface'],
  ])('of a site with the description %j has %j', async (description, line) => {
    const { info, ...rest } = readSeed('content');
    const document = { ...rest, info: { ...Object(info), description } };
    const subject = await startGateway({ ...SITE, document, passthrough: false, inMemory: true });
    const page = await subject.request('/docs.md', { headers: { host: 'a.example.com' } });
    const text = await page.text();
    expect(text).toContain(line);
    // The root index and batches are in none.
    expect(text).toContain(` in ${text.match(/\?namespace=/g)?.length} namespaces.`);
  });

  test('shows the address that the client uses, in code only', async () => {
    const page = await (await get('/content/docs/core/v2/posts')).text();
    expect(page).toContain('&#39;http://gateway.example.com/content/core/v2/posts&#39;');
    expect(page).not.toContain('content.example.com');
    const whole = await (await get('/whole/-/docs/core/v2/posts')).text();
    expect(whole).toContain('&#39;http://gateway.example.com/whole/index.php?rest_route=/core/v2/posts&#39;');
  });

  test.each([
    ['https://content.example.com/up/i.png', true, ['/up/i.png']],
    ['https://content.example.com/up/i.png', false, []],
    ['https://cdn.example.com/i.png', true, []],
    ['//x.example.com/i.png', true, []],
    [String.raw`https://content.example.com/\x.example.com/i.png`, true, []],
    ['https://content.example.com/\t/x.example.com/i.png', true, []],
    ['https://content.example.com/.//x.example.com/i.png', true, []],
  ])(
    'of the icon %j of a site whose files the gateway serves (%s), loads %j',
    async (url, passthrough, shown) => {
      const { info, ...rest } = readSeed('content');
      const document = { ...rest, info: { ...Object(info), 'x-logo': { url } } };
      const subject = await startGateway({ ...SITE, document, passthrough, inMemory: true });
      const path = passthrough ? '/-/docs' : '/docs';
      const page = await subject.request(path, { headers: { host: 'a.example.com' } });
      expect(page.status).toBe(200);
      const icons = Array.from((await page.text()).matchAll(/<img src="([^"]*)"/g), ([, url]) => url);
      expect(icons).toEqual(shown);
    },
  );

  test.each(['nothing', 'assets/none.js', '__proto__'])('%s does not exist', async (path) => {
    expect((await get(`/content/docs/${path}`)).status).toBe(404);
  });

  test('is read only', async () => {
    const response = await gateway.request(`${GATEWAY}/content/docs`, { method: 'POST' });
    expect(response.status).toBe(405);
    const head = await gateway.request(`${GATEWAY}/content/docs`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

test('an address without a page has a page for people and a problem for programs', async () => {
  const response = await get('/content/docs/core/v2/nothing', { accept: 'text/html' });
  const { headers, status } = response;
  expect([status, headers.get('vary')]).toEqual([404, 'Accept']);
  expect(headers.get('content-type')).toMatch(/^text\/html/);
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await response.text()).toContain('Its overview lists all pages.');
  const problem = await get('/content/docs/core/v2/nothing', { accept: 'application/json' });
  expect([problem.status, problem.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
});

const MARKDOWN = 'text/markdown; charset=utf-8';

test.each([
  ['/content/docs.md', MARKDOWN, '/content/openapi.json?namespace=core%2Fv2): 30 operations'],
  ['/content/docs.md', MARKDOWN, '> News from a small harbour town'],
  ['/content/docs/search.json', 'application/json', '"serializationVersion"'],
  ['/content/docs/core/v2/posts.json', 'application/json', '"list-posts":{"method":"GET"'],
])('%s is %s', async (path, type, part) => {
  const response = await get(path);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
  const text = await response.text();
  expect(text).toContain(part);
  expect(text).not.toContain('content.example.com');
});

test.each(['/', '/docs', '/none'])('%s of a gateway with named sites names where they are', async (path) => {
  const response = await get(path);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('/content, /whole, /plain');
});
