import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGateway, type Gateway } from '../../src/gateway/index.ts';
import { type StubSite, startStubSite } from '../support/stub-site.ts';

const route = (method: string, ...names: readonly string[]) => ({
  namespace: 'wp/v2',
  endpoints: [
    { methods: [method], args: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
  ],
});

/** WordPress 6.1 registers the items of templates before their revisions, and their pattern matches any path below. */
const INDEX = {
  name: 'Stub',
  namespaces: ['wp/v2'],
  routes: {
    '/wp/v2/templates/(?P<id>[\\/\\w%-]+)': route('GET', 'id'),
    '/wp/v2/templates/(?P<parent>[\\d]+)/revisions': route('GET', 'parent'),
    '/wp/v2/templates/(?P<parent>[\\d]+)/autosaves': route('POST', 'parent'),
    '/wp/v2/posts/(?P<parent>[\\d]+)/revisions/(?P<id>[\\d]+)': route('DELETE', 'parent', 'id'),
  },
};

let site: StubSite;
let gateway: Gateway;
beforeAll(async () => {
  site = await startStubSite({ index: INDEX });
  gateway = createGateway({ sites: [{ url: site.url }] });
  await gateway.rediscover();
});
afterAll(async () => {
  await gateway.stop();
  await site.close();
});

const read = async (page: string): Promise<string> =>
  (await gateway.request(`http://gateway.example.com/docs/wp/v2/${page}`)).text();
const sectionOf = (html: string, path: string): string =>
  html.split('<section class="operation"').find((section) => section.includes(`data-path="${path}"`)) ?? '';

const TAKEN =
  /The site runs GET \/wp\/v2\/templates\/\{id\} for a request such as \/wp\/v2\/templates\/\d+\/revisions, because it registered that route before\. So there are no samples\./;

test('an operation whose requests another route takes has a sentence in place of samples and of a form', async () => {
  const section = sectionOf(await read('templates'), '/wp/v2/templates/{parent}/revisions');
  expect(section).toMatch(TAKEN);
  expect(section).not.toContain('curl');
  expect(section).not.toContain('data-samples');
});

test('an operation that the site refuses to every user has no samples', async () => {
  const section = sectionOf(await read('posts'), '/wp/v2/posts/{parent}/revisions/{id}');
  expect(section).toContain('WordPress refuses it to every user.');
  expect(section).toContain('No request can succeed, so there are no samples.');
  expect(section).not.toContain('curl');
});
