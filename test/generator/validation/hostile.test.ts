import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { startOnce } from '../../support/close-after-test.ts';
import { startGateway } from '../../support/gateway.ts';
import { runServer } from '../../support/run.ts';
import { documentOf, readRecordedIndex } from '../../support/stub-site.ts';

/** Patterns and schemas that take a backtracking engine or a recursive parser exponential time. */
const PATTERNS = {
  nested: { type: 'string', pattern: '^(a+)+$' },
  list: { type: 'array', items: { type: 'string', pattern: '^(a+)+$' }, uniqueItems: true },
  tree: {
    type: 'object',
    patternProperties: { '^(a+)+$': { type: 'integer' } },
    additionalProperties: false,
  },
};
const route = (methods: readonly string[], args: object): object => ({
  ...{ namespace: 'evil/v1', methods },
  endpoints: [{ methods, args }],
});
const WORDPRESS = Object.entries(Object(readRecordedIndex()['routes'])).filter(([name]) =>
  /^\/(?:wp\/v2\/(?:posts|media))?$/.test(name),
);
const DOCUMENT = documentOf({
  ...readRecordedIndex(),
  routes: {
    ...Object.fromEntries(WORDPRESS),
    '/evil/v1/patterns': route(['GET', 'POST'], PATTERNS),
    '/evil/v1/(?P<name>(?:[a-z]+)+)/end': route(['GET'], {}),
  },
});

/** The site reads every body and accepts every request. */
const start = startOnce(async () => {
  const received = { requests: 0 };
  const { origin: url } = await runServer((request, response) => {
    received.requests += 1;
    request.on('error', () => {}).resume();
    request.on('end', () => response.setHeader('Content-Type', 'application/json').end('{}'));
  });
  const settings = { document: DOCUMENT, discovery: 'off', validation: { mode: 'strict' } } as const;
  const { origin } = await startGateway({ ...settings, url, passthrough: false, gateway: { cache: 'off' } });
  return { origin, received };
});

/** Sends a request by its chunks and resolves to the response status; 0 if the connection was closed without a response. */
async function send(chunks: Iterable<string>, timeout = 60_000): Promise<number> {
  const { origin } = await start();
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    let received = '';
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      socket.destroy();
      settle();
    };
    const timer = setTimeout(
      () => finish(() => reject(new Error(`no response within ${timeout} ms`))),
      timeout,
    );
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const status = /^HTTP\/1\.1 ([2-5]\d\d)/m.exec(received)?.[1];
      if (status !== undefined) finish(() => resolve(Number(status)));
    });
    socket.on('error', () => finish(() => resolve(0))).on('close', () => finish(() => resolve(0)));
    const iterator = chunks[Symbol.iterator]();
    const write = (): void => {
      for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
        if (socket.destroyed) return;
        if (!socket.write(next.value)) return void socket.once('drain', write);
      }
    };
    socket.on('connect', write);
  });
}

type Fields = Readonly<Record<string, string | number>>;
const POSTS = '/wp-json/wp/v2/posts';
const EVIL = '/wp-json/evil/v1/patterns';
const LONG = 'a'.repeat(12_000);

function head(line: string, fields: Fields = {}): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\nHost: gateway.example.com\r\n${lines.join('')}\r\n`;
}
const get = (target: string, fields: Fields = {}): string[] => [head(`GET ${target}`, fields)];
const post = (body: string, type = 'application/json', target = POSTS): string[] => [
  head(`POST ${target}`, { 'Content-Type': type, 'Content-Length': body.length }),
  body,
];
const form = (body: string): string[] => post(body, 'application/x-www-form-urlencoded');

/** Checks that a valid request is forwarded and an invalid one refused without delay. */
async function expectUnaffected(): Promise<void> {
  expect(await send(get(`${POSTS}?per_page=5`))).toBe(200);
  expect(await send(get(`${POSTS}?per_page=0`))).toBe(400);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
}

/** Name, request, and allowed statuses. Without one of 200, the gateway must not forward the request. */
const CASES: readonly [name: string, chunks: () => Iterable<string>, ...statuses: number[]][] = [
  // Patterns with catastrophic backtracking.
  ['nested repetition', () => get(`${EVIL}?nested=${LONG}!`), 400],
  ['a pattern for list items', () => post(JSON.stringify({ list: [`${LONG}!`] }), undefined, EVIL), 400],
  ['a pattern for names', () => post(JSON.stringify({ tree: { [`${LONG}!`]: 1 } }), undefined, EVIL), 400],
  ['a pattern in a route', () => get(`/wp-json/evil/v1/${LONG}/END!`), 200, 404],
  ['a million parameters in a body', () => form('a=1&'.repeat(1e6)), 200],
  ['a name of ten thousand brackets', () => get(`${POSTS}?a${'[b]'.repeat(5_000)}=1`), 200, 400],
  // Bytes in the wrong place.
  ['NUL in a query value', () => get(`${POSTS}?order=asc%00`), 400],
  ['NUL in the request line', () => get(`${POSTS}?a=\0`), 400],
  [
    'names of prototypes in the query',
    () => get(`${POSTS}?__proto__[polluted]=1&constructor[prototype][polluted]=1`),
    200,
  ],
  [
    'names of prototypes in JSON',
    () => post('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
    200,
  ],
];

describe('a hostile request keeps no other waiting:', () => {
  test.each(CASES)('%s', async (_name, chunks, ...statuses) => {
    const { received } = await start();
    const before = received.requests;
    expect(statuses).toContain(await send(chunks()));
    if (!statuses.includes(200)) expect(received.requests).toBe(before);
    await expectUnaffected();
  });

  test('clients that disconnect in the middle of a body', async () => {
    const part = [head(`POST ${POSTS}`, { 'Content-Type': 'application/json', 'Content-Length': 99 }), '{"a'];
    for (let count = 0; count < 20; count++) await send(part, 30).catch(() => undefined);
    await expectUnaffected();
  });
});
