import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { ADAPTERS, type RunningGateway } from '../../support/gateway.ts';
import { type StubResponse, type StubSite, startStubSite } from '../../support/stub-site.ts';

/** What an editor's browser writes while a post is written, of which visitors see nothing: it purges nothing that they read. */

const route = (...methods: readonly string[]) => ({
  namespace: 'wp/v2',
  methods,
  endpoints: methods.map((method) => ({ methods: [method], args: { id: { type: 'integer' } } })),
});
const INDEX = {
  name: 'A site',
  namespaces: ['wp/v2'],
  routes: {
    '/': { namespace: '', methods: ['GET'], endpoints: [{ methods: ['GET'], args: {} }] },
    '/wp/v2/posts': route('GET', 'POST'),
    '/wp/v2/posts/(?P<id>[\\d]+)': route('GET', 'POST', 'PUT', 'DELETE'),
    '/wp/v2/posts/(?P<id>[\\d]+)/autosaves': route('GET', 'POST'),
    '/wp/v2/posts/(?P<parent>[\\d]+)/revisions/(?P<id>[\\d]+)': route('GET', 'DELETE'),
    '/wp/v2/users/me': route('GET', 'POST', 'DELETE'),
    '/wp/v2/users/(?P<user_id>(?:[\\d]+|me))/application-passwords': route('GET', 'POST'),
    '/wp/v2/users/(?P<user_id>(?:[\\d]+|me))/application-passwords/(?P<uuid>[\\w\\-]+)': route('DELETE'),
  },
};
const POSTS = '/wp-json/wp/v2/posts';
const ME = '/wp-json/wp/v2/users/me';
const AJAX = '/wp-admin/admin-ajax.php';
const PAGE = '/about/';
const READS = [PAGE, POSTS];

type Row = readonly [what: string, write: string, sent: object | string, status: number, answer: object];

const UNSEEN: readonly Row[] = [
  // BoldGrid/w3-total-cache#1297, tlovett1/simple-cache#40
  [
    'a new draft',
    `POST ${POSTS}`,
    { title: 'a', status: 'draft' },
    201,
    { id: 9, status: 'draft', slug: '' },
  ],
  [
    'a new post for review',
    `POST ${POSTS}`,
    { title: 'a', status: 'pending' },
    201,
    { id: 9, status: 'pending', slug: 'a' },
  ],
  // wp-media/wp-rocket#7950
  [
    'a new post that is scheduled',
    `POST ${POSTS}`,
    { title: 'a', status: 'future', date: '2098-01-01T00:00:00' },
    201,
    { id: 9, status: 'future', slug: 'a' },
  ],
  [
    'a draft that is saved again',
    `POST ${POSTS}/9?_locale=user`,
    { id: 9, content: 'b', status: 'draft', categories: [1], meta: { a: 1 } },
    200,
    { id: 9, status: 'draft', slug: '' },
  ],
  [
    'a draft that the editor puts',
    `PUT ${POSTS}/9`,
    { title: 'b' },
    200,
    { id: 9, status: 'draft', slug: '' },
  ],
  // WordPress/gutenberg#10084
  [
    'an autosave',
    `POST ${POSTS}/7/autosaves`,
    { id: 7, title: 'a', content: 'b', excerpt: '' },
    200,
    { id: 99, parent: 7 },
  ],
  [
    'an autosave of a draft',
    `POST ${POSTS}/9/autosaves`,
    { id: 9, content: 'b', status: 'draft' },
    200,
    { id: 9, parent: 9 },
  ],
  [
    'the deletion of a revision',
    `DELETE ${POSTS}/7/revisions/99?force=true`,
    '',
    200,
    { deleted: true, previous: {} },
  ],
  [
    'an autosave that is refused',
    `POST ${POSTS}/7/autosaves`,
    { title: 'a' },
    401,
    { code: 'rest_cannot_edit', message: 'no', data: { status: 401 } },
  ],
  [
    'an autosave of a post that is gone',
    `POST ${POSTS}/99/autosaves`,
    { title: 'a' },
    404,
    { code: 'rest_post_invalid_id', message: 'no', data: { status: 404 } },
  ],
  [
    'the deletion of a revision that is refused',
    `DELETE ${POSTS}/7/revisions/99?force=true`,
    '',
    401,
    { code: 'rest_cannot_delete', message: 'no', data: { status: 401 } },
  ],
  [
    'preferences of the editor',
    `POST ${ME}?_locale=user`,
    { meta: { persisted_preferences: { core: {} } } },
    200,
    { id: 2 },
  ],
  ['a password for an application', `POST ${ME}/application-passwords`, { name: 'a' }, 201, { uuid: 'a' }],
  ['a password that is withdrawn', `DELETE ${ME}/application-passwords/a-b`, '', 200, { deleted: true }],
  [
    'a heartbeat',
    `POST ${AJAX}`,
    'action=heartbeat&interval=60&has_focus=true&screen_id=post&_nonce=a&data%5Bwp-refresh-post-lock%5D%5Bpost_id%5D=7',
    200,
    { 'wp-auth-check': true, server_time: 1 },
  ],
];

const SEEN: readonly Row[] = [
  [
    'a new post',
    `POST ${POSTS}`,
    { title: 'a', status: 'publish' },
    201,
    { id: 9, status: 'publish', slug: 'a' },
  ],
  [
    'a draft that is published',
    `POST ${POSTS}/9`,
    { status: 'publish' },
    200,
    { id: 9, status: 'publish', slug: 'a' },
  ],
  // Automattic/jetpack#39698
  [
    'a post that becomes a draft',
    `POST ${POSTS}/7`,
    { status: 'draft' },
    200,
    { id: 7, status: 'draft', slug: 'a' },
  ],
  [
    'a post that becomes a draft and loses its slug',
    `POST ${POSTS}/7`,
    { status: 'draft', slug: '' },
    200,
    { id: 7, status: 'draft', slug: '' },
  ],
  // wp-media/wp-rocket#7950
  [
    'a post that is scheduled again',
    `POST ${POSTS}/7`,
    { status: 'future', date: '2098-01-01T00:00:00' },
    200,
    { id: 7, status: 'future', slug: 'a' },
  ],
  [
    'a post that an edit puts under review',
    `POST ${POSTS}/7`,
    { title: 'b' },
    200,
    { id: 7, status: 'pending', slug: 'a' },
  ],
  [
    'a draft with a field of a plugin',
    `POST ${POSTS}/9`,
    { title: 'b', price: 5 },
    200,
    { id: 9, status: 'draft', slug: '' },
  ],
  ['a draft whose answer is unknown', `POST ${POSTS}/9?_fields=id`, { title: 'b' }, 200, { id: 9 }],
  ['a draft whose save fails', `POST ${POSTS}/9`, { title: 'b' }, 500, { id: 9, status: 'draft', slug: '' }],
  [
    'an autosave that publishes',
    `POST ${POSTS}/9/autosaves`,
    { content: 'b', status: 'publish' },
    200,
    { id: 9, parent: 9 },
  ],
  [
    'an autosave with a field of a plugin that is refused',
    `POST ${POSTS}/7/autosaves`,
    { title: 'a', price: 5 },
    401,
    { code: 'rest_cannot_edit', message: 'no', data: { status: 401 } },
  ],
  ['the name of a user', `POST ${ME}`, { name: 'A' }, 200, { id: 2 }],
  [
    'the name of a user, with preferences',
    `POST ${ME}`,
    { name: 'A', meta: { persisted_preferences: {} } },
    200,
    { id: 2 },
  ],
  [
    'another field of a user',
    `POST ${ME}`,
    { meta: { persisted_preferences: {}, badge: 1 } },
    200,
    { id: 2 },
  ],
  ['the slug of a user', `POST ${ME}`, { slug: 'b' }, 200, { id: 2 }],
  ['a user that is deleted', `DELETE ${ME}?force=true&reassign=1`, '', 200, { deleted: true }],
];

describe.each(Object.entries(ADAPTERS))('%s', (_, start) => {
  let site: StubSite;
  let answer: StubResponse = { body: {} };
  let isDown = false;
  beforeAll(async () => {
    site = await startStubSite({
      index: INDEX,
      respond: ({ method }) => (method === 'GET' ? { body: [{ id: 7 }] } : answer),
      intercept: ({ method, route: path }, response) => {
        if (isDown) response.destroy();
        else if (method === 'POST' && path === undefined) response.end(JSON.stringify(answer.body));
        else return false;
        return true;
      },
    });
  });
  afterAll(() => site.close());

  async function startGateway(): Promise<RunningGateway> {
    isDown = false;
    const cache = { pages: 3600, rules: [{ match: ['wp/*'], ttl: 3600 }] };
    const running = await start({ sites: [{ url: site.url, passthrough: true, cache }], cache: 'memory' });
    closeAfterTest(running.stop);
    return running;
  }

  async function listHits(running: RunningGateway): Promise<readonly string[]> {
    const responses = await Promise.all(READS.map((path) => running.request(path)));
    await Promise.all(responses.map((response) => response.arrayBuffer()));
    return READS.filter((_path, at) => responses[at]?.headers.get('cache-status')?.includes('; hit'));
  }

  async function write(running: RunningGateway, [, line, sent, status, body]: Row): Promise<void> {
    const [method = '', path = ''] = line.split(' ');
    answer = { status, body };
    const isForm = typeof sent === 'string';
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    const response = await running.request(path, {
      method,
      headers: { authorization: 'Basic YTpi', ...(sent === '' ? {} : { 'content-type': type }) },
      ...(sent === '' ? {} : { body: isForm ? sent : JSON.stringify(sent) }),
    });
    await response.arrayBuffer();
  }

  test.each(UNSEEN)('keeps what visitors read: %s', async (...row) => {
    const running = await startGateway();
    await listHits(running);
    expect(await listHits(running)).toEqual(READS);
    await write(running, row);
    isDown = true;
    // The address of the write itself is invalidated (RFC 9111 §4.4).
    const kept = row[1] === `POST ${POSTS}` ? [PAGE] : READS;
    expect(await listHits(running)).toEqual(kept);
  });

  test.each(SEEN)('lets nobody read what was before: %s', async (...row) => {
    const running = await startGateway();
    await listHits(running);
    expect(await listHits(running)).toEqual(READS);
    await write(running, row);
    expect(await listHits(running)).toEqual([]);
  });
});
