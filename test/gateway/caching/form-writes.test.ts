import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createGateway, type Gateway } from '../../../src/gateway/index.ts';
import { type StubSite, startStubSite } from '../../support/stub-site.ts';

/** What is learned of the forms of wp-admin, whose fields do not say what they have changed: the item says it, read after the write. */

const route = (namespace: string, ...methods: readonly string[]) => ({
  namespace,
  methods,
  endpoints: methods.map((method) => ({ methods: [method], args: { id: { type: 'integer' } } })),
});
const INDEX = {
  name: 'A site',
  namespaces: ['wp/v2'],
  routes: {
    '/': route('', 'GET'),
    '/wp/v2/posts': route('wp/v2', 'GET', 'POST'),
    '/wp/v2/posts/(?P<id>[\\d]+)': route('wp/v2', 'GET', 'POST'),
  },
};

interface Post {
  readonly title: string;
  readonly sticky: boolean;
  readonly modified: number;
}
const posts = new Map<string, Post>();
/** Whether a cache of the site sends its routes as they were. */
let isOutdated = false;
/** Requests of the site for routes of items. */
let itemReads = 0;
let site: StubSite;
let gateway: Gateway;

const PAGES = ['/shows/', '/links/', '/links-too/'];

beforeAll(async () => {
  site = await startStubSite({
    index: INDEX,
    respond: ({ route: path = '' }) => {
      const id = path.split('/').at(-1) ?? '';
      const post = posts.get(id);
      if (post === undefined) return undefined;
      itemReads += 1;
      const modified = new Date(isOutdated ? 0 : post.modified).toISOString().slice(0, 19);
      const link = `${site.url}p/${id}/`;
      const body = { id: Number(id), link, title: { rendered: post.title }, sticky: post.sticky };
      return { body: { ...body, modified_gmt: modified } };
    },
    intercept: ({ method, url }, response) => {
      if (url.startsWith('/wp-admin/')) {
        const chunks: Buffer[] = [];
        response.req.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.req.on('end', () => {
          const form = new URLSearchParams(Buffer.concat(chunks).toString());
          const title = form.get('post_title') ?? '';
          const sticky = form.get('sticky') === 'sticky';
          posts.set(form.get('post_ID') ?? '', { title, sticky, modified: Date.now() });
          response.writeHead(302, { Location: 'post.php?message=1' }).end();
        });
        return true;
      }
      if (method !== 'GET' || !PAGES.includes(url)) return false;
      const shown = [...posts].map(
        ([id, { title }]) => `<p class="post-${id}">${url === '/shows/' ? title : ''}</p>`,
      );
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<html>${shown.join('')}</html>`);
      return true;
    },
  });
});
afterAll(() => site.close());

beforeEach(async () => {
  for (const id of ['7', '8']) posts.set(id, { title: `The title of ${id}`, sticky: false, modified: 0 });
  isOutdated = false;
  gateway = createGateway({
    sites: [{ url: site.url, passthrough: true, cache: { pages: 60, confidence: 0.5 } }],
    cache: 'memory',
  });
  await gateway.rediscover();
  return () => gateway.stop();
});

async function read(): Promise<readonly string[]> {
  const hits: string[] = [];
  for (const path of PAGES) {
    const response = await gateway.fetch(new Request(`http://gateway.example${path}`));
    const text = await response.text();
    const isHit = /;\s*hit/.test(response.headers.get('cache-status') ?? '');
    if (isHit) hits.push(path);
    if (path !== '/shows/') continue;
    for (const { title } of posts.values()) expect(text).toContain(title);
  }
  return hits;
}

/** Sends the form, and returns which pages are hits after it. */
async function edit(
  id: number,
  title: string,
  fields: Record<string, string> = {},
): Promise<readonly string[]> {
  const form = { action: 'editpost', post_ID: String(id), post_type: 'post', post_title: title, ...fields };
  const headers = { cookie: 'wordpress_logged_in_1=editor' };
  const init = { method: 'POST', headers, body: new URLSearchParams(form) };
  const response = await gateway.fetch(new Request('http://gateway.example/wp-admin/post.php', init));
  await response.text();
  expect(response.status).toBe(302);
  // Times have milliseconds.
  await new Promise((resolve) => setTimeout(resolve, 3));
  return read();
}

const LINKS = ['/links/', '/links-too/'];

test('pages that do not contain what a form has changed are kept, once its kind has its evidence', async () => {
  await read();
  itemReads = 0;
  // What the posts were is not known yet.
  expect(await edit(7, 'The second title of 7')).toEqual([]);
  expect(await edit(8, 'The second title of 8')).toEqual([]);
  expect(await edit(7, 'The third title of 7')).toEqual([]);
  expect(await edit(8, 'The third title of 8')).toEqual([]);
  expect(await edit(7, 'The fourth title of 7')).toEqual(LINKS);
  expect(itemReads).toBe(5);
  // Whether it is sticky decides which lists show it.
  expect(await edit(7, 'The fifth title of 7', { sticky: 'sticky' })).toEqual([]);
});

test.each<[string, Record<string, string>]>([
  ['of a plugin', { _price: '5' }],
  ['of a taxonomy that may be no part of the REST API', { 'tax_input[brand]': '3' }],
])('nothing is learned of a form with a field %s, and nothing is read', async (_, fields) => {
  await read();
  itemReads = 0;
  for (let n = 1; n <= 6; n += 1) expect(await edit(7 + (n % 2), `Title number ${n}`, fields)).toEqual([]);
  expect(itemReads).toBe(0);
});

test('nor of one whose item the site sends as it was before', async () => {
  await read();
  isOutdated = true;
  for (let n = 1; n <= 6; n += 1) expect(await edit(7 + (n % 2), `Title number ${n}`)).toEqual([]);
});
