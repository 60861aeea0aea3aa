import { describe, expect, test } from 'vitest';
import { readItemState } from '../../../src/cache/dependencies/item-states.ts';
import { describeRouteWrite } from '../../../src/cache/dependencies/route-writes.ts';
import { createGateway } from '../../../src/gateway/index.ts';
import type { JsonObject } from '../../../src/json.ts';
import { locate } from '../../cache/dependencies/resource-fixture.ts';
import { readSmallIndex, startStubSite } from '../../support/stub-site.ts';

/**
 * Clients send whole items back: editors, apps. What differs from before decides what such a write is, not the names of what was sent.
 */

const text = (raw: string): JsonObject => ({ raw, rendered: `<p>${raw}</p>` });
const POST = {
  id: 12,
  date: '2024-05-01T10:00:00',
  modified: '2024-05-01T10:00:00',
  link: 'https://example.com/2024/05/hello/',
  slug: 'hello',
  status: 'publish',
  password: '',
  title: text('The title of it'),
  content: { ...text('A long content'), protected: false, block_version: 1 },
  excerpt: { ...text('An excerpt'), protected: false },
  author: 2,
  sticky: false,
  categories: [3, 4],
  meta: { footnotes: '' },
  // Of plugins: what a write may do is not known, and what is derived.
  reminder: '',
  reading_time: 1,
};
const EXCERPT = { excerpt: { ...text('Another excerpt'), protected: false } };
/** As everybody sees it. */
const { password: _, ...shown } = POST;
const VIEW = { ...shown, title: { rendered: POST.title['rendered'] ?? null } };
const { reminder: __, reading_time: ___, ...OWN } = POST;

interface Written {
  readonly before?: JsonObject | null;
  readonly sent: JsonObject;
  readonly after: JsonObject;
  readonly method?: string;
  readonly collection?: string;
}

function describeKind({ before = POST, sent, after, method = 'POST', collection = 'posts' }: Written) {
  const location = locate(`/wp/v2/${collection}/12`);
  const outcome = {
    ...{ status: 200, isAnonymous: false, responseBody: after },
    sentParameters: new Map(Object.entries(sent)),
  };
  const getBefore = () => (before === null ? null : readItemState(before));
  const site = { getBefore, hasOnlyCoreArguments: () => true };
  const [write] = describeRouteWrite(method, location, `/wp/v2/${collection}/{id}`, outcome, site);
  return write?.kind;
}

const EDIT = 'POST /wp/v2/posts/{id} excerpt -> status=publish';
const become = (changed: JsonObject): JsonObject => ({
  ...POST,
  modified: '2024-06-01T10:00:00',
  ...changed,
});

describe('the kind of a write of a whole item', () => {
  test.each<[string, Written, string | null]>([
    [
      'is that of the only field that differs',
      { sent: { ...OWN, ...EXCERPT }, after: become(EXCERPT) },
      EDIT,
    ],
    ['is that of the field alone', { sent: { excerpt: 'Another excerpt' }, after: become(EXCERPT) }, EDIT],
    [
      'is the same by another method, with parameters that are no fields',
      {
        sent: { id: 12, status: 'publish', excerpt: 'Another excerpt', _locale: 'user' },
        ...{ method: 'PUT', after: become(EXCERPT) },
      },
      EDIT,
    ],
    [
      'is unknown with what the client had not seen before',
      { before: VIEW, sent: { ...OWN, ...EXCERPT }, after: become(EXCERPT) },
      null,
    ],
    [
      'is unknown if what was before is',
      { before: null, sent: { ...OWN, ...EXCERPT }, after: become({}) },
      null,
    ],
    ['is unknown with a field of a plugin', { sent: { ...POST, ...EXCERPT }, after: become(EXCERPT) }, null],
    [
      'has a member of metadata that the response does not show',
      { sent: { ...OWN, ...EXCERPT, meta: { hidden: 1 } }, after: become(EXCERPT) },
      'POST /wp/v2/posts/{id} excerpt&meta{hidden=1} -> status=publish',
    ],
    [
      'has what the client could not have seen before',
      { before: VIEW, sent: EXCERPT, after: become(EXCERPT) },
      EDIT,
    ],
    ['is unknown if the status differs', { sent: { ...OWN }, after: become({ status: 'private' }) }, null],
    ['is unknown if a term is added', { sent: { ...OWN }, after: become({ categories: [3, 4, 5] }) }, null],
    ['is unknown if a term is taken away', { sent: { ...OWN }, after: become({ categories: [3] }) }, null],
    ['is unknown if the site changed the slug', { sent: { title: 'x' }, after: become({ slug: 'x' }) }, null],
    ['is unknown if nothing differs', { sent: { ...OWN }, after: become({}) }, null],
    [
      'has no field that a plugin derives',
      { sent: EXCERPT, after: become({ ...EXCERPT, reading_time: 2 }) },
      EDIT,
    ],
    [
      'is that of a draft, whose date each update sets',
      {
        before: { ...POST, status: 'draft' },
        sent: { id: 12, title: 'New', status: 'draft' },
        after: become({ title: text('New'), status: 'draft', date: '2024-06-01T10:00:00' }),
      },
      'POST /wp/v2/posts/{id} title=New -> status=draft',
    ],
    [
      'of a comment has what differs',
      {
        before: { id: 12, post: 1, status: 'approved', content: text('One') },
        sent: { id: 12, post: 1, status: 'approved', content: 'Two words' },
        after: { id: 12, post: 1, status: 'approved', content: text('Two words') },
        collection: 'comments',
      },
      'POST /wp/v2/comments/{id} content -> status=approved',
    ],
  ])('%s', (_name, written, kind) => {
    expect(describeKind(written)).toBe(kind);
  });
});

describe('an editor', () => {
  test.each<[string, string[], number]>([
    ['that has read the whole item before writes what differs', ['/12?context=edit'], 2],
    ['that has read some of its fields does not', ['/12?context=edit&_fields=id,excerpt'], 1],
    ['that has read another item does not', ['/13?context=edit'], 1],
    ['that has read nothing does not', [], 1],
  ])('%s', async (_name, reads, count) => {
    let excerpt = POST.excerpt;
    const site = await startStubSite({
      index: readSmallIndex(),
      respond: ({ headers, method, query, route = '' }) => {
        if (method !== 'GET') excerpt = EXCERPT.excerpt;
        const id = Number(route.split('/').at(-1));
        const item = { ...POST, id, excerpt };
        if (method === 'GET' && headers.authorization === undefined) return { body: [{ ...VIEW, id: 12 }] };
        return { body: query.has('_fields') ? { id, excerpt } : item };
      },
    });
    const gateway = createGateway({ sites: [{ url: site.url }], cache: 'memory', admin: { token: TOKEN } });
    try {
      await gateway.rediscover();
      const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
        const response = await gateway.fetch(new Request(`http://gateway.example${path}`, init));
        expect(response.status).toBe(200);
        return response;
      };
      const headers = { authorization: 'Basic editor', 'content-type': 'application/json' };
      await (await send('/wp-json/wp/v2/posts')).text();
      for (const path of reads) await (await send(`/wp-json/wp/v2/posts${path}`, { headers })).text();
      await new Promise((resolve) => setTimeout(resolve, 3));
      const body = JSON.stringify({ ...OWN, ...EXCERPT });
      await (await send('/wp-json/wp/v2/posts/12', { method: 'PUT', headers, body })).text();
      await (await send('/wp-json/wp/v2/posts')).text();
      // A write of the excerpt alone, which is of the kind EDIT in any case.
      const alone = { method: 'PUT', headers, body: JSON.stringify({ excerpt: 'Another excerpt' }) };
      const written = await send('/wp-json/wp/v2/posts/12', alone);
      await written.text();
      const id = written.headers.get('x-request-id');
      const why = await send(`/-/why?of=${id}`, { headers: { authorization: `Bearer ${TOKEN}` } });
      expect(await why.text()).toMatch(new RegExp(`\\b${count} writes? like it marked`));
    } finally {
      await gateway.stop();
      await site.close();
    }
  });
});

const TOKEN = 'a-token-of-this-test-long-enough';
