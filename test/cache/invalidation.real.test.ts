import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningGateway, TRANSPORTS } from '../support/gateway.ts';
import { basicAuth, useWordPress } from '../support/wordpress.ts';

/**
 * After a write through the gateway, all reads return the site's current state, and responses that the write did not
 * affect are still served from the store. Each test compares all reads with the site itself, before and after.
 */

/** Reads of every kind of response that depends on other resources. */
const READS: readonly string[] = [
  ...[3, 10, 11, 12, 13, 14, 16, 18, 21, 24].map((id) => `/wp/v2/posts/${id}`),
  ...[8, 10, 14, 25].map((id) => `/wp/v2/posts/${id}?_embed`),
  ...[1, 2, 4].map((id) => `/wp/v2/categories/${id}`),
  ...[7, 9].map((id) => `/wp/v2/tags/${id}`),
  ...[1, 2].map((id) => `/wp/v2/users/${id}`),
  ...[1, 3, 4].map((id) => `/wp/v2/comments/${id}`),
  ...[1, 2].map((id) => `/wp/v2/media/${id}`),
  ...[30, 31].map((id) => `/wp/v2/pages/${id}`),
  '/',
  '/wp/v2',
  '/wp/v2/posts',
  '/wp/v2/posts?page=2',
  '/wp/v2/posts?per_page=5&orderby=title&order=asc',
  '/wp/v2/posts?categories=3',
  '/wp/v2/posts?tags=7',
  '/wp/v2/posts?author=1&per_page=3',
  '/wp/v2/posts?search=number',
  '/wp/v2/posts?slug=post-8',
  '/wp/v2/posts?sticky=true',
  '/wp/v2/posts?include=10,11,12',
  '/wp/v2/posts?per_page=2&_embed',
  '/wp/v2/posts?_fields=id,title&per_page=4',
  '/wp/v2/posts?orderby=modified&per_page=3',
  '/wp/v2/pages',
  '/wp/v2/pages?parent=30',
  '/wp/v2/pages?parent=0',
  '/wp/v2/media',
  '/wp/v2/media?parent=10',
  '/wp/v2/media?media_type=image',
  '/wp/v2/categories',
  '/wp/v2/categories?hide_empty=true',
  '/wp/v2/categories?parent=2',
  '/wp/v2/categories?post=10',
  '/wp/v2/tags',
  '/wp/v2/tags?post=11',
  '/wp/v2/users',
  '/wp/v2/comments',
  '/wp/v2/comments?post=3',
  '/wp/v2/comments?post=4',
  '/wp/v2/comments?_embed',
  '/wp/v2/search?search=post&per_page=5',
  '/wp/v2/search?search=news&type=term',
  '/wp/v2/types',
  '/wp/v2/taxonomies',
  '/wp/v2/statuses',
  '/oembed/1.0/embed?url={site}2024/01/post-8/',
  '/oembed/1.0/embed?url={site}2024/01/post-12/',
];

interface Write {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** Name of the created resource: later paths refer to its id, as in `{post}`. */
  readonly as?: string;
}

/** In this order: each depends on the state after the previous ones. */
const WRITES: Readonly<Record<string, Write>> = {
  "a post's title": { method: 'POST', path: '/wp/v2/posts/10', body: { title: 'Another title' } },
  "a post's content": { method: 'PATCH', path: '/wp/v2/posts/11', body: { content: 'Not the same number.' } },
  "a post's excerpt, in the query": { method: 'PUT', path: '/wp/v2/posts/12?excerpt=Short' },
  "a post's slug": { method: 'POST', path: '/wp/v2/posts/10', body: { slug: 'renamed' } },
  "a post's categories": { method: 'POST', path: '/wp/v2/posts/13', body: { categories: [2] } },
  "a post's tags": { method: 'POST', path: '/wp/v2/posts/14', body: { tags: [7, 8] } },
  "a post's author": { method: 'POST', path: '/wp/v2/posts/16', body: { author: 1 } },
  "a post's picture": { method: 'POST', path: '/wp/v2/posts/17', body: { featured_media: 1 } },
  'that a post is sticky': { method: 'POST', path: '/wp/v2/posts/15', body: { sticky: true } },
  "a post's date": { method: 'POST', path: '/wp/v2/posts/18', body: { date: '2024-01-20T10:00:00' } },
  "a post's password": { method: 'POST', path: '/wp/v2/posts/19', body: { password: 'sesame' } },
  'a post that becomes a draft': { method: 'POST', path: '/wp/v2/posts/3', body: { status: 'draft' } },
  'a draft that is published': { method: 'POST', path: '/wp/v2/posts/3', body: { status: 'publish' } },
  'a new post': {
    method: 'POST',
    path: '/wp/v2/posts',
    body: { title: 'A new number', status: 'publish', categories: [3], tags: [9] },
    as: 'post',
  },
  'an autosave of it': { method: 'POST', path: '/wp/v2/posts/{post}/autosaves', body: { content: 'Half' } },
  'a post in the bin': { method: 'DELETE', path: '/wp/v2/posts/{post}' },
  'a deleted post': { method: 'DELETE', path: '/wp/v2/posts/20?force=true' },
  "a page's title": { method: 'POST', path: '/wp/v2/pages/30', body: { title: 'About us' } },
  "a page's slug, which its children's permalinks contain": {
    method: 'POST',
    path: '/wp/v2/pages/30',
    body: { slug: 'about-us' },
  },
  "a page's parent": { method: 'POST', path: '/wp/v2/pages/31', body: { parent: 0 } },
  "a term's name": { method: 'POST', path: '/wp/v2/categories/4', body: { name: 'Far away' } },
  "a term's slug": { method: 'POST', path: '/wp/v2/tags/9', body: { slug: 'greatest' } },
  'a new term': { method: 'POST', path: '/wp/v2/categories', body: { name: 'Xenon' }, as: 'term' },
  'a deleted term': { method: 'DELETE', path: '/wp/v2/categories/{term}?force=true' },
  'a deleted tag with posts': { method: 'DELETE', path: '/wp/v2/tags/8?force=true' },
  "a user's name": { method: 'POST', path: '/wp/v2/users/2', body: { name: 'The editor' } },
  'a new comment': {
    method: 'POST',
    path: '/wp/v2/comments',
    body: { post: 4, content: 'Me too.' },
    as: 'comment',
  },
  'a reply to a comment': {
    method: 'POST',
    path: '/wp/v2/comments',
    body: { post: 4, parent: 3, content: 'Why?' },
  },
  "a comment's content": { method: 'POST', path: '/wp/v2/comments/1', body: { content: 'Changed.' } },
  'an approved comment': { method: 'POST', path: '/wp/v2/comments/4', body: { status: 'approved' } },
  'a deleted comment': { method: 'DELETE', path: '/wp/v2/comments/{comment}?force=true' },
  "a picture's text": { method: 'POST', path: '/wp/v2/media/1', body: { alt_text: 'A sun' } },
  'the post that a picture belongs to': { method: 'POST', path: '/wp/v2/media/1', body: { post: 10 } },
  'a deleted picture': { method: 'DELETE', path: '/wp/v2/media/1?force=true' },
  "the site's description": { method: 'POST', path: '/wp/v2/settings', body: { description: 'Another' } },
  'three posts in a batch, of which one is refused': {
    method: 'POST',
    path: '/batch/v1',
    body: {
      requests: [
        { method: 'POST', path: '/wp/v2/posts/21', body: { title: 'In a batch' } },
        { method: 'POST', path: '/wp/v2/posts/999999', body: { title: 'Nowhere' } },
        { method: 'DELETE', path: '/wp/v2/posts/22' },
      ],
    },
  },
  'a deletion that is tunnelled through POST': {
    method: 'POST',
    path: '/?rest_route=/wp/v2/posts/23&_method=DELETE',
  },
  'a deleted user whose posts are reassigned': {
    method: 'DELETE',
    path: '/wp/v2/users/2?force=true&reassign=1',
  },
};

/**
 * Writes whose response does not contain the previous state, so that the gateway invalidates more than necessary: the
 * maximum share of unaffected responses that may be lost.
 */
const MAX_LOST_SHARE: Readonly<Record<string, number>> = {
  // The previous categories, and the previous position in lists, are unknown.
  "a post's categories": 0.2,
  "a post's date": 0.4,
  // Whether its author, comments and media became visible or invisible, and its embed card, are unknown.
  'a draft that is published': 0.15,
  'a post in the bin': 0.15,
  'three posts in a batch, of which one is refused': 0.15,
  'a deletion that is tunnelled through POST': 0.15,
  // Permalinks of posts may contain it.
  "a term's slug": 0.3,
  // The posts and terms of the user are unknown.
  'a deleted user whose posts are reassigned': 0.6,
};

const site = useWordPress({ title: 'Waygate invalidation' });
let running: RunningGateway;
const createdIds = new Map<string, string>();

beforeAll(async () => {
  const start = TRANSPORTS['the Node server'];
  if (start === undefined) throw new Error('the Node server is a transport');
  running = await start({
    sites: [{ url: site().url, cache: { rules: [{ match: '/*', ttl: 3600 }] } }],
    cache: 'memory',
  });
}, 60_000);
afterAll(() => running.stop());

interface ReadResult {
  readonly text: string;
  readonly isHit: boolean;
}

async function toReadResult(response: Response): Promise<ReadResult> {
  const headers = ['x-wp-total', 'x-wp-totalpages'].map((name) => response.headers.get(name));
  const text = (await response.text())
    // Embed cards contain a new random secret each time.
    .replace(/(?:data-secret=\\?"|#\?secret=)\w+/g, 'secret')
    .replaceAll(running.origin, 'http://site')
    .replaceAll(site().url.replace(/\/$/, ''), 'http://site');
  const status = response.headers.get('cache-status') ?? '';
  return { text: `${response.status} ${headers} ${text}`, isHit: /;\s*hit/.test(status) };
}

async function readAll(read: (path: string) => Promise<Response>): Promise<Map<string, ReadResult>> {
  const results = new Map<string, ReadResult>();
  const waiting = [...READS];
  const work = async (): Promise<void> => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      results.set(path, await toReadResult(await read(path.replace('{site}', site().url))));
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return results;
}

const readFromSite = (path: string): Promise<Response> =>
  fetch(`${site().url}wp-json${path.replace(/\{site\}/, site().url)}`);

let before = new Map<string, ReadResult>();

describe('after a write the next read is current, and unaffected responses are still stored', () => {
  test('responses are stored when they are read', async () => {
    await readAll((path) => running.request(path));
    before = await readAll(readFromSite);
    const stored = await readAll((path) => running.request(path));
    const missing = READS.filter((path) => {
      const isThere = before.get(path)?.text.startsWith('200') === true;
      return isThere && stored.get(path)?.isHit !== true;
    });
    expect(missing).toEqual([]);
    expect(READS.filter((path) => stored.get(path)?.text !== before.get(path)?.text)).toEqual([]);
  }, 30_000);

  test.each(Object.entries(WRITES))(
    '%s',
    async (name, write) => {
      await readAll((path) => running.request(path));
      const path = write.path.replace(/\{(\w+)\}/g, (_, name: string) => createdIds.get(name) ?? name);
      const response = await running.request(path, {
        method: write.method,
        headers: { authorization: basicAuth(site().users.administrator), 'content-type': 'application/json' },
        ...(write.body === undefined ? {} : { body: JSON.stringify(write.body) }),
      });
      const result: unknown = await response.json();
      expect([200, 201, 207], JSON.stringify(result)).toContain(response.status);
      if (write.as !== undefined) createdIds.set(write.as, String((result as { id: number }).id));

      const after = await readAll((path) => running.request(path));
      const truth = await readAll(readFromSite);
      const stale = READS.filter((path) => after.get(path)?.text !== truth.get(path)?.text);
      expect(stale, 'stale').toEqual([]);

      const unchanged = READS.filter(
        (path) => before.get(path)?.text === truth.get(path)?.text && truth.get(path)?.text.startsWith('200'),
      );
      const lost = unchanged.filter((path) => after.get(path)?.isHit !== true);
      before = truth;
      expect(lost.length / unchanged.length, lost.join(' ')).toBeLessThanOrEqual(MAX_LOST_SHARE[name] ?? 0.1);
    },
    30_000,
  );
});
