import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningGateway, startNodeGateway } from '../../support/gateway.ts';
import { basicAuth, useWordPress } from '../../support/wordpress.ts';

/**
 * Writes to a real WordPress that look as if they wrote nothing, with plugins that write all the same. After each, every stored response of the gateway is compared with
 * the site's own. `hidden-writes/hidden-writes.php` is the plugin that writes.
 */
const site = useWordPress({
  title: 'Hidden writes',
  muPlugins: new URL('hidden-writes', import.meta.url).pathname,
});

const PATHS = [
  ...['posts?per_page=20', 'posts/10', 'posts/11', 'posts?sticky=true', 'posts?author=2&per_page=3'],
  ...['categories?per_page=100', 'search?search=post&per_page=5', 'comments?post=12', 'tags?post=12'],
].map((route) => `/wp-json/wp/v2/${route}`);
PATHS.push('/?p=10', '/?cat=1');

let running: RunningGateway;

beforeAll(async () => {
  const cache = { pages: 3600, rules: [{ match: ['wp/*'], ttl: 3600 }] };
  running = await startNodeGateway({
    sites: [{ url: site().url, passthrough: true, cache }],
    cache: 'memory',
  });
}, 60_000);
afterAll(() => running.stop());

interface Answer {
  readonly isHit: boolean;
  readonly text: string;
}

async function read(origin: string, path: string): Promise<Answer> {
  const response = await fetch(origin + path, {
    redirect: 'manual',
    headers: { 'accept-encoding': 'identity' },
  });
  const text = [running.origin, site().url.slice(0, -1)]
    .flatMap((url) => [url, url.replaceAll('/', '\\/')])
    .reduce((replaced, url) => replaced.replaceAll(url, 'site'), await response.text())
    .replace(/(?:data-secret=\\?"|#\?secret=)\w+/g, 'secret');
  const isHit = /;\s*hit/.test(response.headers.get('cache-status') ?? '');
  return { isHit, text: `${response.status} ${text}` };
}

/** Lists the addresses whose stored response differs from that of the site. */
async function listStale(): Promise<readonly string[]> {
  const stale: string[] = [];
  for (const path of PATHS) {
    const stored = await read(running.origin, path);
    const current = stored.isHit ? await read(site().url.slice(0, -1), path) : stored;
    if (stored.text !== current.text) stale.push(path);
  }
  return stale;
}

/** Creates a term, and fails because another one does not exist. */
function createXmlCall(): string {
  const { password, user } = site().users.administrator;
  const string = (value: string): string => `<value><string>${value}</string></value>`;
  return `<?xml version="1.0"?><methodCall><methodName>wp.editPost</methodName><params>
      <param><value><int>1</int></value></param><param>${string(user)}</param><param>${string(password)}</param>
      <param><value><int>12</int></value></param><param><value><struct>
        <member><name>sticky</name><value><boolean>1</boolean></value></member>
        <member><name>terms_names</name><value><struct><member><name>category</name><value><array><data>
          ${string('Created by a call')}</data></array></value></member></struct></value></member>
        <member><name>terms</name><value><struct><member><name>category</name><value><array><data>
          <value><int>999999</int></value></data></array></value></member></struct></value></member>
      </struct></value></param></params></methodCall>`;
}

/** @param body JSON of the administrator, a form of a visitor, or a call of XML-RPC */
function createInit(method: string, body: object, headers: Readonly<Record<string, string>>): RequestInit {
  if (body === createXmlCall)
    return { method, headers: { 'content-type': 'text/xml' }, body: createXmlCall() };
  if (body instanceof URLSearchParams) return { method, headers, body };
  const authorization = basicAuth(site().users.administrator);
  return {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

const POST_10 = 'POST /wp-json/wp/v2/posts/10';
const form = (fields: Record<string, string>): URLSearchParams => new URLSearchParams(fields);
const change = (title: string, code: string): object => ({ title, hidden_price: code });
const BATCHED = [{ method: 'POST', path: '/wp/v2/posts/10', body: change('In a batch', 'rest_forbidden') }];

// No row of writes.json is for these, and nothing is stored for their own addresses.
test.each<[string, status: number, line: string, body: object, stale: readonly string[]]>([
  [
    'a hidden route',
    404,
    'POST /wp-json/hidden/v1/save',
    form({ text: '2' }),
    ['posts?per_page=20', 'posts/11'],
  ],
  [
    'a read',
    200,
    'POST /wp-json/wp/v2/posts?_method=GET',
    form({ hidden_form: '3' }),
    [
      ...['posts?per_page=20', 'posts/10', 'posts/11', 'posts?sticky=true', 'posts?author=2&per_page=3'],
      'search?search=post&per_page=5',
    ],
  ],
])('what an anonymous form changes that is sent to %s shows later', async (_, status, line, body, stale) => {
  const expected = stale.map((route) => `/wp-json/wp/v2/${route}`);
  expect(await listStaleAfter(status, line, body)).toEqual(expected);
  // An editor's write ends that.
  await (await running.request('/wp-json/wp/v2/settings', createInit('POST', {}, {}))).text();
  expect(await listStale()).toEqual([]);
});

test.each<[string, status: number, line: string, body: object, headers?: Record<string, string>]>([
  ['a refusal of a plugin after the post was written', 403, POST_10, change('One', 'rest_forbidden')],
  ['the same as if there were no post', 404, POST_10, change('Two', 'rest_post_invalid_id')],
  ['the same in a batch', 207, 'POST /wp-json/batch/v1', { requests: BATCHED }],
  ['a hidden route that answers as if there were none', 404, 'POST /wp-json/hidden/v1/save', { text: '1' }],
  [
    'a form of a client with a session that is answered with 405',
    405,
    'POST /',
    form({ hidden_form: '4', hidden_status: '405' }),
    { cookie: 'wordpress_logged_in_x=1' },
  ],
  ['a fault of XML-RPC that follows a write', 200, 'POST /xmlrpc.php', createXmlCall],
  ['a post that becomes private', 200, 'POST /wp-json/wp/v2/posts/11', { status: 'private' }],
  ['a deleted post', 200, 'DELETE /wp-json/wp/v2/posts/12?force=true', {}],
])('nothing is stale after %s', async (_, status, line, body, headers = {}) => {
  expect(await listStaleAfter(status, line, body, headers)).toEqual([]);
});

/** Sends a write while most of the addresses are stored, and lists those that are stale after it. */
async function listStaleAfter(
  status: number,
  line: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  for (const path of [...PATHS, ...PATHS]) await read(running.origin, path);
  const stored = await Promise.all(PATHS.map((path) => read(running.origin, path)));
  // Most of what is read is stored, or the comparison would prove nothing.
  expect(stored.filter(({ isHit }) => isHit).length).toBeGreaterThan(PATHS.length - 2);
  const [method = '', path = ''] = line.split(' ');
  const response = await running.request(path, createInit(method, body, headers));
  await response.text();
  expect(response.status).toBe(status);
  return listStale();
}
