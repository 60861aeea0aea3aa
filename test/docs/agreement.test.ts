import { text as readText } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import type { ValidationOptions } from '../../generated/option-types.d.ts';
import { createGateway, type Gateway } from '../../src/gateway/index.ts';
import { createMemoryState } from '../support/memory-state.ts';
import { type StubResponse, type StubSite, startStubSite } from '../support/stub-site.ts';

let gateway: Gateway | undefined;
let site: StubSite | undefined;
afterEach(async () => {
  await gateway?.stop();
  await site?.close();
});

const TOKEN = 'a-token-that-is-long-enough-for-tests';

const INDEX = {
  name: 'Stub',
  namespaces: ['a/v1'],
  routes: {
    '/a/v1/things': {
      namespace: 'a/v1',
      endpoints: [{ methods: ['GET'], args: { size: { type: 'integer', required: false } } }],
    },
  },
};

/** The site accepts every value, although its index states an integer. */
async function start(validation: ValidationOptions): Promise<{
  send(query: string, times: number): Promise<void>;
  read(): Promise<{ etag: string; agreement: string | undefined }>;
}> {
  site = await startStubSite({ index: INDEX, respond: () => ({ body: [] }) });
  const created = createGateway({ sites: [{ url: site.url, cache: 'off', validation }] });
  gateway = created;
  await created.rediscover();
  return {
    async send(query, times) {
      for (let count = 0; count < times; count += 1) {
        await (await created.request(`http://gateway.example.com/a/v1/things?${query}`)).arrayBuffer();
      }
    },
    async read() {
      const response = await created.request('http://gateway.example.com/docs/a/v1/things');
      const page = await response.text();
      return {
        etag: response.headers.get('etag') ?? '',
        agreement: /<dt>Agreement<\/dt><dd>([^<]*)/.exec(page)?.[1],
      };
    },
  };
}

test('a page shows how far the site agreed, rounded, and its tag changes with it', async () => {
  const { read, send } = await start({ mode: 'observe' });
  const fresh = await read();
  expect(fresh.agreement).toBe('No request was compared yet.');
  await send('size=1', 12);
  const seen = await read();
  expect(seen.agreement).toBe('The site agreed with the result for all of more than 10 compared requests.');
  expect(seen.etag).not.toBe(fresh.etag);
  await send('size=1', 3);
  expect(await read()).toEqual(seen);
});

test('a page shows how many rules are suspended, and neither their values nor their names', async () => {
  const { read, send } = await start({ mode: 'observe' });
  await send('size=secret-value', 11);
  const { agreement } = await read();
  expect(agreement).toBe(
    'The site agreed with the result for 90 % of more than 10 compared requests. One rule is not applied, because the site accepted requests that break it.',
  );
});

test('a page of an operation that is not validated tells no agreement', async () => {
  const { read } = await start({ mode: 'off' });
  expect((await read()).agreement).toBeUndefined();
});

test('a page shows the codes of errors that the site has sent several times, and the document does not change', async () => {
  const state = createMemoryState();
  const sent = { code: 'a_things_closed', status: 403 };
  const respond = (): StubResponse => ({
    status: sent.status,
    body: { code: sent.code, message: 'No.', data: { status: sent.status } },
  });
  site = await startStubSite({ index: INDEX, respond });
  const create = async (): Promise<Gateway> => {
    const url = site?.url ?? '';
    const sites = [{ url, cache: 'off', validation: { mode: 'observe' } }] as const;
    const created = createGateway({ sites, state, admin: { token: TOKEN } });
    await created.rediscover();
    return created;
  };
  gateway = await create();
  const headers = { authorization: `Bearer ${TOKEN}` };
  const read = async (path: string): Promise<string> =>
    (await gateway?.request(`http://gateway.example.com${path}`, { headers }))?.text() ?? '';
  const send = async (times: number): Promise<void> => {
    for (let count = 0; count < times; count += 1) await read('/a/v1/things');
  };
  const document = await read('/openapi.json');
  await send(2);
  sent.code = 'Jane Doe';
  await send(3);
  expect(await read('/docs/a/v1/things')).not.toContain('Seen in traffic');
  expect(await read('/docs/a/v1/things.md')).not.toContain('Seen in traffic');
  [sent.code, sent.status] = ['a_things_closed', 403];
  await send(1);
  await gateway.stop();
  gateway = await create();
  expect(await read('/docs/a/v1/things')).toContain(
    '<dt><code>a_things_closed</code></dt><dd>The message says why. Seen in traffic with 403.</dd>',
  );
  expect(await read('/docs/a/v1/things.md')).toContain(
    '- `a_things_closed` The message says why. Seen in traffic with 403.',
  );
  const errors = [{ status: 403, code: 'a_things_closed', count: 3 }];
  expect(JSON.parse(await read('/-/sites/default/shapes')).errors).toEqual([
    { method: 'GET', route: '/a/v1/things', errors },
  ]);
  expect(await read('/openapi.json')).toBe(document);
});

/** A route whose site writes what it receives into its codes, and the requests of a client that knows it. */
const ECHO_INDEX = {
  name: 'Stub',
  namespaces: ['a/v1', 'batch/v1'],
  routes: {
    '/a/v1/things/(?P<slug>[\\w-]+)': {
      namespace: 'a/v1',
      endpoints: [
        { methods: ['GET', 'POST'], allow_batch: { v1: true }, args: { slug: { type: 'string' } } },
      ],
    },
  },
};
const WORD = 'buypills';
const HOSTILE: readonly (readonly [string, string, RequestInit?])[] = [
  ['path', `/a/v1/things/${WORD}`],
  ['query', '/a/v1/things/x?q=Buy+Pills'],
  ['name in the query', '/a/v1/things/x?buypills[]=1'],
  ['field', '/a/v1/things/x', { headers: { 'x-name': 'buy pills' } }],
  ['name of a field', '/a/v1/things/x', { headers: { 'x-buypills': '1' } }],
  ['user name', '/a/v1/things/x', { headers: { authorization: `Basic ${btoa('buypills:x')}` } }],
  [
    'JSON',
    '/a/v1/things/x',
    { method: 'POST', body: '{"a":["buy\\npills"]}', headers: { 'content-type': 'application/json' } },
  ],
  ['form', '/a/v1/things/x', { method: 'POST', body: new URLSearchParams({ a: 'buypills' }) }],
  ['text', '/a/v1/things/x', { method: 'POST', body: 'buypills', headers: { 'content-type': 'text/plain' } }],
];

test('a client cannot write into a page by codes that the site makes from its requests', async () => {
  site = await startStubSite({
    index: ECHO_INDEX,
    intercept({ route = '' }, response) {
      if (!route.startsWith('/a/v1/')) return false;
      const { headers, method, url } = response.req;
      void readText(response.req).then((body) => {
        const credentials = atob((headers.authorization ?? '').replace('Basic ', ''));
        const sent = `${decodeURIComponent(`${url}`)} ${JSON.stringify(headers)} ${body} ${credentials}`;
        const letters = sent.toLowerCase().replace(/\\n|[^a-z]/g, '');
        const code = letters.includes(WORD) ? `a_${WORD}` : `a_${method?.toLowerCase()}_closed`;
        response.writeHead(403, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ code, message: 'No.', data: { status: 403 } }));
      });
      return true;
    },
  });
  const validation = { mode: 'observe' } as const;
  const created = createGateway({ sites: [{ url: site.url, cache: 'off', validation }] });
  gateway = created;
  await created.rediscover();
  const send = async (path: string, init?: RequestInit) =>
    (await created.request(`http://gateway.example.com${path}`, init)).text();
  for (const [place, path, init] of HOSTILE) {
    for (let times = 0; times < 4; times += 1) expect(await send(path, init), place).toContain(`a_${WORD}`);
  }
  for (const method of ['GET', 'POST']) {
    for (let times = 0; times < 3; times += 1) await send('/a/v1/things/y?q=other', { method });
    const page = await send('/docs/a/v1/things');
    expect(page).toContain(
      `<code>a_${method.toLowerCase()}_closed</code></dt><dd>The message says why. Seen in traffic`,
    );
    expect(page).not.toContain(WORD);
  }
});
