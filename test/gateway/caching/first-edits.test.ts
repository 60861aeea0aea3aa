import { expect, test } from 'vitest';
import { createGateway } from '../../../src/gateway/index.ts';
import { startStubSite } from '../../support/stub-site.ts';

/**
 * The first edit of a post changes its date of change, which was that of its publication. Pages that show the date show one of the two:
 * comparisons tell which.
 */

const PAGES = ['/a/', '/b/', '/c/', '/d/', '/e/'];
const IDS = Array.from({ length: 10 }, (_, at) => 100 + at);
const toDate = (time: number): string => new Date(time).toISOString().slice(0, 19);

interface Post {
  readonly id: number;
  readonly date: string;
  modified: string;
  title: string;
}

/** @param shows the field of each post that all pages show. One page has its title too */
async function setUp(shows: 'date' | 'modified') {
  const posts = new Map(
    IDS.map((id): [string, Post] => {
      const date = toDate(Date.UTC(2024, 0, id));
      return [String(id), { id, date, modified: date, title: `The title of ${id}` }];
    }),
  );
  const listPosts = () => [...posts.values()];
  const renderPage = (path: string): string => {
    const times = listPosts().map(
      (post) => `<p class="post-${post.id}"><time datetime="${post[shows]}"></p>`,
    );
    const titles = path === '/a/' ? listPosts().map(({ title }) => `<h2>${title}</h2>`) : [];
    return `<html>${[...times, ...titles].join('')}</html>`;
  };
  const site = await startStubSite({
    respond: ({ method, query, route: path = '' }) => {
      const post = posts.get(path.split('/').at(-1) ?? '');
      if (post === undefined) return { status: 404, body: { code: 'rest_post_invalid_id' } };
      if (method === 'POST') Object.assign(post, { title: query.get('title'), modified: toDate(Date.now()) });
      const { date, modified, title } = post;
      const dates = { date, date_gmt: date, modified, modified_gmt: modified };
      return { body: { id: post.id, ...dates, title: { rendered: title } } };
    },
    intercept: ({ url }, response) => {
      if (!PAGES.includes(url)) return false;
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(renderPage(url));
      return true;
    },
  });
  const cache = { pages: 60, confidence: 0.5 };
  const gateway = createGateway({ sites: [{ url: site.url, passthrough: true, cache }], cache: 'memory' });
  await gateway.rediscover();
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await gateway.fetch(new Request(`http://gateway.example${path}`, init));
    expect(response.status).toBe(200);
    return { text: await response.text(), isHit: /;\s*hit/.test(response.headers.get('cache-status') ?? '') };
  };
  /** Reads all pages, and returns those that are hits. */
  const readPages = async (): Promise<readonly string[]> => {
    const hits: string[] = [];
    for (const path of PAGES) {
      const { isHit, text } = await send(path);
      expect(text).toBe(renderPage(path));
      if (isHit) hits.push(path);
    }
    return hits;
  };
  return {
    readPages,
    /** Edits the title of a post, and returns the pages that are hits after it. */
    edit: async (id: number): Promise<readonly string[]> => {
      const path = `/wp-json/wp/v2/posts/${id}`;
      await send(path);
      // Times have milliseconds.
      await new Promise((resolve) => setTimeout(resolve, 3));
      const { title } = posts.get(String(id)) ?? {};
      const headers = { authorization: 'Basic ZWRpdG9yOnNlY3JldA==' };
      await send(`${path}?title=${encodeURIComponent(`${title}, edited`)}`, { method: 'POST', headers });
      await new Promise((resolve) => setTimeout(resolve, 3));
      return readPages();
    },
    stop: async (): Promise<void> => {
      await gateway.stop();
      await site.close();
    },
  };
}

test.each(['date', 'modified'] as const)('pages that show the %s of posts', async (shows) => {
  const { edit, readPages, stop } = await setUp(shows);
  try {
    await readPages();
    // Later edits say nothing of the first ones.
    for (const id of IDS.slice(0, 4)) for (let edits = 0; edits < 3; edits += 1) await edit(id);
    const kept: number[] = [];
    for (const id of IDS.slice(4)) kept.push((await edit(id)).length);
    // One edit of two purges all pages all the same, to compare them.
    const all = PAGES.length - 1;
    if (shows === 'modified') expect(Math.max(...kept)).toBe(0);
    else expect(kept.filter((count) => count === all).length).toBeGreaterThan(1);
  } finally {
    await stop();
  }
});
