import { describe, expect, test } from 'vitest';
import { jsonItems, memberAt, toJsonObject } from '../../../src/base/json.ts';
import { generate } from '../../../src/generate.ts';
import { contentDefinition } from '../../../src/sites/example/content/index.ts';
import { boardSite, contentSite } from '../../../src/sites/example/index.ts';
import { createSite } from '../../../src/sites/example/site/create-site.ts';
import { readSeedText } from '../../support/documents.ts';
import { listDocumentedOperations } from './support/operation-calls.ts';

describe.each([
  ['content', contentSite, 67],
  ['boards', boardSite, 163],
] as const)('the %s site', async (name, start, count) => {
  const site = start();
  const url = `https://${name}.example.com/`;
  const root = `${url}index.php?rest_route=/`;
  const index = await (await site.request(`${root}&context=help`)).json();
  const routes = Object.entries(toJsonObject(index.routes)).map(([pattern, route]) => ({
    pattern,
    route: toJsonObject(route),
    endpoints: jsonItems(toJsonObject(route)['endpoints']).map(toJsonObject),
  }));
  const { files } = await generate(url, {
    name,
    fetch: async (input, init) => site.fetch(new Request(input, init)),
  });
  const text = files.get(`${name}.openapi.json`) ?? '';
  const documented = listDocumentedOperations(JSON.parse(text));
  const indexed = routes.flatMap(({ pattern, endpoints }) => {
    const path = pattern.replace(/\(\?P<(\w+)>(?:\[[^\]]*\]|[^()])*\)/g, '{$1}');
    return endpoints.flatMap(({ methods }) => jsonItems(methods).map((method) => `${method} ${path}`));
  });

  test('has the document that is published', () => {
    expect(text === readSeedText(name)).toBe(true);
  });

  test('has the operations of its index in the document, and no others', () => {
    expect(indexed.sort()).toEqual([...documented].sort());
    expect(documented.length).toBe(count);
  });

  test('links each route of its index to itself', () => {
    const links = routes.flatMap(({ route }) => jsonItems(memberAt(route, '_links', 'self')));
    expect(links.map((link) => decodeURIComponent(String(memberAt(link, 'href'))))).toEqual(
      routes.map(({ pattern }) => root.replace(/\/$/, pattern)),
    );
  });

  test('announces its interface, which is the same at each start', async () => {
    const { headers } = await site.request(url);
    expect(headers.get('link')).toBe(`<${root}>; rel="https://api.w.org/"`);
    expect(await (await start().request(`${root}&context=help`)).json()).toEqual(index);
  });
});

test('the content site links to what it shows on its front page', async () => {
  const text = await (await contentSite({ base: 'https://example.com/site' }).request('/')).text();
  const index = 'https://example.com/site/index.php?rest_route=/';
  expect(text).toContain(`<link rel="https://api.w.org/" href="${index}">\n</head>`);
  expect(text).toMatch(/<ul>\n<li><a href="https:\/\/example\.com\/site\/\d{4}\/\d\d\/\d\d\//);
});

test.each([
  [undefined, null],
  ['editor', expect.stringContaining('no-store')],
])('the content site lets caches store what it sends to %s: Cache-Control is %s', async (login, expected) => {
  const password = contentDefinition.users.find((user) => user.login === login)?.password;
  const authorization = login && `Basic ${btoa(`${login}:${password}`)}`;
  const headers = { ...(authorization && { authorization }) };
  const response = await contentSite().request('/index.php?rest_route=/core/v2/posts', { headers });
  expect(response.headers.get('cache-control')).toEqual(expected);
});

test('the content site returns to its first state on a reset', () => {
  const site = createSite(contentDefinition);
  const before = JSON.stringify(site.state());
  site.clock.set(new Date('2030-01-01T00:00:00Z'));
  site.reset();
  expect(JSON.stringify(site.state())).toBe(before);
  expect(site.clock.now().getTime()).toBeLessThan(Date.now() + 1000);
});
