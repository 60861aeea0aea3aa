import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createGateway, type Gateway } from '../../../src/gateway/index.ts';
import { type StubSite, startStubSite } from '../../support/stub-site.ts';

/** An edit of a post of which nothing is stored but pages: the gateway reads what it was while the site runs the write. */

const TOKEN = 'a-token-of-this-test-long-enough';
const IDS = ['7', '8', '9'];
let posts: Map<string, { readonly title: string; readonly modified: number }>;
/** Which of the read of an item and the write the site runs first, where both come at the same time. */
let runsFirst: 'read' | 'write';
/** Milliseconds that the site takes for the other one. */
let lag: number;
let itemReads = 0;
let site: StubSite;
let gateway: Gateway;

const itemOf = (id: string) => {
  const { modified = 0, title = '' } = posts.get(id) ?? {};
  const date = new Date(modified).toISOString().slice(0, 19);
  return JSON.stringify({
    id: Number(id),
    link: `${site.url}p/${id}/`,
    title: { rendered: title },
    modified_gmt: date,
  });
};

beforeAll(async () => {
  site = await startStubSite({
    intercept: ({ method, query, route: path = '', url }, response) => {
      const id = /^\/wp\/v2\/posts\/(\d+)$/.exec(path)?.[1];
      // Page 7 is that of post 7.
      const own = /^\/page-([789])\//.exec(url)?.[1];
      const link = `<${site.url}wp-json/wp/v2/posts/${own}>; rel="alternate"; type="application/json"`;
      const respond = (type: string, body: () => string, delay: number) =>
        void setTimeout(() => {
          response
            .writeHead(200, { 'Content-Type': type, ...(own !== undefined && { Link: link }) })
            .end(body());
        }, delay);
      if (id !== undefined) {
        const isWrite = method === 'POST';
        itemReads += isWrite ? 0 : 1;
        const delay = isWrite === (runsFirst === 'write') ? 0 : lag;
        void text(response.req).then((sent) => {
          const write = () => {
            const title = query.get('title') ?? JSON.parse(sent).title;
            posts.set(id, { title, modified: Date.now() });
            return itemOf(id);
          };
          respond('application/json', isWrite ? write : () => itemOf(id), delay);
        });
        return true;
      }
      if (!url.startsWith('/page-')) return false;
      const titles = url === '/page-0/' ? [...posts.values()].map(({ title }) => title) : [];
      const links = IDS.map((each) => `<p class="post-${each}"></p>`);
      respond('text/html', () => `<html>${[...links, ...titles].join('')}</html>`, 0);
      return true;
    },
  });
});
afterAll(() => site.close());

beforeEach(async () => {
  posts = new Map(IDS.map((id) => [id, { title: `The title of ${id}`, modified: 0 }]));
  runsFirst = 'read';
  lag = 30;
  gateway = createGateway({
    sites: [{ url: site.url, passthrough: true, cache: { pages: 60, confidence: 0.5 } }],
    cache: 'memory',
    admin: { token: TOKEN },
  });
  await gateway.rediscover();
  itemReads = 0;
  return () => gateway.stop();
});

/** Reads so many pages, the first of which has the titles, and returns how many are hits. */
async function read(pages: number): Promise<number> {
  let hits = 0;
  for (let page = 0; page < pages; page += 1) {
    const response = await gateway.fetch(new Request(`http://gateway.example/page-${page}/`));
    const html = await response.text();
    if (/;\s*hit/.test(response.headers.get('cache-status') ?? '')) hits += 1;
    if (page === 0) for (const { title } of posts.values()) expect(html).toContain(title);
  }
  return hits;
}

/** Writes a title, in the query or in the body, and returns how many pages are hits after it. */
async function edit(id: string, title: string, pages: number, isInBody = false): Promise<number> {
  const target = `http://gateway.example/wp-json/wp/v2/posts/${id}`;
  const headers = { authorization: 'Basic ZWRpdG9yOnNlY3JldA==', 'content-type': 'application/json' };
  const request = isInBody
    ? new Request(target, { method: 'POST', headers, body: JSON.stringify({ title }) })
    : new Request(`${target}?title=${encodeURIComponent(title)}`, { method: 'POST', headers });
  const response = await gateway.fetch(request);
  expect(response.status).toBe(200);
  await response.text();
  // Times have milliseconds.
  await new Promise((resolve) => setTimeout(resolve, 3));
  return read(pages);
}

/** Lets the gateway learn of edits of titles. */
async function learn(pages: number): Promise<void> {
  await read(pages);
  for (const id of ['7', '8', '7', '8']) await edit(id, `Another title ${Math.random()} of ${id}`, pages);
}

test('the first edit of a post keeps the pages that do not contain what it was', async () => {
  await learn(4);
  // Each of the first two posts was read once. Its own response says what it was before the next.
  expect(itemReads).toBe(2);
  expect(await edit('9', 'The second title of 9', 4)).toBe(3);
  expect(itemReads).toBe(3);
});

test('what the site has sent after the write does not count', async () => {
  await learn(4);
  runsFirst = 'write';
  expect(await edit('9', 'The second title of 9', 4)).toBe(0);
  expect(itemReads).toBe(3);
});

test.each([
  { lag: 100, kept: 3 },
  { lag: 600, kept: 0 },
])('a write with a body waits for a read of $lag ms, but not long: $kept pages are kept', async (slow) => {
  await learn(4);
  runsFirst = 'write';
  lag = slow.lag;
  expect(await edit('9', 'The second title of 9', 4, true)).toBe(slow.kept);
  expect(itemReads).toBe(3);
});

test('nothing is read if fewer than four responses show the post', async () => {
  await learn(3);
  expect(await edit('9', 'The second title of 9', 3)).toBe(0);
  expect(itemReads).toBe(0);
});

test('a purge of a post by its route removes its page', async () => {
  await read(10);
  const response = await gateway.fetch(
    new Request('http://gateway.example/-/purge', {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ route: '/wp/v2/posts/8' }),
    }),
  );
  expect(await response.json()).toEqual({ purged: 1, mode: 'hard' });
  expect(await read(10)).toBe(9);
});

test('the page of the post that is edited is kept once four such pages were the same', async () => {
  await read(10);
  const hits: number[] = [];
  for (let round = 0; round < 16; round += 1)
    hits.push(await edit(`${7 + (round % 2)}`, `Title ${round} of it`, 10));
  // Page 0 has the title. What the first edit leaves the same may not count yet.
  expect(Math.max(...hits.slice(0, 4))).toBe(8);
  expect(hits.slice(4, 6)).toContain(9);
  // A kept class is compared at each second write, unless it was since.
  expect(hits.slice(-2)).toContain(9);
});
